"""Passwords in saves and logs, and pieces that are hidden, masked or private.

The payload's text is searched, and not the commands that could be read of it: a separator that was lost or doubled
moves a password to where a name would stand, or makes it a part of a chat line. Sources: `PlayerRoster`,
`MovePiece`, `ObscurableOptions`, `PrivateNotesController`, `SecretNotesController` of VASSAL.

Passwords that VASSAL writes in clear, kept for writing them back and for nothing else.

Who hid, masked or kept to himself the pieces of a save or log: where players do it, that is their passwords.

The payload's bytes are searched, as damage leaves them. Format: the n-th state of a piece is that of its n-th
trait, counted from outside; a mask's state is its owner, and options behind a semicolon; that of a piece kept to
one player is that player; the last begins with the map. VASSAL writes as many states as traits: where there are
not as many, any may be an owner. Sources: `BasicPiece`, `Decorator`, `Hideable`, `Obscurable`, `PlayerAccess`,
`Restricted` of VASSAL; VASL's `Concealable`, `Concealment`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from itertools import repeat
from typing import Any, Final

from .encoding import decode

HIDDEN = "•••"


class Secret:
    """A player's id, which in VASSAL is the password. No way of printing it shows it; `reveal` gives it."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The text itself, for writing a file back and for telling whether two players are the same."""
        return self._value

    def __repr__(self) -> str:
        return HIDDEN

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(HIDDEN, spec)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> tuple[type[Secret], tuple[str]]:
        raise TypeError("a password is not to be stored")


SHORTEST: Final = 3
"""Shorter words stand in every text: to hide them there would tell the password rather than keep it."""
_LONGEST: Final = 200
_KEPT: Final = 20_000


class Scrubber:
    """Replaces known passwords in free text, where they stand as words of their own.

    Within words too, where that cannot be by chance: those that are unlike any word, and all of them in a text with
    a tab, which is a command that damage has put there.
    """

    def __init__(self, secrets: Iterable[Secret], public: Iterable[str] = ()) -> None:
        """`public`: players' names and sides; a password that is one cannot be told apart from it and stays."""
        words = {s.reveal()[:_LONGEST] for s in secrets} - set(public) - {""}
        longest_first = sorted(words, key=lambda w: (-len(w), w))
        everywhere, pattern = (_alternatives(w) for w in ([w for w in longest_first if _unlike(w)], longest_first))
        alone = rf"(?<!\w)(?:{pattern})(?!\w)"
        self._within = re.compile(pattern) if words else None
        self._alone = re.compile(f"{everywhere}|{alone}" if everywhere else alone) if words else None
        self._known: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        if self._alone is None or self._within is None or not text:
            return text
        found = self._known.get(text)
        if found is None:
            found = (self._within if "\t" in text else self._alone).sub(HIDDEN, text)
            if len(self._known) < _KEPT and len(text) <= _LONGEST:
                self._known[text] = found
        return found

    def name(self, text: str) -> str:
        """What something is called; a name with a tab in it is a broken command, of which nothing is shown."""
        return HIDDEN if "\t" in text else self(text)

    def values(self, found: dict[str, str]) -> dict[str, str]:
        """Data with its texts scrubbed, but not the keys; of data of which there is much."""
        if self._alone is None:
            return found
        known = self._known
        return {key: known[text] if text in known else self(text) for key, text in found.items()}

    def tells(self, text: str) -> bool:
        """Whether a password stands in a text, also as a part of a word."""
        return self._within is not None and self._within.search(text) is not None

    def all(self, value: Any) -> Any:
        """Plain data with every text scrubbed, but not the keys."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, Mapping):
            return {key: self.all(item) for key, item in value.items()}
        return [self.all(item) for item in value] if isinstance(value, list) else value

    def keys(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Data whose keys are strangers' names."""
        return {self.name(key): self.all(item) for key, item in found.items()}


def _unlike(word: str) -> bool:
    """Whether this is long and no word of a language, nor the beginning of one."""
    return len(word) >= 8 and not (word.isalpha() and (word[1:].islower() or word.isupper()))


def _alternatives(words: list[str]) -> str:
    """A pattern of any of the words. Beginnings in common are tried once, so that many words cost little more."""
    groups: dict[str, list[str]] = {}
    for word in words:
        groups.setdefault(word[:2], []).append(word[2:])
    return "|".join(f"{re.escape(head)}(?:{'|'.join(map(re.escape, tails))})" for head, tails in groups.items())


_VEILS: Final = (b"obs;", b"hide;", b"conceal;", b"restrict;")
_CONCEALMENT: Final = b"concealment;"
_TELLING: Final = (*_VEILS, _CONCEALMENT)
_SIDES: Final = re.compile(rb"[;\\]sides?:")
_EMPTY_STACK: Final = re.compile(rb"\+/[^/;\\]*/stack/[^/;\\]*;-?\d+;-?\d+;@@-?\d+").fullmatch
_NOBODY: Final = re.compile(rb"null|true|false|[-+.,\d\s]*")
Veils = tuple[int, Sequence[int]]
"""How many traits a piece has, and which of them name a player."""


