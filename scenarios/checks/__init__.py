"""What a map maker would want to be told: the rules by which a scenario is examined.

What the rules of `scenarios.checks` share: the scenario under examination, and how to say what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from inspect import isfunction
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from ..console import Problem
from ..model import Scenario, known
from ..schema.base import RefKind, in_turns
from ..schema.declared import Model, Slip, default, required
from ..schema.rules import Rules
from ..schema.tables import HexsideEffect, TerrainEffect, WayEffect
from ..text.hexgrid import EDGES, Hex
from ..text.words import Message, Param, message

Where = Sequence[str | int]
"""The keys and list positions that lead to a value in a file."""

Locate = Callable[[str, Where], tuple[Path, int]]
"""From a file's name and a `Where` to the file that holds the value, and its line."""

Origin = Callable[[str, Where], Where]
"""From a file's name and a `Where` in what is left of the file to the place in the whole of it."""

Rule = Callable[["Checker"], Iterator[Problem]]


Case = Mapping[str, Any]
"""The values of what is said of a slip, with further steps to its place as `at`."""

Slips = tuple[tuple[type[Model], Slip], ...]
"""What models may have wrong by what only other parts of a game say."""


class Checker:
    """A scenario under examination. It makes problems that know their file and line.

    `error` and `warning` take the file, the way to the value, and a message: its key below `scenario.` and its
    parameters.
    """

    def __init__(self, scenario: Scenario, locate: Locate, origin: Origin | None = None) -> None:
        self.scenario = scenario
        self.strange: frozenset[str] = frozenset()
        """Names that stand for nothing, which are told by themselves."""
        self._find, self._origin = locate, origin
        self.game, self.map, self.tables = scenario.game, scenario.map, scenario.tables
        self.counters, self.setup, self.victory = scenario.counters, scenario.setup, scenario.victory
        self.units, self.kinds = tuple(scenario.counters.values()), scenario.kinds

    def _locate(self, file: str, where: Where) -> tuple[Path, int, str | Message]:
        """The file that has a value, the line, and what the place is called."""
        where = where if self._origin is None else self._origin(file, where)
        return *self._find(file, where), _place(file, where)

    def tell(
        self, file: str, where: Where, said: Message, severity: Literal["error", "warning"] = "error"
    ) -> Problem:
        """What somebody else found, with its file and line."""
        path, line, place = self._locate(file, where)
        return Problem(str(path), line, place, said, severity)

    def error(self, file: str, where: Where, key: str, /, **params: Param) -> Problem:
        """What leaves no sound game."""
        return self.tell(file, where, message(f"scenario.{key}", **params))

    def warning(self, file: str, where: Where, key: str, /, **params: Param) -> Problem:
        """What is most likely a slip."""
        return self.tell(file, where, message(f"scenario.{key}", **params), "warning")

    @property
    def rules(self) -> Rules:
        """The game's rules."""
        return self.game.rules

    @cached_property
    def models(self) -> tuple[tuple[str, tuple[str | int, ...], Model], ...]:
        """Every model in the files, with its file and its place; what holds others before them."""
        files = {**self.scenario.files, "counters.csv": self.counters}
        return tuple((name, *found) for name, file in files.items() for found in _models(file, ()))

    @cached_property
    def effects(self) -> tuple[tuple[str, str, TerrainEffect | HexsideEffect | WayEffect], ...]:
        """What ground, lines and ways do, each with its key in tables.yaml and its id."""
        keys = ("terrain", "hexsides", "ways")
        return tuple((key, id_, effect) for key in keys for id_, effect in getattr(self.tables, key).items())

    @cached_property
    def given(self) -> frozenset[str]:
        """The marks that results, supply and rules of marks give."""
        lines = (mark for rule in self.rules.supply for mark in (rule.mark, *rule.stages))
        rules = (mark for rule in self.rules.marks for mark in rule.gives)
        return frozenset((*lines, *rules, *(m for result in self.tables.results.values() for m in result.marks)))

    @cached_property
    def afar(self) -> bool:
        """Whether any unit fires at a distance."""
        return any(unit.range is not None for unit in self.units)

    @cached_property
    def single(self) -> bool:
        """Whether no unit has more than one step."""
        return all(not unit.backs for unit in self.units)

    def nobody_of(self, formation: str) -> bool:
        """Whether no unit is of any regiment, division or corps, or has no morale."""
        return not any(getattr(unit, formation) for unit in self.units)

    def types_of(self, words: Iterable[str]) -> set[str]:
        """The unit types that types and classes stand for."""
        return {kind for word in words for kind in self.game.classes.get(word, (word,))}

    def all_are(self, words: Iterable[str], side: str | None = None) -> bool:
        """Whether every unit, of a side or of all, is of some types or classes."""
        kinds, units = self.types_of(words), [unit for unit in self.units if side in (None, unit.side)]
        return bool(kinds and units) and all(unit.type in kinds for unit in units)

    def strangers(self, words: Iterable[str], types: Collection[str]) -> list[str]:
        """Those of some types and classes that have nothing in common with others; none are all."""
        return [word for word in words if types and self.types_of([word]).isdisjoint(self.types_of(types))]

    @property
    def turns(self) -> range:
        """The turns of the game."""
        return range(self.game.turns.first, self.game.turns.last + 1)

    def always(self, turns: tuple[int, int]) -> bool:
        """Whether spans have every turn of the game."""
        return all(in_turns(turns, turn) for turn in self.turns)

    @cached_property
    def fastest(self) -> int:
        """The most movement points that any counter shows."""
        return max((unit.move for unit in self.units), default=0)

    @cached_property
    def wide(self) -> int:
        """The columns of the widest table."""
        return max(len(table.columns) for table in (self.tables.crt, self.tables.bombardment) if table is not None)

    @cached_property
    def differ(self) -> int:
        """How much what the dice of the table of results show can differ."""
        ways = self.tables.crt.thrown.ways
        return max(ways) - min(ways)

    def regiments(self, units: Iterable[str]) -> int:
        """How many regiments some units belong to."""
        return len({self.counters[u].regiment for u in units if u in self.counters} - {""})

    def modifies(self, *effects: type[Model]) -> bool:
        """Whether a modifier of combat has one of some effects."""
        return any(isinstance(rule.what, effects) for rule in self.scenario.modifiers.rules)

    def idle(self, why: str, key: str) -> Mapping[str, Param]:
        """What is said of a key that has no effect, for a reason of `scenario.game.idle-for`."""
        return {"key": key, "why": message(f"scenario.game.idle-for.{why}")}

    @cached_property
    def known(self) -> dict[RefKind, Collection[Any]]:
        """What there is of each kind of thing that names stand for."""
        return known(self.scenario)

    @cached_property
    def rim(self) -> frozenset[Hex]:
        """The hexes along the rectangle's four edges."""
        grid = self.scenario.map.grid
        return frozenset(h for name in EDGES for h in grid.edge(name))

    @cached_property
    def waters(self) -> frozenset[str]:
        """Kinds of hexside that are water."""
        return frozenset(kind for kind, effect in self.scenario.tables.hexsides.items() if effect.water)


