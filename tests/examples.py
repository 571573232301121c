"""How much of a sweep is tried: all that it asks for by `make full`, and a few in the gate, which has minutes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Final

import pytest
from hypothesis import settings

FULL: Final = os.environ.get("HEXFORGE_FULL") == "1"
FEW: Final = 5


def examples(most: int, **more: Any) -> settings:
    """The settings of a property that wants `most` examples."""
    return settings(max_examples=most if FULL else min(most, FEW), **more)


def leading(count: int, values: Iterable[Any]) -> list[Any]:
    """Parameters of which the gate tries the first so many: tests with the others are those of `make full`.

    A tuple is the values of several arguments.
    """
    each = (value if isinstance(value, tuple) else (value,) for value in values)
    return [pytest.param(*value, marks=pytest.mark.full if i >= count else ()) for i, value in enumerate(each)]


def every(step: int, values: Iterable[Any]) -> list[Any]:
    """All of them; the gate one in so many, beginning with the first."""
    return list(values)[:: 1 if FULL else step]
