"""The game as program sees it: typed and immutable. `scenarios.loader` makes it from the files.

What whole games and extensions answer alike: their sides, and how findings cite their rules.

Every name in a scenario's files that stands for something else of the game, by the walk over their schemas.

Checks that what is named exists, and answers about what rests on a hex or a counter, both follow from this walk.

Which hexes lie behind a side's own line, where a rulebook lets units begin there and draws no line.

The markers that a game needs, as its module has them and its logs show them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, get_args

from .modifiers import in_one_form
from .scan import OwnLooks
from .schema.base import Provenance, Ref, RefKind, Size, in_turns
from .schema.declared import Model
from .schema.game import GUNS, OPTIONS
from .schema.map import Area, Bridge, HexsideRun, Looks, Place, Scan, Way
from .schema.setup import CounterRow as Counter
from .text.hexgrid import EDGES, Hex, HexGrid, Side, side
from .text.words import SOURCE, catalogue
from .walk import Files, Where, marked

if TYPE_CHECKING:
    from .console import Problem
    from .modifiers import Modifiers
    from .schema.base import Selector
    from .schema.extension import Days, ExtensionFile, LedgerFile, NamedPhase, OnlyExits
    from .schema.game import GameFile, SideSpec
    from .schema.rules_combat import CombatRules
    from .schema.setup import SetupFile, VictoryFile
    from .schema.tables import TablesFile


class _Said(Protocol):
    """The part of game.yaml that this rests on."""

    @property
    def letter(self) -> str: ...

    @property
    def sides(self) -> tuple[SideSpec, ...]: ...


class Cited:
    """A game with its rules, of which `game` is the file that says what it is."""

    game: _Said

    def side(self, id_: str) -> SideSpec:
        """A side by id. Raises KeyError."""
        for spec in self.game.sides:
            if spec.id == id_:
                return spec
        raise KeyError(id_)

    def citation(self, section: str) -> str:
        """A rule of the game as findings cite it: `H 4.1.1`; the letter alone without a section."""
        return f"{self.game.letter} {section}".rstrip()


FACES = range(1, 7)
"""The faces of the die that is thrown alone, for air points or clearing a way."""


MEANT_OTHERWISE: Final = frozenset(
    ("arrived", "engaged", "engaged-since", "moved", "recovered", "recovered-perhaps", "reduced", "rode")
) | frozenset(("since", "worked", "worked-perhaps"))
"""Flags of the notation that say what a unit did, and are no marks: `status c1 engaged` marks nobody."""


class Reference(NamedTuple):
    """One name: what kind of thing it stands for, the thing's id, and where the name is.

    `holders` are the models around it, the file's own first. Where it is not `binding` it may name what is not
    there.
    """

    kind: RefKind
    id: Any
    file: str
    where: Where
    holders: tuple[Model, ...]
    binding: bool

    @property
    def holder(self) -> Model:
        """The innermost model that holds the name: a placement, a way, a rule."""
        return self.holders[-1]


def references(scenario: Files) -> Iterator[Reference]:
    """Every name in the scenario's files, file by file."""
    for ref, id_, file, where, holders in marked(scenario, Ref):
        # Of several spans of turns each is a pair of names.
        for name in id_ if isinstance(id_, tuple) and ref.EACH else (id_,):
            yield Reference(ref.kind, name, file, where, holders, ref.binding)


def known(scenario: Scenario) -> dict[RefKind, Collection[Any]]:
    """What there is of each kind of thing but of those that are drawn, which what draws knows."""
    game, ground, tables = scenario.game, scenario.map, scenario.tables
    units = scenario.counters.values()
    divisions = {u.division for u in units if u.division}
    phases = tuple(dict.fromkeys(("movement", "combat", *(name for p in game.sequence for name in p.names))))
    return {
        "area": ground.area,
        "barrier": (*tables.hexsides, "fortified"),
        "class": game.classes,
        "division": {word for name in divisions for word in (name, name.lower(), name.split()[0])},
        "edge": ground.edges,
        "face": FACES,
        "formation": divisions | {u.corps for u in units if u.corps},
        "hex": ground.grid.neighbours,
        "hexside": tables.hexsides,
        "mark": marks(scenario),
        "marker": game.markers,
        "movement-class": game.movement_classes,
        "option": (*OPTIONS, *game.rules.movement.switches),
        "phase": phases,
        "phase-of-either": (*phases, *(f"enemy_{phase}" for phase in phases)),
        "place": ground.place,
        "regiment": {u.regiment for u in units if u.regiment},
        "result": tables.results,
        "side": [side.id for side in game.sides],
        "size-or-type": (
            *get_args(Size),
            *game.unit_types,
            *game.classes,
            *game.movement_classes,
            *scenario.counters,
        ),
        "switch": [name for name, option in game.options.items() if set(option.choices) == {"yes", "no"}],
        "terrain": tables.terrain,
        "track": game.tracks,
        "turn": range(game.turns.first, game.turns.last + 1),
        "type": (*game.unit_types, *game.classes, *game.movement_classes),
        "unit": scenario.counters,
        "unit-type": game.unit_types,
        "way": tables.ways,
        "weather": game.weathers,
    }


