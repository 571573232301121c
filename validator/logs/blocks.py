"""The sheet as it grows: blocks, one a phase, of lines that were typed and of what was read from the map.

What happens in a phase of combat, in the order of the log, until the phase is over and all of it can be read.

Who attacks whom with which dice is not to be seen from the order alone: players declare everything first, or the
dice come before the declaration. So what is said, thrown and done is kept until the phase ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Literal

from ...scenarios.text.words import Message, Words
from ..notation import base, statements
from ..notation.vocabulary import write_statement
from ..notation.words import Vocabulary
from .locations import Laid, Origin, Spot, TrackerReading


@dataclass(frozen=True, slots=True)
class CounterChange:
    """A counter that was put elsewhere, or turned over. `enters`: onto the map, as the module says."""

    unit: str
    old: Spot
    new: Spot
    origin: Origin
    enters: bool = False


@dataclass(frozen=True, slots=True)
class LoggedThrow:
    """Dice. `typed`: the same action tells what they show."""

    faces: tuple[int, ...]
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Spent:
    """Air points that the module's count went down by; negative for points taken back."""

    points: int


@dataclass(frozen=True, slots=True)
class Marked:
    """The counters that are marked for a combat, the hex that is marked as its target, and the points that are
    set for it: of guns beyond the map, and of aircraft."""

    target: str = ""
    attack: tuple[str, ...] = ()
    support: tuple[str, ...] = ()
    guard: tuple[str, ...] = ()
    offboard: int = 0
    air: int = 0


Kind = Literal["move", "enter", "exit", "recover", "lose", "eliminate", "retreat", "advance"]


@dataclass
class CounterFact:
    """Something done to one counter, not (yet) told by a line that was typed. `path` begins with its hex."""

    kind: Kind
    unit: str
    path: list[str]
    origin: Origin
    edge: statements.EdgeName | None = None

    @property
    def group(self) -> tuple[object, ...]:
        """What facts have in common that make one statement of a stack."""
        # Losses have no way and are listed together; moves are one if the stack was dragged as one.
        at = self.origin if self.path else None
        return self.kind, tuple(self.path), self.edge, at


@dataclass
class Item:
    """A line of the sheet: a statement, a fact that will be one, a comment, or what somebody typed as it stands.

    `indent`: it belongs to the combat above it, or to the position. `aside`: it stands in a comment. `read`: it was
    read from what was done on the map. `before`: comments that stand before it.
    """

    origin: Origin
    what: base.Statement | CounterFact | Message | str
    indent: bool = False
    aside: bool = False
    read: bool = False
    before: tuple[Item, ...] = ()

    @property
    def fact(self) -> CounterFact | None:
        """The fact that it is."""
        return self.what if isinstance(self.what, CounterFact) else None

    @property
    def is_comment(self) -> bool:
        """Whether it says nothing to the judge."""
        return self.aside or isinstance(self.what, Message) or (isinstance(self.what, str) and self.what[:1] == "#")

    @property
    def statement(self) -> base.Statement | None:
        """What it says to the judge, if that could be read."""
        return self.what if isinstance(self.what, base.Statement) and not self.aside else None

    def written(self, words: Words, vocabulary: Vocabulary) -> str:
        """The line in a language, in the words of a game."""
        match self.what:
            case Message():
                text = "# " + " ".join(words.say(self.what).split())[:300]
            case base.Statement():
                text = write_statement(self.what, words.language, vocabulary)
            case CounterFact():
                text = write_statement(statement_of(self.what, (self.what.unit,)), words.language, vocabulary)
            case _:
                text = self.what
        return f"#   {text}" if self.aside else f"  {text}" if self.indent else text


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One of these things. `reported`: a counter's menu said it. `at`: where all stood before it."""

    origin: Origin
    what: base.Statement | CounterChange | LoggedThrow | Spent | Marked | Item
    reported: bool = False
    at: Mapping[str, Spot] = field(default_factory=dict, repr=False)


