"""The one exception of this package, and what a damaged file still gave."""

from __future__ import annotations

from dataclasses import dataclass


class FormatError(ValueError):
    """A file that is not what it should be.

    `where` names the place inside it (an archive's entry, an element), `offset` counts bytes there, as far as
    reading came. The message says what was found and what was expected.
    """

    def __init__(self, message: str, *, path: str = "", where: str = "", offset: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.where = where
        self.offset = offset

    def __str__(self) -> str:
        place = [self.path] if self.path else []
        if self.where:
            place.append(self.where)
        if self.offset is not None:
            place.append(f"byte {self.offset}")
        return f"{', '.join(place)}: {self.message}" if place else self.message

    def at(self, *, path: str = "", where: str = "") -> FormatError:
        """The same error with the place filled in where it was not known."""
        return FormatError(self.message, path=self.path or path, where=self.where or where, offset=self.offset)


@dataclass(frozen=True)
class Damage:
    """Why and where a salvaged reading ended. `offset` counts bytes of `where`."""

    message: str
    where: str
    offset: int

    def __str__(self) -> str:
        return f"{self.where}, byte {self.offset}: {self.message}"
