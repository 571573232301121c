"""The disguises in which VASSAL and its relatives store the text of a save or log.

- `!VCSK` (VASSAL to 3.7): a key byte and the text xored with it, all in hexadecimal.
- `VOBS` (VASSAL from September 2026): a key byte from 1 to 255 and the text xored with it, raw.
- `!VCSZ` (test builds of September 2026): like `!VCSK`, the text being deflated before it is xored.
- XZ (written by pywargame): compressed by lzma, without any disguise inside or with one of the above.
- plain text, which VASSAL reads too.

Sources: `VASSAL.tools.io.ObfuscatingOutputStream`, `DeobfuscatingInputStream`, and VASSAL's pull requests 15044
and 15060.

The tree of commands that a payload is: commands, and groups of commands that belong together.

Format: commands are joined by the ESC character; a group within a group has its ESCs escaped by a backslash,
level by level (`VASSAL.build.GameModule.encode`). The first command of a group is the one that the others hang
on. At the top, a log's entries are the player's actions, one each.
"""

from __future__ import annotations

import binascii
import lzma
import re
import zlib
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import repeat
from typing import Final, NamedTuple

from ...scenarios.text.words import message
from .commands import Chat, Command, read_command, read_played
from .encoding import Damage, FormatError

MAX_PAYLOAD = 256 * 1024 * 1024


class Format(StrEnum):
    """How a payload is stored."""

    HEX = "!VCSK"
    RAW = "VOBS"
    DEFLATED = "!VCSZ"
    XZ = "xz"
    PLAIN = "plain"


_XZ_MAGIC = b"\xfd7zXZ\x00"
_NOT_HEX = re.compile(rb"[^0-9a-fA-F]")


class Payload(NamedTuple):
    """The text of a save or log, as UTF-8 bytes, with what it takes to write it back identically.

    `damage` is set if reading ended early (only when salvaging). `upper` tells a hex payload in capitals.
    """

    text: bytes
    format: Format
    key: int = 0
    upper: bool = False
    damage: Damage | None = None


@lru_cache(maxsize=256)
def _table(key: int) -> bytes:
    return bytes(byte ^ key for byte in range(256))


def xor(data: bytes, key: int) -> bytes:
    """Every byte xored with the key."""
    return data.translate(_table(key)) if key else data


def sniff(data: bytes) -> Format:
    """Which format the first bytes announce."""
    if data.startswith(b"!VCSK"):
        return Format.HEX
    if data.startswith(b"VOBS"):
        return Format.RAW
    if data.startswith(b"!VCSZ"):
        return Format.DEFLATED
    if data.startswith(_XZ_MAGIC):
        return Format.XZ
    return Format.PLAIN


def default_key(text: bytes) -> int:
    """A key from 1 to 255 that depends on the text alone, so that writing is reproducible."""
    return zlib.crc32(text) % 255 + 1


def _too_long() -> FormatError:
    return FormatError(message("vassal.too-long", most=MAX_PAYLOAD))


def _no_key(kind: str, offset: int) -> FormatError:
    what = message("vassal.nothing-behind", kind=kind)
    return FormatError(what, offset=offset)


_LINE_ENDS: Final = b"\r\n"
_WRAPPING: Final = b"\r\n\t >"


def _unhex(data: bytes, start: int, salvage: bool) -> tuple[bytes, Damage | None]:
    body = memoryview(data)[start:]
    try:
        return binascii.unhexlify(body), None
    except binascii.Error:
        pass
    bad = _NOT_HEX.search(data, start)
    end = bad.start() if bad else len(data)
    if bad and data[end] in _LINE_ENDS:
        # The text of a mail is broken into lines, and digits are still all there.
        if not salvage:
            raise FormatError(message("vassal.wrapped"), offset=end)
        whole = data.translate(None, _WRAPPING)
        if not _NOT_HEX.search(whole, start):
            return _unhex(whole, start, salvage)
    found = message("vassal.in-a-byte")
    if bad:
        found = message("vassal.found", found=chr(data[end]))
    if not salvage:
        what = message("vassal.not-hexadecimal", found=found)
        raise FormatError(what, offset=end)
    end -= (end - start) % 2
    return binascii.unhexlify(body[: end - start]), Damage(found, "savedGame", end)


