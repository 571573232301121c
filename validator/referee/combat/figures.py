"""The figures of a combat (5.1): totals, odds, shifts, column."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hexforge.scenarios.hexgrid import Hex, side
from hexforge.scenarios.schema.tables import ResultTable
from hexforge.scenarios.words import Message
from hexforge.validator.referee.combat import tables
from hexforge.validator.referee.combat.desk import Desk
from hexforge.validator.referee.combat.encirclement import encircled
from hexforge.validator.referee.combat.terrain import Cover, cover
from hexforge.validator.referee.combat.unity import Role, UnityResult, unity
from hexforge.validator.referee.findings import Shift
from hexforge.validator.referee.state import Position


@dataclass(frozen=True, slots=True)
class Forces:
    """What fights on both sides. `engaged` are the attackers next to the target, whose hexsides count."""

    targets: tuple[Hex, ...]
    attackers: tuple[str, ...]
    engaged: tuple[str, ...]
    supports: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    offboard: int = 0
    guard_offboard: int = 0
    air: int = 0
    guard_air: int = 0


@dataclass(frozen=True, slots=True)
class Figures:
    """A combat worked out. `base` and `column` are indices of the table's columns before and after the shifts.

    `beyond` is the part of the odds beyond the table that counts (0 where odds are held within it first). `parts`
    are the totals unit by unit. `strength_doubts` and `ground_doubts` name assumed figures and terrain that count.
    """

    table: ResultTable
    attack: int
    defence: int
    base: int
    beyond: int
    shifts: tuple[Shift, ...]
    misreadings: tuple[int, ...]
    parts: tuple[tuple[str, str, int], ...]
    defenders: tuple[str, ...]
    strength_doubts: tuple[Message, ...]
    ground_doubts: tuple[Message, ...]

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


def work_out(desk: Desk, forces: Forces) -> Figures:
    """The figures of a combat, whoever of its participants is allowed to be there."""
    defenders = defenders_of(desk.position, forces.targets, desk.defender)
    parts = _parts(desk, forces, defenders)
    attack = sum(points for whose, _, points in parts if whose == desk.attacker)
    defence = sum(points for whose, _, points in parts if whose == desk.defender)
    table = desk.tables.crt
    up = desk.option("inverse_rounding") == "ceil"
    ratio = tables.odds(attack, defence, round_up_inverse=up)
    covers = _covers(desk, forces)
    best = min(covers, key=lambda c: c.columns, default=Cover())
    return Figures(
        table=table,
        attack=attack,
        defence=defence,
        base=tables.odds_column(table, attack, defence, round_up_inverse=up),
        beyond=0 if desk.option("clamp_before_shift") != "no" else tables.overflow(table, ratio),
        shifts=_shifts(desk, forces, defenders, best),
        misreadings=best.misreadings,
        parts=parts,
        defenders=defenders,
        strength_doubts=desk.doubts(u for _, u, _ in parts if u in desk.position.roster),
        ground_doubts=_ground_doubts(desk, forces, best),
    )


def _parts(desk: Desk, forces: Forces, defenders: tuple[str, ...]) -> tuple[tuple[str, str, int], ...]:
    attacker, defender = desk.attacker, desk.defender
    parts = [(attacker, u, desk.attack_of(u)) for u in (*forces.attackers, *forces.supports)]
    parts += [(defender, u, desk.defence_of(u)) for u in defenders]
    # A gun that defends from afar lends its attack; one in the target hex has given its defence already.
    parts += [(defender, u, desk.attack_of(u)) for u in forces.guards if u not in defenders]
    extras = [
        (attacker, "offboard", forces.offboard),
        (attacker, "air", forces.air),
        (defender, "offboard", forces.guard_offboard),
        (defender, "air", forces.guard_air),
    ]
    return tuple(parts + [part for part in extras if part[2]])


def _covers(desk: Desk, forces: Forces) -> list[Cover]:
    from_hexes = [h for u in forces.engaged if (h := desk.position.hex_of(u))]
    return [
        cover(
            desk.ctx.map,
            desk.tables,
            desk.rules,
            target=target,
            attackers=from_hexes,
            defender=desk.defender,
            lines_need_all=desk.option("river_needs_all") != "no",
        )
        for target in forces.targets
        if target in desk.position.grid
    ]


def _ground_doubts(desk: Desk, forces: Forces, best: Cover) -> tuple[Message, ...]:
    """Assumed terrain of the targets, and assumed hexsides wherever another line there could change the columns."""
    known = [t for t in forces.targets if t in desk.position.grid]
    doubts = list(desk.terrain_doubts(*known))
    helping = [
        effect
        for kind, effect in desk.tables.hexsides.items()
        if desk.rules.line_side.get(kind, desk.defender) == desk.defender
    ]
    line = min((e.combat for e in helping if not e.additive), default=0)
    fort = min((e.combat for e in helping if e.additive), default=0)
    if len(best.readings(line, fort)) == 1:
        return tuple(doubts)
    for unit in forces.engaged:
        hex_ = desk.position.hex_of(unit)
        sides = [side(hex_, t) for t in known if hex_ and desk.position.grid.adjacent(hex_, t)]
        doubts += [doubt for doubt in map(desk.ctx.ground.side_doubt, sides) if doubt]
    return tuple(dict.fromkeys(doubts))


def _shifts(desk: Desk, forces: Forces, defenders: tuple[str, ...], best: Cover) -> tuple[Shift, ...]:
    cite, sections = desk.ctx.scenario.citation, desk.rules.sections
    found = [Shift(cause, columns, cite(sections.terrain)) for cause, columns in best.parts]
    found += _encirclement(desk, forces, defenders)
    for sign, fighters, role in (
        (1, (*forces.attackers, *forces.supports), "attack"),
        (-1, (*defenders, *forces.guards), "defence"),
    ):
        columns = unity_of(desk, fighters, role).columns  # type: ignore[arg-type]
        if columns:
            found.append(Shift("unity", sign * columns, cite(sections.unity)))
    for surprise in desk.rules.surprise:
        if surprise.side == desk.attacker and surprise.turns[0] <= desk.turn <= surprise.turns[1]:
            found.append(Shift("surprise", surprise.columns, cite(surprise.section)))
    found += _transit(desk, forces, defenders)
    return tuple(found)


def unity_of(desk: Desk, fighters: Iterable[str], role: Role) -> UnityResult:
    """Unity of command of those who fight on one side."""
    units = desk.position.units
    surviving = desk.option("unity_counts") == "surviving"
    return unity(
        desk.rules.unity,
        desk.position.roster,
        fighters,
        role,
        counts=(lambda u: units[u].alive) if surviving else (lambda _: True),
        stacks=desk.option("regimental_stacks") == "yes",
    )


def _encirclement(desk: Desk, forces: Forces, defenders: tuple[str, ...]) -> list[Shift]:
    rule = desk.rules.encirclement
    targets = [t for t in forces.targets if t in desk.position.grid]
    if not defenders or not targets or not all(encircled(desk, t, desk.defender) for t in targets):
        return []
    cite = desk.ctx.scenario.citation(desk.rules.sections.encirclement)
    found = [Shift("encirclement", rule.columns, cite)]
    immune = rule.immune.get(desk.defender, ())
    if rule.relief and any(desk.unit(u).is_any(immune) for u in defenders):
        found.append(Shift("airborne", -rule.relief, cite))
    return found


def _transit(desk: Desk, forces: Forces, defenders: tuple[str, ...]) -> list[Shift]:
    found = []
    for rule in desk.rules.transit:
        if not rule.turns[0] <= desk.turn <= rule.turns[1]:
            continue
        cite = desk.ctx.scenario.citation(rule.section)
        for sign, units in ((-1, forces.attackers), (1, defenders)):
            if any(rule.flag in desk.position.units[u].marks for u in units):
                found.append(Shift("transit", sign * rule.columns, cite))
    return found
