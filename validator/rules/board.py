"""The map that a sheet plays on: the scenario's own or an empty one, with the sheet's changes.

The enemy's zones: where they reach, and what a step out of, into, between them takes (`movement.zones`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise, product
from typing import Any, Final, TypeAlias

from ...scenarios.console import alike
from ...scenarios.model import GameMap, Scenario
from ...scenarios.schema.game import PhaseZones
from ...scenarios.schema.map import Area, Bridge, HexsideRun, Place, Way
from ...scenarios.schema.rules_zones import Never, Once, Price, Stop, Whole, ZoneException, Zones
from ...scenarios.text.hexgrid import Hex, Side, grid, side
from ..notation import base, statements_head
from .findings import Finding, find
from .ground import Ground
from .position import Position


def slug(name: str) -> str:
    """A name as ids are written: small letters without accents, words joined by hyphens."""
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss")).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain.lower()))


_OF_THE_MAP: Final = (
    statements_head.MapBlank,
    statements_head.TerrainEdit,
    statements_head.HexsideEdit,
    statements_head.WayEdit,
    statements_head.BridgeEdit,
    statements_head.FortifiedHexes,
    statements_head.PlaceName,
    statements_head.AreaEdit,
)
_PRINTED: Final[list[Ground]] = []
_MOST_PRINTED: Final = 4
_ALIKE: Final = 0.85
"""How like each other two ids of areas are of which one may be a slip of the pen for the other."""


@dataclass
class _Draft:
    """The parts of a map while a sheet's statements change it."""

    scenario: Scenario
    map: GameMap
    terrain: dict[Hex, tuple[str, ...]] = field(default_factory=dict)
    sides: dict[str, list[Side]] = field(default_factory=dict)
    ways: list[Way] = field(default_factory=list)
    bridges: list[Bridge] = field(default_factory=list)
    fortified: set[Hex] = field(default_factory=set)
    places: dict[str, list[Hex]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    areas: dict[str, list[Hex]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def complain(self, line: int, key: str, hexes: Iterable[Hex] = (), **values: Any) -> None:
        """Note what is wrong with a statement that describes the map."""
        citation = self.scenario.citation(self.scenario.game.rules.movement.sections.map)
        self.findings.append(find(line, key, citation, hexes=hexes, **values))

    def known(self, line: int, hexes: Iterable[Hex]) -> list[Hex]:
        """The hexes that the map has; findings on the others."""
        found = []
        for h in hexes:
            if h in self.map.grid:
                found.append(h)
            else:
                self.complain(line, "unknown-hex", (h,), hex=h)
        return found

    def known_sides(self, line: int, pairs: Iterable[tuple[Hex, Hex]]) -> list[Side]:
        """The hexsides between hexes that touch; findings on the others."""
        found = []
        for a, b in pairs:
            if len(self.known(line, (a, b))) < 2:
                continue
            if self.map.grid.adjacent(a, b):
                found.append(side(a, b))
            else:
                self.complain(line, "not-adjacent", (a, b), a=a, b=b)
        return found

    def terrains(self, line: int, names: Iterable[str]) -> tuple[str, ...]:
        """The terrains that the game has."""
        found = []
        for name in names:
            if name in self.scenario.tables.terrain:
                found.append(name)
            else:
                self.complain(line, "unknown-terrain", terrain=name)
        return tuple(found)


def lay_ground(
    scenario: Scenario, statements: Iterable[base.Statement], options: Mapping[str, str]
) -> tuple[Ground, list[Finding]]:
    """The ground of a sheet, and findings on what it says of hexes and terrain that do not exist."""
    statements = tuple(statements)
    road_exempt = options.get("armour_road_exempt", "yes") == "yes"
    if not any(isinstance(s, _OF_THE_MAP) for s in statements):
        return _printed(scenario, road_exempt=road_exempt), []
    blank = next((s for s in statements if isinstance(s, statements_head.MapBlank)), None)
    draft = _Draft(scenario, scenario.map)
    if blank is not None:
        draft.map = _blank(scenario, draft, blank)
    for s in statements:
        _apply(draft, s)
    ground = Ground(
        scenario,
        _assemble(draft),
        edited=frozenset(draft.terrain),
        edited_sides=frozenset(
            (
                *(s for sides in draft.sides.values() for s in sides),
                *(side(a, b) for way in draft.ways for a, b in pairwise(way.hexes)),
                *(b.side for b in draft.bridges),
            )
        ),
        road_exempt=road_exempt,
    )
    return ground, draft.findings


def _printed(scenario: Scenario, *, road_exempt: bool) -> Ground:
    """The ground of the game's own map, one for all sheets: what its steps cost is worked out once."""
    for ground in _PRINTED:
        if ground.scenario is scenario and ground.road_exempt == road_exempt and not ground.is_large:
            return ground
    ground = Ground(scenario, scenario.map, road_exempt=road_exempt)
    _PRINTED[:] = [ground, *[g for g in _PRINTED if not g.is_large]][:_MOST_PRINTED]
    return ground


def _blank(scenario: Scenario, draft: _Draft, line: statements_head.MapBlank) -> GameMap:
    terrain = draft.terrains(line.line, line.terrain) or (next(iter(scenario.tables.terrain)),)
    like = scenario.map.grid
    field_ = grid(line.columns, line.rows, like.low, tops=like.tops, naming=like.naming)
    own = (line.columns, line.rows) == (scenario.map.grid.columns, scenario.map.grid.rows)
    # An empty map as large as the game's own has the game's own edges.
    edges = scenario.map.named_edges if own else {}
    return GameMap(field_, dict.fromkeys(field_, terrain), named_edges=edges, printed=False)


def _apply(draft: _Draft, s: base.Statement) -> None:
    match s:
        case statements_head.TerrainEdit():
            terrains = draft.terrains(s.line, s.terrains)
            for h in draft.known(s.line, s.hexes):
                draft.terrain[h] = terrains or draft.map.terrain[h]
        case statements_head.HexsideEdit():
            if s.kind not in draft.scenario.tables.hexsides:
                draft.complain(s.line, "unknown-terrain", terrain=s.kind)
            else:
                draft.sides.setdefault(s.kind, []).extend(draft.known_sides(s.line, s.sides))
        case statements_head.WayEdit():
            if s.kind not in draft.scenario.tables.ways:
                draft.complain(s.line, "unknown-terrain", terrain=s.kind)
            else:
                _way(draft, s)
        case statements_head.BridgeEdit():
            found = draft.known_sides(s.line, s.sides)
            draft.bridges += [
                Bridge.model_construct(side=x, name="", from_turn=None, provenance="printed", note="")
                for x in found
            ]
        case statements_head.FortifiedHexes():
            draft.fortified |= set(draft.known(s.line, s.hexes))
        case statements_head.PlaceName():
            id_ = _place_id(draft.scenario, s.name)
            draft.places.setdefault(id_, []).extend(draft.known(s.line, s.hexes))
            draft.names.setdefault(id_, s.name)
        case statements_head.AreaEdit():
            _area(draft, s)


def _area(draft: _Draft, s: statements_head.AreaEdit) -> None:
    known = [area.id for area in draft.scenario.map.areas]
    if s.name not in known:
        near = alike(s.name, known, 3, _ALIKE)
        key, severity = ("unknown-area-like", "unread") if near else ("unknown-area", "warning")
        draft.complain(s.line, key, severity=severity, declared=s.name, area=s.name, like=tuple(near))
    draft.areas.setdefault(s.name, []).extend(draft.known(s.line, s.hexes))


def _way(draft: _Draft, s: statements_head.WayEdit) -> None:
    hexes = draft.known(s.line, s.hexes)
    run: list[Hex] = hexes[:1]
    for a, b in pairwise(hexes):
        if draft.map.grid.adjacent(a, b):
            run.append(b)
            continue
        draft.complain(s.line, "not-adjacent", (a, b), a=a, b=b)
        _add_way(draft, s.kind, run)
        run = [b]
    _add_way(draft, s.kind, run)


def _add_way(draft: _Draft, kind: str, hexes: list[Hex]) -> None:
    if hexes:
        # A single hex of a way is one that it reaches from beyond the edge.
        way = Way.model_construct(kind=kind, name="", hexes=tuple(hexes), provenance="printed", note="")
        draft.ways.append(way)


def _place_id(scenario: Scenario, name: str) -> str:
    wanted = slug(name)
    for place in scenario.map.places:
        if wanted in (place.id, slug(place.name)):
            return place.id
    return wanted


def _assemble(draft: _Draft) -> GameMap:
    runs = tuple(
        HexsideRun.model_construct(kind=kind, name="", sides=tuple(sides), provenance="printed", note="")
        for kind, sides in draft.sides.items()
    )
    kept = tuple(p for p in draft.map.places if p.id not in draft.places)
    places = tuple(
        Place.model_construct(
            id=i, name=draft.names[i], hexes=tuple(dict.fromkeys(h)), kind="town", provenance="printed", note=""
        )
        for i, h in draft.places.items()
        if h
    )
    areas = tuple(
        Area.model_construct(
            id=i, name="", kind="area", side=None, hexes=tuple(h), drawn=False, provenance="printed", note=""
        )
        for i, h in draft.areas.items()
    )
    return replace(
        draft.map,
        terrain={**draft.map.terrain, **draft.terrain},
        fortified=draft.map.fortified | draft.fortified,
        hexside_runs=(*draft.map.hexside_runs, *runs),
        bridge_list=(*draft.map.bridge_list, *draft.bridges),
        ways=(*draft.map.ways, *draft.ways),
        places=(*kept, *places),
        areas=(*(a for a in draft.map.areas if a.id not in draft.areas), *areas),
    )


Case: TypeAlias = tuple[bool, bool, bool]
"""A step: whether it leaves a zone, whether it enters one, whether it is the first of its move."""

_EITHER: Final = (False, True)


_FORBIDS: Final = {"must-stop": "enter", "zone-shut": "enter", "zone-hold": "leave", "zone-to-zone": "between"}
"""The choice that forbids a step, by the kind of finding."""


@dataclass(frozen=True, slots=True)
class Toll:
    """What zones have to say to a step: points more, in halves, and the kind of finding, "" if it may be made.

    `whole`: such a step takes the whole allowance, `once`: it may be made once in a move.
    """

    halves: int = 0
    key: str = ""
    section: str = ""
    whole: bool = False
    once: bool = False

    def added(self, cost: int, allowance: int) -> int:
        """What it adds to the cost of a step of who has such an allowance."""
        return max(self.halves, allowance - cost) if self.whole else self.halves


def tolls(
    rule: Zones, others: Sequence[tuple[ZoneException | PhaseZones, str]], *, between: bool
) -> Mapping[Case, Toll]:
    """What each case of a step takes. Without `between` no step leads from zone to zone, whatever the rule says.

    `others` change the rule in turn, an exception and then a phase, each with the section that forbids a step; what
    none of them says of the rule forbids itself.
    """
    changed, sections = rule, {}
    for other, section in others:
        choices = {name: choice for name in set(_FORBIDS.values()) if (choice := getattr(other, name))}
        changed = changed.model_copy(update=choices)
        sections.update(dict.fromkeys(choices, section))
    found = {case: _toll(changed, *case, between=between) for case in product(_EITHER, _EITHER, _EITHER)}
    return {
        case: replace(toll, section=sections.get(_FORBIDS.get(toll.key, "between"), ""))
        if toll.key or toll.once
        else toll
        for case, toll in found.items()
    }


def _toll(rule: Zones, leaves: bool, enters: bool, first: bool, *, between: bool) -> Toll:
    halves = rule.enter.points if enters and isinstance(rule.enter, Price | Stop) else 0
    key = ""
    if leaves:
        halves += rule.leave.points if isinstance(rule.leave, Price) else 0
        if isinstance(rule.enter, Stop) and not first:
            return Toll(0, "must-stop")
        if isinstance(rule.leave, Never):
            key = "zone-hold"
    if enters and isinstance(rule.enter, Never):
        key = key or "zone-shut"
    if leaves and enters:
        halves += rule.between.points if isinstance(rule.between, Price | Once) else 0
        if not between or isinstance(rule.between, Never):
            key = key or "zone-to-zone"
        once, whole = isinstance(rule.between, Once), isinstance(rule.between, Whole)
        return Toll(halves, key, whole=whole, once=once and not key)
    return Toll(halves, key)


def bonds(position: Position, side_: str) -> frozenset[Hex | Side]:
    """The hexes and hexsides that pairs of the enemies of a side bar to it, two hexes from one another."""
    enemy, friends = position.boards[position.enemy(side_)], position.boards[side_].at
    near, reach = position.grid.neighbours, enemy.reach.hexes
    at = [h for h, ids in enemy.at.items() if not enemy.silent.issuperset(ids)]
    found: set[Hex | Side] = set()
    for a, b in combinations(at, 2):
        between = [h for h in near[a] if h in near[b]] if b not in near[a] else []
        # At the rim one of two hexes between may lie off the map: of the other that says nothing.
        straight = all((p - q) % 2 == 0 for p, q in zip(position.grid.cube(a), position.grid.cube(b), strict=True))
        if len(between) != (1 if straight else 2) or (straight and between[0] in friends):
            continue
        if all(h in reach[a] and h in reach[b] for h in between):
            found.add(between[0] if straight else side(between[0], between[1]))
    return frozenset(found)


def reaches(
    ground: Ground, rule: Zones, built: frozenset[Side] = frozenset(), among: Collection[Hex] | None = None
) -> Mapping[Hex, Sequence[Hex]]:
    """The hexes into which a unit's zone reaches from each hex, or some; `built` are the bridges of play."""
    near = ground.map.grid.neighbours
    if not rule.grounded:
        return near
    first = ground.scenario.game.turns.first
    lines, shut = frozenset(rule.not_across), frozenset(rule.not_into)
    return {
        a: tuple(
            b
            for b in near[a]
            if (
                lines.isdisjoint(ground.hexsides.get(side(a, b), ()))
                or (rule.over_bridges and ground.bridged(side(a, b), first, built))
            )
            and shut.isdisjoint(ground.map.terrain[b])
        )
        for a in (near if among is None else among)
    }
