"""Which mails answer each other, in order: by ids, else by subject and a person in common, and by date.

Mails (`.eml`), mailboxes (`.mbox`) and Maildir folders: the letters in them, in the order of the files.

Texts (`.txt`) and archives (`.zip`) are letters too, without a sender.

A mailbox is untrusted: its size and the number of its mails are bounded, and what is beyond a bound is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from ....scenarios.console import open_file, refused
from ...notation.cursor import is_comment
from ...notation.records import is_maildir, looks_like_mail
from ...notation.vocabulary import notation
from ...notation.words import fold
from ..decoding import UnreadableSheet, decode
from ..line_classifier import Ear
from .mime import Letter, carried, plain_name, read_message, typed_text
from .quoting import MAX_MESSAGES, messages_of, rows

_REPLY: Final = re.compile(r"(?:\s*\w{1,4}(?:\[\d+\])?\s*:)+\s*")
"""What programs put before the subject of an answer, in any language: `Re:`, `RES:`, `Enc:`, `AW:`, `Re[2]:`."""


def threads(letters: Iterable[Letter]) -> tuple[list[list[Letter]], list[Letter]]:
    """Letters that belong together, each such thread in the order of writing, and second copies of letters.

    Threads come in the order of their first letters.
    """
    kept, copies = _once(letters)
    group = _Groups()
    subjects: dict[tuple[str, str], list[tuple[str, frozenset[str]]]] = {}
    for i, letter in _dated(kept):
        own = letter.id or f"#{i}"
        for answered in letter.answers:
            group.join(own, answered)
        subject = (_box(letter.source), fold(untagged(letter.subject)).strip())
        if not letter.answers and _REPLY.match(letter.subject):
            # A subject alone joins nobody: strangers play the same game, and call it by its name.
            known = (id_ for id_, persons in reversed(subjects.get(subject, [])) if persons & letter.persons)
            if (other := next(known, None)) is not None:
                group.join(own, other)
        if subject[1]:
            subjects.setdefault(subject, []).append((own, letter.persons))
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


MAX_BYTES: Final = 100_000_000
MAX_PASTED: Final = 1_000_000
MAX_ATTACHMENTS: Final = 2_000


def read_letters(path: str | Path) -> list[Letter]:
    """The letters of a mail, a mailbox or a Maildir. Raises UnreadableSheet for a file that cannot be read."""
    source = str(path)
    if is_maildir(path):
        return [letter for file in maildir_files(Path(path)) for letter in read_letters(file)]
    try:
        with open_file(path) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableSheet(source, "refused", why=refused(error)) from error
    return read_mails(data, source)


def read_mails(data: bytes, source: str) -> list[Letter]:
    """The letters in the bytes of a mail or mailbox. Raises UnreadableSheet for what is none, or too large."""
    if len(data) > MAX_BYTES:
        raise UnreadableSheet(source, "mail-large", limit=MAX_BYTES // 1_000_000)
    if Path(source).suffix.lower() in (".txt", ".zip") or (source == "-" and is_pasted(data)):
        return [*_file(data, source).opened()]
    found: list[Letter] = []
    attached = 0
    messages = list(messages_of(data))
    if len(messages) > MAX_MESSAGES:
        raise UnreadableSheet(source, "mail-messages", limit=MAX_MESSAGES)
    for number, raw in enumerate(messages, 1):
        name = f"{source}[{number}]" if len(messages) > 1 else source
        for letter in _read(raw, name, alone=len(messages) == 1):
            for each in letter.opened():
                found.append(each)
                attached += len(each.logs) + len(each.texts)
            if attached > MAX_ATTACHMENTS + number:
                raise UnreadableSheet(source, "mail-many", limit=MAX_ATTACHMENTS)
    return found


def _read(raw: bytes, source: str, *, alone: bool) -> list[Letter]:
    """A mail with those that it forwards; a broken one in a mailbox does not hide the others."""
    try:
        return list(read_message(raw, source))
    except UnreadableSheet as error:
        if alone:
            raise
        return [Letter(source, failures=[(source, error)])]


def _file(data: bytes, source: str) -> Letter:
    """A text file as a letter, or an archive as one that carries its files."""
    letter = Letter(source)
    if Path(source).suffix.lower() != ".zip":
        letter.texts.append(replace(typed_text(source, data), name=""))
    else:
        carried(plain_name(source), data, letter)
    return letter


def is_pasted(data: bytes) -> bool:
    """Whether a text is that of a mail rather than a sheet: it quotes some of its lines, or begins with talk."""
    if looks_like_mail(data):
        return False
    try:
        found = [row for row in rows(decode(data[:MAX_PASTED])) if not row.blank]
    except UnreadableSheet:
        return False
    if len({row.depth > 0 for row in found}) > 1:
        return True
    first = next((row.text for row in found if not is_comment(row.text)), "")
    return bool(first) and not Ear(notation()).says(first)


def maildir_files(folder: Path) -> list[Path]:
    """The mails of a Maildir, by their names, which begin with the time of delivery."""
    found = (file for part in ("cur", "new") for file in (folder / part).iterdir() if file.is_file())
    return sorted(found, key=lambda file: file.name)
