"""Battalions as people count them: `1st and 2nd of the 112th`, `112-1/2/3`, `o primeiro do 112`, `20 eng`.

Only what names each unit without doubt is taken: an id of the game for every number that is told, or as many
battalions as are said to be all of a regiment.

Regiments named as a whole: `109th Regiment`, `regimento 109`, `the 109th Infantry`; and by their number alone.

Whom of it that means hangs on who stands where it says, which is known when the game is played: it is written as
`regiment-109`, and as `all-109` where other units may be called by that number as well. See `validator.groups`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from ...notation.cursor import LogicalLine, Token
from ...notation.words import GROUPS, ROMAN, Vocabulary
from .naming import is_kind

_COUNT: Final = re.compile("[1-9]")
_REGIMENT: Final = re.compile("[0-9]{2,4}")
_UNIT: Final = re.compile(r"(.*[0-9]{2,4})-([1-9])")
_FIGURE: Final = re.compile("[0-9]")
_ALL: Final = frozenset("23")


def counted(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """The line with the ids of the battalions that it counts, each at the place of what names it."""
    if not words.units or not any(map(_FIGURE.search, (token.key for token in tokens))):
        return tokens  # whatever counts battalions tells the number of their regiment
    tokens = tuple(_summed(tokens))
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        for read in (_whole, _spaced, _siblings, _behind, _before, _all_of):
            units, taken = read(tokens, at, words, declared)
            if units:
                found += units
                at += taken
                break
        else:
            found.append(tokens[at])
            at += 1
    return tuple(found)


def _summed(tokens: Sequence[Token]) -> Iterator[Token]:
    """`I+II/112` with its numbers as words of their own."""
    for i, token in enumerate(tokens):
        pieces = token.text.split("+") if i + 1 < len(tokens) and tokens[i + 1].text == "/" else []
        if len(pieces) > 1 and all(_COUNT.fullmatch(p) or p.lower() in ROMAN for p in pieces):
            column = token.column
            for piece in pieces:
                yield replace(token, text=piece, key=piece.lower(), column=column)
                column += len(piece) + 1
        else:
            yield token


_None: Final[tuple[list[Token], int]] = ([], 0)


def _spaced(
    tokens: Sequence[Token], at: int, words: Vocabulary, declared: Container[str]
) -> tuple[list[Token], int]:
    """An id with blanks or slashes between its parts: `20 eng`, `893 td`, `109 1`, `983/1`."""
    first = tokens[at]
    if first.kind != "word" or not first.text.isdigit() or first.key in declared or at + 1 >= len(tokens):
        return _None
    slash = tokens[at + 1].text == "/" and at + 2 < len(tokens)
    second = tokens[at + 2] if slash else tokens[at + 1]
    number = second.text.isdigit()
    if second.kind != "word" or not (slash or _close(first, second)) or (slash and not number):
        return _None
    if number and (len(second.text) > 1 or (not slash and len(first.text) < _SURE)):
        return _None
    taken = 3 if slash else 2
    following = tokens[at + taken] if at + taken < len(tokens) else None
    if number and following is not None and following.text == "/":
        return _None  # a third part: a date
    unit = _unit(first.key, second.key, words) if first.text + "/" + second.text not in words.called else ""
    if unit and slash and following is not None and following.text.isdigit():
        # `112/1,2,3`
        numbers, end = _run(tokens, at + 2, words)
        listed = _placed(numbers, first.key, words)
        if len(listed) > 1 and all(_close(a, b) for a, b in pairwise(numbers)) and _ends(tokens, end, words):
            return listed, end - at
    return ([replace(first, text=unit, key=unit)], taken) if unit else _None


def _ends(tokens: Sequence[Token], at: int, words: Vocabulary) -> bool:
    """Whether a list of numbers ends before a place, and goes on with no other regiment's and no figures."""
    if at + 1 < len(tokens) and tokens[at].text == ":":
        return words.is_hex(tokens[at + 1].text)
    return at >= len(tokens) or tokens[at].text not in ("/", "=", ":")


_SURE: Final = 3
"""Figures of a regiment that no die, odds or turn is."""


def _number(token: Token, words: Vocabulary) -> str:
    """The number that a word counts by, an ordinal, a figure or a Roman one; "" for any other word."""
    if token.kind != "word":
        return ""
    figures = words.figures(token.key)
    if _COUNT.fullmatch(figures):
        return figures
    return ROMAN.get(token.key) or words.meaning("ordinals", token.key) or ""


def _unit(regiment: str, number: str, words: Vocabulary) -> str:
    """The one unit of a number in a regiment; "" for none and for several."""
    return words.one(f"{regiment}-{number}")


