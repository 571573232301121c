"""Who takes part: adjacency, phases, artillery on both sides, guns beyond the map, air."""

from __future__ import annotations

import pytest

from tests.referee.combat_sheets import assault, faults, play

PAIR = "a1 infantry 4-4-10 @ 1009 | g1 infantry 3-4-8 @ 1010"


@pytest.mark.parametrize(
    ("units", "acts", "wrong"),
    [
        (PAIR, "attack a1", []),
        (f"{PAIR} | a2 infantry 3-4-10 @ 1008", "attack a1 a2", [("B 5.0", "not-adjacent")]),
        (f"{PAIR} | a2 infantry 3-4-10 @ -", "attack a1 a2", [("B 5.0", "not-there")]),
        (PAIR, "attack a1 a9", [("B 5.0", "unknown-unit")]),
        (PAIR, "attack a1 g1", [("B 3.0", "wrong-side")]),
        (PAIR, "attack a1 a1", [("B 5.0", "attacked-twice")]),
        (f"{PAIR} | a7 artillery 2-1-8 range 7 @ 1005", "support a7", [("B 5.0", "not-adjacent")]),
    ],
)
def test_attackers(units: str, acts: str, wrong: list[tuple[str, str]]) -> None:
    assert faults(assault("bastogne", units, acts, header="partial")) == wrong


def test_a_hex_without_enemies_is_no_target() -> None:
    judged = assault("bastogne", PAIR, "attack a1", header="partial", target="1008")
    assert faults(judged) == [("B 5.0", "not-there")]


def test_a_combat_is_against_one_hex() -> None:
    units = f"{PAIR} | g2 infantry 3-4-8 @ 0910"
    judged = assault("bastogne", units, "attack a1", header="partial", target="1010 0910")
    assert faults(judged) == [("B 5.1.2", "special")]
    assert judged.combats[0].defence == 8


def test_combats_are_fought_in_combat_phases() -> None:
    judged = play(
        "bastogne",
        "partial|unit a1 american infantry 4-4-10|unit g1 german infantry 3-4-8|position|a1 1009|g1 1010"
        "|turn 22 american movement|combat 1010|attack a1",
    )
    assert faults(judged) == [("B 3.0", "wrong-phase")]


def test_an_attack_out_of_turn_is_one_mistake_and_computed_all_the_same() -> None:
    judged = assault("bastogne", PAIR, "attack a1 | declare 4:4 odds 1-1", header="partial", turn="22 german")
    assert faults(judged) == [("B 3.0", "wrong-side")]
    assert (judged.combats[0].attack, judged.combats[0].defence) == (4, 4)
    text = "a1 artillery 3-1-8 range 9 @ 1005 | g1 infantry 3-4-8 @ 1010 :: bombard 1010 by a1"
    assert bombard("bastogne", text, "22 german") == [("B 8.0", "wrong-phase")]


def test_armour_does_not_engage_in_the_mountains() -> None:
    units = "a1 armor 6-4-8 @ 1009 | a2 infantry 4-4-5 @ 1009 | g1 infantry 1-2-5 @ 1010"
    mixed = assault("hurtgen", units, "attack a1 a2", header="partial", ground="terrain mountain 1010")
    assert faults(mixed) == [("H 5.1.2", "prohibited-terrain")]
    foot = assault("hurtgen", units, "attack a2", header="partial", ground="terrain mountain 1010")
    assert faults(foot) == []


def test_who_rode_the_rails_does_not_fight() -> None:
    judged = play(
        "metz",
        """partial
        rail 1006 1007 1008
        unit a1 american infantry 4-4-6
        unit a2 american artillery 5-1-5 range 6
        unit g1 german infantry 2-4-6
        position
        a1 1009
        a2 1006
        g1 1010
        turn 6 american movement
        airroll 3
        rail a2: 1006 1007 1008
        turn 6 american combat
        combat 1010
        attack a1
        support a2""",
    )
    assert faults(judged) == [("M 9.0", "rail")]


# --------------------------------------------------------------------------------------------- artillery


