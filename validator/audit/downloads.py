"""The round as files to take away: a workbook, tables as CSV, and JSON, each written as it is read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias

from hexforge.scenarios.console import safe, safe_json
from hexforge.scenarios.files import put
from hexforge.scenarios.words import Language, Words
from hexforge.validator.audit.record import Record
from hexforge.validator.audit.standings import GamePoints, Standings
from hexforge.validator.referee.kinds import SEVERITIES
from hexforge.validator.report.forms import spool

if TYPE_CHECKING:
    from xlsxwriter.workbook import Workbook

    from hexforge.validator.report.workbook import CellLooks, WorkbookPage

Cell: TypeAlias = "str | int | float | None"
_GAMES: Final = (
    "round", "name", "source", "game", "verdict", *SEVERITIES, "turn", "players", "score", "chain", "program",
    "version", "hash", "options", "tournament",
)  # fmt: skip
_FINDINGS: Final = (
    "round", "name", "at", "line", "turn", "phase", "side", "player", "severity", "rule", "code", "quote",
    "message", "figures", "ruling",
)  # fmt: skip
_THROWS: Final = (
    "round", "name", "player", "side", "button", "turn", "phase", "purpose", "log", "place", "faces", "sides",
    "undone",
)  # fmt: skip
_CHAIN: Final = ("round", "name", "file", "step", "severity", "kind", "message")
_STANDINGS: Final = ("player", "points", "played", "won", "drawn", "lost", "open", "illegal")
_BEGINS: Final = ("=", "+", "-", "@", "\t", "\r")
"""What makes a formula of a cell, in programs that take a table of texts for one of formulas."""
_WORKBOOK: Final = "results.xlsx"
_DIGITS: Final = 12
"""Of the hash of a game's files."""
_PIECE: Final = 1 << 16
"""Bytes that are given out at a time."""
_IN_MEMORY: Final = 1 << 16
"""Bytes of each file that are held before it lies on the disk."""


def as_json(records: Iterable[Record]) -> Iterator[bytes]:
    """A list of all records."""
    mark = "[\n"
    for record in records:
        told = {key: value for key, value in record.items() if key != "pages"}
        yield safe_json(mark + json.dumps(told, ensure_ascii=False)).encode("utf-8", "replace")
        mark = ",\n"
    yield b"[]\n" if mark.startswith("[") else b"\n]\n"


class CsvTable:
    """A table of `TABLES` that grows by a record at a time, with a mark by which spreadsheets know its letters."""

    def __init__(self, file: IO[bytes], name: str, w: Words) -> None:
        heads, self._rows = TABLES[name]
        self.file, self.language = file, w.language
        file.write(b"\xef\xbb\xbf" + _line([w(f"audit.column.{head}") for head in heads]))

    def add(self, record: Record) -> None:
        """Write down what a record has for this table."""
        for row in self._rows(record, self.language):
            self.file.write(_line(row))


