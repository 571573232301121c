"""Who is in the game: the scenario's counters and the units that a sheet declares, as one kind of value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from ...scenarios.model import Scenario
from ...scenarios.schema.base import Selector
from ...scenarios.schema.rules import Untried
from ...scenarios.schema.setup import CounterRow as Counter
from ..notation.statements_head import UnitDefinition
from .position import Position, Unit, UnitState
from .values import once_for_each

_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_]+")


def formation_key(name: str) -> str:
    """What a division or regiment is known by: its number, else its name in small letters (`4 AD` is `4`)."""
    number = _NUMBER.match(name.strip())
    return number.group() if number else name.strip().lower()


def from_counter(scenario: Scenario, counter: Counter) -> Unit:
    """A counter of the scenario."""
    assumed = set()
    if counter.source_strength != "printed":
        assumed.add("strength")
    if counter.source_reduced != "printed":
        assumed.add("reduced")
    if counter.source_range != "printed":
        assumed.add("range")
    if counter.source_identity != "printed" and (counter.regiment or counter.division):
        # Where the lists name no formation there is none: that is printed, whatever the battalion's number.
        assumed.add("identity")
    spec = scenario.game.unit_types.get(counter.type)
    return Unit(
        id=counter.id,
        side=counter.side,
        type=counter.type,
        attack=counter.attack,
        defence=counter.defence,
        move=counter.move,
        range=counter.range,
        reduced_attack=counter.reduced_attack,
        reduced_defence=counter.reduced_defence,
        size=counter.size,
        regiment=counter.regiment.lower(),
        division=counter.division.lower(),
        corps=counter.corps.lower(),
        movement=spec.movement if spec else "",
        kinds=scenario.kinds(counter.type),
        counters=frozenset({counter.id}),
        assumed=frozenset(assumed),
        unknown_back=scenario.game.rules.unknown_back,
        further=counter.further,
        morale=counter.morale,
        moves=counter.reduced_move,
    )


def from_sheet(scenario: Scenario, line: UnitDefinition) -> Unit:
    """A unit that the sheet declares; `counters` are those of the scenario that it stands for."""
    spec = scenario.game.unit_types.get(line.type)
    return Unit(
        id=line.unit,
        side=line.side,
        type=line.type,
        attack=line.attack,
        defence=line.defence,
        move=line.move,
        range=line.range,
        reduced_attack=line.reduced_attack,
        reduced_defence=line.reduced_defence,
        size=line.size,
        regiment=line.regiment.lower(),
        division=line.division.lower(),
        corps=line.corps.lower(),
        formation=line.formation.lower(),
        stands_in=_division_of(scenario, line),
        movement=spec.movement if spec else "",
        kinds=scenario.kinds(line.type),
        counters=stands_for(scenario, line),
        # The back that no line gives is the same guess for everybody, and the players' own figures are theirs.
        assumed=frozenset({"reduced"} if line.reduced_attack is None else ()),
        line=line.line,
        unknown_back=scenario.game.rules.unknown_back,
        further=line.further,
        morale=line.morale,
    )


def stands_for(scenario: Scenario, unit: UnitDefinition) -> frozenset[str]:
    """The counters that bear all that the sheet says of a unit's side, type and formation.

    Numbers count, not how they are dressed: `division 4` is the 4 AD, `formation 106-pz-bde` the 106th Brigade. A
    line that says nothing of them takes the place of the counter of its id, if there is one.
    """
    if exact := _counters_called(scenario, unit):
        return frozenset(c.id for c in exact)
    if not (unit.regiment or unit.division or unit.corps or unit.formation):
        return frozenset()
    fitting = [c for c in scenario.counters.values() if c.side == unit.side and _fits(c, unit)]
    return frozenset(c.id for c in fitting if c.type == unit.type) or frozenset(c.id for c in fitting)


def _counters_called(scenario: Scenario, unit: UnitDefinition) -> list[Counter]:
    """The counters whose id a line's `formation` is, with or without the side before it, or its own id is."""
    if unit.formation:
        same_side = (c for c in scenario.counters.values() if c.side == unit.side)
        return [c for c in same_side if unit.formation in (c.id, c.id.partition("-")[2])]
    counter = scenario.counters.get(unit.unit)
    told = unit.regiment or unit.division or unit.corps
    return [counter] if counter is not None and counter.side == unit.side and not told else []


