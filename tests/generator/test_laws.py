"""Laws that hold in every game: of replays, of reach, of odds, and of the answer's very bytes."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as strat

from hexforge.scenarios.text.hexgrid import Hex
from hexforge.validator.judging.replay import judge, replay, steps
from hexforge.validator.notation import statements as st
from hexforge.validator.rules.combat.preview import odds
from hexforge.validator.rules.journey import reach
from tests.examples import examples, leading
from tests.generator.game import Game, generate, skirmish
from tests.generator.mistakes import Moment, moments
from tests.referee.played import scenario

GAMES = ("bastogne", "metz", "hurtgen")
# the last turns that are played in games long enough to have units on the road everywhere
TURNS = {"bastogne": 3, "metz": 5, "hurtgen": 4}
PLAIN = examples(25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@cache
def legal(name: str) -> Game:
    return generate(scenario(name), 9, turns=TURNS[name])


@cache
def occasions(name: str) -> tuple[Moment, ...]:
    """Moves of a game, with the positions in which they are made."""
    return tuple(m for m in moments(scenario(name), legal(name)) if isinstance(m.statement, st.Move))


@PLAIN
@given(strat.sampled_from(GAMES), strat.integers(0, 10**6), strat.floats(0, 1))
def test_the_replay_of_a_prefix_is_the_prefix_of_the_replay(name: str, seed: int, share: float) -> None:
    sheet = skirmish(scenario(name), seed).sheet
    # What stands before the first turn is one statement about the start, and cannot be cut.
    head = next(i for i, s in enumerate(sheet.statements) if isinstance(s, st.TurnStart))
    cut = head + int(share * (len(sheet.statements) - head))
    whole = list(steps(scenario(name), sheet))[: cut + 1]
    part = list(steps(scenario(name), st.Sheet(sheet.statements[:cut])))[: cut + 1]
    assert len(part) == len(whole)
    for (_, one, a), (_, other, b) in zip(part, whole, strict=True):
        assert one is other
        assert (a.findings, a.moves, a.combats) == (b.findings, b.moves, b.combats)
        same = (a.position.units, a.position.ledger, a.position.control, a.position.air) == (
            b.position.units,
            b.position.ledger,
            b.position.control,
            b.position.air,
        )
        assert same, one


@pytest.mark.parametrize("name", GAMES)
def test_a_game_may_be_replayed_from_any_of_its_positions(name: str) -> None:
    played = list(steps(scenario(name), legal(name).sheet))
    ctx, _, start = played[0]
    middle = len(played) // 2
    position = played[middle][2].position
    for _, statement, outcome in played[middle + 1 : -1]:
        assert statement is not None
        position = judge(ctx, position, statement).position
        assert position.units == outcome.position.units
    assert start.position.units == next(iter(steps(scenario(name), legal(name).sheet)))[2].position.units


@PLAIN
@given(strat.sampled_from(GAMES), strat.integers(0, 10**6))
def test_what_is_in_reach_is_legal_when_played(name: str, seed: int) -> None:
    draw = random.Random(seed)
    moment = draw.choice(occasions(name))
    assert isinstance(moment.statement, st.Move)
    unit = moment.statement.units[0]
    found = reach(moment.ctx, moment.before, unit)
    for hex_ in draw.sample(sorted(found), min(20, len(found))):
        cost, way = found[hex_]
        outcome = judge(moment.ctx, moment.before, st.Move(9, (unit,), way))
        assert not [f for f in outcome.findings if f.severity in ("illegal", "doubtful")], (unit, way)
        assert outcome.moves[0].cost == cost


@PLAIN
@given(strat.sampled_from(GAMES), strat.integers(0, 10**6))
def test_what_is_legal_when_played_is_in_reach(name: str, seed: int) -> None:
    draw = random.Random(seed)
    moment = draw.choice(occasions(name))
    assert isinstance(moment.statement, st.Move)
    unit = moment.statement.units[0]
    found = reach(moment.ctx, moment.before, unit)
    near = moment.ctx.map.grid.neighbours
    for _ in range(20):
        way: list[Hex] = [moment.statement.path[0]]
        for _ in range(draw.randint(1, 6)):
            way.append(draw.choice(near[way[-1]]))
        outcome = judge(moment.ctx, moment.before, st.Move(9, (unit,), tuple(way)))
        lawful = not any(f.severity in ("illegal", "doubtful") for f in outcome.findings)
        if lawful and way[-1] != way[0]:
            assert way[-1] in found, (unit, way)
            assert found[way[-1]][0] <= outcome.moves[0].cost


@PLAIN
@given(strat.sampled_from(GAMES), strat.integers(0, 10**6))
def test_odds_never_rise_with_more_defence(name: str, seed: int) -> None:
    draw = random.Random(seed)
    for moment in moments(scenario(name), skirmish(scenario(name), seed)):
        fight = moment.statement
        if not isinstance(fight, st.Combat) or not isinstance(fight.acts[0], st.Attack):
            continue
        target, units, position = fight.targets[0], fight.acts[0].units, moment.before
        before = odds(moment.ctx, position, target, units).figures
        enemy = moment.table.enemy
        air = odds(moment.ctx, position, target, units, guard_air=draw.randint(1, 9)).figures
        guns = tuple(u for u in position.on_map(enemy) if "guns" in moment.ctx.units[u].kinds)
        fire = odds(moment.ctx, position, target, units, guards=guns).figures
        dead = [u for u, s in position.units.items() if s.hex is None and moment.ctx.units[u].side == enemy]
        crowd = before
        if dead:
            raised = position.set(draw.choice(dead), hex=target, step="full")
            crowd = odds(moment.ctx, raised, target, units).figures
        for after in (air, fire, crowd):
            assert after.defence >= before.defence
            assert after.base <= before.base and after.column <= before.column, (fight, after, before)


@pytest.mark.parametrize("name", leading(1, GAMES))
def test_the_same_sheet_gives_the_same_bytes_in_every_process(name: str, tmp_path: Path) -> None:
    # With every third line left out there is much to be said against the rest.
    head, play = legal(name).text.split("\nturn ", 1)
    rest = [x for i, x in enumerate(("turn " + play).splitlines()) if i % 3 or x.startswith("turn")]
    lines = [*head.splitlines(), *rest]
    path = tmp_path / "game.sheet"
    path.write_text("\n".join(lines[: len(lines) // 2]), encoding="utf-8")
    answers = set()
    for seed in ("0", "1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.getcwd()}  # noqa: PTH109
        done = subprocess.run(
            [sys.executable, "-m", "hexforge.validator", "check", str(path), "--format", "json"],
            env=environment,
            capture_output=True,
            check=False,
        )
        assert done.returncode in (0, 1), done.stderr
        answers.add(done.stdout)
        assert len(json.loads(done.stdout)["findings"]) > 5
    assert len(answers) == 1


def test_the_answer_to_a_sheet_read_twice_is_the_same() -> None:
    sheet = legal("metz").sheet
    one, two = replay(scenario("metz"), sheet), replay(scenario("metz"), sheet)
    assert (one.findings, one.combats, one.moves, one.score) == (two.findings, two.combats, two.moves, two.score)
