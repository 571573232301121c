"""Read a turn sheet: text in, statements and syntax problems out.

The reader never gives up: a line that cannot be read becomes a `SyntaxProblem` with line, column, what was found
and what would have fitted, and reading goes on with the next line. Only a file that is no text at all, or larger
than a sheet can be, raises `UnreadableSheet`.

Read what a director rules in a tournament's file, which says it in the words of the notation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

from ...scenarios.text.words import SOURCE, Language
from ..notation import base, statements, statements_head
from ..notation.cursor import (
    UNIT,
    Cursor,
    LogicalLine,
    SyntaxProblem,
    Token,
    Unread,
    expected,
    logical_lines,
    physical_lines,
)
from ..notation.kinds import Pen
from ..notation.records import VERSION
from ..notation.vocabulary import is_mute, notation, read_canonical
from ..notation.words import FIRST, Vocabulary, fold
from . import phases
from .assembly import MAX_PROBLEMS, MAX_STATEMENTS, Assembly
from .infer_game import Lookup, Patience, game_named, known_words
from .phases import UnreadableSheet, decode, read_raw, surmise
from .phrases import battalions, columns, continued, numbers, reckoning
from .phrases.assault import met
from .phrases.clauses import clauses, in_company, of_one_subject
from .phrases.continued import denies, does_nothing
from .phrases.headings import without_remarks
from .phrases.natural import Plains, apart
from .phrases.order import placed
from .phrases.retreats import (
    WITH_WAYS,
    Fought,
    fled,
    lacks_hex,
    names_nobody,
    pursued,
    supported,
    without_attacked,
    without_faced,
)
from .phrases.spoken import is_intended

_SIGNS: Final = (statements_head.SheetVersion, statements_head.GameName, statements_head.Players)
"""Statements of a head by which nothing is judged otherwise."""
_LEAST_CLAUSES: Final = 3
"""Words of a line that may say two things."""
_PLACEMENT: Final[tuple[type[base.Statement], str]] = (statements_head.Placement, "")


class _Reader:
    """What has been read so far, and the language in which most of it is written.

    `hints`: who wrote a line that cannot be read is told what it may mean, which costs more than all else.
    """

    def __init__(self, words: Vocabulary, *, hints: bool = True, patience: Patience | None = None) -> None:
        self.words = words
        self.patience = Patience() if patience is None else patience
        self.hints = hints
        self.done = Assembly(self._written, words.side)
        self.open = phases.Open(words)
        self.language = SOURCE
        """The language that most lines so far began in."""
        self._spoken: Counter[str] = Counter()
        self._found: base.Statement | None = None

    def _written(self, statement: base.Statement) -> str:
        return base.write_line(statement, Pen(self.words, self.language))

    # ------------------------------------------------------------------------------------------ lines

    def read(self, source: LogicalLine) -> None:
        """Read a line; in what is wrong with it a word is named as it was typed, whatever it was taken for."""
        known, typed = len(self.done.problems), {(t.line, t.column): t.text for t in source.tokens}
        self._take(source)
        for i, p in enumerate(self.done.problems[known:], known):
            self.done.problems[i] = replace(p, found=typed.get((p.line, p.column), p.found))

    def _take(self, source: LogicalLine) -> None:
        if not self.done.in_position and (found := self._canonical(source)) is not None:
            self._read(source, source, found=found)
            return
        if not self.patience:
            self._read(source, source, refused="notation")
            return
        if denies(source, self.words):
            self._read(source, source, refused="statement")
            return
        if self.done.fighting and lacks_hex(source, self.words, self.done.units, self.done.attacking):
            self._read(source, source, refused="retreat-hex")
            return
        source = numbers.told(source, self.words, self.done.units)
        source = battalions.listed(source, self.words, self.done.units)
        source = without_attacked(source, self.words, self.done.units, self.done.attacking)
        source = supported(source, self.words, self.done.units, self.done.attacking)
        source = without_faced(source, self.words, self.done.units, self.done.attacking)
        if self.done.moving and not self.done.unread_behind:
            source = continued.as_before(source, self.words, self.done.units, self.done.statements)
        if self.done.awaits_dice and not self.done.unread_behind:
            source = columns.awaited(reckoning.alone(source, self.words, self.done.totals), self.words)
        if self.done.awaits_odds and not self.done.unread_behind:
            source = reckoning.either(source, self.words)
        done, words = self.done, self.words
        if done.attacked_by:
            source = numbers.attackers(source, words, done.units, done.attacked_by)
        plains = Plains(words, done.units, within=done.moving)
        told = _told(
            source,
            words,
            done.in_position,
            done.units,
            plains,
            engaged=done.assaulted,
            moving=done.moving,
            fighting=done.fighting,
            fought=done.fought,
            attacking=done.attacking,
            awaited=done.attacked_by,
            patience=self.patience,
        )
        for line in told:
            self._read(line, plains.of(line, moving=done.moving, fighting=done.engaged != frozenset()))
        if not told:
            self._read(source, source, refused="statement")

    def _canonical(self, line: LogicalLine) -> base.Statement | None:
        fought = self.done.fought is not None and self.done.fought.resolved
        return read_canonical(line, self.words, self.done.units, self.begin, fought=fought)

    def _read(
        self,
        typed: LogicalLine,
        source: LogicalLine,
        *,
        refused: str = "",
        found: base.Statement | None = None,
    ) -> None:
        """Take a line as it was `typed`, which says what stands in the `source`: the statement that was `found`.

        `refused`: why it is not read.
        """
        at = Cursor(source, self.words, self.language, self.done.units)
        self._found = found
        try:
            if source.too_long:
                raise at.fail("line-length")
            if refused:
                raise at.fail(refused)
            by_itself = typed.tokens[0].key == source.tokens[0].key
            at.spoken = not by_itself
            self._line(at, source.tokens[0], by_itself=by_itself, intended=is_intended(typed, self.words))
        except Unread as error:
            at.problems = self._assuming(at, [*at.problems, error.problem])
            if at.tokens and not self.done.in_turn and (self.done.in_position or self._heads(at.tokens[0])):
                at.problems = [replace(problem, head=True) for problem in at.problems]
        self.done.complain(*at.problems)

    def _assuming(self, at: Cursor, problems: list[SyntaxProblem]) -> list[SyntaxProblem]:
        """Make of a header that cannot be read what it surely means, and have its first problem tell of it.

        The lines below a header have a meaning only with it; where none can be made out, they are not judged.
        """
        if not self.done.statements and phases.nearly_opens(at.tokens, self.words):
            self.done.add(statements_head.SheetVersion(at.line, VERSION))
            return [replace(problems[0], assumed=self._written(self.done.statements[0]))]
        meant = surmise(at) if len(self.done.problems) < MAX_PROBLEMS else None
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
        known = self._known(first) or not self.hints
        likely = () if known else self.words.likely(FIRST[:1], first.key, self.language)
        for word in (first.key, *map(fold, likely)):
            begun = base.beginning(self.words.meaning("statements", word) or "")
            if any(issubclass(cls, base.Header) and not issubclass(cls, _SIGNS) for cls in begun):
                return True
        return False

    def _line(self, at: Cursor, first: Token, *, by_itself: bool, intended: bool) -> None:
        if self.places(at, first):
            self.done.close()
            self._add(statements_head.Placement, at, "")
            return
        version = first.kind == "word" and self.words.meaning("statements", first.key) == "sheet"
        version = version or phases.nearly_opens(at.tokens, self.words)
        self.done.watch_first(version=version, misplaced=lambda hint: at.problem(expected(hint)))
        cls, word = self.begin(at, first)
        if intended and issubclass(cls, statements.Engagement) and self.done.moving:
            raise at.fail("statement")  # what he will do in another phase
        if self.done.fighting and issubclass(cls, WITH_WAYS) and (intended or not by_itself):
            # Where units fight, who says in his own words that some go somewhere means no move out of its phase.
            raise at.fail("statement")
        self.done.watch_place(cls, lambda hint: at.problem(expected(hint), first))
        self._add(cls, at, word)

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

    def begin(self, at: Cursor, first: Token) -> tuple[type[base.Statement], str]:
        """The statement that a line's first word begins, and the word's meaning. Raises Unread."""
        if not self._known(first):
            raise self._unknown(at, first)
        at.step()
        return self._choose(at, self.words.meaning("statements", first.key), first.key)

    def _known(self, first: Token) -> bool:
        return first.kind == "word" and self.words.begins(first.key)

    def _unknown(self, at: Cursor, first: Token) -> Unread:
        if not self.hints or len(self.done.problems) >= MAX_PROBLEMS:
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

    def _add(self, cls: type[base.Statement], at: Cursor, word: str) -> None:
        at.naming = issubclass(cls, statements_head.Naming)
        try:
            statement = self._found if type(self._found) is cls else base.read_statement(cls, at, word)
        except Unread:
            if cls is not statements.TurnStart:  # what that means can be made out, see `surmise`
                self.done.break_off(cls, at.line)
            raise
        if at.void and cls is statements.TurnStart:
            # Its side is no word of the game: one that is misspelt may be made out all the same.
            raise Unread(at.problems.pop())
        self.done.add(statement, void=at.void)


def read_sheet(
    text: str, source: str = "", lookup: Lookup = known_words, patience: Patience | None = None
) -> statements.Sheet:
    """The statements of a sheet. Never raises: what cannot be read stands in `problems`, in the order of lines.

    `lookup` gives the words of the game that it names; without it, those of the games that this program knows.
    `patience` is what may be spent on lines in people's own words, without it as much as on a text.
    """
    lines = physical_lines(text.removeprefix("\ufeff"))
    logical = list(islice(logical_lines(lines), MAX_STATEMENTS + 1))
    reader = _Reader(lookup(game_named(logical), source) or notation(), patience=patience)
    reader.listen(logical)
    heads: set[int] = set()
    rows = columns.rows(logical[:MAX_STATEMENTS], reader.words, heads)
    for line in phases.together(rows, reader.words, heads, reader.open):
        said = " ".join(token.text for token in line.tokens)
        rests = reader.done.moving and continued.stays(said, reader.words)
        if rests or does_nothing(line, reader.words, reader.done.units, fighting=reader.done.fighting):
            heads.add(line.line)
        else:
            reader.read(line)
    if len(logical) > MAX_STATEMENTS:
        reader.done.overflow(logical[-1].line)
    return replace(reader.done.sheet(lines, source), language=reader.language, heads=frozenset(heads))


def read_line(
    text: str, words: Vocabulary, *, placing: bool = False, declared: Collection[str] = ()
) -> base.Statement | None:
    """What a line says, wherever in a sheet it may stand; None for one that is no statement, or not quite.

    `placing`: what reads as the place of a unit is that. `declared` are units of the sheet's own.
    """
    line = next(logical_lines([text]), None)
    if line is None or line.too_long:
        return None
    return _read_alone(line, words, placing, declared, Plains(words, declared))


def read_first(
    text: str, words: Vocabulary, *, placing: bool = False, declared: Collection[str] = ()
) -> base.Statement | None:
    """As `read_line`, of a line that may say several things between semicolons: the first, if all can be read."""
    return next(iter(read_each(text, words, placing=placing, declared=declared)), None)


def read_each(
    text: str,
    words: Vocabulary,
    *,
    placing: bool = False,
    declared: Collection[str] = (),
    fighting: bool = False,
    patience: Patience | None = None,
) -> list[base.Statement]:
    """As `read_first`: all that the line says; nothing if some of it cannot be read.

    `fighting`: it stands where a combat is told. `patience` is what may be spent on it; without any left only the
    notation is read.
    """
    patience = Patience() if patience is None else patience
    line = next(logical_lines([text]), None)
    if line is None or line.too_long:
        return []
    if not placing:
        canonical = read_canonical(line, words, declared, _Reader(words, hints=False).begin)
        if canonical is not None:
            return [canonical]
    if not patience or is_mute(line, words, declared) or denies(line, words):
        return []
    line = battalions.listed(numbers.told(line, words, declared), words, declared)
    plains = Plains(words, declared)
    parts = _told(line, words, placing, declared, plains, fighting=fighting, patience=patience)
    found = [_read_alone(part, words, placing, declared, plains, fighting=fighting) for part in parts]
    read = [statement for statement in found if statement is not None]
    return read if len(read) == len(found) else []


def _told(
    line: LogicalLine,
    words: Vocabulary,
    placing: bool,
    declared: Collection[str],
    plains: Plains,
    *,
    engaged: frozenset[str] = frozenset(),
    moving: bool | None = None,
    fighting: bool = False,
    fought: Fought | None = None,
    attacking: str = "",
    awaited: str = "",
    patience: Patience,
) -> list[LogicalLine]:
    """The statements of a line, each as a line: of one that cannot be read as it stands, those it is made of.

    An empty list if it may be meant in several ways.
    """
    if fought is not None and any(words.are_codes(token.text) for token in line.tokens):
        fought = replace(fought, resolving=True)
    known = fought is not None and (fought.resolved or fought.resolving)
    alone = known and bool(line.tokens) and names_nobody(line, words, declared)

    # One way to part a line is tried after the other, and most have pieces in common.
    @cache
    def of(piece: LogicalLine) -> list[LogicalLine]:
        piece = fled(piece, words, declared, attacking, alone=alone) if fighting else piece
        told = met(piece, words, declared, engaged, (attacking, awaited)) if fighting else [piece]
        return [
            pursued(part, words, declared, fought)
            for each in told
            for part in apart(each, words, declared, engaged)
        ]

    @cache
    def said(piece: LogicalLine, *, wary: bool = False, sure: bool = False) -> int:
        if all(words.is_hex(token.text) and token.key not in declared for token in piece.tokens):
            return 0  # a way alone says nothing
        if is_mute(piece, words, declared):
            return 0
        parts = of(piece)
        patience.spend(1 + len(parts))
        told = (
            _read_alone(
                part, words, placing, declared, plains, moving=moving, wary=wary, fighting=fighting, sure=sure
            )
            for part in parts
        )
        return len(parts) * all(told)

    # Who reads more warily, or more surely, takes nothing that others refuse, and most pieces nobody takes.
    def warily(piece: LogicalLine) -> int:
        return said(piece) and said(piece, wary=True)

    def surely(piece: LogicalLine) -> int:
        return said(piece) and said(piece, sure=True)

    def told_apart(part: LogicalLine) -> list[LogicalLine]:
        # Where a unit or code of the line is unknown, it may be the word of another statement.
        found = in_company(part, words, declared, said)
        if found or len(found := clauses(part, words, surely)) != 1:
            return found
        if said(part):
            return [part]
        found = clauses(part, words, warily, talked=bool(moving) or fighting)
        return found if len(found) != 1 or not fighting else of_one_subject(part, words, warily)

    patience.spend(1)
    parts = [part for place in (placed(line, words, declared) if placing else [line]) for part in of(place)]
    if line.too_long or len(line.tokens) < _LEAST_CLAUSES:
        return parts
    whole = [bool(said(part, sure=True)) for part in parts]
    if all(whole):
        return parts
    for bare in without_remarks(line, words, declared, moving=bool(moving)):
        if all(map(surely, told := of(bare))):
            return told
    found = [[part] if read else told_apart(part) for part, read in zip(parts, whole, strict=True)]
    return [told for part in found for clause in part for told in of(clause)] if all(found) else []


def _read_alone(
    line: LogicalLine,
    words: Vocabulary,
    placing: bool,
    declared: Collection[str],
    plains: Plains,
    *,
    moving: bool | None = None,
    wary: bool = False,
    fighting: bool = False,
    sure: bool = False,
) -> base.Statement | None:
    reader = _Reader(words, hints=False)
    made = plains.of(line, moving=not placing if moving is None else moving, fighting=fighting)
    begun = False
    for in_position in (placing, not placing):
        reader.done.in_position = in_position
        at = Cursor(made, words, SOURCE, declared)
        at.wary, at.sure = wary, sure
        at.spoken = line.tokens[0].key != made.tokens[0].key
        try:
            first = at.tokens[0]
            cls, word = _PLACEMENT
            if not reader.places(at, first):
                if begun:
                    continue  # what is no place of a unit is read alike within a position and outside
                begun = True
                cls, word = reader.begin(at, first)
            found = base.read_statement(cls, at, word)
        except Unread:
            continue
        if not at.problems and not (isinstance(found, statements_head.SheetVersion) and found.version != VERSION):
            return found
    return None


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
    return replace(reader.done.sheet([text for text, _ in lines], source), language=language)


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


def read_bytes(data: bytes, source: str = "") -> statements.Sheet:
    """As `read_sheet`, from the bytes of a file.

    Raises UnreadableSheet also for a text in which nothing is a statement.
    """
    sheet = read_sheet(decode(data, source), source)
    if not sheet.statements:
        raise UnreadableSheet(source, "no-statement")
    return sheet


def read_file(path: str | Path) -> statements.Sheet:
    """As `read_bytes`, from a file or, for `-`, from standard input. Raises UnreadableSheet, never OSError."""
    return read_bytes(read_raw(path), str(path))


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
