"""The ground as the rules see it: places, lines, bridges, what of it is reconstructed, and the price of steps.

Steps are worked out when first asked for and kept, so that a long game prices each step once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

from hexforge.scenarios.hexgrid import Hex, Side, side
from hexforge.scenarios.model import GameMap, Scenario
from hexforge.scenarios.schema.rules_movement import MovementRules
from hexforge.scenarios.schema.tables import TablesFile
from hexforge.scenarios.words import Message
from hexforge.validator.referee.findings import doubt, provenance_of
from hexforge.validator.referee.rates import Rate
from hexforge.validator.referee.steps import HexStep, Mover, across, barred_hex, by_way, doubted, price, work_out

WATER = frozenset({"river-crossing", "bridge-closed"})
"""Codes of findings on steps that what lies on the hexside decides."""

__all__ = ["Ground", "HexStep", "Mover"]


_MOST_STEPS: Final = 60_000
"""Some ten megabytes."""


@dataclass(frozen=True)
class Ground:
    """A map under a scenario's rules. `edited*` are hexes and hexsides that the sheet itself describes."""

    scenario: Scenario
    map: GameMap
    edited: frozenset[Hex] = frozenset()
    edited_sides: frozenset[Side] = frozenset()
    road_exempt: bool = True
    country: dict[tuple[str, str, frozenset[str], tuple[str, ...]], tuple[Rate, str]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """For a movement class, a weather, classes of units and terrains: what such a hex costs and what of it bars."""
    _floors: dict[tuple[str, str], int] = field(default_factory=dict, compare=False, repr=False)
    # Every step of every kind of mover asks for the doubt of its hex.
    _doubts: dict[Hex, Message | None] = field(default_factory=dict, compare=False, repr=False)
    _steps: dict[Mover, dict[tuple[Hex, Hex], HexStep]] = field(default_factory=dict, compare=False, repr=False)
    _under: Ground | None = field(default=None, compare=False, repr=False)
    """The ground that this one is supposed to differ from, in no step but those of `_altered`."""
    _altered: frozenset[tuple[Hex, Hex]] = field(default=frozenset(), compare=False, repr=False)

    @property
    def altered(self) -> frozenset[tuple[Hex, Hex]]:
        """The steps that may be others than on the ground that this one is supposed to differ from."""
        return self._altered

    @property
    def is_large(self) -> bool:
        """Whether so many steps have been worked out that it is time for a new one."""
        return sum(map(len, self._steps.values())) > _MOST_STEPS

    @property
    def tables(self) -> TablesFile:
        """The scenario's tables."""
        return self.scenario.tables

    @property
    def rules(self) -> MovementRules:
        """The scenario's figures of movement."""
        return self.scenario.game.rules.movement

    # ----------------------------------------------------------------- places

    @cached_property
    def place_hexes(self) -> Mapping[str, frozenset[Hex]]:
        """Hexes of each place, by id."""
        return {p.id: frozenset(p.hexes) for p in self.map.places}

    def place(self, id_: str) -> frozenset[Hex]:
        """Hexes of a place; none where the map has no such place."""
        return self.place_hexes.get(id_, frozenset())

    def area(self, id_: str) -> frozenset[Hex]:
        """Hexes of an area; none where the map has no such area."""
        return self.map.area.get(id_, frozenset())

    @cached_property
    def _edge_hexes(self) -> Mapping[str, frozenset[Hex]]:
        return self.map.edges

    def edge(self, name: str) -> frozenset[Hex]:
        """Hexes of a named edge."""
        return self._edge_hexes.get(name, frozenset())

    def edges_at(self, hex_: Hex) -> tuple[str, ...]:
        """The edges that a hex lies on."""
        return tuple(name for name, hexes in self._edge_hexes.items() if hex_ in hexes)

    # ------------------------------------------------------------------ lines

    @cached_property
    def links(self) -> Mapping[Side, frozenset[str]]:
        """Kinds of way that join two hexes."""
        return self.map.links

    @cached_property
    def hexsides(self) -> Mapping[Side, frozenset[str]]:
        """Kinds of line on each hexside."""
        return self.map.hexsides

    @cached_property
    def way_hexes(self) -> Mapping[str, frozenset[Hex]]:
        """Hexes of each kind of way."""
        return self.map.way_hexes

    @cached_property
    def bridge_dates(self) -> Mapping[Side, int]:
        """First turn of every bridge that stands by itself; those that a rule puts there, on any map."""
        dates = {b.side: b.from_turn or 0 for b in self.map.bridge_list}
        if not self.map.printed:
            ruled = {b.side: b.from_turn for b in self.scenario.map.bridge_list if b.from_turn is not None}
            dates = {**ruled, **dates}
        return dates

    def water(self, s: Side) -> tuple[str, ...]:
        """Kinds of water on a hexside."""
        kinds = self.hexsides.get(s)
        if not kinds:
            return ()
        effects = self.tables.hexsides
        return tuple(k for k in sorted(kinds) if k in effects and effects[k].water)

    def dry(self, s: Side) -> tuple[str, ...]:
        """Kinds of line on a hexside that are no water but cost or bar whoever crosses them."""
        return tuple(k for k in sorted(self.hexsides.get(s, ())) if k in self._dry) if self._dry else ()

    @cached_property
    def _dry(self) -> frozenset[str]:
        effects = self.tables.hexsides.items()
        dearer = {k for rule in self.rules.surcharges for k in rule.hexsides}
        return frozenset(k for k, e in effects if not e.water and (e.costs or e.barred or k in dearer))

    def bridged(
        self, s: Side, turn: int, markers: frozenset[Side] = frozenset(), *, besides: Collection[str] = ()
    ) -> bool:
        """Whether a bridge, or a way that implies one (`besides` some kinds), crosses a hexside in a turn."""
        date = self.bridge_dates.get(s)
        if s in markers or (date is not None and date <= turn):
            return True
        ways = self.tables.ways
        return any(k in ways and ways[k].bridges and k not in besides for k in self.links.get(s, ()))

    def east_of(self, s: Side, kind: str) -> bool | None:
        """Whether a hexside (or a hex, given twice) lies east of the nearest line of a kind; None without one."""
        line = self._lines.get(kind)
        if not line:
            return None
        x, y = self._middle(s)
        nearest = min(line, key=lambda p: (p[0] - x) ** 2 + (p[1] - y) ** 2)
        return x > nearest[0]

    @cached_property
    def _lines(self) -> Mapping[str, tuple[tuple[float, float], ...]]:
        found: dict[str, list[tuple[float, float]]] = {}
        for s, kinds in self.hexsides.items():
            for kind in kinds:
                found.setdefault(kind, []).append(self._middle(s))
        return {kind: tuple(points) for kind, points in found.items()}

    def _middle(self, s: Side) -> tuple[float, float]:
        (ax, ay), (bx, by) = (self.map.grid.center(h) for h in s)
        return (ax + bx) / 2, (ay + by) / 2

    # ------------------------------------------------------------- provenance

    def doubt(self, hex_: Hex) -> Message | None:
        """Why a hex's terrain may be otherwise: None where the sheet or the rulebook says what it is."""
        if hex_ not in self._doubts:
            self._doubts[hex_] = self._doubt(hex_)
        return self._doubts[hex_]

    def _doubt(self, hex_: Hex) -> Message | None:
        if not self.map.printed or hex_ in self.edited or self.map.provenance.get(hex_) == "printed":
            return None
        return doubt("terrain", hex=hex_, provenance=provenance_of(self.map.provenance.get(hex_, "assumed")))

    @cached_property
    def climate(self) -> Mapping[Hex, str]:
        """The area of each hex whose weather is that of an area."""
        return {h: area for area in reversed(self.scenario.game.climates) for h in self.area(area)}

    def under(self, mover: Mover, hex_: Hex) -> Mover:
        """The mover in the weather of a hex."""
        area = self.climate.get(hex_) if mover.skies else None
        weather = dict(mover.skies).get(area) if area else None
        return mover if weather in (None, mover.weather) else replace(mover, weather=weather)

    def area_doubt(self, id_: str) -> Message | None:
        """Why an area may be otherwise: None where the sheet or the rulebook says which hexes it has."""
        if not self.map.printed:
            return None
        area = next((a for a in self.map.areas if a.id == id_), None)
        if area is None or area.provenance == "printed":
            return None
        return doubt("area-by", area=id_, provenance=provenance_of(area.provenance))

    def side_doubt(self, s: Side) -> Message | None:
        """Why what is drawn on a hexside may be otherwise; None where nothing is drawn, or nothing of ours."""
        if not self.map.printed or s in self.edited_sides or s not in self._assumed_sides:
            return None
        return doubt("hexside", a=s[0], b=s[1])

    def side_gap(self, s: Side) -> Message | None:
        """Why something may run on or over a hexside of the printed map where our reconstruction draws nothing."""
        drawn = s in self.edited_sides or bool(self.links.get(s) or self.hexsides.get(s))
        sure = drawn or not self.map.printed or self._whole
        return None if sure else doubt("hexside", a=s[0], b=s[1])

    @cached_property
    def _whole(self) -> bool:
        """Whether nothing of the map is a reconstruction, so that what it does not draw is not there."""
        return all(source == "printed" for source in self.map.provenance.values()) and not self._assumed_sides

    @cached_property
    def _assumed_sides(self) -> frozenset[Side]:
        runs = [s for run in self.map.hexside_runs if run.provenance != "printed" for s in run.sides]
        ways = [side(a, b) for way in self.map.ways if way.provenance != "printed" for a, b in pairwise(way.hexes)]
        return frozenset((*runs, *ways, *(b.side for b in self.map.bridge_list if b.provenance != "printed")))

    # ------------------------------------------------------------------ steps

    def step(self, mover: Mover, a: Hex, b: Hex) -> HexStep:
        """What the step from `a` to its neighbour `b` costs the mover, or why it may not be made."""
        kept = self.kept(mover)
        found = kept.get((a, b))
        if found is None:
            if self._under is not None and (a, b) not in self._altered:
                found = kept[a, b] = self._under.step(mover, a, b)
            else:
                found = kept[a, b] = self._doubted(mover, a, b, work_out(self, self.under(mover, b), a, b))
        return found

    def kept(self, mover: Mover) -> dict[tuple[Hex, Hex], HexStep]:
        """The steps of a mover that have been asked for so far."""
        found = self._steps.get(mover)
        if found is None:
            found = self._steps[mover] = dict(self._under.kept(mover)) if self._under is not None else {}
            for step in self._altered:
                found.pop(step, None)
        return found

    def _doubted(self, mover: Mover, a: Hex, b: Hex, step: HexStep) -> HexStep:
        if not self.map.printed or step.key == "barred-hex":
            return doubted(step, step.cost)
        ground, line = self.doubt(b), self.side_doubt(side(a, b))
        # What lies on the hexside decides about water, what the hex is about the rest; a way may lead through both.
        datum = line if step.code in WATER else ground or line
        if not datum:
            return doubted(step, step.cost)
        return doubted(step, min(step.cost, self._cheapest(mover)), datum)

    def _cheapest(self, mover: Mover) -> int:
        """The least that any step can cost a mover."""
        key = (mover.movement, mover.weather)
        found = self._floors.get(key)
        if found is None:
            tables = [e.costs for e in self.tables.terrain.values()] + [w.costs for w in self.tables.ways.values()]
            prices = (price(costs, *key) for costs in tables)
            found = self._floors[key] = min((p for p in prices if p is not None), default=0)
        return found

    def entry(self, mover: Mover, hex_: Hex, way: str = "") -> HexStep:
        """What a unit pays for the first hex when it comes on: its terrain, or the rate of the way it comes by."""
        mover = self.under(mover, hex_)
        step = by_way(self, mover, hex_, way) if way else across(self, mover, hex_, ())
        if not step.key and hex_ in mover.barred:
            step = barred_hex(self, mover, step)
        # Who may enter a hex only in retreat may not come on there, whatever its ground is.
        datum = None if step.key == "barred-hex" else self.doubt(hex_)
        return doubted(step, min(step.cost, self._cheapest(mover)) if datum else step.cost, datum)

    def needs_clearing(self, hex_: Hex, cleared: frozenset[Hex]) -> bool:
        """Whether a hex bears an obstructed way."""
        rule = self.rules.clearing
        if rule is None or hex_ in cleared or hex_ not in self.way_hexes.get(rule.way, ()):
            return False
        return not any(t in rule.exempt for t in self.map.terrain[hex_])

    def obstructed(self, hex_: Hex, cleared: frozenset[Hex]) -> bool:
        """Whether a hex is shut by an obstructed way: not if another way leads through it, where nothing lies."""
        rule = self.rules.clearing
        if rule is None or not self.needs_clearing(hex_, cleared):
            return False
        return not any(hex_ in hexes for way, hexes in self.way_hexes.items() if way != rule.way)
