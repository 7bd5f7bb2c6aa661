// One player: its elements, its state, and a new picture whenever time, camera or state changes.

import { ACTIONS } from "./actions.js";
import { Clock, filmSeconds, placeAt } from "./clock.js";
import { Controls, LAYERS } from "./controls.js";
import { Curves } from "./curves.js";
import { h } from "./dom.js";
import { layerTime } from "./format.js";
import { listen } from "./keys.js";
import { Legend } from "./legend.js";
import { readView, writeView } from "./link.js";
import { Matrices } from "./matrices.js";
import { firstThree, moversOf, pointsOf, positionsAt } from "./motion.js";
import { thetaAt } from "./payload.js";
import { Scene } from "./scene.js";
import { readSegment } from "./segment.js";
import { Stage } from "./stage.js";
import { applyTheme, sameTheme, themeFor } from "./theme.js";
import { Timeline, segmentStarts } from "./timeline.js";
import { views } from "./views.js";
import { Words, aboutAtom } from "./words.js";

const WORDS_EVERY = 250; // ms between changes of the words while playing: faster cannot be read

export class Player {
  // inherit: what an earlier player in this place left (see `keepsake`), so that nothing jumps when it is rebuilt.
  constructor(root, { style, plotly, hide = [], autoplay = true, inherit = null }) {
    Object.assign(this, { root, style, hide, autoplay, inherit });
    root.player = this; // for tests and the console
    this.hidden = new Set();
    this.shown = new Set(["targets", "glyphs"]);
    this.projector = false;
    this.clock = new Clock(1);
    this.scene = new Scene(style);
    this.build();
    this.ready = this.stage.start(plotly, style.sizes.eye).then(() => this.begin());
  }

