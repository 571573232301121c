"""Find what is to be judged in files and folders, and share it among processes.

Logs named one by one are one game, in the order given. In a folder, the logs and the mails' logs that lie side by
side are one game, in the order in which VASSAL saved them. Each sheet is a game of its own; mails that answer each
other are one game, wherever they lie. What is no game is named with the reason.

Judge games in processes of their own, and tell of each in the order of the input.

A process judges whole games and makes of each answer what a report needs of it: answers themselves stay where they
were made. However many processes there are, the same is told.
"""

from __future__ import annotations

import os
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeVar

from ...scenarios.console import warned
from ...scenarios.process_pool import ProcessPool, WorkerEnded, ways
from ...scenarios.text import words
from ...scenarios.text.words import HexforgeError, Message, message
from ..notation import games
from ..notation.records import (
    MAILS,
    SUFFIXES,
    Attached,
    begins_as_log,
    is_log,
    is_mail,
    is_maildir,
    looks_like_mail,
)
from ..reading import tournament
from ..reading.intake import kept_games
from ..reading.tournament import NAME as TOURNAMENT

if TYPE_CHECKING:
    from ..notation.records import Progress
    from ..reading.mails.mime import Letter
    from ..reading.typed_game import KeptGame


NEEDED: Final = (
    "hexforge.validator.app.batch",
    "hexforge.validator.judging.check",
    "hexforge.validator.judging.replay",
    "hexforge.scenarios.compiled",
)
"""What every process imports."""


class Named(Protocol):
    """What a process is given to judge: it can be pickled, and is called by a file."""

    @property
    def source(self) -> str:
        """The file that it is about."""


W = TypeVar("W", bound=Named)
G = TypeVar("G")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class GivenToAll:
    """What was given with a command for all that it judges, and a new process does not know."""

    folders: tuple[Path, ...]
    rulings: Path | None

    @classmethod
    def here(cls) -> Self:
        """As it is in this process."""
        return cls(games.learned(), tournament.in_use())

    def anywhere(self) -> Self:
        """The same for a process that works in another folder."""
        return type(self)(
            tuple(folder.absolute() for folder in self.folders), self.rulings and self.rulings.absolute()
        )

    def take_up(self) -> None:
        """Have it hold in this process."""
        for folder in self.folders:
            games.learn(folder)
        tournament.use(self.rulings)


@dataclass(frozen=True, slots=True)
class PartTold:
    """What became of a game or of a heap of logs: its parts in a report, or why there are none.

    `failures`: what of it could not be read.
    """

    source: str
    part: Any = None
    error: Exception | None = None
    illegal: bool = False
    unread: bool = False
    failures: tuple[tuple[str, Exception], ...] = ()


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pool_of(jobs: int, begin: Callable[[], Callable[[G], R]]) -> ProcessPool[G, R]:
    """Processes that judge as this one would; in each, `begin` gives what does a piece of work."""
    return ProcessPool(jobs, partial(_begun, GivenToAll.here(), begin), ways(NEEDED))


def _begun(known: GivenToAll, begin: Callable[[], Callable[[G], R]]) -> Callable[[G], R]:
    known.take_up()
    return begin()


def apart(
    works: Iterable[W], begin: Callable[[], Callable[[W], PartTold]], jobs: int, *, many: bool = False
) -> Iterator[tuple[W, PartTold]]:
    """What becomes of games that so many processes judge, in order. `many`: worth making ready for."""
    if many:
        keep_games()
    with pool_of(jobs, begin) as processes:
        for work, found in processes.results(works):
            yield work, PartTold(work.source, error=ended(work.source)) if isinstance(found, WorkerEnded) else found


def ended(source: str) -> HexforgeError:
    """That what judged a game was ended."""
    return HexforgeError(message("validator.jobs.ended", file=source))


def keep_games() -> None:
    """Have all words and all known games in the cache, by a process that ends when they are.

    Processes that judge would each read what is not there, and hold the libraries for it from then on.
    """
    with pool_of(1, _keeper) as processes:
        for _ in processes.results(games.all_names()):
            pass


def _keeper() -> Callable[[str], None]:
    # Whoever speaks a language is told what is wrong with its words.
    with suppress(Exception):
        words.keep()
    return _keep


def _keep(game: str) -> None:
    # Whoever judges by a game whose files are broken is told.
    with suppress(HexforgeError, OSError), warned(lambda _: None):
        games.keep(game)


