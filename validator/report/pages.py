"""Pages of `templates/`: how they are filled in, whatever they show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from markupsafe import Markup

from ...scenarios.console import safe
from ...scenarios.text.words import Words

if TYPE_CHECKING:
    from jinja2 import Environment, Template

    from ..judging.answer import Answer


TEMPLATES: Final = Path(__file__).parent / "templates"
_PIECES: Final = 500
"""Pieces of a page, each a text or a value of its template, that are given out together."""


def page(template: str, words: Words, **values: Any) -> str:
    """A page of `templates/` in the language of the words; what is put into it is escaped and harmless."""
    lang = words("report.html-language")
    return template_named(template).render(w=words, lang=lang, **values)


def page_pieces(template: str, words: Words, **values: Any) -> Iterator[str]:
    """As `page`, piece by piece, for pages whose tables may be very long."""
    stream = template_named(template).stream(w=words, lang=words("report.html-language"), **values)
    stream.enable_buffering(_PIECES)
    return stream


def style() -> str:
    """The style of pages that are more than one file."""
    return (TEMPLATES / "plain.css").read_text("utf-8")


def template_named(name: str) -> Template:
    """A template of `templates/`."""
    return _environment().get_template(name)


@cache
def _environment() -> Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: safe(value) if isinstance(value, str) and not isinstance(value, Markup) else value,
    )


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


BOARD: Final = '<g id="ground"/>'
GROUND: Final = '<use href="#ground"/>'
"""Where an article has its map, and where it shows it again. No text can say so, for texts are escaped."""
