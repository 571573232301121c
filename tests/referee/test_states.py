"""Marks of state, phases of a game's own, weather by dice, overruns and modifiers of formation and declaration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from hexforge.validator.judging.answer import Answer
from tests.referee.conftest import Judge

ROWS = ("2,3,4", "5,6", "7", "8,9", "10,11,12")
SHAKEN: dict[str, Any] = {
    "crt": {"rows": dict.fromkeys(ROWS, ["IMP"] * 6)},
    "results": {"IMP": {"defender": {"mark": "shaken", "again": 1}}},
}
"""Every attack shakes the defender; who is shaken already loses a step."""
SEQUENCE = [
    {"side": "crown", "phase": "movement"},
    {"side": "crown", "phase": "combat"},
    {"side": "league", "phase": "rally", "does": ["rally"]},
    {"side": "league", "phase": "movement"},
    {"side": "league", "phase": "combat"},
]
FIGHT = """unit c1 crown footmen 6-6-4
unit l1 league footmen 3-3-4 reduced 2-2
position
  c1 0505
  l1 0506
{status}turn 1 crown movement
turn 1 crown combat
combat 0506
  attack c1
  roll 3 4
  result IMP
{more}turn 1 league rally
{rally}turn 1 league movement
{move}turn 1 league combat
{last}"""


def play(judged: Judge, rule: Any, sequence: Sequence[Mapping[str, Any]] = SEQUENCE, **lines: str) -> Answer:
    told = dict.fromkeys(("status", "more", "rally", "move", "last"), "") | lines
    marks = [{"mark": "shaken", "section": "4.6", **rule}] if rule is not None else []
    return judged(FIGHT.format(**told), sequence=sequence, tables=SHAKEN, marks=marks, **RULES)


RULES: dict[str, Any] = {
    "combat": {
        "duty": {"units": "none"},
        "modifiers": [
            {"name": "shaken", "what": {"kind": "barred", "units": {"marks": "shaken"}}, "section": "4.6"},
        ],
    },
    "movement": {"immobile": [{"turns": [1, 6], "marks": "shaken", "section": "4.6"}]},
}


def wrong(answer: Answer) -> list[str]:
    found = [f for f in answer.findings if f.severity == "illegal"]
    return [f.message.key.removeprefix("findings.") for f in found]


def test_a_mark_stays_until_a_phase_removes_it(judged: Judge) -> None:
    move = "move l1: 0506 0507\n"
    assert wrong(play(judged, {}, move=move)) == ["immobile"]
    for lapse in (
        {"phase": "combat", "whose": "enemy", "at": "end"},
        {"phase": "rally", "at": "start"},
        {"phase": "rally", "whose": "any"},
        {"phase": "movement", "at": "start"},
    ):
        assert wrong(play(judged, {"lapses": [lapse]}, move=move)) == [], lapse
    for lapse in (
        {"phase": "movement"},
        {"phase": "rally", "whose": "enemy"},
        {"phase": "rally", "clear": True},
    ):
        assert wrong(play(judged, {"lapses": [lapse]}, move=move)) == ["immobile"], lapse


def test_a_marked_unit_may_be_kept_from_attacking(judged: Judge) -> None:
    last = "combat 0505\n  attack l1\n  roll 3 4\n  result IMP\n"
    assert wrong(play(judged, {}, last=last)) == ["attack-barred"]
    assert wrong(play(judged, {"lapses": [{"phase": "movement"}]}, last=last)) == []


def test_who_bears_the_mark_already_loses_a_step(judged: Judge) -> None:
    assert wrong(play(judged, {}, status="  status l1 shaken\n")) == ["again-loss-missing"]
    assert wrong(play(judged, {}, status="  status l1 shaken\n", more="  lose l1\n")) == []
    assert wrong(play(judged, {}, more="  lose l1\n")) == ["no-loss"]


def test_a_player_rallies_with_dice(judged: Judge) -> None:
    rule: dict[str, Any] = {"rally": {"dice": "1d6", "shows": "4-6"}}
    move = "move l1: 0506 0507\n"
    assert wrong(play(judged, rule, rally="rally l1 roll 4\n", move=move)) == []
    assert wrong(play(judged, rule, rally="rally l1 roll 3\n", move=move)) == ["immobile"]
    assert wrong(play(judged, rule, rally="rally l1 roll 3\nrally l1 roll 4\n")) == ["rally-twice"]
    assert wrong(play(judged, rule, rally="rally l1 roll 3 4\n")) == ["rally-dice"]
    assert wrong(play(judged, rule, rally="rally c1 roll 4\n")) == ["wrong-side", "rally-nothing"]
    clear = {"rally": {"clear": True}}
    assert wrong(play(judged, clear, rally="rally l1\n")) == ["rally-zone"]
    instead, both = {"rally": {"unmoved": True}}, [*SEQUENCE[:3], {**SEQUENCE[3], "does": ["rally"]}, SEQUENCE[4]]
    assert wrong(play(judged, instead, both, move="rally l1\n" + move)) == ["move-given-up"]
    assert wrong(play(judged, instead, move="rally l1\n")) == ["wrong-phase"]
    assert wrong(play(judged, None, rally="rally l1\n")) == ["rally-nothing"]


def test_a_phase_of_ones_own_has_what_it_does_and_nothing_else(judged: Judge) -> None:
    free = {"lapses": [{"phase": "combat", "whose": "enemy"}]}
    assert wrong(play(judged, free, rally="move l1: 0506 0507\n")) == ["wrong-phase"]
    skipped = FIGHT.format(status="", more="", rally="", move="", last="").replace("turn 1 league rally\n", "")
    assert wrong(judged(skipped, sequence=SEQUENCE, tables=SHAKEN, **RULES)) == ["sequence"]


def test_a_mark_takes_the_zone_away(judged: Judge) -> None:
    past = """unit c1 crown footmen 3-3-8
