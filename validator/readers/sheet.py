"""Read a turn sheet: text in, statements and syntax problems out.

The reader never gives up: a line that cannot be read becomes a `SyntaxProblem` with line, column, what was found
and what would have fitted, and reading goes on with the next line. Only a file that is no text at all, or larger
than a sheet can be, raises `UnreadableSheet`.
"""

from __future__ import annotations

import difflib
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

from hexforge.scenarios.language import refused
from hexforge.scenarios.words import SOURCE, HexforgeError, Param, message
from hexforge.validator.readers import base
from hexforge.validator.readers import statements as st
from hexforge.validator.readers.cursor import UNIT, Cursor, SyntaxProblem, Unread, expected
from hexforge.validator.readers.lexer import LogicalLine, Token, logical_lines, physical_lines
from hexforge.validator.readers.words import FIRST, Vocabulary, notation

MAX_BYTES: Final = 8_000_000
MAX_STATEMENTS: Final = 100_000
MAX_PROBLEMS: Final = 1_000

Lookup: TypeAlias = Callable[[str, str], Vocabulary | None]
"""The words of a game, given its name and the file of the sheet; None for one that nobody knows."""


class UnreadableSheet(HexforgeError):
    """A file that cannot be read at all; `source` is its name."""

    def __init__(self, source: str, reason: str, **values: Param) -> None:
        super().__init__(message(f"notation.unreadable.{reason}", source=source, **values))
        self.source = source


class _Reader:
    """What has been read so far, and in what part of the sheet the next line stands."""

    def __init__(self, words: Vocabulary) -> None:
        self.words = words
        self.statements: list[st.Statement] = []
        self.problems: list[SyntaxProblem] = []
        self.units: set[str] = set()
        self.in_position = False
        self.in_turn = False
        self.has_game = False
        self.head: st.Engagement | None = None
        self.acts: list[st.Act] = []
        self.broken_head = False
        self.language = SOURCE
        """The language that most lines so far began in."""
        self._spoken: Counter[str] = Counter()

    # ------------------------------------------------------------------------------------------ lines

    def read(self, source: LogicalLine) -> None:
        at = Cursor(source, self.words, self.language)
        try:
            if source.too_long:
                raise at.fail("line-length")
            self._line(at, source.tokens[0])
        except Unread as error:
            at.problems.append(error.problem)
        self.complain(*at.problems)

    def complain(self, *problems: SyntaxProblem) -> None:
        """Note problems, up to a bound."""
        self.problems += problems[: max(0, MAX_PROBLEMS - len(self.problems))]

    def _line(self, at: Cursor, first: Token) -> None:
        known = first.kind == "word" and self.words.begins(first.key)
        following = at.ahead()
        if (
            self.in_position
            and (not known or first.key in self.units)
            and at.stands(UNIT)
            and (following is None or following.text[:1].isdigit() or not known)
        ):
            if not known and following is None:
                raise self._unknown(at, first)
            self._add(st.Placement, at, "")
            return
        word = self.words.meaning("statements", first.key) if known else None
        if not self.statements and word != "sheet":
            self.complain(at.problem(expected("first")))
        if not known:
            raise self._unknown(at, first)
        self._spoken.update(language for language, forms in self.words.beginnings.items() if first.key in forms)
        self.language = max(self._spoken, key=self._spoken.__getitem__, default=SOURCE)
        at.step()
        cls, word = self._choose(at, word, first.key)
        self._watch_place(at, cls, first)
        self._add(cls, at, word)

    def _unknown(self, at: Cursor, first: Token) -> Unread:
        if len(self.problems) >= MAX_PROBLEMS:
            return at.fail("statement")
        # All words are tried only for lines that fail, so their number costs a good sheet nothing.
        for language in (self.language, *self.words.forms):
            forms = self.words.beginnings[language]
            if close := difflib.get_close_matches(first.key[:40], forms, n=1, cutoff=0.7):
                return at.fail(expected("statement-like", like=forms[close[0]]))
        return at.fail("statement")

    def _choose(self, at: Cursor, word: str | None, key: str) -> tuple[type[st.Statement], str]:
        """The statement that begins with a word, which may depend on what follows, and the word's meaning."""
        found = [(cls, word) for cls in base.beginning(word)] if word else []
        for section in FIRST[1:]:
            id_ = self.words.meaning(section, word or key)
            cls = base.listed(section)
            if id_ is not None and cls is not None:
                found.append((cls, id_))
        return next((f for f in found[:-1] if base.layout(f[0]).fits(at)), found[-1])

    def _watch_place(self, at: Cursor, cls: type[st.Statement], first: Token) -> None:
        """Notes statements that stand where they cannot belong; they are read all the same."""

        def misplaced(hint: str) -> SyntaxProblem:
            return at.problem(expected(hint), first)

        if issubclass(cls, st.Act):
            if self.head is None and not self.broken_head:
                raise Unread(misplaced("in-engagement" if self.in_turn else "in-turn"))
        elif issubclass(cls, st.Play) and not self.in_turn:
            self.complain(misplaced("in-turn"))
        elif issubclass(cls, st.Header) and self.in_turn:
            self.complain(misplaced("before-turn"))
        elif issubclass(cls, st.Positioned) and not self.in_position:
            self.complain(misplaced("in-position"))
        elif issubclass(cls, st.SheetVersion | st.GameName) and any(isinstance(s, cls) for s in self.statements):
            raise Unread(misplaced("once"))
        elif cls is st.TurnStart and not self.has_game:
            self.has_game = True  # said once
            self.complain(misplaced("game"))

    def _add(self, cls: type[st.Statement], at: Cursor, word: str) -> None:
        is_act = issubclass(cls, st.Act)
        if not is_act:
            self.close()
        try:
            statement = base.read_statement(cls, at, word)
        except Unread:
            self.broken_head = issubclass(cls, st.Engagement) or (is_act and self.broken_head)
            raise
        if isinstance(statement, st.Act):
            if self.head is not None:
                self.acts.append(statement)
            return
        self.broken_head = False
        if isinstance(statement, st.Engagement):
            self.head = statement
            return
        self._note(at, statement)
        if not at.void:
            self.statements.append(statement)

    def _note(self, at: Cursor, statement: st.Statement) -> None:
        match statement:
            case st.SheetVersion(version=version) if version != 1:
                self.complain(SyntaxProblem(statement.line, 1, str(version), expected("version-known")))
            case st.GameName():
                self.has_game = True
            case st.UnitDefinition(unit=unit):
                self.units.add(unit)
            case st.PositionStart() | st.SetupStart():
                self.in_position = True
            case st.TurnStart():
                self.in_turn, self.in_position = True, False

    def close(self) -> None:
        """Ends the combat, bombardment or air strike that is open."""
        if self.head is not None:
            self.statements.append(replace(self.head, acts=tuple(self.acts)))
            self.head = None
            self.acts = []


