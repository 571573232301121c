"""The reader's language: asked for, or taken from the environment."""

from __future__ import annotations

import os
from typing import Literal, cast

Language = Literal["en", "pt"]


def default_language() -> Language:
    """`pt` where the environment speaks Portuguese, else `en`. HEXFORGE_LANG goes before the system's settings."""
    for name in ("HEXFORGE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "").lower()
        if value:
            return "pt" if value.startswith("pt") else "en"
    return "en"


def chosen(value: str | None) -> Language:
    """The language of an option that may not have been given."""
    return cast(Language, value) if value in ("en", "pt") else default_language()
