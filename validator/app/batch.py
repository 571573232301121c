"""Judge all that was named, game by game, with a report of each; watch files and judge them again.

The forms of a report. Each makes a small part of one answer, where it is judged, and a whole of all parts.

Parts are plain values that another process may have made; the whole is given out as it grows, so that neither
answers nor their report need be held.

Pages that are written anew while the games of a folder are edited.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, NoReturn, Unpack

from ...scenarios.commands import write_file
from ...scenarios.console import folders_of, require, without_folders
from ...scenarios.text.words import HexforgeError, Language, Message, Words
from ..judging.check import Answers, judge
from ..judging.continuing import files_named
from ..notation.records import is_maildir
from ..reading.sheet import read_bytes, read_file
from ..report.pages import FormName, ReportForm
from .discover import Gathered, LogHeap, PartTold, apart, below, gather, processors

if TYPE_CHECKING:
    from ..judging.answer import Answer
    from ..judging.check import Manner
    from ..notation.records import Attached
    from ..notation.statements import Sheet
    from ..reading.typed_game import KeptGame


_MOST_HELD: Final = 200
"""Files that a sheet may go on from, one from the other."""


@dataclass(frozen=True)
class Judged:
    """An answer for each game, and what could not be read: its name and why. `many`: a folder or several files.

    `skipped` is what is no game, each with what is to be said of it; `closed`: something that mails and archives
    carry could not be opened.
    """

    answers: tuple[Answer, ...]
    failures: tuple[tuple[str, Exception], ...]
    many: bool
    skipped: tuple[tuple[str, Message], ...] = ()
    closed: bool = False

    @property
    def illegal(self) -> bool:
        """Whether anything is."""
        return any(answer.verdict == "illegal" for answer in self.answers)

    @property
    def unread(self) -> bool:
        """Whether lines of any could not be read."""
        return any(answer.counts["unread"] for answer in self.answers)


def check_all(
    paths: Iterable[str | Path],
    options: Mapping[str, str] | None = None,
    **how: Unpack[Manner],
) -> Judged:
    """Judge sheets (`-`: standard input), logs, mails and folders of these; `gather` says what makes one game.

    `options` overrule the rulings that sheets set; further arguments are those of `Manner`: `strict`, `module`,
    `reveal`, `salvage`, `lang`, `progress`. Raises NothingThere for a folder with nothing to judge.
    """
    judging = Judging(paths, options, **how)
    answers = tuple(answer.light for answer in judging.answers())
    return Judged(answers, tuple(judging.failures), judging.many, judging.skipped, judging.closed)


@dataclass(frozen=True, slots=True)
class Work:
    """A game that is to be judged, or a heap of logs of several. `answers` raises HexforgeError, OSError for what
    cannot be read.

    `logs` are those that it was played in, if any, `heap` whether they may be of several games; `holds` gives what
    it is read from, to know it again by;
    `mark` is what whoever wants it judged calls it, and `place` what it is known by, however its path was typed.
    `first` is the first of several files that it was typed in.
    """

    source: str
    answers: Callable[[], Answers]
    logs: tuple[str | Attached, ...] = ()
    holds: Callable[[], Iterable[bytes]] = tuple
    mark: str = ""
    place: str = ""
    first: str = ""
    heap: bool = False


class Judging:
    """As `check_all`, one game after the other, none of them held: whoever asks for `answers` says what is kept.

    What is named may be gathered already. `failures`, `skipped` grow as they are asked for, and what `count` says
    of mails is not known before.
    Raises NothingThere for a folder with nothing to judge.
    """

    def __init__(
        self,
        paths: Iterable[str | Path] | Gathered,
        options: Mapping[str, str] | None = None,
        **how: Unpack[Manner],
    ) -> None:
        if not isinstance(paths, Gathered):
            paths = gather(map(str, paths), later=True, progress=how.get("progress"))
        self._found = paths
        self._options, self._how = options, how
        self.failures = list(self._found.failures)
        self.many = self._found.many or len(self._found) > 1
        self.closed = self._found.closed
        self.hearers = 1
        """In how many processes mails are read that wait to be."""

    @property
    def count(self) -> int:
        """How many games there are; of mails that are not read yet, as many as threads."""
        return len(self._found) - len(self._found.failures)

    @property
    def skipped(self) -> tuple[tuple[str, Message], ...]:
        """What is no game, as far as is known when the games have been asked for."""
        return self._found.all_skipped()

    def answers(self) -> Iterator[Answer]:
        """The answers, in order. What cannot be read is put down among the failures."""
        for work in self.works():
            try:
                found = work.answers()
            except (HexforgeError, OSError) as error:
                self.failures.append((work.source, error))
            else:
                self.failures += found.failures
                yield from found.answers
                del found

    def works(self, *, apart: bool = False) -> Iterator[Work]:
        """The games, in order, to be asked for once.

        `apart`: to be judged in other processes, which show nothing of their progress.
        """
        from ..judging.check import check_heap, source_of

        found, options, strict = self._found, self._options, self._how.get("strict", False)
        said = self._how.get("answer", "")
        how = {**self._how, "progress": None} if apart else self._how
        for logs in found.games:
            held, heap = partial(_logs_held, tuple(logs)), isinstance(logs, LogHeap)
            judge = partial(check_heap, logs, options, apart=heap, **how)
            yield Work(source_of(logs), judge, tuple(logs), held, heap=heap)
        for source, game in chain(((g.source, g) for g in found.typed), found.heard(lambda: self.hearers)):
            if isinstance(game, Exception):
                yield Work(source, partial(_unheard, game), holds=partial(_unheard, game))
                continue
            held = partial(_typed_held, game)
            yield Work(game.source, partial(_typed, game, options, strict, said), holds=held, first=game.first)
        for source, data in found.piped:
            yield Work(source, partial(_piped, source, data, options, strict, said), holds=partial(iter, (data,)))
        for path in found.sheets:
            yield Work(path, partial(_filed, path, options, strict, said), holds=partial(_sheet_held, path))


def _unheard(error: Exception) -> NoReturn:
    raise error


def _logs_held(logs: Iterable[str | Attached]) -> Iterator[bytes]:
    for log in logs:
        yield Path(log).read_bytes() if isinstance(log, str) else log.data


def _typed_held(game: KeptGame) -> Iterator[bytes]:
    for placed in game.opened().placed:
        letter = placed.letter
        yield f"{Path(placed.file).name}\n{letter.sender}\n{letter.date}\n{placed.row.text}\n".encode(
            "utf-8", "replace"
        )


def _sheet_held(path: str) -> Iterator[bytes]:
    """A sheet, and all that it goes on from."""
    seen: set[str] = set()
    waiting = [path]
    while waiting and len(seen) < _MOST_HELD:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        data = Path(name).read_bytes()
        yield data
        waiting += files_named(data, name)


def _typed(game: KeptGame, options: Mapping[str, str] | None, strict: bool, answer: str) -> Answers:
    return _judge(game.opened().sheet(answer), options, strict)


def _piped(source: str, data: bytes, options: Mapping[str, str] | None, strict: bool, answer: str) -> Answers:
    return _judge(read_bytes(data, source, answer), options, strict)


def _filed(path: str, options: Mapping[str, str] | None, strict: bool, answer: str) -> Answers:
    return _judge(read_file(path, answer), options, strict)


def _judge(sheet: Sheet, options: Mapping[str, str] | None, strict: bool) -> Answers:
    # Who gives games out to other processes judges none, and does not read how.
    return Answers((judge(sheet, options, strict=strict),))


_WORTH: Final = 4.0
"""Seconds of work that are worth starting processes for: each reads the program and the games anew."""
_MANY: Final = 200
"""Games that are worth several processes however little each takes: who gives them out need not know any game."""
_SAMPLE: Final = 2
"""Games after which it is guessed what the others take. The first one reads its game's files besides."""


