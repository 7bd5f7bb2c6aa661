// A WebGL2 canvas over Plotly's scene: same camera, everything that moves. Plotly keeps turning, zooming and touch.

import { rgb } from "./geometry.js";
import * as shaders from "./shaders.js";

export function webgl2(canvas) {
  const options = { alpha: true, antialias: false, premultipliedAlpha: true };
  return canvas.getContext("webgl2", options);
}

export class Layer {
  constructor(canvas) {
    this.canvas = canvas;
    this.gl = webgl2(canvas);
    if (!this.gl) throw new Error("WebGL2 is missing");
    this.buffers = new Map();
    this.start();
    // A lost context (too many tabs, a sleeping laptop) comes back empty: compile again and go on.
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.start());
  }

  start() {
    const { gl } = this;
    this.buffers.clear();
    this.baked = this.plateSize = null;
    this.plate = gl.createTexture();
    this.frame = gl.createFramebuffer();
    this.copy = program(gl, shaders.SPHERE_VERTEX, shaders.COPY_FRAGMENT);
    this.sphere = program(gl, shaders.SPHERE_VERTEX, shaders.SPHERE_FRAGMENT);
    this.halo = program(gl, shaders.SPHERE_VERTEX, shaders.HALO_FRAGMENT);
    this.lines = program(gl, shaders.LINE_VERTEX, shaders.LINE_FRAGMENT);
    this.points = program(gl, shaders.POINT_VERTEX, shaders.POINT_FRAGMENT);
    this.quad = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.quad);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), gl.STATIC_DRAW);
    this.disc = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.disc);
    gl.bufferData(gl.ARRAY_BUFFER, discCorners(), gl.STATIC_DRAW);
    this.texture = gl.createTexture();
    this.shade(new Uint8Array(4), 1, 1);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  resize(width, height) {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== h) Object.assign(this.canvas, { width: w, height: h });
    this.ratio = ratio;
  }

  // Density as premultiplied RGBA over longitude (x) and latitude (y).
  shade(pixels, width, height) {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.REPEAT);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  }

  // picture: { theme, caps, lines, clouds, density } ; view: { matrix, inverse, eye, light }
  draw(picture, view) {
    const { gl } = this;
    if (gl.isContextLost()) return;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (picture.density && picture.density !== this.shaded) {
      this.shaded = picture.density;
      this.shade(picture.density.pixels, picture.density.columns, picture.density.rows);
    }
    const still = picture.clouds.filter((cloud) => cloud.still);
    const moving = picture.clouds.filter((cloud) => !cloud.still);
    this.bake(picture, still, view);
    this.drawPoints(moving, picture.theme, view, -1);
    this.drawLines(picture, view, -1);
    this.drawBaked();
    this.drawLines(picture, view, 1);
    this.drawPoints(moving, picture.theme, view, 1);
  }

  // Sphere, caps and what rests (targets) go to a texture, made anew only when camera or they change: while atoms move
  // under a resting camera, a frame costs one copy and the atoms.
  bake(picture, still, view) {
    const { gl } = this;
    const { width, height } = this.canvas;
    const key = [view, picture.theme, picture.caps, picture.density, width, height, ...still.flatMap((c) => [c.version, c.color, c.size])];
    if (this.baked && key.length === this.baked.length && key.every((x, k) => x === this.baked[k])) return;
    gl.bindTexture(gl.TEXTURE_2D, this.plate);
    if (this.plateSize !== `${width} ${height}`) {
      this.plateSize = `${width} ${height}`;
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.plate, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.drawHalo(picture, view);
    this.drawPoints(still, picture.theme, view, -1);
    this.drawSphere(picture, view);
    this.drawPoints(still, picture.theme, view, 1);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    this.baked = key;
    this.box = sphereBox(view, 1.28);
  }

  drawBaked() {
    const { gl } = this;
    gl.useProgram(this.copy.program);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.plate);
    gl.uniform1i(this.copy.uniforms.plate, 0);
    gl.uniform4fv(this.copy.uniforms.box, this.box);
    this.bindQuad(this.copy.attributes.corner);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  drawHalo({ theme }, view) {
    const { gl } = this;
    const u = this.halo.uniforms;
    gl.useProgram(this.halo.program);
    gl.uniformMatrix4fv(u.inverseView, false, view.inverse32);
    gl.uniform3fv(u.eye, view.eye);
    gl.uniform3fv(u.rimColor, rgb(theme.sphere_rim));
    gl.uniform1f(u.glow, theme.dark ? 0.34 : 0.16);
    gl.uniform4fv(u.box, sphereBox(view, 1.28));
    this.bindQuad(this.halo.attributes.corner);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  drawSphere({ theme, caps, density }, view) {
    const { gl } = this;
    const u = this.sphere.uniforms;
    gl.useProgram(this.sphere.program);
    gl.uniformMatrix4fv(u.inverseView, false, view.inverse32);
    gl.uniform3fv(u.eye, view.eye);
    gl.uniform3fv(u.light, view.light);
    gl.uniform4fv(u.box, sphereBox(view, 1.06));
    for (const [name, key] of SPHERE_COLORS) gl.uniform3fv(u[name], rgb(theme[key]));
    gl.uniform1f(u.bodyAlpha, theme.dark ? 0.74 : 0.72);
    gl.uniform1f(u.edgeWidth, 0.9 * this.ratio * theme.thick);
    const shown = caps.slice(0, shaders.MOST_CAPS);
    gl.uniform1i(u.caps, shown.length);
    if (shown.length) {
      gl.uniform4fv(u["cap[0]"], shown.flatMap((c) => [...c.a, c.tau]));
      gl.uniform3fv(u["capColor[0]"], shown.flatMap((c) => rgb(c.color)));
    }
    gl.uniform1f(u.densityOn, density ? 1 : 0);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.uniform1i(u.density, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.disc);
    this.point(this.sphere.attributes.corner, 2, 0, 0, 0);
    gl.drawArrays(gl.TRIANGLE_FAN, 0, DISC);
  }

  // lines: Float32Array of rows ax ay az bx by bz r g b a width.
  drawLines({ lines }, view, side) {
    const { gl } = this;
    const count = lines.length / 11;
    if (!count) return;
    const { program, attributes, uniforms } = this.lines;
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.camera, false, view.matrix32);
    gl.uniform3fv(uniforms.eye, view.eye);
    gl.uniform2f(uniforms.size, this.canvas.width, this.canvas.height);
    gl.uniform1f(uniforms.side, side);
    gl.uniform1f(uniforms.scale, this.ratio);
    this.bindQuad(attributes.corner);
    this.fill("lines", lines, lines);
    const rows = [["a", 3, 0], ["b", 3, 3], ["color", 4, 6], ["width", 1, 10]];
    for (const [name, size, at] of rows) this.point(attributes[name], size, 44, at * 4, 1);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    for (const [name] of rows) gl.vertexAttribDivisor(attributes[name], 0);
  }

  // clouds: [{ version, positions, weights or null, color, symbol, size, alpha, hollow }]
  drawPoints(clouds, theme, view, side) {
    const { gl } = this;
    const { program, attributes, uniforms } = this.points;
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.camera, false, view.matrix32);
    gl.uniform1f(uniforms.depthOfCentre, view.depthOfCentre);
    gl.uniform3fv(uniforms.outline, rgb(theme.outline));
    for (const cloud of clouds) {
      gl.uniform3fv(uniforms.color, rgb(cloud.color));
      gl.uniform1i(uniforms.symbol, cloud.symbol);
      gl.uniform1f(uniforms.diameter, cloud.size * this.ratio * (side > 0 ? 1 : cloud.behind));
      gl.uniform1f(uniforms.radius, cloud.radius);
      gl.uniform1f(uniforms.alpha, cloud.alpha);
      gl.uniform1f(uniforms.hollow, cloud.hollow ? Math.max(1.3, cloud.size * 0.13) * this.ratio : 0);
      gl.uniform1f(uniforms.rim, cloud.size > 5 ? 1.1 * this.ratio : 0.5 * this.ratio);
      const { positions, weights, count } = this.sideOf(cloud, view.eye, side);
      this.fill(`points ${side}`, positions, null);
      this.point(attributes.position, 3, 0, 0, 0);
      if (weights) {
        this.fill(`weights ${side}`, weights, null);
        this.point(attributes.weight, 1, 0, 0, 0);
      } else {
        gl.disableVertexAttribArray(attributes.weight);
        gl.vertexAttrib1f(attributes.weight, 1);
      }
      gl.drawArrays(gl.POINTS, 0, count);
    }
  }

  // The atoms on one side of the sphere, copied together: the other half need not be looked at twice by the GPU.
  sideOf({ positions, weights }, eye, side) {
    const n = positions.length / 3;
    if (!this.scratch || this.scratch.length < 3 * n) Object.assign(this, { scratch: new Float32Array(3 * n), spare: new Float32Array(n) });
    const { scratch, spare } = this;
    let count = 0;
    for (let o = 0; o < positions.length; o += 3) {
      const x = positions[o];
      const y = positions[o + 1];
      const z = positions[o + 2];
      if (x * eye[0] + y * eye[1] + z * eye[2] > x * x + y * y + z * z !== side > 0) continue;
      scratch[3 * count] = x;
      scratch[3 * count + 1] = y;
      scratch[3 * count + 2] = z;
      if (weights) spare[count] = weights[o / 3];
      count += 1;
    }
    return { positions: scratch.subarray(0, 3 * count), weights: weights && spare.subarray(0, count), count };
  }

  // Binds the named buffer, uploading unless `version` is the one it holds (null: always).
  fill(name, data, version) {
    const { gl } = this;
    let kept = this.buffers.get(name);
    if (!kept) this.buffers.set(name, (kept = { buffer: gl.createBuffer(), version: null }));
    gl.bindBuffer(gl.ARRAY_BUFFER, kept.buffer);
    if (version === null || kept.version !== version) gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    kept.version = version;
  }

  point(location, size, stride, offset, divisor) {
    this.gl.enableVertexAttribArray(location);
    this.gl.vertexAttribPointer(location, size, this.gl.FLOAT, false, stride, offset);
    this.gl.vertexAttribDivisor(location, divisor);
  }

  bindQuad(location) {
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.quad);
    this.point(location, 2, 0, 0, 0);
  }

  dispose() {
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

const SPHERE_COLORS = [
  ["bodyColor", "sphere"],
  ["shadowColor", "sphere_shadow"],
  ["rimColor", "sphere_rim"],
  ["gridColor", "graticule"],
  ["edgeColor", "ink"],
];

// The part of the screen within `grow` radii of the sphere's centre: fewer pixels to shade.
function sphereBox({ matrix, screenRadius }, grow) {
  const [x, y] = [matrix[12] / matrix[15], matrix[13] / matrix[15]];
  const r = screenRadius.map((q) => q * grow);
  return [x - r[0], y - r[1], x + r[0], y + r[1]];
}

// A polygon round the disc that fills the box, as a fan.
const DISC = 40;
function discCorners() {
  const out = 0.5 / Math.cos(Math.PI / DISC);
  return Float32Array.from({ length: 2 * DISC }, (_, k) => {
    const t = (2 * Math.PI * (k >> 1)) / DISC;
    return 0.5 + out * (k % 2 ? Math.sin(t) : Math.cos(t));
  });
}

function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  const each = (count, info, locate) =>
    Object.fromEntries(
      Array.from({ length: gl.getProgramParameter(made, count) || 0 }, (_, k) => info(k).name).map((name) => [name, locate(name)]),
    );
  return {
    program: made,
    uniforms: each(gl.ACTIVE_UNIFORMS, (k) => gl.getActiveUniform(made, k), (n) => gl.getUniformLocation(made, n)),
    attributes: each(gl.ACTIVE_ATTRIBUTES, (k) => gl.getActiveAttrib(made, k), (n) => gl.getAttribLocation(made, n)),
  };
}
