"""Answers as one HTML file that needs nothing else: no link, no script, everything of the sheet escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hexforge.scenarios.console import safe
from hexforge.scenarios.words import Words
from hexforge.validator.referee.findings import doubts_told, points
from hexforge.validator.referee.kinds import Severity
from hexforge.validator.report import wording
from hexforge.validator.report.answer import SEVERITIES, Answer
from hexforge.validator.report.board import draw, ground
from hexforge.validator.report.scene import excerpt, whole

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES: Final = Path(__file__).parent / "templates"
_MOST_PICTURES: Final = 150
"""Findings of a sheet that are shown on a piece of the map of their own."""
_MOST_LINES: Final = 50_000
"""Lines of a sheet that a page quotes; more than any game has."""
_MOST_BLANK: Final = 4


def write_html(
    answers: Sequence[Answer],
    failures: Sequence[tuple[str, str]],
    words: Words,
    *,
    skipped: Sequence[str] = (),
) -> str:
    """A page with each sheet's findings, combats, moves, map and text."""
    drawn: dict[int, str] = {}
    return page(
        "report.html.j2",
        words,
        answers=[_page(answer, answer.words(words.language), drawn) for answer in answers],
        failures=failures,
        skipped=skipped,
        severities=SEVERITIES,
        wording=wording,
        doubts_told=doubts_told,
        points=points,
    )


def page(template: str, words: Words, **values: Any) -> str:
    """A page of `templates/` in the language of the words; what is put into it is escaped and harmless."""
    lang = words("report.html-language")
    return _environment().get_template(template).render(w=words, lang=lang, **values)


@cache
def _environment() -> Environment:
    import jinja2
    from markupsafe import Markup

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: safe(value) if isinstance(value, str) and not isinstance(value, Markup) else value,
    )


def _page(answer: Answer, w: Words, drawn: dict[int, str]) -> dict[str, Any]:
    """What a page shows of an answer besides what it holds.

    `drawn` has the maps that the page shows already, by identity, each with the element that shows it again: sheets
    of one game share their map.
    """
    from markupsafe import Markup

    board, legend, pictures = None, [], []
    field, scenario = answer.field, answer.scenario
    if field is not None and scenario is not None:
        from hexforge.modulegen.render.board_key import terrain_svg

        below = drawn.get(id(field))
        if below is None:
            name = f"map{len(drawn) + 1}"
            below = f'<g id="{name}">{ground(field, scenario, w)}</g>'
            drawn[id(field)] = f'<use href="#{name}"/>'
        # What `draw` and `excerpt` return has its texts escaped.
        board = Markup(draw(below, field.grid, answer.position, w, overlay=whole(answer)))
        pictures = [picture and Markup(picture) for picture in _pictures(answer, w, drawn[id(field)])]
        present = {kinds[0] for kinds in field.terrain.values()}
        legend = [(t, Markup(terrain_svg(scenario, t))) for t in scenario.tables.terrain if t in present]
    return {
        "answer": answer,
        "understood": answer.understood,
        "w": w,
        "lines": list(_quoted(answer)),
        "pictures": pictures,
        "board": board,
        "legend": legend,
        "off_map": _off_map(answer, w),
        "options": ", ".join(f"{name}={value}" for name, value in sorted(answer.edition.options.items())),
    }


def _quoted(answer: Answer) -> Iterator[tuple[int, Severity | None, str | None]]:
    """The lines of a sheet with the worst found there, each after how many that are left out.

    Blank lines beyond some few are left out, and so are those behind the last that are shown, without a text.
    """
    marks, shown, blank, left_out = answer.marks, 0, 0, 0
    for number, line in enumerate(answer.lines, 1):
        mark = marks.get(number)
        blank = 0 if mark or line.strip() else blank + 1
        if blank > _MOST_BLANK or shown >= _MOST_LINES:
            left_out += 1
            continue
        yield left_out, mark, line
        shown, left_out = shown + 1, 0
    if left_out:
        yield left_out, None, None


def _pictures(answer: Answer, w: Words, below: str) -> Iterator[str | None]:
    """For each finding its piece of the map, unless the one before it has shown the same."""
    left, last = _MOST_PICTURES, None
    for finding in answer.findings:
        worth = finding.severity != "info" and left > 0
        picture = excerpt(finding, answer, w, below) if worth else None
        yield None if picture == last else picture
        left -= picture is not None
        last = picture


def _off_map(answer: Answer, w: Words) -> dict[str, list[str]]:
    """Where units are that stand on no hex, with their ids."""
    found: dict[str, list[str]] = {}
    for unit, state in sorted(answer.position.units.items()) if answer.position else ():
        if state.hex is None and (state.where != "absent" or unit in answer.shown):
            reduced = state.step == "reduced"
            told = w("report.unit-step", unit=unit, step=w("report.step.reduced")) if reduced else unit
            found.setdefault(state.where or "absent", []).append(told)
    return found
