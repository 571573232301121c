"""Rules about the elements of a build file: classes, names, numbers, buttons, and the places that they name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hexforge.modulegen.lint.context import Examination, is_computed
from hexforge.modulegen.lint.finding import LintFinding
from hexforge.modulegen.lint.known import CLASSES, COMMANDS, DEPRECATED, OLD_ROOT
from hexforge.modulegen.lint.parts import MAPS, SLOTS, ElementPart
from hexforge.modulegen.vassal.sequence import decode

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


CHECKS: Final = (classes, same_names, players, numbers, places, map_parts, sides, buttons)