unit l1 league footmen 3-3-4
position
  c1 0303
  l1 0505
  status l1 shaken
turn 1 crown movement
move c1: 0303 0403 0503 0504 0605 0604
"""
    quiet: dict[str, Any] = {"movement": {"zones": {"silenced_by": "shaken"}}}
    assert "must-stop" in wrong(judged(past, tables=SHAKEN, movement={"zones": {}}))
    assert wrong(judged(past, tables=SHAKEN, **quiet)) == []


WEATHER = """unit c1 crown bombards 3-3-4
unit l1 league footmen 3-3-4
position
  c1 0303
  l1 0908
{begin}turn 1 crown movement
{dice}move c1: 0303 0304 0305 0306
"""


def weather(judged: Judge, *, begin: str = "", dice: str = "", **more: Any) -> Answer:
    die = {"dice": "1d6", "rows": [{"shows": {"1-4": "dry", "5,6": "rain"}}], "section": "2.3", **more}
    plain = [{"side": s, "phase": p} for s in ("crown", "league") for p in ("movement", "combat")]
    sheet = WEATHER.format(begin=begin, dice=dice)
    return judged(sheet, sequence=plain, game={"weather": {}, "weather_die": die})


def test_dice_decide_the_weather(judged: Judge) -> None:
    assert wrong(weather(judged, dice="weather 4\n")) == []
    assert wrong(weather(judged, dice="weather 5\n")) == ["movement-cost"]
    assert wrong(weather(judged)) == ["weather-missing"]
    assert wrong(weather(judged, dice="weather 4\nweather 5\n")) == ["weather-twice", "movement-cost"]
    assert wrong(weather(judged, dice="weather 7\n")) == ["weather-missing", "weather-dice"]
    late = weather(judged, dice="move l1: 0908 0907\nweather 2\n")
    assert "weather-late" in wrong(late)


def test_weather_lasts_and_needs_no_dice_where_it_is_certain(judged: Judge) -> None:
    rain = [{"turns": [1, 1], "shows": {"1-6": "rain"}}, {"shows": {"1-4": "dry", "5,6": "rain"}}]
    assert wrong(weather(judged, rows=rain)) == ["movement-cost"]
    assert wrong(weather(judged, begin="  forecast rain\n", dice="weather 1\n")) == []
    other = weather(judged, begin="  forecast rain\n", phase="combat")
    assert wrong(other) == ["movement-cost"]


LATER = """unit c1 crown bombards 3-3-4
unit l1 league footmen 3-3-4
position{after}
  c1 0303
  l1 0908
{begin}turn {turn} crown movement
move c1: 0303 0304 {on}
"""
PHASES: list[dict[str, Any]] = [
    {"side": "crown", "phase": "skies"},
    {"side": "crown", "phase": "movement"},
    {"side": "crown", "phase": "movement", "weather": "dry"},
    {"side": "crown", "phase": "combat"},
]
AFTER = " after turn {turn} crown skies"


@pytest.mark.parametrize("after", ["", AFTER])
@pytest.mark.parametrize(
    ("turn", "begin", "on", "expected"),
    [
        (2, "", "0305 0306", ["illegal"]),  # the turn's row has one outcome, rain: no dice, and one movement phase
        (2, "", "", []),
        (3, "  forecast dry\n", "0305 0306", []),
        (3, "  forecast rain\n", "0305 0306", ["illegal"]),
        (3, "", "0305 0306", ["info", "doubtful"]),  # dry would do, rain would not, and nothing says which
        (3, "", "", ["info"]),
        (3, "", "0305 0306 0307 0308", ["info", "illegal"]),  # too far in any weather
    ],
)
def test_a_sheet_from_the_middle_of_a_turn_knows_its_weather_or_doubts(
    judged: Judge, *, after: str, turn: int, begin: str, on: str, expected: list[str]
) -> None:
    rows = [{"turns": [2, 2], "shows": {"1-6": "rain"}}, {"shows": {"1-4": "dry", "5,6": "rain"}}]
    die = {"dice": "1d6", "phase": "skies", "rows": rows, "section": "2.3"}
    sheet = LATER.format(after=after.format(turn=turn), begin=begin, turn=turn, on=on)
    told = judged(sheet, sequence=PHASES, game={"weather": {}, "weather_die": die}).findings
    told = [f for f in told if f.message.key != "findings.phase-which"]
    assert [f.severity for f in told] == expected
    assert all(f.rests_on for f in told if f.severity == "doubtful")


OVERRUN = """unit c1 crown footmen 6-6-4
unit c2 crown riders 6-6-6
unit l1 league footmen {weak}-4
position
  c1 0503
  c2 0503
  l1 0505
