"""Vocabulary that the schemas share.

Types of fields that name something else of the game: `AreaRef` is text that is the id of an area of map.yaml.

`scenarios.references` finds every such name in a scenario; what follows from names (that they exist, what rests on
what they name) follows from there, and JSON Schemas say them as `x-reference`.

Of which units a rule speaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, NamedTuple
from unicodedata import numeric

from ..text.hexgrid import HexGrid
from ..text.words import BadValueError, Param, message
from .declared import AfterValidator, BeforeValidator, Field, Model

if TYPE_CHECKING:
    from pydantic import ValidationInfo


_HEX = re.compile(r"[A-Z]?[0-9]{4}")
_ANY = re.compile(r"[A-Za-z0-9]{1,12}")
_AROUND = re.compile(r"([A-Za-z0-9]{1,12})~([1-9][0-9]?)")
_PAIR = re.compile(r"([A-Za-z0-9]{1,12})/([A-Za-z0-9]{1,12})")


def _own_grid(info: ValidationInfo | None) -> HexGrid | None:
    """The map that a file's hexes are named after, where it calls them in a way of its own."""
    found = info.context.get("grid") if info is not None and info.context else None
    return None if found is None or found.usual else found


def _form(info: ValidationInfo | None) -> re.Pattern[str]:
    """What a hex is like: anything, where the map itself does not say right what it calls them."""
    return _ANY if info is not None and info.context and info.context.get("unnamed") else _HEX


def hex_number(value: Any, info: ValidationInfo | None) -> Any:
    """A hex as people write it, as its map calls it: four digits after its map's letter, if any, or otherwise.

    Raises BadValueError, as the next ones do.
    """
    if (grid := _own_grid(info)) is not None:
        return _own_name(value, grid)
    text = f"{value:04d}" if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not _form(info).fullmatch(text):
        raise BadValueError(message("scenario.value.hex", given=repr(value)))
    return text


def _own_name(value: Any, grid: HexGrid) -> str:
    """A hex by the name that a map of its own way has for it."""
    digits = "letters" not in (grid.naming.columns, grid.naming.rows)
    width = 2 * grid.naming.digits if digits else 1
    number = isinstance(value, int) and not isinstance(value, bool)
    found = grid.named(f"{value:0{width}d}" if number else str(value)) if isinstance(value, int | str) else None
    if found is None:
        raise BadValueError(message("scenario.value.hex-named", given=repr(value), first=grid.hexes[0]))
    return found


def _words(value: Any) -> Any:
    """A blank-separated string, a single number or a list: people write lists in all three ways."""
    if isinstance(value, str):
        return value.split()
    if isinstance(value, int):
        return [value]
    return value


def hexes_listed(value: Any, info: ValidationInfo | None) -> Any:
    """Hexes, runs of hexes, and those within so many of one, each once for each time that it is named."""
    words = _words(value)
    if not isinstance(words, list | tuple):
        return words
    out: list[Any] = []
    for word in words:
        if isinstance(word, str) and ".." in word:
            first, last = word.split("..", 1)
            grid = _own_grid(info) or HexGrid(1, 1)
            out += grid.run(hex_number(first, info), hex_number(last, info))
        elif isinstance(word, str) and (around := _AROUND.fullmatch(word)):
            out += _within(hex_number(around[1], info), int(around[2]), info)
        else:
            out.append(hex_number(word, info))
    return out


def _within(hex_: str, distance: int, info: ValidationInfo | None) -> tuple[str, ...]:
    """The hexes of the map that lie at most so far from one of them."""
    grid = info.context.get("grid") if info is not None and info.context else None
    if grid is None or hex_ not in grid:
        raise BadValueError(message("scenario.value.around", given=repr(f"{hex_}~{distance}")))
    found: tuple[str, ...] = grid.within(hex_, distance)
    return found


def hex_pair(value: Any, info: ValidationInfo | None) -> Any:
    """The two hexes of a hexside, the lower first."""
    match = _PAIR.fullmatch(value) if isinstance(value, str) else None
    grid = _own_grid(info)
    fits = grid.named if grid is not None else _form(info).fullmatch
    if match is None or not all(map(fits, match.groups())):
        key = "hexside" if grid is None else "hexside-named"
        raise BadValueError(message(f"scenario.value.{key}", given=repr(value), **_first(grid)))
    a, b = (hex_number(hex_, info) for hex_ in match.groups())
    return (a, b) if a < b else (b, a)


def _first(grid: HexGrid | None) -> dict[str, Param]:
    return {} if grid is None else {"first": "/".join((grid.hexes[0], grid.neighbours[grid.hexes[0]][0]))}


def hex_pairs(value: Any, info: ValidationInfo | None) -> Any:
    """Hexsides, as a list or as blank-separated text."""
    words = _words(value)
    return [hex_pair(w, info) for w in words] if isinstance(words, list | tuple) else words


