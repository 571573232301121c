"""A set-up that the players choose ends when they say so, also within one log."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.modulegen.vassal.commands import Chat, Command, Log, SetTurn
from hexforge.modulegen.vassal.payload import Node, group
from hexforge.modulegen.vassal.save import read_save, save_bytes
from hexforge.validator.judging.check import check_logs
from hexforge.validator.judging.transcription import scenario_of
from hexforge.validator.logs.bindings import TRACKER
from hexforge.validator.logs.locations import TrackerReading, first_clock, read_clock, sets_up, write_clock

HOME = Path(__file__).resolve().parents[1] / "data" / "engine"
AT_SETUP = "0|0;0;0;true;0\\;0\\;0\\;true|16;0;true;36;0\\;0\\;0\\;true,true,true,true"
SAID = Chat("&lt;Bruno&gt; - turno 16 alemão movimento")


def as_one(tmp_path: Path, *between: Command) -> Path:
    """The set-up of b0 and the turn of b1 in one log, with something done between them."""
    setup, turn = read_save(HOME / "b0.vlog"), read_save(HOME / "b1.vlog")
    middle: list[Node] = [group(Log(command)) for command in between]
    path = tmp_path / "one.vlog"
    path.write_bytes(save_bytes(group(*setup.nodes, *middle, *turn.steps), setup.module, setup.saved))
    return path


def bad(path: Path) -> list[tuple[str, str]]:
    answer = check_logs([path])
    return [(f.code, answer.quote(f.line)) for f in answer.findings if f.severity in ("illegal", "doubtful")]


@pytest.mark.parametrize("game", ["hurtgen", "metz", "bastogne"])
def test_a_clock_is_written_as_the_tracker_of_the_game_has_it(game: str) -> None:
    scenario = scenario_of(game)
    assert scenario is not None
    clock = TrackerReading(scenario.game.turns.last, scenario.game.sequence[-1].side, "combat")
    state = write_clock(clock, scenario)
    assert state is not None and read_clock(state, scenario) == clock
    assert sets_up(state) is (False if scenario.setup.is_chosen else None)


def test_the_set_up_has_the_clock_of_the_first_phase() -> None:
    scenario = scenario_of("bastogne")
    assert scenario is not None and sets_up(AT_SETUP)
    assert read_clock(AT_SETUP, scenario) == first_clock(scenario)


def test_it_ends_by_the_tracker(tmp_path: Path) -> None:
    scenario = scenario_of("bastogne")
    assert scenario is not None
    state = write_clock(first_clock(scenario), scenario)
    assert state is not None
    path = as_one(tmp_path, SetTurn(TRACKER, AT_SETUP), SetTurn(TRACKER, state))
    assert {code for code, _ in bad(path)} == {"losses", "retreat", "advance"}
    assert "move ge-15-1 ge-15-2 ge-15-3: 4812 4813 4714" in check_logs([path]).lines


def test_it_ends_by_a_typed_turn_line(tmp_path: Path) -> None:
    path = as_one(tmp_path, SAID)
    assert {code for code, _ in bad(path)} == {"losses", "retreat", "advance"}
    assert "  ge-15-1 4812" in check_logs([path]).lines


def test_at_the_set_up_a_counter_that_is_placed_anew_is_placed(tmp_path: Path) -> None:
    path = as_one(tmp_path, SetTurn(TRACKER, AT_SETUP))
    assert "  ge-2-1 3703" in check_logs([path]).lines
