"""Games played at random in VASSAL's own engine: our replay of their logs ends in the engine's position."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hexforge.modulegen.vassal.commands import AddPiece, Chat, MovePiece
from hexforge.modulegen.vassal.module import read_module
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save, rewrite, save_tree, write_save
from hexforge.modulegen.vassal.secrets import Secret
from hexforge.modulegen.vassal.story import tell
from hexforge.modulegen.vassal.traits import StackState
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.logs.join import joined
from tests.vassal.second_replay import moves

from . import Engine
from .conftest import PLAYED
from .engine import declare_version

pytestmark = pytest.mark.witness

HEXES = ["0303", "0404", "0505", "0604"]
KEYS = ("name", "gpid", "map", "location", "x", "y", "stack_index", "stack_size")


def reported(position: dict[str, Any]) -> list[tuple[Any, ...]]:
    return sorted(tuple(piece[key] for key in KEYS) for piece in position["pieces"])


def replayed(replay: LogReplay) -> list[tuple[Any, ...]]:
    return sorted(
        (v.name, v.gpid, v.map, v.location, v.x, v.y, v.stack_index, v.stack_size) for v in replay.pieces()
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.usefixtures("witness_ready")
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
    replay = LogReplay(game, read_module(module))
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


@pytest.mark.usefixtures("witness_ready")
def test_dragged_stacks_are_told_as_the_engine_moves_them(tmp_path: Path) -> None:
    """Whole stacks and single pieces, dragged upon one another: we tell where the engine has them."""
    chance = random.Random(5)
    module, log = tmp_path / "mini.vmod", tmp_path / "stacks.vlog"
    declare_version(PLAYED / "mini.vmod", module)
    places: list[dict[str, tuple[Any, ...]]] = []

    def looked(engine: Engine) -> None:
        places.append({p["id"]: (p["map"], p["x"], p["y"]) for p in engine.position()["pieces"]})

    with Engine() as engine:
        engine.open(module)
        engine.player("Alice", "Red", "alicepw")
        engine.setup("Start")
        engine.start_log(log)
        looked(engine)
        for _ in range(16):
            drag = engine.move_stack if chance.random() < 0.6 else engine.move
            drag(chance.choice(["red1", "red2", "blue1"]), chance.choice(HEXES))
            looked(engine)
        engine.end_log()
    moved = [
        {(i, now[i]) for i in now if now[i] != before.get(i)}
        for before, now in pairwise(places)
    ]  # fmt: skip
    game = read_save(log)
    told = [
        {(e.piece.id, (e.piece.map, *(e.pixel_after or ()))) for e in a.events if e.kind == "move" and e.piece}
        for a in tell(LogReplay(game))
    ]
    # A drag to where a piece stands already is none.
    assert [m for m in told if m] == [m for m in moved if m]
    assert any(len(m) > 1 for m in told)
    ours = {step: {(piece, new) for piece, _, new in found} for step, found in moves(game.root.encode()).items()}
    assert [ours[a] for a in sorted(ours) if ours[a]] == [m for m in told if m]


@pytest.mark.usefixtures("witness_ready")
def test_the_engine_steps_through_a_log_that_we_wrote(tmp_path: Path) -> None:
    module = tmp_path / "mini.vmod"
    declare_version(PLAYED / "mini.vmod", module)
    game = read_save(PLAYED / "a.vlog")
    grid = read_module(module).maps[0].boards[0]
    assert grid.grid is not None
    assert grid.size is not None
    x, y = grid.grid.point_of("0604", grid.size) or (0, 0)
    alice = Secret("alicepw")
    actions = [
        [
            MovePiece("1001", "Board", x, y, None, "Board", 231, 250, None, alice),
            AddPiece("77001", "stack", StackState("Board", x, y, ("1001",)).encode()),
            Chat("* red1 moves 0303 -&gt; 0604 *"),
        ],
        [MovePiece("1002", "Board", x, y, "1001", "Board", 231, 250, None, alice), Chat("* red2 follows *")],
    ]
    log = tmp_path / "written.vlog"
    write_save(log, save_tree(game.restore, actions), game.module, game.saved)
    with Engine() as engine:
        engine.open(module)
        engine.load(log)
        theirs = reported(engine.step())
        assert any("red2 follows" in line for line in engine.chat())
    replay = LogReplay(read_save(log), read_module(module))
    replay.goto(-1)
    assert replayed(replay) == theirs
    assert {v.name: v.location for v in replay.pieces()} == {"red1": "0604", "red2": "0604", "blue1": "0505"}


@pytest.mark.usefixtures("witness_ready")
def test_the_engine_ends_a_joined_log_as_the_logs_it_is_made_of(tmp_path: Path) -> None:
    """A step is taken back, another player sits down between the logs, and one log repeats the other's steps."""
    module = tmp_path / "mini.vmod"
    declare_version(PLAYED / "mini.vmod", module)
    first, second, again, game = (tmp_path / f"{name}.vlog" for name in ("first", "second", "again", "game"))
    with Engine() as engine:
        engine.open(module)
        engine.player("Alice", "Red", "alicepw")
        engine.setup("Start")
        engine.start_log(first)
        engine.move("red1", "0404")
        engine.move("red2", "0404")
        engine.move("red1", "0505")
        engine.ask("undo")
        engine.ask("say", text="over to you")
        engine.end_log()
        engine.load(first)
        engine.start_log(again)
        engine.step()
        engine.move("red2", "0604")
        engine.end_log()
        engine.load(again)
        engine.step()
        engine.player("Bob", "Blue", "bobpw")
        engine.start_log(second)
        engine.move("blue1", "0604")
        engine.end_log()
        theirs = reported(engine.position())
        found = joined(read_chain([first, again, second]), chat=False)
        game.write_bytes(found.data)
        engine.load(game)
        assert reported(engine.step()) == theirs
        assert engine.problems == []
    assert (found.steps, found.undone, found.silent) == (5, 2, 1)
    assert [log.name for log in read_chain([first, again, second]).aside] == ["first.vlog"]
