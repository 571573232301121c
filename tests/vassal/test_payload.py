"""Disguises of the text: every format is read as it was written, and damage is named with its place."""

from __future__ import annotations

import lzma
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexforge.modulegen.vassal.encoding import FormatError
from hexforge.modulegen.vassal.payload import Format, decode_payload, encode_payload, sniff

TEXT = st.binary(max_size=400).filter(lambda b: sniff(b) is Format.PLAIN)


@given(TEXT, st.sampled_from(Format), st.none() | st.integers(0, 255))
def test_every_format_gives_the_text_back(text: bytes, kind: Format, key: int | None) -> None:
    stored = encode_payload(text, kind, key)
    found = decode_payload(stored)
    assert (found.text, found.format, found.damage) == (text, kind, None)
    if kind is not Format.XZ:
        assert encode_payload(found.text, found.format, found.key) == stored


@given(TEXT, st.integers(0, 255))
def test_capitals_are_kept(text: bytes, key: int) -> None:
    stored = b"!VCSK" + bytes([key]).hex().upper().encode() + bytes(b ^ key for b in text).hex().upper().encode()
    found = decode_payload(stored)
    assert found.text == text
    assert encode_payload(found.text, found.format, found.key, upper=found.upper).lower() == stored.lower()


def test_known_bytes() -> None:
    assert encode_payload(b"begin_save", Format.HEX, 0x4A) == b"!VCSK4a282f2d2324153 92b3c2f".replace(b" ", b"")
    assert encode_payload(b"begin_save", Format.RAW, 0x01) == b"VOBS\x01cdfho^r`wd"
    assert decode_payload(b"begin_save").format is Format.PLAIN


def test_the_key_is_reproducible_and_never_zero() -> None:
    keys = {encode_payload(bytes([n]), Format.RAW)[4] for n in range(256)}
    assert 0 not in keys
    assert len(keys) > 100
    assert encode_payload(b"abc") == encode_payload(b"abc")


def test_a_deflated_text_may_be_raw_or_wrapped() -> None:
    text = b"begin_save" * 50
    machine = zlib.compressobj(9, zlib.DEFLATED, -15)
    raw = machine.compress(text) + machine.flush()
    for packed in (raw, zlib.compress(text)):
        stored = b"!VCSZ" + bytes([7]).hex().encode() + bytes(b ^ 7 for b in packed).hex().encode()
        assert decode_payload(stored).text == text


def test_xz_may_hold_another_disguise() -> None:
    assert decode_payload(lzma.compress(encode_payload(b"begin_save"))).text == b"begin_save"


@pytest.mark.parametrize(
    ("stored", "place", "rest"),
    [
        (b"!VCSK01626", 10, b"c"),
        (b"!VCSK0162zz6463", 9, b"c"),
        (b"!VCSK0162 63", 9, b"c"),
        (b"!VCSK", 5, b""),
        (b"VOBS", 4, b""),
        (b"!VCSKxx", 5, b""),
    ],
)
def test_damage_is_named_with_its_place(stored: bytes, place: int, rest: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        decode_payload(stored)
    assert caught.value.offset == place
    saved = decode_payload(stored, salvage=True)
    assert saved.text == rest
    assert saved.damage is not None


@pytest.mark.parametrize("kind", [Format.DEFLATED, Format.XZ])
def test_truncated_compression_is_salvaged(kind: Format) -> None:
    text = bytes(range(256)) * 400
    stored = encode_payload(text, kind)[:-20]
    with pytest.raises(FormatError, match="too early"):
        decode_payload(stored)
    saved = decode_payload(stored, salvage=True)
    assert text.startswith(saved.text)
    assert saved.damage is not None


@pytest.mark.parametrize("kind", [Format.DEFLATED, Format.XZ])
def test_bombs_are_refused(kind: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexforge.modulegen.vassal.payload.MAX_PAYLOAD", 1 << 20)
    bomb = encode_payload(bytes(1 << 23), kind)
    with pytest.raises(FormatError, match="more than"):
        decode_payload(bomb)


def test_a_key_is_one_byte() -> None:
    with pytest.raises(ValueError, match="one byte"):
        encode_payload(b"", Format.RAW, 256)
