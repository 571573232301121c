"""What the codes of a game's result tables demand of either side.

The dice of a table: how many, how many faces each has, and how they are read.

What finds the column of a table: odds, the difference of strengths, or one value.

What befalls single units: who fails a test of morale, and who bears a mark already.

A test holds dice against the number that counters.csv has for a unit's quality.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from operator import ge, gt, le, lt
from typing import Annotated, Any, Final, Literal

from ..text.words import BadValueError, message
from .base import MarkName, MarkRef
from .declared import BeforeValidator, Field, Model, warning
from .modifiers import Factor

_WRITTEN: Final = r"^[1-3]d(4|6|8|10|12|20)$|^2d(6|10) tens$"

DiceText = Annotated[
    str,
    Field(
        "the dice of the table, up to three of 4, 6, 8, 10, 12 or 20 faces: `1d6`, `2d6` (their sum), `1d20`; `2d6 "
        "tens` reads the first as tens and the second as ones (11 to 66), `2d10 tens` likewise (1 to 100, a pair "
        "of tens being 100)",
        pattern=_WRITTEN,
        examples=["2d6"],
    ),
]


@dataclass(frozen=True)
class Dice:
    """Dice that are read as one number: their sum, or tens and ones."""

    count: int
    faces: int
    tens: bool = False

    @classmethod
    def of(cls, text: str) -> Dice:
        """Dice as a file writes them (`DiceText`)."""
        return _dice(text)

    def __str__(self) -> str:
        return f"{self.count}d{self.faces}"

    def value(self, faces: Sequence[int]) -> int:
        """What faces that the dice can show are read as."""
        if not self.tens:
            return sum(faces)
        if self.faces == 10:
            return 10 * (faces[0] % 10) + faces[1] % 10 or 100
        return 10 * faces[0] + faces[1]

    def shows(self, faces: Sequence[int]) -> bool:
        """Whether the dice can show these faces."""
        return len(faces) == self.count and all(1 <= face <= self.faces for face in faces)

    @cached_property
    def ways(self) -> Mapping[int, int]:
        """Each number that can come up, rising, and how many throws give it."""
        found: dict[int, int] = {}
        for faces in product(range(1, self.faces + 1), repeat=self.count):
            value = self.value(faces)
            found[value] = found.get(value, 0) + 1
        return dict(sorted(found.items()))

    def skips(self, number: int) -> bool:
        """Whether a number lies between those that can come up and is none, as 17 with `2d6 tens`."""
        return number not in self.ways and self._rising[0] < number < self._rising[-1]

    def moved(self, value: int, by: int) -> int:
        """What the dice show, moved through the numbers that can come up: with `2d6 tens` 16 and 1 are 21.

        Beyond the last of them, and before the first, it goes on one by one.
        """
        values = self._rising
        place = self._places[value] + by
        if place < 0:
            return values[0] + place
        return values[place] if place < len(values) else values[-1] + place - len(values) + 1

    @cached_property
    def _rising(self) -> tuple[int, ...]:
        return tuple(self.ways)

    @cached_property
    def _places(self) -> Mapping[int, int]:
        return {value: place for place, value in enumerate(self._rising)}

    @property
    def throws(self) -> int:
        """How many throws there are."""
        return int(self.faces**self.count)


@lru_cache(maxsize=64)
def _dice(text: str) -> Dice:
    count, _, rest = text.partition("d")
    faces, _, tens = rest.partition(" ")
    return Dice(int(count), int(faces), tens == "tens")


_NUMBERS: Final = re.compile(r"(-?[0-9]{1,3})(?:(?:-|\.\.)(-?[0-9]{1,3}))?")
_WIDEST: Final = 200


def numbers(name: str) -> tuple[int, ...]:
    """The numbers of a row by its name: `2,12`, `3-5`, `-1..1`. Raises ValueError for what is none."""
    found: list[int] = []
    for part in name.split(","):
        match = _NUMBERS.fullmatch(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not 0 <= last - first < _WIDEST:
            raise ValueError(f"{name!r} names no numbers")
        found += range(first, last + 1)
    return tuple(found)


def covers(dice: str, names: Iterable[str]) -> bool:
    """Whether rows of these names have every number that dice can show, each once, and no other."""
    try:
        named = [n for name in names for n in numbers(name)]
    except ValueError:
        return False
    thrown = Dice.of(dice)
    return sorted(n for n in named if not thrown.skips(n)) == list(thrown.ways)


Passes = Literal["at_most", "below", "at_least", "above"]
_HELD: Final = {"at_most": le, "below": lt, "at_least": ge, "above": gt}


def passed(passes: Passes, thrown: int, morale: int) -> bool:
    """Whether dice that are read as a number pass against a morale."""
    return bool(_HELD[passes](thrown, morale))


class Consequence(Model):
    """What a unit suffers by itself; nobody else pays for it."""

    steps: Annotated[int, Field(ge=0, le=6)] | Literal["all"] = Field(
        "steps that it loses; `all`: it is eliminated", default=0
    )
    retreat: int = Field("hexes that it retreats", default=0, ge=0, le=12)
    mark: MarkName | None = Field("a mark that it then has, as `shaken`", default=None)

    def __post_init__(self) -> None:
        if not (self.steps or self.retreat or self.mark):
            raise BadValueError(message("scenario.value.failure"))


class Worse(Consequence):
    """What a unit suffers, besides, that bore a mark when the dice fell and lives after the result's losses."""

    bears: MarkRef | None = Field(
        "the mark; absent: that which the result, or the failed test, gives", default=None
    )


