"""Worlds: the one home of doubt. A line is judged in all that the data leave open.

Illegal: every world finds fault with the line. Doubtful: some world finds none. Legal: all find none (R141). What
is told is the finding of the world at hand, the likeliest, with the data that would acquit the line. Worlds are
those of `assumed` data, of the phase or weather that is meant where a sheet begins in the middle, of units that
nobody has set up (`unset`), and of lines that could not be read (`unread`). One budget pays for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from ....scenarios.text.words import Message, Term
from ...notation import base, statements
from ...rules.combat.conditions import runs
from ...rules.context import Context, Outcome
from ...rules.findings import Finding, Severity, doubt
from ...rules.move_effects import differ
from ...rules.position import Position
from ...rules.roster import fits
from ...rules.weather import supposed
from .assumed import FIGURED, TOLD, ZONED, Judge, World, worlds
from .unset import ATTACKED, standing, suspected, suspected_at_end, unsettled

UNSURE: Final = frozenset(
    {"movement-cost", "prohibited-terrain", "river-crossing", "bridge-closed", "must-attack"}
    | {"losses", "retreat", "advance", "exchange"}
    | {"artillery-support", "artillery-terrain", "recovery", "trail-clearing", "bridge-building"}
    | {"entry", "exit", "rail", "special"}
    | FIGURED
)
"""Codes of findings that ground or formations can have a part in."""

ALIKE: Final = (
    FIGURED,
    frozenset({"prohibited-terrain", "river-crossing", "bridge-closed", "movement-cost"}),
    frozenset({"zone-of-engagement", "must-stop"}),
)
"""Codes by which the same thing is found fault with: it stays wrong, if for another reason."""

MOST_WORK: Final = 50_000
"""What a sheet's findings are weighed for, some twenty seconds; a turn with ten mistakes takes a fiftieth of it."""

A_LINE: Final = 4
"""What judging a line takes of that, for all that it has to do before anything is found."""


@dataclass(slots=True)
class Budget:
    """What may still be spent on asking what the findings of a sheet rest on, in findings judged again.

    Nobody waits longer for an answer because more is wrong; what is not asked any more is doubtful, not illegal.
    """

    left: int = MOST_WORK

    def spend(self, work: int) -> bool:
        """Whether something is left after that."""
        self.left = max(self.left - work, 0)
        return self.left > 0


def weighed(
    ctx: Context,
    position: Position,
    outcome: Outcome,
    judge: Judge,
    *,
    budget: Budget,
    asked_of: Callable[[Finding], bool] = lambda _: True,
    others: Iterable[World] = (),
) -> Outcome:
    """The outcome with those of its illegal findings doubtful whose line is right in some world.

    Those are the worlds of assumed data, and `others`.

    `judge` judges the same statement in whatever context and position it is given. Each finding is weighed by
    itself, and only those of which `asked_of` holds. Where the `budget` does not suffice, all of them are doubtful.
    """
    unsure = (
        UNSURE | (ZONED if ctx.movement.zones.grounded else frozenset()) | (ATTACKED if ctx.unset else frozenset())
    )
    sure = [f for f in outcome.findings if f.severity == "illegal" and f.code in unsure and asked_of(f)]
    if not sure or not (ctx.unset or _assumes(ctx)):
        return outcome
    rests: dict[int, dict[Message, None]] = {}
    work, here = 1 + len(outcome.findings), _Faults(outcome.findings)
    for world in chain(worlds(ctx, position, outcome, judge), others) if budget.left else ():
        asked = [f for f in sure if not world.codes or f.code in world.codes]
        asked = [f for f in asked if world.more or not rests.get(id(f))]
        # A finding that names as many as it can is doubtful, and nothing more can come of trying others.
        told = (rests.get(id(f), {}) for f in asked)
        asked = [
            f
            for f, data in zip(asked, told, strict=True)
            if len(data) < TOLD and not data.keys() >= set(world.data)
        ]
        if not asked:
            continue
        if not budget.spend(work):
            break
        there = _Faults(judge(world.ctx, world.position).findings)
        for finding in asked:
            if there.acquit(finding, here):
                rests.setdefault(id(finding), {}).update(dict.fromkeys(world.data))
    if not budget.left:
        for finding in sure:
            rests.setdefault(id(finding), {doubt("effort"): None})
    return replace(outcome, findings=tuple(_doubted(f, rests.get(id(f), ())) for f in outcome.findings))


