"""Logs and sheets as they are named: files, and mails that carry them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...scenarios.text.words import HexforgeError, message
from ..notation.games import names
from ..notation.games import scenario as whole_game
from ..notation.records import Attached, is_log, is_mail


class NoLogError(HexforgeError):
    """What was named as a log is none."""


def logs_of(files: Sequence[str | Path]) -> list[str | Path | Attached]:
    """The logs that were named, those of mails among them. Raises NoLogError, and what `read_letters` raises."""
    logs: list[str | Path | Attached] = []
    for file in files:
        if is_mail(file) or Path(file).suffix.lower() == ".zip":
            from ..reading.mails.threads import read_letters

            logs += [log for letter in read_letters(file) for log in letter.logs]
        elif is_log(file):
            logs.append(file)
        else:
            raise NoLogError(message("validator.transcribe.not-a-log", file=str(file)))
    if not logs:
        raise NoLogError(message("validator.transcribe.no-log", files=" ".join(map(str, files))))
    return logs


def sheet_as_log(file: str | Path, target: str | Path, *, module: str | Path | None = None) -> Path:
    """Write a sheet as a log that VASSAL steps through, and give the log's path.

    Without `module` the game's is looked for beside the sheet, beside the log, here and in dist/. Raises NoModule,
    NoLogError for a sheet of no game that is known, UnreadableSheet, and FormatError or OSError for files.
    """
    from ..reading.sheet import read_file
    from .replayed import game_of
    from .transcription import game_module, write_log

    path, log = Path(file), Path(target)
    sheet = read_file(path)
    game = game_of(sheet)
    scenario = whole_game(game.name, sheet.source) if game is not None else None
    if scenario is None:
        name = game.name if game else "-"
        raise NoLogError(
            message("validator.transcribe.unknown-game", file=str(file), name=name, known=tuple(names()))
        )
    folders = (path.parent, log.parent, Path(), Path("dist"))
    write_log(sheet, scenario, Path(module) if module else game_module(scenario.name, folders), log)
    return log
