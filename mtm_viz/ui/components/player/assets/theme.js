// Light or dark: Streamlit's theme where there is one, the reader's system otherwise. All colours come from style.py.

export function isDark(element) {
  const said = getComputedStyle(element).getPropertyValue("--st-background-color").trim();
  if (said) return luminance(said) < 0.4;
  return window.matchMedia("(prefers-color-scheme: dark)").matches;
}

// Relative luminance of #rgb, #rrggbb or rgb(...), as WCAG defines it.
export function luminance(color) {
  const [r, g, b] = channels(color).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function channels(color) {
  if (color.startsWith("#")) {
    const hex = color.length < 6 ? [...color.slice(1, 4)].map((c) => c + c).join("") : color.slice(1, 7);
    return [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);
  }
  return (color.match(/[\d.]+/g) || [255, 255, 255]).slice(0, 3).map((x) => Number(x) / 255);
}

// The page's own colours (Streamlit's, where it is Streamlit) under the names of style.py, as #rrggbb.
function surroundings(element) {
  const computed = getComputedStyle(element);
  const found = {};
  for (const [name, variable] of Object.entries(BORROWED)) {
    const said = computed.getPropertyValue(variable).trim();
    if (/^(#|rgb\()/.test(said)) found[name] = toHex(channels(said));
  }
  if (!found.page || !found.ink) return {};
  // Between paper and ink, so that greys take the page's own tint; "quiet" keeps 4.5:1 on either.
  const { page, ink, panel = page } = found;
  return { ...found, panel, outline: page, line: mixed(page, ink, 0.15), zero: mixed(panel, ink, 0.06), quiet: mixed(ink, page, 0.32) };
}

function mixed(a, b, share) {
  const [x, y] = [channels(a), channels(b)];
  return toHex(x.map((v, k) => v + share * (y[k] - v)));
}

const BORROWED = { page: "--st-background-color", panel: "--st-secondary-background-color", ink: "--st-text-color" };

function toHex(color) {
  return `#${color.map((x) => Math.round(255 * x).toString(16).padStart(2, "0")).join("")}`;
}

export function themeFor(style, element, projector) {
  const dark = isDark(element);
  const colors = dark ? style.dark : style.light;
  return { ...colors, ...surroundings(element), dark, thick: projector ? style.sizes.projector : 1, symbols: style.symbols };
}

export function sameTheme(a, b) {
  return Boolean(a && b) && ["dark", "thick", "page", "panel", "ink"].every((key) => a[key] === b[key]);
}

export function applyTheme(root, theme) {
  for (const name of ["page", "panel", "line", "ink", "quiet", "accent"]) root.style.setProperty(`--mtm-${name}`, theme[name]);
  root.style.colorScheme = theme.dark ? "dark" : "light";
}
