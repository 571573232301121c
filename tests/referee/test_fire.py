"""Fire on a table of its own: what it leaves on who fires, at what distance, and which modifiers count for it."""

from __future__ import annotations

from typing import Any

import pytest

from hexforge.validator.judging.answer import Answer
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


WOOD = {"name": "view", "when": [{"kind": "between", "terrain": "orchard"}], "section": "4.8"}
VIEW = """unit c1 crown bombards 7-3-4 range 4
unit c2 crown bombards 7-3-4 range 4
unit l1 league footmen 3-3-4
unit l2 league footmen 3-3-4
unit l3 crown footmen 3-3-4
position
  c1 {gun}
  l1 {target}
{more}turn 1 crown fire
bombard {target} by c1
  roll 1
  result FM
"""


def seen(judged: Judge, rule: dict[str, Any], shot: str, ground: str = "", more: str = "") -> list[str]:
    gun, target = shot.split()
    lines = VIEW.format(gun=gun, target=target, more="".join(f"  {one}\n" for one in more.split(";") if one))
    barred = {**WOOD, "what": {"kind": "barred"}, "table": "bombardment", **rule}
    combat = {"modifiers": [barred]}
    answer = judged(lines, ground=ground, sequence=SEQUENCE, tables=TABLES, marks=MARKS, combat=combat)
    return wrong(answer)


BOTH, EITHER = {"along": "both"}, {"along": "either"}


@pytest.mark.parametrize(
    ("shot", "wood", "along", "said"),
    [
        ("0503 0505", "", BOTH, []),
        ("0503 0505", "0504", BOTH, ["attack-barred"]),
        # The two at the ends do not count, nor what lies beside the line.
        ("0503 0505", "0503 0505 0404 0604", BOTH, []),
        # From 0503 to 0704 the line leads through 0604 alone.
        ("0503 0704", "0604", BOTH, ["attack-barred"]),
        ("0503 0704", "0603", BOTH, []),
        # From 0503 to 0703 it runs along the side between 0603 and 0604.
        ("0503 0703", "0604", BOTH, []),
        ("0503 0703", "0603 0604", BOTH, ["attack-barred"]),
        ("0503 0703", "0603", EITHER, ["attack-barred"]),
        # Between 0201 and 0401 one of the two lies beyond the map's edge.
        ("0201 0401", "0301", BOTH, []),
        ("0201 0401", "0301", EITHER, ["attack-barred"]),
    ],
)
def test_nobody_fires_through_what_shuts_the_view(
    judged: Judge, shot: str, wood: str, along: dict[str, str], said: list[str]
) -> None:
    rule = {"when": [{"kind": "between", "terrain": "orchard", **along}]}
    ground = "".join(f"terrain orchard {hex_}\n" for hex_ in wood.split())
    assert seen(judged, rule, shot, ground) == said


@pytest.mark.parametrize(
    ("units", "there", "said"),
    [
        ("any", "c2 0504", ["attack-barred"]),
        ("friends", "c2 0504", ["attack-barred"]),
        ("enemies", "c2 0504", []),
        ("enemies", "l2 0504", ["attack-barred"]),
        ("friends", "l2 0504", []),
        ("any", "l2 0505;c2 0503", []),
    ],
)
def test_units_may_shut_the_view(judged: Judge, units: str, there: str, said: list[str]) -> None:
    assert seen(judged, {"when": [{"kind": "between", "units": units}]}, "0503 0505", more=there) == said


@pytest.mark.parametrize(
    ("target", "line", "said"),
    [
        ("0506", "0504/0505", ["attack-barred"]),
        ("0506", "0503/0504", []),
        ("0506", "0505/0506", []),
        ("0506", "0404/0504", []),
        ("0703", "0603/0604", ["attack-barred"]),
        ("0703", "0603/0703", []),
    ],
)
def test_lines_on_the_way_may_shut_the_view(judged: Judge, target: str, line: str, said: list[str]) -> None:
    """Those that the line crosses or follows; none of the hexes at its ends."""
    rule = {"when": [{"kind": "between", "hexsides": "wall"}]}
    assert seen(judged, rule, f"0503 {target}", ground=f"wall {line}\n") == said


def test_who_fires_from_a_height_sees_over_it(judged: Judge) -> None:
    when = [
        {"kind": "between", "terrain": "orchard"},
        {"kind": "terrain", "of": "attackers", "terrain": "hills", "share": "none"},
    ]
    wood = "terrain orchard 0504\n"
    assert seen(judged, {"when": when}, "0503 0505", wood) == ["attack-barred"]
    assert seen(judged, {"when": when}, "0503 0505", f"{wood}terrain hills 0503\n") == []
    assert seen(judged, {"when": when}, "0503 0505", f"{wood}terrain hills 0505\n") == ["attack-barred"]


AT_ODDS = """unit c1 crown bombards 7-3-4 range 4
unit c2 crown footmen 3-3-4
unit l1 league footmen 3-3-4
position
  c1 0503
  c2 0506
  l1 0505
  {status}
turn 1 crown {phase}
{line}
  declare {odds}
  roll 3 3
"""
ALONE = {"shape": {"guns_alone": "odds"}, "duty": {"units": "none"}}
BOMBARD, SUPPORT = "bombard 0505 by c1", "combat 0505\n  support c1"


@pytest.mark.parametrize("line", [BOMBARD, SUPPORT])
@pytest.mark.parametrize(
    ("phase", "limits", "said"),
    [
        ("fire", {}, []),
        ("combat", {}, ["wrong-phase"]),  # the side has its bombardments in the phase that lists them
        ("fire", {"who": "bombards", "marks": "laid"}, []),
        ("fire", {"who": "footmen"}, ["phase-attack"]),
        ("fire", {"marks": "aimed"}, ["phase-attack-unmarked"]),
        ("fire", {"barred_marks": "laid"}, ["phase-attack-mark"]),
    ],
)
def test_guns_alone_at_odds_fire_in_the_phase_that_lists_bombardment(
    judged: Judge, line: str, phase: str, limits: dict[str, str], said: list[str]
) -> None:
    marks = [{"mark": mark, "take": {"types": "bombards"}, "section": "4.6"} for mark in ("laid", "aimed")]
    sequence = [SEQUENCE[0] | limits, *SEQUENCE[1:]]
    sheet = AT_ODDS.format(phase=phase, line=line, odds="7:3 odds 2-1 column 2-1", status="status c1 laid")
    answer = judged(sheet, sequence=sequence, marks=marks, combat=ALONE)
    assert wrong(answer) == said


def test_guns_alone_at_odds_fire_in_combat_where_no_phase_lists_bombardment(judged: Judge) -> None:
    sheet = AT_ODDS.format(phase="combat", line=BOMBARD, odds="7:3 odds 2-1 column 2-1", status="")
    assert wrong(judged(sheet, sequence=SEQUENCE[1:], combat=ALONE)) == []


def test_guns_that_join_an_attack_do_so_in_combat(judged: Judge) -> None:
    line = "combat 0505\n  attack c2\n  support c1"
    sheet = AT_ODDS.format(phase="{phase}", line=line, odds="10:3 odds 3-1 column 3-1", status="")
    for phase in ("combat", "fire"):
        found = judged(sheet.format(phase=phase), sequence=SEQUENCE, combat=ALONE)
        assert ("wrong-phase" in wrong(found)) == (phase == "fire")
        assert "odds" not in wrong(found)
