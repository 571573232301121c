"""What players type into the chat in the words of the turn sheet.

A line counts as a statement if it reads as one and names nothing that does not exist (`combat 0609`); ordinary
talk stays talk. A line that begins with `!` is always meant for the sheet, as it stands.

Lines that nearly read as statements, which are named, so that whoever typed one can say it otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from ..notation import base, kinds, statements, statements_head
from ..notation.base import beginning
from ..notation.vocabulary import vocabulary_of
from ..notation.words import Vocabulary, fold

if TYPE_CHECKING:
    from ...scenarios.model import Scenario


_WORD: Final = re.compile(r"[^\W_][\w.:/+-]*")
_STRANGE: Final = 0.5
"""The share of words that are none of the notation's from which a line is talk."""


def is_nearly(text: str, words: Vocabulary, known: Collection[str]) -> bool:
    """Whether a line reads like a statement of play, though it is none. `known`: units, hexes, codes of results."""
    tokens = [t.rstrip(".:,") for t in _WORD.findall(text)]
    meaning = words.meaning("statements", fold(tokens[0])) if tokens else None
    if meaning is None or not any(issubclass(cls, base.Play | base.Act) for cls in beginning(meaning)):
        return False
    rest = tokens[1:]
    if not any(t in known or t[:1].isdigit() for t in rest):
        return False
    strange = [t for t in rest if not (t in known or t[:1].isdigit() or _is_word(fold(t), words))]
    return len(strange) < _STRANGE * len(rest)


def _is_word(key: str, words: Vocabulary) -> bool:
    return any(words.meaning(section, key) is not None for section in words.known)


