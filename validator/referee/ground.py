"""The ground as the rules see it: what a step from hex to hex costs whom, and why some steps cannot be made.

Costs are in half points. A `Mover` is all that a step can depend on besides the ground; steps are worked out when
first asked for and kept, so that a long game prices each step once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

from scenarios.hexgrid import Hex, Side, side
from scenarios.model import GameMap, Scenario
from scenarios.schema.rules_movement import Frontier, MovementRules
from scenarios.schema.tables import Cost, HexsideEffect, TablesFile

HUGE = 10**6


@dataclass(frozen=True, slots=True)
class Mover:
    """What the price of a step depends on.

    `frontiers` are indices of rules that bind this mover; `closed` whether some bridges are shut to it. `bridges`
    are markers that stand, `cleared` trail hexes that are open.
    """

    movement: str
    kinds: frozenset[str]
    weather: str
    frontiers: tuple[int, ...] = ()
    closed: frozenset[Hex] = frozenset()
    barred: frozenset[Hex] = frozenset()
    turn: int = 0
    bridges: frozenset[Side] = frozenset()
    cleared: frozenset[Hex] = frozenset()


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `code` is "" where it may be made, else the finding's code; `cost` then is what it would cost.

    `key` names the message, `section` the rule; `way` what was followed. `floor` is the least it can cost whatever
    the reconstructed part of the ground really is; `doubt` names that part, "" if nothing is reconstructed.
    """

    cost: int
    way: str = ""
    code: str = ""
    key: str = ""
    section: str = ""
    what: str = ""
    floor: int = 0
    doubt: str = ""


