"""What a disk that is full leaves of a build: what stood there before, and nothing else."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hexforge.modulegen import archive
from hexforge.modulegen.cli import main
from hexforge.scenarios.text import files


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(w) for w in words])


def full(path: Path, *_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("out", ["dist", "dist/2026/autumn", "dist/own.vmod"])
def test_no_folder_that_was_made_for_a_module(
    game: Path, home: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    monkeypatch.setattr(archive, "put_file", full)
    result = run("build", game, "--out", home / out)
    assert result.exit_code == 2 and os.strerror(errno.ENOSPC) in result.stderr
    assert list(home.iterdir()) == []


def test_a_folder_that_stood_there_stays(game: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "dist").mkdir()
    monkeypatch.setattr(archive, "put_file", full)
    assert run("build", game, "--out", home / "dist").exit_code == 2
    assert list(home.iterdir()) == [home / "dist"]


def test_of_two_modules_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = files.put
    monkeypatch.setattr(
        archive, "put_file", lambda path, data: (full if path.suffix == ".vmdx" else write)(path, data)
    )
    result = run("build", "normandy", "--out", home / "dist")
    assert result.exit_code == 2, result.output
    assert list(home.iterdir()) == []


def test_of_the_schemas_all_or_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "write_text", full)
    result = run("schema", "--out", home / "schemas")
    assert result.exit_code == 2 and os.strerror(errno.ENOSPC) in result.stderr
    assert list(home.iterdir()) == []
