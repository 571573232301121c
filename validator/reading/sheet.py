"""Read a turn sheet: text in, statements and syntax problems out.

The reader never gives up: a line that cannot be read becomes a `SyntaxProblem` with line, column, what was found
and what would have fitted, and reading goes on with the next line. Only a file that is no text at all, or larger
than a sheet can be, raises `UnreadableSheet`. A line is read as the notation has it, else by frames.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

from ...scenarios.text.words import SOURCE, Language
from ..notation import base, statements, statements_head
from ..notation.cursor import (
    ARROW,
    UNIT,
    Cursor,
    LogicalLine,
    SyntaxProblem,
    Token,
    Unread,
    ended,
    expected,
    logical_lines,
    physical_lines,
)
from ..notation.kinds import Pen
from ..notation.records import VERSION
from ..notation.vocabulary import notation, read_canonical
from ..notation.words import FIRST, Vocabulary, fold
from . import headers, tables
from .assembly import MAX_PROBLEMS, MAX_STATEMENTS, Assembly
from .clauses import Reading, proposals, read_clauses
from .decoding import UnreadableSheet, decode, read_raw
from .frames import FRAMED, REPORTED, Context, verbs
from .infer_game import Lookup, game_named, known_words
from .open_lines import picked, put_in
from .tagging import Tag, tag

_SMALL: Final = ("words", "fillers", "lead-ins", "adverbs", "besides", "numbers", "subjects", "wholes", "copulas")
_MOST_ASKED: Final = 100
"""Lines of a sheet that are asked about."""
_NEAR: Final = 2
"""Lines between the head of a list and the phase that its first line opens."""
_SIGNS: Final = (statements_head.SheetVersion, statements_head.GameName, statements_head.Players)
"""Statements of a head by which nothing is judged otherwise."""


class _Reader:
    """What has been read so far, and the language in which most of it is written."""

    def __init__(self, words: Vocabulary) -> None:
        self.words = words
        self.done = Assembly(self._written, words.side)
        self.open = headers.Open(words)
        self.language = SOURCE
        """The language that most lines so far began in."""
        self.heads: set[int] = set()
        """The lines that name the columns of tables, head lists, or say that nothing is done."""
        self._spoken: Counter[str] = Counter()
        self._columns: tuple[str, ...] = ()
        self._lists: type[base.Statement] = statements.Combat
        self._headed = 0
        """The line that heads a list last."""
        self._carried: type[base.Statement] | None = None

    def _written(self, statement: base.Statement) -> str:
        return base.write_line(statement, Pen(self.words, self.language))

    # ------------------------------------------------------------------------------------------ lines

    def read(self, source: LogicalLine) -> None:
        """Read a line; in what is wrong with it a word is named as it was typed, whatever it was taken for."""
        if source.too_long:
            self._fail(source, Cursor(source, self.words, self.language).fail("line-length"))
            return
        if self._row(source):
            return
        source = source.of(headers.turn_first(source.tokens, self.words))
        found = self.notation(source) or self._own_form(source)
        if found is not None:
            self._take(source, [found])
            return
        reading = self._freely(source)
        parts = [] if reading else list(_between_semicolons(source))
        if reading.idle:
            self.heads.add(source.line)
        elif reading.statements:
            self._take(source, reading.statements)
        elif len(parts) > 1 and all(len(p.tokens) > 1 or self._known(p.tokens[0]) for p in parts):
            for part in parts:
                self.read(part)
        else:
            self._name(source, reading.unexplained)

    def _row(self, source: LogicalLine) -> bool:
        """Take the row of a table, or the line that names its columns."""
        text = source.texts[source.line - 1] if source.texts else ""
        if tables.is_rule(text) or (found := tables.columns_of(text, self.words)):
            self._columns = self._columns if tables.is_rule(text) else found
            self.heads.add(source.line)
            return True
        if not self._columns:
            return False
        row = tables.read_row(source, self._columns, self.words, self.context(source.line), self.done.units)
        if row is None:
            self._columns = ()
            return False
        if row.statements:
            self._take(source, row.statements)
        else:
            self._name(source, row.unexplained)
        return True

    def context(self, line: int) -> Context:
        """What is open where a line stands."""
        done = self.done
        return Context(
            done.moving,
            done.fighting,
            done.side,
            tuple(done.engaged),
            done.told,
            self._lists,
            self._carried,
            done.reckoned,
            way=done.way if done.last + 1 >= line else (),
            placing=done.in_position,
        )

    def notation(self, source: LogicalLine, *, sure: bool = True) -> base.Statement | None:
        """A line that is a statement as the notation writes it; `sure`: of nothing that the game does not know."""
        done = self.done
        if source.tokens[-1].text.endswith(("?", ARROW)):
            return None
        if not done.in_position:
            resolved = statements.Result in done.told
            found = read_canonical(source, self.words, done.units, self.begin, fought=resolved)
            if found is not None and self._lists is statements.Combat:
                return found
        tokens = ended(source.tokens, done.units)
        source = source.of(tokens)
        if len(tokens) > 2 and tokens[1].kind == "mark" and tokens[1].text in (":", "="):
            source = source.of((tokens[0], *tokens[2:]))  # `game: metz`
        at = Cursor(source, self.words, self.language, done.units)
        at.sure = sure and bool(self.words.units)
        try:
            cls, word = self._begun(at)
            if sure and cls in _FREE and (self.words.units or cls in REPORTED) and not self._plain(source, cls):
                return None
            found = self._statement(cls, at, word)
        except Unread:
            return None
        if isinstance(found, base.Ruling) and any(
            self._known(p.tokens[0]) and self.notation(p) for p in list(_between_semicolons(source))[1:]
        ):
            return None  # no statement hides in the reason of a ruling
        return None if at.problems or at.void else found

    def _own_form(self, source: LogicalLine) -> base.Statement | None:
        """A statement as the notation itself writes it, be it of units that the game does not know."""
        found = self.notation(source, sure=False)
        typed = " ".join(token.text for token in source.tokens)
        if found is None or not self.words.units:
            return found
        if any(self._is_small(unit) for unit in _strange_units(found, self.words, self.done.units)):
            return None  # `attack u1 and u2`: nobody is accused of a unit `and`
        pens = (Pen(self.words, language) for language in self.words.forms)
        written = (next(logical_lines([base.write_line(found, pen)]), None) for pen in pens)
        same = (line is not None and " ".join(t.text for t in line.tokens) == typed for line in written)
        return found if any(same) else None

    def _is_small(self, key: str) -> bool:
        """Whether what stands for a unit is a number alone or a small word."""
        return key.isdigit() or any(self.words.meaning(section, key) for section in _SMALL)

    def _plain(self, source: LogicalLine, cls: type[base.Statement]) -> bool:
        """Whether a statement that people tell in many ways stands here where it may, in the notation's form."""
        if issubclass(cls, base.Play) and not issubclass(cls, base.Given | statements.Engagement):
            return not self.done.fighting or any(token.text == ":" for token in source.tokens)
        return True

    def _freely(self, source: LogicalLine) -> Reading:
        """What a line says in words of its writer's own, and what it heads."""
        context = self.context(source.line)
        if not (context.moving or context.fighting or context.placing):
            return Reading()
        reading = read_clauses(source, self.words, context, self.done.units)
        if not reading and (headed := self._heading(source, context)):
            self._lists = headed if issubclass(headed, statements.Engagement) else self._lists
            self._carried = None if issubclass(headed, statements.Engagement) else headed
            self._headed = source.line
            return Reading(idle=True)
        if reading.statements and self._carried is not None and self._carried not in map(type, reading.statements):
            self._carried = None
        return reading

    def _heading(self, source: LogicalLine, context: Context) -> type[base.Statement] | None:
        """The statements that a line of one verb alone heads: `[BOMBARDMENT]`, `Losses:`."""
        tags = tag(source, self.words, self.done.units)
        said = [t for t in tags if not t.mark]
        text = source.texts[source.line - 1].strip()
        marked = text.endswith((":", "]", "*", "-", "=")) or text.startswith(("#", "["))
        begun = verbs(said, self.words, context) if len(said) == 1 else []
        classes = (c for _, classes in begun for c in classes if c in FRAMED or c in REPORTED)
        return next((c for c in classes if marked or issubclass(c, statements.Engagement)), None)

    def _take(self, source: LogicalLine, found: Sequence[base.Statement]) -> None:
        """Take the statements of a line. Those that stand where they mean nothing are named."""
        at = Cursor(source, self.words, self.language, self.done.units)
        first = source.tokens[0]
        try:
            for statement in found:
                cls = type(statement)
                if not issubclass(cls, statements_head.Placement):
                    version = issubclass(cls, statements_head.SheetVersion)
                    self.done.watch_first(version=version, misplaced=lambda hint: at.problem(expected(hint)))
                    self.done.watch_place(cls, lambda hint: at.problem(expected(hint), first))
                else:
                    self.done.close()
                if isinstance(statement, base.Opening):
                    if statement.line > self._headed + _NEAR:
                        self._lists = statements.Combat
                    self._carried, self._columns = None, ()
                self.done.add(statement)
        except Unread as error:
            self._fail(source, error)
        self.done.complain(*at.problems)

    # ------------------------------------------------------------------------------------------ what is not read

    def _name(self, source: LogicalLine, unexplained: Tag | None) -> None:
        """Name a line as not read, by the word for which it is not; or take it for what it surely means."""
        at = Cursor(source, self.words, self.language, self.done.units)
        try:
            cls, word = self._begun(at)
            self._refused(source, at, cls, word, unexplained)
        except Unread as error:
            plain = error.problem.expected.key.endswith(".statement")
            if unexplained is not None and plain and source.tokens[0] is at.here:
                error = Unread(_problem(unexplained))
            self._fail(source, error, at)

    def _refused(
        self, source: LogicalLine, at: Cursor, cls: type[base.Statement], word: str, unexplained: Tag | None
    ) -> None:
        """Take a line in the notation's form though the game does not know all of it. Raises Unread."""
        try:
            found = self._statement(cls, at, word)
        except Unread:
            if cls is not statements.TurnStart:  # what that means can be made out, see `headers.surmise`
                self.done.break_off(cls, at.line)
            raise
        if at.void and cls is statements.TurnStart:
            # Its side is no word of the game: one that is misspelt may be made out all the same.
            raise Unread(at.problems.pop())
        if _names_words(found, self.words, self.done.units) and unexplained is not None:
            self.done.break_off(cls, at.line)
            raise Unread(_problem(unexplained))
        if at.void:
            self.done.complain(*at.problems)
            self.done.add(found, void=True)
            return
        self._take(source, [found])
        self.done.complain(*at.problems)

    def _fail(self, source: LogicalLine, error: Unread, at: Cursor | None = None) -> None:
        at = at or Cursor(source, self.words, self.language, self.done.units)
        problem = replace(error.problem, proposed=tuple(self._proposed(source)))
        problems = self._assuming(at, [*at.problems, problem])
        if at.tokens and not self.done.in_turn and (self.done.in_position or self._heads(at.tokens[0])):
            problems = [replace(problem, head=True) for problem in problems]
        self.done.complain(*problems)

    def _proposed(self, source: LogicalLine) -> Iterator[tuple[str, str]]:
        """What an unread line may mean, each reading as a line, with the words that it leaves out."""
        context = self.context(source.line)
        if source.too_long or len(self.done.problems) > _MOST_ASKED or not (context.moving or context.fighting):
            return
        for found in proposals(source, self.words, context, self.done.units):
            line = "; ".join(map(self._written, found.statements))
            yield line, " ".join(one.text for one in found.dropped if not one.mark)

    def _assuming(self, at: Cursor, problems: list[SyntaxProblem]) -> list[SyntaxProblem]:
        """Make of a header that cannot be read what it surely means, and have its first problem tell of it.

        The lines below a header have a meaning only with it; where none can be made out, they are not judged.
        """
        if not self.done.statements and headers.nearly_opens(at.tokens, self.words):
            self.done.add(statements_head.SheetVersion(at.line, VERSION))
            return [replace(problems[0], assumed=self._written(self.done.statements[0]))]
        meant = headers.surmise(at) if len(self.done.problems) < MAX_PROBLEMS else None
        if isinstance(meant, statements.TurnStart | statements.Engagement):
            self.done.add(meant)
            if isinstance(meant, statements.TurnStart):
                self.open.opened(meant)
            return [replace(problems[0], assumed=self._written(meant))]
        if meant is not None:
            self.done.break_off(meant, at.line)
            return problems[:1]
        self.done.stray(at.line)
        return problems

    def _heads(self, first: Token) -> bool:
        """Whether a line, misspelt as it may be, says how the game begins or what it is judged by."""
        known = self._known(first)
        likely = () if known else self.words.likely(FIRST[:1], first.key, self.language)
        for word in (first.key, *map(fold, likely)):
            begun = base.beginning(self.words.meaning("statements", word) or "")
            if any(issubclass(cls, base.Header) and not issubclass(cls, _SIGNS) for cls in begun):
                return True
        return False

    def listen(self, lines: Iterable[LogicalLine]) -> None:
        """Note the language that most lines begin in, before any is read: hints on the first speak it too."""
        firsts = Counter(line.tokens[0].key for line in lines if line.tokens)
        for key, count in firsts.items():
            # The two lines that open a sheet are copied from page to page; what is played tells more.
            weight = 1 if self.words.meaning("statements", key) in ("sheet", "game") else 2
            for language, forms in self.words.beginnings.items():
                self._spoken[language] += weight * count * (key in forms)
        self.spoke(())

    def spoke(self, languages: Iterable[Language]) -> None:
        """Note the languages in which a line may have begun."""
        self._spoken.update(languages)
        self.language = max(self._spoken, key=self._spoken.__getitem__, default=SOURCE)

    def places(self, at: Cursor, first: Token) -> bool:
        """Whether a line says only where a unit stands. Raises Unread."""
        known, following = self._known(first), at.ahead()
        if (
            not self.done.in_position
            or (known and first.key not in self.done.units)
            or not at.stands(UNIT)
            or (known and following is not None and not following.text[:1].isdigit())
        ):
            return False
        if not known and following is None:
            raise self._unknown(at, first)
        return True

    def _begun(self, at: Cursor) -> tuple[type[base.Statement], str]:
        """The statement that a line begins, and the word by which it does. Raises Unread."""
        first = at.tokens[0]
        return (statements_head.Placement, "") if self.places(at, first) else self.begin(at, first)

    def _statement(self, cls: type[base.Statement], at: Cursor, word: str) -> base.Statement:
        at.naming = issubclass(cls, statements_head.Naming)
        if at.tokens[-1].text == ARROW:
            raise at.fail("more")
        if cls is statements.Combat and self._lists is not statements.Combat:
            raise at.fail("statement")  # under the head of a list of bombardments
        return base.read_statement(cls, at, word)

    def begin(self, at: Cursor, first: Token) -> tuple[type[base.Statement], str]:
        """The statement that a line's first word begins, and the word's meaning. Raises Unread."""
        if not self._known(first):
            raise self._unknown(at, first)
        at.step()
        return self._choose(at, self.words.meaning("statements", first.key), first.key)

    def _known(self, first: Token) -> bool:
        return first.kind == "word" and self.words.begins(first.key)

    def _unknown(self, at: Cursor, first: Token) -> Unread:
        if len(self.done.problems) >= MAX_PROBLEMS:
            return at.fail("statement")
        # All words are tried only for lines that fail, so their number costs a good sheet nothing.
        if likely := self.words.likely(FIRST, first.key, self.language):
            return at.fail(expected("statement-like", like=tuple(f"`{word}`" for word in likely)))
        return at.fail("statement")

    def _choose(self, at: Cursor, word: str | None, key: str) -> tuple[type[base.Statement], str]:
        """The statement that begins with a word, which may depend on what follows, and the word's meaning."""
        found = [(cls, word) for cls in base.beginning(word)] if word else []
        for section in FIRST[1:]:
            id_ = self.words.meaning(section, word or key)
            cls = base.listed(section)
            if id_ is not None and cls is not None:
                found.append((cls, id_))
        return next((f for f in found[:-1] if base.layout(f[0]).fits(at)), found[-1])


