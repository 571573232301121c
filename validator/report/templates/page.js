// The page of a replay. What it shows of the data in it, it shows as text; only the report in other languages is markup,
// which was escaped when it was made, and in which nothing may run.

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

const $ = (id) => document.getElementById(id);

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
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
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

async function unpacked() {
  const bytes = Uint8Array.from(atob($("data").textContent.trim()), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function remembered(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(`hexforge.${key}`);
    localStorage.setItem(`hexforge.${key}`, value);
  } catch { /* pages opened as files may have no memory */ }
  return null;
}

const { replay: game, words: catalogue, pictures, reports, watch } = await unpacked();
const { steps, spots, pieces, sides, boards } = game;
let board = boards[0];
const at = { step: 0, language: game.languages[0], theme: "auto", tab: "steps", speed: 2, playing: 0, follow: true, map: 0, shown: null, zones: new Set(), spot: -1, unit: "" };

// ------------------------------------------------------------------------------------------------------- words

function w(key, values = {}) {
  let text = catalogue[at.language]?.[key] ?? catalogue[game.languages[0]]?.[key] ?? key;
  if (typeof text === "object") {
    const form = new Intl.PluralRules(at.language).select(Number(values[text.by ?? "count"] ?? 0));
    text = text[form] ?? text.other;
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => name in values ? String(values[name]) : whole);
}
const t = (key, values) => w(`ui.${key}`, values);
const said = (text) => Array.isArray(text) ? text[game.languages.indexOf(at.language)] ?? text[0] : text ?? "";
const label = (piece) => game.judged || game.accounts ? pieces[piece].id : said(pieces[piece].n) || pieces[piece].id;
const number = (value) => new Intl.NumberFormat(at.language, { maximumFractionDigits: 2 }).format(value);
const sideName = (side) => sides[side] ? said(sides[side].n) : "";
const player = (side) => sides[side]?.p ? `${sideName(side)} (${sides[side].p})` : sideName(side);

// --------------------------------------------------------------------------------------------------- positions

const undo = [];  // for each step, what its pieces lay on before it
const notesAt = new Map();
const talksAt = new Map();
const pieceOf = new Map(pieces.map((piece, number) => [piece.id, number]));
const lies = pieces.map(() => null);  // [spot, face, order] of each piece
const stacks = new Map();
const zones = sides.map(() => new Set());
let shown = -1;

{
  const last = pieces.map(() => null);
  steps.forEach((step, number) => {
    undo.push((step.m ?? []).map(([piece]) => [piece, last[piece]]));
    (step.m ?? []).forEach(([piece, spot, face], order) => { last[piece] = [spot, face, number * 1000 + order]; });
  });
  game.notes.forEach((note, number) => notesAt.set(note.i, [...notesAt.get(note.i) ?? [], number]));
  game.talks.forEach(([step, text]) => talksAt.set(step, [...talksAt.get(step) ?? [], text]));
}

let turnStart = 0;
let before = null;
/** How a step is linked to: its turn, and its number within that. */
const names = steps.map((step, number) => {
  if (step.t !== before) [turnStart, before] = [number, step.t];
  return `t${step.t}-${number - turnStart}`;
});
const byName = new Map(names.map((name, number) => [name, number]).reverse());

/** The step that a link names; of a turn that has fewer, its last. */
function linked(hash) {
  const name = decodeURIComponent(hash.slice(1));
  if (byName.has(name)) return byName.get(name);
  const turn = /^t(-?\d+)-\d+$/.exec(name)?.[1];
  const last = turn === undefined ? -1 : steps.findLastIndex((step) => String(step.t) === turn);
  return last < 0 ? undefined : last;
}

function lay(piece, where) {
  const old = lies[piece];
  if (old) stacks.set(old[0], (stacks.get(old[0]) ?? []).filter((other) => other !== piece));
  lies[piece] = where;
  if (!where) return;
  const stack = [...stacks.get(where[0]) ?? [], piece];
  stack.sort((a, b) => lies[a][2] - lies[b][2]);
  stacks.set(where[0], stack);
}

/** Bring the pieces to where they lie after a step. */
function positionAt(wanted) {
  const flip = (step) => Object.entries(step.z ?? {}).forEach(([side, changed]) => changed.forEach((spot) => {
    if (!zones[side].delete(spot)) zones[side].add(spot);
  }));
  while (shown < wanted) {
    const step = steps[++shown];
    (step.m ?? []).forEach(([piece, spot, face], order) => { lay(piece, [spot, face, shown * 1000 + order]); });
    flip(step);
  }
  while (shown > wanted) {
    for (const [piece, where] of [...undo[shown]].reverse()) { lay(piece, where); }
    flip(steps[shown--]);
  }
}

/** The last value of something that steps say only when it changes. */
function latest(key, until, none = sides.map(() => 0)) {
  for (let i = until; i >= 0; i--) if (steps[i][key]) return steps[i][key];
  return none;
}

/** Whether a spot lies on a board, and on the one that is looked at. */
const mapOf = (spot) => spots[spot] && spots[spot][1] !== null ? spots[spot][4] ?? 0 : -1;
const onBoard = (spot) => mapOf(spot) === at.map;
const onAny = (spot) => mapOf(spot) >= 0;
const hexName = (spot) => onAny(spot) ? spots[spot][0] : w(`where.${spots[spot][3]}`) === `where.${spots[spot][3]}` ? spots[spot][0] : w(`where.${spots[spot][3]}`);

// ----------------------------------------------------------------------------------------------------- counters

const tokens = pieces.map(() => null);

function face(piece, which, size, tag = "div.counter") {
  const name = pieces[piece].f?.[which] ?? pieces[piece].f?.[0];
  const rect = pictures.faces[name] ?? (game.judged ? undefined : pictures.faces[pieces[piece].f?.find((one) => pictures.faces[one])]);
  const made = el(tag);
  paint(made, piece, which, rect, size);
  return made;
}

function paint(made, piece, which, rect, size) {
  const back = which > 0;
  const [wide, high] = rect && pictures.natural && size === board.c ? [rect[2], rect[3]] : rect ? [size * rect[2] / Math.max(rect[2], rect[3]), size * rect[3] / Math.max(rect[2], rect[3])] : [size, size];
  made.style.width = `${wide}px`;
  made.style.height = `${high}px`;
  made.classList.toggle("drawn", Boolean(rect));
  made.classList.toggle("plain", !rect);
  made.classList.toggle("back", back);
  if (rect) {
    const scale = wide / rect[2];
    made.style.backgroundSize = `${pictures.size[0] * scale}px ${pictures.size[1] * scale}px`;
    made.style.backgroundPosition = `${-rect[0] * scale}px ${-rect[1] * scale}px`;
  } else {
    made.textContent = label(piece);
    made.style.background = sides[pieces[piece].s]?.c ?? "#ddd6c2";
  }
  return [wide, high];
}

function drawCounter(piece) {
  const where = lies[piece];
  if (!where || !onBoard(where[0])) {
    if (tokens[piece]) tokens[piece].hidden = true;
    return;
  }
  if (!tokens[piece]) {
    tokens[piece] = el("div.counter");
    $("counters").append(tokens[piece]);
  }
  const token = tokens[piece];
  token.hidden = false;
  const look = `${where[1]}`;
  if (token.dataset.look !== look) {
    const rect = pictures.faces[pieces[piece].f?.[where[1]] ?? pieces[piece].f?.[0]];
    [token.wide, token.high] = paint(token, piece, where[1], rect, board.c);
    token.dataset.look = look;
  }
  const stack = stacks.get(where[0]);
  const level = Math.min(stack.indexOf(piece), 5);
  const [, x, y] = spots[where[0]];
  const shift = level * 5 - Math.min(stack.length - 1, 5) * 2.5;
  token.style.transform = `translate(${x - token.wide / 2 + shift}px, ${y - token.high / 2 - shift}px)`;
  token.style.zIndex = level;
}

// -------------------------------------------------------------------------------------------------------- board

const camera = { x: 0, y: 0, k: 0.2, own: 0 };
const pad = $("pad");
const view = $("view");

const wholeScale = () => Math.min(view.clientWidth / board.w, view.clientHeight / board.h) || 0.1;

function applyCamera(glide = false) {
  camera.k = Math.min(Math.max(camera.k, wholeScale() * 0.9), 3);
  const [wide, high] = [board.w * camera.k, board.h * camera.k];
  const held = (value, room, size) => size <= room ? (room - size) / 2 : Math.min(Math.max(value, room - size - 40), 40);
  camera.x = held(camera.x, view.clientWidth, wide);
  camera.y = held(camera.y, view.clientHeight, high);
  $("plane").classList.toggle("glide", glide);
  $("plane").style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.k})`;
  pad.classList.toggle("near", camera.k > wholeScale() * 1.05);
}

/** Look at another map; nothing of what is shown on this one stays. */
function unfold(number) {
  if (number === at.map || !boards[number]) return;
  [at.map, at.spot, camera.own] = [number, -1, 0];
  board = boards[number];
  for (const id of ["ground", "under", "over"]) {
    $(id).setAttribute("viewBox", `0 0 ${board.w} ${board.h}`);
    $(id).setAttribute("width", board.w);
    $(id).setAttribute("height", board.h);
  }
  drawGround();
  $("counters").replaceChildren();
  tokens.fill(null);
  if ($("maps")) $("maps").value = String(number);
  view.style.setProperty("--shape", `${board.w} / ${board.h}`);
  fit(false);
}

/** The picture of the map, with its names in the language that is spoken. */
function drawGround() {
  const parts = [`map${at.map + 1}-bare`, `map${at.map + 1}-${at.language}`].filter((id) => document.getElementById(id));
  $("ground").replaceChildren(...parts.map((id) => svg("use", { href: `#${id}` })));
}

