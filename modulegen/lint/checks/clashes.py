"""Rules about keystrokes that mean two things at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from hexforge.modulegen.lint import roles
from hexforge.modulegen.lint.context import Examination, Stroke, stroke
from hexforge.modulegen.lint.finding import LintFinding
from hexforge.modulegen.lint.known import COMMANDS, STANDARD_KEYS, TOOLBAR
from hexforge.modulegen.lint.parts import MAPS, ElementPart
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.traits.keys import Key, read_key


def in_menus(context: Examination) -> Iterator[LintFinding]:
    """One keystroke with two entries of different names in the menu of a piece."""
    told: set[tuple[object, ...]] = set()
    for _, placed in context.expanded:
        seen: dict[Stroke, str] = {}
        for p in placed:
            if isinstance(p.trait, t.ActionButton | t.ReportState):
                continue
            for key, menu in roles.heard(p.trait):
                name = stroke(key)
                if not menu:
                    continue
                other = seen.setdefault(name, menu)
                if other != menu and (*p.place, name) not in told:
                    told.add((*p.place, name))
                    yield context.on("key-clash", p.source, p, key=key.label, menu=menu, other=other)


def of_buttons(context: Examination) -> Iterator[LintFinding]:
    """One keystroke for two buttons."""
    found: dict[tuple[object, ...], list[ElementPart]] = defaultdict(list)
    for part, name, key in context.element_keys(own=True):
        if key.name or not context.hears(part, name) or part.kind not in TOOLBAR:
            continue
        found[(stroke(key), key.label)].append(part)
    for (_, label), parts in found.items():
        first = parts[0]
        for part in parts[1:]:
            by_intent = {first.kind, part.kind} <= set(COMMANDS) and not _are_two(first, part)
            apart = first.above(*MAPS) is not part.above(*MAPS) and None not in (
                first.above(*MAPS),
                part.above(*MAPS),
            )
            if part is not first and not apart and not by_intent:
                yield context.at("key-clash", part, "button", key=str(label), other=first.label)


def _are_two(first: ElementPart, part: ElementPart) -> bool:
    """Whether commands on one keystroke are two buttons to a player; those without a face run as one by intent."""
    faces = [(p.get("text") or p.get("buttonText"), p.get("icon")) for p in (first, part)]
    return all(any(face) for face in faces) and faces[0] != faces[1]


def with_pieces(context: Examination) -> Iterator[LintFinding]:
    """Buttons on a keystroke that pieces have too: a piece that is selected takes it (`ForwardToKeyBuffer`)."""
    menus: dict[Stroke, str] = {}
    for trait, _ in context.all_traits():
        for key, menu in roles.heard(trait):
            if menu and not key.name:
                menus.setdefault(stroke(key), menu)
    for part, name, key in context.element_keys(own=True):
        if key.name or not context.hears(part, name) or part.kind not in TOOLBAR:
            continue
        taken = menus.get(stroke(key))
        # A button that sends to all pieces what it is pressed by does the same to more of them.
        if taken is not None and stroke(key) not in _sends(part):
            yield context.at("key-clash", part, "piece", key=key.label, menu=taken)


def _sends(part: ElementPart) -> set[Stroke]:
    key = read_key(part.get("hotkey")) if part.kind in COMMANDS and "," in part.get("hotkey") else None
    return {stroke(key)} if key is not None else set()


def of_decks(context: Examination) -> Iterator[LintFinding]:
    """One keystroke for two things that a deck does."""
    for part in context.module.all("DrawPile"):
        seen: dict[Stroke, str] = {}
        for name, key in _deck_keys(context, part):
            other = seen.setdefault(stroke(key), name)
            if other != name:
                yield context.at("key-clash", part, "deck", key=key.label, name=name, other=other)


def _deck_keys(context: Examination, part: ElementPart) -> Iterator[tuple[str, Key]]:
    for name, value in part.attributes.items():
        if value and context.hears(part, name) and "," in value:
            key = read_key(value)
            if key is not None and (key.name or key.code):
                yield name, key


def standard(context: Examination) -> Iterator[LintFinding]:
    """Buttons and entries of menus on keystrokes that VASSAL itself hears."""
    for part, name, key in context.element_keys(own=True):
        if not key.name and context.hears(part, name) and (taken := STANDARD_KEYS.get(stroke(key))):
            yield context.at("key-clash", part, "standard", key=key.label, other=taken)
    for definition, number, trait, _ in context.traits():
        for key, menu in roles.heard(trait):
            if menu and not key.name and (taken := STANDARD_KEYS.get(stroke(key))):
                yield context.on("key-clash", definition, number, "standard", key=key.label, other=taken)


CHECKS: Final = (in_menus, of_buttons, with_pieces, of_decks, standard)
