"""The site of a round, written from its records: pages in every language, a style, and what to take away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from hexforge.scenarios.files import put
from hexforge.scenarios.words import Language, Words
from hexforge.validator.audit import downloads
from hexforge.validator.audit.pages import site_page
from hexforge.validator.audit.record import Record
from hexforge.validator.audit.totals import WORST, GamePoints, Totals
from hexforge.validator.check import program
from hexforge.validator.dice.told import SurveyTold
from hexforge.validator.report.answer import SEVERITIES
from hexforge.validator.report.forms import spool
from hexforge.validator.report.html import page, style

_PAGES: Final = ("index", "findings", "dice", "chain", "standings")
_PIECE: Final = 1 << 20


def write_site(
    site: Path,
    records: Callable[[], Iterable[Record]],
    languages: Sequence[Language],
    *,
    title: str = "",
    points: GamePoints | None = None,
    skipped: Callable[[Language], Sequence[str]] = lambda _: (),
) -> Totals:
    """Write all pages but those of games. `records` gives the records anew each time. Raises OSError."""
    totals = Totals(points)
    for record in records():
        totals.add(record)
    put(site / "style.css", style().encode())
    put(site / "index.html", page("audit_door.html.j2", Words(languages[0]), languages=languages).encode())
    survey = totals.ledger.survey()
    for language in languages:
        words = Words(language)
        values: dict[str, Any] = {
            "totals": totals,
            "severities": SEVERITIES,
            "worst": WORST,
            "survey": survey,
            "dice": SurveyTold(survey, words),
            "skipped": skipped(language),
            "program": program(),
        }
        for name in _PAGES:
            path = f"{name}.html"
            text = site_page(f"audit_{name}.html.j2", language, languages, title, here=path, **values)
            put(site / language / path, text.encode("utf-8", "replace"))
        _downloads(site / language, records, totals, words)
    put(site / "results.json", downloads.as_json(records()))
    return totals


def _downloads(folder: Path, records: Callable[[], Iterable[Record]], totals: Totals, w: Words) -> None:
    for name in downloads.TABLES:
        put(folder / f"{name}.csv", downloads.as_csv(name, records(), w))
    with spool() as file:
        downloads.write_workbook(file, records, totals, w)
        file.seek(0)
        put(folder / "results.xlsx", _pieces(file.read))


def _pieces(read: Callable[[int], bytes]) -> Iterator[bytes]:
    yield from iter(lambda: read(_PIECE), b"")
