// The picture on a plain 2D canvas over Plotly's scene, where WebGL2 is missing. Interface of layer.js.
//
// Restyling Plotly's scatter3d traces a frame would be the obvious way; measured, it is slower than Plotly's own frames
// and loses turns of the camera made meanwhile (plotly.js#6359). Stamping symbols on a canvas is ten times as fast.

import { capCircle } from "./geometry.js";
import { ballTraces } from "./ball.js";

export class Flat {
  constructor(canvas, plotly, plot) {
    Object.assign(this, { canvas, plotly, plot, stamps: new Map() });
    this.context = canvas.getContext("2d");
  }

  resize(width, height) {
    this.ratio = Math.min(window.devicePixelRatio || 1, 2);
    Object.assign(this.canvas, { width: Math.round(width * this.ratio), height: Math.round(height * this.ratio) });
  }

  draw({ theme, caps, lines, clouds }, view) {
    if (theme !== this.theme) {
      this.theme = theme;
      this.stamps.clear();
      this.plotly.react(this.plot, ballTraces(theme), this.plot.layout);
    }
    const { context } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const place = placer(view, this.canvas);
    for (const side of [-1, 1]) {
      if (side > 0) for (const cap of caps) this.circle(cap, place, theme);
      if (side > 0) this.lines(lines, place, -1);
      if (side > 0) this.lines(lines, place, 1);
      for (const cloud of clouds) this.cloud(cloud, place, side);
    }
    context.globalAlpha = 1;
  }

  circle({ a, tau, color }, place, theme) {
    const points = capCircle(a, tau).map((p) => place(p[0], p[1], p[2]));
    const { context } = this;
    for (let k = 0; k + 1 < points.length; k++) {
      context.beginPath();
      context.globalAlpha = points[k].front ? 0.9 : 0.25;
      context.strokeStyle = theme.ink;
      context.lineWidth = 1.8 * this.ratio * theme.thick;
      context.moveTo(points[k].x, points[k].y);
      context.lineTo(points[k + 1].x, points[k + 1].y);
      context.stroke();
    }
    if (!points.every((p) => p.front)) return;
    context.globalAlpha = 0.16;
    context.fillStyle = color;
    context.beginPath();
    for (const p of points) context.lineTo(p.x, p.y);
    context.fill();
  }

  // The packed pieces of layer.js: ax ay az bx by bz r g b a width.
  lines(lines, place, side) {
    const { context } = this;
    context.lineCap = "round";
    for (let o = 0; o < lines.length; o += 11) {
      const a = place(lines[o], lines[o + 1], lines[o + 2]);
      const b = place(lines[o + 3], lines[o + 4], lines[o + 5]);
      if (a.front !== side > 0) continue;
      const [r, g, blue] = [6, 7, 8].map((k) => Math.round(255 * lines[o + k]));
      context.globalAlpha = lines[o + 9] * (side > 0 ? 1 : 0.3);
      context.strokeStyle = `rgb(${r},${g},${blue})`;
      context.lineWidth = lines[o + 10] * this.ratio;
      context.beginPath();
      context.moveTo(a.x, a.y);
      context.lineTo(b.x, b.y);
      context.stroke();
    }
  }

  cloud(cloud, place, side) {
    const { context } = this;
    const { positions, radius, weights } = cloud;
    const stamp = this.stamp(cloud);
    context.globalAlpha = cloud.alpha * (side > 0 ? 1 : 0.25);
    for (let o = 0; o < positions.length; o += 3) {
      const p = place(positions[o] * radius, positions[o + 1] * radius, positions[o + 2] * radius, radius);
      if (p.front !== side > 0) continue;
      const size = stamp.width * (weights ? weights[o / 3] : 1);
      context.drawImage(stamp, p.x - size / 2, p.y - size / 2, size, size);
    }
  }

  // The symbol drawn once; after that a copy an atom.
  stamp({ symbol, color, size, hollow = false }) {
    const key = `${symbol} ${color} ${size} ${hollow} ${this.ratio}`;
    if (this.stamps.has(key)) return this.stamps.get(key);
    const stamp = document.createElement("canvas");
    const px = Math.ceil(size * this.ratio) + 4;
    Object.assign(stamp, { width: px, height: px });
    const c = stamp.getContext("2d");
    c.translate(px / 2, px / 2);
    c.scale((size * this.ratio) / 2, (size * this.ratio) / 2);
    outline(c, this.theme.symbols[symbol]);
    c.lineWidth = (hollow ? 3.2 : 2.2) / size;
    c.strokeStyle = hollow ? color : this.theme.outline;
    c.fillStyle = color;
    if (!hollow) c.fill();
    c.stroke();
    this.stamps.set(key, stamp);
    return stamp;
  }

  dispose() {}
}

// A function from data coordinates to canvas pixels and side, allocating one small object a call.
function placer({ matrix: m, eye }, { width, height }) {
  return (x, y, z, radius = 1) => {
    const w = m[3] * x + m[7] * y + m[11] * z + m[15];
    return {
      x: (((m[0] * x + m[4] * y + m[8] * z + m[12]) / w + 1) / 2) * width,
      y: ((1 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w) / 2) * height,
      front: (x * eye[0] + y * eye[1] + z * eye[2]) * radius > x * x + y * y + z * z,
    };
  };
}

// Unit outlines of the symbols, y down as on a canvas.
function outline(c, name) {
  const polygon = (points) => points.forEach(([x, y]) => c.lineTo(x, y));
  const around = (n, r, from = -Math.PI / 2) =>
    Array.from({ length: n }, (_, k) => [r(k) * Math.cos(from + (2 * Math.PI * k) / n), r(k) * Math.sin(from + (2 * Math.PI * k) / n)]);
  const [a, b] = [0.34, 0.92];
  const plus = [[-a, -b], [a, -b], [a, -a], [b, -a], [b, a], [a, a], [a, b], [-a, b], [-a, a], [-b, a], [-b, -a], [-a, -a]];
  c.beginPath();
  if (name === "circle") c.arc(0, 0, 0.8, 0, 2 * Math.PI);
  else if (name === "diamond") polygon(around(4, () => 0.98));
  else if (name === "square") polygon([[-0.7, -0.7], [0.7, -0.7], [0.7, 0.7], [-0.7, 0.7]]);
  else if (name === "cross") polygon(plus);
  else if (name === "x") polygon(plus.map(([x, y]) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2]));
  else if (name === "triangle") polygon(around(3, () => 0.96));
  else if (name === "star") polygon(around(10, (k) => (k % 2 ? 0.42 : 0.98)));
  else polygon(around(6, () => 0.88));
  c.closePath();
}
