// Two layers of canvas: below, the globe and what does not change during a stroke; above, the stroke and the pointer.

import { DEG, capCircle, fromLonLat, project } from "./sphere.js";
import { TOOLS } from "./tools.js";

const TAU = 2 * Math.PI;

// Meridians and parallels every 30 degrees, as polylines in space.
const GRATICULE = [
  ...[-60, -30, 0, 30, 60].map((lat) => Array.from({ length: 91 }, (_, k) => fromLonLat((k / 90) * TAU, lat * DEG))),
  ...[0, 30, 60, 90, 120, 150].map((lon) => Array.from({ length: 91 }, (_, k) => fromLonLat(lon * DEG, (k / 90) * TAU))),
];

export class Painter {
  constructor(below, above) {
    this.below = below.getContext("2d");
    this.above = above.getContext("2d");
    this.canvases = [below, above];
    this.size = 0;
  }

  resize(size) {
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    if (size === this.size && ratio === this.ratio) return false;
    Object.assign(this, { size, ratio, scale: size / 2 / 1.07 });
    for (const canvas of this.canvases) {
      canvas.width = canvas.height = Math.round(size * ratio);
      canvas.style.width = canvas.style.height = `${size}px`;
    }
    for (const context of [this.below, this.above]) context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return true;
  }

  // From pixels of the canvas to the unit disc, y up.
  toDisc(x, y) {
    return [(x - this.size / 2) / this.scale, (this.size / 2 - y) / this.scale];
  }

  toPixels([x, y]) {
    return [this.size / 2 + this.scale * x, this.size / 2 - this.scale * y];
  }

  drawBelow(desk, ghosts, look) {
    const { below: c, size } = this;
    c.clearRect(0, 0, size, size);
    this.globe(c, look);
    const view = desk.view;
    this.graticule(c, view, look, false);
    for (const ghost of ghosts) this.ghost(c, view, ghost, false);
    this.atoms(c, view, desk, look, false);
    this.graticule(c, view, look, true);
    for (const ghost of ghosts) this.ghost(c, view, ghost, true);
    this.atoms(c, view, desk, look, true);
    this.selection(c, view, desk, look);
  }

  globe(c, look) {
    const [x, y] = [this.size / 2, this.size / 2];
    const light = c.createRadialGradient(x - 0.35 * this.scale, y - 0.45 * this.scale, 0.1 * this.scale, x, y, this.scale);
    light.addColorStop(0, look.sphere);
    light.addColorStop(0.72, look.sphere);
    light.addColorStop(1, look.dark ? look.sphere_shadow : mixHex(look.sphere, look.sphere_shadow, 0.75));
    c.beginPath();
    c.arc(x, y, this.scale, 0, TAU);
    c.fillStyle = light;
    c.fill();
    c.lineWidth = 1.25;
    c.strokeStyle = look.sphere_rim;
    c.stroke();
  }

  graticule(c, view, look, front) {
    c.lineWidth = 1;
    c.strokeStyle = look.graticule;
    c.globalAlpha = front ? 0.42 : 0.13;
    c.beginPath();
    for (const line of GRATICULE) this.trace(c, view, line, front);
    c.stroke();
    c.globalAlpha = 1;
  }

  // The front (or back) parts of a polyline in space, into the current path.
  trace(c, view, line, front = true) {
    let drawing = false;
    for (const p of line) {
      const [x, y, z] = project(view, p);
      const seen = front ? z >= 0 : z < 0;
      if (seen) {
        const [px, py] = this.toPixels([x, y]);
        if (drawing) c.lineTo(px, py);
        else c.moveTo(px, py);
      }
      drawing = seen;
    }
  }

  // Thousands of points as one path of squares a side: the pointer never waits for them.
  ghost(c, view, { points, colour, hollow }, front) {
    const { right, up, toward } = view;
    const n = points.length / 3;
    const r = n > 3000 ? 1.1 : n > 500 ? 1.7 : 2.6;
    c.globalAlpha = front ? 0.5 : 0.13;
    c.beginPath();
    for (let k = 0; k < points.length; k += 3) {
      const [a, b, d] = [points[k], points[k + 1], points[k + 2]];
      if (toward[0] * a + toward[1] * b + toward[2] * d >= 0 !== front) continue;
      const x = this.size / 2 + this.scale * (right[0] * a + right[1] * b + right[2] * d);
      const y = this.size / 2 - this.scale * (up[0] * a + up[1] * b + up[2] * d);
      if (n > 500) c.rect(x - r, y - r, 2 * r, 2 * r);
      else {
        c.moveTo(x + r, y);
        c.arc(x, y, r, 0, TAU);
      }
    }
    if (hollow && n <= 500) {
      c.lineWidth = 1.2;
      c.strokeStyle = colour;
      c.stroke();
    } else {
      c.fillStyle = colour;
      c.fill();
    }
    c.globalAlpha = 1;
  }

  atoms(c, view, desk, look, front) {
    const points = desk.shown();
    const { weights } = desk.atoms;
    const mean = weights.reduce((s, w) => s + w, 0) / (weights.length || 1);
    c.globalAlpha = front ? 1 : 0.22;
    for (let k = 0; k < points.length; k++) {
      const [x, y, z] = project(view, points[k]);
      if (z >= 0 !== front) continue;
      this.dot(c, [x, y], this.radiusOf(points.length, weights[k] / mean), look, desk.rubbed.has(k) ? 0.25 : 1, front);
    }
    c.globalAlpha = 1;
  }

