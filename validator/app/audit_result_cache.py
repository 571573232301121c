"""What an audit keeps beside its site, so that it goes on where it was stopped and judges nothing twice.

A record is known by a hash of all that it rests on: the bytes of the game's files, the file of rulings, the
options, the program's version. It is written when the pages of its game are, whole or not at all.

Rows of a site that wait on the disk until their page is written, so that no number of games has to be held.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import re
import sqlite3
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from ...scenarios.text.files import put
from ...scenarios.text.words import HexforgeError, message
from ..judging.replayed import program
from ..notation import games
from ..reading import tournament
from .audit_record import Record, attacks_in, throws_in
from .audit_runner import AuditDesk, FinishedGame
from .batch import Work

if TYPE_CHECKING:
    from ..report.dice import DiceRow


FOLDER: Final = ".audit"
_FORM: Final = "5"
"""The form of the records: another one is judged anew."""
_OURS: Final = re.compile(r"[0-9a-f]{16}\.(html|json|png|webp)")
_PICTURE: Final = (".png", ".webp")
"""Files that are called by what they hold: one that is there is the same."""


class NotASite(HexforgeError):
    """A folder that holds something else than a site of ours, into which nothing is written."""


class Store:
    """The records of a site, each under the hash of what it rests on."""

    def __init__(self, site: str | Path, desk: AuditDesk, *, again: bool = False) -> None:
        """Open or begin a site. `again`: nothing that is kept is used. Raises NotASite, OSError."""
        self.site = Path(site)
        self.desk = desk
        self.again = again
        self.home = self.site / FOLDER
        if self.site.is_dir() and any(self.site.iterdir()) and not self.home.is_dir():
            raise NotASite(message("audit.not-a-site", path=str(site)))
        self.folders = ("replays", *(f"{language}/games" for language in desk.languages))
        wanted = [self.home, *(self.site / part for part in self.folders)]
        above = dict.fromkeys(f for folder in wanted for f in (folder, *folder.parents))
        # Deepest first, as they can be taken away again.
        self._begun = sorted((f for f in above if not f.exists()), key=lambda f: len(f.parts), reverse=True)
        with self.tidied():
            for folder in wanted:
                folder.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def tidied(self) -> Iterator[None]:
        """Of a site that cannot be written, leave no folder that was made for it and holds nothing."""
        try:
            yield
        except OSError:
            for folder in self._begun:
                with suppress(OSError):  # it holds pages, which stay
                    folder.rmdir()
            raise

    def mark(self, work: Work) -> tuple[str, bytes]:
        """The hash of all that a game rests on, and that of its files alone. Raises OSError."""
        held = hashlib.sha256(self._ruled(work))
        for part in work.holds():
            held.update(hashlib.sha256(part).digest())
        content = held.digest()
        whole = f"{_FORM}\n{program()}\n{self.desk.mark}\n{work.place}\n".encode("utf-8", "replace")
        return hashlib.sha256(whole + content).hexdigest(), content

    def _ruled(self, work: Work) -> bytes:
        """What a director's file says that lies with a game, or that was named."""
        applied = tournament.around(_first(work))
        return applied.tournament.text.encode("utf-8", "replace") if applied is not None else b""

    def known(self, mark: str, work: Work) -> list[Record] | None:
        """The records of a game, if all of it is here; None where it is to be judged."""
        if self.again:
            return None
        try:
            kept = json.loads((self.home / f"{mark[:32]}.json").read_text("utf-8"))
            records: list[Record] = kept["games"]
            whole = kept["mark"] == mark and all(self._stands(record, work) for record in records)
        except (OSError, ValueError, KeyError, TypeError):
            # Half a disk, another form, or a game that could not be judged: it is judged anew.
            return None
        return records if whole else None

    def _stands(self, record: Record, work: Work) -> bool:
        """Whether a game's pages are there, and its own files are as they were when it was judged."""
        pages = (self.site / path for path in record["pages"])
        if not all(page.is_file() for page in pages):
            return False
        digest = record["scenario"]["hash"]
        return not digest or _digest(record["game"], _first(work)) == digest

    def keep(self, mark: str, done: Iterable[FinishedGame]) -> list[Record]:
        """Write down a game: its pages first, and when they are there its records."""
        records = []
        for one in done:
            for path, data in one.pages.items():
                if not (path.endswith(_PICTURE) and (self.site / path).is_file()):
                    put(self.site / path, data)
            records.append({**one.record, "pages": sorted(one.pages)})
        self._write(mark, records)
        return records

    def fail(self, mark: str, record: Record) -> None:
        """Write down a game that could not be judged."""
        self._write(mark, [record])

    def _write(self, mark: str, records: list[Record]) -> None:
        text = json.dumps({"mark": mark, "games": records}, ensure_ascii=False)
        put(self.home / f"{mark[:32]}.json", text.encode("utf-8", "replace"))

    def records(self, marks: Iterable[str]) -> Iterator[Record]:
        """The records under some marks, one after the other, none of them held."""
        for mark in marks:
            kept: dict[str, Any] = json.loads((self.home / f"{mark[:32]}.json").read_text("utf-8"))
            yield from kept["games"]

    def sweep(self, marks: Iterable[str], pages: Set[str]) -> None:
        """Remove what is left of games that are there no more."""
        kept = {f"{mark[:32]}.json" for mark in marks}
        for file in self.home.glob("*.json"):
            if file.name not in kept and re.fullmatch(r"[0-9a-f]{32}\.json", file.name):
                file.unlink(missing_ok=True)
        for folder in self.folders:
            for file in (self.site / folder).iterdir():
                if _OURS.fullmatch(file.name) and f"{folder}/{file.name}" not in pages:
                    file.unlink(missing_ok=True)


def _first(work: Work) -> str:
    """The game's first file, beside which its own rules may lie, and a director's."""
    first = work.logs[0] if work.logs else work.source
    return first if isinstance(first, str) else first.name


def _digest(game: str, source: str) -> str:
    """The hash of a game's files as they are now; "" for a game that is not known here."""
    found = games.game(game, source)
    return found.digest if found is not None else ""


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
        from ..report.dice import DiceLedger

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
        from ..report import dice

        ps, rows = array("d"), Spool()
        for tally in self._tallies.of(_BY):
            row = tally.row()
            ps.extend(test.p for test in row.tests)
            rows.put(_BY, row)
        sure, table = array("d", dice.holm(ps)), rows.of(_BY)
        return SpooledRows(len(table), lambda: _corrected(table, sure))


def _corrected(rows: Iterable[DiceRow], sure: Iterable[float]) -> Iterator[DiceRow]:
    each = iter(sure)
    for row in rows:
        yield replace(row, tests=tuple(replace(test, holm=next(each)) for test in row.tests))


def _bytes(name: str) -> bytes:
    """Names of files in an old code page hold what UTF-8 has no letter for."""
    return name.encode("utf-8", "surrogatepass")
