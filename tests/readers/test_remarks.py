"""Remarks behind a statement are left out where they say nothing; an order before one is never passed as talk."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.replayed import account_of
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails
from hexforge.validator.reading.sheet import read_sheet

MOVES = "sheet 1\ngame hurtgen\nturn 2 american movement\n"
FIGHTS = "sheet 1\ngame hurtgen\nturn 2 american combat\ncombat 1007\nattack us-112-2\nroll 5 3\n"


@pytest.mark.parametrize(
    "remark",
    [
        "(not)",
        "(if possible)",
        "(with the tanks)",
        "(and the tanks)",
        "(cancelled)",
        "(from the south)",
        "(ao sul)",
        "(3 in the hex)",
        "(tomorrow)",
        "(misread)",
        "(just a plan)",
        "(exemplo)",
        "(amanh\u00e3)",
        "(I think)",
        "(to close on 1007)",
        "(Schmidt)",
        "(eliminated)",
        "- Vossenack next",
        "(or 0907?)",
        "(ou 0907)",
    ],
)
def test_what_may_say_more_is_named(remark: str) -> None:
    assert read_sheet(f"{MOVES}us-112-2: 0807 0908 {remark}\n").problems


def became(line: str, above: str) -> str:
    (letter,) = read_mails(f"{above}{line}\n".encode(), "turn.txt")
    (game,) = games_of([letter])
    return account_of(game.sheet())[-1].part


@pytest.mark.parametrize(
    ("line", "above"),
    [
        ("lose ge-983-1 - your choice, tell me if you prefer the other", FIGHTS),
        ("move us-112-1 wherever you think it is best, I guess", MOVES),
        ("xyz combate", MOVES),
    ],
)
def test_an_order_is_not_passed_as_talk(line: str, above: str) -> None:
    assert became(line, above) == "not-read"


@pytest.mark.parametrize("number", ["1a)", "(2b)", "2.1", "1.2.3", "2.1.", "3.10)"])
def test_lists_within_lists_are_numbered(number: str) -> None:
    sheet = read_sheet(f"{MOVES}{number} 112-2 0807 0908\n")
    assert not sheet.problems
    assert [s.units for s in sheet.statements if isinstance(s, st.Move)] == [("us-112-2",)]
    assert became(f"{number} 112-2 0807 0908", MOVES) == "judged"


def test_dice_between_quoted_lines_are_no_talk() -> None:
    quoted = "> game hurtgen\n> turn 2 american combat\n> combat 1007\n> attack us-112-2\n> your dice?\n"
    (letter,) = read_mails(f"{quoted}5 e 3\n> and?\nDVB ARB\n".encode(), "turn.txt")
    (game,) = games_of([letter])
    (combat,) = [s for s in game.sheet().statements if isinstance(s, st.Combat)]
    assert [type(act) for act in combat.acts] == [st.Attack, st.Roll, st.Result]


@pytest.mark.parametrize("line", ["agr combate", "agora o combate", "now combat", "2a) agora combate"])
def test_a_phase_may_be_led_into(line: str) -> None:
    (letter,) = read_mails(f"hurtgen turn 2 american movement\n{line}\ncombat 1007\n".encode(), "turn.txt")
    (game,) = games_of([letter])
    turns = [s.phase for s in game.sheet().statements if isinstance(s, st.TurnStart)]
    assert turns == ["movement", "combat"]


def test_who_fights_nobody_may_count_that() -> None:
    (letter,) = read_mails(b"hurtgen turn 2 american movement\n2a) no attacks\n", "turn.txt")
    (game,) = games_of([letter])
    assert [s.phase for s in game.sheet().statements if isinstance(s, st.TurnStart)] == ["movement", "combat"]
