// The brush's pure parts: geometry, history, tools, keys.

import assert from "node:assert/strict";
import { test } from "node:test";

const at = (name) => new URL(`../../mtm_viz/ui/components/brush/assets/${name}`, import.meta.url);
const { DEG, Outline, angle, carrying, dot, evenly, farthest, frame, fromLonLat, inCap, lonLat, middle, pick, project, scaledAbout, slerp, turn } = await import(at("sphere.js"));
const { History, MOST_STEPS, empty, pack, randomFrom, rows, unpack } = await import(at("atoms.js"));
const { Desk, summary } = await import(at("desk.js"));
const { TOOLS } = await import(at("tools.js"));
const { commandFor } = await import(at("keys.js"));

const near = (a, b, eps = 1e-12) => a.forEach((x, k) => assert.ok(Math.abs(x - b[k]) <= eps, `${a} is not ${b}`));

test("picking inverts projection everywhere on the front", () => {
  const random = randomFrom(1);
  for (let k = 0; k < 500; k++) {
    const view = frame(7 * random() - 3, 3 * random() - 1.5);
    const p = inCap(view.toward, 1.5, random);
    const [x, y, z] = project(view, p);
    assert.ok(z > 0);
    near(pick(view, x, y), p, 1e-9);
  }
  assert.equal(pick(frame(0, 0), 0.8, 0.7), null);
});

test("the view is right-handed with north up", () => {
  const view = frame(0.4, 0.3);
  near(view.toward, fromLonLat(0.4, 0.3));
  assert.ok(view.up[2] > 0.9 && Math.abs(view.right[2]) < 1e-15);
  near(lonLat(view.toward), [0.4, 0.3]);
});

test("caps, arcs, turns and scalings do what they say", () => {
  const random = randomFrom(2);
  const c = fromLonLat(1, -0.5);
  let inner = 0;
  for (let k = 0; k < 4000; k++) {
    const p = inCap(c, 60 * DEG, random);
    assert.ok(angle(c, p) <= 60 * DEG + 1e-12);
    if (angle(c, p) <= 30 * DEG) inner += 1;
  }
  assert.ok(Math.abs(inner / 4000 - (1 - Math.cos(30 * DEG)) / (1 - Math.cos(60 * DEG))) < 0.03);
  const [a, b] = [fromLonLat(0, 0), fromLonLat(1, 0.7)];
  assert.ok(Math.abs(angle(a, slerp(a, b, 0.25)) - angle(a, b) / 4) < 1e-12);
  near(carrying(a, b)(a), b);
  near(turn(turn(a, b, 0.8), b, -0.8), a);
  assert.ok(Math.abs(angle(a, scaledAbout(a, 0.5)(b)) - angle(a, b) / 2) < 1e-12);
  const even = evenly([a, b], 4);
  even.forEach((p, k) => assert.ok(Math.abs(angle(a, p) - ((k + 0.5) / 4) * angle(a, b)) < 1e-9));
});

test("an outline has the sphere's area and is filled uniformly", () => {
  const c = fromLonLat(0.3, 0.8);
  const ring = Array.from({ length: 400 }, (_, k) => slerp(c, turn(fromLonLat(0.3, -0.77), c, (k / 400) * 2 * Math.PI), 0.3));
  const r = angle(c, ring[0]);
  const outline = new Outline(ring);
  assert.ok(Math.abs(outline.area / (2 * Math.PI * (1 - Math.cos(r))) - 1) < 1e-3);
  const random = randomFrom(3);
  let inner = 0;
  for (let k = 0; k < 2000; k++) {
    const p = outline.sample(random);
    assert.ok(outline.holds(p) && angle(c, p) < r + 1e-6);
    if (angle(c, p) < r / 2) inner += 1;
  }
  assert.ok(Math.abs(inner / 2000 - (1 - Math.cos(r / 2)) / (1 - Math.cos(r))) < 0.04);
  assert.equal(new Outline([c, c, c]).sample(random), null);
});

