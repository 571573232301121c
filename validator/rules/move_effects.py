"""What a way through hexes changes, whether units exist and may act, and who moves how far in a phase.

Advances and retreats leave the same traces as moves, so whatever puts a unit anywhere goes through here.

Whether the units and hexes a statement names exist, and may act in the phase it stands in (section 3).

Who moves in a phase, and how far: what the sequence of play says besides whose phase it is.

Units that pass under the other side's command as a turn begins (`rules.allegiance`).

What ground is worth to a defender, and who stands in dominant terrain (4.1.2, 5.1.2).

What keeps a unit in its hex: turns in which it may not move, the garrisons of fixed hexes (4.0, 4.1.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from ...scenarios.schema.game import Hexes, PhaseSpec, Points, Share, Times
from ...scenarios.schema.modifiers import Modifier
from ...scenarios.text.hexgrid import Hex, Side, side
from ...scenarios.text.words import Message, Term
from ..notation.base import Statement
from ..notation.kinds import OPEN
from ..notation.statements import Enter, Exit
from .combat.conditions import Asked, Battle, Forces
from .combat.modifiers import bars, ground_of, lines_of
from .context import Context
from .findings import Finding, doubt
from .position import GARRISON, Phase, Position, Unit, UnitState
from .roster import fits, formation_key

POINT: Final = 2
"""Half points."""


def spec(ctx: Context, phase: Phase | None) -> PhaseSpec | None:
    """The phase of the sequence of play that is being played; the first of those that it may be."""
    return ctx.scenario.game.sequence[phase.places[0]] if phase is not None and phase.places else None


def differ(ctx: Context, phase: Phase) -> bool:
    """Whether a phase may be one of several that let their units do different things."""
    sequence = ctx.scenario.game.sequence
    return any(sequence[place] != sequence[phase.places[0]] for place in phase.places)


def played(ctx: Context, position: Position) -> bool:
    """Whether the phase at hand is one that this turn has, in its weather; if not, nothing is done in it."""
    limits = spec(ctx, position.phase)
    return limits is None or limits.played(position.turn, ctx.weather(position))


def fights(ctx: Context, position: Position, unit: str) -> bool:
    """Whether a unit is one of those that attack in the phase being played, if it is one of combat, or of guns."""
    limits = spec(ctx, position.phase)
    if limits is None or not limits.attacks:
        return True
    return _takes_part(limits, ctx.units[unit], position.units[unit])


def _takes_part(limits: PhaseSpec, unit: Unit, state: UnitState) -> bool:
    """Whether a unit is of those who act in a phase, by what it is and what it bears."""
    marked = bool(_lacking(limits, state)) or not state.marks.isdisjoint(limits.barred_marks)
    return _may_act(limits, unit) and not marked


def _may_act(limits: PhaseSpec, unit: Unit) -> bool:
    """Whether a unit is of those who act in a phase, by what it is."""
    named = not limits.divisions or (
        bool(unit.named_division) and formation_key(unit.named_division) in limits.divisions
    )
    return named and (not limits.who or unit.is_any(limits.who))


def _lacking(limits: PhaseSpec, state: UnitState) -> tuple[str, ...]:
    """The marks of which those who act in a phase bear one, if a unit bears none of them."""
    return limits.marks if state.marks.isdisjoint(limits.marks) else ()


def idle(ctx: Context, position: Position, unit: str) -> str:
    """Why a unit is left out of a phase: `mark` for one that it bears, `unmarked` for want of one, else `who`."""
    limits, state = spec(ctx, position.phase), position.units[unit]
    if limits is None or not _may_act(limits, ctx.units[unit]):
        return "who"
    return "unmarked" if state.marks.isdisjoint(limits.barred_marks) and _lacking(limits, state) else "mark"


def excluded(ctx: Context, position: Position, unit: Unit) -> str:
    """The kind of finding on a unit that does not move in the phase being played; "" for one that does."""
    limits = spec(ctx, position.phase)
    if limits is None or limits.phase != "movement":
        return ""
    state = position.units[unit.id]
    if not _takes_part(limits, unit, state):
        return f"phase-{idle(ctx, position, unit.id)}"
    if limits.before != "any" and (unit.id in position.ledger.went) != (limits.before == "moved"):
        return f"phase-{limits.before}"
    if limits.contact == "any" or state.hex is None:
        return ""
    touches = bool(position.adjacent_enemies(state.start or state.hex, unit.side))
    met = touches if limits.contact in ("apart", "beside") else state.began_engaged
    return "" if met == (limits.contact in ("within", "beside")) else f"phase-{limits.contact}"


def barring_mark(ctx: Context, position: Position, unit: str) -> Term:
    """The mark for which, or for want of which, a unit is left out of the phase being played; else an empty one."""
    limits, state = spec(ctx, position.phase), position.units[unit]
    barred = limits.barred_marks if limits is not None else ()
    mark = min(state.marks.intersection(barred), default="") or next(
        iter(_lacking(limits, state) if limits else ()), ""
    )
    return Term("marks", mark, mark.replace("_", " "))


def section_of_phase(ctx: Context, position: Position, usual: str, unit: str = "") -> str:
    """Where the rulebook leaves a unit out of the phase: with its mark, with the phase, or as is `usual`."""
    limits, mark = spec(ctx, position.phase), barring_mark(ctx, position, unit).id if unit else ""
    own, printed = limits.section if limits is not None else "", section_of_mark(ctx, mark)
    if mark and idle(ctx, position, unit) == "unmarked":
        return own or usual
    return printed or own or usual


def section_of_mark(ctx: Context, mark: str) -> str:
    """Where the rulebook prints what a mark does; "" for one of which the game says nothing."""
    return next((rule.section for rule in ctx.rules.marks if rule.mark == mark), "")


def same_for_all(limits: PhaseSpec | None) -> bool:
    """Whether a phase itself says how far everybody goes, so that nothing adds to it."""
    return limits is not None and isinstance(limits.allowance, Points | Hexes)


def allowance(limits: PhaseSpec | None, halves: int) -> int:
    """How far a unit with an allowance of its own goes in a phase; both in half points."""
    match limits.allowance if limits is not None else None:
        case Share() as share:
            return share.of(halves)
        case Times(times=times):
            return halves * times
        case Points(points=same):
            return POINT * same
        case Hexes(hexes=hexes):
            return POINT * hexes
    return halves


def sworn(ctx: Context, position: Position, line: int) -> tuple[Position, list[Finding]]:
    """The position with whom the turn puts under the other side's command where they stand, and who they are."""
    passing = {u: unit for u, unit in ctx.units.items() if position.roster[u].side != unit.side}
    boards, found = dict(position.boards), []
    for u, unit in passing.items():
        old, state = position.roster[u].side, position.units[u]
        boards[old] = boards[old].moved(u, state.hex, None)
        boards[unit.side] = boards[unit.side].moved(u, None, state.hex).changed(u, state)
    there = [u for u in passing if position.hex_of(u)]
    for one_side in ctx.sides:
        if who := [u for u in there if passing[u].side == one_side]:
            term = Term("sides", one_side)
            found.append(ctx.found(line, "changes-side", severity="info", units=who, names=tuple(who), side=term))
    sides = {u: replace(position.roster[u], side=unit.side) for u, unit in passing.items()}
    return replace(position, roster={**position.roster, **sides}, boards=boards) if passing else position, found


