// One row a measure: symbol, name, its W2 now. A click or a number key hides and shows it.

import { h, symbolIcon } from "./dom.js";
import { radians } from "./format.js";

export class Legend {
  constructor({ onToggle }) {
    this.onToggle = onToggle;
    this.root = h("div", { class: "mtm-legend", role: "group", "aria-label": "Measures" });
  }

  setRun(run, theme, hidden) {
    this.run = run;
    this.values = [];
    const rows = run.measures.map((measure, m) => {
      const value = h("span", { class: "mtm-legend-value" });
      this.values.push(value);
      const symbol = theme.symbols[m % theme.symbols.length];
      return h(
        "button",
        {
          type: "button",
          class: "mtm-legend-row",
          "aria-pressed": String(!hidden.has(m)),
          title: `Show or hide ${measure.name} (key ${m + 1})`,
          onclick: () => this.onToggle(m),
        },
        symbolIcon(symbol, theme.measures[m % theme.measures.length]),
        h("span", { class: "mtm-legend-name" }, measure.name),
        value,
      );
    });
    const hasTargets = run.measures.some((measure) => measure.target.length);
    const note = hasTargets ? h("div", { class: "mtm-legend-note" }, h("span", {}, "hollow: target"), h("span", {}, "W₂ rad")) : null;
    this.root.replaceChildren(...rows, ...(note ? [note] : []));
  }

  show(f, part) {
    const next = Math.min(f + 1, this.run.frames - 1);
    this.run.measures.forEach(({ w2 }, m) => {
      if (!w2) return;
      const said = radians(part > 0 ? w2[f] + part * (w2[next] - w2[f]) : w2[f]);
      if (this.values[m].textContent !== said) this.values[m].textContent = said;
    });
  }
}
