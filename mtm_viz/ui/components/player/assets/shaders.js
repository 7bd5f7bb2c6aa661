// The three programs of the WebGL2 layer: the sphere (ray-cast, one quad), lines (capsules), points (symbols).

export const MOST_CAPS = 8;

const HEAD = `#version 300 es
precision highp float;
`;

// One quad; every pixel asks where its ray meets the sphere. Graticule and caps are painted where the two hits lie,
// so that their lines stay two pixels wide and smooth at every size.
export const SPHERE_VERTEX = `${HEAD}
in vec2 corner;
out vec2 ndc;
uniform vec4 box;
void main() { ndc = mix(box.xy, box.zw, corner); gl_Position = vec4(ndc, 0.0, 1.0); }`;

export const SPHERE_FRAGMENT = `${HEAD}
in vec2 ndc;
out vec4 paint;
uniform mat4 inverseView;
uniform vec3 eye, light, up;
uniform vec3 bodyColor, shadowColor, rimColor, gridColor, edgeColor;
uniform float bodyAlpha, edgeWidth;
uniform int caps;
uniform vec4 cap[${MOST_CAPS}];
uniform vec3 capColor[${MOST_CAPS}];
uniform sampler2D density;
uniform float densityOn;

float ribbon(float value, float width) {
  return 1.0 - smoothstep(width - 0.5, width + 0.5, abs(value) / max(fwidth(value), 1e-6));
}

float line1(float value, float change) { return 1.0 - smoothstep(0.0, 1.0, value / max(change, 1e-6)); }

// Lines every 30 degrees: angles folded to the distance from the nearest line, continuous across the seam of atan.
// Their change a pixel comes from that of p, since a folded angle has none where it matters, on the line.
float graticule(vec3 p) {
  float r = max(length(p.xy), 1e-3);
  vec3 dx = dFdx(p), dy = dFdy(p);
  float stepAcross = (abs(p.x * dx.y - p.y * dx.x) + abs(p.x * dy.y - p.y * dy.x)) / r;
  float stepUp = (abs(dx.z) + abs(dy.z)) / r;
  float meridian = sin(abs(fract(atan(p.y, p.x) / 0.5235987756 + 0.5) - 0.5) * 0.5235987756) * r;
  float latitude = asin(clamp(p.z, -1.0, 1.0));
  float parallel = abs(fract(latitude / 0.5235987756 + 0.5) - 0.5) * 0.5235987756;
  float line = line1(meridian, stepAcross) * smoothstep(0.06, 0.35, r);
  line = max(line, line1(parallel, stepUp) * smoothstep(0.02, 0.1, r)) * 0.75;
  return max(line, ribbon(p.z, 0.8));
}

vec4 over(vec4 top, vec4 under) { return top + under * (1.0 - top.a); }
vec4 ink(vec3 color, float alpha) { return vec4(color * alpha, alpha); }

vec4 painted(vec3 p, float strength) {
  vec4 c = ink(gridColor, graticule(p) * 0.42 * strength);
  if (densityOn > 0.0) {
    vec4 d = texture(density, vec2(atan(p.y, p.x) / 6.2831853 + 0.5, asin(clamp(p.z, -1.0, 1.0)) / 3.14159265 + 0.5));
    c = over(c, d * densityOn * strength);
  }
  for (int k = 0; k < ${MOST_CAPS}; k++) {
    if (k >= caps) break;
    float inside = dot(p, cap[k].xyz) - cap[k].w;
    float aa = max(fwidth(inside), 1e-6);
    c = over(ink(capColor[k], smoothstep(-aa, aa, inside) * 0.17 * strength), c);
    c = over(ink(edgeColor, ribbon(inside, edgeWidth) * 0.9 * strength), c);
  }
  return c;
}

void main() {
  vec4 f = inverseView * vec4(ndc, 1.0, 1.0);
  vec3 ray = normalize(f.xyz / f.w - eye);
  float b = dot(eye, ray);
  float far2 = dot(eye, eye);
  float miss = sqrt(max(far2 - b * b, 0.0));
  float reach = sqrt(max(1.0 - miss * miss, 0.0));
  vec3 p = normalize(eye + ray * (-b - reach));
  vec3 q = normalize(eye + ray * (-b + reach));
  float aa = max(fwidth(miss), 1e-6);
  float cover = clamp((1.0 - miss) / aa + 0.5, 0.0, 1.0);

  float facing = dot(p, -ray);
  float lit = dot(p, light) * 0.5 + 0.5;
  vec3 body = mix(shadowColor, bodyColor, smoothstep(0.08, 0.86, lit));
  body = mix(body, rimColor, pow(1.0 - facing, 3.5) * 0.75);
  float shine = pow(max(dot(reflect(-light, p), -ray), 0.0), 26.0);
  body += shine * 0.10;

  vec4 c = painted(q, 0.55);
  c = over(ink(body, bodyAlpha + (1.0 - bodyAlpha) * pow(1.0 - facing, 4.0)), c);
  c = over(painted(p, 1.0), c);
  paint = c * cover;
}`;

// The glow round the sphere, where the ray misses it.
export const HALO_FRAGMENT = `${HEAD}
in vec2 ndc;
out vec4 paint;
uniform mat4 inverseView;
uniform vec3 eye, rimColor;
uniform float glow;
void main() {
  vec4 f = inverseView * vec4(ndc, 1.0, 1.0);
  float b = dot(eye, normalize(f.xyz / f.w - eye));
  float away = clamp((sqrt(max(dot(eye, eye) - b * b, 0.0)) - 1.0) / 0.26, 0.0, 1.0);
  // Fades to nothing inside the quad; the grain hides the steps of 8-bit alpha.
  float grain = (fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5) / 255.0;
  float alpha = max(pow(1.0 - away, 4.0) * glow + (away < 1.0 ? grain : 0.0), 0.0);
  paint = vec4(rimColor * alpha, alpha);
}`;