def _regiment(token: Token, words: Vocabulary) -> str:
    figures = words.figures(token.key) if token.kind == "word" else ""
    return figures if _REGIMENT.fullmatch(figures) else ""


def _joins(token: Token, words: Vocabulary) -> bool:
    return token.text in ("/", "+", "&") or words.meaning("fillers", token.key) == "and"


def _small(token: Token, words: Vocabulary) -> bool:
    """Whether a word stands between a number and its regiment and says nothing else."""
    kind = words.meaning("besides", token.key) == "battalion" or words.meaning("words", token.key) == "regiment"
    return (
        kind or words.meaning("beside-turns", token.key) is not None or words.meaning("fillers", token.key) == "hex"
    )


def _placed(tokens: Sequence[Token], regiment: str, words: Vocabulary) -> list[Token]:
    """Numbers as the ids of a regiment's units; none where one of them is nobody's, or said twice."""
    ids = [_unit(regiment, _number(t, words), words) for t in tokens]
    if not ids or not all(ids) or len(set(ids)) < len(ids):
        return []
    return [replace(t, text=id_, key=id_) for t, id_ in zip(tokens, ids, strict=True)]


def _run(tokens: Sequence[Token], at: int, words: Vocabulary) -> tuple[list[Token], int]:
    """The numbers in a row from a place on, and the place behind them."""
    numbers: list[Token] = []
    while at < len(tokens):
        if _number(tokens[at], words):
            numbers.append(tokens[at])
        elif not (numbers and (_joins(tokens[at], words) or _article(tokens, at, words))):
            break
        at += 1
    while numbers and at and not _number(tokens[at - 1], words):
        at -= 1
    return numbers, at


def _article(tokens: Sequence[Token], at: int, words: Vocabulary) -> bool:
    """Whether a small word stands before a further number: `o 2o e o 3o`."""
    following = at + 1 < len(tokens) and bool(_number(tokens[at + 1], words))
    return following and _joins(tokens[at - 1], words) and _small(tokens[at], words)


def _siblings(
    tokens: Sequence[Token], at: int, words: Vocabulary, declared: Container[str]
) -> tuple[list[Token], int]:
    """`112-1/2/3`, `112-1, 2 and 3`."""
    first = tokens[at]
    found = _UNIT.fullmatch(first.key) if first.kind == "word" and first.key not in declared else None
    if found is None or not (first.key in words.units or _unit(found[1], found[2], words)) or at + 1 >= len(tokens):
        return _None
    begin = at + 1 + _joins(tokens[at + 1], words)
    numbers, end = _run(tokens, begin, words)
    if numbers and end + 1 < len(tokens) and tokens[end].text == "/" and _regiment(tokens[end + 1], words):
        # `112-1, 2 and 1/109`: the last one is of another regiment.
        end = next(i for i in range(begin, end) if tokens[i] is numbers[-1])
        numbers = numbers[:-1]
        while end > begin and _joins(tokens[end - 1], words):
            end -= 1
    if not numbers or (begin == at + 1 and not any(_joins(t, words) for t in tokens[begin:end])):
        return _None
    named = _placed(numbers, found[1], words)
    return ([first, *named], end - at) if named else _None


def _behind(
    tokens: Sequence[Token], at: int, words: Vocabulary, declared: Container[str]
) -> tuple[list[Token], int]:
    """`1st, 2nd and 3rd of the 112th`."""
    if not _number(tokens[at], words):
        return _None
    numbers, end = _run(tokens, at, words)
    start = end
    if len(numbers) > 1 and end + 1 < len(tokens) and tokens[end].text == "/":
        # `I+II/112`
        named = _placed(numbers, _regiment(tokens[end + 1], words), words)
        glued = numbers[-2].column + len(numbers[-2].text) + 1 == numbers[-1].column
        return (named, end + 2 - at) if named and glued else _None
    while end < len(tokens) and _small(tokens[end], words):
        end += 1
    if end >= len(tokens) or (end == start and not any(map(_lettered, numbers))):
        return _None
    if not _close(tokens[start - 1], tokens[start]):
        return _None  # `Second, the 983rd …`
    regiment = _regiment(tokens[end], words)
    named = _placed(numbers, regiment, words) if regiment and tokens[end].key not in declared else []
    end += 1
    if named and end < len(tokens) and words.meaning("words", tokens[end].key) == "regiment":
        end += 1
    return (named, end - at) if named else _None


def _close(first: Token, second: Token) -> bool:
    """Whether nothing but a blank stands between two words."""
    return first.line == second.line and second.column - first.column - len(first.text) == 1