  // Area goes with weight, within what can still be seen and told apart.
  radiusOf(n, share) {
    const base = n > 1000 ? 2.2 : n > 300 ? 3.1 : n > 80 ? 4.2 : 5.2;
    return base * Math.sqrt(Math.min(6, Math.max(0.25, share)));
  }

  dot(c, xy, r, look, alpha, front) {
    const [x, y] = this.toPixels(xy);
    c.globalAlpha = alpha * (front ? 1 : 0.22);
    c.beginPath();
    c.arc(x, y, front ? r : r * 0.8, 0, TAU);
    if (look.hollow) {
      c.lineWidth = Math.max(1.3, r * 0.42);
      c.strokeStyle = look.colour;
      c.stroke();
    } else {
      c.fillStyle = look.colour;
      c.fill();
      if (front && r > 2.6) {
        c.lineWidth = 1;
        c.strokeStyle = look.page;
        c.stroke();
      }
    }
  }

  selection(c, view, desk, look) {
    if (!desk.selected.size) return;
    const points = desk.shown();
    c.strokeStyle = look.accent;
    c.lineWidth = 1.6;
    for (const k of desk.selected) {
      const [x, y, z] = project(view, points[k]);
      if (z < 0) continue;
      const [px, py] = this.toPixels([x, y]);
      c.beginPath();
      c.arc(px, py, this.radiusOf(points.length, 1) + 3, 0, TAU);
      c.stroke();
    }
    const grips = desk.grips();
    if (!grips) return;
    c.setLineDash([5, 5]);
    c.lineWidth = 1.2;
    c.beginPath();
    this.trace(c, view, capCircle(grips.centre, grips.radius));
    c.stroke();
    c.setLineDash([]);
    this.grip(c, project(view, grips.scale), look, true);
    this.grip(c, project(view, grips.turn), look, false);
  }

  grip(c, [x, y, z], look, square) {
    if (z < 0) return;
    const [px, py] = this.toPixels([x, y]);
    c.beginPath();
    if (square) c.rect(px - 6, py - 6, 12, 12);
    else c.arc(px, py, 6.5, 0, TAU);
    c.fillStyle = look.page;
    c.fill();
    c.lineWidth = 2;
    c.strokeStyle = look.accent;
    c.stroke();
  }

  // The stroke under way and the tool's ring.
  drawAbove(desk, look, pointer, keyboard) {
    const { above: c, size } = this;
    c.clearRect(0, 0, size, size);
    const { view, tool } = desk;
    const mean = desk.settings.weight || 1;
    desk.stroke.forEach((p, k) => {
      const [x, y, z] = project(view, p);
      this.dot(c, [x, y], this.radiusOf(desk.atoms.points.length + desk.stroke.length, desk.strokeWeights[k] / mean), look, 1, z >= 0);
    });
    c.globalAlpha = 1;
    if (desk.path.length > 1 && !["brush", "eraser", "point"].includes(tool) && !["move", "scale", "turn"].includes(desk.hold)) this.path(c, view, desk, look);
    if (keyboard) this.cross(c, look);
    const ring = pointer ?? (keyboard ? desk.centre : null);
    if (ring && (TOOLS[tool].round || (tool === "select" && !desk.selected.size))) {
      c.strokeStyle = tool === "eraser" ? look.ink : look.colour;
      c.globalAlpha = 0.9;
      c.lineWidth = 1.5;
      c.beginPath();
      this.trace(c, view, capCircle(ring, desk.settings.radius));
      c.stroke();
      c.globalAlpha = 1;
    }
  }

  path(c, view, desk, look) {
    const closed = TOOLS[desk.tool].closed || desk.tool === "select";
    const line = closed ? [...desk.path, desk.path[0]] : desk.path;
    c.strokeStyle = desk.tool === "select" ? look.accent : look.colour;
    c.lineWidth = 1.8;
    c.setLineDash(closed ? [6, 4] : []);
    c.beginPath();
    this.trace(c, view, thickened(line));
    c.stroke();
    c.setLineDash([]);
    if (closed) {
      c.globalAlpha = 0.14;
      c.fillStyle = c.strokeStyle;
      c.fill();
      c.globalAlpha = 1;
    }
  }

  cross(c, look) {
    const m = this.size / 2;
    c.strokeStyle = look.ink;
    c.lineWidth = 1.5;
    c.beginPath();
    for (const [x, y] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      c.moveTo(m + 4 * x, m + 4 * y);
      c.lineTo(m + 13 * x, m + 13 * y);
    }
    c.stroke();
  }
}

// Corners far apart are joined by arcs, not by chords.
function thickened(line) {
  return line.slice(1).flatMap((p, k) => {
    const a = line[k];
    const far = Math.hypot(p[0] - a[0], p[1] - a[1], p[2] - a[2]);
    const n = Math.max(1, Math.ceil(far / 0.08));
    return Array.from({ length: n + 1 }, (_, j) => {
      const q = [0, 1, 2].map((i) => a[i] + ((p[i] - a[i]) * j) / n);
      const length = Math.hypot(...q) || 1;
      return q.map((x) => x / length);
    });
  });
}

function mixHex(a, b, t) {
  const parts = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
  const [p, q] = [parts(a), parts(b)];
  return `rgb(${p.map((x, k) => Math.round(x + t * (q[k] - x))).join(",")})`;
}
