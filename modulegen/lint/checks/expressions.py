"""Rules about expressions: they parse, call functions that are there, name properties that something gives, and are
read in a reasonable time."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import fields
from typing import Any, Final

from hexforge.modulegen.lint import roles
from hexforge.modulegen.lint.context import Examination, is_computed
from hexforge.modulegen.lint.expressions import Reading, in_format, looks_computed, read, unclosed
from hexforge.modulegen.lint.finding import LintFinding
from hexforge.modulegen.lint.functions import ARGUMENTS, COMMANDS
from hexforge.modulegen.lint.known import EXPRESSIONS
from hexforge.modulegen.lint.parts import ElementPart
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.sequence import decode

DOUBLINGS: Final = 7
"""A hundred and twenty-eight times as long as need be, at each reading."""
_FORMATS: Final[dict[type[t.Trait], tuple[str, ...]]] = {
    t.ReportState: ("format", "cycle_formats"),
    t.Labeler: ("name_format",),
}
_COMPUTES = re.compile(r"[\"+?]|==|&&|\|\|")
_WORDS: Final = ("description", "text", "shape", "definition", "marker")
"""Fields whose braces are none of an expression's."""
_RULES: Final = {"deck": ("missing-deck", "says"), "side": ("unknown-side", "says")}
"""By what is named: the rule and the words, where they are not those of a place."""
Said = tuple[str, dict[str, Any], str]


def in_traits(context: Examination) -> Iterator[LintFinding]:
    """Expressions of pieces and prototypes."""
    parameters = {name for trait, _ in context.all_traits() for name in _parameters(trait)}
    for definition, number, trait, _ in context.traits():
        local = parameters | _local(trait)
        for text, reading in _read_in(trait):
            for rule, values, says in _judged(context, text, reading, local):
                yield context.on(rule, definition, number, says, **values)
        for text in _formats(trait):
            if (name := unclosed(text)) and context.is_property(name):
                yield context.on("expression-error", definition, number, "unclosed", text=text, name=name)
        for text in _unpaired(trait):
            yield context.on("expression-error", definition, number, "unpaired", text=" ".join(text.split()))
        if isinstance(trait, t.CalculatedProperty) and looks_computed(trait.expression):
            shown = " ".join(trait.expression.split())
            yield context.on("expression-error", definition, number, "braces", text=shown)
        for wanted in _named(trait):
            if _unknown(context, wanted, local):
                yield context.on("unknown-property", definition, number, name=wanted)


def _unpaired(trait: t.Trait) -> Iterator[str]:
    """Expressions and formats with a brace at one end alone: VASSAL takes them for plain words."""
    for name in roles.EXPRESSIONS.get(type(trait), ()):
        text = getattr(trait, name)
        if isinstance(text, str) and is_unpaired(text) and not text.strip().startswith("{"):
            yield text
    for text in _formats(trait):
        if is_unpaired(text) and "$" not in text and _COMPUTES.search(text):
            yield text


def _formats(trait: t.Trait) -> Iterator[str]:
    for name in _FORMATS.get(type(trait), ()):
        value = getattr(trait, name)
        yield from value if isinstance(value, tuple) else (value,)


def is_unpaired(text: str) -> bool:
    """Whether a brace stands at the beginning or at the end alone, and none within pairs with it."""
    stripped = text.strip()
    return bool(stripped) and (stripped[0] == "{") != (stripped[-1] == "}") and text.count("{") != text.count("}")


def _read_in(trait: t.Trait) -> Iterator[tuple[str, Reading]]:
    """All that is computed for a trait: expressions, formats, and whatever else stands in braces."""
    expressions, formats = roles.EXPRESSIONS.get(type(trait), ()), _FORMATS.get(type(trait), ())
    for name in (f.name for f in fields(trait)):
        value = getattr(trait, name)
        texts = value if isinstance(value, tuple) and not isinstance(value, t.Key) else (value,)
        for text in texts:
            if not isinstance(text, str) or not text.strip() or name in _WORDS:
                continue
            if name in expressions:
                plain = isinstance(trait, t.CalculatedProperty) and not text.strip().startswith("{")
                yield text, in_format(text) if plain else read(text)
            elif name in formats:
                yield text, in_format(text)
            elif name in ("target", "parameters"):
                yield from _in_list(text, "|" if name == "target" else ",")
            elif braced(text):
                yield text, read(text)
    if isinstance(trait, t.DynamicProperty | t.SetGlobalProperty | t.SetPieceProperty):
        for value in (command.change.value for command in trait.commands):
            if value.strip().startswith("{"):
                yield value, read(value)
    elif isinstance(trait, t.UsePrototype):
        yield from ((value, read(value)) for _, value in trait.parameters if braced(value))