def owners(payload: bytes) -> set[str]:
    """What stands where a trait or its state names a player; sides are no passwords and are left out."""
    if not _may_veil(payload):
        return set()
    search = _Search()
    commands = payload.split(b"\x1b")
    for command in commands:
        if b"+/" in command[:6]:
            # Old saves hold tens of thousands of empty stacks.
            if not _EMPTY_STACK(command) and _may_veil(command):
                search.added(command.removeprefix(b"LOG\t"))
        elif search.pieces and b"D/" in command[:6]:
            search.changed(command.removeprefix(b"LOG\t"))
    found = search.sure
    if search.doubtful:
        plain = [c for c in commands if b"+/" in c[:6] and not _may_veil(c)]
        maps = {_first(c[max(c.rfind(b"\t"), c.rfind(b"/")) + 1 :]) for c in plain}
        found = found | (search.doubtful - search.maps - maps)
    return {owner.decode("utf-8", "surrogateescape") for owner in found if not _NOBODY.fullmatch(owner)}


class _Search:
    def __init__(self) -> None:
        self.sure: set[bytes] = set()
        self.doubtful: set[bytes] = set()
        self.maps: set[bytes] = set()
        self.veils: dict[bytes, Veils] = {}
        self.pieces: dict[bytes, Veils] = {}

    def added(self, command: bytes) -> None:
        """A piece that is put there: `+/id/type/state`, and no more."""
        _, id_, type_, *states = (*_slashed(command), b"", b"")
        veils = self.veils.get(type_)
        if veils is None:
            veils = self.veils[type_] = self._read(type_)
        if veils[1]:
            self.pieces[id_] = veils
            for state in filter(None, states):
                self._look(state, veils)

    def changed(self, command: bytes) -> None:
        """A piece whose states change: `D/id/state/state before`."""
        id_, _, rest = command[2:].partition(b"/")
        if veils := self.pieces.get(id_):
            for state in _slashed(rest):
                self._look(state, veils)

    def _read(self, type_: bytes) -> Veils:
        traits = _parts(type_)
        # Largest saves have sixty traits a piece, of which few name anybody.
        telling = [i for i, t in enumerate(traits) if t.startswith(_TELLING)]
        self.sure |= {
            t.split(b";", 2)[1].rstrip(b"\\") for i in telling if (t := traits[i]).startswith(_CONCEALMENT)
        }
        veils = [i for i in telling if not traits[i].startswith(_CONCEALMENT) and not _SIDES.search(traits[i])]
        return len(traits), veils

    def _look(self, state: bytes, veils: Veils) -> None:
        traits, where = veils
        states = state.split(b"\t")
        if len(states) != traits:
            self.doubtful.update(map(_first, states))
            return
        self.sure |= {_first(states[i]) for i in where}
        if traits - 1 not in where:
            self.maps.add(_first(states[-1]))


def _may_veil(text: bytes) -> bool:
    """Whether a trait may be there that names a player."""
    return b"obs;" in text or b"hide;" in text or b"conceal" in text or b"restrict;" in text


def _slashed(command: bytes) -> list[bytes]:
    """The parts of a command: slashes that are escaped are its texts' own."""
    parts: list[bytes] = []
    begun: list[bytes] = []
    for piece in command.split(b"/"):
        begun.append(piece)
        if piece[-1:] != b"\\":
            parts.append(b"/".join(begun))
            begun = []
    return [*parts, b"/".join(begun)] if begun else parts


def _parts(nest: bytes) -> list[bytes]:
    """Traits or their states: of a separator, how often it is escaped does not matter here."""
    return list(map(bytes.strip, nest.split(b"\t"), repeat(b"\\'")))


def _first(state: bytes) -> bytes:
    return state.strip(b"\\'").partition(b";")[0].strip(b"\\'")


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
    """What a payload gives. `sure`: ids of whole `PLAYER` commands, unless the player is called the same.

    `ids` are those of all such commands and `fields` what else they hold, `moving` the ids that end whole moves:
    one of these that no player has as his id stands where his name or side would.
    """

    secrets: set[str] = field(default_factory=set)
    sure: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    fields: set[str] = field(default_factory=set)
    moving: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    chat: set[str] = field(default_factory=set)

    def hidden(self) -> set[str]:
        """The secrets that are to be hidden wherever they stand."""
        public = self.names - self.sure - ((self.moving & self.fields) - self.ids)
        wanted = {s for s in self.secrets if len(s) >= SHORTEST and s not in public}
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
    found.ids.add(id_)
    found.fields |= {name, side}
    found.names |= {name, side}
    if id_ not in (name, side):
        found.sure.add(id_)


def _move(parts: list[str], found: PasswordsFound) -> None:
    last = parts[-1].split("\t")[0]
    if len(parts) == 10:
        found.secrets.add(last)
        found.moving.add(last)
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
