"""Rows of a site that wait on the disk until their page is written, so that no number of games has to be held."""

from __future__ import annotations

import json
import pickle
import sqlite3
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

from hexforge.validator.audit.record import Record, attacks_in, throws_in
from hexforge.validator.dice import exact
from hexforge.validator.dice.survey import DiceLedger, DiceRow, Tally

T = TypeVar("T")
_CACHE: Final = "pragma cache_size = -1000"
"""A thousand kibibytes of it are in memory at most."""
_BY: Final = "game"


@dataclass(frozen=True)
class Waiting(Collection[T], Generic[T]):
    """Rows that are read from the disk each time somebody goes through them."""

    count: int
    rows: Callable[[], Iterator[T]]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[T]:
        return self.rows()

    def __contains__(self, row: object) -> bool:
        return any(row == other for other in self)


class WaitingRows:
    """Rows that JSON holds, below the names of their tables, each table in the order in which it was filled."""

    def __init__(self) -> None:
        self._file = _opened("create table rows (id integer primary key, name blob, row text)")
        self._file.execute("create index by_name on rows (name, id)")
        self.counts: Counter[str] = Counter()

    def add(self, name: str, row: Any) -> None:
        """Put a row below those of its table."""
        self.counts[name] += 1
        self._file.execute("insert into rows (name, row) values (?, ?)", (_key(name), json.dumps(row)))

    def of(self, name: str) -> Waiting[Any]:
        """The rows of a table."""
        return Waiting(self.counts[name], lambda: self._read(name))

    def _read(self, name: str) -> Iterator[Any]:
        for (row,) in self._file.execute("select row from rows where name = ? order by id", (_key(name),)):
            yield json.loads(row)


class WaitingDice:
    """The dice of each game by itself. A game may lie in several files, which need not follow each other."""

    def __init__(self) -> None:
        self._file = _opened("create table games (name blob primary key, tally blob) without rowid")
        self._file.execute("create table rows (id integer primary key, row blob)")

    def add(self, record: Record) -> None:
        """Take in the throws and attacks of a game."""
        ledger = DiceLedger((_BY,))
        tallies = ledger.tallies[_BY]
        if (known := self._known(record["name"])) is not None:
            tallies[record["name"]] = known
        for throw in throws_in(record):
            ledger.add(throw)
        for attack in attacks_in(record):
            ledger.fought(attack)
        told = [(_key(name), pickle.dumps(tally)) for name, tally in tallies.items()]
        self._file.executemany("insert or replace into games values (?, ?)", told)

    def _known(self, name: str) -> Tally | None:
        found = self._file.execute("select tally from games where name = ?", (_key(name),)).fetchone()
        return None if found is None else _tally(found[0])

    def table(self) -> Waiting[DiceRow]:
        """The rows of all games by their names, each test corrected for how many there are in the table."""
        ps, count = array("d"), 0
        self._file.execute("delete from rows")
        for (data,) in self._file.execute("select tally from games order by name"):
            row = _tally(data).row()
            ps.extend(test.p for test in row.tests)
            self._file.execute("insert into rows (row) values (?)", (pickle.dumps(row),))
            count += 1
        sure = array("d", exact.holm(ps))
        return Waiting(count, lambda: self._read(sure))

    def _read(self, sure: Iterable[float]) -> Iterator[DiceRow]:
        each = iter(sure)
        for (data,) in self._file.execute("select row from rows order by id"):
            row: DiceRow = pickle.loads(data)
            yield replace(row, tests=tuple(replace(test, holm=next(each)) for test in row.tests))


def _opened(table: str) -> sqlite3.Connection:
    """A file without a name, gone when nobody has it any more: nobody else can have written what it holds."""
    file = sqlite3.connect("", isolation_level=None)
    file.execute(_CACHE)
    file.execute("pragma journal_mode = off")
    file.execute(table)
    return file


def _tally(data: bytes) -> Tally:
    found = pickle.loads(data)
    assert isinstance(found, Tally)
    return found


def _key(name: str) -> bytes:
    """Names of files in an old code page hold what UTF-8 has no letter for."""
    return name.encode("utf-8", "surrogatepass")
