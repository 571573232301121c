"""What befalls single units: who fails a test of morale, and who bears a mark already.

A test holds dice against the number that counters.csv has for a unit's quality.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from operator import ge, gt, le, lt
from typing import Annotated, Any, Final, Literal

from hexforge.scenarios.schema.base import Identifier
from hexforge.scenarios.schema.declared import BeforeValidator, Field, Model
from hexforge.scenarios.schema.dice import DiceText
from hexforge.scenarios.schema.references import MarkRef
from hexforge.scenarios.words import BadValueError, message

Passes = Literal["at_most", "below", "at_least", "above"]
_HELD: Final = {"at_most": le, "below": lt, "at_least": ge, "above": gt}


def passed(passes: Passes, thrown: int, morale: int) -> bool:
    """Whether dice that are read as a number pass against a morale."""
    return bool(_HELD[passes](thrown, morale))


class Consequence(Model):
    """What a unit suffers by itself; nobody else pays for it."""

    steps: Annotated[int, Field(ge=0, le=6)] | Literal["all"] = Field(
        default=0, description="steps that it loses; `all`: it is eliminated"
    )
    retreat: int = Field(default=0, ge=0, le=12, description="hexes that it retreats")
    mark: Identifier | None = Field(default=None, description="a mark that it then has, as `shaken`")

    def __post_init__(self) -> None:
        if not (self.steps or self.retreat or self.mark):
            raise BadValueError(message("scenario.value.failure"))


class Worse(Consequence):
    """What a unit suffers, besides, that bore a mark when the dice fell and lives after the result's losses."""

    bears: MarkRef | None = Field(
        default=None, description="the mark; absent: that which the result, or the failed test, gives"
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
        default=(), description="what becomes, besides, of one that bears a mark already; the first that fits it"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        names_marks(self.again, self.mark)


class MoraleTest(Model):
    """A test that each unit takes for itself: `morale d1 roll 4`. Who has no morale takes none, nor do the dead."""

    dice: DiceText
    passes: Passes = Field(
        default="at_most",
        description="how what the dice show is held against the morale: who passes shows `at_most` so much, …",
    )
    die: int = Field(default=0, ge=-20, le=20, description="is added to what the dice show, as the result has it")
    fails: Failure = Field(description="what becomes of a unit that does not pass")
