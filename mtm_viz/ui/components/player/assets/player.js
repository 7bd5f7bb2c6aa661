// One player: builds its elements, keeps its state, and draws a picture whenever time, camera or state changes.

import { Camera, sceneLayout } from "./camera.js";
import { Clock, SPEEDS, filmSeconds, placeAt } from "./clock.js";
import { Controls, LAYERS } from "./controls.js";
import { Curves } from "./curves.js";
import { h } from "./dom.js";
import { layerTime, phaseTitle, scientific, short } from "./format.js";
import { listen } from "./keys.js";
import { Layer } from "./layer.js";
import { Legend } from "./legend.js";
import { readView, writeView } from "./link.js";
import { Matrices } from "./matrices.js";
import { moversOf, pointsOf, positionsAt } from "./motion.js";
import { thetaAt } from "./payload.js";
import { meanGlyphs, packLines, segmentGlyphs } from "./picture.js";
import { readSegment, segmentSentence } from "./segment.js";
import { applyTheme, isDark, themeFor } from "./theme.js";
import { Timeline, segmentStarts } from "./timeline.js";

const WORDS_EVERY = 250; // ms between changes of the words while playing: faster cannot be read

export class Player {
  constructor(root, { style, plotly, autoplay = true }) {
    Object.assign(this, { root, style, plotly, autoplay });
    this.hidden = new Set();
    this.shown = new Set(["targets", "glyphs"]);
    this.projector = false;
    this.clock = new Clock(1);
    this.build();
    this.ready = this.start();
  }

