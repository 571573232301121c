"""The position is the witness: at the end of every phase the referee's position is held against the log's own.

Whatever nobody told of, and no rule of the game did, shows there. It becomes a line of the sheet, which the referee
judges and goes on from, so that the two positions are one again when the next phase begins.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from ...scenarios.text.words import message
from ..logs.draft import SheetDraft
from ..logs.locations import Laid, Origin
from ..notation import base, kinds, statements
from ..notation.vocabulary import vocabulary_of, write_statement
from ..reading.sheet import sheet_of
from ..rules.opening import open_game
from .replay import judge_once

if TYPE_CHECKING:
    from ..logs.blocks import Item, PhaseBlock
    from ..logs.locations import Spot
    from ..rules.context import Context
    from ..rules.findings import Finding
    from ..rules.position import Position, UnitState


_WEIGHT: Final = {"illegal": 2, "doubtful": 1}
_NO_WEIGHT: Final = (0, 0)
_READINGS: Final = 20
"""More lines of one statement than there are counters that fight together are not read otherwise."""
_START: Final = Origin("", 0)
_WAITS: Final = ("", "absent", "due")
_WAYS: Final = (statements.Move, statements.Enter)


Weight = tuple[int, int]
"""What tells against some lines: the worst of it, and how much."""


def witnessed(draft: SheetDraft, outline: Sequence[Item], *, cut: bool = False) -> tuple[list[Item], Weight]:
    """All lines of a sheet, with those that say where counters stand which no other line brought there.

    `cut`: the last log breaks off. The second value is what tells against all of them.
    """
    from ..logs.blocks import Item

    told = [[Item(block.origin, ""), *block.lines_in_order()] for block in draft.blocks]
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
        for statement, lines in _by_statement(items, line + 1, by_line):
            played += witness.play(statement, lines) if statement is not None else lines
        line += len(items)
        played += witness.end(block, cut=cut and block is draft.blocks[-1])
        witness.look_at(block.laid, block.changed)
    witness.look_at(draft.laid, draft.changed, whole=True)
    return [*outline, *_flat(played), *draft.scores], witness.against


def _by_statement(
    items: Sequence[Item], first: int, by_line: Mapping[int, base.Statement]
) -> Iterator[tuple[base.Statement | None, list[Item]]]:
    """Lines, the first of them numbered `first`, by the statements that they say; None for those before any."""
    statement: base.Statement | None = None
    lines: list[Item] = []
    for number, item in enumerate(items, first):
        if number in by_line:
            yield statement, lines
            statement, lines = by_line[number], []
        lines.append(item)
    yield statement, lines


def _unread(item: Item) -> str:
    return item.what if isinstance(item.what, str) else "#"


def _flat(lines: Iterable[Item]) -> Iterator[Item]:
    for item in lines:
        yield from (*item.before, replace(item, before=()))


@dataclass
class _Witness:
    """The referee at one place of the game. `known` are differences that stand, and how the log shows the unit.

    `laid` are the markers on the map, by piece, as far as they have been looked at; `taken` the units that were
    found off the map.
    """

    draft: SheetDraft
    ctx: Context
    position: Position
    known: dict[str, Spot] = field(default_factory=dict)
    laid: dict[str, Laid] = field(default_factory=dict)
    told: set[Laid] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    against: Weight = _NO_WEIGHT

    def begin(self) -> None:
        """How the game begins is told as well as a sheet can; what differs there is no doing of the players."""
        from ..logs.locations import contradicted

        self.known = dict(self._differences(self.draft.started.at))
        self.laid = started = self.draft.started.laid
        if not self.draft.at_setup:
            self.told = {m for m in started.values() if contradicted(self.ctx, self.position, m, _START)}

    def play(self, s: base.Statement, lines: list[Item]) -> list[Item]:
        """Judge a statement, said by some lines, and go on from it; of what was dragged, the lawful reading."""
        if isinstance(s, statements.Exit | statements.Found) and lines[0].read:
            staying, lines = self._taken_off(s, lines)
            if staying is None:
                return lines
            s = staying
        span = range(s.line, s.line + len(lines))
        best = judge_once(self.ctx, self.position, s)
        weight = _weight(best.findings, span)
        first, wrong = s, best.findings
        for _ in range(_READINGS if any(line.read for line in lines) else 0):
            others = list(self._otherwise(s, lines, best.findings)) if weight > _NO_WEIGHT else []
            judged = [judge_once(self.ctx, self.position, other) for other, _ in others]
            spans = (range(s.line, s.line + len(told)) for _, told in others)
            weights = [_weight(outcome.findings, span) for outcome, span in zip(judged, spans, strict=True)]
            if not others or min(weights) >= weight:
                break
            found = weights.index(min(weights))
            best, weight, (s, lines) = judged[found], weights[found], others[found]
        self._tell_slip(first, s, wrong, lines[0].origin)
        self._go_on(s, best.position)
        self._count(weight)
        return lines

    def _tell_slip(
        self, first: base.Statement, s: base.Statement, wrong: Sequence[Finding], origin: Origin
    ) -> None:
        """Note a way that is judged as if a counter had not been where it was dropped first and might not go on."""
        from ..logs.locations import note_on

        if not (isinstance(first, _WAYS) and isinstance(s, _WAYS)) or kinds.OPEN in first.path:
            return
        by = [h for h in first.path[: -1 if isinstance(s, statements.Enter) else None] if h not in s.path]
        if by and {f.code for f in wrong if f.line == first.line and f.severity in _WEIGHT} != {"movement-cost"}:
            self.draft.noted.append(note_on(origin, "dropped-first", first.units, by))

    def _count(self, weight: Weight) -> None:
        self.against = max(self.against[0], weight[0]), self.against[1] + weight[1]

    def _go_on(self, s: base.Statement, position: Position) -> None:
        self.position = position
        if isinstance(s, statements.Found):
            (self.taken.discard if s.hex or s.lost else self.taken.add)(s.unit)

    def _taken_off(
        self, s: statements.Exit | statements.Found, lines: list[Item]
    ) -> tuple[base.Statement | None, list[Item]]:
        """A statement without the units that the rules have withdrawn, whose counters the players only take off."""
        from ..logs.draft import remark

        units = s.units if isinstance(s, statements.Exit) else (s.unit,) if not s.hex else ()
        gone = tuple(u for u in units if self._withdrawn(u))
        if not gone:
            return s, lines
        told = replace(lines[0], what=remark(" ".join(gone), message("logs.comment.withdrawn")))
        rest = tuple(u for u in units if u not in gone)
        if not isinstance(s, statements.Exit) or not rest:
            return None, [told, *lines[1:]]
        s = replace(s, units=rest)
        return s, [replace(lines[0], what=replace(s, line=0), before=(*lines[0].before, told)), *lines[1:]]

    def _withdrawn(self, unit: str) -> bool:
        """Whether a unit was withdrawn whatever the players do; where one of several goes, they say which."""
        state = self.position.units.get(unit)
        if state is None or state.where != "withdrawn":
            return False
        turn = self.position.turn
        chosen = any(turn in s.turns for s in self.ctx.movement.substitutes)
        return not (chosen and state.left is not None and state.left.turn == turn)

    def _otherwise(
        self, s: base.Statement, lines: list[Item], found: Sequence[Finding]
    ) -> Iterator[tuple[base.Statement, list[Item]]]:
        """Other readings of what was dragged, with the lines that say them."""
        if isinstance(s, statements.Engagement):
            yield from self._given_way(s, lines, found)
        elif lines[0].read:
            for other, told in self._journeys(s, found):
                yield other, [replace(lines[0], what=replace(other, line=0), before=told(lines[0])), *lines[1:]]

    def _given_way(
        self, s: statements.Engagement, lines: list[Item], found: Sequence[Finding]
    ) -> Iterator[tuple[base.Statement, list[Item]]]:
        """A combat with one way that is found fault with read otherwise.

        Who must give way may do so into a hex that he has just emptied, and off the map by each edge of his hex;
        who has done so may have made room for another after that, and then a third had to go before him; a hex in
        which a counter was dropped on its way may have been a slip.
        """
        accused = {f.line for f in found if f.severity in _WEIGHT}
        for act in s.acts:
            if act.line not in accused or not lines[act.line - s.line].read:
                continue
            if isinstance(act, statements.Advance):
                yield _with_act(s, lines, act, statements.Retreat(0, act.units, act.path))
            if isinstance(act, statements.Retreat) and act.edge is None:
                yield from _made_room(s, lines, act)
            if isinstance(act, statements.Retreat):
                dragged = (a for a in s.acts if isinstance(a, statements.Retreat) and lines[a.line - s.line].read)
                for other in dragged:
                    if act.path[0] in other.path[1:-1]:
                        yield from _made_room(s, lines, other)
            if isinstance(act, statements.Retreat) and act.edge is not None:
                for edge in self._edges(act.path[-1], act.edge, retreat=True):
                    yield _with_act(s, lines, act, replace(act, edge=edge))
            if isinstance(act, statements.Retreat | statements.Advance) and len(act.path) > 2:
                direct = (act.path[0], act.path[-1])
                yield _with_act(s, lines, act, replace(act, path=direct), _dropped)
                if act.path[-1] in s.targets:
                    yield _with_act(s, lines, act, statements.Advance(0, act.units, direct), _dropped)

    def _journeys(self, s: base.Statement, found: Sequence[Finding]) -> Iterator[tuple[base.Statement, _Remarks]]:
        """Other readings of a move: straight from start to end, for a hex between may have been a slip; by rail.

        A way that was dragged from hex to hex is the way that was gone, unless it may not be gone and the end of it
        could be reached otherwise. A single drag tells where it ended and nothing of the way, even where that is
        the hex next to it.
        Who may have gone on foot is not said to have gone by rail, for that forbids him what comes after.
        """
        rail = self.ctx.movement.railway
        match s:
            case statements.Move(path=path):
                direct = replace(s, path=(path[0], kinds.OPEN, path[-1]))
                codes = {f.code for f in found if f.line == s.line and f.severity in _WEIGHT}
                stops = [h for h in path if h != kinds.OPEN]
                if len(stops) == 2 and direct.path != path:
                    yield direct, _nothing
                slipped = len(stops) > 2
                if slipped:
                    yield direct, _dropped
                if rail is not None:
                    yield statements.RailMove(s.line, s.units, _opened(path)), _nothing
                if rail is not None and slipped and (kinds.OPEN in path or codes == {"movement-cost"}):
                    yield statements.RailMove(s.line, s.units, direct.path), _dropped
            case statements.Enter(path=path, by=None, edge=edge):
                for other in self._edges(path[0], edge):
                    yield replace(s, edge=other), _nothing
                opened = _opened(path)
                if opened != path:
                    yield replace(s, path=opened), _nothing
                if len(path) > 1:
                    there = replace(s, path=path[-1:])
                    yield there, _dropped
                    for other in self._edges(path[-1], edge):
                        yield replace(there, edge=other), _dropped
                for way, hexes in self.ctx.ground.way_hexes.items():
                    if path[0] in hexes:
                        for led in dict.fromkeys((path, opened)):
                            yield replace(s, path=led, by=way), _nothing
                if rail is not None and len(path) > 1:
                    yield replace(s, path=_opened(path), by=rail.way), _nothing
            case statements.Exit(path=path, edge=edge):
                for other in self._edges(path[-1], edge):
                    yield replace(s, edge=other), _nothing

    def _edges(self, hex_: str, known: str | None, *, retreat: bool = False) -> Iterator[statements.EdgeName]:
        """The other edges that a hex in a corner of the map lies on."""
        from ..logs.bindings import edges_of

        return (e for e in edges_of(self.draft.scenario, hex_, retreat=retreat) if e != known)

    def end(self, block: PhaseBlock, *, cut: bool = False) -> list[Item]:
        """The phase is over: lines for the counters that stand otherwise than all lines so far have it.

        Where the log breaks off (`cut`), what was said may have been done, and what was done taken back, in the
        part that is lost: only who was put elsewhere is named, and doubted.
        """
        from ..logs.draft import found_line
        from ..logs.locations import note_on

        found: list[Item] = []
        still: list[str] = []
        differ = dict(self._differences(block.end))
        for unit, spot in differ.items():
            if self.known.get(unit) == spot or (cut and block.begin.get(unit) == spot):
                continue
            if self.position.units[unit].where == "withdrawn":
                still.append(unit)
                continue
            origin = block.changed.get(unit, block.origin)
            item = found_line(self.draft, unit, spot, origin, unclear=cut)
            if item is not None and item.statement is not None:
                found.append(item)
                outcome = judge_once(self.ctx, self.position, item.statement)
                self._count(_weight(outcome.findings, (item.statement.line,)))
                self._go_on(item.statement, outcome.position)
        if still:
            self.draft.noted.append(note_on(block.origin, "still-there", still))
        self.known = {u: s for u, s in differ.items() if u in still or self.known.get(u) == s}
        return found

    def look_at(self, laid: Mapping[str, Laid], changed: Mapping[str, Origin], *, whole: bool = False) -> None:
        """Note the markers that say otherwise than the position: those just laid or, of the `whole` map, all."""
        from ..logs.locations import contradicted

        for piece, marker in laid.items():
            if marker in self.told or not (whole or self.laid.get(piece) != marker):
                continue
            origin = changed.get(piece, self.draft.blocks[0].origin if self.draft.blocks else _START)
            found = contradicted(self.ctx, self.position, marker, origin)
            if found is not None:
                self.told.add(marker)
                self.draft.noted.append(found)
        self.laid = dict(laid)

    def _differences(self, at: Mapping[str, Spot]) -> Iterator[tuple[str, Spot]]:
        order = {u: i for i, u in enumerate(self.ctx.units)}
        for unit in sorted(set(at) & set(self.position.units), key=order.__getitem__):
            spot, state = at[unit], self.position.units[unit]
            told = unit in self.taken and spot.place == "left" and state.where == "absent"
            if not told and _differs(spot, state):
                yield unit, spot


def _differs(spot: Spot, state: UnitState) -> bool:
    """Whether a counter stands in another place, or on another side, than the referee has it."""
    if spot.place == "hex" or state.hex is not None:
        seen = spot.reduced if spot.place == "hex" else 0
        return (spot.hex or None, seen) != (state.hex, state.lost if state.hex is not None else 0)
    if spot.place == "dead":
        return state.where in _WAITS
    if spot.place in ("reserve", "beside"):
        return state.where == "eliminated"
    return spot.place == "left" and state.where in _WAITS


def _weight(findings: Iterable[Finding], lines: Container[int]) -> Weight:
    weights = [_WEIGHT.get(f.severity, 0) for f in findings if f.line in lines]
    return max(weights, default=0), sum(weights)


def _with_act(
    s: statements.Engagement, lines: Sequence[Item], old: base.Act, new: base.Act, told: _Remarks | None = None
) -> tuple[statements.Engagement, list[Item]]:
    """A combat, said by some lines, with another act in the place of one that was read from a drag, where that has
    its place among what was done on the map."""
    from ..logs.blocks import without

    acts: dict[int, base.Act] = {id(lines[a.line - s.line]): a for a in s.acts}
    item = lines[old.line - s.line]
    other = replace(item, what=replace(new, line=0), before=told(item) if told else item.before)
    acts[id(other)] = new
    others = without(lines, [item])
    kept = type(new) is type(old)
    others.insert(old.line - s.line if kept else _place(others, other), other)
    placed = (replace(acts[id(i)], line=n) for n, i in enumerate(others, s.line) if id(i) in acts)
    return replace(s, acts=tuple(placed)), others


def _made_room(
    s: statements.Engagement, lines: Sequence[Item], act: statements.Retreat
) -> Iterator[tuple[statements.Engagement, list[Item]]]:
    """A retreat that was read from drags as two: the second, on from a hex into which another came meanwhile."""
    item, at = lines[act.line - s.line], s.acts.index(act)
    for stop in range(1, len(act.path) - 1):
        later = [a for a in s.acts[at + 1 :] if isinstance(a, statements.Retreat) and a.path[-1] == act.path[stop]]
        if not later:
            continue
        first = replace(act, path=act.path[: stop + 1])
        again = replace(act, path=act.path[stop:])
        acts: dict[int, base.Act] = {id(lines[a.line - s.line]): a for a in s.acts}
        others = list(lines)
        for place, one in ((act.line - s.line, first), (later[-1].line - s.line + 1, again)):
            made = replace(item, what=replace(one, line=0), before=item.before if one is first else ())
            acts[id(made)] = one
            others[place : place + (one is first)] = [made]
        placed = (replace(acts[id(i)], line=n) for n, i in enumerate(others, s.line) if id(i) in acts)
        yield replace(s, acts=tuple(placed)), others


def _place(lines: Sequence[Item], item: Item) -> int:
    """Where a line belongs among those of its combat: before all that was done on the map after it."""
    place = len(lines)
    while lines[place - 1].read and _after(lines[place - 1].origin, item.origin):
        place -= 1
    return place


def _after(one: Origin, other: Origin) -> bool:
    return one.log == other.log and one.step > other.step


def _opened(path: Sequence[str]) -> tuple[str, ...]:
    """A way with all stretches left open between the hexes that a counter was dropped in."""
    hexes = [h for h in path if h != kinds.OPEN]
    return tuple(w for h in hexes for w in (kinds.OPEN, h))[1:]


class _Remarks:
    """What is said beside another reading."""

    def __init__(self, key: str = "") -> None:
        self.key = key

    def __call__(self, item: Item) -> tuple[Item, ...]:
        from ..logs.draft import remark

        s = item.statement
        if not self.key or not isinstance(s, (*_WAYS, statements.Retreat, statements.Advance)):
            return ()
        by = " ".join(h for h in s.path[not isinstance(s, statements.Enter) : -1] if h != kinds.OPEN)
        return (replace(item, what=remark(" ".join(s.units), message("logs.comment.dropped", hexes=by))),)


_nothing: Final = _Remarks()
_dropped: Final = _Remarks("dropped")
