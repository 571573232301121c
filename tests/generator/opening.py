"""The set-up of a generated game: every unit in one of the places that the rulebook leaves it."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.text.hexgrid import Hex
from hexforge.validator.notation import statements_head


def setup(scenario: Scenario, draw: random.Random) -> list[statements_head.Placement]:
    """A lawful set-up of both sides. Raises LookupError where the areas have no room for all."""
    limit = scenario.game.rules.stacking.limit
    held: dict[Hex, list[str]] = {}
    quota = dict(_quotas(scenario, draw))
    found = []

    def weight(unit: str) -> int:
        one = scenario.counters[unit]
        return scenario.game.rules.stacking.weight(unit, scenario.kinds(one.type), one.size, 1 + len(one.backs))

    def place(unit: str, hexes: list[Hex]) -> None:
        side = scenario.counters[unit].side
        room = [
            h
            for h in hexes
            if sum(map(weight, (*held.get(h, ()), unit))) <= limit
            and all(scenario.counters[u].side == side for u in held.get(h, ()))
        ]
        if not room:
            raise LookupError(f"no room for {unit} in {hexes}")
        hex_ = draw.choice(room)
        held.setdefault(hex_, []).append(unit)
        found.append(statements_head.Placement(0, unit, hex_))

    # Those without a choice come first, so that nobody takes their place.
    for rule in sorted(scenario.setup.at_start, key=lambda r: (bool(r.areas), r.free)):
        for unit in rule.units:
            if rule.free:
                side = scenario.counters[unit].side
                place(unit, _rear(scenario, held, side))
                continue
            areas = [quota[unit]] if unit in quota else list(rule.areas)
            place(unit, sorted({*rule.hexes, *(h for a in areas for h in scenario.map.area[a])}))
    return found


def _quotas(scenario: Scenario, draw: random.Random) -> Iterator[tuple[str, str]]:
    """Unit -> area, where whole regiments are divided between areas."""
    for quota in scenario.setup.quotas:
        regiments = sorted({scenario.counters[u].regiment for u in quota.units})
        chosen = draw.sample(regiments, quota.regiments)
        for unit in quota.units:
            rule = next(r for r in scenario.setup.at_start if unit in r.units)
            others = [a for a in rule.areas if a != quota.area]
            yield unit, quota.area if scenario.counters[unit].regiment in chosen else draw.choice(others)


def _rear(scenario: Scenario, held: dict[Hex, list[str]], side: str) -> list[Hex]:
    """Hexes with friends and no enemy near: behind the line for certain."""
    enemies = {h for h, units in held.items() if scenario.counters[units[0]].side != side}
    near = {n for h in enemies for n in scenario.map.grid.neighbours[h]}
    return sorted(h for h, units in held.items() if scenario.counters[units[0]].side == side and h not in near)
