"""The books: what markers and units are and where, and how every account stands. Each change gives new ones.

What a sheet says of its own above the first turn: pieces, counts of markers, options that somebody has set.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

from ...scenarios.text.hexgrid import Hex
from ...scenarios.text.words import Message

MAX_KEPT: Final = 2000
"""Pieces, and facts of a turn, that books hold; more than any game has."""
FactKey: TypeAlias = tuple[str, tuple[str, ...]]
"""The name of a fact, and what it is of."""
Where = Literal["", "map", "pool", "eliminated"]
"""Where a piece is; "" where no line has said it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A phase that is being played. `part` counts the parts of the day from 0; `number` is 0 where none is said."""

    date: datetime.date
    part: int
    phase: str
    number: int = 0
    side: str = ""
    line: int = 0

    @property
    def turn(self) -> tuple[datetime.date, int]:
        """The turn: a part of a day."""
        return self.date, self.part


@dataclass(frozen=True, slots=True)
class BookedPiece:
    """What does not change about a unit or marker; `steps` is None where no line says how many it has."""

    id: str
    side: str
    kind: str
    division: str = ""
    steps: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """What changes about one. `under` is the headquarters that it lies with, `alerted` that it need not wait."""

    where: Where = ""
    hex: Hex = ""
    under: str = ""
    steps: int | None = None
    lost: int = 0
    hidden: bool = False
    alerted: bool = False


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact as a line states it; one of a turn holds until that is over."""

    value: str
    line: int
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class PortState:
    """`level` is None until demolition has begun; `ticked` is the last night that the clock has counted.

    `disputed`: points of a capture on the very day that the text says nothing of.
    """

    level: int | None = None
    ticked: datetime.date | None = None
    captured: bool = False
    held: bool = False
    paid: bool = False
    repaired: Moment | None = None
    disputed: int = 0


@dataclass(frozen=True, slots=True)
class RecordState:
    """Steps lost in the part that is cut off, and the replacement points entered and used there.

    `points` is None until a line enters any; `open` says that it is in use.
    """

    lost: int = 0
    points: int | None = None
    used: int = 0
    open: bool = False


@dataclass(frozen=True, slots=True)
class BookedPoints:
    """Victory points of a side with what they are for, and the section."""

    line: int
    side: str
    points: int
    what: Message
    section: str
    on: datetime.date | None = None


@dataclass(frozen=True)
class Books:
    """Everything. `left`: headquarters that a carrier left in this turn; `supplied`: units by headquarters."""

    states: Mapping[str, State] = field(default_factory=dict)
    now: Moment | None = None
    first: Moment | None = None
    facts: Mapping[FactKey, Stated] = field(default_factory=dict)
    left: frozenset[str] = frozenset()
    supplied: Mapping[str, frozenset[str]] = field(default_factory=dict)
    checked: frozenset[str] = frozenset()
    port: PortState = PortState()
    record: RecordState = RecordState()
    stock: int | None = None
    spent: int = 0
    income: int = 0
    choices: Mapping[str, str] = field(default_factory=dict)
    landed: Mapping[str, str] = field(default_factory=dict)
    dice: Mapping[str, int] = field(default_factory=dict)
    scored: tuple[BookedPoints, ...] = ()

    def state(self, id_: str) -> State:
        """How a piece stands; as nothing has said yet for one that was never named."""
        return self.states.get(id_, State())

    def put(self, id_: str, **changes: Any) -> Books:
        """The books with other values of a piece's state; those of far too many pieces are not kept."""
        if id_ not in self.states and len(self.states) >= MAX_KEPT:
            return self
        return replace(self, states={**self.states, id_: replace(self.state(id_), **changes)})

    def under(self, headquarters: str) -> Iterator[str]:
        """The carriers that lie with a headquarters."""
        return (id_ for id_, state in self.states.items() if state.under == headquarters and state.where == "map")

    def total(self, side: str) -> int:
        """The victory points of a side."""
        return sum(s.points for s in self.scored if s.side == side)


@dataclass(frozen=True)
class AccountsHead:
    """What a sheet says of accounts above its first turn.

    `pieces` are its own by id, `chosen` the options that somebody has set, whatever their value; `counts` are the
    numbers of markers.
    """

    pieces: Mapping[str, BookedPiece] = field(default_factory=dict)
    chosen: frozenset[str] = frozenset()
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Effect:
    """What follows from a line: `what` names it (`bonus`, `level` …), `of` is the piece or ""."""

    line: int
    rule: str
    what: str
    of: str
    value: int | str | bool

    def as_json(self) -> dict[str, Any]:
        """The effect for scripts."""
        return {"line": self.line, "rule": self.rule, "what": self.what, "of": self.of or None, "value": self.value}
