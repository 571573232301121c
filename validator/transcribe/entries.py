"""What happens in a phase of combat, in the order of the log, until the phase is over and all of it can be read.

Who attacks whom with which dice is not to be seen from the order alone: players declare everything first, or the
dice come before the declaration. So what is said, thrown and done is kept until the phase ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexforge.validator.readers.notation import statements as st
from hexforge.validator.transcribe.noted import Origin
from hexforge.validator.transcribe.spots import Spot

if TYPE_CHECKING:
    from hexforge.validator.transcribe.blocks import Item


@dataclass(frozen=True, slots=True)
class CounterChange:
    """A counter that was put elsewhere, or turned over. `enters`: onto the map, as the module says."""

    unit: str
    old: Spot
    new: Spot
    origin: Origin
    enters: bool = False


@dataclass(frozen=True, slots=True)
class LoggedThrow:
    """Dice. `typed`: the same action tells what they show."""

    faces: tuple[int, ...]
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Spent:
    """Air points that the module's count went down by; negative for points taken back."""

    points: int


@dataclass(frozen=True, slots=True)
class Marked:
    """The counters that are marked for a combat, the hex that is marked as its target, and the points that are
    set for it: of guns beyond the map, and of aircraft."""

    target: str = ""
    attack: tuple[str, ...] = ()
    support: tuple[str, ...] = ()
    guard: tuple[str, ...] = ()
    offboard: int = 0
    air: int = 0


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One of these things. `reported`: a counter's menu said it. `at`: where all stood before it."""

    origin: Origin
    what: st.Statement | CounterChange | LoggedThrow | Spent | Marked | Item
    reported: bool = False
    at: Mapping[str, Spot] = field(default_factory=dict, repr=False)


def settled(changes: list[tuple[int, CounterChange]]) -> list[tuple[int, CounterChange]]:
    """The changes of one counter, with their places in the phase, without what was put right by hand.

    A counter that comes to stand as it stood before has not been anywhere, and one that was off the map for a while
    was dropped there by mistake.
    """
    kept: list[tuple[int, CounterChange]] = []
    for time, change in changes:
        kept.append((time, change))
        again = next((i for i, (_, c) in enumerate(kept) if c.old == change.new), None)
        if again is not None:
            del kept[again:]
            continue
        if len(kept) > 1 and _was_off(kept[-2][1], change):
            (_, first), _ = kept[-2:]
            kept[-2:] = [(time, CounterChange(change.unit, first.old, change.new, change.origin))]
    return kept


def _was_off(before: CounterChange, after: CounterChange) -> bool:
    return before.new.place not in ("hex", "left") and after.new.place == "hex" and before.old.place == "hex"
