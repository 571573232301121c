"""Another value of the same kind, with some of its fields otherwise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import pytest
from hypothesis import given
from hypothesis import strategies as hs

from hexforge.validator.rules.values import altered


@dataclass(frozen=True)
class Sum:
    a: int
    b: int = 2

    @cached_property
    def total(self) -> int:
        return self.a + self.b


@given(hs.integers(), hs.integers(), hs.dictionaries(hs.sampled_from(["a", "b"]), hs.integers()), hs.booleans())
def test_it_is_what_replace_gives_and_leaves_the_value_alone(
    a: int, b: int, new: dict[str, int], asked: bool
) -> None:
    value = Sum(a, b)
    if asked:
        assert value.total == a + b
    other = altered(value, **new)
    assert other == replace(value, **new)
    assert other.total == other.a + other.b
    assert value == Sum(a, b)


def test_a_name_that_is_no_field_is_refused() -> None:
    with pytest.raises(TypeError, match="c"):
        altered(Sum(1), c=3)
