"""What is made of files that were dropped: verdicts, replay pages, canonical forms and tables to take away.

Strangers send them, so they are judged in a process that is ended when it takes too long or too much.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any, Final

from ...scenarios.console import refused
from ...scenarios.process_pool import Worker, WorkerEnded, WorkerLate, ways
from ...scenarios.text.words import HexforgeError, Language, Message, Words, languages, message
from ..judging.situation import format_sheet, format_typed
from ..report.pages import FormName, ReportForm, Rest
from .audit_record import Dossier, record_of
from .batch import Form, Judging
from .discover import NEEDED, gather_data

if TYPE_CHECKING:
    from ..judging.answer import Answer
    from .audit_record import Record
    from .batch import Work
    from .discover import GivenToAll


MOST_GAMES: Final = 40
"""Games of which pages are made at once; for more there is the audit."""
DOWNLOADS: Final[Mapping[str, tuple[FormName, str]]] = {
    "report.html": ("html", "text/html; charset=utf-8"),
    "results.json": ("json", "application/json"),
    "results.xlsx": ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "report.md": ("md", "text/markdown; charset=utf-8"),
}
"""What may be taken away, in each language: its form, and its type."""
MEMORY: Final = 3 << 30
"""Bytes of addresses that a process may have."""
MOST: Final = 64_000_000
"""Bytes that may come of one request."""
Said = Mapping[Language, str]


@dataclass(frozen=True, slots=True)
class Task:
    """Files as they came, each with the name that it is called by, and how to judge them.

    `language` is what pages begin in; `module` is a `.vmod` on this machine, named by whoever serves.
    """

    files: tuple[tuple[str, bytes], ...]
    language: Language
    options: Mapping[str, str]
    module: str | None = None
    salvage: bool = False


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A game that was judged: its record, the page to play it through, and its sheet in the canonical form.

    `playable`: it has a map to be played on.
    """

    record: Record
    page: bytes
    sheet: str
    playable: bool = False


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """What came of a task. `failures`, `skipped`: in all languages; `downloads`: by language and name."""

    games: tuple[JudgedGame, ...]
    failures: tuple[Said, ...]
    skipped: tuple[Said, ...]
    downloads: Mapping[tuple[Language, str], bytes]

    @property
    def size(self) -> int:
        """About how many bytes it holds."""
        pages = sum(len(game.page) + len(game.sheet) + 4 * len(str(game.record)) for game in self.games)
        return pages + sum(map(len, self.downloads.values()))


class GivenUp(HexforgeError):
    """Judging took too long or too much, or ended without an answer."""


@dataclass(frozen=True)
class ProcessLimits:
    """What a process may take: seconds, and bytes of its answer. `home` is an empty folder in which it works."""

    home: str
    seconds: float = 60.0
    answer: int = MOST


def judge_apart(task: Task, bounds: ProcessLimits, known: GivenToAll, given_up: Event | None = None) -> TaskOutcome:
    """As `judged`, in another process, which is ended also when it is `given_up`. Raises GivenUp."""
    worker: Worker[Task, TaskOutcome | Message] = Worker(partial(_limited, bounds, known), ways(NEEDED))
    try:
        found = worker.ask(task, bounds.seconds, given_up).taken()
    except WorkerLate:
        raise GivenUp(message("serve.long", limit=bounds.seconds)) from None
    except WorkerEnded as error:
        raise GivenUp(message("serve.ended")) from error
    finally:
        worker.end()
    if isinstance(found, Message):
        raise GivenUp(found)
    return found


