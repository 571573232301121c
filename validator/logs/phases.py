"""What happens to counters in a movement phase, as lines of a sheet.

What happens while a phase's combats are fought: kept until its end, when it is clear what belongs together.

Lines that players typed, as they come into the sheet.

A typed line and the drag that carries it out are one, in either order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from ...modulegen.vassal.story import Event
from ...scenarios.schema.results import Dice
from ...scenarios.text.words import message
from ..notation import base, statements, statements_head
from .bindings import edges_of, group_of, way_in, way_out
from .blocks import (
    CounterChange,
    CounterFact,
    Item,
    LogEntry,
    LoggedThrow,
    Marked,
    PhaseBlock,
    Spent,
    of_unit,
    without,
)
from .combat_phase import combat_phase
from .combats import outcome_of
from .draft import ClosedCombats, SheetDraft, lead_on, remark
from .locations import Noted, Origin, Spot, faces_told, note, note_on, opened_by, place_of
from .typed import TypedLine, units_of


def moved(draft: SheetDraft, block: PhaseBlock, change: CounterChange) -> None:
    """A counter was dragged, or turned over."""
    change = _come_back(draft, block, _enter_elsewhere(draft, block, change))
    unit, old, new, origin = change.unit, change.old, change.new, change.origin
    last = next((i.fact for i in reversed(list(block.facts(unit))) if i.fact and i.fact.path), None)
    going = last if last is not None and last.kind in ("move", "enter") and last.path[-1] == old.hex else None
    match old.place, new.place:
        case "hex", "hex" if old.hex != new.hex:
            if going is None:
                going = CounterFact("move", unit, [old.hex], origin)
                block.items.append(Item(origin, going))
            lead_on(draft, block.items, going, new.hex)
        case "reserve" | "gone" | "left" | "beside", "hex":
            _enters(draft, block, change)
        case "hex", "left":
            path = [old.hex]
            if going is not None and going.kind == "move":
                path = going.path
                draft.drop([i for i in block.items if i.fact is going])
            block.items.append(
                Item(origin, CounterFact("exit", unit, path, origin, way_out(draft.scenario, old.hex)))
            )
        case "hex", "reserve" | "beside" if going is not None and going.kind == "enter":
            draft.drop(block.facts(unit))
        case a, b if a != b:
            draft.comment_place(change)
    if new.place == "hex" and old.reduced != new.reduced:
        _turned_over(draft, block, change)


def _enter_elsewhere(draft: SheetDraft, block: PhaseBlock, change: CounterChange) -> CounterChange:
    """The change of a counter that has just entered, and now by another hex instead, as the first that it made."""
    before = [i for i in block.facts(change.unit) if i.fact is not None and i.fact.kind == "enter"]
    if not (change.enters and before and change.old.place == "hex"):
        return change
    draft.drop(before)
    return replace(change, old=Spot("reserve", reduced=change.old.reduced))


def _come_back(draft: SheetDraft, block: PhaseBlock, change: CounterChange) -> CounterChange:
    """The change, from the hex where a counter stood before somebody dropped it beside the map by mistake."""
    unit, old, new = change.unit, change.old, change.new
    entered = any(i.fact is not None and i.fact.kind == "enter" for i in block.facts(unit))
    if old.place == "hex" != new.place and not entered:
        draft.astray[unit] = change
    elif new.place == "hex" != old.place and unit in draft.astray:
        gone = draft.astray.pop(unit)
        left = [i for i in of_unit(block.items, unit) if i.fact is not None and i.fact.kind == "exit"]
        for item in left:
            if item.fact is not None:
                item.fact.kind, item.fact.edge = "move", None
        # Who left from where the phase found it has not moved.
        draft.drop([i for i in left if i.fact is not None and len(i.fact.path) == 1])
        draft.drop([i for i in block.items if i.what == draft.place_told(gone)])
        return replace(change, old=replace(gone.old, reduced=old.reduced))
    return change


def _enters(draft: SheetDraft, block: PhaseBlock, change: CounterChange) -> None:
    unit, origin = change.unit, change.origin
    path, edge = way_in(draft.scenario, unit, change.new.hex)
    edge = _with_others(draft, block, unit, path[0], edge)
    if len(path) > 1:
        draft.comment(origin, unit, message("logs.comment.entry-not-shown"))
    block.items.append(Item(origin, CounterFact("enter", unit, path, origin, edge)))


def _with_others(
    draft: SheetDraft, block: PhaseBlock, unit: str, first: str, edge: statements.EdgeName | None
) -> statements.EdgeName | None:
    """The edge by which a unit comes: in a corner of the map that by which the others of its group do.

    Where it is they that came in the corner, they are said to have come by its edge.
    """
    entered = [i.fact for i in block.facts() if i.fact is not None and i.fact.kind == "enter"]
    mates = [f for f in entered if f.edge not in (None, edge) and f.unit in group_of(draft.scenario, unit)]
    mine = edges_of(draft.scenario, first)
    for mate in mates:
        if mate.edge in mine:
            return mate.edge
        if edge in edges_of(draft.scenario, mate.path[0]):
            mate.edge = edge
    return edge


def _turned_over(draft: SheetDraft, block: PhaseBlock, change: CounterChange) -> None:
    told = remark(change.unit, message("logs.comment.reduced"))
    before = [i for i in block.items if i.what == told]
    stood = block.begin.get(change.unit)
    if before and stood is not None and change.new.reduced == stood.reduced:
        # Turned over by mistake, and back.
        draft.drop(before)
        return
    recovered = [i for i in of_unit(block.items, change.unit) if i.fact and i.fact.kind == "recover"]
    if change.new.reduced < change.old.reduced:
        block.items.append(Item(change.origin, CounterFact("recover", change.unit, [], change.origin)))
    elif recovered:
        draft.drop(recovered)
    else:
        draft.comment(change.origin, change.unit, message("logs.comment.reduced"))


MAX_DICE: Final = 12
_SIDES: Final = re.compile(r"(?<![^\W\d_])[1-9]?[0-9]?[dD]([1-9][0-9]{0,2})(?!\w)")
"""A die that is called by its faces: `1d6`, `2d10`, `d8`."""


def close_combat(draft: SheetDraft) -> None:
    """The phase is over, or a line in a movement phase ends what was fought there."""
    kept, draft.kept = draft.kept, []
    if kept and draft.blocks:
        block, before = draft.blocks[-1], len(draft.noted)
        lines = combat_phase(draft, block.clock.side, kept)
        block.items += lines
        draft.closed[id(block)] = ClosedCombats(kept, lines, draft.noted[before:])


def open_again(draft: SheetDraft) -> None:
    """The latest phase goes on, for the tracker was only set on by mistake: so do its combats."""
    block = draft.blocks[-1]
    closed = draft.closed.pop(id(block), None)
    if closed is not None:
        block.items[:] = without(block.items, closed.lines)
        draft.noted[:] = [one for one in draft.noted if all(one is not other for other in closed.noted)]
        draft.kept = [*closed.kept, *draft.kept]


def fought(draft: SheetDraft, change: CounterChange) -> None:
    """A counter was dragged, turned over, or put among the dead."""
    draft.keep(LogEntry(change.origin, change, at=dict(draft.stood)))


def takes_part(draft: SheetDraft, unit: str) -> bool:
    """Whether a counter belongs to a combat that was declared in a movement phase."""
    for entry in draft.kept:
        if isinstance(entry.what, statements.Engagement):
            spot = entry.at.get(unit)
            if spot is not None and spot.hex in entry.what.targets:
                return True
        if unit in getattr(entry.what, "units", ()):
            return True
    return False


def air_spent(draft: SheetDraft, event: Event, origin: Origin) -> None:
    """The module's count of air points went down, or up again."""
    try:
        change = int(event.before or "") - int(event.after or "")
    except ValueError:
        return
    if draft.fighting:
        draft.keep(LogEntry(origin, Spent(change)))
    else:
        draft.comment(origin, message("logs.comment.air"), f"{event.before} -> {event.after}")


