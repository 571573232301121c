"""Games that are data alone, played from a seed: moves within reach, attacks that are allowed, results carried out.

What a combat comes to is asked of the referee; what follows from it is worked out here: who bears the losses, where
to retreat, what that costs. It knows retreats by distance, voluntary attacks on one hex, and a recovery phase.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema.dice import Dice
from hexforge.scenarios.schema.results import Demand
from hexforge.validator.readers import statements as st
from hexforge.validator.referee.combat.battle import Battle
from hexforge.validator.referee.combat.figures import Forces, work_out
from hexforge.validator.referee.combat.tables import result
from hexforge.validator.referee.state import STEPS
from hexforge.validator.referee.travel import reach
from tests.generator.game import Game, open_table, written
from tests.generator.table import Table

BARRED = "disrupted"
"""The mark of those who may not attack."""


def play(scenario: Scenario, seed: int) -> Game:
    """A whole game in which nobody breaks a rule."""
    table = open_table(scenario, seed)
    span = scenario.game.turns
    for turn in range(span.first, span.last + 1):
        for phase in scenario.game.sequence:
            table.say(st.TurnStart(0, turn, phase.side, phase.phase))
            {"weather": _weather, "movement": _move, "combat": _fight}.get(phase.phase, _recover)(table)
    return written(table.statements)


def _throw(table: Table, dice: str) -> tuple[int, ...]:
    thrown = Dice.of(dice)
    return tuple(table.draw.randint(1, thrown.faces) for _ in range(thrown.count))


def _weather(table: Table) -> None:
    rule = table.scenario.game.weather_die
    if rule is not None and len(set(rule.row(table.turn).shows.values())) > 1:
        table.say(st.WeatherRoll(0, _throw(table, rule.dice)))


def _move(table: Table) -> None:
    for line in table.scenario.setup.reinforcements:
        for unit in line.units if line.turn == table.turn else ():
            if table.unit(unit).side == table.side and table.position.units[unit].where == "due":
                _enter(table, unit, line.edges)
    for unit in table.shuffled(table.position.on_map(table.side)):
        if table.position.units[unit].moved or table.chance(0.2):
            continue
        found = reach(table.ctx, table.position, unit)
        near = [h for h in found if table.forces().around(h, table.enemy)]
        goals = sorted(near if near and table.chance(0.7) else found)
        if goals:
            table.say(st.Move(0, (unit,), found[table.draw.choice(goals)][1]))


def _enter(table: Table, unit: str, edges: tuple[st.EdgeName, ...]) -> None:
    """A unit comes on where nobody stands, and stays there."""
    grid = table.ctx.map.edges
    free = [(h, e) for e in edges for h in sorted(grid[e]) if not table.position.at(h)]
    hex_, edge = table.draw.choice(free)
    table.say(st.Enter(0, (unit,), (hex_,), edge))


def _recover(table: Table) -> None:
    rallies = [rule for rule in table.scenario.game.rules.marks if rule.rally and rule.rally.dice]
    for unit in table.shuffled(table.position.on_map(table.side)):
        for rule in rallies:
            if rule.rally and rule.rally.dice and rule.mark in table.position.units[unit].marks:
                table.say(st.Rally(0, (unit,), _throw(table, rule.rally.dice)))
    points = next((r.points for r in table.scenario.game.rules.replacements if r.side == table.side), 0)
    zone = table.position.zoc_against(table.side)
    for unit in table.shuffled(table.position.on_map(table.side)):
        state = table.position.units[unit]
        if points and state.lost and state.hex not in zone and BARRED not in state.marks:
            table.say(st.Recover(0, (unit,)))
            points -= 1


def _fight(table: Table) -> None:
    for target in table.shuffled(table.forces().held(table.enemy)):
        near = table.ctx.map.grid.neighbours[target]
        units = [u for h in near for u in table.position.at(h, table.side) if _may_attack(table, u)]
        if units and table.position.at(target) and table.chance(0.7):
            _attack(table, target, tuple(u for u in units if table.chance(0.8)) or (units[0],))


def _may_attack(table: Table, unit: str) -> bool:
    state, storm = table.position.units[unit], table.position.weather == "storm"
    fought = table.position.ledger.attacked
    return unit not in fought and BARRED not in state.marks and not (storm and "armoured" in table.unit(unit).kinds)


def _attack(table: Table, target: Hex, units: tuple[str, ...]) -> None:
    battle = Battle(table.ctx, table.position, table.side)
    figures = work_out(battle, Forces((target,), units, units))
    if figures.end == "refused":
        return
    faces = _throw(table, table.scenario.tables.crt.dice)
    codes = result(figures.table, Dice.of(figures.table.dice).value(faces) + figures.die_modifier, figures.column)
    acts: list[st.Act] = [st.Attack(0, units), st.Roll(0, faces), st.Result(0, codes)]
    aftermath = _Aftermath(table, target)
    for code in codes:
        told = table.scenario.tables.results[code]
        acts += aftermath.suffered(told.defender, list(table.position.at(target, table.enemy)))
        acts += aftermath.suffered(told.attacker, list(units))
        if told.attacker.advance and not aftermath.at(target) and table.chance(0.6):
            acts += aftermath.advanced(units, target)
    table.say(st.Combat(0, (target,), tuple(acts)))


@dataclass
class _Aftermath:
    """Where everybody stands, and at what step, while a result is carried out."""

    table: Table
    target: Hex
    where: dict[str, Hex] = field(default_factory=dict)
    step: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for unit in self.table.position.on_map():
            state = self.table.position.units[unit]
            assert state.hex is not None
            self.where[unit], self.step[unit] = state.hex, STEPS.index(state.step)

    def at(self, hex_: Hex) -> list[str]:
        """Who stands in a hex by now."""
        return [u for u, h in self.where.items() if h == hex_]

    def suffered(self, demand: Demand, units: list[str]) -> Iterator[st.Act]:
        """What a side carries out: its losses, and then its retreat."""
        steps = [self.table.unit(u).steps_at("full") - self.step[u] for u in units]
        whole = demand.units is not None and demand.units.count == "all"
        count = demand.steps.count if demand.steps is not None else 0
        assert isinstance(count, int)
        again = demand.again * sum(demand.mark in self.table.position.units[u].marks for u in units)
        for unit in units if whole else ():
            del self.where[unit]
            yield st.Eliminate(0, (unit,))
        for _ in range(min(count, sum(steps)) + again):
            living = [u for u in units if u in self.where]
            if not living:
                return
            yield self._lose(self.table.draw.choice(living))
        for unit in units if demand.retreat else ():
            if unit in self.where and demand.retreat:
                yield from self._retreat(unit, demand.retreat.hexes)

    def _lose(self, unit: str) -> st.Act:
        self.step[unit] += 1
        if self.step[unit] < self.table.unit(unit).steps_at("full"):
            return st.Lose(0, (unit,))
        del self.where[unit]
        return st.Eliminate(0, (unit,)) if self.table.chance(0.5) else st.Lose(0, (unit,))

    def _retreat(self, unit: str, count: int) -> Iterator[st.Act]:
        ways = sorted(self._ways(unit, (self.where[unit],), count), key=lambda way: (self._price(unit, way), way))
        if not ways:
            del self.where[unit]
            yield st.Eliminate(0, (unit,))
            return
        way, price = ways[0], self._price(unit, ways[0])
        yield st.Retreat(0, (unit,), way)
        self.where[unit] = way[-1]
        for _ in range(min(price, self.table.unit(unit).steps_at("full") - self.step[unit])):
            yield self._lose(unit)

    def _ways(self, unit: str, path: tuple[Hex, ...], left: int) -> Iterator[tuple[Hex, ...]]:
        grid, side = self.table.ctx.map.grid, self.table.unit(unit).side
        if not left:
            stacking = self.table.scenario.game.rules.stacking
            mates = [u for u in self.at(path[-1]) if self.table.unit(u).side == side]
            points = sum(stacking.weight(self.table.unit(u).kinds, self.table.unit(u).size) for u in (*mates, unit))
            if points <= stacking.most(self.table.ctx.map.terrain[path[-1]]):
                yield path
            return
        for there in grid.neighbours[path[-1]]:
            farther = grid.distance(path[0], there) > grid.distance(path[0], path[-1])
            enemies = [u for u in self.at(there) if self.table.unit(u).side != side]
            mover = self.table.ctx.mover(self.table.position, self.table.unit(unit))
            if farther and not enemies and not self.table.ctx.ground.step(mover, path[-1], there).key:
                yield from self._ways(unit, (*path, there), left - 1)

    def _price(self, unit: str, way: tuple[Hex, ...]) -> int:
        """The hexes next to an enemy who has a zone, across no river, on a way."""
        table, side = self.table, self.table.unit(unit).side
        zones = table.ctx.reach.hexes
        sources = [
            h
            for u, h in self.where.items()
            if table.unit(u).side != side
            and table.unit(u).is_any(("line",))
            and BARRED not in table.position.units[u].marks
        ]
        covered = {n for h in sources for n in zones[h]}
        return sum(h in covered for h in way[1:])

    def advanced(self, units: tuple[str, ...], target: Hex) -> Iterator[st.Act]:
        """One of the victors enters the hex, if he may go there."""
        for unit in units:
            mover = self.table.ctx.mover(self.table.position, self.table.unit(unit))
            if unit in self.where and not self.table.ctx.ground.step(mover, self.where[unit], target).key:
                yield st.Advance(0, (unit,), (self.where[unit], target))
                self.where[unit] = target
                return
