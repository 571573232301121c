"""The combats of a phase as they were declared: who attacks what, whatever was said first.

Combats that nobody declared: read from the dice and what followed them, where only one reading is possible.

What a typed line must have led to on the map to have been carried out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from ...scenarios.text.words import message
from ..notation import base, statements
from .blocks import CounterFact, Item, LogEntry, LoggedThrow, joined
from .locations import Origin, Spot, faces_told

if TYPE_CHECKING:
    from ...scenarios.model import Scenario
    from ...scenarios.text.hexgrid import HexGrid


DECLARED: Final = (
    statements.Attack,
    statements.Support,
    statements.Guard,
    statements.AirSupport,
    statements.GuardAir,
    statements.Announce,
    statements.Declare,
)
_GATHERED: Final = (statements.Attack, statements.Support, statements.Guard)

Timed = tuple[int, LogEntry]
"""An entry with its place in the phase."""


@dataclass
class LoggedCombat:
    """A combat, bombardment or air strike. `time` is the place in the phase at which it was declared.

    `acts` are the lines that belong to it, `hints` the times at which it was named again, `throw` its dice.
    """

    time: int
    head: statements.Engagement
    entry: LogEntry
    acts: list[Timed] = field(default_factory=list)
    hints: list[int] = field(default_factory=list)
    throw: Timed | None = None
    attackers_first: bool = False

    @property
    def origin(self) -> Origin:
        """Where it was declared."""
        return self.entry.origin

    @property
    def targets(self) -> tuple[str, ...]:
        """The hexes attacked."""
        return self.head.targets

    @property
    def attackers(self) -> tuple[str, ...]:
        """The units that were declared to attack."""
        return tuple(u for _, e in self.acts if isinstance(e.what, statements.Attack) for u in e.what.units)

    @property
    def guns(self) -> tuple[str, ...]:
        """The guns that fire in it, for either side."""
        named = [e.what.units for _, e in self.acts if isinstance(e.what, statements.Support | statements.Guard)]
        return (*(u for units in named for u in units), *getattr(self.head, "units", ()))

    @property
    def typed_roll(self) -> statements.Roll | None:
        """The dice as somebody typed them."""
        return next((e.what for _, e in self.acts if isinstance(e.what, statements.Roll)), None)


class Declarations:
    """Puts the declarations of a phase together. `loose` are acts of no combat."""

    def __init__(self, entries: Sequence[LogEntry], grid: HexGrid) -> None:
        self.entries = entries
        self.grid = grid
        self.combats: list[LoggedCombat] = []
        self.loose: list[Timed] = []
        self._current: LoggedCombat | None = None
        self._thrown = [i for i, entry in enumerate(entries) if isinstance(entry.what, LoggedThrow)]
        for time, entry in enumerate(entries):
            if isinstance(entry.what, statements.Engagement):
                self._head(time, entry, entry.what)
            elif isinstance(entry.what, DECLARED):
                self._act(time, entry)
        self.loose += [(t, e) for t, e in self._told_later() if not self.combats]
        for combat in self.combats:
            _trim(combat, self.grid, self._at(combat))

    def _at(self, combat: LoggedCombat) -> dict[str, Spot]:
        return dict(combat.entry.at)

    def _told_later(self) -> Iterable[Timed]:
        acts = ((t, e) for t, e in enumerate(self.entries) if isinstance(e.what, base.Act))
        return ((t, e) for t, e in acts if not isinstance(e.what, DECLARED))

    # ------------------------------------------------------------------------------------- targets

    def _head(self, time: int, entry: LogEntry, head: statements.Engagement) -> None:
        same = self._declared_before(time, entry, head)
        if same is not None:
            same.hints.append(time)
            self._current = same
        elif not self._widened(time, entry, head):
            self._current = LoggedCombat(time, head, entry)
            self.combats.append(self._current)
        assert self._current is not None
        self._take_loose(self._current, entry)

    def _declared_before(self, time: int, entry: LogEntry, head: statements.Engagement) -> LoggedCombat | None:
        """The combat that a line names once more; None where it begins another."""
        for combat in reversed(self.combats):
            if type(combat.head) is not type(head) or not set(head.targets) <= set(combat.targets):
                continue
            if not combat.entry.reported and not entry.reported:
                continue
            between, after = self._throws(combat.time, time), self._throws(time, len(self.entries))
            if not (between and after):
                return combat
        return None

    def _widened(self, time: int, entry: LogEntry, head: statements.Engagement) -> bool:
        """Whether a menu's target is one more hex of the combat that is being declared."""
        old = self._current
        fresh = old is not None and not old.acts and old.time == time - 1
        if (
            old is None
            or not (fresh and entry.reported and old.entry.reported)
            or not isinstance(head, statements.Combat)
        ):
            return False
        if not isinstance(old.head, statements.Combat):
            return False
        old.head = replace(old.head, targets=(*old.head.targets, *head.targets))
        old.time = time
        return True

    def _take_loose(self, combat: LoggedCombat, entry: LogEntry) -> None:
        if not isinstance(combat.head, statements.Combat) and any(
            isinstance(e.what, statements.Attack) for _, e in self.loose
        ):
            return
        kept: list[Timed] = []
        for time, act in self.loose:
            units = act.what.units if isinstance(act.what, statements.Attack) else ()
            if units and not self._touch(units, combat, entry):
                kept.append((time, act))
                continue
            combat.acts.append((time, act))
            combat.attackers_first |= bool(units)
        self.loose = kept

    # ---------------------------------------------------------------------------------------- acts

    def _act(self, time: int, entry: LogEntry) -> None:
        current = self._current
        if isinstance(entry.what, statements.Attack):
            to = self._attacked_by(time, entry, entry.what.units)
        elif self.loose or self._leads_on(time, entry):
            to = None
        else:
            to = current
        if to is None:
            self.loose.append((time, entry))
        else:
            to.acts.append((time, entry))

    def _attacked_by(self, time: int, entry: LogEntry, units: Sequence[str]) -> LoggedCombat | None:
        current = self._current
        if current is None:
            return None
        thrown = self._throws(current.time, time)
        near = self._touch(units, current, entry)
        to_come = self._next_target(time, units, entry)
        if entry.reported and to_come and any(c.attackers_first for c in self.combats):
            return None
        if near and (not thrown or not current.attackers):
            return current
        if not entry.reported and not thrown:
            return current
        waiting = (c for c in reversed(self.combats) if not self._throws(c.time, time))
        other = next((c for c in waiting if self._touch(units, c, entry)), None)
        if other is not None and entry.reported:
            return other
        return None if to_come else current

    def _leads_on(self, time: int, entry: LogEntry) -> bool:
        """Whether an act belongs to a combat that is declared only after it."""
        if self._current is None:
            return True
        thrown = self._throws(self._current.time, time)
        run: list[LogEntry] = []
        for later in self.entries[time + 1 :]:
            if isinstance(later.what, statements.Combat):
                attack = entry.reported or any(isinstance(e.what, statements.Attack) for e in run)
                return attack and thrown
            if not isinstance(later.what, DECLARED):
                return False
            run.append(later)
        return False

    def _next_target(self, time: int, units: Sequence[str], entry: LogEntry) -> bool:
        """Whether a combat is declared later that these units could attack in."""
        heads = (e.what for e in self.entries[time + 1 :] if isinstance(e.what, statements.Combat))
        return any(self._next_to(units, head.targets, entry) for head in heads)

    def _touch(self, units: Iterable[str], combat: LoggedCombat, entry: LogEntry) -> bool:
        return isinstance(combat.head, statements.Combat) and self._next_to(units, combat.targets, entry)

    def _next_to(self, units: Iterable[str], targets: Iterable[str], entry: LogEntry) -> bool:
        hexes = {entry.at[u].hex for u in units if u in entry.at}
        return any(
            h and t in self.grid and self.grid.adjacent(h, t) for h in hexes for t in targets if h in self.grid
        )

    def _throws(self, start: int, end: int) -> bool:
        """Whether dice were thrown between two times."""
        return bisect_left(self._thrown, start) < bisect_left(self._thrown, end)


