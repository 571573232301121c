"""What all traits share: fields declared by their type, read from and written to VASSAL's type strings.

A trait is a frozen dataclass. Its fields, in order, are the parts of its type string behind the identifier, and
each field's annotation says how it is written. Reading fills what an older VASSAL did not write with the
class's defaults. What reading cannot express in the fields (older layouts, odd numbers) is remembered, so that
an unchanged trait is always written back to the very same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from hexforge.modulegen.vassal.remembered import remembered
from hexforge.modulegen.vassal.sequence import decode, encode_safe
from hexforge.modulegen.vassal.traits.keys import Key, read_key, write_key

Color = tuple[int, ...]


class Unreadable(ValueError):
    """A part of a type string that does not have the form it should have."""


class Kind(NamedTuple):
    write: Callable[[Any], str]
    read: Callable[[str], Any]


_INTEGER = re.compile(r"[+-]?\d{1,10}", re.ASCII).fullmatch


def _read_int(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 10) and not _INTEGER(text):
        raise Unreadable(f"not a whole number: {text[:40]!r}")
    return int(text)


def _read_float(text: str) -> float:
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", text[:64], re.ASCII):
        raise Unreadable(f"not a number: {text[:40]!r}")
    return float(text)


def write_float(number: float) -> str:
    """A number as Java prints a double of everyday size: always with a point."""
    return repr(float(number))


def write_color(color: Color | None) -> str:
    return "" if color is None else ",".join(map(str, color))


def read_color(text: str) -> Color | None:
    """Red, green, blue (and alpha), each 0 to 255; None where VASSAL has no colour."""
    if not text or text == "null":
        return None
    if re.fullmatch(r"0[xX][0-9a-fA-F]{1,6}", text):
        number = int(text, 16)
        return (number >> 16 & 255, number >> 8 & 255, number & 255)
    parts = text.split(",")
    if len(parts) not in (3, 4) or not all(re.fullmatch(r"\d{1,3}", p, re.ASCII) for p in parts):
        raise Unreadable(f"not a colour: {text[:40]!r}")
    return tuple(int(p) for p in parts)


def write_array(items: tuple[str, ...]) -> str:
    return encode_safe(items, ",")


def read_array(text: str) -> tuple[str, ...]:
    return tuple(decode(text, ",")) if text else ()


def _read_keys(text: str) -> tuple[Key, ...]:
    if "," not in text:
        return tuple(key for letter in text if (key := read_key(letter)))
    return tuple(key for part in decode(text, ",") if (key := read_key(part)))


class PropertyChange(NamedTuple):
    """What a keystroke does to a property.

    `how`: "P" sets it to `value`; "I" adds `value`; "R" asks the player, `value` being the prompt; "E" lets the
    player choose one of `choices`. Source: `VASSAL.build.module.properties.PropertyChangerConfigurer`.
    """

    how: str = "P"
    value: str = ""
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.how == "E":
            return encode_safe([self.how, self.value, write_array(self.choices)], ",")
        return encode_safe([self.how, self.value], ",")

    @classmethod
    def parse(cls, text: str) -> PropertyChange:
        parts = [*decode(text, ","), "", "", ""]
        return cls(parts[0][:1] or "P", parts[1], read_array(parts[2]))


class PropertyCommand(NamedTuple):
    """A menu entry (or none, if `name` is empty) with the keystroke that changes a property."""

    name: str
    key: Key | None
    change: PropertyChange = PropertyChange()

    def __str__(self) -> str:
        return encode_safe([self.name, write_key(self.key), str(self.change)], ":")

    @classmethod
    def parse(cls, text: str) -> PropertyCommand:
        parts = [*decode(text, ":"), "", "", ""]
        return cls(parts[0], read_key(parts[1]), PropertyChange.parse(parts[2]))


class Limits(NamedTuple):
    """Bounds of a numeric property; `wrap` goes on at the other end."""

    numeric: bool = False
    lowest: int = 0
    highest: int = 100
    wrap: bool = False

    def __str__(self) -> str:
        return f"{str(self.numeric).lower()},{self.lowest},{self.highest},{str(self.wrap).lower()}"

    @classmethod
    def parse(cls, text: str) -> Limits:
        parts = decode(text, ",")
        given = dict(enumerate(parts))
        return cls(
            given.get(0) == "true",
            _read_int(given.get(1) or "0"),
            _read_int(given.get(2) or "100"),
            given.get(3) == "true",
        )


NO_LIMITS = Limits()


def _write_commands(commands: tuple[PropertyCommand, ...]) -> str:
    return encode_safe([str(c) for c in commands], ",")


def _read_commands(text: str) -> tuple[PropertyCommand, ...]:
    return tuple(PropertyCommand.parse(c) for c in decode(text, ",")) if text else ()


KINDS: dict[str, Kind] = {
    "str": Kind(str, str),
    "int": Kind(str, _read_int),
    "bool": Kind(lambda b: "true" if b else "false", lambda t: t == "true"),
    "float": Kind(write_float, _read_float),
    "Key | None": Kind(write_key, read_key),
    "Color | None": Kind(write_color, read_color),
    "tuple[str, ...]": Kind(write_array, read_array),
    "tuple[Key, ...]": Kind(lambda keys: encode_safe([str(k) for k in keys], ","), _read_keys),
    "tuple[PropertyCommand, ...]": Kind(_write_commands, _read_commands),
    "Limits": Kind(str, Limits.parse),
}


_LAYOUTS: dict[str, tuple[tuple[str, Kind], ...]] = {}


def _layout(cls: type[Trait]) -> tuple[tuple[str, Kind], ...]:
    if cls.ID not in _LAYOUTS:
        _LAYOUTS[cls.ID] = tuple((f.name, KINDS[str(f.type)]) for f in fields(cls))
    return _LAYOUTS[cls.ID]


@dataclass(frozen=True, eq=False, repr=False)
class Trait:
    """One trait of a piece definition. States are kept as the text that a save carries."""

    ID: ClassVar[str] = ""
    DELIM: ClassVar[str] = ";"
    # What a part means that an older version did not write, where that differs from the constructor's default.
    ABSENT: ClassVar[dict[str, Any]] = {}

    # Comparing and showing are written once: fifty generated copies would cost every start of a program.
    def _key(self) -> tuple[object, ...]:
        return tuple([self.__dict__[f.name] for f in fields(self)])

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self), self._key()))

    def __repr__(self) -> str:
        values = [f"{f.name}={self.__dict__[f.name]!r}" for f in fields(self) if f.repr]
        return f"{type(self).__name__}({', '.join(values)})"

    def encode(self) -> str:
        """The trait's type string."""
        source: str | None = self.__dict__.get("_source") or self.__dict__.get("_written")
        if source is None:
            # Hundreds of pieces share the traits of their prototypes.
            source = self.ID + self.body()
            object.__setattr__(self, "_written", source)
        return source

    @classmethod
    def decode(cls, text: str) -> Self:
        """Read a type string that begins with this class's identifier."""
        try:
            trait = cls.parse(text[len(cls.ID) :])
        except Unreadable:
            trait = cls()
        # Whether the fields alone would give the same text need not be known: it costs as much as reading it.
        object.__setattr__(trait, "_source", text)
        return trait

    def body(self) -> str:
        """The type string behind the identifier."""
        return encode_safe([kind.write(getattr(self, name)) for name, kind in _layout(type(self))], self.DELIM)

    @classmethod
    def parse(cls, body: str) -> Self:
        """The fields of a type string's body; raises `Unreadable`."""
        values = dict(cls.ABSENT)
        for (name, kind), part in zip(_layout(cls), decode(body, cls.DELIM), strict=False):
            values[name] = kind.read(part)
        return cls(**values)

    def state(self) -> str:
        """The state in which a new piece starts."""
        return ""

    def properties(self, state: str) -> dict[str, str]:
        """The properties that this trait gives its piece in that state."""
        return {}


@dataclass(frozen=True, eq=False, repr=False)
class UnknownTrait(Trait):
    """A trait of a custom class, or none at all: kept as it stands."""

    text: str = ""

    def encode(self) -> str:
        return self.text

    @classmethod
    def decode(cls, text: str) -> Self:
        return cls(text)


TRAITS: dict[str, type[Trait]] = {}
T = TypeVar("T", bound=type[Trait])


def register(cls: T) -> T:
    """Class decorator: make a trait known by its identifier."""
    TRAITS[cls.ID] = cls
    return cls


def prefix_of(text: str) -> str:
    """The identifier that a type string begins with, its semicolon included."""
    end = text.find(";")
    return text if end < 0 else text[: end + 1]


@remembered(1 << 25)
def read_trait(text: str) -> Trait:
    """The trait that one type string describes; unknown ones are kept verbatim."""
    return TRAITS.get(prefix_of(text), UnknownTrait).decode(text)
