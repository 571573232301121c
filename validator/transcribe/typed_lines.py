"""Lines that players typed, as they come into the sheet.

A typed line and the drag that carries it out are one, in either order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from hexforge.scenarios.words import message
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.transcribe.blocks import Item, PhaseBlock, of_unit
from hexforge.validator.transcribe.draft import SheetDraft, remark
from hexforge.validator.transcribe.entries import LogEntry
from hexforge.validator.transcribe.fights import close_combat
from hexforge.validator.transcribe.noted import Origin, note, note_on
from hexforge.validator.transcribe.outcomes import outcome_of
from hexforge.validator.transcribe.spots import Spot, TrackerReading, coming
from hexforge.validator.transcribe.typed import TypedLine, units_of

_SHOWN: Final = 200
"""Characters of a line that are quoted."""
_GROUND: Final = (
    st.MapBlank,
    st.TerrainEdit,
    st.PlaceName,
    st.WayEdit,
    st.FortifiedHexes,
    st.HexsideEdit,
    st.BridgeEdit,
    st.AreaEdit,
    st.Naming,
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
        case st.TurnStart() as turn:
            _take_turn(draft, turn, origin)
        case st.Header() as s if _said_before(draft, s):
            pass
        case st.Header() as s if why := _not_for_a_log(draft, s):
            draft.tell(Item(origin, message("logs.comment.not-taken", text=line.text[:_SHOWN])))
            draft.noted.append(note(origin, why, text=line.text[:_SHOWN]))
        case st.Header() as s if not line.marked or not (draft.blocks and _written_out(draft)):
            if isinstance(s, st.UnitDefinition):
                draft.sides[s.unit] = s.side
            if isinstance(s, st.Partial) and not _written_out(draft):
                draft.noted.append(note(origin, "partial-said", text=line.text[:_SHOWN]))
            indent = isinstance(s, st.Placement | st.MarkerPlacement | st.UnitStatus)
            draft.header.append(Item(origin, s, indent=indent))
        case st.Score() as s if not line.marked:
            draft.scores.append(Item(origin, s))
        case s:
            take_play(draft, s, origin, before, reported=line.reported)


def _written_out(draft: SheetDraft) -> bool:
    """Whether the chat holds a whole sheet, header and all, which stands as it is."""
    return any(isinstance(item.what, st.SheetVersion) for item in draft.header)


def _not_for_a_log(draft: SheetDraft, s: st.Header) -> str:
    """Why a line that belongs above the first turn is not taken from the chat of a log; empty where it is.

    Nobody changes by a line of chat the map on which both play or what stands on it, nor, once play has begun, what
    it is judged by.
    """
    if _written_out(draft) or (isinstance(s, st.SheetVersion) and not draft.blocks):
        return ""
    laid_out = any(isinstance(item.what, st.PositionStart | st.SetupStart) for item in draft.header)
    if isinstance(s, _GROUND) or (isinstance(s, st.Positioned) and not (laid_out or isinstance(s, st.UnitStatus))):
        return "ruled-in-log"
    over = len(draft.blocks) > 1 if isinstance(s, st.Partial) else bool(draft.blocks)
    return "said-late" if over and not isinstance(s, st.Players | st.GameName) else ""


def _said_before(draft: SheetDraft, s: st.Header) -> bool:
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


def _take_turn(draft: SheetDraft, turn: st.TurnStart, origin: Origin) -> None:
    said, blocks = TrackerReading(turn.number, turn.side, turn.phase), draft.blocks
    draft.begun = True
    # Of several phases of a kind the line does not say which: the one that is being played, or the next.
    here = said == replace(draft.clock, number=1) and not (blocks and blocks[-1].given)
    clock = draft.clock if here else coming(said, draft.clock, draft.scenario)
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
    s: st.Statement,
    origin: Origin,
    before: Mapping[str, Spot] = _NOBODY,
    *,
    reported: bool = False,
) -> None:
    """A line of play: into the phase, or kept for its end where the phase is one of combat."""
    block = draft.block(origin)
    if block.clock.phase == "movement" and not isinstance(s, st.Act | st.Engagement):
        # A typed line of another kind ends a combat that was declared in a movement phase.
        close_combat(draft)
    if draft.fighting or isinstance(s, st.Engagement):
        draft.keep(LogEntry(origin, s, reported, dict(before)))
        return
    block.items.append(Item(origin, s, indent=isinstance(s, st.Act)))
    _expect(draft, s, before)


def _expect(draft: SheetDraft, s: st.Statement, before: Mapping[str, Spot]) -> None:
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
