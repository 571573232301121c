"""What people type around units, ways and dice: sides, counts of hexes, numbers of dice, points that are left."""

from __future__ import annotations

import pytest

from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet

MOVES = "turn 2 american movement\n"
COMBATS = "turn 2 american combat\n"
COMBAT = f"{COMBATS}combat 1007\n"
BEATEN = f"{COMBAT}attack us-112-1\nroll 5 3\nresult DRB AVI\n"


def statements_read(turn: str, line: str, game: str = "hurtgen") -> list[str]:
    """What a line says behind others of its phase; nothing where it cannot be read."""
    sheet = read_sheet(f"sheet 1\ngame {game}\n{turn}{line}\n")
    written = [text.strip() for text in write_sheet(sheet.statements).splitlines() if text]
    return [] if sheet.problems else written[2 + turn.count("\n") :]


@pytest.mark.parametrize(
    "line",
    [
        "d1=5 d2=3",
        "d1: 5, d2: 3",
        "dado 1 = 5 e dado 2 = 3",
        "Dados: d1=5, d2=3",
    ],
)
def test_dice_that_have_numbers_are_one_throw(line: str) -> None:
    assert statements_read(COMBAT, line) == ["roll 5 3"]


@pytest.mark.parametrize(
    "line",
    [
        "d2=3",
    ],
)
def test_one_die_of_two_is_no_throw(line: str) -> None:
    assert statements_read(COMBAT, line) == []


@pytest.mark.parametrize("line", ["attack 112-1 (leaves 20)", "ataca 112-1 (restam 20)", "attack 112-1 (20 left)"])
def test_points_that_are_left_are_no_unit(line: str) -> None:
    assert statements_read(COMBAT, line) == []


@pytest.mark.parametrize(
    ("turn", "line", "read"),
    [
        (BEATEN, "German 112-1 advances to 1007", []),
        ("position\n", "air american 893", ["air american 893"]),
        (MOVES, "score american 893 german 983", ["score american 893 german 983"]),
    ],
)
def test_a_unit_may_stand_behind_its_side(turn: str, line: str, read: list[str]) -> None:
    assert statements_read(turn, line) == read


@pytest.mark.parametrize(
    ("turn", "line", "read"),
    [
        (BEATEN, "983-1 retreats to 1107 (1 hex)", ["retreat ge-983-1: 1107"]),
        (BEATEN, "983-1 e 983-2 recuam 1 hex para 1107", ["retreat ge-983-1 ge-983-2: 1107"]),
        (BEATEN, "983-1 retreats one hex: 1007 1107", ["retreat ge-983-1: 1007 1107"]),
        (MOVES, "112-1: 0806 0907 0908 (2 hexes)", ["move us-112-1: 0806 0907 0908"]),
    ],
)
def test_how_long_a_way_is_said_to_be(turn: str, line: str, read: list[str]) -> None:
    assert statements_read(turn, line) == read


@pytest.mark.parametrize("line", ["893-td: 0306 -- 0707", "893-td: 0306 --- 0707"])
def test_dashes_leave_a_way_open(line: str) -> None:
    assert statements_read(MOVES, line) == ["move us-893-td: 0306 - 0707"]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("1007 is attacked by 112-1 and 707", ["combat 1007", "attack us-112-1 us-707-tank"]),
        ("1007 foi atacado por 112-1", ["combat 1007", "attack us-112-1"]),
    ],
)
def test_combats_are_counted_and_told_of_their_hex(line: str, read: list[str]) -> None:
    assert statements_read(COMBATS, line) == read


@pytest.mark.parametrize("line", ["Odds: 48:4 = 9-1", "Propor\u00e7\u00e3o: 48:4, 9-1"])
def test_totals_may_stand_before_the_odds_that_they_give(line: str) -> None:
    assert statements_read(COMBAT, line) == ["declare 48:4 odds 9-1"]


FIRE = "turn 1 american combat\n"


