"""The replay of a sheet or log that was judged, step by step."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypedDict

from hexforge.scenarios.words import Language, Words, languages
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.wordbooks import vocabulary_of
from hexforge.validator.readers.notation.writer import write_statement
from hexforge.validator.referee import phases, victory
from hexforge.validator.referee.findings import doubts_told, points
from hexforge.validator.referee.replay import played_once
from hexforge.validator.referee.rulings import Directed
from hexforge.validator.replay.combats import Fights
from hexforge.validator.replay.model import (
    NOBODY,
    Board,
    Charge,
    Note,
    Piece,
    Put,
    Replay,
    Said,
    Side,
    Spot,
    Step,
    Talk,
    Way,
)
from hexforge.validator.report import wording
from hexforge.validator.report.plain import clipped, safe
from hexforge.validator.report.scene import way_of
from hexforge.validator.report.turns import Headings

if TYPE_CHECKING:
    from hexforge.scenarios.model import Scenario
    from hexforge.validator.referee.findings import Finding, MoveRecord
    from hexforge.validator.referee.outcome import Outcome
    from hexforge.validator.referee.rates import Price
    from hexforge.validator.referee.state import Position, UnitState
    from hexforge.validator.report.answer import Answer

MAX_STEPS: Final = 20_000
"""Steps that a replay holds; the longest games have some thousand."""
UNIT: Final = 100.0
"""Units of the board from one hex to the next."""
_COUNTER: Final = 62.0
_SHOWN: Final = (st.Opening, st.Play, st.Score, st.Put, st.RuledControl, Directed)
"""What is a step of its own even where it changes nothing."""


@dataclass
class Tongues:
    """Says things in every language of a replay, with the words of its game."""

    answer: Answer
    languages: Sequence[Language]
    words: list[Words] = field(init=False)

    def __post_init__(self) -> None:
        self.words = [self.answer.words(language) for language in self.languages]

    def __call__(self, say: Callable[[Words], str]) -> Said:
        return {w.language: safe(say(w)) for w in self.words}

    def key(self, key: str) -> Said:
        """The text at a key of the catalogues."""
        return self(lambda w: w(key))


def spoken(first: Language) -> tuple[Language, ...]:
    """The languages that a page speaks, the one that was asked for before all others that there are words in."""
    return tuple(dict.fromkeys((first, *languages())))


def replay(answer: Answer, tongues: Sequence[Language] = ()) -> Replay | None:
    """The replay of an answer, in some languages (all by default); None if no game's rules moved its pieces."""
    from hexforge.scenarios.model import Scenario

    if answer.played is None or not isinstance(answer.scenario, Scenario):
        return None
    return _Recorder(answer, answer.scenario, Tongues(answer, tuple(tongues) or languages())).replay()


class _Tally(TypedDict):
    score: tuple[int, ...] | None
    air: tuple[int, ...] | None


