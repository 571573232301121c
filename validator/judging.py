"""Judge all that was named: sheets, logs as games, mails that carry them, folders full of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, Unpack

from hexforge.scenarios.words import HexforgeError, Message
from hexforge.validator.gather import Gathered, gather

if TYPE_CHECKING:
    from hexforge.validator.readers.mails.attached import Attached
    from hexforge.validator.readers.notation.statements import Sheet
    from hexforge.validator.readers.typed_game import KeptGame
    from hexforge.validator.report.answer import Answer
    from hexforge.validator.transcribe.judged import Manner


_MOST_HELD: Final = 200
"""Files that a sheet may go on from, one from the other."""


@dataclass(frozen=True)
class Judged:
    """An answer for each game, and what could not be read: its name and why. `many`: a folder or several files.

    `skipped` is what is no game, each with what is to be said of it; `closed`: something that mails and archives
    carry could not be opened.
    """

    answers: tuple[Answer, ...]
    failures: tuple[tuple[str, Exception], ...]
    many: bool
    skipped: tuple[tuple[str, Message], ...] = ()
    closed: bool = False

    @property
    def illegal(self) -> bool:
        """Whether anything is."""
        return any(answer.verdict == "illegal" for answer in self.answers)

    @property
    def unread(self) -> bool:
        """Whether lines of any could not be read."""
        return any(answer.counts["unread"] for answer in self.answers)


def check_all(
    paths: Iterable[str | Path],
    options: Mapping[str, str] | None = None,
    **how: Unpack[Manner],
) -> Judged:
    """Judge sheets (`-`: standard input), logs, mails and folders of these; `gather` says what makes one game.

    `options` overrule the rulings that sheets set; further arguments are those of `Manner`: `strict`, `module`,
    `reveal`, `salvage`, `lang`, `progress`. Raises NothingThere for a folder with nothing to judge.
    """
    judging = Judging(paths, options, **how)
    answers = tuple(answer.light for answer in judging.answers())
    return Judged(answers, tuple(judging.failures), judging.many, judging.skipped, judging.closed)


@dataclass(frozen=True, slots=True)
class Work:
    """A game that is to be judged. `answer` raises HexforgeError, OSError for what cannot be read.

    `logs` are those that it was played in, if any; `holds` gives what it is read from, to know it again by;
    `mark` is what whoever wants it judged calls it, and `place` what it is known by, however its path was typed.
    `first` is the first of several files that it was typed in.
    """

    source: str
    answer: Callable[[], Answer]
    logs: tuple[str | Attached, ...] = ()
    holds: Callable[[], Iterable[bytes]] = tuple
    mark: str = ""
    place: str = ""
    first: str = ""


class Judging:
    """As `check_all`, one game after the other, none of them held: whoever asks for `answers` says what is kept.

    What is named may be gathered already. `failures`, `skipped` grow as they are asked for, and what `count` says
    of mails is not known before.
    Raises NothingThere for a folder with nothing to judge.
    """

    def __init__(
        self,
        paths: Iterable[str | Path] | Gathered,
        options: Mapping[str, str] | None = None,
        **how: Unpack[Manner],
    ) -> None:
        if not isinstance(paths, Gathered):
            paths = gather(map(str, paths), later=True, progress=how.get("progress"))
        self._found = paths
        self._options, self._how = options, how
        self.failures = list(self._found.failures)
        self.many = self._found.many or len(self._found) > 1
        self.closed = self._found.closed
        self.hearers = 1
        """In how many processes mails are read that wait to be."""

    @property
    def count(self) -> int:
        """How many games there are; of mails that are not read yet, as many as threads."""
        return len(self._found) - len(self._found.failures)

    @property
    def skipped(self) -> tuple[tuple[str, Message], ...]:
        """What is no game, as far as is known when the games have been asked for."""
        return self._found.all_skipped()

    def answers(self) -> Iterator[Answer]:
        """The answers, in order. What cannot be read is put down among the failures."""
        for work in self.works():
            try:
                answer = work.answer()
            except (HexforgeError, OSError) as error:
                self.failures.append((work.source, error))
            else:
                yield answer
                del answer

    def works(self, *, apart: bool = False) -> Iterator[Work]:
        """The games, in order, to be asked for once.

        `apart`: to be judged in other processes, which show nothing of their progress.
        """
        found, options, strict = self._found, self._options, self._how.get("strict", False)
        how = {**self._how, "progress": None} if apart else self._how
        for logs in found.games:
            from hexforge.validator.transcribe.judged import check_logs, source_of

            held = partial(_logs_held, tuple(logs))
            yield Work(source_of(logs), partial(check_logs, logs, options, **how), tuple(logs), held)
        for source, game in chain(((g.source, g) for g in found.typed), found.heard(lambda: self.hearers)):
            if isinstance(game, Exception):
                yield Work(source, partial(_unheard, game), holds=partial(_unheard, game))
                continue
            held = partial(_typed_held, game)
            yield Work(game.source, partial(_typed, game, options, strict), holds=held, first=game.first)
        for source, data in found.piped:
            yield Work(source, partial(_piped, source, data, options, strict), holds=partial(iter, (data,)))
        for path in found.sheets:
            yield Work(path, partial(_filed, path, options, strict), holds=partial(_sheet_held, path))


def _unheard(error: Exception) -> NoReturn:
    raise error


def _logs_held(logs: Iterable[str | Attached]) -> Iterator[bytes]:
    for log in logs:
        yield Path(log).read_bytes() if isinstance(log, str) else log.data


def _typed_held(game: KeptGame) -> Iterator[bytes]:
    for placed in game.opened().placed:
        letter = placed.letter
        yield f"{Path(placed.file).name}\n{letter.sender}\n{letter.date}\n{placed.row.text}\n".encode(
            "utf-8", "replace"
        )


def _sheet_held(path: str) -> Iterator[bytes]:
    """A sheet, and all that it goes on from."""
    from hexforge.validator.continuing import files_named

    seen: set[str] = set()
    waiting = [path]
    while waiting and len(seen) < _MOST_HELD:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        data = Path(name).read_bytes()
        yield data
        waiting += files_named(data, name)


def _typed(game: KeptGame, options: Mapping[str, str] | None, strict: bool) -> Answer:
    return _judge(game.opened().sheet(), options, strict)


def _piped(source: str, data: bytes, options: Mapping[str, str] | None, strict: bool) -> Answer:
    from hexforge.validator.readers.sheet import read_bytes

    return _judge(read_bytes(data, source), options, strict)


def _filed(path: str, options: Mapping[str, str] | None, strict: bool) -> Answer:
    from hexforge.validator.check import check_file

    return check_file(path, options, strict=strict)


def _judge(sheet: Sheet, options: Mapping[str, str] | None, strict: bool) -> Answer:
    # Who gives games out to other processes judges none, and does not read how.
    from hexforge.validator.check import judge

    return judge(sheet, options, strict=strict)