def _problem(tag_: Tag) -> SyntaxProblem:
    """The problem of a line that is not read for one of its words."""
    return SyntaxProblem(tag_.line, tag_.column, tag_.text, expected("statement"))


def _strange_units(found: base.Statement, words: Vocabulary, declared: Collection[str]) -> list[str]:
    """The units of a statement that neither the game nor the sheet knows."""
    units = getattr(found, "units", ())
    return [u for u in units if u not in words.units and u not in declared and not words.members(u)]


def _names_words(found: base.Statement, words: Vocabulary, declared: Collection[str]) -> bool:
    """Whether a statement names as a unit what is a mere word: nobody is accused of a unit called `step`."""
    strange = _strange_units(found, words, declared)
    return bool(words.units) and any(u.isalpha() or (u.isdigit() and len(u) < 2) for u in strange)


def read_sheet(text: str, source: str = "", lookup: Lookup = known_words) -> statements.Sheet:
    """The statements of a sheet. Never raises: what cannot be read stands in `problems`, in the order of lines.

    `lookup` gives the words of the game that it names; without it, those of the games that this program knows.
    """
    lines = physical_lines(text.removeprefix("\ufeff"))
    logical = list(islice(logical_lines(lines), MAX_STATEMENTS + 1))
    reader = _Reader(lookup(game_named(logical), source) or notation())
    reader.listen(logical)
    parts = _parted(logical[:MAX_STATEMENTS], reader.words)
    for line in headers.together(parts, reader.words, reader.heads, reader.open):
        reader.read(line)
    if len(logical) > MAX_STATEMENTS:
        reader.done.overflow(logical[-1].line)
    found = reader.done.sheet(lines, source)
    return replace(found, language=reader.language, heads=frozenset(reader.heads))


