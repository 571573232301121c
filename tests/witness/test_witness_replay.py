"""Games played at random in VASSAL's own engine: our replay of their logs ends in the engine's position."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from modulegen.vassal.module import read_module
from modulegen.vassal.replay import Replay
from modulegen.vassal.save import read_save, rewrite

from . import Engine
from .conftest import PLAYED
from .engine import declare_version

pytestmark = pytest.mark.witness

HEXES = ["0303", "0404", "0505", "0604"]
KEYS = ("name", "gpid", "map", "location", "x", "y", "stack_index", "stack_size")


def reported(position: dict[str, Any]) -> list[tuple[Any, ...]]:
    return sorted(tuple(piece[key] for key in KEYS) for piece in position["pieces"])


def replayed(replay: Replay) -> list[tuple[Any, ...]]:
    return sorted(
        (v.name, v.gpid, v.map, v.location, v.x, v.y, v.stack_index, v.stack_size) for v in replay.pieces()
    )


@pytest.mark.parametrize("seed", range(4))
def test_our_replay_follows_the_engine(tmp_path: Path, seed: int) -> None:
    """Few hexes and new pieces, so that stacks form, grow, dissolve and are left."""
    chance = random.Random(seed)
    module = tmp_path / "mini.vmod"
    declare_version(PLAYED / "mini.vmod", module)
    log = tmp_path / "played.vlog"
    with Engine() as engine:
        engine.open(module)
        engine.player("Alice", "Red", "alicepw")
        engine.setup("Start")
        engine.start_log(log)
        names = ["red1", "red2", "blue1"]
        for _ in range(14):
            if chance.random() < 0.15 and len(names) > 1:
                engine.command(names.pop(chance.randrange(len(names))), "Delete")
            else:
                engine.move(chance.choice(names), chance.choice(HEXES))
        engine.end_log()
        theirs = engine.position()
    game = read_save(log)
    replay = Replay(game, read_module(module))
    start = replayed(replay)
    replay.goto(-1)
    assert replayed(replay) == reported(theirs)
    assert replay.position.missed == {}
    replay.goto(0)
    assert replayed(replay) == start
    again = tmp_path / "again.vlog"
    again.write_bytes(rewrite(game))
    with Engine() as engine:
        engine.open(module)
        engine.load(again)
        assert reported(engine.step()) == reported(theirs)
