"""Results that were carried out after the tracker had gone on: read as those of the combat that they belong to.

Whoever sets the tracker on too early does nobody wrong by it. What is done then to counters that fought is tried as
the end of that combat, and stays there where less is found fault with so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexforge.validator.readers import statements as st
from hexforge.validator.transcribe.chain import Chain, LogRead, Told
from hexforge.validator.transcribe.noted import Noted, Origin, note_on

if TYPE_CHECKING:
    from hexforge.validator.transcribe.blocks import Block
    from hexforge.validator.transcribe.draft import Draft
    from hexforge.validator.transcribe.entries import Change

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


def late(draft: Draft) -> list[Late]:
    """What may have been carried out late, what no phase of movement has first."""
    found: list[Late] = []
    for before, block in zip(draft.blocks, draft.blocks[1:], strict=False):
        if block.clock.phase != "combat":
            found += _in_block(draft, before, block)
    return sorted(found, key=lambda one: not one.owed)[:MOST]


def _in_block(draft: Draft, before: Block, block: Block) -> Iterator[Late]:
    fought = _fought(draft, before)
    steps: dict[Origin, list[Change]] = {}
    for change in block.happened:
        steps.setdefault(change.origin, []).append(change)
    acted: set[str] = set()
    groups: dict[tuple[str, bool], dict[Origin, tuple[str, ...]]] = {}
    for origin, changes in steps.items():
        units = tuple(c.unit for c in changes)
        kinds = {_kind(draft, before, block, c, first=not acted) for c in changes}
        of_them = fought >= set(units) and acted.isdisjoint(units) and origin.log == block.origin.log
        if not of_them or len(kinds) > 1 or None in kinds:
            acted |= set(units)
            continue
        owed = bool(kinds.pop())
        stood = block.begin.get(units[0])
        groups.setdefault((stood.hex if stood else "", owed), {})[origin] = units
    for (_, owed), found in groups.items():
        yield Late(found, block.origin, owed)


def _fought(draft: Draft, before: Block) -> frozenset[str]:
    """The counters of the combats of a phase."""
    said = [item.statement for item in before.items]
    targets = {h for s in said if isinstance(s, st.Engagement) for h in s.targets}
    named = {u for s in said if isinstance(s, st.Attack | st.Support | st.Guard) for u in s.units}
    held = {
        u for u, spot in before.begin.items() if spot.hex in targets and draft.sides.get(u) != before.clock.side
    }
    return frozenset(named | held)


def _kind(draft: Draft, before: Block, block: Block, change: Change, *, first: bool) -> bool | None:
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


def put_back(chain: Chain, taken: Collection[Late]) -> Chain:
    """The chain as if those actions had been taken before the tracker went on."""
    return replace(chain, logs=tuple(_put_back(log, taken) for log in chain.logs))


def _put_back(log: LogRead, taken: Collection[Late]) -> LogRead:
    late_ones = {origin: one.turn for one in taken for origin in one.steps}
    if not any(told.origin in late_ones for told in log.told):
        return log
    by_turn: dict[Origin, list[Told]] = {}
    for told in log.told:
        if told.origin in late_ones:
            by_turn.setdefault(late_ones[told.origin], []).append(told)
    order: list[Told] = []
    for told in log.told:
        if told.origin in late_ones:
            continue
        order += [*by_turn.pop(told.origin, ()), told]
    return replace(log, told=tuple(order))
