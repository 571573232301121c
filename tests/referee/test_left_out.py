"""A sheet judged once more without some of its lines says what a replay of what is left would say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from hexforge.validator.judging.replay import Judgement, replay, without
from hexforge.validator.judging.worlds.assumed import _LookedAt, _other_hexes, _other_sides
from hexforge.validator.notation import base
from hexforge.validator.notation import statements as st
from hexforge.validator.reading.sheet import read_sheet
from hexforge.validator.rules.findings import Finding
from hexforge.validator.rules.ground import Ground
from tests.referee.played import scenario

SHEET: Final = Path(__file__).parents[2] / "scenarios" / "hurtgen" / "examples" / "turn2-mistakes.sheet"


@pytest.fixture(scope="module")
def judged() -> tuple[st.Sheet, Judgement]:
    """A turn with mistakes that assumed ground bears on, in phases of both sides."""
    sheet = read_sheet(SHEET.read_text("utf-8"))
    return sheet, replay(scenario("hurtgen"), sheet)


def _lines(sheet: st.Sheet, kind: type[base.Statement]) -> list[int]:
    return [s.line for s in sheet.statements if isinstance(s, kind)]


def _asked_all(_: Finding) -> bool:
    return True


@pytest.mark.parametrize(("kind", "at"), [(st.Move, 0), (st.Move, -1), (st.Combat, 0), (st.TurnStart, 1)])
def test_it_is_what_a_replay_of_the_rest_says(judged: tuple[st.Sheet, Judgement], kind: type, at: int) -> None:
    sheet, judgement = judged
    out = {_lines(sheet, kind)[at]}
    rest = replace(sheet, statements=tuple(s for s in sheet.statements if s.line not in out))
    game = judgement.ctx.scenario
    expected = replay(game, rest).findings
    assert without(sheet, judgement, out, _asked_all) == expected
    asked = {(f.line, f.message) for f in judgement.findings[::2]}
    told = without(sheet, judgement, out, lambda f: (f.line, f.message) in asked)
    assert [f for f in told if (f.line, f.message) in asked] == [
        f for f in expected if (f.line, f.message) in asked
    ]


def test_another_ground_has_the_steps_that_it_would_have_by_itself(judged: tuple[st.Sheet, Judgement]) -> None:
    ctx = judged[1].ctx
    ground, grid = ctx.ground, ctx.map.grid
    movers = list(ground._steps)
    assert movers
    around = ("0907", "1007", "0805")
    others: list[Ground] = []
    for h in around:
        others += _other_hexes(ground, h, ctx.scenario.tables.terrain)
        s = (h, grid.neighbours[h][0])
        others += _other_sides(ground, s, _LookedAt(lines={s}, links={s}, bridges={s}))
    assert len(others) > len(around)
    for other in others:
        alone = replace(other, _steps={}, _under=None, _altered=frozenset())
        vars(alone).update({k: v for k, v in vars(other).items() if k not in ("_steps", "_under", "_altered")})
        vars(other)["_steps"] = {}
        steps = [(m, a, b) for m in movers[:2] for a in around for b in grid.neighbours[a]]
        steps += [(m, b, a) for m, a, b in steps]
        assert [other.step(*step) for step in steps] == [alone.step(*step) for step in steps]
