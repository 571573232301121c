"""Numbers that nothing in the game comes up to: costs that nobody pays, lines longer than the map, wide shifts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

from hexforge.scenarios.checks.checker import Checker
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.schema import modifiers as m
from hexforge.scenarios.schema.phases import Hexes, Points, Times

_HALVES: Final = 2
_FAR: Final = 2
"""How many times the most that anybody has a slip of a cost is at least: tables print some that nobody can pay."""


def numbers_are_within_reach(c: Checker) -> Iterator[Problem]:
    """Warnings on numbers beyond what units, map and tables have; of what a family lends none."""
    found = chain(_costs(c), _zones(c), _lines(c), _shifts(c), _losses(c))
    yield from (p for p in found if Path(p.file).parent == c.scenario.folder)


def _allowances(c: Checker) -> Mapping[str, int]:
    """The most movement points that anybody of a movement class ever has, for classes that counters show."""
    game = c.scenario.game
    marches, phases = game.rules.movement.marches, [phase.allowance for phase in game.sequence]
    times = max([1, *(march.times for march in marches), *(a.times for a in phases if isinstance(a, Times))])
    more = max([0, *(march.more // _HALVES for march in marches)])
    same = max([0, *(a.points for a in phases if isinstance(a, Points))])
    found: dict[str, int] = {}
    for unit in c.scenario.counters.values():
        kind = game.unit_types.get(unit.type)
        if kind is not None:
            found[kind.movement] = max(found.get(kind.movement, 0), unit.move * times + more, same)
    return found


def _costs(c: Checker) -> Iterator[Problem]:
    game, tables = c.scenario.game, c.scenario.tables
    by_hexes = any(isinstance(phase.allowance, Hexes) for phase in game.sequence)
    if game.rules.movement.minimum == "one_hex" or by_hexes:
        return
    most = _allowances(c)
    effects: dict[str, Mapping[str, Any]] = {
        "terrain": tables.terrain,
        "hexsides": tables.hexsides,
        "ways": tables.ways,
    }
    for key, kinds in effects.items():
        for name, effect in kinds.items():
            for movement, cost in effect.costs.items():
                least = min(cost.values(), default=0) / _HALVES
                if least > _FAR * most.get(movement, least):
                    told = {"movement": movement, "most": most[movement]}
                    yield c.warning("tables.yaml", [key, name, "costs", movement], "tables.never-paid", **told)


def _zones(c: Checker) -> Iterator[Problem]:
    zones, most = c.scenario.game.rules.movement.zones, max([0, *_allowances(c).values()])
    for key in ("enter", "leave", "between"):
        points = getattr(getattr(zones, key), "points", 0)
        if points > _HALVES * most > 0:
            at: list[str | int] = ["rules", "movement", "zones", key]
            yield c.warning("game.yaml", at, "game.never-paid", most=most)


def _lines(c: Checker) -> Iterator[Problem]:
    """Lines of supply and railways of more hexes than the map has from end to end, or at all."""
    grid, rules = c.scenario.map.grid, c.scenario.game.rules
    for i, rule in enumerate(rules.supply):
        for key, line in (("line", rule.line), ("headquarters_line", rule.headquarters_line)):
            if getattr(line, "hexes", 0) > grid.columns + grid.rows:
                yield c.warning("game.yaml", ["rules", "supply", i, key], "game.longer-than-map")
    railway = rules.movement.railway
    if railway is not None and (railway.hexes or 0) > grid.columns * grid.rows:
        yield c.warning("game.yaml", ["rules", "movement", "railway", "hexes"], "game.longer-than-map")


def _shifts(c: Checker) -> Iterator[Problem]:
    """Modifiers that move the column past the whole table, or the dice past all that they show."""
    tables = c.scenario.tables
    ways = tables.crt.thrown.ways
    for i, rule in enumerate(c.scenario.game.rules.combat.modifiers):
        at: list[str | int] = ["rules", "combat", "modifiers", i, "what"]
        wide = max(len(t.columns) for t in (tables.crt, tables.bombardment) if t is not None)
        if isinstance(rule.what, m.Columns) and abs(rule.what.columns) >= wide:
            yield c.warning("game.yaml", at, "game.past-the-table", most=wide - 1)
        if isinstance(rule.what, m.Die) and abs(rule.what.die) > max(ways) - min(ways):
            yield c.warning("game.yaml", at, "game.past-the-dice", most=max(ways) - min(ways))


def _losses(c: Checker) -> Iterator[Problem]:
    """Losses that a side cannot have, for it has not so much."""
    for i, rule in enumerate(c.scenario.game.rules.combat.modifiers):
        for j, condition in enumerate(rule.when):
            if not isinstance(condition, m.AfterLosses):
                continue
            mine = [u for u in c.scenario.counters.values() if u.side == condition.side]
            has = {
                "units": len(mine),
                "steps": sum(1 + len(u.backs) for u in mine),
                "factors": sum(u.attack for u in mine),
            }[condition.counted]
            if condition.least > has and not c.scenario.game.rules.untried:
                at: list[str | int] = ["rules", "combat", "modifiers", i, "when", j, "least"]
                yield c.warning("game.yaml", at, "game.never-lost", most=has, side=condition.side)
