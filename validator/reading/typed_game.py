"""A game as it is put together from texts: the lines in the order of play, and what of it has been said."""

from __future__ import annotations

import pickle
import zlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from ..notation import base, statements, statements_head
from ..notation.records import Intake, Mark, Sent
from .mail_lines import Heard
from .mails.mime import Letter
from .mails.quoting import TextRow
from .sheet import read_answered

_QUOTED: Final = Mark("quoted")
_QUICKLY: Final = 1


class Repeats(Enum):
    """How much of a game a sheet says again: all of itself, the whole game and more, its head, nothing."""

    ALL = auto()
    MORE = auto()
    HEAD = auto()
    NONE = auto()


class Again(Enum):
    """What was ordered before, elsewhere: the same, or something else of the same units or hexes."""

    SAME = auto()
    DIFFERS = auto()


class Origin(NamedTuple):
    """Where a line was typed: the letter and the text of it, and whether it is quoted there."""

    letter: str
    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class _Order:
    key: str
    statement: statements.Move | statements.Combat
    origin: Origin

    def meets(self, other: statements.Move | statements.Combat, origin: Origin) -> bool:
        """Whether another order is for the same units or hexes, and is no continuation of this one."""
        match self.statement, other:
            case statements.Move() as one, statements.Move() as two:
                goes_on = bool(one.path and two.path[1:]) and one.path[-1] == two.path[0]
                return not goes_on and any(_same_unit(a, b) for a in one.units for b in two.units)
            case statements.Combat() as one, statements.Combat() as two:
                here = (self.origin.letter, self.origin.text, True) == (
                    origin.letter,
                    origin.text,
                    not origin.quoted,
                )
                return here and not set(one.targets).isdisjoint(two.targets)
        return False


