"""Tokens of a line and a cursor that reads them: what stands there, and what was expected.

From text to logical lines of tokens: comments, quoting of mails, continuation lines, quoted names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from typing import Final

from ...scenarios.text.words import Language, Message, Param, message
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

    `texts` are the physical lines of the whole file.
    """

    line: int
    tokens: tuple[Token, ...]
    end: tuple[int, int]
    too_long: bool = False
    texts: Sequence[str] = field(default=(), compare=False, repr=False)

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


HEX: Final = re.compile(r"[0-9]{4}")
UNIT: Final = re.compile(r"[a-z0-9][a-z0-9.-]*")
WORD: Final = re.compile(r"[a-z][a-z0-9_.-]*")
NUMBER: Final = re.compile(r"[0-9]{1,6}")
_MOST: Final = 8
"""Units that a hint names."""
DIGIT: Final = re.compile(r"[0-9].*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """A line that could not be read as it stands. `column` counts from 1 in the physical line `line`.

    `found` is the text at that place ("" at the end of a line), `expected` says what would have fitted. `below` are
    lines that can be read but mean nothing without this one; `assumed` is the statement for which it was taken to
    give them a meaning, as that is written. `head`: it may have said how the game begins, or what it is judged by.
    `proposed`: lines that it may mean, the likeliest first, each with the words that this leaves out.
    """

    line: int
    column: int
    found: str
    expected: Message
    below: tuple[int, ...] = ()
    assumed: str = ""
    head: bool = False
    proposed: tuple[tuple[str, str], ...] = field(default=(), compare=False)


class Unread(Exception):
    """A statement is not readable at a token; `problem` says where and what was expected."""

    def __init__(self, problem: SyntaxProblem) -> None:
        super().__init__(problem)
        self.problem = problem


def expected(key: str, **values: Param) -> Message:
    """A hint: `key` names it within `notation.expected`."""
    return message(f"notation.expected.{key}", **values)


_OF_HEXES: Final = ("hex", "hexside", "hexside-rest")


class Cursor:
    """A place in a logical line. What takes something moves on only if it fits.

    `language` is the one that the sheet speaks, as far as can be told; examples in hints are in it. `problems` are
    those that do not keep the statement from being read, `void` says that it has no meaning all the same. `stops`
    are small words that end a list of units. `declared` are the units that the sheet has named; `naming` says that
    the next one is given its name here, `sure` that nothing is one, nor a code, which the game does not know.
    """

    def __init__(
        self, source: LogicalLine, vocabulary: Vocabulary, language: Language, declared: Collection[str] = ()
    ) -> None:
        self._source = source
        self._tokens = source.tokens
        self._at = 0
        self.words = vocabulary
        self.language = language
        self.problems: list[SyntaxProblem] = []
        self.void = False
        self.stops: tuple[str, ...] = ()
        self.declared = declared
        self.naming = False
        self.sure = False

    @property
    def line(self) -> int:
        """First physical line of the statement."""
        return self._source.line

    @property
    def tokens(self) -> tuple[Token, ...]:
        """All that the line says."""
        return self._tokens

    @property
    def here(self) -> Token | None:
        """The token to be read next; None at the end of the line."""
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def ahead(self, count: int = 1) -> Token | None:
        """A token further on."""
        at = self._at + count
        return self._tokens[at] if at < len(self._tokens) else None

    @property
    def word(self) -> Token | None:
        """The token here if it is a word."""
        token = self.here
        return token if token is not None and token.kind == "word" else None

    def stands(self, pattern: re.Pattern[str]) -> bool:
        """Whether a word of a form stands here; figures must be plain ones, letters may have accents."""
        token = self.word
        if pattern is HEX:
            return token is not None and self.words.is_hex(token.text)
        folded = pattern in (UNIT, WORD)
        return token is not None and pattern.fullmatch(token.key if folded else token.text) is not None

    def has_mark(self, mark: str) -> bool:
        """Whether the mark stands anywhere in the rest of the line."""
        return any(t.kind == "mark" and t.text == mark for t in self._tokens[self._at :])

    def has_word(self, word: str) -> bool:
        """Whether the small word stands anywhere in the rest of the line."""
        known = self.words.meaning
        return any(t.kind == "word" and known("words", t.key) == word for t in self._tokens[self._at :])

    # --------------------------------------------------------------------------------------- problems

    def problem(self, hint: Message, token: Token | None = None, part: slice = slice(None)) -> SyntaxProblem:
        """What is wrong here, or at a token, or at a part of its text."""
        token = token or self.here
        if token is None:
            return SyntaxProblem(*self._source.end, "", hint)
        return SyntaxProblem(token.line, token.column + (part.start or 0), token.text[part], hint)

    def fail(self, hint: str | Message) -> Unread:
        """The exception for a problem at this place; a hint without values may be given by its key."""
        return Unread(self.problem(self._expected(hint) if isinstance(hint, str) else hint))

    def examples(self, section: str, count: int = 0) -> tuple[str, ...]:
        """Words of a section in the sheet's language, all or some."""
        return self.words.listed(section, self.language)[: count or None]

    # ----------------------------------------------------------------------------------------- taking

    def step(self) -> Token:
        """The next token, whatever it is. Raises Unread at the end of the line."""
        token = self.here
        if token is None:
            raise self.fail("more")
        self._at += 1
        return token

    def take(self, pattern: re.Pattern[str], hint: str) -> str:
        """The word here, in small letters without accents, which must have a form."""
        if not self.stands(pattern):
            raise self.fail(hint)
        key = self.step().key
        return key.upper() if pattern is HEX else key

    def _expected(self, hint: str) -> Message:
        """A hint by its key; on hexes with examples of the game's own where they are not four digits."""
        grid = self.words.grid
        if grid is None or grid.usual or hint not in _OF_HEXES:
            return expected(hint)
        one = grid.at((grid.columns + 1) // 2, (grid.rows + 1) // 2)
        other = next(iter(grid.neighbours[one]), one)
        return expected(f"{hint}-named", one=one, other=other)

    def rest(self) -> str:
        """All that is left of the line as it is written, quotes around the whole of it aside; "" at its end."""
        tokens = self._tokens[self._at :]
        self._at = len(self._tokens)
        return tokens[0].text if len(tokens) == 1 else " ".join(self._source.between(tokens))

    def unit(self, hint: str = "unit") -> str:
        """The unit here, by its id or by a part of it that no other has."""
        if self.at_hex() and not self.naming:
            raise self.fail(hint)
        token, key = self.here, self.take(UNIT, hint)
        if self.naming or key in self.words.units or key in self.declared:
            return key
        meant = self.words.like(key, self.declared)
        if not meant and ((self.sure and self.words.units) or self._leads_to_hex(key)):
            raise Unread(self.problem(self._expected(hint), token))
        if len(meant) > 1:
            raise Unread(self.problem(expected("one-of-units", known=meant[:_MOST]), token))
        return meant[0] if meant else key

    def _leads_to_hex(self, key: str) -> bool:
        """Whether a small word stands before the hex that units go to, where a colon would part them from it."""
        goal = ":" in self.stops and self.word is not None and self.words.hexes_of(self.word.text)
        return bool(goal) and self.words.meaning("words", key) is not None and bool(self.words.units)

    def at_hex(self) -> bool:
        """Whether a hex stands here, and no unit that the sheet has given such a name."""
        token = self.here
        return token is not None and self.stands(HEX) and token.key not in self.declared

    def hexes_joined(self) -> tuple[str, ...]:
        """The hexes of a word that joins several by `-`, the ways between them left open; none for others."""
        return self.words.hexes_joined(self.word.text) if self.word is not None else ()

    def at_way(self) -> bool:
        """Whether a way begins here: a hex, or several joined by `-`, or `to` or an arrow before one."""
        following = self.ahead()
        if self.at_hex() or self.hexes_joined():
            return True
        onward = self.at_word("to") or self.at_word("->")
        return onward and following is not None and self.words.is_hex(following.text)

    def accept(self, word: str) -> bool:
        """Skip a small word (`by`, `from` …) in any language, or a mark (`:` `=` `/`), if it stands here."""
        found = self.at_word(word)
        self._at += found
        return found

    def at_word(self, word: str) -> bool:
        """Whether a small word or a mark stands here."""
        token = self.here
        if token is None or token.kind == "mark":
            return token is not None and token.text == word
        return token.kind == "word" and self.words.meaning("words", token.key) == word
