// The timeline: coloured bands for phases, a tick a segment, a playhead. Drawn once per run, size and theme.

import { phaseTitle, scientific, short } from "./format.js";
import { h } from "./dom.js";

export class Timeline {
  constructor({ onSeek, onHold }) {
    this.canvas = h("canvas", { class: "mtm-bands", "aria-hidden": "true" });
    this.head = h("div", { class: "mtm-head" });
    this.tip = h("div", { class: "mtm-tip", role: "tooltip" });
    this.root = h(
      "div",
      { class: "mtm-timeline", role: "slider", tabindex: "0", "aria-label": "Display time", "aria-valuemin": "0", "aria-valuemax": "100" },
      this.canvas,
      this.head,
      this.tip,
    );
    this.onSeek = onSeek;
    this.onHold = onHold;
    this.listen();
  }

  listen() {
    const { root } = this;
    const at = (event) => {
      const box = root.getBoundingClientRect();
      return (event.clientX - box.left) / box.width;
    };
    root.addEventListener("pointerdown", (event) => {
      root.setPointerCapture(event.pointerId);
      this.held = true;
      this.onHold(true);
      this.onSeek(at(event));
    });
    root.addEventListener("pointermove", (event) => {
      if (this.held) this.onSeek(at(event));
      this.explain(at(event));
    });
    const release = () => {
      if (this.held) this.onHold(false);
      this.held = false;
    };
    root.addEventListener("pointerup", release);
    root.addEventListener("pointercancel", release);
    root.addEventListener("pointerleave", () => this.tip.classList.remove("mtm-shown"));
  }

  setRun(run) {
    this.run = run;
    this.bands = phaseBands(run);
    this.ticks = segmentStarts(run);
  }

  draw(theme) {
    const { canvas, run } = this;
    const box = this.root.getBoundingClientRect();
    if (!run || !box.width) return;
    this.theme = theme;
    this.wide = box.width;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(box.width * ratio);
    canvas.height = Math.round(box.height * ratio);
    const ctx = canvas.getContext("2d");
    ctx.scale(ratio, ratio);
    const [w, height] = [box.width, box.height];
    const font = getComputedStyle(this.root).fontFamily;
    const size = parseFloat(getComputedStyle(this.root).fontSize);
    for (const band of this.bands) {
      const x = band.from * w;
      const width = Math.max(1, (band.to - band.from) * w - 1.5);
      ctx.save();
      ctx.beginPath();
      ctx.roundRect(x, 0, width, height, 5);
      ctx.fillStyle = theme.phases[band.like ?? band.name.replace("undo-", "")] || theme.line;
      ctx.fill();
      ctx.clip();
      if (band.name.startsWith("undo-")) hatch(ctx, x, width, height, theme);
      this.drawTicks(ctx, band, w, height);
      label(ctx, phaseTitle(band.name), x, width, height, (share) => `600 ${size * share}px ${font}`, theme.ink);
      ctx.restore();
    }
  }

  // Ticks along the lower edge; where they would touch, a plain ruler line says "many".
  drawTicks(ctx, band, w, height) {
    const inside = this.ticks.slice(band.first + 1, band.last + 1);
    if (!inside.length) return;
    const apart = ((band.to - band.from) * w) / (inside.length + 1);
    ctx.fillStyle = this.theme.quiet;
    ctx.globalAlpha = apart < 3 ? 0.25 : 0.6;
    for (const at of inside) ctx.fillRect(at * w - 0.5, height - (apart < 3 ? 4 : 6), 1, 6);
    ctx.globalAlpha = 1;
  }

  move(at, said, settled) {
    this.head.style.transform = `translateX(${(at * (this.wide ??= this.root.clientWidth)).toFixed(1)}px)`;
    // Twice a second is enough for a screen reader, and attributes are dear.
    const now = performance.now();
    if (now - (this.toldAt || 0) < 500 && !settled) return;
    this.toldAt = now;
    this.root.setAttribute("aria-valuenow", (at * 100).toFixed(1));
    this.root.setAttribute("aria-valuetext", said);
  }

  explain(at) {
    const band = this.bands?.find((b) => at >= b.from && at <= b.to);
    if (!band) return;
    const { certificate } = band;
    const count = band.last - band.first + 1;
    const lines = [
      h("strong", { class: "mtm-tip-title" }, phaseTitle(band.name)),
      h("div", {}, band.says),
      ...(band.like ? [] : [h("div", { class: "mtm-quiet" }, `${count} segment${count === 1 ? "" : "s"}`)]),
    ];
    if (certificate?.claim) lines.push(h("div", {}, `Checked: ${certificate.claim}${measured(certificate)}`));
    this.tip.replaceChildren(...lines);
    this.tip.classList.add("mtm-shown");
    const width = this.root.clientWidth;
    const wide = this.tip.offsetWidth;
    this.tip.style.left = `${Math.min(Math.max(0, at * width - wide / 2), Math.max(0, width - wide))}px`;
  }
}

function measured({ value, condition }) {
  const parts = [];
  if (Number.isFinite(value)) parts.push(short(value));
  if (Number.isFinite(condition)) parts.push(`condition ${condition < 1e4 ? short(condition) : scientific(condition)}`);
  return parts.length ? ` (${parts.join("; ")})` : "";
}

function hatch(ctx, x, width, height, theme) {
  ctx.strokeStyle = theme.page;
  ctx.globalAlpha = 0.5;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  for (let k = x - height; k < x + width; k += 8) {
    ctx.moveTo(k, height);
    ctx.lineTo(k + height, 0);
  }
  ctx.stroke();
  ctx.globalAlpha = 1;
}

// The longest wording that fits: in full, abbreviated, smaller; nothing rather than a stump.
function label(ctx, text, x, width, height, font, color) {
  const room = width - 10;
  const brief = text.replace(", undone", " ↺");
  for (const [said, share] of [[text, 1], [brief, 1], [brief, 0.84], [brief, 0.7]]) {
    ctx.font = font(share);
    if (ctx.measureText(said).width > room) continue;
    ctx.fillStyle = color;
    ctx.textBaseline = "middle";
    ctx.textAlign = "center";
    ctx.fillText(said, x + width / 2, height / 2 - 1);
    return;
  }
}

// Display time at which each segment starts, plus 1 at the end; unframed segments start with the next one.
export function segmentStarts(run) {
  const starts = new Float64Array(run.segments + 1).fill(NaN);
  for (let f = run.owner.length - 1; f >= 0; f--) starts[run.owner[f]] = run.display[f];
  starts[run.segments] = 1;
  for (let s = run.segments - 1; s >= 0; s--) if (Number.isNaN(starts[s])) starts[s] = starts[s + 1];
  return Array.from(starts);
}

export function phaseBands(run) {
  const starts = segmentStarts(run);
  return run.phases.map((phase) => ({ ...phase, from: starts[phase.first], to: starts[phase.last + 1] }));
}
