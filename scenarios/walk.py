"""One walk over the schemas: every value in a scenario's files whose field bears a mark in its type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import UnionType
from typing import (
    Annotated,
    Any,
    Generic,
    NamedTuple,
    Protocol,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from .schema.base import FieldMark
from .schema.declared import Model

Where = tuple[str | int, ...]
"""The keys and list positions that lead to a value in a file; in counters.csv a counter's id and a column."""
M = TypeVar("M", bound=FieldMark)


class Marked(NamedTuple, Generic[M]):
    """A value with its mark. `holders` are the models around it, the file's own first."""

    mark: M
    value: Any
    file: str
    where: Where
    holders: tuple[Model, ...]


_Found = tuple[Any, Any, Where, tuple[Model, ...]]
Finder = Callable[[Any, Where, tuple[Model, ...]], Iterator[_Found]]
"""Finds the marked values in a value of one type."""


class Files(Protocol):
    """What was read: a whole game, or an extension."""

    @property
    def folder(self) -> Path:
        """Where it was read from."""

    @property
    def files(self) -> Mapping[str, Model]:
        """The YAML files by name."""

    @property
    def counters(self) -> Mapping[str, Model]:
        """The rows of counters.csv by id."""


def marked(scenario: Files, kind: type[M]) -> Iterator[Marked[M]]:
    """Every value with a mark of a kind, file by file."""
    wanted: Any = kind  # A class with a dataclass below it is not hashable to mypy, which a cache asks for.
    for file, holder in scenario.files.items():
        for mark, value, where, holders in _in_model(type(holder), wanted)(holder, (), ()):
            yield Marked(mark, value, file, where, holders)
    for id_, counter in scenario.counters.items():
        for mark, value, where, holders in _in_model(type(counter), wanted)(counter, (id_,), ()):
            yield Marked(mark, value, "counters.csv", where, holders)


def _made(model: Any, kind: Any) -> Finder:
    hints = get_type_hints(model, include_extras=True)
    found = ((name, _in_type(hints[name], kind, None)) for name in model.model_fields)
    fields = [(name, finder) for name, finder in found if finder is not None]

    def find(value: Model, where: Where, holders: tuple[Model, ...]) -> Iterator[_Found]:
        for name, finder in fields:
            yield from finder(getattr(value, name), (*where, name), (*holders, value))

    return find


_in_model: Callable[[Any, Any], Finder] = cache(_made)


def _in_type(hint: Any, kind: Any, mark: FieldMark | None) -> Finder | None:
    """How to find the marks in a value of a type, or None where it can hold none."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _in_type(args[0], kind, next((note for note in args[1:] if isinstance(note, kind)), mark))
    if origin in (Union, UnionType):
        return _in_choice([arg for arg in args if arg is not type(None)], kind, mark)
    if origin is dict:
        return _in_mapping(*(_in_type(arg, kind, mark) for arg in args))
    if origin is tuple and (mark is None or mark.EACH):
        return _in_list(_in_type(args[0], kind, mark), inline=mark is not None)
    if isinstance(hint, type) and issubclass(hint, Model):
        return _in_model(hint, kind)
    return None if mark is None else lambda value, where, holders: iter(((mark, value, where, holders),))


def _in_choice(hints: list[Any], kind: Any, mark: FieldMark | None) -> Finder | None:
    """For a value of one of several types: models are told apart by their class, of others there is one at most."""
    bare = [get_args(hint)[0] if get_origin(hint) is Annotated else hint for hint in hints]
    models = {one: _in_model(one, kind) for one in bare if isinstance(one, type) and issubclass(one, Model)}
    found = (_in_type(h, kind, mark) for h, one in zip(hints, bare, strict=True) if one not in models)
    others = [finder for finder in found if finder is not None]

    def find(value: Any, where: Where, holders: tuple[Model, ...]) -> Iterator[_Found]:
        if type(value) in models:
            yield from models[type(value)](value, where, holders)
        elif value is not None and others:
            yield from others[0](value, where, holders)

    return find if models or others else None


def _in_list(finder: Finder | None, *, inline: bool) -> Finder | None:
    """`inline`: a list of words that may stand in one line, so that the list is the place of each."""
    if finder is None:
        return None

    def find(value: Any, where: Where, holders: tuple[Model, ...]) -> Iterator[_Found]:
        for i, item in enumerate(value):
            yield from finder(item, where if inline else (*where, i), holders)

    return find


def _in_mapping(keys: Finder | None, values: Finder | None) -> Finder | None:
    if keys is None and values is None:
        return None

    def find(value: Any, where: Where, holders: tuple[Model, ...]) -> Iterator[_Found]:
        for key, item in value.items():
            if keys is not None:
                yield from keys(key, (*where, key), holders)
            if values is not None:
                yield from values(item, (*where, key), holders)

    return find
