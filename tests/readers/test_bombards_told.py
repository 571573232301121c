"""Guns told by battalion and corps, with what a bombardment is worth; points of aircraft and beyond the map."""

from __future__ import annotations

import pytest

from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet

FIGHT = "turn 2 american combat\ncombat 1007\nattack us-112-1\n"


def statements_read(head: str, line: str) -> list[str]:
    sheet = read_sheet(f"sheet 1\n{head}{line}\n")
    written = [text.strip() for text in write_sheet(sheet.statements).splitlines() if text]
    return [] if sheet.problems else written[1 + head.count("\n") :]


@pytest.mark.parametrize(
    "line",
    [
        "Bombard 4619 with the V/406, value 6",
        "bombard 4619 by ge-vk406-5. Value 6",
    ],
)
def test_a_bombardment_and_its_value(line: str) -> None:
    told = ["bombard 4619 by ge-vk406-5", "declare value 6"]
    assert statements_read("game bastogne\nturn 2 german combat\n", line) == told


@pytest.mark.parametrize("line", ["Bombard 4619 with V/406 LXVI", "Bombard 4619 with V/406 766"])
def test_another_word_behind_a_gun_is_not_passed_over(line: str) -> None:
    assert statements_read("game bastogne\nturn 2 german combat\n", line) != ["bombard 4619 by ge-vk406-5"]


@pytest.mark.parametrize(
    "line",
    [
        "Air: 4",
        "Air points: 4",
        "Pontos a\u00e9reos: 4",
    ],
)
def test_points_of_aircraft_are_no_score(line: str) -> None:
    assert statements_read(f"game hurtgen\n{FIGHT}", line) == ["air 4"]


@pytest.mark.parametrize("line", ["Off-board points: 20"])
def test_points_beyond_the_map_are_no_score(line: str) -> None:
    assert statements_read(f"game hurtgen\n{FIGHT}", line) == ["support offboard 20"]


@pytest.mark.parametrize("line", ["pontos gastos: 4", "Pontos perdidos 3"])
def test_points_of_no_side_are_no_score(line: str) -> None:
    assert statements_read(f"game hurtgen\n{FIGHT}", line) == []
    assert statements_read(f"game hurtgen\n{FIGHT}", "pontos americano 40") == ["score american 40"]


@pytest.mark.parametrize(
    "line", ["support us-28-art-1 (leaves 20)", "support offboard 20 (us-112-1 leaves 20)", "lose 112-1 (1 left)"]
)
def test_what_else_is_left_is_not_passed_over(line: str) -> None:
    told = statements_read(f"game hurtgen\n{FIGHT}", line)
    assert told not in (["support us-28-art-1"], ["support offboard 20"], ["lose us-112-1"])


@pytest.mark.parametrize(
    ("typed", "figures"),
    [
        ("bombardeio 0609 com 28-art-1 e 28-art-2, valor 40, coluna 11-20", "declare value 40 column 11-20"),
        ("0609 bombarded by 28-art-1, 28-art-2: value 40", "declare value 40"),
    ],
)
def test_figures_in_the_line_of_a_bombardment(typed: str, figures: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american combat\n{typed}\n")
    assert not sheet.problems
    written = [line.strip() for line in write_sheet(sheet.statements).splitlines()]
    guns = "us-28-art-1 us-28-art-2"
    assert written[-2:] == [f"bombard 0609 by {guns}", figures]


@pytest.mark.parametrize(
    "typed",
    [
        "bombard 0609 by 28-art-1, 40 points, column 11-20",
        "bombard 0609 by 28-art-1: 40 50",
        "bombard 0609 by 28-art-1: 36",
    ],
)
def test_figures_that_may_be_points_or_two_values_are_not_taken(typed: str) -> None:
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american combat\n{typed}\n")
    assert "declare" not in write_sheet(sheet.statements)


def test_guns_above_those_who_attack_begin_no_bombardment() -> None:
    text = "Alvo: 0709\nBombardeiam: 28-art-1\nAtacam: 110-1\n"
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american combat\n{text}")
    assert "bombard 0709" not in write_sheet(sheet.statements)
