"""What lies beside the map, in every kind of game: markers, tracks, and how many markers there are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final

from ..text.words import BadValueError, message
from .base import (
    HexRefs,
    Identifier,
    MarkerRef,
    Note,
    Origin,
    PaletteRef,
    PictureRef,
    Section,
    SideRef,
    Sourced,
    SourcedFact,
    SwitchRef,
    SymbolRef,
    TrackRef,
)
from .declared import BeforeValidator, Field, Model

MAX_COUNT: Final = 99
WAITING: Final = "waiting"
"""What the box of a track is called that takes markers not yet on it."""
_RUN: Final = re.compile(r"([0-9]{1,2})\.\.([0-9]{1,2})")


def _boxes(value: Any) -> Any:
    """Names of boxes, as a list or as blank-separated text; `9..0` is each number from the one to the other."""
    words = value.split() if isinstance(value, str) else value
    if not isinstance(words, list | tuple):
        return words
    found: list[Any] = []
    for word in words:
        run = _RUN.fullmatch(word) if isinstance(word, str) else None
        if run is None:
            found.append(str(word) if isinstance(word, int) and not isinstance(word, bool) else word)
            continue
        first, last = int(run[1]), int(run[2])
        found += [str(n) for n in range(first, last + (1 if first <= last else -1), 1 if first <= last else -1)]
    return found


BoxName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=24)]
BoxNames = Annotated[
    tuple[BoxName, ...],
    BeforeValidator(_boxes, json_schema_input_type=str | list[str | int]),
    Field(min_length=1, max_length=60),
]
"""The boxes of a track in their order; `9..0` is a run of numbers."""


class Face(Model):
    """One face of a marker. Its caption is `markers_short.ID` of the texts, its name `markers.ID`."""

    id: Identifier = Field(description="what texts and markers call the face")
    palette: PaletteRef | None = Field(
        default=None, description="a palette of art/palettes/counters.yaml; the side's own where absent"
    )
    reduced: bool = Field(default=False, description="in the paler colours of a reduced face")
    picture: PictureRef | None = Field(
        default=None, description="a drawing of art/counters/pictures, or of the folder `looks/markers`"
    )
    symbol: SymbolRef | None = Field(default=None, description="a symbol of art/symbols, in place of a picture")
    size: str = Field(default="", max_length=4, description="the sign above the symbol: I, II, III")
    large: str = Field(default="", max_length=5, description="a large text in place of, or below, the picture")

    def __post_init__(self) -> None:
        if bool(self.picture) + bool(self.symbol) > 1 or not (self.picture or self.symbol or self.large):
            raise BadValueError(message("scenario.value.face", id=self.id))


class Start(Model):
    """Where markers lie as a game begins: in the box of a track (the waiting room by default), or in a hex."""

    track: TrackRef | None = Field(default=None, description="the track that they lie on")
    box: str = Field(default="", description="the box of the track; absent: the waiting room")
    hexes: HexRefs = Field(default=(), description="the hexes in which they lie")


def _marker_facts(marker: Marker) -> Iterable[SourcedFact]:
    figures = "" if marker.attack is None else f" {marker.attack}-{marker.defence}"
    yield SourcedFact(marker.faces[-1].id, " / ".join(face.id for face in marker.faces) + figures)


def _track_facts(track: Track) -> Iterator[SourcedFact]:
    yield SourcedFact(" ".join(track.boxes), f"{len(track.boxes)} × {track.room}")


class Marker(Model):
    """A kind of marker: one or two faces, the second on its back."""

    side: SideRef | None = Field(default=None, description="whose it is; nobody's where absent")
    faces: tuple[Face, ...] = Field(
        min_length=1, max_length=2, description="its front and, if it has one, its back"
    )
    numbered: bool = Field(
        default=False, description="whether those of the kind are told apart: truck-1, truck-2 …"
    )
    count: int | None = Field(
        default=None,
        ge=1,
        le=MAX_COUNT,
        description="how many there are, where the rulebook prints it; else see `counts`",
    )
    attack: int | None = Field(
        default=None, ge=0, le=99, description="attack strength that it prints; absent: none"
    )
    defence: int | None = Field(
        default=None, ge=0, le=99, description="defence strength that it prints; absent: none"
    )
    hidden: bool = Field(default=False, description="may lie face down, its front known to its side alone")
    start: Start | None = None
    option: SwitchRef | None = Field(
        default=None, description="the option of this game that must be in force for it"
    )
    section: Section
    provenance: Annotated[Origin, Sourced("marker", _marker_facts)] = "assumed"
    note: Note = ""

    def __post_init__(self) -> None:
        if (self.attack is None) != (self.defence is None):
            raise BadValueError(message("scenario.value.figures"))


class Track(Model):
    """A row of named boxes on the sheet of tracks. One of a single box with much room is a pool."""

    boxes: BoxNames = Field(description="names of the boxes in their order; `9..0` is a run of numbers")
    side: SideRef | None = Field(default=None, description="whose track it is; absent: everybody's")
    room: int = Field(default=1, ge=1, le=60, description="how many markers lie beside one another in a box")
    waiting: bool = Field(
        default=False, description="whether a box before the first takes markers not yet on the track"
    )
    section: Section
    provenance: Annotated[Origin, Sourced("track", _track_facts)] = "assumed"
    note: Note = ""

    @property
    def first_room(self) -> str | None:
        """The box for markers of which no box is told: WAITING, or the only one; None where there is neither."""
        if self.waiting:
            return WAITING
        return self.boxes[0] if len(self.boxes) == 1 else None

    def __post_init__(self) -> None:
        if twice := [name for i, name in enumerate(self.boxes) if name in self.boxes[:i]]:
            raise BadValueError(message("scenario.value.box-twice", box=twice[0]))


class Supplies(Model):
    """The part of game.yaml that says what lies beside the map."""

    markers: dict[Identifier, Marker] = Field(default_factory=dict, description="kinds of marker, by id")
    tracks: dict[Identifier, Track] = Field(default_factory=dict, description="rows of boxes beside the map, by id")
    counts: dict[MarkerRef, Annotated[int, Field(ge=1, le=MAX_COUNT)]] = Field(
        default_factory=dict,
        description="how many markers of a kind your copy holds, where the rulebook prints no number; "
        "absent: as many as the box holds",
    )

    def count(self, marker: str) -> int | None:
        """How many there are of a kind: as printed, else as `counts` says; None: as many as the box holds.

        Raises KeyError for an unknown kind.
        """
        printed = self.markers[marker].count
        return self.counts.get(marker) if printed is None else printed

    def uncounted(self) -> list[str]:
        """The kinds of marker of which nobody has said how many there are."""
        return [id_ for id_ in self.markers if self.count(id_) is None]

    def copies(self, marker: str) -> list[str]:
        """The ids of those of a kind: `truck-1`, `truck-2` …; the kind's own where they are not told apart.

        Without a count there is no list to give, and the kind's own id stands for all of them.
        """
        count = self.count(marker)
        if count is None or not self.markers[marker].numbered:
            return [marker]
        return [f"{marker}-{n}" for n in range(1, count + 1)]
