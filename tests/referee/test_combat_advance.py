"""Advances after combat: who, how far, over what."""

from __future__ import annotations

import pytest

from tests.referee.combat_sheets import assault, faults

TYPES = {
    "bastogne": {
        0: "artillery antitank rocket",
        1: "infantry parachute glider engineer",
        2: "armor assault_gun tank_destroyer mechanized_cavalry mechanized_artillery armored_engineer"
        " mechanized_infantry motorized_infantry",
    },
    "metz": {
        0: "artillery",
        1: "infantry engineer construction_engineer fortress_infantry security",
        2: "armor armored_infantry tank_destroyer mechanized_cavalry",
    },
    "hurtgen": {
        0: "artillery antitank mortar",
        1: "infantry engineer fortress_infantry mechanized_artillery",
        2: "armor tank_destroyer mechanized_cavalry armored_infantry armored_engineer motorized_infantry",
    },
}
CASES = [
    (game, kind, reach)
    for game, reaches in TYPES.items()
    for reach, kinds in reaches.items()
    for kind in kinds.split()
]


def follow_up(
    game: str, way: str, *, kind: str = "armor", ground: str = "", extra: str = ""
) -> list[tuple[str, str]]:
    units = f"a1 {kind} 20-4-15 range 7 @ 1009 | g1 infantry 3-1-8 reduced 1-1 @ 1010 reduced"
    judged = assault(
        game, f"{units} | {extra}", f"attack a1 | result DRB AVI | eliminate g1 | advance a1: {way}", ground=ground
    )
    return faults(judged)


@pytest.mark.parametrize(("game", "kind", "reach"), CASES)
def test_how_far_each_type_goes(game: str, kind: str, reach: int) -> None:
    letter = game[0].upper()
    for hexes, way in ((1, "1009 1010"), (2, "1009 1010 1011")):
        wrong = follow_up(game, way, kind=kind, ground="road 1009 1010 1011")
        assert wrong == ([] if hexes <= reach else [(f"{letter} 5.2", "advance")])


@pytest.mark.parametrize("way", ["1010", "1009 1010", "1010 1011", "1009 1010 1011"])
def test_the_sheet_may_leave_out_where_the_unit_comes_from(way: str) -> None:
    assert follow_up("bastogne", way) == []


@pytest.mark.parametrize(
    ("game", "ground", "legal"),
    [
        ("bastogne", "", True),
        ("bastogne", "terrain town 1011", True),
        ("bastogne", "terrain forest 1011", False),
        ("bastogne", "terrain town 1010", False),
        ("bastogne", "terrain town+rough 1011", False),
        ("bastogne", "river 1010/1011", False),
        ("bastogne", "river 1010/1011|road 1010 1011", False),
        ("bastogne", "river 1009/1010", False),
        ("bastogne", "river 1009/1010|road 1009 1010", True),
        ("metz", "", False),
        ("metz", "road 1009 1010 1011", True),
        ("metz", "road 1010 1011", False),
        ("metz", "road 1009 1010 1011|terrain town 1011", False),
        ("metz", "road 1009 1010 1011|river 1010/1011", False),
        ("metz", "road 1009 1010 1011|fortification 1010/1011", False),
        ("metz", "road 1009 1010 1011|siegfried 1010/1011", False),
        ("hurtgen", "", True),
        ("hurtgen", "terrain town 1011", True),
        ("hurtgen", "terrain forest 1010", False),
        ("hurtgen", "terrain mountain 1011", False),
        ("hurtgen", "river 1010/1011", False),
    ],
)
def test_what_the_second_hex_depends_on(game: str, ground: str, legal: bool) -> None:
    assert (follow_up(game, "1009 1010 1011", ground=ground) == []) == legal


def test_the_first_hex_may_lie_in_an_enemy_zone_but_not_be_left_again() -> None:
    enemy = "g9 infantry 3-4-8 @ 1112"
    assert follow_up("bastogne", "1009 1010 1011", extra=enemy) == []
    enemy = "g9 infantry 3-4-8 @ 1011"
    assert follow_up("bastogne", "1009 1010", extra=enemy) == []
    assert follow_up("bastogne", "1009 1010 1110", extra=enemy) == [("B 5.2", "must-stop")]


def test_the_first_hex_is_the_one_that_was_attacked() -> None:
    assert follow_up("bastogne", "1009 1008") == [("B 5.2", "advance")]


def test_nobody_advances_where_the_enemy_still_stands() -> None:
    units = "a1 armor 20-4-15 @ 1009 | g1 infantry 3-4-8 @ 1010"
    judged = assault("bastogne", units, "attack a1 | result DRI AVI | advance a1: 1010", header="partial")
    assert faults(judged) == [("B 5.2", "enemy-occupied")]


@pytest.mark.parametrize("result", ["IMP", "DVB ARI"])
def test_only_victors_advance(result: str) -> None:
    units = "a1 armor 20-4-15 @ 1009 | g1 infantry 3-4-8 @ 1010"
    judged = assault("bastogne", units, f"attack a1 | result {result} | advance a1: 1010", header="partial")
    assert faults(judged) == [("B 5.2", "advance")]


def test_support_from_afar_stays_where_it_is() -> None:
    units = "a1 armor 20-4-15 @ 1009 | a7 mechanized_artillery 2-2-20 range 7 @ 1008 | g1 infantry 3-1-8 @ 1010"
    judged = assault(
        "bastogne", units, "attack a1 | support a7 | result DE AVI | eliminate g1 | advance a7: 1008 1009 1010"
    )
    assert ("B 5.2", "advance") in faults(judged)


def test_a_hex_holds_no_more_after_an_advance() -> None:
    units = " | ".join(f"a{n} infantry 4-4-10 @ 1009" for n in range(1, 5)) + " | g1 infantry 3-1-8 @ 1010"
    units = f"{units} | a5 infantry 4-4-10 @ 0910"
    told = "attack a1 a2 a3 a4 a5 | result DE AVI | eliminate g1 | advance a1 a2 a3 a4: 1010"
    assert faults(assault("bastogne", units, told)) == []
    assert faults(assault("bastogne", units, f"{told} | advance a5: 1010")) == [("B 4.1.1", "stacking")]


def test_germans_keep_out_of_the_last_row() -> None:
    units = "g1 infantry 20-4-8 @ 2025 | a1 infantry 3-1-10 @ 2026"
    judged = assault(
        "bastogne",
        units,
        "attack g1 | result DE AVI | eliminate a1 | advance g1: 2026",
        target="2026",
        turn="23 german",
        board="map blank open 51x26",
    )
    assert faults(judged) == [("B 5.2", "prohibited-terrain")]


def test_an_advance_owes_no_attack_and_holds_its_hex() -> None:
    units = "a1 armor 20-4-15 @ 1009 | g1 infantry 3-1-8 @ 1010 | g9 infantry 3-4-8 @ 1011"
    judged = assault("bastogne", units, "attack a1 | result DE AVI | eliminate g1 | advance a1: 1010")
    assert faults(judged) == []
    assert judged.position.control["1010"] == "american"
