"""Rules about the elements of a build file: classes, names, numbers, buttons, and the places that they name.

Rules about values: bounds that leave none, properties that need themselves, levels of turns that never advance.

Sources: `VASSAL.build.module.properties.IncrementProperty`, `VASSAL.counters.CalculatedProperty`,
`VASSAL.script.ExpressionInterpreter` (which fetches every name of an expression before it computes anything),
`VASSAL.build.module.turn.CounterTurnLevel`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from ..vassal import traits
from ..vassal.encoding import decode
from ..vassal.traits.base import Limits
from . import parts
from .check_expressions import braced
from .context import Examination, is_computed, stroke
from .expressions import Bad, tokens
from .finding import LintFinding
from .known import CLASSES, COMMANDS, DEPRECATED, OLD_ROOT
from .parts import MAPS, SLOTS, ElementPart, PlacedTrait

_NEEDED: Final = ("PieceMover", "KeyBufferer", "ForwardToKeyBuffer", "MenuDisplayer")
"""Parts of a map that VASSAL gives to a new one alone, without which pieces cannot be handled."""
_LOWER: Final = ("entry", "option", "setup")
_MOST_DIGITS: Final = 18
_SHOWN: Final = 20


def classes(context: Examination) -> Iterator[LintFinding]:
    """Classes that VASSAL does not have, no longer needs, or has from elsewhere."""
    for part in context.module.parts:
        if part.parent is None and part.cls == OLD_ROOT:
            continue
        if part.cls in DEPRECATED:
            yield context.at("deprecated-class", part, name=part.cls)
        elif part.cls in CLASSES or part.kind in _LOWER:
            continue
        elif "." not in part.cls:
            yield context.at("unknown-class", part, "tag", name=part.cls)
        elif context.has_code(part.cls):
            yield context.at("custom-class", part, name=part.cls)
        elif part.cls.startswith("VASSAL."):
            yield context.at("unknown-class", part, name=part.cls)
        elif not context.module.open_ended:
            yield context.at("unknown-class", part, "no-code", name=part.cls)
        else:
            yield context.at("custom-class", part, name=part.cls)


def same_names(context: Examination) -> Iterator[LintFinding]:
    """Elements that VASSAL finds by their names, two of one name."""
    seen: dict[tuple[object, ...], ElementPart] = {}
    for part in context.module.all(
        "PrototypeDefinition", *MAPS, "DrawPile", "Board", "Zone", "GlobalProperty", "Region"
    ):
        name = part.get("mapName") if part.kind in MAPS else part.get("name")
        scope: ElementPart | None = None
        if part.kind in ("Board", "Zone", "Region"):
            scope = part.above("BoardPicker", "ZonedGrid", "RegionGrid")
        elif part.kind == "GlobalProperty":
            scope = part.above(*MAPS, "Zone")
        if not name:
            continue
        first = seen.setdefault((part.kind, name, scope), part)
        if first is not part:
            yield context.at("same-name", part, kind=part.kind, name=name)


def players(context: Examination) -> Iterator[LintFinding]:
    """Sides of one name: a player who takes it is found at the first of them."""
    for roster in context.module.all("PlayerRoster"):
        seen: set[str] = set()
        for entry in roster.children:
            side = entry.text.strip()
            if entry.kind == "entry" and side in seen:
                yield context.at("same-name", entry, kind=roster.kind, name=side)
            seen.add(side)


def numbers(context: Examination) -> Iterator[LintFinding]:
    """Each slot's number is its own and below the next one; refreshing a game mixes pieces up otherwise."""
    root = context.module.root
    following = _number(root.get("nextPieceSlotId"))
    before = f"{root.get('extensionId')}:" if context.module.extension else ""
    seen: dict[str, ElementPart] = {}
    own = list(context.module.all(*SLOTS))
    if context.module.base is not None:
        seen = {p.get("gpid"): p for p in context.module.base.all(*SLOTS)}
    for part in own:
        gpid = part.get("gpid")
        if gpid and following is not None and _number(gpid.rpartition(":")[2]) is None:
            yield context.at("gpid", part, "unreadable", gpid=gpid[:_SHOWN])
            continue
        if not gpid:
            if following is not None:
                yield context.at("gpid", part, "none")
            continue
        first = seen.setdefault(gpid, part)
        if first is not part:
            yield context.at("gpid", part, "twice", gpid=gpid, other=first.name)
        number = _number(gpid.removeprefix(before))
        if number is not None and following is not None and number >= following:
            yield context.at("gpid", part, "high", following=str(following))


def _number(text: str) -> int | None:
    """The number of a slot; None for what is none, or longer than VASSAL's numbers."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else None


def places(context: Examination) -> Iterator[LintFinding]:
    """Boards and decks that elements name."""
    if context.module.open_ended:
        return
    for part in context.module.all("DrawPile", "SetupStack"):
        board, map_ = part.get("owningBoard"), part.above(*MAPS)
        if board and map_ is not None and board not in context.maps.get(map_.get("mapName"), set()):
            yield context.at("missing-place", part, "board", name=board)
    for part in context.module.all("DrawPile"):
        target = part.get("reshuffleTarget")
        if part.get("reshufflable") == "true" and target and target not in context.decks:
            yield context.at("missing-deck", part, name=target)
    for part in context.module.all("DeckSendKeyCommand"):
        target = part.get("targetDeck")
        if (
            part.get("variableDeck") != "true"
            and target
            and not is_computed(target)
            and target not in context.decks
        ):
            yield context.at("missing-deck", part, name=target)


def map_parts(context: Examination) -> Iterator[LintFinding]:
    """What a map does only by parts that stand in it (`Map.build`); code of the module's own may stand for them."""
    if context.custom or context.module.extension:
        return
    for part in context.module.all(*MAPS):
        there = {child.kind for child in part.walk()}
        for kind in _NEEDED if part.children else ():
            if kind not in there:
                yield context.at("map-part", part, kind, name=part.get("mapName"))


