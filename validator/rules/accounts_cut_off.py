"""Supply and replacements of a part of the map that may be cut off from the edges that supply comes from.

Battalions that leave no companies, and lose steps while they are isolated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...scenarios.schema.extension import CutOff, Frail
from ...scenarios.text.hexgrid import EDGES
from ...scenarios.text.words import Term, message
from ..notation import statements_accounts
from . import accounts_carriers
from .accounts_bench import Bench
from .accounts_books import Moment, Stated

_INSIDE = Stated("yes", 0)


def reached(bench: Bench, rule: CutOff, unit: str = "") -> bool | None:
    """Whether a line of supply leads to any of the edges, a unit's own or one for all; None where nobody says."""
    lacking = []
    if unit and bench.books.facts.get(("area", (unit,)), _INSIDE).value in ("no", "0"):
        bench.fact("area", unit)
        return _reached_alone(bench, rule, unit)
    for edge in rule.edges:
        keys = (("line", (unit, edge)), ("line", (edge,))) if unit else (("line", (edge,)),)
        key = next((key for key in keys if key in bench.books.facts), None)
        value = bench.fact(key[0], *key[1]) if key else None
        if value not in (None, "no"):
            return True
        if value is None:
            lacking.append(edge)
    for edge in lacking:
        bench.needs("line", edge)
    return None if lacking else False


def _reached_alone(bench: Bench, rule: CutOff, unit: str) -> bool | None:
    """As `reached`, of a unit outside: what holds of the part that is cut off says nothing of it."""
    values = [bench.fact("line", unit, edge) for edge in rule.edges]
    return not (values and all(value in ("no", "0") for value in values))


def fact_of_line(bench: Bench, rule: CutOff, s: statements_accounts.Fact) -> None:
    """What a fact on a line to an edge does to the record: it is open while the part is cut off."""
    if s.name != "line" or len(s.of) != 1:
        return
    values = [
        bench.books.facts[key].value for edge in rule.edges if (key := ("line", (edge,))) in bench.books.facts
    ]
    cut = len(values) == len(rule.edges) and set(values) == {"no"}
    opened = any(value != "no" for value in values)
    record = bench.books.record
    if (cut and not record.open) or (opened and record.open):
        bench.books = replace(bench.books, record=replace(record, open=cut))
        bench.follows("record_open", cut, section=rule.section)


def supply(bench: Bench, _: None, s: statements_accounts.Supply) -> None:
    """`supply`: units trace to an edge, to a hex of the city, or to a headquarters."""
    groups, rule = bench.rules.battle_groups, bench.rules.cut_off
    if s.source not in EDGES and not _is_hex(s.source):
        if groups is not None:
            accounts_carriers.supply(bench, groups, s)
        return
    if rule is None:
        bench.leaves()
        return
    bench.by(rule)
    bench.all_of(s.units, rule.side)
    if s.source in EDGES:
        _from_edge(bench, s)
    elif bench.holds("city", s.source):
        bench.follows("source", True, s.source)
    elif bench.fact("city", s.source):
        bench.leaves("other-source", hex=s.source)


def _is_hex(text: str) -> bool:
    return text[-4:].isdigit() and len(text) <= 5


def _from_edge(bench: Bench, s: statements_accounts.Supply) -> None:
    for unit in s.units:
        value = bench.fact("line", unit, s.source) or bench.needs("line", s.source)
        if value == "no":
            bench.breaks("no-line", unit=unit, edge=Term("edges", s.source))
        elif value:
            bench.follows("supplied", True, unit)


def replacement(bench: Bench, _: None, s: statements_accounts.Replace) -> None:
    """`replace`: steps come back from the turn's points or from the record's, perhaps by a headquarters."""
    rule = bench.rules.cut_off
    bench.by(rule)
    steps = 1 if s.steps is None else s.steps
    if s.by:
        accounts_carriers.serves(bench, s.by)
    piece = bench.find(s.unit)
    if rule is not None and piece is not None and piece.side != rule.side and (s.account or not s.by):
        bench.leaves(units=(s.unit,))
    elif rule is not None and (s.account or not s.by):
        bench.by(rule)
        if s.account == "record":
            _from_record(bench, rule, s.unit, steps)
        elif reached(bench, rule, s.unit) is False:
            bench.breaks("cut-off", unit=s.unit, edges=tuple(Term("edges", e) for e in rule.edges))
    state = bench.books.state(s.unit)
    bench.gone(s.unit)
    bench.books = bench.books.put(
        s.unit, steps=None if state.steps is None else state.steps + steps, lost=max(0, state.lost - steps)
    )
    bench.follows("steps_replaced", steps, s.unit)


