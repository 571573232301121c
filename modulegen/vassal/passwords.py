"""Where passwords stand in a save or log, also in commands that damage has broken.

The payload's text is searched, and not the commands that could be read of it: a separator that was lost or doubled
moves a password to where a name would stand, or makes it a part of a chat line. Sources: `PlayerRoster`,
`MovePiece`, `ObscurableOptions`, `PrivateNotesController`, `SecretNotesController` of VASSAL.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Final

from hexforge.modulegen.vassal.secret import SHORTEST, Scrubber, Secret
from hexforge.modulegen.vassal.sequence import decode
from hexforge.modulegen.vassal.veiled import owners

_ESC: Final = b"\x1b"
_NO_NAME: Final = re.compile(r"null|true|false|[+-]?\d*")
_SPEAKER: Final = re.compile(r"<([^<>]{1,80})> - |\*{2,3}[^<>]{1,160}<([^<>]{1,80})>")
_MOST_TEXT: Final = 4000
"""Characters of a command that are looked at: none that holds a password is longer."""
_TOKEN: Final = re.compile(r"\w+")
_FEW: Final = 50
ORDINARY: Final = 5
"""Chat lines that say a word before it is taken for one of the language. Hiding it in so many would tell it."""


@dataclass
class PasswordsFound:
    """What a payload gives. `sure`: ids of whole `PLAYER` commands, unless the player is called the same."""

    secrets: set[str] = field(default_factory=set)
    sure: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    chat: set[str] = field(default_factory=set)

    def hidden(self) -> set[str]:
        """The secrets that are to be hidden wherever they stand."""
        wanted = {s for s in self.secrets if len(s) >= SHORTEST and (s in self.sure or s not in self.names)}
        said = self._said(wanted)
        lines = Counter(w for line in self.chat for w in said.intersection(_TOKEN.findall(line))) if said else {}
        return {s for s in wanted if lines.get(s, 0) < ORDINARY}

    def _said(self, wanted: set[str]) -> set[str]:
        """Those that may stand in the chat: of a few it is soon known that they are not there at all."""
        if len(wanted) > _FEW:
            return wanted
        talk = "\n".join(self.chat)
        return {word for word in wanted if word in talk}


def _player(parts: list[str], found: PasswordsFound) -> None:
    if len(parts) != 3:
        # A separator that came in stands before or within the id, or else behind it.
        found.secrets.update(parts[: max(1, len(parts) - 2)])
        return
    id_, name, side = parts
    if not id_:
        # Hardly anybody plays without a password: a separator too many puts it where the name would stand. Who
        # speaks under the name is known by it all the same.
        found.secrets.add(name)
        found.names.add(side)
        return
    found.secrets.add(id_)
    found.names |= {name, side}
    if id_ not in (name, side):
        found.sure.add(id_)


def _move(parts: list[str], found: PasswordsFound) -> None:
    last = parts[-1].split("\t")[0]
    if len(parts) == 10:
        found.secrets.add(last)
        return
    beyond = [p for p in (*parts[9:-1], last) if not _NO_NAME.fullmatch(p)]
    found.secrets.update(beyond)
    found.secrets.update(p.removeprefix("null") for p in beyond)
    if len(parts) > 10:
        found.secrets.add(last)


def _note(parts: list[str], found: PasswordsFound) -> None:
    """A secret note: name, owner, whether it is hidden, text."""
    whole = len(parts) > 3 and parts[2] in ("true", "false")
    found.secrets.update(parts[1:2] if whole else parts[:3])


def _at(first: int, last: int | None, count: int) -> Callable[[list[str], PasswordsFound], None]:
    """A command whose parts from `first` to `last` are secret, all of them if it has not `count` parts."""

    def read(parts: list[str], found: PasswordsFound) -> None:
        found.secrets.update(parts[first:last] if len(parts) >= count else parts)

    return read


_FIELDS: Final[dict[bytes, tuple[str, Callable[[list[str], PasswordsFound], None]]]] = {
    b"PLAYER\t": ("\t", _player),
    b"PYREMOVE\t": ("\t", _at(0, 1, 1)),
    b"UNMASK\t": ("\t", _at(0, None, 1)),
    b"PNOTE\t": ("\t", _at(0, 1, 2)),
    b"SNOTE\t": ("\t", _note),
    b"LOCKSPOTAB\t": ("\t", _at(2, 3, 4)),
    b"INVITE\t": ("\t", _at(1, 2, 3)),
    b"PLAY\t": ("\t", _at(1, None, 2)),
    b"\x1bM/": ("/", _move),
    b"LOG\tM/": ("/", _move),
}


_STRANGE: Final = bytes(set(range(256)) - set(b"".join(_FIELDS)))


def _words(payload: bytes) -> list[bytes]:
    """The words of `_FIELDS` that may stand in a payload: to look for each in all of it is most of the work."""
    letters = payload.translate(None, _STRANGE)
    return [word for word in _FIELDS if word in letters]


def _texts(payload: bytes, word: bytes) -> Iterator[str]:
    """What stands behind each occurrence of a word, to the end of the command or to the next such word."""
    # To split the payload would copy all of it, for each word.
    at = payload.find(word)
    while at >= 0:
        begins = at + len(word)
        at = payload.find(word, begins)
        ends = begins + _MOST_TEXT if at < 0 else min(at, begins + _MOST_TEXT)
        text, _, _ = payload[begins:ends].partition(_ESC)
        yield text.decode("utf-8", "surrogateescape").rstrip("\\")


def search(payload: bytes) -> PasswordsFound:
    """Everything that stands where a password may stand, and what is said to everybody."""
    found = PasswordsFound()
    for word in _words(payload):
        delimiter, read = _FIELDS[word]
        for text in _texts(payload, word):
            read(decode(text, delimiter), found)
    found.secrets |= owners(payload)
    found.secrets -= {"", "null", "true", "false"}
    if found.secrets:
        for line in set(_texts(payload, b"CHAT")):
            text = unescape(line)
            found.chat.add(text)
            if spoken := _SPEAKER.match(text):
                found.names.add(spoken[1] or spoken[2])
    return found


def scrubber(payload: bytes) -> Scrubber:
    """What takes the passwords of a payload out of any text."""
    return Scrubber(map(Secret, search(payload).hidden()))
