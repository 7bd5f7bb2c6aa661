// A run's payload: magic, header, compressed body -> arrays. The layout is described in mtm_viz/rendering/payload.py.

const MAGIC = "MTM1";
export const STEP = 32767;

const READERS = {
  "<f8": Float64Array,
  "<f4": Float32Array,
  "<i2": Int16Array,
  "<i4": Int32Array,
};

export async function decodePayload(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  if (magic !== MAGIC) throw new Error("This is not a player payload.");
  const length = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const body = await inflate(bytes.subarray(8 + length));
  return runFrom(header, body);
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

function runFrom(header, body) {
  const arrays = {};
  for (const [name, { dtype, shape, offset }] of Object.entries(header.sections)) {
    const count = shape.reduce((a, b) => a * b, 1);
    arrays[name] = new READERS[dtype](body, offset, count);
    if (name.startsWith("trajectory_")) addUp(arrays[name], count / shape[0]);
  }
  const d = header.dimension;
  const measures = header.names.map((name, i) => ({
    name,
    trajectory: arrays[`trajectory_${i}`],
    count: arrays[`trajectory_${i}`].length / d / arrays.times.length,
    weights: arrays[`weights_${i}`],
    target: arrays[`target_${i}`] || new Int16Array(0),
    targetWeights: arrays[`target_weights_${i}`] || new Float32Array(0),
    w2: arrays[`w2_${i}`] || null,
    plan: arrays[`plan_${i}`] || null,
  }));
  const segments = arrays.duration.length;
  return {
    ...header,
    measures,
    segments,
    width: arrays.b.length / segments,
    times: arrays.times,
    display: arrays.display,
    duration: arrays.duration,
    theta: { V: arrays.V, B: arrays.B, W: arrays.W, U: arrays.U, b: arrays.b },
    frames: arrays.times.length,
    owner: segmentOfIntervals(arrays.times, arrays.duration),
  };
}

// In place: differences to sums. Int16Array wraps as the encoder did.
function addUp(steps, row) {
  for (let k = row; k < steps.length; k++) steps[k] += steps[k - row];
}

// The segment of each interval between frames, told by its midpoint: independent of how boundary frames are labelled.
export function segmentOfIntervals(times, duration) {
  const owner = new Int32Array(Math.max(times.length - 1, 1));
  let s = 0;
  let end = duration[0];
  for (let f = 0; f + 1 < times.length; f++) {
    const middle = (times[f] + times[f + 1]) / 2;
    while (middle > end && s + 1 < duration.length) end += duration[++s];
    owner[f] = s;
  }
  return owner;
}

// theta of one segment as plain arrays of rows.
export function thetaAt(run, s) {
  const d = run.dimension;
  const p = run.width;
  const rows = (array, r, c) =>
    Array.from({ length: r }, (_, i) => Array.from(array.subarray(s * r * c + i * c, s * r * c + (i + 1) * c)));
  return {
    V: rows(run.theta.V, d, d),
    B: rows(run.theta.B, d, d),
    W: rows(run.theta.W, d, p),
    U: rows(run.theta.U, p, d),
    b: Array.from(run.theta.b.subarray(s * p, (s + 1) * p)),
  };
}
