// The page on which counters are edited: the rows of counters.csv as cells, each beside the faces drawn of it.
import { $, Refused, ask, chooseLooks, dress, el, problemList, say, state, toast, w } from "./common.js";
import { decide } from "./merge.js";

let table, rows, base, seen;
let saved = "", before = "";
const done = [], undone = [];
const shownRows = new Map();  // a row's element, its faces and cells, by its number here
const known = new Map();      // what was drawn of cells, by their text
let numbers = 0;

const text = () => JSON.stringify(rows.map(({ was, cells }) => ({ was, cells })));
const sent = () => rows.map(({ was, cells }) => ({ was, cells }));

// ----------------------------------------------------------------------------------------------------------- faces

const queue = new Set();
let asking = false;
function want(row) { queue.add(row); if (!asking) { asking = true; setTimeout(drawFaces, 120); } }
async function drawFaces() {
  while (queue.size) {
    const some = [...queue].slice(0, 12);
    for (const row of some) queue.delete(row);
    const asked = some.filter((row) => rows.includes(row) && !known.has(JSON.stringify(row.cells)));
    try {
      const keys = asked.map((row) => JSON.stringify(row.cells));
      const found = asked.length ? await ask("faces", { base, rows: asked.map(({ was, cells }) => ({ was, cells })) }) : [];
      found.forEach((it, i) => known.set(keys[i], it));
    } catch (error) { refuse(error); break; }
    for (const row of some) paint(row);
  }
  asking = false;
}
function paint(row) {
  const shown = shownRows.get(row.number), found = known.get(JSON.stringify(row.cells));
  if (!shown || !found) return;
  const id = row.cells[0];
  shown.face.replaceChildren(...found.faces.length ? found.faces.map((src, i) => el("img", { src, alt: `${id}, ${w("face")} ${i + 1}` })) : [el("span", { class: "none" }, w("no-face"))], ...shown.tools);
  table.columns.forEach((column, i) => {
    const why = found.wrong[column] ?? (i === 0 && Object.keys(found.wrong).find((it) => !table.columns.includes(it)) ? Object.values(found.wrong)[0] : "");
    const cell = shown.cells[i];
    cell.classList.toggle("wrong", Boolean(why));
    cell.querySelector(".why")?.remove();
    const input = cell.querySelector("input");
    input.toggleAttribute("aria-invalid", Boolean(why));
    if (why) {
      const told = el("p", { class: "why", id: `why-${row.number}-${i}` }, why);
      input.setAttribute("aria-describedby", told.id);
      cell.append(told);
    } else input.removeAttribute("aria-describedby");
  });
}

// ------------------------------------------------------------------------------------------------------------ rows

