"""What all commands share: fields declared by their type, read from and written to a command's text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self

from ..encoding import decode, encode_safe
from ..secrets import Secret


class Malformed(ValueError):
    """A command that lacks a part, or has a word where a number belongs."""


def read_int(text: str) -> int:
    if not text.isascii() or len(text) > 20 or not text.lstrip("+-").isdigit():
        raise Malformed(f"not a whole number: {text[:20]!r}")
    return int(text)


# How a field is written and read, by its annotation.
_WRITE: dict[str, Callable[[Any], str]] = {
    "str": str,
    "int": str,
    "bool": lambda value: "true" if value else "false",
    "str | None": lambda value: "null" if value is None else value,
    "Secret": Secret.reveal,
}
_READ: dict[str, Callable[[str], Any]] = {
    "str": str,
    "int": read_int,
    "bool": lambda text: text == "true",
    "str | None": lambda text: None if text == "null" else text,
    "Secret": Secret,
}
_LAYOUTS: dict[str, list[tuple[str, Callable[[Any], str], Callable[[str], Any]]]] = {}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Command:
    """One command. Subclasses with a `PREFIX` are sequences of their fields behind it."""

    PREFIX: ClassVar[str] = ""
    DELIM: ClassVar[str] = "\t"
    LATER: ClassVar[int] = 0
    """How many of its last parts older versions of VASSAL did not write; these have defaults."""

    source: str | None = field(default=None, init=False, compare=False, repr=False)

    # Comparing and showing are written once: forty generated copies would cost every start of a program.
    def _key(self) -> tuple[object, ...]:
        return tuple([getattr(self, f.name) for f in fields(self) if f.compare])

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self), self._key()))

    def __repr__(self) -> str:
        values = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr]
        return f"{type(self).__name__}({', '.join(values)})"

    def encode(self) -> str:
        """The command's text, unescaped."""
        return self.write() if self.source is None else self.source

    def write(self) -> str:
        """The command's text from its fields alone."""
        parts = [write(getattr(self, name)) for name, write, _ in _layout(type(self))]
        return self.PREFIX + encode_safe(parts, self.DELIM)

    @classmethod
    def read(cls, text: str) -> Self:
        """The command from a text that begins with its prefix; raises `Malformed`."""
        parts = decode(text[len(cls.PREFIX) :], cls.DELIM)
        layout = _layout(cls)
        if len(parts) < len(layout) - cls.LATER:
            raise Malformed(f"{cls.__name__}: {len(parts)} parts, expected {len(layout)}")
        return cls(*[read(part) for (_, _, read), part in zip(layout, parts, strict=False)])


def _layout(cls: type[Command]) -> list[tuple[str, Callable[[Any], str], Callable[[str], Any]]]:
    if cls.__name__ not in _LAYOUTS:
        _LAYOUTS[cls.__name__] = [
            (f.name, _WRITE[str(f.type)], _READ[str(f.type)]) for f in fields(cls) if f.name != "source"
        ]
    return _LAYOUTS[cls.__name__]
