"""Zones of control: who has one, how far it reaches, what it takes to enter it, to leave it and to change it.

Of the enemy's zones alone is spoken: nobody minds his own. Points are movement points, halves of a point included.

Supply: who looks for it when, how long a line may be, what shuts it, where it comes from (`rules.supply`).
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from .base import (
    AtTimes,
    DivisionRefs,
    EdgeName,
    Halves,
    HexsideRefs,
    MarkName,
    MarkRefs,
    MovementClassRef,
    PhaseOfEitherRefs,
    PlaceRefs,
    Section,
    SideRef,
    TerrainRefs,
    TurnSpan,
    TypeRefs,
    UnitRefs,
)
from .declared import Field, Model, error, idle, warning


class Free(Model):
    """It costs nothing more and forbids nothing."""

    kind: Literal["free"] = "free"


class Price(Model):
    """It costs points besides those of the ground."""

    kind: Literal["points"]
    points: Halves = Field("movement points, each time")
    SLIPS = (idle("costs-nothing", "", lambda c, r: not r.points),)


class Stop(Model):
    """The move ends there."""

    kind: Literal["stop"] = "stop"
    points: Halves = Field("movement points that it costs besides those of the ground", default=0)


class Never(Model):
    """It may not be done by moving."""

    kind: Literal["never"]


class Whole(Model):
    """It takes the whole movement allowance, so that it is all of the move."""

    kind: Literal["whole"]


class Once(Model):
    """It may be done once in a move, and not again."""

    kind: Literal["once"]
    points: Halves = Field("movement points that it costs", default=0)


Entering = Annotated[Stop | Price | Free | Never, Field(discriminator="kind")]
Leaving = Annotated[Price | Free | Never, Field(discriminator="kind")]
Between = Annotated[Price | Free | Never | Whole | Once, Field(discriminator="kind")]


SAYS_NOTHING: Final = idle("no-exception", "", lambda c, r: r.enter is r.leave is r.between is None)


class ZoneException(AtTimes):
    """Units to whom zones do something else, always or in some turns or weather: armour, everybody by night."""

    enter: Entering | None = Field("what entering a hex of a zone does to them; absent: as to others", default=None)
    leave: Leaving | None = Field("what leaving a hex of a zone takes of them; absent: as of others", default=None)
    between: Between | None = Field(
        "what a step from zone to zone takes of them; absent: as of others", default=None
    )
    section: Section
    SLIPS = (SAYS_NOTHING,)


class Zones(Model):
    """What the zones of the enemy's units do to who moves. Without this section a zone stops, and binds nobody."""

    exerted: bool = Field("whether there are zones at all; `false`: no unit has one", default=True)
    exerted_by: TypeRefs = Field("unit types or classes that have a zone; empty: all units", default=())
    reduced: bool = Field("whether a unit keeps its zone when it has lost a step", default=True)
    silenced_by: MarkRefs = Field("marks that take a unit's zone away, as `disrupted`", default=())
    not_across: HexsideRefs = Field("kinds of hexside across which no zone reaches", default=())
    over_bridges: bool = Field(
        "whether zones reach across them all the same where a bridge stands from the first turn on, or was built",
        default=False,
    )
    not_into: TerrainRefs = Field("terrain into which no zone reaches", default=())
    friends_cancel: Literal["never", "moving", "retreating", "always"] = Field(
        "when a hex that a friend holds is free of the enemy's zone: for movers, retreats, both", default="never"
    )
    ignored_by: TypeRefs = Field(
        "unit types or classes that move as if there were no zones; no bond bars them, in retreats and advances "
        "neither, but zones on the way of a retreat count for them as for others",
        default=(),
    )
    enter: Entering = Field(
        "what entering a hex of a zone does: `stop`, `points`, `free`, or `never`, which bars it",
        default_factory=Stop,
    )
    leave: Leaving = Field(
        "what leaving a hex of a zone takes: `free`, `points`, or `never`, but by combat", default_factory=Free
    )
    between: Between = Field(
        "what a step from a hex of a zone straight into another takes, besides leaving the first: `free`, "
        "`points`, `never`, or the `whole` of the move",
        default_factory=Free,
    )
    bonds: Literal["none", "moving", "always"] = Field(
        "whether two enemies two hexes apart bar the hex between them, or the hexside where two hexes lie between: "
        "to who is `moving` there, or `always`, in retreats and advances too; not a hex where a friend stands, nor "
        "where the zone of either does not reach",
        default="none",
    )
    exceptions: tuple[ZoneException, ...] = Field(
        "units to whom zones do something else, always or in some turns; the first that fits counts", default=()
    )
    SLIPS = (
        idle(
            "no-zones",
            "enter leave between exerted_by reduced silenced_by not_across not_into over_bridges friends_cancel "
            "bonds ignored_by exceptions",
            lambda c, r: not r.exerted,
        ),
        idle("everywhere", "over_bridges", lambda c, r: not r.not_across),
        idle("nobody-bound", "ignored_by", lambda c, r: c.all_are(r.ignored_by)),
        idle("one-step", "reduced", lambda c, r: c.single),
        idle("no-hex-left", "not_into", lambda c, r: all(map({*r.not_into}.intersection, c.map.terrain.values()))),
    )

    @property
    def grounded(self) -> bool:
        """Whether how far zones reach depends on the ground."""
        return bool(self.not_across or self.not_into)


