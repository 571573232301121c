"""The maps are maps: rivers with two banks, roads that lead somewhere, lines that divide, areas that rules need.

Sections are cited with the letter of the game (B, M, H).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import pytest

from hexforge.scenarios import Scenario, load
from hexforge.scenarios.text.hexgrid import Hex, Side, side

GAMES = ("bastogne", "metz", "hurtgen")


def reach(scenario: Scenario, start: Hex, walls: Collection[Side]) -> set[Hex]:
    """All hexes that can be walked to without crossing a wall."""
    seen, todo = {start}, [start]
    while todo:
        hex_ = todo.pop()
        for n in scenario.map.grid.neighbours[hex_]:
            if n not in seen and side(hex_, n) not in walls:
                seen.add(n)
                todo.append(n)
    return seen


def walls(scenario: Scenario, *kinds: str) -> set[Side]:
    return {s for s, found in scenario.map.hexsides.items() if found & set(kinds)}


def network(scenario: Scenario, start: Hex, kinds: Iterable[str]) -> set[Hex]:
    """All hexes that ways of these kinds join to a hex."""
    wanted, seen, todo = set(kinds), {start}, [start]
    while todo:
        hex_ = todo.pop()
        for n in scenario.map.grid.neighbours[hex_]:
            if n not in seen and wanted & scenario.map.links.get(side(hex_, n), frozenset()):
                seen.add(n)
                todo.append(n)
    return seen


def placed(scenario: Scenario, side_: str) -> set[Hex]:
    return {
        p.hexes[0]
        for p in scenario.setup.at_start
        if len(p.hexes) == 1 and scenario.counters[p.units[0]].side == side_
    }


def areas_of(scenario: Scenario, side_: str) -> set[Hex]:
    ids = {a for p in scenario.setup.at_start if scenario.counters[p.units[0]].side == side_ for a in p.areas}
    return {h for a in ids for h in scenario.map.area[a]}


def test_the_our_parts_the_armies() -> None:
    """B 4.2.1 and 10.1: no American starts east of the Our; 4917 lies east of it, 4817 and 5018 west."""
    scenario = load("bastogne")
    west = reach(scenario, "1109", walls(scenario, "our"))
    assert placed(scenario, "american") <= west
    assert {"4817", "5018", "4615"} <= west
    assert not {"4917", "4103", "4310", "5108", "5112"} & west
    for bivouac in ("bivouac-2-pz", "bivouac-5-fj", "bivouac-352-vg", "bivouac-26-vg"):
        assert not scenario.map.area[bivouac] & west, bivouac


def test_two_regiments_of_the_26th_start_on_the_west_bank() -> None:
    """B 10.1.1: in hexes west of the Our but next to it, with room for four battalions, and not engaged."""
    scenario = load("bastogne")
    our = walls(scenario, "our")
    bank = scenario.map.area["bivouac-26-vg-west"]
    assert bank <= reach(scenario, "1109", our)
    assert all(any(h in s for s in our) for h in bank)
    contact = {n for h in placed(scenario, "american") for n in scenario.map.grid.neighbours[h]}
    assert not bank & contact
    assert len(bank) >= 2


def test_the_clerf_runs_from_the_north_edge_to_the_sure() -> None:
    """B 4.2.1: with the Sûre below it and the Our it cuts the north-east off; Clervaux lies west of it (4.0)."""
    scenario = load("bastogne")
    west = reach(scenario, "1109", walls(scenario, "clerf", "sure"))
    assert {"3303", "2801", "2712"} <= west
    assert not {"3602", "3806", "3512", "4023"} & west


def test_american_reinforcements_find_roads_west_of_the_clerf() -> None:
    """B 4.2.1, 10.1.4: they come by road or open ground from the north and south; the 101st by 0102."""
    scenario = load("bastogne")
    roads = scenario.map.way_hexes["road"]
    joined = network(scenario, "1109", ["road"])
    assert "0102" in joined
    for edge in ("north", "south"):
        assert scenario.map.edges[edge] & roads & joined, edge


@pytest.mark.parametrize("entry", ["4501", "5108", "5112", "5120"])
def test_german_entry_roads_lead_to_the_front(entry: str) -> None:
    """B 4.2.1: roads of 4501, 5108, 5112 and 5120; each leads on to the river towns."""
    scenario = load("bastogne")
    target = {"4501": "4103", "5108": "4310", "5112": "4714", "5120": "4321"}[entry]
    assert target in network(scenario, entry, ["road"])


def test_seven_roads_meet_in_bastogne() -> None:
    """What the battle was about: roads leave Bastogne's hexes on all sides; B 10.2.1 says there are three."""
    scenario = load("bastogne")
    town = set(scenario.map.place["bastogne"].hexes)
    assert len(town) == 3
    leaving = {
        n
        for h in town
        for n in scenario.map.grid.neighbours[h]
        if n not in town and "road" in scenario.map.links.get(side(h, n), ())
    }
    assert len(leaving) >= 5
    assert town <= scenario.map.area["bastogne-perimeter"]


