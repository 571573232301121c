"""Which line of a transcript a note on a step stands at."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from hypothesis import given
from hypothesis import strategies as some

from hexforge.validator.logs.locations import Origin, Places

ORIGINS: Final = some.builds(Origin, some.sampled_from(["", "a", "b"]), some.integers(0, 6))


def as_told(origin: Origin, lines: Sequence[Origin]) -> int:
    """The rule in its own words, line by line."""
    if origin in lines:
        return lines.index(origin) + 1
    same = [number for number, line in enumerate(lines, 1) if line.log == origin.log]
    before = [number for number in same if lines[number - 1].step <= origin.step]
    if same:
        return before[-1] if before else same[0]
    return max(len(lines), 1) if origin.log else 1


@given(origin=ORIGINS, lines=some.lists(ORIGINS, max_size=12))
def test_a_note_stands_at_its_step_or_at_the_last_line_before_it(origin: Origin, lines: list[Origin]) -> None:
    assert Places(lines).line_of(origin) == as_told(origin, lines)


def test_as_many_notes_as_lines_cost_no_more_than_to_read_them() -> None:
    count = 40_000
    start = time.process_time()
    places = Places(Origin("a", 2 * step) for step in range(count))
    assert [places.line_of(Origin("a", 2 * step + 1)) for step in range(count)] == list(range(1, count + 1))
    assert time.process_time() - start < 5
