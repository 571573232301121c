"""Dice, columns and results of any game: what its tables say, not what one family's did."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from hexforge.scenarios.schema.results import Dice, Result, numbers
from hexforge.scenarios.schema.tables import ResultTable
from hexforge.validator.rules.combat import tables
from hexforge.validator.rules.combat.tables import Owed, demands, owed

ODDS = ["1-3", "1-2", "2-3", "1-1", "3-2", "2-1", "4-1"]


def table(by: dict[str, Any], columns: list[Any], dice: str = "1d6") -> ResultTable:
    ways = Dice.of(dice).ways
    rows = {str(roll): [f"A{roll}"] * len(columns) for roll in ways}
    return ResultTable.model_validate({"dice": dice, "column_by": by, "columns": columns, "rows": rows})


@pytest.mark.parametrize(
    ("dice", "faces", "value"),
    [
        ("1d6", (4,), 4),
        ("2d6", (4, 3), 7),
        ("2d6 tens", (4, 3), 43),
        ("2d10 tens", (10, 7), 7),
        ("2d10 tens", (10, 10), 100),
        ("2d10 tens", (3, 10), 30),
        ("1d10", (10,), 10),
        ("1d20", (17,), 17),
        ("2d8", (8, 3), 11),
    ],
)
def test_dice_are_read_as_a_sum_or_as_tens_and_ones(dice: str, faces: tuple[int, ...], value: int) -> None:
    assert Dice.of(dice).shows(faces)
    assert Dice.of(dice).value(faces) == value


@pytest.mark.parametrize(
    ("dice", "numbers_", "throws"),
    [("1d6", 6, 6), ("2d6 tens", 36, 36), ("2d10", 19, 100), ("1d12", 12, 12), ("3d4", 10, 64)],
)
def test_every_throw_counts(dice: str, numbers_: int, throws: int) -> None:
    assert (len(Dice.of(dice).ways), sum(Dice.of(dice).ways.values())) == (numbers_, throws)
    assert not Dice.of(dice).shows((21,) * Dice.of(dice).count)


def test_rows_are_numbers_and_spans() -> None:
    assert numbers("2,12") == (2, 12)
    assert numbers("-1..1,4-5") == (-1, 0, 1, 4, 5)
    for text in ("", "x", "5-2", "1-900"):
        with pytest.raises(ValueError):
            numbers(text)


@pytest.mark.parametrize(
    ("rounding", "attack", "defence", "column"),
    [
        ("defender", 29, 20, "1-1"),
        ("nearest", 29, 20, "3-2"),
        ("nearest", 25, 20, "1-1"),
        ("attacker", 21, 20, "3-2"),
        ("defender", 9, 10, "2-3"),
        ("nearest", 9, 10, "1-1"),
        ("attacker", 7, 20, "1-2"),
        ("attacker", 20, 20, "1-1"),
        ("defender", 50, 10, "4-1"),
        ("attacker", 1, 10, "1-3"),
    ],
)
def test_odds_between_two_columns_go_to_whom_the_game_says(
    rounding: str, attack: int, defence: int, column: str
) -> None:
    crt = table({"kind": "odds", "rounding": rounding}, ODDS)
    assert crt.columns[tables.odds_column(crt, attack, defence)] == column


@pytest.mark.parametrize(
    ("rounding", "attack", "defence", "side"),
    [
        ("defender", 10, 31, -1),
        ("attacker", 10, 39, 0),
        ("attacker", 10, 40, -1),
        ("nearest", 10, 35, -1),
        ("nearest", 10, 34, 0),
        ("defender", 49, 10, 0),
        ("defender", 50, 10, 1),
        ("attacker", 41, 10, 1),
    ],
)
def test_what_lies_beyond_the_table_is_known(rounding: str, attack: int, defence: int, side: int) -> None:
    crt = table({"kind": "odds", "rounding": rounding}, ODDS)
    assert tables.outside(crt, attack, defence) == side


@pytest.mark.parametrize(
    ("attack", "defence", "column", "side"),
    [(3, 9, "-3..-1", -1), (5, 6, "-3..-1", 0), (4, 4, "0", 0), (9, 2, "2+", 0)],
)
def test_differences_have_columns(attack: int, defence: int, column: str, side: int) -> None:
    crt = table({"kind": "difference"}, ["-3..-1", 0, 1, "2+"])
    assert crt.columns[tables.odds_column(crt, attack, defence)] == column
    assert tables.outside(crt, attack, defence) == side


def test_a_modified_die_beyond_the_table_stands_on_the_end_row() -> None:
    crt = table({"kind": "odds", "rounding": "defender"}, ["1-1"])
    assert tables.result(crt, 9, 0) == ("A6",)
    assert tables.result(crt, -2, 0) == ("A1",)
    assert tables.chances(crt, 0, die=4)[0] == (("A6",), Fraction(5, 6), (2, 3, 4, 5, 6))
    capped = crt.model_copy(update={"die_modifier_most": 2})
    assert (tables.modified(capped, (2, 2)), tables.modified(capped, (-2, -1)), tables.modified(crt, (2, 2))) == (
        2,
        -2,
        4,
    )


def test_a_result_states_what_it_demands() -> None:
    said = {
        "A1": {"attacker": {"steps": 1}},
        "DR2": {"defender": {"retreat": {"hexes": 2, "by": "opponent"}}, "attacker": {"advance": True}},
        "D1": {"defender": {"steps": {"count": "half", "each": True}, "retreat": 1, "mark": "disrupted"}},
    }
    alphabet = {code: Result.model_validate(value) for code, value in said.items()}
    found = demands(alphabet, ("A1", "DR2", "D1"))
    assert found.advance and found.attacker.retreat is None
    assert found.defender.retreat is not None and found.defender.retreat.hexes == 2
    assert found.defender.marks == ("disrupted",)
    assert owed(found.defender, (4, 3, 1)) == Owed(steps=2 + 2 + 1)
    assert owed(found.attacker, (2,)) == Owed(steps=1)


def test_losses_are_counted_down() -> None:
    left = Owed(steps=3).taken(2, whole=True)
    assert (left.steps, bool(left), left.untouched) == (1, True, False)
    assert not left.taken(1, whole=False)
    assert not Owed(units=1).taken(2, whole=True)
