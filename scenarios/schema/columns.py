"""What finds the column of a table: odds, the difference of strengths, or one value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Final, Literal

from hexforge.scenarios.schema.declared import Field, Model

Rounding = Literal["defender", "nearest", "attacker"]
Beyond = Annotated[
    str,
    Field(
        pattern="^(end|refused|[A-Z][A-Z0-9]*)$",
        description="`end`: they stand on the end column; `refused`: there is no such attack; or the code of the "
        "result that it has without dice",
    ),
]
_ODDS: Final = re.compile(r"([1-9][0-9]?)[-:]([1-9][0-9]?)")
_BOUNDS: Final = re.compile(r"(?:≤|<=)?([+-]?[0-9]{1,3})(?:(?:-|\.\.)([+-]?[0-9]{1,3})|\+)?")


class ByOdds(Model):
    """The ratio of attack to defence; columns are called `1-2`, `3-2`, `4-1`."""

    kind: Literal["odds"]
    rounding: Rounding = Field(
        description="who gains where the ratio lies between two columns: `defender` takes the lower, "
        "`attacker` the higher, `nearest` the nearer"
    )
    inverse: Rounding | None = Field(
        default=None, description="the same where the defence is the stronger, if it is not rounded alike"
    )
    below: Beyond = Field(
        default="end", description="what becomes of odds below the first column, before any shift"
    )
    above: Beyond = Field(default="end", description="what becomes of odds above the last column, before any shift")


class ByDifference(Model):
    """Attack less defence; columns are called by their bounds: `-3`, `0`, `+1..2`, `8+`."""

    kind: Literal["difference"]
    below: Beyond = Field(
        default="end", description="what becomes of a difference below the first column, before any shift"
    )
    above: Beyond = Field(
        default="end", description="what becomes of a difference above the last column, before any shift"
    )


class ByValue(Model):
    """One value, that of the fire; columns are called by their bounds: `1-12`, `49+`."""

    kind: Literal["value"]


ColumnBy = Annotated[
    ByOdds | ByDifference | ByValue,
    Field(discriminator="kind", description="what finds the column: odds, a difference, or a value"),
]


def parse_odds(text: str) -> tuple[int, int]:
    """`3-2` or `3:2` as two positive numbers. Raises ValueError for what is no ratio."""
    match = _ODDS.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no ratio of two positive numbers")
    return int(match[1]), int(match[2])


def lower_bound(text: str) -> int:
    """The least number of a column by its name. Raises ValueError for what names none."""
    match = _BOUNDS.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} has no bounds")
    return int(match[1])


def upper_bound(text: str) -> int | None:
    """The greatest number of a column by its name; None where it has no end. Raises ValueError as `lower_bound`."""
    least, match = lower_bound(text), _BOUNDS.fullmatch(text)
    if text.endswith("+") or match is None:
        return None
    return int(match[2]) if match[2] else least


@lru_cache(maxsize=64)
def ratios(columns: tuple[str, ...]) -> tuple[Fraction, ...]:
    """The ratio of each column."""
    return tuple(Fraction(*parse_odds(column)) for column in columns)


@lru_cache(maxsize=64)
def lower_bounds(columns: tuple[str, ...]) -> tuple[int, ...]:
    """The least number of each column."""
    return tuple(map(lower_bound, columns))


def scale(ratio: Fraction) -> Fraction:
    """Odds on a scale on which 1-3, 1-2, 1-1, 2-1 lie one apart."""
    return ratio if ratio >= 1 else 2 - 1 / ratio


def halfway(below: Fraction, above: Fraction) -> Fraction:
    """The odds in the middle of two, on that scale."""
    middle = (scale(below) + scale(above)) / 2
    return middle if middle >= 1 else 1 / (2 - middle)


def last_reached(bounds: Sequence[Fraction | int], value: Fraction | int) -> int:
    """Index of the last bound that a value reaches; the first where it reaches none."""
    return max((i for i, bound in enumerate(bounds) if bound <= value), default=0)
