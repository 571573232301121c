"""Games played as people play them in VASSAL: by drags, keys, menus and dice, with little said.

A sheet that breaks no rule becomes a log of gestures. `Habits` are what players differ in: what they declare first,
what they drag twice, what they turn over by mistake.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from hexforge.modulegen.vassal.archive import EPOCH, Metadata
from hexforge.modulegen.vassal.commands import AddPiece, ChangeProperty, Chat, Command, RemovePiece, SetTurn
from hexforge.modulegen.vassal.module import Module, read_module
from hexforge.modulegen.vassal.save import save_bytes, save_tree
from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.transcription import _stands, _Writer
from hexforge.validator.logs.bindings import TRACKER, CounterTable
from hexforge.validator.logs.locations import Marks, TrackerReading, read_marks, write_clock
from hexforge.validator.notation import base
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import vocabulary_of, write_statement
from tests.transcribe.modules import module_of

Gesture = list[Command]


@dataclass(frozen=True)
class Habits:
    """How a player goes about it; all of it is allowed."""

    attackers_first: bool = False
    all_declared_first: bool = False
    all_rolled_first: bool = False
    advances_first: bool = False
    slips: float = 0.0
    """How often a drag goes to a wrong hex and back, or a counter is turned over and back."""
    tracker_early: bool = False
    """Sets the tracker on before the outcome of the phase's last combat is carried out."""


@dataclass
class Step:
    """A gesture with what it is of: the statement it carries out, the units it touches, and the phase."""

    commands: Gesture
    statement: base.Statement | None
    phase: st.TurnStart | None
    units: tuple[str, ...] = ()


@cache
def _module(game: str) -> tuple[Module, Marks]:
    module = read_module(module_of(game))
    marks = read_marks(module.metadata)
    assert marks is not None
    return module, marks


def say(text: str, who: str = "Ana") -> Command:
    """A line typed into the chat."""
    return Chat(f"&lt;{who}&gt; - {text}")


def report(text: str) -> Command:
    """A line that the module writes."""
    return Chat(f"* {text}")


def thrown(faces: Sequence[int]) -> Command:
    """Dice of a button."""
    return Chat(f"*** {len(faces)}d6: {','.join(map(str, faces))} *** &lt;Ana&gt;")


