"""Which binding ties the module of a log to a game. Most logs have none, and load nothing that reads one.

Logs of modules that others made, seen as those of a game that a binding ties them to.

The counters of a module's set-up as a log's commands move them, and those commands.

By which hex and edge a counter came onto the map or left it, where the log shows only that it did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from ...modulegen.vassal.archive import Archive
from ...modulegen.vassal.commands import (
    AddPiece,
    BeginSave,
    ChangePiece,
    ChangeProperty,
    Command,
    EndSave,
    MovePiece,
    SetBoards,
    SetGlobalProperty,
    SetTurn,
)
from ...modulegen.vassal.encoding import FormatError, decode
from ...modulegen.vassal.grids import HexGrid, Point
from ...modulegen.vassal.module import Module
from ...modulegen.vassal.replay import LogReplay
from ...modulegen.vassal.save import read_save
from ...modulegen.vassal.traits import (
    BasicPiece,
    BasicState,
    Labeler,
    Layer,
    Marker,
    SendToLocation,
    StackState,
    Trait,
)
from ...modulegen.vassal.traits.piece import STACK, nest, piece_type
from ...scenarios import commands as folders
from ...scenarios.model import Scenario
from ...scenarios.text.words import message
from ..notation import games, kinds, statements, statements_head
from .locations import AIR, SHOWN, THROWS, UNIT, Marks, TrackerReading, write_clock

if TYPE_CHECKING:
    from ...modulegen.vassal.archive import Metadata
    from ...modulegen.vassal.replay import PieceView
    from ...modulegen.vassal.story import Action
    from ...scenarios.binding import Binding, BoundHexes


_STEP: Final = "Step_Level"
_OURS: Final = frozenset((UNIT, "Side", _STEP))
_NOWHERE: Final = "-"


@dataclass(frozen=True)
class BoundGrid(HexGrid):
    """A grid of others whose hexes have the game's names. `names`: by line and place as VASSAL counts them."""

    names: Mapping[Point, str] = field(default_factory=dict)

    def location_name(self, point: Point, size: Point) -> str | None:
        """The game's name of the hex that a pixel lies in."""
        return self.names.get(self.raw(point))

    def point_of(self, name: str, size: Point) -> Point | None:
        """The pixel of a hex's centre."""
        line, place = next((raw for raw, known in self.names.items() if known == name), (0, 0))
        along = self.x0 + line * self.dx
        across = self.y0 + place * self.dy + (self.dy / 2 if line % 2 else 0)
        return (round(across), round(along)) if self.sideways else (round(along), round(across))


@dataclass(frozen=True)
class Bound:
    """A binding at work."""

    binding: Binding
    scenario: Scenario

    @cached_property
    def marks(self) -> Marks:
        """What a module of ours would say of itself."""
        maps = self.binding.maps
        return Marks(
            self.scenario.name,
            self.scenario.digest,
            "en",
            maps.main,
            maps.reserves or _NOWHERE,
            maps.losses or _NOWHERE,
            _grid(self.binding.hexes, self.scenario),
            dict(self.binding.sides),
            dict(self.binding.left),
        )

    def see(self, view: PieceView) -> PieceView:
        """A piece as the unit that it is tied to. What the reader may not know of it is not told here either."""
        if view.hidden or view.masked:
            return view
        known, tied = view.properties, self.binding
        names = (known.get("BasicName", ""), view.name)
        unit = tied.ids.get(view.id) or tied.slots.get(view.gpid)
        unit = unit or next((tied.pieces[n] for n in names if n in tied.pieces), None)
        properties = {k: v for k, v in known.items() if k not in _OURS}
        counter = self.scenario.counters.get(unit or "")
        if counter is not None:
            properties |= {UNIT: counter.id, "Side": counter.side, _STEP: str(self._lost(known) + 1)}
        return replace(view, properties=properties, following=view.following - {_STEP.removesuffix("_Level")})

    def _lost(self, properties: Mapping[str, str]) -> int:
        steps = self.binding.steps
        value = properties.get(steps.property, "")
        if steps.values:
            return max(0, steps.values.get(value, 0))
        return max(0, int(value) - 1) if value.isdecimal() and len(value) < 3 else 0

    def turn(self, state: str) -> str:
        """What a turn tracker shows, as ours would: a count of turns, within it the binding's phases."""
        if not self.binding.phases:
            return state
        try:
            levels = decode(decode(state, "|")[-1], ";")
            turn, index = int(levels[0]), int(decode(levels[4], ";")[0])
            side, phase = self.binding.phases[index].split()
        except (IndexError, ValueError):
            return state
        number = self.binding.phases[: index + 1].count(self.binding.phases[index])
        return write_clock(TrackerReading(turn, side, phase, number), self.scenario) or state

    def act(self, action: Action) -> Action:
        """An action with the turns as ours would show them, without dice that are for no combat."""
        thrown = self.binding.dice
        events = tuple(
            e._replace(before=e.before and self.turn(e.before), after=e.after and self.turn(e.after))
            if e.kind == "turn"
            else e
            for e in action.events
            if not (thrown and e.kind == "dice" and e.text not in thrown)
        )
        return replace(action, events=events)