def _trim(combat: LoggedCombat, grid: HexGrid, at: dict[str, Spot]) -> None:
    """Leave out target hexes that none of the attackers touches, where menus named several: a slip."""
    hexes = {at[u].hex for u in combat.attackers if u in at and at[u].hex in grid}
    touched = tuple(t for t in combat.targets if any(t in grid and grid.adjacent(h, t) for h in hexes))
    if combat.entry.reported and len(combat.targets) > 1 and touched:
        combat.head = replace(combat.head, targets=touched)


def gathered(acts: Sequence[Timed]) -> list[Timed]:
    """Acts with those of one kind that menus said one after the other as one."""
    found: list[Timed] = []
    for time, entry in acts:
        last = found[-1][1] if found else None
        if (
            last is not None
            and entry.reported
            and last.reported
            and isinstance(entry.what, _GATHERED)
            and type(last.what) is type(entry.what)
            and isinstance(last.what, _GATHERED)
        ):
            found[-1] = (found[-1][0], replace(last, what=_joined(last.what, entry.what)))
        else:
            found.append((time, entry))
    return found


def _joined(
    one: statements.Attack | statements.Support | statements.Guard,
    other: statements.Attack | statements.Support | statements.Guard,
) -> base.Act:
    """Two acts of a kind as one: with everybody of both, and the points beyond the map of both."""
    units = tuple(dict.fromkeys((*one.units, *other.units)))
    if isinstance(one, statements.Attack) or isinstance(other, statements.Attack):
        return replace(one, units=units)
    return replace(one, units=units, offboard=one.offboard + other.offboard)


