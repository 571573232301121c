"""Rules of a list that are there twice, and rules that speak of nobody: what is copied and not changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hexforge.scenarios.checks.checker import Checker
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.schema.declared import Model
from hexforge.scenarios.schema.phases import PhaseSpec
from hexforge.scenarios.schema.rules_who import Selector
from hexforge.scenarios.walk import Where

_REPEATED: Final = ("sequence", "when", "ways", "hexsides", "bridges", "at_start", "reinforcements", "modifiers")
"""Lists in which a thing may stand twice, or of which another check says so."""


def rules_speak_of_somebody(c: Checker) -> Iterator[Problem]:
    """Warnings on rules that stand twice in their list, and on those that no unit of the game fits."""
    found = (
        problem
        for name, file in c.scenario.files.items()
        for where, value in _values(file, ())
        for problem in (*_again(c, name, where, value), *_nobody(c, name, where, value))
    )
    yield from (p for p in found if Path(p.file).parent == c.scenario.folder)


def _values(value: Any, where: Where) -> Iterator[tuple[Where, Any]]:
    """A value and all within it, each with the way that leads to it."""
    yield where, value
    if isinstance(value, Model):
        for name, part in value:
            yield from _values(part, (*where, name))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _values(item, (*where, key))
    elif isinstance(value, tuple) and value and isinstance(value[0], Model):
        for i, item in enumerate(value):
            yield from _values(item, (*where, i))


def _again(c: Checker, file: str, where: Where, value: Any) -> Iterator[Problem]:
    """The items of a list that an earlier one of it says already."""
    if not isinstance(value, tuple) or where[-1] in _REPEATED:
        return
    seen: list[Any] = []
    for i, item in enumerate(value):
        if isinstance(item, Model) and item in seen:
            yield c.warning(file, [*where, i], "value.said-twice", other=seen.index(item) + 1)
        seen.append(item)


def _nobody(c: Checker, file: str, where: Where, value: Any) -> Iterator[Problem]:
    """A rule for units of which there are none, and a phase in which nobody acts."""
    known = {*c.known["type"]}
    if isinstance(value, PhaseSpec) and value.who and known.issuperset(value.who):
        acting = Selector(side=value.side, types=value.who)
        if not _speaks(c, acting):
            yield c.warning(file, [*where, "who"], "game.phase-of-nobody", side=value.side, who=value.who)
    elif isinstance(value, Selector) and known.issuperset(value.types) and not _speaks(c, value):
        yield c.warning(file, list(where), "game.fits-nobody")


def _speaks(c: Checker, rule: Selector) -> bool:
    return any(c.scenario.fits(rule, id_) for id_ in c.scenario.counters)
