"""The lines of a text as somebody typed it: what he quotes of others, and how deep, told apart from his own.

A quoted line bears `>`, stands below the copied head of a mail (`From: … Sent: …`), as Outlook quotes, or between
the `[quote]` and `[/quote]` of a forum. Lines
that a mailer broke softly (RFC 3676, `format=flowed`) say so. What a messenger writes before a message, when it was
sent and by whom, is no part of the line.

The text of an HTML mail as its reader sees it, quotes marked with `>`, by lxml's forgiving parser.

Nothing is fetched or run: scripts, styles and pictures are passed over, entities are those of HTML alone. What is
struck out or hidden its reader is not told: it becomes a comment below its line.

Mailboxes (mbox): where one mail ends and the next begins.

ZIP archives that mails carry: their files, bounded in number, size and ratio, unpacked in memory alone.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ...notation.cursor import physical_lines
from ...notation.vocabulary import notation
from ...notation.words import fold

if TYPE_CHECKING:
    from lxml.html import HtmlElement


MAX_DEPTH: Final = 30
"""Deeper quotes count as this deep."""
_MARKS: Final = re.compile(r"[ \t]*((?:>[ \t]?)+)")
_INVISIBLE: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"), "") | {0xA0: " "}
_FIELD: Final = re.compile(r"[*\s]*([^\W\d_][^\W\d_ -]*)(?: [^\W\d_ -]+){0,2}[*\s]*:[*\s]+\S.*")
_STAMPED: Final = re.compile(r"\S@\S|\b[0-9]{1,2}[:h][0-9]{2}\b|\b(?:19|20)[0-9]{2}\b")
_CHAT: Final = re.compile(
    r"(?:\[{when}\] |{when} - )[^:]{{1,60}}: ?".format(
        when=r"[0-9]{1,4}[/.-][0-9]{1,2}[/.-][0-9]{1,4},? [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[AaPp]\.?[Mm]\.?)?"
    )
)
"""What messengers write before a message that is copied or exported: when it was sent, and by whom."""
_WRITER: Final = re.compile(r"<[^<>@\s]+@[^<>@\s]+>[^<>]{0,40}:\s*$")
"""How the line ends that says who wrote what is quoted: `On … Ana <ana@example.org> wrote:`."""
_BLOCK: Final = re.compile(r"\[(/?)quote\b[^\]\[]{0,200}\]", re.IGNORECASE)
"""What forums put before and behind what is quoted: `[quote="Ana"]`, `[/quote]`."""
_LEAST_HEAD: Final = 3
"""Fields in a row that make the copied head of a mail."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """A line of a text: `number` counts from 1, `raw` is the line as it stands, `text` without marks of quoting.

    `depth` is how often it was quoted; `soft` says that a mailer broke the line at its end, and `glue` what stood
    there. `sent` is how many characters of `raw` a messenger wrote before the message.
    """

    number: int
    depth: int
    text: str
    raw: str
    soft: bool = False
    glue: str = " "
    sent: int = 0

    @property
    def blank(self) -> bool:
        """Whether nobody wrote anything in it."""
        return not self.text.strip()


def rows(text: str, *, flowed: bool = False, delsp: bool = False) -> list[TextRow]:
    """The lines of a text; `flowed` and `delsp` as its mail's Content-Type says (RFC 3676)."""
    found = []
    for number, raw in enumerate(physical_lines(text.translate(_INVISIBLE)), 1):
        # A flowed line that begins with a blank is stuffed with it, so as not to seem quoted.
        marks = _MARKS.match(raw) if not (flowed and raw.startswith(" ")) else None
        line = raw[marks.end() :] if marks else raw
        chat = _CHAT.match(line)
        line = line[chat.end() :] if chat else line
        sent = (marks.end() if marks else 0) + chat.end() if chat else 0
        depth = min(marks[1].count(">"), MAX_DEPTH) if marks else 0
        soft = flowed and line.endswith(" ") and line.strip() != "--"
        glue = "" if soft and delsp else " "
        found.append(TextRow(number, depth, line[:-1] if soft and delsp else line, raw, soft, glue, sent))
    return list(_below_heads(list(_within_blocks(found))))


