"""From what happened on the map and in the chat of a module of ours to the lines of a turn sheet.

Two sources are laid over each other. Lines that players type in the notation's own words (see `typed`) are taken as
they stand. Whatever else happened to the counters becomes a statement of its own: a drag a move, the menu's entries
losses, recoveries and exits, dice the roll of the combat that was declared last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...modulegen.vassal.story import Event
from ..notation import statements
from .blocks import CounterChange, LogEntry, PhaseBlock, of_unit
from .chain import Chain, count_of, dice_of
from .draft import AIR as COMBAT_AIR
from .draft import OFFBOARD, TARGET, Copy, SheetDraft, Started
from .legs import ActionTold, LogRead
from .locations import (
    AIR,
    GONE,
    MARKER,
    SHOWN,
    Origin,
    Spot,
    TrackerReading,
    first_clock,
    laid,
    note_on,
    read_clock,
    sets_up,
    spot_of,
    unit_of,
)
from .phases import air_spent, claim, close, dice, fought, moved, open_again, take, take_play, takes_part
from .typed import DONE, TypedLine, units_of

if TYPE_CHECKING:
    from ...modulegen.vassal.replay import PieceView
    from ...scenarios.model import Scenario
    from .locations import Marks


ROLE: Final = "Role"
_KEPT: Final = (TARGET, OFFBOARD, COMBAT_AIR)
_BY_THEMSELVES: Final = (
    statements.WeatherRoll,
    statements.OrderRoll,
    statements.ArrivalRoll,
    statements.Rally,
    statements.Mark,
    statements.Attrition,
    statements.LossRoll,
    statements.MoraleRoll,
)
_DICE: Final = (statements.Roll, statements.AirRoll, statements.ClearTrail, *_BY_THEMSELVES)


def write_down(chain: Chain, marks: Marks, scenario: Scenario) -> SheetDraft:
    """The sheet of a chain of logs of one game, but for what stands above the first turn unless it was typed."""
    draft = SheetDraft.of(scenario, marks)
    for number, log in enumerate(chain.logs):
        _begin(draft, log, first=number == 0)
        for told in log.told:
            draft.stood = dict(draft.at)
            if told.undone or told.action.takes_back:
                _follow(draft, told)
            else:
                _act(draft, told)
    draft.stood = dict(draft.at)
    close(draft)
    if draft.blocks and draft.blocks[-1].idle:
        # The tracker rests where the next player will begin.
        rest = draft.rests = draft.blocks.pop()
        draft.last.extend(rest.items)
    return draft


def _begin(draft: SheetDraft, log: LogRead, *, first: bool) -> None:
    before, draft.at = draft.at, {}
    _lay_out(draft, log)
    state = next(iter(log.start.turns.values()), None)
    clock = read_clock(state, draft.scenario) if state is not None else None
    _watch_setup(draft, state or "")
    if first:
        air = log.start.properties.get(AIR)
        points = int(air) if air is not None and air.isdecimal() and len(air) < 5 else None
        veiled = any(v.hidden or v.masked for v in log.start.pieces.values() if not v.deck)
        thrown = count_of(log.start.properties) or 0
        draft.started = Started(dict(draft.at), clock or draft.clock, points, {}, dict(draft.laid), veiled, thrown)
        draft.clock = draft.started.clock
        return
    origin = Origin(log.name, 0)
    draft.at |= {unit: before[unit] for unit in log.early if unit in before}
    draft.arranged |= set(draft.started.placed)
    _went_on_elsewhere(draft, before, origin)
    draft.stood = dict(draft.at)
    if clock is not None and clock != draft.clock:
        _turn(draft, clock, origin)


def _lay_out(draft: SheetDraft, log: LogRead) -> None:
    """Where all counters stand as a log begins. Of several of one unit it is the one that was it before, or else
    the first."""
    views = [v for v in log.start.pieces.values() if not v.hidden and unit_of(v.properties)]
    draft.combat = {name: log.start.properties[name] for name in _KEPT if name in log.start.properties}
    draft.roles = {}
    known = {k: laid(v, draft.marks, draft.scenario) for k, v in log.start.pieces.items()}
    draft.laid = {k: marker for k, marker in known.items() if marker is not None}
    draft.pieces = {u: p for u, p in draft.pieces.items() if p in log.start.pieces}
    draft.copies = {p: c for p, c in draft.copies.items() if p in log.start.pieces}
    for view in views:
        _note_side(draft, view.properties)
        unit, spot = unit_of(view.properties), spot_of(view, draft.marks, draft.grid)
        if draft.pieces.setdefault(unit, view.id) == view.id:
            draft.at[unit] = spot
            _note_role(draft, view.properties)
        elif view.id not in draft.copies:
            draft.copies[view.id] = Copy(unit, spot, Origin(log.name, 0))


def _went_on_elsewhere(draft: SheetDraft, before: Mapping[str, Spot], origin: Origin) -> None:
    """Lines for counters that stand otherwise than the log before left them, which the chain has a finding for."""
    for unit, spot in draft.at.items():
        if unit not in before or before[unit] == spot:
            continue
        draft.changed[unit] = origin
        if not draft.blocks:
            draft.started.at[unit] = spot
            continue
        put = statements.Found(
            0, unit, spot.hex, spot.reduced if spot.place == "hex" else 0, spot.place == "dead", between=True
        )
        take_play(draft, put, origin)


def _note_side(draft: SheetDraft, properties: Mapping[str, str]) -> None:
    unit, side = unit_of(properties), properties.get("Side")
    if unit and side:
        draft.sides.setdefault(unit, side)


def _note_role(draft: SheetDraft, properties: Mapping[str, str]) -> None:
    unit, role = unit_of(properties), properties.get(ROLE, "")
    if draft.roles.get(unit) != role:
        draft.roles.pop(unit, None)
        draft.roles[unit] = role


def _follow(draft: SheetDraft, told: ActionTold) -> None:
    """Keep pace with an action that is not to be told."""
    for event in told.action.events:
        _changed(draft, event, told.origin)
        clock = read_clock(event.after or "", draft.scenario) if event.kind == "turn" else None
        # Of a turn that is taken back later nothing is left: the undo finds the tracker where it was.
        if clock is not None and not told.undone:
            _turn(draft, clock, told.origin)


def _changed(draft: SheetDraft, event: Event, origin: Origin) -> CounterChange | None:
    """Where the counter that an event is about was and is. A second one of a unit is none."""
    if event.piece is not None and (event.piece.id in draft.laid or MARKER in event.piece.properties):
        _lay(draft, event.piece, event.kind, origin)
    if event.kind == "property" and event.text in _KEPT:
        draft.combat[event.text] = event.after or ""
    if event.piece is None or event.piece.hidden:
        return None
    _note_side(draft, event.piece.properties)
    unit = unit_of(event.piece.properties)
    if not unit:
        return None
    old = draft.at.get(unit, GONE)
    new = GONE if event.kind == "remove" else spot_of(event.piece, draft.marks, draft.grid)
    if draft.pieces.setdefault(unit, event.piece.id) != event.piece.id:
        _copied(draft, unit, event.piece.id, new, origin)
        return None
    _note_role(draft, event.piece.properties)
    if event.kind == "remove":
        new = _instead(draft, unit)
    draft.at[unit] = new
    if old != new:
        draft.changed[unit] = origin
    return CounterChange(unit, old, new, origin)


def _lay(draft: SheetDraft, view: PieceView, kind: str, origin: Origin) -> None:
    """A marker was laid, turned or taken off."""
    now = laid(view, draft.marks, draft.scenario) if kind != "remove" else None
    if now is None:
        draft.laid.pop(view.id, None)
    elif draft.laid.get(view.id) != now:
        draft.laid[view.id] = now
        draft.changed[view.id] = origin


def _copied(draft: SheetDraft, unit: str, piece: str, spot: Spot, origin: Origin) -> None:
    """A second counter of a unit came, went elsewhere, or is gone."""
    known = draft.copies.get(piece)
    if spot == GONE:
        draft.copies.pop(piece, None)
    elif known is not None:
        draft.copies[piece] = replace(known, spot=spot)
    else:
        draft.copies[piece] = Copy(unit, spot, origin)


def _instead(draft: SheetDraft, unit: str) -> Spot:
    """Where a unit's counter is that was taken away: where another of the same stands, or nowhere."""
    del draft.pieces[unit]
    piece = next((p for p, copy in draft.copies.items() if copy.unit == unit), None)
    if piece is None:
        return GONE
    draft.pieces[unit] = piece
    return draft.copies.pop(piece).spot


