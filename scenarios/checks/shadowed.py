"""Rules of a list that no unit ever comes to, because one before them fits all that they fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from hexforge.scenarios.checks.checker import Checker
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.schema.declared import Model

_LISTED: Final = ("types", "divisions", "units", "marks", "weather")
_ALIKE: Final = ("phase", "whose", "moved")
"""Keys of which nothing fits everything: other values fit other cases."""


def rules_are_reached(c: Checker) -> Iterator[Problem]:
    """Where the first rule that fits counts, none stands behind one that fits whatever it fits."""
    rules = c.scenario.game.rules
    railway = rules.movement.railway
    groups: dict[tuple[str, ...], Sequence[Model]] = {
        ("attrition",): rules.attrition,
        ("replacements",): rules.replacements,
        ("movement", "zones", "exceptions"): rules.movement.zones.exceptions,
        ("movement", "railway", "uses"): railway.uses if railway is not None else (),
        ("combat", "advance", "far"): rules.combat.advance.far,
    }
    for keys, group in groups.items():
        for i, rule in enumerate(group):
            at: list[str | int] = ["rules", *keys, i]
            for j in range(i):
                both = _crossing(group[j], rule)
                if _covers(c, group[j], rule):
                    found = c.warning("game.yaml", at, "game.never-come-to", other=j + 1)
                elif both is not None and _covers(c, group[j], rule, ("turns",)):
                    found = c.warning("game.yaml", at, "game.crosses", other=j + 1, first=both[0], last=both[1])
                else:
                    continue
                if Path(found.file).parent == c.scenario.folder:
                    yield found
                break


def _crossing(first: Model, second: Model) -> tuple[int, int] | None:
    """The turns of either where each has some that the other has not: a slip, and no exception from a rule."""
    mine, theirs = getattr(first, "turns", None), getattr(second, "turns", None)
    if mine is None or theirs is None:
        return None
    both = (max(mine[0], theirs[0]), min(mine[1], theirs[1]))
    return both if both[0] <= both[1] and both not in (tuple(mine), tuple(theirs)) else None


def _covers(c: Checker, first: Model, second: Model, but: tuple[str, ...] = ()) -> bool:
    """Whether one rule fits whatever another fits, but for some keys."""
    for key in _ALIKE:
        if getattr(first, key, None) != getattr(second, key, None):
            return False
    if getattr(first, "side", None) not in (None, getattr(second, "side", None)):
        return False
    mine, theirs = getattr(first, "turns", None), getattr(second, "turns", None)
    if (
        "turns" not in but
        and mine is not None
        and (theirs is None or not mine[0] <= theirs[0] <= theirs[1] <= mine[1])
    ):
        return False
    for key in _LISTED:
        wide, narrow = _asked(c, key, first), _asked(c, key, second)
        if wide and not (narrow and wide >= narrow):
            return False
    return True


def _asked(c: Checker, key: str, rule: Model) -> frozenset[str]:
    """What a rule asks for in a key; types by themselves, without their classes."""
    asked = frozenset(getattr(rule, key, ()))
    if key != "types":
        return asked
    return frozenset(t for t in c.scenario.game.unit_types if asked & c.scenario.kinds(t)) if asked else asked
