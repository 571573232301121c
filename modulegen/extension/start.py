"""The set-up of the module that stands alone: every marker whose number is known, in its box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexforge.modulegen.extension.modules import slot_id
from hexforge.modulegen.extension.pieces import traits
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.commands import AddPiece, BeginSave, Command, EndSave, SetBoards
from hexforge.modulegen.vassal.commands.play import BoardPlacement
from hexforge.modulegen.vassal.payload import encode_payload
from hexforge.modulegen.vassal.save import save_tree
from hexforge.modulegen.vassal.traits.piece import STACK

if TYPE_CHECKING:
    from hexforge.modulegen.extension.plan import ExtensionPlan

_FIRST_ID = 1001


def save(plan: ExtensionPlan) -> bytes:
    """The entry `savedGame`."""
    return encode_payload(save_tree(_commands(plan)).encode())


def _commands(plan: ExtensionPlan) -> list[Command]:
    name, number = plan.sheet.name, _FIRST_ID
    found: list[Command] = []
    stacks: dict[tuple[int, int], list[str]] = {}
    for piece in plan.pieces:
        if piece.spot is None:
            continue
        box, cell = piece.spot
        x, y = box.centre(cell)
        own = traits(plan, piece)
        states = [*[None] * (len(own) - 1), t.BasicState(name, x, y, slot_id(plan, piece, alone=True))]
        found.append(AddPiece(str(number), t.piece_type(own), t.piece_state(own, states)))
        stacks.setdefault((x, y), []).append(str(number))
        number += 1
    for (x, y), ids in stacks.items():
        found.append(AddPiece(str(number), STACK, t.StackState(name, x, y, tuple(ids)).encode()))
        number += 1
    return [BeginSave(), *found, SetBoards(name, (BoardPlacement(name),)), EndSave()]
