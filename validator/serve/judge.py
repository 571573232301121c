"""What is made of files that were dropped: verdicts, replay pages, canonical forms and tables to take away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hexforge.scenarios.words import HexforgeError, Language, Message, Words, languages, message
from hexforge.validator.report.forms import Form, FormName, ReportForm, Rest

if TYPE_CHECKING:
    from hexforge.validator.audit.record import Record
    from hexforge.validator.judging import Work
    from hexforge.validator.replay.pictures import Studio
    from hexforge.validator.report.answer import Answer

MOST_GAMES: Final = 40
"""Games of which pages are made at once; for more there is the audit."""
DOWNLOADS: Final[Mapping[str, tuple[FormName, str]]] = {
    "report.html": ("html", "text/html; charset=utf-8"),
    "results.json": ("json", "application/json"),
    "results.xlsx": ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "report.md": ("md", "text/markdown; charset=utf-8"),
}
"""What may be taken away, in each language: its form, and its type."""
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
    """A game that was judged: its record, the page to play it through, and its sheet in the canonical form."""

    record: Record
    page: bytes
    sheet: str


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


def judged(task: Task) -> TaskOutcome:
    """Judge what was dropped. What goes wrong with one game is told, and spoils no other."""
    from hexforge.validator.gather import gather_data
    from hexforge.validator.judging import Judging

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
        from hexforge.validator.replay.pictures import Studio

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
            answer = work.answer()
            self.games.append(self._game(work, answer))
            for key, report in self.reports.items():
                self.parts[key].append(report.part(answer))
        except (HexforgeError, OSError) as error:
            self.failures.append(_why(error))

    def _game(self, work: Work, answer: Answer) -> JudgedGame:
        from hexforge.validator.audit.record import record_of
        from hexforge.validator.dossier import Dossier
        from hexforge.validator.replay.game import game_page

        record = record_of(Dossier(answer, work.source), "", work.source, languages())
        page = game_page(answer, Words(self.task.language), now=True, studio=self.studio)
        return JudgedGame(record, page.encode("utf-8", "replace"), canonical(answer))

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
    from hexforge.validator.format import format_sheet, format_typed

    text = "\n".join(answer.lines) + "\n"
    if answer.steps:
        return text
    if answer.sheet is not None and answer.intake.letters:
        return format_typed(answer.sheet).text
    return format_sheet(text, answer.source).text


def _said(what: Message) -> Said:
    return {language: Words(language).say(what) for language in languages()}


def _why(error: Exception) -> Said:
    from hexforge.scenarios.system import refused

    if isinstance(error, HexforgeError):
        return _said(error.message)
    return _said(message("serve.failed", what=refused(error) if isinstance(error, OSError) else str(error)))
