"""Our own modules as strangers would have built them: other names, numbers, grids, boards, traits and buttons.

Nothing by which a module of ours is known is left: no marks in its metadata, no ids of units, no prototypes. The
board is larger and begins elsewhere, hexes are called A1, the dead go to a box of another name.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lxml import etree
from PIL import Image

from hexforge.modulegen.archive import pack
from hexforge.modulegen.drafting.ground import hex_grid
from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.archive import MAX_ENTRY, Archive, Metadata, write_metadata
from hexforge.modulegen.vassal.commands import AddPiece, BeginSave, Command, EndSave, SetBoards
from hexforge.modulegen.vassal.commands.play import BoardPlacement
from hexforge.modulegen.vassal.module import Module, read_module
from hexforge.modulegen.vassal.replay import LogReplay
from hexforge.modulegen.vassal.save import read_save, save_bytes, save_tree
from hexforge.modulegen.vassal.traits.piece import STACK
from hexforge.scenarios.model import Scenario
from tests.lint.small import escaped

from .foreign import DAY, GRID, HEAD, B, picture, tag
from .foreign import _board as board_of
from .foreign import _map as map_of

ABOUT = Metadata("La Foresta", "2.3", "3.6.0")
MAPS = ("Teatro", "Banco", "Camposanto")
SCALE = 1.25
MARGIN = (37, 61)
TURN, BACK = t.ctrl("G"), t.ctrl("H")
_IDS = 85_000
"""What is added to the number of a slot for the number of its piece in the set-up."""
DICE, DIE = "Due dadi", "Dado del tempo"
PHASES = {"movement": "Marcia", "combat": "Battaglia"}


@dataclass
class Abroad:
    """What was built: its file; by our ids the names and numbers of units there and the names of sides."""

    path: Path
    names: dict[str, str] = field(default_factory=dict)
    sides: dict[str, str] = field(default_factory=dict)
    phases: list[str] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class StartingCounter:
    """A counter as our set-up has it."""

    unit: str
    map: str
    at: tuple[int, int]
    images: tuple[str, ...]


def stood(built: Path) -> tuple[Module, list[StartingCounter]]:
    """A module of ours, and where the counters of its first set-up are."""
    module = read_module(built)
    with Archive(built) as archive:
        save = archive.read(module.setups[0][1], MAX_ENTRY)
    replay, found = LogReplay(read_save(save), module), []
    for piece_id in replay.position.pieces:
        piece = replay.piece(piece_id)
        unit = piece.properties().get("UnitId")
        where = replay.position.place(piece_id)
        if unit and where:
            layer = next(
                (x.images for x in piece.traits if isinstance(x, t.Layer) and x.name == "Step"),
                (piece.basic.image if piece.basic else "",),
            )
            found.append(StartingCounter(unit, where[0], where[1:], layer))
    return module, found


def _pictures(one: StartingCounter, number: int, pictured: bool) -> tuple[str, ...]:
    """The files of a counter's faces: as a maker calls them after the unit, or numbered."""
    base = f"cnt {one.unit.upper().replace('-', '_')}" if pictured else f"pz{number}"
    return tuple(
        f"{base}{letter}.png" for letter, _ in zip(("_front", "_back", "_c", "_d"), one.images, strict=False)
    )


def _worn(scenario: Scenario, one: StartingCounter, name: str, army: str, figures: bool) -> tuple[t.Trait, ...]:
    counter = scenario.counters[one.unit]
    worth = {"Attack": counter.attack, "Defence": counter.defence, "Movement": counter.move} if figures else {}
    told = t.Marker.of(Army=army, **worth)
    turned = t.Layer(
        name="Faccia",
        images=one.images,
        level_names=("", "+ (debole)")[: len(one.images)],
        increase_menu="Gira",
        increase_key=TURN,
        decrease_menu="Rigira",
        decrease_key=BACK,
    )
    layers = (turned,) if len(one.images) > 1 else ()
    return *layers, told, t.BasicPiece(image="" if layers else one.images[0], name=name)


def _grid(module: Module) -> str:
    grid = hex_grid(module.maps[0].boards[0])
    assert grid is not None
    numbers = tag(
        f"{GRID}mapgrid.HexGridNumbering",
        **{"hType": "A", "vType": "N", "hOff": 0, "vOff": 1, "sep": "", "stagger": "false"},
    )
    x0, y0 = (round(a * SCALE) + b for a, b in zip((grid.x0, grid.y0), MARGIN, strict=True))
    size = {"dx": grid.dx * SCALE, "dy": grid.dy * SCALE, "x0": x0, "y0": y0}
    turned = "true" if grid.sideways else "false"
    return tag(f"{GRID}HexGrid", numbers, **size, sideways=turned, snapTo="true")


