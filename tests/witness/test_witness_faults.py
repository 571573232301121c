"""The witness sees what is wrong with a module, and says clearly when it cannot run itself."""

from __future__ import annotations

import os
import signal
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from . import Engine, WitnessError
from .conftest import PLAYED, stop_unless_ready

ODD_COMMANDS = b"\x1bDANCE\tnow\x1b+/9999/prototype;Unit\tpiece;;;blue1.png;lone/\tBoard;58;50;3;0"


def altered(target: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    """A copy of `mini.vmod` with entries changed, or left out where `change` gives None."""
    with zipfile.ZipFile(PLAYED / "mini.vmod") as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.infolist():
            content = change(entry.filename, old.read(entry))
            if content is not None:
                new.writestr(entry.filename, content)
    return target


def with_faults(name: str, content: bytes) -> bytes | None:
    """One fault of each kind."""
    if name == "images/red2.png":
        return None
    if name == "images/red1.png":
        return b"no picture"
    if name == "buildFile.xml":
        for sound, faulty in (
            (b'gpid="2"', b'gpid="1"'),
            (b'gpid="3"', b'gpid="12"'),
            (b"prototype;Unit\tpiece;;;blue1", b"prototype;Ghost\tpiece;;;blue1"),
            (b"<VASSAL.build.module.Chatter/>", b"<VASSAL.build.module.Nonsense/><VASSAL.build.module.Chatter/>"),
            (
                b"<VASSAL.build.module.PredefinedSetup ",
                b'<VASSAL.build.module.PredefinedSetup name="Gone" file="Gone.vsav" useFile="true" isMenu="false"/>'
                b"<VASSAL.build.module.PredefinedSetup ",
            ),
        ):
            assert sound in content
            content = content.replace(sound, faulty, 1)
    return content


@pytest.mark.witness
def test_every_fault_is_reported(witness_ready: None, tmp_path: Path) -> None:
    with Engine() as engine:
        engine.open(altered(tmp_path / "faulty.vmod", with_faults))
        with zipfile.ZipFile(PLAYED / "mini.vmod") as module:
            start = module.read("Start.vsav")
        (tmp_path / "start.vsav").write_bytes(start)
        with zipfile.ZipFile(tmp_path / "start.vsav") as sound, zipfile.ZipFile(tmp_path / "odd.vsav", "w") as odd:
            commands = engine.deobfuscate(sound.read("savedGame"))
            odd.writestr("savedGame", commands.replace(b"\x1bend_save", ODD_COMMANDS + b"\x1bend_save"))
            odd.writestr("savedata", sound.read("savedata"))
        engine.load(tmp_path / "odd.vsav")
        found = {(problem["kind"], problem["text"]) for problem in engine.problems}

    def reported(kind: str, *words: str) -> bool:
        return any(a == kind and all(word in text for word in words) for a, text in found)

    assert reported("image", "red2.png")
    assert reported("image", "red1.png") or reported("log", "red1.png")
    assert reported("gpid", "'red1' and 'red2' share the gpid 1")
    assert reported("gpid", "gpid 12 of 'blue1' is not below nextPieceSlotId")
    assert reported("prototype", "piece slot 'blue1' uses prototype 'Ghost'")
    assert reported("setup", "'Gone'", "Gone.vsav")
    assert any("Nonsense" in text for _, text in found)
    assert reported("command", "DANCE")
    assert reported("prototype", "piece 'lone' carries prototypes unexpanded: ['Unit']")


@pytest.mark.full
@pytest.mark.witness
def test_an_engine_knows_nothing_of_those_before_it_in_its_process(witness_ready: None, tmp_path: Path) -> None:
    def seen(engine: Engine, picture: str) -> tuple[Any, ...]:
        described = engine.open(PLAYED / "mini.vmod")
        position = engine.setup("Start")
        engine.ask("show")
        windows = engine.ask("windows")
        engine.snapshot(tmp_path / picture)
        return described, position, windows, engine.chat(), (tmp_path / picture).read_bytes(), engine.problems

    with Engine(fresh=True) as first:
        first.open(altered(tmp_path / "mini.vmod", with_faults))
        first.setup("Start")
        first.player("Ana", "Red")
        first.ask("show")
        first.ask("answer", text="never asked for")
        first.ask("say", text="heard by nobody")
        process = first.process_id
    with Engine() as second:
        assert second.process_id == process
        after = seen(second, "after.png")
    with Engine(fresh=True) as alone:
        assert alone.process_id != process
        assert seen(alone, "alone.png") == after


@pytest.mark.witness
def test_a_module_that_cannot_be_read_is_an_error(witness_ready: None, tmp_path: Path) -> None:
    broken = altered(
        tmp_path / "broken.vmod",
        lambda name, content: content[: len(content) // 2] if name == "buildFile.xml" else content,
    )
    with Engine() as engine, pytest.raises(WitnessError, match="error reading module file"):
        engine.open(broken)


@pytest.mark.witness
def test_a_dead_engine_is_an_error_and_no_hang(witness_ready: None) -> None:
    with Engine() as engine:
        engine.encode([["a"]], ",")
        os.killpg(engine.process_id, signal.SIGKILL)
        os.waitid(os.P_PID, engine.process_id, os.WEXITED | os.WNOWAIT)
        with pytest.raises(WitnessError, match="the engine has died"):
            engine.encode([["a"]], ",")


@pytest.mark.full
@pytest.mark.witness
def test_an_engine_that_nobody_hears_ends(witness_ready: None) -> None:
    with Engine(fresh=True) as engine:
        engine.open(PLAYED / "mini.vmod")
        process = engine._running._process
        assert process.stdin is not None and process.stdout is not None
        process.stdout.close()
        process.stdin.write(b'{"do": "describe"}\n')
        process.stdin.close()
        process.wait(30)


@pytest.mark.witness
def test_a_slow_engine_is_an_error_and_no_hang(witness_ready: None) -> None:
    with (
        Engine(patience=0.05, fresh=True) as engine,
        pytest.raises(WitnessError, match=r"no answer within 0\.05 s"),
    ):
        engine.encode([["a"]], ",")


def test_what_is_missing_skips_or_fails_as_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEXFORGE_REQUIRE_WITNESS", raising=False)
    stop_unless_ready([])
    with pytest.raises(pytest.skip.Exception, match="there is no program Xvfb"):
        stop_unless_ready(["program Xvfb"])
    monkeypatch.setenv("HEXFORGE_REQUIRE_WITNESS", "1")
    with pytest.raises(pytest.fail.Exception, match="HEXFORGE_REQUIRE_WITNESS=1"):
        stop_unless_ready(["program Xvfb"])
