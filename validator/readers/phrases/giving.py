"""Marks that units take, and parts of their strength that they give, as people tell them: the unit first, say.

The verbs are declared in `art/words/notation.LANGUAGE.yaml` under `taking` and `giving`. Whoever only is in a state
(`c1 is dug in`) takes none: he may have told how it stands; and marks that results give are told by those. Where no
strength is divided, `c1 gives 3` is part of a sum.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import Final

from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import Token, in_place
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.phrases import order

_FIGURE: Final = re.compile(r"[0-9]{1,3}")
_MARK, _SHARE = base.WORDS[st.Mark][0], base.WORDS[st.Share][0]
_JOINTS: Final = (":", "-", "=")
_SMALL: Final = ("as", "by", "from", "points")


def given(
    tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str], *, fighting: bool
) -> tuple[Token, ...]:
    """The line as `mark c1 as dug-in` or, in a combat, `share c1 3`, if it says that and nothing else."""
    return _marked(tokens, words, declared) or (fighting and _shared(tokens, words, declared)) or tokens


def _marked(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """`c1 takes the mark dug-in`, `mark c1 dug-in`, `mark as dug-in: c1`."""
    at = next(
        (i for i, t in enumerate(tokens) if t.kind == "word" and words.meaning("flags", t.key) in words.taken), -1
    )
    others = [t for i, t in enumerate(tokens) if i != at]
    if at < 0 or not _says(others, "taking", _MARK, words, declared) or _begins_otherwise(tokens, _MARK, words):
        return ()
    units = [t for t in others if order.names_unit(t, words, declared)]
    mark, as_ = in_place(tokens[0], "statements", _MARK, words), in_place(tokens[at], "words", "as", words)
    return (mark, *units, as_, tokens[at]) if units else ()


def _shared(tokens: tuple[Token, ...], words: Vocabulary, declared: Container[str]) -> tuple[Token, ...]:
    """`c1 gives 3 points`, `share of c1: 3`."""
    figures = [t for t in tokens if _FIGURE.fullmatch(t.text) and t.key not in declared]
    if not words.divided or len(figures) != 1 or _begins_otherwise(tokens, _SHARE, words):
        return ()
    others = [t for t in tokens if t is not figures[0]]
    units = [t for t in others if order.names_unit(t, words, declared)]
    if len(units) != 1 or not _says(others, "giving", _SHARE, words, declared):
        return ()
    return (in_place(tokens[0], "statements", _SHARE, words), units[0], figures[0])


def _begins_otherwise(tokens: Sequence[Token], word: str, words: Vocabulary) -> bool:
    """Whether a line begins a statement of another kind."""
    return words.meaning("statements", tokens[0].key) not in (None, word)


def _says(tokens: Sequence[Token], section: str, word: str, words: Vocabulary, declared: Container[str]) -> bool:
    """Whether words name units and say a section's verb behind them, or the statement's own, and nothing else."""
    told = named = False
    for token in tokens:
        if order.names_unit(token, words, declared):
            named = True
        elif token.kind != "word":
            if token.text not in _JOINTS:
                return False
        elif words.meaning("statements", token.key) == word or (
            named and words.meaning(section, token.key) == word
        ):
            told = True
        elif not _is_small(token, section, words):
            return False
    return told


def _is_small(token: Token, section: str, words: Vocabulary) -> bool:
    if words.meaning("words", token.key) in _SMALL or words.meaning(section, token.key) == "aside":
        return True
    return any(words.meaning(one, token.key) for one in ("fillers", "beside-turns", "copulas"))
