// Glyphs: what the running segment does, where the means are, how optimal transport would have gone.

import { norm, scaled, slerp, unit } from "./geometry.js";
import { arrow, arrowToward, mark, straightArrow } from "./glyphs.js";
import { attention } from "./field.js";
import { barycentre } from "./motion.js";

const MOST_ARROWS = 24;
const MOST_ARCS = 400;

// -> { caps, lines, labels } of the running segment, in the three coordinates shown.
export function segmentGlyphs(state) {
  const { read, movers, theme, run, see, colorOf, hidden } = state;
  const [caps, lines, labels] = [[], [], []];
  const look = { color: theme.ink, alpha: 0.92, width: 2.1 * theme.thick };
  const onSphere = run.dimension === 3;
  const name = (point, text) => labels.push({ point: scaled(point, 1.07), text });
  for (const gate of read.gates) {
    const mine = movers.filter((m) => !hidden.has(m.measure));
    // Above dimension 3 a cap's shadow is no circle: only what moves is drawn.
    if (onSphere) caps.push({ a: gate.a, tau: gate.tau, color: mine.length ? colorOf(mine[0].measure) : theme.accent });
    const omega = unit(see(gate.drift));
    lines.push(...mark(scaled(omega, 1.012), 0.035, look));
    name(omega, "ω");
  }
  const few = read.gates.length && movers.length <= MOST_ARROWS ? movers : [];
  for (const { measure, from, to } of few) {
    if (hidden.has(measure)) continue;
    lines.push(...arrow(unit(see(from)), unit(see(to)), { color: colorOf(measure), alpha: 1, width: 2.4 * theme.thick }));
  }
  if (read.drift && !read.gates.length) {
    const omega = unit(see(read.drift));
    lines.push(...mark(scaled(omega, 1.012), 0.045, look), ...comb(omega, look));
    name(omega, "ω");
  }
  if (read.rotation && onSphere) lines.push(...turning(read.rotation, look));
  if (read.attention) {
    run.measures.forEach((_, m) => {
      if (!hidden.has(m)) lines.push(...pull(state, m, { color: colorOf(m), alpha: 1, width: 3 * theme.thick }));
    });
  }
  return { caps, lines, labels };
}

// A right-handed frame (e, g) of the plane orthogonal to the unit vector k.
function frame(k) {
  const e = unit(Math.abs(k[2]) < 0.9 ? [-k[1], k[0], 0] : [0, -k[2], k[1]]);
  return [e, [k[1] * e[2] - k[2] * e[1], k[2] * e[0] - k[0] * e[2], k[0] * e[1] - k[1] * e[0]]];
}

function circlePoint(k, [e, g], radius, t) {
  return k.map((x, i) => Math.cos(radius) * x + Math.sin(radius) * (Math.cos(t) * e[i] + Math.sin(t) * g[i]));
}

// Six arrows round omega, all pointing to it: a drift that is open everywhere.
function comb(omega, look) {
  const axes = frame(omega);
  return Array.from({ length: 6 }, (_, k) => circlePoint(omega, axes, 0.75, (k * Math.PI) / 3)).flatMap((x) =>
    arrowToward(x, omega, 0.42, { ...look, alpha: 0.75 }),
  );
}

// A ring round the axis of a rotation, two arrow heads in its sense.
function turning({ A }, look) {
  const k = unit([A[2][1], A[0][2], A[1][0]]);
  const axes = frame(k);
  const lines = [{ ...look, points: [k, scaled(k, 1.16)] }];
  for (const start of [0, Math.PI]) {
    const path = Array.from({ length: 22 }, (_, i) => circlePoint(k, axes, 0.45, start + (i / 21) * 2.6));
    lines.push({ ...look, points: path.slice(0, -3).map((p) => scaled(p, 1.012)) });
    lines.push(...arrow(path[18], path[21], { ...look, head: 1.6 }));
  }
  return lines;
}

// Attention's pull on a measure where its barycentre lies: P_x V A_B[mu](x) at x = mean / |mean|.
function pull({ run, positions, theta }, m, look) {
  const { weights } = run.measures[m];
  const mean = barycentre(positions[m], weights);
  if (norm(mean) < 1e-3) return [];
  const x = unit(mean);
  if (run.dimension !== 3) return mark(x, 0.03, look);
  const heard = attention(theta.B, { points: positions[m], weights, d: 3 }, x);
  const force = theta.V.map((row) => row.reduce((sum, v, k) => sum + v * heard[k], 0));
  const away = force.reduce((sum, v, k) => sum + v * x[k], 0);
  const along = force.map((v, k) => v - away * x[k]);
  const size = norm(along);
  if (size < 1e-9) return mark(x, 0.03, look);
  const strength = Math.max(...theta.V.flat().map(Math.abs), 1e-12);
  const reach = Math.min(0.62, 0.2 + (0.9 * size) / strength);
  const y = x.map((v, i) => Math.cos(reach) * v + (Math.sin(reach) * along[i]) / size);
  return [...mark(scaled(x, 1.012), 0.03, look), ...arrow(x, y, { ...look, head: 1.3 })];
}

export function meanGlyphs({ run, positions, theme, colorOf, hidden }) {
  return run.measures.flatMap((measure, m) => {
    if (hidden.has(m)) return [];
    const mean = barycentre(positions[m], measure.weights);
    const look = { color: colorOf(m), alpha: 0.95, width: 2 * theme.thick };
    return [...straightArrow([0, 0, 0], mean, look), ...mark(mean, 0.03, { ...look, width: look.width * 1.5 })];
  });
}

// Displacement interpolation: the great circles of the optimal plan, and where its atoms would be by now.
export function transportGlyphs({ run, theme, colorOf, hidden, starts, targets, at }) {
  const planned = run.measures.map((_, m) => m).filter((m) => !hidden.has(m) && run.measures[m].plan);
  const total = planned.reduce((sum, m) => sum + run.measures[m].count, 0);
  const every = Math.max(1, Math.ceil(total / MOST_ARCS));
  return planned.flatMap((m) => {
    const color = colorOf(m);
    const read = (array, j) => [array[3 * j], array[3 * j + 1], array[3 * j + 2]];
    const lines = [];
    for (let j = 0; j < run.measures[m].count; j += every) {
      const from = read(starts[m], j);
      const to = read(targets[m], run.measures[m].plan[j]);
      const lift = (s) => scaled(run.dimension === 3 ? slerp(from, to, s) : from.map((x, k) => x + s * (to[k] - x)), 1.006);
      lines.push({ color, alpha: 0.3, width: 1.1 * theme.thick, points: Array.from({ length: 15 }, (_, k) => lift(k / 14)) });
      const here = lift(at);
      lines.push({ color, alpha: 0.95, width: 4.5 * theme.thick, points: [here, here.map((x) => x + 1e-5)] });
    }
    return lines;
  });
}
