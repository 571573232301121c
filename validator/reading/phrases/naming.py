"""Units in words: `the 116 Pz recon`, `CCA da 4ª`, `tanques do 707`, `o 14 pqd inteiro`, `6ad-cca e ccb`.

Taken only where what is said fits one unit of the game, or where all that it fits are said to be meant: `all three
paras of the 14th`. Which words and numbers a unit is called by the game's data say, see `calling`.

Who cannot be meant together: enemies, or a unit and a kind that may be one more.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from ...notation.cursor import HEX, UNIT, Token, in_place
from ...notation.words import ROMAN, Vocabulary, fold

_MOST: Final = 12
"""Words that a name has."""
_CROWD: Final = 4
"""Units that `all of` may mean: more are a corps, some of which may not be there."""
_NUMBER: Final = re.compile("[0-9]{1,4}")
_NUMBERS: Final = re.compile("([0-9]{2,4})-([0-9])")
_GLUED: Final = re.compile("([a-z]{2,})([0-9]{1,4})")
_LEADING: Final = re.compile("([0-9]{1,4})([a-z]{2,})")
_SHARED: Final = re.compile("-([0-9]{1,2})")
_GUNS: Final = "artillery"
_COUNTED: Final = frozenset("234")
_NEUTRAL: Final = ("regiment", "division", "corps")


class _Said(NamedTuple):
    """A name up to one of its words: what it says, how many units that are said to be (0: one, -1: all of them)."""

    numbers: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    many: int = 0
    end: int = 0


def named(
    tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str], arm: str = "", guns: str = ""
) -> tuple[Token, ...]:
    """The line with the ids of units in place of their names.

    `arm`: a word that is said of all of them; `guns`: the statement that begins before those that are called guns.
    """
    if not words.counters:
        return tokens
    if any("+" in t.text for t in tokens):
        tokens = tuple(_summed(tokens, words))
    if not arm and not any(_may_name(t, words, declared) for t in tokens):
        return tokens
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        units, taken = _name(tokens, at, words, declared, arm)
        _share(found, tokens, at, taken if units else 0, words)
        if guns and any(words.meaning("arms", t.key) == _GUNS for t in tokens[at : at + taken]):
            found.append(in_place(tokens[at], "statements", guns, words))
        if not units:
            units, taken = _sibling(tokens, at, found, words)
        found += [replace(tokens[at], kind="word", text=unit, key=unit) for unit in units] or [tokens[at]]
        at += taken or 1
    return tuple(found)


def _summed(tokens: Sequence[Token], words: Vocabulary) -> Iterator[Token]:
    """`59+73` and `tank+td` as two words each."""
    for token in tokens:
        pieces = list(_PIECE.finditer(token.text)) if token.kind == "word" and "+" in token.text else []
        if (
            any(words.is_hex(piece[0]) for piece in pieces)
            or len(pieces) < _PAIR
            or not all(_DIGIT.search(p[0]) or words.calls.names(fold(p[0])) for p in pieces)
        ):
            yield token
            continue
        for piece in pieces:
            yield replace(token, text=piece[0], key=fold(piece[0]), column=token.column + piece.start())


_PIECE: Final = re.compile("[^+]+")
_DIGIT: Final = re.compile("[0-9]")
_PAIR: Final = 2


def _may_name(token: Token, words: Vocabulary, declared: Container[str]) -> bool:
    """Whether a token may be a part of a name that is no id already."""
    key = token.key
    if token.kind != "word" or key in words.units or key.isdigit() or key in declared:
        return False
    shaped = not key.isalpha() and any(form.fullmatch(key) for form in (_SHARED, _GLUED, _LEADING))
    return shaped or bool(words.calls.names(key.strip(".")))


def _name(
    tokens: Sequence[Token], at: int, words: Vocabulary, declared: Container[str], arm: str
) -> tuple[tuple[str, ...], int]:
    """The units that a name means which begins at a place, and how many tokens it is; none where it is not sure."""
    calls = words.calls
    for said in reversed(list(_pieces(tokens, at, words, declared))):
        spoken = (*said.words, arm) if arm else said.words
        if not spoken and not (said.numbers and said.many > 1):
            continue
        if not said.numbers and len(said.words) < 2 and not (spoken and calls.alone(spoken[0])):
            continue
        fit = calls.fit(said.numbers, spoken)
        if not fit:
            continue
        whole = said.many == -1 and 1 < len(fit) <= _CROWD and calls.are_whole(fit, said.numbers)
        sure = len(fit) == 1 if said.many == 0 else whole or said.many == len(fit)
        return (fit, said.end - at) if sure else ((), 0)
    return (), 0


def _pieces(tokens: Sequence[Token], at: int, words: Vocabulary, declared: Container[str]) -> Iterator[_Said]:
    """A name from a place on, up to each of its words behind which it may end."""
    said, start = _Said(), at
    while at < len(tokens) and at - start < _MOST:
        token = tokens[at]
        count, taken = (0, 0) if said.many else _count(tokens, at, words)
        if token.key in declared or token.key in words.units or _is_battalion(tokens, at):
            return
        if at > start and not _joined(tokens, at, _LOOSE if count and said.end else 1):
            return
        numbers, glued = _numbers(token, words), _glued(token, words)
        word = words.calls.names(token.key.strip(".")) if token.kind == "word" else ""
        if numbers and (at == start or not words.is_hex(token.text) or not _on_map(token, words)):
            said = said._replace(numbers=(*said.numbers, *numbers))
        elif word:
            said = said._replace(words=(*said.words, word))
        elif glued:
            said = said._replace(words=(*said.words, glued[0]), numbers=(*said.numbers, glued[1]))
        elif taken:
            said, at = said._replace(many=count), at + taken - 1
            if not said.numbers and not said.words:
                at += 1
                continue
        elif not (_is_neutral(token, words) or ((said.end or said.many) and _links(token, words))) or at == start:
            return
        else:
            at += 1
            continue
        at += 1
        said = said._replace(end=at)
        yield said


def _is_battalion(tokens: Sequence[Token], at: int) -> bool:
    """Whether a Roman number stands before its regiment: `II/14`."""
    return tokens[at].key in ROMAN and at + 1 < len(tokens) and tokens[at + 1].text == "/"


def _glued(token: Token, words: Vocabulary) -> tuple[str, str] | None:
    """The word and the number of a token without a blank between them: `ss37`, `101ab`."""
    if token.kind != "word" or len(words.like(token.key)) == 1:
        return None
    behind, before = _GLUED.fullmatch(token.key), _LEADING.fullmatch(token.key)
    word, number = behind.groups() if behind else before.groups()[::-1] if before else ("", "")
    name = words.calls.names(word) if word else ""
    return (name, number) if name else None


def _numbers(token: Token, words: Vocabulary) -> tuple[str, ...]:
    """The figures of a number, an ordinal or a battalion and its regiment: `116`, `116th`, `275-3`."""
    if token.kind != "word":
        return ()
    if pair := _NUMBERS.fullmatch(token.key):
        return () if words.like(token.key) else pair.groups()
    figures = words.figures(token.key)
    return (figures,) if _NUMBER.fullmatch(figures) else ()


def _on_map(token: Token, words: Vocabulary) -> bool:
    return words.grid is None or token.text in words.grid


def _joined(tokens: Sequence[Token], at: int, gap: int) -> bool:
    """Whether nothing but a blank, or a mark besides, stands before a token."""
    before, token = tokens[at - 1], tokens[at]
    return before.line == token.line and token.column - before.column - len(before.text) <= gap


_LOOSE: Final = 2
"""Places between a name and the count of units behind a comma or in brackets."""


def _is_neutral(token: Token, words: Vocabulary) -> bool:
    """Whether a word says only what is big: a battalion, a regiment, a division."""
    big = words.meaning("words", token.key) in _NEUTRAL or words.meaning("besides", token.key) == "battalion"
    return token.kind == "word" and big


def _links(token: Token, words: Vocabulary) -> bool:
    """Whether a word, or a slash, stands within a name: `da`, `of the`."""
    if token.kind == "mark":
        return token.text == "/"
    of = words.meaning("beside-turns", token.key) is not None or words.meaning("words", token.key) == "from"
    return of and not token.text.isdigit()


def _count(tokens: Sequence[Token], at: int, words: Vocabulary) -> tuple[int, int]:
    """How many units are said to be meant, -1 for all, and by how many words; (0, 0) for none."""
    token = tokens[at]
    if token.kind != "word":
        return 0, 0
    meant = words.meaning("wholes", token.key)
    if meant == "both":
        return 2, 1
    if meant == "whole":
        return -1, 1
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    figure = words.meaning("numbers", token.key) or token.text
    if figure in _COUNTED and following is not None and words.meaning("besides", following.key) == "battalion":
        return int(figure), 2
    if figure in _COUNTED and not token.text.isdigit() and following is not None and _links(following, words):
        return int(figure), 1
    number = words.meaning("numbers", following.key) if following is not None and meant == "all" else None
    if number is not None and number != "1":
        return int(number), 2
    every = meant == "all" and words.meaning("fillers", token.key) is None
    return (-1, 1) if every and words.meaning("beside-turns", token.key) is None else (0, 0)


def _share(found: list[Token], tokens: Sequence[Token], at: int, taken: int, words: Vocabulary) -> None:
    """The number before a name as the unit of it, where the words behind are said of both: `2nd and 3rd Cavalry`.

    One that may be another unit's, which is called by its number alone, is left alone.
    """
    stretch = tokens[at : at + taken]
    spoken = [name for t in stretch if t.kind == "word" and (name := words.calls.names(t.key.strip(".")))]
    spoken += [glued[0] for t in stretch if (glued := _glued(t, words))]
    i = len(found) - 1
    while (
        spoken and i > 0 and (found[i].text in _JOINING or words.meaning("fillers", found[i].key) in ("and", "hex"))
    ):
        i -= 1
    if not spoken or i < 0 or i == len(found) - 1 or not (numbers := _numbers(found[i], words)):
        return
    fit = words.calls.fit(numbers, spoken)
    if len(fit) == 1:
        found[i] = replace(found[i], text=fit[0], key=fit[0])


_JOINING: Final = ("+", "/", "&")


def _sibling(
    tokens: Sequence[Token], at: int, before: Sequence[Token], words: Vocabulary
) -> tuple[tuple[str, ...], int]:
    """A part of an id that goes on with the unit before it: `us-6ad-cca e ccb`, `506-1, -2`."""
    token = tokens[at]
    last = _last_unit(before, words)
    shared = _SHARED.fullmatch(token.text)
    if token.kind != "word" or not last or not (shared or token.key.isalpha()) or words.like(token.key):
        return (), 0
    unit = f"{last.rpartition('-')[0]}-{shared[1] if shared else token.key}"
    return ((unit,), 1) if unit in words.units and unit != last else ((), 0)


def _last_unit(before: Sequence[Token], words: Vocabulary) -> str:
    """The unit that a list ends with, nothing but `and` behind it; "" where none does."""
    for token in reversed(before):
        if token.text not in ("+", "/", "&") and words.meaning("fillers", token.key) != "and":
            return words.one(token.key)
    return ""


def numbered(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """The line with the ids of units in place of the numbers that people call them by, each one unit's alone.

    Numbers of two figures at least, or an ordinal; for lines in which no number means anything else.
    """
    return tuple(_by_number(token, words) for token in tokens)


def _by_number(token: Token, words: Vocabulary) -> Token:
    if token.kind != "word" or (token.text.isdigit() and len(token.text) < _LEAST) or _on_the_map(token, words):
        return token
    unit = words.numbered(token.key)
    return replace(token, text=unit, key=unit) if unit else token


_LEAST: Final = 2
"""Figures of a number that is no die."""


def _on_the_map(token: Token, words: Vocabulary) -> bool:
    return words.is_hex(token.text) and _on_map(token, words)


def of_one_side(units: Iterable[str], words: Vocabulary) -> bool:
    """Whether no two of some units are known to be enemies, who do nothing together."""
    return len({words.side(unit) for unit in units} - {""}) < _TWO


def stray_kind(tokens: Sequence[Token], units: Sequence[bool], words: Vocabulary) -> bool:
    """Whether a kind of unit is named that is said of none, and so may be one more: `the tanks and u1`.

    `units`: which of the tokens name units. A kind is said of the unit right before or behind it, if it is of it.
    """
    kinds = [not named and is_kind(token, words) for token, named in zip(tokens, units, strict=True)]
    return bool(words.counters) and any(
        kind and not any(fits(tokens[j], tokens[i], words) for j in _beside(i, kinds) if units[j])
        for i, kind in enumerate(kinds)
    )


def _beside(i: int, kinds: Sequence[bool]) -> Iterator[int]:
    """The places right before and behind the kinds that stand in a row around one of them."""
    first = last = i
    while first and kinds[first]:
        first -= 1
    while last < len(kinds) and kinds[last]:
        last += 1
    yield from {first, last} - {i, len(kinds)}


def fits(unit: Token, kind: Token, words: Vocabulary) -> bool:
    """Whether a word for a kind of unit may be said of one: `tanks` of no battalion of infantry."""
    arm = words.meaning("arms", kind.key)
    type_ = words.meaning("unit_types", kind.key)
    if arm is None and type_ is None:
        return True
    id_ = next(iter(words.like(unit.key)), unit.key)
    counter = words.counters.get(id_)
    return counter is None or counter.type == type_ or (arm is not None and words.calls.is_of(id_, kind.key))


def is_past(tokens: Sequence[Token], at: int, words: Vocabulary) -> bool:
    """Whether what is named there has been told already: `depois do combate 1007`."""
    after = tokens[at].kind == "word" and words.meaning("words", tokens[at].key) == "after"
    return after and at + 1 < len(tokens) and words.meaning("words", tokens[at + 1].key) == "from"


def is_kind(token: Token, words: Vocabulary) -> bool:
    """Whether a word says what kind of unit one is, as people do before its name."""
    known = any(words.meaning(section, token.key) == id_ for section, id_ in _KINDS)
    return known or words.meaning("unit_types", token.key) is not None


_KINDS: Final = (
    ("besides", "battalion"),
    ("words", "regiment"),
    ("words", "division"),
    ("words", "corps"),
    ("words", "formation"),
)
_TWO: Final = 2


_RATIO: Final = re.compile(r"[1-9][0-9]?-[1-9][0-9]?")


def names_unit(token: Token, words: Vocabulary, declared: Container[str]) -> bool:
    """Whether a word is a unit, or looks like the id of one."""
    if token.kind != "word" or HEX.fullmatch(token.text) or words.is_hex(token.text):
        return token.key in declared
    known = token.key in declared or token.key in words.units or bool(words.like(token.key))
    if not known and (words.hexes_joined(token.text) or _RATIO.fullmatch(token.text)):
        return False
    return known or ("-" in token.key and bool(UNIT.fullmatch(token.key) and re.search("[0-9]", token.key)))