_SHARE: Final = re.compile(r"\d{1,3}/[1-9]\d?")
_FINEST: Final = 6
"""The smallest parts of a point that games count: sixths."""
_PRINTED: Final = re.compile(r"(\d{1,3})?\s*([½¼¾⅓⅔])|(\d{1,3})[.,](\d)|(\d{1,3})")

_MULTIPLIERS: Final = {Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(3, 2): "1½"}


def printed(value: Any) -> Any:
    """A number as games print it, `½`, `2½`, `2,5`; anything else as it is."""
    found = _PRINTED.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        return value
    whole, part, before, tenth, plain = found.groups()
    if part:
        return int(whole or 0) + numeric(part)
    return int(plain) if plain else float(f"{before}.{tenth}")


def multiplier(factor: Fraction) -> str:
    """A factor as games print it: `½`, `1½`, `2`; others as `3/5`."""
    return _MULTIPLIERS.get(factor, str(factor))


def _halves(value: Any) -> Any:
    points = printed(value)
    if isinstance(points, str) and _SHARE.fullmatch(points):
        points = Fraction(points)
    if isinstance(points, bool) or not isinstance(points, int | float | Fraction) or points in (inf, -inf):
        raise BadValueError(message("scenario.value.points", given=repr(value)))
    halves = Fraction(points) * 2
    if halves.denominator != 1 or halves < 0:
        times = Fraction(points).limit_denominator(_FINEST) * 2
        hint = {"times": times.denominator} if times.denominator > 1 and halves > 0 else {}
        key = "parts-of-points" if hint else "half-points"
        raise BadValueError(message(f"scenario.value.{key}", given=repr(value), **hint))
    return int(halves)


Words = Annotated[tuple[str, ...], BeforeValidator(_words, json_schema_input_type=str | list[str])]
Halves = Annotated[int, BeforeValidator(_halves, json_schema_input_type=float | str)]
"""Movement points, counted in halves so that half-point roads stay exact: a file's 0.5 is 1 here."""

Size = Literal["I", "II", "III", "X", "XX", "XXX", "XXXX", "XXXXX"]
"""The marks of a unit's size, from company to army group."""

Provenance = Literal["printed", "gazetteer", "assumed"]
"""`printed`: the rulebook says so; `gazetteer`: real geography says so; `assumed`: our reconstruction."""


Origin = Annotated[Provenance, Field("where it comes from: the rulebook, real geography, or our guess")]
Section = Annotated[str, Field("section of the rulebook that says so, as findings cite it")]
Note = Annotated[str, Field("a remark for whoever reads the file")]


class FieldMark:
    """Says of a field, in its type, what `scenarios.walk` finds it for; with `EACH`, each item of a list."""

    EACH: ClassVar[bool] = True


class SourcedFact(NamedTuple):
    """One datum: which it is, its value, and where they differ from its model's own its source and its note."""

    id: str
    value: str
    source: str = ""
    note: Note = ""


@dataclass(frozen=True, slots=True)
class Sourced(FieldMark):
    """Marks a field that says where data come from: what kind they are of, and which of them a model has."""

    EACH: ClassVar[bool] = False
    kind: str
    facts: Callable[[Any], Iterable[SourcedFact]]


LANGUAGE: Final = "[a-z]{2,3}"
"""What a language's code is like (ISO 639)."""
LanguageCode = Annotated[str, Field(pattern=f"^{LANGUAGE}$")]
Identifier = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=64)]


RefKind = Literal[
    "area", "area-style", "barrier", "class", "day-part", "day-phase", "division", "edge", "face", "formation",
    "hex", "hexside", "hexside-style", "mark", "marker", "movement-class", "option", "palette", "phase",
    "phase-of-either", "picture", "piece", "place", "regiment", "result", "side", "size-or-type", "switch",
    "symbol", "terrain", "terrain-style", "track", "turn", "type", "unit", "unit-type", "way", "way-style",
    "weather",
]  # fmt: skip
"""What a name may stand for. A `barrier` is a kind of hexside or `fortified`; a `type` is a unit type, or a class
or movement class in place of its types (`size-or-type`: or the size of units, or a counter); a `formation` is a
division or a corps. An `option` is one that can be judged by, a `switch` one that the game itself lists with the
choices yes and no. A `phase-of-either` is a phase, or that of the enemy as `enemy_combat`; a `day-part`, a
`day-phase` and a `piece` are those of an extension. A `mark` is a flag that
the notation has or a rule gives, a `face` one of the die that is thrown alone. Styles, palettes and symbols belong
to the drawing: whoever only judges a game does without them, and what draws looks for them.
"""


