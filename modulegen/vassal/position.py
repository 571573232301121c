"""The position that commands lead to: pieces, stacks, decks, properties, players, turns.

`Position.apply` follows what VASSAL's commands do to its game state, stacking included, and remembers what it
changed, so that `undo` steps back. Sources: `VASSAL.command.AddPiece`, `RemovePiece`, `ChangePiece`,
`MovePiece`, `VASSAL.build.module.map.StackMetrics.merge`, `VASSAL.counters.Stack`, `Deck`, `Decorator`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ...scenarios.text.words import message
from .commands import (
    AddPiece,
    AddPlayer,
    ChangePiece,
    ChangeProperty,
    Chat,
    Command,
    Log,
    MovePiece,
    RemovePiece,
    RemovePlayer,
    ScenarioNotes,
    SetBoards,
    SetGlobalProperty,
    SetPersistentProperty,
    SetTurn,
)
from .encoding import FormatError, remembered
from .secrets import Secret
from .traits import BasicState, DeckState, Immobilized, Mat, Piece, StackState
from .traits.piece import STACK, TooManyTraits, nest, read_outline, read_types, unnest

DECK = "deck;"
EMPTY_STACK = re.compile(
    rb"\+/([^/\\']+)/stack/(?!null;)([^;/\\'@]+);(-?[0-9]{1,9});(-?[0-9]{1,9});@@(-?[0-9]{1,9})"
).fullmatch
"""The command that adds a stack of no pieces: its id, map, point and layer."""
MAX_SHIFTED = 10_000_000
"""Ids that may be copied as stacks change, all together. The games that people play stay below a hundredth."""
_WORD = 5
"""Characters of a piece's own properties that count as one: all of them are written anew where one changes."""


class PieceRecord(NamedTuple):
    """A piece: its type, the states of its traits (outermost first), where it is, what it lies in.

    `map`, `x` and `y` are the piece's own; while `parent` names a stack or deck, that one's count.
    """

    type: str
    states: tuple[str, ...]
    map: str | None
    x: int
    y: int
    gpid: str
    parent: str | None = None

    # A state may hold the id of who hid the piece, which is a password.
    def __repr__(self) -> str:
        return f"PieceRecord({self.gpid!r} on {self.map!r} at {self.x},{self.y} in {self.parent!r})"

    @property
    def state(self) -> str:
        return nest(self.states)

    def piece(self) -> Piece:
        """Traits and states; raises `TooDeep`."""
        return Piece(read_types(self.type), self.states)


class Container(NamedTuple):
    """A stack or a deck: its pieces from bottom to top. `deck` is the deck's type text, "" for a stack."""

    map: str | None
    x: int
    y: int
    pieces: tuple[str, ...]
    layer: int | None = -1
    deck: str = ""
    face_down: bool = False


@dataclass(frozen=True)
class Player:
    """A player as the roster has it; `id` is secret."""

    id: Secret
    name: str
    side: str


Change = list[tuple[dict[Any, Any], Any, Any]]
_MISSING = object()


