"""The sequence of play: whose phases follow one another, who acts in them, and how far he goes."""

from __future__ import annotations

from typing import Annotated, Literal

from hexforge.scenarios.schema.base import Identifier
from hexforge.scenarios.schema.declared import Field, Model
from hexforge.scenarios.schema.references import SideRef, TypeRefs, WayRefs


class Whole(Model):
    """The units' own allowances."""

    kind: Literal["whole"] = "whole"


class Share(Model):
    """A share of the units' own allowances, rounded up."""

    kind: Literal["share"]
    divide: int = Field(ge=2, description="what the allowance is divided by")


class Points(Model):
    """The same allowance for all."""

    kind: Literal["points"]
    points: int = Field(ge=1, description="movement points")


class Hexes(Model):
    """So many hexes, whatever they would cost; what bars a unit still does."""

    kind: Literal["hexes"]
    hexes: int = Field(ge=1, description="hexes, each of which takes one point")


class PhaseSpec(Model):
    """One phase of a turn. What stands beside `side` and `phase` limits who moves in it, and how far."""

    side: SideRef = Field(description="whose phase it is")
    phase: Identifier = Field(
        description="what is done in it: `movement`, `combat`, or a name of one's own for a phase that is only "
        "announced, in which nothing is judged but what `does` lists, and what rules say of it"
    )
    does: tuple[Literal["recover", "rally", "enter", "exit", "bombard", "airstrike"], ...] = Field(
        default=(), description="statements that belong into it, besides those of movement or of combat"
    )
    who: TypeRefs = Field(default=(), description="unit types or classes that move in it; empty: all")
    contact: Literal["any", "without", "within"] = Field(
        default="any",
        description="units by where they stand when the phase begins: `any`, those `without` an enemy zone, those "
        "`within` one",
    )
    allowance: Annotated[Whole | Share | Points | Hexes, Field(discriminator="kind")] = Field(
        default_factory=Whole, description="how far units move in it"
    )
    ways: WayRefs = Field(default=(), description="they move along these ways alone; empty: anywhere")
