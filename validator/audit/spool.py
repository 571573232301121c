"""Rows of a site that wait on the disk until their page is written, so that no number of games has to be held."""

from __future__ import annotations

import pickle
import sqlite3
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final, Generic, TypeVar

from hexforge.validator.audit.record import Record, attacks_in, throws_in
from hexforge.validator.dice.survey import DiceLedger, DiceRow

T = TypeVar("T")
_BY: Final = "game"


@dataclass(frozen=True)
class SpooledRows(Collection[T], Generic[T]):
    """Rows that are read from the disk each time somebody goes through them."""

    count: int
    rows: Callable[[], Iterator[T]]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[T]:
        return self.rows()

    def __contains__(self, row: object) -> bool:
        return any(row == other for other in self)


class Spool:
    """Tables of rows in a file without a name: gone when nobody has it any more, and nobody else can write it."""

    def __init__(self) -> None:
        self._file = sqlite3.connect("", isolation_level=None)
        # A thousand kibibytes of it are in memory at most.
        self._file.execute("pragma cache_size = -1000")
        self._file.execute("pragma journal_mode = off")
        self._file.execute("create table rows (name blob, key, row blob, primary key (name, key)) without rowid")
        self._numbers = count()

    def put(self, name: str, row: Any, key: str | None = None) -> None:
        """Put a row into a table: in place of the one of the same key, or without a key below all others."""
        place = next(self._numbers) if key is None else _bytes(key)
        self._file.execute("insert or replace into rows values (?, ?, ?)", (_bytes(name), place, pickle.dumps(row)))

    def get(self, name: str, key: str) -> Any:
        """The row of a key, or None."""
        asked = "select row from rows where name = ? and key = ?"
        found = self._file.execute(asked, (_bytes(name), _bytes(key))).fetchone()
        return None if found is None else pickle.loads(found[0])

    def tables(self) -> dict[str, SpooledRows[Any]]:
        """All tables by their names."""
        found = self._file.execute("select distinct name from rows").fetchall()
        return {name: self.of(name) for name in (key.decode("utf-8", "surrogatepass") for (key,) in found)}

    def of(self, name: str) -> SpooledRows[Any]:
        """The rows of a table, by their keys or as they came."""
        asked = "select count(*) from rows where name = ?"
        (found,) = self._file.execute(asked, (_bytes(name),)).fetchone()
        return SpooledRows(found, lambda: self._read(name))

    def _read(self, name: str) -> Iterator[Any]:
        for (row,) in self._file.execute("select row from rows where name = ? order by key", (_bytes(name),)):
            yield pickle.loads(row)


class SpooledDice:
    """The dice of each game by itself. A game may lie in several files, which need not follow each other."""

    def __init__(self) -> None:
        self._tallies = Spool()

    def add(self, record: Record) -> None:
        """Take in the throws and attacks of a game."""
        ledger = DiceLedger((_BY,))
        tallies = ledger.tallies[_BY]
        if (known := self._tallies.get(_BY, record["name"])) is not None:
            tallies[record["name"]] = known
        for throw in throws_in(record):
            ledger.add(throw)
        for attack in attacks_in(record):
            ledger.fought(attack)
        for name, tally in tallies.items():
            self._tallies.put(_BY, tally, name)

    def table(self) -> SpooledRows[DiceRow]:
        """The rows of all games by their names, each test corrected for how many there are in the table."""
        from hexforge.validator.dice import exact

        ps, rows = array("d"), Spool()
        for tally in self._tallies.of(_BY):
            row = tally.row()
            ps.extend(test.p for test in row.tests)
            rows.put(_BY, row)
        sure, table = array("d", exact.holm(ps)), rows.of(_BY)
        return SpooledRows(len(table), lambda: _corrected(table, sure))


def _corrected(rows: Iterable[DiceRow], sure: Iterable[float]) -> Iterator[DiceRow]:
    each = iter(sure)
    for row in rows:
        yield replace(row, tests=tuple(replace(test, holm=next(each)) for test in row.tests))


def _bytes(name: str) -> bytes:
    """Names of files in an old code page hold what UTF-8 has no letter for."""
    return name.encode("utf-8", "surrogatepass")
