"""A chain of logs of a module of ours as a turn sheet, each line with the step of the log that it comes from.

The way back: a turn sheet as a log that VASSAL steps through, one statement a step.

Every line stands in the chat as it does in the sheet, so that nothing is lost (lines that nobody would take for
statements bear the mark `!`), and the counters do what it says as far as they can: a move of a unit that does not
exist is only told. The log begins from the module's own set-up, changed to what the sheet says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ...scenarios.model import Scenario
from ...scenarios.text.files import put as put_file
from ...scenarios.text.words import SOURCE, HexforgeError, Language, Words, message
from ..logs.locations import Noted, Origin
from ..logs.record import NOTHING, Reckoning
from ..notation import base, games, statements_head
from ..notation import statements as st
from ..notation.cursor import logical_lines
from ..notation.vocabulary import vocabulary_of, write_statement

if TYPE_CHECKING:
    from ...modulegen.vassal.commands import Command
    from ...scenarios.model import Scenario
    from ..logs.bindings import CounterTable
    from ..logs.blocks import Item
    from ..logs.chain import Chain
    from ..logs.draft import SheetDraft
    from ..logs.locations import Marks, Places, TrackerReading
    from ..logs.wrong_phase import Amiss
    from ..notation.statements import Sheet
    from .position_check import Weight


@dataclass(frozen=True)
class Transcript:
    """What a chain of logs says as a turn sheet.

    `sheet` holds the statements, by the lines on which they are written for people. `origins` has one entry a line;
    `noted` is what is wrong with the logs themselves; `reckoning` is what became of every command; `same_data`: the
    module was built from the scenario's files as they are here; `over`: the last of its phases is over too.
    """

    sheet: Sheet
    origins: tuple[Origin, ...]
    noted: tuple[Noted, ...]
    scenario: Scenario
    same_data: bool = True
    reckoning: Reckoning = NOTHING
    over: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """The sheet as it is written."""
        return self.sheet.lines

    @property
    def text(self) -> str:
        """The sheet as text."""
        return "\n".join(self.lines) + "\n"

    @property
    def steps(self) -> dict[int, tuple[str, int]]:
        """The log's name and its step, by line."""
        from ..logs.locations import steps_of

        return steps_of(self.origins)

    def line_of(self, origin: Origin) -> int:
        """The first line of a step or, where it left none, the last before it; 1 at least."""
        return self._places.line_of(origin)

    @cached_property
    def _places(self) -> Places:
        from ..logs.locations import Places

        return Places(self.origins)


def scenario_of(name: str, source: str = "") -> Scenario | None:
    """The scenario that a mark names; None if it is not among those that are here. `source`: the log's path."""
    found = games.game(name, source)
    return found if found is not None and found.has_map else None


def transcript(chain: Chain, lang: Language = SOURCE) -> Transcript | None:
    """The turn sheet of a chain, written in a language; None if it is not of a game that is known here."""
    if not chain.logs:
        return None
    kept = _accounts(chain, lang)
    if kept is not None:
        return kept
    marks, source = chain.marks, chain.logs[0].path
    if marks is None:
        return None
    scenario = scenario_of(marks.game, source)
    if scenario is None:
        return None
    # Logs of other modules, which come no further, need nothing that writes sheets.
    from ..logs.locations import AIR, THROWS
    from ..logs.record import reckon

    draft, items = _best(chain, marks, scenario)
    sheet, origins = _written(items, scenario, chain, lang)
    noted = (*chain.noted, *_typed_alone(draft.noted, chain))
    same = marks.digest == scenario.digest
    reckoning = reckon(chain, draft.heard, frozenset((AIR, THROWS)))
    return Transcript(sheet, origins, noted, scenario, same, reckoning, over=draft.rests is not None)


def _typed_alone(noted: Iterable[Noted], chain: Chain) -> Iterator[Noted]:
    """Notes, of which dice that were typed alone are a warning where a log was cut off: they may be in what is
    lost, and the cut is the doubt.
    """
    cut = any(log.game.damage for log in chain.logs)
    for one in noted:
        alone = one.message.key.rpartition(".")[2] in ("typed-roll", "told-roll", "typed-alone")
        yield replace(one, severity="warning") if cut and alone else one


