// From the state of a player to one picture: clouds of points, lines, caps. Either way of drawing shows the same picture.

import { angle, norm, scaled, unit } from "./geometry.js";
import { arrow, arrowToward, mark, packLines, straightArrow } from "./glyphs.js";
import { barycentre } from "./motion.js";

// The glyphs of the running segment, in the three coordinates shown.
export function segmentGlyphs({ read, movers, theme, run, see, colorOf, positions, hidden }) {
  const caps = [];
  const lines = [];
  const look = { color: theme.ink, alpha: 0.92, width: 2.1 * theme.thick };
  const onSphere = run.dimension === 3;
  for (const gate of read.gates) {
    const mine = movers.filter((m) => !hidden.has(m.measure));
    const color = mine.length ? colorOf(mine[0].measure) : theme.accent;
    // Above dimension 3 a cap's shadow is no circle: only what moves is drawn.
    if (onSphere) caps.push({ a: gate.a, tau: gate.tau, color });
    const omega = unit(see(gate.drift));
    lines.push(...mark(scaled(omega, 1.012), 0.035, look));
  }
  for (const { measure, from, to } of movers.length <= 24 && read.gates.length ? movers : []) {
    if (hidden.has(measure)) continue;
    lines.push(...arrow(unit(see(from)), unit(see(to)), { color: colorOf(measure), alpha: 1, width: 2.4 * theme.thick }));
  }
  if (read.drift && !read.gates.length) {
    const omega = unit(see(read.drift));
    lines.push(...mark(scaled(omega, 1.012), 0.045, look));
    lines.push(...comb(omega, look));
  }
  if (read.rotation && onSphere) lines.push(...turning(read.rotation, look));
  if (read.attention) {
    run.measures.forEach((measure, m) => {
      if (hidden.has(m)) return;
      lines.push(...pull(positions[m], measure.weights, m, { color: colorOf(m), alpha: 1, width: 2.6 * theme.thick }, read, see, run));
    });
  }
  return { caps, lines };
}

// Six arrows round omega, all pointing to it: a drift that is open everywhere.
function comb(omega, look) {
  const lines = [];
  const e = unit(crossAny(omega));
  const g = [omega[1] * e[2] - omega[2] * e[1], omega[2] * e[0] - omega[0] * e[2], omega[0] * e[1] - omega[1] * e[0]];
  for (let k = 0; k < 6; k++) {
    const t = (k * Math.PI) / 3;
    const x = [0, 1, 2].map((i) => Math.cos(0.75) * omega[i] + Math.sin(0.75) * (Math.cos(t) * e[i] + Math.sin(t) * g[i]));
    lines.push(...arrowToward(x, omega, 0.42, { ...look, alpha: 0.75 }));
  }
  return lines;
}

function crossAny(v) {
  return Math.abs(v[2]) < 0.9 ? [-v[1], v[0], 0] : [0, -v[2], v[1]];
}

// A ring round the axis of a rotation, with two arrow heads in its sense.
function turning({ A }, look) {
  const k = unit([A[2][1], A[0][2], A[1][0]]);
  const e = unit(crossAny(k));
  const g = [k[1] * e[2] - k[2] * e[1], k[2] * e[0] - k[0] * e[2], k[0] * e[1] - k[1] * e[0]];
  const at = (t) => [0, 1, 2].map((i) => Math.cos(0.45) * k[i] + Math.sin(0.45) * (Math.cos(t) * e[i] + Math.sin(t) * g[i]));
  const lines = [{ ...look, points: [scaled(k, 1.0), scaled(k, 1.16)] }];
  for (const start of [0, Math.PI]) {
    const path = Array.from({ length: 22 }, (_, i) => scaled(at(start + (i / 21) * 2.6), 1.012));
    lines.push({ ...look, points: path.slice(0, -3) }, ...arrow(unit(path[18]), unit(path[21]), { ...look, head: 1.6 }));
  }
  return lines;
}

// Attention's pull on a measure's own barycentre: from its direction on the sphere, along P_x V m.
function pull(positions, weights, m, look, read, see, run) {
  const mean = barycentre(positions, weights);
  if (norm(mean) < 1e-3) return [];
  const x = unit(mean);
  const force = read.pullOf ? see(read.pullOf(m)) : mean;
  const along = x.map((v, i) => force[i] - v * force.reduce((s, f, j) => s + f * x[j], 0));
  const size = norm(along);
  if (size < 1e-6 || run.dimension > 3) return mark(x, 0.03, look);
  const reach = Math.min(0.5, 0.16 + 0.3 * size);
  const y = x.map((v, i) => Math.cos(reach) * v + (Math.sin(reach) * along[i]) / size);
  return arrow(x, y, { ...look, width: look.width * 1.15 });
}

export function meanGlyphs(positions, run, theme, colorOf, hidden) {
  return run.measures.flatMap((measure, m) => {
    if (hidden.has(m)) return [];
    const mean = barycentre(positions[m], measure.weights);
    const look = { color: colorOf(m), alpha: 0.9, width: 1.8 * theme.thick };
    return [...straightArrow([0, 0, 0], mean, look), ...mark(mean, 0.03, { ...look, width: look.width * 1.5 })];
  });
}

export { angle, packLines };
