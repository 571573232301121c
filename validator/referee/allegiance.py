"""Units that pass under the other side's command as a turn begins (`rules.allegiance`)."""

from __future__ import annotations

from dataclasses import replace

from hexforge.scenarios.words import Term
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.state import Position


def sworn(ctx: Context, position: Position, line: int) -> tuple[Position, list[Finding]]:
    """The position with whom the turn puts under the other side's command where they stand, and who they are."""
    passing = {u: unit for u, unit in ctx.units.items() if position.roster[u].side != unit.side}
    boards, found = dict(position.boards), []
    for u, unit in passing.items():
        old, state = position.roster[u].side, position.units[u]
        boards[old] = boards[old].moved(u, state.hex, None)
        boards[unit.side] = boards[unit.side].moved(u, None, state.hex).changed(u, state)
    there = [u for u in passing if position.hex_of(u)]
    for side in ctx.sides:
        if who := [u for u in there if passing[u].side == side]:
            term = Term("sides", side)
            found.append(ctx.found(line, "changes-side", severity="info", units=who, names=tuple(who), side=term))
    sides = {u: replace(position.roster[u], side=unit.side) for u, unit in passing.items()}
    return replace(position, roster={**position.roster, **sides}, boards=boards) if passing else position, found
