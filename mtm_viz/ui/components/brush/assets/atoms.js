// The atoms being drawn: points and weights that are replaced, never changed, so that a step of history is a reference.

export const MOST_STEPS = 50;

export const empty = () => ({ points: [], weights: [] });

export function added(atoms, points, weights) {
  return { points: [...atoms.points, ...points], weights: [...atoms.weights, ...weights] };
}

export function kept(atoms, keep) {
  const places = atoms.points.map((_, k) => k).filter(keep);
  return { points: places.map((k) => atoms.points[k]), weights: places.map((k) => atoms.weights[k]) };
}

// Some points moved by a map; `which` null means all.
export function moved(atoms, which, map) {
  return { points: atoms.points.map((p, k) => (!which || which.has(k) ? map(p) : p)), weights: atoms.weights };
}

export function weighted(atoms, which, factor) {
  return { points: atoms.points, weights: atoms.weights.map((w, k) => (!which || which.has(k) ? w * factor : w)) };
}

export class History {
  constructor(atoms) {
    this.steps = [atoms];
    this.now = 0;
  }

  get atoms() {
    return this.steps[this.now];
  }

  get canUndo() {
    return this.now > 0;
  }

  get canRedo() {
    return this.now < this.steps.length - 1;
  }

  push(atoms) {
    this.steps = [...this.steps.slice(0, this.now + 1), atoms].slice(-MOST_STEPS - 1);
    this.now = this.steps.length - 1;
  }

  undo() {
    if (this.canUndo) this.now -= 1;
  }

  redo() {
    if (this.canRedo) this.now += 1;
  }
}

// Seeded, so that the same strokes give the same atoms.
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// float64, little-endian, base64: every bit of a point arrives.
export function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Float64Array(bytes.buffer);
}

export function pack(numbers) {
  const bytes = new Uint8Array(Float64Array.from(numbers).buffer);
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(text);
}

export function rows(numbers) {
  return Array.from({ length: numbers.length / 3 }, (_, k) => [numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]]);
}
