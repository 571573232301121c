"""Our location names and VASSAL's, on every kind of grid."""

from __future__ import annotations

import random
import re
import zipfile
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from hexforge.modulegen.vassal.archive import ArchiveEntry, zip_bytes
from hexforge.modulegen.vassal.grids import Grid, HexGrid, Numbering, SquareGrid
from hexforge.modulegen.vassal.module import read_module
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save, save_bytes, save_tree

from . import Engine
from .conftest import PLAYED
from .engine import declare_version

pytestmark = pytest.mark.witness

SIZE = (1200, 900)
POINTS = [(random.Random(7 * i).randrange(1200), random.Random(7 * i + 1).randrange(900)) for i in range(60)]
BOOL = (False, True)


def as_attributes(grid: HexGrid | SquareGrid) -> dict[str, Any]:
    n = grid.numbering
    assert n is not None
    names: dict[str, Any] = {"first": n.first, "sep": n.sep, "hType": n.h_type, "vType": n.v_type}
    names |= {"hLeading": n.h_leading, "vLeading": n.v_leading, "hOff": n.h_off, "vOff": n.v_off}
    names |= {"hDescend": str(n.h_descend).lower(), "vDescend": str(n.v_descend).lower()}
    names["locationFormat"] = n.location_format
    found: dict[str, Any] = {"class": type(grid).__name__, "width": SIZE[0], "height": SIZE[1], "numbering": names}
    found |= {"x0": grid.x0, "y0": grid.y0, "dx": grid.dx, "dy": grid.dy}
    if isinstance(grid, HexGrid):
        names["stagger"] = str(n.stagger).lower()
        found["sideways"] = str(grid.sideways).lower()
    return found


def differing(mini: Engine, grid: HexGrid | SquareGrid) -> list[tuple[tuple[int, int], str | None, str]]:
    theirs = [answer["name"] for answer in mini.grid_names(as_attributes(grid), POINTS)]
    ours = [grid.location_name(point, SIZE) for point in POINTS]
    return [(p, a, b) for p, a, b in zip(POINTS, ours, theirs, strict=True) if a != b]


@pytest.mark.parametrize(("sideways", "stagger", "across", "down"), list(product(BOOL, repeat=4)))
def test_hex_numberings(mini: Engine, sideways: bool, stagger: bool, across: bool, down: bool) -> None:
    for first, kinds, leading in (("H", "NN", 1), ("V", "AN", 0), ("H", "NA", 2)):
        numbering = Numbering(
            first, "." if kinds != "NN" else "", *kinds, leading, leading, 1, -1, across, down, stagger
        )
        assert differing(mini, HexGrid(86.6, 100.0, 58, 50, sideways, numbering)) == []
        assert differing(mini, HexGrid(57.3, 66.4, -11, 204, sideways, numbering)) == []


@pytest.mark.parametrize(("across", "down"), list(product(BOOL, repeat=2)))
def test_square_numberings(mini: Engine, across: bool, down: bool) -> None:
    for first, kinds in (("H", "NN"), ("V", "AN")):
        numbering = Numbering(first, ",", *kinds, 0, 2, -3, 4, across, down, True, False, "$row$:$column$")
        assert differing(mini, SquareGrid(48.0, 61.5, 24, 30, numbering)) == []


