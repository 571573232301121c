"""Supply by lines, whoever passes it on, and replacements: each choice by itself."""

from __future__ import annotations

from typing import Any

import pytest

from hexforge.validator.judging.answer import Answer
from tests.referee.conftest import Judge
from tests.referee.test_mechanics import codes

LINES = """unit c1 crown footmen 3-3-4
unit c2 crown pikes 3-3-4
unit l1 league footmen 3-3-4
position
  c1 {at}
  c2 0905
  l1 {enemy}
turn 1 crown movement
move c1: {at} {to}
"""


def supply(**choices: Any) -> dict[str, Any]:
    """Supply from the east, by lines of hexes; who has none has half of his allowance."""
    line = {"kind": "hexes", "hexes": 5}
    cut = {"turns": [1, 6], "marks": "unsupplied", "divide": 2, "section": "3.1"}
    rule = {"side": "crown", "edges": ["east"], "line": line, "section": "3.9", **choices}
    return {"supply": [rule], "movement": {"allowances": [cut]}}


def without(answer: Answer) -> list[tuple[str, ...]]:
    return [f.units for f in answer.findings if f.code == "supply"]


def test_supply_has_a_length(judged: Judge) -> None:
    near, far = (LINES.format(at=at, to=to, enemy="0101") for at, to in (("0605", "0705"), ("0505", "0605")))
    assert without(judged(near, **supply())) == []
    assert without(judged(far, **supply())) == [("c1",)]
    assert without(judged(far, **supply(exempt="footmen"))) == []
    assert without(judged(far, **supply(checked=["combat"]))) == []
    points = {"kind": "points", "points": 5, "movement": "haul"}
    assert without(judged(near, **supply(line=points))) == []
    marsh = "terrain marsh " + " ".join(f"07{row:02}" for row in range(1, 10))
    assert without(judged(near, ground=marsh, **supply(line=points))) == [("c1",)]


def test_whoever_lacks_a_line_by_one_of_the_rules_of_a_mark_bears_it(judged: Judge) -> None:
    """Each corps has a line of its own: the rule of the other, by which it needs none, takes no mark from it."""
    far = LINES.format(at="0505", to="0506 0507 0508", enemy="0101")
    both = supply(exempt="pikes")
    both["supply"] += supply(exempt="footmen")["supply"]
    for rules in (both["supply"], both["supply"][::-1]):
        answer = judged(far, **{**both, "supply": rules})
        assert without(answer) == [("c1",)]
        assert [f.code for f in answer.findings if f.severity == "illegal"] == ["movement-cost"]


def test_supply_may_be_needed_in_some_turns_alone(judged: Judge) -> None:
    """Six hexes from its source: short of it in the turns of the rule, and rid of its mark in the others."""
    far = LINES.format(at="0505", to="0605 0705 0805", enemy="0101")
    assert without(judged(far, **supply(turns=[1, 1]))) == [("c1",)]
    assert codes(judged(far, **supply(turns=[1, 1]))) == ["movement-cost"]
    assert without(judged(far, **supply(turns=[2, 6]))) == []
    assert codes(judged(far, **supply(turns=[2, 6]))) == []
    marked = far.replace("turn 1", "status c1 unsupplied\nturn 1", 1)
    assert codes(judged(marked, **supply(turns=[2, 6]))) == []


def test_headquarters_pass_supply_on(judged: Judge) -> None:
    far = LINES.format(at="0505", to="0605", enemy="0101")
    assert without(judged(far, **supply(headquarters="pikes"))) == []
    short = {"kind": "hexes", "hexes": 3}
    assert without(judged(far, **supply(headquarters="pikes", headquarters_line=short))) == [("c1",)]
    assert without(judged(far, **supply(headquarters="pikes", line={"kind": "hexes", "hexes": 1}))) == [
        ("c1", "c2")
    ]
    # a line straight from the source counts, unless all supply comes through headquarters
    near = LINES.format(at="0905", to="1005", enemy="0101").replace("c2 0905", "c2 0901")
    assert without(judged(near, **supply(headquarters="pikes", headquarters_line=short))) == []
    passed = supply(headquarters="pikes", headquarters_line=short, direct=False)
    assert without(judged(near, **passed)) == [("c1",)]
    assert without(judged(near.replace("c2 0901", "c2 0903"), **passed)) == []


