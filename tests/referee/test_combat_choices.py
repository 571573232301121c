"""What a result leaves to choose, retreats that are too short, who follows up, how far a zone is a duty."""

from __future__ import annotations

from typing import Any

import pytest

from hexforge.validator.judging.answer import Answer
from tests.referee.conftest import Judge

AWAY = {"kind": "distance", "away": True}
UNITS = """unit c1 crown footmen {attack}-3-4
unit c2 crown footmen {attack}-3-4
unit l1 league footmen 3-3-4 reduced 2-2
unit l2 league footmen 3-3-4 reduced 2-2
"""
DRIVEN = (
    UNITS.format(attack=15)
    + """position
  c1 0504
  c2 0605
{more}  l1 0505
turn 1 crown combat
combat 0505
  attack c1 c2
  roll 2 3
{told}
turn 1 crown movement
"""
)


def retreating(back: Any) -> dict[str, Any]:
    """Every code by which the defender retreats has him do it so."""
    return {code: {"defender": {"retreat": back}} for code in ("DE", "DRB", "DRI", "AVB", "AVI", "EMP")}


def driven(judged: Judge, told: str, *, back: Any, more: str = "", **way: Any) -> list[str]:
    """A defender on open ground who retreats by a result; `more` are lines of the position."""
    lines = DRIVEN.format(more=more, told="\n".join(f"  {line}" for line in told.split(" | ") if line))
    results = retreating(back)
    combat = {"retreat": {"way": {**AWAY, **way}}}
    answer = judged(lines, tables={"results": results}, combat=combat)
    return sorted(f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal")


MIXED = {"hexes": 2, "instead": 2, "instead_of": "hexes"}


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ("retreat l1: 0505 0506 0507", []),
        ("lose l1 | retreat l1: 0506", []),
        ("retreat l1: 0506 | lose l1", []),
        ("eliminate l1", []),
        ("retreat l1: 0506", ["retreat-hexes-choice"]),
        ("lose l1 | retreat l1: 0505 0506 0507", ["retreat-hexes"]),
        ("lose l1", ["retreat-missing-choice"]),
        ("", ["retreat-missing-choice"]),
    ],
)
def test_steps_and_hexes_in_any_mixture(judged: Judge, told: str, wrong: list[str]) -> None:
    assert driven(judged, told, back=MIXED) == wrong


def test_each_unit_may_pay_for_itself(judged: Judge) -> None:
    two = {"more": "  l2 0505\n"}
    own = {"hexes": 2, "instead": 1, "instead_of": "unit"}
    one_of_two = "lose l1 | retreat l2: 0505 0506 0507"
    assert driven(judged, one_of_two, back=own, **two) == []
    assert driven(judged, "lose l1 | lose l2", back=own, **two) == []
    assert driven(judged, "lose l1", back=own, **two) == ["retreat-missing-choice"]
    assert driven(judged, one_of_two, back={"hexes": 2, "instead": 1}, **two) == ["retreat-paid"]
    assert driven(judged, "lose l1 | lose l1", back=own) == ["no-loss"]


