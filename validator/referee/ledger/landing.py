"""Two battalions that may assault one place together or land at another, one after the other."""

from __future__ import annotations

from dataclasses import replace

from hexforge.scenarios.schema.ledger import Landing, Reserve
from hexforge.scenarios.words import Term
from hexforge.validator.readers.notation import statements_ledger as sl
from hexforge.validator.referee.ledger.bench import Bench, JudgedStatement
from hexforge.validator.referee.ledger.books import Books
from hexforge.validator.referee.ledger.context import LedgerContext

HELD = "held"
"""What is chosen of a battalion that is held back."""
FACES = range(1, 7)


def speaks_of(ctx: LedgerContext, id_: str) -> bool:
    """Whether the rule names a unit."""
    rule = ctx.rules.landing
    return rule is not None and id_ in (rule.unit, rule.other)


def _place(rule: Landing, said: str) -> str:
    return rule.assault if said in rule.hexes else said


def choose(ctx: LedgerContext, books: Books, s: sl.Choose) -> JudgedStatement:
    """`choose`: where the first battalion lands; of the second whether it is held back."""
    rule = ctx.rules.landing
    bench = Bench(ctx, books, s.line, rule)
    if rule is None:
        return bench.judged
    choice = _place(rule, s.choice)
    places = (rule.assault, rule.beach)
    if s.unit == rule.other and choice == HELD and rule.reserve is not None:
        _hold_back(bench, rule.reserve, s)
    elif choice not in places:
        bench.breaks("no-such-choice", units=(s.unit,), unit=s.unit, known=places)
    bench.books = replace(books, choices={**books.choices, s.unit: choice})
    return bench.judged


def _hold_back(bench: Bench, rule: Reserve, s: sl.Choose) -> None:
    bench.by(rule)
    now = bench.books.now
    if bench.ctx.option(rule.option) != "yes":
        bench.breaks("not-in-use", option=rule.option)
    late = now is not None and now.phase == rule.phase and now.number > rule.number
    if late or s.unit in bench.books.landed:
        bench.breaks("held-late", units=(s.unit,), unit=s.unit)


def throw(ctx: LedgerContext, books: Books, s: sl.Throw) -> JudgedStatement:
    """`roll`: once, after the first phase, for the battalion that was held back."""
    landing = ctx.rules.landing
    rule = landing.reserve if landing else None
    bench = Bench(ctx, books, s.line, rule)
    if landing is None or rule is None or s.unit != landing.other:
        bench.breaks("no-die", units=(s.unit,), unit=s.unit)
        return bench.judged
    if ctx.option(rule.option) != "yes":
        bench.breaks("not-in-use", option=rule.option)
    if books.choices.get(s.unit) != HELD:
        bench.breaks("not-held-back", units=(s.unit,), unit=s.unit)
    now = books.now
    if now is None or (now.phase == rule.phase and now.number <= rule.number):
        bench.breaks("die-early", units=(s.unit,), unit=s.unit)
    if s.unit in books.dice:
        bench.breaks("die-again", units=(s.unit,), unit=s.unit)
    if s.face not in FACES:
        bench.breaks("die", declared=s.face, roll=s.face)
    bench.books = replace(books, dice={**books.dice, s.unit: s.face})
    bench.follows("sent_to", sent(landing, rule, s.face), s.unit)
    return bench.judged


def sent(landing: Landing, rule: Reserve, face: int) -> str:
    """Where a die sends the battalion that was held back."""
    return landing.assault if rule.faces[0] <= face <= rule.faces[1] else landing.beach


def land(ctx: LedgerContext, books: Books, s: sl.Land) -> JudgedStatement:
    """`land`: where it may, and at the beach the first battalion after the second."""
    rule = ctx.rules.landing
    bench = Bench(ctx, books, s.line, rule)
    if rule is None:
        return bench.judged
    if not speaks_of(ctx, s.unit):
        bench.leaves(units=(s.unit,))
        return bench.judged
    bench.fits(rule.when, Term("acts", "land"))
    bench.acts(s.unit, rule.side)
    place = _place(rule, s.place)
    if s.unit in books.landed:
        bench.breaks("landed-twice", units=(s.unit,), unit=s.unit)
    if place not in (rule.assault, rule.beach):
        bench.breaks("no-such-choice", units=(s.unit,), unit=s.unit, known=(rule.assault, rule.beach))
    elif s.unit == rule.unit:
        _first(bench, rule, s.unit, place)
    else:
        _second(bench, rule, s.unit, place)
    bench.books = replace(bench.books.put(s.unit, where="map"), landed={**books.landed, s.unit: place})
    return bench.judged


def _first(bench: Bench, rule: Landing, unit: str, place: str) -> None:
    chosen = bench.books.choices.get(unit, place)
    if chosen != place:
        bench.breaks("chosen-otherwise", units=(unit,), unit=unit, choice=chosen)
    if place != rule.beach or bench.books.landed.get(rule.other) == rule.beach:
        return
    waits = bench.books.choices.get(rule.other) == HELD and rule.other not in bench.books.landed
    if waits or bench.holds("landed", rule.other) is False:
        bench.breaks("before-the-other", units=(unit, rule.other), unit=unit, other=rule.other)


def _second(bench: Bench, rule: Landing, unit: str, place: str) -> None:
    reserve, held = rule.reserve, bench.books.choices.get(unit) == HELD
    if reserve is not None and (held or place == rule.assault):
        bench.by(reserve)
    if not held or reserve is None:
        if place == rule.assault:
            bench.breaks("not-held-back", units=(unit,), unit=unit)
        # Nobody lands twice, so that the other came before it, whatever was left open when that landed.
        elif bench.books.landed.get(rule.unit) == rule.beach and bench.fact("landed", unit) is None:
            bench.breaks("before-the-other", units=(rule.unit, unit), unit=rule.unit, other=unit)
        return
    face = bench.books.dice.get(unit)
    if face is None:
        bench.breaks("die-first", units=(unit,), unit=unit)
    elif sent(rule, reserve, face) != place:
        bench.breaks("sent-elsewhere", units=(unit,), unit=unit, roll=face, choice=sent(rule, reserve, face))