def read_answered(text: str, source: str, answer: str, lookup: Lookup = known_words) -> statements.Sheet:
    """As `read_sheet`, with what a player answers to the lines that are open without it. Raises NoAnswer."""
    found = read_sheet(text, source, lookup)
    return read_sheet(put_in(text, picked(found.problems, answer)), source, lookup) if answer.strip() else found


def _parted(lines: Iterable[LogicalLine], words: Vocabulary) -> Iterator[LogicalLine]:
    """Lines with what opens a phase, or stands in the head, apart from what follows it in the same line."""
    for line in lines:
        rest = line
        while not line.too_long and not _own_words(rest, words) and (at := _end_of_head(rest, words)) is not None:
            tokens = rest.tokens
            yield replace(rest, tokens=tokens[:at], end=tokens[at - 1].behind)
            rest = replace(rest, tokens=tokens[at:])
        yield rest


def _end_of_head(line: LogicalLine, words: Vocabulary) -> int | None:
    """Where in a line a head or a header ends behind which more is said; None for any other line."""
    tokens = line.tokens
    for i in range(1, len(tokens)):
        semicolon = line.semicolon(tokens[i - 1], tokens[i]) or (
            line.comma(tokens[i - 1], tokens[i]) and _is_head(tokens[i : i + 2], words)
        )
        ends = semicolon or tokens[i - 1].text.endswith((".", ":"))
        if ends and (headers.is_header(tokens[:i], words) or (semicolon and _is_head(tokens[:i], words))):
            return i
    return None


