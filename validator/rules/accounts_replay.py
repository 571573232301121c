"""Replay a sheet of accounts: every statement is judged, and then entered as it was told.

Every account as the books have it, for reports and scripts.

What the accounts leave to do: clocks that run, dice to be thrown, steps that are owed, what may be paid for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from ...scenarios.model import Extension
from ...scenarios.text.words import Message, Param, Term, Words, message
from ..notation import base, statements, statements_accounts, statements_head
from . import accounts_carriers, accounts_cut_off, accounts_guns, accounts_opening, accounts_port
from .accounts_books import MAX_KEPT, Bench, Books, Effect, JudgedStatement, LedgerContext, Moment, Stated
from .accounts_port import HELD, is_past, sent, spaces, yields
from .findings import Finding, doubt
from .rulings import Waiver, by_line, waive, waivers_of

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


def open_phase(ctx: LedgerContext, books: Books, s: statements_accounts.DayStart) -> JudgedStatement:
    """`turn`: the phase before it is over, a new turn begins, and the clocks go on."""
    bench = Bench(ctx, books, s.line)
    days = ctx.game.game.days
    year = days.first.year if days else date.today().year
    before = books.now
    now = Moment(_date(year, s), ctx.parts.index(s.part), s.phase, s.number, s.side, s.line)
    if before is not None:
        accounts_cut_off.owed(bench, before)
    else:
        accounts_guns.begin(bench)
    if before is not None and now.turn < before.turn:
        bench.breaks("day-back", date=_told(ctx, now), before=_told(ctx, before))
    else:
        accounts_port.tick(bench, before, now)
    if before is None or now.turn != before.turn:
        facts = {key: fact for key, fact in bench.books.facts.items() if fact.lasting}
        clean = replace(bench.books, facts=facts, left=frozenset(), supplied={}, checked=frozenset())
        bench.books = clean
    bench.books = replace(bench.books, now=now, first=books.first or now)
    return bench.judged


def _date(year: int, s: statements_accounts.DayStart) -> date:
    """The day that a line names; the last of February in a year that has one less."""
    try:
        return date(year, s.month, s.day)
    except ValueError:
        return date(year, s.month, s.day - 1)


def _told(ctx: LedgerContext, moment: Moment) -> tuple[str | Term, ...]:
    return (moment.date.isoformat(), Term("turns", ctx.parts[moment.part]))


def state_fact(ctx: LedgerContext, books: Books, s: statements_accounts.Fact) -> JudgedStatement:
    """`fact`: it holds until the turn is over, or from before the first turn on until another is stated."""
    stated = Stated("no" if s.value == "none" else s.value, s.line, lasting=books.first is None)
    if (s.name, s.of) in books.facts or len(books.facts) < MAX_KEPT:
        books = replace(books, facts={**books.facts, (s.name, s.of): stated})
    first = accounts_cut_off.fact_of_line(ctx, books, s)
    second = accounts_port.presence(ctx, first.books, s)
    return replace(second, effects=(*first.effects, *second.effects))


def place(ctx: LedgerContext, books: Books, s: statements_accounts.Place) -> JudgedStatement:
    """`place`: by the rule for what is placed."""
    if accounts_carriers.is_group(ctx, s.unit):
        return accounts_carriers.place(ctx, books, s)
    if accounts_guns.is_hidden(ctx, s.unit):
        return accounts_guns.conceal(ctx, books, s)
    return _unjudged(ctx, books.put(s.unit, where="map", hex=s.hex), s)


def choose(ctx: LedgerContext, books: Books, s: statements_accounts.Choose) -> JudgedStatement:
    """`choose`: by the rule for who it is."""
    if accounts_guns.is_hidden(ctx, s.unit):
        return accounts_guns.choose(ctx, books, s)
    if accounts_port.speaks_of(ctx, s.unit):
        return accounts_port.choose(ctx, books, s)
    return _unjudged(ctx, books, s)


def destroy(ctx: LedgerContext, books: Books, s: statements_accounts.Destroy) -> JudgedStatement:
    """`eliminate`: markers that come back go to their pool, whatever lies with a headquarters as well."""
    bench = Bench(ctx, books, s.line)
    for unit in s.units:
        if bench.books.state(unit).where == "eliminated":
            bench.breaks("gone", units=(unit,), unit=unit)
            continue
        accounts_carriers.lost_with(bench, unit)
        if accounts_carriers.is_carrier(ctx, unit):
            bench.books = bench.books.put(unit, where="pool", hex="", under="")
            bench.follows("pool", True, unit)
        else:
            accounts_guns.lose(bench, unit)
    return bench.judged


def _unjudged(ctx: LedgerContext, books: Books, s: base.Statement) -> JudgedStatement:
    bench = Bench(ctx, books, s.line)
    bench.leaves()
    return bench.judged


RULES: Mapping[type[base.Statement], Rule] = {
    statements_accounts.DayStart: open_phase,
    statements_accounts.Fact: state_fact,
    statements_head.Placement: accounts_opening.placed,
    statements_accounts.TrackLevel: accounts_opening.level,
    statements_accounts.Stock: accounts_opening.stock,
    statements_accounts.Truck: accounts_carriers.receive,
    statements_accounts.Go: accounts_guns.move,
    statements_accounts.Attach: accounts_carriers.attach,
    statements_accounts.Bonus: accounts_carriers.bonus,
    statements_accounts.Supply: accounts_cut_off.supply,
    statements_accounts.Replace: accounts_cut_off.replacement,
    statements_accounts.Rebuild: accounts_carriers.rebuild,
    statements_accounts.Record: accounts_cut_off.enter,
    statements_accounts.Alert: accounts_guns.alert,
    statements_accounts.Place: place,
    statements_accounts.Demolish: accounts_port.demolish,
    statements_accounts.Capture: accounts_port.capture,
    statements_accounts.Repair: accounts_port.repair,
    statements_accounts.Forced: accounts_guns.forced,
    statements_accounts.Fire: accounts_guns.fire,
    statements_accounts.Choose: choose,
    statements_accounts.Land: accounts_port.land,
    statements_accounts.Throw: accounts_port.throw,
    statements_accounts.Isolate: accounts_cut_off.isolate,
    statements_accounts.Suffer: accounts_cut_off.suffer,
    statements_accounts.Break: accounts_cut_off.break_down,
    statements_accounts.Destroy: destroy,
    statements_accounts.Points: accounts_port.score,
}


def given(ctx: LedgerContext, books: Books, s: base.Statement) -> JudgedStatement:
    """What stands above the first turn is taken as it is, but for hidden markers and what may be chosen."""
    if isinstance(s, statements_accounts.Points) and not any(
        p.side == side for p in books.scored for side, _ in s.totals
    ):
        return accounts_opening.scored(ctx, books, s)
    if isinstance(s, statements_accounts.Capture):
        return accounts_opening.captured(ctx, books, s)
    judged: JudgedStatement = RULES[type(s)](ctx, books, s)
    return JudgedStatement(judged.books) if isinstance(s, base.Given) else judged


# --------------------------------------------------------------------------------------------------- replay


def steps(ctx: LedgerContext, books: Books, sheet: statements.Sheet) -> Iterator[JudgedStatement]:
    """The replay statement by statement, and what the end of the sheet leaves undone."""
    judged = JudgedStatement(books)
    for s in sheet.statements:
        rule = RULES.get(type(s))
        if rule is not None:
            judged = rule(ctx, judged.books, s) if judged.books.first else given(ctx, judged.books, s)
            yield judged
    if judged.books.now is not None:
        bench = Bench(ctx, judged.books, judged.books.now.line)
        accounts_cut_off.owed(bench, judged.books.now)
        yield bench.judged


def replay(
    game: Extension,
    sheet: statements.Sheet,
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
    ctx, books, found = accounts_opening.open_books(
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


def _idle(ctx: LedgerContext, sheet: statements.Sheet, facts: Mapping[int, frozenset[int]]) -> Iterator[Finding]:
    """Facts that no judgement has looked at."""
    used = frozenset().union(*facts.values()) if facts else frozenset()
    for s in sheet.statements:
        if isinstance(s, statements_accounts.Fact) and s.line not in used:
            yield ctx.found(s.line, "fact-idle", severity="info")


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account in words: what it is of, and how it stands."""

    what: Param
    told: Message


