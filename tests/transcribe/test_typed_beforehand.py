"""Lines that belong above the first turn, typed into the chat of a log: who may say them there, and until when."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.validator.judging.answer import Answer
from hexforge.validator.reading.sheet import read_sheet
from tests.referee.played import scenario
from tests.transcribe.gestures import Gesture, Player, Step, say
from tests.transcribe.test_cheats import accused, judged, player
from tests.transcribe.test_position_as_witness import FOUGHT

BEGUN = 30
"""A step in the middle of the second phase."""


def judged_with_chat(at: int, folder: Path, *lines: str) -> Answer:
    """An honest game, in whose chat some lines are typed before one of its steps."""
    one = player("hurtgen", 1)

    def plant(p: Player) -> Gesture:
        p.steps += [Step([say(line)], None, p.phase) for line in lines[:-1]]
        return [say(lines[-1])]

    one.plant = (at, plant)
    one.play()
    return judged(one, folder)


@pytest.mark.parametrize("at", [0, BEGUN])
@pytest.mark.parametrize(
    "line",
    [
        "road 0411 0506",
        "terrain open 0705",
        "bridge 0304/0305",
        "!name 0306 Germeter",
        "!unit us-112-3 american infantry 9-9-9 size II",
        "!lost german infantry 9-9-9",
        "air american 30",
    ],
)
def test_nobody_changes_the_map_or_what_stands_on_it_by_chat(at: int, line: str, tmp_path: Path) -> None:
    answer = judged_with_chat(at, tmp_path, line)
    text = line.removeprefix("!")
    assert f"# not taken: {text}" in answer.lines and text not in answer.lines
    (found,) = accused(answer)
    assert "warning a ruling stands in the sheet of who rules" in found


@pytest.mark.parametrize(
    "line",
    ["partial", "!partial", "option inverse_rounding=ceil", "!status us-112-3 engaged", "!setup", "!position"],
)
def test_once_play_has_begun_nobody_changes_what_it_is_judged_by(line: str, tmp_path: Path) -> None:
    answer = judged_with_chat(BEGUN, tmp_path, line)
    (found,) = accused(answer)
    assert "warning it belongs before the first turn" in found
    assert line.removeprefix("!") not in answer.lines


def test_what_is_agreed_beforehand_holds_and_may_be_said_once_more(tmp_path: Path) -> None:
    option = "option inverse_rounding=ceil"
    agreed, again = judged_with_chat(0, tmp_path, option), judged_with_chat(0, tmp_path, option, option)
    assert agreed.lines.count(option) == again.lines.count(option) == 1
    assert agreed.verdict == "illegal", "the game was played by the other rounding"


def test_a_part_of_a_phase_is_taken_for_one_and_said_to_be(tmp_path: Path) -> None:
    answer = judged_with_chat(0, tmp_path, "partial")
    (found,) = accused(answer)
    assert "partial" in answer.lines and "warning what is owed at the end of a phase is not judged" in found


def test_what_no_position_shows_may_be_told_of_a_log_that_begins_in_the_middle(tmp_path: Path) -> None:
    one = Player(scenario("hurtgen"), read_sheet(FOUGHT))
    one.do([say("status us-109-3 moved")])
    one.play()
    lines = judged(one, tmp_path).lines
    assert lines.index("position") < lines.index("  status us-109-3 moved") < lines.index("turn 3 american combat")
