"""Every case of the catalogue is a test of its own: what is right about the answer, and its shape."""

from __future__ import annotations

import os

import pytest

from hexforge.validator.judging.check import judge
from hexforge.validator.reading.sheet import read_sheet

from . import shape
from .catalogue import HOME, Case, cases, differences

CASES = tuple(cases())
KNOWN_FAILING = frozenset((HOME / "known_failing.txt").read_text(encoding="utf-8").split())
"""Cases that the referee does not judge rightly yet. One that begins to pass must be taken off the list."""


def _parameters() -> list[object]:
    mark = pytest.mark.xfail(strict=True, reason="not judged rightly yet")
    return [pytest.param(c, id=c.id, marks=[mark] if c.id in KNOWN_FAILING else []) for c in _asked()]


def _asked() -> tuple[Case, ...]:
    """All cases; or as many as `HEXFORGE_CASES` says, of each game and verdict by their share."""
    if not (count := int(os.environ.get("HEXFORGE_CASES", "0"))):
        return CASES
    ordered = sorted(CASES, key=lambda c: (c.id.partition("-")[0], str(c.expect.get("verdict")), c.id))
    return tuple(ordered[:: max(1, len(ordered) // count)][:count])


@pytest.mark.parametrize("case", _parameters())
def test_case(case: Case) -> None:
    answer = judge(read_sheet(case.sheet, f"{case.id}.sheet")).as_json()
    found = differences(case, answer)
    assert not found, f"{case.title}\n" + "\n".join(found)
    shape.hold(answer, case)


def test_known_failures_are_cases() -> None:
    assert {c.id for c in CASES} >= KNOWN_FAILING


def test_ids_are_unique() -> None:
    assert len({c.id for c in CASES}) == len(CASES)
