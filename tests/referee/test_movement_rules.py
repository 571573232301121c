"""Moves, entries, exits, withdrawals and works, rule by rule."""

from __future__ import annotations

import pytest

from tests.referee.played import faults, illegal, only, play

DIE = "airroll 3\n"


# ------------------------------------------------------------------------------------------------ prices


@pytest.mark.parametrize(
    ("ground", "unit", "cost"),
    [
        ("road 1010 1011", "armor 6-4-20", 0.5),
        ("road 1010 1011", "infantry 3-4-10", 1),
        ("terrain forest 1011\ntrail 1010 1011", "armor 6-4-20", 1),
        ("terrain town+rough 1011", "armor 6-4-20", 1),
        ("terrain forest+rough 1011", "infantry 3-4-10", 2),
        ("river 1010/1011\nbridge 1010/1011", "armor 6-4-20", 1),
        ("river 1010/1011\ntrail 1010 1011", "infantry 3-4-10", 1),
        ("river 1010/1011", "motorized_infantry 3-4-20", 3),
        ("our 1010/1011", "mechanized_artillery 2-2-20 range 7", 4),
    ],
)
def test_what_a_step_costs(ground: str, unit: str, cost: float) -> None:
    sheet = f"{ground}\nunit g1 german {unit}\nposition\n g1 1010\nturn 20 german movement\nmove g1: 1010 1011\n"
    judgement = play("bastogne", sheet)
    assert not faults(judgement)
    assert judgement.moves[0].cost == 2 * cost


def test_a_road_shut_to_armour_by_option() -> None:
    sheet = (
        "terrain rough_woods 1011\nroad 1010 1011\nunit a1 american armor 6-4-10\nposition\n a1 1010\n"
        f"turn 4 american movement\n{DIE}move a1: 1010 1011\n"
    )
    assert not faults(play("metz", sheet))
    assert faults(play("metz", sheet, armour_road_exempt="no")) == [("prohibited-terrain", "illegal")]


def test_from_zone_to_zone_by_option() -> None:
    sheet = (
        "unit a1 american infantry 3-4-10\nunit g1 german infantry 3-4-8\nposition\n a1 1011\n g1 1012\n"
        "turn 20 american movement\nmove a1: 1011 1112\n"
    )
    assert play("bastogne", sheet).moves[0].cost == 4
    assert not faults(play("bastogne", sheet))
    assert faults(play("bastogne", sheet, zoe_to_zoe="no")) == [("zone-of-engagement", "illegal")]


def test_a_stack_is_priced_by_its_dearest_and_its_poorest_member() -> None:
    sheet = (
        "terrain forest 1011\nunit a1 american infantry 3-4-2\nunit a2 american armor 6-4-20\nposition\n a1 1010\n"
        " a2 1010\nturn 20 american movement\nmove a1 a2: 1010 1011\n"
    )
    record = play("bastogne", sheet).moves[0]
    assert (record.cost, record.left) == (8, 0)


def test_an_open_way_goes_around_the_enemy_and_is_told() -> None:
    sheet = (
        "unit a1 american infantry 3-4-10\nunit g1 german infantry 3-4-8\nposition\n a1 1010\n g1 1212\n"
        "turn 20 american movement\nmove a1: 1010 - 1214\n"
    )
    judgement = play("bastogne", sheet)
    assert judgement.verdict == "legal"
    assert judgement.moves[0].path[0] == "1010" and judgement.moves[0].path[-1] == "1214"
    assert judgement.findings[0].severity == "info"
    assert " ".join(judgement.moves[0].path) in str(judgement.findings[0].message)


def test_an_open_way_that_does_not_exist() -> None:
    sheet = (
        "river 1010/1011 1011/1012 0911/1011 0912/1011 1011/1111 1011/1112\nunit a1 american armor 6-4-20\n"
        "position\n a1 0909\nturn 20 american movement\nmove a1: 0909 - 1011\n"
    )
    judgement = play("bastogne", sheet)
    assert faults(judgement) == [("river-crossing", "illegal")]
    assert judgement.position.hex_of("a1") == "1011"


