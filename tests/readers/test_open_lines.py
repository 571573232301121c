"""Lines that are not read are asked about: what they may mean is proposed, and a player's answer closes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.validator.app.cli import main
from hexforge.validator.judging.check import judge
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.open_lines import NoAnswer, open_lines, picked
from hexforge.validator.reading.sheet import read_answered, read_sheet

TURN = """\
sheet 1
game hurtgen
partial
turn 2 american movement
112-1 sneaks up to 0907 tonight
707th Tanks from 0807 to 0907, same hex as 1/112
good luck with that
"""
MAIL = (
    "From: Ana <ana@example.org>\nTo: Bruno <bruno@example.org>\nSubject: Hurtgen\n\nHi Bruno,\n"
    "game hurtgen\nturn 2 american movement\n112-1 sneaks up to 0907 tonight\n20-eng: 0508 0607\nCheers\n"
)


def test_each_open_line_is_proposed_what_it_may_mean_without_the_words_that_nothing_explains() -> None:
    first, second, third = open_lines(read_sheet(TURN).problems)
    assert first.proposed[0] == ("move us-112-1: 0907", "tonight")
    assert second.proposed[0] == ("move us-707-tank: 0807 0907", "same 1 / 112")
    assert (third.line, third.proposed) == (7, ())
    assert all(len(problem.proposed) <= 3 for problem in (first, second, third))


def test_an_answer_is_read_as_if_it_had_been_typed() -> None:
    sheet = read_answered(TURN, "", "1 a, 2: move 707-tank 0807 0808\n3 -")
    assert not sheet.problems
    told = write_sheet(sheet.statements).splitlines()
    assert told[-2:] == ["move us-112-1: 0907", "move us-707-tank: 0807 0808"]


def test_what_nobody_answers_stays_open() -> None:
    sheet = read_answered(TURN, "", "2 A")
    assert [problem.line for problem in open_lines(sheet.problems)] == [5, 7]


@pytest.mark.parametrize("answer", ["9 a", "1 c", "3 a", "yes", "0: move 112-1 0806 0907"])
def test_an_answer_to_no_open_line_is_one_clear_error(answer: str) -> None:
    with pytest.raises(NoAnswer) as error:
        picked(read_sheet(TURN).problems, answer)
    assert "1 a, 2 b" in str(error.value)


def test_the_answer_of_the_contract_numbers_open_lines() -> None:
    found = [f for f in judge(read_sheet(TURN)).findings if f.asked]
    assert [(f.asked, f.line, f.severity) for f in found] == [(1, 5, "unread"), (2, 6, "unread"), (3, 7, "unread")]


def run(*args: str, typed: str | None = None) -> tuple[int, str]:
    found = CliRunner().invoke(main, [*args, "--lang", "en"], input=typed)
    return found.exit_code, found.output


def test_check_judges_the_turn_as_it_is_answered(tmp_path: Path) -> None:
    file = tmp_path / "turn.sheet"
    file.write_text(TURN, encoding="utf-8")
    code, said = run("check", str(file))
    assert code == 3 and "open line 1, perhaps a) move us-112-1: 0907 (without `tonight`)" in said
    code, said = run("check", str(file), "--answer", "1 a, 2 a, 3 -")
    assert code == 0 and "LEGAL" in said
    code, said = run("check", str(file), "--ask", typed="a\nmove 707-tank 0807 0907\n-\n")
    assert code == 0 and "LEGAL" in said
    assert run("check", str(file), "--answer", "nonsense")[0] == 2


def test_a_reply_lists_what_is_open_and_takes_the_answer(tmp_path: Path) -> None:
    mail = tmp_path / "turn.eml"
    mail.write_text(MAIL, encoding="utf-8")
    code, said = run("reply", str(mail))
    assert code == 3 and "[ ] 1  112-1 sneaks up to 0907 tonight" in said and "a) move us-112-1: 0907" in said
    assert "move us-20-eng: 0508 0607" in said, "the turn as it was understood"
    code, said = run("reply", str(mail), "--answer", "1 a")
    assert code == 0 and "[ ]" not in said
