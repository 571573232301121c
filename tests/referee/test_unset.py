"""Units with a choice of hexes at set-up, of which nobody has said where they stand: on the map, and in doubt."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.scenarios.words import Words
from hexforge.validator import ask
from hexforge.validator.check import check_file
from hexforge.validator.continuing import written
from tests.referee.played import faults, play

HEAD = "partial\nturn 16 german movement\n"


@pytest.mark.parametrize(
    "line",
    [
        "move ge-39-1: 2806 2807",
        "turn 16 german combat\ncombat 2906\n  attack ge-39-1",
        "turn 16 german combat\nbombard 2906 by ge-26art-1 2\n  declare value 2 column 1-2",
    ],
)
def test_who_was_not_set_up_acts_in_doubt_and_is_told_how_to_be_set_up(line: str) -> None:
    judged = play("bastogne", HEAD + line, blank=False)
    about = [f for f in judged.findings if f.code == "not-there" and f.units]
    assert [f.severity for f in about] == ["doubtful"]
    assert f"`{about[0].units[0]} HEX`" in Words("en").say(about[0].rests_on[0])


def test_who_has_once_been_placed_or_who_cannot_be_there_is_in_no_doubt() -> None:
    """A move says where a unit went; a reinforcement, and who is missing from a position, are nowhere."""
    twice = play("bastogne", HEAD + "move ge-39-1: 2806 2807\nmove ge-39-1: 2806 2807 2808", blank=False)
    assert ("not-there", "illegal") in faults(twice)
    own = "partial\nposition\n  us-110-1 2510\nturn 16 german movement\nmove ge-39-1: 2806 2807\n"
    assert faults(play("bastogne", own, blank=False)) == [("not-there", "illegal")]
    gone = "partial\nposition\n  us-110-1 2510\n  gone ge-39-1 unset\nturn 16 german movement\n"
    assert faults(play("bastogne", gone + "move ge-39-1: 2806 2807", blank=False)) == [("not-there", "doubtful")]


def test_who_attacks_where_they_may_stand_is_not_accused_of_attacking_nobody() -> None:
    sheet = "partial\nturn 16 american combat\ncombat {}\n  attack us-110-1\n"
    assert play_target(sheet.format("4303")) == "doubtful"
    assert play_target(sheet.format("2510")) == "illegal"


def play_target(sheet: str) -> str:
    judged = play("bastogne", sheet, blank=False)
    return next(f.severity for f in judged.findings if f.message.key == "findings.no-target")


def test_who_was_not_set_up_is_not_lost_on_the_next_sheet(tmp_path: Path) -> None:
    first, second = tmp_path / "1.sheet", tmp_path / "2.sheet"
    first.write_text("sheet 1\ngame bastogne\npartial\nturn 16 german movement\n", "utf-8")
    head = written(ask.situation(first), [first], output=second)
    second.write_text(head + "turn 16 german combat\nturn 17 german movement\nmove ge-39-1: 2806 2807\n", "utf-8")
    told = [(f.code, f.severity) for f in check_file(second).findings if f.units == ("ge-39-1",)]
    assert told == [("not-there", "doubtful")]
