"""Fixtures shared by all tests."""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from hexforge import modulegen, scenarios, validator
from hexforge.validator import games

# A gate judges the change before it, not its luck: it draws the same few examples each time. Elsewhere
# they are new.
settings.register_profile("search", deadline=None)
settings.register_profile("gate", deadline=None, derandomize=True, database=None, max_examples=25)
settings.load_profile(os.environ.get("HEXFORGE_EXAMPLES", "search"))

ROOT = Path(__file__).resolve().parent.parent
# Long runs over ground that shorter tests cover as well, and runs of other processes: to trace them takes minutes
# and shows no other branch.
UNTRACED = (
    *(
        "tests/cases/test_catalogue_process.py",
        "tests/cases/test_mutated_sheets.py",
    ),
    "tests/compiler/test_combat.py",
    *("tests/docs/", "tests/fuzz/", "tests/generator/", "tests/test_wheel.py", "tests/witness/"),
    *("tests/referee/test_assumed_data.py", "tests/referee/test_combat_selfplay.py"),
    "tests/referee/test_movement_fuzz.py",
    *("tests/referee/test_movement_properties.py", "tests/referee/test_whole_games.py"),
    "tests/readers/test_sheet_round_trip.py",
    *("tests/transcribe/test_cheats.py::test_it", "tests/transcribe/test_secrets.py"),
    *(
        f"tests/transcribe/test_cheats.py::test_an_honest_game_is_accused_of_nothing[{game}"
        for game in ("bas", "metz")
    ),
)
# Games and cases that are made logs of and read back: the sheets of the examples show what the others do.
LOGS = "tests/transcribe/test_logs_from_sheets.py::test_"
REPEATED = (
    *(LOGS + name for name in ("cases", "an_example_has_the_same_verdict_as_its_log[en", "an_example_comes_back")),
    f"{LOGS}an_example_has_the_same_verdict_as_its_log[pt-turn16",
    *("tests/hostile/", "tests/vassal/test_real_files.py", "tests/vassal/test_engine_logs.py"),
    *("tests/transcribe/test_logs_in_engine.py", "tests/words/test_pseudo_language.py"),
    *("tests/vassal/test_commands.py", "tests/vassal/test_traits.py"),
    *("tests/render/test_board_drawing.py", "tests/render/test_charts_print.py"),
    *("tests/scenarios/test_printed_setup.py", "tests/referee/test_combat_retreat.py::test_every"),
)

# Two thousand cases go the same ways again and again: one in so many shows the branches that all of them take.
TRACED_CASES = 10


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.pluginmanager.hasplugin("_cov"):
        _import_all()
        cases = [item for item in items if item.nodeid.startswith("tests/cases/test_catalogue.py")]
        repeats = {item for i, item in enumerate(cases) if i % TRACED_CASES}
        for item in items:
            if item in repeats or item.nodeid.startswith((*UNTRACED, *REPEATED)):
                item.add_marker("no_cover")


def _import_all() -> None:
    """What a module declares is run once: when it is imported, which an untraced test may be the first to do."""
    for package in (modulegen, scenarios, validator):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__"):
                importlib.import_module(found.name)


@pytest.fixture(autouse=True)
def _no_game_is_learned_for_others() -> Iterator[None]:
    """A game that a test makes known by name (`--game DIR`) is known to no other test."""
    before = dict(games._FOLDERS)
    yield
    games._FOLDERS.clear()
    games._FOLDERS.update(before)


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
