"""Rules about what opponents by mail do not see: changes that no line in the chat tells, marks that stay."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from ..vassal import traits
from ..vassal.traits.base import Key
from . import parts
from .check_keystrokes import sent_by
from .context import Examination, Stroke, stroke
from .finding import LintFinding
from .known import COMMANDS
from .parts import MAPS, PlacedTrait

_CHANGING: Final = (
    traits.Layer,
    traits.SetGlobalProperty,
    traits.DynamicProperty,
    traits.Delete,
    traits.Clone,
    traits.PlaceMarker,
    traits.SendToLocation,
    traits.ReturnToDeck,
)
"""Traits whose entries in the menu change forces or values, which opponents by mail cannot do without.

Moves by a fixed distance and turns about a point write their own line (`VASSAL.build.module.map.MovementReporter`).
"""
_BUTTONS: Final = {
    "DiceButton": ("reportFormat",),
    "ChangePropertyButton": ("reportFormat",),
    "TurnTracker": ("reportFormat",),
    "InternetDiceButton": ("reportFormat",),
    "SpecialDiceButton": ("format",),
}
"""Elements by which players change the game, and the attribute with the line that tells of it."""
_MENU: Final = "Via right-click Menu"
_DECK: Final = (
    ("shuffle", _MENU, "shuffleFormat"),
    ("reversible", "true", "reverseFormat"),
    ("reshufflable", "true", "reshuffleMessage"),
)
"""What players do with a deck, the value that lets them, and its report (`VASSAL.build.module.map.DrawPile`)."""
_TO_PIECES: Final = ("GlobalKeyCommand", "MassKeyCommand")
_MOST_ALONE: Final = 3
"""Silent entries of one piece that are told one by one; more of them have one cause."""
_MOVES: Final = ("moveWithinFormat", "moveToFormat", "createFormat")


def by_pieces(context: Examination) -> Iterator[LintFinding]:
    """Entries of a menu by which a player changes a piece, and none of its traits tells the others."""
    silent: dict[tuple[object, ...], tuple[PlacedTrait, str, str, bool]] = {}
    dropped = {stroke(key) for part, name, key in context.element_keys() if part.kind in MAPS and name == "moveKey"}
    for _, placed in context.expanded:
        told = _told(placed, dropped)
        unsure = any(isinstance(p.trait, traits.UnknownTrait) for p in placed) or any(
            isinstance(p.trait, traits.UsePrototype) and p.trait.name not in context.module.prototypes
            for p in placed
        )
        shown = " ".join(
            p.trait.property_name for p in placed if isinstance(p.trait, traits.Layer) and p.trait.follow
        )
        changing = [p for p in placed if isinstance(p.trait, _CHANGING) and not _is_mark(p.trait, shown)]
        for p, key, menu in _entries(placed, changing):
            missing = stroke(key) not in told and not unsure
            before = silent.get((*p.place, menu))
            silent[*p.place, menu] = (p, key.label, menu, missing and (before is None or before[3]))
    by_source: dict[int, list[tuple[PlacedTrait, str, str]]] = defaultdict(list)
    for p, label, menu, missing in silent.values():
        if missing:
            by_source[id(p.source)].append((p, label, menu))
    for found in by_source.values():
        menus = [menu for _, _, menu in found]
        for p, label, menu in found:
            if len(found) > _MOST_ALONE:
                listed = ", ".join(menus[:_MOST_ALONE])
                yield context.on("missing-report", p.source, p, "several", count=len(menus), menus=listed)
            else:
                yield context.on("missing-report", p.source, p, key=label, menu=menu)


def _entries(placed: list[PlacedTrait], changing: list[PlacedTrait]) -> Iterator[tuple[PlacedTrait, Key, str]]:
    """Entries of the menu that change a piece, by themselves or by what a trigger sends."""
    keys: set[Stroke] = set()
    for p in changing:
        for key, menu in parts.heard(p.trait):
            keys.add(stroke(key))
            if menu:
                yield p, key, menu
    triggers = [p for p in placed if isinstance(p.trait, traits.TriggerAction)]
    for _ in triggers[:20]:
        before = len(keys)
        for p in triggers:
            if any(stroke(key) in keys for key in parts.keys_of(p.trait, ("actions",))):
                keys |= {stroke(key) for key in parts.keys_of(p.trait, ("key", "watch"))}
        if len(keys) == before:
            break
    for p in triggers:
        for key, menu in parts.heard(p.trait):
            sends = any(stroke(sent) in keys for sent in parts.keys_of(p.trait, ("actions",)))
            if menu and sends and isinstance(p.trait, traits.TriggerAction) and key == p.trait.key:
                yield p, key, menu


def _is_mark(trait: traits.Trait, shown: str) -> bool:
    """Whether it is a value that a layer of the piece shows: a mark that is put on and taken off again."""
    return (
        isinstance(trait, traits.DynamicProperty) and re.search(rf"\b{re.escape(trait.name)}\b", shown) is not None
    )


def _told(placed: list[PlacedTrait], dropped: set[Stroke]) -> set[Stroke]:
    """The keystrokes that a piece reports, or that send one which it reports.

    `dropped` is what maps send to a piece that comes to lie on them, by an entry of its menu too.
    """
    found: set[Stroke] = set()
    triggers: list[traits.TriggerAction] = []
    for p in placed:
        if isinstance(p.trait, traits.ReportState) and (p.trait.format.strip() or any(p.trait.cycle_formats)):
            found |= {stroke(key) for key in (*p.trait.keys, *p.trait.cycle_down_keys)}
        elif isinstance(p.trait, traits.TriggerAction):
            triggers.append(p.trait)
        elif isinstance(p.trait, traits.GlobalCommand | traits.GlobalHotKey):
            # What it calls elsewhere may well write the line.
            found |= {stroke(key) for key, _ in parts.heard(p.trait)}
    for _ in triggers[:20]:
        before = len(found)
        for trait in triggers:
            if any(stroke(key) in found for key in parts.keys_of(trait, ("actions",))):
                found |= {stroke(key) for key in parts.keys_of(trait, ("key", "watch"))}
        if len(found) == before:
            break
    if dropped & found:
        sent = (p.trait for p in placed if isinstance(p.trait, traits.SendToLocation))
        found |= {stroke(key) for trait in sent for key in parts.keys_of(trait, ("back_key",))}
    return found


def empty(context: Examination) -> Iterator[LintFinding]:
    """Reports that say nothing."""
    for definition, number, trait, _ in context.traits():
        if (
            isinstance(trait, traits.ReportState)
            and trait.keys
            and not trait.format.strip()
            and not trait.cycle_formats
        ):
            yield context.on("missing-report", definition, number, "empty", key=trait.keys[0].label)


def by_elements(context: Examination) -> Iterator[LintFinding]:
    """Dice, turns, values, decks and moves that change without a word in the chat."""
    for part in context.module.all(*_BUTTONS):
        for name in _BUTTONS[part.kind]:
            seen = part.get("text") or part.get("icon") or part.get("buttonText")
            if seen and name in part.attributes and not part.attributes[name].strip():
                yield context.at("missing-report", part, "button")
    yield from _unsaid(context)
    for part in context.module.all("SpecialDiceButton"):
        if part.attributes.get("resultChatter") == "false" and part.attributes.get("resultWindow") == "false":
            yield context.at("missing-report", part, "button")
    for part in context.module.all("DrawPile"):
        for name, value, report in _DECK:
            if part.attributes.get(name) == value and not part.attributes.get(report, "-").strip():
                yield context.at("missing-report", part, "deck", name=report)
    for part in context.module.all("GlobalOptions"):
        if part.attributes.get("autoReport") == "Never":
            yield context.at("missing-report", part, "moves-off")
            return
    for part in context.module.all(*MAPS):
        if all(name in part.attributes and not part.attributes[name].strip() for name in _MOVES):
            yield context.at("missing-report", part, "moves", name=_MOVES[0])


def _unsaid(context: Examination) -> Iterator[LintFinding]:
    """Buttons that change pieces, say nothing of it, and keep the pieces from saying so."""
    changed = {
        stroke(key)
        for trait, _ in context.all_traits()
        if isinstance(trait, (*_CHANGING, traits.TriggerAction))
        for key, _ in parts.heard(trait)
    }
    for part in context.module.all(*_TO_PIECES):
        seen = part.get("text") or part.get("buttonText") or part.get("icon")
        quiet = part.get("reportSingle") == "true" and not part.get("reportFormat").strip()
        if seen and quiet and any(stroke(key) in changed for _, key in sent_by(part.kind, part.attributes)):
            yield context.at("missing-report", part, "button")


def moved(context: Examination) -> Iterator[LintFinding]:
    """Marks of pieces that have moved, and no way to take them off all at once."""
    marks = [(d, n, x) for d, n, x, _ in context.traits() if isinstance(x, traits.MovementMarkable)]
    maps = list(context.module.everywhere("Map"))
    if not marks or not maps or context.module.extension:
        return
    sent = _all_sent_to_pieces(context)
    keys = {stroke(key) for _, _, trait in marks for key in parts.keys_of(trait, ("key", "key_off"))}
    if keys & sent:
        return
    never = [m for m in maps if m.get("markMoved") == "Never"]
    if len(never) == len(maps):
        for definition, number, _ in marks[:1]:
            yield context.on("moved-reset", definition, number, "never")
        return
    button = ("markUnmovedText", "markUnmovedIcon", "markUnmovedHotkey")
    for map_ in maps:
        if map_ not in never and not any(map_.get(n) for n in button):
            yield context.at("moved-reset", map_, name=map_.name)


def _all_sent_to_pieces(context: Examination) -> set[Stroke]:
    found = {
        stroke(x.global_key)
        for x, _ in context.all_traits()
        if isinstance(x, traits.GlobalCommand) and x.global_key
    }
    for part in context.module.everywhere(*COMMANDS):
        found |= {stroke(key) for to, key in sent_by(part.kind, part.attributes) if to == "piece"}
    return found


REPORT_CHECKS: Final = (by_pieces, empty, by_elements, moved)
