"""What people say in a line fills a declared frame whole, or the line is named: no word of it is dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.validator.app.batch import check_all
from hexforge.validator.judging.answer import Answer
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet

MOVES = "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\n"
FIGHTS = "sheet 1\ngame hurtgen\npartial\nturn 2 american combat\n"
OPEN = f"{FIGHTS}combat 1007\nattack us-112-1 us-112-2\n"
FOUGHT = f"{OPEN}roll 3 4\nresult DRB AVI\n"


def read(start: str, line: str) -> list[str]:
    """What a line is read as behind some others; `?` and the word for which it is not."""
    before, after = read_sheet(start), read_sheet(f"{start}{line}\n")
    told = [text.strip() for text in write_sheet(after.statements).splitlines()]
    known = len(write_sheet(before.statements).splitlines())
    return told[known:] + [f"? {problem.found}" for problem in after.problems]


@pytest.mark.parametrize(
    ("start", "line", "meant"),
    [
        (
            MOVES, "1/112 goes from 0806 to 0907, 112-2 and 112-3 go to 0908",
            "move us-112-1: 0806 0907|move us-112-2 us-112-3: 0908",
        ),
        (MOVES, "os tanques do 707 para 0907 via 0806", "move us-707-tank: - 0806 0907"),
        (MOVES, "The 112-2 at Germeter moves 0807 0808", "move us-112-2: 0807 0808"),
        (MOVES, "I e II/112: 0806 > 0907 (2 PM)", "move us-112-1 us-112-2: 0806 0907"),
        (
            FIGHTS, "Attack 1007 with 112-1, 112-2, guns 28-art-1, 20 off-board",
            "combat 1007|attack us-112-1 us-112-2|support us-28-art-1 offboard 20",
        ),
        (
            FIGHTS, "1007: 112-1 + 112-2, 8:4, 2-1, 1-1. Dice 3 and 4. DVB ARI",
            "combat 1007|attack us-112-1 us-112-2|declare 8:4 odds 2-1 column 1-1|roll 3 4|result DVB ARI",
        ),
        (OPEN, "8 contra 4 dá 2-1, cai pra 1-1", "declare 8:4 odds 2-1 column 1-1"),
        (OPEN, "dados: 5 + 3 = 8", "roll 5 3"),
        (FOUGHT, "983-1 loses a step and falls back to 1107", "lose ge-983-1|retreat ge-983-1: 1107"),
        (FOUGHT, "983-1 perde dois passos", "lose ge-983-1 ge-983-1"),
        (FOUGHT, "112-1 moves into 1007", "advance us-112-1: 1007"),
    ],
)  # fmt: skip
def test_a_line_says_what_its_frames_hold(start: str, line: str, meant: str) -> None:
    assert read(start, line) == meant.split("|")


@pytest.mark.parametrize(
    ("start", "line"),
    [
        (MOVES, "Tanks: same"),
        (MOVES, "my TDs also moved"),
        (MOVES, "112-1 and the tanks to 0907"),
        (MOVES, "893-td: 0306-0407 (0307)"),
        (MOVES, "112-1 to 0907 and 0908"),
        (MOVES, "112-1 does not go to 0907"),
        (MOVES, "112-1 to 0907 unless it rains"),
        (MOVES, "983-1 retreats to 1107"),
        (FIGHTS, "112-1 0806 0907"),
        (OPEN, "aviao 8"),
        (OPEN, "16 points of something"),
        (FOUGHT, "112-1 loses no step"),
        (FOUGHT, "983-1 moves into 1007"),
    ],
)
def test_a_word_that_nothing_explains_leaves_the_line_unread(start: str, line: str) -> None:
    (told,) = read(start, line)
    assert told.startswith("? ")


def answers(folder: Path, **files: str) -> list[Answer]:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return list(check_all([folder]).answers)


def test_headings_of_a_text_open_phases_and_tables_are_read_below_them(tmp_path: Path) -> None:
    (answer,) = answers(
        tmp_path,
        turn__txt="# Hurtgen - Turn 2 - American\n\n## Movement\n\n| Unit | From | Via | To |\n|---|---|---|---|\n"
        "| 110-1 | 0307 | 0407 0508 | 0608 |\n| 146-eng | 0306 | - | 0307 |\n\n## Combat\n\n"
        "| Target | Attackers | Factors | Odds | Column | Dice | Result |\n|---|---|---|---|---|---|---|\n"
        "| 0609 | 110-1 | 4:1 | 4-1 | 1-1 | 3, 4 | IMP |\n",
    )
    assert [(m.units, m.path) for m in answer.moves] == [
        (("us-110-1",), ("0307", "0407", "0508", "0608")),
        (("us-146-eng",), ("0306", "0307")),
    ]
    assert [c.target for c in answer.combats] == [("0609",)]
    assert not any(f.severity == "unread" for f in answer.findings)


def test_what_stands_under_the_heading_of_a_bombardment_is_no_assault(tmp_path: Path) -> None:
    (answer,) = answers(
        tmp_path, turn__txt="Hurtgen turn 2 american combat\n[BOMBARDMENT]\ntarget 0709\nby us-28-art-1\ndice 6 6\n"
    )
    assert answer.verdict == "unread" and not answer.combats


def test_talk_within_a_phase_that_holds_a_word_of_play_is_named_and_accuses_nobody(tmp_path: Path) -> None:
    (answer,) = answers(
        tmp_path,
        turn__txt="metz\nturno 1 americano movimento\ndado aéreo 3\nus-11: 0309 0409\n"
        "turno 1 americano combate\n0509: us-11\naviao 8\n12:4 = 3-1\ndados 5 6\nDRI AVI\n",
    )
    assert answer.verdict == "unread"
    assert {f.severity for f in answer.findings if f.line == 8} <= {"doubtful"}


def test_strangers_under_one_subject_play_two_games(tmp_path: Path) -> None:
    text = "From: {0} <{0}@{0}.example>\nTo: {1} <{1}@{1}.example>\nSubject: {2}Hurtgen\n\ngame hurtgen\n" + (
        "turn 2 american movement\nus-20-eng: 0508 0607\n"
    )
    one, two = text.format("ana", "bia", ""), text.format("carl", "dan", "Re: ")
    assert len(answers(tmp_path, a__eml=one, b__eml=two)) == 2
