"""The pages are whole: links lead somewhere, pairs of languages say the same, tables leave nothing out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

import pytest

from hexforge.scenarios.commands import extensions, names
from hexforge.scenarios.compiled import load_any
from hexforge.scenarios.loader import load
from hexforge.validator.notation.base import WORDS, layout, usage
from hexforge.validator.notation.kinds import Pen
from hexforge.validator.notation.vocabulary import notation, vocabulary_of
from hexforge.validator.rules.findings import CODES
from tests.docs.pages import PAGES, PAIRS, ROOT, anchors, blocks, headings, links, rows, statements_of, words

REFERENCE = (
    ("docs/sheets.md", "docs/positions.md", "docs/accounts.md"),
    ("docs/pt/planilhas.md", "docs/pt/posicoes.md", "docs/pt/contas.md"),
)
"""The pages with the tables of statements, in each language."""
WORD_LISTS = ("docs/words.md", "docs/pt/palavras.md")
TOURNAMENTS = ("docs/tournament.md", "docs/pt/torneio.md")


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    here = (ROOT / page).parent
    for target in links(page):
        if target.startswith("https://"):
            continue
        path, _, heading = unquote(target).partition("#")
        file = (here / path).resolve() if path else ROOT / page
        assert file.exists(), f"{page}: {target}"
        assert file.is_relative_to(ROOT), f"{page}: {target} is no part of the project"
        if heading:
            known = anchors(str(file.relative_to(ROOT)))
            assert heading in known, f"{page}: {target} is none of {sorted(known)}"


@pytest.mark.parametrize("pair", PAIRS)
def test_the_pages_of_a_pair_name_each_other(pair: tuple[str, str]) -> None:
    for page, other in (pair, pair[::-1]):
        found = {((ROOT / page).parent / target).resolve() for target in links(page)}
        assert (ROOT / other).resolve() in found, f"{page} does not lead to {other}"
        start = (ROOT / page).read_text("utf-8")[:200]
        assert "](" in start, f"{page}: the other language is not named at the top"


@pytest.mark.parametrize("pair", PAIRS)
def test_the_pages_of_a_pair_are_built_alike(pair: tuple[str, str]) -> None:
    english, portuguese = pair
    assert [level for level, _ in headings(english)] == [level for level, _ in headings(portuguese)]
    assert [len(cells) for cells in rows(english)] == [len(cells) for cells in rows(portuguese)]


@pytest.mark.parametrize("pair", PAIRS)
def test_the_pages_of_a_pair_show_the_same(pair: tuple[str, str]) -> None:
    shown = [blocks(page) for page in pair]
    assert len(shown[0]) == len(shown[1])
    for english, portuguese in zip(*shown, strict=True):
        places = f"{pair[0]}:{english.line}, {pair[1]}:{portuguese.line}"
        assert english.info == portuguese.info, places
        assert english.is_sheet == portuguese.is_sheet, places
        if english.is_sheet:
            assert statements_of(english.text) == statements_of(portuguese.text), places
        elif english.commands or portuguese.commands:
            assert [_plain(line) for line in english.commands] == [_plain(line) for line in portuguese.commands]
        elif english.info != "text":
            assert english.text == portuguese.text, places


def _plain(command: str) -> str:
    """A command without the names that a user gives."""
    return re.sub(r"\b(meu-jogo|my-game|some\.vlog|algum\.vlog)", "MINE", command)


# ------------------------------------------------------------------------------------------- tables


def _ticked(text: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", text))


@pytest.mark.parametrize("page", TOURNAMENTS)
def test_every_code_is_explained_once(page: str) -> None:
    told = [cells[0].strip("`") for cells in rows(page) if len(cells) == 2 and len(cells[1]) > 15]
    assert sorted(code for code in told if code in CODES) == sorted(CODES)


def _forms() -> Iterator[tuple[str, tuple[str, ...]]]:
    for sections in notation().forms.values():
        for table in sections.values():
            yield from table.items()
    for game in names():
        for text in load(game).notation.values():
            yield from ((key.partition(".")[2], tuple(forms.split())) for key, forms in text.values.items())


@pytest.mark.parametrize("page", WORD_LISTS)
def test_every_word_of_the_notation_is_listed(page: str) -> None:
    assert {form for word, forms in _forms() for form in (word, *forms)} - words(page) == set()


@pytest.mark.parametrize("page", WORD_LISTS)
def test_every_word_of_accounts_is_listed(page: str) -> None:
    for name in extensions():
        known = vocabulary_of(load_any(name))
        for language in ("en", "pt"):
            told = {form for table in known.forms[language].values() for forms in table.values() for form in forms}
            assert told - words(page) == set()


@pytest.mark.parametrize(("pages", "language"), list(zip(REFERENCE, ("en", "pt"), strict=True)))
def test_the_tables_of_statements_follow_the_declarations(pages: tuple[str, ...], language: str) -> None:
    pen = Pen(notation(), language)
    accounts = vocabulary_of(load_any("normandy"))
    told = [(cells[0].strip("`"), cells[2]) for page in pages for cells in rows(page) if len(cells) == 4]
    for cls in WORDS:
        form, follows = layout(cls), usage(cls, pen)
        ids = notation().listed(form.first[1], "en") if form.first else (" ".join(form.words) or "*unit*",)
        if form.words and form.words[0] not in notation().forms["en"]["statements"]:
            ids, follows = (accounts.write("statements", form.words[0], "en"),), usage(cls, Pen(accounts, language))
        for first in ids:
            assert not follows or (first, follows) in told, f"| `{first}` | … | {follows} | of {cls.__name__}"


@pytest.mark.parametrize("pages", REFERENCE)
def test_a_row_gives_a_word_with_its_own_forms(pages: tuple[str, ...]) -> None:
    """A form of one word never stands in the row of another."""
    by_word: dict[str, set[str]] = {}
    for word, forms in _forms():
        by_word.setdefault(word, set()).update(forms)
    checked = 0
    for cells in (cells for page in pages for cells in rows(page)):
        if len(cells) < 3 or cells[0].strip("`") not in by_word:
            continue
        word = cells[0].strip("`")
        own = {word, *by_word[word]}
        assert _ticked(cells[1]) <= own, f"{word}: {cells[1]}"
        checked += 1
    assert checked > 50


@pytest.mark.parametrize("page", TOURNAMENTS)
def test_every_option_of_every_game_is_listed(page: str) -> None:
    told = {cells[0].strip("`"): cells[1:] for cells in rows(page) if len(cells) == 5}
    every = (*names(), *extensions())
    for name in every:
        for option, spec in load_any(name).game.options.items():
            assert option in told, f"{name} has an option {option}"
            ruling, default, other, meaning = told[option]
            assert ruling == spec.ruling
            # A game whose default is its own is named beside that of the family.
            assert spec.default in _ticked(default)
            assert _ticked(other) | _ticked(default) == set(spec.choices)
            assert len(meaning) > 20
    known = {option for name in every for option in load_any(name).game.options}
    assert {option for option in told if "_" in option} <= known <= told.keys(), "an option is listed of no game"


@pytest.mark.parametrize("page", WORD_LISTS)
def test_every_terrain_and_type_of_every_game_is_listed(page: str) -> None:
    for name in names():
        scenario = load(name)
        ground = {*scenario.tables.terrain, *scenario.tables.ways, *scenario.tables.hexsides}
        who = {*scenario.game.unit_types, *(side.id for side in scenario.game.sides)}
        assert {name, *ground, *who} - words(page) == set()
