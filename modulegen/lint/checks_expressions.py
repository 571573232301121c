"""Rules about expressions: they parse, name properties that something gives, and are read in a reasonable time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from hexforge.modulegen.lint import roles
from hexforge.modulegen.lint.context import Context, is_computed
from hexforge.modulegen.lint.expressions import Reading, in_format, read
from hexforge.modulegen.lint.finding import Finding
from hexforge.modulegen.lint.known import EXPRESSIONS
from hexforge.modulegen.vassal import traits as t

DOUBLINGS: Final = 7
"""A hundred and twenty-eight times as long as need be, at each reading."""
_FORMATS: Final[dict[type[t.Trait], tuple[str, ...]]] = {
    t.ReportState: ("format",),
    t.Labeler: ("name_format",),
}
Said = tuple[str, dict[str, Any], str]


def in_traits(context: Context) -> Iterator[Finding]:
    """Expressions of pieces and prototypes."""
    parameters = {name for trait, _ in context.all_traits() for name in _parameters(trait)}
    for definition, number, trait, _ in context.traits():
        local = parameters | _local(trait)
        for name in roles.EXPRESSIONS.get(type(trait), ()):
            text = getattr(trait, name)
            if isinstance(text, str) and text.strip():
                for rule, values, says in _judged(context, text, read(text), local):
                    yield context.on(rule, definition, number, says, **values)
        for name in _FORMATS.get(type(trait), ()):
            for rule, values, says in _judged(
                context, getattr(trait, name), in_format(getattr(trait, name)), local
            ):
                yield context.on(rule, definition, number, says, **values)
        for wanted in _named(trait):
            if _unknown(context, wanted, local):
                yield context.on("unknown-property", definition, number, name=wanted)
        if isinstance(trait, t.DynamicProperty | t.SetGlobalProperty | t.SetPieceProperty):
            for command in trait.commands:
                value = command.change.value
                if value.strip().startswith("{"):
                    for rule, values, says in _judged(context, value, read(value), local):
                        yield context.on(rule, definition, number, says, **values)


def in_elements(context: Context) -> Iterator[Finding]:
    """Expressions of the elements themselves."""
    for part in context.module.parts:
        for name in EXPRESSIONS.get(part.kind, ()):
            text = part.attributes.get(name, "")
            if text.strip():
                for rule, values, says in _judged(context, text, read(text), set()):
                    yield context.at(rule, part, says, **values)


def _judged(context: Context, text: str, reading: Reading, local: set[str]) -> Iterator[Said]:
    shown = " ".join(text.split())
    if reading.fault is not None:
        if reading.fault:
            yield "expression-error", {"text": shown, "near": reading.fault}, "says"
        else:
            yield "expression-error", {"text": shown}, "ends"
    if reading.doublings >= DOUBLINGS:
        yield "slow-expression", {"text": shown, "count": reading.doublings}, "says"
    for name in sorted(reading.names):
        if _unknown(context, name, local):
            yield "unknown-property", {"name": name}, "says"


def _unknown(context: Context, name: str, local: set[str]) -> bool:
    if context.custom or context.module.open_ended or is_computed(name) or not name.strip():
        return False
    return name not in local and not context.is_property(name)


def _local(trait: t.Trait) -> set[str]:
    """Names that hold within one trait alone."""
    if isinstance(trait, t.TriggerAction):
        return {trait.index_property}
    return {trait.property_name} if isinstance(trait, t.Labeler) else set()


def _parameters(trait: t.Trait) -> set[str]:
    """Names under which values are passed on."""
    if isinstance(trait, t.UsePrototype):
        return {name for name, _ in trait.parameters}
    if isinstance(trait, t.GlobalCommand | t.PlaceMarker):
        return roles.passed(trait.parameters)
    return set()


def _named(trait: t.Trait) -> Iterator[str]:
    """Properties that a trait names outright."""
    if isinstance(trait, t.Layer) and trait.follow and not trait.property_name.strip().startswith("{"):
        yield trait.property_name
    elif isinstance(trait, t.BorderOutline):
        yield trait.property_name
        yield trait.second_property
    elif isinstance(trait, t.SetGlobalProperty | t.SetPieceProperty) and any(c.key for c in trait.commands):
        yield trait.name
    elif (
        isinstance(trait, t.GlobalCommand | t.SetPieceProperty) and trait.within_range and not trait.fixed_distance
    ):
        yield trait.distance_property


CHECKS: Final = (in_traits, in_elements)
