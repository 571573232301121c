"""binding.yaml: what ties a published module to a game, so that its logs are those of the game."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .console import Problem, ScenarioError
from .text.words import message
from .yamlfile import decode, line_of, parse, read_bytes


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class BoundModule(_Model):
    """The module by the name in its metadata, and patterns of its versions."""

    name: str = Field(min_length=1)
    versions: tuple[str, ...] = ("*",)


class BoundMaps(_Model):
    """Names of the module's maps: the board, where units wait, where the dead go; blank where there is none."""

    main: str = Field(min_length=1)
    reserves: str = ""
    losses: str = ""


class BoundHexes(_Model):
    """The grid in pixels of the map's window, as VASSAL measures it; `first`: the game's name of its hex 0, 0."""

    x0: int
    y0: int
    dx: float = Field(ge=1, le=10_000)
    dy: float = Field(ge=1, le=10_000)
    pointy: bool = False
    first: str


class BoundSteps(_Model):
    """The property that tells a piece's steps: `values` of it -> steps lost; without them a level from 1."""

    property: str = "Step_Level"
    values: dict[str, int] = Field(default_factory=dict)


class Binding(_Model):
    """All that ties a module to a game. Pieces are known by their ids, their slots' numbers, or their names.

    `dice`: the buttons that throw for combats, all where none is named. `left`: side of the game -> the corners, in
    pixels, of the box on the map of the losses for those that left the board alive.
    """

    module: BoundModule
    maps: BoundMaps
    hexes: BoundHexes
    sides: dict[str, str] = Field(default_factory=dict)
    steps: BoundSteps = Field(default_factory=BoundSteps)
    pieces: dict[str, str] = Field(default_factory=dict)
    slots: dict[str, str] = Field(default_factory=dict)
    ids: dict[str, str] = Field(default_factory=dict)
    phases: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    left: dict[str, tuple[float, float, float, float]] = Field(default_factory=dict)

    def fits(self, name: str, version: str) -> bool:
        """Whether it is for a module of this name and version."""
        return self.module.name == name and any(fnmatchcase(version, v) for v in self.module.versions)


def read_binding(path: Path) -> Binding:
    """Read one file. Raises ScenarioError, with the key that is wrong."""
    text = decode(read_bytes(path), path)
    found = parse(text, path)
    try:
        return Binding.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        where = [str(part) if isinstance(part, str) else part for part in first["loc"]]
        line = line_of(text, where)
        what = message("scenario.binding.wrong")
        raise ScenarioError([Problem(str(path), line, ".".join(map(str, where)), what)]) from None
