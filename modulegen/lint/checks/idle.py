"""Rules about parts that can do nothing: dice without faces, pages without a file, areas of no size.

Sources: `VASSAL.build.module.DiceButton` (which draws from as many numbers as there are sides),
`SpecialDiceButton`, `VASSAL.build.module.map.SetupStack`, `VASSAL.counters.ActionButton`, `Embellishment`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hexforge.modulegen.lint.context import Examination
from hexforge.modulegen.lint.finding import LintFinding
from hexforge.modulegen.lint.parts import SLOTS
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.traits.base import PropertyCommand

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
            yield context.on("idle-trigger", definition, number, "never", name=_name(trait))
        if isinstance(trait, _NAMED) and not trait.name.strip() and (_commands(trait) or trait.ID == _COMPUTED):
            yield context.on("idle-part", definition, number, "no-name")
        for command in _commands(trait):
            if command.change.how == "E" and not any(command.change.choices) and _is_pressed(command):
                yield context.on("idle-part", definition, number, "no-choice", name=command.name or _name(trait))


def _never_runs(trait: t.Trait) -> bool:
    if not isinstance(trait, t.TriggerAction) or not trait.loop:
        return False
    return trait.loop_kind == "counted" and trait.loop_count.strip() == "0"


def _commands(trait: t.Trait) -> tuple[PropertyCommand, ...]:
    if isinstance(trait, t.DynamicProperty | t.SetGlobalProperty | t.SetPieceProperty):
        return trait.commands
    return ()


def _name(trait: t.Trait) -> str:
    return str(getattr(trait, "name", "") or getattr(trait, "menu", ""))


def _is_pressed(command: PropertyCommand) -> bool:
    return command.key is not None and bool(command.key.name or command.key.code)


def _has_size(trait: t.ActionButton) -> bool:
    return len(trait.polygon) > 2 or (trait.width > 0 and trait.height > 0)


CHECKS: Final = (dice, pages, decks, traits)
