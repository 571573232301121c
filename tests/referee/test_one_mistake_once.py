"""One mistake is one finding: what was carried out rightly, or had no effect, is not held against anybody again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.text.words import Words
from hexforge.validator.judging.replay import replay
from hexforge.validator.notation import statements_head
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.position_export import standing
from tests.referee.played import faults, play, scenario

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


RESTED = """\
unit g1 german infantry 1-2-5
unit g2 german infantry 1-2-5
unit a1 american infantry 1-2-5
position
  g1 0704 reduced
  g2 0706 reduced
  a1 0703
turn 5 german movement
"""


def test_a_recovery_that_is_not_allowed_uses_up_nobody_elses() -> None:
    """One German unit recovers in a turn (H 7.1); the first of these is engaged, so that it is not that one."""
    for said in ("recover g1\nrecover g2\n", "recover g1 g2\n"):
        judged = play("hurtgen", RESTED + said)
        assert [(f.units, f.code, f.severity) for f in judged.findings] == [(("g1",), "recovery", "illegal")]
        assert judged.position.ledger.recovered.keys() == {"g2"}


def test_a_recovery_that_a_ruling_allows_is_the_turns_one() -> None:
    allowed = RESTED + 'recover g1\naccept because "agreed"\nrecover g2\n'
    assert faults(play("hurtgen", allowed)) == [("recovery", "waived"), ("recovery", "illegal")]


def once_a_turn() -> Scenario:
    """Hürtgen, where an American unit too recovers once a turn."""
    game = scenario("hurtgen")
    rules = game.game.rules
    recovery = [r.model_copy(update={"per_turn": 1}) for r in rules.movement.recovery]
    movement = rules.movement.model_copy(update={"recovery": recovery})
    return replace(
        game, game=game.game.model_copy(update={"rules": rules.model_copy(update={"movement": movement})})
    )


def test_a_recovery_that_is_doubtful_makes_another_doubtful() -> None:
    """Whether the first is near a way to Zweifall hangs on the map: so does whether it was the turn's one."""
    sheet = """\
sheet 1
game hurtgen
partial
unit a1 american infantry 3-4-5 reduced 1-1
unit a2 american infantry 3-4-5 reduced 1-1
position
  a1 0110 reduced
  a2 0305 reduced
turn 4 american movement
recover a1
recover a2
"""
    judged = replay(once_a_turn(), read_sheet(sheet))
    assert [(f.units, f.severity) for f in judged.findings] == [(("a1",), "doubtful"), (("a2",), "doubtful")]
    assert "a1" in Words("en").say(judged.findings[1].rests_on[0])


@pytest.mark.parametrize(("flag", "severity"), [("recovered", "illegal"), ("recovered-perhaps", "doubtful")])
def test_the_head_of_the_next_sheet_keeps_the_doubt_of_a_recovery(flag: str, severity: str) -> None:
    head = "sheet 1\ngame hurtgen\npartial\nunit a1 american infantry 3-4-5 reduced 1-1\n"
    head += "unit a2 american infantry 3-4-5 reduced 1-1\nposition\n  a1 {} reduced\n  a2 0305 reduced\n"
    turn = "turn 4 american movement\nrecover a1\n"
    first = replay(once_a_turn(), read_sheet(head.format("0110" if severity == "doubtful" else "0105") + turn))
    flags = {
        (s.unit, s.flag) for s in standing(first.ctx, first.position) if isinstance(s, statements_head.UnitStatus)
    }
    assert ("a1", flag) in flags
    told = head.format("0110") + f"  status a1 {flag}\nturn 4 american movement\nrecover a2\n"
    judged = replay(once_a_turn(), read_sheet(told))
    assert severity in [f.severity for f in judged.findings]


def test_the_order_of_arrival_and_the_rules_of_entry_tell_of_one_edge_once() -> None:
    split = "partial\nturn 4 american movement\nenter us-12-1: 0101 from west\nenter us-4-art-1: 0201 from north\n"
    told = [f for f in play("hurtgen", split, blank=False).findings if f.severity == "illegal"]
    assert [(f.code, f.rule) for f in told] == [("entry", "H 10.1.4")]


def test_where_no_river_runs_a_road_is_no_bridge_that_is_there_already() -> None:
    sheet = """\
road 1010 1110
unit e1 american engineer 3-3-5
position
  e1 1010
  status e1 since 3
  control american 1110
turn 5 american movement
airroll 1
build bridge 1010/1110 by e1
"""
    assert faults(play("metz", sheet)) == [("bridge-building", "illegal")]


EIGHT_TO_FOUR = TWO + "  {}\n  roll 4 4\n"


@pytest.mark.parametrize(
    "told",
    [
        "odds 3-1\n  column 3-1",
        "column 3-1\n  odds 3-1",
        "declare 12:4\n  declare odds 3-1\n  declare column 3-1",
        "announce attacker 12\n  announce defender 4\n  declare odds 3-1 column 3-1",
    ],
)
def test_an_error_that_is_carried_on_from_line_to_line_is_one_mistake(told: str) -> None:
    assert faults(play("hurtgen", "partial\n" + EIGHT_TO_FOUR.format(told))) == [("odds", "illegal")]


def test_a_column_is_held_against_the_odds_on_another_line() -> None:
    told = EIGHT_TO_FOUR.format("odds 3-1\n  column 4-1")
    assert faults(play("hurtgen", "partial\n" + told)) == [("odds", "illegal"), ("column", "illegal")]


def test_a_value_that_is_carried_on_to_the_column_below_it_is_one_mistake() -> None:
    sheet = """\
partial
unit a1 american artillery 8-4-5 range 9
unit g1 german infantry 4-4-5
position
  a1 0705
  g1 0710
turn 6 american combat
bombard 0710 by a1
  declare value 24
  declare column 21-30
  roll 4 4
"""
    assert faults(play("hurtgen", sheet)) == [("odds", "illegal")]