def dice(draft: SheetDraft, event: Event, origin: Origin, *, typed: bool) -> None:
    """Dice were thrown. `typed`: the same action tells what they show."""
    block = draft.block(origin)
    faces = event.numbers
    thrown, known = _SIDES.search(event.text), _sides(draft)
    most = int(thrown[1]) if thrown else max({6, *known})
    if thrown is not None and int(thrown[1]) not in known:
        # A button of ordinary dice, in a game that is played with others: nothing hangs on what it shows.
        draft.comment(origin, event.text, faces_told(faces))
        told = " ".join(f"d{n}" for n in sorted(known))
        draft.noted.append(note(origin, "strange-dice", die=event.text, faces=faces_told(faces), dice=told))
    elif not all(1 <= n <= most for n in faces) or len(faces) > MAX_DICE:
        draft.comment(origin, event.text, faces_told(faces))
        if thrown is not None or draft.fighting:
            draft.noted.append(note(origin, "impossible-dice", die=event.text, faces=faces_told(faces)))
    elif draft.fighting:
        if draft.marked != Marked():
            draft.keep(LogEntry(origin, draft.marked, at=dict(draft.stood)))
        draft.keep(LogEntry(origin, LoggedThrow(faces, typed), at=dict(draft.stood)))
    elif not typed:
        _movement_die(draft, block, event, origin)


