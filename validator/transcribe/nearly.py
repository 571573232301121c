"""Lines that nearly read as statements, which are named, so that whoever typed one can say it otherwise."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.base import beginning
from hexforge.validator.readers.notation.words import Vocabulary, fold

_WORD: Final = re.compile(r"[^\W_][\w.:/+-]*")
_STRANGE: Final = 0.5
"""The share of words that are none of the notation's from which a line is talk."""


def is_nearly(text: str, words: Vocabulary, known: Collection[str]) -> bool:
    """Whether a line reads like a statement of play, though it is none. `known`: units, hexes, codes of results."""
    tokens = [t.rstrip(".:,") for t in _WORD.findall(text)]
    meaning = words.meaning("statements", fold(tokens[0])) if tokens else None
    if meaning is None or not any(issubclass(cls, st.Play | st.Act) for cls in beginning(meaning)):
        return False
    rest = tokens[1:]
    if not any(t in known or t[:1].isdigit() for t in rest):
        return False
    strange = [t for t in rest if not (t in known or t[:1].isdigit() or _is_word(fold(t), words))]
    return len(strange) < _STRANGE * len(rest)


def _is_word(key: str, words: Vocabulary) -> bool:
    return any(words.meaning(section, key) is not None for section in words.known)
