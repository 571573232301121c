"""Styles of ground and lines: each can be told from the others, marks stay in their hexes, water is water."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from lxml import etree
from PIL import Image

from hexforge.modulegen.render.board import board_svg
from hexforge.modulegen.render.board_layout import board_layout, board_palette, wet_kinds
from hexforge.modulegen.render.board_panel import terrain_svg
from hexforge.modulegen.render.board_shapes import HexField
from hexforge.modulegen.render.board_terrain import MARKS, draw_marks
from hexforge.modulegen.render.board_water import rivers
from hexforge.modulegen.render.raster import open_image, rasterise
from hexforge.modulegen.render.templates import in_own_looks
from hexforge.modulegen.starter import LIKE
from hexforge.scenarios.console import ScenarioError
from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema.map import Looks
from hexforge.scenarios.text.hexgrid import HexGrid
from tests import starters
from tests.render.board_maps import little
from tests.render.pictures import difference

ALIKE = {frozenset(pair) for pair in (("forest", "woods"), ("forest_rough", "rough_woods"), ("lake", "sea"))}
"""Names of one and the same style."""


def dressed(style: str) -> Scenario:
    """The little map with its woods in a style."""
    plain = little()
    return replace(plain, map=replace(plain.map, looks=Looks(terrain={"woods": style})))


def ground(style: str) -> Image.Image:
    """What is drawn around a hex of it, and nothing else of the board, which takes longer."""
    scenario = dressed(style)
    x, y = board_layout(scenario).center("0202")
    board = etree.fromstring(board_svg(scenario, "en"))
    unit = float(board.get("viewBox", "").split()[2]) / float(board.get("width", ""))
    board.set("viewBox", " ".join(f"{of * unit:.2f}" for of in (x - 40, y - 30, 80, 70)))
    board.set("width", "80")
    board.set("height", "70")
    return open_image(rasterise(etree.tostring(board, encoding="unicode"))).convert("RGB")


def test_each_style_of_ground_can_be_told_from_all_others() -> None:
    styles = [s for s in board_palette()["terrains"] if s != "other"]
    looks = {style: ground(style) for style in styles}
    same = {frozenset((a, b)) for a, b in combinations(styles, 2) if difference(looks[a], looks[b]) < 3}
    assert same == ALIKE


@pytest.mark.parametrize("texture", MARKS)
def test_marks_stand_within_their_hex_and_spare_what_is_covered(texture: str) -> None:
    field = HexField(HexGrid(3, 3))
    style = {"texture": texture, "marks": 20, "stroke": 1.5, "ink": "#123456"}
    (marks,) = draw_marks(field, ["0202"], style, lambda _: False)
    starts = [(float(x), float(y)) for x, y in re.findall(r"M(-?[\d.]+) (-?[\d.]+)", marks)]
    assert len(starts) >= 20
    x, y = field.center("0202")
    assert all(abs(a - x) < 58 and abs(b - y) < 55 for a, b in starts)
    assert draw_marks(field, ["0202"], style, lambda _: True) == []


def test_what_spreads_leaves_no_gap_beside_its_neighbours() -> None:
    """Between sand and the houses on it no strip of bare paper shows."""
    scenario = dressed("desert")
    terrain = dict.fromkeys(scenario.map.grid, ("woods",)) | {"0404": ("town",)}
    bare = replace(scenario.map, terrain=terrain, hexside_runs=(), ways=(), places=(), areas=(), bridge_list=())
    scenario = replace(scenario, map=replace(bare, fortified=frozenset()))
    layout = board_layout(scenario)
    x, y = layout.center("0404")
    board = open_image(rasterise(board_svg(scenario, "en"))).convert("RGB")
    crop = board.crop((round(x) - 46, round(y) - 40, round(x) + 46, round(y) + 46))
    paper = tuple(int(board_palette()["paper"][i : i + 2], 16) for i in (1, 3, 5))
    assert paper not in {colour for _, colour in crop.getcolors(10000) or ()}


def test_a_line_in_a_style_of_water_runs_like_one() -> None:
    plain = little()
    lines = replace(plain, map=replace(plain.map, looks=Looks(hexsides={"siegfried": "stream"})))
    assert wet_kinds(lines) - wet_kinds(plain) == {"siegfried"}
    assert len(rivers(HexField(lines.map.grid), lines)) == len(rivers(HexField(plain.map.grid), plain)) + 1
    fill = board_palette()["hexsides"]["stream"]["fill"]
    assert fill in board_svg(lines, "en")
    assert fill not in board_svg(plain, "en")


def test_water_in_a_style_that_is_none_is_a_river() -> None:
    plain = little()
    walled = replace(plain, map=replace(plain.map, looks=Looks(hexsides={"river": "fortification"})))
    assert board_palette()["hexsides"]["river"]["fill"] in board_svg(walled, "en")


def test_a_number_that_a_line_crosses_stands_in_a_gap_of_it() -> None:
    """The river below 0503 and the rampart of 0504 leave its number no other place."""
    groups = re.findall(r'<g font-size="13.5"([^>]*)>(<text.*?)</g>', board_svg(little(), "en"))
    strong = {h for rim, texts in groups if 'stroke-opacity="0.92"' in rim for h in re.findall(r">(\d{4})<", texts)}
    assert "0504" in strong
    assert not {"0103", "0202", "0806"} & strong


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "mine"
    starters.write(home, "en", LIKE["classic"])
    (home / "looks" / "palettes").mkdir(parents=True)
    return home


def test_a_style_of_ones_own_has_a_cover_of_ones_own(folder: Path) -> None:
    """What docs/own-games.md shows."""
    path = folder / "looks" / "palettes" / "board.yaml"
    said = 'covers:\n  salt: {{like: ice, fill: "#f4eee6", ink: "#c9b9a8", texture: {}, marks: 6}}\n'
    path.write_text(said.format("crosses") + "terrains:\n  saltpan: {covers: [salt]}\n")
    game = load(folder)
    first = next(iter(game.tables.terrain))
    salted = replace(game, map=replace(game.map, looks=Looks(terrain={first: "saltpan"})))
    assert "#c9b9a8" in board_svg(salted, "en")
    assert "#f4eee6" in terrain_svg_of(salted, first)
    path.write_text(said.format("crosess") + "terrains:\n  saltpan: {covers: [salt]}\n")
    with pytest.raises(ScenarioError, match=r"crosess.*expected one of"):
        board_svg(replace(load(folder), map=salted.map), "en")


def terrain_svg_of(scenario: Scenario, id_: str) -> str:
    return in_own_looks(terrain_svg)(scenario, id_)
