"""What befalls units that bear a mark already: each pays for itself."""

from __future__ import annotations

from typing import Any

import pytest

from tests.referee.conftest import Judge
from tests.referee.test_states import ROWS, RULES, SEQUENCE, wrong

FIGHT = """unit c1 crown footmen 6-6-4
unit l1 league footmen 3-3-4 reduced 2-2
unit l2 league footmen 3-3-4 reduced 2-2
position
  c1 0505
  l1 0506{back}
  l2 0506
  status l1 {mark}
turn 1 crown combat
combat 0506
  attack c1
  roll 3 4
  result IMP
{told}"""
TWO, ONE = "", " reduced"


def found(judged: Judge, demand: Any, told: str, *, back: str = TWO, mark: str = "shaken") -> list[str]:
    """What is wrong where `l1` bears a mark and `l2` none, and each stands as told."""
    rows = dict.fromkeys(ROWS, ["IMP"] * 6)
    tables = {
        "crt": {"rows": rows},
        "results": {
            "IMP": {"defender": demand},
            "NOT": {"attacker": {"mark": "shaken"}, "defender": {"mark": "lost"}},
        },
    }
    lines = "".join(f"  {line}\n" for line in told.split("; ") if line)
    return wrong(judged(FIGHT.format(back=back, mark=mark, told=lines), sequence=SEQUENCE, tables=tables, **RULES))


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("lose l1", []),
        ("lose l2", ["no-loss", "again-loss-missing"]),  # nobody else pays for it
        ("", ["again-loss-missing"]),
        ("lose l1; lose l1", ["no-loss"]),
    ],
)
def test_who_bears_the_mark_pays_for_it_himself(judged: Judge, told: str, expected: list[str]) -> None:
    assert sorted(found(judged, {"mark": "shaken", "again": 1}, told)) == sorted(expected)


@pytest.mark.parametrize(
    ("told", "back", "expected"),
    [
        ("lose l1; lose l2", TWO, []),
        ("lose l1; lose l1", TWO, []),
        ("lose l2; lose l2", TWO, ["no-loss", "again-loss-missing"]),
        ("lose l1", TWO, ["loss-missing"]),
        # The loss of the result comes first: who dies of it is not there to suffer more.
        ("lose l1", ONE, []),
        ("lose l1; lose l2", ONE, []),
        ("lose l2", ONE, ["again-loss-missing"]),
    ],
)
def test_beside_a_loss_of_the_result(judged: Judge, told: str, back: str, expected: list[str]) -> None:
    assert sorted(found(judged, {"steps": 1, "mark": "shaken", "again": 1}, told, back=back)) == sorted(expected)


def test_two_losses_are_not_forgiven_by_one_death(judged: Judge) -> None:
    demand = {"steps": 2, "mark": "shaken", "again": 1}
    assert found(judged, demand, "lose l1", back=ONE) == ["loss-missing"]
    assert found(judged, demand, "lose l1; lose l2", back=ONE) == []


@pytest.mark.parametrize("again", ["all", 3])
@pytest.mark.parametrize(("told", "expected"), [("lose l1", ["loss-missing"]), ("lose l1; lose l2", [])])
def test_who_dies_of_a_mark_spares_others_no_more_than_he_had(
    judged: Judge, again: Any, told: str, expected: list[str]
) -> None:
    demand = {"steps": 2, "mark": "shaken", "again": again}
    assert found(judged, demand, told, back=ONE) == expected


def test_a_mark_named_by_itself_retreats_kills_and_gives_another(judged: Judge) -> None:
    back = {"steps": 1, "again": {"bears": "shaken", "retreat": 1}}
    assert found(judged, back, "lose l2; retreat l1: 0506 0507") == []
    assert found(judged, back, "lose l2") == ["retreat-missing"]
    assert "no-retreat" in found(judged, back, "lose l2; retreat l1: 0506 0507; retreat l2: 0506 0507")
    dead = {"mark": "shaken", "again": [{"bears": "lost", "steps": "all"}, {"mark": "lost"}]}
    assert found(judged, dead, "eliminate l1", mark="lost") == []
    assert found(judged, dead, "lose l1; lose l1", mark="lost") == []
    assert "again-death-missing" in found(judged, dead, "lose l1", mark="lost")
    assert found(judged, dead, "eliminate l1") == ["not-eliminated"]


TEST = {"dice": "2d6", "fails": {"mark": "shaken", "again": {"steps": 1, "mark": "lost"}}}
TESTED = """unit c1 crown footmen 6-6-4
unit l1 league footmen 3-3-4 reduced 2-2 morale 7
position
  c1 0505
  l1 0506
{mark}turn 1 crown combat
combat 0506
  attack c1
  roll 3 4
  result IMP
{told}"""
SHAKEN = "  status l1 shaken\n"


@pytest.mark.parametrize(
    ("mark", "told", "expected"),
    [
        (SHAKEN, "morale l1 roll 6 6; lose l1", []),
        (SHAKEN, "morale l1 roll 6 6", ["again-loss-missing"]),
        (SHAKEN, "morale l1 roll 1 1", []),
        (SHAKEN, "morale l1 roll 1 1; lose l1", ["no-loss"]),
        ("", "morale l1 roll 6 6; lose l1", ["no-loss"]),
        ("", "morale l1 roll 6 6", []),
        ("", "morale l1 roll 3 4; lose l1", ["no-loss"]),
    ],
)
def test_who_fails_again(judged: Judge, mark: str, told: str, expected: list[str]) -> None:
    assert when_tested(judged, TEST, mark, told) == expected


def test_a_result_may_add_to_the_dice_of_a_test(judged: Judge) -> None:
    rolled = "morale l1 roll 3 4; lose l1"
    assert when_tested(judged, {**TEST, "die": 1}, SHAKEN, rolled) == []
    assert when_tested(judged, {**TEST, "die": 0}, SHAKEN, rolled) == ["no-loss"]


def when_tested(judged: Judge, test: Any, mark: str, told: str) -> list[str]:
    tables = {"crt": {"rows": dict.fromkeys(ROWS, ["IMP"] * 6)}, "results": {"IMP": {"defender": {"morale": test}}}}
    lines = "".join(f"  {line}\n" for line in told.split("; "))
    return wrong(judged(TESTED.format(mark=mark, told=lines), sequence=SEQUENCE, tables=tables, **RULES))
