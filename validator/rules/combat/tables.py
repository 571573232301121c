"""Arithmetic of result tables: what finds the column, columns, rows. Nothing here knows a map or a unit.

What a result demands of both sides, by what the game says of its codes (5.1.6).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Final, Literal

from ....scenarios.schema.results import (
    ByDifference,
    ByOdds,
    Demand,
    Dice,
    Exchange,
    Loss,
    MoraleTest,
    Result,
    Retreat,
    Rounding,
    Worse,
    halfway,
    last_reached,
    lower_bounds,
    parse_odds,
    ratios,
)
from ....scenarios.schema.tables import ResultTable
from ..values import altered

FACES = range(1, 7)
"""Of the dice that are thrown for anything but a result table."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """Odds as a table writes them: `attack`-`defence`."""

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
    return Ratio(*parse_odds(text))


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


def inverse_of(table: ResultTable, option: str = "") -> Rounding | None:
    """How odds below 1-1 are rounded: by the option inverse_rounding where the game has it, else by the table."""
    by = table.column_by
    if not isinstance(by, ByOdds):
        return None
    chosen: dict[str, Rounding] = {"truncate": "attacker", "ceil": "defender"}
    return chosen.get(option) or by.inverse or by.rounding


def odds_column(table: ResultTable, attack: int, defence: int, *, inverse: Rounding | None = None) -> int:
    """Index of the column of two totals before any shift; what lies beyond the table stands on its end column.

    By odds, totals of 0 stand on the end columns.
    """
    by = table.column_by
    if not isinstance(by, ByOdds):
        return value_column(table, attack - defence)
    if attack <= 0 or defence <= 0:
        return len(table.columns) - 1 if defence <= 0 < attack else 0
    rounding = (inverse or inverse_of(table)) if attack < defence else by.rounding
    return _rounded(ratios(table.columns), Fraction(attack, defence), rounding or by.rounding)


def _rounded(known: Sequence[Fraction], ratio: Fraction, rounding: Rounding) -> int:
    low = last_reached(known, ratio)
    if known[low] >= ratio or low + 1 == len(known):
        return low
    if rounding == "defender":
        return low
    if rounding == "attacker":
        return low + 1
    # Right in the middle of two columns the defender gains.
    return low if ratio <= halfway(known[low], known[low + 1]) else low + 1


def outside(table: ResultTable, attack: int, defence: int, *, inverse: Rounding | None = None) -> int:
    """-1 where two totals come to less than the first column, 1 where they come to more than the last, else 0."""
    by, columns = table.column_by, table.columns
    if isinstance(by, ByDifference):
        first, last = columns[0], columns[-1]
        less = attack - defence < lower_bounds(columns)[0] and not first.startswith(("≤", "<="))
        return -1 if less else int(attack - defence > lower_bounds(columns)[-1] and not last.endswith("+"))
    if not isinstance(by, ByOdds) or attack <= 0 or defence <= 0:
        return 0
    low, high, ratio = ratios(columns)[0], ratios(columns)[-1], Fraction(attack, defence)
    if ratio < low:
        return (
            -1
            if _whole_ratio(1 / ratio, inverse or inverse_of(table) or by.rounding, up="defender") > 1 / low
            else 0
        )
    return int(ratio > high and _whole_ratio(ratio, by.rounding, up="attacker") > high)


def _whole_ratio(quotient: Fraction, rounding: Rounding, *, up: Rounding) -> int:
    if rounding == "nearest":
        return ceil(quotient - Fraction(1, 2)) if up == "attacker" else floor(quotient + Fraction(1, 2))
    return ceil(quotient) if rounding == up else floor(quotient)


def ratio_column(table: ResultTable, ratio: Ratio) -> int:
    """Index of the column of a ratio; what lies beyond the table stands on its end column.

    A ratio between two columns takes the one worse for the attacker.
    """
    return last_reached(ratios(table.columns), ratio.strength)


def overflow(table: ResultTable, ratio: Ratio | None) -> int:
    """How many columns a ratio lies beyond the table: negative to the left, positive to the right, 0 within."""
    if ratio is None or not isinstance(table.column_by, ByOdds):
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
    """Index of the column of a value or a difference: the last one whose lower bound it reaches."""
    return last_reached(lower_bounds(table.columns), value)


def result(table: ResultTable, roll: int, column: int) -> tuple[str, ...]:
    """The codes of a cell, e.g. `("DRI", "AVB")`; a number beyond the rows stands on the end row."""
    rows = table.by_number
    return tuple(rows[min(max(roll, min(rows)), max(rows))][column].split())


def row_of(table: ResultTable, roll: int | None, modifiers: Iterable[int]) -> int | None:
    """What dice come to with their modifiers; None without dice."""
    return None if roll is None else table.thrown.moved(roll, modified(table, modifiers))


def has_cell(table: ResultTable, codes: Sequence[str]) -> bool:
    """Whether any cell of the table holds just these codes."""
    return any(same_codes(codes, cell.split()) for row in table.rows.values() for cell in row)


def modified(table: ResultTable, modifiers: Iterable[int]) -> int:
    """What modifiers of the die come to together: their sum, within what the table allows."""
    total, most = sum(modifiers), table.die_modifier_most
    return total if most is None else min(max(total, -most), most)


def chances(
    table: ResultTable, column: int, *, die: int = 0
) -> list[tuple[tuple[str, ...], Fraction, tuple[int, ...]]]:
    """Every result that a column can give, its probability and what the dice show for it; the likeliest first.

    `die` moves what the dice show.
    """
    found: dict[tuple[str, ...], list[int]] = {}
    dice = table.thrown
    for roll in dice.ways:
        found.setdefault(result(table, dice.moved(roll, die), column), []).append(roll)
    rows = [
        (codes, Fraction(sum(dice.ways[roll] for roll in rolls), dice.throws), tuple(rolls))
        for codes, rolls in found.items()
    ]
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def same_codes(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether two results are the same, in whatever order their codes were written."""
    return sorted(a) == sorted(b)


