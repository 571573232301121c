"""Mechanics of movement as games choose them: an invented game with its choices changed judges otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from hexforge.scenarios.schema.base import Cut
from hexforge.scenarios.text.words import Words
from hexforge.validator.judging.answer import Answer
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


def test_an_allowance_of_some_turns_is_cited_where_it_stands(judged: Judge) -> None:
    """A cut for good is the unit's own allowance; what falls short without the cut too is not its doing."""

    def told(way: str, **cut: Any) -> tuple[str, str]:
        sheet = MARCH.format(way=way, enemy="0908").replace("3-3-2", "3-3-4")
        movement = {"allowances": [{"divide": 2, "section": "3.9", **cut}]}
        (found,) = judged(sheet, movement=movement, combat={"duty": {"units": "none"}}).findings
        return found.rule, Words("en").say(found.message).partition("it has ")[2]

    assert told("0303 0304 0305 0306", turns=[1, 2]) == ("S 3.9", "2 (this turn)")
    assert told("0303 0304 0305 0306", turns=[1, 6]) == ("S 3.1", "2")
    assert told("0303 0304 0305 0306 0307 0308", turns=[1, 2]) == ("S 3.1", "2 (this turn)")


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
