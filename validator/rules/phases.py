"""The sequence of play (section 3): phases open and close, turns begin, air points come (section 6).

Dice that say which side goes first in a turn (`order_die`).

Whether who stands on the map when a sheet begins may be there by then: nobody who has left, or comes later.

How games end: points turn by turn, a side that wins at once, and by how much a game is won.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, Final

from ...scenarios.model import Scenario
from ...scenarios.schema.base import in_turns
from ...scenarios.schema.game import PhaseSpec
from ...scenarios.schema.results import Dice, numbers
from ...scenarios.schema.setup import Level, SuddenEnd
from ...scenarios.text.words import Term
from ..notation import base, statements_head
from ..notation.statements import AirRoll, OrderRoll, TurnStart
from .combat.encirclement import after_phase, crowded
from .combat.tables import FACES
from .context import Context, Outcome
from .duties import faced, owing, unmet
from .findings import Finding
from .ground import HUGE
from .marks import lapsed, unworn
from .move_effects import differ, holder, spec, sworn
from .position import Phase, Position
from .recovery import saved
from .supply import in_other_weather, look_for_supply
from .values import UsedUp
from .victory import score, turn_points
from .weather import contradicted, missing, opening, taken_up, turned
from .withdrawal import begin_turn, freed, overdue


def judge_order(ctx: Context, position: Position, statement: OrderRoll) -> Outcome:
    """`initiative 4`: the dice that say who goes first."""
    line, rule, phase = statement.line, ctx.scenario.game.order_die, position.phase
    if rule is None or phase is None:
        return Outcome(position, (ctx.found(line, "order-no-die"),))
    dice, section = Dice.of(rule.dice), rule.section
    if not dice.shows(statement.faces):
        return Outcome(position, (ctx.found(line, "order-dice", section=section, dice=rule.dice),))
    if phase.first or rule.phase not in ctx.names(phase):
        key = "order-twice" if phase.first else "order-late"
        return Outcome(position, (ctx.found(line, key, section=section),))
    roll = dice.value(statement.faces)
    first = next(side for name, side in rule.shows.items() if roll in numbers(name))
    told = ctx.found(line, "order-given", section=section, severity="info", side=Term("sides", first))
    return Outcome(replace(position, phase=replace(phase, first=first)), (told,))


def undecided(ctx: Context, phase: Phase) -> Iterator[Finding]:
    """A finding at the end of the phase in which nobody threw for who goes first."""
    rule = ctx.scenario.game.order_die
    if rule is not None and rule.phase in ctx.names(phase) and not phase.first:
        yield ctx.found(phase.line, "order-missing", section=rule.section, turn=phase.turn)


def turn_over(ctx: Context, position: Position) -> Position:
    """The position with the points of the turn that is over, and with what is saved for later turns."""
    if ctx.rules.replacements:
        position = replace(position, saved=saved(ctx, position))
    if not any(objective.by_turns for objective in ctx.scenario.victory.objectives):
        return position
    return replace(position, scored=turn_points(ctx, position))


def phase_over(ctx: Context, position: Position, phase: Phase) -> Outcome:
    """Whether the phase before ended the game; that a `phase` begins nevertheless is told once."""
    if position.won:
        return Outcome(position)
    looked_at = [r for r in ctx.scenario.victory.sudden if r.at == "phase" or phase.turn != position.turn]
    rule = next((r for r in looked_at if _holds(ctx, position, r)), None)
    if rule is None:
        return Outcome(position)
    side = Term("sides", rule.side)
    won = ctx.found(phase.line, "won-at-once", section=rule.section, severity="info", side=side)
    on = ctx.found(phase.line, "played-on", severity="warning", side=side)
    return Outcome(replace(position, won=rule.side), (won, on))


def _holds(ctx: Context, position: Position, rule: SuddenEnd) -> bool:
    if not in_turns(rule.turns, position.turn):
        return False
    places = [ctx.ground.place(id_) for id_ in rule.place]
    if not all(places) or any(holder(ctx, position, h) != rule.side for hexes in places for h in hexes):
        return False
    if rule.none_left and any(True for _ in position.on_map(ctx.enemy(rule.side))):
        return False
    points = score(ctx, position)
    mine, theirs = points[rule.side], points[ctx.enemy(rule.side)]
    if rule.points is not None and mine < rule.points:
        return False
    return rule.lead is None or mine - theirs >= rule.lead


def level(scenario: Scenario, points: Mapping[str, int]) -> Level | None:
    """The level of victory by the points of both sides; None where the game has none that fits."""
    sides = [side.id for side in scenario.game.sides]
    for rule in scenario.victory.levels:
        for side in [rule.measured] if rule.measured else sides:
            mine = points.get(side, 0)
            theirs = sum(points.get(other, 0) for other in sides if other != side)
            if _reaches(rule, mine, theirs):
                return rule
    return None


def _reaches(rule: Level, mine: int, theirs: int) -> bool:
    if rule.by == "points":
        return mine >= rule.least
    if rule.by == "lead":
        return mine - theirs >= rule.least
    return mine >= rule.least * theirs and mine > 0


def next_phase(ctx: Context, phase: Phase, weather: str = "") -> Phase | None:
    """The phase that follows one in the sequence of play; None after the last of the game."""
    return next(iter(_following(ctx, phase, weather)), None)


def _following(ctx: Context, phase: Phase, weather: str = "") -> list[Phase]:
    """The phases that may follow one: several where a side has more than one phase of its kind in a turn.

    Behind them stand those that the turn or its weather leaves out: to announce them does no harm.
    """
    game, found, left_out = ctx.scenario.game, list[Phase](), list[Phase]()
    places = phase.places or _places(ctx, phase) or (-1,)
    for order, place in product(game.orders(phase.turn, phase.first), places):
        begun = order.index(place) if place >= 0 else -1
        for steps in range(1, len(order) + 1):
            more, at = divmod(begun + steps, len(order))
            turn, index = phase.turn + more, at if more else order[at]
            if turn > game.turns.last:
                break
            spec = game.sequence[index]
            first = "" if more else phase.first
            one = Phase(turn, spec.side, spec.phase, places=(index,), first=first, name=spec.id or "")
            if spec.played(turn, weather):
                found.append(one)
                break
            left_out.append(one)
    return found + left_out


def _places(ctx: Context, phase: Phase, weather: str = "") -> tuple[int, ...]:
    """Where the sequence of play has phases of a side and kind, or id, first of all in its turn and weather."""
    sequence = enumerate(ctx.scenario.game.sequence)
    alike = [(i, p.played(phase.turn, weather)) for i, p in sequence if _is(p, phase)]
    return tuple(i for i, played in alike if played) or tuple(i for i, _ in alike)


def _is(spec: PhaseSpec, phase: Phase) -> bool:
    """Whether a phase of the sequence of play is of a phase's side and kind, and has the id if that has one."""
    return (spec.side, spec.phase) == (phase.side, phase.kind) and phase.name in ("", spec.id)


