"""The forms of a report. Each makes a small part of one answer, where it is judged, and a whole of all parts.

Parts are plain values that another process may have made; the whole is given out as it grows, so that neither
answers nor their report need be held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import IO, TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from hexforge.scenarios.libraries import require
from hexforge.scenarios.words import Language, Words

if TYPE_CHECKING:
    from hexforge.validator.jobs import PartTold
    from hexforge.validator.judging import Work
    from hexforge.validator.report.answer import Answer

FORMS: Final = ("text", "json", "html", "junit", "xlsx", "sarif", "md")
FormName: TypeAlias = Literal["text", "json", "html", "junit", "xlsx", "sarif", "md"]
_IN_MEMORY: Final = 1_000_000
"""Bytes of a spool above which it goes to the disk."""


@dataclass(frozen=True, slots=True)
class Rest:
    """What there is besides answers: each file that could not be read, and each that is no game, with the reason.

    It may grow while parts are asked for. `many`: a folder or several files were named.
    """

    failures: Sequence[tuple[str, str]] = ()
    skipped: Sequence[tuple[str, str]] = ()
    many: bool = True


class ReportForm(Protocol):
    """A form of report: `whole` takes the parts in order, and the rest as it is when they have ended."""

    def part(self, answer: Answer) -> Any:
        """What the report tells of one answer."""

    def whole(self, parts: Iterable[Any], rest: Rest) -> Iterator[str] | Iterator[bytes]:
        """The report, piece by piece."""


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
        from hexforge.validator.jobs import judged

        return partial(judged, report=self.report())

    def report(self) -> ReportForm:
        """The report."""
        words = Words(self.language)
        match self.name:
            case "xlsx":
                require("xlsx")
                from hexforge.validator.report.workbook import WorkbookReport

                return WorkbookReport(words)
            case "json":
                from hexforge.validator.report.as_json import JsonReport

                return JsonReport(self.language)
            case "junit":
                from hexforge.validator.report.junit import JunitReport

                return JunitReport(words)
            case "sarif":
                from hexforge.validator.report.sarif import SarifReport

                return SarifReport(words)
            case "md":
                from hexforge.validator.report.markdown import MarkdownReport

                return MarkdownReport(words)
            case "html":
                from hexforge.validator.report.html import HtmlReport
                from hexforge.validator.report.plain import without_folders

                said = partial(without_folders, folders=self.folders)
                return HtmlReport(words, playable=self.playable, said=said)
        from hexforge.validator.report.text import TextReport

        return TextReport(words, quiet=self.quiet, color=self.color, width=self.width)


@contextmanager
def spool(in_memory: int = _IN_MEMORY) -> Iterator[IO[bytes]]:
    """A file for what has to wait, in memory while it is small (bytes; at least one).

    Raises OSError naming the folder that is full.
    """
    import tempfile

    with tempfile.SpooledTemporaryFile(in_memory) as file:
        try:
            yield file
        except OSError as error:
            if error.filename is None:
                error.filename = tempfile.gettempdir()
            raise