def parts_in_order(judging: Judging, form: Form, jobs: int | None) -> Iterator[PartTold]:
    """What becomes of all games, one after the other; with one job in this process.

    With several, a process that ends before it has answered is an `error` of the game that ended it, and no more
    than some few games wait to be told. With None, there are as many as processors once it shows that this is
    worth it, or at once for very many games.
    """
    wanted = (processors() if judging.count > 1 else 1) if jobs is None else jobs
    works = judging.works(apart=wanted > 1)
    if wanted == 1 or (jobs is None and judging.count < _MANY):
        yield from _alone(works, judging, form, wanted)
    if wanted > 1:
        judging.hearers = wanted
        yield from (told for _, told in apart(works, form.judge, wanted, many=judging.count >= _MANY))


def _alone(works: Iterator[Work], judging: Judging, form: Form, jobs: int) -> Iterator[PartTold]:
    """Judge in this process, until the rest is seen to be worth several."""
    report, start = form.report(), time.monotonic()
    for done, work in enumerate(works, 1):
        yield judged(work, report)
        if worth_several(done, judging.count, time.monotonic() - start, jobs):
            return


def worth_several(done: int, count: int, took: float, jobs: int) -> bool:
    """Whether what is left of some games is worth so many processes, by the seconds that those `done` took."""
    return jobs > 1 and done >= _SAMPLE and took / done * (count - done) * (jobs - 1) / jobs > _WORTH