def sides(context: Examination) -> Iterator[LintFinding]:
    """Sides that windows and buttons belong to."""
    if context.module.open_ended:
        return
    for part in context.module.all("PrivateMap", "PlayerHand", "ChessClock", "Inventory"):
        listed = part.get("sides") if part.kind == "Inventory" else part.get("side")
        for side in decode(listed, ",") if listed else ():
            if side and side not in context.sides:
                yield context.at("unknown-side", part, name=side)


def buttons(context: Examination) -> Iterator[LintFinding]:
    """Buttons that nobody can press, and menus of buttons that are not there."""
    texts = _button_texts(context)
    for part in context.module.all("ToolbarMenu", "MultiActionButton"):
        for item in decode(part.get("menuItems"), ",") if part.get("menuItems") else ():
            if item and item not in texts and not context.custom and not context.module.open_ended:
                yield context.at("menu-entry", part, "button", name=item)
    for part in context.module.all(
        "GlobalKeyCommand", "MassKeyCommand", "DoActionButton", "DiceButton", "ChangePropertyButton"
    ):
        shows = [part.get(n) for n in ("text", "buttonText", "icon", "hotkey", "buttonHotkey", "name")]
        sends = part.kind in COMMANDS
        pressed = part.get("buttonHotkey") if sends else part.get("hotkey")
        visible = part.get("text") or part.get("buttonText") or part.get("icon") or (shows[5] if sends else "")
        if not visible and not pressed:
            yield context.at("idle-button", part)
        elif sends and not part.get("hotkey") and not part.get("reportFormat").strip():
            yield context.at("idle-button", part, "sends-nothing")
    for part in context.module.all("TurnTracker"):
        if not any(p.kind in ("CounterTurnLevel", "ListTurnLevel") for p in part.walk()):
            yield context.at("idle-button", part, "no-levels")


def _button_texts(context: Examination) -> set[str]:
    """What can stand on a button of the toolbar."""
    names = (
        "text",
        "buttonText",
        "buttonName",
        "name",
        "tooltip",
        "label",
        "markUnmovedText",
        "mapName",
        "inButtonText",
    )
    more = ("outButtonText", "pickButtonText")
    return {
        part.get(n)
        for part in context.module.everywhere(*{p.kind for p in context.module.parts})
        for n in (*names, *more)
    }


ELEMENT_CHECKS: Final = (classes, same_names, players, numbers, places, map_parts, sides, buttons)


_WHOLE = re.compile(r"[+-]?\d{1,9}")
_LIMITED: Final = (traits.DynamicProperty, traits.SetGlobalProperty, traits.SetPieceProperty)
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
        if not bounded or (isinstance(trait, traits.SetPieceProperty) and not trait.own_limits):
            continue
        start = state if isinstance(trait, traits.DynamicProperty) else ""
        for says, values in _beyond(trait.limits, start):
            yield context.on("value-range", definition, number, says, name=trait.name, **values)
    for part in context.module.all("GlobalProperty", "ZoneProperty"):
        lowest, highest = (_values_number(part.get(n), d) for n, d in (("min", 0), ("max", 100)))
        if part.get("isNumeric") != "true" or lowest is None or highest is None:
            continue
        start = part.get("initialValue") if any(c.kind == "ChangePropertyButton" for c in part.children) else ""
        for says, values in _beyond(Limits(True, lowest, highest), start):
            yield context.at("value-range", part, says, name=part.get("name"), **values)


def _beyond(bounds: Limits, start: str) -> Iterator[tuple[str, dict[str, Any]]]:
    lowest, highest = bounds.lowest, bounds.highest
    if lowest > highest:
        yield "says", {"lowest": lowest, "highest": highest}
    elif start and not is_computed(start) and (first := _values_number(start)) is None:
        yield "no-number", {"start": start[:40]}
    elif start and not is_computed(start) and not lowest <= (first or 0) <= highest:
        yield "start", {"start": start, "lowest": lowest, "highest": highest}


def _values_number(text: str, absent: int | None = None) -> int | None:
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
            if isinstance(p.trait, traits.CalculatedProperty) and p.trait.name not in given:
                needs.setdefault(p.trait.name, (p, _needed(p.trait.expression)))
            # What stands further out answers first.
            given |= parts.given(p.trait, p.state)
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
        start, step, limit = (
            _values_number(part.get(n), d) for n, d in (("start", 1), ("incr", 1), ("loopLimit", -1))
        )
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
            if not isinstance(p.trait, traits.DynamicProperty):
                continue
            keys: set[object] = {stroke(key) for key, _ in parts.heard(p.trait)}
            hidden = p.trait.name in outer and not keys <= outer[p.trait.name]
            before = told.get(p.place)
            told[p.place] = (p, hidden and (before is None or before[1]))
            outer.setdefault(p.trait.name, keys)
    for p, hidden in told.values():
        if hidden and isinstance(p.trait, traits.DynamicProperty):
            yield context.on("same-name", p.source, p, "shadowed", name=p.trait.name)


VALUE_CHECKS: Final = (limits, circles, turns, counted, shadowed)
