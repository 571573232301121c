// Going to a step, and what is said of it below the board.

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

/** A phase, with its number where the side has several of its kind in the turn. */
const phaseName = (step) => step.p ? [said(game.phases[step.p]), step.pn].filter(Boolean).join(" ") : "";

function phaseTitle(step) {
  const turn = said(game.turns[step.t]);
  if (!game.judged) return [turn];
  const phase = [sideName(step.s), phaseName(step)].filter(Boolean).join(": ");
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
