"""Carriers: markers that are received, go by road, and lend a headquarters' units a bonus of movement.

Headquarters of battle groups: where they come on, what they supply, and that they come once.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from ...scenarios.schema.extension import BattleGroups, Carriers
from ...scenarios.text.hexgrid import Hex
from ...scenarios.text.words import Term
from ..notation import statements_accounts
from .accounts_bench import Bench
from .accounts_books import BookedPiece


def is_carrier(bench: Bench, id_: str) -> bool:
    """Whether a piece is one."""
    rule = bench.rules.carriers
    return rule is not None and bench.is_of(id_, rule.kind)


def receive(bench: Bench, rule: Carriers, s: statements_accounts.Truck) -> None:
    """`truck`: one comes from the pool."""
    if not _carrier(bench, rule, s.unit):
        return
    bench.fits(rule.received, Term("acts", "truck"))
    bench.acts(s.unit, rule.side)
    bench.enters(s.unit, rule.kind, s.hex)


def _carrier(bench: Bench, rule: Carriers, id_: str) -> bool:
    if is_carrier(bench, id_):
        return True
    bench.breaks("not-of-kind", unit=id_, kind=Term("pieces", rule.kind))
    return False


def drive(bench: Bench, id_: str, path: tuple[Hex, ...]) -> None:
    """`move` of a carrier: by road alone; the headquarters that it leaves has no bonus for the rest of the turn."""
    rule, state = bench.rules.carriers, bench.books.state(id_)
    assert rule is not None  # there are no carriers without it
    bench.by(rule)
    bench.fits(rule.moved, Term("acts", "carry"))
    bench.acts(id_, rule.side)
    if state.where == "pool":
        bench.breaks("in-pool", unit=id_)
    else:
        bench.known(id_)
    here = whence(bench, id_, path)
    way = path if here == path[0] or not here else (here, *path)
    for a, b in pairwise(way):
        _by_road(bench, a, b)
    left = state.under
    bench.books = bench.books.put(id_, where="map", hex=path[-1], under="")
    if left:
        bench.books = replace(bench.books, left=bench.books.left | {left})
        bench.follows("bonus", _bonus(bench, left), left)


def whence(bench: Bench, id_: str, path: tuple[Hex, ...]) -> Hex:
    """Where a piece begins its way; a finding if the way begins elsewhere. "" where nobody has said it."""
    state = bench.books.state(id_)
    here = state.hex or bench.books.state(state.under).hex
    if here and len(path) > 1 and path[0] != here:
        bench.breaks("elsewhere", hexes=(path[0],), unit=id_, where=here, hex=path[0])
    return here if len(path) == 1 else path[0]


def _by_road(bench: Bench, a: Hex, b: Hex) -> None:
    """A step along a road: facts name hexes that a road joins one to the next, or a hex that has none."""
    for (name, of), stated in bench.books.facts.items():
        if name != "road":
            continue
        joined = (a, b) in pairwise(of) or (b, a) in pairwise(of)
        alone = len(of) == 1 and of[0] in (a, b)
        if stated.value == "no" and (joined or alone):
            bench.rests_on(stated.line)
            bench.breaks("off-road", hexes=(a, b), a=a, b=b)
            return
        if stated.value != "no" and joined:
            bench.rests_on(stated.line)
            return
    bench.needs("road", a, b)


def attach(bench: Bench, rule: Carriers, s: statements_accounts.Attach) -> None:
    """`attach`: a carrier goes under a headquarters. Before the first turn it simply lies there."""
    if not _carrier(bench, rule, s.unit):
        return
    headquarters, state = bench.piece(s.to), bench.books.state(s.unit)
    if headquarters is not None and headquarters.kind not in rule.headquarters:
        kinds = tuple(Term("pieces", kind) for kind in rule.headquarters)
        bench.breaks("wrong-headquarters", units=(s.unit, s.to), unit=s.unit, to=s.to, kinds=kinds)
    elif headquarters is not None and headquarters.side != rule.side:
        bench.breaks("other-side", unit=s.to, side=Term("sides", rule.side))
    if bench.books.first is not None:
        bench.fits(rule.moved, Term("acts", "carry"))
        bench.acts(s.unit, rule.side)
        _comes(bench, s)
    hex_ = bench.books.state(s.to).hex or state.hex
    left = {state.under} - {"", s.to}
    bench.books = replace(bench.books.put(s.unit, where="map", hex=hex_, under=s.to), left=bench.books.left | left)
    if bench.books.state(s.to).where == "":
        bench.books = bench.books.put(s.to, where="map", hex=hex_)
    bench.follows("attached", True, s.unit)


def _comes(bench: Bench, s: statements_accounts.Attach) -> None:
    """It has come to the hex of the headquarters, which is still there."""
    state, to = bench.books.state(s.unit), bench.books.state(s.to)
    if state.where == "pool":
        bench.breaks("in-pool", unit=s.unit)
    if bench.gone(s.to):
        pass
    elif to.hex and state.hex and to.hex != state.hex:
        bench.breaks("elsewhere", unit=s.unit, where=state.hex, hex=to.hex)
    elif state.under and state.under != s.to:
        bench.breaks("not-driven", unit=s.unit, under=state.under, to=s.to)
    bench.known(s.unit)


def _bonus(bench: Bench, headquarters: str) -> int:
    rule, books = bench.rules.carriers, bench.books
    lies = any(True for _ in books.under(headquarters))
    return rule.bonus if rule and lies and headquarters not in books.left else 0


def bonus(bench: Bench, rule: Carriers, s: statements_accounts.Bonus) -> None:
    """`bonus`: what the units of a headquarters' division add to their movement."""
    piece = bench.piece(s.unit)
    if piece is None:
        return
    headquarters = _headquarters(bench, rule, piece)
    if headquarters is None:
        bench.breaks("no-headquarters", unit=s.unit, division=piece.division)
        return
    computed = _bonus(bench, headquarters)
    if s.points is not None and s.points != computed:
        bench.breaks("bonus", unit=s.unit, declared=s.points, computed=computed)
    bench.follows("bonus", computed, s.unit)