turn 1 crown movement
move c1 c2: 0503 0504
overrun 0505
  attack {who}
  result DE
  eliminate l1
  advance {who}: 0505
move {who}: 0505 {on}
"""


def overrun(
    judged: Judge, *, weak: str = "2-2", who: str = "c2", on: str = "0506", beside: str = "", **rule: Any
) -> Answer:
    base = {"least": "3-1", "result": "DE", "points": 1, "types": "mounted", "section": "3.10", **rule}
    tables = {
        "crt": SHAKEN["crt"],
        "results": {"DE": {"defender": {"units": "all"}, "attacker": {"advance": True}}},
    }
    movement = {"overruns": [base], "zones": {"enter": {"kind": "stop"}}}
    sheet = OVERRUN.format(weak=weak, who=who, on=on)
    if beside:
        sheet = "unit l2 league footmen 3-3-4\n" + sheet.replace("turn", f"  l2 {beside}\nturn", 1)
    return judged(sheet, tables=tables, movement=movement)


def test_an_overrun_needs_odds_and_points_and_the_move_goes_on(judged: Judge) -> None:
    assert wrong(overrun(judged)) == []
    assert wrong(overrun(judged, weak="3-3")) == ["overrun-odds"]
    assert wrong(overrun(judged, on="0506 0507 0508")) == []
    assert wrong(overrun(judged, on="0506 0507 0508 0509")) == ["movement-cost"]
    assert wrong(overrun(judged, points=3, on="0506")) == []
    assert wrong(overrun(judged, points=5, on="0506")) == ["overrun-points", "movement-cost"]
    assert wrong(overrun(judged, who="c1"))[:1] == ["overrun-none"]
    assert "overrun-unit" in wrong(overrun(judged, who="c1 c2"))
    assert wrong(overrun(judged, barred="steppe")) == ["overrun-terrain"]
    assert wrong(overrun(judged, strength=6)) == []
    assert wrong(overrun(judged, strength=7)) == ["overrun-strength"]


@pytest.mark.parametrize(
    ("beside", "zones", "barred"),
    [
        ("", "others", False),
        # 0405 reaches into 0504, where the riders then have to stop
        ("0405", "others", True),
        ("0405", "none", False),
        # 0406 reaches into 0505 alone, which may be entered
        ("0406", "others", False),
    ],
)
def test_the_zones_of_those_who_are_not_overrun_hold(judged: Judge, beside: str, zones: str, barred: bool) -> None:
    answer = overrun(judged, beside=beside, zones=zones)
    attack = next(n for n, line in enumerate(answer.lines, 1) if "attack" in line)
    assert [f.code for f in answer.findings if f.line == attack] == ["must-stop"] * barred


def test_who_may_not_move_overruns_nobody(judged: Judge) -> None:
    stays = [{"turns": [1, 6], "types": "mounted", "section": "4.0"}]
    assert wrong(_from_next_to_it(judged)) == []
    assert wrong(_from_next_to_it(judged, movement={"immobile": stays})) == ["immobile"]
    assert wrong(_from_next_to_it(judged, status="  status c2 garrison\n")) == ["garrison"]
    only = [{"side": "crown", "phase": "movement", "who": "footmen"}, *SEQUENCE[1:]]
    assert wrong(_from_next_to_it(judged, sequence=only)) == ["phase-who"]


def test_an_overrun_that_a_mark_bars_is_told_its_mark(judged: Judge) -> None:
    answer = _from_next_to_it(judged, status="  status c2 shaken\n", barred="shaken")
    assert [str(f.message) for f in answer.findings if f.severity == "illegal"] == [
        "c2 may not overrun while it is marked: shaken"
    ]
    assert wrong(_from_next_to_it(judged, status="  status c2 shaken\n")) == []


def test_an_overrun_passes_no_bond(judged: Judge) -> None:
    beside = "unit l2 league footmen 2-2-4\nunit l3 league footmen 2-2-4\n"
    at = "  l2 0405\n  l3 0605\n"  # between them lies the hexside that 0504 and 0505 share
    assert wrong(_from_next_to_it(judged, beside, at)) == []
    for bonds in ("moving", "always"):
        assert wrong(_from_next_to_it(judged, beside, at, movement={"zones": {"bonds": bonds}})) == ["zone-bond"], (
            bonds
        )
    far = at.replace("0605", "0705")
    assert wrong(_from_next_to_it(judged, beside, far, movement={"zones": {"bonds": "always"}})) == []


@pytest.mark.parametrize(("third", "left"), [("0605", ["zone-bond"]), ("0705", [])])
def test_an_advance_passes_no_bond_that_always_holds(judged: Judge, third: str, left: list[str]) -> None:
    sheet = f"""unit c2 crown riders 6-6-6
