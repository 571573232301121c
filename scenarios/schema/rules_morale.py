"""Tests of morale: dice held against the number that counters.csv has for a unit's quality."""

from __future__ import annotations

from operator import ge, gt, le, lt
from typing import Annotated, Final, Literal, Self

from hexforge.scenarios.schema.base import Identifier
from hexforge.scenarios.schema.declared import Field, Model, model_validator
from hexforge.scenarios.schema.dice import DiceText
from hexforge.scenarios.words import BadValueError, message

Passes = Literal["at_most", "below", "at_least", "above"]
_HELD: Final = {"at_most": le, "below": lt, "at_least": ge, "above": gt}


def passed(passes: Passes, thrown: int, morale: int) -> bool:
    """Whether dice that are read as a number pass against a morale."""
    return bool(_HELD[passes](thrown, morale))


class Failure(Model):
    """What becomes of a unit that fails."""

    steps: Annotated[int, Field(ge=0, le=6)] | Literal["all"] = Field(
        default=0, description="steps that it loses; `all`: it is eliminated"
    )
    retreat: int = Field(default=0, ge=0, le=12, description="hexes that it retreats")
    mark: Identifier | None = Field(default=None, description="a mark that it then has, as `shaken`")

    @model_validator(mode="after")
    def _does_something(self) -> Self:
        if not (self.steps or self.retreat or self.mark):
            raise BadValueError(message("scenario.value.failure"))
        return self


class MoraleTest(Model):
    """A test that each unit takes for itself: `morale d1 roll 4`. Who has no morale takes none, nor do the dead."""

    dice: DiceText
    passes: Passes = Field(
        default="at_most",
        description="how what the dice show is held against the morale: who passes shows `at_most` so much, …",
    )
    fails: Failure = Field(description="what becomes of a unit that does not pass")
