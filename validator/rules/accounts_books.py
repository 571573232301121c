"""The books: what markers and units are and where, and how every account stands. Each change gives new ones.

What accounts are judged against: the rules that the game's files state, its pieces, the options in force.

Where one statement is judged: it asks for facts, finds fault, notes what follows, and says what it rests on.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final, Literal, TypeAlias

from ...scenarios.model import Extension
from ...scenarios.schema.extension import LedgerFile, Mechanism, When
from ...scenarios.text.hexgrid import EDGES, Hex
from ...scenarios.text.words import Message, Param, Term, message
from .findings import Finding, doubt, find

MAX_KEPT: Final = 2000
"""Pieces, and facts of a turn, that books hold; more than any game has."""
FactKey: TypeAlias = tuple[str, tuple[str, ...]]
"""The name of a fact, and what it is of."""
Where = Literal["", "map", "pool", "eliminated"]
"""Where a piece is; "" where no line has said it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A phase that is being played. `part` counts the parts of the day from 0; `number` is 0 where none is said."""

    date: datetime.date
    part: int
    phase: str
    number: int = 0
    side: str = ""
    line: int = 0

    @property
    def turn(self) -> tuple[datetime.date, int]:
        """The turn: a part of a day."""
        return self.date, self.part


@dataclass(frozen=True, slots=True)
class BookedPiece:
    """What does not change about a unit or marker; `steps` is None where no line says how many it has."""

    id: str
    side: str
    kind: str
    division: str = ""
    steps: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """What changes about one. `under` is the headquarters that it lies with, `alerted` that it need not wait."""

    where: Where = ""
    hex: Hex = ""
    under: str = ""
    steps: int | None = None
    lost: int = 0
    hidden: bool = False
    alerted: bool = False


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact as a line states it; one of a turn holds until that is over."""

    value: str
    line: int
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class PortState:
    """`level` is None until demolition has begun; `ticked` is the last night that the clock has counted."""

    level: int | None = None
    ticked: datetime.date | None = None
    captured: bool = False
    held: bool = False
    paid: bool = False
    repaired: Moment | None = None


@dataclass(frozen=True, slots=True)
class RecordState:
    """Steps lost in the part that is cut off, and the replacement points entered and used there.

    `points` is None until a line enters any; `open` says that it is in use.
    """

    lost: int = 0
    points: int | None = None
    used: int = 0
    open: bool = False


@dataclass(frozen=True, slots=True)
class BookedPoints:
    """Victory points of a side with what they are for, and the section."""

    line: int
    side: str
    points: int
    what: Message
    section: str
    on: datetime.date | None = None


@dataclass(frozen=True)
class Books:
    """Everything. `left`: headquarters that a carrier left in this turn; `supplied`: units by headquarters."""

    states: Mapping[str, State] = field(default_factory=dict)
    now: Moment | None = None
    first: Moment | None = None
    facts: Mapping[FactKey, Stated] = field(default_factory=dict)
    left: frozenset[str] = frozenset()
    supplied: Mapping[str, frozenset[str]] = field(default_factory=dict)
    checked: frozenset[str] = frozenset()
    port: PortState = PortState()
    record: RecordState = RecordState()
    stock: int | None = None
    spent: int = 0
    income: int = 0
    choices: Mapping[str, str] = field(default_factory=dict)
    landed: Mapping[str, str] = field(default_factory=dict)
    dice: Mapping[str, int] = field(default_factory=dict)
    scored: tuple[BookedPoints, ...] = ()

    def state(self, id_: str) -> State:
        """How a piece stands; as nothing has said yet for one that was never named."""
        return self.states.get(id_, State())

    def put(self, id_: str, **changes: Any) -> Books:
        """The books with other values of a piece's state; those of far too many pieces are not kept."""
        if id_ not in self.states and len(self.states) >= MAX_KEPT:
            return self
        return replace(self, states={**self.states, id_: replace(self.state(id_), **changes)})

    def under(self, headquarters: str) -> Iterator[str]:
        """The carriers that lie with a headquarters."""
        return (id_ for id_, state in self.states.items() if state.under == headquarters and state.where == "map")

    def total(self, side: str) -> int:
        """The victory points of a side."""
        return sum(s.points for s in self.scored if s.side == side)


