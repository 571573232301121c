"""Whatever a sheet says, the referee answers: no statement makes it fall over."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as strat

from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.replay import Judgement, replay
from hexforge.validator.notation import base, kinds, statements_head
from hexforge.validator.notation import statements as st
from hexforge.validator.rules.findings import CODES
from tests.examples import examples

GAMES = ("bastogne", "metz", "hurtgen")
HEXES = ("0101", "0102", "0202", "0203", "0303", "0507", "0608", "1001", "1801", "9999")
UNITS = ("a1", "a2", "g1", "g2", "nobody")


@cache
def scenario(name: str) -> Scenario:
    return load(name)


hexes = strat.sampled_from(HEXES)
paths = strat.lists(strat.sampled_from((*HEXES, kinds.OPEN)), max_size=5).map(tuple)
units = strat.lists(strat.sampled_from(UNITS), max_size=3).map(tuple)
unit = strat.sampled_from(("", *UNITS))
edges = strat.sampled_from(("north", "south", "east", "west", None))
ways = strat.sampled_from(("road", "trail", "rail", None))
faces = strat.integers(0, 7)
line = strat.integers(5, 99)
turns = strat.builds(
    st.TurnStart,
    line,
    strat.integers(0, 27),
    strat.sampled_from(("american", "german", "martian")),
    strat.sampled_from(("movement", "combat")),
)
acts = strat.one_of(
    strat.builds(st.Move, line, units, paths),
    strat.builds(st.Enter, line, units, paths, edges, ways),
    strat.builds(st.Exit, line, units, paths, edges, ways),
    strat.builds(st.RailMove, line, units, paths),
    strat.builds(st.Recover, line, units),
    strat.builds(st.BuildBridge, line, strat.tuples(hexes, hexes), unit),
    strat.builds(st.ClearTrail, line, hexes, unit, strat.none() | faces),
    strat.builds(st.AirRoll, line, faces),
)
edits = strat.one_of(
    strat.builds(
        statements_head.WayEdit, line, strat.sampled_from(("road", "trail", "rail")), strat.lists(hexes).map(tuple)
    ),
    strat.builds(
        statements_head.HexsideEdit,
        line,
        strat.sampled_from(("river", "our", "dam")),
        strat.just((("0101", "0102"),)),
    ),
    strat.builds(statements_head.TerrainEdit, line, strat.just(("forest", "marsh")), strat.lists(hexes).map(tuple)),
    strat.builds(statements_head.Placement, line, strat.sampled_from(UNITS), hexes, strat.booleans()),
    strat.builds(
        statements_head.UnitStatus,
        line,
        strat.sampled_from(UNITS),
        strat.sampled_from(("garrison", "arrived", "in-transit")),
    ),
    strat.builds(
        statements_head.UnitDefinition,
        line,
        strat.sampled_from(UNITS),
        strat.sampled_from(("american", "martian")),
        strat.sampled_from(("armor", "saucer")),
        faces,
        faces,
        faces,
    ),
    strat.builds(statements_head.Due, line, strat.sampled_from(UNITS), strat.integers(1, 26), edges),
)
KINDS = (("a1", "american", "armor"), ("a2", "american", "engineer"), ("g1", "german", "infantry"))
START: tuple[base.Statement, ...] = (
    statements_head.SheetVersion(1, 1),
    *(statements_head.UnitDefinition(3, name, side, kind, 3, 4, 8) for name, side, kind in KINDS),
    statements_head.UnitDefinition(
        3, "g2", "german", "artillery", 2, 1, 6, range=7, regiment="1217", division="462"
    ),
)


def play(game: str, statements: list[base.Statement], **how: bool) -> Judgement:
    return replay(scenario(game), st.Sheet((*START, *statements)), **how)


@examples(150, deadline=None)
@given(
    strat.sampled_from(GAMES),
    strat.booleans(),
    strat.lists(edits, max_size=6),
    strat.lists(turns | acts, max_size=12),
)
def test_every_sheet_gets_an_answer(
    game: str, blank: bool, before: list[base.Statement], played: list[base.Statement]
) -> None:
    grid = scenario(game).map.grid
    start = [statements_head.MapBlank(2, ("open",), grid.columns, grid.rows)] if blank else []
    judgement = play(game, [*start, *before, *played])
    assert all(f.code in CODES and f.message for f in judgement.findings)
    for name, state in judgement.position.units.items():
        side = judgement.ctx.units[name].side
        assert (state.hex is None) == (state.where != "")
        assert (state.hex is not None) == any(name in ids for ids in judgement.position.boards[side].at.values())


@examples(50, deadline=None)
@given(strat.lists(turns | acts, max_size=10))
def test_strict_stops_at_the_first_illegal_statement(played: list[base.Statement]) -> None:
    whole, strict = play("metz", played), play("metz", played, strict=True)
    assert strict.stopped == (whole.verdict == "illegal" and strict.stopped)
    assert strict.findings == whole.findings[: len(strict.findings)]