@dataclass(frozen=True)
class Ground:
    """A map under a scenario's rules. `edited*` are hexes, hexsides and areas that the sheet itself describes."""

    scenario: Scenario
    map: GameMap
    edited: frozenset[Hex] = frozenset()
    edited_sides: frozenset[Side] = frozenset()
    edited_areas: frozenset[str] = frozenset()
    road_exempt: bool = True
    _floors: dict[tuple[str, str], int] = field(default_factory=dict, compare=False, repr=False)
    _steps: dict[Mover, dict[tuple[Hex, Hex], Step]] = field(default_factory=dict, compare=False, repr=False)

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
        effects = self.tables.hexsides
        return tuple(k for k in sorted(self.hexsides.get(s, ())) if k in effects and effects[k].water)

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

    def doubt(self, hex_: Hex) -> str:
        """Why a hex's terrain may be otherwise: "" where the sheet or the rulebook says what it is."""
        if not self.map.printed or hex_ in self.edited or self.map.provenance.get(hex_) == "printed":
            return ""
        return f"terrain of {hex_} ({self.map.provenance.get(hex_, 'assumed')})"

    def area_doubt(self, id_: str) -> str:
        """Why an area may be otherwise: "" where the sheet or the rulebook says which hexes it has."""
        if not self.map.printed or id_ in self.edited_areas:
            return ""
        area = next((a for a in self.map.areas if a.id == id_), None)
        return "" if area is None or area.provenance == "printed" else f"area {id_} ({area.provenance})"

    def side_doubt(self, s: Side) -> str:
        """Why what is drawn on a hexside may be otherwise; "" where nothing is drawn, or nothing of ours."""
        if not self.map.printed or s in self.edited_sides or s not in self._assumed_sides:
            return ""
        return f"hexside {s[0]}/{s[1]} (assumed)"

    def side_gap(self, s: Side) -> str:
        """Why something may run on or over a hexside of the printed map where our reconstruction draws nothing."""
        sure = not self.map.printed or s in self.edited_sides or bool(self.links.get(s) or self.hexsides.get(s))
        return "" if sure else f"hexside {s[0]}/{s[1]} (assumed)"

    @cached_property
    def _assumed_sides(self) -> frozenset[Side]:
        runs = [s for run in self.map.hexside_runs if run.provenance != "printed" for s in run.sides]
        ways = [side(a, b) for way in self.map.ways if way.provenance != "printed" for a, b in pairwise(way.hexes)]
        return frozenset((*runs, *ways, *(b.side for b in self.map.bridge_list if b.provenance != "printed")))

    # ------------------------------------------------------------------ steps

    def step(self, mover: Mover, a: Hex, b: Hex) -> Step:
        """What the step from `a` to its neighbour `b` costs the mover, or why it may not be made."""
        kept = self._steps.setdefault(mover, {})
        found = kept.get((a, b))
        if found is None:
            found = kept[a, b] = self._doubted(mover, a, b, self._work_out(mover, a, b))
        return found

    def _doubted(self, mover: Mover, a: Hex, b: Hex, step: Step) -> Step:
        if not self.map.printed:
            return _with(step, floor=step.cost)
        ground, line = self.doubt(b), self.side_doubt(side(a, b))
        if step.key == "barred-hex":
            return _with(step, floor=step.cost)
        # What lies on the hexside decides about water, what the hex is about the rest; a way may lead through both.
        doubt = line if step.code in ("river-crossing", "bridge-closed") else ground or line
        if not doubt:
            return _with(step, floor=step.cost)
        return _with(step, floor=min(step.cost, self._cheapest(mover)), doubt=doubt)

    def _cheapest(self, mover: Mover) -> int:
        """The least that any step can cost a mover."""
        key = (mover.movement, mover.weather)
        found = self._floors.get(key)
        if found is None:
            tables = [e.costs for e in self.tables.terrain.values()] + [w.costs for w in self.tables.ways.values()]
            prices = (price(costs, *key) for costs in tables)
            found = self._floors[key] = min((p for p in prices if p is not None), default=0)
        return found

    def entry(self, mover: Mover, hex_: Hex, way: str = "") -> Step:
        """What a unit pays for the first hex when it comes on: its terrain, or the rate of the way it comes by."""
        step = self._by_way(mover, hex_, way) if way else self._across(mover, hex_, ())
        if step.code == "" and hex_ in mover.barred:
            step = self._barred_hex(mover, step)
        doubt = self.doubt(hex_)
        return _with(step, floor=min(step.cost, self._cheapest(mover)) if doubt else step.cost, doubt=doubt)

    def _work_out(self, mover: Mover, a: Hex, b: Hex) -> Step:
        s = side(a, b)
        water = self.water(s)
        frontier = self._frontier(mover, a, b, s)
        ways = [k for k in self.links.get(s, ()) if k in self.tables.ways and self.tables.ways[k].costs]
        choices = [self._across(mover, b, () if self._over(mover, s) else water)]
        choices += [self._by_way(mover, b, k) for k in sorted(ways) if self._carries(mover, s, k, water)]
        best = min(choices, key=lambda c: (c.code != "", c.cost))
        if best.code == "" and b in mover.barred:
            best = self._barred_hex(mover, best)
        if best.code == "" and frontier is not None:
            what = ", ".join(k for k in frontier.hexsides if k in self.hexsides[s])
            best = _with(best, code="river-crossing", key="frontier", section=frontier.section, what=what)
        return self._explain_shut(mover, s, best)

    def _over(self, mover: Mover, s: Side) -> bool:
        """Whether a bridge spares whoever goes across country the water; ways whose price includes it do not."""
        if self._shut(mover, s):
            return False
        return self.bridged(s, mover.turn, mover.bridges, besides=self.rules.includes_water)

    def _carries(self, mover: Mover, s: Side, kind: str, water: tuple[str, ...]) -> bool:
        """Whether a way takes the mover over what water there is."""
        if not water or (kind in self.rules.includes_water and not self._water_bars(mover, water)):
            return True
        return not self._shut(mover, s) and (self.tables.ways[kind].bridges or self._over(mover, s))

    def _shut(self, mover: Mover, s: Side) -> bool:
        return s[0] in mover.closed or s[1] in mover.closed

    def _explain_shut(self, mover: Mover, s: Side, step: Step) -> Step:
        if step.code != "river-crossing" or step.key == "frontier":
            return step
        if self._shut(mover, s) or (s in self.bridge_dates and self.bridge_dates[s] > mover.turn):
            return _with(step, code="bridge-closed", key="bridge-closed")
        return step

    def _across(self, mover: Mover, b: Hex, water: Iterable[str]) -> Step:
        """Into a hex across country, and over water that nothing carries the unit across."""
        terrains = self.map.terrain[b]
        ruling = [t for t in terrains if t in self.rules.prevailing] or terrains
        effects = [(t, self.tables.terrain[t]) for t in ruling]
        cost = max(price(e.costs, mover.movement, mover.weather) or 0 for _, e in effects)
        water_effects = [(k, self.tables.hexsides[k]) for k in water]
        cost += max((price(e.costs, mover.movement, mover.weather) or 0 for _, e in water_effects), default=0)
        for t, effect in effects:
            if not mover.kinds.isdisjoint(effect.barred):
                return Step(cost, "", "prohibited-terrain", "barred-terrain", self.rules.sections.barred, t)
        for k, line in water_effects:
            if not mover.kinds.isdisjoint(line.barred):
                return Step(cost, "", "river-crossing", "barred-water", self.rules.sections.water, k)
        return self._uncleared(mover, b, Step(cost))

    def _water_bars(self, mover: Mover, water: Iterable[str]) -> bool:
        return any(_bars(mover, self.tables.hexsides[k]) for k in water)

    def _by_way(self, mover: Mover, b: Hex, kind: str) -> Step:
        """Into a hex along a way, at the way's rate."""
        effect = self.tables.ways[kind]
        cost = price(effect.costs, mover.movement, mover.weather)
        town = [t for t in self.map.terrain[b] if t in self.rules.prevailing]
        if kind in self.rules.includes_water and town:
            # A trail through a town costs what the town does.
            cost = min(price(self.tables.terrain[t].costs, mover.movement, mover.weather) or HUGE for t in town)
        if cost is None:
            return Step(HUGE, kind, "prohibited-terrain", "barred-way", self.rules.sections.barred, kind)
        if not mover.kinds.isdisjoint(effect.barred):
            return Step(cost, kind, "prohibited-terrain", "barred-way", self.rules.sections.barred, kind)
        if not self.road_exempt:
            barred = next(
                (t for t in self.map.terrain[b] if not mover.kinds.isdisjoint(self.tables.terrain[t].barred)), None
            )
            if barred is not None:
                return Step(cost, kind, "prohibited-terrain", "barred-terrain", self.rules.sections.barred, barred)
        clearing = self.rules.clearing
        if clearing is not None and kind == clearing.way:
            return self._uncleared(mover, b, Step(cost, kind))
        return Step(cost, kind)

    def needs_clearing(self, hex_: Hex, cleared: frozenset[Hex]) -> bool:
        """Whether a hex bears an obstructed way."""
        rule = self.rules.clearing
        if rule is None or hex_ in cleared or hex_ not in self.way_hexes.get(rule.way, ()):
            return False
        return not any(t in rule.exempt for t in self.map.terrain[hex_])

    def _uncleared(self, mover: Mover, b: Hex, step: Step) -> Step:
        rule = self.rules.clearing
        if rule is None or mover.kinds.isdisjoint(rule.barred) or not self.needs_clearing(b, mover.cleared):
            return step
        return _with(step, code="prohibited-terrain", key="uncleared", section=rule.section, what=rule.way)

    def _barred_hex(self, mover: Mover, step: Step) -> Step:
        return _with(step, code="prohibited-terrain", key="barred-hex", section=self._barred_section(mover))

    def _barred_section(self, mover: Mover) -> str:
        for rule in self.rules.barred_hexes:
            if mover.barred & set(rule.hexes):
                return rule.section
        return self.rules.sections.barred

    def _frontier(self, mover: Mover, a: Hex, b: Hex, s: Side) -> Frontier | None:
        kinds = self.hexsides.get(s)
        if not kinds:
            return None
        for index in mover.frontiers:
            rule = self.rules.frontiers[index]
            if kinds.isdisjoint(rule.hexsides) or (rule.eastwards and not b[:2] > a[:2]):
                continue
            if rule.beyond is None or self.east_of(s, rule.beyond):
                return rule
        return None


def price(costs: Mapping[str, Cost], movement: str, weather: str) -> int | None:
    """A cost in half points for a movement class in a weather; None where the table has none."""
    by_weather = costs.get(movement)
    if by_weather is None:
        return None
    return by_weather.get(weather, by_weather.get(""))


def _bars(mover: Mover, effect: HexsideEffect) -> bool:
    return not mover.kinds.isdisjoint(effect.barred)


def _with(step: Step, **changes: Any) -> Step:
    """The step with other values; `dataclasses.replace` costs more than the step itself."""
    fields = (step.cost, step.way, step.code, step.key, step.section, step.what, step.floor, step.doubt)
    return Step(*(changes.get(name, old) for name, old in zip(_FIELDS, fields, strict=True)))


_FIELDS = tuple(Step.__slots__)
