// Above dimension 3: which three coordinates are shown. Triples of axes, or the three directions of largest spread.

import { dot, norm, scaled } from "./geometry.js";
import { STEP } from "./payload.js";

export function views(run) {
  const d = run.dimension;
  if (d <= 3) return [];
  const triples = [];
  for (let i = 0; i < d; i++) for (let j = i + 1; j < d; j++) for (let k = j + 1; k < d; k++) triples.push([i, j, k]);
  const axes = (which) => which.map((w) => Array.from({ length: d }, (_, k) => (k === w ? 1 : 0)));
  return [
    ...triples.slice(0, 20).map((t) => ({ name: `coordinates ${t.map((k) => k + 1).join(", ")}`, rows: () => axes(t) })),
    { name: "largest spread", rows: () => principal(run) },
  ];
}

// The three leading eigenvectors of the second moment of first frame and targets, by power iteration with deflation.
export function principal(run) {
  const d = run.dimension;
  const moment = Array.from({ length: d }, () => new Array(d).fill(0));
  for (const measure of run.measures)
    for (const steps of [measure.trajectory.subarray(0, measure.count * d), measure.target])
      for (let o = 0; o < steps.length; o += d)
        for (let i = 0; i < d; i++) for (let j = 0; j < d; j++) moment[i][j] += (steps[o + i] * steps[o + j]) / STEP / STEP;
  const found = [];
  for (let r = 0; r < 3; r++) {
    let v = leastSeen(found, d);
    for (let step = 0; step < 200; step++) {
      const next = orthogonalTo(found, moment.map((row) => dot(row, v)));
      const size = norm(next);
      if (size < 1e-9) break; // no spread is left: any free direction serves
      v = scaled(next, 1 / size);
    }
    found.push(v);
  }
  return found;
}

// A unit vector orthogonal to the ones found, not orthogonal to what they leave.
function leastSeen(found, d) {
  const start = Array.from({ length: d }, (_, k) => 1 / (k + found.length + 1.37));
  const left = orthogonalTo(found, start);
  return scaled(left, 1 / norm(left));
}

function orthogonalTo(found, u) {
  return found.reduce((left, f) => {
    const c = dot(f, left);
    return left.map((x, k) => x - c * f[k]);
  }, u);
}
