"""The port: a clock that destroys it night by night, who takes the city, points for it, and its repair."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from hexforge.scenarios.schema.ledger import Port
from hexforge.scenarios.words import Term, message
from hexforge.validator.readers.notation import statements_ledger as sl
from hexforge.validator.referee.ledger.bench import Bench, JudgedStatement
from hexforge.validator.referee.ledger.books import Books, Moment, PortState
from hexforge.validator.referee.ledger.context import LedgerContext

GAINED, BOTH = "gained", "both"
"""Readings of the demolishing side's points: it gains them, or the other side loses them as well."""


def spaces(ctx: LedgerContext, rule: Port) -> tuple[int, int]:
    """The first and the last space of the track."""
    boxes = ctx.game.game.tracks[rule.track].boxes
    return int(boxes[0]), int(boxes[-1])


# --------------------------------------------------------------------------------------------------- clock


def tick(bench: Bench, before: Moment | None, now: Moment) -> None:
    """A phase opens: the clock counts the nights whose phase of demolition has come, and income is due."""
    rule = bench.ctx.rules.port
    if rule is None:
        return
    section, bench.section = bench.section, rule.section
    if before is None:
        start = now.date if _by_night(bench.ctx, rule, now) else now.date - timedelta(1)
        bench.books = replace(bench.books, port=replace(bench.books.port, ticked=start))
        _pay(bench, rule, now, now)
    else:
        _pay(bench, rule, before, now)
        _count(bench, rule, now)
        _earn(bench, rule, before, now)
    bench.section = section


def _by_night(ctx: LedgerContext, rule: Port, now: Moment) -> bool:
    return ctx.parts[now.part] in rule.begun.parts


def _count(bench: Bench, rule: Port, now: Moment) -> None:
    port = bench.books.port
    tonight = _by_night(bench.ctx, rule, now) and now.phase in (*rule.begun.phases, rule.points.phase)
    upto = now.date if tonight else now.date - timedelta(1)
    nights = max(0, (upto - (port.ticked or upto)).days)
    if not nights:
        return
    level = port.level
    if level is not None and not port.captured:
        lowest = spaces(bench.ctx, rule)[1]
        level = max(lowest, level - nights)
        if level != port.level:
            bench.follows("level", level)
    bench.books = replace(bench.books, port=replace(port, ticked=upto, level=level))


def _earn(bench: Bench, rule: Port, before: Moment, now: Moment) -> None:
    days = (now.date - before.date).days
    if days > 0 and yields(bench.books.port, rule):
        _add(bench, days * rule.repair.income)
        bench.follows("points_earned", days * rule.repair.income)


def yields(port: PortState, rule: Port) -> bool:
    """Whether the port supplies whoever has repaired it."""
    return port.held and (port.level or 0) >= rule.repair.works


def _add(bench: Bench, points: int) -> None:
    books = bench.books
    stock = None if books.stock is None else books.stock + points
    earned, spent = (points, 0) if points > 0 else (0, -points)
    bench.books = replace(books, stock=stock, income=books.income + earned, spent=books.spent + spent)


def _pay(bench: Bench, rule: Port, before: Moment, now: Moment) -> None:
    """The day has come on which the demolishing side is paid, if the city is its own."""
    port = bench.books.port
    due = _due(bench.ctx, rule, now.date.year)
    if port.paid or port.captured or before.turn > due or not _is_over(rule, now, due):
        return
    # The clock of that night goes first; the days after it come later.
    _count(bench, rule, Moment(due[0], due[1], rule.points.phase))
    port = bench.books.port
    level = rule.points.untouched if port.level is None else port.level
    reading = bench.ctx.option(rule.points.option)
    enemy = bench.ctx.enemy(rule.side)
    what = message("findings.ledger.port-held", city=Term("cities", rule.city), level=level)
    bench.books = replace(bench.books, port=replace(bench.books.port, paid=True))
    if reading in (GAINED, BOTH):
        bench.scores(rule.side, level, what, due[0])
    if reading != GAINED:
        bench.scores(enemy, -level, what, due[0])
    if level and rule.points.option not in bench.ctx.chosen:
        bench.notes("points-read", option=rule.points.option, value=reading, level=level)


def _due(ctx: LedgerContext, rule: Port, year: int) -> tuple[date, int]:
    day, month = rule.points.day
    return date(year, month, day), ctx.parts.index(rule.points.part)


def is_past(ctx: LedgerContext, rule: Port, now: Moment | None) -> bool:
    """Whether the turn is over in which the demolishing side is paid."""
    return now is not None and now.turn > _due(ctx, rule, now.date.year)


def _is_over(rule: Port, now: Moment, due: tuple[date, int]) -> bool:
    return now.turn > due or (now.turn == due and now.phase == rule.points.phase)


def demolish(ctx: LedgerContext, books: Books, s: sl.Demolish) -> JudgedStatement:
    """`demolish`: it is begun by night, goes on by itself, and is never called off."""
    rule = ctx.rules.port
    bench = Bench(ctx, books, s.line, rule)
    if rule is None:
        return bench.judged
    port, first = books.port, spaces(ctx, rule)[0]
    if s.stop:
        bench.breaks("never-stopped")
        return bench.judged
    bench.fits(rule.begun, Term("acts", "demolish"))
    if port.captured:
        bench.breaks("captured-already", city=Term("cities", rule.city))
    elif port.level is None:
        if s.level not in (None, first):
            bench.breaks("level", declared=s.level, computed=first)
        now = books.now
        bench.books = replace(books, port=replace(port, level=first, ticked=now.date if now else port.ticked))
    elif s.level not in (None, port.level):
        bench.breaks("level", declared=s.level, computed=port.level)
    level = bench.books.port.level
    if level is not None:
        bench.follows("level", level)
    return bench.judged


