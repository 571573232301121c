"""The elements of a VASSAL build file: class, attributes and what an attribute is when it is not given.

Names, order and defaults are those of VASSAL 3.7 (`getAttributeNames` of the classes named in each entry).
"""

from __future__ import annotations

from hexforge.modulegen.vassal.buildfile_kinds import MODULE as _M
from hexforge.modulegen.vassal.buildfile_kinds import Attributes, ElementKind, button
from hexforge.modulegen.vassal.buildfile_maps import MAP_KINDS

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
