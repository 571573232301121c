"""The starter game's module played in VASSAL's own engine: what its commands, keys and buttons do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hexforge.modulegen.assemble import air
from hexforge.modulegen.assemble.combat import reports
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
        # Keys of the toolbar are deaf while it does not show.
        engine.ask("show")
        yield engine


@pytest.fixture
def play(engine: Engine, small: Built) -> Iterator[Engine]:
    """The set-up, freshly laid out and ended by the players, and nothing to complain of afterwards."""
    engine.setup(small.plan.words("setup.name"))
    engine.player("Ana", small.plan.words.side("south"))
    assert engine.turn() == "Turno 1 · 17 set 1944 · Tempo bom · Sul: Movimentação"
    yield engine
    assert engine.problems == []


def unit(play: Engine, id_: str = UNIT) -> dict[str, Any]:
    return next(dict(p) for p in play.position()["pieces"] if p["properties"].get("UnitId") == id_)


def values(play: Engine, *names: str) -> list[str]:
    found = unit(play)["properties"]
    return [found[name] for name in names]


def test_values_follow_the_step(play: Engine, small: Built) -> None:
    words = small.plan.words
    assert values(play, "Attack", "Defence", "Step_Level") == ["4", "3", "1"]
    assert play.command(UNIT, words("menu.reduce"))
    assert values(play, "Attack", "Defence", "Step_Level", "Step_Image") == ["2", "2", "2", f"{UNIT}-reduced.png"]
    assert unit(play)["name"].endswith("(reduzida)")
    assert play.chat()[-1].endswith(f" sofre baixa em 1208 [perder {UNIT}]")
    assert play.command(UNIT, words("menu.recover"))
    assert values(play, "Attack", "Defence", "Step_Level") == ["4", "3", "1"]


def test_a_unit_of_one_step_has_nothing_to_lose(play: Engine, small: Built) -> None:
    found = unit(play, "no-cav")["properties"]
    assert found["Attack"] == "2"
    with pytest.raises(WitnessError, match="offers no"):
        play.command("no-cav", small.plan.words("menu.reduce"))


def test_the_dead_lie_in_their_own_cell_and_come_back(play: Engine, small: Built) -> None:
    words = small.plan.words
    box, cell = small.plan.losses.place[UNIT]
    assert play.command(UNIT, words("menu.eliminate"))
    dead = unit(play)
    assert (dead["map"], dead["location"], dead["x"], dead["y"]) == (small.plan.losses.name, box.name, *cell)
    assert play.chat()[-1].endswith(f" sai de jogo em 1208 [eliminar {UNIT}]")
    assert play.command(UNIT, words("menu.back"))
    assert unit(play)["location"] == HOME


def test_a_unit_leaves_the_map_and_returns(play: Engine, small: Built) -> None:
    words = small.plan.words
    assert play.command(UNIT, words("menu.leave"))
    gone = unit(play)
    assert gone["location"] == words("box.left", side="Sul")
    assert play.command(UNIT, words("menu.back"))
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
        "Turno 1 · 17 set 1944 · Tempo bom · Sul: Combate",
        "Turno 1 · 17 set 1944 · Tempo bom · Norte: Movimentação",
        "Turno 1 · 17 set 1944 · Tempo bom · Norte: Combate",
        "Turno 2 · 18 set 1944 · Tempo bom · Sul: Movimentação",
    ]


def test_the_set_up_is_a_phase_that_does_not_come_again(play: Engine) -> None:
    assert play.turn(back=True) == "Turno 1 · 17 set 1944 · Tempo bom · Disposição"
    assert play.turn() == "Turno 1 · 17 set 1944 · Tempo bom · Sul: Movimentação"


def places(play: Engine) -> dict[str, str]:
    found = [(p["properties"].get("MarkerId"), p["location"]) for p in play.position()["pieces"]]
    return {str(marker): str(place) for marker, place in found if marker}


def test_a_turn_begins_of_itself(play: Engine, small: Built, tmp_path: Path) -> None:
    """Marker, air points and reminder come with the turn, once, and as one step that can be taken back."""
    tracks, words = small.plan.ground.tracks, small.plan.words
    assert len({name for name, _ in tracks["turn"].boxes.values()}) == 6
    play.ask("click", tip=words("button.air_down"))
    said = len(play.chat())
    play.start_log(tmp_path / "turns.vlog")
    for _ in range(3):
        play.turn()
    assert (places(play)["turn"], places(play)["air_x1"]) == (tracks["turn"].boxes[1][0], tracks["air"].boxes[2][0])
    play.turn()
    assert (places(play)["turn"], places(play)["air_x1"]) == (tracks["turn"].boxes[2][0], tracks["air"].boxes[3][0])
    (told,) = [line for line in play.chat()[said:] if "Começa o turno" in line]
    assert told == "* Começa o turno 2: chegam 2 unidades (Norte), pelo norte *"
    play.ask("click", tip=words("button.air_down"))
    play.turn()
    assert play.position()["globals"][air.AIR] == "2", "points are spent for the turn"
    play.turn(back=True)
    assert play.end_log() == 8
    play.ask("undo"), play.ask("undo"), play.ask("undo")
    assert (play.position()["globals"][air.AIR], places(play)["turn"]) == ("3", tracks["turn"].boxes[2][0])
    play.ask("undo"), play.ask("undo")
    assert (play.position()["globals"][air.AIR], places(play)["turn"]) == ("2", tracks["turn"].boxes[1][0])


def test_without_air_points_the_marker_waits_beside_the_map(play: Engine, small: Built) -> None:
    for _ in range(16):
        play.turn()
    assert places(play)["turn"] == small.plan.ground.tracks["turn"].boxes[5][0]
    assert (play.position()["globals"][air.AIR], places(play)["air_x1"]) == (
        "0",
        small.plan.words("palette.markers"),
    )


def entries(play: Engine, id_: str) -> dict[str, list[str]]:
    """The menu as it opens: entry -> those of its submenu, each with its key."""
    menu = play.ask("menu", piece=id_)
    return {one["text"]: [below["text"] for below in one.get("entries", ())] for one in menu}


def test_the_menu_offers_what_can_be_done_here(play: Engine, small: Built) -> None:
    assert "Ao hex sugerido  Ctrl+P" not in entries(play, "so-art")  # the set-up is over
    play.setup(small.plan.words("setup.name"))
    assert entries(play, "so-art") == {
        "Ao hex sugerido  Ctrl+P": [],
        "Declarar combate": [],
        "Mostrar": ["Rastro do movimento  Ctrl+T"],
        "Retirar a peça": [],
        "Sofrer baixa  Ctrl+R": [],
        "Marcar como movida  Ctrl+M": [],
    }
    play.command("so-art", "Ao hex sugerido")
    assert entries(play, "so-art") == {
        "Declarar combate": [
            "Este hex é atacado  Ctrl+Shift+K",
            "Esta unidade ataca  Ctrl+K",
            "Esta artilharia apoia o ataque  Ctrl+U",
            "Esta artilharia apoia a defesa  Ctrl+Shift+U",
        ],
        "Mostrar": ["Zona de Engajamento  Ctrl+Z", "Alcance  Ctrl+G", "Rastro do movimento  Ctrl+T"],
        "Retirar a peça": ["Eliminar  Ctrl+E", "Sair do mapa  Ctrl+L"],
        "Sofrer baixa  Ctrl+R": [],
        "Avançar ao hex atacado  Ctrl+V": [],
        "Recua (arraste-a)  Ctrl+B": [],
        "Marcar como movida  Ctrl+M": [],
    }
    assert "Esta artilharia apoia o ataque  Ctrl+U" not in entries(play, UNIT)["Declarar combate"]
    play.key(UNIT, str(reports.KEY_REDUCE))
    assert {"Recuperar-se da baixa  Ctrl+Shift+R"} == {e for e in entries(play, UNIT) if "baixa" in e}
    before = play.chat()
    play.key(UNIT, str(reports.KEY_REDUCE))
    assert play.chat() == before, "a loss is reported that cannot be taken"
    play.key(UNIT, str(reports.KEY_ELIMINATE))
    assert {e for e, below in entries(play, UNIT).items() if not below} >= {"Voltar ao mapa  Ctrl+Shift+B"}
    assert entries(play, UNIT)["Retirar a peça"] == []


def test_dice_are_reported_one_by_one(play: Engine) -> None:
    for name, count in (("2d6", 2), ("1d6", 1)):
        play.ask("button", name=name)
        faces = (
            next(line for line in reversed(play.chat()) if "***" in line)
            .partition(": ")[2]
            .partition(" ***")[0]
            .split(",")
        )
        assert len(faces) == count
        assert all(face.strip() in "123456" for face in faces)


def test_air_points_are_a_property_of_the_game(play: Engine) -> None:
    assert play.position()["globals"][air.AIR] == "3"


def test_units_are_placed_as_suggested_and_taken_back_while_the_set_up_lasts(engine: Engine, small: Built) -> None:
    words = small.plan.words

    def placed() -> dict[str, str]:
        pieces = engine.position()["pieces"]
        return {p["properties"]["UnitId"]: p["location"] for p in pieces if "UnitId" in p["properties"]}

    engine.setup(words("setup_suggested.name"))
    suggested = placed()
    engine.setup(words("setup.name"))
    before = placed()
    one, *_ = small.plan.suggested
    assert suggested != before and suggested[one] == small.plan.suggested[one]
    assert engine.command(one, words("menu.place"))
    assert placed()[one] == suggested[one]
    engine.ask("click", tip=words("button.place_tip"))
    assert placed() == suggested
    engine.ask("click", tip=words("button.reset_tip"))
    assert placed() == before
    engine.turn()
    engine.ask("click", tip=words("button.place_tip"))
    assert placed() == before and "terminou" in engine.chat()[-1]
    assert engine.problems == []


def test_markers_stand_on_their_tracks(play: Engine, small: Built) -> None:
    found = {p["properties"].get("MarkerId"): p["location"] for p in play.position()["pieces"]}
    tracks = small.plan.ground.tracks
    assert found["turn"] == tracks["turn"].boxes[1][0]
    assert found["air_x1"] == tracks["air"].boxes[3][0]
    assert found["weather"] == small.plan.words("palette.markers")
