"""Lines that players typed, as they come into the sheet.

A typed line and the drag that carries it out are one, in either order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hexforge.scenarios.words import message
from hexforge.validator.readers import statements as st
from hexforge.validator.transcribe.blocks import Block, Item, of_unit
from hexforge.validator.transcribe.draft import Draft, remark
from hexforge.validator.transcribe.fights import close_combat, compare
from hexforge.validator.transcribe.noted import Origin
from hexforge.validator.transcribe.outcomes import outcome_of
from hexforge.validator.transcribe.spots import Clock, Spot
from hexforge.validator.transcribe.typed import Typed, units_of


def take(draft: Draft, line: Typed, origin: Origin, before: Mapping[str, Spot]) -> None:
    """A typed line. `before`: where all stood before the action that it is part of."""
    match line.statement:
        case None:
            draft.last.append(Item(origin, line.text))
        case st.TurnStart() as turn:
            _take_turn(draft, turn, origin)
        case st.Header() as s if not line.marked or not draft.blocks:
            if isinstance(s, st.UnitDefinition):
                draft.sides[s.unit] = s.side
            indent = isinstance(s, st.Placement | st.MarkerPlacement | st.UnitStatus)
            draft.header.append(Item(origin, s, indent=indent))
        case st.Score() as s if not line.marked:
            draft.scores.append(Item(origin, s))
        case s:
            _take_play(draft, s, origin, before, reported=line.reported)


def close(draft: Draft) -> None:
    """The phase, or the combat in it, is over."""
    close_combat(draft)
    items = draft.blocks[-1].items if draft.blocks else []
    for unit, (_, at) in draft.wanted.items():
        if at < len(items):
            items.append(Item(items[at].origin, remark(unit, message("logs.comment.not-moved"))))
    draft.wanted.clear()


def _take_turn(draft: Draft, turn: st.TurnStart, origin: Origin) -> None:
    clock, blocks = Clock(turn.number, turn.side, turn.phase), draft.blocks
    if blocks and blocks[-1].clock == clock and not blocks[-1].given:
        blocks[-1].given = True
    else:
        close(draft)
        if blocks and blocks[-1].empty and not blocks[-1].items:
            blocks.pop()
        blocks.append(Block(clock, origin, given=True))
    draft.clock = clock


def _take_play(
    draft: Draft, s: st.Statement, origin: Origin, before: Mapping[str, Spot], *, reported: bool
) -> None:
    items = draft.block(origin).items
    if reported and _joined(draft, s):
        return
    draft.gathered = None
    if isinstance(s, st.Act):
        item = Item(origin, s, indent=True)
        _take_act(draft, s, item)
        if reported and isinstance(s, st.Attack | st.Support | st.Guard) and items and items[-1] is item:
            draft.gathered = (item, s)
    else:
        # A typed line of another kind ends the combat before it.
        close_combat(draft)
        if isinstance(s, st.Engagement):
            draft.fight.head = s
        items.append(Item(origin, s))
    _expect(draft, s, before)


def _take_act(draft: Draft, s: st.Act, item: Item) -> None:
    if draft.undeclared is not None and draft.fight.head is None:
        draft.undeclared.items.append(item)
        return
    draft.block(item.origin).items.append(item)
    if isinstance(s, st.Roll):
        draft.fight.typed = s
        if draft.fight.rolled:
            compare(draft, s, item.origin)
    elif isinstance(s, st.AirSupport):
        draft.fight.air_told = True


def _joined(draft: Draft, s: st.Statement) -> bool:
    """Whether a declaration from a counter's menu belongs to the one before it, of another counter."""
    items, head = draft.blocks[-1].items, draft.fight.head
    if isinstance(s, st.Combat) and isinstance(head, st.Combat) and not draft.fight.rolled:
        item = next((i for i in reversed(items) if not i.indent and i.fact is None), None)
        fresh = item is not None and items[-1] is item and isinstance(item.what, st.Combat)
        if s.targets[0] in head.targets and (fresh or draft.gathered is not None):
            return True
        if fresh and item is not None:
            item.what = draft.fight.head = replace(head, targets=(*head.targets, *s.targets))
            return True
    if draft.gathered is None:
        return False
    item, old = draft.gathered
    if type(s) is not type(old) or not isinstance(s, st.Attack | st.Support | st.Guard):
        return False
    new = replace(s, units=tuple(dict.fromkeys((*old.units, *s.units))))
    item.what = new
    draft.gathered = (item, new)
    return True


def _expect(draft: Draft, s: st.Statement, before: Mapping[str, Spot]) -> None:
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
