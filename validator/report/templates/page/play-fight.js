// An attack from its plan to its end: who takes part, what it comes to, dice, and what is owed after them.

function fan(units, pressed, toggle, label_ = (id) => id) {
  return el("ul.fan", {}, units.map((id) => el("li", {}, el("button", { type: "button", "aria-pressed": pressed === null ? null : String(pressed.includes(id)), "data-unit": id, onclick: () => toggle(id) }, face(pieceAt(id), lies[pieceAt(id)]?.[1] ?? 0, 44, "span.face"), el("span", {}, label_(id))))));
}

const toggled = (list, id) => list.includes(id) ? list.filter((one) => one !== id) : [...list, id];

function stepper(key, most) {
  if (!most) return "";
  const value = ui.plan[key];
  const by = most > 12 ? 5 : 1;
  const set = (next) => replan({ [key]: Math.max(0, Math.min(most, next)) });
  const label_ = w(`table.${key}`);
  return el("span.stepper", {}, label_, el("button", { type: "button", "aria-label": w("table.less", { what: label_ }), disabled: !value, onclick: () => set(value - by) }, "−"), el("output", {}, number(value)), el("button", { type: "button", "aria-label": w("table.more", { what: label_ }), disabled: value >= most, onclick: () => set(value + by) }, "+"), el("span.muted", {}, `/ ${number(most)}`));
}

function chanceBars(chances) {
  if (!chances.length) return "";
  const percent = new Intl.NumberFormat(at.language, { style: "percent", maximumFractionDigits: 0 });
  return el("dl.chances", {}, chances.flatMap(([result, share]) => {
    const bar = el("i");
    bar.style.width = `${share * 100}%`;
    return [el("dt", {}, result || "–"), el("dd.bar", {}, bar), el("dd", {}, percent.format(share))];
  }));
}

const complaints = (list) => list.length ? el("ul.owed", {}, list.map((one) => el("li", {}, one.r ? el("strong", {}, `${one.r} `) : "", one.x))) : "";

function planPanel() {
  const { plan, preview } = ui;
  const close = plan.kind === "combat" || plan.kind === "overrun";
  const parts = [];
  if (close) parts.push(el("h3", {}, w("table.attackers")), fan(able(), plan.attackers, (id) => replan({ attackers: toggled(plan.attackers, id) })));
  const aid = preview?.aid;
  if (aid?.supports.length) parts.push(el("h3", {}, w("table.supports")), fan(aid.supports, plan.supports, (id) => replan({ supports: toggled(plan.supports, id) })));
  if (aid?.guards.length) parts.push(el("h3", {}, w("table.guards")), fan(aid.guards, plan.guards, (id) => replan({ guards: toggled(plan.guards, id) })));
  if (aid) parts.push(el("div.row-of", {}, ["offboard", "air", "guard_offboard", "guard_air"].map((key) => stepper(key, aid[key]))));
  if (preview) {
    const [sheet] = preview.sheet;
    if (preview.blind) parts.push(el("p.facts", {}, el("span", {}, `${t("attack")} `, el("b", {}, number(sheet.a)))), el("p.muted", {}, w("table.blind")));
    else if (sheet) parts.push(el("p.facts", {}, sheet.k === "combat" ? [el("b", {}, `${number(sheet.a)} : ${number(sheet.d)}`), el("span", {}, `${t("odds")} `, el("b", {}, sheet.start))] : el("span", {}, `${t("value")} `, el("b", {}, sheet.start)), el("span", {}, `${t("column")} `, el("b", {}, sheet.cn || "–"))));
    parts.push(chanceBars(preview.chances), complaints(preview.objections));
    if (sheet && !preview.blind) parts.push(el("details", {}, el("summary", {}, w("table.reckoned")), fightSheet(sheet)));
  }
  return parts;
}

/** Buttons for dice: thrown here, or as they fell on a real table. */
function diceButtons(dice, send) {
  const [count, faces] = dice;
  const boxes = Array.from({ length: count }, (_, i) => el("input", { type: "number", min: 1, max: faces, inputmode: "numeric", size: 2, "aria-label": w("table.die", { n: i + 1 }) }));
  const typed = () => boxes.map((box) => Number(box.value));
  return el("div.row-of", {}, el("button.main", { type: "button", id: "throw", onclick: () => send() }, w("table.throw", { dice: `${count}d${faces}` })), el("span.muted", {}, w("table.typed")), boxes, el("button", { type: "button", onclick: () => { if (typed().every((one) => one >= 1 && one <= faces)) send(typed()); } }, w("table.take")));
}

function fightPanel() {
  const { fight } = now;
  const parts = [];
  if (fight.stage === "waits") parts.push(el("p", {}, w("table.waits", { link: now.waits })), now.opens ? el("button.main", { type: "button", id: "open", onclick: () => act({ do: "open" }) }, w("table.open")) : "");
  if (fight.stage === "dice" && now.sealed) parts.push(el("button.main", { type: "button", id: "seal", onclick: () => act({ do: "seal" }) }, w("table.seal")));
  if (fight.stage === "dice") parts.push(diceButtons(fight.dice, (faces) => act({ do: "roll", faces })));
  if (fight.owed.length) parts.push(complaints(fight.owed));
  const of = (kind) => fight.steps.filter((step) => step.k === kind);
  for (const step of fight.steps.filter((one) => one.dice)) parts.push(el("p", {}, step.x), diceButtons(step.dice, (faces) => act({ do: "after", steps: [step.n], faces })));
  for (const kind of ["lose", "eliminate"]) {
    if (!of(kind).length) continue;
    parts.push(el("h3", {}, w(`table.${kind}`)), fan(of(kind).map((step) => step.u[0]), null, (id) => act({ do: "after", steps: [of(kind).find((step) => step.u[0] === id).n] })));
  }
  for (const kind of ["retreat", "advance"]) {
    const units = [...new Set(of(kind).flatMap((step) => step.u))];
    if (!units.length) continue;
    parts.push(el("h3", {}, w(`table.${kind}`)), fan(units, ui.fall, (id) => { ui.fall = toggled(ui.fall.filter((one) => units.includes(one)), id); drawAll(); }));
    const off = falls().get(-1);
    if (kind === "retreat" && off) parts.push(el("button", { type: "button", onclick: () => act({ do: "after", steps: off.map((step) => step.n) }) }, w("table.off")));
  }
  const [sheet] = fight.sheet;
  if (sheet) parts.push(el("p.facts", {}, sheet.r ? [el("span", {}, `${t("roll")} `, el("b", {}, (sheet.f ?? []).join(" "))), el("span", {}, `${t("result")} `, el("b", {}, sheet.r))] : ""), el("details", { open: fight.stage === "dice" }, el("summary", {}, w("table.reckoned")), fightSheet(sheet)));
  return parts;
}
