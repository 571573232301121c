"""What happens to counters in a movement phase, as lines of a sheet."""

from __future__ import annotations

from dataclasses import replace

from hexforge.scenarios.words import message
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.transcribe.blocks import CounterFact, Item, PhaseBlock, of_unit
from hexforge.validator.transcribe.draft import SheetDraft, lead_on, remark
from hexforge.validator.transcribe.entries import CounterChange
from hexforge.validator.transcribe.passages import edges_of, group_of, way_in, way_out
from hexforge.validator.transcribe.spots import Spot


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
    draft: SheetDraft, block: PhaseBlock, unit: str, first: str, edge: st.EdgeName | None
) -> st.EdgeName | None:
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
