"""Text from a stranger's file, made harmless for terminals and pages."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from markupsafe import escape

from hexforge.scenarios.console import safe

__all__ = ["QUOTE", "clipped", "safe", "without_folders"]

QUOTE: Final = 200
"""Characters of a line that a report quotes at most."""


def clipped(text: str, most: int = QUOTE) -> str:
    """The text, or its beginning and an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def without_folders(text: str, folders: Iterable[str]) -> str:
    """A text without folders of this disk before the names of files, as they stand in texts, markup and JSON.

    What is made for others shows nobody where it was made.
    """
    for folder in sorted(folders, key=len, reverse=True):
        way = f"{Path(folder)}{os.sep}"
        if way == f".{os.sep}":
            continue
        for form in dict.fromkeys((way, str(escape(way)), json.dumps(way, ensure_ascii=False)[1:-1])):
            text = text.replace(form, "")
    return text
