"""VASSAL's delimited sequences of strings, errors of its files, and a bounded memory of what was decoded.

What was made of texts that strangers wrote, kept for when they come again, and never more than so much of it.

Delimited sequences of strings, as VASSAL nests them in every type, state and command.

Format: parts are joined by a one-character delimiter; a delimiter inside a part is written as backslash
delimiter; a part that begins with a backslash, or begins and ends with an apostrophe, is wrapped in a pair of
apostrophes. Reading strips one such pair. Source: class `VASSAL.tools.SequenceEncoder`.

The format cannot carry every sequence: a part that ends in a backslash swallows the delimiter behind it.
`encode` writes what VASSAL writes, that defect included; `encode_safe` wraps such a part in apostrophes, so that
VASSAL reads it back whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, update_wrapper
from typing import Final, Generic, TypeVar

from ...scenarios.text.words import HexforgeError, Message, Param, message


class FormatError(HexforgeError, ValueError):
    """A file that is not what it should be.

    `where` names the place inside it (an archive's entry, an element), `offset` counts bytes there, as far as
    reading came. `what` says what was found and what was expected; `message` that with its place.
    """

    def __init__(self, what: Message, *, path: str = "", where: str = "", offset: int | None = None) -> None:
        super().__init__(_placed(what, path, where, offset))
        self.what = what
        self.path = path
        self.where = where
        self.offset = offset

    def at(self, *, path: str = "", where: str = "") -> FormatError:
        """The same error with the place filled in where it was not known."""
        return FormatError(self.what, path=self.path or path, where=self.where or where, offset=self.offset)


@dataclass(frozen=True)
class Damage:
    """Why and where a salvaged reading ended. `offset` counts bytes of `where`."""

    what: Message
    where: str
    offset: int

    @property
    def message(self) -> Message:
        """The reason with its place."""
        return _placed(self.what, self.where, "", self.offset)

    def __str__(self) -> str:
        return str(self.message)


def _placed(what: Message, path: str, where: str, offset: int | None) -> Message:
    place: tuple[Param, ...] = tuple(filter(None, (path, where)))
    if offset is not None:
        place = (*place, message("vassal.byte", offset=offset))
    return message("vassal.placed", place=place, what=what) if place else what


V = TypeVar("V")
_BESIDES: Final = 500
"""Characters that an entry counts for besides its text."""


class Remembered(Generic[V]):
    """A function of one text that gives for a text of late what it gave before.

    Texts are bounded together by their characters: how many there are says nothing of how much they hold, and a
    process that serves strangers lives long. Of `most` characters, half are of the texts asked for last; the others
    are of those before, and go as one. What is made may not be None.
    """

    def __init__(self, make: Callable[[str], V], most: int) -> None:
        self._make = make
        self._half = most // 2
        self._young: dict[str, V] = {}
        self._old: dict[str, V] = {}
        self._size = 0
        update_wrapper(self, make)

    def __call__(self, text: str) -> V:
        found = self._young.get(text)
        return found if found is not None else self._renewed(text)

    def _renewed(self, text: str) -> V:
        found = self._old.get(text)
        if found is None:
            found = self._make(text)
        size = len(text) + _BESIDES
        if size <= self._half:
            if self._size + size > self._half:
                self._old, self._young, self._size = self._young, {}, 0
            self._young[text] = found
            self._size += size
        return found

    def clear(self) -> None:
        """Forget all of it."""
        self._young, self._old, self._size = {}, {}, 0

    @property
    def characters(self) -> int:
        """How many characters of text are kept."""
        return sum(map(len, (*self._old, *self._young)))


def remembered(most: int) -> Callable[[Callable[[str], V]], Remembered[V]]:
    """A function of one text as `Remembered`, up to so many characters."""
    return lambda make: Remembered(make, most)


Part = str | None
_INTEGER = re.compile(r"[+-]?[0-9]{1,10}", re.ASCII)


@lru_cache(maxsize=64)
def _splitter(delim: str) -> re.Pattern[str]:
    if len(delim) != 1:
        raise ValueError(f"a delimiter is one character, not {delim!r}")
    if delim == "\\":
        raise ValueError("the escape character cannot be the delimiter")
    return re.compile(r"(?<!\\)" + re.escape(delim))


def quote(part: Part, delim: str) -> str:
    """One part as it stands in a sequence; None is written like the empty string."""
    if not part:
        return ""
    first = part[0]
    escaped = part.replace(delim, "\\" + delim) if delim in part else part
    if first == "\\" or (first == "'" and part[-1] == "'"):
        return f"'{escaped}'"
    return escaped


def quote_safe(part: Part, delim: str) -> str:
    """Like `quote`, but a part that ends in a backslash survives."""
    quoted = quote(part, delim)
    return f"'{quoted}'" if quoted.endswith("\\") else quoted


def unquote(token: str) -> str:
    """Strip one enclosing pair of apostrophes, if there is one."""
    if len(token) > 1 and token[0] == "'" and token[-1] == "'":
        return token[1:-1]
    return token


def encode(parts: Iterable[Part], delim: str) -> str:
    """Join parts exactly as VASSAL does. No parts at all give "" (VASSAL's encoder: null)."""
    _splitter(delim)
    return delim.join([quote(part, delim) for part in parts])


def encode_safe(parts: Iterable[Part], delim: str) -> str:
    """Join parts so that every sequence of one part or more is read back unchanged."""
    _splitter(delim)
    return delim.join([quote_safe(part, delim) for part in parts])


def decode_token(raw: str, delim: str) -> str:
    """The part that one raw token stands for."""
    if delim in raw:
        raw = raw.replace("\\" + delim, delim)
    return unquote(raw)


def decode(text: str | None, delim: str) -> list[str]:
    """All parts of a sequence. None has none; the empty string has one, which is empty."""
    if text is None:
        return []
    if delim not in _CHECKED:
        _splitter(delim)
        _CHECKED.add(delim)
    if "\\" not in text:
        tokens = text.split(delim)
        return [unquote(t) for t in tokens] if "'" in text else tokens
    return [unquote(t) for t in _unescaped(text, delim)]


_CHECKED: set[str] = set()


def _unescaped(text: str, delim: str) -> list[str]:
    pieces = text.split(delim)
    if "\\" + delim not in text:
        return pieces
    tokens: list[str] = []
    pending: list[str] = []
    last = pieces.pop()
    for piece in pieces:
        if piece.endswith("\\"):
            pending.append(piece[:-1])
        elif pending:
            tokens.append(delim.join([*pending, piece]))
            pending = []
        else:
            tokens.append(piece)
    tokens.append(delim.join([*pending, last]))
    return tokens


def decode_checked(text: str, delim: str) -> tuple[list[str], bool]:
    """All parts, and whether `encode_safe` of them gives the very same text; cheaper than doing it."""
    if "\\" not in text and "'" not in text:
        return text.split(delim), True
    parts, exact = _unescaped(text, delim), True
    for index, token in enumerate(parts):
        if not token:
            continue
        if token[0] == "'" == token[-1] and len(token) > 1:
            inner = parts[index] = token[1:-1]
            exact = exact and bool(inner) and _needs_quotes(inner)
        elif _needs_quotes(token):
            exact = False
    return parts, exact


def _needs_quotes(part: str) -> bool:
    return part[0] == "\\" or part[-1] == "\\" or (part[0] == "'" and part[-1] == "'")


class Decoder(Iterator[str]):
    """Reads a sequence part by part, with defaults for parts that are not there.

    A reader of a trait takes what older versions wrote (fewer parts) and newer ones (more parts).
    """

    __slots__ = ("_delim", "_rest")

    def __init__(self, text: str | None, delim: str) -> None:
        _splitter(delim)
        self._rest: str | None = text
        self._delim = delim

    def __bool__(self) -> bool:
        return self._rest is not None

    def __next__(self) -> str:
        if self._rest is None:
            raise StopIteration
        head = _splitter(self._delim).split(self._rest, 1)
        self._rest = head[1] if len(head) == 2 else None
        return decode_token(head[0], self._delim)

    @property
    def remaining(self) -> str:
        """What has not been read, still encoded; "" at the end."""
        return self._rest or ""

    def text(self, default: str = "") -> str:
        """The next part, or `default` where the sequence has ended."""
        return default if self._rest is None else next(self)

    def integer(self, default: int = 0) -> int:
        """The next part as a Java int, or `default` where it is none."""
        if self._rest is None:
            return default
        token = next(self)
        return int(token) if _INTEGER.fullmatch(token) else default

    def boolean(self, default: bool = False) -> bool:
        """Whether the next part is the word `true`, or `default` where the sequence has ended."""
        return default if self._rest is None else next(self) == "true"