@pytest.mark.parametrize(
    "line",
    [
        "0721: 101, 104 + xii-art",
        "0721: 101, 104, xii-art",
        "101 + 104 + xii-art x 0721",
    ],
)
def test_guns_behind_who_attacks_a_hex_support(line: str) -> None:
    assert statements_read(FIRE, line, "metz") == ["combat 0721", "attack us-101 us-104", "support us-xii-art"]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("0721: xii-art", ["combat 0721", "attack us-xii-art"]),
        ("0721 atacado por 101 e xii-art", ["combat 0721", "attack us-101 us-xii-art"]),
        ("combat 0721\nattack us-101 us-xii-art", ["combat 0721", "attack us-101 us-xii-art"]),
    ],
)
def test_guns_alone_or_said_to_attack_do_so(line: str, read: list[str]) -> None:
    assert statements_read(FIRE, line, "metz") == read


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("air strike on 1111, air points 6", ["airstrike 1111 points 6"]),
        ("air strike 1111, 6 points: 12, column 1-12", []),
    ],
)
def test_points_of_an_air_strike(line: str, read: list[str]) -> None:
    assert statements_read(FIRE, line, "metz") == read


def test_points_that_are_left_are_no_total() -> None:
    line = "bombard 0709 by 20 offboard (leaves 30): 40, column 11-20, roll 3 6"
    assert not any("30" in text for text in statements_read(COMBATS, line))


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("112-1 + 112-2 = 10 x 3, 3-1", ["attack us-112-1 us-112-2", "declare 10:3 odds 3-1"]),
        (
            "112-1 + 112-2 + 30 offboard = 38 x 4, 9-1",
            ["attack us-112-1 us-112-2", "support offboard 30", "declare 38:4 odds 9-1"],
        ),
        ("983-1 + 983-2 = 4 x 8, 1-2", []),
        ("112-1 + 112-2 = 8 or so", []),
    ],
)
def test_who_attacks_may_be_told_as_a_sum(line: str, read: list[str]) -> None:
    assert statements_read(COMBAT, line) == read


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("0314: 317, 318 contra 126", ["combat 0314", "attack us-317 us-318"]),
        ("combat 0314\nattack 317 and 318 against 126", ["combat 0314", "attack us-317 us-318"]),
        ("1111: 317, 318 x 15", ["combat 1111", "attack us-317 us-318"]),
        (
            "0616: 134, 137, apoio 3army-art, contra 1126",
            ["combat 0616", "attack us-134 us-137", "support us-3army-art"],
        ),
        ("317+318 vs 0314", ["combat 0314", "attack us-317 us-318"]),
    ],
)
def test_those_against_whom_others_attack_do_not(line: str, read: list[str]) -> None:
    assert statements_read(FIRE, line, "metz") == read


@pytest.mark.parametrize(
    "line", ["bombard 0709 (20 offboard, 30 left)", "Bombardeio sobre 0709 (20 fora do mapa, sobram 30)"]
)
def test_points_that_are_left_fire_at_nobody(line: str) -> None:
    assert statements_read(COMBATS, line) == []


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("0314: 317 + 318 + 319 = 9:3", ["combat 0314", "attack us-317 us-318 us-319", "declare 9:3"]),
        ("0314: 126 = 3:9", []),
    ],
)
def test_a_hex_with_who_attacks_it_and_their_sum(line: str, read: list[str]) -> None:
    assert statements_read(FIRE, line, "metz") == read


def test_a_range_before_a_regiment_is_no_battalion() -> None:
    line = "unit a1 american infantry 1-1-1 range 1 regiment 109 size II"
    sheet = read_sheet(f"sheet 1\ngame bastogne\n{line}\n")
    assert not sheet.problems and write_sheet(sheet.statements).splitlines()[-1] == line


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("0509: 2", []),
        ("0509: 15, 10", []),
    ],
)
def test_units_of_the_side_that_attacks_may_be_called_by_short_numbers(line: str, read: list[str]) -> None:
    assert statements_read(FIRE, line, "metz") == read


def test_points_behind_sides_are_no_units() -> None:
    turn = "turn 17 american combat\n"
    assert statements_read(turn, "score american 914 german 914", "bastogne") == ["score american 914 german 914"]