function fit(glide = true) {
  camera.k = wholeScale();
  applyCamera(glide);
}

function zoom(factor, x = view.clientWidth / 2, y = view.clientHeight / 2, glide = false) {
  const old = camera.k;
  camera.k = Math.min(Math.max(old * factor, wholeScale() * 0.9), 3);
  camera.x = x - (x - camera.x) * camera.k / old;
  camera.y = y - (y - camera.y) * camera.k / old;
  camera.own = camera.k;
  applyCamera(glide);
}

/** Bring spots into view, large enough to read counters. */
function lookAt(list) {
  const found = list.filter(onBoard).map((spot) => spots[spot]);
  if (!found.length) return;
  const [left, right] = [Math.min(...found.map((s) => s[1])) - 120, Math.max(...found.map((s) => s[1])) + 120];
  const [top, bottom] = [Math.min(...found.map((s) => s[2])) - 120, Math.max(...found.map((s) => s[2])) + 120];
  const most = Math.min(view.clientWidth / (right - left), view.clientHeight / (bottom - top));
  const k = Math.max(Math.min(camera.own || Math.max(LEAST, wholeScale()), most), wholeScale());
  const seen = (value, size, room, origin) => value * camera.k + origin >= 0 && (value + size) * camera.k + origin <= room;
  if (camera.k >= LEAST * 0.9 && camera.k <= most && seen(left, right - left, view.clientWidth, camera.x) && seen(top, bottom - top, view.clientHeight, camera.y)) return;
  camera.k = k;
  camera.x = view.clientWidth / 2 - (left + right) / 2 * k;
  camera.y = view.clientHeight / 2 - (top + bottom) / 2 * k;
  applyCamera(true);
}

const outline = ([, x, y], grow = 1) => board.o.length
  ? board.o.map(([dx, dy]) => `${x + dx * grow},${y + dy * grow}`).join(" ")
  : [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([dx, dy]) => `${x + dx * board.c * 0.6},${y + dy * board.c * 0.6}`).join(" ");

const polygon = (spot, attributes, grow) => svg("polygon", { points: outline(spots[spot], grow), ...attributes });