def _best(chain: Chain, marks: Marks, scenario: Scenario) -> tuple[SheetDraft, list[Item]]:
    """What a chain says; what was done on the wrong side of the tracker is in its place where that is lawful."""
    from ..logs.draft import begun_otherwise, outline
    from ..logs.phases import typed_alone
    from ..logs.scribe import write_down
    from ..logs.wrong_phase import amiss, passed_for, put_back
    from .position_check import witnessed

    def read(taken: list[Amiss]) -> tuple[Weight, SheetDraft, list[Item]]:
        draft = write_down(put_back(chain, taken), marks, scenario)
        items, weight = witnessed(draft, list(outline(draft, chain)), cut=chain.logs[-1].game.damage is not None)
        return weight, draft, items

    taken: list[Amiss] = []
    weight, draft, items = read(taken)
    for one in amiss(draft) if weight > (0, 0) else ():
        other = read([*taken, one])
        if other[0] < weight:
            taken.append(one)
            weight, draft, items = other
    draft.noted += [note for one in taken for note in one.notes()]
    draft.noted += [*begun_otherwise(draft, chain), *typed_alone(draft), *passed_for(draft, chain)]
    return draft, items


def _written(
    items: Sequence[Item], game: Scenario, chain: Chain, lang: Language
) -> tuple[Sheet, tuple[Origin, ...]]:
    """The lines of a sheet in a language, each with where it comes from."""
    from ..reading.sheet import sheet_of

    words, vocabulary = Words(lang), vocabulary_of(game)
    lines = [(item.written(words, vocabulary), item.statement) for item in items]
    sheet = sheet_of(lines, chain.logs[0].path, vocabulary, lang)
    logs = tuple((log.name, f"{log.mail}: {log.path}" if log.mail else log.path) for log in chain.logs)
    return replace(sheet, logs=logs), tuple(item.origin for item in items)


def _accounts(chain: Chain, lang: Language) -> Transcript | None:
    """The sheet of accounts of logs with an extension's sheet of tracks; None where nothing was done with that, or
    no rules of its are here, and the logs are those of a whole game.
    """
    from ..logs.tracks import track_marks

    marks = next((m for log in chain.logs if (m := track_marks(log.start.properties)) is not None), None)
    game = _extension(marks.game, chain.logs[0].path) if marks is not None else None
    if marks is None or game is None or game.ledger is None:
        return None
    from ..logs.accounts import keep, lines, touched
    from ..logs.record import reckon

    kept = keep(chain, marks, game, game.ledger)
    if chain.marks is not None and not touched(kept):
        return None
    sheet, origins = _written(list(lines(kept)), game, chain, lang)
    reckoning = reckon(chain, kept.heard, frozenset())
    noted = (*chain.noted, *kept.noted)
    return Transcript(sheet, origins, noted, game, marks.digest == game.digest, reckoning)


def _extension(name: str, source: str) -> Scenario | None:
    found = games.game(name, source)
    return found if found is not None and not found.has_map else None


class NoModule(HexforgeError):
    """No module to write the log for. `game` is the scenario's name."""

    def __init__(self, game: str) -> None:
        super().__init__(message("validator.transcribe.no-module", game=game))
        self.game = game


def game_module(game: str, beside: Iterable[Path]) -> Path:
    """The module of a game in the first of some folders that has one. Raises NoModule."""
    from ..logs.locations import modules_in, read_marks

    for folder in dict.fromkeys(folder.absolute() for folder in beside):
        for path, data in modules_in(folder):
            marks = read_marks(data)
            if marks is not None and marks.game == game:
                return path
    raise NoModule(game)


