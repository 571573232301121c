"""Traits that say how a piece looks and who sees it.

Source of each layout: the class named in the docstring, in `VASSAL.counters`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from ..encoding import Decoder, decode, encode_safe
from .base import CTRL_I, CTRL_M, CTRL_O, CTRL_T, Color, Key, Trait, Unreadable, read_key, register, write_key

BLACK, WHITE, GRAY = (0, 0, 0), (255, 255, 255), (128, 128, 128)


_LEVELS = {str(level): level for level in range(-9, 100)}
"""Of tens of thousands of layers nearly all show one of these."""


def _number(text: str, default: int) -> int:
    if text.isdecimal() and text.isascii() and len(text) < 10:
        return int(text)
    return Decoder(text, ";").integer(default)


def obscured(state: str) -> dict[str, str]:
    """Whether others see the piece masked: the state begins with the id of who masked it, or `null`."""
    return {"ObscuredToOthers": "false" if decode(state, ";")[0] in ("null", "") else "true"}


@register
@dataclass(frozen=True, eq=False, repr=False)
class Layer(Trait):
    """Images of which one at a time is shown (`Embellishment`). The state is the level, from 1; negative: off.

    `level_names` pairs with `images`; a `+` before or behind a name joins it to the piece's name. With `follow`
    the level is the number in `property_name`, `first_level` being the value of level 1.
    """

    ID: ClassVar[str] = "emb2;"
    ABSENT: ClassVar[dict[str, object]] = {"version": 0}

    activate_menu: str = ""
    activate_modifiers: int = 130
    activate_letter: str = ""
    increase_menu: str = ""
    increase_modifiers: int = 130
    increase_letter: str = ""
    decrease_menu: str = ""
    decrease_modifiers: int = 130
    decrease_letter: str = ""
    reset_menu: str = ""
    reset_key: Key | None = None
    reset_level: str = "1"
    under_when_selected: bool = False
    x: int = 0
    y: int = 0
    images: tuple[str, ...] = ("",)
    level_names: tuple[str, ...] = ()
    loop: bool = True
    name: str = ""
    random_key: Key | None = None
    random_menu: str = ""
    follow: bool = False
    property_name: str = ""
    first_level: int = 1
    version: int = 1
    always_active: bool = True
    activate_key: Key | None = None
    increase_key: Key | None = None
    decrease_key: Key | None = None
    description: str = ""
    scale: float = 1.0
    only_property: str = ""
    only_state: str = "true"

    def body(self) -> str:
        # VASSAL writes as many names as images, empty ones included.
        missing = len(self.images) - len(self.level_names)
        if missing > 0 and len(self.images) > 1:
            return replace(self, level_names=(*self.level_names, *[""] * missing)).body()
        return super().body()

    def state(self) -> str:
        return "1" if self.always_active else "-1"

    @staticmethod
    def at(level: int) -> str:
        """The state that shows a level, counted from 1."""
        return str(level)

    def properties(self, state: str) -> dict[str, str]:
        level, own, name = self.level(state), self.name, self.level_name(state)
        shown = level > 0
        return {
            own + "_Image": self.images[level - 1] if shown and self.images else "",
            own + "_Name": name[1:] if name[:1] == "+" else name.removesuffix("+"),
            own + "_Level": str(level),
            own + "_Active": "true" if shown else "false",
        }

    def level(self, state: str) -> int:
        """The level that a state shows, from 1; negative while it is off."""
        level = _LEVELS.get(state)
        if level is None:
            level = _number(state, -1)
        if -1 <= level <= 1:  # There is a first level always, and most show it.
            return level
        count = len(self.images) or 1
        return level if -count <= level <= count else count if level > 0 else -count

    def level_name(self, state: str) -> str:
        """The name that the level shown gives, as it stands in the type."""
        level = self.level(state)
        return self.level_names[level - 1] if 0 < level <= len(self.level_names) else ""


@register
@dataclass(frozen=True, eq=False, repr=False)
class Labeler(Trait):
    """A text on the piece (`Labeler`). The state is the text; positions are letters: t, c, b and l, c, r."""

    ID: ClassVar[str] = "label;"

    key: Key | None = None
    menu: str = ""
    size: int = 10
    background: Color | None = None
    foreground: Color | None = BLACK
    vertical: str = "t"
    vertical_offset: int = 0
    horizontal: str = "c"
    horizontal_offset: int = 0
    vertical_justification: str = "b"
    horizontal_justification: str = "c"
    name_format: str = "$pieceName$ ($label$)"
    font: str = "Dialog"
    style: int = 0
    rotation: int = 0
    property_name: str = "TextLabel"
    description: str = ""
    always_format: bool = False
    ABSENT: ClassVar[dict[str, object]] = {"menu": "Change Label"}
    start: ClassVar[str] = ""

    def properties(self, state: str) -> dict[str, str]:
        return {self.property_name: state.strip()}


@register
@dataclass(frozen=True, eq=False, repr=False)
class FreeRotator(Trait):
    """Turns the piece to one of `facings` directions, or freely if that is 1 (`FreeRotator`).

    The state is the facing, from 0, or the angle in degrees. With one facing, `clockwise_key` and
    `clockwise_menu` start turning by hand and the counter-clockwise pair is not written.
    """

    ID: ClassVar[str] = "rotate;"

    facings: int = 6
    clockwise_key: Key | None = None
    counter_key: Key | None = None
    clockwise_menu: str = ""
    counter_menu: str = ""
    random_key: Key | None = None
    random_menu: str = ""
    name: str = "Rotate"
    description: str = ""
    direct_key: Key | None = None
    direct_menu: str = ""
    direct_expression: str = ""
    direct_facing: bool = True

    def body(self) -> str:
        turn = [write_key(self.clockwise_key), self.clockwise_menu]
        if self.facings != 1:
            turn[1:] = [write_key(self.counter_key), self.clockwise_menu, self.counter_menu]
        rest = [write_key(self.random_key), self.random_menu, self.name, self.description]
        direct = [write_key(self.direct_key), self.direct_menu, self.direct_expression]
        parts = [str(self.facings), *turn, *rest, *direct, "true" if self.direct_facing else "false"]
        return encode_safe(parts, ";")

    @classmethod
    def parse(cls, body: str) -> Self:
        d = Decoder(body, ";")
        facings = d.integer(0)
        if facings < 1:
            raise Unreadable("a rotating piece has at least one facing")
        clockwise = read_key(d.text())
        counter = read_key(d.text()) if facings != 1 else None
        clockwise_menu = d.text()
        counter_menu = d.text() if facings != 1 else ""
        return cls(
            facings,
            clockwise,
            counter,
            clockwise_menu,
            counter_menu,
            random_key=read_key(d.text()),
            random_menu=d.text(),
            name=d.text(),
            description=d.text(),
            direct_key=read_key(d.text()),
            direct_menu=d.text(),
            direct_expression=d.text(),
            direct_facing=d.boolean(True),
        )

    def state(self) -> str:
        return "0.0" if self.facings == 1 else "0"

    def properties(self, state: str) -> dict[str, str]:
        if self.facings == 1:
            try:
                angle = float(state[:32] or 0)
            except ValueError:
                angle = 0.0
            degrees = int(abs(angle) + 0.5) % 360 if abs(angle) < 1e9 else 0
            return {f"{self.name}_Facing": "1", f"{self.name}_Degrees": str(degrees)}
        index = max(0, min(self.facings - 1, _number(state, 0)))
        degrees = int(index * 360 / self.facings + 0.5) % 360
        return {f"{self.name}_Facing": str(index + 1), f"{self.name}_Degrees": str(degrees)}


@register
@dataclass(frozen=True, eq=False, repr=False)
class MovementMarkable(Trait):
    """An image while the piece has moved (`MovementMarkable`). The state is `true` or `false`."""

    ID: ClassVar[str] = "markmoved;"

    image: str = "/images/moved.gif"
    x: int = 0
    y: int = 0
    menu: str = "Mark Moved"
    key: Key | None = CTRL_M
    description: str = ""
    ignore_same_location: bool = False
    menu_on: str = ""
    key_on: Key | None = None
    menu_off: str = ""
    key_off: Key | None = None

    def state(self) -> str:
        return "false"

    def properties(self, state: str) -> dict[str, str]:
        return {"Moved": "true" if state == "true" else "false"}


@register
@dataclass(frozen=True, eq=False, repr=False)
class Footprint(Trait):
    """The trail of a piece's moves (`Footprint`). State: shown, map, count, points `x,y`, begun, last count."""

    ID: ClassVar[str] = "footprint;"

    key: Key | None = CTRL_T
    menu: str = "Movement Trail"
    shown_first: bool = False
    shown_to_all: bool = False
    radius: int = 10
    fill: Color | None = WHITE
    line: Color | None = BLACK
    selected_opacity: int = 100
    unselected_opacity: int = 50
    edge_point_buffer: int = 20
    edge_display_buffer: int = 30
    line_width: float = 1.0
    key_on: Key | None = None
    key_off: Key | None = None
    key_clear: Key | None = None
    description: str = ""
    ignore_same_location: bool = False

    def state(self) -> str:
        return "false;;0;false;0"

    @staticmethod
    def points(state: str) -> list[tuple[int, int]]:
        """The points that the piece has passed, in pixels of its map."""
        parts = decode(state, ";")
        count = Decoder(parts[2], ";").integer(0) if len(parts) > 2 else 0
        found = []
        for part in parts[3 : 3 + max(0, count)]:
            d = Decoder(part, ",")
            found.append((d.integer(0), d.integer(0)))
        return found


