"""Containers: bounds on what strangers send, salvage of what is broken, and writing that is whole or not at all."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from hexforge.modulegen.vassal import archive
from hexforge.modulegen.vassal.archive import (
    Archive,
    ArchiveEntry,
    Metadata,
    parse_xml,
    read_metadata,
    write_metadata,
    zip_bytes,
)
from hexforge.modulegen.vassal.encoding import FormatError
from hexforge.scenarios.text.files import put

ENTRIES = [
    ArchiveEntry("savedGame", b"begin_save" * 2000),
    ArchiveEntry("moduledata", b"<data/>"),
    ArchiveEntry("images/a.png", b"x"),
]


def test_entries_come_back() -> None:
    with Archive(zip_bytes(ENTRIES)) as found:
        assert {name: found.read(name) for name in found.names} == {e.name: e.data for e in ENTRIES}
        assert "savedGame" in found
        assert found.size("savedGame") == 20000
        with pytest.raises(FormatError, match="no entry 'nothing'"):
            found.read("nothing")


def test_the_same_entries_give_the_same_bytes() -> None:
    assert zip_bytes(ENTRIES) == zip_bytes(list(ENTRIES))
    assert zip_bytes(ENTRIES) != zip_bytes(ENTRIES, stamp=(2026, 11, 21, 0, 0, 0))


def test_no_container() -> None:
    with pytest.raises(FormatError, match="not a readable ZIP"):
        Archive(b"hello")


def test_a_container_cut_off_is_called_so() -> None:
    with pytest.raises(FormatError, match=r"cut off.*--salvage reads what is left"):
        Archive(zip_bytes(ENTRIES)[:-30])


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("savedGame", bytes(40 << 20))
    with Archive(out.getvalue()) as found, pytest.raises(FormatError, match="bomb"):
        found.read("savedGame")


def test_limits_hold() -> None:
    with Archive(zip_bytes(ENTRIES)) as found, pytest.raises(FormatError, match="at most 100"):
        found.read("savedGame", 100)


def test_too_many_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_ENTRIES", 2)
    with pytest.raises(FormatError, match="3 entries"):
        Archive(zip_bytes(ENTRIES))


def test_a_lying_size_does_not_help_a_bomb() -> None:
    data = bytearray(zip_bytes([ArchiveEntry("savedGame", bytes(1 << 20))]))
    for at in (data.find(b"PK\x03\x04") + 22, data.find(b"PK\x01\x02") + 24):
        data[at : at + 4] = (100).to_bytes(4, "little")
    with Archive(bytes(data)) as found:
        try:
            assert len(found.read("savedGame")) <= 100
        except FormatError as error:
            assert "broken entry" in str(error)


@pytest.mark.parametrize("cut", [10, 60, 150, 400])
def test_a_truncated_container_is_salvaged(cut: int) -> None:
    text = b"".join(b"line %d\x1b" % n for n in range(400))
    whole = zip_bytes([ArchiveEntry("savedGame", text), ArchiveEntry("savedata", b"<data/>")])
    broken = whole[:-cut]
    with pytest.raises(FormatError):
        Archive(broken)
    with Archive(broken, salvage=True) as found:
        assert text.startswith(found.read("savedGame"))
        assert len(found.read("savedGame")) > 100
        assert found.damage is not None


def test_a_flipped_bit_is_told_and_salvaged() -> None:
    text = b"".join(b"line %d\x1b" % (n * n) for n in range(4000))
    data = bytearray(zip_bytes([ArchiveEntry("savedGame", text)]))
    data[len(data) // 2] ^= 0x55
    with Archive(bytes(data)) as found, pytest.raises(FormatError, match="broken entry") as caught:
        found.read("savedGame")
    assert caught.value.offset is not None
    with Archive(bytes(data), salvage=True) as found:
        assert len(found.read("savedGame")) > 1000
        assert found.damage is not None


def test_writing_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.vsav"
    put(target, b"old")

    def fail(_: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        put(target, b"new")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_metadata_round_trip() -> None:
    data = Metadata("Hürtgen <&>", "1.0", "3.7.5", 'a "b"', 1700000000000, "", None)
    assert read_metadata(write_metadata(data)) == data


@pytest.mark.parametrize(
    "text",
    [
        b'<!DOCTYPE data [<!ENTITY a "b">]><data><name>&a;</name></data>',
        b'<!DOCTYPE data SYSTEM "http://localhost/x.dtd"><data/>',
        '<!DOCTYPE data [<!ENTITY a "b">]><data><name>&a;</name></data>'.encode("utf-16"),
        b"<data><name>",
        b"",
        b"<data>" + b"<a>" * 5000,
        b"\xff\xfe<data/>",
    ],
)
def test_dangerous_or_broken_xml_is_refused(text: bytes) -> None:
    with pytest.raises(FormatError):
        parse_xml(text)


def test_other_xml_is_no_metadata() -> None:
    with pytest.raises(FormatError, match="expected 'data'"):
        read_metadata(b"<module/>")