def _limited(bounds: ProcessLimits, known: GivenToAll) -> Callable[[Task], TaskOutcome | Message]:
    """Limits that hold also if nobody is left to end the process; some systems have none."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        limits = {resource.RLIMIT_CPU: int(bounds.seconds) + 5, resource.RLIMIT_AS: MEMORY, resource.RLIMIT_CORE: 0}
        for what, most in limits.items():
            _, hard = resource.getrlimit(what)
            if hard == resource.RLIM_INFINITY or hard > most:
                resource.setrlimit(what, (most, most))
    return partial(_found, bounds, known)


def _found(bounds: ProcessLimits, known: GivenToAll, task: Task) -> TaskOutcome | Message:
    """What came of the task, or why nothing did."""
    try:
        known.take_up()
        # A sheet names others that lie beside it: here nothing does.
        os.chdir(bounds.home)
        found = judged(task)
    except HexforgeError as error:
        return error.message
    except MemoryError:
        return message("serve.memory")
    except Exception as error:
        return message("serve.failed", what=f"{type(error).__name__}: {error}"[:300])
    return found if found.size <= bounds.answer else message("serve.much", limit=bounds.answer // 1_000_000)


def judged(task: Task) -> TaskOutcome:
    """Judge what was dropped. What goes wrong with one game is told, and spoils no other."""
    judging = Judging(
        gather_data(task.files), task.options, module=task.module, salvage=task.salvage, lang=task.language
    )
    desk = _Desk(task)
    for number, work in enumerate(judging.works()):
        if number == MOST_GAMES:
            desk.skipped.append(_said(message("serve.more", count=judging.count - number)))
            break
        desk.take(work)
    desk.failures[:0] = [_why(error) for _, error in judging.failures]
    desk.skipped += [_said(what) for _, what in judging.skipped]
    return desk.outcome()


class _Desk:
    """Makes all of one game after the other, so that no answer is held."""

    def __init__(self, task: Task) -> None:
        from ..report.replay_pictures import Studio

        self.task = task
        self.studio: Studio = Studio()
        self.games: list[JudgedGame] = []
        self.failures: list[Said] = []
        self.skipped: list[Said] = []
        self.reports: dict[tuple[Language, str], ReportForm] = {
            (language, name): Form(form, language).report()
            for name, (form, _) in DOWNLOADS.items()
            for language in languages()
        }
        self.parts: dict[tuple[Language, str], list[Any]] = {key: [] for key in self.reports}

    def take(self, work: Work) -> None:
        try:
            found = work.answers()
            for answer in found.answers:
                self.games.append(self._game(work, answer))
                for key, report in self.reports.items():
                    self.parts[key].append(report.part(answer))
            self.failures += [_why(error) for _, error in found.failures]
        except (HexforgeError, OSError) as error:
            self.failures.append(_why(error))

    def _game(self, work: Work, answer: Answer) -> JudgedGame:
        from ..report.html import game_page

        record = record_of(Dossier(answer, work.source), "", work.source, languages())
        page = game_page(answer, Words(self.task.language), now=True, studio=self.studio)
        playable = answer.scenario is not None and answer.scenario.has_map
        return JudgedGame(record, page.encode("utf-8", "replace"), canonical(answer), playable)

    def outcome(self) -> TaskOutcome:
        downloads = {key: self._written(key) for key in self.reports} if self.games else {}
        return TaskOutcome(tuple(self.games), tuple(self.failures), tuple(self.skipped), downloads)

    def _written(self, key: tuple[Language, str]) -> bytes:
        language = key[0]
        failures = [("", said[language]) for said in self.failures]
        rest = Rest(failures, [("", said[language]) for said in self.skipped], len(self.games) > 1)
        return b"".join(_bytes(self.reports[key].whole(self.parts[key], rest)))


def _bytes(pieces: Iterable[str | bytes]) -> Iterator[bytes]:
    for piece in pieces:
        yield piece if isinstance(piece, bytes) else piece.encode("utf-8", "replace")


def canonical(answer: Answer) -> str:
    """The game as a sheet in the canonical form; of logs, the sheet that they are written down as."""
    text = "\n".join(answer.lines) + "\n"
    if answer.steps:
        return text
    if answer.sheet is not None and answer.intake.letters:
        return format_typed(answer.sheet).text
    return format_sheet(text, answer.source).text


def _said(what: Message) -> Said:
    return {language: Words(language).say(what) for language in languages()}


def _why(error: Exception) -> Said:
    if isinstance(error, HexforgeError):
        return _said(error.message)
    return _said(message("serve.failed", what=refused(error) if isinstance(error, OSError) else str(error)))
