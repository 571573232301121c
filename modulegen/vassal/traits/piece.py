"""Whole pieces: the nesting of traits in types and states, stacks, and the text of a piece slot.

Format: type and state of a decorated piece are the outer trait's text, a tab, and the inner piece's text, as a
two-part sequence, so that the escapes double with every level. VASSAL splits the innermost type once more, but
not the innermost state. A stack's type is the word `stack`, its state
the map, the point, the ids from bottom to top and the layer. Sources: `VASSAL.counters.Decorator`,
`BasicPiece`, `Stack`, `Deck`, `VASSAL.build.module.BasicCommandEncoder`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import sub
from typing import Final, NamedTuple

from ..encoding import Decoder, decode, encode_safe, quote_safe, remembered
from .base import Trait, read_trait
from .identity import BasicName, BasicPiece
from .looks import Hideable, Labeler, Layer, Obscurable
from .vasl import Concealable

STACK = "stack"
# Deeper nesting than any module has; the escapes alone would be longer than all text by then.
MAX_TRAITS = 1000


_COUNTED: Final = list(range(MAX_TRAITS))
_PLAIN = re.compile(r"([^;'\\]*);(-?[0-9]{1,9});(-?[0-9]{1,9});([^;'\\]*)(?:;0)?")
"""A basic piece's state without properties of its own."""


NAMING: Final = (BasicPiece, BasicName, Layer, Labeler)
"""Traits that say what a piece is called."""
MASKS: Final = (Obscurable, Concealable)
VEILS: Final = (Hideable, *MASKS)
"""Traits that say who may see a piece, or what of it."""
_TELLING: Final = tuple(kind.ID for kind in (*NAMING, *VEILS))


class TooManyTraits(ValueError):
    """More traits on one piece than any module has."""


@dataclass(frozen=True)
class BasicState:
    """Where a piece is: the state of its basic piece. `map` is the map's id, None off every map; x, y pixels."""

    map: str | None = None
    x: int = 0
    y: int = 0
    gpid: str = ""
    properties: tuple[tuple[str, str], ...] = ()

    def encode(self) -> str:
        pairs = [part for pair in self.properties for part in pair]
        head = [self.map if self.map is not None else "null", str(self.x), str(self.y), self.gpid]
        return encode_safe([*head, str(len(self.properties)), *pairs], ";")

    @classmethod
    def decode(cls, text: str) -> BasicState:
        if (plain := _PLAIN.fullmatch(text)) is not None:
            # Thousands are read time and again.
            where, x, y, gpid = plain.groups()
            return cls(None if where == "null" else where, int(x), int(y), gpid)
        d = Decoder(text, ";")
        where, x, y, gpid = d.text(), d.integer(), d.integer(), d.text()
        count = d.integer(0)
        parts = decode(d.remaining, ";")[: 2 * max(0, count)] if d else []
        pairs = tuple(zip(parts[::2], parts[1::2], strict=False))
        return cls(None if where == "null" else where, x, y, gpid, pairs)


def is_bare(state: str) -> bool:
    """Whether the state of a basic piece is seen at once to have no properties of the piece's own."""
    return _PLAIN.fullmatch(state) is not None


@dataclass(frozen=True)
class StackState:
    """Pieces on one spot, bottom first. `layer` is -1 where the map has no layers, None where not written."""

    map: str | None = None
    x: int = 0
    y: int = 0
    pieces: tuple[str, ...] = ()
    layer: int | None = -1

    def encode(self) -> str:
        layer = [] if self.layer is None else [f"@@{self.layer}"]
        where = self.map if self.map is not None else "null"
        return encode_safe([where, str(self.x), str(self.y), *self.pieces, *layer], ";")

    @classmethod
    def decode(cls, text: str) -> StackState:
        where, *rest = decode(text, ";")
        placed = where != "null" or rest[:2] == ["0", "0"]
        x, y = (_number(rest[0:1]), _number(rest[1:2])) if placed else (0, 0)
        pieces = rest[2:] if placed else rest
        layer = None
        marks = [p for p in pieces[-1:] if p.startswith("@@")] or [p for p in pieces if p[:2] == "@@"]
        if marks:
            layer = Decoder(marks[-1][2:], ";").integer(-1)
            pieces = [p for p in pieces if p not in marks]
        return cls(None if where == "null" else where, x, y, tuple(pieces), layer)


