"""Logs read one after the other: what happened, what was taken back, and whether each begins where the last ended.

This works for the logs of any module. Nothing here holds a password, nor a piece that the reader may not see.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final

from hexforge.modulegen.vassal.draws import Stream, read_stream
from hexforge.modulegen.vassal.errors import FormatError
from hexforge.modulegen.vassal.module import Module, read_module
from hexforge.modulegen.vassal.replay import PieceView, Replay
from hexforge.modulegen.vassal.save import SavedGame, read_save
from hexforge.modulegen.vassal.story import Action, Event, tell
from hexforge.validator.readers.mail import Attached
from hexforge.validator.referee.kinds import Severity
from hexforge.validator.transcribe.draws import draw_notes
from hexforge.validator.transcribe.marks import Marks, read_marks
from hexforge.validator.transcribe.noted import Noted, Origin

MAX_LOGS: Final = 1000
MAX_NAMED: Final = 8
UNDO: Final = "* UNDO: "
# As a large family of modules counts each player's throws: <Name> [with this sum / so far  avg …
_COUNTED: Final = re.compile(
    r"\((?P<kind>[^()]{0,40})\)[^<>]{0,40}<(?P<who>[^<>]{1,80})>\s*\[\d{1,9} / (?P<count>\d{1,9})\s+avg\b"
)

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
    stream: Stream | None = None
    """The random numbers that it carries, compared with its seed."""


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
        raise FormatError(f"{len(paths)} logs, expected at most {MAX_LOGS}")
    games = [_opened(source, salvage) for source in paths]
    found = Path(module) if module is not None else find_module(*games[0]) if games else None
    read = read_module(found) if found is not None else None
    marks = next((m for _, game in games if (m := read_marks(game.module))), None)
    if marks is None and read is not None and all(game.module is None for _, game in games):
        marks = read_marks(read.metadata)
    logs = tuple(_read(path, game, read, reveal, progress) for path, game in games)
    noted = [*_reversals(logs), *_breaks(logs, marks), *_counters(logs), *_damage(logs), *_strangers(logs)]
    noted += draw_notes(logs, plain=marks is not None)
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
        tuple(_undone(path.name, actions)),
        start,
        end,
        (before[0], _turns(replay)),
        (before[1], _properties(replay)),
        _players(replay),
        frozenset(seated),
        read_stream(game),
    )


def _players(replay: Replay) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys((p.name, p.side) for p in replay.position.players.values()))


def _turns(replay: Replay) -> dict[str, str]:
    return dict(replay.position.turns)


def _properties(replay: Replay) -> dict[str, str]:
    return {name: value for (_, name), value in replay.position.properties.items()}


# -------------------------------------------------------------------------------------------- undo


def _chats(action: Action) -> list[str]:
    return [e.text for e in action.events if e.kind == "chat"]


def takes_back(action: Action) -> bool:
    """Whether an action is an undo (some versions of VASSAL log no mark of it, but repeat the chat lines)."""
    return action.undoes or any(text.startswith(UNDO) for text in _chats(action))


def _signature(action: Action) -> tuple[frozenset[str], frozenset[str]]:
    texts = frozenset(text.removeprefix(UNDO) for text in _chats(action))
    return texts, frozenset(e.piece.id for e in action.events if e.piece is not None)


def _undone(name: str, actions: list[Action]) -> Iterator[Told]:
    """The actions with what each undo takes back: VASSAL walks down its list, from the latest action on.

    An undo that is taken back itself restores what it took.
    """
    target: dict[int, int] = {}
    live = [True] * len(actions)
    pointer = -1
    for i, action in enumerate(actions):
        if not takes_back(action):
            pointer = pointer if _only_draws(action) else i
            continue
        wanted = _signature(action)
        same = (
            j for j in range(pointer, -1, -1) if _signature(actions[j]) == wanted and not _only_draws(actions[j])
        )
        found = next(same, pointer)
        if found < 0:
            continue
        target[i] = found
        _flip(found, live, target)
        pointer = found - 1
    for i, action in enumerate(actions):
        origin = Origin(name, action.number)
        yield Told(origin, action, not live[i], target.get(i))


def _only_draws(action: Action) -> bool:
    """Whether an action is a random number and nothing else: VASSAL cannot take that back."""
    return bool(action.events) and all(e.kind == "random" for e in action.events)


def _flip(index: int, live: list[bool], target: dict[int, int]) -> None:
    live[index] = not live[index]
    while index in target:
        index = target[index]
        live[index] = not live[index]


def dice_of(action: Action) -> list[Event]:
    """The dice thrown in an action."""
    return [e for e in action.events if e.kind == "dice" and e.numbers]


def _reversals(logs: Sequence[LogRead]) -> Iterator[Noted]:
    """Dice that were taken back, and whether they were thrown again."""
    for log in logs:
        for i, told in enumerate(log.told):
            if not told.undone or takes_back(told.action):
                continue
            for event in dice_of(told.action):
                faces = " ".join(map(str, event.numbers))
                undo = next((t.origin.step for t in log.told[i + 1 :] if t.back == i), told.origin.step)
                again = next(
                    (
                        (t.origin, e)
                        for t in log.told[i + 1 :]
                        if t.origin.step > undo and not t.undone and not takes_back(t.action)
                        for e in dice_of(t.action)
                        if e.text == event.text
                    ),
                    None,
                )
                if again is None:
                    en = (
                        f"{event.text}: {faces} was thrown in step {told.origin.step} and taken back in step {undo}"
                    )
                    pt = f"{event.text}: {faces} saiu no passo {told.origin.step} e foi desfeito no passo {undo}"
                    yield Noted(told.origin, "undone-roll", "warning", en, pt)
                    continue
                where, new = again
                now = " ".join(map(str, new.numbers))
                en = (
                    f"{event.text}: {faces} was thrown in step {told.origin.step}, taken back in step {undo} "
                    f"and thrown again here: {now}"
                )
                pt = (
                    f"{event.text}: {faces} saiu no passo {told.origin.step}, foi desfeito no passo {undo} "
                    f"e os dados foram lançados de novo aqui: {now}"
                )
                yield Noted(where, "undone-roll", "illegal", en, pt)


# ------------------------------------------------------------------------------------------- chain


def _label(view: PieceView) -> str:
    return view.properties.get("UnitId") or view.name or view.id


def place_of(view: PieceView | None, marks: Marks | None) -> str:
    """What players call the place of a piece; "-" for one that is nowhere."""
    if view is None or view.map is None or view.hidden:
        return "-"
    if view.location:
        return view.location
    if marks is not None and view.map == marks.main and view.x is not None and view.y is not None:
        return marks.hex_at(view.x, view.y)
    if marks is not None and view.map in (marks.reserves, marks.losses):
        return view.map
    return f"{view.map} {view.x},{view.y}"


def _levels(view: PieceView) -> dict[str, str]:
    return {k: v for k, v in view.properties.items() if k.endswith("_Level")}


def _changes(old_pieces: dict[str, PieceView], new_pieces: dict[str, PieceView], marks: Marks | None) -> list[str]:
    """In what two positions differ, as far as it may be seen."""
    changes = []
    for piece in sorted({*old_pieces, *new_pieces}):
        old, new = old_pieces.get(piece), new_pieces.get(piece)
        shown = new or old
        if shown is None or any(v is not None and (v.hidden or v.deck) for v in (old, new)):
            continue
        before, after = (None if v is None else (v.map, v.x, v.y) for v in (old, new))
        if before != after and any(v is not None and v.map is not None for v in (old, new)):
            changes.append(f"{_label(shown)} {place_of(old, marks)} -> {place_of(new, marks)}")
        elif old and new and not (old.masked or new.masked) and _levels(old) != _levels(new):
            changes.append(f"{_label(shown)} ({place_of(new, marks)})")
    return changes


def _turned(old: dict[str, str], new: dict[str, str]) -> bool:
    return any(k in old and old[k] != new[k] for k in new)


def _breaks(logs: Sequence[LogRead], marks: Marks | None) -> Iterator[Noted]:
    """Logs that begin from another position than the one before them ended with."""
    for earlier, later in pairwise(logs):
        changes = _changes(earlier.end, later.start, marks)
        if not changes and not _turned(earlier.turns[1], later.turns[0]):
            continue
        where = Origin(later.name, 0)
        unstepped = not _changes(earlier.start, later.start, marks) and not _turned(
            earlier.turns[0], later.turns[0]
        )
        if unstepped and later.seated >= set(earlier.players):
            # VASSAL sets up a log's first position when it is loaded: whoever logs on at once begins from there.
            en = (
                f"{later.name} was begun with {earlier.name} loaded but not stepped through: "
                "it starts from the position before that log"
            )
            pt = (
                f"{later.name} foi iniciado com {earlier.name} carregado, mas sem avançar por ele: "
                "parte da posição anterior àquele registro"
            )
            yield Noted(where, "special", "warning", en, pt)
            continue
        more = len(changes) - MAX_NAMED
        en = f"{later.name} does not begin from the position that {earlier.name} ends with: "
        pt = f"{later.name} não começa da posição em que {earlier.name} termina: "
        shown = "; ".join(changes[:MAX_NAMED])
        en += shown or "the turn tracker differs"
        pt += shown or "o marcador de turnos é outro"
        if more > 0:
            en, pt = f"{en}; and {more} more", f"{pt}; e mais {more}"
        yield Noted(where, "log-chain", "illegal", en, pt)


def _counters(logs: Sequence[LogRead]) -> Iterator[Noted]:
    """Throws that are in no log, where the module itself counts them."""
    last: dict[tuple[str, str], tuple[int, str]] = {}
    for log in logs:
        for told in log.told:
            if takes_back(told.action):
                continue
            for text in _chats(told.action):
                match = _COUNTED.search(text) if text.startswith("*") else None
                if match is None:
                    continue
                # The counts of one die and of two run apart; the word for them ends the label.
                key = (match["who"], match["kind"].split()[-1] if match["kind"].split() else "")
                count = int(match["count"])
                old = last.get(key)
                last[key] = (count, log.name)
                if old is None or count == old[0] + 1:
                    continue
                who = match["who"]
                en = f"{who}'s throws are counted {old[0]}, then {count}: between them some are in no log"
                pt = f"os lançamentos de {who} vão de {old[0]} a {count}: faltam alguns nos registros"
                severity: Severity = "illegal" if count > old[0] else "warning"
                yield Noted(told.origin, "log-chain", severity, en, pt)


def _damage(logs: Sequence[LogRead]) -> Iterator[Noted]:
    for log in logs:
        if log.game.damage is not None:
            count = len(log.told)
            en = f"{log.name} is damaged; {count} of its actions could be read and are judged: {log.game.damage}"
            pt = f"{log.name} está danificado; {count} de suas ações foram lidas e são julgadas: {log.game.damage}"
            # What was lost may have been illegal: a verdict on the rest alone is no acquittal.
            yield Noted(Origin(log.name, count), "log-chain", "doubtful", en, pt)


def _strangers(logs: Sequence[LogRead]) -> Iterator[Noted]:
    """Logs of different modules in one chain."""
    names = {log.name: log.game.module.name for log in logs if log.game.module and log.game.module.name}
    first = next(iter(names.values()), "")
    for log, name in names.items():
        if name != first:
            en = f"{log} is of the module {name!r}, those before it of {first!r}"
            pt = f"{log} é do módulo {name!r}, os anteriores de {first!r}"
            yield Noted(Origin(log, 0), "log-chain", "illegal", en, pt)
