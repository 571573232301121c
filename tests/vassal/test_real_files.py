"""Files that VASSAL and its relatives wrote over fifteen years: each comes back byte for byte, counted."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path
from typing import NamedTuple

import pytest

from hexforge.modulegen.vassal.archive import Archive
from hexforge.modulegen.vassal.commands import Log, Unknown, read_command
from hexforge.modulegen.vassal.inspect import as_json, as_text, describe
from hexforge.modulegen.vassal.module import read_module
from hexforge.modulegen.vassal.payload import Format, Node, decode_payload
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save, rewrite
from hexforge.modulegen.vassal.traits import UnknownTrait

pytestmark = pytest.mark.foreign


class Pin(NamedTuple):
    """Top-level entries, actions, commands, logged ones, pieces at the start and at the end, unknown commands."""

    entries: int
    actions: int
    commands: int
    logged: int
    pieces: int
    pieces_after: int
    unknown: tuple[str, ...] = ()


VASL = ("INFO", "bd")
PINS = {
    "armada-test.vlog": Pin(8, 5, 14, 11, 0, 9),
    "ccn-tutorial.vlog": Pin(591, 237, 45025, 2236, 401, 243),
    "ragnarok-start.vsav": Pin(12, 0, 168, 0, 99, 99),
    "valor-blue-and-gray-chickamauga-setup.vsav": Pin(89, 0, 175, 0, 86, 86),
    "valor-tobruk-scenario_firefight_b.vsav": Pin(24, 0, 45, 0, 21, 21),
    "valor-tobruk-scenario_meeting.vsav": Pin(11, 0, 19, 0, 8, 8),
    "valor-westwall-arnhem-setup.vsav": Pin(102, 0, 201, 0, 99, 99),
    "vasl-4players.vlog": Pin(63, 40, 73, 43, 3, 3, VASL),
    "vasl-full.vlog": Pin(44, 30, 54, 33, 3, 3, VASL),
    "vasl-multiple-1.vlog": Pin(45, 22, 54, 24, 3, 3, VASL),
    "vasl-multiple-2.vlog": Pin(31, 8, 39, 9, 3, 3, VASL),
}
MODULES = {
    "hex-n-counters-template.vmod": ("Hex'n'Counters template", 13, 17, 4),
    "test-predefined-setups.vmod": ("Test Predefined Setups Module", 0, 0, 1),
    "tour.mod": ("VASSAL Tour", 21, 2, 2),
}


def from_fields(node: Node) -> Node:
    """The tree written anew from the fields of each command, whatever was remembered of its text."""
    if node.parts:
        return Node(b"", tuple([from_fields(part) for part in node.parts]))
    return Node(read_command(node.text).write().encode("utf-8", "surrogateescape"))


def test_no_file_is_forgotten(shared_data: Path) -> None:
    found = {p.name for p in shared_data.iterdir() if p.suffix in (".vlog", ".vsav", ".vmod", ".mod")}
    assert found == {*PINS, *MODULES}


@pytest.mark.parametrize("name", PINS)
def test_a_save_comes_back_identical(shared_data: Path, name: str) -> None:
    with Archive(shared_data / name) as archive:
        stored = archive.read("savedGame")
    game = read_save(shared_data / name)
    assert game.payload() == stored
    text = decode_payload(stored).text
    assert game.root.encode() == text
    assert from_fields(game.root).encode() == text


# Eleven megabytes by XZ take too long for a unit test.
FORMATS = [(n, k) for n in PINS for k in Format if k is not Format.XZ or n != "ccn-tutorial.vlog"]


@pytest.mark.parametrize(("name", "kind"), FORMATS)
def test_a_save_survives_other_formats(shared_data: Path, name: str, kind: Format) -> None:
    game = read_save(shared_data / name)
    again = read_save(rewrite(game, format=kind))
    assert again.format is kind
    assert again.root.encode() == game.root.encode()
    assert again.module == game.module


@pytest.mark.parametrize(("name", "pin"), PINS.items())
def test_a_save_holds_what_we_counted(shared_data: Path, name: str, pin: Pin) -> None:
    game = read_save(shared_data / name)
    commands = [read_command(leaf.text) for leaf in game.root.leaves()]
    plain = [c.command if isinstance(c, Log) else c for c in commands]
    replay = LogReplay(game)
    before = len(replay.position.pieces)
    replay.goto(-1)
    assert replay.position.missed == {}
    logged = sum(isinstance(c, Log) for c in commands)
    unknown = tuple(sorted({c.prefix for c in plain if isinstance(c, Unknown)}))
    after = len(replay.position.pieces)
    assert Pin(len(game.nodes), len(game.steps), len(commands), logged, before, after, unknown) == pin


@pytest.mark.parametrize("name", PINS)
def test_stepping_back_restores_everything(shared_data: Path, name: str) -> None:
    replay = LogReplay(read_save(shared_data / name))
    p = replay.position
    tables = (p.pieces, p.containers, p.properties, p.players, p.boards, p.turns)
    start = [dict(table) for table in tables]
    replay.goto(-1)
    replay.goto(0)
    assert [dict(table) for table in tables] == start


@pytest.mark.parametrize("name", PINS)
def test_every_trait_is_known(shared_data: Path, name: str) -> None:
    replay = LogReplay(read_save(shared_data / name))
    replay.goto(-1)
    for piece_id in replay.position.pieces:
        unknown = [t for t in replay.piece(piece_id).traits if isinstance(t, UnknownTrait)]
        assert unknown == []


@pytest.mark.parametrize("name", PINS)
def test_no_password_in_any_output(shared_data: Path, name: str) -> None:
    game = read_save(shared_data / name)
    replay = LogReplay(game)
    public = {word for p in replay.position.players.values() for word in (p.name, p.side)}
    secrets = {p.id.reveal() for p in replay.position.players.values()} - public - {""}
    for text in (as_json(shared_data / name), as_text(shared_data / name, width=200)):
        words = set(text.replace('"', " ").replace("/", " ").split())
        assert not words & secrets


@pytest.mark.parametrize(("name", "expected"), MODULES.items())
def test_a_module_is_read(shared_data: Path, name: str, expected: tuple[str, int, int, int]) -> None:
    module = read_module(shared_data / name)
    assert (module.name, len(module.slots), len(module.prototypes), len(module.maps)) == expected
    assert describe(shared_data / name)["unknown_traits"] == {}


def test_the_template_lacks_what_it_is_known_to_lack(shared_data: Path) -> None:
    found = describe(shared_data / "hex-n-counters-template.vmod")
    assert found["images"]["missing"] == ["INF-white", "MEC-black-white", "blank-white"]
    assert found["missing_prototypes"] == ["INF-black"]


def test_memory_stays_below_five_times_the_payload(shared_data: Path) -> None:
    path = shared_data / "ccn-tutorial.vlog"
    gc.collect()
    tracemalloc.start()
    game = read_save(path)
    count = sum(1 for _ in game.root.leaves())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 45025
    assert peak < 5 * game.stored_size
