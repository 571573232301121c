"""Answers as JSON: one object for one sheet, a list for several."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from hexforge.scenarios.console import safe_json
from hexforge.scenarios.words import SOURCE, Language
from hexforge.validator.report.answer import Answer
from hexforge.validator.report.forms import Rest


class JsonReport:
    """The contract's object, or a list of them, in which an unreadable file has `source` and `error`.

    What is no game stands behind them with `source` and `skipped`, the reason; where one answer alone is asked for,
    within it. A part is the object of one answer.
    """

    def __init__(self, language: Language = SOURCE) -> None:
        self.language = language

    def part(self, answer: Answer) -> str:
        """One answer as an object."""
        return _text(answer.as_json(self.language))

    def whole(self, parts: Iterable[str], rest: Rest) -> Iterator[str]:
        """All of them, as they come."""
        told: Iterator[str] = chain(parts, _failures(rest), _skipped(rest))
        if not rest.many:
            texts = _one([*parts, *_failures(rest)], rest)
            if len(texts) == 1:
                yield safe_json(texts[0])
                return
            told = iter(texts)
        mark = "[\n "
        for text in told:
            yield safe_json(mark + text.replace("\n", "\n "))
            mark = ",\n "
        yield "[]" if mark.startswith("[") else "\n]"


def write_json(
    answers: Iterable[Answer],
    failures: Sequence[tuple[str, str]],
    skipped: Sequence[tuple[str, str]] = (),
    *,
    many: bool,
    language: Language = SOURCE,
) -> str:
    """`JsonReport` of answers that are at hand."""
    report = JsonReport(language)
    return "".join(report.whole(map(report.part, answers), Rest(failures, skipped, many)))


def _failures(rest: Rest) -> Iterator[str]:
    for source, error in rest.failures:
        yield _text({"source": source, "error": error})


def _skipped(rest: Rest) -> Iterator[str]:
    for source, why in rest.skipped:
        yield _text({"source": source, "skipped": why})


def _one(texts: list[str], rest: Rest) -> list[str]:
    """One answer with what is no game besides: an object, as for any one file."""
    skipped = [{"source": source, "skipped": why} for source, why in rest.skipped]
    if len(texts) != 1 or not skipped:
        return [*texts, *map(_text, skipped)]
    return [_text({**json.loads(texts[0]), "skipped": skipped})]


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