def _grid(hexes: BoundHexes, scenario: Scenario) -> BoundGrid:
    field_ = scenario.map.grid
    grid = BoundGrid(hexes.dx, hexes.dy, hexes.x0, hexes.y0, hexes.pointy)
    return replace(grid, names=field_.counted_from(hexes.first)) if hexes.first in field_ else grid


_UPWARDS: Final = 3


def bound(module: Metadata | None, source: str) -> Bound | None:
    """What ties a log's module to a game; None for a module that no game binds.

    Raises ScenarioError for a binding, or a game, that is broken.
    """
    if module is None or not module.name:
        return None
    for path, binding in _bindings(source):
        if binding.fits(module.name, module.version):
            found = games.at(path.parent)
            if found is not None and found.has_map:
                return Bound(binding, found)
    return None


def other_versions(module: Metadata | None, source: str) -> tuple[str, tuple[str, ...]] | None:
    """The file that ties other versions of a log's module to a game, and which; None where there is none.

    Raises ScenarioError for a binding that is broken.
    """
    if module is None or not module.name:
        return None
    for path, binding in _bindings(source):
        if binding.module.name == module.name and not binding.fits(module.name, module.version):
            return path.name, binding.module.versions
    return None


def _bindings(source: str) -> Iterator[tuple[Path, Binding]]:
    """All bindings that may tie a log's module to a game, with their files."""
    for folder in _folders(source):
        for path in folders.bindings(folder):
            from ...scenarios.binding import read_binding

            yield path, read_binding(path)


def _folders(source: str) -> Iterator[Path]:
    """The folders of games that may bind a log's module: that around the log, those learned, the program's own."""
    around = list(Path(source).resolve().parents)[:_UPWARDS] if source and source != "-" else []
    own = [found for name in folders.names() if (found := folders.named(name)) is not None]
    yield from dict.fromkeys(p for p in (*around, *games.learned(), *own) if (p / "game.yaml").is_file())


MAX_SAVE: Final = 64 << 20
TRACKER: Final = "TurnTracker0"
_SETTING_UP: Final = "SettingUp"
_MODULE: Final = "Module"
_MOST: Final = 100
"""Boxes of a track that are looked for."""
Where = tuple[str, int, int]
"""A map's name and pixels on it."""


