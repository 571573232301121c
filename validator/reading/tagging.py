"""Words of a line, each tagged with all that the game's vocabulary says it may be.

`the 116 Pz recon`, `tanques do 707`, `I/112`, `110-1, 2` are units where what is said fits as many units of the
game as are said to be meant, and no others. Which words and numbers a unit is called by its game's data say.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

from ..notation.cursor import LogicalLine, Token
from ..notation.words import GROUPS, ROMAN, Vocabulary, fold

_MOST: Final = 12
"""Words that a name of a unit has."""
_STOPS: Final = ",;()[]|"
_ENDS: Final = re.compile(r"(.*?[^.!?…])([.!?…]+)", re.DOTALL)
_ORNAMENTS: Final = "*_`~'’‘"
_RATIO: Final = re.compile(r"(\d{1,2})[-x×](\d{1,3}\+?)|(\d{3}-\d{3})|(\d{1,3}\+)")
_FIGURES: Final = re.compile(r"\d{1,4}")
_FORUM: Final = re.compile(r"\[/?[a-z]{1,5}\]", re.IGNORECASE)
_PAIR: Final = re.compile(r"([0-9]{2,4})-([0-9])")
_SHORT_UNIT: Final = re.compile(r"-?(\d{1,2}|[a-z]{1,4})")
_GLUED: Final = re.compile(r"([a-z]{2,})-?(\d{1,4})|(\d{1,4})([a-z]{2,})")
_CROWD: Final = 4
"""Units that `all of` may mean: more are a corps, some of which may not be there."""
_COUNTED: Final = frozenset("234")


@dataclass(frozen=True, slots=True)
class Tag:
    """One or more words of a line. `key` is folded, several words joined by hyphens; `column` counts from 1.

    What it may be besides a word of the vocabulary: `units` (those of a whole regiment as its group), `hexes`, a
    `number`, a `ratio`, a `mark`. `weak`: it is a unit only where nothing but units may stand. `place`: its hexes
    are those of a name on the map.
    """

    text: str
    key: str
    line: int
    column: int
    units: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    number: int | None = None
    ratio: tuple[str, str] | None = None
    mark: str = ""
    weak: bool = False
    place: bool = False

    @property
    def strong(self) -> bool:
        """Whether it is a unit, a hex or a figure, and no mere word."""
        return bool(self.units or self.hexes or self.ratio or self.number is not None)


def tag(line: LogicalLine, words: Vocabulary, declared: Container[str] = ()) -> tuple[Tag, ...]:
    """The tags of a line, marks between its words among them."""
    pieces = list(_pieces(line, words, declared))
    parted = [p.mark == ";" for p in pieces]
    if any(parted) and len(pieces) == 2 * parted.count(True) + 1 and not any(a == b for a, b in pairwise(parted)):
        pieces = [p for p in pieces if p.mark != ";"]  # the row of a spreadsheet
    return tuple(_Tagger(tuple(pieces), words, declared).tags())


# ------------------------------------------------------------------------------------------ pieces of a line


@dataclass(frozen=True, slots=True)
class _Piece:
    """A word or a mark as it stands. `glued`: nothing stands before it."""

    text: str
    key: str
    line: int
    column: int
    mark: str = ""
    glued: bool = False


def _pieces(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> Iterator[_Piece]:
    before: Token | None = None
    for token in line.tokens:
        gap = _FORUM.sub("", line.gap(before, token)) if before is not None else ""
        for stop in (c for c in gap if c in _STOPS):
            yield _Piece(stop, stop, token.line, token.column, mark=stop)
        glued = before is not None and not gap and before.line == token.line
        shortened = before is not None and glued and words.meaning("slashed", before.key)
        before = token
        if shortened and token.text == "/":
            continue  # `p/ 0907`
        if token.kind == "name":
            yield _Piece(token.text, fold(token.text), token.line, token.column, mark='"')
        elif token.kind == "mark":
            yield _Piece(token.text, token.text, token.line, token.column, mark=token.text, glued=glued)
        else:
            yield from _of_word(token, words, declared, glued)
    end = line.texts[line.end[0] - 1][line.end[1] - 1 :] if line.texts else ""
    for stop in (c for c in end.partition("#")[0] if c in _STOPS):
        yield _Piece(stop, stop, line.end[0], line.end[1], mark=stop)


def _of_word(token: Token, words: Vocabulary, declared: Container[str], glued: bool) -> Iterator[_Piece]:
    """A word without what stands around it; what is summed, or joined by hyphens, in its parts."""
    text, column = token.text, token.column
    left = len(text) - len(text.lstrip(_ORNAMENTS))
    text, column = text.strip(_ORNAMENTS), column + left
    if not text:
        return
    if token.key in words.units or token.key in declared:
        yield _Piece(token.text, token.key, token.line, token.column, glued=glued)
        return
    end = _ENDS.fullmatch(text)
    text = end[1] if end else text
    if set(text) <= set(".!?…+&-"):
        yield _Piece(text, text, token.line, column, mark=_stop(text) if set(text) <= set(".!?…") else text[0])
        return
    found = [(m.start(), m[0]) for m in re.finditer(r"[+&]|[^+&]+", text)]
    if len(found) == len(("49", "+")) and found[0][1].isdigit() and found[1][1] == "+":
        found = [(0, text)]
    for start, piece in found:
        yield from _dashed(piece, token.line, column + start, words, glued and not start)
    if end:
        yield _Piece(end[2], end[2], token.line, column + len(text), mark=_stop(end[2]))


def _stop(text: str) -> str:
    """What ends a sentence: `?`, `…` where something was left out, else a full stop."""
    return "?" if "?" in text else "…" if "…" in text or text.endswith("...") else "."


def _dashed(text: str, line: int, column: int, words: Vocabulary, glued: bool) -> Iterator[_Piece]:
    """Hexes that dashes join, `0806-0907`, in their parts with the dashes between; any other word as it is."""
    if text in "+&":
        yield _Piece(text, text, line, column, mark=text)
        return
    steps = words.hexes_joined(text)
    if not steps:
        yield _Piece(text, fold(text), line, column, glued=glued)
        return
    for i, step in enumerate(text.removesuffix("-").split("-")):
        if i:
            yield _Piece("-", "-", line, column, mark="~")
        yield _Piece(step, fold(step), line, column)
        column += len(step) + 1
    if text.endswith("-"):
        yield _Piece("-", "-", line, column, mark="~")


# ------------------------------------------------------------------------------------------ from pieces to tags


class _Tagger:
    def __init__(self, pieces: Sequence[_Piece], words: Vocabulary, declared: Container[str]) -> None:
        self._pieces, self._words, self._declared = pieces, words, declared
        self._found: list[Tag] = []

    def tags(self) -> list[Tag]:
        at = 0
        while at < len(self._pieces):
            found, taken = self._at(at)
            self._found.append(found)
            at += taken
        return self._found

    def _tag(self, at: int, taken: int, **said: Any) -> tuple[Tag, int]:
        first, pieces = self._pieces[at], self._pieces[at : at + taken]
        key = "-".join(p.key for p in pieces)
        text = " ".join(p.text for p in pieces)
        return Tag(text, key, first.line, first.column, **said), taken

    def _at(self, at: int) -> tuple[Tag, int]:
        piece = self._pieces[at]
        if piece.mark:
            return self._tag(at, 1, mark=piece.mark)
        key, words = piece.key, self._words
        if key in words.units or key in self._declared:
            return self._tag(at, 1, units=(key,))
        if self._is_hex(piece) and not (self._names(at + 1) and self._name(at)):
            return self._tag(at, 1, hexes=(piece.text.upper(),), number=int(key) if key.isdigit() else None)
        for reading in (self._figures, self._short, self._battalion, self._sibling, self._name, self._place):
            if found := reading(at):
                return found
        for parts in words.phrases.get(key, ()):
            if tuple(p.key for p in self._pieces[at : at + len(parts)] if not p.mark) == parts:
                return self._tag(at, len(parts))
        ratio = _RATIO.fullmatch(key)
        if ratio:
            return self._tag(at, 1, ratio=_parts(ratio))
        number = words.figures(key)
        if number.isdigit() and _FIGURES.fullmatch(number):
            unit = self._by_number(number)
            return self._tag(at, 1, number=int(number), units=unit, weak=bool(unit))
        told = words.meaning("numbers", key)
        return self._tag(at, 1, number=int(told) if told else None)

    def _by_number(self, number: str) -> tuple[str, ...]:
        """The unit that a number names, or the regiment whose number it is; none for a single figure."""
        if len(number) < len("10"):
            return ()
        unit = self._words.numbered(number)
        return (unit,) if unit else (f"{GROUPS[1]}{number}",) if number in self._words.regiments else ()

    def _names(self, at: int) -> bool:
        """Whether a word that units are called by stands here: `1117 eng` is none of the map's hexes."""
        return at < len(self._pieces) and bool(self._words.calls.names(self._pieces[at].key))

    def _figures(self, at: int) -> tuple[Tag, int] | None:
        """`16:4`, `9 : 1`: a ratio; figures before letters that belong to them stay a word."""
        row = self._pieces[at : at + 3]
        if len(row) < 3 or row[1].mark != ":" or not (row[0].key.isdigit() and row[2].key.rstrip("+").isdigit()):
            return None
        if max(len(row[0].key), len(row[2].key)) > len("999") or (at and self._pieces[at - 1].mark == "/"):
            return None
        if not row[1].glued and self._words.numbered(row[0].key):
            return None
        return self._tag(at, 3, ratio=(row[0].key, row[2].key), mark="")

    def _short(self, at: int) -> tuple[Tag, int] | None:
        """A part of a unit's id that no other has: `112-1`."""
        key = self._pieces[at].key
        like = self._words.like(key, ()) or tuple(d for d in self._words.like(key, self._names_declared))
        if len(like) != 1 or key.isdigit() or self._words.meaning("statements", key):
            return None
        ratio = _RATIO.fullmatch(key)
        return self._tag(at, 1, units=like, ratio=_parts(ratio) if ratio else None)

    @cached_property
    def _names_declared(self) -> tuple[str, ...]:
        return tuple(self._declared) if isinstance(self._declared, (set, frozenset, list, tuple)) else ()

    def _battalion(self, at: int) -> tuple[Tag, int] | None:
        """A battalion and its regiment in either order, `1/112`, `984/1`; the first of such, `I e II/985`."""
        row = self._pieces[at : at + 3]
        if len(row) == 3 and row[1].mark == "/" and row[1].glued and row[2].glued:
            unit = self._of_pair(row[0].key, row[2].key)
            return self._tag(at, 3, units=(unit,)) if unit else None
        count = ROMAN.get(row[0].key, self._words.figures(row[0].key))
        if not count or len(count) > 1:
            return None
        # `I and II/985`, `1 e 2/112`: the regiment stands behind the last of them.
        for i in range(at + 1, min(at + 7, len(self._pieces) - 2)):
            piece = self._pieces[i]
            joins = piece.mark in (",", "&", "+") or self._words.meaning("fillers", piece.key) == "and"
            number = ROMAN.get(piece.key, self._words.figures(piece.key))
            if not joins and not (number and len(number) == 1):
                return None
            if self._pieces[i + 1].mark == "/" and self._pieces[i + 1].glued and self._pieces[i + 2].glued:
                unit = self._of_pair(count, self._pieces[i + 2].key) if number and i > at + 1 else ""
                return self._tag(at, 1, units=(unit,)) if unit else None
        return None

    def _of_pair(self, one: str, other: str) -> str:
        words = self._words
        first, second = (ROMAN.get(k, words.figures(k) or k) for k in (one, other))
        called = words.called.get(f"{first}/{second}", frozenset())
        if called:
            return next(iter(called)) if len(called) == 1 else ""
        for key in (f"{second}-{first}", f"{first}-{second}"):
            if len(like := words.like(key)) == 1 and not words.is_hex(one):
                return like[0]
        return ""

    def _sibling(self, at: int) -> tuple[Tag, int] | None:
        """What goes on with the unit before it, `110-1, 2`, `506-1, -2`, `112-1/2`, `6ad-cca e ccb`."""
        words, marks = self._words, 0
        for tag_ in reversed(self._found):
            if tag_.units:
                break
            marks += 1
            joins = tag_.mark in (",", "&", "+", "/") or words.meaning("fillers", tag_.key) == "and"
            if not joins or tag_.mark == "." or marks > len((",", "and")):
                return None
        else:
            return None
        key = self._pieces[at].key
        if (pair := _PAIR.fullmatch(key)) and len(tag_.units) == 1 and not words.like(key):
            unit = f"{tag_.units[0].rpartition('-')[0]}-{pair[2]}"
            return self._tag(at, 1, units=(unit,)) if pair[1] in tag_.units[0] and unit in words.units else None
        shared = _SHORT_UNIT.fullmatch(key)
        if not marks or shared is None or len(tag_.units) != 1 or tag_.weak or words.meaning("words", shared[1]):
            return None
        following = self._pieces[at + 1] if at + 1 < len(self._pieces) else None
        if following is not None and following.mark in ("/", ":") and following.glued:
            return None
        unit = f"{tag_.units[0].rpartition('-')[0]}-{shared[1]}"
        return self._tag(at, 1, units=(unit,)) if unit in words.units and unit != tag_.units[0] else None

    def _place(self, at: int) -> tuple[Tag, int] | None:
        """A name on the map, of one word or several."""
        words = self._words
        if self._pieces[at].key not in words.first_of_places or words.meaning("words", self._pieces[at].key):
            return None
        for taken in range(4, 0, -1):
            row = self._pieces[at : at + taken]
            hexes = () if any(p.mark for p in row) else words.places.get(" ".join(p.key for p in row), ())
            if hexes and row[0].key != words.name:
                return self._tag(at, taken, hexes=hexes, place=True)
        return None

    # -------------------------------------------------------------------------------------- names of units

    def _name(self, at: int) -> tuple[Tag, int] | None:
        """Units in words, up to the last word with which they are sure: see this module."""
        words = self._words
        if not words.counters:
            return None
        best: tuple[tuple[str, ...], int] | None = None
        shared: tuple[str, ...] = ()
        numbers: list[str] = []
        said: list[str] = []
        many = 0
        i = at
        while i < len(self._pieces) and i - at < _MOST:
            piece = self._pieces[i]
            slash = piece.mark == "/" and piece.glued and bool(said) and self._begins_battalion(i - 1)
            if slash:
                i += 1
                continue
            if piece.mark or piece.key in self._words.units or (i > at and self._begins_battalion(i) and not said):
                break
            count, taken = self._count(i) if not many else (0, 0)
            number = self._words.figures(piece.key)
            glued, pair = self._glued(piece.key), _PAIR.fullmatch(piece.key)
            word = self._words.calls.names(piece.key)
            if _FIGURES.fullmatch(number) and (i == at or not self._is_hex(piece)):
                if numbers and not count:
                    unit = self._of_pair(numbers[0], number) if len(numbers[0]) == 1 and not said else ""
                    best = ((unit,), i + 1 - at) if unit else best
                    break
                if count:
                    many, i = count, i + taken
                    continue
                numbers.append(number)
            elif word:
                said.append(word)
            elif glued:
                said.append(glued[0])
                numbers.append(glued[1])
            elif pair and not words.like(piece.key):
                numbers += pair.groups()
            elif count:
                many, i = count, i + taken
                if not (numbers or said):
                    continue
                i -= 1
            elif self._is_neutral(piece.key) or ((numbers or said or many) and self._links(piece.key)):
                i += 1
                continue
            else:
                break
            i += 1
            if fit := self._fits(tuple(numbers), tuple(said), many):
                best = fit, i - at
                shared = tuple(said)
        if best and shared:
            self._share(shared)
        return self._tag(at, best[1], units=best[0]) if best else None

    def _share(self, said: tuple[str, ...]) -> None:
        """The number before a name, where its words are said of both: `2nd and 3rd Cavalry`."""
        if len(self._found) < 2:
            return
        before, joint = self._found[-2:]
        joins = joint.mark in ("+", "&", ",") or self._words.meaning("fillers", joint.key) == "and"
        number = self._words.figures(before.key)
        fit = self._words.calls.fit((number,), said) if joins and number.isdigit() and not before.hexes else ()
        if len(fit) == 1 and (before.weak or not before.units):
            self._found[-2] = replace(before, units=fit, weak=False)

    def _fits(self, numbers: tuple[str, ...], said: tuple[str, ...], many: int) -> tuple[str, ...]:
        """The units that all of some numbers and words are said of; none where not all are surely meant."""
        calls = self._words.calls
        if many and len(numbers) == 1 and not said and (group := self._regiment(numbers[0], many)):
            return group
        if not said and not (numbers and many > 1):
            return ()
        if not numbers and len(said) < len(("panzer", "lehr")) and not calls.alone(said[0]):
            return ()
        fit = calls.fit(numbers, said)
        whole = many == -1 and 1 < len(fit) <= _CROWD and calls.are_whole(fit, numbers)
        return fit if (len(fit) == 1 if not many else whole or many == len(fit)) else ()

    def _regiment(self, number: str, many: int) -> tuple[str, ...]:
        """A whole regiment by its number, or as many units as it has."""
        members = self._words.regiments.get(number, ())
        if many == -1 and len(members) > 1:
            return (f"{GROUPS[0]}{number}",)
        return members if many == len(members) else ()

    def _count(self, at: int) -> tuple[int, int]:
        """How many units are said to be meant, -1 for all, and by how many words; (0, 0) for none."""
        words, key = self._words, self._pieces[at].key
        meant = words.meaning("wholes", key)
        if meant in ("both", "whole"):
            return (2 if meant == "both" else -1), 1
        following = self._pieces[at + 1].key if at + 1 < len(self._pieces) else ""
        figure = words.meaning("numbers", key) or key
        big = words.meaning("besides", following) == "battalion"
        if figure in _COUNTED and (big or (not key.isdigit() and self._links(following))):
            return int(figure), 1 + big
        number = words.meaning("numbers", following) if meant == "all" else None
        if number is not None and number != "1":
            return int(number), 2
        every = (
            meant == "all" and words.meaning("fillers", key) is None and words.meaning("beside-turns", key) is None
        )
        return (-1, 1) if every else (0, 0)

    def _begins_battalion(self, at: int) -> bool:
        return at + 1 < len(self._pieces) and self._pieces[at + 1].mark == "/" and self._pieces[at + 1].glued

    def _glued(self, key: str) -> tuple[str, str] | None:
        """The word and the number of a token without a blank between them: `ss37`, `101ab`."""
        found = _GLUED.fullmatch(key)
        name = self._words.calls.names(found[1] or found[4]) if found else ""
        return (name, found[2] or found[3]) if found and name else None

    def _is_hex(self, piece: _Piece) -> bool:
        grid = self._words.grid
        return self._words.is_hex(piece.text) and (grid is None or piece.text.upper() in grid)

    def _is_neutral(self, key: str) -> bool:
        """Whether a word says only what is big: a battalion, a regiment, a division."""
        big = self._words.meaning("words", key) in ("regiment", "division", "corps")
        return big or (self._words.meaning("besides", key) == "battalion" and not self._words.meaning("arms", key))

    def _links(self, key: str) -> bool:
        """Whether a word stands within a name: `da`, `of the`."""
        words = self._words
        of = words.meaning("beside-turns", key) == "phase" or words.meaning("words", key) == "from"
        return of and not key.isdigit() and words.meaning("statements", key) is None


def _parts(ratio: re.Match[str]) -> tuple[str, str]:
    left, _, right = (ratio[3] or "").partition("-")
    return (ratio[1], ratio[2]) if ratio[1] else (left, right) if left else (ratio[4], "")


def joined(tags: Sequence[Tag]) -> Tag:
    """Some tags that follow each other as one word."""
    return replace(tags[0], text=" ".join(t.text for t in tags), key="-".join(t.key for t in tags))
