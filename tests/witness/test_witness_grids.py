"""Our hex geometry and VASSAL's, on the same grid."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Literal

import pytest

from hexforge.modulegen.plan.markers import BoardPlan
from hexforge.modulegen.vassal.grids import HexGrid as EngineGrid
from hexforge.modulegen.vassal.grids import Numbering
from hexforge.scenarios.text.hexgrid import COLUMN_WIDTH, Hex, HexGrid, Naming, grid
from hexforge.validator.logs.locations import _numbered

from . import Engine

pytestmark = pytest.mark.witness

HEX = 64.0
MARGIN = 80


def build_file_grid(low: Literal["even", "odd"]) -> dict[str, Any]:
    """VASSAL's attributes of a grid whose first hex is at the same pixel as ours.

    The engine always lays its second column half a hex below the first. Where ours lies above (odd columns low),
    the staggered numbering counts that column's rows from one above.
    """
    x, y = grid(2, 2, low).center("0101")
    return {
        "class": "HexGrid",
        "width": 1200,
        "height": 1200,
        "x0": round(MARGIN + x * HEX),
        "y0": round(MARGIN + y * HEX),
        "dx": HEX * COLUMN_WIDTH,
        "dy": HEX,
        "edgesLegal": "false",
        "cornersLegal": "false",
        "numbering": {
            "first": "H",
            "sep": "",
            "hType": "N",
            "vType": "N",
            "hLeading": 1,
            "vLeading": 1,
            "hOff": 1,
            "vOff": 1,
            "hDescend": "false",
            "vDescend": "false",
            "stagger": "true" if low == "odd" else "false",
        },
    }


def pixels(hexes: HexGrid) -> dict[Hex, tuple[int, int]]:
    """Centre of each hex on the board, whole pixels."""
    return {
        one: (round(MARGIN + x * HEX), round(MARGIN + y * HEX)) for one in hexes for x, y in [hexes.center(one)]
    }


@pytest.mark.parametrize("low", ["even", "odd"])
def test_hexes_have_the_same_numbers_and_places(mini: Engine, low: Literal["even", "odd"]) -> None:
    hexes = grid(14, 12, low)
    spots = pixels(hexes)
    # A piece dropped anywhere well inside a hex lies in that hex.
    for dx, dy in ((0, 0), (18, 0), (-18, 0), (0, 25), (0, -25), (12, 12)):
        dropped = [(x + dx, y + dy) for x, y in spots.values()]
        found = mini.grid_names(build_file_grid(low), dropped)
        assert [one["name"] for one in found] == list(spots)
        for (x, y), one in zip(spots.values(), found, strict=True):
            assert abs(one["snap"][0] - x) <= 1
            assert abs(one["snap"][1] - y) <= 1


@pytest.mark.parametrize("low", ["even", "odd"])
def test_distances_are_the_same(mini: Engine, low: Literal["even", "odd"]) -> None:
    hexes = grid(8, 7, low)
    spots = pixels(hexes)
    pairs = list(combinations(hexes, 2))
    engines = mini.grid_ranges(build_file_grid(low), [(*spots[a], *spots[b]) for a, b in pairs])
    ours = [hexes.distance(a, b) for a, b in pairs]
    assert [(pair, a, b) for pair, a, b in zip(pairs, engines, ours, strict=True) if a != b] == []


NAMINGS = {
    "A1": Naming(columns="letters", digits=1),
    "1A": Naming(columns="letters", first="rows", digits=1),
    "from 0": Naming(columns_from=0, rows_from=0),
    "rows first": Naming(first="rows"),
    "letters for rows, upwards": Naming(rows="letters", rows_from=3, descending=("rows",), digits=1),
    "leftwards and upwards": Naming(descending=("columns", "rows"), columns_from=7, digits=3),
    "AA": Naming(columns="letters", columns_from=20, descending=("columns",)),
}


@pytest.mark.parametrize("tops", ["flat", "pointy"])
@pytest.mark.parametrize("low", ["even", "odd"])
@pytest.mark.parametrize("naming", NAMINGS)
def test_hexes_of_any_form_and_name(mini: Engine, tops: Any, low: Any, naming: str) -> None:
    """VASSAL calls each hex as our map does and snaps a piece to where we say; so do we when we read a log."""
    hexes = grid(13, 9, low, "B" if naming == "A1" else "", tops=tops, naming=NAMINGS[naming])
    x, y = hexes.center(hexes.hexes[0])
    dx = HEX * COLUMN_WIDTH
    plan = BoardPlan(hexes, 1210, 870, round(MARGIN + x * HEX), round(MARGIN + y * HEX), dx, HEX)
    spots = {one: plan.centre(one) for one in hexes}
    numbering = {k: str(v).lower() if isinstance(v, bool) else v for k, v in plan.numbering().items()}
    attributes = {
        **{"class": "HexGrid", "width": plan.width, "height": plan.height, "dx": dx, "dy": HEX},
        **{"x0": plan.origin[0], "y0": plan.origin[1], "sideways": str(hexes.pointy).lower()},
        **{"edgesLegal": "false", "cornersLegal": "false"},
        "numbering": {
            **numbering,
            **{"sep": "", "stagger": str(plan.stagger).lower(), "locationFormat": f"{hexes.letter}$gridLocation$"},
        },
    }
    for across, down in ((0, 0), (17, 0), (-12, 12)):
        found = mini.grid_names(attributes, [(x + across, y + down) for x, y in spots.values()])
        assert [one["name"] for one in found] == list(spots)
        assert [tuple(one["snap"]) for one in found] == list(spots.values())
    read = Numbering(
        stagger=plan.stagger,
        location_format=f"{hexes.letter}$gridLocation$",
        **_numbered(plan.numbering(whole=False)),
    )
    ours = EngineGrid(dx, HEX, *plan.origin, sideways=hexes.pointy, numbering=read)
    assert [ours.location_name(spot, (0, 0)) for spot in spots.values()] == list(spots)
    assert [ours.point_of(one, (0, 0)) for one in hexes] == list(spots.values())
    assert [hexes.nearest(hexes.center(one)) for one in hexes] == list(hexes)
