"""Conditions of mechanics: by mark, by weather, by losses, by who is near; and what fire declares."""

from __future__ import annotations

from typing import Any

import pytest

from tests.referee.conftest import Judge
from tests.referee.test_fire import TABLES, fire, half, wrong
from tests.referee.test_states import overrun

FOLLOWED = """unit c1 crown footmen 6-6-4
unit l1 league footmen 2-2-4 reduced 1-1
position
  c1 0505
  l1 0506
{mark}turn 1 crown combat
combat 0506
  attack c1
  roll 3 4
  result IMP
  eliminate l1
  advance c1: 0506
"""
ROWS = ("2,3,4", "5,6", "7", "8,9", "10,11,12")
WEARY = {"name": "weary", "what": {"kind": "stays", "units": {"marks": "weary"}}, "section": "4.8"}


def followed(judged: Judge, rule: dict[str, Any], mark: str = "", **advance: Any) -> list[str]:
    results = {"IMP": {"defender": {"units": "all"}}, "TIRE": {"defender": {"mark": "weary"}}}
    tables = {"crt": {"rows": dict.fromkeys(ROWS, ["IMP"] * 6)}, "results": results}
    combat = {"modifiers": [rule], "advance": {"after": "vacated", **advance}, "duty": {"units": "none"}}
    return wrong(judged(FOLLOWED.format(mark=mark), tables=tables, combat=combat))


def test_a_modifier_keeps_units_from_advancing(judged: Judge) -> None:
    assert followed(judged, WEARY) == []
    assert followed(judged, WEARY, mark="  status c1 weary\n") == ["stays"]
    attacker = {"kind": "attacker", "side": "league"}
    assert followed(judged, {**WEARY, "when": [attacker]}, mark="  status c1 weary\n") == []


def test_who_is_kept_back_need_not_advance(judged: Judge) -> None:
    rows = dict.fromkeys(ROWS, ["IMP"] * 6)
    results = {"IMP": {"defender": {"units": "all"}}, "TIRE": {"defender": {"mark": "weary"}}}
    combat = {"modifiers": [WEARY], "advance": {"after": "vacated", "must": True}, "duty": {"units": "none"}}
    for mark, said in (("", ["advance-missing"]), ("  status c1 weary\n", [])):
        sheet = FOLLOWED.format(mark=mark).replace("  advance c1: 0506\n", "")
        tables = {"crt": {"rows": rows}, "results": results}
        assert wrong(judged(sheet, tables=tables, combat=combat)) == said


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"turns": [1, 1]}, []),
        ({"turns": [2, 6]}, ["overrun-none"]),
        ({"weather": "dry"}, []),
        ({"weather": "rain"}, ["overrun-none"]),
        ({"barred_marks": "reinforcement"}, []),
    ],
)
def test_overruns_at_times(judged: Judge, rule: dict[str, Any], said: list[str]) -> None:
    assert wrong(overrun(judged, **rule))[:1] == said


TWICE = [
    {"side": "crown", "phase": "movement"},
    {"side": "crown", "phase": "combat"},
    {"side": "crown", "phase": "movement", "barred_marks": "fired"},
    {"side": "crown", "phase": "combat", "barred_marks": "fired"},
    {"side": "league", "phase": "movement"},
    {"side": "league", "phase": "combat"},
]
SECOND = """unit c1 crown footmen 3-3-4
unit l1 league footmen 3-3-4
position
  c1 0503
  l1 {enemy}
{mark}turn 1 crown movement
turn 1 crown combat
turn 1 crown movement
{move}turn 1 crown combat
{fight}"""


@pytest.mark.parametrize(("mark", "barred"), [("", False), ("  status c1 fired\n", True)])
def test_marks_keep_units_out_of_a_phase(judged: Judge, mark: str, barred: bool) -> None:
    def found(**lines: str) -> list[str]:
        told = {"enemy": "0908", "move": "", "fight": "", "mark": mark} | lines
        duty = {"duty": {"units": "adjacent"}}
        return wrong(judged(SECOND.format(**told), sequence=TWICE, tables=TABLES, marks=[], combat=duty))

    assert found(move="move c1: 0503 0502\n") == (["phase-who"] if barred else [])
    attack = "combat 0504\n  attack c1\n  declare 3:3\n"
    fought = found(enemy="0504", fight=attack)
    assert ("phase-attack" in fought) == barred


@pytest.mark.parametrize(
    ("rule", "enemy", "said"),
    [
        ("nothing", "1104", []),
        ("zones", "1104", ["entry-clear"]),
        ("enemies", "1104", ["entry-clear"]),
        ("zones", "0908", []),
        ("enemies", "0908", []),
    ],
)
def test_nobody_comes_on_the_map_near_the_enemy(judged: Judge, rule: str, enemy: str, said: list[str]) -> None:
    sheet = f"unit l1 league footmen 3-3-4\nposition\n  l1 {enemy}\nturn 2 crown movement\nenter cr-lan-2: 1105\n"
    assert wrong(judged(sheet, movement={"entry_clear_of": rule})) == said


@pytest.mark.parametrize(
    ("rule", "times", "said"),
    [
        ({"table": "bombardment"}, 0, []),
        ({"table": "bombardment"}, 1, []),
        ({"table": "both"}, 1, []),
        ({"table": "crt"}, 1, ["declared-void"]),
        ({"table": "bombardment"}, 2, ["declared-again"]),
    ],
)
def test_what_fire_declares_is_held_against_the_rules(
    judged: Judge, rule: dict[str, str], times: int, said: list[str]
) -> None:
    halves = half({"kind": "declared", "most": 3}, **rule)
    value = 7 if not times or rule["table"] == "crt" else 4
    uses = "".join("  use half\n" for _ in range(times))
    assert wrong(fire(judged, value, halves, uses=uses))[:1] == said


def test_fire_declares_nothing_that_the_game_has_not(judged: Judge) -> None:
    assert wrong(fire(judged, 7, uses="  use thunder\n")) == ["declared-unknown"]


UNTRIED = """unit c1 crown footmen 6-6-4
unit l1 league footmen 1-1-4 reduced 1-1 1-1
position
  c1 0505
  l1 0506
{before}turn 1 crown combat
combat 0506
  reveal l1 {shown}
  attack c1
  declare 6:{defence}
"""


@pytest.mark.parametrize(
    ("shown", "before", "defence", "said"),
    [
        ("4-5", "", 5, []),
        ("4-5 reduced 3-3", "", 5, []),
        ("4-5 reduced 3-2", "", 5, ["reveal-pool"]),
        # what was drawn says what the third step is worth: two lost of three
        ("4-5", "  revealed l1 4-5\n  l1 0506 reduced 2\n", 1, []),
        ("4-5", "  revealed l1 4-5\n  l1 0506 reduced 1\n", 3, []),
        ("4-5", "  revealed l1 4-5\n  l1 0506 reduced 2\n", 3, ["defence-sum"]),
    ],
)
def test_untried_units_of_three_steps(
    judged: Judge, shown: str, before: str, defence: int, said: list[str]
) -> None:
    rule = {"types": "footmen", "side": "league", "pool": {"4-5 3-3 1-1": 2}, "section": "4.9"}
    sheet = UNTRIED.format(shown=shown, before=before, defence=defence)
    sheet = sheet.replace("  l1 0506\n  revealed", "  revealed")
    answer = judged(sheet, untried=[rule], combat={"duty": {"units": "none"}})
    assert [f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal"] == said
