// Vectors, great circles and 4x4 matrices (column-major, as WebGL and Plotly keep them).

export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
export const norm = (a) => Math.sqrt(dot(a, a));
export const scaled = (a, c) => a.map((x) => x * c);
export const plus = (a, b) => a.map((x, i) => x + b[i]);
export const minus = (a, b) => a.map((x, i) => x - b[i]);
export const unit = (a) => scaled(a, 1 / (norm(a) || 1));
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

// The angle between unit vectors in a form that small angles survive.
export const angle = (a, b) => 2 * Math.atan2(norm(minus(a, b)), norm(plus(a, b)));

// Any unit vector orthogonal to a.
export function orthogonal(a) {
  const k = a.reduce((best, x, i) => (Math.abs(x) < Math.abs(a[best]) ? i : best), 0);
  const axis = a.map((_, i) => (i === k ? 1 : 0));
  return unit(minus(axis, scaled(a, dot(a, axis))));
}

export function slerp(a, b, s) {
  const theta = angle(a, b);
  if (theta < 1e-6) return [...a];
  if (theta > Math.PI - 1e-6) return plus(scaled(a, Math.cos(s * Math.PI)), scaled(orthogonal(a), Math.sin(s * Math.PI)));
  const c = Math.sin(theta);
  return plus(scaled(a, Math.sin((1 - s) * theta) / c), scaled(b, Math.sin(s * theta) / c));
}

// The boundary of {<a,x> = tau} on the 2-sphere, a unit: a closed polyline.
export function capCircle(a, tau, pieces = 72) {
  const r = Math.sqrt(Math.max(0, 1 - tau * tau));
  const e = orthogonal(a);
  const g = cross(a, e);
  return Array.from({ length: pieces + 1 }, (_, k) => {
    const t = (2 * Math.PI * k) / pieces;
    return a.map((x, i) => tau * x + r * (Math.cos(t) * e[i] + Math.sin(t) * g[i]));
  });
}

export function arc(a, b, pieces = 24) {
  return Array.from({ length: pieces + 1 }, (_, k) => slerp(a, b, k / pieces));
}

// --- 4x4 ---------------------------------------------------------------------------------------------------------

export function multiply(a, b) {
  const c = new Float64Array(16);
  for (let j = 0; j < 4; j++)
    for (let i = 0; i < 4; i++) for (let k = 0; k < 4; k++) c[4 * j + i] += a[4 * k + i] * b[4 * j + k];
  return c;
}

export function transform(m, [x, y, z], w = 1) {
  return [0, 1, 2, 3].map((i) => m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i] * w);
}

// Gauss-Jordan with pivots; null for a singular matrix.
export function invert(m) {
  const a = Array.from({ length: 4 }, (_, i) =>
    Array.from({ length: 8 }, (_, j) => (j < 4 ? m[4 * j + i] : j - 4 === i ? 1 : 0)),
  );
  for (let c = 0; c < 4; c++) {
    let best = c;
    for (let r = c; r < 4; r++) if (Math.abs(a[r][c]) > Math.abs(a[best][c])) best = r;
    if (Math.abs(a[best][c]) < 1e-14) return null;
    [a[c], a[best]] = [a[best], a[c]];
    const pivot = a[c][c];
    for (let j = 0; j < 8; j++) a[c][j] /= pivot;
    for (let r = 0; r < 4; r++) {
      if (r === c) continue;
      const f = a[r][c];
      for (let j = 0; j < 8; j++) a[r][j] -= f * a[c][j];
    }
  }
  const inverse = new Float64Array(16);
  for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) inverse[4 * j + i] = a[i][4 + j];
  return inverse;
}

export const rgb = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);
