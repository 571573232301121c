// The page on which a map is painted. The sheet is map.yaml as the command reads it; the board's picture is drawn anew
// by the command after a while, and until then what was painted since lies over it.
import { $, Refused, ask, chooseLooks, clone, dress, el, problemList, say, state, svg, toast, w } from "./common.js";
import { decide } from "./merge.js";

const TOOLS = { look: "v", terrain: "t", hexsides: "h", ways: "w", places: "p", areas: "a", bridges: "b", fortified: "f", edges: "r", source: "o", size: "", scan: "" };
const GLYPHS = {
  look: "M12 3v5M12 16v5M3 12h5M16 12h5M12 7.5a4.5 4.5 0 1 0 .01 0", terrain: "M7 4h10l5 8-5 8H7l-5-8zM8 15l3-5 2 3 1.5-2 2 4z",
  hexsides: "M17 4H7l-5 8 5 8h10M17 4l5 8-5 8M17.5 4.5l4.5 7.5", ways: "M4 20c1-7 6-5 8-9s5-3 8-7M8 20c1-5 5-4 7-8s4-3 6-6",
  places: "M4 11l8-7 8 7M6 10v10h12V10M10 20v-6h4v6", areas: "M7 4h3M14 4h3l1.5 2.400M20.5 9.600L22 12l-1.5 2.400M18.5 17.600L17 20h-3M10 20H7l-1.5-2.400M3.5 14.400L2 12l1.5-2.400M5.5 6.400L7 4",
  bridges: "M2 8c5 3 15 3 20 0M2 16c5-3 15-3 20 0M6 9.5v5M18 9.5v5", fortified: "M5 20V8h3v3h2.5V8h3v3H16V8h3v12z",
  edges: "M3 3h18v18H3zM8 8h8v8H8z", source: "M4 12.5l5 5L20 6", size: "M4 4h16v16H4zM4 12h16M12 4v16", scan: "M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 5M16 9.5h.01",
};
const glyph = (name) => svg("svg", { viewBox: "0 0 24 24", class: "glyph", "aria-hidden": "true", focusable: "false" }, svg("path", { d: GLYPHS[name] }));
const SOURCES = { p: "printed", g: "gazetteer", a: "assumed" };
const PLACES = ["town", "village", "height", "crossroads", "label"];
const SIDE_COLOURS = ["#2f6f3e", "#7a3030", "#30507a", "#7a5a20"];
const MOST_UNDO = 300;

let game, sheet, shape, kinds, base, seen, picture;
let drawn = null;  // the sheet that the picture shows
let saved = "";    // the sheet that the file holds, as text
let undone = [], done = [];
let problems = [];
const at = {
  tool: "look", hex: "", turn: 0, terrain: "", hexsides: "", ways: "", source: "p", erase: false, run: null, way: null, grow: "end",
  start: "", place: null, area: null, bridge: null, edge: "north", view: "board", tint: 0.55, bold: false, next: "", share: 1, marks: {}, fitted: {}, fitSaid: "",
};

// ------------------------------------------------------------------------------------------------------ geometry

const [X, Y, COLUMN, ROW, RING] = [0, 1, 2, 3, 4];
const inside = (hex) => Object.hasOwn(shape.hexes, hex);
const names = () => Object.keys(shape.hexes);
const corner = () => names().find((hex) => shape.hexes[hex][COLUMN] === 1 && shape.hexes[hex][ROW] === 1);
const touch = (a, b) => shape.hexes[a][RING].includes(b);
const pair = (a, b) => a < b ? `${a}/${b}` : `${b}/${a}`;

function nearest([x, y]) {
  let found = "", best = 3400;
  for (const [hex, it] of Object.entries(shape.hexes)) {
    const away = (it[X] - x) ** 2 + (it[Y] - y) ** 2;
    if (away < best) [found, best] = [hex, away];
  }
  return found;
}

/** The direction in which a point lies from a hex's centre, among those with a neighbour. */
function towards(hex, [x, y]) {
  const it = shape.hexes[hex];
  let found = -1, best = -Infinity;
  it[RING].forEach((other, i) => {
    if (!other) return;
    const [dx, dy] = [shape.hexes[other][X] - it[X], shape.hexes[other][Y] - it[Y]];
    const far = dx * (x - it[X]) + dy * (y - it[Y]);
    if (far > best) [found, best] = [i, far];
  });
  return found;
}

/** All hexes from one to another, each next to the one before. */
function straight(a, b) {
  const [p, q] = [shape.hexes[a], shape.hexes[b]];
  const steps = Math.ceil(Math.hypot(q[X] - p[X], q[Y] - p[Y]) / 25);
  const found = [a];
  for (let i = 1; i <= steps; i++) {
    const hex = nearest([p[X] + (q[X] - p[X]) * i / steps + 0.3, p[Y] + (q[Y] - p[Y]) * i / steps + 0.2]);
    if (hex && hex !== found.at(-1) && touch(found.at(-1), hex)) found.push(hex);
  }
  return found.at(-1) === b ? found : [a];
}

const outline = (hex, share = 1) => {
  const it = shape.hexes[hex];
  return shape.corners.map(([x, y]) => `${(it[X] + x * share).toFixed(1)},${(it[Y] + y * share).toFixed(1)}`).join(" ");
};
function ends(side) {
  const [a, b] = side.split("/");
  if (!inside(a) || !inside(b)) return null;
  const i = shape.hexes[a][RING].indexOf(b);
  if (i < 0) return null;
  const it = shape.hexes[a];
  return [i, (i + 1) % 6].map((k) => [it[X] + shape.corners[k][0], it[Y] + shape.corners[k][1]]);
}

// --------------------------------------------------------------------------------------------------------- sheet

const letter = (hex, of = sheet) => of.terrain[shape.hexes[hex][ROW] - 1]?.[shape.hexes[hex][COLUMN] - 1];
const source = (hex, of = sheet) => of.provenance[shape.hexes[hex][ROW] - 1]?.[shape.hexes[hex][COLUMN] - 1];

function put(rows, hex, sign) {
  const [column, row] = [shape.hexes[hex][COLUMN] - 1, shape.hexes[hex][ROW] - 1];
  rows[row] = rows[row].slice(0, column) + sign + rows[row].slice(column + 1);
}
const fresh = (key, values) => ({ ...clone(game.items[key]), provenance: SOURCES[at.source], ...values });
const terrainName = (id) => game.names[state.language]?.terrain?.[id] ?? Object.values(game.names)[0]?.terrain?.[id] ?? id;
const named = (section, id) => (game.names[state.language] ?? Object.values(game.names)[0])?.[section]?.[id] ?? id;
/** A letter that stands for nothing: the hex is still to be painted. */
const BLANK = "?";
const blank = (sign) => !Object.hasOwn(sheet.legend, sign);
const blanks = () => sheet.terrain.reduce((count, row) => count + [...row].filter(blank).length, 0);
const ground = (sign) => blank(sign) ? w("unpainted") : (sheet.legend[sign] ?? "").split(" ").filter(Boolean).map(terrainName).join(", ") || sign;
const colour = (sign) => blank(sign) ? "" : (sheet.legend[sign] ?? "").split(" ").map((id) => kinds.terrain[id]).filter(Boolean).at(-1) ?? "#ccc";

