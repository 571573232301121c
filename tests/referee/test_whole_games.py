"""Whole games from a seed, which break no rule: the referee agrees, on the statements and on their text."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.replay import replay
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet
from tests.examples import leading
from tests.generator.game import generate
from tests.referee.played import scenario

TURNS = {"hurtgen": 8, "metz": 8, "bastogne": 3}


@pytest.mark.parametrize("game", TURNS)
@pytest.mark.parametrize("seed", leading(1, [1, 2]))
def test_a_game_made_of_lawful_moves_is_legal(game: str, seed: int) -> None:
    made = generate(scenario(game), seed, turns=TURNS[game])
    assert made.combats > 5 and made.moves > 100
    statements = made.sheet.statements
    read = read_sheet(write_sheet(statements, "pt"), "game")
    assert not read.problems
    judgement = replay(scenario(game), read)
    assert judgement.verdict == "legal"
    assert judgement.position.units == replay(scenario(game), st.Sheet(statements)).position.units


@pytest.mark.parametrize("game", ["hurtgen", "metz"])
def test_every_unit_of_a_game_is_somewhere(game: str) -> None:
    position = replay(scenario(game), generate(scenario(game), 3, turns=TURNS[game]).sheet).position
    limit = scenario(game).game.rules.stacking.limit
    for side, board in position.boards.items():
        enemy = position.boards[position.enemy(side)].at
        for hex_, ids in board.at.items():
            assert len(ids) <= limit and hex_ not in enemy
            assert all(position.units[u].alive for u in ids)
    assert all((s.hex is None) != (s.where == "") for s in position.units.values())


def test_a_map_smaller_than_the_set_up_holds_whom_it_can() -> None:
    sheet = read_sheet("sheet 1\ngame bastogne\nmap blank open 6x6\nturn 16 german movement\n")
    position = replay(scenario("bastogne"), sheet).position
    assert all(state.hex is None or state.hex in position.grid for state in position.units.values())
