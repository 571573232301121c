"""The page on which counters.csv is edited: its rows as cells, the faces drawn of them, and what it saves."""

from __future__ import annotations

import csv
import hashlib
import io
import threading
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...scenarios import sources
from ...scenarios.commands import find
from ...scenarios.console import Problem, ScenarioError, unknown
from ...scenarios.loader import load, sketch
from ...scenarios.model import GameMap
from ...scenarios.schema.setup import CounterRow
from ...scenarios.text import files
from ...scenarios.text.hexgrid import HexGrid
from ...scenarios.text.words import Message, Param, Words, message
from ...scenarios.yamlfile import read_bytes
from ..render.counters import counter_png
from ..render.counters import faces as faces_of
from .merge import Choice, merged_rows
from .site import Asked, Deed, shown_problems, vocabulary

if TYPE_CHECKING:
    from ...scenarios.model import Scenario


COUNTERS: Final = "counters.csv"
_SCALE: Final = 1.6
_MOST_FACES: Final = 60
_NAMES: Final = {"side": "side", "type": "unit-type"}
_LONGEST: Final = 2000
_KEPT: Final = 63
"""Files as pages have read them, besides the last."""


@dataclass(frozen=True)
class CsvTable:
    """A CSV file as it stands: what is `before` its heading, and each row as cells and as text."""

    before: str
    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], str], ...]
    delimiter: str
    encoding: str
    mark: bool

    @classmethod
    def read(cls, data: bytes, path: Path) -> CsvTable:
        """The table in a file's bytes. Raises ScenarioError for what is no text."""
        text, encoding = sources.decode(data, path)
        lines = text.splitlines(keepends=True)
        skip = 1 if lines and lines[0].lower().startswith("sep=") else 0
        delimiter = sources.delimiter_of(lines[skip] if len(lines) > skip else "")
        records = _records(lines[skip:], delimiter)
        (columns, heading), *rest = records or [((), "")]
        rows = tuple((cells, raw) for cells, raw in rest)
        before = "".join(lines[:skip])
        mark = data.startswith(b"\xef\xbb\xbf")
        return cls(before, heading, columns, rows, delimiter, encoding, mark)

    @property
    def shown(self) -> list[dict[str, Any]]:
        """The rows that say anything, each with its place in the file."""
        return [
            {"was": i, "cells": list(_filled(cells, len(self.columns)))}
            for i, (cells, _) in enumerate(self.rows)
            if any(cell.strip() for cell in cells)
        ]

    def written(self, rows: Sequence[tuple[int | None, Sequence[str]]]) -> bytes:
        """The file with these rows, each with its place in it as it was; those that are as they were stay so."""
        end = "\r\n" if self.heading.endswith("\r\n") else "\n"
        out = [self.before, self.heading if self.heading.endswith(("\n", "\r")) else self.heading + end]
        for was, cells in rows:
            raw = self.rows[was] if was is not None and 0 <= was < len(self.rows) else None
            if raw is not None and _filled(raw[0], len(self.columns)) == tuple(cells):
                out.append(raw[1] if raw[1].endswith(("\n", "\r")) else raw[1] + end)
                continue
            line = io.StringIO()
            csv.writer(line, delimiter=self.delimiter, lineterminator=end).writerow(cells)
            out.append(line.getvalue())
        text = "".join(out)
        if self.encoding == "cp1252":
            # What that code page has no letter for makes the whole file one of Unicode.
            try:
                return text.encode("cp1252")
            except UnicodeEncodeError:
                return text.encode("utf-8-sig")
        return text.encode("utf-8-sig" if self.mark else "utf-8" if self.encoding == "utf-8-sig" else self.encoding)


