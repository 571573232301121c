"""VASSAL's own engine steps through the logs that are made of sheets, and plays those that are kept here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hexforge.modulegen.assemble.combat.counters import KEY_ATTACK, KEY_SUPPORT, KEY_TARGET
from hexforge.modulegen.assemble.combat.steps import HOTKEY_ROLL
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.chain import read_chain
from tests.transcribe.modules import log_from, module_of
from tests.transcribe.play import play
from tests.witness import Engine
from tests.witness.conftest import stop_unless_ready
from tests.witness.install import missing

pytestmark = pytest.mark.witness
EXAMPLES = Path(__file__).parents[2] / "scenarios/hurtgen/examples"
OWN_UNITS = """sheet 1
game hurtgen
map blank open 18x12
unit a1 american infantry 3-4-5 regiment 109 division 28 size II
unit g1 german infantry 1-2-5 regiment 9 division 89 size II
position
  a1 0705
  g1 0704 reduced
turn 3 american movement
turn 3 american combat
combat 0704
  attack a1
  roll 6 6
  result DE
  eliminate g1
  advance a1: 0704
"""


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    stop_unless_ready(missing())
    with Engine() as started:
        started.open(module_of("hurtgen"), described=False)
        yield started


@pytest.mark.parametrize("name", ["turn2-well", "turn2-mistakes", "own-units"])
def test_the_engine_steps_to_the_same_position(engine: Engine, name: str, tmp_path: Path) -> None:
    text = OWN_UNITS if name == "own-units" else (EXAMPLES / f"{name}.sheet").read_text("utf-8")
    log = log_from(text, "hurtgen", tmp_path)
    replay = LogReplay(read_save(log))
    engine.problems.clear()
    for step in (0, len(replay)):
        position = engine.load(log) if step == 0 else engine.step()
        replay.goto(step)
        theirs = {p["id"]: (p["map"], p["x"], p["y"]) for p in position["pieces"] if p["map"] is not None}
        ours = {i: replay.position.place(i) for i in replay.position.pieces}
        assert theirs == ours
    assert engine.problems == []
    assert any("attack" in line for line in engine.chat())


def test_combats_are_declared_from_the_counters_menus(engine: Engine, tmp_path: Path) -> None:
    engine.problems.clear()
    engine.setup(engine.module["setups"][0]["name"])
    engine.player("Ana", "Americano")
    engine.ask("show")
    engine.start_log(tmp_path / "menu.vlog")
    engine.turn()
    for piece, key in (
        ("ge-983-1", KEY_TARGET),
        ("ge-983-2", KEY_TARGET),
        ("us-112-1", KEY_ATTACK),
        ("us-112-2", KEY_ATTACK),
        ("us-112-3", KEY_ATTACK),
        ("us-art-1", KEY_SUPPORT),
    ):
        assert engine.key(piece, f"{key.code},{key.modifiers}")
    engine.ask("undo")
    engine.ask("module_key", key=str(HOTKEY_ROLL))
    engine.end_log()
    found = transcript(read_chain([tmp_path / "menu.vlog"]))
    assert found is not None
    at = found.lines.index("combat 1007")
    assert sorted(found.lines[at + 1].split()) == ["attack", "us-112-1", "us-112-2", "us-112-3"]
    assert found.lines[at + 2].startswith("  declare ")
    assert found.lines[at + 3].startswith("  roll ")
    assert found.lines[at + 4].startswith("  result ")
    assert engine.problems == []


def test_what_is_played_in_the_engine_comes_out_as_a_sheet(engine: Engine, tmp_path: Path) -> None:
    """The script of the logs that are kept, played anew: the dice fall otherwise, all else is the same."""
    engine.problems.clear()
    ends = play(engine, tmp_path)
    chain = read_chain([tmp_path / "ana-2.vlog", tmp_path / "bruno-2.vlog"])
    found = transcript(chain)
    assert found is not None and chain.marks is not None
    assert "move us-112-2: 0807 - 0908" in found.lines
    assert "  advance us-112-2: 0908 1007" in found.lines
    assert "  retreat us-112-2: 1007 0907" in found.lines
    assert not [n for n in found.noted if n.code == "log-chain"]
    theirs = {p["id"]: (p["map"], p["x"], p["y"]) for p in ends["bruno-2"]["pieces"] if p["map"]}
    ours = {v.id: (v.map, v.x, v.y) for v in chain.logs[-1].end.pieces.values() if v.map}
    assert theirs == ours
    assert engine.problems == []
