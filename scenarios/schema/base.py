"""Vocabulary that the schemas share."""

from __future__ import annotations

import re
from fractions import Fraction
from math import inf
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from hexforge.scenarios.language import said

_HEX = re.compile(r"[0-9]{4}")
_SIDE = re.compile(r"([0-9]{4})/([0-9]{4})")


class Model(BaseModel):
    """Base of all file schemas: unknown keys are errors, values do not change once read."""

    # Most of these are parts of others: only what is validated by itself needs a validator of its own.
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True, defer_build=True)


def _hex(value: Any) -> Any:
    text = f"{value:04d}" if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not _HEX.fullmatch(text):
        raise ValueError(
            said(
                f"{value!r} is not a hex: four digits, column then row, as in 0609",
                f"{value!r} não é um hexágono: quatro algarismos, coluna e linha, como em 0609",
            )
        )
    return text


def _words(value: Any) -> Any:
    """A blank-separated string, a single number or a list: people write lists in all three ways."""
    if isinstance(value, str):
        return value.split()
    if isinstance(value, int):
        return [value]
    return value


def _hexes(value: Any) -> Any:
    words = _words(value)
    if not isinstance(words, list | tuple):
        return words
    out: list[Any] = []
    for word in words:
        if isinstance(word, str) and ".." in word:
            from hexforge.scenarios.hexgrid import HexGrid

            first, last = word.split("..", 1)
            out += HexGrid(1, 1).run(_hex(first), _hex(last))
        else:
            out.append(_hex(word))
    return out


def _side(value: Any) -> Any:
    match = _SIDE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError(
            said(
                f"{value!r} is not a hexside: two hexes, as in 0304/0305",
                f"{value!r} não é um lado de hexágono: dois hexágonos, como em 0304/0305",
            )
        )
    a, b = match.groups()
    return (a, b) if a < b else (b, a)


def _sides(value: Any) -> Any:
    words = _words(value)
    return [_side(w) for w in words] if isinstance(words, list | tuple) else words


def _halves(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or value in (inf, -inf):
        raise ValueError(
            said(
                f"{value!r} is not a number of movement points",
                f"{value!r} não é um número de pontos de movimentação",
            )
        )
    halves = Fraction(value) * 2
    if halves.denominator != 1 or halves < 0:
        raise ValueError(
            said(
                f"{value!r} is not a number of whole or half movement points",
                f"{value!r} não é um número de pontos de movimentação inteiros ou meios",
            )
        )
    return int(halves)


HexId = Annotated[str, BeforeValidator(_hex, json_schema_input_type=str | int), Field(pattern="^[0-9]{4}$")]
HexList = Annotated[tuple[str, ...], BeforeValidator(_hexes, json_schema_input_type=str | int | list[str | int])]
"""Hexes, as a list or as blank-separated text; `0101..0112` is a straight run of a row or a column."""
SideId = Annotated[tuple[str, str], BeforeValidator(_side, json_schema_input_type=str)]
SideList = Annotated[tuple[tuple[str, str], ...], BeforeValidator(_sides, json_schema_input_type=str | list[str])]
Words = Annotated[tuple[str, ...], BeforeValidator(_words, json_schema_input_type=str | list[str])]
Halves = Annotated[int, BeforeValidator(_halves, json_schema_input_type=float)]
"""Movement points, counted in halves so that half-point roads stay exact: a file's 0.5 is 1 here."""

Provenance = Literal["printed", "gazetteer", "assumed"]
"""`printed`: the rulebook says so; `gazetteer`: real geography says so; `assumed`: our reconstruction."""

Identifier = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=64)]