let before = null;
/** Everything up to `commit` is one step for undo. */
function begin() { before ??= JSON.stringify(sheet); }
function commit() {
  const was = before;
  before = null;
  if (was === null || was === JSON.stringify(sheet)) return false;
  done.push(was);
  if (done.length > MOST_UNDO) done.shift();
  undone = [];
  changed();
  return true;
}
function change(deed) { begin(); deed(); commit(); render(); }
function stepBack(from, to) {
  if (!from.length) return;
  to.push(JSON.stringify(sheet));
  restore(JSON.parse(from.pop()));
}
async function restore(then) {
  const grid = JSON.stringify(then.grid) !== JSON.stringify(sheet.grid);
  sheet = then;
  Object.assign(at, { way: null, run: null, place: null, area: null, bridge: null, start: "" });
  if (grid) shape = await ask("shape", { base, sheet });
  changed();
  render(true);
}
function changed() {
  $("undo").disabled = !done.length;
  $("redo").disabled = !undone.length;
  const dirty = JSON.stringify(sheet) !== saved;
  $("state").textContent = w(dirty ? "unsaved" : "saved");
  $("state").classList.toggle("dirty", dirty);
  redraw();
}
addEventListener("beforeunload", (event) => { if (JSON.stringify(sheet) !== saved) event.preventDefault(); });

// ---------------------------------------------------------------------------------------------- drawn by the command

let waiting = 0, number = 0;
function redraw(pause = 500) {
  clearTimeout(waiting);
  waiting = setTimeout(picturesAnew, pause);
}
async function picturesAnew() {
  const mine = ++number;
  const asked = clone(sheet);
  const large = names().length > 500;
  try {
    for (const quick of large ? [true, false] : [false]) {
      const blob = await ask("draw", { base, sheet: asked, quick });
      if (mine !== number) return;
      await show("drawn", blob, 0);
      drawn = asked;
      render();
      if (quick) await new Promise((resolve) => { setTimeout(resolve, 1200); });
      if (mine !== number) return;
    }
    const found = await ask("check", { base, sheet: asked });
    if (mine === number) problems = found.problems;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (mine !== number) return;
    problems = error.problems;
    if (!problems.length) toast(error.message, "bad");
  }
  renderProblems();
}
async function show(id, blob, beside) {
  const image = $(id), url = URL.createObjectURL(blob), old = image.getAttribute("href");
  const loaded = new Image();
  loaded.src = url;
  await loaded.decode();
  for (const [name, value] of Object.entries({ href: url, x: -beside, y: -beside, width: shape.width + 2 * beside, height: shape.height + 2 * beside })) image.setAttribute(name, value);
  if (old) URL.revokeObjectURL(old);
}

// ---------------------------------------------------------------------------------------------------- what is seen

let frame = { x: 0, y: 0, width: 100, height: 100 };
const raw = () => at.tool === "scan" && picture && at.width;
const sheetSize = () => raw() ? [at.width / at.share, at.height / at.share] : [shape.width, shape.height];

function whole() {
  const [width, height] = sheetSize(), box = $("pad").getBoundingClientRect();
  const zoom = Math.min(box.width / (width * 1.06), box.height / (height * 1.06));
  frame = { width: box.width / zoom, height: box.height / zoom };
  frame.x = (width - frame.width) / 2;
  frame.y = (height - frame.height) / 2;
  look();
}
function look() {
  $("pad").setAttribute("viewBox", `${frame.x} ${frame.y} ${frame.width} ${frame.height}`);
  for (const name of ["x", "y", "width", "height"]) $("sea").setAttribute(name, frame[name]);
}
function zoom(factor, [x, y] = [frame.x + frame.width / 2, frame.y + frame.height / 2]) {
  const width = Math.min(Math.max(frame.width / factor, 200), 60000);
  const share = width / frame.width;
  frame = { x: x - (x - frame.x) * share, y: y - (y - frame.y) * share, width, height: frame.height * share };
  look();
}
function point(event) {
  const box = $("pad").getBoundingClientRect();
  return [frame.x + (event.clientX - box.left) / box.width * frame.width, frame.y + (event.clientY - box.top) / box.height * frame.height];
}
function centre(hex) {
  if (!inside(hex)) return;
  const it = shape.hexes[hex];
  if (it[X] < frame.x || it[Y] < frame.y || it[X] > frame.x + frame.width || it[Y] > frame.y + frame.height) {
    frame.x = it[X] - frame.width / 2;
    frame.y = it[Y] - frame.height / 2;
    look();
  }
}

let pending = false;
function render(anew = false) {
  if (anew) renderPanel();
  if (pending) return;
  pending = true;
  requestAnimationFrame(() => { pending = false; paintOver(); });
}

