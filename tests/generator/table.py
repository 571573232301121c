"""The table a generated game is played on: scenario, position, dice, and what has been written down so far."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.text.hexgrid import Hex, side
from hexforge.validator.judging.replay import judge
from hexforge.validator.notation import base
from hexforge.validator.rules.context import Context, Outcome
from hexforge.validator.rules.position import STEPS, Position, Step, Unit


@dataclass(frozen=True)
class Style:
    """How the two players play, each figure a probability unless said otherwise."""

    contact: float = 0.35
    """A unit that can reach the enemy goes there."""
    stay: float = 0.1
    """A unit that need not move stays where it is."""
    stack: float = 0.15
    """A unit takes another one of its hex along."""
    open_way: float = 0.1
    """The way of a move is left to the referee."""
    late: float = 0.1
    """A reinforcement lets its turn pass."""
    support: float = 0.4
    guard: float = 0.3
    voluntary: float = 0.15
    """A unit that may sit still attacks."""
    bombard: float = 0.25
    air: float = 0.5
    advance: float = 0.6
    declare: float = 0.9
    announce: float = 0.2
    seek: float = 0.7
    """A unit out of reach of the enemy goes towards him rather than anywhere."""


@dataclass
class Table:
    """A game being played. `unbuilt` notes since when engineers wait at a hexside."""

    scenario: Scenario
    ctx: Context
    position: Position
    draw: random.Random
    style: Style = Style()
    statements: list[base.Statement] = field(default_factory=list)
    met: set[str] = field(default_factory=set)
    """Units that have stood next to the enemy in the turn so far."""

    # ----------------------------------------------------------------- playing

    def say(self, statement: base.Statement) -> Outcome:
        """Write a statement down and play it."""
        before = self.turn
        outcome = judge(self.ctx, self.position, statement)
        self.statements.append(statement)
        self.position = outcome.position
        self.ctx = self.ctx.at(self.turn)
        if self.turn != before:
            self.met.clear()
        forces = self.forces()
        for side_ in (s.id for s in self.scenario.game.sides):
            zone = forces.zone(side_)
            self.met |= {u for u, h in forces.where.items() if h in zone and self.unit(u).side != side_}
        return outcome

    def chance(self, probability: float) -> bool:
        """Whether something of a probability happens now."""
        return self.draw.random() < probability

    def die(self) -> int:
        """One die."""
        return self.draw.randint(1, 6)

    def shuffled(self, things: Iterable[str]) -> list[str]:
        """Things in a random order that depends on the seed alone."""
        order = sorted(things)
        self.draw.shuffle(order)
        return order

    # ------------------------------------------------------------------ asking

    @property
    def side(self) -> str:
        """The side whose phase it is."""
        phase = self.position.phase
        assert phase is not None
        return phase.side

    @property
    def enemy(self) -> str:
        """The other side."""
        return next(s.id for s in self.scenario.game.sides if s.id != self.side)

    @property
    def turn(self) -> int:
        """The turn being played."""
        return self.position.turn

    def unit(self, id_: str) -> Unit:
        """A unit by id."""
        return self.ctx.units[id_]

    def forces(self) -> Forces:
        """Who stands where now, to be changed at will."""
        states = self.position.units
        where = {u: s.hex for u, s in states.items() if s.hex is not None and s.step != "eliminated"}
        return Forces(self, where, {u: states[u].step for u in where})


@dataclass
class Forces:
    """Who stands where and at what step, as plain dictionaries that a rule may try things out on."""

    table: Table
    where: dict[str, Hex]
    step: dict[str, Step]

    def at(self, hex_: Hex, side_: str | None = None) -> list[str]:
        """Units in a hex."""
        unit = self.table.unit
        return [u for u, h in self.where.items() if h == hex_ and (side_ is None or unit(u).side == side_)]

    def zone(self, side_: str) -> set[Hex]:
        """The zone of engagement of a side (4.1.2)."""
        near = self.table.ctx.map.grid.neighbours
        return {n for u, h in self.where.items() if self.table.unit(u).side == side_ for n in near[h]}

    def held(self, side_: str) -> set[Hex]:
        """The hexes of a side."""
        return {h for u, h in self.where.items() if self.table.unit(u).side == side_}

    def around(self, hex_: Hex, side_: str) -> list[Hex]:
        """Neighbouring hexes in which units of a side stand."""
        held = self.held(side_)
        return [n for n in self.table.ctx.map.grid.neighbours[hex_] if n in held]

    def attack(self, id_: str) -> int:
        """Attack as the unit stands."""
        return self._weakened(id_, self.table.unit(id_).attack_at(self.step[id_]))

    def defence(self, id_: str) -> int:
        """Defence as the unit stands."""
        return self._weakened(id_, self.table.unit(id_).defence_at(self.step[id_]))

    def _weakened(self, id_: str, value: int) -> int:
        unit, turn = self.table.unit(id_), self.table.turn
        for rule in self.table.scenario.game.rules.combat.modifiers:
            if rule.what.kind != "factor" or rule.when[0].kind != "turns":
                continue
            who, (first, last) = rule.what.units, rule.when[0].turns
            if who.side == unit.side and unit.is_any(who.types) and first <= turn <= last:
                return math.ceil(value * rule.what.by)
        return value

    def lose(self, id_: str) -> None:
        """A step off."""
        unit, lost = self.table.unit(id_), STEPS.index(self.step[id_]) + 1
        if lost < unit.steps_at("full"):
            self.step[id_] = STEPS[lost]
        else:
            self.remove(id_)

    def remove(self, id_: str) -> None:
        """Off the map."""
        del self.where[id_]
        del self.step[id_]


def water_between(table: Table, a: Hex, b: Hex) -> bool:
    """Whether water lies between two hexes, bridged or not."""
    lines = table.scenario.tables.hexsides
    return any(k in lines and lines[k].water for k in table.ctx.map.hexsides.get(side(a, b), ()))


def bridged(table: Table, unit: Unit, a: Hex, b: Hex) -> bool:
    """Whether a bridge that the unit may use joins two hexes: a marker, one on the map, one of a way."""
    s, turn = side(a, b), table.turn
    for rule in table.scenario.game.rules.movement.closed_bridges:
        applies = rule.side == unit.side and rule.turns[0] <= turn <= rule.turns[1]
        if applies and (a in rule.hexes or b in rule.hexes):
            return False
    if s in table.position.bridges:
        return True
    if any(x.side == s and (x.from_turn or 0) <= turn for x in table.ctx.map.bridge_list):
        return True
    ways = table.scenario.tables.ways
    return any(ways[k].bridges for k in table.ctx.map.links.get(s, ()))


def barred(table: Table, id_: str, a: Hex, b: Hex) -> bool:
    """Whether the ground keeps a unit from retreating into a hex; water and borders never do."""
    step = table.ctx.ground.step(table.ctx.mover(table.position, table.unit(id_)), a, b)
    return step.code == "prohibited-terrain" and step.key != "barred-hex"


def groups(items: Iterable[tuple[str, str]]) -> Iterator[tuple[str, list[str]]]:
    """Second members by the first, in order."""
    found: dict[str, list[str]] = {}
    for key, value in items:
        found.setdefault(key, []).append(value)
    yield from sorted(found.items())