def test_the_enemy_and_his_zones_shut_a_line(judged: Judge) -> None:
    free = {"line": {"kind": "any"}}
    ring = "".join(f"\n  {u} {h}" for u, h in zip(("l2", "l3"), ("0407", "0707"), strict=True))
    units = "unit l2 league footmen 3-3-4\nunit l3 league footmen 3-3-4\n"
    held = units + LINES.format(at="0505", to="0504", enemy="0503").replace("\nturn", f"{ring}\nturn")
    assert without(judged(held, **supply(**free, zones="open"))) == []
    assert without(judged(held.replace("0505 0504", "0505 0506"), **supply(**free, zones="open"))) == []
    walls = "unit l4 league footmen 3-3-4\n" + held.replace("\nturn", "\n  l4 0705\nturn").replace("0407", "0406")
    assert without(judged(walls, **supply(**free, zones="shut"))) == [("c1",)]


@pytest.mark.parametrize(
    ("zones", "enemy", "unit", "found"),
    [
        # the enemy stands next to the unit alone: its own hex ends a line, and no other is in his zone
        ("shut", "0504", "0505", []),
        ("sealed", "0504", "0505", [("c1",)]),
        ("friends_open", "0504", "0505", []),
        # he stands next to the staff too, which passes supply on from where it is
        ("shut", "0906", "0705", []),
        ("sealed", "0906", "0705", [("c1", "c2")]),
    ],
)
def test_the_hex_of_a_unit_itself_is_the_end_of_its_line(
    judged: Judge, zones: str, enemy: str, unit: str, found: list[tuple[str, ...]]
) -> None:
    sheet = LINES.format(at=unit, to="", enemy=enemy).replace("move c1: " + unit + " \n", "")
    line = {"kind": "hexes", "hexes": 4}
    assert without(judged(sheet, **supply(line=line, headquarters="pikes", direct=False, zones=zones))) == found


def test_supply_is_looked_for_in_a_phase_of_its_own(judged: Judge) -> None:
    means = [{"side": side, "phase": phase} for side in ("crown", "league") for phase in ("means", "movement")]
    sequence = [*means, {"side": "crown", "phase": "combat"}, {"side": "league", "phase": "combat"}]
    far = LINES.format(at="0505", to="0504", enemy="0101")
    begun = far.replace("turn 1", "turn 1 crown means\nturn 1", 1)
    assert without(judged(far, sequence=sequence, **supply(checked="means"))) == []
    assert without(judged(begun, sequence=sequence, **supply(checked="means"))) == [("c1",)]
    theirs = far + "turn 1 league means\n"
    assert without(judged(theirs, sequence=sequence, **supply(checked="enemy_means"))) == [("c1",)]


def test_what_a_unit_without_supply_loses(judged: Judge) -> None:
    far = LINES.format(at="0505", to="0605 0705 0805", enemy="0101")
    assert codes(judged(far, **supply())) == ["movement-cost"]
    assert codes(judged(far, **supply(line={"kind": "any"}))) == []


WORN = """unit c1 crown footmen 3-3-4 reduced 1-1
unit c2 crown riders 3-3-6 reduced 1-1
unit c3 crown footmen 3-3-4 reduced 1-1
unit l1 league footmen 3-3-4
position
  c1 0303 reduced
  c2 0403 reduced
  gone c3 eliminated
  l1 {enemy}
turn 1 crown movement
{moves}
"""


def replacements(**choices: Any) -> dict[str, Any]:
    """Two points a turn for the Crown, who has no other means to turn losses back."""
    rule = {"side": "crown", "points": 2, "section": "3.8", **choices}
    return {"replacements": [rule], "movement": {"recovery": []}}


def illegal_by_line(answer: Answer) -> list[tuple[str, int]]:
    return [(f.code, f.line) for f in answer.findings if f.severity == "illegal"]


