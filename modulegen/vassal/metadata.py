"""The small XML files of every container: `moduledata`, `savedata` and `extensiondata`.

Source: `VASSAL.build.module.metadata`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.modulegen.vassal.errors import FormatError
from hexforge.scenarios.words import Message, message

if TYPE_CHECKING:
    from lxml.etree import _Element

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
