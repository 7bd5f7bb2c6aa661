// Small: elements with attributes, listeners and children in one call; icons as inline SVG.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const PATHS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 4.5h3.6v15H7zM13.4 4.5H17v15h-3.6z",
  frameBack: "M15 5v14l-9-7z",
  frameForward: "M9 5v14l9-7z",
  segmentBack: "M5 5h2.4v14H5zM19 5v14L8.6 12z",
  segmentForward: "M16.6 5H19v14h-2.4zM5 5v14l10.4-7z",
  loop: "M17 3l4 4-4 4V8H8a3 3 0 0 0-3 3v1H3v-1a5 5 0 0 1 5-5h9zM7 21l-4-4 4-4v3h9a3 3 0 0 0 3-3v-1h2v1a5 5 0 0 1-5 5H7z",
  full: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  projector: "M3 5h18v12h-8v2h3v2H8v-2h3v-2H3zM5 7v8h14V7z",
  link: "M10.6 13.4a4 4 0 0 1 0-5.7l2.8-2.8a4 4 0 1 1 5.7 5.7l-1.5 1.4-1.4-1.4 1.4-1.4a2 2 0 0 0-2.8-2.9L12 9.1a2 2 0 0 0 0 2.9zM13.4 10.6a4 4 0 0 1 0 5.7l-2.8 2.8a4 4 0 1 1-5.7-5.7l1.5-1.4 1.4 1.4-1.4 1.4a2 2 0 0 0 2.8 2.9l2.8-2.8a2 2 0 0 0 0-2.9z",
  layers: "M12 3l9 5-9 5-9-5zM5.2 11.2L12 15l6.8-3.8L21 12.5 12 17.5l-9-5zM5.2 15.7L12 19.5l6.8-3.8L21 17l-9 5-9-5z",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

// SVG paths of the measures' symbols, for the legend: 16 x 16, the order of style.py.
const SYMBOL_PATHS = {
  circle: "M8 2a6 6 0 1 1 0 12a6 6 0 1 1 0-12z",
  diamond: "M8 .8L15.2 8 8 15.2.8 8z",
  square: "M2.6 2.6h10.8v10.8H2.6z",
  cross: "M6 1h4v5h5v4h-5v5H6v-5H1V6h5z",
  x: "M4 1.2L8 5.2l4-4L14.8 4l-4 4 4 4L12 14.8l-4-4-4 4L1.2 12l4-4-4-4z",
  triangle: "M8 1.2L15 13.6H1z",
  star: "M8 .6l2.2 5h5.2l-4.1 3.3 1.5 5.4L8 11.1l-4.8 3.2 1.5-5.4L.6 5.6h5.2z",
  hexagon: "M8 1l6 3.5v7L8 15l-6-3.5v-7z",
};

export function symbolIcon(symbol, color) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SYMBOL_PATHS[symbol]);
  path.setAttribute("fill", color);
  svg.append(path);
  return svg;
}
