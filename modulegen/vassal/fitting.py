"""Commands that do not fit the position that they are carried out on.

VASSAL writes beside what a command does what it was done to. In a log to which nothing was done, that is what the
commands before have led to. Its classes, and what each keeps for its own undo (`myUndoCommand`):

- `VASSAL.command.MovePiece`: map, point and piece beneath before the move (`MoveTracker`).
- `VASSAL.command.ChangePiece`: the whole state before the change (`ChangeTracker`), of which
  `VASSAL.counters.Decorator.mergeState` carries out only the traits that differ. The piece is looked up by its id,
  as `VASSAL.command.RemovePiece` does; what is not there is passed over in silence.
- `VASSAL.command.AddPiece`: nothing. A stack is added around a piece that was set down just before, at the same
  point (`VASSAL.build.module.Map.placeOrMerge`).
- `VASSAL.build.module.properties.ChangePropertyCommand`: the value before.
- `VASSAL.command.SetPersistentPropertyCommand`: the value before, of which nothing is asked here.

A tracker's `VASSAL.build.module.turn.TurnTracker.SetTurn` knows its old state and does not write it.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    Undo,
)
from hexforge.modulegen.vassal.position import GameState, PieceRecord
from hexforge.modulegen.vassal.traits import Footprint, Layer, Marker, StackState, Trait, UnknownTrait
from hexforge.modulegen.vassal.traits.piece import STACK, TooManyTraits, read_types, unnest

MisfitKind = Literal["nothing", "there-already", "elsewhere", "otherwise", "fixed", "property", "undo"]


@dataclass(frozen=True, slots=True)
class Misfit:
    """A command that does not fit. `id`: of the piece it is about or, for a property, its name.

    Kinds: there is `nothing` of that id, or a piece that is added is `there-already`; a piece stood `elsewhere`
    or was `otherwise` than the command says, or something that no play changes, `fixed`, is changed; a `property`
    had another value; an `undo` lacks its beginning, its end, or all that lies between, and no id.
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
        case AddPiece(type=type_) if type_ == STACK:
            return _of_stack(position, StackState.decode(plain.state))
        case ChangeProperty(old=old) if old:  # none is told of a property that nothing has been given yet
            known = position.properties.get((plain.container, plain.name), plain.old)
            return Misfit("property", plain.name) if known not in (plain.old, plain.new) else None
    return None


def half_undo(commands: Iterable[Command]) -> Misfit | None:
    """How an action that takes another back does not: between two marks it takes something back.

    `VASSAL.build.module.BasicLogger.undo` makes all of it one command.
    """
    begun = taken = False
    for command in commands:
        plain = command.command if isinstance(command, Log) else command
        if not isinstance(plain, Undo):
            taken = True
        elif plain.begins == begun or not (plain.begins or taken):
            return Misfit("undo", "")
        else:
            begun, taken = plain.begins, False
    return Misfit("undo", "") if begun else None


def _of_stack(position: GameState, stack: StackState) -> Misfit | None:
    """How the pieces that a stack is added around do not stand where it is."""
    for id_ in stack.pieces:
        stood = position.place(id_)
        if stood != (stack.map, stack.x, stack.y):
            return Misfit("nothing" if stood is None else "elsewhere", id_)
    return None


def _of_piece(position: GameState, command: Command) -> Misfit | None:
    match command:
        case MovePiece(id=id_):
            stood, said = position.place(id_), (command.old_map, command.old_x, command.old_y)
            off_map = stood is not None and stood[0] is None and command.old_map is None
            return Misfit("elsewhere", id_) if stood != said and not off_map else None
        case ChangePiece(id=id_, old_state=str(old)) if id_ in position.pieces:
            kind = _changed_amiss(position.pieces[id_], command.state, old)
            return Misfit(kind, id_) if kind is not None else None
    return None


def _changed_amiss(record: PieceRecord, new: str, old: str) -> MisfitKind | None:
    """How a change of a piece's state does not fit the states of its traits.

    A state may be the new one already, for VASSAL gives a trait what it has. Nothing is asked of the innermost
    state: places stand in it, which the position keeps elsewhere.
    """
    states = record.states[:-1]
    try:
        before, after = unnest(old, len(record.states)), unnest(new, len(record.states))
        told = list(zip(states, before, after, strict=False))
        changed = [i for i, (_, b, a) in enumerate(told) if a != b]
        amiss = [i for i, (s, b, a) in enumerate(told) if s not in (a, b)]
        if not changed and not amiss:
            return None
        traits = read_types(record.type)
    except TooManyTraits:
        return None
    if any(isinstance(traits[i], Marker) for i in changed):
        return "fixed"
    return "otherwise" if any(_is_known(traits[i]) for i in amiss) else None


def _is_known(trait: Trait) -> bool:
    """Whether a trait has no other state than commands gave it.

    VASSAL adds to trails as it reads them, and a layer that follows a property is set as the piece is drawn.
    """
    return not isinstance(trait, Footprint | UnknownTrait) and not (isinstance(trait, Layer) and trait.follow)
