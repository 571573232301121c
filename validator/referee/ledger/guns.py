"""Batteries that never move, and one of them that may have been moved before the game began."""

from __future__ import annotations

from dataclasses import replace

from hexforge.scenarios.hexgrid import Hex
from hexforge.scenarios.schema.ledger import FixedGuns, HiddenGuns
from hexforge.scenarios.words import Term, message
from hexforge.validator.readers.notation import statements_ledger as sl
from hexforge.validator.referee.ledger import cut_off
from hexforge.validator.referee.ledger.bench import Bench, JudgedStatement
from hexforge.validator.referee.ledger.books import Books
from hexforge.validator.referee.ledger.context import LedgerContext


def is_fixed(ctx: LedgerContext, id_: str) -> bool:
    """Whether a piece is a battery that never moves."""
    piece, rule = ctx.piece(id_), ctx.rules.fixed_guns
    return rule is not None and piece is not None and (piece.kind in rule.kinds or is_hidden(ctx, id_))


def is_hidden(ctx: LedgerContext, id_: str) -> bool:
    """Whether a name is that of the battery in one of two hexes, or of one of its markers."""
    rule = ctx.rules.hidden_guns
    return rule is not None and id_ in (rule.guns, *rule.markers)


def stays(bench: Bench, id_: str) -> None:
    """`move` of a battery: never."""
    rule = bench.ctx.rules.fixed_guns
    if rule is not None:
        bench.by(rule)
    bench.breaks("never-moves", units=(id_,), unit=id_)


def forced(ctx: LedgerContext, books: Books, s: sl.Forced) -> JudgedStatement:
    """`retreat`: a battery that has to is eliminated; of others these rules say nothing."""
    bench, rule, gone = _battery(ctx, books, s)
    if rule is None:
        return bench.judged
    if gone:
        bench.breaks("gone", units=(s.unit,), unit=s.unit)
    if s.path:
        bench.breaks("dies-in-place", units=(s.unit,), unit=s.unit)
    lose(bench, s.unit)
    return bench.judged


def _battery(ctx: LedgerContext, books: Books, s: sl.Forced | sl.Fire) -> tuple[Bench, FixedGuns | None, bool]:
    """Where a battery's statement is judged, by which rule (None: about no battery), and whether it is gone."""
    rule = ctx.rules.fixed_guns
    bench = Bench(ctx, books, s.line, rule)
    if bench.piece(s.unit) is None or rule is None:
        return bench, None, False
    if not is_fixed(ctx, s.unit):
        bench.leaves(units=(s.unit,))
        return bench, None, False
    return bench, rule, _is_gone(ctx, books, s.unit)


def lose(bench: Bench, id_: str) -> None:
    """A piece is eliminated; the steps that go with it are lost where such losses are recorded."""
    if bench.books.state(id_).where != "eliminated":
        cut_off.note_end(bench, id_)
    bench.books = bench.books.put(id_, where="eliminated", hex="")
    bench.follows("eliminated", True, id_)


def _is_gone(ctx: LedgerContext, books: Books, id_: str) -> bool:
    """Whether a battery is eliminated, by its own name or by that of its marker."""
    rule = ctx.rules.hidden_guns
    names = (rule.guns, rule.markers[0]) if rule is not None else ()
    return any(books.state(n).where == "eliminated" for n in (names if id_ in names else (id_,)))


def fire(ctx: LedgerContext, books: Books, s: sl.Fire) -> JudgedStatement:
    """`fire`: with the battery's own figure, supplied at any time; the moved one needs infantry beside it."""
    bench, rule, gone = _battery(ctx, books, s)
    if rule is None:
        return bench.judged
    if gone:
        bench.breaks("gone", units=(s.unit,), unit=s.unit)
        return bench.judged
    _at_the_enemy(bench, rule, s.target)
    hidden = ctx.rules.hidden_guns
    if hidden is not None and is_hidden(ctx, s.unit):
        bench.by(hidden)
        _from_its_hex(bench, hidden, s)
    else:
        here = books.state(s.unit).hex
        if s.hex and here and s.hex != here:
            bench.breaks("guns-elsewhere", units=(s.unit,), hexes=(s.hex,), unit=s.unit, hex=s.hex, where=here)
    _figures(bench, rule, s)
    return bench.judged


def _at_the_enemy(bench: Bench, rule: FixedGuns, target: str) -> None:
    piece = bench.ctx.piece(target) if target else None
    if piece is not None and piece.side == rule.side:
        enemy = Term("sides", bench.ctx.enemy(rule.side))
        bench.breaks("other-side", units=(target,), unit=target, side=enemy)


