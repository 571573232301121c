"""The terrain key of games with many movement classes: names keep their room."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

from hexforge.modulegen.render.board_panel import COLUMNS, NAME_GAP, NARROWEST, _column, _step, draw_key
from hexforge.modulegen.render.templates import words
from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Text

GAMES = Path(__file__).parents[1] / "games"


def test_columns_draw_together_before_names_shrink() -> None:
    widest = 60.0
    assert _step(3, widest) == COLUMNS["step"]
    step = _step(4, widest)
    assert NARROWEST <= step < COLUMNS["step"]
    assert _column(0, 4, step) - NAME_GAP - COLUMNS["name"] >= widest


def test_a_star_is_explained(tmp_path: Path) -> None:
    """A modifier that has no room in a cell, as one of mud alone, leads to the chart."""
    shutil.copytree(GAMES / "tolliver", folder := tmp_path / "tolliver")
    game = folder / "game.yaml"
    plain = load(folder)
    assert "See Terrain Effects" not in "".join(draw_key(plain, words(plain, "en")))
    old = "when: [{kind: hexside, hexsides: run}], what"
    new = "when: [{kind: hexside, hexsides: run}, {kind: turns, turns: [1, 2]}], what"
    text = game.read_text("utf-8")
    assert old in text
    game.write_text(text.replace(old, new), "utf-8")
    starred = load(folder)
    drawn = "".join(draw_key(starred, words(starred, "en")))
    assert ">*<" in drawn and "* See Terrain Effects." in drawn


def test_long_headings_keep_to_their_columns() -> None:
    game = load(GAMES / "tolliver")
    named = {f"movement_classes.{id_}": "Commonwealth motorised" for id_ in game.game.movement_classes}
    told = replace(game, texts={**game.texts, "en": Text("en", {**game.texts["en"].values, **named})})
    drawn = "".join(draw_key(told, words(told, "en")))
    found = re.findall(r'font-size="([\d.]+)" font-weight="500" text-anchor="middle"[^>]*>Commonwealth<', drawn)
    assert len(found) == 3 and all(float(size) < 15 for size in found)
