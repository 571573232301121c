"""Commands of the compiler in this process, and games spoilt for them."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from hexforge.modulegen.cli import main


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(w) for w in words])


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
