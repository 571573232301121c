// Where the pieces lie after each step, and how a step is called in a link.

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

/** The step that a link names (of a turn that has fewer, its last), or that the finding of a number is about. */
function linked(hash) {
  const name = decodeURIComponent(hash.slice(1));
  if (/^f\d+$/.test(name)) return game.notes[Number(name.slice(1))]?.i;
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
