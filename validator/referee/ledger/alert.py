"""Units near the coast that may not move in the first phases, until the enemy comes near."""

from __future__ import annotations

from hexforge.scenarios.hexgrid import map_letter
from hexforge.scenarios.schema.ledger import Alert
from hexforge.scenarios.words import message
from hexforge.validator.readers.notation import statements_ledger as sl
from hexforge.validator.referee.ledger.bench import Bench, JudgedStatement
from hexforge.validator.referee.ledger.books import Books
from hexforge.validator.referee.ledger.context import LedgerContext

STRIP = "strip"
"""The reading by which the passage speaks of a strip along the coast; the other one measures distances."""


def waits(bench: Bench, unit: str, letter: str) -> bool:
    """Whether the rule speaks of a unit on the map of a letter, in the phase that is being played."""
    rule, now = bench.ctx.rules.alert, bench.books.now
    piece = bench.ctx.piece(unit)
    if rule is None or now is None or now.phase != rule.phase or letter != rule.letter:
        return False
    if (piece is not None and piece.side != rule.side) or bench.books.state(unit).alerted:
        return False
    return now.number <= rule.phases


def hold(bench: Bench, unit: str) -> bool:
    """A unit that may have to wait: a finding if it must. Gives whether it is free.

    Who is free because an enemy has come stays free; who only stands too far from the coast does not.
    """
    rule, now = bench.ctx.rules.alert, bench.books.now
    assert rule is not None
    assert now is not None
    bench.by(rule)
    known = bench.piece(unit) is not None
    if known and not now.number:
        bench.lacks(message("findings.ledger.phase-number"))
    if not known or not now.number:
        return False
    near, strip = _bound(bench, rule, unit)
    if near is None or not (near or strip):
        return near is not None
    naval = bench.count("naval", unit)
    freed, freed_in_strip = _freed(bench, rule, unit)
    if (naval is not None and naval <= rule.naval) or (freed and freed_in_strip):
        bench.books = bench.books.put(unit, alerted=True)
        return True
    if naval is None or freed is None:
        bench.number("naval", unit)
        bench.number("distance", unit)
        return False
    free = _settled(bench, rule, unit, (not near or freed, not strip or bool(freed_in_strip)))
    if free and (freed_in_strip if bench.ctx.option(rule.option) == STRIP else freed):
        bench.books = bench.books.put(unit, alerted=True)
    return free


def _settled(bench: Bench, rule: Alert, unit: str, free: tuple[bool, bool]) -> bool:
    """Whether a unit is free as the passage is read, of how it is by distance and by the strip."""
    by_option = free[bench.ctx.option(rule.option) == STRIP]
    if not by_option and any(free):
        bench.disputes("must-wait", rule.option, units=(unit,), unit=unit, phases=rule.phases)
    elif not by_option:
        bench.breaks("must-wait", units=(unit,), unit=unit, phases=rule.phases)
    elif not all(free) and rule.option not in bench.ctx.chosen:
        bench.disputes("waits-otherwise", rule.option, units=(unit,), unit=unit)
    return by_option


def _bound(bench: Bench, rule: Alert, unit: str) -> tuple[bool | None, bool | None]:
    """Whether a unit is within the hexes of the coast, by distance and by the strip; None where nobody says."""
    hexes = bench.number("coast", unit)
    if hexes is None:
        return None, None
    near = hexes <= rule.coast
    said = bench.fact(STRIP, unit)
    return near, near if said is None else said != "no"


def _freed(bench: Bench, rule: Alert, unit: str) -> tuple[bool | None, bool | None]:
    """Whether an enemy is near enough, to the unit itself and by having come into the strip."""
    hexes = bench.count("distance", unit)
    if hexes is None:
        return None, None
    near = hexes <= rule.enemy
    said = bench.fact(STRIP, bench.ctx.enemy(rule.side))
    return near, near if said is None else said != "no"


def alert(ctx: LedgerContext, books: Books, s: sl.Alert) -> JudgedStatement:
    """`alert`: units are freed, and stay free."""
    bench = Bench(ctx, books, s.line, ctx.rules.alert)
    for unit in s.units:
        letter = map_letter(books.state(unit).hex)
        if not letter:
            bench.lacks(message("findings.ledger.placed", unit=unit))
        elif not waits(bench, unit, letter) or hold(bench, unit):
            bench.books = bench.books.put(unit, alerted=True)
            bench.follows("free", True, unit)
    return bench.judged
