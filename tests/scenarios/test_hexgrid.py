"""Hex geometry in both column parities."""

from __future__ import annotations

from collections import deque
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexforge.scenarios.text.hexgrid import (
    DIRECTIONS,
    EDGES,
    HexGrid,
    Naming,
    column_row,
    flood,
    grid,
    hex_id,
    side,
)

LOW = st.sampled_from(("even", "odd"))
SIZES = st.integers(1, 9)


@st.composite
def grids(draw: st.DrawFn) -> HexGrid:
    return HexGrid(draw(SIZES), draw(SIZES), draw(LOW))


@st.composite
def grids_with_hexes(draw: st.DrawFn, count: int = 2) -> tuple[HexGrid, tuple[str, ...]]:
    grid = draw(grids())
    return grid, tuple(draw(st.sampled_from(grid.hexes)) for _ in range(count))


@given(grids())
def test_touching_is_mutual_and_opposite(grid: HexGrid) -> None:
    for a, around in grid.neighbours.items():
        assert len(set(around)) == len(around) and a not in around
        for b in around:
            i, j = (DIRECTIONS.index(grid.directions[pair]) for pair in ((a, b), (b, a)))
            assert (i + 3) % 6 == j


@given(grids_with_hexes(1))
def test_distance_is_the_length_of_the_shortest_walk(case: tuple[HexGrid, tuple[str, ...]]) -> None:
    grid, (start,) = case
    walked = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for n in grid.neighbours[here]:
            if n not in walked:
                walked[n] = walked[here] + 1
                queue.append(n)
    assert {h: grid.distance(start, h) for h in grid} == walked


@given(grids_with_hexes(3))
def test_distance_is_a_metric(case: tuple[HexGrid, tuple[str, ...]]) -> None:
    grid, (a, b, c) = case
    assert grid.distance(a, b) == grid.distance(b, a)
    assert (grid.distance(a, b) == 0) == (a == b)
    assert (grid.distance(a, b) == 1) == grid.adjacent(a, b)
    assert grid.distance(a, c) <= grid.distance(a, b) + grid.distance(b, c)


@given(grids_with_hexes(2))
def test_centres_lie_one_apart_exactly_where_hexes_touch(case: tuple[HexGrid, tuple[str, ...]]) -> None:
    grid, (a, b) = case
    (xa, ya), (xb, yb) = grid.center(a), grid.center(b)
    apart = ((xa - xb) ** 2 + (ya - yb) ** 2) ** 0.5
    assert grid.adjacent(a, b) == (abs(apart - 1) < 1e-9)


@given(grids())
def test_a_hexside_has_the_same_ends_from_both_hexes(grid: HexGrid) -> None:
    for a, b in grid.directions:
        ends = {(round(x, 6), round(y, 6)) for x, y in grid.side_ends(a, b)}
        assert ends == {(round(x, 6), round(y, 6)) for x, y in grid.side_ends(b, a)}
        assert ends <= {(round(x, 6), round(y, 6)) for x, y in grid.corners(a)}


@given(grids())
def test_the_picture_holds_every_corner(grid: HexGrid) -> None:
    width, height = grid.size
    for h in grid:
        for x, y in grid.corners(h):
            assert -1e-9 <= x <= width + 1e-9
            assert -1e-9 <= y <= height + 1e-9


@given(grids())
def test_edges_are_where_neighbours_are_missing(grid: HexGrid) -> None:
    on_edge = set().union(*(grid.edge(e) for e in EDGES))
    assert {h for h in grid if len(grid.neighbours[h]) < 6} <= on_edge