MAX_FILES: Final = 10_000
MAX_SKIPPED: Final = 1_000
"""Files of a folder that are named although nothing of them is judged; of more, only the number is told."""
_LOG: Final = ".vlog"
_SHEET: Final = ".sheet"
_TEXTS: Final = (".txt", ".zip")
_STDIN: Final = "-"
MODULE_DATA, SAVE_DATA = "moduledata", "savedata"
"""Entries of VASSAL's files."""


class NothingThere(HexforgeError):
    """A folder in which there is nothing to judge, or too much (`most`, a number of files; else 0)."""

    def __init__(self, path: str, most: int = 0) -> None:
        key = "many" if most else "empty"
        super().__init__(message(f"validator.folder.{key}", path=path, count=most))
        self.path = path
        self.most = most


class LogHeap(list["str | Attached"]):
    """Logs that lie in one folder: of one game or of several."""


@dataclass
class Gathered:
    """Sheets by path, games typed in mails and texts, and games as chains of logs.

    Of many mails only as many are `typed` games already as it takes to know that there is more than one game; the
    rest is read as it is asked for by `heard`, which adds to what is skipped. `piped` are sheets that came by
    standard input; `failures` are mails that could not be read, with the reason; `skipped` is what is no game, with
    what is to be said of it; `many` says that a folder was asked for, `closed` that something which mails
    and archives carry could not be opened.
    """

    sheets: list[str] = field(default_factory=list)
    typed: list[KeptGame] = field(default_factory=list)
    piped: list[tuple[str, bytes]] = field(default_factory=list)
    games: list[list[str | Attached]] = field(default_factory=list)
    failures: list[tuple[str, Exception]] = field(default_factory=list)
    skipped: list[tuple[str, Message]] = field(default_factory=list)
    many: bool = False
    closed: bool = False
    _letters: list[Letter] = field(default_factory=list)
    _threads: deque[list[Letter]] = field(default_factory=deque)
    _under_way: deque[list[Letter]] = field(default_factory=deque)
    _heard: int = 0
    """Games that `heard` has given."""
    _unnamed: int = 0

    def __len__(self) -> int:
        """How many answers and failures there will be; a thread that is not read yet counts as one game."""
        return self._known + len(self._threads) + len(self._under_way)

    @property
    def _known(self) -> int:
        games = len(self.sheets) + len(self.typed) + len(self.piped) + len(self.games) + self._heard
        return games + len(self.failures)

    def mail(self, path: str, data: bytes | None = None) -> list[Attached]:
        """Take a mail, a text or an archive, also one that is at hand already, and give its logs."""
        from ..reading.mails.threads import read_letters, read_mails

        try:
            letters = read_letters(path) if data is None else read_mails(data, path)
        except Exception as error:
            self.failures.append((path, error))
            return []
        self._letters += letters
        self.failures += [failure for letter in letters for failure in letter.failures]
        self.closed = self.closed or any(aside.closed for letter in letters for aside in letter.aside)
        return [log for letter in letters for log in letter.logs]

    def skip(self, path: str, key: str, **values: int) -> None:
        """Name something that is no game."""
        if len(self.skipped) < MAX_SKIPPED:
            self.skipped.append((path, message(f"validator.skipped.{key}", path=path, **values)))
        else:
            self._unnamed += 1

    def put_together(self, *, later: bool = False, progress: Progress | None = None) -> None:
        """Make games of the letters, now that all are known. `later`: most of it as it is asked for."""
        from ..reading.mails.threads import threads

        if self._letters:
            found, copies = threads(self._letters)
            self._letters.clear()
            self._threads.extend(found)
            for letter in copies:
                self.skip(letter.source, "copy")
        count = len(self._threads)
        while self._threads and not (later and (self.many or self._known > 1)):
            if progress is not None and count > 1:
                progress(self._threads[0][0].file, count - len(self._threads), count)
            self.typed += self._heard_here(progress if count == 1 else None)

    def heard(self, jobs: Callable[[], int]) -> Iterator[tuple[str, KeptGame | Exception]]:
        """The games of the other mails, in order, or why there is none: to be asked for once.

        They are read in as many processes as `jobs` says, which is asked before each thread.
        """
        while self._threads:
            if jobs() > 1 and len(self._threads) > 1:
                yield from self._heard_apart(jobs())
                return
            for game in self._heard_here():
                self._heard += 1
                yield game.source, game

    def _heard_here(self, progress: Progress | None = None) -> list[KeptGame]:
        thread = self._threads.popleft()
        games = kept_games(thread, progress)
        for letter in thread if not games else ():
            self._silent(letter)
        return games

    def _heard_apart(self, jobs: int) -> Iterator[tuple[str, KeptGame | Exception]]:
        with pool_of(jobs, _reader) as pool:
            for _, games in pool.results(self._given()):
                thread = self._under_way.popleft()
                if isinstance(games, WorkerEnded):
                    self._heard += 1
                    yield thread[0].source, ended(thread[0].source)
                    continue
                for letter in thread if not games else ():
                    self._silent(letter)
                for game in games:
                    self._heard += 1
                    yield game.source, game

    def _given(self) -> Iterator[list[Letter]]:
        while self._threads:
            thread = self._threads.popleft()
            self._under_way.append(thread)
            # What else a letter carries is no matter of its text, and may be large.
            yield [replace(letter, logs=[], failures=[], packed=[]) for letter in thread]

    def all_skipped(self) -> tuple[tuple[str, Message], ...]:
        """What is no game, as far as is known, and how much more there is than is named."""
        more = message("validator.skipped.more", count=self._unnamed)
        return (*self.skipped, *([("", more)] if self._unnamed else []))

    def _silent(self, letter: Letter) -> None:
        """Name a letter in which nobody says anything of a game, and what it carries that is not read."""
        lines = sum(not row.blank for typed in letter.texts for row in typed.rows)
        if lines or not (letter.logs or letter.failures or letter.packed):
            self.skip(letter.source, "talk", count=lines)
        for aside in letter.aside:
            name = f"{letter.source}: {aside.name}"
            self.skipped.append((name, message("validator.skipped.aside", path=name, why=_why(aside.why))))


