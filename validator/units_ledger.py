"""What sheets of accounts may name: the markers of a game of which only some rules are known, and kinds of unit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hexforge.scenarios.extension import Extension
from hexforge.scenarios.words import Words
from hexforge.validator.readers.words import vocabulary_of


@dataclass(frozen=True, slots=True)
class Named:
    """A name, or a kind of piece for `unit` lines. `count` is None where there are as many as the box holds."""

    id: str
    side: str
    count: int | None
    is_kind: bool

    def as_json(self, words: Words) -> dict[str, Any]:
        """All of it, with its name in the language of the words."""
        what = "kind" if self.is_kind else "marker"
        return {
            "id": self.id,
            "what": what,
            "side": self.side or None,
            "count": self.count,
            "name": name(self, words),
        }


def names_of(game: Extension, side: str = "") -> tuple[Named, ...]:
    """The markers that sheets name, numbered ones by the first of them, and then the kinds; of one side or all."""
    ledger = game.ledger
    if ledger is None:
        return ()
    found = []
    for kind, piece in ledger.pieces.items():
        if piece.marker:
            numbered = game.game.markers[piece.marker].numbered
            first = f"{piece.marker}-1" if numbered else piece.marker
            found.append(Named(first, piece.side or "", game.game.count(piece.marker), is_kind=False))
        else:
            found.append(Named(kind, piece.side or "", None, is_kind=True))
    guns, landing = ledger.hidden_guns, ledger.landing
    if guns:
        found += [Named(id_, guns.side, 1, is_kind=False) for id_ in (*guns.markers, guns.guns)]
    if landing:
        found += [Named(id_, landing.side, 1, is_kind=False) for id_ in (landing.unit, landing.other)]
    every = sorted(found, key=lambda n: n.is_kind)
    return tuple(n for n in every if side in ("", n.side))


def name(named: Named, w: Words) -> str:
    """What it is called."""
    if named.is_kind:
        return w.heading("pieces", named.id)
    plain = named.id.removesuffix("-1")
    return next((t for s in ("pieces", "markers") if (t := w.heading(s, plain)) != plain), named.id)


def lines(game: Extension, found: tuple[Named, ...], w: Words) -> Iterator[str]:
    """The list for a terminal: id, how many there are, name; kinds by the word that sheets have for them."""
    from hexforge.scenarios.tables import lined_up

    words = vocabulary_of(game)
    rows = []
    for n in found:
        written = words.write("pieces", n.id, w.language) if n.is_kind else n.id
        many = w("validator.units.any") if n.count is None else str(n.count)
        rows.append((written, w("validator.units.kind") if n.is_kind else many, name(n, w)))
    yield from lined_up(rows)
