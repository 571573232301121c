"""Saves and logs as files: a container with the command tree and what is said about the module.

Entries: `savedGame` holds the commands, `moduledata` describes the module, `savedata` the program that wrote it.
A log is a save with the players' actions behind it. Source: `VASSAL.build.module.GameState`, `BasicLogger`.

Commands that do not fit the position that they are carried out on.

VASSAL writes beside what a command does what it was done to. In a log to which nothing was done, that is what the
commands before have led to. Its classes, and what each keeps for its own undo (`myUndoCommand`):

- `VASSAL.command.MovePiece`: map, point and piece beneath before the move (`MoveTracker`).
- `VASSAL.command.ChangePiece`: the whole state before the change (`ChangeTracker`), of which
  `VASSAL.counters.Decorator.mergeState` carries out only the traits that differ. The piece is looked up by its id,
  as `VASSAL.command.RemovePiece` does; what is not there is passed over in silence.
- `VASSAL.command.AddPiece`: nothing. A stack is added around a piece that was set down just before, at the same
  point (`VASSAL.build.module.Map.placeOrMerge`).
- `VASSAL.build.module.properties.ChangePropertyCommand`: the value before.
- `VASSAL.command.SetPersistentPropertyCommand`: the value before, of which nothing is asked here.

A tracker's `VASSAL.build.module.turn.TurnTracker.SetTurn` knows its old state and does not write it.

Undos in logs of VASSAL 2, which wrote the inverse commands of an action without any mark around them.

An undo is the latest action that stands, backwards: its last command first, old and new exchanged, chat lines with
a word before them. Commands that VASSAL has no undo for (dice faces, flares, sounds, notes, players) leave nothing
in it. Whoever drags a piece back by hand leaves other commands: marks and reports come with each drag. Source:
`Command.getUndoCommand`, and each command's `myUndoCommand`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from ...scenarios.console import open_file
from ...scenarios.text.files import put as put_file
from ...scenarios.text.words import message
from .archive import (
    EPOCH,
    MAX_METADATA,
    Archive,
    ArchiveEntry,
    Metadata,
    read_metadata,
    some_of,
    write_metadata,
    zip_bytes,
)
from .commands import (
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
    EndSave,
    Flare,
    Log,
    MovePiece,
    Null,
    PlayClip,
    PrivateNote,
    PublicNotes,
    RemovePiece,
    RemovePlayer,
    ScenarioNotes,
    SecretNote,
    SetPersistentProperty,
    SetTurn,
    Undo,
    WakeUp,
)
from .encoding import Damage, FormatError
from .payload import (
    ESC,
    MAX_DOINGS,
    MAX_PAYLOAD,
    MAX_STEPS,
    Format,
    Node,
    decode_payload,
    drop_last_leaf,
    encode_payload,
    group,
    leaf,
    read_tree,
)
from .position import EMPTY_STACK, GameState, PieceRecord
from .traits import Footprint, Layer, Marker, StackState, Trait, UnknownTrait
from .traits.piece import STACK, TooManyTraits, read_types, unnest

SAVED_GAME, MODULE_DATA, SAVE_DATA = "savedGame", "moduledata", "savedata"


@dataclass(frozen=True)
class SavedGame:
    """A save or log that has been read. `damage` is set if only a part of it could be (salvaging)."""

    path: str
    root: Node
    format: Format = Format.HEX
    key: int = 0
    upper: bool = False
    payload_size: int = 0
    stored_size: int = 0
    module: Metadata | None = None
    saved: Metadata | None = None
    damage: Damage | None = None
    entries: tuple[str, ...] = ()
    text: bytes = field(default=b"", repr=False, compare=False)
    """All that was read, what damage cut off included."""

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The top-level entries."""
        return self.root.parts or (self.root,)

    @cached_property
    def _parted(self) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
        restore: list[Node] = []
        steps: list[Node] = []
        for node in self.nodes:
            (steps if node.is_log_entry else restore).append(node)
        return tuple(restore), tuple(steps)

    @property
    def restore(self) -> tuple[Node, ...]:
        """The entries that set up the position; all that are not logged actions."""
        return self._parted[0]

    @property
    def steps(self) -> tuple[Node, ...]:
        """The logged actions, one entry each."""
        return self._parted[1]

    @property
    def is_log(self) -> bool:
        return bool(self._parted[1])

    def payload(self) -> bytes:
        """The `savedGame` entry's bytes, in the format and with the key that it was read with."""
        return encode_payload(self.root.encode(), self.format, self.key, upper=self.upper)


