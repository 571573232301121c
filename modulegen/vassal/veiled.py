"""Who hid, masked or kept to himself the pieces of a save or log: where players do it, that is their passwords.

The payload's bytes are searched, as damage leaves them. Format: the n-th state of a piece is that of its n-th
trait, counted from outside; a mask's state is its owner, and options behind a semicolon; that of a piece kept to
one player is that player; the last begins with the map. VASSAL writes as many states as traits: where there are
not as many, any may be an owner. Sources: `BasicPiece`, `Decorator`, `Hideable`, `Obscurable`, `PlayerAccess`,
`Restricted` of VASSAL; VASL's `Concealable`, `Concealment`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import repeat
from typing import Final

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
