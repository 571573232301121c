"""Traits that say what a piece is: its name, its properties, its prototype.

Source of each layout: the class of the same name in `VASSAL.counters`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from ..encoding import Decoder, decode, encode_safe
from .base import CTRL_P, CTRL_S, NO_LIMITS, Color, Key, Limits, PropertyCommand, Trait, register


@register
@dataclass(frozen=True, eq=False, repr=False)
class BasicPiece(Trait):
    """The innermost part of every piece: its image and its name. The two keys are leftovers of old versions."""

    ID: ClassVar[str] = "piece;"

    clone_key: str = ""
    delete_key: str = ""
    image: str = ""
    name: str = ""

    def state(self) -> str:
        return "null;0;0;;0"

    def properties(self, state: str) -> dict[str, str]:
        return {"BasicName": self.name}


@register
@dataclass(frozen=True, eq=False, repr=False)
class BasicName(Trait):
    """A name that replaces the basic piece's, usually from a prototype."""

    ID: ClassVar[str] = "basicName;"

    name: str = ""

    def properties(self, state: str) -> dict[str, str]:
        return {"BasicName": self.name}


@register
@dataclass(frozen=True, eq=False, repr=False)
class Marker(Trait):
    """Fixed properties; the names stand in the type, the values in the state."""

    ID: ClassVar[str] = "mark;"
    DELIM: ClassVar[str] = ","

    names: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    @classmethod
    def of(cls, **values: object) -> Self:
        return cls(tuple(values), tuple(str(v) for v in values.values()))

    def body(self) -> str:
        return encode_safe(self.names, ",")

    @classmethod
    def parse(cls, body: str) -> Self:
        return cls(tuple(decode(body, ",")))

    def state(self) -> str:
        values = (*self.values, *[""] * len(self.names))[: len(self.names)]
        return encode_safe(values, ",")

    def properties(self, state: str) -> dict[str, str]:
        values = [*decode(state, ","), *[""] * len(self.names)]
        return dict(zip(self.names, values, strict=False))


@register
@dataclass(frozen=True, eq=False, repr=False)
class UsePrototype(Trait):
    """Stands for all traits of a prototype; `parameters` are the properties that it passes on."""

    ID: ClassVar[str] = "prototype;"

    name: str = ""
    parameters: tuple[tuple[str, str], ...] = ()

    def body(self) -> str:
        if not self.parameters:
            return encode_safe([self.name], ";")
        pairs = encode_safe([encode_safe(pair, "=") for pair in self.parameters], ",")
        return encode_safe([self.name, pairs], ";")

    @classmethod
    def parse(cls, body: str) -> Self:
        reader = Decoder(body, ";")
        name, pairs = reader.text(), []
        for pair in decode(reader.text(), ",") if reader else []:
            key, *value = decode(pair, "=")
            if value:
                pairs.append((key, value[0]))
        return cls(name, tuple(pairs))


@register
@dataclass(frozen=True, eq=False, repr=False)
class DynamicProperty(Trait):
    """A property that play changes; its value is the state. `start` is the value of a new piece."""

    ID: ClassVar[str] = "PROP;"

    name: str = "name"
    limits: Limits = NO_LIMITS
    commands: tuple[PropertyCommand, ...] = ()
    description: str = ""
    start: str = ""

    def body(self) -> str:
        commands = encode_safe([str(c) for c in self.commands], ",")
        return encode_safe([self.name, str(self.limits), commands, self.description], ";")

    def state(self) -> str:
        return self.start

    def properties(self, state: str) -> dict[str, str]:
        return {self.name: state}


@register
@dataclass(frozen=True, eq=False, repr=False)
class CalculatedProperty(Trait):
    """A property computed by a BeanShell expression, which stands in braces."""

    ID: ClassVar[str] = "calcProp;"

    name: str = ""
    expression: str = ""
    description: str = ""


@register
@dataclass(frozen=True, eq=False, repr=False)
class SetGlobalProperty(Trait):
    """Changes a property of the module, a map or a zone, by keystroke.

    `level`: where it is looked for, one of VASSAL's phrases; `container` the map's or zone's name then.
    """

    ID: ClassVar[str] = "setprop;"

    name: str = "name"
    limits: Limits = NO_LIMITS
    commands: tuple[PropertyCommand, ...] = ()
    description: str = ""
    level: str = "Current Zone/Current Map/Module"
    container: str = ""


@register
@dataclass(frozen=True, eq=False, repr=False)
class SetPieceProperty(Trait):
    """Changes a dynamic property of other pieces, by keystroke."""

    ID: ClassVar[str] = "setpieceprop;"

    name: str = "name"
    limits: Limits = NO_LIMITS
    commands: tuple[PropertyCommand, ...] = ()
    description: str = ""
    target: str = ""
    matching: str = ""
    within_range: bool = False
    distance: int = 1
    fixed_distance: bool = True
    distance_property: str = ""
    from_deck: str = "-1"
    own_limits: bool = False


@register
@dataclass(frozen=True, eq=False, repr=False)
class PropertySheet(Trait):
    """A form of fields. `definition` lists them, separated by `~`, each a digit for its kind and its name."""

    ID: ClassVar[str] = "propertysheet;"

    definition: str = ""
    menu: str = ""
    old_key: str = ""
    commit: int = 0
    red: str = ""
    green: str = ""
    blue: str = ""
    key: Key | None = CTRL_P
    description: str = ""
    ABSENT: ClassVar[dict[str, object]] = {"key": None}

    def properties(self, state: str) -> dict[str, str]:
        found, values = {}, Decoder(state, "~")
        for field in decode(self.definition, "~"):
            if field:
                value = values.text()
                ticks = field[0] in "3456" and "/" in value[1:]
                found[field[1:]] = value.split("/", 1)[0] if ticks else value
        return found


@register
@dataclass(frozen=True, eq=False, repr=False)
class TableInfo(Trait):
    """A sheet of `rows` times `columns` cells; the state holds the cells, separated by commas."""

    ID: ClassVar[str] = "table;"

    rows: int = 2
    columns: int = 2
    menu: str = "Show Data"
    key: Key | None = CTRL_S
    description: str = ""
    ABSENT: ClassVar[dict[str, object]] = {"key": None}

    def state(self) -> str:
        return "," * max(0, self.rows * self.columns - 1)


@register
@dataclass(frozen=True, eq=False, repr=False)
class Comment(Trait):
    """Words for whoever edits the module."""

    ID: ClassVar[str] = "cmt;"

    text: str = ""


@register
@dataclass(frozen=True, eq=False, repr=False)
class TranslatableMessage(Trait):
    """A text property that a translation of the module can replace."""

    ID: ClassVar[str] = "locmsg;"

    name: str = "name"
    description: str = ""
    message: str = ""

    def properties(self, state: str) -> dict[str, str]:
        return {self.name: self.message}


@register
@dataclass(frozen=True, eq=False, repr=False)
class Restricted(Trait):
    """Only some sides may use the piece, or only the player who placed it. The state is that player's id.

    A player's id is the password in disguise or, in old files, the password: it is never a property here.
    """

    ID: ClassVar[str] = "restrict;"

    sides: tuple[str, ...] = ()
    by_player: bool = False
    movement: bool = True
    description: str = ""


@register
@dataclass(frozen=True, eq=False, repr=False)
class BorderOutline(Trait):
    """A coloured frame around the piece while a property is true."""

    ID: ClassVar[str] = "border;"

    property_name: str = ""
    description: str = ""
    thickness: int = 2
    color: Color | None = (255, 0, 0)
    second_property: str = ""
    mode: str = "AND"