def read_save(source: Path | str | bytes, *, salvage: bool = False) -> SavedGame:
    """Read a `.vsav` or `.vlog`, or a payload that stands alone in a file.

    Raises `FormatError` with the place and how far reading came. With `salvage`, everything up to the damage is
    returned instead, except where nothing can be read at all.
    """
    path = "" if isinstance(source, bytes) else str(source)
    start = source[:6] if isinstance(source, bytes) else _head(Path(source))
    if start.startswith((b"!VCS", b"VOBS", b"\xfd7zXZ", b"begin_")):
        data = source if isinstance(source, bytes) else _bounded(Path(source))
        return _parse(path, data, None, None, (), salvage, None)
    with Archive(source, salvage=salvage) as archive:
        if SAVED_GAME not in archive:
            found = some_of(archive.names)
            what = message("vassal.no-game", found=found)
            raise FormatError(what, path=path)
        data = archive.read(SAVED_GAME, 2 * MAX_PAYLOAD)
        damage = archive.damage
        module = _metadata(archive, MODULE_DATA, salvage)
        saved = _metadata(archive, SAVE_DATA, salvage)
        return _parse(path, data, module, saved, tuple(archive.names), salvage, damage)


def _head(path: Path) -> bytes:
    with open_file(path, whole=True) as stream:
        return stream.read(6)


def _bounded(path: Path) -> bytes:
    if path.stat().st_size > 2 * MAX_PAYLOAD:
        size = path.stat().st_size
        what = message("vassal.too-large", most=2 * MAX_PAYLOAD, size=size)
        raise FormatError(what, path=str(path))
    return path.read_bytes()


def _metadata(archive: Archive, name: str, salvage: bool) -> Metadata | None:
    if name not in archive:
        return None
    try:
        return read_metadata(archive.read(name, MAX_METADATA))
    except FormatError as error:
        if salvage:
            return None
        raise error.at(path=archive.path, where=name) from None


def _parse(  # noqa: PLR0917
    path: str,
    data: bytes,
    module: Metadata | None,
    saved: Metadata | None,
    entries: tuple[str, ...],
    salvage: bool,
    damage: Damage | None,
) -> SavedGame:
    try:
        payload = decode_payload(data, salvage=salvage)
        stored = len(data)
        del data
        root, broken = read_tree(payload.text, salvage=salvage)
        _refuse_long(root, payload.text)
    except FormatError as error:
        raise error.at(path=path, where=SAVED_GAME) from None
    damage = damage or payload.damage
    if damage is None and broken is None and not _is_complete(root):
        what = message("vassal.no-end")
        damage = Damage(what, SAVED_GAME, stored)
        if not salvage:
            raise FormatError(what, path=path, where=SAVED_GAME, offset=stored)
    if damage is not None:
        # The last command may have been cut short.
        root = drop_last_leaf(root) or Node(b"")
    return SavedGame(
        path,
        root,
        payload.format,
        payload.key,
        payload.upper,
        len(payload.text),
        stored,
        module,
        saved,
        damage or broken,
        entries,
        payload.text,
    )


def _refuse_long(root: Node, text: bytes) -> None:
    """Raise FormatError for more commands or actions than people play, before anything is made of each of them."""
    if text.count(ESC) >= MAX_DOINGS:
        # Old saves hold tens of thousands of empty stacks, which cost next to nothing.
        doings = sum(1 for leaf in root.leaves() if EMPTY_STACK(leaf.raw) is None)
        if doings > MAX_DOINGS:
            raise FormatError(message("vassal.doings", most=MAX_DOINGS))
    steps = sum(1 for part in root.parts if part.is_log_entry)
    if steps > MAX_STEPS:
        raise FormatError(message("vassal.steps", found=steps, most=MAX_STEPS))


def _is_complete(root: Node) -> bool:
    """Whether a position that begins also ends: VASSAL writes both or neither."""
    starts = root.head.raw == b"begin_save"
    ends = any(part.raw == b"end_save" for part in root.parts)
    return not starts or ends or any(leaf.raw == b"end_save" for leaf in root.leaves())


def save_tree(restore: Iterable[Command | Node], log: Iterable[Iterable[Command]] = ()) -> Node:
    """The tree of a save, or of a log if there are actions.

    `restore` begins with `BeginSave` and ends with `EndSave`; every action is a sequence of commands, the first
    of which the others hang on.
    """
    nodes: list[Node] = [n if isinstance(n, Node) else leaf(n) for n in restore]
    for action in log:
        nodes.append(group(*[c if isinstance(c, Log) else Log(c) for c in action]))
    return group(*nodes)


def save_bytes(
    root: Node,
    module: Metadata | None = None,
    saved: Metadata | None = None,
    *,
    format: Format = Format.HEX,
    key: int | None = None,
    stamp: tuple[int, int, int, int, int, int] = EPOCH,
) -> bytes:
    """The container of a save or log. The same input gives the same bytes."""
    entries = [ArchiveEntry(SAVED_GAME, encode_payload(root.encode(), format, key))]
    if saved is not None:
        entries.append(ArchiveEntry(SAVE_DATA, write_metadata(saved)))
    if module is not None:
        entries.append(ArchiveEntry(MODULE_DATA, write_metadata(module)))
    return zip_bytes(entries, stamp=stamp)