test("history keeps fifty steps and forgets what was undone once something new is done", () => {
  const history = new History(empty());
  for (let k = 1; k <= 60; k++) history.push({ points: Array(k).fill([1, 0, 0]), weights: Array(k).fill(1) });
  let steps = 0;
  while (history.canUndo) {
    history.undo();
    steps += 1;
  }
  assert.equal(MOST_STEPS, 50);
  assert.equal(steps, 50);
  assert.equal(history.atoms.points.length, 10);
  history.redo();
  history.push(empty());
  assert.equal(history.canRedo, false);
});

test("float64 travels to the last bit", () => {
  const numbers = [Math.PI, -1e-300, 0.1 + 0.2, 1, 2, 3];
  assert.deepEqual([...unpack(pack(numbers))], numbers);
  assert.deepEqual(rows(unpack(pack(numbers)))[1], [1, 2, 3]);
  assert.equal(unpack(pack(new Array(60000).fill(0.1))).length, 60000);
});

function desk(points = []) {
  const heard = [];
  const made = new Desk({ atoms: { points, weights: points.map(() => 1) }, most: 300, onChange: (what) => heard.push(what), onSay: () => {} });
  made.heard = heard;
  return made;
}

const draw = (on, name, path, event = {}) => {
  const tool = TOOLS[name];
  on.tool = name;
  tool.down(on, path[0], event);
  path.slice(1).forEach((p) => tool.move(on, p));
  tool.up(on);
};

const equator = (from, to, n = 30) => Array.from({ length: n }, (_, k) => fromLonLat(from + ((to - from) * k) / (n - 1), 0));

test("a stroke is one change, its atoms lie under the brush, as many as the swept area asks for", () => {
  const on = desk();
  draw(on, "brush", equator(0, 1));
  assert.equal(on.heard.length, 1);
  const { points } = on.atoms;
  points.forEach((p) => assert.ok(Math.abs(lonLat(p)[1]) <= on.settings.radius + 1e-9));
  const area = (2 * 10 * (1 / DEG) + Math.PI * 100) / 100;
  assert.ok(Math.abs(points.length / (2.5 * area) - 1) < 0.15, `${points.length}`);
  const again = desk();
  draw(again, "brush", equator(0, 1));
  assert.deepEqual(again.atoms.points, points, "the same stroke gives the same atoms");
});

test("jitter 0 stays on the line, the speed of the pointer does not matter", () => {
  const on = desk();
  on.settings.jitter = 0;
  draw(on, "brush", equator(0, 1));
  on.atoms.points.forEach((p) => assert.ok(Math.abs(p[2]) < 1e-3));
  const counts = [5, 20, 80].map((n) => {
    const each = desk();
    draw(each, "brush", equator(0, 1, n));
    return each.atoms.points.length;
  });
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 2, `${counts}`);
});

test("lines and arcs are even, outlines are filled, the eraser erases", () => {
  const on = desk();
  draw(on, "arc", [fromLonLat(0, 0), fromLonLat(1, 0.4), fromLonLat(0.9, 0)]);
  assert.equal(on.atoms.points.length, Math.round((0.9 / DEG / 10) * 4));
  const before = on.atoms.points.length;
  draw(on, "line", equator(-1, -0.2));
  assert.ok(on.atoms.points.length > before);
  draw(on, "eraser", equator(-1.2, 1.2, 40));
  assert.equal(on.atoms.points.length, 0);
  draw(on, "outline", [0, 1, 2, 3, 4, 5].map((k) => fromLonLat(0.5 * Math.cos(k), 0.5 * Math.sin(k))));
  assert.ok(on.atoms.points.length > 20);
  assert.deepEqual(on.heard.length, 4);
});

