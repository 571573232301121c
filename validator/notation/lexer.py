"""From text to logical lines of tokens: comments, quoting of mails, continuation lines, quoted names."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from typing import Final

from .words import DASHES, Vocabulary, fold

MAX_LINE: Final = 10_000
MAX_TOKENS: Final = 4_000
_LATELY: Final = 128
"""Lines of which it is remembered what they are made of."""

_QUOTING: Final = re.compile(r"[\s>]*")
ARROW: Final = "->"
_HEADS: Final = ">\u2192\u21d2\u2794\u279c\u279e\u27a1\u25ba\u25b6"
PICTURES: Final = (
    "\u2022\u2023\u2043\u20e3\u25a0-\u25b5\u25b7-\u25b9\u25bb-\u25ff\u2600-\u267f\u2686-\u2793\u2795-\u279b\u279d\u279f\u27a0"
    "\u27a2-\u27bf\u2b00-\u2bff\ufe0e\ufe0f\u200d\U0001f000-\U0001f3b1\U0001f3b3-\U0001faff\U000e0020-\U000e007f"
)
"""Bullets and pictures, as the inside of a class of characters: they say nothing wherever they stand."""
_NUMBERING: Final = re.compile(
    rf"(?:(?:[-*\u00b7\u2013\u2014+{_HEADS}{PICTURES}]+|[0-9]\ufe0f?\u20e3|\(?[0-9]{{1,3}}[.)]|\(?[A-Za-z]\)|\(?[ivxIVX]{{2,4}}\)|\(?[0-9]{{1,2}}[A-Za-z]\)|[0-9]{{1,2}}(?:\.[0-9]{{1,2}}){{1,3}}[.)]?|[A-Za-z]\.[0-9]{{1,2}}(?:\.[0-9A-Za-z]{{1,2}})?[.)]?|[A-Za-z]\.)\s+)+"
    r"(?=[^\W_]|[*_`|])"
)
"""What stands before a line of a list: `- `, `2) `, `a) `, `2a) `, `2.1 `, a picture."""
_FORUM: Final = re.compile(
    r"\[(?:/?(?:b|i|u|s|list|quote|code|pre|tt|size|color)(?:=[^\]\s]{1,40})?|\*)\]", re.IGNORECASE
)
"""Marks of forums, `[b]…[/b]`, `[*]`."""
_BOLD: Final = "*_`~"
"""Marks of bold, slanted or typewriter letters around words, and of rules."""
_ARROW: Final = re.compile(f"-*[{_HEADS}]+")
_HEX: Final = "(?:[A-Za-z]?[0-9]{4}|[A-Za-z]{1,3}[0-9]{1,3}|[0-9]{1,3}[A-Za-z]{1,3})"
_BY_ARROWS: Final = re.compile(f"[^{_HEADS}]+(?:[{_HEADS}]+{_HEX}-*)+[{_HEADS}]*|{_HEX}-*[{_HEADS}]+")
"""Hexes, the first perhaps a unit, with arrows between them and no blanks."""
_FACES: Final = {0x267F + face: str(face) for face in range(1, 7)}
"""Dice as pictures of their faces."""
_PLAIN: Final = DASHES | _FACES
_COUNTED: Final = re.compile(r"#[0-9]{1,2}(?=\s*[:.)-])")
_QUOTED: Final = ("quoted", "curly", "low", "single", "angle")
_TOKEN: Final = re.compile(
    rf"""[\s,;()\[\]|\u200b\u200e\u200f\ufeff{PICTURES}]*+(?:
        "(?P<quoted>[^"]*)"
      | \u201c(?P<curly>[^\u201d]*)\u201d
      | \u201e(?P<low>[^\u201c\u201d]*)[\u201c\u201d]
      | \u2018(?P<single>[^\u2019]*)\u2019
      | \u00ab(?P<angle>[^\u00bb]*)\u00bb
      | (?P<arrow>[-\u2013\u2014=]*[{_HEADS}]+
          (?=[\s0-9{PICTURES}]|[A-Za-z][0-9]{{4}}|[A-Za-z]{{1,3}}[0-9]{{1,3}}\b|$))
      | (?P<comment>\#.*|(?<!\S)//.*)
      | (?P<mark>[:=/])
      | (?P<word>[^\s,;:=/"\u201c\u00ab\#()\[\]|\u200b\u200e\u200f\ufeff{PICTURES}]+)
      | (?P<stray>\S)
    )""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a line: `kind` is `word`, `name` (it stood in quotes), `mark` (`:` `=` `/`) or `stray`.

    An arrow of any form is a mark, `->`. `text` keeps the writer's spelling; `key` is folded, for comparison.
    `line` and `column` count from 1 in the physical lines of the file.
    """

    kind: str
    text: str
    key: str
    line: int
    column: int

    @property
    def behind(self) -> tuple[int, int]:
        """The place just behind it."""
        return self.line, _behind(self)


def in_place(token: Token, section: str, id_: str, words: Vocabulary) -> Token:
    """A word of the notation in the place of a token."""
    form = words.first(section, id_)
    return replace(token, kind="word", text=form, key=fold(form))


def ended(tokens: tuple[Token, ...], declared: Container[str]) -> tuple[Token, ...]:
    """Without the full stop, or the colon, that ends a sentence."""
    while tokens:
        last = tokens[-1]
        if len(tokens) > 1 and last.text in (":", ".", "!") and last.kind != "name":
            tokens = tokens[:-1]
            continue
        # Three points are no full stop: something was left out.
        stop = _STOP.fullmatch(last.text) if last.kind == "word" and last.key not in declared else None
        return (*tokens[:-1], replace(last, text=stop[1], key=fold(stop[1]))) if stop else tokens
    return tokens


_STOP: Final = re.compile(r"(.*[^.!])(?:\.|!{1,9})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """A statement's tokens, after joining continuation lines. `end` is the place just behind the last token.

    `texts` are the physical lines of the whole file. `tidied` is kept by `natural`: tokens that are tidy
    already, and how many units were declared then.
    """

    line: int
    tokens: tuple[Token, ...]
    end: tuple[int, int]
    too_long: bool = False
    texts: Sequence[str] = field(default=(), compare=False, repr=False)
    tidied: tuple[tuple[Token, ...], int] = field(default=((), 0), compare=False, repr=False)

    def of(self, tokens: tuple[Token, ...]) -> LogicalLine:
        """The line with other tokens; itself where they are the same."""
        if tokens == self.tokens:
            return self
        return LogicalLine(self.line, tokens, self.end, self.too_long, self.texts)

    def semicolon(self, before: Token, after: Token) -> bool:
        """Whether one stands between two tokens that follow each other."""
        return ";" in self.gap(before, after)

    def comma(self, before: Token, after: Token) -> bool:
        """As `semicolon`."""
        return "," in self.gap(before, after)

    def gap(self, before: Token, after: Token) -> str:
        """What stands between two tokens that follow each other, in the line of the second."""
        text, end = self.texts[after.line - 1], after.column - 1
        if before.line != after.line:
            return text[:end]
        if before.kind == "name" or text.startswith(before.text, before.column - 1):
            return text[_behind(before) - 1 : end]
        # Another word was put in for what was typed, of which the last letter is looked for from behind.
        start = end
        while start >= before.column and not (text[start - 1].isalnum() or text[start - 1] == "_"):
            start -= 1
        return text[start:end]

    def between(self, tokens: Sequence[Token]) -> Iterator[str]:
        """What stands in each physical line from the first to the last of some tokens, commas and all."""
        for number, group in groupby(tokens, key=lambda token: token.line):
            found = list(group)
            yield self.texts[number - 1][found[0].column - 1 : _behind(found[-1]) - 1]


def physical_lines(text: str) -> list[str]:
    """The lines of a file as an editor numbers them: only CR, LF and CRLF end a line."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return lines


# A line is held against those around it, and tried as one thing after the other.
@lru_cache(_LATELY)
def _tokens(text: str, number: int, *, begins: bool = True) -> tuple[tuple[Token, ...], bool]:
    """The tokens of a physical line, and whether it continues on the next; `begins`: it continues none itself."""
    found: list[Token] = []
    if "[" in text:
        text = _FORUM.sub(lambda mark: " " * len(mark[0]), text)
    at = _QUOTING.match(text).end()  # type: ignore[union-attr]  # it matches the empty string too
    if begins and (numbering := _NUMBERING.match(text, at)):
        at = numbering.end()
    while match := _TOKEN.match(text, at):
        at = match.end()
        kind = str(match.lastgroup)
        if kind == "comment":
            if len(found) == 1 and (counted := _COUNTED.match(match[kind])):
                # `Combat #1: 1007`: the first of several, and no comment.
                at = match.start(kind) + counted.end()
                continue
            break
        value = match[kind]
        column = match.start(kind) + 1
        if kind == "word" and (value[0] in _BOLD or value[-1] in _BOLD):
            bare = value.strip(_BOLD)
            if not bare:
                continue
            value, column = bare, column + value.index(bare)
        if kind in _QUOTED:
            found.append(Token("name", value, fold(value), number, column - 1))
            continue
        if kind == "arrow":
            found.append(Token("mark", ARROW, ARROW, number, column))
            continue
        if kind == "word" and not value.isascii():
            value = value.translate(_PLAIN)
        if kind == "word" and _BY_ARROWS.fullmatch(value):
            found += _by_arrows(value, number, column)
            continue
        found.append(Token(kind, value, fold(value), number, column))
    if found and found[-1].kind == "word" and found[-1].text.endswith("\\"):
        last = found.pop()
        rest = last.text[:-1]
        if rest:
            found.append(Token("word", rest, fold(rest), number, last.column))
        return tuple(found), True
    return tuple(found), False


def _by_arrows(text: str, number: int, column: int) -> Iterator[Token]:
    at = 0
    for match in (*_ARROW.finditer(text), None):
        end = match.start() if match else len(text)
        if piece := text[at:end]:
            yield Token("word", piece, fold(piece), number, column + at)
        if match:
            yield Token("mark", ARROW, ARROW, number, column + end)
            at = match.end()


@lru_cache(_LATELY)
def comment_of(text: str) -> tuple[int, str]:
    """Where the comment of a physical line begins, counted from 0, and the comment, which is written with `#`.

    The line's length and "" where it has none.
    """
    at = _QUOTING.match(text).end()  # type: ignore[union-attr]  # it matches the empty string too
    count = 0
    while match := _TOKEN.match(text, at):
        at = match.end()
        count += 1
        if match.lastgroup == "comment" and count == 2 and (counted := _COUNTED.match(match["comment"])):
            at = match.start("comment") + counted.end()
        elif match.lastgroup == "comment":
            return match.start("comment"), re.sub("^//", "#", match["comment"].rstrip())
    return len(text), ""


def is_comment(text: str) -> bool:
    """Whether a line is a comment and nothing else, wherever it may have been quoted."""
    return text.lstrip("> \t").startswith(("#", "//"))


def uncommented(text: str) -> str:
    """A line without its comment."""
    return text[: comment_of(text)[0]]


_COMMENT: Final = re.compile(r"#|(?<!\S)//")


def _behind(token: Token) -> int:
    return token.column + len(token.text) + (2 if token.kind == "name" else 0)


def logical_lines(lines: list[str]) -> Iterator[LogicalLine]:
    """Statements as they stand in the file; blank and comment lines give none."""
    gathered: list[Token] = []
    first = 0
    end = (1, 1)
    overflow = False
    for number, text in enumerate(lines, 1):
        overflow = overflow or len(text) > MAX_LINE or len(gathered) > MAX_TOKENS
        tokens, more = ((), False) if overflow else _tokens(text, number, begins=not gathered)
        if tokens or overflow:
            first = first or number
            gathered += tokens
            end = (number, _behind(tokens[-1]) if tokens else 1)
        if more:
            continue
        if first:
            yield LogicalLine(first, tuple(gathered), end, overflow, lines)
        gathered, first, overflow = [], 0, False
    if first:
        yield LogicalLine(first, tuple(gathered), end, overflow, lines)