@dataclass
class Counter:
    """A counter of the log: its type, states of its traits (outermost first) and place."""

    id: str
    type: str
    states: list[str]
    where: Where
    layer: int | None
    """Index of the trait that shows its step."""
    box: tuple[int, int]
    side: str
    sent: tuple[str, Where | None] = ("", None)
    """The region to which the module sends a marker, and where it waits while there is nothing to show."""

    @property
    def reduced(self) -> int:
        """How many steps its face says that it has lost."""
        return int(self.states[self.layer]) - 1 if self.layer is not None else 0

    def state(self) -> str:
        """All states, with its place."""
        basic = BasicState.decode(self.states[-1])
        where, x, y = self.where
        return nest([*self.states[:-1], replace(basic, map=where, x=x, y=y).encode()])


class CounterTable:
    """The counters as the log's commands move them, and the commands."""

    def __init__(self, path: Path, module: Module, marks: Marks) -> None:
        self.marks = marks
        setup = next((file for _, file in module.setups), "")
        with Archive(path) as archive:
            if setup not in archive:
                raise FormatError(message("vassal.no-set-up"), path=str(path))
            game = read_save(archive.read(setup, MAX_SAVE))
        replay = LogReplay(game, module)
        self.boards = [c for node in game.restore for c in node.commands() if isinstance(c, SetBoards)]
        self.counters: dict[str, Counter] = {}
        self.others: list[Counter] = []
        self.markers: dict[str, Counter] = {}
        self.stacks: dict[Where, list[str]] = {}
        self.values = dict(module.global_properties)
        self._tracks = [board.grid for one in module.maps if one.name == marks.main for board in one.boards]
        self.next_id = 1
        for key, record in replay.position.pieces.items():
            self.next_id = max(self.next_id, int(key) + 1 if key.isdecimal() and len(key) < 19 else 0)
            piece = replay.piece(key)
            properties = piece.properties()
            where = replay.position.place(key) or (None, 0, 0)
            layer = next((i for i, t in enumerate(piece.traits) if isinstance(t, Layer) and t.name == "Step"), None)
            box = (_small_number(properties.get("BoxX", "")), _small_number(properties.get("BoxY", "")))
            spot = (where[0] or marks.reserves, where[1], where[2])
            side = properties.get("Side", "")
            counter = Counter(key, record.type, list(record.states), spot, layer, box, side)
            if properties.get(UNIT):
                self.counters[properties[UNIT]] = counter
            else:
                self.others.append(counter)
                self.markers[properties.get("MarkerId", "")] = counter
                counter.sent = _sent(piece.traits, properties)
            self.stacks.setdefault(spot, []).append(key)

    def new_id(self) -> str:
        """An id that no piece has."""
        self.next_id += 1
        return str(self.next_id - 1)

    def put(self, counter: Counter, where: Where) -> None:
        """Another place, without a command."""
        self._take(counter)
        counter.where = where
        self.stacks.setdefault(where, []).append(counter.id)

    def _take(self, counter: Counter) -> None:
        stack = self.stacks[counter.where]
        stack.remove(counter.id)
        if not stack:
            del self.stacks[counter.where]

    def restore(self, clock: TrackerReading, scenario: Scenario) -> list[Command]:
        """The saved position."""
        everything = [*self.counters.values(), *self.others]
        commands: list[Command] = [BeginSave()]
        commands += [AddPiece(c.id, c.type, c.state()) for c in everything]
        for (where, x, y), ids in self.stacks.items():
            commands.append(AddPiece(self.new_id(), STACK, StackState(where, x, y, tuple(ids)).encode()))
        commands += self.boards
        kept = (n for n in (AIR, SHOWN, THROWS, _SETTING_UP) if n in self.values)
        commands += [SetGlobalProperty(name, self.values[name], _MODULE) for name in kept]
        state = write_clock(clock, scenario)
        if state is not None:
            commands.append(SetTurn(TRACKER, state))
        return [*commands, EndSave()]

    def move(self, unit: str, where: Where) -> Iterator[Command]:
        """The commands of a drag."""
        counter = self.counters.get(unit)
        if counter is not None:
            yield from self._drag(counter, where)

    def set(self, name: str, value: int) -> Iterator[Command]:
        """The command that changes a property of the module that has it."""
        old = self.values.get(name)
        if old is not None and old != str(value):
            self.values[name] = str(value)
            yield ChangeProperty(name, old, str(value), _MODULE)

    def throw(self) -> Iterator[Command]:
        """The command that counts a throw, in a module that does."""
        yield from self.set(THROWS, int(self.values.get(THROWS, "0")) + 1)

    def show(self, turn: int, points: int) -> Iterator[Command]:
        """The commands that set turn and air points, and their markers to the boxes of the board's tracks."""
        yield from self.set(SHOWN, turn)
        yield from self.set(AIR, points)
        tens = "air_x10" in self.markers
        most = max((n for n in range(1, _MOST) if self._box("air_x1", n)), default=0)
        over = points > most
        digits = {
            "turn": turn,
            "air_x1": points % 10 if over and tens else min(points, most),
            "air_x10": points // 10 if over else 0,
        }
        for name, digit in digits.items():
            marker = self.markers.get(name)
            where = self._box(name, digit) if digit else marker.sent[1] if marker is not None else None
            if marker is not None and where is not None:
                yield from self._drag(marker, where)

    def _box(self, name: str, digit: int) -> Where | None:
        """The box of a track to which the module sends a marker."""
        marker = self.markers.get(name)
        region = re.sub(r"\$[^$]*\$", str(digit), marker.sent[0]) if marker is not None else ""
        found = (grid.point_of(region, (0, 0)) for grid in self._tracks if grid is not None and region)
        point = next((p for p in found if p is not None), None)
        return (self.marks.main, int(point[0]), int(point[1])) if point is not None else None

    def _drag(self, counter: Counter, where: Where) -> Iterator[Command]:
        if counter.where == where:
            return
        old = counter.where
        old_stack = self.stacks[old]
        index = old_stack.index(counter.id)
        old_under = old_stack[index - 1] if index else None
        target = self.stacks.get(where, [])
        under = target[-1] if target else None
        self.put(counter, where)
        yield MovePiece(counter.id, *where, under, *old, old_under)
        if under is None:
            yield AddPiece(self.new_id(), STACK, StackState(*where, (counter.id,)).encode())

    def turn_over(self, unit: str, reduced: int) -> Iterator[Command]:
        """The commands that show a counter's other side."""
        counter = self.counters.get(unit)
        if counter is None or counter.layer is None or counter.reduced == reduced:
            return
        old = counter.state()
        counter.states[counter.layer] = str(reduced + 1)
        yield ChangePiece(counter.id, counter.state(), old)

    def hex(self, hex_: str) -> Where:
        """The place of a hex."""
        return (self.marks.main, *self.marks.point_of(hex_))

    def dead(self, unit: str) -> Where:
        """A counter's cell among the dead."""
        counter = self.counters.get(unit)
        x, y = counter.box if counter is not None and any(counter.box) else (60, 60)
        return (self.marks.losses, x, y)

    def left(self, unit: str) -> Where:
        """Among those of its side that left the map."""
        counter = self.counters.get(unit)
        box = self.marks.left.get(counter.side if counter else "") or next(iter(self.marks.left.values()))
        return (self.marks.losses, int((box[0] + box[2]) // 2), int((box[1] + box[3]) // 2))


def _sent(traits: Sequence[Trait], properties: Mapping[str, str]) -> tuple[str, Where | None]:
    """Where a module sends a marker: the name of a region with a property in it, and the place beside the map."""
    regions = [t.region for t in traits if isinstance(t, SendToLocation) and t.region]
    waits = [t.map_name for t in traits if isinstance(t, SendToLocation) and not t.region]
    x, y = (_small_number(properties.get(name, "")) for name in ("WaitX", "WaitY"))
    return next(iter(regions), ""), (waits[0], x, y) if waits and x and y else None


def _small_number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else 0


def _levels(unit: statements_head.UnitDefinition) -> tuple[str, ...]:
    return ("", *(f"+ ({'-' * lost})" for lost in range(1, 2 + len(unit.further))))


def own_counter(table: CounterTable, unit: statements_head.UnitDefinition) -> Counter:
    """A counter for a unit that the sheet defines: a text with its id and figures."""
    figures = f"{unit.attack}-{unit.defence}-{unit.move}"
    traits: list[Trait] = [
        Labeler(
            size=14,
            background=(255, 255, 255),
            vertical="c",
            vertical_justification="c",
            name_format="$pieceName$",
        ),
        Layer(name="Step", images=("", "") + ("",) * len(unit.further), level_names=_levels(unit), loop=False),
        Marker.of(UnitId=unit.unit, Side=unit.side, Type=unit.type, Move=unit.move),
        BasicPiece(name=unit.unit),
    ]
    states = [f"{unit.unit} {figures}", "1", traits[2].state(), BasicState(None, 0, 0, "").encode()]
    where = table.dead("")
    counter = Counter(table.new_id(), piece_type(traits), states, where, 1, (0, 0), unit.side)
    table.stacks.setdefault(where, []).append(counter.id)
    return counter


def edges_of(scenario: Scenario, hex_: str, *, retreat: bool = False) -> list[statements.EdgeName]:
    """The edges that a hex lies on; with `retreat`, those too by which only who gives way leaves there (4.2.2)."""
    rule = scenario.game.rules.combat.off_map
    gaps = rule.gaps if retreat and rule is not None else {}
    found = (e for edges in (scenario.map.edges, gaps) for e, at in edges.items() if hex_ in at)
    return cast("list[statements.EdgeName]", list(dict.fromkeys(found)))


def way_out(scenario: Scenario, hex_: str, *, retreat: bool = False) -> statements.EdgeName | None:
    """The first of those edges; None for a hex inside."""
    return next(iter(edges_of(scenario, hex_, retreat=retreat)), None)


def way_in(scenario: Scenario, unit: str, hex_: str) -> tuple[list[str], statements.EdgeName | None]:
    """Path and edge of an entry that ended in a hex.

    A counter that was dropped inside the map came by the nearest of its ways in; its path is open then.
    """
    edges, hexes = _ways_in(scenario, unit)
    on_edge = scenario.map.edges
    known = [e for e, at in on_edge.items() if hex_ in at]
    path, first = [hex_], hex_
    if hex_ not in hexes and not known:
        candidates = hexes or [h for e in edges for h in sorted(on_edge.get(e, ()))]
        if candidates:
            grid = scenario.map.grid
            first = min(candidates, key=lambda h: (grid.distance(h, hex_), h))
            path = [first, *([hex_] if grid.adjacent(first, hex_) else [kinds.OPEN, hex_])]
            known = [e for e, at in on_edge.items() if first in at]
    fits = [e for e in edges if first in on_edge.get(e, ())]
    return path, cast("statements.EdgeName | None", next(iter(fits or known), None))


def group_of(scenario: Scenario, unit: str) -> frozenset[str]:
    """The units that must come by the same edge as this one, itself among them; none where there are none."""
    arrivals = scenario.setup.reinforcements
    groups = {a.group for a in arrivals if a.group and unit in a.units}
    return frozenset(u for a in arrivals if a.group in groups for u in a.units)


def _ways_in(scenario: Scenario, unit: str) -> tuple[list[str], list[str]]:
    """Edges and hexes by which a unit may come."""
    edges: dict[str, None] = {}
    hexes: dict[str, None] = {}
    for arrival in scenario.setup.reinforcements:
        if unit in arrival.units:
            edges |= dict.fromkeys(arrival.edges)
            hexes |= dict.fromkeys(arrival.hexes)
    for leave in scenario.setup.withdrawals:
        if unit in leave.units:
            edges |= dict.fromkeys(leave.returns_edges)
    return list(edges), list(hexes)
