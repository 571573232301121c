"""Whole games that break no rule, made from a seed: what the referee's speed is measured on, and its best test.

Both players move at random but lawfully, attack whatever they are bound to attack, and carry out what the dice
demand. Every statement is put to the referee before it is played; what he would find fault with is not said.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from scenarios.hexgrid import Hex
from scenarios.model import Scenario
from validator.readers import statements as st
from validator.referee.combat.demands import Demands, demands
from validator.referee.context import Context
from validator.referee.duties import duties
from validator.referee.findings import Finding
from validator.referee.opening import open_game
from validator.referee.outcome import Outcome
from validator.referee.phases import close_phase
from validator.referee.replay import judge
from validator.referee.state import Position
from validator.referee.travel import reach

BAD = ("illegal", "doubtful")


def bad(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that make a game other than legal."""
    return [f for f in findings if f.severity in BAD]


@dataclass
class Game:
    """A game in the making. `trouble` are findings that could not be avoided: none, if all is well."""

    ctx: Context
    position: Position
    draw: random.Random
    statements: list[st.Statement]
    line: int = 0
    trouble: list[Finding] = field(default_factory=list)
    moves: int = 0
    combats: int = 0

    def next_line(self) -> int:
        """A fresh line number."""
        self.line += 1
        return self.line

    def ask(self, statement: st.Statement, *, partial: bool = False) -> Outcome:
        """What the referee would say of a statement."""
        return judge(replace(self.ctx, partial=True) if partial else self.ctx, self.position, statement)

    def say(self, statement: st.Statement, outcome: Outcome | None = None) -> Outcome:
        """Play a statement."""
        outcome = outcome or self.ask(statement)
        self.statements.append(statement)
        self.position = outcome.position
        self.trouble += bad(outcome.findings)
        self.moves += len(outcome.moves)
        self.combats += len(outcome.combats)
        return outcome

    def dice(self) -> tuple[int, int]:
        """Two dice."""
        return self.draw.randint(1, 6), self.draw.randint(1, 6)


