"""What became of every line of a sheet or mail, and what is found wrong with lines that could not be taken.

Logs and sheets as they are named: files, and mails that carry some.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from ...scenarios.model import Scenario
from ...scenarios.text.words import HexforgeError, message
from ..notation import cursor, games, statements, statements_head
from ..notation.cursor import expected
from ..notation.records import OUTSIDE, REFUSED, Account, accounts
from ..reading.open_lines import open_lines
from ..rules.findings import Finding, find
from ..rules.rulings import Waiver
from ..rules.sealed import Opened
from .worlds.unread import Unsure, syntax_finding, unsure

if TYPE_CHECKING:
    from ..reading.tournament import Applied
    from ..rules.context import Context
    from ..rules.position import Position
    from .replay import Judgement


def account_of(sheet: statements.Sheet) -> tuple[Account, ...]:
    """What became of each line of a sheet that is not blank: judged, prose, quoted or not read."""
    unread = frozenset(problem.line for problem in sheet.problems)
    return accounts(sheet.lines, frozenset(_judged(sheet)), unread, sheet.source, sheet.intake)


def _judged(sheet: statements.Sheet) -> Iterator[int]:
    yield from sheet.heads
    for statement in sheet.statements:
        yield statement.line
        if isinstance(statement, statements.Engagement):
            yield from (act.line for act in statement.acts)


def refusals(sheet: statements.Sheet) -> Iterator[Finding]:
    """A finding for each stretch of lines that are statements and belong to no game without doubt.

    A note where no line says of which game all others are.
    """
    if sheet.intake.surmised is not None:
        line, game, by = sheet.intake.surmised
        yield find(line, f"game-by-{by}", "", severity="info", game=game)
    for part in account_of(sheet):
        if part.why == OUTSIDE and sheet.intake.likely:
            yield find(part.line, "not-read-likely", "", count=part.count, game=sheet.intake.likely)
        elif part.why in REFUSED:
            yield find(part.line, f"not-read-{part.why}", "", count=part.count)


class UnknownOption(HexforgeError):
    """An option that a game has not, or a value that it does not know. `known` maps each option to its values."""

    def __init__(self, name: str, value: str, known: Mapping[str, tuple[str, ...]]) -> None:
        key, choices = ("option-value", known[name]) if known.get(name) else ("option-name", tuple(sorted(known)))
        super().__init__(message(f"validator.{key}", name=name, value=value, known=choices))
        self.name = name
        self.value = value
        self.known = known


@cache
def program() -> str:
    """Name and version of this program."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"hexforge {version('hexforge')}"
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "hexforge"


def game_of(sheet: statements.Sheet) -> statements_head.GameName | None:
    """The statement that names the sheet's game."""
    return next((s for s in sheet.statements if isinstance(s, statements_head.GameName)), None)


def scenario_of(sheet: statements.Sheet) -> Scenario | None:
    """The game that a sheet names, if there are rules to judge it by. Raises ScenarioError for broken files."""
    named = game_of(sheet)
    found = games.game(named.name, sheet.source) if named is not None else None
    return found if found is None or found.ledger is not None else games.scenario(found.name, sheet.source)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A sheet with its replay, for whoever wants to ask more of it than an answer holds.

    `steps` gives, for the lines of a sheet that was transcribed from logs, the log's name and its step. `links` is
    what is wrong with how it goes on from another. `applied` is what a tournament's file says of the game, `ruled`
    the options that it sets, `waivers` are all in force. `unsure` are lines that could not be read of the other,
    `stood` the units that it left on the map. `noted` is whom regiments mean that it names as a whole,
    `opened` what becomes of sealed throws.
    """

    sheet: statements.Sheet
    scenario: Scenario
    judgement: Judgement
    steps: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    links: tuple[Finding, ...] = ()
    applied: Applied | None = None
    waivers: tuple[Waiver, ...] = ()
    ruled: Mapping[str, str] = field(default_factory=dict)
    unsure: tuple[Unsure, ...] = ()
    stood: frozenset[str] = frozenset()
    noted: tuple[Finding, ...] = ()
    opened: Opened = field(default_factory=Opened)

    @property
    def context(self) -> Context:
        """What the rules were judged against."""
        return self.judgement.ctx

    @property
    def position(self) -> Position:
        """The position at the end."""
        return self.judgement.position

    @property
    def units(self) -> Collection[str]:
        """The ids of all that may play, or that accounts know of."""
        books = self.position.accounts
        return self.context.units if not books.states else {**self.context.head.pieces, **books.states}

    @property
    def unread(self) -> tuple[Unsure, ...]:
        """The lines that could not be read of it and of all that it goes on from."""
        return (*self.unsure, *self.left_unread(self.sheet.source))

    def left_unread(self, file: str) -> tuple[Unsure, ...]:
        """The lines of the sheet that could not be read; `file` is its name where another goes on from it."""
        return unsure(self.sheet, self.judgement.findings, self.units, file)


def problems_of(sheet: statements.Sheet, *, known: bool = True) -> tuple[Finding, ...]:
    """What cannot be read in a sheet, and what was not taken of it; `known` says whether its game is."""
    problems = list(sheet.problems)
    game = game_of(sheet)
    if game is not None and not known:
        hint = expected("unknown-game", known=tuple(games.all_names()))
        problems.append(cursor.SyntaxProblem(game.line, 1, game.name, hint))
    asked = {id(problem): number for number, problem in enumerate(open_lines(sheet.problems), 1)}
    ordered = sorted(problems, key=lambda p: (p.line, p.column))
    found = (replace(syntax_finding(p), asked=asked.get(id(p), 0), proposed=p.proposed) for p in ordered)
    return (*refusals(sheet), *found) if sheet.intake.marks or sheet.intake.surmised else tuple(found)


def players_of(sheet: statements.Sheet) -> dict[str, str]:
    """Who plays, by side, as the sheet says."""
    return dict(pair for s in sheet.statements if isinstance(s, statements_head.Players) for pair in s.names)
