"""The texts of a scenario's files and its family's, each with where its values came from.

counters.csv as spreadsheets write it: commas, semicolons or tabs; UTF-8, UTF-16 or Windows-1252.

Excel in Portuguese separates with semicolons, and its plain "CSV" is Windows-1252; both are read.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from . import yamlfile
from .commands import family_folder
from .console import Problem, ScenarioError, alike, message_of
from .schema.declared import required
from .schema.map import Grid
from .schema.setup import CounterRow
from .text.hexgrid import HexGrid
from .text.words import Message, Param, message
from .yamlfile import CONTROL

MAX_COUNTERS = 2000
_LIKE = 0.7
"""How alike a heading must be to a column, between 0 and 1, to be told as a slip of it."""
_DELIMITERS = ",;\t"
_BROKEN = {"unexpected end of data": "open-quotes", "expected after": "quote-inside"}
"""What the CSV library says, and what that means."""
_BREAKS = re.compile(r"\s*[\r\n]+\s*")


def decode(data: bytes, path: Path) -> tuple[str, str]:
    """The text of a spreadsheet's CSV, and the name of the encoding. Raises ScenarioError for what is no text."""
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if (found := CONTROL.search(text)) is None:
            return text, encoding
        if "\x00" not in text:
            line = text.count("\n", 0, found.start()) + 1
            said = message("scenario.counters.control", character=repr(found[0]))
            raise ScenarioError([Problem(str(path), line, "", said)])
    raise ScenarioError([Problem(str(path), 0, "", message("scenario.counters.no-text"))])


def delimiter_of(heading: str) -> str:
    """What parts the cells of a file with this heading: that by which most columns are known."""

    def known(delimiter: str) -> int:
        return sum(CounterRow.has_column(_column(cell.strip().strip('"'))) for cell in heading.split(delimiter))

    return max(_DELIMITERS, key=known)


def _rows(text: str) -> tuple[list[tuple[int, list[str]]], Message | None, int]:
    """Every row with the line that it begins in, then what went wrong in reading, and where."""
    lines = text.splitlines()
    skip = 1 if lines and lines[0].lower().startswith("sep=") else 0
    heading = lines[skip] if len(lines) > skip else ""

    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(heading), strict=True)
    found: list[tuple[int, list[str]]] = []
    line = 1
    try:
        for cells in reader:
            if line > skip:
                found.append((line, [_BREAKS.sub(" ", cell).strip() for cell in cells]))
            line = reader.line_num + 1
    except csv.Error as error:
        key = next((key for part, key in _BROKEN.items() if part in str(error)), "unreadable")
        return found, message(f"scenario.counters.{key}", detail=str(error)), line
    return found, None, 0


@cache
def _required(column: str) -> bool:
    field = CounterRow.model_fields.get(column)
    return field is not None and required(field)


def _heading(cells: list[str], path: Path) -> list[Problem]:
    fields = CounterRow.model_fields
    names = [c for c in cells if c]
    if not any(map(CounterRow.has_column, names)):
        expected = ",".join(n for n, f in fields.items() if required(f))
        return [Problem(str(path), 1, "", message("scenario.counters.no-heading", expected=expected))]
    strange = [c for c in names if not CounterRow.has_column(c)]
    lacking = [n for n, field in fields.items() if required(field) and n not in names]
    # A misspelt heading is told with the column that it is like, which is then not missing besides.
    meant = {c: "".join(alike(c, {*fields} - {*names}, least=_LIKE)) for c in strange}
    found = [(c, "misspelt-column" if meant[c] else "strange-column") for c in strange]
    found += [(c, "column-twice") for c in dict.fromkeys(names) if names.count(c) > 1]
    found += [(c, "no-column") for c in lacking if c not in meant.values()]
    return [
        Problem(str(path), 1, c, message(f"scenario.counters.{key}", column=meant.get(c, ""))) for c, key in found
    ]


