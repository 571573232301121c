"""The way back: a turn sheet as a log that VASSAL steps through, one statement a step.

Every line stands in the chat as it does in the sheet, so that nothing is lost (lines that nobody would take for
statements bear the mark `!`), and the counters do what it says as far as they can: a move of a unit that does not
exist is only told. The log begins from the module's own set-up, changed to what the sheet says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.vassal.archive import EPOCH, Archive, write_atomic
from hexforge.modulegen.vassal.commands import (
    AddPiece,
    BeginSave,
    ChangePiece,
    Chat,
    Command,
    EndSave,
    MovePiece,
    SetBoards,
    SetTurn,
)
from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.metadata import MAX_METADATA, Metadata, read_metadata
from hexforge.modulegen.vassal.module import Module, read_module
from hexforge.modulegen.vassal.replay import Replay
from hexforge.modulegen.vassal.save import read_save, save_bytes, save_tree
from hexforge.modulegen.vassal.traits import BasicPiece, BasicState, Labeler, Layer, Marker, StackState, Trait
from hexforge.modulegen.vassal.traits.piece import STACK, nest, piece_type
from hexforge.scenarios.words import HexforgeError, Language, message
from hexforge.validator.readers import statements as st
from hexforge.validator.readers.lexer import logical_lines
from hexforge.validator.readers.words import vocabulary_of
from hexforge.validator.readers.writer import write_statement
from hexforge.validator.referee.replay import steps
from hexforge.validator.transcribe.marks import Marks, read_marks
from hexforge.validator.transcribe.spots import UNIT, Clock, first_clock, write_clock
from hexforge.validator.transcribe.typed import MARK, Listener

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario

MAX_SAVE: Final = 64 << 20
TRACKER: Final = "TurnTracker0"
Where = tuple[str, int, int]


class NoModule(HexforgeError):
    """No module to write the log for. `game` is the scenario's name."""

    def __init__(self, game: str) -> None:
        super().__init__(message("validator.transcribe.no-module", game=game))
        self.game = game


@dataclass
class Counter:
    """A counter of the log: its type, states of its traits (outermost first) and place."""

    id: str
    type: str
    states: list[str]
    where: Where
    layer: int | None
    """Index of the trait that shows the reduced side."""
    box: tuple[int, int]
    side: str

    @property
    def reduced(self) -> bool:
        return self.layer is not None and self.states[self.layer] == "2"

    def state(self) -> str:
        """All states, with its place."""
        basic = BasicState.decode(self.states[-1])
        where, x, y = self.where
        return nest([*self.states[:-1], replace(basic, map=where, x=x, y=y).encode()])


def game_module(game: str, beside: Iterable[Path]) -> Path:
    """The module of a game in the first of some folders that has one. Raises NoModule."""
    folders = list(dict.fromkeys(folder.absolute() for folder in beside))
    for folder in folders:
        for path in sorted(folder.glob("*.vmod"))[:50] if folder.is_dir() else []:
            try:
                with Archive(path) as archive:
                    marks = read_marks(read_metadata(archive.read("moduledata", MAX_METADATA)))
            except (FormatError, OSError, KeyError):
                continue
            if marks is not None and marks.game == game:
                return path
    raise NoModule(game)


class _Table:
    """The counters as the log's commands move them, and the commands."""

    def __init__(self, path: Path, module: Module, marks: Marks) -> None:
        self.marks = marks
        setup = next((file for _, file in module.setups), "")
        with Archive(path) as archive:
            if setup not in archive:
                raise FormatError(message("vassal.no-set-up"), path=str(path))
            game = read_save(archive.read(setup, MAX_SAVE))
        replay = Replay(game, module)
        self.boards = [c for node in game.restore for c in node.commands() if isinstance(c, SetBoards)]
        self.counters: dict[str, Counter] = {}
        self.others: list[Counter] = []
        self.stacks: dict[Where, list[str]] = {}
        self.next_id = 1
        for key, record in replay.position.pieces.items():
            self.next_id = max(self.next_id, int(key) + 1 if key.isdecimal() else 0)
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

    def restore(self, clock: Clock, scenario: Scenario) -> list[Command]:
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

    def turn_over(self, unit: str, reduced: bool) -> Iterator[Command]:
        """The commands that show a counter's other side."""
        counter = self.counters.get(unit)
        if counter is None or counter.layer is None or counter.reduced == reduced:
            return
        old = counter.state()
        counter.states[counter.layer] = "2" if reduced else "1"
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


