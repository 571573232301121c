"""Which shift a wrong column is put down to."""

from __future__ import annotations

import pytest

from hexforge.validator.rules.combat.shifts import suspects
from hexforge.validator.rules.findings import Shift

TERRAIN = Shift("terrain", -2, "B 5.1.2")
UNITY = Shift("unity", 1, "B 5.1.4")
SURPRISE = Shift("surprise", 1, "B 5.1.1")


def blamed(shifts: list[Shift], declared: int, alternatives: tuple[int, ...] = ()) -> list[tuple[str, str]]:
    found = suspects(
        shifts,
        5 + declared,
        lambda sum_: min(max(5 + sum_, 0), 12),
        terrain_rule="B 5.1.2",
        alternatives=alternatives,
    )
    return [(s.shift.rule, s.mistake) for s in found]


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        (0, [("B 5.1.2", "forgotten")]),
        (-4, [("B 5.1.2", "twice")]),
        (2, [("B 5.1.2", "reversed")]),
        (-1, [("B 5.1.2", "off-by-one")]),
        (-3, [("B 5.1.2", "off-by-one")]),
        (5, []),
    ],
)
def test_mistakes_with_terrain(declared: int, expected: list[tuple[str, str]]) -> None:
    assert blamed([TERRAIN], declared) == expected


def test_only_terrain_is_counted_wrongly_by_one() -> None:
    assert blamed([UNITY], 0) == [("B 5.1.4", "forgotten")]
    assert blamed([UNITY], 3) == []


def test_adding_what_does_not_add() -> None:
    assert blamed([TERRAIN], -5, (-3, -5)) == [("B 5.1.2", "added")]


def test_a_mistake_that_may_lie_with_either_is_put_to_both() -> None:
    assert blamed([UNITY, SURPRISE], 1) == [("B 5.1.4", "forgotten"), ("B 5.1.1", "forgotten")]


def test_a_rule_that_serves_both_sides_can_be_forgotten_as_a_whole() -> None:
    assert blamed([UNITY, UNITY, Shift("terrain", -1, "B 5.1.2")], -1) == [("B 5.1.4", "forgotten")]
