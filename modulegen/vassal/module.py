"""A module as far as its saves and logs need it: maps with boards and grids, prototypes, piece slots.

Source: the build file's elements, see `buildfile`.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...scenarios.text.words import message
from .archive import MAX_BUILD_FILE, MAX_METADATA, Archive, Metadata, parse_xml, read_metadata
from .commands import BoardPlacement, SetBoards, read_command
from .encoding import FormatError, decode
from .grids import Grid, HexGrid, Numbering, Point, RegionGrid, SquareGrid, Zone, ZonedGrid, default_width
from .traits import BasicPiece, Piece, Trait, UsePrototype, read_piece, read_trait
from .traits.piece import TooManyTraits

BUILD_FILES = ("buildFile.xml", "buildFile")
MAX_IMAGE = 64 << 20
MAX_SIDE = 1_000_000
# Prototypes within prototypes, before it must be a circle.
MAX_PROTOTYPES = 100
MAX_FILLED = 1 << 20
_NAME = re.compile(r"\$([^$]*)\$")


@dataclass(frozen=True)
class Board:
    """A board: `image` in the module, or a plain area; `size` in pixels, None where it is not known."""

    name: str
    image: str = ""
    size: Point | None = None
    reversible: bool = False
    grid: Grid | None = None


@dataclass(frozen=True)
class Map:
    """A map window. `id` is what saves call it by; `private_to` the sides that alone see a private one."""

    id: str
    name: str
    boards: tuple[Board, ...] = ()
    edge: Point = (0, 0)
    decks: tuple[tuple[str, Point, str], ...] = ()
    setup: SetBoards | None = None
    private_to: tuple[str, ...] | None = None
    stacking: bool = True

    def board(self, name: str) -> Board | None:
        return next((b for b in self.boards if b.name == name), None)


@dataclass(frozen=True)
class Slot:
    """A piece slot: where it stands in the module, its gpid and its piece."""

    path: tuple[str, ...]
    name: str
    gpid: str
    piece: Piece = field(repr=False)


@dataclass(frozen=True, slots=True)
class DiceShown:
    """The dice of a button. `names`: what logs call it; `sides`: those of each die.

    `symbolic`: faces without numbers, which logs count from 0. `plain`: each die is shown as it fell.
    """

    names: tuple[str, ...]
    sides: tuple[int, ...]
    symbolic: bool = False
    plain: bool = True


@dataclass(frozen=True)
class Module:
    """A module or extension that has been read."""

    name: str
    version: str
    vassal_version: str
    description: str
    metadata: Metadata | None
    maps: tuple[Map, ...]
    prototypes: dict[str, Piece]
    slots: tuple[Slot, ...]
    sides: tuple[str, ...]
    trackers: tuple[tuple[str, str], ...]
    global_properties: tuple[tuple[str, str], ...]
    setups: tuple[tuple[str, str], ...]
    elements: dict[str, int]
    entries: tuple[str, ...]
    phases: tuple[tuple[str, ...], ...] = ()
    dice: tuple[tuple[str, str], ...] = ()
    shown: tuple[DiceShown, ...] = ()

    def map(self, map_id: str | None) -> Map | None:
        """The map that a save calls so, by its name or its number."""
        return next((m for m in self.maps if map_id in (m.name, m.id)), None) if map_id else None

    def expand(self, piece: Piece) -> Piece:
        """The piece with its prototypes' traits in their place; undefined prototypes vanish, as in VASSAL.

        What a piece passes on to a prototype stands in it for `$name$` (`PrototypeDefinition.getPiece`).
        """
        traits: list[Trait] = []
        states: list[str] = []
        pending = [*zip(piece.traits, piece.states, strict=True)][::-1]
        budget = MAX_PROTOTYPES
        while pending:
            trait, state = pending.pop()
            if not isinstance(trait, UsePrototype):
                traits.append(trait)
                states.append(state)
                continue
            definition = self.prototypes.get(trait.name)
            budget -= 1
            if definition is not None and budget >= 0:
                inner = list(zip(definition.traits[:-1], definition.states[:-1], strict=True))
                if trait.parameters:
                    given = dict(trait.parameters)
                    inner = [(read_trait(_filled(one.encode(), given)), _filled(s, given)) for one, s in inner]
                pending.extend(reversed(inner))
        return Piece(tuple(traits), tuple(states))


def _filled(text: str, given: Mapping[str, str]) -> str:
    """A text with values for the names between `$` that are given; too long a one as it was."""
    if "$" not in text:
        return text
    filled = _NAME.sub(lambda name: given.get(name[1], name[0]), text)
    return filled if len(filled) <= MAX_FILLED else text


class _Node:
    """A build file's element: its class without the package, attributes and text."""

    __slots__ = ("_element", "kind")

    def __init__(self, element: object) -> None:
        self._element = element
        tag = getattr(element, "tag", "")
        self.kind = tag.rsplit(".", 1)[-1] if isinstance(tag, str) else ""

    def get(self, name: str, default: str = "") -> str:
        value = self._element.get(name)  # type: ignore[attr-defined]
        return default if value is None else str(value)

    def number(self, name: str, default: float) -> float:
        try:
            value = float(self.get(name).strip()[:40])
        except ValueError:
            return default
        return value if math.isfinite(value) and abs(value) <= MAX_SIDE else default

    def whole(self, name: str, default: int) -> int:
        return int(self.number(name, default))

    def flag(self, name: str, default: bool = False) -> bool:
        value = self.get(name)
        return default if not value else value.lower() == "true"

    @property
    def text(self) -> str:
        return (getattr(self._element, "text", "") or "").strip("\r\n ")

    @property
    def children(self) -> Iterator[_Node]:
        for child in self._element:  # type: ignore[attr-defined]
            if isinstance(child.tag, str):
                yield _Node(child)

    def walk(self) -> Iterator[_Node]:
        for element in self._element.iter():  # type: ignore[attr-defined]
            if isinstance(element.tag, str):
                yield _Node(element)


