"""Accounts after a line that nobody could read: it may have changed any of them, so that nobody is accused."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.validator.app.cli import main
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import check_file, judge
from hexforge.validator.reading.sheet import read_sheet

HEAD = """\
sheet 1
game normandy
count truck 1
unit hq-352 german infantry-hq division 352
position
  truck-1 B1410
turn 10 jun am movement
"""
SLIP = "truk gone 1 away\n"
FIFTH = "turn 10 jun night reinforcement\ntruck truck-2\n"
SCORE = "turn 11 jun am movement\nscore allied 20 german 0\n"


def codes_and_severities(answer: Answer) -> list[tuple[str, str]]:
    return [(f.code, f.severity) for f in answer.findings if f.severity in ("illegal", "doubtful")]


@pytest.mark.parametrize(("then", "code"), [(FIFTH, "account"), (SCORE, "score")])
def test_an_account_is_doubtful_after_a_line_that_could_not_be_read(then: str, code: str) -> None:
    assert codes_and_severities(judge(read_sheet(HEAD + then))) == [(code, "illegal")]
    assert codes_and_severities(judge(read_sheet(HEAD + SLIP + then))) == [(code, "doubtful")]
    assert codes_and_severities(judge(read_sheet(HEAD + then + SLIP))) == [(code, "illegal")]


def test_an_account_is_doubtful_after_a_sheet_that_could_not_be_read(tmp_path: Path) -> None:
    """However many sheets ago, for accounts run on; the answer names the file and its line."""
    for slip, severity in (("", "illegal"), (SLIP, "doubtful")):
        (tmp_path / "1.sheet").write_text(HEAD + slip, "utf-8")
        onward = "sheet 1\ngame normandy\ncontinues {}.sheet\n"
        (tmp_path / "2.sheet").write_text(onward.format(1) + "turn 10 jun pm movement\n", "utf-8")
        (tmp_path / "3.sheet").write_text(onward.format(2) + FIFTH, "utf-8")
        answer = check_file(tmp_path / "3.sheet")
        assert codes_and_severities(answer) == [("account", severity)]
        assert ("1.sheet" in str(answer.findings[0].rests_on)) == bool(slip)


def test_a_rule_on_a_unit_is_doubtful_after_a_sheet_that_names_it_in_a_line_that_could_not_be_read(
    tmp_path: Path,
) -> None:
    onward = "sheet 1\ngame normandy\ncontinues 1.sheet\nturn 11 jun pm movement\nattach truck-1 hq-352\n"
    (tmp_path / "2.sheet").write_text(onward, "utf-8")
    for slip, severity in (("", "illegal"), ("moev truck-1: B1410 B1412\n", "doubtful")):
        (tmp_path / "1.sheet").write_text(HEAD.replace("B1410", "B1410\n  hq-352 B1412") + slip, "utf-8")
        assert [s for _, s in codes_and_severities(check_file(tmp_path / "2.sheet"))] == [severity]


def test_a_position_says_what_could_not_be_read_for_it(tmp_path: Path) -> None:
    (tmp_path / "1.sheet").write_text(HEAD + SLIP, "utf-8")
    done = CliRunner().invoke(main, ["position", str(tmp_path / "1.sheet"), "--lang", "en"])
    assert "1.sheet cannot be read" in done.stderr