unit l1 league footmen 2-2-4
unit l2 league footmen 2-2-4
unit l3 league footmen 2-2-4
position
  c2 0504
  l1 0505
  l2 0405
  l3 {third}
turn 1 crown combat
combat 0505
  attack c2
  roll 3 4
  result KO
  eliminate l1
  advance c2: 0505
"""
    results = {"KO": {"defender": {"units": "all"}, "attacker": {"advance": True}}}
    tables = {"crt": {"rows": dict.fromkeys(ROWS, ["KO"] * 6)}, "results": results}
    combat = {"duty": {"units": "none"}}
    for bonds, wanted in (("none", []), ("moving", []), ("always", left)):
        answer = judged(sheet, tables=tables, combat=combat, movement={"zones": {"bonds": bonds}})
        assert wrong(answer) == wanted, bonds
    zones = {"bonds": "always", "ignored_by": "mounted"}
    assert wrong(judged(sheet, tables=tables, combat=combat, movement={"zones": zones})) == []


@pytest.mark.parametrize(("ignores", "left"), [("mounted", []), ("footmen", ["zone-bond"])])
def test_who_ignores_zones_retreats_between_two_enemies(judged: Judge, ignores: str, left: list[str]) -> None:
    sheet = """unit c2 crown riders 6-6-6
unit l1 league footmen 2-2-4
unit l2 league footmen 2-2-4
unit l3 league footmen 2-2-4
position
  c2 0504
  l1 0503
  l2 0405
  l3 0605
turn 1 league combat
combat 0504
  attack l1
  roll 3 4
  result KO
  retreat c2: 0504 0505
