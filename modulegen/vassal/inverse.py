"""Undos in logs of VASSAL 2, which wrote the inverse commands of an action without any mark around them.

An undo is the latest action that stands, backwards: its last command first, old and new exchanged, chat lines with
a word before them. Whoever drags a piece back by hand leaves other commands: marks and reports come with each drag.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hexforge.modulegen.vassal.commands import (
    AddPiece,
    ChangePiece,
    ChangeProperty,
    Chat,
    Command,
    MovePiece,
    Null,
    RemovePiece,
)
from hexforge.modulegen.vassal.save import SavedGame

_UNDO: Final = "* UNDO: "
_RUNNING: Final = (b"runningVassalVersion<0", b"runningVassalVersion<1", b"runningVassalVersion<2")
_Told = tuple[object, ...]


def may_be_unmarked(game: SavedGame) -> bool:
    """Whether a log was written by a VASSAL that did not mark its undos."""
    versions = [data.vassal_version for data in (game.saved, game.module) if data and data.vassal_version]
    payload = game.text or game.root.encode()
    if b"UNDO\t" in payload:
        return False
    return versions[0][:1] in "012" if versions else any(word in payload for word in _RUNNING)


class Unmarked:
    """Follows the actions of a log, and says which of them are undos."""

    def __init__(self) -> None:
        self._standing: list[tuple[_Told, ...]] = []

    def takes_back(self, commands: Iterable[Command]) -> bool:
        """Whether the next action takes the latest back that stands."""
        told = [(_told(c), _inverse(c)) for c in commands if not isinstance(c, Null)]
        if not told:
            return False
        if self._standing and self._standing[-1] == tuple(forth for forth, _ in told):
            self._standing.pop()
            return True
        self._standing.append(tuple(back for _, back in reversed(told)))
        return False


def _told(command: Command) -> _Told:
    match command:
        case MovePiece(id=id_):
            c = command
            return "M", id_, (c.map, c.x, c.y, c.under), (c.old_map, c.old_x, c.old_y, c.old_under)
        case ChangePiece(id=id_, state=state, old_state=old):
            return "D", id_, state, old
        case ChangeProperty(name=name, old=old, new=new, container=container):
            return "P", (container, name), new, old
        case AddPiece(id=id_):
            return "+", id_
        case RemovePiece(id=id_):
            return "-", id_
        case Chat(text=text):
            return "C", text
    return "?", command.encode()


def _inverse(command: Command) -> _Told:
    match _told(command):
        case (("M" | "D" | "P") as kind, what, new, old):
            return kind, what, old, new
        case ("+", what):
            return "-", what
        case ("-", what):
            return "+", what
        case ("C", str(text)):
            return "C", _UNDO + text
        case told:
            # What has no inverse is matched by nothing.
            return ("no inverse", *told)
