"""Games of data alone, fought from a seed: none is accused who breaks no rule, what is planted is found."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from hexforge.modulegen.starter import LIKE
from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.text.words import SOURCE
from hexforge.validator.judging.replay import replay
from hexforge.validator.notation import games
from hexforge.validator.notation import statements as st
from tests import starters
from tests.examples import FULL, leading
from tests.generator.game import Game, swapped, written
from tests.generator.own import play
from tests.generator.own_mistakes import planted

HERE = Path(__file__).parent
SEEDS = range(3 if FULL else 1)
"""Each of them is a whole game of every kind."""


FOUGHT = (
    *("mirefield", "fallowmoor", "thornmere", "lowmarch", "tarnhollow", "corrick", "sallow", "harrow", "sticky"),
    *("kestrel", "classic", "supply", "fire"),
)


@pytest.fixture(scope="module", params=leading(9, FOUGHT))
def fought(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Scenario, list[Game]]:
    """A game of ours, or a starter as `modulegen new` writes it, with what was played."""
    home = HERE / request.param
    if not home.is_dir():
        home = tmp_path_factory.mktemp("new") / f"fight-{request.param}"
        starters.write(home, SOURCE, LIKE[request.param])
    games.learn(home)
    scenario = load(home)
    return scenario, [play(scenario, seed) for seed in SEEDS]


def test_who_breaks_no_rule_is_not_accused(fought: tuple[Scenario, list[Game]]) -> None:
    scenario, played = fought
    for game in played:
        found = [f for f in replay(scenario, game.sheet).findings if f.severity not in ("info", "warning")]
        assert [(f.line, f.code, str(f.message)) for f in found] == []
    assert sum(game.combats for game in played)


def test_what_is_planted_is_found_where_it_is(fought: tuple[Scenario, list[Game]]) -> None:
    scenario, played = fought
    tried: Counter[str] = Counter()
    for seed, game in zip(SEEDS, played, strict=True):
        for kind, old, wrong in planted(scenario, game, seed):
            if tried[kind] > seed:
                continue
            tried[kind] += 1
            sheet = written(swapped(game.sheet, old, wrong)).sheet
            found = [f.line for f in replay(scenario, sheet).findings if f.severity == "illegal"]
            header = max(s.line for s in sheet.statements if isinstance(s, st.TurnStart) and s.line <= old.line)
            last = old.line + len(getattr(wrong, "acts", ()))
            assert found and min(found) in (header, *range(old.line, last + 1)), (kind, old, wrong, found[:3])
    assert len(tried) >= 10