def alike(ctx: Context, phase: Phase, weather: str = "") -> tuple[int, ...]:
    """Where the sequence of play has the phases of a side and kind that a turn has, as they are counted."""
    game = ctx.scenario.game
    counted = game.counted(phase.side, phase.kind, phase.turn, weather or ctx.scenario.weather(phase.turn))
    return tuple(i for i in counted if _is(game.sequence[i], phase))


def called(ctx: Context, phase: Phase, weather: str = "") -> tuple[str, int]:
    """What a phase is called, by its id or its kind, and which of its side's of that kind in the turn it is.

    That counts from 1 on; it is 0 if the phase is alone, or has an id, or nobody knows which it is.
    """
    if len(phase.places) != 1 or (name := ctx.names(phase)[-1]) == phase.kind:
        known = alike(ctx, replace(phase, name=""), weather)
        sure = len(known) > 1 and len(phase.places) == 1 and phase.places[0] in known
        return phase.kind, known.index(phase.places[0]) + 1 if sure else 0
    return name, 0


def ended(ctx: Context, told: tuple[int, str, str, int], weather: str = "") -> Phase:
    """A phase that is over before the sheet begins, as its position has it: by its kind or its id.

    Turn, side and word, and which of several of its kind in the turn it is, 0 if that is not said.
    """
    turn, side, word, which = told
    kind = next((p.phase for p in ctx.scenario.game.sequence if p.id == word), "")
    phase = Phase(turn, side, kind or word, name=word if kind else "")
    known = alike(ctx, phase, weather)
    return replace(phase, places=known[which - 1 : which] if which else _places(ctx, phase, weather))