def _is_head(tokens: tuple[Token, ...], words: Vocabulary) -> bool:
    """Whether tokens are a statement that stands above the first turn, and no single word of a row."""
    begun = base.beginning(words.meaning("statements", tokens[0].key) or "")
    return len(tokens) > 1 and any(issubclass(cls, base.Header) for cls in begun)


def _between_semicolons(line: LogicalLine) -> Iterator[LogicalLine]:
    tokens, start = line.tokens, 0
    for i in range(1, len(tokens)):
        if line.semicolon(tokens[i - 1], tokens[i]):
            yield replace(line, tokens=tokens[start:i], end=tokens[i - 1].behind)
            start = i
    yield replace(line, tokens=tokens[start:])


def _own_words(line: LogicalLine, words: Vocabulary) -> bool:
    """Whether somebody rules, or gives a name, in words of his own, which may have any mark between them."""
    begun = base.beginning(words.meaning("statements", line.tokens[0].key) or "")
    return any(issubclass(cls, base.Ruling | statements_head.PlaceName | statements_head.Players) for cls in begun)


def read_line(
    text: str, words: Vocabulary, *, placing: bool = False, declared: Collection[str] = (), free: bool = True
) -> base.Statement | None:
    """What a line says, wherever in a sheet it may stand; None for one that is no statement, or not quite.

    `placing`: what reads as the place of a unit is that. `declared` are units of the sheet's own;
    `free`: words of people's own are read too.
    """
    found = read_each(text, words, placing=placing, declared=declared, free=free)
    return found[0] if len(found) == 1 else None


