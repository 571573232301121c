"""What every form of report says alike: counts, figures, combats worked out, scores.

What a side still owes, in words.

What reports call the turn and phase that a line is played in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeVar, get_args

from ...scenarios.console import clipped
from ...scenarios.model import Scenario
from ...scenarios.schema.base import multiplier
from ...scenarios.schema.game import Part
from ...scenarios.text.words import Param, Term, Words, message
from ..judging.answer import Answer
from ..notation.statements import Engagement
from ..notation.vocabulary import write_statement
from ..reading.open_lines import LETTERS
from ..rules.findings import Change, CombatRecord, Figure, Finding, MoveRecord, Shift, doubts_told, points
from ..rules.values import CONTACT, OFF, ZONE, Price
from ..rules.withdrawal import ActionRecord

if TYPE_CHECKING:
    from ...modulegen.render.templates import ModuleWords
    from ...scenarios.model import Scenario
    from ..judging.questions import Open
    from ..notation.statements_accounts import DayStart
    from ..rules.accounts_bench import AccountRow
    from ..rules.accounts_books import Effect


_SHOWN: Final = 4
"""Lines of a stretch that was not judged, of which a report shows the beginning."""


def summary(answer: Answer, w: Words) -> str:
    """`1 illegal, 2 warnings`, or that there is nothing to object to."""
    counts = [w(f"report.count.{severity}", count=n) for severity, n in answer.counts.items() if n]
    return ", ".join(counts) or w("report.nothing-wrong")


def verdict(answer: Answer, w: Words) -> str:
    """`legal`; or `legal by ruling`, where it would not be so without. Without rules nothing is called legal."""
    if answer.shade == "info":
        return w("report.verdict-without-rules")
    found = w(f"report.verdict.{answer.verdict}")
    if answer.waits and answer.verdict in ("legal", "doubtful"):
        found = w("report.verdict-so-far", verdict=found)
    if answer.by_ruling and answer.verdict in ("legal", "doubtful"):
        found = w("report.verdict-by-ruling", verdict=found)
    partly = answer.not_judged and answer.verdict != "illegal"
    found = w("report.verdict-in-part", verdict=found) if partly else found
    stated = answer.as_stated and answer.verdict == "legal"
    return w("report.accounts.as-stated", verdict=found) if stated else found


def sealed(answer: Answer, w: Words) -> list[tuple[int, str]]:
    """Each sealed throw by its line: what follows, or that it waits."""
    return [
        (
            throw.line,
            w(
                "report.sealed-opened" if throw.link else "report.sealed-waits",
                what=write_statement(throw.what, w.language),
                faces=" ".join(map(str, throw.faces)),
                link=throw.link,
                player=throw.player,
            ),
        )
        for throw in answer.sealed
    ]


def not_judged(scenario: Scenario | None, w: Words) -> list[str]:
    """Each rule of a game that nothing here judges, with what hangs on it: `X 7.3: Overruns (movement)`."""
    if scenario is None:
        return []
    every = get_args(Part)
    return [
        w(
            "report.not-judged.rule" if set(rule.about) == set(every) else "report.not-judged.rule-about",
            section=scenario.citation(rule.section),
            what=w.heading("not_judged", rule.id),
            parts=tuple(w(f"report.not-judged.parts.{part}") for part in every if part in rule.about),
        )
        for rule in scenario.game.not_judged
    ]


def not_judged_in_a_line(scenario: Scenario | None, w: Words) -> str:
    """All of them in one line; "" where everything is judged."""
    rules = "; ".join(not_judged(scenario, w))
    return w("report.not-judged.line", rules=rules) if rules else ""


def accounts(answer: Answer, w: Words) -> list[tuple[str, str]]:
    """Each account with how it stands; none for games that keep none."""
    rows = answer.accounts.rows() if answer.accounts else ()
    return [(named(row, w), w.say(row.told)) for row in rows]


def named(row: AccountRow, w: Words) -> str:
    """What an account is of, as a row begins with it."""
    text = w.value(row.what)
    return text[:1].upper() + text[1:]


def effects(answer: Answer, w: Words) -> list[tuple[int, str]]:
    """What followed from lines, by their numbers."""
    found = answer.accounts.effects if answer.accounts else ()
    return [(e.line, effect(e, w)) for e in found]


def effect(found: Effect, w: Words) -> str:
    """What followed from a line."""
    return w(f"report.accounts.effect.{found.what}", of=_piece_or_side(found.of, w), value=_value(found.value, w))


def _piece_or_side(of: str, w: Words) -> str:
    """A piece by its id, a side or a kind of piece by its name."""
    return next((w.term(section, of) for section in ("sides", "pieces") if w.term(section, of) != of), of)


def _value(value: int | str | bool, w: Words) -> str | int:
    return w(f"report.accounts.{'true' if value else 'false'}") if isinstance(value, bool) else value


def facts(answer: Answer, w: Words) -> list[tuple[str, str]]:
    """The facts that the verdict rests on, with their lines."""
    lines = answer.accounts.facts if answer.accounts else ()
    return [(w("report.at", line=line), answer.quote(line)) for line in lines]


def unjudged(answer: Answer, w: Words) -> str:
    """What is not judged, as the lines rest on it and no text here has it; "" for nothing."""
    return ", ".join(map(w.value, answer.accounts.unjudged)) if answer.accounts else ""


def severity(finding: Finding, w: Words) -> str:
    """`illegal`, or `waived (illegal)`."""
    found = w(f"report.severity.{finding.severity}")
    if finding.waived is None:
        return found
    return w("report.waived-from", waived=found, severity=w(f"report.severity.{finding.waived}"))


def ruling(finding: Finding, w: Words) -> str:
    """Who rules so, where that stands, and why; "" for a finding that no ruling has to do with."""
    ruled = finding.ruled
    if ruled is None:
        return ""
    line = w("report.at", line=ruled.line)
    where = w("report.ruled-at", source=ruled.source, line=ruled.line) if ruled.source else line
    reason = clipped(ruled.reason)
    return w("report.ruled-by" if ruled.by else "report.ruled", by=ruled.by, where=where, reason=reason)


def tournament(answer: Answer, w: Words) -> str:
    """What of a director's file holds for the game: `Open 2026 (director Carla), table 1: …`; "" without one."""
    found = answer.tournament
    if found is None:
        return ""
    dates = tuple(found[key] for key in ("first", "last") if found[key])
    parts = {
        "director": found["director"],
        "game": found["game"],
        "players": purse(found["players"], w),
        "dates": "–".join(dates),
        "options": ", ".join(f"{name}={value}" for name, value in found["options"].items()),
    }
    told = "; ".join(w(f"report.tournament.{key}", value=value) for key, value in parts.items() if value)
    return w("report.tournament.head", name=found["tournament"], file=found["file"], told=told or "–")


