"""Vocabulary that the schemas share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, NamedTuple
from unicodedata import numeric

from hexforge.scenarios.schema.declared import BeforeValidator, Field
from hexforge.scenarios.words import BadValueError, Param, message

if TYPE_CHECKING:
    from pydantic import ValidationInfo

    from hexforge.scenarios.hexgrid import HexGrid

_HEX = re.compile(r"[A-Z]?[0-9]{4}")
_ANY = re.compile(r"[A-Za-z0-9]{1,12}")
_AROUND = re.compile(r"([A-Za-z0-9]{1,12})~([1-9][0-9]?)")
_PAIR = re.compile(r"([A-Za-z0-9]{1,12})/([A-Za-z0-9]{1,12})")


def _named(info: ValidationInfo | None) -> HexGrid | None:
    """The map that a file's hexes are named after, where it calls them in a way of its own."""
    found = info.context.get("grid") if info is not None and info.context else None
    return None if found is None or found.usual else found


def _form(info: ValidationInfo | None) -> re.Pattern[str]:
    """What a hex is like: anything, where the map itself does not say right what it calls them."""
    return _ANY if info is not None and info.context and info.context.get("unnamed") else _HEX


def hex_number(value: Any, info: ValidationInfo | None) -> Any:
    """A hex as people write it, as its map calls it: four digits after its map's letter, if any, or otherwise.

    Raises BadValueError, as the next ones do.
    """
    if (grid := _named(info)) is not None:
        return _own_name(value, grid)
    text = f"{value:04d}" if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not _form(info).fullmatch(text):
        raise BadValueError(message("scenario.value.hex", given=repr(value)))
    return text


def _own_name(value: Any, grid: HexGrid) -> str:
    """A hex by the name that a map of its own way has for it."""
    digits = "letters" not in (grid.naming.columns, grid.naming.rows)
    width = 2 * grid.naming.digits if digits else 1
    number = isinstance(value, int) and not isinstance(value, bool)
    found = grid.named(f"{value:0{width}d}" if number else str(value)) if isinstance(value, int | str) else None
    if found is None:
        raise BadValueError(message("scenario.value.hex-named", given=repr(value), first=grid.hexes[0]))
    return found


def _words(value: Any) -> Any:
    """A blank-separated string, a single number or a list: people write lists in all three ways."""
    if isinstance(value, str):
        return value.split()
    if isinstance(value, int):
        return [value]
    return value


def hexes_listed(value: Any, info: ValidationInfo | None) -> Any:
    """Hexes, runs of hexes, and those within so many of one, each once for each time that it is named."""
    words = _words(value)
    if not isinstance(words, list | tuple):
        return words
    out: list[Any] = []
    for word in words:
        if isinstance(word, str) and ".." in word:
            from hexforge.scenarios.hexgrid import HexGrid

            first, last = word.split("..", 1)
            grid = _named(info) or HexGrid(1, 1)
            out += grid.run(hex_number(first, info), hex_number(last, info))
        elif isinstance(word, str) and (around := _AROUND.fullmatch(word)):
            out += _within(hex_number(around[1], info), int(around[2]), info)
        else:
            out.append(hex_number(word, info))
    return out


def _within(hex_: str, distance: int, info: ValidationInfo | None) -> tuple[str, ...]:
    """The hexes of the map that lie at most so far from one of them."""
    grid = info.context.get("grid") if info is not None and info.context else None
    if grid is None or hex_ not in grid:
        raise BadValueError(message("scenario.value.around", given=repr(f"{hex_}~{distance}")))
    found: tuple[str, ...] = grid.within(hex_, distance)
    return found


def hex_pair(value: Any, info: ValidationInfo | None) -> Any:
    """The two hexes of a hexside, the lower first."""
    match = _PAIR.fullmatch(value) if isinstance(value, str) else None
    grid = _named(info)
    fits = grid.named if grid is not None else _form(info).fullmatch
    if match is None or not all(map(fits, match.groups())):
        key = "hexside" if grid is None else "hexside-named"
        raise BadValueError(message(f"scenario.value.{key}", given=repr(value), **_first(grid)))
    a, b = (hex_number(hex_, info) for hex_ in match.groups())
    return (a, b) if a < b else (b, a)