def read_each(
    text: str,
    words: Vocabulary,
    *,
    placing: bool = False,
    declared: Collection[str] = (),
    free: bool = True,
    contexts: Sequence[Context] = (),
) -> list[base.Statement]:
    """All that a line says, wherever it may stand; nothing if some of it is not read.

    `free`: words of people's own are read too, and not the notation alone.
    """
    line = next(logical_lines([text]), None)
    if line is None or line.too_long:
        return []
    reader = _Reader(words)
    reader.done.units |= set(declared)
    if (at := _end_of_head(line, words)) is not None and not _own_words(line, words):
        opened = reader.notation(line.of(headers.turn_first(line.tokens[:at], words)))
        contexts = _within(opened)
        rest = read_each(_rest(line, at), words, declared=declared, free=free, contexts=contexts)
        return [opened, *rest] if opened is not None and rest else []
    for in_position in (placing, not placing):
        reader.done.in_position = in_position
        header = headers.turn_first(line.tokens, words)
        found = reader.notation(line.of(header))
        if found is not None and not (isinstance(found, statements_head.SheetVersion) and found.version != VERSION):
            return [found]
        if placing or not in_position:
            for one in ((Context(placing=True),) if in_position else contexts or _ANYWHERE) if free else ():
                said = read_clauses(line, words, one, reader.done.units)
                if said.statements:
                    return list(said.statements)
    reader.done.in_position = placing
    strange = reader.notation(line, sure=False)
    if strange is None or _names_words(strange, words, declared):
        return []
    return [strange]  # of a unit that the game does not know


