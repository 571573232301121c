"""One mistake in a legal game: the referee finds it, on its line and by its name, and blames nobody else for it."""

from __future__ import annotations

from functools import cache
from itertools import islice

import pytest

from hexforge.validator.judging.replay import replay
from hexforge.validator.rules.findings import Finding
from tests.examples import FULL
from tests.generator import mistakes_in_combat, mistakes_in_movement
from tests.generator.game import Game, generate
from tests.generator.mistakes import MISTAKES, Moment, Mutant, moments, mutants
from tests.referee.played import scenario

# name, seed, turns: between them there is an occasion for every mistake
GAMES = (("hurtgen", 4, 8), ("metz", 1, 10), ("bastogne", 2, 4))
TRIES = 2 if FULL else 1
# Importing the modules is what fills MISTAKES.
KINDS = (mistakes_in_movement, mistakes_in_combat)


@cache
def legal(name: str, seed: int, turns: int) -> tuple[Game, tuple[Moment, ...]]:
    game = generate(scenario(name), seed, turns=turns)
    return game, tuple(moments(scenario(name), game))


def against(name: str, mutant: Mutant) -> list[Finding]:
    findings = replay(scenario(name), mutant.game.sheet).findings
    return [f for f in findings if f.severity in ("illegal", "doubtful", "unread")]


@pytest.mark.parametrize("mistake", sorted(MISTAKES))
def test_a_mistake_is_found_where_it_is_and_nowhere_else(mistake: str) -> None:
    tried = 0
    # The gate makes each mistake once, in one game or another.
    first = sorted(MISTAKES).index(mistake) % len(GAMES)
    for name, seed, turns in (*GAMES[first:], *GAMES[:first]):
        if tried and not FULL:
            break
        game, found = legal(name, seed, turns)
        for mutant in islice(mutants(game, found, mistake), TRIES):
            tried += 1
            findings = against(name, mutant)
            shown = "\n".join(mutant.game.sheet.lines[mutant.own.start - 1 : mutant.own.stop - 1])
            told = [f"{f.line} {f.code}: {f.message}" for f in findings]
            assert any(f.line == mutant.line and f.code in mutant.codes for f in findings), (shown, told)
            assert all(f.line in mutant.own for f in findings), (shown, told)
    assert tried, "no game gives an occasion for it"


@pytest.mark.parametrize(("name", "seed", "turns"), GAMES)
def test_the_games_that_mistakes_are_made_in_are_legal(name: str, seed: int, turns: int) -> None:
    game, _ = legal(name, seed, turns)
    assert replay(scenario(name), game.sheet).verdict == "legal"
