"""The grammar on the pages of turn sheets: what they say of a typed line is what is read of it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

import pytest

from hexforge.scenarios.text.words import catalogue
from hexforge.validator.app.glossary import page as glossary
from hexforge.validator.notation.base import Statement
from hexforge.validator.notation.statements import Engagement, Sheet
from hexforge.validator.reading.sheet import read_sheet
from tests.docs.pages import ROOT, headings, rows

HEAD = "sheet 1\ngame hurtgen\n"
FOUGHT = "turn 2 american combat\ncombat 1007\nattack us-112-1 us-112-2\n"
CONTEXTS = (
    HEAD + "turn 2 american movement\n",
    HEAD + "turn 2 american combat\n",
    HEAD + FOUGHT,
    HEAD + FOUGHT + "result DRB AVI\n",
    HEAD,
)
"""Where a typed line may stand."""
UNREAD = re.compile(r"(?:not read|não se lê): `([^`]+)`")


def typed() -> Iterator[tuple[str, str]]:
    for page in ("docs/sheets.md", "docs/pt/planilhas.md"):
        for cells in rows(page):
            if len(cells) == 2 and cells[0].startswith("`") and (cells[1][0] == "`" or UNREAD.match(cells[1])):
                yield cells[0].strip("`"), cells[1]


def said(text: str) -> list[Statement]:
    """All statements of a text, without the numbers of their lines."""
    found: list[Statement] = []
    for one in read_sheet(text).statements:
        acts = one.acts if isinstance(one, Engagement) else ()
        found += [dataclasses.replace(one, acts=()) if acts else one, *acts]
    return [dataclasses.replace(one, line=0) for one in found]


def readings(line: str) -> Iterator[tuple[str, Sheet]]:
    for context in CONTEXTS:
        yield context, read_sheet(context + line)


def test_there_are_examples() -> None:
    assert len(list(typed())) > 40


@pytest.mark.parametrize(("line", "told"), list(typed()))
def test_a_typed_line_says_what_the_page_tells(line: str, told: str) -> None:
    if refused := UNREAD.match(told):
        problems = [sheet.problems for _, sheet in readings(line)]
        assert all(problems)
        assert refused[1] in problems[0][0].found
        return
    context = next((context for context, sheet in readings(line) if not sheet.problems), None)
    assert context is not None, "no context reads it"
    assert said(context + line) == said(context + told.strip("`"))


@pytest.mark.parametrize(("language", "file"), [("en", "docs/words.md"), ("pt", "docs/pt/palavras.md")])
def test_the_pages_of_words_are_fresh(language: str, file: str) -> None:
    """`make words` makes them so."""
    assert (ROOT / file).read_text("utf-8") == glossary(language)


def test_every_section_of_words_has_a_text_and_every_text_a_section() -> None:
    told = {key.removeprefix("sections.") for key in catalogue("glossary", "en") if key.startswith("sections.")}
    assert told == {text for level, text in headings("docs/words.md") if level == "h3"}