def no_such_number(ctx: Context, phase: Phase, which: int, weather: str) -> list[Finding]:
    """What is said of a phase that is over if a position counts it beyond those of its kind in the turn."""
    many = len(alike(ctx, phase, weather))
    if which <= many:
        return []
    return [
        ctx.found(
            phase.line, "phase-number", severity="unread", declared=which, computed=many, **_phase_words(phase)
        )
    ]


def _opens(ctx: Context, following: Phase, phase: Phase) -> bool:
    """Whether a phase that follows is the one that a sheet announces."""
    return following.turn == phase.turn and _is(ctx.scenario.game.sequence[following.places[0]], phase)


def _placed(ctx: Context, before: Phase | None, phase: Phase, weather: str) -> Phase:
    """The phase with the places in the sequence that it may have after the one before it."""
    expected = _following(ctx, before, weather) if before is not None else []
    fitting = [w for w in expected if _opens(ctx, w, phase)]
    sequence = ctx.scenario.game.sequence
    places = tuple(place for w in fitting for place in w.places)
    places = tuple(p for p in places if sequence[p].played(phase.turn, weather)) or places
    first = before.first if before is not None and before.turn == phase.turn else ""
    phase = replace(phase, places=places or _places(ctx, phase, weather), first=first)
    return replace(phase, places=phase.places[:1]) if _opens_game(ctx, before, phase) else _settled(ctx, phase)


def _settled(ctx: Context, phase: Phase) -> Phase:
    """The phase in those of its places that most of the phases announced after it can follow."""
    if not differ(ctx, phase):
        return phase
    later = [one for one in ctx.announced if one.line > phase.line]
    kept = {place: _going_on(ctx, replace(phase, places=(place,)), later) for place in phase.places}
    most = max(kept.values())
    return replace(phase, places=tuple(place for place, count in kept.items() if count == most))


def _going_on(ctx: Context, phase: Phase, later: Iterable[Phase]) -> int:
    """How many of the phases announced after one can follow it, each the one before."""
    for count, one in enumerate(later):
        following = _following(ctx, phase)
        places = [p for w in following if _opens(ctx, w, one) for p in w.places]
        if not places:
            return count
        phase = replace(one, places=tuple(places))
    return HUGE


