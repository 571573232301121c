"""The books before the first turn, and what the sheet says of itself: pieces, counts, options.

How the accounts stand, as the lines above the first turn of a sheet that goes on from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ...scenarios.model import Extension
from ...scenarios.text.words import Term, message
from ..notation import base, statements, statements_accounts, statements_head
from . import accounts_port
from .accounts_books import Bench, BookedPiece, BookedPoints, Books, JudgedStatement, LedgerContext, State
from .accounts_carriers import is_carrier
from .findings import Finding
from .opening import options_in_force


def open_books(
    game: Extension,
    sheet: statements.Sheet,
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
    set_here = {
        s.name for s in sheet.statements if isinstance(s, statements_head.OptionSetting) and s.line not in refused
    }
    pieces = {s.unit: _piece(s) for s in sheet.statements if isinstance(s, statements_accounts.Piece)}
    counts = {s.kind: s.count for s in sheet.statements if isinstance(s, statements_accounts.MarkerCount)}
    ctx = LedgerContext(
        game=game,
        rules=game.ledger,
        pieces=pieces,
        options=values,
        chosen=frozenset({*set_here, *options}),
        counts=counts,
        partial=any(isinstance(s, statements_head.Partial) for s in sheet.statements),
    )
    findings = [ctx.found(line, "unknown-option", declared=v, name=name, value=v) for line, name, v in bad]
    findings += _sides(ctx, sheet)
    states = {id_: State(steps=piece.steps) for id_, piece in pieces.items()}
    if before is None:
        return ctx, Books(states=states), findings
    return *_gone_on(ctx, states, *before), findings


def _sides(ctx: LedgerContext, sheet: statements.Sheet) -> Iterator[Finding]:
    """Units that are called what only the other side has."""
    for s in sheet.statements:
        if isinstance(s, statements_accounts.Piece):
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


def _piece(s: statements_accounts.Piece) -> BookedPiece:
    return BookedPiece(s.unit, s.side, s.kind, s.division, s.steps)


def placed(ctx: LedgerContext, books: Books, s: statements_head.Placement) -> JudgedStatement:
    """A piece stands in a hex as the sheet begins."""
    bench = Bench(ctx, books, s.line)
    bench.books = books.put(s.unit, where="map", hex=s.hex, lost=int(s.reduced))
    return bench.judged


def level(ctx: LedgerContext, books: Books, s: statements_accounts.TrackLevel) -> JudgedStatement:
    """`level`: the port's track as the sheet begins."""
    rule = ctx.rules.port
    bench = Bench(ctx, books, s.line, rule)
    if rule is not None:
        highest, lowest = accounts_port.spaces(ctx, rule)
        if not lowest <= s.level <= highest:
            bench.breaks("no-such-level", declared=s.level, level=s.level, first=highest, last=lowest)
        found = max(lowest, min(highest, s.level))
        bench.books = replace(books, port=replace(books.port, level=found, captured=s.captured, held=s.captured))
    return bench.judged


def stock(ctx: LedgerContext, books: Books, s: statements_accounts.Stock) -> JudgedStatement:
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


def captured(ctx: LedgerContext, books: Books, s: statements_accounts.Capture) -> JudgedStatement:
    """`capture` above the first turn: the city was taken before the sheet begins, and paid for."""
    bench = Bench(ctx, books, s.line, ctx.rules.port)
    bench.books = replace(books, port=replace(books.port, captured=True, held=True))
    return bench.judged


def scored(ctx: LedgerContext, books: Books, s: statements_accounts.Points) -> JudgedStatement:
    """`score` above the first turn: the points that sides have as the sheet begins."""
    bench = Bench(ctx, books, s.line, ctx.rules.port)
    told = message("findings.ledger.score-given")
    given = [BookedPoints(s.line, side, points, told, bench.section) for side, points in s.totals]
    bench.books = replace(books, scored=(*books.scored, *given))
    return bench.judged


def head(ctx: LedgerContext, books: Books) -> Iterator[base.Statement]:
    """Who the pieces are, how many markers there are, and the rulings that somebody has set."""
    for name in sorted(ctx.chosen):
        yield statements_head.OptionSetting(0, name, ctx.options[name])
    for kind, count in ctx.counts.items():
        yield statements_accounts.MarkerCount(0, kind, count)
    for piece in ctx.pieces.values():
        left = books.state(piece.id).steps
        yield statements_accounts.Piece(
            0, piece.id, piece.side, piece.kind, piece.division, "", piece.steps if left is None else left
        )


def standing(ctx: LedgerContext, books: Books) -> list[base.Statement]:
    """`position` and all that belongs under it: what later lines may be judged by, and facts that still hold."""
    return [
        statements_head.PositionStart(0),
        *(s for id_, state in books.states.items() for s in _placed(id_, state)),
        *_port(ctx, books),
        *_stocks(books),
        *(statements_accounts.Truck(0, id_) for id_, s in books.states.items() if _adrift(ctx, id_, s)),
        *(s for id_, state in books.states.items() for s in _told(id_, state)),
        *_decided(books),
        *_scored(ctx, books),
        *(
            statements_accounts.Fact(0, name, of, fact.value)
            for (name, of), fact in books.facts.items()
            if fact.lasting
        ),
    ]


def _scored(ctx: LedgerContext, books: Books) -> Iterator[base.Statement]:
    if totals := tuple((side, books.total(side)) for side in ctx.sides if books.total(side)):
        yield statements_accounts.Points(0, totals)


def _placed(id_: str, state: State) -> Iterator[base.Statement]:
    if state.where == "map" and state.hex and not state.hidden:
        yield statements_head.Placement(0, id_, state.hex, bool(state.lost))


def _adrift(ctx: LedgerContext, id_: str, state: State) -> bool:
    """Whether a carrier is on the map, and nobody has said where."""
    return state.where == "map" and not state.hex and not state.under and is_carrier(ctx, id_)


def _port(ctx: LedgerContext, books: Books) -> Iterator[base.Statement]:
    port, rule = books.port, ctx.rules.port
    if port.level is not None:
        yield statements_accounts.TrackLevel(0, port.level, port.captured)
    elif port.captured:
        yield statements_accounts.Capture(0)
    if rule is not None and port.captured and not port.held:
        yield statements_accounts.Fact(0, "presence", (rule.side,), "all")


def _stocks(books: Books) -> Iterator[base.Statement]:
    record = books.record
    if books.stock is not None:
        yield statements_accounts.Stock(0, "points", books.stock)
    if record.points is not None:
        yield statements_accounts.Stock(0, "record", max(0, record.points - record.used))
    if record.lost:
        yield statements_accounts.Stock(0, "losses", record.lost)


def _told(id_: str, state: State) -> Iterator[base.Statement]:
    """What is true of a piece and cannot be seen from where it stands."""
    if state.where == "eliminated":
        yield statements_accounts.Destroy(0, (id_,))
    elif state.hidden:
        yield statements_accounts.Place(0, id_, state.hex, hidden=True)
    elif state.under:
        yield statements_accounts.Attach(0, id_, state.under)
    if state.alerted and state.where != "eliminated":
        yield statements_accounts.Alert(0, (id_,))


def _decided(books: Books) -> Iterator[base.Statement]:
    for id_, choice in books.choices.items():
        yield statements_accounts.Choose(0, id_, choice)
    for id_, face in books.dice.items():
        yield statements_accounts.Throw(0, id_, face)
    for id_, place in books.landed.items():
        yield statements_accounts.Land(0, id_, place)