def generate(scenario: Scenario, seed: int, *, moves_a_turn: int = 200, contact: float = 0.1) -> Game:
    """A game from the first turn to the last.

    `moves_a_turn` bounds the moves of both sides together; `contact` is how often a unit seeks the enemy.
    """
    draw = random.Random(seed)
    start: list[st.Statement] = [st.SheetVersion(1, 1), st.GameName(2, scenario.name), st.PositionStart(3)]
    start += _placements(scenario, draw)
    ctx, position, findings = open_game(scenario, st.Sheet(tuple(start)), {})
    game = Game(ctx, position, draw, start, line=len(start) + 1, trouble=bad(findings))
    spec = scenario.game
    share = max(1, moves_a_turn // max(1, sum(p.phase == "movement" for p in spec.sequence)))
    for turn in range(spec.turns.first, spec.turns.last + 1):
        for phase in spec.sequence:
            game.trouble += bad(close_phase(game.ctx, game.position))
            game.say(st.TurnStart(game.next_line(), turn, phase.side, phase.phase))
            if phase.phase == "movement":
                _move_all(game, share, contact)
            else:
                _fight_all(game)
    game.trouble += bad(close_phase(game.ctx, game.position))
    return game


def _placements(scenario: Scenario, draw: random.Random) -> Iterator[st.Statement]:
    held: dict[Hex, int] = {}
    held_by: dict[Hex, str] = {}
    for rule in scenario.setup.at_start:
        for unit in rule.units:
            hexes = list(rule.hexes) + [h for a in rule.areas for h in scenario.map.area.get(a, ())]
            if rule.free:
                # Beside a friend is behind the own line.
                hexes = [h for h, side in held_by.items() if side == scenario.counters[unit].side]
            draw.shuffle(hexes)
            for h in hexes:
                if held.get(h, 0) < scenario.game.rules.stacking.limit:
                    held[h] = held.get(h, 0) + 1
                    held_by[h] = scenario.counters[unit].side
                    yield st.Placement(4, unit, h)
                    break


# ---------------------------------------------------------------------------------------------- movement


def _move_all(game: Game, share: int, contact: float) -> None:
    phase = game.position.phase
    assert phase is not None
    tables = game.ctx.scenario.tables
    if any(row.die for row in tables.air) and phase.side == game.ctx.scenario.game.sequence[0].side:
        game.say(st.AirRoll(game.next_line(), game.draw.randint(1, 6)))
    _bring_on(game, phase.side, phase.turn)
    units = sorted(game.position.on_map(phase.side))
    game.draw.shuffle(units)
    for unit in units[:share]:
        if not game.position.units[unit].moved:
            _move(game, unit, contact)


def _bring_on(game: Game, side: str, turn: int) -> None:
    for rule in game.ctx.scenario.setup.reinforcements:
        if not rule.turn <= turn:
            continue
        for unit in rule.units:
            if game.ctx.units[unit].side != side or game.position.units[unit].where != "due":
                continue
            edges = list(rule.edges) or ["north", "east", "south", "west"]
            hexes = [(e, h) for e in edges for h in rule.hexes or sorted(game.ctx.ground.edge(e))]
            game.draw.shuffle(hexes)
            for edge, h in hexes[:20]:
                statement = st.Enter(game.next_line(), (unit,), (h,), edge)
                outcome = game.ask(statement)
                if not bad(outcome.findings) and h not in game.position.zoc_against(side):
                    game.say(statement, outcome)
                    break


def _move(game: Game, unit: str, contact: float) -> None:
    side = game.ctx.units[unit].side
    zone = game.position.zoc_against(side)
    found = reach(game.ctx, game.position, unit)
    near = sorted(h for h in found if h in zone)
    far = sorted(h for h in found if h not in zone)
    seek = game.draw.random() < contact
    choice = near if (seek and near) else far
    if not choice:
        return
    way = found[game.draw.choice(choice)][1]
    statement = st.Move(game.next_line(), (unit,), way)
    outcome = game.ask(statement)
    if not bad(outcome.findings):
        game.say(statement, outcome)


# ------------------------------------------------------------------------------------------------ combat


def _fight_all(game: Game) -> None:
    """Attack until nobody is bound to any more: each time the hex that most of them can reach."""
    for _ in range(60):
        owed = duties(game.ctx, game.position)
        targets: dict[Hex, list[str]] = {}
        for duty in owed:
            for h in duty.enemies:
                if h not in game.position.ledger.targets:
                    targets.setdefault(h, []).append(duty.unit)
        if not targets:
            return
        target = max(sorted(targets), key=lambda h: len(targets[h]))
        _fight(game, target, tuple(sorted(targets[target])))


def _fight(game: Game, target: Hex, attackers: tuple[str, ...]) -> None:
    line = game.next_line()
    acts: list[st.Act] = [st.Attack(line, attackers), st.Roll(line, game.dice())]
    told = game.ask(st.Combat(line, (target,), tuple(acts)), partial=True)
    record = told.combats[0]
    codes = tuple((record.result or "").split())
    acts.append(st.Result(line, codes))
    phase = game.position.phase
    assert phase is not None
    defenders = game.position.at(target, game.position.enemy(phase.side))
    acts = _consequences(game, target, acts, demands(codes), defenders, attackers)
    game.say(st.Combat(line, (target,), tuple(acts)))


def _consequences(  # noqa: PLR0917
    game: Game,
    target: Hex,
    acts: list[st.Act],
    asked: Demands,
    defenders: Sequence[str],
    attackers: Sequence[str],
) -> list[st.Act]:
    if asked.exchange:
        acts = _exchange(game, target, acts, defenders, attackers)
    for loss, units in ((asked.defender_loss, defenders), (asked.attacker_loss, attackers)):
        if loss:
            kind = st.Eliminate if loss == "unit" else st.Lose
            acts = _first_lawful(game, target, acts, [[kind(acts[0].line, (u,))] for u in units])
    backward = [*(defenders if asked.defender_retreats else ()), *(attackers if asked.attacker_retreats else ())]
    for unit in backward:
        after = _position(game, target, acts)
        here = after.hex_of(unit)
        if here is not None:
            ways = list(_ways_back(game, after, unit, here, acts[0].line))
            acts = _first_lawful(game, target, acts, ways, unit)
    return acts


def _exchange(
    game: Game, target: Hex, acts: list[st.Act], defenders: Sequence[str], attackers: Sequence[str]
) -> list[st.Act]:
    line = acts[0].line
    position, units = game.position, game.ctx.units
    given = min(defenders, key=lambda u: units[u].defence_at(position.units[u].step))
    owed = units[given].defence_at(position.units[given].step)
    acts = [*acts, st.Eliminate(line, (given,))]
    for unit in attackers:
        if owed <= 0:
            break
        acts.append(st.Eliminate(line, (unit,)))
        owed -= units[unit].attack_at(position.units[unit].step)
    return acts


def _position(game: Game, target: Hex, acts: Sequence[st.Act]) -> Position:
    return game.ask(st.Combat(acts[0].line, (target,), tuple(acts)), partial=True).position


def _ways_back(game: Game, position: Position, unit: str, here: Hex, line: int) -> Iterator[list[st.Act]]:
    """Every way in which a retreat may end, the mildest first."""
    around = list(game.ctx.map.grid.neighbours[here])
    game.draw.shuffle(around)
    hurt: list[list[st.Act]] = [[], [st.Lose(line, (unit,))], [st.Eliminate(line, (unit,))]]
    for price in hurt:
        for h in around:
            yield [st.Retreat(line, (unit,), (here, h)), *price]
    for edge in game.ctx.ground.edges_at(here):
        yield [st.Retreat(line, (unit,), (here,), edge)]  # type: ignore[arg-type]
    for price in hurt:
        for h in around:
            for further in game.ctx.map.grid.neighbours[h]:
                if further != here:
                    yield [st.Retreat(line, (unit,), (here, h, further)), *price]
    yield [st.Eliminate(line, (unit,))]


def _first_lawful(
    game: Game, target: Hex, acts: list[st.Act], candidates: Sequence[list[st.Act]], unit: str = ""
) -> list[st.Act]:
    """The acts with the first continuation that the referee finds no fault with; the last one if he dislikes all.

    With `unit` nothing may be missing about that unit either.
    """
    line = acts[0].line
    before = len(bad(game.ask(st.Combat(line, (target,), tuple(acts)), partial=True).findings))
    for candidate in candidates:
        combat = st.Combat(line, (target,), (*acts, *candidate))
        if len(bad(game.ask(combat, partial=True).findings)) > before:
            continue
        if unit and any(unit in f.units for f in bad(game.ask(combat).findings)):
            continue
        return [*acts, *candidate]
    return [*acts, *candidates[-1]]
