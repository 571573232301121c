"""One mail as its sender meant it: who wrote when, the text, the logs and sheets that it carries.

Parsed by the standard library's `email`. Nothing is ever unpacked to disk, and what is not read is named.
"""

from __future__ import annotations

import email.policy
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import getaddresses, parsedate_to_datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Final

from ...notation.records import Attached
from ...notation.vocabulary import notation
from ...notation.words import fold
from ..decoding import MAX_BYTES, UnreadableSheet, decode
from .quoting import MAX_MESSAGES, TextRow, as_text, is_log, messages_of, rows, unpack

MAX_PARTS: Final = 200
MAX_LEVELS: Final = 10
MAX_ROWS: Final = 20_000
MAX_IDS: Final = 200
_MAX_KEPT: Final = 10_000
_MAIL: Final = "message/rfc822"
_MAILDIR: Final = ("cur", "new")
"""Folders in which a Maildir keeps its mails, whose names end in anything."""
LOGS: Final = (".vlog", ".vsav")
_TELLING: Final = (*LOGS, ".sheet", ".txt", ".eml", ".mbox", ".zip")
"""Endings of files that may tell of a game."""
_SHUT: Final = ("nested", "many", "deep")
"""Why something is not read, whatever it is called, that may hold a file which does."""
_ID: Final = re.compile(r"<[^<>\s]{1,500}>")
_BAD: Final = (ValueError, LookupError, RecursionError, AttributeError, IndexError, TypeError)
"""What the library's parsers of headers and bodies raise on some malformed mails."""


