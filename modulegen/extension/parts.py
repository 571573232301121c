"""The parts of a build file that markers and tracks need in every kind of module: slots, and the sheet's window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexforge.modulegen.assemble import windows
from hexforge.modulegen.extension.pieces import traits
from hexforge.modulegen.extension.plan import prefix_of
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make

if TYPE_CHECKING:
    from hexforge.modulegen.extension.plan import ExtensionPlan, PiecePlan

FIRST_SLOT = 1
"""The number of the first slot of the module that stands alone."""


def slot_id(plan: ExtensionPlan, piece: PiecePlan, first: int | None) -> str:
    """The id of a slot: a number from `first` on; in an extension (None) its id is part of it."""
    return f"{prefix_of(plan.extension)}:{piece.slot}" if first is None else str(first + piece.slot)


def sheet(plan: ExtensionPlan, *, main: bool = False) -> Element:
    """The window with the tracks."""
    tip = plan.words("tracks.tip")
    return windows.sheet_map(plan, plan.sheet, tip, windows.HOTKEY_TRACKS, "tracks", main=main)


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
