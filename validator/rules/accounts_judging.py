"""The statements of accounts: what each does, what stands above the first turn, and what a turn leaves undone.

The accounts before the first turn, and how they stand as the lines of a sheet that goes on from them.

What the accounts leave to do: clocks that run, dice to be thrown, steps that are owed, what may be paid for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from ...scenarios.schema.extension import Port
from ...scenarios.text.words import Message, Param, Term, message
from ..notation import base, statements, statements_accounts, statements_head
from . import accounts_carriers, accounts_cut_off, accounts_guns, accounts_port
from .accounts_bench import Bench
from .accounts_books import MAX_KEPT, AccountsHead, BookedPiece, BookedPoints, Books, Moment, State, Stated
from .context import Context, Outcome
from .findings import Finding, doubt
from .position import Position
from .values import altered

Rule = Callable[[Bench, Any, Any], None]
"""What judges a statement, by the part of the game's rules that it belongs to."""


# ------------------------------------------------------------------------------------------------ statements


def open_phase(bench: Bench, _: None, s: statements_accounts.DayStart) -> None:
    """`turn`: the phase before it is over, a new turn begins, and the clocks go on."""
    days, before = bench.game.days, bench.books.now
    year = days.first.year if days else date.today().year
    now = Moment(_date(year, s), bench.parts.index(s.part), s.phase, s.number, s.side, s.line)
    if before is not None:
        accounts_cut_off.owed(bench, before)
    else:
        accounts_guns.begin(bench)
    if before is not None and now.turn < before.turn:
        bench.breaks("day-back", date=_told(bench, now), before=_told(bench, before))
    else:
        accounts_port.tick(bench, before, now)
    if before is None or now.turn != before.turn:
        facts = {key: fact for key, fact in bench.books.facts.items() if fact.lasting}
        bench.books = replace(bench.books, facts=facts, left=frozenset(), supplied={}, checked=frozenset())
    bench.books = replace(bench.books, now=now, first=bench.books.first or now)


def _date(year: int, s: statements_accounts.DayStart) -> date:
    """The day that a line names; the last of February in a year that has one less."""
    try:
        return date(year, s.month, s.day)
    except ValueError:
        return date(year, s.month, s.day - 1)


def _told(bench: Bench, moment: Moment) -> tuple[str | Term, ...]:
    return (moment.date.isoformat(), Term("turns", bench.parts[moment.part]))


def state_fact(bench: Bench, _: None, s: statements_accounts.Fact) -> None:
    """`fact`: it holds until the turn is over, or from before the first turn on until another is stated."""
    books, rules = bench.books, bench.rules
    stated = Stated("no" if s.value == "none" else s.value, s.line, lasting=books.first is None)
    if (s.name, s.of) in books.facts or len(books.facts) < MAX_KEPT:
        bench.books = replace(books, facts={**books.facts, (s.name, s.of): stated})
    if rules.cut_off is not None:
        accounts_cut_off.fact_of_line(bench, rules.cut_off, s)
    if rules.port is not None:
        bench.by(rules.port)
        accounts_port.presence(bench, rules.port, s)


def place(bench: Bench, _: None, s: statements_accounts.Place) -> None:
    """`place`: by the rule for what is placed."""
    groups, guns = bench.rules.battle_groups, bench.rules.hidden_guns
    if groups is not None and accounts_carriers.is_group(bench, s.unit):
        bench.by(groups)
        accounts_carriers.place(bench, groups, s)
    elif guns is not None and accounts_guns.is_hidden(bench, s.unit):
        bench.by(guns)
        accounts_guns.conceal(bench, guns, s)
    else:
        bench.books = bench.books.put(s.unit, where="map", hex=s.hex)
        bench.leaves()


def choose(bench: Bench, _: None, s: statements_accounts.Choose) -> None:
    """`choose`: by the rule for who it is."""
    guns, landing = bench.rules.hidden_guns, bench.rules.landing
    if guns is not None and accounts_guns.is_hidden(bench, s.unit):
        bench.by(guns)
        accounts_guns.choose(bench, guns, s)
    elif landing is not None and accounts_port.speaks_of(bench, s.unit):
        bench.by(landing)
        accounts_port.choose(bench, landing, s)
    else:
        bench.leaves()


def destroy(bench: Bench, _: None, s: statements_accounts.Destroy) -> None:
    """`eliminate`: markers that come back go to their pool, whatever lies with a headquarters as well."""
    for unit in s.units:
        if bench.gone(unit):
            continue
        accounts_carriers.lost_with(bench, unit)
        if accounts_carriers.is_carrier(bench, unit):
            bench.books = bench.books.put(unit, where="pool", hex="", under="")
            bench.follows("pool", True, unit)
        else:
            accounts_guns.lose(bench, unit)


