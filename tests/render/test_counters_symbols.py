"""Symbols of unit types and palettes: complete, distinct, free of fixed colours."""

from __future__ import annotations

from itertools import combinations

import pytest
from lxml import etree

from hexforge import scenarios
from hexforge.modulegen.render import templates
from hexforge.modulegen.render.counters import symbol
from hexforge.modulegen.render.raster import RenderError, rasterise
from tests.render.pictures import difference, image

# The types that turn sheets know.
TYPES = [
    "infantry",
    "mechanized_infantry",
    "motorized_infantry",
    "armored_infantry",
    "parachute",
    "glider",
    "fortress_infantry",
    "security",
    "armor",
    "tank_destroyer",
    "assault_gun",
    "mechanized_cavalry",
    "artillery",
    "mechanized_artillery",
    "antitank",
    "rocket",
    "mortar",
    "engineer",
    "armored_engineer",
    "construction_engineer",
    "mountain",
]


@pytest.mark.parametrize("type_", TYPES)
def test_every_type_has_a_symbol_that_takes_its_colour_from_outside(type_: str) -> None:
    root = etree.parse(templates.art_folder() / "symbols" / f"{type_}.svg").getroot()
    assert root.get("viewBox") == "0 0 60 47"
    assert root.find("{http://www.w3.org/2000/svg}title") is not None
    drawn = [e for e in root.iter() if e is not root and isinstance(e.tag, str)]
    assert not [e for e in drawn if e.tag.endswith("}text")], "a symbol needs no font"
    for element in drawn:
        for paint in ("fill", "stroke"):
            assert element.get(paint, "none") in ("none", "currentColor")


def test_every_type_of_every_game_has_a_symbol() -> None:
    for name in scenarios.names():
        for spec in scenarios.load(name, strict=False).game.unit_types.values():
            assert symbol(spec.symbol)


def test_symbols_can_be_told_apart_on_a_small_counter() -> None:
    """At 60 % zoom a symbol is some 24 pixels wide."""
    small = {}
    for type_ in TYPES:
        svg = (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 47" width="24" height="19" color="#000">'
            f'<rect width="60" height="47" fill="#fff"/>{symbol(type_)}</svg>'
        )
        small[type_] = image(rasterise(svg))
    close = [(a, b) for a, b in combinations(TYPES, 2) if difference(small[a], small[b]) < 4]
    assert close == []


def test_a_symbol_that_is_not_there_is_named() -> None:
    with pytest.raises(RenderError, match=r"cyclists\.svg"):
        symbol("cyclists")
    with pytest.raises(RenderError):
        symbol("../fonts/README")


def test_every_palette_that_a_game_names_is_complete() -> None:
    known = templates.palette("counters")
    keys = set(known["american"])
    for palette in known.values():
        assert set(palette) == keys
        assert set(palette["reduced"]) == {"face", "edge", "ink", "band", "box", "symbol"}
        assert len(set(palette["tints"])) == len(palette["tints"]) >= 8
    for name in scenarios.names():
        for side in scenarios.load(name, strict=False).game.sides:
            assert {b.counter for b in side.branches.values()} <= set(known)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(a: str, b: str) -> float:
    light, dark = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", ["american", "german", "ss", "british", "soviet", "french", "italian", "neutral"])
def test_figures_stand_out_from_the_card(name: str) -> None:
    palette = templates.palette("counters")[name]
    assert _contrast(palette["ink"], palette["face"]) > 7
    assert _contrast(palette["reduced"]["ink"], palette["reduced"]["face"]) > 5
    assert _contrast(palette["accent"], palette["face"]) > 3
    for tint in palette["tints"]:
        assert _contrast(palette["symbol"], tint) > 8