@pytest.mark.parametrize(
    ("friends", "told", "wrong"),
    [
        ("make_room", "retreat l1: 0506 | retreat l2: 0507", []),
        ("make_room", "retreat l1: 0506", ["overstacked"]),
        ("through", "retreat l1: 0506 | retreat l2: 0507", ["no-retreat"]),
        ("through", "retreat l1: 0506", ["overstacked"]),
        ("barred", "retreat l1: 0506", ["overstacked", "retreat-friends"]),
        ("through", "retreat l1: 0406", []),
    ],
)
def test_friends_make_room_or_do_not(judged: Judge, friends: str, told: str, wrong: list[str]) -> None:
    third = "unit l3 league footmen 3-3-4\n"
    lines = third + DRIVEN.format(
        more="  l2 0506\n  l3 0506\n", told="\n".join(f"  {line}" for line in told.split(" | "))
    )
    way = {"retreat": {"way": {**AWAY, "zones": "open", "friends": friends}}}
    answer = judged(lines, tables={"results": retreating(1)}, combat=way, stacking={"limit": 2, "section": "3.4"})
    keys = {f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal"}
    assert sorted(keys) == wrong


@pytest.mark.parametrize(
    ("told", "corps", "wrong"),
    [
        ("retreat l1: 0506", "1", []),
        ("retreat l1: 0506", "2", ["stacking-mixed"]),
        ("retreat l1: 0506 | retreat l2: 0507", "2", []),
    ],
)
def test_who_retreats_to_those_of_another_corps_displaces_them(
    judged: Judge, told: str, corps: str, wrong: list[str]
) -> None:
    lines = DRIVEN.format(more="  l2 0506\n", told="\n".join(f"  {line}" for line in told.split(" | ")))
    for unit, own in (("l1", "1"), ("l2", corps)):
        lines = lines.replace(f"unit {unit} league footmen 3-3-4", f"unit {unit} league footmen 3-3-4 corps {own}")
    way = {"retreat": {"way": {**AWAY, "zones": "open", "friends": "make_room"}}}
    stacking = {"limit": 2, "alike": "corps", "section": "3.4"}
    answer = judged(lines, tables={"results": retreating(1)}, combat=way, stacking=stacking)
    keys = [f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal"]
    assert keys == wrong


def test_a_retreat_does_not_come_back_to_where_it_began(judged: Judge) -> None:
    for told, wrong in (("0505 0506 0505", ["retreat-returns"]), ("0505 0506 0507", []), ("0505 0506 0606", [])):
        assert driven(judged, f"retreat l1: {told}", back=2, away=False, zones="open") == wrong


def test_nobody_retreats_into_friends_where_they_bar_the_way(judged: Judge) -> None:
    two = {"more": "  l2 0506\n"}
    through = "retreat l1: 0505 0506 0507"
    assert driven(judged, through, back=2, friends="through", **two) == []
    assert driven(judged, through, back=2, friends="barred", **two) == ["retreat-friends"]


@pytest.mark.parametrize(
    ("told", "back", "rules", "wrong"),
    [
        (
            "0501 to north",
            2,
            {"off_map": {}, "zones": "barred"},
            [],
        ),  # farther than over the edge there is nothing to go
        ("0501 to north", 2, {"off_map": None, "zones": "barred"}, ["leaves-map"]),
        ("0501 to west", 1, {"off_map": {}, "zones": "barred"}, ["edge"]),
        ("0501 0601 to north", 2, {"off_map": {}, "zones": "open"}, []),
        (
            "0501 0601 to north",
            1,
            {"off_map": {}, "zones": "open"},
            ["retreat-hexes"],
        ),  # a hex on the map, and one over its edge
        ("0501 0601 to north", 2, {"off_map": {}, "zones": "barred"}, ["enemy-zone"]),
        ("0501 0601 to north | lose l1", 2, {"off_map": {}, "zones": "loss"}, []),
        ("0501 0601 to north", 2, {"off_map": {}, "zones": "loss"}, ["retreat-loss-missing"]),
    ],
)
def test_retreats_by_hexes_may_leave_the_map_where_a_game_says_so(
    judged: Judge, told: str, back: int, rules: dict[str, Any], wrong: list[str]
) -> None:
    lines = DRIVEN.replace("0504", "0502").replace("0605", "0602").replace("0505", "0501")
    told = "\n".join(f"  {line}" for line in f"retreat l1: {told}".split(" | "))
    combat = {"retreat": {"way": {**AWAY, "zones": rules["zones"]}}, "off_map": rules["off_map"]}
    answer = judged(lines.format(more="", told=told), tables={"results": retreating(back)}, combat=combat)
    found = [f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal"]
    assert found == wrong


# Enemies behind the unit, so that it gets away by one hex, or by none.
BEHIND = "  c3 0205\n  c4 0307\n  c5 0608\n"
AROUND = "  c3 0407\n"
MORE = "".join(f"unit c{n} crown footmen 3-3-4\n" for n in (3, 4, 5))


@pytest.mark.parametrize(
    ("more", "told", "wrong"),
    [
        (BEHIND, "retreat l1: 0506 | lose l1", []),
        (BEHIND, "retreat l1: 0506", ["retreat-loss-missing"]),
        (BEHIND, "lose l1", ["no-loss", "retreat-missing"]),
        (BEHIND, "eliminate l1", ["not-eliminated-retreat"]),
        (AROUND, "eliminate l1", []),
        (AROUND, "lose l1 | lose l1", []),
        (AROUND, "lose l1", ["retreat-loss-missing"]),
        (AROUND, "", ["retreat-loss-missing"]),
        ("", "retreat l1: 0506 | lose l1", ["no-loss", "retreat-hexes"]),
    ],
)
def test_who_cannot_go_all_the_way_may_pay_the_rest(judged: Judge, more: str, told: str, wrong: list[str]) -> None:
    lines = MORE + "position\n"
    answer = driven_from(judged, told, more, lines, short="steps")
    assert answer == wrong


def driven_from(judged: Judge, told: str, more: str, units: str, **way: Any) -> list[str]:
    shown = DRIVEN.replace("position\n", units or "position\n")
    lines = shown.format(more=more, told="\n".join(f"  {line}" for line in told.split(" | ") if line))
    results = retreating(2)
    answer = judged(lines, tables={"results": results}, combat={"retreat": {"way": {**AWAY, **way}}})
    return sorted(f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal")


REPELLED = (
    UNITS.format(attack=3)
    + """position
  c1 0504
  l1 0505
turn 1 crown combat
combat 0505
  attack c1
  roll 2 3
  retreat c1: 0503
  advance l1: {to}
turn 1 crown movement
"""
)


def test_who_was_attacked_may_follow_up_where_the_result_says_so(judged: Judge) -> None:
    def found(to: str, **defender: Any) -> list[str]:
        results = {"DVI": {"attacker": {"retreat": 1}, "defender": defender}}
        answer = judged(REPELLED.format(to=to), tables={"results": results})
        return sorted(f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal")

    assert found("0504", advance=True) == []
    assert found("0605", advance=True) == ["not-vacated"]
    assert found("0504") == ["no-victory"]


OVER = """unit c1 crown {kind} 3-3-4
unit l1 league footmen 3-3-4
position
  c1 0504
  l1 0505
turn 1 crown combat
"""


def owed(answer: Answer) -> list[str]:
    return sorted(f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal")


def test_zones_and_duties_end_at_a_river_but_not_at_its_bridge(judged: Judge) -> None:
    def found(ground: str, **zones: Any) -> list[str]:
        duty = {"units": "adjacent", "enemies": True, "excuse": "none"}
        sheet = OVER.format(kind="footmen") + "turn 1 crown movement\n"
        return owed(judged(sheet, ground=ground, movement={"zones": zones}, combat={"duty": duty}))

    both, river = ["must-attack-plain", "must-be-attacked"], "stream 0504/0505"
    assert found(river) == both
    assert found(river, not_across="stream") == []
    bridged = f"{river}\nbridge 0504/0505"
    assert found(bridged, not_across="stream") == []
    assert found(bridged, not_across="stream", over_bridges=True) == both
    assert found(f"{river}\ntrack 0504 0505", not_across="stream", over_bridges=True) == both
    assert found(river, not_across="stream", over_bridges=True) == []


FACED = ["must-be-attacked"]
BOTH = ["must-attack-plain", *FACED]
BLOWN = OVER.replace("turn 1", "  {status}\nturn 1") + "turn 1 crown movement\n"


@pytest.mark.parametrize(
    ("ground", "status", "zones", "said"),
    [
        # His zone reaches c1, who stands in it; then both owe.
        ("", "", {}, (BOTH, BOTH)),
        # He has none: c1 stands in no zone, and whether he must be attacked the game says.
        ("", "status l1 blown", {"silenced_by": "blown"}, ([], FACED)),
        ("", "", {"exerted_by": "riders"}, ([], FACED)),  # neither has one
        ("", "", {"exerted_by": "sappers"}, ([], FACED)),  # c1 alone has one
        # It ends at the ruins in which c1 stands; that of c1 reaches him.
        ("terrain ruins 0504", "", {"not_into": "ruins"}, ([], FACED)),
        # He stands in them: his reaches c1, and c1's does not reach him.
        ("terrain ruins 0505", "", {"not_into": "ruins"}, (BOTH, BOTH)),
    ],
)
def test_an_enemy_must_be_attacked_for_his_zone_or_for_standing_there(
    judged: Judge, ground: str, status: str, zones: dict[str, str], said: tuple[list[str], list[str]]
) -> None:
    marks = [{"mark": "blown", "take": {"types": "footmen"}, "section": "4.6"}]
    for by, wanted in zip(("zones", "adjacent"), said, strict=True):
        duty = {"units": "adjacent", "enemies": True, "excuse": "none", "enemies_by": by}
        sheet = BLOWN.format(kind="sappers", status=status)
        found = judged(sheet, ground=ground, marks=marks, movement={"zones": zones}, combat={"duty": duty})
        assert owed(found) == wanted, by


@pytest.mark.parametrize(
    ("bridged", "wrong"), [("any", [True, True]), ("no", [True, False]), ("yes", [False, True])]
)
def test_a_modifier_tells_a_bridge(judged: Judge, bridged: str, wrong: list[bool]) -> None:
    when = {"kind": "hexside", "hexsides": "stream", "bridged": bridged}
    rule = {"name": "ferry", "when": [when], "what": {"kind": "barred"}, "section": "4.1"}
    attack = OVER.format(kind="footmen") + "combat 0505\n  attack c1\n  roll 4 4\nturn 1 crown movement\n"
    texts = {"modifiers": {"ferry": "ferry"}}
    found = [
        "attack-barred" in owed(judged(attack, ground=ground, texts=texts, combat={"modifiers": [rule]}))
        for ground in ("stream 0504/0505", "stream 0504/0505\nbridge 0504/0505")
    ]
    assert found == wrong


def test_guns_do_not_retreat_through_water_that_they_could_not_cross(judged: Judge) -> None:
    lines = DRIVEN.replace("l1 league footmen", "l1 league bombards").format(more="", told="  {act}")

    def found(act: str, **retreat: Any) -> list[str]:
        ground = "\n".join(f"stream 0505/{hex_}" for hex_ in ("0506", "0406", "0606"))
        combat = {"retreat": {"way": AWAY, "destroyed": [], "loss": [], **retreat}}
        sheet = lines.format(act=act)
        return owed(judged(sheet, ground=ground, combat=combat))

    assert found("retreat l1: 0506") == ["barred-across"]
    assert found("eliminate l1") == []
    assert found("retreat l1: 0506 | lose l1".replace(" | ", "\n  "), loss="bombards") == []


LIMITED = (
    UNITS.format(attack=3)
    + """position
  c1 0504
  l1 0505
turn 1 crown combat
combat 0505
  attack c1
  declare column {column}
"""
)


@pytest.mark.parametrize(
    ("given", "groups", "tables", "moved"),
    [
        ((1, 1, -2), {}, {}, 0),
        ((1, 1, -2), {"push": 2}, {}, 0),
        ((1, 1, 1, 1, -2), {"push": 3}, {}, 1),
        ((1, 1, 2, -1), {"push": 1}, {}, 1),
        ((1, 1, 2, -1), {"push": {"most": 2}}, {}, 2),
        ((-1, -2), {"push": {"most": 2}}, {}, -2),
        ((1, 1, -1), {"push": {"most": 2}}, {}, 1),
        ((1, 1, 1, 1, -2), {}, {"crt": {"columns_most": 3}}, 2),
        ((1, 1, 1, 1), {}, {"crt": {"columns_most": 3}}, 3),
        ((-1, -1), {}, {"crt": {"columns_most": 1}}, -1),
    ],
)
def test_what_moves_the_column_may_be_limited(
    judged: Judge, given: tuple[int, ...], groups: dict[str, Any], tables: dict[str, Any], moved: int
) -> None:
    group = {"group": "push"} if groups else {}
    rules = [
        {"name": f"m{i}", "what": {"kind": "columns", "columns": columns}, **group}
        for i, columns in enumerate(given)
    ]
    words = {"modifiers": {rule["name"]: rule["name"] for rule in rules}}
    found = {"modifiers": rules, "groups": groups, "unity": {"regiment": {"attack": 0}}}

    def answer(column: str) -> Answer:
        return judged(LIMITED.format(column=column), combat=found, tables=tables, texts=words)

    shifts = answer("1-1").as_json()["combats"][0]["shifts"]
    assert sum(shift["columns"] for shift in shifts) == moved
    assert [s["columns"] for s in shifts if s["cause"] != "over_limit"] == list(given)
    assert ("over_limit" in [s["cause"] for s in shifts]) == (sum(given) != moved)


def test_what_is_added_to_the_die_may_be_limited_by_groups(judged: Judge) -> None:
    rules = [{"name": f"m{i}", "what": {"kind": "die", "die": 1}, "group": "luck"} for i in range(3)]
    rules.append({"name": "more", "what": {"kind": "die", "die": 2}})
    words = {"modifiers": {rule["name"]: rule["name"] for rule in rules}}
    found = {"modifiers": rules, "groups": {"luck": {"most": 2}}}
    answer = judged(LIMITED.format(column="1-1"), combat=found, texts=words)
    assert sum(one["die"] for one in answer.as_json()["combats"][0]["die"]) == 4


BOTH = """unit c1 crown footmen 15-3-4 reduced 3-3
unit l1 league footmen 3-3-4 reduced 2-2
position
  c1 0504
  l1 0505
turn 1 crown combat
combat 0505
  attack c1
  roll 2 3
{told}
turn 1 crown movement
"""


@pytest.mark.parametrize(
    ("first", "told", "wrong"),
    [
        (None, "lose c1 | lose l1", []),
        (None, "lose l1 | lose c1", []),
        ("defender", "lose l1 | lose c1", []),
        ("defender", "lose c1 | lose l1", ["carried-early"]),
        ("attacker", "lose l1 | lose c1", ["carried-early"]),
        ("attacker", "lose c1 | lose l1", []),
        ("attacker", "lose l1", ["loss-missing"]),
    ],
)
def test_who_carries_out_a_result_first(judged: Judge, first: str | None, told: str, wrong: list[str]) -> None:
    both = {"attacker": {"steps": 1, "advance": False}, "defender": {"steps": 1, "retreat": None}}
    codes = ("DE", "DRB", "DRI", "AVB", "AVI", "EMP")
    results = {code: {**both, "exchange": None, "first": first} for code in codes}
    lines = BOTH.format(told="\n".join(f"  {line}" for line in told.split(" | ")))
    answer = judged(lines, tables={"results": results})
    assert [f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal"] == wrong


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("5-1", "the column is 3-1, not 5-1: -1 for the limit is missing"),
        ("2-1", "the column is 3-1 (drums +1, drums +1, drums +1, the limit -1), not 2-1"),
    ],
)
def test_where_a_limit_holds_no_other_slip_is_guessed(judged: Judge, column: str, said: str) -> None:
    rules = [{"name": f"m{i}", "what": {"kind": "columns", "columns": 1}, "section": f"{i}"} for i in range(3)]
    words = {"modifiers": {rule["name"]: "drums" for rule in rules}}
    found = {"modifiers": rules, "unity": {"regiment": {"attack": 0}}}
    most = {"crt": {"columns_most": 2}}
    answer = judged(LIMITED.format(column=column), combat=found, tables=most, texts=words)
    assert [answer.words("en").say(f.message) for f in answer.findings if f.severity == "illegal"] == [said]


SPLIT = """unit c1 crown footmen 9-3-4 reduced 6-2
unit c2 crown footmen 9-3-4 reduced 6-2
unit l1 league footmen 3-3-4 reduced 2-2
position
  c1 0504
  c2 0504
  l1 0505
turn 1 crown combat
combat 0505
  attack c1 c2
  roll 2 3
  retreat l1: 0505 0506
{told}
turn 1 crown movement
"""


@pytest.mark.parametrize(
    ("back", "told", "wrong"),
    [
        # Both owe a hex. Whoever goes forward has not gone back.
        (1, "advance c1 c2: 0505", ["retreat-missing c1 c2"]),
        (1, "retreat c1: 0504 0503 | advance c2: 0505", ["retreat-missing c2"]),
        (1, "advance c1: 0505 | retreat c1: 0505 0504 | retreat c2: 0504 0503", ["retreat-missing c1"]),
        (1, "retreat c1 c2: 0504 0503", []),
        # A step each in place of its own hex.
        (
            {"hexes": 1, "instead": 1, "instead_of": "unit"},
            "advance c1: 0505 | lose c2",
            ["retreat-missing-choice c1"],
        ),
        (
            {"hexes": 1, "instead": 1, "instead_of": "unit"},
            "lose c1 | retreat c2: 0504 0503 | advance c1: 0505",
            [],
        ),
        # One step for all of them.
        ({"hexes": 1, "instead": 1}, "advance c1 c2: 0505", ["retreat-missing-choice c1 c2"]),
        ({"hexes": 1, "instead": 1}, "lose c2 | advance c1 c2: 0505", []),
        # A step spares the side one hex, whoever loses it; one of them has gone, one has not.
        (
            {"hexes": 1, "instead": 1, "instead_of": "hexes"},
            "retreat c1: 0504 0503 | advance c2: 0505",
            ["retreat-missing-choice c2"],
        ),
        ({"hexes": 1, "instead": 1, "instead_of": "hexes"}, "lose c1 | advance c1 c2: 0505", []),
    ],
)
def test_an_advance_pays_for_no_retreat(judged: Judge, back: Any, told: str, wrong: list[str]) -> None:
    results = {
        code: {"attacker": {"retreat": back, "steps": None, "advance": False}, "defender": {"retreat": 1}}
        for code in ("DE", "DRB", "DRI", "AVB", "AVI", "EMP")
    }
    results = {code: {**result, "exchange": None} for code, result in results.items()}
    lines = SPLIT.format(told="\n".join(f"  {line}" for line in told.split(" | ")))
    combat = {"retreat": {"way": {"kind": "distance"}}, "advance": {"after": "vacated"}}
    answer = judged(lines, tables={"results": results}, combat=combat)
    faults = [f for f in answer.findings if f.severity == "illegal"]
    assert [f"{f.message.key.removeprefix('findings.')} {' '.join(f.units)}" for f in faults] == wrong