def _from_record(bench: Bench, rule: CutOff, unit: str, steps: int) -> None:
    there = reached(bench, rule, unit)
    if there:
        bench.breaks("record-closed", unit=unit)
    if bench.holds("area", unit) is False:
        bench.breaks("outside", unit=unit)
    record = bench.books.record
    left = None if record.points is None else record.points - record.used
    if left is not None and steps > left:
        bench.breaks("record-short", units=(unit,), declared=steps, computed=left)
    bench.books = replace(bench.books, record=replace(record, used=record.used + steps))


def enter(bench: Bench, rule: CutOff, s: statements_accounts.Record) -> None:
    """`record`: replacement points are entered on the record, which is in use only while the part is cut off."""
    if reached(bench, rule):
        bench.breaks("record-closed", unit=message("findings.ledger.record"))
    record = bench.books.record
    bench.books = replace(bench.books, record=replace(record, points=(record.points or 0) + s.points))
    bench.follows("record_points", (record.points or 0) + s.points)


def note_end(bench: Bench, unit: str) -> None:
    """A unit is eliminated at once: the steps that it still had are lost."""
    piece, state = bench.find(unit), bench.books.state(unit)
    steps = state.steps if state.steps is not None else piece.steps if piece is not None else None
    if steps:
        note_loss(bench, unit, steps)
    elif steps is None and _recorded(bench, unit):
        bench.notes("steps-untold", "warning", section=_section(bench), unit=unit)


def _section(bench: Bench) -> str:
    rule = bench.rules.cut_off
    return rule.section if rule is not None else ""


def _recorded(bench: Bench, unit: str) -> bool:
    """Whether losses of a unit are entered on the record: it is one of the side's, inside while that is cut off."""
    rule, piece = bench.rules.cut_off, bench.find(unit)
    if rule is None or not bench.books.record.open or (piece is not None and piece.side != rule.side):
        return False
    return bench.fact("area", unit) not in (None, "no")


def note_loss(bench: Bench, unit: str, steps: int) -> None:
    """Steps lost inside are entered on the record while it is open."""
    if not _recorded(bench, unit):
        return
    bench.books = replace(bench.books, record=replace(bench.books.record, lost=bench.books.record.lost + steps))
    bench.follows("record_lost", bench.books.record.lost, section=_section(bench))


def is_frail(bench: Bench, id_: str) -> bool:
    """Whether a piece is one of these battalions."""
    rule = bench.rules.frail
    return rule is not None and bench.is_of(id_, *rule.kinds)


def isolate(bench: Bench, rule: Frail, s: statements_accounts.Isolate) -> None:
    """`isolate`: what the want of any line of supply costs at the end of a turn."""
    piece = bench.piece(s.unit)
    if piece is None:
        return
    if piece.kind not in rule.kinds:
        bench.breaks("not-of-kind", unit=s.unit, kind=Term("pieces", rule.kinds[0]))
        return
    computed = _owed(bench, rule, s)
    if s.unit in bench.books.checked and computed:
        bench.breaks("isolated-twice", unit=s.unit)
        computed = 0
    if s.steps is not None and computed is not None and s.steps != computed:
        bench.breaks("isolation", unit=s.unit, declared=s.steps, computed=computed)
    lost = computed if s.steps is None else s.steps
    bench.books = replace(bench.books, checked=bench.books.checked | {s.unit})
    if computed is not None:
        bench.follows("steps_lost", computed, s.unit)
    reduce(bench, s.unit, lost or 0)


