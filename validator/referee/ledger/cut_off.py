"""Supply and replacements of a part of the map that may be cut off from the edges that supply comes from."""

from __future__ import annotations

from dataclasses import replace

from hexforge.scenarios.hexgrid import EDGES
from hexforge.scenarios.schema.ledger import CutOff
from hexforge.scenarios.words import Term, message
from hexforge.validator.readers.notation import statements_ledger as sl
from hexforge.validator.referee.ledger import groups
from hexforge.validator.referee.ledger.bench import Bench, JudgedStatement
from hexforge.validator.referee.ledger.books import Books, Stated
from hexforge.validator.referee.ledger.context import LedgerContext

_INSIDE = Stated("yes", 0)


def reached(bench: Bench, rule: CutOff, unit: str = "") -> bool | None:
    """Whether a line of supply leads to any of the edges, a unit's own or one for all; None where nobody says."""
    lacking = []
    if unit and bench.books.facts.get(("area", (unit,)), _INSIDE).value in ("no", "0"):
        bench.fact("area", unit)
        return _reached_alone(bench, rule, unit)
    for edge in rule.edges:
        keys = (("line", (unit, edge)), ("line", (edge,))) if unit else (("line", (edge,)),)
        key = next((key for key in keys if key in bench.books.facts), None)
        value = bench.fact(key[0], *key[1]) if key else None
        if value not in (None, "no"):
            return True
        if value is None:
            lacking.append(edge)
    for edge in lacking:
        bench.needs("line", edge)
    return None if lacking else False


def _reached_alone(bench: Bench, rule: CutOff, unit: str) -> bool | None:
    """As `reached`, of a unit outside: what holds of the part that is cut off says nothing of it."""
    values = [bench.fact("line", unit, edge) for edge in rule.edges]
    return not (values and all(value in ("no", "0") for value in values))


def fact_of_line(ctx: LedgerContext, books: Books, s: sl.Fact) -> JudgedStatement:
    """What a fact on a line to an edge does to the record: it is open while the part is cut off."""
    bench = Bench(ctx, books, s.line, ctx.rules.cut_off)
    rule = ctx.rules.cut_off
    if rule is None or s.name != "line" or len(s.of) != 1:
        return bench.judged
    values = [bench.fact("line", edge) for edge in rule.edges]
    cut = all(value == "no" for value in values)
    opened = any(value not in (None, "no") for value in values)
    if (cut and not books.record.open) or (opened and books.record.open):
        bench.books = replace(books, record=replace(books.record, open=cut))
        bench.follows("record_open", cut)
        return bench.judged
    return JudgedStatement(books)


def supply(ctx: LedgerContext, books: Books, s: sl.Supply) -> JudgedStatement:
    """`supply`: units trace to an edge, to a hex of the city, or to a headquarters."""
    if s.source not in EDGES and not _is_hex(s.source):
        return groups.supply(ctx, books, s)
    rule = ctx.rules.cut_off
    bench = Bench(ctx, books, s.line, rule)
    if rule is None:
        bench.leaves()
        return bench.judged
    for unit in s.units:
        piece = ctx.piece(unit)
        if piece is not None and piece.side != rule.side:
            bench.breaks("other-side", units=(unit,), unit=unit, side=Term("sides", rule.side))
    if s.source in EDGES:
        _from_edge(bench, s)
    elif bench.holds("city", s.source):
        bench.follows("source", True, s.source)
    elif bench.fact("city", s.source):
        bench.leaves("other-source", hexes=(s.source,), hex=s.source)
    return bench.judged


def _is_hex(text: str) -> bool:
    return text[-4:].isdigit() and len(text) <= 5


def _from_edge(bench: Bench, s: sl.Supply) -> None:
    for unit in s.units:
        value = bench.fact("line", unit, s.source) or bench.needs("line", s.source)
        if value == "no":
            bench.breaks("no-line", units=(unit,), unit=unit, edge=Term("edges", s.source))
        elif value:
            bench.follows("supplied", True, unit)


