"""Commands of the position and of play: pieces, moves, boards, turns, properties, players, chat.

Each class names its source in VASSAL where its own name does not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar, Final, Self

from ..encoding import decode, encode_safe
from ..secrets import Secret
from .base import Command, Malformed, read_int

_WORD: Final = re.compile(r"([\w.+-]{1,31})[\t/;:]")
_SECRETIVE: Final = ("PLAYER", "PYREMOVE", "UNMASK", "PNOTE", "SNOTE", "LOCKSPOTAB", "INVITE", "PLAY")
"""Commands that hold passwords."""


def _may_be_cut(text: str, word: str) -> bool:
    """Whether this may be the rest of such a command, which begins with a password: two or three plain parts.

    Also that of a piece's states, of which the first names who masked it: separators are escaped within them.
    """
    if "\\\t" in text and text[len(word)] in ";\t":
        return True
    parts = text.split("\t")
    plain = all(parts) and not re.search(r"[\\/;]", text)
    return plain and (len(parts) == 3 or (len(parts) == 2 and not word.isupper()))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unknown(Command):
    """A command of a custom class, or none at all."""

    text: str = field(repr=False)

    def write(self) -> str:
        return self.text

    @property
    def prefix(self) -> str:
        """The word by which it can be reported; the rest may hold anything, secrets included."""
        word = _WORD.match(self.text)
        if word is None or _may_be_cut(self.text, word[1]):
            return f"({len(self.text)} characters)"
        # Where its separator is lost, what stood behind it may be a password.
        return next((known for known in _SECRETIVE if word[1].startswith(known)), word[1])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Null(Command):
    """Nothing: an empty text, or the word `null` where VASSAL logged what it could not encode."""

    text: str = ""

    def write(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BeginSave(Command):
    """The start of a saved position (`GameState.SetupCommand`)."""

    def write(self) -> str:
        return "begin_save"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EndSave(Command):
    """The end of a saved position; what follows in a log is play."""

    def write(self) -> str:
        return "end_save"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AddPiece(Command):
    """A piece, stack or deck comes into the game (`AddPiece`). Type and state as in `traits`."""

    PREFIX: ClassVar[str] = "+/"
    DELIM: ClassVar[str] = "/"

    id: str | None
    type: str = field(repr=False)
    state: str = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RemovePiece(Command):
    PREFIX: ClassVar[str] = "-/"

    id: str

    def write(self) -> str:
        return self.PREFIX + self.id

    @classmethod
    def read(cls, text: str) -> Self:
        return cls(text[2:])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ChangePiece(Command):
    """A piece's new state and, if it was written, the old one (`ChangePiece`)."""

    PREFIX: ClassVar[str] = "D/"

    id: str
    state: str = field(repr=False)
    old_state: str | None = field(default=None, repr=False)

    def write(self) -> str:
        old = [] if self.old_state is None else [self.old_state]
        return self.PREFIX + encode_safe([self.id, self.state, *old], "/")

    @classmethod
    def read(cls, text: str) -> Self:
        parts = decode(text[2:], "/")
        if len(parts) < 2:
            raise Malformed("ChangePiece: expected an id and a state")
        return cls(parts[0], parts[1], parts[2] if len(parts) > 2 else None)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MovePiece(Command):
    """A piece or stack moves (`MovePiece`): map ids, pixels, and the piece it comes to lie upon.

    `player` is who moved it, None where that was not written.
    """

    PREFIX: ClassVar[str] = "M/"
    DELIM: ClassVar[str] = "/"

    id: str
    map: str | None
    x: int
    y: int
    under: str | None
    old_map: str | None
    old_x: int
    old_y: int
    old_under: str | None
    player: Secret | None = None

    def write(self) -> str:
        ids = [self.map, self.under, self.old_map, self.old_under]
        where, under, old_where, old_under = ["null" if i is None else i for i in ids]
        parts = [self.id, where, str(self.x), str(self.y), under, old_where]
        parts += [str(self.old_x), str(self.old_y), old_under]
        if self.player is not None:
            parts.append(self.player.reveal())
        return self.PREFIX + encode_safe(parts, "/")

    @classmethod
    def read(cls, text: str) -> Self:
        parts = decode(text[2:], "/")
        if len(parts) < 9:
            raise Malformed(f"MovePiece: {len(parts)} parts, expected 9 or 10")
        ids = [None if parts[i] == "null" else parts[i] for i in (1, 4, 5, 8)]
        x, y, old_x, old_y = (read_int(parts[i]) for i in (2, 3, 6, 7))
        player = Secret(parts[9]) if len(parts) > 9 else None
        return cls(parts[0], ids[0], x, y, ids[1], ids[2], old_x, old_y, ids[3], player)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Undo(Command):
    """An undo begins (`true`) or ends; between them stand the inverse commands (`UndoCommand`)."""

    PREFIX: ClassVar[str] = "UNDO\t"

    begins: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Chat(Command):
    """A line in the chat, in VASSAL's HTML (`Chatter.DisplayText`)."""

    PREFIX: ClassVar[str] = "CHAT"

    text: str

    def write(self) -> str:
        return self.PREFIX + self.text

    @classmethod
    def read(cls, text: str) -> Self:
        return cls(text[4:])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AddPlayer(Command):
    """A player takes a side (`PlayerRoster.Add`)."""

    PREFIX: ClassVar[str] = "PLAYER\t"

    id: Secret
    name: str
    side: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RemovePlayer(Command):
    PREFIX: ClassVar[str] = "PYREMOVE\t"

    id: Secret


