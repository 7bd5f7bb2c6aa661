// Lines drawn on the sphere: polylines as { points, color, alpha, width }, packed for the layer or given to Plotly.

import { angle, arc, cross, minus, norm, orthogonal, plus, rgb, scaled, slerp, unit } from "./geometry.js";

const LIFT = 1.012;

export function packLines(polylines) {
  const count = polylines.reduce((sum, line) => sum + Math.max(0, line.points.length - 1), 0);
  const packed = new Float32Array(count * 11);
  let at = 0;
  for (const { points, color, alpha = 1, width = 2, fade = false } of polylines) {
    const [r, g, b] = rgb(color);
    for (let k = 0; k + 1 < points.length; k++) {
      const a = fade ? (alpha * (k + 1)) / points.length : alpha;
      packed.set([...points[k], ...points[k + 1], r, g, b, a, width], at);
      at += 11;
    }
  }
  return packed;
}

// An arrow along the great circle from x toward omega, `length` radians long, stopping short of omega.
export function arrowToward(x, omega, length, look) {
  const gap = angle(x, omega);
  if (gap < 1e-3) return [];
  const end = slerp(x, omega, Math.min(1, length / gap));
  return arrow(x, end, look);
}

export function arrow(x, y, look) {
  if (angle(x, y) < 1e-4) return [];
  const shaft = arc(x, y, 20).map((p) => scaled(p, LIFT));
  const back = unit(minus(slerp(x, y, 0.9), y));
  const side = unit(cross(y, back));
  const head = Math.min(0.075, 0.45 * angle(x, y)) * (look.head || 1);
  const barb = (s) => scaled(unit(plus(y, plus(scaled(back, head), scaled(side, s * head * 0.55)))), LIFT);
  const tip = scaled(y, LIFT);
  return [
    { ...look, points: shaft },
    { ...look, points: [barb(1), tip, barb(-1)] },
  ];
}

// A straight arrow in space, for means that lie inside the ball.
export function straightArrow(from, to, look) {
  const along = minus(to, from);
  const length = norm(along);
  if (length < 1e-4) return [];
  const back = scaled(along, -1 / length);
  const side = orthogonal(back);
  const head = Math.min(0.07, length * 0.45);
  const barb = (s) => plus(to, plus(scaled(back, head), scaled(side, s * head * 0.5)));
  return [
    { ...look, points: [from, to] },
    { ...look, points: [barb(1), to, barb(-1)] },
  ];
}

export function mark(point, size, look) {
  const e = orthogonal(unit(norm(point) > 1e-9 ? point : [0, 0, 1]));
  const g = cross(unit(norm(point) > 1e-9 ? point : [0, 0, 1]), e);
  return [e, g].map((v) => ({ ...look, points: [plus(point, scaled(v, -size)), plus(point, scaled(v, size))] }));
}