def open_phase(ctx: Context, position: Position, statement: TurnStart) -> Outcome:
    """`turn`: the next phase begins, and with the first phase of a turn the turn."""
    line = statement.line
    announced = Phase(statement.number, statement.side, statement.phase, line, name=statement.name)
    first = replace(announced, places=_places(ctx, announced))
    weather = ctx.weather(position) if position.phase else opening(ctx, position, first)
    phase = _placed(ctx, position.phase, announced, weather)
    findings = _in_sequence(ctx, position, phase)
    if phase.side not in position.boards:
        return Outcome(position, tuple(findings))
    old = position.phase
    if old is not None:
        outcome = phase_over(ctx, position, phase)
        position, findings = outcome.position, [*findings, *outcome.findings]
    position = lapsed(ctx, position, old, "end")
    new_turn = old is None or old.turn != phase.turn
    if old is not None and not new_turn and old.side in position.boards:
        position = position.noted(crowded=crowded(ctx, position, old))
    position = turn_over(ctx, position) if new_turn and old is not None else position
    if old is None:
        findings += contradicted(ctx, position, phase)
    if new_turn:
        position, told = sworn(ctx, _new_turn(ctx, position, phase), line)
        findings += told
        if old is None:
            late = overdue(ctx, position, line, phase.turn, begun=not is_first(ctx, phase))
            position, findings = late.position, [*findings, *late.findings]
        if old is not None or is_first(ctx, phase):
            outcome = begin_turn(ctx, position, line, phase.turn)
            position, findings = outcome.position, [*findings, *outcome.findings]
    outcome = freed(ctx, position, line, phase.turn)
    position, findings = outcome.position, [*findings, *outcome.findings]
    if differ(ctx, phase):
        findings.append(ctx.found(line, "phase-which", severity="info"))
    if position.guesses and ctx.announced and line == ctx.announced[0].line:
        findings.append(
            ctx.found(line, "weather-which", severity="info", weather=Term("weather", position.weather))
        )
    position = replace(position, phase=phase, ledger=position.ledger.next_phase())
    if phase.kind == "movement" or old is None:
        position = _begin(ctx, position, phase, old)
    elif not old.line:
        position = _stayed(position, phase)
    position = lapsed(ctx, position, phase, "start")
    outcome = look_for_supply(ctx, position, phase)
    if position.guesses:
        marked_in = in_other_weather(ctx, position, outcome.position, phase)
        outcome = replace(outcome, position=replace(outcome.position, marked_in=marked_in))
    position, findings = outcome.position, [*findings, *outcome.findings]
    if phase.kind == "combat":
        zone, at = position.zoc_against(phase.side), position.boards[phase.side].at
        engaged = frozenset(u for h, ids in at.items() if h in zone for u in ids)
        position = position.noted(engaged=engaged)
        views = [replace(position, phase=replace(phase, places=(place,))) for place in phase.places] or [position]
        owed = {duty.unit: duty for view in views for duty in owing(ctx, view, phase.side)}
        met = [faced(ctx, view, phase.side) for view in views]
        anywhere = {hex_: units for there in met for hex_, units in there.items()}
        unsure = frozenset(hex_ for hex_ in anywhere if not all(hex_ in there for there in met))
        position = position.noted(owing=tuple(owed.values()), faced=anywhere, unsure=unsure)
    return Outcome(position, tuple(findings))


def is_first(ctx: Context, phase: Phase) -> bool:
    """Whether a turn begins with a phase."""
    before = ctx.scenario.game.sequence[: min(phase.places, default=len(ctx.scenario.game.sequence))]
    return bool(phase.places) and not any(spec.played(phase.turn) for spec in before)


def _opens_game(ctx: Context, before: Phase | None, phase: Phase) -> bool:
    """Whether a game begins with a phase, which then can be no other than the first of its kind."""
    return before is None and is_first(ctx, phase) and phase.turn == ctx.scenario.game.turns.first


_NO_PHASE: Final[Mapping[str, Any]] = {"turn": "-", "side": "-", "kind": "-"}


def _phase_words(phase: Phase) -> Mapping[str, Any]:
    return {"turn": phase.turn, "side": Term("sides", phase.side), "kind": Term("phases", phase.name or phase.kind)}


def _in_sequence(ctx: Context, position: Position, phase: Phase) -> list[Finding]:
    game = ctx.scenario.game
    if not phase.places or not game.turns.first <= phase.turn <= game.turns.last:
        return [ctx.found(phase.line, "no-such-phase", **_phase_words(phase))]
    if position.phase is None:
        return []
    expected = _following(ctx, position.phase, ctx.weather(position))
    if any(_opens(ctx, w, phase) for w in expected):
        return [_maybe_again(ctx, position.phase, phase)] if _again(ctx, position, phase) else []
    wanted = next(iter(expected), None)
    return [
        ctx.found(
            phase.line,
            "sequence",
            declared=tuple(_phase_words(phase).values()),
            computed=tuple(_phase_words(wanted).values()) if wanted else None,
            **_phase_words(phase),
            **{f"want_{name}": value for name, value in (_phase_words(wanted) if wanted else _NO_PHASE).items()},
        )
    ]