def _within_blocks(lines: Sequence[TextRow]) -> Iterator[TextRow]:
    """The lines, with those that a forum marks as quoted one deeper for each pair of marks around them.

    A mark without its other half quotes nothing: nobody's orders are passed over for a slip. What a writer says
    himself beside such a mark is his own.
    """
    deeper = [0] * (len(lines) + 1)
    own: set[int] = set()
    begun: list[int] = []
    for i, row in enumerate(lines):
        for mark in _BLOCK.finditer(row.text) if "[" in row.text else ():
            if not mark[1]:
                begun.append(i)
                own |= {i} if _BLOCK.sub("", row.text[: mark.start()]).strip() else set()
            elif begun:
                deeper[begun.pop()] += 1
                deeper[i + 1] -= 1
                behind = _BLOCK.sub("", row.text[mark.end() :]).strip()
                own |= {i} if behind and not _BLOCK.sub("", row.text[: mark.start()]).strip() else set()
    depth = 0
    for i, row in enumerate(lines):
        depth += deeper[i]
        bare = _BLOCK.sub("", row.text) if "[" in row.text else row.text
        more = max(0, depth - (i in own))
        if more or bare != row.text:
            # A mark that stands alone is a line that somebody wrote, and is accounted for.
            text = bare if bare.strip() else row.text
            yield replace(row, depth=min(row.depth + more, MAX_DEPTH), text=text)
        else:
            yield row


def _below_heads(lines: Sequence[TextRow]) -> Iterator[TextRow]:
    """The lines, with those below a mail's copied head one deeper for each such head."""
    heads = _heads(lines) | _introductions(lines)
    deeper, outer = 0, -1
    for i, row in enumerate(lines):
        if deeper and not row.blank and row.depth < outer:
            deeper = 0
        if i in heads:
            deeper, outer = deeper + 1, row.depth
        yield replace(row, depth=min(row.depth + deeper, MAX_DEPTH)) if deeper else row


def _heads(lines: Sequence[TextRow]) -> set[int]:
    """Where the copied heads of mails begin: `From: …`, `Sent: …`, `To: …` in any language, one below the other."""
    found: set[int] = set()
    run: list[int] = []
    for i, row in enumerate([*lines, TextRow(0, 0, "", "")]):
        if _is_field(row.text[:500]) and (not run or row.depth == lines[run[-1]].depth):
            run.append(i)
            continue
        if len(run) >= _LEAST_HEAD and any(_STAMPED.search(lines[k].text[:500]) for k in run):
            found.add(run[0])
        run = []
    return found


def _introductions(lines: Sequence[TextRow]) -> set[int]:
    """Where a program says who wrote what stands below it, and marks none of that as quoted: Yahoo, web mailers."""
    said = [row for row in lines if not row.blank]
    found: set[int] = set()
    places = {row.number: i for i, row in enumerate(lines)}
    for i, row in enumerate(said):
        for count in (1, 2):
            below = said[i + count] if i + count < len(said) else None
            parts = [part.text[:500] for part in said[i : i + count]]
            text = " ".join(parts)
            if len(parts) > 1 and _introduces(parts[-1]):
                break  # what stands above such a line is its writer's own
            if below is not None and below.depth == row.depth and _introduces(text):
                found.add(places[row.number])
                break
    return found


def _introduces(text: str) -> bool:
    return bool(_WRITER.search(text)) and bool(_STAMPED.search(_WRITER.sub("", text)))


def _is_field(text: str) -> bool:
    name = _FIELD.fullmatch(text)
    return name is not None and not notation().begins(fold(name[1]))


def reading_order(lines: Sequence[TextRow], says: Iterable[int]) -> list[TextRow]:
    """Lines in the order in which they were written: what is quoted goes before the answer that stands above it.

    `says` are the numbers of lines that may be statements; an answer without any stays where it is.
    """
    return _ordered(list(lines), 0, frozenset(says))


def _ordered(lines: list[TextRow], level: int, says: frozenset[int]) -> list[TextRow]:
    if level > MAX_DEPTH or not any(row.depth > level for row in lines):
        return lines
    done: list[TextRow] = []
    top: list[TextRow] = []
    quoted_yet = False
    for own, run in _runs(lines, level):
        if own:
            moves = not quoted_yet and any(row.number in says for row in run)
            (top if moves else done).extend(run)
        else:
            quoted_yet = quoted_yet or any(row.number in says for row in run)
            done += _ordered(run, level + 1, says)
    return [*done, *top] if quoted_yet else lines


def _runs(lines: Iterable[TextRow], level: int) -> Iterator[tuple[bool, list[TextRow]]]:
    """Stretches of lines of a level, and of deeper ones; blank lines go with what is before them."""
    run: list[TextRow] = []
    own = True
    for row in lines:
        here = own if row.blank and run else row.depth <= level
        if run and here != own:
            yield own, run
            run = []
        own = here
        run.append(row)
    if run:
        yield own, run


MAX_TAGS_DEEP: Final = 200
"""How deep elements may lie in each other."""
_BREAKS: Final = frozenset(
    ("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div",
     "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
     "hgroup", "hr", "legend", "li", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre", "search",
     "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul")
)  # fmt: skip
_UNSEEN: Final = frozenset(("head", "script", "style", "title", "template"))
"""Of these no program shows the text. That of pictures, formulas and `noscript` is shown, for no script runs."""
_STRUCK: Final = frozenset(("s", "strike", "del"))
_TAKEN_OUT: Final = re.compile(r"line-through|display\s*:\s*none", re.IGNORECASE)
_BLANKS: Final = re.compile(r"[ \t\r\n\f]+")


