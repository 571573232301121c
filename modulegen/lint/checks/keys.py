"""Rules about keystrokes: sent and not heard, heard and not sent, sent in a circle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hexforge.modulegen.lint import roles
from hexforge.modulegen.lint.context import Examination, Stroke, is_computed, stroke
from hexforge.modulegen.lint.finding import LintFinding
from hexforge.modulegen.lint.known import COMMANDS, HEARS, SENT_BEFORE_AND_AFTER, STANDARD_KEYS
from hexforge.modulegen.lint.parts import MAPS, MAX_EXPANDED, PlacedTrait
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.sequence import decode
from hexforge.modulegen.vassal.traits.keys import Key, read_key
from hexforge.scenarios.alike import alike

_ALIKE: Final = 0.85
_MOST_LOST: Final = 200
_DIGITS = re.compile(r"\d+")


def to_itself(context: Examination) -> Iterator[LintFinding]:
    """Keystrokes that a piece sends to itself, and no piece with this trait hears."""
    deaf: dict[tuple[object, ...], tuple[PlacedTrait, str, bool]] = {}
    for _, placed in context.expanded:
        hears = _hears(placed)
        for p in placed:
            for key in roles.keys_of(p.trait, roles.SENT.get(type(p.trait), ())):
                name = stroke(key)
                unheard = name not in hears and None not in hears
                before = deaf.get((*p.place, name))
                deaf[*p.place, name] = (p, key.label, unheard and (before is None or before[2]))
    for p, label, unheard in deaf.values():
        if unheard and not context.module.open_ended:
            yield context.on("unheard-key", p.source, p, "itself", key=label)


def _hears(placed: list[PlacedTrait]) -> set[Stroke | None]:
    """What a piece hears; None among it where a trait that is not known may hear anything."""
    found: set[Stroke | None] = set()
    for p in placed:
        found.update(stroke(key) for key, _ in roles.heard(p.trait))
        if isinstance(p.trait, t.ReportState):
            found.update(stroke(key) for key in (*p.trait.keys, *p.trait.cycle_down_keys))
        elif isinstance(p.trait, (t.UnknownTrait, t.MultiLocationCommand, *t.VASL_TRAITS)):
            found.add(None)
    if len(placed) >= MAX_EXPANDED:
        found.add(None)
    return found


def to_others(context: Examination) -> Iterator[LintFinding]:
    """Keystrokes that are sent to pieces or to buttons, and none hears."""
    if context.module.open_ended:
        return
    for definition, number, trait, _ in context.traits():
        if isinstance(trait, t.GlobalCommand | t.PlaceMarker):
            key = trait.global_key if isinstance(trait, t.GlobalCommand) else trait.after_key
            if key is not None and _moves_nothing(context, key):
                yield context.on("unheard-key", definition, number, "pieces", key=key.label)
        elif isinstance(trait, t.GlobalHotKey) and trait.hotkey and _presses_nothing(context, trait.hotkey):
            yield context.on("unheard-key", definition, number, "buttons", key=trait.hotkey.label)
    for part in context.module.parts:
        for name, key in sent_by(part.kind, part.attributes):
            if name == "piece" and _moves_nothing(context, key):
                yield context.at("unheard-key", part, "pieces", key=key.label)
            elif name == "button" and _presses_nothing(context, key):
                yield context.at("unheard-key", part, "buttons", key=key.label)


def _presses_nothing(context: Examination, key: Key) -> bool:
    """Whether no button, no window and not VASSAL itself waits for a key; a module's own code may."""
    if not (key.name or key.code) or is_computed(key.name) or context.custom:
        return False
    return stroke(key) not in context.heard_by_elements and stroke(key) not in STANDARD_KEYS


def _moves_nothing(context: Examination, key: Key) -> bool:
    """Whether no piece waits for a key; traits that are not known here may wait for any."""
    if not (key.name or key.code) or is_computed(key.name) or context.unknown_traits:
        return False
    return stroke(key) not in context.heard_by_pieces


def sent_by(kind: str, attributes: dict[str, str]) -> Iterator[tuple[str, Key]]:
    """What an element sends: to pieces or to buttons."""
    pairs: list[tuple[str, str]] = []
    if kind in COMMANDS:
        hot = attributes.get("hotkeyOrKeyCommand") == "sendHotkey"
        pairs.append(("button", "globalHotkey") if hot else ("piece", "hotkey"))
    elif kind in MAPS:
        pairs.append(("piece", "moveKey"))
    elif kind in ("DoActionButton", "SpecialDiceButton"):
        if attributes.get("doHotkey") == "true":
            pairs.append(("button", "hotkeys"))
        if attributes.get("doLoop") == "true":
            pairs += [("button", name) for name in SENT_BEFORE_AND_AFTER]
    elif kind == "TurnGlobalHotkey":
        pairs.append(("button", "hotkey"))
    elif kind == "DrawPile" and attributes.get("hotkeyOnEmpty") == "true":
        pairs.append(("button", "emptyHotkey"))
    for to, name in pairs:
        value = attributes.get(name, "")
        for text in decode(value, ",") if name == "hotkeys" else (value,):
            if "," in text and (key := read_key(text)) is not None:
                yield to, key