@pytest.mark.parametrize(
    ("gun", "hex_", "wrong"),
    [
        ("artillery 2-1-8 range 7", "1003", []),
        ("artillery 2-1-8 range 7", "1002", [("B 8.0", "artillery-range")]),
        ("mechanized_artillery 2-2-20 range 7", "1004", []),
        ("rocket 2-1-6 range 4", "1006", []),
        ("infantry 3-4-10", "1008", [("B 8.0", "artillery-support")]),
        ("antitank 1-3-6 range 4", "1007", []),
    ],
)
def test_support_from_afar(gun: str, hex_: str, wrong: list[tuple[str, str]]) -> None:
    judged = assault("bastogne", f"{PAIR} | a7 {gun} @ {hex_}", "attack a1 | support a7", header="partial")
    assert faults(judged) == wrong


def test_a_gun_next_to_the_target_is_engaged() -> None:
    units = f"{PAIR} | a7 artillery 2-1-8 range 7 @ 0910"
    told = "attack a1 | support a7 | result DVI ARI | retreat a1: 1009 1008"
    judged = assault("bastogne", units, told)
    assert [f.severity for f in judged.findings if f.code == "artillery-support"] == ["warning"]
    assert faults(judged) == [("B 5.1.6", "retreat")]


GUARDED = "g1 infantry 8-4-8 @ 1009 | a1 infantry 3-4-10 division 28 @ 1010 | {}"


@pytest.mark.parametrize(
    ("game", "gun", "legal"),
    [
        ("bastogne", "a7 artillery 2-1-8 range 7 division 28 @ 1014", True),
        ("bastogne", "a7 artillery 2-1-8 range 7 division 80 @ 1014", False),
        ("bastogne", "a7 artillery 2-1-8 range 7 @ 1014", False),
        ("bastogne", "a7 artillery 2-1-8 range 7 corps 28 @ 1014", False),
        ("bastogne", "a7 artillery 2-1-8 range 7 division 28 @ 1010", False),
        ("metz", "a7 artillery 2-1-8 range 7 @ 1014", True),
        ("hurtgen", "a7 artillery 2-1-8 range 7 division 28 @ 1012", True),
        ("hurtgen", "a7 mortar 2-2-4 range 4 @ 1012", False),
    ],
)
def test_who_supports_a_defence(game: str, gun: str, legal: bool) -> None:
    turn = {"bastogne": "22 german", "metz": "6 german", "hurtgen": "6 german"}[game]
    judged = assault(game, GUARDED.format(gun), "attack g1 | guard a7", header="partial", turn=turn)
    assert (faults(judged) == []) == legal


@pytest.mark.parametrize(("hex_", "legal"), [("1010", True), ("1014", False)])
def test_who_is_attacked_may_be_named_as_who_defends(hex_: str, legal: bool) -> None:
    units = GUARDED.format(f"a7 infantry 2-1-8 division 28 @ {hex_}")
    judged = assault("metz", units, "attack g1 | guard a7", header="partial", turn="6 german")
    assert (faults(judged) == []) == legal


def test_the_artillery_of_one_division_supports_a_mixed_stack() -> None:
    units = GUARDED.format(
        "a2 infantry 3-4-10 division 101 @ 1010 | a7 artillery 2-1-8 range 7 division 28 @ 1014"
        " | a8 artillery 3-1-8 range 7 division 101 @ 1014"
    )
    for guard, wrong in (("a7", []), ("a8", []), ("a7 a8", [("B 8.0", "artillery-support")])):
        judged = assault("bastogne", units, f"attack g1 | guard {guard}", header="partial", turn="22 german")
        assert faults(judged) == wrong


@pytest.mark.parametrize(("area", "legal"), [("1010 1014", True), ("1010", False), ("1014", False)])
def test_within_the_perimeter_everybody_supports_everybody(area: str, legal: bool) -> None:
    judged = assault(
        "bastogne",
        GUARDED.format("a7 artillery 2-1-8 range 7 @ 1014"),
        "attack g1 | guard a7",
        header="partial",
        turn="22 german",
        ground=f"area bastogne-perimeter {area}",
    )
    assert (faults(judged) == []) == legal