class _Policy(email.policy.EmailPolicy):
    """The library's default policy, with each header parsed once: a content type is asked a dozen things."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        return _parsed(name, value) if len(value) <= _MAX_KEPT else super().header_fetch_parse(name, value)


@lru_cache(maxsize=32)
def _parsed(name: str, value: str) -> str:
    found: str = email.policy.default.header_fetch_parse(name, value)
    return found


_POLICY: Final = _Policy()


@dataclass(frozen=True, slots=True)
class TypedText:
    """A text that somebody typed. `name` is that of the attachment, "" for the mail's own text.

    `strict`: it is a sheet, in which every line is meant as one. `spare`: lines that only another form of the mail
    has.
    """

    name: str
    rows: tuple[TextRow, ...]
    strict: bool = False
    spare: bool = False


@dataclass(frozen=True, slots=True)
class Aside:
    """What is not read: a file or a part of a mail, and why: a key of `report.aside`."""

    name: str
    why: str

    @property
    def closed(self) -> bool:
        """Whether it may hold a game: an archive or a mail that was not opened, or a file of such a kind."""
        return self.why in _SHUT or (self.why != "kind" and PurePosixPath(self.name).suffix.lower() in _TELLING)


@dataclass(slots=True, eq=False)
class Letter:
    """A mail, or a text file, which then has nothing but its `source` and `texts`.

    `source` is the file, and in a mailbox which of its mails; `id` and `answers` are the ids of the mail and of
    those that it answers, the last first. `failures` are sheets that cannot be read, with the reason; `packed` the
    mails that lie in archives of it.
    """

    source: str
    sender: str = ""
    date: datetime | None = None
    subject: str = ""
    id: str = ""
    answers: tuple[str, ...] = ()
    persons: frozenset[str] = frozenset()
    """The addresses of who wrote it and of whom it is for."""
    texts: list[TypedText] = field(default_factory=list)
    logs: list[Attached] = field(default_factory=list)
    aside: list[Aside] = field(default_factory=list)
    failures: list[tuple[str, Exception]] = field(default_factory=list)
    packed: list[Letter] = field(default_factory=list)

    @property
    def file(self) -> str:
        """The file alone."""
        return re.sub(r"\[[0-9]+\]$", "", self.source)

    def opened(self) -> Iterator[Letter]:
        """The letter, and behind it the mails of its archives."""
        yield self
        for letter in self.packed:
            yield from letter.opened()


def read_message(data: bytes, source: str, *, packed: bool = False) -> Iterator[Letter]:
    """A mail, and after it the mails that it forwards. Raises UnreadableSheet for what is none.

    `packed`: it comes out of an archive itself, and none that it carries is opened.
    """
    try:
        message = email.message_from_bytes(data, policy=_POLICY)
        if not message.keys():
            raise UnreadableSheet(source, "mail-broken")
        assert isinstance(message, EmailMessage)
        yield from _Opener(source, packed=packed).letters(message, 0)
    except _BAD as error:
        raise UnreadableSheet(source, "mail-broken") from error


def _addresses(message: EmailMessage) -> Iterator[str]:
    fields = [_header(message, name) for name in ("From", "To", "Cc")]
    return (address.casefold() for _, address in getaddresses(fields) if "@" in address)


class _Opener:
    """Opens a mail part by part."""

    def __init__(self, source: str, *, packed: bool = False) -> None:
        self._source = source
        self._packed = packed
        self._parts = 0

    def letters(self, message: EmailMessage, level: int) -> Iterator[Letter]:
        letter = Letter(
            self._source,
            sender=_shown(_header(message, "From")),
            date=_date(message),
            subject=_shown(_header(message, "Subject")),
            id=next(iter(_ids(message, "Message-ID")), ""),
            answers=tuple(dict.fromkeys([*_ids(message, "In-Reply-To")[:1], *_ids(message, "References")[::-1]])),
            persons=frozenset(_addresses(message)),
        )
        forwarded: list[EmailMessage] = []
        body: list[tuple[str, bool, bool]] = []
        self._part(message, letter, body, forwarded, 0)
        for text, *_ in body:
            _refuse_long(text, self._source)
        if body:
            letter.texts.insert(0, TypedText("", _bounded(_joined(body), self._source)))
        yield letter
        for inner in forwarded:
            if level >= MAX_LEVELS:
                letter.aside.append(Aside(_shown(_header(inner, "Subject")), "deep"))
            else:
                yield from self.letters(inner, level + 1)

    def _part(
        self, part: EmailMessage, letter: Letter, body: list[tuple[str, bool, bool]],
        forwarded: list[EmailMessage], level: int,
    ) -> None:  # fmt: skip
        self._parts += 1
        if self._parts > MAX_PARTS or level > MAX_PARTS // 4:
            raise UnreadableSheet(self._source, "mail-parts", limit=MAX_PARTS)
        inner = [p for p in part.iter_parts() if isinstance(p, EmailMessage)] if part.is_multipart() else []
        if part.get_content_type() == "message/rfc822":
            forwarded += inner or [p for p in part.get_payload() if isinstance(p, EmailMessage)]
        elif part.get_content_type() == "multipart/alternative":
            self._alternative(inner, letter, body, forwarded, level)
        elif part.is_multipart():
            for each in inner:
                self._part(each, letter, body, forwarded, level + 1)
        else:
            self._leaf(part, letter, body)

    def _alternative(
        self, forms: list[EmailMessage], letter: Letter, body: list[tuple[str, bool, bool]],
        forwarded: list[EmailMessage], level: int,
    ) -> None:  # fmt: skip
        """Forms of one text: the plain one, unless only another says what statements say."""
        read: list[list[tuple[str, bool, bool]]] = []
        for form in forms:
            found: list[tuple[str, bool, bool]] = []
            self._part(form, letter, found, forwarded, level + 1)
            read += [found] if found else []
        if not read:
            return
        chosen = next((f for f in read if _speaks(f)), read[0])
        said = _squeezed("\n".join(text for text, _, _ in chosen))
        body += chosen
        for other in read:
            spare = [line for text, _, _ in other for line in text.split("\n") if _squeezed(line) not in said]
            if other is not chosen and spare:
                letter.texts.append(TypedText("HTML", tuple(rows("\n".join(spare))), spare=True))

    def _leaf(self, part: EmailMessage, letter: Letter, body: list[tuple[str, bool, bool]]) -> None:
        name = plain_name(part.get_filename() or "")
        kind = part.get_content_type()
        if kind.startswith("multipart/"):
            kind = "text/plain"  # its parts are not told apart
        payload = part.get_payload(decode=True)
        data = payload if isinstance(payload, bytes) else b""
        if name or kind not in ("text/plain", "text/html"):
            carried(name, data, letter, kind=kind, packed=self._packed)
            return
        if len(data) > MAX_BYTES:
            large = UnreadableSheet(self._source, "large", limit=MAX_BYTES // 1_000_000)
            letter.failures.append((self._source, large))
            return
        try:
            text = _decoded(part, data)
            flowed = kind == "text/plain" and str(part.get_param("format", "")).lower() == "flowed"
            delsp = str(part.get_param("delsp", "")).lower() == "yes"
            body.append((as_text(text), False, False) if kind == "text/html" else (text, flowed, delsp))
        except (UnreadableSheet, *_BAD):
            letter.failures.append((self._source, UnreadableSheet(self._source, "mail-text")))


_TEXTUAL: Final = (".sheet", ".eml", ".mbox")


def carried(name: str, data: bytes, letter: Letter, *, kind: str = "", packed: bool = False) -> None:
    """Take an attachment, or a file of one that is an archive: `packed`, and of no `kind` unless it is a mail."""
    suffix = Path(name).suffix.lower()
    try:
        if suffix in LOGS or (suffix not in _TEXTUAL and is_log(data)):
            letter.logs.append(Attached(name, data, True, letter.source))
        elif suffix == ".sheet":
            letter.texts.append(typed_text(name, data, strict=True))
        elif suffix == ".txt":
            letter.texts.append(typed_text(name, data))
        elif suffix == ".mbox" and not (packed and kind):
            _boxed(name, data, letter)
        elif packed and (suffix == ".eml" or kind == _MAIL):
            letter.packed += read_message(data, f"{letter.source}: {name}", packed=True)
        elif suffix == ".eml":
            for inner in read_message(data, name):
                letter.texts += inner.texts
                letter.logs += [replace(log, mail=letter.source) for log in inner.logs]
                letter.aside += inner.aside
                letter.failures += inner.failures
                letter.packed += inner.packed
        elif suffix == ".zip" and not packed:
            _unpacked(name, data, letter)
        else:
            letter.aside.append(Aside(name or kind, "nested" if suffix in (".zip", ".mbox") else "kind"))
    except UnreadableSheet as error:
        letter.failures.append((f"{letter.source}: {name}", error))


def _boxed(name: str, data: bytes, letter: Letter) -> None:
    """Take the mails of a mailbox that is attached, or lies in an archive; a broken one hides no other."""
    found = list(islice(messages_of(data), MAX_MESSAGES + 1))
    if len(found) > MAX_MESSAGES:
        raise UnreadableSheet(name, "mail-messages", limit=MAX_MESSAGES)
    for number, message in enumerate(found, 1):
        source = f"{letter.source}: {name}[{number}]"
        try:
            letter.packed += read_message(message, source, packed=True)
        except UnreadableSheet as error:
            letter.failures.append((source, error))


def typed_text(name: str, data: bytes, *, strict: bool = False) -> TypedText:
    """A text that came as a file. Raises UnreadableSheet for what is none, or has more lines than anybody types."""
    text = decode(data, name)
    _refuse_long(text, name)
    return TypedText(name, _bounded(tuple(rows(text)), name), strict=strict)


def _refuse_long(text: str, source: str) -> None:
    """Raise UnreadableSheet for a text of too many lines before a row is made of each of them."""
    if max(map(text.count, "\n\r")) > MAX_ROWS:
        raise UnreadableSheet(source, "mail-lines", limit=MAX_ROWS)


def _bounded(found: tuple[TextRow, ...], source: str) -> tuple[TextRow, ...]:
    if len(found) > MAX_ROWS:
        raise UnreadableSheet(source, "mail-lines", limit=MAX_ROWS)
    return found


def _unpacked(name: str, data: bytes, letter: Letter) -> None:
    for inner, found in unpack(data):
        shown = plain_name(inner)
        if isinstance(found, str):
            letter.aside.append(Aside(shown or name, found))
        else:
            kept = PurePosixPath(inner).parent.name in _MAILDIR
            carried(shown, found, letter, kind=_MAIL if kept else "", packed=True)


def _joined(body: list[tuple[str, bool, bool]]) -> tuple[TextRow, ...]:
    """The parts of a mail's text as one: mail programs break it where an attachment stands between."""
    found: list[TextRow] = []
    for text, flowed, delsp in body:
        start = len(found)
        found += [replace(row, number=start + row.number) for row in rows(text, flowed=flowed, delsp=delsp)]
    return tuple(found)


