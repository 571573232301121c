"""The help page of a module."""

from __future__ import annotations

import re
from pathlib import Path

from hexforge.modulegen.assemble.help_page import page
from hexforge.modulegen.plan import plan
from hexforge.modulegen.vassal.archive import Archive
from hexforge.scenarios.loader import load

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
