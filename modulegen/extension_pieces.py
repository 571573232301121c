"""The markers of an extension as pieces, without prototypes, for any module may have others of the same name.

Where markers lie at the start: each whose number is known in its box, or in its hex.

The parts of a build file that markers and tracks need in every kind of module: slots, and the sheet's window.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from .assemble import windows
from .assemble.prototypes import KEY_NEXT, copying
from .module_marks import FORMAT, MAKER
from .plan import prefix_of
from .vassal import traits as t
from .vassal.buildfile import Element, make
from .vassal.commands import AddPiece, BeginSave, Command, EndSave, SetBoards
from .vassal.commands.play import BoardPlacement
from .vassal.payload import encode_payload
from .vassal.save import save_tree
from .vassal.traits.piece import STACK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .plan import ExtensionPlan, PiecePlan
    from .render.markers import TrackBox


KEY_FORWARD, KEY_BACK = t.Key(39, 130), t.Key(37, 130)
KEY_NUMBER, KEY_MASK, KEY_HIDE = t.ctrl("N"), t.ctrl("M"), t.ctrl("I")
NUMBER = "Number"
"""The property that holds what a player numbered a marker with."""

Traits = tuple[t.Trait, ...]


def traits(plan: ExtensionPlan, piece: PiecePlan) -> Traits:
    """The traits of a marker, outermost first."""
    return tuple(_traits(plan, piece))


def _traits(plan: ExtensionPlan, piece: PiecePlan) -> Iterator[t.Trait]:
    words, marker = plan.words, piece.marker
    if marker.hidden:
        yield from _secret(plan, piece)
    if piece.endless:
        yield from copying(words)
    yield from _steps(plan, piece)
    if marker.numbered and not piece.number:
        yield _numbered(plan)
    flips = len(piece.images) > 1 and not marker.hidden
    if flips:
        yield t.ReportState((KEY_NEXT,), f"{words('tracks.turned')} *")
        yield t.Layer(
            name="Face",
            images=piece.images,
            level_names=piece.face_names,
            increase_menu=words("menu.next"),
            increase_key=KEY_NEXT,
        )
    # Without figures of its own a marker makes VASSAL doubt the sums of the stack that it lies in.
    attack, defence = marker.attack or 0, marker.defence or 0
    yield t.Marker.of(MarkerId=piece.id, Kind=piece.kind, Label=piece.name, Attack=attack, Defence=defence)
    yield t.BasicPiece(image="" if flips else piece.images[-1], name="" if flips else piece.name)


def _secret(plan: ExtensionPlan, piece: PiecePlan) -> Iterator[t.Trait]:
    """Face down its front is its side's alone to see; unseen it can be brought where it goes."""
    words = plan.words
    yield t.ReportState((KEY_MASK,), f"{words('tracks.masked')} *")
    yield t.Hideable(key=KEY_HIDE, menu=words("menu.hide"), access="side:", no_move_report=True)
    yield t.Obscurable(
        key=KEY_MASK,
        image=piece.images[0],
        menu=words("menu.mask"),
        display="I",
        mask_name=piece.face_names[0],
        access="side:",
        peek_menu=words("menu.peek"),
    )


def _steps(plan: ExtensionPlan, piece: PiecePlan) -> Iterator[t.Trait]:
    """Along its track, a box at a time, for a marker that has one."""
    start = piece.marker.start
    boxes = [box for box in plan.sheet.boxes if start is not None and box.track == start.track]
    if len(boxes) < 2:
        return
    words, step = plan.words, _pitch(boxes)
    keys = (KEY_FORWARD, KEY_BACK)
    sheet = plan.sheet.name.replace('"', "'")
    yield t.RestrictCommands("Off its track", "Hide", f'{{CurrentMap != "{sheet}"}}', keys)
    for key, menu, dx in ((KEY_FORWARD, "menu.next_box", step), (KEY_BACK, "menu.previous_box", -step)):
        yield t.Translate(menu=words(menu), key=key, dx=str(dx), dy="0")


def _pitch(boxes: list[TrackBox]) -> int:
    return boxes[1].x - boxes[0].x


