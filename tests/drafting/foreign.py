"""Modules as strangers make them: hexes behind zones, other boards, decks, markers, hidden pieces, of two kinds.

`zoned`: flat hexes called A1 behind a zone with its own squares, a saved set-up. `rows`: pointed hexes, rows first,
that each game begins with.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from hexforge.modulegen.archive import pack
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.archive import Metadata, write_metadata
from hexforge.modulegen.vassal.commands import AddPiece, BeginSave, Command, EndSave, SetBoards
from hexforge.modulegen.vassal.commands.play import BoardPlacement
from hexforge.modulegen.vassal.save import save_bytes, save_tree
from hexforge.modulegen.vassal.traits.piece import STACK
from tests.lint.small import FLIP, escaped

B = "VASSAL.build."
MAP = "module.map."
GRID = f"{MAP}boardPicker.board."
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
SIZE = (700, 520)
EDGE = (30, 20)
ABOUT = Metadata("Border Clash", "1.4", "3.6.0")
MINE, THEIRS = "Riverlanders", "Hillmen"
HIDDEN = t.Hideable(t.ctrl("I"), "Conceal", access="side:")
DAY = "module.turn."

UNITS: dict[str, tuple[str, str, tuple[int, int, int]]] = {
    "11": ("1st Foot", MINE, (4, 4, 5)),
    "12": ("2nd Foot", MINE, (3, 4, 5)),
    "13": ("Horse", MINE, (2, 2, 8)),
    "14": ("Reserve", MINE, (1, 1, 4)),
    "21": ("Clan A", THEIRS, (3, 3, 5)),
    "22": ("Clan B", THEIRS, (3, 2, 5)),
    "23": ("Slingers", THEIRS, (2, 1, 6)),
}
"""gpid -> name, side, and attack, defence, movement."""
NOBODYS = {"31": "Fort", "32": "Smoke"}
CARDS = {"41": "Rain", "42": "Plague"}


def traits(gpid: str) -> tuple[t.Trait, ...]:
    """The traits of a piece, its prototype in its place."""
    if gpid in UNITS:
        name, side, (attack, defence, move) = UNITS[gpid]
        own = (
            t.ReportState((FLIP,), "$newPieceName$ *"),
            t.Layer(
                name="Front",
                images=(f"p{gpid}.png", "back.png"),
                level_names=("", "+ (weak)"),
                increase_menu="Flip",
                increase_key=FLIP,
            ),
            t.Marker.of(Nation=side, Attack=attack, Defense=defence, Movement=move),
            t.BasicPiece(image="", name=name),
        )
        return (HIDDEN, *own) if gpid == "23" else own
    return (t.BasicPiece(image=f"p{gpid}.png", name={**NOBODYS, **CARDS}[gpid]),)


def picture(size: tuple[int, int], text: str, colour: tuple[int, int, int]) -> bytes:
    out, drawn = io.BytesIO(), Image.new("RGB", size, colour)
    ImageDraw.Draw(drawn).text((4, 4), text, fill="black")
    drawn.save(out, "PNG")
    return out.getvalue()


def tag(kind: str, inside: str = "", **attributes: object) -> str:
    """An element of the build file."""
    written = "".join(f' {name}="{escaped(str(value))}"' for name, value in attributes.items())
    return f"<{B}{kind}{written}>{inside}</{B}{kind}>"


def _slot(gpid: str, kind: str = "PieceSlot") -> str:
    own = traits(gpid)
    name = getattr(own[-1], "name", "")
    return tag(f"widget.{kind}", escaped(t.slot_text(own, gpid)), entryName=name, gpid=gpid)


def _grid(kind: str) -> str:
    if kind == "rows":
        named = {"hType": "N", "vType": "N", "first": "V", "hOff": 1, "vOff": 1, "sep": "", "stagger": "false"}
        numbers = tag(f"{GRID}mapgrid.HexGridNumbering", **named)
        return tag(f"{GRID}HexGrid", numbers, dx=50.0, dy=58.0, x0=40, y0=30, sideways="true", snapTo="true")
    named = {"hType": "A", "vType": "N", "hOff": 0, "vOff": 1, "sep": "", "stagger": "false"}
    numbers = tag(f"{GRID}mapgrid.HexGridNumbering", **named, vLeading=0, hLeading=0)
    hexes = tag(f"{GRID}HexGrid", numbers, dx=52.0, dy=60.0, x0=36, y0=44, sideways="false", snapTo="true")
    numbers = tag(f"{GRID}mapgrid.SquareGridNumbering", hType="N", vType="N", sep="/", hOff=1, vOff=1)
    squares = tag(f"{GRID}SquareGrid", numbers, dx=50.0, dy=50.0, x0=25, y0=25, range="Metric")
    corner = {"path": "560,400;690,400;690,510;560,510", "locationFormat": "$name$ $gridLocation$"}
    box = tag(f"{GRID}mapgrid.Zone", squares, name="Holding Box", **corner, useParentGrid="false")
    return tag(f"{GRID}ZonedGrid", box + hexes)


def _map(name: str, boards: str, inside: str = "", edge: tuple[int, int] = (0, 0)) -> str:
    parts = "ForwardToKeyBuffer Scroller ForwardToChatter MenuDisplayer MapCenterer StackExpander PieceMover"
    usual = "".join(tag(f"{MAP}{part}") for part in (*parts.split(), "KeyBufferer"))
    moves = "$pieceName$ moves $previousLocation$ - $location$ *"
    reports = {"moveToFormat": moves, "moveWithinFormat": moves, "createFormat": "$pieceName$ in $location$ *"}
    return tag(
        "module.Map",
        usual + tag(f"{MAP}StackMetrics", exSepX=6, exSepY=18) + tag(f"{MAP}BoardPicker", boards) + inside,
        mapName=name,
        edgeWidth=edge[0],
        edgeHeight=edge[1],
        markMoved="Never",
        **reports,
    )


def _board(name: str, image: str, grid: str = "") -> str:
    return tag(f"{MAP}boardPicker.Board", grid, name=name, image=image)


def build_file(kind: str, stacks: str) -> str:
    """The build file; `stacks`: what each game begins with."""
    cards = "".join(_slot(gpid, "CardSlot") for gpid in CARDS)
    deck = tag(f"{MAP}DrawPile", cards, name="Events", owningBoard="Battlefield", x=640, y=60, reshufflable="false")
    sides = "".join(f"<entry>{side}</entry>" for side in (MINE, THEIRS))
    palette = tag("widget.ListWidget", "".join(_slot(gpid) for gpid in (*UNITS, *NOBODYS)), entryName="All")
    day = tag(f"{DAY}CounterTurnLevel", property="Day", start=1, incr=1, loop="true", loopLimit=8)
    dice = {"nDice": 2, "nSides": 6, "plus": 0, "addToTotal": 0, "reportTotal": "false", "hotkey": "68,520"}
    setup = tag("module.PredefinedSetup", name="Start", file="start.vsav", useFile="true", isMenu="false")
    inside = (
        tag("module.BasicCommandEncoder"),
        tag("module.PlayerRoster", sides, buttonText="Retire", buttonToolTip="", buttonIcon="", buttonKeyStroke=""),
        tag("module.GlobalOptions", autoReport="Always", playerIdFormat="$PlayerName$"),
        _map("Theatre", _board("Battlefield", "board.png", _grid(kind)), deck + stacks, EDGE),
        _map("Pool", _board("Pool", "pool.png")),
        _map("Graveyard", _board("Graves", "pool.png")),
        tag(
            "module.DiceButton",
            name="2d6",
            text="2d6",
            **dice,
            reportFormat="** $name$ = $result$ *** <$PlayerName$>",
        ),
        tag(f"{DAY}TurnTracker", day, name="Day", buttonText="Day", reportFormat="* Day $level1$ *"),
        setup if kind == "zoned" else "",
        tag("module.PieceWindow", palette, name="Pieces", text="Pieces", icon="", hotkey=""),
    )
    about = {"name": ABOUT.name, "version": ABOUT.version, "description": "", "VassalVersion": "3.6.0"}
    return HEAD + tag("GameModule", "".join(inside), **about, nextPieceSlotId=99)


SPOTS = {
    "zoned": {
        "11": (2, 3),
        "12": (2, 3),
        "13": (4, 1),
        "21": (7, 2),
        "22": (8, 5),
        "23": (9, 0),
        "31": (5, 5),
        "32": (6, 4),
    },
    "rows": {"11": (1, 2), "12": (3, 2), "13": (4, 8), "21": (6, 3), "22": (7, 9), "31": (0, 0), "32": (5, 5)},
}
"""Where pieces stand: line and place as VASSAL counts hexes. Others wait in the pool, or in the palette."""


def pixel(kind: str, at: tuple[int, int]) -> tuple[int, int]:
    """The pixel of the board at the middle of a hex, by its line and place."""
    line, place = at
    if kind == "zoned":
        return 36 + 52 * line, 44 + 60 * place + (30 if line % 2 else 0)
    return 30 + 58 * place + (29 if line % 2 else 0), 40 + 50 * line


def _saved() -> bytes:
    pieces: list[Command] = []
    stacks: dict[tuple[str, int, int], list[str]] = {}
    for number, gpid in enumerate((*UNITS, *NOBODYS), 501):
        where, x, y = "Pool", 60, 60
        if gpid in SPOTS["zoned"]:
            x, y = (a + b for a, b in zip(pixel("zoned", SPOTS["zoned"][gpid]), EDGE, strict=True))
            where = "Theatre"
        own = traits(gpid)
        states: Sequence[object] = [x.state() for x in own[:-1]]
        if own[0] is HIDDEN:
            states = ["Hillman", *states[1:]]
        pieces.append(
            AddPiece(str(number), t.piece_type(own), t.piece_state(own, [*states, t.BasicState(where, x, y, gpid)]))
        )  # type: ignore[list-item]
        stacks.setdefault((where, x, y), []).append(str(number))
    for number, ((where, x, y), ids) in enumerate(stacks.items(), 701):
        pieces.append(AddPiece(str(number), STACK, t.StackState(where, x, y, tuple(ids)).encode()))
    maps = (("Theatre", "Battlefield"), ("Pool", "Pool"), ("Graveyard", "Graves"))
    boards = [SetBoards(name, (BoardPlacement(board),)) for name, board in maps]
    return save_bytes(save_tree([BeginSave(), *pieces, *boards, EndSave()]), ABOUT)


def write(path: Path, kind: str) -> Path:
    """The module as a file."""
    stacks = ""
    if kind == "rows":
        for gpid, at in SPOTS[kind].items():
            x, y = pixel(kind, at)
            stacks += tag(f"{MAP}SetupStack", _slot(gpid), name=f"s{gpid}", owningBoard="Battlefield", x=x, y=y)
    files = {
        "buildFile.xml": build_file(kind, stacks).encode(),
        "moduledata": write_metadata(ABOUT),
        "images/board.png": picture(SIZE, "board", (200, 210, 170)),
        "images/pool.png": picture((300, 200), "pool", (180, 180, 180)),
        "images/back.png": picture((48, 48), "back", (240, 240, 240)),
        **{f"images/p{g}.png": picture((48, 48), g, (180, 200, 230)) for g in (*UNITS, *NOBODYS, *CARDS)},
    }
    if kind == "zoned":
        files["start.vsav"] = _saved()
    path.write_bytes(pack(files.items()))
    return path
