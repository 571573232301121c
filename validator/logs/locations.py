"""Where counters of a module are: marks of the module, boxes, hexes, markers laid on the map.

Markers that players lay on the map: what they say of bridges, ways and places, and whether the referee agrees.

No rule looks at them, so that what differs is a warning: a marker that was forgotten, or laid by mistake.

By what a log of a module of ours is known: the marks that the compiler left in the module's metadata.

`extra1` reads `hexforge 1 NAME HASH`, `extra2` is JSON with the names of maps and sides and the hex grid in pixels;
VASSAL copies both into every save and log.

What is found wrong with logs themselves, and where.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from ...modulegen.vassal.archive import MAX_METADATA, Archive, read_metadata
from ...modulegen.vassal.encoding import FormatError, decode, encode_safe
from ...modulegen.vassal.grids import HexGrid, Numbering
from ...scenarios.model import markers
from ...scenarios.text.hexgrid import Hex, side
from ...scenarios.text.words import Message, Param, Term, message
from ..notation import base, statements_head
from ..notation.cursor import UNIT as UNIT_ID
from ..notation.statements import TurnStart
from ..rules.findings import LOG_KINDS, Severity

if TYPE_CHECKING:
    from ...modulegen.vassal.archive import Metadata
    from ...modulegen.vassal.replay import PieceView
    from ...scenarios.model import Scenario
    from ..rules.context import Context
    from ..rules.position import Position


_GAME: Final = re.compile(r"hexforge 1 ([a-z0-9_-]{1,64}) ([0-9a-f]{64})")
_LETTER: Final = re.compile("[A-Z]?")
MAX_MODULES: Final = 50
_MAX_LAYOUT: Final = 20_000
_MAX_PIXEL: Final = 1_000_000
_MOST_OFF: Final = 1000

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Marks:
    """What a module says of itself.

    `digest`: SHA-256 of the scenario's data that it was built from. `main`, `reserves`, `losses`: its maps' names.
    `sides`: from the name that players see to the scenario's id. `left`: side -> pixels of the box of those that
    left the map, on the map `losses`.
    """

    game: str
    digest: str
    language: str
    main: str
    reserves: str
    losses: str
    grid: HexGrid
    sides: Mapping[str, str] = field(default_factory=dict)
    left: Mapping[str, Box] = field(default_factory=dict)

    def hex_at(self, x: int, y: int) -> str:
        """The number of the hex that a pixel of the main map lies in, as VASSAL would call it."""
        return self.grid.location_name((x, y), (0, 0)) or ""

    def point_of(self, hex_: str) -> tuple[int, int]:
        """The pixel to which VASSAL snaps a piece in a hex."""
        point = self.grid.point_of(hex_, (0, 0))
        assert point is not None, hex_
        return int(point[0]), int(point[1])


def read_marks(metadata: Metadata | None) -> Marks | None:
    """The marks in a module's metadata; None for other people's modules, and for marks that make no sense."""
    if metadata is None:
        return None
    game = _GAME.fullmatch((metadata.extra1 or "").strip())
    text = (metadata.extra2 or "").strip()
    if game is None or len(text) > _MAX_LAYOUT:
        return None
    try:
        return _marks(game[1], game[2], json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def modules_in(folder: Path) -> Iterator[tuple[Path, Metadata]]:
    """The modules of a folder, some dozens at most, with what they say of themselves."""
    for path in sorted(p for p in folder.glob("*.vmod") if p.is_file())[:MAX_MODULES]:
        try:
            with Archive(path) as archive:
                yield path, read_metadata(archive.read("moduledata", MAX_METADATA))
        except (FormatError, OSError, KeyError):
            continue


def number(value: Any) -> float:
    """A pixel as a mark gives it. Raises ValueError, TypeError for what can be none."""
    found = float(value)
    if not math.isfinite(found) or abs(found) > _MAX_PIXEL:
        raise ValueError(found)
    return found


def _numbered(found: dict[str, Any]) -> dict[str, Any]:
    """What a module says of its hexes' names. Raises ValueError, KeyError for what is no such thing."""
    if not found:
        return {}
    kinds, numbers = (found["hType"], found["vType"], found["first"]), {}
    if not set(kinds[:2]) <= {"A", "N"} or kinds[2] not in ("H", "V"):
        raise ValueError("no numbering")
    for key in ("hOff", "vOff", "hLeading", "vLeading"):
        value = number(found[key])
        if not -_MOST_OFF <= value <= _MOST_OFF:
            raise ValueError("no numbering")
        numbers[f"{key[0]}_{key[1:].lower()}"] = int(value)
    descend = {f"{key}_descend": found[f"{key}Descend"] is True for key in "hv"}
    return {"first": kinds[2], "h_type": kinds[0], "v_type": kinds[1], **numbers, **descend}


