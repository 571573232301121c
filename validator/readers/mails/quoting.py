"""The lines of a text as somebody typed it: what he quotes of others, and how deep, told apart from his own.

A quoted line bears `>`, stands below the copied head of a mail (`From: … Sent: …`), as Outlook quotes, or between
the `[quote]` and `[/quote]` of a forum. Lines
that a mailer broke softly (RFC 3676, `format=flowed`) say so. What a messenger writes before a message, when it was
sent and by whom, is no part of the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hexforge.validator.readers.notation.lexer import physical_lines
from hexforge.validator.readers.notation.wordbooks import notation
from hexforge.validator.readers.notation.words import fold

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