def marks(scenario: Scenario) -> tuple[str, ...]:
    """The flags that a unit of this game can bear: the notation's, those that rules give, and movement classes."""
    rules = scenario.game.rules.movement
    notated = (key.partition(".")[2] for key in catalogue("notation", SOURCE) if key.startswith("flags."))
    lines = scenario.game.rules.supply
    given = (*(r.mark for r in rules.passages), *(mark for r in lines for mark in (r.mark, *r.stages)))
    transit = (rules.transit.mark, rules.transit.passed) if rules.transit else ()
    taken = (mark for rule in scenario.game.rules.marks for mark in rule.gives)
    suffered = (mark for result in scenario.tables.results.values() for mark in result.marks)
    return tuple(dict.fromkeys((*given, *transit, *suffered, *taken, *notated, *scenario.game.movement_classes)))


@dataclass(frozen=True)
class GameMap:
    """The ground. Drawing reads the runs (`rivers`, `ways`); rules read the look-ups made from them.

    `terrain` holds every hex of the grid with its terrains (one, or several in a mixed hex).
    """

    grid: HexGrid
    terrain: Mapping[Hex, tuple[str, ...]]
    provenance: Mapping[Hex, Provenance] = field(default_factory=dict)
    notes: Mapping[Hex, str] = field(default_factory=dict)
    fortified: frozenset[Hex] = frozenset()
    hexside_runs: tuple[HexsideRun, ...] = ()
    bridge_list: tuple[Bridge, ...] = ()
    ways: tuple[Way, ...] = ()
    places: tuple[Place, ...] = ()
    areas: tuple[Area, ...] = ()
    named_edges: Mapping[str, tuple[Hex, ...]] = field(default_factory=dict)
    looks: Looks = field(default_factory=Looks)
    compass: float = 0
    scale: str = ""
    scan: Scan | None = None
    printed: bool = True
    """Whether this is the scenario's own map (a turn sheet can put an empty one in its place)."""

    @classmethod
    def blank(cls, grid: HexGrid, terrain: str) -> GameMap:
        """A map of one terrain."""
        return cls(grid, dict.fromkeys(grid, (terrain,)), printed=False)

    @cached_property
    def hexsides(self) -> Mapping[Side, frozenset[str]]:
        """Kinds of line (river, dam, fortification …) on each hexside that bears any."""
        found: dict[Side, set[str]] = {}
        for run in self.hexside_runs:
            for s in run.sides:
                found.setdefault(s, set()).add(run.kind)
        return {s: frozenset(kinds) for s, kinds in found.items()}

    @cached_property
    def links(self) -> Mapping[Side, frozenset[str]]:
        """Kinds of way (road, trail, rail) that join two neighbouring hexes."""
        found: dict[Side, set[str]] = {}
        for way in self.ways:
            for a, b in pairwise(way.hexes):
                found.setdefault(side(a, b), set()).add(way.kind)
        return {s: frozenset(kinds) for s, kinds in found.items()}

    @cached_property
    def way_hexes(self) -> Mapping[str, frozenset[Hex]]:
        """For each kind of way, the hexes it runs through."""
        found: dict[str, set[Hex]] = {}
        for way in self.ways:
            found.setdefault(way.kind, set()).update(way.hexes)
        return {kind: frozenset(hexes) for kind, hexes in found.items()}

    @cached_property
    def bridges(self) -> Mapping[Side, Bridge]:
        """Bridges that stand by themselves; ways imply others (tables.yaml says which)."""
        return {b.side: b for b in self.bridge_list}

    def bridged(self, tables: TablesFile, turn: int) -> frozenset[Side]:
        """The hexsides that a bridge crosses in a turn, or a way that implies one."""
        ways = (
            s for s, kinds in self.links.items() if any(k in tables.ways and tables.ways[k].bridges for k in kinds)
        )
        return frozenset((*(b.side for b in self.bridge_list if (b.from_turn or 0) <= turn), *ways))

    @cached_property
    def area(self) -> Mapping[str, frozenset[Hex]]:
        """Hexes of each named area."""
        return {a.id: frozenset(a.hexes) for a in self.areas}

    @cached_property
    def place(self) -> Mapping[str, Place]:
        """Places by id."""
        return {p.id: p for p in self.places}

    @cached_property
    def place_at(self) -> Mapping[Hex, Place]:
        """The first place named in each hex that has one."""
        return {h: p for p in reversed(self.places) for h in p.hexes}

    @cached_property
    def edges(self) -> Mapping[str, frozenset[Hex]]:
        """Hexes of the four edges: those that the map names, else the rectangle's own. Corners lie on two."""
        return {name: frozenset(self.named_edges.get(name) or self.grid.edge(name)) for name in EDGES}

    def look(self, kind: Literal["terrain", "hexsides", "ways", "areas"], id_: str) -> str:
        """The name of the style in which something is drawn: its own, or the one that map.yaml names for it."""
        names: Mapping[str, str] = getattr(self.looks, kind)
        return names.get(id_, id_)


