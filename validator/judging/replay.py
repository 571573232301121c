"""Replay a sheet: every statement in turn is judged and then played, whatever was wrong with it.

What the players agreed on is what their game went on from, so one mistake does not drown the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from ...scenarios.model import Scenario
from ..notation import base, statements_head
from ..notation import statements as st
from ..rules import engineering, entry, recovery, victory
from ..rules.arrival import judge_arrivals
from ..rules.combat.assault import combat, judge_overrun
from ..rules.combat.bombardment import airstrike, bombard
from ..rules.combat.participants import reveal
from ..rules.context import Context, Outcome
from ..rules.engineering import fallen, judge_bridge, judge_clear
from ..rules.entry import judge_enter, judge_exit, judge_way
from ..rules.findings import CombatRecord, Finding, MoveRecord, Verdict, verdict
from ..rules.marks import judge_attrition, judge_mark, judge_rally
from ..rules.movement import judge_rail
from ..rules.opening import named_in, named_leaving, open_game
from ..rules.phases import called, close_phase, judge_air_roll, judge_order, open_phase
from ..rules.position import Position
from ..rules.recovery import judge_recover, touched
from ..rules.rulings import Directed, Waiver, by_line, judge_control, judge_directed, judge_put, waive, waivers_of
from ..rules.setup import judge_found
from ..rules.weather import judge_weather
from ..rules.withdrawal import ActionRecord, actions, said_again, thrown_again
from .worlds import A_LINE, Budget, closed, judged

Rule = Callable[[Context, Position, Any], Outcome]


def _score(ctx: Context, position: Position, statement: st.Score) -> Outcome:
    return Outcome(position, tuple(victory.judge(ctx, position, statement)))


RULES: Mapping[type[base.Statement], Rule] = {
    st.Move: judge_way,
    st.Enter: judge_enter,
    st.Exit: judge_exit,
    st.RailMove: judge_rail,
    st.Recover: judge_recover,
    st.BuildBridge: judge_bridge,
    st.ClearTrail: judge_clear,
    st.AirRoll: judge_air_roll,
    st.WeatherRoll: judge_weather,
    st.OrderRoll: judge_order,
    st.ArrivalRoll: judge_arrivals,
    st.Rally: judge_rally,
    st.Mark: judge_mark,
    st.Attrition: judge_attrition,
    st.Found: judge_found,
    st.Combat: combat,
    st.Overrun: judge_overrun,
    st.Bombard: bombard,
    st.AirStrike: airstrike,
    st.Score: _score,
    statements_head.Put: judge_put,
    statements_head.RuledControl: judge_control,
    Directed: judge_directed,
    st.TurnStart: open_phase,
}


@dataclass(frozen=True, slots=True)
class Scene:
    """What a finding is about: the position before the statement, the statement, and the ways that it moved by.

    `statement` is None where the finding belongs to the opening or to the end.
    """

    before: Position
    statement: base.Statement | None = None
    moves: tuple[MoveRecord, ...] = ()


_WALKS = (st.Move, st.Enter, st.Exit, st.RailMove)
_ACTS = (*_WALKS, st.Recover, st.Rally, st.Mark, st.Attrition, st.BuildBridge, st.ClearTrail)


@dataclass(frozen=True, slots=True)
class Course:
    """A sheet as it was played: the position that it opens with, and what came of each statement, in order."""

    ctx: Context
    start: Position
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True)
class Judgement:
    """What a replay found. `stopped` says that it ended at the first illegal statement; `ctx` serves questions.

    `actions` is all that was done, in the order of the sheet. `scenes` are those of the lines that findings are on;
    `since` is the line on which the last turn begins. `before` gives for each statement the position before it,
    and how many findings there were; `course` is what came of each. `numbers` say by the line that opens a phase
    which of its side's phases of that kind in the turn it is, from 1 on, where it is not alone and known;
    `budget` is what is left of asking what findings rest on. `accounts` is what came of all lines together in a
    game that is judged by its accounts; `waits`: lines of which the dice are still to come, or what
    follows from them: the last phase is not over with the sheet.
    """

    ctx: Context
    position: Position
    findings: tuple[Finding, ...]
    combats: tuple[CombatRecord, ...] = ()
    moves: tuple[MoveRecord, ...] = ()
    actions: tuple[ActionRecord, ...] = ()
    scenes: Mapping[int, Scene] = field(default_factory=dict)
    since: int = 0
    score: Mapping[str, int] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    stopped: bool = False
    before: tuple[tuple[Position, int], ...] = ()
    course: Course | None = None
    calls: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget, compare=False)
    accounts: Outcome | None = None
    waits: frozenset[int] = frozenset()

    @property
    def verdict(self) -> Verdict:
        """The worst severity among the findings."""
        return verdict(self.findings)


Waivers: TypeAlias = Mapping[int, Sequence[Waiver]]
"""Waivers by the lines that they speak of."""
Asked = Callable[[Finding], bool]
"""Of which findings it is asked whether they rest on assumed data."""


def _all(_: Finding) -> bool:
    return True


def judge(
    ctx: Context,
    position: Position,
    statement: base.Statement,
    asked_of: Asked = _all,
    budget: Budget | None = None,
) -> Outcome:
    """Judge one statement and play it. Statements that only describe the start change nothing.

    `budget` is what may be spent on asking what its findings rest on, without one as much as on a whole sheet.
    """
    if ctx.scenario.ledger is not None:
        return judge_once(ctx, position, statement)
    ctx = ctx.at(_turn(position, statement))

    def once(ctx: Context, position: Position) -> Outcome:
        return judge_once(ctx, position, statement)

    outcome = judged(ctx, position, statement, once, budget=budget or Budget(), asked_of=asked_of)
    return _settled(position, statement, outcome)


def _settled(before: Position, statement: base.Statement, outcome: Outcome) -> Outcome:
    """The outcome of a statement in which it has used up what its findings, as they are in the end, let it."""
    match statement:
        case st.Recover():
            return recovery.settled(before, statement, outcome)
        case st.BuildBridge() | st.ClearTrail():
            return engineering.settled(before, statement, outcome)
        case st.Enter():
            return entry.settled(before, statement, outcome)
    return outcome


def _turn(position: Position, statement: base.Statement) -> int:
    """The turn to which a statement belongs."""
    return statement.number if isinstance(statement, st.TurnStart) else position.turn


def judge_once(ctx: Context, position: Position, statement: base.Statement) -> Outcome:
    """As `judge`, with assumed data as they stand: for those who ask what is played, not how sure a finding is."""
    if ctx.scenario.ledger is not None:
        from ..rules import accounts_judging

        return accounts_judging.judge(ctx, position, statement)
    rule = RULES.get(type(statement))
    if rule is None:
        return Outcome(position)
    if (again := said_again(ctx, position, statement)) is not None:
        return again
    turned = reveal(ctx, position, statement.acts) if isinstance(statement, st.Engagement) else Outcome(position)
    outcome = turned.then(thrown_again(ctx, statement, rule(ctx, turned.position, statement)))
    if _is_act(position, statement) and not outcome.position.ledger.acted:
        outcome = replace(outcome, position=outcome.position.noted(acted=True))
    outcome = outcome.then(fallen(ctx, position, outcome.position, statement.line))
    return outcome.then(touched(ctx, position, outcome.position)) if ctx.movement.recovery else outcome


def _is_act(position: Position, statement: base.Statement) -> bool:
    """Whether a side does something by a statement; to write down who was withdrawn at the start is nothing."""
    if isinstance(statement, st.Exit):
        return any(u not in position.units or position.units[u].where != "withdrawn" for u in statement.units)
    return isinstance(statement, _ACTS)


def played_once(scenario: Scenario, sheet: st.Sheet, options: Mapping[str, str]) -> Course:
    """A sheet as it is played, judged with assumed data as they stand."""
    ctx, start, _ = open_game(scenario, sheet, options)
    position, outcomes = start, []
    for statement in sheet.statements:
        outcomes.append(judge_once(ctx.at(_turn(position, statement)), position, statement))
        position = outcomes[-1].position
    return Course(ctx, start, tuple(outcomes))


def _closed(ctx: Context, position: Position, asked_of: Asked, budget: Budget) -> Outcome:
    """What the phase that ends here has left undone."""
    if ctx.scenario.ledger is not None:
        from ..rules import accounts_judging

        return accounts_judging.close(ctx, position)
    ctx = ctx.at(position.turn)

    def once(ctx: Context, position: Position) -> Outcome:
        return Outcome(position, tuple(close_phase(ctx, position)))

    return Outcome(position, closed(ctx, position, once, budget=budget, asked_of=asked_of))


def steps(
    scenario: Scenario,
    sheet: st.Sheet,
    options: Mapping[str, str] | None = None,
    budget: Budget | None = None,
    *,
    in_force: Waivers | None = None,
    before: tuple[Context, Position] | None = None,
    waits: frozenset[int] = frozenset(),
) -> Iterator[tuple[Context, base.Statement | None, Outcome]]:
    """The replay step by step: first the opening (statement None), then every statement, last the end (None).

    The findings of a phase that a `turn` line ends come with that line. Positions are values: any of them may be
    kept, compared, and gone on from. `budget` is what may be spent on asking what the findings rest on, `in_force`
    the waivers by the lines that they speak of, `before` what accounts go on from; `waits` as in `Judgement`.
    """
    ctx, position, findings = open_game(scenario, sheet, options or {}, before)
    yield ctx, None, Outcome(position, tuple(findings))
    over = position.phase is not None  # a phase that was over before the sheet began has been closed
    yield from _played(
        ctx, position, sheet.statements, _all, budget or Budget(), in_force=in_force or {}, over=over, waits=waits
    )


def step(
    ctx: Context,
    position: Position,
    statement: base.Statement,
    asked_of: Asked = _all,
    budget: Budget | None = None,
    *,
    in_force: Waivers,
    over: bool,
) -> tuple[Outcome, bool]:
    """One step of a replay: what comes of a statement, with what is found on the phase that it ends.

    The second value says whether the phase is over after it; `over`, whether it was so before.
    """
    before: tuple[Finding, ...] = ()
    budget = budget or Budget()
    if isinstance(statement, (st.TurnStart, st.Score)) and not over:
        before = _closed(ctx, position, asked_of, budget).findings
    outcome = judge(ctx, position, statement, asked_of, budget)
    if statement.line in in_force and isinstance(statement, (st.Recover, st.BuildBridge, st.ClearTrail, st.Enter)):
        outcome = _settled(position, statement, replace(outcome, findings=tuple(waive(outcome.findings, in_force))))
    ended = isinstance(statement, st.Score)
    return replace(outcome, findings=(*before, *outcome.findings)), ended


def _played(
    ctx: Context,
    position: Position,
    statements: Iterable[base.Statement],
    asked_of: Asked,
    budget: Budget,
    *,
    in_force: Waivers,
    over: bool,
    waits: frozenset[int],
) -> Iterator[tuple[Context, base.Statement | None, Outcome]]:
    """The steps of some statements from a position on; `over`: the phase that was played there is over."""
    for s in statements:
        # Nobody is held to what he could not tell yet.
        held = replace(ctx, partial=True) if s.line in waits else ctx
        outcome, over = step(held, position, s, asked_of, budget, in_force=in_force, over=over)
        position = outcome.position
        yield ctx.at(position.turn), s, outcome
    if not over and not waits:
        yield ctx.at(position.turn), None, replace(_closed(ctx, position, asked_of, budget), position=position)


def replay(
    scenario: Scenario,
    sheet: st.Sheet,
    *,
    options: Mapping[str, str] | None = None,
    strict: bool = False,
    waivers: Iterable[Waiver] = (),
    before: Judgement | None = None,
    waits: frozenset[int] = frozenset(),
) -> Judgement:
    """Judge a whole sheet. `options` overrule the sheet's; `strict` stops at the first illegal statement.

    `waivers` are those that come from elsewhere than the sheet, `before` is what accounts go on from; `waits` as in
    `Judgement`.
    """
    in_force = by_line((*waivers, *waivers_of(sheet)))
    findings: list[Finding] = []
    moves: list[MoveRecord] = []
    combats: list[CombatRecord] = []
    done: list[ActionRecord] = []
    stopped = False
    budget = Budget()
    earlier = (before.ctx, before.position) if before else None
    played = steps(scenario, sheet, options, budget, in_force=in_force, before=earlier, waits=waits)
    ctx, _, outcome = next(played)
    opened = ctx
    findings += waive(outcome.findings, in_force)
    start = position = outcome.position
    outcomes: list[Outcome] = []
    scenes = {f.line: Scene(position) for f in outcome.findings}
    since = 0
    positions: list[tuple[Position, int]] = []
    kept: list[Outcome] = []
    calls: dict[int, tuple[str, int]] = {}
    for ctx, statement, outcome in played:
        positions.append((position, len(findings)))
        for finding in outcome.findings:
            scenes.setdefault(finding.line, Scene(position, statement, outcome.moves))
        if isinstance(statement, st.TurnStart) and position.turn != outcome.position.turn:
            since = statement.line
        if statement is not None:
            done += actions(position, statement)
            outcomes.append(outcome)
        position = outcome.position
        if scenario.ledger is not None:
            kept.append(outcome)
        if position.phase is not None:
            calls[position.phase.line] = called(ctx, position.phase, "" if position.guesses else position.weather)
        told = waive(outcome.findings, in_force)
        findings += told
        moves += outcome.moves
        combats += outcome.combats
        if strict and any(f.severity == "illegal" for f in told):
            stopped = True
            break
    accounts = _all_of(position, kept) if scenario.ledger is not None else None
    if accounts is not None and not stopped:
        from ..rules.accounts_judging import unused

        findings += unused(ctx, position, sheet, accounts.facts)
    return Judgement(
        ctx=ctx,
        position=position,
        findings=tuple(findings),
        combats=tuple(combats),
        moves=tuple(moves),
        actions=tuple(done),
        scenes=scenes,
        since=since,
        score=victory.score(ctx, position),
        options=ctx.options,
        stopped=stopped,
        before=tuple(positions),
        course=Course(opened, start, tuple(outcomes)),
        calls=calls,
        budget=budget,
        accounts=accounts,
        waits=waits,
    )


def _all_of(position: Position, kept: Sequence[Outcome]) -> Outcome:
    """What came of all lines on accounts: effects, facts, what is not judged."""
    effects = tuple(effect for outcome in kept for effect in outcome.effects)
    facts = frozenset(pair for outcome in kept for pair in outcome.facts)
    unjudged = dict.fromkeys(id_ for outcome in kept for id_ in outcome.unjudged)
    return Outcome(position, effects=effects, facts=facts, unjudged=tuple(unjudged))


def _chosen(ctx: Context, *named: Mapping[int, frozenset[str]]) -> list[frozenset[str]]:
    """What of the units that a sheet names turn by turn rules ask for: who leaves the map in another's place."""
    turns = sorted({turn for substitute in ctx.movement.substitutes for turn in substitute.turns})
    return [found.get(turn, frozenset()) for found in named for turn in turns]


