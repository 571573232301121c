"""The port: a clock that destroys it night by night, who takes the city, points for it, and its repair.

Two battalions that may assault one place together or land at another, one after the other.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from ...scenarios.schema.extension import Landing, Port, Reserve
from ...scenarios.text.words import Term, message
from ..notation import statements_accounts
from .accounts_bench import Bench
from .accounts_books import Moment

GAINED, BOTH = "gained", "both"
"""Readings of the demolishing side's points: it gains them, or the other side loses them as well."""


def spaces(bench: Bench, rule: Port) -> tuple[int, int]:
    """The first and the last space of the track."""
    boxes = bench.game.game.tracks[rule.track].boxes
    return int(boxes[0]), int(boxes[-1])


# --------------------------------------------------------------------------------------------------- clock


def tick(bench: Bench, before: Moment | None, now: Moment) -> None:
    """A phase opens: the clock counts the nights whose phase of demolition has come, and income is due."""
    rule = bench.rules.port
    if rule is None:
        return
    section, bench.section = bench.section, rule.section
    if before is None:
        start = now.date if _is_counted(bench, rule, now) else now.date - timedelta(1)
        bench.books = replace(bench.books, port=replace(bench.books.port, ticked=start))
        _pay(bench, rule, now, now)
    else:
        _pay(bench, rule, before, now)
        _count(bench, rule, now)
        _earn(bench, before, now)
    bench.section = section


def _is_counted(bench: Bench, rule: Port, now: Moment) -> bool:
    """Whether a night's phase of demolition has come, so that the marker has gone down in it."""
    return bench.parts[now.part] in rule.begun.parts and now.phase in (*rule.begun.phases, rule.points.phase)


def _count(bench: Bench, rule: Port, now: Moment) -> None:
    port = bench.books.port
    upto = now.date if _is_counted(bench, rule, now) else now.date - timedelta(1)
    nights = max(0, (upto - (port.ticked or upto)).days)
    if not nights:
        return
    level = port.level
    if level is not None and not port.captured:
        lowest = spaces(bench, rule)[1]
        level = max(lowest, level - nights)
        if level != port.level:
            bench.follows("level", level)
    bench.books = replace(bench.books, port=replace(port, ticked=upto, level=level))


def _earn(bench: Bench, before: Moment, now: Moment) -> None:
    days = (now.date - before.date).days
    if days > 0 and bench.income:
        _add(bench, days * bench.income)
        bench.follows("points_earned", days * bench.income)


def _add(bench: Bench, points: int) -> None:
    books = bench.books
    stock = None if books.stock is None else books.stock + points
    earned, spent = (points, 0) if points > 0 else (0, -points)
    bench.books = replace(books, stock=stock, income=books.income + earned, spent=books.spent + spent)


def _pay(bench: Bench, rule: Port, before: Moment, now: Moment) -> None:
    """The day has come on which the demolishing side is paid, if the city is its own."""
    port = bench.books.port
    due = _due(bench, rule, now.date.year)
    if port.paid or port.captured or before.turn > due or not _is_over(rule, now, due):
        return
    # The clock of that night goes first; the days after it come later.
    _count(bench, rule, Moment(due[0], due[1], rule.points.phase))
    port = bench.books.port
    level = rule.points.untouched if port.level is None else port.level
    reading = bench.ctx.option(rule.points.option)
    enemy = bench.ctx.enemy(rule.side)
    what = message("findings.ledger.port-held", city=Term("cities", rule.city), level=level)
    bench.books = replace(bench.books, port=replace(bench.books.port, paid=True))
    if reading in (GAINED, BOTH):
        bench.scores(rule.side, level, what, due[0])
    if reading != GAINED:
        bench.scores(enemy, -level, what, due[0])
    if level and rule.points.option not in bench.head.chosen:
        bench.notes("points-read", option=rule.points.option, value=reading, level=level)


def _due(bench: Bench, rule: Port, year: int) -> tuple[date, int]:
    day, month = rule.points.day
    return date(year, month, day), bench.parts.index(rule.points.part)


def is_past(bench: Bench, rule: Port) -> bool:
    """Whether the turn is over in which the demolishing side is paid."""
    now = bench.books.now
    return now is not None and now.turn > _due(bench, rule, now.date.year)


def _is_over(rule: Port, now: Moment, due: tuple[date, int]) -> bool:
    return now.turn > due or (now.turn == due and now.phase == rule.points.phase)


def demolish(bench: Bench, rule: Port, s: statements_accounts.Demolish) -> None:
    """`demolish`: it is begun by night, goes on by itself, and is never called off."""
    port, first = bench.books.port, spaces(bench, rule)[0]
    if s.stop:
        bench.breaks("never-stopped")
        return
    bench.fits(rule.begun, Term("acts", "demolish"))
    if port.captured:
        bench.breaks("captured-already", city=Term("cities", rule.city))
    elif port.level is None:
        if s.level not in (None, first):
            bench.breaks("level", declared=s.level, computed=first)
        now = bench.books.now
        bench.books = replace(bench.books, port=replace(port, level=first, ticked=now.date if now else port.ticked))
    elif s.level not in (None, port.level):
        bench.breaks("level", declared=s.level, computed=port.level)
    level = bench.books.port.level
    if level is not None:
        bench.follows("level", level)


