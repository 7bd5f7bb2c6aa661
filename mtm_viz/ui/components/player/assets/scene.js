// The picture of one moment: clouds, lines, caps, labels, density. Both ways of drawing (layer.js, flat.js) show it.

import { GRID, densityOf, densityPixels } from "./density.js";
import { fieldGlyphs } from "./field.js";
import { packLines } from "./glyphs.js";
import { meanGlyphs, segmentGlyphs, transportGlyphs } from "./picture.js";
import { trailPieces } from "./trails.js";

const DENSITY_EVERY = 90; // ms: smoothing is the dearest layer and changes slowly

export class Scene {
  constructor(style) {
    this.style = style;
    this.kept = {};
  }

  // state: { run, theme, positions, targets, hidden, shown, colorOf, see, projection, at, moment, read, movers, theta, segment }
  picture(state) {
    const { run, theme, shown, segment } = state;
    // Glyphs that follow the atoms are made anew each moment, the others once a segment.
    const follows = state.read.attention || shown.has("means") || shown.has("trails") || shown.has("transport");
    // At the end nothing runs any more: the result stands alone.
    const over = state.at >= 1;
    const key = [segment, over, theme, run, [...shown].join(), [...state.hidden].join(), state.projection, follows ? state.moment : 0];
    if (!same(this.kept.key, key)) {
      const glyphs = shown.has("glyphs") && !over ? segmentGlyphs(state) : { caps: [], lines: [], labels: [] };
      const polylines = [...glyphs.lines];
      if (shown.has("field") && !over) polylines.push(...fieldGlyphs(state));
      if (shown.has("means")) polylines.push(...meanGlyphs(state));
      if (shown.has("transport")) polylines.push(...transportGlyphs(state));
      const packed = packLines(polylines);
      const trails = shown.has("trails") ? this.trails(state) : null;
      const lines = trails ? joined(trails, packed) : packed;
      this.kept = { key, caps: this.steady(glyphs.caps), labels: glyphs.labels, lines };
    }
    const { caps, labels, lines } = this.kept;
    return { theme, caps, labels, lines, clouds: this.clouds(state), density: this.density(state) };
  }

  // The same array as long as the caps are the same: the layer bakes them with the sphere and compares by identity.
  steady(caps) {
    const key = caps.flatMap(({ a, tau, color }) => [...a, tau, color]);
    if (!same(this.capsKey, key)) Object.assign(this, { capsKey: key, caps });
    return this.caps;
  }

  trails({ run, at, projection, colorOf, hidden, theme, positions }) {
    return trailPieces(run, at, projection, colorOf, hidden, 2.2 * theme.thick, positions);
  }

  clouds({ run, theme, positions, targets, hidden, shown, colorOf, moment }) {
    const { sizes, symbols } = this.style;
    const total = run.measures.reduce((sum, m) => sum + m.count, 0);
    const size = markerSize(total, sizes) * theme.thick;
    const radius = run.dimension === 3 ? sizes.radius : 1;
    const clouds = [];
    run.measures.forEach((measure, m) => {
      if (hidden.has(m)) return;
      const look = { color: colorOf(m), symbol: m % symbols.length, radius, behind: sizes.behind, alpha: 1 };
      if (shown.has("targets") && measure.target.length)
        clouds.push({
          ...look,
          version: targets[m],
          positions: targets[m],
          weights: relative(measure, "targetWeights"),
          size: size * sizes.ghost,
          alpha: 0.85,
          hollow: true,
          still: true,
        });
      const weights = relative(measure, "weights");
      clouds.push({ ...look, measure: m, version: moment, positions: positions[m], weights, size });
    });
    return clouds;
  }

  // -> { pixels, columns, rows, version } or null.
  density({ run, positions, hidden, shown, colorOf, moment, theme }) {
    if (!shown.has("density")) return (this.shade = null);
    const measures = run.measures.map((_, m) => m).filter((m) => !hidden.has(m));
    const key = [theme, run, measures.join()];
    const fresh = this.shade && same(this.shade.key, key);
    if (!fresh || (moment !== this.shade.moment && Math.abs(moment - this.shade.moment) > DENSITY_EVERY)) {
      const grids = measures.map((m) => densityOf(positions[m], run.measures[m].weights));
      this.shade = { key, moment, pixels: densityPixels(grids, measures.map(colorOf)), ...GRID };
    }
    return this.shade;
  }
}

export function markerSize(total, { marker_few, marker_many, many }) {
  const crowd = Math.min(1, Math.log(Math.max(total, 100) / 100) / Math.log(many / 100));
  return marker_few + crowd * (marker_many - marker_few);
}

// Diameter factors: area in proportion to mass. Null when all weigh the same.
function relative(measure, which) {
  const kept = `${which} sizes`;
  if (measure[kept] === undefined) {
    const weights = measure[which];
    const mean = weights.reduce((a, b) => a + b, 0) / weights.length;
    const equal = weights.every((w) => Math.abs(w - mean) < 1e-3 * mean);
    measure[kept] = equal ? null : Float32Array.from(weights, (w) => Math.min(2.5, Math.max(0.35, Math.sqrt(w / mean))));
  }
  return measure[kept];
}

function same(a, b) {
  return a !== undefined && a.length === b.length && a.every((x, k) => x === b[k]);
}

function joined(a, b) {
  const both = new Float32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
