"""The predefined set-up: every counter that begins on the map in its hex, all others in their boxes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from modulegen.assemble.prototypes import expand, prototypes, unit_traits
from modulegen.plan.boxes import fixed
from modulegen.vassal import traits as t
from modulegen.vassal.payload import encode_payload
from modulegen.vassal.sequence import encode

if TYPE_CHECKING:
    from modulegen.plan import Plan

ESC = "\x1b"
FIRST_ID = 1001
Spot = tuple[str, int, int]
"""A map's name and a pixel of it."""


def spots(plan: Plan) -> Iterator[tuple[Spot, tuple[str, ...]]]:
    """Where units stand at the start, those of one spot together, from the bottom of the stack up."""
    main = plan.words("map.main")
    stacks: dict[str, list[str]] = {}
    for placement in plan.scenario.setup.at_start:
        if fixed(placement):
            stacks.setdefault(placement.hexes[0], []).extend(placement.units)
    for hex_, units in stacks.items():
        yield (main, *plan.ground.centre(hex_)), tuple(units)
    for unit, (_, (x, y)) in plan.reserves.place.items():
        yield (plan.reserves.name, x, y), (unit,)


def commands(plan: Plan) -> str:
    """The text of the save: what `GameState` restores a game from."""
    known = prototypes(plan)
    pieces: list[str] = []
    stacks: list[str] = []
    number = FIRST_ID
    placed = list(spots(plan))
    first_stack = FIRST_ID + sum(len(units) for _, units in placed)
    for (where, x, y), units in placed:
        ids = []
        for unit in units:
            plan_ = plan.units[unit]
            traits = expand(unit_traits(plan, plan_), known)
            states = [None] * (len(traits) - 1)
            state = t.piece_state(traits, [*states, t.BasicState(where, x, y, str(plan_.gpid))])
            pieces.append(t.add_piece(str(number), t.piece_type(traits), state))
            ids.append(str(number))
            number += 1
        stacks.append(t.stack_piece(str(first_stack + len(stacks)), t.StackState(where, x, y, tuple(ids))))
    boards = ["\t".join([f"{n}BoardPicker", n, "0", "0"]) for n in map_names(plan)]
    return encode(["begin_save", "", *pieces, *stacks, *boards, "end_save"], ESC)


def map_names(plan: Plan) -> tuple[str, ...]:
    """The names of all map windows."""
    return plan.words("map.main"), plan.reserves.name, plan.losses.name


def save(plan: Plan) -> bytes:
    """The entry `savedGame`."""
    return encode_payload(commands(plan).encode())
