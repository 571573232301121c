"""The markers of an extension as pieces, without prototypes, for any module may have others of the same name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexforge.modulegen.assemble.prototypes import KEY_NEXT, copying
from hexforge.modulegen.vassal import traits as t

if TYPE_CHECKING:
    from hexforge.modulegen.extension.plan import ExtensionPlan, PiecePlan
    from hexforge.modulegen.render.supplies import TrackBox

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