function made(row) {
  row.number ??= numbers++;
  const cells = table.columns.map((column, i) => {
    const input = el("input", { type: "text", value: row.cells[i], size: Math.max(4, Math.min(26, widths[i] + 1)), "aria-label": `${row.cells[0]} ${column}`, list: table.choices[column] ? `list-${column}` : null, autocomplete: "off", maxlength: 2000 });
    input.addEventListener("input", () => { row.cells[i] = input.value; want(row); told(); });
    input.addEventListener("change", commit);
    return el("td", {}, input);
  });
  const tools = [
    el("button", { type: "button", "aria-label": `${w("copy-row")} ${row.cells[0]}`, title: w("copy-row"), onclick: () => add(row) }, "+"),
    el("button", { type: "button", class: "danger", "aria-label": `${w("remove")} ${row.cells[0]}`, title: w("remove"), onclick: () => { rows.splice(rows.indexOf(row), 1); commit(); render(); } }, "×"),
  ];
  const face = el("th", { class: "face", scope: "row" }, tools);
  const element = el("tr", {}, face, ...cells);
  shownRows.set(row.number, { element, face, cells, tools });
  return element;
}
let widths = [], some = [];
const USUAL = 57, AROUND = 12;
const heights = new Map();  // of rows that were shown, by their number
const height = (row) => heights.get(row.number) ?? USUAL;
function render() {
  const held = document.activeElement?.closest?.("#body td"), line = held?.parentElement;
  const back = held && [some.findIndex((row) => shownRows.get(row.number)?.element === line), [...line.children].indexOf(held)];
  shownRows.clear();
  $("body").replaceChildren();
  widths = table.columns.map((_, i) => rows.reduce((most, row) => Math.max(most, row.cells[i].length), 0));
  $("head").replaceChildren(el("th", { class: "face", scope: "col" }, w("face")), ...table.columns.map((column) => el("th", { scope: "col" }, column)));
  const sought = $("find").value.trim().toLowerCase();
  some = rows.filter((row) => !sought || row.cells.some((cell) => cell.toLowerCase().includes(sought)));
  $("find").placeholder = w("filter");
  $("shown").textContent = w("shown", { count: some.length });
  showSeen();
  if (back && back[0] >= 0 && some.length) cell(some[Math.min(back[0], some.length - 1)], back[1] - 1)?.focus();
  told();
}
/** Only rows that somebody may see are elements: a table may have thousands of cells. */
function showSeen() {
  const pane = $("sheet"), top = pane.scrollTop, bottom = top + pane.clientHeight;
  let first = 0, last = 0, y = 0, above = 0, below = 0;
  const ends = some.map((row) => { row.number ??= numbers++; return y += height(row); });
  while (first < some.length && ends[first] < top) first++;
  last = first;
  while (last < some.length && (last ? ends[last - 1] : 0) < bottom) last++;
  [first, last] = [Math.max(0, first - AROUND), Math.min(some.length, last + AROUND)];
  const wanted = new Set(some.slice(first, last));
  for (const [number, shown] of shownRows) if (![...wanted].some((row) => row.number === number)) { heights.set(number, shown.element.offsetHeight); shown.element.remove(); shownRows.delete(number); }
  let next = $("body").firstElementChild;
  for (const row of wanted) {
    const shown = shownRows.get(row.number)?.element;
    if (shown && shown === next) { next = shown.nextElementSibling; continue; }
    const element = shown ?? made(row);
    $("body").insertBefore(element, next);
    if (known.has(JSON.stringify(row.cells))) paint(row); else want(row);
  }
  above = first ? ends[first - 1] : 0;
  below = y - (last ? ends[last - 1] : 0);
  $("above").style.height = `${above}px`;
  $("below").style.height = `${below}px`;
}
/** A row's cell, brought into sight. */
function cell(row, column) {
  const i = some.indexOf(row);
  if (i < 0) return null;
  if (!shownRows.has(row.number)) {
    $("sheet").scrollTop = some.slice(0, i).reduce((sum, it) => sum + height(it), 0) - $("sheet").clientHeight / 2;
    showSeen();
  }
  const found = shownRows.get(row.number)?.cells[Math.max(column, 0)];
  found?.scrollIntoView({ block: "nearest", inline: "nearest" });
  return found?.querySelector("input");
}

function add(like) {
  const cells = like ? [...like.cells] : table.columns.map(() => "");
  if (like) cells[0] = "";
  const row = { was: null, cells };
  rows.splice(like ? rows.indexOf(like) + 1 : rows.length, 0, row);
  commit();
  $("find").value = "";
  render();
  cell(row, 0).focus();
}

function commit() {
  const now = text();
  if (now === before) return;
  done.push(before);
  if (done.length > 100) done.shift();
  undone.length = 0;
  before = now;
  told();
}
function stepBack(from, to) {
  if (!from.length) return;
  to.push(text());
  rows = JSON.parse(from.pop());
  before = text();
  render();
}
function told() {
  const dirty = text() !== saved;
  $("state").textContent = w(dirty ? "unsaved" : "saved");
  $("state").classList.toggle("dirty", dirty);
  $("undo").disabled = !done.length;
  $("redo").disabled = !undone.length;
}
addEventListener("beforeunload", (event) => { if (text() !== saved) event.preventDefault(); });

// ---------------------------------------------------------------------------------------------------------- saving

