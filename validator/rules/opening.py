"""The position before the first turn: the scenario's own set-up, or the one that a sheet describes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from ...scenarios.console import alike
from ...scenarios.model import Scenario
from ...scenarios.text.hexgrid import Hex, side
from ...scenarios.text.words import SOURCE, message
from ..notation import base, statements_head
from ..notation import statements as st
from ..notation.vocabulary import notation, vocabulary_of
from . import engineering, recovery
from .arrival import schedule
from .board import lay_ground
from .combat.participants import reveal
from .context import Context
from .findings import Finding, Severity
from .move_effects import spanned, unknown_hexes
from .phases import ended, no_such_number, out_of_time
from .position import GARRISON, IN_POOL, REINFORCEMENT, RELEASED, Departure, Phase, Position
from .roster import fits, roster
from .rulings import off_map
from .setup import judge as judge_setup
from .setup import printed, with_a_choice
from .weather import contradicted, taken_up
from .withdrawal import repeats_in

_STOCKS: Final = {"offboard": "offboard", "clearing": "attempts"}
"""Stocks of the notation that are counted, and where the ledger counts them."""
_MARKS = ("mark", "marks", "barred_marks", "bears", "flag", "passed", "silenced_by", "exempt_marks")
"""Keys of the rules, phases and results under which marks of units stand."""
_BUILDS = (
    statements_head.Placement,
    statements_head.MarkerPlacement,
    statements_head.AirPoints,
    statements_head.ClearedTrail,
    statements_head.Control,
    statements_head.UnitStatus,
    statements_head.LostUnit,
    statements_head.LeftMap,
    statements_head.Gone,
    statements_head.Used,
    statements_head.Held,
    statements_head.WeatherNow,
    statements_head.Revealed,
    statements_head.Scored,
    statements_head.Saved,
)


def options_in_force(
    scenario: Scenario, statements: Iterable[base.Statement], given: Mapping[str, str]
) -> tuple[dict[str, str], list[tuple[int, str, str]]]:
    """Every option with its value: the scenario's default, the sheet's, the caller's; and lines that name none."""
    known = scenario.game.options
    values = {name: option.default for name, option in known.items()}
    bad = []
    for s in statements:
        if isinstance(s, statements_head.OptionSetting):
            if s.name in known and s.value in known[s.name].choices:
                values[s.name] = s.value
            else:
                bad.append((s.line, s.name, s.value))
    return values | dict(given), bad