def claim(
    draft: SheetDraft, said: Iterable[base.Statement | None], thrown: Sequence[Event], origin: Origin
) -> None:
    """Note the dice that lines of an action tell of, but for those of combats, or those that it threw untold."""
    claims = [faces for s in said if s is not None and (faces := _claimed(s))]
    if claims and not thrown:
        draft.claimed += [(origin, faces) for faces in claims]
    elif not claims:
        draft.thrown += [tuple(sorted(event.numbers)) for event in thrown]


def _claimed(s: base.Statement) -> tuple[int, ...]:
    """The dice that a line tells of; none for one of a combat's, which are held against the throws of its phase."""
    if isinstance(s, statements.Roll):
        return ()
    roll = getattr(s, "roll", None)
    faces: tuple[int, ...] = (roll,) if isinstance(roll, int) else getattr(s, "faces", ())
    return tuple(sorted(faces))


def typed_alone(draft: SheetDraft) -> Iterator[Noted]:
    """Dice of lines that nobody threw."""
    left = list(draft.thrown)
    for origin, faces in draft.claimed:
        if faces in left:
            left.remove(faces)
        else:
            yield note(origin, "typed-alone", faces=faces_told(faces))


def _sides(draft: SheetDraft) -> frozenset[int]:
    """How many faces the dice of tables, weather, arrivals, rallies, tests, losses, attrition and works have."""
    game, tables = draft.scenario.game, draft.scenario.tables
    rules = game.rules
    texts = [table.dice for table in (tables.crt, tables.bombardment) if table is not None]
    thrown = (game.weather_die, game.order_die, *(line.die for line in draft.scenario.setup.reinforcements))
    texts += [die.dice for die in thrown if die is not None]
    texts += [rule.rally.dice for rule in rules.marks if rule.rally and rule.rally.dice]
    demands = [demand for result in tables.results.values() for demand in (result.attacker, result.defender)]
    losses = [*(loss for d in demands for loss in (d.steps, d.units) if loss), *(r.steps for r in rules.attrition)]
    texts += [loss.dice for loss in losses if loss.dice]
    texts += [demand.morale.dice for demand in demands if demand.morale]
    by_six = rules.movement.clearing is not None or any(row.die is not None for row in tables.air)
    return frozenset({Dice.of(text).faces for text in texts} | ({6} if by_six else set()))


