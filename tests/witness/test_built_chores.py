"""Attrition and dice for losses by entry and button, in VASSAL's own engine, as logs tell of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hexforge.modulegen.assemble.combat import tasks
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.notation import games

from . import Engine
from .test_built_combats import press
from .test_built_modules import ROOT, build, playable

pytestmark = pytest.mark.witness
GAME = "tests/games/thornmere"


@contextmanager
def recorded(game: str, modules: Path, log: Path) -> Iterator[Engine]:
    """A game set up in the engine, of which a log is written until the end of the block."""
    games.learn(ROOT / game)
    module = build(game, "en", modules)
    with Engine() as engine:
        engine.open(module, described=False)
        engine.ask("show")
        engine.setup(playable(engine.module)[0])
        engine.player("Ana", engine.module["sides"][0])
        engine.start_log(log)
        yield engine
        engine.end_log()
        assert engine.problems == []


def told(log: Path) -> list[str]:
    """The lines of what a log tells, without the blanks around them."""
    found = transcript(read_chain([log]))
    assert found is not None
    return [line.strip() for line in found.text.splitlines()]


def test_attrition_and_losses_by_dice_are_read_from_a_log(
    witness_ready: None, modules: Path, tmp_path: Path
) -> None:
    log = tmp_path / "chores.vlog"
    with recorded(GAME, modules, log) as engine:
        press(engine, tasks.TASKS["wear"], "ro-lev-1")
        engine.load_dice([5])
        press(engine, tasks.TASKS["attrition"], "ro-lev-2")
        engine.turn()
        engine.turn()
        engine.ask("answer", text="2-3")
        press(engine, tasks.TASKS["reveal"], "ro-lev-1")
        engine.load_dice([4])
        press(engine, tasks.HOTKEYS_LOSS["attacker"])
        engine.load_dice([2])
        press(engine, tasks.HOTKEYS_LOSS["defender"])
    lines = told(log)
    assert lines[lines.index("turn 1 rook attrition") + 1 :][:2] == [
        "attrition ro-lev-1",
        "attrition ro-lev-2 roll 5",
    ]
    assert "#   reveal ro-lev-1 2-3" in lines  # the dialog's answer, of a unit in no combat
    # No combat is open, so that they lead to nothing and stand in comments.
    assert [line.strip("# ") for line in lines[-2:]] == ["lossroll attacker 4", "lossroll defender 2"]


def test_who_goes_first_and_a_test_of_morale_are_read_from_a_log(
    witness_ready: None, modules: Path, tmp_path: Path
) -> None:
    log = tmp_path / "morale.vlog"
    with recorded("tests/games/tarnhollow", modules, log) as engine:
        engine.load_dice([2])
        press(engine, tasks.HOTKEY_ORDER)
        engine.turn()
        engine.turn()
        engine.load_dice([4, 3])
        press(engine, tasks.TASKS["morale"], "co-1")
    lines = [line.strip("# ") for line in told(log)]
    assert lines[lines.index("turn 1 crimson initiative") + 1] == "initiative 2"
    assert lines[-1] == "morale co-1 roll 4 3"


def test_of_several_marks_a_log_says_which_a_unit_rallies_from(
    witness_ready: None, modules: Path, tmp_path: Path
) -> None:
    log = tmp_path / "rally.vlog"
    with recorded("tests/games/longridge", modules, log) as engine:
        engine.load_dice([4])
        for unit, mark in (("bl-1", "shaken"), ("bl-2", "winded")):
            engine.ask("answer", text=mark)
            press(engine, tasks.TASKS["rally"], unit)
    lines = [line for line in told(log) if "rally" in line]
    assert lines == ["rally bl-1 as shaken roll 4", "rally bl-2 as winded"]