MARK: Final = "!"
MAX_LINE: Final = 2000
_MOST_HEARD: Final = 2000
_MOST_TRIES: Final = 30_000
"""What may be spent on the lines of a log: of what follows nothing is read that is no statement of the module."""
_TRIES: Final = 2
"""What reading a line takes, which is made plain but not taken apart."""
_TAKEN: Final = 3
"""What each line takes that is told in the sheet."""
_SPOKEN: Final = re.compile(r"<[^<>]{1,80}(?:[<>][^<>]{0,40}){0,2}?> - (?P<text>.*)", re.DOTALL)
_REPORTED: Final = re.compile(r"\* (?P<text>[^\s*(][^<>]{1,1500})")
_DECLARED: Final = (
    statements.Combat,
    statements.Bombard,
    statements.AirStrike,
    statements.Attack,
    statements.Support,
    statements.Guard,
    statements.AirSupport,
    statements.GuardAir,
    statements.Declare,
    statements.Roll,
    statements.Result,
    statements.ClearTrail,
    statements.BuildBridge,
    statements.RailMove,
    statements.Overrun,
    statements.Rally,
    statements.Mark,
    statements.WeatherRoll,
    statements.OrderRoll,
    statements.Attrition,
    statements.LossRoll,
    statements.MoraleRoll,
    statements.Reveal,
    statements.Share,
)
DONE: Final = (
    statements.Lose,
    statements.Eliminate,
    statements.Retreat,
    statements.Advance,
    statements.Recover,
    statements.Enter,
    statements.Exit,
)
"""What a module says besides of a counter that it moves or turns in the same step: the counter itself tells it."""
_MEANT: Final = re.compile(r"\[([^\[\]]+)\]\s*$")
_FIRST: Final = re.compile(r"[^\W_][\w-]*")
_HEX_FIELDS: Final = frozenset(("path", "targets", "hexes", "hex"))


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line for the sheet. `statement` is None for a marked line that does not read as any.

    `reported`: the module wrote it, in older ones an entry of a counter's menu, one line a counter. `why`: it is
    not taken, for a reason that `LOG_KINDS` has words for.
    """

    text: str
    statement: base.Statement | None
    marked: bool
    reported: bool = False
    why: str = ""


def units_of(statement: base.Statement) -> tuple[str, ...]:
    """The units that a statement names."""
    found: Any = getattr(statement, "units", ()) or (getattr(statement, "unit", ""),)
    return tuple(u for u in found if u)


def _is_by_ids(statement: base.Statement) -> bool:
    """Whether a statement names units or hexes, and none of them by a word, or a number, that prose may have."""
    units, hexes = units_of(statement), getattr(statement, "targets", ())
    return bool(units or hexes) and not any(u.isalpha() or u.isdecimal() for u in units)


class Listener:
    """Hears statements in chat lines, with the units and hexes of one game."""

    def __init__(self, scenario: Scenario) -> None:
        self._use(scenario)
        self._units = set(scenario.counters)
        self._hexes = frozenset(scenario.map.grid)
        self._codes = set(scenario.tables.results)

    def _use(self, game: Scenario) -> None:
        """What games of every kind have."""
        self._sides = {side.id for side in game.game.sides}
        self._options = set(game.game.options)
        self._words = vocabulary_of(game)
        self._placing = False
        self._tries = _MOST_TRIES
        self._told = False

    @property
    def units(self) -> frozenset[str]:
        """The units that lines may name."""
        return frozenset(self._units)

    def hear(self, chat: str) -> TypedLine | None:
        """The statement in a chat line; None for talk and for what the module reports."""
        line = self._heard(chat)
        if line is not None and self._tries <= 0:
            if self._told:
                return None
            self._told = True  # of all that follows
            return TypedLine(line.text, None, line.marked, why="not-tried")
        if line is not None:
            self._tries -= _TAKEN
        return line

    def _heard(self, chat: str) -> TypedLine | None:
        spoken = _SPOKEN.match(chat)
        if spoken is None:
            return self._declared(chat)
        text = spoken["text"].strip()
        marked = text.startswith(MARK)
        if marked:
            # As it stands, indentation and all; but one line, whatever was pasted.
            text = re.sub(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+", " ", text.removeprefix(MARK)).rstrip("\\ \t")
        else:
            text = " ".join(text.split("#", 1)[0].split())
        if not text.strip() or len(text) > MAX_LINE:
            return None
        if not marked and not self._may_begin(text):
            return None
        statement = self._read(text, placing=self._placing)
        if statement is None and self._tries <= 0:
            return TypedLine(text, None, marked)
        if not marked and (statement is None or not self._believable(statement)):
            return TypedLine(text, None, marked, why="not-understood") if self._is_nearly(text) else None
        if isinstance(statement, base.Ruling):
            # Rulings are the director's, and stand in a sheet: no player's line may excuse what is in his log.
            return TypedLine(text, None, marked, why="ruled-in-log")
        self._note(statement)
        if isinstance(statement, statements.Found):
            # What excuses a counter's place only the logs themselves can tell.
            statement = replace(statement, unclear=False, between=False)
        return TypedLine(text, statement, marked)

    def _declared(self, chat: str) -> TypedLine | None:
        """What the module says of a combat or a counter: it writes it with a star and without a name before it.

        Where it says it in prose, the statement stands in brackets at the end; older modules wrote prose behind #.
        What has the form of a statement, ids and hexes instead of words, names those that the module has,
        and nothing that anybody typed.
        """
        reported = _REPORTED.fullmatch(chat)
        if reported is None:
            return None
        meant = _MEANT.search(reported["text"])
        text = meant[1] if meant else reported["text"].split("#", 1)[0].strip()
        if not self._may_begin(text):
            return None
        statement = self._read(text, free=False)
        if statement is None and self._tries <= 0:
            return TypedLine(text, None, marked=False)
        if not isinstance(statement, (*_DECLARED, *DONE)) or not self._believable(statement):
            # What a module means but cannot say, as of a hex that somebody wrote amiss, is not dropped.
            if meant is not None:
                return TypedLine(text, None, marked=False, why="not-understood") if self._is_nearly(text) else None
            strange = isinstance(statement, _DECLARED) and _is_by_ids(statement)
            return TypedLine(text, None, marked=False, why="not-of-module") if strange else None
        return TypedLine(text, statement, marked=False, reported=True)

    def _read(self, text: str, *, placing: bool = False, free: bool = True) -> base.Statement | None:
        known, key = self._words.heard, (text, placing, free)
        if key not in known:
            if self._tries <= 0:
                return None
            self._tries -= _TRIES
            if len(known) >= _MOST_HEARD:
                known.clear()
            from ..reading.sheet import read_line

            known[key] = read_line(text, self._words, placing=placing, free=free)
        found: base.Statement | None = known[key]
        return found

    def _is_nearly(self, text: str) -> bool:
        return is_nearly(text, self._words, self._units | self._hexes | self._codes)

    def _may_begin(self, text: str) -> bool:
        first = _FIRST.match(text)
        return first is not None and self._words.begins(fold(first[0]))

    def _note(self, statement: base.Statement | None) -> None:
        match statement:
            case statements_head.UnitDefinition(unit=unit):
                self._units.add(unit)
            case statements_head.PositionStart() | statements_head.SetupStart():
                self._placing = True
            case statements.TurnStart():
                self._placing = False

    def _believable(self, statement: base.Statement) -> bool:
        if not all(u in self._units for u in units_of(statement)):
            return False
        for field in fields(statement):
            value = getattr(statement, field.name)
            if field.name in _HEX_FIELDS and value is not None and not self._known_hexes(value):
                return False
        match statement:
            case (
                statements_head.SheetVersion()
                | statements_head.GameName()
                | statements_head.Placement()
                | statements_head.UnitDefinition()
                | statements_head.PlaceName()
            ):
                return False
            case statements_head.OptionSetting(name=name):
                return name in self._options
            case statements.TurnStart(side=side):
                return side in self._sides
            case statements.Result(codes=codes):
                return all(code in self._codes for code in codes)
            case statements_head.Players(names=names):
                return all(side in self._sides for side, _ in names)
        return True

    def _known_hexes(self, value: Any) -> bool:
        if isinstance(value, str):
            return value in self._hexes
        return all(h in self._hexes or h == kinds.OPEN for h in value)