@dataclass(frozen=True, slots=True)
class Ref(FieldMark):
    """Marks text as a name; on a list, each of its words. One that is not `binding` may name what is not there."""

    kind: RefKind
    binding: bool = True

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        return {**handler(core_schema), "x-reference": self.kind}


@dataclass(frozen=True, slots=True)
class Defines(FieldMark):
    """Marks text as the id of something, by which a `Ref` of the kind may name it."""

    kind: RefKind


def _in_order(span: tuple[int, int]) -> tuple[int, int]:
    if span[0] > span[1]:
        raise BadValueError(message("scenario.value.span", first=span[0], last=span[1]))
    return span


def spans_of(turns: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The spans of turns that a rule names, one after the other: of several, they are its value."""
    return turns if isinstance(turns[0], tuple) else (turns,)


def first_and_last(turns: tuple[int, int]) -> tuple[int, int]:
    """The first of all turns that a rule names, and the last."""
    parts = spans_of(turns)
    return parts[0][0], parts[-1][1]


def in_turns(turns: tuple[int, int] | None, turn: int) -> bool:
    """Whether a turn is one of those of a rule, from a first to a last; None stands for all."""
    return turns is None or any(first <= turn <= last for first, last in spans_of(turns))


_SPANS: Final = re.compile(r"[0-9]{1,3}(-[0-9]{1,3})?( +[0-9]{1,3}(-[0-9]{1,3})?)*")


def _turns(value: Any) -> Any:
    """`1-3 5-7` as the numbers `1 3 5 7`, a single turn as a first and a last."""
    if isinstance(value, int) and not isinstance(value, bool):
        return [value, value]
    if not isinstance(value, str) or not _SPANS.fullmatch(value):
        return value
    ends = [span.split("-") for span in value.split()]
    return [int(end) for span in ends for end in (span[0], span[-1])]


def _spans(numbers: tuple[int, ...]) -> tuple[int, int]:
    if not numbers or len(numbers) % 2:
        raise BadValueError(message("scenario.value.spans", given=repr(list(numbers))))
    found = tuple(_in_order((a, b)) for a, b in zip(numbers[::2], numbers[1::2], strict=True))
    for (_, last), (first, _) in pairwise(found):
        if first <= last:
            raise BadValueError(message("scenario.value.span", first=last, last=first))
    return found[0] if len(found) == 1 else found  # type: ignore[return-value]


AreaRef = Annotated[Identifier, Ref("area")]
AreaRefs = Annotated[Words, Ref("area")]
BarrierRef = Annotated[Identifier, Ref("barrier")]
BarrierRefs = Annotated[Words, Ref("barrier")]
DayPartRef = Annotated[Identifier, Ref("day-part")]
DayPartRefs = Annotated[Words, Ref("day-part")]
DayPhaseRef = Annotated[Identifier, Ref("day-phase")]
DayPhaseRefs = Annotated[Words, Ref("day-phase")]
DivisionRef = Annotated[str, Ref("division", binding=False)]
DivisionRefs = Annotated[Words, Ref("division", binding=False)]
EdgeName = Annotated[Literal["north", "south", "east", "west"], Ref("edge")]
EdgeRef = Annotated[str, Ref("edge")]
EdgeRefs = Annotated[Words, Ref("edge")]
FaceSpan = Annotated[tuple[int, int], AfterValidator(_in_order), Ref("face")]
"""The lowest and the highest of some faces of the die."""
Faces = Annotated[tuple[int, ...], Ref("face")]
FormationRef = Annotated[str, Ref("formation")]
HexRef = Annotated[
    str,
    BeforeValidator(hex_number, json_schema_input_type=str | int),
    Field(pattern="^[A-Z]{0,9}[0-9]{1,6}[A-Z]{0,8}$"),
    Ref("hex"),
]
HexRefs = Annotated[
    tuple[str, ...],
    BeforeValidator(hexes_listed, json_schema_input_type=str | int | list[str | int]),
    Ref("hex"),
]
"""Hexes, as a list or as blank-separated text; `0101..0112` is a straight run of a row or a column, `0505~2` all
hexes within two of one."""
HexPair = Annotated[tuple[str, str], BeforeValidator(hex_pair, json_schema_input_type=str), Ref("hex")]
"""A hexside, by the two hexes that share it."""
HexPairs = Annotated[
    tuple[tuple[str, str], ...], BeforeValidator(hex_pairs, json_schema_input_type=str | list[str]), Ref("hex")
]
HexsideRef = Annotated[Identifier, Ref("hexside")]
HexsideRefs = Annotated[Words, Ref("hexside")]
MarkName = Annotated[Identifier, Defines("mark")]
MarkRef = Annotated[Identifier, Ref("mark")]
MarkRefs = Annotated[Words, Ref("mark")]
MarkerRef = Annotated[Identifier, Ref("marker")]
MovementClassRef = Annotated[str, Ref("movement-class")]
OptionRef = Annotated[Identifier, Ref("option")]
PhaseRef = Annotated[Identifier, Ref("phase")]
PhaseRefs = Annotated[Words, Ref("phase")]
InPhases = Annotated[PhaseRefs, Field("phases in which alone it holds, by their kind or their id; empty: any")]
PhaseOfEitherRefs = Annotated[Words, Ref("phase-of-either")]
PieceRef = Annotated[Identifier, Ref("piece")]
PieceRefs = Annotated[Words, Ref("piece")]
PlaceRef = Annotated[Identifier, Ref("place")]
PlaceRefs = Annotated[Words, Ref("place")]
ResultRef = Annotated[str, Ref("result")]
ResultRefs = Annotated[Words, Ref("result")]
RegimentRefs = Annotated[Words, Ref("regiment", binding=False)]
SizeOrTypeRef = Annotated[str, Ref("size-or-type")]
SideRef = Annotated[str, Ref("side")]
SideRefs = Annotated[Words, Ref("side")]
SwitchRef = Annotated[Identifier, Ref("switch")]
PaletteRef = Annotated[str, Ref("palette")]
PictureRef = Annotated[str, Ref("picture")]
SymbolRef = Annotated[str, Ref("symbol")]
TerrainRef = Annotated[Identifier, Ref("terrain")]
TerrainRefs = Annotated[Words, Ref("terrain")]
TrackRef = Annotated[Identifier, Ref("track")]
TurnRef = Annotated[int, Ref("turn")]
TurnLimit = Annotated[int, Ref("turn", binding=False)]
TurnRefs = Annotated[tuple[int, ...], Ref("turn", binding=False)]
if TYPE_CHECKING:
    TurnSpan = tuple[int, int]
else:
    TurnSpan = Annotated[
        tuple[int, ...],
        BeforeValidator(_turns, json_schema_input_type=list[int] | int | str),
        AfterValidator(_spans),
        Ref("turn", binding=False),
    ]
"""The first and the last of some turns, or several such as `1-3 5-7`: see `spans_of`.

Like a limit it may reach beyond the game, which does no harm.
"""
TypeRefs = Annotated[Words, Ref("type")]
UnitRef = Annotated[str, Ref("unit")]
UnitRefs = Annotated[Words, Ref("unit")]
UnitTypeRef = Annotated[str, Ref("unit-type")]
UnitTypeRefs = Annotated[Words, Ref("unit-type")]
WayRef = Annotated[Identifier, Ref("way")]
WayRefs = Annotated[Words, Ref("way")]
WeatherRef = Annotated[Identifier, Ref("weather")]
WeatherRefs = Annotated[Words, Ref("weather")]


class Selector(Model):
    """Which units a rule speaks of: all that fit every list given.

    `units` are ids of counters.csv; a unit of a turn sheet fits if it stands for one of them. `divisions` are known
    by their number, or by their name where they have none.
    """

    side: SideRef | None = Field("units of this side alone", default=None)
    types: TypeRefs = Field("units of these types or classes; empty: all", default=())
    divisions: DivisionRefs = Field("units of these divisions, by number or name; empty: all", default=())
    units: UnitRefs = Field("these counters, by id; empty: all", default=())
    marks: MarkRefs = Field("flags of the notation, such as `reinforcement`; any of them", default=())

    @property
    def plain(self) -> bool:
        """Whether it speaks of all units, of its side or of either."""
        return not (self.types or self.divisions or self.units or self.marks)


class Near(Selector):
    """Hexes within so many of one in which a friendly unit stands that fits: of headquarters, of one's division."""

    hexes: int = Field("hexes from it, at most; 1: next to it or with it", default=1, ge=0, le=99)


class AtTimes(Selector):
    """A rule for some units, always or in some turns, weather or phases."""

    turns: TurnSpan | None = Field("first and last turn of the rule; absent: every turn", default=None)
    weather: WeatherRefs = Field("kinds of weather in which it holds; empty: any", default=())
    phases: InPhases = ()


class Cut(Model):
    """A share of an allowance: `times: 2, divide: 3` is two thirds of it."""

    times: int = Field("what the allowance is multiplied by, before it is divided", default=1, ge=1)
    divide: int = Field("what the allowance is divided by", default=1, ge=1)
    rounding: Literal["up", "down", "nearest", "half"] = Field(
        "what becomes of the rest: rounded `up`, `down`, to the `nearest` whole point; or `half`: down to half "
        "points",
        default="up",
    )

    def of(self, halves: int) -> int:
        """What is left of an allowance; both in half points."""
        unit = 1 if self.rounding == "half" else 2
        whole = {"up": unit * self.divide - 1, "nearest": unit * self.divide // 2}.get(self.rounding, 0)
        return (halves * self.times + whole) // (unit * self.divide) * unit
