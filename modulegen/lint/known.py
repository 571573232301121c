"""What VASSAL 3.7 itself has: its classes, pictures and properties, and what the attributes of its elements mean.

Sources: the sub-classes of `VASSAL.build.Buildable`; `VASSAL.tools.DataArchive` and the folder `images` of VASSAL's
jar; the constants of `VASSAL.counters` and `VASSAL.build.module.GlobalOptions`; `getAttributeTypes` of each class.
"""

from __future__ import annotations

from typing import Final

_CLASSES: Final = {
    "VASSAL.build": "GameModule",
    "VASSAL.build.module": (
        "BasicCommandEncoder BasicLogger ChartWindow Chatter ChessClockControl ConnectionWindow"
        " DiceButton DieManager DoActionButton Documentation EventLog ExtensionElement GlobalKeyCommand"
        " GlobalOptions InternetDiceButton Inventory KeyNamer Map ModuleExtension ModulePlugin"
        " MultiActionButton NotesWindow PieceWindow PlayerHand PlayerRoster Plugin PredefinedSetup"
        " PrivateMap PrototypeDefinition PrototypesContainer RandomTextButton SpecialDiceButton"
        " SpecialDie SpecialDieFace StartupGlobalKeyCommand ToolbarMenu"
    ),
    "VASSAL.build.module.chessclockcontrol": "ChessClock",
    "VASSAL.build.module.documentation": "AboutScreen BrowserHelpFile BrowserPDFFile HelpFile Tutorial",
    "VASSAL.build.module.folder": "DeckSubFolder GlobalPropertyFolder MapSubFolder ModuleSubFolder PrototypeFolder",
    "VASSAL.build.module.gamepieceimage": (
        "ColorManager ColorSwatch FontManager FontStyle GamePieceImage GamePieceImageDefinitions"
        " GamePieceLayout GamePieceLayoutsContainer ImageItem ImageItemInstance ShapeItem ShapeItemInstance"
        " SymbolItem SymbolItemInstance TextBoxItem TextBoxItemInstance TextItem TextItemInstance"
    ),
    "VASSAL.build.module.map": (
        "BoardPicker CounterDetailViewer DeckGlobalKeyCommand DrawPile Flare ForwardToChatter"
        " ForwardToKeyBuffer GlobalMap HandMetrics HidePiecesButton HighlightLastMoved ImageSaver KeyBufferer"
        " LOS_Thread LayerControl LayeredPieceCollection MapCenterer MapShader MassKeyCommand MenuDisplayer"
        " MoveCameraButton PieceMover PieceRecenterer Scroller SelectionHighlighter SelectionHighlighters"
        " SetupStack StackExpander StackMetrics TextSaver Zoomer"
    ),
    "VASSAL.build.module.map.boardPicker": "Board",
    "VASSAL.build.module.map.boardPicker.board": "HexGrid Region RegionGrid SquareGrid ZonedGrid",
    "VASSAL.build.module.map.boardPicker.board.mapgrid": (
        "HexGridNumbering ObliqueHexGridNumbering SquareGridNumbering Zone ZoneHighlight ZonedGridHighlighter"
    ),
    "VASSAL.build.module.map.deck": "DeckSendKeyCommand DeckSortKeyCommand",
    "VASSAL.build.module.properties": (
        "BooleanScenarioProperty ChangePropertyButton GlobalProperties GlobalProperty"
        " GlobalTranslatableMessage GlobalTranslatableMessages ListScenarioProperty NumberScenarioProperty"
        " ScenarioPropertiesOptionTab StringScenarioProperty ZoneProperty"
    ),
    "VASSAL.build.module.turn": "CounterTurnLevel ListTurnLevel TurnComponent TurnGlobalHotkey TurnTracker",
    "VASSAL.build.widget": (
        "BoxWidget CardSlot Chart HtmlChart ListWidget MapWidget PanelWidget PieceSlot TabWidget WidgetMap"
    ),
    "VASSAL.chat": "PrivateChatter",
    "VASSAL.chat.ui": "ChatServerControls",
    "VASSAL.i18n": "Language Localization TranslatableMarker Translation VassalTranslation",
    "VASSAL.launch": "BasicModule",
    "VASSAL.preferences": (
        "BooleanPreference DoublePreference EnumPreference IntegerPreference StringPreference TextPreference"
    ),
    "VASSAL.script": "ActionScript BshCommandEncoder BshPlugin GeneralScript ScriptContainer",
    "VASSAL.tools": "DebugControls",
    "VASSAL.tools.icon": "IconFamily",
}
CLASSES: Final = frozenset(f"{package}.{name}" for package, names in _CLASSES.items() for name in names.split())
"""Every class of VASSAL's that may stand as an element of a build file."""

DEPRECATED: Final = frozenset(
    (
        "VASSAL.launch.BasicModule",
        "VASSAL.build.module.Plugin",
        "VASSAL.build.module.ModulePlugin",
        "VASSAL.build.module.InternetDiceButton",
        "VASSAL.build.module.DieManager",
        "VASSAL.build.module.RandomTextButton",
        "VASSAL.build.module.turn.TurnComponent",
    )
)
"""Classes that VASSAL keeps for old modules alone, or that ask for what is no more (servers of dice)."""
OLD_ROOT: Final = "VASSAL.launch.BasicModule"
"""The root of every module that was written before VASSAL 3.5."""

