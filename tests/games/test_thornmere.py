"""A game of untried units, losses by dice, choices that are the enemy's and attrition, by data alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.validator import games
from hexforge.validator.check import judge
from hexforge.validator.readers.sheet import read_sheet
from tests.cases.catalogue import Case, cases, differences, unexpected

HOME = Path(__file__).parent / "thornmere"
CASES = {case.id: case for case in cases([HOME / "cases.yaml"])}


@pytest.fixture(scope="module", autouse=True)
def known() -> None:
    """The game is known by its name while these tests run."""
    games.learn(HOME)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_it_is_judged_by_its_own_rules(case: Case) -> None:
    answer = judge(read_sheet(case.sheet)).as_json()
    assert [*differences(case, answer), *unexpected(case, answer)] == []
