"""What the writer writes, the reader reads; and no text makes the reader fall over."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as s

from hexforge.validator.readers import keywords as kw
from hexforge.validator.readers import statements as st
from hexforge.validator.readers.sheet import UnreadableSheet, decode, read_bytes, read_sheet
from hexforge.validator.readers.writer import write_sheet

from .sheets import bare, whole_sheets

WORDS = sorted({w for t in (kw.HEADER, kw.POSITION, kw.MOVEMENT, kw.ACTS, kw.ENGAGEMENTS, kw.SMALL) for w in t})
PHRASES = [
    "sheet 1",
    "game hurtgen",
    "turn 2 american combat",
    "0609",
    "0609/0610",
    "a1",
    "a1:",
    "-",
    "3-4-5",
    "1:2",
]
MARKS = ["#", ">", "\\", '"', "+", "=", "/", ":", "\n", "\n", "\n", "\r\n", "\t", "é", "\x0c", "\u2028", "9" * 11]
PIECES = s.sampled_from([*WORDS, *PHRASES, *MARKS])


@given(whole_sheets(), s.sampled_from(["en", "pt"]))
def test_what_is_written_reads_back(statements: list[st.Statement], lang: Literal["en", "pt"]) -> None:
    text = write_sheet(statements, lang)
    sheet = read_sheet(text)
    assert [bare(statement) for statement in sheet.statements] == statements
    assert not sheet.problems
    assert write_sheet(sheet.statements, lang) == text


@given(whole_sheets())
def test_every_statement_knows_its_line(statements: list[st.Statement]) -> None:
    text = write_sheet(statements)
    lines = text.splitlines()
    for statement in read_sheet(text).statements:
        first = lines[statement.line - 1].split()[0]
        assert write_sheet([statement]).split()[0] == first


@given(s.text() | s.lists(PIECES).map(" ".join))
def test_no_text_is_too_strange(text: str) -> None:
    sheet = read_sheet(text)
    for problem in sheet.problems:
        assert 1 <= problem.line <= max(1, len(sheet.lines))
        assert problem.column >= 1
        assert problem.expected_en and problem.expected_pt
    again = read_sheet(write_sheet(sheet.statements))
    assert [bare(x) for x in again.statements] == [bare(x) for x in sheet.statements]


@given(s.binary())
def test_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        read_bytes(data, "mail.sheet")
    except UnreadableSheet as error:
        assert error.source == "mail.sheet"


def test_other_encodings_of_mail_programs() -> None:
    text = 'planilha 1\njogo hurtgen\njogadores alemão="João"\n'
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        assert decode(text.encode(encoding)) == text
    with pytest.raises(UnreadableSheet, match="not text"):
        decode(b"PK\x03\x04\x00\x00")
