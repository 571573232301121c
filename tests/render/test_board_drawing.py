"""What is on a board: every number once, names apart, water unbroken, valid SVG in every language."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from math import dist

import pytest
from lxml import etree

from hexforge.modulegen.render.board import board_svg, field_svg, labels_of
from hexforge.modulegen.render.board_shapes import Coast, HexField, Network, blobs, closed_curve, outlines
from hexforge.modulegen.render.board_water import rivers
from hexforge.modulegen.render.board_ways import spans, ways
from hexforge.modulegen.render.templates import words as all_words
from hexforge.scenarios.commands import names
from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema.game import WeatherDie
from hexforge.scenarios.schema.map import Place
from hexforge.scenarios.text.hexgrid import HexGrid
from tests.render.board_maps import little

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=[*names(), "little even", "little odd"])
def scenario(request: pytest.FixtureRequest) -> Scenario:
    name: str = request.param
    return little(name.split()[1]) if " " in name else load(name)


def texts(svg: str) -> list[str]:
    return ["".join(e.itertext()) for e in etree.fromstring(svg.encode()).iter(f"{SVG}text")]


def test_every_hex_number_stands_once(scenario: Scenario) -> None:
    found = Counter(t for t in texts(board_svg(scenario, "pt")) if re.fullmatch(r"\d{4}", t))
    assert found == Counter(scenario.map.grid.hexes)


def test_a_plain_field_has_every_number_and_name_and_is_short(scenario: Scenario) -> None:
    text = scenario.texts["pt"]
    plain, full = ("".join(field_svg(scenario, text, plain=p)) for p in (True, False))
    found = Counter(texts(f'<svg xmlns="{SVG[1:-1]}">{plain}</svg>'))
    named = [text.get(f"places.{p.id}", p.name) for p in scenario.map.places]
    assert found >= Counter([*scenario.map.grid.hexes, *filter(None, named)])
    assert len(plain) < len(full) * 0.7


@pytest.mark.parametrize("language", ["pt", "en"])
def test_titles_tracks_and_key_are_in_the_language(scenario: Scenario, language: str) -> None:
    words = all_words(scenario, language)
    found = texts(board_svg(scenario, language))
    for key in ("title.name", "title.subtitle", "board.turn_track", "board.air_track", "board.terrain_key"):
        assert words.get(key) in found, key
    assert words.get("edges.north").upper() in found
    assert any(t.rstrip("†") == words.get("terrain.open") for t in found)


def test_no_name_lies_over_another_and_all_lie_on_the_map(scenario: Scenario) -> None:
    labels = labels_of(scenario, scenario.texts["pt"])
    assert len(labels) == len([p for p in scenario.map.places if p.name])
    clashes = [(a.lines, b.lines) for a, b in combinations(labels, 2) if a.box.overlap(b.box) > 0]
    assert clashes == []
    w, h = (v * 100 for v in scenario.map.grid.size)
    assert [x.lines for x in labels if x.box.left < 0 or x.box.top < 0 or x.box.right > w or x.box.bottom > h] == []


@pytest.mark.parametrize(("hexes", "shown"), [(["0105", "0106", "0206"], 0), (["0105", "0106"], 1)])
def test_ground_that_is_an_area_and_a_place_bears_one_name(hexes: list[str], shown: int) -> None:
    """The place's name stands; the area keeps its own where it is larger than the place."""
    game = little("even")
    place = Place(id="field", name="Field 1", kind="label", hexes=hexes)
    ground = replace(game.map, places=(*game.map.places, place))
    found = texts(board_svg(replace(game, map=ground), "pt"))
    assert found.count("Field 1") == 1
    assert found.count("XII <Corps>") == shown


def test_names_stand_by_their_places(scenario: Scenario) -> None:
    ground = HexField(scenario.map.grid)
    for label in labels_of(scenario, scenario.texts["pt"]):
        x, y = ground.center(label.hex)
        nearest = (min(max(x, label.box.left), label.box.right), min(max(y, label.box.top), label.box.bottom))
        assert dist(nearest, (x, y)) < 75, label.lines


