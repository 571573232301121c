"""Where units may fall back to, and when they are encircled (5.1.3, 5.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....scenarios.schema.rules_combat import Distance
from ....scenarios.text.hexgrid import Hex
from ....scenarios.text.hexgrid import side as side_of
from ..board import bonds
from ..context import Context
from ..ground import HexStep, with_
from ..position import Position
from ..stacking import room

BARRED = "prohibited-terrain"
OPEN_IN_RETREAT = frozenset({"barred-hex"})
_WET = frozenset({"barred-water", "bridge-closed"})


def ground_step(ctx: Context, position: Position, unit: str, a: Hex, b: Hex) -> HexStep:
    """The step from hex to hex as the rules of movement see it."""
    return ctx.ground.step(ctx.mover(position, ctx.units[unit]), a, b)


def barred_in_retreat(ctx: Context, position: Position, unit: str, a: Hex, b: Hex) -> HexStep | None:
    """The step, if the ground bars the unit from it even in retreat. Frontiers never do.

    Water does in retreats by distance, unless the game says what else it does to such a unit.
    """
    step, rule, who = ground_step(ctx, position, unit, a, b), ctx.rules.combat.retreat, ctx.units[unit]
    if barred_by_bond(ctx, position, unit, a, b):
        return with_(step, key="zone-bond")
    if step.code == BARRED and step.key not in OPEN_IN_RETREAT:
        return step
    if step.key not in _WET or not isinstance(rule.way, Distance) or rule.loss_all_others:
        return None
    spared = who.is_any(rule.destroyed) or who.is_any(rule.loss) or step.what in rule.ignored_by
    return None if spared else step


def barred_by_bond(ctx: Context, position: Position, unit: str, a: Hex, b: Hex) -> bool:
    """Whether two enemies bar a step of a retreat or an advance, in games where they always do.

    Bonds are made of zones, so that whoever ignores these is barred by none.
    """
    rule, who = ctx.movement.zones, ctx.units[unit]
    if rule.bonds != "always" or who.is_any(rule.ignored_by):
        return False
    shut = bonds(position, who.side)
    return b in shut or side_of(a, b) in shut


def encircled(ctx: Context, position: Position, hex_: Hex, side: str, units: Iterable[str] | None = None) -> bool:
    """Whether none of the units in a hex (or of those named) has a free hex next to it; off the map is none.

    A hex full of friends is free: they make room.
    """
    return next(ways_out(ctx, position, hex_, side, units), None) is None


def ways_out(
    ctx: Context, position: Position, hex_: Hex, side: str, units: Iterable[str] | None = None
) -> Iterator[Hex]:
    """The free hexes next to a hex, for any of the units in it, or of those named."""
    who = tuple(units) if units is not None else position.at(hex_, side)
    for n in position.grid.neighbours[hex_]:
        if position.safe(n, side) and (
            not who or any(barred_in_retreat(ctx, position, u, hex_, n) is None for u in who)
        ):
            yield n


def can_displace(ctx: Context, position: Position, hex_: Hex, side: str) -> bool:
    """Whether some unit of a full hex can make room: next to it is a free hex, not full and not barred to it."""
    return any(
        room(ctx, position, n, side, unit) and barred_in_retreat(ctx, position, unit, hex_, n) is None
        for n in position.grid.neighbours[hex_]
        if position.safe(n, side)
        for unit in position.at(hex_, side)
    )


def may_end_in(ctx: Context, position: Position, unit: str, a: Hex, b: Hex) -> bool:
    """Whether a retreat may end with the step from `a` to `b`: free, not barred, with room or made room."""
    side = ctx.units[unit].side
    return (
        position.safe(b, side)
        and barred_in_retreat(ctx, position, unit, a, b) is None
        and (room(ctx, position, b, side, unit) or can_displace(ctx, position, b, side))
    )


def free_hexes(ctx: Context, position: Position, unit: str) -> tuple[Hex, ...]:
    """Where a unit may end a retreat of one hex on the map."""
    hex_ = position.hex_of(unit)
    if hex_ is None:
        return ()
    return tuple(n for n in position.grid.neighbours[hex_] if may_end_in(ctx, position, unit, hex_, n))


def passable_hexes(ctx: Context, position: Position, unit: str) -> tuple[Hex, ...]:
    """Hexes through which a unit may begin a retreat of two: no enemy in them, and not barred."""
    hex_ = position.hex_of(unit)
    if hex_ is None:
        return ()
    enemy = position.boards[position.enemy(ctx.units[unit].side)].at
    return tuple(
        n
        for n in position.grid.neighbours[hex_]
        if n not in enemy and barred_in_retreat(ctx, position, unit, hex_, n) is None
    )
