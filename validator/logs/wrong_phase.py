"""What was done on the wrong side of the tracker: read in the phase that it belongs to.

Whoever sets the tracker on too early, or forgets to, does nobody wrong by it. What is done to counters that fought,
after it went on, is tried as the end of that combat; combats before it went on to their phase are tried in that. It
stays so where less is found fault with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Final

from ...modulegen.vassal.story import Action, Event
from ...scenarios.text.words import Param, Term
from ..notation import base, statements
from .blocks import PhaseBlock
from .chain import Chain
from .legs import ActionTold, LogRead, hand_of
from .locations import Noted, Origin, TrackerReading, note, note_on, place_of, reading_at, write_clock

if TYPE_CHECKING:
    from .blocks import CounterChange
    from .draft import SheetDraft


MOST: Final = 12
"""Groups of counters that are tried, each of which has the whole game judged once more."""


@dataclass(frozen=True)
class Late:
    """What was done to counters from one hex too late. `steps` are its actions, `turn` the one that went on.

    `units` by step; `owed`: no phase of movement has anything of the kind.
    """

    steps: Mapping[Origin, tuple[str, ...]]
    turn: Origin
    owed: bool

    def notes(self) -> Iterator[Noted]:
        """What is told of it."""
        for origin, units in self.steps.items():
            yield note_on(origin, "carried-late", units)


@dataclass(frozen=True)
class Forgotten:
    """A tracker that went on to the combats (`turn`) only after the first of them (`fought`), against `targets`.

    `turn` is None where it never did; `state` is what it then should have shown.
    """

    turn: Origin | None
    fought: Origin
    targets: tuple[str, ...]
    state: str

    def notes(self) -> Iterator[Noted]:
        """What is told of it."""
        yield note(self.fought, "fought-early", targets=" ".join(self.targets))


Amiss = Late | Forgotten


def amiss(draft: SheetDraft) -> list[Amiss]:
    """What may have been done on the wrong side of the tracker."""
    found: list[Amiss] = [*_forgotten(draft), *late(draft)]
    return found[:MOST]


def _forgotten(draft: SheetDraft) -> Iterator[Forgotten]:
    blocks = [*draft.blocks, draft.rests] if draft.rests else draft.blocks
    for before, block in zip_longest(blocks, blocks[1:]):
        combats = _combats_after(draft, before.clock)
        fought = [i for i in before.items if isinstance(i.statement, statements.Engagement | base.Act)]
        targets = [h for i in fought if isinstance(i.statement, statements.Engagement) for h in i.statement.targets]
        if combats is None or not targets:
            continue
        log = fought[0].origin.log
        first = min((i.origin for i in fought if i.origin.log == log), key=lambda at: at.step)
        late = block is not None and block.clock == combats and block.origin.log == log
        alone = {i.origin.log for i in fought} == {log}
        state = write_clock(combats, draft.scenario)
        if state is not None:
            turn = block.origin if block is not None and late and alone else None
            yield Forgotten(turn, first, tuple(dict.fromkeys(targets)), state)


def _combats_after(draft: SheetDraft, clock: TrackerReading) -> TrackerReading | None:
    """The phase of combat that follows upon a phase of the same side; None where none does."""
    sequence, place = draft.scenario.game.sequence, place_of(clock, draft.scenario)
    for i in range(place + 1, len(sequence)) if place is not None else ():
        after = sequence[i]
        if (after.side, after.phase) != (clock.side, clock.phase):
            found = after.side == clock.side and after.phase == "combat" != clock.phase
            return reading_at(clock.turn, i, draft.scenario) if found else None
    return None


def late(draft: SheetDraft) -> list[Late]:
    """What may have been carried out late, what no phase of movement has first."""
    found: list[Late] = []
    for before, block in pairwise(draft.blocks):
        if block.clock.phase != "combat":
            found += _in_block(draft, before, block)
    return sorted(found, key=lambda one: not one.owed)


def _in_block(draft: SheetDraft, before: PhaseBlock, block: PhaseBlock) -> Iterator[Late]:
    fought = _fought(draft, before)
    steps: dict[Origin, list[CounterChange]] = {}
    for change in block.happened:
        steps.setdefault(change.origin, []).append(change)
    acted: set[str] = set()
    groups: dict[tuple[str, bool], dict[Origin, tuple[str, ...]]] = {}
    for origin, changes in steps.items():
        units = tuple(c.unit for c in changes)
        kinds = {_kind(draft, before, block, c, first=not acted) for c in changes}
        of_them = fought >= set(units) and acted.isdisjoint(units)
        if not of_them or len(kinds) > 1 or None in kinds:
            acted |= set(units)
            continue
        owed = bool(kinds.pop())
        stood = block.begin.get(units[0])
        groups.setdefault((stood.hex if stood else "", owed), {})[origin] = units
    for (_, owed), found in groups.items():
        yield Late(found, block.origin, owed)


def _fought(draft: SheetDraft, before: PhaseBlock) -> frozenset[str]:
    """The counters of the combats of a phase."""
    said = [item.statement for item in before.items]
    targets = {h for s in said if isinstance(s, statements.Engagement) for h in s.targets}
    named = {
        u for s in said if isinstance(s, statements.Attack | statements.Support | statements.Guard) for u in s.units
    }
    held = {
        u for u, spot in before.begin.items() if spot.hex in targets and draft.sides.get(u) != before.clock.side
    }
    return frozenset(named | held)


def _kind(
    draft: SheetDraft, before: PhaseBlock, block: PhaseBlock, change: CounterChange, *, first: bool
) -> bool | None:
    """Whether nobody may do such a thing in that phase; None for what is no result of a combat.

    Who follows up may do so only before anything else is done.
    """
    old, new = change.old, change.new
    side = draft.sides.get(change.unit)
    if old.place != "hex" or new.place not in ("hex", "dead", "left"):
        return None
    if new.place == "dead" or (old.hex == new.hex and new.reduced > old.reduced):
        return True
    if new.place == "left" or old.hex == new.hex:
        return True if new.place == "left" and side != block.clock.side else None
    if side == before.clock.side and not first:
        return None
    if side != block.clock.side:
        return True
    return False if draft.grid.adjacent(old.hex, new.hex) else None


def passed_for(draft: SheetDraft, chain: Chain) -> Iterator[Noted]:
    """Logs in which one player goes through phases of another side, from their beginning to their end.

    Who plays both sides alone does so all the time, and moves the counters of both.
    """
    sides = {name: draft.marks.sides.get(side) for log in chain.logs for name, side in log.end.players}
    alone = len({hand_of(log) for log in chain.logs}) == 1
    blocks = [*draft.blocks, draft.rests] if draft.rests else draft.blocks
    for log in chain.logs:
        hand = hand_of(log)
        own, found = sides.get(hand), list[PhaseBlock]()
        for block, after in pairwise(blocks) if own is not None else ():
            acted = {
                t.action.player for t in log.told if block.origin.step <= t.origin.step <= after.origin.step
            } - {"", hand}
            through = block.origin.log == after.origin.log == log.name and block.origin.step
            if through and block.clock.side != own and not acted:
                found.append(block)
        if found and not (alone and any(block.happened or not block.empty for block in found)):
            told: dict[str, Param] = {"who": hand, "side": Term("sides", own or ""), "count": len(found)}
            yield note(found[0].origin, "passed-for", **told)


def put_back(chain: Chain, taken: Collection[Amiss]) -> Chain:
    """The chain as if the tracker had gone on when it should."""
    forgotten = [one for one in taken if isinstance(one, Forgotten)]
    on = {one.turn: one.fought for one in forgotten if one.turn is not None}
    logs = tuple(replace(log, told=_turned_first(log.told, on)) for log in chain.logs) if on else chain.logs
    for one in forgotten:
        logs = _turned(logs, one) if one.turn is None else logs
    outcomes = [one for one in taken if isinstance(one, Late)]
    return _carried_before(replace(chain, logs=logs), outcomes) if outcomes else replace(chain, logs=logs)


def _turned(logs: Sequence[LogRead], one: Forgotten) -> tuple[LogRead, ...]:
    """Logs with a tracker that goes on before the first combat, and shows so until it is really set."""
    found: list[LogRead] = []
    shown: str | None = None
    for log in logs:
        if shown is not None and shown in log.start.turns.values():
            turns = {name: one.state if state == shown else state for name, state in log.start.turns.items()}
            found.append(replace(log, start=replace(log.start, turns=turns)))
        else:
            found.append(log)
            shown = None
        if log.name == one.fought.log:
            at = next(i for i, told in enumerate(log.told) if told.origin == one.fought)
            turn = ActionTold(one.fought, Action(one.fought.step, events=(Event("turn", after=one.state),)))
            found[-1] = replace(log, told=(*log.told[:at], turn, *log.told[at:]))
            later = (event.kind for told in log.told[at:] for event in told.action.events)
            shown = next(iter(log.end.turns.values()), None) if "turn" not in later else None
    return tuple(found)


def _turned_first(told: Sequence[ActionTold], on: Mapping[Origin, Origin]) -> tuple[ActionTold, ...]:
    """Actions with those that set the tracker on before the first combat."""
    turns = {on[one.origin]: one for one in told if one.origin in on}
    order: list[ActionTold] = []
    for one in told:
        if one.origin not in on:
            order += [turns[one.origin], one] if one.origin in turns else [one]
    return tuple(order)


def _carried_before(chain: Chain, taken: Collection[Late]) -> Chain:
    moved: dict[Origin, list[ActionTold]] = {}
    turns = {origin: one.turn for one in taken for origin in one.steps}
    for told in (told for log in chain.logs for told in log.told):
        if told.origin in turns:
            moved.setdefault(turns[told.origin], []).append(told)
    return replace(chain, logs=tuple(_with(chain, i, taken, moved) for i in range(len(chain.logs))))


def _with(
    chain: Chain, number: int, taken: Collection[Late], moved: Mapping[Origin, Sequence[ActionTold]]
) -> LogRead:
    log, order = chain.logs[number], []
    gone = {told.origin for several in moved.values() for told in several}
    for told in log.told:
        if told.origin not in gone:
            order += [*moved.get(told.origin, ()), told]
    for later in chain.logs[number + 1 : number + 2]:
        # Where the tracker went on between two logs.
        order += moved.get(Origin(later.name, 0), ())
    early = {
        unit
        for one in taken
        for origin, units in one.steps.items()
        if origin.log == log.name and (one.turn.log != log.name or not one.turn.step)
        for unit in units
    }
    return replace(log, told=tuple(order), early=frozenset(early))