def _act(draft: SheetDraft, told: ActionTold) -> None:
    """An action that stands."""
    origin, events = told.origin, told.action.events
    heard = {e.text: draft.listener.hear(e.text) for e in events if e.kind == "chat"}
    said = [line for line in heard.values() if line is not None]
    typed = [line for line in said if not _shown(line)]
    entered = {
        u
        for line in said
        if line.reported and isinstance(line.statement, statements.Enter)
        for u in line.statement.units
    }
    draft.heard[origin] = frozenset(text for text, line in heard.items() if line is not None)
    named = {u for line in typed if line.statement is not None for u in units_of(line.statement)}
    before, marked = dict(draft.at), draft.marked
    changes = [change for event in events if (change := _changed(draft, event, origin)) is not None]
    if draft.marked != marked and draft.blocks and draft.blocks[-1].clock.phase == "combat":
        draft.keep(LogEntry(origin, draft.marked, at=before))
    for line in typed:
        take(draft, line, origin, before)
    _watch_tracker(draft, events, origin, [event.numbers for event in dice_of(told.action)])
    for unit in dict.fromkeys(change.unit for change in changes if change.old != change.new):
        if unit in named:
            draft.wanted.pop(unit, None)
        else:
            _happened(draft, CounterChange(unit, before.get(unit, GONE), draft.at[unit], origin, unit in entered))
    _tell_markers(draft, events, origin)
    # Dice whose line says of itself what they are for are thrown for nothing else.
    told_of = any(isinstance(line.statement, _BY_THEMSELVES) for line in typed)
    claim(draft, [line.statement for line in typed], dice_of(told.action), origin)
    for event in () if told_of else dice_of(told.action):
        dice(draft, event, origin, typed=any(isinstance(line.statement, _DICE) for line in typed))


