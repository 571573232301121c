"""Traits that do something on a keystroke, and those that say how a piece is handled.

Source of each layout: the class named in the docstring, in `VASSAL.counters`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from ..encoding import Decoder, decode, encode_safe
from .base import (
    CTRL_C,
    CTRL_D,
    CTRL_G,
    CTRL_K,
    CTRL_M,
    CTRL_P,
    CTRL_R,
    CTRL_T,
    Key,
    Trait,
    read_key,
    register,
    write_key,
)


@register
@dataclass(frozen=True, eq=False, repr=False)
class Delete(Trait):
    ID: ClassVar[str] = "delete;"

    menu: str = "Delete"
    key: Key | None = CTRL_D
    description: str = ""


@register
@dataclass(frozen=True, eq=False, repr=False)
class Clone(Trait):
    ID: ClassVar[str] = "clone;"

    menu: str = "Clone"
    key: Key | None = CTRL_C
    description: str = ""


@register
@dataclass(frozen=True, eq=False, repr=False)
class SendToLocation(Trait):
    """Moves the piece to a fixed place (`SendToLocation`), and back.

    `destination`: L a point, G a grid location, Z a zone, R a region, A, C and N another counter. Numbers are
    texts because they may be expressions. The state is the map and point to go back to.
    """

    ID: ClassVar[str] = "sendto;"

    menu: str = ""
    key: Key | None = None
    map_name: str = ""
    board: str = ""
    x: str = "0"
    y: str = "0"
    back_menu: str = ""
    back_key: Key | None = None
    x_index: str = "0"
    y_index: str = "0"
    x_offset: str = "0"
    y_offset: str = "0"
    description: str = ""
    destination: str = "L"
    zone: str = ""
    region: str = ""
    property_filter: str = ""
    grid_location: str = ""
    ABSENT: ClassVar[dict[str, object]] = {"x_offset": "1", "y_offset": "1"}

    def state(self) -> str:
        return ";;"


@register
@dataclass(frozen=True, eq=False, repr=False)
class ReturnToDeck(Trait):
    """Puts the piece into a deck; with `choose` the player picks which (`ReturnToDeck`)."""

    ID: ClassVar[str] = "return;"

    menu: str = ""
    key: Key | None = None
    deck_id: str = ""
    prompt: str = ""
    description: str = ""
    version: int = 2
    choose: bool = False
    deck: str = ""
    ABSENT: ClassVar[dict[str, object]] = {"version": 0, "choose": True}


@register
@dataclass(frozen=True, eq=False, repr=False)
class ReportState(Trait):
    """Writes a line to the chat when one of `keys` is pressed (`ReportState`)."""

    ID: ClassVar[str] = "report;"

    keys: tuple[Key, ...] = ()
    format: str = "$location$: $newPieceName$ *"
    cycle_down_keys: tuple[Key, ...] = ()
    cycle_formats: tuple[str, ...] = ()
    description: str = ""
    no_suppress: bool = False

    def state(self) -> str:
        return "-1"


@register
@dataclass(frozen=True, eq=False, repr=False)
class TriggerAction(Trait):
    """Sends `actions` when `key` or one of `watch` is pressed while `condition` holds (`TriggerAction`)."""

    ID: ClassVar[str] = "macro;"

    name: str = ""
    menu: str = ""
    key: Key | None = None
    condition: str = ""
    watch: tuple[Key, ...] = ()
    actions: tuple[Key, ...] = ()
    loop: bool = False
    before_loop: Key | None = None
    after_loop: Key | None = None
    loop_kind: str = "counted"
    loop_while: str = ""
    loop_until: str = ""
    loop_count: str = "1"
    index: bool = False
    index_property: str = ""
    index_start: str = "1"
    index_step: str = "1"
    ABSENT: ClassVar[dict[str, object]] = {"menu": "Trigger", "key": CTRL_T, "loop_count": ""}


@register
@dataclass(frozen=True, eq=False, repr=False)
class GlobalCommand(Trait):
    """Sends a keystroke to other pieces (`CounterGlobalKeyCommand`). `target` narrows the search."""

    ID: ClassVar[str] = "globalkey;"

    menu: str = ""
    key: Key | None = None
    global_key: Key | None = None
    matching: str = ""
    within_range: bool = False
    distance: int = 1
    single_report: bool = True
    fixed_distance: bool = True
    distance_property: str = ""
    description: str = ""
    from_deck: str = "-1"
    target: str = "COUNTER|false|MAP|||||0|0||false|||EQUALS||"
    suppress_sounds: bool = False
    parameters: str = ""
    ABSENT: ClassVar[dict[str, object]] = {"target": "", "key": CTRL_G, "global_key": CTRL_K}


@register
@dataclass(frozen=True, eq=False, repr=False)
class GlobalHotKey(Trait):
    """Presses a toolbar keystroke of the module (`GlobalHotKey`)."""

    ID: ClassVar[str] = "globalhotkey;"

    menu: str = ""
    key: Key | None = None
    hotkey: Key | None = None
    description: str = ""


@register
@dataclass(frozen=True, eq=False, repr=False)
class PlaceMarker(Trait):
    """Places another piece (`PlaceMarker`).

    `marker` is the path to its slot in the module or an AddPiece command; `placement` 0 on top of the stack,
    1 at the bottom, 2 above this piece, 3 below it.
    """

    ID: ClassVar[str] = "placemark;"

    menu: str = "Place Marker"
    key: Key | None = CTRL_M
    marker: str = "null"
    text: str = "null"
    x: str = "0"
    y: str = "0"
    match_rotation: bool = False
    after_key: Key | None = None
    description: str = ""
    gpid: str = ""
    placement: int = 0
    above: bool = False
    copy_properties: bool = False
    parameters: str = ""
    version: int = 1
    ABSENT: ClassVar[dict[str, object]] = {"version": 0}


@register
@dataclass(frozen=True, eq=False, repr=False)
class Replace(PlaceMarker):
    """Places another piece in the stead of this one (`Replace`)."""

    ID: ClassVar[str] = "replace;"

    menu: str = "Replace"
    key: Key | None = CTRL_R


@register
@dataclass(frozen=True, eq=False, repr=False)
class Translate(Trait):
    """Moves the piece by a fixed distance (`Translate`); numbers may be expressions."""

    ID: ClassVar[str] = "translate;"

    menu: str = ""
    key: Key | None = None
    dx: str = "0"
    dy: str = "0"
    move_stack: bool = False
    x_index: str = "0"
    y_index: str = "0"
    x_offset: str = "0"
    y_offset: str = "0"
    description: str = ""


@register
@dataclass(frozen=True, eq=False, repr=False)
class ActionButton(Trait):
    """An area of the piece that presses a key when clicked (`ActionButton`). `polygon`: points, in pixels."""

    ID: ClassVar[str] = "button;"

    key: Key | None = None
    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0
    description: str = ""
    popup: bool = False
    whole_shape: bool = False
    version: int = 1
    polygon: tuple[tuple[int, int], ...] = ()

    def body(self) -> str:
        flags = [str(flag).lower() for flag in (self.popup, self.whole_shape)]
        parts = [write_key(self.key), str(self.x), str(self.y), str(self.width), str(self.height)]
        parts += [self.description, *flags, str(self.version), str(len(self.polygon))]
        return encode_safe([*parts, *[str(n) for point in self.polygon for n in point]], ";")

    @classmethod
    def parse(cls, body: str) -> Self:
        d = Decoder(body, ";")
        key, x, y, width, height = read_key(d.text()), d.integer(), d.integer(), d.integer(), d.integer()
        description, popup, whole, version = d.text(), d.boolean(), d.boolean(), d.integer()
        numbers = [Decoder(n, ";").integer() for n in decode(d.remaining, ";")[1:]] if d else []
        polygon = tuple(zip(numbers[::2], numbers[1::2], strict=False))
        return cls(key, x, y, width, height, description, popup, whole, version, polygon)


@register
@dataclass(frozen=True, eq=False, repr=False)
class PlaySound(Trait):
    """Plays a sound clip (`PlaySound`)."""

    ID: ClassVar[str] = "playSound;"

    sound: str = ""
    menu: str = "Play Sound"
    key: Key | None = CTRL_P
    to_others: bool = False
    description: str = ""
    no_suppress: bool = False


@register
@dataclass(frozen=True, eq=False, repr=False)
class MenuSeparator(Trait):
    ID: ClassVar[str] = "menuSeparator;"

    description: str = ""
    key: Key | None = None


@register
@dataclass(frozen=True, eq=False, repr=False)
class SubMenu(Trait):
    """Groups menu entries, by their names (`SubMenu`)."""

    ID: ClassVar[str] = "submenu;"

    menu: str = ""
    entries: tuple[str, ...] = ()
    description: str = ""


@register
@dataclass(frozen=True, eq=False, repr=False)
class RestrictCommands(Trait):
    """Hides or disables menu entries while a condition holds (`RestrictCommands`)."""

    ID: ClassVar[str] = "hideCmd;"

    name: str = ""
    action: str = "Hide"
    condition: str = ""
    keys: tuple[Key, ...] = ()


@register
@dataclass(frozen=True, eq=False, repr=False)
class Pivot(Trait):
    """Turns the piece about a point beside it (`Pivot`)."""

    ID: ClassVar[str] = "pivot;"

    menu: str = "Pivot"
    key: Key | None = None
    x: int = 0
    y: int = 0
    fixed_angle: bool = True
    angle: float = 90.0
    description: str = ""
    menu2: str = ""
    key2: Key | None = None
    angle2: float = 270.0


@register
@dataclass(frozen=True, eq=False, repr=False)
class Deselect(Trait):
    """Deselects the piece (`Deselect`). `kind`: D this one, A all, S selects only this one."""

    ID: ClassVar[str] = "deselect;"

    menu: str = "Deselect"
    key: Key | None = CTRL_K
    description: str = ""
    unstack: bool = False
    kind: str = "D"


@register
@dataclass(frozen=True, eq=False, repr=False)
class Mat(Trait):
    """Carries cargo pieces as it moves (`Mat`). The state is their number and their ids."""

    ID: ClassVar[str] = "mat;"

    name: str = ""
    description: str = ""

    def state(self) -> str:
        return "0"

    def properties(self, state: str) -> dict[str, str]:
        return {"MatName": self.name, "MatNumCargo": decode(state, ";")[0]}


@register
@dataclass(frozen=True, eq=False, repr=False)
class MatCargo(Trait):
    """Rides on a mat (`MatCargo`). The state is the mat's id, or `noMat`."""

    ID: ClassVar[str] = "matPiece;"

    description: str = ""
    keep_facing: bool = True
    distance_x: int = 0
    distance_y: int = 0
    find_key: Key | None = None
    detach_key: Key | None = None

    def state(self) -> str:
        return "noMat"


