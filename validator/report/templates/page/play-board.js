// The board under the hand: what is lit, what a click means, the way under the pointer, the keys.

const LIT = { fill: "#2e9e5b", "fill-opacity": 0.34, stroke: "#1f5f3f", "stroke-width": 3 };
const words_ = (x, y, text, size = 21) => svg("text", { x, y, "text-anchor": "middle", "font-size": size, "font-weight": 700, "font-family": "system-ui, sans-serif", fill: "#0d3a22", stroke: "#fff", "stroke-width": 4, "paint-order": "stroke" }, text);

function drawTable() {
  const [under, over] = [[], []];
  for (const side of at.zones) {
    const colour = ZONES[side % ZONES.length];
    for (const spot of zones[side]) under.push(polygon(spot, { fill: colour, "fill-opacity": 0.2, stroke: colour, "stroke-opacity": 0.55, "stroke-width": 2 }, 0.97));
  }
  if (!ui.units.length && !ui.plan) for (const way of now.last.w) over.push(arrow(way, WAYS[way.k]));
  for (const [spot, goal] of ui.goals) {
    under.push(polygon(spot, LIT, 0.95));
    if (goal.c !== null) over.push(words_(spots[spot][1], spots[spot][2] + 42, number(goal.c)));
  }
  if (fighting()) for (const spot of falls().keys()) if (spot >= 0) under.push(polygon(spot, { ...LIT, fill: WAYS.retreat, stroke: WAYS.retreat }, 0.95));
  if (!ui.plan && !fighting() && !ui.units.length) for (const one of now.targets) {
    const colour = COLOURS.illegal;
    if (one.owed) under.push(polygon(one.h, { fill: colour, "fill-opacity": 0.3 }, 0.95));
    over.push(polygon(one.h, { fill: "none", stroke: colour, "stroke-width": one.owed ? 8 : 4, ...(one.owed ? {} : { "stroke-dasharray": "12 8" }) }, 0.93));
  }
  for (const spot of ui.kind ? ui.fire : []) over.push(polygon(spot, { fill: "none", stroke: COLOURS.doubtful, "stroke-width": 6 }, 0.93));
  for (const spot of ui.plan?.targets ?? now.fight?.h ?? []) over.push(polygon(spot, { fill: "none", stroke: COLOURS.illegal, "stroke-width": 8 }, 0.93), burst(spot));
  for (const id of ui.plan?.attackers ?? []) over.push(arrow({ k: "attack", p: [spotOf(id), ui.plan.targets[0]] }, WAYS.attack));
  for (const spot of ui.via) over.push(polygon(spot, { fill: "none", stroke: "#f2b705", "stroke-width": 7 }, 0.9));
  for (const spot of [at.spot, ui.cursor]) if (spot >= 0 && onBoard(spot)) over.push(polygon(spot, { fill: "none", stroke: "#fff", "stroke-width": 8 }, 0.95), polygon(spot, { fill: "none", stroke: "#1f5f8b", "stroke-width": 4 }, 0.95));
  for (const [spot, stack] of stacks) {
    if (stack.length < 2 || !onBoard(spot)) continue;
    const [, x, y] = spots[spot];
    over.push(svg("circle", { cx: x - 34, cy: y + 34, r: 12, fill: "#1f2421", "fill-opacity": 0.85 }), svg("text", { x: x - 34, y: y + 40, "text-anchor": "middle", "font-size": 17, "font-weight": 700, "font-family": "system-ui, sans-serif", fill: "#fff" }, String(stack.length)));
  }
  $("under").replaceChildren(...under);
  $("over").replaceChildren(...over);
  pieces.forEach((_, piece) => drawCounter(piece));
  const can = new Set(ui.units.length || ui.plan || fighting() ? [] : now.movers);
  const going = new Set(fighting() ? now.fight.steps.flatMap((step) => step.u) : []);
  const named = new Set([...ui.units, ...ui.plan?.attackers ?? [], ...ui.plan?.supports ?? [], ...ui.plan?.guards ?? [], ...(fighting() ? ui.fall : [])]);
  tokens.forEach((token, piece) => {
    const id = pieces[piece].id;
    token?.classList.toggle("can", can.has(id) || going.has(id));
    token?.classList.toggle("named", named.has(id));
  });
  drawHover();
}

/** The way to the hex under the pointer, with its price hex by hex. */
function drawHover() {
  const goal = ui.goals.get(ui.hover);
  const fall = fighting() ? falls().get(ui.hover) : null;
  const drawn = [];
  if (goal?.p.length > 1) drawn.push(arrow({ k: "move", p: goal.p }, WAYS.move));
  for (const step of fall ?? []) drawn.push(arrow({ k: step.k, p: step.p }, WAYS[step.k] ?? WAYS.retreat));
  if (goal && goal.c !== null) {
    const [, x, y] = spots[ui.hover];
    drawn.push(words_(x, y - 34, w("table.price", { cost: number(goal.c), left: number(goal.l) }), 24));
  }
  $("hover").replaceChildren(...drawn);
}

