"""Text from a stranger's file, made harmless for terminals and pages."""

from __future__ import annotations

from typing import Final

from hexforge.scenarios.console import safe

__all__ = ["QUOTE", "clipped", "safe"]

QUOTE: Final = 200
"""Characters of a line that a report quotes at most."""


def clipped(text: str, most: int = QUOTE) -> str:
    """The text, or its beginning and an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"