@dataclass(frozen=True)
class LedgerContext:
    """Everything that stays the same from the first statement to the last.

    `pieces` are the sheet's own by id, `chosen` the options that somebody has set, whatever their value; `counts`
    are the numbers of markers that the sheet gives.
    """

    game: Extension
    rules: LedgerFile
    pieces: Mapping[str, BookedPiece]
    options: Mapping[str, str]
    chosen: frozenset[str] = frozenset()
    counts: Mapping[str, int] = field(default_factory=dict)
    partial: bool = False

    @property
    def sides(self) -> tuple[str, ...]:
        """Both sides' ids."""
        return tuple(side.id for side in self.game.game.sides)

    def enemy(self, side: str) -> str:
        """The other side."""
        return next(s for s in self.sides if s != side)

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of a day in their order."""
        return self.game.game.days.parts if self.game.game.days else ()

    def piece(self, id_: str) -> BookedPiece | None:
        """A piece that the sheet declares, or a marker of the game; None for an id that says nothing."""
        if id_ in self.pieces:
            return self.pieces[id_]
        for kind, spec in self.rules.pieces.items():
            if spec.marker and re.fullmatch(f"{re.escape(spec.marker)}(-[0-9]{{1,3}})?", id_):
                return BookedPiece(id_, spec.side or "", kind)
        guns = self.rules.hidden_guns
        if guns and id_ in (guns.guns, *guns.markers):
            return BookedPiece(id_, guns.side, guns.guns)
        landing = self.rules.landing
        if landing and id_ in (landing.unit, landing.other):
            return BookedPiece(id_, landing.side, "")
        return None

    def count(self, kind: str) -> int | None:
        """How many markers of a kind there are: as the sheet says, else as the game's files do; None if unknown."""
        marker = self.rules.pieces[kind].marker
        if kind in self.counts or marker is None:
            return self.counts.get(kind)
        return self.game.game.count(marker)

    def on_map(self, books: Books, kind: str) -> int:
        """How many markers of a kind are on the map."""
        pieces = ((self.piece(id_), state) for id_, state in books.states.items())
        return sum(p is not None and p.kind == kind and state.where == "map" for p, state in pieces)

    def used_up(self, books: Books, kind: str) -> int:
        """How many markers of a kind are on the map, or lost for good."""
        pieces = ((self.piece(id_), state) for id_, state in books.states.items())
        return sum(p is not None and p.kind == kind and state.where in ("map", "eliminated") for p, state in pieces)

    def option(self, name: str) -> str:
        """The value of an option; "" for one that the game has not."""
        return self.options.get(name, "")

    def found(self, line: int, key: str, *, section: str = "", **more: Any) -> Finding:
        """A finding of a kind of `KINDS`; `section` is that of the rule."""
        return find(line, key, self.game.citation(section), **more)

    def city(self) -> Message:
        """What the city of the port is called."""
        port = self.rules.port
        return message("findings.ledger.name", what=Term("cities", port.city if port else ""))


@dataclass(frozen=True, slots=True)
class Effect:
    """What follows from a line: `what` names it (`bonus`, `level` …), `of` is the piece or ""."""

    line: int
    rule: str
    what: str
    of: str
    value: int | str | bool

    def as_json(self) -> dict[str, Any]:
        """The effect for scripts."""
        return {"line": self.line, "rule": self.rule, "what": self.what, "of": self.of or None, "value": self.value}


