"""Saves and logs between VASSAL and us: we read what it writes, and it reads what we write."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from hexforge.modulegen.vassal.commands import Log, MovePiece, Unknown
from hexforge.modulegen.vassal.payload import Node, decode_payload, encode_payload, group, leaf, read_tree

from . import Engine
from .scripted import differences

pytestmark = pytest.mark.witness


@pytest.fixture
def played(mini: Engine, tmp_path: Path) -> tuple[Path, Path]:
    """A log and a save that the engine has written."""
    log, save = tmp_path / "engine.vlog", tmp_path / "engine.vsav"
    mini.setup("Start")
    mini.player("Zé; 'O/a\\b,c'", "Red", "s;e,c/r\\et")
    mini.start_log(log)
    mini.move("red1", "0404")
    mini.move("red2", "0404")
    mini.move("blue1", "0404")
    mini.command("red1", "Mark Moved")
    mini.place("3", "0101")
    mini.ask("button", name="1d6")
    mini.turn()
    mini.ask("say", text="olá; 'it\\s', a/b|c & <b>\tdone\\")
    mini.command("red2", "Delete")
    mini.end_log()
    mini.save(save)
    return log, save


def payload_of(path: Path) -> bytes:
    """The text of a save or log, as we read it."""
    with zipfile.ZipFile(path) as container:
        return decode_payload(container.read("savedGame")).text


def rewritten(node: Node) -> Node:
    """The same tree, each command written anew from what we read in it, its own text forgotten."""
    if node.is_group:
        return group(*(rewritten(part) for part in node.parts))
    command = node.command
    text = command.write()
    return leaf(command) if not text else Node(text.encode("utf-8", "surrogateescape"))


def test_we_read_all_that_the_engine_writes(mini: Engine, played: tuple[Path, Path]) -> None:
    for path in played:
        text = payload_of(path)
        root, damage = read_tree(text)
        assert damage is None
        assert root.encode() == text
        assert [one for one in root.commands() if isinstance(one, Unknown)] == []
        assert rewritten(root).encode() == text


def test_we_see_the_steps_that_the_engine_sees(mini: Engine, played: tuple[Path, Path]) -> None:
    # One less than were played: what was said ends in a backslash, and the engine runs it into the next step.
    entries = [entry for entry in read_tree(payload_of(played[0]))[0].parts if entry.is_log_entry]
    assert len(entries) == mini.ask("load", path=str(played[0]))["steps"] == 8
    logged = [one for entry in entries for one in (leaf.command for leaf in entry.leaves()) if isinstance(one, Log)]
    assert sum(isinstance(one.command, MovePiece) for one in logged) == 3


def test_the_engine_reads_what_we_write(mini: Engine, played: tuple[Path, Path], tmp_path: Path) -> None:
    for number, path in enumerate(played):
        mini.load(path)
        told = mini.step()
        ours = tmp_path / f"ours-{number}{path.suffix}"
        with zipfile.ZipFile(path) as old, zipfile.ZipFile(ours, "w") as new:
            root, _ = read_tree(payload_of(path))
            new.writestr("savedGame", encode_payload(rewritten(root).encode()))
            for name in ("savedata", "moduledata"):
                new.writestr(name, old.read(name))
        mini.load(ours)
        assert differences(told, mini.step()) == []
    assert mini.problems == []