LEFT = {0: [10, 900, 400, 1000], 1: [450, 900, 850, 1000]}
"""The box of each side's units that left the board alive."""


def _boxes(sides: Iterable[str]) -> str:
    inside = tag(f"{GRID}mapgrid.Zone", name="Dead", path="0,0;900,0;900,850;0,850", locationFormat="$name$")
    for side, (x1, y1, x2, y2) in zip(sides, LEFT.values(), strict=True):
        corners = f"{x1},{y1};{x2},{y1};{x2},{y2};{x1},{y2}"
        inside += tag(f"{GRID}mapgrid.Zone", name=f"{side}: exited", path=corners, locationFormat="$name$")
    return tag(f"{GRID}ZonedGrid", inside)


def spot(at: tuple[int, int]) -> tuple[int, int]:
    """A pixel of our board on the other one."""
    return round(at[0] * SCALE) + MARGIN[0], round(at[1] * SCALE) + MARGIN[1]


def _larger(data: bytes) -> bytes:
    with Image.open(io.BytesIO(data)) as drawn:
        size = (round(drawn.width * SCALE), round(drawn.height * SCALE))
        whole = Image.new("RGB", (size[0] + 2 * MARGIN[0], size[1] + 2 * MARGIN[1]), "white")
        whole.paste(drawn.convert("RGB").resize(size), MARGIN)
    out = io.BytesIO()
    whole.save(out, "PNG")
    return out.getvalue()


def _saved(worn: list[tuple[str, StartingCounter, tuple[t.Trait, ...]]], module: Module, volume: str) -> bytes:
    pieces: list[Command] = []
    stacks: dict[tuple[str, int, int], list[str]] = {}
    names = dict(zip((m.name for m in module.maps), MAPS, strict=False))
    for gpid, one, own in worn:
        number = int(gpid) + _IDS
        where = names[one.map]
        x, y = spot(one.at) if where == MAPS[0] else one.at
        states = [x.state() for x in own[:-1]]
        pieces.append(
            AddPiece(str(number), t.piece_type(own), t.piece_state(own, [*states, t.BasicState(where, x, y, gpid)]))
        )
        stacks.setdefault((where, x, y), []).append(str(number))
    for number, ((where, x, y), ids) in enumerate(stacks.items(), 95_001):
        pieces.append(AddPiece(str(number), STACK, t.StackState(where, x, y, tuple(ids)).encode()))
    laid = (f"Tavola {MAPS[0]}{volume}", *(f"Tavola {name}" for name in MAPS[1:]))
    boards = [SetBoards(name, (BoardPlacement(board),)) for name, board in zip(MAPS, laid, strict=True)]
    return save_bytes(save_tree([BeginSave(), *pieces, *boards, EndSave()]), ABOUT)


def _files(
    built: Path,
    module: Module,
    worn: list[tuple[str, StartingCounter, tuple[t.Trait, ...]]],
    ours: dict[str, str],
    volume: str,
) -> Iterator[Any]:
    with Archive(built) as archive:
        for name, our in sorted(ours.items()):
            yield f"images/{name}", archive.read(f"images/{our}", MAX_ENTRY)
        board = module.maps[0].boards[0].image
        yield f"images/tavola{volume}.png", _larger(archive.read(f"images/{board}", MAX_ENTRY))
    yield "images/altra.png", picture((1400, 1400), "", (180, 180, 180))
    yield f"partenza{volume}.vsav", _saved(worn, module, volume)


def _turns(scenario: Scenario, done: Abroad) -> str:
    clock = scenario.game.turns
    done.phases = [f"{step.side} {step.phase}" for step in scenario.game.sequence]
    listed = ",".join(f"{PHASES[p.split()[1]]} {done.sides[p.split()[0]]}" for p in done.phases)
    phases = tag(f"{DAY}ListTurnLevel", property="Fase", list=listed)
    counted = {"start": clock.first, "incr": 1, "loop": "true", "loopLimit": clock.last}
    days = tag(f"{DAY}CounterTurnLevel", phases, property="Giorno", **counted)
    said = {"buttonText": "Giorno", "reportFormat": "* $newTurn$ *"}
    return tag(f"{DAY}TurnTracker", days, name="Giorno", **said, turnFormat="$level1$ $level2$")