@pytest.mark.parametrize("act", ["support a7", "guard a7"])
def test_guns_in_forest_are_silent(act: str) -> None:
    units = "a1 infantry 4-4-5 division 28 @ 1009 | g1 infantry 1-2-5 @ 1010"
    units += " | a7 artillery 3-1-4 range 9 division 28 @ 1006"
    if act.startswith("support"):
        judged = assault("hurtgen", units, f"attack a1 | {act}", header="partial", ground="terrain forest 1006")
    else:
        judged = assault(
            "hurtgen",
            units,
            f"attack g1 | {act}",
            header="partial",
            ground="terrain forest 1006",
            target="1009",
            turn="6 german",
        )
    assert faults(judged) == [("H 8.0", "artillery-terrain")]


def bombard(game: str, text: str, turn: str, ground: str = "") -> list[tuple[str, str]]:
    units, _, acts = text.partition("::")
    declared, placed = [], []
    for line in units.split("|"):
        what, _, where = line.strip().partition(" @ ")
        id_, rest = what.split(maxsplit=1)
        declared.append(f"unit {id_} {'american' if id_.startswith('a') else 'german'} {rest}")
        placed.append(f"{id_} {where}")
    body = ["partial", ground, *declared, "position", *placed, f"turn {turn} combat", *acts.split("|")]
    return faults(play(game, "\n".join(body)))


GUNS = "a1 artillery 2-1-8 range 7 regiment 1 division 28 @ 1005 | a2 artillery 2-1-8 range 7 {} @ 1005"


@pytest.mark.parametrize(
    ("formation", "legal"),
    [
        ("regiment 1 division 28", True),
        ("regiment 2 division 28", True),
        ("regiment 1 division 80", False),
        ("", False),
        ("corps 28", False),
    ],
)
def test_only_guns_of_one_formation_bombard_together(formation: str, legal: bool) -> None:
    text = GUNS.format(formation) + " | g1 infantry 3-4-8 @ 1010 :: bombard 1010 by a1 a2"
    assert (bombard("bastogne", text, "22 american") == []) == legal
    assert bombard("metz", text, "6 american") == []


def test_independent_guns_of_one_regiment_bombard_together() -> None:
    text = (
        "g1 rocket 2-1-6 range 5 regiment 55 @ 1005 | g2 rocket 2-1-6 range 5 regiment 55 @ 1005"
        " | a1 infantry 3-4-8 @ 1010 :: bombard 1010 by g1 g2"
    )
    assert bombard("bastogne", text, "18 german") == []


@pytest.mark.parametrize(
    ("acts", "wrong"),
    [
        ("bombard 1010 by a1 offboard 20", []),
        ("bombard 1010 by offboard 50", []),
        ("bombard 1010 by offboard 51", [("H 8.0", "artillery-support")]),
        ("bombard 1010 by offboard 30 | bombard 1510 by offboard 30", [("H 8.0", "artillery-support")]),
        ("bombard 1010 by a1 | air 2", [("H 8.0", "air-points")]),
        ("bombard 1010 by a1 | bombard 1010 by offboard 10", [("H 8.0", "attacked-twice")]),
    ],
)
def test_guns_beyond_the_map(acts: str, wrong: list[tuple[str, str]]) -> None:
    text = "a1 artillery 3-1-4 range 8 @ 1005 | g1 infantry 1-2-5 @ 1010 | g2 infantry 1-2-5 @ 1510"
    assert bombard("hurtgen", f"{text} :: {acts}", "2 american") == wrong


def test_the_points_of_a_turn_serve_attack_and_defence_together() -> None:
    text = (
        "a1 infantry 3-4-5 @ 1010 | g1 infantry 4-2-5 @ 1009 | g2 infantry 1-2-5 @ 1510"
        " :: bombard 1510 by offboard 30 | turn 2 german movement | turn 2 german combat | combat 1010 | attack g1"
        " | guard offboard {}"
    )
    # By the rulebook they do not defend at all; where a club has them do so they share the points of the turn.
    assert bombard("hurtgen", text.format(20), "2 american") == [("H 8.0", "artillery-support")]
    club = "option offboard_defends=yes"
    assert bombard("hurtgen", text.format(20), "2 american", club) == []
    assert bombard("hurtgen", text.format(21), "2 american", club) == [("H 8.0", "artillery-support")]