def _lettered(token: Token) -> bool:
    return not token.text.isdigit()


def _before(
    tokens: Sequence[Token], at: int, words: Vocabulary, declared: Container[str]
) -> tuple[list[Token], int]:
    """`983 I & II`, `109 1, 2 and 3`: two numbers at least, or one that is no plain figure."""
    regiment = _regiment(tokens[at], words)
    if not regiment or tokens[at].key in declared or (words.is_hex(tokens[at].text) and words.like(regiment) == ()):
        return _None
    if at > 1 and tokens[at - 1].text == "/" and _number(tokens[at - 2], words):
        return _None  # `I/983, II/983`: its battalion stands before it, and the next one's behind
    numbers, end = _run(tokens, at + 1, words)
    if not numbers or tokens[at + 1] is not numbers[0] or (len(numbers) == 1 and not _lettered(numbers[0])):
        return _None
    named = _placed(numbers, regiment, words)
    return (named, end - at) if named else _None


def _all_of(
    tokens: Sequence[Token], at: int, words: Vocabulary, declared: Container[str]
) -> tuple[list[Token], int]:
    """`both battalions of the 983rd`, `all three of the 112th`: as many as it has, and it says so."""
    start = at
    while at < len(tokens) and words.meaning("wholes", tokens[at].key) == "all":
        at += 1
    if at >= len(tokens) or tokens[at].kind != "word":
        return _None
    both = words.meaning("wholes", tokens[at].key) == "both"
    count = "2" if both else words.meaning("numbers", tokens[at].key) or tokens[at].text
    if count not in _ALL:
        return _None
    at += 1
    told = at
    while at < len(tokens) and _small(tokens[at], words):
        at += 1
    if at >= len(tokens) or tokens[at].key in declared or (at == told and not (both or start < told - 1)):
        return _None
    regiment = _regiment(tokens[at], words)
    ids = list(_of(regiment, words)) if regiment else []
    if len(ids) != int(count):
        return _None
    end = at + 1
    while end < len(tokens) and words.meaning("besides", tokens[end].key) == "battalion":
        end += 1
    return [replace(tokens[at], text=id_, key=id_) for id_ in ids], end - start


def _whole(
    tokens: Sequence[Token], at: int, words: Vocabulary, declared: Container[str]
) -> tuple[list[Token], int]:
    """`the whole of the 112th`, `14 pqd todo`, `all of the 112th`: all units of a number that has several."""
    start = at
    if at + 1 < len(tokens) and _is_all_of(tokens[at], tokens[at + 1], words):
        at += 2
    while at < len(tokens) and (_is_whole(tokens[at], words) or (at > start and _small(tokens[at], words))):
        at += 1
    regiment = _regiment(tokens[at], words) if at < len(tokens) and tokens[at].key not in declared else ""
    ids = list(_of(regiment, words)) if regiment else []
    if len(ids) <= 1:
        return _None
    end = at + 1
    while end < len(tokens) and (_small(tokens[end], words) or _is_type(tokens[end], words)):
        end += 1
    if end < len(tokens) and _is_whole(tokens[end], words):
        end += 1
    elif at == start:
        return _None
    else:
        end = at + 1
    return [replace(tokens[at], text=id_, key=id_) for id_ in ids], end - start


