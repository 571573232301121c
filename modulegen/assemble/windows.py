"""The map windows: the main map with its hex grid, and the sheets of boxes beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.prototypes import KEY_MOVED
from hexforge.modulegen.plan.ground import IMAGE
from hexforge.modulegen.plan.markers import icon
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.buildfile import Element, make

if TYPE_CHECKING:
    from hexforge.modulegen.plan import BoxBoard, Plan
    from hexforge.modulegen.plan.ground import Track
    from hexforge.modulegen.words import ModuleWords

HOTKEY_UNMOVED = t.ctrl_shift("M")
HOTKEY_HIDE = t.ctrl_shift("H")
HOTKEY_OVERVIEW = t.ctrl_shift("O")
HOTKEY_RANGE = t.ctrl_shift("L")
HOTKEY_RESERVES = t.function(3)
HOTKEY_LOSSES = t.function(4)
HOTKEY_COUNTERS = t.function(5)
HOTKEY_MARKERS = t.function(8)
ZOOMS = "0.3,0.4,0.5,0.6,0.75,0.9,1.0,1.25,1.6,2.0"
FIRST_ZOOM = 6


def _common(plan: Plan) -> list[Element]:
    words = plan.words
    step = max(2, plan.size // 24)
    return [
        make("StackMetrics", exSepX=plan.size // 3, exSepY=plan.size // 3, unexSepX=step, unexSepY=2 * step),
        make("ForwardToKeyBuffer"),
        make("Scroller"),
        make("ForwardToChatter"),
        make("MenuDisplayer"),
        make("MapCenterer"),
        make("StackExpander"),
        make("PieceMover"),
        make("KeyBufferer"),
        make("GlobalProperties"),
        make("SelectionHighlighters"),
        make("HighlightLastMoved", color=(255, 140, 0), thickness=3),
        make(
            "Zoomer",
            zoomStart=FIRST_ZOOM,
            zoomLevels=ZOOMS,
            inIconName=icon("zoom_in"),
            outIconName=icon("zoom_out"),
            pickIconName=icon("zoom"),
            inTooltip=words("button.zoom_in"),
            outTooltip=words("button.zoom_out"),
            pickTooltip=words("button.zoom_pick"),
            zoomInKey=t.Key(61, 130),
            zoomOutKey=t.Key(45, 130),
        ),
        make("ImageSaver", icon=icon("picture"), tooltip=words("button.picture_tip")),
        make("TextSaver", icon=icon("text"), tooltip=words("button.text_tip")),
        _viewer(words),
    ]


def _viewer(words: ModuleWords) -> Element:
    """The stack viewer: every counter of a hex, large, with the id that turn sheets call it by, and their sums."""
    return make(
        "CounterDetailViewer",
        delay=400,
        minDisplayPieces=1,
        showgraph=True,
        showgraphsingle=True,
        showtext=True,
        showtextsingle=True,
        display="from all layers",
        graphicsZoom="1.0",
        zoomlevel="2.0",
        borderWidth=4,
        fontSize=13,
        bgColor=(255, 253, 244),
        summaryReportFormat=words("report.stack"),
        counterReportFormat="$Label$",
        emptyHexReportForma="$LocationName$",
    )


def main_map(plan: Plan) -> Element:
    """The map of the game."""
    words, field = plan.words, plan.ground
    name = words("map.main")
    grid = make(
        "HexGrid",
        make("HexGridNumbering", stagger=field.stagger, fontSize=9),
        x0=field.x0,
        y0=field.y0,
        dx=repr(float(field.dx)),
        dy=repr(float(field.dy)),
    )
    return make(
        "Map",
        make(
            "BoardPicker",
            make("setup", content="\t".join([f"{name}BoardPicker", name, "0", "0"])),
            make("Board", make("ZonedGrid", *map(_track, field.tracks.values()), grid), name=name, image=IMAGE),
            title=name,
        ),
        *_common(plan),
        *_tools(plan),
        make("Flare", flareName=name),
        mapName=name,
        markMoved="Always",
        markUnmovedIcon="",
        icon="",
        color=(255, 210, 0),
        moveWithinFormat=words("report.moves"),
        moveToFormat=words("report.moves"),
        createFormat=words("report.created"),
    )


def _tools(plan: Plan) -> list[Element]:
    """Buttons of the map: overview, hiding of pieces, range, and marking all as unmoved."""
    words, field = plan.words, plan.ground
    return [
        make(
            "GlobalMap",
            icon=icon("overview"),
            tooltip=words("window.overview_tip"),
            hotkey=HOTKEY_OVERVIEW,
            scale=_overview(field.width, field.height),
        ),
        make(
            "HidePiecesButton",
            showingIcon=icon("hide"),
            hiddenIcon=icon("hide"),
            tooltip=words("button.hide_tip"),
            hotkey=HOTKEY_HIDE,
        ),
        make(
            "LOS_Thread",
            threadName=words("button.range"),
            iconName=icon("los"),
            tooltip=words("button.range_tip"),
            hotkey=HOTKEY_RANGE,
            report=words("report.range"),
        ),
        make(
            "MassKeyCommand",
            name=words("button.unmoved_tip"),
            tooltip=words("button.unmoved_tip"),
            icon=icon("unmoved"),
            buttonHotkey=HOTKEY_UNMOVED,
            hotkey=KEY_MOVED,
            filter="{Moved == true}",
            singleMap=False,
            reportSingle=True,
            reportFormat=f" {words('report.unmoved')} *",
        ),
    ]


def _track(track: Track) -> Element:
    """A track printed on the board: a zone whose boxes are named regions."""
    regions = [make("Region", name=name, originx=x, originy=y) for name, (x, y) in track.boxes.values()]
    return make(
        "Zone",
        make("RegionGrid", *regions),
        name=track.name,
        locationFormat="$gridLocation$",
        path=_path(track.corners),
    )


def _path(corners: Iterable[tuple[int, int]]) -> str:
    return ";".join(f"{x},{y}" for x, y in corners)


def _overview(width: int, height: int) -> str:
    return f"{min(0.3, 420 / max(width, height)):.4f}"


def sheet_map(plan: Plan, sheet: BoxBoard, tooltip: str, hotkey: t.Key, icon_: str) -> Element:
    """A window with a board of boxes, each a zone with cells to snap to."""
    zones = []
    for box in sheet.boxes:
        x0, y0 = box.centre(0)
        zones.append(
            make(
                "Zone",
                make("SquareGrid", dx=float(box.cell), dy=float(box.cell), x0=x0, y0=y0),
                name=box.name,
                path=_path(box.corners),
            )
        )
    return make(
        "Map",
        make(
            "BoardPicker",
            make("setup", content="\t".join([f"{sheet.name}BoardPicker", sheet.name, "0", "0"])),
            make("Board", make("ZonedGrid", *zones), name=sheet.name, image=sheet.image),
            title=sheet.name,
        ),
        *_common(plan),
        mapName=sheet.name,
        markMoved="Never",
        launch=True,
        buttonName=sheet.name,
        tooltip=tooltip,
        icon=icon(icon_),
        hotkey=hotkey,
        markUnmovedIcon="",
        moveWithinFormat="",
        moveToFormat=plan.words("report.moves"),
        createFormat=plan.words("report.created"),
    )
