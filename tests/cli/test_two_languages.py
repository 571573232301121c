"""Whatever is said is said in English and in Portuguese, of the same things; no sentence stands in one alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from hexforge.modulegen import starter
from hexforge.modulegen.build import build
from hexforge.modulegen.build_key import Options
from hexforge.modulegen.vassal.archive import Archive
from hexforge.modulegen.vassal.inspect import _NAMED, describe, in_words
from hexforge.scenarios import commands, yamlfile
from hexforge.scenarios.console import Problem, ScenarioError, message_of
from hexforge.scenarios.keys import YAML_FILES
from hexforge.scenarios.schema.declared import Model
from hexforge.scenarios.text.words import Words, catalogue
from hexforge.validator.judging.check import check_file
from tests import starters

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = sorted(p for package in ("scenarios", "modulegen", "validator") for p in (ROOT / package).rglob("*.py"))
ONE = {
    "BadParameter",
    "BuildError",
    "BuildFileError",
    "ClickException",
    "Damage",
    "FormatError",
    "Problem",
    "RenderError",
    "UsageError",
    "Unusable",
    "echo",
    "fail",
    "secho",
}
"""Calls whose texts somebody reads, so that a sentence may come to them only by one of the others."""
SENTENCE = re.compile(r"[A-Za-z]{2,},? [a-z]{2,}")


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


@cache
def calls() -> list[tuple[str, ast.Call]]:
    return [
        (f"{path.relative_to(ROOT)}:{node.lineno}", node)
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
    ]


def parts(node: ast.expr) -> tuple[str, set[str]] | None:
    """A literal's words, and what is put in; None for what is no literal."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value, set(re.findall(r"(?<!%)\{\w*\}|%\(\w+\)s", node.value))
    if isinstance(node, ast.JoinedStr):
        words = "".join(str(v.value) for v in node.values if isinstance(v, ast.Constant))
        return words, {ast.unparse(v) for v in node.values if isinstance(v, ast.FormattedValue)}
    return None


def test_no_sentence_stands_in_english_alone() -> None:
    for where, call in calls():
        if name_of(call) in ONE and where.startswith(("scenarios/", "modulegen/")):
            for argument in [*call.args, *(k.value for k in call.keywords if k.arg != "file")]:
                found = parts(argument)
                assert found is None or not SENTENCE.search(found[0]), f"{where}: {found}"


PT = Words("pt")
BROKEN = {
    "a: [1, 2": "não pode ser lido como YAML a partir da coluna",
    "a: 1\n b: 2": "não pode ser lido como YAML a partir da coluna 3, em `b: 2` (",
    'a: "open': "não pode ser lido como YAML a partir da coluna",
    "a: *b": "não pode ser lido como YAML a partir da coluna 4, em `a: *b` (",
    "a: !x 1": "não pode ser lido como YAML a partir da coluna 4, em `a: !x 1` (",
    "a: 1\na: 2": "a chave 'a' está duas vezes",
    "- 1": "não é uma lista de chaves com valores",
    "a: \x01": "há o caractere de controle '\\x01' num texto",
    "[" * 50: "mais de 40 níveis, um dentro do outro",
    "a: " + "*b " * 101: "mais de 100 referências (*)",
}
ENGLISH = re.compile(r"\b(the|of|is|are|was|with|found|expected|while|did|not|should|must|value|key|input)\b", re.I)


