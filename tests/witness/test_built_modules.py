"""VASSAL's engine opens every module we build and plays each of its set-ups, and has nothing to complain of."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from . import Engine
from .scripted import play_through

pytestmark = pytest.mark.witness

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted(path.parent.name for path in (ROOT / "scenarios").glob("*/game.yaml"))
LANGUAGES = os.environ.get("HEXFORGE_WITNESS_LANGUAGES", "pt en").split()
RUN = "from modulegen.cli import main; main()"


def build(game: str, language: str, folder: Path) -> Path:
    """Builds a game's module afresh, as a user would."""
    command = [sys.executable, "-c", RUN, "build", game, "--lang", language, "--out", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=120)
    assert done.returncode == 0, f"modulegen build {game} --lang {language}:\n{done.stdout}{done.stderr}"
    (module,) = folder.rglob("*.vmod")
    return module


@pytest.fixture(scope="module", params=[f"{game}-{language}" for game in GAMES for language in LANGUAGES])
def built(
    request: pytest.FixtureRequest, witness_ready: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    """An engine with one of our modules open."""
    if importlib.util.find_spec("modulegen.cli") is None:
        pytest.skip("there is no compiler yet")
    game, language = str(request.param).rsplit("-", 1)
    module = build(game, language, tmp_path_factory.mktemp(str(request.param)))
    with Engine() as engine:
        engine.open(module)
        yield engine


def playable(module: dict[str, Any]) -> list[str]:
    """Names of the set-ups that come with a save."""
    return [setup["name"] for setup in module["setups"] if setup["uses_file"]]


def test_opens_without_complaint(built: Engine) -> None:
    assert built.problems == []
    module = built.module
    assert module["name"], "the module is nameless"
    assert module["version"], "the module has no version"
    assert module["slots"], "there is not one piece"
    assert len(module["sides"]) >= 2, "a game has two sides"
    assert module["images"]["unused"] == 0, "there are images that nothing uses"
    assert playable(module), "there is no predefined set-up"


def test_grids_name_what_they_number(built: Engine) -> None:
    """The middle of each hex snaps to itself, and carries a name that no other hex of its grid has."""
    for one in built.module["maps"]:
        for board in one["boards"]:
            if board["grid"] is None or "numbering" not in board["grid"]:
                continue
            built.setup(playable(built.module)[0])
            spots = [(x, y) for x in range(8, board["width"], 40) for y in range(8, board["height"], 40)]
            seen: dict[str, tuple[int, int]] = {}
            for found in built.locations(spots, one["name"]):
                name, snap = found["snap_name"], (found["snap"][0], found["snap"][1])
                assert seen.setdefault(name, snap) == snap or name == "offboard", f"two hexes are called {name}"
            assert len(seen) > 3


def test_every_set_up_plays_logs_and_replays(built: Engine, tmp_path: Path) -> None:
    for setup in playable(built.module):
        built.problems.clear()
        start = built.setup(setup)
        assert built.problems == []
        assert [one for one in start["pieces"] if one["map"] is not None], f"'{setup}' places nothing"
        lost = [one["name"] for one in start["pieces"] if one["location"] in ("", "offboard")]
        assert lost == [], f"'{setup}' leaves pieces off every board"
        assert play_through(built, built.module, setup, tmp_path) == []
        assert built.problems == []


def test_pieces_know_their_palette(built: Engine) -> None:
    """A piece of a set-up is the piece of its slot: same name, same markers as it would be dragged from there."""
    slots = {slot["gpid"]: slot for slot in built.module["slots"]}
    for setup in playable(built.module):
        for piece in built.setup(setup)["pieces"]:
            assert piece["gpid"] in slots, f"'{piece['name']}' has the gpid {piece['gpid']} of no slot"
            for key in ("UnitId", "Side", "Type"):
                assert piece["properties"].get(key) == slots[piece["gpid"]]["properties"].get(key)
