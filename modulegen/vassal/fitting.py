"""Commands that do not fit the position that they are carried out on.

VASSAL writes beside what a command does what it was done to: where a piece stood, the state that it had, the value
that a property had. In a log to which nothing was done, these are what the commands before have led to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hexforge.modulegen.vassal.commands import (
    AddPiece,
    ChangePiece,
    ChangeProperty,
    Command,
    Log,
    MovePiece,
    RemovePiece,
    SetPersistentProperty,
)
from hexforge.modulegen.vassal.position import GameState
from hexforge.modulegen.vassal.traits import Footprint
from hexforge.modulegen.vassal.traits.piece import TooManyTraits, read_types, unnest

MisfitKind = Literal["nothing", "there-already", "elsewhere", "otherwise", "property"]


@dataclass(frozen=True, slots=True)
class Misfit:
    """A command that does not fit. `id`: of the piece it is about or, for a property, its name.

    Kinds: there is `nothing` of that id, or a piece that is added is `there-already`; a piece stood `elsewhere`
    or was `otherwise` than the command says; a `property` had another value.
    """

    kind: MisfitKind
    id: str


def misfit(position: GameState, command: Command) -> Misfit | None:
    """How a command does not fit a position, before it is carried out on it; None where it does."""
    plain = command.command if isinstance(command, Log) else command
    match plain:
        case MovePiece() | ChangePiece() | RemovePiece() | SetPersistentProperty():
            if plain.id not in position.pieces and plain.id not in position.containers:
                return Misfit("nothing", plain.id)
            return _of_piece(position, plain)
        case AddPiece(id=str(id_)) if id_ in position.pieces:
            return Misfit("there-already", id_)
        case ChangeProperty(old=old) if old:  # none is told of a property that nothing has been given yet
            known = position.properties.get((plain.container, plain.name), plain.old)
            return Misfit("property", plain.name) if known not in (plain.old, plain.new) else None
    return None


def _of_piece(position: GameState, command: Command) -> Misfit | None:
    match command:
        case MovePiece(id=id_):
            stood, said = position.place(id_), (command.old_map, command.old_x, command.old_y)
            off_map = stood is not None and stood[0] is None and command.old_map is None
            return Misfit("elsewhere", id_) if stood != said and not off_map else None
        case ChangePiece(id=id_, old_state=str(old)) if id_ in position.pieces:
            return Misfit("otherwise", id_) if _was_otherwise(position, id_, command.state, old) else None
    return None


def _was_otherwise(position: GameState, id_: str, new: str, old: str) -> bool:
    """Whether a trait that a command changes had a state that is neither the old nor the new one.

    VASSAL itself gives a trait the state that it has already. Of trails nothing is asked, for it adds to them as it
    reads them, nor of the innermost state: places stand in it, which the position keeps elsewhere.
    """
    record = position.pieces[id_]
    states = record.states[:-1]
    try:
        before, after = unnest(old, len(record.states)), unnest(new, len(record.states))
        found = [
            i for i, (s, b, a) in enumerate(zip(states, before, after, strict=False)) if a != b and s not in (a, b)
        ]
        return bool(found) and any(not isinstance(read_types(record.type)[i], Footprint) for i in found)
    except TooManyTraits:
        return False