# ------------------------------------------------------------------------------------------------- capture


def capture(bench: Bench, rule: Port, s: statements_accounts.Capture) -> None:
    """`capture`: one side alone is in every hex of the city."""
    city, taker = Term("cities", rule.city), bench.ctx.enemy(rule.side)
    if bench.books.now is None:
        bench.breaks("no-phase", what=Term("acts", "capture"))
        return
    if bench.books.port.captured and bench.books.port.held:
        bench.breaks("captured-already", city=city)
        return
    there, others = bench.needs("presence", taker), bench.needs("presence", rule.side)
    if there == "yes":  # it is there, which leaves open whether in every hex
        bench.lacks(message("findings.ledger.everywhere", side=Term("sides", taker)))
    elif there not in (None, "all"):
        bench.breaks("not-everywhere", city=city, side=Term("sides", taker))
    if others not in (None, "no", "0"):
        bench.breaks("not-alone", city=city, side=Term("sides", rule.side))
    bench.follows("captured", True)
    first = not bench.books.port.captured
    bench.books = replace(bench.books, port=replace(bench.books.port, captured=True, held=True))
    if first:
        _reward(bench, rule)


def _reward(bench: Bench, rule: Port) -> None:
    taker, port = bench.ctx.enemy(rule.side), bench.books.port
    level = rule.points.untouched if port.level is None else port.level
    now = bench.books.now
    unpaid = bench.ctx.option(rule.points.on_day) == "unpaid"
    today = now is not None and not is_past(bench, rule) and now.date == _due(bench, rule, now.date.year)[0]
    if today:
        bench.books = replace(bench.books, port=replace(port, disputed=level if unpaid else -level))
    if is_past(bench, rule) or port.paid or (today and unpaid):
        bench.follows("victory_points", 0, taker)
        return
    bench.scores(taker, level, message("findings.ledger.port-taken", city=Term("cities", rule.city), level=level))


def presence(bench: Bench, rule: Port, s: statements_accounts.Fact) -> None:
    """What a fact on who is in the city does to a port that was captured: it may be lost again."""
    if s.name == "presence" and bench.books.port.held and s.of == (rule.side,) and s.value == "all":
        bench.books = replace(bench.books, port=replace(bench.books.port, held=False))
        bench.rests_on(s.line)
        bench.follows("held", False)


# -------------------------------------------------------------------------------------------------- repair


def repair(bench: Bench, rule: Port, s: statements_accounts.Repair) -> None:
    """`repair`: a space a phase, for points of supply, once the city is taken."""
    bench.fits(rule.repair.when, Term("acts", "repair"))
    port, city = bench.books.port, Term("cities", rule.city)
    if not port.captured:
        bench.breaks("not-captured", city=city)
    elif not port.held:
        bench.breaks("not-held", city=city)
    if port.level is None or port.level >= rule.repair.works:
        bench.breaks("nothing-to-repair")
    again = port.repaired
    if again is not None and bench.books.now is not None and _same_phase(again, bench.books.now):
        bench.breaks("repaired-already")
    spaces_ = 1 if s.spaces is None else s.spaces
    if spaces_ != 1:
        bench.breaks("spaces", declared=spaces_, computed=1)
    _pay_for(bench, rule, spaces_, s.points)
    level = min(rule.repair.works, (port.level or 0) + spaces_)
    bench.books = replace(bench.books, port=replace(port, level=level, repaired=bench.books.now))
    bench.follows("level", level)
    bench.follows("points_income", bench.income)


def _same_phase(a: Moment, b: Moment) -> bool:
    return (a.turn, a.phase, a.side) == (b.turn, b.phase, b.side)


def _pay_for(bench: Bench, rule: Port, spaces_: int, points: int | None) -> None:
    price = rule.repair.cost * spaces_
    paid = price if points is None else points
    stock = bench.books.stock
    if paid != price:
        bench.breaks("repair-price", declared=paid, computed=price)
    if stock is None:
        bench.notes("stock-unsaid", points=paid)
    elif stock < paid:
        bench.breaks("stock-short", declared=paid, computed=stock)
    _add(bench, -paid)
    bench.follows("points_spent", paid)


# --------------------------------------------------------------------------------------------------- score


def score(bench: Bench, _: None, s: statements_accounts.Points) -> None:
    """`score`: the points of sides by these rules; another reading of the passage may make them right."""
    port = bench.rules.port
    bench.by(port)
    for side, points in s.totals:
        total = bench.books.total(side)
        values: dict[str, Any] = {"declared": points, "computed": total, "side": Term("sides", side)}
        if points != total:
            option = _disputed(bench, port, side, points) if port is not None else ""
            if option:
                bench.disputes("accounts-score", option, **values)
            else:
                bench.breaks("accounts-score", **values)
        bench.follows("victory_points_total", total, side)


def _disputed(bench: Bench, rule: Port, side: str, points: int) -> str:
    """The option by another reading of which a side would have so many points; "" for none."""
    if points in _otherwise(bench, rule, side):
        return rule.points.option
    other = bench.books.total(side) + bench.books.port.disputed
    return rule.points.on_day if side == bench.ctx.enemy(rule.side) and points == other else ""


