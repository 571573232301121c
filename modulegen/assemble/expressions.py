"""What VASSAL computes while a game is played: BeanShell expressions, which stand in braces, made from data.

Keystrokes that several parts of a module know each other by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..vassal import traits
from ..vassal.buildfile import Element, make
from ..vassal.encoding import encode_safe


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


def keys(*several: traits.Key) -> str:
    """Keystrokes one after the other, as attributes hold them (`NamedKeyStrokeArrayConfigurer`)."""
    return encode_safe([str(key) for key in several], ",")


THROWS = "Throws"
"""How often dice were thrown, by whatever button. Saved games keep it: a throw that no log has is missed by it."""
_KEY_COUNTED = traits.named("Thrown")


def counted(throw: traits.Key) -> tuple[traits.Key, ...]:
    """What is pressed for dice: the throw, and the count of all throws."""
    return (throw, _KEY_COUNTED)


def throws() -> Element:
    """The count of all throws."""
    counts = make("ChangePropertyButton", hotkey=_KEY_COUNTED, propChanger=traits.PropertyChange("I", "1"))
    return make("GlobalProperty", counts, name=THROWS, initialValue="0", isNumeric=True, max=999_999)


KEY_MOVED = traits.ctrl("M")
"""Turns a counter's mark of movement."""
KEY_PHASE = traits.named("PhaseBegins")
"""Pressed by the turn tracker whenever it is set on."""
KEY_TURN = traits.named("TurnBegins")
"""Pressed by the turn tracker when it is set on to another turn."""
KEY_DUE = traits.named("TurnDue")
"""Marks who is due, and who has to leave."""
KEY_LEAVE = traits.ctrl("L")
"""Takes a counter off the map."""
KEY_DROPPED = traits.named("Dropped")
"""Sent to every counter that ends a move on the map, by hand or by an entry of its menu."""
