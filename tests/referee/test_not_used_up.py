"""What is done and not allowed uses up nobody else's: bridges, attempts at clearing, units that come back."""

from __future__ import annotations

import pytest

from hexforge.scenarios.text.words import Words
from hexforge.validator.rules.findings import Finding
from tests.referee.conftest import Judge
from tests.referee.played import faults, play
from tests.referee.test_supply_and_replacements import WORN, illegal_by_line, replacements

CLEARING = """\
trail 0704 0705 0706
unit e1 american engineer 1-2-5
unit e2 american engineer 1-2-5
unit a1 american infantry 3-4-5
position
  e1 0704
  e2 0705
  a1 0706
turn 4 american movement
"""
BRIDGES = """\
partial
river 1004/1005 1005/1006
unit e1 american engineer 1-2-5
position
  e1 1005
  held american 1004 1005 1006
turn 12 american movement
"""


def severities(findings: tuple[Finding, ...]) -> list[str]:
    return [f.severity for f in findings if f.severity != "info"]


def test_an_attempt_that_is_not_allowed_is_not_the_turns_one() -> None:
    first = "clear 0706 by a1 roll 1\n"
    one, two = "clear 0704 by e1 roll 1\n", "clear 0705 by e2 roll 1\n"
    assert faults(play("hurtgen", CLEARING + first + one)) == [("trail-clearing", "illegal")]
    assert faults(play("hurtgen", CLEARING + one + two)) == [("trail-clearing", "illegal")]
    allowed = first + 'accept because "agreed"\n' + one
    assert faults(play("hurtgen", CLEARING + allowed)) == [
        ("trail-clearing", "waived"),
        ("trail-clearing", "illegal"),
    ]


def test_an_attempt_without_its_die_is_the_turns_one() -> None:
    judged = play("hurtgen", CLEARING + "clear 0704 by e1\nclear 0705 by e2 roll 1\n")
    assert faults(judged) == [("trail-clearing", "illegal"), ("trail-clearing", "illegal")]


def test_a_bridge_that_is_not_allowed_does_not_keep_its_builder_from_another() -> None:
    dry, wet, other = (f"build bridge 1005/{to} by e1\n" for to in ("1104", "1004", "1006"))
    assert faults(play("metz", BRIDGES + wet)) == []
    assert faults(play("metz", BRIDGES + dry + wet)) == [("bridge-building", "illegal")]
    found = play("metz", BRIDGES + wet + other).findings
    assert [f.message.key for f in found if f.severity == "illegal"] == ["findings.bridge-again"]


def test_a_bridge_that_may_have_been_allowed_leaves_the_next_in_doubt() -> None:
    """Both sides stand as near to 1006, and who held it when the turn began is not known."""
    unsure = BRIDGES.replace("position\n", "unit g1 german infantry 1-2-5\nposition\n  g1 1007\n")
    unsure = unsure.replace("held american 1004 1005 1006", "held american 1004 1005")
    found = play("metz", unsure + "build bridge 1005/1006 by e1\nbuild bridge 1004/1005 by e1\n").findings
    assert severities(found) == ["doubtful", "doubtful"]
    assert "e1" in Words("en").say(found[-1].rests_on[0])


@pytest.mark.parametrize("moves", ["enter c3: 0606\nenter c4: 1103", "enter c3: 0606\nrecover c1"])
def test_who_may_not_come_back_takes_no_points_of_another(judged: Judge, moves: str) -> None:
    rules = replacements(rebuild=1, points=1, edges=["east"])
    worn = WORN.replace("unit c3", "unit c4 crown footmen 3-3-4 reduced 1-1\nunit c3")
    worn = worn.replace("  gone c3 eliminated", "  gone c3 eliminated\n  gone c4 eliminated")
    then = moves.splitlines()[1]
    assert illegal_by_line(judged(worn.format(enemy="0908", moves=then), **rules)) == []
    assert illegal_by_line(judged(worn.format(enemy="0908", moves=moves), **rules)) == [("reinforcement", 17)]
    rightly = moves.replace("0606", "1103")
    assert illegal_by_line(judged(worn.format(enemy="0908", moves=rightly), **rules)) == [("recovery", 18)]


def test_those_who_come_back_together_are_paid_for_one_by_one(judged: Judge) -> None:
    worn = WORN.replace("unit c3", "unit c4 crown footmen 3-3-4 reduced 1-1\nunit c3")
    worn = worn.replace("  gone c3 eliminated", "  gone c3 eliminated\n  gone c4 eliminated")
    both = worn.format(enemy="0908", moves="enter c3 c4: 1103")
    assert illegal_by_line(judged(both, **replacements(rebuild=1, points=2, edges=["east"]))) == []
    assert illegal_by_line(judged(both, **replacements(rebuild=1, points=1, edges=["east"]))) == [("recovery", 17)]


@pytest.mark.parametrize(("flag", "severity"), [("worked", "illegal"), ("worked-perhaps", "doubtful")])
def test_the_head_of_a_sheet_says_who_may_have_built(flag: str, severity: str) -> None:
    head = BRIDGES.replace("turn 12", f"  status e1 {flag}\nturn 12")
    assert severities(play("metz", head + "build bridge 1004/1005 by e1\n").findings) == [severity]