def _otherwise(bench: Bench, rule: Port, side: str) -> set[int]:
    """What a side would have by the other readings."""
    if not bench.books.port.paid:
        return set()
    enemy = bench.ctx.enemy(rule.side)
    paid = [p for p in bench.books.scored if (p.side, p.points > 0) in ((rule.side, True), (enemy, False))]
    level = max((abs(p.points) for p in paid), default=0)
    rest = bench.books.total(side) - sum(p.points for p in paid if p.side == side)
    return {rest, rest + (level if side == rule.side else -level)}


HELD = "held"
"""What is chosen of a battalion that is held back."""
FACES = range(1, 7)


def speaks_of(bench: Bench, id_: str) -> bool:
    """Whether the rule names a unit."""
    rule = bench.rules.landing
    return rule is not None and id_ in (rule.unit, rule.other)


def _place(rule: Landing, said: str) -> str:
    return rule.assault if said in rule.hexes else said


def choose(bench: Bench, rule: Landing, s: statements_accounts.Choose) -> None:
    """`choose`: where the first battalion lands; of the second whether it is held back."""
    choice = _place(rule, s.choice)
    places = (rule.assault, rule.beach)
    if s.unit == rule.other and choice == HELD and rule.reserve is not None:
        _hold_back(bench, rule.reserve, s)
    elif choice not in places:
        bench.breaks("no-such-choice", unit=s.unit, known=places)
    bench.books = replace(bench.books, choices={**bench.books.choices, s.unit: choice})


def _hold_back(bench: Bench, rule: Reserve, s: statements_accounts.Choose) -> None:
    bench.by(rule)
    now = bench.books.now
    if bench.ctx.option(rule.option) != "yes":
        bench.breaks("not-in-use", option=rule.option)
    late = now is not None and now.phase == rule.phase and now.number > rule.number
    if late or s.unit in bench.books.landed:
        bench.breaks("held-late", unit=s.unit)


def throw(bench: Bench, _: None, s: statements_accounts.Throw) -> None:
    """`roll`: once, after the first phase, for the battalion that was held back."""
    landing = bench.rules.landing
    rule = landing.reserve if landing else None
    bench.by(rule)
    if landing is None or rule is None or s.unit != landing.other:
        bench.breaks("no-die", unit=s.unit)
        return
    if bench.ctx.option(rule.option) != "yes":
        bench.breaks("not-in-use", option=rule.option)
    if bench.books.choices.get(s.unit) != HELD:
        bench.breaks("not-held-back", unit=s.unit)
    now = bench.books.now
    if now is None or (now.phase == rule.phase and now.number <= rule.number):
        bench.breaks("die-early", unit=s.unit)
    if s.unit in bench.books.dice:
        bench.breaks("die-again", unit=s.unit)
    if s.face not in FACES:
        bench.breaks("die", declared=s.face, roll=s.face)
    bench.books = replace(bench.books, dice={**bench.books.dice, s.unit: s.face})
    bench.follows("sent_to", sent(landing, rule, s.face), s.unit)


def sent(landing: Landing, rule: Reserve, face: int) -> str:
    """Where a die sends the battalion that was held back."""
    return landing.assault if rule.faces[0] <= face <= rule.faces[1] else landing.beach


def land(bench: Bench, rule: Landing, s: statements_accounts.Land) -> None:
    """`land`: where it may, and at the beach the first battalion after the second."""
    if not speaks_of(bench, s.unit):
        bench.leaves(units=(s.unit,))
        return
    bench.fits(rule.when, Term("acts", "land"))
    bench.acts(s.unit, rule.side)
    place = _place(rule, s.place)
    if s.unit in bench.books.landed:
        bench.breaks("landed-twice", unit=s.unit)
    if place not in (rule.assault, rule.beach):
        bench.breaks("no-such-choice", unit=s.unit, known=(rule.assault, rule.beach))
    elif s.unit == rule.unit:
        _first(bench, rule, s.unit, place)
    else:
        _second(bench, rule, s.unit, place)
    bench.books = replace(bench.books.put(s.unit, where="map"), landed={**bench.books.landed, s.unit: place})


def _first(bench: Bench, rule: Landing, unit: str, place: str) -> None:
    chosen = bench.books.choices.get(unit, place)
    if chosen != place:
        bench.breaks("chosen-otherwise", unit=unit, choice=chosen)
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
            bench.breaks("not-held-back", unit=unit)
        # Nobody lands twice, so that the other came before it, whatever was left open when that landed.
        elif bench.books.landed.get(rule.unit) == rule.beach and bench.fact("landed", unit) is None:
            bench.breaks("before-the-other", units=(rule.unit, unit), unit=rule.unit, other=unit)
        return
    face = bench.books.dice.get(unit)
    if face is None:
        bench.breaks("die-first", unit=unit)
    elif sent(rule, reserve, face) != place:
        bench.breaks("sent-elsewhere", unit=unit, roll=face, choice=sent(rule, reserve, face))