def without(
    sheet: st.Sheet,
    judgement: Judgement,
    left_out: Container[int],
    asked_of: Asked,
    waivers: Iterable[Waiver] = (),
) -> tuple[Finding, ...] | None:
    """What is found on a sheet, whose judgement is known, without the statements of the lines `left_out`.

    Only the findings of which `asked_of` holds are told as a replay of the whole would tell them; of others it is
    not asked what they rest on. It goes on from where the first line is left out, if the sheet's beginning is the
    same without it. None where too little of the judgement's `budget` is left for that.
    """
    in_force = by_line((*waivers, *waivers_of(sheet)))
    kept = [s for s in sheet.statements if s.line not in left_out]
    start = next((i for i, s in enumerate(sheet.statements) if s.line in left_out), len(sheet.statements))
    ctx = judgement.ctx
    lacking = [s for s in sheet.statements[start:] if s.line in left_out]
    alike = all(isinstance(s, base.Play) and not isinstance(s, base.Opening) for s in lacking)
    alike = alike and _chosen(ctx, named_in(kept), named_leaving(kept)) == _chosen(
        ctx, ctx.named, ctx.named_leaving
    )
    if alike and 0 < start < len(judgement.before):
        position, count = judgement.before[start]
        findings = [*judgement.findings[:count]]
        over = isinstance(sheet.statements[start - 1], st.Score)
        rest = kept[start:]
    else:
        ctx, position, opening = open_game(ctx.scenario, replace(sheet, statements=tuple(kept)), judgement.options)
        findings = waive(opening, in_force)
        over, rest = position.phase is not None, kept
    if rest and not judgement.budget.spend(A_LINE * (len(rest) + len(sheet.lines) - rest[0].line)):
        return None
    played = _played(
        ctx, position, rest, asked_of, judgement.budget, in_force=in_force, over=over, waits=judgement.waits
    )
    for _, _, outcome in played:
        findings += waive(outcome.findings, in_force)
    return tuple(findings)


