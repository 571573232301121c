"""Retreats of a number of hexes, past zones that bar them or have a price.

What a retreat does to a unit, and whether any retreat saves it (5.3.1 to 5.3.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from ....scenarios.schema.rules_combat import Distance
from ....scenarios.text.hexgrid import Hex, side
from ....scenarios.text.words import message
from ..context import Context
from ..findings import Finding
from ..position import Position
from .aftermath import Aftermath, RetreatPrice
from .encirclement import barred_in_retreat, free_hexes, may_end_in, passable_hexes, receives, room


def asked(after: Aftermath, unit: str) -> int:
    """How many hexes a unit has to retreat; steps lost in place of single hexes spare it these."""
    back = after.retreat_of(unit)
    if back is None:
        return 0
    return max(0, back.hexes - (after.bought(unit) if back.instead_of == "hexes" else 0))


def in_zone(after: Aftermath, unit: str, hex_: Hex) -> bool:
    """Whether an enemy's zone covers a hex, for a unit that retreats."""
    side = after.ctx.units[unit].side
    held = bool(after.position.at(hex_, after.position.enemy(side)))
    return not held and not after.position.safe(hex_, side)


def zone_prices(after: Aftermath, unit: str, path: Sequence[Hex], line: int) -> list[RetreatPrice]:
    """A step for each hex of a zone on the way, where the game lets one pass at that price."""
    section = after.battle.rules.sections.retreat
    return [
        RetreatPrice(line, section, death=False, why=message("findings.price.zone", hex=hex_))
        for hex_ in path[1:]
        if in_zone(after, unit, hex_)
    ]


def short_prices(after: Aftermath, unit: str, path: Sequence[Hex], line: int, rule: Distance) -> list[RetreatPrice]:
    """A step for each hex that is left to a unit which got as far as it can, where the game lets it pay so."""
    left = asked(after, unit) - (len(path) - 1)
    if rule.short == "lost" or left <= 0 or len(path) - 1 < longest(after, unit, rule, path[0]):
        return []
    why = message("findings.price.short", hex=path[-1])
    return [RetreatPrice(line, after.battle.rules.sections.retreat, death=False, why=why)] * left


def longest(after: Aftermath, unit: str, rule: Distance, start: Hex) -> int:
    """How far a unit can get away from a hex, of the hexes that it is asked for."""
    return next(n for n in range(asked(after, unit), -1, -1) if not n or any(_on(after, unit, rule, (start,), n)))


def check_length(after: Aftermath, unit: str, line: int, path: Sequence[Hex], rule: Distance) -> Iterator[Finding]:
    """A finding on a retreat that is longer than the result asks for, or shorter than it could be."""
    count, most = len(path) - 1, asked(after, unit)
    if count < most and rule.short == "steps":
        most = longest(after, unit, rule, path[0])
    elif rule.extended:
        most = _extended(after, unit, path, most)
    back = after.retreat_of(unit)
    if count != most and back is not None:
        choice = count < most and back.instead_of == "hexes" and back.instead > 0
        key = "retreat-hexes-choice" if choice else "retreat-hexes"
        yield after.battle.found(
            line, key, units=(unit,), hexes=path, unit=unit, declared=count, computed=most, count=most
        )


def _extended(after: Aftermath, unit: str, path: Sequence[Hex], most: int) -> int:
    """How far a retreat along a path leads past hexes that have no room, where it would have ended."""
    side = after.ctx.units[unit].side
    while 0 < most < len(path) - 1 and not room(after.ctx, after.position, path[most], side, unit):
        most += 1
    return most


def check(after: Aftermath, unit: str, line: int, path: Sequence[Hex], rule: Distance) -> Iterator[Finding]:
    """What is wrong with the length of a retreat, its direction, and the zones that it enters."""
    back = after.retreat_of(unit)
    # Steps that later lines lose in place of single hexes spare a unit these: that is looked at in the end.
    if back is not None and back.instead_of != "hexes":
        yield from check_length(after, unit, line, path, rule)
    yield from _check_steps(after, unit, line, path, rule)


def check_leaving(after: Aftermath, unit: str, line: int, path: Sequence[Hex], rule: Distance) -> Iterator[Finding]:
    """What is wrong with a retreat off the map by the last hex of `path`: the step over the edge is one of it."""
    back, count, most = after.retreat_of(unit), len(path), asked(after, unit)
    if back is not None and count > most:
        yield after.battle.found(
            line, "retreat-hexes", units=(unit,), hexes=path, unit=unit, declared=count, computed=most, count=most
        )
    yield from _check_steps(after, unit, line, path, rule)