# --------------------------------------------------------------------------------------------------- air


@pytest.mark.parametrize(
    ("game", "points", "wrong"),
    [
        ("bastogne", 2, ["air-limits"]),
        ("bastogne", 3, []),
        ("bastogne", 10, []),
        ("bastogne", 11, ["air-limits"]),
        ("hurtgen", 1, ["air-limits"]),
        ("hurtgen", 2, []),
        ("hurtgen", 6, []),
        ("hurtgen", 7, ["air-limits"]),
    ],
)
def test_air_attacks_have_their_limits(game: str, points: int, wrong: list[str]) -> None:
    turn = {"bastogne": "23 american", "hurtgen": "5 american"}[game]
    found = bombard(game, f"g1 infantry 3-4-8 @ 1010 :: airstrike 1010 points {points}", turn)
    assert [code for _, code in found] == wrong


def test_support_in_a_combat_has_limits_only_by_option() -> None:
    acts = "attack a1 | air 2"
    assert faults(assault("bastogne", PAIR, acts, header="partial", turn="23 american")) == []
    judged = assault(
        "bastogne", PAIR, acts, header="partial|option air_limits_apply_to_support=yes", turn="23 american"
    )
    assert faults(judged) == [("B 6.2", "air-limits")]


def test_an_air_attack_waits_for_its_own_phase_and_side() -> None:
    text = "a1 infantry 3-4-8 @ 1008 | g1 infantry 3-4-8 @ 1010 :: airstrike {} points 5"
    assert bombard("bastogne", text.format("1010"), "23 german") == [("B 6.2", "wrong-phase")]
    assert bombard("bastogne", text.format("1008"), "23 german") == [("B 6.1", "air-points")]


def test_both_combat_phases_of_a_turn_share_the_points() -> None:
    text = (
        "a1 infantry 3-4-8 @ 1010 | g1 infantry 3-4-8 @ 1009 | g2 infantry 3-4-8 @ 1510"
        " :: combat 1010 | attack g1 | guard air 25 | turn 23 american movement | turn 23 american combat"
        " | airstrike 1510 points {}"
    )
    assert bombard("bastogne", text.format(5), "23 german") == []
    assert bombard("bastogne", text.format(6), "23 german") == [("B 6.1", "air-points")]


BEYOND = "a1 infantry 4-4-5 @ 1010 | g1 infantry 4-4-5 @ 1009"
TURNED = "a1 infantry 4-4-5 @ 1009 | g1 infantry 4-4-5 @ 1010"


@pytest.mark.parametrize(
    "named", ["guard a1|support offboard 20", "guard a1|support offboard 12|support offboard 8"]
)
def test_points_behind_who_defends_are_of_the_side_that_has_any(named: str) -> None:
    acts = f"attack g1|{named}|declare 4:24"
    judged = assault("hurtgen", BEYOND, acts, turn="2 german", header="partial|option offboard_defends=yes")
    assert faults(judged) == [] and (judged.combats[0].attack, judged.combats[0].defence) == (4, 24)
    judged = assault("hurtgen", BEYOND, acts, turn="2 german", header="partial")
    assert {code for _, code in faults(judged)} == {"artillery-support"}
    assert "findings.offboard-guards" in {f.message.key for f in judged.findings}


@pytest.mark.parametrize(
    ("turn", "units", "acts"),
    [
        ("2 german", BEYOND, "attack g1|support offboard 20"),
        ("2 american", TURNED, "attack a1|guard g1|support offboard 20"),
    ],
)
def test_points_are_else_of_the_attack(turn: str, units: str, acts: str) -> None:
    assert assault("hurtgen", units, acts, turn=turn, header="partial").combats[0].attack == 24
