// What a segment does, read off its matrices: the words under the picture and the glyphs on it come from here.

import { dot, minus, norm, scaled, unit } from "./geometry.js";

const zero = (rows) => rows.every((row) => row.every((x) => x === 0));
const times = (A, x) => A.map((row) => dot(row, x));
const column = (A, r) => A.map((row) => row[r]);

// -> { attention, gates: [{a, tau, drift, speed}], drift: vector or null, rotation: {angle, plane} or null }
// A gate is open where <a,x> > tau and pushes toward drift/|drift|; rows with the same half-space are one gate.
export function readSegment(theta, duration) {
  const { V, B, W, U, b } = theta;
  const attention = zero(V) ? null : { plainMean: zero(B) };
  const linear = affine(theta, duration);
  if (linear) return { attention, gates: [], ...linear };
  const gates = [];
  let drift = W.map(() => 0);
  U.forEach((u, r) => {
    const w = column(W, r);
    const size = norm(u);
    if (norm(w) === 0) return;
    if (size < 1e-12) {
      if (b[r] > 0) drift = drift.map((x, i) => x + w[i] * b[r]);
      return;
    }
    const a = scaled(u, 1 / size);
    const tau = -b[r] / size;
    if (tau >= 1) return;
    const same = gates.find((g) => Math.abs(g.tau - tau) < 1e-6 && norm(minus(g.a, a)) < 1e-6);
    const pushed = scaled(w, size);
    if (same) same.push = same.push.map((x, i) => x + pushed[i]);
    else gates.push({ a, tau, push: pushed });
  });
  return {
    attention,
    gates: gates.map(({ a, tau, push }) => ({ a, tau, drift: unit(push), speed: norm(push) })),
    drift: norm(drift) > 0 ? drift : null,
    rotation: null,
  };
}

// Rows that are open on the whole sphere make an affine field (W U) x + W b: a rotation when W U is skew and W b = 0.
function affine({ W, U, b }, duration) {
  const open = U.every((u, r) => norm(u) > 1e-12 && b[r] >= norm(u) * (1 - 1e-6));
  if (!open) return null;
  const A = W.map((w) => U[0].map((_, j) => w.reduce((sum, x, r) => sum + x * U[r][j], 0)));
  const push = times(W, b);
  const size = Math.sqrt(A.flat().reduce((sum, x) => sum + x * x, 0));
  const skew = A.every((row, i) => row.every((x, j) => Math.abs(x + A[j][i]) < 1e-4 * size));
  const turn = skew && size > 0 ? { angle: (size / Math.SQRT2) * duration, A } : null;
  return { drift: norm(push) > 1e-4 * size ? push : null, rotation: turn };
}

const degrees = (radians) => `${((radians * 180) / Math.PI).toFixed(1)}°`;
const number = (x) => (Math.abs(x) < 5e-3 ? "0" : x.toFixed(2).replace("-", "−"));

function moved(movers, names) {
  const by = new Map();
  movers.forEach(({ measure }) => by.set(measure, (by.get(measure) || 0) + 1));
  const parts = [...by].map(([m, n]) => `${n === 1 ? "one atom" : `${n} atoms`} of ${names[m]}`);
  if (parts.length > 2) return `${movers.length} atoms`;
  return parts.join(" and ");
}

export function segmentSentence(read, movers, names) {
  const { attention, gates, drift, rotation } = read;
  const parts = [];
  if (attention) {
    const pull = attention.plainMean
      ? "Attention with B = 0 pulls every atom by V times the mean of its own measure"
      : "Attention pulls every atom by V times the mean of its own measure, weighted by exp⟨Bx, y⟩";
    parts.push(`${pull}${drift && !gates.length ? "; a drift toward ω, the same for all, is added." : "."}`);
  } else if (drift && !gates.length) parts.push("Drift toward ω, open everywhere: all atoms slide along great circles.");
  if (rotation) parts.push(`Rigid rotation by ${degrees(rotation.angle)}: every atom turns, distances stay.`);
  if (gates.length) {
    const one = gates.length === 1;
    const where = one ? `Gate open where ⟨a, x⟩ > ${number(gates[0].tau)}` : `${gates.length} gates, each open on a cap ⟨a, x⟩ > τ of its own`;
    const toward = one ? "toward ω" : "toward its gate's ω";
    const slide = movers.length === 1 ? "slides" : one ? "slide" : "slide, each";
    const what = movers.length ? `${moved(movers, names)} ${slide} ${toward}` : "no atom is inside";
    parts.push(`${where}: ${what}, all others rest.`);
  }
  return parts.join(" ") || "Nothing moves.";
}
