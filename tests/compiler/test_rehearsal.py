"""Whatever `modulegen check` passes can be built, and what cannot be built it names."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.modulegen.build import obstacles
from hexforge.modulegen.cli import main
from hexforge.scenarios import load
from tests import starters


@pytest.fixture
def game(tmp_path: Path) -> Path:
    starters.write(tmp_path / "mygame")
    return tmp_path / "mygame"


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def checked(game: Path) -> str:
    result = CliRunner().invoke(main, ["check", "-q", str(game)])
    assert result.exit_code == 1, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.output


def test_a_sound_game_has_no_obstacles(game: Path) -> None:
    assert obstacles(load(game)) == []


def test_a_symbol_that_is_not_there_is_named_where_it_stands(game: Path) -> None:
    types = "unit_types:\n  infantry: {symbol: infantery}\n  mechanized_infantry: {symbol: ../../x}\n"
    edit(game / "game.yaml", "family: somnium\n", f"family: somnium\n{types}")
    said = checked(game)
    assert ".symbol: " in said and "infantery" in said and "../../x" in said


def test_a_palette_that_is_not_there_is_named_where_it_stands(game: Path) -> None:
    text = (game / "game.yaml").read_text("utf-8")
    palette = text.split("counter: ")[1].split("}")[0].split("\n")[0].strip()
    edit(game / "game.yaml", f"counter: {palette}", f"counter: no-{palette}")
    assert ".counter" in checked(game)


def test_what_nobody_foresaw_is_named_too(game: Path) -> None:
    module = (game / "text.en.yaml").read_text("utf-8")
    (game / "text.en.yaml").write_text(
        module + '\nmodule:\n  button.turn: "{0.x}"\n  report.air: "{nothing}"\n', "utf-8"
    )
    found = obstacles(load(game))
    built = CliRunner().invoke(main, ["build", str(game), "--lang", "en", "--out", str(game / "out")])
    assert bool(found) == (built.exit_code != 0)


@pytest.mark.foreign
def test_games_that_once_passed_and_could_not_be_built(shared_data: Path) -> None:
    assert "infantery" in checked(shared_data / "defects/check-misses")


def test_a_game_without_any_back_is_built(tmp_path: Path) -> None:
    """Nobody loses a step there: neither layers nor keys for it are in the module."""
    folder = tmp_path / "one-sided"
    shutil.copytree(Path(__file__).parents[1] / "games" / "saltway", folder)
    counters = folder / "counters.csv"
    rows = [line.split(",") for line in counters.read_text("utf-8").splitlines()]
    kept = [i for i, column in enumerate(rows[0]) if "reduced" not in column]
    counters.write_text("".join(",".join(row[i] for i in kept) + "\n" for row in rows), "utf-8")
    game = folder / "game.yaml"
    game.write_text(game.read_text("utf-8").replace("rules:\n", "rules:\n  unknown_back: null\n", 1), "utf-8")
    assert obstacles(load(folder)) == []
