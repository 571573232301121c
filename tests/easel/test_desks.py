"""What the pages may ask for, and what is refused before anything is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hexforge.modulegen.map_editor.counter_page import CsvTable, TableDesk
from hexforge.modulegen.map_editor.map_page import MapDesk
from hexforge.modulegen.map_editor.site import Asked
from hexforge.modulegen.render.raster import RenderError
from hexforge.scenarios.console import ScenarioError
from hexforge.scenarios.text.words import HexforgeError

from .begun import EN, begun


@pytest.mark.parametrize(
    "centres",
    [1, {"0101": 1}, {"0101": [1]}, {"0101": [float("nan"), 1]}, {"0101": [1e9, 1]}, {"0101": ["x", 1]}],
)
def test_centres_that_are_none_are_refused(game: Path, tmp_path: Path, centres: Any) -> None:
    Image.new("RGB", (50, 50)).save(tmp_path / "scan.png")
    desk = MapDesk(game, tmp_path / "scan.png")
    with pytest.raises(HexforgeError):
        desk.fit({**begun(desk), "centres": centres}, EN)


def test_centres_that_contradict_each_other_are_said(game: Path, tmp_path: Path) -> None:
    Image.new("RGB", (50, 50)).save(tmp_path / "scan.png")
    desk = MapDesk(game, tmp_path / "scan.png")
    same = {hex_: [5, 5] for hex_ in ("0101", "1201", "0108", "1208", "0504")}
    for count in range(6):
        found = desk.fit({**begun(desk), "centres": dict(list(same.items())[:count])}, EN)
        assert found["centres"] == {} and (count < 2 or found["said"])


def test_a_scan_that_is_no_picture_opens_no_page(game: Path, tmp_path: Path) -> None:
    (tmp_path / "scan.png").write_bytes(b"PK\3\4 and so on")
    with pytest.raises(RenderError, match=r"is no picture in a form that can be read \(PNG"):
        MapDesk(game, tmp_path / "scan.png")


def test_a_scan_stays_in_the_games_folder(game: Path, tmp_path: Path) -> None:
    Image.new("RGB", (900, 900)).save(tmp_path / "scan.png")
    desk = MapDesk(game, tmp_path / "scan.png")
    given = begun(desk)
    centres = {"0101": [60, 50], "1201": [632, 80], "0108": [60, 470]}
    for name in ("../scan.png", "/tmp/x.png", "a/b.png", "x.svg", ""):
        given["sheet"]["scan"] = {"image": name, "centres": centres, "grid": False, "numbers": False}
        with pytest.raises(ScenarioError):
            desk.save(given, EN)
    assert not (game / "looks").exists()
    (tmp_path / "elsewhere").mkdir()
    (game / "looks").symlink_to(tmp_path / "elsewhere")
    given["sheet"]["scan"]["image"] = "other.png"
    with pytest.raises(Asked, match="leads out of the game"):
        desk.save(given, EN)
    assert not any((tmp_path / "elsewhere").iterdir())
    (game / "looks").unlink()
    (game / "looks").mkdir()
    (game / "looks" / "scan.png").write_bytes(b"mine")
    given["sheet"]["scan"]["image"] = "scan.png"
    before = (game / "map.yaml").read_bytes()
    with pytest.raises(Asked, match="is there already"):
        desk.save(given, EN)
    assert (game / "looks" / "scan.png").read_bytes() == b"mine" and (game / "map.yaml").read_bytes() == before


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("delimiter", [",", ";"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_rows_left_alone_stay_as_they_are(game: Path, end: str, delimiter: str, encoding: str) -> None:
    text = (game / "counters.csv").read_text("utf-8").replace(",", delimiter).replace("\n", end)
    data = text.encode(encoding)
    table = CsvTable.read(data, game / "counters.csv")
    rows = [(i, [*cells]) for i, (cells, _) in enumerate(table.rows)]
    assert table.written(rows) == data
    rows[0][1][3] = f"a{delimiter}b"
    found = table.written([*rows, (None, rows[1][1])]).decode(encoding).split(end)
    lines = text.split(end)
    assert f'"a{delimiter}b"' in found[1] and found[2 : len(lines) - 1] == lines[2:-1] and found[-2] == lines[2]


def test_a_table_that_changed_meanwhile_is_not_written(game: Path) -> None:
    desk = TableDesk(game)
    given = begun(desk)
    other = (game / "counters.csv").read_bytes() + b"\n"
    (game / "counters.csv").write_bytes(other)
    with pytest.raises(Asked, match="changed by somebody else"):
        desk.save(given, EN)
    with pytest.raises(Asked):
        desk.faces({**given, "rows": [{"cells": 1}]}, EN)
    assert (game / "counters.csv").read_bytes() == other
