"""A module as lint looks at it: elements with their places, pieces with their traits, files.

The build file is `buildFile.xml`, or `buildFile` in modules from before VASSAL 3.5
(`VASSAL.build.GameModule.BUILDFILE_OLD`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.vassal import sequence
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.archive import Archive
from hexforge.modulegen.vassal.buildfile_elements import KINDS
from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.metadata import MAX_BUILD_FILE, parse_xml
from hexforge.modulegen.vassal.module import BUILD_FILES, no_module
from hexforge.scenarios.words import message

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_ELEMENTS: Final = 1_000_000
MAX_EXPANDED: Final = 2_000
"""Traits of one piece with all of its prototypes; more is a circle, or would stop VASSAL itself."""
MAX_CARRIED: Final = 5
"""How many pieces within pieces are looked into."""
CARRIED: Final = "Marker"
SLOTS: Final = ("PieceSlot", "CardSlot")
MAPS: Final = ("Map", "PrivateMap", "PlayerHand", "WidgetMap")
_NAMES: Final = [
    "name",
    "mapName",
    "entryName",
    "chartName",
    "threadName",
    "flareName",
    "title",
    "property",
    "reportName",
    "description",
    "text",
    "buttonText",
]


@dataclass(eq=False)
class ElementPart:
    """One element: its class in full, the last part of it, and where it stands."""

    cls: str
    kind: str
    attributes: dict[str, str]
    text: str
    line: int
    parent: ElementPart | None
    children: list[ElementPart] = field(default_factory=list)

    def get(self, name: str) -> str:
        """An attribute, or what VASSAL takes without it."""
        if name in self.attributes:
            return self.attributes[name]
        known = KINDS.get(self.kind)
        return (known.attributes.get(name) if known else "") or ""

    @property
    def name(self) -> str:
        """What its maker called it."""
        return next((self.attributes[n] for n in _NAMES if self.attributes.get(n)), "")

    @property
    def label(self) -> str:
        return f"{self.kind} [{self.name}]" if self.name else self.kind

    @property
    def path(self) -> tuple[str, ...]:
        """From the module down, as VASSAL's editor shows it."""
        found, part = [], self
        while part.parent is not None:
            found.append(part.label)
            part = part.parent
        return tuple(reversed(found)) or (self.label,)

    def above(self, *kinds: str) -> ElementPart | None:
        """The nearest element of some kinds that this one stands in."""
        part = self.parent
        while part is not None and part.kind not in kinds:
            part = part.parent
        return part

    def walk(self) -> Iterator[ElementPart]:
        """This element and all below it, in the order of the file."""
        waiting = [self]
        while waiting:
            part = waiting.pop()
            yield part
            waiting.extend(reversed(part.children))


@dataclass(eq=False)
class Definition:
    """A piece's or a prototype's traits as they stand, outermost first; `broken` where they cannot be read."""

    part: ElementPart
    name: str
    traits: tuple[t.Trait, ...]
    states: tuple[str, ...]
    broken: bool = False

    @property
    def prototype(self) -> bool:
        return self.part.kind == "PrototypeDefinition"


@dataclass(frozen=True)
class PlacedTrait:
    """A trait of a piece as VASSAL sees it, and the definition it comes from, counted from the piece outwards."""

    trait: t.Trait
    state: str
    source: Definition
    number: int

    @property
    def place(self) -> tuple[object, ...]:
        """Which trait of which definition it is; equal traits are often one object."""
        return id(self.source), self.number


