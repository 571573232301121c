"""Which shift a wrongly declared column forgets or miscounts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from hexforge.validator.referee.findings import Shift

Mistake = Literal["forgotten", "twice", "reversed", "added", "off-by-one"]


@dataclass(frozen=True, slots=True)
class Suspect:
    """A shift that explains a wrong column: what went wrong with it, and the citation of its rule."""

    shift: Shift
    mistake: Mistake


def suspects(
    shifts: Sequence[Shift],
    declared: int,
    column_for: Callable[[int], int],
    *,
    terrain_rule: str = "",
    alternatives: Iterable[int] = (),
) -> list[Suspect]:
    """The shifts of which a single mistake leads to the declared column, one for each rule.

    `column_for` gives the final column (an index) for a sum of shifts. `alternatives` are sums of terrain columns
    that a player gets by adding what does not add; they and mistakes by one column concern `terrain_rule` only.
    """
    total = sum(s.columns for s in shifts)
    # Where a limit took something back, many slips come to the same column: whether it was forgotten can be said.
    if limits := [s for s in shifts if s.limits]:
        whole = column_for(total - sum(s.columns for s in limits))
        return [Suspect(limits[-1], "forgotten")] if whole == declared else []
    found: dict[str, Suspect] = {}

    def consider(shift: Shift, mistake: Mistake, sum_: int) -> None:
        if column_for(sum_) == declared:
            found.setdefault(shift.rule, Suspect(shift, mistake))

    for shift in _merged(shifts):
        consider(shift, "forgotten", total - shift.columns)
    for shift in _merged(shifts):
        consider(shift, "twice", total + shift.columns)
        consider(shift, "reversed", total - 2 * shift.columns)
        if shift.rule == terrain_rule:
            for other in alternatives:
                consider(shift, "added", total - shift.columns + other)
            for error in (-1, 1):
                consider(shift, "off-by-one", total + error)
    return list(found.values())


def _merged(shifts: Sequence[Shift]) -> list[Shift]:
    """The shifts and, for a rule that grants several, their sum too: one forgets a rule as easily as one use."""
    by_rule: dict[str, list[Shift]] = {}
    for shift in shifts:
        by_rule.setdefault(shift.rule, []).append(shift)
    sums = [
        Shift(group[0].cause, sum(s.columns for s in group), rule, group[0].words)
        for rule, group in by_rule.items()
        if len(group) > 1
    ]
    return [s for s in [*shifts, *sums] if s.columns]
