"""A combat from its announcement to the advance: sections 5.0 to 5.3.

Overruns: attacks in the course of a move, at odds that the game names, after which the move may go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ....scenarios.schema.rules_movement import Overrun
from ....scenarios.text.hexgrid import Hex
from ....scenarios.text.words import Term
from ...notation import base, statements
from ..context import Context, Outcome
from ..findings import CombatRecord, Finding, doubt, points
from ..journey import complaint
from ..move_effects import phase_fits
from ..movement import held_back
from ..position import Position
from ..roster import fits
from ..travel import Obstacle, Traveller, traveller
from ..values import altered
from . import modifiers, tables
from .advance import advance, check_advances
from .aftermath import Aftermath, captured, named, when_the_dice_fell
from .conditions import Asked, Battle, Forces, acting, phasing
from .declared import check_announcements, check_declaration, check_result, check_roll, codes_followed
from .figures import Fight, Figures, read_fight, work_out
from .losses import check_choices, check_losses, eliminate, lose
from .morale import as_sure, check_tests, tested, used
from .participants import (
    check_air_limits,
    check_guards,
    check_participants,
    check_targets,
    check_untried,
    engaged_attackers,
    spend_air,
    spend_offboard,
    unfit,
)
from .retreat import check_retreats, retreat
from .shifts import check_declared, drawn
from .tables import demands


@dataclass(frozen=True)
class Special:
    """What sets an attack apart from those of a combat phase: its phase, its result, and what else it asks for."""

    what: str
    phase: str
    result: str
    check: Callable[[Battle, Fight, Figures], Iterator[Finding]]


def _nothing_more(_battle: Battle, _fight: Fight, _figures: Figures) -> Iterator[Finding]:
    return iter(())


_COMBAT: Final = Special("combat", "combat", "", _nothing_more)
_BOMBARDMENT: Final = Special("bombard", "combat", "", _nothing_more)
"""What guns do that fire alone, in games in which they do so at odds."""


def _kind(ctx: Context, statement: statements.Engagement) -> Special:
    """What an attack that is none of a special kind is, by who takes part in it."""
    guns = any(isinstance(act, statements.Support) and act.units for act in statement.acts)
    others = any(isinstance(act, statements.Attack) for act in statement.acts)
    return _BOMBARDMENT if ctx.rules.combat.shape.guns_alone == "odds" and guns and not others else _COMBAT


def combat(
    ctx: Context, position: Position, statement: statements.Engagement, special: Special | None = None
) -> Outcome:
    """A `combat` statement judged, or a `special` attack, and the position as the players left it."""
    line, special = statement.line, special or _kind(ctx, statement)
    units = [u for act in statement.acts if isinstance(act, statements.Attack) for u in act.units]
    battle = Battle(ctx, position, acting(ctx, position, units))
    findings = phase_fits(ctx, position, statement, special.what, special.phase)
    if battle.attacker != phasing(ctx, position):
        findings.append(ctx.found(line, "not-its-phase", units=units, unit=" ".join(units)))
    fight, enlisted = read_fight(battle, statement)
    engaged = engaged_attackers(battle, fight)
    forces = altered(forces_of(fight, engaged), overrun=special.phase == "movement")
    figures = replace(work_out(battle, forces), forced=special.result)
    column, declared = check_declaration(battle, fight, figures, forces)
    without_dice = figures.result(None) is not None and fight.roll is None
    roll, rolled = (None, []) if without_dice else check_roll(battle, fight, figures.table)
    read = check_result(
        battle,
        fight,
        table=figures.table,
        column=figures.column,
        declared_column=column,
        roll=figures.row(roll),
        section=battle.rules.sections.result,
        certain=figures.result(None),
    )
    # Of an attack that there should not have been nothing follows but what the players say.
    computed = figures.result(roll) if figures.end != "refused" else None
    spent = _spend(battle, fight, used_up=special.phase == "combat")
    after = _play_out(altered(battle, position=spent.position), fight, figures, forces, computed)
    findings += enlisted
    findings += check_untried(battle, fight, figures.defenders)
    findings += check_targets(battle, fight.line, fight.targets)
    taking = list(check_participants(battle, fight))
    taking += modifiers.barred(battle, forces, {**fight.attackers, **fight.supports, **fight.guards}, unfit(taking))
    findings += taking
    findings += check_guards(battle, fight, unfit(taking))
    findings += check_refused(battle, fight, figures)
    findings += special.check(battle, fight, figures)
    findings += check_declared(battle, forces, fight.declared)
    findings += check_announcements(battle, fight, figures, forces)
    findings += [*declared, *rolled, *read, *spent.findings, *after.findings]
    record = CombatRecord(
        line=line,
        kind="combat",
        target=fight.targets,
        attack=figures.attack,
        defence=figures.defence,
        odds=figures.odds,
        shifts=figures.shifts,
        column=figures.column_name,
        roll=roll,
        result=" ".join(computed) if computed else None,
        parts=figures.parts,
        die=figures.die,
        changes=figures.changes,
    )
    left = after.position.noted(advanced=after.position.ledger.advanced | after.advanced)
    return Outcome(left, tuple(findings), combats=(record,), aftermath=after)


def check_refused(battle: Battle, fight: Fight, figures: Figures) -> Iterator[Finding]:
    """A finding where the game does not allow an attack at such odds."""
    if figures.end == "refused":
        told = {"attack": figures.attack, "defence": figures.defence}
        yield battle.found(fight.line, "odds-refused", hexes=fight.targets, **told)


def forces_of(fight: Fight, engaged: tuple[str, ...]) -> Forces:
    """The forces that a fight brings together."""
    return Forces(
        targets=fight.targets,
        attackers=tuple(fight.attackers),
        engaged=engaged,
        supports=tuple(fight.supports),
        guards=tuple(fight.guards),
        offboard=fight.offboard,
        guard_offboard=fight.guard_offboard,
        air=fight.air,
        guard_air=fight.guard_air,
        declared={name: len(lines) for name, lines in fight.declared.items()},
        shares={unit: act.points for unit, act in fight.shares.items()},
    )


def _spend(battle: Battle, fight: Fight, *, used_up: bool) -> Outcome:
    """Points and shots that this combat uses up; `used_up`: its units and hexes too, for this phase."""
    ctx, paid = battle.ctx, Outcome(battle.position)
    air = ((battle.attacker, fight.air, fight.air_line), (battle.defender, fight.guard_air, fight.guard_air_line))
    for side, spent, line in air:
        paid = paid.then(spend_air(ctx, paid.position, side, spent, line))
    for _, spent, line in air if ctx.option("air_limits_apply_to_support") == "yes" else ():
        if spent:
            paid = paid.then(Outcome(paid.position, tuple(check_air_limits(ctx, spent, line))))
    for side, spent in ((battle.attacker, fight.offboard), (battle.defender, fight.guard_offboard)):
        paid = paid.then(spend_offboard(ctx, paid.position, side, spent, fight.offboard_line))
    if fight.declared:
        declared = drawn(battle, {name: len(lines) for name, lines in fight.declared.items()})
        paid = replace(paid, position=paid.position.noted(declared=declared))
    if not used_up:
        return paid
    there = altered(battle, position=paid.position)
    return replace(paid, position=used(there, fight, (*fight.supports, *fight.guards)))


def _play_out(
    battle: Battle,
    fight: Fight,
    figures: Figures,
    forces: Forces,
    computed: tuple[str, ...] | None,
) -> Aftermath:
    """Losses, retreats and advances as told, held against what the result demands.

    The players' own reading of the table is what they went on from; it is judged elsewhere. Where they misread it
    and carried out what it says all the same, that is no second fault.
    """
    after_exchange = battle.ctx.option("advance_after_emp") == "yes"

    def told(codes: tuple[str, ...] | None) -> Aftermath:
        alphabet = battle.tables.results
        asked = demands(alphabet, codes, advance_after_exchange=after_exchange) if codes is not None else None
        fell = when_the_dice_fell(battle, fight, asked, figures.defenders, forces.engaged, parts=figures.parts)
        return carried_out(fell.noted(whole=Asked(forces, forces, battle)), fight, forces)

    followed = codes_followed(fight, figures.table, computed)
    after = told(followed)
    if after.findings and followed and computed and not tables.same_codes(followed, computed):
        right = told(computed)
        after = after if right.findings else right
    return captured(thrown_for(after, fight))


def carried_out(after: Aftermath, fight: Fight, forces: Forces) -> Aftermath:
    """What a sheet tells after the dice, held against what the result demands, and the marks that it gives."""
    return _marked(tell(tested(after, fight, forces), fight.aftermath))


def thrown_for(after: Aftermath, fight: Fight) -> Aftermath:
    """With what is to be said of who chose, and of further dice."""
    fight = replace(fight, aftermath=named(after, fight.aftermath))
    return as_sure(after.adding((*check_choices(after, fight), *check_tests(after, fight))))


def _marked(after: Aftermath) -> Aftermath:
    """The units that a result marks, as far as they are still there, with their marks."""
    for unit in after.home:
        more = (one.mark for one in after.befalls(unit) if one.mark is not None)
        marks = (*after.demanded(unit).marks, *more)
        if marks and after.position.units[unit].alive:
            after = after.at(after.position.mark(unit, *marks))
    return after


def tell(after: Aftermath, acts: Sequence[base.Act]) -> Aftermath:
    """Every act of the aftermath in turn, and what is missing at its end unless the sheet shows a part only."""
    told = named(after, acts)
    after = after.adding(_who_goes(after, acts, told))
    for act in _in_turn(after, told):
        match act:
            case statements.Lose():
                after = lose(after, act)
            case statements.Eliminate():
                after = eliminate(after, act)
            case statements.Retreat():
                after = retreat(after, act)
            case statements.Advance():
                after = advance(after, act)
    whole = () if after.ctx.partial else (*check_losses(after), *check_advances(after))
    return after.adding((*check_retreats(after), *whole))


def _who_goes(after: Aftermath, acts: Sequence[base.Act], told: Sequence[base.Act]) -> Iterator[Finding]:
    """What a retreat means that names no units: those that it is judged of, or that nobody knows whom."""
    for said, meant in zip(acts, told, strict=True):
        if isinstance(meant, statements.RetreatOf):
            yield after.battle.found(meant.line, "nobody-named", section=after.battle.rules.sections.retreat)
        elif isinstance(said, statements.RetreatOf) and isinstance(meant, statements.Retreat):
            units = " ".join(meant.units)
            yield after.battle.found(meant.line, "goes-as", severity="info", units=meant.units, units_told=units)


def _in_turn(after: Aftermath, acts: Sequence[base.Act]) -> list[base.Act]:
    """The acts with losses first that bar nobody's retreat any more, wherever the sheet tells of them.

    Those are units given up in an exchange, and losses of the side that does not flee: neither can be the price of
    a retreat. A unit that has gone its way before dies of that.
    """
    first: list[base.Act] = []
    rest: list[base.Act] = []
    gone: set[str] = set()
    for act in acts:
        if isinstance(act, statements.Retreat):
            gone.update(act.units)
        losing = isinstance(act, statements.Lose | statements.Eliminate) and gone.isdisjoint(act.units)
        (first if losing and _bars_nobody(after, act) else rest).append(act)
    return first + rest


def _bars_nobody(after: Aftermath, act: base.Act) -> bool:
    if after.demands is None or not isinstance(act, statements.Lose | statements.Eliminate):
        return False
    if after.demands.exchange:
        return isinstance(act, statements.Eliminate)
    return all(after.part_of(u) is not None and not after.must_retreat(u) for u in act.units)


_ZONES: Final = {"must-stop", "zone-hold", "zone-shut", "zone-to-zone", "zone-again"}
"""What forbids a move for the zones of enemies."""


def judge_overrun(ctx: Context, position: Position, statement: statements.Overrun) -> Outcome:
    """`overrun`: the attack judged, what it costs its units paid, and they free to move on."""
    units = [u for act in statement.acts if isinstance(act, statements.Attack) for u in act.units if u in ctx.units]
    fitting = [r for r in ctx.movement.overruns if any(_may(r, ctx, position, u) for u in units)]
    rule = next((r for r in fitting if not any(_spared(ctx, position, r, statement.targets))), None)
    rule = rule or next(iter(fitting), None)
    if rule is None:
        if marked := [f for u in units for f in _overrun_marked(ctx, position, statement.line, u)]:
            return Outcome(position, tuple(marked))
        section = next((r.section for r in ctx.movement.overruns), "")
        return Outcome(position, (ctx.found(statement.line, "overrun-none", section=section, units=units),))
    check = _Check(rule)
    outcome = combat(ctx, position, statement, Special("overrun", "movement", rule.result or "", check))
    after = outcome.position
    spent = {u: position.ledger.spent.get(u, 0) + _price(ctx, position, rule, u, statement.targets) for u in units}
    for unit in units:
        after = after.set(unit, moved=True)
    ledger = after.ledger
    after = after.noted(spent={**ledger.spent, **spent}, overran=ledger.overran | set(units))
    return replace(outcome, position=after)


def _may(rule: Overrun, ctx: Context, position: Position, unit: str) -> bool:
    return _of_its_kind(rule, ctx, position, unit) and position.units[unit].marks.isdisjoint(rule.barred_marks)


def _of_its_kind(rule: Overrun, ctx: Context, position: Position, unit: str) -> bool:
    """Whether a rule lets a unit overrun but for the marks that it bears."""
    state = position.units[unit]
    return fits(rule, ctx.units[unit], state) and ctx.in_force(rule, position, state.hex)


def _overrun_marked(ctx: Context, position: Position, line: int, unit: str) -> list[Finding]:
    """What is found of a unit that but for a mark might overrun; of any other nothing."""
    rule = next((r for r in ctx.movement.overruns if _of_its_kind(r, ctx, position, unit)), None)
    marks = position.units[unit].marks.intersection(rule.barred_marks) if rule is not None else ()
    return [
        ctx.found(
            line,
            "overrun-mark",
            section=rule.section,
            units=(unit,),
            unit=unit,
            mark=Term("marks", mark, mark.replace("_", " ")),
        )
        for mark in sorted(marks)[:1]
        if rule is not None
    ]


def _spared(ctx: Context, position: Position, rule: Overrun, targets: tuple[Hex, ...]) -> Iterator[tuple[str, Hex]]:
    """Units in hexes that are overrun which the rule lets nobody overrun."""
    for hex_ in targets if rule.targets else ():
        yield from ((u, hex_) for u in position.at(hex_) if not ctx.units[u].is_any(rule.targets))


def _price(ctx: Context, position: Position, rule: Overrun, unit: str, targets: tuple[Hex, ...]) -> int:
    """What an overrun takes of a unit, in halves: the rule's points, the hex if asked for, and zones of others."""
    if not rule.ground:
        return rule.points
    one = _raider(ctx, position, unit, targets)
    return rule.points + max((cost for cost, _, _ in _steps(one, rule, targets)), default=0)


