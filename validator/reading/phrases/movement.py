"""A move told with a verb of motion: `o 109 vai pra 0805`, `the 15th crosses to 1010 and stops in 1011`.

The verbs, and the adverbs beside them, are declared in `art/words/talk.LANGUAGE.yaml`.

Who comes onto the map, as people tell it: `enters at 0812 (south, road), moves 0912`, `entra pelo sul: 0812`.

The edge and the kind of way stand wherever somebody thinks of them, and mostly without the words that lead to them.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from ...notation import base, statements
from ...notation.cursor import Token, in_place
from ...notation.words import Vocabulary
from . import naming
from .battalions import bare
from .deeds import talk


def going(tokens: Sequence[Token], words: Vocabulary, declared: Container[str]) -> tuple[tuple[Token, ...], bool]:
    """A line without the verbs of motion behind its units, who may be called by numbers alone there.

    Whether a verb stands right before the hex that it goes to, with nothing but a small word between.
    """
    said, kept, goes, onward = talk(), list[Token](), False, False
    goal = max((i for i, t in enumerate(tokens) if words.hexes_of(t.text)), default=len(tokens))
    for i, token in enumerate(tokens):
        if i > goal and said["besides"].get(token.key) == "back":
            return tuple(tokens), False  # `up to 0907 and back`: they are not there
        deed = said["deeds"].get(token.key) if token.kind == "word" and token.key not in declared else None
        if deed and _leads_to_hex(tokens, i, words):
            deed = None
        if kept and deed in ("go", "over") and not _aims(kept, words):
            goes, onward = True, deed == "go"
        elif kept and deed == "off" and i + 1 < len(tokens) and words.meaning("words", tokens[i + 1].key) == "from":
            goes = True
        elif kept and said["besides"].get(token.key) and _leads(tokens, i + 1, words):
            goes = True  # `109-1 up to 0805`
        elif kept and goes and (_is_step(tokens, i, words) or _onto(tokens, i, words)):
            continue  # `one hex to 1202`, `on to 1721`
        elif kept and words.meaning("ways", token.key) and words.meaning("words", kept[-1].key) == "by":
            kept.pop()  # `by road`, which every way may lead along
        elif not (
            kept and goes and (said["besides"].get(token.key) or words.meaning("fillers", token.key) == "and")
        ):
            onward = onward and (words.is_hex(token.text) or words.meaning("fillers", token.key) == "hex")
            kept.append(token)
    kept = by_number(kept, tokens, words, declared)
    return (tuple(kept), onward) if goes else (tuple(kept), False)


def _aims(kept: Sequence[Token], words: Vocabulary) -> bool:
    """Whether a verb behind a way says what for, and not where to: `u1: 0806 0907 to close on 1007`."""
    aims = words.meaning("words", kept[-1].key) == "to"
    return aims and any(words.hexes_of(token.text) for token in kept)


def _leads(tokens: Sequence[Token], at: int, words: Vocabulary) -> bool:
    return at < len(tokens) and words.meaning("words", tokens[at].key) == "to"


def _leads_to_hex(tokens: Sequence[Token], at: int, words: Vocabulary) -> bool:
    """Whether a word leads to the hex behind it, as `para 0707` and `para o 0707`; `pára em 0707` stops there."""
    if not _leads(tokens, at, words):
        return False
    behind = list(tokens[at + 1 : at + 3])
    if len(behind) > 1 and any(words.meaning(s, behind[0].key) for s in ("wholes", "beside-turns")):
        behind = behind[1:]
    return bool(behind) and bool(words.hexes_of(behind[0].text))


def _onto(tokens: Sequence[Token], at: int, words: Vocabulary) -> bool:
    return words.meaning("fillers", tokens[at].key) == "hex" and _leads(tokens, at + 1, words)


def _is_step(tokens: Sequence[Token], at: int, words: Vocabulary) -> bool:
    """Whether a word says how far somebody goes, and not where: `one hex`."""
    number = words.meaning("numbers", tokens[at].key) if tokens[at].kind == "word" else None
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if number is not None:
        return following is not None and words.meaning("labels", following.key) == "combat"
    before = words.meaning("numbers", tokens[at - 1].key) if at else None
    return before is not None and words.meaning("labels", tokens[at].key) == "combat"


def inward(tokens: tuple[Token, ...], first: Token, words: Vocabulary) -> tuple[Token, ...]:
    """`the 134th enters 0715`, `109-1 leaves 0705 0704` as moves, where no edge of the map is touched or named.

    `first`: the word that the line began with, for one that begins with what units do says what it says.
    """
    first_word = words.meaning("statements", tokens[0].key)
    leaves = first_word == base.WORDS[statements.Exit][0]
    if (
        not (leaves or first_word == base.WORDS[statements.Enter][0])
        or words.grid is None
        or (tokens[0].line, tokens[0].column) == (first.line, first.column)
    ):
        return tokens
    way = [hex_ for token in tokens[1:] for hex_ in words.hexes_of(token.text)]
    rings = words.grid.rings
    rim = way[-1 if leaves else 0] if way else ""
    inner = rim in rings and None not in rings[rim]
    if not inner or any(words.meaning("edges", token.key) for token in tokens[1:]):
        return tokens
    deeds = talk()["deeds"]
    told = [
        t
        for i, t in enumerate(tokens)
        if i and (deeds.get(t.key) not in ("go", "over") or _leads_to_hex(tokens, i, words))
    ]
    kept = [t for t in told if words.meaning("fillers", t.key) != "and"]
    if len(told) < len(tokens) - 1 and len(way) > _ENDS:
        return tokens  # `leaves 4202 and reaches 3703, by way of …`
    return (in_place(tokens[0], "statements", base.WORDS[statements.Move][0], words), *kept)


_ENDS: Final = 2
"""Hexes of a way of which only its ends are told."""


def within(tokens: tuple[Token, ...], first: Token, words: Vocabulary) -> tuple[Token, ...]:
    """`the 104th advances from 0623 to 0722`, `953 falls back on 0920` as moves: where units move, nobody fights.

    `first`: as in `inward`.
    """
    said = words.meaning("statements", tokens[0].key)
    if said not in _FOUGHT or (tokens[0].line, tokens[0].column) == (first.line, first.column):
        return tokens
    if not any(words.hexes_of(token.text) for token in tokens[1:]):
        return tokens
    return (in_place(tokens[0], "statements", base.WORDS[statements.Move][0], words), *tokens[1:])


_FOUGHT: Final = frozenset((base.WORDS[statements.Advance][0], base.WORDS[statements.Retreat][0]))


def along(tokens: tuple[Token, ...], first: Token, words: Vocabulary) -> tuple[Token, ...]:
    """`893 TD went from 0306 to 0707 by road` without the road, which every way may lead along.

    `first`: as in `inward`.
    """
    moves = words.meaning("statements", tokens[0].key) == base.WORDS[statements.Move][0]
    if not moves or (tokens[0].line, tokens[0].column) == (first.line, first.column):
        return tokens
    told = {
        i
        for i in range(2, len(tokens))
        if words.meaning("ways", tokens[i].key) and words.meaning("words", tokens[i - 1].key) == "by"
    }
    return tuple(t for i, t in enumerate(tokens) if i not in told and i + 1 not in told)


def by_number(
    said: Sequence[Token], line: Sequence[Token], words: Vocabulary, declared: Container[str]
) -> list[Token]:
    """The numbers that units are called by as their ids, before what cannot be said of a plain number."""
    found = list(said)
    following = dict(pairwise(line))
    named = False
    for i in reversed(range(len(found))):
        token, behind = found[i], following.get(found[i])
        plain = token.kind == "word" and token.key not in declared
        part = any(words.meaning("words", t.key) == "from" for t in found[max(0, i - 2) : i])
        unit = (words.numbered(token.key) or ("" if part else bare(token, words, declared))) if plain else ""
        known = unit and behind is not None and (words.grid is None or token.text not in words.grid)
        listed = named and behind is not None and _apart(token, behind)
        named = bool(known) and behind is not None and (listed or _tells(behind, words))
        if named:
            found[i] = replace(token, text=unit, key=unit)
    return found


def _apart(first: Token, second: Token) -> bool:
    """Whether more than a blank stands between two words: a comma."""
    return first.line == second.line and second.column - first.column - len(first.text) > 1


def _tells(behind: Token, words: Vocabulary) -> bool:
    """Whether a word stands behind units, and behind no plain number."""
    linked = behind.text in (":", "/", "->", "+", "&") or words.meaning("fillers", behind.key) == "and"
    linked = linked or words.meaning("words", behind.key) in ("to", "from") or is_kind_behind(behind, words)
    return bool(linked or talk()["deeds"].get(behind.key) or words.meaning("behind-units", behind.key))


def is_kind_behind(token: Token, words: Vocabulary) -> bool:
    """Whether a word says what kind of unit stands before it."""
    return words.is_kind(token.key) or words.meaning("words", token.key) == "regiment"


_ENTER, _RAIL = base.WORDS[statements.Enter][0], base.WORDS[statements.RailMove][0]
_LEADING: Final = ("from", "by", "to")


def entered(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """The line with units, way, edge and kind of way in the notation's order; itself where a word says more."""
    if words.meaning("statements", tokens[0].key) != _ENTER:
        return tokens
    units: list[Token] = []
    way: list[Token] = []
    edges: list[Token] = []
    kinds: list[Token] = []
    loose = False
    for i, token in enumerate(tokens[1:], 1):
        before, named = tokens[i - 1], naming.names_unit(token, words, declared)
        if token.kind == "word" and not way and named:
            units.append(token)
        elif words.hexes_of(token.text) and not named:
            way.append(token)
        elif token.kind == "word" and words.meaning("edges", token.key):
            edges.append(token)
            loose = loose or words.meaning("words", before.key) != "from"
        elif token.kind == "word" and (kind := _kind(token, words)):
            kinds.append(in_place(token, "ways", kind, words))
            loose = loose or words.meaning("words", before.key) != "by"
        elif way and (token.text in ("-", "->") or _leads_on(tokens, i, words)):
            way.append(token)
        elif _goes_on(token, words) and way:
            loose = True
        elif not _is_empty(token, words):
            return tokens
    if not (units and way and loose) or len(edges) > 1 or len(kinds) > 1:
        return tokens
    while not words.hexes_of(way[-1].text):
        way.pop()
    found = [tokens[0], *units, *way]
    found += [in_place(edges[0], "words", "from", words), edges[0]] if edges else []
    return (*found, in_place(kinds[0], "words", "by", words), kinds[0]) if kinds else tuple(found)


def _kind(token: Token, words: Vocabulary) -> str:
    """The kind of way that a word says: `road`, `trem`."""
    if words.meaning("statements", token.key) == _RAIL:
        return _RAIL if words.known.get("ways", {}).get(_RAIL) else ""
    return words.meaning("ways", token.key) or ""


def _leads_on(tokens: Sequence[Token], i: int, words: Vocabulary) -> bool:
    """Whether a word leads from a hex of a way to the next one."""
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    return words.meaning("words", tokens[i].key) == "to" and following is not None and words.is_hex(following.text)


def _goes_on(token: Token, words: Vocabulary) -> bool:
    """Whether a word says that who came goes on."""
    moves = words.meaning("statements", token.key) == base.WORDS[statements.Move][0]
    return token.kind == "word" and (moves or talk()["deeds"].get(token.key) in ("go", "over"))


def _is_empty(token: Token, words: Vocabulary) -> bool:
    if token.kind == "mark":
        return token.text in (":", ",")
    small = any(words.meaning(section, token.key) for section in ("fillers", "beside-turns", "lead-ins"))
    return small or words.meaning("words", token.key) in _LEADING
