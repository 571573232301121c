"""Zones of control: who has one, how far it reaches, what it takes to enter it, to leave it and to change it.

Of the enemy's zones alone is spoken: nobody minds his own. Points are movement points, halves of a point included.
"""

from __future__ import annotations

from typing import Annotated, Literal

from hexforge.scenarios.schema.base import Halves, Section
from hexforge.scenarios.schema.declared import Field, Model
from hexforge.scenarios.schema.references import HexsideRefs, MarkRefs, TerrainRefs, TypeRefs
from hexforge.scenarios.schema.rules_who import AtTimes


class Free(Model):
    """It costs nothing more and forbids nothing."""

    kind: Literal["free"] = "free"


class Price(Model):
    """It costs points besides those of the ground."""

    kind: Literal["points"]
    points: Halves = Field(description="movement points, each time")


class Stop(Model):
    """The move ends there."""

    kind: Literal["stop"] = "stop"
    points: Halves = Field(default=0, description="movement points that it costs besides those of the ground")


class Never(Model):
    """It may not be done by moving."""

    kind: Literal["never"]


class Whole(Model):
    """It takes the whole movement allowance, so that it is all of the move."""

    kind: Literal["whole"]


class Once(Model):
    """It may be done once in a move, and not again."""

    kind: Literal["once"]
    points: Halves = Field(default=0, description="movement points that it costs")


Entering = Annotated[Stop | Price | Free | Never, Field(discriminator="kind")]
Leaving = Annotated[Price | Free | Never, Field(discriminator="kind")]
Between = Annotated[Price | Free | Never | Whole | Once, Field(discriminator="kind")]


class ZoneException(AtTimes):
    """Units to whom zones do something else, always or in some turns or weather: armour, everybody by night."""

    enter: Entering | None = Field(
        default=None, description="what entering a hex of a zone does to them; absent: as to others"
    )
    leave: Leaving | None = Field(
        default=None, description="what leaving a hex of a zone takes of them; absent: as of others"
    )
    between: Between | None = Field(
        default=None, description="what a step from zone to zone takes of them; absent: as of others"
    )
    section: Section


class Zones(Model):
    """What the zones of the enemy's units do to who moves. Without this section a zone stops, and binds nobody."""

    exerted: bool = Field(default=True, description="whether there are zones at all; `false`: no unit has one")
    exerted_by: TypeRefs = Field(default=(), description="unit types or classes that have a zone; empty: all units")
    reduced: bool = Field(default=True, description="whether a unit keeps its zone when it has lost a step")
    silenced_by: MarkRefs = Field(default=(), description="marks that take a unit's zone away, as `disrupted`")
    not_across: HexsideRefs = Field(default=(), description="kinds of hexside across which no zone reaches")
    over_bridges: bool = Field(
        default=False,
        description="whether zones reach across them all the same where a bridge stands from the first turn on, or "
        "was built",
    )
    not_into: TerrainRefs = Field(default=(), description="terrain into which no zone reaches")
    friends_cancel: Literal["never", "moving", "retreating", "always"] = Field(
        default="never",
        description="when a hex that a friend holds is free of the enemy's zone: for movers, retreats, both",
    )
    ignored_by: TypeRefs = Field(
        default=(),
        description="unit types or classes that move as if there were no zones; no bond bars them, in retreats and "
        "advances neither, but zones on the way of a retreat count for them as for others",
    )
    enter: Entering = Field(
        default_factory=Stop,
        description="what entering a hex of a zone does: `stop`, `points`, `free`, or `never`, which bars it",
    )
    leave: Leaving = Field(
        default_factory=Free,
        description="what leaving a hex of a zone takes: `free`, `points`, or `never`, but by combat",
    )
    between: Between = Field(
        default_factory=Free,
        description="what a step from a hex of a zone straight into another takes, besides leaving the first: "
        "`free`, `points`, `never`, or the `whole` of the move",
    )
    bonds: Literal["none", "moving", "always"] = Field(
        default="none",
        description="whether two enemies two hexes apart bar the hex between them, or the hexside where two hexes "
        "lie between: to who is `moving` there, or `always`, in retreats and advances too; not a hex where a "
        "friend stands, nor where the zone of either does not reach",
    )
    exceptions: tuple[ZoneException, ...] = Field(
        default=(),
        description="units to whom zones do something else, always or in some turns; the first that fits counts",
    )

    @property
    def grounded(self) -> bool:
        """Whether how far zones reach depends on the ground."""
        return bool(self.not_across or self.not_into)