@dataclass(frozen=True, slots=True)
class BoardPlacement:
    """A board by name, turned round or not, at its column and row on the map."""

    name: str
    reversed: bool = False
    column: int = 0
    row: int = 0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SetBoards(Command):
    """Which boards a map shows (`BoardPicker.SetBoards`). `map` is the map's id."""

    MARK: ClassVar[str] = "BoardPicker"

    map: str
    boards: tuple[BoardPlacement, ...] = ()

    def write(self) -> str:
        parts = [self.map + self.MARK]
        for board in self.boards:
            name = encode_safe([board.name, "rev"] if board.reversed else [board.name], "/")
            parts += [name, str(board.column), str(board.row)]
        return encode_safe(parts, "\t")

    @classmethod
    def read(cls, text: str) -> Self:
        head, *rest = decode(text, "\t")
        boards = []
        for name, column, row in zip(rest[::3], rest[1::3], rest[2::3], strict=False):
            parts = decode(name, "/")
            boards.append(BoardPlacement(parts[0], parts[1:2] == ["rev"], read_int(column), read_int(row)))
        return cls(head.removesuffix(cls.MARK), tuple(boards))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SetTurn(Command):
    """The state of a turn tracker (`TurnTracker.SetTurn`)."""

    PREFIX: ClassVar[str] = "TURN"

    tracker: str
    state: str

    def write(self) -> str:
        return encode_safe([self.PREFIX + self.tracker, self.state], "\t")

    @classmethod
    def read(cls, text: str) -> Self:
        parts = decode(text, "\t")
        if len(parts) < 2:
            raise Malformed("SetTurn: expected a tracker and its state")
        return cls(parts[0][4:], parts[1])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SetGlobalProperty(Command):
    """The value of a global property, as saves carry it (`GlobalProperty`); up to 3.1 without its container."""

    PREFIX: ClassVar[str] = "GlobalProperty\t;"
    DELIM: ClassVar[str] = ";"
    LATER: ClassVar[int] = 1

    name: str
    value: str
    container: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ChangeProperty(Command):
    """A property changes in play (`ChangePropertyCommandEncoder`)."""

    PREFIX: ClassVar[str] = "MutableProperty\t"

    name: str
    old: str
    new: str
    container: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SetPersistentProperty(Command):
    """A property kept in a piece's basic state (`SetPersistentPropertyCommand`)."""

    PREFIX: ClassVar[str] = "SPP\t"

    id: str
    name: str
    old: str
    new: str
