"""How the accounts stand, as the lines above the first turn of a sheet that goes on from them."""

from __future__ import annotations

from collections.abc import Iterator

from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation import statements_ledger as sl
from hexforge.validator.referee.ledger.books import Books, State
from hexforge.validator.referee.ledger.carriers import is_carrier
from hexforge.validator.referee.ledger.context import LedgerContext


def head(ctx: LedgerContext, books: Books) -> Iterator[st.Statement]:
    """Who the pieces are, how many markers there are, and the rulings that somebody has set."""
    for name in sorted(ctx.chosen):
        yield st.OptionSetting(0, name, ctx.options[name])
    for kind, count in ctx.counts.items():
        yield sl.MarkerCount(0, kind, count)
    for piece in ctx.pieces.values():
        left = books.state(piece.id).steps
        yield sl.Piece(
            0, piece.id, piece.side, piece.kind, piece.division, "", piece.steps if left is None else left
        )


def standing(ctx: LedgerContext, books: Books) -> list[st.Statement]:
    """`position` and all that belongs under it: what later lines may be judged by, and facts that still hold."""
    return [
        st.PositionStart(0),
        *(s for id_, state in books.states.items() for s in _placed(id_, state)),
        *_port(ctx, books),
        *_stocks(books),
        *(sl.Truck(0, id_) for id_, s in books.states.items() if _adrift(ctx, id_, s)),
        *(s for id_, state in books.states.items() for s in _told(id_, state)),
        *_decided(books),
        *_scored(ctx, books),
        *(sl.Fact(0, name, of, fact.value) for (name, of), fact in books.facts.items() if fact.lasting),
    ]


def _scored(ctx: LedgerContext, books: Books) -> Iterator[st.Statement]:
    if totals := tuple((side, books.total(side)) for side in ctx.sides if books.total(side)):
        yield sl.Points(0, totals)


def _placed(id_: str, state: State) -> Iterator[st.Statement]:
    if state.where == "map" and state.hex and not state.hidden:
        yield st.Placement(0, id_, state.hex, bool(state.lost))


def _adrift(ctx: LedgerContext, id_: str, state: State) -> bool:
    """Whether a carrier is on the map, and nobody has said where."""
    return state.where == "map" and not state.hex and not state.under and is_carrier(ctx, id_)


def _port(ctx: LedgerContext, books: Books) -> Iterator[st.Statement]:
    port, rule = books.port, ctx.rules.port
    if port.level is not None:
        yield sl.TrackLevel(0, port.level, port.captured)
    elif port.captured:
        yield sl.Capture(0)
    if rule is not None and port.captured and not port.held:
        yield sl.Fact(0, "presence", (rule.side,), "all")


def _stocks(books: Books) -> Iterator[st.Statement]:
    record = books.record
    if books.stock is not None:
        yield sl.Stock(0, "points", books.stock)
    if record.points is not None:
        yield sl.Stock(0, "record", max(0, record.points - record.used))
    if record.lost:
        yield sl.Stock(0, "losses", record.lost)


def _told(id_: str, state: State) -> Iterator[st.Statement]:
    """What is true of a piece and cannot be seen from where it stands."""
    if state.where == "eliminated":
        yield sl.Destroy(0, (id_,))
    elif state.hidden:
        yield sl.Place(0, id_, state.hex, hidden=True)
    elif state.under:
        yield sl.Attach(0, id_, state.under)
    if state.alerted and state.where != "eliminated":
        yield sl.Alert(0, (id_,))


def _decided(books: Books) -> Iterator[st.Statement]:
    for id_, choice in books.choices.items():
        yield sl.Choose(0, id_, choice)
    for id_, face in books.dice.items():
        yield sl.Throw(0, id_, face)
    for id_, place in books.landed.items():
        yield sl.Land(0, id_, place)
