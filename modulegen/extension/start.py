"""Where markers lie at the start: each whose number is known in its box, or in its hex."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexforge.modulegen.extension.parts import FIRST_SLOT, slot_id
from hexforge.modulegen.extension.pieces import traits
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.commands import AddPiece, BeginSave, Command, EndSave, SetBoards
from hexforge.modulegen.vassal.commands.play import BoardPlacement
from hexforge.modulegen.vassal.payload import encode_payload
from hexforge.modulegen.vassal.save import save_tree
from hexforge.modulegen.vassal.traits.piece import STACK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexforge.modulegen.extension.plan import ExtensionPlan, PiecePlan

_FIRST_ID = 1001


Spot = tuple["PiecePlan", str, int, int]
"""A piece, the name of a map, and a pixel of it."""


def save(plan: ExtensionPlan) -> bytes:
    """The entry `savedGame`."""
    name = plan.sheet.name
    placed = commands(plan, on_tracks(plan), FIRST_SLOT, _FIRST_ID)
    tree = save_tree([BeginSave(), *placed, SetBoards(name, (BoardPlacement(name),)), EndSave()])
    return encode_payload(tree.encode())


def on_tracks(plan: ExtensionPlan) -> list[Spot]:
    """The pieces that begin in a box of the sheet."""
    return [(p, plan.sheet.name, *p.spot[0].centre(p.spot[1])) for p in plan.pieces if p.spot is not None]


def commands(plan: ExtensionPlan, spots: Iterable[Spot], first: int, number: int) -> list[Command]:
    """Pieces and their stacks; slots are numbered from `first`, pieces and stacks from `number` on."""
    found: list[Command] = []
    stacks: dict[tuple[str, int, int], list[str]] = {}
    for piece, where, x, y in spots:
        own = traits(plan, piece)
        states = [*[None] * (len(own) - 1), t.BasicState(where, x, y, slot_id(plan, piece, first))]
        found.append(AddPiece(str(number), t.piece_type(own), t.piece_state(own, states)))
        stacks.setdefault((where, x, y), []).append(str(number))
        number += 1
    for (where, x, y), ids in stacks.items():
        found.append(AddPiece(str(number), STACK, t.StackState(where, x, y, tuple(ids)).encode()))
        number += 1
    return found
