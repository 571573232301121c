"""victory.yaml: objectives and points."""

from __future__ import annotations

from typing import Annotated, Literal

from hexforge.scenarios.schema.base import Identifier, Section, printed
from hexforge.scenarios.schema.declared import BeforeValidator, Field, Model
from hexforge.scenarios.schema.references import (
    AreaRef,
    EdgeName,
    EdgeRef,
    FormationRef,
    HexRefs,
    HexsideRef,
    PlaceRef,
    PlaceRefs,
    SideRef,
    SideRefs,
    TurnLimit,
    TurnRefs,
    TurnSpan,
)
from hexforge.scenarios.words import BadValueError, message


class Objective(Model):
    """A place (id of map.yaml) that scores for whoever holds all its hexes at the end."""

    place: PlaceRefs = Field(min_length=1, description="one place, or several that must all be held")
    points: dict[SideRef, int] = Field(description="side -> points, if it holds the place")
    each_turn: bool = Field(default=False, description="at the end of each turn, and not of the game alone")
    at_turns: TurnRefs = Field(
        default=(), description="at the end of each of these turns, and not of the game alone"
    )
    section: Section

    @property
    def by_turns(self) -> bool:
        """Whether it scores as turns end."""
        return self.each_turn or bool(self.at_turns)


class ExitScore(Model):
    """Units that score by leaving the map in time."""

    side: SideRef = Field(description="the side that scores")
    division: FormationRef | None = Field(
        default=None, description="division or corps whose units score; absent: all"
    )
    edge: EdgeRef = Field(description="edge by which they leave")
    hexes: HexRefs = Field(default=(), description="only by these hexes of it; empty: by any")
    after_place: PlaceRef | None = Field(default=None, description="a place that they must have passed before")
    last_turn: TurnLimit = Field(description="the last turn in which it counts")
    counted: Literal["units", "steps", "factors"] = Field(
        default="units",
        description="what brings the points: each unit, each step that it has left, or each attack factor",
    )
    points: int = Field(description="points a unit, step or factor")
    section: Section


class Border(Model):
    """An area told by its border: what lies between lines of a kind on hexsides and an edge of the map."""

    line: HexsideRef = Field(description="kind of hexside that bounds the area")
    edge: EdgeName = Field(description="edge of the map on its other side")


class SuddenEnd(Model):
    """A side wins at once, as a phase or a turn ends; every condition given must hold."""

    side: SideRef = Field(description="the side that wins")
    at: Literal["phase", "turn"] = Field(
        default="phase", description="when it is looked at: as each phase ends, or as the turn ends"
    )
    place: PlaceRefs = Field(default=(), description="places of which it holds every hex")
    points: int | None = Field(default=None, description="points that it has at least")
    lead: int | None = Field(default=None, description="points that it has more than the enemy, at least")
    none_left: bool = Field(default=False, description="no enemy unit is on the map")
    turns: TurnSpan | None = Field(default=None, description="first and last turn of the rule; absent: every turn")
    section: Section


class Level(Model):
    """How a game is won: the first level that fits is that of the game."""

    name: Identifier = Field(description="its key in the texts, below `levels`")
    side: SideRef | None = Field(default=None, description="the side that wins so; absent: nobody, a draw")
    of: SideRef | None = Field(
        default=None, description="whose points or lead are meant; absent: those of `side`, or for a draw of either"
    )
    by: Literal["points", "lead", "ratio"] = Field(
        default="lead", description="what is held against `least`: its points, what it has more, or how many times"
    )
    least: Annotated[float, BeforeValidator(printed, json_schema_input_type=float)] = Field(
        ge=-100_000,
        le=100_000,
        description="so many, or more: `10`; `1.5` for a ratio; `-4`: a lead of a named side, or up to four behind",
    )

    @property
    def measured(self) -> SideRef | None:
        """Whose points are held against `least`; None: either side's."""
        return self.of or self.side

    def __post_init__(self) -> None:
        if self.least < 0 and (self.by != "lead" or not (self.of or self.side)):
            raise BadValueError(message("scenario.value.behind", least=f"{self.least:g}"))


class VictoryFile(Model):
    """How the game is scored. `destroyed`: points a side gets for each enemy counter destroyed."""

    section: Section
    objectives: tuple[Objective, ...]
    destroyed: dict[SideRef, Annotated[int, Field(ge=0)]] = Field(
        description="side -> points for each enemy counter destroyed"
    )
    destroyed_counted: Literal["units", "steps", "factors"] = Field(
        default="units",
        description="what `destroyed` gives points for: units eliminated, steps lost, or attack factors eliminated",
    )
    destroyed_every: int = Field(
        default=1, ge=1, description="for every so many of them; what is over is not counted"
    )
    sudden: tuple[SuddenEnd, ...] = Field(default=(), description="how a side wins before the last turn is over")
    levels: tuple[Level, ...] = Field(default=(), description="how well a side has won, the best first")
    control: dict[PlaceRef, SideRef] = Field(
        default_factory=dict,
        description="who holds a place at the start, where no unit shows it: place -> side",
    )
    exits: tuple[ExitScore, ...] = ()
    no_exit_bonus: dict[SideRef, int] = Field(
        default_factory=dict, description="side -> points if no enemy unit exited"
    )
    final_losses: SideRefs = Field(
        default=(), description="sides that lose a share of their reduced units at the end"
    )
    final_loss_every: int | None = Field(
        default=None, ge=1, description="one of every so many reduced units is lost, what is over is not counted"
    )
    beyond_area: dict[SideRef, dict[AreaRef, int]] = Field(
        default_factory=dict, description="side -> area -> points, once, if a unit stands there at the end"
    )
    borders: dict[AreaRef, Border] = Field(
        default_factory=dict, description="area -> its border, for maps that draw the line but not the area"
    )