def _owed(bench: Bench, rule: Frail, s: statements_accounts.Isolate) -> int | None:
    """Steps that isolation costs now; None where nobody says whether the unit is isolated."""
    now = bench.books.now
    if now is None:
        bench.breaks("no-phase", what=Term("acts", "isolate"))
        return 0
    if bench.parts[now.part] not in rule.when.parts:
        return 0
    supplied = bench.holds("supply", s.unit)
    if supplied is None:
        return None
    if not supplied and now.phase not in rule.when.phases:
        bench.fits(rule.when, Term("acts", "isolate"))
    return 0 if supplied else rule.steps


def reduce(bench: Bench, unit: str, steps: int) -> None:
    """Steps are lost; a unit without any left is eliminated."""
    if not steps:
        return
    state = bench.books.state(unit)
    piece = bench.find(unit)
    has = state.steps if state.steps is not None else piece.steps if piece else None
    left = None if has is None else max(0, has - steps)
    changes: dict[str, Any] = {"steps": left, "lost": state.lost + steps}
    if has is not None and steps > has:
        bench.breaks("too-many-steps", unit=unit, declared=steps, computed=has)
    bench.books = bench.books.put(unit, **changes)
    note_loss(bench, unit, steps)
    if left == 0:
        accounts_carriers.lost_with(bench, unit)
        bench.books = bench.books.put(unit, where="eliminated", hex="")
        bench.follows("eliminated", True, unit)


def suffer(bench: Bench, _: None, s: statements_accounts.Suffer) -> None:
    """`lose`: steps, and perhaps a company left behind, which these battalions leave none of."""
    bench.by(bench.rules.frail)
    bench.gone(s.unit)
    steps = 1 if s.steps is None else s.steps
    reduce(bench, s.unit, steps)
    bench.follows("steps_lost", steps, s.unit)
    if s.company:
        _company(bench, s.unit, s.company)


def break_down(bench: Bench, rule: Frail, s: statements_accounts.Break) -> None:
    """`break`: a battalion is broken down to a company."""
    bench.gone(s.unit)
    _company(bench, s.unit, s.company)


def _company(bench: Bench, unit: str, company: str) -> None:
    """A company: of these battalions none, or by the markers of their own, which are for no others."""
    rule, piece = bench.rules.frail, bench.piece(unit)
    if rule is None or piece is None:
        return
    companies = rule.companies
    special = bench.find(company) if company else None
    own = companies is not None and special is not None and special.kind == companies.marker
    if piece.kind not in rule.kinds:
        if own and companies is not None:
            bench.by(companies)
            bench.breaks("others-marker", units=(unit, company), unit=unit, company=company)
        else:
            bench.leaves(units=(unit,))
        return
    if companies is None or bench.ctx.option(companies.option) != "yes":
        bench.breaks("no-company", unit=unit)
        return
    bench.by(companies)
    if not own:
        bench.breaks("special-marker", unit=unit, kind=Term("pieces", companies.marker))
    elif bench.books.state(company).where == "map":
        bench.breaks("on-map-already", unit=company)
    else:
        bench.taken(companies.marker, company)
    if company:
        bench.books = bench.books.put(company, where="map", hex=bench.books.state(unit).hex)
        bench.follows("on_map", bench.used(companies.marker), companies.marker)


def owed(bench: Bench, moment: Moment) -> None:
    """The phase ends: who is isolated, as stated, and has not been judged yet owes a step."""
    rule = bench.rules.frail
    if rule is None or bench.ctx.partial or moment.phase not in rule.when.phases:
        return
    if bench.parts[moment.part] not in rule.when.parts:
        return
    for unit in isolated(bench):
        bench.by(rule)
        bench.fact("supply", unit)
        bench.breaks("isolation-owed", unit=unit, computed=rule.steps)


def isolated(bench: Bench) -> Iterator[str]:
    """Battalions that are isolated, as stated, and have not been judged for it in this turn."""
    for (name, of), stated in bench.books.facts.items():
        unit = of[0] if len(of) == 1 else ""
        if name != "supply" or stated.value not in ("no", "0") or not is_frail(bench, unit):
            continue
        if unit not in bench.books.checked and bench.books.state(unit).where != "eliminated":
            yield unit
