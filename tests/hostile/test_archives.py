"""Modules, saves and logs made to do harm: answered in little time and memory, and nothing is written anywhere."""

from __future__ import annotations

import io
import struct
import time
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from hexforge.modulegen.vassal import archive as archives
from hexforge.modulegen.vassal.archive import Archive
from hexforge.modulegen.vassal.encoding import FormatError
from tests.commands import here

MODULE = '<VASSAL.build.GameModule name="x" version="1">{}</VASSAL.build.GameModule>'
EMPTY = MODULE.format("").encode()


def packed(entries: Iterable[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(out, "w", method) as archive:
            for name, data in entries:
                archive.writestr(name, data)
    return out.getvalue()


def module(build_file: bytes) -> bytes:
    return packed([("moduledata", b"<data/>"), ("buildFile.xml", build_file)])


def flagged(data: bytes, flag: int) -> bytes:
    """The archive with a general-purpose flag set in every header (1: encrypted)."""
    out = bytearray(data)
    for mark, offset in ((b"PK\1\2", 8), (b"PK\3\4", 6)):
        at = -1
        while (at := out.find(mark, at + 1)) >= 0:
            out[at + offset] |= flag
    return bytes(out)


def claiming(data: bytes, size: int) -> bytes:
    """The archive whose last listed entry claims another unpacked size."""
    out = bytearray(data)
    at = out.rfind(b"PK\1\2")
    out[at + 24 : at + 28] = struct.pack("<I", size)
    return bytes(out)


ENTITIES = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
REFUSED: dict[str, Callable[[], bytes]] = {
    "a bomb": lambda: module(b" " * (60 << 20)),
    "a bomb in lzma": lambda: packed([("buildFile.xml", b" " * (60 << 20))], zipfile.ZIP_LZMA),
    "entities": lambda: module(f'<!DOCTYPE l [<!ENTITY a "x">{ENTITIES}]>{MODULE.format("&i;")}'.encode()),
    "a file from outside": lambda: module(
        f'<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]>{MODULE.format("&a;")}'.encode()
    ),
    "a document type on the network": lambda: module(b'<!DOCTYPE l SYSTEM "http://127.0.0.1:9/x.dtd">' + EMPTY),
    "a million levels": lambda: module(MODULE.format("<a>" * 10**6 + "</a>" * 10**6).encode()),
    "many attributes": lambda: module(b"<x " + b" ".join(b"a%d=''" % n for n in range(100_000)) + b"/>"),
    "many elements": lambda: module(MODULE.format("<a/>" * 1_100_000).encode()),
    "encrypted": lambda: flagged(module(EMPTY), 1),
    "a wrong size": lambda: claiming(module(EMPTY), 10),
    "no XML": lambda: module(b"\0" * 100),
    "nothing": lambda: b"",
    "a folder where the build file should be": lambda: packed([("buildFile.xml/", b"")]),
    "cut in the middle": lambda: module(EMPTY)[:100],
    "cut at the end": lambda: module(EMPTY)[:-1],
}


@contextmanager
def bounded() -> Iterator[None]:
    """Within a gigabyte more than there is, and twenty seconds of the processor."""
    import resource

    before, began = resource.getrlimit(resource.RLIMIT_AS), time.process_time()
    resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + (1 << 30), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    assert time.process_time() - began < 20


@pytest.mark.parametrize("name", REFUSED)
def test_harm_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    path = tmp_path / "evil.vmod"
    path.write_bytes(REFUSED[name]())
    with bounded():
        done = here("modulegen", "verify", path)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr[-300:]
    assert "evil.vmod" in done.stderr
    assert len(done.stderr) < 400
    assert "Traceback" not in done.stderr
    with bounded():
        shown = here("modulegen", "inspect", path)
    assert shown.returncode in (0, 2)
    assert "Traceback" not in shown.stderr
    assert "root:" not in shown.stdout + done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["evil.vmod"]


def test_names_that_lead_outside_are_only_names(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    names = ["../../outside", str(tmp_path / "absolute"), "..\\..\\back", "C:\\x", "images/\x1b[31m.png", "a\nb"]
    path = folder / "evil.vmod"
    path.write_bytes(packed([("buildFile.xml", EMPTY), *[(name, b"x") for name in names]]))
    for words in (["verify", path], ["inspect", path], ["inspect", "--json", path], ["diff", path, path]):
        done = here("modulegen", *words)
        assert "Traceback" not in done.stderr
        assert "\x1b" not in done.stdout + done.stderr
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [path]


def test_a_list_of_a_million_entries_is_not_read() -> None:
    one = packed([("images/a.png", b"")])
    start = one.rindex(b"PK\1\2")
    record = one[start : one.rindex(b"PK\5\6")]
    listed = record * 400_000
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, len(listed), start, 0)
    with pytest.raises(FormatError, match="a directory of"):
        Archive(one[:start] + listed + end)


def test_entries_that_share_their_bytes_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_TOTAL", 3 << 20)
    with Archive(packed([(str(n), bytes(1 << 20)) for n in range(5)])) as archive:
        for n in range(3):
            archive.read(str(n))
        with pytest.raises(FormatError, match="in all"):
            archive.read("3")


def test_a_set_up_that_is_a_bomb_is_said_and_not_unpacked(tmp_path: Path) -> None:
    inner = packed([("savedGame", b"0" * (60 << 20))])
    build_file = MODULE.format('<VASSAL.build.module.PredefinedSetup name="s" file="s.vsav" useFile="true"/>')
    path = tmp_path / "evil.vmod"
    path.write_bytes(
        packed([("moduledata", b"<data/>"), ("buildFile.xml", build_file.encode()), ("s.vsav", inner)])
    )
    done = here("modulegen", "verify", path)
    assert done.returncode == 1
    assert "s.vsav cannot be read" in done.stdout
    assert "bomb" in done.stdout


def test_a_deflated_payload_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "evil.vsav"
    path.write_bytes(packed([("savedGame", b"!VCSZ" + zlib.compress(b"0" * (200 << 20), 9))]))
    for words in (["inspect", path], ["inspect", "--salvage", path]):
        done = here("modulegen", *words)
        assert done.returncode in (0, 2)
        assert "Traceback" not in done.stderr
        assert len(done.stdout) < 10_000


def test_a_flood_of_problems_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "many.vmod"
    path.write_bytes(module(MODULE.format('<VASSAL.build.module.PrototypeDefinition name="p"/>' * 20_000).encode()))
    done = here("modulegen", "verify", path)
    assert done.returncode == 1
    assert "more" in done.stdout.splitlines()[-1]
    assert len(done.stdout.splitlines()) == 201
