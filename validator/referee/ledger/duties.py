"""What the accounts leave to do: clocks that run, dice to be thrown, steps that are owed, what may be paid for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hexforge.scenarios.words import Message, Param, Term, message
from hexforge.validator.referee.ledger import frail
from hexforge.validator.referee.ledger.books import Books
from hexforge.validator.referee.ledger.context import LedgerContext
from hexforge.validator.referee.ledger.landing import HELD, sent
from hexforge.validator.referee.ledger.port import is_past, spaces, yields


@dataclass(frozen=True, slots=True)
class LedgerDuty:
    """One of these things. `what` names it, `of` the piece that it is about or "", `value` how much it is."""

    what: str
    of: str
    value: int | str
    told: Message

    def as_json(self) -> dict[str, Any]:
        """It without its words."""
        return {"what": self.what, "of": self.of or None, "value": self.value}


def due(ctx: LedgerContext, books: Books) -> tuple[LedgerDuty, ...]:
    """All that is to be done as the books stand."""
    return (*_owed(ctx, books), *_landing(ctx, books), *_port(ctx, books), *_record(ctx, books))


def _due(what: str, of: str, value: int | str, **values: Param) -> LedgerDuty:
    return LedgerDuty(what, of, value, message(f"validator.duty.{what}", **values))


def _owed(ctx: LedgerContext, books: Books) -> Iterator[LedgerDuty]:
    """Steps that isolation costs in the turn that is being played."""
    rule, now = ctx.rules.frail, books.now
    if rule is None or now is None or ctx.parts[now.part] not in rule.when.parts:
        return
    for unit in frail.isolated(ctx, books):
        yield _due("isolated", unit, rule.steps, unit=unit, steps=rule.steps)


def _landing(ctx: LedgerContext, books: Books) -> Iterator[LedgerDuty]:
    rule = ctx.rules.landing
    if rule is None or rule.reserve is None or rule.other in books.landed:
        return
    face = books.dice.get(rule.other)
    if books.choices.get(rule.other) == HELD and face is None:
        yield _due("die", rule.other, "", unit=rule.other)
    elif face is not None:
        place = sent(rule, rule.reserve, face)
        yield _due("sent", rule.other, place, unit=rule.other, place=place)


def _port(ctx: LedgerContext, books: Books) -> Iterator[LedgerDuty]:
    rule, port = ctx.rules.port, books.port
    if rule is None:
        return
    city, level = Term("cities", rule.city), port.level
    if not port.captured and level is not None and level > spaces(ctx, rule)[1]:
        yield _due("clock", "", level - 1, city=city, level=level, next=level - 1)
    if not port.captured and not port.paid and not is_past(ctx, rule, books.now):
        at_stake = rule.points.untouched if level is None else level
        yield _due(
            "stake", "", at_stake, city=city, level=at_stake, day=rule.points.day[0], month=rule.points.day[1]
        )
    if port.held and yields(port, rule):
        yield _due("income", "", rule.repair.income, city=city, points=rule.repair.income)
    elif port.held and level is not None:
        yield _due("repair", "", rule.repair.cost, city=city, level=level, points=rule.repair.cost)


def _record(ctx: LedgerContext, books: Books) -> Iterator[LedgerDuty]:
    record = books.record
    if ctx.rules.cut_off is not None and record.open:
        left = 0 if record.points is None else record.points - record.used
        yield _due("record", "", left, lost=record.lost, left=left)
