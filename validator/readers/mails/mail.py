"""Mails (`.eml`), mailboxes (`.mbox`) and Maildir folders: the letters in them, in the order of the files.

Texts (`.txt`) and archives (`.zip`) are letters too, without a sender.

A mailbox is untrusted: its size and the number of its mails are bounded, and what is beyond a bound is an error.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from hexforge.scenarios.system import open_file, refused
from hexforge.validator.readers.likeness import Ear, Meant
from hexforge.validator.readers.mails.attached import Attached
from hexforge.validator.readers.mails.boxes import MAX_MESSAGES, messages_of
from hexforge.validator.readers.mails.mime import Letter, carried, plain_name, read_message, typed_text
from hexforge.validator.readers.mails.quoting import rows
from hexforge.validator.readers.notation.lexer import is_comment
from hexforge.validator.readers.notation.wordbooks import notation
from hexforge.validator.readers.raw import UnreadableSheet, decode
from hexforge.validator.transcribe.kind import looks_like_mail

__all__ = ["Attached", "Letter", "is_maildir", "maildir_files", "read_letters", "read_mails"]

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
    return bool(first) and Ear(notation()).hears(first)[1] is Meant.NO


def is_maildir(path: str | Path) -> bool:
    """Whether a folder is a mailbox of the form Maildir."""
    return (Path(path) / "cur").is_dir() and (Path(path) / "new").is_dir()


def maildir_files(folder: Path) -> list[Path]:
    """The mails of a Maildir, by their names, which begin with the time of delivery."""
    found = (file for part in ("cur", "new") for file in (folder / part).iterdir() if file.is_file())
    return sorted(found, key=lambda file: file.name)
