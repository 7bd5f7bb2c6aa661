// V, B, W, U and b of the running segment as small heat maps on one diverging scale, with the numbers on hover.

import { h } from "./dom.js";
import { channels } from "./theme.js";
import { short } from "./format.js";

const NAMES = ["V", "B", "W", "U", "b"];
const MEANING = {
  V: "value matrix: what attention pulls with",
  B: "attention matrix: who listens to whom",
  W: "output weights of the perceptron: where it pushes",
  U: "input weights: the half-spaces of the gates",
  b: "bias: where the gates open",
};

export class Matrices {
  constructor() {
    this.said = h("p", { class: "mtm-sentence" });
    this.title = h("span", { class: "mtm-card-title" }, "Segment");
    this.grid = h("div", { class: "mtm-matrices" });
    this.root = h("div", { class: "mtm-card" }, h("div", { class: "mtm-card-head" }, this.title), this.said, this.grid);
  }

  setRun(run) {
    this.run = run;
    this.cells = {};
    const panes = NAMES.map((name) => {
      const [rows, columns] = shapeOf(name, run.dimension, run.width);
      const cells = Array.from({ length: rows * columns }, () => h("i", {}));
      this.cells[name] = cells;
      const map = h("div", { class: "mtm-heat", role: "img", style: `--rows:${rows};--columns:${columns}` }, ...cells);
      return h("figure", { class: "mtm-matrix", title: MEANING[name] }, map, h("figcaption", {}, name));
    });
    this.grid.style.setProperty("--all", 3 * run.dimension + run.width + 1);
    this.grid.replaceChildren(...panes);
  }

  show(theta, index, sentence, theme) {
    this.title.textContent = `Segment ${index + 1} of ${this.run.segments}`;
    this.said.textContent = sentence;
    for (const name of NAMES) {
      const values = name === "b" ? theta.b : theta[name].flat();
      const top = Math.max(...values.map(Math.abs));
      values.forEach((value, k) => {
        const cell = this.cells[name][k];
        cell.style.background = diverging(top > 0 ? value / top : 0, theme);
        cell.title = `${name}${place(name, k, theta)} = ${short(value)}`;
      });
      const map = this.cells[name][0].parentElement;
      map.setAttribute("aria-label", `${name}: ${values.map(short).join(", ")}`);
    }
  }
}

function shapeOf(name, d, p) {
  return { V: [d, d], B: [d, d], W: [d, p], U: [p, d], b: [p, 1] }[name];
}

function place(name, k, theta) {
  if (name === "b") return `[${k + 1}]`;
  const columns = theta[name][0].length;
  return `[${Math.floor(k / columns) + 1},${(k % columns) + 1}]`;
}

// -1 .. 1 to a colour between the two ends, through the neutral middle; the square root keeps small entries visible.
export function diverging(x, theme) {
  const s = Math.sqrt(Math.min(1, Math.abs(x)));
  const zero = channels(theme.zero);
  const end = channels(x >= 0 ? theme.positive : theme.negative);
  const mixed = zero.map((z, k) => Math.round(255 * (z + s * (end[k] - z))));
  return `rgb(${mixed.join(",")})`;
}