function arrow(way, colour) {
  const points = way.p.filter((spot, i) => spot !== way.p[i - 1] && onBoard(spot)).map((spot) => [spots[spot][1], spots[spot][2]]);
  const drawn = svg("g");
  if (points.length < 2) return drawn;
  const [[ax, ay], [bx, by]] = points.slice(-2);
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [dx, dy] = [(bx - ax) / length, (by - ay) / length];
  const tip = [bx - dx * 16, by - dy * 16];
  const neck = [tip[0] - dx * 20, tip[1] - dy * 20];
  const line = [...points.slice(0, -1), neck].map((p) => p.join(",")).join(" ");
  const common = { points: line, fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round" };
  const dashed = way.k === "attack" || way.k === "retreat" ? { "stroke-dasharray": way.k === "attack" ? "5 13" : "16 10" } : {};
  drawn.append(svg("polyline", { ...common, stroke: "#fff", "stroke-width": 13, "stroke-opacity": 0.85 }));
  drawn.append(svg("polyline", { ...common, stroke: colour, "stroke-width": 8, ...dashed }));
  const head = [tip, [neck[0] - dy * 13, neck[1] + dx * 13], [neck[0] + dy * 13, neck[1] - dx * 13]];
  drawn.append(svg("polygon", { points: head.map((p) => p.join(",")).join(" "), fill: colour, stroke: "#fff", "stroke-width": 2 }));
  return drawn;
}

/** The prices of a way, each on its hex. */
function prices(way, colour) {
  const drawn = svg("g");
  const places = new Map(way.p.map((spot) => [spots[spot][0], spot]));
  for (const [what, cost] of way.c ?? []) {
    const spot = places.get(said(what));
    if (spot === undefined) continue;
    const [, x, y] = spots[spot];
    drawn.append(svg("circle", { cx: x + 27, cy: y + 27, r: 15, fill: "#fff", stroke: colour, "stroke-width": 3 }));
    drawn.append(svg("text", { x: x + 27, y: y + 33.5, "text-anchor": "middle", "font-size": 19, "font-weight": 700, "font-family": "system-ui, sans-serif", fill: "#1f2421" }, number(cost)));
  }
  return drawn;
}

function burst(spot) {
  const [, x, y] = spots[spot];
  const points = Array.from({ length: 18 }, (_, i) => {
    const radius = i % 2 ? 13 : 26;
    return `${x + 30 + radius * Math.cos(i * Math.PI / 9)},${y - 30 + radius * Math.sin(i * Math.PI / 9)}`;
  });
  return svg("polygon", { points: points.join(" "), fill: "#f2b705", stroke: "#a61d24", "stroke-width": 3 });
}

const ORDER = ["illegal", "unread", "doubtful", "waived", "warning", "info"];
const worst = (notes) => ORDER.find((v) => notes.some((n) => game.notes[n].v === v));

function drawBoard() {
  const step = steps[at.step];
  const notes = notesAt.get(at.step) ?? [];
  const [under, over] = [[], []];
  for (const side of at.zones) {
    const colour = ZONES[side % ZONES.length];
    for (const spot of zones[side]) under.push(polygon(spot, { fill: colour, "fill-opacity": 0.2, stroke: colour, "stroke-opacity": 0.55, "stroke-width": 2 }, 0.97));
  }
  if (game.outlook && at.step === steps.length - 1 && game.outlook.reach[at.unit]) {
    for (const [spot, cost] of game.outlook.reach[at.unit]) {
      under.push(polygon(spot, { fill: "#2e7d50", "fill-opacity": 0.34, stroke: "#1f5f3f", "stroke-width": 2 }, 0.96));
      over.push(svg("text", { x: spots[spot][1], y: spots[spot][2] + 42, "text-anchor": "middle", "font-size": 20, "font-weight": 700, "font-family": "system-ui, sans-serif", fill: "#0d3a22", stroke: "#fff", "stroke-width": 4, "paint-order": "stroke" }, number(cost)));
    }
  }
  if (at.spot >= 0) over.push(polygon(at.spot, { fill: "none", stroke: "#fff", "stroke-width": 8 }, 0.95), polygon(at.spot, { fill: "none", stroke: "#1f5f8b", "stroke-width": 4 }, 0.95));
  for (const number of notes) {
    const note = game.notes[number];
    for (const spot of note.h ?? []) over.push(polygon(spot, { fill: "none", stroke: COLOURS[note.v], "stroke-width": 7 }, 0.93));
  }
  for (const way of step.w ?? []) {
    const own = notes.filter((n) => game.notes[n].l === way.l && game.notes[n].v !== "info");
    const colour = COLOURS[worst(own)] ?? WAYS[way.k];
    over.push(arrow(way, colour), prices(way, colour));
  }
  for (const fight of step.c ?? []) over.push(...fight.h.map(burst));
  for (const [spot, stack] of stacks) {
    if (stack.length < 2 || !onBoard(spot)) continue;
    const [, x, y] = spots[spot];
    over.push(svg("circle", { cx: x - 34, cy: y + 34, r: 12, fill: "#1f2421", "fill-opacity": 0.85 }));
    over.push(svg("text", { x: x - 34, y: y + 40, "text-anchor": "middle", "font-size": 17, "font-weight": 700, "font-family": "system-ui, sans-serif", fill: "#fff" }, String(stack.length)));
  }
  $("under").replaceChildren(...under);
  $("over").replaceChildren(...over);
  const bad = new Set(notes.flatMap((n) => game.notes[n].v === "info" ? [] : game.notes[n].u ?? []));
  const acting = new Set([...(step.w ?? []).flatMap((way) => way.u), ...bad]);
  tokens.forEach((token, piece) => {
    token?.classList.toggle("named", acting.has(pieces[piece].id));
    token?.classList.toggle("bad", bad.has(pieces[piece].id));
  });
}

// --------------------------------------------------------------------------------------------------------- steps

/** The spots on the map that a step is about. */
const spotsOf = (step) => placesOf(step).filter(onBoard);

function placesOf(step) {
  const found = [...(step.w ?? []).flatMap((way) => way.p), ...(step.c ?? []).flatMap((fight) => fight.h)];
  for (const number of notesAt.get(steps.indexOf(step)) ?? []) {
    const note = game.notes[number];
    found.push(...note.h ?? [], ...(note.u ?? []).map((unit) => lies[pieceOf.get(unit)]?.[0]).filter((spot) => spot !== undefined));
  }
  if (!found.length && step.k !== "start" && (step.m ?? []).length < 12) found.push(...(step.m ?? []).map(([, spot]) => spot));
  return [...new Set(found)].filter(onAny);
}

function go(wanted, { quiet = false } = {}) {
  const target = Math.min(Math.max(wanted, 0), steps.length - 1);
  const near = Math.abs(target - shown) === 1;
  $("plane").classList.toggle("run", near);
  positionAt(target);
  at.step = target;
  if (at.follow && boards.length > 1) {
    const maps = placesOf(steps[target]).map(mapOf).filter((map) => map >= 0);
    if (maps.length && !maps.includes(at.map)) unfold(maps[0]);
  }
  pieces.forEach((_, piece) => drawCounter(piece));
  drawBoard();
  drawPlace();
  drawDetail();
  markRow();
  if (at.follow) lookAt(spotsOf(steps[target]));
  if (!quiet) {
    try { history.replaceState(null, "", `#${names[target]}`); } catch { /* some viewers have no history */ }
    $("said").textContent = spokenStep();
  }
}

function phaseTitle(step) {
  const turn = said(game.turns[step.t]);
  if (!game.judged) return [turn, ""];
  const phase = [sideName(step.s), step.p ? said(game.phases[step.p]) : ""].filter(Boolean).join(": ");
  return [turn, step.t || step.p ? phase : ""].filter(Boolean);
}

function spokenStep() {
  const step = steps[at.step];
  const notes = (notesAt.get(at.step) ?? []).map((n) => `${said(game.notes[n].vt)}: ${said(game.notes[n].x)}`);
  return [t("step-of", { n: at.step, all: steps.length - 1 }), ...phaseTitle(step), said(step.x), ...notes].join(". ");
}

function drawPlace() {
  const step = steps[at.step];
  const [turn, phase] = phaseTitle(step);
  const colour = sides[step.s]?.c;
  const dot = el("i.side");
  if (colour) dot.style.background = colour;
  $("where").replaceChildren(
    el("strong", {}, turn || said(game.title)),
    phase ? el("span", {}, colour ? dot : "", phase, sides[step.s]?.p ? ` (${sides[step.s].p})` : "") : "",
    el("span", {}, t("step-of", { n: at.step, all: steps.length - 1 })),
  );
  $("slider").value = at.step;
  $("slider").setAttribute("aria-valuetext", `${turn ?? ""} ${t("step-of", { n: at.step, all: steps.length - 1 })}`);
  $("turns").value = String(step.t);
  pad.setAttribute("aria-label", t("board-at", { what: [turn, phase, said(step.x)].filter(Boolean).join(", ") }));
  const losses = lost();
  const [points, air] = [latest("vp", at.step), latest("air", at.step)];
  const cells = sides.flatMap((side, which) => game.judged ? [el("span", {}, `${said(side.n)}: `, counted("points-count", points[which]),
    air[which] ? [", ", counted("air-count", air[which])] : "", losses[which].units ? [", ", counted("lost-count", losses[which].units)] : "")] : []);
  $("strip").replaceChildren(...cells);
}

/** A number of something, the number in bold. */
function counted(key, count) {
  const [before, after] = t(key, { count, number: "\0" }).split("\0");
  return [before, el("b", {}, number(count)), after];
}

function lost() {
  const found = sides.map(() => ({ units: 0, steps: 0, here: 0 }));
  lies.forEach((where, piece) => {
    const side = found[pieces[piece].s];
    if (!where || !side) return;
    const kind = spots[where[0]][3];
    if (kind === "eliminated") { side.units++; side.steps += pieces[piece].st ?? 0; }
    else side.steps += where[1];
    if (onAny(where[0])) side.here++;
  });
  return found;
}

// -------------------------------------------------------------------------------------------------------- detail

const flag = (severity) => severity ? el(`b.flag.${severity}`, {}, ` ✗ ${t("wrong")}`) : "";

function noteCard(number) {
  const note = game.notes[number];
  const card = el(`div.card.${note.v}`, {},
    el("p", {}, el(`span.badge.${note.v}`, {}, said(note.vt)), note.r ? [" ", el("strong", {}, note.r)] : "", note.c ? el("span.muted", {}, ` ${note.c} · ${said(note.at)}`) : ""),
    el("p", {}, said(note.x)));
  for (const more of [note.fig, note.rul, note.d]) if (said(more)) card.append(el("p.muted", {}, said(more)));
  return card;
}

function costTable(way) {
  let sum = 0;
  const rows = way.c.map(([what, cost]) => el("tr", {}, el("td", {}, said(what)), el("td.n", {}, number(cost)), el("td.n", {}, number(sum += cost))));
  return el("div", {}, el("table", {}, el("caption", {}, `${t("cost")}: ${way.u.join(" ")}`),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("cost-hex")), el("th.n", { scope: "col" }, t("cost-points")), el("th.n", { scope: "col" }, t("cost-sum")))),
    el("tbody", {}, rows)), el("p.muted", {}, t("cost-total", { cost: number(way.t), left: number(way.r) })));
}

