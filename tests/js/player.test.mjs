// The player's pure parts, under node's own test runner: `node --test tests/js`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const assets = new URL("../../mtm_viz/ui/components/player/assets/", import.meta.url);
const load = (name) => import(new URL(name, assets));
const near = (a, b, within = 1e-9) => assert.ok(Math.abs(a - b) <= within, `${a} is not ${b}`);
const nearAll = (a, b, within = 1e-9) => a.forEach((x, k) => near(x, b[k], within));

const { Clock, filmSeconds, frameAt, placeAt } = await load("clock.js");
const geometry = await load("geometry.js");
const { attention, fibonacci, velocity } = await load("field.js");
const { actionFor, isTyping } = await load("keys.js");
const { readView, writeView } = await load("link.js");
const { moversOf, positionsAt } = await load("motion.js");
const { decodePayload, segmentOfIntervals } = await load("payload.js");
const { readSegment, segmentSentence } = await load("segment.js");
const { phaseBands, segmentStarts } = await load("timeline.js");
const { luminance } = await load("theme.js");
const { valueScale } = await load("curves.js");
const { GRID, densityOf } = await load("density.js");
const { pickAtom } = await load("pick.js");
const { principal, views } = await load("views.js");

const STEP = 32767;
const zero = () => [[0, 0, 0], [0, 0, 0], [0, 0, 0]];

// Two atoms, two segments: atom 0 goes from x to y in the first and rests, atom 1 rests and then goes from z to x.
function smallRun(d = 3) {
  const e = (k) => Array.from({ length: d }, (_, i) => (i === k ? STEP : 0));
  const trajectory = Int16Array.from([...e(0), ...e(2), ...e(1), ...e(2), ...e(1), ...e(0)]);
  const times = Float64Array.from([0, 0.25, 1]);
  const duration = Float64Array.from([0.25, 0.75]);
  return {
    dimension: d,
    frames: 3,
    segments: 2,
    times,
    duration,
    display: Float64Array.from([0, 0.5, 1]),
    owner: segmentOfIntervals(times, duration),
    phases: [{ name: "match", first: 0, last: 0 }, { name: "undo-gather", first: 1, last: 1 }],
    measures: [{ name: "pair", count: 2, trajectory, weights: Float32Array.from([0.5, 0.5]), target: new Int16Array(0) }],
  };
}

test("the clock plays at its speed, rests at the end, then loops; it never leaps after a stall", () => {
  const clock = new Clock(10);
  clock.advance(1);
  assert.equal(clock.at, 0);
  clock.play();
  clock.advance(0.2);
  near(clock.at, 0.02);
  clock.speed = 4;
  clock.advance(0.2);
  near(clock.at, 0.1);
  clock.advance(60);
  near(clock.at, 0.2);
  clock.seek(1);
  clock.advance(0.5);
  assert.equal(clock.at, 1);
  clock.advance(1.5);
  assert.equal(clock.at, 0);
  clock.loop = false;
  clock.seek(2);
  assert.equal(clock.at, 1);
  clock.advance(0.1);
  assert.equal(clock.playing, false);
  clock.seek(Number.NaN);
  assert.equal(clock.at, 0);
});

test("a film of many segments is longer, within bounds", () => {
  const sizes = { shortest: 14, longest: 60, per_segment: 0.07 };
  near(filmSeconds(0, sizes), 14);
  assert.ok(filmSeconds(300, sizes) > 30);
  assert.equal(filmSeconds(1e6, sizes), 60);
});

test("frames are found by display time, shared times included", () => {
  const display = [0, 0.2, 0.2, 0.7, 1];
  assert.equal(frameAt(display, 0.1), 0);
  assert.equal(frameAt(display, 0.2), 2);
  assert.equal(frameAt(display, 1), 4);
  const { f, part } = placeAt(display, 0.45);
  assert.equal(f, 2);
  near(part, 0.5);
  assert.deepEqual(placeAt(display, 1), { f: 3, part: 1 });
  assert.deepEqual(placeAt([0], 0.5), { f: 0, part: 0 });
});

