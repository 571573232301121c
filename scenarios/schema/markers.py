"""What lies beside the map, in every kind of game: markers, tracks, and how many markers there are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final

from ..text.words import BadValueError, message
from .base import (
    Defines,
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

    id: Identifier = Field("what texts and markers call the face")
    palette: PaletteRef | None = Field(
        "a palette of art/palettes/counters.yaml; the side's own where absent", default=None
    )
    reduced: bool = Field("in the paler colours of a reduced face", default=False)
    picture: PictureRef | None = Field(
        "a drawing of art/counters/pictures, or of the folder `looks/markers`", default=None
    )
    symbol: SymbolRef | None = Field("a symbol of art/symbols, in place of a picture", default=None)
    size: str = Field("the sign above the symbol: I, II, III", default="", max_length=4)
    large: str = Field("a large text in place of, or below, the picture", default="", max_length=5)

    def __post_init__(self) -> None:
        if bool(self.picture) + bool(self.symbol) > 1 or not (self.picture or self.symbol or self.large):
            raise BadValueError(message("scenario.value.face", id=self.id))


class Start(Model):
    """Where markers lie as a game begins: in the box of a track (the waiting room by default), or in a hex."""

    track: TrackRef | None = Field("the track that they lie on", default=None)
    box: str = Field("the box of the track; absent: the waiting room", default="")
    hexes: HexRefs = Field("the hexes in which they lie", default=())


def _marker_facts(marker: Marker) -> Iterable[SourcedFact]:
    figures = "" if marker.attack is None else f" {marker.attack}-{marker.defence}"
    yield SourcedFact(marker.faces[-1].id, " / ".join(face.id for face in marker.faces) + figures)


def _track_facts(track: Track) -> Iterator[SourcedFact]:
    yield SourcedFact(" ".join(track.boxes), f"{len(track.boxes)} × {track.room}")


class Marker(Model):
    """A kind of marker: one or two faces, the second on its back."""

    side: SideRef | None = Field("whose it is; nobody's where absent", default=None)
    faces: tuple[Face, ...] = Field("its front and, if it has one, its back", min_length=1, max_length=2)
    numbered: bool = Field("whether those of the kind are told apart: truck-1, truck-2 …", default=False)
    count: int | None = Field(
        "how many there are, where the rulebook prints it; else see `counts`", default=None, ge=1, le=MAX_COUNT
    )
    attack: int | None = Field("attack strength that it prints; absent: none", default=None, ge=0, le=99)
    defence: int | None = Field("defence strength that it prints; absent: none", default=None, ge=0, le=99)
    hidden: bool = Field("may lie face down, its front known to its side alone", default=False)
    start: Start | None = None
    option: SwitchRef | None = Field("the option of this game that must be in force for it", default=None)
    section: Section
    provenance: Annotated[Origin, Sourced("marker", _marker_facts)] = "assumed"
    note: Note = ""

    def __post_init__(self) -> None:
        if (self.attack is None) != (self.defence is None):
            raise BadValueError(message("scenario.value.figures"))


class Track(Model):
    """A row of named boxes on the sheet of tracks. One of a single box with much room is a pool."""

    boxes: BoxNames = Field("names of the boxes in their order; `9..0` is a run of numbers")
    side: SideRef | None = Field("whose track it is; absent: everybody's", default=None)
    room: int = Field("how many markers lie beside one another in a box", default=1, ge=1, le=60)
    waiting: bool = Field("whether a box before the first takes markers not yet on the track", default=False)
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

    markers: dict[Annotated[Identifier, Defines("marker")], Marker] = Field("kinds of marker, by id", default={})
    tracks: dict[Annotated[Identifier, Defines("track")], Track] = Field(
        "rows of boxes beside the map, by id", default={}
    )
    counts: dict[MarkerRef, Annotated[int, Field(ge=1, le=MAX_COUNT)]] = Field(
        "how many markers of a kind your copy holds, where the rulebook prints no number; absent: as many as the "
        "box holds",
        default={},
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