def _within(opened: base.Statement | None) -> tuple[Context, ...]:
    """What is open behind a line that opens a phase; anything behind any other."""
    if not isinstance(opened, statements.TurnStart):
        return ()
    moving = opened.phase == "movement"
    return (Context(moving=moving, fighting=not moving, side=opened.side),)


def _rest(line: LogicalLine, at: int) -> str:
    """The text of a line from a token on."""
    return line.texts[line.tokens[at].line - 1][line.tokens[at].column - 1 :]


_FREE: Final = (*FRAMED, *REPORTED)
_ANYWHERE: Final = (Context(moving=True), Context(fighting=True, engaged=("",)), Context(fighting=True))
"""The phases in which a line may stand alone; of a combat that is open nobody knows the hex."""


def sheet_of(
    lines: Sequence[tuple[str, base.Statement | None]],
    source: str,
    words: Vocabulary,
    language: Language = SOURCE,
) -> statements.Sheet:
    """A sheet of statements, with the lines that they are written as in a language.

    Lines without a statement are comments, or what somebody wrote and nobody could read, which is a problem here.
    """
    blank = ("" if given and not isinstance(given, statements_head.Placement) else text for text, given in lines)
    unread = {line.line: line for line in logical_lines(list(blank))}
    reader = _Reader(words)
    count = 0
    for number, (text, statement) in enumerate(lines, 1):
        if statement is None and number not in unread:
            continue
        count += 1
        if count > MAX_STATEMENTS:
            reader.done.overflow(number)
            break
        # Only within a position is the place of a unit a statement.
        if statement is None or (isinstance(statement, statements_head.Placement) and not reader.done.in_position):
            reader.read(unread[number])
        else:
            reader.spoke((language,))
            _hand_over(reader.done, replace(statement, line=number), text)
    found = reader.done.sheet([text for text, _ in lines], source)
    return replace(found, language=language, heads=frozenset(reader.heads))


