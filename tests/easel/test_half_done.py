"""Maps that are not finished, or that two have changed: what is saved of them, and that nothing is lost."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from hexforge.modulegen.map_editor.counter_page import TableDesk
from hexforge.modulegen.map_editor.map_file import sheet_of
from hexforge.modulegen.map_editor.map_page import MapDesk
from hexforge.modulegen.map_editor.merge import Choice, merged, merged_rows
from hexforge.modulegen.map_editor.site import Asked
from hexforge.scenarios.console import ScenarioError
from hexforge.scenarios.loader import load
from hexforge.scenarios.text.words import HexforgeError

from .begun import EN, begun


def test_a_map_that_is_not_there_begins_empty(game: Path) -> None:
    (game / "map.yaml").unlink()
    desk = MapDesk(game)
    given = begun(desk)
    given["sheet"]["terrain"][0] = "f" + given["sheet"]["terrain"][0][1:]
    told = desk.save(given, EN)["problems"]
    assert any("hexes are still without terrain" in it["message"] for it in told)
    assert any("setup.yaml" in it["file"] or "victory.yaml" in it["file"] for it in told)
    text = (game / "map.yaml").read_text("utf-8")
    assert yaml.safe_load(text) and text.startswith("grid: {columns: 22, rows: 16}\nlegend:")
    with pytest.raises(ScenarioError, match="hexes are still without terrain, the first of them 0201, 0301"):
        load(game)
    again = MapDesk(game).data({}, EN)
    assert again["sheet"] == given["sheet"] and again["whole"]
    assert desk.draw({"sheet": given["sheet"]}, EN).data.startswith(b"\x89PNG")


BROKEN = {
    "a row too short": ("  .f....hhh...", "  .f"),
    "a row too many": ("terrain: |\n", "terrain: |\n  ............\n"),
    "no rows": ("terrain: |\n", "terrain:\nother: |\n"),
    "a size that is none": ("columns: 12", "columns: twelve"),
    "a grid that is none": ("grid: {columns: 12, rows: 8, low: even}", "grid: large"),
    "no legend": ("legend:\n", "legend:\nothers:\n"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_map_that_is_wrong_can_be_painted_on(game: Path, case: str) -> None:
    old, new = BROKEN[case]
    text = (game / "map.yaml").read_text("utf-8")
    assert old in text
    (game / "map.yaml").write_text(text.replace(old, new), "utf-8")
    desk = MapDesk(game)
    found = desk.data({}, EN)
    assert not found["whole"] and any(it["severity"] == "error" for it in found["problems"])
    desk.save({key: found[key] for key in ("base", "seen", "sheet")}, EN)
    saved = (game / "map.yaml").read_text("utf-8")
    assert [it for it in text.splitlines() if it.lstrip().startswith("#")] == [
        it for it in saved.splitlines() if it.lstrip().startswith("#")
    ]
    assert MapDesk(game).data({}, EN)["sheet"] == found["sheet"]


def test_entries_that_lack_something_come_back(game: Path) -> None:
    desk = MapDesk(game)
    given = begun(desk)
    given["sheet"]["places"].append({"was": None, "id": "", "name": "", "hexes": ["0101"], "provenance": "printed"})
    given["sheet"]["ways"].append({"was": None, "kind": "road", "name": "A", "hexes": ["0101"]})
    given["sheet"]["areas"].append({"was": None, "id": "x", "hexes": []})
    given["sheet"]["grid"]["numbering"] = {**NUMBERING, "columns": "letters"}
    told = desk.save(given, EN)["problems"]
    assert {it["where"] for it in told} >= {"places.5.id", "areas.1.hexes"}
    sheet = MapDesk(game).data({}, EN)["sheet"]
    assert sheet["places"][-1]["hexes"] == ["0101"] and sheet["ways"][-1]["hexes"] == ["0101"]
    assert sheet["areas"][-1]["id"] == "x" and sheet["grid"]["numbering"]["columns"] == "letters"


NUMBERING = {
    **{"columns": "digits", "rows": "digits", "first": "columns", "columns_from": 1, "rows_from": 1},
    **{"descending": [], "digits": None},
}


def test_a_game_whose_other_files_are_wrong_is_painted_too(game: Path) -> None:
    (game / "setup.yaml").write_text("at_start: 3\n", "utf-8")
    (game / "counters.csv").unlink()
    desk = MapDesk(game)
    told = desk.save(begun(desk), EN)["problems"]
    assert {it["file"] for it in told} == {"setup.yaml", "counters.csv"}
    (game / "tables.yaml").unlink()
    with pytest.raises(ScenarioError):
        MapDesk(game)


def test_what_could_not_be_read_again_is_not_written(game: Path) -> None:
    path = game / "map.yaml"
    text = path.read_text("utf-8").replace("ways:\n", "ways: &lines\n", 1) + "\nmore: *lines\n"
    path.write_text(text, "utf-8")
    desk = MapDesk(game)
    given = begun(desk)
    given["sheet"]["ways"] = []
    with pytest.raises(HexforgeError):
        desk.save(given, EN)
    assert path.read_text("utf-8") == text


def test_looks_edges_and_size_are_put_where_they_belong(game: Path) -> None:
    desk = MapDesk(game)
    given = begun(desk)
    sheet = given["sheet"]
    sheet["looks"]["terrain"]["forest"] = "marsh"
    sheet["edges"]["north"] = ["0101", "0201"]
    sheet["compass"], sheet["scale"] = 30, "1 km: about"
    desk.save(given, EN)
    found = load(game).map
    assert found.looks.terrain == {"heath": "marsh", "forest": "marsh"} and found.named_edges == {
        "north": ("0101", "0201")
    }
    assert (found.compass, found.scale) == (30, "1 km: about")
    del sheet["edges"]["north"], sheet["looks"]["terrain"]["forest"]
    sheet["looks"]["ways"]["road"] = "road"
    desk.save({**given, "seen": desk.data({}, EN)["seen"]}, EN)
    assert load(game).map.looks.ways == {"road": "road"} and not load(game).map.named_edges


# ------------------------------------------------------------------------------------------------------------ merge

TEXT = """grid: {columns: 4, rows: 2}
legend: {".": open, f: forest}
terrain: |
  ....
  ....