// The baked sphere, pixel for pixel.
export const COPY_FRAGMENT = `${HEAD}
in vec2 ndc;
out vec4 paint;
uniform sampler2D plate;
void main() { paint = texelFetch(plate, ivec2(gl_FragCoord.xy), 0); }`;

// A line piece is a capsule from a to b, `width` CSS pixels across; each pass keeps its side of the sphere.
export const LINE_VERTEX = `${HEAD}
in vec2 corner;
in vec3 a, b;
in vec4 color;
in float width;
uniform mat4 camera;
uniform vec3 eye;
uniform vec2 size;
uniform float side, scale;
out vec4 tint;
out vec2 at;
flat out float len, radius;
float seen(vec3 p) {
  float front = smoothstep(-0.03, 0.03, dot(p, eye) - dot(p, p));
  return side > 0.0 ? front : (1.0 - front) * 0.38;
}
void main() {
  vec4 pa = camera * vec4(a, 1.0), pb = camera * vec4(b, 1.0);
  vec2 sa = pa.xy / pa.w * size * 0.5, sb = pb.xy / pb.w * size * 0.5;
  vec2 along = sb - sa;
  len = length(along);
  along = len > 1e-4 ? along / len : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  radius = width * scale * 0.5;
  float reach = radius + 1.0;
  at = vec2(mix(-reach, len + reach, corner.x), mix(-reach, reach, corner.y));
  vec2 p = sa + along * at.x + across * at.y;
  tint = vec4(color.rgb, color.a * mix(seen(a), seen(b), corner.x));
  gl_Position = vec4(p / (size * 0.5), 0.0, 1.0);
}`;

export const LINE_FRAGMENT = `${HEAD}
in vec4 tint;
in vec2 at;
flat in float len, radius;
out vec4 paint;
void main() {
  float d = length(at - vec2(clamp(at.x, 0.0, len), 0.0)) - radius;
  float alpha = tint.a * clamp(0.5 - d, 0.0, 1.0);
  if (alpha <= 0.0) discard;
  paint = vec4(tint.rgb * alpha, alpha);
}`;

export const POINT_VERTEX = `${HEAD}
in vec3 position;
in float weight;
uniform mat4 camera;
uniform float diameter, radius, depthOfCentre;
out float px;
void main() {
  gl_Position = camera * vec4(position * radius, 1.0);
  px = max(diameter * weight * clamp(depthOfCentre / gl_Position.w, 0.6, 1.6), 2.0);
  gl_PointSize = px + 1.0;
}`;

export const POINT_FRAGMENT = `${HEAD}
in float px;
out vec4 paint;
uniform vec3 color, outline;
uniform float alpha, hollow, rim;
uniform int symbol;

float plusSign(vec2 p) { p = abs(p); if (p.y > p.x) p = p.yx; return max(p.x - 0.95, p.y - 0.36); }
float polygon(vec2 p, float n, float r) {
  float a = atan(p.x, p.y), s = 6.2831853 / n;
  return cos(floor(0.5 + a / s) * s - a) * length(p) - r;
}
float star(vec2 p) {
  float a = mod(atan(p.x, p.y) + 0.62831853, 1.25663706) - 0.62831853;
  p = length(p) * vec2(cos(a), abs(sin(a)));
  vec2 tip = vec2(0.98, 0.0), dent = vec2(0.40 * 0.809017, 0.40 * 0.587785);
  vec2 e = dent - tip, w = p - tip;
  return -(e.x * w.y - e.y * w.x) / length(e);
}
float shape(vec2 p) {
  if (symbol == 0) return length(p) - 0.80;
  if (symbol == 1) return (abs(p.x) + abs(p.y) - 0.98) * 0.7071;
  if (symbol == 2) return max(abs(p.x), abs(p.y)) - 0.70;
  if (symbol == 3) return plusSign(p);
  if (symbol == 4) return plusSign(vec2(p.x + p.y, p.x - p.y) * 0.7071);
  if (symbol == 5) return polygon(p - vec2(0.0, -0.12), 3.0, 0.48);
  if (symbol == 6) return star(p);
  return polygon(p, 6.0, 0.76);
}
void main() {
  vec2 p = (gl_PointCoord * 2.0 - 1.0) * vec2(1.0, -1.0) * (px + 1.0) / px;
  float unit = 2.0 / px;
  float d = shape(p);
  if (hollow > 0.0) {
    float ring = abs(d + hollow * unit * 0.5) - hollow * unit * 0.5;
    float a = alpha * clamp(0.5 - ring / unit, 0.0, 1.0);
    if (a < 0.004) discard;
    paint = vec4(color * a, a);
    return;
  }
  float whole = clamp(0.5 - d / unit, 0.0, 1.0);
  if (whole < 0.004) discard;
  float inner = clamp(0.5 - (d + rim * unit) / unit, 0.0, 1.0);
  if (px < 6.0) {
    paint = vec4(mix(outline, color, inner), 1.0) * whole * alpha;
    return;
  }
  float gleam = 0.28 * smoothstep(0.95, 0.0, length(p - vec2(-0.28, 0.34)));
  vec3 c = mix(outline, mix(color, vec3(1.0), gleam), inner);
  paint = vec4(c, 1.0) * whole * alpha;
}`;