"""
    results = {"KO": {"defender": {"retreat": 1}}}
    tables = {"crt": {"rows": dict.fromkeys(ROWS, ["KO"] * 6)}, "results": results}
    way = {"kind": "distance", "zones": "open"}
    combat = {"duty": {"units": "none"}, "retreat": {"way": way}}
    movement = {"zones": {"bonds": "always", "ignored_by": ignores}}
    assert wrong(judged(sheet, tables=tables, combat=combat, movement=movement)) == left


def test_a_status_that_a_rule_bars_from_overruns_is_known(judged: Judge) -> None:
    warned = [f for f in _from_next_to_it(judged, status="  status c2 tired\n").findings if f.severity == "warning"]
    assert [f.message.key for f in warned] == ["findings.unknown-status"]
    shaken = _from_next_to_it(judged, status="  status c2 shaken\n", barred="shaken")
    assert [f.message.key for f in shaken.findings] == ["findings.overrun-mark"]


def _from_next_to_it(
    judged: Judge,
    units: str = "",
    at: str = "",
    *,
    status: str = "",
    movement: Mapping[str, Any] | None = None,
    barred: str = "",
    **more: Any,
) -> Answer:
    """Six against two, 3-1, by riders who have not moved yet, and stay where they are."""
    rule = {
        "least": "3-1",
        "result": "DE",
        "points": 1,
        "types": "mounted",
        "section": "3.10",
        "barred_marks": barred,
    }
    tables = {"crt": SHAKEN["crt"], "results": {**SHAKEN["results"], "DE": {"defender": {"units": "all"}}}}
    sheet = f"""unit c2 crown riders 6-6-6
unit l1 league footmen 2-2-4
{units}position
  c2 0504
  l1 0505
{at}{status}turn 1 crown movement
overrun 0505
  attack c2
  result DE
  eliminate l1
"""
    return judged(sheet, tables=tables, movement={"overruns": [rule], **(movement or {})}, **more)


def test_an_overrun_with_dice(judged: Judge) -> None:
    assert "no-code" in wrong(overrun(judged, result=None))
    automatic = OVERRUN.replace("result DE", "result IMP")
    tables = {"crt": SHAKEN["crt"]}
    rules = [{"least": "1-1", "result": "IMP", "section": "3.10"}]
    sheet = automatic.format(weak="2-2", who="c2", on="0506")
    assert "result-certain" not in wrong(judged(sheet, tables=tables, movement={"overruns": rules}))
    nobody = OVERRUN.format(weak="2-2", who="c2", on="0506")
    assert wrong(judged(nobody))[0] == "overrun-none"


FORMED = """unit c1 crown footmen 3-3-4 regiment red
unit c2 crown footmen 3-3-4 regiment {other}
unit c3 crown footmen 3-3-4 regiment red
unit l1 league footmen 3-3-4
position
  c1 0504
  c2 0504
  {third}
  l1 0505
