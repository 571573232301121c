"""Mechanics of movement as games choose them: an invented game with its choices changed judges otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from hexforge.scenarios.schema.phases import Cut
from hexforge.validator.report.answer import Answer
from tests.referee.conftest import Judge


def zones(**choices: Any) -> dict[str, Any]:
    """The rules with these zones alone; they stop, and nothing else."""
    return {"movement": {"zones": choices}}


HELD = """unit c1 crown footmen 3-3-8
unit l1 league footmen 3-3-4
unit l2 league riders 3-3-4
position
  c1 {start}
  l1 0505
  l2 0905
turn 1 crown movement
move c1: {way}
"""


def codes(answer: Answer) -> list[str]:
    return [f.code for f in answer.findings if f.severity == "illegal"]


def cost(answer: Answer) -> object:
    return answer.as_json()["moves"][0]["cost"]


def test_a_zone_stops_or_costs_or_does_nothing(judged: Judge) -> None:
    past = HELD.format(start="0303", way="0303 0403 0503 0504 0605 0604")
    assert "must-stop" in codes(judged(past, **zones()))
    free = judged(past, **zones(enter={"kind": "free"}))
    dear = judged(past, **zones(enter={"kind": "points", "points": 1}))
    assert codes(free) == codes(dear) == []
    assert (cost(free), cost(dear)) == (5, 7)
    short = judged(
        HELD.format(start="0303", way="0303 0403 0503 0504"), **zones(enter={"kind": "stop", "points": 2})
    )
    assert (codes(short), cost(short)) == ([], 5)
    none = judged(past, **zones(exerted=False))
    assert (codes(none), cost(none)) == ([], 5)


def test_findings_call_zones_as_the_game_does(judged: Judge) -> None:
    past = HELD.format(start="0303", way="0303 0403 0503 0504 0605 0604")

    def said(**game: Any) -> str:
        answer = judged(past, **zones(), **game)
        return next(answer.words("en").say(f.message) for f in answer.findings if f.code == "must-stop")

    assert said().endswith("an enemy zone of control")
    assert said(texts={"concepts": {"zone": "watch"}}).endswith("an enemy watch")


def test_leaving_a_zone_costs_or_is_for_combat_alone(judged: Judge) -> None:
    away = HELD.format(start="0504", way="0504 0503")
    assert cost(judged(away, **zones())) == 1
    assert cost(judged(away, **zones(leave={"kind": "points", "points": 2.5}))) == 3.5
    assert codes(judged(away, **zones(leave={"kind": "never"}))) == ["zone-of-engagement"]
    through = HELD.format(start="0503", way="0503 0504 0503")
    assert codes(judged(through, **zones(enter={"kind": "free"}, leave={"kind": "never"}))) == [
        "zone-of-engagement"
    ]


def test_from_zone_to_zone(judged: Judge) -> None:
    along = HELD.format(start="0504", way="0504 0605")
    assert codes(judged(along, **zones())) == []
    assert cost(judged(along, **zones(between={"kind": "points", "points": 2}))) == 3
    assert codes(judged(along, **zones(between={"kind": "never"}))) == ["zone-of-engagement"]


@pytest.mark.parametrize(
    ("start", "way", "said"),
    [
        ("0504", "0504 0605", []),
        ("0503", "0503 0504 0605", ["movement-cost"]),
        ("0504", "0504 0605 0606", ["movement-cost"]),
        ("0504", "0504 0503 0403", []),
    ],
)
def test_from_zone_to_zone_as_the_whole_of_a_move(judged: Judge, start: str, way: str, said: list[str]) -> None:
    answer = judged(HELD.format(start=start, way=way), **zones(enter={"kind": "free"}, between={"kind": "whole"}))
    assert [f.message.key.removeprefix("findings.") for f in answer.findings if f.severity == "illegal"] == said


@pytest.mark.parametrize(
    ("way", "price", "wrong"),
    [
        ("0504 0605", 1, []),
        ("0504 0605 0606", 2, ["zone-of-engagement"]),
        ("0503 0504 0605", 2, []),
        ("0503 0504 0605 0606", 3, ["zone-of-engagement"]),
        ("0504 - 0606", 3, []),
        ("0504 - 0605 0606", 2, ["zone-of-engagement"]),
    ],
)
def test_from_zone_to_zone_but_once_in_a_move(judged: Judge, way: str, price: int, wrong: list[str]) -> None:
    once = zones(enter={"kind": "free"}, between={"kind": "once"})
    answer = judged(HELD.format(start=way[:4], way=way), **once)
    assert (cost(answer), codes(answer)) == (price, wrong)


def test_who_has_a_zone_and_where_it_ends(judged: Judge) -> None:
    past = HELD.format(start="0903", way="0903 0904 0804")
    assert codes(judged(past, **zones())) == ["must-stop"]
    assert codes(judged(past, **zones(exerted_by="footmen"))) == []
    assert codes(judged(past, **zones(exerted_by="mounted"))) == ["must-stop"]
    assert codes(judged(past, **zones(ignored_by="footmen"))) == []
    walled = "wall 0904/0905"
    assert codes(judged(past, ground=walled, **zones(not_across="wall"))) == []
    assert codes(judged(past, ground="wall 0805/0905", **zones(not_across="wall"))) == ["must-stop"]
    assert codes(judged(past, ground="terrain marsh 0904", **zones(not_into="marsh"))) == []


def test_a_reduced_unit_may_lose_its_zone(judged: Judge) -> None:
    past = HELD.format(start="0303", way="0303 0403 0503 0504 0605 0604").replace("l1 0505", "l1 0505 reduced")
    assert "must-stop" in codes(judged(past, **zones()))
    assert codes(judged(past, **zones(reduced=False))) == []


def test_a_friend_may_cancel_a_zone(judged: Judge) -> None:
    past = HELD.format(start="0503", way="0503 0504 0605").replace(
        "position\n", "unit c2 crown footmen 3-3-4\nposition\n  c2 0504\n"
    )
    assert codes(judged(past, **zones())) == ["must-stop"]
    assert codes(judged(past, **zones(friends_cancel="retreating"))) == ["must-stop"]
    assert codes(judged(past, **zones(friends_cancel="moving"))) == []


STACKED = """unit c1 crown footmen 3-3-4 size II
unit c2 crown footmen 3-3-4 size X
unit c3 crown bombards 3-3-4 size I
position
  c1 0303
  c2 0304
  c3 0305
