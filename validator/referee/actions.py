"""What was done in a game, action by action: when, by whom, with which units and dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.base import WORDS
from hexforge.validator.referee.state import Position

OUTCOMES = (st.Lose, st.Eliminate, st.Retreat, st.Advance)
"""What follows from a combat and is done to units; all else within it is part of the combat itself."""


@dataclass(frozen=True, slots=True)
class ActionRecord:
    """A statement that was played: the turn and phase that it was played in, and the side that did it.

    `side` owns the units of what a combat brings; of all else it is the side whose phase it is. `of` is the line of
    the combat, bombardment or air strike that the action follows from, 0 for one that stands for itself.
    """

    statement: st.Statement
    turn: int
    phase: str
    side: str
    of: int = 0

    @property
    def line(self) -> int:
        """The line of the sheet that says it."""
        return self.statement.line

    @property
    def kind(self) -> str:
        """The statement's words: `move`, `build bridge`, `combat`."""
        return " ".join(WORDS[type(self.statement)])

    @property
    def units(self) -> tuple[str, ...]:
        """The units that act; of a combat, all that its statements name as attackers, support and guard."""
        return tuple(dict.fromkeys(u for part in self._parts for u in _units(part)))

    @property
    def hexes(self) -> tuple[str, ...]:
        """The way, the targets, the hexside, or the hex, as the sheet writes it."""
        for name in ("path", "targets", "side", "hex"):
            found = getattr(self.statement, name, None)
            if found:
                return (found,) if isinstance(found, str) else tuple(found)
        return ()

    @property
    def dice(self) -> tuple[int, ...]:
        """The faces that were thrown for it, each die by itself."""
        if isinstance(self.statement, st.Engagement):
            return tuple(face for act in self.statement.acts if isinstance(act, st.Roll) for face in act.faces)
        roll = getattr(self.statement, "roll", None)
        return () if roll is None else (roll,)

    @property
    def _parts(self) -> tuple[st.Statement, ...]:
        if not isinstance(self.statement, st.Engagement):
            return (self.statement,)
        return (self.statement, *(a for a in self.statement.acts if not isinstance(a, OUTCOMES)))

    def as_json(self, player: str, text: str) -> dict[str, Any]:
        """The action for scripts; `player` plays its side, `text` is the line in the notation's words."""
        return {
            "line": self.line,
            "action": self.kind,
            "of": self.of or None,
            "turn": self.turn,
            "phase": self.phase,
            "side": self.side,
            "player": player or None,
            "units": list(self.units),
            "hexes": list(self.hexes),
            "dice": list(self.dice),
            "text": text,
        }


def _units(part: st.Statement) -> tuple[str, ...]:
    named = getattr(part, "units", None) or getattr(part, "unit", None) or ()
    return (named,) if isinstance(named, str) else tuple(named)


def actions(before: Position, statement: st.Statement) -> Iterator[ActionRecord]:
    """The actions that a statement tells, played from a position: itself, and what a combat does to units."""
    phase = before.phase
    if phase is None or not isinstance(statement, st.Play):
        return
    yield ActionRecord(statement, phase.turn, phase.kind, phase.side)
    for act in statement.acts if isinstance(statement, st.Engagement) else ():
        if isinstance(act, OUTCOMES):
            owner = next((before.roster[u].side for u in act.units if u in before.roster), phase.side)
            yield ActionRecord(act, phase.turn, phase.kind, owner, statement.line)
