"""Losses: who takes them, how many, and in what coin (5.1.6, 7.0)."""

from __future__ import annotations

from itertools import pairwise

from hexforge.scenarios.hexgrid import side
from hexforge.scenarios.words import message
from hexforge.validator.readers import statements as st
from hexforge.validator.referee.combat.aftermath import Books, Part, Price, reduce, remove, step_of
from hexforge.validator.referee.combat.desk import Desk
from hexforge.validator.referee.combat.escape import deadly, doomed
from hexforge.validator.referee.state import Step


def lose(desk: Desk, books: Books, act: st.Lose) -> None:
    """Each unit of a `lose` line loses a step."""
    for unit in act.units:
        if _known(desk, unit, act.line):
            _lose(desk, books, unit, act.line)


def eliminate(desk: Desk, books: Books, act: st.Eliminate) -> None:
    """Each unit of an `eliminate` line leaves the game."""
    for unit in act.units:
        if _known(desk, unit, act.line):
            _eliminate(desk, books, unit, act.line)


def _known(desk: Desk, unit: str, line: int) -> bool:
    section = desk.rules.sections.result
    if unit not in desk.position.roster:
        desk.find(line, "unknown-unit", section=section, units=(unit,), unit=unit)
        return False
    if not desk.position.units[unit].alive:
        # What dies by leaving the map is dead already when the sheet says so too.
        if desk.position.units[unit].left is None:
            desk.find(line, "already-dead", units=(unit,), unit=unit)
        return False
    return True


def _lose(desk: Desk, books: Books, unit: str, line: int) -> None:
    due = books.prices.get(unit, [])
    if any(price.death for price in due) and step_of(desk, unit) == "full":
        _owed(desk, unit, next(price for price in due if price.death))
    if _pay(books, unit):
        reduce(desk, unit)
        return
    part = books.part_of(unit)
    if books.demands is not None and _judge(desk, books, unit, line, part):
        _spend(desk, books, unit, line, part)
    books.hit.add(unit)
    reduce(desk, unit)


def _eliminate(desk: Desk, books: Books, unit: str, line: int) -> None:
    if _pay_with_life(desk, books, unit):
        remove(desk, unit)
        return
    part = books.part_of(unit)
    if books.demands is None:
        remove(desk, unit)
        return
    if part is not None and books.demands.exchange:
        _exchange(desk, books, unit, part)
    elif part is not None and books.budget[part] and _may_spend_on_death(desk, books, unit, part):
        _spend(desk, books, unit, line, part, dies=True)
    elif part is None:
        _judge(desk, books, unit, line, part)
    elif not (books.must_retreat(unit) and unit not in books.retreated and doomed(desk, books, unit)):
        desk.find(
            line,
            "not-eliminated",
            section=_section(desk, books, unit),
            units=(unit,),
            declared=books.demands.text,
            unit=unit,
        )
        books.budget[part] = ""
    remove(desk, unit)


def _may_spend_on_death(desk: Desk, books: Books, unit: str, part: Part) -> bool:
    """Whether the loss that a part owes may be written as this unit's elimination."""
    if books.budget[part] == "unit" or step_of(desk, unit) == "reduced":
        return True
    return books.must_retreat(unit) and doomed(desk, books, unit, as_if_hit=True)


def _pay(books: Books, unit: str) -> bool:
    """Whether a loss is the price of the unit's retreat, which it then has paid."""
    due = books.prices.get(unit)
    if not due:
        return False
    due.remove(next((price for price in due if price.death), due[0]))
    return True


def _pay_with_life(desk: Desk, books: Books, unit: str) -> bool:
    """Whether a death is the price of the unit's retreat: one that kills, or as many steps as it has left."""
    due = books.prices.get(unit)
    if not due or not deadly(desk, unit, due):
        return False
    due.clear()
    return True


def _judge(desk: Desk, books: Books, unit: str, line: int, part: Part | None) -> bool:
    """Whether a loss in the combat itself is one that the result demands of this unit's part."""
    assert books.demands is not None
    text = books.demands.text
    if part is None:
        desk.find(line, "loss-outsider", units=(unit,), declared=text, unit=unit)
        return False
    if books.demands.exchange and step_of(desk, unit) == "reduced":
        _exchange(desk, books, unit, part)
        return False
    if not books.budget[part]:
        section = _section(desk, books, unit)
        desk.find(line, "no-loss", section=section, units=(unit,), declared=text, unit=unit, result=text)
        return False
    return True


