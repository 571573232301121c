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
        "Bombard 4619 with V/406 VK. Value 6",
        "Bombard 4619 with the V/406, value 6",
        "Bombardeio em 4619 com o V/406 VK. Valor 6",
        "bombard 4619 by ge-vk406-5. Value 6",
    ],
)
def test_a_bombardment_and_its_value(line: str) -> None:
    told = ["bombard 4619 by ge-vk406-5", "declare value 6"]
    assert statements_read("game bastogne\nturn 2 german combat\n", line) == told


def test_what_is_said_of_each_gun_names_no_further_one() -> None:
    told = statements_read("game bastogne\nturn 2 german combat\n", "Bombard 4619 with V/406 VK and IV/406 VK")
    assert told == ["bombard 4619 by ge-vk406-5 ge-vk406-4"]


@pytest.mark.parametrize("line", ["Bombard 4619 with V/406 LXVI", "Bombard 4619 with V/406 766"])
def test_another_word_behind_a_gun_is_not_passed_over(line: str) -> None:
    assert statements_read("game bastogne\nturn 2 german combat\n", line) != ["bombard 4619 by ge-vk406-5"]


@pytest.mark.parametrize(
    "line", ["Air: 4", "Air points: 4", "Pontos a\u00e9reos: 4", "4 air points", "com 4 pontos a\u00e9reos"]
)
def test_points_of_aircraft_are_no_score(line: str) -> None:
    assert statements_read(f"game hurtgen\n{FIGHT}", line) == ["air 4"]


@pytest.mark.parametrize("line", ["Pontos fora do mapa: 20", "Off-board points: 20"])
def test_points_beyond_the_map_are_no_score(line: str) -> None:
    assert statements_read(f"game hurtgen\n{FIGHT}", line) == ["support offboard 20"]


@pytest.mark.parametrize("line", ["pontos gastos: 4", "Pontos perdidos 3"])
def test_points_of_no_side_are_no_score(line: str) -> None:
    assert statements_read(f"game hurtgen\n{FIGHT}", line) == []
    assert statements_read(f"game hurtgen\n{FIGHT}", "pontos americano 40") == ["score american 40"]


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("support: us-28-art-1 and 20 off-board (leaves 20)", "support us-28-art-1 offboard 20"),
        ("20 off-board (20 left)", "support offboard 20"),
        ("support offboard 20 (20 points remaining)", "support offboard 20"),
        ("apoio fora do mapa 20 (sobram 20)", "support offboard 20"),
        ("apoio de 20 pontos fora do mapa (restam 10)", "support offboard 20"),
        ("air 4 (leaves 6)", "air 4"),
    ],
)
def test_what_is_left_of_points_is_counted_by_the_referee(line: str, act: str) -> None:
    assert statements_read(f"game hurtgen\n{FIGHT}", line) == [act]


@pytest.mark.parametrize(
    "line", ["support us-28-art-1 (leaves 20)", "support offboard 20 (us-112-1 leaves 20)", "lose 112-1 (1 left)"]
)
def test_what_else_is_left_is_not_passed_over(line: str) -> None:
    told = statements_read(f"game hurtgen\n{FIGHT}", line)
    assert told not in (["support us-28-art-1"], ["support offboard 20"], ["lose us-112-1"])


@pytest.mark.parametrize(
    ("typed", "figures"),
    [
        ("Bombardment of 0609 by 28-art-1 and 28-art-2: 40, col 11-20", "declare value 40 column 11-20"),
        ("bombardeio 0609 com 28-art-1 e 28-art-2, valor 40, coluna 11-20", "declare value 40 column 11-20"),
        ("0609 bombarded by 28-art-1, 28-art-2: value 40", "declare value 40"),
        ("bombard 0609 with 28-art-1, 28-art-2, 4x10=40, column 11-20", "declare value 40 column 11-20"),
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


@pytest.mark.parametrize("head", ["", "Bombardeios\n"])
def test_a_target_above_the_guns_that_bombard_it(head: str) -> None:
    text = f"{head}Alvo: 0709\nBombardeiam: 28-art-1, 28-art-2\nvalor 40\n"
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american combat\n{text}")
    assert not sheet.problems
    written = [line.strip() for line in write_sheet(sheet.statements).splitlines()]
    assert written[-2:] == ["bombard 0709 by us-28-art-1 us-28-art-2", "declare value 40"]


def test_guns_above_those_who_attack_begin_no_bombardment() -> None:
    text = "Alvo: 0709\nBombardeiam: 28-art-1\nAtacam: 110-1\n"
    sheet = read_sheet(f"sheet 1\ngame hurtgen\nturn 2 american combat\n{text}")
    assert "bombard 0709" not in write_sheet(sheet.statements)
