"""Regiments named as a whole: whom of them that means is known by where they stand; else nobody is guessed at."""

from __future__ import annotations

import pytest

from hexforge.scenarios.text.words import Message
from hexforge.validator.judging.check import judge
from hexforge.validator.judging.situation import format_sheet
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet

MOVES = "sheet 1\ngame hurtgen\npartial\nturn 2 american movement\n"
FIGHTS = "sheet 1\ngame hurtgen\npartial\nposition printed\n  us-109-1 0805\n  us-109-2 0805\n  us-109-3 0805\n"
FIGHTS += "turn 2 american combat\n"


def lines(text: str) -> list[str]:
    return [line.strip() for line in write_sheet(read_sheet(text).statements).splitlines()]


def meant(text: str) -> list[str]:
    return [line.strip() for line in format_sheet(text).text.splitlines()]


def unread(text: str) -> list[int]:
    return [f.line for f in judge(read_sheet(text)).findings if f.severity == "unread"]


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("112th moves to 0908", "move all-112: 0908"),
        ("o 112 vai pra 0908", "move all-112: 0908"),
        ("move 112: 0807 0908", "move all-112: 0807 0908"),
        ("109th FA to 0104", "move us-28-art-3: 0104"),
    ],
)
def test_regiments_as_they_are_written(typed: str, written: str) -> None:
    assert not read_sheet(f"{MOVES}{typed}\n").problems
    assert lines(f"{MOVES}{typed}\n")[-1] == written


def test_a_regiment_that_is_one_unit_is_that_unit() -> None:
    head = "sheet 1\ngame metz\nturn 1 american movement\n"
    assert lines(f"{head}134th Infantry Regiment: 0818 0718\n")[-1] == "move us-134: 0818 0718"


@pytest.mark.parametrize(
    "typed",
    [
        "a company of the 109th regiment to 0805",
        "two battalions of the 109th regiment to 0805",
        "109th regiment without 109-3 to 0805",
        "regimento 109 (menos o 3o) vai pra 0805",
        "o 109 (menos o terceiro) vai pra 0805",
        "part of the 112th regiment goes to 0908",
        "the 112th regiment does not move to 0908",
    ],
)
def test_a_part_of_a_regiment_is_no_whole_one(typed: str) -> None:
    sheet = read_sheet(f"{MOVES}{typed}\n")
    assert sheet.problems and not any(isinstance(s, st.Move) for s in sheet.statements)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("109 regiment: 0705 0805", "move us-109-1 us-109-2 us-109-3: 0705 0805"),
        ("Regiment 110 moves to 0308", "move us-110-1 us-110-2 us-110-3: 0308"),
        ("112th regiment: 0807 0908", "move us-112-2 us-112-3: 0807 0908"),
        ("109th: 0705 0805", "move us-109-1 us-109-2 us-109-3: 0705 0805"),
        ("112th Regiment: 0806 0907", "move us-112-1: 0806 0907"),
    ],
)
def test_whom_a_regiment_means_where_it_stands(typed: str, written: str) -> None:
    text = f"{MOVES}{typed}\n"
    assert meant(text)[-1] == written
    told = [f.message.key for f in judge(read_sheet(text)).findings if f.line == 5]
    assert "findings.group-as" in told and not unread(text)


@pytest.mark.parametrize(
    ("typed", "fits"),
    [
        ("Regiment 112 moves to 0908", "us-112-1 (0806), us-112-2 us-112-3 (0807)"),
        ("109 regiment: 0806 0907", "us-109-1 us-109-2 us-109-3 (0705)"),
        ("109th moves to 0805", "us-109-1 us-109-2 us-109-3 (0705)"),
    ],
)
def test_what_may_be_several_is_named_with_what_fits(typed: str, fits: str) -> None:
    answer = judge(read_sheet(f"{MOVES}{typed}\n"))
    (finding,) = (f for f in answer.findings if f.line == 5)
    hint = finding.message.values["expected"]
    assert isinstance(hint, Message) and hint.values["fits"] == fits
    assert finding.severity == "unread"
    assert [a.part for a in answer.account][-1] == "not-read"
    assert "illegal" not in {f.severity for f in answer.findings}


@pytest.mark.parametrize(
    "typed",
    ["attack 0905 with 109th", "109th attacks 0905", "Attack on 0905 with the 109th Regiment", "o 109 ataca 0905"],
)
def test_a_regiment_attacks_whole_where_all_of_it_touches_the_hex(typed: str) -> None:
    assert meant(f"{FIGHTS}{typed}\n")[-2:] == ["combat 0905", "attack us-109-1 us-109-2 us-109-3"]


def test_a_regiment_of_which_some_do_not_touch_the_hex_is_not_guessed_at() -> None:
    text = f"{FIGHTS.replace('us-109-3 0805', 'us-109-3 0705')}attack 0905 with 109th\n"
    assert unread(text) == [9]


def test_after_a_combat_those_go_who_fought() -> None:
    fight = "combat 0905\nattack 109-1 109-2\nroll 3 3\nresult DRB\n"
    assert meant(f"{FIGHTS}{fight}the 109th Regiment advances to 0905\n")[-1] == "advance us-109-1 us-109-2: 0905"
    assert meant(f"{FIGHTS}{fight}984 regiment retreats to 1005\n")[-1] == "retreat ge-984-1 ge-984-2: 1005"
    assert unread(f"{FIGHTS}{fight}984 regiment loses a step\n") == [13]


def test_brackets_behind_a_number_that_list_others_are_no_list_of_it() -> None:
    assert read_sheet("sheet 1\ngame metz\nturn 1 american combat\nattack 0419 with 26 (134 and 137)\n").problems
