"""Passwords that VASSAL writes in clear, kept for writing them back and for nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

HIDDEN = "•••"


class Secret:
    """A player's id, which in VASSAL is the password. No way of printing it shows it; `reveal` gives it."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The text itself, for writing a file back and for telling whether two players are the same."""
        return self._value

    def __repr__(self) -> str:
        return HIDDEN

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(HIDDEN, spec)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> tuple[type[Secret], tuple[str]]:
        raise TypeError("a password is not to be stored")


SHORTEST: Final = 3
"""Shorter words stand in every text: to hide them there would tell the password rather than keep it."""
_LONGEST: Final = 200
_KEPT: Final = 20_000


class Scrubber:
    """Replaces known passwords in free text, where they stand as words of their own.

    Within words too, where that cannot be by chance: those that are unlike any word, and all of them in a text with
    a tab, which is a command that damage has put there.
    """

    def __init__(self, secrets: Iterable[Secret], public: Iterable[str] = ()) -> None:
        """`public`: players' names and sides; a password that is one cannot be told apart from it and stays."""
        words = {s.reveal()[:_LONGEST] for s in secrets} - set(public) - {""}
        longest_first = sorted(words, key=lambda w: (-len(w), w))
        everywhere, pattern = (_alternatives(w) for w in ([w for w in longest_first if _unlike(w)], longest_first))
        alone = rf"(?<!\w)(?:{pattern})(?!\w)"
        self._within = re.compile(pattern) if words else None
        self._alone = re.compile(f"{everywhere}|{alone}" if everywhere else alone) if words else None
        self._known: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        if self._alone is None or self._within is None or not text:
            return text
        found = self._known.get(text)
        if found is None:
            found = (self._within if "\t" in text else self._alone).sub(HIDDEN, text)
            if len(self._known) < _KEPT and len(text) <= _LONGEST:
                self._known[text] = found
        return found

    def name(self, text: str) -> str:
        """What something is called; a name with a tab in it is a broken command, of which nothing is shown."""
        return HIDDEN if "\t" in text else self(text)

    def values(self, found: dict[str, str]) -> dict[str, str]:
        """Data with its texts scrubbed, but not the keys; of data of which there is much."""
        if self._alone is None:
            return found
        known = self._known
        return {key: known[text] if text in known else self(text) for key, text in found.items()}

    def tells(self, text: str) -> bool:
        """Whether a password stands in a text, also as a part of a word."""
        return self._within is not None and self._within.search(text) is not None

    def all(self, value: Any) -> Any:
        """Plain data with every text scrubbed, but not the keys."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, Mapping):
            return {key: self.all(item) for key, item in value.items()}
        return [self.all(item) for item in value] if isinstance(value, list) else value

    def keys(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Data whose keys are strangers' names."""
        return {self.name(key): self.all(item) for key, item in found.items()}


def _unlike(word: str) -> bool:
    """Whether this is long and no word of a language, nor the beginning of one."""
    return len(word) >= 8 and not (word.isalpha() and (word[1:].islower() or word.isupper()))


def _alternatives(words: list[str]) -> str:
    """A pattern of any of the words. Beginnings in common are tried once, so that many words cost little more."""
    groups: dict[str, list[str]] = {}
    for word in words:
        groups.setdefault(word[:2], []).append(word[2:])
    return "|".join(f"{re.escape(head)}(?:{'|'.join(map(re.escape, tails))})" for head, tails in groups.items())