def placed(bench: Bench, _: None, s: statements_head.Placement) -> None:
    """A piece stands in a hex as the sheet begins."""
    bench.books = bench.books.put(s.unit, where="map", hex=s.hex, lost=int(s.reduced))


def level(bench: Bench, rule: Port, s: statements_accounts.TrackLevel) -> None:
    """`level`: the port's track as the sheet begins."""
    highest, lowest = accounts_port.spaces(bench, rule)
    if not lowest <= s.level <= highest:
        bench.breaks("no-such-level", declared=s.level, level=s.level, first=highest, last=lowest)
    found = max(lowest, min(highest, s.level))
    port = replace(bench.books.port, level=found, captured=s.captured, held=s.captured)
    bench.books = replace(bench.books, port=port)


def stock(bench: Bench, _: None, s: statements_accounts.Stock) -> None:
    """`stock`: what an account holds as the sheet begins, or when the rest of the game has changed it."""
    record = bench.books.record
    if s.account == "points":
        bench.books = replace(bench.books, stock=s.amount)
    elif s.account == "record":
        bench.books = replace(bench.books, record=replace(record, points=s.amount, used=0))
    elif s.account == "losses":
        bench.books = replace(bench.books, record=replace(record, lost=s.amount))
    else:
        bench.notes("unjudged-here", "warning")


def captured(bench: Bench, _: None, s: statements_accounts.Capture) -> None:
    """`capture` above the first turn: the city was taken before the sheet begins, and paid for."""
    bench.by(bench.rules.port)
    bench.books = replace(bench.books, port=replace(bench.books.port, captured=True, held=True))


def scored(bench: Bench, _: None, s: statements_accounts.Points) -> None:
    """`score` above the first turn: the points that sides have as the sheet begins."""
    bench.by(bench.rules.port)
    told = message("findings.ledger.score-given")
    given = (BookedPoints(s.line, side, points, told, bench.section) for side, points in s.totals)
    bench.books = replace(bench.books, scored=(*bench.books.scored, *given))


RULES: Mapping[type[base.Statement], tuple[str, Rule]] = {
    statements_accounts.DayStart: ("", open_phase),
    statements_accounts.Fact: ("", state_fact),
    statements_head.Placement: ("", placed),
    statements_accounts.TrackLevel: ("port", level),
    statements_accounts.Stock: ("", stock),
    statements_accounts.Truck: ("carriers", accounts_carriers.receive),
    statements_accounts.Go: ("", accounts_guns.move),
    statements_accounts.Attach: ("carriers", accounts_carriers.attach),
    statements_accounts.Bonus: ("carriers", accounts_carriers.bonus),
    statements_accounts.Supply: ("", accounts_cut_off.supply),
    statements_accounts.Replace: ("", accounts_cut_off.replacement),
    statements_accounts.Rebuild: ("battle_groups", accounts_carriers.rebuild),
    statements_accounts.Record: ("cut_off", accounts_cut_off.enter),
    statements_accounts.Alert: ("", accounts_guns.alert),
    statements_accounts.Place: ("", place),
    statements_accounts.Demolish: ("port", accounts_port.demolish),
    statements_accounts.Capture: ("port", accounts_port.capture),
    statements_accounts.Repair: ("port", accounts_port.repair),
    statements_accounts.Forced: ("fixed_guns", accounts_guns.forced),
    statements_accounts.Fire: ("fixed_guns", accounts_guns.fire),
    statements_accounts.Choose: ("", choose),
    statements_accounts.Land: ("landing", accounts_port.land),
    statements_accounts.Throw: ("", accounts_port.throw),
    statements_accounts.Isolate: ("frail", accounts_cut_off.isolate),
    statements_accounts.Suffer: ("", accounts_cut_off.suffer),
    statements_accounts.Break: ("frail", accounts_cut_off.break_down),
    statements_accounts.Destroy: ("", destroy),
    statements_accounts.Points: ("", accounts_port.score),
}


_GIVEN: Mapping[type[base.Statement], tuple[str, Rule]] = {
    statements_accounts.Capture: ("", captured),
    statements_accounts.Points: ("", scored),
}
"""What above the first turn is judged otherwise than below it."""


