"""What follows from a game or a map alone, worked out once and not for each sheet that is judged by it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

S = TypeVar("S")
V = TypeVar("V")

_MOST: Final = 8
"""So many games or maps are remembered for each thing that follows from them, those that were asked for last."""


def once_for_each(work_out: Callable[[S], V]) -> Callable[[S], V]:
    """Decorator of a function of something that never changes: its answers are kept by the thing itself.

    Games are equal only after a comparison of all that they hold; who asks again asks of the same one.
    """
    kept: dict[int, tuple[S, V]] = {}

    @wraps(work_out)
    def answer(thing: S) -> V:
        found = kept.pop(id(thing), None)
        if found is None or found[0] is not thing:
            found = thing, work_out(thing)
        kept[id(thing)] = found
        while len(kept) > _MOST:
            kept.pop(next(iter(kept)), None)
        return found[1]

    return answer
