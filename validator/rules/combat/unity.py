"""Unity of command (5.1.4): the columns that complete regiments and divisions move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

from ....scenarios.schema.rules_combat import Unity
from ..position import Unit
from ..roster import formation_key

Role = Literal["attack", "defence"]
Regiment: TypeAlias = tuple[str, str, str, bool]
"""Side, division, regiment, and whether a sheet declares it; each unit belongs to at most one.

A formation that a sheet declares is as large as the sheet makes it, whatever the scenario's own counters are.
"""
Division: TypeAlias = tuple[str, str, bool]
"""Side, division, and whether a sheet declares it."""
Formation: TypeAlias = Regiment | Division


@dataclass(frozen=True, slots=True)
class UnityResult:
    """Columns for one side (not negative, whichever side it is) and the formations that earn them.

    `regiment` and `division` are two bonuses, granted by a sentence each.
    """

    regiment: int = 0
    division: int = 0
    formations: tuple[str, ...] = ()

    @property
    def columns(self) -> int:
        """Both bonuses together."""
        return self.regiment + self.division


def unity(
    rules: Unity,
    roster: Mapping[str, Unit],
    fighters: Iterable[str],
    role: Role,
    *,
    counts: Callable[[str], bool] = lambda _: True,
    stacks: bool = False,
    lone: bool = True,
    supposed: Mapping[Formation, bool] = MappingProxyType({}),
) -> UnityResult:
    """The columns that `fighters`, all units of one side that take part, earn in a combat.

    A formation is complete when every unit of the roster that belongs to it and `counts` takes part; guns need not.
    `stacks` gives a column for each complete regiment instead of one for all; `lone`: one counts that has a single
    battalion in the game; `supposed` are formations taken to be whole, or not, whatever the counters say.
    """
    present = frozenset(u for u in fighters if u in roster)
    if not present:
        return UnityResult()
    sides = {roster[u].side for u in present}
    members = _members(rules, roster, counts, {(roster[u].side, roster[u].division) for u in present})
    members = {key: ids for key, ids in members.items() if lone or not _is_alone(rules, roster, key)}
    complete = [k for k, units in members.items() if k[0] in sides and supposed.get(k, units <= present)]
    regiments = [key for key in complete if not _listed(rules.no_regiment, key[0], key[2])]
    divisions = [
        key for key, whole in _divisions(rules, members, set(complete), sides).items() if supposed.get(key, whole)
    ]
    bonus, greater = getattr(rules.regiment, role), getattr(rules.division, role)
    commands = _commands(rules, roster, present) if bonus else []

    names = tuple(_name(key) for key in regiments if bonus) if not rules.unit_is_regiment else ()
    small = (len(regiments) + len(commands) if stacks else min(1, len(regiments) + len(commands))) * bonus
    if not divisions or not greater:
        return UnityResult(small, 0, (*names, *commands))
    labels = tuple(division for _, division, _ in divisions)
    if rules.division.in_all:
        others = [k for k in regiments if (k[0], k[1], k[3]) not in divisions]
        apart = len(others) * bonus if stacks else 0
        return UnityResult(small, max(0, greater + apart - small), (*names, *labels))
    return UnityResult(small, greater, (*names, *labels))


def nearly(
    rules: Unity, roster: Mapping[str, Unit], fighters: Iterable[str]
) -> Iterator[tuple[Formation, frozenset[str]]]:
    """Formations of which at least half takes part, and not all, with who is missing."""
    present = frozenset(u for u in fighters if u in roster)
    members = _members(rules, roster, lambda _: True, {(roster[u].side, roster[u].division) for u in present})
    divisions: dict[Formation, frozenset[str]] = {}
    for key, units in members.items():
        side, division, _, declared = key
        if division and not _listed(rules.no_division, side, division):
            divisions[side, division, declared] = divisions.get((side, division, declared), frozenset()) | units
    regiments: dict[Formation, frozenset[str]] = {
        key: units
        for key, units in members.items()
        if not rules.unit_is_regiment and not _listed(rules.no_regiment, key[0], key[2])
    }
    formations: dict[Formation, frozenset[str]] = {**regiments, **divisions}
    for formation, units in formations.items():
        missing = units - present
        if missing and 2 * len(missing) <= len(units):
            yield formation, missing


def excepted(
    rules: Unity, roster: Mapping[str, Unit], fighters: Iterable[str], role: Role, earned: UnityResult
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Columns that whole formations do not earn besides those `earned`, and who is in them.

    Regiments of guns, and what the text excepts.
    """
    present = frozenset(u for u in fighters if u in roster)
    divisions = {(roster[u].side, roster[u].division) for u in present}
    members = _members(rules, roster, lambda _: True, divisions, guns=True)
    whole = {key: units for key, units in members.items() if units <= present and not rules.unit_is_regiment}
    small, great = getattr(rules.regiment, role), getattr(rules.division, role)
    for key, units in whole.items() if small and not earned.regiment else ():
        if all(roster[u].is_gun for u in units) or _listed(rules.no_regiment, key[0], key[2]):
            yield small, tuple(sorted(units))
    by_division: dict[Division, frozenset[str]] = {}
    for (side, division, _, declared), units in _members(rules, roster, lambda _: True, divisions).items():
        own = side, division, declared
        by_division[own] = by_division.get(own, frozenset()) | units
    columns = great - (earned.regiment if rules.division.in_all else 0)
    for (side, division, _), units in by_division.items() if columns and not earned.division else ():
        if division and units <= present and _listed(rules.no_division, side, division):
            yield columns, tuple(sorted(units))


