"""Bare figures in a combat are dice where the dice of the game's table show them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexforge.scenarios.schema.results import Dice
from hexforge.validator.notation.cursor import logical_lines
from hexforge.validator.notation.vocabulary import notation
from hexforge.validator.reading.phrases.order import figures_first


@pytest.mark.parametrize(
    ("dice", "line", "taken"),
    [
        ("2d6", "5 + 3", True),
        ("2d6", "5+3", True),
        ("2d6", "7 + 3", False),
        ("2d10", "7 + 10 = 17", True),
        ("2d10", "7 + 11", False),
        ("1d6", "5 + 3", False),
        ("3d6", "5 + 3 + 1", True),
    ],
)
def test_figures_are_dice_that_the_game_throws(dice: str, line: str, *, taken: bool) -> None:
    words = replace(notation(), thrown=Dice.of(dice))
    (only,) = logical_lines([line])
    assert (figures_first(only.tokens, words)[0].key == "roll") is taken


def test_no_figures_are_dice_where_no_game_is_known() -> None:
    (only,) = logical_lines(["5 + 3"])
    assert figures_first(only.tokens, notation()) == only.tokens