function renderProblems(problems) {
  $("problems").replaceChildren(problemList(problems, (it) => {
    const row = rows.find((row) => it.names.includes(row.cells[0]) && row.cells[0]);
    if (!row) return null;
    const column = table.columns.findIndex((name) => it.names.includes(name));
    return () => {
      $("find").value = "";
      render();
      cell(row, column).focus();
    };
  }));
}
function refuse(error) {
  if (!(error instanceof Refused)) throw error;
  toast(error.message, "bad");
  if (error.problems.length) renderProblems(error.problems);
}
let saving = false;
async function save() {
  if (saving) return;
  saving = true;
  $("toast").hidden = true;
  commit();
  try {
    if (!await same() && !await bringIn()) throw new Refused(409, { message: w("not-brought-in", { file: table.file }) });
    const now = text();
    const found = await ask("save", { base, seen, rows: sent() });
    [seen, saved] = [found.seen, now];
    renderProblems(found.problems);
    const left = found.problems.filter((it) => it.severity === "error").length;
    const told = left ? w("saved-so-far", { file: table.file, count: left }) : w("saved-to", { file: table.file });
    toast(told);
    say(told);
  } catch (error) { refuse(error); }
  saving = false;
  told();
}
const same = async () => (await ask("stands", { seen })).same;
/** What the file says now, with what was typed here; false if he who types would not decide. */
async function bringIn() {
  const given = { base, saved: JSON.parse(saved), rows: sent() };
  let found = await ask("merge", given);
  while (found.clashes.length) {
    const choices = await decide(found.clashes, {}, (clash) => clash.subject);
    if (!choices) return false;
    found = await ask("merge", { ...given, choices, over: found.seen });
  }
  ({ rows, base, seen } = found);
  saved = JSON.stringify(found.theirs);
  before = text();
  done.length = undone.length = 0;
  render();
  toast(w("brought-in", { file: table.file }));
  return true;
}
/** Whoever comes back to the window sees the file as it is. */
addEventListener("focus", async () => {
  if (saving || !table) return;
  saving = true;
  commit();
  try { if (!await same()) await bringIn(); } catch (error) { refuse(error); }
  saving = false;
});
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey)) {
    const input = event.target.closest?.("#body input");
    if (!input || !["ArrowUp", "ArrowDown", "Enter"].includes(event.key)) return;
    const line = input.closest("tr"), column = [...line.children].indexOf(input.closest("td")) - 1;
    const here = some.findIndex((row) => shownRows.get(row.number)?.element === line);
    const other = some[here + (event.key === "ArrowUp" ? -1 : 1)];
    if (other) { event.preventDefault(); cell(other, column).focus(); }
    return;
  }
  const key = event.key.toLowerCase();
  if (key === "s") { event.preventDefault(); save(); }
  if (key === "z" && !event.shiftKey) { event.preventDefault(); commit(); stepBack(done, undone); }
  if (key === "y" || (key === "z" && event.shiftKey)) { event.preventDefault(); stepBack(undone, done); }
});

async function start() {
  table = await ask("data");
  state.words = table.words;
  ({ rows, base, seen } = table);
  saved = before = text();
  $("file").textContent = table.file;
  $("lists").replaceChildren(...Object.entries(table.choices).map(([column, values]) => el("datalist", { id: `list-${column}` }, values.map((value) => el("option", { value })))));
  chooseLooks(() => { known.clear(); render(); });
  dress();
  render();
  renderProblems([]);
  $("undo").onclick = () => stepBack(done, undone);
  $("redo").onclick = () => stepBack(undone, done);
  $("save").onclick = save;
  $("add").onclick = () => add(null);
  $("find").addEventListener("input", render);
  let due = false;
  $("sheet").addEventListener("scroll", () => { if (!due) { due = true; requestAnimationFrame(() => { due = false; showSeen(); }); } });
  new ResizeObserver(showSeen).observe($("sheet"));
  ask("check", { base, rows: sent() }).then((found) => renderProblems(found.problems), refuse);
  document.body.dataset.ready = "";
}
start().catch((error) => { toast(error.message, "bad"); });
