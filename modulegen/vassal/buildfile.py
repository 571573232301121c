"""The build file of a module, `buildFile.xml`: a tree of elements, written and read.

Every element is a class of VASSAL's with its attributes as text; piece definitions and list entries are text
content. Source: `VASSAL.build.Builder` and the `getBuildElement` of each class.

The elements of a VASSAL build file: class, attributes and what an attribute is when it is not given.

Names, order and defaults are those of VASSAL 3.7 (`getAttributeNames` of the classes named in each entry).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...scenarios.text.words import message
from .archive import xml_mistake
from .buildfile_maps import GATE, MAP_KINDS, Attributes, ElementKind, button
from .buildfile_maps import MODULE as _M
from .encoding import FormatError

if TYPE_CHECKING:
    from lxml.etree import _Element


_ACTS: Attributes = {
    "doReport": "false",
    "reportFormat": "",
    "doSound": "false",
    "soundClip": "",
    "doHotkey": "false",
    "hotkeys": "",
    "doLoop": "false",
    "loopType": "counted",
    "loopCount": "1",
    "whileExpression": "",
    "untilExpression": "",
    "preLoopKey": "",
    "postLoopKey": "",
    "index": "false",
    "indexProperty": "",
    "indexStart": "1",
    "indexStep": "1",
}
_CHART: Attributes = {"chartName": "", "description": "", "fileName": ""}

KINDS: dict[str, ElementKind] = MAP_KINDS | {
    "GameModule": ElementKind(
        "VASSAL.build.GameModule",
        {
            "name": "",
            "version": "",
            "description": "",
            "ModuleOther1": "",
            "ModuleOther2": "",
            "VassalVersion": "",
            "nextPieceSlotId": "0",
        },
    ),
    "ModuleExtension": ElementKind(
        f"{_M}ModuleExtension",
        {
            "anyModule": "false",
            "version": "",
            "description": "",
            "module": "",
            "moduleVersion": "",
            "vassalVersion": "",
            "nextPieceSlotId": "0",
            "extensionId": "",
        },
    ),
    "ExtensionElement": ElementKind(f"{_M}ExtensionElement", {"target": ""}),
    "BasicCommandEncoder": ElementKind(f"{_M}BasicCommandEncoder"),
    "Chatter": ElementKind(f"{_M}Chatter"),
    "KeyNamer": ElementKind(f"{_M}KeyNamer"),
    "Language": ElementKind("VASSAL.i18n.Language"),
    "Documentation": ElementKind(f"{_M}Documentation"),
    "HelpFile": ElementKind(
        f"{_M}documentation.HelpFile",
        {"title": "", "fileName": "", "vassalDoc": "user", "image": "", "fileType": "archive"},
    ),
    "AboutScreen": ElementKind(f"{_M}documentation.AboutScreen", {"title": "", "fileName": ""}),
    "PlayerRoster": ElementKind(
        f"{_M}PlayerRoster", {"buttonText": "", "buttonToolTip": "", "buttonIcon": "", "buttonKeyStroke": ""}
    ),
    "entry": ElementKind("entry", text=True),
    "option": ElementKind("option", {"name": ""}, text=True),
    "setup": ElementKind("setup", text=True),
    "GlobalOptions": ElementKind(
        f"{_M}GlobalOptions",
        {
            "description": "",
            "nonOwnerUnmaskable": "Never",
            "promptString": "Opponents can unmask my pieces",
            "autoReport": "Always",
            "playerIdFormat": "$PlayerName$",
            "chatterHTMLSupport": "Never",
            "hotKeysOnClosedWindows": "Never",
            "inventoryForAll": "Always",
            "sendToLocationMoveTrails": "Never",
            "storeLeadingZeroIntegersAsStrings": "true",
            "purgeBlankPropertyPrompts": "true",
            "disablePieceIndexing": "false",
        },
    ),
    "BooleanPreference": ElementKind(
        "VASSAL.preferences.BooleanPreference", {"tab": "", "desc": "", "name": "", "default": "false"}
    ),
    "GlobalProperties": ElementKind(f"{_M}properties.GlobalProperties"),
    "GlobalProperty": ElementKind(
        f"{_M}properties.GlobalProperty",
        {
            "name": "",
            "initialValue": "",
            "description": "",
            "isNumeric": "false",
            "min": "0",
            "max": "100",
            "wrap": "false",
        },
        unsaid=frozenset({"description", "isNumeric", "wrap"}),
    ),
    "ChangePropertyButton": ElementKind(
        f"{_M}properties.ChangePropertyButton",
        {"desc": "", **button(None), "reportFormat": "", "propChanger": ""},
        unsaid=frozenset({"desc", "icon", "reportFormat"}),
    ),
    "GlobalTranslatableMessages": ElementKind(f"{_M}properties.GlobalTranslatableMessages"),
    "PrototypesContainer": ElementKind(f"{_M}PrototypesContainer"),
    "PrototypeDefinition": ElementKind(f"{_M}PrototypeDefinition", {"name": "", "description": ""}, text=True),
    "PieceWindow": ElementKind(
        f"{_M}PieceWindow",
        {
            "name": "",
            "description": "",
            "hidden": "false",
            "text": "",
            "tooltip": "",
            "icon": "/images/counter.gif",
            "hotkey": "",
            "scale": "1.0",
            "defaultWidth": "0",
        },
    ),
    "TabWidget": ElementKind("VASSAL.build.widget.TabWidget", {"entryName": "", "description": ""}),
    "ListWidget": ElementKind(
        "VASSAL.build.widget.ListWidget",
        {"entryName": "", "description": "", "scale": "1.0", "width": "300", "height": "300", "divider": "150"},
    ),
    "PanelWidget": ElementKind(
        "VASSAL.build.widget.PanelWidget",
        {"entryName": "", "description": "", "fixed": "false", "nColumns": "1", "vert": "false", "scale": "1.0"},
    ),
    "BoxWidget": ElementKind("VASSAL.build.widget.BoxWidget", {"entryName": "", "width": "", "height": ""}),
    "PieceSlot": ElementKind(
        "VASSAL.build.widget.PieceSlot", {"entryName": "", "gpid": "", "width": "64", "height": "64"}, text=True
    ),
    "Chart": ElementKind("VASSAL.build.widget.Chart", _CHART),
    "HtmlChart": ElementKind("VASSAL.build.widget.HtmlChart", _CHART),
    "ChartWindow": ElementKind(
        f"{_M}ChartWindow",
        {"name": "", "description": "", "text": "", "tooltip": "", "icon": "/images/chart.gif", "hotkey": ""},
    ),
    "DiceButton": ElementKind(
        f"{_M}DiceButton",
        {
            **button(),
            "icon": "/images/die.gif",
            "reportFormat": "** $name$ = $result$ *** <$PlayerName$>",
            "prompt": "false",
            "nDice": "2",
            "lockDice": "false",
            "nSides": "6",
            "lockSides": "false",
            "plus": "0",
            "lockPlus": "false",
            "addToTotal": "0",
            "lockAdd": "false",
            "reportTotal": "false",
            "sortDice": "false",
            "keepDice": "false",
            "keepOption": ">",
            "keepCount": "1",
        },
    ),
    "DoActionButton": ElementKind(f"{_M}DoActionButton", {**button(), **_ACTS}, unsaid=frozenset({"icon", *_ACTS})),
    "ToolbarMenu": ElementKind(f"{_M}ToolbarMenu", {"description": "", **button(None), "menuItems": ""}),
    "TurnTracker": ElementKind(
        f"{_M}turn.TurnTracker",
        {
            "name": "",
            "description": "",
            "buttonText": "",
            "icon": "",
            "hotkey": "",
            "nexthotkey": "",
            "prevhotkey": "",
            "turnFormat": "",
            "reportFormat": "",
            "tooltip": "",
            "lengthStyle": "Maximum",
            "length": "-1",
            "plusButtonSize": "22",
            "turnButtonHeight": "22",
            "fwdOnly": "false",
        },
    ),
    "CounterTurnLevel": ElementKind(
        f"{_M}turn.CounterTurnLevel",
        {
            "name": "",
            "property": "",
            "turnFormat": "$value$",
            "start": "1",
            "incr": "1",
            "loop": "false",
            "loopLimit": "-1",
        },
    ),
    "ListTurnLevel": ElementKind(
        f"{_M}turn.ListTurnLevel",
        {
            "name": "",
            "property": "",
            "turnFormat": "$value$",
            "list": "",
            "configList": "false",
            "configFirst": "false",
            "prompt": "",
        },
    ),
    "TurnGlobalHotkey": ElementKind(
        f"{_M}turn.TurnGlobalHotkey", {"name": "", "hotkey": "", "match": "", "reportFormat": ""}
    ),
    "NotesWindow": ElementKind(
        f"{_M}NotesWindow", {**button(None, "buttonText"), "icon": "/images/notes.gif", "description": ""}
    ),
    "Inventory": ElementKind(
        f"{_M}Inventory",
        {
            **button(),
            "icon": "/images/inventory.gif",
            "include": "",
            "groupBy": "",
            "nonLeafFormat": "$PropertyValue$",
            "foldersOnly": "false",
            "leafFormat": "$PieceName$",
            "sortPieces": "true",
            "sortFormat": "$PieceName$",
            "sorting": "alpha",
            "centerOnPiece": "true",
            "forwardKeystroke": "true",
            "showMenu": "true",
            "drawPieces": "true",
            "zoomOn": "false",
            "pieceZoom": "0.33",
            "pieceZoom2": "0.5",
            "pieceZoom3": "0.6",
            "sides": "",
            "launchFunction": "functionHide",
            "refreshHotkey": "",
        },
    ),
    "PredefinedSetup": ElementKind(
        f"{_M}PredefinedSetup", {"name": "", "description": "", "isMenu": "false", "useFile": "true", "file": ""}
    ),
}

BY_CLASS: dict[str, str] = {kind.class_name: name for name, kind in KINDS.items()}
IMAGE_ATTRIBUTES = frozenset(
    [
        "image",
        "icon",
        "markUnmovedIcon",
        "buttonIcon",
        "showingIcon",
        "hiddenIcon",
        "inIconName",
        "outIconName",
        "pickIconName",
        "iconName",
        "persistentIconName",
        "disabledIcon",
    ]
)
"""Attributes that name an image; one that begins with `/images/` comes with VASSAL itself."""


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