def _worth(ctx: Context, position: Position, hex_: Hex, attacked_from: Hex, defender: str) -> int:
    """Columns (0 or more) that help `defender`, a side, in `hex_` against an attack from one neighbour."""
    battle, rules = Battle(ctx, position, ctx.enemy(defender)), ctx.scenario.modifiers.columns
    if not ctx.on("dominance_counts_river"):
        wet = {kind for kind, effect in ctx.scenario.tables.hexsides.items() if effect.water}
        rules = tuple(rule for rule in rules if wet.isdisjoint(lines_of(rule)))
    return -ground_of(battle, Forces((hex_,), (), (), fronts=(attacked_from,)), rules).total


def _fortress(ctx: Context, hex_: Hex, other: Hex, side_id: str) -> bool:
    """Whether a side in `hex_` always dominates an enemy in `other`, for its works lie between them."""
    rule = ctx.movement.dominant_side
    if hex_ in ctx.map.fortified and rule.get("fortified") == side_id:
        return True
    return any(rule.get(kind) == side_id for kind in ctx.ground.hexsides.get(side(hex_, other), ()))


def dominates(ctx: Context, position: Position, mine: Hex, side_id: str, theirs: Hex) -> bool:
    """Whether a side in one hex stands in dominant terrain towards the enemy in a neighbouring one."""
    enemy = ctx.enemy(side_id)
    if _fortress(ctx, mine, theirs, side_id):
        return True
    if _fortress(ctx, theirs, mine, enemy):
        return False
    return _worth(ctx, position, mine, theirs, side_id) > _worth(ctx, position, theirs, mine, enemy)


