"""The way back: a turn sheet as a log that VASSAL steps through, one statement a step.

Every line stands in the chat as it does in the sheet, so that nothing is lost (lines that nobody would take for
statements bear the mark `!`), and the counters do what it says as far as they can: a move of a unit that does not
exist is only told. The log begins from the module's own set-up, changed to what the sheet says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from hexforge.modulegen.vassal.archive import EPOCH
from hexforge.modulegen.vassal.commands import Chat, Command, SetTurn
from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.metadata import Metadata
from hexforge.modulegen.vassal.module import read_module
from hexforge.modulegen.vassal.save import save_bytes, save_tree
from hexforge.scenarios.files import put as put_file
from hexforge.scenarios.words import SOURCE, HexforgeError, Language, message
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.lexer import logical_lines
from hexforge.validator.readers.notation.wordbooks import vocabulary_of
from hexforge.validator.readers.notation.writer import write_statement
from hexforge.validator.referee.replay import steps
from hexforge.validator.transcribe.counters import TRACKER, CounterTable, own_counter
from hexforge.validator.transcribe.marks import modules_in, read_marks
from hexforge.validator.transcribe.spots import TrackerReading, coming, first_clock, write_clock
from hexforge.validator.transcribe.typed import MARK, Listener

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario


class NoModule(HexforgeError):
    """No module to write the log for. `game` is the scenario's name."""

    def __init__(self, game: str) -> None:
        super().__init__(message("validator.transcribe.no-module", game=game))
        self.game = game


def game_module(game: str, beside: Iterable[Path]) -> Path:
    """The module of a game in the first of some folders that has one. Raises NoModule."""
    for folder in dict.fromkeys(folder.absolute() for folder in beside):
        for path, data in modules_in(folder):
            marks = read_marks(data)
            if marks is not None and marks.game == game:
                return path
    raise NoModule(game)


class _Writer:
    """One sheet."""

    def __init__(self, table: CounterTable, scenario: Scenario, sheet: st.Sheet, lang: Language) -> None:
        self.table = table
        self.scenario = scenario
        self.sheet = sheet
        self.lang = lang
        self.words = vocabulary_of(scenario)
        self.names = {side: name for s in sheet.statements if isinstance(s, st.Players) for side, name in s.names}
        self.further = {s.unit: s.further for s in sheet.statements if isinstance(s, st.UnitDefinition)}
        first = next((s for s in sheet.statements if isinstance(s, st.TurnStart)), None)
        begin = first_clock(scenario)
        self.clock = TrackerReading(first.number, first.side, first.phase) if first is not None else begin
        over = next((s.after for s in sheet.statements if isinstance(s, st.PositionStart) and s.after), None)
        if over is not None:
            self.clock = coming(self.clock, TrackerReading(*over[:3], max(over[3], 1)), scenario)
        if write_clock(self.clock, scenario) is None:
            self.clock = begin
        self.start = self.clock
        self.in_turn = self.opened = False
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

    def _first(self, said: TrackerReading) -> TrackerReading:
        """The phase in which the log begins, if it is one that the tracker can show."""
        return self.start if said == replace(self.start, number=1) else said

    def _chat(self, number: int, s: st.Statement | None) -> Command:
        text = write_statement(s, self.lang, self.words) if s is not None else self._raw(number)
        name = self._speaker()
        heard = self.listener.hear(f"<{name}> - {text}")
        plain = s is not None and not isinstance(s, (st.Header, st.Score)) and self.in_turn
        marked = not (plain and s is not None and heard is not None and _same(s, heard.statement))
        shown = f"{MARK}{text}" if marked else text
        if marked and heard is None:
            self.listener.hear(f"<{name}> - {shown}")
        return Chat(f"&lt;{escape(name)}&gt; - {escape(shown)}")

    def _speaker(self) -> str:
        """Whose turn it is, without the marks that VASSAL sets names in."""
        name = self.names.get(self.clock.side, self.clock.side).translate({60: None, 62: None})
        return " ".join(name.split()) or self.clock.side

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
                said = TrackerReading(s.number, s.side, s.phase)
                self.clock = coming(said, self.clock, self.scenario) if self.opened else self._first(said)
                self.opened = True
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
                    known = table.counters.get(unit)
                    yield from table.turn_over(unit, max(known.reduced - 1, 0) if known else 0)
            case st.Lose(units=units):
                for unit in units:
                    yield from self._lose(unit)
            case st.Eliminate(units=units):
                for unit in units:
                    yield from table.move(unit, table.dead(unit))
            case st.Found(unit=unit):
                yield from self._put(unit, s)
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
        backs = len(known.backs) if known is not None else 1 + len(self.further.get(unit, ()))
        if counter.reduced >= backs:
            yield from self.table.move(unit, self.table.dead(unit))
        else:
            yield from self.table.turn_over(unit, counter.reduced + 1)

    def _put(self, unit: str, s: st.Found) -> Iterator[Command]:
        if not s.hex:
            yield from self.table.move(unit, self.table.dead(unit) if s.lost else self.table.left(unit))
        elif s.hex in self.scenario.map.grid:
            yield from self.table.move(unit, self.table.hex(s.hex))
            yield from self.table.turn_over(unit, s.reduced)

    def _dice(self, faces: tuple[int, ...]) -> Iterator[Command]:
        if faces and all(1 <= n <= 6 for n in faces):
            shown = ",".join(map(str, faces))
            yield Chat(f"*** {len(faces)}d6: {shown} *** &lt;{escape(self._speaker())}&gt;")

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
                    counter.states[counter.layer] = str(s.reduced + 1)


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


def log_of(sheet: st.Sheet, scenario: Scenario, module_path: Path, lang: Language = SOURCE) -> bytes:
    """The log of a sheet for a module of its game. Raises FormatError, OSError for a module that cannot be used."""
    module = read_module(module_path)
    marks = read_marks(module.metadata)
    if marks is None or marks.game != scenario.name:
        raise FormatError(message("vassal.other-game", game=scenario.name), path=str(module_path))
    table = CounterTable(module_path, module, marks)
    writer = _Writer(table, scenario, sheet, lang)
    writer.prepare()
    restore = table.restore(writer.start, scenario)
    tree = save_tree(restore, writer.actions())
    data = module.metadata
    saved = Metadata(version=module.version, vassal_version=module.vassal_version, date_saved=0)
    return save_bytes(tree, data, saved, stamp=EPOCH)


def write_log(
    sheet: st.Sheet, scenario: Scenario, module_path: Path, target: Path, lang: Language = SOURCE
) -> None:
    """As `log_of`, into a file, which is replaced only when all of it is written."""
    put_file(target, log_of(sheet, scenario, module_path, lang))