def _numbered(plan: ExtensionPlan) -> t.Labeler:
    """A number that the player writes: which of its kind a marker is."""
    size = max(9, round(plan.size * 0.17))
    return t.Labeler(
        key=KEY_NUMBER,
        menu=plan.words("menu.number"),
        size=size,
        background=(255, 253, 244),
        foreground=(32, 29, 23),
        vertical="t",
        vertical_offset=3,
        horizontal="r",
        horizontal_offset=3,
        vertical_justification="t",
        horizontal_justification="r",
        name_format="$pieceName$ $label$",
        style=1,
        property_name=NUMBER,
    )


FIRST_SLOT = 1
"""The number of the first slot of the module that stands alone."""


def slot_id(plan: ExtensionPlan, piece: PiecePlan, first: int | None) -> str:
    """The id of a slot: a number from `first` on; in an extension (None) its id is part of it."""
    return f"{prefix_of(plan.extension)}:{piece.slot}" if first is None else str(first + piece.slot)


SHEET = "HexforgeSheet"
"""A property of the sheet's map, which VASSAL writes into each save and log: which sheet it is, and where its boxes
lie. By it a log can be read without the module or the extension that it was played with."""


def sheet(plan: ExtensionPlan, *, main: bool = False, marked: bool = False) -> Element:
    """The window with the tracks; `marked` with what says which sheet it is."""
    tip = plan.words("tracks.tip")
    window = windows.sheet_map(plan, plan.sheet, tip, windows.HOTKEY_TRACKS, "tracks", main=main)
    if not marked:
        return window
    mark = make("GlobalProperties", make("GlobalProperty", name=SHEET, initialValue=_mark(plan)))
    # A map has one list of properties.
    others = (child for child in window.children if child.kind != mark.kind)
    return replace(window, children=(*others, mark))


def _mark(plan: ExtensionPlan) -> str:
    """`hexforge 1 NAME HASH` and, as JSON, the sheet's map, its boxes (track, box, corners), the sides' names."""
    game, words = plan.extension, plan.words
    layout = {
        "language": words.language,
        "map": plan.sheet.name,
        "sides": {words.side(side.id): side.id for side in game.game.sides},
        "boxes": [[b.track, b.box, b.x, b.y, b.x + b.width, b.y + b.height] for b in plan.sheet.boxes],
    }
    return f"{MAKER} {FORMAT} {game.name} {game.digest} {json.dumps(layout, separators=(',', ':'))}"


def slots_of(plan: ExtensionPlan, first: int | None) -> list[Element]:
    """A slot for every piece; `first` as in `slot_id`."""
    return [_slot(plan, piece, first) for piece in plan.pieces]


def _slot(plan: ExtensionPlan, piece: PiecePlan, first: int | None) -> Element:
    gpid = slot_id(plan, piece, first)
    return make(
        "PieceSlot",
        content=t.slot_text(traits(plan, piece), gpid),
        entryName=piece.name,
        gpid=gpid,
        width=plan.size,
        height=plan.size,
    )


_FIRST_ID = 1001


Spot = tuple["PiecePlan", str, int, int]
"""A piece, the name of a map, and a pixel of it."""


def save(plan: ExtensionPlan) -> bytes:
    """The entry `savedGame`."""
    name = plan.sheet.name
    placed = commands(plan, on_tracks(plan), FIRST_SLOT, _FIRST_ID)
    tree = save_tree([BeginSave(), *placed, SetBoards(name, (BoardPlacement(name),)), EndSave()])
    return encode_payload(tree.encode())


def on_tracks(plan: ExtensionPlan) -> list[Spot]:
    """The pieces that begin in a box of the sheet."""
    return [(p, plan.sheet.name, *p.spot[0].centre(p.spot[1])) for p in plan.pieces if p.spot is not None]


def commands(plan: ExtensionPlan, spots: Iterable[Spot], first: int, number: int) -> list[Command]:
    """Pieces and their stacks; slots are numbered from `first`, pieces and stacks from `number` on."""
    found: list[Command] = []
    stacks: dict[tuple[str, int, int], list[str]] = {}
    for piece, where, x, y in spots:
        own = traits(plan, piece)
        states = [*[None] * (len(own) - 1), t.BasicState(where, x, y, slot_id(plan, piece, first))]
        found.append(AddPiece(str(number), t.piece_type(own), t.piece_state(own, states)))
        stacks.setdefault((where, x, y), []).append(str(number))
        number += 1
    for (where, x, y), ids in stacks.items():
        found.append(AddPiece(str(number), STACK, t.StackState(where, x, y, tuple(ids)).encode()))
        number += 1
    return found