turn 1 crown movement
move c1: 0303 0304
move c3: 0305 0304
{more}
"""


def stacking(limit: int, **choices: Any) -> dict[str, Any]:
    return {"stacking": {"limit": limit, "section": "3.5", **choices}}


def heights(answer: Answer) -> list[tuple[object, int]]:
    return [(f.computed, f.line) for f in answer.findings if f.code == "stacking"]


def test_stacks_are_counted_in_units_or_in_points(judged: Judge) -> None:
    sheet = STACKED.format(more="")
    assert heights(judged(sheet, **stacking(2))) == [(3, 14)]
    assert heights(judged(sheet, **stacking(3))) == []
    points = {"X": 3, "II": 2}
    assert heights(judged(sheet, **stacking(5, points=points))) == [(6, 14)]
    assert heights(judged(sheet, **stacking(6, points=points))) == []
    assert heights(judged(sheet, **stacking(5, points=points, free="guns"))) == []
    assert heights(judged(sheet, **stacking(5, points={"bombards": 0, **points}))) == []
    # a counter's own points come before those of its kind
    named = sheet.replace("c3", "cr-red-1")
    assert heights(judged(named, **stacking(6, points=points))) == []
    assert heights(judged(named, **stacking(6, points={**points, "cr-red-1": 2}))) == [(7, 14)]


@pytest.mark.parametrize(
    ("reduced", "limit", "said"), [("", 11, [12]), ("", 12, []), (" reduced", 10, []), (" reduced", 9, [10])]
)
def test_stacks_are_counted_in_steps(judged: Judge, reduced: str, limit: int, said: list[int]) -> None:
    units = "".join(f"unit c{n} crown footmen 3-3-4 reduced 2-2\n" for n in (1, 2, 3))
    places = f"position\n  c1 0303\n  c2 0304{reduced}\n  c3 0304\n"
    answer = judged(
        f"{units}{places}turn 1 crown movement\nmove c1: 0303 0304\n",
        **stacking(limit, counted="steps", points={"footmen": 2}),
    )
    assert [count for count, _ in heights(answer)] == said


def test_some_terrain_takes_less(judged: Judge) -> None:
    sheet = STACKED.format(more="")
    low = stacking(3, terrain={"hills": 1})
    assert heights(judged(sheet, ground="terrain hills 0304", **low)) == [(2, 13), (3, 14)]
    assert heights(judged(sheet, **low)) == []


def test_a_side_stacks_by_rules_of_its_own(judged: Judge) -> None:
    sheet = STACKED.format(more="")
    assert heights(judged(sheet, **stacking(3, sides={"crown": {"limit": 2}}))) == [(3, 14)]
    assert heights(judged(sheet, **stacking(2, sides={"crown": {"limit": 3}}))) == []
    low = stacking(3, terrain={"hills": 2}, sides={"crown": {"limit": 4}})
    assert heights(judged(sheet, ground="terrain hills 0304", **low)) == [(3, 14)]
    mixed = sheet.replace("c1", "cr-red-1").replace("c2", "cr-household-1")
    apart = [f.message.key for f in judged(mixed, **stacking(9, sides={"league": {"alike": "branch"}})).findings]
    assert "findings.stacking-mixed" not in apart


def test_ground_costs_some_units_more(judged: Judge) -> None:
    way = "unit c1 crown footmen 3-3-8\nposition\n  c1 0303\nturn 1 crown movement\nmove c1: 0303 0304 0305\n"
    rule = {"side": "crown", "terrain": "marsh", "points": 2, "section": "5.1"}
    ground = "terrain marsh 0304"

    def said(ground: str, **changes: Any) -> tuple[object, list[str]]:
        answer = judged(way, ground=ground, movement={"surcharges": [{**rule, **changes}]})
        return cost(answer), codes(answer)

    assert said(ground) == (5, [])
    assert said(ground, side="league") == (3, [])
    assert said(ground, weather="rain") == (3, [])
    assert said(ground, turns=[1, 1]) == (5, [])
    assert said("track 0303 0304 0305") == (2, [])
    assert said(f"{ground}\ntrack 0303 0304 0305") == (2, [])
    assert said("wall 0304/0305", hexsides="wall") == (4, [])
    assert said(ground, barred=True)[1] == ["prohibited-terrain"]
    # all of the allowance for one hex: the rest of it is too dear, and it is not where it begins
    assert said(ground, points=0, whole=True) == (9, ["movement-cost"])
    assert said("terrain marsh 0305", points=0, whole=True) == (9, ["movement-cost"])
    alone = way.replace(" 0305", "")
    answer = judged(alone, ground=ground, movement={"surcharges": [{**rule, "points": 0, "whole": True}]})
    assert (cost(answer), codes(answer)) == (8, [])
    assert said("wall 0304/0305", hexsides="wall", barred=True)[1] != []


def test_stacks_may_be_looked_at_when_the_phase_ends(judged: Judge) -> None:
    onward = STACKED.format(more="move c2: 0304 0404")
    assert heights(judged(onward, **stacking(2))) == [(3, 14)]
    assert heights(judged(onward, **stacking(2, checked="phase"))) == []
    assert heights(judged(STACKED.format(more=""), **stacking(2, checked="phase"))) == [(3, 12)]


CROWDED = """unit c1 crown footmen 3-3-4
unit c2 crown footmen 3-3-4
unit c3 crown footmen 3-3-4
unit l1 league footmen 3-3-4
position
  c1 0303
  c2 0303
  c3 0303
  l1 0908