/** What a click, a tap or Enter on a hex means. */
function select(spot, further = false) {
  at.spot = spot;
  ui.problem = "";
  if (spot >= 0) tellHex(spot);
  if (spot < 0) { forget(); drawAll(); return; }
  if (fighting()) { fallTo(spot); return; }
  if (ui.units.length && ui.goals.has(spot)) {
    if (further && !ui.rail) { pickUnits(ui.units, { via: [...ui.via, spot] }); return; }
    const unset = ui.units.some((id) => now.unset.includes(id));
    act({ do: unset ? "place" : "move", units: ui.units, via: ui.via, rail: ui.rail, hex: spot });
    return;
  }
  if (ui.plan) { joinPlan(spot, further); return; }
  if (ui.kind && ui.fire.includes(spot)) { planOn(spot, ui.kind); return; }
  if (now.targets.some((one) => one.h === spot)) { planOn(spot, now.overrun ? "overrun" : "combat"); return; }
  const movable = unitsOn(spot).filter((id) => now.movers.includes(id));
  const own = unitsOn(spot).filter((id) => pieces[pieceAt(id)].s === now.side);
  if (movable.length || own.length) pickUnits(movable.length ? movable : own, { via: [], rail: false });
  else { forget(); at.spot = spot; drawAll(); }
}

/** On the board units join the attack that is planned and leave it, and hexes are added to it. */
function joinPlan(spot, further) {
  const target = now.targets.find((one) => one.h === spot);
  const { plan } = ui;
  if (target && plan.kind === "combat" && further) {
    const targets = plan.targets.includes(spot) ? plan.targets.filter((one) => one !== spot) : [...plan.targets, spot];
    if (targets.length) replan({ targets });
    return;
  }
  if (target) { planOn(spot, plan.kind); return; }
  const here = unitsOn(spot);
  for (const list of ["attackers", "supports", "guards"]) {
    const known = here.filter((id) => plan[list].includes(id) || (list === "attackers" ? able().includes(id) : ui.preview?.aid[list]?.includes(id)));
    if (!known.length) continue;
    const all = known.every((id) => plan[list].includes(id));
    replan({ [list]: all ? plan[list].filter((id) => !known.includes(id)) : [...new Set([...plan[list], ...known])] });
    return;
  }
  forget();
  drawAll();
}

const able = () => [...new Set(now.targets.filter((one) => ui.plan.targets.includes(one.h)).flatMap((one) => one.u))];

/** After the dice: a lit hex takes those who are picked, another picks those who stand there. */
function fallTo(spot) {
  const steps = falls().get(spot);
  if (steps) { act({ do: "after", steps: steps.map((step) => step.n) }); return; }
  const going = new Set(now.fight.steps.filter((step) => step.p.length).flatMap((step) => step.u));
  ui.fall = unitsOn(spot).filter((id) => going.has(id));
  while (ui.fall.length > 1 && !falls().size) ui.fall = ui.fall.slice(0, -1);
  drawAll();
}

function tellHex(spot) {
  const here = unitsOn(spot);
  const goal = ui.goals.get(spot);
  const told = here.length ? `${t("units-at", { hex: hexName(spot), count: here.length })}: ${here.join(", ")}` : t("nobody-at", { hex: hexName(spot) });
  $("said").textContent = goal && goal.c !== null ? `${told}. ${w("table.price", { cost: number(goal.c), left: number(goal.l) })}` : told;
}

function followPointer() {
  pad.addEventListener("pointermove", (event) => {
    const spot = spotAt(event.clientX, event.clientY);
    if (spot === ui.hover) return;
    ui.hover = spot;
    drawHover();
  });
}

/** The hex that lies next in a direction. */
function towards(dx, dy) {
  if (ui.cursor < 0) return at.spot >= 0 ? at.spot : spots.findIndex((_, spot) => (stacks.get(spot) ?? []).length && onBoard(spot));
  const [, x, y] = spots[ui.cursor];
  let [best, least] = [ui.cursor, Infinity];
  spots.forEach((spot, n) => {
    if (n === ui.cursor || !onBoard(n)) return;
    const [ax, ay] = [spot[1] - x, spot[2] - y];
    const [along, across] = [ax * dx + ay * dy, Math.abs(ax * dy) + Math.abs(ay * dx)];
    if (along <= 20 || along > 190) return;
    const weight = along + across * 1.6;
    if (weight < least) [best, least] = [n, weight];
  });
  return best;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ORDERS = { u: "undo", r: "redo", e: "end", d: "declare", t: "throw", Escape: "drop", "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", 0: "fit", "?": "help", z: "zones" };

function onTableKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea, dialog")) return;
  const arrowKey = ARROWS[event.key];
  if (arrowKey && !event.target.closest("[role=tab]")) {
    event.preventDefault();
    ui.cursor = ui.hover = towards(...arrowKey);
    lookAt([ui.cursor]);
    tellHex(ui.cursor);
    drawTable();
  } else if (event.key === "Enter" && event.target === pad && ui.cursor >= 0) {
    event.preventDefault();
    select(ui.cursor, event.shiftKey);
  } else if (ORDERS[event.key]) {
    event.preventDefault();
    deeds[ORDERS[event.key]]();
  }
}
