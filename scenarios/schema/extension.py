"""game.yaml of an extension: markers and tracks for people who own a game, without its map and order of battle."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from hexforge.scenarios.schema.base import (
    Identifier,
    LanguageCode,
    Model,
    Provenance,
    Sourced,
    SourcedFact,
    Words,
)
from hexforge.scenarios.schema.game import Module, Option, SideSpec
from hexforge.scenarios.schema.map import Place
from hexforge.scenarios.schema.references import HexRef, HexRefs, SideRef
from hexforge.scenarios.schema.supplies import Supplies
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

    letter: str = Field(pattern="^[A-Z]$")
    section: str


def _day_facts(days: Days) -> Iterator[SourcedFact]:
    yield SourcedFact(f"{days.first}..{days.last}", " ".join(days.parts))


class Days(Model):
    """Days, each of several turns: `parts` are what these are called, in their order."""

    first: datetime.date
    last: datetime.date
    parts: Words = Field(min_length=1, max_length=8)
    provenance: Annotated[Provenance, Sourced("days", _day_facts)] = "assumed"
    note: str = ""

    @model_validator(mode="after")
    def _run_on(self) -> Self:
        if not 0 <= (self.last - self.first).days < MAX_DAYS:
            raise BadValueError(
                message("scenario.value.days", first=str(self.first), last=str(self.last), most=MAX_DAYS)
            )
        return self


class NamedPhase(Model):
    """A phase that the rules name, and the parts of a day that have it. Their order is not told."""

    id: Identifier
    turns: Words = Field((), description="parts of the day; all of them where absent")
    side: SideRef | None = None
    section: str


def _exit_facts(exit_: OnlyExits) -> Iterator[SourcedFact]:
    yield SourcedFact(exit_.hex, f"{' '.join(exit_.exits)} {exit_.across}".strip())


class OnlyExits(Model):
    """A hex that is joined to these hexes alone."""

    hex: HexRef
    exits: HexRefs = Field(min_length=1)
    kind: Identifier = Field("hex", description="what the hex is: beach")
    across: str = Field("", description="what lies between: slope")
    section: str
    provenance: Annotated[Provenance, Sourced("exit", _exit_facts)] = "assumed"
    note: str = ""


class ExtensionFile(Supplies):
    """The whole of game.yaml of an extension."""

    format: Literal[1]
    kind: Literal["extension"]
    name: Identifier
    letter: str = Field(pattern="^[A-Z]$", description="how rule citations begin")
    module: ExtensionModule
    sides: tuple[SideSpec, ...] = Field(min_length=2, max_length=2)
    maps: tuple[MapLetter, ...] = ()
    places: tuple[Place, ...] = ()
    only_exits: tuple[OnlyExits, ...] = ()
    days: Days | None = None
    phases: tuple[NamedPhase, ...] = ()
    options: dict[Identifier, Option] = Field(default_factory=dict)
    languages: tuple[LanguageCode, ...] = Field(
        ("pt", "en"),
        min_length=1,
        max_length=100,
        description="languages of the texts; a module is built in the first",
    )
    credits: dict[str, Any] = Field(default_factory=dict)
    sources: tuple[str, ...] = ()
