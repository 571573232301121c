"""A combat whose first line cannot be read is told of once, and made out where the lines below it say it."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet

HEAD = """sheet 1
game hurtgen
partial
turn 2 american movement
move us-112-1: 0806 0907
move us-112-2: 0807 0908
turn 2 american combat
"""
TOLD = """  attack us-112-1 us-112-2
  declare 8:4 odds 2-1 column 1-3
  roll 3 4
  result DVB AE
"""
FLED = "  retreat ge-983-1 ge-983-2: 1007 1107\n"
AFTER = """turn 2 german movement
move ge-984-1: 0905 0906
"""


def combats(sheet: st.Sheet) -> list[st.Combat]:
    return [s for s in sheet.statements if isinstance(s, st.Combat)]


@pytest.mark.parametrize("head", ["comabt 1007", "comabt: 1007", "comabte 1007"])
def test_a_misspelt_word_before_its_hex_is_assumed_and_told(head: str) -> None:
    sheet = read_sheet(f"{HEAD}{head}\n{TOLD}{AFTER}")
    (combat,) = combats(sheet)
    assert combat.targets == ("1007",) and len(combat.acts) == 4
    assert [(p.line, p.assumed, p.below) for p in sheet.problems] == [(8, "combat 1007", ())]


@pytest.mark.parametrize("head", ["comabt 1O07", "xombat in ten-oh-seven", "we go for the village"])
def test_who_retreats_says_where_the_combat_was(head: str) -> None:
    sheet = read_sheet(f"{HEAD}{head}\n{TOLD}{FLED}{AFTER}")
    (combat,) = combats(sheet)
    assert combat.targets == ("1007",) and len(combat.acts) == 5
    assert [(p.line, p.assumed) for p in sheet.problems] == [(8, "combat 1007")]
    assert write_sheet(sheet.statements).count("\nmove ") == 3, "what follows is read"


@pytest.mark.parametrize("head", ["comabt 1O07", "xombat in ten-oh-seven"])
def test_where_nothing_says_it_the_lines_are_named_once(head: str) -> None:
    sheet = read_sheet(f"{HEAD}{head}\n{TOLD}{AFTER}")
    assert not combats(sheet)
    assert [(p.line, p.assumed, p.below) for p in sheet.problems] == [(8, "", (9, 10, 11, 12))]


def test_without_any_first_line_the_first_below_stands_for_all() -> None:
    sheet = read_sheet(f"{HEAD}{TOLD}{AFTER}")
    assert [(p.line, p.below) for p in sheet.problems] == [(8, (9, 10, 11))]


@pytest.mark.parametrize("line", ["recua pra 1107", "roll 3 4, support to"])
def test_no_small_word_is_taken_for_a_unit(line: str) -> None:
    sheet = read_sheet(f"{HEAD}combat 1007\n  attack us-112-1\n  {line}\n")
    named = {u for c in combats(sheet) for act in c.acts for u in getattr(act, "units", ())}
    assert named == {"us-112-1"} and [p.line for p in sheet.problems] == [10]
    assert judge(sheet).verdict == "unread"


def test_two_ways_out_are_no_answer_and_the_victors_say_nothing() -> None:
    both = "  retreat ge-983-1: 1007 1107\n  retreat ge-984-1: 0905 0906\n"
    assert not combats(read_sheet(f"{HEAD}comabt 1O07\n{TOLD}{both}"))
    own = "  retreat us-112-1: 0907 0806\n"
    assert not combats(read_sheet(f"{HEAD}comabt 1O07\n{TOLD}{own}"))


def test_the_next_combat_is_not_swallowed_by_the_one_before() -> None:
    bombarded = "bombard 0709 by offboard 20\n  declare value 40 column 11-20\n  roll 3 6\n  result DI\n"
    sheet = read_sheet(f"{HEAD}{bombarded}xombat in ten-oh-seven\n{TOLD}{AFTER}")
    first = next(s for s in sheet.statements if isinstance(s, st.Bombard))
    assert len(first.acts) == 3
    assert [(p.line, p.below) for p in sheet.problems] == [(12, (13, 14, 15, 16))]
    inside = read_sheet(f"{HEAD}combat 1007\n  attack us-112-1\n  rlol 3 4\n  result DVB AE\n")
    assert len(combats(inside)[0].acts) == 2, "a slip of the pen within a combat ends none"


@pytest.mark.parametrize("head", ["comabt 1007", "comabt 1O07", "nothing of the kind"])
@pytest.mark.parametrize("told", [TOLD, TOLD.replace("DVB AE", "DRB AVI"), TOLD.replace("8:4", "20:4")])
def test_nobody_is_accused_and_nothing_is_acquitted(head: str, told: str) -> None:
    answer = judge(read_sheet(f"{HEAD}{head}\n{told}{FLED}turn 2 german movement\nmove ge-983-1: 1107 1108\n"))
    assert answer.verdict == "unread"
    assert not [f for f in answer.findings if f.severity == "illegal"]


def test_what_stands_below_an_attack_that_is_not_read_is_not_told_of_the_combat_above_it() -> None:
    """Its dice and its result would be judged by another table, and found to be none of it."""
    text = (
        "sheet 1\ngame hurtgen\nturn 2 american combat\nbombard 0709 by offboard 20\n"
        "Attack Vossenack (1007) with xyz and whoever else: 112-1, Guard 983-1\nroll 3 4\nresult DVB ARI\n"
    )
    sheet = read_sheet(text)
    (bombard,) = (s for s in sheet.statements if isinstance(s, st.Engagement))
    assert not bombard.acts or not any(isinstance(act, st.Roll | st.Result) for act in bombard.acts)
    assert sheet.problems[0].below == (6, 7)


def test_a_line_that_is_not_read_and_attacks_nobody_takes_no_result_from_its_combat() -> None:
    text = (
        "sheet 1\ngame hurtgen\nturn 2 american combat\ncombat 1007\nattack 112-1\nwhat a mess in 1007\nDRB AVI\n"
    )
    (combat,) = (s for s in read_sheet(text).statements if isinstance(s, st.Engagement))
    assert [type(act) for act in combat.acts] == [st.Attack, st.Result]


def test_who_retreats_without_saying_from_where_tells_of_no_combat() -> None:
    sheet = read_sheet(f"{HEAD}xombat in ten-oh-seven\n{TOLD}  retreat ge-983-1 ge-983-2 to 1107\n{AFTER}")
    assert not combats(sheet)
    assert [(p.line, p.assumed, p.below) for p in sheet.problems] == [(8, "", (9, 10, 11, 12, 13))]


def test_a_retreat_that_is_told_by_where_it_leads_through_says_no_hex() -> None:
    sheet = read_sheet(f"{HEAD}we go for the village\n{TOLD}  983-1 retreats to 1207 via 1107\n{AFTER}")
    assert not combats(sheet)