def course(ctx: Context, line: str) -> Message | None:
    """Where a way or a line of the printed map runs, which no rulebook's text says."""
    return doubt("course", line=ctx.term(line)) if ctx.map.printed else None


def engaging(ctx: Context, position: Position, unit: Unit, hex_: Hex) -> tuple[Hex, ...]:
    """Hexes of the enemies that a unit in `hex_` is engaged with and could attack.

    Those whom a modifier bars it from attacking, or between whom and itself no zone reaches, oblige it to nothing.
    """
    found, rule = position.adjacent_enemies(hex_, unit.side), ctx.movement.zones
    reach = position.boards[unit.side].reach.hexes
    if rule.grounded:
        found = tuple(h for h in found if h in reach[hex_] or hex_ in reach[h])
    if not ctx.scenario.modifiers.barring:
        return found
    return tuple(h for h in found if not any(barring(ctx, position, unit, hex_, h)))


def barring(ctx: Context, position: Position, unit: Unit, hex_: Hex, target: Hex) -> Iterator[Modifier]:
    """The modifiers that forbid a unit in one hex to attack the enemy in a neighbouring one."""
    alone = Forces((target,), (unit.id,), (unit.id,), fronts=(hex_,))
    battle = Battle(ctx, position, unit.side)
    yield from (rule for rule, _ in bars(battle, Asked(alone, alone, battle), unit.id))


@dataclass(frozen=True, slots=True)
class Bond:
    """Why a unit may not leave its hex: text key and section."""

    key: str
    section: str


def bound(ctx: Context, position: Position, unit: Unit) -> list[Bond]:
    """All that binds a unit on the map to its hex in the turn being played."""
    state = position.units[unit.id]
    found = [
        Bond("immobile", rule.section)
        for rule in ctx.movement.immobile
        if fits(rule, unit, state) and ctx.holds(rule, position.turn, position, state.hex)
    ]
    if excluded_by := excluded(ctx, position, unit):
        found.append(Bond(excluded_by, section_of_phase(ctx, position, ctx.sections.phase, unit.id)))
    if GARRISON in state.marks and state.hex is not None:
        threats = position.adjacent_enemies(state.hex, unit.side)
        enemy = ctx.enemy(unit.side)
        if not any(dominates(ctx, position, h, enemy, state.hex) for h in threats):
            section = next((r.section for r in ctx.movement.garrisons if fits(r, unit, state)), "")
            found.append(Bond("garrison", section or ctx.sections.allowance))
    return found


def marks_of(ctx: Context, place: str) -> frozenset[str]:
    """The marks by which one sees that a unit has passed a place."""
    found = {rule.mark for rule in ctx.movement.passages if rule.place == place}
    transit = ctx.movement.transit
    return frozenset(found | ({transit.passed} if transit is not None and transit.place == place else set()))


def holder(ctx: Context, position: Position, hex_: Hex) -> str | None:
    """Who controls a hex: who stands there, else who was there last, else who holds it at the start (10.2).

    At the start a place belongs to the one_side that victory.yaml names; an empty map of a turn sheet has no start.
    """
    for one_side, board in position.boards.items():
        if hex_ in board.at:
            return one_side
    if hex_ in position.control:
        return position.control[hex_]
    if not ctx.map.printed:
        return None
    initial = ctx.scenario.victory.control
    return next((initial[p.id] for p in ctx.map.places if hex_ in p.hexes and p.id in initial), None)


def idle_in_transit(ctx: Context, position: Position, unit: str) -> bool:
    """Whether a reinforcement may not be employed yet, for it has still to pass a place (4.2.1)."""
    transit = ctx.movement.transit
    if transit is None or ctx.option("transit_fire") in ("columns", "free"):
        return False
    fitting = fits(transit, ctx.units[unit], position.units[unit])
    return fitting and position.turn <= transit.last_turn and transit.mark in position.units[unit].marks


