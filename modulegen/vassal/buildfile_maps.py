"""The elements of map windows: boards, grids, and what stands on their toolbars.

Names, order and defaults are those of VASSAL 3.7, as in `buildfile_elements`.

What an element of a build file is declared by, and what many have in common.
"""

from __future__ import annotations

from dataclasses import dataclass, field

MODULE = "VASSAL.build.module."
Attributes = dict[str, str | None]


@dataclass(frozen=True)
class ElementKind:
    """One class of element. `text` says that it carries text (a piece definition, an entry) and no children.

    An attribute whose default is None is left out unless given, for VASSAL cannot read it when it is empty. One of
    `unsaid` is left out at its default, which is how VASSAL makes the component: each that it reads costs time.
    """

    class_name: str
    attributes: Attributes = field(default_factory=dict)
    text: bool = False
    unsaid: frozenset[str] = frozenset()


_GATE: Attributes = {
    "canDisable": "false",
    "propertyGate": "",
    "hideWhenDisabled": "false",
    "disabledIcon": "",
}

GATE = frozenset(_GATE)
"""What no button needs to say that can always be pressed."""


def button(
    name: str | None = "name", text: str = "text", tooltip: str = "tooltip", icon: str = "icon", key: str = "hotkey"
) -> Attributes:
    """The attributes of `AbstractToolbarItem`, under the names that a class gives them."""
    names = [text, tooltip, icon, key] if name is None else [name, text, tooltip, icon, key]
    return {**dict.fromkeys(names, ""), **_GATE}


_B = f"{MODULE}map.boardPicker."
_MAP: Attributes = {
    "mapName": "",
    "description": "",
    "markMoved": "Always",
    "markUnmovedText": "",
    "markUnmovedTooltip": "",
    "markUnmovedIcon": "/images/unmoved.gif",
    "markUnmovedHotkey": "",
    "markUnmovedReport": "",
    "edgeWidth": "0",
    "edgeHeight": "0",
    "backgroundcolor": "255,255,255",
    "allowMultiple": "false",
    "color": "0,0,0",
    "thickness": "3",
    "launch": "false",
    "buttonName": "",
    "tooltip": "",
    "icon": "/images/map.gif",
    "hotkey": "",
    "showKey": "",
    "hideKey": "",
    "onlyReportChangedLocation": "true",
    "moveWithinFormat": "$pieceName$ moves $previousLocation$ -> $location$ *",
    "moveToFormat": "$pieceName$ moves $previousLocation$ -> $location$ *",
    "createFormat": "$pieceName$ created in $location$ *",
    "changeFormat": "$message$",
    "moveKey": "",
}
_NUMBERING: Attributes = {
    "first": "H",
    "sep": "",
    "hType": "N",
    "hLeading": "1",
    "hOff": "1",
    "hDescend": "false",
    "vType": "N",
    "vLeading": "1",
    "vOff": "1",
    "vDescend": "false",
    "locationFormat": "$gridLocation$",
    "visible": "false",
    "fontSize": "9",
    "color": "0,0,0",
    "rotateText": "0",
    "hDrawOff": "0",
    "vDrawOff": "0",
}
_VIEWER: Attributes = {
    "version": "4",
    "description": "",
    "delay": "700",
    "hotkey": "32,130",
    "bgColor": "255,255,255",
    "fgColor": "0,0,0",
    "borderColor": "0,0,0",
    "minDisplayPieces": "2",
    "zoomlevel": "1.0",
    "centerAll": "false",
    "borderThickness": "2",
    "borderInnerThickness": "2",
    "showgraph": "true",
    "centerPiecesVertically": "true",
    "graphicsZoom": "1.0",
    "showgraphsingle": "false",
    "borderWidth": "0",
    "verticalOffset": "2",
    "showtext": "false",
    "enableHTML": "false",
    "centerText": "false",
    "stretchWidthSummary": "false",
    "stretchWidthPieces": "false",
    "combineCounterSummary": "false",
    "onlyShowFirstSummary": "false",
    "extraTextPadding": "0",
    "verticalTopText": "5",
    "verticalBottomText": "5",
    "showtextsingle": "false",
    "fontSize": "9",
    "summaryReportFormat": "$LocationName$",
    "counterReportFormat": "",
    "emptyHexReportForma": "$LocationName$",
    "display": "from top-most layer only",
    "layerList": "",
    "propertyFilter": "",
    "showTerrainBeneath": "never",
    "showTerrainSnappy": "true",
    "showTerrainWidth": "120",
    "showTerrainHeight": "120",
    "showTerrainZoom": "1.0",
    "showTerrainText": "$LocationName$",
    "showOnlyTopOfStack": "false",
    "showNoStack": "false",
    "showMoveSelectde": "false",
    "showNonMovable": "false",
    "unrotatePieces": "false",
    "showDeck": "false",
    "showDeckMasked": "false",
    "showDeckDepth": "1",
    "showOverlap": "false",
    "stopAfterShowing": "false",
}
_MASS_KEY: Attributes = {
    **button(text="buttonText", key="buttonHotkey"),
    "hotkey": "",
    "singleMap": "true",
    "target": "MAP|false|MAP|||||0|0||false|||EQUALS||",
    "filter": "",
    "deckCount": "-1",
    "reportSingle": "false",
    "suppressSounds": "false",
    "reportFormat": "",
    "parameters": "",
}
_UNSAID = frozenset(_MASS_KEY) - {"name", "buttonText", "tooltip", "buttonHotkey"}

