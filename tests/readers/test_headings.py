"""What stands alone above the line that it belongs to: a word above its hex, a hex above who attacks it."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.replayed import account_of
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.intake import games_of
from hexforge.validator.reading.mails.threads import read_mails, threads
from hexforge.validator.reading.sheet import read_sheet


@pytest.mark.parametrize(
    ("lines", "meant"),
    [
        ("Bombardeio\nAlvo: 0709 (Luft-2) por fora do mapa 20", ["bombard 0709 by offboard 20"]),
    ],
)
def test_a_heading_belongs_to_the_line_below_it(lines: str, meant: list[str]) -> None:
    text = f"Hurtgen T2 american combat\n{lines}\n"
    (game,) = games_of(threads(read_mails(text.encode(), "mail.txt"))[0][0])
    sheet = game.sheet()
    assert not sheet.problems
    assert {part.part for part in account_of(sheet)} == {"judged"}
    written = [line.strip() for line in write_sheet(sheet.statements).splitlines()]
    assert written[written.index("turn 2 american combat") + 1 :] == meant


@pytest.mark.parametrize("lines", ["Bombardment\nTarget 0709 (Luft-2)\nroll 3 6\nDI", "Bombardment\nroll 3 6\nDI"])
def test_what_stands_below_a_bombardment_without_guns_is_judged_by_no_other_table(lines: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american combat\n{lines}\n")
    assert sheet.problems
    assert not any(isinstance(s, st.Engagement) for s in sheet.statements)


def test_an_attack_on_the_hex_that_was_bombarded_begins_a_combat() -> None:
    lines = "bombard 1007 by offboard 20\nroll 5 3\nresult DI\nattack 1007: 112-1, 112-2"
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american combat\n{lines}\n")
    fought = [s for s in sheet.statements if isinstance(s, st.Engagement)]
    assert [type(s) for s in fought] == [st.Bombard, st.Combat]
    assert not any(isinstance(act, st.Attack) for act in fought[0].acts)


def test_without_such_a_heading_a_hex_above_units_is_no_combat() -> None:
    sheet = read_sheet("sheet 1\ngame hurtgen\nturn 2 american combat\nVossenack (1007):\n112-2, 112-3\n")
    assert sheet.problems and not any(isinstance(s, st.Combat) for s in sheet.statements)


@pytest.mark.parametrize("typed", ["0419 -> attack with 134, 137"])
def test_a_hex_and_an_arrow_before_who_attacks(typed: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame metz\nturn 1 american combat\n{typed}\n")
    written = [line.strip() for line in write_sheet(sheet.statements).splitlines()]
    assert written[-2:] == ["combat 0419", "attack us-134 us-137"]


@pytest.mark.parametrize("first", ["attack 1007 with 112-1", "Combat 1: 1007", "1007"])
def test_the_word_of_the_phase_above_its_first_combat_opens_it(first: str) -> None:
    text = f"turn 2 american movement\nmove us-112-1: 0806 0907\nCombat\n{first}\nattack us-112-1\n"
    sheet = read_sheet(f"sheet 1\ngame hurtgen\n{text}")
    assert [s.phase for s in sheet.statements if isinstance(s, st.TurnStart)] == ["movement", "combat"]