function paintOver() {
  const board = at.view === "board", scan = at.view === "scan";
  $("drawn").style.display = board && !raw() ? "" : "none";
  $("under").style.display = scan || raw() ? "" : "none";
  for (const id of ["tints", "grid", "lines", "marks", "cursor"]) $(id).replaceChildren();
  if (raw()) { $("marks").style.opacity = ""; paintCentres(); return; }
  const all = !board || !drawn, old = board ? drawn : null;
  for (const id of ["lines", "marks"]) $(id).style.opacity = scan ? 0.35 + 0.65 * at.tint : "";
  const strength = scan ? at.tint : board ? 0.85 : 1;
  const tints = [], lines = [], marks = [];
  const showSources = at.tool === "source";
  for (const hex of names()) {
    const sign = letter(hex);
    if (blank(sign)) tints.push(svg("polygon", { points: outline(hex, 0.93), class: scan ? "blank clear" : "blank" }));
    else if (all || (old && letter(hex, old) !== sign)) tints.push(svg("polygon", { points: outline(hex), fill: colour(sign), "fill-opacity": strength, ...(all ? {} : { stroke: "#fff", "stroke-width": 2 }) }));
    if (showSources) {
      const from = source(hex);
      marks.push(svg("polygon", { points: outline(hex, 0.86), class: `from ${SOURCES[from] ?? ""}` }));
    }
    if (!board) marks.push(svg("text", { x: shape.hexes[hex][X], y: shape.hexes[hex][Y] - 30, class: "number" }, hex));
  }
  if (!board) $("grid").append(svg("path", { class: "net", d: names().map((hex) => `M${outline(hex).replaceAll(" ", "L")}z`).join("") }));
  const sides = (of) => new Set(of.hexsides.flatMap((run) => run.sides.map((side) => `${run.kind} ${side}`)));
  const oldSides = old ? sides(old) : null;
  for (const run of sheet.hexsides) {
    const bold = at.tool === "hexsides" && run === at.run;
    for (const side of run.sides) {
      const news = !oldSides || !oldSides.has(`${run.kind} ${side}`);
      const line = ends(side);
      if (line && (news || bold)) lines.push(stroke(line, kinds.hexsides[run.kind] ?? "#444", 9, bold ? "chosen" : ""));
    }
  }
  const links = (of) => new Set(of.ways.flatMap((way) => way.hexes.slice(1).map((hex, i) => `${way.kind} ${pair(way.hexes[i], hex)}`)));
  const oldLinks = old ? links(old) : null;
  for (const way of sheet.ways) {
    const bold = at.tool === "ways" && way === at.way;
    way.hexes.slice(1).forEach((hex, i) => {
      const was = way.hexes[i];
      if (!inside(was) || !inside(hex)) return;
      if (oldLinks && oldLinks.has(`${way.kind} ${pair(was, hex)}`) && !bold) return;
      lines.push(stroke([was, hex].map((it) => shape.hexes[it].slice(0, 2)), kinds.ways[way.kind] ?? "#533", 6, bold ? "chosen" : ""));
    });
  }
  if (old) paintGone(old, sides(sheet), links(sheet), lines);
  for (const bridge of sheet.bridges) {
    const line = ends(bridge.side);
    const bold = at.tool === "bridges" && bridge === at.bridge;
    if (line && (all || at.tool === "bridges" || !old.bridges.some((it) => it.side === bridge.side))) marks.push(svg("circle", { cx: (line[0][0] + line[1][0]) / 2, cy: (line[0][1] + line[1][1]) / 2, r: bold ? 16 : 12, class: bold ? "bridge chosen" : "bridge" }));
  }
  for (const hex of sheet.fortified) if (inside(hex) && (all || at.tool === "fortified" || !old.fortified.includes(hex))) marks.push(svg("polygon", { points: outline(hex, 0.8), class: "fort" }));
  sheet.areas.forEach((area, i) => {
    const chosen = at.tool === "areas" && area === at.area;
    if (!chosen && !all && at.tool !== "areas") return;
    for (const hex of area.hexes) if (inside(hex)) marks.push(svg("polygon", { points: outline(hex, chosen ? 0.94 : 0.9), class: `area ${chosen ? "chosen" : ""}`, stroke: SIDE_COLOURS[i % 4], fill: SIDE_COLOURS[i % 4] }));
  });
  for (const place of sheet.places) {
    const chosen = at.tool === "places" && place === at.place;
    const same = old?.places.some((it) => it.name === place.name && it.kind === place.kind && String(it.hexes) === String(place.hexes));
    for (const hex of place.hexes) if (inside(hex) && (chosen || all || !same)) marks.push(svg("circle", { cx: shape.hexes[hex][X], cy: shape.hexes[hex][Y], r: 30, class: `place ${chosen ? "chosen" : ""}` }));
    const first = shape.hexes[place.hexes[0]];
    if (first && (all || !same)) marks.push(svg("text", { x: first[X], y: first[Y] + 6, class: "name" }, place.name || "…"));
  }
  if (at.tool === "edges") for (const hex of sheet.edges[at.edge] ?? shape.edges[at.edge]) if (inside(hex)) marks.push(svg("polygon", { points: outline(hex, 0.9), class: `rim ${sheet.edges[at.edge] ? "chosen" : ""}` }));
  if (at.start && inside(at.start)) marks.push(svg("circle", { cx: shape.hexes[at.start][X], cy: shape.hexes[at.start][Y], r: 14, class: "begin" }));
  $("tints").append(...tints);
  $("lines").append(...lines);
  $("marks").append(...marks);
  paintCursor();
}
function stroke([[x1, y1], [x2, y2]], colour, width, more = "") {
  const both = svg("g", { class: `stroke ${more}` });
  both.append(svg("line", { x1, y1, x2, y2, class: "casing", "stroke-width": width + 6 }), svg("line", { x1, y1, x2, y2, stroke: colour, "stroke-width": width }));
  return both;
}
/** What the picture still shows and is no more. */
function paintGone(old, sides, links, lines) {
  for (const run of old.hexsides) for (const side of run.sides) {
    const line = !sides.has(`${run.kind} ${side}`) && ends(side);
    if (line) lines.push(svg("line", { x1: line[0][0], y1: line[0][1], x2: line[1][0], y2: line[1][1], class: "gone" }));
  }
  for (const way of old.ways) way.hexes.slice(1).forEach((hex, i) => {
    const was = way.hexes[i];
    if (links.has(`${way.kind} ${pair(was, hex)}`) || !inside(was) || !inside(hex)) return;
    const [a, b] = [shape.hexes[was], shape.hexes[hex]];
    lines.push(svg("line", { x1: a[X], y1: a[Y], x2: b[X], y2: b[Y], class: "gone" }));
  });
}
function paintCursor() {
  $("cursor").replaceChildren();
  if (raw() || !inside(at.hex)) return;
  $("cursor").append(svg("polygon", { points: outline(at.hex, 0.98), class: "cursor" }));
  if (["hexsides", "bridges"].includes(at.tool)) {
    const other = shape.hexes[at.hex][RING][at.turn];
    const line = other && ends(pair(at.hex, other));
    if (line) $("cursor").append(svg("line", { x1: line[0][0], y1: line[0][1], x2: line[1][0], y2: line[1][1], class: "aim" }));
  }
  $("status").textContent = told(at.hex);
}
function told(hex) {
  const parts = [`${hex}: ${ground(letter(hex))}`];
  parts.push(...sheet.places.filter((it) => it.hexes.includes(hex)).map((it) => it.name));
  parts.push(...new Set(sheet.ways.filter((it) => it.hexes.includes(hex)).map((it) => it.name || named("ways", it.kind))));
  parts.push(...new Set(sheet.hexsides.filter((it) => it.sides.some((side) => side.split("/").includes(hex))).map((it) => it.name || named("hexsides", it.kind))));
  return `${parts.join(" · ")} · ${w(`from-${SOURCES[source(hex)] ?? "assumed"}`)}`;
}

// ------------------------------------------------------------------------------------------------------- painting

const actions = {
  terrain(hex, stroke) {
    if (stroke?.off) { put(sheet.terrain, hex, BLANK); put(sheet.provenance, hex, "a"); return; }
    if (letter(hex) !== at.terrain) { put(sheet.terrain, hex, at.terrain); put(sheet.provenance, hex, at.source); }
    else if (source(hex) !== at.source) put(sheet.provenance, hex, at.source);
  },
  edges(hex, stroke) {
    const known = sheet.edges[at.edge] ?? [...shape.edges[at.edge]], has = known.includes(hex);
    stroke.off ??= has;
    stroke.panel = true;
    if (stroke.off === has) sheet.edges[at.edge] = has ? known.filter((it) => it !== hex) : [...known, hex];
  },
  source(hex) { put(sheet.provenance, hex, at.source); },
  fortified(hex, stroke) {
    const has = sheet.fortified.includes(hex);
    stroke.off ??= has;
    if (stroke.off && has) sheet.fortified = sheet.fortified.filter((it) => it !== hex);
    if (!stroke.off && !has) sheet.fortified.push(hex);
  },
  areas(hex, stroke) {
    if (!at.area) {
      let n = sheet.areas.length + 1;
      while (sheet.areas.some((it) => it.id === `area-${n}`)) n++;
      at.area = fresh("areas", { id: `area-${n}` });
      sheet.areas.push(at.area);
      stroke.panel = true;
    }
    const has = at.area.hexes.includes(hex);
    stroke.off ??= has;
    if (stroke.off) at.area.hexes = at.area.hexes.filter((it) => it !== hex);
    else if (!has) at.area.hexes.push(hex);
  },
  hexsides(hex, stroke, where) { paintSide(hex, where, stroke); },
  bridges(hex, stroke, where) {
    const other = shape.hexes[hex][RING][where];
    if (!other || stroke.once) return;
    stroke.once = true;
    stroke.panel = true;
    const side = pair(hex, other), known = sheet.bridges.find((it) => it.side.split("/").sort().join("/") === side);
    if (known && (stroke.off || at.bridge === known)) { sheet.bridges = sheet.bridges.filter((it) => it !== known); at.bridge = null; }
    else if (known) at.bridge = known;
    else if (!stroke.off) { at.bridge = fresh("bridges", { side }); sheet.bridges.push(at.bridge); }
  },
};

function paintSide(hex, where, stroke) {
  const other = shape.hexes[hex][RING][where];
  if (!other) return;
  const side = pair(hex, other);
  const bearing = sheet.hexsides.filter((run) => run.kind === at.hexsides && run.sides.includes(side));
  if (stroke.off) {
    for (const run of bearing) {
      run.sides = run.sides.filter((it) => it !== side);
      if (!run.sides.length) { sheet.hexsides.splice(sheet.hexsides.indexOf(run), 1); if (at.run === run) at.run = null; }
    }
    return;
  }
  if (bearing.length) return;
  if (!at.run || at.run.kind !== at.hexsides || !sheet.hexsides.includes(at.run)) {
    at.run = fresh("hexsides", { kind: at.hexsides });
    sheet.hexsides.push(at.run);
    stroke.panel = true;
  }
  at.run.sides.push(side);
}

