"""A rule that nothing judges softens an accusation where its author says what it touches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexforge.scenarios.schema.game import NotJudged, Touched
from hexforge.validator.judging.replay import replay
from hexforge.validator.reading.sheet import read_sheet
from tests.referee.played import scenario

DEAR = """sheet 1
game corrick
partial
position
  r-1 0203
  r-dep 0203
  b-1 0703
turn 1 red movement
move r-1: 0203 0303 0403 0503 0603
"""


@pytest.mark.parametrize(
    ("touched", "severity"),
    [
        (Touched(statements=("move",), codes=("movement-cost",)), "doubtful"),
        (Touched(units=("r-1",)), "doubtful"),
        (Touched(turns=(1, 2)), "doubtful"),
        (Touched(statements=("combat",)), "illegal"),
        (Touched(codes=("must-stop",)), "illegal"),
        (Touched(units=("b-1",)), "illegal"),
        (Touched(turns=(2, 9)), "illegal"),
        (None, "illegal"),
    ],
)
def test_what_a_rule_that_is_not_judged_could_excuse_is_doubtful_and_names_it(
    touched: Touched | None, severity: str
) -> None:
    game = scenario("tests/games/corrick")
    rule = NotJudged(id="hours", about=("combat",), touches=(touched,) if touched else (), section="9")
    found = replay(replace(game, game=replace(game.game, not_judged=(rule,))), read_sheet(DEAR)).findings
    assert [f.severity for f in found] == [severity]
    assert bool(found[0].rests_on) == (severity == "doubtful")
