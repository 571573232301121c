"""Slips of which many lines would tell: what is defined under one name and called by another, told once."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from hexforge.scenarios.alike import alike
from hexforge.scenarios.checks.checker import Checker, Where
from hexforge.scenarios.problems import Problem
from hexforge.scenarios.references import Reference
from hexforge.scenarios.schema.references import RefKind

_MOST_PLACES: Final = 8


class _Definition(NamedTuple):
    """What kind of thing, its id, the file and the place in it."""

    kind: RefKind
    id: str
    file: str
    where: Where


_Section = tuple[RefKind, str, str, Collection[str]]
"""What kind of things, the file and the key that hold them, their ids."""


def misnamed(c: Checker, strange: Sequence[Reference]) -> dict[str, _Definition]:
    """By names that stand for nothing, the definitions that must be meant: each is like one and used by nobody.

    A name that stands in one place alone may be misspelt there as well, and is told there.
    """
    # What dice make of the weather of an area is where that weather is defined.
    used = {str(ref.id) for ref in c.scenario.references if ref.where[0] != "weather_die"}
    idle = [one for one in _definitions(c) if one.id not in used]
    found: dict[str, _Definition] = {}
    several = {name for name, many in Tally(str(ref.id) for ref in strange).items() if many > 1}
    for ref in (one for one in strange if str(one.id) in several) if idle else ():
        there = {id_: one for one in idle if (id_ := one.id) in c.known.get(ref.kind, ())}
        for like in alike(str(ref.id), there):
            found.setdefault(str(ref.id), there[like])
    return found | _skies(c, idle)


def _skies(c: Checker, idle: Sequence[_Definition]) -> dict[str, _Definition]:
    """The same of weathers that no cost goes by, though costs go by weather."""
    tables = c.scenario.tables
    costs = [effect.costs for effect in tables.terrain.values()]
    costs += [effect.costs for effect in tables.hexsides.values()]
    costs += [effect.costs for effect in tables.ways.values()]
    priced = {weather for by_class in costs for cost in by_class.values() for weather in cost} - {""}
    found: dict[str, _Definition] = {}
    for one in idle if priced else ():
        if one.kind == "weather" and one.id not in priced:
            found |= dict.fromkeys(alike(one.id, priced), one)
    return found


def told(c: Checker, strange: Iterable[Reference], found: Mapping[str, _Definition]) -> Iterator[Problem]:
    """One problem for each of them, at the definition, with the places that call it otherwise."""
    for name, (_, id_, file, where) in found.items():
        refs = [ref for ref in strange if str(ref.id) == name]
        places = dict.fromkeys(_place(c, ref) for ref in refs[:_MOST_PLACES])
        more = ("…",) if len(refs) > _MOST_PLACES else ()
        say = c.error if not refs or any(ref.binding for ref in refs) else c.warning
        key = "unknown.misnamed" if refs else "unknown.unnamed"
        yield say(file, where, key, id=id_, name=name, places=(*places, *more))


def follows(problem: Problem, found: Mapping[str, _Definition]) -> bool:
    """Whether a problem is one of what is misspelt where it is defined, and goes with that."""
    names = {*found, *(one.id for one in found.values())}
    said = {str(value) for given in problem.message.values.values() for value in _flat(given)}
    return not names.isdisjoint(said | {*str(problem.where).split(".")})


def _flat(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _place(c: Checker, ref: Reference) -> str:
    problem = c.error(ref.file, list(ref.where), "unknown.misnamed")
    return f"{Path(problem.file).name}:{problem.line}"


def _definitions(c: Checker) -> Iterator[_Definition]:
    scenario = c.scenario
    game, tables, ground = scenario.game, scenario.tables, scenario.map
    mappings: tuple[_Section, ...] = (
        ("unit-type", "game.yaml", "unit_types", game.unit_types),
        ("class", "game.yaml", "classes", game.classes),
        ("weather", "game.yaml", "weather", game.weather),
        ("marker", "game.yaml", "markers", game.markers),
        ("track", "game.yaml", "tracks", game.tracks),
        ("terrain", "tables.yaml", "terrain", tables.terrain),
        ("hexside", "tables.yaml", "hexsides", tables.hexsides),
        ("way", "tables.yaml", "ways", tables.ways),
        ("result", "tables.yaml", "results", tables.results),
    )
    for kind, file, key, ids in mappings:
        yield from (_Definition(kind, id_, file, [key, id_]) for id_ in ids)
    for id_ in game.movement_classes:
        yield _Definition("movement-class", id_, "game.yaml", ["movement_classes"])
    for i, side in enumerate(game.sides):
        yield _Definition("side", side.id, "game.yaml", ["sides", i, "id"])
    for i, place in enumerate(ground.places):
        yield _Definition("place", place.id, "map.yaml", ["places", i, "id"])
    for i, area in enumerate(ground.areas):
        yield _Definition("area", area.id, "map.yaml", ["areas", i, "id"])
    yield from (_Definition("unit", id_, "counters.csv", [id_]) for id_ in scenario.counters)
    yield from _thrown(c)
    yield from _marks(c)


def _thrown(c: Checker) -> Iterator[_Definition]:
    """Weathers that dice show."""
    die = c.scenario.game.weather_die
    for i, row in enumerate(die.rows if die is not None else ()):
        told_by: list[tuple[Where, Mapping[str, str]]] = [(["shows"], row.shows)]
        told_by += [(["areas", area], shows) for area, shows in row.areas.items()]
        for at, shows in told_by:
            for number, id_ in shows.items():
                yield _Definition("weather", id_, "game.yaml", ["weather_die", "rows", i, *at, number])


def _marks(c: Checker) -> Iterator[_Definition]:
    rules = c.scenario.game.rules
    for code, result in c.scenario.tables.results.items():
        yield from (_Definition("mark", mark, "tables.yaml", ["results", code]) for mark in result.marks)
    for i, line in enumerate(rules.supply):
        for mark in (line.mark, *line.stages):
            yield _Definition("mark", mark, "game.yaml", ["rules", "supply", i])
    for i, passage in enumerate(rules.movement.passages):
        yield _Definition("mark", passage.mark, "game.yaml", ["rules", "movement", "passages", i, "mark"])