def read(
    text: str, path: Path, problems: list[Problem], instead: dict[str, CounterRow] | None = None
) -> tuple[dict[str, CounterRow], dict[str, int]]:
    """The counters by id, and the line of each. What is wrong is added to `problems`.

    Rows and columns that are empty, as spreadsheets leave them at the end, are passed over. To `instead` is added
    what stands for a counter of which a cell is wrong while the rest of the game is looked at.
    """
    rows, broken, at = _rows(text)
    heading = [_column(cell) for cell in rows[0][1]] if rows else []
    width = len(heading)
    while heading and not heading[-1]:
        heading.pop()
    if wrong := _heading(heading, path):
        problems += wrong
        return {}, {}
    counters: dict[str, CounterRow] = {}
    lines: dict[str, int] = {}

    def complain(line: int, where: str | Message, key: str, **params: Param) -> None:
        problems.append(Problem(str(path), line, where, message(f"scenario.counters.{key}", **params)))

    for line, cells in rows[1:]:
        had = len(cells)
        while len(cells) > len(heading) and not cells[-1]:
            cells.pop()
        if not any(cells) or [_column(cell) for cell in cells] == heading:
            continue
        if len(cells) != len(heading):
            complain(line, cells[0], "cells", found=len(cells), heading=len(heading))
            _instead(dict(zip_longest(heading, cells[: len(heading)], fillvalue="")), line, instead, lines)
            continue
        if len(counters) >= MAX_COUNTERS:
            complain(line, "", "too-many", limit=MAX_COUNTERS)
            break
        row = dict(zip(heading, cells, strict=True))
        before = len(problems)
        counter = counter_of(row, str(path), line, problems)
        if counter is None and had > width:
            # A cell too many has moved the others on, and one that is blank at the end hides it.
            del problems[before:]
            complain(line, cells[0], "cells", found=had, heading=width)
        if counter is not None:
            if counter.id in counters:
                complain(line, counter.id, "id-twice", first=lines[counter.id])
            counters[counter.id], lines[counter.id] = counter, line
        else:
            _instead(row, line, instead, lines)
    if "source_reduced" not in heading and any(counter.backs for counter in counters.values()):
        problems.append(Problem(str(path), 1, "source_reduced", message("scenario.counters.no-source"), "warning"))
    if broken:
        problems.append(Problem(str(path), at, "", broken))
    return counters, lines


@lru_cache(MAX_COUNTERS)
def _counter(cells: tuple[tuple[str, str], ...]) -> CounterRow:
    # Whoever edits a game changes few of hundreds of rows.
    return CounterRow.of_row(dict(cells))


def _column(cell: str) -> str:
    """A heading as the column is called, whatever its capitals."""
    return lowered if CounterRow.has_column(lowered := cell.lower()) else cell


def _instead(row: dict[str, str], line: int, instead: dict[str, CounterRow] | None, lines: dict[str, int]) -> None:
    """Note what stands for a counter with wrong cells, if anything can."""
    if instead is not None and (other := _without_wrong_cells(row)) is not None:
        instead[other.id], lines[other.id] = other, line


def _without_wrong_cells(row: dict[str, str]) -> CounterRow | None:
    """A counter like that of a row with wrong cells; None where nothing sensible can stand in their place."""
    stand_ins = {"size": "X", "source_strength": "assumed", "source_identity": "assumed"}
    for _ in row:
        try:
            return _counter(tuple((k, v) for k, v in row.items() if k and (v or _required(k))))
        except ValidationError as error:
            wrong = {str(e["loc"][0]) for e in error.errors(include_url=False) if e["loc"]}
        wrong = wrong or {"reduced_attack", "reduced_defence", "further"}
        if "id" in wrong:
            return None
        row = {k: (stand_ins.get(k, "1") if _required(k) else "") if k in wrong else v for k, v in row.items()}
    return None


def counter_of(row: dict[str, str], path: str, line: int, problems: list[Problem]) -> CounterRow | None:
    """The counter of a row; None, and what is wrong with it added to `problems`, where it is none."""
    try:
        return _counter(tuple((k, v) for k, v in row.items() if k and (v or _required(k))))
    except ValidationError as error:
        for e in error.errors(include_url=False):
            cell = message("scenario.counters.cell", id=row["id"], column=".".join(map(str, e["loc"])))
            problems.append(Problem(path, line, cell, message_of(e)))
        return None


MAX_NAME = 64


