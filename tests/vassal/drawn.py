"""Logs with random numbers, written as VASSAL's own encoder would write those of the proposal."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from hexforge.modulegen.vassal.commands import RandomNumber
from hexforge.modulegen.vassal.proposed.draws import Draw
from hexforge.modulegen.vassal.proposed.javarandom import JavaRandom
from hexforge.modulegen.vassal.save import SavedGame, read_save
from hexforge.modulegen.vassal.sequence import encode

ESC = "\x1b"
Tree = str | tuple["Tree", ...]
"""A command's text or, with others that hang on it, a tuple that begins with it."""


def java_text(value: float | bool) -> str:
    """A number as Java writes it (a double with the digits that Python's shortest form has)."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) or 1e-3 <= abs(value) < 1e7 or not value:
        return str(value)
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    first, *rest = map(str, digits)
    assert isinstance(exponent, int)
    return f"{'-' * sign}{first}.{''.join(rest) or '0'}E{exponent + len(rest)}"


def text_of(kind: str, value: float | bool, bound: int | str = "") -> str:
    """The command as the proposal encodes it, backslash and all."""
    return f"RNG\t;{kind};{java_text(value)};{bound}\\"


class Table:
    """Somebody's VASSAL: its generator, and what it writes into the log."""

    def __init__(self, seed: int) -> None:
        self.random = JavaRandom(seed)

    def begin(self) -> Tree:
        """The start of a log: the next long, which becomes the seed."""
        value = self.random.next_long()
        self.random.set_seed(value)
        return (text_of("L", value, 0), text_of("Z", value, 0))

    def die(self, sides: int = 6) -> tuple[str, int]:
        """A die: its command, and the face."""
        number = self.random.next_int(sides)
        return text_of("M", number, sides), number + 1

    def throw(self, count: int = 2, sides: int = 6, name: str = "2d6", shown: Sequence[int] = ()) -> list[Tree]:
        """A dice button pressed: entries of the log. `shown`: other faces than those drawn."""
        drawn = [self.die(sides) for _ in range(count)]
        faces = ",".join(map(str, shown or [face for _, face in drawn]))
        report = f"CHAT*** {name} = {faces} *** &lt;Ana&gt;"
        return [*(text for text, _ in drawn), (report, f"MutableProperty\t{name}_result\t\t{faces}\tModule")]

    def any(self, kind: str, bound: int = 6) -> str:
        """A number of any kind."""
        r = self.random
        value: float | bool
        match kind:
            case "I":
                value = r.next_int()
            case "M":
                return self.die(bound)[0]
            case "L":
                value = r.next_long()
            case "D":
                value = r.next_double()
            case "F":
                value = r.next_float()
            case "B":
                value = r.next_boolean()
            case _:
                value = r.next_gaussian()
        return text_of(kind, value)


def _logged(tree: Tree) -> Tree:
    if isinstance(tree, str):
        return f"LOG\t{tree}"
    return tuple(_logged(part) for part in tree)


def encoded(tree: Tree) -> str:
    """A command with those that hang on it, as VASSAL joins them: nothing guards a backslash at the end."""
    return tree if isinstance(tree, str) else encode([encoded(part) for part in tree], ESC)


def log_text(restore: Sequence[Tree], entries: Sequence[Tree]) -> str:
    """The text of a log: what the saved position holds, and what was logged."""
    return encoded(("begin_save", *restore, "end_save", *map(_logged, entries)))


def log(restore: Sequence[Tree], entries: Sequence[Tree]) -> SavedGame:
    return read_save(log_text(restore, entries).encode())


def draws(*texts: str) -> list[Draw]:
    """Numbers as they stand in a log, one a step."""
    return [Draw(step, RandomNumber.read(text)) for step, text in enumerate(texts)]


def seed_for(faces: Sequence[int], sides: int = 6) -> int:
    """A seed whose first throws show certain faces."""
    for seed in range(1_000_000):
        random = JavaRandom(seed)
        if all(random.next_int(sides) + 1 == face for face in faces):
            return seed
    raise ValueError(faces)