def proposals(finding: Finding, w: Words) -> str:
    """`open line 2, perhaps a) move us-112-1: 0907`; "" for a line that nothing is proposed for."""
    told = (
        f"{letter}) {line}" + (f" ({w('report.without', words=left)})" if left else "")
        for letter, (line, left) in zip(LETTERS, finding.proposed, strict=False)
    )
    said = "; ".join(told)
    return w("report.perhaps", number=finding.asked, readings=said) if said else ""


def figures(finding: Finding, w: Words) -> str:
    """`declared 3, computed 2.5`: what of it a finding has; of one of the notation, what the line may mean."""
    if finding.code == "syntax":
        return proposals(finding, w)
    found = {"declared": finding.declared, "computed": finding.computed}
    return ", ".join(
        w(f"report.{name}", value=figure(value, w)) for name, value in found.items() if value is not None
    )


def figure(value: Figure, w: Words) -> int | float | str:
    """A declared or computed value: a number to count with, or else words."""
    if isinstance(value, int | float):
        return value
    return " ".join(map(w.value, value)) if isinstance(value, tuple) else w.value(value)


def place(finding: Finding, answer: Answer, w: Words) -> str:
    """`line 3`, and the log's step that the line comes from."""
    return " ".join(filter(None, (w("report.at", line=finding.line), answer.step(finding.line))))


def mails(answer: Answer, w: Words) -> list[str]:
    """The mails that a game was typed in, each with who sent it when."""
    letters = answer.intake.letters
    return [w("report.mail", source=m.source, sent=", ".join(filter(None, (m.sender, m.date)))) for m in letters]


