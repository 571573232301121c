"""The build file of a module, `buildFile.xml`: a tree of elements, written and read.

Every element is a class of VASSAL's with its attributes as text; piece definitions and list entries are text
content. Source: `VASSAL.build.Builder` and the `getBuildElement` of each class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexforge.modulegen.vassal.buildfile_elements import BY_CLASS, KINDS
from hexforge.modulegen.vassal.buildfile_kinds import GATE, ElementKind
from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.metadata import xml_mistake
from hexforge.scenarios.words import message

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_BYTES = 64_000_000
MAX_DEPTH = 60
MAX_ATTRIBUTES = 500
MAX_TAGS = 1_000_000
_UNKNOWN = ElementKind("", text=True)


@dataclass(frozen=True)
class Element:
    """One component. `kind` is a name of `KINDS`, or the full class name of one that is not known here."""

    kind: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: tuple[Element, ...] = ()
    text: str = ""

    def walk(self) -> Iterator[Element]:
        """This element and all below it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.walk()

    def all(self, *kinds: str) -> Iterator[Element]:
        """All elements of some kinds, in the order of the file."""
        return (e for e in self.walk() if e.kind in kinds)

    def get(self, name: str, default: str = "") -> str:
        """An attribute, or VASSAL's default for this kind, or `default`."""
        known = KINDS.get(self.kind, _UNKNOWN).attributes
        return self.attributes.get(name, known.get(name) or default)


def text_of(value: object) -> str:
    """An attribute's value as VASSAL writes it: booleans in lower case, colours as numbers with commas."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple) and type(value) is tuple:
        return ",".join(map(str, value))
    return str(value)


def make(kind: str, *children: Element, content: str = "", **attributes: object) -> Element:
    """An element with its attributes, those not given at VASSAL's defaults, written or not (see `ElementKind`).

    Raises ValueError for a kind, an attribute or content that VASSAL does not know.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no element {kind!r}")
    known = KINDS[kind]
    strange = attributes.keys() - known.attributes.keys()
    if strange:
        raise ValueError(f"{kind} has no attribute {', '.join(sorted(strange))}")
    if (content and not known.text) or (children and known.text):
        raise ValueError(f"{kind} has no {'text' if content else 'children'}")
    given = {name: text_of(value) for name, value in attributes.items()}
    silent = GATE | known.unsaid
    said = {
        name: value
        for name, default in known.attributes.items()
        if (value := given.get(name, default)) is not None and (name not in silent or value != default)
    }
    return Element(kind, said, children, content)


def write(root: Element) -> bytes:
    """The XML of a tree, UTF-8, one element a line. Raises ValueError for text that XML cannot carry."""
    from lxml import etree

    return etree.tostring(
        _to_xml(root, 0), encoding="UTF-8", xml_declaration=True, standalone=False, pretty_print=False
    )


def _to_xml(element: Element, depth: int) -> _Element:
    from lxml import etree

    kind = KINDS.get(element.kind)
    node = etree.Element(kind.class_name if kind else element.kind)
    for name, value in element.attributes.items():
        node.set(name, value)
    if element.children:
        node.text = "\n" + "  " * (depth + 1)
        below = [_to_xml(child, depth + 1) for child in element.children]
        for child in below:
            child.tail = "\n" + "  " * (depth + 1)
        below[-1].tail = "\n" + "  " * depth
        node.extend(below)
    elif element.text:
        node.text = element.text
    return node


def read(data: bytes) -> Element:
    """The tree of a build file. Raises FormatError, with the line, for what is not one."""
    from lxml import etree

    if len(data) > MAX_BYTES:
        raise FormatError(message("vassal.build-file.large", most=MAX_BYTES))
    if data.count(b"<") > MAX_TAGS:
        raise FormatError(message("vassal.build-file.tags", most=MAX_TAGS))
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=len(data) > 9_000_000, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        why = xml_mistake(error)
        raise FormatError(message("vassal.build-file.not-xml", why=why)) from error
    if b"<!DOCTYPE" in data or root.getroottree().docinfo.internalDTD is not None:
        raise FormatError(message("vassal.build-file.doctype"))
    return _from_xml(root, 0)


def _from_xml(node: _Element, depth: int) -> Element:
    if depth > MAX_DEPTH:
        raise FormatError(message("vassal.build-file.deep", line=str(node.sourceline), most=MAX_DEPTH))
    if len(node.attrib) > MAX_ATTRIBUTES:
        raise FormatError(
            message("vassal.build-file.attributes", line=str(node.sourceline), found=len(node.attrib))
        )
    tag = str(node.tag)
    below = [child for child in node if isinstance(child.tag, str)]
    children = tuple(_from_xml(child, depth + 1) for child in below)
    text = "" if children else (node.text or "").strip()
    attributes = {str(name): str(value) for name, value in node.attrib.items()}
    return Element(BY_CLASS.get(tag, tag), attributes, children, text)
