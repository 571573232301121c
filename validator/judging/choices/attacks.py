"""Attacks that are open: targets, who may take part, what they would come to, and how they are declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from ....scenarios.schema.game import GUNS
from ....scenarios.schema.results import Dice
from ....scenarios.text.hexgrid import Hex
from ...notation import base
from ...notation import statements as st
from ...rules.combat.participants import offboard_total
from ...rules.combat.tables import chances
from ...rules.context import Context
from ...rules.duties import duties, unattacked
from ...rules.findings import CombatRecord, Finding
from ...rules.move_effects import fights, spec
from ...rules.position import Position
from .trial import faults, lawful, tried

Means = Literal["combat", "bombard", "airstrike", "overrun"]


@dataclass(frozen=True, slots=True)
class Plan:
    """An attack before its dice: its targets and all that takes part on either side."""

    kind: Means
    targets: tuple[Hex, ...]
    attackers: tuple[str, ...] = ()
    supports: tuple[str, ...] = ()
    offboard: int = 0
    air: int = 0
    guards: tuple[str, ...] = ()
    guard_offboard: int = 0
    guard_air: int = 0
    uses: tuple[str, ...] = ()

    def statement(self, line: int = 0) -> st.Engagement:
        """The attack as a sheet says it."""
        acts: list[base.Act] = []
        guns, fire = (self.supports, self.offboard) if self.kind in ("combat", "overrun") else ((), 0)
        if self.attackers:
            acts.append(st.Attack(0, self.attackers))
        for named, beyond, act in (
            (guns, fire, st.Support),
            (self.guards, self.guard_offboard, st.Guard),
        ):
            if named:
                acts.append(act(0, named))
            if beyond:
                acts.append(act(0, (), beyond))
        if self.air and self.kind in ("combat", "overrun"):
            acts.append(st.AirSupport(0, self.air))
        if self.guard_air:
            acts.append(st.GuardAir(0, self.guard_air))
        acts += [st.Use(0, name) for name in self.uses]
        match self.kind:
            case "bombard":
                return st.Bombard(line, self.targets, tuple(acts), self.supports, self.offboard)
            case "airstrike":
                return st.AirStrike(line, self.targets, tuple(acts), self.air or None)
            case "overrun":
                return st.Overrun(line, self.targets, tuple(acts))
        return st.Combat(line, self.targets, tuple(acts))


@dataclass(frozen=True, slots=True)
class Preview:
    """A plan worked out: the referee's figures, what he objects to, and how likely each result is.

    `blind`: the game lets nobody look at the defence before the attack is declared, so of it nothing is told.
    """

    record: CombatRecord | None
    objections: tuple[Finding, ...]
    chances: tuple[tuple[str, float], ...]
    dice: Dice
    blind: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """A hex of enemies: the units next to it that may attack it, and whether they have to."""

    hex: Hex
    attackers: tuple[str, ...]
    owed: bool


@dataclass(frozen=True, slots=True)
class Aid:
    """What may join an attack: guns of either side, and the most points of each kind."""

    supports: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    offboard: int = 0
    guard_offboard: int = 0
    air: int = 0
    guard_air: int = 0


# ------------------------------------------------------------------------------------------------ attacks


def targets(ctx: Context, position: Position) -> tuple[Target, ...]:
    """The hexes of enemies that the side at hand may attack, each with the units next to it that may."""
    phase = position.phase
    if phase is None or not (phase.kind == "combat" or ctx.movement.overruns):
        return ()
    ctx, side = ctx.at(position.turn), phase.side
    means: Means = "combat" if phase.kind == "combat" else "overrun"
    owing = {enemy for duty in duties(ctx, position) for enemy in duty.enemies} | set(unattacked(ctx, position))
    found = []
    for hex_ in sorted(position.boards[position.enemy(side)].at):
        near = [u for n in position.grid.neighbours[hex_] for u in position.at(n, side)]
        able = tuple(
            u for u in near if fights(ctx, position, u) and _joins(ctx, position, Plan(means, (hex_,), (u,)))
        )
        if able:
            found.append(Target(hex_, able, means == "combat" and hex_ in owing))
    return tuple(found)


def _joins(ctx: Context, position: Position, plan: Plan) -> bool:
    """Whether nothing is found fault with that the one unit of a plan takes part in it."""
    (unit,) = plan.attackers
    found = faults(tried(ctx, position, plan.statement()))
    return not any(unit in f.units or (not f.units and f.message.key not in _OF_ALL) for f in found)


_OF_ALL: Final = ("findings.odds-refused", "findings.nobody-adjacent", "findings.no-guns")
"""What is found fault with in an attack as it stands and may be right when others have joined it."""


def aid(ctx: Context, position: Position, plan: Plan) -> Aid:
    """What may join a plan, each gun for itself and the points that are left."""
    phase = position.phase
    if phase is None:
        return Aid()
    ctx, side = ctx.at(position.turn), phase.side
    enemy, base_plan = position.enemy(side), replace(plan, supports=(), guards=())
    clear = len(faults(tried(ctx, position, base_plan.statement())))

    def guns(of: str, where: str) -> tuple[str, ...]:
        joined = []
        for unit in sorted(position.on_map(of)):
            if GUNS not in ctx.units[unit].kinds or unit in plan.attackers:
                continue
            asked = replace(base_plan, **{where: (unit,)})  # type: ignore[arg-type]
            if not any(unit in f.units for f in faults(tried(ctx, position, asked.statement()))):
                joined.append(unit)
        return tuple(joined)

    def most(of: str, where: str, left: int) -> int:
        if left <= 0:
            return 0
        asked = replace(base_plan, **{where: left})  # type: ignore[arg-type]
        while left and len(faults(tried(ctx, position, asked.statement()))) > clear:
            left -= 1
            asked = replace(base_plan, **{where: left})  # type: ignore[arg-type]
        return left

    spent = position.ledger.offboard
    rule = ctx.rules.combat.air
    air = position.air.get(side, 0)
    beyond = max(0, offboard_total(ctx, side, position.turn) - spent)
    if plan.kind == "airstrike":
        return Aid(air=min(air, rule.most if rule is not None else air))
    if plan.kind == "bombard":
        return Aid(guns(side, "supports"), offboard=beyond)
    return Aid(
        supports=guns(side, "supports"),
        guards=guns(enemy, "guards"),
        offboard=most(side, "offboard", beyond),
        guard_offboard=most(enemy, "guard_offboard", offboard_total(ctx, enemy, position.turn)),
        air=most(side, "air", air),
        guard_air=most(enemy, "guard_air", position.air.get(enemy, 0)),
    )


def fires(ctx: Context, position: Position) -> tuple[Means, ...]:
    """The ways in which the side at hand may have something to fire with alone: guns, aircraft."""
    phase = position.phase
    if phase is None:
        return ()
    ctx, side, limits = ctx.at(position.turn), phase.side, spec(ctx, phase)
    if not (phase.kind == "combat" or (limits is not None and {"bombard", "airstrike"} & set(limits.does))):
        return ()
    guns = any(GUNS in ctx.units[u].kinds for u in position.on_map(side))
    shells = guns or offboard_total(ctx, side, position.turn) > position.ledger.offboard
    found: tuple[tuple[Means, bool], ...] = (
        ("bombard", shells),
        ("airstrike", _least_air(ctx, position, side) > 0),
    )
    return tuple(kind for kind, able in found if able)


def _least_air(ctx: Context, position: Position, side: str) -> int:
    """The fewest air points that a side may strike with, 0 if it cannot."""
    rule = ctx.rules.combat.air
    return rule.least if rule is not None and rule.side == side and position.air.get(side, 0) >= rule.least else 0


def fire_targets(ctx: Context, position: Position, kind: Means) -> tuple[Hex, ...]:
    """The hexes that guns alone (`bombard`), or aircraft alone, may fire at now."""
    phase = position.phase
    if phase is None:
        return ()
    ctx, side = ctx.at(position.turn), phase.side
    plans = [Plan("airstrike", (), air=_least_air(ctx, position, side))]
    if kind == "bombard":
        beyond = offboard_total(ctx, side, position.turn) > position.ledger.offboard
        guns = [u for u in sorted(position.on_map(side)) if GUNS in ctx.units[u].kinds]
        plans = [
            *([Plan("bombard", (), offboard=1)] if beyond else ()),
            *(Plan("bombard", (), supports=(gun,)) for gun in guns),
        ]
    enemies = sorted(position.boards[position.enemy(side)].at)
    return tuple(
        hex_
        for hex_ in enemies
        if any(lawful(ctx, position, replace(plan, targets=(hex_,)).statement()) for plan in plans)
    )


def preview(ctx: Context, position: Position, plan: Plan) -> Preview:
    """A plan worked out before it is declared."""
    outcome = tried(ctx, position, plan.statement())
    record = next(iter(outcome.combats), None)
    tables = ctx.scenario.tables
    table = tables.crt if record is None or record.kind == "combat" else tables.bombardment or tables.crt
    likely: tuple[tuple[str, float], ...] = ()
    if record is not None and record.result is not None:
        likely = ((record.result, 1.0),)
    elif record is not None and record.column in table.columns:
        die = sum(shift.columns for shift in record.die)
        rows = chances(table, table.columns.index(record.column), die=die)
        likely = tuple((" ".join(codes), float(probability)) for codes, probability, _ in rows)
    if ctx.rules.combat.shape.defence_seen == "declared" and record is not None and record.kind == "combat":
        return Preview(_attack_of(record, position), faults(outcome), (), table.thrown, blind=True)
    return Preview(record, faults(outcome), likely, table.thrown)


def _attack_of(record: CombatRecord, position: Position) -> CombatRecord:
    """What the attacker alone brings to a combat."""
    side = position.phase.side if position.phase is not None else ""
    parts = tuple(part for part in record.parts if part[0] == side)
    return replace(
        record, defence=None, odds=None, shifts=(), column=None, parts=parts, die=(), roll=None, result=None
    )


def declared(ctx: Context, position: Position, plan: Plan) -> st.Engagement:
    """A plan as it is declared: with the referee's own figures."""
    statement = plan.statement()
    record = next(iter(tried(ctx, position, statement).combats), None)
    if record is None:
        return statement
    if record.value is not None:
        said = st.Declare(0, value=record.value, column=record.column)
    else:
        said = st.Declare(0, record.attack, record.defence, odds=record.odds, column=record.column)
    told = replace(statement, acts=(*statement.acts, said))
    doubted = len(faults(tried(ctx, position, told))) > len(faults(tried(ctx, position, statement)))
    return statement if doubted else told


def rolled(ctx: Context, position: Position, statement: st.Engagement, faces: Sequence[int]) -> st.Engagement:
    """A declared attack with what its dice show and the result that the table gives for it."""
    thrown = replace(statement, acts=(*statement.acts, st.Roll(0, tuple(faces))))
    record = next(iter(tried(ctx, position, thrown).combats), None)
    if record is None or not record.result:
        return thrown
    return replace(thrown, acts=(*thrown.acts, st.Result(0, tuple(record.result.split()))))