def test_replacements_turn_losses_back(judged: Judge) -> None:
    both = WORN.format(enemy="0908", moves="recover c1\nrecover c2")
    assert illegal_by_line(judged(both, **replacements())) == []
    assert illegal_by_line(judged(both, **replacements(points=1))) == [("recovery", 16)]
    assert illegal_by_line(judged(both, **replacements(step=2))) == [("recovery", 16)]
    assert illegal_by_line(judged(both, **replacements(types="mounted"))) == [("recovery", 15)]
    assert illegal_by_line(judged(both, **replacements(turns=[2, 3]))) == [("recovery", 15), ("recovery", 16)]
    near = WORN.format(enemy="0302", moves="recover c1")
    assert illegal_by_line(judged(near, **replacements())) == [("recovery", 15)]
    # each step of a unit of several is paid for
    deep = both.replace("c1 crown footmen 3-3-4 reduced 1-1", "c1 crown footmen 3-3-4 reduced 2-2 1-1")
    deep = deep.replace("c1 0303 reduced", "c1 0303 reduced 2").replace("recover c2", "recover c1\nrecover c2")
    assert illegal_by_line(judged(deep, **replacements(points=3))) == []
    assert illegal_by_line(judged(deep, **replacements())) == [("recovery", 17)]
    assert illegal_by_line(judged(deep, **replacements(points=3, most=1))) == [("recovery", 16)]
    assert illegal_by_line(judged(deep, **replacements(points=3, most=2))) == []
    said = deep.replace("  l1", "  status c2 recovered 2\n  l1").replace(
        "recover c1\nrecover c1\nrecover c2", "recover c1"
    )
    assert illegal_by_line(judged(said, **replacements(points=3))) == []
    assert illegal_by_line(judged(said, **replacements())) == [("recovery", 16)]
    assert illegal_by_line(judged(near, **replacements(contact=True))) == []


def test_who_was_given_a_step_may_go_next_to_the_enemy(judged: Judge) -> None:
    met = WORN.format(enemy="0305", moves="recover c1\nmove c1: 0303 0304")
    assert illegal_by_line(judged(met, **replacements())) == []
    rest = {"replacements": [], "movement": {"recovery": [{"side": "crown", "section": "3.8"}]}}
    assert illegal_by_line(judged(met, **rest)) == [("recovery", 16)]


def test_what_a_phase_of_ones_own_lists_is_done_in_no_other(judged: Judge) -> None:
    phases = [{"side": side, "phase": "movement"} for side in ("crown", "league")]
    own = [{"side": "crown", "phase": "depot", "does": ["recover"]}, *phases]
    moved = WORN.format(enemy="0908", moves="recover c1")
    stocked = moved.replace("turn 1 crown movement", "turn 1 crown depot")
    assert illegal_by_line(judged(moved, sequence=phases, **replacements())) == []
    assert illegal_by_line(judged(stocked, sequence=own, **replacements())) == []
    found = judged(moved.replace("turn 1", "turn 1 crown depot\nturn 1"), sequence=own, **replacements())
    assert illegal_by_line(found) == [("wrong-phase", 16)]


def test_what_is_saved_counts_in_later_turns(judged: Judge) -> None:
    def found(saved: Any, *, points: int = 1, lines: str = "") -> list[str]:
        units = "unit c1 crown footmen 3-3-4 reduced 1-1\nunit c2 crown riders 3-3-4 reduced 1-1\n"
        units += "unit l1 league footmen 3-3-4\nposition\n  c1 0303 reduced\n  c2 0309 reduced\n  l1 0908\n" + lines
        play = "turn 1 crown movement\nturn 1 league movement\nturn 2 crown movement\nrecover c1\n"
        rule = {"side": "crown", "points": points, "step": 2, "section": "3.8"}
        rules = [
            {**rule, "types": "footmen", "saved": saved},
            {**rule, "types": "riders", "points": 0, "saved": "all"},
        ]
        moves = [{"side": side, "phase": "movement"} for side in ("crown", "league")]
        chosen = {"replacements": rules, "movement": {"recovery": []}}
        return codes(judged(units + play, sequence=moves, **chosen))

    assert found(None) == ["recovery"]
    assert found("all") == found(1) == []
    assert found(1, points=0) == ["recovery"]
    assert found("all", points=0, lines="  saved crown 2\n") == []
    assert found("all", points=0, lines="  saved crown 0\n  saved crown 2\n") == ["recovery"]  # the riders' stock


def test_the_dead_come_back_where_they_may(judged: Judge) -> None:
    back = WORN.format(enemy="0908", moves="enter c3: 1103\nrecover c1")
    home = "name 0606 Saltgate"
    assert illegal_by_line(judged(back, **replacements())) == [("reinforcement", 15)]
    assert illegal_by_line(judged(back, **replacements(rebuild=1, edges=["east"]))) == []
    assert illegal_by_line(judged(back, **replacements(rebuild=1, edges=["east"], rebuilds="footmen"))) == []
    assert illegal_by_line(judged(back, **replacements(rebuild=1, edges=["east"], rebuilds="riders"))) == [
        ("reinforcement", 15)
    ]
    assert illegal_by_line(judged(back, **replacements(rebuild=2, edges=["east"]))) == [("recovery", 16)]
    at_home = replacements(rebuild=1, places=["saltgate"])
    assert illegal_by_line(judged(back, ground=home, **at_home)) == [("reinforcement", 15)]
    inside = back.replace("1103", "0606")
    answer = judged(inside, ground=home, **at_home)
    assert illegal_by_line(answer) == []
    assert answer.as_json()["position"]["c3"] == {"hex": "0606", "step": "reduced"}
    close = inside.replace("0908", "0605")
    assert illegal_by_line(judged(close, ground=home, **at_home)) == [("reinforcement", 15)]


