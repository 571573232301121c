"""Logs read one after the other: what happened, what was taken back, and whether each begins where the last ended.

This works for the logs of any module. Nothing here holds a password, nor a piece that the reader may not see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexforge.modulegen.vassal.commands import Extension
from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.fitting import MisfitKind
from hexforge.modulegen.vassal.inspect import secrets_of
from hexforge.modulegen.vassal.inverse import may_be_unmarked
from hexforge.modulegen.vassal.module import Module, read_module
from hexforge.modulegen.vassal.replay import LogReplay, PieceView
from hexforge.modulegen.vassal.save import SavedGame, read_save
from hexforge.modulegen.vassal.secret import Scrubber
from hexforge.modulegen.vassal.story import Action, tell
from hexforge.scenarios.words import message
from hexforge.validator.readers.mails.attached import Attached
from hexforge.validator.transcribe.continuity import chain_notes
from hexforge.validator.transcribe.marks import Marks, modules_in, read_marks
from hexforge.validator.transcribe.noted import Noted, Origin
from hexforge.validator.transcribe.undo import undone

if TYPE_CHECKING:
    from hexforge.validator.transcribe.bound import Bound

MAX_LOGS: Final = 1000
_EXTENSION: Final = Extension.PREFIX.encode()

Progress = Callable[[str, int, int], None]
"""Told the file, how many of its actions are read, and how many it has."""


@dataclass(frozen=True, slots=True)
class ActionTold:
    """An action with its place. `undone`: it was taken back later; `back`: the action that it takes back itself."""

    origin: Origin
    action: Action
    undone: bool = False
    back: int | None = None


@dataclass(frozen=True)
class LogStanding:
    """How a game stands at one place of a log.

    `pieces` by id; `turns`: what each turn tracker shows; `players`: names with their sides.
    """

    pieces: Mapping[str, PieceView]
    turns: Mapping[str, str]
    properties: Mapping[str, str]
    players: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class LogRead:
    """One log of a chain: its actions, and how the game stands before the first and after the last of them.

    `missed`: ids that it names and that no piece has.
    `unfit`: by step, how its commands do not fit what it has led to, and what they are about.
    `early`: units of which some actions are read with the log before.
    `extensions`: versions of the module's extensions, by their names. `mail`: what carried it, if any did.
    """

    path: str
    name: str
    game: SavedGame = field(repr=False)
    told: tuple[ActionTold, ...]
    start: LogStanding = field(repr=False)
    end: LogStanding = field(repr=False)
    missed: frozenset[str] = frozenset()
    unfit: Mapping[int, tuple[tuple[MisfitKind, str], ...]] = field(default_factory=dict)
    extensions: Mapping[str, str] = field(default_factory=dict)
    early: frozenset[str] = frozenset()
    mail: str = ""


@dataclass(frozen=True)
class Chain:
    """Several logs in order. `marks` is None for modules that are not ours; `archive` is the file of the module."""

    logs: tuple[LogRead, ...]
    module: Module | None
    marks: Marks | None
    noted: tuple[Noted, ...]
    archive: Path | None = None


def find_module(path: Path, wanted: SavedGame) -> Path | None:
    """The module that a log belongs to, if it lies beside it: the one of the name that the log gives."""
    name = wanted.module.name if wanted.module else ""
    return next((p for p, data in modules_in(path.absolute().parent) if data.name == name), None) if name else None


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
    tied = _tied(games, read) if marks is None else None
    names = _names([path for path, _ in games])
    logs = [_read((name, *source), read, reveal, progress, tied) for name, source in zip(names, games, strict=True)]
    carried = [source.mail if isinstance(source, Attached) else "" for source in paths]
    logs = [replace(log, mail=mail) for log, mail in zip(logs, carried, strict=True)]
    return chain_of(logs, read, tied.marks if tied else marks, found)


def _tied(games: Sequence[tuple[Path, SavedGame]], module: Module | None) -> Bound | None:
    """The binding for the module of some logs, where a game has one."""
    from hexforge.validator.transcribe.bindings import bound

    stated = next((game.module for _, game in games if game.module), module.metadata if module else None)
    return bound(stated, str(games[0][0])) if games else None


def chain_of(
    logs: Sequence[LogRead], module: Module | None, marks: Marks | None, archive: Path | None = None
) -> Chain:
    """Logs that have been read, as a chain in the order given."""
    return Chain(tuple(logs), module, marks, tuple(chain_notes(logs, marks)), archive)


def _opened(source: str | Path | Attached, salvage: bool) -> tuple[Path, SavedGame]:
    if not isinstance(source, Attached):
        return Path(source), read_save(source, salvage=salvage)
    try:
        return Path(source.name), read_save(source.data, salvage=salvage)
    except FormatError as error:
        raise error.at(path=source.name) from None


def _names(paths: Sequence[Path]) -> list[str]:
    """What logs are called: by their files, by the folders too where two files have one name, else by number."""
    short = Counter(path.name for path in paths)
    named = [path.name if short[path.name] == 1 else "/".join(path.parts[-2:]) for path in paths]
    seen: Counter[str] = Counter()
    found = []
    for name in named:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found


def _read(
    source: tuple[str, Path, SavedGame],
    module: Module | None,
    reveal: str | None,
    progress: Progress | None,
    tied: Bound | None,
) -> LogRead:
    name, path, game = source
    scrub = secrets_of(game)
    replay = LogReplay(game, module, scrub=scrub, seen=tied.see if tied else None)
    start = _standing(replay, reveal, tied)
    actions: list[Action] = []
    for action in tell(replay, reveal=reveal):
        actions.append(tied.act(action) if tied else action)
        if progress is not None:
            progress(name, len(actions), len(replay))
    live, target = undone(actions)
    told = (ActionTold(Origin(name, a.number), a, not live[i], target.get(i)) for i, a in enumerate(actions))
    missed = frozenset(map(scrub.name, replay.position.missed))
    end, known = _standing(replay, reveal, tied), _extensions(game, scrub)
    unfit = _unfit(replay, reveal, scrub)
    return LogRead(str(path), name, game, tuple(told), start, end, missed, unfit, known)


def _unfit(replay: LogReplay, reveal: str | None, scrub: Scrubber) -> dict[int, tuple[tuple[MisfitKind, str], ...]]:
    """What does not fit, told as the reader may see it. VASSAL 2 itself left out some of what was undone."""
    if not replay.misfits or may_be_unmarked(replay.game):
        return {}

    def called(id_: str) -> str:
        if id_ not in replay.position.pieces:
            return scrub.name(id_)
        view = replay.view(id_, reveal=reveal)
        return "?" if view.hidden else view.properties.get("UnitId") or view.name or scrub.name(id_)

    return {
        step: tuple(
            dict.fromkeys((m.kind, called(m.id) if m.kind != "property" else scrub.name(m.id)) for m in found)
        )
        for step, found in replay.misfits.items()
    }


def _extensions(game: SavedGame, scrub: Scrubber) -> dict[str, str]:
    lines = (leaf for node in game.restore for leaf in node.leaves() if leaf.raw.startswith(_EXTENSION))
    found = (leaf.command for leaf in lines)
    return {scrub(c.name): scrub(c.version) for c in found if isinstance(c, Extension)}


def _standing(replay: LogReplay, reveal: str | None, tied: Bound | None = None) -> LogStanding:
    position, scrub = replay.position, replay.scrub
    assert scrub is not None
    return LogStanding(
        {v.id: v for v in replay.pieces(reveal=reveal, on_map=False)},
        {k: tied.turn(v) if tied else v for k, v in scrub.keys(position.turns).items()},
        {scrub.name(name): scrub(value) for (_, name), value in position.properties.items()},
        tuple(dict.fromkeys((scrub(p.name), scrub(p.side)) for p in position.players.values())),
    )
