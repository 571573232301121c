// All that there is to know of a step, beside the board.

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
  for (const column of all("#detail .crt thead .lit")) {
    const box = column.closest(".wide");
    box.scrollLeft = column.offsetLeft - (box.clientWidth - column.offsetWidth) / 2;
  }
  $("detail").setAttribute("aria-label", t("details"));
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(`${location.href.split("#")[0]}#${names[at.step]}`);
    $("said").textContent = t("linked");
  } catch { location.hash = names[at.step]; }
}
