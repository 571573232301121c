"""The build file of a module, and the names of all that it needs from the archive."""

from __future__ import annotations

from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble import air, combat, help_page, placing, setup, tools, turns, windows
from hexforge.modulegen.assemble.combat import deeds
from hexforge.modulegen.assemble.prototypes import Traits, marker_traits, prototypes, unit_traits
from hexforge.modulegen.extension import parts as supplies
from hexforge.modulegen.plan import TITLE_IMAGE
from hexforge.modulegen.plan.markers import icon
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan, UnitPlan

VASSAL_VERSION = "3.7.0"
"""The oldest VASSAL that reads everything written here; users of any 3.7 can open it."""
PANEL_COLUMNS = 5
"""Counters side by side in the palette of a formation."""
MARKER_ROWS, MARKER_EDGE = 2, 54
"""Rows of markers beside the chat, and the edge of each in pixels: as many as its height has room for."""


def module(plan: Plan, version: str) -> Element:
    """The whole build file."""
    words, scenario = plan.words, plan.scenario
    known = prototypes(plan)
    title, fighting = words.title(scenario), combat.combat(plan)
    return make(
        "GameModule",
        make("BasicCommandEncoder"),
        make(
            "Documentation",
            make("AboutScreen", title=words("help.about", title=title), fileName=TITLE_IMAGE),
            make("HelpFile", title=words("help.title"), fileName=help_page.FILE),
        ),
        make(
            "PlayerRoster",
            *[make("entry", content=words.side(s.id)) for s in scenario.game.sides],
            buttonIcon=icon("sides"),
            buttonToolTip=words("button.retire_tip"),
        ),
        make("GlobalOptions", deeds.preference(plan)),
        turns.global_properties(plan, fighting),
        make("GlobalTranslatableMessages"),
        make("Language"),
        make("PrototypesContainer", *[_prototype(name, traits) for name, traits in known.items()]),
        turns.turn_tracker(plan),
        *turns.turn_begins(plan),
        *air.air_buttons(plan),
        windows.main_map(plan),
        windows.sheet_map(
            plan, plan.reserves, words("window.reserves_tip"), windows.HOTKEY_RESERVES, "reinforcements"
        ),
        windows.sheet_map(plan, plan.losses, words("window.losses_tip"), windows.HOTKEY_LOSSES, "losses"),
        *([supplies.sheet(plan.supplies)] if plan.supplies.sheet.boxes else []),
        *palettes(plan),
        *placing.buttons(plan),
        *fighting.buttons,
        *tools.dice(plan),
        *tools.charts(plan),
        make("NotesWindow", icon=icon("notes"), tooltip=words("window.notes_tip")),
        tools.inventory(plan),
        *setup.predefined(plan),
        make("Chatter"),
        make("KeyNamer"),
        name=scenario.game.module.name,
        version=version,
        description=f"{title} {words.text.get('title.period')}".strip(),
        VassalVersion=VASSAL_VERSION,
        nextPieceSlotId=plan.next_gpid,
    )


def _prototype(name: str, traits: Traits) -> Element:
    return make("PrototypeDefinition", name=name, content=t.slot_text((*traits, t.BasicPiece()), ""))


def palettes(plan: Plan) -> list[Element]:
    """The markers in one window, all units in another.

    VASSAL puts the first palette beside the chat, where there is room for a handful of markers but not for tabs.
    """
    words = plan.words
    units = _units(plan)
    slots = [_slot(plan, marker_traits(plan, m), m.name, m.gpid) for m in plan.markers]
    slots += supplies.slots_of(plan.supplies, plan.first_own_gpid)
    if not slots:
        return [units]
    columns = ceil(len(slots) / MARKER_ROWS)
    scale = MARKER_EDGE / plan.size
    panel = make(
        "PanelWidget",
        *slots,
        entryName=words("palette.markers"),
        fixed=True,
        nColumns=columns,
        scale=f"{scale:.3f}",
    )
    markers = make(
        "PieceWindow",
        panel,
        name=words("palette.markers"),
        text=words("palette.markers"),
        tooltip=words("window.markers_tip"),
        icon=icon("markers"),
        hotkey=windows.HOTKEY_MARKERS,
        defaultWidth=columns * (MARKER_EDGE + 6) + 20,
    )
    return [markers, units]


def _units(plan: Plan) -> Element:
    """All units: a tab a side, in it a list of its formations."""
    words = plan.words
    tabs = []
    for spec in plan.scenario.game.sides:
        own = [u for u in plan.units.values() if u.counter.side == spec.id]
        own.sort(key=lambda u: words.formation(u.counter) == words("palette.other"))
        order = {name: i for i, name in reversed(list(enumerate(words.formation(u.counter) for u in own)))}
        own.sort(key=lambda u: order[words.formation(u.counter)])
        panels = [
            _panel(formation, [_unit_slot(plan, u) for u in units])
            for formation, units in groupby(own, key=lambda u: words.formation(u.counter))
        ]
        tabs.append(_list(plan, words.side(spec.id), panels))
    return make(
        "PieceWindow",
        make("TabWidget", *tabs, entryName=words("palette.units")),
        name=words("window.counters"),
        text=words("window.counters"),
        tooltip=words("window.counters_tip"),
        icon=icon("counters"),
        hotkey=windows.HOTKEY_COUNTERS,
        defaultWidth=0,
    )


def _panel(name: str, slots: list[Element]) -> Element:
    """All counters of a formation side by side."""
    return make("PanelWidget", *slots, entryName=name, fixed=True, nColumns=PANEL_COLUMNS)


def _list(plan: Plan, name: str, panels: list[Element]) -> Element:
    """The formations of a side by name, and to their left the counters of the one that is chosen."""
    counters = PANEL_COLUMNS * (plan.size + 6)
    return make("ListWidget", *panels, entryName=name, width=counters + 180, height=7 * plan.size, divider=counters)


def _unit_slot(plan: Plan, unit: UnitPlan) -> Element:
    return _slot(plan, unit_traits(plan, unit), plan.words.name(unit.counter), unit.gpid)


def _slot(plan: Plan, traits: Traits, name: str, gpid: int) -> Element:
    return make(
        "PieceSlot",
        content=t.slot_text(traits, str(gpid)),
        entryName=name,
        gpid=gpid,
        width=plan.size,
        height=plan.size,
    )
