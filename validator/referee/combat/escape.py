"""What a retreat does to a unit, and whether any retreat saves it (5.3.1 to 5.3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hexforge.scenarios.hexgrid import Hex, side
from hexforge.validator.referee.combat.aftermath import Books, Price, step_of
from hexforge.validator.referee.combat.desk import Desk
from hexforge.validator.referee.combat.encirclement import (
    barred_in_retreat,
    can_displace,
    free_hexes,
    passable_hexes,
    room,
    safe,
)


def unbridged_water(desk: Desk, unit: str, a: Hex, b: Hex) -> bool:
    """Whether a retreating unit goes through water: no bridge for it, and nothing else that carries it across."""
    s, ground = side(a, b), desk.ctx.ground
    if not ground.water(s) or not set(desk.rules.retreat.ignored_by).isdisjoint(ground.hexsides.get(s, ())):
        return False
    mover = desk.ctx.mover(desk.position, desk.unit(unit))
    shut = a in mover.closed or b in mover.closed
    return shut or not ground.bridged(s, desk.turn, desk.position.bridges)


def water_price(desk: Desk, unit: str, a: Hex, b: Hex, line: int, *, hit: bool) -> Price | None:
    """What the water between two hexes costs a retreating unit: its life, a step, or nothing."""
    if not unbridged_water(desk, unit, a, b):
        return None
    rule, who, section = desk.rules.retreat, desk.unit(unit), desk.rules.sections.river
    if who.is_any(rule.destroyed):
        return Price(line, section, death=True)
    if rule.loss_all_others or who.is_any(rule.loss):
        return Price(line, section, death=hit)
    return None


def friends_in(desk: Desk, books: Books, unit: str, hex_: Hex) -> bool:
    """Whether friends hold a hex: units of the side that are not fleeing from the same combat."""
    return any(u not in books.home for u in desk.position.at(hex_, desk.unit(unit).side))


def prices(desk: Desk, books: Books, unit: str, path: Sequence[Hex], line: int, *, hit: bool) -> list[Price]:
    """What a retreat along a path (the hex left first) costs; a second hex is that of an encircled unit."""
    found = [
        price
        for a, b in pairwise(path)
        if desk.position.grid.adjacent(a, b) and (price := water_price(desk, unit, a, b, line, hit=hit)) is not None
    ]
    section = desk.rules.sections.encircled
    if len(path) > 2:
        second = path[2]
        if second in desk.position.grid and not safe(desk, second, desk.unit(unit).side):
            found.append(Price(line, section, death=True))
        elif not friends_in(desk, books, unit, path[1]):
            found.append(Price(line, section, death=hit))
    return found


def deadly(desk: Desk, unit: str, found: Sequence[Price]) -> bool:
    """Whether prices kill a unit at the step it is at."""
    steps = 2 if step_of(desk, unit) == "full" else 1
    return any(price.death for price in found) or len(found) >= steps


def doomed(desk: Desk, books: Books, unit: str, *, as_if_hit: bool = False) -> bool:
    """Whether no retreat on the map saves a unit; with `as_if_hit`, whether none would if it took the loss too."""
    hex_ = desk.position.hex_of(unit)
    if hex_ is None:
        return False
    hit = as_if_hit or unit in books.hit
    if as_if_hit and step_of(desk, unit) == "reduced":
        return True

    def survives(path: Sequence[Hex]) -> bool:
        found = prices(desk, books, unit, path, 0, hit=hit)
        steps = 2 if step_of(desk, unit) == "full" and not as_if_hit else 1
        return not any(price.death for price in found) and len(found) < steps

    free, side_id = free_hexes(desk, unit), desk.unit(unit).side
    if free:
        return not any(survives((hex_, n)) for n in free)
    for first in passable_hexes(desk, unit):
        for second in desk.position.grid.neighbours[first]:
            if second == hex_ or not safe(desk, second, side_id):
                continue
            if not room(desk, second, side_id) and not can_displace(desk, second, side_id):
                continue
            if barred_in_retreat(desk, unit, first, second) is None and survives((hex_, first, second)):
                return False
    return True
