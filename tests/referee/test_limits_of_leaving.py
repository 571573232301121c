"""Who leaves the map when the set-up says so, and who has left it: one step beside what other tests show."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexforge.validator.judging.replay import Judgement, replay
from hexforge.validator.reading.sheet import read_sheet

from .combat_sheets import assault, play, scenario

# ------------------------------------------------------------------------------ withdrawals of Metz (M 4.2.2, R81)

WHOLE = """partial
unit w1 american infantry 3-3-6 regiment 101 division 26
unit w2 american infantry 3-3-6 regiment 104 division 26
unit w3 american infantry 3-3-6 regiment 328 division 26
unit x1 american infantry 4-4-6 regiment 2 division 5
unit x2 american infantry 4-4-6 regiment 10 division 5
"""
PLACES = "w1 0203\nw2 0204\nw3 0205\nx1 2001\nx2 2101\n"


def withdrawing(acts: str, *, units: str = WHOLE, places: str = PLACES) -> Judgement:
    """Turn 17 of Metz, and turn 18 as far as the units that leave."""
    return play(
        "metz",
        f"{units}position\n{places}turn 17 american movement\nairroll 3\n{acts}"
        "turn 17 american combat\nturn 17 german movement\nturn 17 german combat\n"
        "turn 18 american movement\nairroll 3\n",
        board="map blank open 28x23",
    )


def gone(judged: Judgement) -> list[list[str]]:
    """The units that each note of a withdrawal names."""
    return [list(f.units) for f in judged.findings if f.message.key == "findings.withdrawal"]


@pytest.mark.parametrize(
    ("acts", "first", "second"),
    [
        ("", "x1", "x2"),  # nobody says, so the last one listed stays a turn longer
        ("move x1: 2001 2002\n", "x2", "x1"),  # who still does something has stayed
        ("move x2: 2101 2102\n", "x1", "x2"),
        ("exit x1: 2001 to north\n", "x1", "x2"),  # who is said to leave has left
        ("exit x2: 2101 to north\n", "x2", "x1"),
        ("move x2: 2101 2102\nexit x2: 2102 to north\n", "x2", "x1"),
    ],
)
def test_the_sheet_tells_which_of_two_weaker_regiments_leaves_first(acts: str, first: str, second: str) -> None:
    assert gone(withdrawing(acts)) == [[first], [second]]


def test_who_leaves_with_his_fellow_is_not_taken_off_with_him() -> None:
    judged = withdrawing("exit x2 x1: 2001 to north\n")
    assert gone(judged) == [["x1"]]
    assert judged.position.units["x2"].where != "withdrawn"


def test_withdrawals_are_told_as_information() -> None:
    told = [f for f in withdrawing("").findings if f.message.key == "findings.withdrawal"]
    assert [f.severity for f in told] == ["info", "info"]


@pytest.mark.parametrize(
    "other",
    [
        "german infantry 3-3-6 regiment 914 division 352",
        "american armor 3-3-6 regiment A division 7",
        "american infantry 3-3-6 regiment 377",
        "american infantry 3-3-6 regiment 8 division 26",
    ],
)
def test_only_a_division_of_the_same_side_and_kind_is_weaker(other: str) -> None:
    units = WHOLE.replace(
        "unit x2", f"unit x3 american infantry 4-4-6 regiment 11 division 5\nunit y1 {other}\nunit x2"
    )
    judged = withdrawing("", units=units, places=f"{PLACES}x3 2201\ny1 2301\n")
    assert gone(judged) == ([["w1", "w2"], ["w3"]] if "division 26" not in other else [["x1", "x3"], ["x2"]])


# ----------------------------------------------------------------- who has left takes part in nothing (B 4.2.2)

LEAVING = """partial
unit g1 german infantry 3-4-8
unit g2 german infantry 3-4-8
unit a1 american infantry 1-4-6
unit a2 american infantry 20-4-6
position
g2 1009
a1 1010
a2 0109
"""
EXIT = "g1 0110\nturn 22 german movement\nexit g1: 0110 to west\nturn 22 german combat\n"
DRIVEN_OFF = """g1 0110
turn 22 american combat
combat 0110
attack a2
roll 6 6
retreat g1: 0110 to west
turn 23 german combat
"""


@pytest.mark.parametrize(
    ("before", "section"),
    [(EXIT, "B 4.2.2"), (DRIVEN_OFF, "B 4.2.2"), ("turn 22 german combat\n", "B 5.0")],
)
def test_an_attack_by_who_has_left_breaks_the_rule_that_sent_it_away(before: str, section: str) -> None:
    judged = play("bastogne", f"{LEAVING}{before}combat 1010\nattack g1 g2\n")
    assert [f.rule for f in judged.findings if f.message.key == "findings.not-on-map"] == [section]


# --------------------------------------------------------------------------- what the sheet says of the printed map


def test_ground_that_the_sheet_describes_is_certain_where_a_unit_enters() -> None:
    field = scenario("bastogne").map
    hex_ = min(h for h in field.edges["west"] if "forest" in field.terrain[h] and field.provenance[h] == "assumed")
    enter = (
        "unit a1 american infantry 3-4-1\nposition\ndue a1 22 west\n"
        f"turn 22 american movement\nenter a1: {hex_} from west\n"
    )
    severities = []
    for said in ("", f"terrain forest {hex_}\n"):
        judged = play("bastogne", said + enter, board="map printed")
        severities.append([f.severity for f in judged.findings if f.code == "movement-cost"])
    assert severities == [["doubtful"], ["illegal"]]


@pytest.mark.parametrize(("said", "severity"), [("", "doubtful"), ("area bastogne-perimeter {area}", "illegal")])
def test_a_perimeter_that_the_sheet_describes_leaves_no_gun_in_doubt(said: str, severity: str) -> None:
    field = scenario("bastogne").map
    area = sorted(field.area["bastogne-perimeter"])
    beside = next(h for h in field.grid.neighbours[area[0]] if h not in area)
    enemy = next(h for h in field.grid.neighbours[area[0]] if h != beside)
    judged = assault(
        "bastogne",
        f"a1 infantry 3-4-10 division 101 @ {area[0]} | g1 infantry 4-4-8 @ {enemy}"
        f" | a7 artillery 2-1-8 range 40 division 9 @ {beside}",
        "attack g1 | guard a7",
        header=f"partial|{said.format(area=' '.join(area))}",
        turn="22 german",
        target=area[0],
        board="map printed",
    )
    assert [f.severity for f in judged.findings if f.code == "artillery-support"] == [severity]


# ----------------------------------------------------------------------------------------- who comes back at all

DRIVEN_OFF = """sheet 1
game metz
map blank open 28x23
unit g1 german infantry 3-4-6 reduced 2-2
unit a1 american infantry 12-4-6 reduced 6-2
position
  g1 2810
  a1 2710
turn 4 american combat
combat 2810
  attack a1
  declare 12:4 odds 3-1 column 3-1
  roll 6 6
  result DRI AVI
  retreat g1: 2810 to east
turn 4 german movement
turn 4 german combat
turn 5 american movement
airroll 3
turn 5 american combat
turn 5 german movement
enter g1: 2807 from east
"""


@pytest.mark.parametrize(("returns", "wrong"), [(True, []), (False, ["no-return"])])
def test_nobody_comes_back_from_off_the_map_where_the_game_does_not_say_so(returns: bool, wrong: list[str]) -> None:
    metz = scenario("metz")
    rules = metz.game.rules
    assert rules.combat.off_map is not None
    off_map = rules.combat.off_map.model_copy(update={"returns": returns})
    combat = rules.combat.model_copy(update={"off_map": off_map})
    game = metz.game.model_copy(update={"rules": rules.model_copy(update={"combat": combat})})
    judged = replay(replace(metz, game=game), read_sheet(DRIVEN_OFF))
    found = [f.message.key.removeprefix("findings.") for f in judged.findings if f.severity == "illegal"]
    assert found == wrong
