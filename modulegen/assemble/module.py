"""The build file of a module, and the names of all that it needs from the archive."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from modulegen.assemble import air, help_page, tools, turns, windows
from modulegen.assemble.prototypes import Traits, marker_traits, prototypes, unit_traits
from modulegen.plan import TITLE_IMAGE
from modulegen.plan.markers import icon
from modulegen.vassal import traits as t
from modulegen.vassal.buildfile import Element, make

if TYPE_CHECKING:
    from modulegen.plan import Plan, UnitPlan

VASSAL_VERSION = "3.7.0"
"""The oldest VASSAL that reads everything written here; users of any 3.7 can open it."""
SETUP_FILE = "setup.vsav"


def module(plan: Plan, version: str) -> Element:
    """The whole build file."""
    words, scenario = plan.words, plan.scenario
    known = prototypes(plan)
    title = words.title(scenario)
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
        make("GlobalOptions"),
        turns.global_properties(plan),
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
        palette(plan),
        *tools.dice(plan),
        *tools.charts(plan),
        make("NotesWindow", icon=icon("notes"), tooltip=words("window.notes_tip")),
        tools.inventory(plan),
        make(
            "PredefinedSetup",
            name=words("setup.name"),
            description=words("setup.description"),
            file=SETUP_FILE,
        ),
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


def palette(plan: Plan) -> Element:
    """All counters: a tab a side, in it a list a formation; then the markers."""
    words = plan.words
    tabs = []
    for spec in plan.scenario.game.sides:
        own = [u for u in plan.units.values() if u.counter.side == spec.id]
        own.sort(key=lambda u: words.formation(u.counter) == words("palette.other"))
        order = {name: i for i, name in reversed(list(enumerate(words.formation(u.counter) for u in own)))}
        own.sort(key=lambda u: order[words.formation(u.counter)])
        lists = [
            _list(plan, formation, [_unit_slot(plan, u) for u in units])
            for formation, units in groupby(own, key=lambda u: words.formation(u.counter))
        ]
        tabs.append(make("TabWidget", *lists, entryName=words.side(spec.id)))
    if plan.markers:
        slots = [_slot(plan, marker_traits(plan, m), m.name, m.gpid) for m in plan.markers]
        tabs.append(_list(plan, words("palette.markers"), slots))
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


def _list(plan: Plan, name: str, slots: list[Element]) -> Element:
    return make("ListWidget", *slots, entryName=name, width=3 * plan.size, height=5 * plan.size, divider=160)


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
