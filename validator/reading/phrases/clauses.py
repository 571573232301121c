"""A line that says several things without a semicolon between them, told apart where each of them can be read.

`attacks 1007 with us-112-1, rolled 5 and 3, DRB AVI`. A line is parted only if it cannot be read as a whole, only
where each piece can be, and only where there is one best way to do so: that of the fewest pieces, of which those
that begin with a word of the notation count less. Two ways that are as good leave the line unread.

A piece of talk before or behind all others, `…, what a cold day`, is left out if no word of it tells, denies or
doubts anything.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, TypeAlias

from ...notation.cursor import LogicalLine, Token
from ...notation.words import Vocabulary, fold
from ..phases import FATES
from .deeds import talk
from .naming import names_unit, of_one_side
from .spoken import phrased

MAX_CUTS: Final = 24
"""Places of a line where it may be parted; a longer one is left whole."""
_BETWEEN: Final = ",;.:()[]|!"
_PLAIN: Final = 2
_TACIT: Final = 3
"""What a piece costs that begins with a word of the notation, and one that does not."""


Reads: TypeAlias = Callable[[LogicalLine], int]
"""How many statements a line is as it stands; none for one that cannot be read."""
_Way: TypeAlias = tuple[int, int, tuple[tuple[int, int], ...]]
"""What a way of parting costs, how many ways cost as little, and its pieces."""


def clauses(line: LogicalLine, words: Vocabulary, reads: Reads, *, talked: bool = False) -> list[LogicalLine]:
    """The statements of a line that cannot be read as one; the line alone where there is no sure way to part it.

    An empty list where the one way may be meant otherwise. `talked`: people talk here between what they say.
    """
    found = _parted(line, words, reads)
    if len(found) != 1 or not talked:
        return found
    for start, end in _beside_talk(line, words):
        piece = _piece(line, start, end, words)
        if piece is not None and reads(piece):
            return [piece]
        if piece is not None and len(said := _parted(piece, words, reads)) > 1:
            return said
    return found


def _beside_talk(line: LogicalLine, words: Vocabulary) -> Iterator[tuple[int, int]]:
    """The places between which a line says something, if the rest of it is talk."""
    count = len(line.tokens)
    for i in range(_LEAST_TALK, count - 1):
        if _stops(line, i) and _is_talk(line.tokens[:i], words, begins=True):
            yield i, count
    for i in range(count - _LEAST_TALK, 1, -1):
        if _stops(line, i) and _is_talk(line.tokens[i:], words):
            yield 0, i


def _is_talk(tokens: Sequence[Token], words: Vocabulary, *, begins: bool = False) -> bool:
    """Whether no word of a piece may be of the notation, name a unit, or take back what is said beside it."""
    spoken = [t for t in tokens if t.kind == "word" and t.text.strip(_BETWEEN)]
    if not _LEAST_TALK <= len(spoken) <= _MOST_TALK or any(t.kind == "name" for t in tokens):
        return False
    first = _bare(spoken[0])
    if any(words.meaning(section, first) for section in ("fillers", "beside-turns", "words")):
        return False  # `…, the gunners`: one more who does so
    named = spoken[1:] if begins else spoken
    return not any(t.text[:1].isupper() for t in named) and not any(_means(_bare(t), words) for t in spoken)


def _means(key: str, words: Vocabulary) -> bool:
    """Whether a word may mean something beside a statement."""
    if not key.isalpha() or key in words.units:
        return True
    if any(key in table for section, table in words.known.items() if section not in _EMPTY):
        return True
    said = talk()
    if said["musings"].get(key) == "past":
        return False
    telling = any(key in said[section] for section in _TELLING) or said["staying"].get(key) == "denied"
    return telling or words.nearly("statements", key) is not None


def _bare(token: Token) -> str:
    return token.key.strip(_BETWEEN)


def _stops(line: LogicalLine, i: int) -> bool:
    """Whether a mark stands before a token, be it none of the notation's."""
    before, token = line.tokens[i - 1], line.tokens[i]
    if token.kind == "mark" or before.text in ("-", "+", "/", "=", "->", ":"):
        return False
    if before.line != token.line or before.text[-1:] in ".!":
        return True
    return any(mark in line.gap(before, token) for mark in ",;.()!")


_LEAST_TALK: Final = 2
_MOST_TALK: Final = 8
"""Words that a piece of talk has."""
_EMPTY: Final = ("fillers", "beside-turns", "lead-ins", "intents", "adverbs")
_TELLING: Final = ("deeds", "crowds", "musings", "reckonings", "doubts")