@dataclass(frozen=True)
class JudgedStatement:
    """What became of a statement. `facts` are the lines that it rests on, `unjudged` what is left out of it."""

    books: Books
    findings: tuple[Finding, ...] = ()
    effects: tuple[Effect, ...] = ()
    facts: frozenset[int] = frozenset()
    unjudged: tuple[str, ...] = ()


class Bench:
    """One statement, before the books as they stand; `books` are those after it."""

    def __init__(self, ctx: LedgerContext, books: Books, line: int, rule: Mechanism | None = None) -> None:
        self.ctx = ctx
        self.books = books
        self.line = line
        self.section = ""
        self._findings: list[Finding] = []
        self._effects: list[Effect] = []
        self._facts: set[int] = set()
        self._missing: dict[Message, None] = {}
        self._needing = ""
        self._unjudged: dict[str, None] = {}
        if rule is not None:
            self.by(rule)

    def by(self, rule: Mechanism) -> None:
        """Go on to judge by a rule: its section is cited from here on."""
        self.section = rule.section
        self._unjudged |= dict.fromkeys(rule.unjudged)

    @property
    def judged(self) -> JudgedStatement:
        """All of it. What is missing counts only where nothing is wrong without it."""
        found = list(self._findings)
        if self._missing and not any(f.severity == "illegal" for f in found):
            missing = tuple(self._missing)
            needs = self.ctx.found(self.line, "needs", section=self._needing, severity="doubtful", facts=missing)
            found.append(replace(needs, rests_on=tuple(doubt("unsaid", fact=fact) for fact in missing)))
        return JudgedStatement(
            self.books, tuple(found), tuple(self._effects), frozenset(self._facts), tuple(self._unjudged)
        )

    # ----------------------------------------------------------------------------------------- findings

    def breaks(self, key: str, *, section: str = "", **values: Any) -> None:
        """A rule is broken."""
        self._findings.append(self.ctx.found(self.line, key, section=section or self.section, **values))

    def notes(self, key: str, severity: Any = "info", *, section: str = "", **values: Any) -> None:
        """Something that a reader should know."""
        self._findings.append(
            self.ctx.found(self.line, key, section=section or self.section, severity=severity, **values)
        )

    def leaves(self, key: str = "unjudged-here", **values: Any) -> None:
        """What rests on rules that no text here has is doubtful, whatever it is."""
        found = self.ctx.found(self.line, key, section=self.section, severity="doubtful", **values)
        self._findings.append(replace(found, rests_on=(doubt("unknown-rule"),)))

    def disputes(self, key: str, option: str, **values: Any) -> None:
        """A rule is broken as a doubtful passage is read; illegal only where somebody has settled the option."""
        settled = option in self.ctx.chosen
        doubts = () if settled else (doubt("passage", option=option, value=self.ctx.option(option)),)
        self.breaks(key, doubts=doubts, **values)

    def follows(self, what: str, value: int | str | bool, of: str = "") -> None:
        """An effect of the line."""
        rule = self.ctx.game.citation(self.section)
        self._effects.append(Effect(self.line, rule, what, of, value))

    def scores(self, side: str, points: int, what: Message, on: date | None = None) -> None:
        """Victory points for a side, or from it; on the day that is being played unless another is given."""
        now = self.books.now
        on = on or (now.date if now else None)
        scored = (*self.books.scored, BookedPoints(self.line, side, points, what, self.section, on))
        self.books = replace(self.books, scored=scored)
        self.follows("victory_points", points, side)

    def fits(self, when: When, what: Param) -> bool:
        """Whether this is the turn and the phase for something; a finding if not."""
        now = self.books.now
        if now is None:
            self.breaks("no-phase", what=what)
            return False
        part = self.ctx.parts[now.part]
        if when.parts and part not in when.parts:
            self.breaks("not-in-part", what=what, parts=_terms("turns", when.parts), part=Term("turns", part))
            return False
        if when.phases and now.phase not in when.phases:
            phases = _terms("phases", when.phases)
            self.breaks("not-in-phase", what=what, phases=phases, phase=Term("phases", now.phase))
            return False
        return True

    def acts(self, id_: str, side: str) -> None:
        """A piece of a side acts: a finding if the phase is said to be the other side's."""
        now = self.books.now
        if now is not None and now.side not in ("", side):
            whose = Term("sides", now.side)
            self.breaks("others-phase", units=(id_,), unit=id_, side=Term("sides", side), phase_side=whose)

    # -------------------------------------------------------------------------------------------- facts

    def fact(self, name: str, *of: str) -> str | None:
        """The value of a fact; None where nobody has stated it."""
        stated = self.books.facts.get((name, of))
        if stated is None:
            return None
        self._facts.add(stated.line)
        return stated.value

    def rests_on(self, line: int) -> None:
        """Note that a fact of this line was looked at."""
        self._facts.add(line)

    def lacks(self, fact: Message) -> None:
        """Note that something is not said."""
        self._needing = self._needing or self.section
        self._missing[fact] = None

    def needs(self, name: str, *of: str) -> str | None:
        """As `fact`; one that nobody has stated is asked for."""
        value = self.fact(name, *of)
        if value is None:
            self.lacks(self._unsaid(name, of))
        return value

    def holds(self, name: str, *of: str) -> bool | None:
        """Whether a fact that is needed holds; None where nobody has stated it."""
        value = self.needs(name, *of)
        return None if value is None else value not in ("no", "0")

    def count(self, name: str, *of: str) -> int | None:
        """The number of a fact; None where nobody has stated one."""
        value = self.fact(name, *of)
        return int(value) if value is not None and value.isdigit() else None

    def number(self, name: str, *of: str) -> int | None:
        """As `count`; a number that nobody has stated is asked for."""
        value = self.count(name, *of)
        if value is not None:
            return value
        self.lacks(self._unsaid(name, of, number=True))
        return None

    def _unsaid(self, name: str, of: Iterable[str], *, number: bool = False) -> Message:
        """A fact as somebody would have to state it."""
        things = message("findings.ledger.things", things=_spaced(map(self._thing, of)))
        key = "findings.ledger.fact-number" if number else "findings.ledger.fact"
        return message(key, name=Term("facts", name), of=things)

    def _thing(self, thing: str) -> Param:
        section = "sides" if thing in self.ctx.sides else "edges" if thing in EDGES else ""
        return Term(section, thing) if section else thing

    # ------------------------------------------------------------------------------------------- pieces

    def piece(self, id_: str) -> BookedPiece | None:
        """A piece; one that nobody has declared is asked for."""
        found = self.ctx.piece(id_)
        if found is None:
            self.lacks(message("findings.ledger.unit", unit=id_))
        return found

    def known(self, id_: str) -> None:
        """A piece that acts on the map: one of which no line says that it is there is told of."""
        if not self.books.state(id_).where:
            self.notes("never-placed", "warning", units=(id_,), unit=id_)

    def taken(self, kind: str, id_: str) -> bool:
        """Whether a marker of a kind can still come onto the map; a finding if not."""
        count, books = self.ctx.count(kind), self.books
        if count is None:
            self.notes("uncounted", section=self.section, unit=id_)
            return True
        others = [i for i, s in books.states.items() if i != id_ and s.where in ("map", "eliminated")]
        used = sum((p := self.ctx.piece(i)) is not None and p.kind == kind for i in others)
        if used >= count:
            self.breaks("none-left", units=(id_,), unit=id_, count=count, declared=used + 1, computed=count)
            return False
        return True


def _spaced(things: Iterable[Param]) -> Param:
    first, *rest = list(things) or [""]
    for thing in rest:
        first = message("findings.ledger.beside", a=first, b=thing)
    return first


def _terms(section: str, ids: Iterable[str]) -> tuple[Term, ...]:
    return tuple(Term(section, id_) for id_ in ids)
