"""A module as lint looks at it: elements with their places, pieces with their traits, files.

The build file is `buildFile.xml`, or `buildFile` in modules from before VASSAL 3.5
(`VASSAL.build.GameModule.BUILDFILE_OLD`).

What the fields of traits mean: keystrokes heard and sent, pictures, expressions, menus, properties given.

Sources: `myGetKeyCommands`, `myKeyEvent`, `getPropertyNames` and `getExpressionList` of the classes in
`VASSAL.counters`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Final, TypeVar

from ...scenarios.text.words import message
from ..vassal import encoding
from ..vassal import traits as t
from ..vassal.archive import MAX_BUILD_FILE, Archive, parse_xml
from ..vassal.buildfile import KINDS
from ..vassal.encoding import FormatError, decode
from ..vassal.module import BUILD_FILES, no_module
from ..vassal.traits.base import Key, read_key
from ..vassal.traits.looks import OldNonRectangular

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

    @cached_property
    def placed(self) -> tuple[PlacedTrait, ...]:
        """Its traits with their numbers: the same ones for each piece that a prototype is part of."""
        count = len(self.traits)
        pairs = enumerate(zip(self.traits, self.states, strict=True))
        return tuple(PlacedTrait(trait, state, self, count - at) for at, (trait, state) in pairs)


@dataclass(frozen=True)
class PlacedTrait:
    """A trait of a piece as VASSAL sees it, and the definition it comes from, counted from the piece outwards."""

    trait: t.Trait
    state: str
    source: Definition
    number: int

    @cached_property
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
        waiting = [*definition.placed][::-1]
        while waiting and len(found) < MAX_EXPANDED:
            placed = waiting.pop()
            found.append(placed)
            if isinstance(placed.trait, t.UsePrototype):
                inner = self.prototypes.get(placed.trait.name)
                if inner is not None and len(waiting) < MAX_EXPANDED:
                    waiting.extend([p for p in inner.placed if not isinstance(p.trait, t.BasicPiece)][::-1])
        return found


def _definition(part: ElementPart) -> Definition:
    name = part.attributes.get("entryName") or part.attributes.get("name", "")
    try:
        pieces = encoding.decode(part.text.removeprefix("+/"), "/")
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


HEARD: Final[dict[type[t.Trait], tuple[str, ...]]] = {
    t.Delete: ("key",),
    t.Clone: ("key",),
    t.SendToLocation: ("key", "back_key"),
    t.ReturnToDeck: ("key",),
    t.TriggerAction: ("key", "watch"),
    t.GlobalCommand: ("key",),
    t.GlobalHotKey: ("key",),
    t.PlaceMarker: ("key",),
    t.Replace: ("key",),
    t.Translate: ("key",),
    t.PlaySound: ("key",),
    t.Pivot: ("key", "key2"),
    t.Deselect: ("key",),
    t.MatCargo: ("find_key", "detach_key"),
    t.Attachment: ("attach_key", "clear_key", "clear_matching_key"),
    t.MultiLocationCommand: ("key",),
    t.PropertySheet: ("key",),
    t.TableInfo: ("key",),
    t.Labeler: ("key",),
    t.FreeRotator: ("clockwise_key", "counter_key", "random_key", "direct_key"),
    t.MovementMarkable: ("key", "key_on", "key_off"),
    t.Footprint: ("key", "key_on", "key_off", "key_clear"),
    t.Hideable: ("key",),
    t.Obscurable: ("key", "deal_key"),
    t.AreaOfEffect: ("key", "key_on", "key_off"),
}
"""Fields with the keystrokes on which a trait does something."""

SENT: Final[dict[type[t.Trait], tuple[str, ...]]] = {
    t.TriggerAction: ("actions", "before_loop", "after_loop"),
    t.ActionButton: ("key",),
}
"""Fields with the keystrokes that a trait sends to its own piece."""

EXPRESSIONS: Final[dict[type[t.Trait], tuple[str, ...]]] = {
    t.TriggerAction: ("condition", "loop_while", "loop_until"),
    t.GlobalCommand: ("matching",),
    t.SetPieceProperty: ("matching",),
    t.RestrictCommands: ("condition",),
    t.CalculatedProperty: ("expression",),
    t.Attachment: ("matching", "clear_matching"),
    t.SendToLocation: ("property_filter",),
    t.MultiLocationCommand: ("matching",),
}
"""Fields with an expression that chooses or computes."""

IMAGES: Final[dict[type[t.Trait], tuple[str, ...]]] = {
    t.Layer: ("images",),
    t.BasicPiece: ("image",),
    t.MovementMarkable: ("image",),
    t.Obscurable: ("image",),
}

DRAWN: Final = (t.Layer, t.Labeler, t.MovementMarkable, t.Footprint, t.AreaOfEffect)
"""Traits that draw something."""
SILENT: Final = (
    t.ReportState,
    t.RestrictCommands,
    t.Comment,
    t.Marker,
    t.Mat,
    t.Immobilized,
    t.NonRectangular,
    OldNonRectangular,
    t.BasicName,
    t.BorderOutline,
    t.TranslatableMessage,
)
"""Traits without commands of their own, for which no place in the order is wrong."""


V = TypeVar("V")


def kept(read: Callable[[t.Trait], Iterable[V]]) -> Callable[[t.Trait], tuple[V, ...]]:
    """What is read off a trait, once: every rule asks, for every piece that has it."""
    name = f"_kept_{read.__name__}"

    @wraps(read)
    def reading(trait: t.Trait) -> tuple[V, ...]:
        found: tuple[V, ...] | None = trait.__dict__.get(name)
        if found is None:
            found = tuple(read(trait))
            object.__setattr__(trait, name, found)
        return found

    return reading


def keys_of(trait: t.Trait, names: tuple[str, ...]) -> Iterator[Key]:
    """The keystrokes in some fields, those that do nothing left out."""
    for name in names:
        value = getattr(trait, name)
        for key in value if isinstance(value, tuple) and not isinstance(value, Key) else (value,):
            if isinstance(key, Key) and (key.name or key.code):
                yield key


@kept
def heard(trait: t.Trait) -> Iterator[tuple[Key, str]]:
    """What a trait waits for, each with the name that its menu entry has ("" for none)."""
    if isinstance(trait, t.Layer):
        yield from _layer(trait)
    elif isinstance(trait, t.DynamicProperty | t.SetGlobalProperty | t.SetPieceProperty):
        yield from ((c.key, c.name) for c in trait.commands if c.key and (c.key.name or c.key.code))
    elif not (isinstance(trait, t.AreaOfEffect) and trait.always_active):
        for key in keys_of(trait, HEARD.get(type(trait), ())):
            yield key, menu_of(trait, key)
        if isinstance(trait, t.Obscurable) and trait.display[:1] == "P":
            peek = read_key(trait.display[1:]) if "," in trait.display else None
            if peek and (peek.name or peek.code):
                yield peek, trait.peek_menu


def is_always_on(trait: t.Layer) -> bool:
    """Whether a layer never goes off; VASSAL then keeps its key for that, and does not hear it."""
    return trait.always_active if trait.version else not trait.activate_letter


def _layer(trait: t.Layer) -> Iterator[tuple[Key, str]]:
    """What `Embellishment` adds to the menu: an entry that turns it off, and where no property rules it, levels."""
    if not is_always_on(trait):
        for key in _layer_keys(trait, trait.activate_key, trait.activate_letter, trait.activate_modifiers):
            yield key, trait.activate_menu
    if trait.follow:
        return
    several = len(trait.images) > 1
    for key in _layer_keys(trait, trait.increase_key, trait.increase_letter, trait.increase_modifiers):
        yield key, trait.increase_menu if several else ""
    for key in _layer_keys(trait, trait.decrease_key, trait.decrease_letter, trait.decrease_modifiers):
        yield key, trait.decrease_menu if several else ""
    for only, menu in ((trait.reset_key, trait.reset_menu), (trait.random_key, trait.random_menu)):
        if only and (only.name or only.code):
            yield only, menu


def _layer_keys(trait: t.Layer, key: Key | None, letters: str, modifiers: int) -> Iterator[Key]:
    if key and (key.name or key.code):
        yield key
    elif trait.version == 0:
        yield from (Key(ord(one), modifiers) for one in letters)


def menu_of(trait: t.Trait, key: Key) -> str:
    """The name of the menu entry that presses a key of a trait."""
    pairs = (
        ("key", "menu"),
        ("back_key", "back_menu"),
        ("key2", "menu2"),
        ("clear_key", "clear_menu"),
        ("attach_key", "attach_menu"),
        ("clear_matching_key", "clear_matching_menu"),
        ("clockwise_key", "clockwise_menu"),
        ("counter_key", "counter_menu"),
        ("random_key", "random_menu"),
        ("direct_key", "direct_menu"),
        ("key_on", "menu_on"),
        ("key_off", "menu_off"),
    )
    return next((getattr(trait, m, "") for k, m in pairs if getattr(trait, k, None) == key), "")


_MENU_FIELDS: Final = (
    "menu menu2 menu_on menu_off back_menu attach_menu clear_menu clear_matching_menu activate_menu increase_menu"
    " decrease_menu reset_menu random_menu clockwise_menu counter_menu direct_menu peek_menu"
)
_MENUS: Final = frozenset(_MENU_FIELDS.split())


@kept
def menus(trait: t.Trait) -> set[str]:
    """All names that a trait's entries have in the menu of its piece."""
    found = {getattr(trait, f.name) for f in fields(trait) if f.name in _MENUS}
    if isinstance(trait, t.DynamicProperty | t.SetGlobalProperty | t.SetPieceProperty):
        found |= {command.name for command in trait.commands}
    return {name for name in found if isinstance(name, str) and name}


