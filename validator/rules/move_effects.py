"""What follows from a unit's way through hexes: who holds them, bridges that fall, places that count as passed.

Advances and retreats leave the same traces as moves, so whatever puts a unit anywhere goes through here.

Whether the units and hexes a statement names exist, and may act in the phase it stands in (section 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, Literal

from ...scenarios.text.hexgrid import Hex, Side
from ...scenarios.text.words import Term
from ..notation.base import Statement
from ..notation.kinds import OPEN
from ..notation.statements import Enter, Exit
from .context import Context
from .findings import Finding
from .phase_limits import played, spec
from .position import GARRISON, Position
from .roster import fits


def marks_of(ctx: Context, place: str) -> frozenset[str]:
    """The marks by which one sees that a unit has passed a place."""
    found = {rule.mark for rule in ctx.movement.passages if rule.place == place}
    transit = ctx.movement.transit
    return frozenset(found | ({transit.passed} if transit is not None and transit.place == place else set()))


def holder(ctx: Context, position: Position, hex_: Hex) -> str | None:
    """Who controls a hex: who stands there, else who was there last, else who holds it at the start (10.2).

    At the start a place belongs to the side that victory.yaml names; an empty map of a turn sheet has no start.
    """
    for side, board in position.boards.items():
        if hex_ in board.at:
            return side
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
