"""Lines in the very form of the notation: they are read as they stand, and not looked through for what people say.

Most lines of a sheet are such. A line is one only where nothing in it could mean anything else: every unit and code
is the game's or the sheet's own, no number stands where a unit might be called so, and no mark but the notation's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Final, TypeAlias

from hexforge.scenarios.words import SOURCE
from hexforge.validator.readers.notation import base
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.cursor import Cursor, Unread
from hexforge.validator.readers.notation.lexer import LogicalLine, Token
from hexforge.validator.readers.notation.words import Vocabulary

_PLAIN: Final = re.compile(r"[\w\s:./-]*(?:\s#.*)?")
_OF_UNITS: Final = (
    st.Move,
    st.Enter,
    st.Bombard,
    st.Retreat,
    st.Advance,
    st.Attack,
    st.Support,
    st.Guard,
    st.Lose,
    st.Eliminate,
    st.Recover,
)
_OF_FIGURES: Final = (st.TurnStart, st.Combat, st.AirSupport, st.Roll, st.Result, st.Declare, st.Announce)
_GOING: Final = (st.Move, st.Enter)

Begins: TypeAlias = Callable[[Cursor, Token], tuple[type[st.Statement], str]]
"""The statement that a line's first word begins, and the word's meaning. Raises Unread."""


def read_canonical(
    line: LogicalLine, words: Vocabulary, declared: Collection[str], begins: Begins, *, fought: bool = False
) -> st.Statement | None:
    """A line that is a statement as the notation writes it. `fought`: who goes somewhere may follow up here."""
    tokens = line.tokens
    if line.too_long or not tokens or not words.units or tokens[0].key in declared:
        return None
    if not words.begins(tokens[0].key) or tokens[-1].line != line.line:
        return None
    if not _PLAIN.fullmatch(line.texts[line.line - 1]) or tokens[-1].text.endswith("."):
        return None  # a full stop is none of a column's, which may be any word
    at = Cursor(line, words, SOURCE, declared)
    at.sure = True
    try:
        cls, word = begins(at, tokens[0])
        if cls not in _OF_UNITS and cls not in _OF_FIGURES:
            return None
        if (fought and cls in _GOING) or (cls in _OF_UNITS and _counts(tokens, words)):
            return None
        found = base.read_statement(cls, at, word)
    except Unread:
        return None
    return None if at.problems or at.void else found


def _counts(tokens: tuple[Token, ...], words: Vocabulary) -> bool:
    """Whether a number stands in a line that is no hex: of steps, points, or a unit."""
    return any(t.text.isdigit() and not words.is_hex(t.text) for t in tokens)


def is_mute(line: LogicalLine, words: Vocabulary, declared: Collection[str] = ()) -> bool:
    """Whether no word of a line can be of a statement, however it is put: `ontem foi bom`."""
    return not any(t.kind != "word" or t.key in declared or words.tells(t.key) for t in line.tokens)
