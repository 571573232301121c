"""Passwords that VASSAL writes in clear, kept for writing them back and for nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable

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


class Scrubber:
    """Replaces known passwords in free text, where they stand as words of their own.

    A password that is also a player's name or a side cannot be told apart from it and stays.
    """

    def __init__(self, secrets: Iterable[Secret], public: Iterable[str] = ()) -> None:
        known = set(public)
        words = {s.reveal() for s in secrets} - known - {""}
        longest_first = sorted(words, key=lambda w: (-len(w), w))
        pattern = "|".join(re.escape(w) for w in longest_first)
        self._pattern = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)") if words else None

    def __call__(self, text: str) -> str:
        return self._pattern.sub(HIDDEN, text) if self._pattern else text
