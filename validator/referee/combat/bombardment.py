"""Bombardment by artillery alone (8.0) and by air alone (6.2), on the Bombardment table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.schema.tables import ResultTable
from hexforge.scenarios.words import Message, Term
from hexforge.validator.readers import statements as st
from hexforge.validator.referee.combat import tables
from hexforge.validator.referee.combat.aftermath import open_books
from hexforge.validator.referee.combat.assault import tell
from hexforge.validator.referee.combat.declared import check_result, check_roll, codes_followed
from hexforge.validator.referee.combat.demands import demands
from hexforge.validator.referee.combat.desk import Desk
from hexforge.validator.referee.combat.fight import Fight, read_fight
from hexforge.validator.referee.combat.figures import defenders_of
from hexforge.validator.referee.combat.participants import check_gun, check_targets
from hexforge.validator.referee.combat.purse import check_air_limits, spend_air, spend_offboard
from hexforge.validator.referee.combat.terrain import Cover, cover_from_afar
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import CombatRecord, Shift
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.presence import phase_fits
from hexforge.validator.referee.roster import formation_key
from hexforge.validator.referee.state import Position

Means = Literal["air", "artillery"]


@dataclass(frozen=True, slots=True)
class Bombing:
    """A bombardment worked out: power times vulnerability, and the column after the terrain's shifts."""

    table: ResultTable
    power: int
    vulnerability: int
    base: int
    shifts: tuple[Shift, ...]
    parts: tuple[tuple[str, str, int], ...]
    defenders: tuple[str, ...]
    strength_doubts: tuple[Message, ...]
    ground_doubts: tuple[Message, ...]

    @property
    def value(self) -> int:
        """What the table is entered with."""
        return self.power * self.vulnerability

    @property
    def column(self) -> int:
        """Index of the column after all shifts."""
        return tables.shifted(self.table, self.base, (s.columns for s in self.shifts))

    @property
    def column_name(self) -> str:
        """The column after all shifts, as the table heads it."""
        return self.table.columns[self.column]


def work_out_bombing(
    desk: Desk, table: ResultTable, means: Means, targets: Sequence[Hex], guns: Sequence[str], *, points: int
) -> Bombing:
    """The figures of guns and points beyond the map, or of air points, against all units in the targets."""
    defenders = defenders_of(desk.position, targets, desk.defender)
    index = desk.tables.vulnerability.get(means, {})
    parts = [(desk.attacker, u, desk.attack_of(u)) for u in guns]
    if points:
        parts.append((desk.attacker, "air" if means == "air" else "offboard", points))
    power = sum(part[2] for part in parts)
    weights = [(desk.defender, u, index.get(desk.unit(u).type, 0)) for u in defenders]
    vulnerability = sum(part[2] for part in weights)
    known = [t for t in targets if t in desk.position.grid]
    covers = [cover_from_afar(desk.ctx.map, desk.tables, t) for t in known]
    best = min(covers, key=lambda c: c.columns, default=Cover())
    cite = desk.ctx.scenario.citation(desk.rules.sections.terrain)
    return Bombing(
        table=table,
        power=power,
        vulnerability=vulnerability,
        base=tables.value_column(table, power * vulnerability),
        shifts=tuple(Shift(cause, columns, cite) for cause, columns in best.parts),
        parts=(*parts, *weights),
        defenders=defenders,
        strength_doubts=desk.doubts(guns),
        ground_doubts=desk.terrain_doubts(*known),
    )


def bombard(ctx: Context, position: Position, statement: st.Bombard) -> Outcome:
    """A `bombard` statement judged, and the position as the players left it."""
    desk = Desk(ctx, position, statement.line)
    desk.findings += phase_fits(ctx, position, statement, "bombard", "combat")
    section = desk.rules.sections.artillery
    if desk.act_out_of_turn(statement.units):
        told = " ".join(statement.units)
        desk.find(statement.line, "bombards-out-of-phase", units=statement.units, unit=told)
    fight = read_fight(desk, statement.line, statement.targets, statement.acts)
    guns = _guns(desk, statement)
    check_targets(desk, fight.line, fight.targets)
    for unit in guns:
        _check_battery(desk, unit, fight)
    _check_formation(desk, guns, fight.line)
    if not guns and not statement.offboard:
        desk.find(fight.line, "no-guns", hexes=fight.targets)
    _check_company(desk, fight)
    spend_offboard(desk, desk.attacker, statement.offboard, fight.line)
    table = desk.tables.bombardment
    ledger = desk.position.ledger
    desk.position = desk.position.noted(fired=ledger.fired | set(guns), targets=ledger.targets | set(fight.targets))
    if table is None:
        return _without_table(desk, fight, "no-bombardment", section)
    bombing = work_out_bombing(desk, table, "artillery", fight.targets, guns, points=statement.offboard)
    return _finish(desk, fight, bombing, "bombard", section)


def airstrike(ctx: Context, position: Position, statement: st.AirStrike) -> Outcome:
    """An `airstrike` statement judged, and the position as the players left it."""
    desk = Desk(ctx, position, statement.line)
    desk.findings += phase_fits(ctx, position, statement, "airstrike", "combat")
    section, rule = desk.rules.sections.airstrike, desk.rules.air
    points = statement.points or 0
    own_targets = [t for t in statement.targets if desk.position.at(t, desk.phasing)]
    if rule is not None and rule.side != desk.phasing and own_targets:
        desk.find(statement.line, "air-phase", hexes=statement.targets)
        desk.fly_out_of_turn(rule.side)
    fight = read_fight(desk, statement.line, statement.targets, statement.acts)
    check_targets(desk, fight.line, fight.targets)
    if statement.points is None:
        desk.find(fight.line, "no-points", hexes=fight.targets)
    else:
        check_air_limits(desk, points, fight.line)
    spend_air(desk, desk.attacker, points, fight.line)
    _check_company(desk, fight)
    table = desk.tables.bombardment
    desk.position = desk.position.noted(targets=desk.position.ledger.targets | set(fight.targets))
    if table is None:
        return _without_table(desk, fight, "no-airstrike", section)
    bombing = work_out_bombing(desk, table, "air", fight.targets, (), points=points)
    return _finish(desk, fight, bombing, "airstrike", section)