function declaredOf(fight, part) {
  return (fight.dec ?? []).filter(([name]) => name === part).map(([, text, side, severity]) =>
    [text, el("span.muted", {}, ` ${t("said-by", { who: player(side) })}`), severity ? flag(severity) : el("b.flag.ok", {}, " ✓")]);
}

function worked(fight, part, label, right, always = false) {
  const told = declaredOf(fight, part);
  if (!told.length && !always) return "";
  const bad = (fight.dec ?? []).find(([name, , , severity]) => name === part && severity);
  return el(`tr${bad ? `.wrong.${bad[3]}` : ""}`, {}, el("th", { scope: "row" }, label), el("td.n", {}, right ?? "–"), el("td", {}, told.flatMap((one, i) => i ? [el("br"), ...one] : one)));
}

function sums(fight) {
  const groups = new Map();
  for (const part of fight.parts) groups.set(part[0], [...groups.get(part[0]) ?? [], part]);
  return [...groups].map(([side, parts], i) => {
    const rows = parts.map(([, label, points, unit, wrong]) => {
      const piece = pieceOf.get(unit);
      const picture = piece === undefined ? "" : face(piece, lies[piece]?.[1] ?? 0, 26, "span.face");
      const row = el(`tr${wrong ? ".wrong" : ""}`, {}, el("td", {}, picture, " ", said(label), wrong ? flag("illegal") : ""), el("td.n", {}, number(points)));
      return row;
    });
    const total = parts.reduce((sum, part) => sum + part[2], 0);
    const name = fight.k === "combat" ? t(i ? "defence" : "attack") : i ? "" : t("attack");
    return el("table", {}, el("caption", {}, [name, player(side)].filter(Boolean).join(": ")),
      el("tbody", {}, rows, el("tr.sum", {}, el("th", { scope: "row" }, t("total")), el("td.n", {}, number(total)))));
  });
}

function resultTable(fight) {
  const table = game.tables[fight.tab];
  if (!table) return "";
  const name = t(`table-${fight.tab}`);
  const head = el("tr", {}, el("th", { scope: "col" }, t("roll")), table.c.map((column, i) => el(`th${i === fight.col ? ".lit" : ""}${i === fight.dcol && i !== fight.col ? ".told" : ""}`, { scope: "col" }, column)));
  const rows = table.r.map(([label, cells], r) => el("tr", {}, el(`th${r === fight.row ? ".lit" : ""}`, { scope: "row" }, label),
    cells.map((cell, c) => el(`td${r === fight.row && c === fight.col ? ".hit" : r === fight.row || c === fight.col ? ".lit" : ""}`, {}, cell))));
  const lit = fight.col === null ? "" : `: ${t("table-lit", { column: table.c[fight.col], row: fight.row === null ? "?" : table.r[fight.row][0] })}`;
  return el("div.wide", { tabindex: 0, role: "region", "aria-label": name }, el("table.crt", {}, el("caption", {}, name + lit), el("thead", {}, head), el("tbody", {}, rows)));
}

function fightSheet(fight) {
  const signed = (n) => n > 0 ? `+${number(n)}` : number(n);
  const moved = (list, label) => (list ?? []).map(([cause, columns, rule, wrong]) => el(`tr${wrong ? ".wrong" : ""}`, {}, el("th", { scope: "row" }, label), el("td.n", {}, signed(columns)), el("td", {}, said(cause), " ", el("span.muted", {}, rule), wrong ? flag("illegal") : "")));
  const combat = fight.k === "combat";
  const rows = [
    combat ? worked(fight, "attack", t("attack"), number(fight.a), true) : "",
    combat ? worked(fight, "defence", t("defence"), number(fight.d), true) : "",
    combat ? worked(fight, "odds", t("odds"), fight.start, true) : worked(fight, "value", t("value"), fight.start, true),
    ...moved(fight.sh, t("shift")),
    worked(fight, "column", t("column"), fight.cn, true),
    worked(fight, "roll", t("roll"), fight.roll === null ? null : number(fight.roll), true),
    ...moved(fight.die, t("die")),
    worked(fight, "result", t("result"), fight.r, true),
  ];
  const heading = el("h3", {}, `${t(`kind-${fight.k}`)} ${fight.h.map(hexName).join(" ")}`);
  const sheet = el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, el("span.aside", {}, t("details"))), el("th.n", { scope: "col" }, t("computed")), el("th", { scope: "col" }, t("declared")))), el("tbody", {}, rows));
  return el("div", {}, heading, sums(fight), sheet, resultTable(fight));
}

function stackCard(spot) {
  const stack = stacks.get(spot) ?? [];
  const title = stack.length ? t("units-at", { hex: hexName(spot), count: stack.length }) : t("nobody-at", { hex: hexName(spot) });
  const items = [...stack].reverse().map((piece) => {
    const up = lies[piece][1];
    const known = game.judged ? (pieces[piece].f ?? []).map((_, which) => which).filter((which) => pictures.faces[pieces[piece].f[which]]) : [up];
    const pictured = (known.length ? known : [up]).map((which) => { const made = face(piece, which, 44, "span.face"); made.classList.toggle("off", which !== up && known.includes(up)); return made; });
    const choose = game.outlook?.reach[pieces[piece].id] ? el("button", { type: "button", onclick: () => pick(pieces[piece].id) }, t("reach-of", { unit: pieces[piece].id, count: game.outlook.reach[pieces[piece].id].length })) : "";
    return el("li", {}, pictured, el("span", {}, el("b", {}, label(piece)), game.judged && said(pieces[piece].n) ? [el("br"), said(pieces[piece].n)] : "", game.judged && known.length > 1 ? [el("br"), el("span.muted", {}, t(up ? "reduced" : "full"))] : "", choose));
  });
  return el("div", {}, el("h3", {}, title), el("ul.faces", {}, items));
}

