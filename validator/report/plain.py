"""Text from a stranger's file, made harmless for terminals and pages."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from markupsafe import escape

from hexforge.scenarios.console import safe

__all__ = ["QUOTE", "clipped", "folders_of", "safe", "without_folders"]

QUOTE: Final = 200
"""Characters of a line that a report quotes at most."""
_BEGINS: Final = r"(?:(?<![\w+/,.-])|(?<=\\[nrt]))"
"""Where a name may begin: after nothing that base64 or a name has, or after a break of a line in JSON."""


def clipped(text: str, most: int = QUOTE) -> str:
    """The text, or its beginning and an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def folders_of(paths: Iterable[str | Path]) -> tuple[str, ...]:
    """The folders of this disk that files lie in which were named, and those that were named themselves."""
    found = (path if (path := Path(name)).is_dir() else path.parent for name in paths)
    return tuple(dict.fromkeys(map(str, found)))


def without_folders(text: str, folders: Iterable[str]) -> str:
    """A text without folders of this disk before the names of files, as they stand in texts, markup and JSON.

    What is made for others shows nobody where it was made. The name of a folder may be a single letter: it is one
    where a name begins, and never within a longer one, or within data that is packed as text.
    """
    for folder in sorted(folders, key=len, reverse=True):
        way = f"{Path(folder)}{os.sep}"
        if way == f".{os.sep}":
            continue
        forms = dict.fromkeys((way, str(escape(way)), json.dumps(way, ensure_ascii=False)[1:-1]))
        text = re.sub(f"{_BEGINS}(?:{'|'.join(map(re.escape, forms))})", "", text)
    return text
