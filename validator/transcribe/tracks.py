"""By what a log of an extension of ours is known: the mark that its sheet of tracks leaves in every log."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hexforge.validator.transcribe.marks import Box, number

MARK: Final = "HexforgeSheet"
_MARK: Final = re.compile(r"hexforge 1 ([a-z0-9_-]{1,64}) ([0-9a-f]{64}) (\{.{1,20000}\})", re.DOTALL)
_MOST: Final = 500


@dataclass(frozen=True, slots=True)
class TrackMarks:
    """What a sheet of tracks says of itself.

    `digest`: SHA-256 of the extension's data that it was built from. `map`: the name of its window; `boxes`: track,
    box, and its corners in pixels. `sides`: from the name that players see to the extension's id.
    """

    game: str
    digest: str
    map: str
    boxes: tuple[tuple[str, str, Box], ...]
    sides: Mapping[str, str] = field(default_factory=dict)

    def box_at(self, x: int, y: int) -> tuple[str, str]:
        """The track and the box that a pixel of the sheet lies in; "" for none."""
        found = ((t, b) for t, b, (x1, y1, x2, y2) in self.boxes if x1 <= x < x2 and y1 <= y < y2)
        return next(found, ("", ""))


def track_marks(properties: Mapping[str, str]) -> TrackMarks | None:
    """The mark among a log's properties; None where there is none, or none that makes sense."""
    found = _MARK.fullmatch(properties.get(MARK, ""))
    if found is None:
        return None
    try:
        return _marks(found[1], found[2], json.loads(found[3]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _marks(game: str, digest: str, said: dict[str, Any]) -> TrackMarks:
    boxes = []
    for track, box, *corners in said["boxes"][:_MOST]:
        x1, y1, x2, y2 = map(number, corners)
        boxes.append((str(track), str(box), (x1, y1, x2, y2)))
    name = said["map"]
    if not isinstance(name, str) or not name:
        raise ValueError("no name")
    return TrackMarks(game, digest, name, tuple(boxes), {str(a): str(b) for a, b in said["sides"].items()})
