"""counters.csv as people's spreadsheets really write it, above all Excel in Portuguese."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hexforge.scenarios import ScenarioError, load

NAME = "1º Batalhão de Linha"


def rows(game: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO((game / "counters.csv").read_text("utf-8"))))


def written(cells: list[list[str]], delimiter: str = ",", end: str = "\r\n") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(cells)
    return out.getvalue()


WAYS: dict[str, Callable[[list[list[str]]], bytes]] = {
    "semicolons": lambda c: written(c, ";").encode(),
    "semicolons with a mark of the separator": lambda c: ("sep=;\r\n" + written(c, ";")).encode("utf-8-sig"),
    "tabs": lambda c: written(c, "\t").encode(),
    "utf-16 with tabs": lambda c: written(c, "\t").encode("utf-16"),
    "a byte-order mark": lambda c: written(c).encode("utf-8-sig"),
    "carriage returns alone": lambda c: written(c, end="\r").encode(),
    "empty columns and rows at the end": lambda c: written(
        [*([*r, "", ""] for r in c), [""] * (len(c[0]) + 2), []], ";"
    ).encode(),
    "a line broken within a cell": lambda c: written(
        [[*r[:3], r[3].replace(" ", " \r\n"), *r[4:]] for r in c]
    ).encode(),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_writing_gives_the_same_counters(game: Path, way: str) -> None:
    before = load(game)
    (game / "counters.csv").write_bytes(WAYS[way](rows(game)))
    after = load(game)
    assert after.counters == before.counters
    assert after.warnings == ()


def test_windows_letters_are_read_and_said(game: Path) -> None:
    before = load(game)
    (game / "counters.csv").write_bytes(written(rows(game), ";").encode("cp1252"))
    after = load(game)
    assert after.counters == before.counters
    (warning,) = after.warnings
    assert (warning.severity, "Windows-1252" in str(warning.message)) == ("warning", True)


def test_line_ends_and_marks_leave_the_digest_as_it_is(game: Path) -> None:
    before = load(game).digest
    for path in (p for p in game.iterdir() if p.is_file()):
        path.write_bytes(path.read_text("utf-8").replace("\n", "\r\n").encode("utf-8-sig"))
    assert load(game).digest == before


def problems(game: Path, data: bytes) -> list[str]:
    (game / "counters.csv").write_bytes(data)
    with pytest.raises(ScenarioError) as caught:
        load(game)
    return [str(p).removeprefix(f"{game}/") for p in caught.value.problems]


def test_a_decimal_comma_is_said_with_its_cell(game: Path) -> None:
    cells = rows(game)
    cells[1][10] = "3,5"
    (said,) = problems(game, written(cells, ";").encode())
    assert said.startswith("counters.csv:2: no-1-1, column attack: '3,5' is no whole number")


def test_lines_are_counted_from_where_a_row_begins(game: Path) -> None:
    cells = rows(game)
    cells[1][3] = "1º\nBatalhão"
    cells[2][10] = "x"
    (said,) = problems(game, written(cells, end="\n").encode())
    assert said.startswith("counters.csv:4: no-1-2, column attack")


def test_checks_name_the_line_whatever_the_separator(game: Path) -> None:
    cells = rows(game)
    cells[3][5] = "sapper"
    found = problems(game, written(cells, ";").encode())
    assert any(said.startswith("counters.csv:4: no-guard") for said in found), found


@pytest.mark.parametrize("data", [b"", b"\n\n", b"no heading\n1,2\n"])
def test_no_heading_is_one_message(game: Path, data: bytes) -> None:
    (said,) = problems(game, data)
    assert "must name the columns" in said
    assert "source_strength" in said


@pytest.mark.parametrize("data", [b"\x00\x01", b"\x89PNG\r\n\x1a\n\x00\x00", b"PK\x03\x04\x14\x00\x06\x00"])
def test_a_workbook_or_a_picture_is_no_csv(game: Path, data: bytes) -> None:
    (said,) = problems(game, data)
    assert "save the file as CSV" in said


def test_a_quote_left_open_is_said(game: Path) -> None:
    text = (game / "counters.csv").read_text("utf-8").replace(NAME, f'"{NAME}')
    (said,) = problems(game, text.encode())
    assert said.startswith("counters.csv:2: the quotes that open in this row are not closed")


def test_a_column_twice_is_said(game: Path) -> None:
    cells = [[*r, r[0]] for r in rows(game)]
    (said,) = problems(game, written(cells).encode())
    assert "stands twice" in said


@pytest.mark.parametrize(
    "written",
    [
        lambda text: text.replace("id,side", "Id,Side"),
        lambda text: text.replace(",6,6,5,", ",6.0,6,5,"),
        lambda text: text.replace(",", ";").replace(";6;6;5;", ";6,0;6,00;5;"),
        lambda text: text + text.splitlines()[0] + "\n",
        lambda text: text.replace("\n", ",,,\r\n"),
        lambda text: "\n".join(";".join(f'"{cell}"' for cell in line.split(",")) for line in text.splitlines()),
    ],
    ids=["capitals", "decimal point", "decimal comma", "the heading again", "empty columns", "all in quotes"],
)
def test_what_can_mean_one_thing_alone_is_read(tmp_path: Path, written: Callable[[str], str]) -> None:
    """As spreadsheets in either language write them: the same counters as before."""
    game = Path(__file__).parents[1] / "games" / "tolliver"
    folder = tmp_path / "tolliver"
    shutil.copytree(game, folder)
    text = (folder / "counters.csv").read_text("utf-8")
    assert written(text) != text
    (folder / "counters.csv").write_text(written(text), "utf-8", newline="")
    assert load(folder).counters == load(game).counters


@pytest.mark.parametrize("name", ["game.yaml", "text.pt.yaml"])
def test_what_windows_calls_unicode_is_read(tmp_path: Path, name: str) -> None:
    game = Path(__file__).parents[1] / "games" / "tolliver"
    folder = tmp_path / "tolliver"
    shutil.copytree(game, folder)
    (folder / name).write_text((game / name).read_text("utf-8"), "utf-16")
    assert load(folder).texts == load(game).texts
