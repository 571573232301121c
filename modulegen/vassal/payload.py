"""The disguises in which VASSAL and its relatives store the text of a save or log.

- `!VCSK` (VASSAL to 3.7): a key byte and the text xored with it, all in hexadecimal.
- `VOBS` (VASSAL from September 2026): a key byte from 1 to 255 and the text xored with it, raw.
- `!VCSZ` (test builds of September 2026): like `!VCSK`, the text being deflated before it is xored.
- XZ (written by pywargame): compressed by lzma, without any disguise inside or with one of the above.
- plain text, which VASSAL reads too.

Sources: `VASSAL.tools.io.ObfuscatingOutputStream`, `DeobfuscatingInputStream`, and VASSAL's pull requests 15044
and 15060.
"""

from __future__ import annotations

import binascii
import lzma
import re
import zlib
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from hexforge.modulegen.vassal.errors import Damage, FormatError
from hexforge.scenarios.words import message

MAX_PAYLOAD = 256 * 1024 * 1024


class Format(StrEnum):
    """How a payload is stored."""

    HEX = "!VCSK"
    RAW = "VOBS"
    DEFLATED = "!VCSZ"
    XZ = "xz"
    PLAIN = "plain"


_XZ_MAGIC = b"\xfd7zXZ\x00"
_NOT_HEX = re.compile(rb"[^0-9a-fA-F]")


class Payload(NamedTuple):
    """The text of a save or log, as UTF-8 bytes, with what it takes to write it back identically.

    `damage` is set if reading ended early (only when salvaging). `upper` tells a hex payload in capitals.
    """

    text: bytes
    format: Format
    key: int = 0
    upper: bool = False
    damage: Damage | None = None


@lru_cache(maxsize=256)
def _table(key: int) -> bytes:
    return bytes(byte ^ key for byte in range(256))


def xor(data: bytes, key: int) -> bytes:
    """Every byte xored with the key."""
    return data.translate(_table(key)) if key else data


def sniff(data: bytes) -> Format:
    """Which format the first bytes announce."""
    if data.startswith(b"!VCSK"):
        return Format.HEX
    if data.startswith(b"VOBS"):
        return Format.RAW
    if data.startswith(b"!VCSZ"):
        return Format.DEFLATED
    if data.startswith(_XZ_MAGIC):
        return Format.XZ
    return Format.PLAIN


def default_key(text: bytes) -> int:
    """A key from 1 to 255 that depends on the text alone, so that writing is reproducible."""
    return zlib.crc32(text) % 255 + 1


def _too_long() -> FormatError:
    return FormatError(message("vassal.too-long", most=MAX_PAYLOAD))


def _no_key(kind: str, offset: int) -> FormatError:
    what = message("vassal.nothing-behind", kind=kind)
    return FormatError(what, offset=offset)


def _unhex(data: bytes, start: int, salvage: bool) -> tuple[bytes, Damage | None]:
    body = memoryview(data)[start:]
    try:
        return binascii.unhexlify(body), None
    except binascii.Error:
        pass
    bad = _NOT_HEX.search(data, start)
    end = bad.start() if bad else len(data)
    found = message("vassal.in-a-byte")
    if bad:
        found = message("vassal.found", found=chr(data[end]))
    if not salvage:
        what = message("vassal.not-hexadecimal", found=found)
        raise FormatError(what, offset=end)
    end -= (end - start) % 2
    return binascii.unhexlify(body[: end - start]), Damage(found, "savedGame", end)


def _inflate(data: bytes, salvage: bool) -> tuple[bytes, Damage | None]:
    machine = zlib.decompressobj(zlib.MAX_WBITS if data[:1] == b"\x78" else -zlib.MAX_WBITS)
    parts, size, damage = [], 0, None
    for start in range(0, len(data), 1 << 16):
        try:
            part = machine.decompress(data[start : start + (1 << 16)], MAX_PAYLOAD - size + 1)
        except zlib.error:
            what = message("vassal.broken-data")
            if not salvage:
                raise FormatError(what, offset=start) from None
            damage = Damage(what, "savedGame", start)
            break
        parts.append(part)
        size += len(part)
        if size > MAX_PAYLOAD:
            raise _too_long()
        if machine.eof:
            break
    if not machine.eof and damage is None:
        what = message("vassal.data-end")
        if not salvage:
            raise FormatError(what, offset=len(data))
        damage = Damage(what, "savedGame", len(data))
    return b"".join(parts), damage


def _unxz(data: bytes, salvage: bool) -> tuple[bytes, Damage | None]:
    machine = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=1 << 28)
    parts, size, what = [], 0, None
    feed = data
    while not machine.eof:
        try:
            part = machine.decompress(feed, 1 << 20)
        except (lzma.LZMAError, EOFError):
            what = message("vassal.broken-xz")
            break
        feed = b""
        parts.append(part)
        size += len(part)
        if size > MAX_PAYLOAD:
            raise _too_long()
        if not part and machine.needs_input:
            what = message("vassal.xz-ends")
            break
    if what and not salvage:
        raise FormatError(what, offset=size)
    return b"".join(parts), Damage(what, "savedGame", size) if what else None


def decode_payload(data: bytes, *, salvage: bool = False) -> Payload:
    """The text behind any of the formats.

    Raises `FormatError` (with the byte reached) for a broken one, unless `salvage` asks for what can be read.
    """
    kind = sniff(data)
    if kind in (Format.HEX, Format.DEFLATED):
        raw, damage = _unhex(data, 5, salvage)
        if not raw:
            if damage is None and not salvage:
                raise _no_key(str(kind), 5)
            return Payload(b"", kind, damage=damage or Damage(message("vassal.no-key"), "savedGame", 5))
        upper = _is_upper(data)
        text = xor(raw[1:], raw[0])
        if kind is Format.DEFLATED:
            text, broken = _inflate(text, salvage)
            damage = damage or broken
        return Payload(text, kind, raw[0], upper, damage)
    if kind is Format.RAW:
        if len(data) < 5:
            if not salvage:
                raise _no_key("VOBS", 4)
            return Payload(b"", kind, damage=Damage(message("vassal.no-key"), "savedGame", 4))
        return Payload(xor(data[5:], data[4]), kind, data[4])
    if kind is Format.XZ:
        inner, damage = _unxz(data, salvage)
        if sniff(inner) in (Format.PLAIN, Format.XZ):
            return Payload(inner, kind, damage=damage)
        nested = decode_payload(inner, salvage=salvage)
        return nested._replace(format=kind, damage=damage or nested.damage)
    return Payload(data, kind)


def _is_upper(data: bytes) -> bool:
    sample = data[5:4096]
    return re.search(rb"[a-f]", sample) is None and re.search(rb"[A-F]", sample) is not None


def encode_payload(text: bytes, kind: Format = Format.HEX, key: int | None = None, *, upper: bool = False) -> bytes:
    """The stored form of a text. Without a key one from 1 to 255 is derived from the text."""
    chosen = default_key(text) if key is None else key
    if not 0 <= chosen <= 255:
        raise ValueError(f"a key is one byte: {chosen}")
    if kind is Format.HEX or kind is Format.DEFLATED:
        body = zlib.compress(text, 9) if kind is Format.DEFLATED else text
        digits = f"{chosen:02x}{xor(body, chosen).hex()}"
        return (kind.value + (digits.upper() if upper else digits)).encode("ascii")
    if kind is Format.RAW:
        return b"VOBS" + bytes([chosen]) + xor(text, chosen)
    if kind is Format.XZ:
        return lzma.compress(text, format=lzma.FORMAT_XZ)
    return text
