"""Tables as people paste them: a line that names columns, and below it a row for each move or combat.

`unit | from | to`, `hex ; attackers ; odds ; dice`: cells are parted by tabs, bars, semicolons or two blanks. What
names a column is declared under `columns` in `art/words/notation.LANGUAGE.yaml`. A table ends with the first line
that has not a cell for each column.

Dice as people tell them where a combat waits for them: `6-4!`, `6/4`, `six-four, DRB AVB`; a sum before them.

Elsewhere such figures may be totals or odds, and are left alone.

Lines that name what they tell and then tell it: `Hex: 3806`, `Artillery: 26art-1`, `Combat 2: 1007`, `1007: u1`.

A word that means something else elsewhere, and names a statement where a colon follows, is declared under `labels`
in `art/words/notation.LANGUAGE.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from ...notation import base, statements
from ...notation.cursor import LogicalLine, Token, in_place
from ...notation.words import Vocabulary, fold
from . import headings
from .deeds import talk

_GAP: Final = re.compile(r"\s*[|;\t]\s*|\s{2,}")
_EMPTY: Final = frozenset(("", "-", "--", "---"))
_LEAST: Final = 2
_WAY: Final = ("move", "from", "via", "to")
_FIGURES: Final = ("odds", "column")
"""Columns that are one declaration together."""
_RATIO: Final = re.compile(r"(?<![0-9])([0-9]{1,3}) ?[:x-] ?([0-9]{1,3})(?![0-9])")
_ASIDE: Final = "aside"
"""Columns that count rows, or what a way costs, and are passed over."""
_FIRST: Final = ("move", "combat", "bombard")
"""Columns of which a table has one: what each row begins with."""


def head(line: LogicalLine, words: Vocabulary) -> tuple[str, ...]:
    """What the columns of a table are called that a line begins, in the notation's words; none for another line."""
    cells = _cells(line)
    if len(cells) < _LEAST or line.too_long:
        return ()
    named = [words.meaning("columns", fold(" ".join(t.text for t in cell)).strip(".:#")) for cell in cells]
    found = tuple(name for name in named if name)
    if {*found} == {"move", "combat"}:
        return ()  # `unit | hex` may be where they go, and whom they attack
    if "combat" in found and "attack" not in found:
        found = tuple("attack" if name == "move" else name for name in found)
    whole = len(found) == len(cells) == len(set(found))
    return found if whole and len({*found} & {*_FIRST}) == 1 else ()


def rows(lines: Iterable[LogicalLine], words: Vocabulary, heads: set[int]) -> Iterator[LogicalLine]:
    """The lines, with the rows of tables as statements; the numbers of lines that name columns, or
    only head the next one, go into `heads`."""
    columns: tuple[str, ...] = ()
    for line in headings.joined(lines, words, heads):
        if found := head(line, words):
            columns = found
            heads.add(line.line)
            continue
        told = list(_row(line, columns, words)) if columns else []
        if not told:
            columns = ()
        yield from told or [line]


def _row(line: LogicalLine, columns: Sequence[str], words: Vocabulary) -> Iterator[LogicalLine]:
    cells = _cells(line)
    if line.too_long or len(cells) != len(columns) or not all(cells):
        return
    told = zip(columns, cells, strict=True)
    said = {name: cell for name, cell in told if name != _ASIDE and not _is_empty(cell)}
    first = next(name for name in columns if name in _FIRST)
    if first not in said:
        return
    if first == "move":
        way = [token for name in _WAY[1:] for token in said.get(name, ())]
        if not way or not all(words.hexes_of(t.text) for t in way if t.kind == "word"):
            return
        yield _statement(
            line, "move", (*said["move"], replace(way[0], kind="mark", text=":", key=":"), *way), words
        )
        return
    figures = [said[name] for name in _FIGURES if name in said]
    for name in (first, *(c for c in columns if c != first)):
        if name == "odds" and len(figures) == len(_FIGURES):
            # Two declarations of one combat would each leave out what the other says.
            column = (in_place(figures[1][0], "words", "column", words), *_bare(figures[1], "column", words))
            yield _statement(line, name, (*figures[0], *column), words)
        elif name in said and (name != "column" or len(figures) < len(_FIGURES)):
            yield _statement(line, name, said[name], words)


