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

    assert found(move="move c1: 0503 0502\n") == (["phase-mark"] if barred else [])
    attack = "combat 0504\n  attack c1\n  declare 3:3\n"
    fought = found(enemy="0504", fight=attack)
    assert ("phase-attack-mark" in fought) == barred


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


COMPANY = """unit c1 crown footmen 3-3-4 regiment Azure
unit c2 crown riders 4-3-4 regiment Azure
unit c3 crown footmen 1-1-4 regiment {third}
unit l1 league footmen 5-5-4
unit l2 league footmen 3-3-4
position
  c1 0504
  c2 0605
  c3 0204
  l1 0505
  l2 {other}
turn 1 crown combat
combat {targets}
  attack {attackers}
  declare {declared}
"""
TWICE_OF_ALL = {"kind": "factor", "of": "attackers", "by": 2}
WHOLE = {"kind": "formation", "of": "attackers", "by": "regiment", "whole": True}
ARMS = {"kind": "together", "of": "attackers", "types": ["footmen", "riders"]}
RIDING = {"kind": "units", "of": "attackers", "types": "riders"}


def totals(judged: Judge, what: Any, *when: Any, ground: str = "", **more: Any) -> tuple[int | None, int | None]:
    """The totals of a combat by footmen of 3 at 0504 and riders of 4 at 0605."""
    each = more.pop("each", "combat")
    told = {"third": "Gules", "other": "0909", "targets": "0505", "attackers": "c1 c2", "declared": "1:1"} | more
    rule = {"name": "it", "when": list(when), "what": what, "section": "4.3", "each": each}
    combat = {"modifiers": [rule], "shape": {"targets": "several", "next_to": "any"}, "duty": {"units": "none"}}
    (record,) = judged(COMPANY.format(**told), ground=ground, combat=combat).combats
    return record.attack, record.defence


@pytest.mark.parametrize(
    ("condition", "more", "attack"),
    [
        (WHOLE, {}, 14),  # 2 * 3 + 2 * 4
        (WHOLE, {"third": "Azure"}, 7),  # one of the regiment is elsewhere
        (WHOLE, {"attackers": "c1"}, 3),
        (ARMS, {}, 14),
        (ARMS, {"attackers": "c2"}, 4),
        (RIDING, {}, 14),
        (RIDING, {"attackers": "c1"}, 3),
        ({**RIDING, "share": "all"}, {}, 7),
        ({"kind": "around", "least": 2}, {}, 14),
        ({"kind": "around", "least": 2}, {"attackers": "c1"}, 3),
    ],
)
def test_who_takes_part_is_asked_of_all_who_do(
    judged: Judge, condition: dict[str, Any], more: dict[str, Any], attack: int
) -> None:
    assert totals(judged, TWICE_OF_ALL, condition, **more) == (attack, 5)


@pytest.mark.parametrize("each", ["combat", "target"])
@pytest.mark.parametrize(
    ("ground", "share", "defence"),
    [
        ("terrain hills 0505", "any", 13),  # 2 * 5 + 3
        ("terrain hills 0506", "any", 11),  # 5 + 2 * 3
        ("terrain hills 0505 0506", "any", 16),
        ("", "any", 8),
        ("terrain hills 0505", "all", 13),
        ("terrain hills 0505", "none", 11),
    ],
)
def test_each_defender_has_the_ground_of_his_own_hex(
    judged: Judge, each: str, ground: str, share: str, defence: int
) -> None:
    hill = {"kind": "terrain", "terrain": "hills", "share": share}
    two = {"targets": "0505 0506", "other": "0506", "ground": ground, "each": each}
    assert totals(judged, {"kind": "factor", "of": "defenders", "by": 2}, hill, **two) == (7, defence)


@pytest.mark.parametrize(
    ("by", "each", "attack"),
    [
        # The riders at 0605 are next to both hexes, the footmen at 0504 to the open one alone.
        ("1/2", "combat", 5),  # 3 + 4 / 2: there is marsh among what the riders attack
        ("1/2", "target", 5),
        (2, "combat", 11),  # 3 + 2 * 4
        (2, "target", 7),  # the open hex is better for the defender
    ],
)
def test_each_attacker_has_the_ground_of_what_is_next_to_him(
    judged: Judge, by: Any, each: str, attack: int
) -> None:
    marsh = {"kind": "terrain", "terrain": "marsh"}
    two = {"targets": "0505 0606", "other": "0606", "ground": "terrain marsh 0606", "each": each}
    assert totals(judged, {"kind": "factor", "of": "attackers", "by": by}, marsh, **two) == (attack, 8)


def test_of_several_targets_those_are_named_that_an_attacker_is_not_next_to(judged: Judge) -> None:
    told = {"third": "Gules", "other": "0606", "targets": "0505 0606", "attackers": "c1 c2", "declared": "7:8"}
    combat = {"shape": {"targets": "several"}, "duty": {"units": "none"}}
    answer = judged(COMPANY.format(**told), combat=combat)
    found = [f for f in answer.findings if f.message.key == "findings.not-next-to"]
    assert [answer.words("en").say(f.message) for f in found] == ["c1 in 0504 is not next to 0606"]


LED = """unit c1 crown footmen 6-6-4 regiment Azure
unit c2 crown sappers 1-1-4 {regiment}
unit l1 league footmen 2-2-4
position
  c1 0505
  {leader}
  l1 0506
turn 1 crown combat
combat 0506
  attack c1
  roll 3 4
"""


