"""What all traits share: fields declared by their type, read from and written to VASSAL's type strings.

A trait is a frozen dataclass. Its fields, in order, are the parts of its type string behind the identifier, and
each field's annotation says how it is written. Reading fills what an older VASSAL did not write with the
class's defaults. What reading cannot express in the fields (older layouts, odd numbers) is remembered, so that
an unchanged trait is always written back to the very same text.

Keystrokes, as traits and build files write them.

Format: `code,modifiers` or `code,modifiers,name`. Code is a Java virtual key code (for letters the capital's
ASCII code), modifiers the sum of the old and the new Java masks. A named keystroke carries any code of the
private range and modifiers 0; VASSAL looks at the name only. Very old files hold a single letter, which means
that letter with Ctrl. Source: `VASSAL.configure.NamedHotKeyConfigurer`, `VASSAL.tools.NamedKeyStroke`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Self, TypeVar

from ..encoding import decode, encode_safe, remembered

SHIFT, CTRL, META, ALT = 1 + 64, 2 + 128, 4 + 256, 8 + 512
NAMED_CODE = 57348
_KEY = re.compile(r"(-?\d{1,9}),(-?\d{1,9})(?:,([^,]+))?", re.ASCII)


class Key(NamedTuple):
    """One keystroke; `name` is "" for a plain one."""

    code: int
    modifiers: int = 0
    name: str = ""

    def __str__(self) -> str:
        plain = f"{self.code},{self.modifiers}"
        return f"{plain},{self.name}" if self.name else plain

    @property
    def label(self) -> str:
        """How a player would say it: `Ctrl+D`, `F2` or the name."""
        if self.name:
            return self.name
        words = [
            word
            for word, mask in (("Ctrl", 130), ("Shift", 65), ("Meta", 260), ("Alt", 520))
            if self.modifiers & mask
        ]
        if 112 <= self.code <= 123:
            words.append(f"F{self.code - 111}")
        else:
            words.append(_SPECIAL.get(self.code) or (chr(self.code) if 32 < self.code < 127 else str(self.code)))
        return "+".join(words)


_SPECIAL = {8: "Backspace", 9: "Tab", 10: "Enter", 27: "Escape", 32: "Space", 127: "Delete"}
_SPECIAL |= {33: "PgUp", 34: "PgDn", 35: "End", 36: "Home", 37: "Left", 38: "Up", 39: "Right", 40: "Down"}


def named(name: str) -> Key:
    """A keystroke known by its name alone, as triggers and global commands send."""
    if not name or "," in name:
        raise ValueError(f"a keystroke's name is not empty and has no comma: {name!r}")
    return Key(NAMED_CODE, 0, name)


def plain(letter: str) -> Key:
    """One letter or digit, without modifiers."""
    return Key(ord(letter.upper()))


def ctrl(letter: str) -> Key:
    return Key(ord(letter.upper()), CTRL)


CTRL_C, CTRL_D, CTRL_G, CTRL_I, CTRL_K, CTRL_M = (ctrl(letter) for letter in "CDGIKM")
CTRL_O, CTRL_P, CTRL_R, CTRL_S, CTRL_T = (ctrl(letter) for letter in "OPRST")


def alt(letter: str) -> Key:
    return Key(ord(letter.upper()), ALT)


def shift(letter: str) -> Key:
    return Key(ord(letter.upper()), SHIFT)


def ctrl_shift(letter: str) -> Key:
    return Key(ord(letter.upper()), CTRL | SHIFT)


def function(number: int, modifiers: int = 0) -> Key:
    """F1 to F12."""
    if not 1 <= number <= 12:
        raise ValueError(f"there is no F{number}")
    return Key(111 + number, modifiers)


def write_key(key: Key | None) -> str:
    return "" if key is None else str(key)


def read_key(text: str) -> Key | None:
    """None for "no keystroke" and for what VASSAL cannot read either."""
    if not text:
        return None
    if "," not in text:
        return Key(ord(text[0]), CTRL)
    match = _KEY.match(text)
    return Key(int(match[1]), int(match[2]), match[3] or "") if match else None


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
    # The layers of all pieces have a few lists of names between them.
    return _read_short(text) if len(text) < 200 else tuple(decode(text, ","))


@lru_cache(2000)
def _read_short(text: str) -> tuple[str, ...]:
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


# Past what forbids change, and without a dictionary for each of the thousands.
_put: Final = object.__setattr__
_OTHER: Final = Kind(str, str)


class _Place(NamedTuple):
    """Where a field stands in its trait's type string, and what it is where nothing readable stands there."""

    at: int
    kind: Kind
    absent: Any
    plain: bool
    """Whether the class reads its parts one by one, and not all of them in a way of its own."""

    def read(self, parts: list[str]) -> Any:
        if self.at >= len(parts):
            return self.absent
        try:
            return self.kind.read(parts[self.at])
        except Unreadable:
            return self.absent


