"""Answers as one HTML file that needs nothing else: no link, no script, everything of the sheet escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from hexforge.scenarios.words import Language
from hexforge.validator.referee.findings import CombatRecord, Finding, doubts_told, points
from hexforge.validator.report.answer import SEVERITIES, Answer
from hexforge.validator.report.board import draw, terrain_colour, wet
from hexforge.validator.report.plain import safe
from hexforge.validator.report.scene import excerpt, whole
from hexforge.validator.report.text import part_list, sums
from hexforge.validator.report.words import Words, counted, figure, words

_TEMPLATES: Final = Path(__file__).parent / "templates"
_MOST_PICTURES: Final = 150
"""Findings of a sheet that are shown on a piece of the map of their own."""


def write_html(answers: Sequence[Answer], failures: Sequence[tuple[str, str]], language: Language) -> str:
    """A page with each sheet's findings, combats, moves, map and text."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    template = environment.get_template("report.html.j2")
    return template.render(
        lang="pt-BR" if language == "pt" else "en",
        w=words(language),
        answers=[_answer(answer, language) for answer in answers],
        severities=SEVERITIES,
        failures=[(source, safe(message)) for source, message in failures],
    )


def _answer(answer: Answer, language: Language) -> dict[str, Any]:
    from markupsafe import Markup

    w = words(language, answer.scenario)
    counts = [counted(language, s, n) for s, n in answer.counts.items() if n]
    board = legend = None
    if answer.field is not None:
        # What `draw` returns has its texts escaped.
        board = Markup(
            draw(
                answer.field,
                answer.position,
                overlay=whole(answer),
                title=w.position,
                water=wet(answer.scenario) if answer.scenario else (),
            )
        )
        present = dict.fromkeys(kinds[0] for kinds in answer.field.terrain.values())
        known = answer.scenario.tables.terrain if answer.scenario else present
        legend = [(w.terrains.get(t, t), terrain_colour(answer.field, t)) for t in known if t in present]
    edition = answer.edition
    data = f", {answer.game} {edition.scenario} ({edition.digest})" if answer.game else ""
    return {
        "source": safe(answer.source),
        "game": answer.game,
        "verdict": answer.verdict,
        "stopped": answer.stopped,
        "summary": ", ".join(counts) or w.nothing_wrong,
        "counts": list(answer.counts.values()),
        "findings": [
            _finding(finding, answer, language, picture)
            for finding, picture in zip(answer.findings, _pictures(answer, w), strict=True)
        ],
        "combats": [_combat(record, w) for record in answer.combats],
        "moves": [
            {
                "line": m.line,
                "units": " ".join(m.units),
                "path": " ".join(m.path),
                "cost": points(m.cost),
                "left": points(m.left),
            }
            for m in answer.moves
        ],
        "board": board,
        "legend": legend or [],
        "off_map": _off_map(answer, w),
        "score": [
            (w.sides.get(side, side), number, part_list(answer, side, language))
            for side, number in sorted(answer.score.items())
        ],
        "air": _purse({s: n for s, n in answer.position.air.items() if n} if answer.position else {}, w),
        "sheet": _lines(answer),
        "edition": edition.program + data,
        "options": ", ".join(f"{name}={value}" for name, value in sorted(edition.options.items())),
    }


def _pictures(answer: Answer, w: Words) -> Iterator[str | None]:
    """For each finding its piece of the map, unless the one before it has shown the same."""
    left, last = _MOST_PICTURES, None
    for finding in answer.findings:
        worth = finding.severity != "info" and left > 0
        picture = excerpt(finding, answer, w.position) if worth else None
        yield None if picture == last else picture
        left -= picture is not None
        last = picture


def _finding(finding: Finding, answer: Answer, language: Language, picture: str | None) -> dict[str, Any]:
    from markupsafe import Markup

    w = words(language)
    figures = [
        f"{word} {safe(str(figure(value, language)))}"
        for word, value in ((w.declared, finding.declared), (w.computed, finding.computed))
        if value is not None and finding.code != "syntax"
    ]
    return {
        "severity": finding.severity,
        "line": " ".join(part for part in (str(finding.line), safe(answer.step(finding.line))) if part),
        "rule": finding.rule,
        "code": finding.code,
        "quote": safe(answer.quote(finding.line)),
        "message": safe(answer.words(language).say(finding.message)),
        "figures": ", ".join(figures),
        # What `excerpt` returns has its texts escaped.
        "picture": None if picture is None else Markup(picture),
        "rests_on": safe(doubts_told(finding.rests_on, answer.words(language))),
    }


def _combat(record: CombatRecord, w: Words) -> dict[str, Any]:
    return {
        "line": record.line,
        "kind": w.kinds[record.kind],
        "target": " ".join(record.target),
        "parts": [f"{label} {terms}" for label, terms in sums(record, w)],
        "start": f"{record.attack}:{record.defence} = {record.odds}" if record.kind == "combat" else record.value,
        "shifts": [f"{w.causes.get(s.cause, s.cause)} {s.columns:+d} ({s.rule})" for s in record.shifts],
        "column": record.column or "",
        "roll": "" if record.roll is None else record.roll,
        "result": record.result or "",
    }


def _off_map(answer: Answer, w: Words) -> list[dict[str, str]]:
    if answer.position is None:
        return []
    found: dict[str, list[str]] = {}
    for unit, state in sorted(answer.position.units.items()):
        if state.hex is None and (state.where != "absent" or unit in answer.shown):
            step = f" ({w.steps['reduced']})" if state.step == "reduced" else ""
            found.setdefault(w.where.get(state.where, state.where), []).append(unit + step)
    return [{"where": where, "units": ", ".join(units)} for where, units in found.items()]


def _purse(values: dict[str, int], w: Words) -> str:
    return ", ".join(f"{w.sides.get(side, side)} {number}" for side, number in sorted(values.items()))


def _lines(answer: Answer) -> list[dict[str, str]]:
    worst = answer.marks
    return [{"text": safe(text), "mark": worst.get(number, "")} for number, text in enumerate(answer.lines, 1)]
