"""The starter game's module played in VASSAL's own engine: what its commands, keys and buttons do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from modulegen.assemble import tools
from tests.witness import Engine, WitnessError
from tests.witness.conftest import witness_ready

from .conftest import Built

__all__ = ["witness_ready"]

pytestmark = pytest.mark.witness
UNIT = "so-7-1"
HOME = "1208"


@pytest.fixture(scope="module")
def engine(witness_ready: None, small: Built, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine with the module open."""
    path = tmp_path_factory.mktemp("engine") / "small.vmod"
    path.write_bytes(small.data)
    with Engine() as engine:
        engine.open(path)
        yield engine


@pytest.fixture
def play(engine: Engine, small: Built) -> Iterator[Engine]:
    """The set-up, freshly laid out, and nothing to complain of afterwards."""
    engine.setup(small.plan.words("setup.name"))
    engine.player("Ana", small.plan.words.side("south"))
    yield engine
    assert engine.problems == []


def unit(play: Engine, id_: str = UNIT) -> dict[str, Any]:
    return next(dict(p) for p in play.position()["pieces"] if p["properties"].get("UnitId") == id_)


def values(play: Engine, *names: str) -> list[str]:
    found = unit(play)["properties"]
    return [found[name] for name in names]


def test_values_follow_the_step(play: Engine, small: Built) -> None:
    words = small.plan.words
    assert values(play, "Attack", "Defence", "Step") == ["4", "3", "2"]
    assert play.command(UNIT, words("menu.reduce"))
    assert values(play, "Attack", "Defence", "Step", "Step_Image") == ["2", "2", "1", f"{UNIT}-reduced.png"]
    assert unit(play)["name"].endswith("(reduzida)")
    assert "sofre baixa em 1208" in play.chat()[-1]
    assert play.command(UNIT, words("menu.recover"))
    assert values(play, "Attack", "Defence", "Step") == ["4", "3", "2"]


def test_a_unit_of_one_step_has_nothing_to_lose(play: Engine, small: Built) -> None:
    found = unit(play, "no-cav")["properties"]
    assert (found["Attack"], found["Step"]) == ("2", "1")
    with pytest.raises(WitnessError, match="offers no"):
        play.command("no-cav", small.plan.words("menu.reduce"))


def test_the_dead_lie_in_their_own_cell_and_come_back(play: Engine, small: Built) -> None:
    words = small.plan.words
    box, cell = small.plan.losses.place[UNIT]
    assert play.command(UNIT, words("menu.eliminate"))
    dead = unit(play)
    assert (dead["map"], dead["location"], dead["x"], dead["y"]) == (small.plan.losses.name, box.name, *cell)
    assert "é eliminada em 1208" in play.chat()[-1]
    assert play.command(UNIT, words("menu.back"))
    assert unit(play)["location"] == HOME


def test_a_unit_leaves_the_map_and_returns(play: Engine, small: Built) -> None:
    words = small.plan.words
    assert play.command(UNIT, words("menu.leave"))
    gone = unit(play)
    assert gone["location"] == words("box.left", side="Sul")
    assert play.command(UNIT, words("menu.return"))
    assert unit(play)["location"] == HOME


def test_moves_are_marked_and_the_marks_removed(play: Engine, small: Built) -> None:
    play.move(UNIT, "1107")
    assert values(play, "Moved", "LocationName") == ["true", "1107"]
    play.ask("button", name=small.plan.words("button.unmoved_tip"))
    assert values(play, "Moved") == ["false"]
    assert play.chat()[-1] == f"* {small.plan.words('report.unmoved')} *"


def test_time_passes_in_the_order_of_play(play: Engine, small: Built) -> None:
    shown = [play.turn(small.plan.words("turn.name")) for _ in range(4)]
    assert shown == [
        "Turno 1 · 17 set 1944 · Sul: Combate",
        "Turno 1 · 17 set 1944 · Norte: Movimentação",
        "Turno 1 · 17 set 1944 · Norte: Combate",
        "Turno 2 · 18 set 1944 · Sul: Movimentação",
    ]


def test_dice_are_reported_one_by_one(play: Engine) -> None:
    for name, count in (("2d6", 2), ("1d6", 1)):
        play.ask("button", name=name)
        faces = play.chat()[-1].partition(": ")[2].partition(" ***")[0].split(",")
        assert len(faces) == count
        assert all(face.strip() in "123456" for face in faces)


def test_air_points_are_a_property_of_the_game(play: Engine) -> None:
    assert play.position()["globals"][tools.AIR] == "3"


def test_markers_stand_on_their_tracks(play: Engine, small: Built) -> None:
    found = {p["properties"].get("MarkerId"): p["location"] for p in play.position()["pieces"]}
    tracks = small.plan.ground.tracks
    assert found["turn"] == tracks["turn"].boxes[1][0]
    assert found["air_x1"] == tracks["air"].boxes[3][0]
    assert found["weather"] == small.plan.words("palette.markers")