def _raider(ctx: Context, position: Position, unit: str, targets: tuple[Hex, ...]) -> Traveller:
    """A unit on its move into hexes whose defenders, being overrun, neither bar the way nor have zones."""
    enemy = position.enemy(ctx.units[unit].side)
    for defender in [u for hex_ in targets if hex_ in position.grid for u in position.at(hex_, enemy)]:
        position = position.set(defender, hex=None)
    return traveller(ctx, position, ctx.units[unit])


def _steps(
    one: Traveller, rule: Overrun, targets: tuple[Hex, ...]
) -> Iterator[tuple[int, list[Obstacle], tuple[Hex, Hex]]]:
    """Steps of a unit into the hexes next to it that are overrun: the cost, what forbids it, from and to."""
    position = one.position
    here, first = position.hex_of(one.unit.id), not position.units[one.unit.id].moved
    for there in targets if here is not None else ():
        if here is not None and there in position.grid and position.grid.adjacent(here, there):
            step, added, obstacles = one.step(here, there, first=first, passed=one.passed)
            if rule.zones == "none":
                added, obstacles = 0, [obstacle for obstacle in obstacles if obstacle.key not in _ZONES]
            yield step.cost + added, obstacles, (here, there)


def _blocked(battle: Battle, fight: Fight, unit: str, line: int, rule: Overrun) -> list[Finding]:
    """What bars a unit from the hexes that it overruns, as in any move."""
    one = _raider(battle.ctx, battle.position, unit, fight.targets)
    return [
        complaint(one, line, (unit,), (obstacle, *way))
        for _, obstacles, way in _steps(one, rule, fight.targets)
        for obstacle in obstacles
    ]


