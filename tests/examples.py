"""How many examples a property is tried with: all that it asks for, and a few in the gate, which has minutes."""

from __future__ import annotations

import os
from typing import Any, Final

from hypothesis import settings

GATE: Final = os.environ.get("HEXFORGE_EXAMPLES") == "gate"
FEW: Final = 8


def examples(most: int, **more: Any) -> settings:
    """The settings of a property that wants `most` examples."""
    return settings(max_examples=min(most, FEW) if GATE else most, **more)
