"""What is left of a file when that is cut out which its schema does not take: for looking at the rest of a game.

Nothing is played or built with it. A wrong number in one cell would otherwise hide all that is wrong elsewhere.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import ValidationError

from hexforge.scenarios.objections import STRANGE, meant, place_in
from hexforge.scenarios.problems import Problem, ScenarioError
from hexforge.scenarios.schema.declared import Model

if TYPE_CHECKING:
    from hexforge.scenarios.sources import Sources

M = TypeVar("M", bound=Model)
Path = tuple[str | int, ...]

_MOST_TIMES: Final = 20
"""How often a file is cut: what is cut out may be what a later reading finds missing."""
_INSTEAD: Final = dict.fromkeys(("int_parsing", "int_type", "int_from_float", "greater_than_equal"), 1)
"""What stands for a wrong number, by the type of the library's error."""
_WORD: Final = re.compile(r"[\w-]+")


class Mending:
    """Files without what is wrong in them, and what was cut out."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._gone: dict[tuple[str, Path], list[int]] = {}
        self._names: set[str] = set()
        self._tried: set[tuple[str, Path]] = set()
        self.whole = True
        """Whether the files are as they stand but for the names of keys."""

    def read(self, name: str, schema: type[M]) -> M | None:
        """A file as far as its schema takes it; None where nothing is left of it."""
        try:
            raw = copy.deepcopy(self._sources.merged(name))
        except ScenarioError:
            return None
        for _ in range(_MOST_TIMES):
            try:
                return schema.model_validate(raw, context={"grid": self._sources.grid, "unnamed": False})
            except ValidationError as error:
                items = error.errors(include_url=False)
            # What is named rightly or has a sensible number may be all that was wrong.
            if sum(self._replaced(name, raw, schema, item) for item in items):
                continue
            places = {place_in(raw, item["loc"]) for item in items}
            if () in places:
                return None
            # Of a list the last goes first, so that the numbers of the others stay.
            for place in sorted(places, key=lambda steps: [(isinstance(s, int), s) for s in steps], reverse=True):
                self._cut(name, raw, place)
        return None

    def _replaced(self, name: str, raw: Any, schema: type[M], item: Any) -> bool:
        """Whether something stands in the place of what is wrong: once, for a second time it is cut out."""
        place = place_in(raw, item["loc"])
        if (name, place) in self._tried or not place:
            return False
        *way, last = place
        holder = raw
        for step in way:
            holder = holder[step]
        key = meant(schema, item["loc"]) if item["type"] == STRANGE else ""
        if key and key not in holder:
            holder[key] = holder.pop(last)
            return True
        if item["type"] == "missing" or item["type"] not in _INSTEAD:
            return False
        self._tried.add((name, place))
        self.whole = False
        holder[last] = _INSTEAD[item["type"]]
        return True

    def _cut(self, name: str, raw: Any, place: Path) -> None:
        self.whole = False
        *way, last = place
        holder = raw
        for step in way:
            if step not in holder and not isinstance(holder, list):
                return  # it went with what holds it
            holder = holder[step]
        self._names |= {str(last), *_words(holder[last])}
        if isinstance(holder, list) and isinstance(last, int):
            original = self.origin(name, place)
            self._gone.setdefault((name, original[:-1]), []).append(int(original[-1]))
        del holder[last]

    def origin(self, name: str, where: Sequence[str | int]) -> Path:
        """The place in the file of what now stands at a place."""
        found: Path = ()
        for step in where:
            here = step
            for gone in sorted(self._gone.get((name, found), ())) if isinstance(step, int) else ():
                here = int(here) + (gone <= int(here))
            found = (*found, here)
        return found

    def hides(self, problem: Problem) -> bool:
        """Whether a problem may be one only because something was cut out."""
        values = problem.message.values.values()
        said = {str(v) for value in values for v in (value if isinstance(value, tuple) else (value,))}
        return not self._names.isdisjoint(said)


def _words(value: Any) -> Iterator[str]:
    """All words in a value, keys included."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _words(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _words(inner)
    else:
        yield from _WORD.findall(str(value))
