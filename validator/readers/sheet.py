"""Read a turn sheet: text in, statements and syntax problems out.

The reader never gives up: a line that cannot be read becomes a `SyntaxProblem` with line, column, what was found
and what would have fitted, and reading goes on with the next line. Only a file that is no text at all, or larger
than a sheet can be, raises `UnreadableSheet`.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from hexforge.scenarios.language import reason
from hexforge.validator.readers import grammar_header, grammar_play
from hexforge.validator.readers import statements as st
from hexforge.validator.readers.cursor import Cursor, Unread
from hexforge.validator.readers.keywords import lookup, statement_words
from hexforge.validator.readers.kinds import NOTATION, Kinds
from hexforge.validator.readers.lexer import LogicalLine, logical_lines, physical_lines

MAX_BYTES: Final = 8_000_000
MAX_STATEMENTS: Final = 100_000
MAX_PROBLEMS: Final = 1_000


class UnreadableSheet(Exception):
    """A file that cannot be read at all. `reason_en` and `reason_pt` say why, without the file's name."""

    def __init__(self, source: str, reason_en: str, reason_pt: str) -> None:
        super().__init__(f"{source}: {reason_en}")
        self.source = source
        self.reason_en = reason_en
        self.reason_pt = reason_pt


class _Reader:
    """What has been read so far, and in what part of the sheet the next line stands."""

    def __init__(self, kinds: Kinds) -> None:
        self.kinds = kinds
        self.statements: list[st.Statement] = []
        self.problems: list[st.SyntaxProblem] = []
        self.units: set[str] = set()
        self.in_position = False
        self.in_turn = False
        self.has_game = False
        self.head: st.Engagement | None = None
        self.acts: list[st.Act] = []
        self.broken_head = False
        self.words = {**kinds.ways, **kinds.hexsides, **statement_words()}

    # ------------------------------------------------------------------------------------------ lines

    def read(self, source: LogicalLine) -> None:
        at = Cursor(source, self.kinds)
        try:
            if source.too_long:
                raise at.fail("line-length")
            self._statement(at)
        except Unread as error:
            self._complain(error.problem)

    def _complain(self, problem: st.SyntaxProblem) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)

    def _statement(self, at: Cursor) -> None:
        token = at.here
        assert token is not None
        word = self.words.get(token.key) if token.kind == "word" else None
        following = at.ahead()
        if (
            self.in_position
            and (word is None or token.key in self.units)
            and at.is_unit()
            and (following is None or following.text[:1].isdigit() or word is None)
        ):
            if word is None and following is None:
                raise self._unknown(at)
            self._add(at, grammar_header.placement)
            return
        if not self.statements and word != "sheet":
            self._complain(at.problem("first"))
        if word is None:
            raise self._unknown(at)
        reader = self._choose(at, word)
        at.step()
        self._add(at, reader)

    def _unknown(self, at: Cursor) -> Unread:
        token = at.here
        shown = len(self.problems) < MAX_PROBLEMS
        close = difflib.get_close_matches(token.key[:40], self.words, n=1, cutoff=0.7) if token and shown else []
        # The whole table is tried only for lines that fail, so its cost does not grow with a good sheet.
        return at.fail("statement-like", like=close[0]) if close else at.fail("statement")

    def _choose(self, at: Cursor, word: str) -> Callable[[Cursor], st.Statement]:
        """The grammar of a line that begins with a keyword, which may depend on what follows the word."""
        self._watch_place(at, word)
        if word == "rail" and not at.has_mark(":"):
            return grammar_header.HEADER[word]
        if word == "air" and (following := at.ahead()) is not None and not following.text[:1].isdigit():
            if lookup("SMALL").get(following.key) == "points":
                return grammar_play.ACTS[word]
            return grammar_header.POSITION[word]
        for table in (grammar_play.ACTS, grammar_play.ENGAGEMENTS, grammar_play.PLAY, grammar_header.POSITION):
            if word in table:
                return table[word]
        return grammar_header.HEADER.get(word) or self._kind(word)

    def _kind(self, word: str) -> Callable[[Cursor], st.Statement]:
        """The grammar of a line or a way of the game's own."""
        ways = self.kinds.ways.values()
        return grammar_header.way(word) if word in ways else grammar_header.hexside(word)

    def _watch_place(self, at: Cursor, word: str) -> None:
        """Notes statements that stand where they cannot belong; they are read all the same."""
        if word in grammar_play.ACTS and not (word == "air" and not self.in_turn):
            if self.head is None and not self.broken_head:
                raise at.fail("in-engagement" if self.in_turn else "in-turn")
            return
        play = word in grammar_play.ENGAGEMENTS or (
            word in grammar_play.PLAY and word not in ("turn", "score") and (word != "rail" or at.has_mark(":"))
        )
        if play and not self.in_turn:
            self._complain(at.problem("in-turn"))
        elif not play and word not in ("turn", "score") and self.in_turn:
            self._complain(at.problem("before-turn"))
        elif word in grammar_header.POSITION and not self.in_position:
            self._complain(at.problem("in-position"))
        elif word in ("sheet", "game") and any(
            isinstance(s, st.SheetVersion if word == "sheet" else st.GameName) for s in self.statements
        ):
            raise at.fail("once")
        if word == "turn" and not self.has_game:
            self.has_game = True  # said once
            self._complain(at.problem("game"))

    def _add(self, at: Cursor, reader: Callable[[Cursor], st.Statement]) -> None:
        heads = grammar_play.ENGAGEMENTS.values()
        is_act = reader in grammar_play.ACTS.values()
        if not is_act:
            self.close()
        try:
            statement = reader(at)
            at.end()
        except Unread:
            self.broken_head = reader in heads or (is_act and self.broken_head)
            raise
        if isinstance(statement, st.Act):
            if self.head is not None:
                self.acts.append(statement)
            return
        self.broken_head = False
        if isinstance(statement, st.Engagement):
            self.head = statement
            return
        self._note(statement)
        self.statements.append(statement)

    def _note(self, statement: st.Statement) -> None:
        match statement:
            case st.SheetVersion(version=version) if version != 1:
                self._complain(_plain(statement.line, str(version), "version-known"))
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