_LAYOUTS: dict[type[Trait], dict[str, _Place]] = {}


def _layout(cls: type[Trait]) -> dict[str, _Place]:
    found = _LAYOUTS.get(cls)
    if found is None:
        plain = "parse" not in vars(cls)
        found = _LAYOUTS[cls] = {
            f.name: _Place(at, KINDS.get(str(f.type), _OTHER), cls.ABSENT.get(f.name, f.default), plain)
            for at, f in enumerate(fields(cls))
        }
    return found


@dataclass(frozen=True, eq=False, repr=False)
class Trait:
    """One trait of a piece definition. States are kept as the text that a save carries."""

    ID: ClassVar[str] = ""
    DELIM: ClassVar[str] = ";"
    # What a part means that an older version did not write, where that differs from the constructor's default.
    ABSENT: ClassVar[dict[str, Any]] = {}

    _source: ClassVar[str] = ""
    """The type string that this was read from; of no trait empty."""
    _parts: ClassVar[list[str]] = []
    """What stands between the delimiters of it, as soon as one field has been asked for."""

    # Type checkers would take any attribute for one that there is.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """A field of a trait that was read, read now: saves hold ten thousands, and few are asked for."""
            place = _layout(type(self)).get(name)
            if place is None:
                raise AttributeError(f"{type(self).__name__} has no {name!r}")
            if not place.plain:
                return self._read_all(name)
            parts = self._parts
            if not parts:
                parts = decode(self._source[len(self.ID) :], self.DELIM)
                _put(self, "_parts", parts)
            found = place.read(parts)
            _put(self, name, found)
            return found

    def _read_all(self, name: str) -> Any:
        cls = type(self)
        try:
            read = cls.parse(self._source[len(cls.ID) :])
        except Unreadable:
            read = cls()
        for field in fields(cls):
            _put(self, field.name, getattr(read, field.name))
        return getattr(read, name)

    # Comparing and showing are written once: fifty generated copies would cost every start of a program.
    def _key(self) -> tuple[object, ...]:
        return tuple([getattr(self, f.name) for f in fields(self)])

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self), self._key()))

    def __repr__(self) -> str:
        values = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr]
        return f"{type(self).__name__}({', '.join(values)})"

    def encode(self) -> str:
        """The trait's type string."""
        if not self._source:
            # Hundreds of pieces share the traits of their prototypes.
            _put(self, "_source", self.ID + self.body())
        return self._source

    @classmethod
    def decode(cls, text: str) -> Self:
        """Read a type string that begins with this class's identifier."""
        trait = cls.__new__(cls)
        # Whether the fields alone would give the same text need not be known: it costs as much as reading it.
        _put(trait, "_source", text)
        return trait

    def body(self) -> str:
        """The type string behind the identifier."""
        layout = _layout(type(self))
        return encode_safe([place.kind.write(getattr(self, name)) for name, place in layout.items()], self.DELIM)

    @classmethod
    def parse(cls, body: str) -> Self:
        """The trait of a type string's body, where its parts are not its fields one by one; raises `Unreadable`."""
        raise NotImplementedError

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
    for field in fields(cls):
        # A default on the class would stand for what has not been read yet.
        if field.name in vars(cls):
            delattr(cls, field.name)
    return cls


@remembered(1 << 25)
def read_trait(text: str) -> Trait:
    """The trait that one type string describes, up to its first semicolon; unknown ones are kept verbatim."""
    return TRAITS.get(text[: text.find(";") + 1] or text, UnknownTrait).decode(text)