def judge(ctx: Context, position: Position, s: base.Statement) -> Outcome:
    """Judge a statement on accounts, and enter it as it was told.

    What stands above the first turn is taken as it is, but for hidden markers and what may be chosen.
    """
    if type(s) not in RULES:
        return Outcome(position)
    bench = Bench(ctx, position.accounts, s.line)
    first = bench.books.first is None
    given = first and type(s) in _GIVEN and (not isinstance(s, statements_accounts.Points) or _begins(bench, s))
    name, rule = _GIVEN[type(s)] if given else RULES[type(s)]
    part = getattr(bench.rules, name) if name else None
    bench.by(part)
    if part is not None or not name:
        rule(bench, part, s)
    if first and isinstance(s, base.Given) and not given:
        return Outcome(altered(position, accounts=bench.books))
    return bench.outcome(position)


def _begins(bench: Bench, s: statements_accounts.Points) -> bool:
    """Whether points are those that sides have as the sheet begins: nothing has given any of them before."""
    return not any(p.side == side for p in bench.books.scored for side, _ in s.totals)


def close(ctx: Context, position: Position) -> Outcome:
    """What the phase with which a sheet ends has left undone."""
    bench = Bench(ctx, position.accounts)
    if bench.books.now is not None:
        bench.line = bench.books.now.line
        accounts_cut_off.owed(bench, bench.books.now)
    return bench.outcome(position)


def unused(
    ctx: Context, position: Position, sheet: statements.Sheet, facts: Iterable[tuple[int, int]]
) -> Iterator[Finding]:
    """Facts that no judgement has looked at; and on the last line a note if there were more than books hold."""
    used = {fact for _, fact in facts}
    for s in sheet.statements:
        if isinstance(s, statements_accounts.Fact) and s.line not in used:
            yield ctx.found(s.line, "fact-idle", severity="info")
    if max(len(position.accounts.states), len(position.accounts.facts)) >= MAX_KEPT:
        yield ctx.found(
            max(1, len(sheet.lines)), "kept-many", severity="doubtful", doubts=(doubt("kept"),), count=MAX_KEPT
        )


# --------------------------------------------------------------------------------------------------- opening


def opened(
    ctx: Context,
    position: Position,
    statements: Iterable[base.Statement],
    chosen: Iterable[str],
    before: tuple[Context, Position] | None,
) -> tuple[Context, Position, list[Finding]]:
    """Context and position with the accounts that a sheet begins with, and findings on what units are called.

    `chosen` are the options that somebody has set. The accounts are empty, but for what was so at the end of the
    sheet before. Facts are stated anew: their lines are there.
    """
    then, books = (before[0], before[1].accounts) if before else (ctx, Books())
    settled = {name: then.options[name] for name in then.head.chosen.difference(chosen)}
    pieces, counts, findings = dict(then.head.pieces), dict(then.head.counts), list[Finding]()
    states, rules = dict[str, State](), Bench(ctx, books).rules
    for s in statements:
        if isinstance(s, statements_accounts.MarkerCount):
            counts[s.kind] = s.count
        elif isinstance(s, statements_accounts.Piece):
            pieces[s.unit] = BookedPiece(s.unit, s.side, s.kind, s.division, s.steps)
            states[s.unit] = State(steps=s.steps)
            side = rules.pieces[s.kind].side
            if side not in (None, s.side):
                told = Term("sides", side)
                findings.append(ctx.found(s.line, "other-side", units=(s.unit,), unit=s.unit, side=told))
    head = AccountsHead(pieces, then.head.chosen.union(chosen), counts)
    books = replace(books, states={**states, **books.states}, facts={}, first=None)
    return (
        replace(ctx, head=head, options={**ctx.options, **settled}),
        altered(position, accounts=books),
        findings,
    )


# ------------------------------------------------------------------------------------------------------ end


def head_of(ctx: Context, books: Books) -> Iterator[base.Statement]:
    """Who the pieces are, how many markers there are, and the rulings that somebody has set."""
    for name in sorted(ctx.head.chosen):
        yield statements_head.OptionSetting(0, name, ctx.options[name])
    for kind, count in ctx.head.counts.items():
        yield statements_accounts.MarkerCount(0, kind, count)
    for piece in ctx.head.pieces.values():
        left = books.state(piece.id).steps
        yield statements_accounts.Piece(
            0, piece.id, piece.side, piece.kind, piece.division, "", piece.steps if left is None else left
        )