def read_module(source: Path | str | bytes) -> Module:
    """Read a `.vmod`, `.vmdx` or old `.mod`; raises `FormatError`."""
    with Archive(source) as archive:
        return _read(archive)


def no_module(archive: Archive) -> FormatError:
    """What to say of an archive without a build file; of a saved game, whose it is."""
    if "savedGame" not in archive:
        return FormatError(message("vassal.no-build-file"), path=archive.path)
    try:
        about = read_metadata(archive.read("moduledata", MAX_METADATA)) if "moduledata" in archive else None
    except FormatError:
        about = None
    if about is None or not about.name:
        return FormatError(message("vassal.saved-game"), path=archive.path)
    return FormatError(
        message("vassal.saved-game-of", name=about.name[:80], version=about.version[:20]), path=archive.path
    )


def _read(archive: Archive) -> Module:
    name = next((n for n in BUILD_FILES if n in archive), "")
    if not name:
        raise no_module(archive)
    try:
        root = _Node(parse_xml(archive.read(name, MAX_BUILD_FILE)))
        metadata = None
        for entry in ("moduledata", "extensiondata"):
            if entry in archive:
                name = entry
                metadata = read_metadata(archive.read(entry, MAX_METADATA))
    except FormatError as error:
        raise error.at(path=archive.path, where=name) from None
    counts: dict[str, int] = {}
    maps: list[Map] = []
    prototypes: dict[str, Piece] = {}
    sides: list[str] = []
    trackers: list[tuple[str, str]] = []
    phases: list[tuple[str, ...]] = []
    dice: list[tuple[str, str]] = []
    shown: list[DiceShown] = []
    properties: list[tuple[str, str]] = []
    setups: list[tuple[str, str]] = []
    for node in root.walk():
        counts[node.kind] = counts.get(node.kind, 0) + 1
        if node.kind in ("Map", "PrivateMap", "PlayerHand"):
            maps.append(_read_map(node, f"Map{len(maps)}", archive))
        elif node.kind == "PrototypeDefinition" and node.text:
            prototypes.setdefault(node.get("name"), _piece(node.text))
        elif node.kind == "PlayerRoster":
            sides += [child.text for child in node.children if child.kind == "entry"]
        elif node.kind == "TurnTracker":
            trackers.append((f"TurnTracker{len(trackers)}", node.get("name")))
        elif node.kind == "DiceButton":
            dice.append((node.get("name"), f"{node.get('nDice') or 2}d{node.get('nSides') or 6}"))
            shown.append(_numbered(node))
        elif node.kind == "SpecialDiceButton":
            shown.append(_symbolic(node, sum(found.symbolic for found in shown)))
        elif node.kind == "ListTurnLevel":
            phases.append(tuple(decode(node.get("list"), ",")))
        elif node.kind == "GlobalProperty":
            properties.append((node.get("name"), node.get("initialValue")))
        elif node.kind == "PredefinedSetup":
            setups.append((node.get("name"), node.get("file")))
    return Module(
        root.get("name"),
        root.get("version"),
        root.get("vassalVersion") or root.get("VassalVersion"),
        root.get("description"),
        metadata,
        tuple(maps),
        prototypes,
        tuple(_slots(root, ())),
        tuple(sides),
        tuple(trackers),
        tuple(properties),
        tuple(setups),
        counts,
        tuple(archive.names),
        tuple(phases),
        tuple(dice),
        tuple(shown),
    )