def open_game(
    scenario: Scenario, sheet: st.Sheet, options: Mapping[str, str], before: tuple[Context, Position] | None = None
) -> tuple[Context, Position, list[Finding]]:
    """Context and first position of a sheet, with findings on whatever in them cannot be.

    `before` are those at the end of a sheet that its accounts go on from.
    """
    statements = sheet.statements
    values, bad = options_in_force(scenario, statements, options)
    ground, findings = lay_ground(scenario, statements, values)
    declared = [
        _taken(scenario, s)
        for s in statements
        if isinstance(s, statements_head.UnitDefinition) and _on_a_side(scenario, s)
    ]
    beside = _beside(scenario, statements)
    units = roster(scenario, declared, beside=beside)
    ctx = Context(
        scenario=scenario,
        ground=ground,
        units=units,
        options=values,
        partial=any(isinstance(s, statements_head.Partial) for s in statements),
        declared=frozenset(s.unit for s in declared),
        beside=beside,
        due={s.unit: (s.turn, s.edge or "") for s in statements if isinstance(s, statements_head.Due)},
        announced=tuple(
            Phase(s.number, s.side, s.phase, s.line, name=s.name) for s in statements if isinstance(s, st.TurnStart)
        ),
        named=named_in(statements),
        named_leaving=named_leaving(statements),
        repeats=repeats_in(statements),
    ).at(_first_turn(statements))
    findings += [
        ctx.found(line, "unknown-option", declared=value, name=name, value=value) for line, name, value in bad
    ]
    position = Position.empty(ground.map.grid, ctx.units, ctx.sides, ctx.reach())
    if scenario.ledger is not None:
        from .accounts_judging import opened

        settings = (s for s in statements if isinstance(s, statements_head.OptionSetting))
        chosen = {*options, *(s.name for s in settings if s.line not in {line for line, _, _ in bad})}
        ctx, position, more = opened(ctx, position, statements, chosen, before)
        return ctx, position, [*findings, *more]
    own = any(
        isinstance(
            s, (*_BUILDS, statements_head.PositionStart, statements_head.SetupStart, statements_head.UnitDefinition)
        )
        for s in statements
    )
    if beside or not own:
        position = _at_start(scenario, position, _placed(statements))
    for u in (u for pool in scenario.setup.pool for u in pool.units if u in position.units):
        position = position.set(u, where="eliminated", step="eliminated", died=IN_POOL)
    position = _weak(ctx, position, statements, printed=beside or not own)
    # Placements come first, for a status may stand before or after the line that places its unit.
    builds = [s for s in statements if isinstance(s, _BUILDS)]
    for build in sorted(builds, key=lambda s: not isinstance(s, statements_head.Placement)):
        position, more = _build(ctx, position, build)
        findings += more
    for due in (s for s in statements if isinstance(s, statements_head.Due)):
        position, more = _due(ctx, position, due)
        findings += more
    line, after = next(
        ((s.line, s.after) for s in statements if isinstance(s, statements_head.PositionStart) and s.after),
        (0, None),
    )
    told = (
        {
            s.unit
            for s in builds
            if isinstance(s, statements_head.Placement | statements_head.UnitStatus | statements_head.Gone)
        }
        if after
        else set()
    )
    position = _settled(ctx, position, told)
    if after is not None:
        if not any(isinstance(s, statements_head.Held | statements_head.Continues) for s in statements):
            # Who writes by hand who holds a place says no more of it; `validator position` tells both.
            position = position.noted(
                held={s.hex: s.side for s in builds if isinstance(s, statements_head.Control)}
            )
        leading = next((s.side for s in statements if isinstance(s, statements_head.Leading)), "")
        phase = replace(ended(ctx, after, position.weather), first=leading)
        findings += no_such_number(ctx, replace(phase, line=line), after[-1], position.weather)
        findings += contradicted(ctx, position, phase, over=True)
        position = taken_up(ctx, replace(position, phase=phase), phase, over=True)
    if ctx.movement.recovery:
        # Who stands next to the enemy as the sheet begins has not come there in it.
        position = position.noted(contacts=position.ledger.contacts.union(position.all_engaged()))
    findings += [*_judge_setup(ctx, statements), *out_of_time(ctx, position, builds, over=after is not None)]
    unset = _unset(ctx, position, builds, printed=beside or not own)
    return ctx.begun(_start(position, statements), unset, _first_turn(statements)), position, findings


def _unset(ctx: Context, position: Position, builds: Iterable[base.Statement], *, printed: bool) -> frozenset[str]:
    """The units that nobody has set up: of those with a choice if the printed set-up stands, else as it is said."""
    fates = {s.unit: s.fate for s in builds if isinstance(s, statements_head.Gone)}
    free = (with_a_choice(ctx.scenario) - fates.keys() if printed else set()) | {
        u for u, fate in fates.items() if fate == "unset" and u in ctx.units
    }
    return frozenset(u for u in free if ctx.plays(u) and position.units[u].where == "absent")


def _first_turn(statements: Iterable[base.Statement]) -> int:
    """The turn whose position a sheet begins with; 0 where it tells none."""
    for s in statements:
        if isinstance(s, statements_head.PositionStart) and s.after:
            return s.after[0]
        if isinstance(s, st.TurnStart):
            return s.number
    return 0


def _start(position: Position, statements: Iterable[base.Statement]) -> dict[str, frozenset[Hex]]:
    """Where each side stood when the game began: here, unless the sheet goes on from another and says it."""
    told: dict[str, frozenset[Hex]] = {}
    for s in statements:
        if isinstance(s, statements_head.Stood):
            told[s.side] = told.get(s.side, frozenset()) | set(s.hexes)
    return {name: told.get(name, frozenset(() if told else board.at)) for name, board in position.boards.items()}


