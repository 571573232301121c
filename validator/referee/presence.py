"""Whether the units and hexes a statement names exist, and may act in the phase it stands in (section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, Literal

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.words import Term
from hexforge.validator.readers.notation.statements import OPEN, Enter, Exit, Statement
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.limits import played, spec
from hexforge.validator.referee.state import Position

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