@register
@dataclass(frozen=True, eq=False, repr=False)
class Attachment(Trait):
    """Ties pieces together by name (`Attachment`). The state is their number and their ids."""

    ID: ClassVar[str] = "attach;"

    name: str = ""
    description: str = ""
    attach_menu: str = "Attach"
    attach_key: Key | None = None
    clear_menu: str = "Clear All"
    clear_key: Key | None = None
    matching: str = ""
    within_range: bool = False
    distance: int = 1
    fixed_distance: bool = True
    distance_property: str = ""
    from_deck: str = "-1"
    target: str = ""
    clear_matching_menu: str = "Clear Matching"
    clear_matching_key: Key | None = None
    clear_matching: str = ""
    on_attach: str = "nothing"
    on_detach: str = "nothing"
    before_attach: str = "clear"
    self_attach: bool = False
    auto_attach: bool = True

    def state(self) -> str:
        return "0"


@register
@dataclass(frozen=True, eq=False, repr=False)
class MultiLocationCommand(Trait):
    """One menu entry for each of several locations (`MultiLocationCommand`)."""

    ID: ClassVar[str] = "locCommand;"

    description: str = ""
    kind: str = ""
    matching: str = ""
    menu: str = "$LocationName$"
    key: Key | None = None
    current_map: bool = True
    sort: str = ""
    ascending: bool = True
    numeric: bool = False


@register
@dataclass(frozen=True, eq=False, repr=False)
class Immobilized(Trait):
    """How a piece is selected, moved and stacked (`Immobilized`, in the editor "Does not stack").

    `select`: letters i, t, c for Shift, Ctrl, Alt, n never, with g to ignore the grid and Z, A, B for band
    selection; `move`: N normally, I if selected, V never; `stack`: L normally, R never.
    """

    ID: ClassVar[str] = "immob;"

    select: str = ""
    move: str = "N"
    stack: str = "R"
    description: str = ""

    def body(self) -> str:
        # VASSAL joins these with plain semicolons, without escapes.
        return f"{self.select};{self.move};{self.stack};{self.description}"
