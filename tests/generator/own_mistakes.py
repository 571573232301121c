"""Mistakes planted into a game of `tests.generator.own`: a statement, the wrong one in its place, their kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.text.hexgrid import Hex
from hexforge.validator.judging.replay import judge
from hexforge.validator.notation import base, statements_head
from hexforge.validator.notation import statements as st
from hexforge.validator.rules.position import Position
from tests.generator.game import Game, open_table

Planted = tuple[str, base.Statement, base.Statement]


def planted(scenario: Scenario, game: Game, seed: int) -> Iterator[Planted]:
    """Every mistake that each statement offers, with its kind."""
    table = open_table(scenario, seed)
    for statement in game.sheet.statements:
        before = table.position
        if isinstance(statement, st.Move) and len(statement.path) > 1:
            yield from _in_a_move(table.ctx.map.grid.neighbours, before, statement)
        elif isinstance(statement, st.Combat):
            yield from _in_a_combat(scenario, before, statement)
        if statement.line and not isinstance(
            statement, statements_head.SheetVersion | statements_head.GameName | statements_head.SetupStart
        ):
            table.position = judge(table.ctx, before, statement).position


def _in_a_move(near: dict[Hex, tuple[Hex, ...]], position: Position, old: st.Move) -> Iterator[Planted]:
    side = position.roster[old.units[0]].side
    enemies = [h for h in near[old.path[-1]] if position.at(h, position.enemy(side))]
    strangers = sorted(position.on_map(position.enemy(side)))
    yield "too far", old, replace(old, path=(*old.path, *(old.path[-2], old.path[-1]) * 9))
    far = next(h for h in sorted(near) if h not in near[old.path[0]] and h != old.path[0])
    yield "a jump", old, replace(old, path=(old.path[0], far))
    if enemies:
        yield "into the enemy", old, replace(old, path=(*old.path, enemies[0]))
    if strangers:
        hex_ = position.hex_of(strangers[0])
        assert hex_ is not None
        yield "the other's unit", old, replace(old, units=(strangers[0],), path=(hex_, near[hex_][0]))


def _in_a_combat(scenario: Scenario, position: Position, old: st.Combat) -> Iterator[Planted]:
    acts = list(old.acts)
    told = next(a for a in acts if isinstance(a, st.Result))
    attack = next(a for a in acts if isinstance(a, st.Attack))
    side = position.roster[attack.units[0]].side
    grid = position.grid

    def put(kind: str, one: base.Act, other: base.Act) -> Planted:
        return kind, old, replace(old, acts=tuple(other if a is one else a for a in acts))

    if rolled := [a for a in acts if isinstance(a, st.Roll)]:
        faces = scenario.tables.crt.thrown.faces
        yield put("a face that is none", rolled[0], replace(rolled[0], faces=(faces + 1,) * len(rolled[0].faces)))
        cells = [tuple(c.split()) for row in scenario.tables.crt.rows.values() for c in row]
        other = next(codes for codes in cells if set(codes) != set(told.codes))
        yield put("a result misread", told, replace(told, codes=other))
    losses = [a for a in acts if isinstance(a, st.Lose | st.Eliminate)]
    gone = sum(isinstance(a, st.Eliminate) for a in acts)
    if losses and not gone:
        yield "a loss left out", old, replace(old, acts=tuple(a for a in acts if a is not losses[0]))
    if tests := [a for a in acts if isinstance(a, st.MoraleRoll)]:
        yield "a test left out", old, replace(old, acts=tuple(a for a in acts if a is not tests[0]))
        yield put("a test with one die", tests[0], replace(tests[0], faces=tests[0].faces[:1]))
    if backs := [a for a in acts if isinstance(a, st.Retreat)]:
        yield "no retreat", old, replace(old, acts=tuple(a for a in acts[: acts.index(backs[0])]))
        yield put("a retreat into the fight", backs[0], replace(backs[0], path=(backs[0].path[0], old.targets[0])))
    distant = [
        u
        for u in sorted(position.on_map(side))
        if (h := position.hex_of(u)) and all(grid.distance(h, t) > 4 for t in old.targets)
    ]
    if distant:
        yield put("attack from afar", attack, replace(attack, units=(*attack.units, distant[0])))
    empty = next(h for h in sorted(grid) if not position.at(h))
    yield "nobody there", old, replace(old, targets=(empty,))
    counted = st.Declare(0, attack=97, defence=1)
    yield "sums miscounted", old, replace(old, acts=(attack, counted, *(a for a in acts if a is not attack)))
