"""Who moves as those of the line above: `112-2 idem`, `112-2 too`, `same for the 2/109`, `ditto 983-2`."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import LogicalLine, Token, in_place
from hexforge.validator.readers.notation.words import Vocabulary, fold
from hexforge.validator.readers.phrases import order, spoken, ways
from hexforge.validator.readers.phrases.deeds import talk

_BACK: Final = "back"


def as_before(
    line: LogicalLine, words: Vocabulary, declared: Container[str], before: Sequence[st.Statement]
) -> LogicalLine:
    """The line with the way of the move before it, from its second hex on, where it says that it is the same.

    The line itself for any other, and where no move stands before it. Where it begins is left out: the units may
    stand elsewhere, and the way says the rest.
    """
    at = next((i for i, t in enumerate(line.tokens) if _same(t, words)), -1)
    last = before[-1] if before else None
    if at < 0 or line.too_long or not isinstance(last, st.Move):
        return line
    said = spoken.tidied(line.tokens, words, declared)
    units = [t for t in said if order.names_unit(t, words, declared)]
    rest = [t for t in said if t not in units and not _empty(t, words)]
    if not units or rest:
        return line
    first = line.tokens[at]
    move = in_place(first, "statements", base.WORDS[st.Move][0], words)
    way = last.path[2 if last.path[1:2] == ("-",) else 1 :] or last.path
    said_so = [move, *units, _as(first, ":", "mark"), *(_as(first, hex_) for hex_ in way)]
    return replace(line, tokens=tuple(said_so))


def without_asides(tokens: tuple[Token, ...], words: Vocabulary) -> tuple[Token, ...]:
    """Units and their way without what is said between: `u1 the same way: 0806 0907`, `u1 together to 0907`."""
    if not ways.has_way(words.meaning("statements", tokens[0].key)):
        return tokens
    asides = talk()["besides"]
    kept: list[Token] = [tokens[0]]
    goal = max((i for i, t in enumerate(tokens) if words.hexes_of(t.text)), default=0)
    for i, token in enumerate(tokens[1:], 1):
        if i > goal and asides.get(token.key) == _BACK:
            kept.append(token)  # `to 0907 and back`: they are not there
            continue
        said = token.kind == "word" and token.key not in words.units and not token.text.isdigit()
        if said and (words.meaning("besides", token.key) == "again" or token.key in asides):
            while len(kept) > 1 and words.meaning("fillers", kept[-1].key):
                kept.pop()
        else:
            kept.append(token)
    return tuple(kept)


def _same(token: Token, words: Vocabulary) -> bool:
    meant = words.meaning("besides", token.key) or words.meaning("adverbs", token.key)
    return token.kind == "word" and meant in ("again", "also")


def _empty(token: Token, words: Vocabulary) -> bool:
    """Whether a word says nothing where the rest of the line says who moves as somebody else did."""
    small = any(
        words.meaning(section, token.key) for section in ("fillers", "beside-turns", "adverbs", "behind-units")
    )
    linked = (
        words.meaning("words", token.key) in ("from", "to", "by") or words.meaning("besides", token.key) is not None
    )
    return token.kind == "mark" or token.text == "-" or small or linked


def _as(token: Token, text: str, kind: str = "word") -> Token:
    return replace(token, kind=kind, text=text, key=fold(text))
