"""From mails and texts to games: which lines are statements, of which game, and what became of all others.

A game goes on from mail to mail of a thread. What a mail quotes of it is no second game; what its writer adds
above, below or between the quoted lines continues it, in the order in which it was written. Nothing is guessed: a
line that is a statement, or nearly one, and belongs to no game without doubt, is marked as not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from ..notation import base, games, kinds, statements, statements_head
from ..notation.cursor import is_comment, logical_lines
from ..notation.records import COMMENT, Mark
from ..notation.vocabulary import notation
from ..notation.words import fold
from .infer_game import Surmise, named_behind
from .line_classifier import Ear
from .mail_lines import Heard, completed, game_told, headed, heard, opened
from .mails.mime import Letter, TypedText
from .mails.quoting import TextRow, reading_order
from .sheet import read_line
from .typed_game import Again, KeptGame, Origin, PlacedRow, Repeats, TypedGame

if TYPE_CHECKING:
    from ..notation.records import Progress


Lines: TypeAlias = Sequence[Heard]

_WORD: Final = re.compile(r"[^\W\d_]+")
_SHORT: Final = 200
OUTSIDE = Mark("not-read", "outside")
AGAIN = Mark("not-read", "again")
CHANGED = Mark("not-read", "changed")
SPARE = Mark("not-read", "spare")
DIFFERS = Mark("not-read", "differs")
QUOTED = Mark("quoted")
PROSE = Mark("prose")
REMARK = Mark("prose", COMMENT)
TELLS = Mark("prose", "tells")
STAYS = Mark("prose", "stays")


def games_of(thread: Sequence[Letter], progress: Progress | None = None) -> list[TypedGame]:
    """The games that a thread of mails, or a text, holds; none if all of it is talk.

    `progress` hears how many letters are read, and of how many.
    """
    clerk = _Clerk()
    for number, letter in enumerate(thread):
        if progress is not None and len(thread) > 1:
            progress(thread[0].file, number, len(thread))
        for typed in letter.texts:
            clerk.take(letter, typed)
    return clerk.games()


class _Clerk:
    """Puts games together, text by text."""

    def __init__(self) -> None:
        self._games: list[TypedGame] = []
        self._waiting: list[PlacedRow] = []
        self._ears: dict[str, Ear] = {}
        self._letter: Letter | None = None
        self._surmise = Surmise()
        """What the text at hand tells of its game, where it has to."""
        self._at: tuple[Letter, TypedText]
        self._refused: set[str] = set()
        self._quoting: TypedGame | None = None
        """The game that the text at hand quotes for the first time."""

    def games(self) -> list[TypedGame]:
        """What was put together; statements without any game are one that has no name."""
        if not self._games and any(p.says for p in self._waiting):
            # What is quoted of a game that nobody tells is no answer to it, and not judged either.
            self._waiting = [
                replace(p, mark=OUTSIDE) if p.says and p.mark is not SPARE else p for p in self._waiting
            ]
            self._games.append(TypedGame(likely=self._surmise.name or self._surmise.likely))
        if self._games:
            self._games[-1].placed += self._waiting
            self._waiting = []
        return self._games

    def take(self, letter: Letter, typed: TypedText) -> None:
        """A text of a letter, all of its lines."""
        self._at = letter, typed
        ear = self._ear(letter, typed)
        lines = {line.first.number: line for line in heard(typed.rows, ear, strict=typed.strict)}
        if typed.spare:
            self._put([SPARE if line.says else PROSE for line in lines.values()], list(lines.values()))
            return
        if self._surmise.by == "spelling":
            lines = {number: _spelt(line, self._surmise.name, ear) for number, line in lines.items()}
        rows = [line.first for line in lines.values()]
        says = [n for n, line in lines.items() if line.says]
        as_written = typed.strict or _goes_on_below(list(lines.values()))
        ordered = [lines[row.number] for row in (rows if as_written else reading_order(rows, says))]
        if not typed.strict and ear.game and (not self._games or self._games[-1].name != ear.game):
            ordered = opened(headed(ordered, letter.subject, ear), ear.game, ear, self._surmise.by)
        elif not typed.strict:
            ordered = completed(ordered, ear)
        self._quoting = None
        for quoted, chunk in _chunks(ordered, strict=typed.strict):
            for piece in _pieces(chunk):
                self._piece(piece, ear, quoted=quoted)

    def _ear(self, letter: Letter, typed: TypedText) -> Ear:
        """Who knows the words of the game that a text is about: the one it names, else the one that goes on."""
        named = next((n for row in typed.rows if (n := _game_of_line(row.text))), "")
        name = games.meant(named, letter.file) or named
        self._surmise = Surmise(name, "spelling" if kinds.is_misspelt(named, name) else "")
        if not name and self._games:
            name = self._games[-1].name
        elif not name:
            self._surmise = game_told(letter, typed)
            name = self._surmise.name
        if name not in self._ears:
            words = games.vocabulary(name, letter.file)
            self._ears[name] = Ear(words or notation())
        ear = self._ears[name]
        if self._letter is not letter:
            self._letter = letter
            ear.open_letter()
        return ear

    # ------------------------------------------------------------------------------------------ pieces

    def _piece(self, piece: Lines, ear: Ear, *, quoted: bool) -> None:
        """Lines one below the other, of which only the first can begin a sheet."""
        # Who has said something of a game that has no sheet goes on with it, in figures too.
        playing = bool(self._games[-1].turns) if self._games else any(p.says for p in self._waiting)
        if not any(line.says or (not quoted and _plays(line, ear, playing=playing)) for line in piece):
            self._put([_talk(line, ear, quoted) for line in piece], piece)
        elif _begins_sheet(piece[0]):
            self._sheet(piece, ear, quoted=quoted)
        elif not self._games:
            marks: list[Mark] = []
            for line in piece:
                marks.append(_stray(line, ear, quoted, playing=playing))
                playing = playing or marks[-1] == OUTSIDE
            self._put(marks, piece)
        elif quoted:
            self._quoted(piece, ear)
        else:
            self._continue(piece, ear)

    def _sheet(self, piece: Lines, ear: Ear, *, quoted: bool) -> None:
        for game in reversed(self._games):
            repeats = game.repeats(piece)
            if repeats is Repeats.MORE and game.quoted_only and not quoted:
                continue  # the answer says all of it again, and stands for itself
            if (
                repeats is Repeats.ALL
                or repeats is Repeats.MORE
                or (repeats is Repeats.HEAD and game.goes_on(piece))
            ):
                self._games.remove(game)
                self._games.append(game)
                game.quoted_only = game.quoted_only and quoted
                self._add_new(piece, ear, quoted=quoted)
                return
        if quoted and self._games:
            self._quoted(piece, ear)
            return
        game = TypedGame(quoted_only=quoted)
        if self._games and self._games[-1].quoted_only:
            # What a mail quotes, and answers with a sheet of its own, is no second game.
            self._waiting = [p.as_quoted() for p in self._games.pop().placed] + self._waiting
        game.placed, self._waiting = self._waiting, []
        self._games.append(game)
        self._quoting = game if quoted else None
        self._continue(piece, ear, quoted=quoted)

    def _add_new(self, piece: Lines, ear: Ear, *, quoted: bool) -> None:
        """Lines of a sheet that goes on with one that is known: those that it repeats are no statements again."""
        game = self._games[-1]
        known = game.aligned(piece)
        new = next(
            (i for i, line in enumerate(piece) if line.says and not known[i] and not _is_head(line)), len(piece)
        )
        self._put([QUOTED if line.says else _talk(line, ear, False) for line in piece[:new]], piece[:new])
        self._continue(piece[new:], ear, quoted=quoted)
        game.point_at(piece[:new] if quoted else [])

    def _quoted(self, piece: Lines, ear: Ear) -> None:
        """What a mail quotes of a game that is known; at its end may stand what no earlier mail at hand holds."""
        game = self._games[-1]
        if self._quoting is game:
            self._continue(piece, ear, quoted=True)
            return
        known = [a or line.key in self._refused for a, line in zip(game.aligned(piece), piece, strict=True)]
        told = [i for i, line in enumerate(piece) if line.says and known[i] and not _is_head(line)]
        end = told[-1] + 1 if told else 0
        if not _goes_on(piece[end:], game, piece[end - 1] if told else None):
            end = len(piece)
        changed = game.unheard(piece[:end], known) if told else [False] * end
        self._put([CHANGED if new else QUOTED for new in changed], piece[:end])
        self._continue(piece[end:], ear, quoted=True)
        game.point_at(piece[:end])

    def _continue(self, piece: Lines, ear: Ear, *, quoted: bool = False) -> None:
        """Lines that go on with the last game; a turn that has been played already is not played again."""
        game = self._games[-1]
        inserted = game.inserts(piece) and not quoted
        again = False
        begun = bool(game.turns)
        marks: list[Mark | None] = []
        lines = list(piece)
        strayed = False
        for i, typed in enumerate(piece):
            if typed.encoded:
                marks.append(_talk(typed, ear, quoted))
                continue
            turn = None if typed.below_signature else self._next_phase(typed, ear)
            line = lines[i] = typed if turn is None else typed.opening(turn, ear)
            heads = ear.nearly_heads(line.text)
            begun = begun or bool(game.turns) or heads or isinstance(line.statement, base.Header)
            if heads and not isinstance(line.statement, base.Opening):
                game.doubts_phase = True
            elif not again:
                line = lines[i] = self._fighting(line, ear)
            strayed = strayed or _is_of_another(line, game)
            if strayed:
                marks.append(_stray(line, ear, quoted, playing=begun))
            elif isinstance(line.statement, base.Opening):
                repeated, again = game.turn_again(line.statement)
                marks.append(_old(quoted) if again else QUOTED if repeated else None)
            elif not quoted and game.moves and _stays(line, ear):
                marks.append(STAYS)
            elif (
                not line.says
                and not (game.doubts_phase and not quoted and ear.heads(line.text))
                and not (
                    # Of a game that is only quoted, figures alone are told in a combat as in one that is not.
                    (not quoted or ear.is_data(line.text)) and _plays(line, ear, playing=begun)
                )
            ):
                marks.append(_talk(line, ear, quoted))
            elif line.below_signature:
                marks.append(_stray(line, ear, quoted))
            else:
                said = game.said_before(line) or (quoted and line.key in self._refused)
                marks.append(_old(quoted) if again else QUOTED if said else self._twice(line, quoted))
            if marks[-1] is None:
                game.note(line, self._origin(quoted))
        if inserted:
            game.insert([p for line, mark in zip(lines, marks, strict=True) for p in self._placed(line, mark)])
        else:
            self._put(marks, lines)

    def _next_phase(self, line: Heard, ear: Ear) -> statements.TurnStart | None:
        """The phase that a line opens by a part of its header, or by saying that nobody is attacked in it."""
        game, (_, typed) = self._games[-1], self._at
        if (turn := ear.goes_on(line.text, game.turns)) is not None or typed.strict or game.doubts_phase:
            return turn
        return ear.fights_nobody(line.text, game.turns)

    def _fighting(self, line: Heard, ear: Ear) -> Heard:
        """A line with the phase of combat that it opens without a word of it, right behind a side's movement."""
        game, (_, typed) = self._games[-1], self._at
        said = (
            line.says
            and isinstance(line.statement, statements.Engagement)
            and not isinstance(line.statement, statements.Overrun)
        )
        aside = typed.strict or line.below_signature
        fight = ear.fights_on(game.turns) if said and not aside and not game.doubts_phase else None
        if fight is None:
            return line
        game.opened(fight)
        whole = ear.behind(fight, line.text)
        unwritten = line.unwritten if whole else (*line.unwritten, ear.written(fight))
        return replace(line, read_as=whole, unwritten=unwritten)

    def _twice(self, line: Heard, quoted: bool) -> Mark | None:
        """What becomes of a writer's own order that another text, or his quote, has given already."""
        again = None if quoted else self._games[-1].ordered_before(line, self._origin(quoted))
        return {None: None, Again.SAME: QUOTED, Again.DIFFERS: DIFFERS}[again]

    def _origin(self, quoted: bool) -> Origin:
        letter, typed = self._at
        return Origin(letter.source, typed.name, quoted)

    # ------------------------------------------------------------------------------------------- lines

    def _put(self, marks: Sequence[Mark | None], piece: Lines) -> None:
        target = self._games[-1].placed if self._games else self._waiting
        for line, mark in zip(piece, marks, strict=True):
            target.extend(self._placed(line, mark))
            if mark is not None and mark.part == "not-read":
                self._refused.add(line.key)

    def _placed(self, line: Heard, mark: Mark | None) -> Iterator[PlacedRow]:
        letter, typed = self._at
        if typed.strict and mark is not None and mark.part == "prose":
            mark = None
        whole = line.text
        if len(line.rows) == 1 and line.text == line.first.text:
            # Problems tell columns of the line as it stands.
            whole = line.first.raw if not line.first.sent else " " * line.first.sent + line.text
        whole = line.read_as or whole
        for said in line.unwritten if mark is None else ():
            unwritten = TextRow(line.first.number, line.first.depth, "", "")
            yield PlacedRow(letter, typed.name, unwritten, said, None, False, "", says=False)
        for i, row in enumerate(line.rows):
            says = line.says or mark == OUTSIDE
            yield PlacedRow(letter, typed.name, row, "" if i or mark else whole, mark, i > 0, line.key, says)


