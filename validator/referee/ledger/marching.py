"""Movement of whatever else moves: hexes that are joined to few others, and who waits at the coast."""

from __future__ import annotations

from itertools import pairwise

from hexforge.scenarios.hexgrid import Hex, map_letter
from hexforge.validator.readers.notation import statements_ledger as sl
from hexforge.validator.referee.ledger import alert, carriers, guns
from hexforge.validator.referee.ledger.bench import Bench, JudgedStatement
from hexforge.validator.referee.ledger.books import Books
from hexforge.validator.referee.ledger.context import LedgerContext


def move(ctx: LedgerContext, books: Books, s: sl.Go) -> JudgedStatement:
    """`move`: each unit by the rules that speak of it."""
    bench = Bench(ctx, books, s.line)
    for unit in s.units:
        state = bench.books.state(unit)
        if state.where == "eliminated":
            bench.breaks("gone", units=(unit,), unit=unit)
        elif carriers.is_carrier(ctx, unit):
            carriers.drive(bench, unit, s.path)
        elif guns.is_fixed(ctx, unit):
            guns.stays(bench, unit)
        else:
            _march(bench, unit, s.path)
    return bench.judged


def _march(bench: Bench, unit: str, path: tuple[Hex, ...]) -> None:
    piece = bench.ctx.piece(unit)
    if piece is not None and piece.side:
        bench.acts(unit, piece.side)
    here = carriers.whence(bench, unit, path)
    way = path if not here or here == path[0] else (here, *path)
    spoken = _by_exits(bench, way)
    if alert.waits(bench, unit, map_letter(way[0])):
        alert.hold(bench, unit)
        spoken = True
    if not spoken:
        bench.notes("move-unjudged", units=(unit,), unit=unit)
    bench.books = bench.books.put(unit, where="map", hex=path[-1])
    carriers.ride(bench, unit, path[-1])


def _by_exits(bench: Bench, way: tuple[Hex, ...]) -> bool:
    """A hex that is joined to few others is left, and entered, by those alone."""
    spoken = False
    for rule in bench.ctx.game.game.only_exits:
        for a, b in pairwise(way):
            other = b if a == rule.hex else a if b == rule.hex else ""
            spoken = spoken or bool(other)
            if other and other not in rule.exits:
                bench.breaks(
                    "only-exits", section=rule.section, hexes=(rule.hex, other), hex=rule.hex, exits=rule.exits
                )
    return spoken
