"""The map windows: the main map with its hex grid, and the sheets of boxes beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from ..plan.markers import IMAGE, gazetteer, icon
from ..vassal import traits
from ..vassal.buildfile import Element, make
from .combat import reports
from .expressions import KEY_DROPPED, KEY_MOVED, quoted

if TYPE_CHECKING:
    from ..plan import Plan
    from ..plan.boxes import BoxBoard
    from ..plan.markers import BoardTrack
    from ..render.markers import TrackSheet
    from ..render.templates import ModuleWords


HOTKEY_UNMOVED = traits.ctrl_shift("M")
HOTKEY_HIDE = traits.ctrl_shift("H")
HOTKEY_OVERVIEW = traits.ctrl_shift("O")
HOTKEY_RANGE = traits.ctrl_shift("L")
HOTKEY_RESERVES = traits.function(3)
HOTKEY_LOSSES = traits.function(4)
HOTKEY_COUNTERS = traits.function(5)
HOTKEY_MARKERS = traits.function(8)
HOTKEY_TRACKS = traits.function(6)
ZOOMS = "0.3,0.4,0.5,0.6,0.75,0.9,1.0,1.25,1.6,2.0"
FIRST_ZOOM = 6


_NAME = 30
"""Letters of a unit's id and name that fit below its counter in the stack viewer."""
SPREAD = 1.24
"""How far apart the counters of a stack stand that is spread, in counters: each shows whole, with its mark."""


class Windowed(Protocol):
    """What a window with a map needs of a plan: its words, and the edge of a counter in pixels."""

    @property
    def words(self) -> ModuleWords:
        """The words."""

    @property
    def size(self) -> int:
        """The edge of a counter."""


def _common(plan: Windowed, viewer: Element) -> list[Element]:
    words = plan.words
    step = max(2, round(plan.size / 18))
    return [
        # Upper counters stand to the right and lower, for the number of the hex is printed at its top.
        make("StackMetrics", exSepX=round(plan.size * SPREAD), exSepY=0, unexSepX=step, unexSepY=1 - step),
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
            zoomInKey=traits.Key(61, 130),
            zoomOutKey=traits.Key(45, 130),
        ),
        make("ImageSaver", icon=icon("picture"), tooltip=words("button.picture_tip")),
        make("TextSaver", icon=icon("text"), tooltip=words("button.text_tip")),
        viewer,
    ]


def _viewer(words: ModuleWords, summary: str, empty: str, *, least: int, label: str, zoom: float) -> Element:
    """The stack viewer: every counter of a hex, large, with the id that turn sheets call it by, and a headline."""
    return make(
        "CounterDetailViewer",
        delay=400,
        minDisplayPieces=least,
        showgraph=True,
        showgraphsingle=True,
        showtext=True,
        showtextsingle=True,
        display="from all layers",
        graphicsZoom=f"{zoom:.1f}",
        zoomlevel="2.0",
        borderWidth=round(16 * zoom),
        fontSize=11,
        bgColor=(255, 253, 244),
        summaryReportFormat=summary,
        counterReportFormat=label,
        emptyHexReportForma=empty,
    )


def _map_viewer(plan: Plan) -> Element:
    """The stack viewer of the main map: it says too what the hex is, and the names of units."""
    hexes, ground = gazetteer(plan.scenario, plan.words)
    number = "LocationName.trim()"
    # What is not in the texts is found at their ends, with nothing to say.
    code = f'{quoted(hexes)}.concat({number}).concat("=-;").replaceAll("(?s).*?;" + {number} + "=([^;]*);.*", "$1")'
    told = (
        f'{quoted(ground + "-=;")}.replaceAll("(?s).*;" + {code} + "=([^;]*);.*", " · $1").replaceAll(" · $", "")'
    )
    # The formation in parentheses stands on the counter.
    name = 'BasicName.replaceAll(" [(].*", "")'
    # A marker has a name alone.
    both = f'UnitId.trim().concat("  ").concat({name}).trim()'
    short = f'{name}.replaceAll("^({"." * _NAME}).+", "$1…")'
    sums = plan.words("report.sums").split("$")
    sums = [quoted(part) if i % 2 == 0 else f'GetProperty("{part}")' for i, part in enumerate(sums) if part]
    return _viewer(
        plan.words,
        f"{{{number} + {told} + {' + '.join(sums)}}}",
        f"{{{number} + {told}}}",
        least=0,
        # One counter alone has room for all; of several, who is called so at length has but his name.
        label=f'{{CountStack("UnitId") > 1 && {both}.length() > {_NAME} ? {short} : {both}}}',
        zoom=2.2,
    )


def main_map(plan: Plan) -> Element:
    """The map of the game."""
    words, field = plan.words, plan.ground
    name, (x0, y0) = words("map.main"), field.origin
    grid = make(
        "HexGrid",
        make(
            "HexGridNumbering",
            stagger=field.stagger,
            fontSize=9,
            locationFormat=f"{field.grid.letter}$gridLocation$",
            **({} if field.grid.usual and not field.grid.pointy else field.numbering()),
        ),
        x0=x0,
        y0=y0,
        sideways=field.grid.pointy,
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
        *_common(plan, _map_viewer(plan)),
        *_tools(plan),
        make("Flare", flareName=name),
        mapName=name,
        markMoved="Always",
        markUnmovedIcon="",
        icon="",
        color=(255, 210, 0),
        moveWithinFormat=reports.within(plan),
        moveToFormat=reports.onto(plan),
        createFormat=words("report.created"),
        moveKey=KEY_DROPPED,
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


def _track(track: BoardTrack) -> Element:
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


def sheet_map(
    plan: Windowed,
    sheet: BoxBoard | TrackSheet,
    tooltip: str,
    hotkey: traits.Key,
    icon_: str,
    *,
    main: bool = False,
) -> Element:
    """A window with a board of boxes, each a zone with cells to snap to; the main one opens of itself."""
    summary = f"$LocationName$ {plan.words('report.sums')}"
    viewer = _viewer(plan.words, summary, "$LocationName$", least=1, label="$Label$", zoom=1.4)
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
        *_common(plan, viewer),
        mapName=sheet.name,
        markMoved="Never",
        launch=not main,
        buttonName=sheet.name,
        tooltip=tooltip,
        icon="" if main else icon(icon_),
        hotkey="" if main else hotkey,
        markUnmovedIcon="",
        moveWithinFormat="",
        moveToFormat=plan.words("report.comes"),
        createFormat=plan.words("report.created"),
    )
