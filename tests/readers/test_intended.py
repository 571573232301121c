"""Who says that he will do something orders it; who foretells what others do, or what he does later, does not."""

from __future__ import annotations

import pytest

from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet

MOVES = "turn 2 american movement\n"
FIGHTS = "turn 2 american combat\n"


def statements_read(turn: str, line: str) -> list[str]:
    """What a line says below the first of its phase; nothing where it cannot be read."""
    sheet = read_sheet(f"sheet 1\ngame hurtgen\n{turn}{line}\n")
    written = [text.strip() for text in write_sheet(sheet.statements).splitlines() if text]
    return [] if sheet.problems else written[2 + turn.count("\n") :]


@pytest.mark.parametrize(
    "line",
    [
        "I'll move 112-1 to 0907",
        "I\u2019ll move 112-1 to 0907",
        "vou mover us-112-1 para 0907",
        "Agora eu vou mover o 112-1 para 0907",
        "vamos mover o 112-1 para 0907",
    ],
)
def test_who_will_move_a_unit_moves_it(line: str) -> None:
    assert statements_read(MOVES, line) == ["move us-112-1: 0907"]


@pytest.mark.parametrize(
    ("turn", "line"),
    [
        (MOVES, "they will move 112-1 to 0907"),
        (MOVES, "I will not move 112-1 to 0907"),
        (MOVES, "n\u00e3o vou mover 112-1 para 0907"),
        (MOVES, "I will move 112-1 to 0907 tomorrow"),
        (MOVES, "vou mover 112-1 para 0907 depois"),
        (MOVES, "Next turn I will move 112-1 to 0907"),
        (MOVES, "If it rains I will move 112-1 to 0907"),
        (MOVES, "I will attack 1007 with 112-1"),
        (FIGHTS, "I will move 112-1 to 0907"),
        (FIGHTS, "vou ent\u00e3o mover 112-1 para 0907"),
        (f"{FIGHTS}combat 1007\n", "we will lose 112-1"),
        (f"{FIGHTS}combat 1007\n", "vou perder 112-1"),
    ],
)
def test_who_foretells_or_denies_orders_nothing(turn: str, line: str) -> None:
    assert statements_read(turn, line) == []
