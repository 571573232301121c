"""The predefined set-up: every counter that begins on the map in its hex, all others in their boxes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.air import first_air
from hexforge.modulegen.assemble.prototypes import expand, marker_traits, prototypes, unit_traits
from hexforge.modulegen.plan.boxes import fixed
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.commands import AddPiece, BeginSave, Command, EndSave, SetBoards
from hexforge.modulegen.vassal.commands.play import BoardPlacement
from hexforge.modulegen.vassal.payload import encode_payload
from hexforge.modulegen.vassal.save import save_tree
from hexforge.modulegen.vassal.traits.piece import STACK

if TYPE_CHECKING:
    from hexforge.modulegen.plan import Plan

FIRST_ID = 1001
Spot = tuple[str, int, int]
"""A map's name and a pixel of it."""


def spots(plan: Plan) -> Iterator[tuple[Spot, tuple[str, ...]]]:
    """Where units and markers stand at the start, by id, those of one spot from the bottom of the stack up."""
    main = plan.words("map.main")
    stacks: dict[str, list[str]] = {}
    for placement in plan.scenario.setup.at_start:
        if fixed(placement):
            stacks.setdefault(placement.hexes[0], []).extend(placement.units)
    for hex_, units in stacks.items():
        yield (main, *plan.ground.centre(hex_)), tuple(units)
    on_tracks = dict(_on_tracks(plan))
    for id_, (_, (x, y)) in plan.reserves.place.items():
        if id_ not in on_tracks:
            yield (plan.reserves.name, x, y), (id_,)
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


def commands(plan: Plan) -> list[Command]:
    """What `GameState` restores a game from: pieces, the stacks they lie in, the boards."""
    known = prototypes(plan)
    markers = {m.id: m for m in plan.markers}
    pieces: list[Command] = []
    stacks: list[tuple[Spot, tuple[str, ...]]] = []
    number = FIRST_ID
    for (where, x, y), ids in spots(plan):
        stacked = []
        for id_ in ids:
            if id_ in plan.units:
                gpid, slot = plan.units[id_].gpid, unit_traits(plan, plan.units[id_])
            else:
                gpid, slot = markers[id_].gpid, marker_traits(plan, markers[id_])
            traits = expand(slot, known)
            states = [*[None] * (len(traits) - 1), t.BasicState(where, x, y, str(gpid))]
            pieces.append(AddPiece(str(number), t.piece_type(traits), t.piece_state(traits, states)))
            stacked.append(str(number))
            number += 1
        stacks.append(((where, x, y), tuple(stacked)))
    for (where, x, y), stacked_ids in stacks:
        pieces.append(AddPiece(str(number), STACK, t.StackState(where, x, y, stacked_ids).encode()))
        number += 1
    boards = [SetBoards(name, (BoardPlacement(name),)) for name in map_names(plan)]
    return [BeginSave(), *pieces, *boards, EndSave()]


def map_names(plan: Plan) -> tuple[str, ...]:
    """The names of all map windows."""
    return plan.words("map.main"), plan.reserves.name, plan.losses.name


def save(plan: Plan) -> bytes:
    """The entry `savedGame`."""
    return encode_payload(save_tree(commands(plan)).encode())
