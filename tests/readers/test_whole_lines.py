"""All that the first line of a mail says is played, and what is of another game is not."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.judging.replayed import account_of
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.reading.typed_game import TypedGame


def typed(text: str, subject: str = "Hurtgen") -> TypedGame:
    (letter,) = read_mails(f"From: a@example.org\nSubject: {subject}\n\n{text}".encode(), "a.eml")
    (game,) = games_of([letter])
    return game


@pytest.mark.parametrize(
    "text",
    [
        "Turn 2 American movement. 112-2 0807 0908. 112-3 0807 0908.\n",
        "turn 2 american movement; 112-2 0807 0908; 112-3 0807 0908\n",
        "Hurtgen turn 2 american movement: 112-2 0807 0908, 112-3 0807 0908\n",
    ],
)
def test_a_line_that_opens_the_game_may_play_on(text: str) -> None:
    moves = [s.units for s in typed(text).sheet().statements if isinstance(s, st.Move)]
    assert moves == [("us-112-2",), ("us-112-3",)]


def test_what_stands_behind_the_name_of_another_game_is_not_judged_by_this_one() -> None:
    game = typed(
        "game hurtgen\nturn 2 american movement\n112-2 0807 0908\ngame metz\nturn 1 american movement\nairroll 4\n"
    )
    sheet = game.sheet()
    parts = {n: p.part for p in account_of(sheet) for n in range(p.first, p.last + 1)}
    assert [parts[n] for n in range(1, 7)] == ["judged"] * 3 + ["not-read"] * 3
    assert {f.severity for f in judge(sheet).findings} == {"unread"}


@pytest.mark.parametrize(
    "line",
    ["317 and 318 from 0113/0114 to 0214", "317 e 318: 0113/0114 \u2192 0214", "317, 318: 0113/0114 to 0214"],
)
def test_hexes_of_units_that_stand_apart_are_no_way(line: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame metz\nturn 1 american movement\n{line}\n")
    assert sheet.problems and not any(isinstance(s, st.Move) for s in sheet.statements)


@pytest.mark.parametrize("line", ["A.1 112-2 0807 0908", "B.1.c 112-2: 0807 0908", "112-2 0807 0908!!!"])
def test_letters_count_lists_and_cries_say_nothing(line: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american movement\n{line}\n")
    assert not sheet.problems
    assert [s.path for s in sheet.statements if isinstance(s, st.Move)] == [("0807", "0908")]


def test_dice_by_a_name_are_no_talk() -> None:
    game = typed("turn 2 american combat\ncombat 1007\nattack us-112-2\nrolled boxcars\nresult IMP\n")
    parts = {n: p.part for p in account_of(game.sheet()) for n in range(p.first, p.last + 1)}
    assert parts[4] == "not-read"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("turn 2 american combat\ncombat 1007\ntalvez ataca us-112-1\n", 6),
        ("optin inverse_rounding=attacker\nturn 2 american movement\n", 4),
        ("unit a1 american artillery 3-1-8 range 9\ndivision 28\n", 5),
        ("unit a1 american infantry 4-4-5\nposition\n  a1 0404\n  reduced\n", 7),
    ],
)
def test_what_may_be_the_rest_of_the_line_above_is_no_talk(text: str, line: int) -> None:
    sheet = typed(f"sheet 1\ngame hurtgen\npartial\n{text}").sheet()
    assert line in {p.line for p in sheet.problems}
    talk = {n for p in account_of(sheet) if p.part == "prose" for n in range(p.first, p.last + 1)}
    assert not talk


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        (
            "attack 1007 with us-112-1 and us-112-2, support offboard 30, dice 5 and\n"
            "3, result: DRB AVI, 983-1 retreats to 1107\n",
            ["Attack", "Support", "Roll", "Result", "Retreat"],
        ),
    ],
)
def test_a_full_line_goes_on_in_what_makes_no_sense_without_it(text: str, acts: list[str]) -> None:
    sheet = typed(f"game hurtgen\nturn 2 american combat\n{text}").sheet()
    (combat,) = (s for s in sheet.statements if isinstance(s, st.Combat))
    assert [type(act).__name__ for act in combat.acts] == acts
    assert not sheet.problems


def test_the_edge_of_an_entry_may_stand_on_the_next_line() -> None:
    way = "2401 2302 2202 2103 2002 1902 1801 1702"
    text = f"enter us-9ad-ccr-tank: {way}\nfrom north\nVamos lá, de norte a sul.\n"
    sheet = typed(f"game bastogne\nturn 16 american movement\n{text}", "Bastogne").sheet()
    (enter,) = (s for s in sheet.statements if isinstance(s, st.Enter))
    assert enter.edge == "north"


def test_a_declaration_with_words_between_is_no_talk() -> None:
    text = "turn 2 american combat\nbombard 0709 by offboard 20\ndeclare value 40 if possible column 11-20\n"
    assert 4 in {p.line for p in typed(f"game hurtgen\n{text}").sheet().problems}


def test_a_line_that_a_mail_quotes_is_no_step_of_the_way_above_it() -> None:
    text = "sheet 1\ngame metz\nturn 1 german movement\nmove ge-111: 1212 1312 1413 1412 1411 1410 1509 1609 1708\n"
    (letter,) = read_mails(f"{text}> 1910 2010\n> Vamos\n".encode(), "a.txt")
    (move,) = (s for s in games_of([letter])[0].sheet().statements if isinstance(s, st.Move))
    assert move.path[-1] == "1708"


@pytest.mark.parametrize(
    ("lines", "path"),
    [
        ("move us-112-1: 0806-\n0907", ("0806", "-", "0907")),
        ("us-112-1: 0806-\n0907-\n0908", ("0806", "-", "0907", "-", "0908")),
        ("mover 112-1: 0806-0907-\n0908", ("0806", "-", "0907", "-", "0908")),
    ],
)
def test_a_way_that_is_broken_behind_a_hyphen_goes_on(lines: str, path: tuple[str, ...]) -> None:
    sheet = typed(f"turn 2 american movement\n{lines}\nus-112-2: 0807 0908\n").sheet()
    assert not sheet.problems
    assert [s.path for s in sheet.statements if isinstance(s, st.Move)] == [path, ("0807", "0908")]


@pytest.mark.parametrize("below", ["", "\n0907", "us-112-2: 0807 0908", "0907 us-112-2", "1007: 109-1"])
def test_a_way_that_ends_in_a_hyphen_is_none(below: str) -> None:
    sheet = typed(f"turn 2 american movement\nus-112-1: 0806-\n{below}\n").sheet()
    assert 2 in {problem.line for problem in sheet.problems}
    assert not any("us-112-1" in s.units for s in sheet.statements if isinstance(s, st.Move))
