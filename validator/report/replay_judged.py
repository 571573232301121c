"""The replay of a sheet or log that was judged, step by step.

Combats of a replay: what the referee worked out, part by part, beside what the players said.

What players wrote to each other while a log was made.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypedDict

from ...scenarios.console import clipped, safe
from ...scenarios.model import Scenario
from ...scenarios.schema.results import numbers
from ...scenarios.text.words import Language, languages
from ..judging.replay import played_once
from ..notation import base, statements, statements_head
from ..notation.vocabulary import vocabulary_of, write_statement
from ..rules import phases, victory
from ..rules.combat.tables import column_index, modified
from ..rules.findings import SEVERITIES, points
from ..rules.rulings import Directed
from ..rules.withdrawal import OUTCOMES
from . import wording
from .article import way_of
from .replay_model import (
    MAX_STEPS,
    NOBODY,
    Board,
    Charge,
    Declared,
    Fight,
    Moved,
    Part,
    Piece,
    Put,
    Replay,
    Said,
    Spot,
    Step,
    Table,
    Talk,
    Tongues,
    Way,
    notes,
    sides_of,
)
from .wording import Headings

if TYPE_CHECKING:
    from ...scenarios.schema.tables import ResultTable
    from ..judging.answer import Answer
    from ..logs.chain import Chain
    from ..logs.locations import Origin
    from ..rules.context import Context, Outcome
    from ..rules.findings import Change, CombatRecord, Finding, MoveRecord, Shift
    from ..rules.position import Position, UnitState
    from ..rules.values import Price


_ABOUT: Final[Mapping[str, str]] = {
    "attack-sum": "attack",
    "attack-sum-by": "attack",
    "defence-sum": "defence",
    "defence-sum-by": "defence",
    "odds": "odds",
    "odds-refused": "odds",
    "value": "value",
    "column": "column",
    "no-column": "column",
    "dice": "roll",
    "dice-sum": "roll",
    "no-roll": "roll",
    "no-code": "result",
    "result": "result",
}
"""Which part of a combat a kind of finding is about. Those of misjudged shifts are about the column."""
_POINTS: Final[Mapping[str, str]] = {
    "no-offboard": "offboard",
    "offboard-spent": "offboard",
    "offboard-guards": "offboard",
    "no-air": "air",
    "air-spent": "air",
    "air-none": "air",
    "air-limits": "air",
}
"""Which points a kind of finding is about, as parts of totals name them."""
_SHIFT: Final = "shift-"
_FAULTS: Final = ("illegal", "doubtful", "waived")


class Fights:
    """Writes down combats. `tables` are those of the game."""

    def __init__(self, ctx: Context, sides: Sequence[str], spot: Mapping[str, int], say: Tongues) -> None:
        self.ctx, self.sides, self.spot, self.say = ctx, sides, spot, say
        found = {"combat": ctx.scenario.tables.crt, "bombard": ctx.scenario.tables.bombardment}
        self._tables: dict[str, ResultTable] = {name: table for name, table in found.items() if table is not None}
        self.tables = {name: _table(table) for name, table in self._tables.items()}

    def of(
        self,
        statement: base.Statement,
        before: Position,
        records: Iterable[CombatRecord],
        findings: Mapping[int, Sequence[Finding]],
    ) -> Iterator[Fight]:
        """The combats of a statement, before which the position was `before`. `findings` are those of each line."""
        if not isinstance(statement, statements.Engagement):
            return
        lines = dict.fromkeys((statement.line, *(act.line for act in statement.acts)))
        found = [f for line in lines for f in findings.get(line, ())]
        for record in records:
            yield self._fight(statement, before, record, found)

    def _fight(
        self, statement: statements.Engagement, before: Position, record: CombatRecord, found: Sequence[Finding]
    ) -> Fight:
        name = "combat" if record.kind == "combat" else "bombard"
        table = self._tables.get(name)
        blamed = {f.rule for f in found if _key(f).startswith(_SHIFT)}
        later = {act.line for act in statement.acts if isinstance(act, OUTCOMES)}
        faults = [f for f in found if f.severity in _FAULTS and f.line not in later]
        wrong = {u for f in faults for u in (*f.units, _POINTS.get(_key(f), ""))}
        said = list(self._declared(statement, before, found))
        column = next((d.said for d in reversed(said) if d.part == "column"), None)
        die = modified(table, (s.columns for s in record.die)) if table else 0
        of = dict(record.changes)
        faces = next((act.faces for act in reversed(statement.acts) if isinstance(act, statements.Roll)), ())
        return Fight(
            kind=record.kind,
            target=tuple(self.spot[h] for h in record.target if h in self.spot),
            parts=tuple(self._part(part, wrong, of.get(part[1], ())) for part in record.parts),
            attack=record.attack,
            defence=record.defence,
            start=str(record.odds or "?") if record.kind == "combat" else str(record.value or 0),
            shifts=tuple(self._moved(s, s.rule in blamed) for s in record.shifts),
            die=tuple(self._moved(s, False) for s in record.die),
            column_name=record.column or "",
            roll=record.roll,
            faces=faces,
            result=record.result or "",
            declared=tuple(said),
            table=name if table else "",
            column=column_index(table, record.column) if table and record.column else None,
            row=_row(table, record.roll + die) if table and record.roll is not None else None,
            declared_column=column_index(table, column) if table and column else None,
        )

    def _part(self, part: tuple[str, str, float], wrong: set[str], by: Sequence[Change]) -> Part:
        side, unit, number = part
        label = self.say(lambda w: wording.contributor(unit, w))
        known = unit in self.ctx.units
        why = self.say(lambda w: ", ".join(f"{wording.changed_by(c, w)} {wording.changed(c, w)}" for c in by))
        return Part(self._side(side), label, unit if known else "", number, bool(unit) and unit in wrong, why)

    def _side(self, side: str) -> int:
        return self.sides.index(side) if side in self.sides else NOBODY

    def _moved(self, shift: Shift, wrong: bool) -> Moved:
        return Moved(self.say(lambda w: wording.cause(shift, w)), shift.columns, shift.rule, wrong)

    def _declared(
        self, statement: statements.Engagement, before: Position, found: Sequence[Finding]
    ) -> Iterator[Declared]:
        """Every figure that was said, with its speaker: declarations are the attacker's."""
        attacker = self._side(before.phase.side) if before.phase else NOBODY
        defender = 1 - attacker if attacker in (0, 1) else NOBODY
        for act in statement.acts:
            worst = _worst(f for f in found if f.line == act.line)
            if isinstance(act, statements.Announce):
                part, side = ("attack", attacker) if act.role == "attacker" else ("defence", defender)
                yield Declared(part, str(act.total), side, worst.get(part, ""))
            elif isinstance(act, statements.Declare):
                for part in ("attack", "defence", "value", "odds", "column"):
                    if (value := getattr(act, part)) is not None:
                        yield Declared(part, str(value), attacker, worst.get(part, ""))
            elif isinstance(act, statements.Roll):
                yield Declared("roll", " ".join(map(str, act.faces)), attacker, worst.get("roll", ""))
            elif isinstance(act, statements.Result):
                yield Declared("result", " ".join(act.codes), attacker, worst.get("result", ""))