def named_in(statements: Iterable[base.Statement]) -> dict[int, frozenset[str]]:
    """Turn -> units that a sheet names in it, but for those that it has leave the map or lays there."""
    return _units_by_turn(s for s in statements if not isinstance(s, (st.Exit, st.Found)))


def named_leaving(statements: Iterable[base.Statement]) -> dict[int, frozenset[str]]:
    """Turn -> units that a sheet has leave the map in it."""
    return _units_by_turn(s for s in statements if isinstance(s, (st.TurnStart, st.Exit)))


def _units_by_turn(statements: Iterable[base.Statement]) -> dict[int, frozenset[str]]:
    """Turn -> units that the statements of the turn name."""
    found: dict[int, set[str]] = {}
    turn: set[str] = set()
    for s in statements:
        if isinstance(s, st.TurnStart):
            turn = found.setdefault(s.number, set())
        if isinstance(s, base.Ruling):
            continue
        parts: tuple[base.Statement, ...] = (s, *s.acts) if isinstance(s, st.Engagement) else (s,)
        for part in parts:
            turn.update(getattr(part, "units", ()))
            turn.update(filter(None, (getattr(part, "unit", ""),)))
    return {number: frozenset(ids) for number, ids in found.items()}


def _on_a_side(scenario: Scenario, unit: statements_head.UnitDefinition) -> bool:
    return unit.side in {side.id for side in scenario.game.sides}


def _taken(scenario: Scenario, unit: statements_head.UnitDefinition) -> statements_head.UnitDefinition:
    """A unit as the sheet declares it; one whose type is misspelt, which the reader has said, as of the nearest."""
    types = scenario.game.unit_types
    if unit.type in types:
        return unit
    near = alike(unit.type, types) or list(types)[:1]
    return replace(unit, type=near[0])


def _judge_setup(ctx: Context, statements: Iterable[base.Statement]) -> list[Finding]:
    """Findings on the placements that stand under `setup`; those under `position` are taken as they are."""
    placements: list[statements_head.Placement] = []
    line, open_ = 0, False
    for s in statements:
        if isinstance(s, statements_head.PositionStart | statements_head.SetupStart):
            open_ = isinstance(s, statements_head.SetupStart)
            line = s.line if open_ else line
        elif isinstance(s, statements_head.Placement) and open_:
            placements.append(s)
    if not placements:
        return []
    named = _placed(statements)
    fixed = [
        statements_head.Placement(line, u, hex_)
        for u, hex_ in printed(ctx.scenario)
        if ctx.beside and u not in named
    ]
    return judge_setup(ctx, placements, line, fixed)


def _placed(statements: Iterable[base.Statement]) -> frozenset[str]:
    """The units of which a sheet says itself where they are."""
    return frozenset(s.unit for s in statements if isinstance(s, statements_head.Placement | statements_head.Gone))


def _beside(scenario: Scenario, statements: Sequence[base.Statement]) -> bool:
    """Whether the rulebook's set-up stands beside what a sheet says of units and places.

    It does where the sheet says so; where its `setup` places none but units that the rulebook leaves a choice; and
    where its `unit` lines are all that it says, and correct counters or leave it to counters to be moved.
    """
    starts = [s for s in statements if isinstance(s, statements_head.PositionStart | statements_head.SetupStart)]
    if starts:
        if any(s.printed for s in starts):
            return True
        free = with_a_choice(scenario)
        return (
            all(isinstance(s, statements_head.SetupStart) for s in starts)
            and bool(_placed(statements))
            and (_placed(statements) <= free)
        )
    declared = {s.unit for s in statements if isinstance(s, statements_head.UnitDefinition)}
    if not declared or any(isinstance(s, statements_head.MapBlank) for s in statements):
        return False
    named = {u for units in _units_by_turn(statements).values() for u in units} - declared
    return not (declared | named).isdisjoint(scenario.counters)


