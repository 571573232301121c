"""What the rulebooks print about the maps holds on the maps: names, bridges, edges, and the ways of the examples.

Sections are cited with the letter of the game (B, M, H).
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from hexforge.scenarios import Scenario, load
from hexforge.scenarios.text.hexgrid import side

TOWNS = {
    "bastogne": {  # B 4.0, 10.1.2, 10.2
        "Margeret": "1607", "Clervaux": "3303", "Dasburg": "4103", "Gemünd": "4310", "Vianden": "4714",
        "Ettelbruck": "4023", "Diekirch": "4321", "Fouhren": "4615", "Hosdorf": "5018", "Donnange": "2801",
        "Marnach": "3602", "Hosingen": "3806", "Bockholz": "3407", "Senonchamps": "0709", "Assenois": "1011",
        "Hoscheid": "3813", "Consthum": "3512", "Wiltz": "2712", "Bastogne": "1109", "Allerborn": "2205",
        "Esch-sur-Sûre": "2717", "Eschdorf": "2819", "Eschweiler": "2808", "Grosbous": "3024", "Hompré": "1013",
        "Noville": "1402", "Sibret": "0712", "Wardin": "1610", "Martelange": "1224", "Nives": "0116",
    },
    "metz": {  # M 4.0, 5.1.2, 11.2
        "Delme": "0616", "Moyenvic": "0721", "Donnelay": "0922", "Metz": "0608 0707", "Faulquemont": "1314",
        "Sierck-les-Bains": "1702", "Bouzonville": "1708", "Saint-Avold": "1714", "Saarlautern": "2210",
        "Saarlautern-Roden": "2309", "Puttelange": "2018", "Sarreguemines": "2418", "Merzig": "2205",
        "Orscholz": "2102", "Mettlach": "2403", "Saarbrücken": "2514",
    },
}  # fmt: skip


@pytest.mark.parametrize(("game", "name"), [(g, n) for g, towns in TOWNS.items() for n in towns])
def test_a_named_town_lies_in_its_printed_hex(game: str, name: str) -> None:
    ground = load(game).map
    hexes = TOWNS[game][name].split()
    assert {ground.place_at[h].name for h in hexes} == {name}
    assert all("town" in ground.terrain[h] for h in hexes)


@pytest.mark.parametrize(
    ("game", "columns", "rows", "low"),
    [("bastogne", 51, 26, "even"), ("metz", 28, 23, "odd"), ("hurtgen", 18, 12, "even")],
)
def test_the_grid(game: str, columns: int, rows: int, low: str) -> None:
    grid = load(game).map.grid
    assert (grid.columns, grid.rows, grid.low) == (columns, rows, low)


@pytest.mark.parametrize("game", ["bastogne", "metz", "hurtgen"])
def test_no_start_hex_touches_one_of_the_enemy(game: str) -> None:
    scenario = load(game)
    start = {p.hexes[0]: scenario.counters[p.units[0]].side for p in scenario.setup.at_start if len(p.hexes) == 1}
    touching = [
        (a, b) for a in start for b in scenario.map.grid.neighbours[a] if start.get(b, start[a]) != start[a]
    ]
    # Metz begins with fronts in contact here and there only where the printed hexes say so; none do.
    assert touching == []


@pytest.mark.parametrize("game", ["bastogne", "metz", "hurtgen"])
def test_printed_objectives_are_places_with_hexes(game: str) -> None:
    scenario = load(game)
    assert all(scenario.map.place[p].hexes for o in scenario.victory.objectives for p in o.place)


def road_run(scenario: Scenario, *hexes: str) -> bool:
    """Whether a road joins each hex with the next."""
    return all("road" in scenario.map.links.get(side(a, b), ()) for a, b in pairwise(hexes))


def test_bastognes_movement_example_lies_on_the_map() -> None:
    """B 4.0: sixteen road hexes from 1607 to 2902, then open, forest and rough, forest, and Clervaux."""
    scenario = load("bastogne")
    ground = scenario.map
    road = next(w for w in ground.ways if w.kind == "road" and w.hexes[0] == "1607" and w.hexes[-1] == "2902")
    assert len(road.hexes) - 1 == 16
    assert road_run(scenario, *road.hexes)
    walk = {"3002": "open", "3103": "forest_rough", "3203": "forest", "3303": "town", "3202": "forest_rough"}
    assert {h: ground.terrain[h] for h in walk} == {h: (t,) for h, t in walk.items()}
    path = ["2902", "3002", "3103", "3203", "3303"]
    assert ground.grid.gaps(path) == []
    for a, b in pairwise(path):
        assert side(a, b) not in ground.hexsides
        assert "road" not in ground.links.get(side(a, b), ())


def test_bridges_over_the_our() -> None:
    """B 4.1.1: bridges at Dasburg, Gemünd and Vianden; B 4.2.1: one between 4817 and 4917 from turn 17 on."""
    ground = load("bastogne").map
    for town in ("4103", "4310", "4714"):
        crossings = [
            s
            for s, kinds in ground.hexsides.items()
            if town in s and "our" in kinds and (s in ground.links or s in ground.bridges)
        ]
        assert crossings, town
    assert ground.hexsides[("4817", "4917")] == {"our"}
    assert ground.bridges[("4817", "4917")].from_turn == 17


def test_metzs_movement_example_lies_on_the_map() -> None:
    """M 4.0: six road hexes from Delme over the Seille bridge to Moyenvic, then open, Donnelay and open."""
    scenario = load("metz")
    ground = scenario.map
    road = next(w for w in ground.ways if w.kind == "road" and w.hexes[0] == "0616" and w.hexes[-1] == "0721")
    assert len(road.hexes) - 1 == 6
    assert any("river" in ground.hexsides.get(side(a, b), ()) for a, b in pairwise(road.hexes))
    assert [ground.terrain[h] for h in ("0822", "0922", "1023")] == [("open",), ("town",), ("open",)]
    for a, b in (("0721", "0822"), ("0822", "0922"), ("0922", "1023")):
        assert ground.grid.adjacent(a, b)
        assert side(a, b) not in ground.hexsides


def test_metzs_edges() -> None:
    """M 4.2.1: the four edges as hex ranges; 2801 lies on two, some hexes on none."""
    edges = load("metz").map.edges
    assert {e for e, hexes in edges.items() if "2801" in hexes} == {"north", "east"}
    assert {"1701", "2801"} <= edges["north"] and "1601" not in edges["north"]
    assert {"0923", "2723"} <= edges["south"] and "0823" not in edges["south"]
    assert {"0801", "0101", "0123"} <= edges["west"] and "0901" not in edges["west"]
    assert "2821" in edges["east"] and "2822" not in edges["east"]


def test_metz_is_a_fortress_of_two_hexes() -> None:
    """M 5.1.2: both hexes of Metz are fortifications, and they touch."""
    ground = load("metz").map
    assert {"0608", "0707"} <= ground.fortified
    assert ground.grid.adjacent("0608", "0707")


def test_hurtgens_movement_example_lies_on_the_map() -> None:
    """H 4.0: Germeter, one road hex, Vossenack, the trail over the Kall, Kommerscheidt."""
    scenario = load("hurtgen")
    ground = scenario.map
    (germeter,), (vossenack,), (kommerscheidt,) = (
        ground.place[p].hexes for p in ("germeter", "vossenack", "kommerscheidt")
    )
    assert ground.grid.distance(germeter, vossenack) == 2
    (between,) = (
        set(ground.grid.neighbours[germeter]) & set(ground.grid.neighbours[vossenack]) & ground.way_hexes["road"]
    )
    assert road_run(scenario, germeter, between, vossenack)
    (trail,) = ground.area["kall-trail"]
    for a, b in ((vossenack, trail), (trail, kommerscheidt)):
        assert "trail" in ground.links[side(a, b)]
    crossed = [
        s for s in (side(vossenack, trail), side(trail, kommerscheidt)) if "river" in ground.hexsides.get(s, ())
    ]
    assert len(crossed) == 1
    assert kommerscheidt in ground.area["beyond-kall"] and vossenack not in ground.area["beyond-kall"]


def test_hurtgens_roads_reach_the_edges_by_which_the_germans_enter() -> None:
    """H 4.2.1: German reinforcements enter by roads of the north, south and east edges."""
    ground = load("hurtgen").map
    for edge in ("north", "south", "east"):
        assert ground.edges[edge] & ground.way_hexes["road"], edge
