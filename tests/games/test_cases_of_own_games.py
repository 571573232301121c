"""Invented games that are data alone: each is judged by its own rules, case by case as its rules.md has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.validator import games
from hexforge.validator.check import judge
from hexforge.validator.readers.sheet import read_sheet
from tests.cases.catalogue import Case, cases, differences, unexpected

HOMES = {path.parent.name: path.parent for path in sorted(Path(__file__).parent.glob("*/cases.yaml"))}
CASES = {case.id: (name, case) for name, home in HOMES.items() for case in cases([home / "cases.yaml"])}
FEWEST = 25


@pytest.mark.parametrize(("name", "case"), CASES.values(), ids=CASES)
def test_it_is_judged_by_its_own_rules(name: str, case: Case) -> None:
    games.learn(HOMES[name])
    answer = judge(read_sheet(case.sheet)).as_json()
    assert [*differences(case, answer), *unexpected(case, answer)] == []


@pytest.mark.parametrize("name", HOMES)
def test_a_game_has_cases_of_either_kind_and_no_program(name: str) -> None:
    verdicts = [case.expect["verdict"] for home, case in CASES.values() if home == name]
    assert len(verdicts) >= FEWEST
    assert {"legal", "illegal"} <= set(verdicts)
    assert {path.suffix for path in HOMES[name].iterdir()} <= {".yaml", ".csv", ".md"}