def _speaks(form: list[tuple[str, bool, bool]]) -> bool:
    """Whether a text has a line that begins as a statement does."""
    words = notation()
    firsts = (re.match(r"[\s>*-]*([^\W\d_][\w-]*)", line) for text, _, _ in form for line in text.split("\n"))
    return any(m is not None and words.begins(fold(m[1])) for m in firsts)


def _squeezed(text: str) -> str:
    return re.sub(r"[\s>*_\xa0\u200b]+", "", text)


def _decoded(part: EmailMessage, data: bytes) -> str:
    charset = part.get_content_charset() or ""
    try:
        text = data.decode(charset) if charset and charset != "us-ascii" else decode(data)
    except (LookupError, UnicodeDecodeError):
        return decode(data)
    if "\x00" in text:
        raise UnreadableSheet("", "no-text")
    return text


def _header(message: EmailMessage, name: str) -> str:
    try:
        return str(message.get(name, ""))[:1000]
    except _BAD:
        return ""


def _ids(message: EmailMessage, name: str) -> list[str]:
    try:
        return _ID.findall(str(message.get(name, "")))[-MAX_IDS:]
    except _BAD:
        return []


def _date(message: EmailMessage) -> datetime | None:
    """When a mail was sent; None where it does not say. Dates without a zone count as universal time."""
    try:
        found = parsedate_to_datetime(_header(message, "Date"))
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    except (*_BAD, OverflowError):
        return None


def plain_name(name: str) -> str:
    """The last part of a name, without characters that could drive a terminal."""
    return _shown(re.split(r"[\\/]", name)[-1])


def _shown(text: str) -> str:
    return "".join(c for c in text if c.isprintable())[:120]
