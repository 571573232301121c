"""Fire on a table of its own: what it leaves on who fires, at what distance, and which modifiers count for it."""

from __future__ import annotations

from typing import Any

import pytest

from hexforge.validator.report.answer import Answer
from tests.referee.conftest import Judge

TYPES = ("footmen", "lancers", "pikes", "riders", "sappers", "bombards")
TABLES: dict[str, Any] = {
    "bombardment": {
        "dice": "1d6",
        "column_by": {"kind": "value"},
        "columns": ["1-4", "5-9", "10+"],
        "rows": {"1-3": ["FM", "FM", "FM"], "4-6": ["FM", "FM", "FH"]},
    },
    "vulnerability": {
        "artillery": dict.fromkeys(["footmen", "lancers", "pikes", "riders", "sappers", "bombards"], 1)
    },
    "results": {
        "FM": {"attacker": {"mark": "fired"}},
        "FH": {"attacker": {"mark": "fired"}, "defender": {"steps": 1}},
    },
}
MARKS = [{"mark": "fired", "lapses": [{"phase": "combat", "whose": "own", "at": "end"}], "section": "4.6"}]
SEQUENCE = [
    {"side": "crown", "phase": "fire", "does": ["bombard"]},
    {"side": "crown", "phase": "movement"},
    {"side": "crown", "phase": "combat"},
    {"side": "league", "phase": "movement"},
    {"side": "league", "phase": "combat"},
]
FIRE = """unit c1 crown bombards 7-3-4 range 4
unit c2 crown bombards 7-3-4 range 4
unit l1 league footmen 3-3-4
position
  c1 0503
  c2 {c2}
  l1 0505
turn 1 crown fire
bombard 0505 by {guns}
{uses}  declare value {value}
  roll 1
  result FM
turn 1 crown movement
{move}"""


def fire(judged: Judge, value: int, *rules: Any, guns: str = "c1", c2: str = "0504", **more: Any) -> Answer:
    lines = FIRE.format(value=value, guns=guns, c2=c2, move=more.pop("move", ""), uses=more.pop("uses", ""))
    combat = {"modifiers": list(rules), "artillery": more}
    movement = {"immobile": [{"turns": [1, 6], "marks": "fired", "section": "4.6"}]}
    return judged(lines, sequence=SEQUENCE, tables=TABLES, marks=MARKS, movement=movement, combat=combat)


def wrong(answer: Answer) -> list[str]:
    return [f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal"]


def half(*when: Any, **more: Any) -> dict[str, Any]:
    what = {"kind": "factor", "of": "attackers", "by": "1/2"}
    return {"name": "half", "when": list(when), "what": what, "section": "4.7", **more}


def test_who_fires_bears_the_mark_that_the_result_gives_him(judged: Judge) -> None:
    assert wrong(fire(judged, 7, move="move c1: 0503 0502\n")) == ["immobile"]
    assert wrong(fire(judged, 7, move="move c2: 0504 0503\n")) == []


@pytest.mark.parametrize(("adjacent", "said"), [({}, ["bombards-adjacent"]), ({"adjacent": "fire"}, [])])
def test_the_next_hex_is_fired_at_where_the_game_lets_it(
    judged: Judge, adjacent: dict[str, str], said: list[str]
) -> None:
    assert wrong(fire(judged, 14, guns="c1 c2", **adjacent)) == said


@pytest.mark.parametrize(
    ("table", "value"), [({}, 7), ({"table": "crt"}, 7), ({"table": "bombardment"}, 4), ({"table": "both"}, 4)]
)
def test_a_strength_changes_for_the_table_that_its_modifier_names(
    judged: Judge, table: dict[str, str], value: int
) -> None:
    assert wrong(fire(judged, value, half(**table))) == []
    assert wrong(fire(judged, 11 - value, half(**table))) == ["value"]


@pytest.mark.parametrize(
    ("distance", "value"),
    [({"least": 2}, 11), ({"most": 1}, 11), ({"least": 2, "most": 2}, 11), ({}, 8), ({"least": 3}, 14)],
)
def test_each_unit_is_as_strong_as_its_own_distance_says(
    judged: Judge, distance: dict[str, int], value: int
) -> None:
    rule = half({"kind": "distance", **distance}, table="bombardment")
    assert wrong(fire(judged, value, rule, guns="c1 c2", adjacent="fire")) == []


@pytest.mark.parametrize(
    ("share", "least", "moved"),
    [("all", 2, 0), ("any", 2, 1), ("none", 2, 0), ("none", 3, 1), ("all", 1, 1), ("any", 3, 0)],
)
def test_distance_moves_the_column_or_the_die(judged: Judge, share: str, least: int, moved: int) -> None:
    when = [{"kind": "distance", "least": least, "share": share}]
    rule = {"name": "far", "when": when, "what": {"kind": "die", "die": 1}, "table": "bombardment"}
    answer = fire(judged, 14, rule, guns="c1 c2", adjacent="fire")
    (record,) = answer.combats
    assert sum(shift.columns for shift in record.die) == moved