def spanned(ctx: Context, position: Position, bridges: frozenset[Side]) -> Position:
    """The position with these bridges of play, over which zones may reach."""
    position, reach = replace(position, bridges=bridges), ctx.reach(bridges)
    if all(board.reach is reach for board in position.boards.values()):
        return position
    return replace(position, boards={s: replace(board, reach=reach) for s, board in position.boards.items()})


def passes(ctx: Context, position: Position, unit_id: str, path: Sequence[Hex]) -> Position:
    """The position after a unit has entered the hexes of `path` in turn; where it stands is left to the caller."""
    unit = ctx.units[unit_id]
    position = position.held(unit.side, path)
    bridging = ctx.movement.bridging
    if bridging is not None and bridging.falls_to(unit.side) and position.bridges:
        standing = frozenset(s for s in position.bridges if s[0] not in path and s[1] not in path)
        if standing != position.bridges:
            position = spanned(ctx, position, standing)
    position = been(ctx, position, unit_id, path)
    state = position.units[unit_id]
    marks = set(state.marks)
    if path:
        # Whoever has once left its post is free (4.0).
        marks.discard(GARRISON)
        marks.difference_update(rule.mark for rule in ctx.rules.marks if rule.in_place)
    return position.set(unit_id, marks=frozenset(marks)) if marks != state.marks else position


def trailed(position: Position, unit: str, path: Sequence[Hex]) -> Position:
    """The position with a way noted that a unit moves on; what went before is its too where it leads on from it."""
    before = position.ledger.trails.get(unit, ())
    led = before[:-1] if before[-1:] == tuple(path[:1]) else ()
    return position.noted(trails={**position.ledger.trails, unit: (*led, *path)})


def been(ctx: Context, position: Position, unit_id: str, path: Sequence[Hex]) -> Position:
    """The position with the marks of the places that a unit has passed which has been in the hexes of `path`."""
    unit, state = ctx.units[unit_id], position.units[unit_id]
    marks = set(state.marks)
    for rule in ctx.movement.passages:
        if fits(rule, unit, state) and not ctx.ground.place(rule.place).isdisjoint(path):
            marks.add(rule.mark)
    transit = ctx.movement.transit
    if transit is not None and fits(transit, unit, state) and not ctx.ground.place(transit.place).isdisjoint(path):
        marks.discard(transit.mark)
        marks.add(transit.passed)
    return position.set(unit_id, marks=frozenset(marks)) if marks != state.marks else position


STAYING: Final = frozenset({"enter", "exit"})
"""Statements that stay with movement, whatever other phase lets in as well."""


def known(ctx: Context, line: int, units: Iterable[str]) -> tuple[tuple[str, ...], list[Finding]]:
    """The units that exist, each once, and findings on the others."""
    seen: list[str] = []
    findings = []
    for u in units:
        if u not in ctx.units:
            findings.append(ctx.found(line, "unknown-unit", units=(u,), unit=u))
        elif u in seen:
            findings.append(ctx.found(line, "same-unit", severity="warning", units=(u,), unit=u))
        else:
            seen.append(u)
    return tuple(seen), findings


def phase_fits(ctx: Context, position: Position, statement: Statement, what: str, kind: str) -> list[Finding]:
    """A finding if a statement does not belong to the phase being played."""
    phase = position.phase
    if phase is None:
        return [ctx.found(statement.line, "no-phase", what=Term("statements", what))]
    limits = spec(ctx, phase)
    own = [one.phase for one in ctx.scenario.game.sequence if one.side == phase.side and what in one.does]
    moved = what not in STAYING and bool(own)
    right = (phase.kind == kind and not moved) or (limits is not None and what in limits.does)
    if what == "enter" and phase.kind == kind and limits is not None and not limits.entry:
        return [ctx.found(statement.line, "phase-entry")]
    if right and played(ctx, position):
        return []
    return [
        ctx.found(
            statement.line,
            "phase-idle" if right else "wrong-phase",
            declared=Term("statements", what),
            what=Term("statements", what),
            wanted=Term("phases", own[0] if moved else kind),
            turn=phase.turn,
            side=Term("sides", phase.side),
            kind=Term("phases", phase.kind),
        )
    ]


