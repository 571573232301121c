"""The figures of a combat (5.1): totals, odds, shifts, column."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from hexforge.scenarios.hexgrid import Hex, side
from hexforge.scenarios.schema import modifiers as m
from hexforge.scenarios.schema.tables import ResultTable
from hexforge.scenarios.words import Message, Term, message
from hexforge.validator.referee.combat import tables
from hexforge.validator.referee.combat.battle import Battle
from hexforge.validator.referee.combat.conditions import view_doubts
from hexforge.validator.referee.combat.modifiers import (
    HexModifiers,
    Worth,
    attack_of,
    changing,
    defence_of,
    ground_of,
    hangs_on_lines,
    lent,
    rounded,
    shifts,
    strength,
    within,
)
from hexforge.validator.referee.findings import Changes, Shift
from hexforge.validator.referee.state import Position
from hexforge.validator.referee.values import altered


@dataclass(frozen=True)
class Forces:
    """What fights on both sides. `engaged` are the attackers next to the target, whose hexsides count.

    `declared` says how many times a modifier was, `shares` what part of its strength a unit gives.
    `fronts` are the hexes from which a target would be attacked, in place of those in which the attackers stand.
    `overrun`: they attack in the course of a move.
    """

    targets: tuple[Hex, ...]
    attackers: tuple[str, ...]
    engaged: tuple[str, ...]
    supports: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    offboard: int = 0
    guard_offboard: int = 0
    air: int = 0
    guard_air: int = 0
    declared: Mapping[str, int] = field(default_factory=dict)
    fronts: tuple[Hex, ...] = ()
    shares: Mapping[str, int] = field(default_factory=dict)
    overrun: bool = False

    def times(self, name: str) -> int:
        """How many times a modifier counts: as often as it is declared, or once."""
        return self.declared.get(name, 1)

    def firing(self, gun: str) -> Forces:
        """The same targets, under the fire of one gun alone."""
        return altered(self, attackers=(), engaged=(), supports=(gun,), fronts=())

    def without(self, units: Collection[str]) -> Forces:
        """The same without some units on either side, but for those who stand in the hexes attacked."""
        if not units:
            return self
        return altered(
            self,
            attackers=tuple(u for u in self.attackers if u not in units),
            engaged=tuple(u for u in self.engaged if u not in units),
            supports=tuple(u for u in self.supports if u not in units),
            guards=tuple(u for u in self.guards if u not in units),
        )

    def only(self, attacker: str) -> Forces:
        """The same with one attacker alone, from next to the target or from afar."""
        return altered(
            self,
            attackers=tuple(u for u in self.attackers if u == attacker),
            engaged=tuple(u for u in self.engaged if u == attacker),
            supports=tuple(u for u in self.supports if u == attacker),
        )


@dataclass(frozen=True, slots=True)
class Figures:
    """A combat worked out. `base` and `column` are indices of the table's columns before and after the shifts.

    `outside` is -1 for totals below the first column, 1 above the last, `die` what is added to the dice. `beyond`
    is the part of the odds beyond the table that counts (0 where odds are held within it first). `parts`
    are the totals unit by unit, `changes` what makes a unit's part another than its counter prints. `forced` is a
    result that needs no dice whatever the totals are.
    `strength_doubts` and `ground_doubts` name assumed figures and terrain that count.
    """

    table: ResultTable
    attack: int
    defence: int
    base: int
    beyond: int
    outside: int
    shifts: tuple[Shift, ...]
    die: tuple[Shift, ...]
    misreadings: tuple[int, ...]
    parts: tuple[tuple[str, str, float], ...]
    changes: Changes
    defenders: tuple[str, ...]
    strength_doubts: tuple[Message, ...]
    ground_doubts: tuple[Message, ...]
    forced: str = ""

    @property
    def end(self) -> str:
        """What the table says of totals that lie beyond it: `refused`, or a code; `end` for all others."""
        by, side_ = self.table.column_by, self.outside
        return str(getattr(by, "below" if side_ < 0 else "above", "end")) if side_ else "end"

    def result(self, roll: int | None) -> tuple[str, ...] | None:
        """The codes that the dice give, or that the totals give without dice; None without either."""
        if self.forced:
            return (self.forced,)
        if self.end not in ("end", "refused"):
            return (self.end,)
        row = self.row(roll)
        return tables.result(self.table, row, self.column) if row is not None else None

    def row(self, roll: int | None) -> int | None:
        """What the dice come to with all that is added to them."""
        return tables.row_of(self.table, roll, (shift.columns for shift in self.die))

    @property
    def die_modifier(self) -> int:
        """What is added to the dice."""
        return tables.modified(self.table, (shift.columns for shift in self.die))

    @property
    def odds(self) -> str:
        """The ratio before shifts, named as the table heads its columns."""
        return self.table.columns[self.base]

    @property
    def column(self) -> int:
        """Index of the column after all shifts."""
        return self.shifted(sum(s.columns for s in self.shifts))

    @property
    def column_name(self) -> str:
        """The column after all shifts, as the table heads it."""
        return self.table.columns[self.column]

    def shifted(self, columns: int) -> int:
        """Index of the column after another sum of shifts."""
        return tables.shifted(self.table, self.base, (columns,), beyond=self.beyond)


def defenders_of(position: Position, targets: Iterable[Hex], side: str) -> tuple[str, ...]:
    """Everybody of a side in the target hexes: all of them defend."""
    return tuple(u for t in targets for u in position.at(t, side))


def work_out(battle: Battle, forces: Forces) -> Figures:
    """The figures of a combat, whoever of its participants is allowed to be there."""
    defenders = defenders_of(battle.position, forces.targets, battle.defender)
    parts, changes = _parts(battle, forces, defenders)
    attack, defence = (
        rounded(sum(points for whose, _, points in parts if whose == side_), battle.rules.sums)
        for side_ in (battle.attacker, battle.defender)
    )
    table = battle.tables.crt
    inverse = tables.inverse_of(table, battle.ctx.option("inverse_rounding"))
    ratio = tables.odds(attack, defence, round_up_inverse=inverse == "defender")
    ground = ground_of(battle, forces, battle.modifiers.columns)
    return Figures(
        table=table,
        attack=attack,
        defence=defence,
        base=tables.odds_column(table, attack, defence, inverse=inverse),
        beyond=0 if battle.ctx.option("clamp_before_shift") != "no" else tables.overflow(table, ratio),
        outside=tables.outside(table, attack, defence, inverse=inverse),
        shifts=within(shifts(battle, forces, battle.modifiers.columns, ground), table.columns_most),
        die=shifts(battle, forces, battle.modifiers.dice),
        misreadings=ground.misreadings,
        parts=tuple((whose, who, shown(points)) for whose, who, points in parts),
        changes=changes,
        defenders=defenders,
        strength_doubts=battle.doubts(u for _, u, _ in parts if u in battle.position.roster),
        ground_doubts=_ground_doubts(battle, forces, ground),
    )


def shown(points: Fraction | int) -> float:
    """A strength as it is told: whole, or to two places."""
    return int(points) if Fraction(points).denominator == 1 else round(float(points), 2)


def _parts(
    battle: Battle, forces: Forces, defenders: tuple[str, ...]
) -> tuple[tuple[tuple[str, str, Fraction | int], ...], Changes]:
    attacker, defender = battle.attacker, battle.defender
    worth = [(attacker, u, _attack(battle, forces, u)) for u in (*forces.attackers, *forces.supports)]
    worth += [(defender, u, _defence(battle, forces, u)) for u in defenders]
    # A gun that defends from afar lends its attack; one in the target hex has given its defence already.
    worth += [(defender, u, _guard(battle, forces, u)) for u in forces.guards if u not in defenders]
    extras = [
        (attacker, "offboard", forces.offboard),
        (attacker, "air", forces.air),
        (defender, "offboard", forces.guard_offboard),
        (defender, "air", forces.guard_air),
    ]
    parts = [(whose, u, found.points) for whose, u, found in worth]
    return (*parts, *(part for part in extras if part[2])), tuple(
        (u, found.by) for _, u, found in worth if found.by
    )


def strength_causes(battle: Battle, forces: Forces, role: str, defenders: tuple[str, ...]) -> tuple[Message, ...]:
    """What makes a side's total another than the counters print: modifiers of strengths, each with its section."""
    if not battle.modifiers.strengths:
        return ()
    units, found = battle.position.units, list[m.Modifier]()
    if role == "attacker":
        for u in (*forces.attackers, *forces.supports):
            value = forces.shares.get(u, battle.unit(u).attack_at(units[u].step))
            found += changing(battle, forces, "attackers", u, value)
    else:
        for u in defenders:
            found += changing(battle, forces, "defenders", u, battle.unit(u).defence_at(units[u].step))
        for u in (u for u in forces.guards if u not in defenders):
            found += changing(battle, None, "attackers", u, battle.unit(u).attack_at(units[u].step))
            found += changing(battle, forces, "guards", u, attack_of(battle, u), rules=_of_guards(battle))
    named = {rule.name: rule for rule in found if rule.name}
    return tuple(
        message(
            "findings.cause.by",
            cause=Term("modifiers", name, name.replace("_", " ")),
            rule=battle.ctx.scenario.citation(rule.section),
        )
        for name, rule in named.items()
    )


