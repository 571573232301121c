"""Odds, columns and rows, as the rulebooks print them and as properties that must hold for any numbers."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from hexforge.scenarios.loader import load
from hexforge.scenarios.schema.tables import ResultTable
from hexforge.validator.rules.combat import tables

GAMES = ("bastogne", "metz", "hurtgen")
TOTALS = some.integers(min_value=0, max_value=300)


@cache
def crt(game: str) -> ResultTable:
    return load(game).tables.crt


@pytest.fixture(scope="module")
def crts() -> dict[str, ResultTable]:
    return {game: crt(game) for game in GAMES}


@pytest.mark.parametrize(
    ("attack", "defence", "told"),
    [(11, 4, "2-1"), (3, 4, "1-1"), (4, 8, "1-2"), (3, 11, "1-3"), (5, 9, "1-1"), (40, 4, "10-1"), (6, 6, "1-1")],
)
def test_the_fraction_of_the_quotient_is_dropped_both_ways(attack: int, defence: int, told: str) -> None:
    assert str(tables.odds(attack, defence)) == told


def test_an_inverse_quotient_can_be_rounded_up_by_option() -> None:
    assert str(tables.odds(3, 4, round_up_inverse=True)) == "1-2"
    assert str(tables.odds(4, 8, round_up_inverse=True)) == "1-2"


@pytest.mark.parametrize(
    ("game", "attack", "defence", "told"),
    [
        ("bastogne", 40, 4, "9-1"),
        ("bastogne", 2, 13, "1-5"),
        ("metz", 2, 11, "1-4"),
        ("metz", 0, 3, "1-4"),
        ("hurtgen", 2, 9, "1-3"),
        ("hurtgen", 5, 0, "9-1"),
        ("hurtgen", 0, 0, "1-3"),
    ],
)
def test_odds_beyond_the_table_stand_on_its_end_column(
    crts: dict[str, ResultTable], game: str, attack: int, defence: int, told: str
) -> None:
    table = crts[game]
    assert table.columns[tables.odds_column(table, attack, defence)] == told


def test_odds_are_clamped_before_the_shifts_or_after_them(crts: dict[str, ResultTable]) -> None:
    table = crts["bastogne"]
    ratio = tables.odds(44, 4)
    base = tables.odds_column(table, 44, 4)
    assert table.columns[tables.shifted(table, base, (-2,))] == "7-1"
    assert table.columns[tables.shifted(table, base, (-2,), beyond=tables.overflow(table, ratio))] == "9-1"


@pytest.mark.parametrize(
    ("game", "column", "roll", "told"),
    [
        ("bastogne", "2-1", 5, "IMP"),
        ("bastogne", "9-1", 7, "EMP"),
        ("metz", "2-1", 5, "DVB ARI"),
        ("metz", "9-1", 12, "EMP"),
        ("metz", "9-1", 11, "DE AVI"),
        ("hurtgen", "2-1", 5, "IMP"),
        ("hurtgen", "4-1", 2, "EMP"),
    ],
)
def test_cells_of_the_printed_tables(
    crts: dict[str, ResultTable], game: str, column: str, roll: int, told: str
) -> None:
    table = crts[game]
    index = tables.column_index(table, column)
    assert index is not None
    assert " ".join(tables.result(table, roll, index)) == told


@pytest.mark.parametrize(
    ("game", "value", "told"),
    [
        ("bastogne", 24, "13-24"),
        ("bastogne", 18, "13-24"),
        ("bastogne", 12, "1-12"),
        ("bastogne", 48, "37-48"),
        ("bastogne", 49, "49+"),
        ("metz", 28, "25-36"),
        ("hurtgen", 24, "21-30"),
        ("hurtgen", 6, "1-10"),
        ("hurtgen", 120, "41+"),
        ("hurtgen", 0, "1-10"),
    ],
)
def test_bombardment_values_and_their_columns(game: str, value: int, told: str) -> None:
    table = load(game).tables.bombardment
    assert table.columns[tables.value_column(table, value)] == told


@pytest.mark.parametrize("written", ["13-24", "13 - 24", "13–24"])
def test_columns_are_known_however_players_write_them(written: str) -> None:
    table = load("bastogne").tables.bombardment
    assert tables.column_index(table, written) == 1
    assert tables.column_index(table, "49 - ∞") == 4
    assert tables.column_index(table, "12-13") is None


@pytest.mark.parametrize("text", ["0-1", "2", "two-1", "1-0"])
def test_what_is_no_ratio_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        tables.parse_ratio(text)


@given(attack=TOTALS, defence=TOTALS, more=some.integers(min_value=1, max_value=50))
def test_odds_never_rise_with_more_defence(attack: int, defence: int, more: int) -> None:
    for game in GAMES:
        table = crt(game)
        assert tables.odds_column(table, attack, defence + more) <= tables.odds_column(table, attack, defence)


@given(attack=TOTALS, defence=TOTALS, more=some.integers(min_value=1, max_value=50))
def test_odds_never_fall_with_more_attack(attack: int, defence: int, more: int) -> None:
    for game in GAMES:
        table = crt(game)
        assert tables.odds_column(table, attack + more, defence) >= tables.odds_column(table, attack, defence)


@given(
    base=some.integers(min_value=0, max_value=12),
    shifts=some.lists(some.integers(min_value=-4, max_value=3), max_size=4),
)
def test_shifts_do_not_depend_on_their_order(base: int, shifts: list[int]) -> None:
    table = crt("bastogne")
    assert len({tables.shifted(table, base, order) for order in permutations(shifts)}) == 1


@pytest.mark.parametrize("game", GAMES)
def test_the_chances_of_a_column_make_a_whole(game: str) -> None:
    table = crt(game)
    for column in range(len(table.columns)):
        rows = tables.chances(table, column)
        assert sum(row[1] for row in rows) == Fraction(1)
        assert sorted(roll for row in rows for roll in row[2]) == list(range(2, 13))
