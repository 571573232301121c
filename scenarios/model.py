"""The game as program sees it: typed and immutable. `scenarios.loader` makes it from the files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from hexforge.scenarios.cited import Cited
from hexforge.scenarios.hexgrid import EDGES, Hex, HexGrid, Side, side
from hexforge.scenarios.looks import OwnLooks
from hexforge.scenarios.schema.base import Provenance
from hexforge.scenarios.schema.counters import CounterRow as Counter
from hexforge.scenarios.schema.declared import Model
from hexforge.scenarios.schema.map import Area, Bridge, HexsideRun, Looks, Place, Scan, Way

if TYPE_CHECKING:
    from hexforge.scenarios.modifiers import Modifiers
    from hexforge.scenarios.problems import Problem
    from hexforge.scenarios.references import Reference
    from hexforge.scenarios.schema.game import GameFile
    from hexforge.scenarios.schema.rules_who import Selector
    from hexforge.scenarios.schema.setup import SetupFile
    from hexforge.scenarios.schema.tables import TablesFile
    from hexforge.scenarios.schema.victory import VictoryFile

__all__ = ["Area", "Bridge", "Counter", "GameMap", "HexsideRun", "Place", "Scenario", "Text", "Way"]


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
    """A whole game.

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

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """Every name in the files that stands for something else of the game."""
        from hexforge.scenarios.references import references

        return tuple(references(self))

    @cached_property
    def modifiers(self) -> Modifiers:
        """All modifiers of combat, those that short-hands stand for too."""
        from hexforge.scenarios.modifiers import in_one_form

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
    return next((name for name, (first, last) in spans.items() if first <= turn <= last), "")