turn 1 crown supply
turn 1 crown movement
{first}turn 1 crown combat
turn 1 crown movement
{second}turn 1 crown refit
turn 1 league movement
"""


@pytest.mark.parametrize(
    ("first", "second", "lines"),
    [
        ("", "", [15]),
        ("move c3: 0303 0304\n", "", []),
        ("move c3: 0303 0304\n", "move c3: 0304 0303\n", [18]),
        ("", "move c3: 0303 0304\n", [15]),
    ],
)
def test_stacks_are_looked_at_when_movement_ends_and_told_once(
    judged: Judge, first: str, second: str, lines: list[int]
) -> None:
    sequence = [
        {"side": "crown", "phase": "supply"},
        *second_phase()[:3],
        {"side": "crown", "phase": "refit", "does": ["enter"]},
        *second_phase()[3:],
    ]
    rule = {"stacking": {"limit": 2, "checked": "phase", "section": "3.4"}}
    answer = judged(CROWDED.format(first=first, second=second), sequence=sequence, **rule)
    assert told(answer) == [("stacking", line) for line in lines]


THROUGH = """unit c1 crown footmen 3-3-8
unit c2 crown footmen 3-3-8
unit c3 crown footmen 3-3-8
unit l1 league footmen 3-3-4
position
  c1 0303
  c2 0305
  c3 {at}
  l1 0908
