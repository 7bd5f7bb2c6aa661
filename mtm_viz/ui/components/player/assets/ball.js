// Plotly's own sphere and graticule, shown where WebGL2 is missing: still while playing, redrawn only when turned.

import { capCircle } from "./geometry.js";

export function ballTraces(theme) {
  return [sphere(theme), graticule(theme)];
}

// A coarse ball, lit smoothly: a fifth of the faces of Plotly's usual surface.
function sphere(theme) {
  const [columns, rows] = [44, 22];
  const [x, y, z, i, j, k] = [[], [], [], [], [], []];
  for (let r = 0; r <= rows; r++)
    for (let c = 0; c < columns; c++) {
      const [t, f] = [(Math.PI * r) / rows, (2 * Math.PI * c) / columns];
      x.push(0.99 * Math.sin(t) * Math.cos(f));
      y.push(0.99 * Math.sin(t) * Math.sin(f));
      z.push(0.99 * Math.cos(t));
      if (r === rows) continue;
      const [a, b] = [r * columns + c, r * columns + ((c + 1) % columns)];
      i.push(a, b);
      j.push(b, b + columns);
      k.push(a + columns, a + columns);
    }
  const lighting = { ambient: 0.9, diffuse: 0.16, specular: 0.06, roughness: 0.7, fresnel: 0.08 };
  return { type: "mesh3d", x, y, z, i, j, k, color: theme.sphere, opacity: 0.85, lighting, hoverinfo: "skip", flatshading: false };
}

function graticule(theme) {
  const lines = [];
  for (let c = 0; c < 6; c++) {
    const a = (c * Math.PI) / 6;
    const around = Array.from({ length: 49 }, (_, s) => (s * Math.PI) / 24);
    lines.push(around.map((t) => [Math.cos(a) * Math.sin(t), Math.sin(a) * Math.sin(t), Math.cos(t)]));
  }
  for (const z of [-0.8660254, -0.5, 0, 0.5, 0.8660254]) lines.push(capCircle([0, 0, 1], z, 48));
  const data = { x: [], y: [], z: [] };
  for (const points of lines) {
    for (const p of points) ["x", "y", "z"].forEach((key, k) => data[key].push(p[k]));
    for (const key of ["x", "y", "z"]) data[key].push(null);
  }
  return { ...data, type: "scatter3d", mode: "lines", hoverinfo: "skip", line: { color: theme.graticule, width: 1 }, opacity: 0.5 };
}