_MOST_DICE = 200


def _numbered(node: _Node) -> DiceShown:
    count = min(max(node.whole("nDice", 2), 0), _MOST_DICE)
    plain = not (
        node.flag("reportTotal") or node.flag("keepDice") or node.flag("prompt") or node.whole("plus", 0) != 0
    )
    return DiceShown((node.get("name"),), (node.whole("nSides", 6),) * count, plain=plain)


def _symbolic(node: _Node, number: int) -> DiceShown:
    """A button of dice with faces of their own: of VASSAL's number if it has no name."""
    dice = [child for child in node.children if child.kind == "SpecialDie"][:_MOST_DICE]
    sides = (sum(face.kind == "SpecialDieFace" for face in die.children) for die in dice)
    return DiceShown((f"SpecialDiceButton{number}", node.get("name")), tuple(sides), symbolic=True)


def _piece(text: str) -> Piece:
    parts = decode(text.removeprefix("+/"), "/")
    parts += [""] * (3 - len(parts))
    try:
        return read_piece(parts[1], parts[2])
    except TooManyTraits:
        # As in a replay: what no module has is a piece of nothing.
        return Piece((BasicPiece(),), ("",))


def _slots(node: _Node, path: tuple[str, ...]) -> Iterator[Slot]:
    for child in node.children:
        if child.kind in ("PieceSlot", "CardSlot"):
            yield Slot(path, child.get("entryName"), child.get("gpid"), _piece(child.text))
        else:
            label = child.get("name") or child.get("entryName") or child.get("mapName")
            yield from _slots(child, (*path, label) if label else path)


def _read_map(node: _Node, number: str, archive: Archive) -> Map:
    name = node.get("mapName")
    boards: list[Board] = []
    decks: list[tuple[str, Point, str]] = []
    setup: SetBoards | None = None
    stacking = True
    for child in node.walk():
        if child.kind == "Board":
            boards.append(_read_board(child, archive))
        elif child.kind == "setup" and child.text:
            command = read_command(child.text)
            setup = command if isinstance(command, SetBoards) else setup
        elif child.kind == "DrawPile":
            place = (child.whole("x", 0), child.whole("y", 0))
            decks.append((child.get("name"), place, child.get("owningBoard")))
        elif child.kind == "StackMetrics":
            stacking = not child.flag("disabled")
    if setup is None and len(boards) == 1:
        setup = SetBoards(name or number, (BoardPlacement(boards[0].name),))
    private = None
    if node.kind != "Map" and not node.flag("visible"):
        private = tuple(decode(node.get("side"), ",")) if node.get("side") else ()
    edge = (node.whole("edgeWidth", 0), node.whole("edgeHeight", 0))
    return Map(number, name, tuple(boards), edge, tuple(decks), setup, private, stacking)