@register
@dataclass(frozen=True, eq=False, repr=False)
class NonRectangular(Trait):
    """The outline that a click must hit (`NonRectangular`): `shape` is a list of path commands."""

    ID: ClassVar[str] = "nonRect2;"

    scale: float = 1.0
    shape: str = ""

    @property
    def mask(self) -> str:
        """The picture that the outline was drawn around; "" where it is not said."""
        words = self.shape.removeprefix("d\n").replace("\n", ",").split(",")
        return next((word[1:] for word in words if word[:1] == "n"), "")

    @classmethod
    def parse(cls, body: str) -> Self:
        scale, _, shape = body.partition(";")
        try:
            return cls(float(scale[:32] or 1), shape)
        except ValueError:
            raise Unreadable("the scale of an outline is a number") from None

    def body(self) -> str:
        return encode_safe([str(float(self.scale)), self.shape], ";")


@register
@dataclass(frozen=True, eq=False, repr=False)
class OldNonRectangular(Trait):
    """The outline as versions before 3.6 wrote it: the path commands alone."""

    ID: ClassVar[str] = "nonRect;"

    shape: str = ""

    @classmethod
    def parse(cls, body: str) -> Self:
        return cls(body)

    def body(self) -> str:
        return self.shape


@register
@dataclass(frozen=True, eq=False, repr=False)
class Hideable(Trait):
    """The piece can be made invisible to others (`Hideable`). The state is who hid it, or `null`.

    `access` says who may: `player:`, `side:`, or `sides:` with a list separated by colons.
    """

    ID: ClassVar[str] = "hide;"

    key: Key | None = CTRL_I
    menu: str = "Invisible"
    background: Color | None = None
    access: str = "side:"
    opacity: float = 0.3
    description: str = ""
    no_move_report: bool = False
    ABSENT: ClassVar[dict[str, object]] = {"access": "player:"}

    def state(self) -> str:
        return "null"

    def properties(self, state: str) -> dict[str, str]:
        return {"InvisibleToOthers": "false" if state in ("null", "") else "true"}


