"""Where a marker of an extension is, which one it is, and what the turn tracker of such a game shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final, Literal

from hexforge.modulegen.vassal.sequence import decode
from hexforge.validator.readers.notation.cursor import UNIT as UNIT_ID

if TYPE_CHECKING:
    from hexforge.modulegen.vassal.replay import PieceView
    from hexforge.scenarios.extended import Extension
    from hexforge.scenarios.schema.supplies import Marker
    from hexforge.validator.transcribe.marks import Marks
    from hexforge.validator.transcribe.tracks import TrackMarks

MARKER: Final = "MarkerId"
KIND: Final = "Kind"
NUMBER: Final = "Number"
FACE: Final = "Face_Level"
MASKED: Final = "ObscuredToOthers"
_MOST: Final = 999

Place = Literal["box", "hex", "beside", "gone"]


@dataclass(frozen=True, slots=True)
class TrackSpot:
    """A box of a track, a hex, somewhere beside both on a map, or nowhere. `face` counts from 1."""

    place: Place
    track: str = ""
    box: str = ""
    hex: str = ""
    where: str = ""
    face: int = 1
    hidden: bool = False

    @property
    def told(self) -> str:
        """As a comment names it; "" for nowhere."""
        return self.hex or (f"{self.track} {self.box}" if self.track else self.where)

    def same(self, other: TrackSpot) -> bool:
        """Whether both are one place, whatever the face."""
        return (self.place, self.track, self.box, self.hex, self.where) == (
            other.place, other.track, other.box, other.hex, other.where
        )  # fmt: skip


GONE: Final = TrackSpot("gone")


def spot_of(view: PieceView, marks: TrackMarks, other: Marks | None, letters: str) -> TrackSpot:
    """Where a piece is. `other`: the marks of the module below an extension; `letters`: those of its maps."""
    shown = view.properties.get(FACE, "1")
    face = int(shown) if shown.isdecimal() and len(shown) < 3 else 1
    hidden = view.masked or view.properties.get(MASKED) == "true"
    if view.hidden or view.map is None or view.x is None or view.y is None:
        return TrackSpot("gone", face=face, hidden=hidden)
    if view.map == marks.map:
        track, box = marks.box_at(view.x, view.y)
        where = "" if track else view.map
        return TrackSpot("box" if track else "beside", track, box, "", where, face, hidden)
    named = view.location or ""
    if not named and other is not None and view.map == other.main:
        named = other.hex_at(view.x, view.y)
    hex_ = hex_in(named, letters)
    place: Place = "hex" if hex_ else "beside"
    return TrackSpot(place, "", "", hex_, "" if hex_ else f"{view.map} {named}".strip(), face, hidden)


def hex_in(named: str, letters: str) -> str:
    """The hex of a lettered map that a location is named by: `B1410`, `B 1410`, `Map B: 1410`; "" for none."""
    if not letters:
        return ""
    found = re.search(rf"(?<![A-Za-z0-9])([{letters}])\W{{0,3}}([0-9]{{4}})(?![0-9])", named)
    return found[1] + found[2] if found else ""


class Names:
    """What pieces are called: by the id of a marker that there is once, else by its kind and a number.

    The number is the one that players wrote on it; a marker without one gets the first that is free.
    """

    def __init__(self, game: Extension) -> None:
        self.game = game
        self._given: dict[str, str] = {}

    def marker(self, view: PieceView) -> Marker | None:
        """The marker of the game that a piece is, as far as it can be seen."""
        return None if view.hidden or view.masked else self.game.game.markers.get(view.properties.get(KIND, ""))

    def name(self, view: PieceView) -> str:
        """The id of a piece; "" for one that is no marker of the game, or shows nobody which."""
        marker = self.marker(view)
        if marker is None:
            return ""
        kind, id_ = view.properties[KIND], view.properties.get(MARKER, "")
        if not marker.numbered or id_ != kind:
            known = id_ == kind or re.fullmatch(f"{re.escape(kind)}-[0-9]{{1,3}}", id_)
            return id_ if known and UNIT_ID.fullmatch(id_) else ""
        written = view.properties.get(NUMBER, "").strip()
        if re.fullmatch("[1-9][0-9]{0,2}", written):
            self._given.setdefault(view.id, f"{kind}-{written}")
        if view.id not in self._given:
            taken = set(self._given.values())
            free = next((n for n in range(1, _MOST + 1) if f"{kind}-{n}" not in taken), 0)
            if not free:
                return ""
            self._given[view.id] = f"{kind}-{free}"
        return self._given[view.id]


@dataclass(frozen=True, slots=True)
class DayClock:
    """What the tracker of days shows: a day, and which part of it, counted from 0."""

    day: date
    part: int


def read_days(state: str, game: Extension) -> DayClock | None:
    """The state of a tracker of days with their parts; None for any other."""
    days = game.game.days
    if days is None:
        return None
    try:
        outer = decode(decode(state, "|")[-1], ";")
        day, part = int(outer[0]), int(decode(outer[4], ";")[0])
    except (IndexError, ValueError):
        return None
    if not 0 <= day <= (days.last - days.first).days or not 0 <= part < len(days.parts):
        return None
    return DayClock(days.first + timedelta(days=day), part)