def _same_unit(one: str, two: str) -> bool:
    """Whether two names are of one unit, of which either may leave its side out."""
    return one == two or one.endswith(f"-{two}") or two.endswith(f"-{one}")


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A row of a text in its place in a game. `read` is what the reader of statements is given of it.

    `name`: the attachment it stands in, "" for the letter's own text. `joined`: it goes on with the row above.
    `says`: it is a statement, or nearly one.
    """

    letter: Letter
    name: str
    row: TextRow
    read: str
    mark: Mark | None
    joined: bool
    key: str
    says: bool

    @property
    def file(self) -> str:
        """The file, and what of it, that the row stands in."""
        return f"{self.letter.source}: {self.name}" if self.name else self.letter.source

    def as_quoted(self) -> PlacedRow:
        """The same row where it is only quoted."""
        return replace(self, read="", mark=_QUOTED) if self.mark is None and not self.row.blank else self


@dataclass(eq=False)
class TypedGame:
    """The lines of a game so far. `quoted_only`: nobody has said anything of it but in what was quoted.

    `likely`: the game that it may be, of which it does not say enough to begin.
    """

    quoted_only: bool = False
    name: str = ""
    placed: list[PlacedRow] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    turns: list[base.Opening] = field(default_factory=list)
    said: dict[str, list[int]] = field(default_factory=dict)
    players: str = ""
    likely: str = ""
    doubts_phase: bool = False
    """Whether a line that cannot be read may have opened another phase since the last that was opened."""
    unwritten: bool = False
    """Whether nobody wrote the line that its sheet begins with."""
    _surmised: tuple[str, str, str] | None = None
    _acts: set[str] = field(default_factory=set)
    _at: str = ""
    _which: int = -1
    """Of the lines that say what is answered, the one that is: the last where that is not known."""
    _orders: list[_Order] = field(default_factory=list)
    """What has been ordered in the phase that is open."""
    _refusing: bool = False
    """Whether the last combat was refused, and with it whatever belongs to it."""

    # --------------------------------------------------------------------------------- what it has said

    def note(self, line: Heard, origin: Origin) -> None:
        """A line is said in this game, at its end."""
        self._refusing = False
        self.said.setdefault(line.key, []).append(len(self.keys))
        self.keys.append(line.key)
        self.name = self.name or line.opens
        self.unwritten = self.unwritten or bool(line.opens)
        if line.surmised:
            self._surmised = (line.key, line.opens, line.surmised)
        match line.statement:
            case statements_head.GameName(name=name):
                self.name = self.name or name
            case statements_head.Players():
                self.players = self.players or line.key
            case base.Opening() as turn:
                self.opened(turn)
            case statements.Engagement() | base.Act():
                self._acts.add(line.key)
        # Who has overrun somebody may go on, and is ordered to a second time.
        self._orders = [] if isinstance(line.statement, statements.Overrun) else self._orders
        if isinstance(line.statement, statements.Move | statements.Combat):
            self._orders.append(_Order(line.key, line.statement, origin))

    def opened(self, turn: base.Opening) -> None:
        """A phase is opened, by a line or by what a line says."""
        self.turns.append(turn)
        self._orders = []
        self.doubts_phase = False

    def ordered_before(self, line: Heard, origin: Origin) -> Again | None:
        """Whether somebody said elsewhere already what a line orders in the phase that is open, or another thing.

        Elsewhere is a quote, or another text: who moves a unit twice in one and the same text has done so. Of a
        combat only the quote in the same text counts, for a hex may be attacked anew.
        """
        order = line.statement
        if self._refusing and isinstance(order, base.Act):
            return Again.DIFFERS
        self._refusing = False
        if not isinstance(order, statements.Move | statements.Combat):
            return None
        others = [other for other in self._orders if other.origin != origin and other.meets(order, origin)]
        if any(other.key == line.key for other in others) and isinstance(order, statements.Move):
            return Again.SAME
        self._refusing = bool(others) and isinstance(order, statements.Combat)
        return Again.DIFFERS if others else None

    def aligned(self, piece: Sequence[Heard]) -> list[bool]:
        """For each line whether it was said already, in the order in which the lines come."""
        known, after = [], 0
        for line in piece:
            places = self.said.get(line.key, ()) if line.says else ()
            i = bisect_left(places, after)
            known.append(i < len(places))
            after = places[i] + 1 if i < len(places) else after
        return known

    def repeats(self, piece: Sequence[Heard]) -> Repeats:
        """How much of this game a sheet says again."""
        keys = [line.key for line in piece if line.says]
        if keys == self.keys[: len(keys)]:
            return Repeats.ALL
        if keys[: len(self.keys)] == self.keys:
            return Repeats.MORE
        name = next((s.name for line in piece if isinstance(s := line.statement, statements_head.GameName)), "")
        return Repeats.HEAD if name == self.name else Repeats.NONE

    def goes_on(self, piece: Sequence[Heard]) -> bool:
        """Whether a sheet of the same game is its next turn: its head says nothing else, its turns come later."""
        for line in piece:
            match line.statement:
                case base.Opening() as turn:
                    return self.is_later(turn)
                case statements_head.SheetVersion() | statements_head.GameName():
                    continue
                case statements_head.Players():
                    if self.players and line.key != self.players:
                        return False
                case _:
                    if line.says and line.key not in self.said:
                        return False
        return False

    def is_later(self, turn: base.Opening) -> bool:
        """Whether a phase comes after all that were played."""
        played = {other.key for other in self.turns}
        return bool(played) and turn.key not in played and turn.moment >= self.turns[-1].moment

    def turn_again(self, turn: base.Opening) -> tuple[bool, bool]:
        """Whether a phase is the one that is being played, and whether it is one that is over."""
        open_ = bool(self.turns) and turn.key == self.turns[-1].key
        return open_, not open_ and any(turn.key == other.key for other in self.turns)

    def said_before(self, line: Heard) -> bool:
        """Whether a line of a head is said again where the game goes on."""
        return bool(self.turns) and isinstance(line.statement, base.Header) and line.key in self.said

    def unheard(self, piece: Sequence[Heard], known: Sequence[bool]) -> Iterator[bool]:
        """For each quoted line whether it says what the game does not say; a piece of a line may stand alone."""
        whole = "\n".join(self.keys) if any(line.says for line in piece) else ""
        for line, found in zip(piece, known, strict=False):
            yield line.says and not found and line.key not in whole

    # ----------------------------------------------------------------------------------- where to go on

    def ends_with(self, line: Heard) -> bool:
        """Whether a line is the last that was said."""
        return bool(self.keys) and self.keys[-1] == line.key

    def point_at(self, piece: Sequence[Heard]) -> None:
        """The lines that come next answer these, which were quoted."""
        self._refusing = False
        self._at, self._which = "", -1
        after, sure = 0, False
        for line in piece:
            if not line.says or not (places := self.said.get(line.key)):
                continue
            i = bisect_left(places, after)
            # Lines that are alike are told apart by one above them that is said once.
            sure = i < len(places) and (sure or len(places) == 1)
            after = places[i] + 1 if sure else after
            self._at, self._which = line.key, i if sure else -1

    def inserts(self, piece: Sequence[Heard]) -> bool:
        """Whether lines belong into a combat that was quoted above them, and after which others were written."""
        at, self._at = self._at, ""
        says = [line.statement for line in piece if line.says]
        if not at or at not in self._acts or not says or not all(isinstance(s, base.Act) for s in says):
            return False
        self._at = at if self.said[at][self._which] < len(self.keys) - 1 else ""
        return bool(self._at)

    def insert(self, placed: Sequence[PlacedRow]) -> None:
        """Put lines behind those that they answer."""
        alike = (i for i, p in enumerate(self.placed) if p.mark is None and p.key == self._at and not p.joined)
        at = [*alike][self._which] + 1
        while at < len(self.placed) and self.placed[at].joined:
            at += 1
        self.placed[at:at] = placed
        self.keys = [p.key for p in self.placed if p.mark is None and not p.joined and not p.row.blank]
        self.said = {}
        for i, key in enumerate(self.keys):
            self.said.setdefault(key, []).append(i)
        self._at = ""

    # ------------------------------------------------------------------------------------- the sheet of it

    def sheet(self, answer: str = "") -> statements.Sheet:
        """All of it, read; `answer`: what a player says of its open lines. Raises NoAnswer."""
        source = self.source
        text = "\n".join(placed.read for placed in self.placed)
        found = read_answered(text, self._home or source, answer)
        if not any(p.mark is None and not p.row.blank for p in self.placed):
            found = replace(found, problems=())  # no line of it was read, so none is wrong
        lines = tuple(placed.row.raw for placed in self.placed)
        return replace(found, lines=lines, source=source, intake=self._intake(source))

    @property
    def moves(self) -> bool:
        """Whether the phase that is being played is one of movement."""
        turn = self.turns[-1] if self.turns else None
        return isinstance(turn, statements.TurnStart) and turn.phase == "movement"

    @property
    def source(self) -> str:
        """The files it was typed in."""
        files = self._files
        return " ".join(files) if len(files) <= 3 else f"{files[0]} … {files[-1]}"

    @property
    def first(self) -> str:
        """The first of the files it was typed in."""
        return self._files[0] if self.placed else ""

    @property
    def _files(self) -> list[str]:
        """The files of those lines that say something; one in which a remark alone stands holds nothing of it."""
        read = [p for p in self.placed if p.mark is None and not p.row.blank]
        return list(dict.fromkeys(p.file for p in [p for p in read if p.says] or read or self.placed))

    @property
    def _home(self) -> str:
        return next((p.letter.file for p in self.placed if p.mark is None and Path(p.letter.file).is_file()), "")

    def _intake(self, source: str) -> Intake:
        numbered = list(enumerate(self.placed, 1))
        moved = any((p.file, p.row.number) != (source, n) for n, p in numbered)
        letters = dict.fromkeys(p.letter for _, p in numbered)
        return Intake(
            marks={n: p.mark for n, p in numbered if p.mark is not None and not p.joined and not p.row.blank},
            joined=frozenset(n for n, p in numbered if p.joined),
            places={n: (p.file, p.row.number) for n, p in numbered} if moved else {},
            letters=tuple(_sent(letter) for letter in letters if letter.sender or letter.date),
            aside=tuple((a.name, a.why) for letter in letters for a in letter.aside),
            surmised=self._first_surmised(numbered),
            likely=self.likely,
            unwritten=self.unwritten,
        )

    def _first_surmised(self, numbered: Sequence[tuple[int, PlacedRow]]) -> tuple[int, str, str] | None:
        """The line that begins the sheet of a game which no text names, that game, and what tells it."""
        key, name, by = self._surmised or ("", "", "")
        return next(((n, name, by) for n, p in numbered if key and p.mark is None and p.key == key), None)


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game of which all has been heard, packed: a round may have thousands of them that wait to be judged.

    `source`: the files that it was typed in; `first` is the first of them.
    """

    source: str
    first: str
    packed: bytes = field(repr=False)

    @classmethod
    def of(cls, game: TypedGame) -> Self:
        """A game that nobody adds to any more."""
        letters = {p.letter: replace(p.letter, texts=[], logs=[], failures=[]) for p in game.placed}
        placed = [replace(p, letter=letters[p.letter]) for p in game.placed]
        kept = (placed, game.likely, game.unwritten, game._surmised)
        return cls(game.source, game.first, zlib.compress(pickle.dumps(kept, pickle.HIGHEST_PROTOCOL), _QUICKLY))

    def opened(self) -> TypedGame:
        """The game, with what its sheet and its account need."""
        kept: Any = pickle.loads(zlib.decompress(self.packed))
        placed, likely, unwritten, surmised = kept
        return TypedGame(placed=placed, likely=likely, unwritten=unwritten, _surmised=surmised)


def _sent(letter: Letter) -> Sent:
    date = letter.date.strftime("%Y-%m-%d %H:%M %z") if letter.date else ""
    return Sent(letter.source, letter.sender, date, letter.subject)
