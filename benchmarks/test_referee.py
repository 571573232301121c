"""How long the referee takes for whole games, on one core."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.games import generate
from scenarios.loader import load
from validator.readers import statements as st
from validator.referee.replay import replay


@pytest.mark.parametrize("game", ["bastogne", "metz", "hurtgen"])
def test_replay_of_a_whole_game(benchmark: BenchmarkFixture, game: str) -> None:
    scenario = load(game)
    made = generate(scenario, 5, moves_a_turn=400, contact=0.9)
    benchmark.extra_info.update(moves=made.moves, combats=made.combats)
    judgement = benchmark(replay, scenario, st.Sheet(tuple(made.statements)))
    assert judgement.verdict == "legal"
