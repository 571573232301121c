"""Undos in logs of VASSAL 2, which wrote the inverse commands of an action without any mark around them.

An undo is the latest action that stands, backwards: its last command first, old and new exchanged, chat lines with
a word before them. Commands that VASSAL has no undo for (dice faces, flares, sounds, notes, players) leave nothing
in it. Whoever drags a piece back by hand leaves other commands: marks and reports come with each drag. Source:
`Command.getUndoCommand`, and each command's `myUndoCommand`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from hexforge.modulegen.vassal.commands import (
    AddPiece,
    AddPlayer,
    AllowUnmasking,
    ChangePiece,
    ChangeProperty,
    Chat,
    Clock,
    ClockControl,
    Command,
    DiceResults,
    Flare,
    MovePiece,
    Null,
    PlayClip,
    PrivateNote,
    PublicNotes,
    RemovePiece,
    RemovePlayer,
    ScenarioNotes,
    SecretNote,
    SetTurn,
    WakeUp,
)
from hexforge.modulegen.vassal.save import SavedGame

_UNDO: Final = "* UNDO: "
_RUNNING: Final = (b"runningVassalVersion<0", b"runningVassalVersion<1", b"runningVassalVersion<2")
_WITHOUT: Final = (
    Null, AddPlayer, RemovePlayer, AllowUnmasking, Clock, ClockControl, DiceResults, Flare, PlayClip, WakeUp,
    PrivateNote, PublicNotes, ScenarioNotes, SecretNote,
)  # fmt: skip
"""Commands of which an undo has no trace."""
_Told = tuple[object, ...]
_OTHERS: Final = ("no inverse", "?", "T")
"""Kinds of what may stand in an undo where what it takes back has parts of which the inverse is not known."""


def may_be_unmarked(game: SavedGame) -> bool:
    """Whether a log was written by a VASSAL that did not mark its undos."""
    versions = [data.vassal_version for data in (game.saved, game.module) if data and data.vassal_version]
    payload = game.text or game.root.encode()
    if b"UNDO\t" in payload:
        return False
    return versions[0][:1] in "012" if versions else any(word in payload for word in _RUNNING)


class Unmarked:
    """Follows the actions of a log, and says which of them are undos."""

    def __init__(self, turns: Mapping[str, str]) -> None:
        """`turns`: the state of each turn tracker before the first action."""
        self._turns = dict(turns)
        self._standing: list[tuple[_Told, ...]] = []

    def takes_back(self, commands: Iterable[Command]) -> bool:
        """Whether the next action takes the latest back that stands."""
        told = [self._both(c) for c in commands if not isinstance(c, _WITHOUT)]
        if not told:
            return False
        forth = tuple(there for there, _ in told)
        if self._standing and (self._standing[-1] == forth or _takes_known_back(forth, self._standing[-1])):
            self._standing.pop()
            return True
        self._standing.append(tuple(back for _, back in reversed(told)))
        return False

    def _both(self, command: Command) -> tuple[_Told, _Told]:
        """A command and its inverse; that of a turn is the state that its tracker had before."""
        if not isinstance(command, SetTurn):
            return _told(command), _inverse(command)
        before = self._turns.get(command.tracker)
        self._turns[command.tracker] = command.state
        there = ("T", command.tracker, before, command.state)
        return there, ("no inverse", *there) if before is None else ("T", command.tracker, command.state, before)


def _takes_known_back(forth: tuple[_Told, ...], back: tuple[_Told, ...]) -> bool:
    """Whether an action says in the chat that it takes back one with parts of which no inverse is known."""
    known = [told for told in back if told[0] not in _OTHERS]
    unsure = len(known) < len(back) and any(told[0] == "C" for told in known)
    return unsure and known == [told for told in forth if told[0] not in _OTHERS]


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