def _marks(game: str, digest: str, found: dict[str, Any]) -> Marks:
    x0, y0, dx, dy, stagger = map(number, found["hex"])
    if dx < 1 or dy < 1:
        raise ValueError("no hexes")
    letter = found.get("letter", "")
    if not _LETTER.fullmatch(letter):
        raise ValueError("no letter")
    numbering = Numbering(
        stagger=bool(stagger), location_format=f"{letter}$gridLocation$", **_numbered(found.get("numbering", {}))
    )
    grid = HexGrid(dx, dy, int(x0), int(y0), sideways=found.get("sideways") == 1, numbering=numbering)
    left: dict[str, Box] = {}
    for one_side, corners in found["left"].items():
        x1, y1, x2, y2 = map(number, corners)
        left[str(one_side)] = (x1, y1, x2, y2)
    language, main, reserves, losses = (found[key] for key in ("language", "main", "reserves", "losses"))
    if not all(isinstance(name, str) and name for name in (language, main, reserves, losses)):
        raise ValueError("no names")
    sides = {str(name): str(one_side) for name, one_side in found["sides"].items()}
    return Marks(game, digest, language, main, reserves, losses, grid, sides, left)


Place = Literal["hex", "reserve", "dead", "left", "beside", "gone"]
"""On a hex, waiting in the reinforcements' window, dead, off the map, beside the hexes, or not in the game."""

UNIT: Final = "UnitId"
AIR: Final = "AirPoints"
SHOWN: Final = "TurnShown"
THROWS: Final = "Throws"
"""The properties in which modules of ours keep the air points that are left, and the turn for which they were set,
and count all throws."""
_WITH_SETUP: Final = 3
"""Parts of the state of a tracker that has a level for the set-up: which level it is at, that one's, the turns'."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place, the hex if it is one, and how many steps the counter's face says that it has lost."""

    place: Place
    hex: str = ""
    reduced: int = 0


@cache
def _levels() -> tuple[str, ...]:
    """What `Step_Level` may be: the steps of a unit, from full strength on."""
    from ..rules.position import STEPS

    return tuple(str(level) for level in range(1, len(STEPS) + 1))


GONE: Final = Spot("gone")


def unit_of(properties: Mapping[str, str]) -> str:
    """The id of the unit that a piece is; "" for a piece that is none, or has an id that no sheet could name."""
    found = properties.get(UNIT, "")
    return found if UNIT_ID.fullmatch(found) else ""


def spot_of(view: PieceView, marks: Marks, hexes: Iterable[str]) -> Spot:
    """Where a counter is. `hexes`: the scenario's."""
    level = view.properties.get("Step_Level", "1")
    reduced = int(level) - 1 if level in _levels() else 0
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
    """What the turn tracker shows. `number`: which of the side's phases of that kind in `sequence`, from 1 on.

    `name` is the id of the phase, if it has one.
    """

    turn: int
    side: str
    phase: str
    number: int = 1
    name: str = field(default="", compare=False)

    @property
    def phase_start(self) -> TurnStart:
        """The line that opens the phase."""
        return TurnStart(0, self.turn, self.side, self.phase, self.name)


def reading_of(turn: int, side: str, word: str, scenario: Scenario) -> TrackerReading:
    """What the tracker shows in a phase that is called by its id or, the first of several, by its kind."""
    sequence = enumerate(scenario.game.sequence)
    place = next((i for i, spec in sequence if spec.side == side and word in spec.names), None)
    return TrackerReading(turn, side, word) if place is None else reading_at(turn, place, scenario)