def _game(lines: Iterable[LogicalLine]) -> str:
    """The name in the first line that names a game; "" without one."""
    words = notation()
    for line in lines:
        first, *rest = line.tokens[:2]
        if rest and first.kind == "word" and words.meaning("statements", first.key) == "game":
            return rest[0].key
    return ""


def _built_in(name: str, source: str) -> Vocabulary | None:
    from hexforge.validator import games

    return games.vocabulary(name, source)


def read_sheet(text: str, source: str = "", lookup: Lookup = _built_in) -> st.Sheet:
    """The statements of a sheet. Never raises: what cannot be read stands in `problems`, in the order of lines.

    `lookup` gives the words of the game that it names; without it, those of the games that this program knows.
    """
    lines = physical_lines(text.removeprefix("\ufeff"))
    logical = list(islice(logical_lines(lines), MAX_STATEMENTS + 1))
    reader = _Reader(lookup(_game(logical), source) or notation())
    for line in logical[:MAX_STATEMENTS]:
        reader.read(line)
    reader.close()
    if len(logical) > MAX_STATEMENTS:
        limit = expected("sheet-length", limit=MAX_STATEMENTS)
        reader.problems.append(SyntaxProblem(logical[-1].line, 1, "", limit))
    if not reader.has_game:
        reader.problems.append(SyntaxProblem(max(1, len(lines)), 1, "", expected("game")))
    problems = sorted(reader.problems, key=lambda p: (p.line, p.column))
    return st.Sheet(tuple(reader.statements), tuple(problems), tuple(lines), source)


def decode(data: bytes, source: str = "") -> str:
    """The text of a sheet: UTF-8, or what older mail programs and editors write instead (UTF-16, Windows-1252).

    Raises UnreadableSheet for what is too large or no text.
    """
    if len(data) > MAX_BYTES:
        raise UnreadableSheet(source, "large", limit=MAX_BYTES // 1_000_000)
    encodings = ["utf-16"] if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not any(c in text for c in "\x00\x01\x02\x03\x04\x05\x06"):
            return text
        break
    raise UnreadableSheet(source, "no-text")


def read_bytes(data: bytes, source: str = "") -> st.Sheet:
    """As `read_sheet`, from the bytes of a file.

    Raises UnreadableSheet also for a text in which nothing is a statement.
    """
    sheet = read_sheet(decode(data, source), source)
    if not sheet.statements:
        raise UnreadableSheet(source, "no-statement")
    return sheet


def read_file(path: str | Path) -> st.Sheet:
    """As `read_bytes`, from a file or, for `-`, from standard input. Raises UnreadableSheet, never OSError."""
    source = str(path)
    try:
        if source == "-":
            return read_bytes(sys.stdin.buffer.read(MAX_BYTES + 1), source)
        with Path(path).open("rb") as file:
            return read_bytes(file.read(MAX_BYTES + 1), source)
    except OSError as error:
        raise UnreadableSheet(source, "refused", why=refused(error)) from error
