"""Battalions that leave no companies, and lose steps while they are isolated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hexforge.scenarios.schema.ledger import Frail
from hexforge.scenarios.words import Term
from hexforge.validator.readers.notation import statements_ledger as sl
from hexforge.validator.referee.ledger import carriers, cut_off
from hexforge.validator.referee.ledger.bench import Bench, JudgedStatement
from hexforge.validator.referee.ledger.books import Books, Moment
from hexforge.validator.referee.ledger.context import LedgerContext


def is_frail(ctx: LedgerContext, id_: str) -> bool:
    """Whether a piece is one of these battalions."""
    piece, rule = ctx.piece(id_), ctx.rules.frail
    return rule is not None and piece is not None and piece.kind in rule.kinds


def isolate(ctx: LedgerContext, books: Books, s: sl.Isolate) -> JudgedStatement:
    """`isolate`: what the want of any line of supply costs at the end of a turn."""
    rule = ctx.rules.frail
    bench = Bench(ctx, books, s.line, rule)
    piece = bench.piece(s.unit)
    if rule is None or piece is None:
        return bench.judged
    if piece.kind not in rule.kinds:
        bench.breaks("not-of-kind", units=(s.unit,), unit=s.unit, kind=Term("pieces", rule.kinds[0]))
        return bench.judged
    computed = _owed(bench, rule, s)
    if s.unit in books.checked and computed:
        bench.breaks("isolated-twice", units=(s.unit,), unit=s.unit)
        computed = 0
    if s.steps is not None and computed is not None and s.steps != computed:
        bench.breaks("isolation", units=(s.unit,), unit=s.unit, declared=s.steps, computed=computed)
    lost = computed if s.steps is None else s.steps
    bench.books = replace(bench.books, checked=books.checked | {s.unit})
    if computed is not None:
        bench.follows("steps_lost", computed, s.unit)
    reduce(bench, s.unit, lost or 0)
    return bench.judged


def _owed(bench: Bench, rule: Frail, s: sl.Isolate) -> int | None:
    """Steps that isolation costs now; None where nobody says whether the unit is isolated."""
    now = bench.books.now
    if now is None:
        bench.breaks("no-phase", what=Term("acts", "isolate"))
        return 0
    if bench.ctx.parts[now.part] not in rule.when.parts:
        return 0
    supplied = bench.holds("supply", s.unit)
    if supplied is None:
        return None
    if not supplied and now.phase not in rule.when.phases:
        bench.fits(rule.when, Term("acts", "isolate"))
    return 0 if supplied else rule.steps


def reduce(bench: Bench, unit: str, steps: int) -> None:
    """Steps are lost; a unit without any left is eliminated."""
    if not steps:
        return
    state = bench.books.state(unit)
    piece = bench.ctx.piece(unit)
    has = state.steps if state.steps is not None else piece.steps if piece else None
    left = None if has is None else max(0, has - steps)
    changes: dict[str, Any] = {"steps": left, "lost": state.lost + steps}
    if has is not None and steps > has:
        bench.breaks("too-many-steps", units=(unit,), unit=unit, declared=steps, computed=has)
    bench.books = bench.books.put(unit, **changes)
    cut_off.note_loss(bench, unit, steps)
    if left == 0:
        carriers.lost_with(bench, unit)
        bench.books = bench.books.put(unit, where="eliminated", hex="")
        bench.follows("eliminated", True, unit)


def suffer(ctx: LedgerContext, books: Books, s: sl.Suffer) -> JudgedStatement:
    """`lose`: steps, and perhaps a company left behind, which these battalions leave none of."""
    bench = Bench(ctx, books, s.line, ctx.rules.frail)
    if books.state(s.unit).where == "eliminated":
        bench.breaks("gone", units=(s.unit,), unit=s.unit)
    steps = 1 if s.steps is None else s.steps
    reduce(bench, s.unit, steps)
    bench.follows("steps_lost", steps, s.unit)
    if s.company:
        _company(bench, s.unit, s.company)
    return bench.judged


def break_down(ctx: LedgerContext, books: Books, s: sl.Break) -> JudgedStatement:
    """`break`: a battalion is broken down to a company."""
    bench = Bench(ctx, books, s.line, ctx.rules.frail)
    if books.state(s.unit).where == "eliminated":
        bench.breaks("gone", units=(s.unit,), unit=s.unit)
    _company(bench, s.unit, s.company)
    return bench.judged


def _company(bench: Bench, unit: str, company: str) -> None:
    """A company: of these battalions none, or by the markers of their own, which are for no others."""
    rule, piece = bench.ctx.rules.frail, bench.piece(unit)
    if rule is None or piece is None:
        return
    companies = rule.companies
    special = bench.ctx.piece(company) if company else None
    own = companies is not None and special is not None and special.kind == companies.marker
    if piece.kind not in rule.kinds:
        if own and companies is not None:
            bench.by(companies)
            bench.breaks("others-marker", units=(unit, company), unit=unit, company=company)
        else:
            bench.leaves(units=(unit,))
        return
    if companies is None or bench.ctx.option(companies.option) != "yes":
        bench.breaks("no-company", units=(unit,), unit=unit)
        return
    bench.by(companies)
    if not own:
        bench.breaks("special-marker", units=(unit,), unit=unit, kind=Term("pieces", companies.marker))
    elif bench.books.state(company).where == "map":
        bench.breaks("on-map-already", units=(company,), unit=company)
    else:
        bench.taken(companies.marker, company)
    if company:
        bench.books = bench.books.put(company, where="map", hex=bench.books.state(unit).hex)
        bench.follows("on_map", bench.ctx.on_map(bench.books, companies.marker), companies.marker)


def owed(bench: Bench, moment: Moment) -> None:
    """The phase ends: who is isolated, as stated, and has not been judged yet owes a step."""
    rule = bench.ctx.rules.frail
    if rule is None or bench.ctx.partial or moment.phase not in rule.when.phases:
        return
    if bench.ctx.parts[moment.part] not in rule.when.parts:
        return
    for unit in isolated(bench.ctx, bench.books):
        bench.by(rule)
        bench.fact("supply", unit)
        bench.breaks("isolation-owed", units=(unit,), unit=unit, computed=rule.steps)


def isolated(ctx: LedgerContext, books: Books) -> Iterator[str]:
    """Battalions that are isolated, as stated, and have not been judged for it in this turn."""
    for (name, of), stated in books.facts.items():
        unit = of[0] if len(of) == 1 else ""
        if name != "supply" or stated.value not in ("no", "0") or not is_frail(ctx, unit):
            continue
        if unit not in books.checked and books.state(unit).where != "eliminated":
            yield unit
