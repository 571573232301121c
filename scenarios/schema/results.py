"""What the codes of a game's result tables demand of either side."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Any, Final, Literal

from hexforge.scenarios.schema.base import Identifier
from hexforge.scenarios.schema.declared import BeforeValidator, Field, Model
from hexforge.scenarios.schema.dice import Dice, DiceText, covers, numbers
from hexforge.scenarios.schema.modifiers import Factor
from hexforge.scenarios.schema.rules_morale import Again, MoraleTest, names_marks
from hexforge.scenarios.words import BadValueError, message

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
        default=1, description="how many; `half` is half of what fights there, rounded up"
    )
    dice: DiceText | None = Field(
        default=None,
        description="dice that say how many, in place of `count`: `lossroll defender 4` in the sheet",
    )
    shows: dict[str, Annotated[int, Field(ge=0, le=99)]] = Field(
        default_factory=dict,
        description='what the dice show, as rows of tables say it -> how many, as `{"1-3": 1, "4-6": 2}`; empty: '
        "as many as they show",
    )
    each: bool = Field(default=False, description="as many of every unit, not of all together")
    picks: Literal["owner", "opponent"] = Field(
        default="owner",
        description="who picks the units; a sheet may say who did: `lose d1 by attacker`",
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

    hexes: int = Field(ge=1, le=12, description="how far")
    by: Literal["owner", "opponent"] = Field(
        default="owner",
        description="who leads the units back; a sheet may say so: `retreat d1: 0405 0406 by attacker`",
    )
    instead: int = Field(
        default=0,
        ge=0,
        le=12,
        description="steps it may lose in place of the retreat; 0: no choice",
    )
    instead_of: Literal["all", "unit", "hexes"] = Field(
        default="all",
        description="what these steps are lost for: `all` retreats of the side at once, each `unit` in place of "
        "its own, or `hexes`: every step spares the side one of them, in any mixture",
    )


Steps = Annotated[Loss, BeforeValidator(loss, json_schema_input_type=int | str | Loss)]
Back = Annotated[Retreat, BeforeValidator(_hexes, json_schema_input_type=int | Retreat)]


class Demand(Model):
    """What a result demands of one side; what is not named it does not demand."""

    steps: Steps | None = Field(
        default=None, description="steps lost: a number, `all`, `half`, dice as `1d6`, or more said of it"
    )
    units: Steps | None = Field(
        default=None,
        description="whole units eliminated, at whatever step; as `steps`",
    )
    retreat: Back | None = Field(default=None, description="hexes to retreat, or more said of it")
    mark: Identifier | None = Field(default=None, description="a mark that every unit then has, as `disrupted`")
    again: Again = Field(
        default=(),
        description="what each unit suffers, besides, that bears a mark already: the first of these that fits it; "
        "a number: so many steps of its own",
    )
    morale: MoraleTest | None = Field(
        default=None, description="a test of morale that each of its units takes after the losses, if it lives"
    )
    advance: bool = Field(
        default=False,
        description="its units may advance into what the enemy left; "
        "those of the defender into the hexes out of which he was attacked",
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

    first: Literal["attacker", "defender"] = Field(description="who gives up units first")
    counted: Literal["factors", "steps", "units"] = Field(
        description="what the other side must come to: attack and defence factors, steps, or units"
    )
    strength: Literal["fought", "printed"] = Field(
        default="fought", description="factors as they stood, or as the counters print them"
    )
    share: Factor = Field(
        default=Fraction(1), description="how much of it the other side must come to: `1/2` in half an exchange"
    )
    flips: bool = Field(
        default=False,
        description="whether factors may be given up a step at a time: it counts what the unit has less afterwards",
    )
    advance_option: bool = Field(
        default=False, description="the option advance_after_emp says whether the attacker may advance"
    )


class Result(Model):
    """A code of the result tables. A cell with several demands all that each of them does, each once."""

    attacker: Demand = Field(
        default_factory=Demand, description="of who fires on the table of bombardments it takes the `mark` alone"
    )
    defender: Demand = Field(default_factory=Demand)
    exchange: Exchange | None = Field(default=None, description="what both sides give up for each other")
    first: Literal["attacker", "defender"] | None = Field(
        default=None,
        description="who carries out all that it owes before the other does anything; absent: in whatever order",
    )

    @property
    def marks(self) -> tuple[str, ...]:
        """The marks that it may give."""
        return (*self.attacker.marks, *self.defender.marks)
