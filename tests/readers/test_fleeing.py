"""Retreats that say who goes by the part in the combat; whom that means the referee knows."""

from __future__ import annotations

import pytest

from hexforge.validator.notation.vocabulary import write_sheet
from hexforge.validator.reading.sheet import read_sheet

FOUGHT = "sheet 1\ngame hurtgen\nturn 2 american combat\ncombat 1007\nattack us-112-1 us-112-2\n"


@pytest.mark.parametrize(
    ("line", "acts"),
    [
        ("Both units retreat from 1007 to 1107.", ["retreat both-units: 1007 1107"]),
        ("the defender retreats to 1107", ["retreat defender: 1107"]),
        ("Defenders retreat one hex to 1107 from 1007", ["retreat defender: 1007 1107"]),
        ("Defender retreats to 1107 (1 hex)", ["retreat defender: 1107"]),
        ("todos os defensores recuam para 1107", ["retreat all-units: 1107"]),
        ("all retreat 1007->1107", ["retreat all-units: 1007 1107"]),
        ("o defensor recua para 1107", ["retreat defender: 1107"]),
        ("as duas unidades recuam um hex para 1107", ["retreat both-units: 1107"]),
        ("todos recuam: 1007 1107", ["retreat all-units: 1007 1107"]),
        ("recuo dos defensores: 1107", ["retreat defender: 1107"]),
        ("DRB AVI, defender retreats to 1107", ["result DRB AVI", "retreat defender: 1107"]),
        ("DRB AVI. O defensor recua para 1107", ["result DRB AVI", "retreat defender: 1107"]),
        ("recuar ambas-as-unidades: 1007 1107", ["retreat both-units: 1007 1107"]),
        ("983-1 and 983-2 both retreat to 1107", ["retreat ge-983-1 ge-983-2: 1107"]),
    ],
)
def test_who_retreats_by_his_part(line: str, acts: list[str]) -> None:
    sheet = read_sheet(f"{FOUGHT}{line}\n")
    assert not sheet.problems
    assert [text.strip() for text in write_sheet(sheet.statements).splitlines()][-len(acts) :] == acts
    again = read_sheet(write_sheet(sheet.statements))
    assert not again.problems and write_sheet(again.statements) == write_sheet(sheet.statements)


@pytest.mark.parametrize(
    "line",
    [
        "both retreat",
        "todos recuam 1 hex",
        "the defender does not retreat to 1107",
        "the defender may retreat to 1107",
        "if it is DRB the defender retreats to 1107",
        "retreat to 1107",
        "some retreat to 1107",
        "the attackers and the defenders retreat to 1107",
        "o defensor perde um passo e recua para 1107",
    ],
)
def test_what_says_less_or_more_is_not_read(line: str) -> None:
    sheet = read_sheet(f"{FOUGHT}{line}\n")
    assert [p.line for p in sheet.problems] == [6]
    assert "retreat" not in write_sheet(sheet.statements)


@pytest.mark.parametrize(
    ("line", "acts"),
    [
        ("983-1 loses a step and retreats to 1107", ["lose ge-983-1", "retreat ge-983-1: 1107"]),
    ],
)
def test_behind_a_result_a_retreat_alone_is_of_all_who_have_to(line: str, acts: list[str]) -> None:
    sheet = read_sheet(f"{FOUGHT}result DRB\n{line}\n")
    assert not sheet.problems
    assert [text.strip() for text in write_sheet(sheet.statements).splitlines()][-2:] == acts
    if len(acts) > 1 and acts[0] == "result DRB":
        together = read_sheet(f"{FOUGHT}DRB, {line}\n")
        assert [text.strip() for text in write_sheet(together.statements).splitlines()][-2:] == acts


@pytest.mark.parametrize("line", ["retreat to 1107 or 1108", "I lose a step and retreat to 1107", "retreat 1 hex"])
def test_behind_a_result_who_retreats_is_not_guessed(line: str) -> None:
    sheet = read_sheet(f"{FOUGHT}result DRB\n{line}\n")
    assert [p.line for p in sheet.problems] == [7] and "retreat" not in write_sheet(sheet.statements)


def test_a_unit_of_the_sheets_own_may_be_called_so() -> None:
    head = "sheet 1\ngame hurtgen\nunit attackers german infantry 2-3-5\nposition\nattackers 1007\n"
    sheet = read_sheet(f"{head}turn 2 american combat\ncombat 1007\nretreat attackers: 1007 1107\n")
    assert write_sheet(sheet.statements).splitlines()[-1].strip() == "retreat attackers: 1007 1107"
