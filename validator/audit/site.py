"""The site of a round, written from its records: pages in every language, a style, and what to take away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from hexforge.scenarios.files import put
from hexforge.scenarios.words import Language, Words
from hexforge.validator.audit import downloads
from hexforge.validator.audit.pages import site_pieces
from hexforge.validator.audit.record import Record
from hexforge.validator.audit.standings import WORST, GamePoints
from hexforge.validator.audit.totals import Totals
from hexforge.validator.check import program
from hexforge.validator.dice.told import SurveyTold
from hexforge.validator.jobs import pool
from hexforge.validator.referee.kinds import SEVERITIES
from hexforge.validator.report.pages import page, style

_PAGES: Final = ("index", "findings", "dice", "chain", "standings")

Records: TypeAlias = Callable[[], Iterable[Record]]


def write_site(
    site: Path,
    records: Records,
    languages: Sequence[Language],
    *,
    title: str = "",
    points: GamePoints | None = None,
    skipped: Callable[[Language], Sequence[str]] = lambda _: (),
    jobs: int = 1,
) -> Totals:
    """Write all pages but those of games. Raises OSError.

    `records` gives the records anew each time; with several `jobs` in other processes too.
    """
    with _tables(site, records, languages, points, min(jobs, len(languages))):
        totals = Totals(points)
        for record in records():
            totals.add(record)
        _pages(site, totals, languages, title, skipped)
        put(site / "results.json", downloads.as_json(records()))
    return totals


def _pages(
    site: Path,
    totals: Totals,
    languages: Sequence[Language],
    title: str,
    skipped: Callable[[Language], Sequence[str]],
) -> None:
    put(site / "style.css", style().encode())
    put(site / "index.html", page("audit_door.html.j2", Words(languages[0]), languages=languages).encode())
    survey = totals.survey()
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
            text = site_pieces(f"audit_{name}.html.j2", language, languages, title, here=path, **values)
            put(site / language / path, (piece.encode("utf-8", "replace") for piece in text))


@contextmanager
def _tables(
    site: Path, records: Records, languages: Sequence[Language], points: GamePoints | None, jobs: int
) -> Iterator[None]:
    """Have what is to be taken away written, while pages are, each language by a process of its own."""
    if jobs == 1:
        for language in languages:
            _write(site, records, points, language)
        yield
        return
    with pool(jobs, partial(partial, _write, site, records, points)) as processes:
        pending = [processes.submit(language) for language in languages]
        yield
        for future in pending:
            future.result().taken()


def _write(site: Path, records: Records, points: GamePoints | None, language: Language) -> None:
    downloads.write_tables(site / language, records(), language, points)
