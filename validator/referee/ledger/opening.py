"""The books before the first turn, and what the sheet says of itself: pieces, counts, options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hexforge.scenarios.extended import Extension
from hexforge.scenarios.words import Term, message
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation import statements_ledger as sl
from hexforge.validator.referee.findings import Finding
from hexforge.validator.referee.ledger import port
from hexforge.validator.referee.ledger.bench import Bench, JudgedStatement
from hexforge.validator.referee.ledger.books import BookedPiece, BookedPoints, Books, State
from hexforge.validator.referee.ledger.context import LedgerContext
from hexforge.validator.referee.opening import options_in_force


def open_books(
    game: Extension,
    sheet: st.Sheet,
    options: Mapping[str, str],
    before: tuple[LedgerContext, Books] | None = None,
) -> tuple[LedgerContext, Books, list[Finding]]:
    """Context and first books of a sheet, with findings on whatever in its head cannot be.

    They are empty, but for what was so at the end of the one before it. Raises ValueError for an extension without
    rules to judge by.
    """
    if game.ledger is None:
        raise ValueError(game.name)
    values, bad = options_in_force(game, sheet.statements, options)
    refused = {line for line, _, _ in bad}
    set_here = {s.name for s in sheet.statements if isinstance(s, st.OptionSetting) and s.line not in refused}
    pieces = {s.unit: _piece(s) for s in sheet.statements if isinstance(s, sl.Piece)}
    counts = {s.kind: s.count for s in sheet.statements if isinstance(s, sl.MarkerCount)}
    ctx = LedgerContext(
        game=game,
        rules=game.ledger,
        pieces=pieces,
        options=values,
        chosen=frozenset({*set_here, *options}),
        counts=counts,
        partial=any(isinstance(s, st.Partial) for s in sheet.statements),
    )
    findings = [ctx.found(line, "unknown-option", declared=v, name=name, value=v) for line, name, v in bad]
    findings += _sides(ctx, sheet)
    states = {id_: State(steps=piece.steps) for id_, piece in pieces.items()}
    if before is None:
        return ctx, Books(states=states), findings
    return *_gone_on(ctx, states, *before), findings


def _sides(ctx: LedgerContext, sheet: st.Sheet) -> Iterator[Finding]:
    """Units that are called what only the other side has."""
    for s in sheet.statements:
        if isinstance(s, sl.Piece):
            side = ctx.rules.pieces[s.kind].side
            if side not in (None, s.side):
                yield ctx.found(s.line, "other-side", units=(s.unit,), unit=s.unit, side=Term("sides", side))


def _gone_on(
    ctx: LedgerContext, states: Mapping[str, State], then: LedgerContext, books: Books
) -> tuple[LedgerContext, Books]:
    """What a sheet begins with that goes on from another. Facts are stated anew: their lines are there."""
    settled = {name: then.options[name] for name in then.chosen - ctx.chosen}
    ctx = replace(
        ctx,
        pieces={**then.pieces, **ctx.pieces},
        options={**ctx.options, **settled},
        chosen=ctx.chosen | then.chosen,
        counts={**then.counts, **ctx.counts},
    )
    return ctx, replace(books, states={**states, **books.states}, facts={}, first=None)


def _piece(s: sl.Piece) -> BookedPiece:
    return BookedPiece(s.unit, s.side, s.kind, s.division, s.steps)


def placed(ctx: LedgerContext, books: Books, s: st.Placement) -> JudgedStatement:
    """A piece stands in a hex as the sheet begins."""
    bench = Bench(ctx, books, s.line)
    bench.books = books.put(s.unit, where="map", hex=s.hex, lost=int(s.reduced))
    return bench.judged


def level(ctx: LedgerContext, books: Books, s: sl.TrackLevel) -> JudgedStatement:
    """`level`: the port's track as the sheet begins."""
    rule = ctx.rules.port
    bench = Bench(ctx, books, s.line, rule)
    if rule is not None:
        highest, lowest = port.spaces(ctx, rule)
        if not lowest <= s.level <= highest:
            bench.breaks("no-such-level", declared=s.level, level=s.level, first=highest, last=lowest)
        found = max(lowest, min(highest, s.level))
        bench.books = replace(books, port=replace(books.port, level=found, captured=s.captured, held=s.captured))
    return bench.judged


def stock(ctx: LedgerContext, books: Books, s: sl.Stock) -> JudgedStatement:
    """`stock`: what an account holds as the sheet begins, or when the rest of the game has changed it."""
    bench = Bench(ctx, books, s.line)
    if s.account == "points":
        bench.books = replace(books, stock=s.amount)
    elif s.account == "record":
        bench.books = replace(books, record=replace(books.record, points=s.amount, used=0))
    elif s.account == "losses":
        bench.books = replace(books, record=replace(books.record, lost=s.amount))
    else:
        bench.notes("unjudged-here", "warning")
    return bench.judged


def captured(ctx: LedgerContext, books: Books, s: sl.Capture) -> JudgedStatement:
    """`capture` above the first turn: the city was taken before the sheet begins, and paid for."""
    bench = Bench(ctx, books, s.line, ctx.rules.port)
    bench.books = replace(books, port=replace(books.port, captured=True, held=True))
    return bench.judged


def scored(ctx: LedgerContext, books: Books, s: sl.Points) -> JudgedStatement:
    """`score` above the first turn: the points that sides have as the sheet begins."""
    bench = Bench(ctx, books, s.line, ctx.rules.port)
    told = message("findings.ledger.score-given")
    given = [BookedPoints(s.line, side, points, told, bench.section) for side, points in s.totals]
    bench.books = replace(books, scored=(*books.scored, *given))
    return bench.judged
