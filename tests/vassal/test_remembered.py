"""What is kept of strangers' texts is bounded by their size, and what comes again is not made again."""

from __future__ import annotations

import pytest

from hexforge.modulegen.vassal import position, replay
from hexforge.modulegen.vassal.encoding import Remembered, remembered
from hexforge.modulegen.vassal.traits.base import read_trait
from hexforge.modulegen.vassal.traits.piece import read_types

MOST = 1 << 25


def test_what_comes_again_is_made_once() -> None:
    made: list[str] = []

    @remembered(100_000)
    def length(text: str) -> int:
        made.append(text)
        return len(text)

    assert [length("abc"), length("abc"), length("")] == [3, 3, 0]
    assert made == ["abc", ""]


def test_what_is_asked_for_all_the_time_stays_while_others_go() -> None:
    made: list[str] = []

    @remembered(100_000)
    def same(text: str) -> str:
        made.append(text)
        return text

    for number in range(1000):
        same("often")
        same(f"{number}" * 100)
    assert made.count("often") == 1 and len(made) == 1001
    assert same.characters <= 100_000


def test_a_text_that_fills_all_alone_is_not_kept() -> None:
    length = Remembered(len, 1000)
    assert length("x" * 5000) == 5000
    assert length.characters == 0


@pytest.mark.parametrize(
    ("function", "before"),
    [
        (read_types, "cmt;{}\t\\piece;;;;a"),
        (read_trait, "cmt;{}"),
        (position._may_stack, "immob;{}\t\\piece;;;;a"),
        (replay._own_properties, "null;0;0;{};0"),
    ],
)
def test_logs_of_long_texts_leave_little_behind(function: Remembered[object], before: str) -> None:
    """Each is another one: a process that reads the logs of strangers sees no end of them."""
    for number in range(50):
        function(before.format(f"{number:04}" * 400_000))
    assert function.characters <= MOST
