// A view as query parameters: what "copy link" writes and a fresh page reads. Bad values are named, never obeyed.

import { SPEEDS } from "./clock.js";
import { validCamera } from "./camera.js";

export const PARTS = ["timeline", "matrices", "curves", "controls", "legend", "caption", "numbers"];

export function writeView(url, { at, speed, eye, shown }) {
  const link = new URL(url);
  link.searchParams.set("at", at.toFixed(4));
  link.searchParams.set("speed", String(speed));
  link.searchParams.set("eye", [eye.x, eye.y, eye.z].map((v) => v.toFixed(3)).join(","));
  link.searchParams.set("show", [...shown].join(","));
  return link.toString();
}

// -> { at, speed, eye, hide, show, problems: [sentence] }; what is absent or wrong is undefined.
// `frame` (a whole number, for links written by hand) counts the run's stored frames.
export function readView(search, layers, { display }) {
  const asked = new URLSearchParams(search);
  const view = { hide: [], problems: [] };
  const refuse = (name, need) => view.problems.push(`The link's ${name}=${asked.get(name)} is not ${need}; the default is shown.`);
  if (asked.has("at")) {
    const at = Number(asked.get("at"));
    if (asked.get("at") !== "" && at >= 0 && at <= 1) view.at = at;
    else refuse("at", "a moment from 0 to 1");
  }
  if (asked.has("frame")) {
    const frame = Number(asked.get("frame"));
    if (asked.get("frame") !== "" && Number.isInteger(frame) && frame >= 0 && frame < display.length) view.at = display[frame];
    else refuse("frame", `a whole number from 0 to ${display.length - 1}`);
  }
  if (asked.has("speed")) {
    const speed = Number(asked.get("speed"));
    if (SPEEDS.includes(speed)) view.speed = speed;
    else refuse("speed", `one of ${SPEEDS.join(", ")}`);
  }
  if (asked.has("eye")) {
    const camera = validCamera(asked.get("eye").split(",").map((x) => (x.trim() === "" ? NaN : Number(x))));
    if (camera) view.eye = camera.eye;
    else refuse("eye", "three numbers, not too near and not too far");
  }
  if (asked.has("show")) {
    const names = list(asked.get("show"));
    if (names.every((name) => layers.includes(name))) view.show = names;
    else refuse("show", `a list of ${layers.join(", ")}`);
  }
  if (asked.has("hide")) {
    const names = list(asked.get("hide"));
    view.hide = names.filter((name) => PARTS.includes(name));
    if (view.hide.length < names.length) refuse("hide", `a list of ${PARTS.join(", ")}`);
  }
  return view;
}

const list = (text) => text.split(",").map((s) => s.trim()).filter(Boolean);
