"""Faces of counters: what they say, that it fits, and that they look as they should."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from PIL import Image, ImageFont

from hexforge import scenarios
from hexforge.modulegen.render.counters import (
    LEAST_SIZE,
    SIZE,
    colours,
    counter_png,
    counter_svg,
    faces,
    fit,
    formation_tints,
    labels,
    lettering,
)
from hexforge.modulegen.render.raster import RenderError, font_folder
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.schema.setup import CounterRow as Counter
from tests.render.pictures import assert_like_snapshot, difference, image, row

GAMES = scenarios.names()


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> Scenario:
    return scenarios.load(request.param, strict=False)


@pytest.fixture(scope="module")
def hurtgen() -> Scenario:
    return scenarios.load("hurtgen", strict=False)


def measured(text: str, size: float) -> float:
    """Length of a text by the font's own metrics, not by the program's."""
    font = ImageFont.truetype(str(font_folder() / "FiraSansCondensed-Bold.ttf"), 200)
    return font.getlength(text) * size / 200


def test_no_text_of_any_counter_leaves_its_place(game: Scenario) -> None:
    for counter in game.counters.values():
        for face in faces(counter):
            words = lettering(counter, game, face)
            room = {
                "mark": 42.0,
                "left": 56.0,
                "right": 46.0 if counter.range is not None else 56.0,
                "range": 19.0,
                "figures": 91.0,
            }
            for place, length in room.items():
                fitted = getattr(words, place)
                assert measured(fitted.text, fitted.size) <= length + 0.5, (counter.id, place, fitted)


def test_no_text_of_any_counter_is_cut_or_too_small(game: Scenario) -> None:
    for counter in game.counters.values():
        words = lettering(counter, game)
        assert (words.left.text, words.right.text) == labels(counter, game)
        for fitted in (words.mark, words.left, words.right, words.range, words.figures):
            assert fitted.size >= LEAST_SIZE


def test_mark_of_size_and_range_do_not_touch(game: Scenario) -> None:
    for counter in game.counters.values():
        words = lettering(counter, game)
        if words.range.text:
            assert 50 + words.mark.width / 2 < 82 - words.range.width / 2, counter.id


def test_the_front_tells_the_row(game: Scenario) -> None:
    for counter in game.counters.values():
        words = lettering(counter, game)
        assert words.figures.text == f"{counter.attack}-{counter.defence}-{counter.move}"
        assert words.mark.text == counter.size
        assert words.range.text == ("" if counter.range is None else str(counter.range))


def test_the_back_reduces_combat_and_not_movement(game: Scenario) -> None:
    for counter in game.counters.values():
        if "reduced" in faces(counter):
            expected = f"{counter.reduced_attack}-{counter.reduced_defence}-{counter.move}"
            assert lettering(counter, game, "reduced").figures.text == expected


@pytest.mark.parametrize(
    ("name", "id_", "expected"),
    [
        ("hurtgen", "us-109-1", ("1/109", "28")),
        ("hurtgen", "us-893-td", ("893", "V")),
        ("hurtgen", "us-28-art-3", ("3", "28")),
        ("hurtgen", "ge-luft-2", ("2", "Luft")),
        ("hurtgen", "ge-89-fus", ("Fus", "89")),
        ("hurtgen", "ge-116pz-eng", ("", "116")),
        ("bastogne", "us-9ad-ccr-tank", ("CCR", "9 AD")),
        ("bastogne", "ge-vk766-4", ("4", "VK 766")),
        ("bastogne", "ge-115-tank", ("115", "15 PzGr")),
        ("metz", "us-357", ("357", "90")),
        ("metz", "ge-ss-37", ("37", "17 SS")),
        ("metz", "ge-saarbrucken-art", ("Saarbrücken", "")),
        ("metz", "us-2gcav", ("2 GCav", "XII")),
    ],
)
def test_identification(name: str, id_: str, expected: tuple[str, str]) -> None:
    game = scenarios.load(name, strict=False)
    assert labels(game.counters[id_], game) == expected


def test_a_counter_prints_the_label_that_it_is_given(hurtgen: Scenario) -> None:
    unit = hurtgen.counters["us-109-1"]
    named = unit.model_copy(update={"label": "Rudder 2"})
    assert labels(named, hurtgen) == ("Rudder 2", labels(unit, hurtgen)[1])
    assert ">Rudder 2</text>" in counter_svg(named, hurtgen)


@pytest.mark.parametrize(
    ("token", "name", "left"),
    [
        ("kdg", "King's Dragoon Guards", "KDG"),
        ("kdg", "Kings dragoon guards", "Kdg"),
        ("lg", "The Long Guns", "LG"),
    ],
)
def test_initials_of_a_name_are_capitals(hurtgen: Scenario, token: str, name: str, left: str) -> None:
    plain = {"id": f"us-{token}", "names": {"en": name}, "regiment": "", "division": "", "corps": ""}
    assert labels(hurtgen.counters["us-109-1"].model_copy(update=plain), hurtgen) == (left, "")


def test_alike_units_of_a_formation_can_be_told_apart(game: Scenario) -> None:
    seen: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for c in game.counters.values():
        words = lettering(c, game)
        tied = (c.side, c.branch, c.type, words.left.text, words.right.text, words.figures.text, words.range.text)
        seen[tied].append(c.id)
    assert [ids for ids in seen.values() if len(ids) > 1] == []


def test_fit_shrinks_before_it_cuts() -> None:
    assert fit("28", 50, 16).size == 16
    shrunk = fit("Saarbrücken", 50, 16)
    assert LEAST_SIZE <= shrunk.size < 16
    assert shrunk.text == "Saarbrücken"
    cut = fit("Generalfeldmarschallswache", 56, 16)
    assert cut.text.startswith("General")
    assert cut.text.endswith(".")
    assert measured(cut.text, cut.size) <= 56


def test_same_bytes_each_time_and_in_another_process(hurtgen: Scenario) -> None:
    counter = hurtgen.counters["ge-luft-1"]
    here = counter_png(counter, hurtgen)
    assert counter_png(counter, hurtgen) == here
    code = (
        "import hashlib; from hexforge import scenarios;"
        "from hexforge.modulegen.render.counters import counter_png;"
        "s = scenarios.load('hurtgen', strict=False);"
        "print(hashlib.sha256(counter_png(s.counters['ge-luft-1'], s)).hexdigest())"
    )

    other = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert other.stdout.strip() == hashlib.sha256(here).hexdigest()


@pytest.mark.parametrize("scale", [0.6, 1, 2])
def test_size_follows_the_scale(hurtgen: Scenario, scale: float) -> None:
    picture = image(counter_png(hurtgen.counters["us-109-1"], hurtgen, scale=scale))
    assert picture.size == (round(SIZE * scale), round(SIZE * scale))


@pytest.mark.parametrize("scale", [0, -1, 17])
def test_absurd_scales_are_refused(hurtgen: Scenario, scale: float) -> None:
    with pytest.raises(ValueError, match="scale"):
        counter_svg(hurtgen.counters["us-109-1"], hurtgen, scale=scale)


def _card_colour(counter: Counter, scenario: Scenario) -> tuple[int, int, int]:
    pixel = image(counter_png(counter, scenario, scale=2)).getpixel((8, 2 * SIZE - 40))
    assert isinstance(pixel, tuple)
    return pixel[0], pixel[1], pixel[2]


def test_sides_have_the_colours_of_the_rulebooks() -> None:
    bastogne = scenarios.load("bastogne", strict=False)
    red, green, blue = _card_colour(bastogne.counters["us-28-tank"], bastogne)
    assert red > 200 and green > 170 and blue < 130, "American counters are yellow"
    red, green, blue = _card_colour(bastogne.counters["ge-39-1"], bastogne)
    assert max(red, green, blue) - min(red, green, blue) < 16 and 120 < green < 200, "German counters are grey"
    assert max(_card_colour(bastogne.counters["ge-ss-10art-1"], bastogne)) < 60, "Waffen-SS counters are black"


def test_front_and_back_differ_in_colour_and_in_grey(game: Scenario) -> None:
    for palette in {b.counter for s in game.game.sides for b in s.branches.values()}:
        counter = next(
            (
                c
                for c in game.counters.values()
                if game.side(c.side).branches[c.branch].counter == palette and "reduced" in faces(c)
            ),
            None,
        )
        if counter is not None:
            front, back = (image(counter_png(counter, game, f)) for f in ("full", "reduced"))
            assert difference(front, back) > 20
            assert difference(front.convert("L").convert("RGB"), back.convert("L").convert("RGB")) > 20


def test_a_division_has_one_tint_and_neighbours_another(hurtgen: Scenario) -> None:
    tints = formation_tints(hurtgen)
    assert tints["american", "28"] != tints["american", "4"]
    assert {d for s, d in tints if s == "german"} == {"89", "272", "275", "116"}

    def paper(id_: str) -> object:
        return image(counter_png(hurtgen.counters[id_], hurtgen, scale=2)).getpixel((SIZE, 46))

    assert paper("us-109-2") == paper("us-112-3") != paper("us-12-2")


def test_a_counter_of_one_step_has_one_face(hurtgen: Scenario) -> None:
    single = hurtgen.counters["us-109-1"].model_copy(update={"reduced_attack": None, "reduced_defence": None})
    assert faces(single) == ("full",)
    with pytest.raises(ValueError, match="us-109-1"):
        counter_png(single, hurtgen, "reduced")


def test_a_counter_has_a_face_for_each_step(hurtgen: Scenario) -> None:
    unit = hurtgen.counters["us-109-1"]
    deep = unit.model_copy(update={"further": ((1, 2), (0, 1))})
    assert faces(deep) == ("full", "reduced", "reduced-2", "reduced-3")
    assert lettering(deep, hurtgen, "reduced-3").figures.text == f"0-1-{unit.move}"
    stripes = [counter_svg(deep, hurtgen, face).count('fill="#') for face in faces(deep)]
    assert stripes == sorted(set(stripes))


def test_who_was_never_tried_shows_no_strength() -> None:
    """Levies of `rules.untried` print question marks on each face, and still how far they move."""
    game = scenarios.load(Path(__file__).parents[1] / "games" / "thornmere")
    levy, guard = game.counters["ro-lev-1"], game.counters["ro-gua-1"]
    assert [lettering(levy, game, face).figures.text for face in faces(levy)] == ["?-?-3", "?-?-3"]
    assert lettering(guard, game).figures.text == "4-4-4"


def test_an_unknown_palette_is_named_with_those_there_are() -> None:
    with pytest.raises(RenderError, match=r"'martian'.*american, german, ss"):
        colours("martian")


def test_names_are_escaped(hurtgen: Scenario) -> None:
    odd = hurtgen.counters["us-109-1"].model_copy(update={"division": "<&>"})
    assert "&lt;&amp;&gt;" in counter_svg(odd, hurtgen)
    assert image(counter_png(odd, hurtgen)).size == (SIZE, SIZE)


def test_counters_look_as_they_did(hurtgen: Scenario) -> None:
    chosen = [
        "us-109-1",
        "us-28-art-1",
        "us-893-td",
        "us-86-mort",
        "ge-16-1",
        "ge-luft-1",
        "ge-fort-1",
        "ge-1023-1",
    ]
    pictures: list[Image.Image] = []
    for id_ in chosen:
        pictures += [image(counter_png(hurtgen.counters[id_], hurtgen, f)) for f in ("full", "reduced")]
    assert_like_snapshot(row(pictures), "counters")
