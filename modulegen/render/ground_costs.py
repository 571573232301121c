"""What ground costs the classes of movement that a game has, surcharges of its rules and bans included.

Costs are in half points, as the tables have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hexforge.scenarios.schema.phases import Points, Times
from hexforge.scenarios.schema.rules_supply import PointLine

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario
    from hexforge.scenarios.schema.rules_movement import Surcharge

CLOSED: Final = -1
"""In place of a cost: nobody of the class ever gets there across country."""
WHOLE: Final = -2
"""In place of a cost: it takes all of a unit's move."""
SHUT: Final = "×"
"""What stands for `CLOSED`."""
_HALVES: Final = 2


@dataclass(frozen=True)
class GroundCosts:
    """What the terrain effects chart and key have columns for, and what stands in them."""

    scenario: Scenario

    @cached_property
    def units(self) -> Mapping[str, tuple[str, ...]]:
        """The counters of each movement class by their ids."""
        types, found = self.scenario.game.unit_types, dict[str, list[str]]()
        for id_, counter in self.scenario.counters.items():
            found.setdefault(types[counter.type].movement, []).append(id_)
        return {movement: tuple(ids) for movement, ids in found.items()}

    @cached_property
    def supplying(self) -> frozenset[str]:
        """Movement classes that no unit has, by which lines of supply are measured."""
        rules = self.scenario.game.rules.supply
        lines = (line for rule in rules for line in (rule.line, rule.headquarters_line))
        return frozenset(line.movement for line in lines if isinstance(line, PointLine)) - self._moving

    @cached_property
    def _moving(self) -> frozenset[str]:
        return frozenset((*self.units, *(rule.movement for rule in self.scenario.game.rules.movement.entry_moves)))

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The movement classes of the game's units and of its lines of supply, in the game's order."""
        told = self._moving | self.supplying
        return tuple(c for c in self.scenario.game.movement_classes if c in told)

    def by_weather(self, movement: str, kind: str, id_: str) -> dict[str, int | None]:
        """What a class pays for a kind of ground in each weather, or `CLOSED`, or `WHOLE`; None: nothing is said.

        One entry at "" where the weather does not matter.
        """
        told = {w: self._cost(movement, kind, id_, w) for w in self.scenario.game.weathers or ("",)}
        return told if len(set(told.values())) > 1 else {"": next(iter(told.values()))}

    def _cost(self, movement: str, kind: str, id_: str, weather: str) -> int | None:
        costs = self._effect(kind, id_)[0].get(movement)
        cost = None if costs is None else costs.get(weather, costs.get(""))
        rules = [rule for rule in self.on_all(movement, kind, id_) if not rule.weather or weather in rule.weather]
        if self.shut(movement, kind, id_) or any(rule.barred for rule in rules):
            return CLOSED
        if any(rule.whole for rule in rules):
            return WHOLE
        if cost is None and not rules:
            return None
        cost = (cost or 0) + sum(rule.points for rule in rules)
        if (farthest := self._farthest(movement)) is not None and cost > farthest:
            return WHOLE if self.scenario.game.rules.movement.minimum == "one_hex" else CLOSED
        return cost

    def shut(self, movement: str, kind: str, id_: str) -> bool:
        """Whether the ground bars all units of a class, and no bridge could carry them over it."""
        barred, water = self._effect(kind, id_)[1:]
        units = self.units.get(movement, ())
        kinds = (self.scenario.kinds(self.scenario.counters[u].type) for u in units)
        return bool(units) and not water and all(not of.isdisjoint(barred) for of in kinds)

    def _effect(self, kind: str, id_: str) -> tuple[Mapping[str, Mapping[str, int]], Sequence[str], bool]:
        """The costs of a kind of ground by class and weather, whom it bars, and whether it is water."""
        tables = self.scenario.tables
        if kind == "terrain":
            return tables.terrain[id_].costs, tables.terrain[id_].barred, False
        if kind == "ways":
            return tables.ways[id_].costs, tables.ways[id_].barred, False
        effect = tables.fortified if kind == "fortified" else tables.hexsides[id_]
        return (effect.costs, effect.barred, effect.water) if effect else ({}, (), False)

    def on_all(self, movement: str, kind: str, id_: str) -> Iterator[Surcharge]:
        """The surcharges on a kind of ground that every unit of a class pays in every turn."""
        for rule in self.surcharges(kind, id_):
            units = self.units.get(movement, ())
            if units and not self._at_times(rule) and all(self.scenario.fits(rule, u) for u in units):
                yield rule

    def on_some(self, kind: str, id_: str) -> Iterator[tuple[Surcharge, tuple[str, ...]]]:
        """The surcharges that some units of a class pay, or that are paid in some turns, with the classes."""
        for rule in self.surcharges(kind, id_):
            paying = [m for m in self.classes if any(self.scenario.fits(rule, u) for u in self.units.get(m, ()))]
            some = tuple(m for m in paying if rule not in self.on_all(m, kind, id_))
            if some:
                yield rule, some

    def surcharges(self, kind: str, id_: str) -> Iterator[Surcharge]:
        """The surcharges on a kind of ground."""
        for rule in self.scenario.game.rules.movement.surcharges:
            if id_ in {"terrain": rule.terrain, "hexsides": rule.hexsides}.get(kind, ()):
                yield rule

    def _at_times(self, rule: Surcharge) -> bool:
        turns = self.scenario.game.turns
        first, last = rule.turns or (turns.first, turns.last)
        return bool(rule.marks) or first > turns.first or last < turns.last

    def _farthest(self, movement: str) -> int | None:
        """What no unit of a class ever has more of to spend; None where the class has no units."""
        rules = self.scenario.game.rules.movement
        counters = (self.scenario.counters[u] for u in self.units.get(movement, ()))
        moves = [points for c in counters for points in (c.move, *c.reduced_move)]
        moves += [rule.move for rule in rules.entry_moves if rule.movement == movement]
        if not moves:
            return None
        most = max(moves) * _HALVES
        for rule in rules.allowances:
            most = max(most, rule.of(most) + rule.more)
        phases = [spec.allowance for spec in self.scenario.game.sequence]
        most *= max((far.times for far in phases if isinstance(far, Times)), default=1)
        marched = (most * march.times + march.more for march in rules.marches)
        given = (far.points * _HALVES for far in phases if isinstance(far, Points))
        return max((most, *marched, *given))
