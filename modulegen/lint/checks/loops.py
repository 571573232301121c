"""Rules about keystrokes that come back to what sent them: VASSAL stops such circles with an error.

Sources: `VASSAL.tools.RecursionLimiter`, `VASSAL.counters.TriggerAction`, `VASSAL.counters.GlobalCommand` (which
sends to the piece that it stands on too), `VASSAL.build.module.DoActionButton`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from hexforge.modulegen.lint import roles
from hexforge.modulegen.lint.checks.keys import sent_by
from hexforge.modulegen.lint.context import Examination, Stroke, stroke
from hexforge.modulegen.lint.finding import LintFinding
from hexforge.modulegen.lint.parts import ElementPart, PlacedTrait
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.sequence import decode
from hexforge.modulegen.vassal.traits.keys import Key

_BUTTONS: Final = ("DoActionButton", "GlobalKeyCommand", "MassKeyCommand")


def of_pieces(context: Examination) -> Iterator[LintFinding]:
    """Triggers and commands that send what starts them, by themselves or in a circle, without any condition."""
    for _, placed in context.expanded:
        gone = {stroke(p.trait.key) for p in placed if isinstance(p.trait, t.Delete | t.Replace) and p.trait.key}
        # A command that is restricted may well end the circle.
        gone |= {stroke(key) for p in placed if isinstance(p.trait, t.RestrictCommands) for key in p.trait.keys}
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


def _passes_on(trait: t.Trait) -> Iterator[tuple[Key, list[Key]]]:
    """What a trait sends its piece whenever it hears a key."""
    if isinstance(trait, t.TriggerAction) and not trait.condition:
        sent = list(roles.keys_of(trait, ("actions",)))
        yield from ((key, sent) for key in roles.keys_of(trait, ("key", "watch")))
    elif isinstance(trait, t.GlobalCommand) and not trait.matching.strip() and not _is_narrowed(trait.target):
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
        repeats = isinstance(trait, t.TriggerAction) and trait.loop and trait.loop_kind == "while"
        if repeats and isinstance(trait, t.TriggerAction) and not trait.loop_while.strip("{} "):
            yield context.on("key-loop", definition, number, "while", name=trait.name or trait.menu)


def of_buttons(context: Examination) -> Iterator[LintFinding]:
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


CHECKS: Final = (of_pieces, endless, of_buttons)
