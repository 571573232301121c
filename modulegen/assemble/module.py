"""The build file of a module, and the names of all that it needs from the archive.

The predefined set-up: every counter that begins on the map in its hex, all others in their boxes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING, Any

from .. import extension_pieces
from ..plan import TITLE_IMAGE
from ..plan.battlefield import fixed
from ..plan.markers import icon
from ..vassal import traits as t
from ..vassal.buildfile import Element, make
from ..vassal.commands import AddPiece, BeginSave, Command, EndSave, SetBoards
from ..vassal.commands.play import BoardPlacement
from ..vassal.payload import encode_payload
from ..vassal.save import save_tree
from ..vassal.traits.piece import STACK
from . import air, combat, help_page, turns, windows
from .air import first_air
from .combat import counters as combatants
from .combat import reports, steps, tasks
from .prototypes import Traits, expand, marker_traits, prototypes, unit_traits

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ..plan import Plan
    from ..plan.markers import UnitPlan
    from ..render.templates import ModuleWords


FILE, SUGGESTED_FILE = "setup.vsav", "suggested.vsav"
FIRST_ID = 1001
Spot = tuple[str, int, int]
"""A map's name and a pixel of it."""


def spots(plan: Plan, *, suggested: bool = False) -> Iterator[tuple[Spot, tuple[str, ...]]]:
    """Where units and markers stand at the start, by id, those of one spot from the bottom of the stack up.

    `suggested`: those who have a choice where the module suggests, else beside the map.
    """
    main = plan.words("map.main")
    stacks: dict[str, list[str]] = {}
    for placement in plan.scenario.setup.at_start:
        if fixed(placement):
            stacks.setdefault(placement.hexes[0], []).extend(placement.units)
    chosen = plan.suggested if suggested else {}
    for unit, hex_ in chosen.items():
        stacks.setdefault(hex_, []).append(unit)
    for unit in (u for pool in plan.scenario.setup.pool for u in pool.units):
        yield (plan.losses.name, *plan.losses.place[unit][1]), (unit,)
    for hex_, units in stacks.items():
        yield (main, *plan.ground.centre(hex_)), tuple(units)
    on_tracks = dict(_on_tracks(plan))
    waiting: dict[tuple[int, int], list[str]] = {}
    for id_, (_, cell) in plan.reserves.place.items():
        if id_ not in on_tracks and id_ not in chosen:
            waiting.setdefault(cell, []).append(id_)
    for (x, y), ids in waiting.items():
        yield (plan.reserves.name, x, y), tuple(ids)
    for id_, (x, y) in on_tracks.items():
        yield (main, x, y), (id_,)


def _on_tracks(plan: Plan) -> Iterator[tuple[str, tuple[int, int]]]:
    """The markers that begin on a track of the board, and the pixel of their box."""
    known = {m.id for m in plan.markers}
    values = {"turn": ("turn", plan.scenario.game.turns.first)}
    air = first_air(plan)
    tens, ones = divmod(air, 10) if air > 10 else (0, air)
    values |= {"air_x1": ("air", ones), "air_x10": ("air", tens)}
    for marker, (track, value) in values.items():
        if marker in known and track in plan.ground.tracks and value in plan.ground.tracks[track].boxes:
            yield marker, plan.ground.tracks[track].boxes[value][1]


@dataclass(frozen=True)
class _Counter:
    """What a unit or marker is in every set-up: the number of its slot, its traits, and how these are written."""

    gpid: int
    traits: Traits
    type: str


def _counters(plan: Plan) -> dict[str, _Counter]:
    """All units and markers by id, their prototypes expanded."""
    known = prototypes(plan)
    slots = {id_: (unit.gpid, unit_traits(plan, unit)) for id_, unit in plan.units.items()}
    slots |= {marker.id: (marker.gpid, marker_traits(plan, marker)) for marker in plan.markers}
    expanded = {id_: (gpid, expand(traits, known)) for id_, (gpid, traits) in slots.items()}
    return {id_: _Counter(gpid, traits, t.piece_type(traits)) for id_, (gpid, traits) in expanded.items()}


def commands(plan: Plan, known: Mapping[str, _Counter], *, suggested: bool = False) -> list[Command]:
    """What `GameState` restores a game from: pieces, the stacks they lie in, the boards."""
    pieces: list[Command] = []
    stacks: list[tuple[Spot, tuple[str, ...]]] = []
    number = FIRST_ID
    for (where, x, y), ids in spots(plan, suggested=suggested):
        stacked = []
        for id_ in ids:
            one = known[id_]
            marks = (_mark(plan, id_, trait) for trait in one.traits[:-1])
            states = [*marks, t.BasicState(where, x, y, str(one.gpid))]
            pieces.append(AddPiece(str(number), one.type, t.piece_state(one.traits, states)))
            stacked.append(str(number))
            number += 1
        stacks.append(((where, x, y), tuple(stacked)))
    for (where, x, y), stacked_ids in stacks:
        pieces.append(AddPiece(str(number), STACK, t.StackState(where, x, y, stacked_ids).encode()))
        number += 1
    pieces += _supplies(plan, number)
    boards = [SetBoards(name, (BoardPlacement(name),)) for name in map_names(plan)]
    return [BeginSave(), *pieces, *boards, EndSave()]


