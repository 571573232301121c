"""Rules about keystrokes that mean two things at once.

Rules about keystrokes: sent and not heard, heard and not sent, sent in a circle.

Rules about keystrokes that come back to what sent them: VASSAL stops such circles with an error.

Sources: `VASSAL.tools.RecursionLimiter`, `VASSAL.counters.TriggerAction`, `VASSAL.counters.GlobalCommand` (which
sends to the piece that it stands on too), `VASSAL.build.module.DoActionButton`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ...scenarios.console import alike
from ..vassal import traits
from ..vassal.encoding import decode
from ..vassal.traits.base import Key, read_key
from . import parts as roles
from .context import Examination, Stroke, is_computed, stroke
from .finding import LintFinding
from .known import COMMANDS, HEARS, SENT_BEFORE_AND_AFTER, STANDARD_KEYS, TOOLBAR
from .parts import MAPS, MAX_EXPANDED, ElementPart, PlacedTrait


def in_menus(context: Examination) -> Iterator[LintFinding]:
    """One keystroke with two entries of different names in the menu of a piece."""
    told: set[tuple[object, ...]] = set()
    for _, placed in context.expanded:
        seen: dict[Stroke, str] = {}
        for p in placed:
            if isinstance(p.trait, traits.ActionButton | traits.ReportState):
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


CLASH_CHECKS: Final = (in_menus, of_buttons, with_pieces, of_decks, standard)


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
        if isinstance(p.trait, traits.ReportState):
            found.update(stroke(key) for key in (*p.trait.keys, *p.trait.cycle_down_keys))
        elif isinstance(p.trait, (traits.UnknownTrait, traits.MultiLocationCommand, *traits.VASL_TRAITS)):
            found.add(None)
    if len(placed) >= MAX_EXPANDED:
        found.add(None)
    return found


def to_others(context: Examination) -> Iterator[LintFinding]:
    """Keystrokes that are sent to pieces or to buttons, and none hears."""
    if context.module.open_ended:
        return
    for definition, number, trait, _ in context.traits():
        if isinstance(trait, traits.GlobalCommand | traits.PlaceMarker):
            key = trait.global_key if isinstance(trait, traits.GlobalCommand) else trait.after_key
            if key is not None and _moves_nothing(context, key):
                yield context.on("unheard-key", definition, number, "pieces", key=key.label)
        elif isinstance(trait, traits.GlobalHotKey) and trait.hotkey and _presses_nothing(context, trait.hotkey):
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
            if not isinstance(p.trait, traits.ReportState | traits.RestrictCommands):
                continue
            report = isinstance(p.trait, traits.ReportState)
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


def _unclear(context: Examination, trait: traits.Trait) -> bool:
    """Whether a trait may hear what cannot be seen here."""
    if isinstance(trait, traits.UsePrototype):
        return trait.name not in context.module.prototypes
    return isinstance(trait, (traits.UnknownTrait, traits.MultiLocationCommand, *traits.VASL_TRAITS))


def never_pressed(context: Examination) -> Iterator[LintFinding]:
    """Commands with a named keystroke, no entry in a menu, and nothing that sends it."""
    if context.custom or context.module.extension:
        return
    sent = _allsent_by(context)
    lost = [name for name in sent - context.heard_by_pieces if isinstance(name, str)][:_MOST_LOST]
    for definition, number, trait, _ in context.traits():
        if isinstance(trait, traits.TriggerAction) and not trait.key and not trait.watch and trait.actions:
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
        if isinstance(trait, traits.MultiLocationCommand) and trait.key:
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


KEY_CHECKS: Final = (to_itself, to_others, in_vain, never_pressed, unread)


_BUTTONS: Final = ("DoActionButton", "GlobalKeyCommand", "MassKeyCommand")


def of_pieces(context: Examination) -> Iterator[LintFinding]:
    """Triggers and commands that send what starts them, by themselves or in a circle, without any condition."""
    for _, placed in context.expanded:
        gone = {
            stroke(p.trait.key)
            for p in placed
            if isinstance(p.trait, traits.Delete | traits.Replace) and p.trait.key
        }
        # A command that is restricted may well end the circle.
        gone |= {
            stroke(key) for p in placed if isinstance(p.trait, traits.RestrictCommands) for key in p.trait.keys
        }
        starters: dict[Stroke, list[tuple[PlacedTrait, Key]]] = defaultdict(list)
        sends: dict[Stroke, set[Stroke]] = defaultdict(set)
        for p in placed:
            for key, sent in _passes_on(p.trait):
                starters[stroke(key)].append((p, key))
                sends[stroke(key)] |= {stroke(one) for one in sent}
        for start, (first, *_) in starters.items():
            # What is deleted or replaced by the key sends nothing more (`TriggerAction.doLoopOnce`).
            if start not in gone and _comes_back(start, sends, gone):
                p, key = first
                yield context.on("key-loop", p.source, p, key=key.label)


def _passes_on(trait: traits.Trait) -> Iterator[tuple[Key, list[Key]]]:
    """What a trait sends its piece whenever it hears a key."""
    if isinstance(trait, traits.TriggerAction) and not trait.condition:
        sent = list(roles.keys_of(trait, ("actions",)))
        yield from ((key, sent) for key in roles.keys_of(trait, ("key", "watch")))
    elif isinstance(trait, traits.GlobalCommand) and not trait.matching.strip() and not _is_narrowed(trait.target):
        sent = list(roles.keys_of(trait, ("global_key",)))
        yield from ((key, sent) for key in roles.keys_of(trait, ("key",)))


def _is_narrowed(target: str) -> bool:
    return [*decode(target, "|"), "", ""][1] == "true"


def _comes_back(start: Stroke, sends: Mapping[Stroke, set[Stroke]], gone: Iterable[Stroke] = ()) -> bool:
    waiting, seen = [start], set[Stroke](gone)
    while waiting:
        for following in sends.get(waiting.pop(), ()):
            if following == start:
                return True
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return False


def endless(context: Examination) -> Iterator[LintFinding]:
    """Triggers that repeat while nothing is asked."""
    for definition, number, trait, _ in context.traits():
        repeats = isinstance(trait, traits.TriggerAction) and trait.loop and trait.loop_kind == "while"
        if repeats and isinstance(trait, traits.TriggerAction) and not trait.loop_while.strip("{} "):
            yield context.on("key-loop", definition, number, "while", name=trait.name or trait.menu)


def loops_of_buttons(context: Examination) -> Iterator[LintFinding]:
    """Buttons that press themselves, or each other in a circle."""
    pressed: dict[Stroke, ElementPart] = {}
    sends: dict[Stroke, set[Stroke]] = defaultdict(set)
    for part, name, key in context.element_keys(own=True):
        if part.kind in _BUTTONS and context.hears(part, name) and not part.get("propertyGate"):
            pressed.setdefault(stroke(key), part)
            sent = {stroke(one) for to, one in sent_by(part.kind, part.attributes) if to == "button"}
            sends[stroke(key)] |= sent if part.get("doLoop") != "true" else set()
    for start, part in pressed.items():
        if _comes_back(start, sends):
            yield context.at("key-loop", part, "button", name=part.name)


LOOP_CHECKS: Final = (of_pieces, endless, loops_of_buttons)
