"""A set-up for units that the rulebook leaves a choice: one that is legal, and sensible to begin with.

Formations stay together, guns stand as far behind as their range bears, all others towards the enemy. Players will
do better.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.rear import behind_own_line
from hexforge.scenarios.schema.game import GUNS

if TYPE_CHECKING:
    from hexforge.scenarios.model import Counter, Scenario
    from hexforge.scenarios.schema.setup import Placement

Formation = tuple[str, str, bool]


def fixed(placement: Placement) -> bool:
    """Whether a placement leaves no choice: one hex."""
    return len(placement.hexes) == 1 and not placement.areas and not placement.free


def formations(scenario: Scenario, units: Iterable[str]) -> list[tuple[str, ...]]:
    """Units in stacks of one regiment, or of the guns or the rest of one division, none higher than the limit."""
    rule = scenario.game.rules.stacking
    stacks: dict[Formation, list[list[str]]] = {}
    for id_ in units:
        found = stacks.setdefault(_formation(scenario, scenario.counters[id_]), [[]])
        limit = rule.most((), scenario.counters[id_].side)
        if found[-1] and sum(_weight(scenario, u) for u in (*found[-1], id_)) > limit:
            found.append([])
        found[-1].append(id_)
    return [tuple(stack) for several in stacks.values() for stack in several]


def suggested(scenario: Scenario) -> dict[str, Hex]:
    """unit id -> hex, for all units that have a choice and find room."""
    field_ = _Field(scenario)
    choices = [p for p in scenario.setup.at_start if not fixed(p)]
    wished = [
        (stack, hexes)
        for placement in choices
        for stack in formations(scenario, placement.units)
        for hexes in [_allowed(scenario, placement, stack)]
    ]
    # Who has the least choice chooses first.
    for stack, hexes in sorted(wished, key=lambda wish: len(wish[1])):
        field_.place(stack, hexes)
    return {unit: hex_ for unit, hex_ in field_.chosen.items() if any(unit in p.units for p in choices)}


def _formation(scenario: Scenario, counter: Counter) -> Formation:
    guns = counter.type in scenario.game.classes.get(GUNS, ())
    return counter.division or counter.corps, "" if guns else counter.regiment, guns


def _weight(scenario: Scenario, id_: str) -> int:
    counter = scenario.counters[id_]
    return scenario.game.rules.stacking.weight(
        id_, scenario.kinds(counter.type), counter.size, 1 + len(counter.backs)
    )


def _allowed(scenario: Scenario, placement: Placement, stack: Sequence[str]) -> frozenset[Hex]:
    """Where a stack may stand: in the areas of its line of the list, and as quotas want it."""
    map_, counters = scenario.map, scenario.counters
    hexes = {h for a in placement.areas for h in map_.area.get(a, ())} | set(placement.hexes)
    if placement.free:
        hexes = set(behind_own_line(map_.grid, scenario.setup, counters, counters[stack[0]].side))
    for quota in scenario.setup.quotas:
        regiments = list(dict.fromkeys(counters[u].regiment for u in quota.units))
        if stack[0] in quota.units:
            inside = counters[stack[0]].regiment in regiments[: quota.regiments]
            area = map_.area.get(quota.area, frozenset())
            hexes = hexes & area if inside else hexes - area
    return frozenset(h for h in hexes if h in map_.grid and not any(_barred(scenario, u, h) for u in stack))


def _barred(scenario: Scenario, id_: str, hex_: Hex) -> bool:
    """Whether the ground or a rule keeps a unit out of a hex."""
    unit, terrains = scenario.counters[id_], scenario.tables.terrain
    kinds = {b for t in scenario.map.terrain[hex_] if t in terrains for b in terrains[t].barred}
    closed = scenario.game.rules.movement.barred_hexes
    return not kinds.isdisjoint(scenario.kinds(unit.type)) or any(
        hex_ in rule.hexes and rule.side in (None, unit.side) for rule in closed
    )


@dataclass
class _Field:
    """The map as it fills: who stands where, and how near the enemy's printed places are."""

    scenario: Scenario
    chosen: dict[str, Hex] = field(default_factory=dict)
    _inside: dict[Hex, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for placement in self.scenario.setup.at_start:
            if fixed(placement):
                for unit in placement.units:
                    self._put(unit, placement.hexes[0])

    def _put(self, unit: str, hex_: Hex) -> None:
        self.chosen[unit] = hex_
        self._inside.setdefault(hex_, []).append(unit)

    def place(self, stack: Sequence[str], hexes: frozenset[Hex]) -> None:
        """A stack in the best hex that has room for all of it, else its units one by one; who finds none stays."""
        whole = self._best(stack, hexes)
        for unit in stack:
            hex_ = whole or self._best((unit,), hexes)
            if hex_ is not None:
                self._put(unit, hex_)

    def _best(self, stack: Sequence[str], hexes: frozenset[Hex]) -> Hex | None:
        counter = self.scenario.counters[stack[0]]
        foes = self._foes(counter.side)
        away = (counter.range or 0) * 2 // 3

        def unfit(hex_: Hex) -> tuple[bool, int]:
            return bool(self._inside.get(hex_)), abs(self._away(hex_, foes) - away)

        return min((h for h in sorted(hexes) if self._room(stack, h, counter.side)), key=unfit, default=None)

    def _away(self, hex_: Hex, foes: Sequence[Hex]) -> int:
        return min((self.scenario.map.grid.distance(hex_, foe) for foe in foes), default=0)

    def _foes(self, side: str) -> list[Hex]:
        return [h for h, units in self._inside.items() if self.scenario.counters[units[0]].side != side]

    def _room(self, stack: Sequence[str], hex_: Hex, side: str) -> bool:
        inside, rule = self._inside.get(hex_, []), self.scenario.game.rules.stacking
        if any(self.scenario.counters[u].side != side for u in inside):
            return False
        weight = sum(_weight(self.scenario, u) for u in (*inside, *stack))
        return weight <= rule.most(self.scenario.map.terrain[hex_], side)
