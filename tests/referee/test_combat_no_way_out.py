"""Units that die because the only way out is full (5.3.1, 5.3.3), in a plain retreat and after an exchange."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.replay import replay
from hexforge.validator.reading.sheet import read_sheet
from tests.referee.played import scenario

# g1 and g5 in the corner 0101 can only go through 0102, next to the enemy, to 0103, whose units cannot make room.
CORNER = """\
sheet 1
game hurtgen
map blank open 3x3
unit a1 american infantry {a1}-4-5
unit a2 american infantry 2-2-5
unit a3 american infantry 2-2-5
unit g1 german infantry 1-2-5
unit g2 german infantry 1-2-5
unit g3 german infantry 1-2-5
unit g4 german infantry 1-2-5
unit g5 german infantry 1-2-5
position
  a1 0201
  a2 0201
  a3 0303
  g1 0101
  {g5}
  g2 0103
  g3 0103
  {g4}
turn 6 american combat
combat 0101
  attack a1 a2
"""


def judged(acts: str, *, a1: int, g4: bool, g5: bool) -> list[str]:
    head = CORNER.format(a1=a1, g4="g4 0103" if g4 else "", g5="g5 0101" if g5 else "")
    sheet = read_sheet(head + acts)
    assert not sheet.problems
    return [f.code for f in replay(scenario("hurtgen"), sheet).findings if f.severity != "info"]


@pytest.mark.parametrize(("full", "codes"), [(True, []), (False, ["losses"])])
def test_a_second_hex_without_room_is_no_way_out(full: bool, codes: list[str]) -> None:
    acts = "  roll 1 2\n  result DRI AVI\n  eliminate g1\n"
    assert judged(acts, a1=3, g4=full, g5=False) == codes


@pytest.mark.parametrize(("full", "codes"), [(True, []), (False, ["exchange"])])
def test_a_survivor_of_an_exchange_who_cannot_retreat_costs_the_attacker_nothing(
    full: bool, codes: list[str]
) -> None:
    acts = "  roll 1 1\n  result EMP\n  eliminate g1\n  eliminate a2\n  eliminate g5\n"
    assert judged(acts, a1=15, g4=full, g5=True) == codes


def test_at_least_one_unit_given_up_in_an_exchange_has_its_price() -> None:
    acts = "  roll 1 1\n  result EMP\n  eliminate g1 g5\n"
    assert judged(acts, a1=15, g4=True, g5=True) == ["exchange"]