def in_vain(context: Examination) -> Iterator[LintFinding]:
    """Reports on a keystroke, and restrictions of one, that no trait of the piece hears and nothing sends it."""
    if context.custom or context.module.open_ended:
        return
    sent = _allsent_by(context)
    idle: dict[tuple[object, ...], tuple[PlacedTrait, str, str, bool]] = {}
    for _, placed in context.expanded:
        heard = {stroke(key) for p in placed for key, _ in roles.heard(p.trait)}
        unsure = any(_unclear(context, p.trait) for p in placed)
        for p in placed:
            if not isinstance(p.trait, t.ReportState | t.RestrictCommands):
                continue
            report = isinstance(p.trait, t.ReportState)
            for key in roles.keys_of(p.trait, ("keys", "cycle_down_keys") if report else ("keys",)):
                name = stroke(key)
                deaf = (
                    not unsure
                    and name not in heard
                    and not (report and name in sent)
                    and len(placed) < MAX_EXPANDED
                )
                before = idle.get((*p.place, name))
                said = "reports" if report else "restricts"
                idle[*p.place, name] = (p, key.label, said, deaf and (before is None or before[3]))
    for p, label, says, deaf in idle.values():
        if deaf:
            yield context.on("unheard-key", p.source, p, says, key=label)


def _unclear(context: Examination, trait: t.Trait) -> bool:
    """Whether a trait may hear what cannot be seen here."""
    if isinstance(trait, t.UsePrototype):
        return trait.name not in context.module.prototypes
    return isinstance(trait, (t.UnknownTrait, t.MultiLocationCommand, *t.VASL_TRAITS))


def never_pressed(context: Examination) -> Iterator[LintFinding]:
    """Commands with a named keystroke, no entry in a menu, and nothing that sends it."""
    if context.custom or context.module.extension:
        return
    sent = _allsent_by(context)
    lost = [name for name in sent - context.heard_by_pieces if isinstance(name, str)][:_MOST_LOST]
    for definition, number, trait, _ in context.traits():
        if isinstance(trait, t.TriggerAction) and not trait.key and not trait.watch and trait.actions:
            yield context.on("idle-trigger", definition, number, name=trait.name or trait.menu)
            continue
        for key, menu in roles.heard(trait):
            named = key.name and not menu and not is_computed(key.name) and key.name not in sent
            # One that is sent by a misspelt name is told where it is sent.
            if named and not _is_misspelt(key.name, lost):
                yield context.on("hidden-command", definition, number, key=key.name)


def _is_misspelt(name: str, lost: list[str]) -> bool:
    """Whether a key that nobody hears is most likely this one; numbers make names of a row differ on purpose."""
    others = [other.lower() for other in lost if _DIGITS.findall(other) == _DIGITS.findall(name)]
    return bool(alike(name.lower(), others, least=_ALIKE))


def _allsent_by(context: Examination) -> set[Stroke]:
    found: set[Stroke] = set()
    for trait, _ in context.all_traits():
        found |= {stroke(key) for key in roles.keys_of(trait, roles.SENT.get(type(trait), ()))}
        for field in ("global_key", "hotkey", "after_key"):
            if isinstance(sent := getattr(trait, field, None), Key):
                found.add(stroke(sent))
        if isinstance(trait, t.MultiLocationCommand) and trait.key:
            found.add(stroke(trait.key))
        # A menu entry of another trait with the same key presses it too.
        found |= {stroke(key) for key, menu in roles.heard(trait) if menu}
    for part, attribute, key in context.element_keys():
        if not context.hears(part, attribute) or part.kind in ("DrawPile", "DeckSendKeyCommand"):
            found.add(stroke(key))
    return found


def unread(context: Examination) -> Iterator[LintFinding]:
    """Keystrokes that VASSAL cannot read (`VASSAL.configure.NamedHotKeyConfigurer`), and so never hears."""
    for part in context.module.parts:
        for name, value in part.attributes.items():
            if name in (*HEARS, "moveKey") and "," in value and read_key(value) is None:
                yield context.at("unheard-key", part, "unread", key=value[:40], name=name)


CHECKS: Final = (to_itself, to_others, in_vain, never_pressed, unread)
