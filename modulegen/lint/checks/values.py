"""Rules about values: bounds that leave none, properties that need themselves, levels of turns that never advance.

Sources: `VASSAL.build.module.properties.IncrementProperty`, `VASSAL.counters.CalculatedProperty`,
`VASSAL.script.ExpressionInterpreter` (which fetches every name of an expression before it computes anything),
`VASSAL.build.module.turn.CounterTurnLevel`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from hexforge.modulegen.lint import roles
from hexforge.modulegen.lint.checks.expressions import braced
from hexforge.modulegen.lint.context import Examination, is_computed, stroke
from hexforge.modulegen.lint.expressions import Bad, tokens
from hexforge.modulegen.lint.finding import LintFinding
from hexforge.modulegen.lint.parts import ElementPart, PlacedTrait
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.sequence import decode
from hexforge.modulegen.vassal.traits.base import Limits

_WHOLE = re.compile(r"[+-]?\d{1,9}")
_LIMITED: Final = (t.DynamicProperty, t.SetGlobalProperty, t.SetPieceProperty)
_BOUNDED: Final = ("I", "R")
"""Changes that VASSAL presses between the bounds: sums, and numbers that players type."""
_MOST_NAMES: Final = 200


def limits(context: Examination) -> Iterator[LintFinding]:
    """Numeric properties whose bounds leave no number, or do not hold what they begin with."""
    for definition, number, trait, state in context.traits():
        if not isinstance(trait, _LIMITED) or not trait.limits.numeric:
            continue
        # What is set or chosen is taken as it stands, whatever the bounds.
        bounded = any(command.change.how in _BOUNDED for command in trait.commands)
        if not bounded or (isinstance(trait, t.SetPieceProperty) and not trait.own_limits):
            continue
        start = state if isinstance(trait, t.DynamicProperty) else ""
        for says, values in _beyond(trait.limits, start):
            yield context.on("value-range", definition, number, says, name=trait.name, **values)
    for part in context.module.all("GlobalProperty", "ZoneProperty"):
        lowest, highest = (_number(part.get(n), d) for n, d in (("min", 0), ("max", 100)))
        if part.get("isNumeric") != "true" or lowest is None or highest is None:
            continue
        start = part.get("initialValue") if any(c.kind == "ChangePropertyButton" for c in part.children) else ""
        for says, values in _beyond(Limits(True, lowest, highest), start):
            yield context.at("value-range", part, says, name=part.get("name"), **values)


def _beyond(bounds: Limits, start: str) -> Iterator[tuple[str, dict[str, Any]]]:
    lowest, highest = bounds.lowest, bounds.highest
    if lowest > highest:
        yield "says", {"lowest": lowest, "highest": highest}
    elif start and not is_computed(start) and (first := _number(start)) is None:
        yield "no-number", {"start": start[:40]}
    elif start and not is_computed(start) and not lowest <= (first or 0) <= highest:
        yield "start", {"start": start, "lowest": lowest, "highest": highest}


def _number(text: str, absent: int | None = None) -> int | None:
    if not text.strip():
        return absent
    return int(text) if _WHOLE.fullmatch(text.strip()) else None


def circles(context: Examination) -> Iterator[LintFinding]:
    """Calculated properties that need themselves: VASSAL fetches every name that an expression has, used or not."""
    told: set[tuple[object, ...]] = set()
    for _, placed in context.expanded:
        needs: dict[str, tuple[PlacedTrait, set[str]]] = {}
        given: set[str] = set()
        for p in placed:
            if isinstance(p.trait, t.CalculatedProperty) and p.trait.name not in given:
                needs.setdefault(p.trait.name, (p, _needed(p.trait.expression)))
            # What stands further out answers first.
            given |= roles.given(p.trait, p.state)
        for name, (p, _) in needs.items():
            if p.place not in told and _needs_itself(name, needs):
                told.add(p.place)
                yield context.on("property-circle", p.source, p, name=name)


def _needed(expression: str) -> set[str]:
    if not braced(expression):
        return set()
    try:
        return {token.value for token in tokens(expression.strip()[1:-1]) if token.type == "NAME"}
    except (Bad, RecursionError):
        return set()


def _needs_itself(name: str, needs: dict[str, tuple[PlacedTrait, set[str]]]) -> bool:
    waiting, seen = [name], set[str]()
    while waiting and len(seen) < _MOST_NAMES:
        for other in needs[waiting.pop()][1]:
            if other == name:
                return True
            if other in needs and other not in seen:
                seen.add(other)
                waiting.append(other)
    return False


def turns(context: Examination) -> Iterator[LintFinding]:
    """Levels of a turn tracker that stay where they begin."""
    for part in context.module.all("CounterTurnLevel"):
        start, step, limit = (_number(part.get(n), d) for n, d in (("start", 1), ("incr", 1), ("loopLimit", -1)))
        if start is None or step is None or limit is None:
            continue
        if step == 0:
            yield context.at("turn-level", part)
        elif part.get("loop") == "true" and start + step > limit and (limit < start or step < 0):
            yield context.at("turn-level", part, "limit", start=start, limit=limit)
    for part in context.module.all("ListTurnLevel"):
        if not any(decode(part.get("list"), ",") if part.get("list") else ()):
            yield context.at("turn-level", part, "no-list")


def counted(context: Examination) -> Iterator[LintFinding]:
    """Numbers of dice in reports that go beyond those there are."""
    for part in context.module.all("DiceButton", "SpecialDiceButton"):
        most = _most(part)
        if most is None:
            continue
        for name in ("reportFormat", "format"):
            for number in re.findall(r"\$result(\d{1,4})\$", part.attributes.get(name, "")):
                if int(number) > most:
                    yield context.at("unknown-property", part, "beyond", name=f"result{number}", most=most)


def _most(part: ElementPart) -> int | None:
    """How many dice a button throws; None if it varies."""
    if part.kind == "SpecialDiceButton":
        return sum(child.kind == "SpecialDie" for child in part.children) or None
    dice = part.get("nDice")
    return (
        int(dice) if dice.isdecimal() and len(dice) < 4 and part.get("prompt") != "true" and dice != "0" else None
    )


def shadowed(context: Examination) -> Iterator[LintFinding]:
    """Dynamic properties that change and are never seen: another of the name stands further out in the piece."""
    told: dict[tuple[object, ...], tuple[PlacedTrait, bool]] = {}
    for _, placed in context.expanded:
        outer: dict[str, set[object]] = {}
        for p in placed:
            if not isinstance(p.trait, t.DynamicProperty):
                continue
            keys: set[object] = {stroke(key) for key, _ in roles.heard(p.trait)}
            hidden = p.trait.name in outer and not keys <= outer[p.trait.name]
            before = told.get(p.place)
            told[p.place] = (p, hidden and (before is None or before[1]))
            outer.setdefault(p.trait.name, keys)
    for p, hidden in told.values():
        if hidden and isinstance(p.trait, t.DynamicProperty):
            yield context.on("same-name", p.source, p, "shadowed", name=p.trait.name)


CHECKS: Final = (limits, circles, turns, counted, shadowed)
