// The lists: steps, findings, chat, what is to be done, the report.

const rows = new Map();

function stepRow(number) {
  const step = steps[number];
  const severity = worst(notesAt.get(number) ?? []);
  const row = el(`button.row${step.u ? ".off" : ""}`, { type: "button", "data-step": number },
    el("span.no", {}, names[number].split("-").pop()), el("span.what", {}, said(step.x) || phaseName(step) || step.src || "·"),
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
    return el("button", { type: "button", "data-kind": kind, "aria-pressed": String(at.shown.has(kind)), onclick: () => { if (!at.shown.delete(kind)) at.shown.add(kind); drawPanel(); all(`[data-kind="${kind}"]`)[0].focus(); } },
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
  const listed = at.tab === "findings" || at.tab === "chat" ? all("#panel [data-step]") : [];
  const exact = listed.length ? listed.find((row) => Number(row.dataset.step) === at.step) : rows.get(at.step);
  exact?.setAttribute("aria-current", "step");
  // Where nothing is about this step, what came last before it is what is looked for.
  const current = exact ?? listed.findLast((row) => Number(row.dataset.step) < at.step) ?? listed[0];
  sought = current;
  if (current) bringIntoSight(current);
}

let sought;
/** Scroll to a row, and again when the turns around it are drawn, whose heights were a guess until then. */
function bringIntoSight(row, again = 4) {
  if (row !== sought || !row.isConnected) return;
  const panel = $("panel");
  const [top, height] = [row.getBoundingClientRect().top - panel.getBoundingClientRect().top, row.offsetHeight];
  // On a telephone the lower part of the panel may lie behind the buttons.
  const below = narrow.matches ? document.querySelector(".transport").getBoundingClientRect().top - panel.getBoundingClientRect().top : Infinity;
  const seen = Math.max(30 + height, Math.min(panel.clientHeight, below));
  if (top < 30 || top + height > seen) panel.scrollTop += top - Math.max(30, seen / 3);
  if (again) requestAnimationFrame(() => bringIntoSight(row, again - 1));
}

function tab(name, focus = false) {
  at.tab = name;
  all("#tabs [role=tab]").forEach((one) => {
    const chosen = one.id === `tab-${name}`;
    one.setAttribute("aria-selected", String(chosen));
    one.tabIndex = chosen ? 0 : -1;
    if (chosen && focus) one.focus();
  });
  drawPanel();
}