def _number(parts: list[str]) -> int:
    part = parts[0] if parts else "0"
    if part.isascii() and part.removeprefix("-").isdecimal() and len(part) < 10:
        return int(part)
    return Decoder(part, ";").integer(0)


@dataclass(frozen=True)
class DeckState:
    """The contents of a deck, bottom first."""

    map: str | None = None
    x: int = 0
    y: int = 0
    face_down: bool = False
    pieces: tuple[str, ...] = ()

    def encode(self) -> str:
        where = self.map if self.map is not None else "null"
        contents = [encode_safe(self.pieces, ",")] if self.pieces else []
        down = "true" if self.face_down else "false"
        return encode_safe([where, str(self.x), str(self.y), down, *contents], ";")

    @classmethod
    def decode(cls, text: str) -> DeckState:
        d = Decoder(text, ";")
        where, x, y, down = d.text(), d.integer(), d.integer(), d.boolean()
        pieces = tuple(p for p in decode(d.text(), ",") if p) if d else ()
        return cls(None if where == "null" else where, x, y, down, pieces)


class Piece(NamedTuple):
    """A piece definition with its states, one a trait, in the same order: outermost first."""

    traits: tuple[Trait, ...]
    states: tuple[str, ...]

    # States may hold the id of who hid the piece, which is a password.
    def __repr__(self) -> str:
        return f"Piece({self.traits!r})"

    @property
    def basic(self) -> BasicPiece | None:
        inner = self.traits[-1]
        return inner if isinstance(inner, BasicPiece) else None

    def properties(self) -> dict[str, str]:
        """All properties; where two traits give the same one, the outer wins."""
        found: dict[str, str] = {}
        for trait, state in zip(reversed(self.traits), reversed(self.states), strict=True):
            if more := trait.properties(state):
                found |= more
        return found


def nest(parts: Sequence[str]) -> str:
    """Outermost first, into one nested text; the innermost stands as it is."""
    if not any("\t" in part or part[:1] in ("\\", "'") or part[-1:] == "\\" for part in parts):
        # The general way below takes time that grows with the square of the depth.
        return parts[0] + "".join(["\\" * i + "\t" + part for i, part in enumerate(parts[1:])])
    text = parts[-1]
    for outer in reversed(parts[:-1]):
        text = encode_safe([outer, text], "\t")
    return text


def unnest(text: str, depth: int = MAX_TRAITS) -> list[str]:
    """The inverse of `nest` for at most `depth` parts, the last not looked into; raises `TooManyTraits`."""
    pieces = text.split("\t")
    if "'" not in text or "'" not in {piece[:1] for piece in pieces}:
        bare = list(map(str.rstrip, pieces[:-1], repeat("\\")))
        slashes = list(map(sub, map(len, pieces), map(len, bare)))
        if len(pieces) <= depth and slashes == _COUNTED[: len(slashes)]:
            return [*bare, pieces[-1]]
        return _peel([*bare, pieces[-1]], slashes, depth)
    found: list[str] = []
    budget = (1 << 25) + 20 * len(text)
    while len(found) < depth - 1:
        budget -= len(text)
        if budget < 0:
            raise TooManyTraits("a piece nested too deeply to be one of a module")
        parts = decode(text, "\t")
        found.append(parts[0])
        if len(parts) == 1:
            return found
        text = parts[1]
    return [*found, text]


