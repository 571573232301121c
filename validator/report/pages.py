"""Pages of `templates/`: how they are filled in, whatever they show."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from hexforge.scenarios.console import safe
from hexforge.scenarios.words import Words

if TYPE_CHECKING:
    from jinja2 import Environment, Template

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
