"""Supply: who looks for it when, how long a line may be, what shuts it, where it comes from (`rules.supply`)."""

from __future__ import annotations

from typing import Annotated, Literal

from hexforge.scenarios.schema.base import Identifier, Section
from hexforge.scenarios.schema.declared import Field, Model
from hexforge.scenarios.schema.references import (
    EdgeName,
    MarkRefs,
    MovementClassRef,
    PhaseOfEitherRefs,
    PlaceRefs,
    SideRef,
    TurnSpan,
    TypeRefs,
)


class AnyLine(Model):
    """A line of any length."""

    kind: Literal["any"] = "any"


class HexLine(Model):
    """A line of at most so many hexes, that of the source not counted."""

    kind: Literal["hexes"]
    hexes: int = Field(ge=0, description="hexes from the source to the unit, its own included")


class PointLine(Model):
    """A line as long as a movement class gets with so many points, going from the source to the unit."""

    kind: Literal["points"]
    points: int = Field(ge=0, description="movement points; the source's own hex costs none")
    movement: MovementClassRef = Field(description="movement class whose costs are paid")


Line = Annotated[AnyLine | HexLine | PointLine, Field(discriminator="kind")]


class Supply(Model):
    """Which units have a line to a source; those that have none bear a mark, until they have one again.

    What the mark does stands with the rules that name it, such as `movement.allowances` and `movement.immobile`.
    """

    side: SideRef | None = Field(default=None, description="whose supply this is; absent: that of either side")
    turns: TurnSpan | None = Field(
        default=None, description="first and last turn in which this supply is needed; absent: all"
    )
    checked: PhaseOfEitherRefs = Field(
        default=("movement", "combat"),
        min_length=1,
        description="phases at whose beginning supply is looked for: the side's own `movement` and `combat`, every "
        "one that it has in a turn, phases of the game's own by their name, and with `enemy_` before them, as "
        "`enemy_combat`, those of the other side",
    )
    line: Line = Field(default=AnyLine(), description="how long a line may be")
    places: PlaceRefs = Field(default=(), description="places that are sources while no enemy held them last")
    edges: tuple[EdgeName, ...] = Field(default=(), description="edges of the map that are sources")
    depots: TypeRefs = Field(
        default=(), description="unit types or classes whose units are sources themselves, wherever they stand"
    )
    headquarters: TypeRefs = Field(
        default=(), description="unit types or classes that pass supply on while they have it themselves"
    )
    headquarters_line: Line | None = Field(
        default=None, description="how long a line from headquarters to a unit may be; absent: as `line`"
    )
    direct: bool = Field(
        default=True,
        description="whether units may have a line straight from a source; `false`: from headquarters alone",
    )
    zones: Literal["shut", "sealed", "friends_open", "open"] = Field(
        default="friends_open",
        description="hexes in an enemy zone: `shut` to lines but for that in which the unit itself stands, or "
        "headquarters, `sealed` there too, `friends_open` where a friend stands, or `open`",
    )
    exempt: TypeRefs = Field(default=(), description="unit types or classes that need none")
    mark: Identifier = Field(
        default="unsupplied",
        description="what a unit without supply bears; if several rules give one mark, who lacks a line by one of "
        "them",
    )
    stages: MarkRefs = Field(
        default=(),
        description="marks that a unit bears besides if it is without supply the next time too, and the time "
        "after that, as `isolated starving`; a turn counts once, by the first phase in it of the kind that stands "
        "first in `checked`",
    )
    section: Section