turn 1 crown movement
move c1{beside}: {way}
"""


def test_stacks_may_be_looked_at_in_every_hex_of_a_way(judged: Judge) -> None:
    def found(at: str, way: str, *, beside: str = "", checked: str = "always", **more: Any) -> list[str]:
        rules = {"stacking": {"limit": 2, "checked": checked, "section": "3.4", **more}}
        return codes(judged(THROUGH.format(at=at, way=way, beside=beside), ground="terrain marsh 0304", **rules))

    past = "0303 0304 0305 0306"
    assert found("0305", past) == ["stacking"]
    assert found("0305", past, checked="move") == found("0109", past) == []
    assert found("0303", past, beside=" c3") == ["stacking"]  # together they are one too many
    assert found("0303", past, terrain={"marsh": 1}) == []
    assert found("0303", past, beside=" c3", terrain={"marsh": 1}) == ["stacking"]
    assert found("0305", "0303 0304 0305") == ["stacking"]  # told once where the move ends
    assert found("0305", "0303 - 0306") == []  # a way left open goes round


def test_one_hex_whatever_it_costs(judged: Judge) -> None:
    slow = HELD.replace("footmen 3-3-8", "footmen 3-3-1")
    into, beyond = slow.format(start="0303", way="0303 0304"), slow.format(start="0303", way="0303 0304 0305")
    always: dict[str, Any] = {"movement": {"minimum": "one_hex"}}
    hills = "terrain hills 0304"
    assert codes(judged(into, ground=hills)) == ["movement-cost"]
    assert codes(judged(into, ground=hills, **always)) == []
    assert codes(judged(beyond, ground=hills, **always)) == ["movement-cost"]


def second_phase(**limits: Any) -> list[dict[str, Any]]:
    """A sequence in which the Crown moves, fights and moves again, the second time within limits."""
    return [
        {"side": "crown", "phase": "movement"},
        {"side": "crown", "phase": "combat"},
        {"side": "crown", "phase": "movement", **limits},
        {"side": "league", "phase": "movement"},
        {"side": "league", "phase": "combat"},
    ]


AGAIN = """unit c1 crown footmen 3-3-4
unit c2 crown riders 3-3-6
unit l1 league footmen 3-3-4
position
  c1 0303
  c2 0309
  l1 0908
