// Where atoms have just been: short fading paths behind those that moved within the last part of the film.

import { placeAt } from "./clock.js";
import { rgb } from "./geometry.js";
import { positionsAt } from "./motion.js";

const SAMPLES = 10;
const SPAN = 0.035;
const MOST = 12000;

// -> Float32Array of line pieces (layout of layer.js), older ones fainter.
export function trailPieces(run, at, projection, colorOf, hidden, width, positions) {
  const shown = run.measures.map((_, m) => m).filter((m) => !hidden.has(m));
  const total = shown.reduce((sum, m) => sum + run.measures[m].count, 0);
  // Past a few thousand atoms every k-th leaves a trail: more would be fog.
  const every = Math.max(1, Math.ceil((total * SAMPLES) / MOST));
  const pieces = [];
  for (const m of shown) {
    const measure = run.measures[m];
    let near = positions[m];
    const [r, g, b] = rgb(colorOf(m));
    for (let k = 1; k <= SAMPLES; k++) {
      const before = at - (SPAN * k) / SAMPLES;
      if (before < -SPAN / SAMPLES) break;
      const { f, part } = placeAt(run.display, Math.max(0, before));
      const far = positionsAt(run, measure, f, part, projection, new Float32Array(3 * measure.count));
      const alpha = 0.6 * (1 - (k - 1) / SAMPLES);
      for (let j = 0; j < measure.count; j += every) {
        const o = 3 * j;
        const moved = Math.abs(near[o] - far[o]) + Math.abs(near[o + 1] - far[o + 1]) + Math.abs(near[o + 2] - far[o + 2]);
        if (moved > 1e-4)
          pieces.push(near[o], near[o + 1], near[o + 2], far[o], far[o + 1], far[o + 2], r, g, b, alpha, width * (1 - (0.6 * k) / SAMPLES));
      }
      near = far;
    }
  }
  return new Float32Array(pieces);
}
