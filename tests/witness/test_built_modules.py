"""VASSAL's engine opens every module we build and plays each of its set-ups, and has nothing to complain of."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from hexforge.modulegen import starter
from hexforge.modulegen.lint.examine import examine
from hexforge.modulegen.render.templates import ModuleWords
from hexforge.modulegen.vassal.buildfile import KINDS, Element, read, write
from hexforge.scenarios.commands import names
from hexforge.scenarios.loader import load
from hexforge.scenarios.model import Scenario
from tests import starters
from tests.built import module_file
from tests.examples import FULL, leading

from . import Engine
from .scripted import play_through

pytestmark = pytest.mark.witness

ROOT = Path(__file__).resolve().parents[2]
GAMES = names()
OWN = [
    f"tests/games/{game}-en"
    for game in (
        "ashvale",
        "corrick",
        "fallowmoor",
        "harrow",
        "karst",
        "longridge",
        "lowmarch",
        "mirefield",
        "sallow",
        "saltway",
        "thornmere",
    )
]
"""Games that are data alone, each with the one language that it has."""
STARTERS = ["starter/fire-en"]
"""Those that `modulegen new` writes, as far as they have what no other game has: pointy tops, hexes called A1."""
OTHER_STARTERS = [like for like in starter.LIKE if like != "fire"]
"""Of these no more is asked than that they open and play, in the language that `fire` is not in."""
LANGUAGES = os.environ.get("HEXFORGE_WITNESS_LANGUAGES", "pt en").split()
RUN = "from hexforge.modulegen.cli import main; main()"


@cache
def home(game: str) -> Path | str:
    """The folder of a game, or the name of one that comes with the program."""
    if not game.startswith("starter/"):
        return ROOT / game if "/" in game else game
    folder = Path(mkdtemp()) / "my-game"
    like = game.partition("/")[2]
    starters.write(folder, "pt" if like in OTHER_STARTERS else "en", starter.LIKE[like])
    return folder


def build(game: str, language: str, modules: Path) -> Path:
    """A game's module; of one that does not come with the program as a user builds it, by whoever asks first."""
    if game in GAMES:
        return module_file(game, language)
    folder = modules / f"{game.replace('/', '-')}-{language}"
    # A module is there as soon as it is whole, and not before.
    if not any(folder.glob("*.vmod")):
        command = [sys.executable, "-c", RUN, "build", str(home(game)), "--lang", language, "--out", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=120)
        assert done.returncode == 0, f"modulegen build {game} --lang {language}:\n{done.stdout}{done.stderr}"
    (module,) = folder.glob("*.vmod")
    return module


def main_map(engine: Engine, scenario: Scenario) -> str:
    """Name of the map that knows the scenario's hexes."""
    for one in engine.module["maps"]:
        if all(engine.points([next(iter(scenario.map.grid))], one["name"])):
            return str(one["name"])
    pytest.fail(f"no map of the module has a hex {next(iter(scenario.map.grid))}")


@pytest.fixture
def scenario(built: Engine, request: pytest.FixtureRequest) -> Scenario:
    """The scenario that the open module was built from."""
    game = str(request.node.callspec.params["built"]).rsplit("-", 1)[0]
    return load(home(game))


IN_THE_GATE = (
    *("hurtgen-pt", "metz-en", "bastogne-en", "starter/fire-en"),
    *(f"tests/games/{game}-en" for game in ("ashvale", "saltway")),
)
"""What the gate opens: each game of ours in one language, and those that have most of their own of the others."""
OPENED = sorted(
    [*(f"{game}-{language}" for game in GAMES for language in LANGUAGES), *OWN, *STARTERS],
    key=lambda name: name not in IN_THE_GATE,
)


@pytest.fixture(scope="module", params=leading(len(IN_THE_GATE), OPENED))
def built(request: pytest.FixtureRequest, witness_ready: None, modules: Path) -> Iterator[Engine]:
    """An engine with one of our modules open."""
    if importlib.util.find_spec("hexforge.modulegen.cli") is None:
        stop = pytest.fail if os.environ.get("HEXFORGE_REQUIRE_WITNESS") == "1" else pytest.skip
        stop("there is no compiler: modulegen/cli.py is missing")
    game, language = str(request.param).rsplit("-", 1)
    module = build(game, language, modules)
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


def test_lint_has_nothing_to_say(built: Engine) -> None:
    (module,) = (built.home / "module").glob("*.vmod")
    assert [f"{g.finding.rule}: {g.finding.message} {g.places[0]}" for g in examine(module).groups] == []


def test_what_a_build_file_leaves_out_is_what_the_engine_begins_with(built: Engine, tmp_path: Path) -> None:
    """The same module with every attribute written has components that hold the same.

    What a class of component begins with does not hang on the module: one that leaves out nothing else than those
    before it is not opened for it.
    """
    (module,) = (built.home / "module").glob("*.vmod")
    whole = tmp_path / module.name
    with zipfile.ZipFile(module) as source, zipfile.ZipFile(whole, "w") as target:
        for entry in source.infolist():
            data = source.read(entry)
            if entry.filename == "buildFile.xml":
                short = read(data)
                data = write(_in_full(short))
            target.writestr(entry, data)
    assert _in_full(short) != short, "nothing is left out"
    left_out = set(_left_out(short))
    if left_out <= _SHOWN:
        return
    with Engine() as other:
        other.open(whole, described=False)
        assert built.ask("attributes") == other.ask("attributes")
    _SHOWN.update(left_out)