def _statement(line: LogicalLine, name: str, tokens: Sequence[Token], words: Vocabulary) -> LogicalLine:
    """A cell with the word of its column before it, unless it has that itself."""
    lead = ["declare", name] if name in _FIGURES else [name]
    if name in _FIGURES:
        tokens = _bare(tokens, name, words)
    if name == "odds" and _has_totals(tokens, words):
        lead = ["declare"]
    if name == "support" and all(token.text.isdigit() for token in tokens):
        lead.append("offboard")
    if words.meaning("statements", tokens[0].key) == name:
        lead = []
    before = (in_place(tokens[0], "words" if i else "statements", word, words) for i, word in enumerate(lead))
    return replace(line, tokens=(*before, *tokens), end=tokens[-1].behind)


def _bare(tokens: Sequence[Token], name: str, words: Vocabulary) -> Sequence[Token]:
    """What a cell says, without the word of its column."""
    return tokens[1:] if len(tokens) > 1 and words.meaning("words", tokens[0].key) == name else tokens


def _has_totals(tokens: Sequence[Token], words: Vocabulary) -> bool:
    """Whether a cell of odds gives the totals, alone or before the odds: `62:4`, `62:4 9-1`."""
    cell = list(takewhile(lambda t: words.meaning("words", t.key) != "column", tokens))
    ratios = _RATIO.findall(" ".join(t.text for t in cell))
    return len(ratios) > 1 or any("1" not in ratio for ratio in ratios)


def _is_empty(cell: Sequence[Token]) -> bool:
    none = len(cell) == 1 and talk()["doubts"].get(cell[0].key) == "none"
    return none or all(token.text in _EMPTY for token in cell)


def _cells(line: LogicalLine) -> list[list[Token]]:
    """The tokens of a line, cell by cell."""
    found: list[list[Token]] = []
    for token in line.tokens:
        before = found[-1][-1] if found else None
        if before is None:
            found.append([token])
            continue
        if before.line != token.line:
            return []
        width = len(before.text) + (2 if before.kind == "name" else 0)
        between = line.texts[token.line - 1][before.column - 1 + width : token.column - 1]
        if _GAP.search(between):
            found.append([token])
        else:
            found[-1].append(token)
    return found


_PARTS: Final = re.compile(r"[^\W_]+")


def awaited(line: LogicalLine, words: Vocabulary) -> LogicalLine:
    """The line with the word of a throw before it, where it is dice alone, or these and what came of them.

    One of a pair that is joined is no 1: that is a ratio.
    """
    if line.too_long or words.thrown is None:
        return line
    told = [t for t in line.tokens if t.text not in ("!", "=", "->", ":", "/")]
    codes = len(told)
    while codes and words.are_codes(told[codes - 1].text.strip(".")):
        codes -= 1
    faces = [face for token in told[:codes] for face in _faces(token, words)]
    joined = len(told[:codes]) == 1 or "/" in (t.text for t in line.tokens)
    if (
        not faces
        or "" in faces
        or (joined and "1" in faces)
        or not words.thrown.shows([int(face) for face in faces])
    ):
        return line
    first = line.tokens[0]
    roll = in_place(first, "statements", base.WORDS[statements.Roll][0], words)
    said = [roll, *(replace(first, kind="word", text=face, key=face) for face in faces)]
    if codes < len(told):
        said += [replace(first, kind="mark", text="->", key="->"), *told[codes:]]
    return replace(line, tokens=tuple(said))


def _faces(token: Token, words: Vocabulary) -> Sequence[str]:
    """The faces that a word says, one or several; "" for what is none."""
    if token.kind != "word":
        return ("",)
    if words.meaning("fillers", token.key) == "and":
        return ()
    found = [words.meaning("numbers", part) or part for part in _PARTS.findall(token.key.rstrip("!."))]
    return [face if face.isdigit() and len(face) == 1 else "" for face in found] or ("",)


