// How the game stands, and what is picked, planned and lit on this side of it.

let now = null;
const small = matchMedia("(max-width: 860px)");
const ui = { units: [], via: [], rail: false, goals: new Map(), deeds: [], railed: false, plan: null, preview: null, fall: [], done: false, ending: false, problem: "", hover: -1, cursor: -1, busy: 0, kind: "", fire: [] };
const pieceAt = (id) => pieceOf.get(id);
const spotOf = (id) => lies[pieceAt(id)]?.[0] ?? -1;
const unitsOn = (spot) => (stacks.get(spot) ?? []).map((piece) => pieces[piece].id);

function forget() {
  Object.assign(ui, { units: [], via: [], rail: false, goals: new Map(), deeds: [], railed: false, plan: null, preview: null, fall: [], ending: false, problem: "", kind: "" });
}

/** Take up how the game stands now. */
function take(state) {
  if (state.reload) { location.reload(); return; }
  const other = !now || now.text !== state.text;
  const opened = !now || now.phase !== state.phase;
  now = state;
  spots.splice(0, spots.length, ...state.spots);
  lies.forEach((_, piece) => lay(piece, null));
  state.puts.forEach(([piece, spot, face], order) => lay(piece, [spot, face, order]));
  sides.forEach((_, side) => { zones[side] = new Set(state.zones[side]); });
  if (other) { forget(); ui.done = false; }
  if (state.unsaved) ui.problem = state.unsaved;
  if (now.fight) pickFleeing();
  drawAll();
  if (opened && small.matches) lookAt([...now.targets.filter((one) => one.owed), ...now.targets].map((one) => one.h).concat(now.movers.map(spotOf)).slice(0, 1));
  else if (other && now.fight) lookAt([...now.fight.h, ...falls().keys()].filter((spot) => spot >= 0));
}

/** Do something; what speaks against it is told and changes nothing. */
async function act(body) {
  if (ui.busy) return;
  ui.busy += 1;
  try {
    take(await ask("act", body));
  } catch (error) {
    ui.problem = error.message;
    drawAll();
  } finally {
    ui.busy -= 1;
  }
}

let choice = 0;
/** Pick units: where they may go is lit. */
async function pickUnits(units, more = {}) {
  const mine = ++choice;
  Object.assign(ui, { units, goals: new Map(), deeds: [], railed: false, problem: "", ending: false }, more);
  drawAll();
  if (!units.length) return;
  try {
    const found = await ask("choose", { units, via: ui.via, rail: ui.rail });
    if (mine !== choice) return;
    ui.goals = new Map(found.goals.map((goal) => [goal.h, goal]));
    ui.deeds = found.deeds ?? [];
    ui.railed = Boolean(found.rail);
    if (!ui.goals.size && !ui.deeds.length) ui.problem = w("table.nowhere");
  } catch (error) { ui.problem = error.message; }
  drawAll();
}

/** Work the attack out that is being planned. */
async function replan(change = {}) {
  const mine = ++choice;
  Object.assign(ui.plan, change);
  ui.problem = "";
  drawAll();
  try {
    const found = await ask("plan", ui.plan);
    if (mine !== choice || !ui.plan) return;
    ui.preview = found;
  } catch (error) { ui.problem = error.message; }
  drawAll();
}

/** Light what guns alone, or aircraft alone, may fire at. */
async function aim(kind) {
  forget();
  Object.assign(ui, { kind, fire: [] });
  try { ui.fire = (await ask("fire", { kind })).hexes; } catch (error) { ui.problem = error.message; }
  if (!ui.fire.length) ui.problem ||= w("table.no-fire");
  drawAll();
}

function planOn(spot, kind = "combat") {
  const target = now.targets.find((one) => one.h === spot);
  ui.units = [];
  ui.plan = { kind, targets: [spot], attackers: kind === "combat" || kind === "overrun" ? [...target?.u ?? []] : [], supports: [], guards: [], offboard: 0, air: 0, guard_offboard: 0, guard_air: 0 };
  ui.preview = null;
  replan();
}

/** Steps after the dice that go somewhere, of the units that are picked, by the hex where they end. */
function falls() {
  const found = new Map();
  for (const step of now.fight?.steps ?? []) {
    if (!step.p.length || !step.u.every((id) => ui.fall.includes(id))) continue;
    const end = step.edge ? -1 : step.p.at(-1);
    found.set(end, [...found.get(end) ?? [], step]);
  }
  for (const [end, list] of found) {
    const all = ui.fall.every((id) => list.some((step) => step.u.includes(id)));
    if (!all) found.delete(end);
    else found.set(end, ui.fall.map((id) => list.find((step) => step.u.includes(id))));
  }
  return found;
}

/** Those who have to go are picked by themselves, a stack at a time. */
function pickFleeing() {
  const going = now.fight.steps.filter((step) => step.k === "retreat");
  const first = going[0] ? spotOf(going[0].u[0]) : -1;
  ui.fall = [...new Set(going.flatMap((step) => step.u).filter((id) => spotOf(id) === first))];
  while (ui.fall.length > 1 && !falls().size) ui.fall = ui.fall.slice(0, -1);
}

const fighting = () => now.fight && !(now.fight.stage === "free" && (ui.done || !now.fight.steps.length));
