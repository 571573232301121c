"""Maps with a letter: the hexes of a whole game bear it in its files and in the sheets that are judged by them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from hexforge.modulegen.build import build
from hexforge.modulegen.build_key import Options
from hexforge.scenarios.commands import HOME
from hexforge.scenarios.loader import load
from hexforge.scenarios.text.hexgrid import HexGrid, column_row
from hexforge.scenarios.text.words import BadValueError
from hexforge.validator.app.cli import main
from hexforge.validator.judging.carried import sheet_as_log
from hexforge.validator.judging.check import check_file
from hexforge.validator.notation import games
from tests import starters

HEX = re.compile(r"(?<![\d.-])(\d{4})(?=[\s/.,\]:}\"-]|$)", re.MULTILINE)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter game, its map called B."""
    return lettered(tmp_path_factory.mktemp("lettered") / "lettered")


def lettered(folder: Path) -> Path:
    """The starter game in a folder, its map called B."""
    starters.write(folder)
    for path in [*folder.glob("*.yaml"), *folder.glob("examples/*.sheet")]:
        if not path.name.startswith("text"):
            text = re.sub(r"\bB(\d{4}-\d\d)\b", r"\1", HEX.sub(r"B\1", path.read_text("utf-8")))
            path.write_text(text.replace("grid: {", "grid: {letter: B, "), "utf-8")
    return folder


def test_a_lettered_game_is_judged_as_one_without(game: Path) -> None:
    assert load(game).warnings == ()
    answer = check_file(game / "examples" / "turn1.sheet")
    assert [f for f in answer.findings if f.severity != "info"] == []


@pytest.mark.parametrize(
    "way",
    [
        "b1208 b1108 B1007 b0907 B0806",
        "B1208-B0806",
        "B1208 -> B0806",
        "b1208-b1007-B0806",
        "B1208->B1108->B1007->B0907->B0806",
        "b1208\u2192b1108\u2192b1007\u2192b0907\u2192b0806",
        "B1208>B1108>B1007>B0907>B0806",
        "B1208=>B0806",
        "B1208, B1108,B1007, B0907,B0806",
        "de B1208 para B0806",
    ],
)
def test_hexes_are_written_as_people_do(game: Path, way: str) -> None:
    sheet = (game / "examples" / "turn1.sheet").read_text("utf-8")
    path = game / "examples" / "typed.sheet"
    path.write_text(sheet.replace("B1208 B1108 B1007 B0907 B0806", way), "utf-8")
    assert [f for f in check_file(path).findings if f.severity != "info"] == []
    path.unlink()


def test_a_hex_of_another_map_is_no_hex_of_this_one(game: Path) -> None:
    sheet = (game / "examples" / "turn1.sheet").read_text("utf-8")
    path = game / "examples" / "typed.sheet"
    for wrong in ("C1208", "1208"):
        path.write_text(sheet.replace("so-7-3 B1108", f"so-7-3 {wrong}"), "utf-8")
        assert [f for f in check_file(path).findings if f.severity != "info"] != []
    path.unlink()


def test_logs_of_a_lettered_game_are_written_and_read(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "_FOLDERS", {})
    module = build(game, Options(tmp_path / "lettered.vmod", jobs=1, cache=False)).path
    log = tmp_path / "turn1.vlog"
    sheet_as_log(game / "examples" / "turn1.sheet", log, module=str(module))
    done = CliRunner().invoke(main, ["check", str(log), "--game", str(game), "--lang", "en"])
    assert done.exit_code == 0, done.output
    assert "LEGAL" in done.output, done.output


def test_a_letter_changes_names_and_nothing_else() -> None:
    plain, lettered = HexGrid(6, 5, "odd"), HexGrid(6, 5, "odd", "B")
    assert lettered.hexes == tuple(f"B{h}" for h in plain.hexes)
    for a in plain.hexes:
        assert lettered.neighbours[f"B{a}"] == tuple(f"B{h}" for h in plain.neighbours[a])
        assert lettered.center(f"B{a}") == plain.center(a)
    assert lettered.run("B0102", "B0502") == tuple(f"B{h}" for h in plain.run("0102", "0502"))
    for name in ("north", "south", "east", "west"):
        assert lettered.edge(name) == tuple(f"B{h}" for h in plain.edge(name))
    with pytest.raises(BadValueError):
        lettered.run("B0102", "A0502")
    for wrong in ("b0102", "BB0102", "B102", "0-02", "B01O2"):
        with pytest.raises(BadValueError):
            column_row(wrong)


def test_games_without_a_letter_read_none() -> None:
    assert load(HOME / "hurtgen").map.grid.letter == ""
