"""Worlds that assumed data leave open: other ground, strengths and formations than those of a game's files.

No rulebook prints all of the ground, nor every unit's strength and formation (rulings R27, R76, R130, R141, I, O).
What a statement has looked at is changed one datum at a time; of a combat several are changed together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any, Final, TypeVar

from ....scenarios.modifiers import Implied
from ....scenarios.text.hexgrid import Hex, Side, side
from ....scenarios.text.words import Message
from ...rules.board import reaches
from ...rules.combat.conditions import runs_untold, strength_doubt
from ...rules.combat.encirclement import ways_out
from ...rules.combat.preview import _with, ordered
from ...rules.context import Context, Order, Outcome, other_orders
from ...rules.findings import Finding, doubt, provenance_of
from ...rules.ground import Ground
from ...rules.position import Position, Unit, ZoneReach
from ...rules.roster import untried

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


Judge = Callable[[Context, Position], Outcome]

ZONED: Final = frozenset({"zone-of-engagement", "must-stop", "wrong-phase", "supply"})
"""Codes of findings that ground has a part in where zones end at it."""

UNDRAWN: Final = frozenset({"losses", "advance", "retreat", "river-crossing", "bridge-building"})
"""Codes of findings on which a river or a road that our map does not draw could bear."""

MANY: Final = 60
"""Hexes beyond which a search has looked at the map, not at the ground of a statement."""

TOLD: Final = 3
"""Data that a finding names at most."""

FIGURED: Final = frozenset({"odds", "column", "shifts", "result"})
"""Codes of findings on the figures of a combat, for which several data together are tried."""

STRONG: Final = FIGURED | {"special", "exchange"}
"""Codes of findings on which the strengths of a combat bear."""

GONE: Final = frozenset({"movement-cost", "prohibited-terrain", "river-crossing", "bridge-closed"})
"""Codes of findings on ways, for which all the ground along one is tried together."""

GUNS: Final = frozenset({"artillery-support"})
WITHIN: Final = frozenset({"special", "recovery", "trail-clearing"})
"""Codes of findings on which the outline of an area bears: of guns as far as it may be wrong."""

SHARES: Final = (-1.0, 0.0, 0.25, 0.5, 0.75, 1.0)
"""The shares of the greatest strength of its kind that a unit is tried with; below nought: as it stands."""

FEW: Final = 3
"""Units with open strengths of which each is tried with every strength by itself."""

GAPS: Final = 2
"""Ways out of the hexes of a combat that no one other line would shut."""

MOST_TOGETHER: Final = 400
"""Worlds in which several data of a combat are otherwise that are tried at most."""


@dataclass(frozen=True, slots=True)
class World:
    """Data, as findings name them, and the context and position in which they are otherwise.

    `codes` are those of the findings that they may take away, empty for any; `more`: told beside other data.
    """

    data: tuple[Message, ...]
    ctx: Context
    position: Position
    codes: frozenset[str] = frozenset()
    more: bool = True


@dataclass(frozen=True, slots=True)
class Change:
    """Data that change together, as findings name them: an order of battle, terrain of hexes, lines on hexsides."""

    data: tuple[Message, ...] = ()
    order: Order = field(default_factory=Order)
    terrain: Mapping[Hex, tuple[str, ...]] = field(default_factory=dict)
    lines: Mapping[Side, frozenset[str]] = field(default_factory=dict)


class _Noted(Mapping[K, V]):
    """A look-up that writes down what was asked of it."""

    def __init__(self, base: Mapping[K, V], asked: set[K]) -> None:
        self._base, self._asked = base, asked

    def __getitem__(self, key: K) -> V:
        self._asked.add(key)
        return self._base[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._base)

    def __len__(self) -> int:
        return len(self._base)

    def items(self) -> Any:
        """Going through all of it asks for none of it."""
        return self._base.items()

    def values(self) -> Any:
        """Going through all of it asks for none of it."""
        return self._base.values()


def worlds(ctx: Context, position: Position, outcome: Outcome, judge: Judge) -> Iterator[World]:
    """The worlds that assumed data leave open: one datum otherwise, then strengths, then several of a combat."""
    yield from _single(ctx, position, outcome, judge)
    yield from _strengths(ctx, position, outcome)
    yield from _runs(ctx, position, outcome)
    yield from islice(_several(ctx, position, outcome, judge), MOST_TOGETHER)


def _single(ctx: Context, position: Position, outcome: Outcome, judge: Judge) -> Iterator[World]:
    for units, otherwise in other_orders(ctx, outcome):
        datum = doubt("identity", units=" ".join(units))
        yield World((datum,), *ordered(ctx, position, otherwise), more=False)
    yield from _faster(ctx, position, outcome)
    if not ctx.map.printed:
        return
    looked = _looked_at(ctx, position, judge)
    spoken_of = _spoken_of(ctx, position, outcome)
    near = spoken_of.union(*(ctx.map.grid.neighbours[h] for h in spoken_of))
    zoned = _ends_of_zones(ctx, looked)
    if len(zoned.hexes) > MANY or len(zoned.lines) > MANY:
        zoned = zoned.within(near)
    if len(looked.hexes) > MANY:
        looked = looked.within(near)
    looked = looked.with_(zoned)
    for h in sorted(looked.hexes):
        if (of_hex := ctx.ground.doubt(h)) is None:
            continue
        terrains = _telling(ctx, h, barring_only=not outcome.moves and h not in spoken_of)
        for ground in _other_hexes(ctx.ground, h, terrains):
            yield World((of_hex,), *_on(ctx, position, ground))
    for s in sorted(looked.lines | looked.links | looked.bridges):
        drawn = ctx.ground.side_doubt(s)
        if (of_side := drawn or ctx.ground.side_gap(s)) is None:
            continue
        for ground in _other_sides(ctx.ground, s, looked):
            codes = frozenset() if drawn else _undrawn(ctx, s)
            yield World((of_side,), *_on(ctx, position, ground), codes)
    yield from _areas(ctx, position, spoken_of)
    if blamed := {h for f in outcome.findings for h in f.hexes if f.code in GONE and f.severity == "illegal"}:
        yield from _all_along(ctx, position, looked, blamed)


def _areas(ctx: Context, position: Position, hexes: Collection[Hex]) -> Iterator[World]:
    """Worlds in which an area whose outline nobody prints takes some hexes in, or leaves them out."""
    guns, ground = ctx.rules.combat.artillery.perimeter, ctx.ground
    for area in ctx.map.areas:
        if area.provenance == "printed":
            continue
        own = ground.area(area.id)
        margin = guns.margin if guns is not None and guns.area == area.id else 0
        near = {h for h in hexes if any(position.grid.distance(h, a) <= margin for a in own)}
        datum = doubt("area-by", area=area.id, provenance=provenance_of(area.provenance))
        less = own.difference(hexes) | {*area.printed}
        for other, codes in ((own | near, GUNS), (own.union(hexes), WITHIN), (less, WITHIN)):
            map_ = _with(ground.map, area={**ground.map.area, area.id: other})
            yield World((datum,), *_on(ctx, position, _but(ground, frozenset(), map=map_)), codes)


def _faster(ctx: Context, position: Position, outcome: Outcome) -> Iterator[World]:
    """Worlds in which a unit whose counter nobody prints goes as far as any."""
    for unit in dict.fromkeys(u for f in outcome.findings if f.code == "movement-cost" for u in f.units):
        if "strength" in position.roster[unit].assumed:
            most = max(who.move for who in ctx.units.values())
            order = Order({unit: replace(position.roster[unit], move=most, moves=())})
            yield World((doubt("movement", unit=unit),), *ordered(ctx, position, order), GONE)


def _all_along(ctx: Context, position: Position, looked: _LookedAt, blamed: Collection[Hex]) -> Iterator[World]:
    """Worlds in which all ground that a way looks at, and nobody prints, is of one kind, or a way leads over it.

    The hexes that are `blamed` are told first.
    """
    doubts = ((h, ctx.ground.doubt(h)) for h in sorted(looked.hexes, key=lambda h: (h not in blamed, h)))
    hexes = {h: d for h, d in doubts if d}
    lines = {s: d for s in sorted(looked.lines) if (d := ctx.ground.side_doubt(s))}
    data = (*hexes.values(), *lines.values())[:TOLD]
    bare = dict.fromkeys(lines, frozenset[str]())
    for terrain in ctx.scenario.tables.terrain if len(hexes) + len(lines) > 1 else ():
        ground = _drawn(ctx.ground, dict.fromkeys(hexes, (terrain,)), bare)
        yield World(data, *_on(ctx, position, ground), GONE, more=False)
    over = [s for s in looked.links if not hexes.keys().isdisjoint(s)]
    for way, effect in ctx.scenario.tables.ways.items():
        if effect.costs:
            links = {**ctx.ground.links, **dict.fromkeys(over, frozenset({way}))}
            steps = frozenset(step for s in over for step in (s, s[::-1]))
            ground = _but(ctx.ground, steps, map=_with(ctx.map, links=links), links=links)
            yield World(data, *_on(ctx, position, ground), GONE, more=False)


def _runs(ctx: Context, position: Position, outcome: Outcome) -> Iterator[World]:
    """Worlds in which units of a combat came in a straight line of which nobody has told how they came."""
    units = [u for combat in outcome.combats for _, u, _ in combat.parts if u in position.roster]
    untold = runs_untold(ctx, position, dict.fromkeys(units))
    for some in (*((u,) for u in untold), *((tuple(untold),) if len(untold) > 1 else ())):
        # A way that stays where it is runs on in one direction, however far is asked.
        ways = {u: (position.hex_of(u) or "",) * 99 for u in some}
        data = tuple(doubt("run", unit=u) for u in some[:TOLD])
        yield World(data, ctx, position.noted(trails={**position.ledger.trails, **ways}))


def _strengths(ctx: Context, position: Position, outcome: Outcome) -> Iterator[World]:
    """Worlds in which units of a combat whose strengths nobody prints have others, such as their kind has."""
    for combat in outcome.combats:
        parts = dict.fromkeys((side_, u) for side_, u, _ in combat.parts if u in position.roster)
        open_ = {(side_, u): d for side_, u in parts if (d := strength_doubt(ctx, position, u))}
        if not open_:
            continue
        sides = sorted({side_ for side_, _ in open_})
        told = tuple(dict.fromkeys(open_.values()))[:TOLD]
        for finding in outcome.findings:
            yield from _summed(ctx, position, finding, open_)
        for whose, u in open_ if len(open_) <= FEW else ():
            for points in range(_bounds(ctx, position, u)[1] + 1):
                order = Order({u: _stronger(position, u, points, points)})
                yield World((open_[whose, u],), *ordered(ctx, position, order), STRONG)
        for shares in product(SHARES, repeat=len(sides)):
            by_side = dict(zip(sides, shares, strict=True))
            others = {u: _scaled(ctx, position, u, by_side[side_]) for side_, u in open_}
            yield World(told, *ordered(ctx, position, Order(others)), STRONG, more=False)


def _summed(
    ctx: Context, position: Position, finding: Finding, open_: Mapping[tuple[str, str], Message]
) -> Iterator[World]:
    """The world in which a total that was declared is right, if the open strengths of a side can make it so."""
    said, right = finding.declared, finding.computed
    if finding.code != "odds" or not isinstance(said, int) or not isinstance(right, int):
        return
    for whose in {side_ for side_, _ in open_}:
        left, others = said - right, dict[str, Unit]()
        for side_, u in open_:
            if side_ != whose or not left:
                continue
            low, high = _bounds(ctx, position, u)
            attack, defence = _strength_at(position, u)
            by = min(max(left, low - max(attack, defence)), high - min(attack, defence))
            others[u] = _stronger(position, u, attack + by, defence + by)
            left -= by
        if others and not left:
            data = tuple(open_[whose, u] for u in others)
            yield World(data[:TOLD], *ordered(ctx, position, Order(others)), FIGURED)


def _bounds(ctx: Context, position: Position, unit: str) -> tuple[int, int]:
    """The least and the greatest strength that a unit may have: that of its kind as printed, else of any unit."""
    who = position.roster[unit]
    if position.units[unit].lost and not untried(ctx.rules.untried, position, unit):
        return 0, max(who.attack, who.defence)
    printed = [u for u in ctx.units.values() if u.type == who.type and "strength" not in u.assumed]
    kind = printed if not untried(ctx.rules.untried, position, unit) and printed else ctx.units.values()
    return 0, max(max(u.attack, u.defence) for u in kind)


def _strength_at(position: Position, unit: str) -> tuple[int, int]:
    who, step = position.roster[unit], position.units[unit].step
    return who.attack_at(step), who.defence_at(step)


def _scaled(ctx: Context, position: Position, unit: str, share: float) -> Unit:
    """A unit as strong as a share of the strongest of its kind; unchanged for a share below nought."""
    if share < 0:
        return position.roster[unit]
    strength = round(_bounds(ctx, position, unit)[1] * share)
    return _stronger(position, unit, strength, strength)


def _stronger(position: Position, unit: str, attack: int, defence: int) -> Unit:
    """A unit with other strengths at the step at which it stands."""
    who = position.roster[unit]
    attack, defence = max(attack, 0), max(defence, 0)
    if position.units[unit].lost:
        return replace(who, reduced_attack=attack, reduced_defence=defence, further=())
    return replace(who, attack=attack, defence=defence)


def _several(ctx: Context, position: Position, outcome: Outcome, judge: Judge) -> Iterator[World]:
    """Worlds with several data of a combat otherwise: formations, terrain of and around the targets, lines."""
    orders = _orders(ctx, position, outcome, judge)
    grid, tables = ctx.map.grid, ctx.scenario.tables
    terrains = _unlike(ctx, tables.terrain)
    kinds = [frozenset[str](), *(frozenset({kind}) for kind in _unlike(ctx, tables.hexsides))]
    for combat in outcome.combats:
        targets = {h for h in combat.target if h in grid}
        from_ = {h for _, u, _ in combat.parts if u in position.units and (h := position.hex_of(u))}
        fronts = {side(h, t) for t in targets for h in from_.intersection(grid.neighbours[t])}
        lines = {s: d for s in sorted(fronts) if (d := ctx.ground.side_doubt(s))}
        at = {h: d for h in sorted(targets) if (d := ctx.ground.doubt(h))}
        enemy = next((position.roster[u].side for h in targets for u in position.at(h)), "")
        out = {(h, n) for h in targets for n in ways_out(ctx, position, h, enemy)} if enemy else set()
        changes: list[list[Change]] = [
            orders,
            [Change(tuple(at.values()), terrain=dict.fromkeys(at, (t,))) for t in terrains if at],
            [*_shut(ctx, out)] if len(out) < GAPS else [],
            [Change(tuple(lines.values()), lines=dict.fromkeys(lines, kind)) for kind in kinds if lines],
        ]
        for some in product(*([Change(), *each] for each in changes)):
            data = tuple(datum for change in some for datum in change.data)
            if len(data) < 2:
                continue  # one datum is tried by itself
            there, stood = ordered(ctx, position, some[0].order)
            terrain = {h: t for change in some for h, t in change.terrain.items()}
            sides = {s: kind for change in some for s, kind in change.lines.items()}
            ground = _drawn(there.ground, terrain, sides)
            yield World(data[:TOLD], *_on(there, stood, ground), FIGURED, more=False)


def _orders(ctx: Context, position: Position, outcome: Outcome, judge: Judge) -> list[Change]:
    """Other orders of battle, one for each of the shifts and columns that they give."""
    found: dict[object, Change] = {tuple((c.column, c.shifts) for c in outcome.combats): Change()}
    for units, order in other_orders(ctx, outcome) if ctx.map.printed else ():
        combats = judge(*ordered(ctx, position, order)).combats
        change = Change((doubt("identity", units=" ".join(units)),), order=order)
        found.setdefault(tuple((c.column, c.shifts) for c in combats), change)
    return list(found.values())[1:]


def _unlike(ctx: Context, effects: Mapping[str, Any]) -> list[str]:
    """One kind of ground or line for each thing that they do to combats: the others would change the same."""
    asked = [
        frozenset(getattr(c, "terrain", ()) or getattr(c, "hexsides", ()))
        for rule in ctx.scenario.modifiers.rules
        if not isinstance(rule, Implied)
        for c in rule.when
    ]
    found = {
        (effect.combat, effect.barred, *(name in names for names in asked)): name
        for name, effect in effects.items()
    }
    return list(found.values())


def _shut(ctx: Context, out: Iterable[tuple[Hex, Hex]]) -> Iterator[Change]:
    """Lines that would shut the last ways out of a hex, where nobody has printed that none runs there."""
    doubts = ((s, ctx.ground.side_gap(s) or ctx.ground.side_doubt(s)) for s in sorted(side(*step) for step in out))
    sides = {s: datum for s, datum in doubts if datum}
    for kind in ctx.scenario.tables.hexsides if sides else ():
        yield Change(tuple(sides.values()), lines=dict.fromkeys(sides, frozenset({kind})))


def _drawn(ground: Ground, terrain: Mapping[Hex, tuple[str, ...]], lines: Mapping[Side, frozenset[str]]) -> Ground:
    """The ground with other terrain in some hexes, and other lines on some hexsides."""
    near = ground.map.grid.neighbours
    altered = {(n, h) for h in terrain for n in near[h]} | {step for s in lines for step in (s, s[::-1])}
    drawn = {**ground.hexsides, **lines}
    map_ = _with(ground.map, terrain={**ground.map.terrain, **terrain}, hexsides=drawn)
    return _but(ground, frozenset(altered), map=map_, hexsides=drawn)


def _undrawn(ctx: Context, s: Side) -> frozenset[str]:
    """The codes of findings on which it could bear that our map draws nothing on a hexside.

    Where both of its hexes are known, so is that no zone ends between them.
    """
    return UNDRAWN | ZONED if any(map(ctx.ground.doubt, s)) else UNDRAWN


@dataclass(frozen=True, slots=True)
class _LookedAt:
    """What a judgement asks of the ground: the terrain of hexes, and of hexsides lines, ways and bridges."""

    hexes: set[Hex] = field(default_factory=set)
    lines: set[Side] = field(default_factory=set)
    links: set[Side] = field(default_factory=set)
    bridges: set[Side] = field(default_factory=set)
    zones: set[Hex] = field(default_factory=set)
    """Hexes of which it is asked how far the zone of who stands there reaches."""

    def within(self, near: Collection[Hex]) -> _LookedAt:
        """What of it lies in some hexes and between them."""
        lines, links, bridges = (
            {s for s in sides if s[0] in near and s[1] in near} for sides in (self.lines, self.links, self.bridges)
        )
        return _LookedAt({h for h in self.hexes if h in near}, lines, links, bridges, self.zones)

    def with_(self, other: _LookedAt) -> _LookedAt:
        """This and the other together."""
        return _LookedAt(
            self.hexes | other.hexes,
            self.lines | other.lines,
            self.links | other.links,
            self.bridges | other.bridges,
            self.zones | other.zones,
        )


def _ends_of_zones(ctx: Context, looked: _LookedAt) -> _LookedAt:
    """What is asked of the ground to tell how far the zones reach that a judgement looks at."""
    rule, near = ctx.movement.zones, ctx.map.grid.neighbours
    into = {n for h in looked.zones for n in near[h]} if rule.not_into else set[Hex]()
    over = {side(h, n) for h in looked.zones for n in near[h]} if rule.not_across else set[Side]()
    bridged = over if rule.over_bridges else set[Side]()
    return _LookedAt(into, over, bridged, bridged)


def _looked_at(ctx: Context, position: Position, judge: Judge) -> _LookedAt:
    """What a judgement looks at, which nothing else can change."""
    looked = _LookedAt()
    ground = ctx.ground
    lines, links = _Noted(ground.hexsides, looked.lines), _Noted(ground.links, looked.links)
    map_ = _with(ctx.map, terrain=_Noted(ctx.map.terrain, looked.hexes), hexsides=lines, links=links)
    dates = _Noted(ground.bridge_dates, looked.bridges)
    there, stood = _on(ctx, position, _with(ground, map=map_, hexsides=lines, links=links, bridge_dates=dates))
    if ctx.movement.zones.grounded:
        reach = ctx.reach(position.bridges)
        stood = _reached(there, stood, replace(reach, hexes=_Noted(reach.hexes, looked.zones)))
    judge(there, stood)
    return looked


def _spoken_of(ctx: Context, position: Position, outcome: Outcome) -> set[Hex]:
    """The hexes that a statement itself is about: those of its findings, ways, targets, and of whom it moves."""
    units = {unit for combat in outcome.combats for _, unit, _ in combat.parts}
    units |= {unit for f in outcome.findings for unit in f.units if unit in position.units}
    named = {h for move in outcome.moves for h in move.path} | {h for f in outcome.findings for h in f.hexes}
    named |= {h for combat in outcome.combats for h in combat.target}
    named |= {h for unit in units for at in (position, outcome.position) if (h := at.hex_of(unit))}
    return {h for h in named if h in ctx.map.grid}


def _telling(ctx: Context, h: Hex, *, barring_only: bool) -> list[str]:
    """The terrains to try in a hex: where only what it shuts out can matter, one of each kind in that."""
    effects, shut = ctx.scenario.tables.terrain, ctx.movement.zones.not_into
    if not barring_only:
        return list(effects)
    kinds = {name: (effect.barred, name in shut) for name, effect in effects.items()}
    own = {kinds[t] for t in ctx.map.terrain[h] if t in kinds}
    return list({kind: name for name, kind in kinds.items() if kind not in own}.values())


def _on(ctx: Context, position: Position, ground: Ground) -> tuple[Context, Position]:
    """The context and the position on another ground, whose steps have still to be priced."""
    there = _with(ctx, ground=_with(ground, _steps={}), _movers={}, _reaches={})
    rule = ctx.movement.zones
    if not rule.grounded:
        return there, position
    # No zone reaches otherwise but from where a step is another one.
    reach, among = ctx.reach(position.bridges), {a for a, _ in ground.altered}
    others = reaches(ground, rule, position.bridges, among)
    return there, _reached(there, position, replace(reach, hexes={**reach.hexes, **others}))


def _reached(ctx: Context, position: Position, reach: ZoneReach) -> Position:
    """The position in which zones reach so far, as the context then has it too."""
    ctx.know(position.bridges, reach)
    return replace(position, boards={s: replace(board, reach=reach) for s, board in position.boards.items()})


def _but(ground: Ground, altered: frozenset[tuple[Hex, Hex]], **values: Any) -> Ground:
    """The ground with other values, on which no steps but the `altered` ones are other steps."""
    return _with(ground, _under=ground, _altered=altered, **values)


def _other_hexes(ground: Ground, h: Hex, terrains: Iterable[str]) -> Iterator[Ground]:
    """The ground with other terrain in a hex, and with works or without."""
    map_ = ground.map
    into = frozenset((n, h) for n in map_.grid.neighbours[h])
    for terrain in terrains:
        if map_.terrain[h] != (terrain,):
            yield _but(ground, into, map=_with(map_, terrain={**map_.terrain, h: (terrain,)}))
    if ground.tables.fortified is not None:
        yield _but(ground, into, map=_with(map_, fortified=map_.fortified ^ {h}))


def _other_sides(ground: Ground, s: Side, looked: _LookedAt) -> Iterator[Ground]:
    """The ground with other lines on a hexside, other ways, and a bridge or none, of what is looked at there."""
    over = frozenset((s, s[::-1]))
    own_lines, own_links = ground.hexsides.get(s, frozenset()), ground.links.get(s, frozenset())
    for lines in _others(own_lines, ground.tables.hexsides) if s in looked.lines else ():
        drawn = {**ground.hexsides, s: lines}
        yield _but(ground, over, map=_with(ground.map, hexsides=drawn), hexsides=drawn)
    for links in _others(own_links, ground.tables.ways) if s in looked.links else ():
        joined = {**ground.links, s: links}
        yield _but(ground, over, map=_with(ground.map, links=joined), links=joined)
    if s in looked.bridges and ground.water(s):
        dates = {key: date for key, date in ground.bridge_dates.items() if key != s}
        if s not in ground.bridge_dates:
            dates[s] = 0
        yield _but(ground, over, bridge_dates=dates)


def _others(own: frozenset[str], kinds: Iterable[str]) -> Iterator[frozenset[str]]:
    return (other for other in (frozenset[str](), *(frozenset({k}) for k in kinds)) if other != own)
