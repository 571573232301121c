"""The elements of a VASSAL build file: class, attributes and what an attribute is when it is not given.

Names, order and defaults are those of VASSAL 3.7 (`getAttributeNames` of the classes named in each entry).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Kind:
    """One class of element. `text` says that it carries text (a piece definition, an entry) and no children.

    An attribute whose default is None is left out unless given, for VASSAL cannot read it when it is empty.
    """

    class_name: str
    attributes: dict[str, str | None] = field(default_factory=dict)
    text: bool = False


_GATE: dict[str, str | None] = {
    "canDisable": "false",
    "propertyGate": "",
    "hideWhenDisabled": "false",
    "disabledIcon": "",
}


def _button(
    name: str | None = "name", text: str = "text", tooltip: str = "tooltip", icon: str = "icon", key: str = "hotkey"
) -> dict[str, str | None]:
    """The attributes of `AbstractToolbarItem`, under the names that a class gives them."""
    names = [text, tooltip, icon, key] if name is None else [name, text, tooltip, icon, key]
    return {**dict.fromkeys(names, ""), **_GATE}


_MAP: dict[str, str | None] = {
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
_NUMBERING: dict[str, str | None] = {
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
_VIEWER: dict[str, str | None] = {
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
_MASS_KEY: dict[str, str | None] = {
    **_button(text="buttonText", key="buttonHotkey"),
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
_CHART: dict[str, str | None] = {"chartName": "", "description": "", "fileName": ""}
_M = "VASSAL.build.module."
_B = f"{_M}map.boardPicker."

KINDS: dict[str, Kind] = {
    "GameModule": Kind(
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
    "BasicCommandEncoder": Kind(f"{_M}BasicCommandEncoder"),
    "Chatter": Kind(f"{_M}Chatter"),
    "KeyNamer": Kind(f"{_M}KeyNamer"),
    "Language": Kind("VASSAL.i18n.Language"),
    "Documentation": Kind(f"{_M}Documentation"),
    "HelpFile": Kind(
        f"{_M}documentation.HelpFile",
        {"title": "", "fileName": "", "vassalDoc": "user", "image": "", "fileType": "archive"},
    ),
    "AboutScreen": Kind(f"{_M}documentation.AboutScreen", {"title": "", "fileName": ""}),
    "PlayerRoster": Kind(
        f"{_M}PlayerRoster", {"buttonText": "", "buttonToolTip": "", "buttonIcon": "", "buttonKeyStroke": ""}
    ),
    "entry": Kind("entry", text=True),
    "option": Kind("option", {"name": ""}, text=True),
    "setup": Kind("setup", text=True),
    "GlobalOptions": Kind(
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
    "GlobalProperties": Kind(f"{_M}properties.GlobalProperties"),
    "GlobalProperty": Kind(
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
    ),
    "ChangePropertyButton": Kind(
        f"{_M}properties.ChangePropertyButton",
        {"desc": "", **_button(None), "reportFormat": "", "propChanger": ""},
    ),
    "GlobalTranslatableMessages": Kind(f"{_M}properties.GlobalTranslatableMessages"),
    "Map": Kind(f"{_M}Map", _MAP),
    "BoardPicker": Kind(
        f"{_M}map.BoardPicker",
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
    "Board": Kind(
        f"{_B}Board", {"name": "", "image": "", "reversible": "false", "width": None, "height": None, "color": None}
    ),
    "HexGrid": Kind(
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
    "HexGridNumbering": Kind(f"{_B}board.mapgrid.HexGridNumbering", {**_NUMBERING, "stagger": "true"}),
    "SquareGrid": Kind(
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
    "SquareGridNumbering": Kind(f"{_B}board.mapgrid.SquareGridNumbering", _NUMBERING),
    "ZonedGrid": Kind(f"{_B}board.ZonedGrid"),
    "ZonedGridHighlighter": Kind(f"{_B}board.mapgrid.ZonedGridHighlighter"),
    "Zone": Kind(
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
    "RegionGrid": Kind(f"{_B}board.RegionGrid", {"snapto": "true", "visible": "false", "fontsize": "9"}),
    "Region": Kind(f"{_B}board.Region", {"name": "", "originx": "0", "originy": "0"}),
    "StackMetrics": Kind(
        f"{_M}map.StackMetrics",
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
    "ForwardToKeyBuffer": Kind(f"{_M}map.ForwardToKeyBuffer"),
    "Scroller": Kind(f"{_M}map.Scroller"),
    "ForwardToChatter": Kind(f"{_M}map.ForwardToChatter"),
    "MenuDisplayer": Kind(f"{_M}map.MenuDisplayer"),
    "MapCenterer": Kind(f"{_M}map.MapCenterer"),
    "StackExpander": Kind(f"{_M}map.StackExpander"),
    "PieceMover": Kind(f"{_M}map.PieceMover"),
    "KeyBufferer": Kind(f"{_M}map.KeyBufferer"),
    "ImageSaver": Kind(f"{_M}map.ImageSaver", {**_button(None, "buttonText"), "icon": "/images/camera.gif"}),
    "TextSaver": Kind(f"{_M}map.TextSaver", _button(None, "buttonText")),
    "CounterDetailViewer": Kind(f"{_M}map.CounterDetailViewer", _VIEWER),
    "SelectionHighlighters": Kind(f"{_M}map.SelectionHighlighters"),
    "HighlightLastMoved": Kind(
        f"{_M}map.HighlightLastMoved", {"enabled": "true", "color": "255,0,0", "thickness": "2"}
    ),
    "GlobalMap": Kind(
        f"{_M}map.GlobalMap",
        {
            "tooltip": "",
            "buttonText": "",
            "icon": "/images/overview.gif",
            "hotkey": "",
            "scale": "0.19444444",
            "color": "0,0,0",
        },
    ),
    "Zoomer": Kind(
        f"{_M}map.Zoomer",
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
    "HidePiecesButton": Kind(
        f"{_M}map.HidePiecesButton",
        {
            "buttonText": "",
            "tooltip": "",
            "hotkey": "",
            "showingIcon": "/images/globe_unselected.gif",
            "hiddenIcon": "/images/globe_selected.gif",
        },
    ),
    "Flare": Kind(
        f"{_M}map.Flare",
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
    "LOS_Thread": Kind(
        f"{_M}map.LOS_Thread",
        {
            **_button("threadName", "label", "tooltip", "iconName", "hotkey"),
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
    "MassKeyCommand": Kind(f"{_M}map.MassKeyCommand", _MASS_KEY),
    "GlobalKeyCommand": Kind(
        f"{_M}GlobalKeyCommand", {**_MASS_KEY, "target": "MODULE|false|MAP|||||0|0||false|||EQUALS||"}
    ),
    "PrototypesContainer": Kind(f"{_M}PrototypesContainer"),
    "PrototypeDefinition": Kind(f"{_M}PrototypeDefinition", {"name": "", "description": ""}, text=True),
    "PieceWindow": Kind(
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
    "TabWidget": Kind("VASSAL.build.widget.TabWidget", {"entryName": "", "description": ""}),
    "ListWidget": Kind(
        "VASSAL.build.widget.ListWidget",
        {"entryName": "", "description": "", "scale": "1.0", "width": "300", "height": "300", "divider": "150"},
    ),
    "PanelWidget": Kind(
        "VASSAL.build.widget.PanelWidget",
        {"entryName": "", "description": "", "fixed": "false", "nColumns": "1", "vert": "false", "scale": "1.0"},
    ),
    "BoxWidget": Kind("VASSAL.build.widget.BoxWidget", {"entryName": "", "width": "", "height": ""}),
    "PieceSlot": Kind(
        "VASSAL.build.widget.PieceSlot", {"entryName": "", "gpid": "", "width": "64", "height": "64"}, text=True
    ),
    "Chart": Kind("VASSAL.build.widget.Chart", _CHART),
    "HtmlChart": Kind("VASSAL.build.widget.HtmlChart", _CHART),
    "ChartWindow": Kind(
        f"{_M}ChartWindow",
        {"name": "", "description": "", "text": "", "tooltip": "", "icon": "/images/chart.gif", "hotkey": ""},
    ),
    "DiceButton": Kind(
        f"{_M}DiceButton",
        {
            **_button(),
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
    "TurnTracker": Kind(
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
    "CounterTurnLevel": Kind(
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
    "ListTurnLevel": Kind(
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
    "TurnGlobalHotkey": Kind(
        f"{_M}turn.TurnGlobalHotkey", {"name": "", "hotkey": "", "match": "", "reportFormat": ""}
    ),
    "NotesWindow": Kind(
        f"{_M}NotesWindow", {**_button(None, "buttonText"), "icon": "/images/notes.gif", "description": ""}
    ),
    "Inventory": Kind(
        f"{_M}Inventory",
        {
            **_button(),
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
    "PredefinedSetup": Kind(
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
