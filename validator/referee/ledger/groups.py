"""Headquarters of battle groups: where they come on, what they supply, and that they come once."""

from __future__ import annotations

from dataclasses import replace

from hexforge.scenarios.schema.ledger import BattleGroups
from hexforge.scenarios.words import Term
from hexforge.validator.readers.notation import statements_ledger as sl
from hexforge.validator.referee.ledger.bench import Bench, JudgedStatement
from hexforge.validator.referee.ledger.books import Books
from hexforge.validator.referee.ledger.context import LedgerContext

CONDITION = "condition"
"""The reading by which the passage on sources is a condition of the place."""


def is_group(ctx: LedgerContext, id_: str) -> bool:
    """Whether a piece is the headquarters of a battle group."""
    piece, rule = ctx.piece(id_), ctx.rules.battle_groups
    return rule is not None and piece is not None and piece.kind == rule.kind


def place(ctx: LedgerContext, books: Books, s: sl.Place) -> JudgedStatement:
    """`place` of one: by night, out of the enemy's zones, near enough to him; nobody comes back."""
    rule = ctx.rules.battle_groups
    bench = Bench(ctx, books, s.line, rule)
    if rule is None:
        return bench.judged
    bench.fits(rule.placed, Term("acts", "place"))
    bench.acts(s.unit, rule.side)
    where = books.state(s.unit).where
    if where == "eliminated":
        bench.breaks("dead-for-good", units=(s.unit,), unit=s.unit)
    elif where == "map":
        bench.breaks("on-map-already", units=(s.unit,), unit=s.unit)
    else:
        bench.taken(rule.kind, s.unit)
    if bench.holds("ezoc", s.hex):
        bench.breaks("in-zone", hexes=(s.hex,), units=(s.unit,), unit=s.unit, hex=s.hex)
    name = ("distance", s.unit) if ("distance", (s.unit,)) in books.facts else ("distance", s.hex)
    hexes = bench.number(*name)
    if hexes is not None and hexes > rule.distance:
        bench.breaks(
            "too-far", units=(s.unit,), hexes=(s.hex,), declared=hexes, computed=rule.distance, unit=s.unit
        )
    _source(bench, rule, s)
    bench.books = books.put(s.unit, where="map", hex=s.hex)
    bench.follows("on_map", ctx.on_map(bench.books, rule.kind), rule.kind)
    return bench.judged


def _source(bench: Bench, rule: BattleGroups, s: sl.Place) -> None:
    """What the passage says of sources is garbled: a condition, or what the headquarters is once it is there."""
    if bench.ctx.option(rule.option) == CONDITION and bench.holds("source", s.hex) is False:
        bench.disputes("no-source", rule.option, hexes=(s.hex,), units=(s.unit,), unit=s.unit, hex=s.hex)


def supply(ctx: LedgerContext, books: Books, s: sl.Supply) -> JudgedStatement:
    """`supply` from a headquarters: one of a battle group has so many units a turn, of any formation."""
    rule = ctx.rules.battle_groups
    bench = Bench(ctx, books, s.line, rule)
    source = bench.piece(s.source)
    if rule is None or source is None:
        return bench.judged
    if source.kind != rule.kind:
        bench.leaves(units=(s.source,))
        return bench.judged
    _alive(bench, s.source)
    for unit in s.units:
        piece = ctx.piece(unit)
        if piece is not None and piece.side != rule.side:
            bench.breaks("other-side", units=(unit,), unit=unit, side=Term("sides", rule.side))
    units = books.supplied.get(s.source, frozenset()) | {*s.units}
    if len(units) > rule.supplies:
        bench.breaks(
            "supplies-too-many",
            units=tuple(sorted(units)),
            unit=s.source,
            declared=len(units),
            computed=rule.supplies,
        )
    bench.books = replace(bench.books, supplied={**books.supplied, s.source: units})
    bench.follows("supplied_units", len(units), s.source)
    return bench.judged


def _alive(bench: Bench, id_: str) -> None:
    if bench.books.state(id_).where == "eliminated":
        bench.breaks("gone", units=(id_,), unit=id_)
    else:
        bench.known(id_)


def serves(bench: Bench, id_: str) -> None:
    """A headquarters by which steps come back: one of a battle group may be used for that."""
    rule = bench.ctx.rules.battle_groups
    piece = bench.piece(id_)
    if rule is None or piece is None:
        return
    bench.by(rule)
    if piece.kind == rule.kind:
        _alive(bench, id_)


def rebuild(ctx: LedgerContext, books: Books, s: sl.Rebuild) -> JudgedStatement:
    """`rebuild`: never by the headquarters of a battle group; otherwise the rest of the game has the rule."""
    bench = Bench(ctx, books, s.line, ctx.rules.battle_groups)
    by = bench.piece(s.by) if s.by else None
    if by is not None and is_group(ctx, s.by):
        bench.breaks("no-rebuilding", units=(s.unit, s.by), unit=s.unit, by=s.by)
    elif by is not None or not s.by:
        bench.leaves(units=(s.unit,))
    bench.books = books.put(s.unit, where="map", lost=0)
    return bench.judged
