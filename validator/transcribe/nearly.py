"""Lines that nearly read as statements: as people write them, and those that remain unread.

`apoiar fora do mapa 30` and `combate em 1007.` mean what they seem to; a line made of the notation's words that
still says nothing to the reader is named, so that whoever typed it can say it otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from typing import Final

from hexforge.scenarios.words import SOURCE, catalogue, languages
from hexforge.validator.readers import statements as st
from hexforge.validator.readers.base import beginning
from hexforge.validator.readers.words import Vocabulary, fold

_WORD: Final = re.compile(r"[^\W_][\w.:/+-]*")
_STRANGE: Final = 0.4
"""The share of words that are none of the notation's from which a line is talk."""


def readings(text: str, words: Vocabulary) -> Iterator[str]:
    """What a line may mean that does not read as it stands: without the marks of prose, without small words."""
    plain = text.rstrip(" .,;!\u2026").replace(",", " ")
    first, *rest = plain.split(None, 1)
    plain = " ".join((first.rstrip(":"), *rest))
    for spaced, joined in _joined_forms(words):
        plain = re.sub(rf"\b{spaced}\b", joined, plain, flags=re.IGNORECASE)
    yield plain
    yield " ".join(w for i, w in enumerate(plain.split()) if i == 0 or fold(w) not in _links())


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
    return key in _links() or any(words.meaning(section, key) is not None for section in words.known)


@cache
def _links() -> frozenset[str]:
    """Small words between what a line names, of all languages, as they are folded."""
    found = (str(catalogue("logs", language)["links"]).split() for language in (SOURCE, *languages()))
    return frozenset(fold(word) for words in found for word in words)


@lru_cache(8)
def _spaced(forms: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    pairs = ((r"\s+".join(map(re.escape, f.split("-"))), f) for f in forms if "-" in f)
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


def _joined_forms(words: Vocabulary) -> tuple[tuple[str, str], ...]:
    """Forms of words that are written with hyphens, as they are typed with blanks; the longest first."""
    sections = (sections.get(name, {}) for sections in words.forms.values() for name in ("statements", "words"))
    return _spaced(tuple(form for section in sections for forms in section.values() for form in forms))
