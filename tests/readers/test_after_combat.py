"""What is done after a combat is told so; the combat that it follows is no second one."""

from __future__ import annotations

import pytest

from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet

FOUGHT = "sheet 1\ngame hurtgen\nturn 2 american combat\ncombat 1007\nattack us-112-1\nroll 5 3\nresult DRB AVI\n"


@pytest.mark.parametrize(
    "line",
    [
        "advance after combat: us-112-1 1007",
        "Advance after combat: 112-1: 1007",
        "112-1 advances after the combat to 1007",
        "112-1 advances after combat",
        "avan\u00e7o ap\u00f3s combate: us-112-1 1007",
        "avan\u00e7o depois do combate: 112-1",
        "112-1 avan\u00e7a ap\u00f3s o combate para 1007",
    ],
)
def test_an_advance_after_combat_is_an_advance(line: str) -> None:
    sheet = read_sheet(f"{FOUGHT}{line}\n")
    assert not sheet.problems
    assert write_sheet(sheet.statements).splitlines()[-1].strip() == "advance us-112-1: 1007"


@pytest.mark.parametrize("line", ["advance after combat: none", "sem avan\u00e7o ap\u00f3s o combate"])
def test_none_advances_after_combat(line: str) -> None:
    sheet = read_sheet(f"{FOUGHT}{line}\n")
    assert (sheet.problems, sheet.statements) == ((), read_sheet(FOUGHT).statements)


@pytest.mark.parametrize(
    "line",
    [
        "112-1 avan\u00e7a depois do ataque para 1007",
        "depois do combate 1007: 112-1 avan\u00e7a",
        "depois do ataque a 1007 com 112-1",
    ],
)
def test_a_combat_that_something_follows_is_no_second_one(line: str) -> None:
    sheet = read_sheet(f"{FOUGHT}{line}\n")
    assert [problem.line for problem in sheet.problems] == [8]
    assert [s.line for s in sheet.statements if isinstance(s, st.Combat)] == [4]


BEGUN = "sheet 1\ngame hurtgen\nturn 2 american combat\ncombat 1007\nattack us-112-1 us-112-2\nroll 5 3\n"


@pytest.mark.parametrize(
    ("line", "acts"),
    [
        ("DRB AVI. 112-1 and 112-2 advance.", ["result DRB AVI", "advance us-112-1 us-112-2: 1007"]),
        ("DRB AVI, avançam 112-1 e 112-2", ["result DRB AVI", "advance us-112-1 us-112-2: 1007"]),
    ],
)
def test_who_advances_behind_a_result_on_the_same_line_does_so_into_its_hex(line: str, acts: list[str]) -> None:
    sheet = read_sheet(f"{BEGUN}{line}\n")
    assert not sheet.problems
    assert [text.strip() for text in write_sheet(sheet.statements).splitlines()][-len(acts) :] == acts


@pytest.mark.parametrize(
    "line", ["112-1 advances", "112-1 moves into 1007", "983-1 advances", "112-1 does not advance"]
)
def test_what_may_be_no_advance_is_not_taken_for_one(line: str) -> None:
    sheet = read_sheet(f"{BEGUN}{line}\n")
    assert [p.line for p in sheet.problems] == [7] and "advance" not in write_sheet(sheet.statements)
