"""A way left open on a printed map: what other ground could mend is doubted, what the enemy bars is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.judging.replay import replay
from hexforge.validator.notation import kinds
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.sheet import read_sheet
from tests.referee.played import scenario

ALONE = """sheet 1
game hurtgen
position
  us-707-tank 0807
turn 3 american movement
move us-707-tank: 0807 - %s
"""
WATCHED = """sheet 1
game hurtgen
turn 2 american movement
move us-707-tank: 0807 - 1009
"""
"""Beside the German set-up every hex before 0807 lies in a zone."""
ON_FOOT = ALONE.replace("us-707-tank", "us-109-1")


def findings(text: str) -> list[dict[str, Any]]:
    """What is not mere information."""
    return [f for f in judge(read_sheet(text)).as_json()["findings"] if f["severity"] != "info"]


def test_a_detour_that_is_too_dear_is_doubted_where_another_way_might_be_open() -> None:
    (found,) = findings(ALONE % "1009")
    assert (found["code"], found["severity"]) == ("movement-cost", "doubtful")
    assert found["rests_on"].startswith("terrain of ")


def test_a_way_left_open_twice_over_is_one_left_open() -> None:
    """No reader writes it so; whoever makes sheets in Python may."""
    sheet = read_sheet(ALONE % "1009")
    (*before, move) = sheet.statements
    assert isinstance(move, st.Move)
    twice = replace(move, path=("0807", kinds.OPEN, kinds.OPEN, "1009"))
    judged = [replay(scenario("hurtgen"), replace(sheet, statements=(*before, m))) for m in (move, twice)]
    assert judged[0].findings == judged[1].findings


def test_the_far_side_of_the_map_is_too_far_on_any_ground() -> None:
    (found,) = findings(ON_FOOT % "1812")
    assert (found["code"], found["severity"], found["rests_on"]) == ("movement-cost", "illegal", "rulebook")


def test_no_way_for_zones_of_engagement_rests_on_the_rulebook() -> None:
    (found,) = findings(WATCHED)
    assert (found["code"], found["severity"], found["rests_on"]) == ("must-stop", "illegal", "rulebook")
    assert (found["rule"], found["hexes"][:2]) == ("H 4.1.2", ["0807", "1009"])
    assert f"must stop in {found['hexes'][2]}, an enemy zone" in found["message"]


def test_the_same_on_ground_that_the_sheet_describes_is_sure() -> None:
    rows = range(1, 13)
    ground = "terrain mountain " + " ".join(f"{c:02}{r:02}" for c in range(1, 19) for r in rows)
    (found,) = findings((ALONE % "1009").replace("position", f"map blank open 18x12\n{ground}\nposition"))
    assert (found["code"], found["severity"], found["rests_on"]) == ("prohibited-terrain", "illegal", "rulebook")


DETOUR = "sheet 1\ngame hurtgen\nturn 2 american movement\nmove us-112-1: 0806 - %s\n"


def test_a_detour_that_is_too_dear_tells_which_zone_shuts_the_nearer_way() -> None:
    (found,) = findings(DETOUR % "0509")
    assert found["rule"] == "H 4.0"
    assert "0708" in found["message"] and "H 4.1.2" in found["message"]


def test_what_is_too_far_without_any_enemy_tells_of_no_zone() -> None:
    (found,) = findings(ON_FOOT % "0802")
    assert found["rule"] == "H 4.0" and "4.1.2" not in found["message"]


ENGAGED = """\
sheet 1
game hurtgen
map blank open 18x12
unit a1 american infantry 3-4-{points}
unit g1 german infantry 4-4-5
unit g2 german infantry 4-4-5
position
  a1 0806
  g1 0705
  g2 0706
turn 2 american movement
move a1: 0806 - 0606
"""


@pytest.mark.parametrize(("points", "shut"), [(2, False), (3, True)])
def test_a_nearer_way_costs_its_breaking_of_contact_whether_a_zone_shuts_it_or_not(points: int, shut: bool) -> None:
    """Two hexes and a point to break contact: of two points it is too dear by itself, and no zone need shut it."""
    (found,) = findings(ENGAGED.format(points=points))
    assert (found["rule"], found["code"]) == ("H 4.0", "movement-cost")
    assert ("H 4.1.2" in found["message"]) == shut
