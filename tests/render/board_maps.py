"""Small invented maps for the tests of boards: one of each thing that a board can show."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hexforge.scenarios.loader import load
from hexforge.scenarios.model import GameMap, Scenario
from hexforge.scenarios.schema.map import Area, Bridge, HexsideRun, Place, Way
from hexforge.scenarios.text.hexgrid import HexGrid, side


def little(low: str = "even") -> Scenario:
    """Eight by six hexes on the tables of the game that has most kinds of things."""
    real = load("metz")
    grid = HexGrid(8, 6, "odd" if low == "odd" else "even")
    terrain = dict.fromkeys(grid, ("open",))
    for h in ("0101", "0102", "0202", "0301", "0302", "0401"):
        terrain[h] = ("woods",)
    for h in ("0602", "0603", "0702", "0703"):
        terrain[h] = ("rough",)
    for h in ("0703", "0803", "0804"):
        terrain[h] = ("rough_woods",)
    terrain["0404"] = terrain["0504"] = ("town",)
    terrain["0205"] = ("airfield",)
    across = [f"{c:02d}03" for c in range(1, 9)]
    below = [f"{c:02d}04" for c in range(1, 9)]
    banks = [side(a, b) for a, b in zip(across, below, strict=True)]
    banks += [side(a, b) for a in across for b in below if grid.adjacent(a, b) and a[:2] != b[:2]]
    north_south = tuple(f"04{r:02d}" for r in range(1, 7))
    return replace(
        real,
        map=GameMap(
            grid=grid,
            terrain=terrain,
            fortified=frozenset({"0504"}),
            hexside_runs=(
                HexsideRun(kind="river", name="Elbe", sides=[f"{a}/{b}" for a, b in banks]),
                HexsideRun(kind="siegfried", sides=["0604/0605", "0605/0705" if low == "even" else "0605/0704"]),
            ),
            bridge_list=(Bridge(side="/".join(banks[0]), from_turn=3),),
            ways=(
                Way(kind="road", hexes=list(north_south)),
                Way(kind="road", hexes=_walk(grid, "0404", "0804")),
                Way(kind="rail", hexes=_walk(grid, "0104", "0404")),
            ),
            places=(
                Place(id="alt", name="Altstadt-Göbelsmühle", hexes=["0404"]),
                Place(id="neu", name="Neustadt", hexes=["0504"]),
                Place(id="dorf", name="Wüstenrode", kind="village", hexes=["0405"]),
                Place(id="berg", name="Hill 31", kind="height", hexes=["0603"]),
            ),
            areas=(
                Area(id="camp", name="XII <Corps>", kind="bivouac", side="german", hexes=["0105", "0106", "0206"]),
            ),
            compass=-35,
        ),
    )


def _walk(grid: HexGrid, start: str, end: str) -> list[str]:
    """A shortest way between two hexes, the first of those there are."""
    path = [start]
    while path[-1] != end:
        path.append(min(grid.neighbours[path[-1]], key=lambda h: (grid.distance(h, end), h)))
    assert all(grid.adjacent(a, b) for a, b in pairwise(path))
    return path
