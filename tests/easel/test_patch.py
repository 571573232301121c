"""Changes to YAML files: what changes, and that nothing else does."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from hexforge.modulegen.map_editor.map_file import LISTS, painted, sheet_of
from hexforge.scenarios.loader import load
from hexforge.scenarios.text.words import HexforgeError
from hexforge.scenarios.yamlfile import parse
from hexforge.scenarios.yamlpatch import Patch, Value, written

ROOT = Path(__file__).resolve().parents[2]
GAMES = [
    path.parent for folder in ("scenarios", "tests/games") for path in sorted((ROOT / folder).glob("*/map.yaml"))
]
TEXT = """# head
grid: {columns: 2, rows: 2}  # size
rows: |
  ab
  cd
# between
list:
  # of the first
  - kind: one
    name: "a"   # why
  - {kind: two, n: 1}

# after
last: x
"""


def changed(text: str, *deeds: tuple[Any, ...]) -> str:
    patch = Patch(text)
    for name, *arguments in deeds:
        getattr(patch, name)(*arguments)
    return patch.text


@pytest.mark.parametrize(
    "value",
    [
        *(
            "a",
            "Ünd",
            "a b",
            "0101",
            "1208",
            "0304/0305",
            "0304 0305",
            "1.5",
            "true",
            "No",
            "",
            "a: b",
            "# c",
            "- d",
        ),
        *(' "q" ', "a\nb", "B1305", "B1305 B1306", "~", "x#y", "{", "é's", 1, 2.5, True),
    ],
)
def test_a_value_is_read_as_it_was_meant(value: Value) -> None:
    text = changed("a: {b: 1}\n", ("put", ["a", "b"], value), ("put", ["c"], value))
    assert parse(text, Path("x")) == {"a": {"b": value}, "c": value}


def test_what_is_not_changed_stays_as_it_stands() -> None:
    assert changed(TEXT, ("put", ["rows"], "ab\ncx")) == TEXT.replace("cd", "cx")
    assert changed(TEXT, ("put", ["list", 0, "name"], "b")) == TEXT.replace('"a"', "b")
    assert changed(TEXT, ("put", ["grid", "low"], "odd")) == TEXT.replace("rows: 2}", "rows: 2, low: odd}")
    assert changed(TEXT, ("put", ["list", 0, "more"], "c")) == TEXT.replace("# why\n", "# why\n    more: c\n")
    assert changed(TEXT, ("drop", ["list", 1, "kind"])) == TEXT.replace("kind: two, ", "")
    assert changed(TEXT, ("drop", ["list", 1, "n"])) == TEXT.replace(", n: 1", "")
    assert changed(TEXT, ("drop", ["list", 1])) == TEXT.replace("  - {kind: two, n: 1}\n", "")
    assert changed(TEXT, ("drop", ["last"])) == TEXT.replace("last: x\n", "")
    new = TEXT.replace("n: 1}\n", "n: 1}\n  - {kind: three}\n")
    assert changed(TEXT, ("extend", "list", [{"kind": "three"}])) == new, "what follows the list keeps its comment"
    assert changed(TEXT, ("extend", "new", [{"kind": "x y"}])) == TEXT + "new:\n  - kind: x y\n"


def test_lines_end_as_they_did() -> None:
    text = TEXT.replace("\n", "\r\n")
    found = changed(text, ("extend", "list", [{"kind": "three"}]), ("put", ["rows"], "ab\ncx"))
    assert found == text.replace("cd", "cx").replace("n: 1}\r\n", "n: 1}\r\n  - {kind: three}\r\n")


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: str(folder.name))
def test_a_map_comes_back_as_it_was_painted(folder: Path) -> None:
    data = (folder / "map.yaml").read_bytes()
    before = sheet_of(data.decode())
    assert painted(data.decode(), copy.deepcopy(before)) == data.decode()
    after = copy.deepcopy(before)
    first, second = list(load(folder).map.grid.hexes)[:2]
    sign = next(iter(after["legend"]))
    after["terrain"][1] = sign + after["terrain"][1][1:]
    after["notes"][first] = 'so "it" is: yes'
    after["fortified"] = [second]
    after["ways"] = [*after["ways"][1:], {"was": None, "kind": "road", "hexes": [first, second], "name": "A: b"}]
    after["hexsides"].append(
        {"was": None, "kind": "river", "sides": [f"{first}/{second}"], "provenance": "printed"}
    )
    after["places"][0]["name"] = "Ünd #x"
    after["areas"] = []
    after["scan"] = {
        "image": "a b.png",
        "centres": {first: [1.5, 2], second: [3, 4]},
        "grid": True,
        "numbers": False,
    }
    text = painted(data.decode(), after)
    found = sheet_of(text)
    for key, known in LISTS.items():
        expected = [{**known, **item} for item in after[key]]
        assert [{**item, "was": 0} for item in found[key]] == [{**item, "was": 0} for item in expected]
    for key in ("grid", "legend", "terrain", "provenance", "notes", "fortified", "scan"):
        assert found[key] == after[key]
    comments = [line for line in data.decode().splitlines() if line.lstrip().startswith("#")]
    assert comments == [line for line in text.splitlines() if line.lstrip().startswith("#")]


@pytest.mark.parametrize("sheet", [{}, {"grid": 1}, {"terrain": [[1]]}, {"ways": [1]}, {"ways": [{"was": "x"}]}])
def test_what_is_no_sheet_is_refused(sheet: dict[str, Any]) -> None:
    folder = ROOT / "tests" / "games" / "saltway"
    data = (folder / "map.yaml").read_bytes()
    before = sheet_of(data.decode())
    given = {**copy.deepcopy(before), **sheet} if sheet else {}
    with pytest.raises(HexforgeError):
        load(folder, instead={"map.yaml": painted(data.decode(), given).encode()})


def test_one_line_values() -> None:
    assert written({"a": ["x y", 1], "0101": True}) == '{a: [x y, 1], "0101": true}'
