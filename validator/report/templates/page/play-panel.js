// Beside the board: the one thing to do, what is picked, who waits off the map, the sheet as it grows.

function promptText() {
  if (ui.ending) return w("table.prompt-owed");
  if (fighting()) return w(`table.prompt-${now.fight.stage}`, { hex: now.fight.h.map(hexName).join(" ") });
  if (ui.plan) return w("table.prompt-plan", { hex: ui.plan.targets.map(hexName).join(" ") });
  if (ui.units.length) return w("table.prompt-units", { units: ui.units.join(" "), count: ui.goals.size });
  if (now.unset.length) return w("table.prompt-setup", { count: now.unset.length });
  if (!now.phase) return now.next ? w("table.prompt-begin", { phase: now.next }) : w("table.prompt-over");
  if (now.targets.length && !now.overrun) return w("table.prompt-combat", { count: now.targets.length, owed: now.targets.filter((one) => one.owed).length });
  if (now.movers.length || now.arrivals.length) return w("table.prompt-move", { count: now.movers.length });
  return w("table.prompt-nothing");
}

function deedButtons(list, units) {
  return list.map((deed) => deed.dice
    ? el("div", {}, el("b", {}, deed.x), diceButtons(deed.dice, (faces) => act({ do: "deed", n: deed.n, units, faces })))
    : el("button", { type: "button", onclick: () => act({ do: "deed", n: deed.n, units }) }, deed.x));
}

function pickedPanel() {
  const spot = spotOf(ui.units[0]);
  const here = spots[spot]?.[1] === null || spot < 0 ? ui.units : unitsOn(spot).filter((id) => pieces[pieceAt(id)].s === pieces[pieceAt(ui.units[0])].s);
  return [
    fan(here, ui.units, (id) => pickUnits(toggled(ui.units, id), { via: [] })),
    el("div.row-of", {},
      ui.railed || ui.rail ? el("button", { type: "button", "aria-pressed": String(ui.rail), onclick: () => pickUnits(ui.units, { rail: !ui.rail, via: [] }) }, w("table.rail")) : "",
      deedButtons(ui.deeds, ui.units),
      ui.via.length ? el("button", { type: "button", onclick: () => pickUnits(ui.units, { via: [] }) }, w("table.no-via")) : ""),
    ui.goals.size ? el("p.muted", {}, w("table.via")) : "",
  ];
}

function tray(title, units) {
  if (!units.length) return [];
  return [el("h3", {}, title), fan(units, ui.units, (id) => pickUnits(ui.units.includes(id) ? [] : [id], { via: [], rail: false }))];
}

function drawDoing() {
  const parts = [];
  if (ui.problem) parts.push(el("p.problem", { role: "alert" }, ui.problem));
  if (ui.ending) parts.push(complaints(now.owed));
  if (fighting()) parts.push(...fightPanel());
  else if (ui.plan) parts.push(...planPanel());
  else if (ui.units.length) parts.push(...pickedPanel());
  else if (at.spot >= 0 && unitsOn(at.spot).length) parts.push(stackList(at.spot));
  if (!fighting() && !ui.plan) {
    parts.push(...tray(w("table.unset"), now.unset), ...tray(w("table.arrivals"), now.arrivals));
    if (now.unset.length) parts.push(el("button", { type: "button", onclick: () => act({ do: "place", all: true }) }, w("table.place-all")));
    if (!ui.units.length) parts.push(...deedButtons(now.deeds, []));
    for (const kind of now.fire) parts.push(el("button", { type: "button", "aria-pressed": String(ui.kind === kind), onclick: () => aim(kind) }, w(`table.fire-${kind}`)));
  }
  $("doing").replaceChildren(...parts.flat(Infinity).filter(Boolean));
  $("doing").setAttribute("aria-label", w("table.doing"));
}

function stackList(spot) {
  const items = unitsOn(spot).map((id) => el("li", {}, face(pieceAt(id), lies[pieceAt(id)][1], 44, "span.face"), el("span", {}, el("b", {}, id), el("br"), said(pieces[pieceAt(id)].n))));
  return el("div", {}, el("h3", {}, t("units-at", { hex: hexName(spot), count: items.length })), el("ul.faces", {}, items));
}

function thumbButton(deed, label_, more = {}) {
  return el("button", { type: "button", "data-deed": deed, onclick: () => deeds[deed](), ...more }, label_);
}

function drawThumb() {
  const free = !fighting() || now.fight.stage === "free";
  const parts = [thumbButton("undo", w("table.undo"), { disabled: !now.undo }), thumbButton("redo", w("table.redo"), { disabled: !now.redo })];
  if (ui.plan) {
    const wrong = ui.preview?.objections.length;
    parts.push(thumbButton("drop", w("table.drop")), thumbButton("declare", wrong ? w("table.insist") : w("table.declare"), { class: wrong ? "bad" : "main", disabled: !ui.preview }));
  } else if (ui.units.length || ui.ending) parts.push(thumbButton("drop", w("table.drop")));
  if (fighting() && now.fight.stage === "free") parts.push(thumbButton("done", w("table.done"), { class: "main" }));
  if (!ui.plan && free && now.next) parts.push(thumbButton("end", now.phase ? ui.ending ? w("table.end-still") : w("table.end") : w("table.begin"), { class: ui.ending ? "bad" : "main" }));
  $("thumb").replaceChildren(...parts);
}

const TABS = ["sheet", "findings", "standing"];

function drawPanels() {
  $("tabs").replaceChildren(...TABS.map((key) => el("button", { type: "button", role: "tab", id: `tab-${key}`, "aria-controls": "panel", "aria-selected": String(at.tab === key), tabindex: at.tab === key ? 0 : -1, onclick: () => { at.tab = key; drawPanels(); } }, w(`table.tab-${key}`), key === "findings" && now.found.length ? el("span.count", {}, number(now.found.length)) : "")));
  $("tabs").setAttribute("aria-label", said(game.title));
  $("panel").setAttribute("aria-labelledby", `tab-${at.tab}`);
  if (at.tab === "sheet") {
    if (document.activeElement?.id === "text") return;
    const box = el("textarea.text", { id: "text", spellcheck: "false", autocapitalize: "off", "aria-label": w("table.tab-sheet") });
    box.value = now.text;
    $("panel").replaceChildren(box, el("div.row-of", {}, el("button", { type: "button", onclick: () => act({ do: "edit", text: box.value }) }, w("table.judge"))));
    box.scrollTop = box.scrollHeight;
  } else if (at.tab === "findings") {
    $("panel").replaceChildren(now.found.length ? el("ul", {}, now.found.map((one) => el("li", {}, el(`i.dot.${one.v}`), " ", el("button", { type: "button", onclick: () => lookAt(one.h) }, w("table.line", { line: one.l })), " ", one.r ? el("strong", {}, one.r) : "", " ", one.x))) : el("p", {}, t("no-findings")));
  } else {
    const rows = [["score", now.score], ["air", now.air]].map(([key, values]) => el("tr", {}, el("th", { scope: "row" }, t(key)), values.map((value) => el("td.n", {}, number(value)))));
    $("panel").replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, el("td", {}), sides.map((side) => el("th.n", { scope: "col" }, said(side.n))))), el("tbody", {}, rows)));
  }
}

function drawAll() {
  $("prompt").textContent = promptText();
  $("phase").textContent = now.phase ?? "";
  drawTable();
  drawDoing();
  drawThumb();
  drawPanels();
}