def test_who_comes_or_leaves_in_a_phase_of_ones_own_goes_no_farther(judged: Judge) -> None:
    refit = [{"side": "crown", "phase": "refit", "does": ["enter", "exit"]}]
    turn = [{"side": side, "phase": phase} for side in ("crown", "league") for phase in ("movement", "combat")]
    rules = {"sequence": refit + turn, **replacements(rebuild=1, edges=["east"])}
    back = WORN.format(enemy="0908", moves="enter c3: {}").replace("movement", "refit")
    assert illegal_by_line(judged(back.format("1103"), **rules)) == []
    assert illegal_by_line(judged(back.format("1103 1003"), **rules)) == [("wrong-phase", 15)]
    assert illegal_by_line(judged(back.format("1103 1003").replace("refit", "movement"), **rules)) == []
    away = back.replace("enter c3", "exit c2").replace("c2 0403 reduced", "c2 0103")
    assert ("wrong-phase", 15) not in illegal_by_line(judged(away.format("0103 to west"), **rules))
    assert ("wrong-phase", 15) in illegal_by_line(judged(away.format("0103 0102 to west"), **rules))


@pytest.mark.parametrize(
    ("own", "staff", "served"), [("1", "1", True), ("1", "2", False), ("1", "", True), ("", "2", True)]
)
def test_headquarters_may_serve_their_own_formation_alone(
    judged: Judge, own: str, staff: str, served: bool
) -> None:
    """As officers command their own corps, and who is of none all of them."""
    text = LINES.format(at="0505", to="0605", enemy="0101")
    for unit, division in (("c1 crown footmen", own), ("c2 crown pikes", staff)):
        text = text.replace(f"{unit} 3-3-4", f"{unit} 3-3-4" + (f" division {division}" if division else ""))
    by = {"headquarters": "pikes", "headquarters_line": {"kind": "hexes", "hexes": 5}, "direct": False}
    answer = judged(text, **supply(**by, formation="division"))
    assert without(answer) == ([] if served else [("c1",)])
    assert without(judged(text, **supply(**by))) == []


def test_supply_may_be_needed_by_some_divisions_alone(judged: Judge) -> None:
    text = LINES.format(at="0505", to="0605", enemy="0101").replace("footmen 3-3-4", "footmen 3-3-4 division 1", 1)
    assert without(judged(text, **supply(divisions="1"))) == [("c1",)]
    assert without(judged(text, **supply(divisions="2"))) == []


def test_who_comes_back_has_had_a_step_and_is_asked_for_supply(judged: Judge) -> None:
    again = WORN.format(enemy="0908", moves="enter c3: 1103\nrecover c3").replace("reduced 1-1", "reduced 2-2 1-1")
    back = {"points": 5, "rebuild": 1, "edges": ["east"]}
    assert illegal_by_line(judged(again, **replacements(**back, most=2))) == []
    assert illegal_by_line(judged(again, **replacements(**back, most=1))) == [("recovery", 16)]
    cut = {"side": "crown", "line": {"kind": "hexes", "hexes": 5}, "checked": ["combat"], "section": "3.9"}
    rules = replacements(**back, barred_marks="unsupplied")
    assert illegal_by_line(judged(again, **rules, supply=[{**cut, "edges": ["east"]}])) == []
    assert ("recovery", 15) in illegal_by_line(judged(again, **rules, supply=[{**cut, "edges": ["west"]}]))


def test_replacements_of_some_phases_come_in_these_alone(judged: Judge) -> None:
    back = WORN.format(enemy="0908", moves="enter c3: 1103\nrecover c1")
    rule = {"rebuild": 1, "edges": ["east"]}
    assert illegal_by_line(judged(back, **replacements(**rule, phases="movement"))) == []
    found = illegal_by_line(judged(back, **replacements(**rule, phases="combat")))
    assert found == [("recovery", 15), ("recovery", 16)]
