// The drawing desk: atoms, history, selection, the view and the tool in hand. It knows no DOM; canvas.js shows it.

import { History, added, kept, moved, randomFrom, weighted } from "./atoms.js";
import { DEG, angle, at, dot, frame, lonLat, middle, mix, pick, project, scaledAbout, turn } from "./sphere.js";
import { TOOLS } from "./tools.js";

export const RADIUS = [1 * DEG, 60 * DEG];

export class Desk {
  // `onChange(what)` is called once a finished stroke; `onSay(sentence)` when something should be read out.
  constructor({ atoms, most, onChange, onSay }) {
    this.history = new History(atoms);
    this.most = most;
    this.onChange = onChange;
    this.onSay = onSay;
    this.lon = 0.35;
    this.lat = 0.3;
    this.tool = "brush";
    this.settings = { radius: 10 * DEG, density: 2.5, jitter: 1, spacing: 4, scatter: false, weight: 1, pressure: true };
    this.selected = new Set();
    this.random = randomFrom(20241104);
    this.pressure = 1;
    this.clear();
  }

  clear() {
    this.path = [];
    this.stroke = [];
    this.strokeWeights = [];
    this.rubbed = new Set();
    this.map = null;
    this.hold = null;
    this.carry = 0;
    this.busy = false;
  }

  get atoms() {
    return this.history.atoms;
  }

  get view() {
    return frame(this.lon, this.lat);
  }

  get room() {
    return Math.max(0, this.most - this.atoms.points.length - this.stroke.length);
  }

  // --- the view ---

