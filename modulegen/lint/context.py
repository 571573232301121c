"""What all checks of one module share: names that are there, keys that are heard, and how to say where."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final

from PIL import Image

from ...scenarios.text.words import Param
from ..vassal import traits as t
from ..vassal.encoding import decode
from ..vassal.module import picture_size
from ..vassal.traits.base import Key, read_key
from . import parts as roles
from .finding import LintFinding, PlaceInModule
from .known import CLASSES, COMMANDS, HEARS, STOCK_IMAGES, SYSTEM_PROPERTIES
from .parts import CARRIED, MAPS, SLOTS, Definition, ElementPart, OpenModule, PlacedTrait

MOST_NAME: Final = 80
_MOST_PIXELS: Final = 4_000_000
_SOLID: Final = 0.9
_MASKS: Final = ((65, 1), (130, 2), (260, 4), (520, 8))
_DICE: Final = (
    "DiceButton",
    "SpecialDiceButton",
    "InternetDiceButton",
    "RandomTextButton",
    "TurnTracker",
    "DrawPile",
)
_PROPERTIES: Final = (
    "GlobalProperty",
    "ZoneProperty",
    "BooleanScenarioProperty",
    "ListScenarioProperty",
    "NumberScenarioProperty",
    "StringScenarioProperty",
    "GlobalTranslatableMessage",
    "BooleanPreference",
    "DoublePreference",
    "EnumPreference",
    "IntegerPreference",
    "StringPreference",
    "TextPreference",
)
_NUMBERED = re.compile(r"(level|result|CurrentMatProp)\d{1,3}")
_SUMMED = re.compile(r"sum\(([^()]+)\)")
Stroke = tuple[int, int] | str
"""A keystroke to compare by: a name, or code and modifiers."""


@lru_cache(1 << 16)
def stroke(key: Key) -> Stroke:
    """Two keystrokes are the same to VASSAL if these are; old and new modifiers mean the same."""
    if key.name:
        return key.name
    return key.code, sum(bit for mask, bit in _MASKS if key.modifiers & mask)


def shown(text: str) -> str:
    """A stranger's text as it may stand in a message."""
    return text if len(text) <= MOST_NAME else text[: MOST_NAME - 1] + "…"


def is_computed(text: str) -> bool:
    """Whether a name is computed while playing."""
    return "$" in text or text.strip().startswith("{")


