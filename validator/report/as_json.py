"""Answers as JSON: one object for one sheet, a list for several."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from hexforge.scenarios.console import safe_json
from hexforge.scenarios.words import SOURCE, Language
from hexforge.validator.report.answer import Answer


def write_json(
    answers: Iterable[Answer],
    failures: Sequence[tuple[str, str]],
    skipped: Sequence[tuple[str, str]] = (),
    *,
    many: bool,
    language: Language = SOURCE,
) -> str:
    """The contract's object, or a list of them, in which an unreadable file has `source` and `error`.

    Where there is no answer at all, what is no game stands in its place with `source` and `skipped`, the reason.
    """
    # One game at a time: its text is a small part of what it holds.
    told = [_text(answer.as_json(language)) for answer in answers]
    told += [_text({"source": source, "error": message}) for source, message in failures]
    if not told:
        told = [_text({"source": source, "skipped": why}) for source, why in skipped]
    if len(told) == 1 and not many:
        return safe_json(told[0])
    inner = ",\n ".join(text.replace("\n", "\n ") for text in told)
    return safe_json(f"[\n {inner}\n]" if told else "[]")


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