def _figures(bench: Bench, rule: FixedGuns, s: sl.Fire) -> None:
    marker = bench.ctx.game.game.markers[rule.marker]
    attack, defence = marker.attack or 0, marker.defence or 0
    if s.value not in (None, attack):
        bench.breaks("gun-value", units=(s.unit,), declared=s.value, computed=attack, unit=s.unit)
    for what, value in (
        ("attack", attack),
        ("defence", defence),
        ("combat_supplied", True),
        ("class", rule.counts_as.replace("-", "_")),
    ):
        bench.follows(what, value, s.unit)


def hidden_hex(ctx: LedgerContext, books: Books) -> Hex:
    """Where the battery itself is: as chosen, or where its marker was put; "" while that is a secret."""
    rule = ctx.rules.hidden_guns
    if rule is None:
        return ""
    return books.choices.get(rule.guns, "") or books.state(rule.markers[0]).hex


def _from_its_hex(bench: Bench, rule: HiddenGuns, s: sl.Fire) -> None:
    at, dummy = hidden_hex(bench.ctx, bench.books), s.unit == rule.markers[1]
    if not at:
        bench.lacks(message("findings.ledger.choice", unit=rule.guns))
        return
    here = s.hex or (bench.books.state(s.unit).hex if dummy else at)
    if dummy or here != at:
        bench.breaks(
            "guns-elsewhere", units=(s.unit,), hexes=(here or at,), unit=s.unit, hex=here or s.unit, where=at
        )
    elif at == rule.moved and not _escorted(bench, rule):
        bench.breaks("no-escort", units=(s.unit,), hexes=(at,), unit=s.unit, hex=at)


def _escorted(bench: Bench, rule: HiddenGuns) -> bool:
    """Whether infantry of its side is in the hex: a unit that the sheet has put there, else as a fact says."""
    for id_, state in bench.books.states.items():
        piece = bench.ctx.piece(id_)
        fits = piece is not None and piece.side == rule.side and piece.kind in rule.escort
        if fits and state.hex == rule.moved and state.where == "map":
            return True
    return bench.holds("infantry", rule.moved) is not False


def conceal(ctx: LedgerContext, books: Books, s: sl.Place) -> JudgedStatement:
    """`place` of one of the two markers: face down, one in each of the two hexes."""
    rule = ctx.rules.hidden_guns
    bench = Bench(ctx, books, s.line, rule)
    if rule is None:
        return bench.judged
    other = next((m for m in rule.markers if m != s.unit), "")
    if books.first is not None:
        bench.breaks("begun-already", units=(s.unit,), unit=s.unit)
    if s.hex not in (rule.home, rule.moved):
        bench.breaks("hidden-hex", units=(s.unit,), hexes=(s.hex,), unit=s.unit, hexes_=(rule.home, rule.moved))
    elif books.state(other).hex == s.hex:
        bench.breaks("hidden-twice", units=(s.unit, other), hexes=(s.hex,), hex=s.hex)
    if s.shown or not s.hidden:
        bench.breaks("face-up", units=(s.unit,), unit=s.unit)
    bench.books = books.put(s.unit, where="map", hex=s.hex, hidden=s.hidden)
    bench.follows("placed", s.hex, s.unit)
    return bench.judged


def begin(bench: Bench) -> None:
    """The game begins: who has placed one of the markers has placed both."""
    rule = bench.ctx.rules.hidden_guns
    if rule is None or bench.ctx.partial:
        return
    placed = [m for m in rule.markers if bench.books.state(m).hidden]
    if len(placed) == 1:
        other = next(m for m in rule.markers if m not in placed)
        bench.breaks("hidden-one", section=rule.section, units=(other,), unit=other)


def choose(ctx: LedgerContext, books: Books, s: sl.Choose) -> JudgedStatement:
    """`choose guns HEX`: where the battery has been from the beginning."""
    rule = ctx.rules.hidden_guns
    bench = Bench(ctx, books, s.line, rule)
    if rule is None:
        return bench.judged
    known = hidden_hex(ctx, books)
    hexes = (rule.home, rule.moved)
    if s.choice not in hexes:
        bench.breaks("hidden-hex", units=(s.unit,), unit=s.unit, hexes_=hexes)
        return bench.judged
    if known and known != s.choice:
        bench.breaks("chosen-otherwise", units=(s.unit,), unit=s.unit, choice=known)
    bench.books = replace(books, choices={**books.choices, rule.guns: s.choice})
    return bench.judged
