"""Marks that units take and strength that they give to a combat, in the words that people have for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hexforge.validator.notation import games
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.sheet import read_sheet

SALLOW = Path(__file__).parents[1] / "games" / "sallow"
HEAD = "sheet 1\ngame sallow\nposition\n  rd-1 0105\n  rd-2 0105\n  bu-1 0304\n"
COMBAT = "turn 1 red combat\ncombat 0304\n  attack rd-1\n"
MARKED = """
    mark rd-1 dug-in
    marked rd-1 as dug in
    mark as dug in: rd-1
    rd-1 is marked as dug in
    rd-1 takes the mark dug-in
    the rd-1 becomes dug in
    rd-1 gets dug in
    marca rd-1 como dug-in
    marque o rd-1 como dug-in
    marcar rd-1 com dug-in
    a rd-1 é marcada como dug-in
    rd-1 recebe a marca dug-in
    rd-1 toma a marca dug-in
    rd-1 fica dug in
"""
SHARED = """
    share of rd-1: 3
    share rd-1 = 3
    rd-1 gives 3
    rd-1 gives 3 points
    rd-1 contributes 3
    rd-1 uses 3 of its strength
    parcela de rd-1: 3
    rd-1 dá 3 pontos
    o rd-1 entra com 3
    rd-1 contribui com 3 pontos
    rd-1 usa 3 da sua força
"""
LEFT = """
    rd-1 is dug in
    rd-1 dug in
    rd-1 becomes engaged
    rd-1 takes 0205
"""


@pytest.fixture(autouse=True)
def _known() -> Iterator[None]:
    before = dict(games._FOLDERS)
    games.learn(SALLOW)
    yield
    games._FOLDERS.clear()
    games._FOLDERS.update(before)


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("line", lines(LEFT))
def test_who_is_in_a_state_and_what_results_give_takes_no_mark(line: str) -> None:
    sheet = read_sheet(f"{HEAD}turn 1 red movement\n{line}\n")
    assert not any(isinstance(s, st.Mark) for s in sheet.statements)


def test_a_part_of_a_sum_is_no_share() -> None:
    """Neither where the figure stands before its unit, nor in a game that divides no strength."""
    for line in ("3 da rd-1", "3 pontos da rd-1"):
        fight = read_sheet(f"{HEAD}{COMBAT}  {line}\n").statements[-1]
        assert isinstance(fight, st.Combat) and not any(isinstance(act, st.Share) for act in fight.acts)
    text = (
        "sheet 1\ngame hurtgen\npartial\nturn 2 american combat\ncombat 0905\n  attack us-109-1\n  us-109-1 dá 4\n"
    )
    fight = read_sheet(text).statements[-1]
    assert isinstance(fight, st.Combat) and not any(isinstance(act, st.Share) for act in fight.acts)
