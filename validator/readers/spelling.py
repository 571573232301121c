"""Words as they are spelt, with a letter left out too, and lines without the bullets before them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from hexforge.validator.readers.notation.lexer import PICTURES
from hexforge.validator.readers.notation.words import Vocabulary, fold

_BULLET: Final = re.compile(
    rf"\s*(?:(?:[-*\u2013\u2014\u00b7\u2192\u27a1{PICTURES}]+|[0-9]\ufe0f?\u20e3|[0-9]{{1,2}}[.)]|[a-z][.)]"
    r"|[0-9]{1,2}[a-z]\)|\(?[ivxIVX]{2,4}\)|[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}[.)]?|[A-Za-z]\.[0-9]{1,2}(?:\.[0-9A-Za-z]{1,2})?[.)]?)\s+)+"
)


def untrimmed(text: str) -> str:
    """A line without the bullet or number of a list before it, and without the stars of bold letters."""
    mark = _BULLET.match(text)
    line = text[mark.end() :] if mark else text
    bold = re.fullmatch(r"\s*([*_`]{1,3})(.+)\1\s*", line)
    return bold[2] if bold else line


def forms_of(words: Vocabulary, sections: Iterable[str]) -> set[str]:
    """All forms of the words of sections, folded."""
    tables = [table.get(section, {}) for section in sections for table in words.forms.values()]
    return {fold(form) for table in tables for forms in table.values() for form in forms}


def less_one(word: str) -> frozenset[str]:
    """A word, and all that it becomes without one of its letters."""
    return frozenset((word, *(word[:i] + word[i + 1 :] for i in range(len(word)))))
