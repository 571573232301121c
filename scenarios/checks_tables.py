"""What is wrong with tables.yaml: rows, columns and costs that are missing, or that nothing leads to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from hexforge.scenarios.checker import Checker
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.schema.tables import RESULTS, ResultTable

_ODDS = re.compile(r"([1-9][0-9]*)-(1)|(1)-([1-9][0-9]*)")
_BOUNDS = re.compile(r"([0-9]+)(?:-[0-9]+|\+)?")


def tables_are_whole(c: Checker) -> Iterator[Problem]:
    """Result tables have a cell for each roll and column; effects a cost for each movement class and weather."""
    tables = c.scenario.tables
    yield from _table(c, "crt", tables.crt)
    if tables.bombardment is not None:
        yield from _table(c, "bombardment", tables.bombardment)
    yield from _odds(c)
    yield from _values(c)
    yield from _costs(c)
    yield from _vulnerability(c)


def _costs(c: Checker) -> Iterator[Problem]:
    tables, game = c.scenario.tables, c.scenario.game
    weathers = set(game.weather)
    for key, effects in (("terrain", tables.terrain), ("hexsides", tables.hexsides), ("ways", tables.ways)):
        for name, effect in effects.items():
            error = partial(c.error, "tables.yaml")
            for movement in game.movement_classes if key == "terrain" else ():
                if movement not in effect.costs:
                    yield error([key, name, "costs"], "tables.no-cost", movement=movement)
            for movement, cost in effect.costs.items():
                if "" not in cost and set(cost) != weathers:
                    at = [key, name, "costs", movement]
                    known = tuple(sorted(weathers)) or ("-",)
                    yield error(at, "tables.weather", found=tuple(cost), known=known)


def _vulnerability(c: Checker) -> Iterator[Problem]:
    """Whoever can be bombarded, by guns or from the air, has an index against it."""
    tables = c.scenario.tables
    types = sorted({u.type for u in c.scenario.counters.values()})
    flies = c.scenario.game.rules.combat.air is not None
    if flies and tables.bombardment is None:
        yield c.error("tables.yaml", [], "tables.no-bombardment")
    if tables.bombardment is None:
        return
    for kind in ("air", "artillery") if flies else ("artillery",):
        for type_ in types:
            if type_ not in tables.vulnerability.get(kind, {}):
                yield c.error("tables.yaml", ["vulnerability", kind], "tables.no-index", type=type_)


def _odds(c: Checker) -> Iterator[Problem]:
    """Columns of the combat results are odds that can be come to, and rise from left to right."""
    error = partial(c.error, "tables.yaml", ["crt", "columns"])
    last: Fraction | None = None
    for name in c.scenario.tables.crt.columns:
        ratio = _ODDS.fullmatch(name)
        if ratio is None:
            yield error("tables.never-reached", column=name)
            continue
        strength = Fraction(int(ratio[1] or 1), int(ratio[4] or 1))
        if last is not None and strength <= last:
            yield error("tables.falls", column=name)
        last = strength


def _values(c: Checker) -> Iterator[Problem]:
    """Columns of the bombardment are spans of values that rise from left to right."""
    table, low = c.scenario.tables.bombardment, -1
    for name in table.columns if table else ():
        bounds = _BOUNDS.fullmatch(name)
        if bounds is None or int(bounds[1]) <= low:
            yield c.error("tables.yaml", ["bombardment", "columns"], "tables.no-span", column=name)
        low = int(bounds[1]) if bounds else low


def _table(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    rolls = [roll for name in table.rows for roll in name.split(",")]
    for roll in map(str, range(2, 13)):
        if rolls.count(roll) != 1:
            yield c.error("tables.yaml", [key, "rows"], "tables.roll", roll=roll, count=rolls.count(roll))
    for name, cells in table.rows.items():
        error = partial(c.error, "tables.yaml", [key, "rows", name])
        if len(cells) != len(table.columns):
            yield error("tables.cells", found=len(cells), columns=len(table.columns))
        for code in sorted({code for cell in cells for code in cell.split()} - set(RESULTS)):
            yield error("tables.no-result", code=code, known=RESULTS)
