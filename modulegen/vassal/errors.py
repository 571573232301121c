"""The one exception of this package, and what a damaged file still gave."""

from __future__ import annotations

from dataclasses import dataclass

from hexforge.scenarios.words import HexforgeError, Message, Param, message


class FormatError(HexforgeError, ValueError):
    """A file that is not what it should be.

    `where` names the place inside it (an archive's entry, an element), `offset` counts bytes there, as far as
    reading came. `what` says what was found and what was expected; `message` that with its place.
    """

    def __init__(self, what: Message, *, path: str = "", where: str = "", offset: int | None = None) -> None:
        super().__init__(_placed(what, path, where, offset))
        self.what = what
        self.path = path
        self.where = where
        self.offset = offset

    def at(self, *, path: str = "", where: str = "") -> FormatError:
        """The same error with the place filled in where it was not known."""
        return FormatError(self.what, path=self.path or path, where=self.where or where, offset=self.offset)


@dataclass(frozen=True)
class Damage:
    """Why and where a salvaged reading ended. `offset` counts bytes of `where`."""

    what: Message
    where: str
    offset: int

    @property
    def message(self) -> Message:
        """The reason with its place."""
        return _placed(self.what, self.where, "", self.offset)

    def __str__(self) -> str:
        return str(self.message)


def _placed(what: Message, path: str, where: str, offset: int | None) -> Message:
    place: tuple[Param, ...] = tuple(filter(None, (path, where)))
    if offset is not None:
        place = (*place, message("vassal.byte", offset=offset))
    return message("vassal.placed", place=place, what=what) if place else what
