"""What a sheet says beside the printed set-up: units with a choice, counters corrected or added, other places."""

from __future__ import annotations

import pytest

from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.setup import printed
from tests.referee.played import scenario
from tests.referee.test_continuing import halves

WITH_A_CHOICE = ("bastogne", "metz")


def answer(text: str, game: str = "hurtgen") -> Answer:
    sheet = read_sheet(f"sheet 1\ngame {game}\n{text}", "mesa.sheet")
    assert not sheet.problems, sheet.problems
    return judge(sheet)


def places(found: Answer) -> dict[str, str]:
    assert found.position is not None
    return {u: state.hex for u, state in found.position.units.items() if state.hex is not None}


def codes(found: Answer) -> list[str]:
    return [f.code for f in found.findings if f.severity != "info"]


def free(game: str) -> tuple[str, str] | None:
    """A unit that the rulebook leaves a choice, and a hex where it may start; None where nobody has one."""
    own = scenario(game)
    fixed = dict(printed(own))
    for rule in own.setup.at_start:
        hexes = [*rule.hexes, *(h for area in rule.areas for h in own.map.area[area])]
        side = own.counters[rule.units[0]].side
        taken = {h for u, h in fixed.items() if own.counters[u].side != side}
        if rule.units[0] not in fixed and (good := [h for h in hexes if h not in taken]):
            return rule.units[0], good[0]
    return None


@pytest.mark.parametrize("game", WITH_A_CHOICE)
def test_a_setup_of_those_with_a_choice_keeps_the_printed_ones(game: str) -> None:
    found_free = free(game)
    assert found_free is not None
    unit, hex_ = found_free
    found = answer(f"partial\nsetup\n  {unit} {hex_}\n", game)
    assert codes(found) == []
    assert places(found) == {**dict(printed(scenario(game))), unit: hex_}
    missing = [f for f in answer(f"setup\n  {unit} {hex_}\n", game).findings if "not-placed" in f.message.key]
    assert {u for f in missing for u in f.units}.isdisjoint(dict(printed(scenario(game))))


def test_a_setup_of_printed_units_is_a_whole_one() -> None:
    assert places(answer("partial\nsetup\n  us-112-1 0806\n")) == {"us-112-1": "0806"}
    whole = places(answer("setup printed\n  us-112-1 0806\n"))
    assert whole == dict(printed(scenario("hurtgen"))) and whole["us-112-1"] == "0806"
    assert codes(answer("setup printed\n  us-112-1 0807\n")) != []


def test_a_printed_position_is_put_right() -> None:
    found = answer("position printed\n  us-112-1 0707 reduced\n  gone ge-983-1 eliminated\n  air american 2\n")
    assert codes(found) == []
    usual = dict(printed(scenario("hurtgen")))
    assert places(found) == {**{u: h for u, h in usual.items() if u != "ge-983-1"}, "us-112-1": "0707"}
    assert found.position is not None and found.position.units["us-112-1"].step == "reduced"


def test_a_unit_line_corrects_a_counter() -> None:
    correct = "unit us-112-1 american infantry 9-8-5\n"
    play = "turn 2 american movement\nmove us-112-1: 0806 0907\nmove us-112-2: 0807 0908\n"
    for text in (
        correct + "partial\n" + play,
        correct + "position printed\npartial\n".replace("partial\n", "") + play,
    ):
        found = answer(text if "partial" in text else "partial\n" + text)
        assert codes(found) == []
        assert places(found)["us-112-1"] == "0907" and len(places(found)) == len(dict(printed(scenario("hurtgen"))))
        assert found.position is not None
        unit, old = found.position.roster["us-112-1"], scenario("hurtgen").counters["us-112-1"]
        assert (unit.attack, unit.defence, unit.regiment, unit.division) == (
            9,
            8,
            old.regiment,
            old.division.lower(),
        )
        assert unit.reduced_attack == old.reduced_attack


def test_a_corrected_counter_stays_in_its_formation() -> None:
    alone = "partial\n{head}turn 2 american combat\ncombat 1007\n  attack us-112-1\n"
    own = answer(alone.format(head="position printed\n  us-112-1 0907\n")).combats[0]
    mine = answer(
        alone.format(head="unit us-112-1 american infantry 9-8-5\nposition printed\n  us-112-1 0907\n")
    ).combats[0]
    assert [s for s in own.shifts if s.cause == "unity"] == [s for s in mine.shifts if s.cause == "unity"]
    assert mine.attack == 9


def test_a_unit_is_added() -> None:
    added = "partial\nunit x1 american infantry 3-3-5 regiment 112 division 28\nposition printed\n  x1 0707\n"
    found = answer(added + "turn 2 american movement\nmove x1: 0707 0708\n")
    assert codes(found) == []
    assert len(places(found)) == len(dict(printed(scenario("hurtgen")))) + 1


def test_unit_lines_of_their_own_still_empty_the_map() -> None:
    mine = "unit x1 american infantry 3-3-5\n"
    assert places(answer(f"partial\n{mine}")) == {}
    assert places(answer("partial\nmap blank open 18x12\nunit us-112-1 american infantry 3-3-5\n")) == {}
    assert places(answer(f"partial\n{mine}position\n  x1 0707\n")) == {"x1": "0707"}
    assert len(places(answer(f"partial\n{mine}turn 2 american movement\nmove us-112-1: 0806 0907\n"))) > 40


def test_what_stands_beside_goes_on_in_the_next_sheet() -> None:
    text = (
        "sheet 1\ngame hurtgen\nunit us-112-1 american infantry 9-8-5\n"
        "turn 2 american movement\nmove us-112-1: 0806 0907\nput us-110-1 off because lent\n"
        "turn 2 american combat\ncombat 1007\n  attack us-112-1\n  roll 3 4\n"
    )
    sheet = read_sheet(text)
    whole, parted = halves(scenario("hurtgen"), sheet, len(sheet.statements) - 2)
    assert whole == parted and whole["findings"]
    assert "us-110-1" not in whole["position"]
