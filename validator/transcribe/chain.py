"""Logs read one after the other: what happened, what was taken back, and whether each begins where the last ended.

This works for the logs of any module. Nothing here holds a password, nor a piece that the reader may not see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.module import Module, read_module
from hexforge.modulegen.vassal.replay import PieceView, Replay
from hexforge.modulegen.vassal.save import SavedGame, read_save
from hexforge.modulegen.vassal.story import Action, tell
from hexforge.scenarios.words import message
from hexforge.validator.readers.mail import Attached
from hexforge.validator.transcribe.continuity import chain_notes
from hexforge.validator.transcribe.extras import EXTRAS
from hexforge.validator.transcribe.marks import Marks, read_marks
from hexforge.validator.transcribe.noted import Noted, Origin
from hexforge.validator.transcribe.undo import undone

MAX_LOGS: Final = 1000

Progress = Callable[[str, int, int], None]
"""Told the file, how many of its actions are read, and how many it has."""


@dataclass(frozen=True, slots=True)
class Told:
    """An action with its place. `undone`: it was taken back later; `back`: the action that it takes back itself."""

    origin: Origin
    action: Action
    undone: bool = False
    back: int | None = None


@dataclass(frozen=True)
class LogRead:
    """One log of a chain: its actions, and the pieces before the first and after the last of them."""

    path: str
    name: str
    game: SavedGame = field(repr=False)
    told: tuple[Told, ...]
    start: dict[str, PieceView] = field(repr=False)
    end: dict[str, PieceView] = field(repr=False)
    turns: tuple[dict[str, str], dict[str, str]]
    properties: tuple[dict[str, str], dict[str, str]]
    players: tuple[tuple[str, str], ...]
    seated: frozenset[tuple[str, str]]
    """Players and sides at its beginning; `players` at its end."""
    extras: Mapping[str, object] = field(default_factory=dict, repr=False)
    """What `EXTRAS` read of it, by their names."""


@dataclass(frozen=True)
class Chain:
    """Several logs in order. `marks` is None for modules that are not ours."""

    logs: tuple[LogRead, ...]
    module: Module | None
    marks: Marks | None
    noted: tuple[Noted, ...]

    @property
    def told(self) -> Iterator[Told]:
        """All actions."""
        for log in self.logs:
            yield from log.told


def find_module(path: Path, wanted: SavedGame) -> Path | None:
    """The module that a log belongs to, if it lies beside it: the one of the name that the log gives."""
    name = wanted.module.name if wanted.module else ""
    candidates = sorted(p for p in path.absolute().parent.glob("*.vmod") if p.is_file())[:50]
    for candidate in candidates:
        if name and _module_name(candidate) == name:
            return candidate
    return None


def _module_name(path: Path) -> str:
    from hexforge.modulegen.vassal.archive import Archive
    from hexforge.modulegen.vassal.metadata import MAX_METADATA, read_metadata

    try:
        with Archive(path) as archive:
            return read_metadata(archive.read("moduledata", MAX_METADATA)).name
    except (FormatError, OSError, KeyError):
        return ""


def read_chain(
    paths: Sequence[str | Path | Attached],
    *,
    module: str | Path | None = None,
    reveal: str | None = None,
    salvage: bool = False,
    progress: Progress | None = None,
) -> Chain:
    """Read logs in the order of play: files, or attachments of mails.

    `module`: the `.vmod`, for names of locations; without it the one beside the first log, if there is one.
    Raises FormatError for what cannot be read (with `salvage`, only for what holds nothing at all), OSError.
    """
    if len(paths) > MAX_LOGS:
        raise FormatError(message("vassal.logs", found=len(paths), most=MAX_LOGS))
    games = [_opened(source, salvage) for source in paths]
    found = Path(module) if module is not None else find_module(*games[0]) if games else None
    read = read_module(found) if found is not None else None
    marks = next((m for _, game in games if (m := read_marks(game.module))), None)
    if marks is None and read is not None and all(game.module is None for _, game in games):
        marks = read_marks(read.metadata)
    logs = tuple(_read(path, game, read, reveal, progress) for path, game in games)
    noted = [*chain_notes(logs, marks)]
    for extra in EXTRAS:
        noted += extra.notes(logs, plain=marks is not None)
    return Chain(logs, read, marks, tuple(noted))


def _opened(source: str | Path | Attached, salvage: bool) -> tuple[Path, SavedGame]:
    if not isinstance(source, Attached):
        return Path(source), read_save(source, salvage=salvage)
    try:
        return Path(source.name), read_save(source.data, salvage=salvage)
    except FormatError as error:
        raise error.at(path=source.name) from None


def _read(
    path: Path, game: SavedGame, module: Module | None, reveal: str | None, progress: Progress | None
) -> LogRead:
    replay = Replay(game, module)
    start = {v.id: v for v in replay.pieces(reveal=reveal, on_map=False)}
    before = _turns(replay), _properties(replay)
    seated = _players(replay)
    actions: list[Action] = []
    for action in tell(replay, reveal=reveal):
        actions.append(action)
        if progress is not None:
            progress(path.name, len(actions), len(replay))
    end = {v.id: v for v in replay.pieces(reveal=reveal, on_map=False)}
    return LogRead(
        str(path),
        path.name,
        game,
        _told(path.name, actions),
        start,
        end,
        (before[0], _turns(replay)),
        (before[1], _properties(replay)),
        _players(replay),
        frozenset(seated),
        {extra.NAME: extra.read(game) for extra in EXTRAS},
    )


def _told(name: str, actions: Sequence[Action]) -> tuple[Told, ...]:
    live, target = undone(actions)
    return tuple(
        Told(Origin(name, action.number), action, not live[i], target.get(i)) for i, action in enumerate(actions)
    )


def _players(replay: Replay) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys((p.name, p.side) for p in replay.position.players.values()))


def _turns(replay: Replay) -> dict[str, str]:
    return dict(replay.position.turns)


def _properties(replay: Replay) -> dict[str, str]:
    return {name: value for (_, name), value in replay.position.properties.items()}
