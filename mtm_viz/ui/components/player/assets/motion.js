// Where every atom is at any display time: frames are stored, movers slide along the great circle between two of them.

import { STEP } from "./payload.js";

// The three coordinates shown: the first three; on the circle the third is 0.
export function firstThree(d) {
  return [0, 1, 2].map((k) => Array.from({ length: d }, (_, j) => (j === k ? 1 : 0)));
}

// Fills `into` (3 n) with measure's atoms at part `s` of interval f, seen through the 3 x d projection.
export function positionsAt(run, measure, f, s, projection, into) {
  const d = run.dimension;
  const n = measure.count;
  const steps = measure.trajectory;
  const start = f * n * d;
  const next = Math.min(f + 1, run.frames - 1) * n * d;
  const plain = d === 3 && projection === null;
  const x = new Float64Array(d);
  for (let j = 0; j < n; j++) {
    const a = start + j * d;
    const b = next + j * d;
    let moved = false;
    for (let k = 0; k < d; k++) if (steps[a + k] !== steps[b + k]) moved = true;
    if (moved && s > 0) between(steps, a, b, d, s, x);
    else for (let k = 0; k < d; k++) x[k] = steps[a + k] / STEP;
    if (plain) {
      into[3 * j] = x[0];
      into[3 * j + 1] = x[1];
      into[3 * j + 2] = x[2];
    } else project(projection || firstThree(d), x, into, 3 * j);
  }
  return into;
}

function between(steps, a, b, d, s, x) {
  let apart = 0;
  let together = 0;
  for (let k = 0; k < d; k++) {
    apart += (steps[a + k] - steps[b + k]) ** 2;
    together += (steps[a + k] + steps[b + k]) ** 2;
  }
  const theta = 2 * Math.atan2(Math.sqrt(apart), Math.sqrt(together));
  // Below a hundredth of a radian chord and arc agree to 1e-6; antipodes have no arc and jump half-way.
  const c = Math.sin(theta);
  let p = 1 - s;
  let q = s;
  if (theta >= 0.01) {
    p = c < 1e-6 ? Number(s < 0.5) : Math.sin((1 - s) * theta) / c;
    q = c < 1e-6 ? Number(s >= 0.5) : Math.sin(s * theta) / c;
  }
  for (let k = 0; k < d; k++) x[k] = (p * steps[a + k] + q * steps[b + k]) / STEP;
}

function project(rows, x, into, at) {
  for (let r = 0; r < 3; r++) {
    let sum = 0;
    for (let k = 0; k < x.length; k++) sum += rows[r][k] * x[k];
    into[at + r] = sum;
  }
}

// Static points (targets) through the same projection.
export function pointsOf(steps, d, projection) {
  const n = steps.length / d;
  const into = new Float32Array(3 * n);
  const rows = projection || firstThree(d);
  const x = new Float64Array(d);
  for (let j = 0; j < n; j++) {
    for (let k = 0; k < d; k++) x[k] = steps[j * d + k] / STEP;
    project(rows, x, into, 3 * j);
  }
  return into;
}

// The frames of a segment: from its first to its last, both at its boundaries.
export function framesOf(run, s) {
  const first = run.owner.indexOf(s);
  if (first < 0) return null;
  return { first, last: run.owner.lastIndexOf(s) + 1 };
}

// Atoms that are somewhere else at the end of the segment than at its start: [{measure, atom, from, to}].
export function moversOf(run, s) {
  const at = framesOf(run, s);
  if (!at) return [];
  const d = run.dimension;
  const movers = [];
  run.measures.forEach((measure, m) => {
    const n = measure.count;
    for (let j = 0; j < n; j++) {
      const a = (at.first * n + j) * d;
      const b = (at.last * n + j) * d;
      let far = 0;
      for (let k = 0; k < d; k++) far = Math.max(far, Math.abs(measure.trajectory[a + k] - measure.trajectory[b + k]));
      if (far > 2) {
        const read = (o) => Array.from({ length: d }, (_, k) => measure.trajectory[o + k] / STEP);
        movers.push({ measure: m, atom: j, from: read(a), to: read(b) });
      }
    }
  });
  return movers;
}

// Weighted mean of a measure's atoms as shown.
export function barycentre(positions, weights) {
  const sum = [0, 0, 0];
  for (let j = 0; j < weights.length; j++) for (let k = 0; k < 3; k++) sum[k] += weights[j] * positions[3 * j + k];
  return sum;
}