@dataclass(frozen=True)
class Text:
    """Every word a player reads, in one language. Keys are paths with dots, as in `terrain.forest`.

    `own` are the keys that the game's own file has, and not only that of its family.
    """

    language: str
    values: Mapping[str, str]
    own: frozenset[str] = frozenset()

    def __getitem__(self, key: str) -> str:
        return self.values[key]

    def get(self, key: str, default: str = "") -> str:
        """The text, or `default` where the language file has none."""
        return self.values.get(key, default)

    def section(self, prefix: str) -> dict[str, str]:
        """All texts below a key, without the key: `section("terrain")["forest"]`."""
        start = prefix + "."
        return {k[len(start) :]: v for k, v in self.values.items() if k.startswith(start)}


NAMED_IN_SHEETS: Final = ("sides", "unit_types", "terrain", "ways", "hexsides", "flags", "phases", "results")
"""The sections of a game's texts whose things turn sheets name."""


@dataclass(frozen=True)
class Scenario(Cited):
    """A game: a whole one, or an extension, markers and tracks of one whose map and order of battle are unknown.

    `digest` is a hash (hex, SHA-256) over all files that verdicts rest on; `warnings` are what the checks noted.
    `notation`: by language, the forms of the game's words that turn sheets may use besides ids and names, parted by
    blanks and keyed as in the texts; the first is the one that is written.
    """

    name: str
    folder: Path
    game: GameFile
    map: GameMap
    counters: Mapping[str, Counter]
    tables: TablesFile
    setup: SetupFile
    victory: VictoryFile
    texts: Mapping[str, Text]
    digest: str
    files: Mapping[str, Model] = field(default_factory=dict)
    """The YAML files as they were read, by name."""
    warnings: tuple[Problem, ...] = ()
    notation: Mapping[str, Text] = field(default_factory=dict)
    own_looks: OwnLooks | None = None
    """Pictures that the owner of a copy has, in place of those in the folder."""
    extension: ExtensionFile | None = None
    """What the file of an extension says; map, counters, tables and set-up are then empty."""
    ledger: LedgerFile | None = None
    """The rules that an extension's sheets are judged by, on its accounts; None where it has none."""

    @property
    def has_map(self) -> bool:
        """Whether it is a whole game."""
        return self.extension is None

    @property
    def days(self) -> Days | None:
        """The calendar of a game whose turns are parts of days."""
        return self.extension.days if self.extension else None

    @property
    def day_phases(self) -> tuple[NamedPhase, ...]:
        """The phases that its parts of days may have."""
        return self.extension.phases if self.extension else ()

    @property
    def only_exits(self) -> tuple[OnlyExits, ...]:
        """Hexes of an extension that are joined to few others."""
        return self.extension.only_exits if self.extension else ()

    @property
    def letters(self) -> str:
        """The letters of an extension's maps."""
        return "".join(m.letter for m in self.extension.maps) if self.extension else ""

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """Every name in the files that stands for something else of the game."""
        return tuple(references(self))

    @cached_property
    def modifiers(self) -> Modifiers:
        """All modifiers of combat, those that short-hands stand for too."""
        return in_one_form(self.game.rules.combat, self.tables, tuple(side.id for side in self.game.sides[:2]))

    def kinds(self, type_: str) -> frozenset[str]:
        """A unit type, the classes of game.yaml that it belongs to, and its movement class."""
        classes = {name for name, types in self.game.classes.items() if type_ in types}
        spec = self.game.unit_types.get(type_)
        return frozenset({type_, *classes, *((spec.movement,) if spec else ())})

    def fits(self, rule: Selector, id_: str) -> bool:
        """Whether a rule speaks of a counter, whatever marks its unit bears."""
        unit = self.counters[id_]
        numbers = {unit.division, unit.division.lower(), *unit.division.split()[:1]}
        return (
            rule.side in (None, unit.side)
            and (not rule.types or not self.kinds(unit.type).isdisjoint(rule.types))
            and (not rule.divisions or not numbers.isdisjoint(rule.divisions))
            and (not rule.units or id_ in rule.units)
        )

    @property
    def looks(self) -> OwnLooks:
        """Where its own pictures are: in its folder, or where its owner has them."""
        scan = self.map.scan
        return self.own_looks or OwnLooks.of(self.folder, scan.image if scan else "")

    def weather(self, turn: int) -> str:
        """The weather of a turn; "" where the game has none."""
        return in_turn(self.game.weather, turn)

    def weather_by_area(self, turn: int) -> tuple[tuple[str, str], ...]:
        """What areas have for weather in a turn, where it is not that of the map."""
        own = ((area, in_turn(spans, turn)) for area, spans in self.game.weather_areas.items())
        return tuple((area, weather) for area, weather in own if weather)