function standing() {
  const losses = lost();
  const [points, air] = [latest("vp", at.step), latest("air", at.step)];
  const rows = [["score", points], ["air", air], ["on-map", losses.map((l) => l.here)], ["lost", losses.map((l) => l.units)], ["steps-lost", losses.map((l) => l.steps)]]
    .map(([key, values]) => el("tr", {}, el("th", { scope: "row" }, t(key)), values.map((value) => el("td.n", {}, number(value ?? 0)))));
  return el("div", {}, el("table", {}, el("caption", {}, t("state")), el("thead", {}, el("tr", {}, el("td", {}), sides.map((side) => el("th.n", { scope: "col" }, said(side.n))))), el("tbody", {}, rows)));
}

/** Every account as it stands; those that this step has changed stand out. */
function accounts() {
  const [now, before] = [at.step, at.step - 1].map((step) => step < 0 ? [] : latest("acc", step, []));
  const old = new Map(before.map(([what, told]) => [said(what), said(told)]));
  const rows = now.map(([what, told]) => el(`tr${at.step && old.get(said(what)) !== said(told) ? ".new" : ""}`, {}, el("th", { scope: "row" }, said(what)), el("td", {}, said(told))));
  return el("div", {}, el("table", {}, el("caption", {}, t("accounts")), el("tbody", {}, rows)));
}

function listed(title, list) {
  if (!list.length) return "";
  const items = list.slice(0, 60).map((piece) => el("li", {}, face(piece, lies[piece]?.[1] ?? 0, 34, "span.face"), el("span", {}, label(piece))));
  return el("div", {}, el("h3", {}, title), el("ul.faces", {}, items, list.length > 60 ? el("li", {}, `+${list.length - 60}`) : ""));
}

function arrivals() {
  const turn = steps[at.step].t;
  const due = pieces.map((_, number) => number).filter((piece) => pieces[piece].due !== undefined && lies[piece] && spots[lies[piece][0]][3] === "due");
  if (!pieces.some((piece) => piece.due !== undefined)) return "";
  const now = due.filter((piece) => pieces[piece].due <= turn);
  const next = Math.min(...due.filter((piece) => pieces[piece].due > turn).map((piece) => pieces[piece].due));
  const later = due.filter((piece) => pieces[piece].due === next);
  return el("div", {}, el("h3", {}, t("arrivals")), due.length ? "" : el("p.muted", {}, t("arrivals-none")), listed(t("arrivals-due", { turn }), now), listed(t("arrivals-next", { turn: next }), later));
}

function diceSoFar() {
  const thrown = sides.map(() => []);
  for (let i = 0; i <= at.step; i++) thrown[steps[i].s]?.push(...steps[i].d ?? []);
  const box = el("div", {}, el("h3", {}, t("dice")));
  if (!thrown.some((faces) => faces.length)) return el("div", {}, el("h3", {}, t("dice")), el("p.muted", {}, t("dice-none")));
  thrown.forEach((faces, side) => {
    if (!faces.length) return;
    const mean = faces.reduce((sum, one) => sum + one, 0) / faces.length;
    const highest = Math.max(6, ...faces);
    const counts = Array.from({ length: Math.min(highest, 20) }, (_, i) => faces.filter((one) => one === i + 1).length);
    const most = Math.max(...counts, 1);
    const bars = counts.map((count, i) => { const bar = el("i"); bar.style.height = `${count / most * 70}%`; return el("div", { title: `${i + 1}: ${count}` }, bar, String(i + 1)); });
    box.append(el("p", {}, `${player(side)}: `, el("span.muted", {}, t("dice-mean", { count: number(faces.length), mean: number(mean) }))), el("div.bars", { role: "img", "aria-label": counts.map((count, i) => `${i + 1}: ${count}`).join(", ") }, bars));
  });
  return box;
}

function offMap() {
  const groups = new Map();
  lies.forEach((where, piece) => {
    if (where && !onAny(where[0]) && spots[where[0]][3] !== "due" && spots[where[0]][3] !== "absent") groups.set(where[0], [...groups.get(where[0]) ?? [], piece]);
  });
  return [...groups].map(([spot, list]) => listed(hexName(spot), list));
}

function drawDetail() {
  const step = steps[at.step];
  const link = el("button", { type: "button", "aria-label": t("link"), title: t("link"), onclick: copyLink }, icon("link"));
  const parts = [el("h2", {}, el("span", {}, step.k === "start" ? said(game.title) : phaseTitle(step).join(" · ")), link)];
  if (at.spot >= 0) parts.push(stackCard(at.spot));
  parts.push(el("code.line", {}, said(step.x)));
  if (step.src || step.u) parts.push(el("p.muted", {}, [step.src, step.u ? t("undone") : ""].filter(Boolean).join(" · ")));
  for (const number of notesAt.get(at.step) ?? []) parts.push(noteCard(number));
  for (const way of step.w ?? []) if (way.c) parts.push(costTable(way));
  for (const fight of step.c ?? []) parts.push(fightSheet(fight));
  if (game.judged) for (const text of talksAt.get(at.step) ?? []) parts.push(el("p", {}, text));
  if (step.e) parts.push(el("div", {}, el("h3", {}, t("followed")), el("ul.plain", {}, step.e.map((one) => el("li", {}, said(one))))));
  if (game.accounts) parts.push(accounts());
  else if (game.judged) parts.push(standing(), arrivals());
  if (steps.some((one) => one.d)) parts.push(diceSoFar());
  if (game.judged) parts.push(...offMap());
  if (game.cut && at.step === steps.length - 1) parts.push(el("p.muted", {}, t("cut")));
  $("detail").replaceChildren(...parts.filter(Boolean));
  $("detail").scrollTop = 0;
  $("detail").setAttribute("aria-label", t("details"));
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(`${location.href.split("#")[0]}#${names[at.step]}`);
    $("said").textContent = t("linked");
  } catch { location.hash = names[at.step]; }
}

// -------------------------------------------------------------------------------------------------------- panels

const rows = new Map();

function stepRow(number) {
  const step = steps[number];
  const severity = worst(notesAt.get(number) ?? []);
  const row = el(`button.row${step.u ? ".off" : ""}`, { type: "button", "data-step": number },
    el("span.no", {}, names[number].split("-").pop()), el("span.what", {}, said(step.x) || said(game.phases[step.p]) || step.src || "·"),
    severity ? dot(number, severity) : "",
    step.c?.[0]?.r ? el("span.muted", {}, step.c[0].r) : "");
  rows.set(number, row);
  return row;
}

