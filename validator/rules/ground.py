"""The ground as the rules see it: places, lines, bridges, what of it is reconstructed, and the price of steps.

Steps are worked out when first asked for and kept, so that a long game prices each step once.

What one step costs a mover on a ground, and why it may not be made (4.0, 4.1.1).

Costs are in half points. A `Mover` is all that a step can depend on besides the ground.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

from ...scenarios.model import GameMap, Scenario
from ...scenarios.schema.rules_movement import Frontier, MovementRules, Surcharge
from ...scenarios.schema.tables import Cost, HexsideEffect, TablesFile
from ...scenarios.text.hexgrid import Hex, Side, side
from ...scenarios.text.words import Message
from .findings import KINDS, doubt, provenance_of
from .values import Rate

HUGE = 10**6


@dataclass(frozen=True, slots=True)
class Mover:
    """What the price of a step depends on.

    `skies` is the weather of areas that have their own. `frontiers` and `surcharges` are indices of rules that bind
    this mover; `closed` whether some bridges are shut to it. `bridges` are markers that stand, `cleared`
    trail hexes that are open. `only` are ways that it must follow, if any.
    """

    movement: str
    kinds: frozenset[str]
    weather: str
    skies: tuple[tuple[str, str], ...] = ()
    frontiers: tuple[int, ...] = ()
    surcharges: tuple[int, ...] = ()
    closed: frozenset[Hex] = frozenset()
    barred: frozenset[Hex] = frozenset()
    turn: int = 0
    bridges: frozenset[Side] = frozenset()
    cleared: frozenset[Hex] = frozenset()
    only: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class HexStep:
    """One step. `key` is "" where it may be made, else that of the finding; `cost` then is what it would cost.

    `section` is that of the rule where the kind of finding does not say it; `way` what was followed. `ban` is the
    section of a frontier that forbids the step besides, `ban_what` the line that it runs along. `rates` make up the
    cost; `whole`: it takes the whole allowance.
    """

    cost: int
    way: str = ""
    key: str = ""
    section: str = ""
    what: str = ""
    ban: str = ""
    ban_what: str = ""
    rates: tuple[Rate, ...] = ()
    whole: bool = False

    @property
    def code(self) -> str:
        """The code of the finding on what forbids the step; "" where nothing does."""
        return KINDS[self.key].code if self.key else ""


def price(costs: Mapping[str, Cost], movement: str, weather: str) -> int | None:
    """A cost in half points for a movement class in a weather; None where the table has none."""
    by_weather = costs.get(movement)
    if by_weather is None:
        return None
    return by_weather.get(weather, by_weather.get(""))


def _rate(section: str, id_: str, costs: Mapping[str, Cost], mover: Mover) -> Rate:
    """What a line of a table takes of a mover; nothing where it has no price for it."""
    weather = mover.weather if mover.weather in costs.get(mover.movement, ()) else ""
    return Rate(section, id_, price(costs, mover.movement, mover.weather) or 0, weather)


def _bars(mover: Mover, effect: HexsideEffect) -> bool:
    return not mover.kinds.isdisjoint(effect.barred)


def with_(step: HexStep, **changes: Any) -> HexStep:
    """The step with other values; `dataclasses.replace` costs more than the step itself."""
    return HexStep(**{name: getattr(step, name) for name in HexStep.__slots__} | changes)


def work_out(ground: Ground, mover: Mover, a: Hex, b: Hex) -> HexStep:
    """The step from a hex to its neighbour, by the cheapest of going across country and of each way there."""
    s = side(a, b)
    water = ground.water(s)
    frontier = _frontier(ground, mover, a, b, s)
    ways = [k for k in ground.links.get(s, ()) if k in ground.tables.ways and ground.tables.ways[k].costs]
    best = across(ground, mover, b, () if not water or _over(ground, mover, s) else water, ground.dry(s))
    if mover.only:
        best = with_(best, key="phase-way", what=", ".join(sorted(mover.only)))
        ways = [k for k in ways if k in mover.only]
    if ways:
        choices = [
            best,
            *(by_way(ground, mover, b, k) for k in sorted(ways) if _carries(ground, mover, (a, s), k, water)),
        ]
        # Where nothing is lawful, what shuts the way says more than what the open country has against it.
        # Of two at one price people say that they took the way.
        best = min(choices, key=lambda c: (c.key != "", c.key != "" and not c.way, c.cost, not c.way))
    if not best.key and b in mover.barred:
        best = barred_hex(ground, mover, best)
    best = _explain_shut(ground, mover, s, best)
    if frontier is None:
        return best
    what = ", ".join(k for k in frontier.hexsides if k in ground.hexsides[s])
    if best.key:
        return with_(best, ban=frontier.section, ban_what=what)
    return with_(best, key="frontier", section=frontier.section, what=what)


def _over(ground: Ground, mover: Mover, s: Side) -> bool:
    """Whether a bridge spares whoever goes across country the water; ways whose price includes it do not."""
    if _shut(mover, s):
        return False
    return ground.bridged(s, mover.turn, mover.bridges, besides=ground.rules.includes_water)


def _carries(ground: Ground, mover: Mover, where: tuple[Hex, Side], kind: str, water: tuple[str, ...]) -> bool:
    """Whether a way takes the mover from a hex over what water there is; one obstructed there takes nobody."""
    (a, s), rule = where, ground.rules.clearing
    # Who enters an obstructed hex is barred by that already.
    left = rule is not None and {h for h in s if ground.obstructed(h, mover.cleared)} == {a}
    if water and rule is not None and kind == rule.way and left and not mover.kinds.isdisjoint(rule.barred):
        return False
    if not water or (kind in ground.rules.includes_water and not _water_bars(ground, mover, water)):
        return True
    return not _shut(mover, s) and (ground.tables.ways[kind].bridges or _over(ground, mover, s))


def _shut(mover: Mover, s: Side) -> bool:
    return s[0] in mover.closed or s[1] in mover.closed


def _explain_shut(ground: Ground, mover: Mover, s: Side, step: HexStep) -> HexStep:
    if step.key != "barred-water":
        return step
    if _shut(mover, s) or (s in ground.bridge_dates and ground.bridge_dates[s] > mover.turn):
        return with_(step, key="bridge-closed")
    return step


def across(ground: Ground, mover: Mover, b: Hex, water: Iterable[str], dry: Iterable[str] = ()) -> HexStep:
    """Into a hex across country, over water that nothing carries the unit across, and over `dry` lines (cliffs)."""
    country, barred = open_country(ground, mover, ground.map.terrain[b])
    rates = [country]
    lines = ground.tables.hexsides
    wet = [_rate("hexsides", k, lines[k].costs, mover) for k in water]
    if wet:
        rates.append(max(wet, key=lambda rate: rate.cost))
    rates += [_rate("hexsides", k, lines[k].costs, mover) for k in dry]
    shut, whole = ("barred-terrain", "", barred) if barred else None, False
    for rule, word in _surcharged(ground, mover, b, (*water, *dry)):
        section, key = ("terrain", "barred-terrain") if word in rule.terrain else ("hexsides", "barred-line")
        rates.append(Rate(section, word, rule.points))
        whole = whole or rule.whole
        if rule.barred:
            shut = (key, rule.section, word)
            break
    if shut is None:
        over = (*((k, "barred-line") for k in dry), *((k, "barred-water") for k in water))
        shut = next(((key, "", k) for k, key in over if _bars(mover, lines[k])), None)
    cost = sum(rate.cost for rate in rates)
    if shut is not None:
        return HexStep(cost, "", *shut, rates=tuple(rates))
    return _uncleared(ground, mover, b, HexStep(cost, rates=tuple(rates), whole=whole))


def _surcharged(ground: Ground, mover: Mover, b: Hex, lines: Iterable[str]) -> Iterator[tuple[Surcharge, str]]:
    """The rules by which a step costs this mover more, with the terrain or line for which each does.

    As of all prices, the weather that counts is that of the hex entered.
    """
    rules = (ground.rules.surcharges[i] for i in mover.surcharges)
    for rule in (rule for rule in rules if not rule.weather or mover.weather in rule.weather):
        there = [t for t in ground.map.terrain[b] if t in rule.terrain]
        there += [k for k in lines if k in rule.hexsides]
        if there:
            yield rule, there[0]


def open_country(ground: Ground, mover: Mover, terrains: tuple[str, ...]) -> tuple[Rate, str]:
    """The rate of the dearest of some terrains, and which of them bars the mover, "" if none does."""
    key = (mover.movement, mover.weather, mover.kinds, terrains)
    found = ground.country.get(key)
    if found is None:
        ruling = [t for t in terrains if t in ground.rules.prevailing] or terrains
        effects = [(t, ground.tables.terrain[t]) for t in ruling]
        dearest = max((_rate("terrain", t, e.costs, mover) for t, e in effects), key=lambda rate: rate.cost)
        barred = next((t for t, e in effects if not mover.kinds.isdisjoint(e.barred)), "")
        found = ground.country[key] = (dearest, barred)
    return found


def _water_bars(ground: Ground, mover: Mover, water: Iterable[str]) -> bool:
    return any(_bars(mover, ground.tables.hexsides[k]) for k in water)


def by_way(ground: Ground, mover: Mover, b: Hex, kind: str) -> HexStep:
    """Into a hex along a way, at the way's rate."""
    effect = ground.tables.ways[kind]
    cost = price(effect.costs, mover.movement, mover.weather)
    rate = _rate("ways", kind, effect.costs, mover)
    town = [t for t in ground.map.terrain[b] if t in ground.rules.prevailing]
    if kind in ground.rules.includes_water and town:
        # A trail through a town costs what the town does.
        towns = [_rate("terrain", t, ground.tables.terrain[t].costs, mover) for t in town]
        rate = min(towns, key=lambda rate: rate.cost or HUGE)
        cost = rate.cost or HUGE
    if cost is None:
        return HexStep(HUGE, kind, "barred-way", what=kind)
    if not mover.kinds.isdisjoint(effect.barred):
        return HexStep(cost, kind, "barred-way", what=kind, rates=(rate,))
    if not ground.road_exempt:
        barred = next(
            (t for t in ground.map.terrain[b] if not mover.kinds.isdisjoint(ground.tables.terrain[t].barred)), None
        )
        if barred is not None:
            return HexStep(cost, kind, "barred-terrain", what=barred, rates=(rate,))
    step = HexStep(cost, kind, rates=(rate,))
    clearing = ground.rules.clearing
    return _uncleared(ground, mover, b, step) if clearing is not None and kind == clearing.way else step


