"""Where a counter of a module of ours is: a hex, or one of the places beside the map."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from hexforge.modulegen.vassal.sequence import decode
from hexforge.validator.readers.notation.cursor import UNIT as UNIT_ID
from hexforge.validator.referee.state import STEPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hexforge.modulegen.vassal.replay import PieceView
    from hexforge.scenarios.model import Scenario
    from hexforge.validator.transcribe.marks import Marks

Place = Literal["hex", "reserve", "dead", "left", "beside", "gone"]
"""On a hex, waiting in the reinforcements' window, dead, off the map, beside the hexes, or not in the game."""

UNIT: Final = "UnitId"
_WITH_SETUP: Final = 3
"""Parts of the state of a tracker that has a level for the set-up: which level it is at, that one's, the turns'."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place, the hex if it is one, and how many steps the counter's face says that it has lost."""

    place: Place
    hex: str = ""
    reduced: int = 0


_LEVELS: Final = tuple(str(level) for level in range(1, len(STEPS) + 1))

GONE: Final = Spot("gone")


def unit_of(properties: Mapping[str, str]) -> str:
    """The id of the unit that a piece is; "" for a piece that is none, or has an id that no sheet could name."""
    found = properties.get(UNIT, "")
    return found if UNIT_ID.fullmatch(found) else ""


def spot_of(view: PieceView, marks: Marks, hexes: Iterable[str]) -> Spot:
    """Where a counter is. `hexes`: the scenario's."""
    level = view.properties.get("Step_Level", "1")
    reduced = int(level) - 1 if level in _LEVELS else 0
    if view.hidden or view.map is None or view.x is None or view.y is None:
        return Spot("gone", reduced=reduced)
    if view.map == marks.main:
        found = marks.hex_at(view.x, view.y)
        return Spot("hex", found, reduced) if found in hexes else Spot("beside", reduced=reduced)
    if view.map == marks.losses:
        inside = any(
            x1 <= view.x < x2 and y1 <= view.y < y2 and view.properties.get("Side", side) == side
            for side, (x1, y1, x2, y2) in marks.left.items()
        )
        return Spot("left" if inside else "dead", reduced=reduced)
    return Spot("reserve" if view.map == marks.reserves else "beside", reduced=reduced)


@dataclass(frozen=True, slots=True)
class TrackerReading:
    """What the turn tracker shows. `number`: which of the side's phases of that kind in a turn, from 1 on."""

    turn: int
    side: str
    phase: str
    number: int = 1


def places_of(clock: TrackerReading, scenario: Scenario) -> tuple[int, ...]:
    """Where the sequence of play has the phases of a side and kind."""
    sequence = enumerate(scenario.game.sequence)
    return tuple(i for i, spec in sequence if (spec.side, spec.phase) == (clock.side, clock.phase))


def place_of(clock: TrackerReading, scenario: Scenario) -> int | None:
    """Where the sequence of play has a phase; None for one that it does not have."""
    return next(iter(places_of(clock, scenario)[clock.number - 1 : clock.number]), None)


def reading_at(turn: int, place: int, scenario: Scenario) -> TrackerReading:
    """What the tracker shows at a place of the sequence of play."""
    spec = scenario.game.sequence[place]
    clock = TrackerReading(turn, spec.side, spec.phase)
    return replace(clock, number=places_of(clock, scenario).index(place) + 1)


def coming(clock: TrackerReading, before: TrackerReading, scenario: Scenario) -> TrackerReading:
    """The phase of a turn, a side and a kind that comes next after another; the first of the turn if none does."""
    last = place_of(before, scenario) if before.turn == clock.turn else None
    later = (i for i in places_of(clock, scenario) if last is not None and i > last)
    place = next(later, None)
    return reading_at(clock.turn, place, scenario) if place is not None else replace(clock, number=1)


def read_clock(state: str, scenario: Scenario) -> TrackerReading | None:
    """The state of our turn tracker: the turn counts, and within it a list of sides and phases.

    Where players set up, that is a level of its own before the turns; its clock is the first phase's.
    """
    sequence = scenario.game.sequence
    if sets_up(state):
        return first_clock(scenario)
    try:
        levels = decode(decode(state, "|")[-1], ";")
        turn, index = int(levels[0]), int(decode(levels[4], ";")[0])
    except (IndexError, ValueError):
        return None
    if not 0 <= index < len(sequence) or not 0 <= turn <= 999:
        return None
    return reading_at(turn, index, scenario)


def sets_up(state: str) -> bool | None:
    """Whether a turn tracker stands at the set-up; None for one that has no such phase."""
    parts = decode(state, "|")
    return parts[0] == "0" if len(parts) == _WITH_SETUP else None


def first_clock(scenario: Scenario) -> TrackerReading:
    """What the tracker shows before anybody touched it."""
    first = scenario.game.sequence[0]
    return TrackerReading(scenario.game.turns.first, first.side, first.phase)


def write_clock(clock: TrackerReading, scenario: Scenario) -> str | None:
    """The state of our turn tracker for a phase; None for one that it cannot show."""
    from hexforge.modulegen.vassal.sequence import encode_safe

    sequence, index = scenario.game.sequence, place_of(clock, scenario)
    if index is None:
        return None
    inner = encode_safe([str(index), "0", "0", ",".join(["true"] * len(sequence))], ";")
    levels = [str(clock.turn), "0", "true", str(scenario.game.turns.last), inner]
    if not scenario.setup.is_chosen:
        return "0|" + encode_safe(levels, ";")
    alone = ["0", "0", "0", "true"]
    return "|".join(("1", encode_safe([*alone, encode_safe(alone, ";")], ";"), encode_safe(levels, ";")))
