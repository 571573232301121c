"""What a result makes of a combat (5.1.6 to 5.3.3): lawful losses, retreats and advances, chosen at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hexforge.scenarios.text.hexgrid import Hex, side
from hexforge.validator.notation import base
from hexforge.validator.notation import statements as st
from hexforge.validator.rules.position import GARRISON
from tests.generator.figures import dominates
from tests.generator.table import Forces, Table, barred, bridged, water_between


@dataclass(frozen=True)
class Way:
    """A way back: hexes from the one left, steps that it costs, and whether it kills."""

    path: tuple[Hex, ...]
    steps: int
    death: bool


class Aftermath:
    """Carries a result out on `forces`, which it changes, and writes down what happens."""

    def __init__(
        self, table: Table, forces: Forces, target: Hex, attackers: Sequence[str], codes: Sequence[str]
    ) -> None:
        self.table = table
        self.forces = forces
        self.target = target
        self.codes = set(codes)
        self.attackers = list(attackers)
        self.defenders = forces.at(target, table.enemy)
        self.hit: set[str] = set()
        self.gone: set[str] = set()
        self.fleeing: set[str] = set()
        self.moved_aside: set[str] = set()

    def acts(self) -> list[base.Act]:
        """All of it, in the order in which it happens."""
        return [*self._losses(), *self._retreats(), *self._advances()]

    # ----------------------------------------------------------------- losses

    def _losses(self) -> Iterator[base.Act]:
        if "EMP" in self.codes:
            yield from self._exchange()
            return
        if "DE" in self.codes:
            yield from self._die(self._weakest(self.defenders))
        elif self.codes & {"DRB", "DVB", "DB"}:
            yield from self._hurt(self._weakest(self.defenders))
        if "AE" in self.codes:
            yield from self._die(self._bearer())
        elif self.codes & {"AVB", "ARB"}:
            yield from self._hurt(self._bearer())

    def _exchange(self) -> Iterator[base.Act]:
        draw = self.table.draw
        given = draw.sample(self.defenders, draw.randint(1, max(1, len(self.defenders) // 2)))
        owed = sum(map(self.forces.defence, given))
        paying: list[str] = []
        for unit in draw.sample(self.attackers, len(self.attackers)):
            if owed <= 0:
                break
            paying.append(unit)
            owed -= self.forces.attack(unit)
        for unit in (*given, *paying):
            yield from self._die(unit)

    def _weakest(self, units: Sequence[str]) -> str:
        return self.table.draw.choice(units)

    def _bearer(self) -> str:
        """The attacker who takes the loss; armour that fought armour bears it itself (B 5.1.6)."""
        table = self.table
        for clause in table.scenario.game.rules.combat.loss_clauses:
            armour = any(table.unit(u).is_any(clause.attackers) for u in self.attackers)
            against = any(table.unit(u).is_any(clause.enemies) for u in self.defenders)
            bearers = [u for u in self.attackers if table.unit(u).is_any(clause.bearers)]
            if armour and against and bearers and self.codes & set(clause.results):
                return table.draw.choice(bearers)
        return table.draw.choice(self.attackers)

    def _die(self, unit: str) -> Iterator[base.Act]:
        self.forces.remove(unit)
        yield st.Eliminate(0, (unit,))

    def _hurt(self, unit: str) -> Iterator[base.Act]:
        self.hit.add(unit)
        dies = self.table.unit(unit).steps_at(self.forces.step[unit]) == 1
        self.forces.lose(unit)
        yield st.Eliminate(0, (unit,)) if dies and self.table.chance(0.5) else st.Lose(0, (unit,))

    # --------------------------------------------------------------- retreats

    def _retreats(self) -> Iterator[base.Act]:
        units: list[str] = []
        if self.codes & {"DE", "DRB", "DRI", "AVI", "AVB", "EMP"}:
            units += self.defenders
        if self.codes & {"DVB", "DVI", "ARI", "ARB", "AE"}:
            units += self.attackers
        self.fleeing = {u for u in units if u in self.forces.where}
        for unit in self.table.shuffled(self.fleeing):
            if unit in self.forces.where:
                yield from self._retreat(unit)
                self.gone.add(unit)

    def _enemy_of(self, unit: str) -> str:
        mine = self.table.unit(unit).side
        return next(s.id for s in self.table.scenario.game.sides if s.id != mine)

    def _unsafe(self, unit: str) -> set[Hex]:
        enemy = self._enemy_of(unit)
        return self.forces.zone(enemy) | self.forces.held(enemy)

    def _room(self, hex_: Hex, unit: str) -> bool:
        limit = self.table.scenario.game.rules.stacking.limit
        return len(self.forces.at(hex_, self.table.unit(unit).side)) < limit

    def _displacements(self, hex_: Hex, unit: str) -> list[tuple[str, Hex]]:
        """Units of a full hex that may make room, and where they may go (5.3.1)."""
        near = self.table.ctx.map.grid.neighbours[hex_]
        return [
            (u, n)
            for u in self.forces.at(hex_, self.table.unit(unit).side)
            for n in near
            if n not in self._unsafe(u) and self._room(n, u) and not barred(self.table, u, hex_, n)
        ]

    def _free(self, unit: str) -> list[Hex]:
        """Hexes in which a retreat of one hex may end (5.3)."""
        here, unsafe = self.forces.where[unit], self._unsafe(unit)
        return [
            n
            for n in self.table.ctx.map.grid.neighbours[here]
            if n not in unsafe
            and not barred(self.table, unit, here, n)
            and (self._room(n, unit) or self._displacements(n, unit))
        ]

    def _water(self, unit: str, a: Hex, b: Hex) -> tuple[int, bool]:
        """Steps, or death, that the water between two hexes costs (5.3.2)."""
        table, rule = self.table, self.table.scenario.game.rules.combat.retreat
        who = table.unit(unit)
        lines = table.ctx.map.hexsides.get(side(a, b), frozenset())
        if not water_between(table, a, b) or bridged(table, who, a, b) or lines & set(rule.ignored_by):
            return 0, False
        if who.is_any(rule.destroyed):
            return 1, True
        return int(rule.loss_all_others or who.is_any(rule.loss)), False

    def _way(self, unit: str, path: tuple[Hex, ...]) -> Way:
        """What a way back costs."""
        steps, death = 0, False
        for a, b in pairwise(path):
            more, deadly = self._water(unit, a, b)
            steps += more
            death = death or deadly or (more > 0 and unit in self.hit)
        if len(path) == 3:
            friends = [u for u in self.forces.at(path[1]) if u not in self.fleeing]
            if path[2] in self._unsafe(unit):
                death = True
            elif not friends:
                steps += 1
                death = death or unit in self.hit
        return Way(path, steps, death or steps >= (2 if self.forces.step[unit] == "full" else 1))

    def _ways(self, unit: str) -> list[Way]:
        """All ways back of one hex, or of two where there are none (5.3.3)."""
        here, near = self.forces.where[unit], self.table.ctx.map.grid.neighbours
        free = self._free(unit)
        if free:
            return [self._way(unit, (here, n)) for n in free]
        held = self.forces.held(self._enemy_of(unit))
        return [
            self._way(unit, (here, a, b))
            for a in near[here]
            if a not in held and not barred(self.table, unit, here, a)
            for b in near[a]
            if b != here
            and b not in held
            and not barred(self.table, unit, a, b)
            and (self._room(b, unit) or self._displacements(b, unit))
        ]

    def _retreat(self, unit: str) -> Iterator[base.Act]:
        table, ways = self.table, self._ways(unit)
        one_hex = any(len(w.path) == 2 for w in ways)
        off = self._off_map(unit)
        if off and table.chance(0.05 if one_hex else 0.5):
            yield from self._leave(unit, table.draw.choice(off))
            return
        alive = [w for w in ways if not w.death]
        if not alive:
            # A way that kills may be written out, or the death alone.
            yield from self._die(unit)
            return
        way = table.draw.choice(alive)
        yield st.Retreat(0, (unit,), way.path)
        self.forces.where[unit] = way.path[-1]
        for _ in range(way.steps):
            self.forces.lose(unit)
            yield st.Lose(0, (unit,))
        yield from self._make_room(way.path[-1], unit)

    def _make_room(self, hex_: Hex, unit: str) -> Iterator[base.Act]:
        limit = self.table.scenario.game.rules.stacking.limit
        if len(self.forces.at(hex_, self.table.unit(unit).side)) <= limit:
            return
        choices = [
            (u, n) for u, n in self._displacements(hex_, unit) if u != unit and u not in self.fleeing - self.gone
        ]
        if not choices:
            return  # those who crowd the hex must retreat themselves, and have not yet
        other, there = self.table.draw.choice(choices)
        self.moved_aside.add(other)
        way = self._way(other, (hex_, there))
        yield st.Retreat(0, (other,), (hex_, there))
        self.forces.where[other] = there
        if way.death:
            yield st.Eliminate(0, (other,))
            self.forces.remove(other)
            return
        for _ in range(way.steps):
            self.forces.lose(other)
            yield st.Lose(0, (other,))

    def _off_map(self, unit: str) -> list[str]:
        """Edges by which a unit could leave from its hex, in a game that lets retreats leave the map."""
        here, rule = self.forces.where[unit], self.table.scenario.game.rules.combat.off_map
        if rule is None:
            return []
        gaps = {str(edge): hexes for edge, hexes in rule.gaps.items()}
        edges = self.table.ctx.map.edges
        return [e for e in sorted(edges) if here in edges[e] or here in gaps.get(e, ())]

    def _leave(self, unit: str, edge: str) -> Iterator[base.Act]:
        edge_name: st.EdgeName = edge  # type: ignore[assignment]
        yield st.Retreat(0, (unit,), (self.forces.where[unit],), edge_name)
        self.forces.remove(unit)

    # --------------------------------------------------------------- advances

    def _advances(self) -> Iterator[base.Act]:
        table = self.table
        if not self.codes & {"AVI", "AVB"} or self.forces.at(self.target, table.enemy):
            return
        none = table.scenario.game.rules.combat.advance.none
        limit = table.scenario.game.rules.stacking.limit
        for unit in table.shuffled(u for u in self.attackers if u in self.forces.where):
            if table.unit(unit).is_any(none) or not table.chance(table.style.advance):
                continue
            here = self.forces.where[unit]
            if not self._passable(unit, here, self.target) or self._at_post(unit, here):
                continue
            second = self._second(unit, here)
            if second and table.chance(0.5):
                path: tuple[Hex, ...] = (here, self.target, table.draw.choice(second))
            elif len(self.forces.at(self.target)) < limit:
                path = (here, self.target)
            else:
                continue
            self.forces.where[unit] = path[-1]
            yield st.Advance(0, (unit,), path if table.chance(0.5) else path[1:])

    def _at_post(self, unit: str, here: Hex) -> bool:
        """Whether a garrison is held in its hex, for the enemy that it has driven off did not dominate it (R80)."""
        table = self.table
        if GARRISON not in table.position.units[unit].marks or here != table.position.units[unit].hex:
            return False
        return not dominates(table, self.target, table.enemy, here)

    def _passable(self, unit: str, a: Hex, b: Hex) -> bool:
        """Whether nothing bars a unit from a step: terrain, water without a bridge, a frontier."""
        table = self.table
        return not table.ctx.ground.step(table.ctx.mover(table.position, table.unit(unit)), a, b).code

    def _second(self, unit: str, here: Hex) -> list[Hex]:
        """Hexes beyond the vacated one that a mobile unit may go on into (5.2)."""
        table, rule = self.table, self.table.scenario.game.rules.combat.advance
        game_map, first = table.ctx.map, self.target
        # Units that have just been driven back do not stop whoever follows them.
        near = {u for n in game_map.grid.neighbours[first] for u in self.forces.at(n, table.enemy)}
        if not table.unit(unit).is_any(rule.two) or near - self.gone - self.moved_aside:
            return []
        if not set(game_map.terrain[first]) <= set(rule.first_terrain) or first in game_map.fortified:
            return []
        if rule.along and not set(rule.along) & game_map.links.get(side(here, first), frozenset()):
            return []
        limit, held = table.scenario.game.rules.stacking.limit, self.forces.held(table.enemy)
        return [
            n
            for n in game_map.grid.neighbours[first]
            if n not in held
            and n != here
            and set(game_map.terrain[n]) <= set(rule.second_terrain)
            and n not in game_map.fortified
            and not set(rule.bars) & game_map.hexsides.get(side(first, n), frozenset())
            and (not rule.along or set(rule.along) & game_map.links.get(side(first, n), frozenset()))
            and self._passable(unit, first, n)
            and len(self.forces.at(n, table.side)) < limit
        ]
