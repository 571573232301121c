"""Laws of movement that hold wherever the units stand."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as strat

from hexforge.scenarios.text.hexgrid import Hex
from hexforge.validator.judging.replay import judge, replay, steps
from hexforge.validator.notation import base, kinds, statements_head
from hexforge.validator.notation import statements as st
from hexforge.validator.rules.context import Context
from hexforge.validator.rules.journey import reach
from hexforge.validator.rules.opening import open_game
from hexforge.validator.rules.position import Position
from hexforge.validator.rules.travel import traveller
from tests.examples import examples
from tests.referee.played import scenario

GAMES = ("bastogne", "metz", "hurtgen")
TYPES = ("infantry", "armor", "artillery", "engineer", "mechanized_cavalry", "armored_infantry")


def scattered(game: str, seed: int, *, blank: bool) -> tuple[Context, Position]:
    """A dozen units of both sides close together, in the movement phase of one of them."""
    draw = random.Random(seed)
    game_map = scenario(game).map
    statements: list[base.Statement] = [statements_head.SheetVersion(1, 1), statements_head.GameName(2, game)]
    if blank:
        statements.append(statements_head.MapBlank(3, ("forest" if game != "metz" else "woods",), *size(game)))
    centre = draw.choice(game_map.grid.hexes)
    near = game_map.grid.within(centre, 5)
    turns = scenario(game).game.turns
    for i in range(12):
        side = ("american", "german")[i % 2]
        kind = draw.choice(TYPES)
        statements.append(
            statements_head.UnitDefinition(4, f"u{i}", side, kind, 3, 4, draw.randint(2, 20), range=6)
        )
    statements.append(statements_head.PositionStart(5))
    held: dict[Hex, str] = {}
    for i in range(12):
        side = ("american", "german")[i % 2]
        free = [h for h in near if held.get(h, side) == side]
        hex_ = draw.choice(free)
        held[hex_] = side
        statements.append(statements_head.Placement(6, f"u{i}", hex_))
    ctx, position, _ = open_game(scenario(game), st.Sheet(tuple(statements)), {})
    opened = st.TurnStart(7, draw.randint(turns.first, turns.last), draw.choice(("american", "german")), "movement")
    return ctx, judge(ctx, position, opened).position


def size(game: str) -> tuple[int, int]:
    grid = scenario(game).map.grid
    return grid.columns, grid.rows


def trouble(ctx: Context, position: Position, unit: str, way: tuple[Hex, ...]) -> list[str]:
    outcome = judge(ctx, position, st.Move(9, (unit,), way))
    return [f.code for f in outcome.findings if f.severity in ("illegal", "doubtful")]


@examples(25, deadline=None)
@given(strat.sampled_from(GAMES), strat.integers(0, 10**6), strat.booleans())
def test_what_is_in_reach_is_legal_when_played_and_costs_what_was_said(game: str, seed: int, blank: bool) -> None:
    ctx, position = scattered(game, seed, blank=blank)
    assert position.phase is not None
    for unit in position.on_map(position.phase.side):
        for hex_, (cost, way) in reach(ctx, position, unit).items():
            outcome = judge(ctx, position, st.Move(9, (unit,), way))
            assert not [f for f in outcome.findings if f.severity in ("illegal", "doubtful")], (unit, way)
            assert outcome.moves[0].cost == cost
            assert outcome.position.hex_of(unit) == hex_


@examples(25, deadline=None)
@given(strat.sampled_from(GAMES), strat.integers(0, 10**6), strat.booleans())
def test_what_is_legal_when_played_is_in_reach_for_no_more(game: str, seed: int, blank: bool) -> None:
    ctx, position = scattered(game, seed, blank=blank)
    assert position.phase is not None
    draw = random.Random(seed)
    grid = ctx.map.grid
    for unit in position.on_map(position.phase.side):
        found = reach(ctx, position, unit)
        way = [position.hex_of(unit) or ""]
        for _ in range(draw.randint(1, 4)):
            way.append(draw.choice(grid.neighbours[way[-1]]))
        outcome = judge(ctx, position, st.Move(9, (unit,), tuple(way)))
        legal = not any(f.severity in ("illegal", "doubtful") for f in outcome.findings)
        if legal and way[-1] != way[0]:
            assert way[-1] in found, (unit, way)
            assert found[way[-1]][0] <= outcome.moves[0].cost


@examples(15, deadline=None)
@given(strat.sampled_from(GAMES), strat.integers(0, 10**6))
def test_an_open_way_is_the_cheapest_there_is(game: str, seed: int) -> None:
    ctx, position = scattered(game, seed, blank=False)
    assert position.phase is not None
    for unit in position.on_map(position.phase.side):
        start = position.hex_of(unit) or ""
        for hex_, (cost, _) in list(reach(ctx, position, unit).items())[:5]:
            outcome = judge(ctx, position, st.Move(9, (unit,), (start, kinds.OPEN, hex_)))
            assert outcome.moves[0].cost == cost
            assert not [f for f in outcome.findings if f.severity in ("illegal", "doubtful")]


@pytest.mark.parametrize("game", GAMES)
def test_no_unit_reaches_an_enemy_or_goes_beyond_its_points(game: str) -> None:
    ctx, position = scattered(game, 7, blank=False)
    assert position.phase is not None
    enemy = position.boards[position.enemy(position.phase.side)].at
    for unit in position.on_map(position.phase.side):
        allowance = traveller(ctx, position, ctx.units[unit]).allowance
        for hex_, (cost, way) in reach(ctx, position, unit).items():
            assert hex_ not in enemy and cost <= allowance
            assert not any(h in position.zoc_against(position.phase.side) for h in way[1:-1])


def walk(game: str, seed: int) -> st.Sheet:
    """A sheet of random but legal moves over two turns from the scenario's own set-up."""
    draw = random.Random(seed)
    played: list[base.Statement] = [
        statements_head.SheetVersion(1, 1),
        statements_head.GameName(2, game),
        statements_head.Partial(3),
    ]
    ctx, position, _ = open_game(scenario(game), st.Sheet(tuple(played)), {})
    first = scenario(game).game.turns.first
    for turn in (first, first + 1):
        for phase in scenario(game).game.sequence:
            line = 10 + len(played)
            played.append(st.TurnStart(line, turn, phase.side, phase.phase))
            position = judge(ctx, position, played[-1]).position
            units = sorted(position.on_map(phase.side)) if phase.phase == "movement" else []
            for unit in draw.sample(units, min(8, len(units))):
                found = reach(ctx, position, unit)
                if found:
                    way = found[draw.choice(sorted(found))][1]
                    played.append(st.Move(10 + len(played), (unit,), way))
                    position = judge(ctx, position, played[-1]).position
    return st.Sheet(tuple(played))


@pytest.mark.parametrize("game", GAMES)
def test_the_replay_of_a_prefix_is_the_prefix_of_the_replay(game: str) -> None:
    sheet = walk(game, 3)
    whole = list(steps(scenario(game), sheet))
    for cut in range(4, len(sheet.statements), 5):
        part = list(steps(scenario(game), st.Sheet(sheet.statements[:cut])))
        for (_, _, a), (_, _, b) in zip(part[: cut + 1], whole, strict=False):
            assert (a.findings, a.moves, a.combats) == (b.findings, b.moves, b.combats)
            assert a.position.units == b.position.units


@pytest.mark.parametrize("game", GAMES)
def test_the_same_sheet_gives_the_same_answer(game: str) -> None:
    sheet = walk(game, 4)
    one, two = replay(scenario(game), sheet), replay(scenario(game), sheet)
    assert (one.findings, one.moves, one.position.units) == (two.findings, two.moves, two.position.units)
    wrong = [f for f in one.findings if f.severity in ("illegal", "doubtful") and f.code != "air-points"]
    # Nobody has set up who has a choice of hexes, which is told of what hangs on it.
    assert not [f for f in wrong if f.message.key != "findings.reading.unset"]