Role = Literal["attacker", "defender"]


@dataclass(frozen=True, slots=True)
class SideDemands:
    """What a result demands of one side. A side retreats once, however many codes say so."""

    steps: Loss | None = None
    units: Loss | None = None
    retreat: Retreat | None = None
    marks: tuple[str, ...] = ()
    again: tuple[Worse, ...] = ()
    morale: MoraleTest | None = None
    advance: bool = False

    @property
    def dice(self) -> Dice | None:
        """The dice that say what it loses."""
        found = next((loss.dice for loss in (self.steps, self.units) if loss and loss.dice), None)
        return Dice.of(found) if found else None

    def with_(self, demand: Demand) -> SideDemands:
        """The same with what another code demands."""
        longer = max(
            (r for r in (self.retreat, demand.retreat) if r), key=lambda retreat: retreat.hexes, default=None
        )
        return SideDemands(
            self.steps or demand.steps,
            self.units or demand.units,
            longer,
            (*self.marks, demand.mark) if demand.mark else self.marks,
            (*self.again, *(one.model_copy(update={"bears": one.bears or demand.mark}) for one in demand.again)),
            self.morale or demand.morale,
            self.advance or demand.advance,
        )


NOTHING: Final = SideDemands()


@dataclass(frozen=True)
class Demands:
    """`text` is the result as written, `first` who by the game carries out all of it before the other."""

    text: str
    attacker: SideDemands = NOTHING
    defender: SideDemands = NOTHING
    exchange: Exchange | None = None
    first: Role | None = None

    def of(self, role: Role) -> SideDemands:
        """What is demanded of a side."""
        return self.attacker if role == "attacker" else self.defender

    @property
    def advance(self) -> bool:
        """Whether the attacker may advance."""
        return self.attacker.advance


@dataclass(frozen=True)
class Owed:
    """Steps and whole units that a side still has to lose. `untouched` says that none of it was taken yet.

    `spare` is how much of it need not be lost, where dice decide and nobody says what they showed.
    """

    steps: int = 0
    units: int = 0
    untouched: bool = True
    spare: int = 0

    def __bool__(self) -> bool:
        return bool(self.steps or self.units)

    @property
    def due(self) -> bool:
        """Whether there is anything left that must be lost."""
        return self.steps + self.units > self.spare

    def taken(self, steps: int, *, whole: bool) -> Owed:
        """What is left after a unit lost steps; `whole` says that it is eliminated."""
        if self.units and whole:
            return altered(self, units=self.units - 1, untouched=False)
        return altered(self, steps=max(0, self.steps - steps), untouched=False)


def demands(
    alphabet: Mapping[str, Result], codes: Iterable[str], *, advance_after_exchange: bool = False
) -> Demands:
    """The demands of a result, e.g. of `("DRB", "AVI")`, by what each code of the game says."""
    written = tuple(codes)
    found = Demands(" ".join(written))
    for result in (alphabet[code] for code in dict.fromkeys(written) if code in alphabet):
        attacker = found.attacker.with_(result.attacker)
        if result.exchange and result.exchange.advance_option and advance_after_exchange:
            attacker = replace(attacker, advance=True)
        found = altered(
            found,
            attacker=attacker,
            defender=found.defender.with_(result.defender),
            exchange=result.exchange or found.exchange,
            first=result.first or found.first,
        )
    return found


def owed(part: SideDemands, steps: Sequence[int], thrown: int | None = None) -> Owed:
    """What a side has to lose whose units have so many steps each.

    `thrown` is what the dice for its losses were read as.
    """
    least, most = _counts(part.steps, steps, thrown)
    fewest, all_ = _counts(part.units, [1] * len(steps), thrown)
    return Owed(most, all_, spare=most - least + all_ - fewest)


def _counts(loss: Loss | None, of: Sequence[int], thrown: int | None) -> tuple[int, int]:
    """The fewest and the most that a loss may come to."""
    if loss is None:
        return 0, 0
    if loss.dice is None:
        shares = (loss.count, loss.count)
    else:
        shares = loss.span if thrown is None else (loss.by_dice(thrown),) * 2
    least, most = (sum(_share(share, n) for n in of) if loss.each else _share(share, sum(of)) for share in shares)
    return least, most


def _share(count: int | str, whole: int) -> int:
    if isinstance(count, str):
        return whole if count == "all" else -(-whole // 2)
    return min(count, max(whole, 1))


def picker(loss: Loss | None, role: Role) -> Role:
    """Who picks the units of a part that suffer a loss."""
    return role if loss is None or loss.picks == "owner" else other(role)


def other(role: Role) -> Role:
    """The other part."""
    return "defender" if role == "attacker" else "attacker"
