"""Damaged files: one clear error strictly, everything before the damage when salvaging."""

from __future__ import annotations

import time
import zlib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hexforge.modulegen.vassal.archive import Archive, ArchiveEntry, zip_bytes
from hexforge.modulegen.vassal.encoding import FormatError
from hexforge.modulegen.vassal.inspect import describe
from hexforge.modulegen.vassal.payload import Format, decode_payload, encode_payload
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save
from tests.examples import examples

PLAYED = Path(__file__).resolve().parents[1] / "data" / "played"
WHOLE = (PLAYED / "b-reroll.vlog").read_bytes()
with Archive(WHOLE) as _archive:
    STORED = _archive.read("savedGame")
TEXT = decode_payload(STORED).text


def commands_of(data: bytes) -> list[str]:
    return [leaf.text for leaf in read_save(data, salvage=True).root.leaves()]


ALL = [leaf.text for leaf in read_save(WHOLE).root.leaves()]


@examples(80)
@example(2127)
@given(st.integers(8, len(STORED) - 1))
def test_a_truncated_payload_gives_what_stood_before(cut: int) -> None:
    found = commands_of(STORED[:cut])
    # A cut behind the saved position cannot be told from a shorter log: its last command may be a part.
    assert found[:-1] == ALL[: len(found) - 1]
    # A cut within an escape leaves the backslashes that announced what is gone.
    assert ALL[len(found) - 1].startswith(found[-1].rstrip("\\"))
    missing = (len(STORED) - cut) // 2
    lost = sum(len(text) for text in ALL[len(found) :]) - len(found[-1])
    # No more is lost than what was cut off, one command, and the escapes between.
    assert lost <= missing + max(map(len, ALL)) + 200


@examples(60)
@given(st.integers(0, len(WHOLE) - 1))
def test_a_truncated_file_is_told_and_salvaged(cut: int) -> None:
    with pytest.raises(FormatError) as caught:
        read_save(WHOLE[:cut])
    assert str(caught.value)
    try:
        game = read_save(WHOLE[:cut], salvage=True)
    except FormatError:
        return
    assert game.damage is not None or game.root.encode() == TEXT
    list(LogReplay(game).pieces())


@examples(120)
@given(st.integers(0, len(WHOLE) * 8 - 1))
def test_a_flipped_bit_never_breaks_the_reader(bit: int) -> None:
    data = bytearray(WHOLE)
    data[bit // 8] ^= 1 << bit % 8
    for salvage in (False, True):
        try:
            game = read_save(bytes(data), salvage=salvage)
        except FormatError as error:
            assert len(str(error)) < 500
            continue
        replay = LogReplay(game)
        replay.goto(-1)
        list(replay.pieces())


def test_the_error_says_how_far_reading_came(tmp_path: Path) -> None:
    path = tmp_path / "cut.vlog"
    path.write_bytes(zip_bytes([ArchiveEntry("savedGame", STORED[:1002])]))
    with pytest.raises(FormatError) as caught:
        read_save(path)
    assert str(caught.value).startswith(f"{path}, savedGame, byte 1002: ")
    found = describe(path, salvage=True)
    assert "byte 1001" in str(found["damage"])
    assert found["players"] == [] or found["players"][0]["name"] == "Alice"
    assert found["pieces"]["total"] == 0 or found["pieces"]["total"] <= 3


def test_other_files_are_refused_with_one_line(tmp_path: Path) -> None:
    for name, data in (("a.txt", b"hello"), ("b.vsav", b""), ("c.vsav", zip_bytes([ArchiveEntry("x", b"")]))):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(FormatError) as caught:
            read_save(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        b"+/1/" + b"delete;\\\t" * 200_000 + b"/x",
        b"+/1/stack/M;1;2;" + b"9;" * 500_000,
        b"\x1b" * 49_999,
        b"LOG\t" * 500_000,
        b"+/1/mark;" + b"a," * 300_000 + b"\tpiece;;;;/" + b"b," * 300_000 + b"\tnull;0;0;1;999999999",
        b"+/1/piece;;;;x/M;1;2;3;2000000000;a;b",
        b"D/1/" + b"\t" * 500_000 + b"/" + b"\t" * 500_000,
        b"MBoardPicker" + b"\ta\t1\t1" * 200_000,
        b"M/1/M/99999999999999999999/1/null/M/1/1/null",
    ],
    ids=["deep piece", "wide stack", "many", "LOGs", "wide marker", "absurd count", "tabs", "boards", "number"],
)
def test_absurd_counts_cost_little(text: bytes) -> None:
    started = time.process_time()
    stored = encode_payload(text, Format.RAW)
    replay = LogReplay(read_save(stored))
    list(replay.pieces(on_map=False))
    assert replay.game.root.encode() == text
    assert time.process_time() - started < 8


def test_too_many_commands_are_refused() -> None:
    with pytest.raises(FormatError, match="at most 1000000"):
        read_save(encode_payload(b"\x1b" * 3_000_000, Format.RAW))


def test_a_position_without_an_end_is_told() -> None:
    stored = encode_payload(b"begin_save\x1bCHATa\x1bCHATb", Format.RAW)
    with pytest.raises(FormatError, match="end_save"):
        read_save(stored)
    assert commands_of(stored) == ["begin_save", "CHATa"]


def test_deflated_garbage_after_the_end_is_ignored() -> None:
    packed = zlib.compress(b"begin_save\x1bend_save") + b"garbage"
    stored = b"!VCSZ07" + bytes(b ^ 7 for b in packed).hex().encode()
    assert commands_of(stored) == ["begin_save", "end_save"]


def test_a_log_that_was_sent_as_text_is_told_and_read_whole() -> None:
    lines = b"\r\n".join(STORED[at : at + 72] for at in range(0, len(STORED), 72))
    with pytest.raises(FormatError, match="mail programs"):
        read_save(lines)
    assert read_save(lines, salvage=True).root.encode() == TEXT


def test_what_damage_left_of_a_header_is_no_name() -> None:
    at = WHOLE.rfind(b"PK\x03\x04")
    shifted = WHOLE[: at + 26] + b"\x00" + WHOLE[at + 26 : at + 200]
    assert all(name.isprintable() for name in Archive(shifted, salvage=True).names)