def _parted(line: LogicalLine, words: Vocabulary, reads: Reads) -> list[LogicalLine]:
    cuts = [i for i in range(1, len(line.tokens)) if _may_part(line, i, words)]
    if not cuts or len(cuts) > MAX_CUTS:
        return [line]
    # What stands behind the colon of most lines is a way, and no statement: then there is nothing to part there.
    behind = _piece(line, cuts[-1], len(line.tokens), words)
    if behind is not None and all(words.is_hex(t.text) for t in behind.tokens) and not reads(behind):
        cuts.pop()
    if not cuts:
        return [line]
    best: dict[int, _Way] = {0: (0, 1, ())}
    for end in (*cuts, len(line.tokens)):
        found: _Way | None = None
        for start in [i for i in (0, *cuts) if i < end and i in best]:
            cost, count, pieces = best[start]
            piece = _piece(line, start, end, words)
            if piece is None:
                continue
            cost += _PLAIN if words.begins(piece.tokens[0].key) else _TACIT
            if (found is not None and cost > found[0]) or not (said := reads(piece)):
                continue
            cost += _PLAIN * (said - 1)
            if found is not None and cost > found[0]:
                continue
            finer = len(pieces) + 1 - len(found[2]) if found is not None else 0
            if found is not None and cost == found[0] and finer < 0:
                continue  # a piece of several statements, each of which begins with its word, says what they say
            if found is not None and cost == found[0] and not finer:
                found = (cost, found[1] + count, found[2])
            else:
                found = (cost, count, (*pieces, (start, end)))
        if found is not None:
            best[end] = found
    _, count, pieces = best.get(len(line.tokens), (0, 0, ()))
    if count != 1 or len(pieces) < 2:
        return [line]
    ends = (*cuts, len(line.tokens))
    if any(_has_subject(line, start, ends, words, reads) for start, _ in pieces):
        return []
    return [piece for start, end in pieces if (piece := _piece(line, start, end, words)) is not None]


def _has_subject(line: LogicalLine, start: int, ends: Sequence[int], words: Vocabulary, reads: Reads) -> bool:
    """Whether the unit right before a piece may be who does what the piece begins with.

    `losses: u1, u2 loses a step; u2`: between `u2` and what it does no line is parted, and who is meant by the rest
    nobody can say.
    """
    tokens, verb = line.tokens, start
    while start and words.meaning("copulas", tokens[start - 1].key):
        start -= 1
    if not start or not _is_fate(tokens[verb], words) or not names_unit(tokens[start - 1], words, ()):
        return False
    if any(line.comma(a, b) or line.semicolon(a, b) for a, b in pairwise(tokens[start - 1 : verb + 1])):
        return False
    told = (_piece(line, start - 1, end, words) for end in ends if end > verb)
    return any(piece is not None and reads(piece) for piece in told)


def of_one_subject(line: LogicalLine, words: Vocabulary, reads: Reads) -> list[LogicalLine]:
    """`u1 loses a step and retreats to 1107` as two lines of the same units; the line alone for any other."""
    tokens = phrased(line.tokens, words)
    if any(_is_fate(t, words) and _counts_more(line, before, t, words) for before, t in pairwise(tokens)):
        return [line]  # `… and both retreat`: the other is not named
    verb = next((i for i, t in enumerate(tokens) if _is_fate(t, words)), 0)
    for i in range(verb + 2, len(tokens) if verb else 0):
        if _is_fate(tokens[i], words) and (_joins(tokens[i - 1], words) or _may_part(line, i, words)):
            first = _piece(replace(line, tokens=tokens), 0, i, words)
            second = replace(line, tokens=(*tokens[:verb], *tokens[i:]))
            if first is not None and reads(first) and reads(second):
                return [first, second]
    return [line]


def in_company(line: LogicalLine, words: Vocabulary, declared: Container[str], reads: Reads) -> list[LogicalLine]:
    """`u1 loses a step and retreats with u2 to 1107` as two lines, the second of both units; none for other lines.

    The line alone where that cannot be read: whoever is with u2 is not left behind.
    """
    tokens = phrased(line.tokens, words)
    at = next((i for i in range(_LEAST_TALK, len(tokens) - 2) if _goes_with(line, tokens, i, words, declared)), 0)
    if not at:
        return []
    subject = [t for t in tokens[:at] if names_unit(t, words, declared)]
    behind = [t for t in tokens[at + 2 :] if names_unit(t, words, declared)]
    known = [unit for t in (*subject, *behind) for unit in words.like(t.key)[:1] or (t.key,)]
    if not subject or not of_one_side(known, words):
        return []
    first = _piece(replace(line, tokens=tokens), 0, at, words)
    second = replace(line, tokens=(tokens[at], *subject, *tokens[at + 2 :]))
    return [first, second] if first is not None and reads(first) and reads(second) else [line]


