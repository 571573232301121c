"""What is told beside a statement and belongs to it: the sum of dice, the hexes that a way goes through."""

from __future__ import annotations

import pytest

from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet


def statements_read(phase: str, lines: str, game: str = "hurtgen", turn: str = "turn 2") -> list[str]:
    """What a phase says, as the notation writes it; nothing where a line of it cannot be read."""
    sheet = read_sheet(f"sheet 1\ngame {game}\n{turn} {phase}\n{lines}\n")
    written = write_sheet(sheet.statements).split("\n\n")[-1].strip().splitlines()[1:]
    return [] if sheet.problems else [line.strip() for line in written]


@pytest.mark.parametrize("typed", ["Dados: 5 e 4 (9)", "rolled a five and a four (9)"])
def test_the_sum_of_dice_in_brackets_is_no_die(typed: str) -> None:
    assert statements_read("american combat", f"combat 1007\n{typed}")[-1] == "roll 5 4"


@pytest.mark.parametrize("typed", ["roll 5 4 9"])
def test_another_figure_is_one_die_too_many(typed: str) -> None:
    figure = typed.rstrip(")")[-1]
    assert statements_read("american combat", f"combat 1007\n{typed}")[-1] == f"roll 5 4 {figure}"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("112-3 at\u00e9 0908 por 0807", "move us-112-3: - 0807 0908"),
        ("112-3 de 0807 para 0909 por 0908", "move us-112-3: 0807 0908 0909"),
        ("112-3 to 0908 by 0807", "move us-112-3: - 0807 0908"),
        ("112-3 to 0908 by road", "move us-112-3: 0908"),
    ],
)
def test_a_way_ends_where_it_is_said_to_whatever_it_goes_by(typed: str, meant: str) -> None:
    assert statements_read("american movement", typed) == [meant]


@pytest.mark.parametrize(
    "typed",
    ["20x2=40, 31-40, -2 floresta", "20x2=40, 11-20, floresta -2 = 1-10", "6 air points x2 = 12, 1-12"],
)
def test_a_value_of_which_more_is_told_than_it_says_is_named(typed: str) -> None:
    assert statements_read("american combat", f"bombard 0709 by offboard 20\n{typed}") == []


@pytest.mark.parametrize("typed", ["8x4 2-1 1-1"])
def test_totals_are_no_product(typed: str) -> None:
    assert statements_read("american combat", f"combat 1007\n{typed}")[-1] == "declare 8:4 odds 2-1 column 1-1"


@pytest.mark.parametrize(
    "typed",
    ["112-1 (4) + 112-2 (4) = 9", "112-1 + 112-2 = 9", "112-1 (4) + OB 30 = 44"],
)
def test_another_strength_or_sum_is_named(typed: str) -> None:
    assert statements_read("american combat", f"1007: {typed}") == []


def test_a_figure_behind_who_loses_is_no_strength() -> None:
    assert statements_read("american combat", "combat 1007\nlose 983-1 (2)")[1:] == ["lose ge-983-1 ge-983-1"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("48-4, 9-1, 7-1", "48:4 odds 9-1 column 7-1"),
        ("12-4 3-1 1-1", "12:4 odds 3-1 column 1-1"),
        ("4x4 1x1", "4:4 odds 1-1"),
        ("4 to 6 is 1-1", "4:6 odds 1-1"),
        ("3:11 = 1-3", "3:11 odds 1-3"),
        ("3:11 = 1-4", "3:11 odds 1-4"),
    ],
)
def test_figures_are_read_with_what_shifts_them(typed: str, meant: str) -> None:
    assert statements_read("american combat", f"combat 1007\n{typed}")[-1] == f"declare {meant}"


@pytest.mark.parametrize("typed", ["17x4 4-1 rio n\u00e3o, floresta -2: 3-1"])
def test_other_figures_are_named(typed: str) -> None:
    assert statements_read("american combat", f"combat 1007\n{typed}") == []


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("189-3 enters 0812 (road)", "ge-189-3: 0812 by road"),
        ("1055-1 entra 0812 0912 estrada sul", "ge-1055-1: 0812 0912 from south by road"),
        ("enter 1055-1: 0812 0912 road", "ge-1055-1: 0812 0912 by road"),
    ],
)
def test_who_enters_says_edge_and_way_wherever_he_likes(typed: str, meant: str) -> None:
    assert statements_read("german movement", typed) == [f"enter {meant}"]


@pytest.mark.parametrize(
    "typed",
    [
        "1055-1 enters 0812 not by road",
        "1055-1 enters 0812, south, stops next to 112-1",
        "1055-1 enters 0812 south west",
    ],
)
def test_who_enters_and_says_more_is_named(typed: str) -> None:
    assert statements_read("german movement", typed) == []


def test_an_advance_behind_a_colon_goes_into_the_hex_that_was_attacked() -> None:
    fought = "combat 1007\nattack 112-2\nroll 5 3\nresult DRB AVI\nAdvance: 112-2"
    assert statements_read("american combat", fought)[-1] == "advance us-112-2: 1007"


@pytest.mark.parametrize("typed", ["German loss: 112-1", "983-2 -1", "both retreat"])
def test_units_of_another_side_and_figures_that_may_name_one_are_not_taken(typed: str) -> None:
    assert statements_read("american combat", f"combat 1007\nattack 112-2\nroll 5 3\nresult DRB AVI\n{typed}") == []


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("35\u00aa DI: 101 de 0520 a 0621", []),
    ],
)
def test_the_formation_before_its_units_says_nothing_more(typed: str, meant: list[str]) -> None:
    assert statements_read("american movement", typed, "metz", "turn 1") == meant


@pytest.mark.parametrize("typed", ["I/915, II/915: 4916 4816", "I/915 and II/915: 4916 4816"])
def test_battalions_before_their_regiments_are_listed_with_commas(typed: str) -> None:
    assert statements_read("german movement", typed, "bastogne", "turn 16") == ["move ge-915-1 ge-915-2: 4916 4816"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("column 7-1, from odds 9-1, -2", []),
    ],
)
def test_a_column_that_is_shifted_is_the_odds_at_first(typed: str, meant: list[str]) -> None:
    assert statements_read("american combat", f"combat 1007\n{typed}")[1:] == meant


def test_an_armoured_infantry_regiment_is_called_so_whatever_its_division_is() -> None:
    assert statements_read("german movement", "110 pzgr: 1011 1010", "metz", "turn 1") == ["move ge-110: 1011 1010"]
    whole = statements_read("german movement", "o 304 PzGr inteiro vai para 4103", "bastogne", "turn 16")
    assert whole == ["move ge-304-1 ge-304-2: 4103"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Target 0709 (Luft-2)", ["combat 0709"]),
        ("combat 1007 (983-1, 983-2): 112-1", ["combat 1007", "attack us-112-1"]),
        ("combat 1007 (112-1, 112-2)", ["combat 1007", "attack us-112-1 us-112-2"]),
        ("bomb 0709 with offboard 20", ["bombard 0709 by offboard 20"]),
    ],
)
def test_who_stands_in_the_hex_that_is_attacked_does_not_attack_it(typed: str, meant: list[str]) -> None:
    assert statements_read("american combat", typed) == meant
