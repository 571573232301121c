"""Logs under foreign names, ids and grids, tied to their game by a binding, say what they said before."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from hexforge.modulegen.vassal.archive import ArchiveEntry, Metadata, write_metadata, zip_bytes
from hexforge.modulegen.vassal.payload import encode_payload
from hexforge.modulegen.vassal.replay import PieceView
from hexforge.modulegen.vassal.save import SAVED_GAME, read_save
from hexforge.scenarios.binding import Binding
from hexforge.scenarios.commands import HOME
from hexforge.scenarios.console import ScenarioError
from hexforge.validator.judging.check import check_logs, judge_chain
from hexforge.validator.judging.transcription import transcript
from hexforge.validator.logs.bindings import Bound
from hexforge.validator.logs.chain import read_chain
from hexforge.validator.logs.locations import read_marks, spot_of
from hexforge.validator.notation import games

ENGINE = Path(__file__).parents[1] / "data" / "engine"
SHIFT = (37, 61)
RENAMED = {"main": "Foresta", "reserves": "Banco", "losses": "Camposanto"}
MODULE = Metadata("La Foresta", "2.3", "3.7.0")
UNIT = re.compile(rb"\b(?:us|ge)-[a-z0-9]+(?:-[a-z0-9]+)*")


def foreign(log: Path, target: Path, module: Metadata = MODULE) -> dict[str, object]:
    """The same log as of a module with other names of maps, units, layers, and another grid; its binding."""
    game = read_save(log)
    marks = read_marks(game.module)
    assert marks is not None
    units: dict[bytes, bytes] = {}
    text = (
        game.root.encode()
        .replace(b"UnitId", b"Kennung")
        .replace(b"Step_", b"Faccia_")
        .replace(b";Step;", b";Faccia;")
    )
    text = text.replace(b"Side,", b"Parte,")
    parts = text.split(b"\x1b")
    for index, part in enumerate(parts):
        if b"CHAT" not in part:
            parts[index] = UNIT.sub(lambda m: units.setdefault(m[0], b"Pezzo%d" % len(units)), part)
    text = b"\x1b".join(parts)
    for key, name in RENAMED.items():
        map_ = getattr(marks, key).encode()
        text = re.sub(rb"(?<![\w ])" + re.escape(map_) + rb"(?=[;/\\\t])", name.encode(), text)
    main = RENAMED["main"].encode()

    def moved(found: re.Match[bytes]) -> bytes:
        x, y = int(found[2]) + SHIFT[0], int(found[4]) + SHIFT[1]
        return b"%s%d%s%d" % (found[1], x, found[3], y)

    text = re.sub(rb"(\b" + main + rb"[;/])(\d{1,5})([;/])(\d{1,5})(?=[;/])", moved, text)
    entries = [ArchiveEntry(SAVED_GAME, encode_payload(text)), ArchiveEntry("moduledata", write_metadata(module))]
    target.write_bytes(zip_bytes(entries))
    grid = marks.grid
    chain = read_chain([log])
    names = {
        v.properties["BasicName"]: v.properties["UnitId"]
        for v in chain.logs[0].start.pieces.values()
        if v.properties.get("UnitId")
    }
    hexes = {"x0": grid.x0 + SHIFT[0], "y0": grid.y0 + SHIFT[1], "dx": grid.dx, "dy": grid.dy, "first": "0101"}
    return {
        "module": {"name": module.name, "versions": ["2.*"]},
        "maps": RENAMED,
        "hexes": hexes,
        "sides": dict(marks.sides),
        "steps": {"property": "Faccia_Level"},
        "pieces": names,
    }


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The game in a folder of its own, around its logs, so that a binding can be written into it."""
    folder = tmp_path / "hurtgen"
    shutil.copytree(HOME / "hurtgen", folder)
    return folder