def own_counter(table: _Table, unit: st.UnitDefinition) -> Counter:
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
        Layer(name="Step", images=("", ""), level_names=("", "+ (-)"), loop=False),
        Marker.of(UnitId=unit.unit, Side=unit.side, Type=unit.type, Move=unit.move),
        BasicPiece(name=unit.unit),
    ]
    states = [f"{unit.unit} {figures}", "1", traits[2].state(), BasicState(None, 0, 0, "").encode()]
    where = table.dead("")
    counter = Counter(table.new_id(), piece_type(traits), states, where, 1, (0, 0), unit.side)
    table.stacks.setdefault(where, []).append(counter.id)
    return counter


class _Writer:
    """One sheet."""

    def __init__(self, table: _Table, scenario: Scenario, sheet: st.Sheet, lang: Language) -> None:
        self.table = table
        self.scenario = scenario
        self.sheet = sheet
        self.lang = lang
        self.words = vocabulary_of(scenario)
        self.names = {side: name for s in sheet.statements if isinstance(s, st.Players) for side, name in s.names}
        first = next((s for s in sheet.statements if isinstance(s, st.TurnStart)), None)
        begin = first_clock(scenario)
        self.clock = Clock(first.number, first.side, first.phase) if first is not None else begin
        if write_clock(self.clock, scenario) is None:
            self.clock = begin
        self.start = self.clock
        self.in_turn = False
        self.listener = Listener(scenario)
        self.withdrawn = dict(_withdrawals(scenario, sheet))

    def actions(self) -> list[list[Command]]:
        """The log's actions; the counters stand as at its end afterwards."""
        at: dict[int, st.Statement] = {}
        for s in self.sheet.statements:
            at[s.line] = s
            for act in s.acts if isinstance(s, st.Engagement) else ():
                at[act.line] = act
        header: list[Command] = []
        found: list[list[Command]] = []
        for line in logical_lines(list(self.sheet.lines)):
            told = at.get(line.line)
            self.in_turn = self.in_turn or isinstance(told, st.TurnStart)
            commands = [self._chat(line.line, told), *(self._done(told) if told is not None else ())]
            if self.in_turn:
                found.append(commands)
            else:
                header += commands
        return [header, *found] if header else found

    def _chat(self, number: int, s: st.Statement | None) -> Command:
        text = write_statement(s, self.lang, self.words) if s is not None else self._raw(number)
        name = self.names.get(self.clock.side, self.clock.side).translate({60: None, 62: None}).strip()
        name = " ".join(name.split()) or self.clock.side
        heard = self.listener.hear(f"<{name}> - {text}")
        plain = s is not None and not isinstance(s, (st.Header, st.Score)) and self.in_turn
        marked = not (plain and s is not None and heard is not None and _same(s, heard.statement))
        shown = f"{MARK}{text}" if marked else text
        if marked and heard is None:
            self.listener.hear(f"<{name}> - {shown}")
        return Chat(f"&lt;{escape(name)}&gt; - {escape(shown)}")

    def _raw(self, number: int) -> str:
        """The physical lines of a statement that cannot be read, as one; a single one as it stands."""
        parts = []
        for line in self.sheet.lines[number - 1 :]:
            more = line.rstrip().endswith("\\")
            parts.append(line.rstrip().removesuffix("\\") if more else line.rstrip())
            if not more:
                break
        return parts[0] if len(parts) == 1 else " ".join(part.strip("> \t") for part in parts)

    # ------------------------------------------------------------------------------- what is done

    def _done(self, s: st.Statement) -> Iterator[Command]:
        table, grid = self.table, self.scenario.map.grid
        match s:
            case st.TurnStart():
                self.clock = Clock(s.number, s.side, s.phase)
                state = write_clock(self.clock, self.scenario)
                if state is not None:
                    yield SetTurn(TRACKER, state)
                for unit in self.withdrawn.get(s.line, ()):
                    yield from table.move(unit, table.left(unit))
            case st.Exit(units=units) | st.Retreat(units=units, edge=str()):
                for unit in units:
                    yield from table.move(unit, table.left(unit))
            case st.Move() | st.Enter() | st.RailMove() | st.Retreat() | st.Advance():
                if s.path[-1] in grid:
                    for unit in s.units:
                        yield from table.move(unit, table.hex(s.path[-1]))
            case st.Recover(units=units):
                for unit in units:
                    yield from table.turn_over(unit, False)
            case st.Lose(units=units):
                for unit in units:
                    yield from self._lose(unit)
            case st.Eliminate(units=units):
                for unit in units:
                    yield from table.move(unit, table.dead(unit))
            case st.Roll(faces=faces):
                yield from self._dice(faces)
            case st.AirRoll(roll=roll):
                yield from self._dice((roll,))
            case st.ClearTrail(roll=int() as roll):
                yield from self._dice((roll,))

    def _lose(self, unit: str) -> Iterator[Command]:
        counter = self.table.counters.get(unit)
        if counter is None:
            return
        known = self.scenario.counters.get(unit)
        one_step = known is not None and known.reduced_attack is None
        if counter.reduced or one_step:
            yield from self.table.move(unit, self.table.dead(unit))
        else:
            yield from self.table.turn_over(unit, True)

    def _dice(self, faces: tuple[int, ...]) -> Iterator[Command]:
        if faces and all(1 <= n <= 6 for n in faces):
            name = self.names.get(self.clock.side, self.clock.side).translate({60: None, 62: None}).strip()
            shown = ",".join(map(str, faces))
            yield Chat(f"*** {len(faces)}d6: {shown} *** &lt;{escape(name or self.clock.side)}&gt;")

    def prepare(self) -> None:
        """Put the counters where the sheet has them before the first turn."""
        table, statements = self.table, self.sheet.statements
        for s in statements:
            if isinstance(s, st.UnitDefinition):
                table.counters[s.unit] = own_counter(table, s)
        if not any(isinstance(s, (st.PositionStart, st.SetupStart, st.UnitDefinition)) for s in statements):
            return
        grid = self.scenario.map.grid
        for unit, counter in table.counters.items():
            if counter.where[0] == table.marks.main:
                table.put(counter, table.dead(unit))
        for s in statements:
            if isinstance(s, st.Placement) and s.unit in table.counters and s.hex in grid:
                counter = table.counters[s.unit]
                table.put(counter, table.hex(s.hex))
                if s.reduced and counter.layer is not None:
                    counter.states[counter.layer] = "2"


