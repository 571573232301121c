"""A desk as a page finds it when it is opened."""

from __future__ import annotations

from typing import Any

from hexforge.modulegen.map_editor.counter_page import TableDesk
from hexforge.modulegen.map_editor.map_page import MapDesk
from hexforge.scenarios.text.words import Words

EN = Words("en")


def begun(desk: MapDesk | TableDesk) -> dict[str, Any]:
    """What the page sends back if nothing was changed on it."""
    found = desk.data({}, EN)
    return {key: found[key] for key in ("base", "seen", "sheet", "rows") if key in found}