@register
@dataclass(frozen=True, eq=False, repr=False)
class Obscurable(Trait):
    """The piece can be masked (`Obscurable`). The state is who masked it or `null`, and options.

    `display` is a letter: B the mask as background, I and 2 insets, P with a keystroke behind it to peek,
    G with the name of the image that others see.
    """

    ID: ClassVar[str] = "obs;"

    key: Key | None = CTRL_O
    image: str = ""
    menu: str = "Mask"
    display: str = "I"
    mask_name: str = "?"
    access: str = "side:"
    peek_menu: str = "Peek"
    description: str = ""
    auto_peek: bool = False
    deal_key: Key | None = None
    deal_expression: str = ""
    ABSENT: ClassVar[dict[str, object]] = {"access": "player:"}

    def state(self) -> str:
        return "null;"

    def properties(self, state: str) -> dict[str, str]:
        return obscured(state)


@register
@dataclass(frozen=True, eq=False, repr=False)
class AreaOfEffect(Trait):
    """Shades what lies within `radius` (`AreaOfEffect`). The state is `true` while it is shown."""

    ID: ClassVar[str] = "AreaOfEffect;"

    color: Color | None = GRAY
    opacity: int = 30
    radius: int = 1
    always_active: bool = True
    menu: str = "Show Area"
    key: Key | None = None
    map_shading: str = ""
    fixed_radius: bool = True
    radius_property: str = ""
    description: str = ""
    name: str = ""
    menu_on: str = ""
    key_on: Key | None = None
    menu_off: str = ""
    key_off: Key | None = None
    shown_to_all: bool = True

    def state(self) -> str:
        return "false"

    def properties(self, state: str) -> dict[str, str]:
        return {f"{self.name}_Active": "true" if self.always_active or state == "true" else "false"}
