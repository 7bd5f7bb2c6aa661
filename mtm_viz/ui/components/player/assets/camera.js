// Plotly's 3D scene: it owns the camera (turning, zooming, touch) and tells, on every redraw, how it looks now.

import { invert, multiply, norm, transform, unit } from "./geometry.js";

export const SPAN = 1.22;

export function sceneLayout(eye) {
  const axis = () => ({ visible: false, range: [-SPAN, SPAN], autorange: false, showspikes: false });
  return {
    margin: { l: 0, r: 0, t: 0, b: 0 },
    paper_bgcolor: "rgba(0,0,0,0)",
    showlegend: false,
    hovermode: false,
    uirevision: "camera",
    scene: {
      xaxis: axis(),
      yaxis: axis(),
      zaxis: axis(),
      aspectmode: "cube",
      bgcolor: "rgba(0,0,0,0)",
      dragmode: "turntable",
      uirevision: "camera",
      camera: { eye: { x: eye[0], y: eye[1], z: eye[2] }, up: { x: 0, y: 0, z: 1 }, center: { x: 0, y: 0, z: 0 } },
    },
  };
}

export class Camera {
  // `onLook` is called after each redraw of the scene with the current view.
  constructor(plot, onLook) {
    this.plot = plot;
    this.onLook = onLook;
    this.hook();
    plot.on("plotly_afterplot", () => this.hook());
  }

  get scene() {
    return this.plot._fullLayout.scene._scene;
  }

  hook() {
    const { glplot } = this.scene;
    if (!glplot || glplot.onrender?.watched) return;
    const before = glplot.onrender;
    glplot.onrender = () => {
      before?.();
      this.onLook(this.view());
    };
    glplot.onrender.watched = true;
  }

  // matrix: data to clip space; eye in data space; light fixed to the viewer's upper left.
  view() {
    const { projection, view, model } = this.scene.glplot.cameraParams;
    const toEye = multiply(view, model);
    const matrix = multiply(projection, toEye);
    const inverse = invert(matrix);
    const fromEye = invert(toEye);
    if (!inverse || !fromEye) return null;
    const eye = transform(fromEye, [0, 0, 0]).slice(0, 3);
    const turn = (v) => unit(transform(fromEye, v, 0).slice(0, 3));
    const far = norm(eye);
    // The silhouette of the unit sphere seen from distance `far`, in clip units across and up.
    const depth = transform(matrix, [0, 0, 0])[3];
    const grow = 1 / Math.sqrt(Math.max(1e-3, 1 - 1 / (far * far)));
    const scale = Math.hypot(toEye[0], toEye[1], toEye[2]);
    return {
      matrix,
      matrix32: new Float32Array(matrix),
      inverse,
      inverse32: new Float32Array(inverse),
      eye,
      light: turn([-0.45, 0.62, 0.64]),
      right: turn([1, 0, 0]),
      up: turn([0, 1, 0]),
      depthOfCentre: depth,
      screenRadius: [0, 5].map((k) => (projection[k] * scale * grow) / depth),
    };
  }

  get() {
    return this.scene.getCamera();
  }

  set(camera) {
    const { scene } = this;
    scene.setViewport({ camera: { ...this.get(), ...camera }, aspectratio: scene.glplot.getAspectratio() });
    scene.saveLayout?.(this.plot.layout);
    scene.glplot.redraw();
  }

  resize(width, height) {
    return window.Plotly.relayout(this.plot, { width, height });
  }
}

export function validCamera(numbers) {
  const ok = numbers.length === 3 && numbers.every(Number.isFinite);
  const far = ok ? norm(numbers) : 0;
  return far > 0.3 && far < 20 ? { eye: { x: numbers[0], y: numbers[1], z: numbers[2] } } : null;
}
