"""What the author of a game of his own is told: names and figures that no rule could ever use."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.modulegen.cli import main

HOME = Path(__file__).parent / "saltway"
MISTAKES = {
    "odds that are never reached": (
        "tables.yaml",
        "columns: [1-3, 1-2",
        "columns: [one-3, 1-2",
        "'one-3' is never reached",
    ),
    "columns that fall": ("tables.yaml", "3-1, 5-1]", "5-1, 3-1]", "'3-1' does not rise"),
    "a result that nobody knows": ("tables.yaml", "[DVI AE, DVI AE", "[DVI XX, DVI AE", "'XX' is no result"),
    "a ruling that nobody knows": ("game.yaml", "  inverse_rounding:", "  inverse_roundin:", "no ruling that can"),
    "a choice that nobody knows": (
        "game.yaml",
        "truncate ceil",
        "truncate up ceil",
        "'up' is none of truncate, ceil",
    ),
    "a default that is no choice": (
        "game.yaml",
        "default: ceil",
        "default: floor",
        "'floor' is none of its choices",
    ),
    "aircraft without a table": (
        "game.yaml",
        "    line_side: {",
        "    air: {side: crown, least: 1, most: 2}\n    line_side: {",
        "has no `bombardment`",
    ),
    "a language that is no code": ("game.yaml", "languages: [en]", "languages: [../en]", "languages.0"),
    "a language without texts": (
        "game.yaml",
        "languages: [en]",
        "languages: [en, xx]",
        "languages.1: there is no text.xx.yaml",
    ),
    "a column that is no language's name": ("counters.csv", "name_en", "name_English", "name_English"),
    "a counter without a name": ("counters.csv", "Guard Pikes", "", "no name in the column name_en"),
    "counters without a column of names": ("counters.csv", "name_en", "name_xx", "no name in the column name_en"),
    "terrain without effects": ("map.yaml", '"o": orchard', '"o": orchards', "'orchards' has no effects"),
    "a rule about no terrain": (
        "game.yaml",
        "silent_terrain: marsh",
        "silent_terrain: bog",
        "'bog' has no effects",
    ),
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(HOME, tmp_path / "saltway")
    return tmp_path / "saltway"


def checked_with_slip(folder: Path, file: str, old: str, new: str) -> tuple[int, str]:
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    done = CliRunner().invoke(main, ["check", str(folder)])
    return done.exit_code, done.output


@pytest.mark.parametrize(("file", "old", "new", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told(copy: Path, file: str, old: str, new: str, said: str) -> None:
    status, output = checked_with_slip(copy, file, old, new)
    assert status in (1, 2)
    assert said in output
    assert file in output


def test_ground_without_a_look_is_a_warning(copy: Path) -> None:
    status, output = checked_with_slip(copy, "map.yaml", "{steppe: open, ", "{")
    assert status == 0
    assert "'steppe' has no style of its own; name one, such as open, town" in output
