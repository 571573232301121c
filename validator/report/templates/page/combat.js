// A finding, what a move cost, and a combat part by part.

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
  const told = way.c.some(([, , why]) => said(why));
  const rows = way.c.map(([what, cost, why]) => el("tr", {}, el("td", {}, said(what)), el("td.n", {}, number(cost)), el("td.n", {}, number(sum += cost)), told ? el("td", {}, said(why)) : ""));
  return el("div", {}, el("table", {}, el("caption", {}, `${t("cost")}: ${way.u.join(" ")}`),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("cost-hex")), el("th.n", { scope: "col" }, t("cost-points")), el("th.n", { scope: "col" }, t("cost-sum")), told ? el("th", { scope: "col" }, t("cost-why")) : "")),
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
    const rows = parts.map(([, label, points, unit, wrong, why]) => {
      const piece = pieceOf.get(unit);
      const picture = piece === undefined ? "" : face(piece, lies[piece]?.[1] ?? 0, 26, "span.face");
      const row = el(`tr${wrong ? ".wrong" : ""}`, {}, el("td", {}, picture, " ", said(label), said(why) ? el("span.muted", {}, ` ${said(why)}`) : "", wrong ? flag("illegal") : ""), el("td.n", {}, number(points)));
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
  return el("div", {}, el("p.named", {}, name + lit), el("div.wide", { tabindex: 0, role: "region", "aria-label": name }, el("table.crt", { "aria-label": name + lit }, el("thead", {}, head), el("tbody", {}, rows))));
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
