"""What players wrote to each other while a log was made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from hexforge.validator.report.plain import clipped, safe

if TYPE_CHECKING:
    from hexforge.validator.transcribe.chain import Chain
    from hexforge.validator.transcribe.noted import Origin

MOST: Final = 20_000
"""Lines of chat that a replay holds."""


def lines_of(chain: Chain) -> Iterator[tuple[Origin, str]]:
    """Every line of chat with where it stands, of absurdly many the first."""
    left = MOST
    for log in chain.logs:
        for told in log.told:
            for event in told.action.events:
                if event.kind == "chat" and event.text.strip() and left > 0:
                    left -= 1
                    yield told.origin, safe(clipped(event.text, 500))
