"""What a retreat does to a unit, and whether any retreat saves it (5.3.1 to 5.3.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from hexforge.scenarios.hexgrid import Hex, side
from hexforge.scenarios.schema.rules_combat import Distance
from hexforge.scenarios.words import message
from hexforge.validator.referee.combat import distance
from hexforge.validator.referee.combat.aftermath import Aftermath, RetreatPrice
from hexforge.validator.referee.combat.encirclement import (
    barred_in_retreat,
    free_hexes,
    may_end_in,
    passable_hexes,
)
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.stacking import room
from hexforge.validator.referee.state import Position


def unbridged_water(ctx: Context, position: Position, unit: str, a: Hex, b: Hex) -> bool:
    """Whether a retreating unit goes through water: no bridge for it, and nothing else that carries it across."""
    s, ground = side(a, b), ctx.ground
    if not ground.water(s) or not set(ctx.rules.combat.retreat.ignored_by).isdisjoint(ground.hexsides.get(s, ())):
        return False
    mover = ctx.mover(position, ctx.units[unit])
    shut = a in mover.closed or b in mover.closed
    return shut or not ground.bridged(s, position.turn, position.bridges)


def water_price(after: Aftermath, unit: str, a: Hex, b: Hex, line: int, *, hit: bool) -> RetreatPrice | None:
    """What the water between two hexes costs a retreating unit: its life, a step, or nothing."""
    if not unbridged_water(after.ctx, after.position, unit, a, b):
        return None
    rules, who = after.battle.rules, after.ctx.units[unit]
    told = {"what": after.ctx.term(", ".join(after.ctx.ground.water(side(a, b)))), "a": a, "b": b}
    if who.is_any(rules.retreat.destroyed):
        return RetreatPrice(line, rules.sections.river, death=True, why=message("findings.price.water", **told))
    if rules.retreat.loss_all_others or who.is_any(rules.retreat.loss):
        kind = message("findings.price.water-hit" if hit else "findings.price.water", **told)
        return RetreatPrice(line, rules.sections.river, death=hit, why=kind)
    return None


def friends_in(after: Aftermath, unit: str, hex_: Hex) -> bool:
    """Whether friends hold a hex: units of the side that are not fleeing from the same combat."""
    return any(u not in after.home for u in after.position.at(hex_, after.ctx.units[unit].side))


def prices(after: Aftermath, unit: str, path: Sequence[Hex], line: int, *, hit: bool) -> list[RetreatPrice]:
    """What a retreat along a path (the hex left first) costs; a second hex is that of an encircled unit."""
    grid = after.position.grid
    found = [
        price
        for a, b in pairwise(path)
        if grid.adjacent(a, b) and (price := water_price(after, unit, a, b, line, hit=hit)) is not None
    ]
    rule = after.battle.rules.retreat.way
    if isinstance(rule, Distance):
        found += distance.zone_prices(after, unit, path, line) if rule.zones == "loss" else []
        return found + distance.short_prices(after, unit, path, line, rule)
    if len(path) > 2:
        second = path[2]
        if second in grid and not after.position.safe(second, after.ctx.units[unit].side):
            why = message("findings.price.second-zone", hex=second)
            found.append(RetreatPrice(line, after.battle.rules.sections.encircled, death=True, why=why))
        else:
            found += second_movement(after, unit, path[1], line, hit=hit)
    return found


def second_movement(after: Aftermath, unit: str, first: Hex, line: int, *, hit: bool) -> list[RetreatPrice]:
    """What it costs an encircled unit to go on from the first hex of its retreat, over the edge as well (5.3.3)."""
    if friends_in(after, unit, first):
        return []
    why = message("findings.price.second-hit" if hit else "findings.price.second", hex=first)
    return [RetreatPrice(line, after.battle.rules.sections.encircled, death=hit, why=why)]


def deadly(after: Aftermath, unit: str, found: Sequence[RetreatPrice], *, spent: int = 0) -> bool:
    """Whether prices kill a unit at the step it is at, less the steps `spent` before."""
    steps = after.steps(unit) - spent
    return any(price.death for price in found) or len(found) >= steps


def makes_room(after: Aftermath) -> bool:
    """Whether units make room for one that retreats into a full hex."""
    return getattr(after.battle.rules.retreat.way, "friends", "make_room") == "make_room"


def dies_making_room(after: Aftermath, unit: str) -> bool:
    """Whether a unit of a hex that a retreat overfilled may make room by a step that is its end (5.3.1, 5.3.2)."""
    hex_, ctx, position = after.position.hex_of(unit), after.ctx, after.position
    side_id = ctx.units[unit].side
    if (
        hex_ is None
        or not makes_room(after)
        or not any(o.hex == hex_ and o.side == side_id for o in after.overfull)
    ):
        return False
    hit = unit in after.hit
    return any(
        deadly(after, unit, prices(after, unit, (hex_, n), 0, hit=hit))
        for n in position.grid.neighbours[hex_]
        if position.safe(n, side_id)
        and room(ctx, position, n, side_id, unit)
        and barred_in_retreat(ctx, position, unit, hex_, n) is None
    )


def cornered(after: Aftermath, unit: str, line: int) -> Aftermath:
    """The same with what a unit owes that must retreat and has no way, where the game lets it pay in steps."""
    rule, hex_, part = after.battle.rules.retreat.way, after.position.hex_of(unit), after.part_of(unit)
    back = after.retreat_of(unit)
    if not isinstance(rule, Distance) or rule.short == "lost" or hex_ is None or part is None or back is None:
        return after
    if unit in after.retreated or after.budget[part] or after.bought(unit) < back.instead:
        return after
    if distance.longest(after, unit, rule, hex_):
        return after
    due = distance.short_prices(after, unit, (hex_,), line, rule)
    return after.noted(retreated=after.retreated | {unit}).priced(unit, due)


def doomed(after: Aftermath, unit: str, *, as_if_hit: bool = False) -> bool:
    """Whether no retreat on the map saves a unit; with `as_if_hit`, whether none would if it took the loss too."""
    hex_ = after.position.hex_of(unit)
    if hex_ is None:
        return False
    if as_if_hit and after.steps(unit) == 1:
        return True
    hit = as_if_hit or unit in after.hit
    rule = after.battle.rules.retreat.way
    if isinstance(rule, Distance):
        ways_back = distance.ways(after, unit, rule)
        return all(deadly(after, unit, prices(after, unit, way, 0, hit=hit), spent=as_if_hit) for way in ways_back)
    ctx, position = after.ctx, after.position
    ways: Iterable[tuple[Hex, ...]] = [(hex_, n) for n in free_hexes(ctx, position, unit)] or (
        (hex_, first, second)
        for first in passable_hexes(ctx, position, unit)
        for second in position.grid.neighbours[first]
        if second != hex_ and may_end_in(ctx, position, unit, first, second)
    )
    return all(deadly(after, unit, prices(after, unit, way, 0, hit=hit), spent=as_if_hit) for way in ways)
