"""Bombardment by artillery alone (8.0) and by air alone (6.2), on the Bombardment table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ....scenarios.schema.tables import ResultTable
from ....scenarios.text.hexgrid import Hex
from ....scenarios.text.words import Term
from ...notation import statements
from ..context import Context, Outcome
from ..findings import Changes, CombatRecord, Finding, Shift
from ..move_effects import phase_fits
from ..position import Position
from ..roster import formation_key
from . import tables
from .aftermath import when_the_dice_fell
from .assault import carried_out, combat, tell, thrown_for
from .conditions import Battle, Forces, acting, phasing
from .declared import check_result, check_roll, codes_followed, shifts_told
from .figures import Fight, defenders_of, read_fight, shown
from .modifiers import Worth, rounded, shifts, silenced, strength, within
from .morale import check_shape, used
from .participants import check_air_limits, check_gun, check_targets, spend_air, spend_offboard, unfit
from .shifts import check_declared, drawn
from .tables import demands

Means = Literal["air", "artillery"]


@dataclass(frozen=True, slots=True)
class Bombing:
    """A bombardment worked out: power times vulnerability, the column after shifts, what is added to the dice."""

    table: ResultTable
    power: int
    vulnerability: int
    base: int
    shifts: tuple[Shift, ...]
    die: tuple[Shift, ...]
    parts: tuple[tuple[str, str, float], ...]
    changes: Changes
    defenders: tuple[str, ...]

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


def work_out_bombing(battle: Battle, table: ResultTable, means: Means, forces: Forces, *, points: int) -> Bombing:
    """The figures of guns and points beyond the map, or of air points, against all units in the targets."""
    targets, guns = forces.targets, forces.supports
    defenders = defenders_of(battle.position, targets, battle.defender)
    index = battle.tables.vulnerability.get(means, {})
    fire = [(u, _fire_of(battle, forces, u)) for u in guns]
    parts = [(battle.attacker, u, found.points) for u, found in fire]
    if points:
        parts.append((battle.attacker, "air" if means == "air" else "offboard", points))
    power = rounded(sum(part[2] for part in parts), battle.rules.sums)
    weights = [(battle.defender, u, index.get(battle.unit(u).type, 0)) for u in defenders]
    vulnerability = sum(part[2] for part in weights)
    return Bombing(
        table=table,
        power=power,
        vulnerability=vulnerability,
        base=tables.value_column(table, power * vulnerability),
        shifts=within(shifts(battle, forces, battle.modifiers.bombardment), table.columns_most),
        die=shifts(battle, forces, battle.modifiers.bombardment_dice),
        parts=tuple((side, who, shown(points)) for side, who, points in (*parts, *weights)),
        changes=tuple((u, found.by) for u, found in fire if found.by),
        defenders=defenders,
    )


def bombard(ctx: Context, position: Position, statement: statements.Bombard) -> Outcome:
    """A `bombard` statement judged, and the position as the players left it."""
    line, section = statement.line, ctx.rules.combat.sections.artillery
    alone = ctx.rules.combat.shape.guns_alone
    if alone == "odds":
        fire = statements.Support(line, statement.units, statement.offboard)
        return combat(ctx, position, statements.Combat(line, statement.targets, (fire, *statement.acts)))
    battle = Battle(ctx, position, acting(ctx, position, statement.units))
    findings = phase_fits(ctx, position, statement, "bombard", "combat")
    if battle.attacker != phasing(ctx, position):
        told = " ".join(statement.units)
        findings.append(ctx.found(line, "bombards-out-of-phase", units=statement.units, unit=told))
    fight, enlisted = read_fight(battle, statement)
    named = tuple(dict.fromkeys(statement.units))
    guns = tuple(u for u in named if u in ctx.units)
    findings += enlisted
    findings += [
        ctx.found(line, "unknown-unit", section=section, units=(u,), unit=u) for u in named if u not in guns
    ]
    findings += check_targets(battle, line, fight.targets)
    for unit in guns:
        findings += _check_battery(battle, unit, fight)
    findings += _check_formation(battle, guns, line)
    findings += check_shape(battle, fight, dict.fromkeys(guns, line))
    if not guns and not statement.offboard:
        findings.append(ctx.found(line, "no-guns", hexes=fight.targets))
    findings += _check_company(battle, fight)
    forces = _firing(battle, fight, guns)
    findings += silenced(battle, forces, line, unfit(findings))
    findings += check_declared(battle, forces, fight.declared, "bombardment")
    spent = spend_offboard(ctx, position, battle.attacker, statement.offboard, line)
    fired = used(replace(battle, position=spent.position), fight, guns).noted(
        declared=drawn(battle, forces.declared)
    )
    before = Outcome(fired, (*findings, *spent.findings))
    battle = replace(battle, position=fired)
    table = battle.tables.bombardment
    if table is None or alone == "never":
        return before.then(_without_table(battle, fight, "no-bombardment", section))
    bombing = work_out_bombing(battle, table, "artillery", forces, points=statement.offboard)
    return before.then(_finish(battle, fight, bombing, "bombard", section, guns=guns))


def _firing(battle: Battle, fight: Fight, guns: Sequence[str]) -> Forces:
    """Guns that fire alone; of those next to a target, where they may fire at it, the lines between count."""
    close = battle.rules.artillery.adjacent == "fire"
    near = tuple(u for u in guns if close and _is_near(battle, u, fight.targets))
    declared = {name: len(lines) for name, lines in fight.declared.items()}
    shares = {unit: act.points for unit, act in fight.shares.items()}
    return Forces(tuple(fight.targets), (), near, supports=tuple(guns), declared=declared, shares=shares)


def _is_near(battle: Battle, unit: str, targets: Sequence[Hex]) -> bool:
    hex_ = battle.position.hex_of(unit)
    return hex_ is not None and any(battle.position.grid.adjacent(hex_, target) for target in targets)


def _fire_of(battle: Battle, forces: Forces, unit: str) -> Worth:
    """The strength with which a gun fires."""
    value = forces.shares.get(unit, battle.unit(unit).attack_at(battle.position.units[unit].step))
    rules = battle.modifiers.firing
    return strength(battle, forces, "attackers", unit, value, rules=rules) if rules else Worth(value)


def airstrike(ctx: Context, position: Position, statement: statements.AirStrike) -> Outcome:
    """An `airstrike` statement judged, and the position as the players left it."""
    line, rules, side = statement.line, ctx.rules.combat, phasing(ctx, position)
    points = statement.points or 0
    findings = phase_fits(ctx, position, statement, "airstrike", "combat")
    own_targets = [t for t in statement.targets if position.at(t, side)]
    if rules.air is not None and rules.air.side != side and own_targets:
        findings.append(ctx.found(line, "air-phase", hexes=statement.targets))
        side = rules.air.side
    battle = Battle(ctx, position, side)
    fight, enlisted = read_fight(battle, statement)
    findings += enlisted
    findings += check_targets(battle, line, fight.targets)
    if statement.points is None:
        findings.append(ctx.found(line, "no-points", hexes=fight.targets))
    else:
        findings += check_air_limits(ctx, points, line)
    spent = spend_air(ctx, position, side, points, line)
    forces = _firing(battle, fight, ())
    findings += check_declared(battle, forces, fight.declared, "bombardment")
    flown = used(replace(battle, position=spent.position), fight, ()).noted(declared=drawn(battle, forces.declared))
    before = Outcome(flown, (*findings, *spent.findings, *_check_company(battle, fight)))
    battle = replace(battle, position=flown)
    table, section = battle.tables.bombardment, rules.sections.airstrike
    if table is None:
        return before.then(_without_table(battle, fight, "no-airstrike", section))
    bombing = work_out_bombing(battle, table, "air", forces, points=points)
    return before.then(_finish(battle, fight, bombing, "airstrike", section))


def _without_table(battle: Battle, fight: Fight, key: str, section: str) -> Outcome:
    """Fire that the game does not know: what came of it is taken as the players agreed."""
    unknown = battle.found(fight.line, key, section=section, hexes=fight.targets)
    _, rolled = check_roll(battle, fight, battle.tables.crt)
    fired_on = defenders_of(battle.position, fight.targets, battle.defender)
    after = tell(when_the_dice_fell(battle, fight, None, fired_on, ()), fight.aftermath)
    return Outcome(after.position, (unknown, *rolled, *after.findings))


def _check_battery(battle: Battle, unit: str, fight: Fight) -> Iterator[Finding]:
    wrong = check_gun(battle, unit, fight.line, fight.targets, battle.attacker)
    yield from wrong
    hex_, close = battle.position.hex_of(unit), battle.rules.artillery.adjacent == "attack"
    if close and not wrong and hex_ is not None and _is_near(battle, unit, fight.targets):
        yield battle.found(
            fight.line,
            "bombards-adjacent",
            units=(unit,),
            hexes=(hex_, *fight.targets),
            unit=unit,
            targets=" ".join(fight.targets),
        )


def _check_formation(battle: Battle, guns: Sequence[str], line: int) -> Iterator[Finding]:
    """Where the game asks for it, guns that are summed are of one regiment or of one division."""
    if not battle.rules.artillery.one_formation or len(guns) < 2:
        return
    units = [battle.unit(u) for u in guns]
    for labels in ([u.division for u in units], [_regiment(u.regiment, u.division) for u in units]):
        if all(labels) and len(set(labels)) == 1:
            return
    yield battle.found(line, "mixed-guns", units=guns, units_told=" ".join(guns))


def _regiment(regiment: str, division: str) -> str:
    return f"{formation_key(regiment)}/{formation_key(division)}" if regiment else ""


def _check_company(battle: Battle, fight: Fight) -> Iterator[Finding]:
    """Nobody and nothing else takes part in a bombardment."""
    names = {"attack": fight.attackers, "support": fight.supports, "guard": fight.guards}
    for word, units in names.items():
        if units:
            line = next(iter(units.values()))
            yield battle.found(line, "not-in-bombardment", units=tuple(units), what=Term("statements", word))
    for word, points, line in (
        ("air", fight.air, fight.air_line),
        ("guard air", fight.guard_air, fight.guard_air_line),
    ):
        if points:
            yield battle.found(line, "no-air-in-bombardment", declared=points, what=Term("statements", word))
    if fight.offboard or fight.guard_offboard:
        yield battle.found(fight.offboard_line, "not-in-bombardment", what=Term("statements", "support offboard"))


def _finish(
    battle: Battle,
    fight: Fight,
    bombing: Bombing,
    kind: Literal["bombard", "airstrike"],
    section: str,
    *,
    guns: Sequence[str] = (),
) -> Outcome:
    roll, rolled = check_roll(battle, fight, bombing.table)
    row = tables.row_of(bombing.table, roll, (shift.columns for shift in bombing.die))
    read = check_result(
        battle,
        fight,
        table=bombing.table,
        column=bombing.column,
        declared_column=_declared_column(fight, bombing),
        roll=row,
        section=section,
    )
    computed = tables.result(bombing.table, row, bombing.column) if row is not None else None
    codes = codes_followed(fight, bombing.table, computed)
    asked = demands(battle.tables.results, codes) if codes is not None else None
    fell = when_the_dice_fell(battle, fight, asked, bombing.defenders, ())
    after = thrown_for(carried_out(fell, fight, _firing(battle, fight, guns)), fight)
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
        die=bombing.die,
        changes=bombing.changes,
    )
    # What shells and bombs cost stands beside their own table, not with the results of assaults.
    assaults, own = map(battle.ctx.scenario.citation, (battle.rules.sections.result, section))
    carried = (replace(f, rule=own) if f.code == "losses" and f.rule == assaults else f for f in after.findings)
    found = (*_check_figures(battle, fight, bombing, section), *rolled, *read, *carried)
    position = after.position
    marks = asked.attacker.marks if asked is not None else ()
    for unit in guns if marks else ():
        if position.units[unit].alive and battle.unit(unit).side == battle.attacker:
            position = position.mark(unit, *marks)
    return Outcome(position, found, combats=(record,), aftermath=after)


def _declared_column(fight: Fight, bombing: Bombing) -> int | None:
    """Index of the column declared last; None without one, or if the table has none of that name."""
    names = [act.column for act in fight.declarations if act.column is not None]
    return tables.column_index(bombing.table, names[-1]) if names else None


def _check_figures(battle: Battle, fight: Fight, bombing: Bombing, section: str) -> Iterator[Finding]:
    """Value and column as declared."""
    table, shifts = bombing.table, bombing.shifts
    values = [act.value for act in fight.declarations if act.value is not None]
    for act in fight.declarations:
        if act.value is not None and act.value != bombing.value:
            yield battle.found(
                act.line,
                "value",
                section=section,
                declared=act.value,
                computed=bombing.value,
                power=bombing.power,
                vulnerability=bombing.vulnerability,
            )
        if act.column is None:
            continue
        # The value may stand on a line of its own; without any the players may have reckoned with other strengths.
        value = act.value if act.value is not None else values[-1] if values else None
        base = bombing.base if value is None else tables.value_column(table, value)
        column, right = (
            tables.column_index(table, act.column),
            tables.shifted(table, base, [s.columns for s in shifts]),
        )
        if column is None:
            said = {"declared": act.column, "computed": bombing.column_name}
            # What no table calls a column is a slip of the pen: no rule speaks of it, see R131.
            known = tables.column_index(battle.tables.crt, act.column) is not None
            severity = "illegal" if known else "unread"
            yield battle.found(act.line, "no-column", section=section, severity=severity, **said)
        elif column not in (right, bombing.column):
            yield battle.found(
                act.line,
                "column",
                section=section,
                hexes=fight.targets,
                declared=act.column,
                computed=table.columns[right],
                shifts=shifts_told(shifts),
            )
