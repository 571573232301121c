"""Where units stand, as people list it: the hex first, or several units in one."""

from __future__ import annotations

from typing import Final

import pytest

from hexforge.validator.notation import statements as st
from hexforge.validator.notation import statements_head
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails
from hexforge.validator.reading.sheet import read_sheet

PLACED: Final = {
    "us-112-1 and us-112-2 0806": [("us-112-1", "0806", 0), ("us-112-2", "0806", 0)],
}


@pytest.mark.parametrize(("typed", "placed"), PLACED.items())
def test_where_units_stand(typed: str, placed: list[tuple[str, str, int]]) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nposition\n{typed}\n")
    found = [(s.unit, s.hex, s.reduced) for s in sheet.statements if isinstance(s, statements_head.Placement)]
    assert (found, sheet.problems) == (placed, ())


@pytest.mark.parametrize(
    "typed",
    [
        "0806 - nobody",
        "0806",
        "0806 us-112-1 banana",
        "us-112-1 0806 banana",
        "us-112-1 banana 0806",
        "0806 0807 us-112-1",
    ],
)
def test_what_says_more_or_less_is_named(typed: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nposition\n{typed}\n")
    assert [p.line for p in sheet.problems] == [4]
    assert not any(isinstance(s, statements_head.Placement) for s in sheet.statements)


LISTS: Final = {
    "attack us-109-1, us-109-2,\nand us-109-3": ("us-109-1", "us-109-2", "us-109-3"),
    "attack us-109-1, us-109-2\nand I wish us-109-3 were there": ("us-109-1", "us-109-2"),
}


@pytest.mark.parametrize(("typed", "units"), LISTS.items())
def test_a_list_of_attackers_goes_on_in_the_next_line(typed: str, units: tuple[str, ...]) -> None:
    text = f"sheet 1\ngame hurtgen\nturn 2 american combat\ncombat 0905\n{typed}\nroll 3 4\n"
    (game,) = games_of(read_mails(f"From: a@example.org\n\n{text}".encode(), "turn.eml"))
    sheet = game.sheet()
    (attack,) = [
        a for s in sheet.statements if isinstance(s, st.Engagement) for a in s.acts if isinstance(a, st.Attack)
    ]
    assert attack.units == units
    assert bool(sheet.problems) == (len(units) == 2)