@dataclass(frozen=True)
class Accounts:
    """What an answer shows of a replay besides its findings: accounts, what followed, facts, what is not judged."""

    judgement: LedgerJudgement

    @property
    def facts(self) -> tuple[int, ...]:
        """The lines of the facts that the judgement rests on."""
        return tuple(sorted(frozenset().union(*self.judgement.facts.values()))) if self.judgement.facts else ()

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What followed from lines."""
        return self.judgement.effects

    @property
    def unjudged(self) -> tuple[Term, ...]:
        """What the lines rest on that is in no text here."""
        return tuple(Term("unjudged", id_) for id_ in self.judgement.unjudged)

    @property
    def score(self) -> dict[str, int]:
        """Victory points by side."""
        return {side: self.judgement.books.total(side) for side in self.judgement.ctx.sides}

    def rows(self) -> Iterator[AccountRow]:
        """The accounts that the game has, one a row."""
        ctx, books = self.judgement.ctx, self.judgement.books
        yield from _markers(ctx, books)
        yield from _records(ctx, books)
        yield from _port(ctx, books)
        for s in books.scored:
            day = s.on.isoformat() if s.on else "–"
            told = message("report.accounts.scored", points=s.points, what=s.what, date=day, line=s.line)
            yield AccountRow(Term("sides", s.side), told)

    def as_json(self, words: Words) -> dict[str, Any]:
        """All of it for scripts: the keys `accounts`, `effects`, `facts` and `unjudged` of an answer."""
        ctx, books, judgement = self.judgement.ctx, self.judgement.books, self.judgement
        by_fact = {
            fact: sorted(line for line, used in judgement.facts.items() if fact in used) for fact in self.facts
        }
        return {
            "accounts": {
                "markers": dict(_markers_json(ctx, books)),
                "record": _record_json(ctx, books),
                "port": _port_json(ctx, books),
                "supply_points": {"stock": books.stock, "spent": books.spent, "earned": books.income},
                "victory_points": [
                    {
                        "line": s.line,
                        "date": s.on.isoformat() if s.on else None,
                        "side": s.side,
                        "points": s.points,
                        "rule": ctx.game.citation(s.section),
                        "what": words.say(s.what),
                    }
                    for s in books.scored
                ],
                "pieces": {id_: _state_json(books, id_) for id_ in sorted(books.states)},
            },
            "effects": [effect.as_json() for effect in judgement.effects],
            "facts": [{"line": fact, "used_by": lines} for fact, lines in by_fact.items()],
            "unjudged": [words.value(term) for term in self.unjudged],
        }


def _kinds(ctx: LedgerContext) -> Iterator[str]:
    rules = ctx.rules
    if rules.carriers:
        yield rules.carriers.kind
    if rules.battle_groups:
        yield rules.battle_groups.kind
    if rules.frail and rules.frail.companies and ctx.option(rules.frail.companies.option) == "yes":
        yield rules.frail.companies.marker


def _markers_json(ctx: LedgerContext, books: Books) -> Iterator[tuple[str, dict[str, int | None]]]:
    for kind in _kinds(ctx):
        count, used = ctx.count(kind), ctx.used_up(books, kind)
        there = ctx.on_map(books, kind)
        left = None if count is None else max(0, count - used)
        yield kind, {"on_map": there, "eliminated": used - there, "pool": left, "count": count}


def _markers(ctx: LedgerContext, books: Books) -> Iterator[AccountRow]:
    for kind, found in _markers_json(ctx, books):
        key = "report.accounts.markers" if found["count"] is not None else "report.accounts.markers-uncounted"
        yield AccountRow(Term("pieces", kind), message(key, **{k: v for k, v in found.items() if v is not None}))


def _record_json(ctx: LedgerContext, books: Books) -> dict[str, int | bool | None]:
    record = books.record
    left = None if record.points is None else record.points - record.used
    return {"open": record.open, "lost": record.lost, "points": record.points, "used": record.used, "left": left}


def _records(ctx: LedgerContext, books: Books) -> Iterator[AccountRow]:
    if ctx.rules.cut_off is None:
        return
    record = books.record
    state = message("report.accounts.open" if record.open else "report.accounts.closed")
    points: Param = message("report.accounts.unsaid") if record.points is None else record.points
    told = message("report.accounts.record", state=state, lost=record.lost, points=points, used=record.used)
    yield AccountRow(message("report.accounts.record-name"), told)


def _port_json(ctx: LedgerContext, books: Books) -> dict[str, int | bool | None]:
    rule, port = ctx.rules.port, books.port
    income = rule.repair.income if rule and yields(port, rule) else 0
    return {
        "level": port.level,
        "begun": port.level is not None,
        "captured": port.captured,
        "held": port.held,
        "income": income,
    }


def _port(ctx: LedgerContext, books: Books) -> Iterator[AccountRow]:
    rule, found = ctx.rules.port, _port_json(ctx, books)
    if rule is None:
        return
    level: Param = message("report.accounts.not-begun") if books.port.level is None else books.port.level
    taken = "held" if found["held"] else "lost-again" if found["captured"] else "not-captured"
    told = message("report.accounts.port", level=level, taken=message(f"report.accounts.{taken}"))
    yield AccountRow(Term("cities", rule.city), told)
    stock: Param = message("report.accounts.unsaid") if books.stock is None else books.stock
    values = {"stock": stock, "spent": books.spent, "earned": books.income, "income": int(found["income"] or 0)}
    yield AccountRow(message("report.accounts.points-name"), message("report.accounts.points", **values))


def _state_json(books: Books, id_: str) -> dict[str, Any]:
    state = books.states[id_]
    found: dict[str, Any] = {"where": state.where or "unknown", "hex": state.hex or None}
    if state.under:
        found["under"] = state.under
    if state.steps is not None:
        found["steps"] = state.steps
    return found | ({"lost": state.lost} if state.lost else {})


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
    return (*_owed(ctx, books), *_landing(ctx, books), *_duties_port(ctx, books), *_record(ctx, books))


def _due(what: str, of: str, value: int | str, **values: Param) -> LedgerDuty:
    return LedgerDuty(what, of, value, message(f"validator.duty.{what}", **values))


def _owed(ctx: LedgerContext, books: Books) -> Iterator[LedgerDuty]:
    """Steps that isolation costs in the turn that is being played."""
    rule, now = ctx.rules.frail, books.now
    if rule is None or now is None or ctx.parts[now.part] not in rule.when.parts:
        return
    for unit in accounts_cut_off.isolated(ctx, books):
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


def _duties_port(ctx: LedgerContext, books: Books) -> Iterator[LedgerDuty]:
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