STOCK_IMAGES: Final = frozenset(
    [
        "Edit16.gif",
        "Help16.gif",
        "Save16.gif",
        "SaveAs16.gif",
        "Splash.gif",
        "Splash.png",
        "StepForward16.gif",
        "Undo16.gif",
        "VASSAL-256x256.png",
        "black.jpg",
        "camera.gif",
        "chart.gif",
        "chess_clock.png",
        "connect.gif",
        "counter.gif",
        "die.gif",
        "disconnect.gif",
        "getMessages.gif",
        "globe_selected.gif",
        "globe_unselected.gif",
        "inventory.gif",
        "keyCommand.gif",
        "lockedRoom.gif",
        "map.gif",
        "mm-extension-active.png",
        "mm-extension-inactive.png",
        "mm-file.png",
        "mm-gamefolder-closed.png",
        "mm-gamefolder-open.png",
        "mm-module.png",
        "moved.gif",
        "notes.gif",
        "overview.gif",
        "playerAway.gif",
        "playerLooking.gif",
        "postMessage.gif",
        "recenter.gif",
        "status.gif",
        "thread.gif",
        "unmoved.gif",
        "zoom.png",
        "zoomIn.gif",
        "zoomIn.png",
        "zoomOut.gif",
        "zoomOut.png",
        "calculator.png",
        "edit-find.png",
        "edit-undo.png",
        "go-bottom.png",
        "go-down.png",
        "go-first.png",
        "go-last.png",
        "go-next.png",
        "go-previous.png",
        "go-top.png",
        "go-up.png",
        "no.png",
        "yes.png",
    ]
)
"""Pictures that lie in VASSAL's jar and are found with or without `/images/` before their names."""

SYSTEM_PROPERTIES: Final = frozenset(
    [
        "AttachCount",
        "AttachList",
        "AttachName",
        "BasicName",
        "BoardOfCommand",
        "ClickedX",
        "ClickedY",
        "CloneId",
        "CloneID",
        "CurrentBoard",
        "CurrentMap",
        "CurrentMat",
        "CurrentMatBasicName",
        "CurrentMatBoard",
        "CurrentMatID",
        "CurrentMatLocationName",
        "CurrentMatMap",
        "CurrentMatOffsetX",
        "CurrentMatOffsetY",
        "CurrentMatPieceName",
        "CurrentMatX",
        "CurrentMatY",
        "CurrentMatZone",
        "CurrentX",
        "CurrentY",
        "CurrentZone",
        "CursorX",
        "CursorY",
        "DeckName",
        "DeckPosition",
        "IgnoreGrid",
        "Immobile",
        "Inner",
        "Invisible",
        "InvisibleDisableAutoReportMoves",
        "InvisibleToOthers",
        "IsCargo",
        "KeyCommands",
        "LocalizedBasicName",
        "LocalizedPieceName",
        "LocationName",
        "MapOfCommand",
        "MatBasicName",
        "MatContents",
        "MatID",
        "MatName",
        "MatNumCargo",
        "MatPieceName",
        "MaybeMoved",
        "Moved",
        "NoStack",
        "Obscured",
        "ObscuredPreDraw",
        "ObscuredToOthers",
        "OldBoard",
        "OldDeckName",
        "OldLocationName",
        "OldMap",
        "OldMat",
        "OldMatBasicName",
        "OldMatID",
        "OldMatOffsetX",
        "OldMatOffsetY",
        "OldMatPieceName",
        "OldX",
        "OldY",
        "OldZone",
        "Outer",
        "PieceId",
        "PieceName",
        "PieceUID",
        "PlayerId",
        "PlayerName",
        "PlayerSide",
        "RegionOfCommand",
        "Restricted",
        "RestrictedMovement",
        "ScenarioTitle",
        "Selected",
        "StackPos",
        "StackSize",
        "TriggerIndex",
        "UniqueID",
        "UICompassDirection",
        "ZoneOfCommand",
        "XOfCommand",
        "YOfCommand",
        "bandSelectEventFilter",
        "cannotMove",
        "deckName",
        "error",
        "hidden",
        "label",
        "level",
        "levelName",
        "location",
        "locationName",
        "mapName",
        "menuCommand",
        "moveEventFilter",
        "name",
        "newLocation",
        "newPieceName",
        "noStack",
        "oldLocation",
        "oldMapName",
        "oldPieceName",
        "oldValue",
        "newValue",
        "playerId",
        "playerIdFormat",
        "playerName",
        "playerSide",
        "pieceCount",
        "pieceName",
        "previousLocation",
        "previousMap",
        "propertyName",
        "result",
        "result1",
        "selectEventFilter",
        "side",
        "slotName",
        "snapshot",
        "sumVisible",
        "unitName",
        "useUnrotatedShape",
        "value",
        "visible",
        "visibleState",
        "description",
        "message",
        "menuText",
        "command",
        "board",
        "zone",
        "region",
        "commandName",
        "changedProperty",
        "numPieces",
        "numericalTotal",
        "nDice",
        "nSides",
        "plus",
        "addToTotal",
        "total",
        "keep",
        "keepDice",
        "keepCount",
        "chatterName",
        "Range",
        "FromLocation",
        "ToLocation",
        "NumberOfLocationsChecked",
        "AllLocationsChecked",
        "rawName",
        "gridLocation",
        "mapRotation",
        "PropertyValue",
        "ModuleName",
        "ModuleVersion",
        "ModuleDescription",
        "VassalVersionCreated",
        "VassalVersionRunning",
        "ModuleOther1",
        "ModuleOther2",
        "VassalCurrentLocale",
        "CurrentLanguage",
        "CurrentLanguageCode",
        "CurrentLanguageName",
        "GameFileName",
        "DrawingMouseover",
        "DrawingMouseoverIndex",
        "UIPieceCount",
        "UIPieceIndex",
        "HighlightedPieceCount",
        "localizedName",
        "GlobalSoundMute",
        "WakeupMute",
        "soundGlobalMute",
        "soundWakeupMute",
        "newTurn",
        "oldTurn",
        "summary",
        "column",
        "row",
        "numericalValue",
        "propertyPrompt",
        "tabName",
        "FlareName",
        "FlareLocation",
        "FlareZone",
        "FlareMap",
        "targetDeck",
        "sentCount",
    ]
)
"""Properties that VASSAL gives to pieces, maps, the module, or to one format."""

