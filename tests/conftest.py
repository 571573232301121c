"""Fixtures shared by all tests."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings
from slipcover import pytest_plugin as measured

from hexforge.scenarios.commands import COLLECTED
from hexforge.validator.notation import games
from tests.built import SHARED
from tests.examples import FULL

# The gate judges the change before it, not its luck: it draws the same few examples each time. `make full` draws
# new ones.
settings.register_profile("search", deadline=None)
settings.register_profile("gate", deadline=None, derandomize=True, database=None, max_examples=10)
settings.load_profile("search" if FULL else "gate")

ROOT = Path(__file__).resolve().parent.parent


LONGEST = (
    "witness/test_built_modules.py",
    "test_wheel.py",
    "browser/test_page.py",
    "transcribe/test_logs_from_sheets.py",
    "cases/test_catalogue.py",
    "witness/test_built_combats.py",
    "browser/test_map_page.py",
    "cli/test_new_like.py",
    "transcribe/test_cheats.py",
    "words/test_pseudo_language.py",
    "generator/test_mistakes.py",
    "browser/test_serve_pages.py",
    "cli/test_jobs.py",
    "compiler/test_combat.py",
    "transcribe/test_logs_in_engine.py",
    "compiler/test_module_in_engine.py",
    "referee/test_assumed_data.py",
    "hostile/test_console.py",
    "vassal/test_engine_logs.py",
    "games/test_cases_of_own_games.py",
    "drafting/test_import.py",
    "drafting/test_bind.py",
    "referee/test_continuing.py",
    "integrity/test_audit.py",
    "compiler/test_modulegen_build.py",
    "transcribe/test_position_as_witness.py",
    "witness/test_built_whole_turns.py",
    "render/test_board_drawing.py",
    "docs/test_shown.py",
    "games/test_generated_fights.py",
    "referee/test_combat_selfplay.py",
    "hostile/test_interrupted.py",
)
"""Files that take longest, each seven seconds or more: who began with one at the end would end alone."""


PASSED_BEFORE_TAKEN_OUT = 5_000
"""How often code is passed before slipcover takes the probes out of all that was passed, for which it looks through
every function that there is: a tenth of a second each time, and hundreds of times at 50, its own figure."""


def _measuring() -> list[Any]:
    """What measures coverage in this process, if anything does."""
    handed = getattr(measured, "_slipcover_instance", None)
    return [found for found in (handed, *(getattr(finder, "sci", None) for finder in sys.meta_path)) if found]


def pytest_configure(config: pytest.Config) -> None:
    """A cache of their own for all tests and for all that they start: never the user's, and new for each run.

    The processes of a run share it, so that a picture is drawn once. Tests of what happens without it, or to it,
    have their own.

    Garbage is looked for as rarely as the commands do: to collect thousands of tests makes objects that all stay.
    """
    gc.set_threshold(*COLLECTED)
    for measuring in _measuring():
        # Its setting for this does not reach the processes that tests are handed to.
        measuring.d_miss_threshold = PASSED_BEFORE_TAKEN_OUT
        # Each process would read all files that it has not seen, and it sees none by its own path, but by the links
        # in `hexforge/`. `covered.py` counts what none has seen.
        measuring.source = None
    if not hasattr(config, "workerinput"):
        folder = TemporaryDirectory(prefix="hexforge-tests-")
        config.add_cleanup(folder.cleanup)
        os.environ["XDG_CACHE_HOME"] = folder.name
        shared = Path(folder.name) / "of-tests"
        shared.mkdir()
        os.environ[SHARED] = str(shared)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Imports a share of all test modules, before all of them are imported.

    What pytest makes of a module's assertions is kept in a file. Processes that begin with the same module would
    make the same of each at the same time, a third of the work of collecting: one that begins with a share of its
    own finds what the others have made.
    """
    own = getattr(session.config, "workerinput", None)
    if own is None or sys.dont_write_bytecode or session.config.args != session.config.getini("testpaths"):
        return
    every = sorted((ROOT / "tests").rglob("test_*.py"))
    for path in every[int(own["workerid"].removeprefix("gw")) :: own["workercount"]]:
        # What is wrong with a module is told when it is collected.
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The longest files first; what is marked `full` is left out unless `HEXFORGE_FULL=1`, or `-m` names it."""
    if not FULL and "full" not in config.option.markexpr:
        more = [item for item in items if item.get_closest_marker("full")]
        config.hook.pytest_deselected(items=more)
        items[:] = [item for item in items if not item.get_closest_marker("full")]
    place = {ROOT / "tests" / name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(place)))


_seconds: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """How long each file of tests takes, for `tests/quick.py`."""
    _seconds[report.nodeid.partition("::")[0]] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Whoever hands out the tests keeps it."""
    cache = getattr(session.config, "cache", None)
    if cache is not None and not hasattr(session.config, "workerinput"):
        known = cache.get("hexforge/seconds", {})
        cache.set("hexforge/seconds", known | {name: round(took, 2) for name, took in _seconds.items()})


def pytest_collection_finish() -> None:
    """Whatever collects garbage later need not go through all tests and all modules each time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def _what_is_kept_is_not_looked_through_again() -> None:
    """Games that tests of other modules keep to judge them once grow to millions of objects."""
    gc.collect()
    gc.freeze()


@contextmanager
def _as_learned_before() -> Iterator[None]:
    before = dict(games._FOLDERS)
    yield
    games._FOLDERS.clear()
    games._FOLDERS.update(before)


@pytest.fixture(autouse=True, scope="module")
def _no_game_is_learned_for_other_modules() -> Iterator[None]:
    """A game that a module's fixture makes known by name (`games.learn`) is known to no other module."""
    with _as_learned_before():
        yield


@pytest.fixture(autouse=True)
def _no_game_is_learned_for_others() -> Iterator[None]:
    """A game that a test makes known by name (`--game DIR`) is known to no other test."""
    with _as_learned_before():
        yield


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of other people's VASSAL files; absent from a stranger's clone.

    `HEXFORGE_SHARED` names the folder that holds `data/` (default: `shared` beside the project).
    With `HEXFORGE_REQUIRE_SHARED=1` its absence is a failure, so that a gate cannot skip these tests unseen.
    """
    folder = Path(os.environ.get("HEXFORGE_SHARED", ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        if os.environ.get("HEXFORGE_REQUIRE_SHARED") == "1":
            pytest.fail(f"HEXFORGE_REQUIRE_SHARED=1, but there is no {folder}")
        pytest.skip(f"other people's VASSAL files are not here ({folder})")
    return folder
