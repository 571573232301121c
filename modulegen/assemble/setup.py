"""The predefined set-up: every counter that begins on the map in its hex, all others in their boxes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.air import first_air
from hexforge.modulegen.assemble.combat import counters as combatants
from hexforge.modulegen.assemble.combat import names as n
from hexforge.modulegen.assemble.combat import tasks
from hexforge.modulegen.assemble.prototypes import Traits, expand, marker_traits, prototypes, unit_traits
from hexforge.modulegen.extension import start
from hexforge.modulegen.plan.deployment import fixed
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make
from hexforge.modulegen.vassal.commands import AddPiece, BeginSave, Command, EndSave, SetBoards
from hexforge.modulegen.vassal.commands.play import BoardPlacement
from hexforge.modulegen.vassal.payload import encode_payload
from hexforge.modulegen.vassal.save import save_tree
from hexforge.modulegen.vassal.traits.piece import STACK

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan

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
    found = start.on_tracks(plan.supplies)
    for piece in plan.supplies.pieces:
        begins = piece.marker.start
        if begins is not None and not piece.endless:
            # One hex is for all of a kind; of several each takes its own.
            place = max(0, int(piece.number or 1) - 1) if len(begins.hexes) > 1 else 0
            found += [
                (piece, plan.words("map.main"), *plan.ground.centre(hex_))
                for hex_ in begins.hexes[place : place + 1]
            ]
    return start.commands(plan.supplies, found, plan.first_own_gpid, number)


def _mark(plan: Plan, id_: str, trait: t.Trait) -> str | None:
    """The state of a trait that marks a unit due in the first turn, or shows steps lost before; None for others."""
    weak = plan.scenario.setup.weak.get(id_)
    if weak and isinstance(trait, t.Layer) and trait.name == "Step":
        return str(1 + weak)
    marks = isinstance(trait, t.DynamicProperty) and trait.name == combatants.ROLE and id_ in plan.units
    return str(n.DUE) if marks and tasks.starts_due(plan, plan.units[id_]) else None


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
