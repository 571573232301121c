"""What mails say in a word: who moves as the one above, columns that only count, totals, sides by their states."""

from __future__ import annotations

import pytest

from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet

MOVE = "move us-112-1: 0806 0907"


def statements_read(phase: str, lines: str) -> list[str]:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american {phase}\n{lines}\n")
    return [line.strip() for line in write_sheet(sheet.statements).splitlines() if line][3:]


@pytest.mark.parametrize("line", ["112-2 only", "112-2 juntos", "112-2 too risky"])
def test_any_other_word_is_no_way(line: str) -> None:
    assert statements_read("movement", f"112-1 0806 0907\n{line}") == [MOVE]


@pytest.mark.parametrize(
    "table",
    [
        "unit | from | to | MP\n112-1 | 0806 | 0907 | 1",
        "Unit\tFrom\tTo\tCost\n112-1\t0806\t0907\t0.5",
        "nº;unidade;de;para\n1;112-1;0806;0907",
        "unidade;de;para;PM\n112-1;0806;0907;",
    ],
)
def test_a_table_may_count_its_rows_and_what_ways_cost(table: str) -> None:
    assert statements_read("movement", table) == [MOVE]


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("die rolls: 5 & 3", "roll 5 3"),
        ("step loss: 983-1", "lose ge-983-1"),
        ("983-1 and 983-2 lose a step each", "lose ge-983-1 ge-983-2"),
        ("983-1 e 983-2 perdem um passo cada", "lose ge-983-1 ge-983-2"),
    ],
)
def test_figures_and_losses(line: str, act: str) -> None:
    assert statements_read("combat", f"combat 1007\nattack 112-1\n{line}")[-1] == act


@pytest.mark.parametrize(
    ("header", "side"),
    [("EUA", "american"), ("norte-americano", "american"), ("Alemanha", "german")],
)
def test_sides_by_their_states(header: str, side: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nTurno 2 / {header} / movimento\n")
    assert write_sheet(sheet.statements).splitlines()[-1] == f"turn 2 {side} movement"
