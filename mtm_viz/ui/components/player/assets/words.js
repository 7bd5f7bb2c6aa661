// What is said beside the picture: the phase, the running segment's sentence, the numbers so far, an atom's tip.

import { h } from "./dom.js";
import { degrees, phaseTitle, radians, scientific, short } from "./format.js";
import { STEP } from "./payload.js";
import { segmentSentence } from "./segment.js";

const ARRIVED = 1e-3;

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

  show({ segment, theta, read, movers, theme, over }) {
    const { run } = this;
    const phase = run.phases.find((p) => segment <= p.last);
    const [title, does] = over && run.measures.every((m) => m.w2) ? ending(run) : [phaseTitle(phase.name), phase.says];
    if (this.phase.textContent !== title) {
      this.phase.textContent = title;
      this.does.textContent = does;
      this.said.textContent = `${title}. ${does}`;
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

// What is said on the last frame: how far each measure is from its target, and by how many segments.
function ending(run) {
  const left = Math.max(...run.measures.map((m) => m.w2.at(-1)));
  const many = run.measures.length;
  const whole = `One schedule of ${run.segments} segment${run.segments === 1 ? "" : "s"}`;
  const which = ["the measure to its target", "both measures to their targets"][many - 1] ?? `all ${many} measures to their targets`;
  if (left < ARRIVED) return ["Arrived", `${whole} carried ${which}: W₂ at most ${radians(left)} rad.`];
  return ["The end", `${whole} leaves ${many === 1 ? "the measure" : "a measure"} ${radians(left)} rad from its target (W₂).`];
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
