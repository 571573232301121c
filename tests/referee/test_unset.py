"""Units with a choice of hexes at set-up, of which nobody has said where they stand: on the map, and in doubt."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.scenarios.loader import load
from hexforge.scenarios.text.words import Words
from hexforge.validator.judging.check import check_file
from hexforge.validator.judging.continuing import written
from hexforge.validator.judging.replay import replay
from hexforge.validator.judging.situation import situation
from hexforge.validator.reading.sheet import read_sheet
from tests.referee.played import faults, play

HEAD = "partial\nturn 16 german movement\n"


@pytest.mark.parametrize(
    "line",
    [
        "move ge-39-1: 2806 2807",
        "turn 16 german combat\ncombat 2906\n  attack ge-39-1",
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
    head = written(situation(first), [first], output=second)
    second.write_text(head + "turn 16 german combat\nturn 17 german movement\nmove ge-39-1: 2806 2807\n", "utf-8")
    told = [(f.code, f.severity) for f in check_file(second).findings if f.units == ("ge-39-1",)]
    assert told == [("not-there", "doubtful")]


def doubts(text: str) -> list[tuple[int, str, str]]:
    """Line below the heading, code and severity of what is found on the printed map of Bastogne, without notes."""
    judged = play("bastogne", text, blank=False)
    return [(f.line - 2, f.code, f.severity) for f in judged.findings if f.severity != "info"]


def test_a_move_into_a_hex_where_an_enemy_may_have_been_set_up_is_not_acquitted() -> None:
    judged = play("bastogne", "partial\nturn 16 american movement\nmove us-110-3: 3806 - 4005\n", blank=False)
    (found,) = [f for f in judged.findings if f.severity != "info"]
    said = Words("en").say(found.message)
    assert (found.code, found.severity) == ("enemy-occupied", "doubtful")
    assert "4005" in said and found.units[-1] in said and "nobody has set up" in said
    assert f"`{found.units[-1]} HEX`" in Words("en").say(found.rests_on[-1])


def test_zones_of_enemies_whom_nobody_has_set_up_may_stop_who_passes_them() -> None:
    """By itself the way is legal; next to guns that may stand anywhere behind their line it is none."""
    told = "partial\n{}turn 5 german movement\nmove ge-128: 0615 - 0315\n"
    (found,) = [f for f in play("metz", told.format(""), blank=False).findings if f.severity != "info"]
    assert (found.code, found.severity, found.units[-1]) == ("must-stop", "doubtful", "us-3army-art")
    at = told.format("setup\n  us-3army-art {}\n")
    assert "must-stop" not in [code for code, _ in faults(play("metz", at.format("0105"), blank=False))]
    assert ("must-stop", "illegal") in faults(play("metz", at.format("0214"), blank=False))


def test_odds_against_a_hex_that_enemies_may_share_are_doubtful() -> None:
    """With all others set up elsewhere they are right."""
    sheet = "partial\nsetup\n  ge-39-1 4007\nturn 16 american movement\nmove us-110-3: 3806 - 3908\n"
    sheet += "turn 16 american combat\ncombat 4007\n  attack us-110-3\n  declare 3:3\n"
    (found,) = [f for f in play("bastogne", sheet, blank=False).findings if f.severity != "info"]
    assert (found.code, found.severity) == ("odds", "doubtful")
    assert "nobody has set up" in Words("en").say(found.message)
    alone = sheet.replace("setup\n", "position\n  us-110-3 3806\n")
    assert faults(play("bastogne", alone, blank=False)) == []


def test_who_need_attack_nobody_but_an_enemy_that_may_be_there_is_in_doubt() -> None:
    whole = "turn 16 german movement\nturn 16 german combat\nturn 16 american movement\nmove us-110-3: 3806 - {}\n"
    assert doubts(whole.format("3906") + "turn 16 american combat\n") == [(5, "must-attack", "doubtful")]
    assert doubts(whole.format("3705") + "turn 16 american combat\n") == []


def test_what_hangs_on_such_enemies_is_said_once_a_phase_and_not_where_all_are_set_up() -> None:
    head = "partial\nposition{}\n  us-110-3 3806\n  us-110-2 3806\nturn 16 american movement\n"
    moves = "move us-110-3: 3806 - 4005\nmove us-110-2: 3806 - 4005\n"
    again = "turn 16 american combat\nturn 17 german movement\nturn 17 german combat\nturn 17 american movement\n"
    sheet = head + moves + again + "move us-110-2: 4005 - 4006\n"
    assert [(line, severity) for line, _, severity in doubts(sheet.format(" printed"))] == [
        (6, "doubtful"),
        (12, "doubtful"),
    ]
    assert doubts(sheet.format("")) == []


@pytest.mark.parametrize("turn", [4, 5])
def test_who_was_not_set_up_is_in_doubt_after_a_change_of_allegiance_too(turn: int) -> None:
    """In Corrick the Free Corps passes to the other side with turn 5, also where a sheet begins with that turn."""
    game = load(Path(__file__).parents[1] / "games" / "corrick")
    sheet = "sheet 1\ngame corrick\npartial\nposition\n  b-9 0703\n  gone r-1 unset\n"
    sheet += f"turn {turn} red movement\nmove r-1: 0204 0203\n"
    found = [f.severity for f in replay(game, read_sheet(sheet)).findings if f.code == "not-there"]
    assert found == ["doubtful"]
