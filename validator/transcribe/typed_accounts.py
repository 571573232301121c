"""What players type into the chat in the words of a game that is judged by accounts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation import statements_ledger as sl
from hexforge.validator.transcribe.typed import Listener, TypedLine, units_of

if TYPE_CHECKING:
    from hexforge.scenarios.extended import Extension


class AccountListener(Listener):
    """Hears such statements in chat lines: the units are those that lines declare."""

    def __init__(self, game: Extension) -> None:
        self._use(game)
        self._kinds = tuple(re.escape(kind) for kind in game.game.markers)
        self._markers = re.compile(rf"(?:{'|'.join(self._kinds)})(?:-[0-9]{{1,3}})?")
        ledger = game.ledger
        guns = [ledger.hidden_guns.guns] if ledger is not None and ledger.hidden_guns else []
        landing = ledger.landing if ledger is not None else None
        self._units = {*guns, *((landing.unit, landing.other) if landing else ())}
        self._hexes, self._codes = frozenset(), set()

    def _note(self, statement: st.Statement | None) -> None:
        if isinstance(statement, sl.Piece):
            self._units.add(statement.unit)

    def _believable(self, statement: st.Statement) -> bool:
        """Of a game of which little is known, talk is a statement where it names what a line has declared."""
        if isinstance(statement, st.SheetVersion | st.GameName | st.Placement | st.PositionStart | sl.TrackLevel):
            return False
        if isinstance(statement, sl.Piece | sl.DayStart | sl.Fact | sl.MarkerCount | sl.Capture | sl.Stock):
            return True
        if isinstance(statement, st.OptionSetting):
            return statement.name in self._options
        named = units_of(statement)
        return all(u in self._units or self._markers.fullmatch(u) for u in named)

    def _declared(self, chat: str) -> TypedLine | None:
        """A module of such a game says nothing in the words of sheets."""
        return None
