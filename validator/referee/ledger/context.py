"""What accounts are judged against: the rules that the game's files state, its pieces, the options in force."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hexforge.scenarios.extended import Extension
from hexforge.scenarios.schema.ledger import LedgerFile
from hexforge.scenarios.words import Message, message
from hexforge.validator.referee.findings import Finding, find
from hexforge.validator.referee.ledger.books import BookedPiece, Books


@dataclass(frozen=True)
class LedgerContext:
    """Everything that stays the same from the first statement to the last.

    `pieces` are the sheet's own by id, `chosen` the options that somebody has set, whatever their value; `counts`
    are the numbers of markers that the sheet gives.
    """

    game: Extension
    rules: LedgerFile
    pieces: Mapping[str, BookedPiece]
    options: Mapping[str, str]
    chosen: frozenset[str] = frozenset()
    counts: Mapping[str, int] = field(default_factory=dict)
    partial: bool = False

    @property
    def sides(self) -> tuple[str, ...]:
        """Both sides' ids."""
        return tuple(side.id for side in self.game.game.sides)

    def enemy(self, side: str) -> str:
        """The other side."""
        return next(s for s in self.sides if s != side)

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of a day in their order."""
        return self.game.game.days.parts if self.game.game.days else ()

    def piece(self, id_: str) -> BookedPiece | None:
        """A piece that the sheet declares, or a marker of the game; None for an id that says nothing."""
        if id_ in self.pieces:
            return self.pieces[id_]
        for kind, spec in self.rules.pieces.items():
            if spec.marker and re.fullmatch(f"{re.escape(spec.marker)}(-[0-9]{{1,3}})?", id_):
                return BookedPiece(id_, spec.side or "", kind)
        guns = self.rules.hidden_guns
        if guns and id_ in (guns.guns, *guns.markers):
            return BookedPiece(id_, guns.side, guns.guns)
        landing = self.rules.landing
        if landing and id_ in (landing.unit, landing.other):
            return BookedPiece(id_, landing.side, "")
        return None

    def count(self, kind: str) -> int | None:
        """How many markers of a kind there are: as the sheet says, else as the game's files do; None if unknown."""
        marker = self.rules.pieces[kind].marker
        if kind in self.counts or marker is None:
            return self.counts.get(kind)
        return self.game.game.count(marker)

    def on_map(self, books: Books, kind: str) -> int:
        """How many markers of a kind are on the map."""
        pieces = ((self.piece(id_), state) for id_, state in books.states.items())
        return sum(p is not None and p.kind == kind and state.where == "map" for p, state in pieces)

    def used_up(self, books: Books, kind: str) -> int:
        """How many markers of a kind are on the map, or lost for good."""
        pieces = ((self.piece(id_), state) for id_, state in books.states.items())
        return sum(p is not None and p.kind == kind and state.where in ("map", "eliminated") for p, state in pieces)

    def option(self, name: str) -> str:
        """The value of an option; "" for one that the game has not."""
        return self.options.get(name, "")

    def found(self, line: int, key: str, *, section: str = "", **more: Any) -> Finding:
        """A finding of a kind of `KINDS`; `section` is that of the rule."""
        return find(line, key, self.game.citation(section), **more)

    def city(self) -> Message:
        """What the city of the port is called."""
        from hexforge.scenarios.words import Term

        port = self.rules.port
        return message("findings.ledger.name", what=Term("cities", port.city if port else ""))