# ------------------------------------------------------------------------------------------------- capture


def capture(ctx: LedgerContext, books: Books, s: sl.Capture) -> JudgedStatement:
    """`capture`: one side alone is in every hex of the city."""
    rule = ctx.rules.port
    bench = Bench(ctx, books, s.line, rule)
    if rule is None:
        return bench.judged
    city, taker = Term("cities", rule.city), ctx.enemy(rule.side)
    if books.now is None:
        bench.breaks("no-phase", what=Term("acts", "capture"))
        return bench.judged
    if books.port.captured and books.port.held:
        bench.breaks("captured-already", city=city)
        return bench.judged
    there, others = bench.needs("presence", taker), bench.needs("presence", rule.side)
    if there == "yes":  # it is there, which leaves open whether in every hex
        bench.lacks(message("findings.ledger.everywhere", side=Term("sides", taker)))
    elif there not in (None, "all"):
        bench.breaks("not-everywhere", city=city, side=Term("sides", taker))
    if others not in (None, "no", "0"):
        bench.breaks("not-alone", city=city, side=Term("sides", rule.side))
    bench.follows("captured", True)
    first = not books.port.captured
    bench.books = replace(books, port=replace(books.port, captured=True, held=True))
    if first:
        _reward(bench, rule, books.now)
    return bench.judged


def _reward(bench: Bench, rule: Port, now: Moment) -> None:
    taker, port = bench.ctx.enemy(rule.side), bench.books.port
    level = rule.points.untouched if port.level is None else port.level
    if now.turn > _due(bench.ctx, rule, now.date.year) or port.paid:
        bench.follows("victory_points", 0, taker)
        return
    bench.scores(taker, level, message("findings.ledger.port-taken", city=Term("cities", rule.city), level=level))


def presence(ctx: LedgerContext, books: Books, s: sl.Fact) -> JudgedStatement:
    """What a fact on who is in the city does to a port that was captured: it may be lost again."""
    rule = ctx.rules.port
    bench = Bench(ctx, books, s.line, rule)
    if rule is None or s.name != "presence" or not books.port.held:
        return bench.judged
    lost = s.of == (rule.side,) and s.value == "all"
    if lost:
        bench.books = replace(books, port=replace(books.port, held=False))
        bench.rests_on(s.line)
        bench.follows("held", False)
    return bench.judged


# -------------------------------------------------------------------------------------------------- repair


def repair(ctx: LedgerContext, books: Books, s: sl.Repair) -> JudgedStatement:
    """`repair`: a space a phase, for points of supply, once the city is taken."""
    rule = ctx.rules.port
    bench = Bench(ctx, books, s.line, rule)
    if rule is None:
        return bench.judged
    bench.fits(rule.repair.when, Term("acts", "repair"))
    port, city = books.port, Term("cities", rule.city)
    if not port.captured:
        bench.breaks("not-captured", city=city)
    elif not port.held:
        bench.breaks("not-held", city=city)
    if port.level is None or port.level >= rule.repair.works:
        bench.breaks("nothing-to-repair")
    again = port.repaired
    if again is not None and books.now is not None and _same_phase(again, books.now):
        bench.breaks("repaired-already")
    spaces_ = 1 if s.spaces is None else s.spaces
    if spaces_ != 1:
        bench.breaks("spaces", declared=spaces_, computed=1)
    _pay_for(bench, rule, spaces_, s.points)
    level = min(rule.repair.works, (port.level or 0) + spaces_)
    bench.books = replace(bench.books, port=replace(port, level=level, repaired=books.now))
    bench.follows("level", level)
    bench.follows("points_income", rule.repair.income if yields(bench.books.port, rule) else 0)
    return bench.judged


def _same_phase(a: Moment, b: Moment) -> bool:
    return (a.turn, a.phase, a.side) == (b.turn, b.phase, b.side)


def _pay_for(bench: Bench, rule: Port, spaces_: int, points: int | None) -> None:
    price = rule.repair.cost * spaces_
    paid = price if points is None else points
    stock = bench.books.stock
    if paid != price:
        bench.breaks("repair-price", declared=paid, computed=price)
    if stock is None:
        bench.notes("stock-unsaid", points=paid)
    elif stock < paid:
        bench.breaks("stock-short", declared=paid, computed=stock)
    _add(bench, -paid)
    bench.follows("points_spent", paid)


# --------------------------------------------------------------------------------------------------- score


def score(ctx: LedgerContext, books: Books, s: sl.Points) -> JudgedStatement:
    """`score`: the points of sides by these rules; another reading of the passage may make them right."""
    rule = ctx.rules.port
    bench = Bench(ctx, books, s.line, rule)
    for side, points in s.totals:
        total = books.total(side)
        values: dict[str, Any] = {"declared": points, "computed": total, "side": Term("sides", side)}
        if points != total:
            if rule is not None and points in _otherwise(ctx, rule, books, side):
                bench.disputes("accounts-score", rule.points.option, **values)
            else:
                bench.breaks("accounts-score", **values)
        bench.follows("victory_points_total", total, side)
    return bench.judged


def _otherwise(ctx: LedgerContext, rule: Port, books: Books, side: str) -> set[int]:
    """What a side would have by the other readings."""
    if not books.port.paid:
        return set()
    enemy = ctx.enemy(rule.side)
    paid = [p for p in books.scored if (p.side, p.points > 0) in ((rule.side, True), (enemy, False))]
    level = max((abs(p.points) for p in paid), default=0)
    rest = books.total(side) - sum(p.points for p in paid if p.side == side)
    return {rest, rest + (level if side == rule.side else -level)}
