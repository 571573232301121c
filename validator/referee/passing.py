"""What follows from a unit's way through hexes: who holds them, bridges that fall, places that count as passed.

Advances and retreats leave the same traces as moves, so whatever puts a unit anywhere goes through here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hexforge.scenarios.hexgrid import Hex, Side
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.roster import fits
from hexforge.validator.referee.state import GARRISON, Position


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
