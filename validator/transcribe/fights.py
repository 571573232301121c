"""What belongs to the combat that is open, or to dice that nobody declared a combat for, as lines of a sheet."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hexforge.modulegen.vassal.story import Event
from hexforge.scenarios.words import message
from hexforge.validator.readers import statements as st
from hexforge.validator.transcribe.blocks import Block, Fact, Item, Kind, of_unit, without
from hexforge.validator.transcribe.draft import Change, Draft, OpenCombat, lead_on
from hexforge.validator.transcribe.noted import Origin, faces_told, note
from hexforge.validator.transcribe.passages import way_out
from hexforge.validator.transcribe.undeclared import Undeclared, combat_lines

COMBAT_DICE: Final = 2
MAX_DICE: Final = 12


def close_combat(draft: Draft) -> None:
    """The combat that is open is over, and so are dice that nobody declared one for."""
    fight, draft.fight = draft.fight, OpenCombat()
    if not draft.blocks:
        return
    block = draft.blocks[-1]
    if draft.undeclared is not None:
        pending, draft.undeclared = draft.undeclared, None
        if pending.faces:
            draft.noted.append(note(pending.origin, "undeclared-throw", faces=faces_told(pending.faces)))
        block.items += combat_lines(pending, draft.sides, draft.scenario)
    if fight.head is not None and fight.air > 0 and not fight.air_told:
        block.items.append(Item(block.origin, st.AirSupport(0, fight.air), indent=True))


# ---------------------------------------------------------------------------------------- counters


def fought(draft: Draft, block: Block, change: Change) -> None:
    """A counter was dragged, turned over, or put among the dead."""
    unit, old, new, origin = change.unit, change.old, change.new, change.origin
    pending = draft.undeclared if draft.fight.head is None else None
    items = block.items if pending is None else pending.items
    facts = _away(draft, block, items, change)
    if new.place == "hex" and new.reduced and not old.reduced:
        facts.append(Fact("lose", unit, [], origin))
    elif new.place == "hex" and old.reduced and not new.reduced and not _taken_back(items, unit, "lose"):
        draft.comment(origin, unit, message("logs.comment.full"))
    items += [Item(origin, fact, indent=True) for fact in facts]
    if draft.fight.head is None and draft.undeclared is None and (facts or old.hex != new.hex):
        # Nothing was declared or thrown: what happens still has to be told.
        taken = [i for i in block.items if i.fact is not None and i.fact.origin == origin]
        draft.drop(taken)
        draft.undeclared = Undeclared(origin, [], draft.at | {unit: old}, block.clock.side, taken)


def _away(draft: Draft, block: Block, items: list[Item], change: Change) -> list[Fact]:
    """The facts of a counter that is in another place than before."""
    unit, old, new, origin = change.unit, change.old, change.new, change.origin
    match old.place, new.place:
        case "hex", "hex" if old.hex != new.hex:
            last = next((i.fact for i in reversed(of_unit(items, unit)) if i.fact and i.fact.path), None)
            going = last if last is not None and last.path[-1] == old.hex else None
            if going is None:
                going = Fact(_direction(draft, block, unit, new.hex), unit, [old.hex], origin)
                items.append(Item(origin, going, indent=True))
            lead_on(draft, items, going, new.hex)
        case "hex", "dead":
            return [Fact("eliminate", unit, [], origin)]
        case "hex", "left":
            return [Fact("retreat", unit, [old.hex], origin, way_out(draft.scenario, old.hex))]
        case "dead", "hex" if _taken_back(items, unit, "eliminate"):
            pass
        case a, b if a != b:
            draft.comment_place(change)
    return []


def _taken_back(items: list[Item], unit: str, kind: Kind) -> bool:
    """Whether there were facts of a kind, which are no more."""
    gone = [i for i in of_unit(items, unit) if i.fact and i.fact.kind == kind]
    items[:] = without(items, gone)
    return bool(gone)


def _direction(draft: Draft, block: Block, unit: str, hex_: str) -> Kind:
    if draft.sides.get(unit) != block.clock.side:
        return "retreat"
    if draft.fight.head is not None:
        return "advance" if hex_ in draft.fight.head.targets else "retreat"
    emptied = draft.undeclared.emptied(draft.sides, draft.at) if draft.undeclared is not None else ()
    return "advance" if hex_ in emptied else "retreat"


# -------------------------------------------------------------------------------------------- dice


def air_spent(draft: Draft, event: Event) -> None:
    """The module's count of air points went down, or up again."""
    try:
        change = int(event.before or "") - int(event.after or "")
    except ValueError:
        return
    if draft.fight.head is not None and not isinstance(draft.fight.head, st.AirStrike):
        draft.fight.air += change


def dice(draft: Draft, event: Event, origin: Origin, *, typed: bool) -> None:
    """Dice were thrown. `typed`: the same action tells what they show."""
    block, fight = draft.block(origin), draft.fight
    faces = list(event.numbers)
    if not all(1 <= n <= 6 for n in faces) or len(faces) > MAX_DICE:
        draft.comment(origin, event.text, faces_told(faces))
        return
    if block.clock.phase == "movement" and fight.head is None:
        if not typed:
            _movement_die(draft, block, event, origin)
        return
    if typed and fight.head is None:
        return
    fight.thrown += faces
    if len(fight.thrown) < COMBAT_DICE:
        return
    thrown, fight.thrown = fight.thrown, []
    if fight.head is None or fight.rolled:
        close_combat(draft)
        draft.undeclared = Undeclared(origin, thrown, dict(draft.at), block.clock.side, [])
        return
    fight.rolled = thrown
    if fight.typed is not None:
        compare(draft, fight.typed, origin)
        return
    if fight.air > 0 and not fight.air_told:
        block.items.append(Item(origin, st.AirSupport(0, fight.air), indent=True))
        fight.air_told = True
    block.items.append(Item(origin, st.Roll(0, tuple(thrown)), indent=True))


def compare(draft: Draft, typed: st.Roll, origin: Origin) -> None:
    """A roll that was typed, against the dice that the log shows."""
    thrown = draft.fight.rolled
    if sorted(typed.faces) != sorted(thrown):
        told = {"typed": faces_told(typed.faces), "thrown": faces_told(thrown)}
        draft.noted.append(note(origin, "other-dice", **told))


def _movement_die(draft: Draft, block: Block, event: Event, origin: Origin) -> None:
    waiting = next((i for i in reversed(block.items) if _lacks_roll(i.statement)), None)
    by_die = any(row.die is not None for row in draft.scenario.tables.air)
    first = draft.scenario.game.sequence[0]
    opens = (block.clock.side, block.clock.phase) == (first.side, first.phase)
    given = any(isinstance(i.statement, st.AirRoll) for i in block.items)
    if len(event.numbers) == 1 and waiting is not None and isinstance(waiting.what, st.ClearTrail):
        waiting.what = replace(waiting.what, roll=event.numbers[0])
    elif len(event.numbers) == 1 and by_die and opens and not given:
        block.items.append(Item(origin, st.AirRoll(0, event.numbers[0])))
    else:
        draft.comment(origin, event.text, faces_told(event.numbers))


def _lacks_roll(statement: st.Statement | None) -> bool:
    return isinstance(statement, st.ClearTrail) and statement.roll is None
