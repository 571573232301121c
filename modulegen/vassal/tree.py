"""The tree of commands that a payload is: commands, and groups of commands that belong together.

Format: commands are joined by the ESC character; a group within a group has its ESCs escaped by a backslash,
level by level (`VASSAL.build.GameModule.encode`). The first command of a group is the one that the others hang
on. At the top, a log's entries are the player's actions, one each.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import Final

from hexforge.modulegen.vassal.commands import Chat, Command, read_command, read_played
from hexforge.modulegen.vassal.errors import Damage, FormatError
from hexforge.scenarios.words import message

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