_SHOWN: set[tuple[str, str]] = set()
"""Kinds of component and their attributes that the engine was shown to begin with the same value."""


def _left_out(one: Element) -> Iterator[tuple[str, str]]:
    yield from (
        (one.kind, a) for a in _in_full(replace(one, children=())).attributes.keys() - one.attributes.keys()
    )
    for child in one.children:
        yield from _left_out(child)


def _in_full(one: Element) -> Element:
    known = {name: value for name, value in KINDS[one.kind].attributes.items() if value is not None}
    return replace(one, attributes=known | one.attributes, children=tuple(map(_in_full, one.children)))


def test_every_counter_can_be_had(built: Engine, scenario: Scenario) -> None:
    offered = {slot["properties"].get("UnitId") for slot in built.module["slots"]}
    assert sorted(scenario.counters.keys() - offered) == []


def test_every_hex_has_its_number_and_its_place(built: Engine, scenario: Scenario) -> None:
    """The engine finds each hex by its number, all in one lattice that is ours, only larger."""
    built.setup(playable(built.module)[0])
    board, hexes = main_map(built, scenario), list(scenario.map.grid)
    spots = dict(zip(hexes, built.points(hexes, board), strict=True))
    assert [one for one, spot in spots.items() if spot is None] == []
    places = {one: spot for one, spot in spots.items() if spot is not None}
    first, last = hexes[0], hexes[-1]
    (u0, v0), (u1, v1) = (scenario.map.grid.center(one) for one in (first, last))
    (x0, y0), (x1, y1) = places[first], places[last]
    across, down = (x1 - x0) / (u1 - u0), (y1 - y0) / (v1 - v0)
    assert abs(across - down) < 0.01 * down, "hexes are not regular"
    for one, (x, y) in places.items():
        u, v = scenario.map.grid.center(one)
        assert abs(x0 + (u - u0) * across - x) <= 1.5, one
        assert abs(y0 + (v - v0) * down - y) <= 1.5, one
    # A piece dropped away from the middle snaps to it, and keeps the number.
    nudge = int(down * 0.3)
    dropped = built.locations([(x + nudge, y - nudge) for x, y in places.values()], board)
    assert [one["snap_name"] for one in dropped] == list(places)


def test_units_start_in_their_hexes(built: Engine, scenario: Scenario) -> None:
    fixed = {
        unit: placement.hexes[0]
        for placement in scenario.setup.at_start
        if len(placement.hexes) == 1 and not placement.areas
        for unit in placement.units
    }
    position = built.setup(playable(built.module)[0])
    found = {one["properties"].get("UnitId"): one["location"] for one in position["pieces"]}
    assert {unit: found.get(unit) for unit in fixed} == fixed


def test_every_set_up_plays_logs_and_replays(built: Engine, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    setups = playable(built.module)
    if not FULL or not str(request.node.callspec.params["built"]).endswith(("-en", f"-{LANGUAGES[-1]}")):
        # Modules of one game differ in words alone: one of them plays all its set-ups, by `make full`.
        setups = setups[:1]
    for setup in setups:
        built.problems.clear()
        start = built.setup(setup)
        assert built.problems == []
        assert [one for one in start["pieces"] if one["map"] is not None], f"'{setup}' places nothing"
        lost = [one["name"] for one in start["pieces"] if one["location"] in ("", "offboard")]
        assert lost == [], f"'{setup}' leaves pieces off every board"
        assert play_through(built, built.module, setup, tmp_path) == []
        assert built.problems == []


@pytest.mark.parametrize("like", leading(1, OTHER_STARTERS))
def test_every_starter_opens_and_plays(witness_ready: None, modules: Path, tmp_path: Path, like: str) -> None:
    with Engine() as engine:
        engine.open(build(f"starter/{like}", "pt", modules))
        assert (engine.problems, engine.module["images"]["unused"]) == ([], 0)
        for setup in playable(engine.module):
            assert play_through(engine, engine.module, setup, tmp_path) == []
        assert engine.problems == []


def test_pieces_know_their_palette(built: Engine) -> None:
    """A piece of a set-up is the piece of its slot: same name, same markers as it would be dragged from there."""
    slots = {slot["gpid"]: slot for slot in built.module["slots"]}
    for setup in playable(built.module):
        for piece in built.setup(setup)["pieces"]:
            assert piece["gpid"] in slots, f"'{piece['name']}' has the gpid {piece['gpid']} of no slot"
            for key in ("UnitId", "Side", "Type"):
                assert piece["properties"].get(key) == slots[piece["gpid"]]["properties"].get(key)


def test_counters_lose_step_by_step(built: Engine, scenario: Scenario) -> None:
    """A counter of more than two steps has the strength of each, and says each loss as a line of a sheet."""
    deep = next((c for c in scenario.counters.values() if c.further), None)
    if deep is None:
        return
    words = ModuleWords.of(scenario, "en")
    built.setup(playable(built.module)[0])
    built.player("Ana", words.side(deep.side))
    said = len(built.chat())
    figures = []
    for left in range(len(deep.backs), -1, -1):
        one = next(p["properties"] for p in built.position()["pieces"] if p["properties"].get("UnitId") == deep.id)
        figures.append((int(one["Attack"]), int(one["Defence"])))
        assert not left or built.command(deep.id, words("menu.reduce"))
    assert figures == [(deep.attack, deep.defence), *deep.backs]
    assert sum(f"[lose {deep.id}]" in line for line in built.chat()[said:]) == len(deep.backs)