def account(answer: Answer, w: Words) -> list[tuple[str, str, list[str]]]:
    """What became of the lines that are not judged: which they are, why, and the first of them as they stand."""
    found = []
    for part in answer.set_aside:
        where = w("report.account.lines", first=part.first, last=part.last, count=part.last - part.first + 1)
        file = f"{part.source}: " if answer.intake.places else ""
        quotes = list(filter(None, map(answer.quote, range(part.line, part.line + part.last - part.first + 1))))
        shown = quotes[:_SHOWN] + (["…"] if len(quotes) > _SHOWN else [])
        found.append((file + where, w(f"report.account.{part.why or part.part}"), shown))
    return found


def aside(answer: Answer, w: Words) -> list[str]:
    """What the mails of a game hold that was not read."""
    return [w("report.account.aside", name=name, why=w(f"report.aside.{why}")) for name, why in answer.intake.aside]


def sums(record: CombatRecord, w: Words) -> Iterator[tuple[str, str]]:
    """Each total with what it is made of: a side (or a bombarded hex), and `11 = a1 4 + a2 4 + a7 3`."""
    groups: dict[str, list[tuple[str, float]]] = {}
    for side, unit, number in record.parts:
        groups.setdefault(side, []).append((unit, number))
    for i, (side, items) in enumerate(groups.items()):
        bombarded = i and record.kind != "combat"
        label = w("report.vulnerability") if bombarded else w.heading("sides", side)
        terms = " + ".join(f"{contributor(unit, w)} {number}".strip() for unit, number in items)
        total = sum(number for _, number in items)
        # Halves that come to a whole number are one; what is left over, the game rounds.
        total = int(total) if total == int(total) else (record.defence if i else record.attack) or 0
        yield label, f"{total} = {terms}"
        yield from strengths(record, [unit for unit, _ in items], w)


def strengths(record: CombatRecord, units: Iterable[str], w: Words) -> list[tuple[str, str]]:
    """What changes the strengths of some units: its name, and `×½ (X 4.3): a1 a2`."""
    found: dict[Change, list[str]] = {}
    of = dict(record.changes)
    for unit in units:
        for change in of.get(unit, ()):
            found.setdefault(change, []).append(unit)
    return [(changed_by(change, w), f"{changed(change, w)}: {' '.join(who)}") for change, who in found.items()]


def changed_by(change: Change, w: Words) -> str:
    """What makes a strength another, as the game calls it."""
    return w.value(Term("modifiers", change.cause, change.cause.replace("_", " ")))


def changed(change: Change, w: Words) -> str:
    """`×½ (X 4.3)`, or `= 4 (X 4.3)` of a strength that takes the place of the unit's own."""
    done = f"= {change.strength}" if change.factor is None else f"×{multiplier(change.factor)}"
    return w("report.strength", done=done, rule=change.rule)


def echoes(answer: Answer, w: Words) -> Iterator[tuple[int, str]]:
    """What was done besides combats, each with its line: moves with their price, all else as a sheet says it."""
    told = [(record.line, price(record, w)) for record in answer.moves]
    told += [(action.line, answer.action_line(action, w.language)) for action in unpriced(answer)]
    yield from sorted(told, key=lambda echo: echo[0])


def unpriced(answer: Answer) -> list[ActionRecord]:
    """What was done besides combats and moves: losses turned back, trails cleared, bridges built, dice for air."""
    priced = {record.line for record in answer.moves}
    return [
        action
        for action in answer.actions
        if not action.of and action.line not in priced and not isinstance(action.statement, Engagement)
    ]


def price(record: MoveRecord, w: Words) -> str:
    """`a1 a2: 0705 0704 (cost 2, left 1.5)`."""
    return w(
        "report.price",
        units=" ".join(record.units),
        path=" ".join(record.path),
        cost=points(record.cost),
        left=points(record.left),
    )


def priced(part: Price, w: Words) -> str:
    """What has a price on a way: a hex, or in words what zones take and the step off the map."""
    key = {CONTACT: "page.price.contact", ZONE: "page.price.zone", OFF: "page.price.off"}.get(part.where)
    return w(key) if key else part.where