class TooDeep(ValueError):
    """Elements lie deeper in each other than any mail program writes them."""


def as_text(html: str) -> str:
    """The text of a page. Raises TooDeep, and ValueError for what the parser refuses."""
    from lxml import etree
    from lxml import html as pages

    parser = pages.HTMLParser(remove_comments=True, remove_pis=True, no_network=True, recover=True)
    try:
        # As bytes, for a text with a declaration of its encoding is refused as text.
        tree = pages.document_fromstring(
            b'<meta charset="utf-8">' + html.encode("utf-8", "replace"),
            parser=parser,
        )
    except etree.ParserError:
        return ""  # nothing in it
    except etree.LxmlError as error:
        raise ValueError(str(error)) from error
    if any("xcessive depth" in entry.message for entry in parser.error_log):
        raise TooDeep
    page = _Page()
    page.element(tree, 0)
    return page.text()


class _Page:
    """The lines so far, and the one that is being written."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._depth = 0
        self._kept = False
        self._out = False
        self._aside: list[str] = []

    def element(self, element: HtmlElement, level: int) -> None:
        """An element with all that it holds."""
        if level > MAX_TAGS_DEEP:
            raise TooDeep
        tag = element.tag if isinstance(element.tag, str) else ""
        if tag in _UNSEEN or not tag:
            return
        kept, self._kept = self._kept, self._kept or tag == "pre"
        struck = tag in _STRUCK or element.get("hidden") is not None
        struck = struck or _TAKEN_OUT.search(element.get("style") or "") is not None
        out, self._out = self._out, self._out or struck
        if tag == "br":
            self._end()
        if tag in _BREAKS:
            self._break()
        self._depth += tag == "blockquote"
        self._write(element.text)
        for child in element:
            self.element(child, level + 1)
            self._write(child.tail)
        self._out = out
        if tag in _BREAKS:
            self._break()
        elif tag in ("td", "th"):
            self._line.append(" ")
        self._depth -= tag == "blockquote"
        self._kept = kept

    def text(self) -> str:
        """All lines."""
        self._break()
        return "\n".join(self._lines) + "\n"

    def _write(self, text: str | None) -> None:
        if not text:
            return
        if self._out:
            self._aside.append(_BLANKS.sub(" ", text))
            return
        if not self._kept:
            self._line.append(_BLANKS.sub(" ", text))
            return
        first, *rest = text.replace("\r\n", "\n").split("\n")
        self._line.append(first)
        for line in rest:
            self._end()
            self._line.append(line)

    def _break(self) -> None:
        if "".join((*self._line, *self._aside)).strip():
            self._end()
        self._line.clear()

    def _end(self) -> None:
        line = "".join(self._line)
        line = line.rstrip() if self._kept else line.strip()
        self._lines.append("> " * self._depth + line)
        self._line.clear()
        if said := "".join(self._aside).strip():
            self._lines.append(f"{'> ' * self._depth}# {said}")
        self._aside.clear()


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


MAX_FILES: Final = 200
MAX_TOTAL: Final = 100_000_000
MAX_RATIO: Final = 200
_SMALL: Final = 1_000_000
"""A file of fewer bytes may be packed as tightly as it will."""
_LOG: Final = "savedGame"
_BROKEN: Final = (
    zipfile.BadZipFile, RuntimeError, NotImplementedError, zlib.error, EOFError, OSError, struct.error, ValueError,
    LookupError,
)  # fmt: skip


def is_log(data: bytes) -> bool:
    """Whether an archive is a log or save of VASSAL that a mail program has renamed."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _LOG in archive.namelist()
    except _BROKEN:
        return False


def unpack(data: bytes) -> Iterator[tuple[str, bytes | str]]:
    """Each file of an archive: its name and its bytes, or why it was not read: a key of `report.aside`.

    What is wrong with the archive itself has the name "".
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            total = 0
            for entry in entries[:MAX_FILES]:
                found = _read(archive, entry, MAX_TOTAL - total)
                total += len(found) if isinstance(found, bytes) else 0
                yield entry.filename, found
            if len(entries) > MAX_FILES:
                yield "", "many"
    except _BROKEN:
        yield "", "damaged"


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> bytes | str:
    if entry.flag_bits & 1:
        return "locked"
    if entry.file_size > left or entry.file_size > max(_SMALL, entry.compress_size * MAX_RATIO):
        return "large"
    try:
        with archive.open(entry) as file:
            data = file.read(min(left, max(entry.file_size, _SMALL)) + 1)
    except _BROKEN:
        return "damaged"
    return data if len(data) <= left else "large"