/** Items below the phase that they belong to; the step that opens a phase is its heading. */
function sections(numbers, make) {
  const found = [];
  let key = null;
  for (const [step, item] of numbers) {
    const title = phaseTitle(steps[step]).join(" · ") || said(game.turns[steps[step].t]);
    const opens = at.tab === "steps" && (step === 0 || steps[step].k === "turn");
    if (title !== key || opens) found.push([key = title, opens ? headRow(step, title) : title, el("ol")]);
    if (!opens) found.at(-1)[2].append(el("li", {}, make(step, item)));
  }
  return found.map(([, title, list]) => el("section", {}, el("h2", {}, title), list.childElementCount ? list : ""));
}

function headRow(number, title) {
  const severity = worst(notesAt.get(number) ?? []);
  const row = el("button.row", { type: "button", "data-step": number }, el("span.what", {}, title), severity ? dot(number, severity) : "");
  rows.set(number, row);
  return row;
}

function dot(number, severity) {
  return el(`i.dot.${severity}`, { role: "img", "aria-label": [...new Set((notesAt.get(number) ?? []).map((n) => said(game.notes[n].vt)))].join(", ") });
}

const shownNotes = () => game.notes.map((note, number) => [note.i, number]).filter(([, number]) => at.shown.has(game.notes[number].v));

/** Which findings are listed: a button for each severity, with how many there are. */
function noteFilter() {
  const kinds = ORDER.filter((kind) => game.notes.some((note) => note.v === kind));
  if (kinds.length < 2) return "";
  return el("div.filter", { role: "group", "aria-label": t("show") }, kinds.map((kind) => {
    const own = game.notes.filter((note) => note.v === kind);
    return el("button", { type: "button", "data-kind": kind, "aria-pressed": String(at.shown.has(kind)), onclick: () => { if (!at.shown.delete(kind)) at.shown.add(kind); drawPanel(); document.querySelector(`[data-kind="${kind}"]`).focus(); } },
      el(`i.dot.${kind}`), ` ${said(own[0].vt)} `, el("b", {}, number(own.length)));
  }));
}

function noteRow(step, number) {
  const note = game.notes[number];
  return el("button.row.full", { type: "button", "data-step": step }, el(`i.dot.${note.v}`, { role: "img", "aria-label": said(note.vt) }),
    el("span.what", {}, note.r ? el("strong", {}, `${note.r} `) : "", said(note.x)), el("span.no", {}, names[step]));
}

function outlookPanel() {
  const { duties, odds } = game.outlook;
  const box = el("div.pad", {}, el("h2", {}, t("outlook-duties")));
  box.append(el("ul", {}, (duties.length ? duties.map(said) : [t("outlook-none")]).map((duty) => el("li", {}, duty))), el("p.muted", {}, t("outlook-reach")));
  if (odds.length) box.append(el("h2", {}, t("outlook-odds")));
  for (const one of odds) {
    box.append(el("p", {}, el("button", { type: "button", onclick: () => { at.spot = one.h; redraw(); lookAt([one.h]); } }, hexName(one.h)), " ", said(one.x)),
      el("p.muted", {}, one.c.map(([result, share]) => `${result} ${new Intl.NumberFormat(at.language, { style: "percent", maximumFractionDigits: 1 }).format(share)}`).join(" · ")));
  }
  return box;
}

function drawPanel() {
  rows.clear();
  const panel = $("panel");
  const report = $("report");
  document.querySelector(".right").classList.toggle("wide", at.tab === "report");
  if (at.tab !== "report" && panel.contains(report)) { document.body.append(report); report.hidden = true; }
  if (at.tab === "steps") panel.replaceChildren(...sections(steps.map((_, number) => [number, number]), stepRow));
  if (at.tab === "findings") panel.replaceChildren(...(game.notes.length ? [noteFilter(), ...sections(shownNotes(), noteRow)].filter(Boolean) : [el("p.pad", {}, t("no-findings"))]));
  if (at.tab === "chat") panel.replaceChildren(el("ol.chat", {}, game.talks.map(([step, text]) => el("li", {}, el("button.row.full", { type: "button", "data-step": step }, el("span.what", {}, text), el("span.no", {}, names[step]))))));
  if (at.tab === "outlook") panel.replaceChildren(outlookPanel());
  if (at.tab === "report") { panel.replaceChildren(report); report.hidden = false; }
  panel.setAttribute("aria-labelledby", `tab-${at.tab}`);
  markRow();
}

function markRow() {
  document.querySelectorAll('#panel [aria-current]').forEach((row) => row.removeAttribute("aria-current"));
  const listed = at.tab === "findings" || at.tab === "chat" ? [...document.querySelectorAll("#panel [data-step]")] : [];
  const exact = listed.length ? listed.find((row) => Number(row.dataset.step) === at.step) : rows.get(at.step);
  exact?.setAttribute("aria-current", "step");
  // Where nothing is about this step, what came last before it is what is looked for.
  const current = exact ?? listed.findLast((row) => Number(row.dataset.step) < at.step) ?? listed[0];
  if (!current) return;
  const panel = $("panel");
  const [top, height] = [current.getBoundingClientRect().top - panel.getBoundingClientRect().top, current.offsetHeight];
  if (top < 30 || top + height > panel.clientHeight) panel.scrollTop += top - panel.clientHeight / 3;
}

function tab(name, focus = false) {
  at.tab = name;
  document.querySelectorAll("#tabs [role=tab]").forEach((one) => {
    const chosen = one.id === `tab-${name}`;
    one.setAttribute("aria-selected", String(chosen));
    one.tabIndex = chosen ? 0 : -1;
    if (chosen && focus) one.focus();
  });
  drawPanel();
}

// ------------------------------------------------------------------------------------------------------ controls

const phaseStarts = steps.map((_, number) => number).filter((number) => number === 0 || steps[number].k === "turn");
// What is only for information is stepped to where there is nothing worse.
const worth = game.notes.some((note) => note.v !== "info") ? game.notes.filter((note) => note.v !== "info") : game.notes;
const noted = [...new Set(worth.map((note) => note.i))].sort((a, b) => a - b);
const later = (list) => list.find((number) => number > at.step);
const earlier = (list) => list.findLast((number) => number < at.step);

const narrow = matchMedia("(max-width: 860px)");
narrow.onchange = () => { drawControls(); drawPlace(); fit(false); };

const deeds = {
  first: () => go(0), last: () => go(steps.length - 1), back: () => go(at.step - 1), forward: () => go(at.step + 1),
  "phase-back": () => go(earlier(phaseStarts) ?? 0), "phase-forward": () => go(later(phaseStarts) ?? steps.length - 1),
  "finding-back": () => go(earlier(noted) ?? at.step), "finding-forward": () => go(later(noted) ?? at.step),
  play: () => play(!at.playing),
  "zoom-in": () => zoom(1.4, undefined, undefined, true), "zoom-out": () => zoom(1 / 1.4, undefined, undefined, true),
  fit: () => { camera.own = 0; setFollow(false); fit(); },
  follow: () => { setFollow(!at.follow); if (at.follow) lookAt(spotsOf(steps[at.step])); },
};

function setFollow(on) {
  at.follow = on;
  document.querySelector('[data-deed="follow"]')?.setAttribute("aria-pressed", String(on));
}

