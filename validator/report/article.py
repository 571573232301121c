"""What a page tells of one answer: its findings, combats, moves, map and text, everything of the sheet escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from markupsafe import Markup

from hexforge.scenarios.model import Scenario
from hexforge.scenarios.words import Words
from hexforge.validator.referee.findings import doubts_told, points
from hexforge.validator.referee.kinds import Severity
from hexforge.validator.report import wording
from hexforge.validator.report.answer import Answer
from hexforge.validator.report.board import draw
from hexforge.validator.report.html import BOARD, GROUND
from hexforge.validator.report.pages import template_named
from hexforge.validator.report.scene import excerpt, whole
from hexforge.validator.report.turns import Headings

if TYPE_CHECKING:
    from hexforge.validator.referee.findings import Finding, MoveRecord

T = TypeVar("T")
_MOST_PICTURES: Final = 150
"""Findings of a sheet that are shown on a piece of the map of their own."""
_MOST_LINES: Final = 50_000
"""Lines of a sheet that a page quotes; more than any game has."""
_MOST_BLANK: Final = 4
_TOLD: Final = {"doubts_told": doubts_told, "points": points}


def article(page: Mapping[str, Any]) -> str:
    """An article of what it shows."""
    return template_named("answer.html.j2").render(page=page, wording=wording, **_TOLD)


def shown_of(answer: Answer, w: Words, drawn: Sequence[object] | None = None) -> dict[str, Any]:
    """What an article shows of an answer besides what it holds.

    `drawn`: the pictures stand in another article already, and this one has places for them alone, and for the
    board and the sheet.
    """
    board, legend, pictures = None, [], []
    field, scenario = answer.field, answer.scenario
    if field is not None and isinstance(scenario, Scenario):
        from hexforge.modulegen.render.board_key import terrain_svg

        # What `draw` and `excerpt` return has its texts escaped.
        board = Markup(" ")
        pictures = [picture and Markup(" ") for picture in drawn or ()]
        if drawn is None:
            board = Markup(draw(BOARD, field.grid, answer.position, w, overlay=whole(answer)))
            pictures = [picture and Markup(picture) for picture in _pictures(answer, w, GROUND)]
        present = {kinds[0] for kinds in field.terrain.values()}
        legend = [(t, Markup(terrain_svg(scenario, t))) for t in scenario.tables.terrain if t in present]
    return {
        "answer": answer,
        "findings": _by_turn(answer, w),
        "combats": _below_phases(((c.line, c) for c in answer.combats), answer, w),
        "moves": _below_phases(((line, (line, *rest)) for line, *rest in _moves(answer, w)), answer, w),
        "understood": answer.understood,
        "w": w,
        "lines": list(_quoted(answer)) if drawn is None else [],
        "pictures": pictures,
        "board": board,
        "legend": legend,
        "off_map": _off_map(answer, w),
        "options": ", ".join(f"{name}={value}" for name, value in sorted(answer.edition.options.items())),
    }


def _by_turn(answer: Answer, w: Words) -> list[tuple[str, list[tuple[int, Finding]]]]:
    """The findings of each phase with their numbers, below what the phase is called."""
    return _below_phases(((f.line, (number, f)) for number, f in enumerate(answer.findings)), answer, w)


def _below_phases(items: Iterable[tuple[int, T]], answer: Answer, w: Words) -> list[tuple[str, list[T]]]:
    """Items with their lines, those of each phase below what it is called."""
    return [(name, [item for _, item in found]) for name, found in Headings(answer, w).grouped(items)]


def _moves(answer: Answer, w: Words) -> list[tuple[int, MoveRecord | None, str]]:
    """What was moved and what was done besides, by lines: its price, or what it was in words."""
    found: list[tuple[int, MoveRecord | None, str]] = [(m.line, m, "") for m in answer.moves]
    found += [(a.line, None, answer.told(a, w.language)) for a in wording.unpriced(answer)]
    return sorted(found, key=lambda item: item[0])


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
            reduced = state.lost
            told = w("report.unit-step", unit=unit, step=w(f"report.step.{state.step}")) if reduced else unit
            found.setdefault(state.where or "absent", []).append(told)
    return found
