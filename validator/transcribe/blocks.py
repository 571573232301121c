"""The sheet as it grows: blocks, one a phase, of lines that were typed and of statements read from the map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from hexforge.scenarios.language import Language
from hexforge.validator.readers import statements as st
from hexforge.validator.readers.words import Vocabulary
from hexforge.validator.readers.writer import write_statement
from hexforge.validator.transcribe.noted import Origin
from hexforge.validator.transcribe.spots import Clock

Kind = Literal["move", "enter", "exit", "recover", "lose", "eliminate", "retreat", "advance"]


@dataclass
class Fact:
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
    """A line of the sheet. `indent`: it belongs to the combat above it. Exactly one of `text`, `fact` is set."""

    origin: Origin
    text: str = ""
    fact: Fact | None = None
    indent: bool = False


@dataclass
class Block:
    """A phase. `given`: a player typed its `turn` line, so that it stands even if nothing follows."""

    clock: Clock
    origin: Origin
    given: bool = False
    text: str = ""
    items: list[Item] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether nothing happened in it."""
        return not self.given and all(item.text.startswith("#") for item in self.items)

    def facts(self, unit: str | None = None) -> Iterator[Item]:
        """Its items that were read from the map, of one unit or of all."""
        return (i for i in self.items if i.fact is not None and unit in (None, i.fact.unit))

    def heading(self, lang: Language, words: Vocabulary) -> str:
        """Its `turn` line."""
        clock = self.clock
        return self.text or write_statement(st.TurnStart(0, clock.turn, clock.side, clock.phase), lang, words)

    def lines(self, lang: Language) -> Iterator[tuple[str, Origin]]:
        """Its lines, the facts of a stack joined."""

        def key(item: Item) -> tuple[object, ...]:
            return item.fact.group if item.fact is not None else (id(item),)

        for _, group in groupby(self.items, key):
            items = list(group)
            first = items[0]
            pad = "  " if first.indent else ""
            if first.fact is None:
                yield pad + first.text, first.origin
                continue
            units = tuple(dict.fromkeys(i.fact.unit for i in items if i.fact is not None))
            yield pad + write_statement(statement_of(first.fact, units), lang), first.origin


def statement_of(fact: Fact, units: tuple[str, ...]) -> st.Statement:
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