/** A way goes on to a hex; back to the hex before is a step back. */
function lead(hex) {
  if (at.start) {
    const hexes = straight(at.start, hex);
    if (hexes.length < 2) return;
    at.way = fresh("ways", { kind: at.ways, hexes });
    sheet.ways.push(at.way);
    [at.start, at.grow] = ["", "end"];
    return;
  }
  if (!at.way) return;
  const line = at.way.hexes, first = at.grow === "start";
  const end = first ? line[0] : line.at(-1), last = first ? line[1] : line.at(-2);
  if (hex === end) return;
  if (hex === last && line.length > 2) { if (first) line.shift(); else line.pop(); return; }
  for (const next of straight(end, hex).slice(1)) { if (first) line.unshift(next); else line.push(next); }
}
function beginWay(hex) {
  if (at.start || (at.way && straight(at.grow === "start" ? at.way.hexes[0] : at.way.hexes.at(-1), hex).length > 1)) { lead(hex); return; }
  const known = sheet.ways.find((it) => it.kind === at.ways && (it.hexes[0] === hex || it.hexes.at(-1) === hex));
  if (known && at.way !== known) { [at.way, at.grow, at.start] = [known, known.hexes.at(-1) === hex ? "end" : "start", ""]; return; }
  [at.way, at.start] = [null, hex];
}
function endWay() { [at.way, at.start] = [null, ""]; }

/** Take a hex out of the ways of a kind: one that ran on beyond it becomes two. */
function cut(hex) {
  endWay();
  for (const way of sheet.ways.filter((it) => it.kind === at.ways && it.hexes.includes(hex))) {
    const parts = [[]];
    for (const it of way.hexes) { if (it === hex) parts.push([]); else parts.at(-1).push(it); }
    const whole = parts.filter((part) => part.length > 1);
    const place = sheet.ways.indexOf(way);
    if (!whole.length) { sheet.ways.splice(place, 1); continue; }
    way.hexes = whole[0];
    sheet.ways.splice(place + 1, 0, ...whole.slice(1).map((hexes) => ({ ...clone(way), was: null, hexes })));
  }
}
function flood(hex) {
  const sign = letter(hex), seenHexes = new Set([hex]), queue = [hex];
  if (sign === at.terrain) return;
  while (queue.length) {
    const it = queue.pop();
    for (const other of shape.hexes[it][RING]) if (other && !seenHexes.has(other) && letter(other) === sign) { seenHexes.add(other); queue.push(other); }
  }
  for (const it of seenHexes) actions.terrain(it);
}
function pick(hex) {
  at.terrain = letter(hex);
  say(ground(at.terrain));
  renderPanel();
}
function usePlace(hex, more) {
  const known = sheet.places.find((it) => it.hexes.includes(hex));
  if (more && at.place && known !== at.place) { at.place.hexes.push(hex); return; }
  if (more && at.place && at.place.hexes.length > 1) { at.place.hexes = at.place.hexes.filter((it) => it !== hex); return; }
  at.place = known ?? null;
  if (!known) {
    at.place = fresh("places", { id: "", name: "", hexes: [hex] });
    let id = `place-${hex.toLowerCase()}`;
    while (sheet.places.some((it) => it.id === id)) id += "-2";
    at.place.id = id;
    sheet.places.push(at.place);
  }
  renderPanel();
  if (!known) $("field-name")?.focus();
}

// --------------------------------------------------------------------------------------------------- mouse and keys

let held = null;
const pad = $("pad");
pad.addEventListener("pointerdown", (event) => {
  pad.focus();
  pad.setPointerCapture(event.pointerId);
  const where = point(event);
  if (event.button === 1 || at.space || (at.tool === "look" && event.button === 0 && event.shiftKey)) { held = { pan: where }; event.preventDefault(); return; }
  if (raw()) { if (event.button === 0) held = { mark: where, from: [event.clientX, event.clientY] }; return; }
  const hex = nearest(where);
  if (!hex) { held = { pan: where }; return; }
  at.hex = hex;
  if (event.altKey && at.tool === "terrain") { pick(hex); return; }
  const off = event.button === 2 || at.erase;
  held = { last: hex, off: off || undefined, tool: at.tool, where };
  begin();
  use(hex, where, held, event.shiftKey);
  if (at.tool === "look") held = { pan: where, tap: true };
  render();
});
pad.addEventListener("pointermove", (event) => {
  const where = point(event);
  if (held?.pan) {
    frame.x += held.pan[0] - where[0];
    frame.y += held.pan[1] - where[1];
    look();
    return;
  }
  if (raw()) return;
  const hex = nearest(where);
  if (!hex) return;
  const turn = towards(hex, where);
  if (hex !== at.hex || turn !== at.turn) { [at.hex, at.turn] = [hex, turn]; paintCursor(); }
  if (held?.last && held.tool === at.tool) {
    if (at.tool === "hexsides") follow(where, held);
    else if (hex === held.last) return;
    else for (const it of straight(held.last, hex)) drag(it, held);
    held.last = hex;
    render();
  }
});
function finish(event) {
  const was = held;
  held = null;
  if (was?.mark && event.type === "pointerup" && Math.hypot(event.clientX - was.from[0], event.clientY - was.from[1]) < 6) { setCentre(at.next, was.mark.map((v) => v * at.share)); return; }
  if (was?.last || was?.tap) { commit(); if (was.panel || at.tool === "look" || at.tool === "ways") renderPanel(); render(); }
}
pad.addEventListener("pointerup", finish);
pad.addEventListener("pointercancel", finish);
pad.addEventListener("contextmenu", (event) => event.preventDefault());
pad.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(-event.deltaY / 500), point(event)); }, { passive: false });

function use(hex, where, stroke, shift) {
  at.turn = where ? towards(hex, where) : at.turn;
  if (at.tool === "terrain" && shift) flood(hex);
  else if (at.tool === "ways") { if (stroke.off) cut(hex); else beginWay(hex); }
  else if (at.tool === "places") usePlace(hex, shift);
  else actions[at.tool]?.(hex, stroke, at.turn);
}
function drag(hex, stroke) {
  if (at.tool === "ways") { if (stroke.off) cut(hex); else lead(hex); }
  else if (!["places", "bridges", "look"].includes(at.tool)) actions[at.tool]?.(hex, stroke, at.turn);
}
/** Sides along the way of the pointer: only those it comes near, or crossing a hex would paint three of its sides. */
function follow(where, stroke) {
  const [x, y] = stroke.where ?? where, steps = Math.max(1, Math.ceil(Math.hypot(where[0] - x, where[1] - y) / 8));
  stroke.where = where;
  for (let i = 1; i <= steps; i++) {
    const here = [x + (where[0] - x) * i / steps, y + (where[1] - y) * i / steps];
    const hex = nearest(here);
    if (!hex) continue;
    const it = shape.hexes[hex], turn = towards(hex, here);
    if (turn < 0) continue;
    const other = shape.hexes[it[RING][turn]];
    const length = Math.hypot(other[X] - it[X], other[Y] - it[Y]);
    const off = Math.abs(((here[0] - it[X]) * (other[X] - it[X]) + (here[1] - it[Y]) * (other[Y] - it[Y])) / length - length / 2);
    const along = Math.abs((here[0] - it[X]) * (other[Y] - it[Y]) - (here[1] - it[Y]) * (other[X] - it[X])) / length;
    if (off < 14 && along < 20) actions.hexsides(hex, stroke, turn);
  }
}