def _inflate(data: bytes, salvage: bool) -> tuple[bytes, Damage | None]:
    machine = zlib.decompressobj(zlib.MAX_WBITS if data[:1] == b"\x78" else -zlib.MAX_WBITS)
    parts, size, damage = [], 0, None
    for start in range(0, len(data), 1 << 16):
        try:
            part = machine.decompress(data[start : start + (1 << 16)], MAX_PAYLOAD - size + 1)
        except zlib.error:
            what = message("vassal.broken-data")
            if not salvage:
                raise FormatError(what, offset=start) from None
            damage = Damage(what, "savedGame", start)
            break
        parts.append(part)
        size += len(part)
        if size > MAX_PAYLOAD:
            raise _too_long()
        if machine.eof:
            break
    if not machine.eof and damage is None:
        what = message("vassal.data-end")
        if not salvage:
            raise FormatError(what, offset=len(data))
        damage = Damage(what, "savedGame", len(data))
    return b"".join(parts), damage


def _unxz(data: bytes, salvage: bool) -> tuple[bytes, Damage | None]:
    machine = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=1 << 28)
    parts, size, what = [], 0, None
    feed = data
    while not machine.eof:
        try:
            part = machine.decompress(feed, 1 << 20)
        except (lzma.LZMAError, EOFError):
            what = message("vassal.broken-xz")
            break
        feed = b""
        parts.append(part)
        size += len(part)
        if size > MAX_PAYLOAD:
            raise _too_long()
        if not part and machine.needs_input:
            what = message("vassal.xz-ends")
            break
    if what and not salvage:
        raise FormatError(what, offset=size)
    return b"".join(parts), Damage(what, "savedGame", size) if what else None


def decode_payload(data: bytes, *, salvage: bool = False) -> Payload:
    """The text behind any of the formats.

    Raises `FormatError` (with the byte reached) for a broken one, unless `salvage` asks for what can be read.
    """
    kind = sniff(data)
    if kind in (Format.HEX, Format.DEFLATED):
        raw, damage = _unhex(data, 5, salvage)
        if not raw:
            if damage is None and not salvage:
                raise _no_key(str(kind), 5)
            return Payload(b"", kind, damage=damage or Damage(message("vassal.no-key"), "savedGame", 5))
        upper = _is_upper(data)
        text = xor(raw[1:], raw[0])
        if kind is Format.DEFLATED:
            text, broken = _inflate(text, salvage)
            damage = damage or broken
        return Payload(text, kind, raw[0], upper, damage)
    if kind is Format.RAW:
        if len(data) < 5:
            if not salvage:
                raise _no_key("VOBS", 4)
            return Payload(b"", kind, damage=Damage(message("vassal.no-key"), "savedGame", 4))
        return Payload(xor(data[5:], data[4]), kind, data[4])
    if kind is Format.XZ:
        inner, damage = _unxz(data, salvage)
        if sniff(inner) in (Format.PLAIN, Format.XZ):
            return Payload(inner, kind, damage=damage)
        nested = decode_payload(inner, salvage=salvage)
        return nested._replace(format=kind, damage=damage or nested.damage)
    return Payload(data, kind)


def _is_upper(data: bytes) -> bool:
    sample = data[5:4096]
    return re.search(rb"[a-f]", sample) is None and re.search(rb"[A-F]", sample) is not None


def encode_payload(text: bytes, kind: Format = Format.HEX, key: int | None = None, *, upper: bool = False) -> bytes:
    """The stored form of a text. Without a key one from 1 to 255 is derived from the text."""
    chosen = default_key(text) if key is None else key
    if not 0 <= chosen <= 255:
        raise ValueError(f"a key is one byte: {chosen}")
    if kind is Format.HEX or kind is Format.DEFLATED:
        body = zlib.compress(text, 9) if kind is Format.DEFLATED else text
        digits = f"{chosen:02x}{xor(body, chosen).hex()}"
        return (kind.value + (digits.upper() if upper else digits)).encode("ascii")
    if kind is Format.RAW:
        return b"VOBS" + bytes([chosen]) + xor(text, chosen)
    if kind is Format.XZ:
        return lzma.compress(text, format=lzma.FORMAT_XZ)
    return text