def _at_start(scenario: Scenario, position: Position, but: Collection[str] = ()) -> Position:
    """The units whose hex the rulebook prints, if the map has it; those with a choice wait for a `setup`."""
    for u, hex_ in printed(scenario):
        if hex_ in position.grid and u not in but:
            position = position.put(u, hex_)
    return position


def _weak(ctx: Context, position: Position, statements: Iterable[base.Statement], *, printed: bool) -> Position:
    """The units that begin with steps lost: whom the rulebook or a `setup` places, and who is to come.

    In a `position` each line says itself what its unit has lost.
    """
    told = {s.unit for s, made in _begun(statements) if not made}
    made = {s.unit for s, made in _begun(statements) if made}
    due = {u for line in ctx.scenario.setup.reinforcements for u in line.units}
    for u, lost in ctx.scenario.setup.weak.items():
        if u in position.units and u not in told and (printed or u in made or u in due):
            position = position.set(u, step=ctx.units[u].at_loss(lost))
    return position


def _begun(statements: Iterable[base.Statement]) -> Iterator[tuple[statements_head.Placement, bool]]:
    """Every placement of a sheet, and whether it belongs to a set-up."""
    made = False
    for s in statements:
        if isinstance(s, statements_head.PositionStart | statements_head.SetupStart):
            made = isinstance(s, statements_head.SetupStart)
        elif isinstance(s, statements_head.Placement):
            yield s, made


def _settled(ctx: Context, position: Position, told: Collection[str] = ()) -> Position:
    """What follows for units from who they are: reinforcements that wait, garrisons at their posts.

    Of units in `told` the sheet says itself how they stand in the course of the game.
    """
    changed: dict[str, dict[str, Any]] = {}
    for u, state in position.units.items():
        unit = ctx.units[u]
        marks = set(state.marks)
        if schedule(ctx, unit) is not None:
            marks.add(REINFORCEMENT)
        for rule in ctx.movement.garrisons if u not in told else ():
            if fits(rule, unit, state) and state.hex in rule.hexes and RELEASED not in marks:
                marks.add(GARRISON)
        if RELEASED in marks:
            marks.discard(GARRISON)
        waits = REINFORCEMENT in marks and state.hex is None and state.where == "absent" and u not in told
        changes: dict[str, Any] = {"marks": frozenset(marks)} if marks != state.marks else {}
        if waits and ctx.plays(u):
            changes["where"] = "due"
        if changes:
            changed[u] = changes
    return position.set_each(changed)