class Examination:
    """A module under examination."""

    def __init__(self, module: OpenModule) -> None:
        self.module = module

    def at(
        self, rule: str, part: ElementPart, says: str = "says", /, *, trait: int = 0, **values: Param
    ) -> LintFinding:
        """A finding at an element, or at one of its traits, counted as the editor does."""
        path = part.path
        if trait:
            path = (*path, f"#{trait}")
        return LintFinding(rule, PlaceInModule(self.module.build_file, part.line, path), _values(values), says)

    def on(
        self, rule: str, source: Definition, placed: PlacedTrait | int, says: str = "says", /, **values: Param
    ) -> LintFinding:
        """A finding at a trait."""
        number = placed if isinstance(placed, int) else placed.number
        trait = source.traits[len(source.traits) - number] if 0 < number <= len(source.traits) else None
        part = source.part
        label = f"{number - 1} {type(trait).__name__}" if trait is not None and number > 1 else ""
        path = (*part.path, label) if label else part.path
        return LintFinding(rule, PlaceInModule(self.module.build_file, part.line, path), _values(values), says)

    def in_file(self, rule: str, file: str, says: str = "says", /, **values: Param) -> LintFinding:
        """A finding about a file of the archive."""
        return LintFinding(rule, PlaceInModule(shown(file)), _values(values), says)

    # ------------------------------------------------------------------------------------------ names

    @cached_property
    def custom(self) -> bool:
        """Whether code of its own may do what cannot be seen here."""
        parts = [*self.module.parts, *(self.module.base.parts if self.module.base else ())]
        foreign = {p.cls for p in parts if "." in p.cls and p.cls not in CLASSES}
        return any(not name.startswith("VASSAL.") or self.has_code(name) for name in foreign)

    def has_code(self, name: str) -> bool:
        """Whether the code of a class lies in the module, or in the module that it extends."""
        file, base = f"{name.replace('.', '/')}.class", self.module.base
        return file in self.module.files or (base is not None and file in base.files)

    @cached_property
    def scripted(self) -> bool:
        """Whether scripts or code of the module's own may give functions to expressions."""
        return self.custom or any(True for _ in self.module.everywhere("ActionScript", "GeneralScript"))

    @cached_property
    def maps(self) -> dict[str, set[str]]:
        """Map -> its boards, by name."""
        found: dict[str, set[str]] = {}
        for part in self.module.everywhere(*MAPS):
            boards = found.setdefault(part.get("mapName"), set())
            boards.update(p.get("name") for p in part.walk() if p.kind == "Board")
        return found

    @cached_property
    def decks(self) -> set[str]:
        return {p.get("name") for p in self.module.everywhere("DrawPile")}

    @cached_property
    def zones(self) -> set[str]:
        return {p.get("name") for p in self.module.everywhere("Zone")}

    @cached_property
    def regions(self) -> set[str]:
        return {p.get("name") for p in self.module.everywhere("Region")}

    @cached_property
    def sides(self) -> set[str]:
        """Those of the list of players, and whoever takes none (`PlayerRoster.OBSERVER`)."""
        entries = self.module.everywhere("entry")
        return {p.text.strip() for p in entries if p.parent and p.parent.kind == "PlayerRoster"} | {"<observer>"}

    @cached_property
    def pictures(self) -> frozenset[str]:
        """The names of pictures in the archive, of those drawn from layouts, and those in the base module."""
        names = {n.removeprefix("images/") for n in self.module.files if n.startswith("images/")}
        names |= {p.get("name") for p in self.module.everywhere("GamePieceImage")}
        base = self.module.base
        if base is not None:
            names |= {n.removeprefix("images/") for n in base.files if n.startswith("images/")}
        return frozenset(names)

    def has_picture(self, name: str) -> bool:
        """Whether VASSAL finds a picture (`DataArchive.getInputStream`)."""
        if name.startswith("/"):
            return name.rsplit("/", 1)[-1] in STOCK_IMAGES
        # Files that a Mac packed have the accents of their names apart.
        candidates = (name, f"{name}.gif", unicodedata.normalize("NFD", name))
        return any(c in self.pictures or c in STOCK_IMAGES for c in candidates)

    def picture_size(self, name: str) -> tuple[int, int] | None:
        """Width and height of a picture of the module; None where there is none, or none that can be measured."""
        if name not in self._sizes:
            entry = f"images/{name.strip()}"
            there = entry in self.module.files
            self._sizes[name] = picture_size(self.module.archive, entry) if there else None
        return self._sizes[name]

    def is_solid(self, name: str) -> bool:
        """Whether nothing much can be seen through a picture."""
        if name not in self._solid:
            self._solid[name] = self._looks_solid(name)
        return self._solid[name]

    def _looks_solid(self, name: str) -> bool:
        size = self.picture_size(name)
        if size is None or size[0] * size[1] > _MOST_PIXELS or name.lower().endswith(".svg"):
            return False
        try:
            with Image.open(io.BytesIO(self.module.archive.read(f"images/{name.strip()}"))) as picture:
                alpha = picture.convert("RGBA").getchannel("A").histogram()
        except (OSError, ValueError, SyntaxError):
            return False
        return sum(alpha[128:]) >= sum(alpha) * _SOLID

    @cached_property
    def _sizes(self) -> dict[str, tuple[int, int] | None]:
        return {}

    @cached_property
    def _solid(self) -> dict[str, bool]:
        return {}

    # ------------------------------------------------------------------------------------------ pieces

    @cached_property
    def expanded(self) -> list[tuple[Definition, list[PlacedTrait]]]:
        """Each piece with all of its traits, those of its prototypes in their places."""
        return [(piece, self.module.expand(piece)) for piece in self.module.pieces if not piece.broken]

    @cached_property
    def unused(self) -> set[ElementPart]:
        """Prototypes that no piece has, by others either, and slots of hidden windows that nothing places."""
        if self.module.extension:
            return set()
        asked = {
            id(definition): [trait.name for trait in definition.traits if isinstance(trait, t.UsePrototype)]
            for definition in self.module.definitions
        }
        # Code of the module's own may take any piece.
        found = {d.part for d in self.module.pieces if not self.custom and self._is_out_of_reach(d)}
        named = {name for names in asked.values() for name in names}
        if any(map(is_computed, named)):
            return found
        if self.custom:
            return {d.part for d in self.module.definitions if d.prototype and d.name not in named}
        waiting = [d for d in self.module.definitions if not d.prototype and d.part.kind != CARRIED]
        reached: set[int] = set()
        while waiting:
            one = waiting.pop()
            if id(one) not in reached:
                reached.add(id(one))
                waiting += [inner for name in asked[id(one)] if (inner := self.module.prototypes.get(name))]
                waiting += self._carried.get(one.part, [])
        return found | {d.part for d in self.module.definitions if d.prototype and id(d) not in reached}

    @cached_property
    def _carried(self) -> dict[ElementPart, list[Definition]]:
        """Element -> the pieces that traits in it carry."""
        found: dict[ElementPart, list[Definition]] = {}
        for definition in self.module.definitions:
            if definition.part.kind == CARRIED and definition.part.parent is not None:
                found.setdefault(definition.part.parent, []).append(definition)
        return found

    @cached_property
    def _placed(self) -> set[str]:
        """The numbers and names of the slots whose pieces traits place."""
        markers = [trait for trait, _ in self.all_traits() if isinstance(trait, t.PlaceMarker)]
        names = {part.rpartition(":")[2] for trait in markers for part in trait.marker.split("/")}
        return names | {trait.gpid for trait in markers}

    def _is_out_of_reach(self, definition: Definition) -> bool:
        part = definition.part
        if part.kind not in SLOTS or self._placed.intersection((part.get("gpid"), definition.name)):
            return False
        window = part.above("PieceWindow")
        return window is not None and window.get("hidden") == "true"

    @cached_property
    def own_slots(self) -> tuple[frozenset[str], frozenset[str]]:
        """The numbers of all slots, and the names of their pieces."""
        slots = list(self.module.everywhere(*SLOTS))
        return frozenset(p.get("gpid") for p in slots), frozenset(p.get("entryName") for p in slots)

    @cached_property
    def slots(self) -> tuple[set[str], set[str]]:
        """The numbers of all slots and of what traits place, and the names of their pieces."""
        numbers, names = map(set, self.own_slots)
        for trait, _ in self.all_traits():
            if isinstance(trait, t.PlaceMarker):
                numbers.add(trait.gpid)
            elif isinstance(trait, t.BasicPiece | t.BasicName):
                names.add(trait.name)
        return numbers, names

    @cached_property
    def unknown_traits(self) -> bool:
        """Whether some trait is not known here."""
        return any(isinstance(trait, (t.UnknownTrait, *t.VASL_TRAITS)) for trait, _ in self.all_traits())

    def traits(self) -> Iterator[tuple[Definition, int, t.Trait, str]]:
        """Every trait once, where it is defined: its number (the basic piece's is 1) and its state."""
        for definition in self.module.definitions:
            count = len(definition.traits)
            for index, (trait, state) in enumerate(zip(definition.traits, definition.states, strict=True)):
                yield definition, count - index, trait, state

    def all_traits(self) -> Iterator[tuple[t.Trait, str]]:
        """Every trait, those of the base module too."""
        for module in (self.module, *((self.module.base,) if self.module.base else ())):
            for definition in module.definitions:
                yield from zip(definition.traits, definition.states, strict=True)

    # ------------------------------------------------------------------------------------------ keys

    @cached_property
    def heard_by_pieces(self) -> set[Stroke]:
        """Every keystroke that some piece waits for."""
        found = {stroke(key) for trait, _ in self.all_traits() for key, _ in roles.heard(trait)}
        for trait, _ in self.all_traits():
            if isinstance(trait, t.ReportState):
                found |= {stroke(key) for key in (*trait.keys, *trait.cycle_down_keys)}
        return found

    @cached_property
    def heard_by_elements(self) -> set[Stroke]:
        """Every keystroke that some button or window waits for."""
        return {stroke(key) for part, name, key in self.element_keys() if _hears(part, name)}

    def element_keys(self, own: bool = False) -> Iterator[tuple[ElementPart, str, Key]]:
        """Attributes of elements that hold a keystroke."""
        parts = (
            self.module.parts
            if own
            else [*self.module.parts, *(self.module.base.parts if self.module.base else [])]
        )
        for part in parts:
            for name, value in part.attributes.items():
                if value and (name in HEARS or "key" in name.lower()):
                    for text in decode(value, ",") if name == "hotkeys" else (value,):
                        key = read_key(text) if "," in text else None
                        if key is not None and (key.name or key.code):
                            yield part, name, key

    def hears(self, part: ElementPart, name: str) -> bool:
        return _hears(part, name)

    # ------------------------------------------------------------------------------------------ properties

    @cached_property
    def properties(self) -> set[str]:
        """Every property that something gives."""
        found = set(SYSTEM_PROPERTIES)
        for trait, state in self.all_traits():
            found |= roles.given(trait, state)
        for part in self.module.everywhere(*_PROPERTIES):
            found.add(part.get("name"))
        for part in self.module.everywhere("CounterTurnLevel", "ListTurnLevel"):
            found |= {part.get("property"), part.get("name")}
        for part in self.module.everywhere("DoActionButton", "SpecialDiceButton"):
            found.add(part.get("indexProperty"))
        for part in self.module.everywhere(*COMMANDS):
            found |= roles.passed(part.get("parameters"))
        return found

    @cached_property
    def _wild(self) -> list[re.Pattern[str]]:
        """Properties whose names are put together while playing."""
        names = [n for n in self.properties if "$" in n]
        return [re.compile(re.sub(r"\\\$.*?\\\$", ".*", re.escape(n))) for n in names[:500]]

    @cached_property
    def _beginnings(self) -> tuple[str, ...]:
        parts = self.module.everywhere(*_DICE, *MAPS)
        return tuple({f"{p.get('name') or p.get('mapName')}_" for p in parts} | {"CurrentMatProp", "Map."})

    def is_property(self, name: str) -> bool:
        """Whether anything gives a property of this name; blanks in names may be written `_`."""
        if name in self.properties or name.startswith(self._beginnings) or _NUMBERED.fullmatch(name):
            return True
        if summed := _SUMMED.fullmatch(name):
            return self.is_property(summed[1])
        plain = name.replace(" ", "_")
        if plain.startswith(tuple(b.replace(" ", "_") for b in self._beginnings)):
            return True
        return any(w.fullmatch(name) for w in self._wild)


def _values(values: dict[str, Param]) -> tuple[tuple[str, Param], ...]:
    return tuple((k, shown(v) if isinstance(v, str) else v) for k, v in values.items())


def _hears(part: ElementPart, name: str) -> bool:
    if part.kind in COMMANDS:
        return name == "buttonHotkey" or (part.kind == "DeckGlobalKeyCommand" and name == "hotkey")
    return name in HEARS and not (part.kind == "TurnGlobalHotkey" and name == "hotkey")