turn 1 crown movement
turn 1 crown combat
turn 1 crown movement
{moves}
"""


def test_who_moves_in_a_phase(judged: Judge) -> None:
    both = AGAIN.format(moves="move c1: 0303 0304\nmove c2: 0309 0308")
    assert codes(judged(both, sequence=second_phase())) == []
    found = judged(both, sequence=second_phase(who="mounted"))
    assert [(f.code, f.units) for f in found.findings if f.severity == "illegal"] == [("wrong-phase", ("c1",))]


def test_how_far_units_go_in_a_phase(judged: Judge) -> None:
    far = AGAIN.format(moves="move c1: 0303 0304 0305 0306")
    hills = "terrain hills 0304 0305 0306"
    assert codes(judged(far, sequence=second_phase())) == []
    assert codes(judged(far, sequence=second_phase(allowance={"kind": "share", "divide": 2}))) == ["movement-cost"]
    assert codes(judged(far, sequence=second_phase(allowance={"kind": "points", "points": 3}))) == []
    assert codes(judged(far, sequence=second_phase(allowance={"kind": "points", "points": 2}))) == ["movement-cost"]
    assert codes(judged(far, ground=hills, sequence=second_phase())) == ["movement-cost"]
    three = second_phase(allowance={"kind": "hexes", "hexes": 3})
    assert codes(judged(far, ground=hills, sequence=three)) == []
    two = second_phase(allowance={"kind": "hexes", "hexes": 2})
    assert codes(judged(far, ground=hills, sequence=two)) == ["movement-cost"]


@pytest.mark.parametrize(
    ("points", "times", "divide", "halves"),
    [(7, 2, 3, (10, 8, 10, 9)), (5, 1, 2, (6, 4, 6, 5)), (4, 1, 4, (2, 2, 2, 2)), (5, 3, 4, (8, 6, 8, 7))],
)
def test_a_share_of_an_allowance_and_what_becomes_of_the_rest(
    points: int, times: int, divide: int, halves: tuple[int, ...]
) -> None:
    """4⅔, 2½, 1 and 3¾ points: up, down, to the nearest, and down to half points."""
    cuts = [Cut(times=times, divide=divide, rounding=way) for way in ("up", "down", "nearest", "half")]
    assert tuple(cut.of(2 * points) for cut in cuts) == halves


def test_along_ways_alone(judged: Judge) -> None:
    road = "track 0303 0304 0305"
    along, off = (AGAIN.format(moves=f"move c1: 0303 0304 {end}") for end in ("0305", "0404"))
    assert codes(judged(along, ground=road, sequence=second_phase(ways="track"))) == []
    assert codes(judged(off, ground=road, sequence=second_phase(ways="track"))) == ["wrong-phase"]
    assert codes(judged(off, ground=road, sequence=second_phase())) == []


def test_who_stands_next_to_the_enemy_moves_or_not(judged: Judge) -> None:
    sheet = AGAIN.format(moves="move c1: 0303 0304\nmove c2: 0309 0308").replace("l1 0908", "l1 0302")

    def stayed(contact: str) -> list[tuple[str, ...]]:
        found = judged(sheet, sequence=second_phase(contact=contact)).findings
        return [f.units for f in found if (f.code, f.severity) == ("wrong-phase", "illegal")]

    assert stayed("any") == []
    assert stayed("without") == [("c1",)]
    assert stayed("within") == [("c2",)]


def test_a_phase_that_may_be_one_of_two_is_taken_for_the_first_and_told(judged: Judge) -> None:
    alone = AGAIN.format(moves="move c1: 0303 0304").replace("turn 1 crown movement\nturn 1 crown combat\n", "")
    assert judged(alone, sequence=second_phase(who="mounted")).findings == ()  # the game begins with it
    later = alone.replace("turn 1", "turn 2")

    def found(sheet: str, **limits: Any) -> list[tuple[str, str]]:
        return [(f.code, f.severity) for f in judged(sheet, sequence=second_phase(**limits)).findings]

    told = ("wrong-phase", "info")
    assert found(later) == []
    # what the second would not allow is warned of
    assert found(later, who="mounted") == [told, ("wrong-phase", "warning")]
    assert found(later, who="footmen") == [told]
    # what comes after it settles which it is
    assert found(later + "turn 2 crown combat\n", who="mounted") == []
    assert found(later + "turn 2 league movement\n", who="mounted") == [("wrong-phase", "illegal")]
    # what the first forbids and the second allows is doubtful
    far = later.replace("0303 0304", "0303 0304 0305 0306 0307 0308")
    twice = {"allowance": {"kind": "times", "times": 2}}
    assert found(far, **twice) == [told, ("movement-cost", "doubtful")]
    assert found(far) == [("movement-cost", "illegal")]
    # what each of them forbids, for whatever reason, is not
    assert found(far, who="mounted") == [told, ("movement-cost", "illegal"), ("wrong-phase", "warning")]
    # nor what the first forbids where the turn's weather has no second
    dry = {"weather": {"dry": [1, 6], "rain": [7, 9]}}
    only = judged(far, sequence=second_phase(weather="rain", **twice), game=dry)
    assert [(f.code, f.severity) for f in only.findings] == [("movement-cost", "illegal")]
    after = alone.replace("position\n", "position after turn 1 crown combat\n")
    assert codes(judged(after, sequence=second_phase(who="mounted"))) == ["wrong-phase"]


def test_a_phase_that_a_turn_or_its_weather_leaves_out(judged: Judge) -> None:
    moved = AGAIN.format(moves="move c1: 0303 0304")
    skipped = moved.replace("turn 1 crown combat\nturn 1 crown movement\nmove", "turn 1 crown combat\n#")
    skipped += "turn 1 league movement\nturn 1 league combat\nturn 2 crown movement\n"
    again = skipped + "turn 2 crown combat\nturn 2 league movement\n"
    later = second_phase(turns=[2, 6])
    assert codes(judged(moved, sequence=later)) == ["wrong-phase"]
    assert codes(judged(skipped, sequence=later)) == []
    assert codes(judged(again, sequence=later)) == ["wrong-phase"]
    assert codes(judged(skipped, sequence=second_phase())) == ["wrong-phase"]
    weather = {"dry": [1, 1], "rain": [2, 6]}
    wet = second_phase(weather="rain")
    assert codes(judged(moved, sequence=wet, game={"weather": weather})) == ["wrong-phase"]
    assert codes(judged(skipped, sequence=wet, game={"weather": weather})) == []
    assert codes(judged(moved, sequence=second_phase(weather="dry"), game={"weather": weather})) == []


def test_zones_and_allowances_of_a_phase(judged: Judge) -> None:
    away = AGAIN.format(moves="move c1: 0303 0304 0305").replace("l1 0908", "l1 0302")
    held = zones(leave={"kind": "never"}) | {"combat": {"duty": {"units": "none"}}}
    assert codes(judged(away, **held, sequence=second_phase())) == ["zone-of-engagement"]
    assert codes(judged(away, **held, sequence=second_phase(zones={"leave": {"kind": "free"}}))) == []
    near = AGAIN.format(moves="move c1: 0303 0304").replace("l1 0908", "l1 0305")
    assert codes(judged(near, **held, sequence=second_phase(zones={"enter": {"kind": "never"}}))) == [
        "zone-of-engagement"
    ]
    far = AGAIN.format(moves="move c1: 0303 0304 0305 0306 0307 0308")
    assert codes(judged(far, sequence=second_phase())) == ["movement-cost"]
    assert codes(judged(far, sequence=second_phase(allowance={"kind": "times", "times": 2}))) == []


def test_an_exception_is_cited_for_what_it_says_alone(judged: Judge) -> None:
    alone = {"types": "footmen", "enter": {"kind": "never"}, "section": "9.9"}
    rules = zones(leave={"kind": "never"}, exceptions=[alone]) | {"combat": {"duty": {"units": "none"}}}

    def cited(moves: str, enemy: str) -> list[tuple[str, bool]]:
        sheet = AGAIN.format(moves=moves).replace("l1 0908", f"l1 {enemy}")
        found = judged(sheet, **rules, sequence=second_phase()).as_json()["findings"]
        return [(f["code"], f["rule"].endswith("9.9")) for f in found]

    assert cited("move c1: 0303 0304", "0302") == [("zone-of-engagement", False)]  # to leave is barred to all
    assert cited("move c1: 0303 0304", "0305") == [("zone-of-engagement", True)]  # to enter to these alone


MARCH = """unit c1 crown footmen 3-3-2
unit l1 league footmen 3-3-4
position
  c1 0303
  l1 {enemy}
