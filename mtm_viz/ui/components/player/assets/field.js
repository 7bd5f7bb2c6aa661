// The velocity of the running segment at sparse points of the sphere: P_x (V A_B[mu](x) + W (U x + b)_+).

import { dot, norm, unit } from "./geometry.js";
import { arrow } from "./glyphs.js";

const times = (A, x) => A.map((row) => dot(row, x));

export function fibonacci(n) {
  const golden = Math.PI * (3 - Math.sqrt(5));
  return Array.from({ length: n }, (_, k) => {
    const z = 1 - (2 * k + 1) / n;
    const r = Math.sqrt(1 - z * z);
    return [r * Math.cos(golden * k), r * Math.sin(golden * k), z];
  });
}

// atoms: { points: Float array (n d), weights, d } or null where attention is off.
export function velocity(theta, atoms, x) {
  const gates = times(theta.U, x).map((u, r) => Math.max(0, u + theta.b[r]));
  let v = times(theta.W, gates);
  if (atoms) {
    const pulled = times(theta.V, attention(theta.B, atoms, x));
    v = v.map((y, i) => y + pulled[i]);
  }
  const away = dot(v, x);
  return v.map((y, i) => y - away * x[i]);
}

export function attention(B, { points, weights, d }, x) {
  const query = times(B, x);
  const logits = Float64Array.from(weights, (_, j) => {
    let sum = 0;
    for (let k = 0; k < d; k++) sum += query[k] * points[j * d + k];
    return sum;
  });
  const top = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const mean = new Array(d).fill(0);
  let total = 0;
  for (let j = 0; j < weights.length; j++) {
    const w = weights[j] * Math.exp(logits[j] - top);
    total += w;
    for (let k = 0; k < d; k++) mean[k] += w * points[j * d + k];
  }
  return mean.map((m) => m / total);
}

// Arrows in dimension 3: one field where attention is off, one a measure where it is on.
export function fieldGlyphs({ theta, read, run, positions, colorOf, hidden, theme }) {
  if (run.dimension !== 3) return [];
  const shown = run.measures.map((_, m) => m).filter((m) => !hidden.has(m));
  const fields = read.attention
    ? shown.map((m) => ({ color: colorOf(m), atoms: { points: positions[m], weights: run.measures[m].weights, d: 3 } }))
    : [{ color: theme.quiet, atoms: null }];
  const places = fibonacci(Math.round(240 / Math.max(1, fields.length)));
  const arrows = fields.flatMap(({ color, atoms }) => places.map((x) => ({ x, v: velocity(theta, atoms, x), color })));
  const top = Math.max(...arrows.map(({ v }) => norm(v)), 1e-12);
  return arrows.flatMap(({ x, v, color }) => {
    const share = norm(v) / top;
    if (share < 0.02) return [];
    const reach = 0.17 * Math.sqrt(share);
    const way = unit(v);
    const y = x.map((c, i) => Math.cos(reach) * c + Math.sin(reach) * way[i]);
    return arrow(x, y, { color, alpha: 0.35 + 0.5 * share, width: 1.5 * theme.thick, head: 0.55 });
  });
}

