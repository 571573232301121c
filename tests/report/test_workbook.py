"""The spreadsheet, read back by another library."""

from __future__ import annotations

import time
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import load_workbook

from hexforge.scenarios.text.words import Language, Words
from hexforge.validator.judging.check import check_file
from hexforge.validator.report.workbook import breadths, write_workbook
from hexforge.validator.rules.findings import Finding
from tests.report.test_reports import EVIL, answer, note


def read(data: bytes) -> dict[str, list[tuple[object, ...]]]:
    book = load_workbook(BytesIO(data))
    return {page.title: [tuple(cell.value for cell in row) for row in page.iter_rows()] for page in book}


def test_every_part_of_an_answer_has_its_page() -> None:
    pages = read(write_workbook([answer()], [("x.png", EVIL)], Words("en")))
    assert list(pages) == ["Summary", "Findings", "Combats", "Moves", "Actions", "Position", "Score"]
    head, sheet, unreadable = pages["Summary"]
    assert dict(zip(head, sheet, strict=True)) | {"file": ""} == {
        "file": "", "game": "hurtgen", "verdict": "not read", "illegal": 0, "not read": 1, "doubtful": 1,
        "waived": 0, "warnings": 1, "notes": 0, "last turn": None, "score": "American 10, German 5",
        "judged with": "Judged with hexforge 9, hurtgen 1.0 (abababababab)",
        "rulings in force": "inverse_rounding=ceil",
    }  # fmt: skip
    assert unreadable[0] == "x.png" and "alert" in str(unreadable[head.index("score")])
    findings = [dict(zip(pages["Findings"][0], row, strict=True)) for row in pages["Findings"][1:]]
    assert [(f["line"], f["severity"], f["code"], f["declared"], f["computed"]) for f in findings[1:]] == [
        (2, "doubtful", "column", "2-1", "1-1"),
        (2, "warning", "movement-cost", None, None),
    ]
    assert pages["Moves"][1][1:] == (3, None, None, None, None, "a1", "0201 0202", 2.5, 1.5)
    assert pages["Position"][1:] == [
        (pages["Position"][1][0], "a1", "0203", "full", None),
        (pages["Position"][1][0], "g1", None, "eliminated", "eliminated"),
    ]
    assert "American 11 = a1 4 + a7 7" in str(pages["Combats"][1][-1])


@pytest.mark.parametrize(
    "text", ["=1+1", "=HYPERLINK(A1)", "+1", "-1", "@x", "http://x.example/", "\x1b[31m\x00", EVIL]
)
def test_what_players_write_stays_text(text: str) -> None:
    finding = Finding(1, "", "syntax", "illegal", note(text), declared=text)
    data = write_workbook([replace(answer(), findings=(finding,), lines=(text,), source=text)], [], Words("pt"))
    page = load_workbook(BytesIO(data))["Apontamentos"]
    row = next(page.iter_rows(min_row=2))
    assert {cell.data_type for cell in row} <= {"s", "n"}
    assert all(cell.hyperlink is None for cell in row)
    if text.isprintable():
        assert row[0].value == text


@pytest.mark.parametrize("language", ["en", "pt"])
def test_the_same_answers_give_the_same_bytes(language: Language) -> None:
    first = write_workbook([answer()], [], Words(language))
    time.sleep(1.1)  # a clock that left its mark would have gone on
    assert write_workbook([answer()], [], Words(language)) == first


def test_nothing_at_all_is_a_workbook_too(tmp_path: Path) -> None:
    assert read(write_workbook([], [], Words("en")))["Findings"][0][0] == "file"


def test_rows_say_when_and_by_whom_and_fit_the_paper() -> None:
    example = Path(__file__).resolve().parents[2] / "scenarios" / "hurtgen" / "examples" / "turn2-mistakes.sheet"
    data = write_workbook([check_file(example)], [], Words("en"))
    pages = read(data)
    heads, *rows = pages["Findings"]
    when = [tuple(row[heads.index(name)] for name in ("line", "turn", "phase", "side", "player")) for row in rows]
    assert when[0] == (16, 2, "Movement", "American", "Ana")
    assert (29, 2, "Combat", "American", "Ana") in when, "what a phase leaves undone is of that phase"
    assert pages["Combats"][1][2:6] == (2, "Combat", "American", "Ana")
    for page in load_workbook(BytesIO(data)):
        assert page.page_setup.orientation == "landscape" and page.print_title_rows == "$1:$1"
        assert (page.page_setup.fitToWidth or 1, page.page_setup.fitToHeight) == (1, 0)
        # On paper that broad, letters of a page that broad can be read.
        assert sum(column.width for column in page.column_dimensions.values()) < 240
        assert all(cell.alignment.wrap_text for cell in page[page.max_row])


def test_short_columns_are_broken_last() -> None:
    assert breadths([5, 20, 30]) == [5, 20, 30]
    found = breadths([7] * 8 + [30] * 6 + [400, 400])
    assert found[:8] == [7] * 8 and sum(found) <= 220 and 12 < found[8] < found[-1] < 60