def _movement_die(draft: SheetDraft, block: PhaseBlock, event: Event, origin: Origin) -> None:
    waiting = next((i for i in reversed(block.items) if _lacks_roll(i.statement)), None)
    by_die = any(row.die is not None for row in draft.scenario.tables.air)
    opens = place_of(block.clock, draft.scenario) == 0
    given = next((s.roll for i in block.items if isinstance(s := i.statement, statements.AirRoll)), None)
    if len(event.numbers) == 1 and waiting is not None and isinstance(waiting.what, statements.ClearTrail):
        waiting.what = replace(waiting.what, roll=event.numbers[0])
    elif len(event.numbers) == 1 and by_die and opens and given is None:
        block.items.append(Item(origin, statements.AirRoll(0, event.numbers[0])))
    else:
        draft.comment(origin, event.text, faces_told(event.numbers))
        # Another face might have been liked better, whether or not its points were ever spent.
        if len(event.numbers) == 1 and given not in (None, event.numbers[0]):
            draft.noted.append(note(origin, "air-thrown-again", face=event.numbers[0], first=given))


def _lacks_roll(statement: base.Statement | None) -> bool:
    return isinstance(statement, statements.ClearTrail) and statement.roll is None


_SHOWN: Final = 200
"""Characters of a line that are quoted."""
_GROUND: Final = (
    statements_head.MapBlank,
    statements_head.TerrainEdit,
    statements_head.PlaceName,
    statements_head.WayEdit,
    statements_head.FortifiedHexes,
    statements_head.HexsideEdit,
    statements_head.BridgeEdit,
    statements_head.AreaEdit,
    statements_head.Naming,
)
"""What stands on the map, and what counters are."""
_NOBODY: Final[Mapping[str, Spot]] = MappingProxyType({})


def take(draft: SheetDraft, line: TypedLine, origin: Origin, before: Mapping[str, Spot]) -> None:
    """A typed line. `before`: where all stood before the action that it is part of."""
    if line.why:
        draft.tell(Item(origin, message("logs.comment.not-taken", text=line.text[:_SHOWN])))
        draft.noted.append(note(origin, line.why, text=line.text[:_SHOWN]))
        return
    match line.statement:
        case None if draft.fighting:
            draft.keep(LogEntry(origin, Item(origin, line.text)))
        case None:
            draft.last.append(Item(origin, line.text))
        case statements.TurnStart() as turn:
            _take_turn(draft, turn, origin)
        case base.Header() as s if _said_before(draft, s):
            pass
        case base.Header() as s if why := _not_for_a_log(draft, s):
            draft.tell(Item(origin, message("logs.comment.not-taken", text=line.text[:_SHOWN])))
            draft.noted.append(note(origin, why, text=line.text[:_SHOWN]))
        case base.Header() as s if not line.marked or not (draft.blocks and _written_out(draft)):
            if isinstance(s, statements_head.UnitDefinition):
                draft.sides[s.unit] = s.side
            if isinstance(s, statements_head.Partial) and not _written_out(draft):
                draft.noted.append(note(origin, "partial-said", text=line.text[:_SHOWN]))
            indent = isinstance(
                s, statements_head.Placement | statements_head.MarkerPlacement | statements_head.UnitStatus
            )
            draft.header.append(Item(origin, s, indent=indent))
        case statements.Score() as s if not line.marked:
            draft.scores.append(Item(origin, s))
        case s:
            take_play(draft, s, origin, before, reported=line.reported)


def _written_out(draft: SheetDraft) -> bool:
    """Whether the chat holds a whole sheet, header and all, which stands as it is."""
    return any(isinstance(item.what, statements_head.SheetVersion) for item in draft.header)


def _not_for_a_log(draft: SheetDraft, s: base.Header) -> str:
    """Why a line that belongs above the first turn is not taken from the chat of a log; empty where it is.

    Nobody changes by a line of chat the map on which both play or what stands on it, nor, once play has begun, what
    it is judged by.
    """
    if _written_out(draft) or (isinstance(s, statements_head.SheetVersion) and not draft.blocks):
        return ""
    laid_out = any(
        isinstance(item.what, statements_head.PositionStart | statements_head.SetupStart) for item in draft.header
    )
    if isinstance(s, _GROUND) or (
        isinstance(s, base.Positioned) and not (laid_out or isinstance(s, statements_head.UnitStatus))
    ):
        return "ruled-in-log"
    over = len(draft.blocks) > 1 if isinstance(s, statements_head.Partial) else bool(draft.blocks)
    return "said-late" if over and not isinstance(s, statements_head.Players | statements_head.GameName) else ""


