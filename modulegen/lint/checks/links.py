"""Rules about names by which one part of a module finds another: layers, shadings, boards, owners of properties.

Sources: `LayeredPieceCollection`, `LayerControl`, `MapShader`, `MoveCameraButton`, `BoardPicker` in
`VASSAL.build.module.map`, `VASSAL.counters.AreaOfEffect` and `SetGlobalProperty`, `VASSAL.build.module.Inventory`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hexforge.modulegen.lint.checks.expressions import braced
from hexforge.modulegen.lint.context import Examination, is_computed
from hexforge.modulegen.lint.expressions import in_format
from hexforge.modulegen.lint.finding import LintFinding
from hexforge.modulegen.lint.parts import MAPS, ElementPart
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.sequence import decode

_LISTED: Final = ("No, only shade Boards in List", "No, exclude Boards in list")
_ON_OFF: Final = ("Make Layer Active", "Make Layer Inactive", "Switch Layer between Active and Inactive")
_MODES: Final = {"Z": ("zone", "zoneName"), "R": ("region", "regionName"), "G": ("board", "boardName")}


def _named(name: str) -> bool:
    return bool(name.strip()) and not is_computed(name)


def _list(text: str) -> list[str]:
    return decode(text, ",") if text else []


def of_traits(context: Examination) -> Iterator[LintFinding]:
    """Maps and zones whose properties a trait changes, and the shading by which it draws."""
    if context.module.open_ended:
        return
    shadings = {p.get("name") for p in context.module.everywhere("MapShader")}
    for definition, number, trait, _ in context.traits():
        if isinstance(trait, t.SetGlobalProperty) and _named(trait.container):
            if trait.level == "Named Map" and trait.container not in context.maps:
                yield context.on("missing-place", definition, number, "map", name=trait.container)
            elif trait.level == "Named Zone" and trait.container not in context.zones:
                yield context.on("missing-place", definition, number, "zone", name=trait.container)
        elif isinstance(trait, t.AreaOfEffect) and _named(trait.map_shading) and trait.map_shading not in shadings:
            yield context.on("missing-place", definition, number, "shading", name=trait.map_shading)


def of_elements(context: Examination) -> Iterator[LintFinding]:
    """Boards, zones, regions and layers that parts of a map name, and sides to which a deck belongs."""
    if context.module.open_ended:
        return
    for part in context.module.all("MapShader", "MoveCameraButton", "LayerControl", "BoardPicker", "DrawPile"):
        map_ = part.above(*MAPS)
        boards = context.maps.get(map_.get("mapName"), set()) if map_ is not None else set[str]()
        for says, name in _gone(context, part, boards):
            yield context.at("missing-place", part, says, name=name)
        if part.kind == "DrawPile" and part.get("deckRestrictAccess") == "true":
            for side in _list(part.get("deckOwners")):
                if _named(side) and side not in context.sides:
                    yield context.at("unknown-side", part, name=side)


def _gone(context: Examination, part: ElementPart, boards: set[str]) -> Iterator[tuple[str, str]]:
    if part.kind == "MapShader" and part.get("boards") in _LISTED:
        yield from (("board", name) for name in _list(part.get("boardList")) if _named(name) and name not in boards)
    elif part.kind == "MoveCameraButton" and (wanted := _MODES.get(part.get("moveCameraMode"))):
        says, attribute = wanted
        known = {"zone": context.zones, "region": context.regions, "board": boards}[says]
        if _named(name := part.get(attribute)) and name not in known:
            yield says, name
    elif part.kind == "LayerControl" and part.get("command") in _ON_OFF:
        above = part.above("LayeredPieceCollection")
        layers = _list(above.get("layerOrder")) if above is not None else []
        for name in _list(part.get("layers")):
            if _named(name) and not name.strip().isdecimal() and name not in layers:
                yield "layer", name
    elif part.kind == "BoardPicker":
        for child in part.children:
            chosen = decode(child.text, "\t")[1::3] if child.kind == "setup" and child.text else []
            for name in (decode(text, "/")[0] for text in chosen if text):
                if _named(name) and name not in boards:
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
            if _named(name) and not braced(name) and not context.is_property(name):
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


CHECKS: Final = (of_traits, of_elements, properties, extension)