def _again(ctx: Context, position: Position, phase: Phase) -> bool:
    """Whether a phase may have been played before the sheet began, which does not say which phase is over."""
    over = position.phase
    if over is None or over.line or len(over.places) < 2 or over.turn != phase.turn:
        return False
    orders = ctx.scenario.game.orders(over.turn, over.first)
    for place in over.places:
        following = _following(ctx, replace(over, places=(place,)), ctx.weather(position))
        follows = any(_opens(ctx, w, phase) for w in following)
        if not follows and any(o.index(one) <= o.index(place) for o in orders for one in alike(ctx, phase)):
            return True
    return False


def _maybe_again(ctx: Context, over: Phase, phase: Phase) -> Finding:
    many = len(alike(ctx, over))
    which: Mapping[str, Any] = {
        "over_side": Term("sides", over.side),
        "over_kind": Term("phases", over.name or over.kind),
        "many": many,
    }
    return ctx.found(phase.line, "phase-again", severity="warning", **_phase_words(phase), **which)


def _new_turn(ctx: Context, position: Position, phase: Phase) -> Position:
    given = position.phase is None and position.air
    rule = ctx.rules.combat.air
    air = position.air
    if rule is not None and not given:
        air = {rule.side: air_points(ctx, phase.turn)}
    transit = ctx.movement.transit
    if transit is not None and phase.turn > transit.last_turn:
        for u, state in position.units.items():
            if transit.mark in state.marks:
                position = position.unmark(u, transit.mark)
    # A sheet that begins in the middle of a turn, or of its first phase, may say what was done in it before.
    known = position.ledger if position.phase is None else UsedUp()
    if position.phase is None and not _opens_game(ctx, None, phase):
        position = taken_up(ctx, position, phase)
    position = turned(ctx, position, phase.turn)
    whole = position.phase is not None or is_first(ctx, phase)
    known = replace(known, held={**position.control, **known.held}, whole=whole)
    return replace(position, air=air, ledger=known)


def air_points(ctx: Context, turn: int, die: int | None = None) -> int:
    """Air points of a turn; where a die decides, those that a face gives (none before it is thrown)."""
    for row in ctx.scenario.tables.air:
        if row.turns is not None and in_turns(row.turns, turn):
            return row.points
        if row.die is not None and die is not None and row.die[0] <= die <= row.die[1]:
            return row.points
    return 0


def _begin(ctx: Context, position: Position, phase: Phase, old: Phase | None) -> Position:
    """Wipe what a side's units did in their last phase; note who moved in the turn, and who begins engaged."""
    zone, limits = position.zoc_against(phase.side), spec(ctx, phase)
    # Where who moved before matters, a sheet that begins with the phase tells of an earlier one.
    told = old is None and limits is not None and limits.before != "any" and phase.kind == "movement"
    earlier = told or (old is not None and old.turn == phase.turn)
    units, went = dict(position.units), position.ledger.went
    for hex_, ids in position.boards[phase.side].at.items():
        for u in ids:
            state = units[u]
            went = went | {u} if earlier and state.moved else went
            said = old is None and not told
            moved, rode = said and state.moved, said and state.rode
            units[u] = replace(state, moved=moved, rode=rode, began_engaged=hex_ in zone, start=hex_)
    for u, state in position.units.items() if old is not None else ():
        # Who has left the map since, or was lost, has not moved in this phase either.
        if state.moved and state.hex is None and position.roster[u].side == phase.side:
            units[u] = replace(state, moved=False)
    trails = position.ledger.trails
    if phase.kind == "movement":
        others = {
            u: trail for u, trail in trails.items() if u not in units or position.roster[u].side != phase.side
        }
        trails = {**others, phase.side: ()}
    return replace(position, units=units).noted(went=went, trails=trails)


def _stayed(position: Position, phase: Phase) -> Position:
    """Who has begun engaged of a side that moved before the sheet began: whoever stands so, unmoved."""
    zone, units = position.zoc_against(phase.side), dict(position.units)
    for hex_, ids in position.boards[phase.side].at.items():
        units |= {u: replace(units[u], began_engaged=hex_ in zone and not units[u].moved) for u in ids}
    return replace(position, units=units)


