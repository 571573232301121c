"""Whether a line that somebody typed is a statement, nearly one, or talk.

What counts is the declared notation alone: the words that begin statements in any language, a game's units, hexes
and results. A line that is mostly made of these is meant as a statement, however it is spelt.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from hexforge.validator.readers import statements as st
from hexforge.validator.readers.sheet import read_line
from hexforge.validator.readers.words import FIRST, Vocabulary, fold

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario

MAX_LINE: Final = 2_000
"""Of a longer line only so much decides whether it is talk."""
_PIECE: Final = re.compile(r"[^\s,;:=/\"\u201c\u201d\u00ab\u00bb()<>\[\]{}!?\u2026\u2192+]+")
_BULLET: Final = re.compile(r"\s*(?:[-*\u2022\u2013\u2014\u00b7]+|[0-9]{1,2}[.)]|[a-z][.)])\s+")
_HEX: Final = re.compile(r"[0-9]{4}")
_PATH: Final = re.compile(r"[0-9]{4}(?:[->][0-9]{4})+")
_UNIT: Final = re.compile(r"[a-z]{1,4}-[a-z0-9.-]*[0-9][a-z0-9.-]*")
_MIXED: Final = re.compile(r"[a-z]{1,3}[0-9]{1,4}")
_FIGURE: Final = re.compile(r"[0-9]{1,3}(?:[-x][0-9]{1,3})*\+?")
_CODE: Final = re.compile(r"[A-Z]{2,4}\b")
_SHORT: Final = 4
"""Shorter words are not taken for a misspelt one."""
_STEM: Final = 5
"""Letters that two inflections of a word have in common."""


class Ear:
    """Tells statements from talk, with the words, units and hexes of a game; without one by the notation alone."""

    def __init__(self, words: Vocabulary, scenario: Scenario | None = None) -> None:
        self._words = words
        self._hexes = frozenset(scenario.map.grid) if scenario else None
        self._codes = _codes(scenario)
        ids = tuple(scenario.counters) if scenario else ()
        self._units = {*ids, *(id_.partition("-")[2] for id_ in ids)} - {""}
        forms = {
            fold(f) for table in words.forms.values() for s in FIRST for fs in table.get(s, {}).values() for f in fs
        }
        self._near = frozenset(part for form in forms if len(form) >= _SHORT for part in _less_one(form))
        self._stems = frozenset(form[:_STEM] for form in forms if len(form) >= _STEM)
        self._known = lru_cache(4096)(self._listed)

    def learn(self, unit: str) -> None:
        """A unit that the sheet declares itself."""
        self._units.add(unit)

    def reads(self, text: str, *, placing: bool = False) -> st.Statement | None:
        """The statement that a line is, if it is one and not talk that happens to read as one."""
        found = read_line(text, self._words, placing=placing)
        if isinstance(found, st.Placement) and not placing:
            return None
        return found if found is not None and self._meant(text) else None

    def nears(self, text: str) -> bool:
        """Whether a line is nearly a statement: begins as one, or names units and hexes, and says little else."""
        pieces = self._pieces(text)
        if not pieces:
            return False
        if len(pieces) == 1:
            return self._words.begins(pieces[0]) and not text.rstrip().endswith("?")
        known, strong, strange, figures = self._weigh(pieces[1:])
        first = self._strong(pieces[0])
        if self._begins(pieces[0]):
            if not strong and not figures:
                return known > strange
            if not strong and not known and not self._words.begins(pieces[0]):
                return not strange
            return known + strong + figures + 1 > strange or (strong > 0 and known + strong + 1 >= strange)
        strange += not (first or self._listed(pieces[0]))
        return strong + first >= 2 and known + strong + first > strange

    def tells(self, text: str) -> bool:
        """Whether talk names a unit or hex of the game."""
        return any(p in self._units or _UNIT.fullmatch(p) or self._on_map(p) for p in self._pieces(text))

    def begins(self, text: str) -> bool:
        """Whether a line begins with a word that begins statements, spelt as it should be."""
        first = next(iter(self._pieces(text)), "")
        return self._words.begins(first)

    def is_data(self, text: str) -> bool:
        """Whether a line is units, hexes, figures and words of the notation alone: the rest of a statement."""
        pieces = self._pieces(text)
        return bool(pieces) and all(self._strong(p) or _FIGURE.fullmatch(p) or self._known(p) for p in pieces)

    def _meant(self, text: str) -> bool:
        pieces = self._pieces(text)
        known, strong, strange, figures = self._weigh(pieces[1:])
        return strange <= 1 or bool(strong) or bool(figures) or known + 1 >= strange

    def _pieces(self, text: str) -> list[str]:
        found = (fold(piece).strip(".*_'`|~") for piece in _PIECE.findall(text[:MAX_LINE].split("#", 1)[0]))
        return [piece for piece in found if piece and piece != "-"]

    def _weigh(self, pieces: list[str]) -> tuple[int, int, int, int]:
        """How many are words of the notation, units or hexes, anything else, and plain figures."""
        known = strong = strange = figures = 0
        for piece in pieces:
            if self._strong(piece):
                strong += 1
            elif _FIGURE.fullmatch(piece):
                figures += 1
            elif len(piece) == 1 or self._words.meaning("words", piece):
                continue
            elif self._known(piece):
                known += 1
            else:
                strange += not self._begins(piece)
        return known, strong, strange, figures

    def _strong(self, piece: str) -> bool:
        named = piece in self._units and not piece.isdigit()
        path = _PATH.fullmatch(piece) is not None and all(map(self._on_map, _HEX.findall(piece)))
        return named or path or _UNIT.fullmatch(piece) is not None or self._on_map(piece)

    def _on_map(self, piece: str) -> bool:
        return bool(_HEX.fullmatch(piece)) and (self._hexes is None or piece in self._hexes)

    def _listed(self, piece: str) -> bool:
        """Whether the notation or the game knows a word."""
        table = self._words.known
        return piece in self._codes or bool(_MIXED.fullmatch(piece)) or any(piece in table[s] for s in table)

    def _begins(self, piece: str) -> bool:
        """Whether a word begins statements, misspelt or inflected as it may be."""
        if self._words.begins(piece):
            return True
        near = len(piece) >= _SHORT and not _less_one(piece[:40]).isdisjoint(self._near)
        return near or (len(piece) > _STEM and piece[:_STEM] in self._stems)


def untrimmed(text: str) -> str:
    """A line without the bullet or number of a list before it, and without the stars of bold letters."""
    mark = _BULLET.match(text)
    line = text[mark.end() :] if mark else text
    bold = re.fullmatch(r"\s*\*(.+)\*\s*", line)
    return bold[1] if bold else line


def _less_one(word: str) -> frozenset[str]:
    """A word, and all that it becomes without one of its letters."""
    return frozenset((word, *(word[:i] + word[i + 1 :] for i in range(len(word)))))


def _codes(scenario: Scenario | None) -> frozenset[str]:
    found = _CODE.findall(scenario.tables.model_dump_json()) if scenario else ()
    return frozenset(code.lower() for code in found)
