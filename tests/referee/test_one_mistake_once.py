"""One mistake is one finding: what was carried out rightly, or had no effect, is not held against anybody again."""

from __future__ import annotations

from tests.referee.played import faults, play

TWO = """\
unit a1 american infantry 8-8-5
unit g1 german infantry 4-4-5
position
  a1 0705
  g1 0704
turn 6 american combat
combat 0704
  attack a1
"""


def test_a_result_misread_but_carried_out_as_printed_is_one_mistake() -> None:
    read = "  declare 8:4 odds 2-1 column 2-1\n  roll 1 2\n  result {}\n"
    right = "  lose g1\n  lose a1\n  retreat g1: 0704 0703\n"
    assert faults(play("hurtgen", TWO + read.format("DRB AVB") + right)) == []
    assert faults(play("hurtgen", TWO + read.format("DVI ARI") + right)) == [("result", "illegal")]


def test_a_result_misread_and_carried_out_as_read_is_one_mistake_too() -> None:
    acts = "  roll 1 2\n  result DVI ARI\n  retreat a1: 0705 0706\n"
    assert faults(play("hurtgen", TWO + acts)) == [("result", "illegal")]


def test_a_result_misread_and_carried_out_in_no_way_at_all_is_more() -> None:
    assert len(faults(play("hurtgen", TWO + "  roll 1 2\n  result DVI ARI\n  lose g1\n"))) > 1


def test_a_recovery_of_a_whole_unit_uses_up_nobody_elses() -> None:
    sheet = """\
unit g1 german infantry 1-2-5
unit g2 german infantry 1-2-5
position
  g1 0704
  g2 0705 reduced
turn 5 german movement
recover g1
recover g2
"""
    assert faults(play("hurtgen", sheet)) == [("recovery", "illegal")]


def test_an_edge_misnamed_does_not_bind_those_who_come_after() -> None:
    sheet = """\
unit a1 american infantry 3-4-5
unit a2 american infantry 3-4-5
position
  due a1 4
  due a2 4
turn 4 american movement
enter a1: 0105 from north
enter a2: 0106 from west
"""
    assert faults(play("hurtgen", sheet)) == [("entry", "illegal")]