test("nothing is drawn beyond the room there is", () => {
  const on = desk(Array(299).fill([1, 0, 0]));
  draw(on, "brush", equator(0, 1));
  assert.equal(on.atoms.points.length, 300);
  draw(on, "point", [fromLonLat(0, 0)]);
  assert.equal(on.atoms.points.length, 300);
});

test("a selection is moved rigidly, scaled, turned, mirrored and weighed; the rest stays", () => {
  const on = desk([fromLonLat(0, 0), fromLonLat(0.1, 0), fromLonLat(2, 0)]);
  draw(on, "select", [fromLonLat(0.05, 0)]);
  assert.deepEqual([...on.selected], [0, 1]);
  draw(on, "select", [fromLonLat(0.05, 0), fromLonLat(0.05, 0.5)], { disc: [9, 9] });
  const [a, b, c] = on.atoms.points;
  assert.ok(Math.abs(angle(a, b) - 0.1) < 1e-9 && Math.abs(lonLat(middle([a, b]))[1] - 0.5) < 1e-6);
  near(c, fromLonLat(2, 0));
  on.scale(2);
  assert.ok(Math.abs(angle(on.atoms.points[0], on.atoms.points[1]) - 0.2) < 1e-9);
  on.weigh(3);
  assert.deepEqual(on.atoms.weights, [3, 3, 1]);
  const before = on.atoms.points;
  on.mirror();
  on.mirror();
  on.atoms.points.forEach((p, k) => near(p, before[k], 1e-9));
  on.rotate(90);
  on.rotate(-90);
  on.atoms.points.forEach((p, k) => near(p, before[k], 1e-9));
  on.remove();
  assert.equal(on.atoms.points.length, 1);
});

test("pressure sets the weight of a pen's atoms", () => {
  const on = desk();
  on.pressure = 0.5;
  draw(on, "point", [fromLonLat(0, 0)]);
  on.settings.pressure = false;
  draw(on, "point", [fromLonLat(0, 0)]);
  assert.deepEqual(on.atoms.weights, [0.5, 1]);
});

test("every tool has a name, a key of its own and a hint, and is in reach of the keyboard", () => {
  const keys = Object.values(TOOLS).map((tool) => tool.key);
  assert.equal(new Set(keys).size, keys.length);
  for (const [name, tool] of Object.entries(TOOLS)) {
    assert.ok(tool.label && tool.hint);
    assert.deepEqual(commandFor({ key: tool.key }), ["tool", name]);
    assert.ok(name === "hand" || tool.enter, `${name} answers Enter`);
  }
  assert.deepEqual(commandFor({ key: "z", ctrlKey: true }), ["undo"]);
  assert.deepEqual(commandFor({ key: "z", ctrlKey: true, shiftKey: true }), ["redo"]);
  assert.deepEqual(commandFor({ key: "]" }), ["radius", 1.2]);
  assert.deepEqual(commandFor({ key: "ArrowUp", altKey: true }), ["nudge", [0, 1]]);
  assert.equal(commandFor({ key: "Tab" }), null);
  assert.equal(commandFor({ key: "c", ctrlKey: true }), null);
});

test("the summary says what the canvas shows", () => {
  assert.equal(summary(empty(), "input"), "input: empty.");
  const text = summary({ points: [fromLonLat(0.5, 0.1), fromLonLat(0.7, 0.1)], weights: [1, 2] }, "input");
  assert.match(text, /^input: 2 atoms of unequal weights about longitude 34, latitude 6 degrees, spread 6 degrees\.$/);
});

test("candidates keep their distance", () => {
  const random = randomFrom(9);
  const c = fromLonLat(0, 0);
  const even = [];
  const plain = [];
  for (let k = 0; k < 100; k++) {
    even.push(farthest(() => inCap(c, 0.3, random), even));
    plain.push(inCap(c, 0.3, random));
  }
  const least = (points) => Math.min(...points.flatMap((p, i) => points.slice(i + 1).map((q) => 1 - dot(p, q))));
  assert.ok(least(even) > 2 * least(plain));
});
