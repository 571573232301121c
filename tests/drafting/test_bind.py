"""What ties a rebuilt module to its game is found by whatever the module tells, and nothing false is proposed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hexforge.modulegen.archive import pack
from hexforge.modulegen.drafting import ties
from hexforge.modulegen.drafting.bind import propose
from hexforge.modulegen.vassal.archive import MAX_ENTRY, Archive
from hexforge.modulegen.vassal.commands import BeginSave, EndSave
from hexforge.modulegen.vassal.encoding import FormatError
from hexforge.modulegen.vassal.save import save_bytes, save_tree
from hexforge.scenarios import load
from hexforge.scenarios.text.words import Message
from tests.compiler.conftest import build
from tests.examples import leading

from . import abroad

GAMES = ("hurtgen", "metz")


@pytest.fixture(scope="module", params=leading(1, GAMES))
def ours(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    path = tmp_path_factory.mktemp("bind") / "ours.vmod"
    path.write_bytes(build(request.param, "en").data)
    return request.param, path


def proposed(
    ours: tuple[str, Path], tmp_path: Path, **told: bool
) -> tuple[abroad.Abroad, dict[str, Any], dict[str, Message]]:
    game, path = ours
    there = abroad.rebuilt(load(game), path, tmp_path / "abroad.vmod", **told)
    said, left = propose(load(game), there.path)
    return there, said, {message.key.rpartition(".")[2]: message for message in left}


@pytest.mark.parametrize(("figures", "named"), [(True, False), (False, True), (True, True), (False, False)])
def test_no_unit_is_tied_to_another_piece(
    ours: tuple[str, Path], tmp_path: Path, figures: bool, named: bool
) -> None:
    there, said, left = proposed(ours, tmp_path, figures=figures, named=named)
    units = {name: unit for unit, name in there.names.items()}
    assert {name: units[name] for name in said["pieces"]} == said["pieces"]
    assert said["hexes"]["first"] == "0101"
    assert said["sides"] == {name: side for side, name in there.sides.items()}
    assert said["maps"]["main"] == abroad.MAPS[0]
    if said["maps"].get("losses"):
        assert said["left"] == {side: abroad.LEFT[n] for n, side in enumerate(there.sides)}
    share = len(said["pieces"]) / len(units)
    assert (share == 1) if named else (share > (0.4 if figures else 0.05))
    # What hangs on the place alone is said, whoever has a name or figures to go by is not among them.
    assert ("guessed" in left) == (not named and not figures)
    assert ("units" in left) == ("pieces" in left) == (not named)


def test_pictures_called_after_units_tell_them_all(ours: tuple[str, Path], tmp_path: Path) -> None:
    there, said, left = proposed(ours, tmp_path, figures=False, pictured=True)
    assert said["pieces"] == {name: unit for unit, name in there.names.items()}
    assert not {"units", "pieces", "guessed", "alike"} & left.keys()


def test_what_nothing_tells_apart_is_listed_with_what_to_write(ours: tuple[str, Path], tmp_path: Path) -> None:
    there, _, left = proposed(ours, tmp_path)
    told = dict(left["alike"].params)
    pieces, units = told["pieces"], told["names"]
    assert isinstance(pieces, tuple)
    assert isinstance(units, tuple)
    known = {f"{there.ids[unit]} ({name})": unit for unit, name in there.names.items()}
    assert {known[piece] for piece in pieces} <= set(units)
    assert 'ids: {"123": unit}' in str(left["alike"])


def test_the_set_up_that_tells_most_is_looked_at(ours: tuple[str, Path], tmp_path: Path) -> None:
    game, path = ours
    there = abroad.rebuilt(load(game), path, tmp_path / "abroad.vmod", named=True)
    with Archive(there.path) as archive:
        files = {name: archive.read(name, MAX_ENTRY) for name in archive.names}
    first = b'<VASSAL.build.module.PredefinedSetup name="Vuota" file="vuota.vsav" useFile="true" isMenu="false"/>'
    text = files["buildFile.xml"]
    at = text.index(b"<VASSAL.build.module.PredefinedSetup")
    files["buildFile.xml"] = text[:at] + first + text[at:]
    files["vuota.vsav"] = save_bytes(save_tree([BeginSave(), EndSave()]), abroad.ABOUT)
    there.path.write_bytes(pack(files.items()))
    assert len(propose(load(game), there.path)[0]["pieces"]) == len(there.names)
    # An empty one leaves the palette to go by.
    assert "ids" not in propose(load(game), there.path, "Vuota")[0]
    outside = tmp_path / "outside.vsav"
    outside.write_bytes(files["partenza.vsav"])
    assert len(propose(load(game), there.path, str(outside))[0]["pieces"]) == len(there.names)
    with pytest.raises(FormatError, match="Nessuna"):
        propose(load(game), there.path, "Nessuna")


@pytest.mark.parametrize("ours", GAMES[1:], indirect=True)
def test_of_a_series_the_game_s_own_board_is_taken(ours: tuple[str, Path], tmp_path: Path) -> None:
    game, path = ours
    other = tmp_path / "other.vmod"
    other.write_bytes(build(next(name for name in GAMES if name != game), "en").data)
    mine = abroad.rebuilt(load(game), path, tmp_path / "mine.vmod", volume="x")
    theirs = abroad.rebuilt(load(next(name for name in GAMES if name != game)), other, tmp_path / "theirs.vmod")
    alone, _ = propose(load(game), mine.path)
    together, left = propose(load(game), abroad.series((theirs, mine), tmp_path / "series.vmod"))
    assert {key: together[key] for key in ("hexes", "sides", "pieces")} == {
        key: alone[key] for key in ("hexes", "sides", "pieces")
    }
    assert (f"Tavola {abroad.MAPS[0]}x", "Partenzax") == tuple(
        dict(next(m for m in left if m.key.endswith("looked-at")).params).values()
    )


def test_more_pieces_than_any_game_has_are_one_error(
    ours: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hexforge.modulegen.drafting.bind.MOST", 20)
    with pytest.raises(FormatError, match="20"):
        proposed(ours, tmp_path)


@pytest.mark.parametrize(
    ("texts", "unit"),
    [
        (("2nd Bn, 1023rd Regiment",), "ge-1023-2"),
        (("Counter", "GE_1023_1_front"), "ge-1023-1"),
        (("Counter", "28th Division Engineer 103"), "us-28-eng"),
        (("Piece 12",), ""),
        (("1023",), ""),
        (("p5001_front",), ""),
    ],
)
def test_what_is_written_about_a_piece_names_one_unit_or_none(texts: tuple[str, ...], unit: str) -> None:
    found = [counter.id for _, counter in ties.best([texts], list(load("hurtgen").counters.values()))]
    assert found == ([unit] if unit else [])
