// The bar of tools and the sliders of the one in hand.

import { DEG } from "./sphere.js";
import { RADIUS } from "./desk.js";
import { TOOLS } from "./tools.js";

// Strokes on a 24 x 24 grid.
const ICONS = {
  hand: "M12 3a9 9 0 1 0 9 9M21 5v5h-5M3.5 9h12M8 3.8c-2.4 5-2.4 11.4 0 16.4",
  brush: "M14 4l6 6-8.5 8.500a3 3 0 0 1-2 .9L4 20l.6-5.500a3 3 0 0 1 .9-2zM12 6l6 6",
  point: "M12 8.500a3.5 3.5 0 1 0 0 7 3.5 3.5 0 1 0 0-7zM12 2.500v3M12 18.500v3M2.5 12h3M18.5 12h3",
  eraser: "M8.5 19.500L3.5 14.5 13.5 4.500l7 7-8 8zM8.5 9.500l7 7M7 19.500h13.5",
  line: "M3 17c3.5-9 6.5 5 9.5-3s5-7 8.5-6",
  arc: "M4 18C5 9 11 5 20 6M4 18.010v-.020M20 6.010v-.02",
  outline: "M12 4c5 0 8.5 3 8 7.500S16 20 11 19.5 3 16 4 11 7 4 12 4zM9 10v.010M13 9v.010M16 12v.010M8 14v.010M12 13v.010M14.5 15.500v.010M11 16.500v.01",
  select: "M4 4h4M4 4v4M20 4h-4M20 4v4M4 20h4M4 20v-4M20 20h-4M20 20v-4M12 8v8M8 12h8",
  undo: "M9 6L4 11l5 5M4 11h9a6 6 0 0 1 6 6v1",
  redo: "M15 6l5 5-5 5M20 11h-9a6 6 0 0 0-6 6v1",
  mirror: "M12 3v18M9 7L4 17h5zM15 7l5 10h-5z",
  left: "M5 5v5h5M5.5 10a7.5 7.5 0 1 1-1 4",
  right: "M19 5v5h-5M18.5 10a7.5 7.5 0 1 0 1 4",
  lighter: "M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5zM4 12h2M18 12h2",
  heavier: "M12 5a7 7 0 1 0 0 14 7 7 0 1 0 0-14zM12 9v6M9 12h6",
  smaller: "M4 4l6 6M10 5v5H5M20 20l-6-6M14 19v-5h5",
  larger: "M10 10L4 4M4 9V4h5M14 14l6 6M20 15v5h-5",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 10.500v6M13.5 10.500v6",
  face: "M12 8.500a3.5 3.5 0 1 0 0 7 3.5 3.5 0 1 0 0-7zM3 8V3h5M21 8V3h-5M3 16v5h5M21 16v5h-5",
  help: "M9 9a3 3 0 1 1 4.5 2.600c-1 .6-1.5 1.2-1.5 2.400M12 17.500v.010M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18z",
};

const SLIDERS = {
  radius: { label: "Radius", unit: "°", min: RADIUS[0] / DEG, max: RADIUS[1] / DEG, step: 1, read: (s) => s.radius / DEG, write: (s, x) => (s.radius = x * DEG) },
  density: { label: "Density", title: "Atoms in 100 square degrees", min: 0.2, max: 12, step: 0.1, read: (s) => s.density, write: (s, x) => (s.density = x) },
  spacing: { label: "Atoms per 10°", min: 0.5, max: 12, step: 0.5, read: (s) => s.spacing, write: (s, x) => (s.spacing = x) },
  jitter: { label: "Jitter", title: "0: on the line you draw; 100: anywhere under the brush", unit: "%", min: 0, max: 100, step: 5, read: (s) => 100 * s.jitter, write: (s, x) => (s.jitter = x / 100) },
  weight: { label: "Weight", title: "Of each atom drawn from now on, beside 1", min: 0.1, max: 5, step: 0.1, read: (s) => s.weight, write: (s, x) => (s.weight = x) },
};