provenance: |
  aaaa
  aaaa
notes: {0101: old}
ways:
  - {kind: road, hexes: 0101 0201 0301}
  - {kind: road, hexes: 0102 0202}
places:
  - {id: a, name: A, hexes: "0101"}
"""


def three(ours: Any, theirs: Any, chosen: dict[str, str] | None = None) -> tuple[dict[str, Any], Choice]:
    base = sheet_of(TEXT)
    sheets = [copy.deepcopy(base), copy.deepcopy(base)]
    for deed, sheet in zip((ours, theirs), sheets, strict=True):
        deed(sheet)
    choice = Choice(chosen or {})
    return merged(base, *sheets, choice), choice


def test_what_one_changed_is_kept() -> None:
    def ours(sheet: dict[str, Any]) -> None:
        sheet["terrain"][0] = "f..."
        sheet["ways"].pop()
        sheet["places"][0]["name"] = "B"
        sheet["legend"]["m"] = "marsh"
        sheet["terrain"][1] = "m..."
        sheet["fortified"] = ["0101"]

    def theirs(sheet: dict[str, Any]) -> None:
        sheet["legend"]["m"] = "moor"
        sheet["terrain"][0] = "...m"
        sheet["places"][0]["hexes"] = ["0101", "0201"]
        sheet["places"].insert(
            0, {"was": 1, **{k: v for k, v in sheet["places"][0].items() if k != "was"}, "id": "n"}
        )
        sheet["places"][0]["was"], sheet["places"][1]["was"] = 0, 1
        sheet["notes"]["0301"] = "new"
        sheet["fortified"] = ["0401"]

    found, choice = three(ours, theirs)
    assert choice.clashes == []
    assert found["legend"] == {".": "open", "f": "forest", "m": "moor", "a": "marsh"}
    assert found["terrain"] == ["f..m", "a..."] and found["notes"] == {"0101": "old", "0301": "new"}
    assert [(it["was"], it["id"], it["name"], it["hexes"]) for it in found["places"]] == [
        (0, "n", "A", ["0101", "0201"]),
        (1, "a", "B", ["0101", "0201"]),
    ]
    assert [it["was"] for it in found["ways"]] == [0] and found["fortified"] == ["0401", "0101"]


def test_what_both_changed_is_asked() -> None:
    def ours(sheet: dict[str, Any]) -> None:
        sheet["terrain"][0] = "f..."
        sheet["notes"]["0101"] = "mine"
        sheet["ways"][1]["hexes"] = ["0102", "0202", "0302"]

    def theirs(sheet: dict[str, Any]) -> None:
        sheet["legend"]["m"] = "moor"
        sheet["terrain"][0] = "m..."
        sheet["notes"]["0101"] = "theirs"
        sheet["ways"].pop()

    _, choice = three(ours, theirs)
    keys = [it.key for it in choice.clashes]
    assert keys == ["terrain 0101", "notes 0101", "ways road 0102–0202"]
    kept, choice = three(ours, theirs, dict.fromkeys(keys, "mine"))
    assert choice.clashes == [] and kept["terrain"][0] == "f..." and kept["notes"]["0101"] == "mine"
    assert kept["ways"][-1]["was"] is None and len(kept["ways"]) == 2
    taken, _ = three(ours, theirs, dict.fromkeys(keys, "theirs"))
    assert taken["terrain"][0] == "m..." and taken["notes"]["0101"] == "theirs" and len(taken["ways"]) == 1


def test_a_file_that_changed_is_never_written_over(game: Path) -> None:
    desk = MapDesk(game)
    given = begun(desk)
    text = (game / "map.yaml").read_text("utf-8") + "# theirs\n"
    (game / "map.yaml").write_text(text, "utf-8")
    with pytest.raises(Asked, match="changed by somebody else"):
        desk.save(given, EN)
    given["sheet"]["notes"]["0101"] = "mine"
    found = desk.merge({**given, "saved": desk.data({}, EN)["sheet"]}, EN)
    assert found["clashes"] == [] and (game / "map.yaml").read_text("utf-8") == text
    desk.save({key: found[key] for key in ("base", "seen", "sheet")}, EN)
    after = (game / "map.yaml").read_text("utf-8")
    assert after.endswith("# theirs\n") or "# theirs\n" in after
    assert load(game).map.notes["0101"] == "mine"
    (game / "map.yaml").write_text("a: [", "utf-8")
    with pytest.raises(ScenarioError):
        desk.merge({**given, "saved": given["sheet"]}, EN)
    for wrong in ({}, {"saved": 1}, {"saved": {}}, {"saved": given["sheet"], "sheet": {"grid": 1}}):
        with pytest.raises(HexforgeError):
            desk.merge({**given, **wrong}, EN)


def rows_of(*rows: str) -> list[dict[str, Any]]:
    return [{"was": i, "cells": row.split()} for i, row in enumerate(rows)]


def test_rows_of_counters_are_brought_together_by_their_ids() -> None:
    base = rows_of("a 1 1", "b 1 1", "c 1 1", "d 1 1")
    mine = copy.deepcopy(base)
    mine[0]["cells"][1] = "2"
    mine[1]["cells"][0] = "z"
    del mine[2]
    mine.insert(1, {"was": None, "cells": ["n", "5", "5"]})
    theirs = rows_of("t 0 0", "d 1 9", "c 1 1", "a 1 3", "b 1 1")
    choice = Choice()
    found = merged_rows(["id", "x", "y"], base, mine, theirs, choice)
    assert choice.clashes == []
    assert [(it["was"], " ".join(it["cells"])) for it in found] == [
        (0, "t 0 0"),
        (1, "d 1 9"),
        (3, "a 2 3"),
        (None, "n 5 5"),
        (4, "z 1 1"),
    ]
    mine[0]["cells"][2] = "7"
    del theirs[4]
    theirs[2]["cells"][1] = "8"
    merged_rows(["id", "x", "y"], base, mine, theirs, choice)
    assert [it.key for it in choice.clashes] == ["row c", "cell a y", "row b"]


def test_counters_of_a_game_that_is_not_whole(game: Path) -> None:
    (game / "map.yaml").unlink()
    (game / "counters.csv").unlink()
    desk = TableDesk(game)
    found = desk.data({}, EN)
    assert found["rows"] == [] and found["columns"][:5] == ["id", "side", "branch", "name_pt", "name_en"]
    given = {
        "base": found["base"],
        "seen": found["seen"],
        "rows": [{"was": None, "cells": ["x"] * len(found["columns"])}],
    }
    told = desk.save(given, EN)["problems"]
    assert told[0]["file"] == "counters.csv" and (game / "counters.csv").read_text("utf-8").count("\n") == 2
    assert TableDesk(game).data({}, EN)["rows"][0]["cells"][0] == "x"
