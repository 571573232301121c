"""What is wrong with tables.yaml: rows, columns and costs that are missing, or that nothing leads to."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from hexforge.scenarios.checks.checker import Checker
from hexforge.scenarios.checks.results import better_columns_are_better, cells_can_be_carried_out
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.references import FACES
from hexforge.scenarios.schema.columns import ByOdds, lower_bound, parse_odds
from hexforge.scenarios.schema.dice import numbers
from hexforge.scenarios.schema.modifiers import Cap, Columns, Die
from hexforge.scenarios.schema.tables import HexsideEffect, ResultTable


def tables_are_whole(c: Checker) -> Iterator[Problem]:
    """Result tables have a cell for each roll and column; effects a cost for each movement class and weather."""
    tables = c.scenario.tables
    yield from _table(c, "crt", tables.crt)
    if tables.bombardment is not None:
        yield from _table(c, "bombardment", tables.bombardment)
    yield from _beyond(c, tables.crt)
    yield from _costs(c)
    yield from _vulnerability(c)
    yield from _air(c)


def _costs(c: Checker) -> Iterator[Problem]:
    tables, game = c.scenario.tables, c.scenario.game
    weathers = set(game.weathers)
    for key, effects in (("terrain", tables.terrain), ("hexsides", tables.hexsides), ("ways", tables.ways)):
        for name, effect in effects.items():
            error = partial(c.error, "tables.yaml")
            for movement in game.movement_classes if key == "terrain" else ():
                if movement not in effect.costs:
                    yield error([key, name, "costs"], "tables.no-cost", movement=movement)
            for movement in _left_out(c, effect) if isinstance(effect, HexsideEffect) else ():
                at = [key, name, "costs"]
                yield c.warning("tables.yaml", at, "tables.free-of-charge", movement=movement)
            for movement, cost in effect.costs.items():
                if "" not in cost and set(cost) != weathers:
                    at = [key, name, "costs", movement]
                    known = tuple(sorted(weathers)) or ("-",)
                    yield error(at, "tables.weather", found=tuple(cost), known=known)


def _left_out(c: Checker, effect: HexsideEffect) -> Iterator[str]:
    """The movement classes of units that a line costs nothing, though it names others, and that it does not bar."""
    game = c.scenario.game
    for movement in game.movement_classes if effect.costs else ():
        types = {u.type for u in c.scenario.counters.values() if u.type in game.unit_types}
        mine = {type_ for type_ in types if game.unit_types[type_].movement == movement}
        if movement not in effect.costs and any(c.scenario.kinds(t).isdisjoint(effect.barred) for t in mine):
            yield movement


def _vulnerability(c: Checker) -> Iterator[Problem]:
    """Whoever can be bombarded, by guns or from the air, has an index against it."""
    tables = c.scenario.tables
    # A type that is none is told where it stands; it has no index because nobody knows it.
    types = sorted({u.type for u in c.scenario.counters.values()} & set(c.known["unit-type"]))
    flies = c.scenario.game.rules.combat.air is not None
    if flies and tables.bombardment is None:
        yield c.error("tables.yaml", [], "tables.no-bombardment")
    if tables.bombardment is None:
        return
    for kind in ("air", "artillery") if flies else ("artillery",):
        for type_ in types:
            if type_ not in tables.vulnerability.get(kind, {}):
                yield c.error("tables.yaml", ["vulnerability", kind], "tables.no-index", type=type_)


def _air(c: Checker) -> Iterator[Problem]:
    """Air points come by turns, each in one row, or by the die, each of its faces in one row."""
    rows, turns = c.scenario.tables.air, c.scenario.game.turns
    for i, row in enumerate(rows):
        if (row.turns is None) == (row.die is None):
            yield c.error("tables.yaml", ["air", i], "tables.air-row")
    spans = [row.turns for row in rows if row.turns]
    for turn in range(turns.first, turns.last + 1) if spans else ():
        if (count := sum(a <= turn <= b for a, b in spans)) != 1:
            # Without a row there are no points, which may be meant.
            say = c.error if count else c.warning
            yield say("tables.yaml", ["air"], "tables.air-turn", turn=turn, count=count)
    dice = [row.die for row in rows if row.die]
    for face in FACES if dice else ():
        if (count := sum(a <= face <= b for a, b in dice)) != 1:
            yield c.error("tables.yaml", ["air"], "tables.air-face", face=face, count=count)


def _columns_rise(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    """Columns are odds, or spans of numbers, and rise from left to right."""
    error = partial(c.error, "tables.yaml", [key, "columns"])
    by_odds = isinstance(table.column_by, ByOdds)
    last: Fraction | int | None = None
    for name in table.columns:
        try:
            bound: Fraction | int = Fraction(*parse_odds(name)) if by_odds else lower_bound(name)
        except ValueError:
            yield error("tables.never-reached" if by_odds else "tables.no-span", column=name)
            continue
        if last is not None and bound <= last:
            yield error("tables.falls" if by_odds else "tables.no-span", column=name)
        last = bound


def _beyond(c: Checker, table: ResultTable) -> Iterator[Problem]:
    """What totals beyond the table have for a result is one."""
    known = c.scenario.tables.results
    for key in ("below", "above"):
        code = getattr(table.column_by, key, "end")
        if code not in (*known, "end", "refused"):
            yield c.error(
                "tables.yaml", ["crt", "column_by", key], "tables.no-result", code=code, known=tuple(known)
            )


def _table(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    yield from _columns_rise(c, key, table)
    yield from _rows(c, key, table)
    yield from cells_can_be_carried_out(c, key, table)
    if key == "crt":
        yield from better_columns_are_better(c, key, table)
    for name, cells in table.rows.items():
        if len(cells) != len(table.columns):
            at = [key, "rows", name]
            yield c.error("tables.yaml", at, "tables.cells", found=len(cells), columns=len(table.columns))


def _rows(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    """Whatever the dice can show has one row; others are reached by modifiers of the die alone."""
    ways = table.thrown.ways
    rolls: list[int] = []
    row: dict[int, str] = {}
    for name in table.rows:
        try:
            rolls += numbers(name)
            row |= dict.fromkeys(numbers(name), name)
        except ValueError:
            yield c.error("tables.yaml", [key, "rows", name], "tables.no-roll", row=name)
    # A row that dice and modifiers do not lead on to stands in the place of one that is lacking.
    strange = {n for n in rolls if not {n, *range(max(ways), n), *range(n, min(ways))} <= {*rolls, *ways}}
    lacking = tuple(str(n) for n in ways if n not in rolls)
    for roll in sorted(strange) if lacking else ():
        at, dice = [key, "rows", row[roll]], str(table.thrown)
        yield c.error("tables.yaml", at, "tables.row-instead", roll=roll, dice=dice, lacking=lacking)
    if strange and lacking:
        return
    for roll in ways:
        if rolls.count(roll) != 1:
            at = [key, "rows", *([row[roll]] if roll in row else [])]
            yield c.error("tables.yaml", at, "tables.roll", roll=roll, count=rolls.count(roll))
    for roll in (n for n in sorted(set(rolls) - set(ways)) if not table.thrown.skips(n)):
        at = [key, "rows", row[roll]]
        if not _die_is_moved(c, key):
            yield c.error("tables.yaml", at, "tables.never-thrown", roll=roll, dice=str(table.thrown))
        elif rolls.count(roll) > 1:
            yield c.error("tables.yaml", at, "tables.roll", roll=roll, count=rolls.count(roll))


def _die_is_moved(c: Checker, key: str) -> bool:
    rules = c.scenario.game.rules.combat.modifiers
    return any(isinstance(rule.what, Die) and rule.table in (key, "both") for rule in rules)


def modifiers_are_told_apart(c: Checker) -> Iterator[Problem]:
    """No two modifiers are called alike; groups that they name are there, and hold what can be counted so."""
    rules, names = c.scenario.game.rules.combat, set[str]()
    for number, rule in enumerate(rules.modifiers):
        error = partial(c.error, "game.yaml", ["rules", "combat", "modifiers", number])
        if rule.name in names:
            yield error("tables.modifier-twice", name=rule.name)
        names.add(rule.name)
        if rule.group is None:
            continue
        if rule.group not in rules.groups:
            yield error("tables.no-group", name=rule.group, known=tuple(rules.groups))
        elif isinstance(rules.groups[rule.group], Cap) and not isinstance(rule.what, Columns | Die):
            at: list[str | int] = ["rules", "combat", "modifiers", number, "group"]
            yield c.error("game.yaml", at, "tables.no-sum", name=rule.group)
