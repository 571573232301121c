"""What is wrong with single cells of result tables: codes that are none, or that exclude one another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, compress
from typing import Final

from hexforge.scenarios.checks.checker import Checker
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.schema.results import Demand, Result
from hexforge.scenarios.schema.tables import ResultTable

_CONTRADICTIONS: Final = {
    "attacker": (
        "two-retreats-attacker",
        "dead-retreats-attacker",
        "retreats-and-advances-attacker",
        "dead-goes-on-attacker",
        "all-and-some-attacker",
    ),
    "defender": (
        "two-retreats-defender",
        "dead-retreats-defender",
        "retreats-and-advances-defender",
        "dead-goes-on-defender",
        "all-and-some-defender",
    ),
}
"""What excludes what for a side, as keys of messages, in the order of `_contradictions`."""


def cells_can_be_carried_out(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    """Every code of a cell is a result, once, and no two of them ask one side for what excludes the other."""
    known = c.scenario.tables.results
    for row, cells in table.rows.items():
        for column, cell in zip(table.columns, cells, strict=False):
            where: list[str | int] = [key, "rows", row, table.columns.index(column)]
            codes = list(dict.fromkeys(cell.split()))
            if not codes:
                yield c.error("tables.yaml", where, "tables.empty-cell", column=column)
            if len(codes) < len(cell.split()):
                yield c.error("tables.yaml", where, "tables.code-twice", cell=cell, column=column)
            for code in codes:
                if code not in known:
                    yield c.error(
                        "tables.yaml", where, "tables.no-result-in", code=code, known=tuple(known), column=column
                    )
            for why in _contradictions([known[code] for code in codes if code in known]):
                yield c.error("tables.yaml", where, f"tables.{why}", cell=cell, column=column)


def _contradictions(results: list[Result]) -> Iterator[str]:
    """What excludes what among the demands of a cell, as keys of messages."""
    if len({result.exchange for result in results if result.exchange}) > 1:
        yield "two-exchanges"
    for side, keys in _CONTRADICTIONS.items():
        demands: list[Demand] = [getattr(result, side) for result in results]
        back = [d.retreat for d in demands if d.retreat]
        losses = [loss for d in demands for loss in (d.units, d.steps) if loss]
        gone = any(loss.count == "all" for loss in losses)
        excluded = (
            len({retreat.hexes for retreat in back}) > 1,
            bool(back) and gone,
            bool(back) and any(d.advance for d in demands),
            gone and any(d.advance or d.mark for d in demands),
            gone and any(loss.count != "all" for loss in losses),
        )
        yield from compress(keys, excluded)


def better_columns_are_better(c: Checker, key: str, table: ResultTable) -> Iterator[Problem]:
    """A warning where more odds turn a result that the defender alone suffers into one of the attacker alone."""
    known = c.scenario.tables.results
    for row, cells in table.rows.items():
        sides = [hurt([known[code] for code in cell.split() if code in known]) for cell in cells]
        for i, j in combinations(range(min(len(sides), len(table.columns))), 2):
            if (sides[i], sides[j]) == ({"defender"}, {"attacker"}):
                told = {"cell": cells[i], "other": cells[j], "column": table.columns[i], "higher": table.columns[j]}
                yield c.warning("tables.yaml", [key, "rows", row, i], "tables.turned", **told)
                break


def hurt(results: list[Result]) -> set[str]:
    """The sides that suffer from a cell; both by an exchange."""
    sides = ("attacker", "defender")
    demands = ((side, getattr(result, side)) for result in results for side in sides)
    found = {s for s, d in demands if d.units or d.steps or d.retreat or d.mark or d.morale}
    return {*sides} if any(result.exchange for result in results) else found