@dataclass(frozen=True)
class _Check:
    """What a rule of overruns asks for besides what every attack has to keep to."""

    rule: Overrun

    def __call__(self, battle: Battle, fight: Fight, figures: Figures) -> Iterator[Finding]:
        rule, ctx, position = self.rule, battle.ctx, battle.position
        least = tables.column_index(figures.table, rule.least) or 0
        if figures.base < least:
            yield battle.found(
                fight.line, "overrun-odds", section=rule.section, hexes=fight.targets, computed=figures.odds,
                least=rule.least, odds=figures.odds,
            )  # fmt: skip
        if figures.attack < rule.strength:
            told = {"computed": figures.attack, "count": figures.attack, "limit": rule.strength}
            yield battle.found(fight.line, "overrun-strength", section=rule.section, hexes=fight.targets, **told)
        for target in battle.known(fight.targets):
            barred = [t for t in ctx.map.terrain[target] if t in rule.barred]
            if barred:
                yield battle.found(
                    fight.line, "overrun-terrain", section=rule.section, hexes=(target,), hex=target,
                    what=Term("terrain", barred[0]),
                )  # fmt: skip
        for unit, hex_ in list(_spared(ctx, position, rule, fight.targets))[:1]:
            yield battle.found(
                fight.line,
                "overrun-target",
                section=rule.section,
                hexes=(hex_,),
                units=(unit,),
                unit=unit,
                hex=hex_,
            )
        for unit, line in fight.attackers.items():
            if not _may(rule, ctx, position, unit):
                plain = [battle.found(line, "overrun-unit", section=rule.section, units=(unit,), unit=unit)]
                yield from _overrun_marked(ctx, position, line, unit) or plain
            elif position.units[unit].moved and unit not in position.ledger.spent:
                yield battle.found(line, "moved-twice", units=(unit,), unit=unit)
            elif unit in position.ledger.worked:
                unsure = (doubt("worked", units=unit),) if unit in position.ledger.unsure_works else ()
                yield battle.found(line, "worked", units=(unit,), unit=unit, doubts=unsure)
            else:
                yield from held_back(ctx, position, line, unit) or _blocked(battle, fight, unit, line, rule)
                yield from self._affordable(battle, fight, unit, line)

    def _affordable(self, battle: Battle, fight: Fight, unit: str, line: int) -> Iterator[Finding]:
        ctx, position = battle.ctx, battle.position
        left = traveller(ctx, position, battle.unit(unit)).allowance
        price = _price(ctx, position, self.rule, unit, fight.targets)
        if price > left:
            yield battle.found(
                line, "overrun-points", section=self.rule.section, units=(unit,), computed=points(price),
                unit=unit, cost=points(price), left=points(max(left, 0)),
            )  # fmt: skip