def standing(ctx: Context, books: Books) -> list[base.Statement]:
    """`position` and all that belongs under it: what later lines may be judged by, and facts that still hold."""
    bench = Bench(ctx, books)
    there = books.states.items()
    found: list[base.Statement] = [statements_head.PositionStart(0)]
    found += (
        statements_head.Placement(0, id_, s.hex, bool(s.lost))
        for id_, s in there
        if s.where == "map" and s.hex and not s.hidden
    )
    found += _port(bench)
    found += (
        # Nobody has said where on the map it is.
        statements_accounts.Truck(0, id_)
        for id_, s in there
        if s.where == "map" and not s.hex and not s.under and accounts_carriers.is_carrier(bench, id_)
    )
    found += (told for id_, state in there for told in _unseen(id_, state))
    found += (statements_accounts.Choose(0, id_, choice) for id_, choice in books.choices.items())
    found += (statements_accounts.Throw(0, id_, face) for id_, face in books.dice.items())
    found += (statements_accounts.Land(0, id_, place_) for id_, place_ in books.landed.items())
    if totals := tuple((side, books.total(side)) for side in ctx.sides if books.total(side)):
        found.append(statements_accounts.Points(0, totals))
    facts = books.facts.items()
    found += (statements_accounts.Fact(0, name, of, fact.value) for (name, of), fact in facts if fact.lasting)
    return found


def _port(bench: Bench) -> Iterator[base.Statement]:
    """The port and the stocks."""
    port, record, rule = bench.books.port, bench.books.record, bench.rules.port
    if port.level is not None:
        yield statements_accounts.TrackLevel(0, port.level, port.captured)
    elif port.captured:
        yield statements_accounts.Capture(0)
    if rule is not None and port.captured and not port.held:
        yield statements_accounts.Fact(0, "presence", (rule.side,), "all")
    if bench.books.stock is not None:
        yield statements_accounts.Stock(0, "points", bench.books.stock)
    if record.points is not None:
        yield statements_accounts.Stock(0, "record", max(0, record.points - record.used))
    if record.lost:
        yield statements_accounts.Stock(0, "losses", record.lost)


def _unseen(id_: str, state: State) -> Iterator[base.Statement]:
    """What is true of a piece and cannot be seen from where it stands."""
    if state.where == "eliminated":
        yield statements_accounts.Destroy(0, (id_,))
    elif state.hidden:
        yield statements_accounts.Place(0, id_, state.hex, hidden=True)
    elif state.under:
        yield statements_accounts.Attach(0, id_, state.under)
    if state.alerted and state.where != "eliminated":
        yield statements_accounts.Alert(0, (id_,))


@dataclass(frozen=True, slots=True)
class AccountDuty:
    """Something to be done. `what` names it, `of` the piece that it is about or "", `value` how much it is."""

    what: str
    of: str
    value: int | str
    told: Message

    def as_json(self) -> dict[str, Any]:
        """It without its words."""
        return {"what": self.what, "of": self.of or None, "value": self.value}


def _due(what: str, of: str, value: int | str, **values: Param) -> AccountDuty:
    return AccountDuty(what, of, value, message(f"validator.duty.{what}", **values))


def due(bench: Bench) -> Iterator[AccountDuty]:
    """All that is to be done as the books stand."""
    books, rules = bench.books, bench.rules
    if rules.frail is not None and books.now is not None and bench.parts[books.now.part] in rules.frail.when.parts:
        steps = rules.frail.steps
        yield from (_due("isolated", u, steps, unit=u, steps=steps) for u in accounts_cut_off.isolated(bench))
    landing = rules.landing
    if landing is not None and landing.reserve is not None and landing.other not in books.landed:
        unit, face = landing.other, books.dice.get(landing.other)
        if face is not None:
            place = accounts_port.sent(landing, landing.reserve, face)
            yield _due("sent", unit, place, unit=unit, place=place)
        elif books.choices.get(unit) == accounts_port.HELD:
            yield _due("die", unit, "", unit=unit)
    if rules.port is not None:
        yield from _due_at(bench, rules.port)
    if rules.cut_off is not None and books.record.open:
        left = (books.record.points or 0) - (books.record.used if books.record.points is not None else 0)
        yield _due("record", "", left, lost=books.record.lost, left=left)


def _due_at(bench: Bench, rule: Port) -> Iterator[AccountDuty]:
    """What is to be done at the port."""
    port, city = bench.books.port, Term("cities", rule.city)
    level = port.level
    if not port.captured and level is not None and level > accounts_port.spaces(bench, rule)[1]:
        yield _due("clock", "", level - 1, city=city, level=level, next=level - 1)
    if not port.captured and not port.paid and not accounts_port.is_past(bench, rule):
        at_stake, (day, month) = rule.points.untouched if level is None else level, rule.points.day
        yield _due("stake", "", at_stake, city=city, level=at_stake, day=day, month=month)
    if bench.income:
        yield _due("income", "", bench.income, city=city, points=bench.income)
    elif port.held and level is not None:
        yield _due("repair", "", rule.repair.cost, city=city, level=level, points=rule.repair.cost)
