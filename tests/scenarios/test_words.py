"""Messages become text in the reader's language; catalogues of all languages say the same things."""

from __future__ import annotations

import ast
import os
import re
import string
import subprocess
import sys
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from babel import Locale
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core.core_schema import ErrorType

from hexforge.scenarios.model import Text
from hexforge.scenarios.text.words import (
    FOLDER,
    SOURCE,
    BadValueError,
    Message,
    Term,
    Words,
    catalogue,
    languages,
    message,
)

ROOT = Path(__file__).resolve().parent.parent.parent
EN, PT = Words("en"), Words("pt")


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of words that is looked into first."""
    monkeypatch.setenv("HEXFORGE_WORDS", str(tmp_path))
    return tmp_path


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")


def test_parameters_stand_in_the_text(own: Path) -> None:
    write(own, "toy.en.yaml", 'a: {b: "{unit} to {hex}, {unit!r}"}\n')
    assert EN("toy.a.b", unit="us-1", hex="0101") == "us-1 to 0101, 'us-1'"
    assert EN.say(message("toy.a.b", unit="x", hex="y")) == "x to y, 'x'"
    assert str(message("toy.a.b", unit="x", hex="y")) == "x to y, 'x'"


def test_braces_in_a_value_are_no_parameters(own: Path) -> None:
    write(own, "toy.en.yaml", 'a: "found {what}"\n')
    assert EN("toy.a", what="{0.__class__} {hex}") == "found {0.__class__} {hex}"


@pytest.mark.parametrize(
    ("before", "word", "told"),
    [
        ("falta -1 por", "a noite", "falta -1 pela noite"),
        ("fica em", "o riacho", "fica no riacho"),
        ("De", "as colinas", "Das colinas"),
        ("igual a", "a margem", "igual à margem"),
        ("atrapalha", "a noite", "atrapalha a noite"),
        ("por", "aldeia", "por aldeia"),
        ("com", "a noite", "com a noite"),
    ],
)
def test_a_preposition_is_run_together_with_a_word_s_article(own: Path, before: str, word: str, told: str) -> None:
    write(own, "toy.pt.yaml", f'a: "{before} {{what}}"\n')
    write(own, "toy.en.yaml", 'a: "by {what}"\n')
    texts = {"pt": Text("pt", {"modifiers.it": word}), "en": Text("en", {"modifiers.it": "the night"})}
    term = Term("modifiers", "it")
    assert PT.of(texts)("toy.a", what=term) == told
    assert PT.of(texts)("toy.a", what=(term, "x")) == f"{told}, x"
    assert PT.of(texts)("toy.a", what=word) == f"{before} {word}", "what somebody wrote stands as it is"
    assert EN.of(texts)("toy.a", what=term) == "by the night"


def test_messages_stand_in_messages(own: Path) -> None:
    write(own, "toy.pt.yaml", 'out: "fora: {why}"\nwhy: "é {n}"\n')
    write(own, "toy.en.yaml", 'out: "out: {why}"\nwhy: "is {n}"\n')
    nested = message("toy.out", why=message("toy.why", n=2.5))
    assert (EN.say(nested), PT.say(nested)) == ("out: is 2.5", "fora: é 2,5")


@pytest.mark.parametrize(
    ("value", "en", "pt"),
    [
        (2, "2", "2"),
        (2.5, "2.5", "2,5"),
        (Fraction(5, 2), "2.5", "2,5"),
        (-1.5, "-1.5", "-1,5"),
        (12345, "12345", "12345"),
        ("2.5", "2.5", "2.5"),
        ((1, "a", 0.5), "1, a, 0.5", "1, a, 0,5"),
        (True, "True", "True"),
    ],
)
def test_numbers_are_written_as_the_language_does(value: Any, en: str, pt: str) -> None:
    assert (EN.value(value), PT.value(value)) == (en, pt)


@pytest.mark.parametrize(
    ("spec", "value", "en", "pt"),
    [
        ("+", 2, "+2", "+2"),
        ("+", -2, "-2", "-2"),
        ("+", 0, "0", "0"),
        ("+", 0.5, "+0.5", "+0,5"),
        (",", 4000000, "4,000,000", "4.000.000"),
        ("or", ("a", 0.5), "a or 0.5", "a ou 0,5"),
        ("or", ("a", "b", "c"), "a, b, or c", "a, b ou c"),
        ("or", (), "", ""),
    ],
)
def test_formats(own: Path, spec: str, value: Any, en: str, pt: str) -> None:
    write(own, "toy.en.yaml", f'x: "<{{n:{spec}}}>"\n')
    assert (EN("toy.x", n=value), PT("toy.x", n=value)) == (f"<{en}>", f"<{pt}>")


def test_plural_forms_are_those_of_the_language(own: Path) -> None:
    write(
        own,
        "toy.en.yaml",
        'a: {one: "{count} unit", other: "{count} units"}\nb: {by: n, one: single, other: many}\n',
    )
    write(own, "toy.pt.yaml", 'a: {one: "{count} unidade", other: "{count} unidades"}\n')
    write(own, "toy.pl.yaml", "a: {one: jeden, few: '{count} few', many: '{count} many', other: '{count} other'}\n")
    assert [EN("toy.a", count=n) for n in (0, 1, 2)] == ["0 units", "1 unit", "2 units"]
    assert [PT("toy.a", count=n) for n in (0, 1, 2, 1.5)] == ["0 unidade", "1 unidade", "2 unidades", "1,5 unidade"]
    assert [Words("pl")("toy.a", count=n) for n in (1, 3, 5)] == ["jeden", "3 few", "5 many"]
    assert [EN("toy.b", n=n) for n in (1, 2)] == ["single", "many"]
    assert EN("toy.a", count="several") == "several units"


COUNTS = st.integers(-3, 200) | st.floats(-3, 3) | st.sampled_from([1.0, -1.0, 1e6, 1e20])


@given(COUNTS, st.sampled_from(["en", "pt", "pl", "ar", "sv"]))
def test_plural_forms_and_decimals_are_those_of_the_library(count: float, language: str) -> None:
    words = Words(language)
    assert words._form(count) == Locale.parse(language).plural_form(count)
    tenths = round(count * 10) / 10
    assert words.number(tenths) == format_decimal(tenths, locale=language, group_separator=False)


def test_what_a_language_counts_like_is_asked_of_the_library_once(tmp_path: Path) -> None:
    asked = (
        "import sys; from hexforge.scenarios.text.words import Words; pt = Words('pt');"
        "print(pt._form(0), pt._form(2), pt.number(2.5), 'babel.localedata' in sys.modules"
        " and bool(sys.modules['babel.localedata']._cache))"
    )
    said = []
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", asked],
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        said.append(run.stdout.split())
    assert said == [["one", "other", "2,5", "True"], ["one", "other", "2,5", "False"]]


def test_a_language_without_the_text_falls_back_to_english(own: Path) -> None:
    write(own, "toy.en.yaml", "a: said\nb: also\n")
    write(own, "toy.xx.yaml", "a: XX\n")
    assert [Words("xx")("toy.a"), Words("xx")("toy.b")] == ["XX", "also"]
    assert Words("xx").number(2.5) == "2.5"


def test_an_own_folder_goes_first_key_by_key(own: Path) -> None:
    write(own, "system.pt.yaml", "ENOENT: sumiu\n")
    assert PT("system.ENOENT") == "sumiu"
    assert PT("system.EISDIR") == "é uma pasta"
    write(own, "system.xx.yaml", "ENOENT: XX\n")
    assert {"en", "pt", "xx"} <= set(languages())


def test_an_unknown_key_is_an_error() -> None:
    for key in ("toy.a", "system.no-such", "system", "scenario.map", ""):
        assert not EN.has(key)
        with pytest.raises(KeyError):
            EN(key)


def test_a_section_is_all_below_a_key(own: Path) -> None:
    write(own, "toy.en.yaml", "a: {b: 1, c: {d: 2}}\nab: 3\n")
    write(own, "toy.pt.yaml", "a: {b: um}\n")
    assert PT.section("toy.a") == {"b": "um", "c.d": "2"}
    assert EN.section("toy") == {"a.b": "1", "a.c.d": "2", "ab": "3"}


def test_terms_are_the_games_words_and_small_within_a_sentence(own: Path) -> None:
    write(own, "toy.en.yaml", 'a: "{side}: {ground} at {place}"\n')
    texts = {
        "en": Text("en", {"terrain.forest": "Forest", "sides.german": "German", "places.metz.name": "Metz"}),
        "pt": Text("pt", {"terrain.forest": "Floresta", "sides.german": "Alemão"}),
    }
    said = message(
        "toy.a", side=Term("sides", "german"), ground=Term("terrain", "forest"), place=Term("places", "metz")
    )
    assert EN.of(texts).say(said) == "German: forest at Metz"
    assert PT.of(texts).say(said) == "alemão: floresta at Metz"
    assert PT.of(texts).heading("terrain", "forest") == "Floresta"
    assert EN.say(said) == "german: forest at metz"


def test_an_error_carries_its_message() -> None:
    error = BadValueError(message("scenario.value.number", given="'x'"))
    assert isinstance(error, ValueError)
    assert (str(error), PT.say(error.message)) == ("'x' is not a whole number", "'x' não é um número inteiro")


def test_messages_are_values() -> None:
    assert message("a.b", x=1, y=(Term("sides", "german"),)) == Message(
        "a.b", (("x", 1), ("y", (Term("sides", "german"),)))
    )
    assert len({message("a.b", x=1), message("a.b", x=1), message("a.b", x=2)}) == 2


# --------------------------------------------------------------------------------------- the catalogues themselves

DOMAINS = sorted({path.name.split(".")[0] for path in FOLDER.glob(f"*.{SOURCE}.yaml")})
OTHERS = sorted({path.name.split(".")[1] for path in FOLDER.glob("*.*.yaml")} - {SOURCE})
ENUMERATED = {"click", "glossary", "ledger", "notation", "talk", "terms"}
"""Domains that are read as a whole: their keys are the game's and the notation's own words, those of talk and what
their sections are for, or texts of Click, of which each version says others."""


def fields(text: Any) -> set[str]:
    """The parameters of a text, those of all its plural forms together."""
    if isinstance(text, Mapping):
        return set().union(*(fields(form) for name, form in text.items() if name != "by"))
    return {name for _, name, _, _ in string.Formatter().parse(str(text)) if name is not None}


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("domain", DOMAINS)
def test_every_language_says_the_same_things(domain: str, language: str) -> None:
    en, other = catalogue(domain, SOURCE), catalogue(domain, language)
    # What stands for a value in a usage line is in English what the code says.
    assert {key for key in other if not key.startswith("metavars.")} == set(en)
    strange = {key: fields(other[key]) - fields(text) for key, text in en.items()}
    # Of XML that cannot be read the library's English says more than our own words.
    assert {key: names for key, names in strange.items() if names} == (
        {"xml": {"line", "column"}} if domain == "vassal" else {}
    )


@cache
def literals() -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    """All strings in the sources (options without their dashes), and patterns of those that values are put into.

    Drawings and the starter game name keys too, and whoever asks for a section uses all of it.
    """
    plain: set[str] = set(get_args(ErrorType))
    made: set[str] = set()
    for folder, pattern in (("art", "**/*.svg"), ("art", "**/*.html"), ("modulegen/starter", "*")):
        for path in (ROOT / folder).glob(pattern):
            if path.is_file():
                plain.update(re.findall(r"[\w.-]+", path.read_text("utf-8", errors="replace")))
    for path in (p for package in ("scenarios", "modulegen", "validator") for p in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                plain |= {node.value, node.value.strip("-")}
            elif isinstance(node, ast.JoinedStr):
                parts = (re.escape(str(v.value)) if isinstance(v, ast.Constant) else "(.+)" for v in node.values)
                made.add("".join(parts))
            elif (
                isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant) and isinstance(node.op, ast.Add)
            ):
                made.add(re.escape(str(node.left.value)) + "(.+)")
            elif (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "section"
            ):
                made |= {re.escape(a.value) + r"\..+" for a in node.args if isinstance(a, ast.Constant)}
    for path in (p for p in (ROOT / "validator" / "report" / "templates").rglob("*") if p.is_file()):
        plain |= set(re.findall(r'"([\w.-]+)"', path.read_text("utf-8")))
    return frozenset(plain), tuple(
        re.compile(pattern) for pattern in made if re.search(r"[a-z]{2,}|\)\\\.\(", pattern)
    )


def is_used(domain: str, key: str) -> bool:
    """Whether a key stands in the sources, with or without its domain, whole or put together from literals."""
    plain, made = literals()
    found = (pattern.fullmatch(name) for name in (f"{domain}.{key}", key) for pattern in made)
    return not plain.isdisjoint((f"{domain}.{key}", key)) or any(m and plain.issuperset(m.groups()) for m in found)


@pytest.mark.parametrize("domain", sorted(set(DOMAINS) - ENUMERATED))
def test_no_key_is_used_by_nobody(domain: str) -> None:
    keys = catalogue(domain, SOURCE)
    # The kinds of weather are the games'.
    assert [key for key in keys if not is_used(domain, key) and ".weather_" not in key] == []


def test_a_key_that_nobody_uses_would_be_told() -> None:
    assert is_used("scenario", "unknown.area")
    assert is_used("scenario", "map.way-jumps")
    assert not is_used("scenario", "map.way-sings")
    assert not is_used("scenario", "unknown.aria")
