"""The counters of a module's set-up as a log's commands move them, and those commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.vassal.archive import Archive
from hexforge.modulegen.vassal.commands import (
    AddPiece,
    BeginSave,
    ChangePiece,
    Command,
    EndSave,
    MovePiece,
    SetBoards,
    SetTurn,
)
from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.module import Module
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save
from hexforge.modulegen.vassal.traits import BasicPiece, BasicState, Labeler, Layer, Marker, StackState, Trait
from hexforge.modulegen.vassal.traits.piece import STACK, nest, piece_type
from hexforge.scenarios.words import message
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.transcribe.marks import Marks
from hexforge.validator.transcribe.spots import UNIT, TrackerReading, write_clock

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario

MAX_SAVE: Final = 64 << 20
TRACKER: Final = "TurnTracker0"
Where = tuple[str, int, int]
"""A map's name and pixels on it."""


@dataclass
class Counter:
    """A counter of the log: its type, states of its traits (outermost first) and place."""

    id: str
    type: str
    states: list[str]
    where: Where
    layer: int | None
    """Index of the trait that shows its step."""
    box: tuple[int, int]
    side: str

    @property
    def reduced(self) -> int:
        """How many steps its face says that it has lost."""
        return int(self.states[self.layer]) - 1 if self.layer is not None else 0

    def state(self) -> str:
        """All states, with its place."""
        basic = BasicState.decode(self.states[-1])
        where, x, y = self.where
        return nest([*self.states[:-1], replace(basic, map=where, x=x, y=y).encode()])


class CounterTable:
    """The counters as the log's commands move them, and the commands."""

    def __init__(self, path: Path, module: Module, marks: Marks) -> None:
        self.marks = marks
        setup = next((file for _, file in module.setups), "")
        with Archive(path) as archive:
            if setup not in archive:
                raise FormatError(message("vassal.no-set-up"), path=str(path))
            game = read_save(archive.read(setup, MAX_SAVE))
        replay = LogReplay(game, module)
        self.boards = [c for node in game.restore for c in node.commands() if isinstance(c, SetBoards)]
        self.counters: dict[str, Counter] = {}
        self.others: list[Counter] = []
        self.stacks: dict[Where, list[str]] = {}
        self.next_id = 1
        for key, record in replay.position.pieces.items():
            self.next_id = max(self.next_id, int(key) + 1 if key.isdecimal() and len(key) < 19 else 0)
            piece = replay.piece(key)
            properties = piece.properties()
            where = replay.position.place(key) or (None, 0, 0)
            layer = next((i for i, t in enumerate(piece.traits) if isinstance(t, Layer) and t.name == "Step"), None)
            box = (_whole(properties.get("BoxX", "")), _whole(properties.get("BoxY", "")))
            spot = (where[0] or marks.reserves, where[1], where[2])
            side = properties.get("Side", "")
            counter = Counter(key, record.type, list(record.states), spot, layer, box, side)
            if properties.get(UNIT):
                self.counters[properties[UNIT]] = counter
            else:
                self.others.append(counter)
            self.stacks.setdefault(spot, []).append(key)

    def new_id(self) -> str:
        """An id that no piece has."""
        self.next_id += 1
        return str(self.next_id - 1)

    def put(self, counter: Counter, where: Where) -> None:
        """Another place, without a command."""
        self._take(counter)
        counter.where = where
        self.stacks.setdefault(where, []).append(counter.id)

    def _take(self, counter: Counter) -> None:
        stack = self.stacks[counter.where]
        stack.remove(counter.id)
        if not stack:
            del self.stacks[counter.where]

    def restore(self, clock: TrackerReading, scenario: Scenario) -> list[Command]:
        """The saved position."""
        everything = [*self.counters.values(), *self.others]
        commands: list[Command] = [BeginSave()]
        commands += [AddPiece(c.id, c.type, c.state()) for c in everything]
        for (where, x, y), ids in self.stacks.items():
            commands.append(AddPiece(self.new_id(), STACK, StackState(where, x, y, tuple(ids)).encode()))
        commands += self.boards
        state = write_clock(clock, scenario)
        if state is not None:
            commands.append(SetTurn(TRACKER, state))
        return [*commands, EndSave()]

    def move(self, unit: str, where: Where) -> Iterator[Command]:
        """The commands of a drag."""
        counter = self.counters.get(unit)
        if counter is None or counter.where == where:
            return
        old = counter.where
        old_stack = self.stacks[old]
        index = old_stack.index(counter.id)
        old_under = old_stack[index - 1] if index else None
        target = self.stacks.get(where, [])
        under = target[-1] if target else None
        self.put(counter, where)
        yield MovePiece(counter.id, *where, under, *old, old_under)
        if under is None:
            yield AddPiece(self.new_id(), STACK, StackState(*where, (counter.id,)).encode())

    def turn_over(self, unit: str, reduced: int) -> Iterator[Command]:
        """The commands that show a counter's other side."""
        counter = self.counters.get(unit)
        if counter is None or counter.layer is None or counter.reduced == reduced:
            return
        old = counter.state()
        counter.states[counter.layer] = str(reduced + 1)
        yield ChangePiece(counter.id, counter.state(), old)

    def hex(self, hex_: str) -> Where:
        """The place of a hex."""
        return (self.marks.main, *self.marks.point_of(hex_))

    def dead(self, unit: str) -> Where:
        """A counter's cell among the dead."""
        counter = self.counters.get(unit)
        x, y = counter.box if counter is not None and any(counter.box) else (60, 60)
        return (self.marks.losses, x, y)

    def left(self, unit: str) -> Where:
        """Among those of its side that left the map."""
        counter = self.counters.get(unit)
        box = self.marks.left.get(counter.side if counter else "") or next(iter(self.marks.left.values()))
        return (self.marks.losses, int((box[0] + box[2]) // 2), int((box[1] + box[3]) // 2))


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else 0


def _levels(unit: st.UnitDefinition) -> tuple[str, ...]:
    return ("", *(f"+ ({'-' * lost})" for lost in range(1, 2 + len(unit.further))))


def own_counter(table: CounterTable, unit: st.UnitDefinition) -> Counter:
    """A counter for a unit that the sheet defines: a text with its id and figures."""
    figures = f"{unit.attack}-{unit.defence}-{unit.move}"
    traits: list[Trait] = [
        Labeler(
            size=14,
            background=(255, 255, 255),
            vertical="c",
            vertical_justification="c",
            name_format="$pieceName$",
        ),
        Layer(name="Step", images=("", "") + ("",) * len(unit.further), level_names=_levels(unit), loop=False),
        Marker.of(UnitId=unit.unit, Side=unit.side, Type=unit.type, Move=unit.move),
        BasicPiece(name=unit.unit),
    ]
    states = [f"{unit.unit} {figures}", "1", traits[2].state(), BasicState(None, 0, 0, "").encode()]
    where = table.dead("")
    counter = Counter(table.new_id(), piece_type(traits), states, where, 1, (0, 0), unit.side)
    table.stacks.setdefault(where, []).append(counter.id)
    return counter