# ------------------------------------------------------------------------------------------------- doubt


def test_what_rests_on_reconstructed_ground_is_doubtful_and_names_it() -> None:
    # Forest by our reconstruction; were it open, four points would do.
    sheet = "unit a1 american infantry 4-4-1\nposition\n a1 0807\nturn 3 american movement\nmove a1: 0807 0808\n"
    finding = only(play("hurtgen", sheet, blank=False))
    assert finding.severity == "doubtful" and "0808" in str(finding.rests_on[0])


def test_what_is_too_dear_on_any_ground_is_illegal() -> None:
    way = "0807 0808 0809 0810"
    sheet = f"unit a1 american infantry 4-4-1\nposition\n a1 0807\nturn 3 american movement\nmove a1: {way}\n"
    judgement = play("hurtgen", sheet, blank=False)
    assert ("movement-cost", "illegal") in faults(judgement)


def test_ground_that_the_sheet_describes_is_not_in_doubt() -> None:
    sheet = (
        "terrain mountain 0808\nunit a1 american infantry 4-4-1\nposition\n a1 0807\n"
        "turn 3 american movement\nmove a1: 0807 0808\n"
    )
    assert only(play("hurtgen", sheet, blank=False)).severity == "illegal"


# ---------------------------------------------------------------------------------------- who may not move


@pytest.mark.parametrize(("turn", "bad"), [(1, True), (2, False)])
def test_the_fourth_armoured_waits_for_turn_two(turn: int, bad: bool) -> None:
    sheet = (
        "unit a1 american armor 7-5-10 regiment cca division 4\nposition\n a1 0523\n"
        f"turn {turn} american movement\n{DIE}move a1: 0523 0522\n"
    )
    assert bool(illegal(play("metz", sheet))) == bad


@pytest.mark.parametrize(("ground", "bad"), [("open", True), ("town", False)])
def test_a_garrison_leaves_only_before_a_dominant_enemy(ground: str, bad: bool) -> None:
    sheet = (
        f"terrain {ground} 0506\nunit g1 german infantry 1-3-6 regiment 1217 division 462\n"
        "unit a1 american infantry 3-4-6\nposition\n g1 0507\n a1 0506\n"
        "turn 4 german movement\nmove g1: 0507 0508\n"
    )
    assert illegal(play("metz", sheet)) == (["M 4.0"] if bad else [])


def test_a_garrison_that_has_left_is_free() -> None:
    sheet = (
        "terrain town 0506\nunit g1 german infantry 1-3-6 regiment 1217 division 462\n"
        "unit a1 american infantry 3-4-6\nposition\n g1 0507\n a1 0506\n"
        "turn 4 german movement\nmove g1: 0507 0508\nturn 4 german combat\nturn 5 american movement\n"
        f"{DIE}move a1: 0506 0505\nturn 5 american combat\nturn 5 german movement\nmove g1: 0508 0507\n"
        "turn 5 german combat\nturn 6 american movement\nairroll 3\nturn 6 american combat\n"
        "turn 6 german movement\nmove g1: 0507 0508\n"
    )
    assert not illegal(play("metz", sheet))


BRIDGE = """our 4002/4103
road 4002 4103
unit g1 german {unit}
position
  g1 4103
turn {turn} german movement
move g1: 4103 4002
"""


@pytest.mark.parametrize(
    ("unit", "turn", "cost"),
    [
        ("armor 6-5-15", 16, None),
        ("infantry 3-4-8", 16, 4),
        ("motorized_infantry 3-4-15", 16, 5),
        ("armor 6-5-15", 17, 0.5),
    ],
)
def test_the_bridges_of_the_our_open_in_turn_seventeen(unit: str, turn: int, cost: float | None) -> None:
    judgement = play("bastogne", BRIDGE.format(unit=unit, turn=turn))
    if cost is None:
        assert faults(judgement) == [("bridge-closed", "illegal")]
    else:
        assert not faults(judgement)
        assert judgement.moves[0].cost == 2 * cost


