"""tournament.yaml: what a director rules for the games of a tournament. It lies in a folder with them, or above."""

from __future__ import annotations

from datetime import date
from typing import Annotated

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

    first: date | None = Field(default=None, description="the first day")
    last: date | None = Field(default=None, description="the last day")

    def __post_init__(self) -> None:
        if self.first and self.last and self.last < self.first:
            first, last = self.first.isoformat(), self.last.isoformat()
            raise BadValueError(message("scenario.value.days-turned", first=first, last=last))


class TournamentGame(Model):
    """A game of the tournament, by the files or folders that it is played in."""

    name: Said = Field(description="what the game is called in answers: table 1")
    files: Files = Field(min_length=1, description="files or folders, as seen from this file's folder")
    game: str = Field(default="", description="the game that is played, as `game` in a sheet")
    players: dict[str, Said] = Field(
        default_factory=dict, json_schema_extra={"default": {}}, description="side: name"
    )
    dates: Days = Field(default_factory=Days, description="when it is played")
    round: str = Field(default="", description="the round that it belongs to")
    winner: str = Field(
        default="",
        description="the side that won, or `draw`; without it the score says so once the last turn is played",
    )
    options: dict[str, str] = Field(
        default_factory=dict, json_schema_extra={"default": {}}, description="rulings that hold for this game alone"
    )


class OfALine(Model):
    """What is ruled on a line of a sheet, or on a step of a log."""

    sheet: str = Field(
        default="",
        description=(
            "a file, as seen from this file's folder; a mail of a mailbox by its name in answers, letters.mbox[2]"
        ),
    )
    game: str = Field(default="", description="a game by its name above, in place of its file")
    line: int | None = Field(default=None, ge=1, description="of a sheet, or of what a log is written down as")
    step: int | None = Field(default=None, ge=0, description="of the log `sheet`")

    def __post_init__(self) -> None:
        if bool(self.sheet) == bool(self.game):
            raise BadValueError(message("scenario.value.waiver-file"))
        if (self.line is None) == (self.step is None):
            raise BadValueError(message("scenario.value.waiver-line"))
        if self.step is not None and not self.sheet:
            raise BadValueError(message("scenario.value.ruling-step"))


class TournamentWaiver(OfALine):
    """A line whose findings are waived, in a sheet (by line) or a log (by step)."""

    rule: str = Field(default="", description="a section (B 5.1) or a code (stacking); without it, all findings")
    reason: Said = Field(description="why the findings are waived; stands in every answer")
    by: str = Field(default="", description="who rules so, if not the director")


class TournamentRuling(OfALine):
    """What is put right by hand below a line of a sheet, or after a step of a log."""

    put: str = Field(default="", max_length=2000, description="units, a hex, a state: as `put` in a sheet")
    control: str = Field(default="", max_length=2000, description="a hex and a side: as `control` in a sheet")
    reason: Said = Field(description="why it is put right; stands in every answer")
    by: str = Field(default="", description="who rules so, if not the director")

    def __post_init__(self) -> None:
        super().__post_init__()
        if bool(self.put.strip()) == bool(self.control.strip()):
            raise BadValueError(message("scenario.value.ruling-one"))


class Points(Model):
    """What a game is worth to its players in the standings."""

    win: float = Field(default=1.0, description="points of who won")
    draw: float = Field(default=0.5, description="points of both in a draw")
    loss: float = Field(default=0.0, description="points of who lost")


class TournamentFile(Model):
    """A tournament: its director, the rulings for all of its games, the games, and what is waived in them."""

    tournament: Said = Field(description="name of the tournament")
    director: str = Field(default="", description="who rules")
    dates: Days = Field(default_factory=Days, description="when it is played")
    points: Points = Field(default_factory=Points, description="what games are worth in the standings")
    options: dict[str, str] = Field(
        default_factory=dict, json_schema_extra={"default": {}}, description="rulings for all games"
    )
    rulings_in_sheets: bool = Field(default=True, description="whether `accept`, `put` … in sheets have an effect")
    games: tuple[TournamentGame, ...] = ()
    waivers: tuple[TournamentWaiver, ...] = ()
    rulings: tuple[TournamentRuling, ...] = ()