function play(on) {
  clearInterval(at.playing);
  at.playing = 0;
  if (on) {
    if (at.step === steps.length - 1) go(0);
    at.playing = setInterval(() => at.step === steps.length - 1 ? play(false) : go(at.step + 1), 1000 / at.speed);
  }
  const button = document.querySelector('[data-deed="play"]');
  button.replaceChildren(icon(at.playing ? "pause" : "play"));
  name(button, t(at.playing ? "pause" : "play"));
}

function name(button, text) {
  button.setAttribute("aria-label", text);
  button.title = text;
}

function button(deed, more = {}) {
  const made = el("button", { type: "button", "data-deed": deed, onclick: () => { if (deed !== "play") play(false); deeds[deed](); }, ...more }, icon(deed));
  name(made, t(deed));
  return made;
}

function toggleZone(side) {
  if (!at.zones.delete(side)) at.zones.add(side);
  drawControls();
  drawBoard();
}

function drawControls() {
  const turns = [...new Set(steps.map((step) => step.t))];
  const jump = el("select", { id: "turns", "aria-label": t("goto-turn"), title: t("goto-turn"), onchange: (event) => { play(false); go(steps.findIndex((step) => String(step.t) === event.target.value)); } },
    turns.map((turn) => el("option", { value: turn, selected: turn === steps[at.step].t }, said(game.turns[turn]) || String(turn))));
  const speed = el("select", { id: "speed", "aria-label": t("speed"), title: t("speed"), onchange: (event) => { at.speed = Number(event.target.value); if (at.playing) play(true); } },
    [0.5, 1, 2, 4, 8].map((n) => el("option", { value: n, selected: n === at.speed }, t("speed-of", { n: number(n) }))));
  const find = el("input", { type: "search", id: "find", list: "found", "aria-label": t("find"), placeholder: t("find"), autocomplete: "off", onchange: (event) => seek(event.target.value), onkeydown: (event) => { if (event.key === "Enter") seek(event.target.value); } });
  const marks = noted.length ? [button("finding-back"), button("finding-forward")] : [];
  const maps = boards.length > 1 ? el("select", { id: "maps", "aria-label": t("map"), title: t("map"), onchange: (event) => { setFollow(false); unfold(Number(event.target.value)); go(at.step, { quiet: true }); } },
    boards.map((one, number) => el("option", { value: number, selected: number === at.map }, one.n))) : "";
  document.querySelector(".more")?.remove();
  const more = el("div.more", {}, maps, turns.length > 1 ? jump : el("span", { hidden: true }, jump), speed, find);
  $("controls").replaceChildren(button("first", { class: "ends" }), button("phase-back"), button("back"), button("play"), button("forward"), button("phase-forward"), button("last", { class: "ends" }), ...marks, el("span.gap"));
  if (narrow.matches) $("strip").after(more); else $("controls").append(more);
  const zoneButtons = steps.some((step) => step.z) ? sides.map((side, which) => {
    const made = el("button", { type: "button", "aria-pressed": String(at.zones.has(which)), onclick: () => toggleZone(which) }, svgHex(ZONES[which % ZONES.length]));
    name(made, t("zone-of", { side: said(side.n) }));
    return made;
  }) : [];
  $("tools").replaceChildren(button("zoom-in"), button("zoom-out"), button("fit"), button("follow", { "aria-pressed": String(at.follow) }), ...zoneButtons);
}

function svgHex(colour) {
  const glyph = svg("svg", { viewBox: "0 0 24 24", class: "glyph", "aria-hidden": "true", focusable: "false" });
  glyph.append(svg("polygon", { points: "7,3 17,3 22,12 17,21 7,21 2,12", fill: colour, "fill-opacity": 0.75, stroke: "currentColor", "stroke-width": 1.5 }));
  return glyph;
}

function seek(text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return;
  const piece = pieces.findIndex((one) => one.id.toLowerCase() === wanted || said(one.n).toLowerCase() === wanted);
  const spot = piece >= 0 ? lies[piece]?.[0] ?? -1 : spots.findIndex((one) => one[0].toLowerCase() === wanted);
  if (spot >= 0) select(spot, true);
}

function select(spot, keep = false) {
  at.spot = spot === at.spot && !keep ? -1 : spot;
  redraw();
  if (at.spot >= 0) {
    lookAt([at.spot]);
    const stack = stacks.get(spot) ?? [];
    $("said").textContent = stack.length ? `${t("units-at", { hex: hexName(spot), count: stack.length })}: ${stack.map(label).join(", ")}` : t("nobody-at", { hex: hexName(spot) });
    const own = stack.map((piece) => pieces[piece].id).filter((id) => game.outlook?.reach[id]);
    if (own.length && at.step === steps.length - 1) pick(own.at(-1));
  }
}

function pick(unit) {
  at.unit = unit;
  redraw();
}

function redraw() {
  drawBoard();
  drawDetail();
}

function spotAt(clientX, clientY) {
  const box = view.getBoundingClientRect();
  const [x, y] = [(clientX - box.left - camera.x) / camera.k, (clientY - box.top - camera.y) / camera.k];
  let [best, distance] = [-1, board.o.length ? 62 : board.c];
  spots.forEach((spot, number) => {
    if (!onBoard(number) || (!board.o.length && !(stacks.get(number) ?? []).length)) return;
    const away = Math.hypot(spot[1] - x, spot[2] - y);
    if (away < distance) [best, distance] = [number, away];
  });
  return best;
}

function listenToBoard() {
  const down = new Map();
  let moved = 0;
  let start = null;
  pad.addEventListener("pointerdown", (event) => {
    pad.setPointerCapture(event.pointerId);
    down.set(event.pointerId, [event.clientX, event.clientY]);
    moved = 0;
    start = [event.clientX, event.clientY];
    pad.classList.add("held");
  });
  pad.addEventListener("pointermove", (event) => {
    const old = down.get(event.pointerId);
    if (!old) return;
    const [dx, dy] = [event.clientX - old[0], event.clientY - old[1]];
    moved += Math.abs(dx) + Math.abs(dy);
    const others = [...down].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    down.set(event.pointerId, [event.clientX, event.clientY]);
    if (others.length) {
      const box = view.getBoundingClientRect();
      const [x, y] = others[0];
      const grown = Math.hypot(event.clientX - x, event.clientY - y) / (Math.hypot(old[0] - x, old[1] - y) || 1);
      zoom(grown, (event.clientX + x) / 2 - box.left, (event.clientY + y) / 2 - box.top);
      moved = 99;
    } else if (pad.classList.contains("near") || event.pointerType === "mouse") {
      camera.x += dx;
      camera.y += dy;
      applyCamera();
    }
  });
  const up = (event) => {
    if (!down.delete(event.pointerId)) return;
    pad.classList.remove("held");
    if (event.type !== "pointerup") return;
    const swiped = event.clientX - start[0];
    if (moved < 8) select(spotAt(event.clientX, event.clientY));
    else if (!pad.classList.contains("near") && event.pointerType === "touch" && Math.abs(swiped) > 40) deeds[swiped < 0 ? "forward" : "back"]();
  };
  pad.addEventListener("pointerup", up);
  pad.addEventListener("pointercancel", up);
  pad.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = view.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  new ResizeObserver(() => { if (camera.k < wholeScale()) fit(false); else applyCamera(); }).observe(view);
}

