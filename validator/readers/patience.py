"""How often lines in people's own words are tried as what they may mean, in one letter and in one sheet.

A line of the notation is read at once. Any other is taken apart in each way that makes sense, and every part is
tried as a statement, which takes some hundred times as long. Nobody writes so many of them that it matters, but a
file may.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MOST_TRIES: Final = 30_000
"""Some twenty seconds: about 2,000 lines of which each may mean a dozen things."""
MOST_OF_A_GAME: Final = 33_000
"""For all letters of a thread together, of which no game has so many that it mattered."""


@dataclass(slots=True)
class Patience:
    """How many tries are left, here and in the whole that this is a part of.

    Without any a line that is not of the notation is not read, and named so.
    """

    left: int = MOST_TRIES
    whole: Patience | None = None

    def spend(self, tries: int) -> None:
        """Count some tries."""
        self.left -= tries
        if self.whole is not None:
            self.whole.spend(tries)

    def __bool__(self) -> bool:
        return self.left > 0 and (self.whole is None or bool(self.whole))
