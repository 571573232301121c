"""The score below a line that nobody could read: it may have earned the points, so that nobody is accused."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import check_file, judge
from hexforge.validator.reading.sheet import read_sheet
from tests.readers.mailed import FIRST, HEAD, SECOND, THIRD, boxed, judged, mail

SCORE = "turn 2 german combat\nscore american 12\n"
"""Points that no places of the game add up to, so that nothing but what was not read can have earned them."""


def severities(answer: Answer) -> list[str]:
    return [f.severity for f in answer.findings if f.code == "score"]


@pytest.mark.parametrize("slip", ["mvoe us-109-1: 0705 0805\n", "move us-909-1: 0705 0805\n", "combta\n"])
def test_a_score_is_doubtful_below_a_line_that_could_not_be_read(slip: str) -> None:
    before, after = "turn 2 american movement\n", "turn 2 american combat\nturn 2 german movement\n"
    assert severities(judge(read_sheet(HEAD + before + after + SCORE))) == ["illegal"]
    assert severities(judge(read_sheet(HEAD + before + slip + after + SCORE))) == ["doubtful"]
    assert severities(judge(read_sheet(HEAD + before + after + SCORE + slip))) == ["illegal"]


def test_a_score_is_doubtful_below_a_line_of_another_sheet_that_could_not_be_read(tmp_path: Path) -> None:
    for slip, severity in (("", "illegal"), ("mvoe us-109-1: 0705 0805\n", "doubtful")):
        at = tmp_path / severity
        at.mkdir()
        (at / "1.sheet").write_text(HEAD + FIRST + slip, "utf-8")
        onward = "sheet 1\ngame hurtgen\npartial\ncontinues {}.sheet\n"
        (at / "2.sheet").write_text(onward.format(1) + SECOND, "utf-8")
        (at / "3.sheet").write_text(onward.format(2) + THIRD + SCORE, "utf-8")
        answer = check_file(at / "3.sheet")
        assert severities(answer) == [severity]
        told = [answer.words("en").say(why) for f in answer.findings if f.code == "score" for why in f.rests_on]
        assert any("1.sheet" in why for why in told) == bool(slip)


def test_a_score_is_doubtful_below_a_line_of_a_mail_that_was_not_taken(tmp_path: Path) -> None:
    """Orders for a phase that is over, say, are understood, and not judged."""
    for late, severity in (("", "illegal"), ("turn 2 american movement\nmove us-109-1: 0705 0805\n", "doubtful")):
        mails = mail(1, HEAD + FIRST + SECOND), mail(2, THIRD + late + SCORE, answers=1, by="Bruno")
        (answer,) = judged(boxed(tmp_path / f"{severity}.mbox", *mails)).answers
        assert severities(answer) == [severity]
