// Which atom lies under the pointer: the nearest on the viewer's side, by projecting all of them.

import { transform } from "./geometry.js";

export const REACH = 14;

// Screen place (CSS pixels) of a point, and whether it is on the viewer's side of the sphere.
export function toScreen(view, [x, y, z], width, height) {
  const [cx, cy, , cw] = transform(view.matrix, [x, y, z]);
  const { eye } = view;
  const front = x * eye[0] + y * eye[1] + z * eye[2] > x * x + y * y + z * z - 1e-9;
  return { x: ((cx / cw + 1) / 2) * width, y: ((1 - cy / cw) / 2) * height, front };
}

export function pickAtom(view, clouds, px, py, width, height, reach = REACH) {
  let best = null;
  let nearest = reach * reach;
  for (const { measure, positions } of clouds) {
    for (let j = 0; j < positions.length / 3; j++) {
      const at = toScreen(view, [positions[3 * j], positions[3 * j + 1], positions[3 * j + 2]], width, height);
      const far = (at.x - px) ** 2 + (at.y - py) ** 2;
      if (at.front && far < nearest) {
        nearest = far;
        best = { measure, atom: j, x: at.x, y: at.y };
      }
    }
  }
  return best;
}
