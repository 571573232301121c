"""Pictures of boards: crops of an invented map, and properties that every board's pixels have."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from PIL import Image

from hexforge.modulegen.render.board import board_png, board_svg
from hexforge.modulegen.render.board_layout import board_layout
from hexforge.modulegen.render.raster import pack, rasterise
from hexforge.scenarios.loader import load
from tests.render.board_maps import little
from tests.render.pictures import assert_like_snapshot, difference, image


@cache
def board(low: str) -> Image.Image:
    return image(board_png(little(low), "en"))


@pytest.mark.parametrize(
    ("name", "low", "hex_"),
    [
        ("woods", "even", "0302"),
        ("fortress", "even", "0504"),
        ("siegfried", "even", "0604"),
        ("hills", "even", "0703"),
        ("bridge", "even", "0404"),
        ("odd", "odd", "0404"),
    ],
)
def test_hexes_look_as_they_did(name: str, low: str, hex_: str) -> None:
    x, y = board_layout(little(low)).center(hex_)
    crop = board(low).crop((round(x) - 84, round(y) - 72, round(x) + 84, round(y) + 72))
    assert_like_snapshot(crop, f"board_{name}")


def test_the_key_looks_as_it_did() -> None:
    layout = board_layout(little())
    key = layout.panel["key"].scaled(layout.units)
    crop = board("even").crop((round(key.x), round(key.y), round(key.x + key.width), round(key.y + key.height)))
    assert_like_snapshot(crop, "board_key")


def test_terrains_differ_in_grey() -> None:
    """Who prints without colour still tells open, woods, rough and rough woods apart."""
    scenario = little()
    layout = board_layout(scenario)
    grey = board("even").convert("L")

    def tone(hex_: str) -> float:
        x, y = layout.center(hex_)
        part = grey.crop((round(x - 28), round(y - 20), round(x + 28), round(y + 28)))
        return sum(i * n for i, n in enumerate(part.histogram())) / (part.width * part.height)

    tones = [tone("0103"), tone("0702"), tone("0202"), tone("0803")]
    assert all(a - b > 8 for a, b in pairwise(tones)), tones


def test_few_colours_look_like_all() -> None:
    png = rasterise(board_svg(little(), "en"))
    assert difference(image(png), image(pack(png))) < 3
    assert len(pack(png)) < len(png) / 2


def test_a_real_board_has_the_size_that_its_layout_says_and_is_opaque() -> None:
    scenario = load("hurtgen")
    layout = board_layout(scenario, 0.5)
    picture = image(board_png(scenario, "pt", 0.5))
    assert picture.size == (layout.width, layout.height)
