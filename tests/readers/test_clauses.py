"""Several things in one line, joined by `and`: each is taken where each can be read, else the line is not."""

from __future__ import annotations

import pytest

from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet

MOVES = "turn 2 american movement\n"
FOUGHT = "turn 2 american combat\ncombat 1007\n  attack us-112-1\n  roll 5 3\n  result DRB AVI\n"


def statements_read(turn: str, line: str) -> list[str]:
    """What a line says behind others of its phase; nothing where it cannot be read."""
    sheet = read_sheet(f"sheet 1\ngame hurtgen\n{turn}{line}\n")
    written = [text.strip() for text in write_sheet(sheet.statements).splitlines() if text]
    return [] if sheet.problems else written[2 + turn.count("\n") :]


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("112-1 goes to 0907 and 112-2 goes to 0908", ["move us-112-1: 0907", "move us-112-2: 0908"]),
        ("112-1 vai pra 0907 e o 112-2 pra 0908", ["move us-112-1: 0907", "move us-112-2: 0908"]),
        (
            "112-1 vai a 0907, 112-2 e 112-3 vão a 0908 e o 707 vai a 0907",
            ["move us-112-1: 0907", "move us-112-2 us-112-3: 0908", "move us-707-tank: 0907"],
        ),
        ("112-1 and 112-2 go to 0907", ["move us-112-1 us-112-2: 0907"]),
    ],
)
def test_moves_joined_by_and(line: str, moves: list[str]) -> None:
    assert statements_read(MOVES, line) == moves


@pytest.mark.parametrize(
    ("line", "acts"),
    [
        ("983-1 loses a step and retreats to 1107", ["lose ge-983-1", "retreat ge-983-1: 1107"]),
        ("o 983-1 perde um passo e recua para 1107", ["lose ge-983-1", "retreat ge-983-1: 1107"]),
        ("112-1 loses a step, advances", ["lose us-112-1", "advance us-112-1: 1007"]),
        (
            "983-1 perde um passo e 983-1 e 983-2 recuam para 1107",
            ["lose ge-983-1", "retreat ge-983-1 ge-983-2: 1107"],
        ),
    ],
)
def test_what_becomes_of_units_told_with_one_subject(line: str, acts: list[str]) -> None:
    assert statements_read(FOUGHT, line) == acts


@pytest.mark.parametrize(
    ("turn", "line"),
    [
        (MOVES, "112-1 and 112-2 go to 0907 and the tanks follow"),
        (MOVES, "112-1 goes to 0907 and not to 0908"),
        (FOUGHT, "983-1 loses a step and does not retreat"),
        (FOUGHT, "983-1 loses a step and will retreat to 1107"),
    ],
)
def test_a_line_of_which_one_part_cannot_be_read_is_not_taken_in_part(turn: str, line: str) -> None:
    assert statements_read(turn, line) == []


@pytest.mark.parametrize(
    ("line", "acts"),
    [
        ("983-1 perde um, avanço com 112-1 para 1007", ["lose ge-983-1", "advance us-112-1: 1007"]),
        (
            "983-1 loses a step, 983-1 and 983-2 both retreat to 1107",
            ["lose ge-983-1", "retreat ge-983-1 ge-983-2: 1107"],
        ),
    ],
)
def test_who_goes_with_another_goes_too(line: str, acts: list[str]) -> None:
    assert statements_read(FOUGHT, line) == acts


@pytest.mark.parametrize(
    "line",
    [
        "983-1 sofre baixa",
        "o 983-1 sofreu uma perda",
        "983-1 is reduced",
        "983-1 reduzida",
        "983-1 suffers a step loss",
    ],
)
def test_a_loss_by_what_the_unit_suffers(line: str) -> None:
    assert statements_read(FOUGHT, line) == ["lose ge-983-1"]


@pytest.mark.parametrize(
    ("line", "acts"),
    [
        ("guard 983-1; support 28-art-1", ["guard ge-983-1", "support us-28-art-1"]),
        ("Defender: 983-1\nSupport: 189-1, 189-2", ["guard ge-983-1", "guard ge-189-1 ge-189-2"]),
        ("Defensor: 983-1\nApoio: 189-1", ["guard ge-983-1", "guard ge-189-1"]),
        ("Defensor: 983-1\nApoio: 28-art-1", ["guard ge-983-1", "support us-28-art-1"]),
        ("guard ge-983-1\nsupport offboard 30", ["guard ge-983-1", "support offboard 30"]),
        ("Defensive support: 189-1", ["guard ge-189-1"]),
        ("apoio \u00e0 defesa: 189-1", ["guard ge-189-1"]),
        ("support ge-189-1", ["support ge-189-1"]),
    ],
)
def test_who_supports_behind_who_defends_supports_the_defence(line: str, acts: list[str]) -> None:
    assert statements_read(FOUGHT, line) == acts


OWN = """sheet 1
game hurtgen
unit a1 american infantry 4-4-5
unit g1 german infantry 2-3-5
unit g2 german artillery 2-1-6 range 7
position
  a1 0906
  g1 1007
  g2 1109
turn 2 american combat
combat 1007
attack a1
"""


@pytest.mark.parametrize(("word", "taken"), [("guard g1", "guard g2"), ("attack a1", "support g2")])
def test_whose_guns_support_is_known_of_units_of_the_sheets_own(word: str, taken: str) -> None:
    sheet = read_sheet(f"{OWN}{word}\nsupport g2\n")
    assert write_sheet(sheet.statements).splitlines()[-1].strip() == taken