def judged(work: Work, report: ReportForm) -> PartTold:
    """What becomes of a game, or of a heap of logs, in this process; its part is one of each game."""
    try:
        found = work.answers()
    except (HexforgeError, OSError) as error:
        return PartTold(work.source, error=error)
    return PartTold(
        work.source,
        [report.part(answer) for answer in found.answers],
        illegal=any(answer.verdict == "illegal" for answer in found.answers),
        unread=any(answer.counts["unread"] for answer in found.answers),
        failures=found.failures,
    )


@dataclass(frozen=True, slots=True)
class Form:
    """Which report is wanted, as it can be told to another process.

    `quiet`, `color` and `width` are those of text; `playable` asks for a page on which one game can be played
    through; `folders` are those of this disk of which pages are silent.
    """

    name: FormName
    language: Language
    quiet: bool = field(default=False, kw_only=True)
    color: bool = field(default=False, kw_only=True)
    width: int = field(default=0, kw_only=True)
    playable: bool = field(default=False, kw_only=True)
    folders: tuple[str, ...] = field(default=(), kw_only=True)

    def judge(self) -> Callable[[Work], PartTold]:
        """What judges a game and makes its part."""
        return partial(judged, report=self.report())

    def report(self) -> ReportForm:
        """The report."""
        words = Words(self.language)
        match self.name:
            case "xlsx":
                require("xlsx")
                from ..report.workbook import WorkbookReport

                return WorkbookReport(words)
            case "json":
                from ..report.as_json import JsonReport

                return JsonReport(self.language)
            case "junit":
                from ..report.as_json import JunitReport

                return JunitReport(words)
            case "sarif":
                from ..report.as_json import SarifReport

                return SarifReport(words)
            case "md":
                from ..report.text import MarkdownReport

                return MarkdownReport(words)
            case "html":
                from ..report.html import HtmlReport

                said = partial(without_folders, folders=self.folders)
                return HtmlReport(words, playable=self.playable, said=said)
        from ..report.text import TextReport

        return TextReport(words, quiet=self.quiet, color=self.color, width=self.width)


PAGE: Final = ".html"
PAUSE: Final = 0.7
"""Seconds between two looks at files."""
AGAIN: Final = 5.0
"""Seconds until what a disk or a folder refused is tried again."""
_State = tuple[tuple[str, int, int], ...]


