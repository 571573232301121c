"""Charts: complete, legible, true to the tables."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from hexforge import scenarios
from hexforge.modulegen.render.charts import chart, charts
from hexforge.modulegen.render.ground_words import effect_words, limit_words, sign
from hexforge.modulegen.render.raster import rasterise, text_width
from hexforge.modulegen.render.templates import halves_words, words
from hexforge.scenarios.model import Scenario, Text
from tests.render.pictures import assert_like_snapshot, image

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module", params=scenarios.names())
def game(request: pytest.FixtureRequest) -> Scenario:
    return scenarios.load(request.param, strict=False)


@pytest.fixture(scope="module")
def hurtgen() -> Scenario:
    return scenarios.load("hurtgen", strict=False)


def _texts(svg: str) -> list[str]:
    return [e.text or "" for e in etree.fromstring(svg).iter(f"{SVG}text")]


def _extent(e: etree._Element) -> tuple[float, float, float]:
    x, y = float(e.get("x", "0")), float(e.get("y", "0"))
    family = e.get("font-family", "")
    width = text_width(
        e.text or "",
        float(e.get("font-size", "0")),
        family,
        int(e.get("font-weight", "400")),
        e.get("font-style", "normal"),
    )
    left = {"start": x, "middle": x - width / 2, "end": x - width}[e.get("text-anchor", "start")]
    return left, left + width, y


def test_every_chart_of_every_game_in_every_language_keeps_its_texts_in_their_boxes(game: Scenario) -> None:
    for language in game.texts:
        for id_ in charts(game):
            drawn = chart(game, id_, language)
            root = etree.fromstring(drawn.svg)
            boxes = [
                tuple(float(r.get(k, "0")) for k in ("x", "y", "width", "height"))
                for r in root.findall(f"{SVG}rect")
                if r.get("fill") != "none" and r.get("x")
            ]
            for e in root.findall(f"{SVG}text"):
                left, right, y = _extent(e)
                where = (game.name, id_, language, e.text)
                assert left >= 10 and right <= drawn.width - 10 and 10 < y < drawn.height - 8, where
                middle = (left + right) / 2
                around = [b for b in boxes if b[0] <= middle <= b[0] + b[2] and b[1] <= y - 4 <= b[1] + b[3]]
                if around:
                    x, top, width, height = min(around, key=lambda b: b[2] * b[3])
                    assert left >= x - 0.6 and right <= x + width + 0.6, where
                    assert top < y < top + height, where


def test_texts_of_a_chart_do_not_lie_on_each_other(game: Scenario) -> None:
    for id_ in charts(game):
        root = etree.fromstring(chart(game, id_, "pt").svg)
        placed: list[tuple[float, float, float, float, str]] = []
        for e in root.findall(f"{SVG}text"):
            left, right, y = _extent(e)
            top = y - float(e.get("font-size", "0")) * 0.7
            for l2, r2, t2, b2, other in placed:
                assert right <= l2 or left >= r2 or y <= t2 or top >= b2, (game.name, id_, e.text, other)
            placed.append((left, right, top, y, e.text or ""))


def test_the_combat_chart_holds_every_cell_of_the_table(game: Scenario) -> None:
    table = game.tables.crt
    expected = Counter(code for cells in table.rows.values() for cell in cells for code in cell.split())
    texts = Counter(_texts(chart(game, "crt", "en").svg))
    for code, count in expected.items():
        assert texts[code] == count + 1, "each cell, and once in the list of results"
    for column in table.columns:
        assert texts[column.replace("-", "–")] == 1


def test_every_result_is_explained_in_every_language(game: Scenario) -> None:
    for table in filter(None, (game.tables.crt, game.tables.bombardment)):
        codes = {code for cells in table.rows.values() for cell in cells for code in cell.split()}
        for language in game.texts:
            assert codes <= set(words(game, language).section("results"))


def test_languages_have_the_same_keys(game: Scenario) -> None:
    keys = {language: set(text.values) for language, text in game.texts.items()}
    assert keys["pt"] == keys["en"]


def test_words_of_tables_are_there_in_every_language(game: Scenario) -> None:
    needed = [f"terrain.{t}" for t in game.tables.terrain] + [f"hexsides.{h}" for h in game.tables.hexsides]
    needed += [f"ways.{w}" for w in game.tables.ways] + [f"unit_types.{u}" for u in game.game.unit_types]
    needed += [f"sides.{s.id}" for s in game.game.sides] + [f"weather.{w}" for w in game.game.weather]
    needed += [f"movement_classes.{m}" for m in game.game.movement_classes]
    for text in game.texts.values():
        assert [k for k in needed if not text.get(k)] == []


@pytest.mark.parametrize(("halves", "words"), [(0, "0"), (1, "½"), (2, "1"), (3, "1½"), (14, "7")])
def test_costs_are_printed_in_halves(halves: int, words: str) -> None:
    assert halves_words(halves) == words


def test_terrain_chart_says_who_is_barred(hurtgen: Scenario) -> None:
    joined = " ".join(_texts(chart(hurtgen, "terrain", "pt").svg))
    assert "3*" in joined
    assert "Proibido para: blindados, caça-tanques, cavalaria mecanizada." in joined
    assert "½" in joined


def test_weather_splits_the_costs() -> None:
    bastogne = scenarios.load("bastogne", strict=False)
    texts = _texts(chart(bastogne, "terrain", "en").svg)
    assert texts.count("Bad") == texts.count("Good") == 2
    assert "7" in texts and "5" in texts


def test_turn_record_has_every_turn(game: Scenario) -> None:
    texts = _texts(chart(game, "turns", "pt").svg)
    for turn in range(game.game.turns.first, game.game.turns.last + 1):
        assert str(turn) in texts


def test_victory_chart_has_every_objective(game: Scenario) -> None:
    joined = " ".join(_texts(chart(game, "victory", "pt").svg))
    for objective in game.victory.objectives:
        for place in objective.place:
            assert (game.texts["pt"].get(f"places.{place}") or game.map.place[place].name) in joined


def test_scale_changes_pixels_and_nothing_else(hurtgen: Scenario) -> None:
    one, two = chart(hurtgen, "air", "pt"), chart(hurtgen, "air", "pt", 2)
    assert abs(two.width - 2 * one.width) <= 1
    assert _texts(one.svg) == _texts(two.svg)
    assert chart(hurtgen, "air", "pt") == chart(hurtgen, "air", "pt")


def test_words_are_escaped(hurtgen: Scenario) -> None:
    text = hurtgen.texts["pt"]
    odd = Text("pt", {**text.values, "charts.air.points": "<b>&amp;", "title.name": "A & B"})
    assert "<b>&amp;" in _texts(chart(replace(hurtgen, texts={"pt": odd}), "air", "pt").svg)


def test_a_game_without_words_of_its_own_still_has_charts(game: Scenario) -> None:
    for language in ("pt", "en"):
        bare = replace(game, texts={language: Text(language, {})})
        for id_ in charts(bare):
            assert chart(bare, id_, language).title


def test_a_game_can_say_it_otherwise(hurtgen: Scenario) -> None:
    text = hurtgen.texts["pt"]
    odd = Text("pt", {**text.values, "charts.air.title": "Céus"})
    assert chart(replace(hurtgen, texts={"pt": odd}), "air", "pt").title == "Céus"


def test_a_language_that_the_game_has_not_has_the_words_of_all_games_and_else_its_first(
    hurtgen: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "charts.fr.yaml").write_text("charts: {air: {title: Aviation}}\n", "utf-8")
    monkeypatch.setenv("HEXFORGE_WORDS", str(tmp_path))
    assert hurtgen.game.languages[0] == "pt"
    assert chart(hurtgen, "air", "fr").title == "Aviation"
    text = words(hurtgen, "fr")
    assert text.get("charts.crt.tab") == "Combat"
    assert text.get("weather.bad") == hurtgen.texts["pt"].get("weather.bad") != ""
    assert text.get("module.window.charts") == "Tables"


def test_charts_look_as_they_did(hurtgen: Scenario) -> None:
    assert_like_snapshot(image(rasterise(chart(hurtgen, "bombardment", "pt").svg)), "chart_bombardment")
    assert_like_snapshot(image(rasterise(chart(hurtgen, "crt", "en", 0.6).svg)).crop((0, 0, 440, 280)), "chart_crt")


def test_footnotes_speak_of_what_the_game_has() -> None:
    """No shifts are explained where the ground has none, no river where none shifts, and one die is no dice."""
    home = Path(__file__).parents[1] / "games"
    moor, salt = (scenarios.load(home / name) for name in ("fallowmoor", "saltway"))
    ground = {s.name: str(chart(s, "terrain", "en")) for s in (moor, salt)}
    assert "Columns shift" not in ground["fallowmoor"]
    assert "that of stream among them" in " ".join(re.findall(r">([^<]+)</text>", ground["saltway"]))
    assert "river" not in ground["saltway"].lower()
    assert ">Die<" in str(chart(moor, "crt", "en"))
    assert ">Dice<" in str(chart(salt, "crt", "en"))


def test_the_terrain_chart_says_what_modifiers_make_of_the_ground() -> None:
    def told(game: str, kind: str, id_: str) -> tuple[str, str]:
        scenario = scenarios.load(Path(__file__).parents[1] / "games" / game)
        return "; ".join(effect_words(scenario, words(scenario, "en"), kind, id_)), sign(scenario, kind, id_, 0)

    assert told("mirefield", "terrain", "pinewood") == ("attack ×½ (Tanks)", "×½")
    assert told("fallowmoor", "terrain", "village") == ("defence ×2", "×2")
    assert told("fallowmoor", "terrain", "wood") == ("no attack (Horse)", "*")
    assert told("longridge", "terrain", "wood") == ("no attack (Guns; from afar alone)", "*")
    assert told("ashvale", "terrain", "forest") == ("← 1 column", "−1")
    assert told("ashvale", "hexsides", "river") == ("die −1", "(−1)")
    assert told("ashvale", "terrain", "plain") == ("", "")


def test_charts_say_what_lies_beyond_the_table_what_hangs_on_no_ground_and_how_a_game_ends_at_once() -> None:
    games = Path(__file__).parents[1] / "games"
    ashvale, lowmarch = (scenarios.load(games / name, strict=False) for name in ("ashvale", "lowmarch"))
    fallowmoor = scenarios.load(games / "fallowmoor", strict=False)
    assert any(
        said.startswith("Below –3") and said.endswith("there is no attack.")
        for said in _texts(chart(ashvale, "crt", "en").svg)
    )
    assert "Other modifiers" in _texts(chart(fallowmoor, "crt", "en").svg)
    assert any(
        said.startswith("Foot and horse together: → 1") for said in _texts(chart(fallowmoor, "crt", "en").svg)
    )
    assert any("at once: holds Ford" in said for said in _texts(chart(lowmarch, "victory", "en").svg))
    assert any("divided by 2" in said for said in _texts(chart(lowmarch, "sequence", "en").svg))


def test_charts_say_how_far_modifiers_go_together() -> None:
    def told(game: str, language: str) -> list[str]:
        scenario = scenarios.load(Path(__file__).parents[1] / "games" / game, strict=False)
        return list(limit_words(scenario, words(scenario, language)))

    assert told("sallow", "en") == ["The trench, cover, the hedge: together 2 at most, either way."]
    assert told("tolliver", "en")[-1] == "All that is added to the dice comes to 2 at most, either way."
    assert "best" not in " ".join(told("tolliver", "pt"))
    sallow = scenarios.load(Path(__file__).parents[1] / "games" / "sallow")
    shown = _texts(chart(sallow, "crt", "en").svg)
    assert any("together 2 at most" in said for said in shown)
    assert any(said.endswith("Attacker first.") or "Attacker first." in said for said in shown)


def test_fire_is_called_neutrally_where_nobody_flies_and_as_the_game_says(hurtgen: Scenario) -> None:
    """A game of bows has no bombardment; one with aircraft has, and a text of the game goes before either."""
    game = scenarios.load(Path(__file__).parents[1] / "games" / "tolliver")
    assert chart(game, "bombardment", "en").title == "Fire Table"
    assert chart(game, "vulnerability", "pt").title == "Alvos do Tiro"
    assert chart(hurtgen, "bombardment", "en").title == "Bombardment Table"
    named = {**game.texts["en"].values, "charts.bombardment.title": "Volleys"}
    told = replace(game, texts={**game.texts, "en": Text("en", named)})
    assert chart(told, "bombardment", "en").title == "Volleys"


def test_charts_say_who_leads_and_where_a_formation_stands() -> None:
    harrow = scenarios.load(Path(__file__).parents[1] / "games" / "harrow")
    told = " ".join(_texts(chart(harrow, "crt", "en").svg))
    assert "No general near: attack ×½ (Troops; not within 4 of: General)" in told
    assert "The general: die −1 (attackers: within 1 of: General)" in told
    assert "attackers: 3 or more, Guns" in told
    assert "3 units or more, in one hex" in told
    assert "← 1 column (not in overruns)" in _texts(chart(harrow, "terrain", "en").svg)
    assert any("nobody comes on the map" in said for said in _texts(chart(harrow, "sequence", "en").svg))


def test_phases_stand_in_columns() -> None:
    """However long the words of a phase: bars below each other begin and end level."""
    corrick = scenarios.load(Path(__file__).parents[1] / "games" / "corrick")
    bars = etree.fromstring(chart(corrick, "sequence", "en").svg).iterfind(f"{SVG}rect[@height='34']")
    columns = Counter((bar.get("x"), bar.get("width")) for bar in bars)
    assert list(columns.values()) == [3, 3]
    assert len({width for _, width in columns}) == 1