def _records(lines: Sequence[str], delimiter: str) -> list[tuple[tuple[str, ...], str]]:
    taken: list[str] = []

    def fed() -> Any:
        for line in lines:
            taken.append(line)
            yield line

    found = []
    try:
        for cells in csv.reader(fed(), delimiter=delimiter):
            found.append((tuple(cells), "".join(taken)))
            taken.clear()
    except csv.Error as error:
        raise Asked(message("scenario.counters.unreadable", detail=str(error))) from error
    return found


def _filled(cells: Sequence[str], count: int) -> tuple[str, ...]:
    return (*cells, *("",) * (count - len(cells)))[:count] if len(cells) < count else tuple(cells)


class TableDesk:
    """A game's counters while they are edited.

    The game need not be whole: game.yaml and tables.yaml say what counters there may be, all else may be missing or
    wrong. Raises ScenarioError without these two.
    """

    page: Final = "counters.html.j2"

    def __init__(self, game: str | Path) -> None:
        self.scenario: Scenario = sketch(find(game), GameMap(HexGrid(1, 1), {}))
        self.path = self.scenario.folder / COUNTERS
        self._kept: dict[str, CsvTable] = {}
        self._one = threading.Lock()

    @property
    def deeds(self) -> dict[str, Deed]:
        """What the page may ask for."""
        return {"data": self.data, "faces": self.faces, "check": self.check, **self._kept_deeds}

    @property
    def _kept_deeds(self) -> dict[str, Deed]:
        return {"stands": self.stands, "merge": self.merge, "save": self.save}

    def data(self, _: Mapping[str, Any], words: Words) -> Any:
        """All that the page begins with; the file is read anew."""
        data = self._disk()
        table, base = self._keep(data)
        return {
            "file": str(self.path),
            "base": base,
            "seen": base,
            "columns": [name.strip() for name in table.columns],
            "rows": table.shown,
            "choices": self._choices(),
            "words": vocabulary(),
        }

    def _disk(self) -> bytes:
        """The file as it is now; a game without one begins with the heading alone."""
        if self.path.exists():
            return read_bytes(self.path)
        named = [f"name_{language}" for language in self.scenario.game.languages]
        columns = list(CounterRow.model_json_schema()["properties"])
        return (",".join(dict.fromkeys((*columns[:3], *named, *columns[3:]))) + "\n").encode()

    def _keep(self, data: bytes) -> tuple[CsvTable, str]:
        base = hashlib.sha256(data).hexdigest()
        self._kept = {**dict(list(self._kept.items())[-_KEPT:]), base: CsvTable.read(data, self.path)}
        return self._kept[base], base

    def _choices(self) -> dict[str, list[str]]:
        """What may stand in the columns that name something."""
        game = self.scenario.game
        fields = CounterRow.model_json_schema()["properties"]
        found = {name: list(field["enum"]) for name, field in fields.items() if "enum" in field}
        return {
            **found,
            "side": [side.id for side in game.sides],
            "branch": list(dict.fromkeys(branch for side in game.sides for branch in side.branches)),
            "type": list(game.unit_types),
        }

    def faces(self, asked: Mapping[str, Any], words: Words) -> Any:
        """The faces of some rows as data URIs, or what is wrong with their cells by column."""
        found = []
        for row in _rows(asked)[:_MOST_FACES]:
            cells = dict(zip(self._columns(asked), row[1], strict=False))
            problems: list[Problem] = []
            counter = sources.counter_of(cells, str(self.path), 0, problems)
            wrong = {_column(problem): words.value(problem.message) for problem in problems}
            wrong |= self._unknown(cells, words) if counter else {}
            pictures: list[str] = []
            if counter and not wrong:
                try:
                    for face in faces_of(counter):
                        data = counter_png(counter, self.scenario, face, _SCALE)
                        pictures.append(f"data:image/png;base64,{b64encode(data).decode()}")
                except ScenarioError as error:
                    wrong = {"id": words.value(error.problems[0].message)}
            found.append({"faces": pictures, "wrong": wrong})
        return found

    def _unknown(self, cells: Mapping[str, str], words: Words) -> dict[str, str]:
        """Names in a row that the game does not know; the whole game's check says the same of them."""
        known = self._choices()
        found = {
            column: words.say(unknown(kind, cells.get(column, ""), known[column], known=tuple(known[column])))
            for column, kind in _NAMES.items()
            if cells.get(column) not in known[column]
        }
        side = next((side for side in self.scenario.game.sides if side.id == cells.get("side")), None)
        if side and (branch := cells.get("branch", "")) not in side.branches:
            params: dict[str, Param] = {"branch": branch, "side": side.id, "known": tuple(side.branches)}
            found["branch"] = words("scenario.counters.branch", **params)
        return found

    def _table(self, asked: Mapping[str, Any]) -> CsvTable:
        found = self._kept.get(str(asked.get("base")))
        if found is None:
            raise Asked(message("easel.old-page"), 409)
        return found

    def _columns(self, asked: Mapping[str, Any]) -> list[str]:
        return [name.strip() for name in self._table(asked).columns]

    def check(self, asked: Mapping[str, Any], words: Words) -> Any:
        """What the loader says of the game with these counters."""
        return {"problems": self._problems(self._table(asked).written(_rows(asked)), words)}

    def _problems(self, text: bytes, words: Words) -> list[dict[str, Any]]:
        try:
            found = load(self.scenario.folder, strict=False, instead={COUNTERS: text}).warnings
        except ScenarioError as error:
            found = error.problems
        # What is wrong with this file comes before what is wrong with others.
        return shown_problems(sorted(found, key=lambda it: (Path(it.file).name != COUNTERS, it.severity)), words)

    def stands(self, asked: Mapping[str, Any], words: Words) -> Any:
        """Whether the file is still the one that the page has seen."""
        return {"same": hashlib.sha256(self._disk()).hexdigest() == asked.get("seen")}

    def merge(self, asked: Mapping[str, Any], words: Words) -> Any:
        """What the page changed since `saved`, brought together with the file as it is now; nothing is written.

        Where both changed the same otherwise and `choices` does not say which holds, these are listed instead.
        """
        columns = self._columns(asked)
        table, base = self._keep(self._disk())
        if [name.strip() for name in table.columns] != columns:
            raise Asked(message("easel.other-columns", file=str(self.path)))
        choices = asked.get("choices")
        choice = Choice(choices if isinstance(choices, dict) and asked.get("over") == base else {})
        before, mine = (
            [{"was": was, "cells": list(_filled(cells, len(columns)))} for was, cells in _rows(asked, key)]
            for key in ("saved", "rows")
        )
        rows = merged_rows(columns, before, mine, table.shown, choice)
        clashes = [vars(it) for it in choice.clashes]
        return {"clashes": clashes, "rows": rows, "theirs": table.shown, "base": base, "seen": base}

    def save(self, asked: Mapping[str, Any], words: Words) -> Any:
        """Write counters.csv, finished or not. Raises Asked, OSError."""
        with self._one:
            if not self.stands(asked, words)["same"]:
                raise Asked(message("easel.changed", file=str(self.path)), 409)
            text = self._table(asked).written(_rows(asked))
            files.put(self.path, text)
        return {"seen": hashlib.sha256(text).hexdigest(), "problems": self._problems(text, words)}


def _rows(asked: Mapping[str, Any], key: str = "rows") -> list[tuple[int | None, tuple[str, ...]]]:
    try:
        return [
            (
                row["was"] if isinstance(row["was"], int) else None,
                tuple(str(cell)[:_LONGEST] for cell in row["cells"]),
            )
            for row in asked[key][: sources.MAX_COUNTERS + 1]
        ]
    except (KeyError, TypeError) as error:
        raise Asked(message("easel.no-sheet")) from error


def _column(problem: Problem) -> str:
    """The column that a problem of a row is about; one of the whole row stands with its id."""
    where = problem.where
    return str(where.values.get("column") or "id") if isinstance(where, Message) else "id"