def close_phase(ctx: Context, position: Position) -> list[Finding]:
    """What the phase that ends here has left undone."""
    phase = position.phase
    if phase is None:
        return []
    found = list(after_phase(ctx, position, phase)) if phase.side in position.boards else []
    if ctx.partial or not phase.line:  # what was over before the sheet began is nobody's to make good in it
        return found
    found += unworn(ctx, position, phase)
    if phase.kind == "combat":
        return [*found, *unmet(ctx, position), *missing(ctx, position, phase)]
    found += [*missing(ctx, position, phase), *undecided(ctx, phase)]
    dice = any(row.die is not None for row in ctx.scenario.tables.air)
    if dice and is_first(ctx, phase) and not position.ledger.rolled:
        found.append(ctx.found(phase.line, "air-die-missing", turn=phase.turn))
    return found


def judge_air_roll(ctx: Context, position: Position, statement: AirRoll) -> Outcome:
    """`airroll`: the die that gives the turn's air points, thrown before anybody moves."""
    find = partial(ctx.found, statement.line, declared=statement.roll, roll=statement.roll)
    rule = ctx.rules.combat.air
    if rule is None or not any(row.die is not None for row in ctx.scenario.tables.air):
        return Outcome(position, (find("no-air-die"),))
    found = []
    phase = position.phase
    if statement.roll not in FACES:
        found.append(find("die"))
    if position.ledger.rolled:
        found.append(find("air-die-twice"))
    elif phase is None or not is_first(ctx, phase) or position.ledger.acted:
        found.append(find("air-die-late"))
    points = air_points(ctx, position.turn, statement.roll)
    return Outcome(replace(position, air={rule.side: points}).noted(rolled=True), tuple(found))


def out_of_time(
    ctx: Context, position: Position, builds: Iterable[base.Statement], *, over: bool
) -> Iterator[Finding]:
    """Warnings on units of the game's own whom a position puts on the map before their turn, or after their last.

    `over`: the phase that the position has has been played. What a position says holds all the same.
    """
    opened = position.phase if over else next(iter(ctx.announced), None)
    if opened is None:
        return
    own = ctx.units.keys() - ctx.declared
    opened = replace(ended(ctx, (opened.turn, opened.side, opened.name or opened.kind, 0)), line=opened.line)
    for build in builds:
        if isinstance(build, statements_head.Placement) and build.unit in own and position.hex_of(build.unit):
            yield from _early(ctx, build, opened)
            yield from _late(ctx, build, opened, begun=over or not is_first(ctx, opened))


def _early(ctx: Context, build: statements_head.Placement, opened: Phase) -> Iterator[Finding]:
    own = ctx.units[build.unit].counters
    lines = [r for r in ctx.scenario.setup.reinforcements if own & set(r.units)]
    at_start = any(own & set(r.units) for r in ctx.scenario.setup.at_start)
    first = min(lines, key=lambda r: r.turn, default=None)
    if first is not None and not at_start and first.turn > opened.turn and build.unit not in ctx.due:
        yield ctx.found(
            build.line, "placed-early", section=first.section, severity="warning", units=(build.unit,),
            unit=build.unit, turn=first.turn,
        )  # fmt: skip


def _late(ctx: Context, build: statements_head.Placement, opened: Phase, *, begun: bool) -> Iterator[Finding]:
    """Where others may go in a unit's place, or the encircled wait, who is left may be right to be there."""
    if ctx.movement.withdrawals_wait or ctx.movement.substitutes:
        return
    own, last = ctx.units[build.unit].counters, opened.turn if begun else opened.turn - 1
    for rule in ctx.scenario.setup.withdrawals:
        back = rule.returns_turn is not None and rule.returns_turn <= opened.turn
        if own and own <= set(rule.units) and rule.turn <= last and not back:
            yield ctx.found(
                build.line, "placed-withdrawn", section=rule.section, severity="warning", units=(build.unit,),
                unit=build.unit, turn=rule.turn,
            )  # fmt: skip
            return