def _key(finding: Finding) -> str:
    return finding.message.key.removeprefix("findings.")


def _worst(found: Iterable[Finding]) -> dict[str, str]:
    """The worst severity of what is found, by the part of the combat that it is about."""
    worst: dict[str, str] = {}
    for finding in sorted(found, key=lambda f: SEVERITIES.index(f.severity)):
        key = _key(finding)
        part = "column" if key.startswith(_SHIFT) else _ABOUT.get(key)
        if part is not None and finding.severity != "info":
            worst.setdefault(part, finding.severity)
    return worst


def _table(table: ResultTable) -> Table:
    return Table(tuple(table.columns), tuple((name, tuple(cells)) for name, cells in table.rows.items()))


def _row(table: ResultTable, roll: int) -> int | None:
    """Index of the row for what the dice count as; beyond the rows it is the end row."""
    spans = [tuple(numbers(name)) for name in table.rows]
    known = [n for span in spans for n in span]
    shown = min(max(roll, min(known)), max(known)) if known else roll
    return next((i for i, span in enumerate(spans) if shown in span), None)


MOST: Final = 20_000
"""Lines of chat that a replay holds."""


def lines_of(chain: Chain) -> Iterator[tuple[Origin, str]]:
    """Every line of chat with where it stands, of absurdly many the first."""
    left = MOST
    for log in chain.logs:
        for told in log.told:
            for event in told.action.events:
                if event.kind == "chat" and event.text.strip() and left > 0:
                    left -= 1
                    yield told.origin, safe(clipped(event.text, 500))


