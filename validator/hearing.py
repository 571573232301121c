"""Mails read in processes of their own: to make out what people say takes longer than to judge it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexforge.validator.jobs import PartTold

if TYPE_CHECKING:
    from hexforge.validator.readers.mails.mime import Letter


@dataclass(frozen=True, slots=True)
class Thread:
    """The letters of a thread, in order, as they are sent to another process. `source` is the first one's."""

    source: str
    letters: tuple[Letter, ...]
    mark: str = ""


class Listeners:
    """What reads threads: the part that is told of each are its games, packed."""

    def judge(self) -> Callable[[Thread], PartTold]:
        """What reads one."""
        return _heard


def _heard(thread: Thread) -> PartTold:
    from hexforge.validator.readers.typed_game import kept_games

    return PartTold(thread.source, kept_games(thread.letters))
