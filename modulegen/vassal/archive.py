"""ZIP containers: `.vmod`, `.vmdx`, `.mod`, `.vsav`, `.vlog`, read with bounds and written reproducibly.

The small XML files of every container: `moduledata`, `savedata` and `extensiondata`.

Source: `VASSAL.build.module.metadata`.
"""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Self

from ...scenarios.console import open_file
from ...scenarios.text.words import Message, Param, message
from .encoding import Damage, FormatError

if TYPE_CHECKING:
    from lxml.etree import _Element


MAX_ENTRIES = 50_000
MAX_ENTRY = 256 * 1024 * 1024
MAX_TOTAL = 2 * 1024 * 1024 * 1024
"""Bytes unpacked from one container, all entries together."""
_MAX_DIRECTORY = 320 * MAX_ENTRIES
# Deflate reaches about 1000:1 on a bomb; saves and build files stay below 100:1.
MAX_RATIO, RATIO_FROM = 400, 16 * 1024 * 1024
# A ZIP file cannot hold earlier dates.
EPOCH = (1980, 1, 1, 0, 0, 0)
# ValueError, OverflowError and IndexError are what the library lets through on absurd offsets.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    struct.error,
    ValueError,
    OverflowError,
    IndexError,
)


class Archive:
    """A container opened for reading, also as a context manager; nothing is ever unpacked to disk.

    With `salvage`, a container without a readable directory is searched for its entries, and what a broken entry
    still gives is kept; `damage` tells where that ended.
    """

    def __init__(self, source: Path | str | bytes, *, salvage: bool = False) -> None:
        """Open a file, or bytes in memory; raises `FormatError` and the operating system's own errors."""
        self.path = "" if isinstance(source, bytes) else str(source)
        self.salvage = salvage
        self.damage: Damage | None = None
        self._rescued: dict[str, bytes] = {}
        self._zip: zipfile.ZipFile | None = None
        self._total = 0
        self._file = io.BytesIO(source) if isinstance(source, bytes) else open_file(source, whole=True)
        listed = _directory_size(self._file)
        if listed > _MAX_DIRECTORY:
            self._file.close()
            what = message("vassal.directory", found=listed, most=_MAX_DIRECTORY)
            raise FormatError(what, path=self.path)
        try:
            self._zip = zipfile.ZipFile(self._file)
            self.names = self._zip.namelist()
        except _BROKEN:
            try:
                if not salvage:
                    what = message("vassal.no-zip")
                    if _begins_as_zip(self._file):
                        what = message("vassal.cut-off")
                    raise FormatError(what, path=self.path) from None
                self._file.seek(0)
                self._rescued, self.damage = _search(self._file.read(MAX_ENTRY))
                self.names = list(self._rescued)
            finally:
                self._file.close()
        if len(self.names) > MAX_ENTRIES:
            self.close()
            what = message("vassal.entries", found=len(self.names), most=MAX_ENTRIES)
            raise FormatError(what, path=self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._zip is not None:
            self._zip.close()
        self._file.close()

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def size(self, name: str) -> int:
        """The unpacked size that the container states for an entry, in bytes."""
        return self._zip.getinfo(name).file_size if self._zip else len(self._rescued[name])

    def read(self, name: str, limit: int = MAX_ENTRY) -> bytes:
        """An entry's content, never more than `limit` bytes; raises `FormatError`."""
        if name not in self.names:
            found = some_of(self.names)
            what = message("vassal.no-entry", name=name, found=found)
            raise FormatError(what, path=self.path)
        if self._zip is None:
            return self._rescued[name]
        info = self._zip.getinfo(name)
        if info.file_size > limit:
            what = message("vassal.too-large", size=info.file_size, most=limit)
            raise FormatError(what, path=self.path, where=name)
        if info.file_size > max(RATIO_FROM, MAX_RATIO * max(1, info.compress_size)):
            what = message("vassal.bomb", packed=info.compress_size, size=info.file_size)
            raise FormatError(what, path=self.path, where=name)
        parts: list[bytes] = []
        try:
            with self._zip.open(info) as stream:
                while part := stream.read(1 << 18):
                    parts.append(part)
                    self._total += len(part)
                    if self._total > MAX_TOTAL:
                        break
        except (*_BROKEN, OSError):
            got = b"".join(parts)
            what = message("vassal.broken-entry")
            if not self.salvage:
                raise FormatError(what, path=self.path, where=name, offset=len(got)) from None
            got = _salvage_entry(self._raw(info), info.compress_type, limit)[0] or got
            self.damage = self.damage or Damage(what, name, len(got))
            return got
        if self._total > MAX_TOTAL:
            what = message("vassal.too-much", most=MAX_TOTAL)
            raise FormatError(what, path=self.path, where=name)
        return b"".join(parts)

    def _raw(self, info: zipfile.ZipInfo) -> bytes:
        if info.header_offset < 0:
            return b""
        self._file.seek(info.header_offset)
        head = self._file.read(30)
        if len(head) < 30 or not head.startswith(b"PK\x03\x04"):
            return b""
        name, extra = struct.unpack("<HH", head[26:30])
        self._file.seek(name + extra, os.SEEK_CUR)
        return self._file.read(min(info.compress_size, MAX_ENTRY))


def _begins_as_zip(file: BinaryIO) -> bool:
    """Whether a file begins with a container's first entry, so that only its end can be missing."""
    file.seek(0)
    return file.read(4) == b"PK\x03\x04"


def _directory_size(file: BinaryIO) -> int:
    """The size that a ZIP file states for its list of entries, in bytes; 0 where there is no such statement.

    Asked first, for the library reads all of the list, however long, before it can be asked anything.
    """
    size = file.seek(0, os.SEEK_END)
    start = max(0, size - 65_557 - 76)  # the longest comment, and what stands before it in large files
    file.seek(start)
    tail = file.read()
    file.seek(0)
    end, large = tail.rfind(b"PK\x05\x06"), tail.rfind(b"PK\x06\x06")
    stated = int.from_bytes(tail[end + 12 : end + 16], "little") if end >= 0 else 0
    if stated == 0xFFFFFFFF and large >= 0:
        stated = int.from_bytes(tail[large + 40 : large + 48], "little")
    return min(stated, size)


def some_of(names: tuple[str, ...] | list[str]) -> Param:
    """The first names, for a message."""
    shown = ", ".join(repr(n[:40]) for n in names[:5])
    return (shown + (", …" if len(names) > 5 else "")) or message("vassal.nothing")


def _salvage_entry(data: bytes, method: int, limit: int) -> tuple[bytes, int]:
    """What can be unpacked from the start of an entry, and how many bytes of `data` that took."""
    if method == zipfile.ZIP_STORED:
        return data[:limit], len(data)
    machine = zlib.decompressobj(-zlib.MAX_WBITS)
    out, used = bytearray(), 0
    # Small steps, for a broken one loses everything that it would have given.
    for step in range(0, len(data), 64):
        try:
            out += machine.decompress(data[step : step + 64], limit - len(out) + 1)
        except zlib.error:
            break
        used = min(len(data), step + 64) - len(machine.unused_data)
        if machine.eof or len(out) > limit:
            break
    return bytes(out[:limit]), used


_LONGEST_NAME = 255


def _search(data: bytes) -> tuple[dict[str, bytes], Damage]:
    """Entries found by their own headers in a container without a directory."""
    found: dict[str, bytes] = {}
    position, last, total = data.find(b"PK\x03\x04"), "", 0
    while position >= 0 and len(found) < MAX_ENTRIES and total < MAX_ENTRY:
        head = data[position : position + 30]
        if len(head) < 30:
            break
        method, stored, _, name_size, extra_size = struct.unpack("<8xH8xIIHH", head)
        start = position + 30 + name_size + extra_size
        name = data[position + 30 : position + 30 + name_size].decode("utf-8", "replace")
        if not (name.isprintable() and 0 < len(name) <= _LONGEST_NAME and "\ufffd" not in name):
            used = 0  # what damage has left of a header
        elif method == zipfile.ZIP_DEFLATED:
            found[name], used = _salvage_entry(data[start:], method, MAX_ENTRY - total)
        elif method == zipfile.ZIP_STORED:
            found[name], used = data[start : start + stored], stored
        else:
            used = 0
        total += len(found.get(name, b""))
        last = name if name in found else last
        position = data.find(b"PK\x03\x04", max(start + used, position + 4))
    what = message("vassal.no-directory")
    return found, Damage(what, last or "ZIP", len(found.get(last, b"")))


class ArchiveEntry(NamedTuple):
    """One file to be put into a container. Images and other packed files are stored, not deflated again."""

    name: str
    data: bytes


_PACKED = (".png", ".jpg", ".jpeg", ".gif", ".mp3", ".ogg", ".zip")


def zip_bytes(entries: Iterable[ArchiveEntry], *, stamp: tuple[int, int, int, int, int, int] = EPOCH) -> bytes:
    """A container whose bytes depend on the entries, their order and `stamp` alone.

    `stamp` is the date of every entry (year, month, day, hour, minute, second): VASSAL judges by it whether its
    cached board tiles are fresh.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in entries:
            info = zipfile.ZipInfo(name, stamp)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_STORED if name.lower().endswith(_PACKED) else zipfile.ZIP_DEFLATED
            archive.writestr(info, data, compresslevel=9 if len(data) < 1 << 20 else 6)
    return out.getvalue()


MAX_METADATA = 1 << 20
MAX_BUILD_FILE = 64 << 20


@dataclass(frozen=True)
class Metadata:
    """What a container says of its module or save. `date_saved` counts milliseconds since 1970.

    In a save, `moduledata` describes the module it belongs to, and `savedata` the versions that wrote it.
    """

    name: str = ""
    version: str = ""
    vassal_version: str = ""
    description: str = ""
    date_saved: int | None = None
    extra1: str | None = None
    extra2: str | None = None
    module_name: str = ""
    module_version: str = ""
    universal: bool | None = None
    """Whether an extension loads with any module (`ExtensionMetaData`); None for what is no extension."""


_FIELDS = {
    "name": "name",
    "version": "version",
    "VassalVersion": "vassal_version",
    "description": "description",
    "extra1": "extra1",
    "extra2": "extra2",
    "moduleName": "module_name",
    "moduleVersion": "module_version",
}


def parse_xml(data: bytes, limit: int = MAX_BUILD_FILE) -> _Element:
    """Parse XML from strangers: no DTD, no entities, no network, bounded in size and depth."""
    from lxml import etree

    if len(data) > limit:
        raise FormatError(message("vassal.too-much-xml", size=len(data), most=limit))
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise _declaration()
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        why = xml_mistake(error)
        raise FormatError(message("vassal.not-xml", why=why)) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise _declaration()
    return root


def xml_mistake(error: Exception) -> Message:
    """Where an XML file goes wrong; in English also how, for so the library says it."""
    line, column = getattr(error, "position", (0, 0))
    return message("vassal.xml", text=str(error)[:200], line=line, column=column)


def _declaration() -> FormatError:
    return FormatError(message("vassal.declaration"))


def read_metadata(data: bytes) -> Metadata:
    """Read `moduledata` or `savedata`; raises `FormatError`."""
    root = parse_xml(data, MAX_METADATA)
    if root.tag != "data":
        tag = str(root.tag)[:40]
        raise FormatError(message("vassal.wrong-element", tag=tag))
    values: dict[str, str] = {}
    date = universal = None
    for child in root:
        text = child.text or ""
        if child.tag == "dateSaved":
            date = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
        elif child.tag == "universal":
            universal = text.strip() == "true"
        elif child.tag in _FIELDS and child.get("lang") is None:
            values[_FIELDS[str(child.tag)]] = text
    return Metadata(date_saved=date, universal=universal, **values)


def _escape(text: str) -> str:
    # XML has no place for control characters, not even escaped.
    plain = "".join(c for c in text if c >= " " or c in "\t\n\r")
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def write_metadata(metadata: Metadata) -> bytes:
    """The XML text in the order in which VASSAL writes it."""
    lines = ['<?xml version="1.0" encoding="UTF-8" standalone="no"?>', '<data version="1">']

    def add(tag: str, text: str | None) -> None:
        if text is not None:
            lines.append(f"  <{tag}>{_escape(text)}</{tag}>" if text else f"  <{tag}/>")

    add("version", metadata.version)
    add("extra1", metadata.extra1)
    add("extra2", metadata.extra2)
    add("VassalVersion", metadata.vassal_version)
    add("moduleName", metadata.module_name or None)
    add("moduleVersion", metadata.module_version or None)
    add("dateSaved", None if metadata.date_saved is None else str(metadata.date_saved))
    add("description", metadata.description or None)
    add("name", metadata.name or None)
    add("universal", None if metadata.universal is None else str(metadata.universal).lower())
    return "\n".join([*lines, "</data>", ""]).encode("utf-8")
