"""How a language counts and writes numbers: the few facts that sentences need of a library that knows far more.

Locale data hold five megabytes in each process that has asked them for anything. What is asked here of them is
kept in the user's cache, and only the rules of plurals are read by the library's own reader of such rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from hexforge.scenarios.kept import kept_as

ENGLISH: Final = "en"
"""What a language that nobody knows counts like."""


@dataclass(frozen=True, slots=True)
class Numerals:
    """`plural` gives the Unicode CLDR's category of a count: `zero one two few many other`."""

    plural: Callable[[float], str]
    decimal: str
    minus: str

    def written(self, value: float) -> str:
        """A number with three decimals at most, without groups: `2,5`."""
        plain = f"{value:.3f}".rstrip("0").rstrip(".")
        return plain.replace("-", self.minus).replace(".", self.decimal)


@cache
def numerals_of(language: str) -> Numerals:
    """Those of a language; those of English for one that nobody knows."""
    if language == ENGLISH:
        # Not even the reader of rules: it is a tenth of what a small sheet takes.
        return Numerals(_english, ".", "-")
    facts = kept_as(f"numerals {language} {_library()}", lambda: _facts(language))
    from babel.plural import PluralRule

    return Numerals(PluralRule(facts["plural"]), facts["decimal"], facts["minus"])


def _english(count: float) -> str:
    return "one" if abs(count) == 1 else "other"


def _library() -> str:
    """The library as it stands, without importing it."""
    found = find_spec("babel")
    assert found is not None
    assert found.origin is not None
    stat = Path(found.origin).stat()
    return f"{found.origin} {stat.st_size} {stat.st_mtime_ns}"


def _facts(language: str) -> dict[str, Any]:
    from babel import Locale, UnknownLocaleError
    from babel.numbers import format_decimal

    try:
        locale = Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        locale = Locale.parse(ENGLISH)
    minus, rest = format_decimal(-1.5, locale=locale).split("1")
    return {"plural": dict(locale.plural_form.rules), "decimal": rest.removesuffix("5"), "minus": minus}