def settled(changes: list[tuple[int, CounterChange]]) -> list[tuple[int, CounterChange]]:
    """The changes of one counter, with their places in the phase, without what was put right by hand.

    A counter that comes to stand as it stood before has not been anywhere, and one that was off the map for a while
    was dropped there by mistake.
    """
    kept: list[tuple[int, CounterChange]] = []
    for time, change in changes:
        kept.append((time, change))
        again = next((i for i, (_, c) in enumerate(kept) if c.old == change.new), None)
        if again is not None:
            del kept[again:]
            continue
        if len(kept) > 1 and _was_off(kept[-2][1], change):
            (_, first), _ = kept[-2:]
            kept[-2:] = [(time, CounterChange(change.unit, first.old, change.new, change.origin))]
    return kept


def _was_off(before: CounterChange, after: CounterChange) -> bool:
    return before.new.place not in ("hex", "left") and after.new.place == "hex" and before.old.place == "hex"


@dataclass
class PhaseBlock:
    """A phase. `given`: a player typed its `turn` line, so that it stands even if nothing follows.

    `begin`, `end`: where all counters stood when it began and ended; `changed`: the action that last changed each,
    or each of the markers; `happened`: what was done to counters; `laid`: the markers on the map at its end, by
    piece.
    """

    clock: TrackerReading
    origin: Origin
    given: bool = False
    items: list[Item] = field(default_factory=list)
    begin: dict[str, Spot] = field(default_factory=dict, repr=False)
    end: dict[str, Spot] = field(default_factory=dict, repr=False)
    changed: dict[str, Origin] = field(default_factory=dict, repr=False)
    happened: list[CounterChange] = field(default_factory=list, repr=False)
    laid: dict[str, Laid] = field(default_factory=dict, repr=False)

    @property
    def empty(self) -> bool:
        """Whether nothing happened in it."""
        return not self.given and all(item.is_comment for item in self.items)

    @property
    def idle(self) -> bool:
        """Whether no counter was touched in it either."""
        return self.empty and self.begin == self.end

    def facts(self, unit: str | None = None) -> Iterator[Item]:
        """Its items that were read from the map, of one unit or of all."""
        return (i for i in self.items if i.fact is not None and unit in (None, i.fact.unit))

    def lines_in_order(self) -> Iterator[Item]:
        """Its lines, its `turn` line first, the facts of a stack joined to one statement."""
        yield Item(self.origin, self.clock.phase_start)
        yield from joined(self.items)


def of_unit(items: Iterable[Item], unit: str) -> list[Item]:
    """Those that were read from the map of one counter."""
    return [i for i in items if i.fact is not None and i.fact.unit == unit]


def without(items: Iterable[Item], gone: Iterable[Item]) -> list[Item]:
    """All but those."""
    ids = set(map(id, gone))
    return [i for i in items if id(i) not in ids]


def joined(items: Iterable[Item]) -> Iterator[Item]:
    """Lines with the facts of a stack as one statement."""

    def key(item: Item) -> tuple[object, ...]:
        return item.fact.group if item.fact is not None else (id(item),)

    for _, group in groupby(items, key):
        same = list(group)
        first = same[0]
        if first.fact is None:
            yield first
            continue
        units = tuple(dict.fromkeys(i.fact.unit for i in same if i.fact is not None))
        yield replace(first, what=statement_of(first.fact, units), read=True)


def statement_of(fact: CounterFact, units: tuple[str, ...]) -> base.Statement:
    """The statement that tells a fact of one or several units."""
    path = tuple(fact.path)
    match fact.kind:
        case "move":
            return statements.Move(0, units, path)
        case "enter":
            return statements.Enter(0, units, path, fact.edge)
        case "exit":
            return statements.Exit(0, units, path, fact.edge)
        case "recover":
            return statements.Recover(0, units)
        case "lose":
            return statements.Lose(0, units)
        case "eliminate":
            return statements.Eliminate(0, units)
        case "retreat":
            return statements.Retreat(0, units, path, fact.edge)
        case "advance":
            return statements.Advance(0, units, path)