def opened_by(turn: TurnStart, before: TrackerReading | None, scenario: Scenario) -> TrackerReading:
    """What the tracker shows in a phase that a line opens: by its id that one, by its kind the next of them."""
    said = reading_of(turn.number, turn.side, turn.name or turn.phase, scenario)
    return said if turn.name or before is None else coming(said, before, scenario)


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
    clock = TrackerReading(turn, spec.side, spec.phase, name=spec.id or "")
    return replace(clock, number=places_of(clock, scenario).index(place) + 1)


def coming(clock: TrackerReading, before: TrackerReading, scenario: Scenario) -> TrackerReading:
    """The phase of a turn, a side and a kind that comes next after another; the first of the turn if none does."""
    last = place_of(before, scenario) if before.turn == clock.turn else None
    later = (i for i in places_of(clock, scenario) if last is not None and i > last)
    place = next(later, None)
    return reading_at(clock.turn, place, scenario) if place is not None else replace(clock, number=1, name="")


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
    return reading_at(scenario.game.turns.first, 0, scenario)


def write_clock(clock: TrackerReading, scenario: Scenario) -> str | None:
    """The state of our turn tracker for a phase; None for one that it cannot show."""
    sequence, index = scenario.game.sequence, place_of(clock, scenario)
    if index is None:
        return None
    inner = encode_safe([str(index), "0", "0", ",".join(["true"] * len(sequence))], ";")
    levels = [str(clock.turn), "0", "true", str(scenario.game.turns.last), inner]
    if not scenario.setup.is_chosen:
        return "0|" + encode_safe(levels, ";")
    alone = ["0", "0", "0", "true"]
    return "|".join(("1", encode_safe([*alone, encode_safe(alone, ";")], ";"), encode_safe(levels, ";")))


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something stands: the file's name, and the step of the log, counted from 1 (0: its beginning)."""

    log: str
    step: int


class Places:
    """Where each line of a transcript comes from, to be asked as often as something is noted."""

    def __init__(self, lines: Iterable[Origin]) -> None:
        self._exact: dict[Origin, int] = {}
        self._last = 1
        logs: dict[str, list[tuple[int, int]]] = {}
        for number, origin in enumerate(lines, 1):
            self._last = number
            self._exact.setdefault(origin, number)
            logs.setdefault(origin.log, []).append((origin.step, number))
        self._first = {log: found[0][1] for log, found in logs.items()}
        self._steps = {log: [step for step, _ in sorted(found)] for log, found in logs.items()}
        # Of the lines up to a step, the last: a later one may stand further up.
        self._best = {log: list(accumulate((n for _, n in sorted(found)), max)) for log, found in logs.items()}

    def line_of(self, origin: Origin) -> int:
        """The first line of a step or, where it left none, the last of its log before it, or the log's first."""
        if (exact := self._exact.get(origin)) is not None:
            return exact
        if origin.log not in self._first:
            return self._last if origin.log else 1
        before = bisect_right(self._steps[origin.log], origin.step)
        return self._best[origin.log][before - 1] if before else self._first[origin.log]


def steps_of(lines: Iterable[Origin]) -> dict[int, tuple[str, int]]:
    """The log's name and its step, by line."""
    return {number: (origin.log, origin.step) for number, origin in enumerate(lines, 1)}


@dataclass(frozen=True, slots=True)
class Noted:
    """Something found wrong with the logs themselves, before any rule is asked."""

    origin: Origin
    code: str
    severity: Severity
    message: Message
    units: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()

    def on(self, units: Sequence[str] = (), hexes: Sequence[str] = ()) -> Noted:
        """The same, found on units and hexes."""
        return replace(self, units=tuple(units), hexes=tuple(hexes))


def note(origin: Origin, key: str, /, **values: Param) -> Noted:
    """A note of one of `LOG_KINDS`."""
    kind = LOG_KINDS[key]
    return Noted(origin, kind.code, kind.severity, message(f"logs.note.{key}", **values))


def note_on(origin: Origin, key: str, /, units: Sequence[str], hexes: Sequence[str] = ()) -> Noted:
    """As `note`, on units and hexes, which the words may name as `units` and `hexes`."""
    found = note(origin, key, units=" ".join(units), hexes=" ".join(hexes))
    return found.on(units, hexes)


