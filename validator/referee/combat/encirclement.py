"""Where units may fall back to, and when they are encircled (5.1.3, 5.3)."""

from __future__ import annotations

from collections.abc import Iterable

from hexforge.scenarios.hexgrid import Hex
from hexforge.validator.referee.combat.desk import Desk
from hexforge.validator.referee.ground import Step

BARRED = "prohibited-terrain"
OPEN_IN_RETREAT = frozenset({"barred-hex"})


def ground_step(desk: Desk, unit: str, a: Hex, b: Hex) -> Step:
    """The step from hex to hex as the rules of movement see it."""
    who = desk.unit(unit)
    return desk.ctx.ground.step(desk.ctx.mover(desk.position, who), a, b)


def barred_in_retreat(desk: Desk, unit: str, a: Hex, b: Hex) -> Step | None:
    """The step, if terrain bars the unit from it even in retreat; water and frontiers never do."""
    step = ground_step(desk, unit, a, b)
    return step if step.code == BARRED and step.key not in OPEN_IN_RETREAT else None


def safe(desk: Desk, hex_: Hex, side: str) -> bool:
    """Whether a hex is free of enemies and of their zones of engagement, for a side."""
    enemy = desk.position.boards[desk.position.enemy(side)]
    return hex_ not in enemy.at and hex_ not in enemy.zoc


def encircled(desk: Desk, hex_: Hex, side: str, units: Iterable[str] | None = None) -> bool:
    """Whether none of the units in a hex (or of those named) has a free hex next to it; off the map is none.

    A hex full of friends is free: they make room.
    """
    who = tuple(units) if units is not None else desk.position.at(hex_, side)
    for n in desk.position.grid.neighbours[hex_]:
        if safe(desk, n, side) and (not who or any(barred_in_retreat(desk, u, hex_, n) is None for u in who)):
            return False
    return True


def room(desk: Desk, hex_: Hex, side: str, arriving: int = 1) -> bool:
    """Whether units fit into a hex without displacing anybody."""
    return len(desk.position.at(hex_, side)) + arriving <= desk.ctx.rules.stacking.limit


def can_displace(desk: Desk, hex_: Hex, side: str) -> bool:
    """Whether some unit of a full hex can make room: next to it is a free hex, not full and not barred to it."""
    for n in desk.position.grid.neighbours[hex_]:
        if safe(desk, n, side) and room(desk, n, side):
            for unit in desk.position.at(hex_, side):
                if barred_in_retreat(desk, unit, hex_, n) is None:
                    return True
    return False


def free_hexes(desk: Desk, unit: str) -> tuple[Hex, ...]:
    """Where a unit may end a retreat of one hex on the map."""
    hex_, side = desk.position.hex_of(unit), desk.unit(unit).side
    if hex_ is None:
        return ()
    return tuple(
        n
        for n in desk.position.grid.neighbours[hex_]
        if safe(desk, n, side)
        and barred_in_retreat(desk, unit, hex_, n) is None
        and (room(desk, n, side) or can_displace(desk, n, side))
    )


def passable_hexes(desk: Desk, unit: str) -> tuple[Hex, ...]:
    """Hexes through which a unit may begin a retreat of two: no enemy in them, and not barred."""
    hex_, side = desk.position.hex_of(unit), desk.unit(unit).side
    if hex_ is None:
        return ()
    enemy = desk.position.boards[desk.position.enemy(side)].at
    return tuple(
        n
        for n in desk.position.grid.neighbours[hex_]
        if n not in enemy and barred_in_retreat(desk, unit, hex_, n) is None
    )