test("movers slide along the great circle, resting atoms do not stir", () => {
  const run = smallRun();
  const into = new Float32Array(6);
  positionsAt(run, run.measures[0], 0, 0.5, null, into);
  nearAll([...into], [Math.SQRT1_2, Math.SQRT1_2, 0, 0, 0, 1], 1e-6);
  positionsAt(run, run.measures[0], 1, 0.25, null, into);
  near(Math.hypot(into[3], into[4], into[5]), 1, 1e-6);
  near(geometry.angle([0, 0, 1], [...into.slice(3)]), Math.PI / 8, 1e-6);
  const movers = moversOf(run, 1);
  assert.equal(movers.length, 1);
  assert.deepEqual([movers[0].measure, movers[0].atom], [0, 1]);
});

test("antipodes have no arc between them and give no NaN", () => {
  const run = { ...smallRun(), frames: 2 };
  const trajectory = Int16Array.from([STEP, 0, 0, -STEP, 0, 0]);
  const measure = { count: 1, trajectory };
  for (const s of [0, 0.3, 0.5, 0.8, 1])
    near(Math.hypot(...positionsAt(run, measure, 0, s, null, new Float32Array(3))), 1, 1e-6);
});

test("in dimension 4 points are seen through the chosen rows", () => {
  const run = smallRun(4);
  const into = positionsAt(run, run.measures[0], 0, 0.5, [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], new Float32Array(6));
  nearAll([...into], [Math.SQRT1_2, 0, 0, 0, 1, 0], 1e-6);
  assert.equal(views(run).length, 5);
  assert.equal(views(smallRun()).length, 0);
  const rows = principal(run);
  for (const a of rows) for (const b of rows) near(geometry.dot(a, b), a === b ? 1 : 0, 1e-6);
});

test("intervals know their segment by time, however short it is", () => {
  const owner = segmentOfIntervals([0, 0.5, 0.5 + 1e-9, 1], [0.5, 1e-9, 0.5 - 1e-9]);
  assert.deepEqual([...owner], [0, 1, 2]);
});

test("bands and ticks lie in display time", () => {
  const run = smallRun();
  assert.deepEqual(segmentStarts(run), [0, 0.5, 1]);
  assert.deepEqual(phaseBands(run).map(({ from, to }) => [from, to]), [[0, 0.5], [0.5, 1]]);
});

test("a gate is read off its matrices, equal rows as one", () => {
  const a = [0.6, 0, 0.8];
  const omega = [0, 1, 0];
  const theta = { V: zero(), B: zero(), W: omega.map((w) => [w, w, w].map((x) => (40 * x) / 3)), U: [a, a, a].map((r) => r.map((x) => 2 * x)), b: [-0.62, -0.62, -0.62] };
  const read = readSegment(theta, 0.01);
  assert.equal(read.gates.length, 1);
  near(read.gates[0].tau, 0.31);
  nearAll(read.gates[0].a, a);
  nearAll(read.gates[0].drift, omega);
  near(read.gates[0].speed, 80);
  const said = segmentSentence(read, [{ measure: 1, atom: 4 }], ["cloud 1", "cloud 2"]);
  assert.equal(said, "Gate open where ⟨a, x⟩ > 0.31: one atom of cloud 2 slides toward ω, all others rest.");
});

test("gates that share a segment are counted, each with its own cap", () => {
  const U = [[1, 0, 0], [-1, 0, 0]];
  const read = readSegment({ V: zero(), B: zero(), W: [[0, 0], [1, 0], [0, 2]], U, b: [-0.5, -0.7] }, 1);
  assert.deepEqual(read.gates.map((g) => g.tau), [0.5, 0.7]);
  assert.deepEqual(read.gates.map((g) => g.drift), [[0, 1, 0], [0, 0, 1]]);
  const said = segmentSentence(read, [{ measure: 0, atom: 1 }, { measure: 1, atom: 4 }], ["cloud 1", "cloud 2"]);
  assert.equal(said, "2 gates, each open on a cap ⟨a, x⟩ > τ of its own: one atom of cloud 1 and one atom of cloud 2 slide, each toward its gate's ω, all others rest.");
});

