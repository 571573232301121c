"""The sequence of play: whose phases follow one another, who acts in them, and how far he goes."""

from __future__ import annotations

from typing import Annotated, Literal

from hexforge.scenarios.schema.base import Identifier
from hexforge.scenarios.schema.declared import Field, Model
from hexforge.scenarios.schema.references import (
    DivisionRefs,
    MarkRefs,
    SideRef,
    TurnSpan,
    TypeRefs,
    WayRefs,
    WeatherRefs,
)
from hexforge.scenarios.schema.rules_zones import Between, Entering, Leaving


class Whole(Model):
    """The units' own allowances."""

    kind: Literal["whole"] = "whole"


class Cut(Model):
    """A share of an allowance: `times: 2, divide: 3` is two thirds of it."""

    times: int = Field(default=1, ge=1, description="what the allowance is multiplied by, before it is divided")
    divide: int = Field(default=1, ge=1, description="what the allowance is divided by")
    rounding: Literal["up", "down", "nearest", "half"] = Field(
        default="up",
        description="what becomes of the rest: rounded `up`, `down`, to the `nearest` whole point; or `half`: down "
        "to half points",
    )

    def of(self, halves: int) -> int:
        """What is left of an allowance; both in half points."""
        unit = 1 if self.rounding == "half" else 2
        whole = {"up": unit * self.divide - 1, "nearest": unit * self.divide // 2}.get(self.rounding, 0)
        return (halves * self.times + whole) // (unit * self.divide) * unit


class Share(Cut):
    """A share of the units' own allowances."""

    kind: Literal["share"]


class Times(Model):
    """A multiple of the units' own allowances."""

    kind: Literal["times"]
    times: int = Field(ge=2, description="what the allowance is multiplied by")


class Points(Model):
    """The same allowance for all."""

    kind: Literal["points"]
    points: int = Field(ge=1, description="movement points")


class Hexes(Model):
    """So many hexes, whatever they would cost; what bars a unit still does."""

    kind: Literal["hexes"]
    hexes: int = Field(ge=1, description="hexes, each of which takes one point")


class PhaseZones(Model):
    """What the enemy's zones do in a phase, in place of what they do in others; what is absent stays as there.

    Exceptions of units (`zones.exceptions`) hold where the phase leaves a choice as it is.
    """

    enter: Entering | None = Field(default=None, description="what entering a hex of a zone does in the phase")
    leave: Leaving | None = Field(default=None, description="what leaving a hex of a zone takes in it")
    between: Between | None = Field(default=None, description="what a step from zone to zone takes in it")
    section: str = Field(default="", description="where the rulebook prints it; empty: the section of the phase")


class PhaseSpec(Model):
    """One phase of a turn. What stands beside `side` and `phase` limits when it is, who acts in it, and how far."""

    side: SideRef = Field(description="whose phase it is")
    phase: Identifier = Field(
        description="what is done in it: `movement`, `combat`, or a name of one's own for a phase that is only "
        "announced, in which nothing is judged but what `does` lists, and what rules say of it"
    )
    does: tuple[Literal["recover", "rally", "mark", "enter", "exit", "bombard", "airstrike", "rail"], ...] = Field(
        default=(),
        description="statements that belong into it, besides those of movement or of combat; a side whose phases "
        "list `recover`, `rally`, `mark`, `bombard`, `airstrike` or `rail` has them in these alone; who comes by "
        "`enter` or leaves by `exit` in a phase of one's own does so in one hex",
    )
    who: TypeRefs = Field(
        default=(), description="unit types or classes that move in it, attack or bombard; empty: all"
    )
    marks: MarkRefs = Field(
        default=(),
        description="units that bear one of these marks alone move in it, or attack, as a reserve; empty: all",
    )
    barred_marks: MarkRefs = Field(
        default=(), description="units that bear one of these marks neither move nor attack in it"
    )
    divisions: DivisionRefs = Field(
        default=(), description="units of these divisions alone move in it, or attack; empty: all"
    )
    contact: Literal["any", "without", "within", "apart", "beside"] = Field(
        default="any",
        description="units by where they stand when the phase begins: `any`, those `without` an enemy zone, those "
        "`within` one, those `apart` from enemies, in no hex next to one, those `beside` one",
    )
    before: Literal["any", "moved", "unmoved"] = Field(
        default="any",
        description="units by whether they have moved in an earlier movement phase of the turn: `any`, those that "
        "`moved`, or `unmoved` ones alone",
    )
    allowance: Annotated[Whole | Share | Times | Points | Hexes, Field(discriminator="kind")] = Field(
        default_factory=Whole, description="how far units move in it"
    )
    marches: bool = Field(default=True, description="whether the game's marches may be made in it")
    entry: bool = Field(default=True, description="whether units may come on the map in it, in a phase of movement")
    ways: WayRefs = Field(default=(), description="they move along these ways alone; empty: anywhere")
    zones: PhaseZones | None = Field(
        default=None, description="what enemy zones do to who moves in it, if something else than in other phases"
    )
    section: str = Field(
        default="",
        description="where the rulebook prints who acts in it; empty: `phase` of the sections of movement, or of "
        "combat",
    )
    turns: TurnSpan | None = Field(
        default=None, description="first and last turn that have the phase; absent: every turn"
    )
    weather: WeatherRefs = Field(default=(), description="kinds of weather in which there is the phase; empty: any")

    @property
    def attacks(self) -> bool:
        """Whether units attack in it: in combat, or by guns alone in a phase of one's own."""
        return self.phase == "combat" or "bombard" in self.does

    def played(self, turn: int, weather: str = "") -> bool:
        """Whether a turn has the phase, in a weather; in none that is known, as if it were the right one."""
        first, last = self.turns or (turn, turn)
        return first <= turn <= last and (not self.weather or not weather or weather in self.weather)
