"""Where one statement is judged: it asks for facts, finds fault, notes what follows, and says what it rests on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from hexforge.scenarios.hexgrid import EDGES
from hexforge.scenarios.schema.ledger import Mechanism, When
from hexforge.scenarios.words import Message, Param, Term, message
from hexforge.validator.referee.findings import Finding, doubt
from hexforge.validator.referee.ledger.books import BookedPiece, BookedPoints, Books
from hexforge.validator.referee.ledger.context import LedgerContext


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
