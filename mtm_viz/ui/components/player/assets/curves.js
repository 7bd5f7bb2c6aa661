// W2 to target of every pair against layer time; one cursor, moving with the picture. The scale is the timeline's
// (every phase gets room) or uniform: 99% of layer time can belong to the gates and a sliver to the attention.

import { h } from "./dom.js";
import { superscript } from "./format.js";
import { phaseBands } from "./timeline.js";

const PAD = { left: 40, right: 10, top: 8, bottom: 22 };

export class Curves {
  constructor({ onSeek }) {
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.cursor = h("div", { class: "mtm-cursor" });
    this.log = false;
    this.uniform = false;
    this.scale = h("button", { type: "button", class: "mtm-chip", "aria-pressed": "false", title: "Logarithmic scale", onclick: () => this.toggle("log") }, "log");
    this.axis = h("button", { type: "button", class: "mtm-chip", "aria-pressed": "false", title: "Layer time on a uniform scale; otherwise stretched so that every phase can be seen", onclick: () => this.toggle("uniform") }, "uniform");
    this.plot = h("div", { class: "mtm-curve-plot" }, this.canvas, this.cursor);
    this.root = h(
      "div",
      { class: "mtm-card mtm-curves" },
      h("div", { class: "mtm-card-head" }, h("span", { class: "mtm-card-title", title: "2-Wasserstein distance to the target, geodesic cost, in radians" }, "W₂ to target (rad)"), this.scale, this.axis),
      this.plot,
    );
    this.plot.addEventListener("pointerdown", (event) => {
      this.plot.setPointerCapture(event.pointerId);
      onSeek(this.displayAt(event));
    });
    this.plot.addEventListener("pointermove", (event) => event.buttons && onSeek(this.displayAt(event)));
  }

  toggle(what) {
    if (what === "log") this.log = !this.log;
    else this.uniform = !this.uniform;
    this.scale.setAttribute("aria-pressed", this.log);
    this.axis.setAttribute("aria-pressed", this.uniform);
    this.draw(this.theme, this.hidden);
    this.move(this.at || 0);
  }

  setRun(run) {
    this.run = run;
  }

  get clock() {
    const { run } = this;
    return this.uniform ? (f) => (run.times[f] - run.times[0]) / (run.times.at(-1) - run.times[0] || 1) : (f) => run.display[f];
  }

  displayAt(event) {
    const box = this.plot.getBoundingClientRect();
    const u = (event.clientX - box.left - PAD.left) / (box.width - PAD.left - PAD.right);
    if (!this.uniform) return u;
    const { times, display } = this.run;
    const t = times[0] + u * (times.at(-1) - times[0]);
    let f = 0;
    while (f + 2 < times.length && times[f + 1] <= t) f++;
    const part = (t - times[f]) / (times[f + 1] - times[f] || 1);
    return display[f] + Math.min(1, Math.max(0, part)) * (display[f + 1] - display[f]);
  }

  draw(theme, hidden) {
    this.theme = theme;
    this.hidden = hidden;
    const box = this.plot.getBoundingClientRect();
    if (!this.run || !box.width || this.root.hidden) return;
    this.wide = box.width;
    const ratio = window.devicePixelRatio || 1;
    Object.assign(this.canvas, { width: Math.round(box.width * ratio), height: Math.round(box.height * ratio) });
    const ctx = this.canvas.getContext("2d");
    ctx.scale(ratio, ratio);
    const w = box.width - PAD.left - PAD.right;
    const tall = box.height - PAD.top - PAD.bottom;
    const scale = valueScale(this.run.measures, this.log);
    const y = (v) => PAD.top + tall * (1 - scale.place(v));
    const style = getComputedStyle(this.root);
    ctx.font = `${parseFloat(style.fontSize) * 0.86}px ${style.fontFamily}`;
    this.drawBands(ctx, w, tall);
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    for (const v of scale.ticks) {
      ctx.fillStyle = theme.line;
      ctx.fillRect(PAD.left, Math.round(y(v)), w, 1);
      ctx.fillStyle = theme.quiet;
      ctx.fillText(scale.said(v), PAD.left - 6, y(v));
    }
    ctx.textBaseline = "alphabetic";
    ctx.textAlign = "center";
    ctx.fillText("layer time", PAD.left + w / 2, box.height - 5);
    ctx.textAlign = "left";
    ctx.fillText("0", PAD.left, box.height - 5);
    ctx.textAlign = "right";
    ctx.fillText(String(Number(this.run.times.at(-1).toFixed(3))), PAD.left + w, box.height - 5);
    this.run.measures.forEach((measure, m) => {
      if (!measure.w2 || hidden.has(m)) return;
      this.drawCurve(ctx, measure.w2, w, y, theme.measures[m % theme.measures.length]);
    });
  }

  drawBands(ctx, w, tall) {
    if (this.uniform) return;
    ctx.globalAlpha = 0.55;
    for (const band of phaseBands(this.run)) {
      ctx.fillStyle = this.theme.phases[band.like ?? band.name.replace("undo-", "")] || this.theme.line;
      ctx.fillRect(PAD.left + band.from * w, PAD.top, Math.max(0, (band.to - band.from) * w - 1), tall);
    }
    ctx.globalAlpha = 1;
  }

  drawCurve(ctx, values, w, y, color) {
    const clock = this.clock;
    ctx.strokeStyle = color;
    ctx.lineWidth = 1.8 * this.theme.thick;
    ctx.lineJoin = "round";
    ctx.beginPath();
    for (let f = 0; f < values.length; f++) ctx.lineTo(PAD.left + clock(f) * w, y(values[f]));
    ctx.stroke();
  }

  move(at, f = this.f || 0, part = this.part || 0) {
    Object.assign(this, { at, f, part });
    if (!this.run) return;
    const clock = this.clock;
    const next = Math.min(f + 1, this.run.frames - 1);
    const u = this.uniform ? clock(f) + part * (clock(next) - clock(f)) : at;
    this.cursor.style.transform = `translateX(${(PAD.left + u * ((this.wide || 0) - PAD.left - PAD.right)).toFixed(1)}px)`;
  }
}

// Where a value lies between the axis' ends, and the ticks to write beside it.
export function valueScale(measures, log) {
  const values = measures.flatMap((m) => (m.w2 ? Array.from(m.w2) : []));
  const top = Math.max(1e-12, ...extremes(values).slice(1));
  if (log) {
    const high = Math.ceil(Math.log10(top));
    const low = Math.max(-9, Math.min(high - 1, Math.floor(Math.log10(Math.max(1e-9, extremes(values)[0])))));
    const step = Math.max(1, Math.ceil((high - low) / 5));
    const ticks = [];
    for (let e = high; e >= low; e -= step) ticks.push(10 ** e);
    const place = (v) => (Math.log10(Math.max(v, 10 ** low)) - low) / (high - low);
    return { place, ticks, said: (v) => `10${superscript(Math.round(Math.log10(v)))}` };
  }
  const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2].find((s) => top / s <= 4.5) || 1;
  const end = Math.ceil(top / step - 1e-9) * step;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, k) => k * step);
  return { place: (v) => v / end, ticks, said: (v) => String(Number(v.toFixed(3))) };
}

function extremes(values) {
  return values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, 0]);
}

