"""Mistakes: from a legal game, the same game with one thing wrong in it, and what the referee should say of that.

A mistake takes a moment of the game and gives what is played instead, or None where there is nothing to get wrong.
The game is cut at the end of the phase, for what comes later would have been played otherwise. The mistakes stand
in `mistakes_in_movement` and `mistakes_in_combat`, which enter them into `MISTAKES` when they are imported.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.replay import steps
from hexforge.validator.notation import base
from hexforge.validator.notation import statements as st
from hexforge.validator.rules.context import Context
from hexforge.validator.rules.position import Position
from tests.generator.game import Game, written
from tests.generator.table import Table


@dataclass(frozen=True)
class Moment:
    """A statement of a legal game, with the position before it. `last` says that it ends its phase."""

    ctx: Context
    index: int
    statement: base.Statement
    before: Position
    draw: random.Random
    last: bool

    @property
    def table(self) -> Table:
        """The table as it is before the statement."""
        return Table(self.ctx.scenario, self.ctx, self.before, self.draw)


@dataclass(frozen=True)
class Wrong:
    """What stands in place of the statement; `at` and `act` point to the line that the finding belongs on.

    `at` is an index into `statements`, -1 for the line that opens the phase; `act` one into its acts, None for the
    head. `codes` are the findings any of which names the mistake; with `ends` the game ends there.
    """

    statements: tuple[base.Statement, ...]
    codes: frozenset[str]
    at: int = 0
    act: int | None = None
    ends: bool = False


@dataclass(frozen=True)
class Mutant:
    """A game with a mistake: the line it is on, the lines of the whole statement, and the codes expected."""

    game: Game
    line: int
    own: range
    codes: frozenset[str]


Mistake: TypeAlias = Callable[[Moment], Wrong | None]
MISTAKES: dict[str, Mistake] = {}
_M = TypeVar("_M", bound=Mistake)


def mistake(rule: _M) -> _M:
    """Enters a mistake into the list."""
    MISTAKES[rule.__name__] = rule
    return rule


def moments(scenario: Scenario, game: Game, seed: int = 0) -> list[Moment]:
    """Every statement of a game with the position before it, in an order that the seed shuffles."""
    draw = random.Random(seed)
    played = iter(steps(scenario, game.sheet))
    ctx, _, outcome = next(played)
    statements = game.sheet.statements
    found = []
    for index, (_, statement, after) in enumerate(played):
        if statement is not None:
            last = index + 1 == len(statements) or isinstance(statements[index + 1], st.TurnStart)
            found.append(Moment(ctx, index, statement, outcome.position, draw, last))
        outcome = after
    draw.shuffle(found)
    return found


def mutants(game: Game, found: Sequence[Moment], name: str) -> Iterator[Mutant]:
    """The game with one mistake of a kind in it, wherever it can be made."""
    for moment in found:
        made = MISTAKES[name](moment)
        if made is not None:
            yield _mutant(game, moment, made)


def _mutant(game: Game, moment: Moment, wrong: Wrong) -> Mutant:
    before = game.sheet.statements[: moment.index]
    rest = game.sheet.statements[moment.index + 1 :]
    end = 0 if wrong.ends else next((i for i, s in enumerate(rest) if isinstance(s, st.TurnStart)), len(rest))
    made = written([*before, *wrong.statements, *rest[:end]])
    index = moment.index + wrong.at
    if wrong.at < 0:
        index = max(i for i, s in enumerate(before) if isinstance(s, st.TurnStart))
    statement = made.sheet.statements[index]
    following = made.sheet.statements[index + 1 :]
    stop = following[0].line if following else len(made.sheet.lines) + 1
    line = statement.line
    if wrong.act is not None:
        assert isinstance(statement, st.Engagement)
        line = statement.acts[wrong.act].line
    return Mutant(made, line, range(statement.line, stop), wrong.codes)


def wrong(statement: base.Statement, *codes: str) -> Wrong:
    """The mistaken statement in the place of the right one."""
    return Wrong((statement,), frozenset(codes))


def astray(statement: base.Statement, *codes: str) -> Wrong:
    """A mistake that leaves units where nobody expects them: the game ends there."""
    return Wrong((statement,), frozenset(codes), ends=True)
