"""Mailboxes (mbox): where one mail ends and the next begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

MAX_MESSAGES: Final = 10_000
"""Mails that are read of a box."""
# A line of a text that begins with "From " is none: it has no empty line before it, or no head below it.
_FROM: Final = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\r\n]{0,998}\r?\n(?=[!-9;-~]{1,80}:|>?From )")
_ESCAPED: Final = re.compile(rb"(?m)^>(>*From )")


def messages_of(data: bytes) -> Iterator[bytes]:
    """The messages of a mailbox; a single mail is one."""
    found = list(_FROM.finditer(data)) if data.startswith(b"From ") else []
    if not found:
        yield data
        return
    ends = [*(m.start() for m in found[1:]), len(data)]
    for match, end in zip(found, ends, strict=True):
        yield _ESCAPED.sub(rb"\1", data[match.end() : end])
