"""What the codes of a game's result tables demand of either side."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from hexforge.scenarios.schema.base import Identifier
from hexforge.scenarios.schema.declared import BeforeValidator, Field, Model

ResultCode = Annotated[str, Field(pattern="^[A-Z][A-Z0-9]*$")]
"""Capital letters and digits, as sheets write it after `result`."""


def _steps(value: Any) -> Any:
    return {"count": value} if isinstance(value, int | str) and not isinstance(value, bool) else value


def _hexes(value: Any) -> Any:
    return {"hexes": value} if isinstance(value, int) and not isinstance(value, bool) else value


class Loss(Model):
    """Steps or whole units that a side loses."""

    count: Annotated[int, Field(ge=1, le=99)] | Literal["all", "half"] = Field(
        description="how many; `half` is half of what fights there, rounded up"
    )
    each: bool = Field(default=False, description="as many of every unit, not of all together")
    picks: Literal["owner", "opponent"] = Field(default="owner", description="who picks the units that suffer it")


class Retreat(Model):
    """A retreat of everybody who fought on a side."""

    hexes: int = Field(ge=1, le=12, description="how far")
    by: Literal["owner", "opponent"] = Field(default="owner", description="who leads the units back")
    instead: int = Field(
        default=0,
        ge=0,
        le=12,
        description="steps it may lose in place of the retreat; 0: no choice",
    )


Steps = Annotated[Loss, BeforeValidator(_steps, json_schema_input_type=int | str | Loss)]
Back = Annotated[Retreat, BeforeValidator(_hexes, json_schema_input_type=int | Retreat)]


class Demand(Model):
    """What a result demands of one side; what is not named it does not demand."""

    steps: Steps | None = Field(default=None, description="steps lost: a number, `all`, `half`, or more said of it")
    units: Steps | None = Field(
        default=None,
        description="whole units eliminated, at whatever step; as `steps`",
    )
    retreat: Back | None = Field(default=None, description="hexes to retreat, or more said of it")
    mark: Identifier | None = Field(default=None, description="a mark that every unit then has, as `disrupted`")
    again: int = Field(
        default=0, ge=0, le=6, description="steps that a unit loses, besides, which bears the mark already"
    )
    advance: bool = Field(default=False, description="its units may advance into what the enemy left")


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
    advance_option: bool = Field(
        default=False, description="the option advance_after_emp says whether the attacker may advance"
    )


class Result(Model):
    """A code of the result tables. A cell with several demands all that each of them does, each once."""

    attacker: Demand = Field(default_factory=Demand)
    defender: Demand = Field(default_factory=Demand)
    exchange: Exchange | None = Field(default=None, description="what both sides give up for each other")
    order: tuple[Literal["attacker", "defender"], ...] = Field(
        default=("defender", "attacker"), max_length=2, description="who carries out first what it owes"
    )
