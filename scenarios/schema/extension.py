"""game.yaml of an extension: markers and tracks for people who own a game, without its map and order of battle."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Annotated, Literal

from hexforge.scenarios.schema.base import (
    Identifier,
    Note,
    Origin,
    Section,
    Sourced,
    SourcedFact,
    Words,
)
from hexforge.scenarios.schema.common import Common
from hexforge.scenarios.schema.declared import Field, Model
from hexforge.scenarios.schema.game import Module, NotJudged, Option, SideSpec
from hexforge.scenarios.schema.map import Place
from hexforge.scenarios.schema.references import HexRef, HexRefs, SideRef
from hexforge.scenarios.words import BadValueError, message

MAX_DAYS = 400


class ExtensionModule(Module):
    """What the module of an extension is called; the `.vmdx` has the file's name with that ending."""

    id: str = Field(
        pattern="^[A-Za-z0-9]{3,8}$",
        description="VASSAL's id of the extension: no other that is loaded beside it may have the same",
    )


class MapLetter(Model):
    """A map of the game: the letter that its hexes begin with (`B1305`). Its ground is not known."""

    letter: str = Field(pattern="^[A-Z]$", description="the letter that begins the map's hexes")
    section: Section


def _day_facts(days: Days) -> Iterator[SourcedFact]:
    yield SourcedFact(f"{days.first}..{days.last}", " ".join(days.parts))


class Days(Model):
    """Days, each of several turns: `parts` are what these are called, in their order."""

    first: datetime.date = Field(description="the first day")
    last: datetime.date = Field(description="the last day")
    parts: Words = Field(
        min_length=1, max_length=8, description="what the turns of a day are called, in their order"
    )
    provenance: Annotated[Origin, Sourced("days", _day_facts)] = "assumed"
    note: Note = ""

    def __post_init__(self) -> None:
        if not 0 <= (self.last - self.first).days < MAX_DAYS:
            raise BadValueError(
                message("scenario.value.days", first=str(self.first), last=str(self.last), most=MAX_DAYS)
            )


class NamedPhase(Model):
    """A phase that the rules name, and the parts of a day that have it. Their order is not told."""

    id: Identifier = Field(description="what the texts call the phase by")
    turns: Words = Field(default=(), description="parts of the day; all of them where absent")
    side: SideRef | None = Field(default=None, description="whose phase it is; absent: everybody's")
    section: Section


def _exit_facts(exit_: OnlyExits) -> Iterator[SourcedFact]:
    yield SourcedFact(exit_.hex, f"{' '.join(exit_.exits)} {exit_.across}".strip())


class OnlyExits(Model):
    """A hex that is joined to these hexes alone."""

    hex: HexRef = Field(description="the hex that has these exits alone")
    exits: HexRefs = Field(min_length=1, description="the hexes that it is joined to")
    kind: Identifier = Field(default="hex", description="what the hex is: beach")
    across: str = Field(default="", description="what lies between: slope")
    section: Section
    provenance: Annotated[Origin, Sourced("exit", _exit_facts)] = "assumed"
    note: Note = ""


class ExtensionFile(Common):
    """The whole of game.yaml of an extension."""

    format: Literal[1] = Field(description="version of this layout of files; always 1")
    kind: Literal["extension"] = Field(description="says that this is an extension and no whole game")
    name: Identifier = Field(description="what commands call it; also its folder")
    letter: str = Field(pattern="^[A-Z]$", description="how rule citations begin")
    module: ExtensionModule
    sides: tuple[SideSpec, ...] = Field(min_length=2, max_length=2)
    maps: tuple[MapLetter, ...] = ()
    places: tuple[Place, ...] = ()
    only_exits: tuple[OnlyExits, ...] = ()
    days: Days | None = None
    phases: tuple[NamedPhase, ...] = ()
    not_judged: tuple[NotJudged, ...] = Field(
        default=(), description="rules that nothing judges; every answer names them"
    )
    options: dict[Identifier, Option] = Field(
        default_factory=dict, description="rulings that players set for themselves"
    )
