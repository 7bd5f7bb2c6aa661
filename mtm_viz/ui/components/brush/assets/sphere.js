// The unit sphere seen from far away: orthographic projection and its inverse in closed form, caps, arcs and outlines.

export const DEG = Math.PI / 180;

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const mix = (a, s, b, t) => [s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]];

export function unit(a) {
  const length = Math.hypot(a[0], a[1], a[2]) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}

// In a form that small angles survive.
export function angle(a, b) {
  const minus = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  const plus = Math.hypot(a[0] + b[0], a[1] + b[1], a[2] + b[2]);
  return 2 * Math.atan2(minus, plus);
}

export function fromLonLat(lon, lat) {
  return [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
}

export const lonLat = ([x, y, z]) => [Math.atan2(y, x), Math.atan2(z, Math.hypot(x, y))];

// What the viewer above (lon, lat) sees: unit vectors to the right, up and toward the eye. North stays up.
export function frame(lon, lat) {
  const toward = fromLonLat(lon, lat);
  const right = [-Math.sin(lon), Math.cos(lon), 0];
  return { right, up: cross(toward, right), toward };
}

export const project = (view, p) => [dot(view.right, p), dot(view.up, p), dot(view.toward, p)];

// The point of the front half over the disc's (x, y), or null off the disc.
export function pick(view, x, y) {
  const rest = 1 - x * x - y * y;
  if (rest < 0) return null;
  const z = Math.sqrt(rest);
  return unit([0, 1, 2].map((k) => x * view.right[k] + y * view.up[k] + z * view.toward[k]));
}

export function tangentPair(c) {
  const axis = Math.abs(c[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const east = unit(cross(axis, c));
  return [east, cross(c, east)];
}

// The point at angle r from c in the direction phi of its tangent pair.
export function at(c, r, phi) {
  const [e, f] = tangentPair(c);
  return unit(mix(c, Math.cos(r), mix(e, Math.cos(phi), f, Math.sin(phi)), Math.sin(r)));
}

// Uniform in the cap of radius r about c.
export function inCap(c, r, random) {
  const h = random() * Math.sin(r / 2) ** 2;
  return at(c, 2 * Math.asin(Math.sqrt(h)), 2 * Math.PI * random());
}

export function slerp(a, b, s) {
  const theta = angle(a, b);
  if (theta < 1e-9) return a;
  // Antipodes have no one great circle: take the one over a's own east.
  const e = theta > Math.PI - 1e-6 ? tangentPair(a)[0] : unit(mix(b, 1, a, -dot(a, b)));
  return unit(mix(a, Math.cos(s * theta), e, Math.sin(s * theta)));
}

export function capCircle(c, r, pieces = 64) {
  return Array.from({ length: pieces + 1 }, (_, k) => at(c, r, (2 * Math.PI * k) / pieces));
}

// p turned about the unit axis k.
export function turn(p, k, phi) {
  const c = Math.cos(phi);
  return unit(mix(mix(p, c, cross(k, p), Math.sin(phi)), 1, k, dot(k, p) * (1 - c)));
}

// The rotation that carries a to b along their geodesic, as a function of points.
export function carrying(a, b) {
  const theta = angle(a, b);
  const axis = cross(a, b);
  if (theta < 1e-12 || Math.hypot(...axis) < 1e-12) return (p) => p;
  const k = unit(axis);
  return (p) => turn(p, k, theta);
}

// Distances from c multiplied by s along the geodesics, at most to the antipode.
export function scaledAbout(c, s) {
  return (p) => {
    const theta = angle(c, p);
    if (theta < 1e-9 || theta > Math.PI - 1e-9) return p;
    const e = unit(mix(p, 1, c, -dot(c, p)));
    const far = Math.min(theta * s, Math.PI - 1e-6);
    return unit(mix(c, Math.cos(far), e, Math.sin(far)));
  };
}

export function middle(points) {
  const sum = points.reduce((a, p) => mix(a, 1, p, 1), [0, 0, 0]);
  return Math.hypot(...sum) < 1e-9 ? [1, 0, 0] : unit(sum);
}

export function lengthOf(path) {
  return path.slice(1).reduce((sum, p, k) => sum + angle(path[k], p), 0);
}

// n middles of equal pieces of a path.
export function evenly(path, n) {
  const total = lengthOf(path);
  if (total === 0) return [path[0]];
  const points = [];
  let k = 0;
  let before = 0;
  let piece = angle(path[0], path[1]);
  for (let j = 0; j < n; j++) {
    const aim = ((j + 0.5) / n) * total;
    while (before + piece < aim && k < path.length - 2) {
      before += piece;
      k += 1;
      piece = angle(path[k], path[k + 1]);
    }
    points.push(slerp(path[k], path[k + 1], piece ? Math.min(1, (aim - before) / piece) : 0));
  }
  return points;
}

// A closed outline, laid flat by Lambert's equal-area map about its middle: areas and uniform laws are those of the sphere.
export class Outline {
  constructor(vertices) {
    this.centre = middle(vertices);
    this.pair = tangentPair(this.centre);
    this.flat = vertices.map((p) => this.lay(p));
    let twice = 0;
    this.flat.forEach(([x, y], k) => {
      const [u, v] = this.flat[(k + 1) % this.flat.length];
      twice += x * v - u * y;
    });
    this.area = Math.abs(twice) / 2;
  }

  lay(p) {
    const scale = Math.SQRT2 / Math.sqrt(Math.max(1e-12, 1 + dot(p, this.centre)));
    return [scale * dot(p, this.pair[0]), scale * dot(p, this.pair[1])];
  }

  lift([x, y]) {
    const square = x * x + y * y;
    const side = Math.sqrt(Math.max(0, 1 - square / 4));
    return unit(mix(mix(this.pair[0], x * side, this.pair[1], y * side), 1, this.centre, 1 - square / 2));
  }

  holds(p) {
    return inside(this.flat, this.lay(p));
  }

  // Uniform in the outline; null where chance never meets so thin a shape.
  sample(random) {
    const xs = this.flat.map((q) => q[0]);
    const ys = this.flat.map((q) => q[1]);
    const [left, low] = [Math.min(...xs), Math.min(...ys)];
    const [wide, high] = [Math.max(...xs) - left, Math.max(...ys) - low];
    for (let tries = 0; tries < 400; tries++) {
      const q = [left + wide * random(), low + high * random()];
      if (Math.hypot(...q) < 2 && inside(this.flat, q)) return this.lift(q);
    }
    return null;
  }
}

// Even-odd rule.
function inside(polygon, [x, y]) {
  let odd = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [a, b] = polygon[i];
    const [c, d] = polygon[j];
    if (b > y !== d > y && x < ((c - a) * (y - b)) / (d - b) + a) odd = !odd;
  }
  return odd;
}

// Of a few candidates the one farthest from what is there already: even, without a pattern.
export function farthest(draw, there, tries = 6) {
  let best = null;
  let gap = -1;
  const near = there.slice(-160);
  for (let k = 0; k < tries; k++) {
    const p = draw();
    if (!p) return null;
    const nearest = near.reduce((least, q) => Math.min(least, 1 - dot(p, q)), 2);
    if (nearest > gap) [best, gap] = [p, nearest];
  }
  return best;
}