def _pieces(lines: list[Heard]) -> Iterator[list[Heard]]:
    """Stretches of lines that begin with `sheet 1`, and what stands before the first."""
    piece: list[Heard] = []
    for line in lines:
        if piece and _begins_sheet(line):
            yield piece
            piece = []
        piece.append(line)
    if piece:
        yield piece


def _chunks(lines: list[Heard], *, strict: bool) -> Iterator[tuple[bool, list[Heard]]]:
    """Stretches of a writer's own lines and of quoted ones; blank lines end none."""
    chunk: list[Heard] = []
    quoted = False
    for line in lines:
        here = quoted if line.first.blank else line.first.depth > 0 and not strict
        if chunk and here != quoted:
            yield quoted, chunk
            chunk = []
        quoted = here
        chunk.append(line)
    if chunk:
        yield quoted, chunk


def _goes_on_below(lines: Lines) -> bool:
    """Whether a writer who opens a phase above what he quotes goes on with it, or with the next, below that.

    Else what he says between the quoted lines answers them, and what stands above them all was written last.
    """
    says = [line for line in lines if line.says]
    first = next((i for i, line in enumerate(says) if line.first.depth), len(says))
    below = next((line.statement for line in says[first:] if not line.first.depth), None)
    opened = [line.statement for line in says[:first] if isinstance(line.statement, statements.TurnStart)]
    if not opened or below is None:
        return False
    above = opened[-1]
    match below:
        case statements.TurnStart(number=number, side=side):
            return number > above.number or (
                number == above.number and side == above.side and above.phase == "movement" != below.phase
            )
        case statements.Engagement():
            return above.phase != "movement"
        case base.Play():
            return above.phase == "movement"
    return False


