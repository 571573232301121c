"""A phase of combat as lines of a sheet: each declaration with its dice, and what was done with their outcome.

What is done finds its combat by the units that take part in it, wherever in the phase it stands. What belongs to
none is a counter that was put elsewhere, and is said so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from ...scenarios.text.words import message
from ..notation import base, statements
from .bindings import way_out
from .blocks import CounterChange, CounterFact, Item, LogEntry, LoggedThrow, Spent, of_unit, settled, without
from .combat_dice import pair, said_by_marks, whole_throws
from .combats import DECLARED, Declarations, LoggedCombat, Timed, Undeclared, combat_lines, gathered, outcome_of
from .draft import SheetDraft, found_line, lead_on, remark
from .locations import Noted, faces_told, note
from .typed import units_of

_PATHS: Final = ("retreat", "advance")
_STEPS: Final = ("lose", "eliminate")


@dataclass
class _Fought:
    """A combat with who takes part in it, and what was done to them."""

    combat: LoggedCombat
    defenders: frozenset[str]
    changes: list[tuple[int, CounterChange]] = field(default_factory=list)
    told: list[Timed] = field(default_factory=list)
    spent: list[Timed] = field(default_factory=list)
    onward: dict[str, CounterFact] = field(default_factory=dict)

    def has(self, unit: str) -> bool:
        """Whether a unit takes part."""
        return unit in self.defenders or unit in self.combat.attackers or unit in self.combat.guns

    def only_fires(self, unit: str) -> bool:
        """Whether a unit's fire is all that it gives."""
        return unit in self.combat.guns and unit not in self.defenders and unit not in self.combat.attackers

    def ready(self, time: int) -> bool:
        """Whether it has been fought by then."""
        return (self.combat.throw[0] if self.combat.throw else self.combat.time) < time


def combat_phase(draft: SheetDraft, side: str, entries: Sequence[LogEntry]) -> list[Item]:
    """The lines of what was kept of a phase, in which `side` attacks."""
    return _Phase(draft, side, entries).items()