ESC: Final = b"\x1b"
_CHAT: Final = Chat.PREFIX.encode()
_BACKSLASH, _QUOTE = 0x5C, 0x27
# No VASSAL log nests deeper than a few dozen levels; every level doubles the escapes of the ones within.
MAX_DEPTH = 200
MAX_COMMANDS = 1_000_000
# The largest saves known hold 77,000 empty stacks and some thousand other commands, the longest log a few hundred
# actions.
MAX_DOINGS = 50_000
MAX_STEPS = 20_000
# Bytes that may be copied while levels are peeled off, as a multiple of the payload, and at least.
WORK_FACTOR, WORK_FLOOR = 60, 64 * 1024 * 1024


class Node:
    """A command (a leaf) or a group of nodes. Groups are never empty.

    Text is kept as UTF-8 bytes, and read into a typed value when it is asked for.
    """

    __slots__ = ("parts", "raw", "source")

    def __init__(self, raw: bytes, parts: tuple[Node, ...] = (), source: bytes | None = None) -> None:
        self.raw = raw
        self.parts = parts
        # The group's own text, where VASSAL's encoder would write it otherwise.
        self.source = source

    @property
    def is_group(self) -> bool:
        return bool(self.parts)

    @property
    def text(self) -> str:
        """A leaf's text; bytes that are not UTF-8 become lone surrogates, which `encode` turns back."""
        return self.raw.decode("utf-8", "surrogateescape")

    @property
    def command(self) -> Command:
        """A leaf's command, or that of a group's first leaf."""
        return read_command(self.head.text)

    @property
    def head(self) -> Node:
        """The first leaf."""
        node = self
        while node.parts:
            node = node.parts[0]
        return node

    @property
    def is_log_entry(self) -> bool:
        """Whether this is a player's logged action: VASSAL logs a command with all that hangs on it."""
        return self.head.raw.startswith(b"LOG\t")

    def leaves(self) -> Iterator[Node]:
        """All commands below, in the order in which VASSAL carries them out."""
        stack = [self]
        while stack:
            node = stack.pop()
            if node.parts:
                stack.extend(reversed(node.parts))
            else:
                yield node

    def commands(self) -> Iterator[Command]:
        """All commands below, typed; logged ones without their `LOG`."""
        for leaf in self.leaves():
            raw = leaf.raw
            # Most of what players' own logs hold; every comparison counts there.
            if raw.startswith(_CHAT):
                yield Chat(raw[len(_CHAT) :].decode("utf-8", "surrogateescape"))
            else:
                yield read_played(leaf.text)

    def encode(self) -> bytes:
        """The payload's text of this node."""
        if self.source is not None:
            return self.source
        if not self.parts:
            return self.raw
        return join([part.encode() for part in self.parts])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self.encode() == other.encode()

    def __hash__(self) -> int:
        return hash(self.encode())

    def __repr__(self) -> str:
        kind = f"group of {len(self.parts)}" if self.parts else type(self.command).__name__
        return f"<{kind}>"


def leaf(command: Command) -> Node:
    """A node of one command."""
    return Node(command.encode().encode("utf-8", "surrogateescape"))


def group(*nodes: Node | Command) -> Node:
    """Nodes that belong together; a single one is itself."""
    parts = tuple(n if isinstance(n, Node) else leaf(n) for n in nodes)
    if not parts:
        raise ValueError("a group has at least one command")
    return parts[0] if len(parts) == 1 else Node(b"", parts)


def join(texts: list[bytes]) -> bytes:
    """Join encoded nodes as VASSAL does, but quoting what VASSAL would lose (see `sequence`)."""
    return ESC.join([_quote(text) for text in texts])


def _quote(text: bytes) -> bytes:
    escaped = text.replace(ESC, b"\\\x1b") if ESC in text else text
    if text and _needs_quotes(text):
        return b"'" + escaped + b"'"
    return escaped


