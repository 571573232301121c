"""The sheet that another goes on from where no line names it as it is called: the one that lies beside it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias

from hexforge.scenarios.words import HexforgeError
from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.wordbooks import notation
from hexforge.validator.readers.notation.words import fold
from hexforge.validator.readers.raw import UnreadableSheet, decode
from hexforge.validator.readers.sheet import read_file

_MOST: Final = 200
"""Sheets of a folder that are looked at; in one of more, none is."""
_MOST_BYTES: Final = 200_000
_DIGITS: Final = 8
"""Digits of a hash that are enough to know a sheet by."""
_SHEET: Final = ".sheet"
_AROUND: Final = re.compile(r"[\s;:>,\"']+")
"""What stands around the words of a line."""

_ASIDE: Final = (
    st.SheetVersion,
    st.GameName,
    st.Players,
    st.Partial,
    st.OptionSetting,
    st.MapPrinted,
    st.PositionStart,
    st.SetupStart,
    st.Positioned,
    st.Continues,
)
"""Lines of a head that say nothing of map and units."""

_Ending: TypeAlias = "tuple[tuple[int, str, str] | None, str, dict[str, str], frozenset[st.Statement]]"


def neighbour(sheet: st.Sheet) -> Path | None:
    """The one sheet in the same folder that ends with the phase after which a sheet's own position is.

    It is of the same game, map, units and players. None if there is no such sheet, or more than one.
    """
    after = next((s.after for s in sheet.statements if isinstance(s, st.PositionStart)), None)
    if after is None or any(isinstance(s, st.Continues) for s in sheet.statements):
        return None
    _, game, players, ground = _of(sheet)
    fitting: list[Path] = []
    for path in _siblings(sheet.source):
        try:
            stamp = path.stat()
            ends, other, others, theirs = _read(str(path), stamp.st_mtime_ns, stamp.st_size)
        except (HexforgeError, OSError):
            continue
        alike = all(players.get(side, name) == name for side, name in others.items())
        if (ends, other, theirs) == (after[:3], game, ground) and alike:
            fitting.append(path)
    return fitting[0] if len(fitting) == 1 else None


def of_hash(digits: str, source: str) -> Path | None:
    """The one sheet in the folder of another whose SHA-256 begins with some digits; None for none, or several."""
    if len(digits) < _DIGITS:
        return None
    found = []
    for path in _siblings(source):
        with suppress(OSError):
            if hashlib.sha256(path.read_bytes()).hexdigest().startswith(digits):
                found.append(path)
    return found[0] if len(found) == 1 else None


def neighbours_of(data: bytes, source: str) -> list[str]:
    """The files that what is found on a sheet may rest on without its naming them: all beside it, or none."""
    told = said_behind(data[:_MOST_BYTES], st.PositionStart, st.Continues)
    return [str(path) for path in _siblings(source)] if any(told) else []


def said_behind(data: bytes, *begun: type[st.Statement]) -> Iterator[list[str]]:
    """The words behind each word of a sheet that begins one of some statements, whatever its language.

    A sheet that is no text says nothing.
    """
    known = notation().known["statements"]
    firsts = {base.WORDS[cls][0] for cls in begun}
    with suppress(UnreadableSheet):
        for line in decode(data).splitlines():
            words = _AROUND.split(line)
            yield from (words[i + 1 :] for i, word in enumerate(words) if known.get(fold(word)) in firsts)


def _siblings(source: str) -> list[Path]:
    """The other sheets in the folder of one."""
    try:
        own = Path(source).resolve()
        if not own.is_file() or own.suffix != _SHEET:
            return []
        found = [p for p in sorted(own.parent.glob(f"*{_SHEET}")) if p != own and p.is_file()]
        return [p for p in found if p.stat().st_size <= _MOST_BYTES] if len(found) <= _MOST else []
    except (OSError, ValueError):
        return []


@lru_cache(_MOST)
def _read(path: str, _changed: int, _size: int) -> _Ending:
    return _of(read_file(path))


def _of(sheet: st.Sheet) -> _Ending:
    """With which phase a sheet ends, its game, who plays, and the map and units that it has of its own."""
    phase = next((s for s in reversed(sheet.statements) if isinstance(s, st.TurnStart)), None)
    game = next((s.name for s in sheet.statements if isinstance(s, st.GameName)), "")
    players = {
        side: name.casefold() for s in sheet.statements if isinstance(s, st.Players) for side, name in s.names
    }
    ground = frozenset(
        replace(s, line=0) for s in sheet.statements if isinstance(s, st.Header) and not isinstance(s, _ASIDE)
    )
    return (phase.number, phase.side, phase.phase) if phase else None, game, players, ground
