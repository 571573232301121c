"""The parts of a build file that markers and tracks need in every kind of module: slots, and the sheet's window."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble import windows
from hexforge.modulegen.extension.pieces import traits
from hexforge.modulegen.extension.plan import prefix_of
from hexforge.modulegen.plan.marks import FORMAT, MAKER
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make

if TYPE_CHECKING:
    from hexforge.modulegen.extension.plan import ExtensionPlan, PiecePlan

FIRST_SLOT = 1
"""The number of the first slot of the module that stands alone."""


def slot_id(plan: ExtensionPlan, piece: PiecePlan, first: int | None) -> str:
    """The id of a slot: a number from `first` on; in an extension (None) its id is part of it."""
    return f"{prefix_of(plan.extension)}:{piece.slot}" if first is None else str(first + piece.slot)


SHEET = "HexforgeSheet"
"""A property of the sheet's map, which VASSAL writes into each save and log: which sheet it is, and where its boxes
lie. By it a log can be read without the module or the extension that it was played with."""


def sheet(plan: ExtensionPlan, *, main: bool = False, marked: bool = False) -> Element:
    """The window with the tracks; `marked` with what says which sheet it is."""
    tip = plan.words("tracks.tip")
    window = windows.sheet_map(plan, plan.sheet, tip, windows.HOTKEY_TRACKS, "tracks", main=main)
    if not marked:
        return window
    mark = make("GlobalProperties", make("GlobalProperty", name=SHEET, initialValue=_mark(plan)))
    # A map has one list of properties.
    others = (child for child in window.children if child.kind != mark.kind)
    return replace(window, children=(*others, mark))


def _mark(plan: ExtensionPlan) -> str:
    """`hexforge 1 NAME HASH` and, as JSON, the sheet's map, its boxes (track, box, corners), the sides' names."""
    game, words = plan.extension, plan.words
    layout = {
        "language": words.language,
        "map": plan.sheet.name,
        "sides": {words.side(side.id): side.id for side in game.game.sides},
        "boxes": [[b.track, b.box, b.x, b.y, b.x + b.width, b.y + b.height] for b in plan.sheet.boxes],
    }
    return f"{MAKER} {FORMAT} {game.name} {game.digest} {json.dumps(layout, separators=(',', ':'))}"


def slots_of(plan: ExtensionPlan, first: int | None) -> list[Element]:
    """A slot for every piece; `first` as in `slot_id`."""
    return [_slot(plan, piece, first) for piece in plan.pieces]


def _slot(plan: ExtensionPlan, piece: PiecePlan, first: int | None) -> Element:
    gpid = slot_id(plan, piece, first)
    return make(
        "PieceSlot",
        content=t.slot_text(traits(plan, piece), gpid),
        entryName=piece.name,
        gpid=gpid,
        width=plan.size,
        height=plan.size,
    )
