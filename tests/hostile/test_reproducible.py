"""The same game gives the same bytes wherever and however it is built; another game another version."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests import starters
from tests.commands import here


def built(game: Path, out: Path, *words: str, env: dict[str, str] | None = None) -> bytes:
    done = here("modulegen", "build", game, "--out", out, "--json", *words, env=env)
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)
    return Path(found["path"]).read_bytes()


@pytest.fixture
def first(game: Path, tmp_path: Path) -> bytes:
    return built(game, tmp_path / "first", "--no-cache", "--jobs", "1")


def test_neither_place_nor_hour_nor_language_nor_luck_changes_a_byte(
    game: Path, tmp_path: Path, first: bytes
) -> None:
    away = tmp_path / "outro lugar — 日本" / "jogo"
    shutil.copytree(game, away)
    env = {
        "PYTHONHASHSEED": "7",
        "TZ": "Asia/Kathmandu",
        "LC_ALL": "C",
        "LANG": "pt_BR.UTF-8",
        "HEXFORGE_LANG": "pt",
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "other cache"),
        "SOURCE_DATE_EPOCH": "12345",
    }
    before = os.umask(0o077)
    try:
        cold = built(away, tmp_path / "dois", "--jobs", "2", env=env)
        warm = built(away, tmp_path / "três", "--jobs", "3", env=env)
    finally:
        os.umask(before)
    assert cold == first
    assert warm == first


def test_windows_line_ends_change_nothing(game: Path, tmp_path: Path, first: bytes) -> None:
    for path in (p for p in game.iterdir() if p.is_file()):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert built(game, tmp_path / "dist") == first


CHANGES = [
    ("text.pt.yaml", "Norte", "Nortada"),
    ("counters.csv", ",3,3,4,,2,2,", ",9,3,4,,2,2,"),
    ("map.yaml", "  .f....hhh...", "  ff....hhh..."),
    ("setup.yaml", '"0805"', '"0806"'),
    ("game.yaml", "start: 1944-09-17", "start: 1944-09-18"),
]


def version(game: Path, out: Path) -> str:
    """The version of the game as it is built now, which its module must tell as well."""
    done = here("modulegen", "build", game, "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)
    shown = json.loads(here("modulegen", "inspect", "--json", found["path"]).stdout)
    assert found["version"] in json.dumps(shown)
    return str(found["version"])


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The version of the starter game as it comes."""
    folder = tmp_path_factory.mktemp("unchanged")
    starters.write(folder / "river-war")
    return version(folder / "river-war", folder / "dist")


@pytest.mark.parametrize("change", CHANGES, ids=[c[0] for c in CHANGES])
def test_the_version_moves_when_the_content_does(
    game: Path, tmp_path: Path, change: tuple[str, str, str], unchanged: str
) -> None:
    file, old, new = change
    text = (game / file).read_text("utf-8")
    assert old in text
    (game / file).write_text(text.replace(old, new, 1), "utf-8")
    assert version(game, tmp_path / "changed") != unchanged


def test_the_version_comes_back_when_the_content_does(game: Path, tmp_path: Path, unchanged: str) -> None:
    file, old, new = CHANGES[0]
    text = (game / file).read_text("utf-8")
    (game / file).write_text(text.replace(old, new, 1), "utf-8")
    out = tmp_path / "dist"
    assert version(game, out) != unchanged
    (game / file).write_text(text, "utf-8")
    assert version(game, out) == unchanged


def test_a_difference_is_told_in_words(game: Path, tmp_path: Path) -> None:
    before = tmp_path / "before.vmod"
    assert here("modulegen", "build", game, "--out", before).returncode == 0
    text = (game / "counters.csv").read_text("utf-8")
    (game / "counters.csv").write_text(text.replace(",3,3,4,,2,2,", ",9,3,4,,2,2,", 1), "utf-8")
    after = tmp_path / "after.vmod"
    assert here("modulegen", "build", game, "--out", after).returncode == 0
    done = here("modulegen", "diff", before, after)
    assert done.returncode == 1
    assert "no-1-1.FullAttack: 3 -> 9" in done.stdout
    assert max(map(len, done.stdout.splitlines())) < 400
    assert json.loads(here("modulegen", "diff", "--json", before, after).stdout)
