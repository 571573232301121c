"""What one step costs a mover on a ground, and why it may not be made (4.0, 4.1.1).

Costs are in half points. A `Mover` is all that a step can depend on besides the ground.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexforge.scenarios.hexgrid import Hex, Side, side
from hexforge.scenarios.schema.rules_movement import Frontier, Surcharge
from hexforge.scenarios.schema.tables import Cost, HexsideEffect
from hexforge.scenarios.words import Message
from hexforge.validator.referee.kinds import KINDS
from hexforge.validator.referee.rates import Rate

if TYPE_CHECKING:
    from hexforge.validator.referee.ground import Ground

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

    `section` is that of the rule where the kind of finding does not say it; `way` what was followed. `floor` is the
    least it can cost whatever the reconstructed part of the ground really is; `doubt` names that part, None if
    nothing is reconstructed. `ban` is the section of a frontier that forbids the step besides, `ban_what` the line
    that it runs along. `rates` make up the cost; `whole`: it takes the whole allowance.
    """

    cost: int
    way: str = ""
    key: str = ""
    section: str = ""
    what: str = ""
    floor: int = 0
    doubt: Message | None = None
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


def doubted(step: HexStep, floor: int, doubt: Message | None = None) -> HexStep:
    """The step with the least that it can cost, and why it may cost that: every step is given them once."""
    return HexStep(
        step.cost,
        step.way,
        step.key,
        step.section,
        step.what,
        floor,
        doubt,
        step.ban,
        step.ban_what,
        step.rates,
        step.whole,
    )


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
            *(by_way(ground, mover, b, k) for k in sorted(ways) if _carries(ground, mover, s, k, water)),
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


def _carries(ground: Ground, mover: Mover, s: Side, kind: str, water: tuple[str, ...]) -> bool:
    """Whether a way takes the mover over what water there is."""
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
