"""The round as files to take away: a workbook, tables as CSV, and JSON, each written as it is read."""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from hexforge.scenarios.console import safe, safe_json
from hexforge.scenarios.files import put
from hexforge.scenarios.words import Language, Words
from hexforge.validator.audit.record import Record
from hexforge.validator.audit.standings import GamePoints, Standings
from hexforge.validator.referee.kinds import SEVERITIES
from hexforge.validator.report.forms import spool

Cell: TypeAlias = "str | int | float | None"
Rows: TypeAlias = Iterator[tuple[str, list[Cell]]]
"""What colours each row, and its cells."""
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


def _harmless(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    text = safe(cell)
    return f"'{text}" if text.startswith(_BEGINS) else text


def write_tables(folder: Path, records: Iterable[Record], language: Language, points: GamePoints | None) -> None:
    """Write all tables of a language into a folder, reading each record once. Raises OSError.

    A table lies there by itself, with a mark by which spreadsheets know its letters, and as a page of the workbook,
    which has the standings behind them.
    """
    from hexforge.validator.report.workbook import WorkbookPage, opened

    w, people = Words(language), Standings(points)
    with ExitStack() as open_files:
        files = {name: open_files.enter_context(spool(_IN_MEMORY)) for name in (*TABLES, _WORKBOOK)}
        with opened(files[_WORKBOOK], w("audit.title")) as (book, looks):

            def page(name: str, heads: Sequence[str]) -> WorkbookPage:
                named = tuple(w(f"audit.column.{head}") for head in heads)
                # What all was judged by is on every row, and the same on nearly all.
                printed = heads.index("program") if "program" in heads else None
                return WorkbookPage(book.add_worksheet(w(f"audit.{name}")), named, looks, printed)

            pages = {name: page(f"table.{name}", heads) for name, (heads, _) in TABLES.items()}
            for name, (heads, _) in TABLES.items():
                files[name].write(codecs.BOM_UTF8 + _line([w(f"audit.column.{head}") for head in heads]))
            for record in records:
                people.add(record)
                for name, (_, rows) in TABLES.items():
                    for mark, cells in rows(record, language):
                        pages[name].add((mark, tuple(cells)))
                        files[name].write(_line(cells))
            for done in pages.values():
                done.close()
            standings = page("standings", _STANDINGS)
            for p in people.standings():
                shown = (p.name, p.points, p.played, p.won, p.drawn, p.lost, p.open, p.counts["illegal"])
                standings.add(("", shown))
            standings.close()
        for name, file in files.items():
            file.seek(0)
            put(folder / (f"{name}.csv" if name in TABLES else name), iter(partial(file.read, _PIECE), b""))


def _line(cells: Iterable[Cell]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerow([_harmless(cell) for cell in cells])
    return out.getvalue().encode("utf-8", "replace")


# ------------------------------------------------------------------------------------------------ rows


def _game_rows(record: Record, lang: Language) -> Rows:
    shade = str(record.get("shade", "unread"))
    head = [record["round"], record["name"], record["source"]]
    if "error" in record:
        yield shade, [*head, "", record["error"].get(lang, ""), *[None] * (len(_GAMES) - 5)]
        return
    chain, edition = record["chain"], record["scenario"]
    w = Words(lang)
    whole = "" if chain is None else w("audit.whole" if chain["sound"] else "audit.broken")
    ruled = record["ruled"].get(lang, "") if record["tournament"] else ""
    yield shade, [
        *head, record["game"], record["told"].get(lang, ""), *record["counts"].values(), record["turn"] or None,
        _by_side(record["players"], record, lang), _by_side(record["score"], record, lang), whole,
        record["program"], edition["version"], edition["hash"][:_DIGITS], _pairs(record["options"], "="), ruled,
    ]  # fmt: skip


def _pairs(found: dict[str, Any], mark: str = ": ") -> str:
    return ", ".join(f"{key}{mark}{value}" for key, value in found.items())


def _by_side(found: dict[str, Any], record: Record, lang: Language) -> str:
    return _pairs({record["sides"].get(side, {}).get(lang) or side: value for side, value in found.items()})


def _finding_rows(record: Record, lang: Language) -> Rows:
    w = Words(lang)
    for f in record.get("findings", ()):
        phase, side, *said = (f[key].get(lang, "") for key in ("phase", "side", "message", "figures", "ruling"))
        when = f["turn"] or None, phase, side, f["player"]
        plain = (w(f"report.severity.{f['severity']}"), *(f[key] for key in ("rule", "code", "quote")))
        yield f["severity"], [record["round"], record["name"], f["at"], f["line"], *when, *plain, *said]


def _throw_rows(record: Record, lang: Language) -> Rows:
    heading = cache(Words(lang).heading)
    for t in record.get("throws", ()):
        faces = " ".join(map(str, t["faces"]))
        side = record["sides"].get(t["side"], {}).get(lang) or t["side"]
        sections = (("button", "statements"), ("phase", "phases"), ("purpose", "statements"))
        button, phase, purpose = (heading(section, t[key]) if t[key] else "" for key, section in sections)
        plain = t["player"], side, button, t["turn"] or None, phase, purpose, t["log"], t["place"]
        yield "", [record["round"], record["name"], *plain, faces, t["sides"], int(t["undone"])]


def _chain_rows(record: Record, lang: Language) -> Rows:
    w = Words(lang)
    chain = record.get("chain") or {"findings": ()}
    for f in chain["findings"]:
        plain = (f["file"], f["step"], w(f"report.severity.{f['severity']}"), f["kind"])
        yield f["severity"], [record["round"], record["name"], *plain, f["message"].get(lang, "")]


TABLES: Final[dict[str, tuple[tuple[str, ...], Callable[[Record, Language], Rows]]]] = {
    "games": (_GAMES, _game_rows),
    "findings": (_FINDINGS, _finding_rows),
    "dice": (_THROWS, _throw_rows),
    "chain": (_CHAIN, _chain_rows),
}
"""Tables by name: the keys of their columns, and the rows that a record gives."""
