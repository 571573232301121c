"""Which mails answer each other, and in what order: by their ids, else by their subjects, and by their dates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from hexforge.validator.readers.mails.mime import Letter
from hexforge.validator.readers.notation.words import fold

_REPLY: Final = re.compile(r"(?:\s*\w{1,4}(?:\[\d+\])?\s*:)+\s*")
"""What programs put before the subject of an answer, in any language: `Re:`, `RES:`, `Enc:`, `AW:`, `Re[2]:`."""


def threads(letters: Iterable[Letter]) -> tuple[list[list[Letter]], list[Letter]]:
    """Letters that belong together, each such thread in the order of writing, and second copies of letters.

    Threads come in the order of their first letters.
    """
    kept, copies = _once(letters)
    group = _Groups()
    subjects: dict[tuple[str, str], str] = {}
    for i, letter in _dated(kept):
        own = letter.id or f"#{i}"
        for answered in letter.answers:
            group.join(own, answered)
        subject = (_box(letter.source), fold(untagged(letter.subject)).strip())
        if not letter.answers and _REPLY.match(letter.subject) and subject in subjects:
            group.join(own, subjects[subject])
        if subject[1]:
            subjects[subject] = own
    found: dict[str, list[Letter]] = {}
    for i, letter in enumerate(kept):
        found.setdefault(group.of(letter.id or f"#{i}"), []).append(letter)
    return [list(_in_order(thread)) for thread in found.values()], copies


def untagged(subject: str) -> str:
    """A subject without what programs put before that of an answer."""
    return _REPLY.sub("", subject, count=1)


def _once(letters: Iterable[Letter]) -> tuple[list[Letter], list[Letter]]:
    """Each letter once: players keep copies of the same mails."""
    seen: dict[str, Letter] = {}
    kept: list[Letter] = []
    copies: list[Letter] = []
    for letter in letters:
        first = seen.get(letter.id)
        if first is not None and [t.rows for t in first.texts] == [t.rows for t in letter.texts]:
            copies.append(letter)
            continue
        if letter.id:
            seen.setdefault(letter.id, letter)
        kept.append(letter)
    return kept, copies


def _box(source: str) -> str:
    """The mailbox or folder that a letter lies in."""
    file, bracket, _ = source.rpartition("[")
    return file if bracket else str(Path(source).parent)


def _in_order(thread: Sequence[Letter]) -> Iterator[Letter]:
    """By date, but never before what they answer; those without a date where they stand."""
    by_id = {letter.id: letter for letter in thread if letter.id}
    done: set[int] = set()
    for _, letter in _dated(thread):
        waiting: list[Letter] = []
        above: Letter | None = letter
        while above is not None and id(above) not in done:
            done.add(id(above))
            waiting.append(above)
            above = _answered(above, by_id)
        yield from reversed(waiting)


def _dated(letters: Sequence[Letter]) -> list[tuple[int, Letter]]:
    """Letters with their places, by their dates; one without a date is as old as the one before it."""
    last = min((letter.date.timestamp() for letter in letters if letter.date), default=0.0)
    dated: list[tuple[float, int, Letter]] = []
    for i, letter in enumerate(letters):
        last = letter.date.timestamp() if letter.date else last
        dated.append((last, i, letter))
    return [(i, letter) for _, i, letter in sorted(dated, key=lambda d: d[:2])]


def _answered(letter: Letter, by_id: dict[str, Letter]) -> Letter | None:
    return next((by_id[i] for i in letter.answers if i in by_id and by_id[i] is not letter), None)


class _Groups:
    """Names that belong together (a union of disjoint sets)."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def of(self, name: str) -> str:
        """The name that stands for all that belong with this one."""
        while (above := self._above.get(name, name)) != name:
            self._above[name] = self._above.get(above, above)
            name = above
        return name

    def join(self, one: str, other: str) -> None:
        """Put two together."""
        self._above[self.of(other)] = self.of(one)