def _build(ctx: Context, position: Position, s: base.Statement) -> tuple[Position, list[Finding]]:
    match s:
        case statements_head.Placement():
            return _place(ctx, position, s)
        case statements_head.UnitStatus():
            return _status(ctx, position, s)
        case statements_head.MarkerPlacement():
            bad = unknown_hexes(ctx, s.line, s.side or (s.hex or "",))
            if s.kind == "bridge" and s.side is not None and not bad:
                return spanned(ctx, position, position.bridges | {side(*s.side)}), []
            if s.kind == "bridge" and not bad:
                # It spans a hexside, and nobody knows which one was meant.
                return position, [_idle(ctx, s.line, "unknown-marker", s.kind, severity="unread")]
            return position, bad or [_misspelt(ctx, _idle(ctx, s.line, "unknown-marker", s.kind), "markers")]
        case statements_head.AirPoints():
            return replace(position, air={**position.air, s.side: s.points}), []
        case statements_head.ClearedTrail():
            bad = unknown_hexes(ctx, s.line, (s.hex,))
            return replace(position, cleared=position.cleared | ({s.hex} if not bad else set())), bad
        case statements_head.Control():
            bad = unknown_hexes(ctx, s.line, (s.hex,))
            return (position if bad else position.held(s.side, (s.hex,))), bad
        case statements_head.Gone():
            return _gone(ctx, position, s)
        case statements_head.Used(stock="airroll"):
            return position.noted(rolled=s.count > 0), []
        case statements_head.Revealed():
            turned = reveal(ctx, position, (s,))
            return turned.position, list(turned.findings)
        case statements_head.Scored():
            return replace(position, scored={**position.scored, s.side: s.points}), []
        case statements_head.Saved():
            stocks = {**position.saved, s.side: (*position.saved.get(s.side, ()), s.points)}
            return replace(position, saved=stocks), []
        case statements_head.WeatherNow():
            known = s.weather in ctx.scenario.game.weathers
            # Where dice decide, whoever reads the line has told it.
            told = known or ctx.scenario.game.weather_die is not None
            bad = [] if told else [_misspelt(ctx, _idle(ctx, s.line, "unknown-weather", s.weather), "weather")]
            if known and s.area in ctx.scenario.game.climates:
                return replace(position, skies=(*position.skies, (s.area, s.weather))), bad
            if s.area:
                return position, [*bad, _idle(ctx, s.line, "unknown-climate", s.area)]
            return (replace(position, weather=s.weather) if known else position), bad
        case statements_head.Used(stock="weather"):
            return position.noted(weathered=s.count > 0), []
        case statements_head.Used(stock="march" | "rail" | "arrivals"):
            return _carried(ctx, position, s)
        case statements_head.Used():
            return position.noted(**{_STOCKS[s.stock]: s.count}), []
        case statements_head.Held():
            bad = unknown_hexes(ctx, s.line, s.hexes)
            return position.noted(held={**position.ledger.held, **dict.fromkeys(s.hexes, s.side)}), bad
        case statements_head.LostUnit():
            lost = (s.side, s.type, s.attack, s.defence, s.move)
            return replace(position, lost=(*position.lost, lost)), []
        case statements_head.LeftMap():
            return replace(position, gone=(*position.gone, (s.side, s.formation, s.edge, s.turn))), []
    return position, []


def _carried(ctx: Context, position: Position, s: statements_head.Used) -> tuple[Position, list[Finding]]:
    """What has gone in the turn by a march, or by rail: by the first of the game's rules, or the one named."""
    railway = ctx.movement.railway
    by_rail = railway.uses if railway is not None else ()
    stocks = {"march": ctx.movement.marches, "rail": by_rail, "arrivals": ctx.scenario.setup.reinforcements}
    rules: Sequence[object] = stocks[s.stock]
    which = s.by or 1
    if which > len(rules):
        return position, [_idle(ctx, s.line, "unknown-stock", f"{s.stock} {which}")]
    name = {"march": "marched", "rail": "ridden"}.get(s.stock, s.stock)
    return position.noted(**{name: {**getattr(position.ledger, name), which - 1: s.count}}), []


def _unknown(ctx: Context, line: int, unit: str) -> list[Finding]:
    return [ctx.found(line, "unknown-unit", section=ctx.sections.map, units=(unit,), unit=unit)]


def _place(ctx: Context, position: Position, s: statements_head.Placement) -> tuple[Position, list[Finding]]:
    if s.unit not in ctx.units:
        return position, _unknown(ctx, s.line, s.unit)
    bad = unknown_hexes(ctx, s.line, (s.hex,))
    if bad:
        return position, bad
    twice = []
    if position.hex_of(s.unit) is not None:
        twice = [ctx.found(s.line, "placed-twice", units=(s.unit,), unit=s.unit)]
    position = position.put(s.unit, s.hex)
    if not s.reduced:
        return position, twice
    return position.set(s.unit, step=ctx.units[s.unit].at_loss(s.reduced)), [*twice, *_steps(ctx, s)]


def _steps(ctx: Context, s: statements_head.Placement) -> list[Finding]:
    """A finding on a unit that has lost more steps than it can lose and live."""
    most = ctx.units[s.unit].steps_at("full") - 1
    if s.reduced <= most:
        return []
    return [ctx.found(s.line, "steps-lost", units=(s.unit,), declared=s.reduced, computed=most, unit=s.unit)]