@pytest.mark.parametrize("text", BROKEN)
def test_broken_yaml_is_told_in_portuguese(text: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        yamlfile.parse(text, Path("x.yaml"))
    (problem,) = caught.value.problems
    told = PT.value(problem.message)
    assert told.startswith(BROKEN[text])
    # What the library says in detail stands in brackets behind, in English.
    assert not ENGLISH.search(told.partition(" (")[0])


def leaves(value: Any, where: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield where
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from leaves(inner, (*where, key))


def changed(value: Any, where: tuple[Any, ...], new: Any) -> Any:
    if not where:
        return new
    key, *rest = where
    if isinstance(value, dict):
        return {**value, key: changed(value[key], tuple(rest), new)}
    return [changed(inner, tuple(rest), new) if i == key else inner for i, inner in enumerate(value)]


STRANGE: tuple[Any, ...] = (
    None,
    [],
    {},
    "",
    "x y",
    "é" * 300,
    -7,
    10**30,
    0.3,
    float("inf"),
    True,
    ["a", {}],
    [1] * 300,
)


@pytest.mark.parametrize("file", YAML_FILES)
def test_every_mistake_that_a_schema_finds_is_told_in_portuguese(file: str, tmp_path: Path) -> None:
    folder = tmp_path / "game"
    starters.write(folder)
    raw = yamlfile.parse((folder / file).read_text("utf-8"), folder / file)
    if file == "game.yaml":
        family = commands.HOME / "somnium" / "family.yaml"
        raw = {**yamlfile.parse(family.read_text("utf-8"), family), **raw}
    schema: type[Model] = YAML_FILES[file]
    kinds: set[str] = set()
    for where in leaves(raw):
        for strange in STRANGE:
            try:
                schema.model_validate(changed(raw, where, strange))
            except ValidationError as error:
                for item in error.errors(include_url=False):
                    kinds.add(item["type"])
                    told = PT.say(message_of(item))
                    assert not ENGLISH.search(re.sub(r"'[^']*'|\[.*?\]|\(.*?\)", "", told)), told
    assert kinds - {"value_error"} <= {key.removeprefix("schema.") for key in catalogue("scenario", "pt")}
    assert len(kinds) > 4


STARTERS = {*starter.EXTENSION_FILES, *(source for files in starter.LIKE.values() for source in files)}


def test_a_starter_file_says_in_both_languages_what_it_says_in_one() -> None:
    home = Path(starter.__file__).parent
    for source in STARTERS:
        if "{language}" in source:
            en, pt = ((home / source.format(language=x)).read_text("utf-8") for x in ("en", "pt"))
            assert en.count("\n") == pytest.approx(pt.count("\n"), abs=3)
            if "README" in source:
                assert re.findall(r"^    (\S+ \S+ \S+)", en, re.M) == re.findall(r"^    (\S+ \S+ \S+)", pt, re.M)
        elif source.endswith(".yaml") and "text." not in source:
            text = (home / source).read_text("utf-8")
            assert not re.search(r"(?m)^ *# (?!<<)", text), f"{source}: a comment in one language"


def test_every_comment_of_the_starter_has_its_place() -> None:
    for code in ("en", "pt"):
        placed = {
            key if "." in key else f"{source.split('.')[0]}.{key}"
            for source in STARTERS
            if "{language}" not in source
            for key in re.findall(r"<<([\w.-]+)>>", (Path(starter.__file__).parent / source).read_text("utf-8"))
        }
        assert placed == set(catalogue("starter", code))


@pytest.mark.parametrize("like", starter.LIKE)
def test_the_starter_game_is_the_same_in_both_languages(like: str, tmp_path: Path) -> None:
    verdicts = []
    for code in ("en", "pt"):
        folder = tmp_path / code / "game"
        starters.write(folder, code, starter.LIKE[like])
        for path in folder.rglob("*"):
            if path.suffix in (".yaml", ".md", ".sheet", ".csv") and path.name != "README.md":
                assert not re.search(r"(?m)^ *@(en|pt) |<<|>>", path.read_text("utf-8")), path
        answers = [check_file(path) for path in sorted(folder.glob("examples/*.sheet"))]
        verdicts.append([(a.verdict, [(f.code, f.line) for f in a.findings]) for a in answers])
    assert verdicts[0] == verdicts[1]
    assert [verdict for verdict, _ in verdicts[0]] == ["illegal", "legal"]


def test_problems_are_told_in_the_language_that_is_asked_for() -> None:
    with pytest.raises(ScenarioError) as caught:
        commands.find("atlantis")
    assert "is neither a game (known: bastogne" in str(caught.value)
    assert "não é um jogo (conhecidos: bastogne" in caught.value.text(PT)
    assert isinstance(caught.value.problems[0], Problem)


def test_every_key_of_a_description_has_a_word(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    starters.write(folder)
    module = build(folder, Options(tmp_path / "x.vmod", jobs=1, cache=False)).path

    def keys(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield key
                if key not in _NAMED or isinstance(inner, list):
                    yield from keys(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from keys(inner)

    with Archive(module) as archive:
        save = tmp_path / "x.vsav"
        save.write_bytes(archive.read("setup.vsav"))
    for path in (module, save):
        assert set(keys(describe(path))) <= set(PT.section("vassal.inspect.keys"))
        assert in_words(describe(path), PT).keys() != describe(path).keys()
