"""Retreats of a number of hexes, past zones that bar them or have a price."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.schema.rules_combat import Distance
from hexforge.scenarios.words import message
from hexforge.validator.referee.combat.aftermath import Aftermath, RetreatPrice
from hexforge.validator.referee.combat.encirclement import barred_in_retreat
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.stacking import room


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
    back = after.retreat_of(unit)
    if count != most and back is not None:
        choice = count < most and back.instead_of == "hexes" and back.instead > 0
        key = "retreat-hexes-choice" if choice else "retreat-hexes"
        yield after.battle.found(
            line, key, units=(unit,), hexes=path, unit=unit, declared=count, computed=most, count=most
        )


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


def ways(after: Aftermath, unit: str, rule: Distance) -> Iterator[tuple[Hex, ...]]:
    """Every way of the length asked that a unit may retreat, one by one, or of the length that there is."""
    hex_ = after.position.hex_of(unit)
    if hex_ is None:
        return
    count = asked(after, unit) if rule.short == "lost" else longest(after, unit, rule, hex_)
    yield from _on(after, unit, rule, (hex_,), count) if count or rule.short == "lost" else ((hex_,),)


def _on(after: Aftermath, unit: str, rule: Distance, path: tuple[Hex, ...], left: int) -> Iterator[tuple[Hex, ...]]:
    side, here, grid = after.ctx.units[unit].side, path[-1], after.position.grid
    if left == 0:
        if len(path) > 1 and room(after.ctx, after.position, here, side, unit):
            yield path
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