# ------------------------------------------------------------------------------------------- coming, going


TRANSIT = """area bastogne-perimeter 1109 1110 1111
name 1109 Bastogne
unit a1 american infantry 3-4-10
position
  a1 {start}
  status a1 arrived {arrived}
  status a1 {mark}
turn {turn} american movement
move a1: {way}
"""


@pytest.mark.parametrize(
    ("start", "arrived", "turn", "mark", "way", "bad"),
    [
        ("1110", 18, 18, "passed-bastogne", "1110 1111", False),
        ("1110", 18, 18, "passed-bastogne", "1110 1111 1112", True),
        ("1108", 18, 18, "in-transit", "1108 1109 1110", False),
        ("1108", 18, 18, "in-transit", "1108 1109 1009", True),
        ("1110", 17, 18, "passed-bastogne", "1110 1111 1112", False),
        ("1110", 21, 21, "passed-bastogne", "1110 1111 1112", False),
    ],
)
def test_reinforcements_that_pass_bastogne_stay_in_the_perimeter(  # noqa: PLR0917
    start: str, arrived: int, turn: int, mark: str, way: str, bad: bool
) -> None:
    sheet = TRANSIT.format(start=start, arrived=arrived, turn=turn, mark=mark, way=way)
    assert illegal(play("bastogne", sheet)) == (["B 4.2.1"] if bad else [])


def test_passing_bastogne_ends_the_transit() -> None:
    sheet = TRANSIT.format(start="1108", arrived=18, turn=18, mark="in-transit", way="1108 1109")
    marks = play("bastogne", sheet).position.units["a1"].marks
    assert "passed-bastogne" in marks and "in-transit" not in marks


@pytest.mark.parametrize(
    ("division", "edge", "hex_", "mark", "severity"),
    [
        ("2", "north", "0501", "passed-noville", None),
        ("2", "north", "0501", "moved", "warning"),
        ("2", "west", "0105", "passed-noville", "illegal"),
        ("lehr", "west", "0105", "reinforcement", None),
        ("lehr", "north", "0501", "reinforcement", "illegal"),
        ("26", "west", "0105", "reinforcement", "illegal"),
    ],
)
def test_who_may_leave_where(division: str, edge: str, hex_: str, mark: str, severity: str | None) -> None:
    sheet = (
        f"unit g1 german armor 6-5-15 division {division}\nposition\n g1 {hex_}\n status g1 {mark}\n"
        f"turn 22 german movement\nexit g1: {hex_} to {edge}\n"
    )
    judgement = play("bastogne", sheet)
    found = [f.severity for f in judgement.findings if f.code == "exit" and f.severity != "info"]
    assert found == ([severity] if severity else [])
    assert judgement.position.units["g1"].where == "exited"


def test_nobody_returns_to_bastogne_and_nobody_leaves_hurtgen() -> None:
    sheet = "unit a1 american infantry 3-4-5\nposition\n a1 0105\nturn 4 american movement\nexit a1: 0105 to west\n"
    assert illegal(play("hurtgen", sheet)) == ["H 4.2.2"]
    again = "turn 4 american combat\nturn 4 german movement\nturn 4 german combat\nturn 5 american movement\n"
    later = play("hurtgen", sheet + again + "enter a1: 0105 from west\n")
    assert illegal(later) == ["H 4.2.2", "H 4.2.2"]


