"""What was made of texts that strangers wrote, kept for when they come again, and never more than so much of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Final, Generic, TypeVar

V = TypeVar("V")
_BESIDES: Final = 500
"""Characters that an entry counts for besides its text."""


class Remembered(Generic[V]):
    """A function of one text that gives for a text of late what it gave before.

    Texts are bounded together by their characters: how many there are says nothing of how much they hold, and a
    process that serves strangers lives long. Of `most` characters, half are of the texts asked for last; the others
    are of those before, and go as one. What is made may not be None.
    """

    def __init__(self, make: Callable[[str], V], most: int) -> None:
        self._make = make
        self._half = most // 2
        self._young: dict[str, V] = {}
        self._old: dict[str, V] = {}
        self._size = 0
        update_wrapper(self, make)

    def __call__(self, text: str) -> V:
        found = self._young.get(text)
        return found if found is not None else self._renewed(text)

    def _renewed(self, text: str) -> V:
        found = self._old.get(text)
        if found is None:
            found = self._make(text)
        size = len(text) + _BESIDES
        if size <= self._half:
            if self._size + size > self._half:
                self._old, self._young, self._size = self._young, {}, 0
            self._young[text] = found
            self._size += size
        return found

    def clear(self) -> None:
        """Forget all of it."""
        self._young, self._old, self._size = {}, {}, 0

    @property
    def characters(self) -> int:
        """How many characters of text are kept."""
        return sum(map(len, (*self._old, *self._young)))


def remembered(most: int) -> Callable[[Callable[[str], V]], Remembered[V]]:
    """A function of one text as `Remembered`, up to so many characters."""
    return lambda make: Remembered(make, most)