def without_sum(tokens: Sequence[Token], line: LogicalLine, words: Vocabulary) -> Sequence[Token]:
    """A throw without the sum that stands before its faces, or in brackets behind: `11 (6+5)`, `6 and 5 (11)`."""
    if "(" not in line.texts[line.line - 1]:
        return tokens
    places = [i for i, t in enumerate(tokens) if i and t.text.isdigit()]
    faces = [int(tokens[i].text) for i in places]
    if len(faces) < _DICE_LEAST or words.thrown is None:
        return tokens
    for at, others in ((places[0], faces[1:]), (places[-1], faces[:-1])):
        first = at == places[0]
        if (first or _bracketed(tokens[at], line)) and words.thrown.shows(others) and 2 * sum(others) == sum(faces):
            return (*tokens[:at], *tokens[at + 1 :])
    return tokens


def _bracketed(token: Token, line: LogicalLine) -> bool:
    """Whether a word stands alone in brackets."""
    text, start = line.texts[token.line - 1], token.column - 1
    return text[:start].rstrip().endswith("(") and text[start + len(token.text) :].lstrip().startswith(")")


_DICE_LEAST: Final = 3
"""Figures of a throw with its sum."""


def each_named(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """`d1=5 d2=3`, `die 1: 5, die 2: 3` as one throw, `Roll 1: 5 3` without the number of the throw.

    One die of several alone, `die 1: 5`, is left without its word, so that it is not read; any other line is
    itself.
    """
    if len(tokens) > _DICE_LEAST and tokens[2].text == ":" and _numbered(tokens, 0, words)[0] == _DICE_LEAST:
        thrown = [
            t for t in tokens[_DICE_LEAST:] if t.text not in (",", "+") and not words.meaning("fillers", t.key)
        ]
        if words.thrown is not None and _shows(thrown, words):
            return (next((t for t in tokens[:_DICE_LEAST] if _throws(t, words)), tokens[0]), *thrown)
    if len(tokens) > _DICE_LEAST and tokens[1].text == ":" and _throws(tokens[0], words):
        tokens = tokens[2:] if _numbered(tokens, 2, words)[1] else tokens
    faces: list[Token] = []
    numbers: list[str] = []
    at = 0
    while at < len(tokens):
        at, number = _numbered(tokens, at, words)
        if not number or at >= len(tokens) or not _FACE.fullmatch(tokens[at].text):
            return tokens
        numbers.append(number)
        faces.append(tokens[at])
        at += 1
    if len(faces) == 1 and words.thrown is not None and words.thrown.count > 1:
        return tuple(faces)
    if numbers != [str(i + 1) for i in range(len(faces))] or not _shows(faces, words):
        return tokens
    return (in_place(tokens[0], "statements", base.WORDS[statements.Roll][0], words), *faces)


def _shows(faces: Sequence[Token], words: Vocabulary) -> bool:
    """Whether words are faces of the dice that the game throws."""
    figures = [int(t.text) for t in faces if _FACE.fullmatch(t.text)]
    return words.thrown is not None and len(figures) == len(faces) and words.thrown.shows(figures)


def _numbered(tokens: Sequence[Token], at: int, words: Vocabulary) -> tuple[int, str]:
    """Where the face begins of the die that is named at a place, and the die's number; "" where none is named."""
    if words.meaning("fillers", tokens[at].key) == "and" and at + 1 < len(tokens):
        at += 1
    glued, number = _DIE.fullmatch(tokens[at].key), ""
    if glued:
        at, number = at + 1, glued[1]
    elif at + 2 < len(tokens) and _throws(tokens[at], words) and tokens[at + 2].text in (":", "="):
        at, number = at + 2, _COUNT.sub("", tokens[at + 1].text)
    elif at + 1 < len(tokens) and _throws(tokens[at + 1], words) and not tokens[at].text.isdigit():
        at, number = at + 2, words.meaning("ordinals", tokens[at].key) or ""
    while at < len(tokens) and tokens[at].text in (":", "=", "-", "->"):
        at += 1
    return at, number if _FACE.fullmatch(number) else ""


def _throws(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("statements", token.key) == base.WORDS[statements.Roll][0]


_COUNT: Final = re.compile("^#")
_DIE: Final = re.compile("d([1-9])")
_FACE: Final = re.compile("[0-9]")


def uncounted(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """`2 dados: 4 e 4` without how many dice the game throws."""
    roll = (
        len(tokens) > _DICE_LEAST and words.meaning("statements", tokens[1].key) == base.WORDS[statements.Roll][0]
    )
    if not roll or words.thrown is None or tokens[0].text != str(words.thrown.count):
        return tokens
    return tokens[1:] if any(t.text.isdigit() for t in tokens[2:]) else tokens


_ATTACK: Final = base.WORDS[statements.Attack][0]
_BOMBARD: Final = base.WORDS[statements.Bombard][0]
_MOVE: Final = base.WORDS[statements.Move][0]
_LONGEST: Final = 3
"""Words that a label has at most."""
_LABELS_COUNT: Final = re.compile(r"#?[0-9]{1,2}[.)]?")


def labelled(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """The line with the word of the notation in place of its label."""
    tokens = _counted(_formed(tokens, words), words)
    at = next((i for i, t in enumerate(tokens[: _LONGEST + 1]) if t.kind == "mark" and t.text in (":", "=")), 0)
    if not at or len(tokens) < at + 2 or any(t.kind != "word" or t.key in declared for t in tokens[:at]):
        return _hex_first(tokens, words, declared)
    label = fold("-".join(t.key for t in tokens[:at]))
    meant = words.meaning("labels", label)
    if meant is None and at > 1 and words.begins(label):
        meant = words.meaning("statements", label)
    if meant is None:
        return _hex_first(tokens, words, declared)
    return (in_place(tokens[0], "statements", meant, words), *tokens[at:])


def _formed(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """`Unit: u1 From: 0806 To: 0907` without the colons of its labels, and the first of these."""
    ends = [i for i, t in enumerate(tokens[:-1]) if _names_end(t, words) and tokens[i + 1].text == ":"]
    if len(ends) < len(("from", "to")) or tokens[1].text != ":":
        return tokens
    if words.meaning("columns", tokens[0].key) != _MOVE:
        return tokens
    gone = {0, 1, *(i + 1 for i in ends), *(i - 1 for i in ends if tokens[i - 1].text in ("-", "/", "|"))}
    return tuple(t for i, t in enumerate(tokens) if i not in gone)


def _names_end(token: Token, words: Vocabulary) -> bool:
    """Whether a word names where a way begins, or ends."""
    return token.kind == "word" and words.meaning("words", token.key) in ("from", "to", "via")


def _counted(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """`Combat 2: 1007` and `2nd combat: 1007` without the number of the combat."""
    combat = base.WORDS[statements.Combat][0]
    first = words.meaning("statements", tokens[0].key) if len(tokens) > 2 else None
    fires = first == _BOMBARD and tokens[2].text == ":"
    begins = (
        first == combat or fires or (first == _ATTACK and tokens[2].text == ":" and words.is_hex(tokens[-1].text))
    )
    if begins and _LABELS_COUNT.fullmatch(tokens[1].text):
        rest = tokens[3:] if tokens[2].text in (":", "-") else tokens[2:]
        return (tokens[0], *rest) if any(words.is_hex(t.text) for t in rest) else tokens
    return tokens


def _hex_first(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """`1007: attack with u1`, `1007 attacked by u1` with the hex behind the word that it is told of."""
    first = tokens[0]
    if len(tokens) < 3 or first.kind != "word" or first.key in declared or not words.is_hex(first.text):
        return tokens
    at = 2 if tokens[1].text in (":", "-", "->") or words.meaning("copulas", tokens[1].key) else 1
    flown = words.meaning("statements", "-".join(t.key for t in tokens[at : at + 2]))
    if flown == base.WORDS[statements.AirStrike][0]:
        return (in_place(tokens[at], "statements", flown, words), first, *tokens[at + 2 :])
    if len(tokens) < at + 2 or words.meaning("statements", tokens[at].key) not in (_ATTACK, _BOMBARD):
        return tokens
    if any(words.is_hex(t.text) for t in tokens[at:]):
        return tokens
    return (tokens[at], first, *tokens[at + 1 :])