def _gone(ctx: Context, position: Position, s: statements_head.Gone) -> tuple[Position, list[Finding]]:
    if s.unit not in ctx.units:
        return position, _unknown(ctx, s.line, s.unit)
    if position.hex_of(s.unit) is not None:
        return position, [ctx.found(s.line, "placed-twice", units=(s.unit,), unit=s.unit)]
    left = Departure(s.turn, s.edge or "", s.hex) if s.turn is not None else None
    if s.reduced:
        position = position.set(s.unit, step=ctx.units[s.unit].at_loss(s.reduced))
    position = off_map(position, s.unit, s.fate, left)
    return position if position.units[s.unit].alive else position.set(s.unit, died=s.turn), []


def _status(ctx: Context, position: Position, s: statements_head.UnitStatus) -> tuple[Position, list[Finding]]:
    if s.unit not in ctx.units:
        return position, _unknown(ctx, s.line, s.unit)
    state = position.units[s.unit]
    match s.flag:
        case "arrived":
            return position.set(s.unit, arrived=s.turn, edge=s.edge or "").mark(s.unit, REINFORCEMENT), []
        case "since":
            return position.set(s.unit, since=s.turn), []
        case "rode":
            return position.set(s.unit, rode=True), []
        case "recovered" | "recovered-perhaps":
            return recovery.said(position, s, unsure=s.flag == "recovered-perhaps"), []
        case "engaged":
            return position.noted(contacts=position.ledger.contacts | {s.unit}), []
        case "worked" | "worked-perhaps":
            return engineering.said(position, s.unit, unsure=s.flag == "worked-perhaps"), []
        case "engaged-since":
            return position.set(s.unit, engaged_since=s.turn), []
        case "moved":
            return position.set(s.unit, moved=True), []
        case "reduced":
            return position.set(s.unit, step=ctx.units[s.unit].at_loss(s.turn or 1)), []
        case "reinforcement" if state.where == "absent":
            return position.mark(s.unit, s.flag).set(s.unit, where="due"), []
    position = position.mark(s.unit, s.flag)
    classes = ctx.scenario.game.movement_classes
    notated = notation().meaning("flags", s.flag) is not None
    known = notated or s.flag in classes or _is_read(ctx, s.flag)
    if known:
        return position, []
    return position, [_misspelt(ctx, _idle(ctx, s.line, "unknown-status", s.flag, s.unit), "flags")]


def _is_read(ctx: Context, flag: str) -> bool:
    """Whether a game's rules, phases or results read or set a mark of units."""
    phases, results = ctx.scenario.game.sequence, ctx.scenario.tables.results
    return any(flag in read_by(asdict(part)) for part in (ctx.rules, *phases, *results.values()))


def read_by(rules: object) -> frozenset[str]:
    """The marks of units that rules, as plain data, read or set."""
    found: set[str] = set()
    if isinstance(rules, Mapping):
        for name, value in rules.items():
            if name in _MARKS:
                given = [value] if isinstance(value, str) else value or ()
                found.update(mark for mark in given if isinstance(mark, str))
            if name not in _MARKS or name == "marks":
                found |= read_by(value)
    elif isinstance(rules, list | tuple):
        for value in rules:
            found |= read_by(value)
    return frozenset(found)


def _idle(ctx: Context, line: int, key: str, word: str, *units: str, severity: Severity = "warning") -> Finding:
    return ctx.found(line, key, severity=severity, units=units, declared=word, word=word)


def _misspelt(ctx: Context, idle: Finding, section: str) -> Finding:
    """What is said of a word that says nothing: not read, where it is like one that does, for that may be meant."""
    near = vocabulary_of(ctx.scenario).likely((section,), str(idle.declared), SOURCE)
    if not near:
        return idle
    told = message("findings.reading.like", what=idle.message, like=near)
    return replace(idle, severity="unread", message=told)


def _due(ctx: Context, position: Position, s: statements_head.Due) -> tuple[Position, list[Finding]]:
    if s.unit not in ctx.units:
        return position, _unknown(ctx, s.line, s.unit)
    position = position.mark(s.unit, REINFORCEMENT)
    if position.hex_of(s.unit) is None:
        position = position.set(s.unit, where="due")
    return position, []