def _without_table(desk: Desk, fight: Fight, key: str, section: str) -> Outcome:
    """Fire that the game does not know: what came of it is taken as the players agreed."""
    desk.find(fight.line, key, section=section, hexes=fight.targets)
    check_roll(desk, fight)
    fired_on = defenders_of(desk.position, fight.targets, desk.defender)
    books = open_books(desk, fight.line, fight.targets, None, {"defender": fired_on, "attacker": ()})
    tell(desk, books, fight.aftermath)
    return Outcome(desk.position, tuple(desk.findings))


def _guns(desk: Desk, statement: st.Bombard) -> tuple[str, ...]:
    found = []
    for unit in dict.fromkeys(statement.units):
        if unit in desk.position.roster:
            found.append(unit)
        else:
            section = desk.rules.sections.artillery
            desk.find(statement.line, "unknown-unit", section=section, units=(unit,), unit=unit)
    return tuple(found)


def _check_battery(desk: Desk, unit: str, fight: Fight) -> None:
    if not check_gun(desk, unit, fight.line, fight.targets, desk.attacker):
        return
    hex_ = desk.position.hex_of(unit)
    if hex_ is not None and any(desk.position.grid.adjacent(hex_, t) for t in fight.targets):
        desk.find(
            fight.line,
            "bombards-adjacent",
            units=(unit,),
            hexes=(hex_, *fight.targets),
            unit=unit,
            targets=" ".join(fight.targets),
        )


def _check_formation(desk: Desk, guns: Sequence[str], line: int) -> None:
    """Where the game asks for it, guns that are summed are of one regiment or of one division."""
    if not desk.rules.artillery.one_formation or len(guns) < 2:
        return
    units = [desk.unit(u) for u in guns]
    for labels in ([u.division for u in units], [_regiment(u.regiment, u.division) for u in units]):
        if all(labels) and len(set(labels)) == 1:
            return
    desk.find(line, "mixed-guns", units=guns, units_told=" ".join(guns))


def _regiment(regiment: str, division: str) -> str:
    return f"{formation_key(regiment)}/{formation_key(division)}" if regiment else ""


def _check_company(desk: Desk, fight: Fight) -> None:
    """Nobody and nothing else takes part in a bombardment."""
    names = {"attack": fight.attackers, "support": fight.supports, "guard": fight.guards}
    for word, units in names.items():
        if units:
            line = next(iter(units.values()))
            desk.find(line, "not-in-bombardment", units=tuple(units), what=Term("statements", word))
    for word, points, line in (
        ("air", fight.air, fight.air_line),
        ("guard air", fight.guard_air, fight.guard_air_line),
    ):
        if points:
            desk.find(line, "no-air-in-bombardment", declared=points, what=Term("statements", word))
    if fight.offboard or fight.guard_offboard:
        desk.find(fight.offboard_line, "not-in-bombardment", what=Term("statements", "support offboard"))


def _finish(
    desk: Desk, fight: Fight, bombing: Bombing, kind: Literal["bombard", "airstrike"], section: str
) -> Outcome:
    column = _check_figures(desk, fight, bombing, section)
    roll = check_roll(desk, fight)
    check_result(
        desk,
        fight,
        table=bombing.table,
        column=bombing.column,
        declared_column=column,
        roll=roll,
        section=section,
        doubts=(*bombing.strength_doubts, *bombing.ground_doubts),
    )
    computed = tables.result(bombing.table, roll, bombing.column) if roll is not None else None
    codes = codes_followed(fight, bombing.table, computed)
    asked = demands(codes) if codes is not None else None
    books = open_books(desk, fight.line, fight.targets, asked, {"defender": bombing.defenders, "attacker": ()})
    tell(desk, books, fight.aftermath)
    record = CombatRecord(
        line=fight.line,
        kind=kind,
        target=fight.targets,
        value=bombing.value,
        shifts=bombing.shifts,
        column=bombing.column_name,
        roll=roll,
        result=" ".join(computed) if computed else None,
        parts=bombing.parts,
    )
    return Outcome(desk.position, tuple(desk.findings), combats=(record,))


def _check_figures(desk: Desk, fight: Fight, bombing: Bombing, section: str) -> int | None:
    """Value and column as declared. Gives the index of the declared column, None without one."""
    column: int | None = None
    for act in fight.declarations:
        base = bombing.base
        if act.value is not None:
            base = tables.value_column(bombing.table, act.value)
            if act.value != bombing.value:
                desk.find(
                    act.line,
                    "value",
                    section=section,
                    declared=act.value,
                    computed=bombing.value,
                    doubts=bombing.strength_doubts,
                    power=bombing.power,
                    vulnerability=bombing.vulnerability,
                )
        if act.column is None:
            continue
        column = tables.column_index(bombing.table, act.column)
        right = tables.shifted(bombing.table, base, (s.columns for s in bombing.shifts))
        if column is None:
            desk.find(act.line, "no-column", section=section, declared=act.column, computed=bombing.column_name)
        elif column not in (right, bombing.column):
            desk.find(
                act.line,
                "column",
                section=section,
                hexes=fight.targets,
                declared=act.column,
                computed=bombing.table.columns[right],
                doubts=bombing.ground_doubts,
                shifts=desk.shifts_told(bombing.shifts),
            )
    return column
