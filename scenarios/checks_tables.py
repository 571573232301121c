"""What is wrong with tables.yaml: rows, columns and costs that are missing, or that nothing leads to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from hexforge.scenarios.checker import Checker
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.schema.tables import RESULTS, Cost, ResultTable

_ODDS = re.compile(r"([1-9][0-9]*)-(1)|(1)-([1-9][0-9]*)")
_BOUNDS = re.compile(r"([0-9]+)(?:-[0-9]+|\+)?")


def tables_are_whole(c: Checker) -> Iterator[Problem]:
    """Result tables have a cell for each roll and column; effects a cost for each movement class and weather."""
    tables, game = c.scenario.tables, c.scenario.game
    yield from _table(c, "crt", tables.crt)
    if tables.bombardment is not None:
        yield from _table(c, "bombardment", tables.bombardment)
    yield from _columns(c)
    weathers = set(game.weather)

    def costs(key: str, name: str, given: dict[str, Cost], needed: Iterable[str]) -> Iterator[Problem]:
        for movement in needed:
            if movement not in given:
                yield c.say(
                    "tables.yaml",
                    [key, name, "costs"],
                    f"has no cost for the movement class {movement!r}",
                    f"não tem custo para a classe de movimentação {movement!r}",
                )
        for movement, cost in given.items():
            if movement not in game.movement_classes:
                known = ", ".join(game.movement_classes)
                yield c.say(
                    "tables.yaml",
                    [key, name, "costs"],
                    f"{movement!r} is no movement class; game.yaml has {known}",
                    f"{movement!r} não é uma classe de movimentação; game.yaml tem {known}",
                )
            elif "" not in cost and set(cost) != weathers:
                found, known = ", ".join(cost), ", ".join(sorted(weathers)) or "-"
                yield c.say(
                    "tables.yaml",
                    [key, name, "costs", movement],
                    f"gives costs for {found}; the weathers of game.yaml are {known}",
                    f"dá custos para {found}; os tempos de game.yaml são {known}",
                )

    for name, terrain in tables.terrain.items():
        yield from costs("terrain", name, terrain.costs, game.movement_classes)
    for name, hexside in tables.hexsides.items():
        yield from costs("hexsides", name, hexside.costs, ())
    for name, way in tables.ways.items():
        yield from costs("ways", name, way.costs, ())
    barred_lists = {name: effect.barred for name, effect in tables.terrain.items()}
    barred_lists |= {name: effect.barred for name, effect in tables.hexsides.items()}
    barred_lists |= {name: effect.barred for name, effect in tables.ways.items()}
    for name, barred_list in barred_lists.items():
        for barred in barred_list:
            if barred not in game.classes:
                known = ", ".join(game.classes)
                yield c.say(
                    "tables.yaml",
                    [],
                    f"{name}: {barred!r} is no class of units; game.yaml has {known}",
                    f"{name}: {barred!r} não é uma classe de unidades; game.yaml tem {known}",
                )
    yield from _vulnerability(c)


def _vulnerability(c: Checker) -> Iterator[Problem]:
    """Whoever can be bombarded, by guns or from the air, has an index against it."""
    tables = c.scenario.tables
    types = sorted({u.type for u in c.scenario.counters.values()})
    flies = c.scenario.game.rules.combat.air is not None
    if flies and tables.bombardment is None:
        yield c.say(
            "tables.yaml",
            [],
            "has no `bombardment`, on which the attacks by air of game.yaml are judged",
            "não tem `bombardment`, pelo qual se julgam os ataques aéreos de game.yaml",
        )
    if tables.bombardment is None:
        return
    for kind in ("air", "artillery") if flies else ("artillery",):
        for type_ in types:
            if type_ not in tables.vulnerability.get(kind, {}):
                yield c.say(
                    "tables.yaml",
                    ["vulnerability", kind],
                    f"has no index for {type_}",
                    f"não tem índice para {type_}",
                )


def _columns(c: Checker) -> Iterator[Problem]:
    """Columns are ones that odds and values can come to, and rise from left to right."""
    tables = c.scenario.tables
    last: Fraction | None = None
    for name in tables.crt.columns:
        ratio = _ODDS.fullmatch(name)
        if ratio is None:
            yield c.say(
                "tables.yaml",
                ["crt", "columns"],
                f"the column {name!r} is never reached; odds are n-1 or 1-n, for their fraction is dropped",
                f"a coluna {name!r} nunca é alcançada; as proporções são n-1 ou 1-n, pois a fração é desprezada",
            )
            continue
        strength = Fraction(int(ratio[1] or 1), int(ratio[4] or 1))
        if last is not None and strength <= last:
            yield c.say(
                "tables.yaml",
                ["crt", "columns"],
                f"the column {name!r} does not rise from the one before it",
                f"a coluna {name!r} não é maior que a anterior",
            )
        last = strength
    low = -1
    for name in tables.bombardment.columns if tables.bombardment else ():
        bounds = _BOUNDS.fullmatch(name)
        if bounds is None or int(bounds[1]) <= low:
            yield c.say(
                "tables.yaml",
                ["bombardment", "columns"],
                f"the column {name!r} is no span of values that rises from the one before it, as 13-24 or 49+",
                f"a coluna {name!r} não é uma faixa de valores maior que a anterior, como 13-24 ou 49+",
            )
        low = int(bounds[1]) if bounds else low


def _table(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    rolls = [roll for name in table.rows for roll in name.split(",")]
    for roll in map(str, range(2, 13)):
        if rolls.count(roll) != 1:
            yield c.say(
                "tables.yaml",
                [key, "rows"],
                f"the roll {roll} has {rolls.count(roll)} rows; expected one",
                f"o resultado {roll} dos dados tem {rolls.count(roll)} linhas; esperava-se uma",
            )
    for name, cells in table.rows.items():
        if len(cells) != len(table.columns):
            yield c.say(
                "tables.yaml",
                [key, "rows", name],
                f"has {len(cells)} cells; the table has {len(table.columns)} columns",
                f"tem {len(cells)} células; a tabela tem {len(table.columns)} colunas",
            )
        for code in sorted({code for cell in cells for code in cell.split()} - set(RESULTS)):
            known = ", ".join(RESULTS)
            yield c.say(
                "tables.yaml",
                [key, "rows", name],
                f"{code!r} is no result; expected {known}",
                f"{code!r} não é um resultado; esperava-se {known}",
            )
