"""The sheet as it grows: blocks, one a phase, of lines that were typed and of what was read from the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from hexforge.scenarios.words import Message, Words
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.words import Vocabulary
from hexforge.validator.readers.notation.writer import write_statement
from hexforge.validator.transcribe.laid import Laid
from hexforge.validator.transcribe.noted import Origin
from hexforge.validator.transcribe.spots import Spot, TrackerReading

if TYPE_CHECKING:
    from hexforge.validator.transcribe.entries import CounterChange

Kind = Literal["move", "enter", "exit", "recover", "lose", "eliminate", "retreat", "advance"]


@dataclass
class CounterFact:
    """Something done to one counter, not (yet) told by a line that was typed. `path` begins with its hex."""

    kind: Kind
    unit: str
    path: list[str]
    origin: Origin
    edge: st.EdgeName | None = None

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
    what: st.Statement | CounterFact | Message | str
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
    def statement(self) -> st.Statement | None:
        """What it says to the judge, if that could be read."""
        return self.what if isinstance(self.what, st.Statement) and not self.aside else None

    def written(self, words: Words, vocabulary: Vocabulary) -> str:
        """The line in a language, in the words of a game."""
        match self.what:
            case Message():
                text = "# " + " ".join(words.say(self.what).split())[:300]
            case st.Statement():
                text = write_statement(self.what, words.language, vocabulary)
            case CounterFact():
                text = write_statement(statement_of(self.what, (self.what.unit,)), words.language, vocabulary)
            case _:
                text = self.what
        return f"#   {text}" if self.aside else f"  {text}" if self.indent else text


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

    def told(self) -> Iterator[Item]:
        """Its lines, its `turn` line first, the facts of a stack joined to one statement."""
        yield Item(self.origin, st.TurnStart(0, self.clock.turn, self.clock.side, self.clock.phase))
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


def statement_of(fact: CounterFact, units: tuple[str, ...]) -> st.Statement:
    """The statement that tells a fact of one or several units."""
    path = tuple(fact.path)
    match fact.kind:
        case "move":
            return st.Move(0, units, path)
        case "enter":
            return st.Enter(0, units, path, fact.edge)
        case "exit":
            return st.Exit(0, units, path, fact.edge)
        case "recover":
            return st.Recover(0, units)
        case "lose":
            return st.Lose(0, units)
        case "eliminate":
            return st.Eliminate(0, units)
        case "retreat":
            return st.Retreat(0, units, path, fact.edge)
        case "advance":
            return st.Advance(0, units, path)
