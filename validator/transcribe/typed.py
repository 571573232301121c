"""What players type into the chat in the words of the turn sheet.

A line counts as a statement if it reads as one and names nothing that does not exist (`combat 0609`); ordinary
talk stays talk. A line that begins with `!` is always meant for the sheet, as it stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from hexforge.validator.readers.notation import statements as st
from hexforge.validator.readers.notation.wordbooks import vocabulary_of
from hexforge.validator.readers.notation.words import fold
from hexforge.validator.readers.patience import Patience
from hexforge.validator.readers.sheet import read_line
from hexforge.validator.transcribe.nearly import is_nearly

if TYPE_CHECKING:
    from hexforge.scenarios.extended import AnyGame
    from hexforge.scenarios.model import Scenario

MARK: Final = "!"
MAX_LINE: Final = 2000
_MOST_HEARD: Final = 2000
_TRIES: Final = 2
"""What reading a line takes, which is made plain but not taken apart."""
_TAKEN: Final = 3
"""What each line takes that is told in the sheet."""
_SPOKEN: Final = re.compile(r"<[^<>]{1,80}> - (?P<text>.*)", re.DOTALL)
_REPORTED: Final = re.compile(r"\* (?P<text>[^\s*(][^<>]{1,1500})")
_DECLARED: Final = (
    st.Combat,
    st.Bombard,
    st.AirStrike,
    st.Attack,
    st.Support,
    st.Guard,
    st.AirSupport,
    st.GuardAir,
    st.Declare,
    st.Roll,
    st.Result,
    st.ClearTrail,
    st.BuildBridge,
    st.RailMove,
    st.Overrun,
    st.Rally,
    st.Mark,
    st.WeatherRoll,
    st.OrderRoll,
    st.Attrition,
    st.LossRoll,
    st.MoraleRoll,
    st.Reveal,
    st.Share,
)
DONE: Final = (st.Lose, st.Eliminate, st.Retreat, st.Advance, st.Recover, st.Enter, st.Exit)
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
    statement: st.Statement | None
    marked: bool
    reported: bool = False
    why: str = ""


def units_of(statement: st.Statement) -> tuple[str, ...]:
    """The units that a statement names."""
    found: Any = getattr(statement, "units", ()) or (getattr(statement, "unit", ""),)
    return tuple(u for u in found if u)


def _is_by_ids(statement: st.Statement) -> bool:
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

    def _use(self, game: AnyGame) -> None:
        """What games of every kind have."""
        self._sides = {side.id for side in game.game.sides}
        self._options = set(game.game.options)
        self._words = vocabulary_of(game)
        self._placing = False
        self._patience = Patience()
        self._told = False

    @property
    def units(self) -> frozenset[str]:
        """The units that lines may name."""
        return frozenset(self._units)

    def hear(self, chat: str) -> TypedLine | None:
        """The statement in a chat line; None for talk and for what the module reports."""
        line = self._heard(chat)
        if line is not None and not self._patience:
            if self._told:
                return None
            self._told = True  # of all that follows
            return TypedLine(line.text, None, line.marked, why="not-tried")
        if line is not None:
            self._patience.spend(_TAKEN)
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
        if statement is None and not self._patience:
            return TypedLine(text, None, marked)
        if not marked and (statement is None or not self._believable(statement)):
            return TypedLine(text, None, marked, why="not-understood") if self._is_nearly(text) else None
        if isinstance(statement, st.Ruling):
            # Rulings are the director's, and stand in a sheet: no player's line may excuse what is in his log.
            return TypedLine(text, None, marked, why="ruled-in-log")
        self._note(statement)
        if isinstance(statement, st.Found):
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
        statement = self._read(text)
        if statement is None and not self._patience:
            return TypedLine(text, None, marked=False)
        if not isinstance(statement, (*_DECLARED, *DONE)) or not self._believable(statement):
            # What a module means but cannot say, as of a hex that somebody wrote amiss, is not dropped.
            if meant is not None:
                return TypedLine(text, None, marked=False, why="not-understood") if self._is_nearly(text) else None
            strange = isinstance(statement, _DECLARED) and _is_by_ids(statement)
            return TypedLine(text, None, marked=False, why="not-of-module") if strange else None
        return TypedLine(text, statement, marked=False, reported=True)

    def _read(self, text: str, *, placing: bool = False) -> st.Statement | None:
        known, key = self._words.heard, (text, placing)
        if key not in known:
            if not self._patience:
                return None
            self._patience.spend(_TRIES)
            if len(known) >= _MOST_HEARD:
                known.clear()
            known[key] = read_line(text, self._words, placing=placing)
        found: st.Statement | None = known[key]
        return found

    def _is_nearly(self, text: str) -> bool:
        return is_nearly(text, self._words, self._units | self._hexes | self._codes)

    def _may_begin(self, text: str) -> bool:
        first = _FIRST.match(text)
        return first is not None and self._words.begins(fold(first[0]))

    def _note(self, statement: st.Statement | None) -> None:
        match statement:
            case st.UnitDefinition(unit=unit):
                self._units.add(unit)
            case st.PositionStart() | st.SetupStart():
                self._placing = True
            case st.TurnStart():
                self._placing = False

    def _believable(self, statement: st.Statement) -> bool:
        if not all(u in self._units for u in units_of(statement)):
            return False
        for field in fields(statement):
            value = getattr(statement, field.name)
            if field.name in _HEX_FIELDS and value is not None and not self._known_hexes(value):
                return False
        match statement:
            case st.SheetVersion() | st.GameName() | st.Placement() | st.UnitDefinition() | st.PlaceName():
                return False
            case st.OptionSetting(name=name):
                return name in self._options
            case st.TurnStart(side=side):
                return side in self._sides
            case st.Result(codes=codes):
                return all(code in self._codes for code in codes)
            case st.Players(names=names):
                return all(side in self._sides for side, _ in names)
        return True

    def _known_hexes(self, value: Any) -> bool:
        if isinstance(value, str):
            return value in self._hexes
        return all(h in self._hexes or h == st.OPEN for h in value)
