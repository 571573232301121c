"""Text from a stranger's file, made harmless for terminals and pages."""

from __future__ import annotations

from typing import Final

_CONTROL: Final = dict.fromkeys([*range(9), *range(11, 32), *range(127, 160), *range(8234, 8239)], "�")


def safe(text: str) -> str:
    """The text without control characters, by which it could drive a terminal or turn the reading direction."""
    return text.translate(_CONTROL)
