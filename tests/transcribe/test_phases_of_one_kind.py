"""A side with several phases of a kind in its turn: the tracker of a game built here tells which one is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.modulegen.build import compile_plan
from hexforge.modulegen.draw import Cache
from hexforge.modulegen.plan import plan
from hexforge.modulegen.vassal.commands import Chat
from hexforge.modulegen.vassal.save import read_save, save_bytes, save_tree
from hexforge.scenarios import load
from hexforge.scenarios.text.files import cache_folder
from hexforge.validator.judging.check import check_logs
from hexforge.validator.judging.transcription import log_of, transcript
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.logs.locations import TrackerReading, coming, read_clock, write_clock
from hexforge.validator.notation import games
from hexforge.validator.reading.sheet import read_sheet

HOME = Path(__file__).parents[1] / "games" / "corrick"
"""Red moves, fights and moves again with tanks that have not moved; Blue moves, and moves its third division on."""
HEAD = "sheet 1\ngame corrick\n"
ON = """position
  b-2 0705
  b-3 0903
turn 2 blue movement
move b-3: 0903 0902
turn 2 blue movement
move b-3: 0902 0901
"""
AGAIN = """position
  r-t1 0204
  b-2 0905
turn 2 red movement
move r-t1: 0204 0304
turn 2 red combat
turn 2 red movement
move r-t1: 0304 0305
turn 2 blue movement
"""
STILL = "position after turn 2 red combat\n  r-2 0204\n  b-2 0905\nturn 2 red movement\nmove r-2: 0204 0304\n"
FIRST = STILL.replace(" after turn 2 red combat", "")


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    games.learn(HOME)
    data, _ = compile_plan(plan(load(HOME), "en"), Cache(cache_folder()), 1)
    path = tmp_path_factory.mktemp("module") / "corrick.vmod"
    path.write_bytes(data)
    return path


def log_of_play(text: str, module: Path, folder: Path, *, typed: bool = False) -> Path:
    """A log of a sheet, of which no word is typed into the chat unless it is said."""
    path = folder / "made.vlog"
    path.write_bytes(log_of(read_sheet(HEAD + text), load(HOME), module))
    if not typed:
        game = read_save(path)
        actions = [[c for c in node.commands() if not isinstance(c, Chat)] for node in game.steps]
        path.write_bytes(save_bytes(save_tree(game.restore, [a for a in actions if a]), game.module, game.saved))
    return path


def opened(path: Path) -> list[str]:
    """The lines of a log that open phases or move units."""
    found = transcript(read_chain([path]))
    assert found is not None
    lines = [line.replace("- ", "") for line in found.text.splitlines()]
    return [line for line in lines if line.startswith(("turn", "move", "position"))]


def test_the_tracker_tells_phases_of_a_kind_apart() -> None:
    scenario = load(HOME)
    for number in (1, 2):
        clock = TrackerReading(2, "blue", "movement", number)
        state = write_clock(clock, scenario)
        assert state is not None and read_clock(state, scenario) == clock
    assert write_clock(TrackerReading(2, "blue", "combat", 2), scenario) is None


def test_the_phase_that_comes_next_is_the_next_of_its_kind() -> None:
    scenario, first = load(HOME), TrackerReading(2, "red", "movement")
    assert coming(first, TrackerReading(2, "red", "combat"), scenario).number == 2
    assert coming(first, first, scenario).number == 2
    assert coming(first, TrackerReading(1, "red", "combat"), scenario).number == 1
    assert coming(first, TrackerReading(2, "blue", "combat"), scenario).number == 1


@pytest.mark.parametrize("typed", [False, True])
def test_two_movement_phases_on_end_are_two(module: Path, tmp_path: Path, typed: bool) -> None:
    path = log_of_play(ON, module, tmp_path, typed=typed)
    wanted = ["turn 2 blue movement", "move b-3: 0903 0902", "turn 2 blue movement", "move b-3: 0902 0901"]
    assert opened(path)[1:] == wanted
    assert [f.code for f in check_logs([path]).findings if f.severity in ("illegal", "doubtful")] == []


def test_a_combat_phase_without_combat_does_not_make_one_of_those_around_it(module: Path, tmp_path: Path) -> None:
    path = log_of_play(AGAIN, module, tmp_path)
    wanted = ["turn 2 red movement", "move r-t1: 0204 0304", "turn 2 red combat", "turn 2 red movement"]
    assert opened(path)[1:] == [*wanted, "move r-t1: 0304 0305"]
    # It stood not still in the first.
    assert [f.code for f in check_logs([path]).findings if f.severity == "illegal"] == ["wrong-phase"]


@pytest.mark.parametrize(("text", "wrong"), [(STILL, ["wrong-phase"]), (FIRST, [])])
def test_a_log_that_begins_in_one_of_them_says_which(
    module: Path, tmp_path: Path, text: str, wrong: list[str]
) -> None:
    path = log_of_play(text, module, tmp_path)
    assert opened(path)[0] == text.partition("\n")[0]
    assert [f.code for f in check_logs([path]).findings if f.severity == "illegal"] == wrong