@pytest.mark.parametrize(
    ("line", "terrain", "ways", "rule"),
    [
        ("enter a1: 1026 from south", "open", "", None),
        ("enter a1: 1026 from south", "forest", "", "B 4.2.1"),
        ("enter a1: 1026 from south", "forest", "road 1026 1025", None),
        ("enter a1: 1026 from south by road", "open", "", "B 4.2.1"),
        ("enter a1: 1025 from south", "open", "", "B 4.2.1"),
        ("enter a1: 5110 from east", "open", "clerf 3010/3110", "B 4.2.1"),
    ],
)
def test_where_american_reinforcements_come_on(line: str, terrain: str, ways: str, rule: str | None) -> None:
    sheet = (
        f"terrain {terrain} 1026\n{ways}\nunit a1 american infantry 3-4-10\nposition\n status a1 reinforcement\n"
        f"turn 22 american movement\n{line}\n"
    )
    found = illegal(play("bastogne", sheet))
    assert (set(found) == {rule}) if rule else not found


def test_the_units_of_one_group_come_by_one_edge() -> None:
    sheet = (
        "unit a1 american infantry 3-4-5\nunit a2 american infantry 3-4-5\nposition\n status a1 reinforcement\n"
        " status a2 reinforcement\nturn 4 american movement\nenter a1: 0105 from west\nenter a2: 0601 from north\n"
    )
    assert illegal(play("hurtgen", sheet)) == ["H 4.2.1"]


# ------------------------------------------------------------------------------------------- withdrawals

FOURTH = """unit a1 american armor 7-5-10 regiment cca division 4
unit a2 american armor 7-5-10 regiment ccb division 4
unit a3 american armor 6-4-10 regiment ccr division 4
"""


def test_withdrawn_units_are_off_the_map_alive_and_come_back_in_their_turn() -> None:
    sheet = (
        FOURTH
        + "position\n a1 1010\n a2 1012\n a3 1014\nturn 7 german combat\nturn 8 american movement\nairroll 3\n"
    )
    judgement = play("metz", sheet)
    assert judgement.verdict == "legal"
    assert {judgement.position.units[u].where for u in ("a1", "a2", "a3")} == {"withdrawn"}
    late = play(
        "metz",
        FOURTH + f"position\n status a1 reinforcement\nturn 12 american movement\n{DIE}enter a1: 1523 from south\n",
    )
    assert not illegal(late)
    early = play(
        "metz",
        FOURTH + f"position\n status a1 reinforcement\nturn 11 american movement\n{DIE}enter a1: 1523 from south\n",
    )
    assert illegal(early) == ["M 4.2.2"]


def test_an_encircled_unit_stays_until_it_is_free() -> None:
    # Two Germans, north and south of 1010, hold or threaten every hex next to it.
    sheet = (
        "partial\n" + FOURTH + "unit g1 german infantry 1-3-6\nunit g2 german infantry 1-3-6\n"
        "position\n a1 1010\n g1 1009\n g2 1011\nturn 7 german combat\n"
        "turn 8 american movement\nairroll 3\nturn 8 american combat\nturn 8 german movement\n"
    )
    held = play("metz", sheet)
    assert held.position.hex_of("a1") == "1010"
    freed = play("metz", sheet + "move g1: 1009 1008\nturn 8 german combat\n")
    assert freed.position.units["a1"].where == "withdrawn"
    assert not illegal(freed)


# ------------------------------------------------------------------------------------- recovery and works