def rules_of(module: ModuleType) -> tuple[Rule, ...]:
    """The rules of a module, in their order: its functions that ask for an examination and nothing else."""
    own = (value for name, value in vars(module).items() if isfunction(value) and not name.startswith("_"))
    return tuple(f for f in own if f.__module__ == module.__name__ and [*f.__annotations__] == ["c", "return"])


def _models(value: Any, where: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Model]]:
    """The models in a value and all within them, each with the way that leads to it."""
    parts: Iterable[tuple[str | int, Any]] = ()
    if isinstance(value, Model):
        yield where, value
        parts = value
    elif isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, tuple) and value and isinstance(value[0], Model):
        parts = enumerate(value)
    for step, part in parts:
        yield from _models(part, (*where, step))


def slips_of(c: Checker, more: Slips) -> Iterator[Problem]:
    """What models have wrong by what their schemas say of themselves, and by `more`.

    Of what stands within a key that has no effect only that is told, with the first reason for it.
    """
    told, kinds = set[Where](), {type(model) for *_, model in c.models}
    known = {kind: (*kind.SLIPS, *(slip for schema, slip in more if schema is kind)) for kind in kinds}
    for file, where, model in c.models:
        for slip in known[type(model)]:
            if slip.severity != "idle":
                for case in _cases(slip.when(c, model)):
                    at = (*where, *filter(None, slip.at.split(".")), *case.get("at", ()))
                    values = {name: value for name, value in case.items() if name != "at"}
                    yield c.tell(file, at, message(f"scenario.{slip.said}", **values), slip.severity)
                continue
            for key in slip.at.split() or [""]:
                place = (file, *where, key) if key else (file, *where)
                said = (
                    not key or required(field := model.model_fields[key]) or getattr(model, key) != default(field)
                )
                within = any(place[:n] in told for n in range(2, len(place) + 1))
                if said and not within and slip.when(c, model):
                    told.add(place)
                    yield c.warning(file, place[1:], "game.idle", **c.idle(slip.said, str(place[-1])))


def _cases(found: Any) -> Iterable[Mapping[str, Any]]:
    """The values of each case of a slip, by what its test has answered."""
    return [{}] if found is True else [found] if isinstance(found, Mapping) else found or ()


def _place(file: str, where: Where) -> str | Message:
    if file.endswith(".csv") and len(where) > 1:
        return message("scenario.counters.cell", id=str(where[0]), column=str(where[1]))
    return ".".join(map(str, where))
