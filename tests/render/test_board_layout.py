"""The layout of boards: what VASSAL's grid is told must be what is drawn."""

from __future__ import annotations

from math import floor, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexforge.modulegen.plan.markers import TRACK_SHARE
from hexforge.modulegen.render.board_layout import BoardLayout, board_layout
from hexforge.modulegen.render.counters import SIZE
from hexforge.scenarios.commands import names
from hexforge.scenarios.loader import load
from hexforge.scenarios.text.hexgrid import column_row, hex_id
from tests.examples import examples
from tests.render.board_maps import little

LAYOUTS = {low: board_layout(little(low)) for low in ("even", "odd")}


def vassal_location(layout: BoardLayout, x: float, y: float) -> str:
    """The hex that VASSAL's grid names at a pixel: its first hex at x0, y0, odd columns half a hex lower.

    Where the map's second column is the higher one, that grid's rows begin one hex above the map in every second
    column, and staggered numbering counts them up by one.
    """
    column = floor((x - layout.x0 + layout.dx / 2) / layout.dx)
    odd = column % 2
    row = floor((y - layout.y0 + (0 if odd else layout.dy / 2)) / layout.dy)
    if odd and layout.grid.low == "odd":
        row += 1
    return hex_id(column + 1, row + 1)


@pytest.mark.parametrize("low", ["even", "odd"])
def test_a_piece_on_the_centre_of_a_drawn_hex_is_named_after_it(low: str) -> None:
    layout = LAYOUTS[low]
    for hex_ in layout.grid:
        assert vassal_location(layout, *layout.center(hex_)) == hex_


@pytest.mark.parametrize("name", names())
def test_every_hex_of_every_game_is_named_as_drawn(name: str) -> None:
    layout = board_layout(load(name))
    assert [h for h in layout.grid if vassal_location(layout, *layout.center(h)) != h] == []


@examples(200)
@given(st.sampled_from(["even", "odd"]), st.data(), st.floats(-0.9, 0.9), st.floats(-0.9, 0.9))
def test_pixels_within_a_hex_find_it_again(low: str, data: st.DataObject, u: float, v: float) -> None:
    layout = LAYOUTS[low]
    hex_ = data.draw(st.sampled_from(layout.grid.hexes))
    x, y = layout.center(hex_)
    assert layout.hex_at(x + u * layout.dy / 2 * 0.86, y + v * layout.dy / 2 * 0.5) == hex_


@given(st.floats(-200, 2000), st.floats(-200, 2000))
def test_a_pixel_belongs_to_the_nearest_hex_or_to_none(x: float, y: float) -> None:
    layout = LAYOUTS["even"]
    found = layout.hex_at(x, y)
    away = {h: (layout.center(h)[0] - x) ** 2 + (layout.center(h)[1] - y) ** 2 for h in layout.grid}
    nearest = min(away.values())
    if found is None:
        assert nearest > (layout.dy / 2) ** 2
    else:
        assert away[found] == pytest.approx(nearest)


@pytest.mark.parametrize("scale", [0.5, 1.0, 1.37, 2.0])
def test_the_grid_is_exact_at_every_scale(scale: float) -> None:
    layout = board_layout(little(), scale)
    assert layout.dx / layout.dy == pytest.approx(sqrt(3) / 2)
    assert layout.center("0101") == pytest.approx((layout.x0, layout.y0))
    x, y = layout.center("0806")
    assert (x - layout.x0, y - layout.y0) == pytest.approx((7 * layout.dx, 5.5 * layout.dy))


@pytest.mark.parametrize("scale", [0.1, 5.0, float("nan")])
def test_absurd_scales_are_refused(scale: float) -> None:
    with pytest.raises(ValueError, match="scale"):
        board_layout(little(), scale)


@pytest.mark.parametrize("name", names())
def test_tracks_have_a_box_a_number_apart_from_each_other_and_the_field(name: str) -> None:
    scenario = load(name)
    layout = board_layout(scenario)
    assert list(layout.turn_boxes) == list(range(scenario.game.turns.first, scenario.game.turns.last + 1))
    assert list(layout.air_boxes) == list(range(1, 11))
    boxes = [*layout.turn_boxes.values(), *layout.air_boxes.values()]
    right = layout.field.x + layout.field.width
    for i, box in enumerate(boxes):
        assert right < box.x and box.x + box.width < layout.width and box.y + box.height < layout.height
        marker, (x, y) = SIZE * TRACK_SHARE, box.beside
        assert box.x + 0.35 * box.width < x - marker / 2, "its marker stands beside the number"
        assert x + marker / 2 < box.x + box.width and box.y < y - marker / 2 < y + marker / 2 < box.y + box.height
        for other in boxes[:i]:
            assert box.x + box.width <= other.x or other.x + other.width <= box.x or box.y >= other.y + other.height
    assert layout.tracks["turn"][scenario.game.turns.first] == layout.turn_boxes[scenario.game.turns.first].beside


def test_columns_and_rows_of_the_grid_are_those_of_the_map() -> None:
    assert {column_row(h) for h in LAYOUTS["odd"].grid} == {(c, r) for c in range(1, 9) for r in range(1, 7)}