def _section(desk: Desk, books: Books, unit: str) -> str:
    """The rule that a needless loss offends: that of the unit's retreat, if it went through water or two hexes."""
    way, sections = books.went.get(unit, ()), desk.rules.sections
    if any(desk.ctx.ground.water(side(a, b)) for a, b in pairwise(way)):
        return sections.river
    return sections.encircled if len(way) > 2 else sections.result


def _spend(desk: Desk, books: Books, unit: str, line: int, part: Part | None, *, dies: bool = False) -> None:
    assert part is not None and books.demands is not None
    text = books.demands.text
    if books.budget[part] == "unit" and not dies and step_of(desk, unit) == "full":
        desk.find(line, "dies-outright", units=(unit,), declared=text, unit=unit, result=text)
    books.budget[part] = ""
    if part == "attacker":
        _check_clauses(desk, books, unit, line)


def _check_clauses(desk: Desk, books: Books, unit: str, line: int) -> None:
    """Armour that engages armour bears a loss itself."""
    assert books.demands is not None
    for clause in desk.rules.loss_clauses:
        if not set(books.demands.text.split()) & set(clause.results):
            continue
        bearers = [u for u in books.engaged if desk.unit(u).is_any(clause.bearers)]
        armour = any(desk.unit(u).is_any(clause.attackers) for u in books.engaged)
        against = any(desk.unit(u).is_any(clause.enemies) for u in books.defenders)
        if bearers and armour and against and unit not in bearers:
            desk.find(
                line,
                "loss-clause",
                units=(unit,),
                declared=unit,
                computed=" ".join(bearers),
                bearers=" / ".join(bearers),
            )


def _exchange(desk: Desk, books: Books, unit: str, part: Part) -> None:
    points = desk.defence_of(unit) if part == "defender" else desk.attack_of(unit)
    books.given_up[part] += points
    books.exchanged[unit] = (points, step_of(desk, unit))


def check_losses(desk: Desk, books: Books) -> None:
    """At the end: losses that the result demanded were taken, and an exchange was paid for."""
    if books.demands is None:
        return
    text = books.demands.text
    for part, units in (("defender", books.defenders), ("attacker", books.engaged)):
        left = books.budget[part]  # type: ignore[index]
        if left and units:
            desk.find(
                books.line,
                "loss-missing" if left == "step" else "elimination-missing",
                declared=0,
                computed=1,
                result=text,
                role=message(f"findings.role.{part}"),
            )
    if books.demands.exchange:
        _check_exchange(desk, books)
    for unit, due in books.prices.items():
        for price in due if desk.position.units[unit].alive else ():
            _owed(desk, unit, price)


def _owed(desk: Desk, unit: str, price: Price) -> None:
    key = "retreat-death-missing" if price.death else "retreat-loss-missing"
    desk.find(price.line, key, section=price.section, units=(unit,), unit=unit)


def _check_exchange(desk: Desk, books: Books) -> None:
    if not any(u in books.exchanged for u in books.defenders) and books.defenders:
        desk.find(books.line, "exchange-none", units=books.defenders)
    owed = min(_given_up(desk, books), books.strength)
    if books.given_up["attacker"] < owed:
        desk.find(
            books.line,
            "exchange-short",
            units=books.engaged,
            declared=books.given_up["attacker"],
            computed=owed,
            doubts=desk.doubts((*books.defenders, *books.engaged)),
        )


def _given_up(desk: Desk, books: Books) -> int:
    """Points that the defender gave up for certain.

    Survivors of an exchange retreat, and who then has no way out dies of that: such a death needs no price, though
    it is written no otherwise than the choice of at least one unit.
    """
    mine = {u: books.exchanged[u] for u in books.defenders if u in books.exchanged}
    if len(mine) < 2 or books.given_up["attacker"] >= books.given_up["defender"]:
        return books.given_up["defender"]
    sure = sum(points for u, (points, step) in mine.items() if not _no_way_out(desk, books, u, step))
    return max(sure, min(points for points, _ in mine.values()))


def _no_way_out(desk: Desk, books: Books, unit: str, step: Step) -> bool:
    """Whether a unit that is dead could not have retreated either, from where it stood."""
    home, now = books.home[unit], desk.position
    if home is None:
        return False
    desk.position = now.set(unit, hex=home, where="", step=step)
    try:
        return doomed(desk, books, unit)
    finally:
        desk.position = now