def reasons(part: Price, w: Words) -> str:
    """`Forest 2 + River 1 (Good weather)`: why a hex costs what it does; "" where no table says it."""
    names = [w.heading(rate.section, rate.id) for rate in part.rates]
    if len(names) > 1:
        names = [f"{name} {w.number(points(rate.cost))}" for name, rate in zip(names, part.rates, strict=True)]
    weathers = dict.fromkeys(w.heading("weather", rate.weather) for rate in part.rates if rate.weather)
    return " + ".join(names) + (f" ({', '.join(weathers)})" if weathers else "")


def contributor(unit: str, w: Words) -> str:
    """What brings points into a combat: a unit by its id, guns beyond the map and aircraft by their words."""
    return w(f"report.extra.{unit}") if unit in ("offboard", "air") else unit


def shifts(record: CombatRecord, w: Words) -> list[str]:
    """`terrain -2 (H 5.1.2)`, one text a shift."""
    return [w("report.shift", cause=cause(s, w), columns=s.columns, rule=s.rule) for s in record.shifts]


def cause(shift: Shift, w: Words) -> str:
    """What moves a column or the dice."""
    key = f"report.cause.{shift.cause}"
    return (
        w(key)
        if w.has(key) and not shift.own
        else w.value(Term(shift.words, shift.cause, shift.cause.replace("_", " ")))
    )


def start(record: CombatRecord, w: Words) -> str:
    """What the shifts start from: `11:4 = 2-1`, `value 18`."""
    if record.kind == "combat":
        return f"{record.attack}:{record.defence} = {record.odds or '?'}"
    return w("report.value", value="?" if record.value is None else record.value)


def work(record: CombatRecord, w: Words) -> str:
    """The way from strengths to column and dice: `11:4 = 2-1; terrain -2 (H 5.1.2); column 1-1, roll 7`."""
    moved = ", ".join(items := shifts(record, w)) or w("report.no-shift")
    if len(items) > 1:
        moved = w("report.net", shifts=moved, columns=sum(s.columns for s in record.shifts))
    said: dict[str, Param] = {"start": start(record, w), "shifts": moved, "column": record.column or "?"}
    told = w("report.work", **said) if record.roll is None else w("report.work-roll", **said, roll=record.roll)
    die = ", ".join(w("report.shift", cause=cause(s, w), columns=s.columns, rule=s.rule) for s in record.die)
    return w("report.work-die", work=told, die=die) if die else told


def work_alone(record: CombatRecord, w: Words) -> str:
    """The same with what changes strengths, where no sums stand beside it."""
    told = strengths(record, [unit for _, unit, _ in record.parts], w)
    return "; ".join((work(record, w), *(w("report.sum", label=label, terms=terms) for label, terms in told)))


def struck(record: CombatRecord, w: Words) -> str:
    """`combat 0203`."""
    return w("report.struck", kind=w(f"report.kind.{record.kind}"), hexes=" ".join(record.target))


def part_list(answer: Answer, side: str, w: Words) -> str:
    """What a side's score is made of: `Schmidt 20 + 3 × German 15`."""
    return " + ".join(w.say(part.told) for part in answer.parts if part.side == side)


def purse(values: Mapping[str, int | str], w: Words) -> str:
    """`American 4, German 2`."""
    return ", ".join(f"{w.heading('sides', side)} {number}" for side, number in sorted(values.items()))


def air_left(answer: Answer, w: Words) -> str:
    """The air points that sides have left; "" where none has any."""
    left = {side: points for side, points in (answer.position.air if answer.position else {}).items() if points}
    return w("report.air", sides=purse(left, w)) if left else ""


def edition(answer: Answer, w: Words, digits: int | None = None) -> str:
    """What the answer was computed with; `digits`: of the files' hash."""
    found = answer.edition
    if not answer.game:
        return w("report.edition", program=found.program)
    said = message(
        "report.edition-game",
        program=found.program,
        game=answer.game,
        version=found.scenario,
        digest=found.digest[:digits],
    )
    return w.say(said)


