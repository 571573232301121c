"""What people type around units, ways and dice: sides, counts of hexes, numbers of dice, points that are left."""

from __future__ import annotations

import pytest

from hexforge.validator.readers.notation.writer import write_sheet
from hexforge.validator.readers.sheet import read_sheet

MOVES = "turn 2 american movement\n"
COMBATS = "turn 2 american combat\n"
COMBAT = f"{COMBATS}combat 1007\n"
BEATEN = f"{COMBAT}attack us-112-1\nroll 5 3\nresult DRB AVI\n"


def said(turn: str, line: str) -> list[str]:
    """What a line says behind others of its phase; nothing where it cannot be read."""
    sheet = read_sheet(f"sheet 1\ngame hurtgen\n{turn}{line}\n")
    written = [text.strip() for text in write_sheet(sheet.statements).splitlines() if text]
    return [] if sheet.problems else written[2 + turn.count("\n") :]


@pytest.mark.parametrize(
    "line",
    [
        "d1=5 d2=3",
        "d1: 5, d2: 3",
        "die 1: 5, die 2: 3",
        "dado 1 = 5 e dado 2 = 3",
        "first die 5, second die 3",
        "primeiro dado: 5, segundo dado: 3",
        "Roll 1: 5 3",
        "dados 1: 5 e 3",
    ],
)
def test_dice_that_have_numbers_are_one_throw(line: str) -> None:
    assert said(COMBAT, line) == ["roll 5 3"]


@pytest.mark.parametrize("line", ["die 1: 5", "die 2: 3", "d2=3", "die 2: 3, die 1: 5", "die 1: 5, die 2: 9"])
def test_one_die_of_two_is_no_throw(line: str) -> None:
    assert said(COMBAT, line) == []


@pytest.mark.parametrize("line", ["attack 112-1 (leaves 20)", "ataca 112-1 (restam 20)", "attack 112-1 (20 left)"])
def test_points_that_are_left_are_no_unit(line: str) -> None:
    assert said(COMBAT, line) == ["attack us-112-1"]


@pytest.mark.parametrize(
    ("turn", "line", "read"),
    [
        (MOVES, "US 1/112: 0806 0907", ["move us-112-1: 0806 0907"]),
        (MOVES, "EUA 112-1: 0806 0907", ["move us-112-1: 0806 0907"]),
        (COMBAT, "attack US 1/112, US 2/112", ["attack us-112-1 us-112-2"]),
        (BEATEN, "German 983-1 retreats to 1107", ["retreat ge-983-1: 1107"]),
        (BEATEN, "German 112-1 advances to 1007", []),
    ],
)
def test_a_unit_may_stand_behind_its_side(turn: str, line: str, read: list[str]) -> None:
    assert said(turn, line) == read


@pytest.mark.parametrize(
    ("turn", "line", "read"),
    [
        (BEATEN, "983-1 retreats to 1107 (1 hex)", ["retreat ge-983-1: 1107"]),
        (BEATEN, "983-1 e 983-2 recuam 1 hex para 1107", ["retreat ge-983-1 ge-983-2: 1107"]),
        (BEATEN, "983-1 retreats one hex: 1007 1107", ["retreat ge-983-1: 1007 1107"]),
        (MOVES, "112-1: 0806 0907 0908 (2 hexes)", ["move us-112-1: 0806 0907 0908"]),
        (BEATEN, "983-1 retreats to 1107 (2 hexes)", []),
        (MOVES, "112-1: 0806 0907 0908 (3 hexes)", []),
    ],
)
def test_how_long_a_way_is_said_to_be(turn: str, line: str, read: list[str]) -> None:
    assert said(turn, line) == read


@pytest.mark.parametrize("line", ["893-td: 0306 -- 0707", "move 893-td: 0306--0707", "893-td: 0306 --- 0707"])
def test_dashes_leave_a_way_open(line: str) -> None:
    assert said(MOVES, line) == ["move us-893-td: 0306 - 0707"]


@pytest.mark.parametrize("line", ["Vossenack (1007)", "1007 (Vossenack):", "Vossenack 1007"])
def test_a_place_above_who_attacks_it_is_the_combat(line: str) -> None:
    assert said(COMBATS, f"{line}\nattack 112-1") == ["combat 1007", "attack us-112-1"]
    assert said(COMBATS, f"{line.replace('1007', '0905')}\nattack 112-1") == []