def _division_of(scenario: Scenario, unit: UnitDefinition) -> str:
    divisions = {c.division.lower() for c in _counters_called(scenario, unit)}
    return divisions.pop() if len(divisions) == 1 else ""


def _fits(counter: Counter, unit: UnitDefinition) -> bool:
    """Whether a counter bears what is given of a unit; what is printed nowhere on it may stand in its id."""
    pairs = ((unit.regiment, counter.regiment), (unit.division, counter.division), (unit.corps, counter.corps))
    for given, printed in pairs:
        if given and not (_same(given, printed) if printed else _in_id(given, counter)):
            return False
    return not unit.formation or _in_id(unit.formation, counter)


def _same(given: str, printed: str) -> bool:
    words = set(_WORD.findall(printed.lower()))
    return formation_key(given) == formation_key(printed) or set(_WORD.findall(given.lower())) <= words


def _in_id(given: str, counter: Counter) -> bool:
    """Whether a name's numbers stand in a counter's id (`corps 401` is ge-401art), or its words if it has none."""
    numbers = set(_NUMBER.findall(given))
    if numbers:
        return numbers <= set(_NUMBER.findall(counter.id))
    return set(_WORD.findall(given.lower())) <= set(counter.id.split("-"))


@once_for_each
def _counters(scenario: Scenario) -> dict[str, Unit]:
    return {c.id: from_counter(scenario, c) for c in scenario.counters.values()}


def roster(scenario: Scenario, declared: Iterable[UnitDefinition], *, beside: bool = False) -> dict[str, Unit]:
    """All units by id; a unit that the sheet declares takes the place of a counter of the same id.

    With `beside` the sheet's units belong to the formations of the game's own, and one that has a counter's id is
    that counter with other figures.
    """
    units = dict(_counters(scenario))
    for line in declared:
        unit = from_sheet(scenario, line)
        if beside:
            unit = replace(_corrected(units[line.unit], unit) if line.unit in units else unit, line=0)
        units[line.unit] = unit
    return units


_PRINTED: Final = (
    "range",
    "reduced_attack",
    "reduced_defence",
    "further",
    "morale",
    "moves",
    "size",
    "regiment",
    "division",
    "corps",
)
"""What a counter shows, and keeps where a line that corrects it does not say otherwise."""


def _corrected(counter: Unit, unit: Unit) -> Unit:
    kept = {name: getattr(counter, name) for name in _PRINTED if getattr(unit, name) in ("", None, ())}
    told = {"strength"} | ({"reduced"} if unit.reduced_attack is not None else set())
    told |= {"range"} if unit.range is not None else set()
    return replace(unit, **kept, counters=counter.counters, assumed=counter.assumed - told)


def fits(selector: Selector, unit: Unit, state: UnitState | None = None) -> bool:
    """Whether a rule that speaks of `selector` speaks of a unit."""
    return (
        (selector.side is None or selector.side == unit.side)
        and (not selector.types or unit.is_any(selector.types))
        and (
            not selector.divisions
            or (bool(unit.named_division) and formation_key(unit.named_division) in selector.divisions)
        )
        and (not selector.units or (bool(unit.counters) and unit.counters <= set(selector.units)))
        and (not selector.marks or (state is not None and not state.marks.isdisjoint(selector.marks)))
    )


def untried(rules: Iterable[Untried], position: Position, unit: str) -> Untried | None:
    """The rule by which a unit begins without a strength; None for one that has its own."""
    who, state = position.roster[unit], position.units[unit]
    return next((rule for rule in rules if fits(rule, who, state)), None)
