"""What a stranger's bytes may do to the readers: nothing but an answer or a `FormatError`.

The first byte of an input chooses the reader, the rest is given to it. Whatever was read must be written back
to the same bytes, and every change of a position must be undone to what was before.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from hexforge.modulegen.vassal.archive import Archive, ArchiveEntry, parse_xml, read_metadata, zip_bytes
from hexforge.modulegen.vassal.commands import Log, read_command
from hexforge.modulegen.vassal.encoding import FormatError, decode, decode_checked, encode_safe
from hexforge.modulegen.vassal.inspect import describe_save
from hexforge.modulegen.vassal.module import read_module
from hexforge.modulegen.vassal.payload import Format, decode_payload, encode_payload, read_tree
from hexforge.modulegen.vassal.position import GameState
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save
from hexforge.modulegen.vassal.story import tell
from hexforge.modulegen.vassal.traits import read_piece
from hexforge.modulegen.vassal.traits.base import read_trait
from hexforge.modulegen.vassal.traits.piece import TooManyTraits


def container(data: bytes) -> None:
    """A whole file, strictly and salvaging."""
    try:
        strict = read_save(data)
    except FormatError:
        strict = None
    try:
        rescued = read_save(data, salvage=True)
    except FormatError:
        assert strict is None, "salvaging gives less than strict reading"
        return
    if strict is not None:
        assert rescued.root.encode() == strict.root.encode()
    describe_save(rescued)


def payload(data: bytes) -> None:
    found = decode_payload(data, salvage=True)
    if found.damage is None and found.format not in (Format.XZ, Format.DEFLATED):
        again = encode_payload(found.text, found.format, found.key)
        assert again.lower() == data.lower()


def tree(data: bytes) -> None:
    root, _ = read_tree(data)
    assert root.encode() == data
    position = GameState()
    before = dict(position.pieces)
    changes = position.apply(root.commands())
    for leaf in root.leaves():
        command = read_command(leaf.text)
        assert command.encode() == leaf.text
        if not isinstance(command, Log):
            repr(command)
    position.undo(changes)
    assert position.pieces == before
    assert not position.containers


def traits(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    trait = read_trait(text)
    assert trait.encode() == text
    with suppress(TooManyTraits):
        read_piece(text, text).properties()
    position = GameState()
    position.apply(read_command("+/1/" + encode_safe([text, text], "/")))


def build_file(data: bytes) -> None:
    module = read_module(zip_bytes([ArchiveEntry("buildFile.xml", data)]))
    for window in module.maps:
        for board in window.boards:
            if board.grid is not None:
                name = board.grid.location_name((100, 100), board.size or (500, 500))
                board.grid.point_of(name or "0101", board.size or (500, 500))
    for slot in module.slots:
        module.expand(slot.piece).properties()


def xml(data: bytes) -> None:
    parse_xml(data, 1 << 20)
    read_metadata(data)


def sequence(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for delim in ";,\t/":
        parts, exact = decode_checked(text, delim)
        assert parts == decode(text, delim)
        assert exact == (encode_safe(parts, delim) == text)


def replay(data: bytes) -> None:
    """A log's text: every step, and back."""
    player = LogReplay(read_save(encode_payload(data)))
    list(player.pieces())
    start = dict(player.position.pieces)
    list(tell(player))
    list(player.pieces())
    player.goto(0)
    assert player.position.pieces == start


def salvage_archive(data: bytes) -> None:
    with Archive(data, salvage=True) as found:
        for name in found.names[:20]:
            found.read(name, 1 << 20)


TARGETS: dict[bytes, Callable[[bytes], None]] = {
    b"z": container,
    b"a": salvage_archive,
    b"p": payload,
    b"t": tree,
    b"r": replay,
    b"c": traits,
    b"b": build_file,
    b"x": xml,
    b"s": sequence,
}


def one_input(data: bytes) -> None:
    """Give one input to the reader that its first byte names."""
    target = TARGETS.get(data[:1])
    if target is None:
        return
    with suppress(FormatError):
        target(data[1:])