def test_the_siegfried_line_divides_the_map() -> None:
    """M 11.2.2: it has an east, the area that scores; towns that score by themselves lie west of it."""
    scenario = load("metz")
    line = walls(scenario, "siegfried")
    east = reach(scenario, "2805", line)
    assert east == scenario.map.area["east-of-siegfried"]
    assert not {"2205", "2309", "2514", "2210", "2418"} & east
    assert not placed(scenario, "american") & east


def test_metzs_garrisons_stand_behind_the_forts() -> None:
    """M 4.0: 1217 RI and 1010 RS hold 0507 and 0607; every American approach from the west crosses the forts."""
    scenario = load("metz")
    forts = walls(scenario, "fortification")
    for hex_ in ("0507", "0607"):
        western = [n for n in scenario.map.grid.neighbours[hex_] if n in ("0407", "0506", "0606")]
        assert western and all(side(hex_, n) in forts for n in western)


def test_the_railways_of_metz_reach_the_edges_by_which_reinforcements_come() -> None:
    """M 9.0: they may enter by rail."""
    ground = load("metz").map
    for edge in ("north", "east", "south", "west"):
        assert ground.edges[edge] & ground.way_hexes["rail"], edge


def test_bivouacs_lie_behind_their_own_front() -> None:
    """M 11.1, B 10.1.1: nobody's bivouac touches an enemy's printed hex."""
    for name in ("metz", "bastogne"):
        scenario = load(name)
        for own, enemy in (("american", "german"), ("german", "american")):
            contact = {n for h in placed(scenario, enemy) for n in (h, *scenario.map.grid.neighbours[h])}
            assert not areas_of(scenario, own) & contact, (name, own)


def test_beyond_the_kall_is_what_the_river_cuts_off() -> None:
    """H 9.0: Kommerscheidt and Schmidt lie beyond it, Vossenack and all Americans do not."""
    scenario = load("hurtgen")
    beyond = scenario.map.area["beyond-kall"]
    assert beyond == reach(scenario, "1109", walls(scenario, "river"))
    assert {"1210", "1109"} <= beyond
    assert not placed(scenario, "american") & beyond


def test_hurtgens_guns_can_fire_from_where_they_start() -> None:
    """H 8.0: not from forest."""
    scenario = load("hurtgen")
    for p in scenario.setup.at_start:
        for id_ in p.units:
            if scenario.counters[id_].range is not None:
                assert "forest" not in scenario.map.terrain[p.hexes[0]], id_


def test_zweifall_feeds_the_american_front() -> None:
    """H 7.2: most of the regiments start within a hex of a road that leads to Zweifall."""
    scenario = load("hurtgen")
    fed = network(scenario, "0104", ["road"])
    near = {n for h in fed for n in (h, *scenario.map.grid.neighbours[h])}
    assert {"0306", "0307", "0508", "0707", "0806", "0807"} <= near


@pytest.mark.parametrize("name", GAMES)
def test_what_is_marked_printed_is_a_small_part(name: str) -> None:
    """The maps are not in the rulebooks' texts: only named hexes and the examples' ground may be marked so."""
    scenario = load(name)
    marked = [h for h, p in scenario.map.provenance.items() if p == "printed"]
    assert len(marked) == {"bastogne": 20, "metz": 5, "hurtgen": 4}[name]
    assert all(h in scenario.map.notes for h in marked)


@pytest.mark.parametrize("name", GAMES)
def test_woods_and_heights_come_in_masses(name: str) -> None:
    """No more than one wooded or rough hex in twenty stands alone."""
    scenario = load(name)
    grid, terrain = scenario.map.grid, scenario.map.terrain
    covered = [h for h in grid if not {"open", "town", "airfield"} & set(terrain[h])]
    alone = [h for h in covered if not any(n in covered for n in grid.neighbours[h])]
    assert len(alone) <= len(covered) / 20, alone
