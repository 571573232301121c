"""Markers and icons."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest

from hexforge import scenarios
from hexforge.modulegen.render.counters import LEAST_SIZE, SIZE
from hexforge.modulegen.render.markers import (
    icon_svg,
    icons,
    lettering,
    letters,
    marker_name,
    marker_png,
    marker_svg,
)
from hexforge.modulegen.render.raster import RenderError, rasterise
from hexforge.modulegen.render.templates import words
from hexforge.scenarios.model import Scenario, markers
from tests.render.pictures import assert_like_snapshot, image, row

GAMES = Path(__file__).parents[1] / "games"


@pytest.fixture(scope="module", params=scenarios.names())
def game(request: pytest.FixtureRequest) -> Scenario:
    return scenarios.load(request.param, strict=False)


def test_every_marker_draws_and_has_a_name_in_each_language(game: Scenario) -> None:
    for marker in markers(game):
        for face in marker.faces:
            for language in game.texts:
                text = words(game, language)
                name = marker_name(game, face, language)
                assert name and "{" not in name
                kind = "control" if face.startswith("control_") else face
                assert text.get(f"markers.{kind}") and text.get(f"markers_short.{kind}"), face
                caption, large = lettering(text, face)
                assert caption.width <= 80.5 and caption.size >= LEAST_SIZE
                assert not caption.text.endswith("."), "cut short"
                assert large.text == ""
            assert image(marker_png(game, face, "pt")).size == (SIZE, SIZE)


def test_markers_follow_from_what_a_game_has() -> None:
    ids = {n: {m.id for m in markers(scenarios.load(n, strict=False))} for n in ("hurtgen", "bastogne", "metz")}
    assert "clearing" in ids["hurtgen"] and "clearing" not in ids["metz"]
    assert "weather" in ids["bastogne"] and "weather" not in ids["hurtgen"]
    assert "air_x10" in ids["metz"] and "air_x10" not in ids["hurtgen"]
    assert "bridge" in ids["metz"]


def test_control_markers_wear_the_colours_of_their_side(game: Scenario) -> None:
    first, second = (image(marker_png(game, f"control_{s.id}", "en")) for s in game.game.sides)
    assert first.getpixel((10, 60)) != second.getpixel((10, 60))


def test_icons_are_small_pictures_on_nothing() -> None:
    from PIL import Image

    assert {"dice_1", "dice_2", "charts", "setup", "oob", "turn", "notes", "overview", "los", "zoom"} <= set(
        icons()
    )
    for name in icons():
        picture = Image.open(io.BytesIO(rasterise(icon_svg(name, size=20))))
        assert picture.size == (20, 20)
        low, high = picture.getchannel("A").getextrema()
        assert low == 0 and high > 200
    with pytest.raises(RenderError, match="teapot"):
        icon_svg("teapot")


def test_markers_look_as_they_did() -> None:
    game = scenarios.load("bastogne", strict=False)
    assert_like_snapshot(row([image(marker_png(game, f, "pt")) for m in markers(game) for f in m.faces]), "markers")


@pytest.mark.parametrize(
    ("name", "has", "lacks"),
    [
        # no duty and nobody surrounded, but contact is broken for points, guns fire, and units may lack supply
        ("karst", {"must_attack", "fired", "out_of_supply"}, {"surrounded"}),
        # everybody attacks who is next to an enemy, and nobody leaves him
        ("fallowmoor", {"must_attack", "fired"}, {"surrounded", "out_of_supply", "weather"}),
    ],
)
def test_a_game_has_no_marker_that_none_of_its_rules_knows(name: str, has: set[str], lacks: set[str]) -> None:
    found = {m.id: m.faces for m in markers(scenarios.load(GAMES / name, strict=False))}
    assert has <= found.keys() and lacks.isdisjoint(found)
    assert found["must_attack"] == (("disengaged",) if name == "karst" else ("must_attack",))


def test_each_weather_has_a_picture_of_its_own_and_none_is_the_turn() -> None:
    karst = scenarios.load(GAMES / "karst", strict=False)
    faces = [f"weather_{weather}" for weather in karst.game.weathers]
    drawn = {marker_png(karst, face, "en") for face in (*faces, "weather_sandstorm", "turn")}
    assert len(drawn) == len(faces) + 2


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("sallow", {"mark_dug-in": "Dug in", "mark_reserve": "In reserve", "mark_locked": "Engaged"}),
        ("karst", {"mark_shocked": "Shocked", "mark_isolated": "Isolated"}),
        ("longridge", {"mark_dug-in": "Dug in", "mark_winded": "Winded", "mark_shaken": "Shaken"}),
        ("mirefield", {}),
    ],
)
def test_units_in_a_state_of_the_game_s_own_have_a_marker_for_it(name: str, shown: dict[str, str]) -> None:
    """One for each mark that a result, a player or a stage of supply gives, by the game's word for it."""
    game = scenarios.load(GAMES / name, strict=False)
    faces = [face for marker in markers(game) for face in marker.faces if face.startswith("mark_")]
    assert {face: marker_name(game, face, "en") for face in faces} == shown
    for face in faces:
        caption, _ = lettering(words(game, "en"), face)
        assert caption.text == shown[face].upper()


def test_each_mark_of_a_game_s_own_has_letters_of_its_name_on_its_face(tmp_path: Path) -> None:
    """By their pictures alone, whatever the captions say; a picture that the game brings has none."""
    home = tmp_path / "sallow"
    shutil.copytree(GAMES / "sallow", home)
    said = (home / "text.en.yaml").read_text("utf-8")
    assert "reserve: in reserve" in said
    (home / "text.en.yaml").write_text(said.replace("reserve: in reserve", "reserve: engine"), "utf-8")
    game = scenarios.load(home, strict=False)
    assert letters(game, "en") == {"mark_locked": "E", "mark_dug-in": "DI", "mark_reserve": "EN"}
    drawn = {face: marker_svg(game, face, "en") for face in letters(game, "en")}
    assert all(f">{told}</text>" in drawn[face] for face, told in letters(game, "en").items())
    (home / "looks" / "markers").mkdir(parents=True)
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 48"><path d="M0 0H9"/></svg>'
    (home / "looks" / "markers" / "mark_locked.svg").write_text(picture, "utf-8")
    assert ">E</text>" not in marker_svg(scenarios.load(home, strict=False), "mark_locked", "en")
