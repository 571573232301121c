"""Traits of VASL, the module for Advanced Squad Leader, which many saves and modules after it hold.

Source of each layout: the class named in the docstring, in `VASL.counters`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Self

from .base import Trait, register
from .looks import obscured


@register
@dataclass(frozen=True, eq=False, repr=False)
class Concealable(Trait):
    """The piece is masked while a concealment counter lies upon it (`Concealable`).

    The state is, as an `Obscurable`'s, the id of who concealed it or `null`.
    """

    ID: ClassVar[str] = "conceal;"

    letter: str = "C"
    image: str = ""
    nation: str = ""
    second_nation: str = ""
    marker: str = ""

    def state(self) -> str:
        return "null"

    def properties(self, state: str) -> dict[str, str]:
        return obscured(state)


@register
@dataclass(frozen=True, eq=False, repr=False)
class Concealment(Trait):
    """The counter that conceals what lies below it (`Concealment`). Its owner is a player's id, never shown."""

    ID: ClassVar[str] = "concealment;"

    owner: str = field(default="", repr=False)
    nation: str = ""


@register
@dataclass(frozen=True, eq=False, repr=False)
class ColoredBox(Trait):
    """A square in a nation's colour under the piece (`ColoredBox`)."""

    ID: ClassVar[str] = "color;"

    nation: str = ""
    width: str = ""
    height: str = ""


@register
@dataclass(frozen=True, eq=False, repr=False)
class TextInfo(Trait):
    """Text that a keystroke shows beside the piece (`TextInfo`); it is not a sequence, whatever stands in it."""

    ID: ClassVar[str] = "info;"

    text: str = ""

    def body(self) -> str:
        return self.text

    @classmethod
    def parse(cls, body: str) -> Self:
        return cls(body)


@register
@dataclass(frozen=True, eq=False, repr=False)
class MarkMoved(Trait):
    """A picture while the piece has moved (`MarkMoved`)."""

    ID: ClassVar[str] = "moved;"

    image: str = ""

    def state(self) -> str:
        return "false"

    def properties(self, state: str) -> dict[str, str]:
        return {"Moved": "true" if state == "true" else "false"}


@register
@dataclass(frozen=True, eq=False, repr=False)
class Turreted(Trait):
    """A turret that turns by itself (`Turreted`); the letters are those of Ctrl keys."""

    ID: ClassVar[str] = "turr;"

    front: str = ""
    flipped: str = ""
    right_keys: str = ""
    left_keys: str = ""


VASL_TRAITS = (Concealable, Concealment, ColoredBox, TextInfo, MarkMoved, Turreted)
"""Traits that VASSAL itself does not have."""