def _is_whole(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("wholes", token.key) == "whole"


def _is_all_of(token: Token, following: Token, words: Vocabulary) -> bool:
    """Whether two words are `all of`, and not `the` before a number."""
    every = words.meaning("wholes", token.key) == "all" and words.meaning("fillers", token.key) is None
    of = words.meaning("fillers", following.key) == "hex" and words.meaning("wholes", following.key) is None
    return token.kind == "word" and every and of


def _is_type(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("unit_types", token.key) is not None


def _of(regiment: str, words: Vocabulary) -> Iterator[str]:
    for number in "123456789":
        if not (unit := _unit(regiment, number, words)):
            return
        yield unit


_REGIMENTS_COUNT: Final = re.compile("[1-9]")
_FIGURES: Final = re.compile("[0-9]{3,4}")
_BRACKETS: Final = re.compile(r"\(([^()]*)\)")
_REGIMENTS_SURE, _BARE = GROUPS
_MOST: Final = 3
"""Words of its arm between a regiment and its number."""
_JOINTS: Final = (":", "=", "/", "-", "x", "\u00d7")
_LEADS: Final = 3
"""Words between a battalion and its regiment at most: `of the`, `do`."""


def named(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """The line with whole regiments as one word each: `regiment-109`, or the id of one that is a single unit.

    Not those of which a part is told, before the number or by its ids elsewhere in the line.
    """
    if not words.regiments:
        return tokens
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        number, taken = _regiments_regiment(tokens, at, words, declared)
        units = words.regiments.get(number, ())
        if units and not _is_parted(tokens, at, taken, units, words):
            called = units[0] if len(units) == 1 else f"{_REGIMENTS_SURE}{number}"
            found.append(replace(tokens[at], kind="word", text=called, key=called))
            at += taken
        else:
            found.append(tokens[at])
            at += 1
    return tuple(found)


def by_number(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """The line with regiments called by their numbers alone as `all-109`; for lines in which units attack."""
    if not words.regiments:
        return tokens
    found = list(tokens)
    for i, token in enumerate(tokens):
        called = bare(token, words, declared)
        if called and not _is_figure(tokens[i + 1 : i + 3], words):
            units = words.regiments[called.removeprefix(_BARE)]
            if not _is_parted(tokens, i, 1, units, words):
                found[i] = replace(token, text=called, key=called)
    return tuple(found)


def _is_figure(behind: Sequence[Token], words: Vocabulary) -> bool:
    """Whether what follows stands behind a total, and behind no regiment's number: `112:4`, `112 against 4`."""
    if not behind or (behind[-1] is not behind[0] and behind[0].text == ":" and words.is_hex(behind[-1].text)):
        return False
    return behind[0].text in _JOINTS or words.meaning("words", behind[0].key) == "against"


def bare(token: Token, words: Vocabulary, declared: Container[str]) -> str:
    """What a number, or an ordinal, is as the regiment of several units that it may name; "" for any other."""
    if token.kind != "word" or token.key in declared or words.is_hex(token.text):
        return ""
    figures = words.figures(token.key)
    ordinal = figures != token.key and len(figures) > 1
    known = len(words.regiments.get(figures, ())) > 1 and (ordinal or _FIGURES.fullmatch(figures))
    return f"{_BARE}{figures}" if known and not words.numbered(figures) else ""


def is_formation(token: Token, words: Vocabulary) -> bool:
    """Whether a word says that a division or a corps is named: `(28th Div)`."""
    return token.kind == "word" and words.meaning("words", token.key.rstrip(".")) in ("division", "corps")


def _regiments_regiment(
    tokens: Sequence[Token], at: int, words: Vocabulary, declared: Container[str]
) -> tuple[str, int]:
    """The number of a regiment that is named at a place, and by how many words; ("", 0) for none."""
    first = tokens[at]
    if first.kind != "word" or first.key in declared:
        return "", 0
    if _is_regiment(first, words):
        end = _behind_arm(tokens, at + 1, at, words)
        number = (
            _regiments_number(tokens[end], words) if end < len(tokens) and tokens[end].key not in declared else ""
        )
        arms = tokens[at + 1 : end]
        whole = bool(number) and _regiments_close(tokens[at : end + 1]) and _of_all(arms, number, words)
        return (number, end + 1 - at) if whole else ("", 0)
    if not (number := _regiments_number(first, words)):
        return "", 0
    end = _behind_arm(tokens, at + 1, at, words)
    arms = tokens[at + 1 : end]
    if end < len(tokens) and _is_regiment(tokens[end], words) and _regiments_close(tokens[at : end + 1]):
        word, end = end, _behind_arm(tokens, end + 1, at, words, close=True)
        return (number, end - at) if _of_all((*arms, *tokens[word + 1 : end]), number, words) else ("", 0)
    spoken = [name for t in arms if (name := words.calls.names(t.key.strip(".")))]
    fit = words.calls.fit((number,), spoken) if spoken and _regiments_close(tokens[at:end]) else ()
    whole = len(spoken) == len(arms) and set(fit) == set(words.regiments.get(number, ()))
    return (number, end - at) if whole and len(fit) > 1 else ("", 0)


def _behind_arm(tokens: Sequence[Token], start: int, at: int, words: Vocabulary, *, close: bool = False) -> int:
    """Where the words end that say of what arm a regiment is which is named from `at` on; only `close` ones."""
    end = start
    while end < len(tokens) and end - at <= _MOST and _says_arm(tokens[end], words):
        if close and not _regiments_close(tokens[end - 1 : end + 1]):
            break
        end += 1
    return end


def _regiments_number(token: Token, words: Vocabulary) -> str:
    """The number of one of the game's regiments that a word is; "" for any other."""
    figures = words.figures(token.key.rstrip(".")) if token.kind == "word" else ""
    return figures if figures in words.regiments else ""


def _is_regiment(token: Token, words: Vocabulary) -> bool:
    return token.kind == "word" and words.meaning("words", token.key.rstrip(".")) == "regiment"


def _says_arm(token: Token, words: Vocabulary) -> bool:
    """Whether a word may say of what arm a regiment is: `Infantry`, `de infantaria`, `Grenadier`."""
    key = token.key.strip(".")
    of = words.meaning("beside-turns", key) is not None and not key.isdigit()
    kind = is_kind(token, words) and not _is_regiment(token, words)
    return token.kind == "word" and bool(of or kind or words.calls.names(key))


def _of_all(arms: Sequence[Token], number: str, words: Vocabulary) -> bool:
    """Whether words for an arm, if there are any, are said of all units of a regiment; no `company` is."""
    units = words.regiments[number]
    said = [t.key.strip(".") for t in arms if words.meaning("beside-turns", t.key) is None]
    spoken = [words.calls.names(key) for key in said]
    return all(spoken) and all(words.calls.is_of(unit, word) for unit in units for word in spoken)


def _regiments_close(tokens: Sequence[Token]) -> bool:
    """Whether nothing but blanks stands between words."""
    return all(a.line == b.line and b.column - a.column - len(a.text) == 1 for a, b in pairwise(tokens))


def _is_parted(tokens: Sequence[Token], at: int, taken: int, units: Sequence[str], words: Vocabulary) -> bool:
    """Whether a part of a regiment is told: `1st battalion, 109th Regiment`, or one of its units by its id."""
    i = at - 1
    while i >= 0 and at - i <= _LEADS and _leads(tokens[i], words):
        i -= 1
    if i >= 0:
        key = tokens[i].key.strip(".,")
        count = _REGIMENTS_COUNT.fullmatch(words.figures(key)) or key in ROMAN or words.meaning("ordinals", key)
        part = words.meaning("besides", key) == "battalion" or words.meaning("wholes", key) == "both"
        if count or part or words.meaning("numbers", key) or tokens[i].text == "/":
            return True
    if any(words.meaning("words", t.key) == "from" for t in tokens[i + 1 : at]):
        return True  # `from the 352nd, the 915th …`
    others = (*tokens[:at], *tokens[at + taken :])
    named = {unit for t in others for unit in ((t.key,) if t.key in words.units else words.like(t.key))}
    behind = tokens[at + taken] if at + taken < len(tokens) else None
    counted = behind is not None and (behind.text == "/" or behind.key in ROMAN)
    return counted or not named.isdisjoint(units)


def _leads(token: Token, words: Vocabulary) -> bool:
    of = words.meaning("beside-turns", token.key) is not None or words.meaning("fillers", token.key) == "hex"
    return token.kind == "word" and not token.text.isdigit() and (of or words.meaning("words", token.key) == "from")


def listed(line: LogicalLine, words: Vocabulary, declared: Container[str]) -> LogicalLine:
    """`35 (134 e 137)` without the division, or regiment, of which brackets list units."""
    if line.too_long or not line.tokens or not words.counters:
        return line
    kept = line.tokens
    number = line.tokens[0].line
    for match in _BRACKETS.finditer(line.texts[number - 1] if number <= len(line.texts) else ""):
        inside = [t for t in kept if t.line == number and match.start() < t.column <= match.end()]
        before = [t for t in kept if t.line == number and t.column <= match.start()]
        end = len(before)
        while end and (is_kind(before[end - 1], words) or words.calls.names(before[end - 1].key.strip("."))):
            end -= 1
        formation = words.figures(before[end - 1].key) if end else ""
        if not inside or not formation.isdigit() or before[end - 1].key in declared:
            continue
        units = list(_listed(inside, words))
        if units and all(_is_of(unit, formation, words) for unit in units):
            gone = before[end - 1 :]
            kept = tuple(t for t in kept if t not in gone)
    return line.of(kept) if kept and len(kept) < len(line.tokens) else line


def _listed(tokens: Sequence[Token], words: Vocabulary) -> Iterator[str]:
    """The units that a list is of; "" for a word that names none without doubt."""
    for token in tokens:
        if token.text in ("+", "&", "/") or words.meaning("fillers", token.key) == "and":
            continue
        yield words.one(token.key) or words.numbered(token.key)


def _is_of(unit: str, number: str, words: Vocabulary) -> bool:
    """Whether a unit is of a division or a regiment, by its number."""
    counter = words.counters.get(unit)
    if counter is None or number in (unit.rpartition("-")[2],):
        return False
    return number in (counter.division or "").split() or number == (counter.regiment or "")