  build() {
    const { root } = this;
    root.classList.add("mtm-player");
    root.tabIndex = 0;
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "Animation of measures on the sphere");
    this.controls = new Controls((name, ...args) => this.perform(name, ...args));
    this.timeline = new Timeline({ onSeek: (at) => this.seek(at), onHold: (held) => (this.held = held) });
    this.curves = new Curves({ onSeek: (at) => this.seek(at) });
    this.matrices = new Matrices();
    this.words = new Words(this.matrices);
    this.legend = new Legend({ onToggle: (m) => this.perform("measure", m) });
    this.stage = new Stage({
      ask: () => this.picture(),
      describe: (pick) => aboutAtom(this.run, pick, this.f, this.positions),
      onLook: () => {},
    });
    this.corner = h("div", { class: "mtm-corner" });
    this.stage.root.prepend(this.words.caption);
    this.stage.root.append(this.legend.root, this.corner);
    this.side = h("aside", { class: "mtm-side" }, this.curves.root, this.matrices.root, this.words.numbers);
    const main = h("div", { class: "mtm-main" }, this.stage.root, this.side);
    root.replaceChildren(main, this.timeline.root, this.controls.root, this.words.said);
    this.controls.showLayers(this.shown);
    listen(root, (name, ...args) => this.perform(name, ...args));
  }

  begin() {
    if (this.disposed) return; // the page went elsewhere while Plotly made its plot
    this.watcher = new ResizeObserver(() => this.resized());
    this.watcher.observe(this.stage.frame);
    // Scrolled away, it rests: time goes on, nothing is drawn.
    this.sight = new IntersectionObserver(([entry]) => (this.offscreen = !entry.isIntersecting));
    this.sight.observe(this.root);
    const tick = (now) => {
      const passed = (now - (this.before ?? now)) / 1000;
      this.before = now;
      if (!this.held && !this.follows) this.clock.advance(passed);
      const changed = this.stale || this.clock.at !== this.drawnAt || this.clock.playing !== this.drawnPlaying;
      if (changed && !this.offscreen) this.render(now);
      this.request = requestAnimationFrame(tick);
    };
    this.request = requestAnimationFrame(tick);
  }

  // A new run keeps camera, time, layers and hidden measures: only what is shown changes.
  async setRun(run) {
    await this.ready;
    if (this.disposed) return;
    const first = !this.run;
    Object.assign(this, { run, segment: -1, themed: false });
    this.starts = segmentStarts(run);
    this.positions = run.measures.map((m) => new Float32Array(3 * m.count));
    this.project(run.dimension === 3 ? null : firstThree(run.dimension));
    this.clock.seconds = this.follows ? Math.max(this.clock.seconds, this.seconds) : this.seconds;
    for (const part of [this.timeline, this.curves, this.matrices, this.words]) part.setRun(run);
    this.controls.offer("transport", run.measures.some((m) => m.plan), "needs as many targets as atoms, all of one weight");
    this.offerViews();
    if (first && this.inherit) this.takeOver(this.inherit);
    else if (first && !this.follows) this.openLink();
    this.hideParts([...this.hide, ...(run.hides ?? [])]);
    this.retheme();
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (first && this.autoplay && !calm && !this.follows && !this.inherit) this.clock.play();
    this.root.dataset.ready = "true";
  }

  get keepsake() {
    if (!this.run) return null;
    const { at, speed, loop, playing } = this.clock;
    return { clock: { at, speed, loop, playing }, camera: this.stage.camera.get(), shown: this.shown, projector: this.projector };
  }

  takeOver({ clock, camera, shown, projector }) {
    if (!this.follows) Object.assign(this.clock, clock);
    Object.assign(this, { shown: new Set(shown), projector });
    this.stage.camera.set(camera);
    this.controls.showLayers(this.shown);
    this.controls.showSpeed(this.clock.speed);
    this.controls.showLoop(this.clock.loop);
    this.controls.showProjector(projector);
  }

  get seconds() {
    return filmSeconds(this.run.segments, this.style.sizes);
  }

  // The 3 x d rows through which points are seen; null in dimension 3.
  project(rows) {
    const { run } = this;
    this.projection = rows;
    this.targets = run.measures.map((m) => pointsOf(m.target, run.dimension, rows));
    this.firsts = run.measures.map((m) => pointsOf(m.trajectory.subarray(0, m.count * run.dimension), run.dimension, rows));
    this.stale = true;
  }

  offerViews() {
    const choices = views(this.run);
    this.corner.replaceChildren();
    if (!choices.length) return;
    const choose = (event) => this.project(choices[event.target.selectedIndex].rows());
    const options = choices.map(({ name }) => h("option", {}, name));
    this.corner.append(
      h("label", {}, `S${"⁰¹²³⁴⁵⁶⁷⁸⁹"[this.run.dimension - 1] ?? ""} seen through `, h("select", { class: "mtm-speed", onchange: choose }, ...options)),
    );
  }

  openLink() {
    const view = readView(window.location.search, LAYERS.map(([name]) => name), this.run);
    if (view.at !== undefined) {
      this.clock.seek(view.at);
      this.autoplay = false;
    }
    if (view.speed) this.clock.speed = view.speed;
    if (view.eye) this.stage.camera.set({ eye: view.eye });
    if (view.show) this.shown = new Set(view.show);
    this.controls.showLayers(this.shown);
    this.controls.showSpeed(this.clock.speed);
    this.hide = [...this.hide, ...view.hide];
    if (view.problems.length) this.notice(view.problems.join(" "), 9000);
  }

  hideParts(names) {
    const parts = {
      timeline: this.timeline.root,
      matrices: this.matrices.root,
      curves: this.curves.root,
      controls: this.controls.root,
      legend: this.legend.root,
      caption: this.words.caption,
      numbers: this.words.numbers,
    };
    for (const [name, part] of Object.entries(parts)) part.hidden = names.includes(name);
    this.side.hidden = ["matrices", "curves", "numbers"].every((name) => parts[name].hidden);
  }

  // Theme or size of type changed: what is drawn once is drawn again; the camera is not touched.
  retheme() {
    const theme = themeFor(this.style, this.root, this.projector);
    // The same object while nothing changed: caches compare by identity.
    if (this.run && sameTheme(theme, this.theme) && this.themed) return;
    this.theme = theme;
    this.themed = Boolean(this.run);
    applyTheme(this.root, theme);
    this.root.classList.toggle("mtm-projector", this.projector);
    if (this.run) this.redrawParts();
  }

  redrawParts() {
    this.legend.setRun(this.run, this.theme, this.hidden);
    this.timeline.draw(this.theme);
    this.curves.draw(this.theme, this.hidden);
    this.segment = -1;
    this.stale = true;
  }

  resized() {
    if (!this.stage.resize() || !this.run) return;
    this.timeline.draw(this.theme);
    this.curves.draw(this.theme, this.hidden);
    this.stale = true;
  }

  colorOf = (m) => this.theme.measures[m % this.theme.measures.length];

  see = (x) => (this.projection ? this.projection.map((row) => row.reduce((sum, r, k) => sum + r * x[k], 0)) : x);

  render(now) {
    const { run, clock } = this;
    if (!run) return;
    const { f, part } = placeAt(run.display, clock.at);
    this.f = f;
    run.measures.forEach((measure, m) => positionsAt(run, measure, f, part, this.projection, this.positions[m]));
    this.moment = now;
    if (run.owner[f] !== this.segment) this.enter(run.owner[f]);
    this.move(f, part, now);
    Object.assign(this, { drawnAt: clock.at, drawnPlaying: clock.playing });
    this.stage.draw();
    this.pictures = (this.pictures || 0) + 1;
    this.stale = this.wordsDue;
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
    this.timeline.move(clock.at, `layer time ${layerTime(t)}, segment ${this.segment + 1} of ${run.segments}`, !clock.playing);
    this.curves.move(clock.at, f, part);
    this.legend.show(f, part);
    this.controls.showPlaying(clock.playing);
    this.controls.showTime(layerTime(t));
    if (clock.at >= 1 !== this.over) Object.assign(this, { over: clock.at >= 1, wordsDue: true });
    if (this.wordsDue && (!clock.playing || now - (this.lastWords || 0) > WORDS_EVERY)) {
      Object.assign(this, { lastWords: now, wordsDue: false });
      this.words.show(this);
    }
  }

  picture() {
    if (!this.run || this.segment < 0) return null;
    const { run, theme, positions, targets, hidden, shown, colorOf, see, projection, moment, read, movers, theta, segment } = this;
    const moving = { at: this.clock.at, starts: this.firsts };
    return this.scene.picture({
      ...moving, run, theme, positions, targets, hidden, shown, colorOf, see, projection, moment, read, movers, theta, segment,
    });
  }

  seek(at) {
    this.clock.seek(at);
    this.stale = true;
    this.wordsDue = true;
  }

  perform(name, argument, value) {
    if (!this.run) return;
    ACTIONS[name](this, argument, value);
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
    this.redrawParts();
  }

  setProjector(on) {
    this.projector = on;
    this.controls.showProjector(on);
    this.retheme();
    this.resized();
  }

  async copyLink() {
    const { eye } = this.stage.camera.get();
    const link = writeView(window.location.href, { at: this.clock.at, speed: this.clock.speed, eye, shown: this.shown });
    try {
      await navigator.clipboard.writeText(link);
      this.notice("Link copied: it opens on this moment, view and speed.", 2500);
    } catch {
      this.notice(link, 15000);
    }
  }

  notice(text, ms) {
    this.noticed?.remove();
    const notice = h("div", { class: "mtm-notice", role: "status" }, text);
    this.noticed = notice;
    this.root.append(notice);
    setTimeout(() => notice.remove(), ms);
  }

  dispose() {
    this.disposed = true;
    cancelAnimationFrame(this.request);
    this.watcher?.disconnect();
    this.sight?.disconnect();
    this.stage.dispose();
  }
}