@dataclass
class Undeclared:
    """Dice without a declaration; where all stood then; what happened to counters afterwards."""

    origin: Origin
    faces: list[int]
    before: dict[str, Spot]
    side: str
    items: list[Item]

    @property
    def facts(self) -> list[CounterFact]:
        """What happened to counters."""
        return [item.fact for item in self.items if item.fact is not None]

    def held(self, sides: Mapping[str, str]) -> set[str]:
        """Hexes in which the other side stood."""
        return _held(self.before, sides, self.side)

    def emptied(self, sides: Mapping[str, str], now: Mapping[str, Spot]) -> set[str]:
        """Hexes in which the other side stood and stands no more."""
        return self.held(sides) - _held(now, sides, self.side)


def _held(at: Mapping[str, Spot], sides: Mapping[str, str], side: str) -> set[str]:
    """Hexes in which any but a side stands."""
    return {s.hex for u, s in at.items() if s.hex and sides.get(u) != side}


def _target(pending: Undeclared, sides: Mapping[str, str], scenario: Scenario) -> str | None:
    """The one hex that was attacked; None where it could have been another."""
    hit = {
        pending.before[f.unit].hex
        for f in pending.facts
        if f.unit in pending.before and sides.get(f.unit) != pending.side
    }
    if hit:
        return hit.pop() if len(hit) == 1 else None
    enemies, grid = pending.held(sides), scenario.map.grid
    common: set[str] | None = None
    for fact in pending.facts:
        spot = pending.before.get(fact.unit)
        near = {h for h in enemies if spot is not None and spot.hex and grid.adjacent(spot.hex, h)}
        common = near if common is None else common & near
    return common.pop() if common is not None and len(common) == 1 else None


def _attackers(
    pending: Undeclared, target: str, sides: Mapping[str, str], scenario: Scenario
) -> tuple[str, ...] | None:
    """The units that attacked; None where some next to the target could have attacked another hex, or fired."""
    grid, others = scenario.map.grid, pending.held(sides) - {target}
    found = []
    for unit, spot in pending.before.items():
        if sides.get(unit) != pending.side or not spot.hex or not grid.adjacent(spot.hex, target):
            continue
        counter = scenario.counters.get(unit)
        if counter is None or counter.range is not None or any(grid.adjacent(spot.hex, h) for h in others):
            return None
        found.append(unit)
    return tuple(found) or None


def combat_lines(pending: Undeclared, sides: Mapping[str, str], scenario: Scenario) -> list[Item]:
    """The combat as lines, with a comment that says that nobody declared it, or comments alone."""
    origin, faces = pending.origin, pending.faces
    target = _target(pending, sides, scenario) if pending.items else None
    if target is None:
        said = Item(origin, message("logs.comment.undeclared-roll", faces=faces_told(faces)))
        return [said, *(replace(item, aside=True) for item in joined(pending.items))]
    attackers = _attackers(pending, target, sides, scenario)
    attack = statements.Attack(0, attackers) if attackers is not None else message("logs.comment.attackers-missing")
    return [
        Item(origin, message("logs.comment.deduced")),
        Item(origin, statements.Combat(0, (target,))),
        Item(origin, attack, indent=True),
        Item(origin, statements.Roll(0, tuple(faces)), indent=True),
        *pending.items,
    ]


def outcome_of(s: base.Statement) -> Callable[[Spot], bool] | None:
    """Where the counters of a statement must be in the end for it to have been carried out."""
    match s:
        case statements.Found(hex=str() as hex_) if hex_:
            return _at(hex_)
        case statements.Exit() | statements.Retreat(edge=str()):
            return lambda spot: spot.place in ("left", "dead")
        case (
            statements.Move(path=path)
            | statements.Enter(path=path)
            | statements.RailMove(path=path)
            | statements.Retreat(path=path)
        ):
            return _at(path[-1])
        case statements.Advance(path=path):
            return _at(path[-1])
        case statements.Lose():
            return lambda spot: spot.reduced > 0 or spot.place == "dead"
        case statements.Eliminate():
            return lambda spot: spot.place == "dead"
        case statements.Recover():
            return lambda spot: not spot.reduced
    return None


def _at(hex_: str) -> Callable[[Spot], bool]:
    return lambda spot: spot.hex == hex_