def _needs_quotes(text: bytes) -> bool:
    return text[0] == _BACKSLASH or (text[0] == _QUOTE and text[-1] == _QUOTE) or text[-1] == _BACKSLASH


def _split(raw: bytes) -> tuple[list[bytes], bool]:
    """The parts of a group, unescaped, and whether joining them gives the text back."""
    pieces = raw.split(ESC)
    if not any(map(bytes.endswith, pieces, repeat(b"\\"))):
        parts = pieces
    else:
        parts = []
        pending: list[bytes] = []
        last = pieces.pop()
        for piece in pieces:
            if piece[-1:] == b"\\":
                pending.append(piece[:-1])
            elif pending:
                pending.append(piece)
                parts.append(ESC.join(pending))
                pending = []
            else:
                parts.append(piece)
        parts.append(ESC.join([*pending, last]))
    exact = True
    for index, token in enumerate(parts):
        if token and (token[0] == _QUOTE or token[0] == _BACKSLASH or token[-1] == _BACKSLASH):
            if token[0] == _QUOTE == token[-1] and len(token) > 1:
                parts[index] = inner = token[1:-1]
                exact = exact and bool(inner) and _needs_quotes(inner)
            elif _needs_quotes(token):
                exact = False
    return parts, exact


class _Reader:
    def __init__(self, payload: bytes) -> None:
        self.budget = max(WORK_FLOOR, WORK_FACTOR * len(payload))
        count = payload.count(ESC) + 1
        if count > MAX_COMMANDS:
            what = message("vassal.commands", found=count, most=MAX_COMMANDS)
            raise FormatError(what, where="savedGame")
        # No more than these can be empty stacks. Texts that only look like them are found out later (`save`).
        if count > MAX_DOINGS and count - payload.count(b"/stack/") > MAX_DOINGS:
            raise FormatError(message("vassal.doings", most=MAX_DOINGS), where="savedGame")

    def node(self, raw: bytes, depth: int) -> Node:
        self.budget -= len(raw)
        if depth > MAX_DEPTH or self.budget < 0:
            what = message("vassal.too-deep")
            raise FormatError(what, where="savedGame")
        if ESC not in raw:
            if len(raw) > 1 and raw[0] == _QUOTE == raw[-1]:
                return Node(raw[1:-1], source=raw)
            return Node(raw)
        parts, exact = _split(raw)
        if len(parts) == 1:
            # A lone escaped separator: VASSAL reads what is inside once more.
            inner = self.node(parts[0], depth + 1)
            return Node(b"", (inner,), source=raw)
        # Nearly all parts are plain commands, for which a call each would double the time.
        nodes = [
            Node(part) if ESC not in part and part[:1] != b"'" else self.node(part, depth + 1) for part in parts
        ]
        return Node(b"", tuple(nodes), None if exact else raw)


def read_tree(payload: bytes, *, salvage: bool = False) -> tuple[Node, Damage | None]:
    """The whole tree of a payload.

    The root is a group of the top-level entries, or a leaf if there is just one command. When salvaging, the tree
    ends before an entry that cannot be read, and the damage says where; else `FormatError` is raised.
    """
    reader = _Reader(payload)
    if ESC not in payload:
        return reader.node(payload, 1), None
    parts, exact = _split(payload)
    nodes, offset = [], 0
    damage = None
    for part in parts:
        try:
            nodes.append(reader.node(part, 1))
        except FormatError as error:
            if not salvage:
                raise FormatError(error.what, where=error.where, offset=offset) from None
            damage = Damage(error.what, "savedGame", offset)
            break
        offset += len(part) + 1
    return Node(b"", tuple(nodes), None if exact or damage else payload), damage


def drop_last_leaf(root: Node) -> Node | None:
    """The tree without its last command, which damage may have cut short."""
    if not root.parts:
        return None
    kept = drop_last_leaf(root.parts[-1])
    parts = root.parts[:-1] if kept is None else (*root.parts[:-1], kept)
    return Node(b"", parts) if parts else None
