"""game.yaml of an extension: markers and tracks for people who own a game, without its map and order of battle.

ledger.yaml: the rules of an extension that can be kept as accounts, and the figures that they count with.

Each part is one mechanism of the referee; a game has those that its file states. `section` is where the rulebook
prints it, `unjudged` are ids of what it rests on and does not print (`unjudged.ID` of the texts).
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Annotated, Literal

from ..text.words import BadValueError, message
from .base import (
    DayPartRef,
    DayPartRefs,
    DayPhaseRef,
    DayPhaseRefs,
    EdgeRefs,
    HexRef,
    HexRefs,
    Identifier,
    MarkerRef,
    Note,
    OptionRef,
    Origin,
    PieceRef,
    PieceRefs,
    Section,
    SideRef,
    Sourced,
    SourcedFact,
    TrackRef,
    Words,
)
from .declared import Field, Model
from .game import Common, Module, NotJudged, Option, SideSpec
from .map import Place

MAX_DAYS = 400


class ExtensionModule(Module):
    """What the module of an extension is called; the `.vmdx` has the file's name with that ending."""

    id: str = Field(
        "VASSAL's id of the extension: no other that is loaded beside it may have the same",
        pattern="^[A-Za-z0-9]{3,8}$",
    )


class MapLetter(Model):
    """A map of the game: the letter that its hexes begin with (`B1305`). Its ground is not known."""

    letter: str = Field("the letter that begins the map's hexes", pattern="^[A-Z]$")
    section: Section


def _day_facts(days: Days) -> Iterator[SourcedFact]:
    yield SourcedFact(f"{days.first}..{days.last}", " ".join(days.parts))


class Days(Model):
    """Days, each of several turns: `parts` are what these are called, in their order."""

    first: datetime.date = Field("the first day")
    last: datetime.date = Field("the last day")
    parts: Words = Field("what the turns of a day are called, in their order", min_length=1, max_length=8)
    provenance: Annotated[Origin, Sourced("days", _day_facts)] = "assumed"
    note: Note = ""

    def __post_init__(self) -> None:
        if not 0 <= (self.last - self.first).days < MAX_DAYS:
            raise BadValueError(
                message("scenario.value.days", first=str(self.first), last=str(self.last), most=MAX_DAYS)
            )


class NamedPhase(Model):
    """A phase that the rules name, and the parts of a day that have it. Their order is not told."""

    id: Identifier = Field("what the texts call the phase by")
    turns: DayPartRefs = Field("parts of the day; all of them where absent", default=())
    side: SideRef | None = Field("whose phase it is; absent: everybody's", default=None)
    section: Section


def _exit_facts(exit_: OnlyExits) -> Iterator[SourcedFact]:
    yield SourcedFact(exit_.hex, f"{' '.join(exit_.exits)} {exit_.across}".strip())


class OnlyExits(Model):
    """A hex that is joined to these hexes alone."""

    hex: HexRef = Field("the hex that has these exits alone")
    exits: HexRefs = Field("the hexes that it is joined to", min_length=1)
    kind: Identifier = Field("what the hex is: beach", default="hex")
    across: str = Field("what lies between: slope", default="")
    section: Section
    provenance: Annotated[Origin, Sourced("exit", _exit_facts)] = "assumed"
    note: Note = ""


class ExtensionFile(Common):
    """The whole of game.yaml of an extension."""

    format: Literal[1] = Field("version of this layout of files; always 1")
    kind: Literal["extension"] = Field("says that this is an extension and no whole game")
    name: Identifier = Field("what commands call it; also its folder")
    letter: str = Field("how rule citations begin", pattern="^[A-Z]$")
    module: ExtensionModule
    sides: tuple[SideSpec, ...] = Field(min_length=2, max_length=2)
    maps: tuple[MapLetter, ...] = ()
    places: tuple[Place, ...] = ()
    only_exits: tuple[OnlyExits, ...] = ()
    days: Days | None = None
    phases: tuple[NamedPhase, ...] = ()
    not_judged: tuple[NotJudged, ...] = Field("rules that nothing judges; every answer names them", default=())
    options: dict[Identifier, Option] = Field("rulings that players set for themselves", default={})


Number = Annotated[int, Field(ge=0, le=99)]
Date = Annotated[tuple[int, int], Field("day and month")]


class Mechanism(Model):
    """What every part has."""

    section: str
    unjudged: Words = ()


class When(Model):
    """The turns of a day and the phases in which something is done; all of them where a list is empty."""

    parts: DayPartRefs = ()
    phases: DayPhaseRefs = ()


