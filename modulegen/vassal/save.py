"""Saves and logs as files: a container with the command tree and what is said about the module.

Entries: `savedGame` holds the commands, `moduledata` describes the module, `savedata` the program that wrote it.
A log is a save with the players' actions behind it. Source: `VASSAL.build.module.GameState`, `BasicLogger`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from hexforge.modulegen.vassal.archive import EPOCH, Archive, ArchiveEntry, some_of, zip_bytes
from hexforge.modulegen.vassal.commands import Command, EndSave, Log
from hexforge.modulegen.vassal.errors import Damage, FormatError
from hexforge.modulegen.vassal.metadata import MAX_METADATA, Metadata, read_metadata, write_metadata
from hexforge.modulegen.vassal.payload import MAX_PAYLOAD, Format, Payload, decode_payload, encode_payload
from hexforge.modulegen.vassal.position import EMPTY_STACK
from hexforge.modulegen.vassal.tree import ESC, MAX_DOINGS, MAX_STEPS, Node, drop_last_leaf, group, leaf, read_tree
from hexforge.scenarios.files import put as put_file
from hexforge.scenarios.system import open_file
from hexforge.scenarios.words import message

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


__all__ = ["Payload", "SavedGame", "ends_restore", "read_save", "rewrite", "save_bytes", "save_tree", "write_save"]