def actors(
    ctx: Context, position: Position, statement: Statement, what: str, units: Iterable[str]
) -> tuple[tuple[str, ...], list[Finding], bool]:
    """The units that act in a movement phase, findings on phase and side, and whether both are right.

    Where they are not, there is no use in saying what else is wrong.
    """
    ids, findings = known(ctx, statement.line, units)
    wrong = phase_fits(ctx, position, statement, what, "movement")
    phase = position.phase
    strangers = [u for u in ids if phase is not None and ctx.units[u].side != phase.side]
    if strangers and not wrong and phase is not None:
        wrong.append(
            ctx.found(
                statement.line,
                "wrong-side",
                section=ctx.sworn_by(strangers[0]),
                units=strangers,
                declared=Term("sides", ctx.units[strangers[0]].side),
                computed=Term("sides", phase.side),
                side=Term("sides", ctx.units[strangers[0]].side),
                phase_side=Term("sides", phase.side),
                who=" ".join(strangers),
            )
        )
    return ids, [*findings, *wrong], not wrong


def walks(
    ctx: Context, position: Position, line: int, ids: Sequence[str], path: Sequence[Hex]
) -> Iterator[Finding]:
    """A finding on units that come or leave by more than a hex in a phase that is none of movement."""
    phase = position.phase
    if phase is not None and phase.kind != "movement" and len(path) > 1:
        yield ctx.found(line, "phase-walk", hexes=path[:1], units=ids, unit=" ".join(ids), hex=path[0])


def living(position: Position, units: Iterable[str]) -> tuple[str, ...]:
    """The units that can be put anywhere: what is played on after a mistake does not raise the dead."""
    return tuple(u for u in units if position.units[u].alive)


def trimmed(path: Sequence[str]) -> tuple[str, ...]:
    """A path without marks of an open way before its first hex or after its last."""
    words = list(path)
    while words and words[0] == OPEN:
        words.pop(0)
    while words and words[-1] == OPEN:
        words.pop()
    return tuple(words)


def unknown_hexes(ctx: Context, line: int, hexes: Iterable[str]) -> list[Finding]:
    """Findings on hexes that the map has not: a step over its edge is illegal, other names are slips (R131)."""
    named = [h for h in dict.fromkeys(hexes) if h != OPEN]
    before = {after: h for h, after in pairwise(named)}
    grid = ctx.map.grid
    return [
        ctx.found(line, "over-edge" if grid.beyond_rim(h, before.get(h, "")) else "unknown-hex", hexes=(h,), hex=h)
        for h in named
        if h not in grid
    ]


def edge_fits(
    ctx: Context, statement: Enter | Exit, code: Literal["entry", "exit"], hex_: Hex, edge: str
) -> list[Finding]:
    """Findings where a hex does not lie on the edge, or has not the way, by which units come or go (4.2)."""
    found: list[Finding] = []
    line = statement.line
    if not edge:
        found.append(ctx.found(line, f"{code}-no-edge", hexes=(hex_,), hex=hex_))
    elif hex_ not in ctx.ground.edge(edge):
        found.append(ctx.found(line, f"{code}-not-on-edge", hexes=(hex_,), hex=hex_, edge=Term("edges", edge)))
    way = statement.by
    if way is not None and hex_ not in ctx.ground.way_hexes.get(way, ()):
        doubt = ctx.ground.doubt(hex_)
        found.append(
            ctx.found(line, f"{code}-not-on-way", hexes=(hex_,), doubts=(doubt,), hex=hex_, way=ctx.term(way))
        )
    return found


def by_start(ctx: Context, position: Position, units: Sequence[str]) -> list[tuple[str, ...]]:
    """Units by the hexes that they stand in; those that stand nowhere each by itself."""
    found: dict[str, list[str]] = {}
    for u in units:
        found.setdefault((position.hex_of(u) if u in ctx.units else None) or u, []).append(u)
    return [tuple(group) for group in found.values()]


def from_where_they_stand(
    ctx: Context, position: Position, units: Sequence[str], words: tuple[str, ...], *, led: bool = False
) -> tuple[str, ...]:
    """A way of which only its end was written, or that is `led` on, from the one hex in which all who go stand."""
    stand = {position.hex_of(u) for u in units}
    start = stand.pop() if len(stand) == 1 else None
    if not (led or len(words) == 1) or start is None or not words or start == words[0]:
        return words
    return (start, *words) if ctx.map.grid.adjacent(start, words[0]) else (start, OPEN, *words)