class PieceKind(Model):
    """What a `unit` line of a sheet may call a counter: `units` are those of this kind that the rules name."""

    marker: MarkerRef | None = Field("its counters are markers of this kind: truck-1, truck-2 …", default=None)
    side: SideRef | None = None


class Carriers(Mechanism):
    """Markers that are received, go by road and lend headquarters a bonus of movement."""

    side: SideRef
    kind: PieceRef
    headquarters: PieceRefs = Field("kinds of headquarters that they may serve")
    received: When
    moved: When
    bonus: Number


class CutOff(Mechanism):
    """A part of the map that may be cut off, with replacement points of its own while it is."""

    side: SideRef
    edges: EdgeRefs = Field("edges of the map of which one line is enough", min_length=1)
    used: When
    losses: TrackRef | None = Field("the track of the steps lost there", default=None)
    points: TrackRef | None = Field("the track of the points that serve there", default=None)


class Alert(Mechanism):
    """Units near the coast that wait for the enemy in the first phases."""

    side: SideRef
    letter: str = Field("the map on which they wait", pattern="^[A-Z]$")
    phase: DayPhaseRef
    phases: Number
    coast: Number
    enemy: Number
    naval: Number
    option: OptionRef = Field("the option on how the passage is read: distance or strip")


class BattleGroups(Mechanism):
    """Headquarters that are placed where they are needed, and never a second time."""

    side: SideRef
    kind: PieceRef
    placed: When
    distance: Number
    supplies: Number
    lost: TrackRef | None = Field("the track where those lie that do not come back", default=None)
    option: OptionRef = Field("the option on what is said of sources: condition or effect")


class Repair(Model):
    """How the port is put to work again, and what it then yields a day."""

    side: SideRef
    when: When
    cost: Number
    works: Number
    income: Number
    track: TrackRef | None = Field("the track that counts the points it is paid with", default=None)


class PortPoints(Model):
    """Who gains what by the port: the demolishing side is paid when `phase` of `part` of this day opens."""

    day: Date
    part: DayPartRef
    phase: DayPhaseRef
    untouched: Number = Field("the level that counts where demolition was never begun")
    option: OptionRef = Field("the option on the demolishing side's: deducted, gained or both")
    on_day: OptionRef = Field("the option on a capture on that day, before the phase: unpaid or paid")


class Port(Mechanism):
    """A port that is destroyed day by day on a track, captured, and repaired."""

    track: TrackRef
    city: Identifier = Field("the text that names it: `cities.ID`")
    side: SideRef = Field("who destroys it")
    begun: When
    repair: Repair
    points: PortPoints


class FixedGuns(Mechanism):
    """Batteries that never move, with figures of their own."""

    side: SideRef
    kinds: PieceRefs
    marker: MarkerRef = Field("the marker whose figures they have")
    counts_as: Identifier


class HiddenGuns(Mechanism):
    """One battery that lies face down in one of two hexes, a dummy in the other."""

    side: SideRef
    markers: tuple[MarkerRef, ...] = Field(min_length=2, max_length=2)
    guns: Identifier = Field("what sheets call the battery itself")
    home: HexRef
    moved: HexRef
    escort: PieceRefs = Field("kinds of unit of which one must be in `moved`")


class Reserve(Mechanism):
    """A battalion that may be held back, and lands where a die sends it."""

    option: OptionRef
    phase: DayPhaseRef
    number: Number
    faces: tuple[int, int] = Field("faces of the die that send it after the other")


class Landing(Mechanism):
    """Two battalions that may land at one of two places, the second one there after the first."""

    side: SideRef
    unit: Identifier
    other: Identifier
    assault: Identifier
    beach: Identifier
    hexes: HexRefs = Field("the hexes of the assault, by which it may be named too", default=())
    when: When
    reserve: Reserve | None = None


class Companies(Mechanism):
    """Companies that battalions may be broken down to by markers of their own."""

    option: OptionRef
    marker: PieceRef


class Frail(Mechanism):
    """Battalions that make no companies and lose steps while they are isolated."""

    side: SideRef
    kinds: PieceRefs
    when: When
    steps: Number
    companies: Companies | None = None


class LedgerFile(Model):
    """The whole of ledger.yaml."""

    pieces: dict[Identifier, PieceKind]
    carriers: Carriers | None = None
    cut_off: CutOff | None = None
    alert: Alert | None = None
    battle_groups: BattleGroups | None = None
    port: Port | None = None
    fixed_guns: FixedGuns | None = None
    hidden_guns: HiddenGuns | None = None
    landing: Landing | None = None
    frail: Frail | None = None
