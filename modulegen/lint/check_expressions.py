"""Rules about expressions, about targets of commands, and about names by which parts find each other.

Rules about where commands look for pieces (`VASSAL.counters.GlobalCommandTarget`).

Rules about names by which one part of a module finds another: layers, shadings, boards, owners of properties.

Sources: `LayeredPieceCollection`, `LayerControl`, `MapShader`, `MoveCameraButton`, `BoardPicker` in
`VASSAL.build.module.map`, `VASSAL.counters.AreaOfEffect` and `SetGlobalProperty`, `VASSAL.build.module.Inventory`.

Rules about what lies on boards: zones that take nothing in, grids of no size, what stands beside its board.

Sources: `VASSAL.build.module.map.boardPicker.board.mapgrid.PolygonEditor` (which leaves out what it cannot read),
`Zone.contains`, `HexGrid` and `SquareGrid` (which divide by the size of a cell), `SetupStack`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import fields
from typing import Any, Final

from ..vassal import traits
from ..vassal.encoding import decode
from . import parts as roles
from .context import Examination, is_computed
from .expressions import ARGUMENTS, COMMANDS, Reading, in_format, looks_computed, read, unclosed
from .finding import LintFinding
from .known import COMMANDS as KNOWN_COMMANDS
from .known import EXPRESSIONS
from .parts import MAPS, ElementPart

DOUBLINGS: Final = 7
"""A hundred and twenty-eight times as long as need be, at each reading."""
_FORMATS: Final[dict[type[traits.Trait], tuple[str, ...]]] = {
    traits.ReportState: ("format", "cycle_formats"),
    traits.Labeler: ("name_format",),
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
    for definition, number, trait, state in context.traits():
        local = parameters | _local(trait)
        for text, reading in (*_read_in(trait), *_read_in_state(trait, state)):
            for rule, values, says in _judged(context, text, reading, local):
                yield context.on(rule, definition, number, says, **values)
        for text in (*_formats(trait), *_computed_state(trait, state)):
            if (name := unclosed(text)) and context.is_property(name):
                yield context.on("expression-error", definition, number, "unclosed", text=text, name=name)
        for text in _unpaired(trait, state):
            yield context.on("expression-error", definition, number, "unpaired", text=" ".join(text.split()))
        if isinstance(trait, traits.CalculatedProperty) and looks_computed(trait.expression):
            shown = " ".join(trait.expression.split())
            yield context.on("expression-error", definition, number, "braces", text=shown)
        for wanted in _properties_named(trait):
            if _unknown(context, wanted, local):
                yield context.on("unknown-property", definition, number, name=wanted)


def _computed_state(trait: traits.Trait, state: str) -> tuple[str, ...]:
    """What a trait begins with, where VASSAL computes it: the text of a label, the value of a property."""
    return (state,) if isinstance(trait, traits.Labeler | traits.DynamicProperty) and state.strip() else ()


def _read_in_state(trait: traits.Trait, state: str) -> Iterator[tuple[str, Reading]]:
    yield from ((text, in_format(text)) for text in _computed_state(trait, state))


def _unpaired(trait: traits.Trait, state: str) -> Iterator[str]:
    """Expressions and formats with a brace at one end alone: VASSAL takes them for plain words."""
    for name in roles.EXPRESSIONS.get(type(trait), ()):
        text = getattr(trait, name)
        if isinstance(text, str) and is_unpaired(text) and not text.strip().startswith("{"):
            yield text
    for text in (*_formats(trait), *_computed_state(trait, state)):
        if is_unpaired(text) and "$" not in text and _COMPUTES.search(text):
            yield text


def _formats(trait: traits.Trait) -> Iterator[str]:
    for name in _FORMATS.get(type(trait), ()):
        value = getattr(trait, name)
        yield from value if isinstance(value, tuple) else (value,)


def is_unpaired(text: str) -> bool:
    """Whether a brace stands at the beginning or at the end alone, and none within pairs with it."""
    stripped = text.strip()
    return bool(stripped) and (stripped[0] == "{") != (stripped[-1] == "}") and text.count("{") != text.count("}")


@roles.kept
def _read_in(trait: traits.Trait) -> Iterator[tuple[str, Reading]]:
    """All that is computed for a trait: expressions, formats, and whatever else stands in braces."""
    expressions, formats = roles.EXPRESSIONS.get(type(trait), ()), _FORMATS.get(type(trait), ())
    for name in (f.name for f in fields(trait)):
        value = getattr(trait, name)
        texts = value if isinstance(value, tuple) and not isinstance(value, traits.Key) else (value,)
        for text in texts:
            if not isinstance(text, str) or not text.strip() or name in _WORDS:
                continue
            if name in expressions:
                plain = isinstance(trait, traits.CalculatedProperty) and not text.strip().startswith("{")
                yield text, in_format(text) if plain else read(text)
            elif name in formats:
                yield text, in_format(text)
            elif name in ("target", "parameters"):
                yield from _in_list(text, "|" if name == "target" else ",")
            elif braced(text):
                yield text, read(text)
    if isinstance(trait, traits.DynamicProperty | traits.SetGlobalProperty | traits.SetPieceProperty):
        for value in (command.change.value for command in trait.commands):
            if value.strip().startswith("{"):
                yield value, read(value)
    elif isinstance(trait, traits.UsePrototype):
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


def _local(trait: traits.Trait) -> set[str]:
    """Names that hold within one trait alone."""
    if isinstance(trait, traits.TriggerAction):
        return {trait.index_property}
    return {trait.property_name} if isinstance(trait, traits.Labeler) else set()


def _parameters(trait: traits.Trait) -> set[str]:
    """Names under which values are passed on."""
    if isinstance(trait, traits.UsePrototype):
        return {name for name, _ in trait.parameters}
    if isinstance(trait, traits.GlobalCommand | traits.PlaceMarker):
        return roles.passed(trait.parameters)
    return set()


def _properties_named(trait: traits.Trait) -> Iterator[str]:
    """Properties that a trait names outright."""
    if isinstance(trait, traits.Layer) and trait.follow and not trait.property_name.strip().startswith("{"):
        yield trait.property_name
    elif isinstance(trait, traits.BorderOutline):
        yield trait.property_name
        yield trait.second_property
    elif isinstance(trait, traits.SetGlobalProperty | traits.SetPieceProperty) and any(
        c.key for c in trait.commands
    ):
        yield trait.name
    elif (
        isinstance(trait, traits.GlobalCommand | traits.SetPieceProperty)
        and trait.within_range
        and not trait.fixed_distance
    ):
        yield trait.distance_property


EXPRESSION_CHECKS: Final = (in_traits, in_elements)


_WITH_MAP: Final = ("MAP", "ZONE", "LOCATION", "XY")


def targets(context: Examination) -> Iterator[LintFinding]:
    """Maps, boards, zones and decks in which a command is to look, and that are not there."""
    if context.module.open_ended:
        return
    for definition, number, trait, _ in context.traits():
        if isinstance(trait, traits.GlobalCommand | traits.SetPieceProperty | traits.Attachment):
            for rule, says, name in _gone(context, trait.target):
                yield context.on(rule, definition, number, says, name=name)
    for part in context.module.all(*KNOWN_COMMANDS):
        for rule, says, name in _gone(context, part.get("target")):
            yield context.at(rule, part, says, name=name)


def _gone(context: Examination, target: str) -> Iterator[tuple[str, str, str]]:
    parts = [*decode(target, "|"), *[""] * 10] if target else [""] * 10
    narrowed, kind, map_, board, zone, deck = parts[1], parts[2] or "MAP", *parts[3:6], parts[9]
    if narrowed != "true":
        return

    def named(name: str) -> bool:
        return bool(name) and not is_computed(name)

    if kind in _WITH_MAP and named(map_) and map_ not in context.maps:
        yield "missing-place", "map", map_
    elif kind == "XY" and named(board) and not any(board in boards for boards in context.maps.values()):
        yield "missing-place", "board", board
    elif kind == "ZONE" and named(zone) and zone not in context.zones:
        yield "missing-place", "zone", zone
    elif kind == "DECK" and named(deck) and deck not in context.decks:
        yield "missing-deck", "says", deck


TARGET_CHECKS: Final = (targets,)


_LISTED: Final = ("No, only shade Boards in List", "No, exclude Boards in list")
_ON_OFF: Final = ("Make Layer Active", "Make Layer Inactive", "Switch Layer between Active and Inactive")
_MODES: Final = {"Z": ("zone", "zoneName"), "R": ("region", "regionName"), "G": ("board", "boardName")}


def _links_named(name: str) -> bool:
    return bool(name.strip()) and not is_computed(name)


def _list(text: str) -> list[str]:
    return decode(text, ",") if text else []


def of_traits(context: Examination) -> Iterator[LintFinding]:
    """Maps and zones whose properties a trait changes, and the shading by which it draws."""
    if context.module.open_ended:
        return
    shadings = {p.get("name") for p in context.module.everywhere("MapShader")}
    for definition, number, trait, _ in context.traits():
        if isinstance(trait, traits.SetGlobalProperty) and _links_named(trait.container):
            if trait.level == "Named Map" and trait.container not in context.maps:
                yield context.on("missing-place", definition, number, "map", name=trait.container)
            elif trait.level == "Named Zone" and trait.container not in context.zones:
                yield context.on("missing-place", definition, number, "zone", name=trait.container)
        elif (
            isinstance(trait, traits.AreaOfEffect)
            and _links_named(trait.map_shading)
            and trait.map_shading not in shadings
        ):
            yield context.on("missing-place", definition, number, "shading", name=trait.map_shading)


def of_elements(context: Examination) -> Iterator[LintFinding]:
    """Boards, zones, regions and layers that parts of a map name, and sides to which a deck belongs."""
    if context.module.open_ended:
        return
    for part in context.module.all("MapShader", "MoveCameraButton", "LayerControl", "BoardPicker", "DrawPile"):
        map_ = part.above(*MAPS)
        boards = context.maps.get(map_.get("mapName"), set()) if map_ is not None else set[str]()
        for says, name in _links_gone(context, part, boards):
            yield context.at("missing-place", part, says, name=name)
        if part.kind == "DrawPile" and part.get("deckRestrictAccess") == "true":
            for side in _list(part.get("deckOwners")):
                if _links_named(side) and side not in context.sides:
                    yield context.at("unknown-side", part, name=side)


def _links_gone(context: Examination, part: ElementPart, boards: set[str]) -> Iterator[tuple[str, str]]:
    if part.kind == "MapShader" and part.get("boards") in _LISTED:
        yield from (
            ("board", name) for name in _list(part.get("boardList")) if _links_named(name) and name not in boards
        )
    elif part.kind == "MoveCameraButton" and (wanted := _MODES.get(part.get("moveCameraMode"))):
        says, attribute = wanted
        known = {"zone": context.zones, "region": context.regions, "board": boards}[says]
        if _links_named(name := part.get(attribute)) and name not in known:
            yield says, name
    elif part.kind == "LayerControl" and part.get("command") in _ON_OFF:
        above = part.above("LayeredPieceCollection")
        layers = _list(above.get("layerOrder")) if above is not None else []
        for name in _list(part.get("layers")):
            if _links_named(name) and not name.strip().isdecimal() and name not in layers:
                yield "layer", name
    elif part.kind == "BoardPicker":
        for child in part.children:
            chosen = decode(child.text, "\t")[1::3] if child.kind == "setup" and child.text else []
            for name in (decode(text, "/")[0] for text in chosen if text):
                if _links_named(name) and name not in boards:
                    yield "board", name


def properties(context: Examination) -> Iterator[LintFinding]:
    """Properties by which layers, inventories and decks sort pieces."""
    if context.custom or context.module.open_ended:
        return
    for part in context.module.all("LayeredPieceCollection", "Inventory", "DrawPile"):
        wanted: set[str] = set()
        if part.kind == "LayeredPieceCollection":
            wanted = {part.get("property")}
        elif part.kind == "Inventory":
            wanted = set(_list(part.get("groupBy")))
        elif part.get("allowSelect") == "true":
            wanted = {part.get("selectSortProperty")} | in_format(part.get("selectDisplayProperty")).names
        for name in sorted(wanted):
            if _links_named(name) and not braced(name) and not context.is_property(name):
                yield context.at("unknown-property", part, name=name)


def extension(context: Examination) -> Iterator[LintFinding]:
    """The module that an extension is for, and the parts of it to which it adds."""
    module, root = context.module, context.module.root
    if not module.extension or module.base is None:
        return
    base = module.base.root
    wanted = root.get("module")
    if root.get("anyModule") != "true" and wanted and wanted != base.get("name"):
        yield context.at("extension", root, name=wanted, other=base.get("name"))
    for part in module.all("ExtensionElement"):
        step = _lost(base, part.get("target"))
        if step:
            yield context.at("extension", part, "target", name=step)


def _lost(root: ElementPart, target: str) -> str:
    """The first step of a path to which no element leads (`VASSAL.tools.ComponentPathBuilder`); "" if none."""
    waiting = [root]
    for step in decode(target, "/") if target else ():
        names = [*decode(step, ":"), ""]
        below = [c for part in waiting for c in part.children if c.cls == names[0]]
        if not below:
            return step
        # Of those of the class VASSAL prefers the one of the name, and takes another else.
        waiting = [c for c in below if c.name == names[1]] or below
    return ""


LINK_CHECKS: Final = (of_traits, of_elements, properties, extension)


_WHOLE = re.compile(r"\s*[+-]?\d{1,7}\s*")
_GRIDS: Final = ("HexGrid", "SquareGrid")
_LAID: Final = ("DrawPile", "SetupStack")
_MOST_POINTS: Final = 10_000


def zones(context: Examination) -> Iterator[LintFinding]:
    """Zones in which no point of their board lies."""
    for part in context.module.all("Zone"):
        points, unread = _points(part.get("path"))
        board = part.above("Board")
        size = _size(context, board) if board is not None else None
        if not _has_area(points):
            yield context.at("map-shape", part, "unread" if unread else "says", name=part.get("name"))
        elif size is not None and _lies_beside(points, size):
            yield context.at("map-shape", part, "beside", name=part.get("name"))


def _points(path: str) -> tuple[list[tuple[int, int]], bool]:
    """The points that VASSAL reads, and whether there are others."""
    found, unread = [], False
    for text in decode(path, ";")[:_MOST_POINTS] if path else ():
        pair = decode(text, ",")
        if len(pair) >= 2 and all(_WHOLE.fullmatch(n) for n in pair[:2]):
            found.append((int(pair[0]), int(pair[1])))
        else:
            unread = True
    return found, unread


def _has_area(points: list[tuple[int, int]]) -> bool:
    """Whether the points are not all on one line."""
    first, others = points[0] if points else (0, 0), points[1:]
    second = next((p for p in others if p != first), None)
    if second is None:
        return False
    dx, dy = second[0] - first[0], second[1] - first[1]
    return any(dx * (p[1] - first[1]) != dy * (p[0] - first[0]) for p in others)


def _lies_beside(points: list[tuple[int, int]], size: tuple[int, int]) -> bool:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return max(xs) < 0 or max(ys) < 0 or min(xs) > size[0] or min(ys) > size[1]


def _stands_beside(point: list[str], size: tuple[int, int]) -> bool:
    return all(_WHOLE.fullmatch(n) for n in point) and _lies_beside([(int(point[0]), int(point[1]))], size)


def _size(context: Examination, board: ElementPart) -> tuple[int, int] | None:
    """The size of a board in its own pixels: that of its picture, or the one that it is given."""
    if board.get("image"):
        return context.picture_size(board.get("image"))
    given = [board.get("width"), board.get("height")]
    return (int(given[0]), int(given[1])) if all(n and _WHOLE.fullmatch(n) for n in given) else None


def grids(context: Examination) -> Iterator[LintFinding]:
    """Grids whose cells have no size, and regions that lie beside their board."""
    for part in context.module.all(*_GRIDS):
        if any(_is_nought(part.attributes.get(name, "")) for name in ("dx", "dy")):
            yield context.at("map-shape", part, "no-size")
    for part in context.module.all("Region"):
        board = part.above("Board")
        size = _size(context, board) if board is not None else None
        point = [part.get("originx"), part.get("originy")]
        if size and _stands_beside(point, size):
            yield context.at("map-shape", part, "region", name=part.get("name"))


def _is_nought(text: str) -> bool:
    try:
        return bool(text[:32].strip()) and float(text[:32]) == 0
    except ValueError:
        return False


def laid(context: Examination) -> Iterator[LintFinding]:
    """Decks and stacks of a set-up that stand beside the board on which they are to lie."""
    for part in context.module.all(*_LAID):
        map_, name = part.above(*MAPS), part.get("owningBoard")
        if map_ is None or not name or part.get("useGridLocation") == "true":
            continue
        board = next((p for p in map_.walk() if p.kind == "Board" and p.get("name") == name), None)
        size = _size(context, board) if board is not None else None
        point = [part.get("x"), part.get("y")]
        # VASSAL gives these points in pixels of the board as it is shown, larger or smaller than its picture.
        plain = board is not None and board.get("magnification") in ("", "1", "1.0")
        if size and plain and _stands_beside(point, size):
            yield context.at("beside-board", part, name=part.get("name"), board=name)


SHAPE_CHECKS: Final = (zones, grids, laid)
