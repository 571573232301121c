"""Mails (`.eml`) and mailboxes (`.mbox`): the turn sheets and VASSAL logs that they carry, in the mails' order.

A sheet is an attachment that ends in `.sheet`, or the text of the mail from a line on that begins one (`sheet 1`).
A log is an attachment that ends in `.vlog` or `.vsav`. Nothing else of a mail is read, and nothing is ever unpacked
to disk. Messages are parsed by the standard library's `email`.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from hexforge.scenarios.system import open_file, refused
from hexforge.validator.readers.sheet import UnreadableSheet
from hexforge.validator.readers.words import fold, notation

MAX_BYTES: Final = 100_000_000
MAX_MESSAGES: Final = 1_000
MAX_PARTS: Final = 200
MAX_ATTACHMENTS: Final = 2_000
_BEGINS: Final = re.compile(r"[\s>]*(\w+)\s+[0-9]+\s*(?:#.*)?")
_FROM: Final = re.compile(rb"^From [^\r\n]{0,998}\r?\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Attached:
    """A sheet or log out of a mail. `name` is safe to show and never a path."""

    name: str
    data: bytes
    is_log: bool


def read_mail(path: str | Path) -> list[Attached]:
    """What a mail or mailbox carries. Raises UnreadableSheet for a file that cannot be read or carries nothing."""
    source = str(path)
    try:
        with open_file(path) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableSheet(source, "refused", why=refused(error)) from error
    if len(data) > MAX_BYTES:
        raise UnreadableSheet(source, "mail-large", limit=MAX_BYTES // 1_000_000)
    found: list[Attached] = []
    for message in _messages(data):
        for part in _carried(message, source):
            if len(found) >= MAX_ATTACHMENTS:
                raise UnreadableSheet(source, "mail-many", limit=MAX_ATTACHMENTS)
            found.append(part)
    if not found:
        raise UnreadableSheet(source, "mail-empty")
    return found


def _messages(data: bytes) -> Iterator[bytes]:
    """The messages of a mailbox; a single mail is one."""
    starts = [m.end() for m in _FROM.finditer(data)] if data.startswith(b"From ") else []
    if not starts:
        yield data
        return
    ends = [*[m.start() for m in _FROM.finditer(data)][1:], len(data)]
    for start, end in list(zip(starts, ends, strict=True))[:MAX_MESSAGES]:
        yield data[start:end]


def _carried(raw: bytes, source: str) -> Iterator[Attached]:
    try:
        message = email.message_from_bytes(raw, policy=email.policy.default)
        parts = [p for _, p in zip(range(MAX_PARTS), message.walk(), strict=False)]
    except (ValueError, LookupError, RecursionError, AttributeError, IndexError, TypeError) as error:
        # The library's parser of headers raises these on some malformed mails.
        raise UnreadableSheet(source, "mail-broken") from error
    for part in parts:
        assert isinstance(part, EmailMessage)
        try:
            yield from _part(part)
        except (ValueError, LookupError, AttributeError, IndexError, TypeError):
            continue


def _part(part: EmailMessage) -> Iterator[Attached]:
    if part.is_multipart():
        return
    name = _plain_name(part.get_filename() or "")
    suffix = Path(name).suffix.lower()
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    if suffix in (".vlog", ".vsav"):
        yield Attached(name, data, True)
    elif suffix == ".sheet":
        yield Attached(name, data, False)
    elif not name and part.get_content_type() == "text/plain":
        text = _sheet_in(str(part.get_content()))
        if text:
            yield Attached("", text.encode("utf-8"), False)


def _plain_name(name: str) -> str:
    """The last part of a name, without characters that could drive a terminal."""
    last = re.split(r"[\\/]", name)[-1]
    return "".join(c for c in last if c.isprintable())[:120]


def _sheet_in(body: str) -> str:
    """The sheet in a mail's text, its line numbers kept; "" if there is none. A signature ends it."""
    lines = body.splitlines()
    words = notation()
    begins = ((i, _BEGINS.fullmatch(line)) for i, line in enumerate(lines))
    first = next((i for i, m in begins if m and words.meaning("statements", fold(m[1])) == "sheet"), None)
    if first is None:
        return ""
    last = next((i for i in range(first, len(lines)) if lines[i] in ("-- ", "--")), len(lines))
    return "\n".join(["" if i < first else lines[i] for i in range(last)]) + "\n"