  build() {
    const { root } = this;
    root.className = "mtm-player";
    root.tabIndex = 0;
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "Animation of measures on the sphere");
    const act = Object.fromEntries(ACTIONS.map((name) => [name, (...args) => this.perform(name, ...args)]));
    this.controls = new Controls(act);
    this.timeline = new Timeline({ onSeek: (at) => this.seek(at), onHold: (held) => (this.held = held) });
    this.curves = new Curves({ onSeek: (at) => this.seek(at) });
    this.matrices = new Matrices();
    this.legend = new Legend({ onToggle: (m) => this.perform("measure", m) });
    this.plot = h("div", { class: "mtm-plot" });
    this.canvas = h("canvas", { class: "mtm-layer" });
    this.phase = h("div", { class: "mtm-phase" });
    this.does = h("div", { class: "mtm-does" });
    this.corner = h("div", { class: "mtm-corner" });
    this.numbers = h("dl", { class: "mtm-numbers mtm-card" });
    this.caption = h("div", { class: "mtm-caption" }, this.phase, this.does);
    this.said = h("div", { class: "mtm-said", "aria-live": "polite" });
    this.stage = h("div", { class: "mtm-stage" }, this.plot, this.canvas, this.caption, this.legend.root, this.corner);
    this.side = h("aside", { class: "mtm-side" }, this.curves.root, this.matrices.root, this.numbers);
    root.replaceChildren(h("div", { class: "mtm-main" }, this.stage, this.side), this.timeline.root, this.controls.root, this.said);
    this.controls.showLayers(this.shown);
    listen(root, (name, ...args) => this.perform(name, ...args));
  }

  async start() {
    const layout = sceneLayout(this.style.sizes.eye);
    const box = this.stage.getBoundingClientRect();
    const corners = { type: "scatter3d", mode: "markers", x: [0], y: [0], z: [0], opacity: 0, hoverinfo: "skip" };
    await this.plotly.newPlot(this.plot, [corners], { ...layout, width: box.width, height: box.height }, { displayModeBar: false, scrollZoom: true });
    this.layer = new Layer(this.canvas);
    this.layer.resize(box.width, box.height);
    this.camera = new Camera(this.plot, (view) => {
      this.view = view;
      if (this.run && view) this.layer.draw(this.picture(), view);
    });
    this.view = this.camera.view();
    this.watcher = new ResizeObserver(() => this.resized());
    this.watcher.observe(this.stage);
    // Plotly zooms on every wheel event; a page is scrolled past the player unless the player has the focus.
    this.plot.addEventListener("wheel", (event) => !this.root.contains(document.activeElement) && event.stopPropagation(), { capture: true });
    this.tick = (now) => {
      const passed = (now - (this.before ?? now)) / 1000;
      this.before = now;
      if (!this.held && this.clock.advance(passed)) this.stale = true;
      if (this.stale) this.render(now);
      this.request = requestAnimationFrame(this.tick);
    };
    this.request = requestAnimationFrame(this.tick);
  }

  async setRun(run) {
    await this.ready;
    const first = !this.run;
    const at = this.clock.at;
    Object.assign(this, { run, segment: -1, colored: null, projection: null });
    this.starts = segmentStarts(run);
    this.positions = run.measures.map((m) => new Float32Array(3 * m.count));
    this.targets = run.measures.map((m) => pointsOf(m.target, run.dimension, this.projection));
    this.clock.seconds = filmSeconds(run.segments, this.style.sizes);
    this.timeline.setRun(run);
    this.curves.setRun(run);
    this.matrices.setRun(run);
    this.corner.textContent = run.dimension > 3 ? `dimension ${run.dimension}: coordinates 1, 2, 3 are shown` : "";
    if (first) this.openLink();
    this.clock.seek(first ? this.clock.at : at);
    this.retheme();
    if (first && this.autoplay && !window.matchMedia("(prefers-reduced-motion: reduce)").matches) this.clock.play();
    this.root.dataset.ready = "true";
  }

  openLink() {
    const view = readView(window.location.search, LAYERS.map(([name]) => name));
    if (view.at !== undefined) {
      this.clock.seek(view.at);
      this.autoplay = false;
    }
    if (view.speed) this.clock.speed = view.speed;
    if (view.eye) this.camera.set({ eye: view.eye });
    if (view.show) this.shown = new Set(view.show);
    this.controls.showLayers(this.shown);
    this.controls.showSpeed(this.clock.speed);
    this.hideParts(view.hide);
    if (view.problems.length) this.notice(view.problems.join(" "), 8000);
  }

  hideParts(names) {
    const parts = { timeline: this.timeline, matrices: this.matrices, curves: this.curves, controls: this.controls, legend: this.legend };
    for (const [name, part] of Object.entries(parts)) part.root.hidden = names.includes(name);
    this.caption.hidden = names.includes("caption");
    this.numbers.hidden = names.includes("numbers");
    this.side.hidden = ["matrices", "curves", "numbers"].every((name) => names.includes(name));
  }

  // Theme or size of type changed: everything that is drawn once is drawn again; the camera is not touched.
  retheme() {
    this.theme = themeFor(this.style, isDark(this.root), this.projector);
    applyTheme(this.root, this.theme);
    this.root.classList.toggle("mtm-projector", this.projector);
    if (!this.run) return;
    this.legend.setRun(this.run, this.theme, this.hidden);
    this.timeline.draw(this.theme);
    this.curves.draw(this.theme, this.hidden);
    this.segment = -1;
    this.stale = true;
  }

  resized() {
    const { width, height } = this.stage.getBoundingClientRect();
    if (!width || !height) return;
    this.layer.resize(width, height);
    this.camera.resize(width, height);
    if (!this.run) return;
    this.timeline.draw(this.theme);
    this.curves.draw(this.theme, this.hidden);
    this.stale = true;
  }

  colorOf = (m) => this.theme.measures[m % this.theme.measures.length];

  // Above dimension 3 a vector is seen through the same projection as the points.
  see = (x) => (this.projection ? this.projection.map((row) => row.reduce((s, r, k) => s + r * x[k], 0)) : x.slice(0, 3));

  render(now = performance.now()) {
    if (!this.run) return;
    this.stale = false;
    const { f, part } = placeAt(this.run.display, this.clock.at);
    this.f = f;
    this.run.measures.forEach((measure, m) => positionsAt(this.run, measure, f, part, this.projection, this.positions[m]));
    this.moment = now;
    const s = this.run.owner[f];
    if (s !== this.segment) this.enter(s);
    this.move(f, part, now);
    if (this.view) this.layer.draw(this.picture(), this.view);
  }

  enter(s) {
    this.segment = s;
    this.theta = thetaAt(this.run, s);
    this.read = readSegment(this.theta, this.run.duration[s]);
    this.movers = this.read.gates.length ? moversOf(this.run, s) : [];
    this.wordsDue = true;
  }

  move(f, part, now) {
    const { run, clock } = this;
    const next = Math.min(f + 1, run.frames - 1);
    const t = run.times[f] + part * (run.times[next] - run.times[f]);
    this.timeline.move(clock.at, `layer time ${layerTime(t)}, segment ${this.segment + 1} of ${run.segments}`);
    this.curves.move(clock.at, f, part);
    this.legend.show(f, part);
    this.controls.showPlaying(clock.playing);
    this.controls.time.innerHTML = `layer time <b>${layerTime(t)}</b>`;
    if (this.wordsDue && (!clock.playing || now - (this.lastWords || 0) > WORDS_EVERY)) this.words(now);
  }

  words(now) {
    const { run, segment } = this;
    this.lastWords = now;
    this.wordsDue = false;
    const phase = run.phases.find((p) => segment <= p.last);
    if (this.phase.textContent !== phaseTitle(phase.name)) {
      this.phase.textContent = phaseTitle(phase.name);
      this.does.textContent = phase.says;
      this.said.textContent = `${phaseTitle(phase.name)}. ${phase.says}`;
    }
    this.matrices.show(this.theta, segment, segmentSentence(this.read, this.movers, run.names), this.theme);
    this.showNumbers(segment);
  }

  showNumbers(segment) {
    const { sup_norm, switches, paper_bound } = this.run.numbers;
    const rows = [
      [`${segment} / ${switches}`, "switches so far"],
      paper_bound ? [`≤ ${short(paper_bound)}`, "paper's bound"] : null,
      sup_norm ? [sup_norm < 1e4 ? short(sup_norm) : scientific(sup_norm), "sup norm ‖θ‖"] : null,
    ].filter(Boolean);
    this.numbers.replaceChildren(...rows.flatMap(([value, name]) => [h("dd", {}, value), h("dt", {}, name)]));
  }

  picture() {
    const { run, theme, positions, hidden, shown } = this;
    const { sizes, symbols } = this.style;
    const total = run.measures.reduce((sum, m) => sum + m.count, 0);
    const many = Math.min(1, Math.log(Math.max(total, 100) / 100) / Math.log(sizes.many / 100));
    const size = (sizes.marker_few + many * (sizes.marker_many - sizes.marker_few)) * theme.thick;
    const clouds = [];
    run.measures.forEach((measure, m) => {
      if (hidden.has(m)) return;
      const look = { color: this.colorOf(m), symbol: m % symbols.length, radius: run.dimension > 3 ? 1 : sizes.radius, weights: null };
      if (shown.has("targets") && measure.target.length)
        clouds.push({ ...look, key: `target ${m}`, version: this.targets[m], positions: this.targets[m], size: size * sizes.ghost, alpha: 0.8, hollow: true });
      clouds.push({ ...look, key: `atoms ${m}`, version: this.moment, positions: positions[m], size, alpha: 1, hollow: false });
    });
    const glyphs = shown.has("glyphs")
      ? segmentGlyphs({ read: this.read, movers: this.movers, theme, run, see: this.see, colorOf: this.colorOf, positions, hidden })
      : { caps: [], lines: [] };
    const lines = [...glyphs.lines];
    if (shown.has("means")) lines.push(...meanGlyphs(positions, run, theme, this.colorOf, hidden));
    return { theme, caps: glyphs.caps, lines: packLines(lines), clouds, density: null };
  }

  seek(at) {
    this.clock.seek(at);
    this.stale = true;
    this.wordsDue = true;
  }

  step(frames) {
    this.clock.pause();
    const { display } = this.run;
    const f = frames > 0 ? placeAt(display, this.clock.at + 1e-12).f + 1 : display.findLastIndex((d) => d < this.clock.at - 1e-12);
    this.seek(display[Math.min(Math.max(f, 0), display.length - 1)]);
  }

  stepSegment(direction) {
    this.clock.pause();
    const { starts } = this;
    const at = this.clock.at;
    const next = direction > 0 ? starts.find((s) => s > at + 1e-9) : starts.findLast((s) => s < at - 1e-9);
    this.seek(next ?? (direction > 0 ? 1 : 0));
  }

  perform(name, argument, value) {
    const { clock } = this;
    const shift = (by) => {
      clock.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(clock.speed) + by))];
      this.controls.showSpeed(clock.speed);
    };
    const actions = {
      toggle: () => (clock.playing ? clock.pause() : clock.play()),
      frameBack: () => this.step(-1),
      frameForward: () => this.step(1),
      segmentBack: () => this.stepSegment(-1),
      segmentForward: () => this.stepSegment(1),
      home: () => this.seek(0),
      end: () => this.seek(1),
      loop: () => this.controls.loop.setAttribute("aria-pressed", String((clock.loop = !clock.loop))),
      speed: () => (clock.speed = argument),
      slower: () => shift(-1),
      faster: () => shift(1),
      show: () => this.show(argument, value ?? !this.shown.has(argument)),
      measure: () => this.toggleMeasure(argument),
      projector: () => this.setProjector(!this.projector),
      full: () => (document.fullscreenElement ? document.exitFullscreen() : this.root.requestFullscreen()),
      link: () => this.copyLink(),
    };
    actions[name]();
    this.stale = true;
    this.wordsDue = true;
  }

  show(layer, on) {
    if (on) this.shown.add(layer);
    else this.shown.delete(layer);
    this.controls.showLayers(this.shown);
  }

  toggleMeasure(m) {
    if (m >= this.run.measures.length) return;
    if (!this.hidden.delete(m)) this.hidden.add(m);
    this.retheme();
  }

  setProjector(on) {
    this.projector = on;
    this.controls.projector.setAttribute("aria-pressed", String(on));
    this.retheme();
    this.resized();
  }

  async copyLink() {
    const link = writeView(window.location.href, { at: this.clock.at, speed: this.clock.speed, eye: this.camera.get().eye, shown: this.shown });
    try {
      await navigator.clipboard.writeText(link);
      this.notice("Link copied: it opens on this moment, view and speed.", 2500);
    } catch {
      this.notice(link, 15000);
    }
  }

  notice(text, ms) {
    this.noticed?.remove();
    this.noticed = h("div", { class: "mtm-notice", role: "status" }, text);
    this.root.append(this.noticed);
    const mine = this.noticed;
    setTimeout(() => mine.remove(), ms);
  }

  dispose() {
    cancelAnimationFrame(this.request);
    this.watcher?.disconnect();
    this.layer?.dispose();
    this.plotly.purge(this.plot);
  }
}

const ACTIONS = [
  "toggle", "frameBack", "frameForward", "segmentBack", "segmentForward", "loop", "speed", "show", "projector", "full", "link",
];