def _said_before(draft: SheetDraft, s: base.Header) -> bool:
    """Whether the players of a log say once more what stands already, as at the beginning of each log."""
    known = (item.statement for item in draft.header if not _written_out(draft))
    return any(type(one) is type(s) and replace(one, line=s.line) == s for one in known if one is not None)


def close(draft: SheetDraft) -> None:
    """The phase is over, as all stood before the action that is being told."""
    close_combat(draft)
    if draft.blocks:
        block = draft.blocks[-1]
        block.end, block.changed, block.laid = dict(draft.stood), dict(draft.changed), dict(draft.laid)
        _tell_copies(draft)
    items = draft.blocks[-1].items if draft.blocks else []
    for unit, (_, at) in draft.wanted.items():
        if at < len(items):
            draft.unclear.add(unit)
            items.append(Item(items[at].origin, remark(unit, message("logs.comment.not-moved"))))
    draft.wanted.clear()
    draft.astray.clear()


def _tell_copies(draft: SheetDraft) -> None:
    """Counters that stand twice on the map, each once."""
    for piece, copy in draft.copies.items():
        if copy.told or copy.spot.place not in ("hex", "beside"):
            continue
        draft.copies[piece] = replace(copy, told=True)
        draft.last.append(
            Item(copy.origin, remark(copy.unit, message("logs.comment.twice", hex=copy.spot.hex or "-")))
        )
        hexes = (copy.spot.hex,) if copy.spot.hex else ()
        draft.noted.append(note_on(copy.origin, "stands-twice", (copy.unit,), hexes))


def _take_turn(draft: SheetDraft, turn: statements.TurnStart, origin: Origin) -> None:
    said, blocks = opened_by(turn, None, draft.scenario), draft.blocks
    draft.begun = True
    # Of several phases of a kind the line does not say which: the one that is being played, or the next.
    now = draft.clock if turn.name else replace(draft.clock, number=said.number)
    here = said == now and not (blocks and blocks[-1].given)
    clock = draft.clock if here else opened_by(turn, draft.clock, draft.scenario)
    if blocks and blocks[-1].clock == clock and not blocks[-1].given:
        blocks[-1].given = True
    else:
        close(draft)
        if blocks and blocks[-1].empty and not blocks[-1].items:
            blocks.pop()
        blocks.append(PhaseBlock(clock, origin, given=True, begin=dict(draft.at)))
    draft.clock = clock


def take_play(
    draft: SheetDraft,
    s: base.Statement,
    origin: Origin,
    before: Mapping[str, Spot] = _NOBODY,
    *,
    reported: bool = False,
) -> None:
    """A line of play: into the phase, or kept for its end where the phase is one of combat."""
    block = draft.block(origin)
    if block.clock.phase == "movement" and not isinstance(s, base.Act | statements.Engagement):
        # A typed line of another kind ends a combat that was declared in a movement phase.
        close_combat(draft)
    if draft.fighting or isinstance(s, statements.Engagement):
        draft.keep(LogEntry(origin, s, reported, dict(before)))
        return
    block.items.append(Item(origin, s, indent=isinstance(s, base.Act)))
    _expect(draft, s, before)


def _expect(draft: SheetDraft, s: base.Statement, before: Mapping[str, Spot]) -> None:
    """What a typed line says of counters: taken as done if the map shows it before, with, or after it."""
    outcome = outcome_of(s)
    if outcome is None:
        return
    items = draft.blocks[-1].items
    for unit in units_of(s):
        spot = draft.at.get(unit)
        if spot is None or before.get(unit) != spot:
            continue  # unknown, or done in the same action
        if not outcome(spot):
            draft.wanted[unit] = (outcome, len(items) - 1)
        else:
            draft.drop(of_unit(items, unit))