def _of_guards(battle: Battle) -> list[m.Modifier]:
    return [r for r in battle.modifiers.strengths if isinstance(r.what, m.Strength) and r.what.of == "guards"]


def _attack(battle: Battle, forces: Forces, unit: str) -> Worth:
    value = forces.shares.get(unit, battle.unit(unit).attack_at(battle.position.units[unit].step))
    return strength(battle, forces, "attackers", unit, value) if battle.modifiers.strengths else Worth(value)


def _guard(battle: Battle, forces: Forces, unit: str) -> Worth:
    """What a gun adds from a distance to a defence: its attack, as the game changes that."""
    given, rules = lent(battle, unit), _of_guards(battle)
    value = rounded(given.points, battle.rules.sums)
    found = strength(battle, forces, "guards", unit, value, rules=rules) if rules else Worth(value)
    replaced = any(change.strength is not None for change in found.by)
    return Worth(found.points, found.by if replaced else (*given.by, *found.by))


def _defence(battle: Battle, forces: Forces, unit: str) -> Worth:
    if not battle.modifiers.strengths:
        return Worth(defence_of(battle, unit))
    value = battle.unit(unit).defence_at(battle.position.units[unit].step)
    return strength(battle, forces, "defenders", unit, value)


def _ground_doubts(battle: Battle, forces: Forces, ground: HexModifiers) -> tuple[Message, ...]:
    """Assumed terrain of the targets, and assumed hexsides wherever another line there could change the columns."""
    known = battle.known(forces.targets)
    doubts = [*battle.terrain_doubts(*known), *view_doubts(battle, forces, battle.ctx.scenario.modifiers.rules)]
    for unit in forces.engaged if hangs_on_lines(battle, forces, ground) else ():
        hex_ = battle.position.hex_of(unit)
        sides = [side(hex_, t) for t in known if hex_ and battle.position.grid.adjacent(hex_, t)]
        doubts += [doubt for doubt in map(battle.ctx.ground.side_doubt, sides) if doubt]
    return tuple(dict.fromkeys(doubts))
