"""What is wrong with a file by itself, with lines: what its schema objects to, each slip once, and empty values.

What is left of a file when that is cut out which its schema does not take: for looking at the rest of a game.

Nothing is played or built with it. A wrong number in one cell would otherwise hide all that is wrong elsewhere.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import ValidationError

from .console import Problem, ScenarioError, alike, message_of
from .schema.declared import Model
from .sources import depth
from .text.words import message

if TYPE_CHECKING:
    from .sources import Sources


STRANGE: Final = "unexpected_keyword_argument"
"""What the library calls a key that there is not."""
_REMARKS: Final = ("name", "note")
"""Keys whose text may be empty."""
_LIKE: Final = 0.7
"""How alike a key must be to one that there is, between 0 and 1, to be told as a slip of it."""


def objections(sources: Sources, name: str, schema: type[Model], error: ValidationError) -> Iterator[Problem]:
    """What a schema objects to in the file called `name`.

    A misspelt key is told with the one that it is like, and that one is not called missing besides; a list is not
    called too short for an item in it that is wrong.
    """
    items = [(tuple(item["loc"]), item) for item in error.errors(include_url=False)]
    strange = {loc: item for loc, item in items if item["type"] == STRANGE}
    like = {loc: meant(schema, loc) for loc in strange}
    found = {(*loc[:-1], key) for loc, key in like.items() if key}
    raw = sources.merged(name)
    at: dict[tuple[str | int, ...], list[Any]] = {}
    for loc, item in items:
        inner = any(len(other) > len(loc) and other[: len(loc)] == loc for other, _ in items)
        if not ((item["type"] == "missing" and loc in found) or (item["type"] == "too_short" and inner)):
            at.setdefault(_where(raw, loc, item), []).append((loc, item))
    for where, wrong in at.items():
        if any(len(other) > len(where) and other[: len(where)] == where for other in at) and _of_kind(wrong):
            continue  # a value that may be of two kinds is of the one in which something is found
        path, line = sources.locate(name, where)
        said = message_of(*(item for _, item in wrong))
        if (loc := wrong[0][0]) in strange:
            key = like[loc]
            bare = "bare" if wrong[0][1]["input"] is None else STRANGE
            said = message(f"scenario.schema.{'misspelt' if key else bare}", key=key)
        yield Problem(str(path), line, ".".join(map(str, where)), said)


def _where(raw: Any, loc: Sequence[str | int], item: Mapping[str, Any]) -> tuple[str | int, ...]:
    """The place in the file: without the library's steps for kinds of a choice, with the key that is missing."""
    place = place_in(raw, loc)
    if item["type"] == "union_tag_invalid":
        return (*place, str(item["ctx"]["discriminator"]).strip("'"))
    return (*place, loc[-1]) if item["type"] == "missing" else place


def _of_kind(wrong: Sequence[tuple[Any, Mapping[str, Any]]]) -> bool:
    """Whether all that is wrong with a value is its kind."""
    return all(item["type"].endswith(("_type", "_parsing")) or item["type"] == "literal_error" for _, item in wrong)


def place_in(raw: Any, loc: Sequence[str | int]) -> tuple[str | int, ...]:
    """The innermost thing that a file has on the way to a place; steps of the library's own are passed over."""
    found: tuple[str | int, ...] = ()
    for step in loc:
        there = step in raw if isinstance(raw, dict) else isinstance(raw, list) and step in range(len(raw))
        if there:
            raw, found = raw[step], (*found, step)
    return found


def empty_values(sources: Sources, name: str) -> Iterator[Problem]:
    """Warnings on keys of the game's own file that name nothing: a list of nobody is read as no list, so as all.

    What takes a family's value away is meant, and so are whole parts of the file that are empty.
    """
    families = sources.families(name)
    for where in _empty(sources.yaml(sources.folder / name), ()):
        lent = any(depth(family, where) == len(where) for family in families)
        if len(where) > 1 and where[-1] not in _REMARKS and not lent:
            path, line = sources.locate(name, where)
            yield Problem(str(path), line, ".".join(map(str, where)), message("scenario.value.empty"), "warning")


def _empty(value: Any, where: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if value in ("", []) and where and isinstance(where[-1], str):
        yield where
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in inner:
        yield from _empty(item, (*where, step))


def meant(schema: type[Model], loc: Sequence[str | int]) -> str:
    """The key of the place that a strange one is like; empty if it is like none."""
    there: list[Any] = [schema]
    for step in loc[:-1]:
        there = [inner for hint in there for inner in _below(hint, step)]
    keys = {key for hint in there for model in _models(hint) for key in model.model_fields}
    return "".join(alike(str(loc[-1]), keys, least=_LIKE))


def _below(hint: Any, step: str | int) -> list[Any]:
    """The types of what stands at a step within a value of a type; the type itself for a step of the library's."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _below(args[0], step)
    if origin in (Union, UnionType):
        # Of a choice the library's place has the kind as a step, which may be called as one of its keys is.
        chosen = [model for model in _models(hint) if step in get_args(get_type_hints(model).get("kind"))]
        return chosen or [inner for arg in args if arg is not type(None) for inner in _below(arg, step)]
    if origin is dict:
        return [args[1]]
    if origin is tuple:
        return [args[0]] if isinstance(step, int) else [hint]
    if isinstance(hint, type) and issubclass(hint, Model):
        hints = get_type_hints(hint, include_extras=True)
        return [hints[str(step)]] if step in hint.model_fields else [hint]
    return []


def _models(hint: Any) -> Iterator[type[Model]]:
    origin, args = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and issubclass(hint, Model):
        yield hint
    elif origin is Annotated:
        yield from _models(args[0])
    elif origin in (Union, UnionType):
        for arg in args:
            yield from _models(arg)


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