def _check_steps(after: Aftermath, unit: str, line: int, path: Sequence[Hex], rule: Distance) -> Iterator[Finding]:
    """What is wrong with the hexes that a retreat enters, zones, friends, and the direction."""
    battle = after.battle
    for hex_ in path[1:] if rule.zones == "barred" else ():
        if in_zone(after, unit, hex_):
            section = battle.rules.sections.retreat
            key = "enemy-zone" if hex_ == path[-1] else "enemy-zone-passed"
            yield battle.found(line, key, section=section, units=(unit,), hexes=(hex_,), unit=unit, hex=hex_)
            return
    met = [hex_ for hex_ in path[1:] if rule.friends == "barred" and _friends(after, unit, hex_)]
    if met:
        yield battle.found(line, "retreat-friends", units=(unit,), hexes=tuple(met[:1]), unit=unit, hex=met[0])
    grid = after.position.grid
    if rule.away and any(grid.distance(path[0], b) <= grid.distance(path[0], a) for a, b in pairwise(path)):
        yield battle.found(line, "retreat-back", units=(unit,), hexes=path, unit=unit)
    elif path[0] in path[1:]:
        yield battle.found(line, "retreat-returns", units=(unit,), hexes=(path[0],), unit=unit, hex=path[0])
    astray = [b for a, b in pairwise(path) if _forward(after, unit, rule, a, b)]
    if astray:
        yield battle.found(
            line, "retreat-forward", units=(unit,), hexes=tuple(astray[:1]), unit=unit, hex=astray[0]
        )


def _friends(after: Aftermath, unit: str, hex_: Hex) -> bool:
    """Whether units of its side stand in a hex that do not flee from the same combat."""
    return any(u not in after.home for u in after.position.at(hex_, after.ctx.units[unit].side))


def _forward(after: Aftermath, unit: str, rule: Distance, a: Hex, b: Hex) -> bool:
    """Whether a step leads away from where a side's retreats have to lead, where a game names such hexes."""
    grid, side, ground = after.position.grid, after.ctx.units[unit].side, after.ctx.ground
    rim = [h for edge in rule.towards.get(side, ()) for h in ground.edge(edge)]
    for line in after.ctx.rules.supply if rule.supply else ():
        if line.side in (None, side):
            rim += [h for edge in line.edges for h in ground.edge(edge)]
            rim += [h for place in line.places for h in ground.place(place) if h in grid]
    return bool(rim) and min(grid.distance(b, h) for h in rim) > min(grid.distance(a, h) for h in rim)


def safe_ways(after: Aftermath, unit: str, rule: Distance) -> Iterator[tuple[Hex, ...]]:
    """Every way of the length asked that a unit may retreat, one by one, or of the length that there is."""
    hex_ = after.position.hex_of(unit)
    if hex_ is None:
        return
    count = asked(after, unit) if rule.short == "lost" else longest(after, unit, rule, hex_)
    yield from _on(after, unit, rule, (hex_,), count) if count or rule.short == "lost" else ((hex_,),)


def _on(after: Aftermath, unit: str, rule: Distance, path: tuple[Hex, ...], left: int) -> Iterator[tuple[Hex, ...]]:
    side, here, grid = after.ctx.units[unit].side, path[-1], after.position.grid
    if left <= 0:
        if len(path) > 1 and room(after.ctx, after.position, here, side, unit):
            yield path
            return
        if len(path) == 1 or not rule.extended:
            return
    for there in grid.neighbours[here]:
        nearer = grid.distance(path[0], there) <= grid.distance(path[0], here)
        if (
            there in path
            or (rule.away and nearer)
            or _forward(after, unit, rule, here, there)
            or after.position.at(there, after.position.enemy(side))
            or (rule.friends == "barred" and _friends(after, unit, there))
            or (rule.zones == "barred" and in_zone(after, unit, there))
            or barred_in_retreat(after.ctx, after.position, unit, here, there) is not None
        ):
            continue
        yield from _on(after, unit, rule, (*path, there), left - 1)


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
        found += zone_prices(after, unit, path, line) if rule.zones == "loss" else []
        return found + short_prices(after, unit, path, line, rule)
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
        and receives(ctx, position, unit, n)
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
    if longest(after, unit, rule, hex_):
        return after
    due = short_prices(after, unit, (hex_,), line, rule)
    return after.noted(retreated=after.retreated | {unit}).priced(unit, due)


def doomed(after: Aftermath, unit: str, *, as_if_hit: bool = False) -> bool:
    """Whether no retreat on the map saves a unit; with `as_if_hit`, whether none would if it took the loss too."""
    hex_ = after.position.hex_of(unit)
    if hex_ is None:
        return False
    if as_if_hit and after.steps(unit) == 1:
        return True
    hit = as_if_hit or unit in after.hit
    ways = ways_back(after, unit)
    return all(deadly(after, unit, prices(after, unit, way, 0, hit=hit), spent=as_if_hit) for way in ways)


def ways_back(after: Aftermath, unit: str) -> Iterable[tuple[Hex, ...]]:
    """Every way on the map by which a unit may retreat, whatever it costs it; each begins with its hex."""
    hex_, rule = after.position.hex_of(unit), after.battle.rules.retreat.way
    if hex_ is None:
        return ()
    if isinstance(rule, Distance):
        return safe_ways(after, unit, rule)
    ctx, position = after.ctx, after.position
    return [(hex_, n) for n in free_hexes(ctx, position, unit)] or (
        (hex_, first, second)
        for first in passable_hexes(ctx, position, unit)
        for second in position.grid.neighbours[first]
        if second != hex_ and may_end_in(ctx, position, unit, first, second)
    )
