"""The help page of a module."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from hexforge.modulegen.assemble.help_page import page
from hexforge.modulegen.plan import plan
from hexforge.modulegen.plan.battlefield import taken
from hexforge.modulegen.vassal.archive import Archive
from hexforge.scenarios.loader import load
from hexforge.scenarios.text.words import Language

from .conftest import Built

GAMES = Path(__file__).parents[1] / "games"


def test_the_quick_start_shows_pictures_that_the_module_has(built: Built) -> None:
    with Archive(built.data) as archive:
        page = archive.read("help.html").decode("ascii")
        shown = re.findall(r'<img src="([^"]+)">', page)
        assert len(shown) > 8
        assert set(shown) <= set(archive.names)
    assert ("icon-setup.png" in page) == built.plan.scenario.setup.is_chosen


def test_who_changes_sides_is_told_and_that_his_counters_do_not() -> None:
    """The module's pieces have one side for good; the game in which a nation goes over says so."""
    sworn = page(plan(load(GAMES / "corrick"), "en")).decode()
    assert re.search(r"From turn 5 on these units are under the command of \w+: \S", sworn)
    assert "keep their colours" in sworn
    assert "keep their colours" not in page(plan(load("metz"), "en")).decode()


@pytest.mark.parametrize("lang", ["en", "pt"])
@pytest.mark.parametrize("name", sorted(home.name for home in GAMES.iterdir() if (home / "game.yaml").is_file()))
def test_no_word_is_left_to_be_filled_in(name: str, lang: Language) -> None:
    game = load(GAMES / name)
    if lang in game.game.languages:
        told = page(plan(game, lang)).decode()
        assert re.findall(r"\{[a-z_]+\}", told) == []
        for mark in taken(game):
            assert plan(game, lang).words.mark(mark) in html.unescape(told)
