"""Arithmetic of the combat and bombardment tables: odds, columns, rows. Nothing here knows a map or a unit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from hexforge.scenarios.schema.tables import ResultTable

FACES = range(1, 7)
ROLLS = range(2, 13)


@dataclass(frozen=True, slots=True)
class Ratio:
    """Odds as the game writes them: `attack`-`defence`, one of the two being 1."""

    attack: int
    defence: int

    def __str__(self) -> str:
        return f"{self.attack}-{self.defence}"

    @property
    def strength(self) -> Fraction:
        """The quotient, for comparison."""
        return Fraction(self.attack, self.defence)


def parse_ratio(text: str) -> Ratio:
    """`2-1` or `2:1` as a ratio. Raises ValueError unless both numbers are positive."""
    left, _, right = text.replace(":", "-").partition("-")
    ratio = Ratio(int(left), int(right))
    if ratio.attack < 1 or ratio.defence < 1:
        raise ValueError(f"{text!r} is no ratio of two positive numbers")
    return ratio


def odds(attack: int, defence: int, *, round_up_inverse: bool = False) -> Ratio | None:
    """The relation of forces of 5.1.1: the larger total divided by the smaller, the fraction dropped.

    Where the defence is larger the division is inverted, and `round_up_inverse` says whether its fraction then
    counts against the attacker. None when either total is 0, for there is nothing to divide by.
    """
    if attack <= 0 or defence <= 0:
        return None
    if attack >= defence:
        return Ratio(attack // defence, 1)
    inverse = -(-defence // attack) if round_up_inverse else defence // attack
    return Ratio(1, inverse)


@lru_cache(maxsize=64)
def _ratios(columns: tuple[str, ...]) -> tuple[Fraction, ...]:
    return tuple(parse_ratio(c).strength for c in columns)


def odds_column(table: ResultTable, attack: int, defence: int, *, round_up_inverse: bool = False) -> int:
    """Index of the column of two totals before any shift; totals of 0 stand on the end columns."""
    ratio = odds(attack, defence, round_up_inverse=round_up_inverse)
    if ratio is None:
        return len(table.columns) - 1 if defence <= 0 < attack else 0
    return ratio_column(table, ratio)


def ratio_column(table: ResultTable, ratio: Ratio) -> int:
    """Index of the column of a ratio; what lies beyond the table stands on its end column.

    A ratio between two columns takes the one worse for the attacker.
    """
    known = _ratios(table.columns)
    return max((i for i, strength in enumerate(known) if strength <= ratio.strength), default=0)


def overflow(table: ResultTable, ratio: Ratio | None) -> int:
    """How many columns a ratio lies beyond the table: negative to the left, positive to the right, 0 within."""
    if ratio is None:
        return 0
    first, last = parse_ratio(table.columns[0]), parse_ratio(table.columns[-1])
    if ratio.strength > last.strength:
        return ratio.attack - last.attack
    if ratio.strength < first.strength:
        return first.defence - ratio.defence
    return 0


def clamp(table: ResultTable, index: int) -> int:
    """An index held within the table."""
    return min(max(index, 0), len(table.columns) - 1)


def shifted(table: ResultTable, index: int, columns: Iterable[int], *, beyond: int = 0) -> int:
    """The column after all shifts: they are summed first, whatever their order, and held within the table last.

    `beyond` is the part of the odds that lies beyond the table, for those who clamp only at the end.
    """
    return clamp(table, index + beyond + sum(columns))


def column_index(table: ResultTable, name: str) -> int | None:
    """Index of a column by what a player writes: `2:1`, `13 - 24`, `49-∞`. None if the table has no such column."""
    wanted = _plain(name)
    for i, column in enumerate(table.columns):
        if _plain(column) == wanted:
            return i
    return None


def _plain(name: str) -> str:
    text = "".join(name.split()).replace(":", "-").lower()
    for dash in "‐‑‒–—−":
        text = text.replace(dash, "-")
    for infinite in ("-∞", "-inf", "-oo"):
        text = text.removesuffix(infinite) + "+" if text.endswith(infinite) else text
    return text


def value_column(table: ResultTable, value: int) -> int:
    """Index of the bombardment column of a value: the last one whose lower bound it reaches."""
    return max((i for i, low in enumerate(_lower_bounds(table.columns)) if low <= value), default=0)


@lru_cache(maxsize=64)
def _lower_bounds(columns: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(int(c.rstrip("+").split("-")[0]) for c in columns)


def result(table: ResultTable, roll: int, column: int) -> tuple[str, ...]:
    """The codes of a cell, e.g. `("DRI", "AVB")`. Raises KeyError for a sum that two dice cannot give."""
    return tuple(table.row(roll)[column].split())


def has_cell(table: ResultTable, codes: Sequence[str]) -> bool:
    """Whether any cell of the table holds just these codes."""
    return any(same_codes(codes, cell.split()) for row in table.rows.values() for cell in row)


def chances(table: ResultTable, column: int) -> list[tuple[tuple[str, ...], Fraction, tuple[int, ...]]]:
    """Every result that a column can give, its probability and its dice sums; the likeliest first."""
    found: dict[tuple[str, ...], list[int]] = {}
    for roll in ROLLS:
        found.setdefault(result(table, roll, column), []).append(roll)
    rows = [(codes, Fraction(sum(map(ways, sums)), 36), tuple(sums)) for codes, sums in found.items()]
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def ways(roll: int) -> int:
    """How many of the 36 throws of two dice give a sum."""
    return 6 - abs(roll - 7) if roll in ROLLS else 0


def same_codes(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether two results are the same, in whatever order their codes were written."""
    return sorted(a) == sorted(b)