def faces_told(faces: Sequence[int]) -> str:
    """Dice as a sheet has them: `3 5`."""
    return " ".join(map(str, faces))


MARKER = "MarkerId"
_SHOWN = "Face_Level"
_CONTROL = "control_"
_NOTES = {
    "bridge": "marker-bridge",
    "bridge_destroyed": "marker-bridge-destroyed",
    "way_cleared": "marker-way-cleared",
    "way_blocked": "marker-way-blocked",
    "in_transit": "marker-in-transit",
}


@dataclass(frozen=True, slots=True)
class Laid:
    """A marker in a hex: the face that it shows (`scenarios.markers`), and what players call it."""

    face: str
    hex: Hex
    name: str


def laid(view: PieceView, marks: Marks, scenario: Scenario) -> Laid | None:
    """What a piece is as a marker in a hex; None for what is none, or lies elsewhere."""
    kind = "" if view.hidden else view.properties.get(MARKER, "")
    if not kind or view.map != marks.main or view.x is None or view.y is None:
        return None
    faces = next((m.faces for m in markers(scenario) if m.id == kind), ())
    shown, hex_ = view.properties.get(_SHOWN, "1"), marks.hex_at(view.x, view.y)
    if hex_ not in scenario.map.grid or shown not in map(str, range(1, len(faces) + 1)):
        return None
    return Laid(faces[int(shown) - 1], hex_, view.name)


def known_of(
    all_laid: Mapping[str, Laid], scenario: Scenario, on_map: Mapping[str, Hex]
) -> Iterator[base.Statement]:
    """What markers say of the game before it goes on, as lines of a position. `on_map`: the units' hexes."""
    for marker in sorted(all_laid.values(), key=lambda m: (m.hex, m.face)):
        if marker.face.startswith(_CONTROL):
            yield statements_head.Control(0, marker.face.removeprefix(_CONTROL), marker.hex)
        elif marker.face == "way_cleared":
            yield statements_head.ClearedTrail(0, marker.hex)
        elif marker.face == "in_transit" and (transit := scenario.game.rules.movement.transit) is not None:
            due = {u for arrival in scenario.setup.reinforcements for u in arrival.units}
            for unit, hex_ in on_map.items():
                if hex_ == marker.hex and unit in due and scenario.counters[unit].side == transit.side:
                    yield statements_head.UnitStatus(0, unit, transit.mark)


def contradicted(ctx: Context, position: Position, marker: Laid, origin: Origin) -> Noted | None:
    """What is wrong with a marker as the position stands, with the action that laid it so."""
    from ..rules.move_effects import holder

    hex_, turn = marker.hex, position.turn
    near = [side(hex_, n) for n in ctx.map.grid.neighbours[hex_]]
    stand = [ctx.ground.bridged(s, turn, position.bridges) for s in near]
    who = None
    match marker.face:
        case "bridge":
            wrong = not any(stand)
        case "bridge_destroyed":
            gone = (ctx.ground.water(s) and not there for s, there in zip(near, stand, strict=True))
            wrong = not any(gone) and not _closed(ctx, hex_, turn)
        case "way_cleared":
            wrong = ctx.ground.needs_clearing(hex_, position.cleared)
        case "way_blocked":
            wrong = hex_ in position.cleared
        case "in_transit":
            transit = ctx.movement.transit
            here = position.at(hex_)
            wrong = transit is not None and all(transit.mark not in position.units[u].marks for u in here)
        case face if face.startswith(_CONTROL):
            who = holder(ctx, position, hex_)
            wrong = who not in (None, face.removeprefix(_CONTROL))
        case _:
            wrong = False
    if not wrong:
        return None
    found = note(
        origin,
        _NOTES.get(marker.face, "marker-control"),
        marker=marker.name,
        hex=hex_,
        side=Term("sides", who or ""),
    )
    return found.on(hexes=(hex_,))


def _closed(ctx: Context, hex_: Hex, turn: int) -> bool:
    """Whether a bridge that stands is closed to a side in a turn."""
    return any(hex_ in rule.hexes and ctx.holds(rule, turn) for rule in ctx.movement.closed_bridges)
