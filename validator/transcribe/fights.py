"""What happens while a phase's combats are fought: kept until its end, when it is clear what belongs together."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from hexforge.modulegen.vassal.story import Event
from hexforge.scenarios.schema.dice import Dice
from hexforge.scenarios.words import message
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.transcribe.blocks import Item, PhaseBlock, without
from hexforge.validator.transcribe.combat_phase import combat_phase
from hexforge.validator.transcribe.draft import ClosedCombats, SheetDraft
from hexforge.validator.transcribe.entries import CounterChange, LogEntry, LoggedThrow, Marked, Spent
from hexforge.validator.transcribe.noted import Origin, faces_told, note
from hexforge.validator.transcribe.spots import place_of

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
        if isinstance(entry.what, st.Engagement):
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


def _sides(draft: SheetDraft) -> frozenset[int]:
    """How many faces the dice of tables, weather, rallies, tests, losses, attrition and works have."""
    game, tables = draft.scenario.game, draft.scenario.tables
    rules = game.rules
    texts = [table.dice for table in (tables.crt, tables.bombardment) if table is not None]
    texts += [die.dice for die in (game.weather_die, game.order_die) if die is not None]
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
    given = next((s.roll for i in block.items if isinstance(s := i.statement, st.AirRoll)), None)
    if len(event.numbers) == 1 and waiting is not None and isinstance(waiting.what, st.ClearTrail):
        waiting.what = replace(waiting.what, roll=event.numbers[0])
    elif len(event.numbers) == 1 and by_die and opens and given is None:
        block.items.append(Item(origin, st.AirRoll(0, event.numbers[0])))
    else:
        draft.comment(origin, event.text, faces_told(event.numbers))
        # Another face might have been liked better, whether or not its points were ever spent.
        if len(event.numbers) == 1 and given not in (None, event.numbers[0]):
            draft.noted.append(note(origin, "air-thrown-again", face=event.numbers[0], first=given))


def _lacks_roll(statement: st.Statement | None) -> bool:
    return isinstance(statement, st.ClearTrail) and statement.roll is None
