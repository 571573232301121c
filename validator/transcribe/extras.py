"""What is read of logs besides what the VASSAL of today writes into them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from hexforge.scenarios.words import Message
from hexforge.validator.transcribe.proposed import random_numbers

if TYPE_CHECKING:
    from hexforge.modulegen.vassal.save import SavedGame
    from hexforge.validator.transcribe.chain import LogRead
    from hexforge.validator.transcribe.noted import Noted


class Extra(Protocol):
    """A module that reads one such thing."""

    @property
    def NAME(self) -> str:  # noqa: N802 (a module's constant)
        """Its name in JSON."""
        ...

    def read(self, game: SavedGame) -> object:
        """What there is of it in a log; None for nothing."""
        ...

    def notes(self, logs: Sequence[LogRead], *, plain: bool) -> Iterator[Noted]:
        """What is wrong with it in a chain. `plain`: the module's dice buttons add nothing to what they draw."""
        ...

    def told(self, log: LogRead) -> Message | None:
        """A line of the record's head."""
        ...

    def data(self, log: LogRead) -> Any:
        """As it stands in JSON; None where there is nothing."""
        ...


EXTRAS: Final[tuple[Extra, ...]] = (random_numbers,)
