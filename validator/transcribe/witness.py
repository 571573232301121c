"""The position is the witness: at the end of every phase the referee's position is held against the log's own.

Whatever nobody told of, and no rule of the game did, shows there. It becomes a line of the sheet, which the referee
judges and goes on from, so that the two positions are one again when the next phase begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Final, cast

from hexforge.scenarios.words import message
from hexforge.validator.readers import statements as st
from hexforge.validator.readers.sheet import sheet_of
from hexforge.validator.readers.words import vocabulary_of
from hexforge.validator.readers.writer import write_statement
from hexforge.validator.referee.opening import open_game
from hexforge.validator.referee.replay import judge_once
from hexforge.validator.transcribe.blocks import Block, Item
from hexforge.validator.transcribe.draft import Draft, found_line, remark
from hexforge.validator.transcribe.noted import note_on

if TYPE_CHECKING:
    from hexforge.validator.referee.context import Context
    from hexforge.validator.referee.findings import Finding
    from hexforge.validator.referee.state import Position, UnitState
    from hexforge.validator.transcribe.spots import Spot

_WEIGHT: Final = {"illegal": 2, "doubtful": 1}
_WAITS: Final = ("", "absent", "due")
_AWAY: Final = ("withdrawn", "exited", "retreated")


def witnessed(draft: Draft, outline: Sequence[Item], *, cut: bool = False) -> list[Item]:
    """All lines of a sheet, with those that say where counters stand which no other line brought there.

    `cut`: the last log breaks off, and what it told may have been done in what is lost of it.
    """
    told = [[Item(block.origin, ""), *block.told()] for block in draft.blocks]
    flat = [*outline, *chain.from_iterable(told), *draft.scores]
    vocabulary = vocabulary_of(draft.scenario)
    texts = [(write_statement(s, words=vocabulary) if (s := i.statement) else _unread(i), s) for i in flat]
    sheet = sheet_of(texts, "", vocabulary)
    by_line = {s.line: s for s in sheet.statements}
    ctx, position, _ = open_game(draft.scenario, sheet, {})
    witness = _Witness(draft, ctx, position)
    witness.begin()
    line = len(outline)
    played: list[Item] = []
    for block, items in zip(draft.blocks, told, strict=True):
        for number, item in enumerate(items, line + 1):
            played.append(witness.play(by_line[number], item) if number in by_line else item)
        line += len(items)
        played += witness.end(block) if not cut or block is not draft.blocks[-1] else []
    return [*outline, *_flat(played), *draft.scores]


def _unread(item: Item) -> str:
    return item.what if isinstance(item.what, str) else "#"


def _flat(lines: Iterable[Item]) -> Iterator[Item]:
    for item in lines:
        yield from (*item.before, replace(item, before=()))


@dataclass
class _Witness:
    """The referee at one place of the game. `known` are differences that stand, and how the log shows the unit."""

    draft: Draft
    ctx: Context
    position: Position
    known: dict[str, Spot] = field(default_factory=dict)

    def begin(self) -> None:
        """How the game begins is told as well as a sheet can; what differs there is no doing of the players."""
        self.known = dict(self._differences(self.draft.started.at))

    def play(self, s: st.Statement, item: Item) -> Item:
        """Judge a statement and go on from it; of one that was read from drags, the reading that is lawful.

        A counter that the players take off after the rules have withdrawn its unit makes no exit of its own.
        """
        if isinstance(s, st.Exit) and item.read and self._withdrawn(s.units):
            return replace(item, what=remark(" ".join(s.units), message("logs.comment.withdrawn")))
        best, said, weight = judge_once(self.ctx, self.position, s), item, 0
        if item.read:
            weight = _weight(best.findings, s.line)
            for other, told in self._otherwise(s, best.findings) if weight else ():
                outcome = judge_once(self.ctx, self.position, other)
                if _weight(outcome.findings, s.line) < weight:
                    best, weight = outcome, _weight(outcome.findings, s.line)
                    said = replace(item, what=replace(other, line=0), before=told(item))
        self.position = best.position
        return said

    def _withdrawn(self, units: Iterable[str]) -> bool:
        states = self.position.units
        return all(u in states and states[u].where == "withdrawn" for u in units)

    def _otherwise(self, s: st.Statement, found: Sequence[Finding]) -> Iterator[tuple[st.Statement, _Remarks]]:
        """Other readings of what was dragged: by rail; straight from where it stood to where it stands, for a hex
        between may have been a slip.

        A way that was dragged from hex to hex is the way that was gone, unless all that is wrong with it is its
        length.
        """
        rail = self.ctx.movement.railway
        match s:
            case st.Move(path=path):
                direct = replace(s, path=(path[0], st.OPEN, path[-1]))
                if rail is not None:
                    yield st.RailMove(s.line, s.units, _opened(path)), _nothing
                codes = {f.code for f in found if f.line == s.line and f.severity in _WEIGHT}
                stops = [h for h in path if h != st.OPEN]
                if len(stops) > 2 and (st.OPEN in path or codes == {"movement-cost"}):
                    yield direct, _dropped
                    if rail is not None:
                        yield st.RailMove(s.line, s.units, direct.path), _dropped
            case st.Enter(path=path, by=None, edge=edge):
                for other in self._edges(path[0], edge):
                    yield replace(s, edge=other), _nothing
                if rail is not None and len(path) > 1:
                    yield replace(s, path=_opened(path), by=rail.way), _nothing
            case st.Exit(path=path, edge=edge):
                for other in self._edges(path[-1], edge):
                    yield replace(s, edge=other), _nothing

    def _edges(self, hex_: str, known: str | None) -> Iterator[st.EdgeName]:
        """The other edges that a hex in a corner of the map lies on."""
        for edge, hexes in self.draft.scenario.map.edges.items():
            if hex_ in hexes and edge != known:
                yield cast("st.EdgeName", edge)

    def end(self, block: Block) -> list[Item]:
        """The phase is over: lines for the counters that stand otherwise than all lines so far have it."""
        found: list[Item] = []
        still: list[str] = []
        differ = dict(self._differences(block.end))
        for unit, spot in differ.items():
            if self.known.get(unit) == spot:
                continue
            if self.position.units[unit].where == "withdrawn":
                still.append(unit)
                continue
            origin = block.changed.get(unit, block.origin)
            item = found_line(self.draft, unit, spot, origin)
            if item is not None and item.statement is not None:
                found.append(item)
                self.position = judge_once(self.ctx, self.position, item.statement).position
        if still:
            self.draft.noted.append(note_on(block.origin, "still-there", still))
        self.known = {u: s for u, s in differ.items() if u in still or self.known.get(u) == s}
        return found

    def _differences(self, at: Mapping[str, Spot]) -> Iterator[tuple[str, Spot]]:
        order = {u: i for i, u in enumerate(self.ctx.units)}
        for unit in sorted(set(at) & set(self.position.units), key=order.__getitem__):
            if _differs(at[unit], self.position.units[unit]):
                yield unit, at[unit]


def _differs(spot: Spot, state: UnitState) -> bool:
    """Whether a counter stands in another place, or on another side, than the referee has it."""
    if spot.place == "hex" or state.hex is not None:
        step = state.step == "reduced"
        return (spot.hex or None, spot.reduced and spot.place == "hex") != (
            state.hex,
            step and state.hex is not None,
        )
    if spot.place == "dead":
        return state.where in _WAITS
    if spot.place in ("reserve", "beside"):
        return state.where == "eliminated"
    return spot.place == "left" and state.where in _WAITS


def _weight(findings: Iterable[Finding], line: int) -> int:
    return max((_WEIGHT.get(f.severity, 0) for f in findings if f.line == line), default=0)


def _opened(path: Sequence[str]) -> tuple[str, ...]:
    """A way with all stretches left open between the hexes that a counter was dropped in."""
    hexes = [h for h in path if h != st.OPEN]
    return tuple(w for h in hexes for w in (st.OPEN, h))[1:]


class _Remarks:
    """What is said beside another reading."""

    def __init__(self, key: str = "") -> None:
        self.key = key

    def __call__(self, item: Item) -> tuple[Item, ...]:
        s = item.statement
        if not self.key or not isinstance(s, st.Move):
            return ()
        by = " ".join(h for h in s.path[1:-1] if h != st.OPEN)
        return (replace(item, what=remark(" ".join(s.units), message("logs.comment.dropped", hexes=by))),)


_nothing: Final = _Remarks()
_dropped: Final = _Remarks("dropped")
