"""Lines of sight: held against points taken along them."""

from __future__ import annotations

from itertools import combinations

import pytest

from hexforge.scenarios.text.hexgrid import HexGrid, sight_line

GRIDS = [HexGrid(7, 6), HexGrid(6, 7, low="odd"), HexGrid(6, 6, tops="pointy")]
POINTS = 97
"""Parts of a line that are looked at: a number without a divisor, so that none lies on a corner."""


@pytest.mark.parametrize("grid", GRIDS, ids=["flat", "odd", "pointy"])
def test_a_line_enters_what_its_points_lie_in(grid: HexGrid) -> None:
    for a, b in combinations(grid.hexes, 2):
        (ax, ay), (bx, by) = grid.center(a), grid.center(b)
        points = [(ax + (bx - ax) * i / POINTS, ay + (by - ay) * i / POINTS) for i in range(1, POINTS)]
        met = {grid.nearest(point) for point in points} - {a, b, None}
        line = sight_line(grid, a, b)
        entered = {hexes[0] for hexes in line.through if len(hexes) == 1}
        beside = {h for hexes in line.through if len(hexes) > 1 for h in hexes}
        assert met <= entered | beside
        # A corner that is cut off may lie between two points.
        assert len(entered - met) <= 2
        assert line == sight_line(grid, b, a) or line.through == sight_line(grid, b, a).through[::-1]


def test_lines_along_the_rows_follow_sides() -> None:
    line = sight_line(GRIDS[0], "0103", "0503")
    assert line.through == (("0202", "0203"), ("0303",), ("0402", "0403"))
    assert line.sides == {("0202", "0203"), ("0402", "0403")}
    assert sight_line(GRIDS[0], "0101", "0301").through == (("0201", ""),)
    assert sight_line(GRIDS[0], "0101", "0102").through == ()