def replacement(ctx: LedgerContext, books: Books, s: sl.Replace) -> JudgedStatement:
    """`replace`: steps come back from the turn's points or from the record's, perhaps by a headquarters."""
    rule = ctx.rules.cut_off
    bench = Bench(ctx, books, s.line, rule)
    steps = 1 if s.steps is None else s.steps
    if s.by:
        groups.serves(bench, s.by)
    piece = ctx.piece(s.unit)
    if rule is not None and piece is not None and piece.side != rule.side and (s.account or not s.by):
        bench.leaves(units=(s.unit,))
    elif rule is not None and (s.account or not s.by):
        bench.by(rule)
        if s.account == "record":
            _from_record(bench, rule, s.unit, steps)
        elif reached(bench, rule, s.unit) is False:
            bench.breaks("cut-off", units=(s.unit,), unit=s.unit, edges=tuple(Term("edges", e) for e in rule.edges))
    state = books.state(s.unit)
    if state.where == "eliminated":
        bench.breaks("gone", units=(s.unit,), unit=s.unit)
    bench.books = bench.books.put(
        s.unit, steps=None if state.steps is None else state.steps + steps, lost=max(0, state.lost - steps)
    )
    bench.follows("steps_replaced", steps, s.unit)
    return bench.judged


def _from_record(bench: Bench, rule: CutOff, unit: str, steps: int) -> None:
    there = reached(bench, rule, unit)
    if there:
        bench.breaks("record-closed", units=(unit,), unit=unit)
    if bench.holds("area", unit) is False:
        bench.breaks("outside", units=(unit,), unit=unit)
    record = bench.books.record
    left = None if record.points is None else record.points - record.used
    if left is not None and steps > left:
        bench.breaks("record-short", units=(unit,), declared=steps, computed=left)
    bench.books = replace(bench.books, record=replace(record, used=record.used + steps))


def enter(ctx: LedgerContext, books: Books, s: sl.Record) -> JudgedStatement:
    """`record`: replacement points are entered on the record, which is in use only while the part is cut off."""
    rule = ctx.rules.cut_off
    bench = Bench(ctx, books, s.line, rule)
    if rule is None:
        return bench.judged
    if reached(bench, rule):
        bench.breaks("record-closed", unit=message("findings.ledger.record"))
    record = books.record
    bench.books = replace(bench.books, record=replace(record, points=(record.points or 0) + s.points))
    bench.follows("record_points", (record.points or 0) + s.points)
    return bench.judged


def note_end(bench: Bench, unit: str) -> None:
    """A unit is eliminated at once: the steps that it still had are lost."""
    piece, state = bench.ctx.piece(unit), bench.books.state(unit)
    steps = state.steps if state.steps is not None else piece.steps if piece is not None else None
    if steps:
        note_loss(bench, unit, steps)
    elif steps is None and _recorded(bench, unit):
        bench.notes("steps-untold", "warning", section=_section(bench), units=(unit,), unit=unit)


def _section(bench: Bench) -> str:
    rule = bench.ctx.rules.cut_off
    return rule.section if rule is not None else ""


def _recorded(bench: Bench, unit: str) -> bool:
    """Whether losses of a unit are entered on the record: it is one of the side's, inside while that is cut off."""
    rule, piece = bench.ctx.rules.cut_off, bench.ctx.piece(unit)
    if rule is None or not bench.books.record.open or (piece is not None and piece.side != rule.side):
        return False
    return bench.fact("area", unit) not in (None, "no")


def note_loss(bench: Bench, unit: str, steps: int) -> None:
    """Steps lost inside are entered on the record while it is open."""
    books = bench.books
    if not _recorded(bench, unit):
        return
    bench.books = replace(books, record=replace(books.record, lost=books.record.lost + steps))
    section, bench.section = bench.section, _section(bench)
    bench.follows("record_lost", bench.books.record.lost)
    bench.section = section
