"""Rules about pieces and prototypes: what they ask for, and the order of their traits.

VASSAL keeps the outermost trait first; its editor lists the basic piece first. "Above" in its manual is "further
in" here.

Rules about parts that can do nothing: dice without faces, pages without a file, areas of no size.

Sources: `VASSAL.build.module.DiceButton` (which draws from as many numbers as there are sides),
`SpecialDiceButton`, `VASSAL.build.module.map.SetupStack`, `VASSAL.counters.ActionButton`, `Embellishment`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from ..vassal import traits as t
from ..vassal.encoding import decode
from ..vassal.traits.base import PropertyCommand
from . import parts
from .context import Examination, Stroke, is_computed, stroke
from .finding import LintFinding
from .parts import MAX_EXPANDED, SLOTS, Definition, PlacedTrait

_COVERS: Final = 0.9
_MOST_LEVELS: Final = 20


def readable(context: Examination) -> Iterator[LintFinding]:
    """Each slot holds a piece, of traits that VASSAL knows."""
    for definition in context.module.definitions:
        if definition.broken:
            yield context.at("broken-piece", definition.part)
        elif not definition.traits or not isinstance(definition.traits[-1], t.BasicPiece):
            yield context.at("broken-piece", definition.part, "no-basic")
    for definition, number, trait, _ in context.traits():
        if isinstance(trait, t.UnknownTrait) and number > 1 and not context.custom and not _is_old(trait):
            yield context.on("unknown-trait", definition, number, name=trait.text.split(";")[0])
        elif isinstance(trait, t.VASL_TRAITS) and not context.custom:
            yield context.on("unknown-trait", definition, number, "vasl", name=trait.ID.rstrip(";"))


def _is_old(trait: t.UnknownTrait) -> bool:
    """Whether VASSAL still reads it: no trait at all, or layers as they were before 2.5."""
    return not trait.text.strip() or trait.text.startswith("emb;")


def prototypes(context: Examination) -> Iterator[LintFinding]:
    """Prototypes that are asked for and not there, or that hold themselves."""
    known = context.module.prototypes
    for definition, number, trait, _ in context.traits():
        if not isinstance(trait, t.UsePrototype) or is_computed(trait.name) or context.module.open_ended:
            continue
        if trait.name not in known:
            yield context.on("missing-prototype", definition, number, name=trait.name)
    for definition in context.module.definitions:
        if not definition.prototype:
            continue
        if _holds_itself(context, definition):
            yield context.at("prototype-circle", definition.part, name=definition.name)


def _holds_itself(context: Examination, definition: Definition) -> bool:
    waiting, seen = [definition.name], set[str]()
    while waiting:
        inner = context.module.prototypes.get(waiting.pop())
        for trait in inner.traits if inner else ():
            if isinstance(trait, t.UsePrototype):
                if trait.name == definition.name:
                    return True
                if trait.name not in seen:
                    seen.add(trait.name)
                    waiting.append(trait.name)
    return False


def places(context: Examination) -> Iterator[LintFinding]:
    """Maps, boards, zones, regions, decks and pieces that traits name."""
    if context.module.open_ended:
        return
    for definition, number, trait, _ in context.traits():
        if isinstance(trait, t.SendToLocation):
            for says, name in _destination(context, trait):
                yield context.on("missing-place", definition, number, says, name=name)
        elif isinstance(trait, t.ReturnToDeck) and not trait.choose:
            deck = trait.deck or (trait.deck_id if trait.version < 2 else "")
            if deck and not is_computed(deck) and deck not in context.decks:
                yield context.on("missing-deck", definition, number, name=deck)
        elif isinstance(trait, t.PlaceMarker):
            for says, name in _marker(context, trait):
                yield context.on("missing-piece", definition, number, says, name=name)


def _destination(context: Examination, trait: t.SendToLocation) -> Iterator[tuple[str, str]]:
    if trait.destination in ("A", "C", "N"):
        return
    known = context.maps
    if trait.map_name and not is_computed(trait.map_name) and trait.map_name not in known:
        yield "map", trait.map_name
        return
    boards = known.get(trait.map_name) or {b for boards in known.values() for b in boards}
    if (
        trait.destination in ("L", "G")
        and trait.board
        and not is_computed(trait.board)
        and trait.board not in boards
    ):
        yield "board", trait.board
    for letter, says, name, there in (
        ("Z", "zone", trait.zone, context.zones),
        ("R", "region", trait.region, context.regions),
    ):
        if trait.destination == letter and not is_computed(name) and name not in there:
            yield says, name


def _marker(context: Examination, trait: t.PlaceMarker) -> Iterator[tuple[str, str]]:
    marker = trait.marker
    if marker in ("", "null"):
        if trait.text in ("", "null"):
            yield "none", ""
        return
    if marker.startswith("+/"):
        return
    name = decode(decode(marker, "/")[-1], ":")[-1]
    numbers, names = context.own_slots
    if name and name not in names and not (trait.gpid and trait.gpid in numbers):
        yield "says", name


def sides(context: Examination) -> Iterator[LintFinding]:
    """Sides whose pieces these are."""
    if context.module.open_ended:
        return
    for definition, number, trait, _ in context.traits():
        named: tuple[str, ...] = ()
        if isinstance(trait, t.Restricted):
            named = trait.sides
            if not any(named) and not trait.by_player and len(context.sides) > 1:
                yield context.on("unknown-side", definition, number, "nobody")
        elif isinstance(trait, t.Hideable | t.Obscurable) and trait.access.startswith("sides:"):
            named = tuple(decode(trait.access.removeprefix("sides:"), ":"))
        for side in named:
            if side and side not in context.sides and not is_computed(side):
                yield context.on("unknown-side", definition, number, name=side)


class _Row:
    """The traits of one piece by what is asked of their order, each question answered once for all of them."""

    def __init__(self, placed: list[PlacedTrait]) -> None:
        self.placed = placed
        self._of: dict[tuple[type[t.Trait], ...], list[int]] = {}

    def of(self, *kinds: type[t.Trait]) -> list[int]:
        """Where traits of some kinds stand, outermost first."""
        if kinds not in self._of:
            self._of[kinds] = [i for i, p in enumerate(self.placed) if isinstance(p.trait, kinds)]
        return self._of[kinds]

    def outside(self, index: int, *kinds: type[t.Trait]) -> list[t.Trait]:
        """Traits of some kinds further out than one."""
        where = self.of(*kinds)
        return [self.placed[i].trait for i in where[: bisect_left(where, index)]]

    def first_outside(self, index: int, *kinds: type[t.Trait]) -> t.Trait | None:
        where = self.of(*kinds)
        return self.placed[where[0]].trait if where and where[0] < index else None

    def is_inside(self, index: int, *kinds: type[t.Trait]) -> bool:
        """Whether a trait of some kinds stands further in than one."""
        return bool(where := self.of(*kinds)) and where[-1] > index

    def draws_inside(self, index: int) -> bool:
        """Whether anything further in than a trait draws something."""
        basic = self.placed[-1].trait if index + 1 < len(self.placed) else None
        return self.is_inside(index, *parts.DRAWN) or (isinstance(basic, t.BasicPiece) and bool(basic.image))

    @cached_property
    def menus(self) -> dict[str, tuple[int, int]]:
        """Name of an entry in the menu -> the outermost and the innermost trait that has it."""
        found: dict[str, tuple[int, int]] = {}
        for i, p in enumerate(self.placed):
            for name in parts.menus(p.trait):
                found[name] = (found.get(name, (i,))[0], i)
        return found

    @cached_property
    def heard(self) -> dict[Stroke, int]:
        """Keystroke -> the outermost trait that waits for it, reports and restrictions left out."""
        found: dict[Stroke, int] = {}
        for i, p in enumerate(self.placed):
            if not isinstance(p.trait, t.ReportState | t.RestrictCommands):
                for key, _ in parts.heard(p.trait):
                    found.setdefault(stroke(key), i)
        return found

    @cached_property
    def last_heard(self) -> int:
        """The innermost trait that waits for any keystroke."""
        return max((i for i, p in enumerate(self.placed) if parts.heard(p.trait)), default=-1)

    @cached_property
    def deleting(self) -> dict[Stroke, list[str]]:
        """Keystroke -> how those that delete or replace the piece write it."""
        found: dict[Stroke, list[str]] = {}
        for p in self.placed:
            if isinstance(p.trait, t.Delete | t.Replace) and p.trait.key:
                found.setdefault(stroke(p.trait.key), []).append(p.trait.key.label)
        return found

    @cached_property
    def changing(self) -> set[Stroke]:
        """Keystrokes on which the piece changes what a report may tell."""
        changes = (p.trait for p in self.placed if isinstance(p.trait, _CHANGING))
        return {stroke(key) for trait in changes for key, _ in parts.heard(trait)}

    @cached_property
    def reporting(self) -> dict[Stroke, list[tuple[int, str]]]:
        """Keystroke -> the traits that report it with what they compute."""
        found: dict[Stroke, list[tuple[int, str]]] = {}
        for i in self.of(t.ReportState):
            trait = self.placed[i].trait
            if isinstance(trait, t.ReportState) and ("$" in trait.format or "{" in trait.format):
                for key in trait.keys:
                    found.setdefault(stroke(key), []).append((i, key.label))
        return found


_CHANGING: Final = (t.Layer, t.DynamicProperty, t.SetGlobalProperty)
_ORDERED: Final = frozenset(
    (
        t.RestrictCommands,
        t.Pivot,
        t.FreeRotator,
        t.SubMenu,
        t.Hideable,
        t.Obscurable,
        t.Restricted,
        t.NonRectangular,
        t.TriggerAction,
    )
)
"""Traits of which something is asked below."""


def order(context: Examination) -> Iterator[LintFinding]:
    """Traits that act on others which stand where they do not reach them."""
    for _, placed in context.expanded:
        if len(placed) >= MAX_EXPANDED:
            continue
        row = _Row(placed)
        for index, one in enumerate(placed):
            if type(one.trait) not in _ORDERED:
                continue
            for says, name in _misplaced(one.trait, index, row):
                yield context.on("trait-order", one.source, one, says, name=name)
            if isinstance(one.trait, t.Obscurable) and (shown := _upon(context, one.trait, index, row)):
                yield context.on("trait-order", one.source, one, "unmasked", name=_name(shown))


def _misplaced(trait: t.Trait, index: int, row: _Row) -> Iterator[tuple[str, str]]:
    if isinstance(trait, t.RestrictCommands):
        wanted = {stroke(key): key.label for key in trait.keys}
        for where, label in sorted((row.heard.get(one, index), label) for one, label in wanted.items()):
            if where < index:
                yield "restricts", label
    elif isinstance(trait, t.Pivot):
        if not row.is_inside(index, t.FreeRotator):
            yield "pivot", ""
    elif isinstance(trait, t.FreeRotator):
        if (left := row.first_outside(index, t.Layer)) and not row.draws_inside(index):
            yield "rotates", _name(left)
    elif isinstance(trait, t.SubMenu):
        for entry in trait.entries:
            first, last = row.menus.get(entry, (index, index))
            if first < index and last <= index:
                yield "sub-menu", entry
    elif isinstance(trait, t.Hideable):
        if shown := row.first_outside(index, t.Layer, t.Labeler):
            yield "hides", _name(shown)
        elif row.first_outside(index, t.Obscurable):
            yield "mask", ""
    elif isinstance(trait, t.Obscurable):
        if (left := row.first_outside(index, t.Layer, t.Labeler)) and not row.draws_inside(index):
            yield "masks", _name(left)
    elif isinstance(trait, t.Restricted):
        if row.last_heard <= index and any(first < index for first, _ in row.menus.values()):
            yield "access", ""
    elif isinstance(trait, t.NonRectangular):
        layers = (x for x in row.outside(index, t.Layer) if isinstance(x, t.Layer))
        if always := next((x for x in layers if parts.is_always_on(x) and any(x.images)), None):
            yield "outline", _name(always)
    elif isinstance(trait, t.TriggerAction):
        yield from _never_reached(trait, row)
        yield from _told_too_early(trait, index, row)


def _upon(context: Examination, mask: t.Obscurable, index: int, row: _Row) -> t.Layer | None:
    """The first layer that covers the mask at each of its levels, whatever it hides."""
    for layer in row.outside(index, t.Layer):
        if (
            isinstance(layer, t.Layer)
            and parts.is_always_on(layer)
            and len(layer.images) > 1
            and all(layer.images)
            and not (layer.x or layer.y or layer.only_property)
            and (size := context.picture_size(mask.image)) is not None
            and all(
                (other := context.picture_size(name))
                and other[0] >= size[0] * _COVERS
                and other[1] >= size[1] * _COVERS
                and context.is_solid(name)
                for name in layer.images[:_MOST_LEVELS]
            )
        ):
            return layer
    return None


def _never_reached(trait: t.TriggerAction, row: _Row) -> Iterator[tuple[str, str]]:
    """A piece that is deleted or replaced hears its triggers on the same key no more."""
    for one in {stroke(key) for key in parts.keys_of(trait, ("key", "watch"))}:
        yield from (("deleted", label) for label in row.deleting.get(one, ()))


def _told_too_early(trait: t.TriggerAction, index: int, row: _Row) -> Iterator[tuple[str, str]]:
    """Reports further in are written before the trigger has changed what they tell."""
    keys = {stroke(key) for key in parts.keys_of(trait, ("key",))}
    sent = {stroke(key) for key in parts.keys_of(trait, ("actions",))} - keys
    if not sent.isdisjoint(row.changing):
        for one in keys:
            yield from (("early", label) for at, label in row.reporting.get(one, ()) if at > index)


def _name(trait: t.Trait) -> str:
    return str(getattr(trait, "name", "") or getattr(trait, "property_name", "") or type(trait).__name__)


def menus(context: Examination) -> Iterator[LintFinding]:
    """Sub-menus that list entries which the piece does not have."""
    if context.module.open_ended:
        return
    lacking: dict[tuple[object, ...], tuple[PlacedTrait, str, bool]] = {}
    itself: dict[tuple[object, ...], PlacedTrait] = {}
    for _, placed in context.expanded:
        names = {name for p in placed for name in parts.menus(p.trait)}
        names |= {p.trait.menu for p in placed if isinstance(p.trait, t.SubMenu)}
        unsure = any(isinstance(p.trait, t.UnknownTrait | t.MultiLocationCommand) for p in placed)
        unsure = unsure or any(is_computed(name) for name in names)
        for p in placed:
            for entry in p.trait.entries if isinstance(p.trait, t.SubMenu) else ():
                key = (*p.place, entry)
                if entry and isinstance(p.trait, t.SubMenu) and entry == p.trait.menu:
                    itself.setdefault(key, p)
                missing = bool(entry) and entry not in names and not unsure and not is_computed(entry)
                lacking[key] = (p, entry, missing and lacking.get(key, (p, entry, True))[2])
    for (*_, own), p in itself.items():
        yield context.on("menu-entry", p.source, p, "itself", name=str(own))
    for p, entry, missing in lacking.values():
        if missing:
            yield context.on("menu-entry", p.source, p, name=entry)


PIECE_CHECKS: Final = (readable, prototypes, places, sides, order, menus)


_PAGES: Final = ("Chart", "HtmlChart", "HelpFile")
_COMPUTED: Final = t.CalculatedProperty.ID
_NAMED: Final = (t.DynamicProperty, t.CalculatedProperty, t.SetGlobalProperty, t.SetPieceProperty)


def dice(context: Examination) -> Iterator[LintFinding]:
    """Dice that cannot fall."""
    for part in context.module.all("DiceButton"):
        if part.get("nSides").strip() == "0":
            yield context.at("idle-part", part, "no-sides", name=part.name)
        elif part.get("nDice").strip() == "0" and part.get("prompt") != "true":
            yield context.at("idle-part", part, "no-dice", name=part.name)
    if context.custom or context.module.extension:
        return
    for part in context.module.all("SpecialDiceButton"):
        if not any(child.kind == "SpecialDie" for child in part.children):
            yield context.at("idle-part", part, "no-dice", name=part.name)
    for part in context.module.all("SpecialDie"):
        if not any(child.kind == "SpecialDieFace" for child in part.children):
            yield context.at("idle-part", part, "no-sides", name=part.name)


def pages(context: Examination) -> Iterator[LintFinding]:
    """Charts and pages of help without a file, and stacks of a set-up without pieces."""
    for part in context.module.all(*_PAGES):
        if not part.get("fileName") and part.get("fileType") != "url":
            yield context.at("idle-part", part, "no-file", name=part.name)
    if context.custom or context.module.extension:
        return
    for part in context.module.all("SetupStack"):
        if not any(child.kind in SLOTS for child in part.walk()):
            yield context.at("idle-part", part, "no-pieces", name=part.name)


def decks(context: Examination) -> Iterator[LintFinding]:
    """Entries in the menu of a deck that send its cards nowhere (`Deck.sendToDeck`)."""
    for part in context.module.all("DrawPile"):
        named = part.attributes.get("reshuffleCommand", "")
        if part.get("reshufflable") == "true" and named and not part.get("reshuffleTarget"):
            yield context.at("idle-part", part, "no-target", name=named)


def traits(context: Examination) -> Iterator[LintFinding]:
    """Traits that show, take or offer nothing."""
    for definition, number, trait, _ in context.traits():
        if isinstance(trait, t.Layer) and not trait.images:
            yield context.on("idle-part", definition, number, "no-levels", name=trait.name)
        elif isinstance(trait, t.ActionButton) and not trait.whole_shape and not _has_size(trait):
            yield context.on("idle-part", definition, number, "no-size")
        elif _never_runs(trait):
            yield context.on("idle-trigger", definition, number, "never", name=_idle_name(trait))
        if isinstance(trait, _NAMED) and not trait.name.strip() and (_commands(trait) or trait.ID == _COMPUTED):
            yield context.on("idle-part", definition, number, "no-name")
        for command in _commands(trait):
            if command.change.how == "E" and not any(command.change.choices) and _is_pressed(command):
                yield context.on(
                    "idle-part", definition, number, "no-choice", name=command.name or _idle_name(trait)
                )


def _never_runs(trait: t.Trait) -> bool:
    if not isinstance(trait, t.TriggerAction) or not trait.loop:
        return False
    return trait.loop_kind == "counted" and trait.loop_count.strip() == "0"


def _commands(trait: t.Trait) -> tuple[PropertyCommand, ...]:
    if isinstance(trait, t.DynamicProperty | t.SetGlobalProperty | t.SetPieceProperty):
        return trait.commands
    return ()


def _idle_name(trait: t.Trait) -> str:
    return str(getattr(trait, "name", "") or getattr(trait, "menu", ""))


def _is_pressed(command: PropertyCommand) -> bool:
    return command.key is not None and bool(command.key.name or command.key.code)


def _has_size(trait: t.ActionButton) -> bool:
    return len(trait.polygon) > 2 or (trait.width > 0 and trait.height > 0)


IDLE_CHECKS: Final = (dice, pages, decks, traits)
