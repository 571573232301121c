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
    """How many hexes a unit has to retreat."""
    back = after.retreat_of(unit)
    return back.hexes if back else 0


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


def check(after: Aftermath, unit: str, line: int, path: Sequence[Hex], rule: Distance) -> Iterator[Finding]:
    """What is wrong with the length of a retreat, its direction, and the zones that it enters."""
    battle, count, most = after.battle, len(path) - 1, asked(after, unit)
    if most and count != most:
        yield battle.found(
            line, "retreat-hexes", units=(unit,), hexes=path, declared=count, computed=most, unit=unit, count=most
        )
    for hex_ in path[1:] if rule.zones == "barred" else ():
        if in_zone(after, unit, hex_):
            section = battle.rules.sections.retreat
            yield battle.found(
                line, "enemy-zone", section=section, units=(unit,), hexes=(hex_,), unit=unit, hex=hex_
            )
            return
    grid = after.position.grid
    if rule.away and any(grid.distance(path[0], b) <= grid.distance(path[0], a) for a, b in pairwise(path)):
        yield battle.found(line, "retreat-back", units=(unit,), hexes=path, unit=unit)
    astray = [b for a, b in pairwise(path) if _forward(after, unit, rule, a, b)]
    if astray:
        yield battle.found(
            line, "retreat-forward", units=(unit,), hexes=tuple(astray[:1]), unit=unit, hex=astray[0]
        )


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
    """Every way of the length asked that a unit may retreat, one by one."""
    hex_ = after.position.hex_of(unit)
    if hex_ is not None:
        yield from _on(after, unit, rule, (hex_,), asked(after, unit))


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
            or (rule.zones == "barred" and in_zone(after, unit, there))
            or barred_in_retreat(after.ctx, after.position, unit, here, there) is not None
        ):
            continue
        yield from _on(after, unit, rule, (*path, there), left - 1)