turn 1 crown movement
move c1: {way}
"""


def test_marches_go_farther_where_they_may(judged: Judge) -> None:
    def found(way: str = "0303 0304 0305 0306 0307", enemy: str = "0908", **march: Any) -> list[str]:
        rule = {"section": "3.7", **march}
        sheet = MARCH.format(way=way, enemy=enemy)
        free = {"enter": {"kind": "free"}}
        marches = {"movement": {"marches": [rule], "zones": free}, "combat": {"duty": {"units": "none"}}}
        return codes(judged(sheet, ground="track 0303 0304 0305 0306 0307", **marches))

    assert found(more="½") == ["movement-cost"]
    assert found(times=2) == found(more=2) == [] != found(more="1½")
    assert found(more=1, way="0303 0403 0503 0604") == []
    assert found(times=2, types="mounted") == ["movement-cost"]
    assert found(times=2, ways="track", way="0303 0403 0503 0604") == ["movement-cost"]
    assert found(times=2, turns=[2, 6]) == ["movement-cost"]
    for enemy, clear_of, wrong in (
        ("0308", "enemies", ["movement-cost"]),
        ("0302", "enemies", ["movement-cost"]),
        ("0308", "zones", ["movement-cost"]),
        ("0308", "nothing", []),
    ):
        assert found(times=2, enemy=enemy, clear_of=clear_of) == wrong
    # a turn carries so many, by units, steps or points, and no more
    assert found(times=2, most=1) == found(times=2, most=2, counted="steps") == []
    assert found(times=2, most=0) == found(times=2, most=1, counted="steps") == ["movement-cost"]
    assert found(times=2, most=0, way="0303 0304 0305") == []
    # a way left open is the march's, where that alone goes so far
    assert found(times=2, way="0303 - 0307") == []
    # without a march nothing is changed by the rule
    assert found(times=2, way="0303 0304 0305", enemy="0306") == []


def test_marches_neither_leave_the_ways_of_a_phase_nor_add_to_what_it_gives_all(judged: Judge) -> None:
    march = {"movement": {"marches": [{"times": 2, "ways": "track", "section": "3.7"}]}}
    roads = "canal 0303 0304 0305\ntrack 0303 0304 0305 0306 0307 0308"
    two = {"kind": "hexes", "hexes": 2}

    def found(end: str, **limits: Any) -> list[str]:
        sheet = AGAIN.format(moves=f"move c1: 0303 {end}").replace("l1 0908", "l1 1008")
        paid = {"ways": {"canal": {"costs": {"walk": 1}}}}
        return codes(judged(sheet, ground=roads, tables=paid, sequence=second_phase(**limits), **march))

    assert found("0403", ways="canal") == found("0304 0305 0306", ways="canal") == ["wrong-phase"]
    assert found("0304 0305 0306", allowance=two) == ["movement-cost"]
    assert found("0304 0305 0306 0307", allowance={"kind": "share", "divide": 2}) == []
    half = {"kind": "share", "divide": 2}
    assert found("0304 0305 0306 0307", allowance=half, marches=False) == ["movement-cost"]


def test_who_attacks_in_a_phase(judged: Judge) -> None:
    fight = AGAIN.format(moves="turn 1 crown combat\ncombat 0404\n attack {who}\n roll 1 1\n").replace(
        "l1 0908", "l1 0404"
    )
    fight = fight.replace("c2 0309", "c2 0405")
    two = second_phase()
    two.insert(3, {"side": "crown", "phase": "combat", "who": "mounted"})
    for who, wrong in (("c1", ["wrong-phase"]), ("c2", []), ("c1 c2", ["wrong-phase"])):
        assert [c for c in codes(judged(fight.format(who=who), sequence=two)) if c == "wrong-phase"] == wrong
    due = {"combat": {"duty": {"units": "adjacent"}}}
    owed = judged(AGAIN.format(moves="turn 1 crown combat\n").replace("l1 0908", "l1 0404"), sequence=two, **due)
    assert [f.units for f in owed.findings if f.code == "must-attack"] == [("c1",)]


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


def told(answer: Answer) -> list[tuple[str, int]]:
    return [(f.code, f.line) for f in answer.findings if f.severity == "illegal"]


def test_replacements_turn_losses_back(judged: Judge) -> None:
    both = WORN.format(enemy="0908", moves="recover c1\nrecover c2")
    assert told(judged(both, **replacements())) == []
    assert told(judged(both, **replacements(points=1))) == [("recovery", 16)]
    assert told(judged(both, **replacements(step=2))) == [("recovery", 16)]
    assert told(judged(both, **replacements(types="mounted"))) == [("recovery", 15)]
    assert told(judged(both, **replacements(turns=[2, 3]))) == [("recovery", 15), ("recovery", 16)]
    near = WORN.format(enemy="0302", moves="recover c1")
    assert told(judged(near, **replacements())) == [("recovery", 15)]
    # each step of a unit of several is paid for
    deep = both.replace("c1 crown footmen 3-3-4 reduced 1-1", "c1 crown footmen 3-3-4 reduced 2-2 1-1")
    deep = deep.replace("c1 0303 reduced", "c1 0303 reduced 2").replace("recover c2", "recover c1\nrecover c2")
    assert told(judged(deep, **replacements(points=3))) == []
    assert told(judged(deep, **replacements())) == [("recovery", 17)]
    assert told(judged(deep, **replacements(points=3, most=1))) == [("recovery", 16)]
    assert told(judged(deep, **replacements(points=3, most=2))) == []
    said = deep.replace("  l1", "  status c2 recovered 2\n  l1").replace(
        "recover c1\nrecover c1\nrecover c2", "recover c1"
    )
    assert told(judged(said, **replacements(points=3))) == []
    assert told(judged(said, **replacements())) == [("recovery", 16)]
    assert told(judged(near, **replacements(contact=True))) == []


def test_who_was_given_a_step_may_go_next_to_the_enemy(judged: Judge) -> None:
    met = WORN.format(enemy="0305", moves="recover c1\nmove c1: 0303 0304")
    assert told(judged(met, **replacements())) == []
    rest = {"replacements": [], "movement": {"recovery": [{"side": "crown", "section": "3.8"}]}}
    assert told(judged(met, **rest)) == [("recovery", 16)]


def test_what_a_phase_of_ones_own_lists_is_done_in_no_other(judged: Judge) -> None:
    phases = [{"side": side, "phase": "movement"} for side in ("crown", "league")]
    own = [{"side": "crown", "phase": "depot", "does": ["recover"]}, *phases]
    moved = WORN.format(enemy="0908", moves="recover c1")
    stocked = moved.replace("turn 1 crown movement", "turn 1 crown depot")
    assert told(judged(moved, sequence=phases, **replacements())) == []
    assert told(judged(stocked, sequence=own, **replacements())) == []
    found = judged(moved.replace("turn 1", "turn 1 crown depot\nturn 1"), sequence=own, **replacements())
    assert told(found) == [("wrong-phase", 16)]


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
    assert told(judged(back, **replacements())) == [("reinforcement", 15)]
    assert told(judged(back, **replacements(rebuild=1, edges=["east"]))) == []
    assert told(judged(back, **replacements(rebuild=1, edges=["east"], rebuilds="footmen"))) == []
    assert told(judged(back, **replacements(rebuild=1, edges=["east"], rebuilds="riders"))) == [
        ("reinforcement", 15)
    ]
    assert told(judged(back, **replacements(rebuild=2, edges=["east"]))) == [("recovery", 16)]
    at_home = replacements(rebuild=1, places=["saltgate"])
    assert told(judged(back, ground=home, **at_home)) == [("reinforcement", 15)]
    inside = back.replace("1103", "0606")
    answer = judged(inside, ground=home, **at_home)
    assert told(answer) == []
    assert answer.as_json()["position"]["c3"] == {"hex": "0606", "step": "reduced"}
    close = inside.replace("0908", "0605")
    assert told(judged(close, ground=home, **at_home)) == [("reinforcement", 15)]


def test_who_comes_or_leaves_in_a_phase_of_ones_own_goes_no_farther(judged: Judge) -> None:
    refit = [{"side": "crown", "phase": "refit", "does": ["enter", "exit"]}]
    turn = [{"side": side, "phase": phase} for side in ("crown", "league") for phase in ("movement", "combat")]
    rules = {"sequence": refit + turn, **replacements(rebuild=1, edges=["east"])}
    back = WORN.format(enemy="0908", moves="enter c3: {}").replace("movement", "refit")
    assert told(judged(back.format("1103"), **rules)) == []
    assert told(judged(back.format("1103 1003"), **rules)) == [("wrong-phase", 15)]
    assert told(judged(back.format("1103 1003").replace("refit", "movement"), **rules)) == []
    away = back.replace("enter c3", "exit c2").replace("c2 0403 reduced", "c2 0103")
    assert ("wrong-phase", 15) not in told(judged(away.format("0103 to west"), **rules))
    assert ("wrong-phase", 15) in told(judged(away.format("0103 0102 to west"), **rules))


BYSTANDER = """unit c1 crown footmen 6-6-4
unit c2 crown footmen 6-6-4
unit l1 league footmen 3-3-4 reduced 2-2
position
  c1 0505
  c2 0406
  l1 0506
turn 1 crown combat
combat 0506
  attack {who}
  roll 4 4
  result DRI AVI
  retreat l1: 0506 0507
turn 1 crown movement
"""


def test_driving_off_an_enemy_frees_who_did_not_attack_only_where_the_game_says_so(judged: Judge) -> None:
    for who, counted, owed in (("c1", "start", True), ("c1", "end", False), ("c1 c2", "start", False)):
        duty = {"units": "adjacent", "excuse": "none", "counted": counted}
        assert ("must-attack" in codes(judged(BYSTANDER.format(who=who), combat={"duty": duty}))) is owed


def test_what_entering_a_zone_costs_is_not_called_breaking_contact(judged: Judge) -> None:
    past = HELD.format(start="0303", way="0303 0403 0503 0504 0605 0604 0703")
    for enter, said in (({"kind": "points", "points": 5}, "zone"), ({"kind": "free"}, "contact")):
        answer = judged(past, **zones(enter=enter, leave={"kind": "points", "points": 5}))
        found = next(f for f in answer.findings if f.code == "movement-cost" and f.severity == "illegal")
        keys = {m.key for m in dict(found.message.params)["parts"]}  # type: ignore[union-attr]
        assert f"findings.way-part.{said}" in keys
