"""Pages that are written anew while the games of a folder are edited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, Unpack

from hexforge.scenarios.words import HexforgeError, Words
from hexforge.validator.gather import below
from hexforge.validator.judging import Judging, Work
from hexforge.validator.readers.mails.mail import is_maildir, maildir_files
from hexforge.validator.replay.game import game_page
from hexforge.validator.replay.pictures import Studio
from hexforge.validator.report.plain import folders_of

if TYPE_CHECKING:
    from hexforge.validator.report.answer import Answer
    from hexforge.validator.transcribe.judged import Manner

PAGE: Final = ".html"
PAUSE: Final = 0.7
"""Seconds between two looks at files."""
AGAIN: Final = 5.0
"""Seconds until what a disk or a folder refused is tried again."""
_State = tuple[tuple[str, int, int], ...]


class Watcher:
    """Looks at a folder time and again, and writes the page of each game that has changed.

    Into the folder `target`, or beside the game's first file.
    """

    def __init__(
        self,
        folder: str | Path,
        target: str | Path | None,
        words: Words,
        options: Mapping[str, str] | None = None,
        **how: Unpack[Manner],
    ) -> None:
        self.folder, self.words, self.options, self.how = Path(folder), words, options, how
        self.target = Path(target) if target is not None else None
        self._studio = Studio()
        self._seen: _State | None = None
        self._known: dict[str, _State] = {}
        self._refused: dict[str, str] = {}
        self._again = inf

    def look(self) -> Iterator[tuple[Path, Answer | Exception]]:
        """The pages written now, each with the answer on its game; or the game and why it has no page.

        Nothing where no file has changed, but for what could not be opened or written: that is tried again after a
        while, and told once. Raises NothingThere for a folder with nothing to judge.
        """
        state = _state(_files(self.folder))
        if state == self._seen and monotonic() < self._again:
            return
        self._seen, self._again = state, inf
        for work in Judging([self.folder], self.options, **self.how).works():
            own = _state(_files_of(work)) or state
            if self._known.get(work.source) == own:
                continue
            try:
                answer = work.answer()
                page = self._write(work, answer)
            except OSError as error:
                self._again = monotonic() + AGAIN
                # Names of files that are written for a while stand in what is said, each time others.
                why = error.strerror or str(error)
                if self._refused.get(work.source) != why:
                    self._refused[work.source] = why
                    yield Path(work.source), error
                continue
            except HexforgeError as error:
                self._known[work.source] = own
                yield Path(work.source), error
                continue
            self._known[work.source] = own
            self._refused.pop(work.source, None)
            yield page, answer

    def _write(self, work: Work, answer: Answer) -> Path:
        from hexforge.scenarios.commands import write_file

        first = _files_of(work)[0] if _files_of(work) else Path(work.source)
        path = first.with_suffix(PAGE)
        if self.target is not None:
            inside = first.relative_to(self.folder) if first.is_relative_to(self.folder) else Path(first.name)
            path = self.target / "-".join(inside.with_suffix(PAGE).parts)
        folders = (str(self.folder), *folders_of(_files_of(work)))
        text = game_page(answer, self.words, studio=self._studio, now=True, watch=True, folders=folders)
        write_file(path, text.encode("utf-8", "replace"))
        return path


def stamped(paths: Iterable[str], besides: str = "") -> object:
    """What changes when one of some files, or a file of some folders, does; `besides` is a file that is written."""
    found = [file for path in map(Path, paths) for file in (_files(path) if path.is_dir() else [path])]
    written = Path(besides).resolve() if besides else None
    return _state([file for file in found if file.resolve() != written])


def _files(folder: Path) -> Iterator[Path]:
    """The files of a folder and of those below it, but for the pages, and for what programs hide there."""
    for path in below(folder):
        if path.is_dir() and is_maildir(path):
            yield from maildir_files(path)
        elif path.suffix.lower() != PAGE and path.is_file():
            yield path


def _files_of(work: Work) -> list[Path]:
    sources = work.logs or (work.source,)
    return [path for source in sources if isinstance(source, str) and (path := Path(source)).is_file()]


def _state(files: Iterator[Path] | list[Path]) -> _State:
    found = []
    for path in files:
        try:
            stat = path.stat()
        except OSError:
            continue
        found.append((str(path), stat.st_mtime_ns, stat.st_size))
    return tuple(found)
