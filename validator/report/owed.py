"""What a side still owes, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexforge.scenarios.words import Words
    from hexforge.validator.ask import Open


def duties_told(found: Open, w: Words) -> Iterator[str]:
    """What is owed, a line for each duty; a line that nothing is."""
    for duty in found.attacks:
        owed = w("validator.duty.attack", unit=duty.unit, hex=duty.hex, enemies=" ".join(duty.enemies))
        yield w("validator.duty.doubt", what=owed, doubt=duty.doubt) if duty.doubt else owed
    for hex_, units in found.spared:
        yield w("validator.duty.attacked", hex=hex_, units=" ".join(units))
    for side, hex_, units in found.encircled:
        yield w("validator.duty.encircled", side=w.heading("sides", side), hex=hex_, units=" ".join(units))
    for line, lacks in found.undeclared:
        log, step = found.steps.get(line, ("", 0))
        where = f"{log}:{step}" if log else w("report.at", line=line)
        missing = tuple(w(f"validator.duty.{name}") for name in lacks)
        yield w("validator.duty.undeclared", where=where, missing=missing)
    if found.due:
        yield w("validator.duty.due", units=" ".join(found.due))
    if not (found.attacks or found.spared or found.encircled or found.undeclared or found.due):
        yield w("validator.duty.none")