def _goes_with(
    line: LogicalLine, tokens: Sequence[Token], i: int, words: Vocabulary, declared: Container[str]
) -> bool:
    """Whether what becomes of units is told there, in the same sentence, of them and of others `with` them."""
    if not _is_fate(tokens[i], words) or words.meaning("words", tokens[i + 1].key) != "by":
        return False
    named = any(names_unit(t, words, declared) for t in tokens[i + 2 : i + 4])
    before = tokens[i - 1]
    gap = line.texts[tokens[i].line - 1][before.column - 1 : tokens[i].column - 1]
    return named and (_joins(before, words) or not any(mark in gap for mark in ".;"))


def _counts_more(line: LogicalLine, before: Token, token: Token, words: Vocabulary) -> bool:
    """Whether `both` or the like stands before a word, which counts for nothing where who is meant is named."""
    start = before.column - 1 if before.line == token.line else 0
    said = line.texts[token.line - 1][start : token.column - 1].split()
    return any(words.meaning("adverbs", fold(word)) == "only" for word in said)


def _is_fate(token: Token, words: Vocabulary) -> bool:
    """Whether a word says what becomes of units in a combat."""
    return token.kind == "word" and words.meaning("statements", token.key) in FATES


def _may_part(line: LogicalLine, i: int, words: Vocabulary) -> bool:
    """Whether another statement may begin at a token: behind a mark, or with a word that begins statements."""
    before, token = line.tokens[i - 1], line.tokens[i]
    if words.are_codes(token.text) and not any(words.are_codes(t.text) for t in line.tokens[:i]):
        return True  # `5+3 DRB AVI`, `5+3 = 8 = DRB AVI`
    if token.kind == "mark" or _joins(token, words) or before.text == "=":
        return False
    if before.text == "/" and i > 1 and _touch(line.tokens[i - 2], before) and _touch(before, token):
        return False  # `V/406`
    if _after(line.tokens[:i], words):
        return False  # `retreats after the combat to 1107`
    # `our` begins a statement where a river is called so, and leads into others everywhere.
    begins = words.begins(token.key) and words.meaning("lead-ins", token.key) is None
    if before.kind == "mark" or begins or before.line != token.line or _joins(before, words):
        return True
    stop = before.text[-1:] in ".!" or before.text in ("-", "+")
    return stop or any(mark in line.gap(before, token) for mark in _BETWEEN)


def _touch(one: Token, other: Token) -> bool:
    return one.line == other.line and one.column + len(one.text) == other.column


def _after(before: Sequence[Token], words: Vocabulary) -> bool:
    """Whether what comes next is what something else is said to follow, and nothing that is told."""
    small = ("beside-turns", "fillers")
    while before and any(words.meaning(s, before[-1].key) for s in small) and not _means_after(before[-1], words):
        before = before[:-1]
    return bool(before) and _means_after(before[-1], words)


def _means_after(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("words", token.key) == "after"


def _piece(line: LogicalLine, start: int, end: int, words: Vocabulary) -> LogicalLine | None:
    """The tokens between two places, without what joins them to those around them; None if nothing is left."""
    tokens = _unled(line, _trimmed(line.tokens[start:end], words), words)
    return replace(line, tokens=tokens, end=tokens[-1].behind) if tokens else None


def _trimmed(tokens: Sequence[Token], words: Vocabulary) -> tuple[Token, ...]:
    while tokens and (_joins(tokens[0], words) or (tokens[0].kind == "mark" and tokens[0].text != ":")):
        tokens = tokens[1:]
    while tokens and (tokens[-1].kind == "mark" or tokens[-1].text in ("-", "+") or _joins(tokens[-1], words)):
        tokens = tokens[:-1]
    return tuple(tokens)


def _unled(line: LogicalLine, tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """A piece without what leads on from it to the next: `5 and 3 which gives | DRB AVI`.

    Behind a mark such words begin the next piece themselves.
    """
    end = len(tokens)
    while end > 2 and any(words.meaning(section, tokens[end - 1].key) for section in _LEADING):
        end -= 1
    if end == len(tokens) or tokens[end - 1].kind != "word" or _stops(line, line.tokens.index(tokens[end])):
        return tokens
    return tokens[:end]


_LEADING: Final = ("lead-ins", "copulas", "giving")
"""Sections of words that lead on to what stands behind them, and say nothing where nothing does."""


def _joins(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("fillers", token.key) == "and"
