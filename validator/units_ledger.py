"""What sheets of accounts may name: the markers of a game of which only some rules are known, and kinds of unit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hexforge.scenarios.extended import Extension
from hexforge.scenarios.words import Words
from hexforge.validator.readers.notation.wordbooks import vocabulary_of


@dataclass(frozen=True, slots=True)
class Named:
    """A name, or a kind of piece for `unit` lines. `count` is None where there are as many as the box holds.

    `marker` is the marker of the game that is called so, "" for what is none.
    """

    id: str
    side: str
    count: int | None
    is_kind: bool
    marker: str = ""

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
            found.append(Named(first, piece.side or "", game.game.count(piece.marker), False, piece.marker))
        else:
            found.append(Named(kind, piece.side or "", None, is_kind=True))
    guns, landing = ledger.hidden_guns, ledger.landing
    if guns:
        found += [Named(id_, guns.side, 1, False, id_) for id_ in guns.markers]
        found.append(Named(guns.guns, guns.side, 1, is_kind=False))
    if landing:
        found += [Named(id_, landing.side, 1, is_kind=False) for id_ in (landing.unit, landing.other)]
    every = sorted(found, key=lambda n: n.is_kind)
    return tuple(n for n in every if side in ("", n.side))


def name(named: Named, w: Words) -> str:
    """What it is called."""
    if named.is_kind:
        return w.heading("pieces", named.id)
    plain = named.id.removesuffix("-1")
    return next((t for s in ("pieces", "named", "markers") if (t := w.heading(s, plain)) != plain), named.id)


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


def page(game: Extension, found: tuple[Named, ...], w: Words) -> str:
    """The list as a page with the markers' pictures, which needs nothing else."""
    from base64 import b64encode

    from markupsafe import Markup

    from hexforge.modulegen.render.raster import rasterise
    from hexforge.modulegen.render.supplies import face_name, face_svg
    from hexforge.validator.report.pages import page as written

    text, words = game.texts.get(w.language) or next(iter(game.texts.values())), vocabulary_of(game)

    def pictures(marker: str) -> list[tuple[str, Markup]]:
        faces = game.game.markers[marker].faces if marker else ()
        drawn = ((f, rasterise(face_svg(game, game.game.markers[marker], f, text))) for f in faces)
        return [
            (face_name(text, f.id), Markup("data:image/png;base64,") + b64encode(png).decode()) for f, png in drawn
        ]

    rows = [
        (
            words.write("pieces", n.id, w.language) if n.is_kind else n.id,
            name(n, w),
            w.heading("sides", n.side) if n.side else "",
            "" if n.is_kind else w("validator.units.any") if n.count is None else str(n.count),
            pictures(n.marker),
        )
        for n in found
    ]
    markers = [row for row, n in zip(rows, found, strict=True) if not n.is_kind]
    kinds = [row for row, n in zip(rows, found, strict=True) if n.is_kind]
    return written("names.html.j2", w, title=w.heading("title", "name", game.name), markers=markers, kinds=kinds)
