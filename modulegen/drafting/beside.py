"""What a module has that is nobody's: markers and cards become `markers` of a draft, decks become pools of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from hexforge.modulegen.drafting.pieces import plain
from hexforge.scenarios.schema.supplies import MAX_COUNT

if TYPE_CHECKING:
    from hexforge.modulegen.drafting.pieces import CounterDraft, FacePicture

MOST: Final = 150
"""Kinds of marker that a draft takes."""
_ROOM: Final = 60
SECTION: Final = "1"


@dataclass
class MarkerKind:
    """Markers that look alike: how many, the hexes that some of them begin in, the deck that all of them lie in."""

    id: str
    name: str
    faces: tuple[tuple[FacePicture, ...], ...]
    deck: str = ""
    hexes: list[str] = field(default_factory=list)
    count: int = 0

    @property
    def pictures(self) -> Iterator[tuple[str, tuple[FacePicture, ...]]]:
        """The names of its faces, and the pictures of each."""
        for number, face in enumerate(self.faces[:2]):
            yield (f"{self.id}_back" if number else self.id), face


def kinds(pieces: Iterable[tuple[CounterDraft, str, str]]) -> tuple[list[MarkerKind], int]:
    """Pieces, each with its hex and its deck, by name and looks; and how many were too many."""
    found: dict[tuple[Any, ...], MarkerKind] = {}
    taken: set[str] = set()
    over = 0
    for one, hex_, deck in pieces:
        key = (one.name, one.faces, deck)
        kind = found.get(key)
        if kind is None and len(found) < MOST:
            kind = found[key] = MarkerKind(_free(one.name, taken), one.name, one.faces, deck)
        if kind is None or kind.count == MAX_COUNT:
            over += 1
            continue
        kind.count += 1
        if hex_:
            kind.hexes.append(hex_)
    return list(found.values()), over


def _free(name: str, taken: set[str]) -> str:
    """An id that no other kind has, and no marker that each game has."""
    stem = f"own_{plain(name).replace('-', '_')[:30].strip('_') or 'marker'}"
    id_, number = stem, 1
    while id_ in taken or id_.endswith("_back"):
        number += 1
        id_ = f"{stem}_{number}"
    taken.add(id_)
    return id_


def pools(decks: Sequence[str]) -> dict[str, str]:
    """Deck -> the id of its pool."""
    taken: set[str] = set()
    return {name: _free(name, taken).replace("own_", "pool_", 1) for name in dict.fromkeys(decks)}


def in_game(found: Sequence[MarkerKind], decks: Mapping[str, str], drawn: set[str]) -> dict[str, Any]:
    """`markers` and `tracks` of game.yaml. `drawn`: the faces that have a picture."""
    if not found and not decks:
        return {}
    markers = {kind.id: _marker(kind, decks, drawn) for kind in found}
    fills: dict[str, int] = {}
    for kind in found:
        fills[kind.deck] = fills.get(kind.deck, 0) + kind.count
    tracks = {
        id_: {"boxes": "pile", "room": max(1, min(_ROOM, fills.get(name, 1))), "section": SECTION}
        for name, id_ in decks.items()
    }
    return {**({"markers": markers} if markers else {}), **({"tracks": tracks} if tracks else {})}


def _marker(kind: MarkerKind, decks: Mapping[str, str], drawn: set[str]) -> dict[str, Any]:
    faces = [
        {"id": name, **({"picture": name} if name in drawn else {"large": kind.name[:5] or "?"})}
        for name, _ in kind.pictures
    ]
    start: dict[str, Any] = {"hexes": " ".join(kind.hexes)} if kind.hexes else {}
    if kind.deck in decks:
        start = {"track": decks[kind.deck]}
    return {
        "count": kind.count,
        **({"numbered": True} if kind.count > 1 else {}),
        "faces": faces or [{"id": kind.id, "large": kind.name[:5] or "?"}],
        **({"start": start} if start else {}),
        "section": SECTION,
    }


def in_texts(found: Sequence[MarkerKind], decks: Mapping[str, str]) -> dict[str, Any]:
    """The names of markers and pools, the same in all languages."""
    names = {name: kind.name[:60] for kind in found for name in (kind.id, *(n for n, _ in kind.pictures))}
    texts: dict[str, Any] = {"markers": names} if names else {}
    if decks:
        texts["tracks"] = {id_: name[:60] for name, id_ in decks.items()}
        texts["boxes"] = {id_: {"pile": name[:30]} for name, id_ in decks.items()}
    return texts