def _supplies(plan: Plan, number: int) -> list[Command]:
    """The markers that the game names, on their tracks and in their hexes."""
    found = extension_pieces.on_tracks(plan.supplies)
    for piece in plan.supplies.pieces:
        begins = piece.marker.start
        if begins is not None and not piece.endless:
            # One hex is for all of a kind; of several each takes its own.
            place = max(0, int(piece.number or 1) - 1) if len(begins.hexes) > 1 else 0
            found += [
                (piece, plan.words("map.main"), *plan.ground.centre(hex_))
                for hex_ in begins.hexes[place : place + 1]
            ]
    return extension_pieces.commands(plan.supplies, found, plan.first_own_gpid, number)


def _mark(plan: Plan, id_: str, trait: t.Trait) -> str | None:
    """The state of a trait that marks a unit due in the first turn, or shows steps lost before; None for others."""
    weak = plan.scenario.setup.weak.get(id_)
    if weak and isinstance(trait, t.Layer) and trait.name == "Step":
        return str(1 + weak)
    marks = isinstance(trait, t.DynamicProperty) and trait.name == combatants.ROLE and id_ in plan.units
    return str(steps.DUE) if marks and tasks.starts_due(plan, plan.units[id_]) else None


def map_names(plan: Plan) -> tuple[str, ...]:
    """The names of all map windows."""
    tracks = (plan.supplies.sheet.name,) if plan.supplies.sheet.boxes else ()
    return plan.words("map.main"), plan.reserves.name, plan.losses.name, *tracks


def saves(plan: Plan) -> dict[str, bytes]:
    """The entry `savedGame` of each set-up, by the file that the set-up stands in."""
    known, found = _counters(plan), {FILE: False} | ({SUGGESTED_FILE: True} if plan.suggested else {})
    return {
        file: encode_payload(save_tree(commands(plan, known, suggested=suggested)).encode())
        for file, suggested in found.items()
    }


def predefined(plan: Plan) -> list[Element]:
    """What players are offered as a game begins."""
    offered = {"setup": FILE} | ({"setup_suggested": SUGGESTED_FILE} if plan.suggested else {})
    return [
        make(
            "PredefinedSetup",
            name=plan.words(f"{key}.name"),
            description=plan.words(f"{key}.description"),
            file=file,
        )
        for key, file in offered.items()
    ]


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
    return frame(
        words,
        scenario,
        TITLE_IMAGE,
        (
            make("GlobalOptions", reports.preference(plan)),
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
            *([extension_pieces.sheet(plan.supplies)] if plan.supplies.sheet.boxes else []),
            *palettes(plan),
            *turns.buttons(plan),
            *fighting.buttons,
            *turns.dice(plan),
            *turns.charts(plan),
        ),
        (turns.inventory(words, "UnitId", "SideName,CurrentMap,LocationName"), *predefined(plan)),
        version=version,
        description=f"{title} {words.text.get('title.period')}".strip(),
        nextPieceSlotId=plan.next_gpid,
    )


def frame(
    words: ModuleWords,
    scenario: Scenario,
    image: str,
    parts: Iterable[Element],
    last: Iterable[Element],
    **attributes: Any,
) -> Element:
    """A build file: what every module begins and ends with around `parts`; `last` are inventory and set-ups."""
    return make(
        "GameModule",
        make("BasicCommandEncoder"),
        make(
            "Documentation",
            make("AboutScreen", title=words("help.about", title=words.title(scenario)), fileName=image),
            make("HelpFile", title=words("help.title"), fileName=help_page.FILE),
        ),
        make(
            "PlayerRoster",
            *[make("entry", content=words.side(s.id)) for s in scenario.game.sides],
            buttonIcon=icon("sides"),
            buttonToolTip=words("button.retire_tip"),
        ),
        *parts,
        make("NotesWindow", icon=icon("notes"), tooltip=words("window.notes_tip")),
        *last,
        make("Chatter"),
        make("KeyNamer"),
        name=scenario.game.module.name,
        VassalVersion=VASSAL_VERSION,
        **attributes,
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
    slots += extension_pieces.slots_of(plan.supplies, plan.first_own_gpid)
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