def test_water_runs_over_every_hexside_and_joins(scenario: Scenario) -> None:
    ground = HexField(scenario.map.grid)
    water = rivers(ground, scenario)
    wet = {k for k, effect in scenario.tables.hexsides.items() if effect.water}
    expected = {s for s, kinds in scenario.map.hexsides.items() if kinds & wet}
    assert sorted(s for river in water for s in river.sides) == sorted(expected)
    points = [river.curve.points(8) for river in water]
    for river, line in zip(water, points, strict=True):
        assert max(dist(a, b) for a, b in pairwise(line)) < 20, "no gap within a river"
        for a, b in river.sides:
            p, q = ground.ends(a, b)
            middle = ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
            assert min(dist(middle, x) for x in line) < 8, (a, b)
    for i, line in enumerate(points):
        for end in (line[0], line[-1]):
            near = [j for j, other in enumerate(points) if j != i and min(dist(end, x) for x in other) < 25]
            shared = [j for j in near if min(dist(end, x) for x in points[j]) > 6]
            assert not shared, "a tributary ends on the stream that it joins"


def test_ways_pass_through_every_step_and_bridge_all_water_they_may(scenario: Scenario) -> None:
    ground = HexField(scenario.map.grid)
    lines = ways(ground, scenario)
    for line in lines:
        points = line.curve.points(6)
        assert max(dist(a, b) for a, b in pairwise(points)) < 40
        for crossing in line.crossings.values():
            assert min(dist(crossing, p) for p in points) < 0.5
    drawn = {(kind, s) for kind in {x.kind for x in lines} for x in lines if x.kind == kind for s in x.crossings}
    for s, kinds in scenario.map.links.items():
        for kind in kinds:
            assert (kind, s) in drawn or ("road" in kinds and kind == "trail"), (kind, s)
    own = {b.side for b in scenario.map.bridge_list}
    assert len([x for x in spans(ground, scenario, lines) if x.bridge]) >= len(own)


def test_the_drawing_is_the_same_every_time(scenario: Scenario) -> None:
    assert board_svg(scenario, "en") == board_svg(scenario, "en")


def test_words_of_scenarios_are_escaped() -> None:
    svg = board_svg(little(), "en")
    assert "XII <Corps>" in texts(svg)
    assert "<Corps>" not in svg


def test_a_language_without_files_is_drawn_with_the_words_there_are() -> None:
    assert board_svg(little(), "xx").count("<text") == board_svg(little(), "en").count("<text") > 0


def test_a_ring_of_hexes_has_an_outer_line_and_a_hole() -> None:
    ground = HexField(HexGrid(5, 5))
    shapes = [closed_curve(n) for n in outlines(ground, ground.grid.neighbours["0303"], Coast("ring", 3, 2))]
    assert [len(group) for group in blobs(shapes)] == [2]


def test_unknown_terrain_and_lines_get_a_plain_style() -> None:
    scenario = little()
    known = scenario.tables.terrain["rough"]

    tables = scenario.tables.model_copy(update={"terrain": {**scenario.tables.terrain, "swamp": known}})
    game_map = replace(scenario.map, terrain={**scenario.map.terrain, "0806": ("swamp",)})
    assert "Swamp" in texts(board_svg(replace(scenario, tables=tables, map=game_map), "en"))


def test_a_network_gives_each_link_once_and_follows_the_best_pairs() -> None:
    links = [("a", "b"), ("b", "c"), ("b", "d")]
    net = Network(links, lambda node, i, j: 0 if {i, j} == {0, 2} else 5)
    lines = [[step.link for step in line] for line in net.chains()]
    assert sorted(i for line in lines for i in line) == [0, 1, 2]
    assert [0, 2] in lines or [2, 0] in lines


def test_a_network_closes_rings() -> None:
    links = [("a", "b"), ("b", "c"), ("a", "c")]
    net = Network(links, lambda node, i, j: 0)
    (line,) = net.chains()
    assert len(line) == 3
    assert net.is_ring(line)


def test_the_turn_track_says_what_the_weather_of_each_turn_is_or_what_decides_it() -> None:
    plain = little()
    first = plain.game.turns.first
    rows = ({"turns": (first, first), "shows": {"1-6": "frost"}}, {"shows": {"1-3": "frost", "4-6": "mud"}})
    die = WeatherDie(dice="1d6", rows=rows, section="1")
    game = plain.game.model_copy(update={"weather_die": die, "weather": {}})
    found = texts(board_svg(replace(plain, game=game), "en"))
    turns = game.turns.last - first
    assert (found.count("Frost"), found.count("1d6")) == (1, turns)
    assert "1d6" not in texts(board_svg(plain, "en"))
