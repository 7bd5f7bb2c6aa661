// The board of pairs. A click chooses a measure; a target dragged to another pair changes places with that pair's target;
// a handle dragged up or down reorders. Everything works by keyboard too.

const boards = new WeakMap();

export default function mount({ data, parentElement, setTriggerValue }) {
  let board = boards.get(parentElement);
  if (!board) {
    board = new Board(parentElement);
    boards.set(parentElement, board);
  }
  board.send = (said) => setTriggerValue("act", said);
  board.show(data);
  return () => {
    board.root.remove();
    boards.delete(parentElement);
  };
}

function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

function icon(d) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", d);
  svg.append(path);
  return svg;
}

const picture = (svg, alt) => h("img", { src: `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`, alt, draggable: "false" });

class Board {
  constructor(parent) {
    this.root = h("div", { class: "p-board", role: "list", "aria-label": "Pairs of measures" });
    this.said = h("p", { class: "p-said", "aria-live": "polite" });
    this.dragged = null;
    parent.append(this.root);
  }

  show({ rows, chosen }) {
    // A new drawing of the same rows would tear down what is being renamed or dragged.
    const text = JSON.stringify([rows, chosen]);
    if (text === this.shown) return;
    this.shown = text;
    const focus = this.root.getRootNode().activeElement?.getAttribute("data-focus");
    this.rows = rows;
    this.root.replaceChildren(...rows.map((row, k) => this.row(row, k, chosen)), this.said);
    if (focus) this.root.querySelector(`[data-focus="${focus}"]`)?.focus();
  }

  row(row, k, chosen) {
    const { uid, name } = row;
    const last = this.rows.length - 1;
    const element = h(
      "div",
      {
        class: "p-row", role: "listitem",
        ondragover: (event) => this.over(event, element, k),
        ondragleave: () => element.classList.remove("p-into", "p-before", "p-after"),
        ondrop: (event) => this.drop(event, element, row, k),
      },
      h(
        "button",
        {
          type: "button", class: "p-handle", draggable: "true", "data-focus": `handle-${uid}`,
          title: "Drag to reorder (arrow keys up and down)", "aria-label": `Move ${name}: arrow keys up and down`,
          ondragstart: (event) => this.start(event, { row: uid, from: k }),
          onkeydown: (event) => {
            const to = { ArrowUp: k - 1, ArrowDown: k + 1 }[event.key];
            if (to === undefined || to < 0 || to > last) return;
            event.preventDefault();
            this.send({ do: "move", uid, to });
          },
        },
        icon("M9 6v.01M15 6v.01M9 12v.01M15 12v.01M9 18v.01M15 18v.01"),
      ),
      this.tile(row, "input", k, chosen),
      h("button", { type: "button", class: "p-arrow", title: "Exchange input and target", "aria-label": `Exchange input and target of ${name}`, onclick: () => this.send({ do: "turn", uid }) }, "→"),
      this.tile(row, "target", k, chosen),
      this.label(row),
    );
    return element;
  }

  tile(row, side, k, chosen) {
    const { uid, name } = row;
    const on = chosen.uid === uid && chosen.side === side;
    const { svg, n, wrong } = row[side];
    return h(
      "button",
      {
        type: "button", class: "p-tile", "aria-pressed": String(on), draggable: side === "target" ? "true" : null, "data-focus": `${side}-${uid}`,
        "data-side": side,
        title: `${wrong ? wrong : `${n} atoms`}. Click to edit${side === "target" ? "; drag to another pair to send that one here (Alt+arrows)" : ""}`,
        "aria-label": `Edit the ${side} of ${name}, ${wrong ? "empty" : `${n} atoms`}`,
        onclick: () => this.send({ do: "choose", uid, side }),
        ondragstart: (event) => this.start(event, { target: uid }),
        onkeydown: (event) => {
          const next = this.rows[{ ArrowUp: k - 1, ArrowDown: k + 1 }[event.key]];
          if (!event.altKey || side !== "target" || !next) return;
          event.preventDefault();
          this.send({ do: "swap", uid, other: next.uid });
        },
      },
      svg ? picture(svg, "") : h("span", { class: "p-none" }, "+"),
    );
  }

  label(row) {
    const { uid, name } = row;
    const input = h("input", {
      class: "p-name", value: name, maxlength: "60", "aria-label": `Name of ${name}`, title: "Rename", "data-focus": `name-${uid}`,
      onchange: () => this.send({ do: "rename", uid, name: input.value }),
      onkeydown: (event) => event.key === "Enter" && input.blur(),
    });
    return h(
      "div", { class: "p-label" },
      h("div", { class: "p-title" }, picture(row.marker, row.symbol), input),
      h(
        "div", { class: "p-foot" },
        h("span", {}, row.input.n === row.target.n ? `${row.input.n} atoms` : `${row.input.n} → ${row.target.n}`),
        h("button", { type: "button", title: "Duplicate", "aria-label": `Duplicate ${name}`, onclick: () => this.send({ do: "copy", uid }) }, icon("M9 9h10v10H9zM15 9V5H5v10h4")),
        h("button", { type: "button", title: "Remove", "aria-label": `Remove ${name}`, disabled: this.rows.length < 2, onclick: () => this.send({ do: "remove", uid }) }, icon("M7 7l10 10M17 7L7 17")),
      ),
    );
  }

  start(event, what) {
    this.dragged = what;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", "measure");
  }

  over(event, element, k) {
    if (!this.dragged) return;
    event.preventDefault();
    if (this.dragged.target !== undefined) element.classList.add("p-into");
    else element.classList.add(k > this.dragged.from ? "p-after" : "p-before");
  }

  drop(event, element, row, k) {
    event.preventDefault();
    element.classList.remove("p-into", "p-before", "p-after");
    const what = this.dragged;
    this.dragged = null;
    if (!what) return;
    if (what.target !== undefined && what.target !== row.uid) this.send({ do: "swap", uid: what.target, other: row.uid });
    if (what.row !== undefined && what.row !== row.uid) this.send({ do: "move", uid: what.row, to: k });
  }
}
