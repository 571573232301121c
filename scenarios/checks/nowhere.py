"""Warnings on what is well said and met with nowhere: on no hex, at no score, along no way, at no start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, pairwise
from pathlib import Path

from hexforge.scenarios.checks.beyond import most_points
from hexforge.scenarios.checks.checker import Checker
from hexforge.scenarios.hexgrid import side
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.schema import modifiers as m
from hexforge.scenarios.schema.tables import WayEffect


def what_is_said_is_met_with(c: Checker) -> Iterator[Problem]:
    """Of what a family lends nothing is told but in the family itself."""
    found = chain(_control(c), _grounds(c), _levels(c), _lines(c), _ways(c))
    yield from (p for p in found if Path(p.file).parent == c.scenario.folder)


def _control(c: Checker) -> Iterator[Problem]:
    """Places given to a side at the start in which a unit of the other stands, and holds them.

    One of its own is no slip: a sheet may begin with other units.
    """
    stands = {
        rule.hexes[0]: c.scenario.counters[rule.units[0]]
        for rule in c.scenario.setup.at_start
        if len(rule.hexes) == 1 and not rule.areas and rule.units and rule.units[0] in c.scenario.counters
    }
    for place in c.scenario.map.places:
        owner = c.scenario.victory.control.get(place.id)
        there = next((stands[h] for h in place.hexes if h in stands and stands[h].side != owner), None)
        if owner is not None and there is not None:
            told = {"unit": there.id, "side": there.side}
            yield c.warning("victory.yaml", ["control", place.id], "victory.garrisoned", **told)


def _grounds(c: Checker) -> Iterator[Problem]:
    """Modifiers with two conditions on the ground of a hex, each of which some hex meets and none both."""
    one_target = c.scenario.game.rules.combat.shape.targets == "one"
    for i, rule in enumerate(c.scenario.game.rules.combat.modifiers):
        asked = [(j, one) for j, one in enumerate(rule.when) if isinstance(one, m.InTerrain)]
        for (_, first), (j, second) in combinations(asked, 2):
            shares = {first.share, second.share}
            # Of several hexes each may meet another condition, if neither is of all of them.
            same = first.of == second.of and (
                "all" in shares or "none" in shares or (one_target and first.of == "defenders")
            )
            if same and _apart(c, first, second):
                at: list[str | int] = ["rules", "combat", "modifiers", i, "when", j, "terrain"]
                yield c.warning("game.yaml", at, "game.never-together", name=rule.name)


def _apart(c: Checker, first: m.InTerrain, second: m.InTerrain) -> bool:
    met = [(_meets(first, ground), _meets(second, ground)) for ground in c.scenario.map.terrain.values()]
    return any(a for a, _ in met) and any(b for _, b in met) and not any(a and b for a, b in met)


def _meets(condition: m.InTerrain, ground: tuple[str, ...]) -> bool:
    return set(ground).isdisjoint(condition.terrain) == (condition.share == "none")


def _levels(c: Checker) -> Iterator[Problem]:
    """Levels of victory that ask for more points than their side could ever have."""
    for i, level in enumerate(c.scenario.victory.levels):
        sides = [level.measured] if level.measured else [s.id for s in c.scenario.game.sides]
        most = [most_points(c, one) for one in sides]
        if level.by != "ratio" and all(points is not None and points < level.least for points in most):
            has = max(points or 0 for points in most)
            yield c.warning("victory.yaml", ["levels", i, "least"], "victory.never-scored", most=has)


def _lines(c: Checker) -> Iterator[Problem]:
    """Lines of supply that end where they begin."""
    for i, rule in enumerate(c.scenario.game.rules.supply):
        for key, line in (("line", rule.line), ("headquarters_line", rule.headquarters_line)):
            if getattr(line, "hexes", 1) == 0:
                yield c.warning("game.yaml", ["rules", "supply", i, key], "game.no-length")


def _ways(c: Checker) -> Iterator[Problem]:
    """Ways by which every step on dry ground is dearer than beside them, for all or dearer than any ground is.

    A trail that is dear for some alone may well be so where it runs, in a game whose rulebook says it.
    """
    for name, way in c.scenario.tables.ways.items():
        runs = [run.hexes for run in c.scenario.map.ways if run.kind == name]
        steps = [step for run in runs for step in chain(pairwise(run), pairwise(run[::-1]))]
        dry = [c.scenario.map.terrain.get(b, ()) for a, b in steps if not c.scenario.map.hexsides.get(side(a, b))]
        dear = [movement for movement in way.costs if dry and _dearer(c, way, movement, dry)]
        grounds = [(terrain,) for terrain in c.scenario.tables.terrain]
        for movement in dear:
            open_ = [g for g in grounds if _dearest(c, movement, g) is not None]
            if len(dear) == len(way.costs) or _dearer(c, way, movement, open_):
                at: list[str | int] = ["ways", name, "costs", movement]
                yield c.warning("tables.yaml", at, "tables.dearer-way", movement=movement)


def _dearer(c: Checker, way: WayEffect, movement: str, grounds: Iterable[tuple[str, ...]]) -> bool:
    """Whether a class pays more along a way than on each of some grounds, and may enter them all."""
    beside = [_dearest(c, movement, ground) for ground in grounds]
    least = min(way.costs[movement].values(), default=0)
    return all(points is not None and least > points for points in beside)


def _dearest(c: Checker, movement: str, ground: tuple[str, ...]) -> int | None:
    """The most that ground costs a class, in half points; None if it keeps any of it out."""
    effects = [c.scenario.tables.terrain[name] for name in ground if name in c.scenario.tables.terrain]
    costs = [effect.costs.get(movement, {}) for effect in effects]
    if any(effect.barred for effect in effects) or not all(costs):
        return None
    return max((points for cost in costs for points in cost.values()), default=None)
