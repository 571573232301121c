"""One slip of the pen is one finding: what it says is taken as meant, and the game goes on from there."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet

HEAD = """sheet 1
game hurtgen
map blank open 18x12
unit a1 american %s 4-4-5 reduced 2-2
unit g1 german infantry 1-4-5 reduced 1-2
position
  a1 1005
  g1 1006
turn 3 american combat
combat 1006
  attack a1
  declare 4:4 odds 1-1 column 1-1
  roll 6 6
  result DRB AVB
  lose g1
  lose a1
  retreat g1: 1006 %s
  advance a1: %s
turn 3 german movement
move g1: %s
"""


def findings(kind: str, to: str, advance: str, move: str) -> list[tuple[int, str]]:
    """Line and code of everything that is illegal or cannot be read."""
    answer = judge(read_sheet(HEAD % (kind, to, advance, move))).as_json()
    return [(f["line"], f["code"]) for f in answer["findings"] if f["severity"] in ("illegal", "unread")]


@pytest.mark.parametrize(
    ("kind", "to", "advance", "move", "found"),
    [
        ("infantry", "1007", "1006", "1007 1008", []),
        ("infantri", "1007", "1006", "1007 1008", [(4, "syntax")]),
        ("infantry", "1008", "1006", "1008 1009", [(17, "not-adjacent")]),
        ("infantry", "1007", "1106", "1007 1008", [(18, "advance")]),
        ("infantry", "1007", "1306", "1007 1008", [(18, "not-adjacent")]),
        ("infantry", "1107", "1006", "1007 1008", [(20, "not-there")]),
    ],
)
def test_one_slip_is_one_finding(kind: str, to: str, advance: str, move: str, found: list[tuple[int, str]]) -> None:
    assert findings(kind, to, advance, move) == found