const MOVES = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
function move([dx, dy]) {
  if (!inside(at.hex)) at.hex = corner();
  const it = shape.hexes[at.hex];
  const want = names().find((hex) => shape.hexes[hex][COLUMN] === it[COLUMN] + dx && shape.hexes[hex][ROW] === it[ROW] + dy);
  if (!want) return;
  at.hex = want;
  centre(want);
  paintCursor();
  say(told(want));
  if (at.tool === "look") renderPanel();
}
pad.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || raw()) return;
  if (MOVES[event.key]) { event.preventDefault(); move(MOVES[event.key]); return; }
  if (event.key === " " || event.key === "Enter") {
    event.preventDefault();
    if (event.key === "Enter" && at.tool === "ways") { endWay(); renderPanel(); render(); return; }
    if (!inside(at.hex)) return;
    const stroke = { off: at.erase || undefined };
    if (["hexsides"].includes(at.tool) && hasSide()) stroke.off = true;
    begin();
    use(at.hex, null, stroke, event.shiftKey);
    commit();
    if (stroke.panel || at.tool === "ways") renderPanel();
    render();
    say(told(at.hex));
  }
  if (event.key === "q" || event.key === "e") {
    const ring = shape.hexes[at.hex]?.[RING];
    if (!ring) return;
    do at.turn = (at.turn + (event.key === "e" ? 1 : 5)) % 6; while (!ring[at.turn]);
    paintCursor();
    say(`${pair(at.hex, ring[at.turn])} ${w(`to-${shape.compass[at.turn]}`)}`);
  }
});
function hasSide() {
  const other = shape.hexes[at.hex][RING][at.turn];
  return other && sheet.hexsides.some((run) => run.kind === at.hexsides && run.sides.includes(pair(at.hex, other)));
}
addEventListener("keydown", (event) => {
  const typing = event.target.closest?.('input[type="text"], input[type="number"], select');
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (key === "s") { event.preventDefault(); save(); return; }
    if (typing) return;
    if (key === "z") { event.preventDefault(); if (event.shiftKey) stepBack(undone, done); else stepBack(done, undone); }
    if (key === "y") { event.preventDefault(); stepBack(undone, done); }
    return;
  }
  if (typing || event.altKey) return;
  const tool = Object.keys(TOOLS).find((name) => TOOLS[name] === event.key);
  if (tool) { choose(tool); return; }
  if (event.key === "x") { at.erase = !at.erase; renderPanel(); return; }
  if (event.key === "Escape") { endWay(); Object.assign(at, { run: null, place: null, area: null, bridge: null }); render(true); return; }
  if (event.key === "+" || event.key === "=") zoom(1.25);
  if (event.key === "-") zoom(0.8);
  if (event.key === "0") whole();
  if (/^[1-9]$/.test(event.key)) { const brush = document.querySelectorAll("#panel .brush")[Number(event.key) - 1]; brush?.click(); pad.focus(); }
});

// ---------------------------------------------------------------------------------------------------------- panels

function choose(tool) {
  const other = raw();
  at.tool = tool;
  at.erase = false;
  endWay();
  for (const button of document.querySelectorAll("#tools button")) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
  if (tool === "scan") openScan();
  else if (other) { $("under").removeAttribute("href"); whole(); if (at.laid) layScan(); }
  render(true);
}
function field(key, label, control) {
  control.id = `field-${key}`;
  return el("p", { class: "field" }, el("label", { for: control.id }, label), control);
}
const text = (value, onchange) => el("input", { type: "text", value: value ?? "", maxlength: 200, onchange: (event) => onchange(event.target.value.trim()) });
const choice = (options, value, onchange) => {
  const made = el("select", { onchange: (event) => onchange(event.target.value) }, options.map(([id, name]) => el("option", { value: id }, name)));
  made.value = value ?? "";
  return made;
};
function brushes(label, options, chosen, onchoose) {
  return el("div", { class: "brushes", role: "group", "aria-label": label }, options.map(([id, name, colour, shape], i) => {
    const swatch = el("i", { class: `swatch ${shape ?? ""}`, "aria-hidden": "true" });
    if (colour) swatch.style.backgroundColor = colour;
    return el("button", { type: "button", class: "brush", "data-id": id, "aria-pressed": String(id === chosen), onclick: () => { onchoose(id); renderPanel(); render(); } }, swatch, el("span", {}, name), i < 9 ? el("kbd", {}, String(i + 1)) : null);
  }));
}
const eraser = () => el("p", {}, el("button", { type: "button", id: "erase", "aria-pressed": String(at.erase), onclick: () => { at.erase = !at.erase; renderPanel(); } }, w("erase"), el("kbd", {}, "X")));
const sourcePicker = () => el("fieldset", { class: "sources" }, el("legend", {}, w("source-of")), Object.entries(SOURCES).map(([sign, name]) => el("label", {}, el("input", { type: "radio", name: "source", value: sign, checked: at.source === sign, onchange: () => { at.source = sign; } }), ` ${w(`from-${name}`)}`)));
const hint = (key) => el("p", { class: "muted" }, w(`hint-${key}`));