def _hand_over(done: Assembly, statement: base.Statement, text: str) -> None:
    """Take a statement that is written as a text, as if that had been read."""

    def misplaced(hint: str) -> SyntaxProblem:
        token = next(logical_lines([text])).tokens[0]
        return SyntaxProblem(statement.line, token.column, token.text, expected(hint))

    try:
        if not isinstance(statement, statements_head.Placement):
            done.watch_first(version=isinstance(statement, statements_head.SheetVersion), misplaced=misplaced)
            done.watch_place(type(statement), misplaced)
        done.add(statement)
    except Unread as error:
        done.complain(error.problem)


def read_bytes(data: bytes, source: str = "", answer: str = "") -> statements.Sheet:
    """As `read_answered`, from the bytes of a file.

    Raises UnreadableSheet also for a text in which nothing is a statement.
    """
    sheet = read_answered(decode(data, source), source, answer)
    if not sheet.statements:
        raise UnreadableSheet(source, "no-statement")
    return sheet


def read_file(path: str | Path, answer: str = "") -> statements.Sheet:
    """As `read_bytes`, from a file or, for `-`, from standard input. Raises UnreadableSheet, never OSError."""
    return read_bytes(read_raw(path), str(path), answer)


def read_ruling(
    cls: type[statements_head.Put] | type[statements_head.RuledControl],
    text: str,
    words: Vocabulary,
    declared: Collection[str] = (),
) -> statements_head.Put | statements_head.RuledControl | SyntaxProblem:
    """What stands behind the word of a ruling, up to `because`, or why it cannot be read; all on line 1.

    `declared` are units of the sheet's own. Who rules so and why is left empty: that stands elsewhere.
    """
    word = base.WORDS[cls][0]
    line = next(logical_lines([f"{word} {' '.join(text.split())} because {word}"]))
    at = Cursor(line, words, SOURCE, declared)
    try:
        if line.too_long:
            raise at.fail("line-length")
        at.step()
        found = base.read_statement(cls, at, word)
    except Unread as error:
        return error.problem
    assert isinstance(found, statements_head.Put | statements_head.RuledControl)
    if found.by or found.reason != word:
        return at.problem(expected("ruling-alone"))
    return at.problems[0] if at.problems else replace(found, reason="")
