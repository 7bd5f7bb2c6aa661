// Each measure smoothed on the sphere: a sum of bumps exp(kappa (<x,y> - 1)) on a grid of longitudes and latitudes.

import { rgb } from "./geometry.js";

export const GRID = { columns: 128, rows: 64 };
const KAPPA = 55;
const REACH = 0.36; // radians; beyond, a bump is under 3% of its top

const cells = Array.from({ length: GRID.rows }, (_, r) => ((r + 0.5) / GRID.rows - 0.5) * Math.PI);
const cosLon = Float64Array.from({ length: GRID.columns }, (_, c) => Math.cos(((c + 0.5) / GRID.columns - 0.5) * 2 * Math.PI));
const sinLon = Float64Array.from({ length: GRID.columns }, (_, c) => Math.sin(((c + 0.5) / GRID.columns - 0.5) * 2 * Math.PI));

export function densityOf(positions, weights, into = new Float32Array(GRID.columns * GRID.rows)) {
  into.fill(0);
  const { columns, rows } = GRID;
  for (let j = 0; j < weights.length; j++) {
    const [x, y, z] = [positions[3 * j], positions[3 * j + 1], positions[3 * j + 2]];
    const away = Math.sqrt(x * x + y * y);
    const longitude = Math.atan2(y, x);
    for (let r = 0; r < rows; r++) {
      const [c, s] = [Math.cos(cells[r]), Math.sin(cells[r])];
      // <x, y> >= cos(REACH) bounds the longitudes of this row; a bump over a pole takes them all.
      const edge = (Math.cos(REACH) - s * z) / Math.max(c * away, 1e-12);
      if (edge >= 1) continue;
      const half = edge <= -1 ? columns / 2 : Math.min(columns / 2, Math.ceil((Math.acos(edge) * columns) / (2 * Math.PI)));
      const middle = Math.floor((longitude / (2 * Math.PI) + 0.5) * columns);
      for (let k = -half; k < half; k++) {
        const col = (middle + k + columns) % columns;
        const inner = c * (cosLon[col] * x + sinLon[col] * y) + s * z;
        into[r * columns + col] += weights[j] * Math.exp(KAPPA * (inner - 1));
      }
    }
  }
  return into;
}

// Premultiplied RGBA: colours of the measures mixed by their densities, opacity by the total.
export function densityPixels(densities, colors) {
  const size = GRID.columns * GRID.rows;
  const pixels = new Uint8Array(4 * size);
  const paints = colors.map(rgb);
  let top = 1e-12;
  for (let k = 0; k < size; k++) top = Math.max(top, densities.reduce((sum, d) => Math.max(sum, d[k]), 0));
  for (let k = 0; k < size; k++) {
    let total = 0;
    const mixed = [0, 0, 0];
    densities.forEach((d, m) => {
      total += d[k];
      for (let i = 0; i < 3; i++) mixed[i] += d[k] * paints[m][i];
    });
    if (total < 1e-6 * top) continue;
    const alpha = 0.85 * Math.min(1, Math.sqrt(total / top));
    for (let i = 0; i < 3; i++) pixels[4 * k + i] = Math.round((255 * alpha * mixed[i]) / total);
    pixels[4 * k + 3] = Math.round(255 * alpha);
  }
  return pixels;
}