const panels = {
  look() {
    if (!inside(at.hex)) return [hint("look")];
    const hex = at.hex;
    return [
      el("h2", {}, hex), el("p", {}, told(hex)),
      field("note", w("note"), text(sheet.notes[hex], (value) => change(() => { if (value) sheet.notes[hex] = value; else delete sheet.notes[hex]; }))),
      field("from", w("source"), choice(Object.entries(SOURCES).map(([sign, name]) => [sign, w(`from-${name}`)]), source(hex), (sign) => change(() => put(sheet.provenance, hex, sign)))),
      hint("look"),
    ];
  },
  terrain() {
    const letters = Object.keys(sheet.legend);
    const used = new Set(Object.values(sheet.legend));
    const more = Object.keys(kinds.terrain).filter((id) => !used.has(id));
    const options = [...letters.map((sign) => [sign, `${ground(sign)}  ${sign}`, colour(sign)]), ...more.map((id) => [`+${id}`, terrainName(id), kinds.terrain[id]])];
    return [
      brushes(w("tool-terrain"), options, at.terrain, (id) => { at.terrain = id.startsWith("+") && id.length > 1 ? newLetter(id.slice(1)) : id; }),
      rest(), style("terrain", sheet.legend[at.terrain]?.split(" ")[0], terrainName),
      el("details", {}, el("summary", {}, w("two-terrains")), mixer()),
      eraser(), sourcePicker(), hint("terrain"),
    ];
  },
  hexsides() {
    const runs = sheet.hexsides.filter((run) => run.kind === at.hexsides);
    return [
      brushes(w("tool-hexsides"), Object.entries(kinds.hexsides).map(([id, colour]) => [id, named("hexsides", id), colour, "line"]), at.hexsides, (id) => { at.hexsides = id; at.run = null; }),
      field("run", w("line"), choice([["", w("new-line")], ...runs.map((run) => [String(sheet.hexsides.indexOf(run)), `${run.name || named("hexsides", run.kind)} (${run.sides.length})`])], at.run ? String(sheet.hexsides.indexOf(at.run)) : "", (id) => { at.run = id ? sheet.hexsides[Number(id)] : null; render(true); })),
      ...at.run ? [details(at.run)] : [], style("hexsides", at.hexsides, (id) => named("hexsides", id)), eraser(), sourcePicker(), hint("hexsides"),
    ];
  },
  ways() {
    const known = sheet.ways.filter((way) => way.kind === at.ways);
    return [
      brushes(w("tool-ways"), Object.entries(kinds.ways).map(([id, colour]) => [id, named("ways", id), colour, "line"]), at.ways, (id) => { at.ways = id; endWay(); }),
      field("run", w("line"), choice([["", w("new-line")], ...known.map((way) => [String(sheet.ways.indexOf(way)), `${way.name || named("ways", way.kind)} ${way.hexes[0]}–${way.hexes.at(-1)}`])], at.way ? String(sheet.ways.indexOf(at.way)) : "", (id) => { [at.way, at.start, at.grow] = [id ? sheet.ways[Number(id)] : null, "", "end"]; if (at.way) centre(at.way.hexes.at(-1)); render(true); })),
      ...at.way ? [details(at.way), remove("ways", "way")] : [], style("ways", at.ways, (id) => named("ways", id)), eraser(), sourcePicker(), hint("ways"),
    ];
  },
  places() {
    const it = at.place;
    if (!it) return [hint("places")];
    return [
      el("h2", {}, it.hexes.join(" ")),
      field("name", w("name"), text(it.name, (value) => change(() => { if (it.was === null && (it.id.startsWith("place-") || !it.id)) it.id = slug(value) || it.id; it.name = value; renderPanel(); }))),
      field("id", w("id"), text(it.id, (value) => change(() => { it.id = value; }))),
      field("kind", w("kind"), choice(PLACES.map((kind) => [kind, w(`place-${kind}`)]), it.kind, (kind) => change(() => { it.kind = kind; }))),
      origin(it), remark(it), remove("places", "place"), hint("places"),
    ];
  },
  areas() {
    const it = at.area;
    return [
      field("run", w("area"), choice([["", w("new-area")], ...sheet.areas.map((area, i) => [String(i), `${area.name || area.id} (${area.hexes.length})`])], it ? String(sheet.areas.indexOf(it)) : "", (id) => { at.area = id ? sheet.areas[Number(id)] : null; if (at.area) centre(at.area.hexes[0]); render(true); })),
      ...it ? [
        field("id", w("id"), text(it.id, (value) => change(() => { it.id = value; }))),
        field("name", w("name"), text(it.name, (value) => change(() => { it.name = value; renderPanel(); }))),
        field("kind", w("kind"), text(it.kind, (value) => change(() => { it.kind = value || "area"; }))),
        field("side", w("side"), choice([["", "–"], ...game.sides.map((side) => [side, named("sides", side)])], it.side, (side) => change(() => { it.side = side || null; }))),
        el("p", {}, el("label", {}, el("input", { type: "checkbox", checked: it.drawn, onchange: (event) => change(() => { it.drawn = event.target.checked; }) }), ` ${w("drawn")}`)),
        origin(it), remark(it), style("areas", it.kind, (id) => id), remove("areas", "area"),
      ] : [], hint("areas"),
    ];
  },
  bridges() {
    const it = at.bridge;
    return [
      field("run", w("tool-bridges"), choice([["", w("new-line")], ...sheet.bridges.map((bridge, i) => [String(i), `${bridge.name} ${bridge.side}`.trim()])], it ? String(sheet.bridges.indexOf(it)) : "", (id) => { at.bridge = id ? sheet.bridges[Number(id)] : null; if (at.bridge) centre(at.bridge.side.split("/")[0]); render(true); })),
      ...it ? [
        details(it),
        field("from-turn", w("from-turn"), el("input", { type: "number", min: 1, value: it.from_turn ?? "", onchange: (event) => change(() => { it.from_turn = event.target.value ? Number(event.target.value) : null; }) })),
        remove("bridges", "bridge"),
      ] : [sourcePicker()], hint("bridges"),
    ];
  },
  edges() {
    return [
      brushes(w("tool-edges"), Object.keys(shape.edges).map((edge) => [edge, `${w(`edge-${edge}`)} (${(sheet.edges[edge] ?? shape.edges[edge]).length})`]), at.edge, (edge) => { at.edge = edge; }),
      el("p", {}, el("button", { type: "button", disabled: !sheet.edges[at.edge], onclick: () => { change(() => { delete sheet.edges[at.edge]; }); renderPanel(); } }, w("edge-usual"))),
      hint("edges"),
    ];
  },
  fortified: () => [hint("fortified")],
  source: () => [sourcePicker(), hint("source")],
  size() {
    const grid = clone(sheet.grid), usual = { columns: "digits", rows: "digits", first: "columns", columns_from: 1, rows_from: 1, descending: [], digits: null };
    const by = { ...usual, ...grid.numbering };
    const count = (key) => field(key, w(key), el("input", { type: "number", min: 1, max: 99, value: grid[key], onchange: (event) => { grid[key] = Number(event.target.value); } }));
    const called = (key) => [
      field(`called-${key}`, w(`called-${key}`), choice([["digits", w("digits")], ["letters", w("letters")]], by[key], (value) => { by[key] = value; })),
      field(`from-${key}`, w("counted-from"), el("input", { type: "number", min: 0, max: 100, value: by[`${key}_from`], onchange: (event) => { by[`${key}_from`] = Number(event.target.value); } })),
      el("p", {}, el("label", {}, el("input", { type: "checkbox", checked: by.descending.includes(key), onchange: (event) => { by.descending = ["columns", "rows"].filter((it) => it === key ? event.target.checked : by.descending.includes(it)); } }), ` ${w(`descending-${key}`)}`)),
    ];
    const taken = () => {
      const changed = Object.keys(usual).some((key) => JSON.stringify(by[key]) !== JSON.stringify(usual[key]));
      grid.numbering = changed ? by : null;
      return grid;
    };
    return [
      count("columns"), count("rows"),
      field("tops", w("tops"), choice([["flat", w("flat")], ["pointy", w("pointy")]], grid.tops, (value) => { grid.tops = value; })),
      field("low", w("low"), choice([["even", w(`even-${grid.tops}`)], ["odd", w(`odd-${grid.tops}`)]], grid.low, (value) => { grid.low = value; })),
      field("letter", w("letter"), el("input", { type: "text", maxlength: 1, value: grid.letter, onchange: (event) => { grid.letter = event.target.value.trim().toUpperCase(); } })),
      el("details", { open: Boolean(grid.numbering) }, el("summary", {}, w("numbering")), ...called("columns"), ...called("rows"),
        field("first", w("said-first"), choice([["columns", w("the-column")], ["rows", w("the-row")]], by.first, (value) => { by.first = value; })),
        field("digits", w("digits"), el("input", { type: "number", min: 1, max: 3, placeholder: "–", value: by.digits ?? "", onchange: (event) => { by.digits = event.target.value ? Number(event.target.value) : null; } }))),
      el("p", { class: "row" }, el("button", { type: "button", id: "resize", class: "main", onclick: () => resize(taken()) }, w("resize")), el("button", { type: "button", id: "empty", class: "danger", onclick: empty }, w("empty"))),
      hint("size"),
      field("compass", w("north"), el("input", { type: "number", min: -360, max: 360, value: sheet.compass, onchange: (event) => change(() => { sheet.compass = Number(event.target.value); }) })),
      field("scale", w("scale"), text(sheet.scale, (value) => change(() => { sheet.scale = value; }))),
    ];
  },
  scan: scanPanel,
};
const slug = (name) => name.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40);
const origin = (it) => field("from", w("source"), choice(Object.values(SOURCES).map((name) => [name, w(`from-${name}`)]), it.provenance, (name) => change(() => { it.provenance = name; })));
const details = (it) => el("div", {}, field("name", w("name"), text(it.name, (value) => change(() => { it.name = value; renderPanel(); }))), origin(it), remark(it));
const remark = (it) => field("remark", w("note"), text(it.note, (value) => change(() => { it.note = value; })));
/** As what the board draws a kind that has no style of its own name, or another. */
function style(section, id, spoken) {
  if (!id) return null;
  const known = kinds.styles[section];
  const none = known.includes(id) ? w("style-own") : w("style-none");
  return field("style", w("style-of", { name: spoken(id) }), choice([["", none], ...known.map((it) => [it, it])], sheet.looks[section][id] ?? "", (value) => change(() => { if (value) sheet.looks[section][id] = value; else delete sheet.looks[section][id]; })));
}
/** What nobody has painted yet, in one go. */
function rest() {
  const count = blanks();
  if (!count) return null;
  return el("p", {}, el("button", { type: "button", id: "rest", onclick: () => {
    change(() => { for (const hex of names()) if (blank(letter(hex))) actions.terrain(hex); });
    renderPanel();
  } }, w("fill-rest", { count, terrain: ground(at.terrain) })));
}
const remove = (list, which) => el("p", {}, el("button", { type: "button", class: "danger", onclick: () => { change(() => { sheet[list] = sheet[list].filter((it) => it !== at[which]); at[which] = null; }); renderPanel(); } }, w("remove")));