class _Writer:
    """One sheet."""

    def __init__(self, table: CounterTable, scenario: Scenario, sheet: st.Sheet, lang: Language) -> None:
        from ..logs.locations import coming, first_clock, opened_by, reading_at, reading_of, write_clock
        from ..logs.typed import Listener

        self.table = table
        self.scenario = scenario
        self.sheet = sheet
        self.lang = lang
        self.words = vocabulary_of(scenario)
        self.names = {
            side: name for s in sheet.statements if isinstance(s, statements_head.Players) for side, name in s.names
        }
        self.further = {
            s.unit: s.further for s in sheet.statements if isinstance(s, statements_head.UnitDefinition)
        }
        first = next((s for s in sheet.statements if isinstance(s, st.TurnStart)), None)
        begin = first_clock(scenario)
        self.clock = opened_by(first, None, scenario) if first is not None else begin
        over = next(
            (s.after for s in sheet.statements if isinstance(s, statements_head.PositionStart) and s.after), None
        )
        if over is not None:
            turn, side, word, which = over
            said = reading_of(turn, side, word, scenario)
            counted = scenario.game.counted(side, said.phase, turn, scenario.weather(turn))
            ended = reading_at(turn, counted[which - 1], scenario) if 0 < which <= len(counted) else said
            self.clock = self.clock if first is not None and first.name else coming(self.clock, ended, scenario)
        if write_clock(self.clock, scenario) is None:
            self.clock = begin
        self.start = self.clock
        self.in_turn = self.opened = False
        self.listener = Listener(scenario)
        self.withdrawn, self.air = _stands(scenario, sheet)
        self.points = next(iter(self.air.values()), 0)

    def actions(self) -> list[list[Command]]:
        """The log's actions; the counters stand as at its end afterwards."""
        at: dict[int, base.Statement] = {}
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
            self.points = self.air.get(line.line, self.points)
            commands += self.table.show(self.clock.turn, self.points)
            if self.in_turn:
                found.append(commands)
            else:
                header += commands
        return [header, *found] if header else found

    def _first(self, said: TrackerReading) -> TrackerReading:
        """The phase in which the log begins, if it is one that the tracker can show."""
        return self.start if said == replace(self.start, number=1) else said

    def _chat(self, number: int, s: base.Statement | None) -> Command:
        from ...modulegen.vassal.commands import Chat
        from ..logs.typed import MARK

        text = write_statement(s, self.lang, self.words) if s is not None else self._raw(number)
        name = self._speaker()
        heard = self.listener.hear(f"<{name}> - {text}")
        plain = s is not None and not isinstance(s, (base.Header, st.Score)) and self.in_turn
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

    def _done(self, s: base.Statement) -> Iterator[Command]:
        from ...modulegen.vassal.commands import SetTurn
        from ..logs.bindings import TRACKER
        from ..logs.locations import opened_by, write_clock

        table, grid = self.table, self.scenario.map.grid
        match s:
            case st.TurnStart():
                said = opened_by(s, self.clock if self.opened else None, self.scenario)
                self.clock = said if self.opened else self._first(said)
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
        from ...modulegen.vassal.commands import Chat

        if faces and all(1 <= n <= 6 for n in faces):
            shown = ",".join(map(str, faces))
            yield Chat(f"*** {len(faces)}d6: {shown} *** &lt;{escape(self._speaker())}&gt;")
            yield from self.table.throw()

    def prepare(self) -> None:
        """Put the counters where the sheet has them before the first turn."""
        from ..logs.bindings import own_counter

        table, statements = self.table, self.sheet.statements
        table.values |= {name: "0" for name in ("SettingUp",) if name in table.values}
        for _ in table.show(self.start.turn, self.points):
            pass  # as the game stands already
        for s in statements:
            if isinstance(s, statements_head.UnitDefinition):
                table.counters[s.unit] = own_counter(table, s)
        if not any(
            isinstance(
                s, (statements_head.PositionStart, statements_head.SetupStart, statements_head.UnitDefinition)
            )
            for s in statements
        ):
            return
        grid = self.scenario.map.grid
        for unit, counter in table.counters.items():
            if counter.where[0] == table.marks.main:
                table.put(counter, table.dead(unit))
        for s in statements:
            if isinstance(s, statements_head.Placement) and s.unit in table.counters and s.hex in grid:
                counter = table.counters[s.unit]
                table.put(counter, table.hex(s.hex))
                if s.reduced and counter.layer is not None:
                    counter.states[counter.layer] = str(s.reduced + 1)


def _stands(scenario: Scenario, sheet: Sheet) -> tuple[dict[int, tuple[str, ...]], dict[int, int]]:
    """The units that leave the game as a phase begins, without a statement of their own, and the air points that
    are left after a statement, by the lines."""
    from .replay import steps

    leave: dict[int, tuple[str, ...]] = {}
    air: dict[int, int] = {}
    gone: frozenset[str] = frozenset()
    rule = scenario.game.rules.combat.air
    for _, s, outcome in steps(scenario, sheet):
        now = frozenset(u for u, state in outcome.position.units.items() if state.where == "withdrawn")
        if isinstance(s, st.TurnStart) and now - gone:
            leave[s.line] = tuple(sorted(now - gone))
        if s is not None and rule is not None:
            air[s.line] = outcome.position.air.get(rule.side, 0)
        gone = now
    return leave, air


def _same(one: base.Statement, other: base.Statement | None) -> bool:
    """Whether two statements say the same, apart from their lines."""
    if isinstance(one, st.Engagement):
        one = replace(one, acts=())
    return other is not None and replace(one, line=0) == replace(other, line=0)


def log_of(sheet: st.Sheet, scenario: Scenario, module_path: Path, lang: Language = SOURCE) -> bytes:
    """The log of a sheet for a module of its game. Raises FormatError, OSError for a module that cannot be used."""
    from ...modulegen.vassal.archive import EPOCH, Metadata
    from ...modulegen.vassal.encoding import FormatError
    from ...modulegen.vassal.module import read_module
    from ...modulegen.vassal.save import save_bytes, save_tree
    from ..logs.bindings import CounterTable
    from ..logs.locations import read_marks

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