class Watcher:
    """Looks at a folder time and again, and writes the page of each game that has changed.

    Into the folder `target`, or beside the game's first file.
    """

    def __init__(
        self,
        folder: str | Path,
        target: str | Path | None,
        words: Words,
        options: Mapping[str, str] | None = None,
        **how: Unpack[Manner],
    ) -> None:
        from ..report.replay_pictures import Studio

        self.folder, self.words, self.options, self.how = Path(folder), words, options, how
        self.target = Path(target) if target is not None else None
        self._studio = Studio()
        self._seen: _State | None = None
        self._known: dict[str, _State] = {}
        self._refused: dict[str, str] = {}
        self._again = inf

    def look(self) -> Iterator[tuple[Path, Answer | Exception]]:
        """The pages written now, each with the answer on its game; or the game and why it has no page.

        Nothing where no file has changed, but for what could not be opened or written: that is tried again after a
        while, and told once. Raises NothingThere for a folder with nothing to judge.
        """
        state = _state(_files(self.folder))
        if state == self._seen and monotonic() < self._again:
            return
        self._seen, self._again = state, inf
        for work in Judging([self.folder], self.options, **self.how).works():
            own = _state(_files_of(work)) or state
            if self._known.get(work.source) == own:
                continue
            try:
                found = work.answers()
                alone = len(found.answers) == 1
                told = [(self._write(work, answer, alone=alone), answer) for answer in found.answers]
            except OSError as error:
                self._again = monotonic() + AGAIN
                # Names of files that are written for a while stand in what is said, each time others.
                why = error.strerror or str(error)
                if self._refused.get(work.source) != why:
                    self._refused[work.source] = why
                    yield Path(work.source), error
                continue
            except HexforgeError as error:
                self._known[work.source] = own
                yield Path(work.source), error
                continue
            self._known[work.source] = own
            self._refused.pop(work.source, None)
            yield from told
            yield from ((Path(source), error) for source, error in found.failures)

    def _write(self, work: Work, answer: Answer, *, alone: bool) -> Path:
        from ..report.html import game_page

        files = _files_of(work)
        first = files[0] if files else Path(work.source)
        if not alone and answer.reread is not None:
            first = Path(answer.reread().logs[0].path)
        path = first.with_suffix(PAGE)
        if self.target is not None:
            inside = first.relative_to(self.folder) if first.is_relative_to(self.folder) else Path(first.name)
            path = self.target / "-".join(inside.with_suffix(PAGE).parts)
        folders = (str(self.folder), *folders_of(files))
        text = game_page(answer, self.words, studio=self._studio, now=True, watch=True, folders=folders)
        write_file(path, text.encode("utf-8", "replace"))
        return path


def stamped(paths: Iterable[str], besides: str = "") -> object:
    """What changes when one of some files, or a file of some folders, does; `besides` is a file that is written."""
    found = [file for path in map(Path, paths) for file in (_files(path) if path.is_dir() else [path])]
    written = Path(besides).resolve() if besides else None
    return _state([file for file in found if file.resolve() != written])


def _files(folder: Path) -> Iterator[Path]:
    """The files of a folder and of those below it, but for the pages, and for what programs hide there."""
    from ..reading.mails.threads import maildir_files

    for path in below(folder):
        if path.is_dir() and is_maildir(path):
            yield from maildir_files(path)
        elif path.suffix.lower() != PAGE and path.is_file():
            yield path


def _files_of(work: Work) -> list[Path]:
    sources = work.logs or (work.source,)
    return [path for source in sources if isinstance(source, str) and (path := Path(source)).is_file()]


def _state(files: Iterator[Path] | list[Path]) -> _State:
    found = []
    for path in files:
        try:
            stat = path.stat()
        except OSError:
            continue
        found.append((str(path), stat.st_mtime_ns, stat.st_size))
    return tuple(found)