  turnBy(right, up) {
    this.lon -= right;
    this.lat = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.lat - up));
  }

  face(points) {
    if (!points.length) return;
    const [lon, lat] = lonLat(middle(points));
    this.lon = lon - 0.25;
    this.lat = Math.max(-1.2, Math.min(1.2, lat + 0.2));
  }

  pick(x, y) {
    return pick(this.view, x, y);
  }

  get centre() {
    return this.view.toward;
  }

  // --- a stroke ---

  begin(path) {
    this.clear();
    this.path = path;
    this.busy = true;
  }

  sketch(points) {
    const room = this.room;
    if (points.length > room) this.say(`there is room for ${this.most.toLocaleString()} atoms`);
    for (const p of points.slice(0, room)) {
      this.stroke.push(p);
      this.strokeWeights.push(this.settings.weight * (this.settings.pressure ? this.pressure : 1));
    }
  }

  rub(p) {
    this.atoms.points.forEach((q, k) => {
      if (angle(p, q) <= this.settings.radius) this.rubbed.add(k);
    });
  }

  preview(map) {
    this.map = map;
  }

  // Points as they look now, in the middle of a stroke.
  shown() {
    const { points } = this.atoms;
    return this.map ? points.map((p, k) => (this.selected.has(k) ? this.map(p) : p)) : points;
  }

  commit() {
    const { stroke, strokeWeights, rubbed, map } = this;
    this.clear();
    if (map) this.take(moved(this.atoms, this.selected, map), `${this.selected.size} atoms moved`, true);
    else if (rubbed.size) this.take(kept(this.atoms, (k) => !rubbed.has(k)), `${rubbed.size} atoms erased`);
    else if (stroke.length) this.take(added(this.atoms, stroke, strokeWeights), `${stroke.length} atoms added`);
  }

  cancel() {
    this.clear();
    this.selected.clear();
  }

  take(atoms, what, keepSelection = false) {
    if (!keepSelection) this.selected.clear();
    this.history.push(atoms);
    this.say(`${what}, ${atoms.points.length} in all`);
    this.onChange(what);
  }

  // Atoms that came from outside (a file, a resampling): a step that can be undone, but nothing to report.
  adopt(atoms, anew) {
    this.clear();
    this.selected.clear();
    if (anew) this.history = new History(atoms);
    else this.history.push(atoms);
  }

  undo() {
    this.step(() => this.history.undo(), this.history.canUndo, "undone");
  }

  redo() {
    this.step(() => this.history.redo(), this.history.canRedo, "redone");
  }

  step(go, can, what) {
    if (!can) return this.say(`nothing to be ${what}`);
    this.clear();
    this.selected.clear();
    go();
    this.say(`${what}, ${this.atoms.points.length} atoms`);
    this.onChange(what);
  }

  // --- the selection ---

  select(holds, more) {
    const before = more ? this.selected : new Set();
    const found = this.atoms.points.map((p, k) => (holds(p) ? k : -1)).filter((k) => k >= 0);
    this.clear();
    this.selected = new Set([...before, ...found]);
    this.say(`${this.selected.size} atoms selected`);
  }

  selectAll() {
    this.select(() => true, false);
  }

  isSelectedNear(p) {
    const near = Math.max(4 * DEG, this.settings.radius / 2);
    return [...this.selected].some((k) => angle(this.atoms.points[k], p) < near);
  }

  selectionMiddle() {
    const chosen = [...this.selected].map((k) => this.atoms.points[k]);
    return middle(chosen.length ? chosen : this.atoms.points);
  }

  // Where the two grips of the selection lie: a square to scale by, a dot to turn by.
  grips() {
    if (this.tool !== "select" || this.selected.size < 2 || this.busy) return null;
    const centre = this.selectionMiddle();
    const far = Math.max(6 * DEG, ...[...this.selected].map((k) => angle(centre, this.atoms.points[k])));
    const r = Math.min(far + 5 * DEG, 80 * DEG);
    return { centre, radius: r, scale: at(centre, r, -Math.PI / 4), turn: at(centre, r, Math.PI / 2) };
  }

  gripAt({ disc }) {
    const grips = this.grips();
    if (!grips || !disc) return null;
    for (const name of ["scale", "turn"]) {
      const [x, y, z] = project(this.view, grips[name]);
      if (z > 0 && Math.hypot(x - disc[0], y - disc[1]) < 0.06) return name;
    }
    return null;
  }

  // --- whole changes: of the selection, or of everything where nothing is selected ---

  change(map, what) {
    if (!this.atoms.points.length) return this.say("there are no atoms yet");
    this.take(moved(this.atoms, this.selected.size ? this.selected : null, map), what, true);
  }

  mirror() {
    const normal = this.view.right;
    const c = this.selectionMiddle();
    // The mirror stands upright through the selection's middle, as seen.
    const n = unitOr(mix(normal, 1, c, -dot(normal, c)), normal);
    this.change((p) => mix(p, 1, n, -2 * dot(n, p)), "mirrored");
  }

  rotate(degrees) {
    const c = this.selectionMiddle();
    this.change((p) => turn(p, c, degrees * DEG), `turned by ${Math.abs(degrees)} degrees`);
  }

  scale(s) {
    this.change(scaledAbout(this.selectionMiddle(), s), s > 1 ? "scaled up" : "scaled down");
  }

  nudge(right, up) {
    const { right: e, up: f } = this.view;
    const about = unitOr(mix(f, right, e, -up), f);
    this.change((p) => turn(p, about, 2 * DEG), "moved");
  }

  weigh(factor) {
    if (!this.atoms.points.length) return this.say("there are no atoms yet");
    const which = this.selected.size ? this.selected : null;
    this.take(weighted(this.atoms, which, factor), factor > 1 ? "made heavier" : "made lighter", true);
  }

  remove() {
    const { selected } = this;
    if (!selected.size) return this.say("select atoms first, or all of them with Ctrl+A");
    this.take(kept(this.atoms, (k) => !selected.has(k)), `${selected.size} atoms removed`);
  }

  setRadius(radius) {
    this.settings.radius = Math.min(RADIUS[1], Math.max(RADIUS[0], radius));
    this.say(`radius ${Math.round(this.settings.radius / DEG)} degrees`);
  }

  setTool(name) {
    if (!TOOLS[name]) return;
    this.clear();
    this.tool = name;
    this.say(TOOLS[name].label);
  }

  say(sentence) {
    this.onSay(sentence);
  }
}

function unitOr(a, otherwise) {
  const length = Math.hypot(...a);
  return length < 1e-9 ? otherwise : a.map((x) => x / length);
}

// One sentence for those who do not see the canvas.
export function summary(atoms, name) {
  const n = atoms.points.length;
  if (!n) return `${name}: empty.`;
  const c = middle(atoms.points);
  const [lon, lat] = lonLat(c).map((x) => Math.round(x / DEG));
  const spread = Math.round(Math.sqrt(atoms.points.reduce((s, p) => s + angle(c, p) ** 2, 0) / n) / DEG);
  const heavy = Math.max(...atoms.weights) / Math.min(...atoms.weights);
  const weights = heavy < 1 + 1e-9 ? "of equal weight" : "of unequal weights";
  return `${name}: ${n} atom${n > 1 ? "s" : ""} ${weights} about longitude ${lon}, latitude ${lat} degrees, spread ${spread} degrees.`;
}
