"""The movement examples come out on the maps as printed, and no cheaper way makes nonsense of them (4.0)."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from hexforge.validator.judging.check import check_file

SHEET = """sheet 1
game {game}
partial
map printed
unit a1 american {unit}
position
  a1 {start}
turn {turn} american movement
{before}
move a1: {path}
"""


class Example(NamedTuple):
    game: str
    unit: str
    turn: int
    path: str
    points: int


EXAMPLES = [
    Example("bastogne", "armor 6-4-20", 20, "1607 - 2902 3002 3103 3203 3303", 19),
    Example("metz", "armor 7-5-10", 4, "0616 - 0721 0822 0922 1023", 10),
    Example("hurtgen", "infantry 3-4-5", 4, "0807 0907 1007 1108 1109", 5),
]


def cost(folder: Path, example: Example, path: str) -> tuple[str, float]:
    """The verdict on a move and what it costs, in movement points."""
    sheet = folder / "example.sheet"
    text = SHEET.format(
        **example._replace(path=path)._asdict(),
        start=path[:4],
        before="airroll 3" if example.game == "metz" else "",
    )
    sheet.write_text(text, encoding="utf-8")
    answer = check_file(sheet)
    (move,) = answer.moves
    return answer.verdict, move.cost / 2


@pytest.mark.parametrize("example", EXAMPLES, ids=[e.game for e in EXAMPLES])
def test_the_example_costs_what_is_printed(example: Example, tmp_path: Path) -> None:
    assert cost(tmp_path, example, example.path) == ("legal", example.points)


@pytest.mark.parametrize("example", EXAMPLES, ids=[e.game for e in EXAMPLES])
def test_the_example_is_a_cheapest_way(example: Example, tmp_path: Path) -> None:
    ends = f"{example.path[:4]} - {example.path[-4:]}"
    assert cost(tmp_path, example, ends) == ("legal", example.points)
