"""Games that are data alone, played from a seed: moves within reach, attacks that are allowed, results carried out.

What a combat comes to is asked of the referee; what follows from it is worked out here: who bears the losses, where
to retreat, what that costs, who is given up in exchange. It knows retreats by distance and of one hex, attacks of
one's own will, games in which all that stand next to one another must fight, and a recovery phase. Dice whose
result it could not tell in a plain way are thrown again, and a game ends before a duty that it could not meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema.game import PhaseSpec
from hexforge.scenarios.schema.results import Demand, Dice
from hexforge.scenarios.schema.results import worse as worse_of
from hexforge.scenarios.text.hexgrid import Hex
from hexforge.validator.notation import base
from hexforge.validator.notation import statements as st
from hexforge.validator.rules.combat.conditions import Battle, Forces
from hexforge.validator.rules.combat.encirclement import weight
from hexforge.validator.rules.combat.figures import work_out
from hexforge.validator.rules.combat.modifiers import barred
from hexforge.validator.rules.combat.participants import known
from hexforge.validator.rules.combat.tables import result
from hexforge.validator.rules.journey import reach
from hexforge.validator.rules.position import STEPS, Position
from hexforge.validator.rules.roster import untried
from tests.generator.game import Game, open_table, written
from tests.generator.table import Table

BARRED = "disrupted"
"""The mark of those who may not attack."""


def play(scenario: Scenario, seed: int) -> Game:
    """A whole game in which nobody breaks a rule."""
    table = open_table(scenario, seed)
    span = scenario.game.turns
    for turn in range(span.first, span.last + 1):
        for phase in _phases(table, turn):
            if phase.phase == "combat" and _must_fight(table) and not _groups(table, phase.side).whole:
                return written(table.statements)
            table.say(st.TurnStart(0, turn, phase.side, phase.phase))
            die = scenario.game.weather_die
            if die is not None and die.phase is None and phase is scenario.game.sequence[0]:
                _weather(table)
            if phase.phase == "movement":
                _move(table, phase.who)
            else:
                rests = not phase.does or bool({"rally", "recover"}.intersection(phase.does))
                rests = rests and (scenario.game.order_die is None or phase.phase != scenario.game.order_die.phase)
                done = {"weather": _weather, "combat": _fight, "attrition": _wear}
                done.get(phase.phase, _recover if rests else _idle)(table)
    return written(table.statements)


def _phases(table: Table, turn: int) -> Iterator[PhaseSpec]:
    """The phases of a turn as they are played; where dice say who goes first, they are thrown in their phase."""
    game = table.scenario.game
    rule, order = game.order_die, list(game.orders(turn)[0])
    for number in range(len(order)):
        spec = game.sequence[order[number]]
        yield spec
        if rule is not None and spec.phase == rule.phase:
            table.say(st.OrderRoll(0, _throw(table, rule.dice)))
            assert table.position.phase is not None
            order = list(game.orders(turn, table.position.phase.first)[0])


def _idle(_: Table) -> None:
    """Nobody does anything in a phase of dice, or of what is not played here."""


def _wear(table: Table) -> None:
    """Everybody who is worn in this phase, one by one, by dice where the first rule that fits throws any."""
    for unit in sorted(table.position.on_map(table.side)):
        marks = table.position.units[unit].marks
        rule = next((r for r in table.scenario.game.rules.attrition if marks.intersection(r.marks)), None)
        if rule is not None:
            table.say(st.Attrition(0, (unit,), _throw(table, rule.steps.dice) if rule.steps.dice else ()))


def _throw(table: Table, dice: str) -> tuple[int, ...]:
    thrown = Dice.of(dice)
    return tuple(table.draw.randint(1, thrown.faces) for _ in range(thrown.count))


def _weather(table: Table) -> None:
    rule = table.scenario.game.weather_die
    if rule is not None and len(set(rule.row(table.turn).shows.values())) > 1:
        table.say(st.WeatherRoll(0, _throw(table, rule.dice)))


def _move(table: Table, who: tuple[str, ...]) -> None:
    for line in table.scenario.setup.reinforcements:
        for unit in line.units if line.turn == table.turn and line.edges else ():
            if table.unit(unit).side == table.side and table.position.units[unit].where == "due":
                _enter(table, unit, line.edges)
    for unit in table.shuffled(table.position.on_map(table.side)):
        idle = not table.unit(unit).is_any(who) if who else table.position.units[unit].moved
        if idle or table.chance(0.2) or (not _reserve(table) and _is_marked(table, unit)):
            continue
        found = reach(table.ctx, table.position, unit)
        near = [h for h in found if table.forces().around(h, table.enemy)]
        goals = sorted(near if near and table.chance(0.7) else found)
        goal = table.draw.choice(goals) if goals else None
        if goal is not None and (not _must_fight(table) or _groups(table, table.side, {unit: goal}).whole):
            table.say(st.Move(0, (unit,), found[goal][1]))


def _reserve(table: Table) -> bool:
    """Whether the phase is that of units with a mark alone."""
    phase = table.position.phase
    return bool(phase and phase.places and table.scenario.game.sequence[phase.places[0]].marks)


@dataclass
class _Contact:
    """Hexes of both sides that stand next to one another, in groups; `whole`: one combat can be made of each."""

    groups: list[tuple[list[str], list[Hex]]]
    whole: bool


def _must_fight(table: Table) -> bool:
    return table.scenario.game.rules.combat.duty.enemies


def _groups(table: Table, side: str, moved: dict[str, Hex] | None = None) -> _Contact:
    """Who of a side stands next to whom, if some units stood elsewhere."""
    forces, near = table.forces(), table.ctx.map.grid.neighbours
    forces.where.update(moved or {})
    mine = forces.held(side)
    theirs = {h for u, h in forces.where.items() if table.unit(u).side != side}
    left = {h for h in mine if theirs.intersection(near[h])}
    found, whole = [], True
    while left:
        ours, enemies = {min(left)}, set[Hex]()
        while True:
            more = {n for h in ours for n in near[h] if n in theirs}
            back = {n for h in more for n in near[h] if n in mine}
            if (more, back | ours) == (enemies, ours):
                break
            enemies, ours = more, ours | back
        left -= ours
        whole = whole and all(e in near[h] for h in ours for e in enemies)
        units = sorted(u for u, h in forces.where.items() if h in ours)
        whole = whole and _odds(table, units, sorted(enemies), side)
        found.append((units, sorted(enemies)))
    return _Contact(found, whole)


def _odds(table: Table, units: list[str], enemies: list[Hex], side: str) -> bool:
    """Whether everybody may attack there, at odds that are not refused on the plainest count."""
    if any(table.unit(u).is_any(("horse", "guns")) for u in units):
        return False
    there = [u for u, h in table.forces().where.items() if h in enemies and table.unit(u).side != side]
    against = sum(2 * table.unit(u).defence for u in there)
    return 3 * sum(table.unit(u).attack // 2 for u in units) >= against


def _enter(table: Table, unit: str, edges: tuple[st.EdgeName, ...]) -> None:
    """A unit comes on where nobody stands, and stays there."""
    grid = table.ctx.map.edges
    free = [(h, e) for e in edges for h in sorted(grid[e]) if not table.position.at(h)]
    if free:
        hex_, edge = table.draw.choice(free)
        table.say(st.Enter(0, (unit,), (hex_,), edge))


def _recover(table: Table) -> None:
    rallies = [rule for rule in table.scenario.game.rules.marks if rule.rally and rule.rally.dice]
    for unit in table.shuffled(table.position.on_map(table.side)):
        for rule in rallies:
            clear = not (rule.rally and rule.rally.clear) or not table.position.engaged(unit)
            if clear and rule.rally and rule.rally.dice and rule.mark in table.position.units[unit].marks:
                table.say(st.Rally(0, (unit,), rule.mark, _throw(table, rule.rally.dice)))
    points = next((r.points for r in table.scenario.game.rules.replacements if r.side == table.side), 0)
    zone = table.position.zoc_against(table.side)
    for unit in table.shuffled(table.position.on_map(table.side)):
        state = table.position.units[unit]
        if points and state.lost and state.hex not in zone and BARRED not in state.marks:
            table.say(st.Recover(0, (unit,)))
            points -= 1


def _fight(table: Table) -> None:
    if _must_fight(table):
        for units, enemies in _groups(table, table.side).groups:
            _attack(table, tuple(enemies), tuple(units), duty=True)
        return
    shape, aimed = table.scenario.game.rules.combat.shape, set[Hex]()
    for target in table.shuffled(table.forces().held(table.enemy)):
        near = [h for h in table.ctx.map.grid.neighbours[target] if shape.stacks == "free" or h not in aimed]
        units = [u for h in near for u in table.position.at(h, table.side) if _may_attack(table, u)]
        if shape.attackers == "apart":
            for unit in units:
                there = table.position.hex_of(unit) in near and table.position.at(target, table.enemy)
                if there and _may_attack(table, unit) and (_is_bound(table, unit) or table.chance(0.7)):
                    _attack(table, (target,), (unit,), duty=_is_bound(table, unit))
        elif units and table.position.at(target) and table.chance(0.7):
            some = tuple(u for u in units if table.chance(0.8)) or (units[0],)
            aimed.update(h for u in some if (h := table.position.hex_of(u)) is not None)
            _attack(table, (target,), some)


def _is_bound(table: Table, unit: str) -> bool:
    """Whether a unit bears a mark by which it must attack."""
    return not table.position.units[unit].marks.isdisjoint(table.scenario.game.rules.combat.duty.marks)


def _is_marked(table: Table, unit: str) -> bool:
    """Whether a unit took a mark of its own will, in place of its move."""
    for rule in table.scenario.game.rules.marks:
        take, state, who = rule.take, table.position.units[unit], table.unit(unit)
        if take is None or rule.mark in state.marks or state.hex is None or not table.chance(0.15):
            continue
        ground = not take.terrain or not set(take.terrain).isdisjoint(table.ctx.map.terrain[state.hex])
        clear = not (take.clear and table.position.engaged(unit))
        if ground and clear and not state.moved and (not take.types or who.is_any(take.types)):
            table.say(st.Mark(0, (unit,), rule.mark))
            return True
    return False


def _may_attack(table: Table, unit: str) -> bool:
    state, storm = table.position.units[unit], table.position.weather == "storm"
    fought = table.position.ledger.attacked
    return unit not in fought and BARRED not in state.marks and not (storm and "armoured" in table.unit(unit).kinds)


class _Tangled(Exception):
    """A result that cannot be carried out in a plain way."""


def _attack(table: Table, targets: tuple[Hex, ...], units: tuple[str, ...], *, duty: bool = False) -> None:
    defenders = [u for target in targets for u in table.position.at(target, table.enemy)]
    try:
        position, revealed = _turned_up(table, (*units, *defenders))
    except _Tangled:
        assert not duty
        return
    battle = Battle(table.ctx, position, table.side)
    forces = Forces(targets, units, units)
    figures = work_out(battle, forces)
    if figures.end == "refused" or any(barred(battle, forces, {})):
        assert not duty
        return
    for _ in range(60):
        faces = _throw(table, table.scenario.tables.crt.dice)
        shown = Dice.of(figures.table.dice).value(faces) + figures.die_modifier
        certain = figures.result(None)
        codes = certain or result(figures.table, shown, figures.column)
        acts: list[base.Act] = [st.Attack(0, units), *revealed, *([] if certain else [st.Roll(0, faces)])]
        acts.append(st.Result(0, codes))
        try:
            acts += _carried_out(table, targets, units, codes)
        except _Tangled:
            continue
        table.say(st.Combat(0, targets, tuple(acts)))
        return
    assert not duty


def _turned_up(table: Table, units: tuple[str, ...]) -> tuple[Position, list[base.Act]]:
    """The position with the strengths of untried units that fight now, each drawn from what is left of its pool."""
    position, acts = table.position, list[base.Act]()
    for unit in units:
        rule = untried(table.scenario.game.rules.untried, position, unit)
        if rule is None or unit in position.revealed:
            continue
        drawn = list(position.revealed.values())
        pool = [rule.figures(*map(int, text.split()[0].split("-"))) for text in rule.pool]
        left = [
            each for (each, *_), count in zip(pool, rule.pool.values(), strict=True) if drawn.count(each) < count
        ]
        if not left:
            raise _Tangled
        figures = table.draw.choice(left)
        position = known(position, unit, figures)
        acts.append(st.Reveal(0, unit, *figures))
    return position, acts


def _carried_out(
    table: Table, targets: tuple[Hex, ...], units: tuple[str, ...], codes: tuple[str, ...]
) -> Iterator[base.Act]:
    aftermath = _Aftermath(table)
    rule = table.scenario.game.rules.combat.advance
    for code in codes:
        told = table.scenario.tables.results[code]
        defenders = [u for target in targets for u in table.position.at(target, table.enemy)]
        parts: list[tuple[Demand, list[str], st.RoleName]]
        parts = [(told.defender, defenders, "defender"), (told.attacker, list(units), "attacker")]
        for demand, of, part in parts[::-1] if told.first == "attacker" else parts:
            yield from aftermath.suffered(demand, of, part)
        if told.exchange is not None:
            yield from aftermath.given_up(units, defenders)
        empty = [t for t in targets if not aftermath.at(t)]
        if empty and (told.attacker.advance or rule.after == "vacated") and (rule.must or table.chance(0.6)):
            yield from aftermath.advanced(units, empty[0])


@dataclass
class _Aftermath:
    """Where everybody stands, and at what step, while a result is carried out."""

    table: Table
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

    def suffered(self, demand: Demand, units: list[str], part: st.RoleName) -> Iterator[base.Act]:
        """What a side carries out: its losses, and then its retreat."""
        steps = [self.table.unit(u).steps_at("full") - self.step[u] for u in units]
        whole = demand.units is not None and demand.units.count == "all"
        count = demand.steps.count if demand.steps is not None else 0
        assert isinstance(count, int)
        if demand.steps is not None and demand.steps.dice:
            faces = _throw(self.table, demand.steps.dice)
            yield st.LossRoll(0, part, faces)
            count = demand.steps.by_dice(Dice.of(demand.steps.dice).value(faces))
        for unit in units if whole else ():
            del self.where[unit]
            yield st.Eliminate(0, (unit,))
        for _ in range(min(count, sum(steps))):
            living = [u for u in units if u in self.where]
            if not living:
                return
            yield self._lose(self.table.draw.choice(living))
        failed = [] if demand.morale is None else [u for u in units if u in self.where and self._fails(u)]
        for unit in units if demand.morale is not None else ():
            if unit in self.where and self.table.unit(unit).morale:
                yield st.MoraleRoll(0, (unit,), (6, 6) if unit in failed else (1, 1))
        for unit in units:
            back = demand.retreat.hexes if demand.retreat else 0
            worse = worse_of(demand.again, demand.mark, self.table.position.units[unit].marks)
            if worse is not None and unit in self.where:
                lost = 6 if worse.steps == "all" else worse.steps
                for _ in range(min(lost, self._left(unit))):
                    yield self._lose(unit)
                back = max(back, worse.retreat)
            if unit in failed and demand.morale is not None:
                fails = demand.morale.fails
                for _ in range(self._left(unit) if fails.steps == "all" else min(fails.steps, self._left(unit))):
                    yield self._lose(unit)
                back = max(back, fails.retreat)
            if unit in self.where and back:
                yield from self._retreat(unit, back)

    def _fails(self, unit: str) -> bool:
        """Whether it shall show the most that two dice can, which no morale here stands, or else the least."""
        return bool(self.table.unit(unit).morale) and self.table.chance(0.4)

    def _left(self, unit: str) -> int:
        return self.table.unit(unit).steps_at("full") - self.step[unit]

    def _lose(self, unit: str) -> base.Act:
        self.step[unit] += 1
        if self.step[unit] < self.table.unit(unit).steps_at("full"):
            return st.Lose(0, (unit,))
        del self.where[unit]
        return st.Eliminate(0, (unit,)) if self.table.chance(0.5) else st.Lose(0, (unit,))

    def given_up(self, units: tuple[str, ...], lost: list[str]) -> Iterator[base.Act]:
        """Attackers for the defenders who are lost: as many factors at least, however they are counted."""
        owed = sum(max(self.table.unit(u).attack, self.table.unit(u).defence) for u in lost)
        for unit in sorted(units):
            if owed > 0 and unit in self.where:
                owed -= min(self.table.unit(unit).attack, self.table.unit(unit).defence)
                del self.where[unit]
                yield st.Eliminate(0, (unit,))

    def _retreat(self, unit: str, count: int) -> Iterator[base.Act]:
        way_rule = self.table.scenario.game.rules.combat.retreat.way
        ways = sorted(self._ways(unit, (self.where[unit],), count), key=lambda way: (self._price(unit, way), way))
        if getattr(way_rule, "zones", "barred") == "barred":
            ways = [way for way in ways if not any(self._next_to_enemy(unit, h) for h in way[1:])]
            if not ways:
                raise _Tangled
            yield st.Retreat(0, (unit,), ways[0])
            self.where[unit] = ways[0][-1]
            return
        if not ways:
            del self.where[unit]
            yield st.Eliminate(0, (unit,))
            return
        way, price = ways[0], self._price(unit, ways[0])
        yield st.Retreat(0, (unit,), way)
        self.where[unit] = way[-1]
        for _ in range(min(price, self.table.unit(unit).steps_at("full") - self.step[unit])):
            yield self._lose(unit)

    def _next_to_enemy(self, unit: str, hex_: Hex) -> bool:
        side, near = self.table.unit(unit).side, self.table.ctx.map.grid.neighbours[hex_]
        return any(self.table.unit(u).side != side for h in near for u in self.at(h))

    def _ways(self, unit: str, path: tuple[Hex, ...], left: int) -> Iterator[tuple[Hex, ...]]:
        grid, side = self.table.ctx.map.grid, self.table.unit(unit).side
        if not left:
            stacking = self.table.scenario.game.rules.stacking
            mates = [u for u in self.at(path[-1]) if self.table.unit(u).side == side]
            points = sum(weight(self.table.ctx, self.table.position, u) for u in (*mates, unit))
            if points <= stacking.most(self.table.ctx.map.terrain[path[-1]], side):
                yield path
            return
        for there in grid.neighbours[path[-1]]:
            farther = grid.distance(path[0], there) > grid.distance(path[0], path[-1])
            enemies = [u for u in self.at(there) if self.table.unit(u).side != side]
            mover = self.table.ctx.mover(self.table.position, self.table.unit(unit))
            if (
                farther
                and not enemies
                and not self._astray(side, path[-1], there)
                and not self._between(side, path[-1], there)
                and not self.table.ctx.ground.step(mover, path[-1], there).key
            ):
                yield from self._ways(unit, (*path, there), left - 1)

    def _astray(self, side: str, here: Hex, there: Hex) -> bool:
        """Whether a step leads away from the edges that supply a side, where its retreats may not."""
        if not getattr(self.table.scenario.game.rules.combat.retreat.way, "supply", False):
            return False
        grid, edges = self.table.ctx.map.grid, self.table.ctx.map.edges
        lines = [line for line in self.table.scenario.game.rules.supply if line.side in (None, side)]
        rim = [h for line in lines for edge in line.edges for h in edges[edge]]
        return min(grid.distance(there, h) for h in rim) > min(grid.distance(here, h) for h in rim)

    def _between(self, side: str, here: Hex, there: Hex) -> bool:
        """Whether a step leads between two enemies two hexes apart, in games in which that bars a retreat."""
        table, grid = self.table, self.table.ctx.map.grid
        if table.scenario.game.rules.movement.zones.bonds != "always":
            return False
        enemies = [
            h for u, h in self.where.items() if table.unit(u).side != side and table.unit(u).is_any(("line",))
        ]
        into = [h for h in enemies if grid.distance(h, there) == 1]
        over = [h for h in into if grid.distance(h, here) == 1]
        taken = any(table.unit(u).side == side for u in self.at(there))
        middle = tuple(2 * n for n in grid.cube(there))
        sums = {
            tuple(p + q for p, q in zip(grid.cube(a), grid.cube(b), strict=True))
            for a in into
            for b in into
            if a != b
        }
        straight = middle in sums
        return (straight and not taken) or any(grid.distance(a, b) == 2 for a in over for b in over)

    def _price(self, unit: str, way: tuple[Hex, ...]) -> int:
        """The hexes next to an enemy who has a zone, across no river, on a way."""
        table, side = self.table, self.table.unit(unit).side
        zones = table.ctx.reach().hexes
        sources = [
            h
            for u, h in self.where.items()
            if table.unit(u).side != side
            and table.unit(u).is_any(("line",))
            and BARRED not in table.position.units[u].marks
        ]
        covered = {n for h in sources for n in zones[h]}
        return sum(h in covered for h in way[1:])

    def advanced(self, units: tuple[str, ...], target: Hex) -> Iterator[base.Act]:
        """One of the victors enters the hex, if he may go there."""
        rule = self.table.scenario.game.rules.combat.advance
        near = self.table.ctx.map.grid.neighbours[target]
        for unit in units:
            if self.table.unit(unit).is_any(rule.none) or self.where.get(unit) not in near:
                continue
            mover = self.table.ctx.mover(self.table.position, self.table.unit(unit))
            if unit in self.where and not self.table.ctx.ground.step(mover, self.where[unit], target).key:
                yield st.Advance(0, (unit,), (self.where[unit], target))
                self.where[unit] = target
                return
