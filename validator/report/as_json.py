"""Answers as JSON: one object for one sheet, a list for several."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hexforge.scenarios.console import safe_json
from hexforge.scenarios.words import SOURCE, Language
from hexforge.validator.report.answer import Answer


def write_json(
    answers: Sequence[Answer],
    failures: Sequence[tuple[str, str]],
    skipped: Sequence[tuple[str, str]] = (),
    *,
    many: bool,
    language: Language = SOURCE,
) -> str:
    """The contract's object, or a list of them, in which an unreadable file has `source` and `error`.

    Where there is no answer at all, what is no game stands in its place with `source` and `skipped`, the reason.
    """
    objects: list[dict[str, Any]] = [answer.as_json(language) for answer in answers]
    objects += [{"source": source, "error": message} for source, message in failures]
    if not objects:
        objects += [{"source": source, "skipped": why} for source, why in skipped]
    return safe_json(json.dumps(objects if many or len(objects) != 1 else objects[0], ensure_ascii=False, indent=1))
