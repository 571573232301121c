// The elements that a page is made of. What it shows of the data in it, it shows as text.

const SVG = "http://www.w3.org/2000/svg";
const LEAST = 0.5;  // what a unit of the board is in pixels while the play is followed, at least
const COLOURS = { illegal: "#d3202b", unread: "#8b55c9", doubtful: "#d08700", waived: "#5b6b62", warning: "#b59b00", info: "#2a5d86" };
const ZONES = ["#b91c1c", "#1d4ed8"];
const WAYS = { move: "#1f7a3d", retreat: "#2456b8", advance: "#8a2be2", attack: "#2b2b2b" };
const ICONS = {
  first: "M4 4h3v16H4zM20 4v16L8 12z", last: "M17 4h3v16h-3zM4 4l12 8L4 20z", back: "M17 4v16L6 12z", forward: "M7 4l11 8L7 20z",
  play: "M6 3l15 9-15 9z", pause: "M5 4h5v16H5zM14 4h5v16h-5z", "phase-back": "M12 4v16L2 12zM22 4v16l-10-8z", "phase-forward": "M2 4l10 8L2 20zM12 4l10 8-10 8z",
  "finding-back": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM14 7v10l-6-5z", "finding-forward": "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM10 7l6 5-6 5z",
  "zoom-in": "M10 4h4v6h6v4h-6v6h-4v-6H4v-4h6z", "zoom-out": "M4 10h16v4H4z", fit: "M3 3h7v3H6v4H3zM14 3h7v7h-3V6h-4zM3 14h3v4h4v3H3zM18 14h3v7h-7v-3h4z",
  follow: "M12 2l4 6h-3v3h3V8l6 4-6 4v-3h-3v3h3l-4 6-4-6h3v-3H8v3l-6-4 6-4v3h3V8H8z",
  theme: "M12 2a10 10 0 1 0 0 20V2z", link: "M9 15l6-6M10 6l2-2a5 5 0 0 1 7 7l-2 2M14 18l-2 2a5 5 0 0 1-7-7l2-2",
};

/** @type {(id: string) => any} An element by its id, of whatever kind it is. */
const $ = (id) => document.getElementById(id);
/** @type {(selector: string) => any[]} All elements of a selector. */
const all = (selector) => [...document.querySelectorAll(selector)];

/** An element with attributes, and children that are elements or text. */
function el(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const made = document.createElement(name);
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function icon(name) {
  const glyph = svg("svg", { viewBox: "0 0 24 24", class: "glyph", "aria-hidden": "true", focusable: "false" });
  const line = name === "link" ? { fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round" } : {};
  glyph.append(svg("path", { d: ICONS[name], ...line }));
  return glyph;
}
