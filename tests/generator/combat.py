"""A combat phase: whoever must attack does, others may, guns and aircraft join in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from hexforge.scenarios.text.hexgrid import Hex
from hexforge.validator.notation import base
from hexforge.validator.notation import statements as st
from tests.generator import figures
from tests.generator.aftermath import Aftermath
from tests.generator.table import Forces, Table, groups

Means: TypeAlias = Literal["air", "artillery"]


def combat(table: Table) -> None:
    """One side's combat phase: assaults that are owed, more that are not, bombardments, air strikes."""
    plan = Plan(table)
    targets = table.shuffled(plan.assaults)
    for target in targets:
        plan.bombard_some()
        plan.assault(target)
    plan.bombard_some()
    plan.strike_some()


class Plan:
    """Who attacks whom in this phase. `assaults` are targets with the units that attack them from next to them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.assaults: dict[Hex, list[str]] = dict(groups(self._assignments()))
        self.spoken_for = {u for units in self.assaults.values() for u in units}
        self.done: set[Hex] = set()
        self.fired: set[str] = set()

    def _assignments(self) -> list[tuple[Hex, str]]:
        table = self.table
        forces = table.forces()
        found = []
        for unit in table.shuffled(table.position.on_map(table.side)):
            enemies = self._enemies(forces, unit)
            if not enemies:
                continue
            owes = self._owes(forces, unit, enemies)
            if owes or table.chance(table.style.voluntary):
                found.append((table.draw.choice(enemies), unit))
        return found

    def _enemies(self, forces: Forces, unit: str) -> list[Hex]:
        """Hexes next to a unit that it could attack."""
        table = self.table
        state = table.position.units[unit]
        if state.rode or ("in-transit" in state.marks and (state.moved or not state.began_engaged)):
            return []
        rules = [r for r in table.scenario.game.rules.combat.no_engagement if table.unit(unit).is_any(r.types)]
        return [
            h
            for h in forces.around(forces.where[unit], table.enemy)
            if not any(set(table.ctx.map.terrain[h]) & set(r.terrain) for r in rules)
        ]

    def _owes(self, forces: Forces, unit: str, enemies: Sequence[Hex]) -> bool:
        """Whether a unit must attack: it came here this turn, or does not dominate all who engage it (4.1.2)."""
        table = self.table
        if table.position.units[unit].moved:
            return True
        return not all(figures.dominates(table, forces.where[unit], table.side, e) for e in enemies)

    # ------------------------------------------------------------------- guns

    def _guns(self, forces: Forces, target: Hex, side: str) -> list[str]:
        """Guns of a side that may fire at a hex from afar."""
        table, grid = self.table, self.table.ctx.map.grid
        silent = set(table.scenario.game.rules.combat.artillery.silent_terrain)
        found = []
        for unit, hex_ in forces.where.items():
            who = table.unit(unit)
            if who.side != side or "guns" not in who.kinds or who.range is None or unit in self.fired:
                continue
            if unit in self.spoken_for or unit in table.position.ledger.attacked | table.position.ledger.fired:
                continue
            state = table.position.units[unit]
            if "in-transit" in state.marks or state.rode or set(table.ctx.map.terrain[hex_]) & silent:
                continue
            # Next to its target a gun attacks like anybody; guarding it may stand as near as it likes.
            nearest = 2 if side == table.side else 1
            if nearest <= grid.distance(hex_, target) <= who.range:
                found.append(unit)
        return table.shuffled(found)

    def _guards(self, forces: Forces, target: Hex) -> list[str]:
        """Guns that may support the defence of a hex (8.0)."""
        table, rule = self.table, self.table.scenario.game.rules.combat.artillery
        guns = self._guns(forces, target, table.enemy)
        if rule.defence == "any":
            return guns
        area = table.ctx.map.area.get(rule.perimeter.area, frozenset()) if rule.perimeter else frozenset()
        ours = rule.perimeter is not None and rule.perimeter.side == table.enemy and target in area
        inside = [u for u in guns if ours and forces.where[u] in area]
        divisions = sorted({table.unit(u).division for u in forces.at(target, table.enemy)} - {""})
        chosen = table.draw.choice(divisions) if divisions else ""
        return [u for u in guns if u in inside or (chosen and table.unit(u).division == chosen)]

    # --------------------------------------------------------------- assaults

    def assault(self, target: Hex) -> None:
        """One combat from the first word to the last advance."""
        table, style = self.table, self.table.style
        forces = table.forces()
        attackers = [
            u
            for u in self.assaults[target]
            if u in forces.where and table.ctx.map.grid.adjacent(forces.where[u], target)
        ]
        if not attackers or not forces.at(target, table.enemy) or target in self.done:
            return
        self.done.add(target)
        # A gun that is attacked has its one combat of the phase in that (8.0).
        self.fired |= set(forces.at(target, table.enemy))
        support = [u for u in self._guns(forces, target, table.side) if table.chance(style.support)][:3]
        guards = [u for u in self._guards(forces, target) if table.chance(style.guard)][:2]
        guns_only = all(table.unit(u).is_any(("guns",)) for u in (*attackers, *support))
        air = 0 if guns_only else self._air(table.side, support=True)
        guard_air = self._air(table.enemy, support=True) if not air else 0
        offboard = self._offboard() if table.chance(0.3) else 0
        sums = figures.assault(
            forces,
            target,
            attackers,
            support=support,
            guards=guards,
            air=air,
            guard_air=guard_air,
            offboard=offboard,
        )
        acts: list[base.Act] = [st.Attack(0, tuple(attackers))]
        if support or offboard:
            acts.append(st.Support(0, tuple(support), offboard))
        acts += [st.AirSupport(0, air)] if air else []
        acts += [st.Guard(0, tuple(guards))] if guards else []
        acts += [st.GuardAir(0, guard_air)] if guard_air else []
        if table.chance(style.announce):
            acts += [st.Announce(0, "attacker", sums.attack), st.Announce(0, "defender", sums.defence)]
        if table.chance(style.declare):
            acts.append(st.Declare(0, sums.attack, sums.defence, odds=sums.odds, column=sums.column))
        dice = table.die(), table.die()
        crt = table.scenario.tables.crt
        codes = figures.read(crt.rows, crt.columns, sum(dice), sums.column)
        acts += [st.Roll(0, dice), st.Result(0, codes)]
        aftermath = Aftermath(table, forces, target, attackers, codes)
        acts += aftermath.acts()
        self.fired |= {*support, *guards, *attackers}
        self._play(st.Combat(0, (target,), tuple(acts)), aftermath)

    def _play(self, statement: st.Engagement, aftermath: Aftermath) -> None:
        """Put it to the table; where everybody stands afterwards must be what was meant."""
        table = self.table
        table.say(statement)
        after = table.forces()
        want = (aftermath.forces.where, aftermath.forces.step)
        assert (after.where, after.step) == want, (statement, _difference(after, aftermath.forces))

    # -------------------------------------------------------- air and offboard

    def _air(self, side: str, *, support: bool) -> int:
        table, rule = self.table, self.table.scenario.game.rules.combat.air
        left = table.position.air.get(side, 0)
        if rule is None or rule.side != side or not left or not table.chance(table.style.air):
            return 0
        least, most = (1, min(left, rule.most)) if support else (rule.least, min(left, rule.most))
        return table.draw.randint(least, most) if most >= least else 0

    def _offboard(self) -> int:
        table = self.table
        rules = table.scenario.game.rules.combat.artillery.offboard
        total = sum(r.points for r in rules if r.side == table.side and r.turns[0] <= table.turn <= r.turns[1])
        left = total - table.position.ledger.offboard
        return table.draw.randint(1, min(left, 20)) if left > 0 else 0

    # ----------------------------------------------------------- bombardments

    def _spare_targets(self) -> list[Hex]:
        """Enemy hexes that nobody is bound to attack, or has attacked."""
        table = self.table
        held = table.position.boards[table.enemy].at
        return table.shuffled(h for h in held if h not in self.assaults and h not in self.done)

    def bombard_some(self) -> None:
        """Guns that nobody needs fire alone, as long as the player feels like it."""
        while self.table.chance(self.table.style.bombard):
            if not self._bombard():
                return

    def _bombard(self) -> bool:
        table = self.table
        one = table.scenario.game.rules.combat.artillery.one_formation
        forces = table.forces()
        for target in self._spare_targets():
            guns = self._guns(forces, target, table.side)
            offboard = self._offboard() if table.chance(0.2) else 0
            if not guns and not offboard:
                continue
            if guns and one:
                division = table.unit(guns[0]).division
                guns = [guns[0], *(u for u in guns[1:] if division and table.unit(u).division == division)]
            guns = guns[: table.draw.randint(1, 3)]
            power = sum(map(forces.attack, guns)) + offboard
            self.fired |= set(guns)
            self._bombing(target, st.Bombard(0, (target,), (), tuple(guns), offboard), power, "artillery", forces)
            return True
        return False

    def strike_some(self) -> None:
        """What is left of the air points strikes alone."""
        table = self.table
        for target in self._spare_targets()[:2]:
            points = self._air(table.side, support=False)
            if points:
                self._bombing(target, st.AirStrike(0, (target,), (), points), points, "air", table.forces())

    def _bombing(self, target: Hex, head: st.Engagement, power: int, means: Means, forces: Forces) -> None:
        table = self.table
        self.done.add(target)
        value, column = figures.bombardment(forces, target, power, means)
        dice = table.die(), table.die()
        bombs = table.scenario.tables.bombardment
        assert bombs is not None
        codes = figures.read(bombs.rows, bombs.columns, sum(dice), column)
        aftermath = Aftermath(table, forces, target, (), codes)
        acts: list[base.Act] = []
        if table.chance(table.style.declare):
            acts.append(st.Declare(0, value=value, column=column))
        acts += [st.Roll(0, dice), st.Result(0, codes), *aftermath.acts()]
        self._play(replace(head, acts=tuple(acts)), aftermath)


def _difference(found: Forces, meant: Forces) -> dict[str, object]:
    units = sorted({*found.where, *meant.where})
    pairs = {u: ((found.where.get(u), found.step.get(u)), (meant.where.get(u), meant.step.get(u))) for u in units}
    return {u: pair for u, pair in pairs.items() if pair[0] != pair[1]}
