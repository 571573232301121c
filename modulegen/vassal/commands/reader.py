"""From text to command: whose prefix it bears decides, as with VASSAL's encoders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from ..encoding import decode_checked
from .base import Command, Malformed
from .minor import MINOR, PrivateChat
from .play import (
    AddPiece,
    AddPlayer,
    BeginSave,
    ChangePiece,
    ChangeProperty,
    Chat,
    EndSave,
    MovePiece,
    Null,
    RemovePiece,
    RemovePlayer,
    SetBoards,
    SetGlobalProperty,
    SetPersistentProperty,
    SetTurn,
    Undo,
    Unknown,
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Log(Command):
    """A command that was played, to be stepped through (`BasicLogger.LogCommand`)."""

    PREFIX: ClassVar[str] = "LOG\t"

    command: Command

    def write(self) -> str:
        return self.PREFIX + self.command.encode()

    @classmethod
    def read(cls, text: str) -> Self:
        if text.startswith(cls.PREFIX, 4):
            raise Malformed("a logged command is not logged again")
        return cls(read_command(text[4:]))


_PLAY: tuple[type[Command], ...] = (Log, Undo, AddPlayer, RemovePlayer, ChangeProperty, SetPersistentProperty)
_BY_PREFIX: dict[str, type[Command]] = {cls.PREFIX: cls for cls in (*_PLAY, *MINOR)}
_PIECES: tuple[type[Command], ...] = (AddPiece, RemovePiece, ChangePiece, MovePiece)
_SHORT: dict[str, type[Command]] = {cls.PREFIX: cls for cls in _PIECES}
_FIXED: tuple[Command, ...] = (Null(), Null("null"), BeginSave(), EndSave(), Undo(True), Undo(False))
_WORDS: dict[str, Command] = {command.write(): command for command in _FIXED}


def _class_of(text: str) -> type[Command] | None:
    found = _SHORT.get(text[:2])
    if found:
        return found
    if text.startswith("PRIV_CHAT"):
        return PrivateChat
    tab = text.find("\t")
    if tab < 0:
        return None
    found = _BY_PREFIX.get(text[: tab + 1])
    if found:
        return found
    if text.startswith(SetGlobalProperty.PREFIX):
        return SetGlobalProperty
    if text.startswith("TURN"):
        return SetTurn
    if text.endswith("BoardPicker", 0, tab):
        return SetBoards
    return None


def read_played(text: str) -> Command:
    """The command that a text stands for, of a logged one what was played. Never fails, as `read_command`."""
    logged = text.startswith(Log.PREFIX) and not text.startswith(Log.PREFIX, len(Log.PREFIX))
    return read_command(text[len(Log.PREFIX) :] if logged else text)


def read_command(text: str) -> Command:
    """The command that a text stands for. Never fails: what cannot be read is `Unknown`."""
    if text.startswith("+/"):
        return _read_piece(text)
    if text.startswith(Chat.PREFIX):
        return Chat.read(text)
    word = _WORDS.get(text)
    if word is not None:
        return word
    cls = _class_of(text)
    if cls is None:
        return Unknown(text)
    try:
        command = cls.read(text)
    except Malformed:
        return Unknown(text)
    # Whether the fields alone would give the same text need not be known: it costs as much as reading it.
    object.__setattr__(command, "source", text)
    return command


def _read_piece(text: str) -> Command:
    # Nine tenths of a large log are these.
    parts, exact = decode_checked(text[2:], "/")
    if len(parts) < 3:
        return Unknown(text)
    command = AddPiece(None if parts[0] == "null" else parts[0], parts[1], parts[2])
    if not exact or len(parts) > 3:
        object.__setattr__(command, "source", text)
    return command
