"""A combat from its announcement to the advance: sections 5.0 to 5.3."""

from __future__ import annotations

from hexforge.validator.readers import statements as st
from hexforge.validator.referee.combat import tables
from hexforge.validator.referee.combat.advance import advance
from hexforge.validator.referee.combat.aftermath import Books, Part, open_books
from hexforge.validator.referee.combat.declared import (
    check_announcements,
    check_declaration,
    check_result,
    check_roll,
    codes_followed,
)
from hexforge.validator.referee.combat.demands import demands
from hexforge.validator.referee.combat.desk import Desk
from hexforge.validator.referee.combat.fight import Fight, read_fight
from hexforge.validator.referee.combat.figures import Figures, Forces, work_out
from hexforge.validator.referee.combat.losses import check_losses, eliminate, lose
from hexforge.validator.referee.combat.participants import check_participants, check_targets, engaged_attackers
from hexforge.validator.referee.combat.purse import check_air_limits, spend_air, spend_offboard
from hexforge.validator.referee.combat.retreat import check_retreats, retreat
from hexforge.validator.referee.context import Context
from hexforge.validator.referee.findings import CombatRecord
from hexforge.validator.referee.outcome import Outcome
from hexforge.validator.referee.presence import phase_fits
from hexforge.validator.referee.state import Position


def combat(ctx: Context, position: Position, statement: st.Combat) -> Outcome:
    """A `combat` statement judged, and the position as the players left it."""
    desk = Desk(ctx, position, statement.line)
    desk.findings += phase_fits(ctx, position, statement, "combat", "combat")
    units = [u for act in statement.acts if isinstance(act, st.Attack) for u in act.units]
    if desk.act_out_of_turn(units):
        told = " ".join(units)
        desk.find(statement.line, "not-its-phase", units=units, unit=told)
    fight = read_fight(desk, statement.line, statement.targets, statement.acts)
    check_targets(desk, fight.line, fight.targets)
    check_participants(desk, fight)
    engaged = engaged_attackers(desk, fight)
    figures = work_out(desk, forces_of(fight, engaged))
    check_announcements(desk, fight, figures)
    declared_column = check_declaration(desk, fight, figures)
    roll = check_roll(desk, fight)
    check_result(
        desk,
        fight,
        table=figures.table,
        column=figures.column,
        declared_column=declared_column,
        roll=roll,
        section=desk.rules.sections.result,
        doubts=(*figures.strength_doubts, *figures.ground_doubts),
    )
    computed = tables.result(figures.table, roll, figures.column) if roll is not None else None
    _spend(desk, fight)
    _play_out(desk, fight, figures, engaged, computed)
    record = CombatRecord(
        line=statement.line,
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
    )
    return Outcome(desk.position, tuple(desk.findings), combats=(record,))


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
    )


def _spend(desk: Desk, fight: Fight) -> None:
    """Points and shots that this combat uses up."""
    spend_air(desk, desk.attacker, fight.air, fight.air_line)
    spend_air(desk, desk.defender, fight.guard_air, fight.guard_air_line)
    if desk.option("air_limits_apply_to_support") == "yes":
        for points, line in ((fight.air, fight.air_line), (fight.guard_air, fight.guard_air_line)):
            if points:
                check_air_limits(desk, points, line)
    spend_offboard(desk, desk.attacker, fight.offboard, fight.offboard_line)
    spend_offboard(desk, desk.defender, fight.guard_offboard, fight.offboard_line)
    ledger = desk.position.ledger
    desk.position = desk.position.noted(
        attacked=ledger.attacked | set(fight.attackers),
        fired=ledger.fired | set(fight.supports) | set(fight.guards),
        targets=ledger.targets | set(fight.targets),
    )


def _play_out(
    desk: Desk,
    fight: Fight,
    figures: Figures,
    engaged: tuple[str, ...],
    computed: tuple[str, ...] | None,
) -> None:
    """Losses, retreats and advances as told, held against what the result demands.

    The players' own reading of the table is what they went on from; it is judged elsewhere. Where they misread it
    and carried out what it says all the same, that is no second fault.
    """
    after_exchange = desk.option("advance_after_emp") == "yes"
    position, found = desk.position, len(desk.findings)

    def told(codes: tuple[str, ...] | None) -> Books:
        asked = demands(codes, advance_after_exchange=after_exchange) if codes is not None else None
        sides: dict[Part, tuple[str, ...]] = {"defender": figures.defenders, "attacker": engaged}
        books = open_books(desk, fight.line, fight.targets, asked, sides)
        tell(desk, books, fight.aftermath)
        return books

    followed = codes_followed(fight, figures.table, computed)
    books = told(followed)
    faults, after = desk.findings[found:], desk.position
    if faults and followed and computed and not tables.same_codes(followed, computed):
        desk.findings, desk.position = desk.findings[:found], position
        right = told(computed)
        if len(desk.findings) == found:
            books = right
        else:
            desk.findings, desk.position = [*desk.findings[:found], *faults], after
    desk.position = desk.position.noted(advanced=desk.position.ledger.advanced | books.advanced)


def tell(desk: Desk, books: Books, acts: list[st.Act]) -> None:
    """Every act of the aftermath in turn, and what is missing at its end unless the sheet shows a part only."""
    for act in _in_turn(books, acts):
        match act:
            case st.Lose():
                lose(desk, books, act)
            case st.Eliminate():
                eliminate(desk, books, act)
            case st.Retreat():
                retreat(desk, books, act)
            case st.Advance():
                advance(desk, books, act)
    check_retreats(desk, books, complete=not desk.ctx.partial)
    if not desk.ctx.partial:
        check_losses(desk, books)


def _in_turn(books: Books, acts: list[st.Act]) -> list[st.Act]:
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
        (first if losing and _bars_nobody(books, act) else rest).append(act)
    return first + rest


def _bars_nobody(books: Books, act: st.Act) -> bool:
    if books.demands is None or not isinstance(act, st.Lose | st.Eliminate):
        return False
    if books.demands.exchange:
        return isinstance(act, st.Eliminate)
    return all(books.part_of(u) is not None and not books.must_retreat(u) for u in act.units)