export const HELP = [
  ["Arrows", "turn the sphere (Shift: finely)"], ["Enter", "use the tool at the middle"], ["Shift+Enter", "finish a line or an outline"],
  ["[ ]", "brush radius"], ["B P E L A O S H", "brush, points, eraser, line, arc, outline, select, hand"], ["Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["Ctrl+A", "select all"], ["Alt+Arrows", "move the selection"], ["+ −", "scale it"], [", .", "turn it"], ["M", "mirror it"], ["< >", "make it lighter, heavier"], ["Delete", "remove it"], ["Esc", "let go"],
];

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

export class Bar {
  // `act(name, value)`: a tool is chosen or a command given; `set()`: a slider moved.
  constructor(desk, act, set) {
    Object.assign(this, { desk, act, set });
    this.tools = {};
    const tools = Object.entries(TOOLS).map(([name, tool]) => {
      this.tools[name] = button(name, `${tool.label} (${tool.key.toUpperCase()})`, () => act("tool", name));
      this.tools[name].setAttribute("data-tool", name);
      return this.tools[name];
    });
    this.undo = button("undo", "Undo (Ctrl+Z)", () => act("undo"));
    this.redo = button("redo", "Redo (Ctrl+Y)", () => act("redo"));
    this.helpList = h("div", { class: "b-help", hidden: true }, ...HELP.map(([keys, what]) => h("div", {}, h("kbd", {}, keys), h("span", {}, what))));
    const help = button("help", "Keys", () => this.toggleHelp());
    help.setAttribute("aria-expanded", "false");
    this.help = help;
    this.bar = h(
      "div", { class: "b-bar", role: "toolbar", "aria-label": "Drawing tools" },
      h("div", { class: "b-group", role: "radiogroup", "aria-label": "Tool" }, ...tools),
      h("div", { class: "b-group" }, this.undo, this.redo, button("face", "Look at the atoms (F)", () => act("face")), help),
    );
    this.options = h("div", { class: "b-options" });
    this.hint = h("p", { class: "b-hint" });
  }

  toggleHelp() {
    this.helpList.hidden = !this.helpList.hidden;
    this.help.setAttribute("aria-expanded", String(!this.helpList.hidden));
  }

  refresh() {
    const { desk } = this;
    for (const [name, element] of Object.entries(this.tools)) {
      element.setAttribute("role", "radio");
      element.setAttribute("aria-checked", String(name === desk.tool));
    }
    this.undo.disabled = !desk.history.canUndo;
    this.redo.disabled = !desk.history.canRedo;
    if (this.shownFor !== desk.tool) this.buildOptions();
    for (const { input, output, slider } of this.sliders) {
      input.value = slider.read(desk.settings);
      output.textContent = shown(slider, desk.settings);
    }
    this.hint.textContent = TOOLS[desk.tool].hint;
  }

  buildOptions() {
    const { desk } = this;
    this.shownFor = desk.tool;
    this.sliders = [];
    this.options.replaceChildren(
      ...TOOLS[desk.tool].options.map((name) => {
        if (name === "scatter") return this.check("Scatter", "scatter", "Set atoms beside the line, by the brush's radius and jitter");
        if (name === "change") return this.changer();
        return this.slider(SLIDERS[name]);
      }),
      // Only where there is a pen: nobody else has use for it.
      ...(desk.penSeen && TOOLS[desk.tool].options.includes("weight") ? [this.check("Pen pressure", "pressure", "A pen that presses harder sets heavier atoms")] : []),
    );
  }

  slider(slider) {
    const output = h("output", {});
    const input = h("input", {
      type: "range", min: slider.min, max: slider.max, step: slider.step, "aria-label": slider.label,
      oninput: () => {
        slider.write(this.desk.settings, Number(input.value));
        output.textContent = shown(slider, this.desk.settings);
        this.set();
      },
    });
    this.sliders.push({ input, output, slider });
    return h("label", { title: slider.title ?? null }, h("span", {}, slider.label, " ", output), input);
  }

  check(label, name, title) {
    const input = h("input", { type: "checkbox", onchange: () => (this.desk.settings[name] = input.checked) });
    input.checked = this.desk.settings[name];
    return h("label", { class: "b-check", title }, input, h("span", {}, label));
  }

  changer() {
    const { act } = this;
    return h(
      "div", { class: "b-group" },
      button("lighter", "Lighter (<)", () => act("weigh", 0.8)),
      button("heavier", "Heavier (>)", () => act("weigh", 1.25)),
      button("smaller", "Smaller (−)", () => act("scale", 1 / 1.1)),
      button("larger", "Larger (+)", () => act("scale", 1.1)),
      button("left", "Turn by 15° to the left (,)", () => act("rotate", 15)),
      button("right", "Turn by 15° to the right (.)", () => act("rotate", -15)),
      button("mirror", "Mirror left and right (M)", () => act("mirror")),
      button("remove", "Remove the selection (Delete)", () => act("remove")),
    );
  }
}

function shown(slider, settings) {
  const value = slider.read(settings);
  return `${Number(value.toFixed(slider.step < 1 ? 1 : 0))}${slider.unit ?? ""}`;
}

function button(name, label, onclick) {
  return h("button", { type: "button", class: "b-button", title: label, "aria-label": label, onclick }, icon(name));
}
