// What is said beside the picture: the phase, the running segment's sentence, the numbers so far, an atom's tip.

import { h } from "./dom.js";
import { degrees, phaseTitle, scientific, short } from "./format.js";
import { STEP } from "./payload.js";
import { segmentSentence } from "./segment.js";

export class Words {
  constructor(matrices) {
    this.matrices = matrices;
    this.phase = h("div", { class: "mtm-phase" });
    this.does = h("div", { class: "mtm-does" });
    this.caption = h("div", { class: "mtm-caption" }, this.phase, this.does);
    this.numbers = h("dl", { class: "mtm-numbers mtm-card" });
    // Read aloud once a phase: a screen reader is not to be flooded by 600 gates.
    this.said = h("div", { class: "mtm-said", "aria-live": "polite" });
  }

  setRun(run) {
    this.run = run;
    this.phase.textContent = "";
  }

  show({ segment, theta, read, movers, theme }) {
    const { run } = this;
    const phase = run.phases.find((p) => segment <= p.last);
    if (this.phase.textContent !== phaseTitle(phase.name)) {
      this.phase.textContent = phaseTitle(phase.name);
      this.does.textContent = phase.says;
      this.said.textContent = `${phaseTitle(phase.name)}. ${phase.says}`;
    }
    this.matrices.show(theta, segment, segmentSentence(read, movers, run.names), theme);
    this.showNumbers(segment);
  }

  showNumbers(segment) {
    const { sup_norm, switches, paper_bound } = this.run.numbers;
    const rows = [
      [`${segment} / ${switches}`, "switches so far", "Boundaries between segments passed, of all"],
      paper_bound ? [`≤ ${short(paper_bound)}`, "paper's bound", "Switches the paper's construction may use"] : null,
      sup_norm ? [sup_norm < 1e4 ? short(sup_norm) : scientific(sup_norm), "sup norm", "Largest spectral norm of V and W, total time 1"] : null,
    ].filter(Boolean);
    this.numbers.replaceChildren(...rows.map(([value, name, title]) => h("div", { title }, h("dt", {}, name), h("dd", {}, value))));
  }
}

// Title and lines for the atom under the pointer.
export function aboutAtom(run, { measure, atom }, f) {
  const { name, trajectory, count, weights } = run.measures[measure];
  const d = run.dimension;
  const x = Array.from({ length: d }, (_, k) => trajectory[(f * count + atom) * d + k] / STEP);
  const lines = [`(${x.map((v) => v.toFixed(3).replace("-", "−")).join(", ")})`, `weight ${short(weights[atom])}`];
  if (d === 3) {
    const longitude = degrees(Math.atan2(x[1], x[0])).replace("-", "−");
    const latitude = degrees(Math.asin(Math.max(-1, Math.min(1, x[2])))).replace("-", "−");
    lines.splice(1, 0, `longitude ${longitude}, latitude ${latitude}`);
  }
  return [`${name}, atom ${atom + 1} of ${count}`, ...lines];
}