class _Recorder:
    """Writes down what the referee has played."""

    def __init__(self, answer: Answer, scenario: Scenario, say: Tongues) -> None:
        self.answer, self.scenario, self.say = answer, scenario, say
        assert answer.played is not None
        self.sheet = answer.played
        self.course = answer.course or played_once(scenario, self.sheet, answer.edition.options)
        self.ctx, self.position = self.course.ctx, self.course.start
        grid = self.ctx.map.grid
        self.sides = self.ctx.sides
        self.spots = [Spot(h, _scaled(grid.center(h))) for h in grid.hexes]
        self.spot = {h: number for number, h in enumerate(grid.hexes)}
        self.pieces: dict[str, int] = {}
        self.charges: dict[Price, Charge] = {}
        self.steps: list[Step] = []
        self.fights = Fights(self.ctx, self.sides, self.spot, say)
        self.vocabulary = vocabulary_of(scenario)
        self.found: dict[int, list[Finding]] = {}
        for finding in answer.findings:
            self.found.setdefault(finding.line, []).append(finding)
        self.score: tuple[int, ...] = ()
        self.air: tuple[int, ...] = ()

    def replay(self) -> Replay:
        """Play it all."""
        self._name_pieces()
        self.steps.append(self._opening())
        cut = False
        # What stopped at a mistake has no more outcomes than that.
        for statement, outcome in zip(self.sheet.statements, self.course.outcomes, strict=False):
            if len(self.steps) >= MAX_STEPS:
                cut = True
                break
            before = self.position
            self.position = outcome.position
            if isinstance(statement, _SHOWN):
                self.steps.append(self._step(statement, before, outcome))
            if self.answer.stopped and self._stops(statement):
                break
        return self._finished(cut)

    def _stops(self, statement: st.Statement) -> bool:
        return any(f.severity == "illegal" for line in _lines(statement) for f in self.found.get(line, ()))

    def _finished(self, cut: bool) -> Replay:
        grid, say = self.ctx.map.grid, self.say
        centre = grid.center(grid.hexes[0])
        corners = (_scaled((x - centre[0], y - centre[1])) for x, y in grid.corners(grid.hexes[0]))
        turns = dict.fromkeys(step.turn for step in self.steps)
        phases = dict.fromkeys(step.phase for step in self.steps if step.phase)
        return Replay(
            source=safe(self.answer.source),
            title=say(lambda w: w.heading("title", "name", self.scenario.name)),
            languages=tuple(say.languages),
            sides=tuple(self._sides()),
            boards=(Board(grid.size[0] * UNIT, grid.size[1] * UNIT, _COUNTER, tuple(corners)),),
            spots=tuple(self.spots),
            pieces=tuple(self._pieces()),
            steps=tuple(self.steps),
            notes=tuple(notes(self.answer, [s.line for s in self.steps], self.spot, say)),
            talks=tuple(talks(self.answer, self.steps)),
            turns={turn: self._turn(turn) for turn in turns},
            phases={phase: say(lambda w, p=phase: w.heading("phases", p)) for phase in phases},  # type: ignore[misc]
            tables=self.fights.tables,
            cut=cut,
        )

    # -------------------------------------------------------------------------------------------- who there is

    def _name_pieces(self) -> None:
        ctx, absent = self.ctx, self.position
        named = self.answer.position or absent
        for unit, state in sorted(absent.units.items()):
            last = named.units.get(unit, state)
            if ctx.plays(unit) and not _never(state, last):
                self.pieces[unit] = len(self.pieces)

    def _pieces(self) -> Iterator[Piece]:
        from hexforge.modulegen.render.counters import faces

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

    def _sides(self) -> Iterator[Side]:
        from hexforge.modulegen.render.templates import palette

        for id_, colour in zip(self.sides, palette("report")["counters"], strict=False):
            name = self.say(lambda w, s=id_: w.heading("sides", s))  # type: ignore[misc]
            yield Side(id_, name, safe(clipped(self.answer.players.get(id_, ""))), colour)

    def _turn(self, turn: int) -> Said:
        return self.say(lambda w: Headings(self.answer, w).turn(turn))

    # ------------------------------------------------------------------------------------------------ steps

    def _opening(self) -> Step:
        units = self.position.units
        puts = tuple(Put(n, self._spot_of(units[u]), units[u].lost) for u, n in self.pieces.items())
        zones = {i: self._zone(self.position, side) for i, side in enumerate(self.sides)}
        phase = self.position.phase
        return Step(
            line=0,
            turn=0,
            side=self.sides.index(phase.side) if phase else NOBODY,
            phase="",
            kind="start",
            text=self.say.key("page.start-told"),
            puts=puts,
            zones={side: tuple(sorted(spots)) for side, spots in zones.items() if spots},
            **self._tally(),
        )

    def _step(self, statement: st.Statement, before: Position, outcome: Outcome) -> Step:
        after, say = outcome.position, self.say
        phase = after.phase if isinstance(statement, st.TurnStart) else before.phase
        return Step(
            line=statement.line,
            turn=phase.turn if phase else 0,
            side=self.sides.index(phase.side) if phase else NOBODY,
            phase=phase.kind if phase else "",
            number=phases.number(self.ctx, phase) if phase else 0,
            kind="turn" if isinstance(statement, st.Opening) else type(statement).__name__.lower(),
            text=say(lambda w: self._told(statement, w.language)),
            puts=tuple(self._puts(before, after)),
            ways=tuple(self._ways(statement, before, outcome.moves)),
            fights=tuple(self.fights.of(statement, before, outcome.combats, self.found)),
            zones=dict(self._zones(before, after)),
            dice=_dice(statement),
            source=safe(self.answer.step(statement.line)),
            **self._tally(),
        )

    def _tally(self) -> _Tally:
        """Points, as far as they are not what they were."""
        found = victory.score(self.ctx, self.position)
        score = tuple(found.get(side, 0) for side in self.sides)
        air = tuple(self.position.air.get(side, 0) for side in self.sides)
        told: _Tally = {"score": score if score != self.score else None, "air": air if air != self.air else None}
        self.score, self.air = score, air
        return told

    def _told(self, statement: st.Statement, language: Language) -> str:
        said = statement.statement if isinstance(statement, Directed) else statement
        return clipped(write_statement(said, language, self.vocabulary), 1000)

    def _spot_of(self, state: UnitState) -> int:
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
                yield Put(number, self._spot_of(new), new.lost)

    def _zone(self, position: Position, side: str) -> frozenset[int]:
        return frozenset(self.spot[h] for h in position.boards[side].zoc if h in self.spot)

    def _zones(self, before: Position, after: Position) -> Iterator[tuple[int, tuple[int, ...]]]:
        for i, side in enumerate(self.sides):
            if before.boards[side] is not after.boards[side]:
                changed = self._zone(before, side) ^ self._zone(after, side)
                if changed:
                    yield i, tuple(sorted(changed))

    # ------------------------------------------------------------------------------------------------- ways

    def _path(self, hexes: Iterable[str]) -> tuple[int, ...]:
        return tuple(self.spot[h] for h in hexes if h in self.ctx.map.grid)

    def _ways(self, statement: st.Statement, before: Position, moves: Sequence[MoveRecord]) -> Iterator[Way]:
        for move in moves:
            prices = tuple(map(self._priced, move.parts))
            cost, left = (points(move.cost), points(move.left)) if prices else (None, None)
            yield Way(move.line, "move", move.units, self._path(move.path), prices, cost, left)
        if not isinstance(statement, st.Engagement):
            return
        target = statement.targets[0]
        for act in statement.acts:
            if isinstance(act, st.Attack):
                for hex_ in dict.fromkeys(h for u in act.units if (h := before.hex_of(u)) is not None):
                    yield Way(act.line, "attack", act.units, self._path((hex_, target)))
            elif isinstance(act, st.Retreat | st.Advance):
                kind = "retreat" if isinstance(act, st.Retreat) else "advance"
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