def _first(grid: HexGrid | None) -> dict[str, Param]:
    return {} if grid is None else {"first": "/".join((grid.hexes[0], grid.neighbours[grid.hexes[0]][0]))}


def hex_pairs(value: Any, info: ValidationInfo | None) -> Any:
    """Hexsides, as a list or as blank-separated text."""
    words = _words(value)
    return [hex_pair(w, info) for w in words] if isinstance(words, list | tuple) else words


_SHARE: Final = re.compile(r"\d{1,3}/[1-9]\d?")
_FINEST: Final = 6
"""The smallest parts of a point that games count: sixths."""
_PRINTED: Final = re.compile(r"(\d{1,3})?\s*([½¼¾⅓⅔])|(\d{1,3})[.,](\d)|(\d{1,3})")

_MULTIPLIERS: Final = {Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(3, 2): "1½"}


def printed(value: Any) -> Any:
    """A number as games print it, `½`, `2½`, `2,5`; anything else as it is."""
    found = _PRINTED.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        return value
    whole, part, before, tenth, plain = found.groups()
    if part:
        return int(whole or 0) + numeric(part)
    return int(plain) if plain else float(f"{before}.{tenth}")


def multiplier(factor: Fraction) -> str:
    """A factor as games print it: `½`, `1½`, `2`; others as `3/5`."""
    return _MULTIPLIERS.get(factor, str(factor))


def _halves(value: Any) -> Any:
    points = printed(value)
    if isinstance(points, str) and _SHARE.fullmatch(points):
        points = Fraction(points)
    if isinstance(points, bool) or not isinstance(points, int | float | Fraction) or points in (inf, -inf):
        raise BadValueError(message("scenario.value.points", given=repr(value)))
    halves = Fraction(points) * 2
    if halves.denominator != 1 or halves < 0:
        times = Fraction(points).limit_denominator(_FINEST) * 2
        hint = {"times": times.denominator} if times.denominator > 1 and halves > 0 else {}
        key = "parts-of-points" if hint else "half-points"
        raise BadValueError(message(f"scenario.value.{key}", given=repr(value), **hint))
    return int(halves)


Words = Annotated[tuple[str, ...], BeforeValidator(_words, json_schema_input_type=str | list[str])]
Halves = Annotated[int, BeforeValidator(_halves, json_schema_input_type=float | str)]
"""Movement points, counted in halves so that half-point roads stay exact: a file's 0.5 is 1 here."""

Size = Literal["I", "II", "III", "X", "XX", "XXX", "XXXX", "XXXXX"]
"""The marks of a unit's size, from company to army group."""

Provenance = Literal["printed", "gazetteer", "assumed"]
"""`printed`: the rulebook says so; `gazetteer`: real geography says so; `assumed`: our reconstruction."""


Origin = Annotated[Provenance, Field(description="where it comes from: the rulebook, real geography, or our guess")]
Section = Annotated[str, Field(description="section of the rulebook that says so, as findings cite it")]
Note = Annotated[str, Field(description="a remark for whoever reads the file")]


class FieldMark:
    """Says of a field, in its type, what `scenarios.walk` finds it for; with `EACH`, each item of a list."""

    EACH: ClassVar[bool] = True


class SourcedFact(NamedTuple):
    """One datum: which it is, its value, and where they differ from its model's own its source and its note."""

    id: str
    value: str
    source: str = ""
    note: Note = ""


@dataclass(frozen=True, slots=True)
class Sourced(FieldMark):
    """Marks a field that says where data come from: what kind they are of, and which of them a model has."""

    EACH: ClassVar[bool] = False
    kind: str
    facts: Callable[[Any], Iterable[SourcedFact]]


LANGUAGE: Final = "[a-z]{2,3}"
"""What a language's code is like (ISO 639)."""
LanguageCode = Annotated[str, Field(pattern=f"^{LANGUAGE}$")]
Identifier = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=64)]
