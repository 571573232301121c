"""What was judged, while it is held: in memory, bounded in number, size and time; in a folder if one was given."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hexforge.scenarios.files import put
from hexforge.scenarios.words import Language
from hexforge.validator.serve.judge import Task, TaskOutcome
from hexforge.validator.transcribe.kind import MAILS, SUFFIXES

MOST_HELD: Final = 20
MOST_BYTES: Final = 200_000_000
HELD_FOR: Final = 3600.0
"""Seconds after which nothing of a result is left."""
_KNOWN: Final = (*SUFFIXES, *MAILS, ".sheet", ".txt", ".zip")


@dataclass(frozen=True)
class ShelvedResult:
    """A result, the names of its files, and until when it is held."""

    key: str
    names: tuple[str, ...]
    outcome: TaskOutcome
    until: float


class Shelf:
    """Results by their keys, which nobody guesses. The oldest make room for new ones."""

    def __init__(
        self,
        most: int = MOST_HELD,
        size: int = MOST_BYTES,
        seconds: float = HELD_FOR,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most, self._size, self._seconds, self._clock = most, size, seconds, clock
        self._held: dict[str, ShelvedResult] = {}
        self._lock = threading.Lock()

    def add(self, names: tuple[str, ...], outcome: TaskOutcome) -> ShelvedResult:
        """Hold a result."""
        held = ShelvedResult(secrets.token_urlsafe(12), names, outcome, self._clock() + self._seconds)
        with self._lock:
            self._held[held.key] = held
            self._make_room()
        return held

    def get(self, key: str) -> ShelvedResult | None:
        """A result, None if it is held no longer."""
        with self._lock:
            self._make_room()
            return self._held.get(key)

    def drop(self, key: str) -> None:
        """Hold a result no longer."""
        with self._lock:
            self._held.pop(key, None)

    def all(self) -> list[ShelvedResult]:
        """All results, the newest first."""
        with self._lock:
            self._make_room()
            return [*self._held.values()][::-1]

    def _make_room(self) -> None:
        now = self._clock()
        self._held = {key: held for key, held in self._held.items() if held.until > now}
        while len(self._held) > 1 and (
            len(self._held) > self._most or sum(h.outcome.size for h in self._held.values()) > self._size
        ):
            del self._held[next(iter(self._held))]


def store(folder: Path, task: Task, outcome: TaskOutcome) -> Path:
    """Keep files and what came of them in a folder of their own, under names of ours. Raises OSError."""
    place = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}"
    place.mkdir(parents=True)
    for number, (name, data) in enumerate(task.files, 1):
        suffix = Path(name).suffix.lower()
        put(place / f"given-{number}{suffix if suffix in _KNOWN else ''}", data)
    for number, game in enumerate(outcome.games, 1):
        put(place / f"game-{number}.html", game.page)
        put(place / f"game-{number}.sheet", game.sheet.encode("utf-8", "replace"))
    for (language, name), data in outcome.downloads.items():
        _put_below(place, language, name, data)
    return place


def _put_below(place: Path, language: Language, name: str, data: bytes) -> None:
    (place / language).mkdir(exist_ok=True)
    put(place / language / name, data)
