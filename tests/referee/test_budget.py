"""However much is wrong, judging takes bounded time, and what is not looked into any more is not acquitted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from hexforge.validator.judging.replay import Judgement, replay, steps, without
from hexforge.validator.judging.worlds import MOST_WORK, UNSURE, Budget
from hexforge.validator.judging.worlds.unread import lenient
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.findings import Finding, doubt
from tests.referee.played import scenario

EXAMPLES: Final = Path(__file__).parents[2] / "scenarios"
MISTAKES: Final = [
    p for p in sorted(EXAMPLES.glob("*/examples/*-mistakes.sheet")) if (p.parents[1] / "map.yaml").exists()
]
TIRED: Final = doubt("effort")
SPELT_WRONG: Final = """sheet 1
game hurtgen
turn 2 amerikan movement
move us-112-1: 0705 0305
turn 2 german movement
move ge-983-1: 0705 0305
"""


@pytest.fixture(scope="module")
def judged() -> tuple[st.Sheet, Judgement]:
    """A turn with mistakes that assumed ground bears on."""
    sheet = read_sheet((EXAMPLES / "hurtgen" / "examples" / "turn2-mistakes.sheet").read_text("utf-8"))
    return sheet, replay(scenario("hurtgen"), sheet)


def _weighed_with(sheet: st.Sheet, left: int) -> list[Finding]:
    played = steps(scenario("hurtgen"), sheet, budget=Budget(left))
    return [finding for _, _, outcome in played for finding in outcome.findings]


@pytest.mark.parametrize("left", [0, 1, 30, 80])
def test_what_is_not_looked_into_is_doubtful_and_nothing_is_lost(
    judged: tuple[st.Sheet, Judgement], left: int
) -> None:
    sheet, judgement = judged
    found = _weighed_with(sheet, left)
    assert [(f.line, f.message) for f in found] == [(f.line, f.message) for f in judgement.findings]
    pairs = list(zip(judgement.findings, found, strict=True))
    tired = [(full, f) for full, f in pairs if TIRED in f.rests_on]
    assert tired
    for full, f in tired:
        assert f.severity == "doubtful"
        assert full.severity in ("illegal", "doubtful")
        assert full.code in UNSURE
    for full, f in pairs:
        if TIRED not in f.rests_on:
            assert full.severity == f.severity


def test_what_is_wrong_whatever_the_ground_is_stays_illegal(judged: tuple[st.Sheet, Judgement]) -> None:
    found = _weighed_with(judged[0], 0)
    assert {f.code for f in found if f.severity == "illegal"}
    assert not {f.code for f in found if f.severity == "illegal"} & UNSURE


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.stem)
def test_a_turn_of_mistakes_takes_a_small_part_of_it(path: Path) -> None:
    sheet = read_sheet(path.read_text("utf-8"))
    judgement = replay(scenario(path.parts[-3]), sheet)
    assert judgement.budget.left > 0.9 * MOST_WORK
    assert not [f for f in judgement.findings if TIRED in f.rests_on]


def test_a_sheet_is_not_judged_again_without_some_lines_for_ever(judged: tuple[st.Sheet, Judgement]) -> None:
    sheet, judgement = judged
    line = next(s.line for s in sheet.statements if isinstance(s, st.Move))
    spent = replace(judgement, budget=Budget(1))
    assert without(sheet, spent, {line}, lambda _: True) is None
    assert without(sheet, judgement, {line}, lambda _: True)


def test_what_may_follow_from_a_phase_that_was_guessed_is_doubtful_without_looking() -> None:
    sheet = read_sheet(SPELT_WRONG)
    assert [problem.line for problem in sheet.problems if problem.assumed] == [3]
    judgement = replay(scenario("hurtgen"), sheet)
    below = [f for f in judgement.findings if f.line == 6 and f.severity == "illegal"]
    assert below
    asked: list[object] = []

    def tired(lines: object, _: object) -> None:
        asked.append(lines)

    found = lenient(sheet, judgement.findings, judgement.ctx.units, tired)
    assert asked
    told = [f for f in found if f.line == 6]
    assert all(f.severity == "doubtful" and f.rests_on == (TIRED,) for f in told)
