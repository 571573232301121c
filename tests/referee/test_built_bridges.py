"""Bridges that were built in play: zones may reach over them, and lines of supply lead over them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.referee.conftest import Judge
from tests.referee.test_supply_and_replacements import LINES, supply, without

BUILDING = {"side": "crown", "types": "pikes", "first_turn": 1, "section": "3.9"}
STREAM = "stream " + " ".join(f"07{row:02}/08{row + low:02}" for row in range(1, 9) for low in (0, 1))
LAID = "  marker bridge 0705/0805\n"
ACROSS = """unit c1 crown footmen 3-3-4
unit c2 crown pikes 3-3-4
unit l1 league footmen 3-3-4
position
  c1 0803
  c2 0806
  l1 0705
{laid}turn 1 crown movement
move c1: 0803 0804 0805 0905
"""


def test_a_line_goes_over_a_bridge_that_was_built(judged: Judge) -> None:
    # Four hexes from the edge cost four, and the stream one more.
    near = LINES.format(at="0705", to="0704", enemy="0101")
    rules = supply(line={"kind": "points", "points": 4, "movement": "haul"})
    rules["movement"]["bridging"] = BUILDING
    assert without(judged(near, ground=STREAM, **rules)) == [("c1",)]
    assert without(judged(near.replace("  c1", f"{LAID}  c1", 1), ground=STREAM, **rules)) == []


@pytest.mark.parametrize(("falls", "lacking"), [("never", []), ("entered", [("c1",)])])
def test_the_enemys_bridge_carries_a_line_unless_it_falls(
    judged: Judge, falls: str, lacking: list[tuple[str, ...]]
) -> None:
    near = LINES.format(at="0705", to="0704", enemy="0101").replace("  c1", f"{LAID}  c1", 1)
    rules = supply(line={"kind": "points", "points": 4, "movement": "haul"})
    rules["movement"]["bridging"] = {**BUILDING, "side": "league", "falls": falls}
    assert without(judged(near, ground=STREAM, **rules)) == lacking


@pytest.mark.parametrize(("laid", "over", "stopped"), [("", True, False), (LAID, True, True), (LAID, False, False)])
def test_zones_reach_over_a_bridge_that_was_built(judged: Judge, laid: str, over: bool, stopped: bool) -> None:
    zones: dict[str, Any] = {"enter": {"kind": "stop"}, "not_across": "stream", "over_bridges": over}
    movement = {"zones": zones, "bridging": BUILDING}
    answer = judged(ACROSS.format(laid=laid), ground=STREAM, movement=movement)
    assert [f.code for f in answer.findings if f.severity == "illegal"] == ["must-stop"] * stopped