class Sources:
    """The texts of a scenario's files and its family's, and where each merged value came from."""

    def __init__(self, folder: Path, instead: Mapping[str, bytes] | None = None) -> None:
        self.folder = folder
        self.instead = {folder / name: data for name, data in (instead or {}).items()}
        self.hash = hashlib.sha256()
        self.texts: dict[Path, str] = {}
        self.raw: dict[Path, dict[str, Any]] = {}
        self.layers: list[Path] = [folder]
        self.counter_lines: dict[str, int] = {}

    @cached_property
    def grid(self) -> HexGrid | None:
        """The hexes of map.yaml, for all files name them as the map does; None where it does not say them right."""
        try:
            return Grid.model_validate(self.merged("map.yaml").get("grid")).field
        except (ScenarioError, ValidationError):
            return None

    def text(self, path: Path) -> str:
        if path not in self.texts:
            self._keep(path, yamlfile.decode(self._bytes(path), path))
        return self.texts[path]

    def table(self, path: Path) -> tuple[str, str]:
        """The text of a CSV file and its encoding."""
        text, encoding = decode(self._bytes(path), path)
        self._keep(path, text)
        return text, encoding

    def _bytes(self, path: Path) -> bytes:
        return self.instead[path] if path in self.instead else yamlfile.read_bytes(path)

    def _keep(self, path: Path, text: str) -> None:
        # Windows' line ends and a byte-order mark leave the digest as it is: verdicts name it on every system.
        data = text.replace("\r\n", "\n").encode()
        self.hash.update(f"{path.name} {len(data)}\n".encode() + data)
        self.texts[path] = text

    def yaml(self, path: Path) -> dict[str, Any]:
        if path not in self.raw:
            self.raw[path] = _parsed(self.text(path), path)
        return self.raw[path]

    def _path(self, layer: Path, name: str) -> Path:
        """A layer's share of a file; that of game.yaml is called otherwise, so that no family passes for a game."""
        return layer / ("family.yaml" if name == "game.yaml" and layer is not self.folder else name)

    def families(self, name: str) -> list[dict[str, Any]]:
        """What the game's families say of a file."""
        paths = (self._path(layer, name) for layer in self.layers[1:])
        return [self.yaml(path) for path in paths if path.is_file()]

    def merged(self, name: str) -> dict[str, Any]:
        """The file of the game laid over that of its family: mappings merge, everything else is replaced."""
        value: dict[str, Any] = {}
        for layer in reversed(self.layers):
            path = self._path(layer, name)
            if path in self.instead or path.is_file():
                own = self.yaml(path)
                value = _merge(value, own)
                if name == "tables.yaml" and isinstance(own.get("results"), dict):
                    # A code that a game gives is its own: a family's demands would stand unseen beneath it.
                    value["results"] = {**value["results"], **own["results"]}
            elif layer is self.folder:
                raise ScenarioError([Problem(str(path), 0, "", message("scenario.file.missing"))])
        return value

    def _locate_game(self, steps: list[str | int]) -> tuple[Path, int]:
        paths = [self.folder / "game.yaml", *(layer / "family.yaml" for layer in self.layers[1:])]
        path = max(paths, key=lambda p: depth(self.yaml(p), steps))
        return path, yamlfile.line_of(self.text(path), steps)

    def locate(self, name: str, where: Iterable[str | int]) -> tuple[Path, int]:
        """The file and line that a merged value comes from: the game's if it has it, else the family's."""
        steps = list(where)
        if name.endswith(".csv"):
            return self.folder / name, self.counter_lines.get(str(steps[0]), 1) if steps else 1
        if name == "game.yaml":
            return self._locate_game(steps)
        paths = [p for p in (layer / name for layer in self.layers) if p in self.instead or p.is_file()]
        path = max(paths, key=lambda p: depth(self.yaml(p), steps), default=None)
        if path is None or depth(self.yaml(path), steps) < min(len(steps), 1):
            return self.folder / name, 0
        return path, yamlfile.line_of(self.text(path), steps)


_MOST_PARSED: Final = 48
_PARSED: Final[dict[str, dict[str, Any]]] = {}
"""What the texts that were parsed last hold, the latest at the end: an edit changes one file of many."""


def _parsed(text: str, path: Path) -> dict[str, Any]:
    """As `yamlfile.parse`; what it gives must not be changed."""
    found = _PARSED.pop(text, None)
    _PARSED[text] = found = yamlfile.parse(text, path) if found is None else found
    while len(_PARSED) > _MOST_PARSED:
        _PARSED.pop(next(iter(_PARSED)), None)
    return found


def _merge(below: Any, above: Any) -> Any:
    if isinstance(below, dict) and isinstance(above, dict):
        # Another kind of a choice has keys of its own, and none of those of the one that it replaces.
        if below.get("kind", above.get("kind")) != above.get("kind", below.get("kind")):
            return above
        if "dice" in below and above.get("dice", below["dice"]) != below["dice"] and "rows" in above:
            # Rows are numbers that dice show; those of other dice would stand among them.
            below = {k: v for k, v in below.items() if k != "rows"}
        return {**below, **{k: _merge(below[k], v) if k in below else v for k, v in above.items()}}
    return above


def depth(value: Any, steps: Sequence[str | int]) -> int:
    """How many of the steps lead to something."""
    for i, step in enumerate(steps):
        present = step in value if isinstance(value, dict) else False
        if isinstance(value, list) and isinstance(step, int):
            present = 0 <= step < len(value)
        if present:
            value = value[step]
        else:
            return i
    return len(steps)


def add_family(sources: Sources) -> None:
    """Lay the game over the family that it names, which is beside it or comes with the program."""
    path = sources.folder / "game.yaml"
    family = sources.yaml(path).get("family")
    if family is None:
        return
    line = yamlfile.line_of(sources.text(path), ["family"])
    if not isinstance(family, str) or not family.isidentifier() or len(family) > MAX_NAME:
        raise ScenarioError(
            [Problem(str(path), line, "family", message("scenario.file.bad-family", given=repr(family)))]
        )
    home = family_folder(sources.folder, family)
    if home is None:
        raise ScenarioError([Problem(str(path), line, "family", message("scenario.file.no-family", family=family))])
    sources.layers.append(home)


def flatten(value: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """The texts of nested mappings by their keys, joined by points."""
    flat: dict[str, str] = {}
    for key, item in value.items():
        if isinstance(item, Mapping):
            flat |= flatten(item, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = "" if item is None else str(item)
    return flat