ZONED = """<VASSAL.build.module.map.boardPicker.board.ZonedGrid>
<VASSAL.build.module.map.boardPicker.board.mapgrid.Zone name="Track" locationFormat="$name$ $gridLocation$"
 path="40,40;420,40;420,300;40,300" useParentGrid="false">
<VASSAL.build.module.map.boardPicker.board.SquareGrid x0="60" y0="60" dx="40" dy="50">
<VASSAL.build.module.map.boardPicker.board.mapgrid.SquareGridNumbering first="V" sep="-" hType="N" vType="A"
 hLeading="0" vLeading="0" hOff="1" vOff="0" hDescend="true" vDescend="true" locationFormat="$gridLocation$"/>
</VASSAL.build.module.map.boardPicker.board.SquareGrid></VASSAL.build.module.map.boardPicker.board.mapgrid.Zone>
<VASSAL.build.module.map.boardPicker.board.mapgrid.Zone name="Woods &amp; hills" locationFormat="$name$"
 path="500,100;800,60;1000,400;700,500;450,350" useParentGrid="false"/>
<VASSAL.build.module.map.boardPicker.board.mapgrid.Zone name="North" locationFormat="$gridLocation$ ($name$)"
 path="0,600;600,600;600,900;0,900" useParentGrid="true"/>
<VASSAL.build.module.map.boardPicker.board.mapgrid.Zone name="Towns" locationFormat="$gridLocation$"
 path="600,520;1200,520;1200,900;600,900" useParentGrid="false">
<VASSAL.build.module.map.boardPicker.board.RegionGrid snapto="true">
<VASSAL.build.module.map.boardPicker.board.Region name="Kall" originx="700" originy="600"/>
<VASSAL.build.module.map.boardPicker.board.Region name="Schmidt" originx="1000" originy="800"/>
<VASSAL.build.module.map.boardPicker.board.Region name="Vossenack" originx="1100" originy="560"/>
</VASSAL.build.module.map.boardPicker.board.RegionGrid></VASSAL.build.module.map.boardPicker.board.mapgrid.Zone>
\\g<0></VASSAL.build.module.map.boardPicker.board.ZonedGrid>"""


def zoned_module(folder: Path) -> Path:
    """The small module with zones over its hexes, and with an edge around its board."""
    entries = []
    with zipfile.ZipFile(PLAYED / "mini.vmod") as old:
        for name in old.namelist():
            data = old.read(name)
            if name == "buildFile.xml":
                hexes = r"<VASSAL\.build\.module\.map\.boardPicker\.board\.HexGrid .*</VASSAL\S*HexGrid>"
                text, count = re.subn(hexes, ZONED, data.decode(), flags=re.S)
                assert count == 1
                data = text.replace('edgeHeight="0" edgeWidth="0"', 'edgeHeight="30" edgeWidth="20"').encode()
            entries.append(ArchiveEntry(name, data))
    path = folder / "zoned.vmod"
    path.write_bytes(zip_bytes(entries))
    declare_version(path, folder / "declared.vmod")
    return folder / "declared.vmod"


@pytest.mark.usefixtures("witness_ready")
def test_zones_regions_and_edges(tmp_path: Path) -> None:
    path = zoned_module(tmp_path)
    module = read_module(path)
    with zipfile.ZipFile(path) as inside:
        replay = LogReplay(read_save(inside.read("Start.vsav")), module)
    with Engine() as engine:
        engine.open(path)
        engine.setup("Start")
        theirs = [answer["name"] for answer in engine.locations(POINTS, "Board")]
    ours = [replay.location("Board", x, y) for x, y in POINTS]
    assert [(p, a, b) for p, a, b in zip(POINTS, ours, theirs, strict=True) if a != b] == []
    assert len({name.split()[0] for name in theirs}) > 5


def test_the_grid_is_what_the_module_says() -> None:
    grid: Grid | None = read_module(PLAYED / "mini.vmod").maps[0].boards[0].grid
    assert isinstance(grid, HexGrid)
    assert grid.location_name((231, 250), SIZE) == "0303"
    assert grid.point_of("0303", SIZE) == (231, 250)


@pytest.mark.usefixtures("witness_ready")
def test_a_save_of_ours_loads_with_the_same_position(tmp_path: Path) -> None:
    game = read_save(PLAYED / "a.vlog")
    replay = LogReplay(game, read_module(PLAYED / "mini.vmod"))
    path = tmp_path / "ours.vsav"
    path.write_bytes(save_bytes(save_tree(game.restore), game.module, game.saved))
    declare_version(PLAYED / "mini.vmod", tmp_path / "mini.vmod")
    with Engine() as engine:
        engine.open(tmp_path / "mini.vmod")
        theirs = engine.load(path)["pieces"]
    ours = {(v.name, v.location) for v in replay.pieces()}
    assert {(p["name"], p["location"]) for p in theirs} == ours
