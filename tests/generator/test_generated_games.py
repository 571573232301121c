"""Games that break no rule: the referee must agree."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as strat

from hexforge.scenarios.commands import names
from hexforge.validator.judging.replay import replay
from tests.examples import examples, leading
from tests.generator.game import Game, generate, skirmish
from tests.generator.table import Style
from tests.referee.played import scenario

GAMES = ("bastogne", "metz", "hurtgen")


def accusations(name: str, game: Game) -> list[str]:
    """What the referee says against a game, with the line that he says it of."""
    found = replay(scenario(name), game.sheet).findings
    return [
        f"{f.line} {game.sheet.lines[f.line - 1]}: {f.severity} {f.message}" for f in found if f.severity != "info"
    ]


def test_every_game_is_generated() -> None:
    assert set(GAMES) == set(names())


@pytest.mark.parametrize(
    ("name", "seed", "turns"),
    leading(1, [("metz", 1, 20), ("bastogne", 1, 3), ("hurtgen", 1, 8), ("hurtgen", 2, 8)]),
)
def test_a_legal_game_is_found_legal(name: str, seed: int, turns: int) -> None:
    game = generate(scenario(name), seed, turns=turns)
    assert accusations(name, game) == []
    assert game.moves > 100 and game.combats > 20


@examples(30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(strat.sampled_from(GAMES), strat.integers(0, 10**6))
def test_a_legal_skirmish_is_found_legal(name: str, seed: int) -> None:
    assert accusations(name, skirmish(scenario(name), seed)) == []


def test_a_seed_gives_one_game_and_another_seed_another() -> None:
    one, same, other = (generate(scenario("hurtgen"), seed, turns=2).text for seed in (5, 5, 6))
    assert one == same != other


def test_a_style_changes_how_much_is_fought() -> None:
    bold = generate(scenario("hurtgen"), 3, turns=3, style=Style(contact=0.9, voluntary=0.5))
    shy = generate(scenario("hurtgen"), 3, turns=3, style=Style(contact=0.0, voluntary=0.0, bombard=0.0, air=0.0))
    assert bold.combats > shy.combats