turn 1 crown combat
combat 0505
  attack c1 c2
{told}"""


def shifts(answer: Answer) -> list[str]:
    return [s["cause"] for s in answer.as_json()["combats"][0]["shifts"]]


def formed(
    judged: Judge, when: dict[str, Any], *, other: str = "red", third: str = "gone c3 eliminated", told: str = ""
) -> Answer:
    rule = {"name": "drill", "when": [when], "what": {"kind": "columns", "columns": 1}, "section": "4.5"}
    combat = {"modifiers": [rule], "unity": {"regiment": {"attack": 0}}}
    return judged(FORMED.format(other=other, third=third, told=told), combat=combat)


def test_a_formation_together(judged: Judge) -> None:
    when = {"kind": "formation", "of": "attackers", "by": "regiment"}
    assert shifts(formed(judged, when)) == ["drill"]
    assert shifts(formed(judged, when, other="blue")) == []
    whole = {**when, "whole": True}
    assert shifts(formed(judged, whole)) == ["drill"]
    assert shifts(formed(judged, whole, third="c3 0103")) == []


def test_a_modifier_is_declared(judged: Judge) -> None:
    when = {"kind": "declared", "most": 1}
    assert shifts(formed(judged, when)) == []
    assert shifts(formed(judged, when, told="  use drill\n")) == ["drill"]
    again = "  use drill\n  roll 3 3\ncombat 0505\n  attack c1\n  use drill\n"
    assert "declared-often" in wrong(formed(judged, when, told=again))
    assert "declared-unknown" in wrong(formed(judged, when, told="  use thunder\n"))


def test_a_modifier_counts_as_often_as_it_is_declared(judged: Judge) -> None:
    when, twice = {"kind": "declared", "most": 3, "times": 2, "pool": "guns"}, "  use drill\n  use drill\n"

    def moved(answer: Answer) -> list[int]:
        return [s["columns"] for s in answer.as_json()["combats"][0]["shifts"]]

    assert moved(formed(judged, when, told=twice)) == [2]
    assert moved(formed(judged, when, told="  use drill\n")) == [1]
    assert wrong(formed(judged, when, told=twice)) == []
    assert wrong(formed(judged, when, told=twice + "  use drill\n")) == ["declared-again"]
    assert wrong(formed(judged, {"kind": "declared"}, told=twice)) == ["declared-again"]
    later = "  roll 3 3\ncombat 0505\n  attack c1\n  use drill\n"
    assert "declared-often" not in wrong(formed(judged, when, told=twice + later))
    assert "declared-often" in wrong(formed(judged, when, told=twice + later + "  use drill\n"))


def test_weather_may_halve_allowances_and_hold_units_fast(judged: Judge) -> None:
    def found(**rules: Any) -> list[str]:
        die = {"dice": "1d6", "rows": [{"shows": {"1-4": "dry", "5,6": "rain"}}], "section": "2.3"}
        plain = [{"side": s, "phase": p} for s in ("crown", "league") for p in ("movement", "combat")]
        sheet = WEATHER.format(begin="", dice="weather 5\n").replace("bombards", "footmen")
        return wrong(judged(sheet, sequence=plain, game={"weather": {}, "weather_die": die}, movement=rules))

    rule = {"turns": [1, 6], "section": "3.1"}
    assert found() == []
    assert found(allowances=[{**rule, "divide": 2, "weather": "rain"}]) == ["movement-cost-cut"]
    assert found(allowances=[{**rule, "divide": 2, "weather": "dry"}]) == []
    assert found(immobile=[{**rule, "weather": "rain"}]) == ["immobile"]


@pytest.mark.parametrize("after", ["", AFTER])
@pytest.mark.parametrize(("told", "warned"), [("dry", True), ("rain", False)])
def test_a_position_does_not_change_the_weather_that_a_turn_has_without_dice(
    judged: Judge, after: str, told: str, warned: bool
) -> None:
    rows = [{"turns": [2, 2], "shows": {"1-6": "rain"}}, {"shows": {"1-4": "dry", "5,6": "rain"}}]
    die = {"dice": "1d6", "phase": "skies", "rows": rows, "section": "2.3"}
    sheet = LATER.format(after=after.format(turn=2), begin=f"  forecast {told}\n", turn=2, on="0305 0306")
    found = judged(sheet, sequence=PHASES, game={"weather": {}, "weather_die": die}).findings
    assert [f.severity for f in found if f.message.key == "findings.weather-fixed"] == ["warning"] * warned
    assert [f.message.key for f in found if f.severity == "illegal"] == ["findings.movement-cost"]


@pytest.mark.parametrize(
    ("at", "division", "roll", "found"),
    [
        ("0508", "1", 5, []),
        ("0508", "1", 6, ["immobile"]),
        ("0509", "1", 5, ["immobile", "rally-led"]),
        ("0508", "2", 5, ["immobile", "rally-led"]),
    ],
)
def test_a_leader_near_by_rallies_his_own_by_his_morale(
    judged: Judge, at: str, division: str, roll: int, found: list[str]
) -> None:
    by = {"types": "pikes", "hexes": 2, "formation": "division"}
    marks = [{"mark": "shaken", "section": "4.6", "rally": {"dice": "1d6", "passes": "at_most", "by": by}}]
    rally = {"rally": f"rally l1 roll {roll}\n", "move": "move l1: 0506 0507\n"}
    text = FIGHT.format(**dict.fromkeys(("status", "more", "last"), ""), **rally)
    text = text.replace("reduced 2-2", "reduced 2-2 division 1 morale 2")
    text = text.replace(
        "position\n", f"unit l2 league pikes 1-1-6 division {division} morale 5\nposition\n  l2 {at}\n"
    )
    answer = judged(text, sequence=SEQUENCE, tables=SHAKEN, marks=marks, **RULES)
    assert sorted(wrong(answer)) == found
