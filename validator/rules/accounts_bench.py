"""One statement on accounts as it is judged: the facts that it asks for, what is wrong with it, what follows.

Every account as the books have it, for reports and scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from ...scenarios.model import Scenario
from ...scenarios.schema.extension import LedgerFile, Mechanism, When
from ...scenarios.text.hexgrid import EDGES, Hex
from ...scenarios.text.words import Message, Param, Term, Words, message
from .accounts_books import BookedPiece, BookedPoints, Books, Effect, PortState, State
from .context import Context, Outcome
from .findings import Finding, doubt
from .position import Position
from .values import altered


class Bench:
    """One statement, before the books as they stand; `books` are those after it."""

    def __init__(self, ctx: Context, books: Books, line: int = 0) -> None:
        self.ctx, self.books, self.line = ctx, books, line
        self.head = ctx.head
        self.section = ""
        self._findings: list[Finding] = []
        self._effects: list[Effect] = []
        self._facts: set[int] = set()
        self._missing: dict[Message, None] = {}
        self._needing = ""
        self._unjudged: dict[str, None] = {}

    @property
    def game(self) -> Scenario:
        """The game whose accounts these are."""
        return self.ctx.scenario

    @property
    def rules(self) -> LedgerFile:
        """What the game's files state of its accounts."""
        return self.game.ledger or LedgerFile.model_construct(pieces={})

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of a day in their order."""
        return self.game.days.parts if self.game.days else ()

    def by(self, rule: Mechanism | None) -> None:
        """Go on to judge by a rule, if the game has it: its section is cited from here on."""
        if rule is not None:
            self.section = rule.section
            self._unjudged |= dict.fromkeys(rule.unjudged)

    def outcome(self, position: Position) -> Outcome:
        """All of it. What is missing counts only where nothing is wrong without it."""
        found = list(self._findings)
        if self._missing and not any(f.severity == "illegal" for f in found):
            missing = tuple(self._missing)
            needs = self.ctx.found(self.line, "needs", section=self._needing, severity="doubtful", facts=missing)
            found.append(replace(needs, rests_on=tuple(doubt("unsaid", fact=fact) for fact in missing)))
        return Outcome(
            position if position.accounts is self.books else altered(position, accounts=self.books),
            tuple(found),
            effects=tuple(self._effects),
            facts=frozenset((self.line, fact) for fact in self._facts),
            unjudged=tuple(self._unjudged),
        )

    # ----------------------------------------------------------------------------------------- findings

    def breaks(self, key: str, *, section: str = "", **values: Any) -> None:
        """A rule is broken. The `unit` and the `hex` that are told of are those that the finding is about."""
        unit, hex_ = values.get("unit"), values.get("hex")
        if isinstance(unit, str):
            values.setdefault("units", (unit,))
        if hex_:
            values.setdefault("hexes", (hex_,))
        self._findings.append(self.ctx.found(self.line, key, section=section or self.section, **values))

    def notes(self, key: str, severity: Any = "info", **values: Any) -> None:
        """Something that a reader should know."""
        self.breaks(key, severity=severity, **values)

    def leaves(self, key: str = "unjudged-here", **values: Any) -> None:
        """What rests on rules that no text here has is doubtful, whatever it is."""
        found = self.ctx.found(self.line, key, section=self.section, severity="doubtful", **values)
        self._findings.append(replace(found, rests_on=(doubt("unknown-rule"),)))

    def disputes(self, key: str, option: str, **values: Any) -> None:
        """A rule is broken as a doubtful passage is read; illegal only where somebody has settled the option."""
        settled = option in self.head.chosen
        doubts = () if settled else (doubt("passage", option=option, value=self.ctx.option(option)),)
        self.breaks(key, doubts=doubts, **values)

    def follows(self, what: str, value: int | str | bool, of: str = "", *, section: str = "") -> None:
        """An effect of the line."""
        rule = self.game.citation(section or self.section)
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
        part = self.parts[now.part]
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
            self.breaks("others-phase", unit=id_, side=Term("sides", side), phase_side=whose)

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

    def find(self, id_: str) -> BookedPiece | None:
        """A piece that the sheet declares, or a marker of the game; None for an id that says nothing."""
        if id_ in self.head.pieces:
            return self.head.pieces[id_]
        for kind, spec in self.rules.pieces.items():
            if spec.marker and re.fullmatch(f"{re.escape(spec.marker)}(-[0-9]{{1,3}})?", id_):
                return BookedPiece(id_, spec.side or "", kind)
        guns, landing = self.rules.hidden_guns, self.rules.landing
        if guns and id_ in (guns.guns, *guns.markers):
            return BookedPiece(id_, guns.side, guns.guns)
        if landing and id_ in (landing.unit, landing.other):
            return BookedPiece(id_, landing.side, "")
        return None

    def piece(self, id_: str) -> BookedPiece | None:
        """As `find`; one that nobody has declared is asked for."""
        found = self.find(id_)
        if found is None:
            self.lacks(message("findings.ledger.unit", unit=id_))
        return found

    def is_of(self, id_: str, *kinds: str) -> bool:
        """Whether a piece is of one of some kinds."""
        found = self.find(id_)
        return found is not None and found.kind in kinds

    def all_of(self, units: Iterable[str], side: str) -> None:
        """A finding on each of some units that is not of a side."""
        for unit in units:
            if (piece := self.find(unit)) is not None and piece.side not in ("", side):
                self.breaks("other-side", unit=unit, side=Term("sides", side))

    def gone(self, id_: str) -> bool:
        """Whether a piece is eliminated; a finding if so."""
        gone = self.books.state(id_).where == "eliminated"
        if gone:
            self.breaks("gone", unit=id_)
        return gone

    @property
    def income(self) -> int:
        """The points that the port yields a day to whoever has repaired it."""
        rule, port = self.rules.port, self.books.port
        works = rule is not None and port.held and (port.level or 0) >= rule.repair.works
        return rule.repair.income if rule is not None and works else 0

    def known(self, id_: str) -> None:
        """A piece that acts on the map: one of which no line says that it is there is told of."""
        if not self.books.state(id_).where:
            self.notes("never-placed", "warning", unit=id_)

    def markers(self, kind: str) -> int | None:
        """How many markers of a kind there are: as the sheet says, else as the game's files do; None if unknown."""
        marker = self.rules.pieces[kind].marker
        if kind in self.head.counts or marker is None:
            return self.head.counts.get(kind)
        return self.game.game.count(marker)

    def used(self, kind: str, *where: str, but: str = "") -> int:
        """How many markers of a kind are on the map, or in one of some other places."""
        there = (id_ for id_, s in self.books.states.items() if id_ != but and s.where in ("map", *where))
        return sum(self.is_of(id_, kind) for id_ in there)

    def enters(self, id_: str, kind: str, hex_: Hex) -> None:
        """A marker of a kind comes onto the map, if it is not there and one is left; a finding if not."""
        where = self.books.state(id_).where
        if where == "map":
            self.breaks("on-map-already", unit=id_)
        elif where != "eliminated":
            self.taken(kind, id_)
        self.books = self.books.put(id_, where="map", hex=hex_, under="")
        self.follows("on_map", self.used(kind), kind)

    def taken(self, kind: str, id_: str) -> None:
        """A marker of a kind is taken from the box: a finding if none is left."""
        count, used = self.markers(kind), self.used(kind, "eliminated", but=id_)
        if count is None:
            self.notes("uncounted", units=(), unit=id_)
        elif used >= count:
            self.breaks("none-left", unit=id_, count=count, declared=used + 1, computed=count)