UNIT: Final = 100.0
"""Units of the board from one hex to the next."""
_COUNTER: Final = 62.0
_SHOWN: Final = (
    base.Opening,
    base.Play,
    statements.Score,
    statements_head.Put,
    statements_head.RuledControl,
    Directed,
)
"""What is a step of its own even where it changes nothing."""


def spoken(first: Language) -> tuple[Language, ...]:
    """The languages that a page speaks, the one that was asked for before all others that there are words in."""
    return tuple(dict.fromkeys((first, *languages())))


def replay(answer: Answer, tongues: Sequence[Language] = ()) -> Replay | None:
    """The replay of an answer, in some languages (all by default); None if no game's rules moved its pieces."""
    if answer.played is None or answer.scenario is None or answer.accounts is not None:
        return None
    return Recorder(answer, answer.scenario, Tongues(answer, tuple(tongues) or languages())).replay()


class _Tally(TypedDict):
    score: tuple[int, ...] | None
    air: tuple[int, ...] | None


class Recorder:
    """Writes down what the referee has played, on a map of hexes unless `_lay_out` and what rests on it say other.

    `begins`: how many statements lead to the opening position.
    """

    begins = 0

    def __init__(self, answer: Answer, scenario: Scenario, say: Tongues) -> None:
        self.answer, self.scenario, self.say = answer, scenario, say
        assert answer.played is not None
        self.sheet = answer.played
        self.course = answer.course or played_once(scenario, self.sheet, answer.edition.options)
        self.ctx, self.position = self.course.ctx, self.course.start
        self.sides = self.ctx.sides
        self.steps: list[Step] = []
        self.vocabulary = vocabulary_of(scenario)
        self.found: dict[int, list[Finding]] = {}
        for finding in answer.findings:
            self.found.setdefault(finding.line, []).append(finding)
        self.score: tuple[int, ...] = ()
        self._lay_out()

    def _lay_out(self) -> None:
        grid = self.ctx.map.grid
        self.spots = [Spot(h, _scaled(grid.center(h))) for h in grid.hexes]
        self.spot = {h: number for number, h in enumerate(grid.hexes)}
        self.pieces: dict[str, int] = {}
        self.charges: dict[Price, Charge] = {}
        self.fights = Fights(self.ctx, self.sides, self.spot, self.say)
        self.air: tuple[int, ...] = ()
        self._name_pieces()

    def _shows(self, statement: base.Statement) -> bool:
        return isinstance(statement, _SHOWN)

    def replay_of_position(self) -> Replay:
        """The position at hand alone, with nothing that led to it."""
        self.steps.append(self._opening())
        return self._told_of(cut=False)

    def replay(self) -> Replay:
        """Play it all."""
        # What stopped at a mistake has no more outcomes than that.
        played = list(zip(self.sheet.statements, self.course.outcomes, strict=False))
        for _, outcome in played[: self.begins]:
            self.position = outcome.position
        self.steps.append(self._opening())
        cut = False
        for statement, outcome in played[self.begins :]:
            if len(self.steps) >= MAX_STEPS:
                cut = True
                break
            before = self.position
            self.position = outcome.position
            if self._shows(statement):
                self.steps.append(self._step(statement, before, outcome))
            if self.answer.stopped and self._stops(statement):
                break
        return self._told_of(cut=cut)

    def _told_of(self, *, cut: bool) -> Replay:
        return Replay(
            source=safe(self.answer.source),
            title=self.say(lambda w: w.heading("title", "name", self.scenario.name)),
            languages=tuple(self.say.languages),
            sides=tuple(sides_of(self.answer, self.sides, self.say)),
            cut=cut,
            steps=tuple(self.steps),
            **self._finished(),
        )

    def _stops(self, statement: base.Statement) -> bool:
        return any(f.severity == "illegal" for line in _lines(statement) for f in self.found.get(line, ()))

    def _side_of(self, side: str) -> int:
        return self.sides.index(side) if side in self.sides else NOBODY

    def _told(self, statement: base.Statement) -> Said:
        said = statement.statement if isinstance(statement, Directed) else statement
        return self.say(lambda w: clipped(write_statement(said, w.language, self.vocabulary), 1000))

    def _scored(self, found: Mapping[str, int]) -> tuple[int, ...] | None:
        """Victory points, if they are not what they were."""
        before, self.score = self.score, tuple(found.get(side, 0) for side in self.sides)
        return self.score if self.score != before else None

    def _finished(self) -> dict[str, Any]:
        grid, say = self.ctx.map.grid, self.say
        centre = grid.center(grid.hexes[0])
        corners = (_scaled((x - centre[0], y - centre[1])) for x, y in grid.corners(grid.hexes[0]))
        turns = dict.fromkeys(step.turn for step in self.steps)
        phases = dict.fromkeys(step.phase for step in self.steps if step.phase)
        return {
            "boards": (Board(grid.size[0] * UNIT, grid.size[1] * UNIT, _COUNTER, tuple(corners)),),
            "spots": tuple(self.spots),
            "pieces": tuple(self._pieces()),
            "notes": tuple(notes(self.answer, [s.line for s in self.steps], self.spot, say)),
            "talks": tuple(talks(self.answer, self.steps)),
            "turns": {turn: self._turn(turn) for turn in turns},
            "phases": {phase: say(lambda w, p=phase: w.heading("phases", p)) for phase in phases},  # type: ignore[misc]
            "tables": self.fights.tables,
        }

    # -------------------------------------------------------------------------------------------- who there is

    def _name_pieces(self) -> None:
        ctx, absent = self.ctx, self.position
        named = self.answer.position or absent
        for unit, state in sorted(absent.units.items()):
            last = named.units.get(unit, state)
            if ctx.plays(unit) and not _never(state, last):
                self.pieces[unit] = len(self.pieces)

    def _pieces(self) -> Iterator[Piece]:
        from ...modulegen.render.counters import faces

        due = {u: rule.turn for rule in reversed(self.scenario.setup.reinforcements) for u in rule.units}
        due |= {unit: turn for unit, (turn, _) in self.ctx.due.items()}
        for id_ in self.pieces:
            unit, counter = self.ctx.units[id_], self.scenario.counters.get(id_)
            if counter is None and len(unit.counters) == 1:
                counter = self.scenario.counters.get(next(iter(unit.counters)))
            named = counter
            name = self.say(lambda w, c=named: c.name(w.language) if c else "")  # type: ignore[misc]
            shown = tuple(f"{counter.id} {face}" for face in faces(counter)) if counter else ()
            yield Piece(id_, self.sides.index(unit.side), name, shown, unit.steps_at("full"), due.get(id_))

    def _turn(self, turn: int) -> Said:
        return self.say(lambda w: Headings(self.answer, w).turn(turn))

    # ------------------------------------------------------------------------------------------------ steps

    def _opening(self) -> Step:
        units = self.position.units
        puts = tuple(Put(n, self.spot_of(units[u]), units[u].lost) for u, n in self.pieces.items())
        zones = {i: self.zone_of(self.position, side) for i, side in enumerate(self.sides)}
        phase = self.position.phase
        return Step(
            line=0,
            turn=0,
            side=self._side_of(phase.side) if phase else NOBODY,
            phase="",
            kind="start",
            text=self.say.key("page.start-told"),
            puts=puts,
            zones={side: tuple(sorted(spots)) for side, spots in zones.items() if spots},
            **self._tally(),
        )

    def _step(self, statement: base.Statement, before: Position, outcome: Outcome) -> Step:
        after = outcome.position
        phase = after.phase if isinstance(statement, statements.TurnStart) else before.phase
        word, which = phases.called(self.ctx, phase) if phase else ("", 0)
        return Step(
            line=statement.line,
            turn=phase.turn if phase else 0,
            side=self._side_of(phase.side) if phase else NOBODY,
            phase=word,
            number=which,
            kind="turn" if isinstance(statement, base.Opening) else type(statement).__name__.lower(),
            text=self._told(statement),
            puts=tuple(self._puts(before, after)),
            ways=tuple(self.ways_of(statement, before, outcome.moves)),
            fights=tuple(self.fights.of(statement, before, outcome.combats, self.found)),
            zones=dict(self._zones(before, after)),
            dice=_dice(statement),
            source=safe(self.answer.step(statement.line)),
            **self._tally(),
        )

    def _tally(self) -> _Tally:
        """Points, as far as they are not what they were."""
        before, self.air = self.air, tuple(self.position.air.get(side, 0) for side in self.sides)
        score = self._scored(victory.score(self.ctx, self.position))
        return {"score": score, "air": self.air if self.air != before else None}

    def spot_of(self, state: UnitState) -> int:
        """The number of the spot that a unit stands on, a new one where it is nowhere yet known."""
        name = state.hex or state.where or "absent"
        if name not in self.spot:
            self.spot[name] = len(self.spots)
            self.spots.append(Spot(name, None, state.where or "absent"))
        return self.spot[name]

    def _puts(self, before: Position, after: Position) -> Iterator[Put]:
        if before.units is after.units:
            return
        for unit, number in self.pieces.items():
            old, new = before.units[unit], after.units[unit]
            if old is not new and (old.hex, old.where, old.step) != (new.hex, new.where, new.step):
                yield Put(number, self.spot_of(new), new.lost)

    def zone_of(self, position: Position, side: str) -> frozenset[int]:
        """The spots in a side's zone."""
        return frozenset(self.spot[h] for h in position.boards[side].zoc if h in self.spot)

    def _zones(self, before: Position, after: Position) -> Iterator[tuple[int, tuple[int, ...]]]:
        for i, side in enumerate(self.sides):
            if before.boards[side] is not after.boards[side]:
                changed = self.zone_of(before, side) ^ self.zone_of(after, side)
                if changed:
                    yield i, tuple(sorted(changed))

    # ------------------------------------------------------------------------------------------------- ways

    def _path(self, hexes: Iterable[str]) -> tuple[int, ...]:
        return tuple(self.spot[h] for h in hexes if h in self.ctx.map.grid)

    def ways_of(self, statement: base.Statement, before: Position, moves: Sequence[MoveRecord]) -> Iterator[Way]:
        """The ways that a statement tells of, with their prices."""
        for move in moves:
            prices = tuple(map(self._priced, move.parts))
            cost, left = (points(move.cost), points(move.left)) if prices else (None, None)
            yield Way(move.line, "move", move.units, self._path(move.path), prices, cost, left)
        if not isinstance(statement, statements.Engagement):
            return
        target = statement.targets[0]
        for act in statement.acts:
            if isinstance(act, statements.Attack):
                for hex_ in dict.fromkeys(h for u in act.units if (h := before.hex_of(u)) is not None):
                    yield Way(act.line, "attack", act.units, self._path((hex_, target)))
            elif isinstance(act, statements.Retreat | statements.Advance):
                kind = "retreat" if isinstance(act, statements.Retreat) else "advance"
                yield Way(act.line, kind, act.units, self._path(way_of(before, act, target)))  # type: ignore[arg-type]

    def _priced(self, part: Price) -> Charge:
        charge = self.charges.get(part)
        if charge is None:
            what, why = self.say(lambda w: wording.priced(part, w)), self.say(lambda w: wording.reasons(part, w))
            charge = self.charges[part] = Charge(what, points(part.cost), why)
        return charge