def _line(cells: Iterable[Cell]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow([_harmless(cell) for cell in cells])
    return out.getvalue().encode("utf-8", "replace")


def _harmless(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    text = safe(cell)
    return f"'{text}" if text.startswith(_BEGINS) else text


class RoundWorkbook:
    """A workbook with a page for each table, which grows by a record at a time, and in the end the standings."""

    def __init__(self, book: Workbook, looks: CellLooks, w: Words) -> None:
        self.book, self._looks, self.words = book, looks, w
        self._pages: dict[str, WorkbookPage] = {
            name: self._page(f"table.{name}", TABLES[name][0]) for name in TABLES
        }

    def _page(self, name: str, heads: Sequence[str]) -> WorkbookPage:
        from hexforge.validator.report.workbook import WorkbookPage

        w = self.words
        named = tuple(w(f"audit.column.{head}") for head in heads)
        # What all was judged by is on every row, and the same on nearly all.
        printed = heads.index("program") if "program" in heads else None
        return WorkbookPage(self.book.add_worksheet(w(f"audit.{name}")), named, self._looks, printed)

    def add(self, record: Record) -> None:
        """Write down what a record has for each table."""
        for name, (_, rows) in TABLES.items():
            for row, mark in zip(rows(record, self.words.language), _marks(record, name), strict=False):
                self._pages[name].add((mark, tuple(row)))

    def close(self, people: Standings) -> None:
        """Put the standings behind the tables."""
        for page in self._pages.values():
            page.close()
        standings = self._page("standings", _STANDINGS)
        for p in people.standings():
            cells = (p.name, p.points, p.played, p.won, p.drawn, p.lost, p.open, p.counts["illegal"])
            standings.add(("", cells))
        standings.close()


def _marks(record: Record, table: str) -> Iterator[str]:
    """What colours each row that a record has in a table."""
    if table == "games":
        yield str(record.get("shade", "unread"))
    elif table == "findings":
        yield from (f["severity"] for f in record.get("findings", ()))
    elif table == "chain":
        yield from (f["severity"] for f in (record.get("chain") or {"findings": ()})["findings"])
    else:
        yield from repeat("")


def write_tables(folder: Path, records: Iterable[Record], language: Language, points: GamePoints | None) -> None:
    """Write all tables of a language into a folder, reading each record once. Raises OSError."""
    from hexforge.validator.report.workbook import opened

    w, people = Words(language), Standings(points)
    with ExitStack() as open_files:
        files = {name: open_files.enter_context(spool(_IN_MEMORY)) for name in (*TABLES, _WORKBOOK)}
        tables = [CsvTable(files[name], name, w) for name in TABLES]
        with opened(files[_WORKBOOK], w("audit.title")) as (workbook, looks):
            book = RoundWorkbook(workbook, looks, w)
            for record in records:
                people.add(record)
                book.add(record)
                for table in tables:
                    table.add(record)
            book.close(people)
        for name, file in files.items():
            file.seek(0)
            put(folder / (f"{name}.csv" if name in TABLES else name), _pieces(file.read))


def _pieces(read: Callable[[int], bytes]) -> Iterator[bytes]:
    yield from iter(lambda: read(_PIECE), b"")


# ------------------------------------------------------------------------------------------------ rows


def _game_rows(record: Record, lang: Language) -> Iterator[list[Cell]]:
    head = [record["round"], record["name"], record["source"]]
    if "error" in record:
        yield [*head, "", record["error"].get(lang, ""), *[None] * (len(_GAMES) - 5)]
        return
    chain, edition = record["chain"], record["scenario"]
    w = Words(lang)
    whole = "" if chain is None else w("audit.whole" if chain["sound"] else "audit.broken")
    ruled = record["ruled"].get(lang, "") if record["tournament"] else ""
    yield [
        *head, record["game"], record["told"].get(lang, ""), *record["counts"].values(), record["turn"] or None,
        _by_side(record["players"], record, lang), _by_side(record["score"], record, lang), whole,
        record["program"], edition["version"], edition["hash"][:_DIGITS], _pairs(record["options"], "="), ruled,
    ]  # fmt: skip


def _pairs(found: dict[str, Any], mark: str = ": ") -> str:
    return ", ".join(f"{key}{mark}{value}" for key, value in found.items())


def _by_side(found: dict[str, Any], record: Record, lang: Language) -> str:
    return _pairs({record["sides"].get(side, {}).get(lang) or side: value for side, value in found.items()})


def _finding_rows(record: Record, lang: Language) -> Iterator[list[Cell]]:
    w = Words(lang)
    for f in record.get("findings", ()):
        phase, side, *said = (f[key].get(lang, "") for key in ("phase", "side", "message", "figures", "ruling"))
        when = f["turn"] or None, phase, side, f["player"]
        plain = (w(f"report.severity.{f['severity']}"), *(f[key] for key in ("rule", "code", "quote")))
        yield [record["round"], record["name"], f["at"], f["line"], *when, *plain, *said]


def _throw_rows(record: Record, lang: Language) -> Iterator[list[Cell]]:
    heading = cache(Words(lang).heading)
    for t in record.get("throws", ()):
        faces = " ".join(map(str, t["faces"]))
        side = record["sides"].get(t["side"], {}).get(lang) or t["side"]
        sections = (("button", "statements"), ("phase", "phases"), ("purpose", "statements"))
        button, phase, purpose = (heading(section, t[key]) if t[key] else "" for key, section in sections)
        plain = t["player"], side, button, t["turn"] or None, phase, purpose, t["log"], t["place"]
        yield [record["round"], record["name"], *plain, faces, t["sides"], int(t["undone"])]


def _chain_rows(record: Record, lang: Language) -> Iterator[list[Cell]]:
    w = Words(lang)
    chain = record.get("chain") or {"findings": ()}
    for f in chain["findings"]:
        plain = (f["file"], f["step"], w(f"report.severity.{f['severity']}"), f["kind"])
        yield [record["round"], record["name"], *plain, f["message"].get(lang, "")]


_Rows: TypeAlias = Callable[[Record, Language], Iterator[list[Cell]]]
TABLES: Final[dict[str, tuple[tuple[str, ...], _Rows]]] = {
    "games": (_GAMES, _game_rows),
    "findings": (_FINDINGS, _finding_rows),
    "dice": (_THROWS, _throw_rows),
    "chain": (_CHAIN, _chain_rows),
}
"""Tables by name: the keys of their columns, and the rows that a record gives."""