@pytest.mark.parametrize(
    ("low", "a", "b", "touch"),
    [
        # Bastogne's movement example goes on from 3303 to 3202; its set-up keeps 4917 and 5018 apart.
        ("even", "3303", "3202", True),
        ("even", "4917", "5018", False),
        # The two hexes of Metz, and Saarlautern with Roden, must touch.
        ("odd", "0608", "0707", True),
        ("odd", "2210", "2309", True),
        ("odd", "0211", "0312", False),
    ],
)
def test_parities_as_the_rulebooks_need_them(low: Literal["even", "odd"], a: str, b: str, touch: bool) -> None:
    assert HexGrid(51, 26, low).adjacent(a, b) == touch


@pytest.mark.parametrize("text", ["", "12", "12345", "12a4", "١٢٣٤", "-101"])
def test_what_is_no_hex_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="four digits"):
        column_row(text)


def test_runs_rows_columns_and_sides() -> None:
    grid = HexGrid(18, 12)
    assert grid.run("0101", "0103") == ("0101", "0102", "0103")
    assert grid.run("0301", "0101") == ("0301", "0201", "0101")
    with pytest.raises(ValueError, match="neither a row nor a column"):
        grid.run("0101", "0202")
    assert side("0305", "0304") == ("0304", "0305")
    assert hex_id(6, 9) == "0609"
    assert "1913" not in grid and "1812" in grid
    assert grid.gaps(["0101", "0102", "0104"]) == [("0102", "0104")]
    with pytest.raises(ValueError, match="1 to 99"):
        HexGrid(100, 1)


def test_a_flood_comes_to_all_that_it_can_reach_the_nearest_first() -> None:
    def onward(here: str) -> list[str]:
        return [h for h in HexGrid(3, 3).neighbours[here] if h[:2] != "02"]

    assert dict(flood(["0101"], onward)) == {"0101": "0101", "0102": "0101", "0103": "0102"}
    assert [here for here, _ in flood(["0101", "0303"], onward)] == ["0101", "0303", "0102", "0302", "0103", "0301"]
    assert list(flood([], onward)) == []


POINTY = grid(9, 7, "even", tops="pointy", naming=Naming(columns="letters", digits=1))


def test_pointy_hexes_are_flat_ones_mirrored_at_the_diagonal() -> None:
    flat = grid(7, 9, "even")
    twin = {POINTY.at(c, r): flat.at(r, c) for c in range(1, 10) for r in range(1, 8)}
    for a in POINTY:
        assert {twin[n] for n in POINTY.neighbours[a]} == set(flat.neighbours[twin[a]])
        assert POINTY.center(a) == flat.center(twin[a])[::-1]
    assert all(POINTY.distance(a, b) == flat.distance(twin[a], twin[b]) for a in POINTY for b in POINTY)
    assert POINTY.size == flat.size[::-1]


def test_pointy_hexes_join_along_the_sides_that_they_are_said_to() -> None:
    for (a, b), direction in POINTY.directions.items():
        (x, y), (u, v) = POINTY.center(a), POINTY.center(b)
        assert ("e" in direction, "w" in direction) == (u > x, u < x)
        assert ("n" in direction, "s" in direction) == (v < y - 0.1, v > y + 0.1)
        assert set(POINTY.side_ends(a, b)) <= {tuple(c) for c in POINTY.corners(a)}
        (p, q), (r, s) = POINTY.side_ends(a, b)
        assert ((p + r) / 2, (q + s) / 2) == pytest.approx(((x + u) / 2, (y + v) / 2))


def test_hexes_are_called_as_the_map_says() -> None:
    assert POINTY.edge("north") == tuple(f"{c}1" for c in "ABCDEFGHI")
    assert POINTY.run("B2", "B5") == ("B2", "B3", "B4", "B5")
    assert POINTY.named("b12") == "B12"
    assert POINTY.named("12B") is None
    assert "J1" not in POINTY
    wide = grid(30, 3, "odd", naming=Naming(columns="letters", descending=("rows",), rows_from=0))
    assert [wide.at(1, 1), wide.at(27, 1), wide.at(30, 3)] == ["A02", "AA02", "DD00"]
    with pytest.raises(ValueError, match="a name like A1"):
        POINTY.center("0101")