@pytest.mark.parametrize(
    ("game", "unit", "turn", "rule"),
    [
        ("bastogne", "american infantry 3-4-10", 20, "B 7.0"),
        ("metz", "german armor 4-4-8", 10, "M 7.0"),
        ("metz", "german artillery 2-1-4 range 3", 10, "M 7.0"),
        ("metz", "german armored_infantry 3-4-8", 10, None),
        ("metz", "american infantry 4-4-6", 15, None),
        ("metz", "american infantry 4-4-6", 16, "M 7.0"),
        ("hurtgen", "german infantry 1-2-5", 5, None),
        ("hurtgen", "german infantry 1-2-5", 6, "H 7.1"),
    ],
)
def test_who_recovers_when(game: str, unit: str, turn: int, rule: str | None) -> None:
    die = DIE if game == "metz" and unit.startswith("american") else ""
    sheet = (
        f"unit x1 {unit} reduced 1-1\nposition\n x1 0505 reduced\n"
        f"turn {turn} {unit.split(maxsplit=1)[0]} movement\n{die}recover x1\n"
    )
    judgement = play(game, sheet)
    assert illegal(judgement) == ([rule] if rule else [])
    assert judgement.position.units["x1"].step == "full"


ROAD_HOME = """terrain town 0103
{way} 0103 0203 0303 0403
name 0103 Zweifall
unit a1 american infantry 4-4-5 reduced 2-2
unit g1 german infantry 1-2-5
position
  a1 0404 reduced
  g1 {enemy}
  {cleared}
turn 6 american movement
recover a1
"""


@pytest.mark.parametrize(
    ("way", "enemy", "cleared", "good"),
    [
        ("road", "1010", "", True),
        ("road", "0201", "", True),
        ("road", "0202", "", False),
        ("trail", "1010", "", False),
        ("trail", "1010", "cleared 0203\n cleared 0303\n cleared 0403", True),
    ],
)
def test_recovery_near_a_free_way_to_zweifall(way: str, enemy: str, cleared: str, good: bool) -> None:
    found = illegal(play("hurtgen", ROAD_HOME.format(way=way, enemy=enemy, cleared=cleared)))
    assert found == ([] if good else ["H 7.2"])


def test_a_bridge_carries_armour_until_a_german_comes_to_it() -> None:
    sheet = (
        "river 1010/1011\nunit a1 american engineer 3-3-5\nunit a2 american armor 7-5-10\n"
        "unit g1 german infantry 2-4-6\n"
        "position\n a1 1010\n a2 1009\n g1 1013\n control american 1011\n"
        f"turn 4 american movement\n{DIE}build bridge 1010/1011 by a1\nturn 4 american combat\n"
    )
    assert not illegal(play("metz", sheet))
    assert play("metz", sheet).position.bridges
    gone = sheet + "turn 4 german movement\nmove g1: 1013 1012 1011\n"
    assert not play("metz", gone).position.bridges


def test_an_engineer_that_builds_does_not_move() -> None:
    sheet = (
        "river 1010/1011\nunit a1 american engineer 3-3-5\nposition\n a1 1010\n control american 1011\n"
        f"turn 4 american movement\n{DIE}build bridge 1010/1011 by a1\nmove a1: 1010 1009\n"
    )
    assert illegal(play("metz", sheet)) == ["M 10.0"]


def test_a_railway_is_followed_where_the_way_is_left_open() -> None:
    line = " ".join(f"10{row:02d}" for row in range(1, 24))
    sheet = (
        f"rail {line}\nunit a1 american infantry 3-4-6\nposition\n a1 1003\n"
        f"turn 6 american movement\n{DIE}rail a1: 1003 - 1020\n"
    )
    judgement = play("metz", sheet)
    assert not faults(judgement)
    assert len(judgement.moves[0].path) == 18 and judgement.moves[0].cost == 0


# ------------------------------------------------------------------------------------------ sequence, air


@pytest.mark.parametrize(
    ("phases", "bad"),
    [
        (["16 german movement", "16 german combat", "16 american movement"], False),
        (["16 german movement", "16 american movement"], True),
        (["16 american combat", "17 german movement"], False),
        (["16 german movement", "16 german movement"], True),
        (["27 german movement"], True),
    ],
)
def test_the_sequence_of_play(phases: list[str], bad: bool) -> None:
    judgement = play("bastogne", "position\n" + "".join(f"turn {p}\n" for p in phases))
    assert illegal(judgement) == (["B 3.0"] if bad else [])


