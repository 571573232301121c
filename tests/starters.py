"""Starter games for tests: what `starter.write` writes, written once and copied for each test that asks for it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hexforge.modulegen import starter

_HOMES: list[TemporaryDirectory[str]] = []
"""They go when the tests end."""


def write(folder: Path, language: str = "en", files: Mapping[str, str] = starter.FILES) -> Path:
    """A fresh starter game, to spoil at will; the folder."""
    shutil.copytree(_written(folder.name, language, tuple(files.items())), folder)
    return folder


@cache
def _written(name: str, language: str, files: tuple[tuple[str, str], ...]) -> Path:
    _HOMES.append(TemporaryDirectory(prefix="starters-"))
    folder = Path(_HOMES[-1].name) / name
    starter.write(folder, language, dict(files))
    return folder
