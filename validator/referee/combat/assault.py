"""A combat from its announcement to the advance: sections 5.0 to 5.3."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.combat import modifiers, tables
from hexforge.validator.referee.combat.advance import advance, check_advances
from hexforge.validator.referee.combat.aftermath import Aftermath, when_the_dice_fell
from hexforge.validator.referee.combat.battle import Battle, acting, phasing
from hexforge.validator.referee.combat.choices import check_choices
from hexforge.validator.referee.combat.conditions import Asked
from hexforge.validator.referee.combat.declarations import check_declared, drawn
from hexforge.validator.referee.combat.declared import (
    check_announcements,
    check_declaration,
    check_result,
    check_roll,
    codes_followed,
)
from hexforge.validator.referee.combat.demands import demands
from hexforge.validator.referee.combat.fight import Fight, read_fight
from hexforge.validator.referee.combat.figures import Figures, Forces, work_out
from hexforge.validator.referee.combat.how_often import used
from hexforge.validator.referee.combat.losses import check_losses, eliminate, lose
from hexforge.validator.referee.combat.morale import as_sure, check_tests, tested
from hexforge.validator.referee.combat.participants import (
    check_guards,
    check_participants,
    check_targets,
    engaged_attackers,
    unfit,
)
from hexforge.validator.referee.combat.purse import check_air_limits, spend_air, spend_offboard
from hexforge.validator.referee.combat.retreat import check_retreats, retreat
from hexforge.validator.referee.combat.subjects import named
from hexforge.validator.referee.combat.untried import check_untried
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import CombatRecord, Finding
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.presence import phase_fits
from hexforge.validator.referee.state import Position
from hexforge.validator.referee.values import altered


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


def _kind(ctx: Context, statement: st.Engagement) -> Special:
    """What an attack that is none of a special kind is, by who takes part in it."""
    guns = any(isinstance(act, st.Support) and act.units for act in statement.acts)
    others = any(isinstance(act, st.Attack) for act in statement.acts)
    return _BOMBARDMENT if ctx.rules.combat.shape.guns_alone == "odds" and guns and not others else _COMBAT


def combat(ctx: Context, position: Position, statement: st.Engagement, special: Special | None = None) -> Outcome:
    """A `combat` statement judged, or a `special` attack, and the position as the players left it."""
    line, special = statement.line, special or _kind(ctx, statement)
    units = [u for act in statement.acts if isinstance(act, st.Attack) for u in act.units]
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
        doubts=(*figures.strength_doubts, *figures.ground_doubts),
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
    return Outcome(left, tuple(findings), combats=(record,))


def check_refused(battle: Battle, fight: Fight, figures: Figures) -> Iterator[Finding]:
    """A finding where the game does not allow an attack at such odds."""
    if figures.end == "refused":
        told = {"attack": figures.attack, "defence": figures.defence}
        yield battle.found(fight.line, "odds-refused", hexes=fight.targets, doubts=figures.strength_doubts, **told)


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
    for side, points, line in air:
        paid = paid.then(spend_air(ctx, paid.position, side, points, line))
    for _, points, line in air if ctx.option("air_limits_apply_to_support") == "yes" else ():
        if points:
            paid = paid.then(Outcome(paid.position, tuple(check_air_limits(ctx, points, line))))
    for side, points in ((battle.attacker, fight.offboard), (battle.defender, fight.guard_offboard)):
        paid = paid.then(spend_offboard(ctx, paid.position, side, points, fight.offboard_line))
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
    return thrown_for(after, fight)


def carried_out(after: Aftermath, fight: Fight, forces: Forces) -> Aftermath:
    """What a sheet tells after the dice, held against what the result demands, and the marks that it gives."""
    return _marked(tell(tested(after, fight, forces), fight.aftermath))


def thrown_for(after: Aftermath, fight: Fight) -> Aftermath:
    """With what is to be said of who chose, and of further dice."""
    fight = replace(fight, aftermath=named(after, fight.aftermath))
    return as_sure(after.told((*check_choices(after, fight), *check_tests(after, fight))))


def _marked(after: Aftermath) -> Aftermath:
    """The units that a result marks, as far as they are still there, with their marks."""
    for unit in after.home:
        more = (one.mark for one in after.befalls(unit) if one.mark is not None)
        marks = (*after.demanded(unit).marks, *more)
        if marks and after.position.units[unit].alive:
            after = after.at(after.position.mark(unit, *marks))
    return after


def tell(after: Aftermath, acts: Sequence[st.Act]) -> Aftermath:
    """Every act of the aftermath in turn, and what is missing at its end unless the sheet shows a part only."""
    told = named(after, acts)
    after = after.told(_who_goes(after, acts, told))
    for act in _in_turn(after, told):
        match act:
            case st.Lose():
                after = lose(after, act)
            case st.Eliminate():
                after = eliminate(after, act)
            case st.Retreat():
                after = retreat(after, act)
            case st.Advance():
                after = advance(after, act)
    whole = () if after.ctx.partial else (*check_losses(after), *check_advances(after))
    return after.told((*check_retreats(after), *whole))


def _who_goes(after: Aftermath, acts: Sequence[st.Act], told: Sequence[st.Act]) -> Iterator[Finding]:
    """What a retreat means that names no units: those that it is judged of, or that nobody knows whom."""
    for said, meant in zip(acts, told, strict=True):
        if isinstance(meant, st.RetreatOf):
            yield after.battle.found(meant.line, "nobody-named", section=after.battle.rules.sections.retreat)
        elif isinstance(said, st.RetreatOf) and isinstance(meant, st.Retreat):
            units = " ".join(meant.units)
            yield after.battle.found(meant.line, "goes-as", severity="info", units=meant.units, units_told=units)


def _in_turn(after: Aftermath, acts: Sequence[st.Act]) -> list[st.Act]:
    """The acts with losses first that bar nobody's retreat any more, wherever the sheet tells of them.

    Those are units given up in an exchange, and losses of the side that does not flee: neither can be the price of
    a retreat. A unit that has gone its way before dies of that.
    """
    first: list[st.Act] = []
    rest: list[st.Act] = []
    gone: set[str] = set()
    for act in acts:
        if isinstance(act, st.Retreat):
            gone.update(act.units)
        losing = isinstance(act, st.Lose | st.Eliminate) and gone.isdisjoint(act.units)
        (first if losing and _bars_nobody(after, act) else rest).append(act)
    return first + rest


def _bars_nobody(after: Aftermath, act: st.Act) -> bool:
    if after.demands is None or not isinstance(act, st.Lose | st.Eliminate):
        return False
    if after.demands.exchange:
        return isinstance(act, st.Eliminate)
    return all(after.part_of(u) is not None and not after.must_retreat(u) for u in act.units)
