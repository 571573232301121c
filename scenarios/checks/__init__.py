"""What a map maker would want to be told: the rules by which a scenario is examined.

What the rules of `scenarios.checks` share: the scenario under examination, and how to say what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ..console import Problem
from ..model import Scenario, known
from ..schema.base import RefKind
from ..text.hexgrid import EDGES, Hex
from ..text.words import Message, Param, message

Where = Sequence[str | int]
"""The keys and list positions that lead to a value in a file."""

Locate = Callable[[str, Where], tuple[Path, int]]
"""From a file's name and a `Where` to the file that holds the value, and its line."""

Origin = Callable[[str, Where], Where]
"""From a file's name and a `Where` in what is left of the file to the place in the whole of it."""

Rule = Callable[["Checker"], Iterator[Problem]]


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


def _place(file: str, where: Where) -> str | Message:
    if file.endswith(".csv") and len(where) > 1:
        return message("scenario.counters.cell", id=str(where[0]), column=str(where[1]))
    return ".".join(map(str, where))