def _worse(value: Any) -> Any:
    """By its short forms: steps, or what befalls a unit in one case alone."""
    if isinstance(value, int | str) and not isinstance(value, bool):
        return ({"steps": value},)
    return (value,) if isinstance(value, dict) else value


Again = Annotated[
    tuple[Worse, ...],
    BeforeValidator(_worse, json_schema_input_type=int | Literal["all"] | Worse | tuple[Worse, ...]),
]


def worse(again: Sequence[Worse], given: str | None, bore: Container[str]) -> Worse | None:
    """The first of these that fits a unit with the marks that it bore; `given` is the mark that it is given now."""
    named = (one if one.bears else one.model_copy(update={"bears": given}) for one in again)
    return next((one for one in named if one.bears in bore), None)


def names_marks(again: Sequence[Worse], given: str | None) -> None:
    """Raises BadValueError where one of these neither says a mark nor stands beside one that is given."""
    if given is None and any(one.bears is None for one in again):
        raise BadValueError(message("scenario.value.again"))


class Failure(Consequence):
    """What becomes of a unit that fails."""

    again: Again = Field(
        "what becomes, besides, of one that bears a mark already; the first that fits it", default=()
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        names_marks(self.again, self.mark)


class MoraleTest(Model):
    """A test that each unit takes for itself: `morale d1 roll 4`. Who has no morale takes none, nor do the dead."""

    dice: DiceText
    passes: Passes = Field(
        "how what the dice show is held against the morale: who passes shows `at_most` so much, …",
        default="at_most",
    )
    die: int = Field("is added to what the dice show, as the result has it", default=0, ge=-20, le=20)
    fails: Failure = Field("what becomes of a unit that does not pass")


ResultCode = Annotated[str, Field(pattern="^[A-Z][A-Z0-9]*$")]
"""Capital letters and digits, as sheets write it after `result`."""


_DICE: Final = re.compile(r"[1-3]?d(4|6|8|10|12|20)|2d(6|10) tens")


def loss(value: Any) -> Any:
    """A loss by its short form: a number, `half`, `all`, or dice."""
    if isinstance(value, str) and _DICE.fullmatch(value):
        return {"dice": value if value[0] != "d" else f"1{value}"}
    return {"count": value} if isinstance(value, int | str) and not isinstance(value, bool) else value


def _hexes(value: Any) -> Any:
    return {"hexes": value} if isinstance(value, int) and not isinstance(value, bool) else value


class Loss(Model):
    """Steps or whole units that a side loses."""

    count: Annotated[int, Field(ge=1, le=99)] | Literal["all", "half"] = Field(
        "how many; `half` is half of what fights there, rounded up", default=1
    )
    dice: DiceText | None = Field(
        "dice that say how many, in place of `count`: `lossroll defender 4` in the sheet", default=None
    )
    shows: dict[str, Annotated[int, Field(ge=0, le=99)]] = Field(
        'what the dice show, as rows of tables say it -> how many, as `{"1-3": 1, "4-6": 2}`; empty: as many as '
        "they show",
        default={},
    )
    each: bool = Field("as many of every unit, not of all together", default=False)
    picks: Literal["owner", "opponent"] = Field(
        "who picks the units; a sheet may say who did: `lose d1 by attacker`", default="owner"
    )

    def __post_init__(self) -> None:
        if self.shows and (self.dice is None or not covers(self.dice, self.shows)):
            raise BadValueError(message("scenario.value.shows", dice=self.dice or "-"))

    def by_dice(self, thrown: int) -> int:
        """How many the dice say."""
        return next((many for name, many in self.shows.items() if thrown in numbers(name)), thrown)

    @property
    def span(self) -> tuple[int, int]:
        """The fewest and the most that the dice can say; zeros without dice."""
        found = [self.by_dice(thrown) for thrown in Dice.of(self.dice).ways] if self.dice else [0]
        return min(found), max(found)


class Retreat(Model):
    """A retreat of everybody who fought on a side."""

    hexes: int = Field("how far", ge=1, le=12)
    by: Literal["owner", "opponent"] = Field(
        "who leads the units back; a sheet may say so: `retreat d1: 0405 0406 by attacker`", default="owner"
    )
    instead: int = Field("steps it may lose in place of the retreat; 0: no choice", default=0, ge=0, le=12)
    instead_of: Literal["all", "unit", "hexes"] = Field(
        "what these steps are lost for: `all` retreats of the side at once, each `unit` in place of its own, or "
        "`hexes`: every step spares the side one of them, in any mixture",
        default="all",
    )
    SLIPS = (
        warning(
            "tables.falls-back",
            "",
            lambda c, r: r.hexes > 1 and c.rules.combat.retreat.way.kind == "fall_back" and {"hexes": r.hexes},
        ),
        warning(
            "tables.far-back",
            "",
            lambda c, r: r.hexes >= min(c.map.grid.columns, c.map.grid.rows) and {"hexes": r.hexes},
        ),
    )


Steps = Annotated[Loss, BeforeValidator(loss, json_schema_input_type=int | str | Loss)]
Back = Annotated[Retreat, BeforeValidator(_hexes, json_schema_input_type=int | Retreat)]


class Demand(Model):
    """What a result demands of one side; what is not named it does not demand."""

    steps: Steps | None = Field(
        "steps lost: a number, `all`, `half`, dice as `1d6`, or more said of it", default=None
    )
    units: Steps | None = Field("whole units eliminated, at whatever step; as `steps`", default=None)
    retreat: Back | None = Field("hexes to retreat, or more said of it", default=None)
    mark: MarkName | None = Field("a mark that every unit then has, as `disrupted`", default=None)
    again: Again = Field(
        "what each unit suffers, besides, that bears a mark already: the first of these that fits it; a number: so "
        "many steps of its own",
        default=(),
    )
    morale: MoraleTest | None = Field(
        "a test of morale that each of its units takes after the losses, if it lives", default=None
    )
    advance: bool = Field(
        "its units may advance into what the enemy left; those of the defender into the hexes out of which he was "
        "attacked",
        default=False,
    )

    def __post_init__(self) -> None:
        names_marks(self.again, self.mark)

    @property
    def marks(self) -> tuple[str, ...]:
        """The marks that it may give."""
        failed = (self.morale.fails,) if self.morale is not None else ()
        worse = (one for again in (self.again, *(f.again for f in failed)) for one in again)
        return tuple(one.mark for one in (self, *failed, *worse) if one.mark is not None)


class Exchange(Model):
    """One side gives up units, the other at least as much.

    The first to pay gives what its own demand says, or, where that demands nothing,
    what it chooses, a unit at least.
    """

    first: Literal["attacker", "defender"] = Field("who gives up units first")
    counted: Literal["factors", "steps", "units"] = Field(
        "what the other side must come to: attack and defence factors, steps, or units"
    )
    strength: Literal["fought", "printed"] = Field(
        "factors as they stood, or as the counters print them", default="fought"
    )
    share: Factor = Field(
        "how much of it the other side must come to: `1/2` in half an exchange", default=Fraction(1)
    )
    flips: bool = Field(
        "whether factors may be given up a step at a time: it counts what the unit has less afterwards",
        default=False,
    )
    advance_option: bool = Field(
        "the option advance_after_emp says whether the attacker may advance", default=False
    )


class Result(Model):
    """A code of the result tables. A cell with several demands all that each of them does, each once."""

    attacker: Demand = Field(
        "of who fires on the table of bombardments it takes the `mark` alone", default_factory=Demand
    )
    defender: Demand = Field(default_factory=Demand)
    exchange: Exchange | None = Field("what both sides give up for each other", default=None)
    first: Literal["attacker", "defender"] | None = Field(
        "who carries out all that it owes before the other does anything; absent: in whatever order", default=None
    )

    @property
    def marks(self) -> tuple[str, ...]:
        """The marks that it may give."""
        return (*self.attacker.marks, *self.defender.marks)


Rounding = Literal["defender", "nearest", "attacker"]
Beyond = Annotated[
    str,
    Field(
        "`end`: they stand on the end column; `refused`: there is no such attack; or the code of the result that "
        "it has without dice",
        pattern="^(end|refused|[A-Z][A-Z0-9]*)$",
    ),
]
_ODDS: Final = re.compile(r"([1-9][0-9]?)[-:]([1-9][0-9]?)")
_BOUNDS: Final = re.compile(r"(?:≤|<=)?([+-]?[0-9]{1,3})(?:(?:-|\.\.)([+-]?[0-9]{1,3})|\+)?")


class ByOdds(Model):
    """The ratio of attack to defence; columns are called `1-2`, `3-2`, `4-1`."""

    kind: Literal["odds"]
    rounding: Rounding = Field(
        "who gains where the ratio lies between two columns: `defender` takes the lower, `attacker` the higher, "
        "`nearest` the nearer"
    )
    inverse: Rounding | None = Field(
        "the same where the defence is the stronger, if it is not rounded alike", default=None
    )
    below: Beyond = Field("what becomes of odds below the first column, before any shift", default="end")
    above: Beyond = Field("what becomes of odds above the last column, before any shift", default="end")


class ByDifference(Model):
    """Attack less defence; columns are called by their bounds: `-3`, `0`, `+1..2`, `8+`."""

    kind: Literal["difference"]
    below: Beyond = Field("what becomes of a difference below the first column, before any shift", default="end")
    above: Beyond = Field("what becomes of a difference above the last column, before any shift", default="end")


class ByValue(Model):
    """One value, that of the fire; columns are called by their bounds: `1-12`, `49+`."""

    kind: Literal["value"]


ColumnBy = Annotated[
    ByOdds | ByDifference | ByValue,
    Field("what finds the column: odds, a difference, or a value", discriminator="kind"),
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