def _scaled(point: tuple[float, float]) -> tuple[float, float]:
    return round(point[0] * UNIT, 1), round(point[1] * UNIT, 1)


def _never(*states: UnitState) -> bool:
    """Whether a unit is at no time anywhere."""
    return all(state.hex is None and state.where == "absent" for state in states)


def _lines(statement: base.Statement) -> tuple[int, ...]:
    acts = statement.acts if isinstance(statement, statements.Engagement) else ()
    return (statement.line, *(act.line for act in acts))


def _dice(statement: base.Statement) -> tuple[int, ...]:
    if isinstance(statement, statements.Engagement):
        return tuple(face for act in statement.acts if isinstance(act, statements.Roll) for face in act.faces)
    roll = getattr(statement, "roll", None)
    return (roll,) if isinstance(roll, int) else ()


def talks(answer: Answer, steps: Sequence[Step]) -> Iterator[Talk]:
    """What was said in the logs of an answer, each line on the step that it stood at."""
    chain = answer.reread() if answer.reread is not None else None
    if chain is None:
        return
    order = {log.name: number for number, log in enumerate(chain.logs)}
    at: list[tuple[int, int]] = []
    for step in steps:
        log, number = answer.steps.get(step.line, ("", 0))
        here = (order.get(log, -1), number)
        at.append(max(at[-1], here) if at else (-1, 0))
    for origin, text in lines_of(chain):
        place = (order[origin.log], origin.step)
        yield Talk(max(0, bisect_right(at, place) - 1), text)
