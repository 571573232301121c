"""Modules of the games that come with the program: each is compiled once for all processes of a run."""

from __future__ import annotations

import fcntl
import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hexforge.modulegen.build import compile_plan
from hexforge.modulegen.draw import Cache
from hexforge.modulegen.plan import Plan, plan
from hexforge.scenarios import load
from hexforge.scenarios.text.files import cache_folder, put

SHARED = "HEXFORGE_TESTS"
"""Variable of the folder that the processes of a run share; without it each has one of its own."""


@cache
def _home() -> Path:
    return Path(os.environ.get(SHARED) or _own().name)


@cache
def _own() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="modules-")


@cache
def compiled(game: str, language: str) -> tuple[Plan, bytes, str]:
    """The plan of a game's module, the module, and its version; who asks while it is compiled elsewhere waits."""
    assert "HEXFORGE_WORDS" not in os.environ, "words of a test's own are in no shared module"
    planned = plan(load(game), language)
    data, version = (_home() / f"{game}-{language}.{kind}" for kind in ("vmod", "version"))
    with data.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not version.exists():
            module, told = compile_plan(planned, Cache(cache_folder()), 1)
            put(data, module)
            version.write_text(told, "utf-8")
    return planned, data.read_bytes(), version.read_text("utf-8")


def module_file(game: str, language: str) -> Path:
    """The module as a file, which nobody changes."""
    compiled(game, language)
    return _home() / f"{game}-{language}.vmod"