def _reader() -> Callable[[list[Letter]], list[KeptGame]]:
    return kept_games


def _why(key: str) -> Message:
    return message(f"report.aside.{key}")


def gather(paths: Iterable[str], *, later: bool = False, progress: Progress | None = None) -> Gathered:
    """Sort what was named. Raises NothingThere for a folder without sheets, logs and mails, or with too many.

    `later`: mails of which there are many are read as they are asked for; `progress` hears of those that are not.
    """
    found = Gathered()
    named: list[str | Attached] = []
    for path in paths:
        if path == _STDIN:
            named += _from_stdin(found)
        elif (kind := kind_of(Path(path))) in _TEXTS or kind in MAILS or is_mail(path):
            found.many = found.many or Path(path).is_dir()
            named += _mailed(Path(path), kind, found)
        elif Path(path).is_dir():
            found.many = True
            _search(path, found)
        elif kind in SUFFIXES or is_log(path):
            named.append(path)
        else:
            found.sheets.append(path)
    found.games[:0] = _by_module(named)
    found.put_together(later=later, progress=progress)
    return found


def gather_data(files: Iterable[tuple[str, bytes]]) -> Gathered:
    """Sort what is at hand already, each with a name that is shown and never looked up in the file system.

    All logs are one game, in the order in which VASSAL saved them; a text is a sheet, or what a mail would say.
    """
    found = Gathered()
    logs: list[Attached] = []
    for name, data in files:
        _sort_data(name, data, found, logs)
    logs.sort(key=lambda log: (_saved(log), _natural(Path(log.name))))
    found.games += _by_module(logs)
    found.put_together()
    return found


def _sort_data(name: str, data: bytes, found: Gathered, logs: list[Attached]) -> None:
    from ..reading.mails.threads import is_pasted

    suffix = Path(name).suffix.lower()
    if suffix in (*_TEXTS, *MAILS):
        logs += found.mail(name, data)
    elif suffix in SUFFIXES or (suffix != _SHEET and begins_as_log(data)):
        logs.append(Attached(name, data, True))
    elif suffix == _SHEET:
        found.piped.append((name, data))
    elif looks_like_mail(data):
        logs += found.mail(f"{name}.eml", data)
    elif is_pasted(data):
        logs += found.mail(f"{name}.txt", data)
    else:
        found.piped.append((name, data))


def _from_stdin(found: Gathered) -> list[str | Attached]:
    from ..reading.mails.threads import MAX_BYTES, is_pasted

    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if looks_like_mail(data) or is_pasted(data):
        return [*found.mail(_STDIN, data)]
    found.piped.append((_STDIN, data))
    return []


def _search(folder: str, found: Gathered) -> None:
    files = _files(Path(folder), found)
    tables: dict[Path, list[tuple[tuple[object, ...], str | Attached]]] = {}
    for path, kind in sorted(files, key=lambda file: _natural(file[0])):
        table = tables.setdefault(path.parent, [])
        match kind:
            case ".sheet":
                found.sheets.append(str(path))
            case ".vlog":
                table.append(((_saved(path), _natural(path)), str(path)))
            case _:
                table += [((_saved(part), _natural(path)), part) for part in _mailed(path, kind, found)]
    found.games += [
        LogHeap(log for _, log in sorted(table, key=lambda t: t[0])) for table in tables.values() if table
    ]