def figured(ctx: Context, position: Position, judge: Judge) -> tuple[Message, ...]:
    """The data that nobody prints by which the column or the shifts of a combat would be others."""
    here, found = judge(ctx, position), dict[Message, None]()
    for world in worlds(ctx, position, here, judge) if _assumes(ctx) else ():
        if not found.keys() >= {*world.data}:
            there = judge(world.ctx, world.position).combats
            if [(c.column, c.shifts, c.die) for c in there] != [(c.column, c.shifts, c.die) for c in here.combats]:
                found |= dict.fromkeys(world.data)
    return tuple(found)


def _assumes(ctx: Context) -> bool:
    open_ = ctx.map.printed or bool(ctx.rules.untried) or bool(runs(ctx))
    return open_ or any(u.assumed or not u.line for u in ctx.units.values())


class _Faults:
    """What a statement is found fault with, by the line: it may be as long as its sheet."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.on: dict[int, list[Finding]] = {}
        for found in findings:
            if found.severity in ("illegal", "doubtful"):
                self.on.setdefault(found.line, []).append(found)

    def acquit(self, finding: Finding, here: _Faults) -> bool:
        """Whether nothing is wrong with the line of a finding but what is wrong with it `here` beside it.

        Figures on lines above it that are wrong in another way than `here` do not go with it: both may be wrong
        because of the same datum, and no one value of it makes both right.
        """
        beside = [f for f in here.on[finding.line] if not _alike(f, finding)]
        if not all(any(_alike(f, known) for known in beside) for f in self.on.get(finding.line, ())):
            return False
        if finding.code not in FIGURED:
            return True
        above = (f for line, found in self.on.items() if line < finding.line for f in found if f.code in FIGURED)
        return all(any(f.message == known.message for known in here.on.get(f.line, ())) for f in above)


def _alike(finding: Finding, other: Finding) -> bool:
    """Whether two findings are on the same figure, or say the same of the same units, if perhaps in other words."""
    codes = (finding.code, other.code)
    if finding.code != other.code and not any(group.issuperset(codes) for group in ALIKE):
        return False
    if FIGURED.issuperset(codes):
        return finding.declared == other.declared
    return not finding.units or not other.units or not set(finding.units).isdisjoint(other.units)


def _doubted(finding: Finding, data: Collection[Message]) -> Finding:
    if not data:
        return finding
    return replace(finding, severity="doubtful", rests_on=(*finding.rests_on, *tuple(data)[:TOLD]))


def judged(
    ctx: Context,
    position: Position,
    statement: base.Statement,
    judge: Judge,
    *,
    budget: Budget,
    asked_of: Callable[[Finding], bool],
) -> Outcome:
    """What comes of a statement, which `judge` judges in one world, with what its findings rest on in others."""

    def sure(ctx: Context, position: Position) -> Outcome:
        others = standing(ctx, position, statement)
        once = judge(ctx, position)
        return weighed(ctx, position, once, judge, budget=budget, asked_of=asked_of, others=others)

    outcome = in_each(ctx, position, sure, places=not isinstance(statement, statements.TurnStart))
    outcome = excused(ctx, position, statement, unsettled(ctx, position, outcome))
    return suspected(ctx, position, statement, outcome, judge)


def excused(ctx: Context, position: Position, statement: base.Statement, outcome: Outcome) -> Outcome:
    """The outcome, doubtful where a rule of the game that nothing judges could make lawful what is found."""
    rules = [(rule, touched) for rule in ctx.scenario.game.not_judged for touched in rule.touches]
    if not rules or all(f.severity != "illegal" for f in outcome.findings):
        return outcome
    word = next(iter(base.WORDS[type(statement)]), "")
    findings = []
    for finding in outcome.findings:
        units = [(position.roster[u], position.units[u]) for u in finding.units if u in position.roster]
        why = {
            doubt("unjudged", rule=Term("not_judged", rule.id)): None
            for rule, touched in rules
            if finding.severity == "illegal"
            and (not touched.statements or word in touched.statements)
            and (not touched.codes or finding.code in touched.codes)
            and (not units or any(fits(touched, unit, state) for unit, state in units))
            and ctx.in_force(touched, position)
        }
        findings.append(_doubted(finding, why.keys()))
    return replace(outcome, findings=tuple(findings))


def closed(
    ctx: Context, position: Position, judge: Judge, *, budget: Budget, asked_of: Callable[[Finding], bool]
) -> tuple[Finding, ...]:
    """What `judge` finds at the end of a phase in one world, with what it rests on in others."""

    def sure(ctx: Context, position: Position) -> Outcome:
        return weighed(ctx, position, judge(ctx, position), judge, budget=budget, asked_of=asked_of)

    return suspected_at_end(ctx, position, in_each(ctx, position, sure, "doubtful"), judge).findings


def in_each(
    ctx: Context, position: Position, judge: Judge, elsewhere: Severity = "warning", *, places: bool = True
) -> Outcome:
    """What comes of a statement, or of a phase's end, with what would come of it in another phase or weather.

    `elsewhere` is how grave it is that something would be illegal in another place of the phase alone; without
    `places` the weathers alone are tried.
    """
    first = judge(ctx, position)
    others = [(why, judge(ctx, other).findings) for why, other in _which_phase_others(ctx, position, places=places)]
    found = []
    for f in first.findings:
        free = [why for why, other in others if not _forbids(other, f)] if f.severity == "illegal" else []
        found.append(_resting(f, "doubtful", *dict.fromkeys(word for why in free for word in why)) if free else f)
    for why, other in others:
        severity = "doubtful" if "weather" in why else elsewhere
        found += [_resting(f, severity, *why) for f in other if f.severity == "illegal" and not _among(f, found)]
    return replace(first, findings=tuple(found))


def _which_phase_others(
    ctx: Context, position: Position, *, places: bool
) -> Iterator[tuple[tuple[str, ...], Position]]:
    """The positions that may as well be the one at hand, each with what is otherwise in it."""
    phase, sequence = position.phase, ctx.scenario.game.sequence
    if phase is None:
        return
    of_phase = phase.places if places and differ(ctx, phase) else phase.places[:1]
    for sky in position.guesses or (position.sky,):
        played = [place for place in of_phase if sequence[place].played(phase.turn, sky.weather)]
        for place in played or of_phase[:1]:
            why = [("phase", place != of_phase[0]), ("weather", sky != position.sky)]
            if any(otherwise for _, otherwise in why):
                there = replace(phase, places=(place,)) if places else phase
                other = replace(supposed(position, sky), phase=there)
                yield tuple(word for word, otherwise in why if otherwise), other


def _forbids(others: Sequence[Finding], finding: Finding) -> bool:
    """Whether another place of the phase forbids the same, be it for another reason."""
    illegal = (f for f in others if f.severity == "illegal" and f.line == finding.line)
    return _among(finding, others) or any(set(f.units) & set(finding.units) for f in illegal)


def _among(finding: Finding, others: Sequence[Finding]) -> bool:
    return any((f.line, f.code, f.units) == (finding.line, finding.code, finding.units) for f in others)


def _resting(finding: Finding, severity: Severity, *why: str) -> Finding:
    return replace(finding, severity=severity, rests_on=(*finding.rests_on, *map(doubt, why)))
