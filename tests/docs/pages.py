"""The project's pages as their readers see them: headings, links, tables, sheets and commands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt

from hexforge.validator.notation.base import Statement
from hexforge.validator.notation.statements import Engagement, Sheet
from hexforge.validator.notation.vocabulary import notation
from hexforge.validator.notation.words import fold
from hexforge.validator.reading.sheet import read_sheet

if TYPE_CHECKING:
    from markdown_it.token import Token

ROOT: Final = Path(__file__).resolve().parents[2]
PAIRS: Final = (
    ("README.md", "LEIAME.md"),
    ("docs/sheets.md", "docs/pt/planilhas.md"),
    ("docs/tournament.md", "docs/pt/torneio.md"),
    ("docs/logs.md", "docs/pt/registros.md"),
    ("docs/audit.md", "docs/pt/auditoria.md"),
    ("docs/own-games.md", "docs/pt/jogos-proprios.md"),
    ("docs/keys.md", "docs/pt/chaves.md"),
    ("docs/corrections.md", "docs/pt/correcoes.md"),
    ("docs/lint.md", "docs/pt/lint.md"),
    ("docs/import.md", "docs/pt/importar.md"),
    ("docs/refresh.md", "docs/pt/atualizar.md"),
    ("docs/editor.md", "docs/pt/editor.md"),
    ("docs/positions.md", "docs/pt/posicoes.md"),
    ("docs/accounts.md", "docs/pt/contas.md"),
    ("docs/sealed.md", "docs/pt/lacres.md"),
    ("docs/words.md", "docs/pt/palavras.md"),
)
PAGES: Final = (
    *(page for pair in PAIRS for page in pair),
    *("CONTRIBUTING.md", "benchmarks/README.md", "docs/coverage.md", "docs/mutants.md", "docs/rulings.md"),
)
_PROGRAMS: Final = ("validator", "modulegen", "make", "pip")
_CONTEXTS: Final = (
    "sheet 1\ngame metz\n",
    "sheet 1\ngame metz\nposition\n",
    "sheet 1\ngame metz\nturn 2 american movement\n",
    "sheet 1\ngame metz\nturn 2 american combat\ncombat 0101\n",
)
"""Where a fragment of a sheet may stand."""


@dataclass(frozen=True)
class Block:
    """A block of code. `line` is its first line in the page, `info` what stands behind its fence."""

    line: int
    info: str
    text: str

    @property
    def is_sheet(self) -> bool:
        """Whether it is a turn sheet, or a part of one."""
        first = self.text.split(maxsplit=1)[0] if self.text.split() else ""
        return self.info == "sheet" or (not self.info and _begins(first))

    @property
    def is_whole(self) -> bool:
        """Whether it is a sheet with a head of its own."""
        return _begins(self.text.split(maxsplit=1)[0])

    @property
    def commands(self) -> list[str]:
        """The command lines in it, without comments."""
        lines = (line.partition("  #")[0].strip() for line in self.text.splitlines())
        return [line for line in lines if line.split(maxsplit=1)[:1] and line.split()[0] in _PROGRAMS]


def _begins(word: str) -> bool:
    return notation().meaning("statements", fold(word)) == "sheet"


@cache
def tokens(page: str) -> tuple[Token, ...]:
    """A page as Markdown."""
    return tuple(MarkdownIt("commonmark").enable("table").parse((ROOT / page).read_text("utf-8")))


@cache
def _blocks_alone(page: str) -> list[Token]:
    """A page whose lines and tables are not looked into, a fifth of the work."""
    return MarkdownIt("commonmark").disable("inline").parse((ROOT / page).read_text("utf-8"))


def blocks(page: str) -> list[Block]:
    """The blocks of code of a page."""
    found = (t for t in _blocks_alone(page) if t.type in ("fence", "code_block"))
    return [Block((t.map or [0])[0] + 1, t.info.strip(), t.content) for t in found]


def headings(page: str) -> list[tuple[str, str]]:
    """The headings of a page: level and text."""
    all_of_them = tokens(page)
    return [(t.tag, all_of_them[i + 1].content) for i, t in enumerate(all_of_them) if t.type == "heading_open"]


def anchors(page: str) -> set[str]:
    """What links to a heading of the page end in, as GitHub makes them."""
    return {anchor(text) for _, text in headings(page)}


def anchor(heading: str) -> str:
    """`In a combat phase` -> `in-a-combat-phase`."""
    kept = re.sub(r"[^\w\- ]", "", unicodedata.normalize("NFC", heading.lower()))
    return kept.replace(" ", "-")


def links(page: str) -> Iterator[str]:
    """The targets of all links and pictures of a page."""
    for token in tokens(page):
        for inner in token.children or ():
            target = inner.attrs.get("href") or inner.attrs.get("src")
            if target:
                yield str(target)


def words(page: str) -> set[str]:
    """All that a page sets as code within its sentences and tables, word by word."""
    inline = (inner for token in tokens(page) for inner in token.children or () if inner.type == "code_inline")
    return {word for inner in inline for word in inner.content.split()}


def rows(page: str) -> list[list[str]]:
    """The rows of all tables of a page, heads too, each a list of cells."""
    found: list[list[str]] = []
    all_of_them = tokens(page)
    for i, token in enumerate(all_of_them):
        if token.type == "tr_open":
            found.append([])
        elif token.type in ("th_open", "td_open"):
            found[-1].append(all_of_them[i + 1].content)
    return found


def read(text: str) -> Sheet:
    """A sheet, or a part of one in the first place where all of it reads; without problems if there is one."""
    whole = read_sheet(text)
    if Block(0, "", text).is_whole:
        return whole
    tries = [read_sheet(context + text) for context in _CONTEXTS]
    return next((sheet for sheet in tries if not sheet.problems), tries[0])


def statements_of(text: str) -> list[Statement]:
    """The statements of a sheet with those within its combats, in order."""
    found: list[Statement] = []
    for statement in read(text).statements:
        found.append(statement)
        if isinstance(statement, Engagement):
            found += statement.acts
    return found