def uncommanded(
    rules: Unity, roster: Mapping[str, Unit], fighters: Iterable[str]
) -> Iterator[tuple[str, frozenset[str]]]:
    """Divisions of which a combat command lacks one of its types, and the units that would make it whole."""
    present = frozenset(u for u in fighters if u in roster)
    for command in rules.commands:
        for division in sorted({roster[u].division for u in present if roster[u].side == command.side} - {""}):
            declared = {bool(roster[u].line) for u in present if roster[u].division == division}
            mine = [u for u, one in roster.items() if one.division == division and bool(one.line) in declared]
            mine = [u for u in mine if roster[u].side == command.side]
            lacking = [t for t in command.types if not any(roster[u].is_any(t) for u in mine if u in present)]
            units = frozenset(u for u in mine if len(lacking) == 1 and roster[u].is_any(lacking[0]))
            if units:
                yield division, units


def _is_alone(rules: Unity, roster: Mapping[str, Unit], key: Regiment) -> bool:
    """Whether one battalion of a regiment is in the game, of which the text does not say that it is all of it."""
    if rules.unit_is_regiment or _listed(rules.of_one, key[0], key[2]):
        return False
    return len(_members(rules, roster, lambda _: True, {key[:2]}).get(key, ())) == 1


def _members(
    rules: Unity,
    roster: Mapping[str, Unit],
    counts: Callable[[str], bool],
    divisions: set[tuple[str, str]],
    *,
    guns: bool = False,
) -> dict[Regiment, frozenset[str]]:
    """Who belongs to each regiment of some divisions (a division named "" is that of the independent ones)."""
    found: dict[Regiment, set[str]] = {}
    for id_, unit in roster.items():
        if (unit.side, unit.division) not in divisions or (unit.is_gun and not guns) or not counts(id_):
            continue
        key = regiment_of(rules, unit)
        if key is not None:
            found.setdefault(key, set()).add(id_)
    return {key: frozenset(units) for key, units in found.items()}


def regiment_of(rules: Unity, unit: Unit) -> Regiment | None:
    """The regiment that a unit belongs to, or is; None for independent ones."""
    if rules.unit_is_regiment and unit.division:
        return unit.side, unit.division, unit.id, bool(unit.line)
    return (unit.side, unit.division, unit.regiment, bool(unit.line)) if unit.regiment else None


def division_of(unit: Unit) -> Division | None:
    """The division that a unit belongs to; None for independent ones."""
    return (unit.side, unit.division, bool(unit.line)) if unit.division else None


def _divisions(
    rules: Unity, members: Mapping[Regiment, frozenset[str]], complete: set[Regiment], sides: set[str]
) -> dict[Division, bool]:
    """The divisions that can have columns, and whether all their regiments are complete."""
    whole: dict[Division, bool] = {}
    for key in members:
        side, division, _, declared = key
        if division and side in sides and not _listed(rules.no_division, side, division):
            same = (side, division, declared)
            whole[same] = whole.get(same, True) and key in complete
    return whole


def _commands(rules: Unity, roster: Mapping[str, Unit], present: frozenset[str]) -> list[str]:
    found = []
    for command in rules.commands:
        divisions = sorted({roster[u].division for u in present if roster[u].side == command.side} - {""})
        for division in divisions:
            units = [roster[u] for u in present if roster[u].division == division]
            if all(any(unit.is_any(types) for unit in units) for types in command.types):
                found.append(division)
    return found


def _listed(lists: Mapping[str, Iterable[str]], side: str, label: str) -> bool:
    return formation_key(label) in {formation_key(word) for word in lists.get(side, ())}


def _name(key: Regiment) -> str:
    return f"{key[2]}/{key[1]}" if key[1] else key[2]