def _lines(statement: st.Statement) -> tuple[int, ...]:
    acts = statement.acts if isinstance(statement, st.Engagement) else ()
    return (statement.line, *(act.line for act in acts))


def _dice(statement: st.Statement) -> tuple[int, ...]:
    if isinstance(statement, st.Engagement):
        return tuple(face for act in statement.acts if isinstance(act, st.Roll) for face in act.faces)
    roll = getattr(statement, "roll", None)
    return (roll,) if isinstance(roll, int) else ()


# ------------------------------------------------------------------------------------------------ findings, chat


def notes(answer: Answer, lines: Sequence[int], spot: Mapping[str, int], say: Tongues) -> Iterator[Note]:
    """The findings of an answer, each on the last step that begins on its line or before."""
    for finding in answer.findings:
        yield note(finding, answer, max(0, bisect_right(lines, finding.line) - 1), spot, say)


def note(finding: Finding, answer: Answer, step: int, spot: Mapping[str, int], say: Tongues) -> Note:
    """A finding as a replay has it."""
    return Note(
        step=step,
        line=finding.line,
        severity=finding.severity,
        severity_told=say(lambda w: wording.severity(finding, w)),
        code=finding.code,
        rule=finding.rule,
        text=say(lambda w: w.say(finding.message)),
        place=say(lambda w: wording.place(finding, answer, w)),
        quote=safe(answer.quote(finding.line)),
        figures=say(lambda w: wording.figures(finding, w)),
        ruling=say(lambda w: wording.ruling(finding, w)),
        doubts=say(
            lambda w: w("report.rests-on", what=doubts_told(finding.rests_on, w)) if finding.rests_on else ""
        ),
        hexes=tuple(spot[h] for h in finding.hexes if h in spot),
        pieces=tuple(map(safe, finding.units)),
    )


def talks(answer: Answer, steps: Sequence[Step]) -> Iterator[Talk]:
    """What was said in the logs of an answer, each line on the step that it stood at."""
    from hexforge.validator.replay.chat import lines_of

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
