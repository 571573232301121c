"""Whom games wait for: the next phase's side, who owes something, and since when."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import here

HEAD = """sheet 1
game hurtgen
players american="Ana" german="Bruno"

turn 2 american movement
move us-112-1: 0806 0907

turn 2 american combat
"""
ATTACK = """combat 1007
  attack us-112-1
  declare 4:4 odds 1-1 column 1-3
  roll 6 6
  result DVI ARB
"""


@pytest.mark.parametrize(
    ("lines", "side", "owes"),
    [
        ("", "american", False),  # the attack that its move owes is still to be made
        ("combat 1007\n  attack us-112-1\n", "american", False),
    ],
)
def test_a_phase_that_lacks_something_is_still_its_sides(tmp_path: Path, lines: str, side: str, owes: bool) -> None:
    (tmp_path / "game.sheet").write_text(HEAD + lines)
    (tmp_path / "tournament.yaml").write_text("tournament: Test\ndays_for_a_turn: 5\n")
    found = json.loads(here("validator", "turns", str(tmp_path), "--format", "json").stdout)["games"]
    assert [(one["to_move"], one["owes"]) for one in found] == [(side, owes)]
    assert found[0]["player"] == "Ana"
    assert found[0]["until"] > found[0]["since"]


def test_a_phase_that_is_played_leaves_the_next_to_its_side(tmp_path: Path) -> None:
    (tmp_path / "game.sheet").write_text("sheet 1\ngame hurtgen\n\nturn 2 american combat\n")
    told = here("validator", "turns", str(tmp_path), "--lang", "en").stdout
    assert "German is to play" in told
    told = here("validator", "turns", str(tmp_path), "--lang", "pt").stdout
    assert "Alemão joga" in told