def _peel(pieces: list[str], slashes: list[int], depth: int) -> list[str]:
    """Parts of a nest without quotes, of which some have tabs of their own: pieces that they bring with them do.

    Each level takes one backslash from before each tab. At the n-th a tab with n of them ends the part, one with
    more is the part's own, and one with fewer ended the level above: what stands behind it is not looked at.
    """
    found: list[str] = []
    at, last = 0, len(pieces) - 1
    for level in range(depth - 1):
        own = at
        while own < last and slashes[own] > level:
            own += 1
        taken = [piece + "\\" * (slashes[i] - level - 1) for i, piece in enumerate(pieces[at:own], at)]
        found.append("\t".join([*taken, pieces[own]]))
        if own == last or slashes[own] < level:
            return found
        at = own + 1
    ends = at
    while ends < last and slashes[ends] >= depth - 1:
        ends += 1
    taken = [piece + "\\" * (slashes[i] - depth + 1) for i, piece in enumerate(pieces[at:ends], at)]
    return [*found, "\t".join([*taken, pieces[ends]])]


def unnest_types(text: str) -> list[str]:
    """The type strings in a piece's type; raises `TooManyTraits`."""
    found = unnest(text)
    if len(found) >= MAX_TRAITS:
        raise TooManyTraits(f"a piece with more than {MAX_TRAITS} traits")
    return found


def piece_type(traits: Sequence[Trait]) -> str:
    """The type string of a piece: outermost trait first, the basic piece last."""
    if not traits or not isinstance(traits[-1], BasicPiece):
        raise ValueError("the last trait of a piece is its BasicPiece")
    if any(isinstance(t, BasicPiece) for t in traits[:-1]):
        raise ValueError("a piece has one BasicPiece only, as its last trait")
    inner = quote_safe(traits[-1].encode(), "\t")
    return nest([*[t.encode() for t in traits[:-1]], inner])


def piece_state(traits: Sequence[Trait], states: Sequence[str | BasicState | None] = ()) -> str:
    """The state string of a piece. A missing state, or None, is the one in which a new piece starts."""
    given = [*states, *[None] * (len(traits) - len(states))]
    if len(given) > len(traits):
        raise ValueError(f"{len(states)} states for {len(traits)} traits")
    texts = []
    for trait, state in zip(traits, given, strict=True):
        if isinstance(state, BasicState):
            texts.append(state.encode())
        else:
            texts.append(trait.state() if state is None else state)
    return nest(texts)


@remembered(1 << 24)
def read_types(type_text: str) -> tuple[Trait, ...]:
    """The traits of a piece's type string, outermost first."""
    return tuple(map(read_trait, unnest_types(type_text)))


class Outline(NamedTuple):
    """How many traits a type has, and those of some kinds, with their places among them."""

    depth: int
    telling: tuple[tuple[int, Trait], ...]


@remembered(1 << 25)
def read_outline(type_text: str) -> Outline:
    """What a piece's type must be known for in every save: of sixty traits, a few say what it is called."""
    parts = unnest_types(type_text)
    told = [(i, read_trait(part)) for i, part in enumerate(parts) if part.startswith(_TELLING)]
    return Outline(len(parts), tuple(told))


def read_piece(type_text: str, state_text: str) -> Piece:
    """Traits with their states. A state that is missing is empty, one too many is dropped, as in VASSAL."""
    traits = read_types(type_text)
    states = unnest(state_text, len(traits))
    return Piece(traits, (*states, *[""] * (len(traits) - len(states))))


def add_piece(piece_id: str | None, type_text: str, state_text: str) -> str:
    """The command that adds a piece to the game; piece slots hold one with the id `null`."""
    return "+/" + encode_safe([piece_id if piece_id is not None else "null", type_text, state_text], "/")


def stack_piece(stack_id: str, state: StackState) -> str:
    """The command that adds a stack."""
    return add_piece(stack_id, STACK, state.encode())


def slot_text(traits: Sequence[Trait], gpid: str, states: Sequence[str | BasicState | None] = ()) -> str:
    """What stands in a piece slot or prototype of a build file."""
    given: list[str | BasicState | None] = [*states, *[None] * (len(traits) - len(states))]
    if given[-1] is None:
        given[-1] = BasicState(gpid=gpid)
    return add_piece(None, piece_type(traits), piece_state(traits, given))
