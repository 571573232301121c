"""The seed and the numbers drawn from it, as proposed for VASSAL in 2026 so that opponents can check a log's dice.

Format: `RNG`, TAB, then behind a semicolon each the kind, the value as Java writes it, and the bound, which is
empty or 0 where a number has none. The proposal puts a backslash behind it all, which escapes the separator of the
command that follows: in a log a number therefore hangs together with the action that it was drawn for, and the
backslash is gone once the log is split. Source: vassalengine/vassal, pull request 15004, `VASSAL.build.Random`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from hexforge.modulegen.vassal.commands.base import Command

SEED: Final = "Z"
_LONG: Final = 63
_MAX_TEXT: Final = 40
_WHOLE = r"[+-]?[0-9]{1,20}"
_REAL = r"[+-]?(?:NaN|Infinity|[0-9]{1,20}(?:\.[0-9]{0,20})?(?:[eE][+-]?[0-9]{1,4})?)"
# What follows RNG and TAB. The proposal may still change: TABs between the parts are understood too.
_FORM = (
    r"(?P<start>;?)(?P<kind>[ZILMDFGB])(?P<delim>[;\t])"
    rf"(?P<value>{_WHOLE}|{_REAL}|true|false)"
    rf"(?:(?P=delim)(?P<bound>(?:{_WHOLE}|null)?))?\\?"
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RandomNumber(Command):
    """A number that was drawn, or the seed.

    `kind`: `Z` the seed (a Java long), `I` an int, `M` an int from 0 up to `bound`, `L` a long, `D` a double, `F` a
    float, `G` a normally distributed double, `B` a boolean; empty where the text has another form, and then `value`
    is all of it. `value` and `bound` are kept as they are written.
    """

    PREFIX: ClassVar[str] = "RNG\t"

    kind: str
    value: str
    bound: str = ""

    def write(self) -> str:
        # Our own separators need no backslash, and with one VASSAL would not read the bound.
        return self.PREFIX + (f";{self.kind};{self.value};{self.bound}" if self.kind else self.value)

    @classmethod
    def read(cls, text: str) -> Self:
        body = text[len(cls.PREFIX) :]
        form = re.fullmatch(_FORM, body, re.ASCII) if len(body) <= 3 * _MAX_TEXT else None
        if form is None or _parsed(form["kind"], form["value"]) is None:
            return cls("", body)
        return cls(form["kind"], form["value"], form["bound"] or "")

    @property
    def is_seed(self) -> bool:
        return self.kind == SEED

    @property
    def number(self) -> int | float | bool | None:
        """The value; None where the text has another form."""
        return _parsed(self.kind, self.value)

    @property
    def limit(self) -> int | None:
        """The bound of a bounded int, if it is one that a number can be drawn below."""
        if self.kind != "M" or not re.fullmatch(_WHOLE, self.bound):
            return None
        bound = int(self.bound)
        return bound if 0 < bound < 1 << 31 else None

    @property
    def words(self) -> str:
        """What it is, for people: a bounded number with its range, others with their kind."""
        limit = self.limit
        return f"{self.value} (0-{limit - 1})" if limit else f"{self.kind} {self.value}".strip()


def _parsed(kind: str, value: str) -> int | float | bool | None:
    if kind in ("Z", "L", "I", "M"):
        width = 31 if kind in ("I", "M") else _LONG
        number = int(value) if re.fullmatch(_WHOLE, value) else 1 << 63
        return number if -(1 << width) <= number < 1 << width else None
    if kind in ("D", "F", "G"):
        return float(value) if re.fullmatch(_REAL, value) else None
    return value == "true" if kind == "B" and value in ("true", "false") else None