@pytest.mark.parametrize(
    ("leader", "regiment", "said"),
    [
        ("c2 0505", "regiment Azure", []),
        ("c2 0504", "regiment Azure", []),
        ("c2 0503", "regiment Azure", ["attack-barred"]),
        ("c2 0505", "regiment Gules", ["attack-barred"]),
        ("c2 0505", "", ["attack-barred"]),
        ("", "", ["attack-barred"]),
    ],
)
def test_who_is_far_from_the_leader_of_his_own_may_not_attack(
    judged: Judge, leader: str, regiment: str, said: list[str]
) -> None:
    by = {"types": "sappers", "hexes": 1, "formation": "regiment"}
    rule = {"name": "led", "what": {"kind": "barred", "units": {"far": by}}, "section": "4.8"}
    sheet = LED.format(leader=leader, regiment=regiment).replace("  \n", "")
    tables = {"crt": {"rows": dict.fromkeys(ROWS, ["NOT"] * 6)}, "results": {"NOT": {}}}
    found = judged(sheet, tables=tables, combat={"modifiers": [rule], "duty": {"units": "none"}})
    assert wrong(found) == said


@pytest.mark.parametrize(
    ("first", "second", "said"), [(True, False, "legal"), (False, True, "doubtful"), (False, False, "illegal")]
)
def test_a_phase_in_which_nobody_comes_on_the_map(judged: Judge, first: bool, second: bool, said: str) -> None:
    """A sheet that does not say which of two movements it begins with is taken for the first."""
    sequence = [
        {"side": "crown", "phase": "movement", "entry": first},
        {"side": "crown", "phase": "combat"},
        {"side": "crown", "phase": "movement", "entry": second, "marches": False},
        {"side": "league", "phase": "movement"},
        {"side": "league", "phase": "combat"},
    ]
    sheet = "unit l1 league footmen 3-3-4\nposition\n  l1 0908\nturn 2 crown movement\nenter cr-lan-2: 1105\n"
    found = judged(sheet, sequence=sequence)
    assert found.verdict == said
    keys = {f.message.key for f in found.findings if f.severity != "info"}
    assert keys <= {"findings.phase-entry"} and bool(keys) == (not (first and second))


@pytest.mark.parametrize(
    ("what", "defence"),
    [
        (None, 7),
        ({"kind": "strength", "strength": 2}, 5),
        ({"kind": "factor", "by": "1/3"}, 5),
        ({"kind": "strength", "strength": 2, "units": {"types": "footmen"}}, 7),
    ],
)
def test_what_a_gun_adds_to_a_defence_from_a_distance(judged: Judge, what: Any, defence: int) -> None:
    """Its attack, in place of which a game may put a figure of its type, or a share of it."""
    sheet = LED.replace("c2 crown sappers 1-1-4 {regiment}", "l2 league bombards 4-1-4 range 3")
    sheet = sheet.format(leader="l2 0508").replace("l1 league footmen 2-2-4", "l1 league footmen 3-3-4")
    sheet = sheet.replace("  roll", f"  guard l2\n  declare 6:{defence}\n  roll")
    rules = [{"name": "far", "what": {"of": "guards", **what}, "section": "4.8"}] if what else []
    tables = {"crt": {"rows": dict.fromkeys(ROWS, ["NOT"] * 6)}, "results": {"NOT": {}}}
    found = judged(sheet, tables=tables, combat={"modifiers": rules, "duty": {"units": "none"}})
    assert (wrong(found), found.combats[0].defence) == ([], defence)


@pytest.mark.parametrize(
    ("what", "barred"),
    [
        ({"of": "guards"}, ["guard-barred"]),
        ({"of": "both", "units": {"types": "bombards"}}, ["guard-barred"]),
        ({"of": "guards", "units": {"types": "footmen"}}, []),
        ({"of": "guards", "least": 2}, ["guard-barred"]),  # it stands three hexes away
        ({"of": "guards", "least": 4}, []),
        ({"units": {"types": "bombards"}}, []),  # of attackers alone, where nothing else is said
    ],
)
def test_guns_may_be_barred_from_a_defence(judged: Judge, what: Any, barred: list[str]) -> None:
    sheet = LED.replace("c2 crown sappers 1-1-4 {regiment}", "l2 league bombards 4-1-4 range 3")
    sheet = sheet.format(leader="l2 0508").replace("l1 league footmen 2-2-4", "l1 league footmen 3-3-4")
    sheet = sheet.replace("  roll", "  guard l2\n  roll")
    least = what.get("least", 1)
    what = {"kind": "barred", **{key: value for key, value in what.items() if key != "least"}}
    when = [{"kind": "distance", "least": least}]
    rules = [{"name": "night", "when": when, "what": what, "section": "4.8"}]
    tables = {"crt": {"rows": dict.fromkeys(ROWS, ["NOT"] * 6)}, "results": {"NOT": {}}}
    texts = {"modifiers": {"night": "night"}}
    found = judged(sheet, tables=tables, texts=texts, combat={"modifiers": rules, "duty": {"units": "none"}})
    keys = [f.message.key.removeprefix("findings.") for f in found.findings if f.severity == "illegal"]
    assert keys == barred