def _withdrawals(scenario: Scenario, sheet: st.Sheet) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The units that leave the game as a phase begins, without a statement of their own, by the phase's line."""
    gone: frozenset[str] = frozenset()
    for _, s, outcome in steps(scenario, sheet):
        now = frozenset(u for u, state in outcome.position.units.items() if state.where == "withdrawn")
        if isinstance(s, st.TurnStart) and now - gone:
            yield s.line, tuple(sorted(now - gone))
        gone = now


def _same(one: st.Statement, other: st.Statement | None) -> bool:
    """Whether two statements say the same, apart from their lines."""
    if isinstance(one, st.Engagement):
        one = replace(one, acts=())
    return other is not None and replace(one, line=0) == replace(other, line=0)


def log_of(sheet: st.Sheet, scenario: Scenario, module_path: Path, lang: Language = "en") -> bytes:
    """The log of a sheet for a module of its game. Raises FormatError, OSError for a module that cannot be used."""
    module = read_module(module_path)
    marks = read_marks(module.metadata)
    if marks is None or marks.game != scenario.name:
        raise FormatError(message("vassal.other-game", game=scenario.name), path=str(module_path))
    table = _Table(module_path, module, marks)
    writer = _Writer(table, scenario, sheet, lang)
    writer.prepare()
    restore = table.restore(writer.start, scenario)
    tree = save_tree(restore, writer.actions())
    data = module.metadata
    saved = Metadata(version=module.version, vassal_version=module.vassal_version, date_saved=0)
    return save_bytes(tree, data, saved, stamp=EPOCH)


def write_log(sheet: st.Sheet, scenario: Scenario, module_path: Path, target: Path, lang: Language = "en") -> None:
    """As `log_of`, into a file, which is replaced only when all of it is written."""
    write_atomic(target, log_of(sheet, scenario, module_path, lang))