/** A letter for a terrain, or for several in one hex. */
function newLetter(terrains) {
  const known = Object.keys(sheet.legend).find((sign) => sheet.legend[sign] === terrains);
  if (known) return known;
  const wished = [...terrains, ...terrains.toUpperCase(), ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const free = wished.find((sign) => /[a-zA-Z]/.test(sign) && !(sign in sheet.legend));
  if (free) change(() => { sheet.legend[free] = terrains; });
  return free ?? at.terrain;
}
function mixer() {
  const boxes = Object.keys(kinds.terrain).map((id) => el("label", {}, el("input", { type: "checkbox", value: id }), ` ${terrainName(id)}`));
  const made = el("div", { class: "mixer" }, boxes, el("button", { type: "button", onclick: () => {
    const chosen = [...made.querySelectorAll("input:checked")].map((box) => box.value);
    if (chosen.length) { at.terrain = newLetter(chosen.join(" ")); render(true); }
  } }, w("add")));
  return made;
}
async function resize(grid) {
  const fit = (rows, sign) => Array.from({ length: grid.rows }, (_, i) => (rows[i] ?? "").slice(0, grid.columns).padEnd(grid.columns, sign));
  try {
    const found = await ask("shape", { base, sheet: { ...sheet, grid } });
    // A hex is where it is, whatever it is called.
    const there = new Map(Object.entries(found.hexes).map(([hex, it]) => [`${it[COLUMN]} ${it[ROW]}`, hex]));
    const now = (hex) => inside(hex) ? there.get(`${shape.hexes[hex][COLUMN]} ${shape.hexes[hex][ROW]}`) : undefined;
    const touching = (a, b) => a && b && found.hexes[a][RING].includes(b);
    const sideNow = (side) => { const [a, b] = side.split("/").map(now); return touching(a, b) ? pair(a, b) : ""; };
    const next = { ...clone(sheet), grid, terrain: fit(sheet.terrain, BLANK), provenance: fit(sheet.provenance, "a") };
    const those = (hexes) => hexes.map(now).filter(Boolean);
    next.fortified = those(next.fortified);
    next.notes = Object.fromEntries(Object.entries(next.notes).map(([hex, note]) => [now(hex), note]).filter(([hex]) => hex));
    next.edges = Object.fromEntries(Object.entries(next.edges).map(([edge, hexes]) => [edge, those(hexes)]).filter(([, hexes]) => hexes.length));
    for (const run of next.hexsides) run.sides = run.sides.map(sideNow).filter(Boolean);
    for (const bridge of next.bridges) bridge.side = sideNow(bridge.side);
    for (const list of ["ways", "places", "areas"]) for (const it of next[list]) it.hexes = those(it.hexes);
    if (next.scan) next.scan.centres = Object.fromEntries(Object.entries(next.scan.centres).map(([hex, where]) => [now(hex), where]).filter(([hex]) => hex));
    at.marks = Object.fromEntries(Object.entries(at.marks).map(([hex, where]) => [now(hex), where]).filter(([hex]) => hex));
    next.hexsides = next.hexsides.filter((run) => run.sides.length);
    next.bridges = next.bridges.filter((it) => it.side);
    next.ways = next.ways.filter((it) => it.hexes.length > 1);
    for (const list of ["places", "areas"]) next[list] = next[list].filter((it) => it.hexes.length);
    begin();
    const hex = now(at.hex);
    [sheet, shape, drawn] = [next, found, null];
    Object.assign(at, { way: null, run: null, place: null, area: null, bridge: null, start: "", hex: hex ?? corner() });
    commit();
    $("toast").hidden = true;
    whole();
    render(true);
  } catch (error) {
    refuse(error);
  }
}
function empty() {
  change(() => {
    sheet.terrain = sheet.terrain.map((row) => BLANK.repeat(row.length));
    sheet.provenance = sheet.provenance.map((row) => "a".repeat(row.length));
    Object.assign(sheet, { hexsides: [], bridges: [], ways: [], places: [], areas: [], fortified: [], notes: {}, edges: {} });
    Object.assign(at, { way: null, run: null, place: null, area: null, bridge: null, start: "" });
  });
  render(true);
}
function renderPanel() {
  const focus = document.activeElement?.id;
  $("panel").replaceChildren(el("h2", { class: "title" }, w(`tool-${at.tool}`)), ...panels[at.tool]().filter(Boolean));
  if (focus && $("panel").querySelector(`#${CSS.escape(focus)}`)) $(focus).focus();
}
function renderProblems() {
  const errors = problems.filter((it) => it.severity === "error").length;
  $("count").textContent = problems.length ? String(problems.length) : "";
  $("count").className = `count ${errors ? "error" : problems.length ? "warning" : ""}`;
  $("problems").replaceChildren(problemList(problems, (it) => {
    const hex = it.names.find(inside);
    return hex && (() => { at.hex = hex; centre(hex); paintCursor(); if (at.tool === "look") renderPanel(); pad.focus(); });
  }));
}
function renderLayers() {
  const button = (view) => el("button", { type: "button", "aria-pressed": String(at.view === view), onclick: () => setView(view) }, w(`view-${view}`));
  const slider = el("input", { type: "range", min: 0, max: 1, step: 0.05, value: at.tint, "aria-label": w("tint"), oninput: (event) => { at.tint = Number(event.target.value); render(); } });
  $("layers").replaceChildren(button("board"), button("plain"), ...at.laid ? [button("scan")] : [], ...at.view === "scan" ? [slider] : []);
}
function setView(view) { at.view = view; renderLayers(); render(); }

// -------------------------------------------------------------------------------------------------------- the scan

const share = () => ({ base, sheet: { ...sheet, scan: null }, centres: at.marks });
async function openScan() {
  if (!picture) return;
  try {
    await measure();
    const blob = await ask("scan", { base });
    const loaded = URL.createObjectURL(blob);
    for (const [name, value] of Object.entries({ href: loaded, x: 0, y: 0, width: at.width / at.share, height: at.height / at.share })) $("under").setAttribute(name, value);
    if (!at.next) at.next = proposed();
    whole();
    render(true);
  } catch (error) { refuse(error); }
}
async function measure() {
  const found = await ask("fit", share());
  Object.assign(at, { share: found.share, width: found.width, height: found.height, fitted: found.centres, fitSaid: found.said });
}
/** The corner of the grid that has no centre yet, then its middle. */
function proposed() {
  const { columns, rows } = sheet.grid;
  const by = (column, row) => names().find((hex) => shape.hexes[hex][COLUMN] === column && shape.hexes[hex][ROW] === row);
  const wanted = [by(1, 1), by(columns, 1), by(1, rows), by(columns, rows), by(Math.ceil(columns / 2), Math.ceil(rows / 2))];
  return wanted.find((hex) => hex && !(hex in at.marks)) ?? "";
}
async function setCentre(hex, where) {
  if (!inside(hex)) { toast(w("which-hex"), "bad"); return; }
  at.marks[hex] = where.map((v) => Math.round(v * 10) / 10);
  at.next = proposed();
  await refit();
}
async function refit() {
  try { await measure(); } catch (error) { refuse(error); }
  if (sheet.scan) change(() => { sheet.scan.centres = clone(at.marks); });
  render(true);
  say(at.next ? w("click-hex", { hex: at.next }) : at.fitSaid);
}
function paintCentres() {
  const size = Math.max(at.width, at.height) / at.share / 160;
  const marks = Object.values(at.fitted).map(([x, y]) => svg("circle", { cx: x / at.share, cy: y / at.share, r: size * 0.6, class: "fitted" }));
  for (const [hex, [x, y]] of Object.entries(at.marks)) {
    const [cx, cy] = [x / at.share, y / at.share];
    marks.push(svg("path", { d: `M${cx - 2 * size} ${cy}h${4 * size}M${cx} ${cy - 2 * size}v${4 * size}`, class: "cross", "stroke-width": size / 2 }));
    marks.push(svg("text", { x: cx + size, y: cy - size, class: "tag", "font-size": size * 3, "stroke-width": size }, hex));
  }
  $("marks").append(...marks);
  $("status").textContent = at.next ? w("click-hex", { hex: at.next }) : "";
}
function scanPanel() {
  if (!picture) return [el("p", {}, w("no-scan-given"))];
  const number = (hex, i) => el("input", { type: "number", step: 0.1, value: at.marks[hex][i], "aria-label": `${hex} ${"xy"[i]}`, onchange: (event) => { at.marks[hex][i] = Number(event.target.value); refit(); } });
  const rows = Object.keys(at.marks).map((hex) => el("tr", {}, el("th", { scope: "row" }, hex), el("td", {}, number(hex, 0)), el("td", {}, number(hex, 1)), el("td", {}, el("button", { type: "button", "aria-label": `${w("remove")} ${hex}`, onclick: () => { delete at.marks[hex]; at.next = proposed(); refit(); } }, "×"))));
  const ready = Object.keys(at.fitted).length > 0;
  return [
    el("p", {}, w("scan-how")),
    field("next", w("next-hex"), text(at.next, (value) => { at.next = value; render(); })),
    rows.length ? el("table", { class: "centres" }, el("tbody", {}, rows)) : null,
    at.fitSaid ? el("p", { class: ready ? "warn" : "bad", role: "status" }, at.fitSaid) : null,
    el("p", {}, el("button", { type: "button", id: "lay", class: "main", disabled: !ready, onclick: async () => { if (await layScan()) choose("terrain"); } }, w("lay"))),
    el("p", {}, el("label", {}, el("input", { type: "checkbox", id: "as-board", checked: Boolean(sheet.scan), disabled: !ready && !sheet.scan, onchange: (event) => change(() => { sheet.scan = event.target.checked ? { image: picture.name, centres: clone(at.marks), grid: false, numbers: false } : null; }) }), ` ${w("as-board")}`)),
    ready ? el("details", {}, el("summary", {}, w("for-build")), el("code", {}, `--centres "${Object.entries(at.marks).map(([hex, [x, y]]) => `${hex}=${x},${y}`).join(" ")}"`)) : null,
  ].filter(Boolean);
}
async function layScan() {
  try {
    const blob = await ask("under", share());
    at.laid = true;
    $("under").removeAttribute("href");
    await show("under", blob, 8);
    setView("scan");
    return true;
  } catch (error) { refuse(error); return false; }
}

// ---------------------------------------------------------------------------------------------------------- saving

function refuse(error) {
  if (!(error instanceof Refused)) throw error;
  toast(error.message, "bad");
  if (error.problems.length) { problems = error.problems; renderProblems(); }
}
let saving = false;
async function save() {
  if (saving) return;
  saving = true;
  $("toast").hidden = true;
  // What stands in a field counts once it is left.
  const held = document.activeElement;
  held?.blur?.();
  if (held?.isConnected) held.focus();
  try {
    await written();
    const left = problems.filter((it) => it.severity === "error").length;
    toast(left ? w("saved-so-far", { file: game.file, count: left }) : w("saved-to", { file: game.file }));
  } catch (error) { refuse(error); }
  saving = false;
  changed();
  renderProblems();
}
/** Write what is painted; what somebody else wrote meanwhile is brought in first. */
async function written() {
  if (!await same() && !await bringIn()) throw new Refused(409, { message: w("not-brought-in", { file: game.file }) });
  const text = JSON.stringify(sheet);
  const found = await ask("save", { base, seen, sheet: JSON.parse(text) });
  [seen, saved, problems] = [found.seen, text, found.problems];
}
const same = async () => (await ask("stands", { seen })).same;
/** What the file says now, with what was painted here; false if he who paints would not decide. */
async function bringIn() {
  const was = JSON.stringify(sheet), began = JSON.parse(saved || was);
  let found = await ask("merge", { base, saved: began, sheet: JSON.parse(was) });
  while (found.clashes.length) {
    const choices = await decide(found.clashes, { terrain: (value) => value.startsWith("=") ? w("unpainted") : value.split(" ").map(terrainName).join(", "), from: (sign) => w(`from-${SOURCES[sign] ?? "assumed"}`) });
    if (!choices) return false;
    found = await ask("merge", { base, saved: began, sheet: JSON.parse(was), choices, over: found.seen });
  }
  ({ sheet, shape, kinds, base, seen } = found);
  saved = JSON.stringify(found.theirs);
  [done, undone, drawn] = [[], [], null];
  Object.assign(at, { way: null, run: null, place: null, area: null, bridge: null, start: "" });
  if (sheet.scan) at.marks = clone(sheet.scan.centres);
  if (!inside(at.hex)) at.hex = corner();
  changed();
  render(true);
  toast(w("brought-in", { file: game.file }));
  return true;
}
/** Whoever comes back to the window sees the file as it is. */
addEventListener("focus", async () => {
  if (saving || !seen) return;
  saving = true;
  try { if (!await same()) await bringIn(); } catch (error) { refuse(error); }
  saving = false;
});

async function start() {
  game = await ask("data");
  state.words = game.words;
  ({ sheet, shape, kinds, base, seen } = game);
  picture = game.scan;
  saved = game.whole ? JSON.stringify(sheet) : "";
  problems = game.problems;
  $("file").textContent = game.file;
  at.terrain = Object.keys(sheet.legend)[0];
  at.hexsides = Object.keys(kinds.hexsides)[0] ?? "";
  at.ways = Object.keys(kinds.ways)[0] ?? "";
  at.marks = clone(sheet.scan?.centres ?? {});
  at.hex = corner();
  $("tools").replaceChildren(...Object.entries(TOOLS).map(([tool, key]) => el("button", { type: "button", "data-tool": tool, "aria-pressed": "false", onclick: () => choose(tool) }, glyph(tool), el("span", { "data-w": `tool-${tool}` }), key ? el("kbd", {}, key.toUpperCase()) : null)));
  const all = () => { renderLayers(); renderProblems(); pad.setAttribute("aria-label", w("board")); render(true); changed(); };
  chooseLooks(all);
  dress();
  $("undo").onclick = () => stepBack(done, undone);
  $("redo").onclick = () => stepBack(undone, done);
  $("save").onclick = save;
  $("larger").onclick = () => zoom(1.25);
  $("smaller").onclick = () => zoom(0.8);
  $("whole").onclick = whole;
  new ResizeObserver(whole).observe($("view"));
  whole();
  all();
  redraw(0);
  if (!game.whole) toast(w("filled-in", { file: game.file }), "note");
  if (picture && !sheet.scan) choose("scan");
  else { choose("look"); if (picture) layScan().then(() => setView("board")); }
  document.body.dataset.ready = "";
}
start().catch((error) => { toast(error.message, "bad"); });
