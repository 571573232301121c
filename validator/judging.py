"""Judge all that was named: sheets, logs as games, mails that carry them, folders full of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from hexforge.scenarios.words import HexforgeError, Message
from hexforge.validator.check import check_file, judge
from hexforge.validator.gather import gather
from hexforge.validator.report.answer import Answer

if TYPE_CHECKING:
    from hexforge.validator.transcribe.judged import Manner


@dataclass(frozen=True)
class Judged:
    """An answer for each game, and what could not be read: its name and why. `many`: a folder or several files.

    `skipped` is what is no game, each with what is to be said of it.
    """

    answers: tuple[Answer, ...]
    failures: tuple[tuple[str, Exception], ...]
    many: bool
    skipped: tuple[tuple[str, Message], ...] = ()

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
    found = gather(map(str, paths))
    strict = how.get("strict", False)
    answers: list[Answer] = []
    failures = list(found.failures)
    for logs in found.games:
        from hexforge.validator.transcribe.judged import check_logs

        try:
            answers.append(check_logs(logs, options, **how))
        except (HexforgeError, OSError) as error:
            failures.append((" ".join(part if isinstance(part, str) else part.name for part in logs), error))
    for game in found.typed:
        try:
            answers.append(judge(game.sheet(), options, strict=strict))
        except (HexforgeError, OSError) as error:
            failures.append((game.source, error))
    for source, data in found.piped:
        from hexforge.validator.readers.sheet import read_bytes

        try:
            answers.append(judge(read_bytes(data, source), options, strict=strict))
        except (HexforgeError, OSError) as error:
            failures.append((source, error))
    for path in found.sheets:
        try:
            answers.append(check_file(path, options, strict=strict))
        except (HexforgeError, OSError) as error:
            failures.append((path, error))
    return Judged(tuple(answers), tuple(failures), found.many or len(found) > 1, tuple(found.skipped))
