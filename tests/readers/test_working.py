"""Engineers who build and clear, named before what they do."""

from __future__ import annotations

import pytest

from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet


def statements_read(line: str) -> list[str]:
    game = "metz" if "0318" in line else "hurtgen"
    sheet = read_sheet(f"sheet 1\ngame {game}\nturn 3 american movement\n{line}\n")
    return [] if sheet.problems else write_sheet(sheet.statements).strip().splitlines()[4:]


@pytest.mark.parametrize(
    ("line", "work"),
    [
        ("clear 1108 by 1340 eng, die 4", "clear 1108 by us-1340-eng roll 4"),
        ("1117 eng builds a bridge 0318/0418", "build bridge 0318/0418 by us-1117-eng"),
    ],
)
def test_who_works_may_stand_first(line: str, work: str) -> None:
    assert statements_read(line) == [work]


@pytest.mark.parametrize("line", ["1340-eng does not clear 1108", "20-eng and 1340-eng clear 1108"])
def test_what_one_of_them_cannot_do_is_not_read(line: str) -> None:
    assert statements_read(line) == []
