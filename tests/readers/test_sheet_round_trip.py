"""What the writer writes, the reader reads, in every language; and no text makes the reader fall over."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as s

from hexforge.scenarios.text.words import FOLDER
from hexforge.validator.notation import base, games, statements_head
from hexforge.validator.notation import statements as st
from hexforge.validator.notation.vocabulary import notation, write_sheet, write_statement
from hexforge.validator.notation.words import Vocabulary
from hexforge.validator.reading.decoding import UnreadableSheet, decode
from hexforge.validator.reading.sheet import read_bytes, read_sheet
from tests import yamls
from tests.examples import examples

from .sheets import bare, speaks, statements, whole_sheets

WORDS = sorted({w for section in ("statements", "words") for w in notation().known[section]})
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


HEADS = {
    base.Act: "turn 2 american combat\ncombat 0101\n",
    base.Play: "turn 2 american combat\n",
    base.Positioned: "position\n",
}
"""What must stand before a statement, besides the header."""


@pytest.fixture(scope="module")
def third(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the words of a language that nobody speaks."""
    folder = tmp_path_factory.mktemp("words")
    texts = yamls.read(FOLDER / "notation.en.yaml")
    lists = {
        section: {word: [f"ñ{form[::-1]}-x" for form in forms] for word, forms in words.items()}
        for section, words in texts.items()
        if all(isinstance(forms, list) for forms in words.values())
    }
    yamls.write(folder / "notation.xx.yaml", lists)
    texts = yamls.read(FOLDER / "ledger.en.yaml")
    lists = {
        section: {w: [f"ñ{f[::-1]}-x" for f in forms] for w, forms in t.items()} for section, t in texts.items()
    }
    yamls.write(folder / "ledger.xx.yaml", lists)
    return folder


@pytest.mark.parametrize("cls", base.WORDS, ids=lambda cls: cls.__name__)
@examples(40)
@given(data=s.data(), lang=s.sampled_from(["en", "pt", "xx"]))
def test_every_statement_is_read_as_it_is_declared(
    cls: type[base.Statement], lang: str, third: Path, data: s.DataObject
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXFORGE_WORDS", str(third))
        game = next(g for g in ("bastogne", "normandy") if (v := games.vocabulary(g)) and speaks(v, cls))
        known = games.vocabulary(game)
        assert known is not None
        statement = data.draw(statements(cls, known))
        head = next((text for kind, text in HEADS.items() if issubclass(cls, kind)), "")
        if game == "normandy":
            head = head.replace("2 american combat", "6 jun am combat")
        start = {statements_head.SheetVersion: "", statements_head.GameName: "sheet 1\n"}.get(
            cls, f"sheet 1\ngame {game}\n"
        )
        written = write_sheet([statement], lang, known)
        sheet = read_sheet(start + head + written, lookup=lambda *_: known)
    assert [p.expected.key for p in sheet.problems if cls is not statements_head.SheetVersion] == []
    found: base.Statement = sheet.statements[-1]
    if issubclass(cls, base.Act):
        assert isinstance(found, st.Combat)
        found = found.acts[-1]
    assert bare(found) == statement
    if lang == "xx" and base.WORDS[cls]:
        assert written.lstrip().startswith("ñ")


@given(whole_sheets(), s.sampled_from(["en", "pt"]))
def test_what_is_written_reads_back(written: tuple[list[base.Statement], Vocabulary | None], lang: str) -> None:
    found, known = written
    text = write_sheet(found, lang, known)
    sheet = read_sheet(text)
    assert [bare(statement) for statement in sheet.statements] == found
    assert not sheet.problems
    assert write_sheet(sheet.statements, lang, known) == text


@given(whole_sheets())
def test_every_statement_knows_its_line(written: tuple[list[base.Statement], Vocabulary | None]) -> None:
    text = write_sheet(written[0])
    lines = text.splitlines()
    for statement in read_sheet(text).statements:
        first = lines[statement.line - 1].split()[0]
        assert write_statement(statement).split()[0] == first


@given(s.text() | s.lists(PIECES).map(" ".join))
def test_no_text_is_too_strange(text: str) -> None:
    sheet = read_sheet(text)
    for problem in sheet.problems:
        assert 1 <= problem.line <= max(1, len(sheet.lines))
        assert problem.column >= 1
        assert str(problem.expected)
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


def test_a_new_statement_is_one_class_and_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "WORDS", dict(base.WORDS))
    monkeypatch.setattr(base, "_BEGINNING", dict(base._BEGINNING))
    monkeypatch.setenv("HEXFORGE_WORDS", str(tmp_path))
    for language, words in (("en", ("relieve", "with", "in")), ("pt", ("render", "junto", "em"))):
        first, *small = words
        forms = {"statements": {"relieve": [first]}, "words": {"with": small[:1], "in": small[1:]}}
        yamls.write(tmp_path / f"notation.{language}.yaml", forms)

    @base.statement("relieve")
    class Relieve(base.Play):
        unit: st.Unit
        by: Annotated[st.Units, base.After("with")]
        hex: Annotated[st.HexId, base.After("in")] = ""

    relieve = Relieve(5, "a1", ("a2", "a3"), "0609")
    head = "sheet 1\ngame hurtgen\n\nturn 2 american movement\n"
    for language, line in (("en", "relieve a1 with a2 a3 in 0609"), ("pt", "render a1 junto a2 a3 em 0609")):
        assert write_statement(relieve, language) == line
        assert read_sheet(head + line).statements[-1] == relieve
        (problem,) = read_sheet(head + line.rsplit(maxsplit=2)[0] + " / 0609").problems
        assert str(problem.expected) == "`in` or the end of the line"
