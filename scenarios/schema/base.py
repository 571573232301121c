"""Vocabulary that the schemas share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple

from hexforge.scenarios.schema.declared import BeforeValidator, Field
from hexforge.scenarios.words import BadValueError, message

_HEX = re.compile(r"[A-Z]?[0-9]{4}")
_SIDE = re.compile(r"([A-Z]?[0-9]{4})/([A-Z]?[0-9]{4})")


def hex_number(value: Any) -> Any:
    """A hex as people write it, as its four digits after its map's letter, if it has one.

    Raises BadValueError, as the next ones do.
    """
    text = f"{value:04d}" if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not _HEX.fullmatch(text):
        raise BadValueError(message("scenario.value.hex", given=repr(value)))
    return text


def _words(value: Any) -> Any:
    """A blank-separated string, a single number or a list: people write lists in all three ways."""
    if isinstance(value, str):
        return value.split()
    if isinstance(value, int):
        return [value]
    return value


def hexes_listed(value: Any) -> Any:
    """Hexes and runs of hexes, one by one."""
    words = _words(value)
    if not isinstance(words, list | tuple):
        return words
    out: list[Any] = []
    for word in words:
        if isinstance(word, str) and ".." in word:
            from hexforge.scenarios.hexgrid import HexGrid

            first, last = word.split("..", 1)
            out += HexGrid(1, 1).run(hex_number(first), hex_number(last))
        else:
            out.append(hex_number(word))
    return out


def hex_pair(value: Any) -> Any:
    """The two hexes of a hexside, the lower first."""
    match = _SIDE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise BadValueError(message("scenario.value.hexside", given=repr(value)))
    a, b = match.groups()
    return (a, b) if a < b else (b, a)


def hex_pairs(value: Any) -> Any:
    """Hexsides, as a list or as blank-separated text."""
    words = _words(value)
    return [hex_pair(w) for w in words] if isinstance(words, list | tuple) else words


def _halves(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or value in (inf, -inf):
        raise BadValueError(message("scenario.value.points", given=repr(value)))
    halves = Fraction(value) * 2
    if halves.denominator != 1 or halves < 0:
        raise BadValueError(message("scenario.value.half-points", given=repr(value)))
    return int(halves)


Words = Annotated[tuple[str, ...], BeforeValidator(_words, json_schema_input_type=str | list[str])]
Halves = Annotated[int, BeforeValidator(_halves, json_schema_input_type=float)]
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
