"""VASSAL's engine loads our extensions on top of another module, and opens the modules that stand alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hexforge.modulegen.build import BuildResult as Built
from hexforge.modulegen.build import build
from hexforge.modulegen.build_key import Options
from hexforge.modulegen.lint.examine import examine
from hexforge.scenarios.compiled import load_extension
from hexforge.scenarios.model import Scenario
from hexforge.validator.judging.answer import Answer
from hexforge.validator.judging.check import check_logs
from hexforge.validator.notation import games
from tests.readers.test_lettered_maps import lettered

from . import Engine

pytestmark = pytest.mark.witness

NAME, OTHER = "normandy", "lettered"
PORT = "Porto de Cherburgo"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("extensions")


@pytest.fixture(scope="module")
def built(folder: Path) -> Built:
    return build(NAME, Options(folder, "pt", jobs=1))


@pytest.fixture(scope="module")
def extension() -> Scenario:
    return load_extension(NAME)


@pytest.fixture(scope="module")
def loaded(witness_ready: None, built: Built, folder: Path) -> Iterator[Engine]:
    """An engine with another module of ours open, whose map has a letter, and the extension on top of it."""
    module = build(lettered(folder / OTHER), Options(folder / "lettered.vmod", "pt", jobs=1)).path
    assert built.beside is not None
    with Engine() as engine:
        engine.open(module, built.beside)
        yield engine


@pytest.fixture(scope="module")
def alone(witness_ready: None, built: Built) -> Iterator[Engine]:
    """An engine with the module open that stands alone."""
    with Engine() as engine:
        engine.open(built.path)
        yield engine


def sheet_of(engine: Engine) -> str:
    """The name of the map with the tracks."""
    return next(str(one["name"]) for one in engine.module["maps"] if one["name"].endswith(": trilhas"))


def slot(engine: Engine, marker: str) -> str:
    return next(str(s["gpid"]) for s in engine.module["slots"] if s["properties"].get("MarkerId") == marker)


def marker(position: dict[str, Any], id_: str) -> dict[str, Any]:
    (found,) = [one for one in position["pieces"] if one["properties"].get("MarkerId") == id_]
    return dict(found)


def test_the_extension_loads_with_a_module_that_it_does_not_know(loaded: Engine, extension: Scenario) -> None:
    assert loaded.problems == []
    assert any("Normandy-20" in line for line in loaded.chat())
    offered = {slot["properties"].get("Kind") for slot in loaded.module["slots"]}
    assert set(extension.game.markers) <= offered
    assert {one["gpid"].partition(":")[0] for one in loaded.module["slots"] if ":" in one["gpid"]} == {"nrm20"}


def test_lint_has_nothing_to_say(built: Built) -> None:
    assert built.beside is not None
    for path in (built.path, built.beside):
        assert [f"{g.finding.rule}: {g.finding.message} {g.places[0]}" for g in examine(path).groups] == []


def test_on_top_of_another_module_it_is_played_saved_and_loaded(loaded: Engine, tmp_path: Path) -> None:
    start = loaded.setup(loaded.module["setups"][0]["name"])
    sheet = sheet_of(loaded)
    assert all(loaded.points([f"{PORT}: {n}" for n in range(10)], sheet))
    loaded.place(slot(loaded, "truck"), "B0307")
    port = loaded.place(slot(loaded, "port"), f"{PORT}: 9", sheet)
    assert loaded.command(port["id"], "Próxima casa da trilha")
    assert loaded.command(port["id"], "Próxima casa da trilha")
    assert loaded.command(port["id"], "Casa anterior da trilha")
    loaded.save(tmp_path / "with.vsav")
    again = loaded.load(tmp_path / "with.vsav")
    assert marker(again, "port")["location"] == f"{PORT}: 8"
    assert marker(again, "truck")["location"] == "B0307"
    assert len(again["pieces"]) == len(start["pieces"]) + 2
    assert loaded.problems == []


def test_alone_every_marker_that_is_counted_lies_in_its_box(alone: Engine, extension: Scenario) -> None:
    assert alone.problems == []
    assert len(alone.module["sides"]) >= 2
    assert alone.module["images"]["unused"] == 0
    start = alone.setup(alone.module["setups"][0]["name"])
    counted = {id_ for id_ in extension.game.markers if extension.game.count(id_)}
    assert {one["properties"]["MarkerId"] for one in start["pieces"]} == counted
    assert marker(start, "port")["location"] == f"{PORT}: Intacto"
    assert marker(start, "csp-1")["location"].endswith(": 0")
    assert marker(start, "csp-1")["x"] == marker(start, "csp-10")["x"]
    assert marker(start, "csp-1")["y"] != marker(start, "csp-10")["y"]


def test_alone_a_marker_is_turned_moved_and_masked_and_all_of_it_kept(alone: Engine, tmp_path: Path) -> None:
    start = alone.setup(alone.module["setups"][0]["name"])
    port, guns = (marker(start, id_)["id"] for id_ in ("port", "pdh-guns"))
    alone.player("Ana", "Alemão")
    alone.start_log(tmp_path / "alone.vlog")
    assert alone.command(port, "Próxima casa da trilha")
    assert alone.command(port, "Próxima face")
    assert alone.command(guns, "Virar para baixo ou para cima")
    assert alone.turn().startswith("6 jun 1944")
    assert alone.end_log() > 0
    alone.save(tmp_path / "alone.vsav")
    alone.load(tmp_path / "alone.vlog")
    for again in (alone.step(), alone.load(tmp_path / "alone.vsav")):
        turned = marker(again, "port")
        assert (turned["location"], turned["name"]) == (f"{PORT}: 9", "Reparo do porto")
        masked = next(one for one in again["pieces"] if one["gpid"] == slot(alone, "pdh-guns"))
        assert masked["properties"]["ObscuredToOthers"] == "true"
    assert alone.problems == []


def judged(log: Path, monkeypatch: pytest.MonkeyPatch) -> Answer:
    monkeypatch.setattr(games, "_FOLDERS", {})
    return check_logs([log])


def test_alone_a_log_becomes_a_sheet_of_accounts(
    alone: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = alone.setup(alone.module["setups"][0]["name"])
    port, csp, points = (marker(start, id_)["id"] for id_ in ("port", "csp-1", "replacements-1"))
    sheet = sheet_of(alone)
    alone.player("Ana", "Alemão")
    alone.start_log(tmp_path / "alone.vlog")
    for line in ("boa sorte; repair nothing yet", "unit hq-352 german infantry-hq division 352", "count truck 4"):
        alone.ask("say", text=line)
    alone.turn()
    alone.turn()
    alone.place(slot(alone, "truck"), "Reserva alemã (caminhões)", sheet)
    alone.ask("say", text="truck truck-1 at B1410")
    alone.command(port, "Próxima casa da trilha")
    for _ in range(3):
        alone.turn()
    alone.ask("say", text="turn 7 jun night engineering")
    for way in ("Próxima", "Próxima", "Anterior"):
        alone.command(port, f"{way} casa da trilha" if way == "Próxima" else "Casa anterior da trilha")
    alone.turn()
    alone.command(port, "Próxima casa da trilha")
    alone.move(csp, "Pontos de suprimento para combate: 5", sheet)
    alone.move(points, "Cotentin: reposições: 3", sheet)
    battle_group = alone.place(slot(alone, "kg"), "Kampfgruppen disponíveis", sheet)["id"]
    alone.move(battle_group, "Kampfgruppen eliminados (não voltam)", sheet)
    assert alone.end_log() > 0
    assert alone.problems == []
    answer = judged(tmp_path / "alone.vlog", monkeypatch)
    assert answer.lines[3:] == (
        *("unit hq-352 german infantry-hq division 352", "count truck 4"),
        *("turn 6 jun night reinforcement", "truck truck-1 at B1410", "turn 6 jun night engineering", "demolish 9"),
        *("turn 7 jun night engineering", "demolish 8"),
        *("turn 8 jun am engineering", "demolish 7", "eliminate kg-1", "stock points 5", "record 3"),
    )
    assert answer.lines[:3] == ("sheet 1", "game normandy", 'players german="Ana"')
    assert {f.line for f in answer.findings if f.severity == "illegal"} == {answer.lines.index("demolish 7") + 1}
    assert answer.steps[7] == ("alone.vlog", 7)


def test_on_another_module_a_log_becomes_one_too(
    loaded: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = loaded.setup(loaded.module["setups"][0]["name"])
    sheet = sheet_of(loaded)
    unit = next(one for one in start["pieces"] if one["properties"].get("UnitId"))
    loaded.player("Ana", loaded.module["sides"][0])
    loaded.start_log(tmp_path / "with.vlog")
    loaded.place(slot(loaded, "battery"), "B0308")
    truck = loaded.place(slot(loaded, "truck"), "B0305")["id"]  # no turn is known yet
    for line in ("turn 7 jun night replacement", "fact ezoc B0406 no; fact source B0406", "fact distance B0406 6"):
        loaded.ask("say", text=line)
    group = loaded.place(slot(loaded, "kg"), "B0406")["id"]
    loaded.ask("say", text="place kg-1 B0406")
    loaded.move(unit["id"], "B0707")
    loaded.ask("say", text="turn 8 jun am movement")
    for hex_ in ("B0405", "B0505", "B0405"):
        loaded.move(truck, hex_)
    loaded.move(group, "Kampfgruppen eliminados (não voltam)", sheet)
    loaded.move(group, "B0404")
    loaded.place(slot(loaded, "ost-company"), "B0404")
    assert loaded.end_log() > 0
    assert loaded.problems == []
    answer = judged(tmp_path / "with.vlog", monkeypatch)
    assert answer.lines == (
        *("sheet 1", "game normandy", "position", "  battery-1 B0308"),
        "#   truck truck-1 at B0305",
        *("turn 7 jun night replacement", "fact ezoc B0406 no", "fact source B0406", "fact distance B0406 6"),
        *("place kg-1 B0406", answer.lines[10]),
        *("turn 8 jun am movement", "move truck-1: B0305 B0405", "eliminate kg-1", "place kg-1 B0404"),
        answer.lines[15],
    )
    assert answer.lines[10].startswith("# ") and answer.lines[10].endswith("-> B0707")
    assert answer.lines[15].startswith("# ost-company-1: ")
    doubtful = {f.line for f in answer.findings if f.severity == "doubtful"}
    assert {5, 13, 16} <= doubtful
    assert {f.line for f in answer.findings if f.severity == "illegal"} == {15}
