"""Replacements: points by which a side turns losses back and brings the dead to life (`rules.replacements`)."""

from __future__ import annotations

from typing import Annotated, Literal

from hexforge.scenarios.schema.base import Section
from hexforge.scenarios.schema.declared import Field, Model
from hexforge.scenarios.schema.references import EdgeName, MarkRefs, PlaceRefs, SideRef, TurnSpan, TypeRefs
from hexforge.scenarios.schema.rules_who import Near


class Replacements(Model):
    """Points of one side in some turns, for some units. The first that fits counts.

    Those for the same units of a side, in whatever turns, save into one stock.
    """

    side: SideRef = Field(description="the side that has them")
    types: TypeRefs = Field(default=(), description="unit types or classes that they are for; empty: all")
    turns: TurnSpan | None = Field(default=None, description="first and last turn; absent: every turn")
    points: int = Field(ge=0, description="points in each of these turns")
    held: PlaceRefs = Field(
        default=(), description="places each of which brings `points` while the side holds it; empty: once for all"
    )
    saved: Annotated[int, Field(ge=1)] | Literal["all"] | None = Field(
        default=None,
        description="what of a turn's rest is kept for later turns: `all`, or so many points at most; absent: none",
    )
    step: int | None = Field(default=1, ge=0, description="points to turn back one loss (`recover`); null: none is")
    rebuild: int | None = Field(
        default=None,
        ge=0,
        description="points to bring back a destroyed unit, reduced (`enter`); absent: none is",
    )
    most: int | None = Field(
        default=None, ge=1, description="steps that one unit may turn back in a turn; absent: any"
    )
    rebuilds: TypeRefs = Field(
        default=(), description="those of `types` that may be brought back; empty: all of them"
    )
    places: PlaceRefs = Field(default=(), description="places in which rebuilt units come back, clear of the enemy")
    edges: tuple[EdgeName, ...] = Field(default=(), description="edges at which rebuilt units come back")
    near: Near | None = Field(
        default=None,
        description="near which units a loss is turned back, and rebuilt ones come back, clear of the enemy; "
        "absent: a loss anywhere",
    )
    delay: int = Field(
        default=0, ge=0, description="turns after that of its end in which a destroyed unit may not come back yet"
    )
    contact: bool = Field(default=False, description="whether a unit in an enemy zone may turn back a loss")
    barred_marks: MarkRefs = Field(default=(), description="marks with which a unit is given none, as `unsupplied`")
    section: Section
