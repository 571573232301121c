"""A TextMate grammar for turn sheets, by which editors colour them: all words that the notation declares.

Format: TextMate's language grammars as JSON, with regular expressions of Oniguruma. The words of single games are
not in it, for an editor does not know which game a sheet names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final

from hexforge.validator.readers.notation.wordbooks import notation
from hexforge.validator.readers.notation.words import FIRST, Vocabulary

_NAMED: Final = {
    "sides": "support.class.side.sheet",
    "phases": "support.constant.phase.sheet",
    "unit_types": "support.type.unit.sheet",
    "terrain": "support.type.terrain.sheet",
    "flags": "constant.language.flag.sheet",
    "markers": "constant.language.marker.sheet",
    "edges": "constant.language.edge.sheet",
    "roles": "constant.language.role.sheet",
    "words": "keyword.other.sheet",
}
"""Sections of the notation's words and the scopes of editors' themes."""
_BEFORE: Final = r"(?<![\p{L}\p{N}_.-])"
_BEHIND: Final = r"(?![\p{L}\p{N}_.-])"

_HEX: Final = r"(?:[A-Za-z]?[0-9]{4}|[A-Z]{1,2}[0-9]{1,3}|[0-9]{1,3}[A-Z]{1,2})"
"""As maps call them: `1305`, `B1305`, `A1`, `12C`."""


def grammar() -> dict[str, Any]:
    """The grammar as values that JSON has."""
    words = notation()
    first = _forms(words, FIRST)
    named = [
        {"name": scope, "match": f"(?i){_BEFORE}(?:{_any(forms)}){_BEHIND}"}
        for section, scope in _NAMED.items()
        if (forms := _forms(words, (section,)))
    ]
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Hexforge turn sheet",
        "scopeName": "text.hexforge.sheet",
        "fileTypes": ["sheet"],
        "patterns": [
            {"name": "comment.line.number-sign.sheet", "match": "#.*$"},
            {
                "name": "string.quoted.double.sheet",
                "match": '"[^"]*"|\u201c[^\u201d]*\u201d|\u00ab[^\u00bb]*\u00bb',
            },
            {
                "match": f"(?i)^([\\s>]*)({_any(first)}){_BEHIND}",
                "captures": {
                    "1": {"name": "punctuation.definition.quote.sheet"},
                    "2": {"name": "keyword.control.sheet"},
                },
            },
            {"name": "constant.numeric.hex.sheet", "match": f"{_BEFORE}{_HEX}(?![\\p{{L}}\\p{{N}}_])"},
            *named,
            {"name": "variable.other.unit.sheet", "match": f"{_BEFORE}[a-z][a-z0-9.]*(?:-[a-z0-9.]+)+"},
            {"name": "constant.numeric.sheet", "match": f"{_BEFORE}[0-9]+(?:[-:x][0-9]+)*{_BEHIND}"},
            {"name": "constant.other.result.sheet", "match": f"{_BEFORE}[A-Z]{{1,4}}{_BEHIND}"},
            {"name": "keyword.operator.sheet", "match": "[:/=]|-+>|\u2192"},
        ],
    }


def written() -> str:
    """The grammar as a file."""
    return json.dumps(grammar(), ensure_ascii=False, indent=2) + "\n"


def _forms(words: Vocabulary, sections: Iterable[str]) -> list[str]:
    """All forms of the words of some sections in all languages, the longest first: the first that fits is taken."""
    found = {
        form
        for table in words.forms.values()
        for section in sections
        for id_, forms in table.get(section, {}).items()
        for form in (id_, *forms)
    }
    return sorted(found, key=lambda form: (-len(form), form))


def _any(forms: Iterable[str]) -> str:
    return "|".join(map(re.escape, forms))