def _begins_sheet(line: Heard) -> bool:
    return line.begins_sheet


def _is_of_another(line: Heard, game: TypedGame) -> bool:
    """Whether a line names another game than the one that is being played: what follows is no part of this one."""
    return (
        isinstance(line.statement, statements_head.GameName)
        and bool(game.turns)
        and line.statement.name != game.name
    )


def _is_head(line: Heard) -> bool:
    return isinstance(
        line.statement, statements_head.SheetVersion | statements_head.GameName | statements_head.Players
    )


def _goes_on(tail: Lines, game: TypedGame, last: Heard | None) -> bool:
    """Whether quoted lines that nobody has heard yet go on with a game, after a line of it that is quoted."""
    first = next((line.statement for line in tail if line.says), None)
    if isinstance(first, base.Opening):
        return game.is_later(first)
    return last is not None and game.ends_with(last)


def _old(quoted: bool) -> Mark:
    return QUOTED if quoted else AGAIN


def _talk(line: Heard, ear: Ear, quoted: bool) -> Mark:
    if line.encoded:
        return QUOTED if quoted else PROSE
    if is_comment(line.text):
        return REMARK
    return QUOTED if quoted else TELLS if ear.tells(line.text) else PROSE


def _plays(line: Heard, ear: Ear, *, playing: bool = False) -> bool:
    """Whether a line that is no statement tells of play all the same, and is no talk."""
    talk = line.first.blank or line.below_signature or line.aside or is_comment(line.text)
    return not talk and ear.plays(line.text, playing=playing)


