"""tournament.yaml: what a director rules for the games of a tournament. It lies in a folder with them, or above."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from ..text.words import BadValueError, message
from .declared import BeforeValidator, Field, Model


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


Said = Annotated[str, Field(pattern=r"\S", max_length=2000)]
"""A text that says something."""
Files = Annotated[tuple[Said, ...], BeforeValidator(_listed, json_schema_input_type=str | list[str])]
"""Files or folders, as seen from the folder of tournament.yaml."""


class Days(Model):
    """From when until when something is played."""

    first: date | None = Field("the first day", default=None)
    last: date | None = Field("the last day", default=None)

    def __post_init__(self) -> None:
        if self.first and self.last and self.last < self.first:
            first, last = self.first.isoformat(), self.last.isoformat()
            raise BadValueError(message("scenario.value.days-turned", first=first, last=last))


class TournamentGame(Model):
    """A game of the tournament, by the files or folders that it is played in."""

    name: Said = Field("what the game is called in answers: table 1")
    files: Files = Field("files or folders, as seen from this file's folder", min_length=1)
    game: str = Field("the game that is played, as `game` in a sheet", default="")
    players: dict[str, Said] = Field("side: name", default={}, json_schema_extra={"default": {}})
    dates: Days = Field("when it is played", default_factory=Days)
    round: str = Field("the round that it belongs to", default="")
    winner: str = Field(
        "the side that won, or `draw`; without it the score says so once the last turn is played", default=""
    )
    options: dict[str, str] = Field(
        "rulings that hold for this game alone", default={}, json_schema_extra={"default": {}}
    )


class OfALine(Model):
    """What is ruled on a line of a sheet, or on a step of a log."""

    sheet: str = Field(
        "a file, as seen from this file's folder; a mail of a mailbox by its name in answers, letters.mbox[2]",
        default="",
    )
    game: str = Field("a game by its name above, in place of its file", default="")
    line: int | None = Field("of a sheet, or of what a log is written down as", default=None, ge=1)
    step: int | None = Field("of the log `sheet`", default=None, ge=0)

    def __post_init__(self) -> None:
        if bool(self.sheet) == bool(self.game):
            raise BadValueError(message("scenario.value.waiver-file"))
        if (self.line is None) == (self.step is None):
            raise BadValueError(message("scenario.value.waiver-line"))
        if self.step is not None and not self.sheet:
            raise BadValueError(message("scenario.value.ruling-step"))


class TournamentWaiver(OfALine):
    """A line whose findings are waived, in a sheet (by line) or a log (by step)."""

    rule: str = Field("a section (B 5.1) or a code (stacking); without it, all findings", default="")
    reason: Said = Field("why the findings are waived; stands in every answer")
    by: str = Field("who rules so, if not the director", default="")


class TournamentRuling(OfALine):
    """What is put right by hand below a line of a sheet, or after a step of a log."""

    put: str = Field("units, a hex, a state: as `put` in a sheet", default="", max_length=2000)
    control: str = Field("a hex and a side: as `control` in a sheet", default="", max_length=2000)
    reason: Said = Field("why it is put right; stands in every answer")
    by: str = Field("who rules so, if not the director", default="")

    def __post_init__(self) -> None:
        super().__post_init__()
        if bool(self.put.strip()) == bool(self.control.strip()):
            raise BadValueError(message("scenario.value.ruling-one"))


class Points(Model):
    """What a game is worth to its players in the standings."""

    win: float = Field("points of who won", default=1.0)
    draw: float = Field("points of both in a draw", default=0.5)
    loss: float = Field("points of who lost", default=0.0)


class TournamentFile(Model):
    """A tournament: its director, the rulings for all of its games, the games, and what is waived in them."""

    tournament: Said = Field("name of the tournament")
    director: str = Field("who rules", default="")
    dates: Days = Field("when it is played", default_factory=Days)
    points: Points = Field("what games are worth in the standings", default_factory=Points)
    options: dict[str, str] = Field("rulings for all games", default={}, json_schema_extra={"default": {}})
    days_for_a_turn: int | None = Field(
        "days that a player has for his turn, by which `validator turns` tells who is late; absent: any number",
        default=None,
        ge=1,
        le=366,
    )
    rulings_in_sheets: bool = Field("whether `accept`, `put` … in sheets have an effect", default=True)
    dice: Literal["any", "sealed"] = Field(
        "which dice count: `any`, or those alone that were asked for as `sealed` and opened by the other player",
        default="any",
    )
    games: tuple[TournamentGame, ...] = ()
    waivers: tuple[TournamentWaiver, ...] = ()
    rulings: tuple[TournamentRuling, ...] = ()
