"""The enemy's zones: where they reach, and what a step out of, into, between them takes (`movement.zones`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Final, TypeAlias

from hexforge.scenarios.hexgrid import Hex, Side, side
from hexforge.scenarios.schema.phases import PhaseZones
from hexforge.scenarios.schema.rules_zones import Never, Once, Price, Stop, Whole, ZoneException, Zones
from hexforge.validator.referee.ground import Ground
from hexforge.validator.referee.state import Position

Case: TypeAlias = tuple[bool, bool, bool]
"""A step: whether it leaves a zone, whether it enters one, whether it is the first of its move."""

_EITHER: Final = (False, True)


_FORBIDS: Final = {"must-stop": "enter", "zone-shut": "enter", "zone-hold": "leave", "zone-to-zone": "between"}
"""The choice that forbids a step, by the kind of finding."""


@dataclass(frozen=True, slots=True)
class Toll:
    """What zones have to say to a step: points more, in halves, and the kind of finding, "" if it may be made.

    `whole`: such a step takes the whole allowance, `once`: it may be made once in a move.
    """

    halves: int = 0
    key: str = ""
    section: str = ""
    whole: bool = False
    once: bool = False

    def added(self, cost: int, allowance: int) -> int:
        """What it adds to the cost of a step of who has such an allowance."""
        return max(self.halves, allowance - cost) if self.whole else self.halves


def tolls(
    rule: Zones, others: Sequence[tuple[ZoneException | PhaseZones, str]], *, between: bool
) -> Mapping[Case, Toll]:
    """What each case of a step takes. Without `between` no step leads from zone to zone, whatever the rule says.

    `others` change the rule in turn, an exception and then a phase, each with the section that forbids a step; what
    none of them says of the rule forbids itself.
    """
    changed, sections = rule, {}
    for other, section in others:
        choices = {name: choice for name in set(_FORBIDS.values()) if (choice := getattr(other, name))}
        changed = changed.model_copy(update=choices)
        sections.update(dict.fromkeys(choices, section))
    found = {case: _toll(changed, *case, between=between) for case in product(_EITHER, _EITHER, _EITHER)}
    return {
        case: replace(toll, section=sections.get(_FORBIDS.get(toll.key, "between"), ""))
        if toll.key or toll.once
        else toll
        for case, toll in found.items()
    }


def _toll(rule: Zones, leaves: bool, enters: bool, first: bool, *, between: bool) -> Toll:
    halves = rule.enter.points if enters and isinstance(rule.enter, Price | Stop) else 0
    key = ""
    if leaves:
        halves += rule.leave.points if isinstance(rule.leave, Price) else 0
        if isinstance(rule.enter, Stop) and not first:
            return Toll(0, "must-stop")
        if isinstance(rule.leave, Never):
            key = "zone-hold"
    if enters and isinstance(rule.enter, Never):
        key = key or "zone-shut"
    if leaves and enters:
        halves += rule.between.points if isinstance(rule.between, Price | Once) else 0
        if not between or isinstance(rule.between, Never):
            key = key or "zone-to-zone"
        once, whole = isinstance(rule.between, Once), isinstance(rule.between, Whole)
        return Toll(halves, key, whole=whole, once=once and not key)
    return Toll(halves, key)


def bonds(position: Position, side_: str) -> frozenset[Hex | Side]:
    """The hexes and hexsides that pairs of the enemies of a side bar to it, two hexes from one another."""
    enemy, friends = position.boards[position.enemy(side_)], position.boards[side_].at
    near, reach = position.grid.neighbours, enemy.reach.hexes
    at = [h for h, ids in enemy.at.items() if not enemy.silent.issuperset(ids)]
    found: set[Hex | Side] = set()
    for a, b in combinations(at, 2):
        between = [h for h in near[a] if h in near[b]] if b not in near[a] else []
        # At the rim one of two hexes between may lie off the map: of the other that says nothing.
        straight = all((p - q) % 2 == 0 for p, q in zip(position.grid.cube(a), position.grid.cube(b), strict=True))
        if len(between) != (1 if straight else 2) or (straight and between[0] in friends):
            continue
        if all(h in reach[a] and h in reach[b] for h in between):
            found.add(between[0] if straight else side(between[0], between[1]))
    return frozenset(found)


def reaches(
    ground: Ground, rule: Zones, built: frozenset[Side] = frozenset(), among: Collection[Hex] | None = None
) -> Mapping[Hex, Sequence[Hex]]:
    """The hexes into which a unit's zone reaches from each hex, or some; `built` are the bridges of play."""
    near = ground.map.grid.neighbours
    if not rule.grounded:
        return near
    first = ground.scenario.game.turns.first
    lines, shut = frozenset(rule.not_across), frozenset(rule.not_into)
    return {
        a: tuple(
            b
            for b in near[a]
            if (
                lines.isdisjoint(ground.hexsides.get(side(a, b), ()))
                or (rule.over_bridges and ground.bridged(side(a, b), first, built))
            )
            and shut.isdisjoint(ground.map.terrain[b])
        )
        for a in (near if among is None else among)
    }
