// Keys while the canvas has the focus. Returns [command, value], or null for keys that are somebody else's.

import { DEG } from "./sphere.js";
import { TOOLS } from "./tools.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export function commandFor(event) {
  const { key } = event;
  const low = key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (low === "z") return event.shiftKey ? ["redo"] : ["undo"];
    if (low === "y") return ["redo"];
    if (low === "a") return ["all"];
    return null;
  }
  if (ARROWS[key]) {
    const [x, y] = ARROWS[key];
    if (event.altKey) return ["nudge", [x, y]];
    const step = (event.shiftKey ? 1 : 8) * DEG;
    return ["turn", [x * step, y * step]];
  }
  if (event.altKey) return null;
  if (key === "Enter") return event.shiftKey ? ["finish"] : ["enter"];
  const commands = {
    "[": ["radius", 1 / 1.2], "]": ["radius", 1.2], "+": ["scale", 1.1], "=": ["scale", 1.1], "-": ["scale", 1 / 1.1],
    ",": ["rotate", 15], ".": ["rotate", -15], "<": ["weigh", 0.8], ">": ["weigh", 1.25],
    m: ["mirror"], Delete: ["remove"], Backspace: ["remove"], Escape: ["cancel"], " ": ["enter"], f: ["face"],
  };
  if (commands[key] || commands[low]) return commands[key] || commands[low];
  const tool = Object.keys(TOOLS).find((name) => TOOLS[name].key === low);
  return tool ? ["tool", tool] : null;
}
