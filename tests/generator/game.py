"""Whole games from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.replay import judge
from hexforge.validator.notation import base, statements_head
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.opening import open_game
from tests.generator.combat import combat
from tests.generator.movement import movement
from tests.generator.opening import setup
from tests.generator.skirmish import position as skirmish_position
from tests.generator.table import Style, Table


@dataclass(frozen=True)
class Game:
    """A generated game: the sheet as text and as read back, and how much happens in it."""

    text: str
    sheet: st.Sheet

    @property
    def moves(self) -> int:
        """How many moves, entries, exits and rail moves it holds."""
        return sum(isinstance(s, st.Move | st.Enter | st.Exit | st.RailMove) for s in self.sheet.statements)

    @property
    def combats(self) -> int:
        """How many combats, bombardments and air strikes it holds."""
        return sum(isinstance(s, st.Engagement) for s in self.sheet.statements)


def written(statements: Sequence[base.Statement]) -> Game:
    """Statements as a sheet, with the line numbers that its text gives them."""
    text = write_sheet(statements)
    sheet = read_sheet(text, "generated")
    assert not sheet.problems, sheet.problems[:3]
    return Game(text, sheet)


def open_table(scenario: Scenario, seed: int, style: Style | None = None) -> Table:
    """A game set up and not yet begun."""
    draw = random.Random(f"{scenario.name} {seed}")
    head: list[base.Statement] = [
        statements_head.SheetVersion(0, 1),
        statements_head.GameName(0, scenario.name),
        statements_head.SetupStart(0),
        *setup(scenario, draw),
    ]
    ctx, position, _ = open_game(scenario, st.Sheet(tuple(head)), {})
    return Table(scenario, ctx, position, draw, style or Style(), head)


def generate(scenario: Scenario, seed: int, *, turns: int | None = None, style: Style | None = None) -> Game:
    """A game of some turns (all of them by default) in which nobody breaks a rule."""
    table = open_table(scenario, seed, style)
    span = scenario.game.turns
    last = span.last if turns is None else min(span.last, span.first + turns - 1)
    for turn in range(span.first, last + 1):
        for phase in scenario.game.sequence:
            table.say(st.TurnStart(0, turn, phase.side, phase.phase))
            (movement if phase.phase == "movement" else combat)(table)
    return written(table.statements)


def skirmish(scenario: Scenario, seed: int, *, turns: int = 2, style: Style | None = None) -> Game:
    """A crowded fight on a small invented map: units are encircled, pushed off it and into each other."""
    draw = random.Random(f"skirmish {scenario.name} {seed}")
    head = skirmish_position(scenario, draw)
    ctx, position, _ = open_game(scenario, st.Sheet(tuple(head)), {})
    table = Table(scenario, ctx, position, draw, style or Style(contact=0.8, seek=0.9), head)
    span = scenario.game.turns
    first = draw.randint(span.first, span.last - turns)
    for turn in range(first, first + turns):
        for phase in scenario.game.sequence:
            table.say(st.TurnStart(0, turn, phase.side, phase.phase))
            (movement if phase.phase == "movement" else combat)(table)
    return written(table.statements)


def begin(scenario: Scenario, statements: Sequence[base.Statement]) -> Table:
    """The table after some statements, to be asked questions."""
    ctx, position, _ = open_game(scenario, st.Sheet(tuple(statements)), {})
    table = Table(scenario, ctx, position, random.Random(0), statements=list(statements))
    for s in statements:
        table.position = judge(ctx, table.position, s).position
    return table


def without(sheet: st.Sheet, *dropped: base.Statement) -> list[base.Statement]:
    """The statements of a sheet but some."""
    return [s for s in sheet.statements if not any(s is d for d in dropped)]


def swapped(sheet: st.Sheet, old: base.Statement, new: base.Statement) -> list[base.Statement]:
    """The statements of a sheet with another one in the place of one."""
    return [replace(new, line=0) if s is old else s for s in sheet.statements]
