// The stage: Plotly's scene for the camera, a layer over it for the picture, labels and the atom's tip.

import { Camera, sceneLayout } from "./camera.js";
import { h } from "./dom.js";
import { Flat } from "./flat.js";
import { norm } from "./geometry.js";
import { Layer, webgl2 } from "./layer.js";
import { pickAtom, toScreen } from "./pick.js";

export class Stage {
  // ask(): the picture to draw; describe(pick): lines of text for an atom; onLook(camera): the viewer turned it.
  constructor({ ask, describe, onLook }) {
    Object.assign(this, { ask, describe, onLook });
    this.plot = h("div", { class: "mtm-plot" });
    this.canvas = h("canvas", { class: "mtm-layer" });
    this.labels = h("div", { class: "mtm-labels", "aria-hidden": "true" });
    this.tip = h("div", { class: "mtm-tip", role: "tooltip" });
    this.frame = h("div", { class: "mtm-frame" }, this.plot, this.canvas, this.labels, this.tip);
    this.root = h("div", { class: "mtm-stage" }, this.frame);
    this.view = null;
    this.pointers = new Set();
  }

  async start(plotly, eye) {
    this.plotly = plotly;
    this.home = { x: eye[0], y: eye[1], z: eye[2] };
    const { width, height } = this.size;
    const corner = { type: "scatter3d", mode: "markers", x: [0], y: [0], z: [0], opacity: 0, hoverinfo: "skip" };
    const config = { displayModeBar: false, scrollZoom: true, responsive: false };
    this.busy = plotly.newPlot(this.plot, [corner], { ...sceneLayout(eye), width: width || 400, height: height || 400 }, config);
    await this.busy;
    if (this.disposed) return;
    this.drawer = webgl2(document.createElement("canvas")) ? new Layer(this.canvas) : new Flat(this.canvas, plotly, this.plot);
    this.drawer.resize(width, height);
    this.camera = new Camera(this.plot, (view) => this.looked(view));
    this.view = this.camera.view();
    this.listen();
  }

  get size() {
    const { width, height } = this.frame.getBoundingClientRect();
    return { width, height };
  }

  // After each redraw by Plotly, in the same frame: picture and camera never part.
  looked(view) {
    if (!view || this.disposed) return;
    this.view = view;
    this.draw();
    this.onLook(this);
  }

  draw() {
    const picture = this.ask();
    if (!picture || !this.view) return;
    this.picture = picture;
    this.placeLabels();
    this.drawer.draw(picture, this.view);
  }

  resize() {
    const { width, height } = this.size;
    if (!width || !height || !this.camera) return false;
    this.drawer.resize(width, height);
    this.busy = Promise.all([this.busy, this.camera.resize(width, height)]);
    return true;
  }

  placeLabels() {
    const { width, height } = this.size;
    const wanted = this.picture?.labels || [];
    while (this.labels.children.length < wanted.length) this.labels.append(h("span", {}));
    [...this.labels.children].forEach((span, k) => {
      const label = wanted[k];
      span.hidden = !label;
      if (!label) return;
      const at = toScreen(this.view, label.point, width, height);
      if (span.textContent !== label.text) span.textContent = label.text;
      span.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px)`;
      span.style.opacity = at.front ? 1 : 0.4;
    });
  }

  listen() {
    const { plot } = this;
    // Plotly zooms on every wheel event: a page scrolls past the player unless the player has the focus.
    const player = this.root.closest(".mtm-player");
    plot.addEventListener("wheel", (event) => !player.contains(document.activeElement) && event.stopPropagation(), { capture: true });
    plot.addEventListener("pointerdown", (event) => this.pointers.add(event.pointerId), true);
    const gone = (event) => this.pointers.delete(event.pointerId);
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, gone);
    this.forget = () => ["pointerup", "pointercancel"].forEach((name) => window.removeEventListener(name, gone));
    plot.addEventListener("pointerdown", () => player.focus({ preventScroll: true }));
    plot.addEventListener("pointermove", (event) => this.explain(event));
    plot.addEventListener("pointerleave", () => this.tip.classList.remove("mtm-shown"));
    plot.addEventListener("dblclick", () => this.camera.set({ eye: this.home }));
    this.listenToPinch();
  }

  // Plotly turns with one finger; two fingers zoom here.
  listenToPinch() {
    let apart = null;
    const spread = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    const options = { capture: true, passive: false };
    const move = (event) => {
      if (event.touches.length !== 2) return (apart = null);
      event.preventDefault();
      event.stopPropagation();
      const now = spread([...event.touches]);
      if (apart) this.zoom(apart / now);
      return (apart = now);
    };
    for (const name of ["touchstart", "touchmove", "touchend"]) this.plot.addEventListener(name, move, options);
  }

  zoom(by) {
    const { eye } = this.camera.get();
    const far = norm([eye.x, eye.y, eye.z]);
    const factor = Math.min(4, Math.max(0.8, far * by)) / far;
    this.camera.set({ eye: { x: eye.x * factor, y: eye.y * factor, z: eye.z * factor } });
  }

  explain(event) {
    if (this.pointers.size || !this.picture || !this.view) return this.tip.classList.remove("mtm-shown");
    const box = this.plot.getBoundingClientRect();
    const atoms = this.picture.clouds.filter((cloud) => cloud.measure !== undefined);
    const found = pickAtom(this.view, atoms, event.clientX - box.left, event.clientY - box.top, box.width, box.height);
    this.tip.classList.toggle("mtm-shown", found !== null);
    if (!found) return undefined;
    const [title, ...lines] = this.describe(found);
    this.tip.replaceChildren(h("strong", {}, title), ...lines.map((line) => h("div", {}, line)));
    const { offsetWidth, offsetHeight } = this.tip;
    const left = found.x + 14 + offsetWidth > box.width ? found.x - 14 - offsetWidth : found.x + 14;
    const top = Math.min(Math.max(0, found.y - offsetHeight / 2), box.height - offsetHeight);
    Object.assign(this.tip.style, { left: `${Math.max(0, left)}px`, top: `${top}px` });
    return undefined;
  }

  dispose() {
    this.disposed = true;
    this.forget?.();
    this.drawer?.dispose();
    // Plotly works on after it has answered, and stumbles over a plot that is purged under its hands.
    this.busy?.finally(() => this.plotly.purge(this.plot));
  }
}