def _spaced(things: Iterable[Param]) -> Param:
    first, *rest = list(things) or [""]
    for thing in rest:
        first = message("findings.ledger.beside", a=first, b=thing)
    return first


def _terms(section: str, ids: Iterable[str]) -> tuple[Term, ...]:
    return tuple(Term(section, id_) for id_ in ids)


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account in words: what it is of, and how it stands."""

    what: Param
    told: Message


@dataclass(frozen=True)
class Accounts:
    """What an answer shows of a replay besides its findings: accounts, what followed, facts, what is not judged.

    `used` are the lines of facts, each with a line that rests on it.
    """

    bench: Bench
    effects: tuple[Effect, ...] = ()
    used: frozenset[tuple[int, int]] = frozenset()
    left_out: tuple[str, ...] = ()

    @property
    def facts(self) -> tuple[int, ...]:
        """The lines of the facts that the judgement rests on."""
        return tuple(sorted({fact for _, fact in self.used}))

    @property
    def unjudged(self) -> tuple[Term, ...]:
        """What the lines rest on that is in no text here."""
        return tuple(Term("unjudged", id_) for id_ in self.left_out)

    @property
    def score(self) -> dict[str, int]:
        """Victory points by side."""
        return {side: self.bench.books.total(side) for side in self.bench.ctx.sides}

    def rows(self) -> Iterator[AccountRow]:
        """The accounts that the game has, one a row."""
        bench, books = self.bench, self.bench.books
        unsaid = message("report.accounts.unsaid")
        for kind, found in _markers(bench):
            told = {k: v for k, v in found.items() if v is not None}
            key = "markers" if "count" in told else "markers-uncounted"
            yield AccountRow(Term("pieces", kind), message(f"report.accounts.{key}", **told))
        if bench.rules.cut_off is not None:
            record = books.record
            state = message("report.accounts.open" if record.open else "report.accounts.closed")
            points: Param = unsaid if record.points is None else record.points
            told_ = message(
                "report.accounts.record", state=state, lost=record.lost, points=points, used=record.used
            )
            yield AccountRow(message("report.accounts.record-name"), told_)
        if (rule := bench.rules.port) is not None:
            port = books.port
            level: Param = message("report.accounts.not-begun") if port.level is None else port.level
            taken = message(f"report.accounts.{_taken(port)}")
            yield AccountRow(Term("cities", rule.city), message("report.accounts.port", level=level, taken=taken))
            stock: Param = unsaid if books.stock is None else books.stock
            values = {"stock": stock, "spent": books.spent, "earned": books.income, "income": bench.income}
            yield AccountRow(message("report.accounts.points-name"), message("report.accounts.points", **values))
        for s in books.scored:
            day = s.on.isoformat() if s.on else "–"
            values = {"points": s.points, "what": s.what, "date": day, "line": s.line}
            yield AccountRow(Term("sides", s.side), message("report.accounts.scored", **values))

    def as_json(self, words: Words) -> dict[str, Any]:
        """All of it for scripts: the keys `accounts`, `effects`, `facts` and `unjudged` of an answer."""
        bench, books = self.bench, self.bench.books
        record, port = books.record, books.port
        left = None if record.points is None else record.points - record.used
        shown = {"level": port.level, "begun": port.level is not None, "captured": port.captured, "held": port.held}
        accounts = {
            "markers": dict(_markers(bench)),
            "record": {name: getattr(record, name) for name in ("open", "lost", "points", "used")} | {"left": left},
            "port": {**shown, "income": bench.income},
            "supply_points": {"stock": books.stock, "spent": books.spent, "earned": books.income},
            "victory_points": [
                {
                    "line": s.line,
                    "date": s.on.isoformat() if s.on else None,
                    "side": s.side,
                    "points": s.points,
                    "rule": bench.game.citation(s.section),
                    "what": words.say(s.what),
                }
                for s in books.scored
            ],
            "pieces": {id_: _state_json(state) for id_, state in sorted(books.states.items())},
        }  # fmt: skip
        used_by = {fact: sorted(line for line, other in self.used if other == fact) for fact in self.facts}
        return {
            "accounts": accounts,
            "effects": [effect.as_json() for effect in self.effects],
            "facts": [{"line": fact, "used_by": lines} for fact, lines in used_by.items()],
            "unjudged": [words.value(term) for term in self.unjudged],
        }


def _markers(bench: Bench) -> Iterator[tuple[str, dict[str, int | None]]]:
    """The kinds of markers that are counted, with how many are where."""
    rules = bench.rules
    companies = rules.frail.companies if rules.frail else None
    kinds = [rule.kind for rule in (rules.carriers, rules.battle_groups) if rule]
    if companies and bench.ctx.option(companies.option) == "yes":
        kinds.append(companies.marker)
    for kind in kinds:
        count, used, there = bench.markers(kind), bench.used(kind, "eliminated"), bench.used(kind)
        left = None if count is None else max(0, count - used)
        yield kind, {"on_map": there, "eliminated": used - there, "pool": left, "count": count}


def _taken(port: PortState) -> str:
    return "held" if port.held else "lost-again" if port.captured else "not-captured"


def _state_json(state: State) -> dict[str, Any]:
    found: dict[str, Any] = {"where": state.where or "unknown", "hex": state.hex or None}
    if state.under:
        found["under"] = state.under
    if state.steps is not None:
        found["steps"] = state.steps
    return found | ({"lost": state.lost} if state.lost else {})