class GameState:
    """A game's state. All values in its dictionaries are immutable; change them by `apply` only."""

    def __init__(self) -> None:
        self.pieces: dict[str, PieceRecord] = {}
        self.containers: dict[str, Container] = {}
        self.properties: dict[tuple[str, str], str] = {}
        self.players: dict[tuple[Secret, str], Player] = {}
        self.boards: dict[str, SetBoards] = {}
        self.turns: dict[str, str] = {}
        self.notes: dict[str, str] = {}
        # Commands that named a piece that is not there, which VASSAL passes over in silence, by its id.
        self.missed: dict[str, int] = {}
        self._changes: Change = []
        self._counts: dict[str, int] = {"made": 0}  # ids for what has none: stepped back over, the same come again
        self._shifted = 0
        # Stacks with pieces, and decks, by the spot where they lie: saves hold thousands of empty stacks.
        self._spots: dict[tuple[str | None, int, int], tuple[str, ...]] = {}

    # -- changing -------------------------------------------------------------------------------------------

    def apply(self, commands: Iterable[Command] | Command) -> Change:
        """Carry out commands; the result, handed to `undo`, takes them back.

        Raises `FormatError` only for more pieces on one spot, or properties of one, than can be followed.
        """
        changes: Change = []
        self._changes = changes
        for command in (commands,) if isinstance(commands, Command) else commands:
            plain = command.command if isinstance(command, Log) else command
            try:
                self._one(plain)
            except TooManyTraits:
                self._miss(str(getattr(plain, "id", "")))
        self._changes = []
        return changes

    def lay_empty(self, stack_id: str, where: str, x: str, y: str, layer: str) -> None:
        """Add a stack of no pieces to a position that is being set up, as its command would."""
        if stack_id == "null":
            stack_id = self._new_id()
        self.containers.setdefault(stack_id, Container(where, int(x), int(y), (), int(layer)))

    def undo(self, changes: Change) -> None:
        """Restore what was before the changes; the latest must be undone first."""
        self._shifted = 0
        for table, key, old in reversed(changes):
            if old is _MISSING:
                table.pop(key, None)
            else:
                table[key] = old

    def _set(self, table: dict[Any, Any], key: Any, value: Any) -> None:
        self._changes.append((table, key, table.get(key, _MISSING)))
        if value is _MISSING:
            table.pop(key, None)
        else:
            table[key] = value

    def _hold(self, container_id: str, value: Container | None) -> None:
        """Set or (None) remove a container, and keep the index of spots."""
        old = self.containers.get(container_id)
        before = (old.map, old.x, old.y) if old and (old.pieces or old.deck) else None
        self._count(len(value.pieces) if value else 0)
        after = (value.map, value.x, value.y) if value and (value.pieces or value.deck) else None
        if before != after:
            if before is not None:
                others = self._spots.get(before, ())
                self._count(len(others))
                rest = tuple(i for i in others if i != container_id)
                self._set(self._spots, before, rest or _MISSING)
            if after is not None:
                others = self._spots.get(after, ())
                self._count(len(others))
                self._set(self._spots, after, (*others, container_id))
        self._set(self.containers, container_id, _MISSING if value is None else value)

    def _count(self, copied: int) -> None:
        self._shifted += copied
        if self._shifted > MAX_SHIFTED:
            raise FormatError(message("vassal.crowded", most=MAX_SHIFTED), where="savedGame")

    def _one(self, command: Command) -> None:
        match command:
            case Chat():  # Most of a log says something and changes nothing.
                pass
            case AddPiece():
                self._add(command)
            case ChangePiece():
                self._change(command)
            case MovePiece():
                self._move(command)
            case RemovePiece():
                self._remove(command.id)
            case ChangeProperty():
                self._set(self.properties, (command.container, command.name), command.new)
            case SetGlobalProperty():
                self._set(self.properties, (command.container, command.name), command.value)
            case SetPersistentProperty():
                self._persist(command)
            case AddPlayer():
                player = Player(command.id, command.name, command.side)
                self._set(self.players, (command.id, command.side), player)
            case RemovePlayer():
                self._count(len(self.players))
                for key in [k for k in self.players if k[0] == command.id]:
                    self._set(self.players, key, _MISSING)
            case SetBoards():
                self._set(self.boards, command.map, command)
            case SetTurn():
                self._set(self.turns, command.tracker, command.state)
            case ScenarioNotes():
                self._set(self.notes, "scenario", command.text)

    def _miss(self, piece_id: str) -> None:
        self._set(self.missed, piece_id, self.missed.get(piece_id, 0) + 1)

    def _add(self, command: AddPiece) -> None:
        piece_id = command.id or self._new_id()
        if command.type == STACK:
            stack = StackState.decode(command.state)
            old = self.containers.get(piece_id)
            if old is None:
                self._hold(piece_id, Container(stack.map, stack.x, stack.y, (), stack.layer))
            if old is not None or stack.pieces:
                self._fill(piece_id, stack.map, stack.x, stack.y, stack.pieces, layer=stack.layer)
        elif command.type.startswith(DECK):
            deck = DeckState.decode(command.state)
            if piece_id not in self.containers:
                empty = Container(deck.map, deck.x, deck.y, (), None, command.type, deck.face_down)
                self._hold(piece_id, empty)
            self._fill(piece_id, deck.map, deck.x, deck.y, deck.pieces, face_down=deck.face_down)
        else:
            self._detach(piece_id)
            self._set(self.pieces, piece_id, _record(command.type, command.state))

    def _new_id(self) -> str:
        self._set(self._counts, "made", self._counts["made"] + 1)
        return f"new-{self._counts['made']}"

    def _fill(
        self,
        container_id: str,
        where: str | None,
        x: int,
        y: int,
        ids: tuple[str, ...],
        *,
        layer: int | None = None,
        face_down: bool | None = None,
    ) -> None:
        """Give a container its place and contents; ids of pieces that are not there are left out."""
        container = self.containers[container_id]
        wanted = tuple(dict.fromkeys(i for i in ids if i in self.pieces))
        for piece_id in wanted:
            if self.pieces[piece_id].parent != container_id:
                self._detach(piece_id)
                self._set(self.pieces, piece_id, self.pieces[piece_id]._replace(parent=container_id))
        for piece_id in set(container.pieces) - set(wanted):
            record = self.pieces.get(piece_id)
            if record is not None and record.parent == container_id:
                where_it_was = record._replace(parent=None, map=container.map, x=container.x, y=container.y)
                self._set(self.pieces, piece_id, where_it_was)
        filled = self.containers[container_id]._replace(map=where, x=x, y=y, pieces=wanted)
        if layer is not None:
            filled = filled._replace(layer=layer)
        if face_down is not None:
            filled = filled._replace(face_down=face_down)
        self._hold(container_id, filled)

    def _detach(self, piece_id: str) -> None:
        """Take a piece out of its stack or deck; a stack left empty is gone."""
        record = self.pieces.get(piece_id)
        if record is None or record.parent is None:
            return
        holder = self.containers.get(record.parent)
        if holder is not None:
            container_id = record.parent
            record = record._replace(map=holder.map, x=holder.x, y=holder.y)
            rest = tuple(i for i in holder.pieces if i != piece_id)
            gone = not rest and not holder.deck
            self._hold(container_id, None if gone else holder._replace(pieces=rest))
        self._set(self.pieces, piece_id, record._replace(parent=None))

    def _remove(self, piece_id: str) -> None:
        if piece_id in self.pieces:
            self._detach(piece_id)
            self._set(self.pieces, piece_id, _MISSING)
        elif piece_id in self.containers:
            holder = self.containers[piece_id]
            self._fill(piece_id, holder.map, holder.x, holder.y, ())
            self._hold(piece_id, None)
        else:
            self._miss(piece_id)

    def _change(self, command: ChangePiece) -> None:
        record = self.pieces.get(command.id)
        if record is not None:
            self._change_piece(command, record)
        elif (holder := self.containers.get(command.id)) is not None:
            if holder.deck:
                deck = DeckState.decode(command.state)
                self._fill(command.id, deck.map, deck.x, deck.y, deck.pieces, face_down=deck.face_down)
            else:
                self._change_stack(command, holder)
        else:
            self._miss(command.id)

    def _change_piece(self, command: ChangePiece, record: PieceRecord) -> None:
        count = len(record.states)
        new = unnest(command.state, count)
        states = list(record.states)
        if command.old_state is None:
            states[: len(new)] = new
        else:
            # Only traits that the command itself changes are touched.
            old = unnest(command.old_state, count)
            for index, text in enumerate(new):
                if index >= len(old) or old[index] != text:
                    states[index] = text
        changed = record._replace(states=tuple(states))
        if states[-1] != record.states[-1]:
            basic = BasicState.decode(states[-1])
            changed = changed._replace(gpid=basic.gpid)
            if record.parent is None:
                changed = changed._replace(map=basic.map, x=basic.x, y=basic.y)
            elif basic.map != self.containers[record.parent].map:
                self._detach(command.id)
                changed = changed._replace(map=basic.map, x=basic.x, y=basic.y, parent=None)
        self._set(self.pieces, command.id, changed)

    def _change_stack(self, command: ChangePiece, holder: Container) -> None:
        new = StackState.decode(command.state)
        wanted = list(new.pieces)
        if command.old_state is not None:
            old = StackState.decode(command.old_state)
            # Pieces that came in since, and that the command does not know, stay where they are.
            for index, piece_id in enumerate(holder.pieces):
                if piece_id not in wanted and piece_id not in old.pieces:
                    below = holder.pieces[index - 1] if index else None
                    wanted.insert(wanted.index(below) + 1 if below in wanted else 0, piece_id)
        self._fill(command.id, new.map, new.x, new.y, tuple(wanted), layer=new.layer)

    def _persist(self, command: SetPersistentProperty) -> None:
        record = self.pieces.get(command.id)
        if record is None:
            self._miss(command.id)
            return
        self._count(len(record.states[-1]) // _WORD)
        basic = BasicState.decode(record.states[-1])
        pairs = dict(basic.properties) | {command.name: command.new}
        text = replace(basic, properties=tuple(pairs.items())).encode()
        self._set(self.pieces, command.id, record._replace(states=(*record.states[:-1], text)))

    def _move(self, command: MovePiece) -> None:
        if command.id in self.pieces:
            self._move_piece(command)
        elif command.id in self.containers:
            self._move_container(command)
        else:
            self._miss(command.id)

    def _move_container(self, command: MovePiece) -> None:
        holder = self.containers[command.id]
        target = None
        if command.map is not None and command.under is not None:
            target = self._holder_of(command.under)
        elif command.map is not None:
            target = self._stack_at(command, exclude=command.id)
        if target is not None and target != command.id:
            for piece_id in holder.pieces:
                self._insert(piece_id, target)
            return
        self._hold(command.id, holder._replace(map=command.map, x=command.x, y=command.y))

    def _move_piece(self, command: MovePiece) -> None:
        if command.map is None:
            self._detach(command.id)
            self._place(command.id, None, self.pieces[command.id].x, self.pieces[command.id].y)
            return
        target = None
        if command.under is not None and self.place(command.under) == (command.map, command.x, command.y):
            self._merge_with(command.id, command.under)
            return
        target = self._stack_at(command)
        if target is None:
            self._detach(command.id)
            self._place(command.id, command.map, command.x, command.y)
        elif self.pieces[command.id].parent != target:
            self._insert(command.id, target)
        if command.under is None and (parent := self.pieces[command.id].parent) is not None:
            holder = self.containers[parent]
            rest = tuple(i for i in holder.pieces if i != command.id)
            self._hold(parent, holder._replace(pieces=(command.id, *rest)))

    def _place(self, piece_id: str, where: str | None, x: int, y: int) -> None:
        record = self.pieces[piece_id]
        self._set(self.pieces, piece_id, record._replace(map=where, x=x, y=y))

    def _merge_with(self, piece_id: str, under: str) -> None:
        """Lay a piece upon another, making a stack where there is none, as VASSAL does."""
        if under in self.containers:
            pieces = self.containers[under].pieces
            if not pieces or self.containers[under].deck:
                self._insert(piece_id, under)
                return
            under = pieces[-1]
        if under == piece_id:
            return
        parent = self.pieces[under].parent
        if parent is None:
            record = self.pieces[under]
            parent = self._new_id()
            self._hold(parent, Container(record.map, record.x, record.y, ()))
            self._insert(under, parent)
        holder = self.containers[parent]
        if piece_id in holder.pieces:
            rest = [i for i in holder.pieces if i != piece_id]
            rest.insert(rest.index(under) + 1, piece_id)
            self._hold(parent, holder._replace(pieces=tuple(rest)))
        else:
            self._insert(piece_id, parent, holder.pieces.index(under) + 1)

    def _insert(self, piece_id: str, target: str, index: int | None = None) -> None:
        if self.pieces[piece_id].parent == target:
            return
        self._detach(piece_id)
        holder = self.containers.get(target)
        if holder is None:
            return
        at = len(holder.pieces) if index is None else min(index, len(holder.pieces))
        pieces = (*holder.pieces[:at], piece_id, *holder.pieces[at:])
        self._hold(target, holder._replace(pieces=pieces))
        self._set(self.pieces, piece_id, self.pieces[piece_id]._replace(parent=target))

    def _holder_of(self, piece_id: str) -> str | None:
        if piece_id in self.containers:
            return piece_id
        record = self.pieces.get(piece_id)
        return record.parent if record else None

    def _stack_at(self, command: MovePiece, exclude: str | None = None) -> str | None:
        """A deck or, for a piece that stacks, a stack on the very spot."""
        spot = (command.map, command.x, command.y)
        stacks = True
        if command.id in self.pieces:
            stacks = may_stack(self.pieces[command.id])
        here = self._spots.get(spot, ())
        self._count(len(here))
        for key in here:
            holder = self.containers[key]
            if key != exclude and (holder.deck or stacks) and holder.pieces != (command.id,):
                return key
        return None

    # -- looking --------------------------------------------------------------------------------------------

    def place(self, piece_id: str) -> tuple[str | None, int, int] | None:
        """Map and pixel position of a piece, stack or deck; None if it is not there."""
        record = self.pieces.get(piece_id)
        if record is None:
            holder = self.containers.get(piece_id)
            return (holder.map, holder.x, holder.y) if holder else None
        holder = self.containers.get(record.parent) if record.parent else None
        return (holder.map, holder.x, holder.y) if holder else (record.map, record.x, record.y)

    def stack_of(self, piece_id: str) -> tuple[str, ...]:
        """The pieces of the stack or deck that a piece lies in, bottom first; itself if in none."""
        record = self.pieces[piece_id]
        holder = self.containers.get(record.parent) if record.parent else None
        return holder.pieces if holder else (piece_id,)

    def on_map(self) -> Iterator[tuple[str, PieceRecord]]:
        """Pieces that are on some map, with their ids."""
        for piece_id, record in self.pieces.items():
            where = self.place(piece_id)
            if where is not None and where[0] is not None:
                yield piece_id, record


def _record(type_text: str, state_text: str) -> PieceRecord:
    depth = read_outline(type_text).depth
    states = unnest(state_text, depth)
    basic = BasicState.decode(states[-1])
    filled = (*states, *[""] * (depth - len(states)))
    return PieceRecord(type_text, filled, basic.map, basic.x, basic.y, basic.gpid)


def may_stack(record: PieceRecord) -> bool:
    """Whether a piece joins stacks at all."""
    return _may_stack(record.type)


@remembered(1 << 23)
def _may_stack(type_text: str) -> bool:
    if "immob;" not in type_text and "mat;" not in type_text:
        return True
    traits = read_types(type_text)
    return not any((isinstance(t, Immobilized) and t.stack[:1] != "L") or isinstance(t, Mat) for t in traits)