@pytest.mark.parametrize(
    "name", ["h1", "air", "drag_to_losses", "attack_first", "undo_combat", "turn_back", "misdrop"]
)
def test_a_bound_log_says_what_it_said(home: Path, name: str) -> None:
    original = ENGINE / f"{name}.vlog"
    log = home / f"{name}.vlog"
    binding = foreign(original, log)
    before = transcript(read_chain([original]), "en")
    assert before is not None
    assert transcript(read_chain([log]), "en") is None, "nobody knows the module yet"
    (home / "binding.yaml").write_text(yaml.safe_dump(binding, allow_unicode=True), "utf-8")
    chain = read_chain([log])
    after = transcript(chain, "en")
    assert after is not None
    assert lines(after.text) == lines(before.text)
    judged = [judge_chain(c, "x", {}) for c in (read_chain([original]), chain)]
    # That a module was built from other data than are here can be said of ours alone.
    told = [[(f.code, f.severity) for f in answer.findings if f.code != "special"] for answer in judged]
    assert told[1] == told[0]


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_a_game_has_several_bindings_and_a_broken_one_is_named(home: Path) -> None:
    log = home / "h1.vlog"
    binding = foreign(ENGINE / "h1.vlog", log)
    other = {**binding, "module": {"name": "Another", "versions": ["*"]}}
    (home / "binding.yaml").write_text(yaml.safe_dump(other), "utf-8")
    assert transcript(read_chain([log]), "en") is None
    (home / "binding-foresta.yaml").write_text(yaml.safe_dump(binding), "utf-8")
    assert transcript(read_chain([log]), "en") is not None
    # The log of either module is judged by its own binding, from the same folder.
    second = home / "air.vlog"
    tied = foreign(ENGINE / "air.vlog", second, replace(MODULE, name="Il Bosco"))
    (home / "binding-bosco.yaml").write_text(yaml.safe_dump(tied), "utf-8")
    for path in (log, second):
        assert check_logs([path]).game == "hurtgen", path
    (home / "binding-foresta.yaml").write_text(yaml.safe_dump({**binding, "hexes": {"x0": "far"}}), "utf-8")
    with pytest.raises(ScenarioError, match=r"binding-foresta\.yaml:\d+: hexes"):
        read_chain([log])


def test_a_log_of_a_version_that_no_binding_names_is_not_judged_by_it(home: Path) -> None:
    log = home / "h1.vlog"
    binding = {**foreign(ENGINE / "h1.vlog", log), "module": {"name": MODULE.name, "versions": ["1.*", "3.0"]}}
    (home / "binding.yaml").write_text(yaml.safe_dump(binding), "utf-8")
    (said,) = [str(f.message) for f in check_logs([log]).findings if "binding.yaml" in str(f.message)]
    assert "1.*, 3.0" in said
    assert "2.3" in said


def test_dice_of_other_buttons_are_no_rolls(home: Path) -> None:
    log = home / "h1.vlog"
    binding = foreign(ENGINE / "h1.vlog", log)
    rolls = []
    for buttons in ((), ("2d6", "CombatDice"), ("Weather",)):
        (home / "binding.yaml").write_text(yaml.safe_dump({**binding, "dice": list(buttons)}), "utf-8")
        found = transcript(read_chain([log]), "en")
        assert found is not None
        rolls.append([line for line in found.lines if line.split()[:1] == ["roll"]])
    assert rolls[0] == rolls[1] != [] == rolls[2]


def test_who_left_the_map_alive_is_in_a_box_among_the_dead(home: Path) -> None:
    binding = Binding.model_validate(
        {**foreign(ENGINE / "h1.vlog", home / "h1.vlog"), "left": {"american": [0, 0, 50, 50]}}
    )
    scenario = games.known("hurtgen")
    assert scenario is not None
    tied = Bound(binding, scenario)
    for x, place in ((20, "left"), (70, "dead")):
        view = tied.see(PieceView("7", name=next(iter(binding.pieces)), map=RENAMED["losses"], x=x, y=20))
        side = {**view.properties, "Side": "american"}
        assert spot_of(replace(view, properties=side), tied.marks, scenario.map.grid).place == place


def test_masked_pieces_are_not_told_by_their_ids(home: Path) -> None:
    binding = Binding.model_validate({**foreign(ENGINE / "h1.vlog", home / "h1.vlog"), "ids": {"7": "us-109-1"}})
    scenario = games.known("hurtgen")
    assert scenario is not None
    seen = Bound(binding, scenario).see
    view = PieceView("7", name="?", masked=True)
    assert seen(view) == view
    assert seen(replace(view, masked=False)).properties["UnitId"] == "us-109-1"
