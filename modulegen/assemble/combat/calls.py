"""What a counter calls out to the module, and how the module reads it.

Counters load slowly for each trait and each letter in it, so a counter only calls out what became of it, and the
module, once for all of them, works out what that was (see `deeds`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.combat import tasks
from hexforge.modulegen.assemble.expressions import quoted

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan

_GAP = "~"
CALLED = (
    *(n.WEIGHT, "UnitId", "Side", "Role", "CurrentMap", "CurrentZone", "LocationName", "OldMap", "OldLocationName"),
    *("CurrentX", "CurrentY", "OldX", "OldY", tasks.DUE, tasks.ENTRIES, "PieceName"),
)
"""What a counter calls out. Its name comes last: it is never empty, and may hold anything."""


def said(*, weighs: bool) -> str:
    """What a counter calls out; `weighs` is whether it has a weight of its own in a stack."""
    own = {} if weighs else {n.WEIGHT: "1"}
    return _GAP.join(own.get(name, f"${name}$") for name in CALLED)


def called(name: str) -> str:
    """One of the texts that a counter called out."""
    return f"{split(n.RECORD, quoted(_GAP))}[{CALLED.index(name)}]"


def split(property_: str, by: str) -> str:
    """A property cut into pieces; VASSAL knows that method of texts, but not of properties."""
    return f'"".concat({property_}).split({by})'


def line(plan: Plan, key: str) -> str:
    """A line of the sheet about the counter that has called out."""
    parts = plan.words(f"tell.{key}").split("$")
    own = {tasks.BEYOND: tasks.beyond(plan)}
    texts = (called(part) if part in CALLED else own.get(part, f"{part}.trim()") for part in parts[1::2])
    return " + ".join(next(texts) if i % 2 else quoted(part) for i, part in enumerate(parts) if part)
