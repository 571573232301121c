"""What VASSAL computes while a game is played: BeanShell expressions, which stand in braces, made from data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hexforge.modulegen.vassal import traits as t
from hexforge.modulegen.vassal.sequence import encode_safe


def quoted(text: str) -> str:
    """A text within an expression; VASSAL reads quotes and backslashes its own way, so it has none of them."""
    return '"' + text.replace("\\", "").replace('"', "'") + '"'


def expression(text: str) -> str:
    """A text with `$property$` in it as an expression. Each is taken as a text: hexes begin with a nought."""
    parts = text.split("$")
    return " + ".join(quoted(part) if i % 2 == 0 else f"{part}.trim()" for i, part in enumerate(parts) if part)


# No parentheses around what follows a colon: BeanShell's parser takes twice the time for each pair within another.


def choice(name: str, values: Mapping[int, str], otherwise: str) -> str:
    """The value that belongs to what the property `name` is now. Values are expressions themselves."""
    found = otherwise
    for number, value in reversed(list(values.items())):
        found = f"{name} == {number} ? {value} : {found}"
    return found


def spans(name: str, rows: Iterable[tuple[tuple[int, int], str]], otherwise: str) -> str:
    """The value of the first span, both ends within it, in which the property `name` lies."""
    found = otherwise
    for (first, last), value in reversed(list(rows)):
        found = f"{name} >= {first} && {name} <= {last} ? {value} : {found}"
    return found


def keys(*several: t.Key) -> str:
    """Keystrokes one after the other, as attributes hold them (`NamedKeyStrokeArrayConfigurer`)."""
    return encode_safe([str(key) for key in several], ",")
