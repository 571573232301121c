"""What is kept of a game is that game's, whatever happened since; and a cache that cannot be trusted is none."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hexforge.scenarios import compiled, loader
from hexforge.scenarios.commands import HOME
from hexforge.scenarios.console import ScenarioError
from hexforge.scenarios.loader import load as load_in_earnest
from hexforge.scenarios.model import Scenario
from hexforge.scenarios.text.files import cache_folder
from hexforge.scenarios.text.hexgrid import USUAL


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("HEXFORGE_NO_CACHE", raising=False)
    for name in ("metz", "somnium"):
        shutil.copytree(HOME / name, tmp_path / name, ignore=shutil.ignore_patterns("examples"))
    return tmp_path / "metz"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that were read in earnest."""
    read: list[Path] = []

    def load(folder: Path, *, strict: bool = True) -> Scenario:
        read.append(folder)
        return load_in_earnest(folder, strict=strict)

    monkeypatch.setattr(loader, "load", load)
    return read


def entries() -> list[Path]:
    return sorted((cache_folder() / "games").glob("*"))


def test_a_game_is_read_once_until_any_file_of_it_changes(game: Path, read: list[Path]) -> None:
    assert USUAL.form.fullmatch("0101"), "what names are like was asked before, and is no part of a game"
    first = compiled.load(game)
    again = compiled.load(game)
    assert again == first == load_in_earnest(game) and again.game == first.game and again.counters == first.counters
    assert again.map.place_at and (again.digest, again.warnings) == (first.digest, first.warnings)
    assert again.references == first.references, "worked out anew where somebody asks"
    assert b"Reference" not in entries()[0].read_bytes()
    assert len(read) == 1
    for name in ("metz/map.yaml", "somnium/family.yaml", "metz/notation.pt.yaml", "metz/text.xx.yaml"):
        path = game.parent / name
        before = path.read_text(encoding="utf-8") if path.exists() else (game / "text.en.yaml").read_text("utf-8")
        path.write_text(f"{before}\n# changed\n", encoding="utf-8")
        count = len(read)
        compiled.load(game)
        compiled.load(game)
        assert len(read) == count + 1, name
    table = game / "counters.csv"
    table.write_text(table.read_text("utf-8").replace("\n", "\nbroken,", 1), encoding="utf-8")
    for _ in range(2):
        with pytest.raises(ScenarioError):
            compiled.load(game)


class Hostile:
    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, ("hostile",)


def test_what_cannot_be_trusted_is_read_anew(
    game: Path, read: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    right = compiled.load(game)
    (entry,) = entries()
    data = entry.read_bytes()
    bad = pickle.dumps(Hostile())
    for content in (b"", data[:-9], data[:99] + b"\0" + data[100:], compiled._sealed(entry, bad) + bad):
        entry.write_bytes(content)
        count = len(read)
        assert compiled.load(game) == right and len(read) == count + 1
        assert entry.read_bytes() == data
    assert not (tmp_path / "hostile").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no modes")
def test_a_folder_that_others_may_write_to_is_not_used(game: Path, read: list[Path]) -> None:
    compiled.load(game)
    (cache_folder() / "games").chmod(0o777)
    assert [compiled.load(game).name for _ in range(2)] == ["metz"] * 2 and len(read) == 3


def test_it_can_be_switched_off_and_is_bounded(
    game: Path, read: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEXFORGE_NO_CACHE", "1")
    compiled.load(game)
    assert len(read) == 1 and not entries()
    monkeypatch.delenv("HEXFORGE_NO_CACHE")
    monkeypatch.setattr(compiled, "MAX_ENTRIES", 2)
    for number in range(3):
        (game / "map.yaml").open("a").write(f"# {number}\n")
        compiled.load(game)
    assert len(entries()) == 2
    (cache_folder() / "games").rename(cache_folder() / "old")
    (cache_folder() / "games").write_text("a file where a folder should be")
    assert compiled.load(game).name == "metz"


def test_an_extension_is_kept_too(game: Path) -> None:
    shutil.copytree(HOME / "normandy", game.parent / "own", ignore=shutil.ignore_patterns("examples"))
    first = compiled.load(game.parent / "own")
    (entry,) = entries()
    when = entry.stat().st_mtime_ns
    again = compiled.load(game.parent / "own")
    assert not first.has_map and again == first == compiled.load_extension(game.parent / "own")
    assert entry.stat().st_mtime_ns == when and (again.digest, again.ledger) == (first.digest, first.ledger)


@pytest.mark.parametrize("example", ["hurtgen/examples/turn2-well.sheet", "normandy/examples/june25-well.sheet"])
def test_a_check_by_a_game_that_is_kept_imports_nothing_that_reads_or_checks_games(
    game: Path, example: str
) -> None:
    sheet = HOME / example
    script = "import atexit, sys; from hexforge.validator.app.cli import main; "
    script += f"atexit.register(lambda: print(*sys.modules)); main(['check', {str(sheet)!r}, '--format', 'json'])"
    words = [sys.executable, "-c", script]
    first, again = (
        set(subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()[-1].split())
        for _ in range(2)
    )
    heavy = {"pydantic", "yaml", "hexforge.scenarios.loader", "hexforge.scenarios.checks.rules", "jinja2", "lxml"}
    if "normandy" not in example:
        heavy.add("hexforge.validator.notation.statements_accounts")
    assert {"pydantic", "hexforge.scenarios.loader"} <= first and not again & heavy


def test_schemas_are_declared_without_the_library_that_checks_by_them() -> None:
    schemas = [*(HOME / "schema").glob("*.py")]
    importing = [path.name for path in schemas if re.search(r"(?m)^(from|import) pydantic", path.read_text())]
    assert len(schemas) > 12 and not importing
