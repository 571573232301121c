"""What a game's own files define and nothing in them uses: most likely a slip of the hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hexforge.scenarios.checks.checker import Checker
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.references import MEANT_OTHERWISE
from hexforge.scenarios.schema.results import Result


def nothing_lies_idle(c: Checker) -> Iterator[Problem]:
    """Warnings on codes in no cell, groups without modifiers, marks that nothing gives.

    What a family lends need not be used: only what stands in the game's own folder is told.
    """
    yield from (p for p in (*_results(c), *_groups(c), *_marks(c)) if Path(p.file).parent == c.scenario.folder)


def _results(c: Checker) -> Iterator[Problem]:
    tables, overruns = c.scenario.tables, c.scenario.game.rules.movement.overruns
    both = [table for table in (tables.crt, tables.bombardment) if table is not None]
    used = {code for table in both for cells in table.rows.values() for cell in cells for code in cell.split()}
    used |= {getattr(tables.crt.column_by, key, "end") for key in ("below", "above")}
    used |= {rule.result for rule in overruns if rule.result}
    for code in tables.results:
        if code not in used:
            yield c.warning("tables.yaml", ["results", code], "tables.unused-result", code=code)
    without = [code for code, result in tables.results.items() if code in used and result == Result()]
    for code in without[1:]:
        yield c.warning("tables.yaml", ["results", code], "tables.without-effect", code=code, other=without[0])


def _groups(c: Checker) -> Iterator[Problem]:
    rules = c.scenario.game.rules.combat
    used = {rule.group for rule in rules.modifiers}
    for name in rules.groups:
        if name not in used:
            yield c.warning("game.yaml", ["rules", "combat", "groups", name], "tables.unused-group", name=name)


def _marks(c: Checker) -> Iterator[Problem]:
    rules, tables = c.scenario.game.rules, c.scenario.tables
    given = {mark for result in tables.results.values() for mark in result.marks}
    given |= {mark for rule in rules.supply for mark in (rule.mark, *rule.stages)}
    given |= {rule.mark for rule in rules.movement.passages}
    given |= {mark for rule in rules.marks for mark in rule.gives}
    for code, result in tables.results.items():
        for mark in sorted(MEANT_OTHERWISE.intersection(result.marks)):
            # Results gave such marks before sheets could name them: a game that has one is played on as it was.
            yield c.warning("tables.yaml", ["results", code], "tables.mark-word", mark=mark)
    for number, rule in enumerate(rules.marks):
        at: list[str | int] = ["rules", "marks", number]
        if rule.take is not None and rule.mark in MEANT_OTHERWISE:
            yield c.error("game.yaml", [*at, "mark"], "tables.mark-word", mark=rule.mark)
        if rule.mark not in given:
            yield c.warning("game.yaml", [*at, "mark"], "tables.unused-mark", name=rule.mark)
