"""Logs of our modules that VASSAL 3.7.26 wrote move by move, against where the engine had every piece at the end.

`tests/data/engine/README.md` says what was played in each, and what a fair referee says to it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hexforge.modulegen.vassal.module import read_module
from hexforge.modulegen.vassal.replay import LogReplay, PieceView
from hexforge.modulegen.vassal.save import read_save
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.chain import read_chain
from tests.transcribe.modules import module_of

HOME = Path(__file__).resolve().parents[1] / "data" / "engine"
LOGS = {path.stem: path for path in sorted(HOME.glob("*.vlog"))}
GAMES = {"b": "bastogne", "m": "metz"}
TOLD = [name for name in LOGS if (HOME / f"{name}.positions.json").exists()]


def game_of(name: str) -> str:
    """The game that a log is of: `b1` is Bastogne, `mz2` Metz, every other one Hürtgen."""
    return GAMES[name[0]] if re.fullmatch(r"(b|mz)\d", name) else "hurtgen"


def stands(view: PieceView) -> tuple[object, ...]:
    return (
        view.name,
        view.id,
        view.gpid,
        view.map,
        view.location,
        view.x,
        view.y,
        view.stack_index,
        view.stack_size,
    )


@pytest.mark.parametrize("name", TOLD)
def test_our_replay_ends_where_vassals_engine_ended(name: str) -> None:
    module = read_module(module_of(game_of(name)))
    replay = LogReplay(read_save(LOGS[name]), module)
    replay.goto(-1)
    told = json.loads((HOME / f"{name}.positions.json").read_text("utf-8"))
    keys = ("id", "gpid", "map", "location", "x", "y", "stackIndex", "stackSize")
    # `fullName` is told of a piece whose layers change its name.
    ends = {(p.get("fullName", p["name"]), *(p[k] for k in keys)) for p in told["pieces"]}
    found = {stands(v) for v in replay.pieces()}
    board = module.maps[0].name
    assert {end for end in found if end[3] == board} == {end for end in ends if end[3] == board}
    # The boxes beside the map lay elsewhere when the logs were played: there, places bear other names.
    assert {(*end[:4], *end[5:]) for end in found} == {(*end[:4], *end[5:]) for end in ends}
    assert len(told["pieces"]) > 70


@pytest.mark.parametrize("name", LOGS)
def test_each_is_read_and_transcribed(name: str) -> None:
    found = transcript(read_chain([LOGS[name]]))
    assert found is not None
    assert f"\ngame {game_of(name)}\n" in found.text


def test_the_table_names_each_log() -> None:
    table = (HOME / "README.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ") and "---" not in line]
    named = {name for row in rows[1:] for name in re.findall(r"\w+", row)}
    assert named == set(LOGS)