class _Phase:
    def __init__(self, draft: SheetDraft, side: str, entries: Sequence[LogEntry]) -> None:
        self.draft = draft
        self.side = side
        dice = draft.scenario.tables.crt.thrown.count
        entries = self._set_aside(entries, whole_throws(entries, dice)[1])
        self.entries = entries = said_by_marks(entries, side, draft.scenario.game.rules.combat)
        self.timed: list[tuple[float, list[Item]]] = []
        declared = Declarations(entries, draft.grid)
        self.loose = declared.loose
        self.fought = [_Fought(c, self._defenders(c)) for c in declared.combats]
        self.changes = list(self._changes())
        throws, _ = whole_throws(entries, dice)
        self._give_typed()
        first = throws[0][0] if throws else len(entries)
        done = {
            i: [t for t, c in self.changes if f.has(c.unit) and t > min(f.combat.time, first)]
            for i, f in enumerate(self.fought)
        }
        self.spare = pair([f.combat for f in self.fought], throws, done)

    def _set_aside(self, entries: Sequence[LogEntry], few: Sequence[Timed]) -> Sequence[LogEntry]:
        """The entries with dice that are none of any combat, too few as they are, as comments."""
        found = list(entries)
        for time, entry in few:
            if not (isinstance(entry.what, LoggedThrow) and entry.what.typed):
                told = faces_told(_faces(entry))
                self.draft.noted.append(note(entry.origin, "undeclared-throw", faces=told))
                comment = message("logs.comment.undeclared-roll", faces=told)
                found[time] = LogEntry(entry.origin, Item(entry.origin, comment))
        return found

    def _defenders(self, combat: LoggedCombat) -> frozenset[str]:
        moments = [combat.entry.at, *(self.entries[t].at for t in combat.hints)]
        return frozenset(
            u
            for at in moments
            for u, spot in at.items()
            if spot.hex in combat.targets and self.draft.sides.get(u) != self.side
        )

    def _changes(self) -> Iterator[tuple[int, CounterChange]]:
        by_unit: dict[str, list[tuple[int, CounterChange]]] = {}
        for time, entry in enumerate(self.entries):
            if isinstance(entry.what, CounterChange):
                by_unit.setdefault(entry.what.unit, []).append((time, entry.what))
        found = (kept for changes in by_unit.values() for kept in settled(changes))
        yield from sorted(found, key=_time_of)

    # ------------------------------------------------------------------------------------- what was said

    def _give_typed(self) -> None:
        """Typed dice, results and outcomes to their combats."""
        for time, entry in enumerate(self.entries):
            s = entry.what
            before = [f for f in self.fought if f.combat.time < time]
            if _as_it_stands(s) and before:
                self._give_as_it_stands(before[-1], time, entry)
            if not isinstance(s, base.Act) or isinstance(s, DECLARED) or not self.fought:
                continue
            to = self._of_units(before, s) or self._of_order(before, time) or self.fought[0]
            (to.combat.acts if isinstance(s, statements.Roll) else to.told).append((time, entry))

    @staticmethod
    def _give_as_it_stands(to: _Fought, time: int, entry: LogEntry) -> None:
        rolled = any(isinstance(e.what, statements.Roll) for _, e in to.combat.acts) or to.told
        (to.told if rolled else to.combat.acts).append((time, entry))

    def _of_units(self, before: Sequence[_Fought], s: base.Statement) -> _Fought | None:
        """The combat that a typed outcome's units take part in, where several were open at once."""
        units = units_of(s)
        if not units or not before or before[-1].has(units[0]) or not self._several_open(before):
            return None
        return next((f for f in reversed(before) if f.has(units[0])), None)

    def _several_open(self, before: Sequence[_Fought]) -> bool:
        """Whether any but the last was left before its dice: those that were typed and not thrown end it too."""
        times = [f.combat.time for f in before]
        return any(
            not any(isinstance(self.entries[i].what, LoggedThrow | statements.Roll) for i in range(a, b))
            for a, b in pairwise(times)
        )

    def _of_order(self, before: Sequence[_Fought], time: int) -> _Fought | None:
        """The combat that a line is about by its place: the last, or, with several open, as many as were rolled."""
        if not before:
            return None
        if not self._several_open(before):
            return before[-1]
        thrown = sum(isinstance(e.what, LoggedThrow) for e in self.entries[:time])
        return before[min(max(thrown - 1, 0), len(before) - 1)]

    # ------------------------------------------------------------------------------------- what was done

    def _give_changes(self) -> list[tuple[int, CounterChange]]:
        """What was done to the combats' units, to them; the rest."""
        rest: list[tuple[int, CounterChange]] = []
        for time, change in self.changes:
            mine = [f for f in self.fought if f.has(change.unit) and f.ready(time)]
            to = max(mine, key=_fought_at, default=None)
            if (to is not None and self._pushed_later(to, time, change)) or to is None:
                rest.append((time, change))
            else:
                to.changes.append((time, change))
        rest = [(t, c) for t, c in rest if not self._pushed_out(t, c)]
        return [(t, c) for t, c in rest if not self._paid(t, c)]

    def _pushed_later(self, to: _Fought, time: int, change: CounterChange) -> bool:
        """Whether a unit that has fought gives way, in its new place, to one that retreats from a later combat.

        Guns that only fired have nothing to retreat from: they give way where they stood all along, and in
        whatever combat the other was beaten.
        """
        fires = to.only_fires(change.unit)
        gone = any(c.unit == change.unit and c.old.hex != c.new.hex for _, c in to.changes)
        if not (gone or fires) or change.new.place != "hex":
            return False
        others = [f for f in self.fought if f is not to and (fires or _fought_at(f) > _fought_at(to))]
        return any(
            self._pushes(other, change) and f.has(other.unit) and f.ready(time)
            for f in others
            for _, other in self.changes
        )

    def _pushes(self, other: CounterChange, change: CounterChange) -> bool:
        same = self.draft.sides.get(other.unit) == self.draft.sides.get(change.unit)
        return same and other.unit != change.unit and other.new.hex == change.old.hex != ""

    def _pushed_out(self, time: int, change: CounterChange) -> bool:
        """Whether a unit gave way to one that retreated into its hex: to the last before, or the next after."""
        pushes = [
            ((at > time, abs(at - time)), f)
            for f in self.fought
            for at, other in f.changes
            if self._pushes(other, change) and f.ready(time)
        ]
        if not pushes:
            return False
        _, to = min(pushes, key=lambda push: push[0])
        to.changes.append((time, change))
        to.changes.sort(key=_time_of)
        return True

    def _paid(self, time: int, change: CounterChange) -> bool:
        """Whether a unit that gave way to others lost a step for it, its last one too, where it went or stood."""
        reduced = change.old.place == change.new.place == "hex" and change.new.reduced > change.old.reduced
        if not (reduced or (change.old.place == "hex" and change.new.place == "dead")):
            return False
        where = change.new.hex if reduced else change.old.hex
        gone = [
            (abs(at - time), f)
            for f in self.fought
            for at, c in f.changes
            if c.unit == change.unit and not f.has(c.unit) and where in (c.old.hex, c.new.hex)
        ]
        if not gone:
            return False
        _, to = min(gone, key=_time_of)
        to.changes.append((time, change))
        to.changes.sort(key=_time_of)
        return True

    def _give_spent(self) -> None:
        """Air points to the combat that was declared last and whose dice are still to come, or else to the next."""
        for time, entry in enumerate(self.entries):
            if not isinstance(entry.what, Spent):
                continue
            open_ = [f for f in self.fought if f.combat.throw is None or f.combat.throw[0] > time]
            before = next((f for f in reversed(open_) if f.combat.time < time), None)
            to = before or next(iter(open_), None)
            if to is not None:
                to.spent.append((time, entry))

    # ------------------------------------------------------------------------------------------ lines

    def items(self) -> list[Item]:
        """All of it, in the order in which it was carried out."""
        rest = self._give_changes()
        self._give_spent()
        strays = self._undeclared(rest)
        for f in self.fought:
            self.timed.append((self._time(f), self._combat(f)))
        for time, change in strays:
            self._stray(time, change, unclear=False)
        for time, entry in self.loose:
            # A menu's declaration that led to nothing is a slip; a typed line stands where it was typed.
            self.timed.append((time, [replace(_line(entry), aside=entry.reported)]))
        for time, entry in enumerate(self.entries):
            if isinstance(entry.what, Item) and not (_as_it_stands(entry.what) and self._in_combat(time)):
                self.timed.append((time, [entry.what]))
            elif isinstance(entry.what, base.Statement) and not isinstance(
                entry.what, base.Act | statements.Engagement
            ):
                self.timed.append((time, [Item(entry.origin, entry.what), *self._not_done(entry)]))
        return [item for _, items in sorted(self.timed, key=_time_of) for item in items]

    def _in_combat(self, time: int) -> bool:
        return any(f.combat.time < time for f in self.fought)

    def _time(self, f: _Fought) -> float:
        times = [t for t, _ in f.changes[:1]] or [f.combat.throw[0] if f.combat.throw else f.combat.time]
        return max(times[0], f.combat.throw[0] if f.combat.throw else 0)

    def _stray(self, time: float, change: CounterChange, *, unclear: bool) -> None:
        item = found_line(self.draft, change.unit, change.new, change.origin, unclear=unclear)
        if item is not None:
            self.timed.append((time, [item]))

    def _combat(self, f: _Fought) -> list[Item]:
        combat = f.combat
        acts = [(t, _line(e)) for t, e in gathered(sorted((*combat.acts, *self._air(f)), key=_time_of))]
        told = [(t, _line(e)) for t, e in f.told]
        if combat.entry.reported and not (acts or told or f.changes or combat.throw):
            return [Item(combat.origin, combat.head, aside=True)]
        before = [i for _, i in acts]
        outcome = [i for _, i in sorted((*told, *self._outcome(f, told)), key=_time_of)]
        head = Item(combat.origin, combat.head)
        return [head, *self._with_roll(combat, before), *_advances_last(outcome), *self._undone_lines(told)]

    def _air(self, f: _Fought) -> list[Timed]:
        """The air points that the module's count tells of, where no line does."""
        points = sum(e.what.points for _, e in f.spent if isinstance(e.what, Spent))
        typed = any(isinstance(e.what, statements.AirSupport | statements.GuardAir) for _, e in f.combat.acts)
        if points <= 0 or typed or not isinstance(f.combat.head, statements.Combat):
            return []
        time, entry = f.spent[-1]
        rule = self.draft.scenario.game.rules.combat.air
        defends = rule is not None and rule.side != self.side
        return [
            (
                time,
                replace(
                    entry, what=statements.GuardAir(0, points) if defends else statements.AirSupport(0, points)
                ),
            )
        ]

    def _with_roll(self, combat: LoggedCombat, before: list[Item]) -> list[Item]:
        """The declaration with its dice; what the players typed of them stands, and is held against them."""
        typed = combat.typed_roll
        if combat.throw is None:
            if typed is not None:
                # Who throws elsewhere types it; the module says what its own dice show, which are in the log.
                by_module = any(e.reported and isinstance(e.what, statements.Roll) for _, e in combat.acts)
                kind = "told-roll" if by_module else "typed-roll"
                alone = note(combat.origin, kind, faces=faces_told(typed.faces), target=combat.targets)
                self.draft.noted.append(alone)
            return before
        time, entry = combat.throw
        faces = _faces(entry)
        if time < combat.time:
            late = note(entry.origin, "thrown-before", faces=faces_told(faces), target=combat.targets)
            self.draft.noted.append(late)
        if typed is None:
            return [*before, Item(entry.origin, statements.Roll(0, faces), indent=True)]
        if sorted(typed.faces) != sorted(faces):
            told = {"typed": faces_told(typed.faces), "thrown": faces_told(faces)}
            self.draft.noted.append(note(entry.origin, "other-dice", **told))
        return before

    def _outcome(self, f: _Fought, told: Sequence[tuple[int, Item]]) -> Iterator[tuple[int, Item]]:
        """What was done to the units of a combat, but for what a typed line tells of."""
        items: list[Item] = []
        times: dict[int, int] = {}
        for time, change in f.changes:
            if self._moves_on(f, items, time, change):
                continue
            for item in self._facts(f, items, change):
                times.setdefault(id(item), time)
        for _, item in told:
            kinds = _STEPS if isinstance(item.what, statements.Lose | statements.Eliminate) else _PATHS
            for unit in units_of(item.what) if isinstance(item.what, base.Statement) else ():
                if isinstance(item.what, base.Statement) and self._done(item.what, unit):
                    same = [i for i in of_unit(items, unit) if i.fact and i.fact.kind in kinds]
                    items = without(items, same)
        yield from ((times[id(item)], item) for item in items)

    def _moves_on(self, f: _Fought, items: list[Item], time: int, change: CounterChange) -> bool:
        """Whether a unit goes on with its move after an overrun, from the hex that it took; then that is told."""
        unit, old, new = change.unit, change.old, change.new
        if (
            not isinstance(f.combat.head, statements.Overrun)
            or not old.place == new.place == "hex"
            or old.hex == new.hex
        ):
            return False
        going = f.onward.get(unit)
        if going is None:
            came = [i.fact for i in of_unit(items, unit) if i.fact and i.fact.kind == "advance"]
            slip = any(new.hex in fact.path for fact in came)
            if slip or not came or old.hex not in f.combat.targets:
                return False
            going = f.onward[unit] = CounterFact("move", unit, [old.hex], change.origin)
            self.timed.append((time, [Item(change.origin, going)]))
        lead_on(self.draft, [], going, new.hex)
        if len(going.path) == 1:
            # Dragged back to where the overrun had led it.
            del f.onward[unit]
            self.timed = [(at, lines) for at, lines in self.timed if not any(i.fact is going for i in lines)]
        return True

    def _done(self, s: base.Statement, unit: str) -> bool:
        outcome, spot = outcome_of(s), self.draft.stood.get(unit)
        return outcome is not None and spot is not None and outcome(spot)

    def _undone_lines(self, told: Sequence[tuple[int, Item]]) -> Iterator[Item]:
        for _, item in told:
            yield from self._not_done_of(item)

    def _not_done(self, entry: LogEntry) -> Iterator[Item]:
        yield from self._not_done_of(Item(entry.origin, entry.what))  # type: ignore[arg-type]

    def _not_done_of(self, item: Item) -> Iterator[Item]:
        s = item.statement
        if s is None or outcome_of(s) is None:
            return
        for unit in units_of(s):
            if unit in self.draft.stood and not self._done(s, unit) and not self._went_on(unit, item):
                self.draft.unclear.add(unit)
                yield Item(item.origin, remark(unit, message("logs.comment.not-moved")))

    def _went_on(self, unit: str, item: Item) -> bool:
        """Whether a line was carried out at some time, if not in the end."""
        outcome = outcome_of(item.what) if isinstance(item.what, base.Statement) else None
        moments = (e.at.get(unit) for e in self.entries if e.at)
        return outcome is not None and any(spot is not None and outcome(spot) for spot in moments)

    def _facts(self, f: _Fought, items: list[Item], change: CounterChange) -> list[Item]:
        """Add what a change tells; the items that are new."""
        unit, old, new, origin = change.unit, change.old, change.new, change.origin
        known = set(map(id, items))
        match old.place, new.place:
            case "hex", "hex" if old.hex != new.hex:
                self._way(f, items, change)
            case "hex", "dead":
                items.append(Item(origin, CounterFact("eliminate", unit, [], origin), indent=True))
            case "hex", "left":
                way = way_out(self.draft.scenario, old.hex, retreat=True)
                items.append(Item(origin, CounterFact("retreat", unit, [old.hex], origin, way), indent=True))
            case a, b if a != b:
                items.extend(filter(None, [found_line(self.draft, unit, new, origin)]))
        if new.place == "hex" and new.reduced > old.reduced:
            lost = new.reduced - old.reduced
            items.extend(Item(origin, CounterFact("lose", unit, [], origin), indent=True) for _ in range(lost))
        elif new.place == old.place == "hex" and old.reduced > new.reduced:
            self._stray(len(self.entries), change, unclear=False)
        return [i for i in items if id(i) not in known]

    def _way(self, f: _Fought, items: list[Item], change: CounterChange) -> None:
        unit, old, new = change.unit, change.old, change.new
        last = next((i.fact for i in reversed(of_unit(items, unit)) if i.fact and i.fact.path), None)
        if last is not None and last.path[-1] == old.hex:
            lead_on(self.draft, items, last, new.hex)
            return
        # Who only gives way to others does not follow up, wherever he goes.
        fights = unit in f.combat.attackers or not f.combat.attackers
        advances = fights and self.draft.sides.get(unit) == self.side and unit not in f.defenders
        through = self._through(f.combat, old.hex, new.hex) if advances else None
        if advances and new.hex in f.combat.targets:
            fact = CounterFact("advance", unit, [old.hex], change.origin)
        elif through is not None:
            fact = CounterFact("advance", unit, [old.hex, through], change.origin)
        else:
            fact = CounterFact("retreat", unit, [old.hex], change.origin)
        items.append(Item(change.origin, fact, indent=True))
        lead_on(self.draft, items, fact, new.hex)

    def _through(self, combat: LoggedCombat, old: str, new: str) -> str | None:
        """The target that a unit went through to a hex beyond it, if nobody stands there any more."""
        grid = self.draft.grid
        if grid.distance(old, new) != 2:
            return None
        now = self.draft.stood.items()
        held = {s.hex for u, s in now if s.hex and self.draft.sides.get(u) != self.side}
        near = (t for t in combat.targets if t in grid and grid.adjacent(old, t) and grid.adjacent(t, new))
        return next((t for t in near if t not in held), None)

    # ------------------------------------------------------------------------------------- nobody declared

    def _undeclared(self, rest: list[tuple[int, CounterChange]]) -> list[tuple[int, CounterChange]]:
        """Dice that no combat was declared for, with what followed them; what is left."""
        for i, (time, entry) in enumerate(self.spare):
            until = self.spare[i + 1][0] if i + 1 < len(self.spare) else len(self.entries)
            mine = [(t, c) for t, c in rest if time < t < until]
            rest = [pair_ for pair_ in rest if pair_ not in mine]
            faces = _faces(entry)
            self.draft.noted.append(self._spared(time, entry))
            pending = Undeclared(entry.origin, list(faces), dict(entry.at), self.side, [])
            for _, change in mine:
                self._guess(pending, change)
            lines = combat_lines(pending, self.draft.sides, self.draft.scenario)
            self.timed.append((time, lines))
            if not any(isinstance(item.statement, statements.Combat) for item in lines):
                for t, change in mine:
                    self._stray(t, change, unclear=True)
        return rest

    def _spared(self, time: int, entry: LogEntry) -> Noted:
        """What is told of dice that no combat took.

        Where a combat was declared only after them, and thrown for once more, whoever threw could choose.
        """
        faces = _faces(entry)
        later = [c for f in self.fought if (c := f.combat).time > time and c.throw and c.throw[0] > time]
        if later:
            combat = min(later, key=lambda c: c.time)
            other = _faces(combat.throw[1]) if combat.throw else ()
            if sorted(other) != sorted(faces):
                told = {"faces": faces_told(faces), "other": faces_told(other)}
                return note(entry.origin, "thrown-twice", target=combat.targets, **told)
        return note(entry.origin, "undeclared-throw", faces=faces_told(faces))

    def _guess(self, pending: Undeclared, change: CounterChange) -> None:
        emptied = pending.emptied(self.draft.sides, self.draft.stood)
        head = statements.Combat(0, tuple(sorted(emptied)))
        defenders = frozenset(u for u in pending.before if self.draft.sides.get(u) != self.side)
        guessed = _Fought(LoggedCombat(0, head, LogEntry(pending.origin, head)), defenders)
        self._facts(guessed, pending.items, change)


def _faces(throw: LogEntry) -> tuple[int, ...]:
    return throw.what.faces if isinstance(throw.what, LoggedThrow) else ()


def _fought_at(f: _Fought) -> int:
    return f.combat.throw[0] if f.combat.throw else f.combat.time


def _as_it_stands(what: object) -> bool:
    """Whether it is a line that somebody meant for the sheet and nobody could read."""
    return isinstance(what, Item) and isinstance(what.what, str)


def _line(entry: LogEntry) -> Item:
    if isinstance(entry.what, Item):
        return entry.what
    assert isinstance(entry.what, base.Statement)
    return Item(entry.origin, entry.what, indent=True)


def _time_of(timed: tuple[float, object]) -> float:
    return timed[0]


def _advances_last(items: Iterable[Item]) -> list[Item]:
    """The outcome with the advances that were read from the map at its end: what they follow up has to be gone."""
    every = list(items)
    late = [i for i in every if i.fact is not None and i.fact.kind == "advance"]
    return [*without(every, late), *late]