def _plain(line: int, found: str, key: str, **values: str) -> st.SyntaxProblem:
    from hexforge.validator.readers.phrases import phrase

    en, pt = phrase(key, **values)
    return st.SyntaxProblem(line, 1, found, en, pt)


def read_sheet(text: str, source: str = "", kinds: Kinds = NOTATION) -> st.Sheet:
    """The statements of a sheet. Never raises: what cannot be read stands in `problems`, in the order of lines.

    `kinds` are the words of its game, if they are known already; see `reread`.
    """
    lines = physical_lines(text.removeprefix("\ufeff"))
    reader = _Reader(kinds)
    for count, logical in enumerate(logical_lines(lines)):
        if count >= MAX_STATEMENTS:
            reader.problems.append(_plain(logical.line, "", "sheet-length", limit=str(MAX_STATEMENTS)))
            break
        reader.read(logical)
    reader.close()
    if not reader.has_game:
        reader.problems.append(_plain(max(1, len(lines)), "", "game"))
    problems = sorted(reader.problems, key=lambda p: (p.line, p.column))
    return st.Sheet(tuple(reader.statements), tuple(problems), tuple(lines), source)


def reread(sheet: st.Sheet, kinds: Kinds) -> st.Sheet:
    """The same sheet in the words of its game, which only the sheet itself could tell; as it is for NOTATION."""
    return sheet if kinds is NOTATION else read_sheet("\n".join(sheet.lines), sheet.source, kinds)


def decode(data: bytes, source: str = "") -> str:
    """The text of a sheet: UTF-8, or what older mail programs and editors write instead (UTF-16, Windows-1252).

    Raises UnreadableSheet for what is too large or no text.
    """
    if len(data) > MAX_BYTES:
        limit = f"{MAX_BYTES // 1_000_000} MB"
        raise UnreadableSheet(
            source,
            f"is larger than {limit}, too large for a sheet",
            f"passa de {limit}, grande demais para uma planilha",
        )
    encodings = ["utf-16"] if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not any(c in text for c in "\x00\x01\x02\x03\x04\x05\x06"):
            return text
        break
    raise UnreadableSheet(
        source, "is not text; expected a turn sheet in UTF-8", "não é texto; esperava-se uma planilha em UTF-8"
    )


def read_bytes(data: bytes, source: str = "") -> st.Sheet:
    """As `read_sheet`, from the bytes of a file.

    Raises UnreadableSheet also for a text in which nothing is a statement.
    """
    sheet = read_sheet(decode(data, source), source)
    if not sheet.statements:
        raise UnreadableSheet(
            source,
            "holds no statement of a turn sheet; expected `sheet 1` and `game NAME` to begin with",
            "não tem nenhuma instrução de planilha; esperava-se `planilha 1` e `jogo NOME` no início",
        )
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
        en, pt = reason(error, "en"), reason(error, "pt")
        raise UnreadableSheet(source, f"cannot be read: {en}", f"não pode ser lido: {pt}") from error
