// The page's theme decides; the colours are those of style.py, so that the brush looks like the player.

export function lookOf(style, element, colour, hollow) {
  const computed = getComputedStyle(element);
  const said = computed.getPropertyValue("--st-background-color").trim();
  const dark = said ? luminance(said) < 0.4 : window.matchMedia("(prefers-color-scheme: dark)").matches;
  const table = dark ? style.dark : style.light;
  return { ...table, dark, hollow, colour: table.measures[colour % table.measures.length] };
}

export const measureColour = (look, k) => look.measures[k % look.measures.length];

function luminance(colour) {
  let parts;
  if (colour.startsWith("#")) {
    const hex = colour.length < 6 ? [...colour.slice(1, 4)].map((c) => c + c).join("") : colour.slice(1, 7);
    parts = [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);
  } else parts = (colour.match(/[\d.]+/g) || [255, 255, 255]).slice(0, 3).map((x) => Number(x) / 255);
  const [r, g, b] = parts.map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function applyLook(root, look) {
  for (const name of ["page", "panel", "line", "ink", "quiet", "accent", "colour"]) root.style.setProperty(`--b-${name}`, look[name]);
  root.style.colorScheme = look.dark ? "dark" : "light";
}
