"""What there is to judge in the files and folders that were named.

Logs named one by one are one game, in the order given. In a folder, the logs and the mails' logs that lie side by
side are one game, in the order in which VASSAL saved them. Each sheet is a game of its own, wherever it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexforge.scenarios.words import HexforgeError, message
from hexforge.validator.transcribe.kind import MAILS, is_log, is_mail

if TYPE_CHECKING:
    from hexforge.validator.readers.mail import Attached

MAX_FILES: Final = 10_000
_LOG: Final = ".vlog"
_SHEET: Final = ".sheet"


class NothingThere(HexforgeError):
    """A folder in which there is nothing to judge, or too much (`most`, a number of files; else 0)."""

    def __init__(self, path: str, most: int = 0) -> None:
        key = "many" if most else "empty"
        super().__init__(message(f"validator.folder.{key}", path=path, count=most))
        self.path = path
        self.most = most


@dataclass
class Gathered:
    """Sheets by path (`-`: standard input), sheets out of mails with the mail's path, and games as chains of logs.

    `failures` are mails that could not be read, with the reason; `many` says that a folder was asked for.
    """

    sheets: list[str] = field(default_factory=list)
    letters: list[tuple[str, Attached]] = field(default_factory=list)
    games: list[list[str | Attached]] = field(default_factory=list)
    failures: list[tuple[str, Exception]] = field(default_factory=list)
    many: bool = False

    def __len__(self) -> int:
        """How many answers and failures there will be."""
        return len(self.sheets) + len(self.letters) + len(self.games) + len(self.failures)

    def mail(self, path: str) -> list[Attached]:
        """Take a mail's sheets, and give its logs."""
        from hexforge.validator.readers.mail import read_mail

        try:
            carried = read_mail(path)
        except Exception as error:
            self.failures.append((path, error))
            return []
        self.letters += [(path, part) for part in carried if not part.is_log]
        return [part for part in carried if part.is_log]


def gather(paths: Iterable[str]) -> Gathered:
    """Sort what was named. Raises NothingThere for a folder without sheets, logs and mails, or with too many."""
    found = Gathered()
    named: list[str | Attached] = []
    for path in paths:
        if path != "-" and Path(path).is_dir():
            found.many = True
            _search(path, found)
        elif path != "-" and is_log(path):
            named.append(path)
        elif is_mail(path):
            named += found.mail(path)
        else:
            found.sheets.append(path)
    if named:
        found.games.insert(0, named)
    return found


def _search(folder: str, found: Gathered) -> None:
    files = []
    for path in Path(folder).rglob("*"):
        if path.suffix.lower() in (_SHEET, _LOG, *MAILS) and path.is_file():
            files.append(path)
            if len(files) > MAX_FILES:
                raise NothingThere(folder, MAX_FILES)
    if not files:
        raise NothingThere(folder)
    tables: dict[Path, list[tuple[tuple[object, ...], str | Attached]]] = {}
    for path in sorted(files, key=_natural):
        table = tables.setdefault(path.parent, [])
        match path.suffix.lower():
            case ".sheet":
                found.sheets.append(str(path))
            case ".vlog":
                table.append(((_saved(path), _natural(path)), str(path)))
            case _:
                table += [((_saved(part), _natural(path)), part) for part in found.mail(str(path))]
    found.games += [[log for _, log in sorted(table, key=lambda t: t[0])] for table in tables.values() if table]


def _natural(path: Path) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts `turn2` before `turn10`."""
    return tuple(_parts(str(path)))


def _parts(text: str) -> Iterator[tuple[int, int, str]]:
    for word in re.split(r"([0-9]+)", text):
        yield (
            (0, int(word), "")
            if word.isdecimal() and word.isascii() and len(word) < 20
            else (1, 0, word.casefold())
        )


def _saved(log: Path | Attached) -> int:
    """When VASSAL wrote the log, in milliseconds since 1970; 0 where it does not say."""
    from hexforge.modulegen.vassal.archive import Archive
    from hexforge.modulegen.vassal.errors import FormatError
    from hexforge.modulegen.vassal.metadata import MAX_METADATA, read_metadata
    from hexforge.modulegen.vassal.save import SAVE_DATA

    try:
        with Archive(log if isinstance(log, Path) else log.data) as archive:
            return read_metadata(archive.read(SAVE_DATA, MAX_METADATA)).date_saved or 0
    except (FormatError, OSError, KeyError):
        return 0