HEARS: Final = frozenset(
    [
        "hotkey",
        "buttonHotkey",
        "buttonKeyStroke",
        "launchHotkey",
        "nexthotkey",
        "prevhotkey",
        "refreshHotkey",
        "markUnmovedHotkey",
        "zoomInKey",
        "zoomPickKey",
        "zoomOutKey",
        "showKey",
        "hideKey",
        "startHotkey",
        "stopHotkey",
        "showHotkey",
        "nextHotkey",
        "startOpponentHotkey",
        "pauseHotkey",
        "faceFlipHotkey",
        "faceUpHotkey",
        "faceDownHotkey",
        "shuffleHotkey",
        "reverseHotkey",
        "reshuffleHotkey",
        "saveHotkey",
        "loadHotkey",
        "drawMultipleHotkey",
        "drawSpecificHotkey",
        "flareKey",
    ]
)
"""Attributes whose keystroke an element waits for."""

COMMANDS: Final = frozenset(
    ("GlobalKeyCommand", "MassKeyCommand", "StartupGlobalKeyCommand", "DeckGlobalKeyCommand")
)
"""Elements that send the keystroke in `hotkey` to pieces; what they themselves wait for is `buttonHotkey`."""

SENT_BEFORE_AND_AFTER: Final = ("preLoopKey", "postLoopKey")
"""What a button that repeats presses before and after (`VASSAL.build.module.DoActionButton`)."""

EXPRESSIONS: Final = {
    "CounterDetailViewer": ("propertyFilter",),
    "DoActionButton": ("whileExpression", "untilExpression"),
    "SpecialDiceButton": ("whileExpression", "untilExpression"),
    "DeckGlobalKeyCommand": ("filter",),
    "DeckSendKeyCommand": ("deckExpression", "matchExpression", "limitExpression", "stopExpression"),
    "DrawPile": ("restrictExpression",),
    "GlobalKeyCommand": ("filter",),
    "Inventory": ("include",),
    "MassKeyCommand": ("filter",),
    "MoveCameraButton": ("propertyFilter",),
    "SelectionHighlighter": ("match",),
    "StartupGlobalKeyCommand": ("filter",),
    "TurnGlobalHotkey": ("match",),
}
"""Attributes that hold a property expression."""

TOOLBAR: Final = frozenset(
    [
        "ChangePropertyButton",
        "DiceButton",
        "DoActionButton",
        "GlobalKeyCommand",
        "HidePiecesButton",
        "ImageSaver",
        "InternetDiceButton",
        "Inventory",
        "LOS_Thread",
        "LayerControl",
        "MapShader",
        "MassKeyCommand",
        "MoveCameraButton",
        "MultiActionButton",
        "NotesWindow",
        "PieceRecenterer",
        "PieceWindow",
        "ChartWindow",
        "PlayerHand",
        "PrivateMap",
        "RandomTextButton",
        "SpecialDiceButton",
        "TextSaver",
        "ToolbarMenu",
        "TurnTracker",
        "Map",
    ]
)
"""Elements with a button of their own."""

STANDARD_KEYS: Final[dict[tuple[int, int] | str, str]] = {
    (34, 0): "Step forward through logfile",
    (ord("W"), 8): "Begin Logfile",
    (ord("W"), 9): "End Logfile",
}
"""Keystrokes that VASSAL itself hears, by code and the old bits of modifiers (`BasicLogger.addTo`).

New, open, save and undo have none of their own: the letters in their menus are pressed with the menu open.
"""
