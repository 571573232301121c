"""Ids that people run together, and numbers right behind the word and colon of an order."""

from __future__ import annotations

import pytest

from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet

THREE = "move us-109-1 us-109-2 us-109-3: 0705 0805"


def statements_read(game: str, turn: str, line: str) -> list[str]:
    sheet = read_sheet(f"sheet 1\ngame {game}\nturn 2 {turn}\n{line}\n")
    return (
        [] if sheet.problems else [text.strip() for text in write_sheet(sheet.statements).splitlines() if text][3:]
    )


@pytest.mark.parametrize("line", ["move us112-1: 0806 0907", "US112-1: 0806 0907", "o us112-1 de 0806 para 0907"])
def test_a_side_and_its_unit_may_be_one_word(line: str) -> None:
    assert statements_read("hurtgen", "american movement", line) == ["move us-112-1: 0806 0907"]


def test_a_unit_of_the_sheet_goes_before_one_that_is_run_together() -> None:
    sheet = read_sheet(
        "sheet 1\ngame hurtgen\nunit us112-1 american infantry 3-3-5\nposition\nus112-1 0806\n"
        "turn 2 american movement\nmove us112-1: 0806 0907\n"
    )
    assert not sheet.problems
    assert write_sheet(sheet.statements).splitlines()[-1] == "move us112-1: 0806 0907"


@pytest.mark.parametrize("line", ["us-109-1/4: 0705 0805", "us-109-1/2/2: 0705 0805"])
def test_a_number_that_is_nobodys_counts_none(line: str) -> None:
    assert statements_read("hurtgen", "american movement", line) == []


@pytest.mark.parametrize("line", ["Mov: 59 1204>1303", "mover: 59 1204 1303", "move: 59 from 1204 to 1303"])
def test_a_colon_behind_the_order_parts_no_number_from_its_way(line: str) -> None:
    assert statements_read("metz", "german movement", line) == ["move ge-59: 1204 1303"]
