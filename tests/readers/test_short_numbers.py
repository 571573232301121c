"""Units of one and two figures: where a number may be a total, or say how many, it is no unit's."""

from __future__ import annotations

import pytest

from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet

COMBAT = "combat 1111\n  attack us-101\n  roll 6 4\n  result DRB AVB\n"


def statements_read(phase: str, lines: str) -> list[str]:
    """The lines of a turn of Metz as they are written, those that cannot be read left out."""
    sheet = read_sheet(f"sheet 1\ngame metz\nturn 1 american {phase}\n{lines}\n")
    return [line.strip() for line in write_sheet(sheet.statements).splitlines() if line][3:]


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("perde o 15", "lose ge-15"),
        ("o 15 perde um passo", "lose ge-15"),
        ("15 loses a step", "lose ge-15"),
        ("15 retreats to 1211", "retreat ge-15: 1211"),
        ("retreat 15: 1111 1211", "retreat ge-15: 1111 1211"),
        ("101 loses 2", "lose us-101 us-101"),
        ("73 e 74 recuam para 0508", "retreat ge-73 ge-74: 0508"),
        ("73 + 74 retreat to 0508", "retreat ge-73 ge-74: 0508"),
        ("15, 73 and 74 lose a step", "lose ge-15 ge-73 ge-74"),
    ],
)
def test_a_number_is_the_unit_that_does_something(line: str, act: str) -> None:
    assert statements_read("combat", COMBAT + line)[-1] == act


@pytest.mark.parametrize(
    ("lines", "acts"),
    [
        ("attack 10 and 11\n4:11, roll 3 4", ["attack us-10 us-11", "declare 4:11", "roll 3 4"]),
        ("attack 10 and 11\n15 to 5", ["attack us-10 us-11", "declare 15:5"]),
    ],
)
def test_numbers_beside_each_other_are_units_and_those_of_totals_are_none(lines: str, acts: list[str]) -> None:
    assert statements_read("combat", f"combat 1111\n{lines}") == ["combat 1111", *acts]


@pytest.mark.parametrize("line", ["attack 15", "ataque: 11", "support 10", "lose 2"])
def test_a_number_alone_is_nobody_without_doubt(line: str) -> None:
    assert not any("us-" in act or "ge-" in act for act in statements_read("combat", f"combat 1111\n{line}"))


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("11 goes to 0409", "move us-11: 0409"),
    ],
)
def test_a_number_before_a_way_is_who_goes_it(line: str, move: str) -> None:
    assert statements_read("movement", line) == [move]


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("attack 101, 104, (10, 11)", "attack us-101 us-104 us-10 us-11"),
    ],
)
def test_a_number_alone_in_brackets_counts_and_is_nobody(line: str, act: str) -> None:
    assert statements_read("combat", f"combat 0721\n{line}")[-1] == act