MAP_KINDS: dict[str, ElementKind] = {
    "Map": ElementKind(f"{MODULE}Map", _MAP),
    "BoardPicker": ElementKind(
        f"{MODULE}map.BoardPicker",
        {
            "title": "",
            "addRowText": "Add row",
            "addColumnText": "Add column",
            "boardPrompt": "Select board",
            "slotHeight": "125",
            "slotScale": "0.2",
            "slotWidth": "350",
        },
    ),
    "Board": ElementKind(
        f"{_B}Board", {"name": "", "image": "", "reversible": "false", "width": None, "height": None, "color": None}
    ),
    "HexGrid": ElementKind(
        f"{_B}board.HexGrid",
        {
            "sideways": "false",
            "x0": "0",
            "y0": "32",
            "dy": "64.0",
            "dx": "55.425625842204074",
            "snapTo": "true",
            "edgesLegal": "false",
            "cornersLegal": "false",
            "visible": "false",
            "dotsVisible": "false",
            "color": "0,0,0",
        },
    ),
    "HexGridNumbering": ElementKind(f"{_B}board.mapgrid.HexGridNumbering", {**_NUMBERING, "stagger": "true"}),
    "SquareGrid": ElementKind(
        f"{_B}board.SquareGrid",
        {
            "range": "Metric",
            "x0": "0",
            "y0": "0",
            "dx": "48.0",
            "dy": "48.0",
            "snapTo": "true",
            "edgesLegal": "false",
            "cornersLegal": "false",
            "visible": "false",
            "dotsVisible": "false",
            "color": "0,0,0",
        },
    ),
    "SquareGridNumbering": ElementKind(f"{_B}board.mapgrid.SquareGridNumbering", _NUMBERING),
    "ZonedGrid": ElementKind(f"{_B}board.ZonedGrid"),
    "ZonedGridHighlighter": ElementKind(f"{_B}board.mapgrid.ZonedGridHighlighter"),
    "Zone": ElementKind(
        f"{_B}board.mapgrid.Zone",
        {
            "name": "",
            "locationFormat": "$name$",
            "path": "",
            "useParentGrid": "false",
            "useHighlight": "false",
            "highlightProperty": "",
        },
    ),
    "RegionGrid": ElementKind(f"{_B}board.RegionGrid", {"snapto": "true", "visible": "false", "fontsize": "9"}),
    "Region": ElementKind(f"{_B}board.Region", {"name": "", "originx": "0", "originy": "0"}),
    "StackMetrics": ElementKind(
        f"{MODULE}map.StackMetrics",
        {
            "disabled": "false",
            "exSepX": "6",
            "exSepY": "18",
            "unexSepX": "2",
            "unexSepY": "4",
            "color": None,
            "top": "38,0",
            "bottom": "40,0",
            "up": "39,0",
            "down": "37,0",
        },
    ),
    "ForwardToKeyBuffer": ElementKind(f"{MODULE}map.ForwardToKeyBuffer"),
    "Scroller": ElementKind(f"{MODULE}map.Scroller"),
    "ForwardToChatter": ElementKind(f"{MODULE}map.ForwardToChatter"),
    "MenuDisplayer": ElementKind(f"{MODULE}map.MenuDisplayer"),
    "MapCenterer": ElementKind(f"{MODULE}map.MapCenterer"),
    "StackExpander": ElementKind(f"{MODULE}map.StackExpander"),
    "PieceMover": ElementKind(f"{MODULE}map.PieceMover"),
    "KeyBufferer": ElementKind(f"{MODULE}map.KeyBufferer"),
    "ImageSaver": ElementKind(
        f"{MODULE}map.ImageSaver", {**button(None, "buttonText"), "icon": "/images/camera.gif"}
    ),
    "TextSaver": ElementKind(f"{MODULE}map.TextSaver", button(None, "buttonText")),
    "CounterDetailViewer": ElementKind(f"{MODULE}map.CounterDetailViewer", _VIEWER),
    "SelectionHighlighters": ElementKind(f"{MODULE}map.SelectionHighlighters"),
    "HighlightLastMoved": ElementKind(
        f"{MODULE}map.HighlightLastMoved", {"enabled": "true", "color": "255,0,0", "thickness": "2"}
    ),
    "GlobalMap": ElementKind(
        f"{MODULE}map.GlobalMap",
        {
            "tooltip": "",
            "buttonText": "",
            "icon": "/images/overview.gif",
            "hotkey": "",
            "scale": "0.19444444",
            "color": "0,0,0",
        },
    ),
    "Zoomer": ElementKind(
        f"{MODULE}map.Zoomer",
        {
            "zoomStart": "1",
            "zoomLevels": "1.0",
            "inTooltip": "",
            "inButtonText": "",
            "inIconName": "/images/zoomIn.gif",
            "zoomInKey": "",
            "pickTooltip": "",
            "pickButtonText": "",
            "pickIconName": "/images/zoom.png",
            "zoomPickKey": "",
            "outTooltip": "",
            "outButtonText": "",
            "outIconName": "/images/zoomOut.gif",
            "zoomOutKey": "",
        },
    ),
    "HidePiecesButton": ElementKind(
        f"{MODULE}map.HidePiecesButton",
        {
            "buttonText": "",
            "tooltip": "",
            "hotkey": "",
            "showingIcon": "/images/globe_unselected.gif",
            "hiddenIcon": "/images/globe_selected.gif",
        },
    ),
    "Flare": ElementKind(
        f"{MODULE}map.Flare",
        {
            "flareName": "",
            "flareKey": "keyAlt",
            "circleSize": "100",
            "circleColor": "255,0,0",
            "circleScale": "true",
            "flarePulses": "6",
            "flarePulsesPerSec": "3",
            "reportFormat": "",
        },
    ),
    "LOS_Thread": ElementKind(
        f"{MODULE}map.LOS_Thread",
        {
            **button("threadName", "label", "tooltip", "iconName", "hotkey"),
            "iconName": "/images/thread.gif",
            "report": "",
            "persistence": "Ctrl-Click & Drag",
            "persistentIconName": "",
            "global": "Always",
            "snapStart": "true",
            "snapEnd": "true",
            "drawRange": "true",
            "scale": "1",
            "round": "Up",
            "hideCounters": "false",
            "hideOpacity": "0",
            "losThickness": "3",
            "threadColor": "255,0,0",
            "rangeFg": "255,255,255",
            "rangeBg": "0,0,0",
        },
    ),
    "MassKeyCommand": ElementKind(f"{MODULE}map.MassKeyCommand", _MASS_KEY, unsaid=_UNSAID),
    "GlobalKeyCommand": ElementKind(
        f"{MODULE}GlobalKeyCommand",
        {**_MASS_KEY, "target": "MODULE|false|MAP|||||0|0||false|||EQUALS||"},
        unsaid=_UNSAID,
    ),
}