def _read_board(node: _Node, archive: Archive) -> Board:
    image = node.get("image")
    size: Point | None = (node.whole("width", 0), node.whole("height", 0))
    if image:
        size = picture_size(archive, f"images/{image}")
    grid = next((g for child in node.children if (g := _read_grid(child)) is not None), None)
    return Board(node.get("name"), image, size, node.flag("reversible"), grid)


def picture_size(archive: Archive, entry: str) -> Point | None:
    if entry not in archive:
        return None
    from PIL import Image, UnidentifiedImageError

    try:
        # Only the header is read, so that an image of absurd size costs nothing.
        with Image.open(io.BytesIO(archive.read(entry, MAX_IMAGE))) as picture:
            return picture.size
    except (UnidentifiedImageError, OSError, ValueError, FormatError, Image.DecompressionBombError):
        return None


def _read_grid(node: _Node) -> Grid | None:
    if node.kind == "HexGrid":
        dy = max(1.0, node.number("dy", 64.0))
        return HexGrid(
            max(1.0, node.number("dx", default_width(dy))),
            dy,
            node.whole("x0", 0),
            node.whole("y0", 32),
            node.flag("sideways"),
            _read_numbering(node),
        )
    if node.kind == "SquareGrid":
        return SquareGrid(
            max(1.0, node.number("dx", 48.0)),
            max(1.0, node.number("dy", 48.0)),
            node.whole("x0", 24),
            node.whole("y0", 24),
            _read_numbering(node),
        )
    if node.kind == "RegionGrid":
        regions = [
            (child.get("name"), (child.whole("originx", 0), child.whole("originy", 0)))
            for child in node.children
            if child.kind == "Region"
        ]
        return RegionGrid(tuple(regions))
    if node.kind == "ZonedGrid":
        zones = tuple(_read_zone(child) for child in node.children if child.kind == "Zone")
        grids = [g for child in node.children if (g := _read_grid(child)) is not None]
        return ZonedGrid(zones, grids[0] if grids else None)
    return None


def _read_zone(node: _Node) -> Zone:
    polygon = []
    for corner in decode(node.get("path"), ";"):
        parts = [part.strip() for part in corner.split(",")]
        if len(parts) == 2 and all(len(p) < 10 and p.lstrip("+-").isdecimal() for p in parts):
            polygon.append((int(parts[0]), int(parts[1])))
    grid = next((g for child in node.children if (g := _read_grid(child)) is not None), None)
    form = node.get("locationFormat", "$name$")
    return Zone(node.get("name"), tuple(polygon), form, grid, node.flag("useParentGrid"))


def _read_numbering(node: _Node) -> Numbering | None:
    kinds = ("HexGridNumbering", "SquareGridNumbering", "ObliqueHexGridNumbering")
    found = next((child for child in node.children if child.kind in kinds), None)
    if found is None:
        return None
    return Numbering(
        first=found.get("first", "H")[:1] or "H",
        sep=found.get("sep"),
        h_type=found.get("hType", "N")[:1] or "N",
        v_type=found.get("vType", "N")[:1] or "N",
        h_leading=min(20, found.whole("hLeading", 1)),
        v_leading=min(20, found.whole("vLeading", 1)),
        h_off=found.whole("hOff", 1),
        v_off=found.whole("vOff", 1),
        h_descend=found.flag("hDescend"),
        v_descend=found.flag("vDescend"),
        stagger=found.flag("stagger", True),
        oblique=found.kind == "ObliqueHexGridNumbering",
        location_format=found.get("locationFormat", "$gridLocation$"),
    )
