"""Replay a sheet of accounts: every statement is judged, and then entered as it was told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from hexforge.scenarios.extended import Extension
from hexforge.scenarios.words import Term
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation import statements_ledger as sl
from hexforge.validator.referee.findings import Finding, doubt
from hexforge.validator.referee.ledger import (
    alert,
    carriers,
    cut_off,
    frail,
    groups,
    guns,
    landing,
    marching,
    opening,
    port,
)
from hexforge.validator.referee.ledger.bench import Bench, Effect, JudgedStatement
from hexforge.validator.referee.ledger.books import MAX_KEPT, Books, Moment, Stated
from hexforge.validator.referee.ledger.context import LedgerContext
from hexforge.validator.referee.rulings import Waiver, by_line, waive, waivers_of

Rule = Callable[[LedgerContext, Books, Any], JudgedStatement]


@dataclass(frozen=True)
class LedgerJudgement:
    """What a replay found. `facts` are the lines of facts by the lines that rest on them.

    `opened` are the books before the first line.
    """

    ctx: LedgerContext
    books: Books
    findings: tuple[Finding, ...]
    effects: tuple[Effect, ...] = ()
    facts: Mapping[int, frozenset[int]] = field(default_factory=dict)
    unjudged: tuple[str, ...] = ()
    stopped: bool = False
    opened: Books = field(default_factory=Books)


# ------------------------------------------------------------------------------------------------ statements


def open_phase(ctx: LedgerContext, books: Books, s: sl.DayStart) -> JudgedStatement:
    """`turn`: the phase before it is over, a new turn begins, and the clocks go on."""
    bench = Bench(ctx, books, s.line)
    days = ctx.game.game.days
    year = days.first.year if days else date.today().year
    before = books.now
    now = Moment(_date(year, s), ctx.parts.index(s.part), s.phase, s.number, s.side, s.line)
    if before is not None:
        frail.owed(bench, before)
    else:
        guns.begin(bench)
    if before is not None and now.turn < before.turn:
        bench.breaks("day-back", date=_told(ctx, now), before=_told(ctx, before))
    else:
        port.tick(bench, before, now)
    if before is None or now.turn != before.turn:
        facts = {key: fact for key, fact in bench.books.facts.items() if fact.lasting}
        clean = replace(bench.books, facts=facts, left=frozenset(), supplied={}, checked=frozenset())
        bench.books = clean
    bench.books = replace(bench.books, now=now, first=books.first or now)
    return bench.judged


def _date(year: int, s: sl.DayStart) -> date:
    """The day that a line names; the last of February in a year that has one less."""
    try:
        return date(year, s.month, s.day)
    except ValueError:
        return date(year, s.month, s.day - 1)


def _told(ctx: LedgerContext, moment: Moment) -> tuple[str | Term, ...]:
    return (moment.date.isoformat(), Term("turns", ctx.parts[moment.part]))


def state_fact(ctx: LedgerContext, books: Books, s: sl.Fact) -> JudgedStatement:
    """`fact`: it holds until the turn is over, or from before the first turn on until another is stated."""
    stated = Stated("no" if s.value == "none" else s.value, s.line, lasting=books.first is None)
    if (s.name, s.of) in books.facts or len(books.facts) < MAX_KEPT:
        books = replace(books, facts={**books.facts, (s.name, s.of): stated})
    first = cut_off.fact_of_line(ctx, books, s)
    second = port.presence(ctx, first.books, s)
    return replace(second, effects=(*first.effects, *second.effects))


def place(ctx: LedgerContext, books: Books, s: sl.Place) -> JudgedStatement:
    """`place`: by the rule for what is placed."""
    if groups.is_group(ctx, s.unit):
        return groups.place(ctx, books, s)
    if guns.is_hidden(ctx, s.unit):
        return guns.conceal(ctx, books, s)
    return _unjudged(ctx, books.put(s.unit, where="map", hex=s.hex), s)


def choose(ctx: LedgerContext, books: Books, s: sl.Choose) -> JudgedStatement:
    """`choose`: by the rule for who it is."""
    if guns.is_hidden(ctx, s.unit):
        return guns.choose(ctx, books, s)
    if landing.speaks_of(ctx, s.unit):
        return landing.choose(ctx, books, s)
    return _unjudged(ctx, books, s)


def destroy(ctx: LedgerContext, books: Books, s: sl.Destroy) -> JudgedStatement:
    """`eliminate`: markers that come back go to their pool, whatever lies with a headquarters as well."""
    bench = Bench(ctx, books, s.line)
    for unit in s.units:
        if bench.books.state(unit).where == "eliminated":
            bench.breaks("gone", units=(unit,), unit=unit)
            continue
        carriers.lost_with(bench, unit)
        if carriers.is_carrier(ctx, unit):
            bench.books = bench.books.put(unit, where="pool", hex="", under="")
            bench.follows("pool", True, unit)
        else:
            guns.lose(bench, unit)
    return bench.judged


def _unjudged(ctx: LedgerContext, books: Books, s: st.Statement) -> JudgedStatement:
    bench = Bench(ctx, books, s.line)
    bench.leaves()
    return bench.judged


RULES: Mapping[type[st.Statement], Rule] = {
    sl.DayStart: open_phase,
    sl.Fact: state_fact,
    st.Placement: opening.placed,
    sl.TrackLevel: opening.level,
    sl.Stock: opening.stock,
    sl.Truck: carriers.receive,
    sl.Go: marching.move,
    sl.Attach: carriers.attach,
    sl.Bonus: carriers.bonus,
    sl.Supply: cut_off.supply,
    sl.Replace: cut_off.replacement,
    sl.Rebuild: groups.rebuild,
    sl.Record: cut_off.enter,
    sl.Alert: alert.alert,
    sl.Place: place,
    sl.Demolish: port.demolish,
    sl.Capture: port.capture,
    sl.Repair: port.repair,
    sl.Forced: guns.forced,
    sl.Fire: guns.fire,
    sl.Choose: choose,
    sl.Land: landing.land,
    sl.Throw: landing.throw,
    sl.Isolate: frail.isolate,
    sl.Suffer: frail.suffer,
    sl.Break: frail.break_down,
    sl.Destroy: destroy,
    sl.Points: port.score,
}


def given(ctx: LedgerContext, books: Books, s: st.Statement) -> JudgedStatement:
    """What stands above the first turn is taken as it is, but for hidden markers and what may be chosen."""
    if isinstance(s, sl.Points) and not any(p.side == side for p in books.scored for side, _ in s.totals):
        return opening.scored(ctx, books, s)
    if isinstance(s, sl.Capture):
        return opening.captured(ctx, books, s)
    judged: JudgedStatement = RULES[type(s)](ctx, books, s)
    return JudgedStatement(judged.books) if isinstance(s, st.Given) else judged


# --------------------------------------------------------------------------------------------------- replay


def steps(ctx: LedgerContext, books: Books, sheet: st.Sheet) -> Iterator[JudgedStatement]:
    """The replay statement by statement, and what the end of the sheet leaves undone."""
    judged = JudgedStatement(books)
    for s in sheet.statements:
        rule = RULES.get(type(s))
        if rule is not None:
            judged = rule(ctx, judged.books, s) if judged.books.first else given(ctx, judged.books, s)
            yield judged
    if judged.books.now is not None:
        bench = Bench(ctx, judged.books, judged.books.now.line)
        frail.owed(bench, judged.books.now)
        yield bench.judged


def replay(
    game: Extension,
    sheet: st.Sheet,
    *,
    options: Mapping[str, str] | None = None,
    strict: bool = False,
    waivers: Iterable[Waiver] = (),
    before: LedgerJudgement | None = None,
) -> LedgerJudgement:
    """Judge a whole sheet. `options` overrule the sheet's; `strict` stops at the first illegal statement.

    `waivers` are those that come from elsewhere than the sheet; `before` is the one that it goes on from.
    """
    in_force = by_line((*waivers, *waivers_of(sheet)))
    ctx, books, found = opening.open_books(
        game, sheet, options or {}, (before.ctx, before.books) if before else None
    )
    opened = books
    findings = waive(found, in_force)
    effects: list[Effect] = []
    facts: dict[int, frozenset[int]] = {}
    unjudged: dict[str, None] = {}
    stopped = False
    lines = iter(s.line for s in sheet.statements if type(s) in RULES)
    for judged in steps(ctx, books, sheet):
        line = next(lines, books.now.line if books.now else 0)
        books = judged.books
        told = waive(judged.findings, in_force)
        findings += told
        effects += judged.effects
        unjudged |= dict.fromkeys(judged.unjudged)
        if judged.facts:
            facts[line] = facts.get(line, frozenset()) | judged.facts
        if strict and any(f.severity == "illegal" for f in told):
            stopped = True
            break
    if not stopped:
        findings += _idle(ctx, sheet, facts)
    if max(len(books.states), len(books.facts)) >= MAX_KEPT:
        last = max(1, len(sheet.lines))
        doubts = (doubt("kept"),)
        findings.append(ctx.found(last, "kept-many", severity="doubtful", doubts=doubts, count=MAX_KEPT))
    return LedgerJudgement(ctx, books, tuple(findings), tuple(effects), facts, tuple(unjudged), stopped, opened)


def _idle(ctx: LedgerContext, sheet: st.Sheet, facts: Mapping[int, frozenset[int]]) -> Iterator[Finding]:
    """Facts that no judgement has looked at."""
    used = frozenset().union(*facts.values()) if facts else frozenset()
    for s in sheet.statements:
        if isinstance(s, sl.Fact) and s.line not in used:
            yield ctx.found(s.line, "fact-idle", severity="info")
