// The canvas with its pointers: one draws, beside the sphere or with the right button it turns; two fingers turn too.

import { Desk, summary } from "./desk.js";
import { Bar, h } from "./bar.js";
import { commandFor } from "./keys.js";
import { Painter } from "./paint.js";
import { DEG, lonLat } from "./sphere.js";
import { applyLook, lookOf } from "./theme.js";
import { TOOLS } from "./tools.js";

export class Pad {
  // `report(desk, what)` is called once a finished stroke.
  constructor(root, { atoms, most, report }) {
    this.root = root;
    this.ghosts = [];
    this.desk = new Desk({ atoms, most, onChange: (what) => report(this.desk, what), onSay: (sentence) => (this.said.textContent = sentence) });
    this.said = h("p", { class: "b-said", "aria-live": "polite" });
    this.text = h("p", { class: "b-said", id: `b-${Math.random().toString(36).slice(2)}` });
    this.below = h("canvas", { "aria-hidden": "true" });
    this.above = h("canvas", { tabindex: "0", role: "application", "aria-describedby": this.text.id, "aria-roledescription": "drawing sphere" });
    this.place = h("span", { class: "b-place" });
    this.count = h("span", { class: "b-count" });
    this.stage = h("div", { class: "b-stage" }, this.below, this.above);
    this.bar = new Bar(this.desk, (name, value) => this.act(name, value), () => this.draw());
    this.root.append(this.bar.bar, this.bar.options, h("div", { class: "b-area" }, this.stage, this.bar.helpList), h("div", { class: "b-status" }, this.count, this.bar.hint, this.place), this.said, this.text);
    this.painter = new Painter(this.below, this.above);
    this.pointers = new Map();
    this.listen();
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.root);
    this.observer.observe(document.documentElement);
  }

  // --- what the page says ---

  show({ name, style, colour, hollow, ghosts }) {
    this.name = name;
    this.look = lookOf(style, this.root, colour, hollow);
    applyLook(this.root, this.look);
    this.ghosts = ghosts.map((ghost) => ({ ...ghost, colour: this.look.measures[ghost.colour % this.look.measures.length] }));
    this.fit();
    this.refresh();
  }

  fit() {
    // As large as the column and the window allow, with the bar, the sliders and the line beneath still in sight.
    const size = Math.max(260, Math.min(this.root.clientWidth, window.innerHeight - 255));
    this.painter.resize(size);
    this.stage.style.width = this.stage.style.height = `${size}px`;
    this.draw();
  }

  refresh() {
    const { desk } = this;
    this.bar.refresh();
    const n = desk.atoms.points.length;
    this.count.textContent = `${n.toLocaleString()} atom${n === 1 ? "" : "s"}${desk.selected.size ? `, ${desk.selected.size} selected` : ""}`;
    this.text.textContent = summary(desk.atoms, this.name);
    this.above.setAttribute("aria-label", `Draw ${this.name}`);
    this.above.style.cursor = desk.tool === "hand" ? "grab" : "crosshair";
    this.draw();
  }

  // At most once a frame, whatever the pointer's rate.
  draw(aboveOnly = false) {
    this.wantsBelow = this.wantsBelow || !aboveOnly;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (!this.look) return;
      if (this.wantsBelow) this.painter.drawBelow(this.desk, this.ghosts, this.look);
      this.wantsBelow = false;
      this.painter.drawAbove(this.desk, this.look, this.over, this.keyboard);
    });
  }

  // --- commands of the bar and the keys ---

  act(name, value) {
    const { desk } = this;
    const tool = TOOLS[desk.tool];
    const commands = {
      tool: () => desk.setTool(value), undo: () => desk.undo(), redo: () => desk.redo(), mirror: () => desk.mirror(),
      rotate: () => desk.rotate(value), remove: () => desk.remove(), all: () => desk.selectAll(), scale: () => desk.scale(value),
      weigh: () => desk.weigh(value), nudge: () => desk.nudge(...value), cancel: () => desk.cancel(), face: () => desk.face(desk.atoms.points),
      radius: () => desk.setRadius(desk.settings.radius * value),
      turn: () => {
        desk.turnBy(-value[0], -value[1]);
        const [lon, lat] = lonLat(desk.centre).map((x) => Math.round(x / DEG));
        this.place.textContent = `middle: ${lon}°, ${lat}°`;
      },
      enter: () => {
        desk.pressure = 1;
        tool.enter?.(desk, desk.centre);
      },
      finish: () => tool.finish?.(desk),
    };
    commands[name]?.();
    this.refresh();
  }

  // --- pointers ---

  listen() {
    const { above } = this;
    above.addEventListener("pointerdown", (event) => this.down(event));
    above.addEventListener("pointermove", (event) => this.move(event));
    above.addEventListener("pointerup", (event) => this.up(event));
    above.addEventListener("pointercancel", (event) => this.lost(event));
    above.addEventListener("pointerleave", () => {
      this.over = null;
      this.draw(true);
    });
    above.addEventListener("contextmenu", (event) => event.preventDefault());
    above.addEventListener("focus", () => this.focusBy(above.matches(":focus-visible")));
    above.addEventListener("blur", () => this.focusBy(false));
    above.addEventListener("keydown", (event) => {
      const command = commandFor(event);
      if (!command) return;
      event.preventDefault();
      event.stopPropagation();
      this.focusBy(true);
      this.act(...command);
    });
    // Two-finger scrolling on a touchpad or a wheel changes the brush, but only while the canvas has the focus.
    above.addEventListener("wheel", (event) => {
      if (this.root.getRootNode().activeElement !== above || !event.deltaY) return;
      event.preventDefault();
      this.act("radius", event.deltaY < 0 ? 1.08 : 1 / 1.08);
    }, { passive: false });
  }

  focusBy(keyboard) {
    this.keyboard = keyboard;
    this.above.classList.toggle("b-keyboard", keyboard);
    this.draw(true);
  }

  discOf(event) {
    const box = this.above.getBoundingClientRect();
    const scale = this.painter.size / box.width;
    return this.painter.toDisc((event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
  }

  down(event) {
    event.preventDefault();
    this.above.focus({ preventScroll: true });
    this.focusBy(false);
    if (event.pointerType === "pen" && !this.desk.penSeen) {
      this.desk.penSeen = true;
      this.bar.shownFor = null;
    }
    const disc = this.discOf(event);
    this.pointers.set(event.pointerId, disc);
    this.above.setPointerCapture(event.pointerId);
    const { desk } = this;
    if (this.pointers.size > 1) {
      desk.clear(); // a second finger: the first one's stroke was the beginning of a turn
      this.turning = true;
    } else {
      const p = desk.pick(...disc);
      this.turning = desk.tool === "hand" || event.button !== 0 || !p;
      if (!this.turning) {
        desk.pressure = pressureOf(event);
        TOOLS[desk.tool].down(desk, p, { shiftKey: event.shiftKey, disc });
      }
    }
    this.above.classList.toggle("b-turning", this.turning);
    this.draw();
  }

  move(event) {
    const { desk } = this;
    const disc = this.discOf(event);
    this.over = desk.pick(...disc);
    this.told();
    const before = this.pointers.get(event.pointerId);
    if (!before) return this.draw(true);
    if (this.turning) {
      const share = 1 / this.pointers.size;
      desk.turnBy(share * (disc[0] - before[0]), share * (disc[1] - before[1]));
      this.pointers.set(event.pointerId, disc);
      return this.draw();
    }
    // Every position between two frames counts, so that fast strokes stay smooth.
    for (const each of event.getCoalescedEvents?.() ?? [event]) this.draws(each);
    if (!event.getCoalescedEvents?.().length) this.draws(event);
    this.pointers.set(event.pointerId, disc);
    this.draw(desk.tool !== "eraser" && !["move", "scale", "turn"].includes(desk.hold));
  }

  draws(event) {
    const { desk } = this;
    const [x, y] = this.discOf(event);
    // Past the rim the stroke goes on along it.
    const far = Math.hypot(x, y);
    const p = desk.pick(...(far >= 1 ? [(0.9999 * x) / far, (0.9999 * y) / far] : [x, y]));
    desk.pressure = pressureOf(event);
    if (desk.busy) TOOLS[desk.tool].move(desk, p);
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (!this.turning && this.desk.busy) TOOLS[this.desk.tool].up(this.desk);
    if (!this.pointers.size) {
      this.turning = false;
      this.above.classList.remove("b-turning");
    }
    this.refresh();
  }

  lost(event) {
    this.pointers.delete(event.pointerId);
    this.desk.clear();
    this.turning = this.pointers.size > 0;
    this.refresh();
  }

  told() {
    if (!this.over) {
      this.place.textContent = "";
      return;
    }
    const [lon, lat] = lonLat(this.over).map((x) => Math.round(x / DEG));
    this.place.textContent = `${lon}°, ${lat}°`;
  }

  remove() {
    this.observer.disconnect();
    if (this.frame) cancelAnimationFrame(this.frame);
    this.root.replaceChildren();
  }
}

// A pen's pressure about its usual middle; a mouse and a finger have none worth keeping.
function pressureOf(event) {
  return event.pointerType === "pen" && event.pressure > 0 ? Math.max(0.1, 2 * event.pressure) : 1;
}
