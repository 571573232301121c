"""What is wrong with a file by itself, with lines: what its schema objects to, each slip once, and empty values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from hexforge.scenarios.problems import Problem, message_of
from hexforge.scenarios.schema.declared import Model, declared
from hexforge.scenarios.sources import depth
from hexforge.scenarios.words import message

if TYPE_CHECKING:
    from pydantic import ValidationError

    from hexforge.scenarios.sources import Sources

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
    strange = {loc: item for loc, item in items if item["type"] == "extra_forbidden"}
    meant = {loc: _meant(schema, loc) for loc in strange}
    found = {(*loc[:-1], key) for loc, key in meant.items() if key}
    for loc, item in items:
        inner = any(len(other) > len(loc) and other[: len(loc)] == loc for other, _ in items)
        if (item["type"] == "missing" and loc in found) or (item["type"] == "too_short" and inner):
            continue
        where = [step for step in loc if not str(step).startswith("function-")]
        path, line = sources.locate(name, where)
        said = message_of(item)
        if loc in strange:
            key = meant[loc]
            said = message(f"scenario.schema.{'misspelt' if key else 'extra_forbidden'}", key=key)
        yield Problem(str(path), line, ".".join(map(str, where)), said)


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


def _meant(schema: type[Model], loc: Sequence[str | int]) -> str:
    """The key of the place that a strange one is like; empty if it is like none."""
    there: list[Any] = [schema]
    for step in loc[:-1]:
        there = [inner for hint in there for inner in _below(hint, step)]
    keys = {key for hint in there for model in _models(hint) for key in declared(model)}
    return "".join(get_close_matches(str(loc[-1]), sorted(keys), 1, _LIKE))


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
        return [hints[str(step)]] if step in declared(hint) else [hint]
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
