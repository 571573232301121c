"""map.yaml: the ground, as rows of one letter a hex, and what runs over and between the hexes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from ..text.hexgrid import USUAL, HexGrid, Naming, grid
from ..text.words import BadValueError, message
from .base import (
    Defines,
    EdgeName,
    HexPair,
    HexPairs,
    HexRef,
    HexRefs,
    HexsideRef,
    Identifier,
    Note,
    Origin,
    Ref,
    SideRef,
    Sourced,
    SourcedFact,
    TerrainRefs,
    TurnRef,
    WayRef,
)
from .declared import BeforeValidator, Field, Model


def _rows(value: Any) -> Any:
    return value.split() if isinstance(value, str) else value


def _titled(line: HexsideRun | Way) -> str:
    return f"{line.kind} {line.name}".strip()


def _hex_facts(file: MapFile) -> Iterator[SourcedFact]:
    rows, field = zip(file.terrain, file.provenance, strict=True), file.grid.field
    letters = {
        field.at(column, row): pair
        for row, pairs in enumerate(rows, 1)
        for column, pair in enumerate(zip(*pairs, strict=True), 1)
    }
    for hex_, (terrain, source) in sorted(letters.items()):
        yield SourcedFact(hex_, "+".join(file.legend[terrain]), source, file.notes.get(hex_, ""))


def _hexside_facts(run: HexsideRun) -> list[SourcedFact]:
    return [SourcedFact("/".join(pair), _titled(run)) for pair in run.sides]


def _bridge_facts(bridge: Bridge) -> list[SourcedFact]:
    return [SourcedFact("/".join(bridge.side), bridge.name or "bridge")]


def _way_facts(way: Way) -> list[SourcedFact]:
    return [SourcedFact(f"{way.hexes[0]}-{way.hexes[-1]}", _titled(way))]


def _place_facts(place: Place) -> list[SourcedFact]:
    return [SourcedFact(" ".join(place.hexes), place.name)]


def _area_facts(area: Area) -> list[SourcedFact]:
    return [SourcedFact(area.id, f"{len(area.hexes)} hexes")]


Rows = Annotated[tuple[str, ...], BeforeValidator(_rows, json_schema_input_type=str | list[str])]


class Numbering(Model):
    """How the map calls its hexes; without it by column and row, two digits each from 01: `1305`."""

    columns: Literal["digits", "letters"] = Field(
        "what columns are called by; letters: A … Z, AA, BB …", default="digits"
    )
    rows: Literal["digits", "letters"] = Field("what rows are called by", default="digits")
    first: Literal["columns", "rows"] = Field("which of the two is said first", default="columns")
    columns_from: int = Field("the lowest number of a column; letters: 1 is A", default=1, ge=0, le=100)
    rows_from: int = Field("the lowest number of a row; letters: 1 is A", default=1, ge=0, le=100)
    descending: Annotated[
        tuple[Literal["columns", "rows"], ...], BeforeValidator(_rows, json_schema_input_type=str | list[str])
    ] = Field("those that count from the right, or from the bottom", default=())
    digits: int | None = Field(
        "digits to which numbers are filled up with zeros; none: 2, beside letters 1", default=None, ge=1, le=3
    )


def _naming(said: Numbering, columns: int, rows: int) -> Naming:
    """The naming of a map of that size. Raises BadValueError for one in which a name has two readings."""
    kinds = (said.columns, said.rows)
    digits = said.digits or (1 if "letters" in kinds else 2)
    if kinds == ("letters", "letters"):
        raise BadValueError(message("scenario.value.letters-twice"))
    for kind, start, count in ((said.columns, said.columns_from, columns), (said.rows, said.rows_from, rows)):
        if kind == "letters" and start < 1:
            raise BadValueError(message("scenario.value.letter-0"))
        if "letters" not in kinds and start + count - 1 >= 10**digits:
            raise BadValueError(message("scenario.value.digits", digits=digits, last=start + count - 1))
    return Naming(said.columns, said.rows, said.first, said.columns_from, said.rows_from, said.descending, digits)


class Grid(Model):
    """Size and numbering of the hex field."""

    columns: int = Field("columns of hexes", ge=1, le=99)
    rows: int = Field("hexes in a column", ge=1, le=99)
    tops: Literal["flat", "pointy"] = Field(
        "flat: hexes stand one above the other, in columns; pointy: they lie side by side, in rows", default="flat"
    )
    low: Literal["even", "odd"] = Field(
        "which columns sit half a hex lower, or which rows with pointy tops half a hex further right; counted from "
        "1 at the top left",
        default="even",
    )
    letter: str = Field("the letter before the hexes' numbers: B makes B1305", default="", pattern="^[A-Z]?$")
    numbering: Numbering | None = Field("how hexes are called, where not 0101, 0102 …", default=None)

    def __post_init__(self) -> None:
        if self.numbering is not None:
            _naming(self.numbering, self.columns, self.rows)

    @property
    def naming(self) -> Naming:
        """How hexes are called."""
        return _naming(self.numbering, self.columns, self.rows) if self.numbering else USUAL

    @property
    def field(self) -> HexGrid:
        """The hexes."""
        return grid(self.columns, self.rows, self.low, self.letter, tops=self.tops, naming=self.naming)


class HexsideRun(Model):
    """A line along hexsides: a river, a dam, a fortified line."""

    kind: HexsideRef = Field("kind of hexside, which tables.yaml gives effects")
    name: str = Field("name of the river or line; runs of one name are one river", default="")
    sides: HexPairs = Field("the hexsides that it follows, as 0304/0305")
    provenance: Annotated[Origin, Sourced("hexside", _hexside_facts)] = "assumed"
    note: Note = ""


class Bridge(Model):
    """A crossing of a hexside that is there without a way that would imply it."""

    side: HexPair = Field("the hexside that it crosses, as 0304/0305")
    name: str = Field("its name, if it has one", default="")
    from_turn: TurnRef | None = Field("the first turn in which the bridge stands; none: always", default=None)
    provenance: Annotated[Origin, Sourced("bridge", _bridge_facts)] = "assumed"
    note: Note = ""


class Way(Model):
    """A road, trail or railway through consecutive hexes."""

    kind: WayRef = Field("kind of way, which tables.yaml gives costs")
    name: str = Field("its name, if it has one", default="")
    hexes: HexRefs = Field("the hexes that it runs through, in their order", min_length=2)
    provenance: Annotated[Origin, Sourced("way", _way_facts)] = "assumed"
    note: Note = ""


class Place(Model):
    """A named place; towns print large, other labels small. Rules and objectives know it by `id`."""

    id: Annotated[Identifier, Defines("place")] = Field("what rules and objectives call the place")
    name: str = Field("name as the board prints it")
    hexes: HexRefs = Field("the hexes that it covers", min_length=1)
    kind: Literal["town", "village", "height", "crossroads", "label"] = Field(
        "how its name is printed: towns large, labels small", default="town"
    )
    provenance: Annotated[Origin, Sourced("place", _place_facts)] = "assumed"
    note: Note = ""


class Area(Model):
    """A named set of hexes: a bivouac, a perimeter, ground beyond a river."""

    id: Annotated[Identifier, Defines("area")] = Field("what rules, set-up and objectives call the area")
    name: str = Field("its name, where the texts have none", default="")
    kind: Identifier = Field("kind of area, which gives the outline its style", default="area")
    side: SideRef | None = Field("the side it belongs to", default=None)
    hexes: HexRefs = Field("the hexes that belong to it", min_length=1)
    drawn: bool = Field("whether the board shows its outline", default=True)
    printed: HexRefs = Field("hexes of it that the rulebook names, whoever drew the others", default=())
    provenance: Annotated[Origin, Sourced("area", _area_facts)] = "assumed"
    note: Note = ""


class Looks(Model):
    """How the board draws kinds that art/palettes/board.yaml has no style for by their own name.

    Each is the name of a style there: `terrain: {fen: marsh}` draws the terrain `fen` as marsh.
    """

    terrain: dict[
        Annotated[Identifier, Ref("terrain", binding=False)], Annotated[Identifier, Ref("terrain-style")]
    ] = Field("terrain -> style of the board's ground", default={})
    hexsides: dict[
        Annotated[Identifier, Ref("hexside", binding=False)], Annotated[Identifier, Ref("hexside-style")]
    ] = Field("kind of hexside -> style of the board's hexsides", default={})
    ways: dict[Annotated[Identifier, Ref("way", binding=False)], Annotated[Identifier, Ref("way-style")]] = Field(
        "kind of way -> style of the board's ways", default={}
    )
    areas: dict[Identifier, Annotated[Identifier, Ref("area-style")]] = Field("kinds of area", default={})


class Scan(Model):
    """A picture of the printed map, in the game's folder `looks`, laid under the grid by hexes' centres.

    Two centres turn and size it, three also stretch it, four or more correct a picture taken at an angle.
    """

    image: str = Field(
        "name of the file in the folder `looks`: PNG, JPEG or GIF",
        pattern=r"^[\w-][\w .-]*\.([pP][nN][gG]|[jJ][pP][eE]?[gG]|[gG][iI][fF])$",
        max_length=100,
    )
    centres: dict[HexRef, tuple[float, float]] = Field(
        "hex -> where its centre is in the picture: pixels from the left, pixels from the top"
    )
    grid: bool = Field("whether the hexes are drawn over the picture", default=False)
    numbers: bool = Field("whether their numbers are", default=False)


class MapFile(Model):
    """Everything on the board."""

    grid: Grid
    legend: dict[str, TerrainRefs] = Field("a letter of `terrain` and the terrains it stands for")
    terrain: Rows = Field("one row of letters a row of hexes, columns from left to right")
    provenance: Annotated[Rows, Sourced("hex", _hex_facts)] = Field(
        "the same rows with p printed, g gazetteer, a assumed"
    )
    notes: dict[HexRef, str] = Field("hex -> why its terrain is what it is", default={})
    fortified: HexRefs = Field("whole hexes that are fortifications", default=())
    hexsides: tuple[HexsideRun, ...] = ()
    bridges: tuple[Bridge, ...] = ()
    ways: tuple[Way, ...] = ()
    places: tuple[Place, ...] = ()
    areas: tuple[Area, ...] = ()
    edges: dict[EdgeName, HexRefs] = Field(
        "hexes of each named edge, where they are not the rectangle's own", default={}
    )
    looks: Looks = Field(default_factory=Looks)
    scan: Scan | None = Field("a picture of the printed map, in place of the drawn one", default=None)
    compass: float = Field("degrees clockwise from the top of the board to north", default=0)
    scale: str = Field("what a hex measures on the ground, as printed on the board", default="")
