"""All that the first line of a mail says is played, and what is of another game is not."""

from __future__ import annotations

import pytest

from hexforge.validator.check import judge
from hexforge.validator.readers.intake import games_of
from hexforge.validator.readers.mails.mail import read_mails
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.sheet import read_sheet
from hexforge.validator.readers.typed_game import TypedGame
from hexforge.validator.taken import account_of


def typed(text: str, subject: str = "Hurtgen") -> TypedGame:
    (letter,) = read_mails(f"From: a@example.org\nSubject: {subject}\n\n{text}".encode(), "a.eml")
    (game,) = games_of([letter])
    return game


@pytest.mark.parametrize(
    "text",
    [
        "Turn 2 American movement. 112-2 0807 0908. 112-3 0807 0908.\n",
        "turn 2 american movement; 112-2 0807 0908; 112-3 0807 0908\n",
        "game hurtgen; turn 2 american movement; 112-2 0807 0908\n112-3 0807 0908\n",
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


def test_hexes_of_units_that_stand_apart_are_no_way() -> None:
    sheet = read_sheet("sheet 1\ngame metz\nturn 1 american movement\n317 and 318 from 0113/0114 to 0214\n")
    assert sheet.problems and not any(isinstance(s, st.Move) for s in sheet.statements)


@pytest.mark.parametrize("line", ["A.1 112-2 0807 0908", "B.1.c 112-2: 0807 0908", "112-2 0807 0908!!!"])
def test_letters_count_lists_and_cries_say_nothing(line: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american movement\n{line}\n")
    assert not sheet.problems
    assert [s.path for s in sheet.statements if isinstance(s, st.Move)] == [("0807", "0908")]


@pytest.mark.parametrize("arrow", ["<--", "<-", "\u2190"])
def test_an_arrow_may_lead_from_who_attacks(arrow: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american combat\n1007 {arrow} 112-2, 112-3\n")
    (combat,) = [s for s in sheet.statements if isinstance(s, st.Combat)]
    assert [act.units for act in combat.acts if isinstance(act, st.Attack)] == [("us-112-2", "us-112-3")]


def test_dice_by_a_name_are_no_talk() -> None:
    game = typed("turn 2 american combat\ncombat 1007\nattack us-112-2\nrolled boxcars\nresult IMP\n")
    parts = {n: p.part for p in account_of(game.sheet()) for n in range(p.first, p.last + 1)}
    assert parts[4] == "not-read"


@pytest.mark.parametrize(
    "text",
    [
        "ataque 1007 com us-112-1, us-112-2 e\nus-112-3, apoio 30 fora do mapa\n",
        "attack 1007 with us-112-1, us-112-2 and the\nus-112-3, support offboard 30\n",
        "attack 1007 with us-112-1, us-112-2,\nus-112-3, support offboard 30\n",
        "Ataco 1007 com 112-1, 112-2 e com o\n112-3, apoiados por 30 pontos de artilharia fora do\nmapa.\n",
    ],
)
def test_a_line_that_ends_in_the_middle_of_a_list_goes_on(text: str) -> None:
    sheet = typed(f"game hurtgen\nturn 2 american combat\n{text}").sheet()
    (combat,) = (s for s in sheet.statements if isinstance(s, st.Combat))
    attack, support = combat.acts
    assert isinstance(attack, st.Attack) and attack.units == ("us-112-1", "us-112-2", "us-112-3")
    assert isinstance(support, st.Support) and (support.units, support.offboard) == ((), 30)
    assert not sheet.problems


def test_a_unit_before_points_that_support_may_attack_and_is_not_read() -> None:
    sheet = typed("game hurtgen\nturn 2 american combat\ncombat 1007\nus-112-3, support offboard 30\n").sheet()
    assert [problem.line for problem in sheet.problems] == [4]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("turn 2 american combat\ncombat 1007\ntalvez ataca us-112-1\n", 6),
        ("optin inverse_rounding=attacker\nturn 2 american movement\n", 4),
        ("unit a1 american artillery 3-1-8 range 9\ndivision 28\n", 5),
        ("unit a1 american infantry 4-4-5\nposition\n  a1 0404\n  reduced\n", 7),
        ("unit a1 american infantry 4-4-5\nposition\n  a1 0404\nturn 2 american combat\ncombat 0405\n  a1\n", 9),
    ],
)
def test_what_may_be_the_rest_of_the_line_above_is_no_talk(text: str, line: int) -> None:
    sheet = typed(f"sheet 1\ngame hurtgen\npartial\n{text}").sheet()
    assert line in {p.line for p in sheet.problems}
    talk = {n for p in account_of(sheet) if p.part == "prose" for n in range(p.first, p.last + 1)}
    assert not talk