def _uncleared(ground: Ground, mover: Mover, b: Hex, step: HexStep) -> HexStep:
    rule = ground.rules.clearing
    if rule is None or mover.kinds.isdisjoint(rule.barred) or not ground.obstructed(b, mover.cleared):
        return step
    return with_(step, key="uncleared", what=rule.way)


def barred_hex(ground: Ground, mover: Mover, step: HexStep) -> HexStep:
    """A step into a hex that the mover may enter only in retreat."""
    return with_(step, key="barred-hex", section=_barred_section(ground, mover))


def _barred_section(ground: Ground, mover: Mover) -> str:
    for rule in ground.rules.barred_hexes:
        if mover.barred & set(rule.hexes):
            return rule.section
    return ground.rules.sections.barred


def _frontier(ground: Ground, mover: Mover, a: Hex, b: Hex, s: Side) -> Frontier | None:
    kinds = ground.hexsides.get(s)
    if not kinds:
        return None
    for index in mover.frontiers:
        rule = ground.rules.frontiers[index]
        if kinds.isdisjoint(rule.hexsides) or (rule.eastwards and not b[:2] > a[:2]):
            continue
        if rule.beyond is None or ground.east_of(s, rule.beyond):
            return rule
    return None


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

    def side_doubt(self, s: Side) -> Message | None:
        """Why what is drawn on a hexside may be otherwise; None where nothing is drawn, or nothing of ours."""
        if not self.map.printed or s in self.edited_sides or s not in self._assumed_sides:
            return None
        return doubt("hexside", a=s[0], b=s[1])

    def side_gap(self, s: Side) -> Message | None:
        """Why something may run on or over a hexside of the printed map where our reconstruction draws nothing."""
        drawn = s in self.edited_sides or bool(self.links.get(s) or self.hexsides.get(s))
        sure = drawn or not self.map.printed or self._all_printed
        return None if sure else doubt("hexside", a=s[0], b=s[1])

    @cached_property
    def _all_printed(self) -> bool:
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
                found = kept[a, b] = work_out(self, self.under(mover, b), a, b)
        return found

    def kept(self, mover: Mover) -> dict[tuple[Hex, Hex], HexStep]:
        """The steps of a mover that have been asked for so far."""
        found = self._steps.get(mover)
        if found is None:
            found = self._steps[mover] = dict(self._under.kept(mover)) if self._under is not None else {}
            for step in self._altered:
                found.pop(step, None)
        return found

    def entry(self, mover: Mover, hex_: Hex, way: str = "") -> HexStep:
        """What a unit pays for the first hex when it comes on: its terrain, or the rate of the way it comes by."""
        mover = self.under(mover, hex_)
        step = by_way(self, mover, hex_, way) if way else across(self, mover, hex_, ())
        if not step.key and hex_ in mover.barred:
            step = barred_hex(self, mover, step)
        return step

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