def duties_told(found: Open, w: Words) -> Iterator[str]:
    """What is owed, a line for each duty; a line that nothing is."""
    for duty in found.attacks:
        owed = w("validator.duty.attack", unit=duty.unit, hex=duty.hex, enemies=" ".join(duty.enemies))
        why = doubts_told(found.doubts.get(duty.unit, ()), w)
        yield w("validator.duty.doubt", what=owed, doubt=why) if why else owed
    for hex_, units in found.spared:
        yield w("validator.duty.attacked", hex=hex_, units=" ".join(units))
    for side, hex_, units in found.encircled:
        yield w("validator.duty.encircled", side=w.heading("sides", side), hex=hex_, units=" ".join(units))
    for line, lacks in found.undeclared:
        log, step = found.steps.get(line, ("", 0))
        where = f"{log}:{step}" if log else w("report.at", line=line)
        missing = tuple(w(f"validator.duty.{name}") for name in lacks)
        yield w("validator.duty.undeclared", where=where, missing=missing)
    if found.due:
        yield w("validator.duty.due", units=" ".join(found.due))
    if not (found.attacks or found.spared or found.encircled or found.undeclared or found.due):
        yield w("validator.duty.none")


T = TypeVar("T")


def numbered(kind: str, number: int, w: Words) -> str:
    """`Movement 2`: a kind of phase, and which of several; 0 if it is alone."""
    return f"{w.heading('phases', kind)} {number}" if number else w.heading("phases", kind)


class Headings:
    """The names of the turns and phases of an answer in one language."""

    def __init__(self, answer: Answer, w: Words) -> None:
        self.answer, self.w = answer, w

    def __call__(self, line: int) -> str:
        """`Turn 2 · 2 Nov 1944 · American: Movement`; "" for what stands before the first turn."""
        if (phase := self.answer.phase_of(line)) is not None:
            return self.phase(self.turn(phase.turn), phase.side, phase.kind, phase.number)
        number = bisect_right(self._days, line, key=lambda day: day.line)
        return self.day(self._days[number - 1]) if number else ""

    def grouped(self, items: Iterable[tuple[int, T]]) -> Iterator[tuple[str, list[tuple[int, T]]]]:
        """Items with their lines, in their order, those beside each other of one phase together below its name."""
        for heading, found in groupby(items, key=lambda item: self(item[0])):
            yield heading, list(found)

    def phase(self, turn: str, side: str, kind: str, number: int = 0) -> str:
        """A phase of a side in a turn that has a name; either may be ""."""
        told = ": ".join(
            filter(None, (side and self.w.heading("sides", side), kind and numbered(kind, number, self.w)))
        )
        return " · ".join(filter(None, (turn, told)))

    def turn(self, turn: int) -> str:
        """`Turn 2 · 2 Nov 1944`: with the day only where the printed map was played on."""
        if not turn:
            return self.w("page.start")
        named = self.w("page.turn", turn=turn)
        game = self.answer.scenario
        dated = self.answer.field is not None and self.answer.field.printed and game is not None
        if not (dated and game is not None and game.game.turns.first <= turn <= game.game.turns.last):
            return named
        return self.w("page.turn-dated", turn=named, date=self._calendar.turn_date(game, turn))

    def day(self, opened: DayStart) -> str:
        """`25 Jun 1944, A.M. · Movement`: a phase of a part of a day."""
        return " · ".join(
            (
                self.part_of_day(opened),
                ": ".join(filter(None, (self.phase("", opened.side, ""), self.phase_of_day(opened)))),
            )
        )

    def phase_of_day(self, opened: DayStart) -> str:
        """`Invasion 2`."""
        return numbered(opened.phase, opened.number or 0, self.w)

    def part_of_day(self, opened: DayStart) -> str:
        """`25 Jun 1944, A.M.`"""
        days = self.answer.scenario.days if self.answer.scenario else None
        year = days.first.year if days else 1
        # The last of February is the 29th in any year that is written.
        day = date(year, opened.month, min(opened.day, 28) if opened.month == 2 else opened.day)
        part = self.w.value(Term("turns", opened.part, opened.part))
        return self.w("page.day", date=self._calendar.date(day), part=part)

    @cached_property
    def _calendar(self) -> ModuleWords:
        from ...modulegen.render.templates import ModuleWords

        assert self.answer.scenario is not None
        return ModuleWords.of(self.answer.scenario, self.w.language)

    @cached_property
    def _days(self) -> list[DayStart]:
        from ..notation.statements_accounts import DayStart

        return [s for s in (self.answer.sheet.statements if self.answer.sheet else ()) if isinstance(s, DayStart)]