@dataclass
class Player:
    """Turns the statements of a sheet into gestures; `table` is where the counters are now."""

    scenario: Scenario
    sheet: st.Sheet
    habits: Habits = Habits()
    seed: int = 0
    steps: list[Step] = field(default_factory=list)
    late: st.Engagement | None = None
    plant: tuple[int, Callable[[Player], Gesture]] | None = None
    """What is done besides, as the step with this index."""

    def __post_init__(self) -> None:
        self.draw = random.Random(self.seed)
        self.module, self.marks = _module(self.scenario.name)
        self.table = CounterTable(module_of(self.scenario.name), self.module, self.marks)
        # As modules were that keep no count of throws.
        self.table.values.clear()
        writer = _Writer(self.table, self.scenario, self.sheet, "pt")
        writer.prepare()
        first = next(s for s in self.sheet.statements if isinstance(s, st.TurnStart))
        self.restore = self.table.restore(TrackerReading(first.number, first.side, first.phase), self.scenario)
        self.words = vocabulary_of(self.scenario)
        self.withdrawn, _ = _stands(self.scenario, self.sheet)
        self.phase: st.TurnStart | None = None
        self.air = 1000

    # ------------------------------------------------------------------------------------ gestures

    def do(self, commands: Iterator[Command] | Gesture, s: base.Statement | None = None, *units: str) -> None:
        """One step of the log; none where nothing is done."""
        if self.plant is not None and len(self.steps) == self.plant[0]:
            cheat, self.plant = self.plant[1], None
            self.steps.append(Step(cheat(self), None, self.phase))
        made = list(commands)  # of a drag made only now: it begins where the counters stand
        if made:
            self.steps.append(Step(made, s, self.phase, units))

    def drag(self, units: Sequence[str], hex_: str, s: base.Statement | None = None) -> None:
        """A stack to a hex, perhaps by way of a wrong one."""
        if self.draw.random() < self.habits.slips:
            grid = self.scenario.map.grid
            here = self.table.counters[units[0]].where
            # A hex that touches both ends is no slip to whoever reads the log: it is a way that was gone.
            ways = [h for h in grid.neighbours[hex_] if here in [self.table.hex(n) for n in grid.neighbours[h]]]
            wrong = self.draw.choice(sorted(set(grid) - set(ways)))
            self.do((c for u in units for c in self.table.move(u, self.table.hex(wrong))), s, *units)
        self.do((c for u in units for c in self.table.move(u, self.table.hex(hex_))), s, *units)

    def slip(self) -> None:
        """A counter turned over and back."""
        counters = self.table.counters.items()
        able = [u for u, c in counters if c.layer is not None and c.where[0] == self.marks.main]
        if not able or self.draw.random() >= self.habits.slips:
            return
        unit = self.draw.choice(sorted(able))
        reduced = self.table.counters[unit].reduced
        self.do(self.table.turn_over(unit, not reduced), None, unit)
        self.do(self.table.turn_over(unit, reduced), None, unit)

    # ----------------------------------------------------------------------------------- statements

    def play(self) -> list[Step]:
        """All of the sheet."""
        fights: list[st.Engagement] = []
        for s in self.sheet.statements:
            if not isinstance(s, st.Engagement):
                self._fight(fights)
                fights = []
            match s:
                case st.TurnStart():
                    self._turn(s)
                case st.Engagement():
                    fights.append(s)
                case base.Header() | st.Score():
                    pass
                case _:
                    self._act(s)
        self._fight(fights)
        if self.late is not None:
            self._carry_out(self.late)
        return self.steps

    def _turn(self, s: st.TurnStart) -> None:
        if self.phase is not None:
            self.phase = s
            state = write_clock(TrackerReading(s.number, s.side, s.phase), self.scenario)
            assert state is not None
            self.do([SetTurn(TRACKER, state)], s)
        self.phase = s
        if self.late is not None:
            self._carry_out(self.late)
            self.late = None
        for unit in self.withdrawn.get(s.line, ()):
            self.do(self.table.move(unit, self.table.left(unit)), s, unit)

    def _act(self, s: base.Statement) -> None:
        self.slip()
        match s:
            case st.Move(units=units, path=path) | st.RailMove(units=units, path=path):
                self.drag(units, path[-1], s)
            case st.Enter(units=units, path=path):
                for unit in units:
                    self.do(self.table.move(unit, self.table.hex(path[0])), s, unit)
                    self.do(self.table.move(unit, self.table.hex(path[-1])), s, unit)
            case st.Exit(units=units, path=path):
                self.drag(units, path[-1], s)
                for unit in units:
                    self.do(self.table.move(unit, self.table.left(unit)), s, unit)
            case st.Recover(units=units):
                for unit in units:
                    self.do(self.table.turn_over(unit, False), s, unit)
            case st.AirRoll(roll=roll):
                self.do([thrown((roll,))], s)
            case _:
                self.do([say(write_statement(s, "pt", self.words))], s)

    # -------------------------------------------------------------------------------------- combats

    def _fight(self, fights: Sequence[st.Engagement]) -> None:
        if self.habits.all_declared_first:
            for s in fights:
                self._declare(s)
        if self.habits.all_declared_first and self.habits.all_rolled_first:
            for s in fights:
                self._roll(s)
        for s in fights:
            if not self.habits.all_declared_first:
                self._declare(s)
            if not (self.habits.all_declared_first and self.habits.all_rolled_first):
                self._roll(s)
            if self.habits.tracker_early and s is fights[-1]:
                self.late = s
            else:
                self._carry_out(s)

    def _typed(self, s: base.Statement) -> None:
        self.do([say(write_statement(s, "pt", self.words))], s)

    def _declare(self, s: st.Engagement) -> None:
        target = [[report(f"combate {h}")] for h in s.targets]
        if not isinstance(s, st.Combat):
            self._typed(s)
            target = []
        attacks = [a for a in s.acts if isinstance(a, st.Attack)]
        menus = [[report(f"atacar {u}") for u in a.units] for a in attacks]
        for gesture in (*menus, *target) if self.habits.attackers_first else (*target, *menus):
            self.do(gesture, s)
        for act in s.acts:
            match act:
                case st.Support(units=units, offboard=0):
                    self.do([report(f"apoiar {u}") for u in units], s)
                case st.Guard(units=units, offboard=0):
                    self.do([report(f"defender {u}") for u in units], s)
                case st.AirSupport(points=points):
                    self.do([self._spend(points)], s)
                case st.Support() | st.Guard() | st.GuardAir() | st.Announce() | st.Declare():
                    self._typed(act)

    def _spend(self, points: int) -> Command:
        self.air -= points
        return ChangeProperty("AirPoints", str(self.air + points), str(self.air), "Module")

    def _roll(self, s: st.Engagement) -> None:
        self.slip()
        for act in s.acts:
            if isinstance(act, st.Roll):
                self.do([thrown(act.faces)], s)

    def _carry_out(self, s: st.Engagement) -> None:
        acts = list(s.acts)
        if self.habits.advances_first and not any(isinstance(a, st.Lose | st.Eliminate) for a in acts):
            acts.sort(key=lambda a: not isinstance(a, st.Advance))
        for act in acts:
            match act:
                case st.Lose(units=units):
                    for unit in units:
                        self.do(self._lose(unit), act, unit)
                case st.Eliminate(units=units):
                    for unit in units:
                        self.do(self.table.move(unit, self.table.dead(unit)), act, unit)
                case st.Retreat(units=units, edge=str()):
                    for unit in units:
                        self.do(self.table.move(unit, self.table.left(unit)), act, unit)
                case st.Retreat(units=units, path=path) | st.Advance(units=units, path=path):
                    for unit in units:
                        for hex_ in path if isinstance(act, st.Advance) else path[1:]:
                            self.do(self.table.move(unit, self.table.hex(hex_)), act, unit)

    def _lose(self, unit: str) -> Iterator[Command]:
        counter = self.table.counters[unit]
        known = self.scenario.counters[unit]
        if counter.reduced or known.reduced_attack is None or counter.layer is None:
            return self.table.move(unit, self.table.dead(unit))
        return self.table.turn_over(unit, True)

    # ------------------------------------------------------------------------------------ the log

    def log(self, steps: Sequence[Step] | None = None) -> bytes:
        """The log's bytes."""
        tree = save_tree(self.restore, [step.commands for step in (self.steps if steps is None else steps)])
        saved = Metadata(version=self.module.version, vassal_version=self.module.vassal_version, date_saved=0)
        return save_bytes(tree, self.module.metadata, saved, stamp=EPOCH)

    def copy_of(self, unit: str, hex_: str) -> Gesture:
        """One more counter of a unit, as from the palette."""
        counter = self.table.counters[unit]
        key = self.table.new_id()
        where = counter.where
        counter.where = self.table.hex(hex_)
        made = AddPiece(key, counter.type, counter.state())
        counter.where = where
        return [made]

    def remove(self, unit: str) -> Gesture:
        """A counter taken away altogether."""
        return [RemovePiece(self.table.counters[unit].id)]
