"""Regiments named as a whole: `109th Regiment`, `regimento 109`, `the 109th Infantry`; and by their number alone.

Whom of it that means hangs on who stands where it says, which is known when the game is played: it is written as
`regiment-109`, and as `all-109` where other units may be called by that number as well. See `validator.groups`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from hexforge.validator.readers.notation.lexer import LogicalLine, Token
from hexforge.validator.readers.notation.words import GROUPS, ROMAN, Vocabulary
from hexforge.validator.readers.phrases.company import is_kind

_COUNT: Final = re.compile("[1-9]")
_FIGURES: Final = re.compile("[0-9]{3,4}")
_BRACKETS: Final = re.compile(r"\(([^()]*)\)")
_SURE, _BARE = GROUPS
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
        number, taken = _regiment(tokens, at, words, declared)
        units = words.regiments.get(number, ())
        if units and not _is_parted(tokens, at, taken, units, words):
            called = units[0] if len(units) == 1 else f"{_SURE}{number}"
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


def _regiment(tokens: Sequence[Token], at: int, words: Vocabulary, declared: Container[str]) -> tuple[str, int]:
    """The number of a regiment that is named at a place, and by how many words; ("", 0) for none."""
    first = tokens[at]
    if first.kind != "word" or first.key in declared:
        return "", 0
    if _is_regiment(first, words):
        end = _behind_arm(tokens, at + 1, at, words)
        number = _number(tokens[end], words) if end < len(tokens) and tokens[end].key not in declared else ""
        arms = tokens[at + 1 : end]
        whole = bool(number) and _close(tokens[at : end + 1]) and _of_all(arms, number, words)
        return (number, end + 1 - at) if whole else ("", 0)
    if not (number := _number(first, words)):
        return "", 0
    end = _behind_arm(tokens, at + 1, at, words)
    arms = tokens[at + 1 : end]
    if end < len(tokens) and _is_regiment(tokens[end], words) and _close(tokens[at : end + 1]):
        word, end = end, _behind_arm(tokens, end + 1, at, words, close=True)
        return (number, end - at) if _of_all((*arms, *tokens[word + 1 : end]), number, words) else ("", 0)
    spoken = [name for t in arms if (name := words.calls.names(t.key.strip(".")))]
    fit = words.calls.fit((number,), spoken) if spoken and _close(tokens[at:end]) else ()
    whole = len(spoken) == len(arms) and set(fit) == set(words.regiments.get(number, ()))
    return (number, end - at) if whole and len(fit) > 1 else ("", 0)


def _behind_arm(tokens: Sequence[Token], start: int, at: int, words: Vocabulary, *, close: bool = False) -> int:
    """Where the words end that say of what arm a regiment is which is named from `at` on; only `close` ones."""
    end = start
    while end < len(tokens) and end - at <= _MOST and _says_arm(tokens[end], words):
        if close and not _close(tokens[end - 1 : end + 1]):
            break
        end += 1
    return end


def _number(token: Token, words: Vocabulary) -> str:
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


def _close(tokens: Sequence[Token]) -> bool:
    """Whether nothing but blanks stands between words."""
    return all(a.line == b.line and b.column - a.column - len(a.text) == 1 for a, b in pairwise(tokens))


def _is_parted(tokens: Sequence[Token], at: int, taken: int, units: Sequence[str], words: Vocabulary) -> bool:
    """Whether a part of a regiment is told: `1st battalion, 109th Regiment`, or one of its units by its id."""
    i = at - 1
    while i >= 0 and at - i <= _LEADS and _leads(tokens[i], words):
        i -= 1
    if i >= 0:
        key = tokens[i].key.strip(".,")
        count = _COUNT.fullmatch(words.figures(key)) or key in ROMAN or words.meaning("ordinals", key)
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
