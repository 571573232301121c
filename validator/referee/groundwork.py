"""The map that a sheet plays on: the scenario's own or an empty one, with the sheet's changes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final

from hexforge.scenarios.alike import alike
from hexforge.scenarios.hexgrid import Hex, Side, grid, side
from hexforge.scenarios.model import Area, Bridge, GameMap, HexsideRun, Place, Scenario, Way
from hexforge.validator.readers.notation import statements as st
from hexforge.validator.referee.findings import Finding, find
from hexforge.validator.referee.ground import Ground


def slug(name: str) -> str:
    """A name as ids are written: small letters without accents, words joined by hyphens."""
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss")).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain.lower()))


_OF_THE_MAP: Final = (
    st.MapBlank,
    st.TerrainEdit,
    st.HexsideEdit,
    st.WayEdit,
    st.BridgeEdit,
    st.FortifiedHexes,
    st.PlaceName,
    st.AreaEdit,
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
    scenario: Scenario, statements: Iterable[st.Statement], options: Mapping[str, str]
) -> tuple[Ground, list[Finding]]:
    """The ground of a sheet, and findings on what it says of hexes and terrain that do not exist."""
    statements = tuple(statements)
    road_exempt = options.get("armour_road_exempt", "yes") == "yes"
    if not any(isinstance(s, _OF_THE_MAP) for s in statements):
        return _printed(scenario, road_exempt=road_exempt), []
    blank = next((s for s in statements if isinstance(s, st.MapBlank)), None)
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


def _blank(scenario: Scenario, draft: _Draft, line: st.MapBlank) -> GameMap:
    terrain = draft.terrains(line.line, line.terrain) or (next(iter(scenario.tables.terrain)),)
    like = scenario.map.grid
    field_ = grid(line.columns, line.rows, like.low, tops=like.tops, naming=like.naming)
    own = (line.columns, line.rows) == (scenario.map.grid.columns, scenario.map.grid.rows)
    # An empty map as large as the game's own has the game's own edges.
    edges = scenario.map.named_edges if own else {}
    return GameMap(field_, dict.fromkeys(field_, terrain), named_edges=edges, printed=False)


def _apply(draft: _Draft, s: st.Statement) -> None:
    match s:
        case st.TerrainEdit():
            terrains = draft.terrains(s.line, s.terrains)
            for h in draft.known(s.line, s.hexes):
                draft.terrain[h] = terrains or draft.map.terrain[h]
        case st.HexsideEdit():
            if s.kind not in draft.scenario.tables.hexsides:
                draft.complain(s.line, "unknown-terrain", terrain=s.kind)
            else:
                draft.sides.setdefault(s.kind, []).extend(draft.known_sides(s.line, s.sides))
        case st.WayEdit():
            if s.kind not in draft.scenario.tables.ways:
                draft.complain(s.line, "unknown-terrain", terrain=s.kind)
            else:
                _way(draft, s)
        case st.BridgeEdit():
            found = draft.known_sides(s.line, s.sides)
            draft.bridges += [
                Bridge.model_construct(side=x, name="", from_turn=None, provenance="printed", note="")
                for x in found
            ]
        case st.FortifiedHexes():
            draft.fortified |= set(draft.known(s.line, s.hexes))
        case st.PlaceName():
            id_ = _place_id(draft.scenario, s.name)
            draft.places.setdefault(id_, []).extend(draft.known(s.line, s.hexes))
            draft.names.setdefault(id_, s.name)
        case st.AreaEdit():
            _area(draft, s)


def _area(draft: _Draft, s: st.AreaEdit) -> None:
    known = [area.id for area in draft.scenario.map.areas]
    if s.name not in known:
        near = alike(s.name, known, 3, _ALIKE)
        key, severity = ("unknown-area-like", "unread") if near else ("unknown-area", "warning")
        draft.complain(s.line, key, severity=severity, declared=s.name, area=s.name, like=tuple(near))
    draft.areas.setdefault(s.name, []).extend(draft.known(s.line, s.hexes))


def _way(draft: _Draft, s: st.WayEdit) -> None:
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