@pytest.mark.parametrize(
    ("lines", "air", "bad"),
    [
        ("airroll 6\n", 30, False),
        ("airroll 2\n", 10, False),
        ("airroll 1\n", 0, False),
        ("airroll 6\nairroll 6\n", 30, True),
        ("move a1: 1010 1011\nairroll 6\n", 30, True),
        ("", 0, True),
    ],
)
def test_the_air_die(lines: str, air: int, bad: bool) -> None:
    sheet = f"unit a1 american infantry 3-4-6\nposition\n a1 1010\nturn 6 american movement\n{lines}"
    judgement = play("metz", sheet)
    assert judgement.position.air == {"american": air}
    assert illegal(judgement) == (["M 6.0"] if bad else [])


def test_air_points_come_with_the_turn_and_do_not_add_up() -> None:
    sheet = "position\nturn 22 american combat\nturn 23 german movement\n"
    assert play("bastogne", sheet).position.air == {"american": 30}
    assert play("hurtgen", "position\nturn 5 german combat\nturn 6 american movement\n").position.air == {
        "american": 0
    }


# ------------------------------------------------------------------------------------------------- duties


def test_armour_owes_nothing_to_an_enemy_in_the_mountains() -> None:
    sheet = (
        "terrain mountain 1006\nunit a1 american {kind} 6-4-8\nunit g1 german infantry 1-2-5\nposition\n a1 1005\n"
        " g1 1006\nturn 3 american movement\nturn 3 american combat\n"
    )
    assert not illegal(play("hurtgen", sheet.format(kind="armor")))
    assert illegal(play("hurtgen", sheet.format(kind="infantry"))) == ["H 4.1.2"]


def test_dominance_across_a_river_by_option() -> None:
    sheet = (
        "terrain rough 1011\nriver 1011/1012\nunit g1 german infantry 3-4-8\nunit a1 american infantry 3-4-10\n"
        "position\n g1 1012\n a1 1011\nturn 20 american movement\nturn 20 american combat\n"
    )
    assert illegal(play("bastogne", sheet)) == ["B 4.1.2"]
    assert not illegal(play("bastogne", sheet, dominance_counts_river="no"))


def test_partial_sheets_owe_nothing() -> None:
    sheet = (
        "partial\nunit g1 german infantry 3-4-8\nunit a1 american infantry 3-4-10\nposition\n g1 1012\n a1 1011\n"
        "turn 20 american movement\nturn 20 american combat\n"
    )
    assert not faults(play("bastogne", sheet))


def test_armour_that_moves_next_to_the_mountains_is_warned() -> None:
    sheet = (
        "terrain mountain 1006\nunit a1 american armor 6-4-8\nunit g1 german infantry 1-2-5\nposition\n a1 1004\n"
        " g1 1006\nturn 3 american movement\nmove a1: 1004 1005\n"
    )
    assert faults(play("hurtgen", sheet)) == [("zone-of-engagement", "warning")]


def test_the_dead_do_not_move() -> None:
    sheet = (
        "partial\nunit g1 german infantry 8-4-8\nunit a1 american infantry 3-4-10\nposition\n g1 1010\n a1 1009\n"
        "turn 20 german combat\ncombat 1009\n attack g1\n roll 3 4\n eliminate a1\n"
        "turn 20 american movement\nmove a1: 1009 1008\n"
    )
    judgement = play("bastogne", sheet)
    assert ("not-there", "illegal") in faults(judgement)
    assert judgement.position.hex_of("a1") is None


def test_armour_over_the_our_breaks_two_rules() -> None:
    sheet = (
        "our 1010/1011\nunit a1 american armor 6-4-20\nposition\n a1 1010\n"
        "turn 20 american movement\nmove a1: 1010 1011\n"
    )
    assert sorted(illegal(play("bastogne", sheet))) == ["B 4.1.1", "B 4.2.1"]