def write_save(path: Path | str, root: Node, module: Metadata | None = None, saved: Metadata | None = None) -> None:
    """Write a `.vsav` or `.vlog` that VASSAL 3.7 reads, atomically."""
    put_file(path, save_bytes(root, module, saved))


def rewrite(game: SavedGame, *, format: Format | None = None) -> bytes:
    """A save's container anew, in its own payload format and key or in another format."""
    kind = game.format if format is None else format
    return save_bytes(game.root, game.module, game.saved, format=kind, key=game.key if format is None else None)


def ends_restore(node: Node) -> bool:
    """Whether a top-level entry closes the saved position."""
    return isinstance(node.command, EndSave)


MisfitKind = Literal["nothing", "there-already", "elsewhere", "otherwise", "fixed", "property", "undo"]


@dataclass(frozen=True, slots=True)
class Misfit:
    """A command that does not fit. `id`: of the piece it is about or, for a property, its name.

    Kinds: there is `nothing` of that id, or a piece that is added is `there-already`; a piece stood `elsewhere`
    or was `otherwise` than the command says, or something that no play changes, `fixed`, is changed; a `property`
    had another value; an `undo` lacks its beginning, its end, or all that lies between, and no id.
    """

    kind: MisfitKind
    id: str


def misfit(position: GameState, command: Command) -> Misfit | None:
    """How a command does not fit a position, before it is carried out on it; None where it does."""
    plain = command.command if isinstance(command, Log) else command
    match plain:
        case MovePiece() | ChangePiece() | RemovePiece() | SetPersistentProperty():
            if plain.id not in position.pieces and plain.id not in position.containers:
                return Misfit("nothing", plain.id)
            return _of_piece(position, plain)
        case AddPiece(id=str(id_)) if id_ in position.pieces:
            return Misfit("there-already", id_)
        case AddPiece(type=type_) if type_ == STACK:
            return _of_stack(position, StackState.decode(plain.state))
        case ChangeProperty(old=old) if old:  # none is told of a property that nothing has been given yet
            known = position.properties.get((plain.container, plain.name), plain.old)
            return Misfit("property", plain.name) if known not in (plain.old, plain.new) else None
    return None


def half_undo(commands: Iterable[Command]) -> Misfit | None:
    """How an action that takes another back does not: between two marks it takes something back.

    `VASSAL.build.module.BasicLogger.undo` makes all of it one command.
    """
    begun = taken = False
    for command in commands:
        plain = command.command if isinstance(command, Log) else command
        if not isinstance(plain, Undo):
            taken = True
        elif plain.begins == begun or not (plain.begins or taken):
            return Misfit("undo", "")
        else:
            begun, taken = plain.begins, False
    return Misfit("undo", "") if begun else None


def _of_stack(position: GameState, stack: StackState) -> Misfit | None:
    """How the pieces that a stack is added around do not stand where it is."""
    for id_ in stack.pieces:
        stood = position.place(id_)
        if stood != (stack.map, stack.x, stack.y):
            return Misfit("nothing" if stood is None else "elsewhere", id_)
    return None


def _of_piece(position: GameState, command: Command) -> Misfit | None:
    match command:
        case MovePiece(id=id_):
            stood, said = position.place(id_), (command.old_map, command.old_x, command.old_y)
            off_map = stood is not None and stood[0] is None and command.old_map is None
            return Misfit("elsewhere", id_) if stood != said and not off_map else None
        case ChangePiece(id=id_, old_state=str(old)) if id_ in position.pieces:
            kind = _changed_amiss(position.pieces[id_], command.state, old)
            return Misfit(kind, id_) if kind is not None else None
    return None


def _changed_amiss(record: PieceRecord, new: str, old: str) -> MisfitKind | None:
    """How a change of a piece's state does not fit the states of its traits.

    A state may be the new one already, for VASSAL gives a trait what it has. Nothing is asked of the innermost
    state: places stand in it, which the position keeps elsewhere.
    """
    states = record.states[:-1]
    try:
        before, after = unnest(old, len(record.states)), unnest(new, len(record.states))
        told = list(zip(states, before, after, strict=False))
        changed = [i for i, (_, b, a) in enumerate(told) if a != b]
        amiss = [i for i, (s, b, a) in enumerate(told) if s not in (a, b)]
        if not changed and not amiss:
            return None
        traits = read_types(record.type)
    except TooManyTraits:
        return None
    if any(isinstance(traits[i], Marker) for i in changed):
        return "fixed"
    return "otherwise" if any(_is_known(traits[i]) for i in amiss) else None


def _is_known(trait: Trait) -> bool:
    """Whether a trait has no other state than commands gave it.

    VASSAL adds to trails as it reads them, and a layer that follows a property is set as the piece is drawn.
    """
    return not isinstance(trait, Footprint | UnknownTrait) and not (isinstance(trait, Layer) and trait.follow)


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
