// One entry a tool: what pointer and Enter do with it. `desk` is the drawing desk (desk.js); p is a point of the sphere.

import { DEG, Outline, angle, at, carrying, evenly, farthest, inCap, lengthOf, scaledAbout, slerp, turn } from "./sphere.js";

const SQUARE = (180 / Math.PI) ** 2; // square degrees in a steradian

// Atoms for so many square degrees, with what was left over from before.
function owed(desk, steradians) {
  desk.carry += (desk.settings.density * steradians * SQUARE) / 100;
  const n = Math.floor(desk.carry);
  desk.carry -= n;
  return n;
}

function dab(desk, a, b, n) {
  const { radius, jitter } = desk.settings;
  const made = [];
  for (let k = 0; k < n; k++) {
    const there = desk.stroke.concat(made);
    made.push(farthest(() => inCap(slerp(a, b, desk.random()), Math.max(radius * jitter, 1e-4), desk.random), there));
  }
  desk.sketch(made);
}

const scattered = (desk, p) => {
  const away = desk.settings.radius * desk.settings.jitter * 0.5 * Math.sqrt(-2 * Math.log(1 - desk.random() * 0.98));
  return at(p, away, 2 * Math.PI * desk.random());
};

const alongPath = (desk, path) => {
  const n = Math.max(1, Math.round((lengthOf(path) / DEG / 10) * desk.settings.spacing));
  return evenly(path, n).map((p) => (desk.settings.scatter ? scattered(desk, p) : p));
};

function fill(desk, path) {
  if (path.length < 3) return;
  const outline = new Outline(path);
  const n = Math.max(3, Math.round((desk.settings.density * outline.area * SQUARE) / 100));
  const made = [];
  for (let k = 0; k < Math.min(n, desk.room); k++) {
    const p = farthest(() => outline.sample(desk.random), made, 8);
    if (!p) break;
    made.push(p);
  }
  desk.sketch(made);
}

// Tools that collect a path: by dragging, or vertex by vertex with Enter.
const pathTool = (finish, closed) => ({
  closed,
  down: (desk, p) => desk.begin([p]),
  move(desk, p) {
    if (angle(desk.path.at(-1), p) > 0.4 * DEG) desk.path.push(p);
  },
  up(desk) {
    finish(desk, desk.path);
    desk.commit();
  },
  enter(desk, p) {
    desk.path.push(p);
    desk.say(`corner ${desk.path.length} set; Shift+Enter finishes`);
  },
  finish(desk) {
    if (desk.path.length > 1) finish(desk, closed ? desk.path : dense(desk.path));
    desk.commit();
  },
});

const dense = (corners) =>
  corners.slice(1).flatMap((p, k) => Array.from({ length: 24 }, (_, j) => slerp(corners[k], p, j / 24))).concat([corners.at(-1)]);

export const TOOLS = {
  hand: {
    label: "Turn the sphere", key: "h", options: [],
    hint: "Drag to turn. With any other tool, drag beside the sphere or with the right button.",
  },
  brush: {
    label: "Brush", key: "b", options: ["radius", "density", "jitter", "weight"], round: true,
    hint: "Paint on the sphere. [ and ] change the radius.",
    down(desk, p) {
      desk.begin([p]);
      desk.carry = 0;
      const { radius, jitter } = desk.settings;
      dab(desk, p, p, Math.max(1, owed(desk, 2 * Math.PI * (1 - Math.cos(radius * Math.max(jitter, 0.2))))));
    },
    move(desk, p) {
      const a = desk.path.at(-1);
      const way = angle(a, p);
      if (way < 0.2 * DEG) return;
      desk.path.push(p);
      dab(desk, a, p, owed(desk, 2 * desk.settings.radius * Math.max(desk.settings.jitter, 0.2) * way));
    },
    up: (desk) => desk.commit(),
    enter(desk, p) {
      this.down(desk, p);
      desk.commit();
    },
  },
  point: {
    label: "Single points", key: "p", options: ["weight"],
    hint: "Each click sets one atom.",
    down(desk, p) {
      desk.begin([p]);
      desk.sketch([p]);
    },
    move() {},
    up: (desk) => desk.commit(),
    enter(desk, p) {
      this.down(desk, p);
      desk.commit();
    },
  },
  eraser: {
    label: "Eraser", key: "e", options: ["radius"], round: true,
    hint: "Rub atoms out.",
    down(desk, p) {
      desk.begin([p]);
      desk.rub(p);
    },
    move(desk, p) {
      const a = desk.path.at(-1);
      const steps = Math.max(1, Math.ceil(angle(a, p) / (desk.settings.radius * 0.6)));
      for (let k = 1; k <= steps; k++) desk.rub(slerp(a, p, k / steps));
      desk.path.push(p);
    },
    up: (desk) => desk.commit(),
    enter(desk, p) {
      this.down(desk, p);
      desk.commit();
    },
  },
  line: {
    label: "Line", key: "l", options: ["spacing", "scatter", "weight"],
    hint: "Draw a line: atoms are set along it evenly.",
    ...pathTool((desk, path) => desk.sketch(alongPath(desk, path)), false),
  },
  arc: {
    label: "Great-circle arc", key: "a", options: ["spacing", "scatter", "weight"],
    hint: "From where you press to where you let go, the shortest way.",
    down: (desk, p) => desk.begin([p, p]),
    move(desk, p) {
      desk.path[1] = p;
    },
    up(desk) {
      desk.sketch(alongPath(desk, dense(desk.path)));
      desk.commit();
    },
    enter(desk, p) {
      desk.path.push(p);
      if (desk.path.length < 2) desk.say("start set; turn and press Enter at the end");
      else this.up(desk);
    },
    finish: (desk) => desk.cancel(),
  },
  outline: {
    label: "Filled outline", key: "o", options: ["density", "weight"],
    hint: "Draw around a region: it closes itself and is filled uniformly.",
    ...pathTool(fill, true),
  },
  select: {
    label: "Select and move", key: "s", options: ["radius", "change"],
    hint: "Circle atoms to select them, drag them to move; the square scales, the dot turns.",
    down(desk, p, event) {
      const grip = desk.gripAt(event);
      desk.begin([p]);
      if (grip) desk.hold = grip;
      else if (desk.isSelectedNear(p)) desk.hold = "move";
      else desk.hold = event.shiftKey ? "add" : "new";
    },
    move(desk, p) {
      const start = desk.path[0];
      const centre = desk.selectionMiddle();
      if (desk.hold === "move") desk.preview(carrying(start, p));
      else if (desk.hold === "scale") desk.preview(scaledAbout(centre, angle(centre, p) / Math.max(angle(centre, start), 1e-3)));
      else if (desk.hold === "turn") desk.preview((q) => turn(q, centre, bearing(centre, p) - bearing(centre, start)));
      else desk.path.push(p);
    },
    up(desk) {
      if (desk.hold !== "new" && desk.hold !== "add") {
        desk.commit();
        return;
      }
      const outline = desk.path.length > 4 ? new Outline(desk.path) : null;
      const inside = outline ? (q) => outline.holds(q) : (q) => angle(q, desk.path[0]) <= desk.settings.radius;
      desk.select(inside, desk.hold === "add");
    },
    enter(desk, p) {
      desk.select((q) => angle(q, p) <= desk.settings.radius, true);
    },
  },
};

function bearing(c, p) {
  const east = at(c, Math.PI / 2, 0);
  const north = at(c, Math.PI / 2, Math.PI / 2);
  const along = (e) => e[0] * p[0] + e[1] * p[1] + e[2] * p[2];
  return Math.atan2(along(north), along(east));
}