def unseen(
    sheet: st.Sheet,
    judgement: Judgement,
    gone: Mapping[int, Iterable[str]],
    asked_of: Asked,
    waivers: Iterable[Waiver] = (),
) -> tuple[Finding, ...]:
    """What is found on a sheet, whose judgement is known, if units are off the map from below some lines on.

    `gone` names them by those lines; `asked_of` as in `without`.
    """
    in_force = by_line((*waivers, *waivers_of(sheet)))
    ctx, waiting = judgement.ctx, sorted(gone.items())
    start = next((i for i, s in enumerate(sheet.statements) if s.line > waiting[0][0]), len(sheet.statements))
    if not 0 < start < len(judgement.before):
        return judgement.findings
    position, count = judgement.before[start]
    findings = [*judgement.findings[:count]]
    rest: list[base.Statement] = []
    for s in sheet.statements[start:]:
        while waiting and waiting[0][0] < s.line:
            line, units = waiting.pop(0)
            rest.append(statements_head.Put(line, tuple(sorted(units)), "", "off-map", "", ""))
        rest.append(s)
    over = isinstance(sheet.statements[start - 1], st.Score)
    played = _played(
        ctx, position, rest, asked_of, judgement.budget, in_force=in_force, over=over, waits=judgement.waits
    )
    for _, _, outcome in played:
        findings += waive(outcome.findings, in_force)
    return tuple(findings)
