"""`modulegen new --like`: starters of other presets, that are built and judged as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hexforge.modulegen.cli import main as modulegen
from hexforge.modulegen.starter import LIKE, models
from hexforge.scenarios.loader import load
from hexforge.validator.app.cli import main as validator
from hexforge.validator.judging.check import check_file
from tests.examples import leading


def run(language: str, *arguments: object) -> Result:
    return CliRunner().invoke(modulegen, [str(a) for a in arguments], env={"HEXFORGE_LANG": language})


def in_turn(likes: Iterable[str]) -> list[Any]:
    """Each in both languages: the gate tries every other one in each."""
    tried = [(like, ("en", "pt")[i % 2]) for i, like in enumerate(likes)]
    return leading(len(tried), [*tried, *((like, "pt" if lang == "en" else "en") for like, lang in tried)])


@pytest.fixture(params=["en", "pt"])
def classic(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "my-game"
    done = run(request.param, "new", folder, "--like", "classic")
    assert done.exit_code == 0, done.output
    return folder


def test_classic_is_checked_without_a_warning(classic: Path) -> None:
    assert load(classic).game.family == "classic"
    done = run("en", "check", classic)
    assert (done.exit_code, done.output.splitlines()[0]) == (0, "my-game: 0 errors, 0 warnings")


@pytest.mark.parametrize("like", ["classic", "sticky", "supply", "fire"])
def test_each_is_built(tmp_path: Path, like: str) -> None:
    folder = tmp_path / "my-game"
    for arguments in (
        ("new", folder, "--like", like),
        ("build", folder, "--out", tmp_path),
        ("verify", tmp_path / "MyGame.vmod"),
    ):
        done = run("en", *arguments)
        assert done.exit_code == 0, done.output


def test_the_turn_played_well_is_legal(classic: Path) -> None:
    answer = check_file(classic / "examples" / "turn1.sheet")
    assert (answer.verdict, [f.code for f in answer.findings if f.severity == "illegal"]) == ("legal", [])


def test_each_mistake_is_found_in_the_line_below_its_comment(classic: Path) -> None:
    sheet = classic / "examples" / "turn1-mistakes.sheet"
    answer = check_file(sheet)
    found = {f.line: f.code for f in answer.findings if f.severity == "illegal"}
    told = [n for n, line in enumerate(sheet.read_text("utf-8").splitlines(), 1) if line.lstrip().startswith("#")]
    assert list(found) == [n + 1 for n in told[1:]]
    assert list(found.values()) == ["must-stop", "movement-cost", "odds"]


MISTAKES = {
    "sticky": ["must-attack", "odds", "zone-of-engagement"],
    "supply": ["movement-cost", "movement-cost"],
    "fire": ["movement-cost", "odds", "artillery-range"],
}


@pytest.mark.parametrize(("like", "language"), in_turn(MISTAKES))
def test_others_are_checked_and_their_turns_judged(tmp_path: Path, like: str, language: str) -> None:
    """No warning; one turn is legal, and each mistake in the other stands below the comment that tells it."""
    folder = tmp_path / "my-game"
    assert run(language, "new", folder, "--like", like).exit_code == 0
    done = run("en", "check", folder)
    assert (done.exit_code, done.output.splitlines()[0]) == (0, "my-game: 0 errors, 0 warnings")
    assert check_file(folder / "examples" / "turn1.sheet").verdict == "legal"
    sheet = folder / "examples" / "turn1-mistakes.sheet"
    found = {f.line: f.code for f in check_file(sheet).findings if f.severity == "illegal"}
    told = [n for n, line in enumerate(sheet.read_text("utf-8").splitlines(), 1) if line.lstrip().startswith("#")]
    assert found == dict(zip([n + 1 for n in told[1:]], MISTAKES[like], strict=True))


@cache
def all_keys(words: tuple[str, ...], language: str) -> Result:
    """The page of all keys: long to write, and the same whatever the game is like."""
    return run(language, *words)


@pytest.mark.parametrize(("like", "language"), in_turn(LIKE))
def test_the_page_beside_a_starter_shows_commands_that_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, like: str, language: str
) -> None:
    """All are there; those that judge say what the page says of them, in the folder that it speaks of."""
    folder = tmp_path / "my-game"
    assert run(language, "new", folder, "--like", like).exit_code == 0
    page = (folder / "README.md").read_text("utf-8")
    shown = [re.split(r"  +| > ", line.strip())[0].split() for line in page.splitlines() if line.startswith("    ")]
    assert [name for _, name, *_ in shown].count("check") == 3
    monkeypatch.chdir(folder)
    codes = {}
    for program, *rest in shown:
        main = {"modulegen": modulegen, "validator": validator}[program]
        judged = program == "validator" or rest[0] == "check"
        if rest[0] == "keys":
            done = all_keys(tuple(rest), language)
        else:
            words = rest if judged else [rest[0], "--help"]
            done = CliRunner().invoke(main, words, env={"HEXFORGE_LANG": language})
        codes[" ".join(rest)] = done.exit_code
    assert {codes.pop("check examples"), *codes.values()} == {1, 0}, codes
    assert set(codes.values()) == {0}, codes
    for file in re.findall(r"^\| (`.*?`) \|", page, re.M):
        assert all((folder / name).exists() for name in re.findall(r"`(.*?)`", file)), file


def test_the_choice_is_listed_and_another_is_refused(tmp_path: Path) -> None:
    for language in ("en", "pt"):
        told = run(language, "new", "--help").output
        assert [name for name in (*LIKE, *models()) if name not in told] == []
        assert run(language, "new", tmp_path / "a", "--like", "atlantis").exit_code == 2
    assert not (tmp_path / "a").exists()


def test_without_the_choice_the_game_is_what_it_was(tmp_path: Path) -> None:
    assert run("en", "new", tmp_path / "a").exit_code == 0
    assert load(tmp_path / "a").game.family == "somnium"


def test_an_extension_is_like_no_game(tmp_path: Path) -> None:
    for language, said in (("en", "has no rules"), ("pt", "não tem regras")):
        done = run(language, "new", tmp_path / "a", "--kind", "extension", "--like", "classic")
        assert done.exit_code == 2
        assert said in done.output
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("like", leading(2, sorted(models())))
def test_a_model_game_is_written_under_ones_own_name_and_judged(tmp_path: Path, like: str) -> None:
    folder = tmp_path / "my-game"
    done = run("en", "new", folder, "--like", like)
    assert done.exit_code == 0, done.output
    assert (load(folder).name, load(folder).game.module.file) == ("my-game", "MyGame.vmod")
    assert check_file(folder / "examples" / "turn1.sheet").verdict == "legal"
    assert check_file(folder / "examples" / "turn1-mistakes.sheet").verdict == "illegal"


def test_what_there_is_to_be_like_is_told(tmp_path: Path) -> None:
    done = run("en", "new", tmp_path / "my-game", "--like", "kestrl")
    assert done.exit_code == 2 and "kestrel" in done.output and not (tmp_path / "my-game").exists()
