"""What is kept of a parsed file is that file's, and a cache that cannot be used is no cache."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hexforge.scenarios.text.files import cache_folder, kept

CALLS: list[bytes] = []


def parse(data: bytes) -> dict[str, str]:
    CALLS.append(data)
    return {"text": data.decode()}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    CALLS.clear()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def test_a_file_is_parsed_once_until_it_changes(home: Path) -> None:
    file = home / "words.yaml"
    file.write_text("one")
    assert [kept(file, parse) for _ in range(3)] == [{"text": "one"}] * 3
    assert CALLS == [b"one"]
    file.write_text("two")
    os.utime(file, ns=(1, 1))
    assert kept(file, parse) == {"text": "two"}


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff", b"[" * 9])
def test_a_damaged_entry_is_made_again(home: Path, damage: bytes) -> None:
    file = home / "words.yaml"
    file.write_text("one")
    kept(file, parse)
    (entry,) = (cache_folder() / "parsed").iterdir()
    entry.write_bytes(damage)
    assert kept(file, parse) == {"text": "one"}
    assert entry.read_bytes() == b'{"text": "one"}'


def test_nobody_needs_the_cache(home: Path) -> None:
    (home / "cache").write_text("a file where a folder should be")
    file = home / "words.yaml"
    file.write_text("one")
    assert [kept(file, parse) for _ in range(2)] == [{"text": "one"}] * 2
    assert len(CALLS) == 2
