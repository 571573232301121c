"""Fixtures of the tests that ask VASSAL's own engine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import Engine, missing
from .install import SETUP_HINT

PLAYED = Path(__file__).resolve().parents[1] / "data" / "played"


def stop_unless_ready(lacks: list[str]) -> None:
    """Skips when the witness lacks something; fails instead if `HEXFORGE_REQUIRE_WITNESS=1`."""
    if not lacks:
        return
    text = f"VASSAL's engine cannot run, {SETUP_HINT}: there is no {', no '.join(lacks)}"
    if os.environ.get("HEXFORGE_REQUIRE_WITNESS") == "1":
        pytest.fail(f"HEXFORGE_REQUIRE_WITNESS=1, but {text}")
    pytest.skip(text)


@pytest.fixture(scope="session")
def witness_ready() -> None:
    """The witness can run here."""
    stop_unless_ready(missing())


@pytest.fixture(scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the modules that this run of the tests has built, one for all its processes."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "modules"


@pytest.fixture(scope="session")
def mini(witness_ready: None) -> Iterator[Engine]:
    """An engine with the module `mini.vmod` open, shared by all tests."""
    with Engine() as engine:
        engine.open(PLAYED / "mini.vmod")
        yield engine


@pytest.fixture(autouse=True)
def fresh_problems(request: pytest.FixtureRequest) -> Iterator[None]:
    """No test sees the problems of another."""
    yield
    if "mini" in request.fixturenames:
        request.getfixturevalue("mini").problems.clear()
