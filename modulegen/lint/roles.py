"""What the fields of traits mean: keystrokes heard and sent, pictures, expressions, menus, properties given.

Sources: `myGetKeyCommands`, `myKeyEvent`, `getPropertyNames` and `getExpressionList` of the classes in
`VASSAL.counters`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.sequence import decode
from hexforge.modulegen.vassal.traits.keys import Key, read_key
from hexforge.modulegen.vassal.traits.looks import OldNonRectangular

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


def keys_of(trait: t.Trait, fields: tuple[str, ...]) -> Iterator[Key]:
    """The keystrokes in some fields, those that do nothing left out."""
    for name in fields:
        value = getattr(trait, name)
        for key in value if isinstance(value, tuple) and not isinstance(value, Key) else (value,):
            if isinstance(key, Key) and (key.name or key.code):
                yield key


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


def menus(trait: t.Trait) -> set[str]:
    """All names that a trait's entries have in the menu of its piece."""
    fields = (
        "menu menu2 menu_on menu_off back_menu attach_menu clear_menu clear_matching_menu activate_menu"
        " increase_menu decrease_menu reset_menu random_menu clockwise_menu counter_menu direct_menu peek_menu"
    )
    found = {getattr(trait, name, "") for name in fields.split()}
    if isinstance(trait, t.DynamicProperty | t.SetGlobalProperty | t.SetPieceProperty):
        found |= {command.name for command in trait.commands}
    return {name for name in found if isinstance(name, str) and name}


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
