"""Rules about keystrokes: sent and not heard, heard and not sent, meant for two things, never told in the chat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final, TypeGuard

from hexforge.modulegen.lint import roles
from hexforge.modulegen.lint.context import Context, Stroke, is_computed, stroke
from hexforge.modulegen.lint.finding import Finding
from hexforge.modulegen.lint.known import COMMANDS, STANDARD_KEYS
from hexforge.modulegen.lint.parts import MAPS, MAX_EXPANDED, Placed
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.sequence import decode
from hexforge.modulegen.vassal.traits.keys import Key, read_key


def to_itself(context: Context) -> Iterator[Finding]:
    """Keystrokes that a piece sends to itself, and no piece with this trait hears."""
    deaf: dict[tuple[object, ...], tuple[Placed, str, bool]] = {}
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


def _hears(placed: list[Placed]) -> set[Stroke | None]:
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


def to_others(context: Context) -> Iterator[Finding]:
    """Keystrokes that are sent to pieces or to buttons, and none hears."""
    if context.module.open_ended:
        return
    pieces, elements = context.heard_by_pieces, context.heard_by_elements
    # Code of a module's own may hear what is sent to buttons.
    code = context.custom
    for definition, number, trait, _ in context.traits():
        if (
            isinstance(trait, t.GlobalCommand)
            and _named(trait.global_key)
            and stroke(trait.global_key) not in pieces
        ):
            yield context.on("unheard-key", definition, number, "pieces", key=trait.global_key.label)
        elif (
            isinstance(trait, t.GlobalHotKey)
            and not code
            and _named(trait.hotkey)
            and stroke(trait.hotkey) not in elements
        ):
            yield context.on("unheard-key", definition, number, "buttons", key=trait.hotkey.label)
        elif isinstance(trait, t.PlaceMarker) and _named(trait.after_key) and stroke(trait.after_key) not in pieces:
            yield context.on("unheard-key", definition, number, "pieces", key=trait.after_key.label)
    for part in context.module.parts:
        for name, key in _sent(part.kind, part.attributes):
            if not _named(key):
                continue
            if name == "piece" and stroke(key) not in pieces:
                yield context.at("unheard-key", part, "pieces", key=key.label)
            elif name == "button" and not code and stroke(key) not in elements:
                yield context.at("unheard-key", part, "buttons", key=key.label)


def _named(key: Key | None) -> TypeGuard[Key]:
    return key is not None and bool(key.name) and not is_computed(key.name)


def _sent(kind: str, attributes: dict[str, str]) -> Iterator[tuple[str, Key]]:
    """What an element sends: to pieces or to buttons."""
    pairs: list[tuple[str, str]] = []
    if kind in COMMANDS and kind != "DeckGlobalKeyCommand":
        hot = attributes.get("hotkeyOrKeyCommand") == "sendHotkey"
        pairs.append(("button", "globalHotkey") if hot else ("piece", "hotkey"))
    elif kind in MAPS:
        pairs.append(("piece", "moveKey"))
    elif kind in ("DoActionButton", "SpecialDiceButton") and attributes.get("doHotkey") == "true":
        pairs.append(("button", "hotkeys"))
    elif kind == "TurnGlobalHotkey":
        pairs.append(("button", "hotkey"))
    elif kind == "DrawPile" and attributes.get("hotkeyOnEmpty") == "true":
        pairs.append(("button", "emptyHotkey"))
    for to, name in pairs:
        value = attributes.get(name, "")
        for text in decode(value, ",") if name == "hotkeys" else (value,):
            if "," in text and (key := read_key(text)) is not None:
                yield to, key


def never_pressed(context: Context) -> Iterator[Finding]:
    """Commands with a named keystroke, no entry in a menu, and nothing that sends it."""
    if context.custom or context.module.extension:
        return
    sent = _all_sent(context)
    for definition, number, trait, _ in context.traits():
        if isinstance(trait, t.TriggerAction) and not trait.key and not trait.watch and trait.actions:
            yield context.on("idle-trigger", definition, number, name=trait.name or trait.menu)
            continue
        for key, menu in roles.heard(trait):
            if key.name and not menu and not is_computed(key.name) and key.name not in sent:
                yield context.on("hidden-command", definition, number, key=key.name)


def _all_sent(context: Context) -> set[Stroke]:
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


def loops(context: Context) -> Iterator[Finding]:
    """Triggers that send what starts them, by themselves or in a circle, without any condition."""
    for _, placed in context.expanded:
        sends: dict[Stroke, list[tuple[Placed, t.TriggerAction]]] = defaultdict(list)
        for p in placed:
            if isinstance(p.trait, t.TriggerAction) and not p.trait.condition:
                for key in roles.keys_of(p.trait, ("key", "watch")):
                    sends[stroke(key)].append((p, p.trait))
        for start, starters in sends.items():
            if _comes_back(start, sends):
                p, trait = starters[0]
                label = next(k.label for k in roles.keys_of(trait, ("key", "watch")) if stroke(k) == start)
                yield context.on("key-loop", p.source, p, key=label)


def _comes_back(start: Stroke, sends: dict[Stroke, list[tuple[Placed, t.TriggerAction]]]) -> bool:
    waiting, seen = [start], set[Stroke]()
    while waiting:
        for _, trait in sends.get(waiting.pop(), ()):
            for key in roles.keys_of(trait, ("actions",)):
                following = stroke(key)
                if following == start:
                    return True
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
    return False


def clashes(context: Context) -> Iterator[Finding]:
    """One keystroke with two entries of different names in the menu of a piece."""
    told: set[tuple[object, ...]] = set()
    for _, placed in context.expanded:
        seen: dict[Stroke, tuple[Placed, str]] = {}
        for p in placed:
            if isinstance(p.trait, t.ActionButton | t.ReportState):
                continue
            for key, menu in roles.heard(p.trait):
                name = stroke(key)
                if not menu:
                    continue
                first, other = seen.setdefault(name, (p, menu))
                if other != menu and first.place != p.place and (*p.place, name) not in told:
                    told.add((*p.place, name))
                    yield context.on("key-clash", p.source, p, key=key.label, menu=menu, other=other)


def reports(context: Context) -> Iterator[Finding]:
    """Entries of a menu by which a player changes a piece, and none of its traits tells the others."""
    silent: dict[tuple[object, ...], tuple[Placed, str, str, bool]] = {}
    for _, placed in context.expanded:
        told = _told(placed)
        unsure = any(isinstance(p.trait, t.UnknownTrait) for p in placed) or any(
            isinstance(p.trait, t.UsePrototype) and p.trait.name not in context.module.prototypes for p in placed
        )
        for p in placed:
            if not isinstance(p.trait, t.Layer | t.Replace):
                continue
            for key, menu in roles.heard(p.trait):
                missing = bool(menu) and stroke(key) not in told and not unsure
                before = silent.get((*p.place, menu))
                silent[*p.place, menu] = (p, key.label, menu, missing and (before is None or before[3]))
    for p, label, menu, missing in silent.values():
        if missing:
            yield context.on("missing-report", p.source, p, key=label, menu=menu)


def _told(placed: list[Placed]) -> set[Stroke]:
    """The keystrokes that a piece reports, or that send one which it reports."""
    found: set[Stroke] = set()
    triggers: list[t.TriggerAction] = []
    for p in placed:
        if isinstance(p.trait, t.ReportState):
            found |= {stroke(key) for key in (*p.trait.keys, *p.trait.cycle_down_keys)}
        elif isinstance(p.trait, t.TriggerAction):
            triggers.append(p.trait)
    for _ in triggers[:20]:
        before = len(found)
        for trait in triggers:
            if any(stroke(key) in found for key in roles.keys_of(trait, ("actions",))):
                found |= {stroke(key) for key in roles.keys_of(trait, ("key", "watch"))}
        if len(found) == before:
            break
    return found


def moved(context: Context) -> Iterator[Finding]:
    """Marks of pieces that have moved, and no way to take them off all at once."""
    marks = [(d, n, x) for d, n, x, _ in context.traits() if isinstance(x, t.MovementMarkable)]
    maps = list(context.module.everywhere("Map"))
    if not marks or not maps or context.module.extension:
        return
    sent = _all_sent_to_pieces(context)
    keys = {stroke(key) for _, _, trait in marks for key in roles.keys_of(trait, ("key", "key_off"))}
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


def _all_sent_to_pieces(context: Context) -> set[Stroke]:
    found = {
        stroke(x.global_key) for x, _ in context.all_traits() if isinstance(x, t.GlobalCommand) and x.global_key
    }
    for part in context.module.everywhere(*COMMANDS):
        found |= {stroke(key) for to, key in _sent(part.kind, part.attributes) if to == "piece"}
    return found


def standard(context: Context) -> Iterator[Finding]:
    """Buttons on keystrokes that VASSAL's own menus have."""
    for part, name, key in context.element_keys(own=True):
        if not key.name and context.hears(part, name) and (taken := STANDARD_KEYS.get(stroke(key))):
            yield context.at("key-clash", part, "standard", key=key.label, other=taken)


CHECKS: Final = (to_itself, to_others, never_pressed, loops, clashes, reports, moved, standard)
