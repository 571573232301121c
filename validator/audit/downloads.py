"""The round as files to take away: a workbook, tables as CSV, and JSON, each written as it is read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, Final, TypeAlias

from hexforge.scenarios.console import safe, safe_json
from hexforge.scenarios.words import Language, Words
from hexforge.validator.audit.record import Record
from hexforge.validator.audit.totals import Totals
from hexforge.validator.report.answer import SEVERITIES

Cell: TypeAlias = "str | int | float | None"
Records: TypeAlias = Callable[[], Iterable[Record]]
_GAMES: Final = (
    "round", "name", "source", "game", "verdict", *SEVERITIES, "turn", "players", "score", "chain", "program",
    "version", "hash", "options", "tournament",
)  # fmt: skip
_FINDINGS: Final = (
    "round", "name", "at", "line", "severity", "rule", "code", "player", "quote", "message", "figures", "ruling",
)  # fmt: skip
_THROWS: Final = (
    "round", "name", "player", "side", "button", "turn", "phase", "purpose", "log", "place", "faces", "sides",
    "undone",
)  # fmt: skip
_CHAIN: Final = ("round", "name", "file", "step", "severity", "kind", "message")
_STANDINGS: Final = ("player", "points", "played", "won", "drawn", "lost", "open", "illegal")
_BEGINS: Final = ("=", "+", "-", "@", "\t", "\r")
"""What makes a formula of a cell, in programs that take a table of texts for one of formulas."""


def as_json(records: Iterable[Record]) -> Iterator[bytes]:
    """A list of all records."""
    mark = "[\n"
    for record in records:
        told = {key: value for key, value in record.items() if key not in ("path", "pages")}
        yield safe_json(mark + json.dumps(told, ensure_ascii=False)).encode("utf-8", "replace")
        mark = ",\n"
    yield b"[]\n" if mark.startswith("[") else b"\n]\n"


def as_csv(name: str, records: Iterable[Record], w: Words) -> Iterator[bytes]:
    """A table of `TABLES`, with a mark by which spreadsheets know its letters."""
    heads, rows = TABLES[name]
    yield b"\xef\xbb\xbf" + _line([w(f"audit.column.{head}") for head in heads])
    for record in records:
        for row in rows(record, w.language):
            yield _line(row)


def _line(cells: Iterable[Cell]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow([_harmless(cell) for cell in cells])
    return out.getvalue().encode("utf-8", "replace")


def _harmless(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    text = safe(cell)
    return f"'{text}" if text.startswith(_BEGINS) else text


def write_workbook(file: IO[bytes], records: Records, totals: Totals, w: Words) -> None:
    """A workbook with a page for each table, and the standings."""
    from hexforge.validator.report.workbook import WorkbookPage, opened

    book, looks = opened(file, w("audit.title"))
    for name, (heads, rows) in TABLES.items():
        named = tuple(w(f"audit.column.{head}") for head in heads)
        sheet = WorkbookPage(book.add_worksheet(w(f"audit.table.{name}")), named, looks)
        at = heads.index("severity") if "severity" in heads else None
        for record in records():
            for row in rows(record, w.language):
                mark = record.get("verdict", "unread") if name == "games" else row[at] if at is not None else ""
                sheet.add((str(mark), tuple(row)))
        sheet.close()
    sheet = WorkbookPage(
        book.add_worksheet(w("audit.standings")), tuple(w(f"audit.column.{h}") for h in _STANDINGS), looks
    )
    for p in totals.standings():
        sheet.add(("", (p.name, p.points, p.played, p.won, p.drawn, p.lost, p.open, p.counts["illegal"])))
    sheet.close()
    book.close()


# ------------------------------------------------------------------------------------------------ rows


def _game_rows(record: Record, lang: Language) -> Iterator[list[Cell]]:
    head = [record["round"], record["name"], record["source"]]
    if "error" in record:
        yield [*head, "", record["error"].get(lang, ""), *[None] * (len(_GAMES) - 5)]
        return
    chain, edition = record["chain"], record["scenario"]
    whole = "" if chain is None else "+" if chain["sound"] else "!"
    ruled = record["ruled"].get(lang, "") if record["tournament"] else ""
    yield [
        *head, record["game"], record["told"].get(lang, ""), *record["counts"].values(), record["turn"] or None,
        _pairs(record["players"]), _pairs(record["score"]), whole, record["program"], edition["version"],
        edition["hash"], _pairs(record["options"], "="), ruled,
    ]  # fmt: skip


def _pairs(found: dict[str, Any], mark: str = ": ") -> str:
    return ", ".join(f"{key}{mark}{value}" for key, value in found.items())


def _finding_rows(record: Record, lang: Language) -> Iterator[list[Cell]]:
    for f in record.get("findings", ()):
        said = (f[key].get(lang, "") for key in ("message", "figures", "ruling"))
        plain = (f[key] for key in ("at", "line", "severity", "rule", "code", "player", "quote"))
        yield [record["round"], record["name"], *plain, *said]


def _throw_rows(record: Record, lang: Language) -> Iterator[list[Cell]]:
    for t in record.get("throws", ()):
        faces = " ".join(map(str, t["faces"]))
        plain = (t[key] for key in ("player", "side", "button", "turn", "phase", "purpose", "log", "place"))
        yield [record["round"], record["name"], *plain, faces, t["sides"], int(t["undone"])]


def _chain_rows(record: Record, lang: Language) -> Iterator[list[Cell]]:
    chain = record.get("chain") or {"findings": ()}
    for f in chain["findings"]:
        plain = (f[key] for key in ("file", "step", "severity", "kind"))
        yield [record["round"], record["name"], *plain, f["message"].get(lang, "")]


_Rows: TypeAlias = Callable[[Record, Language], Iterator[list[Cell]]]
TABLES: Final[dict[str, tuple[tuple[str, ...], _Rows]]] = {
    "games": (_GAMES, _game_rows),
    "findings": (_FINDINGS, _finding_rows),
    "dice": (_THROWS, _throw_rows),
    "chain": (_CHAIN, _chain_rows),
}
"""Tables by name: the keys of their columns, and the rows that a record gives."""
