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
  attack us-112-1 us-112-2 us-112-3 us-707-tank
  declare 18:4 odds 4-1 column 2-1
  roll 6 6
  result DRI AVI
"""
JOINED = "move us-112-1: 0806 0907\nmove us-112-2 us-112-3 us-707-tank: 0807 0908\n"


@pytest.mark.parametrize(
    ("lines", "player", "owes"),
    [
        ("", "Ana", False),  # the attack that its move owes is still to be made
        ("combat 1007\n  attack us-112-1\n", "Ana", False),
        (ATTACK, "Bruno", True),
        (ATTACK + "  retreat ge-983-1 ge-983-2: 1007 1107\n", "Bruno", False),
    ],
)
def test_a_game_waits_for_who_lacks_something(tmp_path: Path, lines: str, player: str, owes: bool) -> None:
    head = HEAD.replace("move us-112-1: 0806 0907\n", JOINED) if lines.startswith(ATTACK) else HEAD
    (tmp_path / "game.sheet").write_text(head + lines)
    (tmp_path / "tournament.yaml").write_text("tournament: Test\ndays_for_a_turn: 5\n")
    found = json.loads(here("validator", "turns", str(tmp_path), "--format", "json").stdout)["games"]
    assert [(one["player"], one["owes"]) for one in found] == [(player, owes)]
    assert found[0]["until"] > found[0]["since"]


def test_a_phase_that_is_played_leaves_the_next_to_its_side(tmp_path: Path) -> None:
    (tmp_path / "game.sheet").write_text("sheet 1\ngame hurtgen\n\nturn 2 american combat\n")
    told = here("validator", "turns", str(tmp_path), "--lang", "en").stdout
    assert "German is to play" in told
    told = here("validator", "turns", str(tmp_path), "--lang", "pt").stdout
    assert "Alemão joga" in told


def test_what_has_no_turns_is_named_and_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "game.sheet").write_text(HEAD)
    (tmp_path / "other.sheet").write_text("sheet 1\ngame nowhere\n")
    done = here("validator", "turns", str(tmp_path))
    assert done.returncode == 0
    assert "other.sheet" in done.stderr
    (tmp_path / "cut.vlog").write_bytes(b"PK\3\4 and no more")
    assert here("validator", "turns", str(tmp_path)).returncode == 2