def _stays(line: Heard, ear: Ear) -> bool:
    """Whether a line says only that units stay where they are."""
    talk = line.first.blank or line.below_signature or is_comment(line.text)
    return not talk and ear.stays(line.text)


def _stray(line: Heard, ear: Ear, quoted: bool, *, playing: bool = False) -> Mark:
    told = not quoted and (line.says or _plays(line, ear, playing=playing))
    return OUTSIDE if told else _talk(line, ear, quoted)


def _spelt(line: Heard, name: str, ear: Ear) -> Heard:
    """A line as one that names a game, where it does so but for its spelling."""
    if not kinds.is_misspelt(_game_of_line(line.text), name) or len(ear.reads_each(line.text)) > 1:
        return line
    text = ear.written(statements_head.GameName(line.first.number, name))
    return replace(line, text=text, typed=line.text, statement=ear.reads(text), says=True)


def _game_of_line(text: str) -> str:
    """The game that a line names."""
    words = notation()
    first = _WORD.search(text[:_SHORT])
    begins = words.meaning("statements", fold(first[0])) if first is not None else None
    if begins == "sheet" and len(text) <= _SHORT:
        return next((named_behind(line.tokens, words) for line in logical_lines([text])), "")
    if begins != "game" or len(text) > _SHORT:
        return ""
    found = read_line(text, words)
    return found.name if isinstance(found, statements_head.GameName) else ""


def kept_games(thread: Sequence[Letter], progress: Progress | None = None) -> list[KeptGame]:
    """The games of a thread, as `games_of` makes them, packed. `progress` hears of its letters."""
    return [KeptGame.of(game) for game in games_of(thread, progress)]
