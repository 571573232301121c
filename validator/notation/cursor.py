"""A place in a line of a sheet: what stands there, and what was expected instead."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from ...scenarios.text.words import Language, Message, Param, message
from .lexer import LogicalLine, Token
from .words import Vocabulary

HEX: Final = re.compile(r"[0-9]{4}")
UNIT: Final = re.compile(r"[a-z0-9][a-z0-9.-]*")
WORD: Final = re.compile(r"[a-z][a-z0-9_.-]*")
NUMBER: Final = re.compile(r"[0-9]{1,6}")
_LEAST_NUMBER: Final = 2
"""Figures of a number that may be a unit's."""
_MOST: Final = 8
"""Units that a hint names."""
DIGIT: Final = re.compile(r"[0-9].*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """A line that could not be read as it stands. `column` counts from 1 in the physical line `line`.

    `found` is the text at that place ("" at the end of a line), `expected` says what would have fitted. `below` are
    lines that can be read but mean nothing without this one; `assumed` is the statement for which it was taken to
    give them a meaning, as that is written. `head`: it may have said how the game begins, or what it is judged by.
    """

    line: int
    column: int
    found: str
    expected: Message
    below: tuple[int, ...] = ()
    assumed: str = ""
    head: bool = False


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
    the next one is given its name here, `wary` that a small word is no unit, for nobody knows yet what a line is,
    `sure` that nothing is one, nor a code, which the game does not know.
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
        self.wary = False
        self.sure = False
        self.spoken = False
        """Whether the line says in its writer's own words what it says, and no statement as the notation has it."""
        self._listed = False
        """Whether a unit was read that is known: a word behind it that nobody knows says something else."""

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
            self._listed = True
            return key
        meant = self.words.like(key, self.declared) or self._by_number(key)
        unknown = not meant and bool(self.sure and self.words.units)
        if self.words.counters and self.words.meaning("besides", key) == "left" and not meant:
            raise Unread(self.problem(self._expected(hint), token))  # `(leaves 20)`: points, perhaps
        spare = self._leads_to_hex(key) or self._is_strange(key) or (self.wary and self._is_no_unit(key))
        if unknown or (not meant and spare):
            raise Unread(self.problem(self._expected(hint), token))
        if len(meant) > 1:
            raise Unread(self.problem(expected("one-of-units", known=meant[:_MOST]), token))
        self._listed = self._listed or bool(meant)
        return meant[0] if meant else key

    def _by_number(self, key: str) -> tuple[str, ...]:
        """The unit that a short number names beside others, or before its way. Alone it may say how many."""
        if not key.isdigit() or (self._listed and self._counts()):
            return ()
        beside = self._listed and len(key) >= _LEAST_NUMBER
        followed = self.has_mark(":") or (self.word is not None and self._names_unit(self.word.key))
        unit = self.words.numbered(key) if beside or followed else ""
        return (unit,) if unit else ()

    def _counts(self) -> bool:
        """Whether what was taken stands alone in brackets, where people count: `attack us-101 us-104 (10)`."""
        token = self._tokens[self._at - 1]
        text, start = self._source.texts[token.line - 1], token.column - 1
        around = text[:start].rstrip()[-1:] + text[start + len(token.text) :].lstrip()[:1]
        return around in ("()", "[]")

    def _names_unit(self, key: str) -> bool:
        return key in self.words.units or bool(self.words.like(key, self.declared) or self.words.numbered(key))

    def _is_strange(self, key: str) -> bool:
        """Whether letters that are no unit of the game stand in a list of units, or words behind them go on."""
        following = self.word
        goes_on = following is not None and not self.words.hexes_of(following.text)
        return (
            self.spoken
            and bool(self.words.counters)
            and key.isalpha()
            and (self._listed or goes_on or self._is_no_unit(key))
        )

    def _is_no_unit(self, key: str) -> bool:
        """Whether a word says something else where a game's units are known: nobody is accused of a unit `to`."""
        small = any(self.words.meaning(section, key) for section in ("words", "fillers", "roles"))
        return bool(self.words.units) and (small or (key.isdigit() and len(key) < _LEAST_NUMBER))

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