def _headquarters(bench: Bench, rule: Carriers, piece: BookedPiece) -> str | None:
    """The headquarters that a unit belongs to: itself, if it is of no division, or that of its division."""
    if piece.kind in rule.headquarters or not piece.division:
        return piece.id
    alike = (p for p in bench.head.pieces.values() if p.kind in rule.headquarters and p.side == piece.side)
    return next((p.id for p in alike if p.division == piece.division), None)


def ride(bench: Bench, headquarters: str, hex_: Hex) -> None:
    """A headquarters goes elsewhere: the carriers that lie under it go with it."""
    for id_ in list(bench.books.under(headquarters)):
        bench.books = bench.books.put(id_, hex=hex_)


def lost_with(bench: Bench, headquarters: str) -> None:
    """A headquarters is destroyed: the carriers that lie with it go back to the pool."""
    rule = bench.rules.carriers
    if rule is None:
        return
    for id_ in list(bench.books.under(headquarters)):
        bench.by(rule)
        bench.books = bench.books.put(id_, where="pool", hex="", under="")
        bench.follows("pool", True, id_)


CONDITION = "condition"
"""The reading by which the passage on sources is a condition of the place."""


def is_group(bench: Bench, id_: str) -> bool:
    """Whether a piece is the headquarters of a battle group."""
    rule = bench.rules.battle_groups
    return rule is not None and bench.is_of(id_, rule.kind)


def place(bench: Bench, rule: BattleGroups, s: statements_accounts.Place) -> None:
    """`place` of one: by night, out of the enemy's zones, near enough to him; nobody comes back."""
    bench.fits(rule.placed, Term("acts", "place"))
    bench.acts(s.unit, rule.side)
    if bench.books.state(s.unit).where == "eliminated":
        bench.breaks("dead-for-good", unit=s.unit)
    bench.enters(s.unit, rule.kind, s.hex)
    if bench.holds("ezoc", s.hex):
        bench.breaks("in-zone", unit=s.unit, hex=s.hex)
    name = ("distance", s.unit) if ("distance", (s.unit,)) in bench.books.facts else ("distance", s.hex)
    hexes = bench.number(*name)
    if hexes is not None and hexes > rule.distance:
        bench.breaks("too-far", hexes=(s.hex,), declared=hexes, computed=rule.distance, unit=s.unit)
    # What the passage says of sources is garbled: a condition, or what the headquarters is once it is there.
    if bench.ctx.option(rule.option) == CONDITION and bench.holds("source", s.hex) is False:
        bench.disputes("no-source", rule.option, unit=s.unit, hex=s.hex)


def supply(bench: Bench, rule: BattleGroups, s: statements_accounts.Supply) -> None:
    """`supply` from a headquarters: one of a battle group has so many units a turn, of any formation."""
    bench.by(rule)
    source = bench.piece(s.source)
    if source is None:
        return
    if source.kind != rule.kind:
        bench.leaves(units=(s.source,))
        return
    _alive(bench, s.source)
    bench.all_of(s.units, rule.side)
    units = bench.books.supplied.get(s.source, frozenset()) | {*s.units}
    if len(units) > rule.supplies:
        bench.breaks(
            "supplies-too-many",
            units=tuple(sorted(units)),
            unit=s.source,
            declared=len(units),
            computed=rule.supplies,
        )
    bench.books = replace(bench.books, supplied={**bench.books.supplied, s.source: units})
    bench.follows("supplied_units", len(units), s.source)


def _alive(bench: Bench, id_: str) -> None:
    if not bench.gone(id_):
        bench.known(id_)


def serves(bench: Bench, id_: str) -> None:
    """A headquarters by which steps come back: one of a battle group may be used for that."""
    rule = bench.rules.battle_groups
    piece = bench.piece(id_)
    if rule is None or piece is None:
        return
    bench.by(rule)
    if piece.kind == rule.kind:
        _alive(bench, id_)


def rebuild(bench: Bench, rule: BattleGroups, s: statements_accounts.Rebuild) -> None:
    """`rebuild`: never by the headquarters of a battle group; otherwise the rest of the game has the rule."""
    by = bench.piece(s.by) if s.by else None
    if by is not None and by.kind == rule.kind:
        bench.breaks("no-rebuilding", units=(s.unit, s.by), unit=s.unit, by=s.by)
    elif by is not None or not s.by:
        bench.leaves(units=(s.unit,))
    bench.books = bench.books.put(s.unit, where="map", lost=0)