class OpenModule:
    """A module's build file and what lies beside it. Open as long as its archive."""

    def __init__(self, archive: Archive, base: OpenModule | None = None) -> None:
        self.archive, self.base = archive, base
        self.build_file = next((n for n in BUILD_FILES if n in archive), "")
        if not self.build_file:
            raise no_module(archive)
        try:
            self.root = _read(parse_xml(archive.read(self.build_file, MAX_BUILD_FILE)))
        except FormatError as error:
            raise error.at(path=archive.path, where=self.build_file) from None
        self.parts = list(self.root.walk())
        self.extension = self.root.kind == "ModuleExtension"

    @property
    def open_ended(self) -> bool:
        """Whether parts of it may lie in a module that is not at hand."""
        return self.extension and self.base is None

    @property
    def files(self) -> frozenset[str]:
        return self._files

    @cached_property
    def _files(self) -> frozenset[str]:
        return frozenset(n for n in self.archive.names if not n.endswith("/"))

    def all(self, *kinds: str) -> Iterator[ElementPart]:
        """Elements of some kinds, its own alone."""
        return (p for p in self.parts if p.kind in kinds)

    def everywhere(self, *kinds: str) -> Iterator[ElementPart]:
        """Elements of some kinds, those of the base module too."""
        yield from self.all(*kinds)
        if self.base is not None:
            yield from self.base.all(*kinds)

    @cached_property
    def definitions(self) -> list[Definition]:
        """The pieces and prototypes of the build file, and the pieces that traits of theirs carry to be placed."""
        found = [_definition(p) for p in self.all(*SLOTS, "PrototypeDefinition")]
        for definition in found:
            if len(found) < MAX_ELEMENTS:
                # The list grows while it is walked: a carried piece may carry others.
                found.extend(_carried(definition))
        return found

    @cached_property
    def prototypes(self) -> dict[str, Definition]:
        """By name, the first of a name; those of the base module too."""
        found = dict(self.base.prototypes) if self.base else {}
        own: dict[str, Definition] = {}
        for definition in self.definitions:
            if definition.prototype:
                own.setdefault(definition.name, definition)
        return found | own

    @cached_property
    def pieces(self) -> list[Definition]:
        return [d for d in self.definitions if not d.prototype]

    def expand(self, definition: Definition) -> list[PlacedTrait]:
        """All traits of a piece, outermost first, with those of its prototypes in their place."""
        found: list[PlacedTrait] = []
        waiting = [*_placed(definition)][::-1]
        while waiting and len(found) < MAX_EXPANDED:
            placed = waiting.pop()
            found.append(placed)
            if isinstance(placed.trait, t.UsePrototype):
                inner = self.prototypes.get(placed.trait.name)
                if inner is not None and len(waiting) < MAX_EXPANDED:
                    waiting.extend([p for p in _placed(inner) if not isinstance(p.trait, t.BasicPiece)][::-1])
        return found


def _placed(definition: Definition) -> Iterator[PlacedTrait]:
    count = len(definition.traits)
    for index, (trait, state) in enumerate(zip(definition.traits, definition.states, strict=True)):
        yield PlacedTrait(trait, state, definition, count - index)


def _definition(part: ElementPart) -> Definition:
    name = part.attributes.get("entryName") or part.attributes.get("name", "")
    try:
        pieces = sequence.decode(part.text.removeprefix("+/"), "/")
        piece = t.read_piece(pieces[1], pieces[2] if len(pieces) > 2 else "")
    except (ValueError, IndexError):
        return Definition(part, name, (), (), broken=True)
    return Definition(part, name, piece.traits, piece.states)


def _carried(definition: Definition) -> Iterator[Definition]:
    """The pieces that stand in a definition itself, to be placed by it (`PlaceMarker.createBaseMarker`)."""
    depth, part = 0, definition.part
    while part.kind == CARRIED and part.parent is not None:
        depth, part = depth + 1, part.parent
    for trait in definition.traits if depth < MAX_CARRIED else ():
        if isinstance(trait, t.PlaceMarker) and trait.marker.startswith("+/"):
            inner = ElementPart(CARRIED, CARRIED, {}, trait.marker, definition.part.line, definition.part)
            inner.attributes["name"] = trait.menu or trait.description
            yield _definition(inner)


def _read(root: _Element) -> ElementPart:
    """The elements of a build file; raises `FormatError` for more than any module has."""
    top = _part(root, None)
    waiting, count = [(root, top)], 0
    while waiting:
        element, part = waiting.pop()
        for child in element:
            if isinstance(child.tag, str):
                count += 1
                if count > MAX_ELEMENTS:
                    raise FormatError(message("vassal.build-file.tags", most=MAX_ELEMENTS))
                below = _part(child, part)
                part.children.append(below)
                waiting.append((child, below))
    return top


def _part(element: _Element, parent: ElementPart | None) -> ElementPart:
    cls = str(element.tag)
    attributes = {str(k): str(v) for k, v in element.attrib.items()}
    text = (element.text or "").strip("\r\n ")
    line = element.sourceline
    return ElementPart(cls, cls.rsplit(".", 1)[-1], attributes, text, line if isinstance(line, int) else 0, parent)