def _mailed(path: Path, kind: str, found: Gathered) -> list[Attached]:
    """Take a mail, a text or an archive of a `kind` that its name may not tell, and give its logs."""
    if kind in (path.suffix.lower(), "") or is_mail(path):
        return found.mail(str(path))
    return found.mail(f"{path}{kind}", path.read_bytes())


def _by_module(logs: Sequence[str | Attached]) -> list[list[str | Attached]]:
    """Logs that were named together, by the modules that they say they are of; others are with the first."""
    games: dict[str, list[str | Attached]] = {}
    for log in logs:
        name = _metadata(log, MODULE_DATA, "name") or next(iter(games), "")
        if "" in games and name:
            games = {name: games.pop(""), **games}
        games.setdefault(name, []).append(log)
    return list(games.values())


def _files(folder: Path, found: Gathered) -> list[tuple[Path, str]]:
    """What may hold a game in a folder, each with its kind, and a Maildir as one; all other files are named."""
    from ..reading.mails.threads import maildir_files

    files: list[tuple[Path, str]] = []
    for path in below(folder):
        if path.is_dir() and is_maildir(path):
            files += [(file, "") for file in maildir_files(path)]
        elif _is_hidden(path):
            found.skip(str(path), "hidden")
        elif path.is_dir() and not path.is_symlink():
            continue
        elif not path.is_file():
            found.skip(str(path), "link" if path.is_symlink() else "other")
        elif (kind := kind_of(path)) in (_SHEET, _LOG, *_TEXTS, *MAILS):
            files.append((path, kind))
        elif path.name != TOURNAMENT:
            found.skip(str(path), "other")
        if len(files) > MAX_FILES:
            raise NothingThere(str(folder), MAX_FILES)
    if not files:
        raise NothingThere(str(folder))
    return files


_KNOWN: Final = (_SHEET, *SUFFIXES, *_TEXTS, *MAILS)
_BEGINS: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*sheet 1\s")


def kind_of(path: Path) -> str:
    """The ending of a file's name or, where that says nothing, of what it holds; "" for what is none of ours."""
    suffix = path.suffix.lower()
    if (suffix in _KNOWN and suffix != ".txt") or not path.is_file():
        return suffix
    with suppress(OSError), path.open("rb") as file:
        head = file.read(_HEAD)
        if head.startswith(b"PK\x03\x04"):
            return _packed(path, head)
        if begins_as_log(head):
            return _LOG
        if suffix in _KNOWN:
            return suffix
        if looks_like_mail(head):
            return MAILS[0]
        if _BEGINS.match(head):
            return _SHEET
    return ""


_HEAD: Final = 4_096


def _packed(path: Path, head: bytes) -> str:
    """What an archive is: a log, or one that holds what may be judged."""
    from ...modulegen.vassal.archive import Archive
    from ...modulegen.vassal.encoding import FormatError
    from ...modulegen.vassal.save import SAVED_GAME

    try:
        with Archive(path) as archive:
            names = archive.names
    except FormatError:
        return _LOG if SAVED_GAME.encode() in head else ""  # what is wrong with it is told when it is read
    if SAVED_GAME in names:
        return _LOG
    module = not _MODULES.isdisjoint(names)
    return ".zip" if not module and any(name.lower().endswith(_KNOWN) for name in names) else ""


_MODULES: Final = frozenset(("buildFile", "buildFile.xml"))
"""What a module or an extension is built from; the positions that it holds are nobody's games."""


def below(folder: Path) -> Iterator[Path]:
    """All that lies in a folder and in those in it, but not what lies in a Maildir or in a hidden one."""
    for path in sorted(folder.iterdir()):
        yield path
        if path.is_dir() and not path.is_symlink() and not is_maildir(path) and not _is_hidden(path):
            yield from below(path)


def _is_hidden(path: Path) -> bool:
    """Whether a path is a folder in which programs keep what is theirs: copies of games there are no games."""
    return path.name.startswith(".") and path.is_dir() and not path.is_symlink() and not is_maildir(path)


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
    return _metadata(log, SAVE_DATA, "date_saved") or 0


def _metadata(log: str | Path | Attached, entry: str, name: str) -> Any:
    """What a log says of itself; None where it does not."""
    from ...modulegen.vassal.archive import MAX_METADATA, Archive, read_metadata
    from ...modulegen.vassal.encoding import FormatError

    try:
        with Archive(log.data if isinstance(log, Attached) else log) as archive:
            return getattr(read_metadata(archive.read(entry, MAX_METADATA)), name)
    except (FormatError, OSError, KeyError):
        return None