test("a row that never opens is no gate", () => {
  const theta = { V: zero(), B: zero(), W: [[1, 0, 0], [0, 0, 0], [0, 0, 0]], U: [[1, 0, 0], [0, 0, 0], [0, 0, 0]], b: [-1, 0, 0] };
  assert.deepEqual(readSegment(theta, 1).gates, []);
  assert.equal(segmentSentence(readSegment(theta, 1), [], []), "Nothing moves.");
});

test("drift, rotation and attention are told apart", () => {
  const drift = readSegment({ V: zero(), B: zero(), W: [[0, 0, 0], [0, 0, 0], [1, 1, 1]], U: zero(), b: [1, 1, 1] }, 1);
  nearAll(drift.drift, [0, 0, 3]);
  assert.match(segmentSentence(drift, [], []), /open everywhere/);
  const turn = 0.5;
  // U k = 1 for k = e3 and W = Omega U^-1, so that W b = 0: a rotation about the third axis.
  const W = [[0, -turn, turn], [turn, 0, -turn], [0, 0, 0]];
  const rotation = readSegment({ V: zero(), B: zero(), W, U: [[1, 0, 1], [0, 1, 1], [0, 0, 1]], b: [1.5, 1.5, 1.5] }, 2);
  assert.ok(rotation.rotation);
  near(rotation.rotation.angle, 1);
  assert.equal(rotation.drift, null);
  const attending = readSegment({ V: [[1, 0, 0], [0, 1, 0], [0, 0, 0]], B: zero(), W: zero(), U: zero(), b: [0, 0, 0] }, 1);
  assert.ok(attending.attention.plainMean);
  assert.match(segmentSentence(attending, [], []), /mean of its own measure/);
});

test("velocity is tangent, attention the softmax mean, gates closed outside their cap", () => {
  const points = Float64Array.from([1, 0, 0, 0, 1, 0]);
  const weights = [0.5, 0.5];
  const B = [[3, 0, 0], [0, 3, 0], [0, 0, 3]];
  const heard = attention(B, { points, weights, d: 3 }, [1, 0, 0]);
  near(heard[0], 1 / (1 + Math.exp(-3)));
  const theta = { V: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], B, W: [[0], [0], [2]], U: [[1, 0, 0]], b: [-0.5] };
  for (const x of fibonacci(20)) near(geometry.dot(velocity(theta, { points, weights, d: 3 }, x), x), 0, 1e-12);
  nearAll(velocity(theta, null, [0, 1, 0]), [0, 0, 0]);
  nearAll(velocity(theta, null, [1, 0, 0]), [0, 0, 1]);
});

test("geometry: slerp, caps, inverses", () => {
  nearAll(geometry.slerp([1, 0, 0], [0, 1, 0], 0.5), [Math.SQRT1_2, Math.SQRT1_2, 0]);
  for (const p of geometry.capCircle([0, 0.6, 0.8], 0.3)) {
    near(geometry.norm(p), 1);
    near(geometry.dot(p, [0, 0.6, 0.8]), 0.3);
  }
  const m = Float64Array.from([2, 0, 0, 1, 0, 3, 1, 0, 0, 0, 1, 0, 5, 0, 0, 1]);
  const one = geometry.multiply(m, geometry.invert(m));
  one.forEach((x, k) => near(x, k % 5 === 0 ? 1 : 0, 1e-12));
  assert.equal(geometry.invert(new Float64Array(16)), null);
});

test("keys act on the player, not on text, and not with control", () => {
  const key = (name, more = {}) => actionFor({ key: name, ...more });
  assert.deepEqual(key(" "), ["toggle"]);
  assert.deepEqual(key("ArrowRight"), ["frameForward"]);
  assert.deepEqual(key("ArrowLeft", { shiftKey: true }), ["segmentBack"]);
  assert.deepEqual(key("3"), ["measure", 2]);
  assert.deepEqual(key("F"), ["full"]);
  assert.equal(key("f", { ctrlKey: true }), null);
  assert.equal(key("9"), null);
  assert.ok(isTyping({ tagName: "INPUT", type: "text" }));
  assert.ok(isTyping({ tagName: "TEXTAREA" }));
  assert.ok(!isTyping({ tagName: "INPUT", type: "checkbox" }));
});