def _shown(line: TypedLine) -> bool:
    """Whether the module says what a counter shows by itself, whose steps and ways are the better witness."""
    return line.reported and isinstance(line.statement, DONE)


def _watch_tracker(
    draft: SheetDraft, events: Iterable[Event], origin: Origin, thrown: Sequence[tuple[int, ...]]
) -> None:
    """The turn tracker, and the count of air points, but for those that a die brings that is told by itself."""
    begins = any(e.kind == "property" and e.text == SHOWN for e in events)
    for event in events:
        if event.kind == "turn":
            clock = read_clock(event.after or "", draft.scenario)
            _watch_setup(draft, event.after or "")
            if clock is not None:
                _turn(draft, clock, origin)
        elif event.kind == "property" and event.text == AIR and not (begins or _brought(draft, event, thrown)):
            air_spent(draft, event, origin)


def _brought(draft: SheetDraft, event: Event, thrown: Sequence[tuple[int, ...]]) -> bool:
    """Whether the air points are those of a die that was thrown with them."""
    dice = [row.die for row in draft.scenario.tables.air if row.die and str(row.points) == event.after]
    return any(low <= faces[0] <= high for low, high in dice for faces in thrown if len(faces) == 1)


def _watch_setup(draft: SheetDraft, state: str) -> None:
    """Whether the tracker stands at the set-up, where it has a phase for that."""
    at_setup = sets_up(state)
    if at_setup is not None:
        draft.begun, draft.setting_up = not at_setup, at_setup


def _tell_markers(draft: SheetDraft, events: Iterable[Event], origin: Origin) -> None:
    for event in events:
        view = event.piece
        if event.kind != "add" or view is None or view.hidden or not view.properties.get(MARKER):
            continue
        where = view.map or "-"
        if view.x is None or view.y is None:
            where = "-"
        elif view.map == draft.marks.main and (found := draft.marks.hex_at(view.x, view.y)) in draft.grid:
            where = found
        draft.comment(origin, view.name, where)


def _turn(draft: SheetDraft, clock: TrackerReading, origin: Origin) -> None:
    blocks = draft.blocks
    draft.begun = draft.begun or clock != draft.clock
    if clock == draft.clock and (not blocks or blocks[-1].clock == clock):
        return
    draft.block(origin)
    close(draft)
    draft.clock = clock
    known = [i for i, block in enumerate(blocks) if block.clock == clock]
    if known and all(block.empty for block in blocks[known[-1] + 1 :]):
        # The tracker was turned too far and back again.
        for block in blocks[known[-1] + 1 :]:
            blocks[known[-1]].items += block.items
        del blocks[known[-1] + 1 :]
        open_again(draft)
        return
    blocks.append(PhaseBlock(clock, origin, begin=dict(draft.at)))


def _happened(draft: SheetDraft, change: CounterChange) -> None:
    """A change that no typed line of the same action tells of."""
    unit = change.unit
    if _is_placement(draft, change):
        draft.started.at[unit] = change.new
        draft.started.placed[unit] = change.origin
        return
    if (change.old.place, change.new.place) == ("reserve", "gone"):
        # Nobody misses who waits until he is due, and then nobody could tell where he is.
        draft.noted.append(note_on(change.origin, "taken-out", (unit,)))
    block = draft.block(change.origin)
    captures = draft.scenario.game.rules.captures
    taken = captures is not None and unit in captures.becomes.values()
    if taken and (change.old.place, change.new.place) == ("gone", "hex"):
        # The combat itself puts it there, in place of the counter that it takes; nobody enters.
        draft.comment_place(change)
        return
    block.happened.append(change)
    if block.clock.phase == "combat" or takes_part(draft, unit):
        fought(draft, change)
    else:
        moved(draft, block, change)
    wanted = draft.wanted.get(unit)
    if wanted is not None and wanted[0](change.new):
        del draft.wanted[unit]
        draft.drop(of_unit(block.items[wanted[1] :], unit))


def _is_placement(draft: SheetDraft, change: CounterChange) -> bool:
    """Whether a counter with a choice of places is put in one before play begins."""
    unit, started = change.unit, draft.started
    first = started.clock == first_clock(draft.scenario) == draft.clock
    if not first or draft.begun or unit not in draft.choices or change.new.place not in ("hex", "reserve"):
        return False
    if any(True for block in draft.blocks for _ in block.facts(unit)):
        return False
    if change.old.place in ("reserve", "beside"):
        return True
    if unit not in started.placed or unit in draft.arranged:
        return False
    # Of a counter that goes on from where it may stand at the start to where it may not, the first move is told.
    strays = draft.may_start(unit, change.old.hex) and not draft.may_start(unit, change.new.hex)
    return draft.setting_up or not strays