def _in_list(text: str, separator: str) -> Iterator[tuple[str, Reading]]:
    """Expressions in a list, by themselves or behind a name (`ParameterListConfigurer`)."""
    for entry in decode(text, separator):
        value = entry[entry.find("{") :] if "{" in entry else ""
        if braced(value):
            yield value, read(value)


def braced(text: str) -> bool:
    """Whether VASSAL takes a text for an expression of BeanShell's (`Expression.createExpression`)."""
    stripped = text.strip()
    return len(stripped) > 1 and stripped[0] == "{" and stripped[-1] == "}"


def in_elements(context: Examination) -> Iterator[LintFinding]:
    """Expressions of the elements themselves."""
    for part in context.module.parts:
        for name in EXPRESSIONS.get(part.kind, ()):
            text = part.attributes.get(name, "")
            if is_unpaired(text) and not text.strip().startswith("{"):
                yield context.at("expression-error", part, "unpaired", text=" ".join(text.split()))
        for name, text in part.attributes.items():
            if is_format(name) and (wanted := unclosed(text)) and context.is_property(wanted):
                yield context.at("expression-error", part, "unclosed", text=text, name=wanted)
        for text, reading in _read_of(part):
            for rule, values, says in _judged(context, text, reading, set()):
                yield context.at(rule, part, says, **values)


def _read_of(part: ElementPart) -> Iterator[tuple[str, Reading]]:
    for name, text in part.attributes.items():
        if not text.strip() or name in ("description", "desc", "note"):
            continue
        if name in EXPRESSIONS.get(part.kind, ()):
            yield text, read(text)
        elif name == "countExpressions":
            counted = (entry.partition(":")[2].strip() for entry in decode(text, ","))
            yield from ((one, read(one)) for one in counted if one.startswith("{"))
        elif name == "propChanger":
            yield from _in_change(text)
        elif name in ("target", "parameters"):
            yield from _in_list(text, "|" if name == "target" else ",")
        elif is_format(name):
            yield text, in_format(text)
        elif braced(text):
            yield text, read(text)


def _in_change(text: str) -> Iterator[tuple[str, Reading]]:
    """Expressions in what a button does; choices are a list of their own (`PropertyChangerConfigurer`)."""
    kind, *rest = decode(text, ",")
    for value in rest:
        for one in decode(value, ",") if kind == "E" else (value,):
            if braced(one):
                yield one, read(one)


def is_format(name: str) -> bool:
    """Whether an attribute holds a message in which `$name$` is replaced."""
    return name.lower().endswith("format") or name in ("report", "reshuffleMessage", "emptyHexReportForma")


def _judged(context: Examination, text: str, reading: Reading, local: set[str]) -> Iterator[Said]:
    shown = " ".join(text.split())
    if reading.fault is not None:
        if reading.fault:
            yield "expression-error", {"text": shown, "near": reading.fault}, "says"
        else:
            yield "expression-error", {"text": shown}, "ends"
    if reading.old:
        yield "expression-error", {"text": shown}, "old"
    if reading.quoted:
        yield "expression-error", {"text": shown}, "quoted"
    for kind, name in sorted(reading.places) if not (context.custom or context.module.open_ended) else ():
        if not is_computed(name) and "_x_" not in name and name not in _there(context, kind):
            rule, says = _RULES.get(kind, ("missing-place", kind))
            yield rule, {"name": name}, says
    if reading.doublings >= DOUBLINGS:
        yield "slow-expression", {"text": shown, "count": reading.doublings}, "says"
    for name, given in sorted(reading.calls) if not context.scripted else ():
        if name not in ARGUMENTS and name not in COMMANDS:
            yield "expression-error", {"text": shown, "name": name}, "function"
        elif name in ARGUMENTS and given not in ARGUMENTS[name]:
            yield "expression-error", {"text": shown, "name": name, "count": given}, "arguments"
    for name in sorted(reading.names):
        if _unknown(context, name, local):
            yield "unknown-property", {"name": name}, "says"


def _there(context: Examination, kind: str) -> Container[str]:
    there: dict[str, Container[str]] = {
        "map": context.maps,
        "board": set().union(*context.maps.values()),
        "zone": context.zones,
        "deck": context.decks,
        "side": context.sides,
    }
    return there[kind]


def _unknown(context: Examination, name: str, local: set[str]) -> bool:
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
