// The row of buttons under the timeline. Every button says its key in its tooltip.

import { SPEEDS } from "./clock.js";
import { h, icon } from "./dom.js";

export const LAYERS = [
  ["targets", "Targets", "Hollow markers where each measure must arrive"],
  ["glyphs", "Segment", "The running segment: gate, drift, attention's pull"],
  ["trails", "Trails", "Where each atom has just been"],
  ["means", "Barycentres", "The mean of each measure, inside the ball"],
  ["field", "Vector field", "Velocity of the running segment, as sparse arrows"],
  ["density", "Density", "Each measure smoothed on the sphere"],
  ["transport", "Optimal transport", "The straight displacement from inputs to targets, for comparison"],
];

export class Controls {
  // perform(name, ...arguments) does what a button says.
  constructor(perform) {
    const act = (name) => () => perform(name);
    const button = (name, title, action, extra = {}) =>
      h("button", { type: "button", class: "mtm-button", title, "aria-label": title, onclick: action, ...extra }, icon(name));
    this.play = h("button", { type: "button", class: "mtm-button mtm-play", onclick: act("toggle") }, icon("play"));
    this.loop = button("loop", "Loop (L)", act("loop"), { "aria-pressed": "true" });
    this.projector = button("projector", "Projector mode: large type (P)", act("projector"), { "aria-pressed": "false" });
    this.full = button("full", "Fullscreen (F)", act("full"));
    this.link = button("link", "Copy a link to this view", act("link"));
    this.speed = h(
      "select",
      { class: "mtm-speed", "aria-label": "Speed", title: "Speed", onchange: (event) => perform("speed", Number(event.target.value)) },
      ...SPEEDS.map((s) => h("option", { value: String(s), selected: s === 1 }, `${s}×`)),
    );
    this.moment = h("b", {});
    this.time = h("output", { class: "mtm-time", "aria-live": "off" }, "layer time ", this.moment);
    this.boxes = new Map();
    const items = LAYERS.map(([name, label, title]) => {
      const box = h("input", { type: "checkbox", onchange: (event) => perform("show", name, event.target.checked) });
      this.boxes.set(name, box);
      return h("label", { title, "data-layer": name }, box, label);
    });
    this.menu = h(
      "details",
      { class: "mtm-menu" },
      h("summary", { class: "mtm-button", title: "What is shown", "aria-label": "What is shown" }, icon("layers"), h("span", {}, "Show")),
      h("div", { class: "mtm-menu-list" }, ...items),
    );
    this.menu.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !this.menu.contains(event.relatedTarget)) this.menu.open = false;
    });
    this.menu.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.menu.open = false;
    });
    this.root = h(
      "div",
      { class: "mtm-controls", role: "toolbar", "aria-label": "Playback" },
      button("segmentBack", "Previous segment (Shift + ←)", act("segmentBack")),
      button("frameBack", "Previous frame (←)", act("frameBack")),
      this.play,
      button("frameForward", "Next frame (→)", act("frameForward")),
      button("segmentForward", "Next segment (Shift + →)", act("segmentForward")),
      this.speed,
      this.loop,
      this.time,
      h("span", { class: "mtm-space" }),
      this.menu,
      this.link,
      this.projector,
      this.full,
    );
  }

  showPlaying(playing) {
    if (this.playing === playing) return;
    this.playing = playing;
    this.play.replaceChildren(icon(playing ? "pause" : "play"));
    this.play.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.play.title = `${playing ? "Pause" : "Play"} (Space)`;
  }

  showTime(said) {
    this.moment.textContent = said;
  }

  showLoop(on) {
    this.loop.setAttribute("aria-pressed", String(on));
  }

  showProjector(on) {
    this.projector.setAttribute("aria-pressed", String(on));
  }

  // A layer this run cannot show is greyed out, with the reason.
  offer(name, possible, reason) {
    const box = this.boxes.get(name);
    box.disabled = !possible;
    box.parentElement.classList.toggle("mtm-off", !possible);
    box.parentElement.title = possible ? LAYERS.find(([layer]) => layer === name)[2] : `Not for this run: ${reason}`;
  }

  showSpeed(speed) {
    this.speed.value = String(speed);
  }

  showLayers(shown) {
    for (const [name, box] of this.boxes) box.checked = shown.has(name);
  }
}