@kept
def images(trait: t.Trait) -> Iterator[str]:
    """The names of pictures that a trait shows, as they stand."""
    for name in IMAGES.get(type(trait), ()):
        value = getattr(trait, name)
        yield from value if isinstance(value, tuple) else (value,)
    if isinstance(trait, t.Obscurable) and trait.display[:1] == "G":
        yield trait.display[1:]


def given(trait: t.Trait, state: str) -> set[str]:
    """The names of the properties that a trait gives to its piece."""
    found = set(trait.properties(state))
    if isinstance(trait, t.CalculatedProperty):
        found.add(trait.name)
    elif isinstance(trait, t.TriggerAction) and trait.index:
        found.add(trait.index_property)
    elif isinstance(trait, t.Attachment):
        found |= {f"{trait.name}_AttachCount", f"{trait.name}_AttachList"}
    elif isinstance(trait, t.Labeler) and not trait.property_name:
        found.add("TextLabel")
    elif isinstance(trait, t.UsePrototype):
        found |= {name for name, _ in trait.parameters}
    elif isinstance(trait, t.GlobalCommand | t.PlaceMarker):
        found |= passed(trait.parameters)
    return found


def passed(parameters: str) -> set[str]:
    """The names of values that a command passes on (`VASSAL.configure.ParameterListConfigurer`)."""
    return {re.split("[=|]", pair, maxsplit=1)[0] for pair in decode(parameters, ",") if pair}
