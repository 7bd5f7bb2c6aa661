// Numbers for people.

// Eight characters, so that what stands beside it does not move while it runs.
export function layerTime(t) {
  return t < 1 ? t.toFixed(6) : t.toPrecision(7);
}

export function radians(x) {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  if (x < 1e-3) return scientific(x);
  return x.toFixed(3);
}

export function scientific(x) {
  const [m, e] = x.toExponential(1).split("e");
  return `${m}·10${superscript(Number(e))}`;
}

export function superscript(n) {
  const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  return (n < 0 ? "⁻" : "") + String(Math.abs(n)).replace(/\d/g, (c) => digits[c]);
}

export function short(x) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  const said = size >= 1e4 || size < 1e-3 ? scientific(x) : size >= 100 ? x.toFixed(0) : size >= 10 ? x.toFixed(1) : x.toFixed(2);
  return said.replace("-", "−");
}

export function degrees(x) {
  return `${((x * 180) / Math.PI).toFixed(x < 0.02 ? 2 : 1)}°`;
}

export function phaseTitle(name) {
  return name.startsWith("undo-") ? `${name.slice(5)}, undone` : name;
}
