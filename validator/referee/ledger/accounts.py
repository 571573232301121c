"""Every account as the books have it, for reports and scripts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hexforge.scenarios.words import Message, Param, Term, Words, message
from hexforge.validator.referee.ledger.bench import Effect
from hexforge.validator.referee.ledger.books import Books
from hexforge.validator.referee.ledger.context import LedgerContext
from hexforge.validator.referee.ledger.port import yields
from hexforge.validator.referee.ledger.replay import LedgerJudgement


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account in words: what it is of, and how it stands."""

    what: Param
    told: Message


@dataclass(frozen=True)
class Accounts:
    """What an answer shows of a replay besides its findings: accounts, what followed, facts, what is not judged."""

    judgement: LedgerJudgement

    @property
    def facts(self) -> tuple[int, ...]:
        """The lines of the facts that the judgement rests on."""
        return tuple(sorted(frozenset().union(*self.judgement.facts.values()))) if self.judgement.facts else ()

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What followed from lines."""
        return self.judgement.effects

    @property
    def unjudged(self) -> tuple[Term, ...]:
        """What the lines rest on that is in no text here."""
        return tuple(Term("unjudged", id_) for id_ in self.judgement.unjudged)

    @property
    def score(self) -> dict[str, int]:
        """Victory points by side."""
        return {side: self.judgement.books.total(side) for side in self.judgement.ctx.sides}

    def rows(self) -> Iterator[AccountRow]:
        """The accounts that the game has, one a row."""
        ctx, books = self.judgement.ctx, self.judgement.books
        yield from _markers(ctx, books)
        yield from _records(ctx, books)
        yield from _port(ctx, books)
        for s in books.scored:
            day = s.on.isoformat() if s.on else "–"
            told = message("report.accounts.scored", points=s.points, what=s.what, date=day, line=s.line)
            yield AccountRow(Term("sides", s.side), told)

    def as_json(self, words: Words) -> dict[str, Any]:
        """All of it for scripts: the keys `accounts`, `effects`, `facts` and `unjudged` of an answer."""
        ctx, books, judgement = self.judgement.ctx, self.judgement.books, self.judgement
        by_fact = {
            fact: sorted(line for line, used in judgement.facts.items() if fact in used) for fact in self.facts
        }
        return {
            "accounts": {
                "markers": dict(_markers_json(ctx, books)),
                "record": _record_json(ctx, books),
                "port": _port_json(ctx, books),
                "supply_points": {"stock": books.stock, "spent": books.spent, "earned": books.income},
                "victory_points": [
                    {
                        "line": s.line,
                        "date": s.on.isoformat() if s.on else None,
                        "side": s.side,
                        "points": s.points,
                        "rule": ctx.game.citation(s.section),
                        "what": words.say(s.what),
                    }
                    for s in books.scored
                ],
                "pieces": {id_: _state_json(books, id_) for id_ in sorted(books.states)},
            },
            "effects": [effect.as_json() for effect in judgement.effects],
            "facts": [{"line": fact, "used_by": lines} for fact, lines in by_fact.items()],
            "unjudged": [words.value(term) for term in self.unjudged],
        }


def _kinds(ctx: LedgerContext) -> Iterator[str]:
    rules = ctx.rules
    if rules.carriers:
        yield rules.carriers.kind
    if rules.battle_groups:
        yield rules.battle_groups.kind
    if rules.frail and rules.frail.companies and ctx.option(rules.frail.companies.option) == "yes":
        yield rules.frail.companies.marker


def _markers_json(ctx: LedgerContext, books: Books) -> Iterator[tuple[str, dict[str, int | None]]]:
    for kind in _kinds(ctx):
        count, used = ctx.count(kind), ctx.used_up(books, kind)
        there = ctx.on_map(books, kind)
        left = None if count is None else max(0, count - used)
        yield kind, {"on_map": there, "eliminated": used - there, "pool": left, "count": count}


def _markers(ctx: LedgerContext, books: Books) -> Iterator[AccountRow]:
    for kind, found in _markers_json(ctx, books):
        key = "report.accounts.markers" if found["count"] is not None else "report.accounts.markers-uncounted"
        yield AccountRow(Term("pieces", kind), message(key, **{k: v for k, v in found.items() if v is not None}))


def _record_json(ctx: LedgerContext, books: Books) -> dict[str, int | bool | None]:
    record = books.record
    left = None if record.points is None else record.points - record.used
    return {"open": record.open, "lost": record.lost, "points": record.points, "used": record.used, "left": left}


def _records(ctx: LedgerContext, books: Books) -> Iterator[AccountRow]:
    if ctx.rules.cut_off is None:
        return
    record = books.record
    state = message("report.accounts.open" if record.open else "report.accounts.closed")
    points: Param = message("report.accounts.unsaid") if record.points is None else record.points
    told = message("report.accounts.record", state=state, lost=record.lost, points=points, used=record.used)
    yield AccountRow(message("report.accounts.record-name"), told)


def _port_json(ctx: LedgerContext, books: Books) -> dict[str, int | bool | None]:
    rule, port = ctx.rules.port, books.port
    income = rule.repair.income if rule and yields(port, rule) else 0
    return {
        "level": port.level,
        "begun": port.level is not None,
        "captured": port.captured,
        "held": port.held,
        "income": income,
    }


def _port(ctx: LedgerContext, books: Books) -> Iterator[AccountRow]:
    rule, found = ctx.rules.port, _port_json(ctx, books)
    if rule is None:
        return
    level: Param = message("report.accounts.not-begun") if books.port.level is None else books.port.level
    taken = "held" if found["held"] else "lost-again" if found["captured"] else "not-captured"
    told = message("report.accounts.port", level=level, taken=message(f"report.accounts.{taken}"))
    yield AccountRow(Term("cities", rule.city), told)
    stock: Param = message("report.accounts.unsaid") if books.stock is None else books.stock
    values = {"stock": stock, "spent": books.spent, "earned": books.income, "income": int(found["income"] or 0)}
    yield AccountRow(message("report.accounts.points-name"), message("report.accounts.points", **values))


def _state_json(books: Books, id_: str) -> dict[str, Any]:
    state = books.states[id_]
    found: dict[str, Any] = {"where": state.where or "unknown", "hex": state.hex or None}
    if state.under:
        found["under"] = state.under
    if state.steps is not None:
        found["steps"] = state.steps
    return found | ({"lost": state.lost} if state.lost else {})
