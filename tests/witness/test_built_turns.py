"""What a module does of itself as a turn begins is no player's doing: a transcript tells none of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexforge.modulegen.assemble import turns
from hexforge.modulegen.assemble.combat import steps
from hexforge.modulegen.plan import plan
from hexforge.scenarios.loader import load
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.chain import read_chain

from . import Engine
from .test_built_modules import ROOT, build, playable

pytestmark = pytest.mark.witness


def test_the_tracker_shows_turn_side_and_phase_in_full(witness_ready: None) -> None:
    """By the engine's own font, which is wider than the one that we can measure without it."""
    with Engine() as engine:
        for game in ("hurtgen", "metz", "bastogne", ROOT / "tests/games/thornmere", ROOT / "tests/games/harrow"):
            shown = turns.labels(plan(load(game), "pt"))
            needed = engine.ask("widths", texts=shown, size=14)
            assert len(set(shown)) == len(shown) and max(needed) <= turns.width(shown), game


def test_air_points_that_lapse_are_not_told_as_spent(witness_ready: None, modules: Path, tmp_path: Path) -> None:
    """A combat is declared at the end of turn 5, points are left, and turn 6 brings none."""
    module, log = build("hurtgen", "en", modules), tmp_path / "turns.vlog"
    with Engine() as engine:
        engine.open(module, described=False)
        position = engine.setup(playable(engine.module)[0])
        engine.player("Ana", engine.module["sides"][0])
        engine.ask("show")
        for _ in range(15):
            engine.turn()
        engine.start_log(log)
        found = [one["properties"].get("UnitId", "") for one in position["pieces"] if one["location"].isdigit()]
        target = next(unit for unit in found if unit.startswith("us-"))
        attacker = next(unit for unit in found if unit.startswith("ge-"))
        assert engine.command(target, "This hex is attacked")
        assert engine.command(attacker, "This unit attacks")
        engine.ask("module_key", key=str(steps.HOTKEY_ROLL))
        assert engine.position()["globals"]["AirPoints"] == "10"
        engine.turn()
        assert engine.position()["globals"]["AirPoints"] == "0"
        engine.turn()
        engine.end_log()
        assert engine.problems == []
    found_in_log = transcript(read_chain([log]))
    assert found_in_log is not None
    told = found_in_log.text.splitlines()
    assert f"  attack {attacker}" in told
    played = told[told.index("turn 5 german combat") :]
    assert not [line for line in played if "air" in line.split()], told
    assert [line for line in played if line.startswith("turn")] == [
        "turn 5 german combat",
        "turn 6 american movement",
    ]