test("a link restores moment, speed, eye and layers; a bad one is refused by name", () => {
  const run = { display: [0, 0.5, 1] };
  const link = writeView("http://host/page?preset=letters", { at: 0.25, speed: 2, eye: { x: 1, y: -1, z: 0.5 }, shown: new Set(["trails"]) });
  const url = new URL(link);
  assert.equal(url.searchParams.get("preset"), "letters");
  const view = readView(url.search, ["trails", "targets"], run);
  assert.deepEqual([view.at, view.speed, view.eye, view.show, view.problems], [0.25, 2, { x: 1, y: -1, z: 0.5 }, ["trails"], []]);
  assert.equal(readView("?frame=1", [], run).at, 0.5);
  for (const bad of ["at=NaN", "at=", "at=-1", "at=1e9", "frame=-3", "frame=1e9", "frame=0.5", "speed=3", "eye=1,2", "eye=NaN,0,0", "eye=0,0,0", "show=walls", "hide=all"]) {
    const refused = readView(`?${bad}`, ["trails"], run);
    assert.equal(refused.problems.length, 1, bad);
    assert.equal(refused.at ?? refused.speed ?? refused.eye ?? refused.show, undefined, bad);
    assert.ok(refused.problems[0].includes(bad.split("=")[0]), bad);
  }
  assert.deepEqual(readView("?hide=timeline,matrices", [], run).hide, ["timeline", "matrices"]);
});

test("the atom under the pointer is the nearest on the viewer's side", () => {
  // A camera on the z axis looking down at a 200 x 200 picture.
  const view = { matrix: Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]), eye: [0, 0, 3] };
  const clouds = [{ measure: 0, positions: [0, 0, -1, 0.1, 0, 0.995] }];
  const found = pickAtom(view, clouds, 105, 100, 200, 200);
  assert.deepEqual([found.measure, found.atom], [0, 1]);
  assert.equal(pickAtom(view, clouds, 20, 20, 200, 200), null);
});

test("density sums up to the same everywhere on the sphere, and has its top at the atom", () => {
  const top = (x) => {
    const grid = densityOf(x, [1]);
    let [best, sum] = [0, 0];
    grid.forEach((v, k) => {
      if (v > grid[best]) best = k;
      sum += v * Math.cos(((Math.floor(k / GRID.columns) + 0.5) / GRID.rows - 0.5) * Math.PI);
    });
    return { row: Math.floor(best / GRID.columns), sum };
  };
  const equator = top([1, 0, 0]);
  const pole = top([0, 0, 1]);
  assert.ok(Math.abs(equator.row - GRID.rows / 2) <= 1);
  assert.equal(pole.row, GRID.rows - 1);
  near(equator.sum / pole.sum, 1, 0.1);
});

test("axes of W2 hold all values, linear and logarithmic", () => {
  const measures = [{ w2: Float32Array.from([1.7, 0.4, 1e-8]) }];
  for (const log of [false, true]) {
    const scale = valueScale(measures, log);
    for (const v of measures[0].w2) assert.ok(scale.place(v) >= 0 && scale.place(v) <= 1, `${v}`);
    assert.ok(scale.ticks.length >= 3 && scale.ticks.length <= 8);
  }
});

test("luminance follows WCAG", () => {
  near(luminance("#ffffff"), 1);
  near(luminance("#000"), 0);
  near(luminance("rgb(127, 127, 127)"), 0.2122, 1e-3);
});

test("a payload written by Python is read back", async () => {
  const path = process.env.MTM_PAYLOAD;
  if (!path) return;
  const expected = JSON.parse(process.env.MTM_EXPECTED);
  const run = await decodePayload(new Uint8Array(readFileSync(path)));
  assert.equal(run.frames, expected.frames);
  assert.deepEqual(run.measures.map((m) => m.name), expected.names);
  const { trajectory, count } = run.measures[1];
  const last = Array.from(trajectory.slice(-3), (x) => x / STEP);
  nearAll(last, expected.last, 2 / STEP);
  assert.equal(count, expected.count);
  assert.deepEqual([...new Set(run.owner)], [...Array(run.segments).keys()]);
});