def in_turn(spans: Mapping[str, tuple[int, int]], turn: int) -> str:
    """Which of some names has a turn; "" if none has."""
    return next((name for name, turns in spans.items() if in_turns(turns, turn)), "")


def behind_own_line(grid: HexGrid, setup: SetupFile, counters: Mapping[str, Counter], side: str) -> frozenset[Hex]:
    """What may lie behind a side's line: hexes no nearer to the places printed for the enemy than to its own.

    No text says where a line runs, but none runs through the other side's places.
    """
    fixed = [r for r in setup.at_start if len(r.hexes) == 1 and not r.areas]
    places = {r.hexes[0]: counters[r.units[0]].side == side for r in fixed if r.hexes[0] in grid}
    return _nearer_to_own(grid, tuple(places.items()))


@lru_cache(32)
def _nearer_to_own(grid: HexGrid, places: tuple[tuple[Hex, bool], ...]) -> frozenset[Hex]:
    """The hexes from which no place of the enemy is nearer than all that are a side's own."""
    nearest = {h: min((grid.distance(h, place), not own) for place, own in places) for h in grid if places}
    return frozenset(h for h in grid if not places or not nearest[h][1])


@dataclass(frozen=True)
class Marker:
    """A marker of a game: its id, and its faces in the order in which it is turned."""

    id: str
    faces: tuple[str, ...]


def markers(scenario: Scenario) -> tuple[Marker, ...]:
    """The markers that the game's tables and rules call for."""
    game, tables = scenario.game, scenario.tables
    rules, movement = game.rules, game.rules.movement
    found = [Marker("turn", ("turn",))]
    most = max((r.points for r in tables.air), default=0)
    if most:
        found.append(Marker("air_x1", ("air_x1",)))
    if most > 10:
        found.append(Marker("air_x10", ("air_x10",)))
    if game.weathers:
        found.append(Marker("weather", tuple(f"weather_{w}" for w in game.weathers)))
    dated = any(b.from_turn for b in scenario.map.bridge_list)
    if movement.bridging is not None or movement.closed_bridges or dated:
        found.append(Marker("bridge", ("bridge", "bridge_destroyed")))
    if movement.clearing is not None:
        found.append(Marker("clearing", ("way_blocked", "way_cleared")))
    if scenario.victory.objectives:
        found.append(Marker("control", tuple(f"control_{s.id}" for s in game.sides)))
    contact = (
        *(("must_attack",) if rules.combat.duty.asked else ()),
        *(("disengaged",) if movement.zones.leave.kind == "points" else ()),
    )
    if contact:
        found.append(Marker("must_attack", contact))
    if _knows_encirclement(rules.combat):
        found.append(Marker("surrounded", ("surrounded",)))
    if movement.recovery or rules.supply:
        found.append(Marker("out_of_supply", ("out_of_supply",)))
    if movement.transit is not None:
        found.append(Marker("in_transit", ("in_transit",)))
    if tables.bombardment is not None or game.classes.get(GUNS):
        found.append(Marker("fired", ("fired",)))
    schedule = scenario.setup
    if schedule.reinforcements:
        found.append(Marker("arrival", ("arrival", "departure") if schedule.withdrawals else ("arrival",)))
    return (
        *found,
        *(Marker(face, (face,)) for face in _state(scenario, known={face for m in found for face in m.faces})),
    )


STATE = "mark_"
"""What a face is called that shows a mark of state: this, and the mark's id."""


def _state(scenario: Scenario, known: set[str]) -> Iterator[str]:
    """Faces for the marks that units bear until a phase, a roll or supply takes them away, but for those `known`.

    That a unit is without supply, and that it has fired, every game's markers of these names say.
    """
    rules = scenario.game.rules
    given = (mark for result in scenario.tables.results.values() for mark in result.marks)
    stages = (mark for line in rules.supply for mark in line.stages)
    for mark in dict.fromkeys(
        (*given, *(mark for rule in rules.marks for mark in (rule.mark, *rule.gives)), *stages)
    ):
        if mark not in known:
            yield f"{STATE}{mark}"


def _knows_encirclement(combat: CombatRules) -> bool:
    """Whether it matters to any rule of combat that a unit is surrounded."""
    asked = (condition.kind for rule in combat.modifiers for condition in rule.when)
    return combat.retreat.way.kind == "fall_back" or "surrounded" in asked