const KEYS = {
  ArrowLeft: "back", ArrowRight: "forward", PageUp: "phase-back", PageDown: "phase-forward", Home: "first", End: "last",
  "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", 0: "fit", f: "follow", " ": "play",
};

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const inside = event.target.closest("input, select, textarea, [role=tab], .report");
  if (inside && inside.id !== "slider") return;
  if (event.key === " " && event.target.closest("button")) return;
  if (inside?.id === "slider" && !event.shiftKey) return;
  const scrolled = event.target.closest(".panel, .detail") && ["PageUp", "PageDown", "Home", "End"].includes(event.key);
  if (scrolled) return;
  let deed = KEYS[event.key];
  if (event.shiftKey && deed === "back") deed = "finding-back";
  if (event.shiftKey && deed === "forward") deed = "finding-forward";
  if (event.key === "z") {
    const all = at.zones.size === sides.length;
    sides.forEach((_, side) => all ? at.zones.delete(side) : at.zones.add(side));
    drawControls();
    drawPlace();
    drawBoard();
  } else if (deed) {
    event.preventDefault();
    if (deed !== "play") play(false);
    deeds[deed]();
  }
}

// ----------------------------------------------------------------------------------------- language, colours, tabs

const articles = new Map([[game.languages[0], document.querySelector("#report > article")]]);

/** The report in a language; pictures are moved into it from the one that was shown before. */
function article(language) {
  if (!articles.has(language) && reports[language]) {
    const made = el("article");
    made.append(...new DOMParser().parseFromString(reports[language], "text/html").body.childNodes);
    articles.set(language, made);
  }
  return articles.get(language);
}

function speak(language) {
  const [old, wanted] = [articles.get(at.language), article(language)];
  at.language = language;
  $("said").textContent = "";
  document.documentElement.lang = language === "pt" ? "pt-BR" : language;
  if (old && wanted && old !== wanted) {
    for (const part of [".scene", ".board", ".sheet"]) {
      const [from, to] = [old.querySelectorAll(part), wanted.querySelectorAll(part)];
      to.forEach((place, i) => { if (from[i]) place.replaceChildren(...from[i].childNodes); });
    }
    old.replaceWith(wanted);
  }
  document.title = `${said(game.title)}: ${game.source}`;
  $("title").replaceChildren(said(game.title), el("small", {}, game.source));
  const told = JSON.parse($("verdict").dataset.told);
  $("verdict").textContent = said(told);
  $("verdict").hidden = !said(told);
  document.querySelectorAll("[data-w]").forEach((one) => { one.textContent = t(one.dataset.w); });
  document.querySelectorAll("[data-l]").forEach((one) => one.setAttribute("aria-label", t(one.dataset.l)));
  $("slider").setAttribute("aria-label", t("slider"));
  pad.title = "";
  drawGround();
  drawTabs();
  drawControls();
  dress(at.theme);
  go(at.step, { quiet: true });
  tab(at.tab);
}

function drawTabs() {
  const known = [game.outlook ? "outlook" : "", "steps", game.notes.length || game.judged ? "findings" : "", game.talks.length ? "chat" : "", $("report").querySelector("article") ? "report" : ""].filter(Boolean);
  $("tabs").replaceChildren(...known.map((key) => el("button", { type: "button", role: "tab", id: `tab-${key}`, "aria-controls": "panel", onclick: () => tab(key) }, t(`tab-${key}`), key === "findings" && game.notes.length ? [" ", el("span.count", {}, number(worth.length))] : "")));
  $("tabs").setAttribute("aria-label", said(game.title));
  $("tabs").onkeydown = (event) => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    tab(known[(known.indexOf(at.tab) + move + known.length) % known.length], true);
  };
}

const dark = matchMedia("(prefers-color-scheme: dark)");

function dress(theme) {
  at.theme = theme;
  document.documentElement.dataset.theme = theme === "auto" ? dark.matches ? "dark" : "light" : theme;
  const shade = $("theme");
  shade.replaceChildren(icon("theme"));
  name(shade, t(`theme-${theme}`));
}

function start() {
  const kept = remembered("language");
  const chosen = game.languages.includes(kept) ? kept : game.languages[0];
  $("language").replaceChildren(...game.languages.map((code) => el("option", { value: code, selected: code === chosen, lang: code }, new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code)));
  $("language").onchange = (event) => { remembered("language", event.target.value); speak(event.target.value); };
  $("theme").onclick = () => { const next = { auto: "light", light: "dark", dark: "auto" }[at.theme]; remembered("theme", next); dress(next); };
  dark.onchange = () => dress(at.theme);
  at.theme = remembered("theme") ?? "auto";
  $("slider").max = steps.length - 1;
  $("slider").oninput = (event) => { play(false); go(Number(event.target.value)); };
  $("ticks").replaceChildren(...noted.slice(0, 400).map((number) => {
    const tick = el(`i.tick.${worst(notesAt.get(number))}`);
    tick.style.left = `${number / Math.max(steps.length - 1, 1) * 100}%`;
    return tick;
  }));
  const known = el("datalist", { id: "found" }, [...new Set(pieces.map((_, piece) => label(piece)))].map((value) => el("option", { value })));
  document.body.append(known);
  $("panel").addEventListener("click", (event) => {
    const row = event.target.closest("[data-step]");
    if (row) { play(false); go(Number(row.dataset.step)); }
  });
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", () => { const wanted = linked(location.hash); if (wanted !== undefined && wanted !== at.step) go(wanted); });
  at.shown = new Set(ORDER.filter((kind) => kind !== "info" || worth === game.notes));
  $("report").hidden = true;
  $("app").hidden = false;
  listenToBoard();
  at.tab = game.outlook ? "outlook" : "steps";
  at.step = linked(location.hash) ?? (watch ? steps.length - 1 : 0);
  view.style.setProperty("--shape", `${board.w} / ${board.h}`);
  const left = watch ? takenUp() : null;
  if (left) {
    at.tab = left.tab;
    at.follow = left.follow;
    at.zones = new Set(left.zones);
    if (left.end) at.step = steps.length - 1;
  }
  speak(chosen);
  fit(false);
  if (left) { Object.assign(camera, left.camera); applyCamera(); } else if (at.follow) lookAt(spotsOf(steps[at.step]));
  if (watch) keepUp();
}

/** A page that is written anew while its sheet is edited: look at the new one, but never while somebody uses this. */
function keepUp() {
  let used = Date.now();
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "scroll"]) addEventListener(kind, () => { used = Date.now(); }, { capture: true, passive: true });
  setInterval(() => {
    if (document.hidden || at.playing || Date.now() - used < 2500) return;
    const left = { end: at.step === steps.length - 1, tab: at.tab, zones: [...at.zones], follow: at.follow, camera };
    try { sessionStorage.setItem("hexforge.left", JSON.stringify(left)); } catch { /* then it begins anew */ }
    location.reload();
  }, 3000);
}

/** What the page that stood here before showed. */
function takenUp() {
  try {
    const left = JSON.parse(sessionStorage.getItem("hexforge.left"));
    sessionStorage.removeItem("hexforge.left");
    return left;
  } catch { return null; }
}

start();