class AnyLine(Model):
    """A line of any length."""

    kind: Literal["any"] = "any"


class HexLine(Model):
    """A line of at most so many hexes, that of the source not counted."""

    kind: Literal["hexes"]
    hexes: int = Field("hexes from the source to the unit, its own included", ge=0)
    SLIPS = (
        warning("game.no-length", "", lambda c, r: not r.hexes),
        warning("game.longer-than-map", "", lambda c, r: r.hexes > c.map.grid.columns + c.map.grid.rows),
    )


class PointLine(Model):
    """A line as long as a movement class gets with so many points, going from the source to the unit."""

    kind: Literal["points"]
    points: int = Field("movement points; the source's own hex costs none", ge=0)
    movement: MovementClassRef = Field("movement class whose costs are paid")


Line = Annotated[AnyLine | HexLine | PointLine, Field(discriminator="kind")]


class Supply(Model):
    """Which units have a line to a source; those that have none bear a mark, until they have one again.

    What the mark does stands with the rules that name it, such as `movement.allowances` and `movement.immobile`.
    """

    side: SideRef | None = Field("whose supply this is; absent: that of either side", default=None)
    turns: TurnSpan | None = Field("first and last turn in which this supply is needed; absent: all", default=None)
    checked: PhaseOfEitherRefs = Field(
        "phases at whose beginning supply is looked for: the side's own `movement` and `combat`, every one that it "
        "has in a turn, phases of the game's own by their name, and with `enemy_` before them, as `enemy_combat`, "
        "those of the other side",
        default=("movement", "combat"),
        min_length=1,
    )
    line: Line = Field("how long a line may be", default=AnyLine())
    places: PlaceRefs = Field("places that are sources while no enemy held them last", default=())
    edges: tuple[EdgeName, ...] = Field("edges of the map that are sources", default=())
    depots: TypeRefs = Field(
        "unit types or classes whose units are sources themselves, wherever they stand", default=()
    )
    headquarters: TypeRefs = Field(
        "unit types or classes that pass supply on while they have it themselves", default=()
    )
    headquarters_line: Line | None = Field(
        "how long a line from headquarters to a unit may be; absent: as `line`", default=None
    )
    direct: bool = Field(
        "whether units may have a line straight from a source; `false`: from headquarters alone", default=True
    )
    zones: Literal["shut", "sealed", "friends_open", "open"] = Field(
        "hexes in an enemy zone: `shut` to lines but for that in which the unit itself stands, or headquarters, "
        "`sealed` there too, `friends_open` where a friend stands, or `open`",
        default="friends_open",
    )
    exempt: TypeRefs = Field("unit types or classes that need none", default=())
    divisions: DivisionRefs = Field("only units of these divisions need it; empty: all", default=())
    units: UnitRefs = Field("only these counters need it, by id; empty: all", default=())
    formation: Literal["regiment", "division", "corps"] | None = Field(
        "headquarters pass it on to their own regiment, division or corps alone, as command; those that are of "
        "none to everybody; absent: to everybody",
        default=None,
    )
    mark: MarkName = Field(
        "what a unit without supply bears; if several rules give one mark, who lacks a line by one of them",
        default="unsupplied",
    )
    stages: MarkRefs = Field(
        "marks that a unit bears besides if it is without supply the next time too, and the time after that, as "
        "`isolated starving`; a turn counts once, by the first phase in it of the kind that stands first in "
        "`checked`",
        default=(),
    )
    section: Section
    SLIPS = (
        idle("all-exempt", "exempt", lambda c, r: c.all_are(r.exempt, r.side)),
        error("game.no-source", "", lambda c, r: not (r.places or r.edges or r.depots)),
        warning(
            "game.no-headquarters",
            "headquarters_line",
            lambda c, r: r.headquarters_line is not None and not r.headquarters,
        ),
        error("game.nobody-passes", "direct", lambda c, r: not r.direct and not r.headquarters),
    )