def rebuilt(
    scenario: Scenario,
    built: Path,
    target: Path,
    *,
    figures: bool = True,
    named: bool = False,
    pictured: bool = False,
    volume: str = "",
) -> Abroad:
    """The same game as a module of strangers. `figures`: pieces tell their strengths; `named`: units keep names;
    `pictured`: the files of their pictures are called after them; `volume`: what its board and set-up are called
    besides, as one of a series.
    """
    done = Abroad(target)
    module, counters = stood(built)
    done.sides = {s.id: f"Parte {volume}{n}" for n, s in enumerate(scenario.game.sides)}
    worn, ours = [], {}
    for number, our in enumerate(reversed(counters), 5001 + 1000 * len(volume)):
        one = replace(our, images=_pictures(our, number, pictured))
        ours |= dict(zip(one.images, our.images, strict=True))
        name = scenario.counters[one.unit].names["en"] if named else f"Pezzo {number}"
        done.names[one.unit], done.ids[one.unit] = name, str(number + _IDS)
        own = _worn(scenario, one, name, done.sides[scenario.counters[one.unit].side], figures)
        worn.append((str(number), one, own))
    slots = "".join(
        tag("widget.PieceSlot", escaped(t.slot_text(own, gpid)), entryName=done.names[one.unit], gpid=gpid)
        for gpid, one, own in worn
    )
    sides = "".join(f"<entry>{side}</entry>" for side in done.sides.values())
    said = "** $name$ = $result$ *** <$PlayerName$>"
    dice = {"plus": 0, "addToTotal": 0, "reportTotal": "false", "reportFormat": said}
    boards = [board_of(f"Tavola {MAPS[0]}{volume}", f"tavola{volume}.png", _grid(module))]
    boards += [board_of(f"Tavola {name}", "altra.png") for name in MAPS[1:]]
    boards[2] = board_of(f"Tavola {MAPS[2]}", "altra.png", _boxes(done.sides.values()))
    inside = (
        tag("module.BasicCommandEncoder"),
        tag("module.PlayerRoster", sides, buttonText="Parti", buttonToolTip="", buttonIcon="", buttonKeyStroke=""),
        tag("module.GlobalOptions", autoReport="Always", playerIdFormat="$PlayerName$"),
        *(map_of(name, board) for name, board in zip(MAPS, boards, strict=True)),
        tag("module.DiceButton", name=DICE, text=DICE, nDice=2, nSides=6, hotkey="68,520", **dice),
        tag("module.DiceButton", name=DIE, text=DIE, nDice=1, nSides=10, hotkey="69,520", **dice),
        _turns(scenario, done),
        tag(
            "module.PredefinedSetup",
            name=f"Partenza{volume}",
            file=f"partenza{volume}.vsav",
            useFile="true",
            isMenu="false",
        ),
        tag("module.PieceWindow", tag("widget.ListWidget", slots, entryName="Tutti"), name="Pezzi", text="Pezzi"),
    )
    about = {"name": ABOUT.name, "version": ABOUT.version, "description": "", "VassalVersion": "3.6.0"}
    text = HEAD + tag("GameModule", "".join(inside), **about, nextPieceSlotId=9999)
    files = {"buildFile.xml": text.encode(), "moduledata": write_metadata(ABOUT)}
    target.write_bytes(pack([*files.items(), *_files(built, module, worn, ours, volume)]))
    return done


def series(volumes: Sequence[Abroad], target: Path) -> Path:
    """Several games in one module: their boards in one window, their palettes and set-ups one behind the other."""
    files: dict[str, bytes] = {}
    roots = []
    for volume in volumes:
        with Archive(volume.path) as archive:
            inside = {name: archive.read(name, MAX_ENTRY) for name in archive.names}
        roots.append(etree.fromstring(inside["buildFile.xml"]))
        files = inside | files
    root = roots[0]
    for kind in ("module.map.BoardPicker", "module.PlayerRoster", "widget.ListWidget"):
        place = root.find(f".//{B}{kind}")
        for other in roots[1:]:
            place.extend(list(other.find(f".//{B}{kind}")))
    for other in roots[1:]:
        root.extend(other.findall(f".//{B}module.PredefinedSetup"))
    files["buildFile.xml"] = etree.tostring(root)
    target.write_bytes(pack(files.items()))
    return target
